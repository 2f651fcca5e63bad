//! The avatar: which joint is which human bone, and what was measured once on the T-pose.

use super::body::BodyRig;
use super::human_limits::{HumanLimits, LimitSource};
use super::human_ranges::{HumanRange, HumanRangeSet};
use super::limb_starts::LegStarts;
use super::look_at_rig::LookAtRig;
use super::mapping::twist_names;
use super::posture::PostureRig;
use super::shoulder::ShoulderRig;
use super::trunk_rig::TrunkRig;
use super::twist::{TwistRig, TwistSource};
use super::{BodyAxes, HumanBone, HumanMap, IkGoal, body_axes, t_pose};
use crate::closed_form::limb::LimbJoints;
use crate::math::{Frame, Quat, Transform, Vec3, frame_rotation, normalize_or};
use crate::outcome::weight01;
use crate::skeleton::{JointIndex, Pose, Skeleton};
use std::sync::Arc;

/// What an avatar is made from.
#[derive(Clone, Debug)]
pub struct AvatarDefinition {
    /// Which joint is which human bone.
    pub map: HumanMap,
    /// Local transforms of all joints in the T-pose; `None`: reconstructed from the skeleton's rest
    /// pose.
    pub t_pose: Option<Vec<Transform>>,
    /// Up axis of the character, model space; `None`: derived from the joints.
    pub up: Option<Vec3>,
    /// Direction the chest faces in the T-pose, model space; `None`: derived from the joints.
    pub forward: Option<Vec3>,
    /// How much an arm may lengthen to reach a goal, as a fraction of its length, 0 … 1. Default
    /// 0.05, as Unity's: stretching starts at 95 % of the length, or where the animation holds the
    /// arm if that is farther, and ends at 105 %. Larger values look softer and less real.
    pub arm_stretch: f32,
    /// The same for a leg. Default 0.05.
    pub leg_stretch: f32,
    /// Part of an upper arm's roll that the elbow takes, 0 (all at the shoulder) … 1 (all at the
    /// elbow); default 0.5, as Unity's. What is shared, and over which joints: docs/animator.md,
    /// "Twist".
    pub upper_arm_twist: f32,
    /// Part of a hand's roll that the wrist takes, 0 (all at the elbow) … 1 (all at the wrist);
    /// default 0.5.
    pub lower_arm_twist: f32,
    /// Part of a thigh's roll that the knee takes, 0 (all at the hip) … 1 (all at the knee);
    /// default 0.5.
    pub upper_leg_twist: f32,
    /// Part of a foot's roll that the ankle takes, 0 (all at the knee) … 1 (all at the ankle);
    /// default 0.5.
    pub lower_leg_twist: f32,
    /// Least distance of the ankles sideways, as a part of the human scale, 0 … 1; default 0: none.
    /// docs/animator.md, "Feet spacing".
    pub feet_spacing: f32,
    /// Which ranges people's are. Default: measured ones.
    pub human_range_set: HumanRangeSet,
    /// Ranges of bones in place of those of the set; the last entry of a bone counts.
    /// They act while
    /// [`super::HumanoidSettings::limits_enabled`]. Default: none.
    pub human_ranges: Vec<(HumanBone, HumanRange)>,
}

impl Default for AvatarDefinition {
    fn default() -> Self {
        Self {
            map: HumanMap::default(),
            t_pose: None,
            up: None,
            forward: None,
            arm_stretch: 0.05,
            leg_stretch: 0.05,
            upper_arm_twist: 0.5,
            lower_arm_twist: 0.5,
            upper_leg_twist: 0.5,
            lower_leg_twist: 0.5,
            feet_spacing: 0.0,
            human_range_set: HumanRangeSet::default(),
            human_ranges: Vec::new(),
        }
    }
}

