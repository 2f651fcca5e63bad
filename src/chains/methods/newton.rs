//! Newton's method for goals that limits keep out of reach: with the curvature that a Jacobian
//! leaves out.
//!
//! # Derivation
//!
//! With the residual `e` of all rows, `J` its Jacobian, `f` and `t` the force and the torque that
//! the rows, times `e`, are at an effector, half of the cost is, to second order in the turns `ωᵢ`
//! of the joints,
//!
//! ```text
//! ½|e − J ω|² − Σ f · (Σᵢ ½ ωᵢ × (ωᵢ × rᵢ) + Σᵢ<ⱼ ωᵢ × (ωⱼ × rⱼ)) − Σ t · Σᵢ<ⱼ ½ ωᵢ × ωⱼ
//! ```
//!
//! `rⱼ` the lever from joint `j` to the effector, `i < j` where `i` is above `j`. So the Hessian
//! has, beside `JᵀJ`, for a turn `a` of `i` and `b` of `j` below it (or of the same joint: then the
//! mean of both orders) the entries
//!
//! ```text
//! (a · b)(f · rⱼ) − (a · rⱼ)(f · b) − ½ t · (a × b)
//! ```
//!
//! (A rotation's own residual counts as linear, as in `JᵀJ`.) Near goals that are met they do not
//! count; out of reach they are as large as `JᵀJ`, which alone converges by a rate there, between
//! steps that are refused.
//!
//! *Borders.* A joint is held on those that its torque `m` presses it on, along the normal `n`.
//! Where it turns along such a border, the normal turns by `G ω`, and the torque does the work `½ m
//! ωᵀ G ω`: it counts as curvature of that joint alone ([`crate::limits::BorderBend`]). Borders
//! that a step crosses are held where they are in one more pass.
//!
//! The mobility that is left to a joint is `W = L Lᵀ`, and the unknowns are `x`, `ω = b + L x`, `b`
//! the way to borders that were crossed. Damping rises until the matrix has a factor and the cost
//! falls.
//!
//! Sources: J. Nocedal, S. Wright, "Numerical Optimization", 2nd ed. (2006), §10.3 (large
//! residuals) and §3.4 (matrices that are not positive definite); D. Bertsekas (see
//! `crate::limits::Mobility`) for the active set.

use super::descent::{Descent, Patience};
use super::step::{self, LEAST_RESISTANCE, ON_BORDER_RAD};
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::state::Miss;
use crate::chains::workspace::{ChainWorkspace, NewtonScratch, Slot};
use crate::limits::{Mobility, outer};
use crate::math::dispatch::{Level, Task};
use crate::math::{Mat3, Quat, Vec3, float};
use crate::optim::JointStep;
use crate::outcome::Status;

/// A border that a step crosses by less is left to projection.
const CROSSED_RAD: f32 = 1e-3;
/// Passes over the borders that a step crosses.
const PASSES: u32 = 2;
/// Mobility below which a direction counts as none.
const NO_MOBILITY: f32 = 1e-5;
/// Damping as a share of the largest element of the matrix's diagonal: at first, at least, and the
/// factors by which it changes.
const DAMPING: f32 = 0.1;
const LEAST_DAMPING: f32 = 1e-6;
const MOST_DAMPING: f32 = 1e4;
const RAISE: f32 = 8.0;
const EASE: f32 = 0.1;
/// Least pivot of a factor that counts as one, as a share of the same.
const LEAST_PIVOT: f32 = 1e-7;
/// What is left where goals are likely to be met, radians and as a share of the length.
const NEAR: f32 = 0.01;
/// Gain that is foreseen, as a share of the cost, below which the pose is stationary.
const STATIONARY: f32 = 1e-6;

/// Whether the method covers a chain and its goals.
pub(in crate::chains) fn covers(goals: &[ChainGoal], ws: &ChainWorkspace, with_stretch: bool) -> bool {
    !with_stretch && !ws.newton.torque.is_empty() && goals.iter().all(|goal| goal.distance.is_none())
}

/// Whether so little is left that the goals are likely to be met.
pub(in crate::chains) fn is_near(miss: &Miss, chain: &Chain) -> bool {
    miss.metres < NEAR * chain.length && miss.radians < NEAR
}

