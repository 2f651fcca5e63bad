//! Motion in track mode against the laws that `docs/body.md` states: feedback, goals that move,
//! caps of speed and acceleration, steps, reiteration. Judged in f64 on the poses.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{Body, BodyError, BodySettings, BodyTaskId, Demand, TrackConverge, TrackSolver};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Transform, Vec3};
use sinew::skeleton::{JointDefinition, Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{Axes, Orientation, Position};
use std::sync::Arc;
use testkit::matchers::{self, forward_kinematics};

const LINKS: usize = 4;
const LENGTH: f64 = 0.3;
const TIP: usize = LINKS;

/// A base that stays, and links along +Y, bent a little; the last joint is the tip.
fn arm() -> (Arc<Skeleton>, Pose) {
    let joint = |i: usize| JointDefinition {
        name: format!("joint {i}"),
        parent: i.checked_sub(1),
        rest: Transform::at(Vec3::Y * if i < 2 { 0.0 } else { LENGTH as f32 }),
    };
    let skeleton = Arc::new(Skeleton::new((0..=TIP + 1).map(joint).collect()).expect("a skeleton"));
    let mut pose = Pose::rest(&skeleton);
    let bent = (0..=TIP + 1).map(|i| {
        let mut transform = skeleton.rest_local()[i];
        if (1..=TIP).contains(&i) {
            transform.rotation = sinew::math::axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.4);
        }
        transform
    });
    pose.load(bent.collect::<Vec<_>>().into_iter()).expect("numbers");
    pose.update(&skeleton);
    (skeleton, pose)
}

struct Arm {
    body: Body,
    start: Pose,
    task: BodyTaskId,
}

impl Arm {
    fn new(settings: BodySettings) -> Self {
        let (skeleton, start) = arm();
        let mut body = Body::new(skeleton, 0).expect("a body");
        body.set_floating(false);
        body.set_settings(BodySettings { posture: 0.0, ..settings });
        let goal = Demand::new(Position::new(TIP + 1, tip(&start)));
        let task = body.add_task(goal).expect("a task");
        Self { body, start, task }
    }
    /// One frame towards a goal.
    fn frame(&mut self, goal: Vec3, dt: f32) -> Pose {
        self.body.set_task(self.task, Demand::new(Position::new(TIP + 1, goal))).expect("the task");
        let mut pose = self.start.clone();
        self.body.track(&mut pose, dt).expect("a pose");
        pose
    }
}

type V = [f64; 3];

/// Where the tip is, from the local rotations alone.
fn tip(pose: &Pose) -> Vec3 {
    let mut at: V = [0.0; 3];
    for i in (1..=TIP + 1).rev() {
        if i <= TIP {
            at = matchers::rotate(pose.local()[i].rotation.to_array().map(f64::from), at);
        }
        at[1] += if i < 2 { 0.0 } else { LENGTH };
    }
    Vec3::from_array(at.map(|n| n as f32))
}

fn left(pose: &Pose, goal: Vec3) -> f64 {
    f64::from((tip(pose) - goal).length())
}

/// Rotation vector of each joint from one pose to the next, in f64.
fn turns(from: &Pose, to: &Pose) -> Vec<V> {
    let pairs = from.local().iter().zip(to.local());
    pairs
        .map(|(a, b)| {
            let ([ax, ay, az, aw], [bx, by, bz, bw]) =
                (a.rotation.to_array().map(f64::from), b.rotation.to_array().map(f64::from));
            // b · a⁻¹.
            let w = bw * aw + bx * ax + by * ay + bz * az;
            let v = [
                aw * bx - bw * ax - (by * az - bz * ay),
                aw * by - bw * ay - (bz * ax - bx * az),
                aw * bz - bw * az - (bx * ay - by * ax),
            ];
            let s = v.iter().map(|n| n * n).sum::<f64>().sqrt();
            let angle = 2.0 * s.atan2(w.abs()) * if w < 0.0 { -1.0 } else { 1.0 };
            if s < 1e-12 { [0.0; 3] } else { v.map(|n| n / s * angle) }
        })
        .collect()
}

