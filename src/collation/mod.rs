//! Collation: any number of witnesses of one text as a table of places.
//!
//! Every witness is aligned with the base ([`pair`]), on characters that are folded, across
//! variants, gaps and transposed blocks. The borders that all alignments share cut the text into
//! places; text that the base lacks is aligned among the witnesses that have it. A place has the
//! bytes of each witness there, and the class of its difference from the base.
//!
//! **Nothing is lost**: the bytes of a witness in the places of the table follow each other from
//! the beginning of its text to its end. A transposed block is therefore in two places, one where
//! the base has it and one where the witness has it; [`Collation::moved`] connects them.

mod class;
mod indirect;
mod merged;
mod merged_notes;
mod other_readings;
mod pair;
mod rebase;
mod table;
mod witness;

use std::ops::Range;

use rayon::prelude::*;

use crate::text::collate::Base;
use class::FormClasses;
pub use class::{DifferenceClass, are_merged};
pub use indirect::{IndirectReading, of as indirect};
pub use merged::{MergedStretch, MergedText, merged, merged_with_notes, place_in};
pub use other_readings::other_readings;
pub use pair::{AlignedCell, MIN_LACUNA_CHARS, MovedBlock, PairAlignment};
pub use witness::{CollatedLayers, CollatedWitness, sigla};

/// A place: a stretch in which all witnesses agree, or in which some differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollatedPlace {
    /// The bytes of each witness in its [words](CollatedWitness::words).
    pub readings: Vec<Range<usize>>,
    /// How each witness differs from the base.
    pub classes: Vec<Option<DifferenceClass>>,
}

/// A block that a witness has in another place than the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transposition {
    /// The witness.
    pub witness: usize,
    /// Bytes of the block in the base.
    pub base: Range<usize>,
    /// Bytes of the block in the witness.
    pub own: Range<usize>,
    /// The differences within the block: bytes in the base and in the witness.
    pub differences: Vec<(Range<usize>, Range<usize>, DifferenceClass)>,
}

/// The table of a collation.
pub struct Collation<'a> {
    /// The witnesses.
    pub witnesses: Vec<CollatedWitness<'a>>,
    /// Which of them is the base.
    pub base: usize,
    /// The places in order.
    pub places: Vec<CollatedPlace>,
    /// The blocks in other places.
    pub moved: Vec<Transposition>,
    /// Characters of the base that each witness has at the same place.
    pub matched: Vec<usize>,
}

/// A difference of one witness from the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDifference {
    /// The witness.
    pub witness: usize,
    /// Its class.
    pub class: DifferenceClass,
    /// The bytes in the base.
    pub base: Range<usize>,
    /// The bytes in the witness.
    pub own: Range<usize>,
}

/// Witnesses that have the same reading at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingGroup {
    /// The reading as a reader sees it.
    pub words: String,
    /// The witnesses.
    pub witnesses: Vec<usize>,
    /// How it differs from the base.
    pub class: Option<DifferenceClass>,
}

impl<'a> Collation<'a> {
    /// Collates witnesses with one of them. Time and memory grow with the length of the texts.
    pub fn of(witnesses: Vec<CollatedWitness<'a>>, base: usize) -> Self {
        let seeds = Base::new(witnesses[base].chars());
        let pairs: Vec<Option<PairAlignment>> = (0..witnesses.len())
            .into_par_iter()
            .map(|n| (n != base).then(|| PairAlignment::of(&seeds, witnesses[n].chars())))
            .collect();
        let (places, moved) = table::of(&witnesses, base, &pairs);
        let length = witnesses[base].chars().len();
        let matched = pairs.iter().map(|p| p.as_ref().map_or(length, PairAlignment::matched));
        let matched = matched.collect();
        Collation { witnesses, base, places, moved, matched }
    }

