//! The dual normal matrix `A = J W Jᵀ` of a few rows, built joint by joint, and its solution.
//!
//! # Derivation
//!
//! With the torque `tᵣ` of row `r` about a joint (its row of `Jᵀ` there) and the joint's mobility
//! `W`, the joint adds `tᵣ · W t_c` to element `(r, c)`. The damped problem is
//! `(A + λ m 1) f = e`, `m` the mean of the diagonal, so `λ` is a share of the mean eigenvalue.
//!
//! Source: S. Buss, "Introduction to Inverse Kinematics with Jacobian Transpose, Pseudoinverse and
//! Damped Least Squares methods" (2004), §6.

use super::cholesky::Cholesky;
use super::eigen;
use super::mobility_sum::{MobilitySum, Wrench};
use crate::math::dispatch::{Level, Task};
use crate::math::{Mat3, Vec3};

/// A row, and its torque about a joint.
pub type RowTorque = (usize, Vec3);

/// Rows that are added one by one in fewer instructions than eight at a time.
const FEW: usize = 6;

/// Eight wrenches side by side: torque, then force.
type Wrenches = [[f32; 8]; 6];

/// The dual matrix. Created once for the maximum number of rows; nothing else allocates.
#[derive(Clone, Debug)]
pub struct DualMatrix {
    rows: usize,
    /// Row by row. It is symmetric: what stands before the diagonal means nothing.
    matrix: Vec<f32>,
    /// The matrix put aside by [`Self::keep`].
    kept: Vec<f32>,
    /// See [`Self::hold_scale`].
    scale: Option<f32>,
    cholesky: Cholesky,
    /// Scratch of [`Self::add_sum`].
    columns: Vec<Wrenches>,
    /// One per column, after [`Self::diagonalize`].
    eigenvectors: Vec<f32>,
}

