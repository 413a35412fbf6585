//! Punctuation for a text without any, from punctuated copies of the same chapter, or as a network
//! expects it.
//!
//! Copies are collated layer by layer. Between two characters that follow each other in both, the
//! text gets the marks of the copy; where the words differ, it gets none.

use std::collections::HashSet;

use super::punctuation::full_width;
use crate::corpus::Library;
use crate::corpus::fields::{TomlText, wrong};
use crate::diag::Error;
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Layer, MarkSource, Reading, ReadingKind,
    SuppliedMark,
};
use crate::network::Gaps;
use crate::source::{Source, Span};
use crate::text::Key;
use crate::text::class::{is_punctuation, opens};
use crate::text::collate::Base;

/// Text without a mark among so many characters on both sides has no punctuation.
const BARE_CHARS: usize = 20;
/// A layer with at least so many has.
const PUNCTUATED: f64 = 0.08;
/// Certainty of a mark where the words agree, by the figures of the scoreboard.
const CERTAINTY: f64 = 0.95;
/// Probability of a mark from which one is written: there as many are written that a print does not
/// have as are missing (lab/network/marks.py).
const LEAST_PAUSE: f32 = 0.4;
/// No inferred mark is more certain.
const MOST_INFERRED: f64 = 0.99;

/// The punctuation that the source of a document does not have, in order: none, that of copies in
/// the library, or also what the network expects.
pub(crate) fn marks_for(
    document: &Document,
    library: &Library,
    from: MarkSource,
) -> Vec<SuppliedMark> {
    let mut found = match from {
        MarkSource::None => return vec![],
        MarkSource::Copies => FoundMarks::of(document, library),
        MarkSource::Network => FoundMarks::of(document, library).and_inferred(document),
    };
    // What belongs to the character before a place comes before what belongs to the one after it.
    found.marks.sort_by_key(|mark| (mark.at, mark.opens()));
    found.marks
}

/// What a manifest may say of punctuation.
const IN_MANIFESTS: &[(&str, MarkSource)] = &[
    ("source", MarkSource::None),
    ("supplied", MarkSource::Copies),
    ("inferred", MarkSource::Network),
];

/// Where marks come from by the words of a manifest.
///
/// # Errors
/// When these are not known.
pub(in crate::corpus) fn mark_source(
    source: &Source,
    text: &TomlText,
) -> Result<MarkSource, Error> {
    let known = IN_MANIFESTS.iter().find(|(name, _)| *name == text.value);
    known.map(|(_, from)| *from).ok_or_else(|| {
        let names: Vec<_> = IN_MANIFESTS.iter().map(|(name, _)| *name).collect();
        let message = format!("“{}” is no kind of punctuation", text.value);
        let error = wrong(source, text.span, message);
        error.hint(format!("there are: {}", names.join(", ")))
    })
}

/// Marks that go into a new text, made from a source that does not have them.
#[derive(Debug, Default)]
pub struct Supplied {
    marks: Vec<SuppliedMark>,
    /// Where they are in the new text, as readings: the source has nothing there.
    pub readings: Vec<Reading>,
}

impl Supplied {
    /// These marks, which are in order.
    pub fn new(marks: Vec<SuppliedMark>) -> Self {
        Supplied { marks, readings: vec![] }
    }

    /// True if nothing is supplied.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Some characters of the source as they go into the new text at byte `new`, with their marks.
    pub fn with_marks(&mut self, old: Span, words: &str, new: usize) -> Option<String> {
        let is_before = |mark: &SuppliedMark| mark.opens() && mark.at == old.start();
        let (before, after): (Vec<_>, Vec<_>) =
            SuppliedMark::within(&self.marks, old).partition(|mark| is_before(mark));
        let mut made = String::new();
        let mut put = |marks: Vec<&SuppliedMark>, made: &mut String| {
            for mark in marks {
                let from = new + made.len();
                made.push_str(&mark.words);
                self.readings.push(Reading {
                    span: Span::new(from, new + made.len()),
                    reading: "".into(),
                    kind: ReadingKind::Source,
                    certainty: mark.certainty,
                    evidence: [mark.evidence.clone()].into(),
                });
            }
        };
        if before.is_empty() && after.is_empty() {
            return None;
        }
        put(before, &mut made);
        made.push_str(words);
        put(after, &mut made);
        Some(made)
    }
}

