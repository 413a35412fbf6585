//! The two sides as numbers: every distinct folded character of a side gets an index.

use rustc_hash::FxHashMap;

use super::units::TextUnit;

/// Most indices of a side. Rarer characters share the last [`SHARED_INDICES`] of them by a hash of
/// the character, so that a rare character has the same one on both sides.
const MAX_INDICES: usize = 4096;
const SHARED_INDICES: usize = 512;

/// A unit with more characters is not a sentence: the text has no punctuation there.
const MAX_SENTENCE_CHARS: usize = 1 << 10;

fn counted(unit: &[u16]) -> Option<Vec<(u16, u32)>> {
    if unit.len() <= MAX_SENTENCE_CHARS {
        return None;
    }
    let mut unit = unit.to_vec();
    unit.sort_unstable();
    Some(unit.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect())
}

/// One side of a pair.
#[derive(Debug)]
pub struct TokenSide {
    /// Indices of all characters, unit after unit.
    pub tokens: Vec<u16>,
    /// Start of each unit in `tokens`, and the end of the last.
    pub starts: Vec<u32>,
    /// Share of each index in the side, smoothed; sums to about 1.
    pub share: Vec<f32>,
    /// The character of each index (the most frequent one, if several share it).
    pub chars: Vec<char>,
    index: FxHashMap<char, u16>,
    /// By unit, see [`TokenSide::counted`].
    counted: Vec<Option<Vec<(u16, u32)>>>,
}

impl TokenSide {
    /// Numbers the characters of some units.
    pub fn new(units: &[TextUnit]) -> Self {
        let (chars, index) = vocabulary(units);
        let mut tokens = Vec::new();
        let mut starts = vec![0];
        for unit in units {
            tokens.extend(unit.chars.iter().map(|c| index_of(&index, *c)));
            starts.push(tokens.len() as u32);
        }
        let mut count = vec![0.5f32; chars.len()];
        for t in &tokens {
            count[usize::from(*t)] += 1.0;
        }
        let all: f32 = count.iter().sum::<f32>() + 0.5;
        TokenSide {
            tokens,
            starts,
            share: count.into_iter().map(|c| c / all).collect(),
            chars,
            index,
            counted: Vec::new(),
        }
        .with_counts()
    }

    /// Other units of this side's text, with this side's indices.
    pub fn part(&self, units: &[TextUnit]) -> TokenSide {
        let mut part = TokenSide {
            tokens: Vec::new(),
            starts: vec![0],
            share: self.share.clone(),
            chars: self.chars.clone(),
            index: self.index.clone(),
            counted: Vec::new(),
        };
        for unit in units {
            part.tokens.extend(
                unit.chars
                    .iter()
                    .filter(|c| self.index.contains_key(c) || self.chars.len() == MAX_INDICES)
                    .map(|c| index_of(&self.index, *c)),
            );
            part.starts.push(part.tokens.len() as u32);
        }
        part.with_counts()
    }

    /// Some of the units, with this side's indices; enough to score, not to train.
    pub fn window(&self, units: std::ops::Range<usize>) -> TokenSide {
        let first = self.starts[units.start];
        TokenSide {
            tokens: self.slice(units.start, units.end).to_vec(),
            starts: self.starts[units.start..=units.end].iter().map(|s| s - first).collect(),
            share: Vec::new(),
            chars: Vec::new(),
            index: FxHashMap::default(),
            counted: self.counted[units].to_vec(),
        }
    }

    /// The same with the characters of the long units counted.
    fn with_counts(mut self) -> Self {
        self.counted = (0..self.len()).map(|n| counted(self.slice(n, n + 1))).collect();
        self
    }

    /// The characters of a unit that is too long for a sentence, each once, with how often it
    /// occurs; `None` for other units.
    pub fn counted(&self, unit: usize) -> Option<&[(u16, u32)]> {
        self.counted[unit].as_deref()
    }

    /// The same as if no unit were long.
    #[cfg(test)]
    pub fn uncounted(mut self) -> Self {
        self.counted.fill(None);
        self
    }

    /// Number of units.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of characters in units `from..to`.
    pub fn chars_in(&self, from: usize, to: usize) -> usize {
        (self.starts[to] - self.starts[from]) as usize
    }

    /// Tokens of units `from..to`.
    pub fn slice(&self, from: usize, to: usize) -> &[u16] {
        &self.tokens[self.starts[from] as usize..self.starts[to] as usize]
    }
}

fn vocabulary(units: &[TextUnit]) -> (Vec<char>, FxHashMap<char, u16>) {
    let mut count: FxHashMap<char, usize> = FxHashMap::default();
    for c in units.iter().flat_map(|u| &u.chars) {
        *count.entry(*c).or_default() += 1;
    }
    let mut order: Vec<(char, usize)> = count.into_iter().collect();
    order.sort_unstable_by_key(|&(c, n)| (std::cmp::Reverse(n), c));
    let own = if order.len() > MAX_INDICES { MAX_INDICES - SHARED_INDICES } else { order.len() };
    let mut chars: Vec<char> = order[..own].iter().map(|(c, _)| *c).collect();
    let index = chars.iter().enumerate().map(|(i, c)| (*c, i as u16)).collect();
    if own < order.len() {
        chars.resize(MAX_INDICES, '\0');
        for (c, _) in order[own..].iter().rev() {
            chars[usize::from(shared(*c))] = *c;
        }
    }
    (chars, index)
}

fn index_of(index: &FxHashMap<char, u16>, c: char) -> u16 {
    index.get(&c).copied().unwrap_or_else(|| shared(c))
}

fn shared(c: char) -> u16 {
    (MAX_INDICES - SHARED_INDICES + (c as usize).wrapping_mul(0x9E37_79B1) % SHARED_INDICES) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_characters_of_a_large_vocabulary_share_indices_that_are_the_same_on_both_sides() {
        let unit = TextUnit::of_chars;
        let rare = |n: u32| char::from_u32(0x2_0000 + n).expect("a character");
        let side = |frequent: &str| {
            let all = (0..5_000).map(rare).chain(frequent.chars().cycle().take(100)).collect();
            TokenSide::new(&[unit(all)])
        };
        let (one, other) = (side("甲乙丙"), side("丁戊己庚"));
        let last = (MAX_INDICES - SHARED_INDICES) as u16;
        for side in [&one, &other] {
            assert_eq!((side.chars.len(), side.share.len()), (MAX_INDICES, MAX_INDICES));
            assert!(side.tokens.iter().all(|t| usize::from(*t) < MAX_INDICES));
            assert!(side.tokens[5_000..].iter().all(|t| *t < last), "frequent ones have their own");
            let share: f32 = side.share.iter().sum();
            assert!((share - 1.0).abs() < 1e-3, "{share}");
        }
        // Those with the largest numbers are the rarest on both sides.
        assert_eq!(one.tokens[4_000..5_000], other.tokens[4_000..5_000]);
        assert!(one.tokens[4_000..5_000].iter().all(|t| *t >= last));
        let small = TokenSide::new(&[unit("甲乙甲丙".chars().collect())]);
        assert_eq!((small.tokens, small.chars), (vec![0, 2, 0, 1], vec!['甲', '丙', '乙']));
    }
}
