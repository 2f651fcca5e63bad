//! A body in the world: goals, pins and masked axes under a moved, turned, scaled and mirrored
//! root, the same answer wherever the character stands, snapshots. Judged by kinematics in double
//! precision.

use sinew::body::{
    BodyDetail, BodyMode, BodyTie, Demand, Drag, Dragger, MeetRule, PlacedBody, PlacedBodyError, PlacedDemand, TieEnd,
    TiedBody, meet,
};
use sinew::math::{Quat, Transform, Vec3, axis_angle, conjugate_by_signs};
use sinew::outcome::Status;
use sinew::skeleton::{Skeleton, SkeletonBuilder};
use sinew::tasks::{
    AnyTask, Axes, Axis, Distance, DistanceRule, Gaze, HostResidual, HostTask, MAX_ANCHORS, Orientation, Placement,
    Plane, PlaneSide, Position, RelativeOrientation, Rows, Support, SupportArea, Unit,
};
use std::sync::Arc;
use testkit::matchers::{
    Affine64, direction_angle_rad, distance, forward_kinematics, model_rotations, rotation_angle_rad, wide,
};

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

fn roots() -> [Transform; 6] {
    let turned = Transform::new(Vec3::new(3.0, -1.0, 2.0), axis_angle(Vec3::new(0.6, 0.8, 0.0), 1.1));
    let scaled = |scale: Vec3| Transform { scale, ..turned };
    [
        Transform::IDENTITY,
        turned,
        scaled(Vec3::splat(2.5)),
        scaled(Vec3::new(-1.0, 1.0, 1.0)),
        scaled(Vec3::splat(-2.5)),
        scaled(Vec3::new(0.5, -0.5, -0.5)),
    ]
}

/// From model space to the world.
fn out(root: &Transform, p: Vec3) -> Vec3 {
    root.position + root.rotation * (p * root.scale)
}
/// Size of a root's scale.
fn size(root: &Transform) -> f32 {
    root.scale.y.abs()
}
/// A direction, to the world.
fn direction_out(root: &Transform, d: Vec3) -> Vec3 {
    root.rotation * (d * root.scale / size(root))
}
/// A rotation, to the world, as the conventions have it below a mirror.
fn rotation_out(root: &Transform, q: Quat) -> Quat {
    root.rotation * conjugate_by_signs(q, root.scale / size(root))
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
        let turn = rotation_out(&root, axis_angle(Vec3::Y, 0.4));
        body.add_task(Demand::new(Orientation::new(right, turn)).into()).expect("a task");
        let wall = Plane {
            joint: left,
            point_js: Vec3::X * 0.1,
            normal: direction_out(&root, Vec3::Z),
            offset: direction_out(&root, Vec3::Z).dot(out(&root, Vec3::Z * 0.45)),
            side: PlaneSide::Above,
        };
        body.add_task(Demand::new(wall).into()).expect("a task");
        let apart = Distance {
            joint: right,
            point_js: Vec3::ZERO,
            other: Some(left),
            center: Vec3::ZERO,
            distance: 0.5 * size(&root),
            rule: DistanceRule::Outside,
        };
        body.add_task(Demand::new(apart).into()).expect("a task");
        let mut pose = skeleton.rest_local().to_vec();
        assert_eq!(body.solve(&mut pose, 0.0).expect("a pose").status, Status::Reached);
        let frames = world(&skeleton, &root, &pose);
        for (joint, goal) in goals {
            let off = (place(&frames, joint) - out(&root, goal)).length();
            assert!(off < 1e-3 * size(&root), "{off} m off");
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
            assert!(slip < 1e-3 * size(&root), "the pin slips by {slip} m");
            let up = if axes_in_model { root.rotation * Vec3::Y } else { Vec3::Y };
            let left_over = (goal - place(&frames, right)).dot(up);
            assert!(left_over.abs() < 1e-3 * size(&root), "{left_over} m left along the axis");
        }
    }
}

/// A row of the host: how far a joint is below a height in the world, and its X axis off the
/// world's Z.
#[derive(Debug)]
struct HeightAndAxis;

const HEIGHT: f32 = -1.2;

impl HostResidual for HeightAndAxis {
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let across = at[0].rotation * Vec3::X;
        rows.value = [HEIGHT - at[0].position.y, 0.4 - across.z, 0.0];
        rows.terms[0].point = at[0].position;
        rows.terms[0].force[0] = Vec3::Y;
        rows.terms[0].torque[1] = across.cross(Vec3::Z);
    }
}

