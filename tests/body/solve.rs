//! The whole-body solver on rigs and poses, judged from outside: forward kinematics in f64 on the
//! result.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{Body, BodySettings, Demand, TrackConverge};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::optim::Noise;
use sinew::outcome::Status;
use sinew::skeleton::{JointDefinition, Pose, Skeleton};
use sinew::tasks::{
    AnyTask, Axes, Axis, CenterOfMass, Distance, DistanceRule, Gaze, Orientation, Plane, PlaneSide, PoleVector,
    Position, RelativePosition,
};
use std::sync::Arc;
use testkit::matchers;

const HIPS: usize = 0;
const HEAD: usize = 3;
const LEFT_HAND: usize = 7;
const RIGHT_HAND: usize = 11;
const LEFT_FOOT: usize = 14;
const RIGHT_FOOT: usize = 17;

/// A person of 18 joints: parent and offset.
const JOINTS: [(i32, [f32; 3]); 18] = [
    (-1, [0.0, 0.95, 0.0]),
    (0, [0.0, 0.15, 0.0]),
    (1, [0.0, 0.2, 0.0]),
    (2, [0.0, 0.28, 0.0]),
    (2, [0.05, 0.2, 0.0]),
    (4, [0.14, 0.0, 0.0]),
    (5, [0.28, 0.0, 0.01]),
    (6, [0.25, 0.0, 0.0]),
    (2, [-0.05, 0.2, 0.0]),
    (8, [-0.14, 0.0, 0.0]),
    (9, [-0.28, 0.0, 0.01]),
    (10, [-0.25, 0.0, 0.0]),
    (0, [0.1, -0.05, 0.0]),
    (12, [0.0, -0.42, 0.01]),
    (13, [0.0, -0.42, -0.01]),
    (0, [-0.1, -0.05, 0.0]),
    (15, [0.0, -0.42, 0.01]),
    (16, [0.0, -0.42, -0.01]),
];

fn skeleton() -> Arc<Skeleton> {
    let joints = JOINTS.iter().enumerate().map(|(i, (parent, offset))| JointDefinition {
        name: format!("joint {i}"),
        parent: usize::try_from(*parent).ok(),
        rest: Transform::at(Vec3::from_array(*offset)),
    });
    Arc::new(Skeleton::new(joints.collect()).expect("a skeleton"))
}

fn model(joint: usize) -> JointModel {
    let cone = |degrees: f32| SwingRegion::cone(degrees.to_radians());
    JointModel::limited(match joint {
        6 | 10 => {
            Freedom::Universal { bend: BendAxis::Z, bend_range: Range::new(-2.4, 2.4), twist: Range::new(-1.5, 1.5) }
        }
        13 | 16 => Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-0.02, 2.5) },
        1 | 2 => Freedom::Ball { swing: cone(30.0), twist: Range::new(-0.5, 0.5) },
        4 | 8 => Freedom::Ball { swing: cone(25.0), twist: Range::new(-0.2, 0.2) },
        _ => Freedom::Ball { swing: cone(100.0), twist: Range::new(-1.4, 1.4) },
    })
}

fn body(skeleton: &Arc<Skeleton>) -> Body {
    let mut body = Body::new(skeleton.clone(), HIPS).expect("a body");
    for joint in 1..JOINTS.len() {
        body.set_joint_limits(joint, model(joint)).expect("limits");
        body.set_mass(joint, 1.0, Vec3::new(0.0, 0.05, 0.0)).expect("a mass");
    }
    body
}

/// A pose within the limits, from the noise.
fn pose(skeleton: &Skeleton, noise: &mut Noise, size: f32) -> Pose {
    let mut pose = Pose::rest(skeleton);
    let local: Vec<Transform> = (0..JOINTS.len())
        .map(|i| {
            let axis = Vec3::new(noise.signed(), noise.signed(), noise.signed() + 0.01).normalize();
            let turn = axis_angle(axis, noise.signed() * size);
            let rotation = if i == 0 { turn } else { model(i).project(turn) };
            let mut transform = skeleton.rest_local()[i];
            transform.rotation = rotation;
            transform
        })
        .collect();
    pose.load(local.into_iter()).expect("numbers");
    pose.update(skeleton);
    pose
}

/// Place and rotation of every joint, model space, recomputed.
fn judge(pose: &Pose) -> Vec<([f64; 3], [f64; 4])> {
    let (skeleton, local) = (skeleton(), pose.local());
    let places = matchers::forward_kinematics(&skeleton, local).into_iter().map(|frame| frame.position);
    places.zip(matchers::model_rotations(&skeleton, local)).collect()
}

