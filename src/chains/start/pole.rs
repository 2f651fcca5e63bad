//! The swivel of a chain about the line root to target, towards its pole.

use super::bend_side::{bend_axis, straight_line};
use super::first_joint::angle_about;
use super::span::active;
use crate::chains::model::{Chain, Pole};
use crate::chains::workspace::ChainWorkspace;
use crate::closed_form::pole as pole_law;
use crate::limits::Freedom;
use crate::math::{Quat, Vec3, axis_angle, float, normalize_or};

/// Turn about root → target that brings the chain's reference side to face the pole.
pub(in crate::chains) fn swivel(chain: &Chain, pole: &Pole, towards: Vec3, aimed: Quat, ws: &ChainWorkspace) -> Quat {
    let across = |v: Vec3| v - towards * v.dot(towards);
    let side = aimed * reference_side(chain, pole, ws);
    let to_pole = if pole.is_direction { pole.at } else { pole.at - ws.state.position[0] };
    let to_pole = normalize_or(to_pole, Vec3::ZERO);
    // The direction is unit, so its part across the line is the sine of the angle between them.
    let clear = pole_law::fade_full_width(across(to_pole).length());
    if across(side).length() < 1e-6 * side.length() || clear == 0.0 {
        return Quat::IDENTITY;
    }
    let angle = angle_about(towards, side, to_pole) - pole.angle_rad;
    let first = &chain.joints[0].model;
    let able = match first.freedom {
        // A hinge turns the chain round the line only if it is along it.
        Freedom::Hinge { .. } => {
            float::smooth_step(0.8, 0.97, (ws.state.frame[0] * first.hinge_axis()).dot(towards).abs())
        }
        Freedom::Fixed => 0.0,
        _ => 1.0,
    };
    let weight = pole.weight.clamp(0.0, 1.0) * clear * able;
    axis_angle(towards, pole_law::blended_angle(angle, weight))
}

/// The side of the chain that has to face the pole, as it is now, in the solve space.
pub(in crate::chains) fn reference_side(chain: &Chain, pole: &Pole, ws: &ChainWorkspace) -> Vec3 {
    if let Some(reference) = pole.reference {
        return normalize_or(ws.state.rotation[0] * reference, Vec3::ZERO);
    }
    let end = ws.state.carried(chain, 0);
    let along = normalize_or(end - ws.state.position[0], Vec3::Y);
    let mut sum = Vec3::ZERO;
    for p in &ws.state.position[1..active(chain, ws)] {
        let off = *p - ws.state.position[0];
        sum += off - along * off.dot(along);
    }
    if sum.length() < 3e-5 * chain.length
        && let Some((along, length)) = straight_line(chain, ws)
    {
        // The side to which it would bend.
        return along.cross(bend_axis(chain, ws, along, None, length));
    }
    normalize_or(sum, Vec3::ZERO)
}
