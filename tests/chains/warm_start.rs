//! Chains that start at their last answer: no jumps while goals can be met, a bounded search where
//! they cannot, the pose of the animation where the goals leave it free, and the same bits after a
//! snapshot.

use crate::cases::Case;
use sinew::chains::{
    Chain, ChainDistance, ChainGoal, ChainPose, ChainSettings, ChainSolver, Pole, WarmStart, solve_warm, solve_within,
};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, Stretch, SwingRegion};
use sinew::math::{Mat3, Quat, Vec3, axis_angle};
use sinew::optim::Work;
use sinew::outcome::Outcome;
use sinew::tasks::DistanceRule;
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
    solve_by(ChainSolver::Default, case, settings, warm)
}

fn solve_by(
    solver: ChainSolver,
    case: &mut Case,
    settings: &ChainSettings,
    warm: Option<&mut WarmStart>,
) -> (Outcome, u32) {
    case.pose.clone_from(&case.start);
    case.workspace.work_mut().begin(Work::MOST);
    let (chain, pose, goals) = (&case.chain, &mut case.pose, &case.goals);
    let ws = &mut case.workspace;
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

/// Static input: the turns of the joints from frame to frame, and the case after the last one.
fn turns_of_a_static_input(case: &mut Case, warm: &mut WarmStart, frames: usize) -> Vec<f64> {
    let settings = ChainSettings::default();
    let mut last: Option<ChainPose> = None;
    let mut turns = Vec::new();
    for _ in 0..frames {
        solve(case, &settings, Some(warm));
        turns.extend(last.map(|last| largest_turn(&last, &case.pose)));
        last = Some(case.pose.clone());
    }
    turns
}

/// Distance of an effector from a point.
fn distance_from(case: &Case, point: Vec3) -> f64 {
    let (p, _) = case.places(&case.pose)[0];
    [p[0] - f64::from(point.x), p[1] - f64::from(point.y), p[2] - f64::from(point.z)]
        .iter()
        .map(|d| d * d)
        .sum::<f64>()
        .sqrt()
}

#[test]
fn distance_goals_that_stand_still_come_to_rest() {
    for rule in [DistanceRule::Inside, DistanceRule::OnSurface, DistanceRule::Outside] {
        for shape in [LINES[0], LINES[2]] {
            let (mut worst, mut farthest) = (0.0_f64, 0.0_f64);
            for seed in 0..40 {
                let mut case = case(shape, seed);
                let length = case.chain.length();
                let posed = branched::posed(&case.chain, 0.9, &mut Random::new(500 + seed));
                let center = goals_at(&case, &posed)[0].position.unwrap();
                // As a constraint gives it: the point of the sphere nearest to the end as animated.
                let end = goals_at(&case, &case.start)[0].position.unwrap();
                let distance = 0.1 * length;
                let on_sphere = center + (end - center).normalize_or(Vec3::Y) * distance;
                let away = (end - center).length() - distance;
                let is_met = match rule {
                    DistanceRule::Inside => away <= 0.0,
                    DistanceRule::OnSurface => away == 0.0,
                    DistanceRule::Outside => away >= 0.0,
                };
                let place = if is_met { end } else { on_sphere };
                let kept = ChainDistance { center, distance, rule, shape: Mat3::IDENTITY };
                case.goals[0] = ChainGoal { distance: Some(kept), ..ChainGoal::at(place) };
                let mut warm = WarmStart::new(&case.chain);
                let turns = turns_of_a_static_input(&mut case, &mut warm, 150);
                worst = worst.max(turns[130..].iter().copied().fold(0.0, f64::max));
                let beyond = distance_from(&case, center) - f64::from(distance);
                let off = match rule {
                    DistanceRule::Inside => beyond.max(0.0),
                    DistanceRule::OnSurface => beyond.abs(),
                    DistanceRule::Outside => (-beyond).max(0.0),
                };
                farthest = farthest.max(off / f64::from(length));
            }
            assert!(worst < 1e-3, "{rule:?}, {}: {worst} rad a frame", shape.0);
            assert!(farthest < 1e-4, "{rule:?}, {}: {farthest} of the length off", shape.0);
        }
    }
}

#[test]
fn an_end_inside_of_its_sphere_goes_back_to_the_animation() {
    let settings = ChainSettings::default();
    for seed in 0..10 {
        let mut case = case(LINES[2], seed);
        let end = goals_at(&case, &case.start)[0].position.unwrap();
        let way = Random::new(seed).in_ball(1.0).normalize() * (0.2 * case.chain.length());
        let mut warm = WarmStart::new(&case.chain);
        for frame in 0..120 {
            let center = if frame < 40 { end + way } else { end };
            let distance = 0.1 * case.chain.length();
            let place = if frame < 40 { center - way * 0.5 } else { end };
            let kept = ChainDistance { center, distance, rule: DistanceRule::Inside, shape: Mat3::IDENTITY };
            case.goals[0] = ChainGoal { distance: Some(kept), ..ChainGoal::at(place) };
            solve(&mut case, &settings, Some(&mut warm));
        }
        let off = largest_turn(&case.start, &case.pose);
        assert!(off < 1e-3, "{seed}: {off} rad from an animation that meets the goal");
    }
}

#[test]
fn poles_that_limits_keep_a_chain_from_come_to_rest() {
    let (mut met, mut worst, mut second) = (0, 0.0_f64, 0.0_f64);
    for seed in 0..100 {
        let mut case = case(LINES[2], seed);
        case.start = ChainPose::rest(&case.chain);
        let mut random = Random::new(seed);
        let target = case.root() + (Vec3::Y * 0.75 + random.in_ball(0.2)) * case.chain.length();
        let pole = Some(Pole::point(case.root() + random.in_ball(3.0) * case.chain.length()));
        case.goals[0] = ChainGoal { pole, ..ChainGoal::at(target) };
        let mut warm = WarmStart::new(&case.chain);
        solve(&mut case, &ChainSettings::default(), Some(&mut warm));
        let (is_met, first) = (case.miss().0 < 1e-5, case.pose.clone());
        solve(&mut case, &ChainSettings::default(), Some(&mut warm));
        if is_met {
            met += 1;
            second = second.max(largest_turn(&first, &case.pose));
        }
        let turns = turns_of_a_static_input(&mut case, &mut warm, 150);
        worst = worst.max(turns[130..].iter().copied().fold(0.0, f64::max));
    }
    assert!(met > 50, "{met}");
    assert!(second < 0.101, "a joint turns by {second} rad in the second solve of a goal that is met");
    assert!(worst < 1e-3, "{worst} rad a frame");
}

#[test]
fn hinges_with_a_position_and_a_rotation_come_to_rest() {
    let mut worst = 0.0_f64;
    for seed in 0..150 {
        let mut case = case(LINES[0], seed);
        let posed = branched::posed(&case.chain, 0.9, &mut Random::new(700 + seed));
        let position = goals_at(&case, &posed)[0].position.unwrap();
        let rotation = Random::new(seed).rotation_within(1.2);
        case.goals[0] = ChainGoal::pose(position, rotation);
        let mut warm = WarmStart::new(&case.chain);
        let turns = turns_of_a_static_input(&mut case, &mut warm, 400);
        worst = worst.max(turns[320..].iter().copied().fold(0.0, f64::max));
    }
    assert!(worst < 1e-3, "{worst} rad a frame");
}

/// Joints of a shape whose bones may stretch by a third.
fn elastic(shape: Shape, seed: u64) -> Case {
    const RUBBER: Stretch = Stretch { min: 0.8, max: 1.3, compliance: 1.0 };
    let is_hinged = shape.0.contains("hinges");
    let rubber: fn(usize) -> JointModel = match is_hinged {
        true => |joint| JointModel { stretch: RUBBER, ..hinge(joint) },
        false => |joint| JointModel { stretch: RUBBER, ..cone(joint) },
    };
    case((shape.0, shape.1, rubber), seed)
}

#[test]
fn stretched_bones_return_to_their_lengths() {
    let settings = ChainSettings::default();
    for shape in [LINES[2], TREES[1]] {
        for seed in 0..10 {
            let mut case = elastic(shape, seed);
            let rest = goals_at(&case, &case.start);
            let mut warm = WarmStart::new(&case.chain);
            let mut longest = 1.0_f32;
            for frame in 0..300 {
                let share = (100 - (frame - 100_i32).abs()).max(0) as f32 / 100.0;
                for (goal, rest) in case.goals.iter_mut().zip(&rest) {
                    let out = rest.position.map(|p| p + (p - case.start.root_position) * (0.4 * share));
                    goal.position = out;
                }
                solve(&mut case, &settings, Some(&mut warm));
                longest = case.pose.stretch.iter().copied().fold(longest, f32::max);
            }
            assert!(longest > 1.05, "{}, {seed}: nothing was stretched", shape.0);
            assert!(case.miss().0 < 1e-5, "{}, {seed}", shape.0);
            assert!(case.pose.stretch.iter().all(|s| *s == 1.0), "{}, {seed}: {:?}", shape.0, case.pose.stretch);
        }
    }
}

#[test]
fn chains_that_have_to_stretch_come_to_rest() {
    for shape in [LINES[2], TREES[1]] {
        let mut worst = 0.0_f64;
        for seed in 0..20 {
            let mut case = elastic(shape, seed);
            let posed = branched::posed(&case.chain, 0.5, &mut Random::new(300 + seed));
            let root = case.start.root_position;
            case.goals = goals_at(&case, &posed);
            for goal in &mut case.goals {
                goal.position = goal.position.map(|p| p + (p - root) * 0.1);
            }
            let mut warm = WarmStart::new(&case.chain);
            let turns = turns_of_a_static_input(&mut case, &mut warm, 200);
            worst = worst.max(turns[180..].iter().copied().fold(0.0, f64::max));
        }
        assert!(worst < 1e-3, "{}: {worst} rad a frame", shape.0);
    }
}

const NAMED: [ChainSolver; 6] = [
    ChainSolver::DampedLeastSquares,
    ChainSolver::Transpose,
    ChainSolver::PseudoInverse,
    ChainSolver::SelectivelyDamped,
    ChainSolver::Fabrik,
    ChainSolver::Ccd,
];

#[test]
fn named_solvers_go_back_to_the_animation() {
    let settings = ChainSettings::default();
    for solver in NAMED {
        for shape in [LINES[2], TREES[1]] {
            for seed in 0..4 {
                let mut case = case(shape, seed);
                let (before, after) =
                    (case.start.clone(), branched::posed(&case.chain, 0.3, &mut Random::new(seed + 9)));
                case.goals = goals_at(&case, &after);
                let frames = |case: &mut Case, warm: &mut WarmStart, start: &ChainPose, count| {
                    case.start = start.clone();
                    (0..count).for_each(|_| _ = solve_by(solver, case, &settings, Some(warm)));
                };
                let mut warm = WarmStart::new(&case.chain);
                frames(&mut case, &mut warm, &before, 60);
                let there = case.pose.clone();
                for _ in 0..100 {
                    let last = case.pose.clone();
                    frames(&mut case, &mut warm, &after, 1);
                    let turn = largest_turn(&last, &case.pose);
                    assert!(turn < 0.101, "{solver:?}, {}, {seed}: {turn} rad in one solve", shape.0);
                }
                let (off, way) = (largest_turn(&after, &case.pose), largest_turn(&there, &after));
                assert!(off < 0.02 && way > 0.2, "{solver:?}, {}, {seed}: {off} rad of {way}", shape.0);
                assert!(case.miss().0 < 1e-5, "{solver:?}, {}, {seed}", shape.0);
            }
        }
    }
}

/// The largest turn of a joint in a solve, of the last 20 of 160 for goals that stand still.
fn unrest(case: &mut Case, solver: ChainSolver) -> f64 {
    let (settings, mut warm) = (ChainSettings::default(), WarmStart::new(&case.chain));
    let (mut last, mut worst) = (case.start.clone(), 0.0_f64);
    for number in 0..160 {
        solve_by(solver, case, &settings, Some(&mut warm));
        if number >= 140 {
            worst = worst.max(largest_turn(&last, &case.pose));
        }
        last = case.pose.clone();
    }
    worst
}

#[test]
fn named_solvers_with_poles_come_to_rest_and_miss_no_more() {
    let (mut missed, mut cold_missed) = (0.0, 0.0);
    for solver in NAMED {
        for (shape, stretches) in [(LINES[0], false), (LINES[2], false), (LINES[2], true)] {
            for seed in 0..24 {
                let mut case = if stretches { elastic(shape, seed) } else { case(shape, seed) };
                case.start = ChainPose::rest(&case.chain);
                let mut random = Random::new(seed);
                let target = case.root() + (Vec3::Y * 0.7 + random.in_ball(0.5)) * case.chain.length();
                let pole = Some(Pole::point(case.root() + random.in_ball(3.0) * case.chain.length()));
                case.goals[0] = ChainGoal { pole, ..ChainGoal::at(target) };
                let worst = unrest(&mut case, solver);
                assert!(worst < 1e-3, "{solver:?}, {}, {stretches}, {seed}: {worst} rad a frame", shape.0);
                missed += case.miss().0;
                solve_by(solver, &mut case, &ChainSettings::default(), None);
                cold_missed += case.miss().0;
            }
        }
    }
    println!("missed by {missed} m in all, {cold_missed} without a warm start");
    assert!(missed < 1.02 * cold_missed + 0.01, "{missed} m, {cold_missed} without a warm start");
}

#[test]
fn trees_of_rubber_come_to_rest_where_their_goals_are_out_of_reach() {
    for shape in TREES {
        for seed in 0..16 {
            let mut case = elastic(shape, seed);
            let posed = branched::posed(&case.chain, 2.0, &mut Random::new(900 + seed));
            let root = case.start.root_position;
            case.goals = goals_at(&case, &posed);
            for (number, goal) in case.goals.iter_mut().enumerate() {
                goal.position = goal.position.map(|p| p + (p - root) * (0.15 * number as f32));
            }
            let worst = unrest(&mut case, ChainSolver::Default);
            assert!(worst < 1e-3, "{}, {seed}: {worst} rad a frame", shape.0);
        }
    }
}

#[test]
fn the_proportional_solver_jumps_and_misses_less_with_a_warm_start() {
    let settings = ChainSettings::default();
    for shape in [LINES[0], LINES[2]] {
        let mut seen = [Seen::default(), Seen::default()];
        let mut case = case(shape, 1);
        case.start = ChainPose::rest(&case.chain);
        let mut warm = WarmStart::new(&case.chain);
        for frame in 0..1500 {
            let along = |axis: Vec3, speed: f32, at: f32| {
                let half = axis_angle(Vec3::Z, 0.01 * speed * frame as f32 + at) * Vec3::X;
                axis * half.x
            };
            let around =
                along(Vec3::X * 0.3, 1.0, 1.57) + along(Vec3::Y * 0.12, 1.3, 0.0) + along(Vec3::Z * 0.2, 0.7, 0.6);
            case.goals = vec![ChainGoal::at(case.root() + (Vec3::Y * 0.7 + around) * case.chain.length())];
            let (_, work) = solve_by(ChainSolver::Spring, &mut case, &settings, Some(&mut warm));
            seen[0].add(&case, work);
            let (_, work) = solve_by(ChainSolver::Spring, &mut case, &settings, None);
            seen[1].add(&case, work);
        }
        let [warm, cold] = seen;
        println!(
            "spring, {}: jumps {} ({} without), missed {} ({})",
            shape.0, warm.jumps, cold.jumps, warm.missed, cold.missed
        );
        assert!(warm.jumps <= cold.jumps && warm.missed <= cold.missed, "{}: {warm:?} {cold:?}", shape.0);
    }
}

#[test]
fn a_solve_without_limits_forgets_the_answer() {
    let settings = ChainSettings::default();
    let solvers = [ChainSolver::Default, ChainSolver::Ccd];
    for solver in solvers {
        let mut limited = case(LINES[2], 1);
        let posed = branched::posed(&limited.chain, 0.9, &mut Random::new(77));
        limited.goals = goals_at(&limited, &posed);
        let mut warm = WarmStart::new(&limited.chain);
        (0..5).for_each(|_| _ = solve_by(solver, &mut limited, &settings, Some(&mut warm)));
        let mut free = case(("free", [6, 0, 0], |_| JointModel::FREE), 1);
        free.goals = limited.goals.clone();
        solve_by(solver, &mut free, &settings, Some(&mut warm));
        let words = |warm: &WarmStart| {
            let mut words = Vec::new();
            warm.write(&mut |word| words.push(word));
            words
        };
        assert_eq!(words(&warm), words(&WarmStart::new(&limited.chain)), "{solver:?}");
    }
}
