//! Damped least squares in its dual form, with limits as an active set.
//!
//! # Derivation
//!
//! Joint `i` turning with `ω` moves an effector at lever `r = e − p[i]` by `ω × r` and turns it by
//! `ω`. Stack the residuals of all effectors to `e` (positions in metres, rotations times a
//! length), the Jacobian to `J`, the mobilities (`crate::limits`) to the block-diagonal `W`. The
//! step of least mobility-weighted size that solves the damped problem is
//!
//! ```text
//! f = (J W Jᵀ + λ 1)⁻¹ e,    ω[i] = W[i] Σ (r × f_position + f_rotation)
//! ```
//!
//! The matrix has 3 or 6 rows per goal, whatever the number of joints: one position goal over free
//! ball joints gives the 3×3 matrix `Σ (r² 1 − r rᵀ)`. Building it is one pass over the joints, so
//! an iteration is O(n).
//!
//! *Limits.* When the step would push a joint across a border that it stands on, the direction is
//! taken out of that joint's mobility and `f` is solved for again; so the others take over in the
//! same iteration. Steps that cross a border further away are cut by projection. *Damping* is
//! adapted (Levenberg–Marquardt): a step that does not lower the error is undone and tried with
//! more.
//!
//! Sources: C. Wampler, "Manipulator Inverse Kinematic Solutions Based on Vector Formulations and
//! Damped Least-Squares Methods", IEEE Trans. SMC 16 (1986), §IV; S. Buss, "Introduction to Inverse
//! Kinematics with Jacobian Transpose, Pseudoinverse and Damped Least Squares methods" (2004), §6
//! for the dual form; D. Bertsekas (see `crate::limits::Mobility`) for the active set.

use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::state::{Miss, cayley, position_scale, rotation_scale};
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::limits::Mobility;
use crate::math::{Mat3, Vec3, float};
use crate::optim::step::{border_share, trusted_share};
use crate::optim::{Damping, DampingRule, Stall};
use crate::outcome::Status;

/// Damping schedule of the descents of chains.
pub(in crate::chains) const DAMPING: DampingRule =
    DampingRule { least: 1e-8, ease: 0.2, ease_fast: 0.2, raise: 8.0, raise_from: 1e-4 / 8.0, most: f32::INFINITY };

/// Result of a descent.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Descent {
    pub miss: Miss,
    pub iterations: u32,
    pub status: Status,
}

/// Descends from `pose` until the goals are met or no step helps. `with_stretch`: bones may change
/// length.
pub(in crate::chains) fn descend(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    with_stretch: bool,
) -> Descent {
    ws.state.number_rows(goals);
    let mut miss = ws.state.measure(chain, goals);
    let mut damping = Damping::new(settings.damping.clamp(1e-8, 1e3), DAMPING);
    let (mut fails, mut iterations) = (0, 0);
    let mut stall = Stall::new(miss.cost, 12, 0.98);
    let mut status = Status::OutOfIterations;
    // Aim below the tolerance, so that rounding of the last step does not push the pose out of it
    // again.
    let fine =
        ChainSettings { tolerance: 0.3 * settings.tolerance, tolerance_rad: 0.3 * settings.tolerance_rad, ..*settings };
    while iterations < settings.max_iterations && !ws.work.is_out() {
        if miss.is_reached(chain, &fine) {
            status = Status::Reached;
            break;
        }
        iterations += 1;
        if fails == 0 {
            load_mobility(chain, ws);
        }
        ws.descent.residual_before.copy_from_slice(&ws.state.residual);
        clamp_residual(chain, goals, ws);
        solve_step(chain, ws, damping.value, with_stretch);
        let (size, scale) = limit_step(ws, settings.max_step_rad.clamp(1e-3, 3.0));
        ws.save(Slot::BeforeStep);
        apply(chain, ws, with_stretch);
        let mut next = ws.state.measure(chain, goals);
        let share = trusted_part(ws, scale, 1e-6 * chain.length);
        if share < 0.999 {
            ws.restore(Slot::BeforeStep);
            ws.state.update(chain);
            ws.descent.turn.iter_mut().for_each(|t| *t *= share);
            ws.descent.stretch.iter_mut().for_each(|l| *l *= share);
            apply(chain, ws, with_stretch);
            next = ws.state.measure(chain, goals);
        }
        if next.cost < miss.cost {
            miss = next;
            fails = 0;
            damping.accept(0.0, 1.0);
        } else {
            ws.restore(Slot::BeforeStep);
            miss = ws.state.measure(chain, goals);
            fails += 1;
            damping.reject();
            let at_rounding = miss.metres <= 2e-6 * chain.length && miss.radians <= 4e-6;
            if fails > if at_rounding { 1 } else { 7 } || size < 1e-8 {
                status = Status::Stalled;
                break;
            }
        }
        if stall.is_stalled(miss.cost) && miss.metres > 2e-6 * chain.length {
            status = Status::Stalled;
            break;
        }
    }
    if miss.is_reached(chain, settings) {
        status = Status::Reached;
    }
    Descent { miss, iterations, status }
}

