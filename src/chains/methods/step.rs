//! One step of the Jacobian methods: mobilities, the dual matrix, the active set of limits.
//!
//! # Derivation
//!
//! *Groups.* Joints that move the same effectors are a group. With the group's moments about a
//! point `o` (where its first effector is), a wrench `(τ, f)` on what it carries is the torque
//! `τ − (p − o) × f` about its joint at `p`; so a joint needs one cross product however many
//! effectors it moves, and the group's part of `J W Jᵀ` follows from one 6×6 matrix
//! ([`crate::optim::mobility_sum`]).
//!
//! *Active set.* A joint that its torque `τ` would take across a border, with the outward direction
//! `g` and `room` left, turns by just that along `g` ([`crate::optim::active_set`]): with `v = W g`
//! and `s = g · v` its mobility is `W − v vᵀ/s`, and it has a step without torque,
//! `b = v room/s`. So the step of each joint is a piecewise linear function of its torque, and
//! `(A + λ 1) f = e` with all of them is solved by Newton's method: for the pieces that the joints
//! are on (`A` without their `v vᵀ/s`, `e` without what `b` does), then for those that its solution
//! leads to, until they are the same. Each is the gradient of a convex function, so the solution is
//! one, and continuous in the goal; borders are left as they are met. After the first pass the
//! matrix changes only by the joints that are on another piece; where hardly anything of it is
//! left, differences are rounding, and it is built anew. A soft border takes its resistance as a
//! share of `v vᵀ/s` away.
//!
//! Source: L. Qi, J. Sun, "A nonsmooth version of Newton's method", Mathematical Programming 58
//! (1993), for piecewise linear equations.

use crate::chains::model::{Chain, ChainGoal};
use crate::chains::state::{position_scale, rotation_scale};
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::limits::{Border, JointBorders};
use crate::math::{Mat3, Quat, Vec3, float};
use crate::optim::mobility_sum::{MobilitySum, Wrench};

/// Distance below which a joint stands on a border, radians.
pub(super) const ON_BORDER_RAD: f32 = 2e-6;
/// Bit of `blocked`: the bone's length may not change.
const LENGTH: u16 = 0x8000;
/// Most rows of a joint by which the matrix follows its changes.
const FEW_ROWS: usize = 6;
/// Resistance of a soft border that is worth a pass.
pub(super) const LEAST_RESISTANCE: f32 = 0.01;
/// The matrix is built anew when less than this share of its trace is left.
const FADED: f32 = 1e-3;

/// Whether a joint takes part: it moves effectors, and only such as are meant.
#[inline(always)]
pub(super) fn turns(chain: &Chain, among: u32, joint: usize) -> bool {
    chain.moves[joint] != 0 && chain.moves[joint] & !among == 0
}

/// Mobilities and borders of all joints at the pose of the last forward kinematics.
pub(in crate::chains) fn load_mobility(chain: &Chain, ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, descent, .. } = ws;
    for (i, joint) in chain.prepared.iter().enumerate() {
        if turns(chain, descent.among, i) {
            let (q, own) = (state.pose().rotations[i], joint.frame());
            if own == Quat::IDENTITY {
                joint.borders(q, state.frame[i], &mut descent.borders[i]);
            } else {
                joint.borders(own.conjugate() * q * own, state.frame[i] * own, &mut descent.borders[i]);
            }
        }
    }
}

/// Far targets are approached in bounded steps: the linearisation means nothing beyond. Each part
/// of the residual is bounded by itself, so that a far one holds up no other; `whole`: all by the
/// same factor, so that the step is one for the cost itself and no goal is pulled to at another's
/// expense. Returns whether the parts have different factors.
pub(in crate::chains) fn clamp_residual(
    chain: &Chain,
    goals: &[ChainGoal],
    whole: bool,
    ws: &mut ChainWorkspace,
) -> bool {
    let (mut least, mut most) = (1.0_f32, 0.0_f32);
    for (rows, goal) in ws.state.rows.iter().zip(goals) {
        let turning = rows.first + rows.moving;
        let parts = [
            (rows.first..turning, 0.15 * chain.length * position_scale(goal)),
            (turning..turning + rows.turning, 0.8 * rotation_scale(chain, goal)),
        ];
        for (part, bound) in parts.into_iter().filter(|(part, _)| !part.is_empty()) {
            let part = &mut ws.state.residual[part];
            let size = float::sqrt(part.iter().map(|r| r * r).sum());
            let factor = if size > bound { bound / size } else { 1.0 };
            (least, most) = (least.min(factor), most.max(factor));
            if size > bound && !whole {
                part.iter_mut().for_each(|r| *r *= factor);
            }
        }
    }
    if whole && least < 1.0 {
        ws.state.residual.iter_mut().for_each(|r| *r *= least);
    }
    !whole && least < most
}