fn distance(a: [f64; 3], b: Vec3) -> f64 {
    matchers::distance(a, matchers::wide(b))
}

fn angle(a: [f64; 4], b: Quat) -> f64 {
    matchers::angle_between_rad(a, b.to_array().map(f64::from))
}

fn violation(pose: &Pose) -> f32 {
    (1..JOINTS.len()).map(|i| model(i).violation_rad(pose.local()[i].rotation)).fold(0.0, f32::max)
}

/// Largest turn of a joint between two poses, radians.
fn change(a: &Pose, b: &Pose) -> f32 {
    let pairs = a.local().iter().zip(b.local());
    pairs.map(|(a, b)| sinew::math::rotation_angle(a.rotation * b.rotation.conjugate())).fold(0.0, f32::max)
}

fn place(pose: &Pose, joint: usize) -> (Vec3, Quat) {
    let frame = pose.model(joint);
    (frame.position, frame.rotation)
}

const ENDS: [usize; 6] = [HIPS, HEAD, LEFT_HAND, RIGHT_HAND, LEFT_FOOT, RIGHT_FOOT];

fn add_ends(body: &mut Body, truth: &Pose) {
    for joint in ENDS {
        let (position, rotation) = place(truth, joint);
        body.add_task(Demand::new(Position::new(joint, position))).expect("a task");
        body.add_task(Demand::new(Orientation::new(joint, rotation))).expect("a task");
    }
}

#[test]
fn reachable_goals_are_reached_within_the_limits() {
    let skeleton = skeleton();
    let mut noise = Noise::new(1);
    for case in 0..60 {
        let truth = pose(&skeleton, &mut noise, 0.9);
        let mut body = body(&skeleton);
        add_ends(&mut body, &truth);
        let mut answer = pose(&skeleton, &mut noise, 0.3);
        let outcome = body.solve(&mut answer).expect("a pose");
        assert_eq!(outcome.status, Status::Reached, "case {case}: {outcome:?}");
        let at = judge(&answer);
        for joint in ENDS {
            let (position, rotation) = place(&truth, joint);
            assert!(distance(at[joint].0, position) < 1e-3, "case {case}, joint {joint}");
            assert!(angle(at[joint].1, rotation) < 0.0087, "case {case}, joint {joint}");
        }
        assert!(violation(&answer) < 1e-4, "case {case}: {}", violation(&answer));
    }
}

#[test]
fn a_pose_that_meets_its_goals_stays_as_it_is() {
    let skeleton = skeleton();
    let mut noise = Noise::new(2);
    for _ in 0..20 {
        let truth = pose(&skeleton, &mut noise, 0.8);
        let mut body = body(&skeleton);
        add_ends(&mut body, &truth);
        let mut answer = truth.clone();
        let outcome = body.solve(&mut answer).expect("a pose");
        assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 0));
        assert!(change(&answer, &truth) < 2e-3);
    }
}

#[test]
fn every_kind_of_task_is_met_alone() {
    let skeleton = skeleton();
    let mut noise = Noise::new(3);
    for case in 0..12 {
        let start = pose(&skeleton, &mut noise, 0.4);
        let (hand, _) = place(&start, LEFT_HAND);
        let (elbow, _) = place(&start, 6);
        let tasks: Vec<AnyTask> = vec![
            Position {
                joint: LEFT_HAND,
                point_js: Vec3::X * 0.1,
                goal: hand + Vec3::new(0.0, 0.1, 0.2),
                axes: Axes::ALL,
            }
            .into(),
            Orientation::new(HEAD, axis_angle(Vec3::Y, 0.5)).into(),
            Axis { joint: LEFT_HAND, axis_js: Vec3::X, direction: Vec3::Y }.into(),
            Gaze { joint: HEAD, eye_js: Vec3::Z * 0.1, axis_js: Vec3::Z, target: Vec3::new(1.0, 1.5, 2.0) }.into(),
            PoleVector { root: 5, middle: 6, end: LEFT_HAND, pole: elbow + Vec3::new(0.0, -0.3, 0.2) }.into(),
            Distance {
                joint: LEFT_HAND,
                point_js: Vec3::ZERO,
                other: Some(HEAD),
                center: Vec3::ZERO,
                distance: 0.25,
                rule: DistanceRule::Inside,
            }
            .into(),
            Distance {
                joint: LEFT_HAND,
                point_js: Vec3::ZERO,
                other: None,
                center: hand,
                distance: 0.2,
                rule: DistanceRule::Outside,
            }
            .into(),
            Plane { joint: RIGHT_HAND, point_js: Vec3::ZERO, normal: Vec3::Y, offset: 1.6, side: PlaneSide::Above }
                .into(),
            RelativePosition {
                joint: LEFT_HAND,
                point_js: Vec3::ZERO,
                other: RIGHT_HAND,
                other_point_js: Vec3::Y * 0.1,
                axes: Axes::ALL,
            }
            .into(),
            CenterOfMass { goal: Vec3::new(0.1, 0.9, 0.1), axes: Axes { on: [true, false, true], ..Axes::ALL } }.into(),
        ];
        for task in tasks {
            let kind = format!("case {case}: {task:?}");
            let mut body = body(&skeleton);
            let id = body.add_task(Demand::new(task)).expect("a task");
            let mut answer = start.clone();
            let outcome = body.solve(&mut answer).expect("a pose");
            assert_eq!(outcome.status, Status::Reached, "{kind}: {outcome:?}");
            assert_eq!(body.task_outcome(id).expect("a task").status, Status::Reached, "{kind}");
            assert!(violation(&answer) < 1e-4, "{kind}");
        }
    }
}

