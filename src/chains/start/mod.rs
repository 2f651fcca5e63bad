//! What the default chain solver does before it descends: clamp_to_limits, hold, bend, aim, swivel; and lining up at the edge of reach.

pub(super) mod lengthen;

use crate::chains::methods::dls::is_reached;
use crate::chains::model::{Chain, ChainGoal, ChainPose, ChainSettings, Pole};
use crate::chains::state::{BEST, ChainWorkspace};
use crate::limits::{Freedom, Mobility};
use crate::math::{Quat, Vec3, arc, axis_angle, float, normalize_or, perpendicular, slerp_short, twist_angle};
use crate::optim::root;
use crate::outcome::{Outcome, Status};

/// Takes limits and stretch bounds into the pose.
pub(in crate::chains) fn clamp_to_limits(chain: &Chain, pose: &mut ChainPose) {
    for (i, joint) in chain.joints.iter().enumerate() {
        pose.rotations[i] = joint.model.project(pose.rotations[i]);
        let bounds = &joint.model.stretch;
        pose.stretch[i] =
            if bounds.max > bounds.min { pose.stretch[i].clamp(bounds.min, bounds.max) } else { pose.stretch[i] };
    }
}

/// Holds the last joint at the rotation goal when it can take any rotation.
pub(in crate::chains) fn hold_end_rotation(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let last = &chain.joints[chain.joints.len() - 1];
    let free = chain.serial && chain.joints.len() > 1 && last.model.is_isotropic();
    ws.pinned = match (free, goals[0].position, goals[0].rotation) {
        (true, Some(_), Some(rotation)) => Some(rotation.normalize()),
        _ => None,
    };
}

/// Where the carried point (see [`ChainWorkspace::carried`]) has to be.
pub(in crate::chains) fn carried_target(chain: &Chain, pose: &ChainPose, target: Vec3, ws: &ChainWorkspace) -> Vec3 {
    match ws.pinned {
        Some(held) => {
            let effector = &chain.effectors[0];
            target - held * (effector.offset * pose.stretch[effector.joint])
        }
        None => target,
    }
}

/// Number of joints that carry the carried point.
pub(in crate::chains) fn active(chain: &Chain, ws: &ChainWorkspace) -> usize {
    chain.joints.len() - usize::from(ws.pinned.is_some())
}

/// The bone from joint `i` of an unbranched chain to the next one (the last: to the effector), in the joint's space, at rest length.
pub(in crate::chains) fn bone(chain: &Chain, i: usize) -> Vec3 {
    chain.joints.get(i + 1).map_or(chain.effectors[0].offset, |next| next.offset)
}

/// Length of the bone from joint `i` towards the carried point.
fn bone_length(chain: &Chain, pose: &ChainPose, i: usize) -> f32 {
    bone(chain, i).length() * pose.stretch[i].abs()
}

/// The region an unlimited, unbranched chain can fill, and where a target lies in it.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct ReachBounds {
    /// Whether the target lies outside: beyond the length (1), nearer than the chain can fold (−1), or inside (0).
    pub side: i8,
    /// For a target outside: a goal a little inside the reach_bounds, for the effector.
    pub inside: Vec3,
    /// Unit direction root → carried target.
    direction: Vec3,
    /// For folding: the longest bone.
    longest: usize,
}

/// The reach_bounds, for chains that have one: unbranched, all turning joints unlimited, a position goal.
pub(in crate::chains) fn reach_bounds(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    ws: &mut ChainWorkspace,
) -> Option<ReachBounds> {
    let target = goals[0].position?;
    if !chain.serial || (ws.pinned.is_none() && (goals[0].rotation.is_some() || goals[0].axis.is_some())) {
        return None;
    }
    let count = active(chain, ws);
    if chain.joints[..count].iter().any(|j| !j.model.is_unlimited()) {
        return None;
    }
    let (mut length, mut longest) = (0.0_f32, 0);
    for i in 0..count {
        length += bone_length(chain, pose, i);
        if bone_length(chain, pose, i) > bone_length(chain, pose, longest) {
            longest = i;
        }
    }
    let hole = (2.0 * bone_length(chain, pose, longest) - length).max(0.0);
    let root = ws.position[0];
    let carried = carried_target(chain, pose, target, ws);
    let distance = (carried - root).length();
    let now = normalize_or(ws.carried(chain, 0) - root, Vec3::Y);
    let direction = if distance > 1e-6 * length { (carried - root) * (1.0 / distance) } else { now };
    let back = target - carried;
    let edge = 1e-7 * length;
    let (side, radius) = if distance >= length - edge {
        (1, length * (1.0 - 1e-4))
    } else if distance <= hole + edge && hole > 0.0 {
        (-1, (hole + 1e-4 * length).min(length))
    } else {
        (0, distance)
    };
    Some(ReachBounds { side, inside: root + direction * radius + back, direction, longest })
}

