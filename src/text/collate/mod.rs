//! Collates two texts: which character of one corresponds to which of the other, across variants,
//! gaps and transposed blocks.
//!
//! Diff libraries (`similar`, `imara-diff`) give one increasing alignment of whole texts without
//! transposed blocks; libraries of edit distance (`triple_accel`, `seqalign`) are quadratic. The
//! task is that of DNA mappers: short exact seeds, chained in order with a cost for what lies
//! between, many chains side by side (H. Li, “Minimap2: pairwise alignment for nucleotide
//! sequences”, Bioinformatics 34, 2018), then the best alignment with affine gaps between the seeds
//! of a chain (O. Gotoh, “An improved algorithm for matching biological sequences”, J. Mol. Biol.
//! 162, 1982).
//!
//! A seed is [`SEED_CHARS`] characters that occur in both texts, a few times in each, so that
//! formulas (再拜稽首) neither mislead nor cost time. Each character is matched at most once, by
//! the strongest chain first. Time and memory grow with the length of the texts: seeds are bounded
//! per gram, a chain looks back a bounded number of seeds, and the aligner between them fills a
//! bounded table or gives up the middle.

mod bound;
mod chain;
mod ends;
mod fill;
mod path;
mod seeds;

use std::ops::Range;

pub use chain::{ChainRules, chains};
pub use fill::side_by_side;
pub use seeds::SEED_CHARS;
pub(crate) use seeds::seed_hashes;
use seeds::{SeedBlock, SeedGrams};

/// A stretch of equal characters: `a..a + len` in the first text, `b..b + len` in the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CollatedRun {
    /// Where it begins in the first text.
    pub a: usize,
    /// Where it begins in the second.
    pub b: usize,
    /// Characters, at least one.
    pub len: usize,
}

impl CollatedRun {
    /// One past its end in the first text.
    pub fn a_end(self) -> usize {
        self.a + self.len
    }
    /// One past its end in the second.
    pub fn b_end(self) -> usize {
        self.b + self.len
    }
}

/// Runs that follow each other in both texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Ascending in both texts, without overlap.
    pub runs: Vec<CollatedRun>,
}

impl Chain {
    /// Characters matched.
    pub fn matched(&self) -> usize {
        self.runs.iter().map(|r| r.len).sum()
    }
    /// Its range in the first text.
    pub fn a(&self) -> std::ops::Range<usize> {
        self.runs.first().map_or(0, |r| r.a)..self.runs.last().map_or(0, |r| r.a_end())
    }
    /// Its range in the second text.
    pub fn b(&self) -> std::ops::Range<usize> {
        self.runs.first().map_or(0, |r| r.b)..self.runs.last().map_or(0, |r| r.b_end())
    }
}

/// The differences between two versions of a text: corresponding ranges of the first and the
/// second, in order. One of the two may be empty.
///
/// ```
/// use zhushu::text::collate::differences;
/// let chars = |s: &str| s.chars().collect::<Vec<char>>();
/// assert_eq!(differences(&chars("司射命設豐於西楹"), &chars("司宮士命設豐西楹")), [(1..2, 1..3), (5..6, 6..6)]);
/// ```
pub fn differences(a: &[char], b: &[char]) -> Vec<(Range<usize>, Range<usize>)> {
    between(&side_by_side(a, b), a.len(), b.len())
}

/// The ranges before, between and after runs, up to the ends of the two texts.
pub fn between(runs: &[CollatedRun], a: usize, b: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let starts = std::iter::once((0, 0)).chain(runs.iter().map(|r| (r.a_end(), r.b_end())));
    let ends = runs.iter().map(|r| (r.a, r.b)).chain([(a, b)]);
    let gaps = starts.zip(ends).map(|((a, b), (c, d))| (a..c, b..d));
    gaps.filter(|(a, b)| !a.is_empty() || !b.is_empty()).collect()
}

/// A text prepared for collation with others.
pub struct Base<'a> {
    chars: &'a [char],
    grams: SeedGrams,
}

impl<'a> Base<'a> {
    /// Prepares a text, its characters folded.
    pub fn new(chars: &'a [char]) -> Self {
        Base { chars, grams: SeedGrams::of(chars) }
    }

