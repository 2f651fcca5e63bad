//! Constraints on an animator: any rig, any parent, judged by forward kinematics from outside.

use sinew::animator::{Animator, AnimatorError};
use sinew::chains::{AxisGoal, ChainSolver, Pole};
use sinew::constraints::{
    AimDefinition, ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintError, ConstraintGoal, ConstraintId,
    CopyRotationDefinition, DistanceGoal, DistanceMode, TwoBoneDefinition,
};
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Range, Stretch};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;
use testkit::Random;
use testkit::chains::{ParentKind, random_chain};
use testkit::characters::to_rest;
use testkit::matchers::{self, Affine64};

const ROOT: Transform =
    Transform { position: Vec3::new(0.3, -0.2, 1.1), rotation: Quat::IDENTITY, scale: Vec3::new(1.0, 1.0, 1.0) };

pub fn tip_ws(animator: &Animator, joint: usize, tip_js: Vec3) -> Vec3 {
    let frames = matchers::forward_kinematics(animator.skeleton(), animator.pose().local());
    let world = Affine64::from_transform(animator.root()).then(&frames[joint]);
    let p = world.point([tip_js.x, tip_js.y, tip_js.z].map(f64::from));
    Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)
}

/// A target that some pose of the chain reaches: the tip of the chain with other rotations within
/// `spread`.
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

fn chain(animator: &mut Animator, definition: ChainDefinition) -> ConstraintId {
    animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap()
}

/// Sets the first end's goal and the weight, and solves.
fn solve_for(animator: &mut Animator, id: ConstraintId, goal: ConstraintGoal, weight: f32) {
    let input = animator.constraint_mut(id).unwrap();
    input.goals[0] = goal;
    input.weight = weight;
    animator.solve().unwrap();
}

#[test]
fn reachable_goals_are_reached_under_any_parent_and_weight_0_touches_nothing() {
    let mut random = Random::new(11);
    for parent in ParentKind::ALL {
        for count in [2, 3, 5, 12, 40] {
            let rig = random_chain(&mut random, count, 0.4, parent);
            let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
            animator.set_root(ROOT).unwrap();
            let tip_js = Vec3::new(0.02, 0.05, -0.01);
            let definition = ChainDefinition {
                ends: vec![ChainEnd { joint: rig.end(), tip_js }],
                ..ChainDefinition::ending_at(rig.end(), count)
            };
            let id = chain(&mut animator, definition);
            let size =
                tip_ws(&animator, rig.joints[0], Vec3::ZERO).distance(tip_ws(&animator, rig.end(), tip_js)) + 0.1;
            for _ in 0..4 {
                to_rest(&mut animator);
                let rest = animator.pose().local().to_vec();
                let (target, _) = witness(&animator, &rig.joints, tip_js, 1.0, &mut random);
                solve_for(&mut animator, id, ConstraintGoal::at(target), 0.0);
                matchers::assert_pose_bits_equal(&rest, animator.pose().local());
                assert_eq!(animator.constraint_outcome(id).unwrap().status, Status::Inactive);
                solve_for(&mut animator, id, ConstraintGoal::at(target), 1.0);
                let off = tip_ws(&animator, rig.end(), tip_js).distance(target);
                let outcome = animator.constraint_outcome(id).unwrap();
                assert!(off < 2e-5 * size.max(1.0), "{parent:?} {count} joints: {off:e} {outcome:?}");
                assert!((outcome.residual_m - off).abs() < 5e-6 * size.max(1.0), "{outcome:?} but {off:e}");
                // Local positions are the bones; under uneven scale their model lengths follow
                // their direction.
                for (before, after) in rest.iter().zip(animator.pose().local()) {
                    assert_eq!((before.position, before.scale), (after.position, after.scale));
                }
            }
        }
    }
}

