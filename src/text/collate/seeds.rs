//! Seeds: short runs of characters that two texts share, joined to blocks along their diagonal.

use super::CollatedRun;

/// Characters of a seed. Shorter ones are formulas; longer ones miss the text between two notes.
pub const SEED_CHARS: usize = 5;
/// A gram with more pairs than this is a formula and is not a seed.
const MAX_PAIRS_PER_GRAM: usize = 16;
/// How far a block is extended beyond its seeds. The bound keeps periodic texts linear.
const MAX_EXTENSION_CHARS: usize = 64;

/// Equal characters found by seeds.
pub type SeedBlock = CollatedRun;

/// The grams of a text with their places, in the order of their hashes.
pub struct SeedGrams {
    sorted: Vec<(u64, u32)>,
}

impl SeedGrams {
    /// All grams of a text.
    pub fn of(chars: &[char]) -> Self {
        let mut sorted: Vec<(u64, u32)> =
            chars.windows(SEED_CHARS).enumerate().map(|(n, w)| (hash(w), n as u32)).collect();
        sorted.sort_unstable();
        SeedGrams { sorted }
    }

    /// The blocks that two texts share by grams that are rare in both.
    pub fn shared(&self, other: &SeedGrams, a: &[char], b: &[char]) -> Vec<SeedBlock> {
        let mut seeds = self.seeds(other);
        // Along each diagonal, so that neighbours join.
        seeds.sort_unstable_by_key(|&(x, y)| (i64::from(x) - i64::from(y), x));
        let mut blocks: Vec<SeedBlock> = Vec::new();
        for (x, y) in seeds {
            let (x, y) = (x as usize, y as usize);
            let covered = blocks
                .last()
                .is_some_and(|l| l.a + y == l.b + x && x >= l.a && x + SEED_CHARS <= l.a_end());
            if covered || a[x..x + SEED_CHARS] != b[y..y + SEED_CHARS] {
                continue;
            }
            let block = drawn_out(x, y, a, b);
            match blocks.last_mut() {
                Some(l) if l.a + y == l.b + x && block.a <= l.a_end() => {
                    l.len = block.a_end() - l.a
                }
                _ => blocks.push(block),
            }
        }
        blocks
    }

    /// Pairs of places with the same gram.
    fn seeds(&self, other: &SeedGrams) -> Vec<(u32, u32)> {
        let (mut a, mut b) = (&self.sorted[..], &other.sorted[..]);
        let mut seeds = Vec::new();
        while let (Some(x), Some(y)) = (a.first(), b.first()) {
            let group =
                |of: &[(u64, u32)], hash: u64| of.iter().take_while(|g| g.0 == hash).count();
            match x.0.cmp(&y.0) {
                std::cmp::Ordering::Less => a = &a[1..],
                std::cmp::Ordering::Greater => b = &b[1..],
                std::cmp::Ordering::Equal => {
                    let (n, m) = (group(a, x.0), group(b, x.0));
                    if n * m <= MAX_PAIRS_PER_GRAM {
                        seeds.extend(
                            a[..n].iter().flat_map(|x| b[..m].iter().map(move |y| (x.1, y.1))),
                        );
                    }
                    (a, b) = (&a[n..], &b[m..]);
                }
            }
        }
        seeds
    }
}

/// The hashes of all grams of a text, each in as many bits as are well mixed.
pub(crate) fn seed_hashes(chars: &[char]) -> impl Iterator<Item = u32> + '_ {
    chars.windows(SEED_CHARS).map(|gram| (hash(gram) >> 32) as u32)
}

fn hash(gram: &[char]) -> u64 {
    // An odd multiplier mixes upwards; collisions are sorted out when the characters are compared.
    gram.iter().fold(0, |h: u64, c| {
        (h.rotate_left(23) ^ u64::from(*c as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

fn drawn_out(x: usize, y: usize, a: &[char], b: &[char]) -> SeedBlock {
    let back = a[..x]
        .iter()
        .rev()
        .zip(b[..y].iter().rev())
        .take(MAX_EXTENSION_CHARS)
        .take_while(|(p, q)| p == q)
        .count();
    let ahead = a[x + SEED_CHARS..]
        .iter()
        .zip(&b[y + SEED_CHARS..])
        .take(MAX_EXTENSION_CHARS)
        .take_while(|(p, q)| p == q)
        .count();
    SeedBlock { a: x - back, b: y - back, len: back + SEED_CHARS + ahead }
}
