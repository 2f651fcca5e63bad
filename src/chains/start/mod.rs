//! What happens before the first iteration.
//!
//! | file | step |
//! |---|---|
//! | `span` | limits, the held last joint, the joints that carry the goal |
//! | `first_joint` | turns of the chain as one piece |
//! | `bend_side`, `bend_straight` | bends of straight chains and of hinges at the end of their range |
//! | `pole` | swivel towards the pole |
//! | `aim` | the chain turns into the target's direction |
//! | `reach_bounds` | targets out of reach: the straight or folded pose |
//! | `shared_end` | targets out of reach of a chain with a held last joint: position and rotation share |
//! | `lengthen` | an unlimited chain in closed form: every bone leans towards the target |

mod aim;
mod bend_side;
mod bend_straight;
mod first_joint;
pub(super) mod lengthen;
mod pole;
mod reach_bounds;
mod shared_end;
mod span;

pub(super) use aim::{free_share, turn_first};
pub(super) use bend_side::bend_axis;
pub(super) use first_joint::angle_about;
pub(super) use pole::{reference_side, swivel};
pub(super) use reach_bounds::{reach_bounds, straighten_to_target};
pub(super) use shared_end::{hold_end_axis, share_with_end};
pub(super) use span::{active, bone, carried_target, clamp_to_limits, hold_end_rotation, is_stiff_first};

use crate::chains::model::{Chain, ChainGoal, Pole};
use crate::chains::workspace::ChainWorkspace;
use crate::math::{Vec3, normalize_or};

/// Aims the chain, swivels it to its pole, and bends it if it is straight and has to fold. Forward
/// kinematics must be up to date, and are afterwards.
///
/// The aim comes first: it turns the chain as it is, so the one direction in which the shortest
/// turn is singular stays where the pose puts it, and a pole's reference is seen from the straight
/// line, whatever way the root bone leans once the chain is folded.
pub(in crate::chains) fn prepare(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let Some(target) = goals[0].position else { return };
    if !chain.serial {
        return;
    }
    let target = carried_target(chain, target, ws);
    let pole = goals[0].pole.as_ref();
    aim::aim(chain, target, pole, ws);
    bend_straight::open_hinges(chain, target, ws);
    bend_straight::bend_if_straight(chain, target, pole, ws);
}

/// [`prepare`] for a pose that follows the goal from where it is: a straight chain that has to fold
/// is bent. Aimed again in each frame, a pose that limits keep from its pole would be turned away
/// from what it was led back to.
pub(in crate::chains) fn prepare_as_it_is(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let Some(target) = goals[0].position else { return };
    if !chain.serial {
        return;
    }
    let target = carried_target(chain, target, ws);
    bend_straight::bend_if_straight(chain, target, goals[0].pole.as_ref(), ws);
}

/// Starts a sweep as the default solver starts its descent: limits taken in, bent where it must,
/// aimed, swivelled to the pole. From there the sweep has to lengthen or shorten only, and a target
/// that moves on does not find it on the other side.
pub(in crate::chains) fn start_aimed(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    clamp_to_limits(chain, ws);
    hold_end_rotation(chain, goals, ws);
    ws.state.update(chain);
    prepare(chain, goals, ws);
}

/// The angle at which this pole leaves the chain's swivel as it is without one.
pub(in crate::chains) fn angle_in_place(chain: &Chain, goal: &ChainGoal, pole: &Pole, ws: &mut ChainWorkspace) -> f32 {
    let Some(target) = goal.position else { return 0.0 };
    clamp_to_limits(chain, ws);
    hold_end_rotation(chain, core::slice::from_ref(goal), ws);
    ws.state.update(chain);
    let target = carried_target(chain, target, ws);
    aim::aim(chain, target, None, ws);
    ws.state.hold(None);
    let towards = normalize_or(target - ws.state.position[0], Vec3::Y);
    let to_pole = if pole.is_direction { pole.at } else { pole.at - ws.state.position[0] };
    angle_about(towards, reference_side(chain, pole, ws), to_pole)
}
