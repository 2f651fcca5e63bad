//! Bends of chains that a descent could not bend: straight ones, and hinges at the end of their
//! range.

use super::aim::aim;
use super::bend_side::{bend_axis, straight_line};
use super::first_joint::{about_hinge, angle_about, apply_to_first};
use super::span::{active, bone_length, is_free_of_three, is_stiff_first};
use crate::chains::model::{Chain, Pole};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::{Freedom, Mobility};
use crate::math::{Vec3, arc, axis_angle, float, normalize_or, twist_angle};
use crate::optim::root;

/// A hinge that stands at one end of its range and has to give way turns inwards first: pressed
/// against its end it would stay there, while the others fold without it.
pub(in crate::chains) fn open_hinges(chain: &Chain, target: Vec3, ws: &mut ChainWorkspace) {
    let count = active(chain, ws);
    let root = ws.state.position[0];
    let tip = ws.state.carried(chain, 0);
    let end = tip - root;
    let length: f32 = (0..count).map(|i| bone_length(chain, ws, i)).sum();
    let share = ((end.length() - (target - root).length()) / length.max(1e-20)).clamp(0.0, 1.0);
    if share <= 0.0 || straight_line(chain, ws).is_some() {
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
        let angle = twist_angle(ws.state.pose().rotations[i], axis);
        let (up, down) = (range.max - angle, angle - range.min);
        let (room, other, sign) = if up > down { (up, down, 1.0) } else { (down, up, -1.0) };
        let axis = ws.state.frame[i] * axis * sign;
        // How much the inward turn lengthens the chain: a little is a bend the wrong way, much is
        // another shape.
        let arm = tip - ws.state.position[i];
        let lengthens = axis.cross(arm).dot(along) / arm.length().max(1e-9 * length);
        let share = (1.0 - float::smooth_step(0.0, 0.3, other)) * (1.0 - float::smooth_step(0.3, 0.7, lengthens));
        let turn = (each * share).min(0.8 * room);
        if turn > 0.0 {
            let q = axis_angle(ws.state.frame[i].conjugate() * axis, turn) * ws.state.pose().rotations[i];
            ws.state.set_rotation(i, model.project(q.normalize()));
            opened = true;
        }
    }
    if opened {
        ws.state.update(chain);
        aim(chain, target, None, ws);
    }
}

pub(in crate::chains) fn bend_if_straight(chain: &Chain, target: Vec3, pole: Option<&Pole>, ws: &mut ChainWorkspace) {
    let Some((along, length)) = straight_line(chain, ws) else { return };
    let (count, root) = (active(chain, ws), ws.state.position[0]);
    let wanted = (target - root).length();
    if wanted > length * (1.0 - 1e-6) {
        return;
    }
    let axis = bend_axis(chain, ws, along, pole, length);
    let folds = pole.is_none() && is_free_of_three(chain, ws);
    let each = if folds {
        // A free chain is only given its side; it folds on its way to the target (see `aim`). Near
        // enough the arc of the required chord.
        let share = (1.0 - wanted / length).clamp(0.0, 0.2);
        core::f32::consts::TAU * float::sqrt(share) * (0.78 + 0.22 * share) / count as f32
    } else {
        arc_angle(chain, ws, count, wanted)
    };
    for i in 1..count {
        let joint = &chain.joints[i];
        if joint.model.is_unlimited() {
            let turn = axis_angle(ws.state.frame[i].conjugate() * axis, each);
            ws.state.set_rotation(i, (turn * ws.state.pose().rotations[i]).normalize());
            continue;
        }
        let mobility = joint.model.mobility(ws.state.pose().rotations[i]);
        let free = Mobility::matrix_in(&mobility.matrix, ws.state.frame[i]);
        let across = |v: Vec3| v - along * v.dot(along);
        let mut turn = free * axis;
        if across(turn).length() < 0.05 {
            // A hinge at right angles to the required axis: its own axis then.
            let columns = [free.x_axis, free.y_axis, free.z_axis];
            turn = columns
                .into_iter()
                .fold(Vec3::ZERO, |a, b| if across(b).length() > across(a).length() { b } else { a });
        }
        if across(turn).length() < 1e-3 {
            continue;
        }
        let room = |t: Vec3| {
            let turned = axis_angle(ws.state.frame[i].conjugate() * normalize_or(t, axis), each);
            let q = joint.model.project((turned * ws.state.pose().rotations[i]).normalize());
            (crate::math::rotation_angle(q * ws.state.pose().rotations[i].conjugate()), q)
        };
        let (forward, backward) = (room(turn), room(-turn));
        ws.state.set_rotation(i, if backward.0 > forward.0 + 0.01 { backward.1 } else { forward.1 });
    }
    ws.state.update(chain);
    // The bend turned the end aside: the first joint turns it back, about the bend's axis first,
    // which is all of it in a plane.
    let first = &chain.joints[0].model;
    let to = target - root;
    for plane in [true, false] {
        if !plane && folds {
            break;
        }
        let from = ws.state.carried(chain, 0) - root;
        if from.length() < 1e-4 * length || to.length() < 1e-4 * length || is_stiff_first(chain) {
            return;
        }
        let turn = match (&first.freedom, plane) {
            (Freedom::Hinge { .. }, _) => about_hinge(chain, ws, from, to),
            (_, true) => axis_angle(axis, angle_about(axis, from, along)),
            (_, false) => arc(normalize_or(from, Vec3::Y), normalize_or(to, Vec3::Y)),
        };
        apply_to_first(chain, turn, ws);
    }
}

/// Angle by which each joint but the first bends a straight chain into an arc whose chord has the
/// required length: the least there is, and at most a little less than the one of the shortest
/// chord, so that it goes on evenly with the distance.
pub(in crate::chains) fn arc_angle(chain: &Chain, ws: &ChainWorkspace, count: usize, wanted: f32) -> f32 {
    let chord = |each: f32| {
        let (s, c) = (float::sin(each), float::cos(each));
        let (mut x, mut y) = (0.0_f32, 0.0_f32);
        // Horner's scheme for Σ l e^(i k each), from the last bone to the first.
        for i in (0..count).rev() {
            (x, y) = (x * c - y * s + bone_length(chain, ws, i), x * s + y * c);
        }
        float::sqrt(x * x + y * y)
    };
    let step = core::f32::consts::TAU / count as f32 / 8.0;
    let (mut low, mut at_low) = (0.0_f32, f32::INFINITY);
    let mut high = step;
    // The first step across the required length, or past the shortest chord.
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