fn length(v: V) -> f64 {
    v.iter().map(|n| n * n).sum::<f64>().sqrt()
}

fn circle(time: f64) -> Vec3 {
    let angle = 1.5 * time;
    Vec3::new((0.25 * angle.cos()) as f32, 0.7, (0.25 * angle.sin()) as f32)
}

#[test]
fn a_jump_of_the_goal_fades_by_the_feedback() {
    // Where explicit integration oscillates, too: 100/s at 24 frames a second.
    for (feedback, frames) in [(3.0_f64, 24_u32), (20.0, 24), (100.0, 24), (20.0, 144)] {
        let settings = BodySettings {
            feedback: feedback as f32,
            max_speed: 0.0,
            track_iterations: 4,
            track_converge: TrackConverge::Never,
            ..BodySettings::default()
        };
        let mut arm = Arm::new(settings);
        let goal = tip(&arm.start) + Vec3::new(0.2, -0.15, -0.1);
        let mut expected = left(&arm.start, goal);
        for frame in 0..frames {
            let now = left(&arm.frame(goal, 1.0 / frames as f32), goal);
            expected *= (-feedback / f64::from(frames)).exp();
            let most = 0.02 * expected + 2e-6;
            assert!((now - expected).abs() < most, "{feedback}/s, frame {frame}: {now}, the law says {expected}");
        }
    }
}

#[test]
fn goals_that_move_leave_a_lag_without_their_velocity_and_none_with_it() {
    let mut most = [0.0_f64; 2];
    for (number, goal_velocity) in [0.0, 1.0].into_iter().enumerate() {
        let settings = BodySettings {
            feedback: 20.0,
            goal_velocity,
            max_speed: 0.0,
            track_iterations: 3,
            ..BodySettings::default()
        };
        let mut arm = Arm::new(settings);
        for frame in 0..60 {
            let goal = circle(f64::from(frame) / 60.0);
            let pose = arm.frame(goal, 1.0 / 60.0);
            if frame > 20 {
                most[number] = most[number].max(left(&pose, goal));
            }
        }
    }
    // Speed over feedback, of the discrete law: v h s/(1 − s), s = exp(−feedback h).
    let s = (-20.0_f64 / 60.0).exp();
    let lag = 0.25 * 1.5 / 60.0 * s / (1.0 - s);
    assert!((most[0] - lag).abs() < 0.03 * lag, "lag {}, the law says {lag}", most[0]);
    assert!(most[1] < 5e-5, "left with the goals' velocity: {}", most[1]);
}

#[test]
fn what_is_left_of_a_moving_goal_fades_by_the_feedback() {
    let settings = BodySettings {
        feedback: 6.0,
        goal_velocity: 1.0,
        max_speed: 0.0,
        track_iterations: 4,
        track_converge: TrackConverge::Never,
        ..BodySettings::default()
    };
    let mut arm = Arm::new(settings);
    let mut expected = f64::NAN;
    for frame in 0..60 {
        let goal = circle(f64::from(frame) / 60.0);
        let now = left(&arm.frame(goal, 1.0 / 60.0), goal);
        if frame == 0 {
            assert!(now > 0.1, "it starts away from the goal: {now}");
            expected = now;
        } else {
            expected *= (-6.0_f64 / 60.0).exp();
            assert!((now - expected).abs() < 0.02 * expected + 5e-5, "frame {frame}: {now}, the law says {expected}");
        }
    }
}

/// Frames, each joint's velocities, and what is left, of a way with an acceleration cap.
fn accelerated(settings: BodySettings, goal: Vec3, dt: f32, frames: u32) -> (Vec<Vec<V>>, Vec<f64>) {
    let mut arm = Arm::new(settings);
    let (mut speeds, mut rest) = (Vec::new(), Vec::new());
    let mut last = arm.start.clone();
    for _ in 0..frames {
        let pose = arm.frame(goal, dt);
        speeds.push(turns(&last, &pose).into_iter().map(|v| v.map(|n| n / f64::from(dt))).collect());
        rest.push(left(&pose, goal));
        last = pose;
    }
    (speeds, rest)
}

