//! One text from several witnesses: all of the base, and from each other witness the stretches of
//! the classic that all before it lack, with their notes.
//!
//! Only lacunae are filled ([`MIN_LACUNA_CHARS`]). Where the witnesses differ in words, the base
//! decides, and the collation shows the rest. A witness that shares hardly anything with the text
//! so far is another part of the chapter: it goes before or after it, if the caller knows which.

use std::cmp::Ordering;
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
    /// Characters of its text, with its notes.
    pub chars: usize,
    /// True for notes alone: the words of the classic are in the text without it.
    pub notes: bool,
}

/// A text that witnesses were merged into.
pub struct MergedText {
    /// The text. Segments that are not from the base say where they are from.
    pub document: Document,
    /// What was added to the base.
    pub stretches: Vec<MergedStretch>,
    /// The witnesses whose place is not known.
    pub left_out: Vec<String>,
}

/// A witness that shares less than this part of the shorter text with it is another part of the
/// chapter.
const MIN_SHARED: f64 = 0.1;

/// The text of `base` and what the others have beyond it, the longest first. `order` says whether a
/// witness is before or after the base in the chapter, if that is known.
pub fn merged(
    base: &Document,
    others: &[&Document],
    order: impl Fn(&Document) -> Option<Ordering>,
) -> MergedText {
    of(base, others, order, false)
}

/// The same, with the notes that others have on words of the text, after these words.
pub fn merged_with_notes(
    base: &Document,
    others: &[&Document],
    order: impl Fn(&Document) -> Option<Ordering>,
) -> MergedText {
    of(base, others, order, true)
}

fn of(
    base: &Document,
    others: &[&Document],
    order: impl Fn(&Document) -> Option<Ordering>,
    notes: bool,
) -> MergedText {
    let mut others: Vec<CollatedWitness<'_>> = others.iter().map(|d| classic(d)).collect();
    others.sort_by_key(|w| (std::cmp::Reverse(w.chars().len()), w.document.id.clone()));
    let mut merged = MergedText { document: plain(base), stretches: vec![], left_out: vec![] };
    for other in others.iter().filter(|w| !w.chars().is_empty()) {
        merged.add(other, &order);
    }
    for other in others.iter().filter(|w| notes && !w.chars().is_empty()) {
        if !merged.left_out.contains(&other.document.id) {
            merged.add_notes(other);
        }
    }
    merged.document.number();
    merged
}

/// Where a text is in another one that has its words too: its middle, in characters. Two parts of a
/// chapter that share nothing have an order in a text that has both.
pub fn place_in(whole: &Document, part: &Document) -> Option<usize> {
    let (whole, part) = (classic(whole), classic(part));
    if whole.chars().is_empty() || part.chars().is_empty() {
        return None;
    }
    let alignment = PairAlignment::of(&Base::new(whole.chars()), part.chars());
    let equal: Vec<usize> =
        alignment.cells.iter().filter(|c| c.class.is_none()).map(|c| c.base.start).collect();
    let shares = equal.len() as f64 >= MIN_SHARED * part.chars().len() as f64;
    equal.get(equal.len() / 2).copied().filter(|_| shares)
}

pub(super) fn classic(document: &Document) -> CollatedWitness<'_> {
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

impl MergedText {
    /// Adds what a witness has beyond the text so far.
    fn add(&mut self, other: &CollatedWitness<'_>, order: impl Fn(&Document) -> Option<Ordering>) {
        let Some(insertions) = self.insertions(other, order) else {
            self.left_out.push(other.document.id.clone());
            return;
        };
        let Some((place, _)) = insertions.first() else { return };
        let (old, at_start) = (self.document.clone(), *place == first(&self.document));
        let mut composed = Composed::default();
        let mut at = 0;
        for (place, span) in insertions {
            composed.push(&old, Span::new(at, place), None);
            composed.push(other.document, span, Some(&other.document.id));
            let chars = other.document.slice(span).chars().count();
            self.stretches.push(MergedStretch {
                witness: other.document.id.clone(),
                chars,
                notes: false,
            });
            at = place;
        }
        composed.push(&old, Span::new(at, old.source.text().len()), None);
        self.document.source = Arc::new(Source::from_text(old.source.path(), composed.text));
        self.document.segments = composed.segments.into();
        if at_start {
            self.document.meta.first_section = other.document.meta.first_section;
        }
    }
}

impl MergedText {
    /// Where something of a witness belongs; none if that is not known.
    fn insertions(
        &self,
        other: &CollatedWitness<'_>,
        order: impl Fn(&Document) -> Option<Ordering>,
    ) -> Option<Vec<(usize, Span)>> {
        let own = classic(&self.document);
        let alignment = PairAlignment::of(&Base::new(own.chars()), other.chars());
        let shorter = own.chars().len().min(other.chars().len());
        if alignment.matched() as f64 >= MIN_SHARED * shorter as f64 {
            return Some(insertions(&own, other, &alignment));
        }
        let place = match order(other.document)? {
            Ordering::Less => first(&self.document),
            Ordering::Greater => self.document.source.text().len(),
            Ordering::Equal => return None,
        };
        Some(vec![(place, Span::new(other.source_at(0), other.document.source.text().len()))])
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
pub(super) struct Composed {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
}

impl Composed {
    /// Adds the part of a document within a span. What is from a witness says so, and begins and
    /// ends a line.
    pub(super) fn push(&mut self, document: &Document, span: Span, witness: Option<&str>) {
        if span.is_empty() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') && witness.is_some() {
            self.end_line();
        }
        self.push_part(document, span, witness);
        if witness.is_some() && !self.text.ends_with('\n') {
            self.end_line();
        }
    }

    /// The same, from a witness, within the line.
    pub(super) fn push_within_line(&mut self, document: &Document, span: Span, witness: &str) {
        self.push_part(document, span, Some(witness));
    }

    fn push_part(&mut self, document: &Document, span: Span, witness: Option<&str>) {
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
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
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
        let MergedText { document: merged, stretches, left_out } =
            merged(&base, &[&other], |_| None);
        merged.check().unwrap();
        assert!(left_out.is_empty());
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
        let part = document("part", &[(Layer::Jing, &b)]);
        let merged = merged(&base, &[&part], |_| None);
        assert_eq!(merged.document.source.text(), base.source.text());
        assert!(merged.stretches.is_empty());
    }

    #[test]
    fn another_part_of_the_chapter_goes_where_it_is_known_to_be() {
        let (a, b) = (words(0..80), words(80..160));
        let base = document("base", &[(Layer::Jing, &a), (Layer::Zhu, "注甲。")]);
        let part = document("part", &[(Layer::Jing, &b)]);
        let after = merged(&base, &[&part], |_| Some(Ordering::Greater)).document;
        assert_eq!(after.source.text(), [&*a, "注甲。\n", &b, "\n"].concat());
        let before = merged(&base, &[&part], |_| Some(Ordering::Less)).document;
        assert_eq!(before.source.text(), [&*b, "\n", &a, "注甲。"].concat());
        assert_eq!(merged(&base, &[&part], |_| None).left_out, ["part"]);
        let whole = document("whole", &[(Layer::Jing, &[&*a, &b].concat())]);
        assert!(place_in(&whole, &base) < place_in(&whole, &part));
        assert_eq!(place_in(&part, &base), None);
    }
}
