//! One text from several witnesses: all of the base, and from each other witness the stretches of
//! the classic that all before it lack, with their notes.
//!
//! Only lacunae are filled ([`MIN_LACUNA_CHARS`]). Where the witnesses differ in words, the base
//! decides, and the collation shows the rest.

use std::ops::Range;
use std::sync::Arc;

use super::pair::{MIN_LACUNA_CHARS, PairAlignment};
use super::{CollatedLayers, CollatedWitness, DifferenceClass};
use crate::model::{Document, Evidence, EvidenceKind, Layer, Segment};
use crate::source::{Source, Span};
use crate::text::collate::Base;

/// What a witness gave to a merged text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedStretch {
    /// The witness.
    pub witness: String,
    /// Bytes of its text.
    pub span: Span,
}

/// The text of a merged document so far, its segments with their own ranges of bytes.
struct Merged {
    document: Document,
    stretches: Vec<MergedStretch>,
}

/// A document with the text of `base` and what the others have beyond it, the longest first. Its
/// segments say which witness they are from if it is not the base.
pub fn merged(base: &Document, others: &[&Document]) -> (Document, Vec<MergedStretch>) {
    let mut others: Vec<CollatedWitness<'_>> = others.iter().map(|d| classic(d)).collect();
    others.sort_by_key(|w| (std::cmp::Reverse(w.chars().len()), w.document.id.clone()));
    let mut merged = Merged { document: plain(base), stretches: vec![] };
    for other in others {
        merged.add(&other);
    }
    merged.document.number();
    (merged.document, merged.stretches)
}

fn classic(document: &Document) -> CollatedWitness<'_> {
    CollatedWitness::of(document, document.id.clone(), &CollatedLayers::of([Layer::Jing]))
}

/// The layers of a document, without what was inferred from them.
fn plain(base: &Document) -> Document {
    let mut document = Document::new(Arc::clone(&base.source), base.reader.clone());
    document.id.clone_from(&base.id);
    document.meta = base.meta.clone();
    document.segments.clone_from(&base.segments);
    document
}

impl Merged {
    /// Adds what a witness has beyond the text so far.
    fn add(&mut self, other: &CollatedWitness<'_>) {
        let insertions = {
            let own = classic(&self.document);
            let alignment = PairAlignment::of(&Base::new(own.chars()), other.chars());
            insertions(&own, other, &alignment)
        };
        if insertions.is_empty() {
            return;
        }
        let (old, at_start) = (self.document.clone(), insertions[0].0 == first(&self.document));
        let mut composed = Composed::default();
        let mut at = 0;
        for (place, span) in insertions {
            composed.push(&old, Span::new(at, place), None);
            composed.push(other.document, span, Some(&other.document.id));
            self.stretches.push(MergedStretch { witness: other.document.id.clone(), span });
            at = place;
        }
        composed.push(&old, Span::new(at, old.source.text().len()), None);
        self.document.source = Arc::new(Source::from_text(old.source.path(), composed.text));
        self.document.segments = composed.segments;
        if at_start {
            self.document.meta.first_section = other.document.meta.first_section;
        }
    }
}

/// The byte of the first character of the classic.
fn first(document: &Document) -> usize {
    let witness = classic(document);
    witness.chars().first().map_or(0, |_| witness.source_at(0))
}

/// Bytes of the text so far, and the stretch of the other witness that belongs there.
fn insertions(
    own: &CollatedWitness<'_>,
    other: &CollatedWitness<'_>,
    alignment: &PairAlignment,
) -> Vec<(usize, Span)> {
    let lacks = |c: &Range<usize>, class: Option<DifferenceClass>| {
        c.len() >= MIN_LACUNA_CHARS && class != Some(DifferenceClass::Transposition)
    };
    let of_cells = alignment.cells.iter().filter(|c| c.base.is_empty() && lacks(&c.own, c.class));
    of_cells
        .map(|c| {
            let end = match c.own.end < other.chars().len() {
                true => other.source_at(c.own.end),
                false => other.document.source.text().len(),
            };
            let place = match c.base.start < own.chars().len() {
                true => own.source_at(c.base.start),
                false => own.document.source.text().len(),
            };
            (place, Span::new(other.source_at(c.own.start), end))
        })
        .collect()
}