#[test]
fn no_joint_changes_its_speed_faster_than_the_cap_and_all_stop_at_the_goal() {
    let settings = BodySettings {
        max_acceleration: 8.0,
        max_speed: 0.0,
        track_iterations: 4,
        track_converge: TrackConverge::Never,
        ..BodySettings::default()
    };
    let (_, start) = arm();
    let goal = tip(&start) + Vec3::new(0.45, -0.25, -0.3);
    let dt = 1.0 / 60.0;
    let (speeds, rest) = accelerated(settings, goal, dt, 240);
    let mut fastest = 0.0_f64;
    for (frame, pair) in speeds.windows(2).enumerate() {
        for (joint, (a, b)) in pair[0].iter().zip(&pair[1]).enumerate() {
            let change = length([0, 1, 2].map(|i| b[i] - a[i])) / f64::from(dt);
            assert!(change < 8.0 * 1.02, "frame {frame}, joint {joint}: {change} rad/s²");
            fastest = fastest.max(length(*b));
        }
    }
    assert!(fastest > 1.0, "the joints do move: {fastest} rad/s at most");
    let end = *rest.last().expect("frames");
    assert!(end < 1e-3, "left {end}");
    // It does not swing past the goal: what is left shrinks to the end but for a little.
    let least = rest.iter().copied().scan(f64::INFINITY, |least, now| {
        *least = least.min(now);
        Some((*least, now))
    });
    let back = least.map(|(least, now)| now - least).fold(0.0, f64::max);
    assert!(back < 0.02 * rest[0], "swings back by {back}");
    let stopped = speeds.last().expect("frames").iter().map(|v| length(*v)).fold(0.0, f64::max);
    assert!(stopped < 0.02, "{stopped} rad/s at the end");
}

/// One joint that turns by 1.2 rad with 10 rad/s²: when it is there, and its fastest speed.
fn one_turn(max_speed: f32) -> (f64, f64) {
    let (skeleton, _) = arm();
    let start = Pose::rest(&skeleton);
    let mut body = Body::new(skeleton, 0).expect("a body");
    body.set_floating(false);
    body.set_settings(BodySettings {
        posture: 0.0,
        max_acceleration: 10.0,
        max_speed,
        track_converge: TrackConverge::Never,
        ..BodySettings::default()
    });
    let angle = 1.2_f32;
    let goal = Orientation { joint: 1, goal: sinew::math::axis_angle(Vec3::Z, angle), axes: Axes::ALL };
    body.add_task(Demand::new(goal)).expect("a task");
    let dt = 1.0 / 120.0;
    let (mut there, mut before, mut fastest) = (None, 0.0, 0.0_f64);
    for frame in 1..240 {
        let mut pose = start.clone();
        body.track(&mut pose, dt).expect("a pose");
        let turned = length(turns(&start, &pose)[1]);
        assert!(turned < f64::from(angle) + 2e-3, "frame {frame}: {turned}");
        fastest = fastest.max((turned - before) / f64::from(dt));
        before = turned;
        if turned > f64::from(angle) - 0.01 && there.is_none() {
            there = Some(f64::from(frame) * f64::from(dt));
        }
    }
    (there.expect("it arrives"), fastest)
}

#[test]
fn one_joint_takes_as_long_as_the_fastest_way_that_stops() {
    // Half the way at +a, half at −a: √(4 θ/a), at most √(θ a) fast. A cap that is not reached
    // changes nothing.
    let way = (4.0_f64 * 1.2 / 10.0).sqrt();
    for max_speed in [0.0, 20.0, 4.0] {
        let (took, _) = one_turn(max_speed);
        assert!(took < 1.1 * way, "at {max_speed} rad/s: took {took} s, the fastest way {way} s");
    }
    // At a cap of 2 rad/s: up to it, along, and down again, θ/v + v/a.
    let (took, fastest) = one_turn(2.0);
    assert!((1.95..2.02).contains(&fastest), "{fastest} rad/s");
    let way = 1.2 / 2.0 + 2.0 / 10.0;
    assert!(took < 1.1 * way, "took {took} s, the fastest way {way} s");
}

