//! Hips, spine, neck and head.
//!
//! # Method
//!
//! Between hips and head every spine bone starts with a part of the turn from one to the other: the
//! ribs take three tenths of it, the neck six (measured on captured motion; people turn and nod
//! with the neck). Then the joints between turn by the least weighted rotations that bring the head
//! to its place: Newton's method on `Σ (θᵢ × rᵢ) = e`, whose solution of least norm is
//! `θᵢ = wᵢ rᵢ × λ` with `(Σ wᵢ (|rᵢ|² I − rᵢ rᵢᵀ)) λ = e`. The neck is three times as ready to
//! turn as the first spine bone, and that twice as ready as the rest. A head out of reach moves the
//! hips, or stretches the spine, as the locks define.

use super::frame_input::Goals;
use super::posture::Posture;
use super::rig::Rig;
use super::role::{HEAD, HIPS, NECK, TrackerRole};
use super::settings::TrackedBodySettings;
use crate::math::float::smooth01;
use crate::math::soft::soft_limit;
use crate::math::{Quat, Vec3, axis_angle, fraction, normalize_or, rotation_angle, slerp_short};

/// Part of the turn from hips to head that the ribs have, and the neck.
const RIBS_SHARE: f32 = 0.3;
const NECK_SHARE: f32 = 0.6;
/// From this turn on, radians, the spine takes ever less of it.
const USUAL_TURN: f32 = 2.1;
/// Readiness of the first spine bone, of the others, and of the neck.
const READY: [f32; 3] = [1.0, 0.5, 3.0];
const ITERATIONS: usize = 4;
/// Damping, in squared lengths of the trunk: near the straight spine, where small motion of the
/// head
/// needs much bending, it leaves a few millimetres to the stretch.
const DAMPING: f32 = 0.02;
/// Part of the trunk's length by which it stretches to meet head and hips both.
const GIVE: f32 = 0.012;
/// How far beyond the reach of the spine animated hips are before they come to where it reaches, as
/// a part of it, and how softly that begins. From farther on, [`bring`] would turn the bones this
/// way and that.
const MOST_BEYOND: f32 = 0.04;
const BEYOND_SOFTNESS: f32 = 0.5;
/// Least height of the hips' joint above the floor, in heights of the head's joint: about the
/// radius of a thigh. People come no lower; the goals of an avatar of another build would.
const LOWEST_HIPS: f32 = 0.03;
/// Largest turn of a joint in one iteration, radians.
const MAX_TURN: f32 = 0.5;
/// Largest turn of a spine bone against the one below, and of the neck against the ribs, radians;
/// with the cosine of half of it.
const MAX_SPINE: (f32, f32) = (0.8, 0.921_061);
const MAX_NECK: (f32, f32) = (1.0, 0.877_582_6);

/// Where the trunk is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrunkGoal {
    pub hips: Vec3,
    pub hips_turn: Quat,
    pub head: Vec3,
    pub head_turn: Quat,
    /// Part of the hips that is tracked: the rest gives way to the head.
    pub hips_weight: f32,
    /// Height of the floor that the hips stay above.
    pub floor: f32,
}

/// Builds hips … head. Returns how far the head is from its goal.
pub(super) fn solve(
    rig: &Rig,
    goal: &TrunkGoal,
    goals: &Goals,
    settings: &TrackedBodySettings,
    out: &mut Posture,
) -> f32 {
    let trunk = rig.trunk();
    out.at[HIPS] = above_floor(rig, goal);
    out.turn[HIPS] = goal.hips_turn;
    out.turn[HEAD] = goal.head_turn;
    first_turns(rig, goal, goals, out);
    lay(rig, trunk, 0, out);
    place_chest(rig, goals, out);
    let between = &trunk[1..trunk.len() - 1];
    let chest_weight = goals.of(TrackerRole::Chest).turn_weight;
    let held = if chest_weight > 0.0 { Some((rig.top, chest_weight)) } else { None };
    limit(trunk, out);
    lay(rig, trunk, 0, out);
    bring(rig, trunk, between, goal.head, held, true, out);
    bring(rig, trunk, between, goal.head, held, false, out);
    meet(rig, goal, settings, out)
}

/// Hips that are not lower than [`LOWEST_HIPS`]: from twice that height on they come down ever
/// less.
fn above_floor(rig: &Rig, goal: &TrunkGoal) -> Vec3 {
    let lowest = LOWEST_HIPS * rig.height();
    let height = goal.hips.y - goal.floor;
    if height >= 2.0 * lowest {
        return goal.hips;
    }
    let height = height.max(0.0);
    Vec3::new(goal.hips.x, goal.floor + lowest + height * height / (4.0 * lowest), goal.hips.z)
}

/// Height of the floor for the hips. `seen`: height of their tracker, or of the headset without
/// one. Less than twice [`LOWEST_HIPS`] lowers the floor by as much: the player may be below the
/// floor that was calibrated.
pub(super) fn floor(rig: &Rig, seen: f32) -> f32 {
    (seen - 2.0 * LOWEST_HIPS * rig.height()).min(0.0)
}

