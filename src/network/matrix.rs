//! Matrices, and their products with the vectors of many positions.
//!
//! Nearly all the time of the network is spent here. `ndarray` multiplies with the widest vectors
//! that the processor has, so that last digits differ between kinds of processors.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, Axis};

/// Positions that are multiplied together.
const TOGETHER: usize = 512;

/// A matrix with a bias.
pub struct Matrix {
    /// For each value that comes out, the weights of all that go in.
    weights: Array2<f32>,
    bias: Array1<f32>,
}

impl Matrix {
    /// A matrix with rows of `width` weights, one after the other, and the bias of each row.
    pub fn new(width: usize, weights: &[f32], bias: &[f32]) -> Self {
        let weights = Array2::from_shape_fn((bias.len(), width), |(r, k)| weights[r * width + k]);
        Matrix { weights, bias: bias.iter().copied().collect() }
    }

    /// How many values come out.
    pub fn rows(&self) -> usize {
        self.bias.len()
    }

    /// Multiplies `count` positions. `fill` writes what goes in at a position, `take` gets what
    /// comes out.
    pub fn each(
        &self,
        count: usize,
        fill: impl Fn(usize, &mut [f32]),
        mut take: impl FnMut(usize, &[f32]),
    ) {
        let most = TOGETHER.min(count);
        let mut input = Array2::zeros((most, self.weights.ncols()));
        let mut output = Array2::zeros((most, self.rows()));
        for first in (0..count).step_by(TOGETHER) {
            let some = TOGETHER.min(count - first);
            for (n, mut row) in input.rows_mut().into_iter().take(some).enumerate() {
                row.as_slice_mut().into_iter().for_each(|row| fill(first + n, row));
            }
            let input = input.slice_axis(Axis(0), (..some).into());
            let mut output = output.slice_axis_mut(Axis(0), (..some).into());
            output.assign(&self.bias);
            general_mat_mul(1.0, &input, &self.weights.t(), 1.0, &mut output);
            for (n, row) in output.rows().into_iter().enumerate() {
                row.as_slice().into_iter().for_each(|row| take(first + n, row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_multiplied_by_every_row() {
        let weights: Vec<f32> = (0..90).map(|n| n as f32).collect();
        let bias: Vec<f32> = (0..9).map(|n| n as f32 / 2.0).collect();
        let matrix = Matrix::new(10, &weights, &bias);
        let input = |n: usize, k: usize| (n * 3 + k * k) as f32;
        let mut found = vec![];
        matrix.each(
            6,
            |n, x| x.iter_mut().enumerate().for_each(|(k, x)| *x = input(n, k)),
            |n, y| found.push((n, y.to_vec())),
        );
        let row = |n: usize, r: usize| {
            bias[r] + (0..10).map(|k| weights[r * 10 + k] * input(n, k)).sum::<f32>()
        };
        let wanted: Vec<_> = (0..6).map(|n| (n, (0..9).map(|r| row(n, r)).collect())).collect();
        assert_eq!(found, wanted);
    }
}
