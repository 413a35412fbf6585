//! Whether two windows of text can match at all from their starts. It is asked at both ends of
//! every chain, and most ends do not match; this looks only at the equal pairs of the windows, not
//! at all pairs.

use super::ends::{
    EQUAL_SCORE, GAP_EXTEND_SCORE, GAP_OPEN_SCORE, UNEQUAL_SCORE, UNREACHABLE, WINDOW_CHARS,
};

const EQUAL: i16 = EQUAL_SCORE as i16;
const UNEQUAL: i16 = UNEQUAL_SCORE as i16;
const GAP: i16 = (GAP_OPEN_SCORE + GAP_EXTEND_SCORE) as i16;

/// A score that no alignment of the beginnings of `a` and `b` exceeds. Both have at most
/// [`WINDOW_CHARS`] characters.
///
/// An alignment is pairs side by side, a gap, pairs side by side again, and so on. The pairs before
/// the first gap are worth at most what the beginnings are worth without gaps. All later ones had
/// to pay for the gap before them, and so are worth at most the best choice of stretches that is
/// found with this price on each diagonal alone, wherever they lie. Most unrelated windows have no
/// stretch that is worth a gap.
pub fn bound(a: &[char], b: &[char]) -> i32 {
    let second = Places::of(b);
    let mut diagonals = [Stretches::default(); 2 * WINDOW_CHARS];
    let (mut start, mut best_start, mut gained) = (0, 0, 0i32);
    for (i, c) in a.iter().enumerate() {
        start += if b.get(i) == Some(c) { EQUAL } else { UNEQUAL };
        best_start = best_start.max(start);
        for j in second.places(*c) {
            let diagonal = &mut diagonals[WINDOW_CHARS + j - i];
            let last = diagonal.within + UNEQUAL * (i as i16 - diagonal.next);
            diagonal.within = last.max(diagonal.best + GAP) + EQUAL;
            diagonal.next = i as i16 + 1;
            gained += i32::from((diagonal.within - diagonal.best).max(0));
            diagonal.best = diagonal.best.max(diagonal.within);
        }
    }
    i32::from(best_start) + gained
}

/// What stretches of a diagonal are worth, each less the price of a gap.
#[derive(Clone, Copy)]
struct Stretches {
    /// The best choice of them so far.
    best: i16,
    /// The best choice whose last one ends before `next`.
    within: i16,
    next: i16,
}

impl Default for Stretches {
    fn default() -> Self {
        Stretches { best: 0, within: UNREACHABLE, next: 0 }
    }
}

/// Where the characters of a window are.
struct Places {
    /// For each class of characters its last place, and for each place the one before it of the
    /// same class; counted from 1, 0 for none.
    last: [u8; 2 * WINDOW_CHARS],
    before: [u8; WINDOW_CHARS],
    chars: [char; WINDOW_CHARS],
}

impl Places {
    fn of(window: &[char]) -> Self {
        let mut places = Places {
            last: [0; 2 * WINDOW_CHARS],
            before: [0; WINDOW_CHARS],
            chars: ['\0'; WINDOW_CHARS],
        };
        for (n, c) in window.iter().enumerate() {
            let last = &mut places.last[Self::class(*c)];
            places.before[n] = std::mem::replace(last, n as u8 + 1);
            places.chars[n] = *c;
        }
        places
    }

    /// A hash of a character (Fibonacci hashing), below the number of classes.
    fn class(c: char) -> usize {
        ((c as u32).wrapping_mul(0x9e37_79b9) >> 25) as usize
    }

    fn places(&self, c: char) -> impl Iterator<Item = usize> {
        let next = |n: u8| usize::from(n).checked_sub(1);
        let all =
            std::iter::successors(next(self.last[Self::class(c)]), move |n| next(self.before[*n]));
        all.filter(move |n| self.chars[*n] == c)
    }
}
