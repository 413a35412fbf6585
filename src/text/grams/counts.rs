//! How often the pairs and triples of a text occur, for those who need no places: a third of the
//! memory.

use rustc_hash::FxHashMap;

/// How often pairs of characters occur.
#[derive(Clone, Debug, Default)]
pub struct GramPairCounts {
    /// The number of each pair.
    pub(super) numbers: FxHashMap<(char, char), u32>,
    /// By their numbers.
    pub(super) counts: Vec<u32>,
}

/// How often the three characters at each place of a text occur.
#[derive(Clone, Debug, Default)]
pub struct TripleCounts {
    /// By the place of the first; 0 where fewer are left.
    short: Vec<u16>,
    /// Those that are more than fit.
    long: FxHashMap<[char; 3], u32>,
}

/// Stands for a count that is kept apart.
const LONG: u16 = u16::MAX;

impl GramPairCounts {
    /// How often two characters occur together.
    pub fn of(&self, pair: [char; 2]) -> u32 {
        self.numbers.get(&pair.into()).map_or(0, |number| self.counts[*number as usize])
    }
}

impl TripleCounts {
    /// Those of a text with the places of each of its triples.
    pub(super) fn of<'a>(text: &[char], triples: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut counts = TripleCounts { short: vec![0; text.len()], long: FxHashMap::default() };
        for places in triples {
            let short = u16::try_from(places.len()).unwrap_or(LONG);
            places.iter().for_each(|at| counts.short[*at as usize] = short);
            if short == LONG {
                let at = places[0] as usize;
                counts.long.insert([text[at], text[at + 1], text[at + 2]], places.len() as u32);
            }
        }
        counts
    }

    /// Replaces each count by what `make` makes of it, of the triple and of the place of its last character, and
    /// returns this by the places of the last characters. The first two have 0.
    pub fn into_values(
        self,
        text: &[char],
        mut make: impl FnMut(usize, [char; 3], u32) -> u16,
    ) -> Vec<u16> {
        let mut values = self.short;
        let mut before = [0, 0];
        for n in 0..values.len() {
            let [count, _] = before;
            before = [before[1], std::mem::take(&mut values[n])];
            let Some(from) = n.checked_sub(2) else { continue };
            let triple = [text[from], text[from + 1], text[n]];
            let count = if count == LONG { self.long[&triple] } else { u32::from(count) };
            values[n] = make(n, triple, count);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use crate::text::grams::Grams;

    #[test]
    fn counts_are_those_of_a_plain_count() {
        let text: Vec<char> = "甲乙丙甲乙丁甲乙丙".chars().chain(['戊'; 70_000]).collect();
        let (pairs, triples) = Grams::of(&text).into_counts(&text);
        let count = |gram: &[char]| text.windows(gram.len()).filter(|w| *w == gram).count() as u32;
        for pair in [['甲', '乙'], ['乙', '丁'], ['戊', '戊'], ['丁', '丁']] {
            assert_eq!(pairs.of(pair), count(&pair), "{pair:?}");
        }
        let mut seen = vec![];
        let values = triples.into_values(&text, |n, triple, of| {
            if n < 15 {
                assert_eq!(of, count(&triple), "{triple:?}");
                seen.push(n);
            }
            n as u16
        });
        assert_eq!(seen, (2..15).collect::<Vec<_>>());
        assert_eq!((values.len(), &values[..4]), (text.len(), &[0, 0, 2, 3][..]));
    }
}