/// What every bone turns before the head is placed.
fn first_turns(rig: &Rig, goal: &TrunkGoal, goals: &Goals, out: &mut Posture) {
    let whole = (goal.head_turn * goal.hips_turn.conjugate()).normalize();
    let shared = shared(rotation_angle(whole));
    let spine = rig.trunk().iter().filter(|bone| **bone > HIPS && **bone < NECK);
    let count = spine.clone().count().max(1) as f32;
    let ribs = (fraction(whole, RIBS_SHARE * shared) * goal.hips_turn).normalize();
    let ribs = goals.of(TrackerRole::Chest).turn_over(ribs);
    for (place, bone) in spine.enumerate() {
        out.turn[*bone] = slerp_short(goal.hips_turn, ribs, (place as f32 + 1.0) / count);
    }
    let tracked = goals.of(TrackerRole::Chest).turn_weight;
    let neck = (fraction(whole, NECK_SHARE * shared) * goal.hips_turn).normalize();
    out.turn[NECK] = slerp_short(neck, slerp_short(ribs, goal.head_turn, 0.4), tracked);
}

/// The part of a turn from hips to head that bends the spine as usual. At half a turn, where the
/// shorter way changes sides, it is none.
fn shared(angle: f32) -> f32 {
    smooth01((core::f32::consts::PI - angle) / (core::f32::consts::PI - USUAL_TURN))
}

/// Joints of the trunk from their bones, from a place of it on.
fn lay(rig: &Rig, trunk: &[usize], from: usize, out: &mut Posture) {
    for pair in trunk.windows(2).skip(from) {
        out.at[pair[1]] = out.at[pair[0]] + out.turn[pair[0]] * rig.span(pair[0], pair[1]);
    }
}

/// Brings the ribs to a chest tracker that knows its place.
fn place_chest(rig: &Rig, goals: &Goals, out: &mut Posture) {
    let chest = goals.of(TrackerRole::Chest);
    let trunk = rig.trunk();
    let end = trunk.iter().position(|bone| *bone == rig.top).unwrap_or(0);
    if chest.place_weight <= 0.0 || end < 2 {
        return;
    }
    let place = chest.place_over(out.at[rig.top]);
    bring(rig, &trunk[..=end], &trunk[1..end], place, None, false, out);
    lay(rig, trunk, end, out);
}

/// Turns the bones `between` so that the last joint of the trunk comes to `place`. A bone that is
/// `held` turns the less the more it is. `limited`: after each iteration every bone is within what
/// people bend. An iteration turns a bone by [`MAX_TURN`] against the one below at most, so none
/// gets to half a turn, where the way back to the limit changes sides.
fn bring(
    rig: &Rig,
    trunk: &[usize],
    between: &[usize],
    place: Vec3,
    held: Option<(usize, f32)>,
    limited: bool,
    out: &mut Posture,
) {
    let Some(&end) = trunk.last() else { return };
    let first = between.first().copied().unwrap_or(end);
    let ready = |bone: usize| {
        let own = if bone == NECK {
            READY[2]
        } else if bone == first {
            READY[0]
        } else {
            READY[1]
        };
        match held {
            Some((top, weight)) if bone <= top => own * (1.0 - weight) + 1e-4 * weight,
            _ => own,
        }
    };
    let size = rig.span(HIPS, HEAD).length_squared().max(1e-6);
    for _ in 0..ITERATIONS {
        let error = place - out.at[end];
        if error.length_squared() < 1e-12 * size {
            return;
        }
        // Σ w (|r|² I − r rᵀ): diagonal, then xy, xz, yz.
        let (mut diagonal, mut mixed) = (Vec3::splat(DAMPING * size), Vec3::ZERO);
        for &bone in between {
            let r = out.at[end] - out.at[bone];
            let (w, square) = (ready(bone), r.length_squared());
            diagonal += (Vec3::splat(square) - r * r) * w;
            mixed -= Vec3::new(r.x * r.y, r.x * r.z, r.y * r.z) * w;
        }
        let force = solve_symmetric(diagonal, mixed, error);
        let mut whole = Quat::IDENTITY;
        for &bone in between {
            let r = out.at[end] - out.at[bone];
            let turn = r.cross(force) * ready(bone);
            let angle = turn.length();
            let own = axis_angle(normalize_or(turn, Vec3::Y), angle.min(MAX_TURN));
            whole = (whole * own).normalize();
            out.turn[bone] = (whole * out.turn[bone]).normalize();
        }
        if limited {
            limit(trunk, out);
        }
        lay(rig, trunk, 0, out);
    }
}

