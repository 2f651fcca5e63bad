//! The joints of one character as a figure, where they are: in its pose, all of scale 1 as far as
//! the steps touch them.
//!
//! The frames that the steps need go where the pose keeps its own, as single registers.

use crate::math::rigid::{self, Placed};
use crate::math::{LaneQuat, LaneVec3, Rigid, ScalarInRegister, scalar_in_register};
use crate::skeleton::joint_view::JointView;
use crate::skeleton::{JointIndex, Pose, Skeleton};
use wide::f32x4;

/// One character's pose.
pub(crate) struct SinglePose<'a> {
    skeleton: &'a Skeleton,
    pose: &'a mut Pose,
    /// No rotation is off.
    is_plain: bool,
    /// Zeros where all that was set is a number.
    doubt: f32x4,
}

impl<'a> SinglePose<'a> {
    /// A checked pose. The joints that will be touched, and all above them, have no scale.
    pub fn new(skeleton: &'a Skeleton, pose: &'a mut Pose) -> Self {
        Self { skeleton, is_plain: pose.is_known_plain(), pose, doubt: f32x4::ZERO }
    }
    /// Whether all that was set is numbers.
    pub fn is_sound(&self) -> bool {
        let [x, y, z, w] = *self.doubt.as_array_ref();
        (x + y) + (z + w) == 0.0
    }
    #[inline(always)]
    fn placed(&self, joint: JointIndex) -> Placed<f32x4> {
        let local = &self.pose.local()[joint];
        if self.is_plain { rigid::placed_plain(local) } else { rigid::placed(local) }
    }
}

#[inline(always)]
fn rigid_of(placed: Placed<f32x4>) -> Rigid<ScalarInRegister> {
    Rigid {
        position: scalar_in_register::vector(placed.position),
        rotation: scalar_in_register::quaternion(placed.rotation),
    }
}

impl JointView<ScalarInRegister> for SinglePose<'_> {
    #[inline(always)]
    fn local(&self, joint: JointIndex) -> Rigid<ScalarInRegister> {
        rigid_of(self.placed(joint))
    }
    #[inline(always)]
    fn model(&self, joint: JointIndex) -> Rigid<ScalarInRegister> {
        rigid_of(self.pose.placed(joint))
    }
    #[inline(always)]
    fn parent(&self, joint: JointIndex) -> Rigid<ScalarInRegister> {
        match self.skeleton.parent(joint) {
            Some(parent) => self.model(parent),
            None => Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() },
        }
    }
    #[inline(always)]
    fn set_rotation(&mut self, mask: bool, joint: JointIndex, rotation: LaneQuat<ScalarInRegister>) {
        if mask {
            self.doubt += scalar_in_register::four(rotation) * f32x4::ZERO;
            self.pose.put_rotation(joint, rotation.to_scalar().to_quat());
        }
    }
    #[inline(always)]
    fn set_position(&mut self, mask: bool, joint: JointIndex, position: LaneVec3<ScalarInRegister>) {
        if mask {
            self.doubt += scalar_in_register::three(position) * f32x4::ZERO;
            self.pose.put_position(joint, position.to_scalar().to_vec3());
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
    #[inline(always)]
    fn refresh_turned(&mut self, mask: bool, joint: JointIndex, rotation_ms: LaneQuat<ScalarInRegister>) {
        let position = match self.skeleton.parent(joint) {
            Some(parent) => {
                let parent = self.pose.placed(parent);
                parent.position + rigid::turned(parent.rotation, self.placed(joint).position)
            }
            None => self.placed(joint).position,
        };
        let rotation = match mask {
            true => rigid::tightened(scalar_in_register::four(rotation_ms)),
            false => self.pose.placed(joint).rotation,
        };
        self.pose.put_placed(joint, Placed { position, rotation });
    }
}
