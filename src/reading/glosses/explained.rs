//! What a note is about: the classic before it, and for sounds and sub-commentaries the notes too.

use std::ops::Range;

use super::GlossPlace;
use super::formulas::FORMULAS;
use super::row::GlossRow;
use crate::model::{Layer, LayerKind};
use crate::text::find::find_within;

/// The text that a note explains, as characters of the row.
pub(super) struct Explained<'a> {
    chars: &'a [char],
    /// The words that it is about, the nearest first: the classic, then notes.
    lemma: Vec<Range<usize>>,
    /// Text before them.
    before: Vec<Range<usize>>,
    /// Notes that a sub-commentary may repeat.
    notes: Vec<Range<usize>>,
}

impl<'a> Explained<'a> {
    pub(super) fn of(row: &'a GlossRow, note: usize) -> Self {
        let layer = row.note(note).layer;
        let is_shu = layer.kind() == LayerKind::Commentary;
        // A sound is also that of a word of a note, and a 疏 explains notes.
        let of_notes = is_shu || layer == Layer::Yin;
        // Those of notes that a 疏 repeats come after the classic.
        let (mut lemma, mut lemma_notes) = (vec![], vec![]);
        let (mut before, mut before_notes) = (vec![], vec![]);
        let (mut is_near, mut has_lemma, mut length, mut length_of_all) = (true, false, 0, 0);
        for part in row.before(note) {
            if length >= FORMULAS.reach || length_of_all >= FORMULAS.reach_of_all {
                break;
            }
            let (other, range) = (part.layer, part.range.clone());
            let is_base = other.kind() == LayerKind::Base;
            let is_note = other.kind() == LayerKind::Note;
            // What the note before of the same kind is about.
            let ends = if of_notes { other == layer } else { !is_base };
            is_near &= !(ends && has_lemma);
            // An empty part counts too: the walk ends.
            length_of_all += range.len().max(1);
            length += if is_base { range.len() } else { 0 };
            if is_base || of_notes && is_note && other != layer {
                has_lemma |= is_near;
                let list = match (is_near, is_note && is_shu) {
                    (true, false) => &mut lemma,
                    (true, true) => &mut lemma_notes,
                    (false, false) => &mut before,
                    (false, true) => &mut before_notes,
                };
                list.push(range);
            }
        }
        let notes = [&lemma_notes[..], &before_notes].concat();
        lemma.append(&mut lemma_notes);
        before.append(&mut before_notes);
        Explained { chars: &row.key.chars, lemma, before, notes }
    }

    /// Where some words of a note stand.
    pub(super) fn find(&self, words: &[char]) -> (GlossPlace, Option<Range<usize>>) {
        let first = |ranges: &[Range<usize>]| {
            let hit = |r: &Range<usize>| first_in(self.chars, r, words);
            ranges.iter().find_map(hit)
        };
        if let Some(at) = first(&self.lemma) {
            return (GlossPlace::Lemma, Some(at));
        }
        match first(&self.before) {
            Some(at) => (GlossPlace::Before, Some(at)),
            None => (GlossPlace::Nowhere, None),
        }
    }

    /// True if a note before has the same words, so that a sub-commentary only repeats them.
    pub(super) fn repeats(&self, words: &[char]) -> bool {
        self.notes.iter().any(|r| first_in(self.chars, r, words).is_some())
    }
}

fn first_in(chars: &[char], range: &Range<usize>, words: &[char]) -> Option<Range<usize>> {
    // A single character is by far the most frequent case.
    if let [one] = words {
        let at = chars[range.clone()].iter().position(|c| c == one)? + range.start;
        return Some(at..at + 1);
    }
    let hit = *find_within(chars, range.clone(), words, 0).first()?;
    Some(hit.from..hit.to)
}
