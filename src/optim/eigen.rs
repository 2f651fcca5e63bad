//! Eigenvalues and eigenvectors of a small symmetric matrix: Householder reflections to
//! tridiagonal form, then QL steps with implicit shifts.
//!
//! Cost: about `6 d³` operations, nearly all of them on whole rows.
//!
//! Sources: G. Golub, C. Van Loan, "Matrix Computations", 4th ed. (2013), §8.3; H. Bowdler,
//! R. Martin, C. Reinsch, J. Wilkinson, "The QR and QL algorithms for symmetric matrices", Numer.
//! Math. 11 (1968).

use crate::math::dispatch::{Level, Task};
use crate::math::float;

/// Most QL steps for one eigenvalue; two are usual.
const MAX_STEPS: u32 = 30;
/// Share of the largest element below which others are the rounding of the matrix.
const ROUNDING: f32 = 1e-10;

/// Diagonalises the symmetric `a` in place: its diagonal becomes the eigenvalues, in no order, and
/// its other elements are scratch. The rows of `v` become the eigenvectors.
///
/// # Panics
/// When `a` or `v` has fewer than `d²` elements.
pub fn eigenvectors(a: &mut [f32], v: &mut [f32], d: usize) {
    Level::for_one().run(Diagonalise { a: &mut a[..d * d], v: &mut v[..d * d], d });
}

struct Diagonalise<'a> {
    a: &'a mut [f32],
    v: &'a mut [f32],
    d: usize,
}

impl Task for Diagonalise<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { a, v, d } = self;
        if d < 2 {
            v.fill(1.0);
            return;
        }
        for k in 0..d - 2 {
            reflect(a, &mut v[..d], d, k);
        }
        accumulate(a, v, d);
        // Rows 0 and 1 take the diagonal and what stands beside it.
        for k in 0..d {
            a[k] = a[k * d + k];
        }
        for k in 0..d - 1 {
            a[d + k] = a[(k + 1) * d + k];
        }
        let (on, rest) = a.split_at_mut(d);
        let beside = &mut rest[..d];
        beside[d - 1] = 0.0;
        let rounding = ROUNDING * on.iter().chain(&*beside).fold(0.0_f32, |most, x| most.max(x.abs()));
        for k in 0..d {
            for _ in 0..MAX_STEPS {
                let last = end_of_block(on, beside, k, rounding);
                if last == k {
                    break;
                }
                ql_step(on, beside, v, k, last);
            }
        }
        for k in (1..d).rev() {
            a[k * d + k] = a[k];
        }
    }
}

/// Clears row `k` beyond the element beside the diagonal by a reflection `1 − u uᵀ/h`. It leaves
/// `u` in the row from there on, the element in the column below the diagonal, and `1/h` below
/// that (0: no reflection).
#[inline(always)]
fn reflect(a: &mut [f32], scratch: &mut [f32], d: usize, k: usize) {
    let (top, rest) = a.split_at_mut((k + 1) * d);
    let u = &mut top[k * d + k + 1..];
    // Of length 1 at least, so that no square is too small for its digits.
    let largest = u[1..].iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    if largest <= 0.0 {
        rest[k] = u[0];
        rest[d + k] = 0.0;
        return;
    }
    let size = largest.max(u[0].abs());
    u.iter_mut().for_each(|x| *x /= size);
    let (first, tail) = (u[0], u[1..].iter().map(|x| x * x).sum::<f32>());
    let length = float::sqrt(first * first + tail);
    let beside = if first > 0.0 { -length } else { length };
    u[0] = first - beside;
    let inverse = 2.0 / (u[0] * u[0] + tail);
    // A ← A − u qᵀ − q uᵀ, with p = A u/h and q = p − u (uᵀp)/(2h).
    let q = &mut scratch[k + 1..];
    q.fill(0.0);
    for (row, x) in rest.chunks_exact(d).zip(&*u) {
        for (sum, value) in q.iter_mut().zip(&row[k + 1..]) {
            *sum += value * x;
        }
    }
    let along: f32 = q.iter().zip(&*u).map(|(p, x)| p * x).sum();
    for (p, x) in q.iter_mut().zip(&*u) {
        *p = (*p - 0.5 * along * inverse * x) * inverse;
    }
    for ((row, x), y) in rest.chunks_exact_mut(d).zip(&*u).zip(&*q) {
        for ((value, of_u), of_q) in row[k + 1..].iter_mut().zip(&*u).zip(&*q) {
            *value -= x * of_q + y * of_u;
        }
    }
    rest[k] = beside * size;
    rest[d + k] = inverse;
}

/// Multiplies the reflections that [`reflect`] left in `a`: `v` becomes the transpose of their
/// product, first to last.
#[inline(always)]
fn accumulate(a: &[f32], v: &mut [f32], d: usize) {
    v.fill(0.0);
    v.iter_mut().step_by(d + 1).for_each(|one| *one = 1.0);
    for k in (0..d - 2).rev() {
        let (u, inverse) = (&a[k * d + k + 1..(k + 1) * d], a[(k + 2) * d + k]);
        if inverse > 0.0 {
            for row in v[(k + 1) * d..].chunks_exact_mut(d) {
                let row = &mut row[k + 1..];
                let along = inverse * row.iter().zip(u).map(|(x, of_u)| x * of_u).sum::<f32>();
                for (x, of_u) in row.iter_mut().zip(u) {
                    *x -= along * of_u;
                }
            }
        }
    }
}

