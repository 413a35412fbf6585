//! A character trigram model with Witten–Bell smoothing (Witten & Bell 1991, "The zero-frequency
//! problem", method C), to judge which layer some words belong to.
//!
//! Training texts are small here: a chapter, sometimes less. Witten–Bell trusts a context with few
//! different successors, which works better on them than add-one. A run can be learned with a
//! weight, so that uncertain text counts less.

use rustc_hash::FxHashMap;

/// The character before the first one of a run, so that beginnings are learned too.
pub const START: char = '\u{2}';
/// The character after the last one of a run.
pub const END: char = '\u{3}';

/// Counts of the characters after a context, and how many different ones there were.
#[derive(Clone, Copy, Debug, Default)]
struct ContextCounts {
    total: f32,
    kinds: f32,
}

/// A trigram model of characters. See the [module](self).
///
/// ```
/// use zhushu::text::ngram::CharModel;
/// let mut m = CharModel::new(5000);
/// m.learn("主人坐奠爵".chars());
/// m.learn("主人坐取爵".chars());
/// assert!(m.log_prob("主人坐".chars()) > m.log_prob("人坐主".chars()));
/// ```
#[derive(Clone, Debug)]
pub struct CharModel {
    kinds_of_char: f64,
    contexts: FxHashMap<u64, ContextCounts>,
    counts: FxHashMap<u64, f32>,
}

/// A placeholder for a character that a shorter context leaves out.
const NO_CHAR: char = '\0';

/// A context and the character after it in one number, 21 bits each.
fn pack(a: char, b: char, c: char) -> u64 {
    (a as u64) << 42 | (b as u64) << 21 | c as u64
}

impl CharModel {
    /// An empty model over an alphabet of about `kinds_of_char` characters.
    pub fn new(kinds_of_char: usize) -> Self {
        CharModel {
            kinds_of_char: kinds_of_char.max(1) as f64,
            contexts: FxHashMap::default(),
            counts: FxHashMap::default(),
        }
    }

    /// Learns one run, from its beginning to its end.
    pub fn learn(&mut self, run: impl Iterator<Item = char>) {
        self.learn_in_part(run, 1.0);
    }

    /// The same with a weight between 0 and 1.
    pub fn learn_in_part(&mut self, run: impl Iterator<Item = char>, weight: f32) {
        let (mut a, mut b) = (START, START);
        for c in run.chain([END]) {
            for (x, y) in [(a, b), (NO_CHAR, b), (NO_CHAR, NO_CHAR)] {
                let count = self.counts.entry(pack(x, y, c)).or_insert(0.0);
                let seen = self.contexts.entry(pack(NO_CHAR, x, y)).or_default();
                // A character type counts as seen once it was seen with full weight.
                seen.kinds += (*count + weight).min(1.0) - count.min(1.0);
                *count += weight;
                seen.total += weight;
            }
            (a, b) = (b, c);
        }
    }

    /// Characters learned, ends of runs included.
    pub fn len(&self) -> usize {
        self.contexts.get(&pack(NO_CHAR, NO_CHAR, NO_CHAR)).map_or(0, |s| s.total as usize)
    }
    /// True if nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.contexts.is_empty()
    }

    /// True if it has learned `c` right after `b`.
    pub fn has_pair(&self, b: char, c: char) -> bool {
        self.counts.contains_key(&pack(NO_CHAR, b, c))
    }

    /// Probability of `c` after `a` `b`.
    pub fn prob(&self, a: char, b: char, c: char) -> f64 {
        [(NO_CHAR, NO_CHAR), (NO_CHAR, b), (a, b)]
            .into_iter()
            .fold(1.0 / self.kinds_of_char, |p, (x, y)| self.mix(p, x, y, c))
    }

    /// Probability of `c` in any position.
    pub fn unigram(&self, c: char) -> f64 {
        self.mix(1.0 / self.kinds_of_char, NO_CHAR, NO_CHAR, c)
    }

    /// The probability `p` of a shorter context, corrected by a longer one.
    fn mix(&self, p: f64, x: char, y: char, c: char) -> f64 {
        let Some(seen) = self.contexts.get(&pack(NO_CHAR, x, y)) else { return p };
        let count = self.counts.get(&pack(x, y, c)).copied().unwrap_or(0.0);
        (f64::from(count) + f64::from(seen.kinds) * p) / f64::from(seen.total + seen.kinds)
    }

    /// Natural logarithm of the probability that a run begins with these characters.
    pub fn log_prob(&self, run: impl Iterator<Item = char>) -> f64 {
        self.log_prob_after((START, START), run)
    }

    /// The same for characters that follow two others.
    pub fn log_prob_after(&self, before: (char, char), run: impl Iterator<Item = char>) -> f64 {
        let (mut a, mut b) = before;
        let mut sum = 0.0;
        for c in run {
            sum += self.prob(a, b, c).ln();
            (a, b) = (b, c);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_over_what_was_seen_and_what_was_not() {
        let alphabet = 8000;
        let mut m = CharModel::new(alphabet);
        m.learn("今文作某今文爲某".chars());
        m.learn_in_part("古文作某".chars(), 0.5);
        let seen: Vec<char> = "今文作某爲古".chars().chain([END]).collect();
        let p: f64 = seen.iter().map(|&c| m.prob('今', '文', c)).sum();
        let unseen = m.prob('今', '文', '龘');
        assert!((p + unseen * (alphabet - seen.len()) as f64 - 1.0).abs() < 1e-5, "{p} {unseen}");
    }
}