    /// The differences of a witness from the base, by their places in the base. Neighbouring places
    /// at which words are missing or additional are one difference, and so is a transposed block
    /// with both its places.
    pub fn differences(&self, witness: usize) -> Vec<FoundDifference> {
        let mut found: Vec<FoundDifference> = Vec::new();
        let mut before = None;
        for place in &self.places {
            let class = place.classes[witness];
            let (base, own) = (place.readings[self.base].clone(), place.readings[witness].clone());
            if class.is_none() && base.is_empty() && own.is_empty() {
                // Only others have something here.
                continue;
            }
            match (class, found.last_mut()) {
                (Some(DifferenceClass::Transposition), _) => {}
                (Some(c), Some(last)) if before == class && c.continues() => {
                    (last.base.end, last.own.end) = (base.end, own.end);
                }
                (Some(class), _) => found.push(FoundDifference { witness, class, base, own }),
                (None, _) => {}
            }
            before = class;
        }
        found.extend(self.moved.iter().filter(|m| m.witness == witness).flat_map(of_block));
        found.sort_by_key(|d| (d.base.start, d.own.start));
        found
    }

    /// The readings of a place, equal ones together: that of the base first.
    pub fn readings(&self, place: &CollatedPlace) -> Vec<ReadingGroup> {
        let mut groups: Vec<ReadingGroup> = Vec::new();
        let others = (0..self.witnesses.len()).filter(|n| *n != self.base);
        for n in std::iter::once(self.base).chain(others) {
            let words = self.witnesses[n].shown(place.readings[n].clone());
            let class = place.classes[n];
            match groups.iter_mut().find(|g| g.words == words && g.class == class) {
                Some(group) => group.witnesses.push(n),
                None => groups.push(ReadingGroup { words, witnesses: vec![n], class }),
            }
        }
        groups
    }

    /// True if a place is in a lacuna of a witness.
    pub fn is_lost(&self, place: &CollatedPlace, witness: usize) -> bool {
        place.classes[witness] == Some(DifferenceClass::Lacuna)
            && place.readings[witness].is_empty()
    }

    /// The classes of a place without the witnesses that it is lost in.
    pub fn classes(&self, place: &CollatedPlace) -> Vec<DifferenceClass> {
        let present = (0..self.witnesses.len()).filter(|n| !self.is_lost(place, *n));
        present.filter_map(|n| place.classes[n]).collect()
    }

    /// The readings of a place without the witnesses that it is lost in.
    pub fn present_readings(&self, place: &CollatedPlace) -> Vec<ReadingGroup> {
        let mut groups = self.readings(place);
        for group in &mut groups {
            group.witnesses.retain(|n| !self.is_lost(place, *n));
        }
        groups.retain(|g| !g.witnesses.is_empty());
        groups
    }

    /// The witnesses whose lacuna begins, and those whose lacuna ends, before a place; after the
    /// last place all end.
    pub fn turns(&self, place: usize) -> (Vec<usize>, Vec<usize>) {
        let lost = |place: Option<usize>, n: usize| {
            place.and_then(|p| self.places.get(p)).is_some_and(|p| self.is_lost(p, n))
        };
        let turn = |from: bool| {
            let all = 0..self.witnesses.len();
            all.filter(|n| lost(place.checked_sub(1), *n) == from && lost(Some(place), *n) != from)
                .collect()
        };
        (turn(false), turn(true))
    }

    /// The text of a witness, put together from the places.
    pub fn restored(&self, witness: usize) -> String {
        let words = self.witnesses[witness].words();
        self.places.iter().map(|p| &words[p.readings[witness].clone()]).collect()
    }
}

/// The difference that a transposed block is, and those within it.
fn of_block(block: &Transposition) -> Vec<FoundDifference> {
    let found = |class, base: &Range<usize>, own: &Range<usize>| FoundDifference {
        witness: block.witness,
        class,
        base: base.clone(),
        own: own.clone(),
    };
    let whole = found(DifferenceClass::Transposition, &block.base, &block.own);
    let within = block.differences.iter().map(|(base, own, class)| found(*class, base, own));
    std::iter::once(whole).chain(within).collect()
}
