//! A small character model for telling whose words these are: trigrams with Witten–Bell smoothing (Witten & Bell 1991,
//! method C), learned in one go from a document's own sure words.

use rustc_hash::FxHashMap;

/// Stands before the first character of a run, so that beginnings are learned too.
pub const START: char = '\u{2}';
/// Stands after the last character of a run.
pub const END: char = '\u{3}';

/// What followed a context, and how many different things.
#[derive(Clone, Debug, Default)]
struct Seen {
    total: f64,
    kinds: f64,
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
    contexts: FxHashMap<(char, char), Seen>,
    counts: FxHashMap<(char, char, char), f64>,
}

/// In the place of a character that a shorter context leaves out.
const NONE: char = '\0';

impl CharModel {
    /// An empty model over an alphabet of about `kinds_of_char` characters.
    pub fn new(kinds_of_char: usize) -> Self {
        CharModel { kinds_of_char: kinds_of_char.max(1) as f64, contexts: FxHashMap::default(), counts: FxHashMap::default() }
    }

    /// Learns one run, from its beginning to its end.
    pub fn learn(&mut self, run: impl Iterator<Item = char>) {
        let (mut a, mut b) = (START, START);
        for c in run.chain([END]) {
            for (x, y) in [(a, b), (NONE, b), (NONE, NONE)] {
                let count = self.counts.entry((x, y, c)).or_insert(0.0);
                let seen = self.contexts.entry((x, y)).or_default();
                if *count == 0.0 {
                    seen.kinds += 1.0;
                }
                *count += 1.0;
                seen.total += 1.0;
            }
            (a, b) = (b, c);
        }
    }

    /// Characters learned, ends of runs included.
    pub fn len(&self) -> usize {
        self.contexts.get(&(NONE, NONE)).map_or(0, |s| s.total as usize)
    }
    /// True if nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.contexts.is_empty()
    }

    /// Probability of `c` after `a` `b`.
    pub fn prob(&self, a: char, b: char, c: char) -> f64 {
        let mut p = 1.0 / self.kinds_of_char;
        for (x, y) in [(NONE, NONE), (NONE, b), (a, b)] {
            if let Some(seen) = self.contexts.get(&(x, y)) {
                let count = self.counts.get(&(x, y, c)).copied().unwrap_or(0.0);
                p = (count + seen.kinds * p) / (seen.total + seen.kinds);
            }
        }
        p
    }

    /// Probability of `c` wherever it stands.
    pub fn unigram(&self, c: char) -> f64 {
        let p = 1.0 / self.kinds_of_char;
        let Some(seen) = self.contexts.get(&(NONE, NONE)) else { return p };
        let count = self.counts.get(&(NONE, NONE, c)).copied().unwrap_or(0.0);
        (count + seen.kinds * p) / (seen.total + seen.kinds)
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