/// Descends from the state, which is measured, until the goals are nearly met or the pose is
/// stationary.
pub(in crate::chains) fn descend(
    patience: &Patience,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    miss: Miss,
    done: u32,
) -> Descent {
    Level::for_one().run(Descending { patience, chain, goals, settings, ws, miss, done })
}

struct Descending<'a> {
    patience: &'a Patience,
    chain: &'a Chain,
    goals: &'a [ChainGoal],
    settings: &'a ChainSettings,
    ws: &'a mut ChainWorkspace,
    miss: Miss,
    done: u32,
}

impl Task for Descending<'_> {
    type Output = Descent;
    #[inline(always)]
    fn run(self) -> Descent {
        descend_here(self)
    }
}

#[inline(always)]
fn descend_here(descending: Descending) -> Descent {
    let Descending { patience, chain, goals, settings, ws, mut miss, done } = descending;
    let mut iterations = done;
    let mut damping = DAMPING;
    let mut status = Status::OutOfIterations;
    let mut fails = 0;
    while iterations < settings.max_iterations && !ws.work.is_out() {
        if is_near(&miss, chain) {
            break;
        }
        iterations += 1;
        if fails == 0 {
            step::load_mobility(chain, ws);
            load(chain, ws);
            ws.descent.residual_before.copy_from_slice(&ws.state.residual);
        }
        let foreseen = solve(chain, ws, &mut damping);
        if foreseen < STATIONARY * miss.cost {
            status = Status::Stalled;
            break;
        }
        let (_, scale) = step::limit_step(ws, settings.max_step_rad.clamp(1e-3, 3.0));
        let foreseen = foreseen * scale * (2.0 - scale);
        ws.save(Slot::BeforeStep);
        step::apply(chain, ws, false);
        ws.state.keep();
        let next = ws.state.measure(chain, goals);
        if next.cost < miss.cost {
            let gain = miss.cost - next.cost;
            if gain > 0.7 * foreseen {
                damping = (EASE * damping).max(LEAST_DAMPING);
            } else if gain < 0.25 * foreseen {
                damping *= 4.0;
            }
            let is_behind = patience.is_behind(&miss, &next);
            let is_still = gain < STATIONARY * miss.cost;
            miss = next;
            fails = 0;
            if is_still || is_behind {
                status = Status::Stalled;
                break;
            }
        } else {
            ws.restore(Slot::BeforeStep);
            ws.state.back(&ws.descent.residual_before);
            damping *= RAISE;
            fails += 1;
            if fails > patience.fails {
                status = Status::Stalled;
                break;
            }
        }
    }
    Descent { miss, iterations, status }
}

/// Torques and curvature of the pose.
#[inline(always)]
pub(super) fn load(chain: &Chain, ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, newton, .. } = ws;
    newton.torque.fill(Vec3::ZERO);
    newton.curvature.fill(Mat3::ZERO);
    newton.curved.fill(0);
    newton.bend.fill(Mat3::ZERO);
    for (e, rows) in state.rows.iter().enumerate() {
        let (force, torque) = rows.wrench(&state.residual);
        let (tip, half) = (state.carried(chain, e), torque * 0.5);
        for i in (0..chain.joints.len()).filter(|i| chain.moves[*i] & (1 << e) != 0) {
            let r = tip - state.position[i];
            newton.torque[i] += r.cross(force) + torque;
            // The entries as `a · M b`; `t · (a × b) = a · (b × t)`.
            let along = force.dot(r);
            let column = |b: Vec3| b * along - r * force.dot(b) - b.cross(half);
            newton.curvature[i] += Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z));
        }
    }
}