#[test]
fn directions_areas_and_rows_of_the_host_are_those_of_the_world() {
    let skeleton = skeleton();
    let hand = joint(&skeleton, "hand1");
    let solved = |root: &Transform, task: AnyTask| {
        let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        (0..skeleton.joint_count()).for_each(|j| body.set_mass(j, 1.0, Vec3::ZERO).expect("a joint"));
        body.set_root(*root).expect("an even scale");
        let name = body.add_task(Demand::new(task).into()).expect("a task");
        let mut pose = skeleton.rest_local().to_vec();
        let outcome = body.solve(&mut pose, 0.0).expect("a pose");
        assert_eq!(outcome.status, Status::Reached, "{:?}", body.task_outcome(name));
        assert!(body.host_jacobian_error(name).expect("a task").unwrap_or(0.0) < 0.01);
        (world(&skeleton, root, &pose), body, pose)
    };
    for root in roots() {
        let direction = Vec3::new(0.48, 0.6, -0.64);
        let (frames, ..) = solved(&root, Axis { joint: hand, axis_js: Vec3::X, direction }.into());
        assert!(direction_angle_rad(frames[hand].axis(0), wide(direction)) < 5e-3, "an axis");
        let target = out(&root, Vec3::new(1.0, 2.0, 0.7));
        let gaze = Gaze { joint: hand, eye_js: Vec3::Y * 0.1, axis_js: Vec3::Z, target };
        let (frames, ..) = solved(&root, gaze.into());
        let eye = frames[hand].point([0.0, 0.1, 0.0]);
        let to: Vec3 = target - Vec3::from_array(eye.map(|x| x as f32));
        assert!(direction_angle_rad(frames[hand].axis(2), wide(to)) < 5e-3, "a gaze");
        let up = direction_out(&root, Vec3::Y);
        let center = out(&root, Vec3::new(0.6, 0.0, 0.2));
        let corners = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
            .map(|[x, z]| out(&root, Vec3::new(0.6 + 0.05 * x, 0.0, 0.2 + 0.05 * z)));
        let area = SupportArea::hull(&corners, up).expect("three points");
        let (frames, body, _) = solved(&root, Support { area, up, margin: 0.0 }.into());
        let mass = frames.iter().map(|frame| frame.position_f32()).sum::<Vec3>() / frames.len() as f32;
        let off = mass - center;
        assert!((off - up * up.dot(off)).length() < 0.08 * size(&root), "an area");
        let stated = body.center_of_mass_ws().expect("masses");
        assert!((stated - mass).length() < 1e-4 * size(&root), "{stated} is not {mass}");
        let task = HostTask {
            joints: [Some(hand), None, None],
            rows: 2,
            unit: Unit::Length,
            one_sided: false,
            outer: Transform::IDENTITY,
            residual: Arc::new(HeightAndAxis),
        };
        let (frames, body, pose) = solved(&root, task.into());
        let rotation = rotation_out(&root, Quat::from_array(model_rotations(&skeleton, &pose)[hand].map(|x| x as f32)));
        let left = [HEIGHT - place(&frames, hand).y, 0.4 - (rotation * Vec3::X).z];
        assert!(left.iter().all(|left| left.abs() < 1e-3 * size(&root).max(1.0)), "rows of the host: {left:?}");
        assert!(body.outcome().residual_m < 1e-3 * size(&root));
    }
}

/// A rig that mirrors one side by the scale of a joint.
#[test]
fn what_is_given_in_a_joint_is_as_mirrors_above_it_have_it() {
    let skeleton = skeleton();
    let [upper, hand] = ["upper1", "hand1"].map(|name| joint(&skeleton, name));
    for scale in [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(-2.0, -2.0, -2.0), Vec3::splat(2.0)] {
        let solved = |task: AnyTask| {
            let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
            body.add_task(Demand::new(task).into()).expect("a task");
            let mut pose = skeleton.rest_local().to_vec();
            pose[upper].scale = scale;
            assert_eq!(body.solve(&mut pose, 0.0).expect("a pose").status, Status::Reached);
            (world(&skeleton, &Transform::IDENTITY, &pose), pose)
        };
        let (axis_js, direction) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.48, 0.6, -0.64));
        let (frames, _) = solved(Axis { joint: hand, axis_js, direction }.into());
        let off = direction_angle_rad(frames[hand].direction(wide(axis_js)), wide(direction));
        assert!(off < 5e-3, "{scale}: an axis is {off} rad off");
        let target = Vec3::new(1.0, 2.0, 0.7);
        let (frames, _) = solved(Gaze { joint: hand, eye_js: Vec3::Y * 0.1, axis_js, target }.into());
        let to = target - Vec3::from_array(frames[hand].point([0.0, 0.1, 0.0]).map(|x| x as f32));
        let off = direction_angle_rad(frames[hand].direction(wide(axis_js)), wide(to));
        assert!(off < 5e-3, "{scale}: a gaze is {off} rad off");
        let other = skeleton.parent(hand).expect("a parent");
        let rotation = axis_angle(Vec3::new(0.48, 0.6, -0.64), 0.9);
        let own = RelativeOrientation { joint: hand, other, rotation, axes: Axes::ALL };
        let (_, pose) = solved(own.into());
        let off = rotation_angle_rad(pose[hand].rotation, rotation);
        assert!(off < 5e-3, "{scale}: a local rotation is {off} rad off");
    }
}

