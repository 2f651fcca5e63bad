//! Match target: moves the root so that a body part is at a position at a given time of a clip.
//!
//! Unity's `Animator.MatchTarget` does this with root motion while a clip plays; its distribution
//! of the correction over time is not public. Here, with `s` the fraction of the time from start to
//! end, the remaining error is `(1 − w·s)` times the error at the start, for the weight `w` of each
//! world axis and of the rotation. From one frame at `s₀` to the next at `s₁` the correction is the
//! part
//!
//! ```text
//! 1 − (1 − w·s₁)/(1 − w·s₀) = w·(s₁ − s₀)/(1 − w·s₀)
//! ```
//!
//! of the *current* error. So only the last time is stored, a moving target or pose is followed,
//! and the product over any sequence of frames is the same: the result does not depend on the frame
//! rate. At `w = 1` the last frame corrects the whole remaining error.

use super::animator::Animator;
use super::error::AnimatorError;
use crate::humanoid::IkGoal;
use crate::math::{Quat, Transform, Vec3, fraction};
use crate::outcome::weight01;

/// The part of the body to match, with the numbers of Unity's `AvatarTarget`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum AvatarTarget {
    /// The root transform itself.
    Root = 0,
    /// Centre of mass and body rotation.
    Body = 1,
    /// Left ankle, Unity's goal frame.
    LeftFoot = 2,
    /// Right ankle, Unity's goal frame.
    RightFoot = 3,
    /// Left wrist, Unity's goal frame.
    LeftHand = 4,
    /// Right wrist, Unity's goal frame.
    RightHand = 5,
}

impl AvatarTarget {
    /// All targets, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::Root, Self::Body, Self::LeftFoot, Self::RightFoot, Self::LeftHand, Self::RightHand];
}

/// Body part, target and time range of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchTarget {
    /// The part of the body.
    pub part: AvatarTarget,
    /// Target position, world space, metres.
    pub position_ws: Vec3,
    /// Target rotation, world space.
    pub rotation_ws: Quat,
    /// Weight of the position along each world axis, 0 … 1. Unity's mask.
    pub position_weight: Vec3,
    /// Weight of the rotation, 0 … 1.
    pub rotation_weight: f32,
    /// Normalised time of the clip at which matching starts; above 1 counts loops.
    pub start_time: f32,
    /// Normalised time at which the part is at the target; Unity's default is 1.
    pub end_time: f32,
}

impl MatchTarget {
    /// The root for the frame from normalised time `from_time` to `to_time`, where `part_ws` is the
    /// part's position and rotation in world space with the root at `root`. A pure function.
    /// Returns `root` unchanged outside start … end, for times that run backwards, and for numbers
    /// that are not finite.
    pub fn root_for_frame(&self, root: &Transform, part_ws: (Vec3, Quat), from_time: f32, to_time: f32) -> Transform {
        let span = self.end_time - self.start_time;
        // Without a time span, the frame that passes the time makes the whole correction.
        let way = |time: f32| {
            if span > 0.0 {
                ((time - self.start_time) / span).clamp(0.0, 1.0)
            } else if time >= self.end_time {
                1.0
            } else {
                0.0
            }
        };
        let (s0, s1) = (way(from_time), way(to_time));
        if s1 <= s0 || s0.is_nan() || s1.is_nan() {
            return *root;
        }
        let part = |weight: f32| {
            let w = weight01(weight);
            // The whole remaining error, to the bit, and no 0/0 when it is zero.
            if w * s1 >= 1.0 { 1.0 } else { w * (s1 - s0) / (1.0 - w * s0) }
        };
        let (position, rotation) = (part_ws.0, part_ws.1.normalize());
        let error = (self.rotation_ws.normalize() * rotation.conjugate()).normalize();
        let turn = fraction(error, part(self.rotation_weight)).normalize();
        let w = self.position_weight;
        let parts = Vec3::new(part(w.x), part(w.y), part(w.z));
        let to = position + (self.position_ws - position) * parts;
        let matched = Transform {
            position: to + turn * (root.position - position),
            rotation: (turn * root.rotation.normalize()).normalize(),
            scale: root.scale,
        };
        if matched.is_finite() { matched } else { *root }
    }
}

impl Animator {
    /// Position and rotation of a part of the body in the current pose, world space, in the form
    /// that [`MatchTarget`] uses.
    pub fn target_pose(&mut self, part: AvatarTarget) -> Result<(Vec3, Quat), AnimatorError> {
        let goal = match part {
            AvatarTarget::Root => {
                self.humanoid()?;
                return Ok((self.root().position, self.root().rotation.normalize()));
            }
            AvatarTarget::Body => {
                let body = self.measure_body()?;
                let world = &self.world_from_model;
                return Ok((world.point_out(body.position), world.axes_out(body.rotation).normalize()));
            }
            AvatarTarget::LeftFoot => IkGoal::LeftFoot,
            AvatarTarget::RightFoot => IkGoal::RightFoot,
            AvatarTarget::LeftHand => IkGoal::LeftHand,
            AvatarTarget::RightHand => IkGoal::RightHand,
        };
        let (position_ms, rotation_ms) = self.goal_of_pose_ms(goal)?;
        let world = &self.world_from_model;
        Ok((world.point_out(position_ms), world.axes_out(rotation_ms).normalize()))
    }
    /// The root for the frame from normalised time `from_time` to `to_time`:
    /// [`MatchTarget::root_for_frame`] with the part's position in the current pose and root.
    /// Changes nothing; pass the result to [`Self::set_root`].
    pub fn match_target(
        &mut self,
        target: &MatchTarget,
        from_time: f32,
        to_time: f32,
    ) -> Result<Transform, AnimatorError> {
        let part_ws = self.target_pose(target.part)?;
        Ok(target.root_for_frame(self.root(), part_ws, from_time, to_time))
    }
}
