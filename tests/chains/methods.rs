//! What each chain method does without the default solver's help, and joint models that other tests
//! leave out: bones that shorten, bones that the animation lengthens, polygons of eight corners
//! with a twist range, shares of stiff joints.

use crate::cases::Case;
use core::f32::consts::TAU;
use sinew::chains::{Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, Effector};
use sinew::limits::{Freedom, HingeAxis, JointModel, Polygon, Range, Stretch, SwingRegion};
use sinew::math::{Quat, Vec3, axis_angle, float};
use testkit::Random;
use testkit::reach::Reach;

/// No other method, no other start: a method on its own.
fn alone(max_iterations: u32) -> ChainSettings {
    ChainSettings { finish: false, max_attempts: 0, max_iterations, ..ChainSettings::default() }
}

#[test]
fn each_jacobian_method_reaches_alone() {
    // The transpose follows the gradient and needs many more steps.
    for (solver, iterations, within) in [
        (ChainSolver::DampedLeastSquares, 300, 1e-5),
        (ChainSolver::PseudoInverse, 300, 1e-5),
        (ChainSolver::SelectivelyDamped, 1000, 1e-5),
        (ChainSolver::Transpose, 10_000, 1e-4),
    ] {
        for bones in [3, 5, 12] {
            let reach = Reach::new(bones);
            for (number, target) in reach.targets.iter().enumerate().take(40) {
                let mut case = Case::of(number as u64, reach.chain.clone(), reach.rest.clone());
                case.goals = vec![ChainGoal::at(*target)];
                let outcome = case.solve(solver, &alone(iterations));
                let (miss, _) = case.miss();
                assert!(miss < within, "{solver:?} {bones} bones, target {number}: off by {miss:e}, {outcome:?}");
            }
        }
    }
}

#[test]
fn sweeps_and_springs_reach_alone() {
    for solver in [ChainSolver::Fabrik, ChainSolver::Ccd, ChainSolver::Spring] {
        for bones in [3, 5, 12] {
            let reach = Reach::new(bones);
            for (number, target) in reach.targets.iter().enumerate().take(40) {
                let mut case = Case::of(number as u64, reach.chain.clone(), reach.rest.clone());
                case.goals = vec![ChainGoal::at(*target)];
                let outcome = case.solve(solver, &alone(2000));
                let (miss, _) = case.miss();
                assert!(miss < 1e-5, "{solver:?} {bones} bones, target {number}: off by {miss:e}, {outcome:?}");
            }
        }
    }
}

/// A straight chain along +Y with these bones and this model in every joint; the root at the
/// origin.
fn straight(bones: &[f32], model: impl Fn(usize) -> JointModel) -> (Chain, ChainPose) {
    let vectors: Vec<Vec3> = bones.iter().map(|length| Vec3::Y * *length).collect();
    let models: Vec<JointModel> = (0..bones.len()).map(model).collect();
    let chain = Chain::serial(&vectors, &vec![Quat::IDENTITY; bones.len()], &models).unwrap();
    let pose = ChainPose::rest(&chain);
    (chain, pose)
}

#[test]
fn bones_that_may_shorten_reach_what_is_too_near() {
    let mut random = Random::new(3);
    for number in 0..30 {
        let direction = random.unit_vector();
        for (min, reaches) in [(1.0, false), (0.5, true)] {
            let stretch = Stretch { min, max: 1.0, compliance: 1.0 };
            // A long bone and a short one: nothing nearer than 0.6 can be reached by turning alone.
            let (chain, pose) = straight(&[1.0, 0.4], |_| JointModel { stretch, ..JointModel::FREE });
            let mut case = Case::of(number, chain, pose);
            case.goals = vec![ChainGoal::at(direction * 0.45)];
            let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
            let miss_m = case.miss().0 * f64::from(case.chain.length());
            if reaches {
                assert!(miss_m < 1e-5, "{number}: off by {miss_m} m, {outcome:?}");
            } else {
                assert!((miss_m - 0.15).abs() < 1e-4, "{number}: off by {miss_m} m, {outcome:?}");
            }
            assert!(case.pose.stretch.iter().all(|s| (min - 1e-6..=1.0 + 1e-6).contains(s)), "{:?}", case.pose.stretch);
        }
    }
}