/// All walls open: the mobilities of the joints in the solve space.
pub(in crate::chains) fn start_active_set(chain: &Chain, ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, descent, .. } = ws;
    descent.has_bias = false;
    for (i, borders) in descent.borders.iter().enumerate() {
        descent.blocked[i] = 0;
        descent.bias[i] = Vec3::ZERO;
        descent.matrix[i] = borders.mobility;
        descent.even[i] = borders.even;
    }
    if state.held().is_some() {
        let last = chain.joints.len() - 1;
        (descent.matrix[last], descent.even[last]) = (Mat3::ZERO, Some(0.0));
    }
    for (group, origin) in chain.groups.effectors.iter().zip(&mut descent.origins) {
        *origin = state.carried(chain, *group);
    }
}

/// `J W Jᵀ`.
pub(in crate::chains) fn build_dual(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    let d = ws.state.dimension;
    ws.descent.dual.begin(d);
    if with_stretch {
        for i in 0..chain.joints.len() {
            if stretches(chain, ws, i) {
                gather_stretch(chain, ws, i);
                for (at, (row, a)) in ws.descent.bone_rows.iter().enumerate() {
                    for (column, b) in &ws.descent.bone_rows[at..] {
                        ws.descent.dual.add(*row, *column, a * b);
                    }
                }
            }
        }
    }
    let ChainWorkspace { state, descent, .. } = ws;
    if state.rows.len() == 1 && state.rows[0].turning == 0 {
        return build_single(chain, ws);
    }
    descent.sums.fill(MobilitySum::ZERO);
    let among = descent.among;
    for (i, group) in chain.groups.of_joint.iter().enumerate().filter(|(i, _)| turns(chain, among, *i)) {
        let p = state.position[i] - descent.origins[*group];
        match descent.even[i] {
            Some(w) => descent.sums[*group].add_even_joint(p, w),
            None => descent.sums[*group].add_joint(p, &descent.matrix[i]),
        }
    }
    for (group, sum) in descent.sums.iter().enumerate().filter(|(_, sum)| **sum != MobilitySum::ZERO) {
        descent.wrenches.clear();
        for e in chain.groups.moved(group) {
            let (rows, point) = (&state.rows[e], state.carried(chain, e) - descent.origins[group]);
            let forces = rows.force[..rows.moving].iter().map(|force| Wrench::at(point, *force, Vec3::ZERO));
            let torques = rows.torque[..rows.turning].iter().map(|t| Wrench { torque: *t, force: Vec3::ZERO });
            descent.wrenches.extend(forces.chain(torques).enumerate().map(|(row, w)| (rows.first + row, w)));
        }
        descent.dual.add_sum(sum, &descent.wrenches);
    }
}

/// One effector without a rotation: `Σ (r×) W (r×)ᵀ` between the forces.
fn build_single(chain: &Chain, ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, descent, .. } = ws;
    let tip = state.carried(chain, 0);
    let mut sum = Mat3::ZERO;
    let mut diagonal = 0.0;
    for (i, position) in state.position.iter().enumerate().filter(|(i, _)| chain.moves[*i] != 0) {
        let r = tip - *position;
        if let Some(w) = descent.even[i] {
            let q = r * w;
            diagonal += q.dot(r);
            sum.x_axis -= q * r.x;
            sum.y_axis -= q * r.y;
            sum.z_axis -= q * r.z;
        } else {
            let w = &descent.matrix[i];
            let m = Mat3::from_cols(r.cross(w.x_axis), r.cross(w.y_axis), r.cross(w.z_axis)).transpose();
            sum.x_axis += r.cross(m.x_axis);
            sum.y_axis += r.cross(m.y_axis);
            sum.z_axis += r.cross(m.z_axis);
        }
    }
    sum += Mat3::from_diagonal(Vec3::splat(diagonal));
    let rows = &state.rows[0];
    for (row, force) in rows.force[..rows.moving].iter().enumerate() {
        let moved = sum * *force;
        for (column, other) in rows.force[..rows.moving].iter().enumerate().skip(row) {
            descent.dual.add(row, column, other.dot(moved));
        }
    }
}