/// Puts the bones exactly on the line to a target outside the reach_bounds: all along it, or folded about the longest.
pub(in crate::chains) fn straighten_to_target(
    chain: &Chain,
    pose: &mut ChainPose,
    reach_bounds: &ReachBounds,
    ws: &mut ChainWorkspace,
) {
    ws.forward(chain, pose);
    let count = active(chain, ws);
    let mut above = pose.root_rotation;
    for i in 0..count {
        let next = if i + 1 < chain.joints.len() { ws.position[i + 1] } else { ws.tip[0] };
        let along = if reach_bounds.side > 0 || i == reach_bounds.longest {
            reach_bounds.direction
        } else {
            -reach_bounds.direction
        };
        let bone = next - ws.position[i];
        let turn =
            if bone.length() > 1e-9 * chain.length { arc(normalize_or(bone, along), along) } else { Quat::IDENTITY };
        let turned = (turn * ws.rotation[i]).normalize();
        let frame = (above * chain.joints[i].rest).normalize();
        pose.rotations[i] = (frame.conjugate() * turned).normalize();
        above = turned;
    }
    ws.forward(chain, pose);
}

/// Aims the chain, swivels it to its pole, and bends it if it is straight and has to fold. Forward kinematics must be
/// up to date, and are afterwards.
///
/// The aim comes first: it turns the chain as it is, so the one direction in which the shortest turn is singular stays where the pose
/// puts it, and a pole's reference is seen from the straight line, whatever way the root bone leans once the chain is folded.
pub(in crate::chains) fn prepare(chain: &Chain, pose: &mut ChainPose, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let Some(target) = goals[0].position else { return };
    if !chain.serial {
        return;
    }
    let target = carried_target(chain, pose, target, ws);
    let pole = goals[0].pole.as_ref();
    aim(chain, pose, target, pole, ws);
    open_hinges(chain, pose, target, ws);
    bend_if_straight(chain, pose, target, pole, ws);
}

/// Starts a sweep as the default solver starts its descent: limits taken in, bent where it must, aimed, swivelled to the pole. From there the sweep has to
/// lengthen or shorten only, and a target that moves on does not find it on the other side.
pub(in crate::chains) fn start_aimed(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    ws: &mut ChainWorkspace,
) {
    clamp_to_limits(chain, pose);
    hold_end_rotation(chain, goals, ws);
    ws.forward(chain, pose);
    prepare(chain, pose, goals, ws);
}

/// A hinge that stands at one end of its range and has to give way turns inwards first: pressed against its end it would stay there, while the
/// others fold without it.
fn open_hinges(chain: &Chain, pose: &mut ChainPose, target: Vec3, ws: &mut ChainWorkspace) {
    let count = active(chain, ws);
    let root = ws.position[0];
    let end = ws.carried(chain, 0) - root;
    let length: f32 = (0..count).map(|i| bone_length(chain, pose, i)).sum();
    let share = ((end.length() - (target - root).length()) / length.max(1e-20)).clamp(0.0, 1.0);
    if share <= 0.0 || straight_line(chain, pose, ws).is_some() {
        return;
    }
    let each = core::f32::consts::TAU * float::sqrt(share) * (0.78 + 0.22 * share) / count as f32;
    let along = normalize_or(end, Vec3::Y);
    let mut opened = false;
    for i in 1..count {
        let model = &chain.joints[i].model;
        let Freedom::Hinge { range, .. } = &model.freedom else { continue };
        if range.is_free() {
            continue;
        }
        let axis = model.hinge_axis();
        let angle = twist_angle(pose.rotations[i], axis);
        let (up, down) = (range.max - angle, angle - range.min);
        let (room, other, sign) = if up > down { (up, down, 1.0) } else { (down, up, -1.0) };
        let axis = ws.frame[i] * axis * sign;
        // How much the inward turn lengthens the chain: a little is a bend the wrong way, much is another shape.
        let arm = ws.carried(chain, 0) - ws.position[i];
        let lengthens = axis.cross(arm).dot(along) / arm.length().max(1e-9 * length);
        let share = (1.0 - float::smooth_step(0.0, 0.3, other)) * (1.0 - float::smooth_step(0.3, 0.7, lengthens));
        let turn = (each * share).min(0.8 * room);
        if turn > 0.0 {
            let q = axis_angle(ws.frame[i].conjugate() * axis, turn) * pose.rotations[i];
            pose.rotations[i] = model.project(q.normalize());
            opened = true;
        }
    }
    if opened {
        ws.forward(chain, pose);
        aim(chain, pose, target, None, ws);
    }
}

