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
//!    human eyes (20° in and out, 15° up, 10° down).
//! 4. Turns are carried over the chest's forward, so the head never comes the long way round, and the head keeps its tilt
//!    against the chest (no roll creeps in), except close to straight up or down, where tilt has no meaning.
//! 5. A target nearer than a twentieth of the body scale to the eyes fades out: at the eye itself there is no direction.

use super::ik_goal::LookAtWeight;
use super::{BodyAxes, HumanBone, HumanMap};
use crate::chains::aim::{self, Aim};
use crate::chains::limb::soft_limit;
use crate::goal::{Outcome, Status};
use crate::math::{LaneVec3, Quat, Vec3, arc, axis_angle, float, fraction, normalize_or, perpendicular, slerp_short};
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
        normalize_or(pose.model(self.joint).linear * v, Vec3::Z)
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
    /// Every joint from the first of the spine to the head and the eyes, in joint order.
    joints: Vec<JointIndex>,
    /// Distance below which a target fades out, model space.
    nearest: f32,
}

/// The turn of a direction from `from` to `to`, both carried over `centre`: the shortest turn to the centre, then the shortest
/// to the target. Has no singular direction but the one opposite to the centre.
fn carry(from: Vec3, centre: Vec3, to: Vec3) -> Quat {
    (arc(centre, to) * arc(from, centre)).normalize()
}

