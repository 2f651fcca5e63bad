//! No setting makes a solve long: its work is counted in steps, bounded, and can be ended from
//! another thread or by a world's budget. What is left then is the best pose so far.

use sinew::animator::Animator;
use sinew::chains::{ChainSettings, ChainSolver};
use sinew::constraints::{ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintGoal, ConstraintId};
use sinew::limits::{AxisLimits, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3};
use sinew::optim::{Interrupt, Source, Work};
use sinew::skeleton::{JointDefinition, Skeleton};
use sinew::world::{Call, Deadline, OwnBuffers, Registry, Serial, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use testkit::matchers;

/// A trunk of ten joints that ends in four branches of ten.
const BRANCH: usize = 10;

fn tree() -> Arc<Skeleton> {
    let joint = |name: String, parent, position| {
        let rest = Transform { position, rotation: Quat::IDENTITY, scale: Vec3::ONE };
        JointDefinition { name, parent, rest }
    };
    let mut joints = Vec::new();
    for place in 0..BRANCH {
        joints.push(joint(format!("trunk{place}"), place.checked_sub(1), Vec3::new(0.0, 0.1, 0.0)));
    }
    for branch in 0..4 {
        for place in 0..BRANCH {
            let parent = if place == 0 { BRANCH - 1 } else { joints.len() - 1 };
            let side = if place == 0 { 0.05 * (branch as f32 - 1.5) } else { 0.0 };
            joints.push(joint(format!("branch{branch}.{place}"), Some(parent), Vec3::new(side, 0.1, 0.0)));
        }
    }
    Arc::new(Skeleton::new(joints).unwrap())
}

const ENDS: [usize; 4] = [2 * BRANCH - 1, 3 * BRANCH - 1, 4 * BRANCH - 1, 5 * BRANCH - 1];

fn goals() -> [Vec3; 4] {
    // Four corners that no pose reaches together.
    [(1.6, 0.9), (-1.6, 0.7), (0.9, -1.5), (-0.8, -1.6)].map(|(x, y)| Vec3::new(x, y, 0.4))
}

/// The tree with limits, its goals out of reach, and the most effort that any setting allows.
fn hopeless() -> (Animator, ConstraintId) {
    let skeleton = tree();
    let mut animator = Animator::new(skeleton.clone(), None).unwrap();
    let limits = AxisLimits { locked: [false; 3], range: [Some(Range::new(-0.7, 0.7)); 3] };
    let model = JointModel::limited(limits.into());
    for joint in 0..skeleton.joint_count() {
        animator.set_joint_limits(joint, &model).unwrap();
    }
    let ends = ENDS.map(|joint| ChainEnd { joint, tip_js: Vec3::ZERO }).to_vec();
    let settings = ChainSettings { max_iterations: 100_000, max_attempts: 10_000, ..ChainSettings::default() };
    let definition = ChainDefinition { ends, settings, ..ChainDefinition::to_root(ENDS[0]) };
    let id = animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
    let input = animator.constraint_mut(id).unwrap();
    for (goal, at) in input.goals.iter_mut().zip(goals()) {
        *goal =
            ConstraintGoal { position_ws: Some(at), rotation_ws: Some(Quat::from_xyzw(0.6, 0.0, 0.8, 0.0)), ..*goal };
    }
    input.weight = 1.0;
    (animator, id)
}

/// A line of joints with limits, its goal out of reach, and the method that goes on for longest
/// there: a tenth of a second and more.
fn long() -> (Animator, ConstraintId) {
    const COUNT: usize = 4_000;
    let joint = |place: usize| {
        let rest = Transform { position: Vec3::new(0.0, 1e-3, 0.0), rotation: Quat::IDENTITY, scale: Vec3::ONE };
        JointDefinition { name: format!("joint{place}"), parent: place.checked_sub(1), rest }
    };
    let skeleton = Arc::new(Skeleton::new((0..COUNT).map(joint).collect()).unwrap());
    let mut animator = Animator::new(skeleton, None).unwrap();
    let limits = AxisLimits { locked: [false; 3], range: [Some(Range::new(-0.7, 0.7)); 3] };
    for joint in 0..COUNT {
        animator.set_joint_limits(joint, &JointModel::limited(limits.into())).unwrap();
    }
    let settings = ChainSettings { max_iterations: 100_000, ..ChainSettings::default() };
    let definition = ChainDefinition { settings, solver: ChainSolver::Ccd, ..ChainDefinition::to_root(COUNT - 1) };
    let id = animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
    let input = animator.constraint_mut(id).unwrap();
    input.goals[0].position_ws = Some(Vec3::new(4.4, 1.0, 0.5));
    input.weight = 1.0;
    (animator, id)
}

/// Sum of the squared distances of the ends from their goals, from outside.
fn left(animator: &Animator) -> f64 {
    let frames = matchers::forward_kinematics(animator.skeleton(), animator.pose().local());
    let squares = ENDS.iter().zip(goals()).map(|(joint, goal)| {
        let at = frames[*joint].point([0.0; 3]);
        let goal = goal.to_array().map(f64::from);
        (0..3).map(|axis| (at[axis] - goal[axis]) * (at[axis] - goal[axis])).sum::<f64>()
    });
    squares.sum()
}

fn bits(animator: &Animator) -> Vec<[u32; 10]> {
    animator.pose().local().iter().map(|t| matchers::numbers(t).map(f32::to_bits)).collect()
}

fn solve_with(steps: u32) -> (Animator, ConstraintId) {
    let (mut animator, id) = hopeless();
    animator.set_max_work(steps);
    animator.solve().unwrap();
    (animator, id)
}

#[test]
fn no_setting_lifts_the_bound_and_less_work_is_worse_or_equal() {
    let (unsolved, _) = hopeless();
    let mut before = left(&unsolved);
    for steps in [0, 20_000, 200_000, 1_000_000, Work::MOST] {
        let (animator, id) = solve_with(steps);
        let (again, _) = solve_with(steps);
        assert_eq!(bits(&animator), bits(&again), "{steps} steps give other bits the second time");
        let now = left(&animator);
        // Rotations share the objective: distances alone may grow a little.
        assert!(now <= before * 1.1 + 1e-9, "{steps} steps leave {now} m², fewer left {before}");
        assert!(animator.pose().local().iter().all(Transform::is_finite));
        // An iteration takes at least a pass over all joints.
        let iterations = animator.constraint_outcome(id).unwrap().iterations;
        let most = steps / (5 * BRANCH as u32) + 1;
        assert!(iterations <= most, "{iterations} iterations by {steps} steps");
        before = before.min(now);
    }
    let (animator, _) = solve_with(u32::MAX);
    assert_eq!(animator.max_work(), Work::MOST);
}

/// Time of a solve without interrupts.
fn whole() -> Duration {
    let (mut animator, _) = long();
    let begun = Instant::now();
    animator.solve().unwrap();
    begun.elapsed()
}

#[derive(Debug, Default)]
struct Flag(AtomicBool);

impl Interrupt for Flag {
    fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn another_thread_ends_a_solve_and_the_pose_is_sound() {
    let whole = whole();
    let (mut animator, id) = long();
    let flag = Arc::new(Flag::default());
    animator.set_interrupt(Source::Cancel, Some(flag.clone()));
    let took = std::thread::scope(|scope| {
        let raise = flag.clone();
        let wait = whole / 20;
        scope.spawn(move || {
            std::thread::sleep(wait);
            raise.0.store(true, Ordering::Relaxed);
        });
        let begun = Instant::now();
        animator.solve().unwrap();
        begun.elapsed()
    });
    assert!(took < whole / 2, "it took {took:?} of {whole:?}");
    assert!(animator.pose().local().iter().all(Transform::is_finite));
    assert!(animator.constraint_outcome(id).unwrap().residual_m > 0.0);
    // Cleared, the same animator solves as ever.
    flag.0.store(false, Ordering::Relaxed);
    animator.pose_mut().local_mut().copy_from_slice(long().0.pose().local());
    animator.solve().unwrap();
    let (mut never_cut, _) = long();
    never_cut.solve().unwrap();
    assert_eq!(bits(&animator), bits(&never_cut));
}

#[test]
fn a_budget_ends_a_solve_that_has_begun() {
    let whole = whole();
    let registry = Registry::new();
    let (prepared, _) = long();
    let id = registry.add_character(prepared.skeleton().clone(), None).unwrap();
    registry.characters.with(id, |character| character.animator = prepared).unwrap();
    let mut world = World::new();
    world.join(&registry.characters, id).unwrap();
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64();
    world.set_budget(Some(whole.as_secs_f64() / 20.0));
    world.set_deadline(Some(Arc::new(Deadline::new(Box::new(clock)))));
    let call = Call { characters: &registry.characters, host: &OwnBuffers, runner: &Serial, clock: &clock };
    let begun = Instant::now();
    let report = world.solve_with(&call);
    let took = begun.elapsed();
    assert_eq!(report.solved, 1);
    assert!(took < whole / 2, "it took {took:?} of {whole:?}");
    // Without a budget, nothing cuts it, and nothing is left of the deadline in the animator.
    world.set_budget(None);
    registry.characters.with(id, |character| character.reset_pose()).unwrap();
    world.solve_with(&call);
    let solved = registry.characters.with(id, |character| bits(&character.animator)).unwrap();
    let (mut never_cut, _) = long();
    never_cut.solve().unwrap();
    assert_eq!(solved, bits(&never_cut));
}