#[test]
fn bodies_meet_and_joints_are_dragged_below_mirrors() {
    let skeleton = skeleton();
    let hand = joint(&skeleton, "hand1");
    for root in roots() {
        let mut bodies = [Transform::at(Vec3::new(3.3, -0.8, 2.2)), root].map(|root| {
            let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
            body.set_root(root).expect("an even scale");
            body
        });
        let turns = [Orientation::new(hand, Quat::IDENTITY), Orientation::new(hand, Quat::IDENTITY)];
        let tasks = [0, 1].map(|b| bodies[b].add_task(Demand::new(turns[b]).into()).expect("a task"));
        let mut poses = [skeleton.rest_local().to_vec(), skeleton.rest_local().to_vec()];
        let mut ties = [BodyTie::new(TieEnd { body: 0, task: tasks[0] }, TieEnd { body: 1, task: tasks[1] })];
        let mut tied: Vec<TiedBody<'_>> = bodies
            .iter_mut()
            .zip(&poses)
            .map(|(body, pose)| TiedBody { body, pose, detail: BodyDetail::FULL })
            .collect();
        let outcome = meet(&mut tied[..], &mut ties, &MeetRule::default()).expect("bodies");
        assert_eq!(outcome.status, Status::Reached);
        let turns = [0, 1].map(|b| {
            bodies[b].solve(&mut poses[b], 0.0).expect("a pose");
            let own = Quat::from_array(model_rotations(&skeleton, &poses[b])[hand].map(|x| x as f32));
            rotation_out(bodies[b].root(), own)
        });
        assert!(rotation_angle_rad(turns[0], turns[1]) < 0.01, "{turns:?}");

        let goal_ws = out(&root, Vec3::new(0.6, 1.3, 0.3));
        let drag =
            Drag { joint: hand, point_js: Vec3::X * 0.05, goal_ws, rotation_ws: None, chain_length: 3, pins: &[] };
        let mut pose = skeleton.rest_local().to_vec();
        Dragger::default().drag(&bodies[1], &mut pose, &drag).expect("a pose");
        let palm = world(&skeleton, &root, &pose)[hand].point([0.05, 0.0, 0.0]);
        assert!(distance(palm, wide(goal_ws)) < 1e-3 * f64::from(size(&root)), "dragged to {palm:?}");
    }
}

#[test]
fn a_root_that_nothing_moves_keeps_its_bits() {
    let skeleton = skeleton();
    let hand = joint(&skeleton, "hand1");
    let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
    body.add_task(PlacedDemand { pinned: true, ..Demand::new(Position::new(hand, Vec3::ZERO)).into() })
        .expect("a task");
    let mut pose = skeleton.rest_local().to_vec();
    pose[0].rotation = axis_angle(Vec3::new(0.6, 0.8, 0.0), 1.1) * 0.9999;
    let given = pose.clone();
    assert_eq!(body.solve(&mut pose, 0.0).expect("a pose").status, Status::Reached);
    assert_eq!(pose, given);
}

/// Frames of a body's pose are those of the answer: after a solve that moves joints, one in which
/// no task is present, and with scales before and after.
#[test]
fn the_frames_of_the_pose_are_those_of_the_answer() {
    let skeleton = skeleton();
    let hand = joint(&skeleton, "hand1");
    for mode in [BodyMode::Converge, BodyMode::Track] {
        let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        body.set_mode(mode);
        let demand = Demand::new(Position::new(hand, Vec3::new(0.6, 1.1, 0.4)));
        let name = body.add_task(demand.clone().into()).expect("a task");
        for (number, (blend, scale)) in
            [(1.0, 1.0), (0.0, 1.0), (0.5, 1.3), (0.0, 1.3), (1.0, 1.0), (0.0, 1.0)].into_iter().enumerate()
        {
            body.set_task(name, Demand { blend, ..demand.clone() }.into()).expect("a task");
            let mut pose = skeleton.rest_local().to_vec();
            pose[1].rotation = axis_angle(Vec3::Z, 0.1 * number as f32);
            pose[1].scale = Vec3::splat(scale);
            body.solve(&mut pose, 0.02).expect("a pose");
            for (joint, frame) in forward_kinematics(&skeleton, &pose).iter().enumerate() {
                let error_m = distance(frame.position, wide(body.pose().model(joint).position));
                assert!(error_m < 1e-6, "{mode:?}, solve {number}, joint {joint}: {error_m} m");
            }
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
    for scale in [Vec3::new(1.0, 1.2, 1.0), Vec3::new(-1.0, 1.0, 1.2), Vec3::ZERO] {
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
