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
//! same iteration ([`super::step`]). Steps that cross a border further away are cut by projection.
//! *Damping* is adapted (Levenberg–Marquardt): a step that does not lower the error is undone and
//! tried with more. It rises, too, after a step of which less than half was taken: where a limb is
//! stretched for a goal out of reach, the direction along it, in which joints turn far and the
//! effector hardly moves, would cut the step in all others.
//! *Goals out of reach.* What is left of them has curvature that `J` does not know, and the descent
//! creeps. Where a joint has limits, [`super::newton`] takes over at a step that would leave more
//! than a tenth of what it is to take, if it is refused or three have been made.
//!
//! Sources: C. Wampler, "Manipulator Inverse Kinematic Solutions Based on Vector Formulations and
//! Damped Least-Squares Methods", IEEE Trans. SMC 16 (1986), §IV; S. Buss, "Introduction to Inverse
//! Kinematics with Jacobian Transpose, Pseudoinverse and Damped Least Squares methods" (2004), §6
//! for the dual form; D. Bertsekas (see `crate::limits::Mobility`) for the active set.

use super::descent::{Descent, Patience};
use super::{newton, step};
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::state::Miss;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::float;
use crate::optim::step::trusted_share;
use crate::optim::{Damping, DampingRule, Stall};
use crate::outcome::Status;

/// Damping schedule of the descents of chains.
pub(in crate::chains) const DAMPING: DampingRule =
    DampingRule { least: 1e-8, ease: 0.2, ease_fast: 0.2, raise: 8.0, raise_from: 1e-4 / 8.0, most: f32::INFINITY };

/// Most passes of a step over the pieces that joints with limits are on.
const PASSES: u32 = 4;

/// Share of what a step is to take that it leaves, from which on borders or lengths are in the way.
const OUT_OF_REACH: f32 = 0.1;

/// Iterations before which a descent is not given up for its rival, nor for another method.
const LEAST_TRIED: u32 = 3;

/// Descends from `pose` until the goals are met or no step helps. `with_stretch`: bones may change
/// length.
pub(in crate::chains) fn descend(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    with_stretch: bool,
) -> Descent {
    descend_with(&Patience::WHOLE, chain, goals, settings, ws, with_stretch)
}

