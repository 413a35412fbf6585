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
use std::sync::LazyLock;

use rayon::prelude::*;

use super::band::Band;
use super::lexicon::{Lexicon, NULL_SHARE, Scratch};
use super::pair::TokenSide;
use super::step::MAX_BEAD_UNITS;
use super::tabulated::Tabulated;

/// Weight of lexical log odds.
pub const LEXICAL_WEIGHT: f32 = 0.5;
/// Factors that are multiplied before a logarithm is taken. A factor is less than the number of
/// characters of a text, so that the product of so many is a number of double precision.
const FACTORS_PER_LOG: usize = 32;

/// Scores of cells (unit of the classic, unit of the translation) inside a band.
pub struct Cells {
    rows: Vec<CellRow>,
}

/// Cells of one unit of the classic.
#[derive(Default)]
struct CellRow {
    /// `[n - 1]`: log odds of a unit of the translation given n units of the classic, from this one
    /// on.
    forth: CellRange,
    /// `[m - 1]`: log odds of this unit of the classic given m units of the translation, from that
    /// one on.
    back: CellRange,
}

/// Cells of one unit of the classic with a range of the translation.
#[derive(Default)]
struct CellRange {
    from: usize,
    cells: Vec<[f32; MAX_BEAD_UNITS]>,
}

impl CellRange {
    fn at(&self, j: usize) -> Option<&[f32; MAX_BEAD_UNITS]> {
        self.cells.get(j.wrapping_sub(self.from))
    }
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
        const BLOCK_UNITS: usize = 128;
        let blocks: Vec<usize> = (0..source.len()).step_by(BLOCK_UNITS).collect();
        let rows = blocks
            .par_iter()
            .flat_map_iter(|&from| {
                let rows = from..(from + BLOCK_UNITS).min(source.len());
                Block { source, translation, band, lexicon: &lexicon }.score(rows)
            })
            .collect();
        Cells { rows }
    }

    /// The beads that start at row `i`.
    pub fn beads_of_row(&self, i: usize) -> RowBeads<'_> {
        RowBeads { rows: &self.rows[i..self.rows.len().min(i + MAX_BEAD_UNITS)] }
    }
}

/// The beads that start at a row.
pub struct RowBeads<'a> {
    rows: &'a [CellRow],
}

/// Lexical log odds of the beads that start at one point, by the numbers of units on both sides.
pub struct PointBeads {
    /// By units of the translation, then of the classic.
    forth: [[f32; MAX_BEAD_UNITS]; MAX_BEAD_UNITS],
    /// By units of the classic, then of the translation.
    back: [[f32; MAX_BEAD_UNITS]; MAX_BEAD_UNITS],
}

impl RowBeads<'_> {
    /// Those that start at unit `j` of the translation.
    pub fn at(&self, j: usize) -> PointBeads {
        PointBeads {
            forth: cumulated(|m| self.rows.first().and_then(|r| r.forth.at(j + m))),
            back: cumulated(|n| self.rows.get(n).and_then(|r| r.back.at(j))),
        }
    }
}

impl PointBeads {
    /// Weighted lexical log odds of a bead.
    pub fn bead(&self, n: usize, m: usize) -> f32 {
        LEXICAL_WEIGHT * (self.forth[m - 1][n - 1] + self.back[n - 1][m - 1])
    }
}

/// Sums of the first cells. A cell outside the band is unlikely.
fn cumulated<'a>(
    cell: impl Fn(usize) -> Option<&'a [f32; MAX_BEAD_UNITS]>,
) -> [[f32; MAX_BEAD_UNITS]; MAX_BEAD_UNITS] {
    const OUTSIDE: [f32; MAX_BEAD_UNITS] = [-5.0; MAX_BEAD_UNITS];
    let mut sum = [0.0; MAX_BEAD_UNITS];
    std::array::from_fn(|k| {
        sum.iter_mut().zip(cell(k).unwrap_or(&OUTSIDE)).for_each(|(s, c)| *s += c);
        sum
    })
}

/// What is needed to score some rows.
struct Block<'a, F> {
    source: &'a TokenSide,
    translation: &'a TokenSide,
    band: &'a Band,
    lexicon: &'a F,
}

/// For the tokens of a range of the translation, the sum of r(t | s) over the characters s of one
/// unit of the classic.
struct TokenSums {
    first: usize,
    sums: Vec<f32>,
}

