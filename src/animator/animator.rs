//! One character of any rig: pose, root, input, and outcomes of the last solve.

use super::error::AnimatorError;
use super::humanoid_part::HumanoidPart;
use super::route::Route;
use super::state::FrameState;
use crate::constraints::ConstraintStack;
use crate::humanoid::Avatar;
use crate::limits::LimitTable;
use crate::math::rigid::{self, Placed};
use crate::math::{Frame, Transform};
use crate::skeleton::exchanged::HasPose;
use crate::skeleton::{JointIndex, Pose, Skeleton, path};
use std::sync::Arc;
use wide::f32x4;

/// One character of any rig: a pose, humanoid goals where there is an avatar, and constraints.
///
/// Each frame: rewrite all local transforms in [`Self::pose_mut`] (they hold the last result), set
/// the root with [`Self::set_root`], set goals, call [`Self::advance`] if switches are used, call
/// [`Self::solve`], read [`Self::pose`]. Input stays set until changed. Goals, hints and look-at
/// are in world space. A rig without an avatar (a crane, a tail) has constraints only.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use sinew::animator::Animator;
/// use sinew::humanoid::{Avatar, AvatarDefinition, IkGoal};
/// use sinew::math::Vec3;
/// use sinew::skeleton::SkeletonBuilder;
/// use std::sync::Arc;
/// let mut rig = SkeletonBuilder::new();
/// let hips = rig.joint_at("Hips", None, Vec3::new(0.0, 1.0, 0.0));
/// let spine = rig.joint_at("Spine", Some(hips), Vec3::new(0.0, 0.2, 0.0));
/// rig.joint_at("Head", Some(spine), Vec3::new(0.0, 0.4, 0.0));
/// for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
///     let arm = rig.joint_at(&format!("{side}UpperArm"), Some(spine), Vec3::new(0.2 * x, 0.3, 0.0));
///     let forearm = rig.joint_at(&format!("{side}LowerArm"), Some(arm), Vec3::new(0.28 * x, 0.0, 0.0));
///     rig.joint_at(&format!("{side}Hand"), Some(forearm), Vec3::new(0.25 * x, 0.0, 0.0));
///     let thigh = rig.joint_at(&format!("{side}UpperLeg"), Some(hips), Vec3::new(0.1 * x, 0.0, 0.0));
///     let shin = rig.joint_at(&format!("{side}LowerLeg"), Some(thigh), Vec3::new(0.0, -0.45, 0.01));
///     rig.joint_at(&format!("{side}Foot"), Some(shin), Vec3::new(0.0, -0.45, -0.01));
/// }
/// let skeleton = Arc::new(rig.build()?);
/// let map = sinew::humanoid::map_human_names(&skeleton);
/// let avatar = Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..Default::default() })?;
/// let mut animator = Animator::new(skeleton.clone(), Some(Arc::new(avatar)))?;
/// animator.set_ik_position(IkGoal::RightHand, Vec3::new(-0.3, 1.2, 0.35))?;
/// animator.set_ik_position_weight(IkGoal::RightHand, 1.0)?;
/// // Each frame: rewrite every joint from the animation, here the rest pose.
/// animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
/// animator.solve()?;
/// assert!(animator.ik_outcome(IkGoal::RightHand)?.residual_m < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Animator {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) pose: Pose,
    root: Transform,
    pub(super) world_from_model: Frame,
    pub(super) humanoid: Option<Box<HumanoidPart>>,
    pub(super) limits: LimitTable,
    pub(super) constraints: ConstraintStack,
    pub(super) state: FrameState,
}

impl HasPose for &mut Animator {
    fn pose_mut(&mut self) -> &mut Pose {
        &mut self.pose
    }
}

