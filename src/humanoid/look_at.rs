//! Look-at: spine, neck, head and eyes share the turn towards a point.
//!
//! Unity names the weights (body, head, eyes, clamp) but not the law; ours:
//!
//! 1. The gaze starts midway between the eyes (at the head joint when there are none). Its angle to the *chest's* forward is
//!    limited to (1 − clamp)·180°, softly over the last 10 % before and after the limit.
//! 2. A target passing behind would ask for left and right at once. So towards exactly behind the angle fades to zero: over the
//!    last 20° when unclamped, over half of what lies beyond the limit else. A character gives up looking at what is behind it.
//! 3. The spine takes `body`, shared evenly by spine, chest and upper chest, as far as present. Neck and head take `head` of the
//!    rest, four tenths of it in the neck. At head weight 1 the head's forward line, from between the eyes, goes through the
//!    target. The eyes take `eyes` of what is left, each for itself, so near targets make them converge, within the ranges of
//!    human eyes (20° in and out, 15° up, 10° down, each measured out of the head's middle planes).
//! 4. A target nearer than a twentieth of the body scale to the eyes fades out: at the eye itself there is no direction. Nearer
//!    than about 0.25 m the head's line of sight passes beside the target: the head turns about the neck, not about the eyes.
//!
//! Looking moves no limb but through the spine that carries it: in rigs whose clavicles hang from the neck, or whose thighs hang
//! from the spine (both are habits of 3ds Max Biped), what a turn of that joint would carry along is put back where it was.
//!
//! Why nothing tears: [`crate::chains::aim_chain`], the law that aim constraints share.

use super::ik_goal::LookAtWeight;
use super::{BodyAxes, HumanBone, HumanMap};
use crate::chains::aim::{self, Aim};
use crate::chains::aim_chain::{Gaze, ViewCone, angle_between, behind};
use crate::chains::limb::soft_limit;
use crate::goal::{Outcome, Status};
use crate::math::{LaneVec3, Quat, Vec3, arc, float, fraction, normalize_or, perpendicular};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const PI: f32 = core::f32::consts::PI;
/// Softness of the clamp: part of the limit over which the angle bends to it.
const CLAMP_SOFTNESS: f32 = 0.1;
/// Part of the head's share that the neck takes.
const NECK_SHARE: f32 = 0.4;
/// Ranges of the eyes, radians: sideways, up, down (Unity's default muscle ranges).
const EYE_SIDE: f32 = 20.0 * PI / 180.0;
const EYE_UP: f32 = 15.0 * PI / 180.0;
const EYE_DOWN: f32 = 10.0 * PI / 180.0;
const EYE_SOFTNESS: f32 = 0.2;
/// Least angle over which the gaze fades to zero towards exactly behind, radians.
const BEHIND: f32 = 20.0 * PI / 180.0;
/// Nearest point the head aims at, in distances from the head joint to the eyes. Above 2 the eyes never come past it.
const NEAREST_AIM: f32 = 2.5;
/// Two arms and two legs.
const MOST_CARRIED: usize = 4;

/// Directions fixed in a joint, in its own space: what was right, up and forward in the T-pose.
#[derive(Clone, Copy, Debug)]
struct Facing {
    joint: JointIndex,
    right_js: Vec3,
    up_js: Vec3,
    forward_js: Vec3,
}

impl Facing {
    fn new(joint: JointIndex, pose: &Pose, axes: &BodyAxes) -> Self {
        let frame = pose.model(joint);
        let inward = |v: Vec3| frame.inverse_linear().map_or(v, |m| normalize_or(m * v, v));
        Self { joint, right_js: inward(axes.right), up_js: inward(axes.up), forward_js: inward(axes.forward) }
    }
    fn out(&self, pose: &Pose, v: Vec3) -> Vec3 {
        normalize_or(pose.model(self.joint).vector_out(v), Vec3::Z)
    }
    fn forward(&self, pose: &Pose) -> Vec3 {
        self.out(pose, self.forward_js)
    }
    fn up(&self, pose: &Pose) -> Vec3 {
        self.out(pose, self.up_js)
    }
    fn right(&self, pose: &Pose) -> Vec3 {
        self.out(pose, self.right_js)
    }
}

/// What is known of a rig's gaze.
#[derive(Clone, Debug)]
pub(super) struct LookAtRig {
    /// Spine, chest, upper chest, as far as present.
    spine: Vec<JointIndex>,
    trunk: Facing,
    neck: Option<JointIndex>,
    head: Facing,
    /// Between the eyes, in the head's space.
    gaze_js: Vec3,
    eyes: Vec<Facing>,
    /// Every joint from the first of the spine to the head and the eyes, in joint order; and to those of `carried`.
    joints: Vec<JointIndex>,
    /// A joint of spine or neck, and the top of a limb that hangs from it but must not turn with it.
    carried: Vec<(JointIndex, JointIndex)>,
    /// Distance below which a target fades out, model space.
    nearest: f32,
}

