//! Calibration: which way a tracker is mounted, how large the player is, as plain data.

use super::posture::{half_turn, heading};
use super::rig::Rig;
use super::role::{HIPS, TrackerRole, arm};
use crate::humanoid::Avatar;
use crate::math::{Quat, Vec3, axis_angle, normalize_or};

/// The bone as its tracker sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackerOffset {
    /// Joint of the bone in the tracker's own frame, metres of the avatar; of a tracker without
    /// rotation: in the bone's frame, the avatar's axes in the T-pose.
    pub position: Vec3,
    /// Turn of the bone away from the T-pose (facing along the avatar's forward axis) in the
    /// tracker's own frame: `bone turn = tracker rotation · this`.
    pub rotation: Quat,
}

impl Default for TrackerOffset {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY }
    }
}

/// What a player's body measured, metres of the room; 0 where it was not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerMeasures {
    /// Height of the head's tracker above the floor.
    pub head_height: f32,
    /// Distance of the hands' trackers in the T-pose.
    pub arm_span: f32,
    /// Height of the hips' tracker above the floor.
    pub hips_height: f32,
}

/// How the avatar's size follows the player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(i32)]
pub enum ScalePolicy {
    /// The head is as high as the player's, in heights of the avatar. Default.
    #[default]
    Height = 0,
    /// The hands are as far apart: best for gestures with long or short arms.
    ArmSpan = 1,
    /// The hips are as high: best for legs, sitting and floor work.
    HipsHeight = 2,
    /// Metres of the room are metres of the avatar.
    Keep = 3,
}

/// The pose in which a player calibrates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(i32)]
pub enum CalibrationPose {
    /// Arms level, palms down. Default.
    #[default]
    TPose = 0,
    /// Arms 45° below level, palms toward the thighs.
    APose = 1,
}

/// Everything that calibration found: plain numbers to save, edit and load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackerCalibration {
    /// Metres of the avatar per metre of the room, > 0.
    pub scale: f32,
    /// Height of the floor in tracking space, metres of the room.
    pub floor: f32,
    /// What the player's body measured.
    pub player: PlayerMeasures,
    /// Per role; `None`: the tracker sits on the bone's joint with the avatar's axes.
    pub offsets: [Option<TrackerOffset>; TrackerRole::COUNT],
}

impl Default for TrackerCalibration {
    fn default() -> Self {
        Self { scale: 1.0, floor: 0.0, player: PlayerMeasures::default(), offsets: [None; TrackerRole::COUNT] }
    }
}

/// What the trackers report while the player stands in the calibration pose: place and rotation per
/// role, tracking space.
pub type CalibrationInput = [(Option<Vec3>, Option<Quat>); TrackerRole::COUNT];

/// Most that a tracker may be off the joint that it stands for, in heights of the avatar's head:
/// what is beyond is the player's build, not the mount.
const MAX_MOUNT: f32 = 0.2;

/// A hand that is this far from its tracker, in heights of the avatar's head, is held by a mount;
const HAND_MOUNT: f32 = 0.07;
/// from here on the distance is the avatar's build: no mount, so that the hand is where the
/// player's is however it turns. In between the mount is a part of it.
const HAND_BUILD: f32 = 0.14;

/// The avatar's joints as the player holds them, canonical space, facing Z.
struct Stance {
    at: Vec3,
    turn: Quat,
}

/// `None`: the avatar has no such bone.
fn stance(rig: &Rig, role: TrackerRole, pose: CalibrationPose) -> Option<Stance> {
    let at = rig.joint_of(role)?;
    if pose == CalibrationPose::APose {
        for side in 0..2 {
            let [_, upper, lower, hand] = arm(side);
            let is_of_hand = role.hand_side() == Some(side);
            if is_of_hand || rig.bone_of(role).is_some_and(|bone| [upper, lower, hand].contains(&bone)) {
                let turn = axis_angle(Vec3::Z, if side == 0 { -1.0 } else { 1.0 } * core::f32::consts::FRAC_PI_4);
                return Some(Stance { at: rig.at[upper] + turn * (at - rig.at[upper]), turn });
            }
        }
    }
    Some(Stance { at, turn: Quat::IDENTITY })
}