/// The rows that move with joint `i`, and their torques about it, to `joint_rows`.
#[inline(always)]
pub(in crate::chains) fn gather_torques(chain: &Chain, ws: &mut ChainWorkspace, i: usize) {
    let ChainWorkspace { state, descent, .. } = ws;
    descent.joint_rows.clear();
    for (e, rows) in state.rows.iter().enumerate().filter(|(e, _)| chain.moves[i] & (1 << e) != 0) {
        descent.joint_rows.extend(rows.about_joint(state.carried(chain, e) - state.position[i]));
    }
}

/// The rows that move with the bone of joint `i`, and how fast per unit of its stretch times its
/// compliance, to `bone_rows`.
fn gather_stretch(chain: &Chain, ws: &mut ChainWorkspace, i: usize) {
    ws.descent.bone_rows.clear();
    let k = chain.joints[i].model.stretch.compliance;
    for e in (0..ws.state.rows.len()).filter(|e| chain.moves[i] & (1 << e) != 0) {
        let bone = bone_to(chain, ws, i, e);
        let rows = &ws.state.rows[e];
        let along = rows.force[..rows.moving].iter().map(|force| force.dot(bone) * k);
        ws.descent.bone_rows.extend(along.enumerate().map(|(row, along)| (rows.first + row, along)));
    }
}

/// The bone of joint `i` on the way to effector `e`, per unit of stretch.
fn bone_to(chain: &Chain, ws: &ChainWorkspace, i: usize, e: usize) -> Vec3 {
    let effector = &chain.effectors[e];
    let mut child = if chain.serial { (i + 1).min(effector.joint) } else { effector.joint };
    if effector.joint == i {
        return (ws.state.tip[e] - ws.state.position[i]) * (1.0 / ws.state.pose().stretch[i].max(1e-3));
    }
    // Branched chains are short; unbranched ones know the child.
    while let Some(parent) = chain.joints[child].parent {
        if parent == i {
            break;
        }
        child = parent;
    }
    (ws.state.position[child] - ws.state.position[i]) * (1.0 / ws.state.pose().stretch[i].max(1e-3))
}

fn stretches(chain: &Chain, ws: &ChainWorkspace, i: usize) -> bool {
    let stretch = &chain.joints[i].model.stretch;
    stretch.compliance > 0.0 && stretch.max > stretch.min && ws.descent.blocked[i] & LENGTH == 0
}

/// Solves the dual problem for `force`; false, and no force, when the matrix is zero.
pub(in crate::chains) fn solve_dual(ws: &mut ChainWorkspace, damping: f32) -> bool {
    ws.descent.dual.solve(damping, &ws.state.residual, &mut ws.descent.force)
}

/// `W Jᵀ force`: the step of every joint.
pub(in crate::chains) fn apply_jacobian_transpose(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    let mut effector_wrenches = [(Vec3::ZERO, Vec3::ZERO); Chain::MAX_EFFECTORS];
    for (wrench, rows) in effector_wrenches.iter_mut().zip(&ws.state.rows) {
        *wrench = rows.wrench(&ws.descent.force);
    }
    let ChainWorkspace { state, descent, .. } = ws;
    for (group, whole) in descent.group_wrenches.iter_mut().enumerate() {
        *whole = Wrench::default();
        for e in chain.groups.moved(group) {
            let (force, torque) = effector_wrenches[e];
            whole.add(&Wrench::at(state.carried(chain, e) - descent.origins[group], force, torque));
        }
    }
    for (i, group) in chain.groups.of_joint.iter().enumerate() {
        if !turns(chain, descent.among, i) {
            descent.turn[i] = Vec3::ZERO;
            continue;
        }
        let moment = descent.group_wrenches[*group].torque_about(state.position[i] - descent.origins[*group]);
        descent.turn[i] = match descent.even[i] {
            Some(w) => moment * w,
            None => descent.matrix[i] * moment,
        };
    }
    if !with_stretch {
        return ws.descent.stretch.fill(0.0);
    }
    for i in 0..chain.joints.len() {
        let mut pull = 0.0;
        if stretches(chain, ws, i) {
            for e in (0..ws.state.rows.len()).filter(|e| chain.moves[i] & (1 << e) != 0) {
                pull += bone_to(chain, ws, i, e).dot(effector_wrenches[e].0);
            }
        }
        let k = chain.joints[i].model.stretch.compliance;
        ws.descent.stretch[i] = pull * k * k;
    }
}

