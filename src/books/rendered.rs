//! Which text a translation renders, by its words: names and terms stay as they are, so that it
//! shares more rare pairs of characters with its own chapter than with any other.

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
    words: Grams,
}

/// The distinct runs of two and three characters of some text, folded.
struct Grams {
    pairs: FxHashSet<[char; 2]>,
    threes: FxHashSet<[char; 3]>,
}

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

impl Grams {
    fn of(document: &Document, within: Span, is_of: impl Fn(LayerKind) -> bool) -> Self {
        let first = document.segments.partition_point(|s| s.span.end() <= within.start());
        let segments = document.segments[first..].iter();
        let own = segments.take_while(|s| s.span.start() < within.end());
        let own = own.filter(|s| is_of(s.layer.kind()));
        let mut grams = Grams { pairs: FxHashSet::default(), threes: FxHashSet::default() };
        for segment in own {
            let words = document.slice(segment.span);
            let chars: Vec<char> = words.chars().filter(|c| is_content(*c)).map(fold).collect();
            grams.pairs.extend(chars.windows(2).map(|w| [w[0], w[1]]));
            grams.threes.extend(chars.windows(3).map(|w| [w[0], w[1], w[2]]));
        }
        grams
    }

    /// True if both are the same text, or one a part of the other.
    fn are_of_one_text(&self, other: &Grams) -> bool {
        let shared = self.pairs.intersection(&other.pairs).count();
        shared as f64 >= SAME_TEXT * self.pairs.len().min(other.pairs.len()) as f64
    }
}

/// The chapters of some documents, and those documents that have none.
pub(super) fn candidates(documents: &[&Document]) -> Vec<PossibleClassic> {
    let is_classic = |kind| matches!(kind, LayerKind::Base | LayerKind::Undivided);
    let mut all = vec![];
    for (n, document) in documents.iter().enumerate() {
        let mut add = |number, title: &str, span| {
            let words = Grams::of(document, span, is_classic);
            all.push(PossibleClassic { document: n, number, title: title.to_string(), words });
        };
        let chapters = document.outline.iter().filter(|c| c.kind == ChapterKind::Chapter);
        if document.outline.is_empty() {
            add(None, &document.meta.title, document.source.span());
        } else {
            chapters.filter(|c| c.number.is_some()).for_each(|c| add(c.number, c.name(), c.span));
        }
    }
    all.retain(|c| !c.words.pairs.is_empty());
    all
}

/// The number, if it has one, of the only text that some candidates are; `None` if they are several
/// or none.
pub(super) fn only_text(candidates: &[PossibleClassic]) -> Option<Option<u32>> {
    // A chapter is a part of its book, and not the other way round.
    let first = candidates.iter().max_by_key(|c| c.words.pairs.len())?;
    let is_first = |c: &PossibleClassic| c.words.are_of_one_text(&first.words);
    candidates.iter().all(is_first).then_some(first.number)
}

/// Which of the candidates a translation renders. Each is weighed by the pairs of characters that
/// both have, the rare ones more (inverse document frequency), over the root of what a text of its
/// length has.
pub(super) fn rendered(translation: &Document, candidates: &[PossibleClassic]) -> RenderedText {
    let is_translated = |kind| kind == LayerKind::Translation;
    let own = Grams::of(translation, translation.source.span(), is_translated);
    let mut texts: FxHashMap<[char; 2], usize> = FxHashMap::default();
    for pair in candidates.iter().flat_map(|c| &c.words.pairs) {
        *texts.entry(*pair).or_default() += 1;
    }
    let rarity = |pair: &[char; 2]| (1.5 * candidates.len() as f64 / texts[pair] as f64).ln();
    let fit = |c: &PossibleClassic| {
        let shared: f64 = c.words.pairs.intersection(&own.pairs).map(&rarity).sum();
        shared / c.words.pairs.iter().map(&rarity).sum::<f64>().sqrt()
    };
    let mut ranked: Vec<(f64, usize)> = candidates.iter().map(fit).zip(0..).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some((best, first)) = ranked.first().copied() else { return RenderedText::Unknown };
    let words = |n: usize| &candidates[n].words;
    let shared = words(first).threes.intersection(&own.threes).count();
    if shared < MIN_SHARED + words(first).pairs.len() / PAIRS_PER_SHARED {
        return RenderedText::Unknown;
    }
    let is_same = |n: usize| n == first || words(n).are_of_one_text(words(first));
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
        let candidates = candidates(&[&a, &b, &c]);
        let mut translation = document(OF_RIVER, "plain");
        let of_translation = |s: &Segment| Segment { layer: Layer::Translation, ..s.clone() };
        translation.segments =
            translation.segments.iter().map(of_translation).collect::<Vec<_>>().into();
        assert_eq!(rendered(&translation, &candidates), RenderedText::These(vec![0, 2]));
        assert_eq!(rendered(&translation, &candidates[1..2]), RenderedText::Unknown);
    }

    #[test]
    fn a_book_and_one_of_its_chapters_are_one_text() {
        let whole = document(&format!("{RIVER}\n{TOWER}\n"), "plain");
        let [a, b] = [RIVER, TOWER].map(|words| document(words, "plain"));
        assert!(only_text(&candidates(&[&a, &whole, &b])).is_some());
        assert!(only_text(&candidates(&[&a, &b])).is_none());
    }
}