impl<'l, F: Fn(usize) -> &'l Lexicon> Block<'_, F> {
    fn score(&self, rows: Range<usize>) -> Vec<CellRow> {
        let end = (rows.end + MAX_BEAD_UNITS - 1).min(self.source.len());
        let mut scratch = Scratch::default();
        let mut sums = Vec::new();
        let mut backs = Vec::new();
        for i in rows.start..end {
            scratch.prepare((self.lexicon)(i));
            sums.push(self.token_sums(i, &mut scratch));
            if i < rows.end {
                backs.push(self.back(i, &mut scratch));
            }
        }
        let of = |(i, back): (usize, CellRange)| CellRow {
            forth: self.forth(i, &sums[i - rows.start..]),
            back,
        };
        rows.clone().zip(backs).map(of).collect()
    }

    fn token_sums(&self, i: usize, scratch: &mut Scratch<'_>) -> TokenSums {
        let first = self.band.columns_from(i.saturating_sub(MAX_BEAD_UNITS - 1)).start;
        let last = self.band.columns_from(i).end.max(first);
        let tokens = &self.translation.tokens[self.token_range(&(first..last))];
        let sums = scratch.sums(self.source.slice(i, i + 1), tokens);
        TokenSums { first: self.translation.starts[first] as usize, sums }
    }

    fn token_range(&self, units: &Range<usize>) -> Range<usize> {
        let starts = &self.translation.starts;
        starts[units.start] as usize..starts[units.end] as usize
    }

    fn forth(&self, i: usize, sums: &[TokenSums]) -> CellRange {
        let columns = self.band.columns_from(i);
        let tokens = self.token_range(&columns);
        let mut all = vec![0f32; tokens.len()];
        let mut cells = vec![[0f32; MAX_BEAD_UNITS]; columns.len()];
        for (n, unit) in sums.iter().enumerate().take(MAX_BEAD_UNITS) {
            let from = tokens.start - unit.first;
            all.iter_mut().zip(&unit.sums[from..]).for_each(|(a, s)| *a += s);
            let each = (1.0 - NULL_SHARE) / self.source.chars_in(i, i + n + 1).max(1) as f32;
            for (cell, j) in cells.iter_mut().zip(columns.clone()) {
                let here = self.token_range(&(j..j + 1));
                cell[n] =
                    log_of_product(&all[here.start - tokens.start..here.end - tokens.start], each);
            }
        }
        CellRange { from: columns.start, cells }
    }

    fn back(&self, i: usize, scratch: &mut Scratch<'_>) -> CellRange {
        let columns = self.band.columns_to(i);
        let last = (columns.end + MAX_BEAD_UNITS - 1).min(self.translation.len());
        let each: Vec<[f32; MAX_BEAD_UNITS]> = columns
            .clone()
            .map(|j| {
                std::array::from_fn(|m| {
                    let end = (j + m + 1).min(self.translation.len());
                    (1.0 - NULL_SHARE) / self.translation.chars_in(j, end).max(1) as f32
                })
            })
            .collect();
        let mut cells = vec![[0f32; MAX_BEAD_UNITS]; columns.len()];
        let mut products = vec![[1f64; MAX_BEAD_UNITS]; columns.len()];
        let mut sums = vec![0f32; columns.len() + MAX_BEAD_UNITS];
        let each_once = |s: &u16| (*s, 1);
        let (tokens, per_log) = match self.source.counted(i) {
            Some(counted) => (counted.to_vec(), 1),
            None => (self.source.slice(i, i + 1).iter().map(each_once).collect(), FACTORS_PER_LOG),
        };
        for some in tokens.chunks(per_log) {
            for &(s, _) in some {
                scratch.back_sums(s, self.translation, columns.start..last, &mut sums);
                for (k, (product, each)) in products.iter_mut().zip(&each).enumerate() {
                    let mut sum = 0.0;
                    for m in 0..MAX_BEAD_UNITS {
                        sum += sums[k + m];
                        product[m] *= f64::from(NULL_SHARE + each[m] * sum);
                    }
                }
            }
            for (cell, product) in cells.iter_mut().flatten().zip(products.iter_mut().flatten()) {
                *cell += some[0].1 as f32 * product.ln() as f32;
                *product = 1.0;
            }
        }
        CellRange { from: columns.start, cells }
    }
}

/// The sum of ln([`NULL_SHARE`] + each · a) over all a.
fn log_of_product(all: &[f32], each: f32) -> f32 {
    let product = |part: &[f32]| {
        part.iter().map(|a| f64::from(NULL_SHARE + each * a)).product::<f64>().ln() as f32
    };
    all.chunks(FACTORS_PER_LOG).map(product).sum()
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

    /// Standard deviations from the mean.
    pub fn deviate(&self, source: usize, translation: usize) -> f64 {
        (ratio(source, translation) - self.mean) / self.width(source)
    }

    fn width(&self, source: usize) -> f64 {
        self.deviation * (1.0 + SHORT_BEAD_CHARS / source.max(1) as f64).sqrt()
    }

    /// Before training, of a translation whose language is not known: as the whole texts are, if
    /// neither is a part of the other.
    pub fn of_whole(source: usize, translation: usize) -> Length {
        /// No language needs fewer or more words or signs for a character.
        const RATIOS: [f64; 2] = [0.5, 6.0];
        let mean = ratio(source, translation).clamp(RATIOS[0].ln(), RATIOS[1].ln());
        Length { mean, ..Self::GUESS }
    }

    /// Estimates it from beads (characters of both sides, weight), shrunk towards this guess.
    pub fn learned(&self, beads: &[(usize, usize, f64)]) -> Length {
        const PRIOR_BEADS: f64 = 10.0;
        let weight: f64 = beads.iter().map(|b| b.2).sum();
        let sum: f64 = beads.iter().map(|b| b.2 * ratio(b.0, b.1)).sum();
        let mean = (sum + PRIOR_BEADS * self.mean) / (weight + PRIOR_BEADS);
        let square = |b: &(usize, usize, f64)| {
            b.2 * (ratio(b.0, b.1) - mean).powi(2) / (1.0 + SHORT_BEAD_CHARS / b.0.max(1) as f64)
        };
        let squares: f64 = beads.iter().map(square).sum();
        let prior = (self.deviation / 2.0).powi(2);
        Length {
            mean,
            deviation: ((squares + PRIOR_BEADS * prior) / (weight + PRIOR_BEADS)).sqrt().max(0.05),
        }
    }
}

