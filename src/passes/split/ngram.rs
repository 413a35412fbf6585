//! A character trigram model with Witten–Bell smoothing (Witten & Bell 1991, "The zero-frequency problem").
//!
//! Small training texts are the rule here (a chapter, sometimes less), where Witten–Bell's trust in a context that was
//! seen with few different successors does better than add-one. Counts are real numbers, so that uncertain text can be
//! learned from in part.

use rustc_hash::FxHashMap;

/// Stands before the first character of a run.
pub const BEGIN: char = '\u{2}';
/// Stands after the last character of a run.
pub const END: char = '\u{3}';
/// Characters assumed to exist, for those never seen.
const VOCABULARY: f64 = 8000.0;

#[derive(Clone, Copy, Default)]
struct Context {
    total: f32,
    types: f32,
}

/// Counts of characters after up to two characters of context.
#[derive(Clone, Default)]
pub struct Trigrams {
    counts: FxHashMap<u64, f32>,
    contexts: FxHashMap<u64, Context>,
}

/// Up to three characters in one number; 21 bits each, plus one so that an absent character differs from U+0000.
fn pack(a: Option<char>, b: Option<char>, c: Option<char>) -> u64 {
    let bits = |c: Option<char>| c.map_or(0, |c| c as u64 + 1);
    bits(a) << 42 | bits(b) << 21 | bits(c)
}

impl Trigrams {
    /// Learns a run of characters, beginning and end included, with a weight.
    pub fn learn(&mut self, run: &[char], weight: f32) {
        let (mut a, mut b) = (BEGIN, BEGIN);
        for &c in run.iter().chain([&END]) {
            for (ctx, gram) in [
                (pack(None, None, None), pack(None, None, Some(c))),
                (pack(None, None, Some(b)), pack(None, Some(b), Some(c))),
                (pack(None, Some(a), Some(b)), pack(Some(a), Some(b), Some(c))),
            ] {
                let n = self.counts.entry(gram).or_insert(0.0);
                let context = self.contexts.entry(ctx).or_default();
                // A type is counted once it has been seen with full weight.
                context.types += (*n + weight).min(1.0) - n.min(1.0);
                *n += weight;
                context.total += weight;
            }
            (a, b) = (b, c);
        }
    }

    /// Natural logarithm of the probability of `c` after `a`, `b`.
    pub fn log_p(&self, a: char, b: char, c: char) -> f64 {
        let p0 = self.mix(pack(None, None, None), pack(None, None, Some(c)), 1.0 / VOCABULARY);
        let p1 = self.mix(pack(None, None, Some(b)), pack(None, Some(b), Some(c)), p0);
        self.mix(pack(None, Some(a), Some(b)), pack(Some(a), Some(b), Some(c)), p1).ln()
    }

    fn mix(&self, context: u64, gram: u64, backoff: f64) -> f64 {
        let Some(ctx) = self.contexts.get(&context).filter(|c| c.total > 0.0) else { return backoff };
        // The unigram context packs to the same number as "no gram": kept apart by the tables.
        let n = f64::from(self.counts.get(&gram).copied().unwrap_or(0.0));
        (n + f64::from(ctx.types) * backoff) / f64::from(ctx.total + ctx.types)
    }
}

/// How probable a run of characters is wherever it begins and ends: prefix sums over one paragraph.
pub struct Scored {
    /// `sum[k]`: log probability of the first `k` characters, each after the two before it.
    sum: Vec<f64>,
    /// What beginning a run at `k` adds, for runs of one character and of more.
    begin: Vec<[f64; 2]>,
    /// What ending a run before `k` adds.
    end: Vec<f64>,
}

impl Scored {
    /// Scores every run of `chars` at once.
    pub fn new(model: &Trigrams, chars: &[char]) -> Self {
        let at = |k: usize| if k == 0 { BEGIN } else { chars[k - 1] };
        let before = |k: usize| if k < 2 { BEGIN } else { chars[k - 2] };
        let each: Vec<f64> = (0..chars.len()).map(|k| model.log_p(before(k), at(k), chars[k])).collect();
        let mut sum = vec![0.0];
        for e in &each {
            sum.push(sum[sum.len() - 1] + e);
        }
        let begin = (0..chars.len())
            .map(|k| {
                let first = model.log_p(BEGIN, BEGIN, chars[k]) - each[k];
                let second = chars.get(k + 1).map_or(0.0, |&c| model.log_p(BEGIN, chars[k], c) - each[k + 1]);
                [first, first + second]
            })
            .collect();
        let end = (0..=chars.len()).map(|k| model.log_p(before(k), at(k), END)).collect();
        Scored { sum, begin, end }
    }

    /// Log probability of the characters `from..to`, as if the run went on at both sides.
    pub fn body(&self, from: usize, to: usize) -> f64 {
        self.sum[to] - self.sum[from]
    }

    /// What it adds that a run begins at `from` (and is not over before `to`).
    pub fn begin(&self, from: usize, to: usize) -> f64 {
        self.begin[from][usize::from(to - from > 1)]
    }

    /// What it adds that a run ends before `to`.
    pub fn end(&self, to: usize) -> f64 {
        self.end[to]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_over_what_was_seen_and_what_was_not() {
        let mut m = Trigrams::default();
        m.learn(&"今文作某今文爲某".chars().collect::<Vec<_>>(), 1.0);
        m.learn(&"古文作某".chars().collect::<Vec<_>>(), 0.5);
        let seen: Vec<char> = "今文作某爲古".chars().chain([END]).collect();
        let p: f64 = seen.iter().map(|&c| m.log_p('今', '文', c).exp()).sum();
        let unseen = m.log_p('今', '文', '龘').exp();
        assert!((p + unseen * (VOCABULARY - seen.len() as f64) - 1.0).abs() < 1e-5, "{p} {unseen}");
    }

    #[test]
    fn prefix_sums_agree_with_the_model() {
        let mut m = Trigrams::default();
        m.learn(&"主人坐取爵于篚".chars().collect::<Vec<_>>(), 1.0);
        let chars: Vec<char> = "賓主人坐取爵興".chars().collect();
        let s = Scored::new(&m, &chars);
        let slow = |run: &[char]| {
            let padded: Vec<char> = [BEGIN, BEGIN].iter().chain(run).chain([&END]).copied().collect();
            padded.windows(3).map(|w| m.log_p(w[0], w[1], w[2])).sum::<f64>()
        };
        for (from, to) in [(0, 7), (2, 5), (3, 4)] {
            let run = slow(&chars[from..to]);
            // The end is scored after the two characters before it, whatever run they are of.
            assert!(
                (s.body(from, to) + s.begin(from, to) + s.end(to) - run).abs() < if to - from == 1 { 3.0 } else { 1e-9 },
                "{from}..{to}"
            );
        }
    }
}
