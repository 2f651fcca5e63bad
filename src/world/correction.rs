//! Corrections: the change of each joint by a solve, to be added to another frame's animation.
//!
//! A joint's correction is `solved = animation · correction`: the rotation in the joint's own
//! space, the position in its parent's. Solves do not change scale. Joints that no solve moved have
//! no correction and keep their bits.

use super::level::Phase;
use crate::animator::Animator;
use crate::math::{Quat, Transform, Vec3, slerp_short};

/// The change of one joint.
#[derive(Clone, Copy, Debug)]
struct Correction {
    rotation: Quat,
    position: Vec3,
    moved: bool,
}

impl Correction {
    const NONE: Self = Self { rotation: Quat::IDENTITY, position: Vec3::ZERO, moved: false };

    fn between(animation: &Transform, solved: &Transform) -> Self {
        let moved = animation.rotation.to_array() != solved.rotation.to_array()
            || animation.position.to_array() != solved.position.to_array();
        if !moved {
            return Self::NONE;
        }
        let rotation = (animation.rotation.conjugate() * solved.rotation).normalize();
        Self { rotation, position: solved.position - animation.position, moved }
    }
    fn mix(from: &Self, to: &Self, fraction: f32) -> Self {
        Self {
            rotation: slerp_short(from.rotation, to.rotation, fraction),
            position: from.position.lerp(to.position, fraction),
            moved: from.moved || to.moved,
        }
    }
    fn apply(&self, animation: &Transform) -> Transform {
        if !self.moved {
            return *animation;
        }
        Transform {
            position: animation.position + self.position,
            rotation: (animation.rotation * self.rotation).normalize(),
            scale: animation.scale,
        }
    }
}

/// The corrections of a character's last two solves. Empty until they are needed.
#[derive(Debug, Default)]
pub(super) struct Memory {
    earlier: Box<[Correction]>,
    last: Box<[Correction]>,
    /// Stamp of the member's settings when it was recorded; invalid under another stamp.
    stamp: u32,
    /// Number of solves recorded: 0, 1 or 2.
    solves: u32,
    /// The step of its level's phase in which the last one was: 0 unless it was overdue.
    step: u32,
}

impl Memory {
    /// Clears all corrections; keeps the memory.
    pub fn forget(&mut self) {
        self.solves = 0;
    }
    /// Whether there is a correction with this stamp.
    pub fn is_known(&self, stamp: u32) -> bool {
        self.solves > 0 && self.stamp == stamp
    }
    /// Call before a solve, with the animation in the animator's pose. Allocates on the first call.
    pub fn before(&mut self, animator: &Animator, stamp: u32, step: u32) {
        self.step = step;
        if self.stamp != stamp {
            self.forget();
            self.stamp = stamp;
        }
        let animation = animator.pose().local();
        if self.last.len() != animation.len() {
            self.last = vec![Correction::NONE; animation.len()].into();
            self.earlier = self.last.clone();
            self.solves = 0;
        }
        // The oldest correction is no longer needed; its memory holds the animation during the
        // solve.
        for (room, joint) in self.earlier.iter_mut().zip(animation) {
            *room = Correction { rotation: joint.rotation, position: joint.position, moved: false };
        }
    }
    /// Call after the solve: records the corrections. With `gradual` the pose gets the correction
    /// of the previous solve; the following calls interpolate from it to this one.
    pub fn after(&mut self, animator: &mut Animator, gradual: bool) {
        let local = animator.pose_mut().local_mut();
        for ((room, last), solved) in self.earlier.iter_mut().zip(&self.last).zip(local) {
            let animation = Transform { position: room.position, rotation: room.rotation, scale: solved.scale };
            *room = Correction::between(&animation, solved);
            if gradual && self.solves > 0 {
                *solved = last.apply(&animation);
            }
        }
        core::mem::swap(&mut self.earlier, &mut self.last);
        if self.solves == 0 {
            self.earlier.copy_from_slice(&self.last);
        }
        self.solves = (self.solves + 1).min(2);
    }
    /// Call in place of [`Self::after`] when the solve failed, or was cut: from now on the pose
    /// keeps the last correction.
    pub fn keep(&mut self) {
        self.earlier.copy_from_slice(&self.last);
    }
    /// Adds the interpolation at a position between the corrections of the last two solves to the
    /// animation in the animator's pose.
    pub fn apply(&self, animator: &mut Animator, phase: Phase) {
        let fraction = phase.fraction_since(self.step);
        for ((earlier, last), joint) in self.earlier.iter().zip(&self.last).zip(animator.pose_mut().local_mut()) {
            let correction = if fraction >= 1.0 { *last } else { Correction::mix(earlier, last, fraction) };
            *joint = correction.apply(joint);
        }
    }
}
