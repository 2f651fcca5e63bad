//! Goals that cannot all be met, rows that depend on one another, priority levels, goals far away.
//! Judged by forward kinematics in double precision.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{Body, BodySettings, BodyTaskId, Demand, TrackSolver};
use sinew::limits::{AxisLimits, JointModel, Range};
use sinew::math::{Vec3, axis_angle};
use sinew::optim::Noise;
use sinew::outcome::Status;
use sinew::skeleton::{Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{AnyTask, Axes, Axis, Gaze, Orientation, Position, RelativePosition};
use std::sync::Arc;
use testkit::matchers::{assert_pose_bits_equal, distance, forward_kinematics, max_joint_step_rad, wide};

/// A person of 1.7 m: trunk, head, two arms with shoulders, two legs.
fn skeleton() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent, offset| builder.joint_at(name, parent, offset);
    let hips = add("hips", None, Vec3::new(0.0, 0.95, 0.0));
    let spine = add("spine", Some(hips), Vec3::Y * 0.12);
    let chest = add("chest", Some(spine), Vec3::Y * 0.2);
    let neck = add("neck", Some(chest), Vec3::Y * 0.25);
    add("head", Some(neck), Vec3::Y * 0.1);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let mut above = chest;
        let arm = [("shoulder", 0.05, 0.2, 0.0), ("upper arm", 0.14, 0.0, 0.0), ("forearm", 0.28, 0.0, -0.01)];
        for (name, x, y, z) in arm.into_iter().chain([("hand", 0.26, 0.0, 0.01)]) {
            above = add(&format!("{side} {name}"), Some(above), Vec3::new(x * sign, y, z));
        }
        let mut above = hips;
        for (name, x, y, z) in [("thigh", 0.1, -0.05, 0.0), ("shin", 0.0, -0.42, 0.02), ("foot", 0.0, -0.4, -0.02)] {
            above = add(&format!("{side} {name}"), Some(above), Vec3::new(x * sign, y, z));
        }
    }
    Arc::new(builder.build().expect("a skeleton"))
}

/// A joint that turns by little, about each axis.
fn narrow() -> JointModel {
    let range = Some(Range::new(-0.2, 0.2));
    JointModel::limited(AxisLimits { locked: [false; 3], range: [range; 3] }.into())
}

struct Stage {
    skeleton: Arc<Skeleton>,
    body: Body,
}

impl Stage {
    fn new() -> Self {
        let skeleton = skeleton();
        let body = Body::new(skeleton.clone(), 0).expect("a body");
        Self { skeleton, body }
    }
    fn of_root(name: &str) -> Self {
        let skeleton = skeleton();
        let root = skeleton.find_joint(name).expect("a joint");
        let mut body = Body::new(skeleton.clone(), root).expect("a body");
        body.set_floating(false);
        Self { skeleton, body }
    }
    fn joint(&self, name: &str) -> usize {
        self.skeleton.find_joint(name).expect("a joint")
    }
    fn rest(&self) -> Pose {
        Pose::rest(&self.skeleton)
    }
    fn add(&mut self, task: impl Into<AnyTask>, level: u8) -> BodyTaskId {
        self.body.add_task(Demand { level, ..Demand::new(task) }).expect("a task")
    }
    fn pin_feet(&mut self) {
        for side in ["left", "right"] {
            let foot = self.joint(&format!("{side} foot"));
            let at = self.rest().model(foot);
            self.add(Position::new(foot, at.position), 0);
            self.add(Orientation::new(foot, at.rotation), 0);
        }
    }
    fn missed(&self, pose: &Pose, joint: usize, goal: Vec3) -> f64 {
        distance(forward_kinematics(&self.skeleton, pose.local())[joint].position, wide(goal))
    }
    /// A pose with each joint turned at random, the root moved a little.
    fn random_pose(&self, noise: &mut Noise, most_rad: f32) -> Pose {
        let mut pose = self.rest();
        for joint in 0..self.skeleton.joint_count() {
            let axis = Vec3::new(noise.signed(), noise.signed(), noise.signed()).normalize_or(Vec3::X);
            pose.local_mut()[joint].rotation = axis_angle(axis, most_rad * noise.signed());
        }
        pose.local_mut()[0].position += Vec3::new(noise.signed(), noise.signed(), noise.signed()) * 0.05;
        pose.update(&self.skeleton);
        pose
    }
}

