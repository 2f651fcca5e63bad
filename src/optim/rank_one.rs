//! Rank-one changes of a factored system, solved with the factor that is there.
//!
//! # Derivation
//!
//! Let `A = Uᵀ U` be factored together with its right side, `g = U⁻ᵀ r`. The changed system
//!
//! ```text
//! (A − Σ c cᵀ/s) y = r − Σ c gap/s
//! ```
//!
//! is what is left of a bordered one when its unknowns `z` are taken out,
//!
//! ```text
//! A y + C z = r,    Cᵀ y + S z = gap
//! ```
//!
//! and with `W = U⁻ᵀ C` the other way round: `(S − WᵀW) z = gap − Wᵀ g`, `y = U⁻¹ (g − W z)`. A
//! change costs a forward substitution, `n²/2` multiplications in place of the factor's `n³/6`.
//! With `s` above 0 it takes something away from `A`, below 0 it adds something. The small matrix
//! is factored as `L D Lᵀ` change by change; its pivots are what the change leaves of `s`.
//!
//! Source: W. Hager, "Updating the inverse of a matrix", SIAM Review 31 (1989).

use super::cholesky::{Block, Cholesky};

/// Most changes of one factor.
const MOST: usize = 12;
/// Share of `s` that a pivot has at least: with less, too few digits are left.
const LEAST: f32 = 1e-3;

/// What was done to a factored system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nothing.
    Not,
    /// Changes of rank one, which a [`RankOne`] has.
    Little,
    /// So much that it has to be built anew.
    Anew,
}

/// Changes of a factored system.
#[derive(Clone, Debug, Default)]
pub struct RankOne {
    /// `W`: a column after the other.
    columns: Vec<Block>,
    /// Blocks of a column.
    blocks: usize,
    count: usize,
    /// `L` below its diagonal, by rows. Outside of the structure: that is moved at set-up through a
    /// stack with little room.
    lower: Vec<[f32; MOST]>,
    pivots: [f32; MOST],
    gaps: [f32; MOST],
    /// `W z`.
    taken: Vec<Block>,
}

impl RankOne {
    /// Room for changes of systems of up to `rows` rows.
    pub fn new(rows: usize) -> Self {
        let blocks = Cholesky::blocks_of(rows);
        Self {
            columns: vec![[0.0; 8]; MOST * blocks],
            taken: vec![[0.0; 8]; blocks],
            lower: vec![[0.0; MOST]; MOST],
            blocks,
            ..Self::default()
        }
    }
    /// No changes yet, of a system of so many rows.
    pub fn begin(&mut self, rows: usize) {
        (self.count, self.blocks) = (0, Cholesky::blocks_of(rows));
    }
    /// Takes no change until the next [`Self::begin`]: nothing is factored.
    pub fn close(&mut self) {
        self.count = MOST;
    }
    /// One more change of the factored system; false where it cannot be represented: then nothing
    /// is changed, and the system has to be built anew.
    pub fn add(&mut self, factored: &mut Cholesky, c: &[f32], s: f32, gap: f32) -> bool {
        let (count, blocks) = (self.count, self.blocks);
        if count == MOST {
            return false;
        }
        let (done, free) = self.columns.split_at_mut(count * blocks);
        let column = &mut free[..blocks];
        factored.forward(c, column);
        let mut pivot = s - dot(column, column);
        for j in 0..count {
            let mut sum = -dot(&done[j * blocks..(j + 1) * blocks], column);
            for m in 0..j {
                sum -= self.lower[count][m] * self.pivots[m] * self.lower[j][m];
            }
            let factor = sum / self.pivots[j];
            self.lower[count][j] = factor;
            pivot -= factor * factor * self.pivots[j];
        }
        if pivot * s.signum() < LEAST * s.abs() {
            return false;
        }
        (self.pivots[count], self.gaps[count]) = (pivot, gap);
        self.count += 1;
        true
    }
    /// The solution of the changed system, by columns; `with_gaps`: with the right side changed,
    /// too.
    #[inline(always)]
    pub fn solve<'a>(&mut self, factored: &'a mut Cholesky, with_gaps: bool) -> &'a [f32] {
        if self.count == 0 {
            return factored.solve();
        }
        self.solve_changed(factored, with_gaps)
    }
    #[inline(never)]
    fn solve_changed<'a>(&mut self, factored: &'a mut Cholesky, with_gaps: bool) -> &'a [f32] {
        let (count, blocks) = (self.count, self.blocks);
        let taken = &mut self.taken[..blocks];
        factored.forwarded(taken);
        let mut z = [0.0; MOST];
        for k in 0..count {
            let gap = if with_gaps { self.gaps[k] } else { 0.0 };
            let mut sum = gap - dot(&self.columns[k * blocks..(k + 1) * blocks], taken);
            for (factor, z) in self.lower[k].iter().zip(&z[..k]) {
                sum -= factor * z;
            }
            z[k] = sum;
        }
        for k in (0..count).rev() {
            z[k] /= self.pivots[k];
            for j in k + 1..count {
                z[k] -= self.lower[j][k] * z[j];
            }
        }
        taken.fill([0.0; 8]);
        for (column, z) in self.columns.chunks_exact(blocks).zip(&z[..count]) {
            for (to, w) in taken.iter_mut().zip(column) {
                for i in 0..8 {
                    to[i] += w[i] * z;
                }
            }
        }
        factored.solve_without(&self.taken[..blocks])
    }
}

