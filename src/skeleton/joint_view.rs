//! Views of the joints that the steps of a solve read and rotate: one pose, or eight of one rig
//! side by side.
//!
//! The steps are written once over a [`JointView`]. For one character it is [`ScaledPoseView`], a
//! pose with frames of any scale; for a crowd it is a view of eight rigid poses side by side
//! (`animator::crowd`). For a rigid pose both do the same operations in the same order, so the
//! results are the same bits.

use crate::math::Rigid;
use crate::math::{Frame, Lane, LaneQuat, LaneVec3, Quat, Vec3, conjugate_by_signs};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// The joints of one character, or of several side by side. Model frames are those of the last
/// refresh of each joint.
pub(crate) trait JointView<L: Lane> {
    /// Position and rotation in the parent, the rotation normalised where it is off unit length.
    fn local(&self, joint: JointIndex) -> Rigid<L>;
    /// Position and rotation in model space.
    fn model(&self, joint: JointIndex) -> Rigid<L>;
    /// [`Self::model`] of the parent; that of model space itself for a root.
    fn parent(&self, joint: JointIndex) -> Rigid<L>;
    /// Sets the local rotation where `mask`.
    fn set_rotation(&mut self, mask: L::Mask, joint: JointIndex, rotation: LaneQuat<L>);
    /// Sets the local position where `mask`.
    fn set_position(&mut self, mask: L::Mask, joint: JointIndex, position: LaneVec3<L>);
    /// Recomputes the frame of a joint; that of its parent must be up to date.
    fn refresh(&mut self, joint: JointIndex);

    /// [`Self::refresh`] of a joint whose orientation in model space was just set to `rotation_ms`
    /// where `mask`; elsewhere only its position is stale.
    fn refresh_turned(&mut self, mask: L::Mask, joint: JointIndex, rotation_ms: LaneQuat<L>);

    // The defaults are right for joints without scale.

    /// A vector of the joint's space in model space.
    #[inline(always)]
    fn vector_out(&self, joint: JointIndex, v: Vec3) -> LaneVec3<L> {
        self.model(joint).rotation.rotate(LaneVec3::splat(v))
    }
    /// As [`Self::vector_out`], for a direction: of a joint without size (scale zero) that of its
    /// rotation.
    #[inline(always)]
    fn direction_out(&self, joint: JointIndex, v: Vec3) -> LaneVec3<L> {
        self.vector_out(joint, v)
    }
    /// The rotation whose `z` and `y` axes are the joint's `forward` and `up` in model space,
    /// orthonormalised; `facing` is that rotation in the joint's space.
    #[inline(always)]
    fn facing(&self, joint: JointIndex, facing: Quat, _forward: Vec3, _up: Vec3) -> LaneQuat<L> {
        self.model(joint).rotation * LaneQuat::splat(facing)
    }
    /// A vector of the joint's space in its parent's, for a joint with this rotation.
    #[inline(always)]
    fn vector_in_parent(&self, _joint: JointIndex, rotation: LaneQuat<L>, v: LaneVec3<L>) -> LaneVec3<L> {
        rotation.rotate(v)
    }
    /// As [`Self::vector_in_parent`], for a direction, as [`Self::direction_out`].
    #[inline(always)]
    fn direction_in_parent(&self, joint: JointIndex, rotation: LaneQuat<L>, v: LaneVec3<L>) -> LaneVec3<L> {
        self.vector_in_parent(joint, rotation, v)
    }
    /// A point of model space in the space of the joint's parent, and the mask of lanes where that
    /// space can be inverted (no zero scale).
    #[inline(always)]
    fn point_in_parent(&self, joint: JointIndex, point_ms: LaneVec3<L>) -> (LaneVec3<L>, L::Mask) {
        let parent = self.parent(joint);
        (parent.rotation.conjugate().rotate(point_ms - parent.position), always::<L>())
    }
    /// The local rotation that gives the joint the orientation `rotation_ms` in model space.
    #[inline(always)]
    fn rotation_in_parent(&self, joint: JointIndex, rotation_ms: LaneQuat<L>) -> LaneQuat<L> {
        (self.parent(joint).rotation.conjugate() * rotation_ms).normalize()
    }
    /// Whether the bones below these joints keep their shape when the joints turn (no uneven
    /// scale).
    #[inline(always)]
    fn is_even(&self, _joints: &[JointIndex]) -> bool {
        true
    }
}

/// [`JointView::refresh`] of joints, in this order.
#[inline(always)]
pub(crate) fn refresh_all<L: Lane>(view: &mut impl JointView<L>, joints: &[JointIndex]) {
    for &joint in joints {
        view.refresh(joint);
    }
}

/// True in every lane.
#[inline(always)]
pub(crate) fn always<L: Lane>() -> L::Mask {
    L::splat(0.0).lt(L::splat(1.0))
}

/// View of one pose, with frames of any scale.
pub(crate) struct ScaledPoseView<'a> {
    pub skeleton: &'a Skeleton,
    pub pose: &'a mut Pose,
}

impl ScaledPoseView<'_> {
    #[inline(always)]
    fn parent_frame(&self, joint: JointIndex) -> Frame {
        self.pose.parent_frame(self.skeleton, joint)
    }
}

#[inline(always)]
fn rigid(frame: &Frame) -> Rigid<f32> {
    Rigid { position: LaneVec3::from_vec3(frame.position), rotation: LaneQuat::from_quat(frame.rotation) }
}