impl DualMatrix {
    /// Allocates for up to `rows` rows.
    pub fn new(rows: usize) -> Self {
        let square = || vec![0.0; rows * rows];
        Self {
            rows: 0,
            matrix: square(),
            kept: square(),
            scale: None,
            cholesky: Cholesky::new(rows),
            columns: vec![[[0.0; 8]; 6]; rows.div_ceil(8)],
            eigenvectors: square(),
        }
    }
    /// Starts with the zero matrix of this many rows.
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
        self.matrix[..rows * rows].fill(0.0);
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Element of row `i` and column `j`.
    pub fn at(&self, i: usize, j: usize) -> f32 {
        self.matrix[i.min(j) * self.rows + i.max(j)]
    }
    /// Adds a joint of this mobility, which these rows, in ascending order, depend on.
    #[inline(always)]
    pub fn add_joint(&mut self, torques: &[RowTorque], mobility: &Mat3) {
        for (at, (row, torque)) in torques.iter().enumerate() {
            let [x, y, z] = [mobility.x_axis, mobility.y_axis, mobility.z_axis].map(|axis| torque.dot(axis));
            let moved = Vec3::new(x, y, z);
            let row = &mut self.matrix[row * self.rows..(row + 1) * self.rows];
            for (column, torque) in &torques[at..] {
                row[*column] += moved.dot(*torque);
            }
        }
    }
    /// Adds the joints above a body together: these rows, in ascending order, are wrenches on it.
    pub fn add_sum(&mut self, sum: &MobilitySum, wrenches: &[(usize, Wrench)]) {
        if wrenches.len() > FEW {
            return Level::for_one().run(AddSum { dual: self, sum, wrenches });
        }
        for (at, (row, wrench)) in wrenches.iter().enumerate() {
            let motion = sum.motion(wrench);
            let row = &mut self.matrix[row * self.rows..(row + 1) * self.rows];
            for (column, other) in &wrenches[at..] {
                row[*column] += other.on(&motion);
            }
        }
    }
    /// Adds to one element, and to its mirror image.
    #[inline(always)]
    pub fn add(&mut self, row: usize, column: usize, value: f32) {
        self.matrix[row.min(column) * self.rows + row.max(column)] += value;
    }
    /// Sum of the diagonal.
    pub fn trace(&self) -> f32 {
        (0..self.rows).map(|i| self.at(i, i)).sum()
    }
    /// Damping counts as a share of this matrix's mean eigenvalue until the next call, whatever is
    /// taken away: so that the solution is continuous where something is.
    pub fn hold_scale(&mut self) {
        self.scale = Some(self.trace());
    }
    /// Puts the matrix aside.
    pub fn keep(&mut self) {
        let size = self.rows * self.rows;
        self.kept[..size].copy_from_slice(&self.matrix[..size]);
    }
    /// Brings it back.
    pub fn bring_back(&mut self) {
        let size = self.rows * self.rows;
        self.matrix[..size].copy_from_slice(&self.kept[..size]);
    }
    /// The product with a vector.
    pub fn times(&self, vector: &[f32], product: &mut [f32]) {
        let (vector, product) = (&vector[..self.rows], &mut product[..self.rows]);
        product.fill(0.0);
        for (i, row) in self.matrix.chunks_exact(self.rows.max(1)).enumerate().take(self.rows) {
            let (own, after) = (vector[i], i + 1);
            let mut sum = row[i] * own;
            for ((a, x), to) in row[after..].iter().zip(&vector[after..]).zip(&mut product[after..]) {
                sum += a * x;
                *to += a * own;
            }
            product[i] += sum;
        }
    }
    /// Solves `(A + λ m 1) f = e` to `solution`, which becomes zero where the matrix is; returns
    /// whether it is not.
    pub fn solve(&mut self, damping: f32, residual: &[f32], solution: &mut [f32]) -> bool {
        let rows = self.rows;
        let trace = self.trace();
        let is_solvable = trace > 1e-30;
        let scale = self.scale.unwrap_or(trace);
        let (add, least) = (damping * scale / rows as f32, 1e-9 * scale);
        if is_solvable && rows == 3 {
            self.solve_few::<3>(add, least, residual, solution);
        } else if is_solvable && rows == 6 {
            self.solve_few::<6>(add, least, residual, solution);
        } else if is_solvable {
            let (matrix, cholesky) = (&self.matrix, &mut self.cholesky);
            Level::for_one().run(Solve { matrix, cholesky, add, least, residual: &residual[..rows], solution });
        } else {
            solution[..rows].fill(0.0);
        }
        is_solvable
    }
    /// Cholesky's method for `R` rows, with the same floor under the pivots, in registers.
    #[inline(never)]
    fn solve_few<const R: usize>(&self, add: f32, least: f32, residual: &[f32], solution: &mut [f32]) {
        let (mut upper, mut right, mut over) = ([[0.0_f32; R]; R], [0.0_f32; R], [0.0_f32; R]);
        for i in 0..R {
            let mut row = [0.0_f32; R];
            row.copy_from_slice(&self.matrix[i * R..(i + 1) * R]);
            row[i] += add;
            let mut left = residual[i];
            for k in 0..i {
                let factor = upper[k][i];
                for j in 0..R {
                    row[j] -= factor * upper[k][j];
                }
                left -= factor * right[k];
            }
            over[i] = 1.0 / row[i].max(least).sqrt();
            upper[i] = row.map(|x| x * over[i]);
            right[i] = left * over[i];
        }
        for i in (0..R).rev() {
            let mut left = right[i];
            for j in i + 1..R {
                left -= upper[i][j] * solution[j];
            }
            solution[i] = left * over[i];
        }
    }
    /// Replaces the matrix by that of its eigenvalues, on the diagonal, and finds its eigenvectors.
    pub fn diagonalize(&mut self) {
        for i in 0..self.rows {
            for j in i + 1..self.rows {
                self.matrix[j * self.rows + i] = self.matrix[i * self.rows + j];
            }
        }
        eigen::eigenvectors(&mut self.matrix, &mut self.eigenvectors, self.rows);
    }
    /// Component `i` of eigenvector `k`.
    pub fn eigenvector(&self, k: usize, i: usize) -> f32 {
        self.eigenvectors[k * self.rows + i]
    }
}

/// Cholesky's method for any number of rows.
struct Solve<'a> {
    matrix: &'a [f32],
    cholesky: &'a mut Cholesky,
    add: f32,
    least: f32,
    residual: &'a [f32],
    solution: &'a mut [f32],
}

