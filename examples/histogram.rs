//! Random solves of many kinds: how long the usual one takes and how long the longest, and what is
//! left of their goals. `cargo xtask bench --histogram` runs it on the build that is shipped.
//!
//! Arguments: solves in all (100,000), and part of a kind's name. A row has the time by the clock
//! of the thread (of those longer than all before the least of three, as other programs run, too),
//! the steps of work, which are the same every time, and the residuals as shares of the length.

use sinew::chains::{Chain, ChainGoal, ChainSettings, ChainSolver, ChainWorkspace, solve_within};
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Vec3};
use sinew::optim::Work;
use sinew::outcome::{Outcome, Status};
use testkit::Random;
use testkit::branched::{self, ends, posed};

#[path = "counted/time.rs"]
#[allow(dead_code)]
mod time;

/// What the joints of a rig may do.
#[derive(Clone, Copy, PartialEq)]
enum Limits {
    None,
    /// Hinges about X and Z in turn, 60 degrees either way.
    Hinges,
    /// Swing and twist.
    Cones,
    /// A hinge that closes only, after a first joint that swings, too.
    Finger,
    /// Wide enough that no pose near rest meets them.
    Wide,
}

impl Limits {
    const ALL: [Self; 4] = [Self::None, Self::Hinges, Self::Cones, Self::Finger];
    fn name(self) -> &'static str {
        match self {
            Self::None => "free",
            Self::Hinges => "hinges",
            Self::Cones => "cones",
            Self::Finger => "finger",
            Self::Wide => "wide",
        }
    }
    fn model(self, joint: usize) -> JointModel {
        let range = |angle: f32| Range::new(-angle, angle);
        let hinge = |axis, range| JointModel::limited(Freedom::Hinge { axis, range });
        match self {
            Self::None => JointModel::FREE,
            Self::Hinges => hinge([HingeAxis::X, HingeAxis::Z][joint % 2], range(1.05)),
            Self::Cones => JointModel::limited(Freedom::Ball { swing: SwingRegion::cone(0.52), twist: range(0.35) }),
            Self::Finger if joint == 0 => JointModel::limited(Freedom::from(AxisLimits {
                locked: [false, true, false],
                range: [Some(Range::new(-0.3, 1.5)), None, Some(range(0.25))],
            })),
            Self::Finger => hinge(HingeAxis::X, Range::new(0.0, 1.6)),
            Self::Wide => JointModel::limited(Freedom::Ball { swing: SwingRegion::cone(2.8), twist: range(2.8) }),
        }
    }
}

/// Where goals are.
#[derive(Clone, Copy, PartialEq)]
enum Goals {
    /// Where a pose within the limits puts the ends.
    Met,
    /// The same, rotations too.
    Turned,
    /// In any direction, at 0.1 to 1.3 of the length.
    Anywhere,
    /// The same, with rotations.
    AnywhereTurned,
    /// Met by a pose near rest, and moved by up to a tenth of the length.
    Near,
    /// At rest, 5 % farther from the root.
    Outward,
}

impl Goals {
    fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Turned => "met, turned",
            Self::Anywhere => "anywhere",
            Self::AnywhereTurned => "anywhere, turned",
            Self::Near => "near",
            Self::Outward => "outward",
        }
    }
}

#[derive(Clone, Copy)]
enum Shape {
    Line(usize),
    /// Trunk, number of branches, joints of a branch.
    Tree(usize, usize, usize),
}

struct Kind {
    shape: Shape,
    limits: Limits,
    goals: Goals,
    solver: ChainSolver,
}

impl Kind {
    fn name(&self) -> String {
        let shape = match self.shape {
            Shape::Line(joints) => format!("line of {joints}"),
            Shape::Tree(trunk, branches, length) => format!("tree of {trunk} + {branches} x {length}"),
        };
        let solver = if self.solver == ChainSolver::Default { "" } else { ", fabrik" };
        format!("{shape}, {}, {}{solver}", self.limits.name(), self.goals.name())
    }
    fn chain(&self) -> Chain {
        let (trunk, branches, length) = match self.shape {
            Shape::Line(joints) => (joints, 0, 0),
            Shape::Tree(trunk, branches, length) => (trunk, branches, length),
        };
        branched::chain(trunk, branches, length, |joint| self.limits.model(joint))
    }
}

fn goals(kind: &Kind, chain: &Chain, random: &mut Random) -> Vec<ChainGoal> {
    let spread = match kind.goals {
        Goals::Met | Goals::Turned if kind.limits != Limits::Wide => 1.4,
        Goals::Outward => 0.0,
        _ => 0.3,
    };
    let found = ends(chain, &posed(chain, spread, random));
    let goal = |(place, rotation): (Vec3, Quat), random: &mut Random| {
        let length = chain.length();
        match kind.goals {
            Goals::Met => ChainGoal::at(place),
            Goals::Turned => ChainGoal::pose(place, rotation),
            Goals::Anywhere => ChainGoal::at(random.unit_vector() * random.between(0.1, 1.3) * length),
            Goals::AnywhereTurned => {
                ChainGoal::pose(random.unit_vector() * random.between(0.1, 1.3) * length, random.rotation())
            }
            Goals::Near => ChainGoal::at(place + random.in_ball(0.1 * length)),
            Goals::Outward => ChainGoal::at(place * (1.05 + 0.01 * random.unit01())),
        }
    };
    found.into_iter().map(|found| goal(found, random)).collect()
}