/// Line and length of a chain without bends: unit direction, and length of its bones. `None` when it has bends.
fn straight_line(chain: &Chain, pose: &ChainPose, ws: &ChainWorkspace) -> Option<(Vec3, f32)> {
    let count = active(chain, ws);
    let length: f32 = (0..count).map(|i| bone_length(chain, pose, i)).sum();
    let line = ws.carried(chain, 0) - ws.position[0];
    let is_straight = count >= 2 && line.length() >= length * (1.0 - 1e-5);
    is_straight.then(|| (normalize_or(line, Vec3::Y), length))
}

fn bend_if_straight(chain: &Chain, pose: &mut ChainPose, target: Vec3, pole: Option<&Pole>, ws: &mut ChainWorkspace) {
    let Some((along, length)) = straight_line(chain, pose, ws) else { return };
    let (count, root) = (active(chain, ws), ws.position[0]);
    let wanted = (target - root).length();
    if wanted > length * (1.0 - 1e-6) {
        return;
    }
    let axis = bend_axis(chain, ws, along, pole, length);
    let folds = pole.is_none() && is_free_of_three(chain, ws);
    let each = if folds {
        // A free chain is only given its side; it folds on its way to the target (see `aim`). Near enough the arc of the wanted chord.
        let share = (1.0 - wanted / length).clamp(0.0, 0.2);
        core::f32::consts::TAU * float::sqrt(share) * (0.78 + 0.22 * share) / count as f32
    } else {
        arc_angle(chain, pose, count, wanted)
    };
    for i in 1..count {
        let joint = &chain.joints[i];
        if joint.model.is_unlimited() {
            let turn = axis_angle(ws.frame[i].conjugate() * axis, each);
            pose.rotations[i] = (turn * pose.rotations[i]).normalize();
            continue;
        }
        let mobility = joint.model.mobility(pose.rotations[i]);
        let free = Mobility::matrix_in(&mobility.matrix, ws.frame[i]);
        let across = |v: Vec3| v - along * v.dot(along);
        let mut turn = free * axis;
        if across(turn).length() < 0.05 {
            // A hinge at right angles to the wanted axis: its own axis then.
            let columns = [free.x_axis, free.y_axis, free.z_axis];
            turn = columns
                .into_iter()
                .fold(Vec3::ZERO, |a, b| if across(b).length() > across(a).length() { b } else { a });
        }
        if across(turn).length() < 1e-3 {
            continue;
        }
        let room = |t: Vec3| {
            let turned = axis_angle(ws.frame[i].conjugate() * normalize_or(t, axis), each);
            let q = joint.model.project((turned * pose.rotations[i]).normalize());
            (crate::math::rotation_angle(q * pose.rotations[i].conjugate()), q)
        };
        let (forward, backward) = (room(turn), room(-turn));
        pose.rotations[i] = if backward.0 > forward.0 + 0.01 { backward.1 } else { forward.1 };
    }
    ws.forward(chain, pose);
    // The bend turned the end aside: the first joint turns it back, about the bend's axis first, which is all of it in a plane.
    let first = &chain.joints[0].model;
    let to = target - root;
    for plane in [true, false] {
        if !plane && folds {
            break;
        }
        let from = ws.carried(chain, 0) - root;
        if from.length() < 1e-4 * length || to.length() < 1e-4 * length || is_stiff_first(chain) {
            return;
        }
        let turn = match (&first.freedom, plane) {
            (Freedom::Hinge { .. }, _) => about_hinge(chain, ws, from, to),
            (_, true) => axis_angle(axis, angle_about(axis, from, along)),
            (_, false) => arc(normalize_or(from, Vec3::Y), normalize_or(to, Vec3::Y)),
        };
        apply_to_first(chain, pose, turn, ws);
    }
}

