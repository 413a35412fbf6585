//! How much more often a character of the translation stands where a character of the classic stands than it does
//! elsewhere: IBM model 1 (Brown et al. 1993) on characters, trained on beads, in both directions.
//!
//! Everything is kept as the ratio r = p(t | s) / p(t), since that is what scores use and what the EM step needs; a
//! ratio of 1 says nothing. The prior is a Dirichlet: a character expects itself, and what `prior.tsv` lists for it, as
//! far as these occur in the translation; the rest expects the side's own frequencies.

use rustc_hash::FxHashMap;

use super::pair::Side;
use crate::text::fold::fold;

static PRIOR: &str = include_str!("prior.tsv");

/// Weight of the Dirichlet prior, in characters seen.
const ALPHA: f32 = 3.0;
/// Share of the prior a character gives to itself.
const SELF: f32 = 0.5;
/// Share of the prior it gives to the characters listed for it.
const LISTED: f32 = 0.35;
/// Share of the NULL word: characters that nothing on the other side explains.
pub const NULL: f32 = 0.25;

/// Sentences that were put together, and how surely.
#[derive(Clone, Debug)]
pub struct Example {
    /// Units of the classic.
    pub source: std::ops::Range<usize>,
    /// Units of the translation.
    pub translation: std::ops::Range<usize>,
    /// Weight, 0 to 1.
    pub weight: f32,
}

/// Ratios for both directions, `[source character][character of the translation]`.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// Distinct characters of the translation: the width of a row.
    pub width: usize,
    /// p(t | s) / p(t).
    pub forth: Vec<f32>,
    /// p(s | t) / p(s).
    pub back: Vec<f32>,
}

/// The prior alone, and what training starts from again each time.
pub struct Prior {
    lexicon: Lexicon,
}

impl Prior {
    /// For a pair. `listed`: whether to use the embedded list besides identity.
    pub fn new(source: &Side, translation: &Side, listed: bool) -> Self {
        let width = translation.chars.len();
        let mut lexicon =
            Lexicon { width, forth: vec![1.0; source.chars.len() * width], back: vec![1.0; source.chars.len() * width] };
        let of_source = index(&source.chars);
        let of_translation = index(&translation.chars);
        let list = if listed { list() } else { FxHashMap::default() };
        for (s, c) in source.chars.iter().enumerate() {
            let own = of_translation.get(c).copied();
            let others: Vec<usize> =
                list.get(c).into_iter().flatten().filter(|d| *d != c).filter_map(|d| of_translation.get(d).copied()).collect();
            let row = &mut lexicon.forth[s * width..(s + 1) * width];
            spread(row, &translation.share, own, &others);
        }
        let mut reverse: FxHashMap<char, Vec<char>> = FxHashMap::default();
        for (c, all) in &list {
            for d in all {
                reverse.entry(*d).or_default().push(*c);
            }
        }
        let mut column = vec![1.0; source.chars.len()];
        for (t, d) in translation.chars.iter().enumerate() {
            let own = of_source.get(d).copied();
            let others: Vec<usize> =
                reverse.get(d).into_iter().flatten().filter(|c| *c != d).filter_map(|c| of_source.get(c).copied()).collect();
            column.fill(1.0);
            spread(&mut column, &source.share, own, &others);
            for (s, r) in column.iter().enumerate() {
                lexicon.back[s * width + t] = *r;
            }
        }
        Prior { lexicon }
    }

    /// The prior as a lexicon, for a first look.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Trains on examples; `rounds` of EM.
    pub fn train(&self, source: &Side, translation: &Side, examples: &[Example], rounds: usize) -> Lexicon {
        let mut now = self.lexicon.clone();
        for _ in 0..rounds {
            let forth = count(&now.forth, now.width, source, translation, examples, false);
            let back = count(&now.back, now.width, source, translation, examples, true);
            self.update(&mut now, source, translation, &forth, &back);
        }
        now
    }

    fn update(&self, now: &mut Lexicon, source: &Side, translation: &Side, forth: &[f32], back: &[f32]) {
        let width = now.width;
        let mut columns = vec![0f32; width];
        for row in back.chunks_exact(width.max(1)) {
            for (sum, c) in columns.iter_mut().zip(row) {
                *sum += c;
            }
        }
        for s in 0..source.chars.len() {
            let row = s * width..(s + 1) * width;
            let sum: f32 = forth[row.clone()].iter().sum();
            for (t, i) in row.enumerate() {
                now.forth[i] = (forth[i] / translation.share[t] + ALPHA * self.lexicon.forth[i]) / (sum + ALPHA);
                now.back[i] = (back[i] / source.share[s] + ALPHA * self.lexicon.back[i]) / (columns[t] + ALPHA);
            }
        }
    }
}

fn index(chars: &[char]) -> FxHashMap<char, usize> {
    chars.iter().enumerate().map(|(i, c)| (*c, i)).collect()
}

/// Ratios of one character's prior.
fn spread(row: &mut [f32], share: &[f32], own: Option<usize>, others: &[usize]) {
    let special = own.map_or(0.0, |_| SELF) + if others.is_empty() { 0.0 } else { LISTED };
    row.fill(1.0 - special);
    if let Some(t) = own {
        row[t] += SELF / share[t];
    }
    for &t in others {
        row[t] += LISTED / others.len() as f32 / share[t];
    }
}

/// Expected counts: `[s][t]`, from the translation explained by the classic (or, `back`, the other way).
fn count(ratio: &[f32], width: usize, source: &Side, translation: &Side, examples: &[Example], back: bool) -> Vec<f32> {
    let mut counts = vec![0f32; ratio.len()];
    for example in examples {
        let from = source.slice(example.source.start, example.source.end);
        let to = translation.slice(example.translation.start, example.translation.end);
        let (causes, effects) = if back { (to, from) } else { (from, to) };
        let each = (1.0 - NULL) / causes.len().max(1) as f32;
        for &e in effects {
            let cell = |c: u16| if back { usize::from(e) * width + usize::from(c) } else { usize::from(c) * width + usize::from(e) };
            let all: f32 = NULL + each * causes.iter().map(|&c| ratio[cell(c)]).sum::<f32>();
            for &c in causes {
                counts[cell(c)] += example.weight * each * ratio[cell(c)] / all;
            }
        }
    }
    counts
}

/// The embedded list: a character of the classics, and characters that modern words for it are written with.
fn list() -> FxHashMap<char, Vec<char>> {
    let mut list: FxHashMap<char, Vec<char>> = FxHashMap::default();
    for line in PRIOR.lines().filter(|l| !l.starts_with('#')) {
        let Some((classic, modern)) = line.split_once('\t') else { continue };
        for c in classic.chars() {
            let all = list.entry(fold(c)).or_default();
            for m in modern.chars().map(fold) {
                if !all.contains(&m) {
                    all.push(m);
                }
            }
        }
    }
    list
}