/// Solves for the turns of the joints; returns the gain of cost that is foreseen.
#[inline(always)]
fn solve(chain: &Chain, ws: &mut ChainWorkspace, damping: &mut f32) -> f32 {
    start(chain, ws);
    let mut foreseen = 0.0;
    for pass in 0..PASSES {
        let unknowns = find_axes(ws);
        ws.work.spend((unknowns * unknowns / 2) as u32 + 8);
        if unknowns > 0 {
            if pass == 0 {
                curve_borders(chain, ws);
            }
            build(chain, ws, unknowns);
            foreseen = factor_and_solve(&mut ws.newton, unknowns, damping);
        } else {
            foreseen = 0.0;
        }
        let ChainWorkspace { newton, descent, .. } = ws;
        for (turn, joint) in descent.turn.iter_mut().zip(&newton.joint) {
            *turn = joint.bias;
        }
        for ((joint, axis), x) in newton.axes.iter().zip(&newton.x) {
            descent.turn[*joint] += *axis * *x;
        }
        if pass + 1 == PASSES || !hold_crossed(ws) {
            break;
        }
    }
    ws.descent.stretch.fill(0.0);
    foreseen
}

/// Mobilities, without the borders that joints are pushed out of.
#[inline(always)]
pub(super) fn start(chain: &Chain, ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, newton, descent, .. } = ws;
    let last = chain.joints.len() - 1;
    for i in 0..chain.joints.len() {
        newton.held[i] = 0;
        newton.joint[i] = JointStep { mobility: Mat3::ZERO, bias: Vec3::ZERO };
        if !step::turns(chain, descent.among, i) || i == last && state.held().is_some() {
            continue;
        }
        let borders = &descent.borders[i];
        let mut joint = JointStep { mobility: borders.mobility, bias: Vec3::ZERO };
        for (number, border) in borders.borders().iter().enumerate() {
            let out = border.outward.dot(joint.mobility * newton.torque[i]);
            let (room, bit) = if out > 0.0 { (border.room_rad, 1) } else { (border.back_room_rad, 2) };
            if room <= ON_BORDER_RAD && out != 0.0 {
                newton.held[i] |= bit << (2 * number);
                joint.fix(border.outward, 0.0, NO_MOBILITY);
            } else if border.resistance > LEAST_RESISTANCE && out > 0.0 {
                Mobility::forbid(&mut joint.mobility, border.outward, border.resistance);
            }
        }
        newton.joint[i] = joint;
    }
}

/// Holds the borders that the step crosses; whether there are any.
#[inline(always)]
fn hold_crossed(ws: &mut ChainWorkspace) -> bool {
    let ChainWorkspace { newton, descent, .. } = ws;
    let mut is_new = false;
    for (i, borders) in descent.borders.iter().enumerate() {
        let turn = descent.turn[i];
        if turn == Vec3::ZERO {
            continue;
        }
        for (number, border) in borders.borders().iter().enumerate() {
            if newton.held[i] & (3 << (2 * number)) != 0 {
                continue;
            }
            let out = border.outward.dot(turn);
            let (room, bit) = if out > 0.0 { (border.room_rad, 1) } else { (border.back_room_rad, 2) };
            let room = room.max(0.0);
            if out.abs() > room + CROSSED_RAD {
                newton.held[i] |= bit << (2 * number);
                is_new |= newton.joint[i].fix(border.outward, if out > 0.0 { room } else { -room }, NO_MOBILITY);
            }
        }
    }
    is_new
}

/// The curvature of the borders that joints are held on.
#[inline(always)]
fn curve_borders(chain: &Chain, ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, newton, descent, .. } = ws;
    for i in 0..chain.joints.len() {
        let (held, done) = (newton.held[i], newton.curved[i]);
        if held == done {
            continue;
        }
        if done & !held != 0 {
            (newton.bend[i], newton.curved[i]) = (Mat3::ZERO, 0);
        }
        let prepared = &chain.prepared[i];
        let own = prepared.frame();
        let (q, frame) = if own == Quat::IDENTITY {
            (state.pose().rotations[i], state.frame[i])
        } else {
            (own.conjugate() * state.pose().rotations[i] * own, state.frame[i] * own)
        };
        let new = held & !newton.curved[i];
        for bend in prepared.bends(q, frame, &descent.borders[i], new) {
            let ([x, y], [xx, xy, yy]) = (bend.along, bend.turns);
            let both = Mat3::from_cols(x * y.x + y * x.x, x * y.y + y * x.y, x * y.z + y * x.z);
            let push = bend.outward.dot(newton.torque[i]).max(0.0);
            newton.bend[i] += (outer(x) * xx + both * xy + outer(y) * yy) * push;
        }
        newton.curved[i] = held;
    }
}

