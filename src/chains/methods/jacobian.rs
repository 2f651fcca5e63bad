//! The plain Jacobian methods: damped least squares, pseudo-inverse, transpose, selectively damped
//! least squares.
//!
//! # Derivation
//!
//! All four make a force and torque `f` per effector from the residual `e` and the dual matrix `A =
//! J W Jᵀ` ([`super::dls`]) and turn the joints by `W Jᵀ f`:
//!
//! | method | `f` |
//! |---|---|
//! | damped | `(A + λ 1)⁻¹ e` |
//! | pseudo-inverse | the same with `λ` at rounding level |
//! | transpose | `α e` with `α = e·Ae / Ae·Ae`, the step that brings `α A e` nearest to `e` |
//! | selective | `Σ cₖ uₖ` over the eigenvectors of `A` |
//!
//! *Selective damping.* Mode `k` with eigenvalue `σ²` needs the turns `φ = W Jᵀ uₖ (uₖ·e)/σ²`.
//! With `ρ` the lever of a joint, `M = Σ |φ direction| ρ` bounds how far the effector could be
//! carried by turns that cancel out, so the mode's largest turn is limited to `γ = ¼π·min(1, 1/M)`;
//! `cₖ` is the factor that does.
//!
//! Limits work as in [`super::dls`]. A chain with a pole is aimed and swivelled to it first
//! (`chains::start`); without one the descent starts from the pose as it is. None of these looks
//! for a way round a stall: that is what the default solver is for.
//!
//! Sources: S. Buss, "Introduction to Inverse Kinematics …" (2004), §3 (transpose, eq. 7), §4 and
//! §6; S. Buss, J. Kim, "Selectively Damped Least Squares for Inverse Kinematics", Journal of
//! Graphics Tools 10 (2005), §4.

use super::iterate::iterate;
use super::step;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::workspace::ChainWorkspace;
use crate::outcome::Outcome;

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chains) enum Method {
    Damped,
    PseudoInverse,
    Transpose,
    Selective,
}

/// Most rows of a residual.
const MAX_ROWS: usize = 6 * Chain::MAX_EFFECTORS;

pub(in crate::chains) fn solve(
    method: Method,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    let stretch = settings.use_stretch;
    let most = settings.max_step_rad.clamp(1e-3, 3.0);
    let damping = settings.damping.clamp(1e-8, 1e3);
    if goals[0].pole.is_some() {
        // The descent keeps the side that the chain bends to.
        start::start_aimed(chain, goals, ws);
    }
    iterate(chain, goals, settings, ws, |chain, ws, _| {
        step::load_mobility(chain, ws);
        step::clamp_residual(chain, goals, false, ws);
        step::start_active_set(chain, ws);
        step::build_dual(chain, ws, stretch);
        ws.descent.dual.hold_scale();
        ws.work.spend(ws.pass_steps);
        for _ in 0..10 {
            match method {
                Method::Damped => _ = step::solve_dual(ws, damping),
                Method::PseudoInverse => _ = step::solve_dual(ws, 1e-7),
                Method::Transpose => force_by_transpose(ws),
                Method::Selective => {
                    ws.work.spend(8 * ws.pass_steps);
                    force_by_modes(chain, ws, stretch);
                }
            }
            step::apply_jacobian_transpose(chain, ws, stretch);
            step::add_bias(ws);
            if !step::block_walls(chain, ws, stretch, false) {
                break;
            }
            // The eigenvalues have taken the matrix's place.
            ws.descent.is_stale |= method == Method::Selective;
            step::rebuild_dual(chain, ws, stretch);
        }
        step::limit_step(ws, most);
        step::apply(chain, ws, stretch);
    })
}

fn force_by_transpose(ws: &mut ChainWorkspace) {
    let residual = &ws.state.residual;
    ws.descent.dual.times(residual, &mut ws.descent.product);
    let (mut along, mut square) = (0.0, 0.0);
    for (residual, row) in residual.iter().zip(&ws.descent.product).take(ws.state.dimension) {
        along += residual * row;
        square += row * row;
    }
    let alpha = if square > 1e-30 { along / square } else { 0.0 };
    for (force, residual) in ws.descent.force[..ws.state.dimension].iter_mut().zip(residual) {
        *force = alpha * residual;
    }
}

fn force_by_modes(chain: &Chain, ws: &mut ChainWorkspace, with_stretch: bool) {
    let d = ws.state.dimension;
    ws.descent.dual.diagonalize();
    let largest = (0..d).map(|k| ws.descent.dual.at(k, k)).fold(0.0, f32::max);
    let mut total = [0.0_f32; MAX_ROWS];
    for k in 0..d {
        let eigenvalue = ws.descent.dual.at(k, k);
        if eigenvalue <= 1e-7 * largest || eigenvalue <= 1e-30 {
            continue;
        }
        let mut wanted = 0.0;
        for i in 0..d {
            ws.descent.force[i] = ws.descent.dual.eigenvector(k, i);
            wanted += ws.descent.force[i] * ws.state.residual[i];
        }
        step::apply_jacobian_transpose(chain, ws, with_stretch);
        let (mut carried, mut fastest) = (0.0, 0.0_f32);
        for i in 0..chain.joints.len() {
            let speed = ws.descent.turn[i].length();
            let lever = (ws.state.tip[0] - ws.state.position[i]).length();
            carried += speed * lever / eigenvalue;
            fastest = fastest.max(speed * wanted.abs() / eigenvalue);
        }
        let most = core::f32::consts::FRAC_PI_4 * (1.0 / carried.max(1e-20)).min(1.0);
        let factor = wanted / eigenvalue * (most / fastest.max(1e-20)).min(1.0);
        for (row, sum) in total[..d].iter_mut().enumerate() {
            *sum += factor * ws.descent.dual.eigenvector(k, row);
        }
    }
    ws.descent.force[..d].copy_from_slice(&total[..d]);
}