/// Why an avatar could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AvatarError {
    /// Required bones have no joint.
    #[error("required human bones have no joint: {}", names(.0))]
    MissingBones(Vec<HumanBone>),
    /// A joint index is not of the skeleton.
    #[error("{}: joint {joint} is not one of the skeleton's", bone.name())]
    NoSuchJoint {
        /// The bone.
        bone: HumanBone,
        /// The index given.
        joint: JointIndex,
    },
    /// Two bones share a joint.
    #[error("{} and {} are both mapped to joint {joint}", first.name(), second.name())]
    SharedJoint {
        /// One bone.
        first: HumanBone,
        /// The other.
        second: HumanBone,
        /// Their joint.
        joint: JointIndex,
    },
    /// A bone of a limb is not a descendant of the one before, so it cannot be solved; names the
    /// lower one.
    #[error("{} is not below {}", below.name(), above.name())]
    NotBelow {
        /// The bone that should be below the other.
        below: HumanBone,
        /// The other.
        above: HumanBone,
    },
    /// The T-pose given has another number of transforms.
    #[error("the T-pose has {given} transforms for {expected} joints")]
    TPoseLength {
        /// Joints of the skeleton.
        expected: usize,
        /// Transforms given.
        given: usize,
    },
    /// Up, right and forward cannot be determined from the joints (all in one point or line), or
    /// the given axes are parallel.
    #[error(
        "cannot determine the up and forward axes: the body's joints are collinear, or the given axes are parallel"
    )]
    NoAxes,
    /// The numbers of the T-pose are so large that what is measured on it would not be finite.
    #[error("the numbers of the T-pose are too large: what is measured on it would not be finite")]
    TooLarge,
}

fn names(bones: &[HumanBone]) -> String {
    bones.iter().map(|b| b.name()).collect::<Vec<_>>().join(", ")
}

/// A limb of the avatar.
#[derive(Clone, Debug)]
pub(crate) struct LimbRig {
    pub joints: LimbJoints,
    /// Side the limb bends to, in the root joint's own space.
    pub bend_side_js: Vec3,
    /// Middle of what the limb can reach, in the space of the root joint's parent.
    pub centre_ps: Vec3,
    /// `goal rotation = end joint's rotation · goal_from_bone`.
    pub goal_from_bone: Quat,
    pub stretch: f32,
    /// Joints between what looking moves and the limb's root, in joint order: stale after looking,
    /// and of no other use.
    pub hanging: Vec<JointIndex>,
    pub twist: TwistRig,
    pub posture: PostureRig,
    /// Clavicle of an arm.
    pub shoulder: Option<ShoulderRig>,
    /// Of a leg.
    pub(super) starts: Option<LegStarts>,
}

/// Which joint of a skeleton is which human bone, and what follows from it. Immutable, shared by
/// all characters of a rig.
#[derive(Clone, Debug)]
pub struct Avatar {
    skeleton: Arc<Skeleton>,
    map: HumanMap,
    axes: BodyAxes,
    t_pose: Vec<Transform>,
    limbs: [LimbRig; 4],
    foot_bottom_heights: [f32; 2],
    human_scale: f32,
    feet_spacing: f32,
    limits: HumanLimits,
    pub(crate) body: BodyRig,
    pub(crate) look_at: LookAtRig,
    /// `None`: no joint carries both arms.
    pub(super) trunk: Option<TrunkRig>,
    /// Every joint the humanoid steps need a frame of (bones but fingers, and their ancestors), in
    /// joint order.
    pub(crate) core_joints: Box<[JointIndex]>,
    /// Every joint whose transform the humanoid steps may change, where no bones are overridden and
    /// the whole-body solver is off: the core and, beside it, joints that share a twist.
    pub(crate) moved_joints: Box<[JointIndex]>,
    /// The place of each joint of the skeleton in those.
    moved_places: Box<[Option<usize>]>,
    /// The joints that carry limbs and gaze, in joint order, except descendants of what look-at
    /// moves.
    pub(crate) trunk_joints: Vec<JointIndex>,
}