#[test]
fn long_frames_take_as_many_steps_as_short_ones() {
    let settings = BodySettings {
        feedback: 8.0,
        max_acceleration: 20.0,
        max_speed: 2.0,
        track_iterations: 3,
        track_step_s: 1.0 / 120.0,
        track_converge: TrackConverge::Never,
        ..BodySettings::default()
    };
    let (_, start) = arm();
    let goal = tip(&start) + Vec3::new(0.3, -0.2, -0.2);
    let after = |frames: u32| {
        let mut arm = Arm::new(settings);
        let mut pose = arm.start.clone();
        for _ in 0..frames {
            pose = arm.frame(goal, 0.5 / frames as f32);
        }
        pose
    };
    let fine = after(60);
    for frames in [5, 15, 30] {
        let coarse = after(frames);
        let apart = turns(&fine, &coarse).into_iter().map(length).fold(0.0, f64::max);
        assert!(apart < 1e-3, "{frames} frames: {apart} rad apart");
    }
}

#[test]
fn reiteration_decides_which_frames_arrive() {
    let goal = |frame: u32| circle(f64::from(frame) / 24.0);
    let missing = |track_converge| {
        let mut arm =
            Arm::new(BodySettings { feedback: 5.0, track_converge, max_speed: 0.0, ..BodySettings::default() });
        (0..12).map(|frame| left(&arm.frame(goal(frame), 1.0 / 24.0), goal(frame))).collect::<Vec<_>>()
    };
    let [never, first, always] = TrackConverge::ALL.map(missing);
    assert!(never[0] > 0.1 && first[0] < 5e-4, "first frame: {} and {}", never[0], first[0]);
    assert!(first[6] > 5e-3, "later frames lag: {}", first[6]);
    assert!(always.iter().all(|left| *left < 5e-4), "{always:?}");
}

/// Hips, a trunk with an arm on each side, and two legs.
fn figure() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let hips = builder.joint_at("hips", None, Vec3::Y);
    let spine = builder.joint_at("spine", Some(hips), Vec3::Y * 0.12);
    let chest = builder.joint_at("chest", Some(spine), Vec3::Y * 0.15);
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let ways = [(0.05, 0.2, 0.0), (0.13, 0.0, 0.0), (0.28, 0.0, -0.01), (0.25, 0.0, 0.01)];
        let limbs = [
            ("arm", chest, ways),
            ("leg", hips, [(0.1, -0.05, 0.0), (0.0, -0.43, 0.01), (0.0, -0.43, -0.01), (0.0, -0.07, 0.13)]),
        ];
        for (limb, root, ways) in limbs {
            let mut above = root;
            for (number, (out, up, ahead)) in ways.into_iter().enumerate() {
                above =
                    builder.joint_at(&format!("{side} {limb} {number}"), Some(above), Vec3::new(x * out, up, ahead));
            }
        }
    }
    Arc::new(builder.build().expect("a skeleton"))
}

/// A figure on the spot that reaches for a goal with its right hand.
struct Figure {
    body: Body,
    rest: Pose,
    hand: usize,
    task: BodyTaskId,
}

impl Figure {
    fn new(settings: BodySettings, goal: Vec3) -> Self {
        let skeleton = figure();
        let joint = |name: &str| skeleton.find_joint(name).expect("a joint");
        let mut body = Body::new(skeleton.clone(), 0).expect("a body");
        body.set_settings(settings);
        let rest = Pose::rest(&skeleton);
        for foot in ["left leg 2", "right leg 2"].map(joint) {
            let at = rest.model(foot);
            body.add_task(Demand::new(Position::new(foot, at.position))).expect("a task");
            body.add_task(Demand::new(Orientation::new(foot, at.rotation))).expect("a task");
        }
        let hand = joint("right arm 3");
        let task = body.add_task(Demand::new(Position::new(hand, goal))).expect("a task");
        Self { body, rest, hand, task }
    }
    /// Where the joints are after a frame.
    fn frame(&mut self, goal: Vec3, dt: f32) -> Vec<matchers::Affine64> {
        self.body.set_task(self.task, Demand::new(Position::new(self.hand, goal))).expect("the task");
        let mut pose = self.rest.clone();
        self.body.track(&mut pose, dt).expect("a pose");
        forward_kinematics(&figure(), pose.local())
    }
}