/// Arms must not turn with the neck, legs with nothing that looks: pairs of a turning joint and the top of such a limb below it.
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
        let spine: Vec<_> = [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest]
            .into_iter()
            .filter_map(joint)
            .filter(|j| *j != head_joint && skeleton.is_self_or_ancestor(*j, head_joint))
            .collect();
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
        let first = spine.first().copied().or(neck).unwrap_or(head_joint);
        let above_head = |j: JointIndex| skeleton.is_self_or_ancestor(j, head_joint);
        let above_eye = |j: JointIndex| eyes.iter().any(|e| skeleton.is_self_or_ancestor(j, *e));
        let carried = carried_limbs(skeleton, map, &spine, neck);
        let above_carried = |j: JointIndex| carried.iter().any(|(_, limb)| skeleton.is_self_or_ancestor(j, *limb));
        Self {
            trunk: Facing::new(trunk, pose, axes),
            neck,
            head: Facing::new(head_joint, pose, axes),
            gaze_js: head_frame.point_in(gaze_ms).unwrap_or(Vec3::ZERO),
            joints: skeleton.subtree(first).filter(|j| above_head(*j) || above_eye(*j) || above_carried(*j)).collect(),
            eyes: eyes.into_iter().map(|e| Facing::new(e, pose, axes)).collect(),
            spine,
            carried,
            nearest: 0.05 * human_scale,
        }
    }

    /// Where the gaze starts and where it goes, model space; core joints up to date.
    pub fn gaze(&self, pose: &Pose) -> (Vec3, Vec3) {
        (pose.model(self.head.joint).point_out(self.gaze_js), self.head.forward(pose))
    }

    /// Spine, chest, upper chest, as far as present.
    pub fn spine(&self) -> &[JointIndex] {
        &self.spine
    }
    /// Turns a joint of spine, neck or head in model space, and puts back what must not turn with it. The frames of `joints` are up to
    /// date before and after.
    pub fn turn_joint(&self, skeleton: &Skeleton, pose: &mut Pose, joint: JointIndex, turn_ms: Quat) {
        let mut kept = [(Vec3::ZERO, Quat::IDENTITY); MOST_CARRIED];
        let limbs = || self.carried.iter().filter(|(above, _)| *above == joint).map(|(_, limb)| *limb);
        for (place, limb) in kept.iter_mut().zip(limbs()) {
            *place = (pose.model(limb).position, pose.model(limb).rotation);
        }
        let rotation = (turn_ms * pose.model(joint).rotation).normalize();
        pose.set_rotation_ms(skeleton, joint, rotation);
        pose.update_joints_from(skeleton, &self.joints, joint);
        for ((position, rotation), limb) in kept.into_iter().zip(limbs()) {
            pose.set_position_ms(skeleton, limb, position);
            pose.set_rotation_ms(skeleton, limb, rotation);
            pose.update_joints(skeleton, &[limb]);
        }
    }

    /// Turns spine, neck, head and eyes. The frames of `joints` are up to date before and after.
    pub fn solve(&self, skeleton: &Skeleton, pose: &mut Pose, target_ms: Vec3, weights: &LookAtWeight) -> Outcome {
        let (body, head, eyes) =
            (weights.weight * weights.body, weights.weight * weights.head, weights.weight * weights.eyes);
        if body <= 0.0 && head <= 0.0 && eyes <= 0.0 {
            return Outcome::INACTIVE;
        }
        let (origin, gaze) = self.gaze(pose);
        let to_target = target_ms - origin;
        let distance = to_target.length();
        let near = self.near(distance);

        // The direction the gaze may take: limited against the chest's forward, faded towards exactly behind.
        let trunk = self.trunk(pose);
        let (from, wanted) = (trunk.log(gaze), trunk.log(normalize_or(to_target, gaze)));
        let angle = wanted.length();
        let limit = PI * (1.0 - weights.clamp);
        let cone = ViewCone { limit_rad: limit, softness: CLAMP_SOFTNESS, behind_rad: BEHIND };
        let (in_view, limited) = (cone.in_view(angle), cone.allowed(angle));
        let to = if limited == angle { wanted } else { normalize_or(wanted, Vec3::ZERO) * limited };
        let goal_ms = if limited == angle { target_ms } else { origin + trunk.exp(to) * distance };

        // Spine: each joint an equal part of the body's share.
        let body = body * near;
        if body > 0.0 {
            let part = |k: usize| from.lerp(to, body * k as f32 / self.spine.len() as f32);
            for (k, &joint) in self.spine.iter().enumerate() {
                self.turn_joint(skeleton, pose, joint, trunk.turn(part(k), part(k + 1)));
            }
        }
        let head = head * near;
        if head > 0.0 {
            self.turn_head(skeleton, pose, goal_ms, head);
        }
        // At the eyes themselves there is no behind either.
        let eyes = eyes * (1.0 - (1.0 - in_view) * near);
        for eye in &self.eyes {
            self.turn_eye(skeleton, pose, eye, target_ms, eyes);
        }
        let (origin, gaze) = self.gaze(pose);
        let residual_rad = angle_between(gaze, normalize_or(target_ms - origin, gaze));
        let kept_back = angle - limited > 1e-3 || near < 1.0;
        Outcome {
            status: if kept_back { Status::Unreachable } else { Status::Reached },
            residual_rad,
            ..Outcome::INACTIVE
        }
    }

    /// How much a target at this distance counts: nothing at the eye itself.
    fn near(&self, distance: f32) -> f32 {
        float::smooth_step(0.0, self.nearest, distance)
    }

    /// The chest's frame as it is now.
    fn trunk(&self, pose: &Pose) -> Gaze {
        Gaze::new(self.trunk.forward(pose), self.trunk.up(pose))
    }

    /// Turns neck and head so that the line of sight goes `head` of the way to a point.
    fn turn_head(&self, skeleton: &Skeleton, pose: &mut Pose, goal_ms: Vec3, head: f32) {
        // Seen from where the spine has brought chest and eyes.
        let trunk = self.trunk(pose);
        let (origin, gaze) = self.gaze(pose);
        let to_goal = goal_ms - origin;
        let distance = to_goal.length();
        let from = trunk.log(gaze);
        let wanted = trunk.log(normalize_or(to_goal, gaze));
        let wanted = wanted * (1.0 - behind(wanted.length(), BEHIND));
        let to = from.lerp(wanted, head * self.near(distance));
        let half_way = match self.neck {
            Some(neck) => {
                let half_way = from.lerp(to, NECK_SHARE);
                self.turn_joint(skeleton, pose, neck, trunk.turn(from, half_way));
                half_way
            }
            None => from,
        };
        self.turn_joint(skeleton, pose, self.head.joint, trunk.turn(half_way, to));
        // The turns went through the joints, not through the eyes: aim for the little the eyes moved.
        let lever = pose.model(self.head.joint).vector_out(self.gaze_js).length();
        self.aim_head(skeleton, pose, origin + trunk.exp(to) * distance.max(NEAREST_AIM * lever));
    }

    /// Shortest turn of the head that brings its line of sight through a point. In the space of the head's parent, where
    /// turning the head is a turn whatever scale lies above.
    fn aim_head(&self, skeleton: &Skeleton, pose: &mut Pose, goal_ms: Vec3) {
        let joint = self.head.joint;
        let Some(goal_ps) = pose.parent_frame(skeleton, joint).point_in(goal_ms) else {
            return;
        };
        let mut local = pose.local()[joint];
        local.rotation = local.rotation.normalize();
        let axis = normalize_or(local.rotation * (local.scale * self.head.forward_js), Vec3::Z);
        let lane = LaneVec3::from_vec3;
        let aim = Aim {
            offset: lane(local.rotation * (local.scale * self.gaze_js)),
            axis: lane(axis),
            target: lane(goal_ps - local.position),
            behind: lane(perpendicular(axis)),
        };
        let turn = aim::solve(&aim).turn.to_quat();
        pose.local_mut()[joint].rotation = (turn * local.rotation).normalize();
        pose.update_joints_from(skeleton, &self.joints, joint);
    }

    fn turn_eye(&self, skeleton: &Skeleton, pose: &mut Pose, eye: &Facing, target_ms: Vec3, weight: f32) {
        let (right, up, forward) = (self.head.right(pose), self.head.up(pose), self.head.forward(pose));
        let now = eye.forward(pose);
        let to_target = target_ms - pose.model(eye.joint).position;
        let weight = weight * self.near(to_target.length());
        if weight <= 0.0 {
            return;
        }
        let wanted = normalize_or(to_target, now);
        // Angles out of the middle planes of the head: no jump anywhere, and both zero for what is right behind.
        let side = float::asin(wanted.dot(right));
        let rise = float::asin(wanted.dot(up));
        let limited = |angle: f32, limit: f32| soft_limit(angle.abs(), limit, EYE_SOFTNESS) * angle.signum();
        let x = float::sin(limited(side, EYE_SIDE));
        let y = float::sin(limited(rise, if rise < 0.0 { EYE_DOWN } else { EYE_UP }));
        let direction = right * x + up * y + forward * float::sqrt(1.0 - x * x - y * y);
        let turn = arc(now, normalize_or(direction, now));
        self.turn_joint(skeleton, pose, eye.joint, fraction(turn, weight));
    }
}
