//! Columns of an image: those of half the width beside full ones are double rows (雙行夾注).

/// A column is half of a double row if it has at most this much of the width of a full one.
const HALF: f64 = 0.65;
/// The share of columns that are wider than the one that counts as full.
const WIDEST: f64 = 0.1;

/// Of each line, by its width and height if they are known, whether it is half of a double row.
/// Only columns are: a short horizontal line is as high as the others.
pub(super) fn halves(sizes: &[Option<(f64, f64)>]) -> Vec<bool> {
    let columns = sizes.iter().flatten().filter(|(width, height)| width < height);
    let mut columns: Vec<f64> = columns.map(|(width, _)| *width).collect();
    columns.sort_by(f64::total_cmp);
    let wide = columns.len() as f64 * WIDEST;
    let Some(full) = columns.iter().rev().nth(wide as usize).copied() else {
        return vec![false; sizes.len()];
    };
    let is_half = |(width, height): (f64, f64)| width < height && width <= HALF * full;
    sizes.iter().map(|size| size.is_some_and(is_half)).collect()
}
