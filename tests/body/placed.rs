//! A body in the world: goals, pins and masked axes under a moved, turned and scaled root, the same
//! answer wherever the character stands, snapshots. Judged by kinematics in double precision.

use sinew::body::{BodyMode, Demand, PlacedBody, PlacedBodyError, PlacedDemand};
use sinew::math::{Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::{Skeleton, SkeletonBuilder};
use sinew::tasks::{Axes, Distance, DistanceRule, Orientation, Plane, PlaneSide, Position};
use std::sync::Arc;
use testkit::matchers::{Affine64, forward_kinematics};

const ARM: [&str; 3] = ["upper", "lower", "hand"];

fn skeleton() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let root = builder.joint_at("root", None, Vec3::Y);
    for side in [-1.0, 1.0] {
        let mut above = root;
        for name in ARM {
            above = builder.joint_at(&format!("{name}{side}"), Some(above), Vec3::new(0.3 * side, 0.02, 0.05));
        }
    }
    Arc::new(builder.build().expect("a skeleton"))
}

fn joint(skeleton: &Skeleton, name: &str) -> usize {
    skeleton.find_joint(name).expect("a joint")
}

/// World frames of all joints.
fn world(skeleton: &Skeleton, root: &Transform, pose: &[Transform]) -> Vec<Affine64> {
    let outer = Affine64::from_transform(root);
    forward_kinematics(skeleton, pose).iter().map(|frame| outer.then(frame)).collect()
}

fn place(frames: &[Affine64], joint: usize) -> Vec3 {
    frames[joint].position_f32()
}

fn roots() -> [Transform; 3] {
    let turned = Transform::new(Vec3::new(3.0, -1.0, 2.0), axis_angle(Vec3::new(0.6, 0.8, 0.0), 1.1));
    [Transform::IDENTITY, turned, Transform { scale: Vec3::splat(2.5), ..turned }]
}

/// From model space to the world.
fn out(root: &Transform, p: Vec3) -> Vec3 {
    root.position + root.rotation * (p * root.scale.x)
}

#[test]
fn a_character_gives_the_same_answer_wherever_it_stands() {
    let skeleton = skeleton();
    let (left, right) = (joint(&skeleton, "hand-1"), joint(&skeleton, "hand1"));
    let mut answers: Vec<Vec<Transform>> = Vec::new();
    for root in roots() {
        let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        body.set_root(root).expect("an even scale");
        let goals = [(left, Vec3::new(-0.5, 1.3, 0.5)), (right, Vec3::new(0.4, 0.8, 0.4))];
        for (joint, goal) in goals {
            body.add_task(Demand::new(Position::new(joint, out(&root, goal))).into()).expect("a task");
        }
        let turn = root.rotation * axis_angle(Vec3::Y, 0.4);
        body.add_task(Demand::new(Orientation::new(right, turn)).into()).expect("a task");
        let wall = Plane {
            joint: left,
            point_js: Vec3::X * 0.1,
            normal: root.rotation * Vec3::Z,
            offset: (root.rotation * Vec3::Z).dot(out(&root, Vec3::Z * 0.45)),
            side: PlaneSide::Above,
        };
        body.add_task(Demand::new(wall).into()).expect("a task");
        let apart = Distance {
            joint: right,
            point_js: Vec3::ZERO,
            other: Some(left),
            center: Vec3::ZERO,
            distance: 0.5 * root.scale.x,
            rule: DistanceRule::Outside,
        };
        body.add_task(Demand::new(apart).into()).expect("a task");
        let mut pose = skeleton.rest_local().to_vec();
        assert_eq!(body.solve(&mut pose, 0.0).expect("a pose").status, Status::Reached);
        let frames = world(&skeleton, &root, &pose);
        for (joint, goal) in goals {
            let off = (place(&frames, joint) - out(&root, goal)).length();
            assert!(off < 1e-3 * root.scale.x, "{off} m off");
        }
        answers.push(pose);
    }
    for answer in &answers[1..] {
        for (a, b) in answer.iter().zip(&answers[0]) {
            assert!((a.position - b.position).length() < 2e-3, "{a:?} is not {b:?}");
            assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-4, "{a:?} is not {b:?}");
        }
    }
}

#[test]
fn pins_hold_and_axes_follow_the_space_they_are_given_in() {
    let skeleton = skeleton();
    let (left, right) = (joint(&skeleton, "hand-1"), joint(&skeleton, "hand1"));
    for root in roots() {
        for axes_in_model in [false, true] {
            let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
            body.set_root(root).expect("an even scale");
            let pin = PlacedDemand { pinned: true, ..Demand::new(Position::new(left, Vec3::ZERO)).into() };
            body.add_task(pin).expect("a task");
            let goal = out(&root, Vec3::new(0.7, 1.4, 0.3));
            let axes = Axes { on: [false, true, false], ..Axes::ALL };
            let task = Position { axes, ..Position::new(right, goal) };
            let placed = PlacedDemand { axes_in_model, ..Demand::new(task).into() };
            let name = body.add_task(placed.clone()).expect("a task");
            assert_eq!(body.task(name), Ok(&placed));
            let mut pose = skeleton.rest_local().to_vec();
            let before = place(&world(&skeleton, &root, &pose), left);
            body.solve(&mut pose, 0.0).expect("a pose");
            let frames = world(&skeleton, &root, &pose);
            let slip = (place(&frames, left) - before).length();
            assert!(slip < 1e-3 * root.scale.x, "the pin slips by {slip} m");
            let up = if axes_in_model { root.rotation * Vec3::Y } else { Vec3::Y };
            let left_over = (goal - place(&frames, right)).dot(up);
            assert!(left_over.abs() < 1e-3 * root.scale.x, "{left_over} m left along the axis");
        }
    }
}