impl JointView<f32> for ScaledPoseView<'_> {
    #[inline(always)]
    fn local(&self, joint: JointIndex) -> Rigid<f32> {
        Rigid::from_transform(&self.pose.local()[joint])
    }
    #[inline(always)]
    fn model(&self, joint: JointIndex) -> Rigid<f32> {
        rigid(&self.pose.model(joint))
    }
    #[inline(always)]
    fn parent(&self, joint: JointIndex) -> Rigid<f32> {
        rigid(&self.parent_frame(joint))
    }
    #[inline(always)]
    fn vector_out(&self, joint: JointIndex, v: Vec3) -> LaneVec3<f32> {
        let frame = self.pose.model(joint);
        if frame.is_rigid() {
            return LaneQuat::from_quat(frame.rotation).rotate(LaneVec3::from_vec3(v));
        }
        LaneVec3::from_vec3(frame.vector_out(v))
    }
    #[inline(always)]
    fn direction_out(&self, joint: JointIndex, v: Vec3) -> LaneVec3<f32> {
        let out = self.vector_out(joint, v);
        if out.dot(out) < NO_SIZE { LaneVec3::from_vec3(direction_out(&self.pose.model(joint), v)) } else { out }
    }
    #[inline(always)]
    fn facing(&self, joint: JointIndex, facing: Quat, forward: Vec3, up: Vec3) -> LaneQuat<f32> {
        self::facing(&self.pose.model(joint), facing, forward, up)
    }
    #[inline(always)]
    fn vector_in_parent(&self, joint: JointIndex, rotation: LaneQuat<f32>, v: LaneVec3<f32>) -> LaneVec3<f32> {
        let local = &self.pose.local()[joint];
        let scaled = if local.scale == Vec3::ONE { v } else { LaneVec3::from_vec3(local.scale * v.to_vec3()) };
        rotation.rotate(scaled)
    }
    #[inline(always)]
    fn direction_in_parent(&self, joint: JointIndex, rotation: LaneQuat<f32>, v: LaneVec3<f32>) -> LaneVec3<f32> {
        let scaled = self.vector_in_parent(joint, rotation, v);
        if scaled.dot(scaled) < NO_SIZE { rotation.rotate(v) } else { scaled }
    }
    #[inline(always)]
    fn point_in_parent(&self, joint: JointIndex, point_ms: LaneVec3<f32>) -> (LaneVec3<f32>, bool) {
        let parent = self.parent_frame(joint);
        if parent.is_rigid() {
            let off = point_ms - LaneVec3::from_vec3(parent.position);
            return (LaneQuat::from_quat(parent.rotation).conjugate().rotate(off), true);
        }
        let point = parent.point_in(point_ms.to_vec3());
        (LaneVec3::from_vec3(point.unwrap_or(Vec3::ZERO)), point.is_some())
    }
    #[inline(always)]
    fn rotation_in_parent(&self, joint: JointIndex, rotation_ms: LaneQuat<f32>) -> LaneQuat<f32> {
        let parent = self.parent_frame(joint);
        let local = (LaneQuat::from_quat(parent.rotation).conjugate() * rotation_ms).normalize();
        if parent.is_rigid() {
            return local;
        }
        LaneQuat::from_quat(conjugate_by_signs(local.to_quat(), parent.signs()))
    }
    #[inline(always)]
    fn is_even(&self, joints: &[JointIndex]) -> bool {
        joints.iter().all(|j| {
            let s = self.pose.local()[*j].scale;
            s == Vec3::ONE || (s.min_element() > 0.0 && s.max_element() - s.min_element() <= 1e-6 * s.max_element())
        })
    }
    #[inline(always)]
    fn set_rotation(&mut self, mask: bool, joint: JointIndex, rotation: LaneQuat<f32>) {
        if mask {
            self.pose.local_mut()[joint].rotation = rotation.to_quat();
        }
    }
    #[inline(always)]
    fn set_position(&mut self, mask: bool, joint: JointIndex, position: LaneVec3<f32>) {
        if mask {
            self.pose.local_mut()[joint].position = position.to_vec3();
        }
    }
    #[inline(always)]
    fn refresh(&mut self, joint: JointIndex) {
        self.pose.update_joints(self.skeleton, &[joint]);
    }
    #[inline(always)]
    fn refresh_turned(&mut self, _mask: bool, joint: JointIndex, _rotation_ms: LaneQuat<f32>) {
        self.refresh(joint);
    }
}

/// Square of a unit vector's length in a joint, below which the joint has no size.
const NO_SIZE: f32 = 1e-30;

/// [`JointView::direction_out`] of a frame of any scale.
#[inline(always)]
pub(crate) fn direction_out(frame: &Frame, v: Vec3) -> Vec3 {
    let out = frame.vector_out(v);
    if out.length_squared() < NO_SIZE { frame.rotation * (frame.signs() * v) } else { out }
}

/// [`JointView::facing`] in a frame of any scale.
#[inline(always)]
pub(crate) fn facing<L: Lane>(frame: &Frame, facing: Quat, forward: Vec3, up: Vec3) -> LaneQuat<L> {
    if frame.is_rigid() {
        return LaneQuat::splat(frame.rotation) * LaneQuat::splat(facing);
    }
    LaneQuat::splat(scaled_facing(frame, forward, up).to_quat())
}

/// [`facing`] from two directions mapped by a frame with scale, orthonormalised.
#[inline(never)]
fn scaled_facing(frame: &Frame, forward: Vec3, up: Vec3) -> LaneQuat<f32> {
    let out = |v: Vec3| LaneVec3::from_vec3(frame.vector_out(v)).normalize_or(LaneVec3::from_vec3(Vec3::Z), 1e-20).0;
    let (forward, up) = (out(forward), out(up));
    let (up, _) = up.reject_from(forward).normalize_or(forward.any_perpendicular(), 1e-20);
    LaneQuat::from_frames(LaneVec3::from_vec3(Vec3::Z), LaneVec3::from_vec3(Vec3::Y), forward, up)
}
