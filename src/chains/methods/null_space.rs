//! Sliding a pose that meets its goals along all the poses that meet them, to the one nearest the
//! start.
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

use crate::chains::methods::dls;
use crate::chains::model::{Chain, ChainGoal};
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::{Vec3, rotation_vector};

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
        dls::load_mobility(chain, ws);
        dls::clamp_residual(chain, goals, ws);
        ws.descent.residual_before.copy_from_slice(&ws.state.residual);
        dls::start_active_set(chain, ws);
        for _ in 0..10 {
            ws.work.spend(ws.pass_steps);
            ws.state.residual.copy_from_slice(&ws.descent.residual_before);
            for i in 0..chain.joints.len() {
                let back = willing_back(towards, ws, i);
                dls::gather_torques(chain, ws, i);
                for (row, torque) in &ws.descent.joint_rows {
                    ws.state.residual[*row] -= torque.dot(back);
                }
            }
            dls::build_dual(chain, ws, false);
            if !dls::solve_dual(ws, 1e-6) {
                return;
            }
            dls::apply_jacobian_transpose(chain, ws, false);
            for i in 0..chain.joints.len() {
                let back = willing_back(towards, ws, i);
                ws.descent.turn[i] += back;
            }
            if !dls::block_walls(chain, ws, false) {
                break;
            }
        }
        let (largest, _) = dls::limit_step(ws, 0.4);
        ws.descent.turn.iter_mut().for_each(|t| *t *= SHARE);
        dls::apply(chain, ws, false);
        if largest < 2e-4 {
            break;
        }
    }
    ws.state.update(chain);
}

/// The turn of a joint that leads back to the pose of the slot, as far as its mobility admits, in
/// the solve space.
fn willing_back(towards: Slot, ws: &ChainWorkspace, i: usize) -> Vec3 {
    let left = rotation_vector(ws.saved_rotations(towards)[i] * ws.state.pose().rotations[i].conjugate());
    ws.descent.matrix[i] * (ws.state.frame[i] * left)
}

/// Sum of the squared angles between a pose and the one of a slot.
pub(in crate::chains) fn distance(from: Slot, ws: &ChainWorkspace) -> f32 {
    let pairs = ws.state.pose().rotations.iter().zip(ws.saved_rotations(from));
    pairs.map(|(a, b)| rotation_vector(*a * b.conjugate()).length_squared()).sum()
}
