//! The rules of repair: `rules.tsv`, read once.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::usual::{self, Habit};
use crate::text::fold::fold;

/// One row of the table.
pub struct Rule {
    /// The intended character; `None` if the place is correct.
    pub intended: Option<char>,
    left: Option<Regex>,
    right: Option<Regex>,
    /// Certainty in a converted text.
    pub certainty: f64,
    /// True if it is a sign of conversion by itself.
    pub sign: bool,
    /// True if it is of the table of usual characters, whatever the context.
    pub usual: bool,
    /// The reason, given as evidence.
    pub reason: &'static str,
}

impl Rule {
    /// The rule that `intended` is usual in classical texts and the character is not.
    pub fn usual(intended: char, certainty: f64) -> Rule {
        let reason = "hardly ever written in classical texts";
        let intended = Some(intended);
        Rule { intended, left: None, right: None, certainty, sign: false, usual: true, reason }
    }

    /// True if the context of a place fits.
    pub fn fits(&self, left: &str, right: &str) -> bool {
        self.left.as_ref().is_none_or(|r| r.is_match(left))
            && self.right.as_ref().is_none_or(|r| r.is_match(right))
    }
}

/// The rules for one damaged character.
#[derive(Default)]
pub struct Damage {
    /// Rules in order; the first that fits decides.
    pub rules: Vec<Rule>,
    /// Characters that may have been intended.
    pub intended: Vec<char>,
}

/// All rules, by damaged character: those of `rules.tsv`, and for other characters those of
/// `usual.tsv`. A row that cannot be read is left out here; a test reports it.
pub static RULES: LazyLock<FxHashMap<char, Damage>> = LazyLock::new(|| {
    let mut all: FxHashMap<char, Damage> = FxHashMap::default();
    for (damaged, rule) in rows().flatten() {
        let damage = all.entry(damaged).or_default();
        if let Some(c) = rule.intended.filter(|c| !damage.intended.contains(c)) {
            damage.intended.push(c);
        }
        damage.rules.push(rule);
    }
    for (c, habit) in usual::habits() {
        let damage = match habit {
            Habit::Rare(usual, certainty) => {
                Damage { rules: vec![Rule::usual(usual, certainty)], intended: vec![usual] }
            }
            Habit::Varied(others) => Damage { rules: vec![], intended: others },
        };
        if !damage.intended.is_empty() {
            all.entry(c).or_insert(damage);
        }
    }
    all
});

fn rows() -> impl Iterator<Item = Result<(char, Rule), String>> {
    include_str!("rules.tsv")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| row(l).ok_or_else(|| l.to_string()))
}

fn row(line: &'static str) -> Option<(char, Rule)> {
    let [damaged, intended, left, right, certainty, sign, reason]: [&'static str; 7] =
        line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let intended = if intended == "-" { None } else { Some(one(intended)?) };
    let certainty = if intended.is_some() {
        certainty.parse().ok().filter(|p| (0.0..=1.0).contains(p))?
    } else {
        0.0
    };
    Some((
        one(damaged)?,
        Rule {
            intended,
            left: expression(left, "", "$")?,
            right: expression(right, "^", "")?,
            certainty,
            sign: sign == "+",
            usual: false,
            reason,
        },
    ))
}

/// The only character of `s`.
fn one(s: &str) -> Option<char> {
    let mut chars = s.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// `pattern` folded and anchored; `Some(None)` if it is empty.
fn expression(pattern: &str, before: &str, after: &str) -> Option<Option<Regex>> {
    if pattern.is_empty() {
        return Some(None);
    }
    let folded: String =
        pattern.chars().map(|c| if c.is_ascii() { c } else { normal(c) }).collect();
    Regex::new(&format!("{before}(?:{folded}){after}")).ok().map(Some)
}

/// The character normalised for the rules: folded, with one form of each quotation mark and point.
pub fn normal(c: char) -> char {
    match c {
        '「' | '『' | '‘' | '"' | '＂' => '“',
        '」' | '』' | '’' => '”',
        ',' => '，',
        ':' => '：',
        ';' => '；',
        '.' | '｡' => '。',
        '!' => '！',
        '?' => '？',
        '〈' => '《',
        '〉' => '》',
        // Other full-width marks stay as they are.
        '！'..='／' | '：'..='＠' => c,
        c => fold(c),
    }
}

/// A place where a rule may apply.
pub struct DamagedPlace {
    pub at: usize,
    pub damaged: char,
    pub rule: Option<&'static Rule>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        for row in rows() {
            let (damaged, rule) = row.unwrap();
            assert_ne!(rule.intended, Some(damaged));
            assert!(!rule.reason.is_empty());
        }
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let of = |left: &str, right: &str| {
            let fold = |s: &str| s.chars().map(normal).collect::<String>();
            RULES[&'雲']
                .rules
                .iter()
                .find(|r| r.fits(&fold(left), &fold(right)))
                .and_then(|r| r.intended)
        };
        assert_eq!(of("鄭注", "「凡言」"), Some('云'));
        assert_eq!(of("《詩》", "經始"), Some('云'));
        assert_eq!(of("天油然作", "氣"), None);
    }

    #[test]
    fn rare_characters_have_a_repair_and_usual_ones_only_alternatives() {
        let rare = &RULES[&'傢'];
        assert_eq!(rare.rules[0].intended, Some('家'));
        assert!(rare.rules[0].certainty > 0.9 && rare.rules[0].usual && !rare.rules[0].sign);
        assert!(!RULES.contains_key(&'家'));
        assert!(RULES[&'於'].rules.is_empty() && RULES[&'於'].intended == ['于']);
        assert!(!RULES[&'雲'].rules[0].usual, "a rule goes before the table");
    }
}
