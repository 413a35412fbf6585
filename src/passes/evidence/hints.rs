//! What the sub-commentary shows of the places of a paragraph.

use std::ops::Index;

/// How well words of a header match at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum HeaderMatch {
    /// Not at all.
    #[default]
    No,
    /// All but one character.
    Nearly,
    /// Exactly, but another place fits better.
    Elsewhere,
    /// Exactly, and it is the place that fits best.
    Here,
}

/// The evidence on the place before one character of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// A header says that a note begins here.
    pub note_from: HeaderMatch,
    /// A header says that a note ends here.
    pub note_to: HeaderMatch,
    /// A header says that the classic begins here.
    pub classic_from: HeaderMatch,
    /// A header says that the classic ends here.
    pub classic_to: HeaderMatch,
    /// The character lies in a header's range of the note.
    pub in_note: bool,
    /// The character lies in a header's range of the classic.
    pub in_classic: bool,
    /// This character and the one before it lie in one quotation of the sub-commentary.
    pub in_quote: bool,
    /// A quotation begins here.
    pub quote_from: bool,
    /// The sub-commentary quotes the character as 鄭's or as 注.
    pub quoted_note: bool,
    /// The sub-commentary quotes the character as 經.
    pub quoted_classic: bool,
    /// The sub-commentary quotes the character.
    pub quoted: bool,
    /// A line of the sub-commentary opens with it, to explain it: ○“X”者.
    pub quoted_lemma: bool,
}

impl Hint {
    /// For each label: whether a header's first words of that layer begin here, or its last words
    /// of the other layer end here.
    pub fn names(&self) -> [bool; 2] {
        let here = |from: HeaderMatch, to: HeaderMatch| {
            from == HeaderMatch::Here || to == HeaderMatch::Here
        };
        [here(self.classic_from, self.note_to), here(self.note_from, self.classic_to)]
    }
}

/// The hints of consecutive places. Those of neighbours are mostly the same, so what is kept is
/// where they change: a long text has millions of places.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The first place of each run of equal hints, and the hint.
    runs: Vec<(u32, Hint)>,
    places: usize,
}

impl Hints {
    /// So many places of which nothing is known.
    pub fn none(places: usize) -> Self {
        Hints { runs: vec![(0, Hint::default())], places }
    }

    /// Those of some places.
    pub fn of(hints: &[Hint]) -> Self {
        let mut runs: Vec<(u32, Hint)> = Vec::new();
        for (place, hint) in (0..).zip(hints) {
            if runs.last().is_none_or(|run| run.1 != *hint) {
                runs.push((place, *hint));
            }
        }
        runs.shrink_to_fit();
        Hints { runs, places: hints.len() }
    }

    /// The hint of each place.
    pub fn iter(&self) -> impl Iterator<Item = &Hint> {
        let ends = self.runs.iter().skip(1).map(|run| run.0 as usize).chain([self.places]);
        let runs = self.runs.iter().zip(ends);
        runs.flat_map(|((from, hint), to)| std::iter::repeat_n(hint, to - *from as usize))
    }

    /// The hint of a place, if there is that place.
    pub fn get(&self, place: usize) -> Option<&Hint> {
        (place < self.places).then(|| &self.runs[self.run_at(place)].1)
    }

    fn run_at(&self, place: usize) -> usize {
        self.runs.partition_point(|run| run.0 as usize <= place).saturating_sub(1)
    }
}

impl Index<usize> for Hints {
    type Output = Hint;
    fn index(&self, place: usize) -> &Hint {
        debug_assert!(place < self.places, "place {place} of {}", self.places);
        &self.runs[self.run_at(place)].1
    }
}

/// Tests state the hint of a place.
#[cfg(test)]
impl std::ops::IndexMut<usize> for Hints {
    fn index_mut(&mut self, place: usize) -> &mut Hint {
        // A run of its own.
        for from in [place + 1, place] {
            let run = self.run_at(from);
            if (self.runs[run].0 as usize) < from {
                self.runs.insert(run + 1, (from as u32, self.runs[run].1));
            }
        }
        let run = self.run_at(place);
        &mut self.runs[run].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn each_place_keeps_its_hint(
            given in proptest::collection::vec(0u8..3, 1..60),
            changed in 0usize..60,
        ) {
            let hint = |n: u8| Hint { quoted: n > 0, in_note: n > 1, ..Hint::default() };
            let mut plain: Vec<Hint> = given.iter().copied().map(hint).collect();
            let mut hints = Hints::of(&plain);
            let place = changed % plain.len();
            plain[place].quote_from = true;
            hints[place].quote_from = true;
            for hints in [&hints, &Hints::of(&plain)] {
                proptest::prop_assert!(hints.iter().eq(&plain));
                for (place, hint) in plain.iter().enumerate() {
                    proptest::prop_assert_eq!(&hints[place], hint);
                }
                proptest::prop_assert_eq!(hints.get(plain.len()), None);
            }
        }
    }
}
