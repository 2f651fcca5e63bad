//! Many bodies in one call: the bits of solves one by one on any number of threads, levels of
//! detail, budgets, and runners that break their contract.

use core::ops::Range;
use sinew::body::{BodyDetail, BodyMode, Demand, PlacedBody, PlacedDemand};
use sinew::math::{Transform, Vec3};
use sinew::outcome::Status;
use sinew::skeleton::{Skeleton, SkeletonBuilder};
use sinew::tasks::Position;
use sinew::world::{BodyWork, RangeResult, Runner, RunnerFault, Serial, WorkClaimed, solve_bodies};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use testkit::matchers::{assert_pose_bits_equal, max_joint_step_rad};
use testkit::random::Random;

fn skeleton() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let root = builder.joint_at("root", None, Vec3::Y);
    for side in [-1.0, 1.0] {
        let mut above = root;
        for number in 0..4 {
            let place = Vec3::new(0.25 * side, 0.02, 0.01 * number as f32);
            above = builder.joint_at(&format!("{number} {side}"), Some(above), place);
        }
    }
    Arc::new(builder.build().expect("a skeleton"))
}

const LEFT: usize = 4;
const RIGHT: usize = 8;

/// Bodies with goals of their own; some track.
fn bodies(skeleton: &Arc<Skeleton>, count: usize) -> Vec<PlacedBody> {
    let mut random = Random::new(7);
    let one = |number: usize| {
        let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        body.set_mode(if number.is_multiple_of(3) { BodyMode::Track } else { BodyMode::Converge });
        let goal = |x: f32, random: &mut Random| Vec3::new(x, 1.2, 0.2) + random.in_ball(0.3);
        let left = Demand::new(Position::new(LEFT, goal(-0.6, &mut random)));
        let right = Demand { level: 1, ..Demand::new(Position::new(RIGHT, goal(0.6, &mut random))) };
        body.add_task(PlacedDemand::from(left)).expect("a task");
        body.add_task(PlacedDemand::from(right)).expect("a task");
        body
    };
    (0..count).map(one).collect()
}

/// Several frames of all bodies in one call each; the poses.
fn frames(skeleton: &Arc<Skeleton>, count: usize, runner: &dyn Runner) -> (Vec<Vec<Transform>>, Option<RunnerFault>) {
    let mut bodies = bodies(skeleton, count);
    let mut poses = vec![skeleton.rest_local().to_vec(); count];
    let mut fault = None;
    for _ in 0..3 {
        poses.iter_mut().for_each(|pose| pose.copy_from_slice(skeleton.rest_local()));
        let both = bodies.iter_mut().zip(&mut poses);
        let mut works: Vec<_> = both.map(|(body, pose)| Mutex::new(BodyWork::new(body, pose))).collect();
        fault = fault.or(solve_bodies(&mut works, 0.02, runner, None, &|| 0.0));
        for work in works {
            let outcome = work.into_inner().expect("no panic").outcome.expect("solved").expect("a pose");
            assert_ne!(outcome.status, Status::Inactive);
        }
    }
    (poses, fault)
}

/// One by one, without the call.
fn alone(skeleton: &Arc<Skeleton>, count: usize) -> Vec<Vec<Transform>> {
    let one = |mut body: PlacedBody| {
        let mut pose = Vec::new();
        for _ in 0..3 {
            pose = skeleton.rest_local().to_vec();
            body.solve(&mut pose, 0.02).expect("a solve");
        }
        pose
    };
    bodies(skeleton, count).into_iter().map(one).collect()
}

/// Threads that take turns, and by `fault` break their contract.
struct Threads {
    count: u32,
    fault: Option<RunnerFault>,
}