/// A text of pieces of others.
#[derive(Default)]
struct Composed {
    text: String,
    segments: Vec<Segment>,
}

impl Composed {
    /// Adds the part of a document within a span. What is from a witness says so, and begins and
    /// ends a line.
    fn push(&mut self, document: &Document, span: Span, witness: Option<&str>) {
        if span.is_empty() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') && witness.is_some() {
            self.end_line();
        }
        let within = |s: &&Segment| s.span.start() < span.end() && s.span.end() > span.start();
        for s in document.segments.iter().filter(within) {
            let part = Span::new(s.span.start().max(span.start()), s.span.end().min(span.end()));
            let start = self.text.len();
            self.text.push_str(document.slice(part));
            let mut segment = Segment { span: Span::new(start, self.text.len()), ..s.clone() };
            if let Some(id) = witness {
                let from = format!("this part is from {id}");
                segment.evidence.push(Evidence::new(EvidenceKind::Witness, from));
            }
            self.segments.push(segment);
        }
        if witness.is_some() && !self.text.ends_with('\n') {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let start = self.text.len();
        self.text.push('\n');
        self.segments.push(Segment::marked(Layer::Blank, Span::new(start, start + 1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences of a text in which nothing recurs.
    fn words(numbers: Range<u32>) -> String {
        numbers.map(|n| char::from_u32(0x4E00 + n * 7).unwrap()).collect()
    }

    fn document(id: &str, pieces: &[(Layer, &str)]) -> Document {
        let mut document = Document::of_pieces(pieces);
        document.id = id.into();
        document
    }

    fn of_layer(document: &Document, layer: Layer) -> String {
        document.of_layer(layer).map(|s| document.slice(s.span)).collect()
    }

    #[test]
    fn lacunae_are_filled_and_the_base_decides_elsewhere() {
        let (a, b, c, d) = (words(0..80), words(80..160), words(160..240), words(240..320));
        let other_b = b.replacen(&words(100..102), "甲乙", 1);
        let base =
            document("base", &[(Layer::Jing, &b), (Layer::Zhu, "注乙。"), (Layer::Jing, &d)]);
        let other = document(
            "other",
            &[
                (Layer::Jing, &a),
                (Layer::Zhu, "注甲。"),
                (Layer::Jing, &other_b),
                (Layer::Jing, &c),
                (Layer::Zhu, "注丙。"),
                (Layer::Jing, &d),
            ],
        );
        let (merged, stretches) = merged(&base, &[&other]);
        merged.check().unwrap();
        assert_eq!(of_layer(&merged, Layer::Jing), [&*a, &b, &c, &d].concat());
        assert_eq!(of_layer(&merged, Layer::Zhu), "注甲。注乙。注丙。");
        assert_eq!(stretches.len(), 2);
        let from_other = |s: &&Segment| s.evidence.iter().any(|e| e.kind == EvidenceKind::Witness);
        let theirs = merged.segments.iter().filter(from_other).map(|s| merged.slice(s.span));
        assert_eq!(theirs.collect::<String>(), [&*a, "注甲。", &c, "注丙。"].concat());
    }

    #[test]
    fn a_witness_that_has_no_more_changes_nothing() {
        let (a, b) = (words(0..80), words(80..160));
        let base = document("base", &[(Layer::Jing, &a), (Layer::Jing, &b)]);
        let (merged, stretches) = merged(&base, &[&document("part", &[(Layer::Jing, &b)])]);
        assert_eq!(merged.source.text(), base.source.text());
        assert!(stretches.is_empty());
    }
}
