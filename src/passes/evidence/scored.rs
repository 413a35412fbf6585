//! Scores of a paragraph's runs under a character model. Prefix sums make each score take constant
//! time.

use crate::text::ngram::{CharModel, END, START};

fn log_p(model: &CharModel, a: char, b: char, c: char) -> f64 {
    model.prob(a, b, c).ln()
}

/// Log probabilities of one paragraph's runs, as prefix sums.
pub struct Scored {
    /// `sum[k]`: log probability of the first `k` characters, each after the two before it.
    sum: Vec<f64>,
    /// What beginning a run at `k` adds: for a run of one character, and for a longer one.
    begin: Vec<[f64; 2]>,
    /// What ending a run before `k` adds.
    end: Vec<f64>,
    /// How rare each character is: minus its log probability without context.
    pub rarity: Vec<f64>,
}

impl Scored {
    /// Prepares the scores of all runs of `chars`.
    pub fn new(model: &CharModel, chars: &[char]) -> Self {
        let at = |k: usize| if k == 0 { START } else { chars[k - 1] };
        let before = |k: usize| if k < 2 { START } else { chars[k - 2] };
        let each: Vec<f64> =
            (0..chars.len()).map(|k| log_p(model, before(k), at(k), chars[k])).collect();
        let mut sum = vec![0.0];
        for e in &each {
            sum.push(sum[sum.len() - 1] + e);
        }
        let begin = (0..chars.len())
            .map(|k| {
                let first = log_p(model, START, START, chars[k]) - each[k];
                let second = chars
                    .get(k + 1)
                    .map_or(0.0, |&c| log_p(model, START, chars[k], c) - each[k + 1]);
                [first, first + second]
            })
            .collect();
        let end = (0..=chars.len()).map(|k| log_p(model, before(k), at(k), END)).collect();
        let rarity = chars.iter().map(|c| -model.unigram(*c).ln()).collect();
        Scored { sum, begin, end, rarity }
    }

    /// Log probability of the characters `from..to`, as if the run went on at both ends.
    pub fn body(&self, from: usize, to: usize) -> f64 {
        self.sum[to] - self.sum[from]
    }

    /// What to add to [`Scored::body`] because the run begins at `from`. A run of one character has
    /// a number of its own.
    pub fn begin(&self, from: usize, to: usize) -> f64 {
        self.begin[from][usize::from(to - from > 1)]
    }

    /// What to add to [`Scored::body`] because the run ends before `to`.
    pub fn end(&self, to: usize) -> f64 {
        self.end[to]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_sums_agree_with_the_model() {
        let mut m = CharModel::new(8000);
        m.learn("主人坐取爵于篚".chars());
        let chars: Vec<char> = "賓主人坐取爵興".chars().collect();
        let s = Scored::new(&m, &chars);
        for (from, to) in [(0, 7), (2, 5), (1, 3)] {
            let run = m.log_prob(chars[from..to].iter().copied().chain([END]));
            assert!(
                (s.body(from, to) + s.begin(from, to) + s.end(to) - run).abs() < 1e-9,
                "{from}..{to}"
            );
        }
    }
}
