//! The characters beside each place of a gram, six bits each, and a quick check of them that excludes
//! most places without accessing the text.

/// Characters on each side of a gram that [`beside`] contains.
const BESIDE_CHARS: usize = 5;
/// Bits for each.
const BITS_PER_CHAR: usize = 6;

/// The characters beside `from..to`, six bits each: those before, nearest first, then those after;
/// zero beyond the ends.
pub fn beside(text: &[char], from: usize, to: usize) -> u64 {
    let before = (0..BESIDE_CHARS).map(|n| from.checked_sub(n + 1));
    let after = (0..BESIDE_CHARS).map(|n| Some(to + n));
    let bits =
        before.chain(after).map(|at| at.and_then(|at| text.get(at)).map_or(0, |c| short(*c)));
    bits.fold(0, |all, c| all << BITS_PER_CHAR | c)
}

/// A character in six bits.
fn short(c: char) -> u64 {
    u64::from((c as u32).wrapping_mul(0x9E37_79B1) >> (32 - BITS_PER_CHAR))
}

/// A quick check of the characters beside a piece, which excludes most places. With `n` differences
/// on a side, all but `n` of its characters are in their place or at most `n` places away.
pub struct BesideFilter {
    left: SideFilter,
    right: SideFilter,
    max: usize,
}

/// The first characters of one side.
struct SideFilter {
    /// Each character repeated in all lanes of six bits, and the highest bits of the lanes that are
    /// near its place.
    chars: [(u64, u64); BESIDE_CHARS],
    checked: usize,
}

/// The lowest bit of each lane of a side, and the highest.
const LOWEST: u64 = 0b000001_000001_000001_000001_000001;
const HIGHEST: u64 = LOWEST << (BITS_PER_CHAR - 1);

impl BesideFilter {
    /// For the `n`th piece of some words, with the words before and after it. If it is the first
    /// that matches exactly, each piece before it differs, so fewer differences are left for the
    /// text after it.
    pub fn of(before: &[char], after: &[char], n: usize, max: usize) -> Self {
        BesideFilter {
            left: SideFilter::of(before.iter().rev(), max),
            right: SideFilter::of(after.iter(), max.saturating_sub(n)),
            max,
        }
    }

    /// False if a piece with this [`beside`] cannot be part of a match.
    #[inline]
    pub fn may(&self, beside: u64) -> bool {
        let left = self.left.missing(beside >> (BITS_PER_CHAR * BESIDE_CHARS));
        left + self.right.missing(beside & ((1 << (BITS_PER_CHAR * BESIDE_CHARS)) - 1)) <= self.max
    }
}

impl SideFilter {
    /// Of a side with at most so many differences. Only characters whose whole neighbourhood is
    /// known are checked.
    fn of<'a>(chars: impl Iterator<Item = &'a char>, differences: usize) -> Self {
        let mut side = SideFilter { chars: [(0, 0); BESIDE_CHARS], checked: 0 };
        for (n, c) in chars.take(BESIDE_CHARS.saturating_sub(differences)).enumerate() {
            let near = n.saturating_sub(differences)..=n + differences;
            let lanes = near.fold(0, |all, at| all | lane(at));
            side.chars[n] = (short(*c) * LOWEST, lanes);
            side.checked = n + 1;
        }
        side
    }

    /// How many of the characters are not near their place in a side.
    #[inline]
    fn missing(&self, side: u64) -> usize {
        let is_missing = |(c, lanes): &&(u64, u64)| equal_lanes(side, *c) & lanes == 0;
        self.chars[..self.checked].iter().filter(is_missing).count()
    }
}

/// The highest bit of the lane of the `n`th character of a side.
fn lane(n: usize) -> u64 {
    1 << (BITS_PER_CHAR * (BESIDE_CHARS - n) - 1)
}

/// The highest bits of the lanes that are equal; above one of them sometimes that of another lane
/// too (H. S. Warren, “Hacker’s Delight”, 2nd edition, 6–1).
fn equal_lanes(a: u64, b: u64) -> u64 {
    let x = a ^ b;
    x.wrapping_sub(LOWEST) & !x & HIGHEST
}