    /// The text it was made of.
    pub fn chars(&self) -> &'a [char] {
        self.chars
    }

    /// The chains of a second text against this one, by their place in this one.
    ///
    /// ```
    /// use zhushu::text::collate::Base;
    /// let chars = |s: &str| s.chars().collect::<Vec<char>>();
    /// let a = chars("司射適堂西命弟子設豐弟子奉豐升設于西楹之西乃降");
    /// let b = chars("司射適堂西命弟子設豐弟子奉觶升設于西楹之西乃降");
    /// let chains = Base::new(&a).against(&b);
    /// assert_eq!(chains.len(), 1);
    /// assert_eq!(chains[0].matched(), a.len() - 1);
    /// ```
    pub fn against(&self, b: &[char]) -> Vec<Chain> {
        let a = self.chars;
        let mut blocks = self.grams.shared(&SeedGrams::of(b), a, b);
        blocks.extend(common_ends(a, b));
        blocks.sort_unstable();
        blocks.dedup();
        let mut taken = TakenChars { a: vec![false; a.len()], b: vec![false; b.len()] };
        let mut claimed: Vec<Vec<SeedBlock>> = Vec::new();
        let found = chains(&blocks, &WITH_NOTES).into_iter();
        for mut chain in found.filter(|c| c.score >= MIN_CHAIN_SCORE).map(|c| c.blocks) {
            chain.retain_mut(|block| taken.claim(block));
            if !chain.is_empty() {
                claimed.push(chain);
            }
        }
        let mut chains: Vec<Chain> =
            claimed.iter().map(|c| fill::complete(c, a, b, &mut taken)).collect();
        chains.sort_by_key(|c| (c.a().start, c.b().start));
        chains
    }
}

/// The lowest score of a chain.
const MIN_CHAIN_SCORE: f64 = 8.0;

/// Rules for texts whose notes may be missing on one side: what only one of them has costs little,
/// and may be long.
const WITH_NOTES: ChainRules = ChainRules {
    max_blocks_back: 192,
    max_gap_chars: 4000,
    cost: |a, b| 0.03 * a.min(b) as f64 + 0.5 * (1.0 + a.abs_diff(b) as f64).ln(),
};

/// A chain of blocks of equal characters with all that agrees between them and at both its ends.
pub fn completed(blocks: &[CollatedRun], a: &[char], b: &[char]) -> Chain {
    let mut taken = TakenChars { a: vec![false; a.len()], b: vec![false; b.len()] };
    fill::complete(blocks, a, b, &mut taken)
}

/// The common beginning and the common end of both texts; this finds equal texts that consist only
/// of repetitions.
fn common_ends(a: &[char], b: &[char]) -> Vec<SeedBlock> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count()
        .min(a.len().min(b.len()) - head);
    let ends = [
        CollatedRun { a: 0, b: 0, len: head },
        CollatedRun { a: a.len() - tail, b: b.len() - tail, len: tail },
    ];
    ends.into_iter().filter(|r| r.len >= SEED_CHARS).collect()
}

/// The characters that are already matched.
struct TakenChars {
    a: Vec<bool>,
    b: Vec<bool>,
}

impl TakenChars {
    fn is(&self, a: usize, b: usize) -> bool {
        self.a[a] || self.b[b]
    }

    fn take(&mut self, a: usize, b: usize) {
        self.a[a] = true;
        self.b[b] = true;
    }

    /// Removes matched characters from the ends of a block and takes the rest; false if nothing is
    /// left or characters inside are already matched.
    fn claim(&mut self, block: &mut SeedBlock) -> bool {
        while block.len > 0 && self.is(block.a, block.b) {
            *block = SeedBlock { a: block.a + 1, b: block.b + 1, len: block.len - 1 };
        }
        while block.len > 0 && self.is(block.a_end() - 1, block.b_end() - 1) {
            block.len -= 1;
        }
        if block.len == 0 || (0..block.len).any(|n| self.is(block.a + n, block.b + n)) {
            return false;
        }
        (0..block.len).for_each(|n| self.take(block.a + n, block.b + n));
        true
    }
}
