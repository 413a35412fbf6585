//! Local alignment of some words with a text: characters that agree count by their rarity, in
//! order; characters that differ, are added or left out cost.
//!
//! This is the algorithm of Smith and Waterman with affine gaps (O. Gotoh, “An improved algorithm
//! for matching biological sequences”, J. Mol. Biol. 162, 1982). Scores are in nats, so that a
//! score above the logarithm of the number of places is more than chance explains.

use std::ops::Range;

/// Cost of a character that differs.
const MISMATCH: f32 = 2.5;
/// Cost of the first character that one side leaves out.
const GAP: f32 = 2.5;
/// Cost of each further character that the text has and the words have not: accounts are retold
/// with omissions.
const MORE_OF_TEXT: f32 = 0.4;
/// Cost of each further character that the words have and the text has not.
const MORE_OF_WORDS: f32 = 0.6;
/// What a character may count at most.
const MAX_RARITY: f32 = 7.5;
/// Taken from the rarity of each character that agrees: texts on one subject share their words.
const COMMON_SUBJECT: f32 = 1.0;

/// The best agreement of some words with a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// In nats.
    pub score: f32,
    /// The characters of the text, from the first to the last that agrees.
    pub text: Range<usize>,
    /// The characters of the words, likewise.
    pub words: Range<usize>,
    /// Number of characters that agree.
    pub equal: usize,
}

/// A cell: score, where the alignment began in text and words, characters that agree.
#[derive(Clone, Copy)]
struct Cell {
    score: f32,
    from: (u32, u32),
    equal: u32,
}

const NOTHING: Cell = Cell { score: f32::NEG_INFINITY, from: (0, 0), equal: 0 };

impl Cell {
    fn less(self, cost: f32) -> Self {
        Cell { score: self.score - cost, ..self }
    }

    fn or(self, other: Self) -> Self {
        if other.score > self.score { other } else { self }
    }
}

/// Aligns `words` with `text[window]`; `rarity` weighs the words, one number a character.
pub fn best(
    text: &[char],
    window: Range<usize>,
    words: &[char],
    rarity: &[f32],
) -> Option<Agreement> {
    let n = words.len();
    let (mut row, mut added) = (vec![NOTHING; n + 1], vec![NOTHING; n + 1]);
    let mut found: Option<Agreement> = None;
    for (j, c) in text[window.clone()].iter().enumerate() {
        let at = window.start + j;
        let (mut diagonal, mut left_out) = (NOTHING, NOTHING);
        for i in 0..n {
            let above = row[i + 1];
            let start = Cell { score: 0.0, from: (at as u32, i as u32), equal: 0 };
            let same = words[i] == *c;
            let step = if same { rarity[i] } else { -MISMATCH };
            let base = if same { start.or(diagonal) } else { diagonal };
            let through =
                Cell { score: base.score + step, equal: base.equal + u32::from(same), ..base };
            added[i + 1] = added[i + 1].less(MORE_OF_TEXT).or(above.less(GAP));
            let cell = through.or(added[i + 1]).or(left_out);
            left_out = left_out.less(MORE_OF_WORDS).or(cell.less(GAP));
            if same && found.as_ref().is_none_or(|f| through.score > f.score) {
                found = Some(Agreement {
                    score: through.score,
                    text: through.from.0 as usize..at + 1,
                    words: through.from.1 as usize..i + 1,
                    equal: through.equal as usize,
                });
            }
            diagonal = above;
            row[i + 1] = cell;
        }
    }
    found
}

/// What a character counts that occurs so rarely.
pub fn weight(rarity: f32) -> f32 {
    (rarity.min(MAX_RARITY) - COMMON_SUBJECT).max(0.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(text: &str, words: &str) -> (String, usize) {
        let text: Vec<char> = text.chars().collect();
        let words: Vec<char> = words.chars().collect();
        let found = best(&text, 0..text.len(), &words, &vec![6.0; words.len()]).unwrap();
        (text[found.text].iter().collect(), found.equal)
    }

    #[test]
    fn words_retold_with_omissions_are_aligned_from_first_to_last() {
        assert_eq!(
            aligned("司射告于賓曰弓矢既具有司請射", "司射告弓矢既具"),
            ("司射告于賓曰弓矢既具".into(), 7)
        );
        assert_eq!(aligned("嘉令類綝彀攻穀介徽善也", "令善也"), ("令類綝彀攻穀介徽善也".into(), 3));
    }

    #[test]
    fn words_apart_are_not_joined() {
        assert_eq!(aligned("甲乙丙丁", "戊乙丙己").0, "乙丙");
    }
}