/// The unknowns: `L` of each joint's mobility, column by column; returns how many.
#[inline(always)]
pub(super) fn find_axes(ws: &mut ChainWorkspace) -> usize {
    let ChainWorkspace { newton, descent, .. } = ws;
    newton.axes.clear();
    newton.first.clear();
    for (i, (joint, borders)) in newton.joint.iter().zip(&descent.borders).enumerate() {
        newton.first.push(newton.axes.len());
        if newton.held[i] == 0
            && let Some(willing) = borders.even
            && joint.mobility.x_axis.x == willing
        {
            let size = float::sqrt(willing);
            newton.axes.extend([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (i, axis * size)));
            continue;
        }
        let mut rest = joint.mobility;
        let size = borders.mobility.x_axis.x + borders.mobility.y_axis.y + borders.mobility.z_axis.z;
        for _ in 0..3 {
            let diagonal = [rest.x_axis.x, rest.y_axis.y, rest.z_axis.z];
            let most = diagonal[0].max(diagonal[1]).max(diagonal[2]);
            if most <= NO_MOBILITY * size || newton.axes.len() == newton.right.len() {
                break;
            }
            let column = if diagonal[0] == most {
                rest.x_axis
            } else if diagonal[1] == most {
                rest.y_axis
            } else {
                rest.z_axis
            };
            let axis = column * (1.0 / float::sqrt(most));
            newton.axes.push((i, axis));
            rest.x_axis -= axis * axis.x;
            rest.y_axis -= axis * axis.y;
            rest.z_axis -= axis * axis.z;
        }
    }
    newton.first.push(newton.axes.len());
    newton.axes.len()
}

/// Gradient and Hessian by the unknowns, to `right` and the upper triangle of `matrix`.
#[inline(always)]
pub(super) fn build(chain: &Chain, ws: &mut ChainWorkspace, unknowns: usize) {
    let ChainWorkspace { state, newton, .. } = ws;
    let rows = state.dimension;
    let wide = unknowns.div_ceil(8);
    newton.wide = wide;
    // By row: the rows of `J`, the axes, and what their turns change of the gradient.
    let lists = &mut newton.lists[..(rows + 6) * wide];
    lists.fill([0.0; 8]);
    for (number, (joint, axis)) in newton.axes.iter().enumerate() {
        let (block, lane) = (number / 8, number % 8);
        for e in (0..state.rows.len()).filter(|e| chain.moves[*joint] & (1 << e) != 0) {
            for (row, torque) in state.rows[e].about_joint(state.carried(chain, e) - state.position[*joint]) {
                lists[row * wide + block][lane] = torque.dot(*axis);
            }
        }
        let changed = newton.curvature[*joint] * *axis;
        for (row, value) in axis.to_array().into_iter().chain(changed.to_array()).enumerate() {
            lists[(rows + row) * wide + block][lane] = value;
        }
        newton.right[number] = newton.torque[*joint].dot(*axis);
    }
    let (jacobian, rest) = lists.split_at(rows * wide);
    let (axes, changed) = rest.split_at(3 * wide);
    for (number, to) in newton.matrix.chunks_exact_mut(wide).enumerate().take(unknowns) {
        let (first, lane) = (number / 8, number % 8);
        for (block, to) in to.iter_mut().enumerate().skip(first) {
            let mut sum = [0.0; 8];
            if chain.serial {
                for c in 0..3 {
                    let factor = axes[c * wide + first][lane];
                    for (sum, value) in sum.iter_mut().zip(&changed[c * wide + block]) {
                        *sum += factor * value;
                    }
                }
            }
            for row in jacobian.chunks_exact(wide) {
                let factor = row[first][lane];
                for (sum, value) in sum.iter_mut().zip(&row[block]) {
                    *sum += factor * value;
                }
            }
            *to = sum;
        }
    }
    if !chain.serial {
        add_curvature_of_tree(chain, newton);
    }
    // Of one joint, the mean of both orders.
    for i in 0..chain.joints.len() {
        let (curvature, own) = (newton.curvature[i], newton.first[i]..newton.first[i + 1]);
        let same = (curvature.transpose() - curvature) * 0.5 + newton.bend[i];
        for row in own.clone() {
            for column in row..own.end {
                let more = newton.axes[row].1.dot(same * newton.axes[column].1);
                newton.matrix[row * wide + column / 8][column % 8] += more;
            }
        }
    }
    take_bias(chain, ws, rows);
}