/// Frames that reach for a goal that stays: how far the hand is off after each, and how far any
/// joint has moved since the one before.
fn reaching(root_posture: f32, goal: Vec3, frames: usize) -> Vec<(f64, f64)> {
    let settings = BodySettings { root_posture, max_speed: 0.0, ..BodySettings::default() };
    let mut figure = Figure::new(settings, goal);
    let mut before = forward_kinematics(&self::figure(), figure.rest.local());
    (0..frames)
        .map(|_| {
            let now = figure.frame(goal, 1.0 / 60.0);
            let off = matchers::distance(now[figure.hand].position, matchers::wide(goal));
            let way = |(a, b): (&matchers::Affine64, &matchers::Affine64)| matchers::distance(a.position, b.position);
            let moved = now.iter().zip(&before).map(way).fold(0.0, f64::max);
            before = now;
            (off, moved)
        })
        .collect()
}

/// How far the hand is off half a second and a second after its goal has moved, at a frame rate.
fn approaching(settings: BodySettings, rate: u32) -> [f64; 2] {
    let [from, to] = [[-0.3, 1.2, 0.4], [-0.1, 0.7, 0.35]].map(Vec3::from_array);
    let mut figure = Figure::new(BodySettings { root_posture: 30.0, ..settings }, from);
    let dt = 1.0 / rate as f32;
    for _ in 0..rate / 2 {
        figure.frame(from, dt);
    }
    [0, 1].map(|_| {
        let hand = figure.hand;
        (0..rate / 2).fold(f64::NAN, |_, _| matchers::distance(figure.frame(to, dt)[hand].position, matchers::wide(to)))
    })
}

#[test]
fn beside_a_posture_effectors_approach_alike_at_any_frame_rate() {
    let law = |time: f64| (0.2_f64 * 0.2 + 0.5 * 0.5 + 0.05 * 0.05).sqrt() * (-5.0 * time).exp();
    for rate in [30, 60, 144] {
        let settings = BodySettings { feedback: 5.0, max_speed: 0.0, ..BodySettings::default() };
        let [half, whole] = approaching(settings, rate);
        assert!((half - law(0.5)).abs() < 2e-3, "{rate} frames a second: {half}, the law says {}", law(0.5));
        assert!((whole - law(1.0)).abs() < 3e-3, "{rate} frames a second: {whole}, the law says {}", law(1.0));
    }
}

/// What is left to brake for is the whole way, of which the feedback takes a share in each frame.
#[test]
fn a_cap_of_acceleration_beside_a_feedback_does_not_depend_on_the_frame_rate() {
    let settings = BodySettings { feedback: 8.0, max_speed: 3.0, max_acceleration: 20.0, ..BodySettings::default() };
    let half = [30, 60, 144].map(|rate| approaching(settings, rate)[0]);
    assert!(half.iter().all(|left| (left - half[1]).abs() < 4e-3), "{half:?}");
}

#[test]
fn first_frames_that_converge_are_on_their_goals_and_so_are_the_next() {
    for root_posture in [0.0, 30.0] {
        for goal in [[-0.3, 1.3, 0.4], [-0.1, 0.7, 0.45], [-0.6, 1.6, 0.2], [0.3, 1.2, 0.4], [-0.4, 0.6, 0.3]] {
            let frames = reaching(root_posture, goal.into(), 12);
            let most = frames.iter().map(|(off, _)| *off).fold(0.0, f64::max);
            assert!(most < 5e-4, "root posture {root_posture}, goal {goal:?}: {most} m off, {frames:?}");
        }
    }
}

/// The pull of the root is then far more than what the goals may be shifted by.
#[test]
fn goals_that_stay_leave_a_body_still() {
    for goal in [[0.08, 0.28, 0.32], [0.5, 0.34, 0.37], [0.02, 0.37, 0.32], [0.38, 0.33, 0.41], [-0.13, 0.25, 0.43]] {
        let frames = reaching(30.0, goal.into(), 120);
        let most = frames[90..].iter().map(|(_, moved)| *moved).fold(0.0, f64::max);
        assert!(most < 2e-5, "goal {goal:?}: a joint moves by {most} m a frame for ever");
    }
}