/// The marks that were found for a text.
#[derive(Debug, Default)]
struct FoundMarks {
    marks: Vec<SuppliedMark>,
    /// The characters after which a copy has the same words, whether it has marks there or not.
    answered: HashSet<usize>,
}

impl FoundMarks {
    /// For a document of a library, from the others.
    fn of(document: &Document, library: &Library) -> Self {
        let mut supplied = FoundMarks::default();
        let meta = &document.meta;
        let (Some(work), Some(chapter)) = (&meta.work, &meta.chapter) else { return supplied };
        let same = |d: &Document| {
            d.id != document.id
                && d.meta.work.as_ref() == Some(work)
                && d.meta.chapter.as_ref() == Some(chapter)
        };
        let copies: Vec<&Document> = library.all().map(|d| &**d).filter(|d| same(d)).collect();
        let layers: HashSet<Layer> = document.segments.iter().map(|s| s.layer).collect();
        for layer in layers.into_iter().filter(|l| l.is_text()) {
            supplied.layer(&Punctuated::of(document, layer), &copies, layer);
        }
        supplied
    }

    /// The same, and marks as the network expects them where there are none.
    fn and_inferred(mut self, document: &Document) -> Self {
        let layers: HashSet<Layer> = document.segments.iter().map(|s| s.layer).collect();
        for layer in layers.into_iter().filter(|l| l.is_text()) {
            self.inferred(&Punctuated::of(document, layer));
        }
        self
    }

    fn inferred(&mut self, own: &Punctuated<'_>) {
        let bare: Vec<bool> = (0..own.key.len()).map(|n| own.is_bare(n)).collect();
        if !bare.contains(&true) {
            return;
        }
        let document = own.document;
        let segment = |n: usize| document.segment_at(own.key.at[n] as usize);
        let ends_line = |n: usize| n > 0 && segment(n - 1) != segment(n);
        let Gaps(gaps) = Gaps::of_marks(document.source.text(), &own.key, ends_line);
        for n in (0..own.key.len()).filter(|n| bare[*n]) {
            let at = own.key.at[n] as usize;
            if self.answered.contains(&at) {
                continue;
            }
            let Some(gap) = gaps.get(n + 1).filter(|gap| gap.pause() >= LEAST_PAUSE) else {
                continue;
            };
            if own.after(n).is_empty() {
                let (mark, certainty) = gap.mark();
                let certainty = Certainty::new(f64::from(certainty).min(MOST_INFERRED));
                let evidence = Evidence::of(EvidenceKind::Network);
                let (at, words) = (own.key.end(n), String::from(mark).into());
                self.marks.push(SuppliedMark { at, words, certainty, evidence });
            }
        }
    }

    fn layer(&mut self, own: &Punctuated<'_>, copies: &[&Document], layer: Layer) {
        if !(0..own.key.len()).any(|n| own.is_bare(n)) {
            return;
        }
        let base = Base::new(&own.key.chars);
        let copies = copies.iter().map(|d| Punctuated::of(d, layer));
        let mut matched: Vec<_> = copies
            .filter(|copy| copy.share() >= PUNCTUATED)
            .map(|copy| (base.against(&copy.key.chars), copy))
            .collect();
        // The copy with most of the words is asked first.
        let words = |chains: &[crate::text::collate::Chain]| -> usize {
            chains.iter().map(|c| c.matched()).sum()
        };
        matched.sort_by_key(|(chains, copy)| {
            (std::cmp::Reverse(words(chains)), copy.document.id.clone())
        });
        let mut asked = HashSet::new();
        for (chains, copy) in &matched {
            for run in chains.iter().flat_map(|c| &c.runs) {
                // The place after each character of the run but the last.
                for n in 0..run.len - 1 {
                    if own.is_bare(run.a + n) && asked.insert(run.a + n) {
                        self.answered.insert(own.key.at[run.a + n] as usize);
                        self.between(own, run.a + n, copy, run.b + n);
                    }
                }
                let ends = [(run.a_end(), own), (run.b_end(), copy)];
                if ends.iter().all(|(end, text)| *end == text.key.len())
                    && own.is_bare(run.a_end() - 1)
                    && asked.insert(run.a_end() - 1)
                {
                    let after = copy.after(run.b_end() - 1);
                    self.add(own.key.end(run.a_end() - 1), copy, after);
                }
            }
        }
    }

