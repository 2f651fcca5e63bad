//! The turn that brings several directions nearest to others.
//!
//! # Derivation
//!
//! Wahba's problem: the rotation `R` that makes `Σ w |R r − s|²` least makes `Σ w s·R r` greatest.
//! With `r` for the directions as turned so far, the sum grows fastest about `a = Σ w r × s`. A
//! step turns about it; the tangent of half its angle is `|a| / Σ w (|r| |s| + r·s)`, which is
//! exact for a single pair, and short of the best for several, the more so about directions that
//! are nearly in one line.
//!
//! Sources: G. Wahba, "A least squares estimate of satellite attitude", SIAM Review 7 (1965), for
//! the problem; M. Müller, J. Bender, N. Chentanez, M. Macklin, "A robust method to extract the
//! rotational part of deformations", MIG 2016, for steps about `a`.

use crate::math::{Quat, Vec3};

/// A step with a smaller tangent of half its angle is the last.
const SMALL: f32 = 5e-8;

/// The rotation, at most `steps` steps from `start`, that brings the first vector of each pair
/// nearest to the second, each with its weight; lengths count. `start` where no pair has lengths.
#[inline(always)]
pub fn best_turn(start: Quat, pairs: impl Iterator<Item = (Vec3, Vec3, f32)> + Clone, steps: usize) -> Quat {
    let mut turn = start;
    for _ in 0..steps {
        let (mut across, mut both) = (Vec3::ZERO, 0.0);
        for (from, to, weight) in pairs.clone() {
            let (r, s) = (turn * from, to * weight);
            across += r.cross(s);
            both += r.length() * s.length() + r.dot(s);
        }
        // Nothing to bring, or all of it straight away.
        if both <= 0.0 {
            break;
        }
        let half = across * (1.0 / both);
        let square = half.length_squared();
        turn = Quat::from_xyzw(half.x, half.y, half.z, 1.0) * turn;
        turn = if square.is_finite() { turn.normalize() } else { return start };
        if square < SMALL * SMALL {
            break;
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{arc, axis_angle, rotation_angle};
    use crate::optim::Noise;

    fn vector(noise: &mut Noise) -> Vec3 {
        Vec3::new(noise.signed(), noise.signed(), noise.signed())
    }

    #[test]
    fn a_turn_that_fits_all_pairs_is_found() {
        let mut noise = Noise::new(1);
        for case in 0..400 {
            let turn = axis_angle(vector(&mut noise).normalize_or(Vec3::Y), 1.4 + 1.4 * noise.signed());
            let from: Vec<Vec3> = (0..4).map(|_| vector(&mut noise)).collect();
            let pairs = from.iter().map(|r| (*r, turn * *r, 0.3));
            let found = best_turn(Quat::IDENTITY, pairs.clone(), 400);
            let off = pairs.clone().map(|(r, s, _)| (found * r - s).length()).fold(0.0, f32::max);
            assert!(off < 1e-4, "{case}: {off}");
        }
    }

    #[test]
    fn the_size_of_the_pairs_does_not_matter() {
        let turn = axis_angle(Vec3::X, 1.0);
        for size in [1e-9, 1.0, 1e12] {
            let from = [Vec3::Y, Vec3::Z, Vec3::ONE].map(|r| r * size);
            let found = best_turn(Quat::IDENTITY, from.iter().map(|r| (*r, turn * *r, 1.0)), 40);
            assert!(rotation_angle(found * turn.conjugate()) < 1e-3, "{size}: {found}");
        }
    }

    #[test]
    fn each_step_is_a_gain_and_the_last_pose_is_best_nearby() {
        let mut noise = Noise::new(2);
        for case in 0..400 {
            let pairs: Vec<_> = (0..3)
                .map(|_| {
                    let r = vector(&mut noise);
                    (r, r + vector(&mut noise) * 0.4, 1.1 + noise.signed())
                })
                .collect();
            let cost = |turn: Quat| -> f64 {
                pairs.iter().map(|(r, s, w)| f64::from((turn * *r - *s).length_squared() * w)).sum()
            };
            let mut turn = axis_angle(Vec3::X, 1.2);
            for _ in 0..200 {
                let next = best_turn(turn, pairs.iter().copied(), 1);
                assert!(cost(next) <= cost(turn) + 1e-6, "{case}: {} after {}", cost(next), cost(turn));
                turn = next;
            }
            let best = cost(turn);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z] {
                let beside = cost(axis_angle(axis, 0.05) * turn);
                assert!(beside > best - 1e-5, "{case}: {beside} beside, {best}");
            }
        }
    }

    #[test]
    fn one_pair_or_pairs_in_a_line_take_the_shortest_turn_in_one_step() {
        let mut noise = Noise::new(3);
        for case in 0..200 {
            let (r, s) = (vector(&mut noise), vector(&mut noise));
            let shortest = arc(r.normalize(), s.normalize());
            if rotation_angle(shortest) > 3.0 {
                continue;
            }
            let pairs = [(r, s, 1.0), (r * 0.5, s * 0.5, 2.0)];
            for count in [1, 2] {
                let found = best_turn(Quat::IDENTITY, pairs[..count].iter().copied(), 1);
                let off = rotation_angle(found * shortest.conjugate());
                assert!(off < 1e-4, "{case}: {off}");
            }
        }
    }

    #[test]
    fn nothing_to_bring_is_no_turn() {
        let start = axis_angle(Vec3::X, 0.4);
        assert_eq!(best_turn(start, [].into_iter(), 12), start);
        assert_eq!(best_turn(start, [(Vec3::ZERO, Vec3::ZERO, 1.0)].into_iter(), 12), start);
        for far in [1.0, 1e18, 1e30] {
            let opposite = best_turn(start, [(Vec3::Y * far, start * Vec3::NEG_Y * far, 1.0)].into_iter(), 12);
            assert!(opposite.is_finite() && (opposite.length() - 1.0).abs() < 1e-5, "{far}: {opposite}");
        }
    }
}