/// Inner product of two columns, lane by lane.
fn dot(a: &[Block], b: &[Block]) -> f32 {
    let mut parts = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            parts[i] += a[i] * b[i];
        }
    }
    let [a, b, c, d, e, f, g, h] = parts;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::super::Noise;
    use super::*;

    /// What is added and taken away again, beside a system that is built with the changes.
    #[test]
    fn a_changed_system_is_solved_as_one_that_is_built_so() {
        let mut noise = Noise::new(23);
        for d in [1, 3, 8, 17, 36, 54] {
            let half: Vec<f32> = (0..d * (d + 4)).map(|_| noise.signed()).collect();
            let row = |i: usize| &half[i * (d + 4)..(i + 1) * (d + 4)];
            let entry = |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum::<f32>();
            let mut matrix: Vec<f32> = (0..d * d).map(|at| entry(at / d, at % d)).collect();
            let mut right: Vec<f32> = (0..d).map(|_| noise.signed()).collect();
            let (mut factored, mut fresh) = (Cholesky::new(54), Cholesky::new(54));
            factored.load(&matrix, &right);
            factored.factor(0.5, 1e-9);
            let mut changes = RankOne::new(54);
            changes.begin(d);
            for (number, sign) in [-1.0, 1.0, -1.0, 1.0].into_iter().enumerate() {
                // A column of `A`'s own half, as that of a joint is.
                let c: Vec<f32> = (0..d).map(|i| 0.7 * row(i)[number]).collect();
                let (s, gap) = (sign, noise.signed());
                assert!(changes.add(&mut factored, &c, s, gap), "{d} rows, change {number}");
                for i in 0..d {
                    for j in 0..d {
                        matrix[i * d + j] -= c[i] * c[j] / s;
                    }
                    right[i] -= c[i] * gap / s;
                }
                fresh.load(&matrix, &right);
                fresh.factor(0.5, 1e-9);
                let wanted = fresh.solve()[..d].to_vec();
                let got = &changes.solve(&mut factored, true)[..d];
                let size = wanted.iter().fold(1.0_f32, |most, v| most.max(v.abs()));
                let off = wanted.iter().zip(got).fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
                assert!(off < 1e-3 * size, "{d} rows, change {number}: {off} of {size}");
            }
            // Another right side, of the changed matrix.
            let other: Vec<f32> = (0..d).map(|_| noise.signed()).collect();
            factored.replace_right(&other);
            fresh.replace_right(&other);
            let wanted = fresh.solve()[..d].to_vec();
            let got = &changes.solve(&mut factored, false)[..d];
            let size = wanted.iter().fold(1.0_f32, |most, v| most.max(v.abs()));
            assert!(wanted.iter().zip(got).all(|(a, b)| (a - b).abs() < 1e-3 * size), "{d} rows");
        }
    }

    #[test]
    fn a_change_that_leaves_nothing_is_refused() {
        let mut factored = Cholesky::new(2);
        factored.load(&[1.0, 0.0, 0.0, 1.0], &[1.0, 1.0]);
        factored.factor(0.0, 1e-9);
        let mut changes = RankOne::new(2);
        changes.begin(2);
        assert!(!changes.add(&mut factored, &[1.0, 0.0], 1.0, 0.0), "it takes the first row's all");
        assert_eq!(changes.solve(&mut factored, true)[..2], [1.0, 1.0]);
        assert!(changes.add(&mut factored, &[1.0, 0.0], 2.0, 0.0));
        assert_eq!(changes.solve(&mut factored, true)[..2], [2.0, 1.0]);
    }
}