/// Directions treated one by one need no factored dual; borders that a step crosses must not look
/// for one.
#[test]
fn every_solver_of_track_mode_takes_tasks_that_appear_beside_limits() {
    for track_solver in TrackSolver::ALL {
        let mut stage = Stage::new();
        stage.body.set_settings(BodySettings { track_solver, ..BodySettings::default() });
        let model = narrow();
        for name in ["spine", "chest", "neck", "right shoulder", "right upper arm"] {
            stage.body.set_joint_limits(stage.joint(name), model).expect("a joint");
        }
        let (foot, head, hand) = (stage.joint("left foot"), stage.joint("head"), stage.joint("right hand"));
        let at = stage.rest().model(foot).position;
        stage.add(Position::new(foot, at), 0);
        stage.add(Position::new(head, Vec3::new(0.0, 1.6, 0.05)), 1);
        let task = stage.add(Position::new(hand, Vec3::new(-0.3, 0.3, 0.6)), 0);
        for frame in 0..40 {
            stage.body.set_blend(task, if frame < 3 { 0.0 } else { 1.0 }).expect("a task");
            let mut pose = stage.rest();
            stage.body.track(&mut pose, 1.0 / 60.0).expect("a pose");
            assert!(pose.local().iter().all(|joint| joint.is_finite()), "{track_solver:?}, frame {frame}");
        }
    }
}

/// Two ties inside the body, one of which is met by every pose of the forearm: three rows of rank
/// two. Nothing holds the root, and nothing moves it.
#[test]
fn ties_inside_the_body_leave_its_root_where_it_is() {
    let mut noise = Noise::new(3);
    let mut reached = 0;
    for case in 0..120 {
        let mut stage = Stage::new();
        let (hand, forearm) = (stage.joint("right hand"), stage.joint("right forearm"));
        let tie = |other, other_point_js| RelativePosition {
            joint: hand,
            point_js: Vec3::ZERO,
            other,
            other_point_js,
            axes: Axes::ALL,
        };
        let at = Vec3::new(noise.signed() * 0.2 - 0.1, 0.3 + 0.2 * noise.signed(), 0.15 + 0.1 * noise.signed());
        stage.add(tie(0, at), 0);
        stage.add(tie(forearm, stage.skeleton.rest_local()[hand].position), 0);
        let mut pose = stage.rest();
        let outcome = stage.body.solve(&mut pose).expect("a pose");
        let moved = pose.local()[0].position - stage.skeleton.rest_local()[0].position;
        assert!(moved.length() < 0.02, "case {case}: {moved} with {outcome:?}");
        if outcome.status == Status::Reached {
            let frames = forward_kinematics(&stage.skeleton, pose.local());
            let left = distance(frames[hand].position, frames[0].point(wide(at)));
            assert!(left < 1e-3, "case {case}: {left}");
            reached += 1;
        }
    }
    assert!(reached > 100, "{reached} of 120");
}

/// A sole pinned by three or four points has as many rows more than it has freedoms: the pose is
/// that of a pinned position and rotation, and moves as smoothly.
#[test]
fn points_of_a_sole_hold_a_foot_as_its_position_and_rotation_do() {
    let sweep = |points: usize| {
        let mut stage = Stage::new();
        for side in ["left", "right"] {
            let foot = stage.joint(&format!("{side} foot"));
            let at = stage.rest().model(foot);
            let corners = [(0.04, 0.15), (-0.04, 0.15), (0.0, -0.06), (0.03, -0.05)];
            for (x, z) in corners.into_iter().take(points) {
                let point_js = Vec3::new(x, -0.06, z);
                stage.add(Position { point_js, ..Position::new(foot, at.point_out(point_js)) }, 0);
            }
            if points == 0 {
                stage.add(Position::new(foot, at.position), 0);
                stage.add(Orientation::new(foot, at.rotation), 0);
            }
        }
        let hand = stage.joint("right hand");
        let task = stage.add(Position::new(hand, Vec3::ZERO), 0);
        let (mut poses, mut step) = (Vec::<Pose>::new(), 0.0_f64);
        for frame in 0..200 {
            let goal = Vec3::new(-0.4 + 0.0007 * frame as f32, 0.6 + 0.0012 * frame as f32, 0.5);
            stage.body.set_task(task, Demand::new(Position::new(hand, goal))).expect("the task");
            let mut pose = stage.rest();
            let outcome = stage.body.solve(&mut pose).expect("a pose");
            assert_eq!(outcome.status, Status::Reached, "{points} points, frame {frame}");
            if let Some(last) = poses.last() {
                step = step.max(max_joint_step_rad(last.local(), pose.local()));
            }
            poses.push(pose);
        }
        (poses, step)
    };
    let (usual, usual_step) = sweep(0);
    for points in [3, 4] {
        let (poses, step) = sweep(points);
        assert!(step < 1.5 * usual_step + 0.01, "{points} points: {step} rad a frame, {usual_step} by rotation");
        for (frame, (one, other)) in poses.iter().zip(&usual).enumerate() {
            let apart = max_joint_step_rad(one.local(), other.local());
            assert!(apart < 0.1, "{points} points, frame {frame}: {apart} rad from the pose by rotation");
        }
    }
}

