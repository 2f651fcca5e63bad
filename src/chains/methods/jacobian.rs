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
//! Limits work as in [`super::dls`]. None of these looks for a way round a stall: that is what the
//! default solver is for.
//!
//! Sources: S. Buss, "Introduction to Inverse Kinematics …" (2004), §3 (transpose, eq. 7), §4 and
//! §6; S. Buss, J. Kim, "Selectively Damped Least Squares for Inverse Kinematics", Journal of
//! Graphics Tools 10 (2005), §4. Eigenvectors by Jacobi rotations.

use super::dls;
use super::iterate::iterate;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::workspace::ChainWorkspace;
use crate::math::float;
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
    iterate(chain, goals, settings, ws, |chain, ws, _| {
        dls::load_mobility(chain, ws);
        dls::clamp_residual(chain, goals, ws);
        dls::start_active_set(chain, ws);
        for _ in 0..10 {
            ws.work.spend(ws.pass_steps * if matches!(method, Method::Selective) { 8 } else { 1 });
            dls::build_dual(chain, goals, ws, stretch);
            match method {
                Method::Damped => force_by_inverse(ws, damping),
                Method::PseudoInverse => force_by_inverse(ws, 1e-7),
                Method::Transpose => force_by_transpose(ws),
                Method::Selective => force_by_modes(chain, goals, ws, stretch),
            }
            dls::apply_jacobian_transpose(chain, goals, ws, stretch);
            if !dls::block_walls(chain, ws, stretch) {
                break;
            }
        }
        dls::limit_step(ws, most);
        dls::apply(chain, ws, stretch);
    })
}

fn force_by_inverse(ws: &mut ChainWorkspace, damping: f32) {
    if !dls::solve_dual(ws, damping) {
        ws.descent.force[..ws.state.dimension].fill(0.0);
    }
}

fn force_by_transpose(ws: &mut ChainWorkspace) {
    let d = ws.state.dimension;
    let (mut along, mut square) = (0.0, 0.0);
    for i in 0..d {
        let row: f32 = (0..d).map(|j| ws.descent.dual[i * d + j] * ws.state.residual[j]).sum();
        along += ws.state.residual[i] * row;
        square += row * row;
    }
    let alpha = if square > 1e-30 { along / square } else { 0.0 };
    for i in 0..d {
        ws.descent.force[i] = alpha * ws.state.residual[i];
    }
}

fn force_by_modes(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, with_stretch: bool) {
    let d = ws.state.dimension;
    eigenvectors(&mut ws.descent.dual, &mut ws.descent.factor, d);
    let largest = (0..d).map(|k| ws.descent.dual[k * d + k]).fold(0.0, f32::max);
    let mut total = [0.0_f32; MAX_ROWS];
    for k in 0..d {
        let eigenvalue = ws.descent.dual[k * d + k];
        if eigenvalue <= 1e-7 * largest || eigenvalue <= 1e-30 {
            continue;
        }
        let mut wanted = 0.0;
        for i in 0..d {
            ws.descent.force[i] = ws.descent.factor[i * d + k];
            wanted += ws.descent.force[i] * ws.state.residual[i];
        }
        dls::apply_jacobian_transpose(chain, goals, ws, with_stretch);
        let (mut carried, mut fastest) = (0.0, 0.0_f32);
        for i in 0..chain.joints.len() {
            let speed = ws.descent.turn[i].length();
            let lever = (ws.state.tip[0] - ws.state.position[i]).length();
            carried += speed * lever / eigenvalue;
            fastest = fastest.max(speed * wanted.abs() / eigenvalue);
        }
        let most = core::f32::consts::FRAC_PI_4 * (1.0 / carried.max(1e-20)).min(1.0);
        let factor = wanted / eigenvalue * (most / fastest.max(1e-20)).min(1.0);
        for (sum, row) in total[..d].iter_mut().zip(0..d) {
            *sum += factor * ws.descent.factor[row * d + k];
        }
    }
    ws.descent.force[..d].copy_from_slice(&total[..d]);
}

/// Diagonalises the symmetric `a` in place by cyclic Jacobi rotations; the columns of `v` become
/// its eigenvectors.
fn eigenvectors(a: &mut [f32], v: &mut [f32], d: usize) {
    for i in 0..d {
        for j in 0..d {
            v[i * d + j] = if i == j { 1.0 } else { 0.0 };
        }
    }
    for _ in 0..12 {
        let mut off = 0.0_f32;
        let mut size = 0.0_f32;
        for p in 0..d {
            size = size.max(a[p * d + p].abs());
            for q in p + 1..d {
                off = off.max(a[p * d + q].abs());
                if a[p * d + q].abs() <= 1e-30 {
                    continue;
                }
                let theta = (a[q * d + q] - a[p * d + p]) / (2.0 * a[p * d + q]);
                let sign = if theta < 0.0 { -1.0 } else { 1.0 };
                let t = sign / (theta.abs() + float::sqrt(theta * theta + 1.0));
                let c = 1.0 / float::sqrt(t * t + 1.0);
                let s = t * c;
                for k in 0..d {
                    let (x, y) = (a[k * d + p], a[k * d + q]);
                    (a[k * d + p], a[k * d + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..d {
                    let (x, y) = (a[p * d + k], a[q * d + k]);
                    (a[p * d + k], a[q * d + k]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (v[k * d + p], v[k * d + q]);
                    (v[k * d + p], v[k * d + q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
        if off <= 1e-7 * size {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let original = [4.0_f32, 1.0, -2.0, 1.0, 3.0, 0.5, -2.0, 0.5, 5.0];
        let (mut a, mut v) = (original, [0.0; 9]);
        eigenvectors(&mut a, &mut v, 3);
        for i in 0..3 {
            for j in 0..3 {
                let sum: f32 = (0..3).map(|k| v[i * 3 + k] * a[k * 3 + k] * v[j * 3 + k]).sum();
                assert!((sum - original[i * 3 + j]).abs() < 1e-5, "{i} {j}");
            }
        }
        assert!(Vec3::new(v[0], v[3], v[6]).is_normalized());
    }
}
