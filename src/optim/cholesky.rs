//! Cholesky's method for the dual normal matrix, with its right side as one more column.
//!
//! `A = Uᵀ U` with `U` upper triangular, stored row by row in blocks of eight. The factor is built
//! eight pivots at a time: element `(i, j)` loses `U[k][i] · U[k][j]` for `k = 0, 1, …` in this
//! order, which are the same operations in the same order as those of the textbook's inner products
//! (so the bits are the same), but the innermost loop runs along a row and has no sum across lanes.
//! The right side is the column after the last; so factoring is the forward substitution, too.
//! `n³/6` multiplications.
//!
//! Source: G. Golub, C. Van Loan, "Matrix Computations", 4th ed. (2013), §4.2.5 (outer product
//! form).

use crate::math::F32x4;

/// Eight numbers side by side.
pub(super) type Block = [f32; 8];

/// Factor of a symmetric positive definite matrix. Created once for the maximum number of rows;
/// factoring and solving do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    upper: Vec<Block>,
    rows: usize,
    /// Blocks of a row, right side included, and with room to write whole blocks from the last
    /// column on.
    blocks: usize,
    stride: usize,
    solution: Vec<Block>,
    /// Factors of the rows below a panel, by row.
    factors: Vec<Block>,
    /// Least pivot of each row.
    floors: Vec<f32>,
}

/// Pivot of a row that depends on those before it: so large that the row does not count.
const DEPENDENT: f32 = 1e20;

/// All bits of the lanes from a number on, and of those before it.
const FROM: [[u32; 8]; 8] = lanes(true);
const BEFORE: [[u32; 8]; 8] = lanes(false);

const fn lanes(from: bool) -> [[u32; 8]; 8] {
    let mut masks = [[0; 8]; 8];
    let mut number = 0;
    while number < 8 {
        let mut lane = 0;
        while lane < 8 {
            masks[number][lane] = if (lane >= number) == from { u32::MAX } else { 0 };
            lane += 1;
        }
        number += 1;
    }
    masks
}

/// Sets the lanes outside of a mask to 0.
#[inline(always)]
fn keep(block: &mut Block, mask: &[u32; 8]) {
    for (number, mask) in block.iter_mut().zip(mask) {
        *number = f32::from_bits(number.to_bits() & mask);
    }
}

/// Blocks that hold `rows` columns and the right side, and blocks of room for a row.
fn layout(rows: usize) -> (usize, usize) {
    let blocks = (rows + 1).div_ceil(8);
    (blocks, blocks + 1)
}