/// The curvature where not every joint is above those after it.
#[inline(always)]
fn add_curvature_of_tree(chain: &Chain, newton: &mut NewtonScratch) {
    let wide = newton.wide;
    for (column, (j, b)) in newton.axes.iter().enumerate() {
        let changed = newton.curvature[*j] * *b;
        let mut above = Some(*j);
        while let Some(i) = above {
            for row in newton.first[i]..newton.first[i + 1].min(column + 1) {
                newton.matrix[row * wide + column / 8][column % 8] += newton.axes[row].1.dot(changed);
            }
            above = chain.joints[i].parent;
        }
    }
}

/// Takes what the turns that borders set change of the gradient off the right side.
#[inline(always)]
fn take_bias(chain: &Chain, ws: &mut ChainWorkspace, rows: usize) {
    let ChainWorkspace { state, newton, .. } = ws;
    if newton.joint.iter().all(|joint| joint.bias == Vec3::ZERO) {
        return;
    }
    let mut by_row = [0.0; 6 * Chain::MAX_EFFECTORS];
    newton.below.fill(Vec3::ZERO);
    for (j, joint) in newton.joint.iter().enumerate().rev() {
        if joint.bias != Vec3::ZERO {
            for e in (0..state.rows.len()).filter(|e| chain.moves[j] & (1 << e) != 0) {
                for (row, torque) in state.rows[e].about_joint(state.carried(chain, e) - state.position[j]) {
                    by_row[row] += torque.dot(joint.bias);
                }
            }
        }
        if let Some(parent) = chain.joints[j].parent {
            let more = newton.below[j] + newton.curvature[j] * joint.bias;
            newton.below[parent] += more;
        }
    }
    for (i, joint) in chain.joints.iter().enumerate() {
        let above = joint.parent.map_or(Vec3::ZERO, |parent| newton.above[parent] + newton.joint[parent].bias);
        newton.above[i] = above;
        let (curvature, bias) = (newton.curvature[i], newton.joint[i].bias);
        let same = (curvature + curvature.transpose()) * 0.5 + newton.bend[i];
        for number in newton.first[i]..newton.first[i + 1] {
            let axis = newton.axes[number].1;
            let mut sum = axis.dot(newton.below[i] + same * bias) + above.dot(curvature * axis);
            for (row, value) in by_row[..rows].iter().enumerate() {
                sum += newton.lists[row * newton.wide + number / 8][number % 8] * value;
            }
            newton.right[number] -= sum;
        }
    }
}

/// Solves with so much damping that the matrix has a factor; returns the gain that is foreseen.
#[inline(always)]
fn factor_and_solve(newton: &mut NewtonScratch, unknowns: usize, damping: &mut f32) -> f32 {
    let wide = newton.wide;
    let diagonal = |i: usize| newton.matrix[i * wide + i / 8][i % 8];
    let most = (0..unknowns).map(|i| diagonal(i).abs()).fold(1e-20, f32::max);
    loop {
        let add = *damping * most;
        newton.cholesky.begin(unknowns);
        for (i, row) in newton.matrix.chunks_exact(wide).enumerate().take(unknowns) {
            newton.cholesky.row_mut(i)[..8 * wide].copy_from_slice(row.as_flattened());
        }
        newton.cholesky.set_right(&newton.right[..unknowns]);
        newton.cholesky.factor(add, LEAST_PIVOT * most);
        if newton.cholesky.least_pivot() > 1.001 * LEAST_PIVOT * most || *damping > MOST_DAMPING {
            newton.x[..unknowns].copy_from_slice(&newton.cholesky.solve()[..unknowns]);
            let (mut along, mut square) = (0.0, 0.0);
            for (x, right) in newton.x[..unknowns].iter().zip(&newton.right) {
                along += x * right;
                square += x * x;
            }
            return along + add * square;
        }
        *damping *= RAISE;
    }
}