#[test]
fn goals_that_can_be_met_together_are_met_whatever_their_levels() {
    for level in 0..=Demand::MAX_LEVEL {
        let mut noise = Noise::new(11);
        for case in 0..20 {
            let mut stage = Stage::new();
            let truth = stage.random_pose(&mut noise, 0.6);
            let mut goals = Vec::new();
            for (name, level) in [("left foot", 0), ("right foot", 0), ("left hand", level), ("right hand", level)] {
                let joint = stage.joint(name);
                goals.push((joint, truth.model(joint).position));
                stage.add(Position::new(joint, truth.model(joint).position), level);
            }
            let mut pose = stage.rest();
            stage.body.solve(&mut pose).expect("a pose");
            for (joint, goal) in goals {
                let left = stage.missed(&pose, joint, goal);
                assert!(left < 1e-3, "level {level}, case {case}, joint {joint}: {left} m");
            }
        }
    }
}

#[test]
fn a_level_gives_way_to_each_above_it_however_far_its_goal_is() {
    for (first, second) in [(0, 1), (0, 3), (1, 2), (2, 3)] {
        for far in [1.5, 3.0, 10.0, 30.0] {
            let mut stage = Stage::new();
            stage.pin_feet();
            let (right, left) = (stage.joint("right hand"), stage.joint("left hand"));
            let goal = Vec3::new(-0.35, 1.2, 0.35);
            stage.add(Position::new(right, goal), first);
            stage.add(Position::new(left, Vec3::new(far, 1.2, 0.0)), second);
            let mut pose = stage.rest();
            stage.body.solve(&mut pose).expect("a pose");
            let missed = stage.missed(&pose, right, goal);
            assert!(missed < 1e-3, "levels {first} and {second}, {far} m: {missed} m");
        }
    }
}

/// The arms share no joint: what one cannot reach is nothing to the other.
#[test]
fn a_goal_out_of_reach_keeps_no_other_arm_from_its_goal() {
    for far in [3.0, 10.0, 30.0, 100.0] {
        let mut stage = Stage::of_root("chest");
        let (right, left) = (stage.joint("right hand"), stage.joint("left hand"));
        let goal = Vec3::new(-0.35, 1.2, 0.35);
        stage.add(Position::new(right, goal), 0);
        stage.add(Position::new(left, Vec3::new(far, 1.2, 0.0)), 0);
        let mut pose = stage.rest();
        stage.body.solve(&mut pose).expect("a pose");
        let missed = stage.missed(&pose, right, goal);
        assert!(missed < 1e-3, "{far} m: {missed} m");
        // The other arm points at its goal.
        let most = 0.28_f64.hypot(0.01) + 0.26_f64.hypot(0.01) + 0.14 + 0.05_f64.hypot(0.2);
        let left_over = stage.missed(&pose, left, Vec3::new(far, 1.2, 0.0));
        assert!(left_over < f64::from(far) - most + 0.25, "{far} m: {left_over} m");
    }
}