fn kinds() -> Vec<(Kind, f64)> {
    let mut kinds = Vec::new();
    let solver = ChainSolver::Default;
    for limits in Limits::ALL {
        for joints in [3, 7, 20] {
            for goals in [Goals::Met, Goals::Anywhere] {
                kinds.push((Kind { shape: Shape::Line(joints), limits, goals, solver }, 1.0));
            }
        }
        for (joints, goals) in
            [(7, Goals::Turned), (20, Goals::Turned), (7, Goals::AnywhereTurned), (20, Goals::AnywhereTurned)]
        {
            kinds.push((Kind { shape: Shape::Line(joints), limits, goals, solver }, 1.0));
        }
        if limits == Limits::Finger {
            continue;
        }
        for goals in [Goals::Met, Goals::Near, Goals::Outward, Goals::Anywhere, Goals::AnywhereTurned] {
            kinds.push((Kind { shape: Shape::Tree(2, 5, 4), limits, goals, solver }, 1.0));
        }
    }
    kinds.push((
        Kind { shape: Shape::Tree(2, 5, 4), limits: Limits::None, goals: Goals::Met, solver: ChainSolver::Fabrik },
        1.0,
    ));
    for (limits, goals) in [
        (Limits::None, Goals::Anywhere),
        (Limits::Cones, Goals::Anywhere),
        (Limits::Finger, Goals::Anywhere),
        (Limits::Cones, Goals::AnywhereTurned),
    ] {
        kinds.push((Kind { shape: Shape::Tree(2, 4, 10), limits, goals, solver }, 0.3));
    }
    for limits in [Limits::None, Limits::Cones] {
        kinds.push((Kind { shape: Shape::Tree(40, 16, 60), limits, goals: Goals::Outward, solver }, 0.005));
        kinds.push((Kind { shape: Shape::Tree(40, 16, 60), limits, goals: Goals::AnywhereTurned, solver }, 0.005));
    }
    kinds.push((Kind { shape: Shape::Line(300), limits: Limits::Wide, goals: Goals::Met, solver }, 0.1));
    for joints in [300, 1000, 4000] {
        kinds.push((Kind { shape: Shape::Line(joints), limits: Limits::None, goals: Goals::Anywhere, solver }, 0.1));
    }
    kinds
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let all: f64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(100_000.0);
    let part = arguments.next().unwrap_or_default();
    let list = kinds();
    let shares: f64 = list.iter().map(|(_, share)| share).sum();
    println!(
        "| kind | solves | us, median | 99 % | most | steps, median | 99 % | most | iterations, most | reached | left, mean | left, 99 % |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (kind, share) in list.iter().filter(|(kind, _)| kind.name().contains(&part)) {
        let count = ((all * share / shares) as usize).max(3);
        let chain = kind.chain();
        let mut workspace = ChainWorkspace::new(&chain);
        let mut random = Random::new(9);
        let settings = ChainSettings::default();
        let (mut us, mut steps, mut iterations, mut left, mut reached) = (vec![], vec![], vec![], vec![], 0);
        for _ in 0..count {
            let goals = goals(kind, &chain, &mut random);
            let start = posed(&chain, 0.2, &mut random);
            let mut solve = || {
                let mut pose = start.clone();
                workspace.work_mut().begin(Work::MOST);
                let mut outcome = Outcome::INACTIVE;
                let took = time::timed(|| {
                    outcome = solve_within(kind.solver, &chain, &mut pose, &goals, &settings, &mut workspace);
                });
                (took * 1e6, outcome, Work::MOST - workspace.work_mut().left())
            };
            let (mut took, outcome, spent) = solve();
            if us.iter().all(|before| took > *before) {
                took = took.min(solve().0).min(solve().0);
            }
            us.push(took);
            steps.push(f64::from(spent));
            iterations.push(f64::from(outcome.iterations));
            left.push(f64::from((outcome.residual_m / chain.length()) + outcome.residual_rad / 3.0));
            reached += u32::from(outcome.status == Status::Reached);
        }
        let at = |list: &mut Vec<f64>, share: f64| {
            list.sort_by(f64::total_cmp);
            list[((list.len() - 1) as f64 * share) as usize]
        };
        let mean = left.iter().sum::<f64>() / count as f64;
        println!(
            "| {} | {count} | {:.1} | {:.1} | {:.1} | {} | {} | {} | {} | {:.1} % | {mean:.6} | {:.5} |",
            kind.name(),
            at(&mut us, 0.5),
            at(&mut us, 0.99),
            at(&mut us, 1.0),
            at(&mut steps, 0.5),
            at(&mut steps, 0.99),
            at(&mut steps, 1.0),
            at(&mut iterations, 1.0),
            f64::from(reached) / count as f64 * 100.0,
            at(&mut left, 0.99),
        );
    }
}