impl Cholesky {
    /// Allocates for matrices of up to `rows` rows.
    pub fn new(rows: usize) -> Self {
        let (blocks, stride) = layout(rows);
        let (upper, solution) = (vec![[0.0; 8]; rows * stride], vec![[0.0; 8]; stride]);
        Self { upper, rows: 0, blocks, stride, solution, factors: vec![[0.0; 8]; 8 * blocks], floors: vec![0.0; rows] }
    }
    /// Starts a matrix of `rows` rows. Rows hold what they held before; write each whole.
    ///
    /// # Panics
    /// When `rows` exceeds the number passed to [`Self::new`].
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
        (self.blocks, self.stride) = layout(rows);
        assert!(rows * self.stride <= self.upper.len(), "more rows than there is room for");
    }
    /// Row `i` of the upper triangle: element `j` counts from the first column; those before `i`
    /// mean nothing, and at least eight after the last column may be written.
    #[inline(always)]
    pub fn row_mut(&mut self, i: usize) -> &mut [f32] {
        self.upper[i * self.stride..(i + 1) * self.stride].as_flattened_mut()
    }
    /// The same of several rows.
    #[inline(always)]
    pub fn rows_mut(&mut self, first: usize, end: usize) -> impl Iterator<Item = &mut [f32]> {
        let (stride, rows) = (self.stride, first * self.stride..end * self.stride);
        self.upper[rows].chunks_exact_mut(stride).map(|row| row.as_flattened_mut())
    }
    /// Clears row `i`.
    pub fn clear_row(&mut self, i: usize) {
        self.upper[i * self.stride..(i + 1) * self.stride].fill([0.0; 8]);
    }
    /// Sets the right side, and what is after it to 0.
    #[inline(always)]
    pub fn set_right(&mut self, right: &[f32]) {
        let (last, column) = (self.blocks - 1, self.rows % 8);
        for (row, value) in self.upper.chunks_exact_mut(self.stride).zip(right) {
            let block = &mut row[last];
            keep(block, &BEFORE[column]);
            block[column] = *value;
        }
    }
    /// Takes the upper triangle of a row-major matrix, and the right side.
    #[inline(always)]
    pub fn load(&mut self, matrix: &[f32], right: &[f32]) {
        let rows = right.len();
        self.begin(rows);
        for i in 0..rows {
            self.row_mut(i)[i..rows].copy_from_slice(&matrix[i * rows + i..(i + 1) * rows]);
        }
        self.set_right(right);
    }
    /// Adds to the diagonal and factors. Pivots below `least` are raised to it, so the factor
    /// always exists: directions without any mobility then get a large, harmless pivot in place of
    /// a division by zero.
    #[inline(always)]
    pub fn factor(&mut self, add: f32, least: f32) {
        self.factor_above(add, least, 0.0);
    }
    /// [`Self::factor`], where rows whose pivot is below `share` of their diagonal do not count:
    /// they depend on those before them, but for rounding. With a share of 0 all count.
    #[inline(always)]
    pub fn factor_above(&mut self, add: f32, least: f32, share: f32) {
        let (rows, blocks, stride) = (self.rows, self.blocks, self.stride);
        for (k, floor) in self.floors[..rows].iter_mut().enumerate() {
            let (block, lane) = (&mut self.upper[k * stride + k / 8], k % 8);
            // What is before the diagonal becomes 0.
            keep(block, &FROM[lane]);
            block[lane] += add;
            *floor = least.max(block[lane] * share);
        }
        let drops = share > 0.0;
        for first in (0..rows).step_by(8) {
            let end = (first + 8).min(rows);
            let (panel, rest) = self.upper[first * stride..rows * stride].split_at_mut((end - first) * stride);
            factor_panel(panel, stride, first / 8, blocks, (&self.floors[first..end], drops));
            // Each row below loses the panel's eight products at once, in the order of the pivots.
            if end - first < 8 {
                break;
            }
            for b in end / 8..blocks {
                let pivots: [Block; 8] = core::array::from_fn(|k| panel[k * stride + b]);
                let own = &mut self.factors[8 * b..8 * b + 8];
                for (lane, factors) in own.iter_mut().enumerate() {
                    for k in 0..8 {
                        factors[k] = pivots[k][lane];
                    }
                }
                let count = rows.min(8 * b + 8) - end;
                for (row, factors) in self.factors[end..end + count].iter().enumerate() {
                    lose_eight(&mut rest[row * stride + b], factors, &pivots);
                }
            }
        }
    }
    /// The least pivot of the factor.
    pub fn least_pivot(&self) -> f32 {
        let rows = self.upper.chunks_exact(self.stride).enumerate().take(self.rows);
        rows.fold(f32::INFINITY, |least, (k, row)| least.min(row[k / 8][k % 8] * row[k / 8][k % 8]))
    }
    /// Replaces the right side of a factored system.
    #[inline(always)]
    pub fn replace_right(&mut self, right: &[f32]) {
        let (rows, blocks, stride) = (self.rows, self.blocks, self.stride);
        let mut forward = core::mem::take(&mut self.factors);
        self.forward(right, &mut forward[..blocks]);
        for (k, row) in self.upper.chunks_exact_mut(stride).enumerate().take(rows) {
            row[rows / 8][rows % 8] = forward[k / 8][k % 8];
        }
        self.factors = forward;
    }
    /// Blocks of a column of `rows` numbers.
    pub(super) fn blocks_of(rows: usize) -> usize {
        layout(rows).0
    }
    /// `U⁻ᵀ` of a factored matrix times a column, with zeros after its last number.
    #[inline(always)]
    pub(super) fn forward(&mut self, right: &[f32], out: &mut [Block]) {
        let (rows, blocks, stride) = (self.rows, self.blocks, self.stride);
        // The solution's memory holds what is left of the column.
        self.solution[..blocks].fill([0.0; 8]);
        for (to, value) in self.solution.as_flattened_mut()[..rows].iter_mut().zip(right) {
            *to = *value;
        }
        out[..blocks].fill([0.0; 8]);
        for k in 0..rows {
            let row = &self.upper[k * stride..k * stride + blocks];
            let value = self.solution[k / 8][k % 8] / row[k / 8][k % 8];
            for (left, u) in self.solution[k / 8..blocks].iter_mut().zip(&row[k / 8..]) {
                subtract(left, value, u);
            }
            out[k / 8][k % 8] = value;
        }
    }
    /// The factored right side, `U⁻ᵀ r`.
    pub(super) fn forwarded(&self, out: &mut [Block]) {
        out.fill([0.0; 8]);
        for (k, row) in self.upper.chunks_exact(self.stride).enumerate().take(self.rows) {
            out[k / 8][k % 8] = row[self.rows / 8][self.rows % 8];
        }
    }
    /// The solution of the factored system: by columns, with zeros after the last.
    #[inline(always)]
    pub fn solve(&mut self) -> &[f32] {
        self.solve_less(|_| 0.0)
    }
    /// The same with less on its factored right side.
    pub(super) fn solve_without(&mut self, less: &[Block]) -> &[f32] {
        self.solve_less(|k| less[k / 8][k % 8])
    }
    #[inline(always)]
    fn solve_less(&mut self, less: impl Fn(usize) -> f32) -> &[f32] {
        let (rows, blocks, stride) = (self.rows, self.blocks, self.stride);
        self.solution[..blocks].fill([0.0; 8]);
        for k in (0..rows).rev() {
            let row = &self.upper[k * stride..k * stride + blocks];
            // Lane types: of numbers, the sum at the end decides that the loop runs in pairs.
            let (mut low, mut high) = (F32x4([0.0; 4]), F32x4([0.0; 4]));
            for (u, x) in row[k / 8..].iter().zip(&self.solution[k / 8..blocks]) {
                low = low + half::<0>(u) * half::<0>(x);
                high = high + half::<4>(u) * half::<4>(x);
            }
            let F32x4([a, b, c, d]) = low + high;
            let sum = (a + c) + (b + d);
            self.solution[k / 8][k % 8] = (row[rows / 8][rows % 8] - less(k) - sum) / row[k / 8][k % 8];
        }
        self.solution.as_flattened()
    }
}

