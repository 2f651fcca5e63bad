//! Chains as constraints on an animator: any rig, any parent, judged by forward kinematics from outside.

use sinew::chains::chain::{ChainSolver, Pole};
use sinew::chains::pose_chain::{PoseChainDefinition, PoseChainError};
use sinew::goal::Status;
use sinew::humanoid::{Animator, AnimatorError, ConstraintGoal};
use sinew::limits::{AxisLimits, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3};
use std::sync::Arc;
use testkit::Random;
use testkit::chains::{ParentKind, random_chain};
use testkit::matchers::{self, Affine64};

const ROOT: Transform =
    Transform { position: Vec3::new(0.3, -0.2, 1.1), rotation: Quat::IDENTITY, scale: Vec3::new(1.0, 1.0, 1.0) };

fn tip_ws(animator: &Animator, joint: usize, tip_js: Vec3) -> Vec3 {
    let frames = matchers::forward_kinematics(animator.skeleton(), animator.pose().local());
    let world = Affine64::from_transform(animator.root()).then(&frames[joint]);
    let p = world.point([tip_js.x, tip_js.y, tip_js.z].map(f64::from));
    Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)
}

/// A target that some pose of the chain reaches: the tip of the chain with other rotations within `spread`.
fn witness(animator: &Animator, joints: &[usize], tip_js: Vec3, spread: f32, random: &mut Random) -> (Vec3, Quat) {
    let mut other = animator.clone();
    for &joint in joints {
        let turn = random.rotation_within(spread);
        let local = &mut other.pose_mut().local_mut()[joint];
        local.rotation = (local.rotation * turn).normalize();
    }
    let end = joints[joints.len() - 1];
    (tip_ws(&other, end, tip_js), other.joint_ws(end).rotation)
}

#[test]
fn reachable_goals_are_reached_under_any_parent_and_weight_0_touches_nothing() {
    let mut random = Random::new(11);
    let mut worst = 0.0f32;
    for parent in ParentKind::ALL {
        for count in [2, 3, 5, 12, 40] {
            let rig = random_chain(&mut random, count, 0.4, parent);
            let skeleton = Arc::new(rig.skeleton.clone());
            let mut animator = Animator::new(skeleton, None).unwrap();
            animator.set_root(ROOT).unwrap();
            let tip_js = Vec3::new(0.02, 0.05, -0.01);
            let definition =
                PoseChainDefinition { joint_count: count, tip_js, ..PoseChainDefinition::to_root(rig.end()) };
            let id = animator.add_chain(&definition).unwrap();
            let size = matchers::distance(
                tip_ws(&animator, rig.joints[0], Vec3::ZERO).to_array().map(f64::from),
                tip_ws(&animator, rig.end(), tip_js).to_array().map(f64::from),
            ) as f32
                + 0.1;
            for _ in 0..4 {
                let rest = animator.skeleton().rest_local().to_vec();
                animator.pose_mut().local_mut().copy_from_slice(&rest);
                let (target, _) = witness(&animator, &rig.joints, tip_js, 1.0, &mut random);
                let goal = ConstraintGoal { position_ws: Some(target), ..ConstraintGoal::default() };
                animator.set_constraint_goal(id, goal).unwrap();
                animator.solve().unwrap();
                matchers::assert_pose_bits_equal(&rest, animator.pose().local());
                assert_eq!(animator.constraint_outcome(id).unwrap().status, Status::Inactive);
                animator.set_constraint_goal(id, ConstraintGoal { weight: 1.0, ..goal }).unwrap();
                animator.solve().unwrap();
                let off = tip_ws(&animator, rig.end(), tip_js).distance(target);
                let outcome = animator.constraint_outcome(id).unwrap();
                assert!(off < 2e-5 * size.max(1.0), "{parent:?} {count} joints: {off:e} {outcome:?}");
                assert!((outcome.residual_m - off).abs() < 5e-6 * size.max(1.0), "{outcome:?} but {off:e}");
                // Local positions are the bones; under uneven scale their model lengths follow their direction.
                for (before, after) in rest.iter().zip(animator.pose().local()) {
                    assert_eq!((before.position, before.scale), (after.position, after.scale));
                }
                worst = worst.max(off / size);
            }
        }
    }
    println!("worst: {worst:e} of the chain's size");
}