/// Mobilities and walls of all joints at the pose of the last forward kinematics.
pub(in crate::chains) fn load_mobility(chain: &Chain, ws: &mut ChainWorkspace) {
    for (i, joint) in chain.joints.iter().enumerate() {
        if chain.moves[i] != 0 && !joint.model.is_isotropic() {
            ws.descent.mobility[i] = joint.model.mobility(ws.state.pose().rotations[i]);
        }
    }
}

/// Far targets are approached in bounded steps: the linearisation means nothing beyond.
pub(in crate::chains) fn clamp_residual(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    for (rows, goal) in ws.state.rows.iter().zip(goals) {
        let turning = rows.first + rows.moving;
        let parts = [
            (rows.first..turning, 0.15 * chain.length * position_scale(goal)),
            (turning..turning + rows.turning, 0.8 * rotation_scale(chain, goal)),
        ];
        for (part, most) in parts {
            let part = &mut ws.state.residual[part];
            let size = float::sqrt(part.iter().map(|r| r * r).sum());
            if size > most {
                part.iter_mut().for_each(|r| *r *= most / size);
            }
        }
    }
}

/// Solves for a step: fills `turn` and `lengthen`.
fn solve_step(chain: &Chain, ws: &mut ChainWorkspace, damping: f32, with_stretch: bool) {
    start_active_set(chain, ws);
    for _ in 0..10 {
        ws.work.spend(ws.pass_steps);
        build_dual(chain, ws, with_stretch);
        solve_dual(ws, damping);
        apply_jacobian_transpose(chain, ws, with_stretch);
        if !block_walls(chain, ws, with_stretch) {
            break;
        }
    }
}

/// All walls open: the solve-space mobilities of the joints.
pub(in crate::chains) fn start_active_set(chain: &Chain, ws: &mut ChainWorkspace) {
    let last = chain.joints.len() - 1;
    for (i, joint) in chain.joints.iter().enumerate() {
        ws.descent.blocked[i] = 0;
        ws.descent.matrix[i] = if ws.state.held().is_some() && i == last {
            Mat3::ZERO
        } else if joint.model.is_isotropic() {
            Mat3::IDENTITY * (1.0 - joint.model.stiffness[0]).clamp(0.01, 1.0)
        } else {
            Mobility::matrix_in(&ws.descent.mobility[i].matrix, ws.state.frame[i])
        };
    }
}

