//! Aim: the chain turns about its root as one piece, so that its end is in the target's
//! direction.

use super::first_joint::{about_hinge, apply_to_first};
use super::pole::swivel;
use super::span::{is_free_of_three, is_stiff_first};
use crate::chains::model::{Chain, Pole};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::Freedom;
use crate::math::{Quat, Vec3, arc, float, normalize_or, slerp_short};

/// Turns the chain about its root as one piece, as far as the first joint's limits allow.
///
/// The shortest turn to a direction `β` away from straight behind swings `cot(β/2)` times as fast
/// as the direction itself, and no rule that turns the chain as one piece does better all round.
/// Free chains of three bones or more have another way to a near target: they fold. So they are
/// aimed only in part at targets behind, the less the nearer, and the descent carries the end
/// across.
pub(in crate::chains) fn aim(chain: &Chain, target: Vec3, pole: Option<&Pole>, ws: &mut ChainWorkspace) {
    let root = ws.state.position[0];
    let (from, to) = (ws.state.carried(chain, 0) - root, target - root);
    let share = if is_stiff_first(chain) {
        // Only as far as a pole needs it.
        pole.map_or(0.0, |p| p.weight.clamp(0.0, 1.0))
    } else if pole.is_none() && is_free_of_three(chain, ws) {
        free_share(chain, from, to)
    } else {
        1.0
    };
    aim_by(chain, target, pole, share, ws);
}

/// Share of the aim that a free chain of three bones or more takes, whose end is at `from` and
/// has to be at `to`, seen from its root.
pub(in crate::chains) fn free_share(chain: &Chain, from: Vec3, to: Vec3) -> f32 {
    if from.length() <= 1e-4 * chain.length {
        return 1.0;
    }
    let near = float::smooth_step(0.0, from.length(), to.length());
    let ahead = normalize_or(from, Vec3::Y).dot(normalize_or(to, Vec3::ZERO));
    1.0 + (near - 1.0) * float::smooth_step(0.0, 1.0, -ahead)
}

/// The turn of [`aim`], all of it whatever the chain.
pub(in crate::chains) fn turn_first(chain: &Chain, target: Vec3, pole: Option<&Pole>, ws: &mut ChainWorkspace) {
    aim_by(chain, target, pole, 1.0, ws);
}

pub(in crate::chains) fn aim_by(chain: &Chain, target: Vec3, pole: Option<&Pole>, share: f32, ws: &mut ChainWorkspace) {
    let root = ws.state.position[0];
    let (from, to) = (ws.state.carried(chain, 0) - root, target - root);
    let small = 1e-4 * chain.length;
    let towards = normalize_or(to, normalize_or(from, Vec3::Y));
    let mut turn = Quat::IDENTITY;
    if from.length() > small && to.length() > small {
        turn = match &chain.joints[0].model.freedom {
            Freedom::Hinge { .. } => about_hinge(chain, ws, from, to),
            _ => arc(normalize_or(from, Vec3::Y), towards),
        };
    }
    if share < 1.0 {
        turn = slerp_short(Quat::IDENTITY, turn, share);
    }
    if let Some(pole) = pole {
        turn = (swivel(chain, pole, towards, turn, ws) * turn).normalize();
    }
    apply_to_first(chain, turn, ws);
}