#[test]
fn the_animators_joint_limits_hold_for_every_solver_and_can_be_set_late() {
    let mut random = Random::new(12);
    let limits = AxisLimits {
        locked: [false, true, false],
        range: [Some(Range::new(-1.0, 1.2)), None, Some(Range::new(-0.8, 0.8))],
    };
    let model = JointModel::limited(limits.into());
    for solver in [ChainSolver::Default, ChainSolver::DampedLeastSquares, ChainSolver::Ccd, ChainSolver::Fabrik] {
        for late in [false, true] {
            let rig = random_chain(&mut random, 6, 0.3, ParentKind::Rotated);
            let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
            let tip_js = Vec3::Y * 0.1;
            let definition = ChainDefinition {
                ends: vec![ChainEnd { joint: rig.end(), tip_js }],
                solver,
                ..ChainDefinition::ending_at(rig.end(), 6)
            };
            let early = (!late).then(|| rig.joints.iter().for_each(|&j| animator.set_joint_limits(j, &model).unwrap()));
            let id = chain(&mut animator, definition);
            if early.is_none() {
                rig.joints.iter().for_each(|&j| animator.set_joint_limits(j, &model).unwrap());
            }
            // Every joint turned within its limits: reachable by construction.
            let mut other = animator.clone();
            for &joint in &rig.joints {
                let (x, z) = (random.between(-0.5, 0.5), random.between(-0.4, 0.4));
                let turn = model.project(axis_angle(Vec3::X, x) * axis_angle(Vec3::Z, z));
                other.pose_mut().local_mut()[joint].rotation *= turn;
            }
            let target = tip_ws(&other, rig.end(), tip_js);
            solve_for(&mut animator, id, ConstraintGoal::at(target), 1.0);
            let off = tip_ws(&animator, rig.end(), tip_js).distance(target);
            assert!(off < 2e-5, "{solver:?}: {off:e} {:?}", animator.constraint_outcome(id).unwrap());
            for &joint in &rig.joints {
                let rest = animator.skeleton().rest_local()[joint].rotation;
                let turned = rest.conjugate() * animator.pose().local()[joint].rotation;
                assert!(model.violation_rad(turned) < 1e-3, "{solver:?} joint {joint}");
                assert!(animator.joint_violation_rad(joint).unwrap() < 1e-3);
            }
        }
    }
}

#[test]
fn position_rotation_and_axis_goals_on_mirrored_and_uneven_rigs() {
    let mut random = Random::new(21);
    for parent in [ParentKind::Identity, ParentKind::Rotated, ParentKind::Mirrored] {
        let rig = random_chain(&mut random, 8, 0.3, parent);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        animator.set_root(ROOT).unwrap();
        let id = chain(&mut animator, ChainDefinition::ending_at(rig.end(), 8));
        let (target, turned) = witness(&animator, &rig.joints, Vec3::ZERO, 0.6, &mut random);
        solve_for(&mut animator, id, ConstraintGoal::pose(target, turned), 1.0);
        assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 2e-5);
        assert!(matchers::rotation_angle_rad(animator.joint_ws(rig.end()).rotation, turned) < 1e-4, "{parent:?}");
        // One axis of the end, wherever it was pointing.
        to_rest(&mut animator);
        let axis_js = random.unit_vector();
        let direction = random.unit_vector();
        let axis_ws = Some(AxisGoal { axis: axis_js, direction });
        solve_for(&mut animator, id, ConstraintGoal { axis_ws, ..ConstraintGoal::at(target) }, 1.0);
        assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 2e-5);
        let points = (tip_ws(&animator, rig.end(), axis_js) - tip_ws(&animator, rig.end(), Vec3::ZERO)).normalize();
        assert!(points.distance(direction) < 2e-4, "{parent:?}: {points} is not {direction}");
    }
}

#[test]
fn weights_go_from_the_animation_to_the_goal_without_a_step() {
    let mut random = Random::new(22);
    for parent in [ParentKind::Rotated, ParentKind::Mirrored] {
        let rig = random_chain(&mut random, 5, 0.3, parent);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        let id = chain(&mut animator, ChainDefinition::ending_at(rig.end(), 5));
        let (target, turned) = witness(&animator, &rig.joints, Vec3::ZERO, 0.6, &mut random);
        let own = tip_ws(&animator, rig.end(), Vec3::ZERO);
        for which in 0..3 {
            let mut last = animator.skeleton().rest_local().to_vec();
            let mut widest = 0.0f64;
            for step in 0..=200 {
                let w = step as f32 / 200.0;
                let mut goal = ConstraintGoal::pose(target, turned);
                match which {
                    0 => {}
                    1 => goal.position_weight = w,
                    _ => goal.rotation_weight = w,
                }
                to_rest(&mut animator);
                solve_for(&mut animator, id, goal, if which == 0 { w } else { 1.0 });
                let tip = tip_ws(&animator, rig.end(), Vec3::ZERO);
                let wanted = if which == 2 { target } else { own.lerp(target, w) };
                assert!(tip.distance(wanted) < 2e-5, "{parent:?} {which} {w}: {}", tip.distance(wanted));
                if step > 0 {
                    widest = widest.max(matchers::max_joint_step_rad(&last, animator.pose().local()));
                }
                last = animator.pose().local().to_vec();
            }
            assert!(widest < 0.08, "{parent:?} {which}: a step of {widest} rad");
        }
    }
}