fn angle_between(a: Vec3, b: Vec3) -> f32 {
    float::atan2(a.cross(b).length(), a.dot(b))
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
        Self {
            trunk: Facing::new(trunk, pose, axes),
            neck,
            head: Facing::new(head_joint, pose, axes),
            gaze_js: head_frame.point_in(gaze_ms).unwrap_or(Vec3::ZERO),
            joints: skeleton.subtree(first).filter(|j| above_head(*j) || above_eye(*j)).collect(),
            eyes: eyes.into_iter().map(|e| Facing::new(e, pose, axes)).collect(),
            spine,
            nearest: 0.05 * human_scale,
        }
    }

    /// Where the gaze starts and where it goes, model space; core joints up to date.
    pub fn gaze(&self, pose: &Pose) -> (Vec3, Vec3) {
        (pose.model(self.head.joint).point_out(self.gaze_js), self.head.forward(pose))
    }

    fn turn_joint(&self, skeleton: &Skeleton, pose: &mut Pose, joint: JointIndex, turn_ms: Quat) {
        let rotation = (turn_ms * pose.model(joint).rotation).normalize();
        pose.set_rotation_ms(skeleton, joint, rotation);
        pose.update_joints(skeleton, &self.joints);
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
        let near = float::smooth_step(0.0, self.nearest, distance);
        let (body, head, eyes) = (body * near, head * near, eyes * near);

        // The direction the head may take: limited against the chest's forward, faded towards exactly behind.
        let chest = self.trunk.forward(pose);
        let wanted = normalize_or(to_target, gaze);
        let angle = angle_between(chest, wanted);
        let limit = PI * (1.0 - weights.clamp);
        let band = (20.0f32.to_radians()).max((PI - limit) * 0.5);
        let behind = float::smooth_step(PI - band, PI, angle);
        let softness = if limit >= PI { 0.0 } else { CLAMP_SOFTNESS };
        let limited = soft_limit(angle, limit, softness) * (1.0 - behind);
        let aside = wanted - chest * chest.dot(wanted);
        let direction = if limited == angle {
            wanted
        } else {
            let aside = normalize_or(aside, perpendicular(chest));
            chest * float::cos(limited) + aside * float::sin(limited)
        };
        let goal_ms = origin + direction * distance.max(self.nearest);

        // Spine: each joint an equal part of the body's share.
        let upright = self.tilt(pose);
        let whole = carry(gaze, chest, direction);
        if body > 0.0 && !self.spine.is_empty() {
            let part = fraction(whole, body / self.spine.len() as f32);
            for &joint in &self.spine {
                self.turn_joint(skeleton, pose, joint, part);
            }
        }
        if head > 0.0 {
            self.turn_head(skeleton, pose, goal_ms, head, upright);
        }
        let eyes = eyes * (1.0 - behind);
        if eyes > 0.0 {
            for eye in &self.eyes {
                self.turn_eye(skeleton, pose, eye, target_ms, eyes);
            }
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

    /// Tilt of the head against the chest, radians about the gaze, and how much meaning it has (0 straight up or down).
    fn tilt(&self, pose: &Pose) -> (f32, f32) {
        let gaze = self.head.forward(pose);
        let chest_up = self.trunk.up(pose);
        let flat = |v: Vec3| v - gaze * gaze.dot(v);
        let (level, head_up) = (flat(chest_up), flat(self.head.up(pose)));
        (float::atan2(gaze.dot(level.cross(head_up)), level.dot(head_up)), level.length_squared().min(1.0))
    }

    fn turn_head(&self, skeleton: &Skeleton, pose: &mut Pose, goal_ms: Vec3, head: f32, upright: (f32, f32)) {
        let mut rest = head;
        if let Some(neck) = self.neck {
            let (origin, gaze) = self.gaze(pose);
            let chest = self.trunk.forward(pose);
            let share = NECK_SHARE * head;
            let turn = fraction(carry(gaze, chest, normalize_or(goal_ms - origin, gaze)), share);
            self.turn_joint(skeleton, pose, neck, turn);
            // The head takes what makes both together `head` of the whole turn.
            rest = (head - share) / (1.0 - share);
        }
        let joint = self.head.joint;
        // The whole turn first, then as much of it as the weight asks.
        let before = pose.model(joint).rotation;
        let turn = self.head_turn(pose, goal_ms);
        self.turn_joint(skeleton, pose, joint, turn);
        // Take back the roll that the shortest turns brought in.
        let (tilt, meaning) = self.tilt(pose);
        let mut roll = upright.0 - tilt;
        roll -= 2.0 * PI * ((roll + PI) / (2.0 * PI)).floor();
        let gaze = self.head.forward(pose);
        self.turn_joint(skeleton, pose, joint, axis_angle(gaze, roll * meaning * upright.1));
        // The roll went through the joint, not through the eyes: aim once more for the little the eyes moved.
        let turn = self.head_turn(pose, goal_ms);
        self.turn_joint(skeleton, pose, joint, turn);
        if rest < 1.0 {
            let whole = pose.model(joint).rotation;
            pose.set_rotation_ms(skeleton, joint, slerp_short(before, whole, rest));
            pose.update_joints(skeleton, &self.joints);
        }
    }

    /// Shortest turn of the head that brings its line of sight through a point.
    fn head_turn(&self, pose: &Pose, goal_ms: Vec3) -> Quat {
        let lane = LaneVec3::from_vec3;
        let at = pose.model(self.head.joint).position;
        let (origin, gaze) = self.gaze(pose);
        let aim = Aim {
            offset: lane(origin - at),
            axis: lane(gaze),
            target: lane(goal_ms - at),
            behind: lane(self.head.up(pose)),
        };
        aim::solve(&aim).turn.to_quat()
    }

    fn turn_eye(&self, skeleton: &Skeleton, pose: &mut Pose, eye: &Facing, target_ms: Vec3, weight: f32) {
        let (right, up, forward) = (self.head.right(pose), self.head.up(pose), self.head.forward(pose));
        let now = eye.forward(pose);
        let wanted = normalize_or(target_ms - pose.model(eye.joint).position, now);
        let (x, y, z) = (wanted.dot(right), wanted.dot(up), wanted.dot(forward));
        let side = float::atan2(x, z);
        let rise = float::atan2(y, float::sqrt(x * x + z * z));
        let limited = |angle: f32, limit: f32| soft_limit(angle.abs(), limit, EYE_SOFTNESS) * angle.signum();
        let side = limited(side, EYE_SIDE);
        let rise = limited(rise, if rise < 0.0 { EYE_DOWN } else { EYE_UP });
        let level = right * float::sin(side) + forward * float::cos(side);
        let direction = level * float::cos(rise) + up * float::sin(rise);
        let turn = arc(now, normalize_or(direction, now));
        self.turn_joint(skeleton, pose, eye.joint, fraction(turn, weight));
    }
}
