//! What is counted once for a paragraph, so that the features of each of its runs are differences
//! of two sums.

use super::formula::{of_words, recension};
use super::sums::{prefix, sums};
use crate::passes::evidence::hints::Hint;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{CLASSIC, NOTE};
use crate::passes::layers::split::common::{CommonCharacters, Habit};

/// Prefix sums over characters; `echoes` has values for clauses.
pub struct Counts {
    pub in_note: Vec<f64>,
    pub in_classic: Vec<f64>,
    pub quoted: Vec<f64>,
    pub quoted_note: Vec<f64>,
    pub quoted_classic: Vec<f64>,
    pub quoted_lemma: Vec<f64>,
    pub titles: Vec<f64>,
    pub recensions: Vec<f64>,
    /// Glosses of words that occur before them, at their first character.
    pub glosses: Vec<f64>,
    /// Votes of witnesses for each label.
    pub witness: [Vec<f64>; 2],
    /// How much the characters are those of notes in any book.
    pub common: Vec<f64>,
    /// Clauses that give the sound of a character.
    pub sounds: Vec<f64>,
    /// Words about words.
    pub of_words: Vec<f64>,
    /// Clauses that begin with a citation of an authority.
    pub commentators: Vec<f64>,
    /// Clauses that give a sound, after one that does not.
    pub late_sounds: Vec<f64>,
    /// The share of the text from each clause on that occurs just before it.
    pub echoes: Vec<f64>,
}

impl Counts {
    /// Counts a paragraph; what the scorer itself finds (glosses, sounds, commentators) is still
    /// missing. `rarity` is that of its characters in notes.
    pub fn of(
        paragraph: &Paragraph,
        text: &str,
        common: &CommonCharacters,
        rarity: &[f64],
    ) -> Self {
        let n = paragraph.key.len();
        let hint = |f: fn(&Hint) -> bool| sums(paragraph.hints.iter().take(n).map(f));
        let opens = |k: usize| {
            let at = paragraph.key.at[k] as usize;
            text[..at].trim_end().ends_with('《')
        };
        Counts {
            in_note: hint(|h| h.in_note && !h.in_classic),
            in_classic: hint(|h| h.in_classic && !h.in_note),
            quoted: hint(|h| h.quoted),
            quoted_note: hint(|h| h.quoted_note && !h.quoted_classic),
            quoted_classic: hint(|h| h.quoted_classic && !h.quoted_note),
            quoted_lemma: hint(|h| h.quoted_lemma),
            titles: prefix(n, opens),
            recensions: prefix(n, |k| recension(&paragraph.key.chars[k..])),
            glosses: Vec::new(),
            witness: [CLASSIC, NOTE].map(|label| paragraph.votes.sums(label)),
            common: common_in_note(&paragraph.key.chars, common),
            sounds: Vec::new(),
            of_words: prefix(n, |k| of_words(&paragraph.key.chars[k..])),
            commentators: Vec::new(),
            late_sounds: Vec::new(),
            echoes: paragraph
                .units
                .iter()
                .map(|u| echo(&paragraph.key.chars, u.from, rarity))
                .collect(),
        }
    }
}

/// Sums of how much the characters are those of notes.
fn common_in_note(chars: &[char], common: &CommonCharacters) -> Vec<f64> {
    let sums = chars.iter().scan(0.0, |sum, c| {
        *sum += common.of(*c, Habit::InNote);
        Some(*sum)
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// How many characters from a place on are searched before it, and how far back.
const ECHO_CHARS: usize = 16;
const ECHO_REACH_CHARS: usize = 40;

/// The share of the characters from `from` on that occur just before it; rare ones count more.
fn echo(chars: &[char], from: usize, rarity: &[f64]) -> f64 {
    let before = &chars[from.saturating_sub(ECHO_REACH_CHARS)..from];
    let head = from..(from + ECHO_CHARS).min(chars.len());
    let (mut found, mut all) = (0.0, 0.0);
    for k in head {
        all += rarity[k];
        found += if before.contains(&chars[k]) { rarity[k] } else { 0.0 };
    }
    if all > 0.0 { found / all } else { 0.0 }
}
