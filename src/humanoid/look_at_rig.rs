//! The joints of a rig that look-at turns, measured on its T-pose, and how one of them is turned
//! without the limbs that must stay.

use super::facing::{Facing, inward};
use super::limited_view::LimitedView;
use super::{BodyAxes, HumanBone, HumanMap};
use crate::limits::LimitTable;
use crate::math::dispatch::Task;
use crate::math::{Lane, LaneMask, LaneQuat, Quat, Vec3, normalize_or};
use crate::skeleton::joint_view::{JointView, ScaledPoseView, direction_out, refresh_all};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Two arms and two legs.
const MAX_CARRIED: usize = 4;

/// What the look-at needs to know of a rig.
#[derive(Clone, Debug)]
pub(crate) struct LookAtRig {
    /// Spine, chest, upper chest, as far as present.
    pub(super) spine: Vec<JointIndex>,
    pub(super) trunk: Facing,
    pub(super) head: Facing,
    /// The head's right, in its space.
    pub(super) right_js: Vec3,
    /// The way from the first of spine or neck to the head, in joint order; and where spine and
    /// neck are in it.
    pub(super) path: Vec<JointIndex>,
    pub(super) spine_places: Vec<usize>,
    pub(super) neck_place: Option<usize>,
    /// The head and all joints above it, in joint order.
    gaze_joints: Box<[JointIndex]>,
    /// Between the eyes, in the head's space.
    pub(super) gaze_js: Vec3,
    pub(super) eyes: Vec<Facing>,
    /// The joints below the head to the eyes.
    pub(super) eye_joints: Vec<JointIndex>,
    /// Every joint from the first of the spine to the head and the eyes, in joint order; and to
    /// those of `carried`.
    pub(super) joints: Vec<JointIndex>,
    /// A joint of spine or neck, and the top of a limb that is below it but must not turn with
    /// it.
    pub(super) carried: Vec<(JointIndex, JointIndex)>,
    /// All joints that looking turns of itself: spine, neck, head, eyes.
    pub(super) turning: Vec<JointIndex>,
    /// Distance below which a target fades out, model space.
    pub(super) nearest: f32,
}

/// Arms must not turn with the neck, legs with nothing that looks: pairs of a turning joint and the
/// top of such a limb below it.
fn carried_limbs(
    skeleton: &Skeleton,
    map: &HumanMap,
    spine: &[JointIndex],
    neck: Option<JointIndex>,
) -> Vec<(JointIndex, JointIndex)> {
    let top = |bones: [HumanBone; 2]| bones.into_iter().find_map(|b| map.get(b));
    let arms = [
        top([HumanBone::LeftShoulder, HumanBone::LeftUpperArm]),
        top([HumanBone::RightShoulder, HumanBone::RightUpperArm]),
    ];
    let legs = [map.get(HumanBone::LeftUpperLeg), map.get(HumanBone::RightUpperLeg)];
    let mut pairs = Vec::new();
    for (turning, limbs) in
        spine.iter().map(|s| (*s, &legs[..])).chain(neck.iter().flat_map(|n| [(*n, &arms[..]), (*n, &legs[..])]))
    {
        let below = |limb: &JointIndex| *limb != turning && skeleton.is_self_or_ancestor(turning, *limb);
        pairs.extend(limbs.iter().flatten().copied().filter(below).map(|limb| (turning, limb)));
    }
    pairs
}

