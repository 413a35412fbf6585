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

/// How often the two and the three characters at each place of a text occur.
#[derive(Clone, Debug, Default)]
pub struct TripleCounts {
    /// By the place of the first; 0 where fewer are left.
    triples: Vec<u16>,
    pairs: Vec<u16>,
    /// Triples that are more than fit.
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
    /// Those of the triples of a text, from the places of each.
    pub(super) fn of<'a>(text: &[char], triples: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut long = FxHashMap::default();
        let of = triples.inspect(|places| {
            if short(places.len()) == LONG {
                let at = places[0] as usize;
                long.insert([text[at], text[at + 1], text[at + 2]], places.len() as u32);
            }
        });
        let triples = by_place(text.len(), of);
        TripleCounts { triples, pairs: vec![], long }
    }

    /// The same with those of the pairs.
    pub(super) fn with_pairs<'a>(self, pairs: impl Iterator<Item = &'a [u32]>) -> Self {
        let pairs = by_place(self.triples.len(), pairs);
        TripleCounts { pairs, ..self }
    }

    /// What `make` makes of the place of each character and of how often the two before it, it and
    /// the one before it, and all three occur. The first two characters have 0.
    pub fn into_values(
        self,
        text: &[char],
        pairs: &GramPairCounts,
        mut make: impl FnMut(usize, [u32; 3]) -> u16,
    ) -> Vec<u16> {
        let mut values = self.triples;
        let mut before = [0, 0];
        let pair = |n: usize| match self.pairs[n] {
            LONG => pairs.of([text[n], text[n + 1]]),
            short => u32::from(short),
        };
        for n in 0..values.len() {
            let [triple, _] = before;
            before = [before[1], std::mem::take(&mut values[n])];
            let Some(from) = n.checked_sub(2) else { continue };
            let triple = match triple {
                LONG => self.long[&[text[from], text[from + 1], text[n]]],
                short => u32::from(short),
            };
            values[n] = make(n, [pair(from), pair(n - 1), triple]);
        }
        values
    }
}

fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(LONG)
}

/// How often the gram at each place occurs, from the places of each.
fn by_place<'a>(chars: usize, grams: impl Iterator<Item = &'a [u32]>) -> Vec<u16> {
    let mut counts = vec![0; chars];
    for places in grams {
        let count = short(places.len());
        places.iter().for_each(|at| counts[*at as usize] = count);
    }
    counts
}

#[cfg(test)]
mod tests {
    use crate::text::grams::Grams;

    #[test]
    fn counts_are_those_of_a_plain_count() {
        let text: Vec<char> =
            "甲乙丙甲乙丁甲乙丙".chars().chain(std::iter::repeat_n('戊', 70_000)).collect();
        let counted = Grams::of(&text).into_counts(&text);
        let (pairs, triples) = counted.expect("all are indexed");
        let count = |gram: &[char]| text.windows(gram.len()).filter(|w| *w == gram).count() as u32;
        for pair in [['甲', '乙'], ['乙', '丁'], ['戊', '戊'], ['丁', '丁']] {
            assert_eq!(pairs.of(pair), count(&pair), "{pair:?}");
        }
        let mut seen = vec![];
        let values = triples.into_values(&text, &pairs, |n, counts| {
            if n < 15 || n == 70_000 {
                let grams = [&text[n - 2..n], &text[n - 1..=n], &text[n - 2..=n]];
                assert_eq!(counts, grams.map(count), "{n}");
                seen.push(n);
            }
            n as u16
        });
        assert_eq!(seen, (2..15).chain([70_000]).collect::<Vec<_>>());
        assert_eq!((values.len(), &values[..4]), (text.len(), &[0, 0, 2, 3][..]));
    }
}
