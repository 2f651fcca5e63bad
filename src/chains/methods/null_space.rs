//! Null-space descent: slides a pose that meets its goals along all the poses that meet them,
//! to the one nearest the start.
//!
//! Where a descent from the start pose is stopped by limits, an answer found from some other pose
//! depends on that pose. A chain with more freedom than its goals need can move on without leaving
//! them; the point nearest to the start is the same from wherever on the same piece of solutions
//! one comes. So answers of different attempts become one answer, and follow the goal continuously.
//!
//! # Derivation
//!
//! With `d` the turns that lead back to the start, the least change `Σ |ω − d|²` (in the metric of
//! the mobilities `W`) under `J ω = e` is
//!
//! ```text
//! ω = W (d + Jᵀ f),   (J W Jᵀ) f = e − J W d
//! ```
//!
//! Walls that `ω` would cross are taken out of `W` as in [`super::dls`]. Steps of a share of `ω`
//! are repeated until they are small: Newton's method for the nearest point, but for the curvature
//! of the constraint.
//!
//! Source: A. Liégeois, "Automatic Supervisory Control of the Configuration and Behavior of
//! Multibody Mechanisms", IEEE Trans. SMC 7 (1977), for motion in the null space; the projection is
//! the one of `dls`.

use crate::chains::methods::step;
use crate::chains::model::{Chain, ChainGoal};
use crate::chains::state::EffectorRows;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::rotation_vector;
use crate::tasks::DistanceRule;

/// Share of the way taken at once.
const SHARE: f32 = 0.7;

/// Slides towards the pose of a slot for up to `steps` steps. Goals are met to first order only: a
/// descent has to follow.
pub(in crate::chains) fn descend(
    chain: &Chain,
    goals: &[ChainGoal],
    towards: Slot,
    steps: u32,
    ws: &mut ChainWorkspace,
) {
    ws.state.number_rows(goals);
    for _ in 0..steps {
        if ws.work.is_out() {
            break;
        }
        ws.state.update(chain);
        ws.state.measure(chain, goals);
        let binds = ws.state.rows.iter().any(EffectorRows::binds);
        step::load_mobility(chain, ws);
        step::clamp_residual(chain, goals, false, ws);
        ws.descent.residual_before.copy_from_slice(&ws.state.residual);
        step::start_active_set(chain, ws);
        turns_back(towards, ws);
        ws.work.spend(ws.pass_steps);
        step::build_dual(chain, ws, false);
        ws.descent.dual.hold_scale();
        for _ in 0..10 {
            ws.state.residual.copy_from_slice(&ws.descent.residual_before);
            for i in 0..chain.joints.len() {
                let back = ws.descent.matrix[i] * ws.descent.back[i] + ws.descent.bias[i];
                step::gather_torques(chain, ws, i);
                for (row, torque) in &ws.descent.joint_rows {
                    ws.state.residual[*row] -= torque.dot(back);
                }
            }
            // An end inside of the sphere that it has to be in binds nothing: no force then.
            if !step::solve_dual(ws, 1e-6) && binds {
                return;
            }
            let_go(goals, ws);
            step::apply_jacobian_transpose(chain, ws, false);
            step::add_bias(ws);
            for i in 0..chain.joints.len() {
                ws.descent.turn[i] += ws.descent.matrix[i] * ws.descent.back[i];
            }
            if !step::block_walls(chain, ws, false, true) {
                break;
            }
            step::rebuild_dual(chain, ws, false);
        }
        let (largest, _) = step::limit_step(ws, 0.4);
        ws.descent.turn.iter_mut().for_each(|t| *t *= SHARE);
        step::apply(chain, ws, false);
        if largest < 2e-4 {
            break;
        }
    }
    ws.state.update(chain);
}

/// A sphere that one side of meets the goal holds no end that is led away from it to that side.
fn let_go(goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, descent, .. } = ws;
    for (rows, goal) in state.rows.iter().zip(goals) {
        if goal.distance.is_some_and(|distance| distance.rule != DistanceRule::OnSurface) && rows.moving > 0 {
            descent.force[rows.first] = descent.force[rows.first].max(0.0);
        }
    }
}

/// The turn of each joint that leads back to the pose of the slot, in the solve space.
fn turns_back(towards: Slot, ws: &mut ChainWorkspace) {
    for i in 0..ws.descent.back.len() {
        let left = rotation_vector(ws.saved_rotations(towards)[i] * ws.state.pose().rotations[i].conjugate());
        ws.descent.back[i] = ws.state.frame[i] * left;
    }
}

/// Sum of the squared angles between a pose and the one of a slot.
pub(in crate::chains) fn distance(from: Slot, ws: &ChainWorkspace) -> f32 {
    let pairs = ws.state.pose().rotations.iter().zip(ws.saved_rotations(from));
    pairs.map(|(a, b)| rotation_vector(*a * b.conjugate()).length_squared()).sum()
}