impl LookAtRig {
    /// Measures the T-pose. The map must have the required bones.
    pub fn new(skeleton: &Skeleton, map: &HumanMap, axes: &BodyAxes, pose: &Pose, human_scale: f32) -> Self {
        let joint = |bone| map.get(bone);
        let head_joint = joint(HumanBone::Head).unwrap_or(0);
        let mut spine: Vec<_> = [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest]
            .into_iter()
            .filter_map(joint)
            .filter(|j| *j != head_joint && skeleton.is_self_or_ancestor(*j, head_joint))
            .collect();
        // From the lowest joint upwards, whatever the order of the bones in the map.
        spine.sort_unstable();
        let neck = joint(HumanBone::Neck).filter(|j| skeleton.is_self_or_ancestor(*j, head_joint));
        let trunk = spine.last().copied().or(joint(HumanBone::Hips)).unwrap_or(0);
        let eyes: Vec<_> = [HumanBone::LeftEye, HumanBone::RightEye]
            .into_iter()
            .filter_map(joint)
            .filter(|j| skeleton.is_self_or_ancestor(head_joint, *j))
            .collect();
        let head_frame = pose.model(head_joint);
        let gaze_ms = match eyes[..] {
            [left, right] => (pose.model(left).position + pose.model(right).position) * 0.5,
            _ => head_frame.position,
        };
        let first = spine.iter().chain(&neck).copied().min().unwrap_or(head_joint);
        let above_head = |j: JointIndex| skeleton.is_self_or_ancestor(j, head_joint);
        let above_eye = |j: JointIndex| eyes.iter().any(|e| skeleton.is_self_or_ancestor(j, *e));
        let carried = carried_limbs(skeleton, map, &spine, neck);
        let path: Vec<_> = skeleton.subtree(first).filter(|j| above_head(*j)).collect();
        let place = |j: &JointIndex| path.iter().position(|p| p == j);
        let above_carried = |j: JointIndex| carried.iter().any(|(_, limb)| skeleton.is_self_or_ancestor(j, *limb));
        let turning = spine.iter().chain(&neck).chain([&head_joint]).chain(&eyes).copied().collect();
        Self {
            turning,
            gaze_joints: skeleton.with_ancestors([head_joint]),
            trunk: Facing::new(trunk, pose, axes),
            right_js: inward(&head_frame, axes.right),
            spine_places: spine.iter().filter_map(place).collect(),
            neck_place: neck.as_ref().and_then(place),
            eye_joints: skeleton.subtree(head_joint).skip(1).filter(|j| above_eye(*j)).collect(),
            path,
            head: Facing::new(head_joint, pose, axes),
            gaze_js: head_frame.point_in(gaze_ms).unwrap_or(Vec3::ZERO),
            joints: skeleton.subtree(first).filter(|j| above_head(*j) || above_eye(*j) || above_carried(*j)).collect(),
            eyes: eyes.into_iter().map(|e| Facing::new(e, pose, axes)).collect(),
            spine,
            carried,
            nearest: 0.05 * human_scale,
        }
    }

    /// The joints whose frames [`Self::gaze`] depends on, in joint order.
    pub fn gaze_joints(&self) -> &[JointIndex] {
        &self.gaze_joints
    }
    /// The head.
    pub fn head_joint(&self) -> JointIndex {
        self.head.joint
    }
    /// Where the gaze starts and where it goes, model space; [`Self::gaze_joints`] up to date.
    pub fn gaze(&self, pose: &Pose) -> (Vec3, Vec3) {
        let head = pose.model(self.head.joint);
        (head.point_out(self.gaze_js), normalize_or(direction_out(&head, self.head.forward_js), Vec3::Z))
    }

    /// What was up and forward of the chest in the T-pose, model space, of any length;
    /// [`Self::gaze_joints`] up to date.
    pub(super) fn chest_directions(&self, pose: &Pose) -> [Vec3; 2] {
        let chest = pose.model(self.trunk.joint);
        [self.trunk.up_js, self.trunk.forward_js].map(|direction_js| direction_out(&chest, direction_js))
    }
    /// Spine, chest, upper chest, as far as present.
    pub fn spine(&self) -> &[JointIndex] {
        &self.spine
    }
    /// The first joint that the look-at turns; everything it moves is below this joint.
    pub fn first(&self) -> JointIndex {
        self.path[0]
    }
    /// The joints whose frames looking reads, but those above [`Self::first`]: they must be up to
    /// date before.
    pub fn path(&self) -> &[JointIndex] {
        &self.path
    }

    /// The joints below the head to the eyes, which only eyes need.
    pub fn eye_joints(&self) -> &[JointIndex] {
        &self.eye_joints
    }
    /// All joints from the first of the spine to limbs that must not turn with their parent; empty
    /// where there is no such limb.
    pub fn carried_joints(&self) -> &[JointIndex] {
        if self.carried.is_empty() { &[] } else { &self.joints }
    }

