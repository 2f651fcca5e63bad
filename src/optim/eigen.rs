//! Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations.
//!
//! Source: C. Jacobi, "Über ein leichtes Verfahren …", J. reine angew. Math. 30 (1846); G. Golub,
//! C. Van Loan, "Matrix Computations", 4th ed. (2013), §8.5.

use crate::math::float;

/// Diagonalises the symmetric `a` in place by cyclic Jacobi rotations; the columns of `v` become
/// its eigenvectors.
pub fn eigenvectors(a: &mut [f32], v: &mut [f32], d: usize) {
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
                for k in 0..d {
                    let (x, y) = (a[k * d + p], a[k * d + q]);
                    (a[k * d + p], a[k * d + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..d {
                    let (x, y) = (a[p * d + k], a[q * d + k]);
                    (a[p * d + k], a[q * d + k]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (v[k * d + p], v[k * d + q]);
                    (v[k * d + p], v[k * d + q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
        if off <= 1e-7 * size {
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
        eigenvectors(&mut a, &mut v, 3);
        for i in 0..3 {
            for j in 0..3 {
                let sum: f32 = (0..3).map(|k| v[i * 3 + k] * a[k * 3 + k] * v[j * 3 + k]).sum();
                assert!((sum - original[i * 3 + j]).abs() < 1e-5, "{i} {j}");
            }
        }
        assert!(Vec3::new(v[0], v[3], v[6]).is_normalized());
    }
}
