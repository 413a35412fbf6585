//! The same table with another witness as base: which characters belong together does not depend on
//! the base, only how the others differ from it.

use super::{CollatedPlace, Collation, DifferenceClass};
use crate::source::Span;
use crate::text::Key;

impl Collation<'_> {
    /// Makes another witness the base. Transposed blocks are then differences at both places, and
    /// [`moved`](Self::moved) no longer connects them.
    pub fn rebase(&mut self, base: usize) {
        if base == self.base {
            return;
        }
        let classes: Vec<_> = self.places.iter().map(|p| self.classes_against(p, base)).collect();
        for (place, classes) in self.places.iter_mut().zip(classes) {
            place.classes = classes;
        }
        self.base = base;
        self.moved.clear();
    }

    fn classes_against(&self, place: &CollatedPlace, base: usize) -> Vec<Option<DifferenceClass>> {
        let words: Vec<String> = (0..self.witnesses.len())
            .map(|n| self.witnesses[n].shown(place.readings[n].clone()))
            .collect();
        let key = |n: usize| {
            let all = Span::new(0, words[n].len());
            Key::of(&words[n], all).chars
        };
        (0..self.witnesses.len())
            .map(|n| {
                use DifferenceClass::{
                    Addition, Damage, Graphic, Lacuna, Omission, Punctuation, Substantive,
                    Transposition,
                };
                let old = [place.classes[n], place.classes[base]];
                // Equal words, or two witnesses that only the form of a mark distinguishes.
                if n == base || words[n] == words[base] || old == [None, None] {
                    return None;
                }
                let was = |class| old.contains(&Some(class));
                Some(match (words[n].is_empty(), words[base].is_empty()) {
                    _ if was(Transposition) => Transposition,
                    _ if was(Lacuna) => Lacuna,
                    (true, false) if !key(base).is_empty() => Omission,
                    (false, true) if !key(n).is_empty() => Addition,
                    _ if key(n) != key(base) => Substantive,
                    _ if was(Damage) => Damage,
                    _ if was(Punctuation) && !was(Graphic) => Punctuation,
                    _ => Graphic,
                })
            })
            .collect()
    }
}