/// Adds what borders set of the step.
pub(in crate::chains) fn add_bias(ws: &mut ChainWorkspace) {
    if ws.descent.has_bias {
        ws.descent.turn.iter_mut().zip(&ws.descent.bias).for_each(|(turn, bias)| *turn += *bias);
    }
}

/// Finds the borders that each joint's torque would take it across, and gives it the mobility and
/// the step without torque of these; true when they are not those of the pass before. The dual
/// matrix follows, unless [`rebuild_dual`] has to build it anew. `with_back`: the turns back are
/// torques, too.
pub(in crate::chains) fn block_walls(
    chain: &Chain,
    ws: &mut ChainWorkspace,
    with_stretch: bool,
    with_back: bool,
) -> bool {
    let mut changed = false;
    if with_stretch {
        for (i, joint) in chain.joints.iter().enumerate() {
            if !stretches(chain, ws, i) {
                continue;
            }
            let (s, bounds) = (ws.state.pose().stretch[i], &joint.model.stretch);
            let out =
                (s >= bounds.max && ws.descent.stretch[i] > 0.0) || (s <= bounds.min && ws.descent.stretch[i] < 0.0);
            if out {
                ws.descent.blocked[i] |= LENGTH;
                changed = true;
            }
        }
    }
    let ChainWorkspace { state, descent, .. } = ws;
    descent.is_stale = changed;
    let (mut most, mut least) = (descent.dual.trace(), f32::INFINITY);
    for (i, borders) in descent.borders.iter().enumerate() {
        if borders.borders().is_empty() || !turns(chain, descent.among, i) {
            continue;
        }
        let group = chain.groups.of_joint[i];
        let mut torque = descent.group_wrenches[group].torque_about(state.position[i] - descent.origins[group]);
        if with_back {
            torque += descent.back[i];
        }
        let kept = Kept::of(borders, torque);
        let bits = descent.blocked[i] & LENGTH | kept.blocked;
        if bits == descent.blocked[i] {
            continue;
        }
        let (less, more) = (kept.matrix - descent.matrix[i], kept.bias - descent.bias[i]);
        descent.blocked[i] = bits;
        (descent.matrix[i], descent.bias[i], descent.turn[i]) = (kept.matrix, kept.bias, kept.turn);
        descent.even[i] = borders.even.filter(|_| kept.blocked == 0);
        descent.has_bias |= kept.bias != Vec3::ZERO;
        descent.joint_rows.clear();
        for e in chain.groups.moved(group) {
            descent.joint_rows.extend(state.rows[e].about_joint(state.carried(chain, e) - state.position[i]));
        }
        // With many rows the groups' way is shorter.
        if descent.joint_rows.len() > FEW_ROWS {
            descent.is_stale = true;
        } else {
            descent.dual.add_joint(&descent.joint_rows, &less);
        }
        descent.joint_rows.iter().for_each(|(row, torque)| state.residual[*row] -= torque.dot(more));
        changed = true;
        if !descent.is_stale {
            let trace = descent.dual.trace();
            (most, least) = (most.max(trace), least.min(trace));
        }
    }
    descent.is_stale |= least < FADED * most;
    changed
}

/// What borders leave of a joint's step under a torque: `b + W τ`, and which these are.
struct Kept {
    matrix: Mat3,
    bias: Vec3,
    turn: Vec3,
    blocked: u16,
}