#[test]
fn a_tree_reaches_with_all_its_ends() {
    let mut random = Random::new(23);
    // A stem of four joints with three branches of four.
    let mut joints = Vec::new();
    let mut add = |parent: Option<usize>, position: Vec3, random: &mut Random| {
        let rest = Transform::new(position, random.rotation_within(0.3));
        joints.push(JointDefinition { name: String::new(), parent, rest });
        joints.len() - 1
    };
    let mut stem = None;
    for _ in 0..4 {
        stem = Some(add(stem, Vec3::Y * 0.3, &mut random));
    }
    let mut ends = Vec::new();
    for branch in 0..3 {
        let mut last = stem;
        for _ in 0..4 {
            last = Some(add(last, Vec3::new(0.1 * (branch as f32 - 1.0), 0.25, 0.0), &mut random));
        }
        ends.extend(last);
    }
    let skeleton = Arc::new(Skeleton::new(joints).unwrap());
    for solver in [ChainSolver::Default, ChainSolver::DampedLeastSquares] {
        let mut animator = Animator::new(skeleton.clone(), None).unwrap();
        let tip_js = Vec3::Y * 0.1;
        let definition = ChainDefinition {
            ends: ends.iter().map(|&joint| ChainEnd { joint, tip_js }).collect(),
            solver,
            ..ChainDefinition::to_root(ends[0])
        };
        let id = chain(&mut animator, definition);
        for _ in 0..8 {
            to_rest(&mut animator);
            let mut other = animator.clone();
            for local in other.pose_mut().local_mut() {
                local.rotation = (local.rotation * random.rotation_within(0.4)).normalize();
            }
            let targets: Vec<Vec3> = ends.iter().map(|&e| tip_ws(&other, e, tip_js)).collect();
            let input = animator.constraint_mut(id).unwrap();
            input.weight = 1.0;
            for (goal, target) in input.goals.iter_mut().zip(&targets) {
                *goal = ConstraintGoal::at(*target);
            }
            animator.solve().unwrap();
            for (&end, target) in ends.iter().zip(&targets) {
                let off = tip_ws(&animator, end, tip_js).distance(*target);
                assert!(off < 3e-5, "{solver:?}: {off:e} {:?}", animator.constraint_outcome(id).unwrap());
            }
        }
    }
}

#[test]
fn a_distance_goal_moves_only_what_breaks_it() {
    let mut random = Random::new(24);
    let rig = random_chain(&mut random, 4, 0.3, ParentKind::Rotated);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let id = chain(&mut animator, ChainDefinition::ending_at(rig.end(), 4));
    let own = tip_ws(&animator, rig.end(), Vec3::ZERO);
    let (centre, _) = witness(&animator, &rig.joints, Vec3::ZERO, 0.5, &mut random);
    let apart = own.distance(centre);
    for mode in [DistanceMode::Inside, DistanceMode::On, DistanceMode::Outside] {
        for factor in [0.7, 1.2] {
            to_rest(&mut animator);
            let rest = animator.pose().local().to_vec();
            let radius_m = apart * factor;
            let goal = ConstraintGoal { distance: Some(DistanceGoal { mode, radius_m }), ..ConstraintGoal::at(centre) };
            solve_for(&mut animator, id, goal, 1.0);
            let now = tip_ws(&animator, rig.end(), Vec3::ZERO).distance(centre);
            let kept_before =
                matches!((mode, factor > 1.0), (DistanceMode::Inside, true) | (DistanceMode::Outside, false));
            if kept_before {
                let moved = matchers::max_joint_step_rad(&rest, animator.pose().local());
                assert!(moved < 1e-5, "{mode:?} {factor}: kept, yet moved by {moved}");
            } else {
                assert!((now - radius_m).abs() < 2e-5, "{mode:?} {factor}: {now} is not {radius_m}");
            }
            let outcome = animator.constraint_outcome(id).unwrap();
            assert_eq!(outcome.status, Status::Reached, "{mode:?} {factor} {outcome:?}");
            assert!(outcome.residual_m < 2e-5);
        }
    }
}

#[test]
fn a_distance_is_kept_where_its_nearest_point_is_out_of_reach() {
    // The tip is pushed out of a sphere that reaches beyond the chain where the tip leaves it,
    // under every parent; measured in world space.
    let mut random = Random::new(31);
    let mut beyond = 0;
    for parent in ParentKind::ALL {
        for _ in 0..40 {
            let rig = random_chain(&mut random, 5, 0.3, parent);
            let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
            let id = chain(&mut animator, ChainDefinition::ending_at(rig.end(), 5));
            let (root, own) = (tip_ws(&animator, rig.joints[0], Vec3::ZERO), tip_ws(&animator, rig.end(), Vec3::ZERO));
            let places: Vec<Vec3> = rig.joints.iter().map(|j| tip_ws(&animator, *j, Vec3::ZERO)).collect();
            let length: f32 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let along = (own - root).normalize_or_zero();
            let centre = root + along * (0.7 * length) + random.unit_vector() * (0.05 * length);
            let radius_m = 0.6 * length;
            let goal = ConstraintGoal {
                distance: Some(DistanceGoal { mode: DistanceMode::Outside, radius_m }),
                ..ConstraintGoal::at(centre)
            };
            if own.distance(centre) >= radius_m {
                continue;
            }
            let nearest = centre + (own - centre).normalize_or_zero() * radius_m;
            beyond += u32::from(nearest.distance(root) > length);
            solve_for(&mut animator, id, goal, 1.0);
            let now = tip_ws(&animator, rig.end(), Vec3::ZERO).distance(centre);
            let outcome = animator.constraint_outcome(id).unwrap();
            assert!(now > radius_m - 3e-5, "{parent:?}: {now} is not {radius_m} {outcome:?}");
            assert_eq!(outcome.status, Status::Reached, "{parent:?} {outcome:?}");
        }
    }
    assert!(beyond > 10, "{beyond}");
}