/// Direction of the player's left, from pairs of trackers: hands first. Counted from the same pair
/// in the avatar's T-pose, which need not be exactly across it.
fn left_of(rig: &Rig, places: &[Option<Vec3>; TrackerRole::COUNT]) -> Option<Vec3> {
    use TrackerRole::*;
    for left in [LeftHand, LeftElbow, LeftShoulder, LeftFoot, LeftKnee, LeftToes] {
        let pair = places[left.index()].zip(places[left.mirrored().index()]);
        let Some((a, b)) = pair else { continue };
        let level = Vec3::new(a.x - b.x, 0.0, a.z - b.z);
        if level.length() > 0.05 {
            let [Some(own_left), Some(own_right)] = [left, left.mirrored()].map(|r| rig.joint_of(r)) else { continue };
            let own = own_left - own_right;
            let usual = normalize_or(Vec3::new(own.x, 0.0, own.z), Vec3::X);
            // Both as turns from X; the difference is the player's heading.
            let seen = normalize_or(level, Vec3::X);
            let (cosine, sine) = (seen.dot(usual), usual.z * seen.x - usual.x * seen.z);
            return Some(normalize_or(Vec3::new(cosine, 0.0, -sine), Vec3::X));
        }
    }
    None
}

/// Why a pose cannot be calibrated from.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// No head tracker knows its place.
    #[error("no sample of the head with a position, or none that is newer than lost_after_s")]
    NoHead,
    /// Nothing that the size could follow is above the floor.
    #[error("the head is {height} m above the floor, which gives no size")]
    NoSize {
        /// Height of the head's tracker above the floor, metres of the room.
        height: f32,
    },
}

/// Calibrates from one pose, whichever way the player faces.
pub(super) fn calibrate(
    avatar: &Avatar,
    input: &CalibrationInput,
    pose: CalibrationPose,
    policy: ScalePolicy,
    floor: f32,
) -> Result<TrackerCalibration, CalibrationError> {
    let rig = Rig::new(avatar);
    let places = input.map(|(place, _)| place.map(|p| rig.canonical.vector_in(p) - Vec3::Y * floor));
    let head = places[TrackerRole::Head.index()].ok_or(CalibrationError::NoHead)?;
    let facing = match left_of(&rig, &places) {
        Some(left) => half_turn(Vec3::new(-left.z, 0.0, left.x)),
        None => input[TrackerRole::Head.index()].1.map_or(Quat::IDENTITY, |q| heading(rig.canonical.rotation_in(q))),
    };
    let of = |role: TrackerRole| places[role.index()];
    let span = of(TrackerRole::LeftHand).zip(of(TrackerRole::RightHand)).map(|(a, b)| a.distance(b));
    let player = PlayerMeasures {
        head_height: head.y,
        arm_span: span.unwrap_or(0.0),
        hips_height: of(TrackerRole::Hips).map_or(0.0, |p| p.y),
    };
    let hands =
        [TrackerRole::LeftHand, TrackerRole::RightHand].map(|r| stance(&rig, r, pose).map_or(Vec3::ZERO, |s| s.at));
    let scale = match policy {
        ScalePolicy::Height => ratio(rig.height(), player.head_height),
        ScalePolicy::ArmSpan => ratio(hands[0].distance(hands[1]), player.arm_span),
        ScalePolicy::HipsHeight => ratio(rig.at[HIPS].y, player.hips_height),
        ScalePolicy::Keep => Some(1.0),
    };
    let scale = scale.or_else(|| ratio(rig.height(), player.head_height));
    let scale = scale.ok_or(CalibrationError::NoSize { height: player.head_height })?;
    let mut calibration = TrackerCalibration { scale, floor, player, ..TrackerCalibration::default() };
    let stand = standing_place(&rig, &places, facing, scale, pose);
    // From a role's tracker to its joint, as far as both are not in one place.
    let apart = |role: TrackerRole| {
        let (own, place) = (stance(&rig, role, pose)?, places[role.index()]?);
        Some(stand + facing * own.at - place * scale)
    };
    // By the other policies head and hands need not agree in one size.
    let is_placed = matches!(policy, ScalePolicy::Height | ScalePolicy::Keep);
    let built = [TrackerRole::LeftHand, TrackerRole::RightHand].map(|hand| match apart(hand) {
        Some(way) if is_placed => built_part(way, rig.height()),
        _ => Vec3::ZERO,
    });
    for role in TrackerRole::ALL {
        let (place, rotation) = (places[role.index()], input[role.index()].1);
        if place.is_none() && rotation.is_none() {
            continue;
        }
        let Some(own) = stance(&rig, role, pose) else { continue };
        // A tracker without rotation is carried by its bone.
        let mount = rotation.map_or(facing * own.turn, |q| rig.canonical.rotation_in(q));
        let build = role.hand_side().map_or(Vec3::ZERO, |side| built[side]);
        let way = apart(role).map_or(Vec3::ZERO, |way| mount.conjugate() * (way - build));
        let most = MAX_MOUNT * rig.height();
        let way = if way.length() > most { way * (most / way.length()) } else { way };
        let turn = (mount.conjugate() * facing * own.turn).normalize();
        calibration.offsets[role.index()] =
            Some(TrackerOffset { position: rig.canonical.vector_out(way), rotation: rig.canonical.rotation_out(turn) });
    }
    Ok(calibration)
}