/// Four lanes of a block.
#[inline(always)]
fn half<const FROM: usize>(block: &Block) -> F32x4 {
    F32x4([block[FROM], block[FROM + 1], block[FROM + 2], block[FROM + 3]])
}

/// A row's block loses the products with those of eight pivot rows.
#[inline(always)]
fn lose_eight(to: &mut Block, f: &Block, [a, b, c, d, e, g, h, k]: &[Block; 8]) {
    for j in 0..8 {
        let half = to[j] - f[0] * a[j] - f[1] * b[j] - f[2] * c[j] - f[3] * d[j];
        to[j] = half - f[4] * e[j] - f[5] * g[j] - f[6] * h[j] - f[7] * k[j];
    }
}

#[inline(always)]
fn subtract(from: &mut Block, factor: f32, row: &Block) {
    for i in 0..8 {
        from[i] -= factor * row[i];
    }
}

/// The root of a pivot, or of what replaces it below its floor.
#[inline(always)]
fn pivot_of(pivot: f32, floor: f32, drops: bool) -> f32 {
    let below = if drops { DEPENDENT } else { floor };
    (if pivot > floor { pivot } else { below }).sqrt()
}

/// Factors rows, at most eight, among themselves; their pivots are in block `start`. `floors`: the
/// least pivots, and whether rows below them do not count.
#[inline(always)]
fn factor_panel(panel: &mut [Block], stride: usize, start: usize, blocks: usize, floors: (&[f32], bool)) {
    let count = floors.0.len();
    if count == 8 {
        return factor_eight(panel, stride, start, blocks, floors);
    }
    for i in 0..count {
        let (done, rest) = panel.split_at_mut(i * stride);
        let row = &mut rest[start..blocks];
        let mut factors = [0.0; 8];
        for (factor, pivot_row) in factors.iter_mut().zip(done.chunks_exact(stride)) {
            *factor = pivot_row[start][i];
        }
        let mut pivot = 0.0;
        for (at, to) in row.iter_mut().enumerate() {
            let mut sum = *to;
            for (factor, pivot_row) in factors.iter().zip(done.chunks_exact(stride)) {
                subtract(&mut sum, *factor, &pivot_row[start + at]);
            }
            if at == 0 {
                pivot = pivot_of(sum[i], floors.0[i], floors.1);
            }
            for number in &mut sum {
                *number /= pivot;
            }
            *to = sum;
        }
        row[0][i] = pivot;
    }
}

