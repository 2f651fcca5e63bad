//! Dragging a joint of a pose: chain length, pins, limits, root; the same set-up from call to call.
//! Judged by kinematics in double precision.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{BodySettings, Demand, Drag, DragPin, Dragger, PlacedBody, PlacedBodyError};
use sinew::limits::{Freedom, Range};
use sinew::limits::{JointModel, SwingRegion};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::{Skeleton, SkeletonBuilder};
use sinew::tasks::Position;
use std::sync::Arc;
use testkit::matchers::{Affine64, forward_kinematics, max_joint_step_rad, vec3, wide};

/// A trunk of three joints with two arms of three joints and two legs of two.
fn skeleton() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let hips = builder.joint_at("hips", None, Vec3::Y);
    let spine = builder.joint_at("spine", Some(hips), Vec3::new(0.0, 0.2, 0.01));
    let chest = builder.joint_at("chest", Some(spine), Vec3::new(0.0, 0.25, -0.01));
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let upper = builder.joint_at(&format!("{side} upper"), Some(chest), Vec3::new(0.18 * sign, 0.1, 0.0));
        let lower = builder.joint_at(&format!("{side} lower"), Some(upper), Vec3::new(0.28 * sign, 0.0, 0.02));
        builder.joint_at(&format!("{side} hand"), Some(lower), Vec3::new(0.25 * sign, 0.0, 0.02));
        let thigh = builder.joint_at(&format!("{side} thigh"), Some(hips), Vec3::new(0.1 * sign, -0.05, 0.0));
        let shin = builder.joint_at(&format!("{side} shin"), Some(thigh), Vec3::new(0.0, -0.42, 0.02));
        builder.joint_at(&format!("{side} foot"), Some(shin), Vec3::new(0.0, -0.42, -0.02));
    }
    Arc::new(builder.build().expect("a skeleton"))
}

fn root() -> Transform {
    let turned = Transform::new(Vec3::new(3.0, -1.0, 2.0), axis_angle(Vec3::new(0.6, 0.8, 0.0), 1.1));
    Transform { scale: Vec3::splat(2.0), ..turned }
}

/// A direction of a joint, world space.
fn along(frame: &Affine64, axis: Vec3) -> Vec3 {
    vec3(frame.direction(wide(axis))).normalize()
}

struct Stage {
    skeleton: Arc<Skeleton>,
    body: PlacedBody,
    dragger: Dragger,
    pose: Vec<Transform>,
}

impl Stage {
    fn new() -> Self {
        let skeleton = skeleton();
        let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        body.set_root(root()).expect("an even scale");
        let mut pose = skeleton.rest_local().to_vec();
        for (joint, local) in pose.iter_mut().enumerate() {
            local.rotation = axis_angle(Vec3::new(0.0, 0.6, 0.8), 0.03 * joint as f32) * local.rotation;
        }
        Self { skeleton, body, dragger: Dragger::default(), pose }
    }
    fn joint(&self, name: &str) -> usize {
        self.skeleton.find_joint(name).expect("a joint")
    }
    fn frame(&self, pose: &[Transform], joint: usize) -> Affine64 {
        Affine64::from_transform(&root()).then(&forward_kinematics(&self.skeleton, pose)[joint])
    }
    fn at(&self, pose: &[Transform], name: &str) -> Vec3 {
        self.frame(pose, self.joint(name)).position_f32()
    }
    fn drag(&mut self, drag: &Drag<'_>) -> (Status, Vec<Transform>) {
        let mut pose = self.pose.clone();
        let outcome = self.dragger.drag(&self.body, &mut pose, drag).expect("a drag");
        (outcome.status, pose)
    }
    fn moved(&self, pose: &[Transform]) -> Vec<&str> {
        let turned = |j: usize| max_joint_step_rad(&pose[j..=j], &self.pose[j..=j]) > 1e-6;
        let changed = (0..pose.len()).filter(|j| turned(*j) || pose[*j].position != self.pose[*j].position);
        changed.map(|joint| self.skeleton.name(joint)).collect()
    }
}

fn to(joint: usize, goal_ws: Vec3, chain_length: u32, pins: &[DragPin]) -> Drag<'_> {
    Drag { joint, point_js: Vec3::ZERO, goal_ws, rotation_ws: None, chain_length, pins }
}

