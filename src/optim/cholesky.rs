//! Cholesky's method for the dual normal matrix.
//!
//! `A = Uᵀ U` with `U` upper triangular, stored row by row, each row padded to a multiple of eight.
//! The factor is built pivot by pivot: element `(i, j)` loses `U[k][i] · U[k][j]` for `k = 0, 1, …`
//! in this order, which are the same operations in the same order as those of the textbook's inner
//! products (so the bits are the same), but the innermost loop runs along a row and has no sum
//! across lanes. `n³/6` multiplications.
//!
//! Source: G. Golub, C. Van Loan, "Matrix Computations", 4th ed. (2013), §4.2.5 (outer product
//! form).

use crate::math::{F32x8, Lane};

/// Factor of a symmetric positive definite matrix. Created once for the maximum number of rows;
/// factoring and solving do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    upper: Vec<[f32; 8]>,
    rows: usize,
    blocks: usize,
}

impl Cholesky {
    /// Allocates for matrices of up to `rows` rows.
    pub fn new(rows: usize) -> Self {
        let blocks = rows.div_ceil(8);
        Self { upper: vec![[0.0; 8]; rows * blocks], rows: 0, blocks: 0 }
    }
    /// Starts a matrix of `rows` rows, all zero; [`Self::row_mut`] fills it.
    ///
    /// # Panics
    /// When `rows` exceeds the number passed to [`Self::new`].
    pub fn begin(&mut self, rows: usize) {
        (self.rows, self.blocks) = (rows, rows.div_ceil(8));
        self.upper[..rows * self.blocks].fill([0.0; 8]);
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Row `i` of the upper triangle: element `j` counts from the first column; those before `i`
    /// are unspecified.
    #[inline(always)]
    pub fn row_mut(&mut self, i: usize) -> &mut [f32] {
        self.upper[i * self.blocks..(i + 1) * self.blocks].as_flattened_mut()
    }
    /// Row `i`, laid out as in [`Self::row_mut`].
    #[inline(always)]
    pub fn row(&self, i: usize) -> &[f32] {
        self.upper[i * self.blocks..(i + 1) * self.blocks].as_flattened()
    }
    /// Copies the lower triangle of a row-major matrix of `rows` rows.
    pub fn load(&mut self, matrix: &[f32], rows: usize) {
        self.begin(rows);
        for i in 0..rows {
            let row = self.row_mut(i);
            for j in i..rows {
                row[j] = matrix[j * rows + i];
            }
        }
    }
    /// Adds to the diagonal and factors. Pivots below `least` are raised to it, so the factor
    /// always exists: directions without mobility then get a small positive pivot in place of a
    /// division by zero.
    pub fn factor(&mut self, add: f32, least: f32) {
        let (rows, blocks) = (self.rows, self.blocks);
        for k in 0..rows {
            self.row_mut(k)[k] += add;
        }
        for first in (0..rows).step_by(8) {
            let end = (first + 8).min(rows);
            let (panel, rest) = self.upper[first * blocks..rows * blocks].split_at_mut((end - first) * blocks);
            factor_panel(panel, blocks, first, end, least);
            // The panel's eight products are subtracted from each row below, in the order of the
            // pivots.
            for (i, row) in (end..rows).zip(rest.chunks_exact_mut(blocks)) {
                let mut factors = [F32x8::splat(0.0); 8];
                for (factor, pivot_row) in factors.iter_mut().zip(panel.chunks_exact(blocks)) {
                    *factor = F32x8::splat(pivot_row[i / 8][i % 8]);
                }
                for b in i / 8..blocks {
                    let mut sum = F32x8(row[b]);
                    for (factor, pivot_row) in factors.iter().zip(panel.chunks_exact(blocks)) {
                        sum = sum - *factor * F32x8(pivot_row[b]);
                    }
                    row[b] = sum.0;
                }
            }
        }
    }
    /// Solves in place: `x` is the right side, then the solution.
    pub fn solve(&self, x: &mut [f32]) {
        let rows = self.rows;
        for k in 0..rows {
            let row = self.row(k);
            let value = x[k] / row[k];
            x[k] = value;
            for (to, u) in x[k + 1..rows].iter_mut().zip(&row[k + 1..rows]) {
                *to -= *u * value;
            }
        }
        for k in (0..rows).rev() {
            let row = self.row(k);
            let mut sum = x[k];
            for (u, y) in row[k + 1..rows].iter().zip(&x[k + 1..rows]) {
                sum -= *u * *y;
            }
            x[k] = sum / row[k];
        }
    }
}

/// Factors rows `first .. end` among themselves: `panel` holds these rows, at most eight.
fn factor_panel(panel: &mut [[f32; 8]], blocks: usize, first: usize, end: usize, least: f32) {
    let start = first / 8;
    for k in 0..end - first {
        let (done, below) = panel.split_at_mut((k + 1) * blocks);
        let pivot_row = &mut done[k * blocks..];
        let pivot = pivot_row[start][k].max(least).sqrt();
        for block in &mut pivot_row[start..] {
            *block = (F32x8(*block) / F32x8::splat(pivot)).0;
        }
        pivot_row[start][k] = pivot;
        for (i, row) in (k + 1..end - first).zip(below.chunks_exact_mut(blocks)) {
            let factor = F32x8::splat(pivot_row[start][i]);
            for (to, from) in row[start..].iter_mut().zip(&pivot_row[start..]) {
                *to = (F32x8(*to) - factor * F32x8(*from)).0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference: the inner product form, element by element.
    fn textbook(matrix: &[f32], d: usize, add: f32, least: f32, right: &[f32]) -> Vec<f32> {
        let mut l = vec![0.0_f32; d * d];
        for i in 0..d {
            for j in 0..=i {
                let mut sum = matrix[i * d + j];
                if i == j {
                    sum += add;
                }
                for k in 0..j {
                    sum -= l[i * d + k] * l[j * d + k];
                }
                l[i * d + j] = if i == j { sum.max(least).sqrt() } else { sum / l[j * d + j] };
            }
        }
        let mut x = right.to_vec();
        for i in 0..d {
            for k in 0..i {
                x[i] -= l[i * d + k] * x[k];
            }
            x[i] /= l[i * d + i];
        }
        for i in (0..d).rev() {
            for k in i + 1..d {
                x[i] -= l[k * d + i] * x[k];
            }
            x[i] /= l[i * d + i];
        }
        x
    }

    #[test]
    fn it_solves_and_has_the_bits_of_the_textbook() {
        let mut noise = super::super::Noise::new(7);
        let mut cholesky = Cholesky::new(54);
        for d in [1, 2, 3, 6, 7, 8, 9, 16, 24, 36, 54] {
            let half: Vec<f32> = (0..d * (d + 2)).map(|_| noise.signed()).collect();
            let mut matrix = vec![0.0_f32; d * d];
            for i in 0..d {
                for j in 0..d {
                    matrix[i * d + j] = (0..d + 2).map(|k| half[i * (d + 2) + k] * half[j * (d + 2) + k]).sum();
                }
            }
            let right: Vec<f32> = (0..d).map(|_| noise.signed()).collect();
            cholesky.load(&matrix, d);
            cholesky.factor(1e-3, 1e-9);
            let mut x = right.clone();
            cholesky.solve(&mut x);
            assert_eq!(x, textbook(&matrix, d, 1e-3, 1e-9, &right), "{d} rows");
            for i in 0..d {
                let product: f64 = (0..d).map(|j| f64::from(matrix[i * d + j]) * f64::from(x[j])).sum::<f64>()
                    + 1e-3 * f64::from(x[i]);
                let scale = x.iter().fold(1.0_f32, |m, v| m.max(v.abs()));
                assert!((product - f64::from(right[i])).abs() < 1e-4 * f64::from(scale), "{d} rows, row {i}");
            }
        }
    }

    #[test]
    fn a_matrix_without_rank_gives_finite_numbers() {
        let mut cholesky = Cholesky::new(6);
        cholesky.begin(6);
        cholesky.factor(0.0, 1e-6);
        let mut x = [1.0; 6];
        cholesky.solve(&mut x);
        assert!(x.iter().all(|v| v.is_finite()));
    }
}