impl Runner for Threads {
    fn run(
        &self,
        count: u32,
        _most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
        let next = AtomicU32::new(0);
        let most = if matches!(self.fault, Some(RunnerFault::NeverRun(_))) { count - 5 } else { count };
        std::thread::scope(|scope| {
            for _ in 0..self.count {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= most {
                            break;
                        }
                        work(at..at + 1);
                    }
                });
            }
        });
        match self.fault {
            Some(RunnerFault::Twice) => assert_eq!(work(2..4), RangeResult::Twice),
            Some(RunnerFault::OutOfRange) => assert_eq!(work(0..count + 1), RangeResult::OutOfRange),
            _ => {}
        }
        Ok(WorkClaimed::All)
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let skeleton = skeleton();
    let expected = alone(&skeleton, 40);
    let check = |runner: &dyn Runner, fault: Option<RunnerFault>| {
        let (poses, found) = frames(&skeleton, 40, runner);
        assert_eq!(found, fault);
        poses.iter().zip(&expected).for_each(|(pose, expected)| assert_pose_bits_equal(expected, pose));
    };
    check(&Serial, None);
    for count in [1, 2, 3, 8] {
        check(&Threads { count, fault: None }, None);
    }
    for fault in [RunnerFault::NeverRun(5), RunnerFault::Twice, RunnerFault::OutOfRange] {
        check(&Threads { count: 3, fault: Some(fault) }, Some(fault));
    }
}

#[test]
fn a_budget_cuts_what_is_left_but_never_the_first() {
    let skeleton = skeleton();
    let mut bodies = bodies(&skeleton, 6);
    let mut poses = vec![skeleton.rest_local().to_vec(); 6];
    for (until, solved) in [(0.0, 1), (2.5, 3), (100.0, 6)] {
        poses.iter_mut().for_each(|pose| pose.copy_from_slice(skeleton.rest_local()));
        let both = bodies.iter_mut().zip(&mut poses);
        let mut works: Vec<_> = both.map(|(body, pose)| Mutex::new(BodyWork::new(body, pose))).collect();
        // Each look at the clock takes a second; the first body does not look.
        let time = AtomicU32::new(0);
        let clock = || f64::from(1 + time.fetch_add(1, Ordering::Relaxed));
        assert_eq!(solve_bodies(&mut works, 0.02, &Serial, Some(until), &clock), None);
        let there = works.into_iter().map(|work| work.into_inner().expect("no panic").outcome.is_some());
        let expected: Vec<_> = (0..6).map(|number| number < solved).collect();
        assert_eq!(there.collect::<Vec<_>>(), expected, "until {until}");
        for (number, pose) in poses.iter().enumerate().skip(solved) {
            assert_eq!(pose, skeleton.rest_local(), "body {number} was cut and moved");
        }
    }
}

#[test]
fn detail_drops_levels_and_iterations_and_lasts_for_one_call() {
    let skeleton = skeleton();
    let mut body = bodies(&skeleton, 2).remove(1);
    let settings = *body.settings();
    let names: Vec<_> = body.tasks().map(|(name, _)| name).collect();
    let rest = || skeleton.rest_local().to_vec();
    let mut full = rest();
    let outcome = body.solve_detailed(&mut full, 0.02, &BodyDetail::FULL).expect("a solve");
    let mut same = rest();
    body.solve(&mut same, 0.02).expect("a solve");
    assert_pose_bits_equal(&full, &same);
    // Level 1 is absent: its arm stays as it is animated.
    let mut first = rest();
    let detail = BodyDetail { max_level: 0, ..BodyDetail::FULL };
    body.solve_detailed(&mut first, 0.02, &detail).expect("a solve");
    assert!(max_joint_step_rad(&first[RIGHT - 3..=RIGHT], &skeleton.rest_local()[RIGHT - 3..=RIGHT]) < 1e-6);
    assert!(max_joint_step_rad(&full[RIGHT - 3..=RIGHT], &skeleton.rest_local()[RIGHT - 3..=RIGHT]) > 0.01);
    let status = |name| body.task_outcome(name).expect("an outcome").0.status;
    assert_eq!((status(names[0]), status(names[1])), (Status::Reached, Status::Inactive));
    // No share of the iterations leaves one.
    let mut least = rest();
    let detail = BodyDetail { iteration_share: 0.0, ..BodyDetail::FULL };
    let little = body.solve_detailed(&mut least, 0.02, &detail).expect("a solve");
    assert!(little.attempts == 1 && little.iterations <= outcome.iterations, "{little:?} beside {outcome:?}");
    assert!(little.residual_m > 20.0 * outcome.residual_m, "{little:?} beside {outcome:?}");
    assert_eq!(*body.settings(), settings);
}
