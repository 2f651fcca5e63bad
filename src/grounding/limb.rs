//! From a placed foot to a leg: over-extension, heel lift, and the two-bone limb.

use super::foot::FootModel;
use super::leg::{LegPose, Placed, Stage, flat};
use super::motion::soft_ceiling;
use super::settings::GrounderSettings;
use crate::closed_form::two_bone::{self, TwoBone};
use crate::math::{F32x4, Lane, LaneVec3, Quat, Vec3, arc, float, length, normalize_or, plain_length};

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
/// Part of that which the feet of a moving body have anyhow: see [`walks`].
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

/// Distances from hip to ankle: where straightening begins to slow down and where it ends.
#[inline(always)]
pub(super) fn extension(pose: &LegPose, settings: &GrounderSettings) -> (f32, f32) {
    let bones = [pose.knee_ws - pose.hip_ws, pose.ankle_ws - pose.knee_ws, pose.ankle_ws - pose.hip_ws, Vec3::ZERO];
    let bones = LaneVec3::new(F32x4(bones.map(|p| p.x)), F32x4(bones.map(|p| p.y)), F32x4(bones.map(|p| p.z)));
    // As `length`, all at once.
    let [upper, lower, animated, _] = bones.normalize_or(LaneVec3::zero(), F32x4::splat(0.0)).1.0;
    let whole = upper + lower;
    let soft = settings.soft_extension.min(settings.max_extension);
    let from = animated.max(soft * whole);
    (from, (settings.max_extension * whole).max((animated + 0.004 * whole).min(0.997 * whole)).max(from))
}

/// Part of its heel's lift that every foot of a body that goes with this velocity has.
fn walks(root_velocity: Vec3) -> f32 {
    MOVING * float::smooth_step(STANDS, WALKS, plain_length(root_velocity))
}

/// Highest offset along up that all hips may have, 0 or less.
#[inline(always)]
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
            lowest = lowest.min(highest_hip(pose, foot, placed, hip_of(pose), stage, settings, lowest));
        }
    }
    lowest
}

/// Highest offset along up that the hip may have, metres, so that the leg reaches its foot; above 0
/// there is room. Where it is `enough` with the foot flat, it is that.
#[inline(always)]
fn highest_hip(
    pose: &LegPose,
    foot: &FootModel,
    placed: &Placed,
    hip: Vec3,
    stage: &Stage,
    settings: &GrounderSettings,
    enough: f32,
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
    let room = float::sqrt(reach * reach - level.length_squared()) - down;
    if room >= enough { room } else { room + settings.heel_lift * heel_room(foot, placed, hip, stage, reach) }
}

/// How far the heel may lift in place of the pelvis sinking, metres: a foot that trails behind the
/// hip pushes off from its toes, and feet of a body that moves do so in part; one that stands below
/// the hip of a standing body is flat.
#[inline(always)]
fn heel_room(foot: &FootModel, placed: &Placed, hip: Vec3, stage: &Stage, reach: f32) -> f32 {
    if !foot.has_sole {
        return 0.0;
    }
    let sole = flat(placed.ball - placed.ankle, stage.up);
    let behind = (hip - placed.ankle).dot(normalize_or(sole, Vec3::ZERO)) / reach.max(1e-6);
    let trails = float::smooth_step(TRAILS_FROM, TRAILS, behind);
    let walks = walks(stage.root_velocity) * (1.0 - float::smooth_step(0.0, AHEAD, -behind));
    0.5 * length(placed.ball - placed.ankle) * trails.max(walks)
}

/// Ankle, ball, turn of the foot, and shortage of a leg whose hip is where the pelvis puts it.
#[inline(always)]
pub(super) fn solve(pose: &LegPose, foot: &FootModel, placed: &Placed, hip: Vec3, up: Vec3) -> (Vec3, Vec3, Quat, f32) {
    let (from, most) = placed.extension;
    let (mut ball, mut ankle, mut turn) = (placed.ball, placed.ankle, placed.turn);
    let mut distance = length(ankle - hip);
    let mut wanted = soft_ceiling(distance, from, most);
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
            distance = length(ankle - hip);
            wanted = soft_ceiling(distance, from, most);
        }
    }
    // What is left, the foot gives.
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
    (ankle, ball, turn, shortage)
}

/// Legs whose knees are placed at a time.
pub(super) const ABREAST: usize = 4;

/// A leg whose knee is to be placed: its hip and ankle, and the animated leg, whose bend plane it
/// keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend<'a> {
    pub hip: Vec3,
    pub ankle: Vec3,
    pub pose: &'a LegPose,
}

/// The knees of the closed-form limbs of legs side by side.
#[inline(always)]
pub(super) fn knees(legs: [Bend<'_>; ABREAST], up: Vec3) -> [Vec3; ABREAST] {
    let point = |of: fn(&Bend<'_>) -> Vec3| {
        let points = [of(&legs[0]), of(&legs[1]), of(&legs[2]), of(&legs[3])];
        LaneVec3::new(F32x4(points.map(|p| p.x)), F32x4(points.map(|p| p.y)), F32x4(points.map(|p| p.z)))
    };
    let [hip, knee] = [point(|leg| leg.pose.hip_ws), point(|leg| leg.pose.knee_ws)];
    let [ankle, ball] = [point(|leg| leg.pose.ankle_ws), point(|leg| leg.pose.ball_ws)];
    let [new_hip, new_ankle] = [point(|leg| leg.hip), point(|leg| leg.ankle)];
    let (root_mid, mid_end) = (knee - hip, ankle - knee);
    let spare = LaneVec3::splat(up).cross(ball - ankle);
    let limb = TwoBone {
        root_mid,
        mid_end,
        target: new_ankle - new_hip,
        hinge: root_mid.cross(mid_end).normalize_or(spare, F32x4::splat(1e-20)).0,
        weight: F32x4::splat(1.0),
        pole: LaneVec3::zero(),
        centre: LaneVec3::zero(),
        pole_weight: F32x4::splat(0.0),
        softness: F32x4::splat(0.0),
        stretch: F32x4::splat(0.0),
    };
    let place = new_hip + two_bone::mid_place(&limb);
    core::array::from_fn(|i| Vec3::new(place.x.0[i], place.y.0[i], place.z.0[i]))
}