#[test]
fn a_restored_body_goes_on_with_the_same_bits() {
    let skeleton = skeleton();
    let hand = joint(&skeleton, "hand1");
    let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
    body.set_mode(BodyMode::Track);
    let name = body.add_task(Demand::new(Position::new(hand, Vec3::ONE)).into()).expect("a task");
    let frame = |body: &mut PlacedBody, number: usize| {
        let goal = Vec3::new(0.6, 1.0 + 0.05 * number as f32, 0.3);
        body.set_task(name, Demand::new(Position::new(hand, goal)).into()).expect("a task");
        let mut pose = skeleton.rest_local().to_vec();
        body.solve(&mut pose, 0.02).expect("a pose");
        pose
    };
    (0..4).for_each(|n| _ = frame(&mut body, n));
    let mut bytes = vec![0; body.snapshot_size()];
    assert!(!body.snapshot_into(&mut bytes[1..]) && body.snapshot_into(&mut bytes));
    let first = (4..8).map(|n| frame(&mut body, n)).next_back();
    body.restore(&bytes).expect("a snapshot");
    let second = (4..8).map(|n| frame(&mut body, n)).next_back();
    assert_eq!(first, second);
    assert!(body.restore(&bytes[4..]).is_err());
    bytes[4] ^= 1;
    assert!(body.restore(&bytes).is_err());
}

#[test]
fn uneven_roots_and_wrong_poses_are_refused() {
    let skeleton = skeleton();
    let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
    for scale in [Vec3::new(1.0, 1.2, 1.0), Vec3::splat(-1.0), Vec3::ZERO] {
        let refused = body.set_root(Transform { scale, ..Transform::IDENTITY });
        assert!(matches!(refused, Err(PlacedBodyError::UnevenRoot { .. })));
    }
    assert_eq!(*body.root(), Transform::IDENTITY);
    let mut pose = skeleton.rest_local().to_vec();
    assert!(body.solve(&mut pose[1..], 0.0).is_err() && body.solve(&mut pose, -1.0).is_err());
    pose[2].rotation.x = f32::NAN;
    assert!(body.solve(&mut pose, 0.0).is_err());
}

/// A rig with an armature of 0.01, as FBX files have it: points of a joint are in its own scaled
/// space.
#[test]
fn points_of_joints_are_where_the_rigs_scale_puts_them() {
    for scale in [0.01_f32, 1.0, 2.0] {
        let mut builder = SkeletonBuilder::new();
        let armature = builder.joint_at("armature", None, Vec3::ZERO);
        let mut above = builder.joint_at("shoulder", Some(armature), Vec3::Y * (1.2 / scale));
        for name in ARM {
            above = builder.joint_at(name, Some(above), Vec3::X * (0.3 / scale));
        }
        let skeleton = Arc::new(builder.build().expect("a skeleton"));
        let mut pose = skeleton.rest_local().to_vec();
        pose[armature].scale = Vec3::splat(scale);
        let point_js = Vec3::new(0.08, 0.0, 0.02) / scale;
        let mut body = PlacedBody::new(skeleton.clone(), 1).expect("a body");
        body.set_floating(false);
        let goal = Vec3::new(0.5, 1.0, 0.3);
        let task = Position { point_js, ..Position::new(above, goal) };
        let name = body.add_task(Demand::new(task).into()).expect("a task");
        let outcome = body.solve(&mut pose, 0.0).expect("a pose");
        assert_eq!(outcome.status, Status::Reached);
        let frames = world(&skeleton, &Transform::IDENTITY, &pose);
        let palm = frames[above].point(testkit::matchers::wide(point_js));
        let left = testkit::matchers::distance(palm, testkit::matchers::wide(goal));
        assert!(left < 1e-3, "scale {scale}: {left} m");
        // The same as a pin: it stays there when the shoulder turns.
        let mut pinned = body.task(name).expect("the task").clone();
        pinned.pinned = true;
        body.set_task(name, pinned).expect("the task");
        assert_eq!(body.task_outcome(name).expect("an outcome").0.status, Status::Inactive);
        body.solve(&mut pose, 0.0).expect("a pose");
        let frames = world(&skeleton, &Transform::IDENTITY, &pose);
        let after = frames[above].point(testkit::matchers::wide(point_js));
        assert!(testkit::matchers::distance(palm, after) < 1e-3, "scale {scale}");
    }
}
