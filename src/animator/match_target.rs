//! Matching a target: the root is moved so that a body part is at a place when the clip comes to a time.
//!
//! Unity's `Animator.MatchTarget` does this with root motion while a clip plays; how it spreads the correction is not public. Ours: with
//! `s` the part of the way from start to end time, the error that is left shall be `(1 − w·s)` of what it was at the start, for the weight `w` of each world
//! axis and of the rotation. From one frame at `s₀` to the next at `s₁` that is the part
//!
//! ```text
//! 1 − (1 − w·s₁)/(1 − w·s₀) = w·(s₁ − s₀)/(1 − w·s₀)
//! ```
//!
//! of the error *as it is now*, so nothing but the last time is remembered, a moving target or pose is followed, and the product over
//! any frames is the same: no frame rate in it. At `w = 1` the frame that arrives takes all of it.

use super::animator::Animator;
use super::error::AnimatorError;
use crate::humanoid::IkGoal;
use crate::math::{Quat, Transform, Vec3, fraction};
use crate::outcome::weight01;

/// Which part of the body shall match, with the numbers of Unity's `AvatarTarget`.
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

/// What shall match, where, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchTarget {
    /// The part of the body.
    pub part: AvatarTarget,
    /// Where it shall be, world space, metres.
    pub position_ws: Vec3,
    /// How it shall be turned, world space.
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
    /// The root for the frame that goes from normalised time `from_time` to `to_time`, when `part_ws` is where the part is (position,
    /// rotation, world space) with the root at `root`. A pure function; the root as it is outside start … end, for
    /// times that run backwards, and for numbers that are not finite.
    pub fn root_for_frame(&self, root: &Transform, part_ws: (Vec3, Quat), from_time: f32, to_time: f32) -> Transform {
        let span = self.end_time - self.start_time;
        // Without a span, the frame that passes the time takes all.
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
            // All that is left, to the bit, and no 0/0 where nothing is.
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
    /// Where a part of the body is, world space, from the pose as it is now: position and rotation as [`MatchTarget`] takes them.
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
    /// The root for the frame from normalised time `from_time` to `to_time`: [`MatchTarget::root_for_frame`] with the part where the
    /// pose and the root have it now. Changes nothing; hand the result to [`Self::set_root`].
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