#[test]
fn a_snapshot_keeps_velocities_and_what_was_left() {
    let settings =
        BodySettings { feedback: 6.0, goal_velocity: 1.0, max_acceleration: 15.0, ..BodySettings::default() };
    let mut arm = Arm::new(settings);
    for frame in 0..5 {
        arm.frame(circle(f64::from(frame) / 30.0), 1.0 / 30.0);
    }
    let mut bytes = vec![0; arm.body.snapshot_size()];
    assert!(arm.body.snapshot_into(&mut bytes));
    let ahead: Vec<Pose> = (5..9).map(|frame| arm.frame(circle(f64::from(frame) / 30.0), 1.0 / 30.0)).collect();
    arm.body.restore(&bytes).expect("its own");
    for (frame, pose) in (5..9).zip(ahead) {
        let again = arm.frame(circle(f64::from(frame) / 30.0), 1.0 / 30.0);
        assert_eq!(pose.local(), again.local(), "frame {frame}");
    }
    arm.body.reset();
    let mut pose = arm.start.clone();
    assert!(matches!(arm.body.track(&mut pose, -1.0), Err(BodyError::OutOfRange { name: "dt", .. })));
}

/// What is left of a goal frame by frame, of one joint with a tip a metre away, and of its goal
/// a turn of `angle` away.
fn one_link(settings: BodySettings, angle: f64, dt: f32, frames: u32) -> Vec<f64> {
    let joint =
        |name: &str, parent, y: f32| JointDefinition { name: name.into(), parent, rest: Transform::at(Vec3::Y * y) };
    let joints = vec![joint("base", None, 0.0), joint("link", Some(0), 0.0), joint("tip", Some(1), 1.0)];
    let skeleton = Arc::new(Skeleton::new(joints).expect("a skeleton"));
    let start = Pose::rest(&skeleton);
    let mut body = Body::new(skeleton, 0).expect("a body");
    body.set_floating(false);
    body.set_settings(BodySettings { posture: 0.0, max_speed: 0.0, track_converge: TrackConverge::Never, ..settings });
    let goal = Vec3::new(angle.sin() as f32, angle.cos() as f32, 0.0);
    body.add_task(Demand::new(Position::new(2, goal))).expect("a task");
    let left = |_| {
        let mut pose = start.clone();
        body.track(&mut pose, dt).expect("a pose");
        let turned = turns(&start, &pose)[1];
        assert!(turned[0].abs() < 1e-3 && turned[1].abs() < 1e-3, "it turns about Z alone: {turned:?}");
        angle + turned[2]
    };
    (0..frames).map(left).collect()
}

#[test]
fn selectively_damped_steps_turn_at_most_a_share_of_the_way_and_then_fade_by_the_feedback() {
    // As Blender's, whose largest turn for the whole way is 0.5 rad: at a constant speed of that
    // times the feedback, then exponentially.
    let (feedback, dt) = (10.0_f64, 0.01);
    let settings = BodySettings {
        feedback: feedback as f32,
        track_solver: TrackSolver::Sdls,
        max_step_rad: 0.5,
        track_iterations: 1,
        ..BodySettings::default()
    };
    let rest = one_link(settings, 1.5, dt, 60);
    let share = 1.0 - (-feedback * f64::from(dt)).exp();
    let mut before = 1.5;
    let (mut steady, mut fading) = (0, 0);
    for (frame, now) in rest.iter().enumerate() {
        if before > 0.7 {
            assert!((before - now - 0.5 * share).abs() < 0.02 * 0.5 * share, "frame {frame}: {before} to {now}");
            steady += 1;
        } else if before < 0.3 {
            assert!((now / before - (1.0 - share)).abs() < 0.02, "frame {frame}: {before} to {now}");
            fading += 1;
        }
        before = *now;
    }
    assert!(steady > 10 && fading > 10, "{steady} and {fading} frames");
    // The others have no such limit.
    for track_solver in [TrackSolver::Adaptive, TrackSolver::Dls] {
        let rest = one_link(BodySettings { track_solver, ..settings }, 1.5, dt, 1);
        assert!(1.5 - rest[0] > 1.5 * 0.5 * share, "{track_solver:?}: {rest:?}");
    }
}

