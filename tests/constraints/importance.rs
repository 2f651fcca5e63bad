//! Weights fade a goal of a chain; importances decide between goals that cannot all be met.

use crate::any_rig::tip_ws;
use sinew::animator::Animator;
use sinew::chains::ChainSolver;
use sinew::constraints::{ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintGoal, ConstraintId};
use sinew::limits::{Freedom, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;
use testkit::Random;
use testkit::characters::to_rest;
use testkit::matchers;

/// Joints of the ends of [`fork`].
const ENDS: [usize; 2] = [6, 10];

/// A stem of two bones that forks into two arms of four, in another pose for each number.
fn fork(random: &mut Random, solver: ChainSolver) -> (Animator, ConstraintId) {
    let joint = |parent: Option<usize>, position| JointDefinition {
        name: String::new(),
        parent,
        rest: Transform { position, ..Transform::IDENTITY },
    };
    let mut joints = vec![joint(None, Vec3::ZERO), joint(Some(0), Vec3::Y * 0.3), joint(Some(1), Vec3::Y * 0.3)];
    for side in [-1.0, 1.0] {
        let mut parent = 2;
        for step in 0..4 {
            joints.push(joint(Some(parent), Vec3::new(0.25 * side, if step == 0 { 0.1 } else { 0.0 }, 0.0)));
            parent = joints.len() - 1;
        }
    }
    let skeleton = Arc::new(Skeleton::new(joints).unwrap());
    let mut animator = Animator::new(skeleton, None).unwrap();
    for joint in 0..animator.skeleton().joint_count() {
        animator.pose_mut().local_mut()[joint].rotation = random.rotation_within(1.0);
    }
    let ends = ENDS.map(|joint| ChainEnd { joint, tip_js: Vec3::ZERO }).to_vec();
    let definition = ChainDefinition { ends, solver, ..ChainDefinition::default() };
    let id = animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
    (animator, id)
}

fn solve(animator: &mut Animator, id: ConstraintId, animated: &[Transform], goals: [ConstraintGoal; 2]) {
    animator.pose_mut().local_mut().copy_from_slice(animated);
    let input = animator.constraint_mut(id).unwrap();
    input.weight = 1.0;
    input.goals.copy_from_slice(&goals);
    animator.solve().unwrap();
}

#[test]
fn an_end_whose_weight_fades_returns_to_the_animation_beside_one_at_its_goal() {
    let mut random = Random::new(71);
    for solver in [ChainSolver::Default, ChainSolver::SelectivelyDamped, ChainSolver::Fabrik] {
        for _ in 0..20 {
            let (mut animator, id) = fork(&mut random, solver);
            let animated = animator.pose().local().to_vec();
            let own = ENDS.map(|end| tip_ws(&animator, end, Vec3::ZERO));
            let goals = own.map(|tip| tip + random.in_ball(0.06));
            for step in 0..=10 {
                let weight = step as f32 / 10.0;
                let faded = ConstraintGoal { position_weight: weight, ..ConstraintGoal::at(goals[1]) };
                solve(&mut animator, id, &animated, [ConstraintGoal::at(goals[0]), faded]);
                let left = tip_ws(&animator, ENDS[0], Vec3::ZERO).distance(goals[0]);
                let wanted = own[1].lerp(goals[1], weight);
                let right = tip_ws(&animator, ENDS[1], Vec3::ZERO).distance(wanted);
                assert!(left < 1e-4 && right < 1e-4, "{solver:?} {weight}: {left} and {right} m off");
            }
        }
    }
}

#[test]
fn goals_that_pull_apart_are_left_by_the_inverse_of_their_importances() {
    let mut random = Random::new(72);
    let mut steps = 0;
    for _ in 0..20 {
        let (mut animator, id) = fork(&mut random, ChainSolver::Default);
        let animated = animator.pose().local().to_vec();
        // Out to both sides, farther than both ends reach together.
        let goals = [Vec3::new(-3.0, 0.6, 0.0), Vec3::new(3.0, 0.6, 0.0)];
        let mut before = f32::INFINITY;
        for importance in [0.01, 0.1, 0.4, 1.0] {
            let light = ConstraintGoal { position_importance: importance, ..ConstraintGoal::at(goals[1]) };
            solve(&mut animator, id, &animated, [ConstraintGoal::at(goals[0]), light]);
            let off = [0, 1].map(|end| tip_ws(&animator, ENDS[end], Vec3::ZERO).distance(goals[end]));
            assert!(off[1] < before + 1e-3, "importance {importance}: {off:?} m, before {before}");
            steps += usize::from(off[1] < before - 0.05);
            before = off[1];
        }
        // Only the ratio counts.
        let scaled = |share: f32| {
            [share, 0.4 * share]
                .map(|position_importance| move |at| ConstraintGoal { position_importance, ..ConstraintGoal::at(at) })
        };
        let mut ends = [0.25, 1.0].map(|share| {
            let [first, second] = scaled(share);
            solve(&mut animator, id, &animated, [first(goals[0]), second(goals[1])]);
            ENDS.map(|end| tip_ws(&animator, end, Vec3::ZERO))
        });
        let [a, b] = &mut ends;
        assert!(a.iter().zip(b.iter()).all(|(a, b)| a.distance(*b) < 0.06), "{a:?} and {b:?}");
    }
    assert!(steps > 20, "importances changed something only {steps} times");
}

#[test]
fn importances_decide_between_place_and_rotation_of_an_end() {
    let mut random = Random::new(73);
    for _ in 0..20 {
        let (mut animator, id) = fork(&mut random, ChainSolver::Default);
        // Joints that hardly turn: place and rotation exclude each other.
        for joint in 0..animator.skeleton().joint_count() {
            let even = Range::new(-0.1, 0.1);
            let swing = SwingRegion::Ellipse { x: even, z: even };
            let stiff = JointModel::limited(Freedom::Ball { swing, twist: even });
            animator.set_joint_limits(joint, &stiff).unwrap();
        }
        to_rest(&mut animator);
        let animated = animator.pose().local().to_vec();
        let own = tip_ws(&animator, ENDS[0], Vec3::ZERO);
        let goal = |position, rotation| ConstraintGoal {
            position_importance: position,
            rotation_importance: rotation,
            ..ConstraintGoal::pose(own + Vec3::new(0.0, 0.4, 0.0), Quat::from_rotation_z(-0.8))
        };
        let mut left = |goal: ConstraintGoal| {
            solve(&mut animator, id, &animated, [goal, ConstraintGoal::default()]);
            let turned = animator.joint_ws(ENDS[0]).rotation;
            let off = tip_ws(&animator, ENDS[0], Vec3::ZERO).distance(goal.position_ws.unwrap_or_default());
            (off, matchers::rotation_angle_rad(turned, goal.rotation_ws.unwrap_or_default()))
        };
        let (place, turn) = (left(goal(1.0, 0.01)), left(goal(0.01, 1.0)));
        assert!(place.0 + 0.02 < turn.0 && place.1 > turn.1 + 0.02, "{place:?} and {turn:?}");
    }
}