/// The part of a hand's way from its tracker that is the avatar's build.
fn built_part(way: Vec3, height: f32) -> Vec3 {
    let far = way.length() / height;
    way * ((far - HAND_MOUNT) / (HAND_BUILD - HAND_MOUNT)).clamp(0.0, 1.0)
}

fn ratio(avatar: f32, player: f32) -> Option<f32> {
    (player > 0.05 && avatar > 0.0).then(|| avatar / player)
}

/// Distance from the others at which a tracker's word of where the avatar stands counts a quarter,
/// in heights of the avatar's head.
const ODD: f32 = 0.02;

/// Where the avatar stands, level: the robust mean of what its trackers state, so that one that is
/// mounted oddly does not shift the others. Iteratively reweighted, with the weights of Geman and
/// McClure, from the medians on.
fn standing_place(
    rig: &Rig,
    places: &[Option<Vec3>; TrackerRole::COUNT],
    facing: Quat,
    scale: f32,
    pose: CalibrationPose,
) -> Vec3 {
    let (mut said, mut count) = ([Vec3::ZERO; TrackerRole::COUNT], 0);
    // The fingers would outvote the rest.
    for role in TrackerRole::ALL.into_iter().filter(|role| role.finger().is_none()) {
        if let Some((place, own)) = places[role.index()].zip(stance(rig, role, pose)) {
            let off = place * scale - facing * own.at;
            said[count] = Vec3::new(off.x, 0.0, off.z);
            count += 1;
        }
    }
    let said = &said[..count];
    let mut mean = Vec3::new(median(said, |p| p.x), 0.0, median(said, |p| p.z));
    for _ in 0..8 {
        let (mut sum, mut whole) = (Vec3::ZERO, 0.0);
        for place in said {
            let off = place.distance(mean) / (ODD * rig.height());
            let weight = 1.0 / (1.0 + off * off);
            sum += *place * (weight * weight);
            whole += weight * weight;
        }
        mean = if whole > 0.0 { sum / whole } else { mean };
    }
    mean
}

/// The median of a coordinate; 0 for no points.
fn median(points: &[Vec3], coordinate: impl Fn(&Vec3) -> f32) -> f32 {
    let mut sorted = [0.0; TrackerRole::COUNT];
    let sorted = &mut sorted[..points.len()];
    for (to, point) in sorted.iter_mut().zip(points) {
        *to = coordinate(point);
    }
    sorted.sort_unstable_by(f32::total_cmp);
    match points.len() {
        0 => 0.0,
        n => 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]),
    }
}

/// How far a tracker may be from the axis of the body, and what share of the height parts the legs
/// from the trunk, and the trunk from the arms sideways: in heights of the head.
const NEAR: f32 = 0.45;
const CROTCH: f32 = 0.48;
const SHOULDER: f32 = 0.95;
const FLANK: f32 = 0.14;

