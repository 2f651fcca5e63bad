//! Corrections: the change of each joint by a solve, to be added to another frame's animation.
//!
//! A joint's correction is `solved = animation · correction`: the rotation in the joint's own
//! space, the position in its parent's. Solves do not change scale. Joints that no solve moved have
//! no correction and keep their bits.

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
        if !from.moved && !to.moved {
            // Most joints of a character.
            return Self::NONE;
        }
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
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    earlier: Box<[Correction]>,
    last: Box<[Correction]>,
    /// Stamp of the member's settings when it was recorded; invalid under another stamp.
    stamp: u32,
    /// Number of solves recorded: 0, 1 or 2.
    solves: u32,
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
    /// Whether a correction of the last two solves moves a joint.
    pub fn moves(&self) -> bool {
        self.earlier.iter().chain(&self.last).any(|correction| correction.moved)
    }
    /// What was shown last, with this share of the last correction, becomes the earlier one.
    pub fn freeze(&mut self, share: f32) {
        for (earlier, last) in self.earlier.iter_mut().zip(&self.last) {
            *earlier = Correction::mix(earlier, last, share);
        }
    }
    /// Call before a solve, with the animation in the animator's pose. `holds`: the earlier
    /// correction stays. Allocates on the first call.
    pub fn before(&mut self, animator: &Animator, stamp: u32, holds: bool) {
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
        // The memory of the correction that goes holds the animation during the solve.
        let room = if holds { &mut self.last } else { &mut self.earlier };
        for (room, joint) in room.iter_mut().zip(animation) {
            *room = Correction { rotation: joint.rotation, position: joint.position, moved: false };
        }
    }
    /// Call after the solve: records the corrections. The pose keeps the result, or gets what
    /// `shown` names.
    pub fn after(&mut self, animator: &mut Animator, shown: Shown) {
        if shown.holds() {
            core::mem::swap(&mut self.earlier, &mut self.last);
        }
        let is_first = self.solves == 0;
        let local = animator.pose_mut().local_mut();
        for ((room, other), solved) in self.earlier.iter_mut().zip(&self.last).zip(local) {
            let animation = Transform { position: room.position, rotation: room.rotation, scale: solved.scale };
            *room = Correction::between(&animation, solved);
            match shown {
                Shown::Last if !is_first => *solved = other.apply(&animation),
                Shown::Fade(share) if !is_first => *solved = Correction::mix(other, room, share).apply(&animation),
                Shown::Last | Shown::Fade(_) | Shown::Solved => {}
            }
        }
        core::mem::swap(&mut self.earlier, &mut self.last);
        if is_first {
            self.earlier.copy_from_slice(&self.last);
        }
        self.solves = (self.solves + 1).min(2);
    }
    /// Call in place of [`Self::after`] when the solve failed: the corrections are those before.
    pub fn keep(&mut self, shown: Shown) {
        let (kept, lost) =
            if shown.holds() { (&self.earlier, &mut self.last) } else { (&self.last, &mut self.earlier) };
        lost.copy_from_slice(kept);
    }
    /// Adds a mix of the corrections of the last two solves to the animation in the animator's
    /// pose.
    pub fn apply(&self, animator: &mut Animator, share: f32) {
        for ((earlier, last), joint) in self.earlier.iter().zip(&self.last).zip(animator.pose_mut().local_mut()) {
            let correction = if share >= 1.0 { *last } else { Correction::mix(earlier, last, share) };
            *joint = correction.apply(joint);
        }
    }
}

/// What the pose gets in a call that solves. Without a solve before, always the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown {
    /// The result.
    Solved,
    /// The correction of the solve before.
    Last,
    /// A mix of the earlier correction, which stays, and this share of the result.
    Fade(f32),
}

impl Shown {
    /// Whether the earlier correction stays.
    pub fn holds(self) -> bool {
        matches!(self, Self::Fade(_))
    }
}
