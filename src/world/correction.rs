//! What a solve changed, joint by joint, to be added to another frame's animation.
//!
//! A joint's correction is `solved = animation · correction`: the rotation in the joint's own space, the position in its
//! parent's. Solves leave scale alone. Joints that no solve moved have none and keep their bits.

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
    /// Which settings of the world it was made under; it means nothing under others.
    stamp: u32,
    /// 0, 1 or 2 solves are remembered.
    solves: u32,
}

impl Memory {
    /// Forgets everything, and keeps the room.
    pub fn forget(&mut self) {
        self.solves = 0;
    }
    /// Whether there is a correction, made under these settings.
    pub fn is_known(&self, stamp: u32) -> bool {
        self.solves > 0 && self.stamp == stamp
    }
    /// To be called before a solve, with the animation in the animator's pose. Allocates the first time.
    pub fn before(&mut self, animator: &Animator, stamp: u32) {
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
        // The oldest correction is not needed any more; its room keeps the animation meanwhile.
        for (room, joint) in self.earlier.iter_mut().zip(animation) {
            *room = Correction { rotation: joint.rotation, position: joint.position, moved: false };
        }
    }
    /// To be called after the solve: remembers what it changed. With `gradual` the pose gets the correction of the solve before,
    /// from which the coming calls go over to this one.
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
    /// To be called in place of [`Self::after`] when the solve failed.
    pub fn keep(&mut self) {
        self.earlier.copy_from_slice(&self.last);
    }
    /// Adds the correction at `fraction` of the way between those of the last two solves to the animation in the animator's pose.
    pub fn apply(&self, animator: &mut Animator, fraction: f32) {
        for ((earlier, last), joint) in self.earlier.iter().zip(&self.last).zip(animator.pose_mut().local_mut()) {
            let correction = if fraction >= 1.0 { *last } else { Correction::mix(earlier, last, fraction) };
            *joint = correction.apply(joint);
        }
    }
}