#[test]
fn planted_feet_hold_while_a_hand_reaches_too_far() {
    let skeleton = skeleton();
    let mut noise = Noise::new(4);
    for case in 0..20 {
        let start = pose(&skeleton, &mut noise, 0.4);
        let mut body = body(&skeleton);
        for foot in [LEFT_FOOT, RIGHT_FOOT] {
            let (position, rotation) = place(&start, foot);
            body.add_task(Demand::new(Position::new(foot, position))).expect("a task");
            body.add_task(Demand::new(Orientation::new(foot, rotation))).expect("a task");
        }
        let goal = place(&start, LEFT_HAND).0 + Vec3::new(2.5, 0.5, 0.5);
        let hand = Demand { level: 1, ..Demand::new(Position::new(LEFT_HAND, goal)) };
        let hand = body.add_task(hand).expect("a task");
        let mut answer = start.clone();
        let outcome = body.solve(&mut answer).expect("a pose");
        assert_ne!(outcome.status, Status::Reached);
        assert_ne!(body.task_outcome(hand).expect("a task").status, Status::Reached);
        let at = judge(&answer);
        for foot in [LEFT_FOOT, RIGHT_FOOT] {
            let slid = distance(at[foot].0, place(&start, foot).0);
            assert!(slid < 1e-3, "case {case}: the foot slid {slid} m");
        }
        let before = (goal - place(&start, LEFT_HAND).0).length();
        assert!(distance(at[LEFT_HAND].0, goal) < f64::from(before) - 0.3, "case {case}: the hand hardly moved");
        assert!(violation(&answer) < 1e-4);
    }
}

#[test]
fn blend_zero_is_the_pose_bit_for_bit() {
    let skeleton = skeleton();
    let mut noise = Noise::new(5);
    let start = pose(&skeleton, &mut noise, 0.5);
    let mut body = body(&skeleton);
    let far = Demand { blend: 0.0, ..Demand::new(Position::new(LEFT_HAND, Vec3::ONE)) };
    body.add_task(far).expect("a task");
    let mut answer = start.clone();
    assert_eq!(body.solve(&mut answer).expect("a pose").status, Status::Inactive);
    assert_eq!(answer.local(), start.local());
}

#[test]
fn blend_moves_the_goal_on_a_straight_line() {
    let skeleton = skeleton();
    let mut noise = Noise::new(6);
    let start = pose(&skeleton, &mut noise, 0.3);
    let from = place(&start, LEFT_HAND).0;
    let goal = from + Vec3::new(-0.1, 0.1, 0.15);
    for blend in [0.25, 0.5, 0.75, 1.0] {
        let mut body = body(&skeleton);
        body.add_task(Demand { blend, ..Demand::new(Position::new(LEFT_HAND, goal)) }).expect("a task");
        let mut answer = start.clone();
        body.solve(&mut answer).expect("a pose");
        let off = distance(judge(&answer)[LEFT_HAND].0, from.lerp(goal, blend));
        assert!(off < 1e-3, "blend {blend}: {off}");
    }
}

#[test]
fn a_fixed_root_stays() {
    let skeleton = skeleton();
    let mut noise = Noise::new(7);
    let start = pose(&skeleton, &mut noise, 0.3);
    let mut body = body(&skeleton);
    body.set_floating(false);
    body.add_task(Demand::new(Position::new(LEFT_HAND, place(&start, LEFT_HAND).0 + Vec3::Y * 2.0))).expect("a task");
    let mut answer = start.clone();
    body.solve(&mut answer).expect("a pose");
    assert_eq!(answer.local()[HIPS], start.local()[HIPS]);
}

