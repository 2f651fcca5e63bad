//! Chains that branch or have limits, from near rest to goals that a pose meets, and to goals
//! anywhere, most of which their limits keep them from.

use super::{Row, counted};
use sinew::chains::{
    Chain, ChainGoal, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, WarmStart, solve, solve_warm,
};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, SwingRegion};
use testkit::Random;
use testkit::branched::{self, ends, posed};

/// Solves of a row.
const SOLVES: usize = 20;
/// Frames of a row with a warm start, and as many before them.
const WARM_FRAMES: usize = 10;

/// Swing and twist.
fn cone(_: usize) -> JointModel {
    let twist = Range::new(-0.35, 0.35);
    JointModel::limited(Freedom::Ball { swing: SwingRegion::cone(0.52), twist })
}

/// Hinges about X and Z in turn, 60 degrees either way.
fn hinge(joint: usize) -> JointModel {
    let range = Range::new(-1.05, 1.05);
    JointModel::limited(Freedom::Hinge { axis: [HingeAxis::X, HingeAxis::Z][joint % 2], range })
}

fn free(_: usize) -> JointModel {
    JointModel::FREE
}

/// Where goals are.
#[derive(Clone, Copy)]
enum Goals {
    /// Where a pose puts the ends.
    Met,
    /// The same, rotations too.
    Turned,
    /// In any direction, at 0.1 to 1.3 of the length.
    Anywhere,
}

/// 22 joints, five ends.
fn tree(model: fn(usize) -> JointModel) -> Chain {
    branched::chain(2, 5, 4, model)
}

/// Start poses and goals.
fn cases(chain: &Chain, goals: Goals) -> Vec<(ChainPose, Vec<ChainGoal>)> {
    let mut random = Random::new(3);
    (0..=SOLVES)
        .map(|_| {
            let found = ends(chain, &posed(chain, 0.7, &mut random)).into_iter();
            let goals = found
                .map(|(place, rotation)| match goals {
                    Goals::Met => ChainGoal::at(place),
                    Goals::Turned => ChainGoal::pose(place, rotation),
                    Goals::Anywhere => {
                        ChainGoal::at(random.unit_vector() * (random.between(0.1, 1.3) * chain.length()))
                    }
                })
                .collect();
            (posed(chain, 0.2, &mut random), goals)
        })
        .collect()
}

/// Solves, and the iterations that they took.
fn solves(chain: &Chain, goals: Goals, solver: ChainSolver, settings: &ChainSettings) -> (u64, u64) {
    let mut workspace = ChainWorkspace::new(chain);
    let mut iterations = 0;
    for (i, (mut pose, goals)) in cases(chain, goals).into_iter().enumerate() {
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
fn solve_row(name: &str, make: fn() -> Chain, goals: Goals) -> Row {
    let settings = ChainSettings { tolerance: 1e-3, tolerance_rad: 1e-3, ..ChainSettings::default() };
    let work = move || solves(&make(), goals, ChainSolver::Default, &settings).0;
    Row { name: format!("branched_default/{name}"), work: Box::new(work) }
}

/// Frames of goals anywhere that wander by up to a hundredth of the length, each from the same pose
/// with a warm start: as `solve_row`, whose solves search. A unit is a frame.
fn warm_row(name: &str, make: fn() -> Chain) -> Row {
    let settings = ChainSettings { tolerance: 1e-3, tolerance_rad: 1e-3, ..ChainSettings::default() };
    let work = move || {
        let chain = make();
        let mut workspace = ChainWorkspace::new(&chain);
        for (start, mut goals) in cases(&chain, Goals::Anywhere) {
            let (mut random, mut warm) = (Random::new(4), WarmStart::new(&chain));
            for frame in 0..2 * WARM_FRAMES {
                for goal in &mut goals {
                    goal.position = goal.position.map(|p| p + random.in_ball(0.01 * chain.length()));
                }
                let mut pose = start.clone();
                let mut work = || {
                    _ = solve_warm(
                        ChainSolver::Default,
                        &chain,
                        &mut pose,
                        &goals,
                        &settings,
                        &mut workspace,
                        &mut warm,
                    );
                };
                // The first frames find the best family.
                if frame < WARM_FRAMES { work() } else { counted(&mut work) }
            }
        }
        ((SOLVES + 1) * WARM_FRAMES) as u64
    };
    Row { name: format!("branched_warm/{name}"), work: Box::new(work) }
}

/// FABRIK on its own, what is done once per solve spread over its iterations. A unit is an
/// iteration.
fn fabrik_row(name: &str, make: fn() -> Chain) -> Row {
    let settings = ChainSettings { tolerance: 0.0, finish: false, max_iterations: 20, ..ChainSettings::default() };
    let work = move || solves(&make(), Goals::Met, ChainSolver::Fabrik, &settings).1;
    Row { name: format!("branched_fabrik_iteration/{name}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        solve_row("22_joints_5_ends", || tree(free), Goals::Met),
        solve_row("22_joints_5_ends_limits", || tree(cone), Goals::Met),
        solve_row("22_joints_5_ends_limits_rotations", || tree(cone), Goals::Turned),
        solve_row("line_of_20_limits", || branched::chain(20, 0, 0, cone), Goals::Met),
        solve_row("22_joints_5_ends_hinges_anywhere", || tree(hinge), Goals::Anywhere),
        solve_row("line_of_7_hinges_anywhere", || branched::chain(7, 0, 0, hinge), Goals::Anywhere),
        solve_row("line_of_3_limits_anywhere", || branched::chain(3, 0, 0, cone), Goals::Anywhere),
        warm_row("22_joints_5_ends_hinges_anywhere", || tree(hinge)),
        warm_row("22_joints_5_ends_limits_anywhere", || tree(cone)),
        warm_row("42_joints_4_ends_limits_anywhere", || branched::chain(2, 4, 10, cone)),
        warm_row("line_of_7_hinges_anywhere", || branched::chain(7, 0, 0, hinge)),
        warm_row("line_of_3_limits_anywhere", || branched::chain(3, 0, 0, cone)),
        fabrik_row("22_joints_5_ends", || tree(free)),
        fabrik_row("22_joints_5_ends_limits", || tree(cone)),
    ]
}
