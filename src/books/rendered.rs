//! Which text a translation renders, by its words: names and terms stay as they are, so that it
//! shares more rare pairs of characters with its own chapter than with any other.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{ChapterKind, Document, LayerKind};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::fold::fold;

/// How many times better than the next chapter one must fit.
const AHEAD: f64 = 1.3;
/// Runs of three characters that a translation must share with its text: three, and one more for
/// so many pairs of the text.
const MIN_SHARED: usize = 3;
const PAIRS_PER_SHARED: usize = 400;
/// Share of the pairs of the shorter of two texts that they must have in common to be one text in
/// two files.
const SAME_TEXT: f64 = 0.5;

/// A chapter that may be translated.
pub(super) struct PossibleClassic {
    /// The number of its document among those that were given.
    pub document: usize,
    /// Its number in its work, of a chapter of a book.
    pub number: Option<u32>,
    /// Its title.
    pub title: String,
    words: PairNumbers,
    /// Where it is in its document.
    span: Span,
}

/// The distinct pairs of characters of some text, folded, in order. Those of all chapters of a
/// corpus are there at once: four bytes each.
struct PairNumbers(Vec<u32>);

/// What a translation renders.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RenderedText {
    /// These candidates, which are one text.
    These(Vec<usize>),
    /// One of two candidates, which fit about as well.
    OneOf(usize, usize),
    /// None of them.
    Unknown,
}

/// Calls `each` with the folded characters of each segment of some layers within a span.
fn each_segment(
    document: &Document,
    within: Span,
    is_of: impl Fn(LayerKind) -> bool,
    mut each: impl FnMut(&[char]),
) {
    let first = document.segments.partition_point(|s| s.span.end() <= within.start());
    let segments = document.segments[first..].iter();
    let own = segments.take_while(|s| s.span.start() < within.end());
    for segment in own.filter(|s| is_of(s.layer.kind())) {
        let words = document.slice(segment.span);
        each(&words.chars().filter(|c| is_content(*c)).map(fold).collect::<Vec<char>>());
    }
}

impl PairNumbers {
    fn of(document: &Document, within: Span, is_of: impl Fn(LayerKind) -> bool) -> Self {
        let mut all = vec![];
        each_segment(document, within, is_of, |chars| {
            all.extend(chars.windows(2).map(|pair| number(pair[0], pair[1])));
        });
        all.sort_unstable();
        all.dedup();
        all.shrink_to_fit();
        PairNumbers(all)
    }

    /// Those that another text has too.
    fn shared<'a>(&'a self, other: &'a PairNumbers) -> impl Iterator<Item = u32> + 'a {
        let mut rest = other.0.as_slice();
        self.0.iter().copied().filter(move |pair| {
            rest = &rest[rest.partition_point(|other| other < pair)..];
            rest.first() == Some(pair)
        })
    }

    /// True if both are the same text, or one a part of the other.
    fn are_of_one_text(&self, other: &PairNumbers) -> bool {
        let shared = self.shared(other).count();
        shared as f64 >= SAME_TEXT * self.0.len().min(other.0.len()) as f64
    }
}

/// A pair as a number: no two have the same but for rare characters.
fn number(a: char, b: char) -> u32 {
    u32::from(a).wrapping_mul(1 << 16).wrapping_add(u32::from(a) >> 16).wrapping_add(u32::from(b))
}

/// The runs of three characters that a text and its translation have in common.
fn shared_threes(document: &Document, span: Span, translation: &Document) -> usize {
    let threes = |document: &Document, within: Span, is_of: fn(LayerKind) -> bool| {
        let mut threes: FxHashSet<[char; 3]> = FxHashSet::default();
        each_segment(document, within, is_of, |chars| {
            threes.extend(chars.windows(3).map(|w| [w[0], w[1], w[2]]));
        });
        threes
    };
    let of_translation = threes(translation, translation.source.span(), is_translated);
    threes(document, span, is_classic).intersection(&of_translation).count()
}

fn is_classic(kind: LayerKind) -> bool {
    matches!(kind, LayerKind::Base | LayerKind::Undivided)
}

fn is_translated(kind: LayerKind) -> bool {
    kind == LayerKind::Translation
}

/// The chapters of some documents, and those documents that have none.
pub(super) fn candidates(documents: &[&Document]) -> Vec<PossibleClassic> {
    let of_document = |(n, document): (usize, &&Document)| {
        let candidate = |number, title: &str, span| PossibleClassic {
            document: n,
            number,
            title: title.to_string(),
            words: PairNumbers::of(document, span, is_classic),
            span,
        };
        let chapters = document.outline.iter().filter(|c| c.kind == ChapterKind::Chapter);
        let mut all: Vec<PossibleClassic> = match document.outline.is_empty() {
            true => vec![candidate(None, &document.meta.title, document.source.span())],
            false => chapters
                .filter(|c| c.number.is_some())
                .map(|c| candidate(c.number, c.name(), c.span))
                .collect(),
        };
        all.retain(|c| !c.words.0.is_empty());
        all
    };
    let all: Vec<Vec<_>> = documents.par_iter().enumerate().map(of_document).collect();
    all.into_iter().flatten().collect()
}