/// `M x = b` for the symmetric `M` with this diagonal and these mixed terms (xy, xz, yz).
fn solve_symmetric(d: Vec3, m: Vec3, b: Vec3) -> Vec3 {
    let a = Vec3::new(d.x, m.x, m.y);
    let (c, e) = (Vec3::new(m.x, d.y, m.z), Vec3::new(m.y, m.z, d.z));
    let (first, second, third) = (c.cross(e), e.cross(a), a.cross(c));
    let determinant = a.dot(first);
    if determinant.abs() < 1e-20 {
        return Vec3::ZERO;
    }
    (first * b.x + second * b.y + third * b.z) / determinant
}

/// Keeps every spine bone and the neck within what people bend. What a bone turns back, those above
/// it turn with it.
fn limit(trunk: &[usize], out: &mut Posture) {
    let mut back: Option<Quat> = None;
    for pair in trunk.windows(2) {
        let (below, bone) = (pair[0], pair[1]);
        if bone == HEAD {
            break;
        }
        let seen = out.turn[bone];
        if let Some(back) = back {
            out.turn[bone] = (back * seen).normalize();
        }
        let (most, cosine) = if bone == NECK { MAX_NECK } else { MAX_SPINE };
        if out.turn[below].dot(out.turn[bone]).abs() >= cosine {
            continue;
        }
        let own = (out.turn[below].conjugate() * out.turn[bone]).normalize();
        out.turn[bone] = (out.turn[below] * fraction(own, most / rotation_angle(own))).normalize();
        back = Some((out.turn[bone] * seen.conjugate()).normalize());
    }
}

/// What the spine could not reach: it stretches by up to an eightieth, then the hips follow as far
/// as they are not locked and the floor allows, then the spine stretches as far as the head is.
fn meet(rig: &Rig, goal: &TrunkGoal, settings: &TrackedBodySettings, out: &mut Posture) -> f32 {
    let trunk = rig.trunk();
    let whole = goal.head - out.at[HEAD];
    let length = rig.span(HIPS, HEAD).length();
    let give = (GIVE * length * goal.hips_weight / whole.length().max(1e-9)).min(1.0);
    let rest = whole * (1.0 - give);
    let lock = settings.hips_lock.clamp(0.0, 1.0) * goal.hips_weight;
    let head = settings.head_lock.clamp(0.0, 1.0);
    let mut follow = rest * (head * (1.0 - lock));
    follow.y = follow.y.max((goal.floor + LOWEST_HIPS * rig.height() - out.at[HIPS].y).min(0.0));
    trunk.iter().for_each(|bone| out.at[*bone] += follow);
    let stretch = (rest - follow) * head + whole * give;
    let last = (trunk.len() - 1).max(1) as f32;
    for (place, bone) in trunk.iter().enumerate() {
        out.at[*bone] += stretch * (place as f32 / last);
    }
    (goal.head - out.at[HEAD]).length()
}

/// The way that brings the first bone of the spine so near to the head's place that [`bring`] gets
/// there; from the bone to the place it is `to_place`.
fn back_in_reach(rig: &Rig, to_place: Vec3) -> Vec3 {
    let reach = rig.trunk()[1..].windows(2).map(|pair| rig.span(pair[0], pair[1]).length()).sum::<f32>();
    let beyond = to_place.length() - reach;
    if beyond <= 0.0 || reach <= 0.0 {
        return Vec3::ZERO;
    }
    let kept = soft_limit(beyond, MOST_BEYOND * reach, BEYOND_SOFTNESS);
    to_place * ((beyond - kept) / (reach + beyond))
}

/// Moves the hips of a body that is built by `way`, and turns them. The head stays: the spine spans
/// what is then between the two, gives by up to an eightieth, and takes the hips back where it
/// cannot. A spine that is stretched already stays so.
pub(super) fn move_hips(rig: &Rig, way: Vec3, turn: Quat, out: &mut Posture) {
    let trunk = rig.trunk();
    let (head, head_turn) = (out.at[HEAD], out.turn[HEAD]);
    let mut laid = *out;
    lay(rig, trunk, 0, &mut laid);
    let stretch = head - laid.at[HEAD];
    let place = head - stretch;
    let last = (trunk.len() - 1).max(1) as f32;
    out.at[HIPS] += way;
    for (number, bone) in trunk.iter().enumerate().take(trunk.len() - 1) {
        out.turn[*bone] = (fraction(turn, 1.0 - number as f32 / last) * out.turn[*bone]).normalize();
    }
    lay(rig, trunk, 0, out);
    out.at[HIPS] += back_in_reach(rig, place - out.at[trunk[1]]);
    lay(rig, trunk, 0, out);
    bring(rig, trunk, &trunk[1..trunk.len() - 1], place, None, false, out);
    let left = place - out.at[HEAD];
    let give = (GIVE * rig.span(HIPS, HEAD).length() / left.length().max(1e-9)).min(1.0);
    let (back, stretch) = (left * (1.0 - give), stretch + left * give);
    for (number, bone) in trunk.iter().enumerate() {
        out.at[*bone] += back + stretch * (number as f32 / last);
    }
    (out.at[HEAD], out.turn[HEAD]) = (head, head_turn);
}