/// Angle by which each joint but the first bends a straight chain into an arc whose chord has the wanted length: the least there is, and
/// at most a little less than the one of the shortest chord, so that it goes on evenly with the distance.
fn arc_angle(chain: &Chain, pose: &ChainPose, count: usize, wanted: f32) -> f32 {
    let chord = |each: f32| {
        let (s, c) = (float::sin(each), float::cos(each));
        let (mut x, mut y) = (0.0_f32, 0.0_f32);
        // Horner's scheme for Σ l e^(i k each), from the last bone to the first.
        for i in (0..count).rev() {
            (x, y) = (x * c - y * s + bone_length(chain, pose, i), x * s + y * c);
        }
        float::sqrt(x * x + y * y)
    };
    let step = core::f32::consts::TAU / count as f32 / 8.0;
    let (mut low, mut at_low) = (0.0_f32, f32::INFINITY);
    let mut high = step;
    // The first step across the wanted length, or past the shortest chord.
    for _ in 0..12 {
        let at_high = chord(high);
        if at_high <= wanted {
            break;
        }
        if at_high >= at_low || high >= core::f32::consts::PI {
            low = (low - step).max(0.0);
            break;
        }
        (low, at_low) = (high, at_high);
        high += step;
    }
    if chord(high) > wanted {
        // The shortest chord.
        (high, _) = root::least(low, high.min(core::f32::consts::PI), 12, chord);
        (low, high) = (0.0, 0.93 * high);
        if chord(high) >= wanted {
            return high;
        }
    }
    for _ in 0..22 {
        let middle = 0.5 * (low + high);
        if chord(middle) > wanted { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Axis about which a straight chain shall bend: preferred bends first, then the slight bend it has, then a hinge; else towards the pole's
/// reference, or about an axis of its first joint.
pub(in crate::chains) fn bend_axis(
    chain: &Chain,
    ws: &ChainWorkspace,
    along: Vec3,
    pole: Option<&Pole>,
    length: f32,
) -> Vec3 {
    let count = active(chain, ws);
    let across = |v: Vec3| v - along * v.dot(along);
    let mut preferred = Vec3::ZERO;
    let mut aside = Vec3::ZERO;
    for i in 1..count {
        let model = &chain.joints[i].model;
        preferred += ws.frame[i] * (model.frame * model.preferred_bend);
        let off = across(ws.position[i] - ws.position[0]);
        if off.length() > aside.length() {
            aside = off;
        }
    }
    if across(preferred).length() > 1e-3 {
        return normalize_or(across(preferred), Vec3::X);
    }
    if aside.length() > 3e-5 * length {
        // Bending on towards `aside`: the end turns from `aside` back, about along × … so the middle moves out.
        return normalize_or(aside.cross(along), Vec3::X);
    }
    // A hinge below the first joint decides, so that it need not be found.
    for i in 1..count {
        if let Freedom::Hinge { .. } = chain.joints[i].model.freedom {
            let axis = ws.frame[i] * chain.joints[i].model.hinge_axis();
            if across(axis).length() > 1e-2 {
                return normalize_or(across(axis), Vec3::X);
            }
        }
    }
    if let Some(reference) = pole.and_then(|p| p.reference) {
        let axis = (ws.rotation[0] * reference).cross(along);
        if axis.length() > 0.1 * reference.length() {
            return normalize_or(axis, Vec3::X);
        }
    }
    let x = across(ws.rotation[0] * Vec3::X);
    if x.length() > 0.1 { normalize_or(x, Vec3::X) } else { perpendicular(along) }
}

/// A first joint stiffer than others shall not do all the work of aiming.
pub(in crate::chains) fn is_stiff_first(chain: &Chain) -> bool {
    if chain.is_ball() {
        return false;
    }
    let first = &chain.joints[0].model;
    let others = chain.joints[1..].iter().fold(first.stiffness[0], |m, j| m.min(j.model.stiffness[0]));
    first.stiffness.iter().any(|s| *s > others + 0.05)
}

/// Turns the first joint, in the solve space, as far as its limits allow.
fn apply_to_first(chain: &Chain, pose: &mut ChainPose, turn: Quat, ws: &mut ChainWorkspace) {
    let turned = (ws.frame[0].conjugate() * turn * ws.rotation[0]).normalize();
    pose.rotations[0] = chain.joints[0].model.project(turned);
    ws.forward(chain, pose);
}

/// Three bones or more, none of them limited: enough to fold on the way instead of swinging round.
fn is_free_of_three(chain: &Chain, ws: &ChainWorkspace) -> bool {
    let count = active(chain, ws);
    count >= 3 && (chain.is_free() || chain.joints[..count].iter().all(|j| j.model.is_unlimited()))
}

/// Turns the chain about its root as one piece, as far as the first joint's limits allow.
///
/// The shortest turn to a direction `β` away from straight behind swings `cot(β/2)` times as fast as the direction itself, and no rule that
/// turns the chain as one piece does better all round. Free chains of three bones or more have another way to a near target: they fold. So
/// they are aimed only in part at targets behind, the less the nearer, and the descent carries the end across.
fn aim(chain: &Chain, pose: &mut ChainPose, target: Vec3, pole: Option<&Pole>, ws: &mut ChainWorkspace) {
    let root = ws.position[0];
    let (from, to) = (ws.carried(chain, 0) - root, target - root);
    let share = if is_stiff_first(chain) {
        // Only as far as a pole asks for it.
        pole.map_or(0.0, |p| p.weight.clamp(0.0, 1.0))
    } else if pole.is_none() && is_free_of_three(chain, ws) {
        free_share(chain, from, to)
    } else {
        1.0
    };
    aim_by(chain, pose, target, pole, share, ws);
}

/// Share of the aim that a free chain of three bones or more takes, whose end is at `from` and shall be at `to`, seen from its root.
pub(in crate::chains) fn free_share(chain: &Chain, from: Vec3, to: Vec3) -> f32 {
    if from.length() <= 1e-4 * chain.length {
        return 1.0;
    }
    let near = float::smooth_step(0.0, from.length(), to.length());
    let ahead = normalize_or(from, Vec3::Y).dot(normalize_or(to, Vec3::ZERO));
    1.0 + (near - 1.0) * float::smooth_step(0.0, 1.0, -ahead)
}

/// The turn of [`aim`], all of it whatever the chain.
pub(in crate::chains) fn turn_first(
    chain: &Chain,
    pose: &mut ChainPose,
    target: Vec3,
    pole: Option<&Pole>,
    ws: &mut ChainWorkspace,
) {
    aim_by(chain, pose, target, pole, 1.0, ws);
}

fn aim_by(chain: &Chain, pose: &mut ChainPose, target: Vec3, pole: Option<&Pole>, share: f32, ws: &mut ChainWorkspace) {
    let root = ws.position[0];
    let (from, to) = (ws.carried(chain, 0) - root, target - root);
    let small = 1e-4 * chain.length;
    let towards = normalize_or(to, normalize_or(from, Vec3::Y));
    let mut turn = Quat::IDENTITY;
    if from.length() > small && to.length() > small {
        turn = match &chain.joints[0].model.freedom {
            Freedom::Hinge { .. } => about_hinge(chain, ws, from, to),
            _ => arc(normalize_or(from, Vec3::Y), towards),
        };
    }
    if share < 1.0 {
        turn = slerp_short(Quat::IDENTITY, turn, share);
    }
    if let Some(pole) = pole {
        turn = (swivel(chain, pose, pole, towards, turn, ws) * turn).normalize();
    }
    apply_to_first(chain, pose, turn, ws);
}

/// The turn about the first joint's hinge that brings `from` nearest to `to`.
fn about_hinge(chain: &Chain, ws: &ChainWorkspace, from: Vec3, to: Vec3) -> Quat {
    let axis = ws.frame[0] * chain.joints[0].model.hinge_axis();
    axis_angle(axis, angle_about(axis, from, to))
}

/// Signed angle about the unit `axis` from `from` to `to`, −π … π; 0 when one of them has no part across the axis.
pub(in crate::chains) fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let (a, b) = (from - axis * axis.dot(from), to - axis * axis.dot(to));
    float::atan2(axis.dot(a.cross(b)), a.dot(b))
}

/// Turn about root → target that brings the chain's reference side to face the pole.
pub(in crate::chains) fn swivel(
    chain: &Chain,
    pose: &ChainPose,
    pole: &Pole,
    towards: Vec3,
    aimed: Quat,
    ws: &ChainWorkspace,
) -> Quat {
    let across = |v: Vec3| v - towards * v.dot(towards);
    let side = aimed * reference_side(chain, pose, pole, ws);
    let to_pole = if pole.is_direction { pole.at } else { pole.at - ws.position[0] };
    let to_pole = normalize_or(to_pole, Vec3::ZERO);
    // sin of the angle between the pole and the line: within 3° of it the pole fades out.
    let clear = float::smooth_step(0.0, 0.052, across(to_pole).length());
    if across(side).length() < 1e-6 * side.length() || clear == 0.0 {
        return Quat::IDENTITY;
    }
    let angle = angle_about(towards, side, to_pole) - pole.angle_rad;
    let first = &chain.joints[0].model;
    let able = match first.freedom {
        // A hinge turns the chain round the line only if it lies along it.
        Freedom::Hinge { .. } => float::smooth_step(0.8, 0.97, (ws.frame[0] * first.hinge_axis()).dot(towards).abs()),
        Freedom::Fixed => 0.0,
        _ => 1.0,
    };
    let weight = pole.weight.clamp(0.0, 1.0) * clear * able;
    // The direction of the weighted sum: continuous while the pole goes round.
    let blended = float::atan2(weight * float::sin(angle), 1.0 - weight + weight * float::cos(angle));
    axis_angle(towards, blended)
}

/// The angle at which this pole leaves the chain's swivel as it is without one.
pub(in crate::chains) fn angle_in_place(
    chain: &Chain,
    pose: &mut ChainPose,
    goal: &ChainGoal,
    pole: &Pole,
    ws: &mut ChainWorkspace,
) -> f32 {
    let Some(target) = goal.position else { return 0.0 };
    clamp_to_limits(chain, pose);
    hold_end_rotation(chain, core::slice::from_ref(goal), ws);
    ws.forward(chain, pose);
    let target = carried_target(chain, pose, target, ws);
    aim(chain, pose, target, None, ws);
    ws.pinned = None;
    let towards = normalize_or(target - ws.position[0], Vec3::Y);
    let to_pole = if pole.is_direction { pole.at } else { pole.at - ws.position[0] };
    angle_about(towards, reference_side(chain, pose, pole, ws), to_pole)
}

/// The side of the chain that shall face the pole, as it is now, in the solve space.
pub(in crate::chains) fn reference_side(chain: &Chain, pose: &ChainPose, pole: &Pole, ws: &ChainWorkspace) -> Vec3 {
    if let Some(reference) = pole.reference {
        return normalize_or(ws.rotation[0] * reference, Vec3::ZERO);
    }
    let end = ws.carried(chain, 0);
    let along = normalize_or(end - ws.position[0], Vec3::Y);
    let mut sum = Vec3::ZERO;
    for p in &ws.position[1..active(chain, ws)] {
        let off = *p - ws.position[0];
        sum += off - along * off.dot(along);
    }
    if sum.length() < 3e-5 * chain.length
        && let Some((along, length)) = straight_line(chain, pose, ws)
    {
        // The side to which it would bend.
        return along.cross(bend_axis(chain, ws, along, None, length));
    }
    normalize_or(sum, Vec3::ZERO)
}

/// The loop of the plain methods: admits, holds, then steps until the goals are met, the iterations are used up, or nothing moves. The best
/// pose met is the result.
pub(in crate::chains) fn iterate(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    mut step: impl FnMut(&Chain, &mut ChainPose, &mut ChainWorkspace, Vec3),
) -> Outcome {
    clamp_to_limits(chain, pose);
    hold_end_rotation(chain, goals, ws);
    ws.number_rows(goals);
    ws.forward(chain, pose);
    let target = goals[0].position.map_or(Vec3::ZERO, |p| carried_target(chain, pose, p, ws));
    let mut best = ws.measure(chain, goals);
    ws.save(BEST, pose);
    let mut outcome = Outcome { status: Status::OutOfIterations, ..Outcome::INACTIVE };
    let (mut mark, mut idle) = (best.cost, 0);
    loop {
        if is_reached(chain, settings, &best) {
            outcome.status = Status::Reached;
            break;
        }
        if outcome.iterations >= settings.max_iterations {
            break;
        }
        if idle >= 20 {
            outcome.status = Status::Stalled;
            break;
        }
        outcome.iterations += 1;
        step(chain, pose, ws, target);
        ws.forward(chain, pose);
        let miss = ws.measure(chain, goals);
        if miss.cost < best.cost {
            best = miss;
            ws.save(BEST, pose);
        }
        if best.cost < 0.999 * mark {
            (mark, idle) = (best.cost, 0);
        } else {
            idle += 1;
        }
    }
    ws.restore(BEST, pose);
    ws.pinned = None;
    Outcome { residual_m: best.metres, residual_rad: best.radians, ..outcome }
}