#[test]
fn a_rod_that_cannot_bend_shortens() {
    let stretch = Stretch { min: 0.6, max: 1.0, compliance: 1.0 };
    let freedom = |joint: usize| if joint == 0 { JointModel::FREE } else { JointModel::limited(Freedom::Fixed) };
    for (share, reaches) in [(0.95, true), (0.8, true), (0.65, true), (0.5, false)] {
        let (chain, pose) = straight(&[0.5, 0.7, 0.3], |joint| JointModel { stretch, ..freedom(joint) });
        let length = chain.length();
        let mut case = Case::of(0, chain, pose);
        let target = Vec3::new(0.3, -0.5, 0.8).normalize() * (share * length);
        case.goals = vec![ChainGoal::at(target)];
        let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
        let (miss, _) = case.miss();
        assert_eq!(miss < 1e-5, reaches, "{share}: off by {miss:e} of the length, {outcome:?}");
        assert!(reaches || (miss - 0.1).abs() < 1e-4, "{share}: off by {miss}, as short as it may be is 0.6");
    }
}

#[test]
fn a_chain_whose_bones_the_animation_lengthens_is_solved_as_it_is_now() {
    let mut random = Random::new(5);
    let reach = Reach::new(6);
    let mut chain = reach.chain.clone();
    for frame in 0..60 {
        // Every bone has another length in every frame.
        let grown = |joint: usize| 1.0 + 0.3 * float::sin(0.2 * frame as f32 + joint as f32);
        let offsets: Vec<Vec3> = reach.chain.joints().iter().enumerate().map(|(i, j)| j.offset * grown(i)).collect();
        let tip = reach.chain.effectors()[0].offset * grown(9);
        chain.reshape(&offsets, &[tip]);
        let target = random.unit_vector() * (chain.length() * random.between(0.4, 0.95));

        let mut case = Case::of(frame, chain.clone(), ChainPose::rest(&chain));
        case.goals = vec![ChainGoal::at(target)];
        let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
        let (miss, _) = case.miss();
        assert!(miss < 1e-5, "frame {frame}: off by {miss:e}, {outcome:?}");

        // Bit for bit the answer of a chain that was made with these lengths.
        let joints = chain.joints().iter().zip(&offsets).map(|(j, offset)| ChainJoint { offset: *offset, ..*j });
        let effector = Effector { joint: 5, offset: tip };
        let made = Chain::new(joints.collect(), vec![effector]).unwrap();
        let mut fresh = Case::of(frame, made.clone(), ChainPose::rest(&made));
        fresh.goals = case.goals.clone();
        fresh.solve(ChainSolver::Default, &ChainSettings::default());
        assert_eq!(fresh.pose, case.pose, "frame {frame}");
    }
}

/// A cone of `angle_rad` as a polygon of this many corners, with a range of twist.
fn polygon(corners: usize, angle_rad: f32) -> JointModel {
    let corner = |i: usize| {
        let at = TAU * i as f32 / corners as f32;
        let (sin, cos) = (float::sin(angle_rad), float::cos(angle_rad));
        Vec3::new(sin * float::cos(at), cos, sin * float::sin(at))
    };
    let corners: Vec<Vec3> = (0..corners).map(corner).collect();
    let swing = SwingRegion::Polygon(Polygon::new(&corners).unwrap());
    JointModel::limited(Freedom::Ball { swing, twist: Range::new(-0.3, 0.4) })
}

/// Goals that an admissible pose proves reachable, of a chain of six joints in such polygons; mean
/// iterations.
fn solve_in_polygons(corners: usize) -> f64 {
    let mut random = Random::new(8);
    let mut iterations = 0;
    for number in 0..100 {
        let (chain, rest) = straight(&[0.25; 6], |_| polygon(corners, 25f32.to_radians()));
        let mut witness = rest.clone();
        for (rotation, joint) in witness.rotations.iter_mut().zip(chain.joints()) {
            *rotation = joint.model.project(random.rotation_within(1.0));
        }
        let mut case = Case::of(number, chain, rest);
        let [x, y, z] = case.places(&witness)[0].0;
        case.goals = vec![ChainGoal::at(Vec3::new(x as f32, y as f32, z as f32))];
        let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
        let (miss, _) = case.miss();
        assert!(miss < 1e-5, "{corners} corners, goal {number}: off by {miss:e}, {outcome:?}");
        assert!(case.violation() < 1e-5, "{corners} corners, goal {number}: {} rad out", case.violation());
        iterations += outcome.iterations;
    }
    f64::from(iterations) / 100.0
}

