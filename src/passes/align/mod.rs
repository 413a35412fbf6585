//! Aligns a classic with its modern translation, sentence by sentence and clause by clause.
//!
//! Deterministic, offline, trained on the pair itself. [`units`] cuts both sides; [`band`] limits
//! the search; [`lexicon`] learns which characters correspond; [`score`] scores a bead; [`dp`]
//! finds the path and its certainties; [`train`] repeats this; [`transposed`] finds sections in
//! another order; [`confirmed`] keeps to what a person decided; [`report`] lists what a person
//! should check. Either side may have more than the other: text without counterpart becomes beads
//! with an empty side.

mod band;
mod claims;
mod clauses;
mod confirmed;
mod cut;
mod dp;
mod isolated;
mod lexicon;
mod pair;
mod paragraphs;
mod report;
mod score;
mod step;
pub(super) mod support;
mod tabulated;
mod train;
mod transposed;
mod types;
mod units;
mod windows;
mod within;
mod words;

use crate::corpus::{Library, book_of};
use crate::diag::Diagnostic;
use crate::guard::guarded;
use crate::model::{Alignment, CORRECTION_LOST, Document, Role};

pub use crate::model::Grain;

use band::Band;
use cut::Clauses;
use lexicon::Prior;
use report::TextPair;
use train::{Start, Trained};

/// How to align.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What beads consist of.
    pub by: Grain,
    /// Whether to start from the embedded list of modern characters for old ones; without it, only
    /// from characters that stay the same.
    pub prior: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { by: Grain::Sentence, prior: true }
    }
}

/// An alignment and its diagnostics.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// The beads.
    pub alignment: Alignment,
    /// Diagnostics for the classic.
    pub source: Vec<Diagnostic>,
    /// Diagnostics for the translation.
    pub translation: Vec<Diagnostic>,
}

/// Aligns the base layers of `classic` with `translation`. Every sentence of both sides is in
/// exactly one bead.
pub fn align(classic: &Document, translation: &Document, options: &Options) -> Aligned {
    let (pair, trained, lost) = aligned_units(classic, translation, options);
    let (mut source, target) = report::report(&pair, &trained);
    source.extend(lost);
    if cut::is_unpunctuated(classic.source.text(), &units::base(classic)) {
        source.extend(cut::uncut(&pair.source));
    }
    let beads = match options.by {
        Grain::Sentence => trained.steps.iter().map(|s| report::bead(&pair, s, &trained)).collect(),
        Grain::Clause => clauses::split(&pair, trained, (classic, translation), options.prior),
    };
    let alignment = Alignment {
        source: classic.id.clone(),
        translation: translation.id.clone(),
        grain: options.by,
        beads,
    };
    Aligned { alignment, source, translation: target }
}

/// Cuts, aligns and trains. A classic without punctuation is first cut by its translation with the
/// prior, and again with the trained lexicon. What a person decided is part of it; decisions that
/// cannot be are reported.
fn aligned_units(
    classic: &Document,
    translation: &Document,
    options: &Options,
) -> (TextPair, Trained, Vec<Diagnostic>) {
    let start = |pair: &TextPair| Start {
        listed: options.prior,
        length: pair.expected_length(),
        whole: false,
    };
    let train = |pair: &TextPair| {
        let band = Band::plan(&pair.source, &pair.translation).through(pair.confirmed.points());
        let start = Start { whole: pair.is_whole(), ..start(pair) };
        train::train(&pair.left, &pair.right, band, start, &pair.confirmed)
    };
    let segments = units::base(classic);
    let mut pair = TextPair::new(units::classic(classic), units::translation(translation));
    if cut::is_unpunctuated(classic.source.text(), &segments) {
        let clauses = clauses_of(&pair, translation);
        let mut lexicon = Prior::new(&pair.left, &pair.right, options.prior).lexicon();
        for _ in 0..CUTTING_ROUNDS {
            let Some(units) = cut::cut(classic, &segments, &pair.left, &clauses, &lexicon) else {
                break;
            };
            pair = TextPair::new(units, pair.translation);
            lexicon = train(&pair).lexicon;
        }
    }
    if !confirmed::is_decided(classic, translation) {
        let texts = [classic, translation];
        let by_paragraphs = || paragraphs::train(&pair, texts, start(&pair));
        let trained = pair.is_foreign.then(by_paragraphs).flatten();
        let trained = trained.unwrap_or_else(|| train(&pair));
        return (pair, trained, vec![]);
    }
    let joined = confirmed::joined((pair.source, pair.translation), classic, translation);
    let pair = TextPair {
        confirmed: joined.confirmed,
        ..TextPair::new(joined.source, joined.translation)
    };
    let trained = train(&pair);
    (pair, trained, joined.lost)
}

/// How many times an unpunctuated classic is cut.
const CUTTING_ROUNDS: usize = 2;

fn clauses_of(pair: &TextPair, translation: &Document) -> Clauses {
    let (mut units, mut sentence) = (Vec::new(), Vec::new());
    for (k, whole) in pair.translation.iter().enumerate() {
        let parts = units::clauses(translation, &whole.spans);
        sentence.extend(std::iter::repeat_n(k, parts.len()));
        units.extend(parts);
    }
    Clauses { side: pair.right.part(&units), units, sentence }
}

/// The report of an alignment with the text `id` that failed.
fn failed(id: &str, why: &str) -> Diagnostic {
    let message = format!("the alignment with {id} failed: {why}");
    Diagnostic::warning("alignment-failed", None, message)
        .hint("this is a fault of zhushu; please report it")
}

