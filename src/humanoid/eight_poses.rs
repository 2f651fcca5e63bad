//! Eight characters in step as a figure, where their joints are: in a tile, without scale.
//!
//! What is set goes into the tile at once, with what was there before written down: a character
//! whose numbers leave the range of f32 gets its own back. One whose weight is 0 keeps its bits.

use crate::math::eight_lane::EightLane;
use crate::math::{F32x8, LaneMask, LaneQuat, LaneVec3, Rigid};
use crate::skeleton::crowd::Eight;
use crate::skeleton::eight::{narrow, wide};
use crate::skeleton::joint_view::JointView;
use crate::skeleton::{JointIndex, Skeleton};

/// A joint's frame, and the last solve that set the joint.
#[derive(Clone, Copy, Debug)]
struct Joint {
    model: Rigid<Eight>,
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
            self.joints.resize(skeleton.joint_count(), Joint { model: Rigid::default(), set_in: 0 });
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
pub(crate) struct EightPoses<'a, E> {
    skeleton: &'a Skeleton,
    room: &'a mut EightPosesScratch,
    local: &'a mut [Rigid<Eight>],
    /// All rotations of the tile are unit as they are.
    are_unit: bool,
    /// 0 where all that was set is a number.
    doubt: E,
}

impl<'a, E: EightLane> EightPoses<'a, E> {
    /// `are_unit`: all rotations are known to be.
    pub fn new(
        skeleton: &'a Skeleton,
        room: &'a mut EightPosesScratch,
        local: &'a mut [Rigid<Eight>],
        are_unit: bool,
    ) -> Self {
        room.begin(skeleton);
        Self { skeleton, room, local, are_unit, doubt: E::splat(0.0) }
    }
    /// Ends the solve. Returns the poses whose values are all finite; the others keep their old
    /// ones.
    #[inline(always)]
    pub fn finish(self) -> E::Mask {
        let sound = self.doubt.lt(E::splat(1.0));
        if sound.not().any() {
            for (joint, before) in &self.room.before {
                let (own, before) = (wide::<E>(&self.local[*joint]), wide::<E>(before));
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
fn made_unit(joint: &Rigid<Eight>) -> Rigid<Eight> {
    narrow(&wide::<F32x8>(joint).made_unit())
}

impl<E: EightLane> JointView<E> for EightPoses<'_, E> {
    #[inline(always)]
    fn local(&self, joint: JointIndex) -> Rigid<E> {
        let own = wide(&self.local[joint]);
        if self.are_unit {
            return own;
        }
        Rigid { rotation: wide::<E>(&made_unit(&self.local[joint])).rotation, ..own }
    }
    #[inline(always)]
    fn model(&self, joint: JointIndex) -> Rigid<E> {
        wide(&self.room.joints[joint].model)
    }
    #[inline(always)]
    fn parent(&self, joint: JointIndex) -> Rigid<E> {
        match self.skeleton.parent(joint) {
            Some(parent) => wide(&self.room.joints[parent].model),
            None => Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() },
        }
    }
    #[inline(always)]
    fn set_rotation(&mut self, mask: E::Mask, joint: JointIndex, rotation: LaneQuat<E>) {
        let nothing = (rotation.x + rotation.y + rotation.z + rotation.w) * E::splat(0.0);
        self.doubt = E::select(mask, self.doubt + nothing, self.doubt);
        self.keep(joint);
        let own = wide::<E>(&self.local[joint]);
        let put = Rigid { rotation: LaneQuat::select(mask, rotation, own.rotation), ..own };
        self.local[joint].rotation = narrow(&put).rotation;
    }
    #[inline(always)]
    fn set_position(&mut self, mask: E::Mask, joint: JointIndex, position: LaneVec3<E>) {
        let nothing = (position.x + position.y + position.z) * E::splat(0.0);
        self.doubt = E::select(mask, self.doubt + nothing, self.doubt);
        self.keep(joint);
        let own = wide::<E>(&self.local[joint]);
        let put = Rigid { position: LaneVec3::select(mask, position, own.position), ..own };
        self.local[joint].position = narrow(&put).position;
    }
    #[inline(always)]
    fn refresh(&mut self, joint: JointIndex) {
        let local = self.local(joint);
        let model = match self.skeleton.parent(joint) {
            Some(parent) => wide::<E>(&self.room.joints[parent].model).then(&local).tightened(),
            None => local,
        };
        self.room.joints[joint].model = narrow(&model);
    }
    #[inline(always)]
    fn refresh_turned(&mut self, mask: E::Mask, joint: JointIndex, rotation_ms: LaneQuat<E>) {
        let local = self.local(joint).position;
        let position = match self.skeleton.parent(joint).map(|parent| wide::<E>(&self.room.joints[parent].model)) {
            Some(parent) => parent.position + parent.rotation.rotate(local),
            None => local,
        };
        let turned = Rigid { position, rotation: rotation_ms }.tightened();
        let model = &mut self.room.joints[joint].model;
        let before = wide::<E>(model).rotation;
        *model = narrow(&Rigid { rotation: LaneQuat::select(mask, turned.rotation, before), ..turned });
    }
}
