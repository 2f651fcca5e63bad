//! Chains that start at their last answer: no jumps while goals can be met, a bounded search where
//! they cannot, the pose of the animation where the goals leave it free, and the same bits after a
//! snapshot.

use crate::cases::Case;
use sinew::chains::{
    Chain, ChainGoal, ChainPose, ChainSettings, ChainSolver, Pole, WarmStart, solve_warm, solve_within,
};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::optim::Work;
use sinew::outcome::Outcome;
use testkit::continuity::SmoothPath;
use testkit::matchers::rotation_angle_rad;
use testkit::{Random, branched};

const FRAMES: usize = 600;

/// Hinges about X and Z in turn, 60 degrees either way.
fn hinge(joint: usize) -> JointModel {
    let axis = [HingeAxis::X, HingeAxis::Z][joint % 2];
    JointModel::limited(Freedom::Hinge { axis, range: Range::new(-1.05, 1.05) })
}

/// Swing by 30 degrees, twist by 20.
fn cone(_: usize) -> JointModel {
    let swing = SwingRegion::cone(0.52);
    JointModel::limited(Freedom::Ball { swing, twist: Range::new(-0.35, 0.35) })
}

type Shape = (&'static str, [usize; 3], fn(usize) -> JointModel);

const LINES: [Shape; 4] = [
    ("6 hinges", [6, 0, 0], hinge),
    ("12 hinges", [12, 0, 0], hinge),
    ("6 cones", [6, 0, 0], cone),
    ("20 cones", [20, 0, 0], cone),
];
const TREES: [Shape; 2] = [("tree of hinges", [2, 5, 4], hinge), ("tree of cones", [2, 5, 4], cone)];

fn case(shape: Shape, seed: u64) -> Case {
    let (_, [trunk, branches, length], model) = shape;
    let chain = branched::chain(trunk, branches, length, model);
    let start = branched::posed(&chain, 0.6, &mut Random::new(seed));
    Case::of(seed, chain, start)
}

/// Poses within the limits that move smoothly.
struct Witness {
    joints: Vec<SmoothPath>,
}

impl Witness {
    fn new(chain: &Chain, random: &mut Random) -> Self {
        Self { joints: (0..chain.joints().len()).map(|_| SmoothPath::random(random, 6, Vec3::ZERO, 2.0)).collect() }
    }
    fn at(&self, case: &Case, s: f64) -> ChainPose {
        let mut pose = case.start.clone();
        for ((q, joint), path) in pose.rotations.iter_mut().zip(case.chain.joints()).zip(&self.joints) {
            let v = path.at(s);
            *q = joint.model.project(axis_angle(v.normalize_or(Vec3::X), v.length().min(2.0)));
        }
        pose
    }
}

fn goals_at(case: &Case, pose: &ChainPose) -> Vec<ChainGoal> {
    let at = |(p, _): &([f64; 3], Quat)| ChainGoal::at(Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32));
    case.places(pose).iter().map(at).collect()
}

/// From the animation, or with a warm start; and the steps of work that it took.
fn solve(case: &mut Case, settings: &ChainSettings, warm: Option<&mut WarmStart>) -> (Outcome, u32) {
    case.pose.clone_from(&case.start);
    case.workspace.work_mut().begin(Work::MOST);
    let (chain, pose, goals) = (&case.chain, &mut case.pose, &case.goals);
    let (solver, ws) = (ChainSolver::Default, &mut case.workspace);
    let outcome = match warm {
        Some(warm) => solve_warm(solver, chain, pose, goals, settings, ws, warm),
        None => solve_within(solver, chain, pose, goals, settings, ws),
    };
    (outcome, Work::MOST - case.workspace.work_mut().left())
}

fn largest_turn(a: &ChainPose, b: &ChainPose) -> f64 {
    a.rotations.iter().zip(&b.rotations).map(|(a, b)| rotation_angle_rad(*a, *b)).fold(0.0, f64::max)
}

/// Motion of answers over frames, and its price.
#[derive(Debug, Default)]
struct Seen {
    /// Frames whose pose turns a joint by more than [`JUMP_RAD`].
    jumps: usize,
    missed: usize,
    most_work: u32,
    work: u64,
    last: Option<ChainPose>,
}

/// More than the paths and the return to the animation turn a joint in a frame, radians.
const JUMP_RAD: f64 = 0.3;

impl Seen {
    fn add(&mut self, case: &Case, work: u32) {
        let turn = self.last.as_ref().map_or(0.0, |last| largest_turn(last, &case.pose));
        self.jumps += usize::from(turn > JUMP_RAD);
        self.missed += usize::from(case.miss().0 > 1e-4);
        self.most_work = self.most_work.max(work);
        self.work += u64::from(work);
        self.last = Some(case.pose.clone());
        assert!(case.violation() < 1e-5, "{} rad beyond limits", case.violation());
    }
}