/// Aligns a text with the translation that stands in it, if one does.
fn with_itself(document: &Document, options: &Options) -> Option<Aligned> {
    let rows = within::rows(document);
    if rows.is_empty() {
        return None;
    }
    let mut aligned = align(document, document, options);
    if rows.len() > 1 {
        let beads = std::mem::take(&mut aligned.alignment.beads);
        aligned.alignment.beads = within::by_rows(document, beads, &rows);
        // What is doubtful by the words is certain by the rows; a decision that is lost is so.
        let is_lost = |d: &Diagnostic| d.code == CORRECTION_LOST;
        aligned.source.retain(is_lost);
        aligned.translation.retain(is_lost);
    }
    Some(aligned)
}

/// Aligns every translation of a library with each document that it translates (`translates` in the
/// manifest), in the order of the library. Each diagnostic has the id of its document.
pub fn align_all(
    library: &Library,
    options: &Options,
) -> (Vec<Alignment>, Vec<(String, Diagnostic)>) {
    let (mut alignments, mut diagnostics) = (Vec::new(), Vec::new());
    for translation in library.documents.iter().filter(|d| d.meta.role == Role::Translation) {
        let first = alignments.len();
        for id in &translation.meta.translates {
            let Some(classic) = library.get(id) else {
                let message = format!("it translates {id}, but the corpus has no such text");
                diagnostics.push((
                    translation.id.clone(),
                    Diagnostic::warning("no-classic", None, message),
                ));
                continue;
            };
            let aligned = match guarded(|| align(classic, translation, options)) {
                Ok(aligned) => aligned,
                Err(why) => {
                    diagnostics.push((translation.id.clone(), failed(id, &why)));
                    continue;
                }
            };
            diagnostics.extend(aligned.source.into_iter().map(|d| (classic.id.clone(), d)));
            diagnostics
                .extend(aligned.translation.into_iter().map(|d| (translation.id.clone(), d)));
            alignments.push(aligned.alignment);
        }
        // Chapters of one file; other texts are copies of each other.
        let file = |a: &Alignment| Some(library.get(&a.source)?.source.path().to_path_buf());
        let book = |a: &Alignment| Some((book_of(&a.source)?.to_string(), file(a)?));
        for of_book in
            alignments[first..].chunk_by_mut(|a, b| book(a).is_some() && book(a) == book(b))
        {
            let said = claims::settle(of_book);
            diagnostics.extend(said.map(|said| (translation.id.clone(), said)));
        }
    }
    for document in &library.documents {
        match guarded(|| with_itself(document, options)) {
            Ok(None) => {}
            Ok(Some(aligned)) => {
                let own = aligned.source.into_iter().chain(aligned.translation);
                diagnostics.extend(own.map(|d| (document.id.clone(), d)));
                alignments.push(aligned.alignment);
            }
            Err(why) => diagnostics.push((document.id.clone(), failed(&document.id, &why))),
        }
    }
    let of = |d: &Document| d.source.path().to_path_buf();
    let is_one_file = library.documents.windows(2).all(|d| of(&d[0]) == of(&d[1]));
    let is_paired = |d: &Document| alignments.iter().any(|a| a.source == d.id);
    for document in &library.documents {
        // The translation of a file that is read alone may be in another.
        if !is_one_file || is_paired(document) {
            let lost = confirmed::without_translation(document, library);
            diagnostics.extend(lost.into_iter().map(|d| (document.id.clone(), d)));
        }
    }
    (alignments, diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;
    use crate::source::Span;

    fn beads(pieces: &[(Layer, &str)]) -> Vec<[String; 2]> {
        let document = Document::of_pieces(pieces);
        let words = |spans: &[Span]| spans.iter().map(|s| document.slice(*s)).collect::<String>();
        let aligned = with_itself(&document, &Options::default());
        let beads = aligned.into_iter().flat_map(|a| a.alignment.beads);
        beads.map(|b| [words(&b.source), words(&b.translation)]).collect()
    }

    #[test]
    fn what_stands_in_a_row_corresponds() {
        let rows = [
            (Layer::Jing, "學而時習之。"),
            (Layer::Zhu, "馬曰：時者，學者以時誦習之。"),
            (Layer::Translation, "毫不相干的一句話。"),
            (Layer::Jing, "有朋自遠方來。"),
            (Layer::Translation, "有朋友從遠方來。"),
        ];
        let own = [["學而時習之。", "毫不相干的一句話。"], ["有朋自遠方來。", "有朋友從遠方來。"]];
        assert_eq!(beads(&rows), own);
        let mut other = rows;
        other.swap(0, 2);
        other.swap(3, 4);
        assert_eq!(beads(&other), own);
        assert!(beads(&rows[..2]).is_empty());
        // A preface that nobody translated is no classic of the first translation, nor is a heading
        // one of a translation.
        let more = [
            (Layer::Jing, "序言某某。"),
            (Layer::Translation, "學習並且時常溫習。"),
            (Layer::Jing, "學而時習之。"),
            (Layer::Heading, "為政"),
            (Layer::Translation, "有朋友從遠方來。"),
            (Layer::Jing, "有朋自遠方來。"),
        ];
        let paired: Vec<_> = beads(&more).into_iter().filter(|b| !b[1].is_empty()).collect();
        let own = [["學而時習之。", "學習並且時常溫習。"], ["有朋自遠方來。", "有朋友從遠方來。"]];
        assert_eq!(paired, own);
    }
}