fn ratio(source: usize, translation: usize) -> f64 {
    ((translation as f64 + 1.0) / (source as f64 + 1.0)).ln()
}

/// Scores of the lengths of beads.
#[derive(Debug)]
pub struct LengthScores {
    length: Length,
    /// ln(n + 1) for lengths n.
    log: Vec<f32>,
    /// The standard deviation for each length of the classic, inverted.
    per_width: Vec<f32>,
}

/// Student's t with 5 degrees of freedom, by standard deviations from the mean: a long explanation
/// by the translator is not that rare.
static STUDENT: LazyLock<Tabulated> =
    LazyLock::new(|| Tabulated::new(16.0, |z| -3.0 * (z * z / 5.0).ln_1p()));

impl LengthScores {
    /// The scores of a distribution.
    pub fn new(length: Length) -> Self {
        /// Longer beads are rare.
        const TABLE_CHARS: usize = 1024;
        LengthScores {
            length,
            log: (0..TABLE_CHARS).map(|n| (n as f32).ln_1p()).collect(),
            per_width: (0..TABLE_CHARS).map(|n| (1.0 / length.width(n)) as f32).collect(),
        }
    }

    /// What is the same for all beads with so many characters of the classic.
    pub fn of_classic(&self, chars: usize) -> ClassicLength {
        let per_width = self.per_width.get(chars).copied();
        ClassicLength {
            mean: self.log(chars) + self.length.mean as f32,
            per_width: per_width.unwrap_or_else(|| (1.0 / self.length.width(chars)) as f32),
        }
    }

    /// The logarithm of a length of the translation.
    pub fn log(&self, chars: usize) -> f32 {
        self.log.get(chars).copied().unwrap_or_else(|| (chars as f32).ln_1p())
    }
}

/// The distribution of the logarithm of the translation's length, for a length of the classic.
#[derive(Clone, Copy, Debug)]
pub struct ClassicLength {
    mean: f32,
    per_width: f32,
}

impl ClassicLength {
    /// Log density, up to a constant.
    pub fn score(&self, log: f32) -> f32 {
        STUDENT.at(((log - self.mean) * self.per_width).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::align::lexicon::Prior;
    use crate::passes::align::units::{TextUnit, unit};
    use crate::source::Span;

    fn side(texts: &[String]) -> TokenSide {
        let of = |text: &String| unit(text, vec![Span::new(0, text.len())]);
        TokenSide::new(&texts.iter().map(of).collect::<Vec<TextUnit>>())
    }

    #[test]
    fn a_unit_without_punctuation_is_scored_as_its_characters_are() {
        let text = |seed: u32, n: u32| -> String {
            let c = |i: u32| char::from_u32(0x4e00 + (i * i * seed + i) % 97);
            (0..n).filter_map(c).collect()
        };
        let source = side(&[text(3, 40), text(5, 1500), text(7, 60)]);
        let translation = side(&[text(3, 60), text(5, 2100), text(7, 30)]);
        assert!(source.counted(1).is_some() && translation.counted(0).is_none());
        let band = Band::whole(3, 3);
        let of = |source: &TokenSide, translation: &TokenSide| {
            let lexicon = Prior::new(source, translation, true).lexicon();
            let cells = Cells::new(source, translation, &band, |_| &lexicon);
            let bead = |i: usize, j: usize| cells.beads_of_row(i).at(j).bead(1, 1);
            (0..9).map(|n| bead(n / 3, n % 3)).collect::<Vec<f32>>()
        };
        let fast = of(&source, &translation);
        let slow = of(&source.uncounted(), &translation.uncounted());
        for (fast, slow) in fast.iter().zip(&slow) {
            assert!((fast - slow).abs() <= 1e-3 * slow.abs(), "{fast} and {slow}");
        }
        assert!(slow[4] > 0.0 && slow[1] < 0.0, "{slow:?}");
    }
}