/// `J W Jᵀ`.
pub(in crate::chains) fn build_dual(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    let d = ws.state.dimension;
    ws.descent.dual.begin(d);
    if ws.state.rows.len() == 1 && d == 3 && ws.state.rows[0].moving == 3 && !with_stretch {
        return build_single(chain, ws);
    }
    for i in (0..chain.joints.len()).rev() {
        if with_stretch && stretches(chain, ws, i) {
            gather_stretch(chain, ws, i);
            for (row, a) in &ws.descent.bone_rows {
                for (column, b) in &ws.descent.bone_rows {
                    ws.descent.dual.add(*row, *column, a * b);
                }
            }
        }
        gather_torques(chain, ws, i);
        ws.descent.dual.add_joint(&ws.descent.joint_rows, &ws.descent.matrix[i]);
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
    stretch.compliance > 0.0 && stretch.max > stretch.min && ws.descent.blocked[i] & 0x80 == 0
}

/// One position goal, whose forces are the axes: `Σ r² W − …` without rows.
fn build_single(chain: &Chain, ws: &mut ChainWorkspace) {
    let tip = ws.state.carried(chain, 0);
    let scale = ws.state.rows[0].force[0].x;
    let mut sum = Mat3::ZERO;
    for (i, joint) in chain.joints.iter().enumerate() {
        if chain.moves[i] == 0 {
            continue;
        }
        let r = tip - ws.state.position[i];
        if joint.model.is_isotropic() {
            let w = ws.descent.matrix[i].x_axis.x;
            let r2 = r.dot(r);
            sum.x_axis += (Vec3::X * r2 - r * r.x) * w;
            sum.y_axis += (Vec3::Y * r2 - r * r.y) * w;
            sum.z_axis += (Vec3::Z * r2 - r * r.z) * w;
        } else {
            let j = cross_matrix(-r);
            sum += j * ws.descent.matrix[i] * j.transpose();
        }
    }
    let columns = (sum * (scale * scale)).to_cols_array_2d();
    for (column, rows) in columns.iter().enumerate() {
        rows.iter().enumerate().for_each(|(row, value)| ws.descent.dual.add(row, column, *value));
    }
}

/// Matrix of `v ×`.
fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// Solves the dual problem for `force`; false, and no force, when the matrix is zero.
pub(in crate::chains) fn solve_dual(ws: &mut ChainWorkspace, damping: f32) -> bool {
    ws.descent.dual.solve(damping, &ws.state.residual, &mut ws.descent.force)
}

/// `W Jᵀ force`: the step of every joint.
pub(in crate::chains) fn apply_jacobian_transpose(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    let mut wrenches = [(Vec3::ZERO, Vec3::ZERO); Chain::MAX_EFFECTORS];
    for (wrench, rows) in wrenches.iter_mut().zip(&ws.state.rows) {
        *wrench = rows.wrench(&ws.descent.force);
    }
    for i in 0..chain.joints.len() {
        let mut moment = Vec3::ZERO;
        let mut pull = 0.0;
        let can_stretch = with_stretch && stretches(chain, ws, i);
        for e in (0..ws.state.rows.len()).filter(|e| chain.moves[i] & (1 << e) != 0) {
            let (force, torque) = wrenches[e];
            moment += (ws.state.carried(chain, e) - ws.state.position[i]).cross(force);
            moment += torque;
            if can_stretch {
                pull += bone_to(chain, ws, i, e).dot(force);
            }
        }
        ws.descent.turn[i] = ws.descent.matrix[i] * moment;
        let k = chain.joints[i].model.stretch.compliance;
        ws.descent.stretch[i] = pull * k * k;
    }
}

/// Takes the walls that the step pushes against out of the mobilities; true when there were new
/// ones.
pub(in crate::chains) fn block_walls(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) -> bool {
    let mut changed = false;
    for (i, joint) in chain.joints.iter().enumerate() {
        if with_stretch && stretches(chain, ws, i) {
            let (s, bounds) = (ws.state.pose().stretch[i], &joint.model.stretch);
            let out =
                (s >= bounds.max && ws.descent.stretch[i] > 0.0) || (s <= bounds.min && ws.descent.stretch[i] < 0.0);
            if out {
                ws.descent.blocked[i] |= 0x80;
                changed = true;
            }
        }
        if joint.model.is_isotropic() || ws.descent.turn[i] == Vec3::ZERO {
            continue;
        }
        for (number, wall) in ws.descent.mobility[i].walls().iter().enumerate() {
            let bit = 1 << number;
            if ws.descent.blocked[i] & bit != 0 {
                continue;
            }
            let outward = ws.state.frame[i] * wall.outward;
            let out = outward.dot(ws.descent.turn[i]);
            if out <= 1e-9 {
                continue;
            }
            let Some(share) = border_share(wall.room_rad, wall.resistance, out) else { continue };
            // Resistance is met once; a border that the step would still cross may take more.
            if wall.room_rad <= 0.0 || share <= wall.resistance {
                ws.descent.blocked[i] |= bit;
            }
            Mobility::forbid(&mut ws.descent.matrix[i], outward, share);
            changed = true;
        }
    }
    changed
}

/// See [`optim::step::trusted_share`](crate::optim::step::trusted_share); `scale`: of the step.
fn trusted_part(ws: &ChainWorkspace, scale: f32, rounding: f32) -> f32 {
    let (mut linear, mut beyond) = (0.0_f32, 0.0_f32);
    for i in 0..ws.state.dimension {
        let l = scale * ws.descent.dual.row_times(i, &ws.descent.force);
        let q = ws.descent.residual_before[i] - l - ws.state.residual[i];
        linear += l * l;
        beyond += q * q;
    }
    trusted_share(float::sqrt(linear), float::sqrt(beyond) - rounding)
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
pub(in crate::chains) fn apply(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    for (i, joint) in chain.joints.iter().enumerate() {
        if chain.moves[i] == 0 {
            continue;
        }
        if ws.descent.turn[i] != Vec3::ZERO {
            let turned = cayley(ws.state.frame[i].conjugate() * ws.descent.turn[i]) * ws.state.pose().rotations[i];
            ws.state.set_rotation(i, joint.model.project(turned.normalize()));
        }
        if with_stretch && stretches(chain, ws, i) {
            let bounds = &joint.model.stretch;
            let stretch = ws.state.pose().stretch[i] + ws.descent.stretch[i];
            ws.state.set_stretch(i, stretch.clamp(bounds.min, bounds.max));
        }
    }
}