impl Kept {
    #[inline(always)]
    fn of(borders: &JointBorders, torque: Vec3) -> Self {
        let turn = match borders.even {
            Some(w) => torque * w,
            None => borders.mobility * torque,
        };
        let mut kept = Self { matrix: borders.mobility, bias: Vec3::ZERO, turn, blocked: 0 };
        // One after the other, the one that is crossed farthest first.
        for _ in 0..borders.borders().len() {
            let mut worst: Option<(&Border, u16, f32, f32)> = None;
            for (number, border) in borders.borders().iter().enumerate() {
                let out = border.outward.dot(kept.turn);
                let (ahead, bit) = (out > 0.0, 1 << (2 * number + usize::from(out > 0.0)));
                if kept.blocked & (3 << (2 * number)) != 0 {
                    continue;
                }
                let room = if ahead { border.room_rad } else { border.back_room_rad };
                let room = if room <= ON_BORDER_RAD { 0.0 } else { room };
                let beyond = out.abs() - room;
                let is_soft = border.resistance > LEAST_RESISTANCE && out > 0.0;
                if (beyond > 0.0 || is_soft) && worst.is_none_or(|(_, _, most, _)| beyond > most) {
                    worst = Some((border, bit, beyond, if ahead { room } else { -room }));
                }
            }
            let Some((border, bit, beyond, room)) = worst else { break };
            kept.blocked |= bit;
            let v = kept.matrix * border.outward;
            let size = border.outward.dot(v);
            if size <= 1e-9 {
                continue;
            }
            let share = if beyond > 0.0 { 1.0 } else { border.resistance };
            if beyond > 0.0 {
                kept.bias += v * ((room - border.outward.dot(kept.bias)) / size);
            }
            let u = v * (share / size);
            kept.matrix.x_axis -= v * u.x;
            kept.matrix.y_axis -= v * u.y;
            kept.matrix.z_axis -= v * u.z;
            kept.turn = kept.bias + kept.matrix * torque;
        }
        kept
    }
}

/// The dual matrix for the mobilities after [`block_walls`].
pub(in crate::chains) fn rebuild_dual(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    if ws.descent.is_stale {
        ws.work.spend(ws.pass_steps);
        build_dual(chain, ws, with_stretch);
    } else {
        ws.work.spend(chain.joints.len() as u32);
    }
}

/// Scales the step so that no joint turns by more than `most` radians; returns the largest turn
/// before, and the factor.
pub(in crate::chains) fn limit_step(ws: &mut ChainWorkspace, most: f32) -> (f32, f32) {
    let largest = float::sqrt(ws.descent.turn.iter().map(|t| t.length_squared()).fold(0.0, f32::max));
    let longest = ws.descent.stretch.iter().fold(0.0_f32, |m, l| m.max(l.abs()));
    let scale = (most / largest.max(1e-20)).min(0.5 / longest.max(1e-20)).min(1.0);
    if scale < 1.0 {
        ws.descent.turn.iter_mut().for_each(|t| *t *= scale);
        ws.descent.stretch.iter_mut().for_each(|l| *l *= scale);
    }
    (largest.max(longest), scale)
}

/// Takes the step: joints turn, stay inside their limits, bones change length inside their bounds.
/// Turns are in the joints' rest frames afterwards.
pub(in crate::chains) fn apply(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    for (turn, frame) in ws.descent.turn.iter_mut().zip(&ws.state.frame) {
        if *turn != Vec3::ZERO {
            *turn = frame.conjugate() * *turn;
        }
    }
    apply_turned(chain, ws, with_stretch);
}

/// Takes `share` of a step that was taken, from the pose before it.
pub(in crate::chains) fn apply_share(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool, share: f32) {
    ws.restore(Slot::BeforeStep);
    ws.descent.turn.iter_mut().for_each(|t| *t *= share);
    ws.descent.stretch.iter_mut().for_each(|l| *l *= share);
    apply_turned(chain, ws, with_stretch);
}

fn apply_turned(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    let ChainWorkspace { state, descent, .. } = ws;
    let rotations = state.rotations_mut();
    for (i, (q, turn)) in rotations.iter_mut().zip(&descent.turn).enumerate() {
        if *turn == Vec3::ZERO {
            continue;
        }
        // Cayley's map: exact axis, angle `2 atan(|v|/2)`.
        let turned = (Quat::from_xyzw(0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1.0) * *q).normalize();
        *q = chain.prepared[i].project_in_joint(turned);
    }
    if !with_stretch {
        return;
    }
    for (i, joint) in chain.joints.iter().enumerate() {
        if chain.moves[i] != 0 && stretches(chain, ws, i) {
            let bounds = &joint.model.stretch;
            let stretch = ws.state.pose().stretch[i] + ws.descent.stretch[i];
            ws.state.set_stretch(i, stretch.clamp(bounds.min, bounds.max));
        }
    }
}
