//! Scores of beads, as log odds against chance.
//!
//! For a bead of source units A and translation units B, IBM-1 gives both log p(B | A) − log p(B)
//! and log p(A | B) − log p(A). The two overlap, and characters are not independent, so their sum
//! is multiplied by [`LEXICAL_WEIGHT`]. Length and bead type add their log odds. A character that
//! the other side does not explain costs at most ln [`NULL_SHARE`](super::lexicon::NULL_SHARE), so
//! that an explanation in parentheses does not break a bead.
//!
//! The sums of a bead are sums over (unit, units), so that one table of cells is enough for every
//! type of bead.

use std::ops::Range;

use rayon::prelude::*;

use super::band::Band;
use super::lexicon::{Lexicon, NULL_SHARE};
use super::pair::TokenSide;
use super::step::MAX_BEAD_UNITS;

/// Weight of lexical log odds.
pub const LEXICAL_WEIGHT: f32 = 0.5;

/// Scores of cells (unit of the classic, unit of the translation) inside a band.
pub struct Cells {
    rows: Vec<CellRow>,
}

/// Cells of one unit of the classic and a range of the translation.
#[derive(Clone, Default)]
struct CellRow {
    from: usize,
    /// `[n - 1]`: log odds of a unit of the translation given n units of the classic, from this one
    /// on.
    forth: Vec<[f32; MAX_BEAD_UNITS]>,
    /// `[m - 1]`: log odds of this unit of the classic given m units of the translation, from that
    /// one on.
    back: Vec<[f32; MAX_BEAD_UNITS]>,
}

impl Cells {
    /// Scores all cells of a band. `lexicon` gives the lexicon for a row, which must not be trained
    /// on that row.
    pub fn new<'a>(
        source: &TokenSide,
        translation: &TokenSide,
        band: &Band,
        lexicon: impl Fn(usize) -> &'a Lexicon + Sync,
    ) -> Self {
        const BLOCK_UNITS: usize = 64;
        let blocks: Vec<usize> = (0..source.len()).step_by(BLOCK_UNITS).collect();
        let rows = blocks
            .par_iter()
            .flat_map_iter(|&from| {
                block(
                    source,
                    translation,
                    band,
                    &lexicon,
                    from..(from + BLOCK_UNITS).min(source.len()),
                )
            })
            .collect();
        Cells { rows }
    }

    /// Weighted lexical log odds of a bead.
    pub fn bead(&self, i: usize, n: usize, j: usize, m: usize) -> f32 {
        let forth: f32 = (j..j + m).map(|j| self.rows[i].get(&self.rows[i].forth, j, n)).sum();
        let back: f32 = self.rows[i..i + n].iter().map(|r| r.get(&r.back, j, m)).sum();
        LEXICAL_WEIGHT * (forth + back)
    }
}

impl CellRow {
    fn get(&self, of: &[[f32; MAX_BEAD_UNITS]], j: usize, n: usize) -> f32 {
        j.checked_sub(self.from).and_then(|k| of.get(k)).map_or(-5.0, |c| c[n - 1])
    }
}

fn block<'a>(
    source: &TokenSide,
    translation: &TokenSide,
    band: &Band,
    lexicon: &(impl Fn(usize) -> &'a Lexicon + Sync),
    rows: Range<usize>,
) -> Vec<CellRow> {
    let end = (rows.end + MAX_BEAD_UNITS - 1).min(source.len());
    let columns: Vec<Range<usize>> = (rows.start..end).map(|i| band.columns(i)).collect();
    let mut scratch = vec![0f32; usize::from(u16::MAX) + 1];
    let sums: Vec<(Range<usize>, Vec<f32>)> = (rows.start..end)
        .map(|i| {
            let lo = columns[i - rows.start]
                .start
                .min(columns[(i - rows.start).saturating_sub(MAX_BEAD_UNITS - 1)].start);
            let hi = columns[i - rows.start].end;
            let tokens = translation.starts[lo] as usize..translation.starts[hi] as usize;
            let sums = token_sums(
                source.slice(i, i + 1),
                &translation.tokens[tokens.clone()],
                lexicon(i),
                &mut scratch,
            );
            (tokens, sums)
        })
        .collect();
    rows.clone()
        .map(|i| {
            let columns = columns[i - rows.start].clone();
            let forth = forth(source, translation, &sums[i - rows.start..], i, columns.clone());
            let back = back(source.slice(i, i + 1), translation, lexicon(i), columns.clone());
            CellRow { from: columns.start, forth, back }
        })
        .collect()
}