#[test]
fn the_same_input_gives_the_same_bits_whatever_was_solved_before() {
    let skeleton = skeleton();
    let mut noise = Noise::new(8);
    let (truth, start, other) =
        (pose(&skeleton, &mut noise, 0.8), pose(&skeleton, &mut noise, 0.3), pose(&skeleton, &mut noise, 0.6));
    let mut used = body(&skeleton);
    add_ends(&mut used, &truth);
    let mut elsewhere = other.clone();
    used.solve(&mut elsewhere).expect("a pose");
    let mut fresh = body(&skeleton);
    add_ends(&mut fresh, &truth);
    let (mut a, mut b) = (start.clone(), start.clone());
    used.solve(&mut a).expect("a pose");
    fresh.solve(&mut b).expect("a pose");
    assert_eq!(a.local(), b.local());
}

#[test]
fn small_changes_of_a_goal_change_the_pose_little() {
    let skeleton = skeleton();
    let mut noise = Noise::new(9);
    let mut largest = 0.0_f32;
    for _ in 0..6 {
        let start = pose(&skeleton, &mut noise, 0.3);
        let mut body = body(&skeleton);
        for foot in [LEFT_FOOT, RIGHT_FOOT] {
            let (position, rotation) = place(&start, foot);
            body.add_task(Demand::new(Position::new(foot, position))).expect("a task");
            body.add_task(Demand::new(Orientation::new(foot, rotation))).expect("a task");
        }
        let from = place(&start, LEFT_HAND).0;
        let hand = body.add_task(Demand::new(Position::new(LEFT_HAND, from))).expect("a task");
        let way = Vec3::new(noise.signed(), noise.signed(), noise.signed()) * 0.3;
        let mut last: Option<Pose> = None;
        for step in 0..=100 {
            let goal = from + way * (step as f32 / 100.0);
            body.set_task(hand, Demand::new(Position::new(LEFT_HAND, goal))).expect("a task");
            let mut answer = start.clone();
            body.solve(&mut answer).expect("a pose");
            if let Some(last) = &last {
                largest = largest.max(change(last, &answer));
            }
            last = Some(answer);
        }
    }
    // 3 to 5 mm a step.
    assert!(largest < 0.2, "{largest} rad in a step");
}

#[test]
fn track_mode_follows_and_comes_back() {
    let skeleton = skeleton();
    let mut noise = Noise::new(10);
    let start = pose(&skeleton, &mut noise, 0.3);
    let mut body = body(&skeleton);
    let from = place(&start, LEFT_HAND).0;
    let hand = body.add_task(Demand::new(Position::new(LEFT_HAND, from))).expect("a task");
    let mut answer = start.clone();
    for frame in 0..=120 {
        let t = (frame.min(120 - frame) as f32 / 60.0).min(1.0);
        let goal = from + Vec3::new(-0.1, 0.2, 0.2) * t;
        body.set_task(hand, Demand::new(Position::new(LEFT_HAND, goal))).expect("a task");
        answer = start.clone();
        body.track(&mut answer, 1.0 / 60.0).expect("a pose");
        let off = distance(judge(&answer)[LEFT_HAND].0, goal);
        assert!(off < 1e-3, "frame {frame}: {off}");
    }
    assert!(change(&answer, &start) < 0.02, "{}", change(&answer, &start));
}

#[test]
fn a_restored_snapshot_goes_on_with_the_same_bits() {
    let skeleton = skeleton();
    let mut noise = Noise::new(31);
    let truth = pose(&skeleton, &mut noise, 0.3);
    let start = pose(&skeleton, &mut noise, 0.1);
    let mut body = body(&skeleton);
    add_ends(&mut body, &truth);
    let frames = |body: &mut Body, count: usize| {
        let mut last = start.clone();
        for _ in 0..count {
            last = start.clone();
            body.track(&mut last, 1.0 / 60.0).expect("a pose");
        }
        last
    };
    frames(&mut body, 2);
    let mut snapshot = vec![0; body.snapshot_size()];
    assert!(body.snapshot_into(&mut snapshot));
    let ahead = frames(&mut body, 3);
    body.restore(&snapshot).expect("the same tasks");
    let again = frames(&mut body, 3);
    assert_eq!(ahead.local(), again.local());
    body.add_task(Demand::new(Position::new(HEAD, Vec3::Y))).expect("a task");
    assert!(body.restore(&snapshot).is_err(), "other tasks");
}

