//! A rig standing in T-pose, whose bones are turned in body axes, whatever its joint frames look
//! like.

use crate::axes::BodyAxes;
use sinew::humanoid::HumanBone;
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointIndex, Pose, Skeleton};

/// Joint of each human bone, by the bone's number (Unity's); `None` where the rig has no such bone.
pub type HumanMap = [Option<JointIndex>; HumanBone::COUNT];

/// A rig as the motion generators need it.
#[derive(Clone, Copy, Debug)]
pub struct RigView<'a> {
    /// The joints.
    pub skeleton: &'a Skeleton,
    /// Which joint is which human bone.
    pub human: &'a HumanMap,
    /// Local transforms of the T-pose, one per joint.
    pub t_pose: &'a [Transform],
    /// Right, up and forward in model space.
    pub axes: BodyAxes,
}

/// A rig in T-pose, ready to be posed.
///
/// Turns are given as they would be seen on the T-pose: "the forearm turns from *out* towards
/// *forward*". The parents' turns apply to their children, so poses mean the same on every rig.
#[derive(Clone, Debug)]
pub struct Mannequin<'a> {
    view: RigView<'a>,
    t_pose: Pose,
    pose: Pose,
}

impl<'a> Mannequin<'a> {
    /// A mannequin in T-pose.
    ///
    /// # Panics
    /// When `view.t_pose` has not one transform per joint.
    pub fn new(view: RigView<'a>) -> Self {
        assert_eq!(view.t_pose.len(), view.skeleton.joint_count(), "the T-pose needs one transform per joint");
        let mut t_pose = Pose::rest(view.skeleton);
        t_pose.local_mut().copy_from_slice(view.t_pose);
        t_pose.update(view.skeleton);
        Self { view, pose: t_pose.clone(), t_pose }
    }
    /// The rig.
    pub fn view(&self) -> &RigView<'a> {
        &self.view
    }
    /// Right, up and forward in model space.
    pub fn axes(&self) -> BodyAxes {
        self.view.axes
    }
    /// Joint of a bone, if the rig has it.
    pub fn joint(&self, bone: HumanBone) -> Option<JointIndex> {
        self.view.human[bone.index()]
    }

    /// Turns a bone against its parent by `turned`, a rotation in model axes as seen in T-pose;
    /// replaces an earlier turn. Bones the rig does not have are passed over. Call [`Self::update`]
    /// before positions are read.
    pub fn turn(&mut self, bone: HumanBone, turned: Quat) {
        if let Some(joint) = self.joint(bone) {
            self.turn_joint(joint, turned);
        }
    }
    /// As [`Self::turn`], for any joint.
    pub fn turn_joint(&mut self, joint: JointIndex, turned: Quat) {
        let frame = self.t_pose.parent_frame(self.view.skeleton, joint);
        let local = frame.rotation_in(turned * self.t_pose.model(joint).rotation);
        self.pose.local_mut()[joint].rotation = local.normalize();
    }
    /// Turns a joint so that its whole turn from the T-pose, parents included, is `turned` in model
    /// space. The parents must be up to date; the joint and its descendants are updated.
    pub fn turn_whole(&mut self, joint: JointIndex, turned: Quat) {
        let rotation_ms = (turned * self.t_pose.model(joint).rotation).normalize();
        self.pose.set_rotation_ms(self.view.skeleton, joint, rotation_ms);
        self.pose.update_subtree(self.view.skeleton, joint);
    }
    /// Moves a joint to a place in model space. The parents must be up to date; the joint and its
    /// descendants are updated.
    pub fn move_to(&mut self, joint: JointIndex, position_ms: Vec3) {
        self.pose.set_position_ms(self.view.skeleton, joint, position_ms);
        self.pose.update_subtree(self.view.skeleton, joint);
    }
    /// Updates all positions.
    pub fn update(&mut self) {
        self.pose.update(self.view.skeleton);
    }

    /// Current position of a joint, model space, rig units.
    pub fn position_ms(&self, joint: JointIndex) -> Vec3 {
        self.pose.model(joint).position
    }
    /// T-pose position of a joint, model space, rig units.
    pub fn t_position_ms(&self, joint: JointIndex) -> Vec3 {
        self.t_pose.model(joint).position
    }
    /// T-pose position of a bone, model space, rig units.
    pub fn t_bone_ms(&self, bone: HumanBone) -> Option<Vec3> {
        Some(self.t_position_ms(self.joint(bone)?))
    }
    /// Current rotation of a joint relative to the T-pose, in model space.
    pub fn turned_ms(&self, joint: JointIndex) -> Quat {
        (self.pose.model(joint).rotation * self.t_pose.model(joint).rotation.conjugate()).normalize()
    }
    /// Current local transform of a joint.
    pub fn local(&self, joint: JointIndex) -> Transform {
        self.pose.local()[joint]
    }
    /// Local transforms of all joints.
    pub fn into_locals(self) -> Vec<Transform> {
        self.pose.local().to_vec()
    }
}
