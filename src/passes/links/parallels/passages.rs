//! Passages: what two texts have in common, weighed.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::chains;
use super::kept::KeptChains;
use super::rarity::Rarity;
use super::seeds::{self, PairRules};
use crate::corpus::index::{CorpusTextPart, Indexed};
use crate::corpus::{Index, Stream};
use crate::memo::Memo;
use crate::passes::links::differs::{self, KeyedText, RangePair};
use crate::source::Span;
use crate::text::collate::{Chain, CollatedRun};

/// Fewest equal characters of a parallel.
const MIN_EQUAL_CHARS: usize = 6;
/// Fewest equal characters side by side that say something of their own.
const MIN_TELLING_CHARS: usize = 3;
/// Least share of equal characters in the longer side.
const MIN_EQUAL_SHARE: f64 = 0.4;
/// Costs in bits: of a character that differs, of leaving something out, of each character left
/// out.
const BITS_PER_DIFFERENCE: f64 = 1.8;
const BITS_PER_OMISSION: f64 = 2.0;
const BITS_PER_OMITTED: f64 = 0.25;
/// Fewest bits above what chance explains. Below this, a third were formulas in samples read by
/// hand.
const MIN_MARGIN_BITS: f64 = 12.0;
/// Two texts that share more than this part of the shorter's classic are witnesses of one text.
const MIN_WITNESS_SHARE: f64 = 0.7;

/// A passage that occurs in two places.
#[derive(Clone, Debug)]
pub struct ParallelPassage {
    /// The earlier one first.
    pub sides: [StreamRange; 2],
    /// Bits above what chance explains.
    pub margin: f64,
    /// Equal characters.
    pub equal: usize,
    /// Ranges that differ, from the beginning of each side; no more than are listed. There are far more of
    /// them than of anything else.
    pub differences: Box<[[Range<u32>; 2]]>,
}

impl ParallelPassage {
    /// The ranges that differ.
    pub fn differences(&self) -> impl Iterator<Item = RangePair> {
        let long = |r: &Range<u32>| r.start as usize..r.end as usize;
        self.differences.iter().map(move |pair| pair.each_ref().map(long))
    }
}

/// Characters of a stream of a document.
pub type StreamPlace = (Stream, Range<usize>);

/// A range of characters in a stream of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamRange {
    /// The number of the entry.
    pub entry: usize,
    /// The stream.
    pub stream: Stream,
    /// Characters from the beginning of the stream.
    pub range: Range<usize>,
}

impl StreamRange {
    fn of(part: &CorpusTextPart, range: Range<usize>) -> Self {
        let from = part.range.start;
        StreamRange {
            entry: part.entry,
            stream: part.stream,
            range: range.start - from..range.end - from,
        }
    }

    /// Stream and characters.
    pub fn place(&self) -> StreamPlace {
        (self.stream, self.range.clone())
    }

    /// Where it is in the source.
    pub fn span(&self, entry: &Indexed) -> Span {
        entry.view.stream(self.stream).span(self.range.start, self.range.end)
    }

    /// Its text for a comparison.
    pub fn side<'a>(&self, entry: &'a Indexed) -> KeyedText<'a> {
        KeyedText { text: entry.document.source.text(), key: entry.view.stream(self.stream) }
    }
}

/// All passages that the texts of an index have in common, in the order of the text of all; `only`
/// says which pairs of them are compared.
pub fn passages(
    index: &Index,
    only: Option<&FxHashSet<(usize, usize)>>,
    memo: Option<&Memo>,
) -> Vec<ParallelPassage> {
    let chapters = seeds::chapters(index);
    if chapters.windows(2).all(|pair| pair[0] == pair[1]) {
        return vec![];
    }
    let words = index.words();
    let figures = index.figures.as_deref();
    let rarity = Rarity::of(words, &chapters, figures);
    let rules = PairRules { chapters: &chapters, own: index.own, only };
    let mut kept = KeptChains::of(words, rules, figures, memo);
    let is_promising = |blocks: &[CollatedRun]| {
        let bits: f64 = blocks.iter().map(|r| rarity.bits(r.a..r.a_end())).sum();
        bits >= MIN_BLOCK_SHARE * rarity.expected()
    };
    let memo = memo.filter(|_| figures.is_none());
    let pairs = (&mut kept.pairs, memo.is_some());
    let passages =
        chains::weighed_chains(words, pairs, is_promising, |c| weigh(index, &rarity, &c));
    if let Some(memo) = memo {
        kept.keep(memo);
    }
    without_witnesses(index, passages)
}

