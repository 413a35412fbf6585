//! Matrices, and their products with the vectors of many positions.
//!
//! Nearly all the time of the network is spent here. Rows are kept in bundles of eight, whose
//! weights for one value are beside each other, so that compilers use the vectors that every
//! processor has.

/// Positions that are multiplied together: each weight is loaded once for all of them.
const TILE: usize = 4;
/// Rows of a bundle.
const BUNDLE: usize = 8;

/// A matrix with a bias.
pub struct Matrix {
    /// How many values go in.
    width: usize,
    /// How many come out.
    rows: usize,
    /// For each bundle, for each value that goes in, the weights of the bundle's rows.
    weights: Vec<[f32; BUNDLE]>,
    /// The bias of each row, likewise in bundles.
    bias: Vec<[f32; BUNDLE]>,
}

impl Matrix {
    /// A matrix with rows of `width` weights, one after the other, and the bias of each row.
    pub fn new(width: usize, weights: &[f32], bias: &[f32]) -> Self {
        let rows = bias.len();
        let row = |r: usize| weights.get(r * width..(r + 1) * width);
        let bundle = |first: usize, k: usize| {
            std::array::from_fn(|n| row(first + n).map_or(0.0, |weights| weights[k]))
        };
        let firsts = || (0..rows).step_by(BUNDLE);
        let of_bundle = |first| (0..width).map(move |k| bundle(first, k));
        let bias = |first: usize| {
            std::array::from_fn(|n| bias.get(first + n).copied().unwrap_or_default())
        };
        Matrix {
            width,
            rows,
            weights: firsts().flat_map(of_bundle).collect(),
            bias: firsts().map(bias).collect(),
        }
    }

    /// How many values come out.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Multiplies `count` positions. `fill` writes what goes in at a position, `take` gets what
    /// comes out.
    pub fn each(
        &self,
        count: usize,
        fill: impl Fn(usize, &mut [f32]),
        mut take: impl FnMut(usize, &[f32]),
    ) {
        let mut own = vec![0.0; self.width];
        let mut input = vec![[0.0; TILE]; self.width];
        let mut output = vec![[0.0; TILE]; self.bias.len() * BUNDLE];
        for first in (0..count).step_by(TILE) {
            let tile = TILE.min(count - first);
            for n in 0..tile {
                fill(first + n, &mut own);
                input.iter_mut().zip(&own).for_each(|(into, x)| into[n] = *x);
            }
            self.times(&input, &mut output);
            let mut own = vec![0.0; self.rows];
            for n in 0..tile {
                own.iter_mut().zip(&output).for_each(|(own, y)| *own = y[n]);
                take(first + n, &own);
            }
        }
    }

    /// The products with one tile: for each value of each row those of its positions.
    fn times(&self, input: &[[f32; TILE]], output: &mut [[f32; TILE]]) {
        let bundles = self.weights.chunks_exact(self.width).zip(&self.bias);
        for ((weights, bias), out) in bundles.zip(output.chunks_exact_mut(BUNDLE)) {
            let mut sums = [*bias; TILE];
            for (w, x) in weights.iter().zip(input) {
                for (sums, x) in sums.iter_mut().zip(x) {
                    for (sum, w) in sums.iter_mut().zip(w) {
                        *sum += x * w;
                    }
                }
            }
            for (row, out) in out.iter_mut().enumerate() {
                *out = sums.map(|sums| sums[row]);
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