/// Last row of the block that begins with row `k`: beyond it the element beside the diagonal is
/// at most `rounding`, or that of its neighbours.
#[inline(always)]
fn end_of_block(on: &[f32], beside: &[f32], k: usize, rounding: f32) -> usize {
    let pairs = on[k..].windows(2).zip(&beside[k..]);
    let is_end =
        |(on, beside): (&[f32], &f32)| beside.abs() <= (f32::EPSILON * (on[0].abs() + on[1].abs())).max(rounding);
    k + pairs.map(is_end).position(|is_end| is_end).unwrap_or(on.len() - 1 - k)
}

/// One QL step on the rows `k` to `last` of a tridiagonal matrix, with Wilkinson's shift.
#[inline(always)]
fn ql_step(on: &mut [f32], beside: &mut [f32], v: &mut [f32], k: usize, last: usize) {
    let d = on.len();
    let spread = (on[k + 1] - on[k]) / (2.0 * beside[k]);
    let root = float::sqrt(spread * spread + 1.0);
    let shift = beside[k] / (spread + if spread < 0.0 { -root } else { root });
    let mut g = on[last] - on[k] + shift;
    let (mut c, mut s, mut p) = (1.0_f32, 1.0_f32, 0.0_f32);
    for i in (k..last).rev() {
        let (f, b) = (s * beside[i], c * beside[i]);
        // Divided by the larger, since squares of small numbers lose their digits.
        let largest = f.abs().max(g.abs());
        if largest <= 0.0 {
            // The block fell apart here.
            on[i + 1] -= p;
            beside[i + 1] = 0.0;
            return;
        }
        let (sine, cosine) = (f / largest, g / largest);
        let length = float::sqrt(sine * sine + cosine * cosine);
        beside[i + 1] = length * largest;
        (s, c) = (sine / length, cosine / length);
        g = on[i + 1] - p;
        let turn = (on[i] - g) * s + 2.0 * c * b;
        p = s * turn;
        on[i + 1] = g + p;
        g = c * turn - b;
        let (before, from_next) = v.split_at_mut((i + 1) * d);
        for (of_i, of_next) in before[i * d..].iter_mut().zip(&mut from_next[..d]) {
            let (x, y) = (*of_i, *of_next);
            (*of_i, *of_next) = (c * x - s * y, s * x + c * y);
        }
    }
    on[k] -= p;
    beside[k] = g;
    beside[last] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::super::Noise;
    use super::*;

    /// Judged in f64: vectors at right angles, of length 1, and the matrix rebuilt.
    fn check(original: &[f32], d: usize, what: &str) {
        let (mut a, mut v) = (original.to_vec(), vec![7.0; d * d]);
        eigenvectors(&mut a, &mut v, d);
        let size = original.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt().max(1e-30);
        let rounding = 1e-6 + 1.5e-7 * d as f64;
        let sum = |of: &dyn Fn(usize) -> f64| (0..d).map(of).sum::<f64>();
        let at = |list: &[f32], i: usize, j: usize| f64::from(list[i * d + j]);
        for i in 0..d {
            for j in 0..d {
                let product = sum(&|k| at(&v, i, k) * at(&v, j, k));
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < rounding, "{what}, {d}: {i} by {j} is {product}");
                let rebuilt = sum(&|k| at(&v, k, i) * at(&a, k, k) * at(&v, k, j));
                let off = (rebuilt - at(original, i, j)).abs() / size;
                assert!(off < rounding, "{what}, {d}: {i}, {j} is off by {off:e}");
            }
        }
    }

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        check(&[4.0, 1.0, -2.0, 1.0, 3.0, 0.5, -2.0, 0.5, 5.0], 3, "given");
        let mut noise = Noise::new(5);
        for d in [1_usize, 2, 3, 4, 6, 13, 36, 64] {
            for rank in [1, d.div_ceil(2), d] {
                let half: Vec<f32> = (0..d * rank).map(|_| noise.signed()).collect();
                let entry = |i: usize, j: usize| (0..rank).map(|k| half[i * rank + k] * half[j * rank + k]).sum();
                let a: Vec<f32> = (0..d * d).map(|at| entry(at / d, at % d)).collect();
                check(&a, d, &format!("rank {rank}"));
            }
            let at = |of: &dyn Fn(usize, usize) -> f32| (0..d * d).map(|at| of(at / d, at % d)).collect::<Vec<f32>>();
            check(&at(&|_, _| 0.0), d, "zero");
            check(&at(&|_, _| 1.0), d, "ones");
            check(&at(&|i, j| if i == j { (i % 3) as f32 } else { 0.0 }), d, "diagonal");
            check(&at(&|i, j| if i.abs_diff(j) == 1 { 1.0 } else { 0.0 }), d, "chain");
            let tenths: Vec<f32> = (0..2 * d).map(|k| (0..k).fold(1.0, |power, _| 0.1 * power)).collect();
            check(&at(&|i, j| tenths[i + j]), d, "graded");
            check(&at(&|i, j| tenths[2 * d - 2 - i - j]), d, "graded upwards");
            // Blocks of tasks that have no joint in common.
            let signs = at(&|i, j| if i / 3 == j / 3 { -1.0 + (i + j) as f32 } else { 0.0 });
            check(&signs, d, "blocks");
        }
    }

    #[test]
    fn numbers_that_are_none_end() {
        for d in [1, 2, 5, 36] {
            let (mut a, mut v) = (vec![f32::NAN; d * d], vec![0.0; d * d]);
            eigenvectors(&mut a, &mut v, d);
            let mut a = vec![f32::MAX; d * d];
            eigenvectors(&mut a, &mut v, d);
        }
    }
}