impl Avatar {
    /// The place of a joint in [`Self::moved_joints`].
    #[inline(always)]
    pub(crate) fn moved_place(&self, joint: JointIndex) -> Option<usize> {
        *self.moved_places.get(joint)?
    }
    /// Checks the map and measures the T-pose.
    pub fn new(skeleton: Arc<Skeleton>, definition: &AvatarDefinition) -> Result<Self, AvatarError> {
        let map = definition.map.clone();
        check_map(&skeleton, &map)?;
        let axes = body_axes(&skeleton, &map, definition.up, definition.forward).ok_or(AvatarError::NoAxes)?;
        let t_pose = match &definition.t_pose {
            Some(given) if given.len() != skeleton.joint_count() => {
                return Err(AvatarError::TPoseLength { expected: skeleton.joint_count(), given: given.len() });
            }
            Some(given) => given.clone(),
            None => t_pose(&skeleton, &map, &axes),
        };
        let mut pose = Pose::rest(&skeleton);
        pose.local_mut().copy_from_slice(&t_pose);
        pose.update(&skeleton);
        if !map.iter().all(|(_, joint)| pose.model(joint).is_within(f32::MAX)) {
            return Err(AvatarError::TooLarge);
        }
        let is_twist = twist_names(skeleton.names());
        let mut rest = Pose::rest(&skeleton);
        rest.update(&skeleton);
        let limb = |goal| {
            let mut limb = measure_limb(&skeleton, &map, &axes, &pose, definition, goal)?;
            let shares = if goal.is_foot() {
                [definition.upper_leg_twist, definition.lower_leg_twist]
            } else {
                [definition.upper_arm_twist, definition.lower_arm_twist]
            };
            let shares = shares.map(weight01);
            let source =
                TwistSource { skeleton: &skeleton, map: &map, axes: &axes, t_pose: &pose, is_twist: &is_twist };
            limb.twist = TwistRig::new(source, goal, &limb.joints, shares);
            let clavicle = match goal {
                IkGoal::LeftHand => map.get(HumanBone::LeftShoulder),
                IkGoal::RightHand => map.get(HumanBone::RightShoulder),
                _ => None,
            };
            limb.shoulder = clavicle.and_then(|c| ShoulderRig::new(&skeleton, &axes, &pose, c, limb.joints.root()));
            Ok(limb)
        };
        let limbs =
            [limb(IkGoal::LeftFoot)?, limb(IkGoal::RightFoot)?, limb(IkGoal::LeftHand)?, limb(IkGoal::RightHand)?];
        let sole = |foot, toes| sole_height(&map, &axes, &pose, foot, toes);
        let soles = [sole(HumanBone::LeftFoot, HumanBone::LeftToes), sole(HumanBone::RightFoot, HumanBone::RightToes)];
        let height = |bone| map.get(bone).map_or(0.0, |j| pose.model(j).position.dot(axes.up));
        let body = BodyRig::new(&skeleton, &map, &axes, &pose);
        let ground = soles[0].min(soles[1]);
        let human_scale = body.measure(&pose).position.dot(axes.up) - ground;
        if !human_scale.is_finite() {
            return Err(AvatarError::TooLarge);
        }
        let core = |bone: HumanBone| !is_finger(bone);
        let core_joints = skeleton.with_ancestors(map.iter().filter(|(bone, _)| core(*bone)).map(|(_, joint)| joint));
        let look_at = LookAtRig::new(&skeleton, &map, &axes, &pose, human_scale);
        let mut limbs = limbs;
        let mut in_trunk = vec![false; skeleton.joint_count()];
        for joint in look_at.path().iter().copied().chain(skeleton.ancestors(look_at.first())) {
            in_trunk[joint] = true;
        }
        for limb in &mut limbs {
            let above: Vec<_> = skeleton.ancestors(limb.joints.root()).collect();
            let hangs = |j: &JointIndex| *j != look_at.first() && skeleton.is_self_or_ancestor(look_at.first(), *j);
            limb.hanging = above.iter().rev().copied().filter(|j| hangs(j) && !look_at.path().contains(j)).collect();
            above.iter().filter(|j| !limb.hanging.contains(j)).for_each(|j| in_trunk[*j] = true);
        }
        let mut moved_joints: Vec<_> =
            core_joints.iter().copied().chain(limbs.iter().flat_map(|limb| limb.twist.leaves())).collect();
        moved_joints.sort_unstable();
        moved_joints.dedup();
        let mut moved_places = vec![None; skeleton.joint_count()];
        for (place, &joint) in moved_joints.iter().enumerate() {
            moved_places[joint] = Some(place);
        }
        Ok(Self {
            moved_places: moved_places.into(),
            moved_joints: moved_joints.into(),
            limbs,
            foot_bottom_heights: [height(HumanBone::LeftFoot) - soles[0], height(HumanBone::RightFoot) - soles[1]],
            human_scale,
            feet_spacing: weight01(definition.feet_spacing),
            limits: HumanLimits::new(
                &skeleton,
                &LimitSource {
                    map: &map,
                    axes: &axes,
                    t_pose: &pose,
                    rest: &rest,
                    set: definition.human_range_set,
                    ranges: &definition.human_ranges,
                    lower_arm_twist: weight01(definition.lower_arm_twist),
                },
            ),
            look_at,
            trunk: TrunkRig::new(&skeleton, &map, &axes, &pose),
            trunk_joints: (0..in_trunk.len()).filter(|j| in_trunk[*j]).collect(),
            body,
            core_joints,
            skeleton,
            map,
            axes,
            t_pose,
        })
    }