#[test]
fn only_the_chain_turns() {
    let mut stage = Stage::new();
    let (hand, start) = (stage.joint("left hand"), stage.at(&stage.pose, "left hand"));
    let goal = start + Vec3::new(-0.15, 0.2, 0.1);
    let chains: [(u32, &[&str]); 4] = [
        (2, &["left upper", "left lower"]),
        (3, &["chest", "left upper", "left lower"]),
        (5, &["hips", "spine", "chest", "left upper", "left lower"]),
        (9, &["hips", "spine", "chest", "left upper", "left lower"]),
    ];
    for (length, expected) in chains {
        let (status, pose) = stage.drag(&to(hand, goal, length, &[]));
        assert_eq!(status, Status::Reached, "chain of {length}");
        assert!((stage.at(&pose, "left hand") - goal).length() < 2e-3, "chain of {length}");
        assert_eq!(stage.moved(&pose), expected, "chain of {length}");
        assert_eq!(pose[0].position, stage.pose[0].position, "chain of {length}: the root moves");
    }
    // One joint can only bring the hand onto its circle.
    let (status, pose) = stage.drag(&to(hand, goal, 1, &[]));
    assert_ne!(status, Status::Reached);
    assert_eq!(stage.moved(&pose), ["left lower"]);
    let elbow = stage.at(&pose, "left lower");
    let reach = (goal - elbow).length() - (stage.at(&pose, "left hand") - elbow).length();
    assert!(((goal - stage.at(&pose, "left hand")).length() - reach.abs()).abs() < 5e-3, "not the nearest point");
}

#[test]
fn the_whole_body_follows_and_pins_stay() {
    let mut stage = Stage::new();
    let feet = ["left foot", "right foot"];
    let pins = feet.map(|foot| DragPin { joint: stage.joint(foot), holds_rotation: true });
    let hips = stage.joint("hips");
    let goal = stage.at(&stage.pose, "hips") + root().rotation * Vec3::new(0.1, -0.4, 0.1);
    let (status, pose) = stage.drag(&to(hips, goal, 0, &pins));
    assert_eq!(status, Status::Reached);
    assert!((stage.at(&pose, "hips") - goal).length() < 2e-3);
    for foot in feet {
        let joint = stage.joint(foot);
        let (before, after) = (stage.frame(&stage.pose, joint), stage.frame(&pose, joint));
        assert!((after.position_f32() - before.position_f32()).length() < 2e-3, "{foot} moves");
        let (up, side) = (Vec3::Y, Vec3::X);
        for axis in [up, side] {
            let (a, b) = (along(&before, axis), along(&after, axis));
            assert!(a.angle_between(b) < 6e-3, "{foot} turns");
        }
    }
    // Beyond the legs' reach the pins come first.
    let far = stage.at(&stage.pose, "hips") + root().rotation * Vec3::new(0.0, 3.0, 0.0);
    let (status, pose) = stage.drag(&to(hips, far, 0, &pins));
    assert_ne!(status, Status::Reached);
    for foot in feet {
        assert!((stage.at(&pose, foot) - stage.at(&stage.pose, foot)).length() < 4e-3, "{foot} is pulled off");
    }
    // With a fixed root the hips stay.
    stage.body.set_floating(false);
    let (_, pose) = stage.drag(&to(hips, goal, 0, &pins));
    assert_eq!(pose[0], stage.pose[0]);
    assert!(max_joint_step_rad(&pose, &stage.pose) < 1e-3);
}

#[test]
fn limits_hold_and_can_change_between_calls() {
    let mut stage = Stage::new();
    let (hand, lower) = (stage.joint("left hand"), stage.joint("left lower"));
    let goal = stage.at(&stage.pose, "left upper") + root().rotation * Vec3::new(0.1, 0.2, 0.5);
    let cone = |degrees: f32| {
        let swing = SwingRegion::cone(degrees.to_radians());
        JointModel::limited(Freedom::Ball { swing, twist: Range::new(-0.5, 0.5) })
    };
    for degrees in [20.0, 60.0, 20.0] {
        stage.body.set_joint_limits(lower, cone(degrees)).expect("limits");
        let (_, pose) = stage.drag(&to(hand, goal, 2, &[]));
        let turn = stage.skeleton.rest_local()[lower].rotation.conjugate() * pose[lower].rotation;
        let lean = (turn * Vec3::Y).angle_between(Vec3::Y).to_degrees();
        assert!(lean < degrees + 0.1, "the elbow leans by {lean} of {degrees} degrees");
    }
}

#[test]
fn a_point_and_a_rotation_can_be_dragged() {
    let mut stage = Stage::new();
    let hand = stage.joint("left hand");
    let palm = Vec3::new(0.08, 0.0, 0.02);
    let goal = stage.at(&stage.pose, "left hand") + Vec3::new(-0.1, 0.15, 0.2);
    let turned = axis_angle(Vec3::new(0.0, 0.8, 0.6), 0.7) * root().rotation;
    let drag = Drag { point_js: palm, rotation_ws: Some(turned), ..to(hand, goal, 0, &[]) };
    let (status, pose) = stage.drag(&drag);
    assert_eq!(status, Status::Reached);
    let frame = stage.frame(&pose, hand);
    assert!((vec3(frame.point(wide(palm))) - goal).length() < 2e-3);
    assert!(along(&frame, Vec3::X).angle_between(turned * Vec3::X) < 6e-3);
}