#[test]
fn feedback_does_not_depend_on_the_frame_rate() {
    let skeleton = skeleton();
    let mut noise = Noise::new(11);
    let start = pose(&skeleton, &mut noise, 0.3);
    let from = place(&start, LEFT_HAND).0;
    let goal = from + Vec3::new(-0.1, 0.2, 0.1);
    let after = |frames: u32| {
        let mut body = body(&skeleton);
        body.set_settings(BodySettings {
            feedback: 3.0,
            track_converge: TrackConverge::Never,
            track_iterations: 4,
            ..BodySettings::default()
        });
        body.add_task(Demand::new(Position::new(LEFT_HAND, goal))).expect("a task");
        let mut answer = start.clone();
        for _ in 0..frames {
            answer = start.clone();
            body.track(&mut answer, 0.5 / frames as f32).expect("a pose");
        }
        distance(judge(&answer)[LEFT_HAND].0, goal)
    };
    let expected = f64::from((goal - from).length()) * (-1.5_f64).exp();
    for frames in [5, 15, 60] {
        let left = after(frames);
        assert!((left - expected).abs() < 0.02 * expected, "{frames} frames: {left}, the law says {expected}");
    }
}

#[test]
fn no_joint_is_faster_than_the_cap() {
    let skeleton = skeleton();
    let mut noise = Noise::new(12);
    let start = pose(&skeleton, &mut noise, 0.3);
    let mut body = body(&skeleton);
    body.set_settings(BodySettings { max_speed: 1.0, track_converge: TrackConverge::Never, ..BodySettings::default() });
    let goal = place(&start, LEFT_HAND).0 + Vec3::new(-0.2, 0.4, 0.2);
    body.add_task(Demand::new(Position::new(LEFT_HAND, goal))).expect("a task");
    let mut last = start.clone();
    for frame in 0..120 {
        let mut answer = start.clone();
        body.track(&mut answer, 1.0 / 60.0).expect("a pose");
        assert!(change(&last, &answer) < 1.02 / 60.0, "frame {frame}: {}", change(&last, &answer));
        last = answer;
    }
    assert!(distance(judge(&last)[LEFT_HAND].0, goal) < 2e-3);
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let skeleton = skeleton();
    let mut body = body(&skeleton);
    assert!(Body::new(skeleton.clone(), 99).is_err());
    assert!(body.add_task(Demand::new(Position::new(99, Vec3::ZERO))).is_err());
    let demand = Demand::new(Position::new(LEFT_HAND, Vec3::ONE));
    for bad in [
        Demand { blend: 1.5, ..demand.clone() },
        Demand { blend: f32::NAN, ..demand.clone() },
        Demand { importance: 0.0, ..demand.clone() },
        Demand { level: 9, ..demand.clone() },
    ] {
        assert!(body.add_task(bad).is_err());
    }
    let id = body.add_task(demand).expect("a task");
    body.remove_task(id).expect("a task");
    assert!(body.remove_task(id).is_err() && body.task(id).is_err() && body.task_outcome(id).is_err());
}

#[test]
fn without_masses_tasks_on_their_centre_are_absent() {
    let skeleton = skeleton();
    let mut noise = Noise::new(12);
    for case in 0..10 {
        let start = pose(&skeleton, &mut noise, 0.3);
        let goal = place(&start, LEFT_HAND).0 + Vec3::new(0.1, 0.1, 0.05);
        let solve = |with_mass: bool, with_task: bool| {
            let mut body = body(&skeleton);
            for joint in 0..skeleton.joint_count() {
                body.set_mass(joint, if with_mass { 1.0 } else { 0.0 }, Vec3::ZERO).expect("a joint");
            }
            let hand = body.add_task(Demand::new(Position::new(LEFT_HAND, goal))).expect("a task");
            let center = CenterOfMass { goal: Vec3::new(3.0, 0.9, 0.1), axes: Axes::ALL };
            let center = with_task.then(|| body.add_task(Demand::new(center)).expect("a task"));
            let mut answer = start.clone();
            let outcome = body.solve(&mut answer).expect("a pose");
            let status = |id| body.task_outcome(id).expect("a task").status;
            (answer.local().to_vec(), outcome.status, status(hand), center.map(status))
        };
        let (alone, ..) = solve(false, false);
        let (answer, whole, hand, center) = solve(false, true);
        assert_eq!((whole, hand, center), (Status::Reached, Status::Reached, Some(Status::Inactive)), "case {case}");
        testkit::matchers::assert_pose_bits_equal(&alone, &answer);
        assert_ne!(solve(true, true).3, Some(Status::Inactive), "case {case}");
    }
}