#[test]
fn a_distance_that_cannot_be_kept_is_unreachable() {
    let mut random = Random::new(32);
    let rig = random_chain(&mut random, 5, 0.3, ParentKind::Rotated);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let id = chain(&mut animator, ChainDefinition::ending_at(rig.end(), 5));
    let root = tip_ws(&animator, rig.joints[0], Vec3::ZERO);
    for (mode, from_root, radius_m) in
        [(DistanceMode::Inside, 9.0, 0.5), (DistanceMode::On, 0.1, 9.0), (DistanceMode::Outside, 0.2, 9.0)]
    {
        to_rest(&mut animator);
        let centre = root + random.unit_vector() * from_root;
        let goal = ConstraintGoal { distance: Some(DistanceGoal { mode, radius_m }), ..ConstraintGoal::at(centre) };
        solve_for(&mut animator, id, goal, 1.0);
        let outcome = animator.constraint_outcome(id).unwrap();
        let left = (tip_ws(&animator, rig.end(), Vec3::ZERO).distance(centre) - radius_m).abs();
        assert_eq!(outcome.status, Status::Unreachable, "{mode:?} {outcome:?}");
        assert!((outcome.residual_m - left).abs() < 1e-4, "{mode:?} {outcome:?}: {left}");
    }
}

/// A sphere that moves out of reach, and back: the chain comes as near to it as it can.
#[test]
fn a_sphere_out_of_reach_is_missed_by_no_more_than_it_is_out_of_reach() {
    let mut random = Random::new(71);
    for mode in [DistanceMode::Inside, DistanceMode::On, DistanceMode::Outside] {
        for _ in 0..40 {
            let joints = (0..4).map(|i| {
                let position = if i == 0 { Vec3::ZERO } else { Vec3::Y / 3.0 };
                let rotation = if i == 0 { Quat::IDENTITY } else { axis_angle(Vec3::X, 0.3) };
                let parent = (i > 0).then(|| i - 1);
                JointDefinition { name: format!("joint {i}"), parent, rest: Transform::new(position, rotation) }
            });
            let skeleton = Arc::new(Skeleton::new(joints.collect::<Vec<_>>()).unwrap());
            let mut animator = Animator::new(skeleton, None).unwrap();
            let id = chain(&mut animator, ChainDefinition::to_root(3));
            let is_near = mode == DistanceMode::Outside || mode == DistanceMode::On && random.unit01() < 0.5;
            let (way, inner) = (random.unit_vector(), 0.5 * random.unit01());
            let mut last = None;
            for step in 0..60 {
                let over = 1e-4 * (step as f32 - 20.0);
                // Beside the sphere, or around: its surface is `over` beyond the chain's reach.
                let radius_m = if is_near { 1.0 + inner + over } else { inner };
                let center = way * if is_near { inner } else { 1.0 + inner + over };
                to_rest(&mut animator);
                let distance = Some(DistanceGoal { mode, radius_m });
                solve_for(
                    &mut animator,
                    id,
                    ConstraintGoal { position_ws: Some(center), distance, ..Default::default() },
                    1.0,
                );
                let tip = tip_ws(&animator, 3, Vec3::ZERO);
                let off = match mode {
                    DistanceMode::Inside => (tip.distance(center) - radius_m).max(0.0),
                    DistanceMode::On => (tip.distance(center) - radius_m).abs(),
                    DistanceMode::Outside => (radius_m - tip.distance(center)).max(0.0),
                };
                let most = if over > 0.0 { over + 2e-4 } else { 3e-3 };
                assert!(off < most, "{mode:?}, {over} out of reach: {off} m off");
                if let Some(last) = last.replace(tip).filter(|_| over > 2e-3) {
                    assert!(tip.distance(last) < 0.02, "{mode:?}, {over} out of reach: a jump");
                }
            }
        }
    }
}

