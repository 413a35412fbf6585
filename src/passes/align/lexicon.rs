//! How much more often a character of the translation occurs with a character of the classic than
//! elsewhere: IBM model 1 (Brown et al. 1993) on characters, trained on beads, in both directions.
//!
//! All values are ratios r = p(t | s) / p(t), which scores and the EM step use; a ratio of 1 means
//! independence. The prior is a Dirichlet: a character expects itself and the characters that
//! `prior.tsv` lists for it, if they occur in the translation, and otherwise the frequencies of the
//! other side. Only ratios that the prior or a bead changed are stored, row by row.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::pair::TokenSide;
use super::words;
use crate::text::fold::fold;

static PRIOR: &str = include_str!("prior.tsv");
/// The same with words of English, and with the Korean readings of characters.
static WORDS: &str = include_str!("words-en.tsv");
static READINGS: &str = include_str!("readings-ko.tsv");

/// Weight of the Dirichlet prior, in characters seen.
const PRIOR_WEIGHT_CHARS: f32 = 2.0;
/// Share of the prior that a character gives to itself.
const SAME_CHAR_SHARE: f32 = 0.5;
/// Share of the prior that it gives to the characters listed for it.
const LISTED_SHARE: f32 = 0.35;
/// Share of the NULL word, for characters without a cause on the other side.
pub const NULL_SHARE: f32 = 0.25;
/// A ratio that exceeds that of pairs that are not stored by less than this is not stored.
const NEGLIGIBLE_RATIO: f32 = 0.05;

/// A bead to train on, with its weight.
#[derive(Clone, Debug)]
pub struct Example {
    /// Units of the classic.
    pub source: std::ops::Range<usize>,
    /// Units of the translation.
    pub translation: std::ops::Range<usize>,
    /// Weight, 0 to 1.
    pub weight: f32,
}

/// The pairs of characters that are stored, with ratios for both directions.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Start of each source character's row in the other fields, and the end of the last.
    rows: Vec<u32>,
    /// Characters of the translation, ascending within a row.
    columns: Vec<u16>,
    forth: Vec<f32>,
    back: Vec<f32>,
}

impl Table {
    fn row(&self, s: u16) -> std::ops::Range<usize> {
        self.rows[usize::from(s)] as usize..self.rows[usize::from(s) + 1] as usize
    }

    fn find(&self, s: u16, t: u16) -> Option<usize> {
        let row = self.row(s);
        self.columns[row.clone()].binary_search(&t).ok().map(|k| row.start + k)
    }
}

/// Ratios for both directions.
#[derive(Clone, Debug)]
struct Ratios {
    forth: Vec<f32>,
    back: Vec<f32>,
    /// p(t | s) / p(t) of pairs that are not stored, by s.
    forth_else: Vec<f32>,
    /// p(s | t) / p(s) of pairs that are not stored, by t.
    back_else: Vec<f32>,
}

/// What is known about pairs of characters, to be looked up.
#[derive(Clone, Debug)]
pub struct Lexicon {
    table: Table,
    forth_else: Vec<f32>,
    back_else: Vec<f32>,
}

impl Lexicon {
    /// Pairs whose ratios hardly differ from those of pairs that are not stored are dropped: after
    /// training most are such.
    fn new(table: &Table, ratios: Ratios) -> Self {
        let mut kept = Table { rows: vec![0], ..Table::default() };
        for s in 0..table.rows.len() - 1 {
            for k in table.row(s as u16) {
                let t = usize::from(table.columns[k]);
                if ratios.forth[k] - ratios.forth_else[s] > NEGLIGIBLE_RATIO
                    || ratios.back[k] - ratios.back_else[t] > NEGLIGIBLE_RATIO
                {
                    kept.columns.push(table.columns[k]);
                    kept.forth.push(ratios.forth[k]);
                    kept.back.push(ratios.back[k]);
                }
            }
            kept.rows.push(kept.columns.len() as u32);
        }
        Lexicon { table: kept, forth_else: ratios.forth_else, back_else: ratios.back_else }
    }

    /// p(t | s) / p(t).
    pub fn forth(&self, s: u16, t: u16) -> f32 {
        self.table.find(s, t).map_or(self.forth_else[usize::from(s)], |k| self.table.forth[k])
    }
}