/// Follows goals from frame to frame, with a warm start and without.
fn follow(shape: Shape, seeds: u64, goals: impl Fn(&Case, &Witness, f64) -> Vec<ChainGoal>) -> [Seen; 2] {
    let settings = ChainSettings::default();
    let mut seen = [Seen::default(), Seen::default()];
    for seed in 0..seeds {
        let mut case = case(shape, seed);
        let witness = Witness::new(&case.chain, &mut Random::new(seed));
        case.start = witness.at(&case, 0.1);
        let mut warm = WarmStart::new(&case.chain);
        seen.iter_mut().for_each(|seen| seen.last = None);
        for frame in 0..FRAMES {
            case.goals = goals(&case, &witness, frame as f64 / FRAMES as f64 * 0.5);
            let (_, work) = solve(&mut case, &settings, Some(&mut warm));
            seen[0].add(&case, work);
            let (_, work) = solve(&mut case, &settings, None);
            seen[1].add(&case, work);
        }
    }
    seen
}

#[test]
fn limited_chains_keep_their_family_while_it_meets_the_goals() {
    let (mut without, mut with) = (0, 0);
    for shape in LINES.into_iter().chain(TREES) {
        let [warm, cold] = follow(shape, 10, |case, witness, s| goals_at(case, &witness.at(case, s)));
        println!(
            "{}: jumps {} ({} without), missed {} ({})",
            shape.0, warm.jumps, cold.jumps, warm.missed, cold.missed
        );
        // A family that ends is left, some attempts later.
        assert!(warm.jumps <= 8 && warm.missed <= 30, "{warm:?}");
        (with, without) = (with + warm.jumps, without + cold.jumps);
    }
    assert!(20 * with < without, "{with} jumps with a warm start, {without} without");
}

#[test]
fn goals_out_of_reach_cost_one_attempt_a_solve() {
    for shape in LINES.into_iter().chain(TREES) {
        let length = case(shape, 0).chain.length();
        // Rest is straight up; behind and beside it limits keep goals away.
        let [warm, cold] = follow(shape, 4, |case, witness, s| {
            let mut goals = goals_at(case, &witness.at(case, s));
            for goal in &mut goals {
                let turn = axis_angle(Vec3::X, 2.6);
                goal.position =
                    goal.position.map(|p| case.root() + turn * (p - case.root()) + Vec3::Y * (0.1 * length));
            }
            goals
        });
        println!(
            "{}: missed {} ({}), jumps {} ({}), work mean {} ({}), most {} ({})",
            shape.0,
            warm.missed,
            cold.missed,
            warm.jumps,
            cold.jumps,
            warm.work / 2400,
            cold.work / 2400,
            warm.most_work,
            cold.most_work
        );
        assert!(warm.missed <= cold.missed + 20, "{}: {warm:?}", shape.0);
        if cold.missed > 1000 {
            assert!(4 * warm.work < cold.work && 2 * warm.most_work < cold.most_work, "{}: {warm:?}", shape.0);
            assert!(2 * warm.jumps < cold.jumps, "{}: {} jumps, {} without", shape.0, warm.jumps, cold.jumps);
        }
    }
}

#[test]
fn goals_that_stand_still_are_found_as_often_as_in_one_search() {
    let settings = ChainSettings::default();
    for shape in LINES.into_iter().chain(TREES) {
        let (mut warm_reached, mut cold_reached) = (0, 0);
        for seed in 0..60 {
            let mut case = case(shape, seed);
            let pose = branched::posed(&case.chain, 2.5, &mut Random::new(1000 + seed));
            case.goals = goals_at(&case, &pose);
            let mut warm = WarmStart::new(&case.chain);
            for _ in 0..60 {
                solve(&mut case, &settings, Some(&mut warm));
            }
            warm_reached += usize::from(case.miss().0 < 1e-4);
            solve(&mut case, &settings, None);
            cold_reached += usize::from(case.miss().0 < 1e-4);
        }
        println!("{}: {warm_reached} of 60, {cold_reached} in one search", shape.0);
        assert!(warm_reached + 1 >= cold_reached, "{}: {warm_reached}, {cold_reached}", shape.0);
    }
}

