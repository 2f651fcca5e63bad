//! The loop of the plain methods.

use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::Vec3;
use crate::optim::progress::Progress;
use crate::outcome::{Outcome, Status};

/// The loop of the plain methods: clamps to limits, holds the last joint, then steps until the
/// goals are met, the iterations are used up, or nothing is gained. The best pose met is the
/// result.
pub(in crate::chains) fn iterate(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    mut step: impl FnMut(&Chain, &mut ChainWorkspace, Vec3),
) -> Outcome {
    start::clamp_to_limits(chain, ws);
    start::hold_end_rotation(chain, goals, ws);
    ws.state.number_rows(goals);
    ws.state.update(chain);
    let target = goals[0].position.map_or(Vec3::ZERO, |p| start::carried_target(chain, p, ws));
    let mut best = ws.state.measure(chain, goals);
    ws.save(Slot::Best);
    let mut outcome = Outcome { status: Status::OutOfIterations, ..Outcome::INACTIVE };
    let mut progress = Progress::new(best.cost);
    let sweep_steps = (3 * chain.joints.len() * chain.effectors.len()) as u32;
    loop {
        if best.is_reached(chain, settings) {
            outcome.status = Status::Reached;
            break;
        }
        let is_spent = !ws.work.spend(sweep_steps);
        if outcome.iterations >= settings.max_iterations || is_spent {
            break;
        }
        if progress.is_stalled() {
            outcome.status = Status::Stalled;
            break;
        }
        outcome.iterations += 1;
        step(chain, ws, target);
        let miss = ws.state.measure(chain, goals);
        if progress.add(miss.cost) {
            best = miss;
            ws.save(Slot::Best);
        }
    }
    ws.restore(Slot::Best);
    ws.state.hold(None);
    Outcome { residual_m: best.metres, residual_rad: best.radians, ..outcome }
}