#[test]
fn a_chain_in_a_plane_turns_about_its_axis_only() {
    let mut random = Random::new(25);
    for parent in [ParentKind::Identity, ParentKind::Rotated, ParentKind::Mirrored] {
        let rig = random_chain(&mut random, 5, 0.3, parent);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        let axis_ms = random.unit_vector();
        let definition = ChainDefinition { plane_axis_ms: Some(axis_ms), ..ChainDefinition::ending_at(rig.end(), 5) };
        let id = chain(&mut animator, definition);
        // Reachable in the plane: each joint turned about the axis, in model space.
        let mut other = animator.clone();
        for &joint in &rig.joints {
            let above = other.joint_ws(joint).rotation;
            let turned = axis_angle(axis_ms, random.between(-0.8, 0.8)) * above;
            let parent = animator.skeleton().parent(joint).map(|p| other.joint_ws(p));
            other.pose_mut().local_mut()[joint].rotation = parent.map_or(turned, |p| p.rotation_in(turned));
        }
        let target = tip_ws(&other, rig.end(), Vec3::ZERO);
        // Off the plane on top of it: that part does not count.
        solve_for(&mut animator, id, ConstraintGoal::at(target + axis_ms * 0.2), 1.0);
        let off = tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target);
        let outcome = animator.constraint_outcome(id).unwrap();
        assert!(off < 3e-5, "{parent:?}: {off:e} {outcome:?}");
        assert!(outcome.residual_m < 3e-5 && outcome.status == Status::Reached, "{outcome:?}");
        for &joint in &rig.joints {
            let rest = animator.skeleton().rest_model()[joint].rotation;
            let now = animator.joint_ws(joint).rotation;
            let turn = (now * rest.conjugate()).normalize();
            let aside = Vec3::new(turn.x, turn.y, turn.z).cross(axis_ms).length();
            assert!(aside < 1e-4, "{parent:?} joint {joint} left the plane by {aside}");
        }
    }
}

#[test]
fn two_bones_in_closed_form_with_pole_rotation_and_limits() {
    let mut random = Random::new(26);
    for parent in ParentKind::ALL {
        let rig = random_chain(&mut random, 3, 0.4, parent);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        animator.set_root(ROOT).unwrap();
        let definition = ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(rig.end()));
        let id = animator.add_constraint(&definition).unwrap();
        let (target, turned) = witness(&animator, &rig.joints, Vec3::ZERO, 0.9, &mut random);
        solve_for(&mut animator, id, ConstraintGoal::pose(target, turned), 1.0);
        assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 1e-5, "{parent:?}");
        assert!(matchers::rotation_angle_rad(animator.joint_ws(rig.end()).rotation, turned) < 1e-4, "{parent:?}");
        // A pole only swivels, and the elbow faces it.
        let pole = tip_ws(&animator, rig.joints[1], Vec3::ZERO) + random.unit_vector() * 0.7;
        animator.constraint_mut(id).unwrap().pole_ws = Some(Pole::point(pole));
        animator.solve().unwrap();
        assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 1e-5, "{parent:?}");
        let root = tip_ws(&animator, rig.joints[0], Vec3::ZERO);
        let line = (target - root).normalize();
        let aside = |p: Vec3| (p - root) - line * line.dot(p - root);
        let elbow = aside(tip_ws(&animator, rig.joints[1], Vec3::ZERO));
        if !matches!(parent, ParentKind::UnevenlyScaled) {
            let angle = elbow.angle_between(aside(pole));
            assert!(elbow.length() < 1e-3 || angle < 1e-3, "{parent:?}: the elbow is {angle} rad off the pole");
        }
        // Limits, once set, hold: the elbow a hinge that turns one way.
        let hinge = JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(0.0, 2.4) });
        animator.set_joint_limits(rig.joints[1], &hinge).unwrap();
        to_rest(&mut animator);
        solve_for(&mut animator, id, ConstraintGoal::at(target), 1.0);
        assert!(animator.joint_violation_rad(rig.joints[1]).unwrap() < 1e-3);
    }
}