impl Animator {
    /// A character in the rest pose, root at the origin, all weights 0. Without an avatar the
    /// humanoid calls fail with [`AnimatorError::NotHumanoid`].
    pub fn new(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Self, AnimatorError> {
        if avatar.as_ref().is_some_and(|a| !Arc::ptr_eq(a.skeleton(), &skeleton)) {
            return Err(AnimatorError::WrongSkeleton);
        }
        let limits = LimitTable::new(avatar.as_ref().map(|avatar| avatar.human_limits().layer().clone()));
        let humanoid = avatar.map(|avatar| Box::new(HumanoidPart::new(avatar)));
        Ok(Self {
            pose: Pose::rest(&skeleton),
            skeleton,
            root: Transform::IDENTITY,
            world_from_model: Frame::IDENTITY,
            humanoid,
            limits,
            constraints: ConstraintStack::default(),
            state: FrameState::default(),
        })
    }

    /// The rig.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }
    /// The avatar, if there is one.
    pub fn avatar(&self) -> Option<&Arc<Avatar>> {
        self.humanoid.as_ref().map(|h| &h.avatar)
    }
    /// The pose: the host's animation before a solve, the result after. Its model frames are those
    /// of the last update of each joint and may be stale; [`Self::joint_ws`] computes the current
    /// frame of a joint.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }
    /// The pose, to write local transforms.
    pub fn pose_mut(&mut self) -> &mut Pose {
        &mut self.pose
    }
    /// World from model space, as set.
    pub fn root(&self) -> &Transform {
        &self.root
    }
    /// Sets the transform of the character's root object: world from model space, metres. The
    /// largest scale must be between 1e-15 and 1e15 in size, and the product of the others' ratios
    /// to it above 1e-6.
    pub fn set_root(&mut self, root: Transform) -> Result<(), AnimatorError> {
        let Some(rotation) = rigid::frame_rotation(&root) else { return self.set_scaled_root(root) };
        self.root = root;
        // Turns the zeros of a position positive, as a turn by the identity does.
        let position = f32x4::ZERO + rigid::placed_plain(&root).position;
        self.world_from_model = Frame::new(Placed { position, rotation }, None);
        Ok(())
    }
    #[inline(never)]
    fn set_scaled_root(&mut self, root: Transform) -> Result<(), AnimatorError> {
        let frame = Frame::from_transform(&Transform { rotation: root.rotation.normalize(), ..root });
        if !frame.is_rigid() && frame.inverse_linear().is_none() {
            return Err(AnimatorError::BadScale(root.scale));
        }
        self.root = root;
        self.world_from_model = frame;
        Ok(())
    }

    pub(super) fn humanoid(&self) -> Result<&HumanoidPart, AnimatorError> {
        self.humanoid.as_deref().ok_or(AnimatorError::NotHumanoid)
    }
    pub(super) fn humanoid_mut(&mut self) -> Result<&mut HumanoidPart, AnimatorError> {
        self.humanoid.as_deref_mut().ok_or(AnimatorError::NotHumanoid)
    }

    /// Frame of a joint in world space, computed from the current local transforms.
    pub fn joint_ws(&self, joint: JointIndex) -> Frame {
        self.world_from_model.compose(&self.joint_ms(joint))
    }
    /// The root transform as a frame: from model space to world space.
    pub fn world_frame(&self) -> &Frame {
        &self.world_from_model
    }
    /// Model frames of all joints of the current pose, in joint order.
    pub fn model_frames(&mut self) -> impl Iterator<Item = Frame> + '_ {
        self.pose.update(&self.skeleton);
        self.updated_frames()
    }
    /// [`Self::model_frames`] as they were last brought up to date.
    pub(crate) fn updated_frames(&self) -> impl Iterator<Item = Frame> + '_ {
        (0..self.skeleton.joint_count()).map(|joint| self.pose.model(joint))
    }
    /// Whether no number of [`Self::model_frames`] is beyond a size, or NaN. Brings the frames up
    /// to date.
    #[cfg(feature = "record")]
    pub(crate) fn frames_are_within(&mut self, size: f32) -> bool {
        self.pose.update(&self.skeleton);
        self.pose.frames_are_within(size)
    }
    /// Writes position, rotation and axes of all joints in model space, joint by joint; false, and
    /// nothing written, where some joint has a scale, or in a small skeleton: then
    /// [`Self::updated_frames`] has them. As they were last brought up to date.
    #[cfg(feature = "record")]
    pub(crate) fn write_model_rows(&self, out: &mut [[f32; 16]]) -> bool {
        self.pose.write_rows(out)
    }
    pub(super) fn joint_ms(&self, joint: JointIndex) -> Frame {
        self.part_ms::<true, true>(joint)
    }
    /// [`Self::joint_ms`], of which only one part need be right.
    #[inline(always)]
    pub(super) fn part_ms<const POSITION: bool, const ROTATION: bool>(&self, joint: JointIndex) -> Frame {
        path::frame::<POSITION, ROTATION>(&self.skeleton, self.pose.local(), joint)
    }
    /// The fastest view that the next frame can run on, if the pose has no scale.
    #[inline(always)]
    pub(super) fn route(&self) -> Route {
        let Some(humanoid) = self.humanoid.as_deref() else { return Route::Pose };
        let constraints = if self.constraints.is_empty() { Route::Tile } else { Route::Single };
        humanoid.route(&self.state).max(constraints)
    }
    /// Whether the next frame can run in a tile, if its input and pose are similar to the last
    /// ones.
    pub(crate) fn can_run_in_tile(&self) -> bool {
        let unscaled = || !self.pose.has_had_scale() || !self.pose.local().iter().any(rigid::is_scaled);
        self.route() == Route::Tile && unscaled()
    }
}
