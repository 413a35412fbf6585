//! What the program knows of the classics: which four characters follow each other in them.
//!
//! The knowledge is a filter of hashes (`canon.bin`, made by `zhushu train --canon`): it answers
//! whether four folded characters occur somewhere in the classics, and is wrong in one of 256
//! questions that should be answered with no. Nothing can be read out of it. A text that the
//! filter does not cover is never judged by it.

mod filter;

use super::paragraph::Paragraph;
pub use filter::{CanonFilter, GRAM_CHARS, SHIPPED, canon_file};

/// So many characters in a row that the classics have too are hardly a coincidence.
const SURE_CHARS: usize = 10;
/// The filter covers a text if this share of its characters lies in such passages. Commentaries
/// that merely quote the classics have less.
const MIN_COVERED_SHARE: f64 = 0.045;
/// Single hits are often false: characters count as known from two overlapping ones on.
const MIN_HITS: usize = 2;

/// A known passage of so many characters, beside so many unknown ones, may end inside a clause.
const MIN_PASSAGE_CHARS: usize = 6;
const MIN_GAP_CHARS: usize = 2;

/// What the classics have of one paragraph.
#[derive(Clone, Debug)]
pub struct Canon {
    /// For each character: whether it and the three after it occur in the classics.
    hits: Vec<bool>,
    /// Number of known characters before each.
    known: Vec<f64>,
    /// The first characters of the next paragraph; empty if readings come first there.
    next: Vec<char>,
}

impl Canon {
    fn of(filter: &CanonFilter<'_>, chars: &[char], next: Vec<char>, doubt: Option<usize>) -> Self {
        let mut hits = hits(filter, chars);
        if let Some(seed) = doubt {
            forget(&mut hits, chars.len(), seed);
        }
        let known = known_by(&hits, chars.len(), MIN_HITS);
        let mut sums = vec![0.0; chars.len() + 1];
        (0..chars.len()).for_each(|k| sums[k + 1] = sums[k] + f64::from(u8::from(known[k])));
        hits.resize(chars.len(), false);
        Canon { hits, known: sums, next }
    }

    /// Places inside a paragraph where long known passages begin or end: a layer may begin there
    /// even if no mark ends a clause.
    fn ends(&self, length: usize) -> Vec<usize> {
        let known: Vec<bool> = self.known.windows(2).map(|w| w[1] > w[0]).collect();
        let passages = runs(&known).filter(|(from, to)| to - from >= MIN_PASSAGE_CHARS);
        let unknown = |range: std::ops::Range<usize>| {
            range.end <= length && range.len() == MIN_GAP_CHARS && !range.clone().any(|k| known[k])
        };
        let ends = passages.flat_map(|(from, to)| {
            let before = unknown(from.saturating_sub(MIN_GAP_CHARS)..from).then_some(from);
            before.into_iter().chain(unknown(to..to + MIN_GAP_CHARS).then_some(to))
        });
        ends.collect()
    }

    /// Number of known characters among `from..to`.
    pub fn known(&self, from: usize, to: usize) -> f64 {
        self.known[to] - self.known[from]
    }

    /// The share of the four characters across a border that the classics have too: the classic
    /// goes on there.
    pub fn goes_on(&self, at: usize) -> f64 {
        let across = at.saturating_sub(GRAM_CHARS - 1)..at;
        across.filter(|k| self.hits[*k]).count() as f64 / (GRAM_CHARS - 1) as f64
    }

    /// The share of the four characters that would follow each other if a note `from..to` were
    /// not there, and that the classics have. None if there is too little text on a side.
    pub fn joins(&self, chars: &[char], from: usize, to: usize) -> Option<f64> {
        let after = if to < chars.len() { &chars[to..] } else { &self.next };
        let side = GRAM_CHARS - 1;
        if from < side || after.len() < side {
            return None;
        }
        let mut across = [' '; 2 * (GRAM_CHARS - 1)];
        across[..side].copy_from_slice(&chars[from - side..from]);
        across[side..].copy_from_slice(&after[..side]);
        let filter = &*SHIPPED;
        let found = across.windows(GRAM_CHARS).filter(|gram| filter.contains(gram)).count();
        Some(found as f64 / side as f64)
    }
}

fn hits(filter: &CanonFilter<'_>, chars: &[char]) -> Vec<bool> {
    chars.windows(GRAM_CHARS).map(|gram| filter.contains(gram)).collect()
}

