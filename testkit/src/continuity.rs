//! Continuity of poses as a function of one number: smooth paths for goals, and a search for jumps.
//!
//! One step size does not distinguish a jump from a fast move. So the judge samples, takes the
//! largest steps, and bisects those intervals, keeping the half with the larger step: for a
//! continuous pose the step goes to zero, a jump remains.

use crate::matchers;
use crate::random::Random;
use sinew::math::{Transform, Vec3};

/// A random uniform cubic B-spline: position, speed and acceleration are continuous. Computed in
/// `f64`, so that cutting its parameter in half forty times still moves it.
#[derive(Clone, Debug)]
pub struct SmoothPath {
    points: Vec<[f64; 3]>,
}

impl SmoothPath {
    /// A path through `count + 3` random control points in the ball of this radius.
    pub fn random(random: &mut Random, count: usize, centre: Vec3, radius: f32) -> Self {
        let point = |_| (centre + random.in_ball(radius)).to_array().map(f64::from);
        Self { points: (0..count + 3).map(point).collect() }
    }
    /// A path with these control points, at least four.
    pub fn new(points: &[Vec3]) -> Self {
        Self { points: points.iter().map(|p| p.to_array().map(f64::from)).collect() }
    }
    /// Point at `s` 0 … 1.
    pub fn at(&self, s: f64) -> Vec3 {
        let segments = self.points.len() - 3;
        let time = s.clamp(0.0, 1.0) * segments as f64;
        let segment = (time as usize).min(segments - 1);
        let t = time - segment as f64;
        let r = 1.0 - t;
        let weights = [
            r * r * r / 6.0,
            (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
            (3.0 * r * r * r - 6.0 * r * r + 4.0) / 6.0,
            t * t * t / 6.0,
        ];
        let mut sum = [0.0; 3];
        for (weight, point) in weights.iter().zip(&self.points[segment..]) {
            (0..3).for_each(|i| sum[i] += weight * point[i]);
        }
        Vec3::new(sum[0] as f32, sum[1] as f32, sum[2] as f32)
    }
}

/// Result of the judge.
#[derive(Clone, Copy, Debug)]
pub struct Continuity {
    /// Largest step of a joint between neighbouring samples, radians.
    pub step_rad: f64,
    /// Parameter where it was.
    pub step_at: f64,
    /// Remainder of the largest steps after bisection: 0 up to rounding for a continuous pose,
    /// radians or rig sizes.
    pub jump: f64,
    /// Parameter where it is.
    pub jump_at: f64,
    /// Joint that jumps.
    pub joint: usize,
}

/// Largest step over all joints: the angle of its rotation, or its move and change of scale in
/// units of `size`.
fn step(a: &[Transform], b: &[Transform], size: f64) -> (f64, usize) {
    let mut largest = (0.0, 0);
    for (joint, (a, b)) in a.iter().zip(b).enumerate() {
        let turned = matchers::rotation_angle_rad(a.rotation, b.rotation);
        let moved = f64::from((a.position - b.position).length()) / size;
        let scaled = f64::from((a.scale - b.scale).length());
        let most = turned.max(moved).max(scaled);
        if most > largest.0 {
            largest = (most, joint);
        }
    }
    largest
}

/// Samples `pose_at` over 0 … 1 in `samples` steps and searches for jumps in the largest ones.
/// `size` is a length of the rig (a limb, the height) that a radian is compared with.
pub fn judge(samples: usize, size: f32, mut pose_at: impl FnMut(f64) -> Vec<Transform>) -> Continuity {
    let size = f64::from(size);
    let at = |i: usize| i as f64 / samples as f64;
    let mut steps = Vec::with_capacity(samples);
    let mut before = pose_at(0.0);
    for i in 0..samples {
        let after = pose_at(at(i + 1));
        let (rad, joint) = step(&before, &after, size);
        steps.push((rad, joint, i));
        before = after;
    }
    steps.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (step_rad, joint, i) = steps[0];
    let mut found = Continuity { step_rad, step_at: at(i), jump: 0.0, jump_at: 0.0, joint };
    for &(_, _, i) in steps.iter().take(3) {
        let (mut low, mut high) = (at(i), at(i + 1));
        let (mut pose_low, mut pose_high) = (pose_at(low), pose_at(high));
        let mut left = step(&pose_low, &pose_high, size);
        for _ in 0..40 {
            if left.0 < 1e-4 {
                break;
            }
            let middle = 0.5 * (low + high);
            let pose = pose_at(middle);
            let (first, second) = (step(&pose_low, &pose, size), step(&pose, &pose_high, size));
            if first.0 >= second.0 {
                (high, pose_high, left) = (middle, pose, first);
            } else {
                (low, pose_low, left) = (middle, pose, second);
            }
        }
        if left.0 > found.jump {
            found = Continuity { jump: left.0, jump_at: low, joint: left.1, ..found };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::math::axis_angle;

    #[test]
    fn it_finds_jumps_and_only_jumps() {
        let turned = |angle: f64| vec![Transform::new(Vec3::ZERO, axis_angle(Vec3::X, angle as f32))];
        let smooth = judge(50, 1.0, |s| turned(2.0 * (s - 0.3).abs().sqrt()));
        assert!(smooth.step_rad > 0.1 && smooth.jump < 2e-3, "{smooth:?}");
        let torn = judge(50, 1.0, |s| turned(if s < 0.501_234 { s } else { s + 0.01 }));
        assert!((torn.jump - 0.01).abs() < 1e-3 && (torn.jump_at - 0.501_234).abs() < 1e-6, "{torn:?}");
    }

    #[test]
    fn paths_are_smooth() {
        let path = SmoothPath::random(&mut Random::new(1), 6, Vec3::ZERO, 1.0);
        let mut before = path.at(0.0);
        for i in 1..=1000 {
            let now = path.at(f64::from(i) / 1000.0);
            assert!((now - before).length() < 0.02);
            before = now;
        }
    }
}