/// The ratios of some characters of the classic, spread out over the characters of the
/// translation.
#[derive(Default)]
pub struct Scratch<'l> {
    lexicon: Option<&'l Lexicon>,
    /// Zero between uses.
    forth: Vec<f32>,
    /// The ratios of pairs that are not stored, between uses.
    back: Vec<f32>,
}

impl<'l> Scratch<'l> {
    /// Sets the lexicon to use.
    pub fn prepare(&mut self, lexicon: &'l Lexicon) {
        if !self.lexicon.is_some_and(|l| std::ptr::eq(l, lexicon)) {
            self.forth = vec![0.0; lexicon.back_else.len()];
            self.back.clone_from(&lexicon.back_else);
            self.lexicon = Some(lexicon);
        }
    }

    /// For each of some characters of the translation, the sum of p(t | s) / p(t) over the
    /// characters of a unit of the classic.
    pub fn sums(&mut self, unit: &[u16], tokens: &[u16]) -> Vec<f32> {
        let Some(Lexicon { table, forth_else, .. }) = self.lexicon else { return Vec::new() };
        let mut others = 0.0;
        for &s in unit {
            let other = forth_else[usize::from(s)];
            for k in table.row(s) {
                self.forth[usize::from(table.columns[k])] += table.forth[k] - other;
            }
            others += other;
        }
        let sums = tokens.iter().map(|&t| self.forth[usize::from(t)] + others).collect();
        for k in unit.iter().flat_map(|&s| table.row(s)) {
            self.forth[usize::from(table.columns[k])] = 0.0;
        }
        sums
    }

    /// For each of some units of the translation, the sum of p(s | t) / p(s) over its characters;
    /// zero in what is left of `sums`.
    pub fn back_sums(
        &mut self,
        s: u16,
        translation: &TokenSide,
        units: std::ops::Range<usize>,
        sums: &mut [f32],
    ) {
        let Some(Lexicon { table, back_else, .. }) = self.lexicon else { return };
        let row = table.row(s);
        let columns = &table.columns[row.clone()];
        for (&t, ratio) in columns.iter().zip(&table.back[row]) {
            self.back[usize::from(t)] = *ratio;
        }
        sums.fill(0.0);
        for (sum, j) in sums.iter_mut().zip(units) {
            let back = |t: u16| self.back[usize::from(t)];
            *sum = match translation.counted(j) {
                Some(counted) => counted.iter().map(|&(t, n)| n as f32 * back(t)).sum(),
                None => translation.slice(j, j + 1).iter().map(|&t| back(t)).sum(),
            };
        }
        for &t in columns {
            self.back[usize::from(t)] = back_else[usize::from(t)];
        }
    }
}

/// The prior of a pair, from which training starts.
pub struct Prior<'a> {
    source: &'a TokenSide,
    translation: &'a TokenSide,
    /// Expected pairs, in order, with their prior ratios.
    special: Vec<(u16, u16, f32, f32)>,
    /// Prior ratio of other pairs, by source character.
    forth_else: Vec<f32>,
    /// The same by character of the translation.
    back_else: Vec<f32>,
}

impl<'a> Prior<'a> {
    /// The prior for a pair. `listed`: whether to use the embedded list besides identity.
    pub fn new(source: &'a TokenSide, translation: &'a TokenSide, listed: bool) -> Self {
        let of_translation: FxHashMap<char, u16> =
            translation.chars.iter().enumerate().map(|(i, c)| (*c, i as u16)).collect();
        let list = if listed { list() } else { FxHashMap::default() };
        let mut pairs: Vec<(u16, u16, bool)> = Vec::new();
        for (s, c) in source.chars.iter().enumerate() {
            let own = of_translation.get(c).map(|&t| (s as u16, t, true));
            let others = list
                .get(c)
                .into_iter()
                .flatten()
                .filter(|d| *d != c)
                .filter_map(|d| of_translation.get(d));
            pairs.extend(own.into_iter().chain(others.map(|&t| (s as u16, t, false))));
        }
        pairs.sort_unstable();
        let (forth, forth_else) = dirichlet(
            pairs.iter().map(|p| (p.0, p.1, p.2)),
            &translation.share,
            source.chars.len(),
        );
        let (back, back_else) = dirichlet(
            pairs.iter().map(|p| (p.1, p.0, p.2)),
            &source.share,
            translation.chars.len(),
        );
        let special =
            pairs.iter().zip(forth.iter().zip(back)).map(|(p, (f, b))| (p.0, p.1, *f, b)).collect();
        Prior { source, translation, special, forth_else, back_else }
    }