#[test]
fn a_limb_s_softness_fades_with_every_weight_of_its_position() {
    let mut random = Random::new(27);
    for parent in [ParentKind::Rotated, ParentKind::Mirrored, ParentKind::UnevenlyScaled] {
        let rig = random_chain(&mut random, 3, 0.4, parent);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        animator.set_root(ROOT).unwrap();
        let soft = TwoBoneDefinition { softness: 0.6, ..TwoBoneDefinition::ending_at(rig.end()) };
        let id = animator.add_constraint(&ConstraintDefinition::TwoBone(soft)).unwrap();
        let [root, mid, own] = [0, 1, 2].map(|i| tip_ws(&animator, rig.joints[i], Vec3::ZERO));
        let length = root.distance(mid) + mid.distance(own);
        // Well within the soft zone, for limbs that the animation leaves bent and for those it
        // leaves nearly straight.
        let target = root + (own - root).normalize() * (0.97 * length);
        let mut tip = |weight: f32, position_weight: f32| {
            to_rest(&mut animator);
            let goal = ConstraintGoal { position_weight, ..ConstraintGoal::at(target) };
            solve_for(&mut animator, id, goal, weight);
            tip_ws(&animator, rig.end(), Vec3::ZERO)
        };
        let short = tip(1.0, 1.0).distance(target) / length;
        assert!(short > 0.01, "{parent:?}: soft at full weight, {short} short of the target");
        let mut last = own;
        for step in 0..=100 {
            let w = step as f32 / 100.0;
            let (of_all, of_position) = (tip(w, 1.0), tip(1.0, w));
            assert!(of_all.distance(of_position) < 1e-4 * length, "{parent:?} {w}: {of_all} and {of_position}");
            assert!(step > 0 || of_position.distance(own) < 1e-5 * length, "{parent:?}: moved at weight 0");
            assert!(of_position.distance(last) < 0.05 * length, "{parent:?} {w}: from {last} to {of_position}");
            last = of_position;
        }
    }
}

#[test]
fn copied_rotations_follow_a_goal_or_another_joint_and_split_twist_from_swing() {
    let mut random = Random::new(27);
    let rig = random_chain(&mut random, 4, 0.3, ParentKind::Mirrored);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    animator.set_root(ROOT).unwrap();
    let [from, to] = [rig.joints[1], rig.joints[3]];
    let definition = CopyRotationDefinition { source: Some(from), ..CopyRotationDefinition::of(to) };
    let id = animator.add_constraint(&ConstraintDefinition::CopyRotation(definition)).unwrap();
    animator.pose_mut().local_mut()[from].rotation = random.rotation_within(2.0);
    solve_for(&mut animator, id, ConstraintGoal::default(), 1.0);
    let copied = animator.joint_ws(from).rotation;
    assert!(matchers::rotation_angle_rad(animator.joint_ws(to).rotation, copied) < 1e-5);
    // A rotation goal wins over the source.
    let wanted = random.rotation_within(2.0);
    let goal = ConstraintGoal { rotation_ws: Some(wanted), ..ConstraintGoal::default() };
    solve_for(&mut animator, id, goal, 1.0);
    assert!(matchers::rotation_angle_rad(animator.joint_ws(to).rotation, wanted) < 1e-5);
    // Half of the twist only: the bone's direction stays, its roll goes half way.
    let twist_only = CopyRotationDefinition { swing: 0.0, twist: 0.5, ..CopyRotationDefinition::of(to) };
    animator.remove_constraint(id).unwrap();
    let id = animator.add_constraint(&ConstraintDefinition::CopyRotation(twist_only)).unwrap();
    to_rest(&mut animator);
    let before = animator.joint_ws(to).rotation;
    let turned = before * axis_angle(Vec3::Y, 1.0);
    solve_for(&mut animator, id, ConstraintGoal { rotation_ws: Some(turned), ..ConstraintGoal::default() }, 1.0);
    let half = before * axis_angle(Vec3::Y, 0.5);
    assert!(matchers::rotation_angle_rad(animator.joint_ws(to).rotation, half) < 1e-5);
}

#[test]
fn a_pole_turns_the_chain_and_leaves_the_tip() {
    let mut random = Random::new(13);
    let rig = random_chain(&mut random, 4, 0.3, ParentKind::Rotated);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let id = chain(&mut animator, ChainDefinition::ending_at(rig.end(), 4));
    let (target, _) = witness(&animator, &rig.joints, Vec3::ZERO, 0.8, &mut random);
    solve_for(&mut animator, id, ConstraintGoal::at(target), 1.0);
    let plain = animator.pose().local().to_vec();
    animator.constraint_mut(id).unwrap().pole_ws = Some(Pole::point(Vec3::new(2.0, 3.0, -1.0)));
    to_rest(&mut animator);
    animator.solve().unwrap();
    assert!(tip_ws(&animator, rig.end(), Vec3::ZERO).distance(target) < 2e-5);
    assert!(matchers::max_joint_step_rad(&plain, animator.pose().local()) > 0.05, "the pole did nothing");
}

