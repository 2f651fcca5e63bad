//! Joints taken out of poses: position and rotation of those that the steps touch, of eight characters in step, without scale.
//!
//! The steps turn the copies; what they have turned goes back into the pose when all is done and every number is one. So nothing has to
//! be taken back, and in step with others a character whose weight is 0 keeps its bits.

use super::avatar::Avatar;
use super::ik_goal::IkGoal;
use super::steps::Asked;
use crate::chains::figure::{Figure, always};
use crate::math::Rigid;
use crate::math::{F32x8, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Transform, Vec3};
use crate::skeleton::crowd::STEP;
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// A joint's copy.
#[derive(Clone, Copy, Debug)]
struct Joint<L: Lane> {
    /// The rotation is unit.
    local: Rigid<L>,
    model: Rigid<L>,
    /// Where its local rotation and position have been set.
    turned: L::Mask,
    moved: L::Mask,
    is_set: bool,
}

/// Room for the copies of a skeleton's joints.
#[derive(Clone, Debug)]
pub(super) struct Room<L: Lane> {
    joints: Vec<Joint<L>>,
    /// Which have been set.
    set: Vec<JointIndex>,
}

impl<L: Lane> Default for Room<L> {
    fn default() -> Self {
        Self { joints: Vec::new(), set: Vec::new() }
    }
}

impl<L: Lane> Room<L> {
    /// Grows for a skeleton.
    pub fn reserve(&mut self, skeleton: &Skeleton) {
        let none = Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() };
        let never = always::<L>().not();
        let joint = Joint { local: none, model: none, turned: never, moved: never, is_set: false };
        if self.joints.len() < skeleton.joint_count() {
            self.joints.resize(skeleton.joint_count(), joint);
            self.set.reserve(skeleton.joint_count());
        }
    }
}

/// Copies of a skeleton's joints as a figure.
pub(super) struct Puppet<'a, L: Lane> {
    skeleton: &'a Skeleton,
    room: &'a mut Room<L>,
    /// 0 where all that was set is a number.
    doubt: L,
}

impl<'a, L: Lane> Puppet<'a, L> {
    /// Takes out what the steps need for what is asked.
    #[inline(always)]
    pub fn new(
        skeleton: &'a Skeleton,
        avatar: &Avatar,
        asked: &Asked<L>,
        room: &'a mut Room<L>,
        local: impl Fn(JointIndex) -> Rigid<L>,
    ) -> Self {
        room.reserve(skeleton);
        room.set.clear();
        let never = always::<L>().not();
        let mut take = |joint: &JointIndex| {
            let local = local(*joint);
            let copy = &mut room.joints[*joint];
            copy.local = local.made_unit();
            (copy.turned, copy.moved, copy.is_set) = (never, never, false);
        };
        avatar.trunk_joints.iter().for_each(&mut take);
        if asked.look_at.as_ref().is_some_and(|goal| L::splat(0.0).lt(goal.eyes).any()) {
            avatar.look_at.eye_joints().iter().for_each(&mut take);
        }
        avatar.look_at.carried_joints().iter().for_each(&mut take);
        for goal in IkGoal::ALL {
            if asked.limbs[goal.index()].is_some() {
                let limb = avatar.limb(goal);
                limb.hanging.iter().for_each(&mut take);
                limb.joints.path().iter().for_each(&mut take);
                limb.twist.leaves().for_each(|j| take(&j));
            }
        }
        Self { skeleton, room, doubt: L::splat(0.0) }
    }

    #[inline(always)]
    fn set(&mut self, joint: JointIndex) -> &mut Joint<L> {
        let copy = &mut self.room.joints[joint];
        if !copy.is_set {
            copy.is_set = true;
            self.room.set.push(joint);
        }
        copy
    }
}

impl Puppet<'_, F32x8> {
    /// Puts what was set of one character into its pose; whether all of it is numbers, else nothing.
    pub fn put_back(&self, lane: usize, pose: &mut Pose) -> bool {
        let is_sound = self.doubt.0[lane] == 0.0;
        if is_sound {
            for &joint in &self.room.set {
                let copy = &self.room.joints[joint];
                let Rigid { position, rotation } = &copy.local;
                if copy.turned[lane] {
                    let of = |l: F32x8| l.0[lane];
                    let [x, y, z, w] = [rotation.x, rotation.y, rotation.z, rotation.w].map(of);
                    pose.put_rotation(joint, Quat::from_xyzw(x, y, z, w));
                }
                if copy.moved[lane] {
                    pose.put_position(joint, Vec3::new(position.x.0[lane], position.y.0[lane], position.z.0[lane]));
                }
            }
        }
        is_sound
    }
}

/// The joints of eight poses side by side.
#[inline(always)]
pub(super) fn side_by_side(poses: &[&Pose; STEP], joint: JointIndex) -> Rigid<F32x8> {
    let all = poses.map(|pose| &pose.local()[joint]);
    let of = |part: fn(&Transform) -> f32| F32x8(core::array::from_fn(|i| part(all[i])));
    Rigid {
        position: LaneVec3::new(of(|t| t.position.x), of(|t| t.position.y), of(|t| t.position.z)),
        rotation: LaneQuat::new(of(|t| t.rotation.x), of(|t| t.rotation.y), of(|t| t.rotation.z), of(|t| t.rotation.w)),
    }
}

impl<L: Lane> Figure<L> for Puppet<'_, L> {
    #[inline(always)]
    fn local(&self, joint: JointIndex) -> Rigid<L> {
        self.room.joints[joint].local
    }
    #[inline(always)]
    fn model(&self, joint: JointIndex) -> Rigid<L> {
        self.room.joints[joint].model
    }
    #[inline(always)]
    fn parent(&self, joint: JointIndex) -> Rigid<L> {
        match self.skeleton.parent(joint) {
            Some(parent) => self.room.joints[parent].model,
            None => Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() },
        }
    }
    #[inline(always)]
    fn set_rotation(&mut self, mask: L::Mask, joint: JointIndex, rotation: LaneQuat<L>) {
        let nothing = (rotation.x + rotation.y + rotation.z + rotation.w) * L::splat(0.0);
        self.doubt = L::select(mask, self.doubt + nothing, self.doubt);
        let copy = self.set(joint);
        copy.local.rotation = LaneQuat::select(mask, rotation, copy.local.rotation);
        copy.turned = copy.turned.or(mask);
    }
    #[inline(always)]
    fn set_position(&mut self, mask: L::Mask, joint: JointIndex, position: LaneVec3<L>) {
        let nothing = (position.x + position.y + position.z) * L::splat(0.0);
        self.doubt = L::select(mask, self.doubt + nothing, self.doubt);
        let copy = self.set(joint);
        copy.local.position = LaneVec3::select(mask, position, copy.local.position);
        copy.moved = copy.moved.or(mask);
    }
    #[inline(always)]
    fn refresh(&mut self, joint: JointIndex) {
        let local = self.room.joints[joint].local;
        let Some(parent) = self.skeleton.parent(joint) else {
            self.room.joints[joint].model = local;
            return;
        };
        self.room.joints[joint].model = self.room.joints[parent].model.then(&local).tightened();
    }
}