    /// The marks of a copy between its characters `b` and `b + 1`, for the place after `a`.
    fn between(&mut self, own: &Punctuated<'_>, a: usize, copy: &Punctuated<'_>, b: usize) {
        let (after, before) = (copy.after(b), copy.before(b + 1));
        if !after.is_empty() && own.after(a).is_empty() {
            self.add(own.key.end(a), copy, after);
        }
        if !before.is_empty() && own.before(a + 1).is_empty() {
            self.add(own.key.at[a + 1] as usize, copy, before);
        }
    }

    /// Adds what a copy has before byte `at` of the text.
    fn add(&mut self, at: usize, copy: &Punctuated<'_>, words: String) {
        if !words.is_empty() {
            let witness = format!("{} has it", copy.document.id);
            let evidence = Evidence::new(EvidenceKind::Witness, witness);
            let certainty = Certainty::new(CERTAINTY);
            self.marks.push(SuppliedMark { at, words: words.into(), certainty, evidence });
        }
    }
}

/// A layer of a document and its punctuation.
struct Punctuated<'a> {
    document: &'a Document,
    key: Key,
    marks: usize,
    /// How many of the characters before each have marks after them.
    marked: Vec<u32>,
}

impl<'a> Punctuated<'a> {
    fn of(document: &'a Document, layer: Layer) -> Self {
        let spans: Vec<Span> =
            document.segments.iter().filter(|s| s.layer == layer).map(|s| s.span).collect();
        let marks =
            |span: &Span| document.slice(*span).chars().filter(|c| is_punctuation(*c)).count();
        let marks = spans.iter().map(marks).sum();
        let key = Key::of_spans(document.source.text(), spans);
        let mut text = Punctuated { document, key, marks, marked: vec![0] };
        for n in 0..text.key.len() {
            let has = !text.after(n).is_empty();
            text.marked.push(text.marked[n] + u32::from(has));
        }
        text
    }

    /// True if there is no punctuation around character `n`.
    fn is_bare(&self, n: usize) -> bool {
        let (from, to) = (n.saturating_sub(BARE_CHARS), (n + BARE_CHARS).min(self.key.len()));
        self.marked[from] == self.marked[to]
    }

    fn share(&self) -> f64 {
        self.marks as f64 / self.key.len().max(1) as f64
    }

    /// The marks that belong to character `n`, after it, in full width.
    fn after(&self, n: usize) -> String {
        let rest = &self.document.source.text()[self.key.end(n)..];
        let marks = rest.chars().take_while(|c| is_punctuation(*c) && !opens(*c));
        marks.map(|c| full_width(c, self.key.chars[n])).collect()
    }