/// The same for eight rows: block by block, so that a block's rows stay in registers.
#[inline(always)]
fn factor_eight(panel: &mut [Block], stride: usize, start: usize, blocks: usize, floors: (&[f32], bool)) {
    let mut own: [Block; 8] = core::array::from_fn(|i| panel[i * stride + start]);
    let mut pivots = [0.0; 8];
    for i in 0..8 {
        for k in 0..i {
            let (factor, row) = (own[k][i], own[k]);
            subtract(&mut own[i], factor, &row);
        }
        pivots[i] = pivot_of(own[i][i], floors.0[i], floors.1);
        for number in &mut own[i] {
            *number /= pivots[i];
        }
        own[i][i] = pivots[i];
    }
    for i in 0..8 {
        panel[i * stride + start] = own[i];
    }
    for at in start + 1..blocks {
        let mut rows: [Block; 8] = core::array::from_fn(|i| panel[i * stride + at]);
        for i in 0..8 {
            for k in 0..i {
                let row = rows[k];
                subtract(&mut rows[i], own[k][i], &row);
            }
            for number in &mut rows[i] {
                *number /= pivots[i];
            }
        }
        for i in 0..8 {
            panel[i * stride + at] = rows[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inner product form, element by element: the factor and the forward substitution.
    fn textbook(matrix: &[f32], d: usize, add: f32, least: f32, right: &[f32]) -> (Vec<f32>, Vec<f32>) {
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
        (l, x)
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
            cholesky.load(&matrix, &right);
            cholesky.factor(1e-3, 1e-9);
            let (l, forward) = textbook(&matrix, d, 1e-3, 1e-9, &right);
            for i in 0..d {
                let row = cholesky.row_mut(i).to_vec();
                assert!((i..d).all(|j| row[j] == l[j * d + i]), "{d} rows: row {i}");
                assert_eq!(row[d], forward[i], "{d} rows: right side {i}");
            }
            let x = cholesky.solve().to_vec();
            for i in 0..d {
                let product: f64 = (0..d).map(|j| f64::from(matrix[i * d + j]) * f64::from(x[j])).sum::<f64>()
                    + 1e-3 * f64::from(x[i]);
                let scale = x.iter().fold(1.0_f32, |m, v| m.max(v.abs()));
                assert!((product - f64::from(right[i])).abs() < 1e-4 * f64::from(scale), "{d} rows, row {i}");
            }
        }
    }

    #[test]
    fn a_right_side_that_is_replaced_solves_as_one_that_was_factored() {
        let mut noise = super::super::Noise::new(11);
        let mut cholesky = Cholesky::new(54);
        for d in [1, 2, 7, 8, 9, 15, 16, 17, 36, 54] {
            let half: Vec<f32> = (0..d * (d + 2)).map(|_| noise.signed()).collect();
            let row = |i: usize| &half[i * (d + 2)..(i + 1) * (d + 2)];
            let entry = |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum::<f32>();
            let matrix: Vec<f32> = (0..d * d).map(|at| entry(at / d, at % d)).collect();
            let [first, second] = [0, 1].map(|_| (0..d).map(|_| noise.signed()).collect::<Vec<f32>>());
            cholesky.load(&matrix, &first);
            cholesky.factor(1e-1, 1e-9);
            let before = cholesky.solve()[..d].to_vec();
            for right in [&second, &first] {
                cholesky.replace_right(right);
                let x = cholesky.solve()[..d].to_vec();
                let size = x.iter().fold(1.0_f32, |m, v| m.max(v.abs()));
                for i in 0..d {
                    let left: f64 = (0..d).map(|j| f64::from(matrix[i * d + j]) * f64::from(x[j])).sum();
                    let missed = left + 0.1 * f64::from(x[i]) - f64::from(right[i]);
                    assert!(missed.abs() < 1e-4 * f64::from(size), "{d} rows, row {i}: {missed}");
                }
                let again = right == &first;
                assert!(!again || x.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-4 * size), "{d} rows");
            }
        }
    }

    #[test]
    fn a_matrix_without_rank_gives_finite_numbers() {
        let mut cholesky = Cholesky::new(6);
        cholesky.begin(6);
        for i in 0..6 {
            cholesky.clear_row(i);
        }
        cholesky.set_right(&[1.0; 6]);
        cholesky.factor(0.0, 1e-6);
        assert!(cholesky.solve().iter().all(|v| v.is_finite()));
    }
}
