//! The clavicle helps a far reach.
//!
//! With `C` the clavicle's joint, `U` the shoulder joint and `T` the hand's target (all in the
//! space of the clavicle's parent), the turn that brings `U` nearest to `T` is the arc from `C→U`
//! to `C→T`. Of that arc the clavicle makes
//!
//! ```text
//! weight · position weight · n,   n = smooth step of |U→T| from 70 % to 100 % of the arm's length
//! ```
//!
//! less the same of the animated hand, as far as the target is still where that is: a straight arm
//! whose goal is its own hand needs no help, and one 30 % of its length away has it all.
//!
//! softly limited by people's ranges against the chest (Unity's muscle ranges: 30° up, 15° down,
//! forward and back), and fading to zero while the arc grows from 140° to 180°, where its direction
//! is ambiguous. Any part of the arc brings `U` nearer, so the assist never moves the shoulder away
//! from the target. The limits apply to the added rotation; clavicle rotation of the animation is
//! not limited.
//!
//! Unity's Animator moves no clavicle; the method is ours (the idea of a shoulder that follows the
//! hand is common, e.g. FinalIK's).

use super::BodyAxes;
use crate::math::soft::soft_limit;
use crate::math::{Vec3, axis_angle, float, normalize_or, perpendicular};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const DEGREE: f32 = core::f32::consts::PI / 180.0;
/// Shares of the arm's length between which help sets in.
const HELP: (f32, f32) = (0.7, 1.0);
/// Share of the arm's length beside the animated hand from which on a target is another place.
const ELSEWHERE: f32 = 0.3;
/// Up, and every other way.
const RANGE: (f32, f32) = (30.0 * DEGREE, 15.0 * DEGREE);
const SOFTNESS: f32 = 0.5;
/// Arc from which its two ways round begin to cancel.
const BACK: f32 = 140.0 * DEGREE;

/// What is known of a clavicle.
#[derive(Clone, Debug)]
pub(crate) struct ShoulderRig {
    joint: JointIndex,
    /// Axis of a turn that lifts the shoulder, by the component formula, in the space of the
    /// clavicle's parent.
    lift_axis_ps: Vec3,
}

impl ShoulderRig {
    /// Measures the T-pose; `None` unless the arm is below the clavicle.
    pub fn new(
        skeleton: &Skeleton,
        axes: &BodyAxes,
        t_pose: &Pose,
        clavicle: JointIndex,
        upper_arm: JointIndex,
    ) -> Option<Self> {
        if clavicle == upper_arm || !skeleton.is_self_or_ancestor(clavicle, upper_arm) {
            return None;
        }
        let parent = t_pose.parent_frame(skeleton, clavicle).inverse_linear()?;
        let along = parent * (t_pose.model(upper_arm).position - t_pose.model(clavicle).position);
        let lift_axis_ps = normalize_or(along.cross(parent * axes.up), Vec3::ZERO);
        (lift_axis_ps != Vec3::ZERO).then_some(Self { joint: clavicle, lift_axis_ps })
    }

    /// The clavicle.
    pub fn joint(&self) -> JointIndex {
        self.joint
    }

    /// Turns the clavicle towards `target_ms` for an arm of length `reach` (model space) with its
    /// hand at `hand_ms`, by `weight` 0 … 1. The frames of the arm and of all above it must be up
    /// to date; those below the clavicle are stale afterwards. Whether it turned.
    pub fn help(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        shoulder: JointIndex,
        [target_ms, hand_ms]: [Vec3; 2],
        reach: f32,
        weight: f32,
    ) -> bool {
        let shoulder_ms = pose.model(shoulder).position;
        let share = |a: Vec3, b: Vec3| (b - a).length() / reach.max(1e-20);
        let [need, own] = [target_ms, hand_ms].map(|end| float::smooth_step(HELP.0, HELP.1, share(shoulder_ms, end)));
        let here = 1.0 - float::smooth_step(0.0, ELSEWHERE, share(hand_ms, target_ms));
        let need = (need - own * here).max(0.0);
        let parent = pose.parent_frame(skeleton, self.joint);
        let (Some(from), Some(to)) = (parent.point_in(shoulder_ms), parent.point_in(target_ms)) else {
            return false;
        };
        let centre = pose.local()[self.joint].position;
        let from = normalize_or(from - centre, Vec3::ZERO);
        let to = normalize_or(to - centre, from);
        let axis = normalize_or(from.cross(to), perpendicular(from));
        let arc = float::atan2(from.cross(to).length(), from.dot(to));
        let wanted = arc * need * weight * (1.0 - float::smooth_step(BACK, core::f32::consts::PI, arc));
        let lift = axis.dot(self.lift_axis_ps);
        // Radius of the range along this axis: an ellipse above, a circle elsewhere.
        let across = 1.0 - lift * lift;
        let up = if lift > 0.0 { RANGE.0 } else { RANGE.1 };
        let radius = 1.0 / float::sqrt(lift * lift / (up * up) + across / (RANGE.1 * RANGE.1));
        let angle = soft_limit(wanted, radius, SOFTNESS);
        if from == Vec3::ZERO || !angle.is_finite() || angle <= 0.0 {
            return false;
        }
        let local = &mut pose.local_mut()[self.joint];
        local.rotation = (axis_angle(axis, angle) * local.rotation.normalize()).normalize();
        true
    }
}
