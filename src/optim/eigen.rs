//! Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations.
//!
//! Source: C. Jacobi, "Über ein leichtes Verfahren …", J. reine angew. Math. 30 (1846); G. Golub,
//! C. Van Loan, "Matrix Computations", 4th ed. (2013), §8.5.

use crate::math::float;

/// Share of the largest element of the diagonal that elements beside it are rounding below.
pub const EXACT: f32 = 1e-7;

/// Diagonalises the symmetric `a` in place by cyclic Jacobi rotations; the rows of `v` become its
/// eigenvectors. The sweep that begins with no element beside the diagonal above the share
/// `tolerance` of the largest on it is the last one; what it leaves is of the order of the share's
/// square.
pub fn eigenvectors(a: &mut [f32], v: &mut [f32], d: usize, tolerance: f32) {
    for i in 0..d {
        for j in 0..d {
            v[i * d + j] = if i == j { 1.0 } else { 0.0 };
        }
    }
    for _ in 0..12 {
        let mut off = 0.0_f32;
        let mut size = 0.0_f32;
        for p in 0..d {
            size = size.max(a[p * d + p].abs());
            for q in p + 1..d {
                off = off.max(a[p * d + q].abs());
                if a[p * d + q].abs() <= 1e-30 {
                    continue;
                }
                let theta = (a[q * d + q] - a[p * d + p]) / (2.0 * a[p * d + q]);
                let sign = if theta < 0.0 { -1.0 } else { 1.0 };
                let t = sign / (theta.abs() + float::sqrt(theta * theta + 1.0));
                let c = 1.0 / float::sqrt(t * t + 1.0);
                let s = t * c;
                for row in a.chunks_exact_mut(d) {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                for rows in [&mut *a, &mut *v] {
                    let (before, from_q) = rows.split_at_mut(q * d);
                    let of_p = &mut before[p * d..(p + 1) * d];
                    for (of_p, of_q) in of_p.iter_mut().zip(&mut from_q[..d]) {
                        let (x, y) = (*of_p, *of_q);
                        (*of_p, *of_q) = (c * x - s * y, s * x + c * y);
                    }
                }
            }
        }
        if off <= tolerance * size {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let original = [4.0_f32, 1.0, -2.0, 1.0, 3.0, 0.5, -2.0, 0.5, 5.0];
        let (mut a, mut v) = (original, [0.0; 9]);
        eigenvectors(&mut a, &mut v, 3, EXACT);
        for i in 0..3 {
            for j in 0..3 {
                let sum: f32 = (0..3).map(|k| v[k * 3 + i] * a[k * 3 + k] * v[k * 3 + j]).sum();
                assert!((sum - original[i * 3 + j]).abs() < 1e-5, "{i} {j}");
            }
        }
        assert!(Vec3::new(v[0], v[1], v[2]).is_normalized());
    }
}
