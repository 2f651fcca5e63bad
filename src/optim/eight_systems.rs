//! Cholesky's method for eight systems side by side, each lane with the bits of
//! [`super::Cholesky`].
//!
//! Element `(i, j)` loses `U[k][i] · U[k][j]` for `k = 0, 1, …`, as there; a strip of a row stays
//! in registers meanwhile. The sums of the back substitution are taken in the same eight parts. No
//! sum runs across lanes, so each lane has the operations of a system of its own, in their order.

use crate::math::F32x8;
use crate::math::eight_lane::EightLane;

/// Eight matrices of the same size, their right sides as one more column.
#[derive(Clone, Debug, Default)]
pub(crate) struct EightSystems {
    upper: Vec<F32x8>,
    rows: usize,
    solution: Vec<F32x8>,
}

impl EightSystems {
    /// Room for systems of up to `rows` rows.
    pub fn new(rows: usize) -> Self {
        let zero = F32x8([0.0; 8]);
        Self { upper: vec![zero; rows * (rows + 1)], rows: 0, solution: vec![zero; rows] }
    }
    /// Starts systems of `rows` rows, at most those that there is room for.
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
    }
    /// Row `i`: elements from the diagonal on have to be written, the last is the right side.
    #[inline(always)]
    pub fn row_mut(&mut self, i: usize) -> &mut [F32x8] {
        &mut self.upper[i * (self.rows + 1)..(i + 1) * (self.rows + 1)]
    }
    /// Adds to the diagonals and factors; pivots below `least` are raised to it.
    #[inline(always)]
    pub fn factor<E: EightLane>(&mut self, add: E, least: f32) {
        let (rows, stride) = (self.rows, self.rows + 1);
        for i in 0..rows {
            let (done, rest) = self.upper.split_at_mut(i * stride);
            let row = &mut rest[..stride];
            // The diagonal first: its root divides what follows it.
            let mut pivot = E::of_numbers(row[i].0) + add;
            for above in done.chunks_exact(stride) {
                let factor = E::of_numbers(above[i].0);
                pivot = pivot - factor * factor;
            }
            let floor = E::splat(least);
            let pivot = E::select(floor.lt(pivot), pivot, floor).root();
            row[i] = F32x8(pivot.numbers());
            let mut j = i + 1;
            while j + 8 <= stride {
                strip::<E, 8>(done, row, (i, j), pivot);
                j += 8;
            }
            while j + 4 <= stride {
                strip::<E, 4>(done, row, (i, j), pivot);
                j += 4;
            }
            while j + 2 <= stride {
                strip::<E, 2>(done, row, (i, j), pivot);
                j += 2;
            }
            if j < stride {
                strip::<E, 1>(done, row, (i, j), pivot);
            }
        }
    }
    /// The solutions of the factored systems, row by row.
    #[inline(always)]
    pub fn solve<E: EightLane>(&mut self) -> &[F32x8] {
        let (rows, stride) = (self.rows, self.rows + 1);
        for k in (0..rows).rev() {
            let row = &self.upper[k * stride..(k + 1) * stride];
            let mut parts = [E::splat(0.0); 8];
            for column in k + 1..rows {
                let part = &mut parts[column % 8];
                *part = *part + E::of_numbers(row[column].0) * E::of_numbers(self.solution[column].0);
            }
            let [p, q, r, s, t, u, v, w] = parts;
            let (a, b, c, d) = (p + t, q + u, r + v, s + w);
            let sum = (a + c) + (b + d);
            let value = (E::of_numbers(row[rows].0) - sum) / E::of_numbers(row[k].0);
            self.solution[k] = F32x8(value.numbers());
        }
        &self.solution[..rows]
    }
}

/// Elements `j` to `j + N` of row `i` lose the products with the rows above it, and are divided.
#[inline(always)]
fn strip<E: EightLane, const N: usize>(done: &[F32x8], row: &mut [F32x8], (i, j): (usize, usize), pivot: E) {
    let stride = row.len();
    let own = &mut row[j..j + N];
    let mut sums = [E::splat(0.0); N];
    for m in 0..N {
        sums[m] = E::of_numbers(own[m].0);
    }
    for above in done.chunks_exact(stride) {
        let factor = E::of_numbers(above[i].0);
        let others = &above[j..j + N];
        for m in 0..N {
            sums[m] = sums[m] - factor * E::of_numbers(others[m].0);
        }
    }
    for m in 0..N {
        own[m] = F32x8((sums[m] / pivot).numbers());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cholesky, Noise};
    use super::*;
    use crate::math::dispatch::Level;
    use crate::math::eight_lane::EightTask;

    struct Solved<'a>(&'a mut EightSystems, [f32; 8]);

    impl EightTask for Solved<'_> {
        type Output = Vec<[f32; 8]>;
        #[inline(always)]
        fn run<E: EightLane>(self) -> Self::Output {
            self.0.factor(E::of_numbers(self.1), 1e-10);
            self.0.solve::<E>().iter().map(|x| x.0).collect()
        }
    }

    #[test]
    fn each_lane_has_the_bits_of_a_system_of_its_own() {
        let mut noise = Noise::new(29);
        let (mut eight, mut one) = (EightSystems::new(54), Cholesky::new(54));
        for level in Level::all() {
            for rows in [1, 3, 7, 8, 9, 15, 16, 36, 54] {
                let mut number = || noise.signed();
                let half: Vec<[f32; 8]> = (0..rows * (rows + 2)).map(|_| core::array::from_fn(|_| number())).collect();
                let right: Vec<[f32; 8]> = (0..rows).map(|_| core::array::from_fn(|_| number())).collect();
                let add: [f32; 8] = core::array::from_fn(|lane| 1e-3 * (lane as f32 + 1.0));
                let entry = |i: usize, j: usize, lane: usize| -> f32 {
                    (0..rows + 2).map(|k| half[i * (rows + 2) + k][lane] * half[j * (rows + 2) + k][lane]).sum()
                };
                eight.begin(rows);
                for (i, right) in right.iter().enumerate() {
                    let row = eight.row_mut(i);
                    for (j, number) in row.iter_mut().enumerate().take(rows).skip(i) {
                        *number = F32x8(core::array::from_fn(|lane| entry(i, j, lane)));
                    }
                    row[rows] = F32x8(*right);
                }
                let found = level.run_eight(Solved(&mut eight, add));
                for lane in 0..8 {
                    let matrix: Vec<f32> = (0..rows * rows).map(|at| entry(at / rows, at % rows, lane)).collect();
                    one.load(&matrix, &right.iter().map(|r| r[lane]).collect::<Vec<_>>());
                    one.factor(add[lane], 1e-10);
                    let alone = &one.solve()[..rows];
                    let same = alone.iter().zip(&found).all(|(a, b)| a.to_bits() == b[lane].to_bits());
                    assert!(same, "{level:?}, {rows} rows, lane {lane}");
                }
            }
        }
    }
}