    /// Turns a joint of spine, neck or head in model space, as far as limits allow, and puts back
    /// what must not turn with it. Frames from the first of the spine to all that is carried are up
    /// to date before and after.
    pub fn turn_joint(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        joint: JointIndex,
        turn_ms: Quat,
        limits: Option<&LimitTable>,
    ) {
        let mut figure = ScaledPoseView { skeleton, pose: &mut *pose };
        let turn_ms = LaneQuat::from_quat(turn_ms);
        match limits {
            None => self.turn(&mut figure, true, joint, turn_ms),
            Some(limits) => self.turn(&mut self.limited_view(figure, limits), true, joint, turn_ms),
        }
        pose.update_joints_from(skeleton, &self.joints, joint + 1);
    }

    /// Whether the joints that look keep to limits, apart from those that have not turned.
    pub fn keeps_limits(
        &self,
        skeleton: &Skeleton,
        pose: &Pose,
        limits: &LimitTable,
        is_still: impl Fn(JointIndex) -> bool,
    ) -> bool {
        self.turning.iter().all(|&joint| is_still(joint) || limits.is_within(skeleton, pose, joint))
    }

    /// The view for turns that keep to limits.
    pub fn limited_view<'a>(&'a self, view: ScaledPoseView<'a>, limits: &'a LimitTable) -> LimitedView<'a> {
        LimitedView { view, limits, limited: &self.turning, has_limited: false }
    }

    /// [`Self::turn_joint`] that leaves the frames below the joint as they were.
    #[inline(always)]
    pub(super) fn turn<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        mask: L::Mask,
        joint: JointIndex,
        turn_ms: LaneQuat<L>,
    ) {
        self.turn_to(figure, mask, joint, turn_ms * figure.model(joint).rotation);
    }

    /// Gives a joint of spine, neck, head or eyes an orientation in model space; its frame is up to
    /// date then, those below it are not.
    #[inline(always)]
    pub(super) fn turn_to<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        mask: L::Mask,
        joint: JointIndex,
        rotation_ms: LaneQuat<L>,
    ) {
        let local = figure.rotation_in_parent(joint, rotation_ms);
        if self.carried.iter().any(|(above, _)| *above == joint) {
            return self.turn_under(figure, mask, joint, local);
        }
        figure.set_rotation(mask, joint, local);
        figure.refresh_turned(mask, joint, rotation_ms);
    }

    /// Sets a joint's local rotation and keeps the carried limbs below it in place.
    #[inline(never)]
    fn turn_under<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        mask: L::Mask,
        joint: JointIndex,
        local: LaneQuat<L>,
    ) {
        L::run(TurnUnder { rig: self, figure, mask, joint, local });
    }
    #[inline(always)]
    fn turn_above_carried<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        mask: L::Mask,
        joint: JointIndex,
        local: LaneQuat<L>,
    ) {
        let below = &self.joints[self.joints.partition_point(|j| *j < joint)..];
        refresh_all(figure, below);
        let mut kept = [None; MAX_CARRIED];
        let limbs = || self.carried.iter().filter(|(above, _)| *above == joint).map(|(_, limb)| *limb);
        for (place, limb) in kept.iter_mut().zip(limbs()) {
            *place = Some((limb, figure.model(limb)));
        }
        figure.set_rotation(mask, joint, local);
        refresh_all(figure, below);
        for (limb, place) in kept.into_iter().flatten() {
            let (position, there) = figure.point_in_parent(limb, place.position);
            let rotation = figure.rotation_in_parent(limb, place.rotation);
            figure.set_position(mask.and(there), limb, position);
            figure.set_rotation(mask, limb, rotation);
            figure.refresh(limb);
        }
    }
}

/// [`LookAtRig::turn_under`].
struct TurnUnder<'a, L: Lane, V> {
    rig: &'a LookAtRig,
    figure: &'a mut V,
    mask: L::Mask,
    joint: JointIndex,
    local: LaneQuat<L>,
}

impl<L: Lane, V: JointView<L>> Task for TurnUnder<'_, L, V> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.rig.turn_above_carried(self.figure, self.mask, self.joint, self.local);
    }
}