/// A blend of a direction goes along the arc, also where the goal is behind.
#[test]
fn blends_of_directions_go_along_the_arc() {
    for gaze in [false, true] {
        let mut stage = Stage::of_root("neck");
        let head = stage.joint("head");
        let turn = 3.0_f32;
        let to = axis_angle(Vec3::Y, turn) * Vec3::Z;
        let eye = stage.rest().model(head).position;
        let task: AnyTask = if gaze {
            Gaze { joint: head, eye_js: Vec3::ZERO, axis_js: Vec3::Z, target: eye + to * 3.0 }.into()
        } else {
            Axis { joint: head, axis_js: Vec3::Z, direction: to }.into()
        };
        let task = stage.add(task, 0);
        for step in 1..=20 {
            let blend = step as f32 / 20.0;
            stage.body.set_blend(task, blend).expect("a task");
            let mut pose = stage.rest();
            let outcome = stage.body.solve(&mut pose).expect("a pose");
            assert_eq!(outcome.status, Status::Reached, "gaze {gaze}, blend {blend}");
            let forward = forward_kinematics(&stage.skeleton, pose.local())[head].axis(2);
            let angle = forward[0].atan2(forward[2]);
            assert!((angle - f64::from(turn * blend)).abs() < 0.02, "gaze {gaze}, blend {blend}: {angle}");
        }
    }
}

#[test]
fn what_a_task_left_is_told_of_that_task_alone() {
    let mut stage = Stage::new();
    stage.pin_feet();
    let (right, left) = (stage.joint("right hand"), stage.joint("left hand"));
    let far = stage.add(Position::new(right, Vec3::new(-6.0, 1.0, 0.0)), 0);
    let mut pose = stage.rest();
    stage.body.solve(&mut pose).expect("a pose");
    let before = stage.body.task_outcome(far).expect("an outcome");
    assert!(before.status != Status::Reached && before.residual > 1.0, "{before:?}");
    let added = stage.add(Position::new(left, Vec3::new(0.5, 1.2, 0.2)), 0);
    assert_eq!(stage.body.task_outcome(far), Ok(before));
    assert_eq!(stage.body.task_outcome(added).map(|outcome| outcome.status), Ok(Status::Inactive));
    stage.body.remove_task(added).expect("the task");
    assert_eq!(stage.body.task_outcome(far), Ok(before));
}

/// What is absent neither takes joints into their limits nor changes the answer of what is there.
#[test]
fn a_task_without_blend_is_absent_bit_for_bit() {
    let mut noise = Noise::new(29);
    for case in 0..60 {
        let mut answers = Vec::new();
        let start = Stage::new().random_pose(&mut noise, 0.8);
        let goal = Vec3::new(-0.4 + 0.2 * noise.signed(), 1.2 + 0.3 * noise.signed(), 0.3);
        for with in [false, true] {
            let mut stage = Stage::new();
            stage.body.set_joint_limits(stage.joint("left forearm"), narrow()).expect("a joint");
            stage.pin_feet();
            let (right, left) = (stage.joint("right hand"), stage.joint("left hand"));
            stage.add(Position::new(right, goal), 0);
            if with {
                let absent = Demand { blend: 0.0, ..Demand::new(Position::new(left, Vec3::ZERO)) };
                stage.body.add_task(absent).expect("a task");
            }
            let mut pose = start.clone();
            stage.body.solve(&mut pose).expect("a pose");
            answers.push(pose);
        }
        assert_pose_bits_equal(answers[0].local(), answers[1].local());
        let left = answers[0].local().iter().zip(start.local()).filter(|(a, b)| a != b).count();
        assert!(left > 0, "case {case}: nothing moved");
    }
}

/// Feet that are pinned and hips that are pulled down: nothing moves, so the body comes to rest.
#[test]
fn track_mode_comes_to_rest_where_nothing_moves() {
    let hips = [Vec3::new(0.0, 0.7, 0.2), Vec3::new(0.0, 0.7, 0.0), Vec3::new(0.0, 0.85, 0.0)];
    for (hips, feedback) in hips.into_iter().flat_map(|hips| [0.0, 5.0, 20.0].map(|feedback| (hips, feedback))) {
        let mut stage = Stage::new();
        stage.body.set_settings(BodySettings { feedback, ..BodySettings::default() });
        stage.pin_feet();
        stage.add(Position::new(0, hips), 0);
        let mut last: Option<Pose> = None;
        for frame in 0..600 {
            let mut pose = stage.rest();
            stage.body.track(&mut pose, 1.0 / 60.0).expect("a pose");
            if let Some(last) = last.filter(|_| frame > 400) {
                let step = max_joint_step_rad(last.local(), pose.local());
                assert!(step < 2e-3, "hips at {hips}, feedback {feedback}, frame {frame}: {step} rad");
            }
            last = Some(pose);
        }
    }
}
