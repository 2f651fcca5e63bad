//! Chains that branch or have limits, from near rest to goals that a pose meets.

use super::{Row, counted};
use sinew::chains::{Chain, ChainGoal, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, solve};
use sinew::limits::{Freedom, JointModel, Range, SwingRegion};
use testkit::Random;
use testkit::branched::{self, ends, posed};

/// Solves of a row.
const SOLVES: usize = 20;

/// Swing and twist.
fn cone(_: usize) -> JointModel {
    let twist = Range::new(-0.35, 0.35);
    JointModel::limited(Freedom::Ball { swing: SwingRegion::cone(0.52), twist })
}

fn free(_: usize) -> JointModel {
    JointModel::FREE
}

/// 22 joints, five ends.
fn tree(model: fn(usize) -> JointModel) -> Chain {
    branched::chain(2, 5, 4, model)
}

/// Start poses and goals.
fn cases(chain: &Chain, is_turned: bool) -> Vec<(ChainPose, Vec<ChainGoal>)> {
    let mut random = Random::new(3);
    let goal = |(place, rotation)| if is_turned { ChainGoal::pose(place, rotation) } else { ChainGoal::at(place) };
    (0..=SOLVES)
        .map(|_| {
            let goals = ends(chain, &posed(chain, 0.7, &mut random)).into_iter().map(goal).collect();
            (posed(chain, 0.2, &mut random), goals)
        })
        .collect()
}

/// Solves, and the iterations that they took.
fn solves(chain: &Chain, is_turned: bool, solver: ChainSolver, settings: &ChainSettings) -> (u64, u64) {
    let mut workspace = ChainWorkspace::new(chain);
    let mut iterations = 0;
    for (i, (mut pose, goals)) in cases(chain, is_turned).into_iter().enumerate() {
        let mut taken = 0;
        let mut work = || taken = solve(solver, chain, &mut pose, &goals, settings, &mut workspace).iterations;
        // The first one warms up.
        if i == 0 {
            work();
        } else {
            counted(&mut work);
            iterations += u64::from(taken);
        }
    }
    (SOLVES as u64, iterations)
}

/// Whole solves to 1e-3 of the length. A unit is a solve.
fn solve_row(name: &str, make: fn() -> Chain, is_turned: bool) -> Row {
    let settings = ChainSettings { tolerance: 1e-3, tolerance_rad: 1e-3, ..ChainSettings::default() };
    let work = move || solves(&make(), is_turned, ChainSolver::Default, &settings).0;
    Row { name: format!("branched_default/{name}"), work: Box::new(work) }
}

/// FABRIK on its own, what is done once per solve spread over its iterations. A unit is an
/// iteration.
fn fabrik_row(name: &str, make: fn() -> Chain) -> Row {
    let settings = ChainSettings { tolerance: 0.0, finish: false, max_iterations: 20, ..ChainSettings::default() };
    let work = move || solves(&make(), false, ChainSolver::Fabrik, &settings).1;
    Row { name: format!("branched_fabrik_iteration/{name}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        solve_row("22_joints_5_ends", || tree(free), false),
        solve_row("22_joints_5_ends_limits", || tree(cone), false),
        solve_row("22_joints_5_ends_limits_rotations", || tree(cone), true),
        solve_row("line_of_20_limits", || branched::chain(20, 0, 0, cone), false),
        fabrik_row("22_joints_5_ends", || tree(free)),
        fabrik_row("22_joints_5_ends_limits", || tree(cone)),
    ]
}