/// The sum of r(t | s) over the characters s of a unit, for each token t. `scratch` is zero for
/// every distinct character.
fn token_sums(unit: &[u16], tokens: &[u16], lexicon: &Lexicon, scratch: &mut [f32]) -> Vec<f32> {
    let other: f32 = unit.iter().map(|&s| lexicon.add_forth(s, scratch)).sum();
    let sums = tokens.iter().map(|&t| scratch[usize::from(t)] + other).collect();
    unit.iter().for_each(|&s| lexicon.clear(s, scratch));
    sums
}

fn forth(
    source: &TokenSide,
    translation: &TokenSide,
    sums: &[(Range<usize>, Vec<f32>)],
    i: usize,
    columns: Range<usize>,
) -> Vec<[f32; MAX_BEAD_UNITS]> {
    columns
        .map(|j| {
            let mut cell = [0f32; MAX_BEAD_UNITS];
            let tokens = translation.starts[j] as usize..translation.starts[j + 1] as usize;
            for (n, cell) in cell.iter_mut().enumerate().take(sums.len()) {
                let each = (1.0 - NULL_SHARE) / source.chars_in(i, i + n + 1).max(1) as f32;
                *cell = tokens
                    .clone()
                    .map(|t| {
                        let all: f32 = sums[..=n]
                            .iter()
                            .map(|(r, s)| if r.contains(&t) { s[t - r.start] } else { 0.0 })
                            .sum();
                        (NULL_SHARE + each * all).ln()
                    })
                    .sum();
            }
            cell
        })
        .collect()
}

fn back(
    unit: &[u16],
    translation: &TokenSide,
    lexicon: &Lexicon,
    columns: Range<usize>,
) -> Vec<[f32; MAX_BEAD_UNITS]> {
    let mut cells = vec![[0f32; MAX_BEAD_UNITS]; columns.len()];
    let last = (columns.end + MAX_BEAD_UNITS - 1).min(translation.len());
    let mut row = Vec::new();
    for &s in unit {
        lexicon.back_of(s, &mut row);
        let sums: Vec<f32> = (columns.start..last)
            .map(|j| translation.slice(j, j + 1).iter().map(|&t| row[usize::from(t)]).sum())
            .collect();
        for (k, cell) in cells.iter_mut().enumerate() {
            let (mut sum, j) = (0.0, columns.start + k);
            for (m, c) in cell.iter_mut().enumerate() {
                sum += sums.get(k + m).copied().unwrap_or(0.0);
                let each = (1.0 - NULL_SHARE)
                    / translation.chars_in(j, (j + m + 1).min(translation.len())).max(1) as f32;
                *c += (NULL_SHARE + each * sum).ln();
            }
        }
    }
    cells
}

/// The log ratio of the lengths in characters is roughly normal; its variance is smaller for longer
/// beads.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// Mean of ln(translation / classic).
    pub mean: f64,
    /// Standard deviation for beads of many characters.
    pub deviation: f64,
}

/// Length of the classic at which the variance of the ratio is twice that of long beads.
const SHORT_BEAD_CHARS: f64 = 8.0;

impl Length {
    /// Before training: modern Chinese needs about one and a half times the characters.
    pub const GUESS: Length = Length { mean: 0.45, deviation: 0.45 };

    /// Log density, up to a constant.
    pub fn score(&self, source: usize, translation: usize) -> f32 {
        let z2 = (self.deviate(source, translation) as f32).powi(2);
        // Student's t with 5 degrees of freedom: a long explanation by the translator is not that
        // rare.
        -3.0 * (z2 / 5.0).ln_1p()
    }

    /// Standard deviations from the mean.
    pub fn deviate(&self, source: usize, translation: usize) -> f64 {
        let width = self.deviation * (1.0 + SHORT_BEAD_CHARS / source.max(1) as f64).sqrt();
        (ratio(source, translation) - self.mean) / width
    }

    /// Estimates it from beads (characters of both sides, weight), shrunk towards the guess.
    pub fn learn(beads: &[(usize, usize, f64)]) -> Length {
        const PRIOR_BEADS: f64 = 10.0;
        let weight: f64 = beads.iter().map(|b| b.2).sum();
        let sum: f64 = beads.iter().map(|b| b.2 * ratio(b.0, b.1)).sum();
        let mean = (sum + PRIOR_BEADS * Self::GUESS.mean) / (weight + PRIOR_BEADS);
        let square = |b: &(usize, usize, f64)| {
            b.2 * (ratio(b.0, b.1) - mean).powi(2) / (1.0 + SHORT_BEAD_CHARS / b.0.max(1) as f64)
        };
        let squares: f64 = beads.iter().map(square).sum();
        let prior = (Self::GUESS.deviation / 2.0).powi(2);
        Length {
            mean,
            deviation: ((squares + PRIOR_BEADS * prior) / (weight + PRIOR_BEADS)).sqrt().max(0.05),
        }
    }
}

fn ratio(source: usize, translation: usize) -> f64 {
    ((translation as f64 + 1.0) / (source as f64 + 1.0)).ln()
}
