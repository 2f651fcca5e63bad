//! Eight characters in step as a figure, where their joints are: in a tile, without scale.
//!
//! What is set goes into the tile at once, with what was there before written down: a character
//! whose numbers leave the range of f32 gets its own back. One whose weight is 0 keeps its bits.

use crate::math::{F32x8, Lane, LaneMask, LaneQuat, LaneVec3, Rigid};
use crate::skeleton::crowd::Eight;
use crate::skeleton::eight::{narrow, wide};
use crate::skeleton::joint_view::JointView;
use crate::skeleton::{JointIndex, Skeleton};

/// A truth of each of eight characters in step.
pub(crate) type Mask = <F32x8 as Lane>::Mask;

/// A joint's frame, and the last solve that set the joint.
#[derive(Clone, Copy, Debug)]
struct Joint {
    model: Rigid<F32x8>,
    set_in: u64,
}

/// EightPosesScratch for the frames of a skeleton's joints and what was there before. It lasts from
/// solve to solve; nothing in it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct EightPosesScratch {
    joints: Vec<Joint>,
    /// What was set, and from before it was.
    before: Vec<(JointIndex, Rigid<Eight>)>,
    solves: u64,
}

impl EightPosesScratch {
    /// Grows for a skeleton, and begins a solve.
    fn begin(&mut self, skeleton: &Skeleton) {
        if self.joints.len() < skeleton.joint_count() {
            let none = Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() };
            self.joints.resize(skeleton.joint_count(), Joint { model: none, set_in: 0 });
            self.before.reserve(skeleton.joint_count());
        }
        self.before.clear();
        self.solves += 1;
    }
    /// Which joints the last solve has set, each once.
    pub fn set(&self) -> impl Iterator<Item = JointIndex> {
        self.before.iter().map(|(joint, _)| *joint)
    }
}

/// A tile's joints as a figure.
pub(crate) struct EightPoses<'a> {
    skeleton: &'a Skeleton,
    room: &'a mut EightPosesScratch,
    local: &'a mut [Rigid<Eight>],
    /// All rotations of the tile are unit as they are.
    are_unit: bool,
    /// 0 where all that was set is a number.
    doubt: F32x8,
}

impl<'a> EightPoses<'a> {
    /// `are_unit`: all rotations are known to be.
    pub fn new(
        skeleton: &'a Skeleton,
        room: &'a mut EightPosesScratch,
        local: &'a mut [Rigid<Eight>],
        are_unit: bool,
    ) -> Self {
        room.begin(skeleton);
        Self { skeleton, room, local, are_unit, doubt: F32x8::splat(0.0) }
    }
    /// Ends the solve: of whom all that was set is numbers. The others have what they had.
    pub fn finish(self) -> Mask {
        let sound = self.doubt.lt(F32x8::splat(1.0));
        if sound.not().any() {
            for (joint, before) in &self.room.before {
                let (own, before) = (wide(&self.local[*joint]), wide(before));
                self.local[*joint] = narrow(&Rigid {
                    position: LaneVec3::select(sound, own.position, before.position),
                    rotation: LaneQuat::select(sound, own.rotation, before.rotation),
                });
            }
        }
        sound
    }
    #[inline(always)]
    fn keep(&mut self, joint: JointIndex) {
        let EightPosesScratch { joints, before, solves } = &mut *self.room;
        if core::mem::replace(&mut joints[joint].set_in, *solves) != *solves {
            before.push((joint, self.local[joint]));
        }
    }
}

/// Rotations that may be off unit, made so.
#[cold]
#[inline(never)]
fn made_unit(joint: &Rigid<Eight>) -> LaneQuat<F32x8> {
    wide(joint).made_unit().rotation
}

impl JointView<F32x8> for EightPoses<'_> {
    #[inline(always)]
    fn local(&self, joint: JointIndex) -> Rigid<F32x8> {
        let own = wide(&self.local[joint]);
        if self.are_unit {
            return own;
        }
        // Taken apart: what the call returns lies in memory, and the other way must not.
        let LaneQuat { x, y, z, w } = made_unit(&self.local[joint]);
        Rigid { rotation: LaneQuat::new(x, y, z, w), ..own }
    }
    #[inline(always)]
    fn model(&self, joint: JointIndex) -> Rigid<F32x8> {
        self.room.joints[joint].model
    }
    #[inline(always)]
    fn parent(&self, joint: JointIndex) -> Rigid<F32x8> {
        match self.skeleton.parent(joint) {
            Some(parent) => self.room.joints[parent].model,
            None => Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() },
        }
    }
    #[inline(always)]
    fn set_rotation(&mut self, mask: Mask, joint: JointIndex, rotation: LaneQuat<F32x8>) {
        let nothing = (rotation.x + rotation.y + rotation.z + rotation.w) * F32x8::splat(0.0);
        self.doubt = F32x8::select(mask, self.doubt + nothing, self.doubt);
        self.keep(joint);
        let own = wide(&self.local[joint]);
        let put = Rigid { rotation: LaneQuat::select(mask, rotation, own.rotation), ..own };
        self.local[joint].rotation = narrow(&put).rotation;
    }
    #[inline(always)]
    fn set_position(&mut self, mask: Mask, joint: JointIndex, position: LaneVec3<F32x8>) {
        let nothing = (position.x + position.y + position.z) * F32x8::splat(0.0);
        self.doubt = F32x8::select(mask, self.doubt + nothing, self.doubt);
        self.keep(joint);
        let own = wide(&self.local[joint]);
        let put = Rigid { position: LaneVec3::select(mask, position, own.position), ..own };
        self.local[joint].position = narrow(&put).position;
    }
    #[inline(always)]
    fn refresh(&mut self, joint: JointIndex) {
        let local = self.local(joint);
        self.room.joints[joint].model = match self.skeleton.parent(joint) {
            Some(parent) => self.room.joints[parent].model.then(&local).tightened(),
            None => local,
        };
    }
    #[inline(always)]
    fn refresh_turned(&mut self, mask: Mask, joint: JointIndex, rotation_ms: LaneQuat<F32x8>) {
        let local = self.local(joint).position;
        let position = match self.skeleton.parent(joint).map(|parent| &self.room.joints[parent].model) {
            Some(parent) => parent.position + parent.rotation.rotate(local),
            None => local,
        };
        let turned = Rigid { position, rotation: rotation_ms }.tightened();
        let model = &mut self.room.joints[joint].model;
        *model = Rigid { rotation: LaneQuat::select(mask, turned.rotation, model.rotation), ..turned };
    }
}