/// [`descend`] with less patience.
pub(in crate::chains) fn descend_with(
    patience: &Patience,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    with_stretch: bool,
) -> Descent {
    ws.state.number_rows(goals);
    let mut miss = ws.state.measure(chain, goals);
    let mut damping = Damping::new(settings.damping.clamp(1e-8, 1e3), DAMPING);
    let (mut fails, mut iterations, mut idle) = (0, 0, 0);
    let mut whole = false;
    let mut may_newton = newton::covers(goals, ws, with_stretch);
    let mut stall = stall_from(&miss);
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
            step::load_mobility(chain, ws);
        }
        ws.descent.residual_before.copy_from_slice(&ws.state.residual);
        let uneven = step::clamp_residual(chain, goals, whole, ws);
        ws.descent.requested.copy_from_slice(&ws.state.residual);
        solve_step(chain, ws, damping.value, with_stretch, fails > 0);
        ws.descent.set_apart.copy_from_slice(&ws.state.residual);
        let (size, scale) = step::limit_step(ws, settings.max_step_rad.clamp(1e-3, 3.0));
        ws.save(Slot::BeforeStep);
        step::apply(chain, ws, with_stretch);
        ws.state.keep();
        let mut next = ws.state.measure(chain, goals);
        let (share, lacking) = trusted_part(ws, scale, 1e-6 * chain.length);
        if share < 0.999 {
            step::apply_share(chain, ws, with_stretch, share);
            next = ws.state.measure(chain, goals);
        }
        let helps = next.cost < miss.cost;
        let is_tried = iterations >= LEAST_TRIED;
        let turns_to_newton = may_newton
            && lacking > OUT_OF_REACH
            && (is_tried || !helps)
            && !newton::is_near(if helps { &next } else { &miss }, chain);
        if helps {
            idle = if next.cost > patience.idle_from * miss.cost { idle + 1 } else { 0 };
            let is_behind = patience.is_behind(&miss, &next);
            miss = next;
            fails = 0;
            damping.follow(share.min(scale));
            if is_tried && is_behind {
                status = Status::Stalled;
                break;
            }
        } else {
            ws.restore(Slot::BeforeStep);
            ws.state.back(&ws.descent.residual_before);
            fails += 1;
            if !turns_to_newton {
                if uneven {
                    (whole, idle, stall) = (true, 0, stall_from(&miss));
                    continue;
                }
                damping.reject();
                let at_rounding = miss.metres <= 2e-6 * chain.length && miss.radians <= 4e-6;
                if fails > if at_rounding { 1 } else { patience.fails } || size < 1e-8 {
                    status = Status::Stalled;
                    break;
                }
            }
        }
        if turns_to_newton {
            let found = newton::descend(patience, chain, goals, settings, ws, miss, iterations);
            if !newton::is_near(&found.miss, chain) {
                return found;
            }
            // Goals that are met after all: the rest is what this method is good at.
            (miss, iterations, may_newton) = (found.miss, found.iterations, false);
            (fails, idle, stall) = (0, 0, stall_from(&miss));
            damping = Damping::new(settings.damping.clamp(1e-8, 1e3), DAMPING);
            continue;
        }
        let is_idle = stall.is_stalled(miss.cost) || idle >= patience.idle;
        if uneven && (is_idle || idle > 0) {
            (whole, idle, stall) = (true, 0, stall_from(&miss));
        } else if is_idle && miss.metres > 2e-6 * chain.length {
            status = Status::Stalled;
            break;
        }
    }
    if miss.is_reached(chain, settings) {
        status = Status::Reached;
    }
    Descent { miss, iterations, status }
}

/// Less than a fiftieth in eight iterations is no progress.
fn stall_from(miss: &Miss) -> Stall {
    Stall::new(miss.cost, 8, 0.98)
}

/// Solves for a step: fills `turn` and `stretch`. `again`: from the pose of the step before.
fn solve_step(chain: &Chain, ws: &mut ChainWorkspace, damping: f32, with_stretch: bool, again: bool) {
    step::start_active_set(chain, ws);
    ws.work.spend(ws.pass_steps);
    if again {
        ws.descent.dual.bring_back();
    } else {
        step::build_dual(chain, ws, with_stretch);
        ws.descent.dual.hold_scale();
        ws.descent.dual.keep();
    }
    for _ in 0..PASSES {
        step::solve_dual(ws, damping);
        step::apply_jacobian_transpose(chain, ws, with_stretch);
        step::add_bias(ws);
        if !step::block_walls(chain, ws, with_stretch, false) {
            break;
        }
        step::rebuild_dual(chain, ws, with_stretch);
    }
}

/// See [`optim::step::trusted_share`](crate::optim::step::trusted_share); `scale`: of the step. And
/// the share of what is requested that the whole step would leave.
fn trusted_part(ws: &mut ChainWorkspace, scale: f32, rounding: f32) -> (f32, f32) {
    ws.descent.dual.times(&ws.descent.force, &mut ws.descent.product);
    let (mut linear, mut beyond) = (0.0_f32, 0.0_f32);
    let (mut requested, mut lacking) = (0.0_f32, 0.0_f32);
    for i in 0..ws.state.dimension {
        let set = ws.descent.requested[i] - ws.descent.set_apart[i];
        let whole = ws.descent.product[i] + set;
        let l = scale * whole;
        let q = ws.descent.residual_before[i] - l - ws.state.residual[i];
        linear += l * l;
        beyond += q * q;
        requested += ws.descent.requested[i] * ws.descent.requested[i];
        let rest = ws.descent.requested[i] - whole;
        lacking += rest * rest;
    }
    (trusted_share(float::sqrt(linear), float::sqrt(beyond) - rounding), lacking / requested.max(1e-30))
}