    /// The rig.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }
    /// Masses of an average person: joint, centre in the joint's space, share of the whole.
    pub fn masses(&self) -> impl Iterator<Item = (JointIndex, Vec3, f32)> {
        self.body.masses()
    }
    /// Joint of a human bone; `None` when the rig has no such bone.
    pub fn joint(&self, bone: HumanBone) -> Option<JointIndex> {
        self.map.get(bone)
    }
    /// Which joint is which human bone.
    pub fn map(&self) -> &HumanMap {
        &self.map
    }
    /// Right, up and forward of the character, model space.
    pub fn axes(&self) -> &BodyAxes {
        &self.axes
    }
    /// Local transforms of the T-pose it was measured in.
    pub fn t_pose(&self) -> &[Transform] {
        &self.t_pose
    }
    /// Height of the centre of mass above the soles in the T-pose, rig units (metres).
    pub fn human_scale(&self) -> f32 {
        self.human_scale
    }
    /// What each human bone may do, counted from the T-pose.
    pub fn human_limits(&self) -> &HumanLimits {
        &self.limits
    }
    /// See [`AvatarDefinition::feet_spacing`].
    pub fn feet_spacing(&self) -> f32 {
        self.feet_spacing
    }
    /// How far a foot's sole is below its ankle joint in the T-pose, rig units (metres); 0 for
    /// hands.
    pub fn foot_bottom_height(&self, goal: IkGoal) -> f32 {
        self.foot_bottom_heights.get(goal.index()).copied().unwrap_or(0.0)
    }
    /// Rotation of a goal's frame in its bone: `goal = bone · this`. The bone is the hand or the
    /// foot.
    pub fn goal_from_bone(&self, goal: IkGoal) -> Quat {
        self.limbs[goal.index()].goal_from_bone
    }
    pub(crate) fn limb(&self, goal: IkGoal) -> &LimbRig {
        &self.limbs[goal.index()]
    }
}

fn is_finger(bone: HumanBone) -> bool {
    (HumanBone::LeftThumbProximal.index()..=HumanBone::RightLittleDistal.index()).contains(&bone.index())
}

fn check_map(skeleton: &Skeleton, map: &HumanMap) -> Result<(), AvatarError> {
    let missing = map.missing_required();
    if !missing.is_empty() {
        return Err(AvatarError::MissingBones(missing));
    }
    let mut owner: Vec<Option<HumanBone>> = vec![None; skeleton.joint_count()];
    for (bone, joint) in map.iter() {
        let Some(slot) = owner.get_mut(joint) else {
            return Err(AvatarError::NoSuchJoint { bone, joint });
        };
        if let Some(first) = slot.replace(bone) {
            return Err(AvatarError::SharedJoint { first, second: bone, joint });
        }
    }
    Ok(())
}

