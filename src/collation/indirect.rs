//! Indirect witnesses: readings that notes report (今文, 古文, an edition that a collator names), and
//! the words of the text as its sub-commentary quotes them. Each is a reading at a place of the
//! base, with a siglum of its own.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use super::Collation;
use crate::model::{
    ApparatusEntry, Certainty, Difference, Document, Link, LinkKind, Status, Target,
};
use crate::source::Span;
use crate::text::Key;

/// Longest difference between a quotation and the text that counts as a reading. Longer ones are
/// paraphrases.
const MAX_QUOTED_CHARS: usize = 4;
/// Least certainty of the place of a quotation.
const MIN_QUOTED_CERTAINTY: f64 = 0.5;

/// A reading that one of the witnesses reports.
#[derive(Clone, Debug, PartialEq)]
pub struct IndirectReading {
    /// Its siglum: 今文, 唐石經; 疏 for words that the sub-commentary quotes.
    pub siglum: String,
    /// The witnesses that report it, and where in their sources.
    pub reports: Vec<(usize, Span)>,
    /// The bytes of the base that it differs from.
    pub base: Range<usize>,
    /// The reading; empty if the words are missing.
    pub words: String,
    /// How it differs.
    pub difference: Difference,
    /// How sure it is that it is reported of these words.
    pub certainty: Certainty,
}

/// The indirect readings of all witnesses, by their places in the base.
pub fn of(collation: &Collation<'_>) -> Vec<IndirectReading> {
    let mut all = Vec::new();
    for (n, witness) in collation.witnesses.iter().enumerate() {
        let document = witness.document;
        let reported = document.apparatus.iter().filter_map(|e| reported(collation, n, e));
        let quoted = document.links.iter().filter_map(|l| quoted(collation, n, l));
        all.extend(reported.chain(quoted));
    }
    joined(all)
}

/// The readings by their places in the base, equal ones joined. The first report decides how sure
/// it is.
fn joined(all: Vec<IndirectReading>) -> Vec<IndirectReading> {
    let mut joined: BTreeMap<_, IndirectReading> = BTreeMap::new();
    for reading in all {
        let key = (
            (reading.base.start, reading.base.end),
            reading.siglum.clone(),
            reading.words.clone(),
            reading.difference,
        );
        match joined.entry(key) {
            Entry::Vacant(place) => _ = place.insert(reading),
            Entry::Occupied(mut place) => place.get_mut().reports.extend(reading.reports),
        }
    }
    joined.into_values().collect()
}

/// What an entry of the apparatus reports of the collated layers.
fn reported(
    collation: &Collation<'_>,
    witness: usize,
    entry: &ApparatusEntry,
) -> Option<IndirectReading> {
    let document = collation.witnesses[witness].document;
    let words = entry.reading.map(|s| shown(document, s)).unwrap_or_default();
    Some(IndirectReading {
        siglum: entry.witness.clone(),
        reports: vec![(witness, entry.span)],
        base: collation.in_base(witness, entry.lemma?)?,
        words,
        difference: entry.difference,
        certainty: entry.certainty,
    })
}

/// What a quotation has instead of words of the text.
fn quoted(collation: &Collation<'_>, witness: usize, link: &Link) -> Option<IndirectReading> {
    let document = collation.witnesses[witness].document;
    let Target { doc: None, span: target } = link.target.as_ref()? else { return None };
    let of_text = matches!(link.kind, LinkKind::Quotation | LinkKind::Lemma);
    if !of_text || link.status != Status::Variant || link.certainty.get() < MIN_QUOTED_CERTAINTY {
        return None;
    }
    let text = document.source.text();
    let (here, there) = (Key::of(text, link.quoted?), Key::of(text, *target));
    let (here, there) = (&here, &there);
    let first = here.chars.iter().zip(&there.chars).take_while(|(a, b)| a == b).count();
    let left = |key: &Key| key.chars[first..].to_vec();
    let (a, b) = (left(here), left(there));
    let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let own = first..here.len() - last;
    let other = first..there.len() - last;
    if own.len().max(other.len()) > MAX_QUOTED_CHARS || own.is_empty() && other.is_empty() {
        return None;
    }
    let (difference, place) = match (own.is_empty(), other.is_empty()) {
        (true, _) => (Difference::Lacks, there.span(other.start, other.end)),
        // What is added follows the character before it.
        (false, true) => (Difference::Adds, there.span(first.checked_sub(1)?, first)),
        (false, false) => (Difference::Other, there.span(other.start, other.end)),
    };
    let words = (!own.is_empty()).then(|| shown(document, here.span(own.start, own.end)));
    Some(IndirectReading {
        siglum: link.layer.zh().to_string(),
        reports: vec![(witness, link.span)],
        base: collation.in_base(witness, place)?,
        words: words.unwrap_or_default(),
        difference,
        certainty: link.certainty,
    })
}