#[test]
fn rotation_goals_limits_and_named_solvers() {
    let mut random = Random::new(12);
    let limits = AxisLimits {
        locked: [false, true, false],
        range: [Some(Range::new(-1.0, 1.2)), None, Some(Range::new(-0.8, 0.8))],
    };
    let model = JointModel::limited(limits.into());
    for solver in [ChainSolver::Default, ChainSolver::DampedLeastSquares, ChainSolver::Ccd, ChainSolver::Fabrik] {
        for _ in 0..6 {
            let rig = random_chain(&mut random, 6, 0.3, ParentKind::Rotated);
            let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
            let definition = PoseChainDefinition {
                joint_count: 6,
                models: vec![model; 6],
                tip_js: Vec3::Y * 0.1,
                solver,
                ..PoseChainDefinition::to_root(rig.end())
            };
            let id = animator.add_chain(&definition).unwrap();
            // Every joint turned within its limits: reachable by construction.
            let mut other = animator.clone();
            for &joint in &rig.joints {
                let (x, z) = (random.between(-0.5, 0.5), random.between(-0.4, 0.4));
                let turn = model.project(sinew::math::axis_angle(Vec3::X, x) * sinew::math::axis_angle(Vec3::Z, z));
                other.pose_mut().local_mut()[joint].rotation *= turn;
            }
            let target = tip_ws(&other, rig.end(), definition.tip_js);
            let goal = ConstraintGoal { position_ws: Some(target), weight: 1.0, ..ConstraintGoal::default() };
            animator.set_constraint_goal(id, goal).unwrap();
            animator.solve().unwrap();
            let off = tip_ws(&animator, rig.end(), definition.tip_js).distance(target);
            assert!(off < 2e-5, "{solver:?}: {off:e} {:?}", animator.constraint_outcome(id).unwrap());
            for &joint in &rig.joints {
                let rest = animator.skeleton().rest_local()[joint].rotation;
                let turned = rest.conjugate() * animator.pose().local()[joint].rotation;
                assert!(model.violation_rad(turned) < 1e-3, "{solver:?} joint {joint}");
            }
        }
    }
    // Position and rotation together, free joints.
    let rig = random_chain(&mut random, 8, 0.3, ParentKind::Mirrored);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let id =
        animator.add_chain(&PoseChainDefinition { joint_count: 8, ..PoseChainDefinition::to_root(rig.end()) }).unwrap();
    let (target, turned) = witness(&animator, &rig.joints, Vec3::ZERO, 0.6, &mut random);
    let goal = ConstraintGoal {
        position_ws: Some(target),
        rotation_ws: Some(turned),
        weight: 1.0,
        ..ConstraintGoal::default()
    };
    animator.set_constraint_goal(id, goal).unwrap();
    animator.solve().unwrap();
    assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 2e-5);
    assert!(matchers::rotation_angle_rad(animator.joint_ws(rig.end()).rotation, turned) < 1e-4);
}

#[test]
fn a_pole_turns_the_chain_and_leaves_the_tip() {
    let mut random = Random::new(13);
    let rig = random_chain(&mut random, 4, 0.3, ParentKind::Rotated);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let id =
        animator.add_chain(&PoseChainDefinition { joint_count: 4, ..PoseChainDefinition::to_root(rig.end()) }).unwrap();
    let (target, _) = witness(&animator, &rig.joints, Vec3::ZERO, 0.8, &mut random);
    let goal = ConstraintGoal { position_ws: Some(target), weight: 1.0, ..ConstraintGoal::default() };
    animator.set_constraint_goal(id, goal).unwrap();
    animator.solve().unwrap();
    let plain = animator.pose().local().to_vec();
    animator
        .set_constraint_goal(id, ConstraintGoal { pole_ws: Some(Pole::point(Vec3::new(2.0, 3.0, -1.0))), ..goal })
        .unwrap();
    let rest = animator.skeleton().rest_local().to_vec();
    animator.pose_mut().local_mut().copy_from_slice(&rest);
    animator.solve().unwrap();
    assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 2e-5);
    assert!(matchers::max_joint_step_rad(&plain, animator.pose().local()) > 0.05, "the pole did nothing");
}

#[test]
fn the_stack_adds_removes_and_refuses() {
    let rig = random_chain(&mut Random::new(14), 3, 0.3, ParentKind::Identity);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let joints = animator.skeleton().joint_count();
    let to_root = PoseChainDefinition::to_root;
    assert_eq!(animator.add_chain(&to_root(joints)).unwrap_err(), PoseChainError::NoSuchJoint(joints));
    let long = PoseChainDefinition { joint_count: 99, ..to_root(rig.end()) };
    assert!(matches!(animator.add_chain(&long), Err(PoseChainError::TooLong { asked: 99, .. })));
    let models = PoseChainDefinition { joint_count: 3, models: vec![JointModel::FREE; 2], ..to_root(rig.end()) };
    assert_eq!(animator.add_chain(&models).unwrap_err(), PoseChainError::ModelCount { joints: 3, given: 2 });
    let first = animator.add_chain(&to_root(rig.end())).unwrap();
    animator.remove_constraint(first).unwrap();
    assert_eq!(animator.remove_constraint(first), Err(AnimatorError::NoSuchConstraint(first)));
    assert_eq!(animator.constraint_outcome(first), Err(AnimatorError::NoSuchConstraint(first)));
    let second = animator.add_chain(&to_root(rig.end())).unwrap();
    assert_ne!(first, second);
    assert_eq!(animator.constraint_goal(second).unwrap(), &ConstraintGoal::default());
}
