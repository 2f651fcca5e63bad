//! From a placed foot to a leg: over-extension, heel lift, and the two-bone limb.

use super::foot::FootModel;
use super::leg::{LegPose, Placed, Stage, flat};
use super::motion::soft_ceiling;
use super::settings::GrounderSettings;
use crate::closed_form::two_bone::{self, TwoBone};
use crate::math::{LaneVec3, Quat, Vec3, arc, float, length, normalize_or};

/// A leg as it is put out, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegResult {
    /// First joint, moved with the pelvis.
    pub hip_ws: Vec3,
    /// Joint that bends, by the closed-form limb in the animation's bend plane.
    pub knee_ws: Vec3,
    /// End joint: the goal for a limb or body solver.
    pub ankle_ws: Vec3,
    /// Contact point.
    pub ball_ws: Vec3,
    /// Rotation of the ankle joint.
    pub foot_ws: Quat,
    /// Turn of the animated toes: new world rotation = `toes_turn · old`. They stay along the
    /// ground while the heel lifts.
    pub toes_turn: Quat,
    /// Whether the foot is locked to the ground.
    pub planted: bool,
    /// Seconds until a swinging foot lands, as far as is known; 0 for a planted one.
    pub time_to_landing_s: f32,
    /// Place of that landing, world space.
    pub landing_ws: Vec3,
    /// How far the ball stays from where it should be because the leg is too short, metres.
    pub shortage_m: f32,
}

/// How far behind the hip a foot is, in leg lengths, when its heel begins to lift, and when it may
/// lift as far as it can.
const TRAILS_FROM: f32 = 0.05;
const TRAILS: f32 = 0.35;
/// Part of that which the feet of a moving body have anyhow.
const MOVING: f32 = 0.5;
/// Speeds of the root between which a standing body becomes a walking one, m/s.
const STANDS: f32 = 0.1;
const WALKS: f32 = 0.5;
/// Most that a heel is lifted for reach, radians.
const MAX_LIFT: f32 = 1.1;
/// How far a heel is lifted beyond the ball, radians; and level parts of the way from ankle to ball
/// between which that is limited.
const BEYOND: f32 = 0.05;
const UPRIGHT: f32 = 0.1;
const LIES: f32 = 0.3;
/// How far before the hip a foot is, in leg lengths, where lifting its heel gains no reach.
const AHEAD: f32 = 0.4;

fn bones(pose: &LegPose) -> (f32, f32) {
    (length(pose.knee_ws - pose.hip_ws), length(pose.ankle_ws - pose.knee_ws))
}

/// Distances from hip to ankle: where straightening begins to slow down and where it ends.
pub(super) fn extension(pose: &LegPose, settings: &GrounderSettings) -> (f32, f32) {
    let (upper, lower) = bones(pose);
    let whole = upper + lower;
    let animated = length(pose.ankle_ws - pose.hip_ws);
    let soft = settings.soft_extension.min(settings.max_extension);
    let from = animated.max(soft * whole);
    (from, (settings.max_extension * whole).max((animated + 0.004 * whole).min(0.997 * whole)).max(from))
}

/// Highest offset along up that all hips may have, 0 or less.
pub(super) fn lowest_room(
    poses: &[LegPose],
    feet: &[FootModel],
    placed: &[Placed],
    hip_of: impl Fn(&LegPose) -> Vec3,
    stage: &Stage,
    settings: &GrounderSettings,
) -> f32 {
    let mut lowest = 0.0_f32;
    for ((pose, foot), placed) in poses.iter().zip(feet).zip(placed) {
        if pose.weight > 0.0 && !placed.untouched {
            lowest = lowest.min(highest_hip(pose, foot, placed, hip_of(pose), stage, settings));
        }
    }
    lowest
}

/// Highest offset along up that the hip may have, metres, so that the leg reaches its foot; above 0
/// there is room.
fn highest_hip(
    pose: &LegPose,
    foot: &FootModel,
    placed: &Placed,
    hip: Vec3,
    stage: &Stage,
    settings: &GrounderSettings,
) -> f32 {
    let up = stage.up;
    let (from, most) = placed.extension;
    let reach = 0.5 * (from + most);
    // Only the ground's height lowers the body: on flat ground a lock that is a
    // little off is the heel's to take.
    let uneven = (placed.ground.abs() * 20.0).min(1.0);
    let animated = pose.ankle_ws + up * placed.ground;
    let way = animated + (placed.ankle - animated) * uneven - hip;
    let down = -way.dot(up);
    let level = way + up * down;
    let lift = settings.heel_lift * heel_room(foot, placed, hip, stage, reach);
    float::sqrt(reach * reach - level.length_squared()) - down + lift
}