#[test]
fn a_drag_depends_on_its_goal_alone_and_back_at_the_start_nothing_has_moved() {
    let mut stage = Stage::new();
    let (hand, foot) = (stage.joint("left hand"), stage.joint("right foot"));
    let pins = [DragPin { joint: foot, holds_rotation: false }];
    let start = stage.at(&stage.pose, "left hand");
    let out = |i: u32| start + Vec3::new(-0.01, 0.02, 0.01) * i as f32;
    let first: Vec<_> = (0..20).map(|i| stage.drag(&to(hand, out(i), 0, &pins)).1).collect();
    let back: Vec<_> = (0..20).rev().map(|i| stage.drag(&to(hand, out(i), 0, &pins)).1).collect();
    assert!(first.iter().eq(back.iter().rev()), "the answer depends on calls before");
    let off = |a: Quat, b: Quat| (a.conjugate() * b).w.abs().min(1.0);
    assert!(first[0].iter().zip(&stage.pose).all(|(a, b)| off(a.rotation, b.rotation) > 1.0 - 1e-6), "at the start");
    for pair in first.windows(2) {
        let turned = pair[0].iter().zip(&pair[1]).map(|(a, b)| off(a.rotation, b.rotation)).fold(1.0_f32, f32::min);
        assert!(turned > 0.999, "a step of 2.5 cm turns a joint by {} rad", 2.0 * turned.acos());
    }
}

#[test]
fn the_bodys_tasks_do_not_count_and_stay() {
    let mut stage = Stage::new();
    let (hand, other) = (stage.joint("left hand"), stage.joint("right hand"));
    let task = Demand::new(Position::new(other, stage.at(&stage.pose, "right hand") + Vec3::new(0.2, 0.1, 0.1)));
    let task = stage.body.add_task(task.into()).expect("a task");
    let solved = stage.body.solve(&mut stage.pose.clone(), 0.0).expect("a solve");
    let goal = stage.at(&stage.pose, "left hand") + Vec3::new(-0.1, 0.1, 0.1);
    let (status, pose) = stage.drag(&to(hand, goal, 2, &[]));
    assert_eq!((status, stage.moved(&pose)), (Status::Reached, vec!["left upper", "left lower"]));
    assert_eq!(stage.body.outcome(), solved);
    assert_eq!(stage.body.task_outcome(task).expect("an outcome").0.status, Status::Reached);
}

#[test]
fn joints_that_do_not_exist_are_refused() {
    let mut stage = Stage::new();
    let pins = [DragPin { joint: 99, holds_rotation: false }];
    for drag in [to(99, Vec3::ZERO, 0, &[]), to(3, Vec3::ZERO, 0, &pins)] {
        let mut pose = stage.pose.clone();
        assert!(matches!(stage.dragger.drag(&stage.body, &mut pose, &drag), Err(PlacedBodyError::Body(_))));
        assert_eq!(pose, stage.pose);
    }
    let mut short = stage.pose[1..].to_vec();
    assert!(stage.dragger.drag(&stage.body, &mut short, &to(3, Vec3::ZERO, 0, &[])).is_err());
}

/// Levels and the budget are those of the owner's tasks and of a call: a drag with pins is one
/// whatever levels count, and ends with its work.
#[test]
fn a_drag_with_pins_needs_no_level_of_the_owner_and_keeps_its_budget() {
    let mut stage = Stage::new();
    let pins = [DragPin { joint: stage.joint("left foot"), holds_rotation: true }];
    let (hand, start) = (stage.joint("left hand"), stage.at(&stage.pose, "left hand"));
    let goal = start + root().rotation * Vec3::new(-0.2, 0.1, 0.2);
    let settings = BodySettings { max_level: 0, ..*stage.body.settings() };
    stage.body.set_settings(settings);
    let (status, pose) = stage.drag(&to(hand, goal, 0, &pins));
    assert_eq!(status, Status::Reached);
    assert!((stage.at(&pose, "left hand") - goal).length() < 2e-3);
    stage.body.set_max_work(0);
    let (status, pose) = stage.drag(&to(hand, goal, 0, &pins));
    assert_eq!(status, Status::OutOfIterations);
    assert!((stage.at(&pose, "left hand") - start).length() < 2e-3);
}