/// Words as a reader sees them.
fn shown(document: &Document, span: Span) -> String {
    document.words(span).chars().filter(|c| !c.is_whitespace() && *c != '¶').collect()
}

impl Collation<'_> {
    /// The bytes of the base that correspond to words of a witness; none if they are not of the
    /// collated layers, or the base lacks them.
    pub fn in_base(&self, witness: usize, span: Span) -> Option<Range<usize>> {
        let own = &self.witnesses[witness];
        let chars = own.chars_of(span)?;
        let first = self.char_in_base(witness, chars.start)?;
        let last = self.char_in_base(witness, chars.end - 1)?;
        (first.start < last.end).then_some(first.start..last.end)
    }

    /// The bytes of the base that correspond to a character of a witness.
    fn char_in_base(&self, witness: usize, n: usize) -> Option<Range<usize>> {
        let (own, base) = (&self.witnesses[witness], &self.witnesses[self.base]);
        let at = own.bytes(n..n + 1);
        if witness == self.base {
            return Some(at);
        }
        let place = self.places.partition_point(|p| p.readings[witness].end <= at.start);
        let place = self.places.get(place)?;
        let (theirs, ours) = (&place.readings[self.base], &place.readings[witness]);
        let (theirs, ours) = (base.chars_in(theirs), own.chars_in(ours));
        match theirs.len() == ours.len() && !ours.is_empty() {
            true => {
                let there = theirs.start + n - ours.start;
                Some(base.bytes(there..there + 1))
            }
            false if theirs.is_empty() => None,
            false => Some(base.bytes(theirs)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collation::{CollatedLayers, CollatedWitness};
    use crate::model::{Layer, Status};

    fn reading(
        base: &Document,
        other: &Document,
        entry: ApparatusEntry,
    ) -> Option<(String, String, String)> {
        let mut other = other.clone();
        other.apparatus = vec![entry].into();
        let layers = CollatedLayers::of([Layer::Jing]);
        let witness = |d, siglum: &str| CollatedWitness::of(d, siglum.into(), &layers);
        let collation = Collation::of(vec![witness(base, "A"), witness(&other, "B")], 0);
        let found = of(&collation).pop()?;
        Some((found.siglum, collation.witnesses[0].words()[found.base].into(), found.words))
    }

    fn document(id: &str, pieces: &[(Layer, &str)]) -> Document {
        let mut document = Document::of_pieces(pieces);
        document.id = id.into();
        document
    }

    #[test]
    fn what_a_witness_reports_is_found_in_the_base() {
        let base =
            document("a", &[(Layer::Jing, "司射適堂西，命弟子設豐，弟子奉豐升，設于西楹之西")]);
        let text = "司射適堂西命弟子設豐弟子奉豐升設于西楹之西";
        let other = document("b", &[(Layer::Jing, text), (Layer::Zhu, "今文豐爲酆")]);
        let place = |words: &str| {
            let at = other.source.text().find(words).expect("it has the words");
            Span::new(at, at + words.len())
        };
        let entry = ApparatusEntry {
            span: place("今文豐爲酆"),
            witness: "今文".into(),
            difference: Difference::Other,
            named: None,
            reading: Some(place("酆")),
            support: vec![],
            lemma: Some(place("豐弟")),
            status: Status::Exact,
            certainty: Certainty::new(0.9),
            evidence: vec![].into(),
        };
        let found = reading(&base, &other, entry.clone());
        assert_eq!(found, Some(("今文".into(), "豐，弟".into(), "酆".into())));
        let of_note = ApparatusEntry { lemma: Some(place("今文")), ..entry };
        assert_eq!(reading(&base, &other, of_note), None, "notes are not collated");
    }
}