/// The pole's angle turns the side that faces it, the same way for chains and for limbs, and the
/// angle in place changes nothing.
#[test]
fn a_pole_in_place_changes_nothing_and_its_angle_means_the_same_to_chains_and_limbs() {
    let mut random = Random::new(28);
    for parent in ParentKind::ALL {
        for is_limb in [false, true] {
            let rig = random_chain(&mut random, 3, 0.4, parent);
            let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
            animator.set_root(ROOT).unwrap();
            let definition = if is_limb {
                ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(rig.end()))
            } else {
                ConstraintDefinition::Chain(ChainDefinition::ending_at(rig.end(), 3))
            };
            let id = animator.add_constraint(&definition).unwrap();
            let (target, _) = witness(&animator, &rig.joints, Vec3::ZERO, 0.9, &mut random);
            let input = animator.constraint_mut(id).unwrap();
            (input.goals[0], input.weight) = (ConstraintGoal::at(target), 1.0);
            let elbow_ws = |animator: &Animator| tip_ws(animator, rig.joints[1], Vec3::ZERO);
            let pole = Pole::point(elbow_ws(&animator) + random.unit_vector() * 0.9);
            let in_place = animator.pole_in_place(id, Pole { angle_rad: 7.0, ..pole }).unwrap();
            assert_eq!(Pole { angle_rad: 0.0, ..in_place }, pole);
            animator.solve().unwrap();
            let plain = animator.pose().local().to_vec();
            to_rest(&mut animator);
            animator.constraint_mut(id).unwrap().pole_ws = Some(in_place);
            animator.solve().unwrap();
            let moved = matchers::max_joint_step_rad(&plain, animator.pose().local());
            assert!(moved < 2e-3, "{parent:?}, limb {is_limb}: {moved} rad off");
            // A quarter more of the angle turns the elbow back by a quarter, about root to goal.
            if !matches!(parent, ParentKind::UnevenlyScaled) {
                let root = tip_ws(&animator, rig.joints[0], Vec3::ZERO);
                let line = (target - root).normalize();
                let aside = |p: Vec3| (p - root) - line * line.dot(p - root);
                let before = aside(elbow_ws(&animator));
                let quarter = Pole { angle_rad: in_place.angle_rad + 0.5, ..in_place };
                to_rest(&mut animator);
                animator.constraint_mut(id).unwrap().pole_ws = Some(quarter);
                animator.solve().unwrap();
                let after = aside(elbow_ws(&animator));
                let turned = sinew::math::float::atan2(line.dot(before.cross(after)), before.dot(after));
                assert!((turned + 0.5).abs() < 5e-3, "{parent:?}, limb {is_limb}: turned by {turned}");
            }
        }
    }
}

/// The same for an aim: the pole rolls it, and the angle in place keeps the roll it has.
#[test]
fn an_aims_pole_in_place_changes_nothing() {
    let mut random = Random::new(29);
    for parent in ParentKind::ALL {
        let rig = random_chain(&mut random, 3, 0.4, parent);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        animator.set_root(ROOT).unwrap();
        let id = animator.add_constraint(&ConstraintDefinition::Aim(AimDefinition::ending_at(rig.end(), 2))).unwrap();
        let end = animator.joint_ws(rig.end());
        let target = end.position + end.linear() * Vec3::new(1.5, 2.0, 4.0);
        let input = animator.constraint_mut(id).unwrap();
        (input.goals[0], input.weight) = (ConstraintGoal::at(target), 1.0);
        let pole = Pole::point(end.position + random.unit_vector() * 5.0);
        let in_place = animator.pole_in_place(id, pole).unwrap();
        animator.solve().unwrap();
        let plain = animator.pose().local().to_vec();
        to_rest(&mut animator);
        animator.constraint_mut(id).unwrap().pole_ws = Some(in_place);
        animator.solve().unwrap();
        let moved = matchers::max_joint_step_rad(&plain, animator.pose().local());
        assert!(moved < 2e-3, "{parent:?}: {moved} rad off");
        to_rest(&mut animator);
        animator.constraint_mut(id).unwrap().pole_ws = Some(pole);
        animator.solve().unwrap();
        let moved = matchers::max_joint_step_rad(&plain, animator.pose().local());
        assert!(moved > 1e-2 || in_place.angle_rad.abs() < 1e-2, "{parent:?}: the plain pole did nothing");
    }
}

