//! The path of the cylinder: position of the right wrist and rotation of the hand that would hold
//! it.
//!
//! A uniform cubic B-spline over the table below, one control point per second: it passes near its
//! points, not through them, and position, turn, speed and acceleration are all continuous (C²).

use crate::axes::{BodyAxes, turn};
use sinew::math::{Quat, Vec3, frame_rotation};

/// A wrist that would hold the cylinder, in body terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrist {
    /// From the right shoulder joint (of the T-pose), along right, up and forward; in arm lengths
    /// (shoulder to wrist).
    pub place: [f32; 3],
    /// Fingers turned from forward towards the right, degrees.
    pub yaw_deg: f32,
    /// Then fingers raised, degrees.
    pub pitch_deg: f32,
    /// Then the thumb turned from up towards the body, degrees (a right hand's pronation).
    pub roll_deg: f32,
}

impl Wrist {
    /// Rotation of a right hand's goal in model space: `z` along the fingers, `y` out of the back
    /// of the hand.
    pub fn rotation_ms(&self, axes: &BodyAxes) -> Quat {
        let yaw = turn(axes.forward, axes.right, self.yaw_deg);
        let pitch = turn(axes.forward, axes.up, self.pitch_deg);
        let roll = turn(axes.up, -axes.right, self.roll_deg);
        (yaw * pitch * roll * frame_rotation(axes.forward, axes.right)).normalize()
    }
    /// Place in model space, from the shoulder, for an arm of `arm_length` rig units.
    pub fn offset_ms(&self, axes: &BodyAxes, arm_length: f32) -> Vec3 {
        axes.vector(self.place[0] * arm_length, self.place[1] * arm_length, self.place[2] * arm_length)
    }
}

/// Seconds from the start of the path to its end.
pub const DURATION_S: f32 = 14.0;

/// Right, up, forward in arm lengths; yaw, pitch, roll in degrees. The point in row `i` is nearest
/// at `i − 1` seconds.
const POINTS: [[f32; 6]; 17] = [
    [2.30, -0.35, 0.90, 45.0, 0.0, 25.0],   // before the start
    [1.90, -0.35, 0.95, 45.0, 0.0, 25.0],   // 0 s: far on the right
    [1.20, -0.35, 0.90, 40.0, 0.0, 20.0],   // comes nearer
    [0.35, -0.35, 0.72, 10.0, 10.0, 10.0],  // 2 s: within reach
    [0.05, -0.25, 0.72, -12.0, 18.0, 5.0],  // in front of the chest
    [-0.10, 0.00, 0.70, -22.0, 34.0, 10.0], // 4 s: towards the middle
    [0.10, 0.55, 0.60, -8.0, 58.0, 10.0],   // in front of the face
    [0.25, 0.95, 0.35, 0.0, 72.0, 15.0],    // 6 s: overhead
    [0.35, 0.35, 0.75, 8.0, 35.0, 15.0],    // down again
    [0.32, -0.80, 0.38, 8.0, -42.0, 10.0],  // 8 s: low beside the hip
    [0.36, -0.72, 0.42, 15.0, -35.0, 10.0], // stays low
    [1.00, -0.20, 0.85, 38.0, -5.0, 20.0],  // 10 s: off to the right
    [1.60, 0.05, 1.10, 45.0, 0.0, 30.0],    // far out of reach
    [1.00, -0.10, 0.90, 35.0, 0.0, 25.0],   // 12 s: returns
    [0.10, -0.30, 0.72, -5.0, 14.0, 10.0],  // in front of the chest
    [0.25, -0.30, 0.75, 5.0, 10.0, 5.0],    // 14 s
    [0.40, -0.30, 0.80, 10.0, 5.0, 5.0],    // after the end
];

/// The wrist at `time_s`, 0 … [`DURATION_S`]; times outside are moved to the nearer end.
pub fn wrist_at(time_s: f32) -> Wrist {
    let time = time_s.clamp(0.0, DURATION_S);
    // The last segment includes its end.
    let segment = (time as usize).min(POINTS.len() - 4);
    let t = time - segment as f32;
    let s = 1.0 - t;
    let weights = [
        s * s * s * (1.0 / 6.0),
        (3.0 * t * t * t - 6.0 * t * t + 4.0) * (1.0 / 6.0),
        (3.0 * s * s * s - 6.0 * s * s + 4.0) * (1.0 / 6.0),
        t * t * t * (1.0 / 6.0),
    ];
    let value = |column: usize| {
        let term = |i: usize| weights[i] * POINTS[segment + i][column];
        term(0) + term(1) + term(2) + term(3)
    };
    Wrist { place: [value(0), value(1), value(2)], yaw_deg: value(3), pitch_deg: value(4), roll_deg: value(5) }
}

/// Whether the host's "IK active" box is ticked at `time_s`: off while the cylinder comes, on, off
/// for a while in the middle, on again, off at the end.
pub fn ik_active_at(time_s: f32) -> bool {
    (1.5..7.0).contains(&time_s) || (8.2..13.2).contains(&time_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_smooth_across_the_seconds() {
        let step = 1.0 / 128.0;
        for second in 1..DURATION_S as usize {
            let at = |i: i32| wrist_at(second as f32 + i as f32 * step).place;
            let second_difference = |i: i32, axis: usize| at(i - 1)[axis] - 2.0 * at(i)[axis] + at(i + 1)[axis];
            for axis in 0..3 {
                // Acceleration on both sides of a knot, in arm lengths per second².
                let jump = (second_difference(1, axis) - second_difference(-1, axis)) / (step * step);
                assert!(jump.abs() < 0.25, "second {second}, axis {axis}: {jump}");
            }
        }
        assert_eq!(wrist_at(-1.0), wrist_at(0.0));
        assert_eq!(wrist_at(99.0), wrist_at(DURATION_S));
    }
}
