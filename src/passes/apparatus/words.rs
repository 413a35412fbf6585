//! A note as a row of folded characters with breaks between them, and the words that formulas are made of.

use std::ops::Range;
use std::sync::LazyLock;

use crate::model::Document;
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{circles, ends_clause, ends_sentence};
use crate::text::fold::fold;

/// What a word does in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Witness,
    Print,
    All,
    Is,
    Says,
    Lacks,
    Adds,
    Wrong,
    Read,
    Should,
    Surplus,
    Judgement,
    Scholar,
    Mends,
}

/// A word of the table.
pub struct Word {
    pub role: Role,
    /// As people write it.
    pub name: &'static str,
    /// Folded.
    pub chars: Vec<char>,
}

/// The table, longer words first.
static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let lines = include_str!("data/words.tsv").lines().filter(|l| !l.starts_with('#'));
    let mut words: Vec<Word> = lines.filter_map(word).collect();
    words.sort_by_key(|w| std::cmp::Reverse(w.chars.len()));
    words
});

fn word(line: &'static str) -> Option<Word> {
    let (role, rest) = line.split_once('\t')?;
    let (name, _) = rest.split_once('\t')?;
    Some(Word { role: role_of(role)?, name, chars: name.chars().map(fold).collect() })
}

pub fn role_of(name: &str) -> Option<Role> {
    Some(match name {
        "witness" => Role::Witness,
        "print" => Role::Print,
        "all" => Role::All,
        "is" => Role::Is,
        "says" => Role::Says,
        "lacks" => Role::Lacks,
        "adds" => Role::Adds,
        "wrong" => Role::Wrong,
        "read" => Role::Read,
        "should" => Role::Should,
        "surplus" => Role::Surplus,
        "judgement" => Role::Judgement,
        "scholar" => Role::Scholar,
        "mends" => Role::Mends,
        _ => return None,
    })
}

/// The characters of a note that carry words.
pub struct Row {
    pub key: Key,
    /// A mark that ends a clause, or a ○, stands before the character.
    breaks: Vec<bool>,
    /// The characters as they stand.
    pub raw: Vec<char>,
    /// The note is punctuated.
    pub punctuated: bool,
}

impl Row {
    pub fn of(document: &Document, span: Span) -> Self {
        let text = document.source.text();
        let key = Key::of(text, span);
        let parts = |c: char| ends_clause(c) || ends_sentence(c);
        let circles: Vec<usize> = circles(&text[span.range()]).map(|i| i + span.start()).collect();
        let between = |i: usize| if i == 0 { span.start() } else { key.ends[i - 1] as usize };
        let breaks: Vec<bool> = (0..key.len())
            .map(|i| {
                let gap = between(i)..key.at[i] as usize;
                text[gap.clone()].contains(parts) || circles.iter().any(|c| gap.contains(c))
            })
            .collect();
        let punctuated = text[span.range()].contains(parts);
        let raw = key.at.iter().filter_map(|a| text[*a as usize..].chars().next()).collect();
        Row { key, breaks, raw, punctuated }
    }

    pub fn len(&self) -> usize {
        self.key.len()
    }

    pub fn span(&self, range: Range<usize>) -> Option<Span> {
        (range.start < range.end).then(|| self.key.span(range.start, range.end))
    }

    /// End of the clause that character `i` is in.
    pub fn clause_end(&self, i: usize) -> usize {
        (i + 1..self.len()).find(|k| self.breaks[*k]).unwrap_or(self.len())
    }

    /// Start of the clause that ends before character `i`.
    pub fn clause_start(&self, i: usize) -> usize {
        (1..i).rev().find(|k| self.breaks[*k]).unwrap_or(0)
    }

    /// True if a clause begins with character `i`.
    pub fn breaks(&self, i: usize) -> bool {
        i == 0 || self.breaks.get(i).copied().unwrap_or(true)
    }

    /// The word with one of these roles that stands at `i`, not across a break.
    pub fn at(&self, i: usize, roles: &[Role]) -> Option<&'static Word> {
        WORDS.iter().filter(|w| roles.contains(&w.role)).find(|w| self.is(i, &w.chars))
    }

    /// True if `chars`, in any spelling, stand at `i`.
    pub fn is(&self, i: usize, chars: &[char]) -> bool {
        let same = |here: &[char]| here.iter().zip(chars).all(|(a, b)| *a == fold(*b));
        self.key.chars.get(i..i + chars.len()).is_some_and(same) && (i + 1..i + chars.len()).all(|k| !self.breaks[k])
    }

    /// The first such word in a stretch, and where.
    pub fn first(&self, range: Range<usize>, roles: &[Role]) -> Option<(usize, &'static Word)> {
        let end = range.end;
        range.into_iter().find_map(|i| self.at(i, roles).filter(|w| i + w.chars.len() <= end).map(|w| (i, w)))
    }

    /// `range` without words of these roles at its end.
    pub fn without_tail(&self, mut range: Range<usize>, roles: &[Role]) -> Range<usize> {
        while let Some(w) = WORDS.iter().filter(|w| roles.contains(&w.role)).find(|w| {
            let n = w.chars.len();
            n < range.len() && self.key.chars[range.end - n..range.end] == w.chars[..]
        }) {
            range.end -= w.chars.len();
        }
        range
    }
}