/// The characters of all series of at least `least` hits.
fn known_by(hits: &[bool], length: usize, least: usize) -> Vec<bool> {
    let mut known = vec![false; length];
    for (from, to) in runs(hits).filter(|(from, to)| to - from >= least) {
        known[from..to + GRAM_CHARS - 1].fill(true);
    }
    known
}

/// Ranges of consecutive hits.
fn runs(hits: &[bool]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let starts = (0..hits.len()).filter(|k| hits[*k] && (*k == 0 || !hits[k - 1]));
    starts.map(|from| (from, from + hits[from..].iter().take_while(|h| **h).count()))
}

/// One character in so many is taken for a variant that the classics lack, while weights are
/// learned: the copies to learn from are closer to the classics' copies than others will be.
const CHARS_PER_VARIANT: usize = 50;

fn forget(hits: &mut [bool], length: usize, seed: usize) {
    for k in 0..length {
        let mixed = (seed * 8191 + k).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        if mixed % CHARS_PER_VARIANT == 0 {
            let last = (k + 1).min(hits.len());
            let first = (k + 1).saturating_sub(GRAM_CHARS).min(last);
            hits[first..last].fill(false);
        }
    }
}

/// The share of the characters of some paragraphs that lies in long known passages.
pub fn coverage(paragraphs: &[Paragraph]) -> f64 {
    let (mut sure, mut all) = (0usize, 0usize);
    for p in paragraphs {
        let hits = hits(&SHIPPED, &p.key.chars);
        let chars = runs(&hits).map(|(from, to)| to - from + GRAM_CHARS - 1);
        sure += chars.filter(|n| *n >= SURE_CHARS).sum::<usize>();
        all += p.key.len();
    }
    sure as f64 / all.max(1) as f64
}

/// True if the classics cover a text.
pub fn covers(paragraphs: &[Paragraph]) -> bool {
    coverage(paragraphs) >= MIN_COVERED_SHARE
}

/// For each character, whether the classics have it in these words.
pub fn known_characters(chars: &[char]) -> Vec<bool> {
    known_by(&hits(&SHIPPED, chars), chars.len(), MIN_HITS)
}

/// Adds what the classics have; `doubtful` leaves out some of it ([`CHARS_PER_VARIANT`]).
pub fn tell(paragraphs: &mut [Paragraph], doubtful: bool) {
    for n in 0..paragraphs.len() {
        let next = match paragraphs.get(n + 1) {
            Some(next) if !next.opens_with_circle => {
                next.key.chars.iter().copied().take(GRAM_CHARS - 1).collect()
            }
            _ => Vec::new(),
        };
        let p = &mut paragraphs[n];
        let canon = Canon::of(&SHIPPED, &p.key.chars, next, doubtful.then_some(n));
        canon.ends(p.key.len()).into_iter().for_each(|k| p.cut_inside(k));
        p.canon = Some(canon);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Document, Layer};
    use crate::passes::evidence::group;

    fn covered(text: &str) -> f64 {
        let document = Document::of_pieces(&[(Layer::Undivided, text)]);
        coverage(&group::paragraphs(&document))
    }

    #[test]
    fn the_classics_are_known_in_both_scripts_and_other_books_are_not() {
        for text in [
            "子曰:「學而時習之,不亦說乎?有朋自遠方來,不亦樂乎?」",
            "关关雎鸠，在河之洲。窈窕淑女，君子好逑。",
            "天命之謂性，率性之謂道，修道之謂教。道也者，不可須臾離也。",
        ] {
            assert!(covered(text) > 0.9, "{text}");
        }
        for text in [
            "昔者莊周夢為胡蝶，栩栩然胡蝶也，自喻適志與。不知周也。",
            "话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。",
        ] {
            assert_eq!(covered(text), 0.0, "{text}");
        }
    }

    #[test]
    fn a_note_within_the_classic_joins_it() {
        let text = "關關雎鳩，興也。在河之洲。";
        let document = Document::of_pieces(&[(Layer::Undivided, text)]);
        let mut paragraphs = group::paragraphs(&document);
        tell(&mut paragraphs, false);
        let (chars, canon) = (&paragraphs[0].key.chars, paragraphs[0].canon.as_ref().unwrap());
        assert_eq!(canon.joins(chars, 4, 6), Some(1.0));
        assert_eq!(canon.joins(chars, 4, 7), Some(0.0));
        assert_eq!(canon.joins(chars, 4, 10), None);
        assert_eq!(canon.goes_on(4), 0.0);
    }
}