/// States what unlabelled trackers are worn on, while the player stands in the T-pose. `known` has
/// the head, which must be there, and the hands; `out` gets a role per tracker, `None` for strays:
/// trackers far from the body, or one too many on a part. On a leg the lowest tracker is the foot's
/// and the next the knee's, so a knee tracker that is worn low is not taken for a foot where a foot
/// has one. Returns how many got a role, or `None` without a head.
pub(super) fn assign(
    avatar: &Avatar,
    known: &CalibrationInput,
    floor: f32,
    trackers: &[Vec3],
    out: &mut [Option<TrackerRole>],
) -> Option<usize> {
    use TrackerRole::*;
    let rig = Rig::new(avatar);
    let places = known.map(|(place, _)| place.map(|p| rig.canonical.vector_in(p) - Vec3::Y * floor));
    let head = places[Head.index()]?;
    let left = match left_of(&rig, &places) {
        Some(left) => left,
        None => known[Head.index()].1.map_or(Vec3::X, |q| heading(rig.canonical.rotation_in(q)) * Vec3::X),
    };
    let height = head.y.max(0.1);
    // Place of a tracker in heights: sideways, up, and away from the body's axis front to back.
    let seen = |p: &Vec3| {
        let own = rig.canonical.vector_in(*p) - Vec3::Y * floor;
        let off = Vec3::new(own.x - head.x, 0.0, own.z - head.z);
        let aside = off.dot(left);
        (aside / height, own.y / height, (off - left * aside).length() / height)
    };
    out.fill(None);
    let mut taken = [None::<(usize, f32)>; TrackerRole::COUNT];
    let mut give = |role: TrackerRole, tracker: usize, cost: f32, out: &mut [Option<TrackerRole>]| {
        if places[role.index()].is_some() || rig.joint_of(role).is_none() {
            return false;
        }
        match taken[role.index()] {
            Some((_, best)) if best <= cost => false,
            old => {
                if let Some((other, _)) = old {
                    out[other] = None;
                }
                taken[role.index()] = Some((tracker, cost));
                out[tracker] = Some(role);
                true
            }
        }
    };
    for side in 0..2 {
        let is_leg = |p: &Vec3| {
            let (aside, up, depth) = seen(p);
            let own_side = (aside > 0.0) == (side == 0);
            own_side && (-0.1..CROTCH).contains(&up) && depth < 0.3 && aside.abs() < NEAR
        };
        let lowest = (0..trackers.len())
            .filter(|i| is_leg(&trackers[*i]))
            .min_by(|a, b| seen(&trackers[*a]).1.total_cmp(&seen(&trackers[*b]).1));
        let Some(lowest) = lowest else { continue };
        let has_knees_only = seen(&trackers[lowest]).1 > 0.2;
        let foot = super::role::of_side(LeftFoot, side);
        let knee = super::role::of_side(LeftKnee, side);
        give(if has_knees_only { knee } else { foot }, lowest, 0.0, out);
        for i in (0..trackers.len()).filter(|i| *i != lowest && is_leg(&trackers[*i])) {
            give(knee, i, (seen(&trackers[i]).1 - 0.3).abs(), out);
        }
    }
    for (i, place) in trackers.iter().enumerate().filter(|(_, p)| (CROTCH..SHOULDER).contains(&seen(p).1)) {
        let (aside, up, depth) = seen(place);
        if depth > 0.25 {
            continue;
        }
        if aside.abs() <= FLANK {
            let chest = rig.at[rig.top].y / rig.height();
            let hips = rig.at[HIPS].y / rig.height();
            let (role, cost) = if (up - hips).abs() < (up - chest).abs() {
                (Hips, (up - hips).abs())
            } else {
                (Chest, (up - chest).abs())
            };
            give(role, i, cost, out);
            continue;
        }
        let side = usize::from(aside < 0.0);
        let roles = [LeftShoulder, LeftElbow, LeftHand].map(|role| super::role::of_side(role, side));
        let cost = |role: TrackerRole| {
            let at = rig.joint_of(role).unwrap_or(Vec3::INFINITY) / rig.height();
            (at.x.abs() - aside.abs()).abs() + (at.y - up).abs()
        };
        let Some(role) = roles.into_iter().min_by(|a, b| cost(*a).total_cmp(&cost(*b))) else { continue };
        if cost(role) < 0.2 {
            give(role, i, cost(role), out);
        }
    }
    Some(out.iter().flatten().count())
}
