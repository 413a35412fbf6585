//! Which of the characters that one simplified character stands for is usual in classical texts:
//! `usual.tsv`, counted in undamaged copies.
//!
//! Where one of them is hardly ever written (傢 for 家), a converted text that has it is damaged.
//! Where several are written (於 and 于), only a witness can say which was meant.

use rustc_hash::FxHashMap;

use super::rules::{Damage, Rule};

/// A character is hardly ever written if it was never counted or has at most this share of its
/// group. Some books always write what is rare elsewhere (註 for 注).
const RARE: f64 = 0.01;
/// No character is rarer than this because it was never counted.
const SELDOM: f64 = 0.5;
/// Most certain repair by the table alone.
const MOST_CERTAIN: f64 = 0.97;

/// Adds the characters of the table that have no rules yet.
pub fn add(damages: &mut FxHashMap<char, Damage>) {
    for row in rows() {
        let all: f64 = row.iter().map(|(_, n)| n).sum();
        let share = |n: f64| (n + SELDOM) / (all + 2.0 * SELDOM);
        let is_rare = |n: f64| n == 0.0 || share(n) <= RARE;
        let Some((usual, _)) = row.iter().max_by(|x, y| x.1.total_cmp(&y.1)).copied() else {
            continue;
        };
        for (c, n) in row.iter().filter(|(c, _)| !damages.contains_key(c)).collect::<Vec<_>>() {
            let damage = if *c == usual || !is_rare(*n) {
                let others = row.iter().filter(|(o, n)| o != c && !is_rare(*n));
                Damage { rules: vec![], intended: others.map(|(o, _)| *o).collect() }
            } else {
                let certainty = (1.0 - share(*n)).min(MOST_CERTAIN);
                Damage { rules: vec![Rule::usual(usual, certainty)], intended: vec![usual] }
            };
            if !damage.intended.is_empty() {
                damages.insert(*c, damage);
            }
        }
    }
}

/// The characters of each row with their counts.
fn rows() -> impl Iterator<Item = Vec<(char, f64)>> {
    include_str!("usual.tsv").lines().filter(|l| !l.starts_with('#')).map(|line| {
        let cells = line.split('\t').nth(1).unwrap_or_default().split(' ');
        let counted = |cell: &str| {
            let c = cell.chars().next()?;
            Some((c, cell[c.len_utf8()..].parse().ok()?))
        };
        cells.filter_map(counted).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::structure::repairs::rules::RULES;

    #[test]
    fn every_row_has_counts() {
        assert!(rows().count() > 50 && rows().all(|row| row.len() > 1));
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