impl Task for Solve<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.cholesky.load(self.matrix, self.residual);
        self.cholesky.factor(self.add, self.least);
        let rows = self.residual.len();
        self.solution[..rows].copy_from_slice(&self.cholesky.solve()[..rows]);
    }
}

/// [`DualMatrix::add_sum`], eight columns at a time.
struct AddSum<'a> {
    dual: &'a mut DualMatrix,
    sum: &'a MobilitySum,
    wrenches: &'a [(usize, Wrench)],
}

impl Task for AddSum<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { dual, sum, wrenches } = self;
        let Some((first, _)) = wrenches.first() else { return };
        let mut is_one_range = true;
        for (place, (row, wrench)) in wrenches.iter().enumerate() {
            let (torque, force) = (wrench.torque, wrench.force);
            let parts = &mut dual.columns[place / 8];
            for (to, number) in parts.iter_mut().zip([torque.x, torque.y, torque.z, force.x, force.y, force.z]) {
                to[place % 8] = number;
            }
            is_one_range &= *row == first + place;
        }
        let columns = &dual.columns[..wrenches.len().div_ceil(8)];
        for (place, (row, wrench)) in wrenches.iter().enumerate() {
            let motion = sum.motion(wrench);
            let row = &mut dual.matrix[row * dual.rows..(row + 1) * dual.rows];
            // Columns of the same block before this one are written, too: they mean nothing.
            for (number, parts) in columns.iter().enumerate().skip(place / 8) {
                let values = works(parts, [motion.angular, motion.linear]);
                let from = 8 * number;
                let count = (wrenches.len() - from).min(8);
                if !is_one_range {
                    for ((column, _), value) in wrenches[from..].iter().zip(values) {
                        row[*column] += value;
                    }
                } else if count == 8 {
                    let to = &mut row[first + from..first + from + 8];
                    for lane in 0..8 {
                        to[lane] += values[lane];
                    }
                } else {
                    for (to, value) in row[first + from..first + from + count].iter_mut().zip(values) {
                        *to += value;
                    }
                }
            }
        }
    }
}

/// Work of each wrench on a motion, angular and linear.
#[inline(always)]
fn works(parts: &Wrenches, [angular, linear]: [Vec3; 2]) -> [f32; 8] {
    let mut values = [0.0; 8];
    for lane in 0..8 {
        let turning = parts[0][lane] * angular.x + parts[1][lane] * angular.y + parts[2][lane] * angular.z;
        let moving = parts[3][lane] * linear.x + parts[4][lane] * linear.y + parts[5][lane] * linear.z;
        values[lane] = turning + moving;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::super::Noise;
    use super::*;

    #[test]
    fn the_solution_fulfils_the_damped_equations() {
        let mut noise = Noise::new(11);
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        let mut dual = DualMatrix::new(8);
        dual.begin(5);
        let mut torques = Vec::new();
        for _ in 0..4 {
            let own: Vec<RowTorque> = (0..5).map(|row| (row, v())).collect();
            dual.add_joint(&own, &(Mat3::IDENTITY * 0.5));
            torques.push(own);
        }
        let residual = [0.3, -0.2, 0.5, 0.1, -0.4];
        let mut force = [0.0; 5];
        assert!(dual.solve(1e-2, &residual, &mut force));
        let trace: f32 = (0..5).map(|i| dual.at(i, i)).sum();
        let mut product = [0.0; 5];
        dual.times(&force, &mut product);
        for (i, wanted) in residual.iter().enumerate() {
            let direct: f32 =
                torques.iter().map(|own| (0..5).map(|c| own[i].1.dot(own[c].1) * 0.5 * force[c]).sum::<f32>()).sum();
            assert!((product[i] - direct).abs() < 1e-4, "row {i}");
            assert!((direct + 1e-2 * trace / 5.0 * force[i] - wanted).abs() < 1e-4, "row {i}");
        }
        dual.begin(5);
        assert!(!dual.solve(1e-2, &residual, &mut force) && force == [0.0; 5]);
    }
}