#[test]
fn a_goal_moved_out_and_back_returns_the_pose() {
    let settings = ChainSettings::default();
    for shape in LINES.into_iter().chain(TREES) {
        let mut worst = 0.0_f64;
        for seed in 0..20 {
            let mut case = case(shape, seed);
            let mut warm = WarmStart::new(&case.chain);
            let rest = goals_at(&case, &case.start);
            let way = Random::new(seed).in_ball(0.25 * case.chain.length());
            let mut first = None;
            for frame in 0..400 {
                // There, a while, back, a while.
                let share = match frame {
                    0..100 => frame as f32 / 100.0,
                    100..200 => 1.0,
                    200..300 => (300 - frame) as f32 / 100.0,
                    _ => 0.0,
                };
                for (goal, rest) in case.goals.iter_mut().zip(&rest) {
                    goal.position = rest.position.map(|p| p + way * share);
                }
                solve(&mut case, &settings, Some(&mut warm));
                first.get_or_insert_with(|| case.pose.clone());
            }
            worst = worst.max(largest_turn(first.as_ref().unwrap(), &case.pose));
        }
        assert!(worst < 1e-5, "{}: {worst} rad", shape.0);
    }
}

/// Angle between the pole and the side to which the chain bends, about the line from its root to
/// the target.
fn off_the_pole(case: &Case, target: Vec3, pole: Vec3) -> f64 {
    let (mut place, mut turn, mut sum) = (case.pose.root_position, case.pose.root_rotation, Vec3::ZERO);
    for (joint, q) in case.chain.joints().iter().zip(&case.pose.rotations) {
        place += turn * joint.offset;
        turn = (turn * joint.rest * *q).normalize();
        sum += place - case.root();
    }
    let line = (target - case.root()).normalize();
    let across = |v: Vec3| v - line * v.dot(line);
    f64::from(across(sum).angle_between(across(pole)))
}

#[test]
fn a_pole_turns_the_bend_with_a_warm_start_too() {
    let settings = ChainSettings::default();
    let (mut worst, mut cold_worst) = (0.0_f64, 0.0_f64);
    for seed in 0..20 {
        let mut case = case(LINES[3], seed);
        case.start = branched::posed(&case.chain, 0.1, &mut Random::new(seed));
        let target = case.root() + Vec3::Y * (0.9 * case.chain.length());
        let mut warm = WarmStart::new(&case.chain);
        for frame in 0..300 {
            let at = axis_angle(Vec3::Y, frame.min(250) as f32 * 0.01) * Vec3::Z;
            let pole = Some(Pole { is_direction: true, ..Pole::point(at) });
            case.goals[0] = ChainGoal { pole, ..ChainGoal::at(target) };
            solve(&mut case, &settings, Some(&mut warm));
        }
        let at = axis_angle(Vec3::Y, 2.5) * Vec3::Z;
        worst = worst.max(off_the_pole(&case, target, at));
        assert!(case.miss().0 < 1e-5, "{seed}");
        solve(&mut case, &settings, None);
        cold_worst = cold_worst.max(off_the_pole(&case, target, at));
    }
    println!("{worst} rad off the pole, {cold_worst} without a warm start");
    assert!(worst < cold_worst + 0.05, "{worst} rad off the pole, {cold_worst} without a warm start");
}

#[test]
fn a_saved_answer_goes_on_with_the_same_bits() {
    let settings = ChainSettings::default();
    let mut case = case(TREES[0], 3);
    let witness = Witness::new(&case.chain, &mut Random::new(3));
    let mut warm = WarmStart::new(&case.chain);
    for frame in 0..30 {
        case.goals = goals_at(&case, &witness.at(&case, f64::from(frame) * 0.02));
        solve(&mut case, &settings, Some(&mut warm));
    }
    let mut words = Vec::new();
    warm.write(&mut |word| words.push(word));
    let mut other = WarmStart::new(&case.chain);
    let read = |warm: &mut WarmStart, words: &[u32], commit| {
        let mut words = words.iter().copied();
        warm.read(&mut || words.next(), commit)
    };
    read(&mut other, &words, true).unwrap();
    assert!(read(&mut other, &words[1..], false).is_err());
    let mut broken = words.clone();
    broken[4] = f32::NAN.to_bits();
    assert!(read(&mut other, &broken, false).is_err());
    for frame in 30..60 {
        case.goals = goals_at(&case, &witness.at(&case, f64::from(frame) * 0.02));
        solve(&mut case, &settings, Some(&mut warm));
        let pose = case.pose.clone();
        solve(&mut case, &settings, Some(&mut other));
        assert_eq!(pose, case.pose, "{frame}");
    }
    // Without an answer it starts as a solve without memory does.
    other.reset();
    let (outcome, _) = solve(&mut case, &ChainSettings { max_attempts: 0, ..settings }, Some(&mut other));
    let pose = case.pose.clone();
    let (cold, _) = solve(&mut case, &ChainSettings { max_attempts: 0, ..settings }, None);
    assert_eq!((outcome, pose), (cold, case.pose));
}
