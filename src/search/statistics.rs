//! Figures about hits: which forms they have, which characters are near them.

use std::collections::{BTreeSet, HashMap};

use super::answer::Window;
use super::eval;
use super::found::{SearchResults, ranked};
use super::units::runs_on;
use crate::diag::Error;

/// A character that occurs near hits.
#[derive(Clone, Debug, PartialEq)]
pub struct Collocate {
    /// The character, folded.
    pub character: char,
    /// How often it occurs near a hit.
    pub near: usize,
    /// How often it occurs in everything that the query searches, see [`SearchResults::reach`].
    pub in_reach: u64,
    /// Log-likelihood ratio (Dunning 1993); negative if it occurs near hits less often than
    /// elsewhere.
    pub score: f64,
}

/// What a query searches: the layers, speakers and works it names, or all of the index if it names
/// none. Collocates are compared with this.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The layers, by their Chinese names; empty for all.
    pub layers: Vec<String>,
    /// Works and chapters; empty for all.
    pub texts: Vec<String>,
    /// Characters of the text, punctuation and marks not counted.
    pub characters: u64,
    /// The regions of each file of the index; `None` for all.
    regions: Vec<Option<Vec<bool>>>,
}

impl SearchResults<'_> {
    /// The forms of the hits as the texts have them, without punctuation, and how often each
    /// occurs, the most frequent first.
    ///
    /// # Errors When the index cannot be read or is damaged.
    pub fn frequencies(&self) -> Result<Vec<(String, usize)>, Error> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for hit in &self.hits {
            *counts.entry(Window::of(self.index, hit, 0)?.form()).or_default() += 1;
        }
        Ok(ranked(counts))
    }

    /// Sequences of `n` folded characters that contain a hit, and how often each occurs, the most
    /// frequent first. A hit longer than `n` counts alone.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn ngrams(&self, n: usize) -> Result<Vec<(String, usize)>, Error> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for hit in &self.hits {
            let window = Window::of(self.index, hit, n)?;
            let words = window.chars();
            let around = n.saturating_sub(words.len());
            let mut all: Vec<char> = window.chars_before(around).into_iter().rev().collect();
            all.extend(&words);
            all.extend(window.chars_after(around));
            for gram in all.windows(n.max(words.len())) {
                *counts.entry(gram.iter().collect()).or_default() += 1;
            }
        }
        Ok(ranked(counts))
    }

    /// Characters within `n` of a hit, in its run, the most strongly attracted first. Each is
    /// compared with how often it occurs in everything that the query searches: what is near 今文 in
    /// the 注 is compared with the 注.
    ///
    /// # Errors When the index cannot be read or is damaged.
    pub fn collocates(&self, n: usize) -> Result<Vec<Collocate>, Error> {
        let mut counts: HashMap<char, usize> = HashMap::new();
        for hit in &self.hits {
            let window = Window::of(self.index, hit, n)?;
            for c in window.chars_before(n).into_iter().chain(window.chars_after(n)) {
                *counts.entry(c).or_default() += 1;
            }
        }
        let reach = self.reach()?;
        let around: usize = counts.values().sum();
        let mut collocates = Vec::with_capacity(counts.len());
        for (character, near) in counts {
            let mut in_reach = 0;
            for (file, regions) in self.index.files.iter().zip(&reach.regions) {
                in_reach += eval::frequency(file, character, regions.as_deref())?;
            }
            let score = log_likelihood(
                near as f64,
                around as f64,
                in_reach as f64,
                reach.characters as f64,
            );
            collocates.push(Collocate { character, near, in_reach, score });
        }
        collocates.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.character.cmp(&b.character))
        });
        Ok(collocates)
    }

    /// What the query searches.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn reach(&self) -> Result<Reach, Error> {
        let regions = eval::reach(self.index, &self.node)?;
        let (mut layers, mut texts, mut others) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let (mut characters, mut every_layer) = (0, true);
        for (file, reached) in self.index.files.iter().zip(&regions) {
            for (i, region) in file.regions()?.iter().enumerate() {
                let text = file.meta(region.doc)?.text_name();
                if reached.as_ref().is_some_and(|r| !r[i]) {
                    others.insert(text);
                    every_layer = false;
                    continue;
                }
                layers.insert(region.sub.unwrap_or(region.layer));
                texts.insert(text);
                let breaks = if runs_on(region.layer) { 1 } else { region.unit_end - region.unit };
                characters += u64::from((region.end - region.first).saturating_sub(breaks));
            }
        }
        let whole = others.is_subset(&texts);
        Ok(Reach {
            layers: if every_layer {
                vec![]
            } else {
                layers.iter().map(|l| l.zh().to_string()).collect()
            },
            texts: if whole { vec![] } else { texts.into_iter().collect() },
            characters,
            regions,
        })
    }
}

/// Log-likelihood ratio for the hypothesis that `a` of `c` and `f - a` of `all - c` have one rate,
/// negative if `a` is less than expected.
fn log_likelihood(a: f64, c: f64, f: f64, all: f64) -> f64 {
    // Windows overlap, so a character may be counted near hits more often than it occurs.
    let (b, d) = ((f - a).max(0.0), (all - c).max(1.0));
    let rate = (a + b) / (c + d);
    let term = |n: f64, expected: f64| {
        if n > 0.0 && expected > 0.0 { n * (n / expected).ln() } else { 0.0 }
    };
    let g = 2.0 * (term(a, c * rate) + term(b, d * rate));
    if a < c * rate { -g } else { g }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_near_hits_more_often_than_by_chance_score_high() {
        assert!(log_likelihood(50.0, 1000.0, 60.0, 1e6) > 100.0);
        assert!(log_likelihood(1.0, 1000.0, 50_000.0, 1e6) < 0.0);
        assert!(log_likelihood(10.0, 1000.0, 10_000.0, 1e6).abs() < 0.01);
        assert!(log_likelihood(5.0, 5.0, 1.0, 5.0).is_finite());
    }
}
