//! How well two windows of text match from their starts, without the path. It is asked at both ends of
//! every chain, and most ends do not match. Of most of those a bound says so, which looks only at the
//! equal pairs of the two windows and not at all pairs.
//!
//! The cells of a diagonal (all that are as far from the start) do not depend on each other, so the
//! compiler computes eight at a time (Wozniak 1997, “Using video-oriented instructions to speed up
//! sequence comparison”).

/// Characters that are aligned at a time beyond the end of a chain.
pub const WINDOW_CHARS: usize = 64;
/// Scores: one equal pair, one unequal pair, the opening of a gap and each character of it. A
/// single equal character inside a gap is worth less than the second gap it makes.
pub const EQUAL_SCORE: i32 = 10;
pub const UNEQUAL_SCORE: i32 = -6;
pub const GAP_OPEN_SCORE: i32 = -18;
pub const GAP_EXTEND_SCORE: i32 = -1;

/// Less than the score of any cell that can be reached in a window.
const UNREACHABLE: i16 = i16::MIN / 2;
const EQUAL: i16 = EQUAL_SCORE as i16;
const UNEQUAL: i16 = UNEQUAL_SCORE as i16;
const OPEN: i16 = GAP_OPEN_SCORE as i16;
const EXTEND: i16 = GAP_EXTEND_SCORE as i16;

/// The scores of a diagonal, by the characters of the first text before each cell.
type Row = [i16; WINDOW_CHARS + 1];

/// The scores of a diagonal in the three states of Gotoh's aligner.
#[derive(Clone, Copy)]
struct Diagonal {
    pair: Row,
    only_a: Row,
    only_b: Row,
}

impl Diagonal {
    fn rows(&self) -> [&Row; 3] {
        [&self.pair, &self.only_a, &self.only_b]
    }
}

/// The halves of characters, each as wide as a score.
struct Halves {
    low: [u16; WINDOW_CHARS],
    high: [u16; WINDOW_CHARS],
}

impl Halves {
    fn of<'a>(chars: impl Iterator<Item = &'a char>) -> Self {
        let mut halves = Halves { low: [0; WINDOW_CHARS], high: [0; WINDOW_CHARS] };
        for (n, c) in chars.enumerate() {
            halves.low[n] = *c as u32 as u16;
            halves.high[n] = (*c as u32 >> 16) as u16;
        }
        halves
    }
}

/// A score that no alignment of the beginnings of `a` and `b` exceeds. Both have at most
/// [`WINDOW_CHARS`] characters.
///
/// An alignment is pairs side by side, a gap, pairs side by side again, and so on. The pairs before
/// the first gap are worth at most what the beginnings are worth without gaps. All later ones had to
/// pay for the gap before them, and so are worth at most the best choice of stretches that is found
/// with this price on each diagonal alone, wherever they lie. Most unrelated windows have no stretch
/// that is worth a gap.
pub fn bound(a: &[char], b: &[char]) -> i32 {
    const GAP: i16 = OPEN + EXTEND;
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
    /// For each class of characters its last place, and for each place the one before it of the same
    /// class; counted from 1, 0 for none.
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
        let all = std::iter::successors(next(self.last[Self::class(c)]), move |n| {
            next(self.before[*n])
        });
        all.filter(move |n| self.chars[*n] == c)
    }
}

/// The best score of an alignment of the beginnings of `a` and `b` that ends with a pair, and how many
/// characters of both texts are before the end of the longest such alignment; 0 if none is better than
/// nothing. Both have at most [`WINDOW_CHARS`] characters.
pub fn best_score(a: &[char], b: &[char]) -> (i32, usize) {
    let nowhere = [UNREACHABLE; WINDOW_CHARS + 1];
    let mut diagonals = [Diagonal { pair: nowhere, only_a: nowhere, only_b: nowhere }; 3];
    let [before, last, now] = &mut diagonals;
    let (mut before, mut last, mut now) = (before, last, now);
    last.pair[0] = 0;
    let (first, second) = (Halves::of(a.iter()), Halves::of(b.iter().rev()));
    let (mut best, mut end) = (0, 0);
    for d in 1..=a.len() + b.len() {
        let (from, to) = (d.saturating_sub(b.len()).max(1), a.len().min(d - 1));
        if from <= to {
            // In the turned text the characters of a diagonal are in the same order.
            let of_b = b.len() + from - d;
            let here = inner(&first, &second, (from, to, of_b), [before, last], now);
            if here > 0 && here >= best {
                (best, end) = (here, d);
            }
        }
        let gap = OPEN + EXTEND * d as i16;
        if d <= b.len() {
            (now.pair[0], now.only_a[0], now.only_b[0]) = (UNREACHABLE, UNREACHABLE, gap);
        }
        if d <= a.len() {
            (now.pair[d], now.only_a[d], now.only_b[d]) = (UNREACHABLE, gap, UNREACHABLE);
        }
        // The oldest is written over next.
        (before, last, now) = (last, now, before);
    }
    (i32::from(best), end)
}

/// The cells `from..=to` of a diagonal that have a character of both texts; `of_b` is the character
/// of the second at the first of them. Returns the best score after a pair.
fn inner(
    a: &Halves,
    b: &Halves,
    (from, to, of_b): (usize, usize, usize),
    [before, last]: [&Diagonal; 2],
    now: &mut Diagonal,
) -> i16 {
    let len = to + 1 - from;
    let (above, beside) = (from - 1..from - 1 + len, from..from + len);
    let [p2, a2, b2] = before.rows().map(|row| &row[above.clone()]);
    let [up, up_a, up_b] = last.rows().map(|row| &row[above.clone()]);
    let [left, left_a, left_b] = last.rows().map(|row| &row[beside.clone()]);
    let (a_low, a_high) = (&a.low[above.clone()], &a.high[above]);
    let (b_low, b_high) = (&b.low[of_b..of_b + len], &b.high[of_b..of_b + len]);
    let pair = &mut now.pair[beside.clone()];
    let only_a = &mut now.only_a[beside.clone()];
    let only_b = &mut now.only_b[beside];
    let mut best = 0;
    for n in 0..len {
        let equal = a_low[n] == b_low[n] && a_high[n] == b_high[n];
        pair[n] = p2[n].max(a2[n]).max(b2[n]) + if equal { EQUAL } else { UNEQUAL };
        only_a[n] = (up[n].max(up_b[n]) + OPEN).max(up_a[n]) + EXTEND;
        only_b[n] = (left[n].max(left_a[n]) + OPEN).max(left_b[n]) + EXTEND;
        best = best.max(pair[n]);
    }
    best
}