/// The blocks of a chain must have this share of the bits that are expected by chance before what
/// is between and beyond them is looked at.
const MIN_BLOCK_SHARE: f64 = 0.6;

/// A chain as a passage, if it is long, similar and rare enough.
fn weigh(index: &Index, rarity: &Rarity<'_>, chain: &Chain) -> Option<ParallelPassage> {
    let words = index.words();
    let (a, b, equal) = (chain.a(), chain.b(), chain.matched());
    if equal < MIN_EQUAL_CHARS || (equal as f64) < MIN_EQUAL_SHARE * a.len().max(b.len()) as f64 {
        return None;
    }
    let telling = chain.runs.iter().filter(|r| r.len >= MIN_TELLING_CHARS);
    let bits: f64 = telling.map(|r| rarity.bits(r.a..r.a_end())).sum();
    let differ: f64 = chain.runs.windows(2).map(|w| difference(w[0], w[1])).sum();
    let margin = in_steps(bits - differ - rarity.expected());
    if margin < MIN_MARGIN_BITS {
        return None;
    }
    let differences = differences(chain);
    let sides = [a, b].map(|range| StreamRange::of(words.part(range.start), range));
    Some(ParallelPassage { sides, margin, equal, differences })
}

/// The ranges between the equal ones.
fn differences(chain: &Chain) -> Box<[[Range<u32>; 2]]> {
    let (a, b) = (chain.a().start, chain.b().start);
    let short = |from: usize, to: usize| from as u32..to as u32;
    let gap = |w: &[CollatedRun]| {
        [short(w[0].a_end() - a, w[1].a - a), short(w[0].b_end() - b, w[1].b - b)]
    };
    let gaps = chain.runs.windows(2).map(gap).filter(|gap| gap.iter().any(|r| !r.is_empty()));
    // One more than are listed says that there are more.
    gaps.take(differs::MAX_SHOWN_DIFFERENCES + 1).collect()
}

/// Bits in steps of a quarter. The statistics of a corpus change with each of its characters; a
/// passage that has nothing to do with the change stays as it is.
fn in_steps(bits: f64) -> f64 {
    (4.0 * bits).round() / 4.0
}

/// What it costs, in bits, that something differs between two runs.
fn difference(last: CollatedRun, next: CollatedRun) -> f64 {
    let (a, b) = (next.a - last.a_end(), next.b - last.b_end());
    let omission = if a == b { 0.0 } else { BITS_PER_OMISSION };
    BITS_PER_DIFFERENCE * a.min(b) as f64 + omission + BITS_PER_OMITTED * a.abs_diff(b) as f64
}

/// Leaves out passages between two witnesses of one text that are not both identified as a chapter.
fn without_witnesses(index: &Index, mut passages: Vec<ParallelPassage>) -> Vec<ParallelPassage> {
    let mut common: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for p in passages.iter().filter(|p| p.sides.iter().all(|s| s.stream == Stream::Base)) {
        *common.entry([0, 1].map(|n| p.sides[n].entry)).or_insert(0) += p.equal;
    }
    let classic = |n: usize| index.entries[n].view.base.len();
    let titled = |n: usize| index.entries[n].document.meta.chapter.is_some();
    common.retain(|[a, b], equal| {
        !(titled(*a) && titled(*b))
            && *equal as f64 > MIN_WITNESS_SHARE * classic(*a).min(classic(*b)) as f64
    });
    passages.retain(|p| !common.contains_key(&[0, 1].map(|n| p.sides[n].entry)));
    passages
}