    /// The prior as a lexicon, for the first alignment.
    pub fn lexicon(&self) -> Lexicon {
        let table = self.table(std::iter::empty());
        Lexicon::new(&table, self.ratios(&table))
    }

    fn ratios(&self, table: &Table) -> Ratios {
        Ratios {
            forth: table.forth.clone(),
            back: table.back.clone(),
            forth_else: self.forth_else.clone(),
            back_else: self.back_else.clone(),
        }
    }

    fn table(&self, pairs: impl Iterator<Item = (u16, u16)>) -> Table {
        let mut keys: Vec<u32> =
            pairs.chain(self.special.iter().map(|p| (p.0, p.1))).map(|(s, t)| key(s, t)).collect();
        keys.par_sort_unstable();
        keys.dedup();
        let mut table = Table {
            rows: vec![0; self.source.chars.len() + 1],
            columns: keys.iter().map(|k| *k as u16).collect(),
            forth: keys.iter().map(|k| self.forth_else[(k >> 16) as usize]).collect(),
            back: keys.iter().map(|k| self.back_else[usize::from(*k as u16)]).collect(),
        };
        for k in &keys {
            table.rows[(k >> 16) as usize + 1] += 1;
        }
        for s in 1..table.rows.len() {
            table.rows[s] += table.rows[s - 1];
        }
        for &(s, t, forth, back) in &self.special {
            if let Some(k) = table.find(s, t) {
                (table.forth[k], table.back[k]) = (forth, back);
            }
        }
        table
    }

    /// Prepares training on examples, all or some of them.
    pub fn training(&self, examples: Vec<Example>) -> Training<'_> {
        let pairs = examples.iter().flat_map(|e| {
            let (a, b) = self.sides(e);
            a.iter().flat_map(move |&s| b.iter().map(move |&t| (s, t)))
        });
        let table = self.table(pairs);
        let cells = examples
            .par_iter()
            .map(|e| {
                let (a, b) = self.sides(e);
                a.iter()
                    .flat_map(|&s| {
                        b.iter()
                            .filter_map(|&t| table.find(s, t))
                            .map(|k| k as u32)
                            .collect::<Vec<_>>()
                    })
                    .collect()
            })
            .collect();
        Training { prior: self, table, examples, cells }
    }

    fn sides(&self, e: &Example) -> (&[u16], &[u16]) {
        (
            self.source.slice(e.source.start, e.source.end),
            self.translation.slice(e.translation.start, e.translation.end),
        )
    }
}

fn key(s: u16, t: u16) -> u32 {
    u32::from(s) << 16 | u32::from(t)
}

/// Prior ratios of expected pairs `(from, to, the same character)` and, by `from`, of all others.
fn dirichlet(
    pairs: impl Iterator<Item = (u16, u16, bool)> + Clone,
    share: &[f32],
    size: usize,
) -> (Vec<f32>, Vec<f32>) {
    let mut listed = vec![0u16; size];
    let mut other = vec![1.0f32; size];
    for (from, _, own) in pairs.clone() {
        let from = usize::from(from);
        if own {
            other[from] -= SAME_CHAR_SHARE;
        } else {
            other[from] -= if listed[from] == 0 { LISTED_SHARE } else { 0.0 };
            listed[from] += 1;
        }
    }
    let ratio = |(from, to, own): (u16, u16, bool)| {
        let mass =
            if own { SAME_CHAR_SHARE } else { LISTED_SHARE / f32::from(listed[usize::from(from)]) };
        other[usize::from(from)] + mass / share[usize::from(to)]
    };
    (pairs.map(ratio).collect(), other)
}

/// Examples prepared for training.
pub struct Training<'a> {
    prior: &'a Prior<'a>,
    table: Table,
    examples: Vec<Example>,
    /// For each example, the stored index of each source character with each character of the
    /// translation.
    cells: Vec<Vec<u32>>,
}