/// The number, if it has one, of the only text that some candidates are; `None` if they are several
/// or none.
pub(super) fn only_text(candidates: &[PossibleClassic]) -> Option<Option<u32>> {
    // A chapter is a part of its book, and not the other way round.
    let first = candidates.iter().max_by_key(|c| c.words.0.len())?;
    let is_first = |c: &PossibleClassic| c.words.are_of_one_text(&first.words);
    candidates.iter().all(is_first).then_some(first.number)
}

/// Which of the candidates, which are of these documents, a translation renders. Each is weighed by
/// the pairs of characters that both have, the rare ones more (inverse document frequency), over
/// the root of what a text of its length has.
pub(super) fn rendered(
    translation: &Document,
    documents: &[&Document],
    candidates: &[PossibleClassic],
) -> RenderedText {
    let own = PairNumbers::of(translation, translation.source.span(), is_translated);
    let mut texts: FxHashMap<u32, u32> = FxHashMap::default();
    for pair in candidates.iter().flat_map(|c| &c.words.0) {
        *texts.entry(*pair).or_default() += 1;
    }
    let rarity = |pair: u32| (1.5 * candidates.len() as f64 / f64::from(texts[&pair])).ln();
    let fit = |c: &PossibleClassic| {
        let shared: f64 = c.words.shared(&own).map(rarity).sum();
        shared / c.words.0.iter().copied().map(rarity).sum::<f64>().sqrt()
    };
    let mut ranked: Vec<(f64, usize)> = candidates.iter().map(fit).zip(0..).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some((best, first)) = ranked.first().copied() else { return RenderedText::Unknown };
    let PossibleClassic { document, span, words, .. } = &candidates[first];
    let shared = shared_threes(documents[*document], *span, translation);
    if shared < MIN_SHARED + words.0.len() / PAIRS_PER_SHARED {
        return RenderedText::Unknown;
    }
    let is_same = |n: usize| n == first || candidates[n].words.are_of_one_text(words);
    // A part of it fits as well as the whole.
    let next = ranked.iter().find(|(_, n)| !is_same(*n));
    match next {
        Some((fit, n)) if best < AHEAD * fit => RenderedText::OneOf(first, *n),
        _ => RenderedText::These((0..candidates.len()).filter(|n| is_same(*n)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Layer, Segment};
    use crate::readers;
    use crate::source::Source;

    fn document(words: &str, from: &str) -> Document {
        let source = Source::from_text("a.txt", words);
        readers::read(source, Some(from)).unwrap()
    }

    const RIVER: &str =
        "山陽翁釣於白石灣，得赤鯉魚而歸雲夢澤。里人問其餌，山陽翁曰：以無餌為餌。里人笑之。";
    const TOWER: &str = "女君登青雲之樓，望東海之波。侍者問其故，女君曰：待歸舟也。侍者泣。";
    const OF_RIVER: &str = "山陽翁在白石灣釣魚，得了赤鯉魚，回到雲夢澤。里人問他用什麼餌，\
        山陽翁說：用無餌當餌。里人笑他。";

    #[test]
    fn a_translation_is_of_the_text_whose_words_it_keeps() {
        let [a, b, c] = [RIVER, TOWER, RIVER].map(|words| document(words, "plain"));
        let all = [&a, &b, &c];
        let candidates = candidates(&all);
        let mut translation = document(OF_RIVER, "plain");
        let of_translation = |s: &Segment| Segment { layer: Layer::Translation, ..s.clone() };
        translation.segments =
            translation.segments.iter().map(of_translation).collect::<Vec<_>>().into();
        assert_eq!(rendered(&translation, &all, &candidates), RenderedText::These(vec![0, 2]));
        assert_eq!(rendered(&translation, &all, &candidates[1..2]), RenderedText::Unknown);
    }

    #[test]
    fn a_book_and_one_of_its_chapters_are_one_text() {
        let whole = document(&format!("{RIVER}\n{TOWER}\n"), "plain");
        let [a, b] = [RIVER, TOWER].map(|words| document(words, "plain"));
        assert!(only_text(&candidates(&[&a, &whole, &b])).is_some());
        assert!(only_text(&candidates(&[&a, &b])).is_none());
    }
}