#[test]
fn polygons_of_eight_corners_with_twist_are_kept_and_goals_in_them_reached() {
    // Ten borders at most: more than a joint's list of borders has room for.
    let [four, eight] = [4, 8].map(solve_in_polygons);
    println!("mean iterations: {four} with four corners, {eight} with eight");
    assert!(eight < 4.0 * four + 20.0, "{eight} iterations with eight corners, {four} with four");
}

/// A planar chain of hinges about X with these stiffnesses.
fn stiff_hinges(stiffness: &[f32]) -> (Chain, ChainPose) {
    straight(&vec![0.5; stiffness.len()], |joint| JointModel {
        stiffness: [stiffness[joint]; 3],
        ..JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::FREE })
    })
}

#[test]
fn a_joints_share_of_a_turn_goes_with_1_minus_its_stiffness() {
    for stiffness in [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.75, 0.5], [0.9, 0.5, 0.0]] {
        let (chain, pose) = stiff_hinges(&stiffness);
        let mut case = Case::of(0, chain, pose);
        // Only the end's rotation: every hinge turns it as far as it turns itself.
        let wanted_rad = 0.3;
        case.goals = vec![ChainGoal { rotation: Some(axis_angle(Vec3::X, wanted_rad)), ..ChainGoal::default() }];
        let outcome = case.solve(ChainSolver::DampedLeastSquares, &alone(300));
        assert!(case.miss().1 < 1e-4, "{stiffness:?}: {outcome:?}");
        let all: f32 = stiffness.iter().map(|s| 1.0 - s).sum();
        for (joint, (rotation, stiffness)) in case.pose.rotations.iter().zip(stiffness).enumerate() {
            let (found, share) = (2.0 * float::atan2(rotation.x, rotation.w), (1.0 - stiffness) / all);
            assert!((found / wanted_rad - share).abs() < 0.01, "joint {joint}: {found} rad, its share is {share}");
        }
    }
}

#[test]
fn stiffness_does_not_keep_a_goal_from_being_reached() {
    let mut random = Random::new(6);
    for number in 0..40 {
        let (chain, mut pose) = stiff_hinges(&[0.99, 0.0, 0.99, 0.5]);
        pose.rotations[1] = axis_angle(Vec3::X, 0.3);
        let angle = random.between(-3.0, 3.0);
        let target = Vec3::new(0.0, float::cos(angle), float::sin(angle)) * random.between(0.6, 1.8);
        let mut case = Case::of(number, chain, pose);
        case.goals = vec![ChainGoal::at(target)];
        let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
        assert!(case.miss().0 < 1e-5, "goal {number}: {outcome:?}");
    }
}

/// Said in docs/constraints.md: FABRIK and CCD know neither stiffness nor soft zones, the
/// least-squares methods know both.
#[test]
fn stiffness_and_soft_zones_count_in_the_least_squares_methods_only() {
    let solved = |solver, stiffness: f32, soft_rad: f32| {
        let (chain, mut pose) = straight(&[0.5; 4], |_| JointModel {
            stiffness: [stiffness, 0.0, 0.5 * stiffness],
            soft_rad,
            ..JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-0.8, 0.8) })
        });
        pose.rotations[1] = axis_angle(Vec3::X, 0.5);
        let mut case = Case::of(0, chain, pose);
        case.goals = vec![ChainGoal::at(Vec3::new(0.0, 0.9, 1.1))];
        case.solve(solver, &alone(12));
        case.pose.rotations.iter().map(|q| q.to_array()).collect::<Vec<_>>()
    };
    for solver in [ChainSolver::Fabrik, ChainSolver::Ccd] {
        assert_eq!(solved(solver, 0.0, 0.0), solved(solver, 0.9, 0.0), "{solver:?}");
        assert_eq!(solved(solver, 0.0, 0.0), solved(solver, 0.0, 0.5), "{solver:?}");
    }
    let dls = ChainSolver::DampedLeastSquares;
    assert_ne!(solved(dls, 0.0, 0.0), solved(dls, 0.9, 0.0));
    assert_ne!(solved(dls, 0.0, 0.0), solved(dls, 0.0, 0.5));
}
