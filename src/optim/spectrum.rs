//! A symmetric system direction by direction: `A = U Σ² Uᵀ`, and solutions `Σ c u` whose
//! coefficients the caller chooses by the singular value of each.

use super::eigen;

/// Share of the largest squared singular value below which one is rounding.
const ROUNDING: f32 = 1e-6;

/// Eigenvectors of a dual matrix, its right side along them, and a solution. Room is made once;
/// decomposing and solving do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Spectrum {
    matrix: Vec<f32>,
    vectors: Vec<f32>,
    along: Vec<f32>,
    solution: Vec<f32>,
    left: Vec<f32>,
    rows: usize,
}

impl Spectrum {
    /// Makes room for systems of up to `rows` rows. Allocates where there was less.
    pub fn make_room(&mut self, rows: usize) {
        if self.room() < rows {
            self.matrix.resize(rows * rows, 0.0);
            self.vectors.resize(rows * rows, 0.0);
            for list in [&mut self.along, &mut self.solution, &mut self.left] {
                list.resize(rows, 0.0);
            }
        }
    }
    /// Most rows that there is room for.
    pub fn room(&self) -> usize {
        self.along.len()
    }
    /// Starts a system of `rows` rows; set its upper triangle.
    ///
    /// # Panics
    /// When there is no room for it.
    pub fn begin(&mut self, rows: usize) {
        assert!(rows <= self.room(), "more rows than there is room for");
        self.rows = rows;
    }
    /// Sets the elements of row `i` from the diagonal on.
    pub fn set_row(&mut self, i: usize, from_diagonal: &[f32]) {
        for (j, value) in (i..self.rows).zip(from_diagonal) {
            self.matrix[i * self.rows + j] = *value;
            self.matrix[j * self.rows + i] = *value;
        }
    }
    /// Finds the directions, and the right side along each; the solution is 0.
    pub fn decompose(&mut self, right: &[f32]) {
        let rows = self.rows;
        let (matrix, vectors) = (&mut self.matrix[..rows * rows], &mut self.vectors[..rows * rows]);
        eigen::eigenvectors(matrix, vectors, rows);
        for (k, along) in self.along[..rows].iter_mut().enumerate() {
            *along = right.iter().zip(&vectors[k * rows..]).map(|(value, u)| u * value).sum();
        }
        self.solution[..rows].fill(0.0);
        self.left[..rows].fill(0.0);
    }
    /// Square of the singular value of direction `k`.
    pub fn square(&self, k: usize) -> f32 {
        self.matrix[k * self.rows + k].max(0.0)
    }
    /// Squared singular value above which a direction is more than rounding.
    pub fn least_square(&self) -> f32 {
        ROUNDING * (0..self.rows).map(|k| self.square(k)).fold(0.0, f32::max)
    }
    /// The right side along direction `k`.
    pub fn along(&self, k: usize) -> f32 {
        self.along[k]
    }
    /// Direction `k`, row by row.
    pub fn direction(&self, k: usize) -> &[f32] {
        &self.vectors[k * self.rows..(k + 1) * self.rows]
    }
    /// Adds direction `k` to the solution, `c` times.
    pub fn take(&mut self, k: usize, c: f32) {
        let left = self.along[k] - self.square(k) * c;
        let direction = &self.vectors[k * self.rows..(k + 1) * self.rows];
        for ((solution, rest), u) in self.solution.iter_mut().zip(&mut self.left).zip(direction) {
            *solution += c * u;
            *rest += left * u;
        }
    }
    /// The solution, row by row.
    pub fn solution(&self) -> &[f32] {
        &self.solution[..self.rows]
    }
    /// What it leaves of the right side.
    pub fn left(&self) -> &[f32] {
        &self.left[..self.rows]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_directions_together_solve_the_system() {
        let mut noise = super::super::Noise::new(3);
        let mut spectrum = Spectrum::default();
        spectrum.make_room(24);
        for d in [1, 2, 5, 12, 24] {
            let half: Vec<f32> = (0..d * (d + 2)).map(|_| noise.signed()).collect();
            let row = |i: usize| &half[i * (d + 2)..(i + 1) * (d + 2)];
            let entry = |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum::<f32>();
            let right: Vec<f32> = (0..d).map(|_| noise.signed()).collect();
            spectrum.begin(d);
            for i in 0..d {
                spectrum.set_row(i, &(i..d).map(|j| entry(i, j)).collect::<Vec<_>>());
            }
            spectrum.decompose(&right);
            for k in 0..d {
                let c = spectrum.along(k) / (spectrum.square(k) + 0.1);
                spectrum.take(k, c);
            }
            for i in 0..d {
                let y = spectrum.solution();
                let product: f64 = (0..d).map(|j| f64::from(entry(i, j)) * f64::from(y[j])).sum();
                let left = f64::from(right[i]) - product;
                assert!((left - 0.1 * f64::from(y[i])).abs() < 1e-4, "{d} rows, row {i}: {left}");
                assert!((left - f64::from(spectrum.left()[i])).abs() < 1e-4, "{d} rows, row {i}: {left}");
            }
        }
    }
}