    /// The marks that belong to character `n`, before it.
    fn before(&self, n: usize) -> String {
        let text = &self.document.source.text()[..self.key.at[n] as usize];
        let marks = text.chars().rev().take_while(|c| is_punctuation(*c) && opens(*c));
        let mut marks: Vec<char> = marks.collect();
        marks.reverse();
        marks.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{LayerChoice, Punctuation};

    const PUNCTUATED: &str = "燕禮。小臣戒與者：“膳宰具官饌于寢東。”樂人縣，設洗篚于阼階東南，當東霤。罍水在東，篚在洗西，南肆。設膳篚在其北，西面。司宮尊于東楹之西，兩方壺。";
    /// The same words, with some others in the middle.
    const BARE: &str = "燕禮小臣戒與者膳宰具官饌于寢東樂人縣設洗篚于阼階東南甲乙丙丁罍水在東篚在洗西南肆設膳篚在其北西面\n司宮尊于東楹之西兩方壺";

    fn chapter(id: &str, text: &str) -> Arc<Document> {
        let mut document = Document::of_pieces(&[(Layer::Jing, text)]);
        document.id = id.into();
        document.meta.work = Some("儀禮".into());
        document.meta.chapter = Some("燕禮".into());
        Arc::new(document)
    }

    #[test]
    fn marks_are_supplied_where_the_words_agree() {
        let documents = vec![chapter("bare", BARE), chapter("punctuated", PUNCTUATED)];
        let library = Library { documents, ..Library::default() };
        let choice = LayerChoice { punctuation: Punctuation::Supplied, ..LayerChoice::default() };
        let supplied = choice.of(&library);
        let new = supplied.get("bare").unwrap();
        new.check().unwrap();
        assert_eq!(
            new.source.text(),
            "燕禮。小臣戒與者：“膳宰具官饌于寢東。”樂人縣，設洗篚于阼階東南甲乙丙丁罍水在東，篚在洗西，南肆。設膳篚在其北，西面。\n司宮尊于東楹之西，兩方壺。"
        );
        let mut back = new.source.text().to_string();
        for r in new.readings.iter().rev() {
            back.replace_range(r.span.range(), &r.reading);
        }
        assert_eq!(back, BARE);
        // A text that has punctuation keeps its own.
        assert_eq!(supplied.get("punctuated").unwrap().source.text(), PUNCTUATED);
    }

    #[test]
    fn a_part_without_punctuation_gets_some_and_the_rest_keeps_its_own() {
        let mixed = format!("{}{BARE}", "甲乙,丙丁。".repeat(9));
        let documents = vec![chapter("mixed", &mixed), chapter("punctuated", PUNCTUATED)];
        let library = Library { documents, ..Library::default() };
        let choice = LayerChoice { punctuation: Punctuation::Supplied, ..LayerChoice::default() };
        let new = choice.of(&library);
        let new = new.get("mixed").unwrap().source.text();
        assert!(
            new.starts_with("甲乙,丙丁。甲乙,")
                && new.ends_with("設膳篚在其北，西面。\n司宮尊于東楹之西，兩方壺。")
        );
    }

    #[test]
    fn where_no_copy_has_marks_they_are_inferred_and_can_be_taken_out() {
        let document = Document::of_pieces(&[
            (Layer::Jing, "孟子見梁惠王王曰叟不遠千里而來亦將有以利吾國乎"),
            (Layer::Zhu, "叟長老之稱也"),
            (Layer::Jing, "孟子對曰王何必曰利亦有仁義而已矣"),
        ]);
        let library = Library { documents: vec![Arc::new(document)], ..Library::default() };
        let inferred = |punctuation| {
            let choice = LayerChoice { punctuation, ..LayerChoice::default() };
            choice.of(&library).documents[0].clone()
        };
        let new = inferred(Punctuation::Inferred);
        new.check().unwrap();
        let text = new.source.text();
        assert!(text.contains("孟子對曰："), "{text}");
        let network = |r: &Reading| {
            r.kind == ReadingKind::Source
                && r.certainty < Certainty::SURE
                && r.evidence.iter().all(|e| e.code() == EvidenceKind::Network.code())
        };
        assert!(new.readings.len() > 5 && new.readings.iter().all(network));
        let mut back = text.to_string();
        for r in new.readings.iter().rev() {
            back.replace_range(r.span.range(), &r.reading);
        }
        assert_eq!(back, library.documents[0].source.text());
        assert!(inferred(Punctuation::Supplied).readings.is_empty());
    }

    #[test]
    fn another_chapter_supplies_nothing() {
        let mut other = chapter("punctuated", PUNCTUATED);
        Arc::make_mut(&mut other).meta.chapter = Some("大射".into());
        let library =
            Library { documents: vec![chapter("bare", BARE), other], ..Library::default() };
        let of = |document| marks_for(document, &library, MarkSource::Network);
        let is_copied = |m: &SuppliedMark| m.evidence.kind == EvidenceKind::Witness;
        assert!(!of(&library.documents[0]).iter().any(is_copied));
    }
}
