//! The joints of one character as a figure, where they are: in its pose, all of scale 1 as far as the steps touch them.
//!
//! The frames that the steps need go where the pose keeps its own, as single registers. What is set is written down before, so
//! that a solve which leaves a number that is none can be taken back.

use crate::chains::figure::Figure;
use crate::math::rigid::{self, Placed};
use crate::math::{Alone, LaneQuat, LaneVec3, Rigid, Transform, alone};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use wide::f32x4;

/// Joints as they were before they were set, in the order of setting.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    joints: Vec<(JointIndex, Transform)>,
}

impl Journal {
    /// With room for a skeleton: most joints are set once at most, none more than four times.
    pub fn for_skeleton(skeleton: &Skeleton) -> Self {
        Self { joints: Vec::with_capacity(2 * skeleton.joint_count()) }
    }
}

/// One character's pose.
pub(super) struct Solo<'a> {
    skeleton: &'a Skeleton,
    pose: &'a mut Pose,
    journal: &'a mut Journal,
    /// No rotation is off.
    is_plain: bool,
    /// Zeros where all that was set is a number.
    doubt: f32x4,
}

impl<'a> Solo<'a> {
    /// A checked pose. The joints that will be touched, and all above them, have no scale.
    pub fn new(skeleton: &'a Skeleton, pose: &'a mut Pose, journal: &'a mut Journal) -> Self {
        journal.joints.clear();
        Self { skeleton, is_plain: pose.is_known_plain(), pose, journal, doubt: f32x4::ZERO }
    }
    /// Whether all that was set is numbers; else it is taken back.
    pub fn finish(self) -> bool {
        let [x, y, z, w] = self.doubt.to_array();
        let is_sound = (x + y) + (z + w) == 0.0;
        if !is_sound {
            for &(joint, before) in self.journal.joints.iter().rev() {
                self.pose.put_rotation(joint, before.rotation);
                self.pose.put_position(joint, before.position);
            }
        }
        is_sound
    }
    #[inline(always)]
    fn placed(&self, joint: JointIndex) -> Placed<f32x4> {
        let local = &self.pose.local()[joint];
        if self.is_plain { rigid::placed_plain(local) } else { rigid::placed(local) }
    }
    #[inline(always)]
    fn note(&mut self, joint: JointIndex) {
        self.journal.joints.push((joint, self.pose.local()[joint]));
    }
}

#[inline(always)]
fn rigid_of(placed: Placed<f32x4>) -> Rigid<Alone> {
    Rigid { position: alone::vector(placed.position), rotation: alone::quaternion(placed.rotation) }
}

impl Figure<Alone> for Solo<'_> {
    #[inline(always)]
    fn local(&self, joint: JointIndex) -> Rigid<Alone> {
        rigid_of(self.placed(joint))
    }
    #[inline(always)]
    fn model(&self, joint: JointIndex) -> Rigid<Alone> {
        rigid_of(self.pose.placed(joint))
    }
    #[inline(always)]
    fn parent(&self, joint: JointIndex) -> Rigid<Alone> {
        match self.skeleton.parent(joint) {
            Some(parent) => self.model(parent),
            None => Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() },
        }
    }
    #[inline(always)]
    fn set_rotation(&mut self, mask: bool, joint: JointIndex, rotation: LaneQuat<Alone>) {
        if mask {
            self.note(joint);
            self.doubt += alone::four(rotation) * f32x4::ZERO;
            self.pose.put_rotation(joint, rotation.alone().to_quat());
        }
    }
    #[inline(always)]
    fn set_position(&mut self, mask: bool, joint: JointIndex, position: LaneVec3<Alone>) {
        if mask {
            self.note(joint);
            self.doubt += alone::three(position) * f32x4::ZERO;
            self.pose.put_position(joint, position.alone().to_vec3());
        }
    }
    #[inline(always)]
    fn refresh(&mut self, joint: JointIndex) {
        let own = self.placed(joint);
        let frame = match self.skeleton.parent(joint) {
            Some(parent) => {
                let frame = rigid::step(self.pose.placed(parent), own);
                Placed { rotation: rigid::tightened(frame.rotation), ..frame }
            }
            None => own,
        };
        self.pose.put_placed(joint, frame);
    }
}