#[test]
fn the_stack_adds_removes_and_refuses() {
    let rig = random_chain(&mut Random::new(14), 3, 0.3, ParentKind::Identity);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let joints = animator.skeleton().joint_count();
    let mut refused =
        |definition: ChainDefinition| animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap_err();
    assert_eq!(refused(ChainDefinition::to_root(joints)), ConstraintError::NoSuchJoint(joints));
    let long = ChainDefinition::ending_at(rig.end(), 99);
    assert!(matches!(refused(long), ConstraintError::TooLong { requested: 99, .. }));
    let no_ends = ChainDefinition { ends: Vec::new(), ..ChainDefinition::to_root(rig.end()) };
    assert_eq!(refused(no_ends), ConstraintError::EndCount(0));
    let flat = ChainDefinition { plane_axis_ms: Some(Vec3::ZERO), ..ChainDefinition::to_root(rig.end()) };
    assert_eq!(refused(flat), ConstraintError::BadNumber("plane_axis_ms"));
    let mut aside = ChainDefinition::ending_at(rig.end(), 1);
    aside.ends.push(ChainEnd { joint: rig.joints[0], tip_js: Vec3::ZERO });
    assert!(matches!(refused(aside), ConstraintError::NotBelow { .. }));
    let limb = ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(0));
    assert_eq!(animator.add_constraint(&limb).unwrap_err(), ConstraintError::NoLimb);
    let first = chain(&mut animator, ChainDefinition::to_root(rig.end()));
    animator.remove_constraint(first).unwrap();
    assert_eq!(animator.remove_constraint(first), Err(AnimatorError::NoSuchConstraint(first)));
    assert_eq!(animator.constraint_outcome(first), Err(AnimatorError::NoSuchConstraint(first)));
    let second = chain(&mut animator, ChainDefinition::to_root(rig.end()));
    assert_ne!(first, second);
    assert_eq!(animator.constraint(second).unwrap().goals[0], ConstraintGoal::default());
    assert_eq!(animator.set_joint_limits(joints, &JointModel::FREE), Err(AnimatorError::NoSuchJoint(joints)));
}

/// The bone to a tip has no joint whose position a stretch could be written to.
#[test]
fn reached_with_a_tip_and_stretch_is_reached() {
    let mut random = Random::new(71);
    let model = JointModel { stretch: Stretch { min: 0.5, max: 2.0, compliance: 0.5 }, ..JointModel::FREE };
    let (mut reached, mut beyond) = (0, 0);
    for solver in [ChainSolver::Default, ChainSolver::DampedLeastSquares, ChainSolver::Spring] {
        for part in [0.5, 0.95, 1.1, 1.3, 3.0] {
            for all in [false, true] {
                let rig = random_chain(&mut random, 4, 0.3, ParentKind::Rotated);
                let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
                let tip_js = Vec3::Y * 0.3;
                let limited = if all { &rig.joints[..] } else { &rig.joints[rig.joints.len() - 1..] };
                limited.iter().for_each(|&j| animator.set_joint_limits(j, &model).unwrap());
                let definition = ChainDefinition {
                    ends: vec![ChainEnd { joint: rig.end(), tip_js }],
                    solver,
                    ..ChainDefinition::ending_at(rig.end(), 4)
                };
                let id = chain(&mut animator, definition);
                let root = tip_ws(&animator, rig.joints[0], Vec3::ZERO);
                let joints: Vec<Vec3> = rig.joints.iter().map(|&j| tip_ws(&animator, j, Vec3::ZERO)).collect();
                let length = joints.windows(2).map(|w| w[0].distance(w[1])).sum::<f32>() + 0.3;
                let target = root + random.unit_vector() * length * part;
                solve_for(&mut animator, id, ConstraintGoal::at(target), 1.0);
                let off = tip_ws(&animator, rig.end(), tip_js).distance(target);
                let outcome = animator.constraint_outcome(id).unwrap();
                let name = format!("{solver:?} {part} all {all}: {off:e} {outcome:?}");
                assert!((off - outcome.residual_m).abs() < 1e-3 * length, "{name}");
                match outcome.status {
                    Status::Reached => assert!(off < 1e-3 * length, "{name}"),
                    _ => assert!(off > 1e-5 * length, "{name}"),
                }
                reached += usize::from(outcome.status == Status::Reached);
                beyond += usize::from(outcome.status != Status::Reached);
            }
        }
    }
    assert!(reached > 8 && beyond > 4, "{reached} {beyond}");
}

#[test]
fn a_chain_below_a_scale_of_zero_states_what_is_left() {
    let mut random = Random::new(23);
    for count in [2, 3, 6] {
        let rig = random_chain(&mut random, count, 0.4, ParentKind::Moved);
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        let end = rig.skeleton.joint_count() - 1;
        let id = chain(&mut animator, ChainDefinition::ending_at(end, count));
        let above = rig.skeleton.ancestors(end).nth(count - 1).expect("a joint above the chain");
        animator.pose_mut().local_mut()[above].scale = Vec3::ZERO;
        for away in [0.0, 1.5] {
            let goal = tip_ws(&animator, end, Vec3::ZERO) + Vec3::new(0.0, away, 0.0);
            solve_for(&mut animator, id, ConstraintGoal::at(goal), 1.0);
            let outcome = animator.constraint_outcome(id).unwrap();
            let left = (tip_ws(&animator, end, Vec3::ZERO) - goal).length();
            assert!((outcome.residual_m - left).abs() < 1e-5, "{count} joints: {outcome:?}, {left} m");
            assert_eq!(outcome.status, Status::Unreachable, "{count} joints");
        }
    }
}