/// Rotation of Unity's goal frame in the T-pose: Z along toes or fingers, Y out of the top of the
/// foot or back of the hand. Feet point forward, hands to the sides, palms down.
fn goal_rotation_ms(axes: &BodyAxes, goal: IkGoal) -> Quat {
    let along = match goal {
        IkGoal::LeftFoot | IkGoal::RightFoot => axes.forward,
        IkGoal::LeftHand => -axes.right,
        IkGoal::RightHand => axes.right,
    };
    frame_rotation(along, axes.up)
}

fn measure_limb(
    skeleton: &Skeleton,
    map: &HumanMap,
    axes: &BodyAxes,
    pose: &Pose,
    definition: &AvatarDefinition,
    goal: IkGoal,
) -> Result<LimbRig, AvatarError> {
    let [root_bone, mid_bone, end_bone] = goal.bones();
    let joint = |bone| map.get(bone).ok_or_else(|| AvatarError::MissingBones(vec![bone]));
    let (root, mid, end) = (joint(root_bone)?, joint(mid_bone)?, joint(end_bone)?);
    let joints = LimbJoints::new(skeleton, root, mid, end).ok_or_else(|| {
        let (below, above) =
            if skeleton.is_self_or_ancestor(root, mid) { (end_bone, mid_bone) } else { (mid_bone, root_bone) };
        AvatarError::NotBelow { below, above }
    })?;
    // Anatomy: knees bend forward; elbows back and a little down (a relaxed arm's elbow never
    // points level).
    let side = match goal {
        IkGoal::LeftHand => -axes.right,
        _ => axes.right,
    };
    let bend_ms = if goal.is_foot() { axes.forward } else { normalize_or(-axes.forward - axes.up * 0.3, axes.up) };
    // The middle of what the limb can reach: a leg points down, an arm reaches forward, down and
    // out.
    let centre_ms = if goal.is_foot() {
        normalize_or(axes.forward * 0.3 - axes.up, -axes.up)
    } else {
        normalize_or(axes.forward * 0.7 - axes.up * 0.5 + side * 0.5, axes.forward)
    };
    let inward = |frame: &Frame, v: Vec3| frame.inverse_linear().map_or(v, |m| normalize_or(m * v, v));
    let end_ms = pose.model(end);
    let parent = pose.parent_frame(skeleton, root);
    let centre_ps = inward(&parent, centre_ms);
    Ok(LimbRig {
        bend_side_js: inward(&pose.model(root), bend_ms),
        centre_ps,
        posture: PostureRig::new(axes, goal, &parent, end_ms.rotation, centre_ps),
        goal_from_bone: (end_ms.rotation.conjugate() * goal_rotation_ms(axes, goal)).normalize(),
        stretch: if goal.is_foot() { definition.leg_stretch } else { definition.arm_stretch },
        hanging: Vec::new(),
        joints,
        twist: TwistRig::default(),
        shoulder: None,
        starts: goal.is_foot().then(|| LegStarts::new(inward(&pose.model(root), axes.forward.cross(axes.up)))),
    })
}

/// Height of the sole along up: 1.03 hips-to-toes distances below the hips, or 1.13 hips-to-ankle
/// where toes are missing (the proportions Unity's avatar editor uses).
fn sole_height(map: &HumanMap, axes: &BodyAxes, pose: &Pose, foot: HumanBone, toes: HumanBone) -> f32 {
    let height = |bone| map.get(bone).map(|j| pose.model(j).position.dot(axes.up));
    let hips = height(HumanBone::Hips).unwrap_or(0.0);
    let ankle = height(foot).unwrap_or(0.0);
    let sole = match height(toes) {
        Some(toes) => hips - 1.03 * (hips - toes),
        None => hips - 1.13 * (hips - ankle),
    };
    sole.min(ankle)
}