/// Two links of half a metre in the XY plane, hinged about Z; the second bent by an angle.
fn bent(angle: f32) -> (Body, Pose, Vec3) {
    let rest = |y: f32| Transform::at(Vec3::Y * y);
    let joint = |name: &str, parent, y| JointDefinition { name: name.into(), parent, rest: rest(y) };
    let joints = vec![
        joint("base", None, 0.0),
        joint("upper", Some(0), 0.0),
        joint("lower", Some(1), 0.5),
        joint("tip", Some(2), 0.5),
    ];
    let skeleton = Arc::new(Skeleton::new(joints).expect("a skeleton"));
    let mut pose = Pose::rest(&skeleton);
    let turned = (0..4).map(|i| {
        let mut transform = skeleton.rest_local()[i];
        if i == 2 {
            transform.rotation = sinew::math::axis_angle(Vec3::Z, angle);
        }
        transform
    });
    pose.load(turned.collect::<Vec<_>>().into_iter()).expect("numbers");
    pose.update(&skeleton);
    let mut body = Body::new(skeleton, 0).expect("a body");
    body.set_floating(false);
    for joint in [1, 2] {
        let hinge = JointModel {
            freedom: Freedom::Hinge { axis: HingeAxis::Z, range: Range { min: -3.0, max: 3.0 } },
            ..JointModel::FREE
        };
        body.set_joint_limits(joint, hinge).expect("a joint");
    }
    let tip = pose.model(3).position;
    (body, pose, tip)
}

#[test]
fn damped_steps_have_the_damping_of_their_singular_values() {
    // The Jacobian of the tip about Z by the textbook, in f64, and its singular values; the goal
    // is a little way off along a direction of which the arm moves little.
    let angle = 0.05_f32;
    let (_, _, tip_at) = bent(angle);
    let elbow = [0.0, 0.5];
    let tip = [f64::from(tip_at.x), f64::from(tip_at.y)];
    let columns = [[-tip[1], tip[0]], [-(tip[1] - elbow[1]), tip[0] - elbow[0]]];
    let product = |i: usize, j: usize| columns[0][i] * columns[0][j] + columns[1][i] * columns[1][j];
    let (a, b, d) = (product(0, 0), product(0, 1), product(1, 1));
    let least = (a + d) / 2.0 - (((a - d) / 2.0).powi(2) + b * b).sqrt();
    let across = {
        let v = [b, least - a];
        let size = v[0].hypot(v[1]);
        [v[0] / size, v[1] / size]
    };
    let sigma = least.sqrt();
    assert!(sigma < 0.02, "{sigma}");
    for (most, below) in [(0.5, 0.15), (0.02, 0.15), (0.02, 0.03), (0.5, 0.001)] {
        let (mut body, start, _) = bent(angle);
        body.set_settings(BodySettings {
            posture: 0.0,
            max_speed: 0.0,
            track_converge: TrackConverge::Never,
            track_solver: TrackSolver::Dls,
            track_iterations: 1,
            damping_max: most as f32,
            damping_epsilon: below as f32,
            ..BodySettings::default()
        });
        let by = 2e-5;
        let goal = tip_at + Vec3::new(across[0] as f32, across[1] as f32, 0.0) * by as f32;
        body.add_task(Demand::new(Position::new(3, goal))).expect("a task");
        let mut pose = start.clone();
        body.track(&mut pose, 0.01).expect("a pose");
        let damping = if sigma < below { (1.0 - (sigma / below).powi(2)) * most * most } else { 0.0 };
        let expected = sigma / (sigma * sigma + damping) * by;
        let turned = turns(&start, &pose);
        let moved = turned[1][2].hypot(turned[2][2]);
        assert!((moved - expected).abs() < 0.05 * expected + 2e-6, "{most}, {below}: {moved}, the law says {expected}");
    }
}