impl Training<'_> {
    /// Trains on the examples that `pass`, with `rounds` of EM.
    pub fn train(&self, rounds: usize, pass: impl Fn(&Example) -> bool) -> Lexicon {
        let mut now = self.prior.ratios(&self.table);
        for _ in 0..rounds {
            self.round(&mut now, &pass);
        }
        Lexicon::new(&self.table, now)
    }

    fn round(&self, now: &mut Ratios, pass: impl Fn(&Example) -> bool) {
        let (mut forth, mut back) = (vec![0f32; now.forth.len()], vec![0f32; now.back.len()]);
        for (example, cells) in self.examples.iter().zip(&self.cells).filter(|(e, _)| pass(e)) {
            let (a, b) = self.prior.sides(example);
            let at = |s: usize, t: usize| cells[s * b.len() + t] as usize;
            let renders = Effects { causes: a.len(), effects: b.len(), weight: example.weight };
            renders.expect(&now.forth, &mut forth, at);
            let rendered = Effects { causes: b.len(), effects: a.len(), weight: example.weight };
            rendered.expect(&now.back, &mut back, |t, s| at(s, t));
        }
        let (rows, columns) = (self.prior.source.chars.len(), self.prior.translation.chars.len());
        let (mut of_s, mut of_t) = (vec![0f32; rows], vec![0f32; columns]);
        for (s, sum) in of_s.iter_mut().enumerate() {
            for k in self.table.row(s as u16) {
                *sum += forth[k];
                of_t[usize::from(self.table.columns[k])] += back[k];
            }
        }
        for s in 0..rows {
            now.forth_else[s] =
                PRIOR_WEIGHT_CHARS * self.prior.forth_else[s] / (of_s[s] + PRIOR_WEIGHT_CHARS);
            for k in self.table.row(s as u16) {
                let t = usize::from(self.table.columns[k]);
                now.forth[k] = (forth[k] / self.prior.translation.share[t]
                    + PRIOR_WEIGHT_CHARS * self.table.forth[k])
                    / (of_s[s] + PRIOR_WEIGHT_CHARS);
                now.back[k] = (back[k] / self.prior.source.share[s]
                    + PRIOR_WEIGHT_CHARS * self.table.back[k])
                    / (of_t[t] + PRIOR_WEIGHT_CHARS);
            }
        }
        for t in 0..columns {
            now.back_else[t] =
                PRIOR_WEIGHT_CHARS * self.prior.back_else[t] / (of_t[t] + PRIOR_WEIGHT_CHARS);
        }
    }
}

/// The characters of one side of an example, as effects of those of the other.
struct Effects {
    causes: usize,
    effects: usize,
    weight: f32,
}

impl Effects {
    /// Adds the expected counts: each effect is divided among its possible causes. `at` is the
    /// stored index of a cause with an effect.
    fn expect(&self, ratio: &[f32], counts: &mut [f32], at: impl Fn(usize, usize) -> usize) {
        let each = (1.0 - NULL_SHARE) / self.causes.max(1) as f32;
        for e in 0..self.effects {
            let of_causes: f32 = (0..self.causes).map(|c| ratio[at(c, e)]).sum();
            let part = self.weight * each / (NULL_SHARE + each * of_causes);
            for c in 0..self.causes {
                let k = at(c, e);
                counts[k] += part * ratio[k];
            }
        }
    }
}

/// The embedded list: a character of the classics, and the characters of modern words for it.
fn list() -> FxHashMap<char, Vec<char>> {
    let mut list: FxHashMap<char, Vec<char>> = FxHashMap::default();
    let rows = |table: &'static str| {
        table.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once('\t'))
    };
    let characters = rows(PRIOR).chain(rows(READINGS));
    let characters = characters.map(|(c, all)| (c, all.chars().map(fold).collect()));
    let signs = |all: &str| all.split(' ').map(words::sign).collect::<Vec<char>>();
    let words = rows(WORDS).map(|(c, all)| (c, signs(all)));
    for (classic, modern) in characters.chain(words) {
        for c in classic.chars() {
            let all = list.entry(fold(c)).or_default();
            for m in modern.iter().copied() {
                if !all.contains(&m) {
                    all.push(m);
                }
            }
        }
    }
    list
}