/// How far the heel may lift in place of the pelvis sinking, metres: a foot that trails behind the
/// hip pushes off from its toes, and feet of a body that moves do so in part; one that stands below
/// the hip of a standing body is flat.
fn heel_room(foot: &FootModel, placed: &Placed, hip: Vec3, stage: &Stage, reach: f32) -> f32 {
    if !foot.has_sole {
        return 0.0;
    }
    let sole = flat(placed.ball - placed.ankle, stage.up);
    let behind = (hip - placed.ankle).dot(normalize_or(sole, Vec3::ZERO)) / reach.max(1e-6);
    let trails = float::smooth_step(TRAILS_FROM, TRAILS, behind);
    let walks = MOVING * float::smooth_step(STANDS, WALKS, stage.root_velocity.length());
    let walks = walks * (1.0 - float::smooth_step(0.0, AHEAD, -behind));
    0.5 * length(placed.ball - placed.ankle) * trails.max(walks)
}

/// Solves the leg for its foot, with the hip where the pelvis puts it.
pub(super) fn solve(
    pose: &LegPose,
    foot: &FootModel,
    placed: &Placed,
    hip: Vec3,
    up: Vec3,
) -> (Vec3, Vec3, Vec3, Quat, f32) {
    let (from, most) = placed.extension;
    let (mut ball, mut ankle, mut turn) = (placed.ball, placed.ankle, placed.turn);
    let distance = length(ankle - hip);
    let wanted = soft_ceiling(distance, from, most);
    if wanted < distance && foot.has_sole {
        // The ankle goes on its circle about the ball until the leg is long enough.
        let lever = length(ankle - ball);
        let away = length(hip - ball);
        if lever > 1e-4 && away > 1e-4 {
            let to_hip = (hip - ball) / away;
            let arm = (ankle - ball) / lever;
            let cosine = ((lever * lever + away * away - wanted * wanted) / (2.0 * lever * away)).clamp(-1.0, 1.0);
            let now = float::acos(arm.dot(to_hip));
            let side = normalize_or(arm - to_hip * arm.dot(to_hip), up);
            // A heel lifts until it is above the ball: beyond the toes may be a riser. An upright
            // foot points nowhere.
            let sole = flat(pose.ball_ws - pose.ankle_ws, up);
            let lies = float::smooth_step(UPRIGHT, LIES, length(sole) / lever);
            let onwards = normalize_or(sole, Vec3::ZERO);
            let over = float::atan2(to_hip.dot(onwards).max(0.0), (-side.dot(onwards)).max(1e-6));
            let upright = (over - BEYOND) * lies;
            let angle = float::acos(cosine).max(now - MAX_LIFT).max(upright).min(now);
            let (sine, cosine) = float::sin_cos(angle);
            let new = to_hip * cosine + side * sine;
            turn = arc(arm, new) * turn;
            ankle = ball + new * lever;
        }
    }
    // What is left, the foot gives.
    let distance = length(ankle - hip);
    let wanted = soft_ceiling(distance, from, most);
    let mut shortage = 0.0;
    if wanted < distance {
        // Straight up rather than towards the hip, so that it neither slides nor comes into a step
        // behind; a leg far out gives along its line.
        let way = ankle - hip;
        let level = length(way - up * way.dot(up));
        let upright = ((0.9 - level / wanted) * 5.0).clamp(0.0, 1.0);
        let along = normalize_or(up * upright - way * ((1.0 - upright) / distance), -way / distance);
        let b = way.dot(along);
        let root = b * b - (distance * distance - wanted * wanted);
        // A foot above the hip goes towards it: up is away from it.
        let by = if root >= 0.0 && b < 0.0 {
            along * (-b - float::sqrt(root)).max(0.0)
        } else {
            way * (wanted / distance - 1.0)
        };
        let pulled = ankle + by;
        shortage = length(by);
        ankle = pulled;
        ball += by;
    }
    let knee = knee(pose, hip, ankle, up);
    (knee, ankle, ball, turn, shortage)
}

/// The knee of the closed-form limb from `hip` to `ankle`, in the bend plane of `pose`.
pub(super) fn knee(pose: &LegPose, hip: Vec3, ankle: Vec3, up: Vec3) -> Vec3 {
    let axis = (pose.knee_ws - pose.hip_ws).cross(pose.ankle_ws - pose.knee_ws);
    let lane = LaneVec3::from_vec3;
    let (root_mid, mid_end) = (pose.knee_ws - pose.hip_ws, pose.ankle_ws - pose.knee_ws);
    let spare = up.cross(pose.ball_ws - pose.ankle_ws);
    let limb = TwoBone {
        root_mid: lane(root_mid),
        mid_end: lane(mid_end),
        target: lane(ankle - hip),
        hinge: lane(normalize_or(axis, spare)),
        weight: 1.0,
        ..TwoBone::<f32>::default()
    };
    let turns = two_bone::solve_inlined(&limb);
    hip + turns.root.to_quat() * root_mid
}