#[test]
fn damping_below_what_steps_begin_with_is_taken_as_it_is() {
    for track_solver in TrackSolver::ALL {
        for damping in [1e-12, 3e-8, 1e-7, 5e-7] {
            let mut arm = Arm::new(BodySettings { track_solver, damping, ..BodySettings::default() });
            let goal = tip(&arm.start) + Vec3::new(0.2, -0.15, -0.1);
            let last = (0..120).map(|_| left(&arm.frame(goal, 1.0 / 60.0), goal)).last();
            assert!(last.is_some_and(|left| left < 2e-3), "{track_solver:?}, damping {damping}: {last:?} m");
        }
    }
}

#[test]
fn every_solver_reaches_and_keeps_to_limits_and_comes_back_from_out_of_reach() {
    for track_solver in TrackSolver::ALL {
        let mut arm = Arm::new(BodySettings { track_solver, feedback: 20.0, ..BodySettings::default() });
        let reachable = tip(&arm.start) + Vec3::new(0.2, -0.15, -0.1);
        let beyond = Vec3::new(0.0, 3.0, 0.0);
        let hinge = JointModel {
            freedom: Freedom::Hinge { axis: HingeAxis::X, range: Range { min: -0.6, max: 0.6 } },
            ..JointModel::FREE
        };
        arm.body.set_joint_limits(2, hinge).expect("a joint");
        let rest = Pose::rest(&self::arm().0);
        let mut left_last = f64::NAN;
        for frame in 0..240 {
            let goal = if (80..140).contains(&frame) { beyond } else { reachable };
            let pose = arm.frame(goal, 1.0 / 60.0);
            let [x, y, z] = turns(&rest, &pose)[2];
            assert!(x.abs() < 0.6 + 1e-3 && y.hypot(z) < 1e-3, "{track_solver:?}, frame {frame}: {x} {y} {z}");
            left_last = left(&pose, goal);
            if frame == 79 {
                assert!(left_last < 2e-3, "{track_solver:?}: left before {left_last}");
            }
        }
        // Where Blender's straightened chain cannot bend again.
        assert!(left_last < 2e-3, "{track_solver:?}: left after {left_last}");
    }
}

#[test]
fn directions_of_many_rows_are_bounded_in_number_and_in_work() {
    // 45 tasks are 135 rows: every solver is the default one.
    let rest = |i: usize| JointDefinition {
        name: format!("joint {i}"),
        parent: i.checked_sub(1),
        rest: Transform::at(Vec3::new(0.01 * (i % 3) as f32, 0.1, 0.0)),
    };
    let skeleton = Arc::new(Skeleton::new((0..46).map(rest).collect()).expect("a skeleton"));
    let solved = |track_solver, tasks: usize, max_work: u32| {
        let mut body = Body::new(skeleton.clone(), 0).expect("a body");
        body.set_max_work(max_work);
        body.set_settings(BodySettings {
            track_solver,
            track_iterations: 50,
            track_converge: TrackConverge::Never,
            ..BodySettings::default()
        });
        for joint in 1..=tasks {
            let goal = Vec3::new(0.3, 0.08 * joint as f32, 0.2);
            body.add_task(Demand::new(Position::new(joint, goal))).expect("a task");
        }
        let mut pose = Pose::rest(&skeleton);
        let iterations = body.track(&mut pose, 0.02).expect("a pose").iterations;
        (pose.local().to_vec(), iterations)
    };
    let most = sinew::optim::Work::MOST;
    let default = solved(TrackSolver::Adaptive, 45, most);
    assert_eq!(solved(TrackSolver::Sdls, 45, most), default);
    assert_eq!(solved(TrackSolver::Dls, 45, most), default);
    // 10 tasks are 30 rows: a budget that the default does not use up ends the others early.
    let budget = 200_000;
    let iterations = |track_solver| solved(track_solver, 10, budget).1;
    let (alike, one_by_one) = (iterations(TrackSolver::Adaptive), iterations(TrackSolver::Sdls));
    assert!(one_by_one >= 1 && 2 * one_by_one < alike, "{one_by_one} iterations of {alike}");
}
