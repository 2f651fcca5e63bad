//! Joints that slide along an axis of their parent inside a solve of a body: a crane's trolley and
//! its hoist, judged by f64 forward kinematics.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{Body, BodyMode, Demand, PlacedBody, TrackConverge, TrackSolver};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, Slide, Stretch};
use sinew::math::{Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::{JointDefinition, Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{Axes, CenterOfMass, Position};
use std::sync::Arc;
use testkit::matchers;

const TOWER: usize = 1;
const TROLLEY: usize = 2;
const HOIST: usize = 3;
const HOOK: usize = 4;

/// A tower that turns about Y, a trolley on its jib along the tower's turned X, a hoist below it
/// and a hook. `scale` is that of the base; the trolley's rest is turned, so that its own axis
/// along the jib is −Z.
fn crane(scale: f32) -> Arc<Skeleton> {
    let at = |position| Transform { position, ..Transform::IDENTITY };
    let turned = Transform { position: Vec3::X * 2.0, rotation: axis_angle(Vec3::Y, -1.570_796_4), scale: Vec3::ONE };
    let joint = |name: &str, parent, rest| JointDefinition { name: name.into(), parent, rest };
    let base = Transform { scale: Vec3::splat(scale), ..at(Vec3::new(0.5, 0.0, -0.2)) };
    let joints = vec![
        joint("base", None, base),
        joint("tower", Some(0), at(Vec3::Y * 6.0)),
        joint("trolley", Some(TOWER), turned),
        joint("hoist", Some(TROLLEY), at(Vec3::Y * -1.0)),
        joint("hook", Some(HOIST), at(Vec3::Y * -0.5)),
    ];
    Arc::new(Skeleton::new(joints).expect("a skeleton"))
}

fn fixed(slide: Slide) -> JointModel {
    JointModel { slide, ..JointModel::limited(Freedom::Fixed) }
}

/// Its trolley goes 1.5 m in and 3 m out, its hoist up to 4 m down.
fn body(skeleton: &Arc<Skeleton>) -> Body {
    let mut body = Body::new(skeleton.clone(), 0).expect("a body");
    body.set_floating(false);
    let turns = Freedom::Hinge { axis: HingeAxis::Y, range: Range::FREE };
    body.set_joint_limits(TOWER, JointModel::limited(turns)).expect("a joint");
    let along = Slide { axis: Vec3::Z * -3.0, min: -1.5, max: 3.0, ..Slide::NONE };
    body.set_joint_limits(TROLLEY, fixed(along)).expect("a joint");
    let down = Slide { axis: -Vec3::Y, min: 0.0, max: 4.0, ..Slide::NONE };
    body.set_joint_limits(HOIST, fixed(down)).expect("a joint");
    body
}

fn hook(skeleton: &Skeleton, pose: &Pose) -> [f64; 3] {
    matchers::forward_kinematics(skeleton, pose.local())[HOOK].position
}
fn missed(skeleton: &Skeleton, pose: &Pose, goal: Vec3) -> f64 {
    matchers::distance(hook(skeleton, pose), matchers::wide(goal))
}

/// How far the trolley is out and the hoist is down; fails where anything else has moved.
fn ways(skeleton: &Skeleton, pose: &Pose) -> (f64, f64) {
    let moved = |joint: usize| {
        let by = pose.local()[joint].position - skeleton.rest_local()[joint].position;
        by.to_array().map(f64::from)
    };
    let (trolley, hoist) = (moved(TROLLEY), moved(HOIST));
    assert!(trolley[1].abs() < 1e-5 && trolley[2].abs() < 1e-5, "the trolley leaves its rail: {trolley:?}");
    assert!(hoist[0].abs() < 1e-5 && hoist[2].abs() < 1e-5, "the hoist leaves its rope: {hoist:?}");
    for joint in [0, HOOK] {
        assert_eq!(pose.local()[joint], skeleton.rest_local()[joint], "joint {joint}");
    }
    assert_eq!(pose.local()[TOWER].position, skeleton.rest_local()[TOWER].position, "the tower's place");
    (trolley[0], -hoist[1])
}

#[test]
fn a_crane_reaches_within_its_ways() {
    for scale in [1.0, 0.5] {
        let skeleton = crane(scale);
        let mut body = body(&skeleton);
        let task = body.add_task(Demand::new(Position::new(HOOK, Vec3::ZERO))).expect("a task");
        for (out, down, turn) in [(2.0_f32, 1.0_f32, 0.4_f32), (-1.2, 3.8, -2.0), (3.0, 0.0, 1.5), (0.0, 2.0, 3.0)] {
            // A goal that the crane reaches, by construction.
            let radius = (2.0 + out) * scale;
            let height = (6.0 - 1.5 - down) * scale;
            let goal = Vec3::new(0.5 + radius * turn.cos(), height, -0.2 - radius * turn.sin());
            body.set_task(task, Demand::new(Position::new(HOOK, goal))).expect("the task");
            let mut pose = Pose::rest(&skeleton);
            let outcome = body.solve(&mut pose).expect("a pose");
            let left = missed(&skeleton, &pose, goal);
            assert!(left < 1e-3, "{out} {down} {turn}: {left} m, {outcome:?}");
            assert_eq!(outcome.status, Status::Reached);
            let (trolley, hoist) = ways(&skeleton, &pose);
            assert!((trolley - f64::from(out)).abs() < 5e-3, "{trolley} out, not {out}");
            assert!((hoist - f64::from(down)).abs() < 5e-3, "{hoist} down, not {down}");
        }
    }
}

#[test]
fn beyond_its_ways_it_stops_at_their_ends() {
    let skeleton = crane(1.0);
    let mut body = body(&skeleton);
    let goal = Vec3::new(9.5, -5.0, -0.2);
    let task = body.add_task(Demand::new(Position::new(HOOK, goal))).expect("a task");
    let mut pose = Pose::rest(&skeleton);
    let outcome = body.solve(&mut pose).expect("a pose");
    assert_ne!(outcome.status, Status::Reached);
    let mut at_ends = Vec::new();
    body.limited_joints(|joint| at_ends.push(joint));
    assert_eq!(at_ends, [TROLLEY, HOIST]);
    let (trolley, hoist) = ways(&skeleton, &pose);
    assert!((trolley - 3.0).abs() < 1e-4 && (hoist - 4.0).abs() < 1e-4, "{trolley} out, {hoist} down");
    // Four metres out and 5.5 down are left.
    let left = missed(&skeleton, &pose, goal);
    assert!((left - 4.0_f64.hypot(5.5)).abs() < 0.02, "{left} m");
    // A pose beyond the ends is brought inside, whatever the goal.
    let mut beyond = Pose::rest(&skeleton);
    beyond.local_mut()[TROLLEY].position.x += 3.4;
    beyond.update(&skeleton);
    body.set_task(task, Demand::new(Position::new(HOOK, beyond.model(HOOK).position))).expect("the task");
    body.solve(&mut beyond).expect("a pose");
    assert!((ways(&skeleton, &beyond).0 - 3.0).abs() < 1e-4, "{:?}", ways(&skeleton, &beyond));
    // At blend 0 it stays.
    let mut absent = Pose::rest(&skeleton);
    absent.local_mut()[TROLLEY].position.x += 3.4;
    absent.update(&skeleton);
    let before = absent.local().to_vec();
    body.set_blend(task, 0.0).expect("the task");
    body.solve(&mut absent).expect("a pose");
    assert_eq!(absent.local(), before);
}

#[test]
fn readiness_shares_the_way_and_none_keeps_a_joint_still() {
    // Two slides along X, one on the other: a goal a metre away.
    let at = |x: f32| Transform::at(Vec3::X * x);
    let joint = |name: &str, parent, rest| JointDefinition { name: name.into(), parent, rest };
    let joints = vec![
        joint("base", None, at(0.0)),
        joint("first", Some(0), at(0.5)),
        joint("second", Some(1), at(0.5)),
        joint("tip", Some(2), at(0.5)),
    ];
    let skeleton = Arc::new(Skeleton::new(joints).expect("a skeleton"));
    for (first, second) in [(0.25, 0.25), (0.1, 0.3), (0.3, 0.0)] {
        let mut body = Body::new(skeleton.clone(), 0).expect("a body");
        body.set_floating(false);
        for (joint, mobility) in [(1, first), (2, second)] {
            let slide = Slide { axis: Vec3::X, min: -2.0, max: 2.0, mobility };
            body.set_joint_limits(joint, fixed(slide)).expect("a joint");
        }
        body.add_task(Demand::new(Position::new(3, Vec3::X * 2.5))).expect("a task");
        let mut pose = Pose::rest(&skeleton);
        body.solve(&mut pose).expect("a pose");
        let moved = [1, 2].map(|joint: usize| f64::from(pose.local()[joint].position.x) - 0.5);
        assert!((moved[0] + moved[1] - 1.0).abs() < 1e-3, "{moved:?}");
        let share = f64::from(first) / f64::from(first + second);
        assert!((moved[0] - share).abs() < 0.01, "{moved:?} by {first} and {second}");
    }
}

#[test]
fn the_centre_of_mass_is_brought_over_a_place_by_a_slide_alone() {
    let skeleton = crane(1.0);
    let mut body = body(&skeleton);
    body.set_joint_limits(TOWER, JointModel::limited(Freedom::Fixed)).expect("a joint");
    body.set_mass(0, 3.0, Vec3::ZERO).expect("a mass");
    body.set_mass(TROLLEY, 1.0, Vec3::ZERO).expect("a mass");
    let goal = CenterOfMass { goal: Vec3::new(1.2, 0.0, 0.0), axes: Axes { on: [true, false, false], ..Axes::ALL } };
    body.add_task(Demand::new(goal)).expect("a task");
    let mut pose = Pose::rest(&skeleton);
    let outcome = body.solve(&mut pose).expect("a pose");
    // 0.5 and a quarter of the trolley's 2 m and its way.
    assert!((ways(&skeleton, &pose).0 - 0.8).abs() < 4e-3, "{:?}, {outcome:?}", ways(&skeleton, &pose));
}

/// Plays frames of 1/60 s with caps of 2 rad/s and 10 rad/s², which are 0.6 m/s and 3 m/s² of a
/// length, until the way `of` a pose has come to rest at `end`.
fn capped_way(mut body: Body, skeleton: &Skeleton, end: f64, of: impl Fn(&Pose) -> f64) {
    let mut settings = *body.settings();
    (settings.posture, settings.track_converge) = (0.0, TrackConverge::Never);
    (settings.max_speed, settings.max_acceleration, settings.rotation_length_m) = (2.0, 10.0, 0.3);
    body.set_settings(settings);
    let (dt, mut before, mut speed, mut fastest) = (1.0 / 60.0, 0.0, 0.0, 0.0_f64);
    for frame in 0..600 {
        let mut pose = Pose::rest(skeleton);
        body.track(&mut pose, dt as f32).expect("a pose");
        let now = of(&pose);
        let next = (now - before) / dt;
        assert!(f64::abs(next - speed) < 3.0 * dt * 1.03, "frame {frame}: {speed} m/s, then {next}");
        assert!(next.abs() < 0.6 * 1.01, "frame {frame}: {next} m/s");
        assert!(now < end + 2e-3, "frame {frame}: {now} of {end} m");
        fastest = fastest.max(next);
        (before, speed) = (now, next);
    }
    assert!(fastest > 0.55, "it comes near the cap: {fastest} m/s");
    assert!((before - end).abs() < 2e-3 && speed.abs() < 1e-3, "{before} of {end} m, {speed} m/s");
}

#[test]
fn caps_of_speed_and_acceleration_hold_for_ways_and_lengths() {
    let skeleton = crane(1.0);
    for (goal, hoists, end) in [(Vec3::new(4.5, 4.5, -0.2), false, 2.0), (Vec3::new(2.5, 2.0, -0.2), true, 2.5)] {
        let mut crane = body(&skeleton);
        crane.set_joint_limits(TOWER, JointModel::limited(Freedom::Fixed)).expect("a joint");
        crane.add_task(Demand::new(Position::new(HOOK, goal))).expect("a task");
        let of = |pose: &Pose| {
            let (trolley, hoist) = ways(&skeleton, pose);
            if hoists { hoist } else { trolley }
        };
        capped_way(crane, &skeleton, end, of);
    }
    // An elastic bone.
    let mut builder = SkeletonBuilder::new();
    let base = builder.joint_at("base", None, Vec3::ZERO);
    let arm = builder.joint_at("arm", Some(base), Vec3::X);
    let tip = builder.joint_at("tip", Some(arm), Vec3::X);
    let skeleton = Arc::new(builder.build().expect("a skeleton"));
    let mut body = Body::new(skeleton.clone(), base).expect("a body");
    body.set_floating(false);
    let stretch = Stretch { min: 1.0, max: 3.0, compliance: 1.0 };
    let model = JointModel { stretch, ..JointModel::limited(Freedom::Fixed) };
    body.set_joint_limits(arm, model).expect("a joint");
    body.add_task(Demand::new(Position::new(tip, Vec3::X * 3.5))).expect("a task");
    capped_way(body, &skeleton, 1.5, |pose| f64::from(pose.local()[tip].position.x) - 1.0);
}

#[test]
fn track_mode_follows_with_slides_and_a_snapshot_goes_on_with_the_same_bits() {
    for solver in TrackSolver::ALL {
        let skeleton = crane(1.0);
        let mut placed = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        placed.set_floating(false);
        let from = body(&skeleton);
        for joint in [TOWER, TROLLEY, HOIST] {
            let model = *from.joint_limits(joint).expect("a joint").expect("an override");
            placed.set_joint_limits(joint, model).expect("a joint");
        }
        let mut settings = *placed.settings();
        (settings.posture, settings.track_solver, settings.feedback) = (0.0, solver, 12.0);
        placed.set_settings(settings);
        placed.set_mode(BodyMode::Track);
        let goal = |frame: i32| Vec3::new(3.5 + 0.02 * frame as f32, 3.0 - 0.01 * frame as f32, -0.2);
        let task = placed.add_task(Demand::new(Position::new(HOOK, goal(0))).into()).expect("a task");
        let mut bytes = vec![0; placed.snapshot_size()];
        let mut saved_at = Vec::new();
        for round in 0..2 {
            for frame in if round == 0 { 0..60 } else { 30..60 } {
                if frame == 30 && round == 0 {
                    assert!(placed.snapshot_into(&mut bytes));
                } else if frame == 30 {
                    placed.restore(&bytes).expect("a snapshot");
                }
                placed.set_task(task, Demand::new(Position::new(HOOK, goal(frame.min(40)))).into()).expect("the task");
                let mut local = skeleton.rest_local().to_vec();
                placed.solve(&mut local, 1.0 / 30.0).expect("a pose");
                if frame == 59 {
                    let at = matchers::forward_kinematics(&skeleton, &local)[HOOK].position;
                    let left = matchers::distance(at, matchers::wide(goal(40)));
                    assert!(left < 5e-3, "{solver:?}: {left} m");
                    saved_at.push(local);
                }
            }
        }
        assert_eq!(saved_at[0], saved_at[1], "{solver:?}");
    }
}

/// A trolley far from its goal, and an arm of its own near its: selective damping cuts the
/// trolley's direction and leaves the arm its whole way.
#[test]
fn selective_damping_cuts_the_way_of_a_slide_and_no_other() {
    const MOST: f32 = 0.1;
    let mut builder = SkeletonBuilder::new();
    let base = builder.joint_at("base", None, Vec3::ZERO);
    let trolley = builder.joint_at("trolley", Some(base), Vec3::X);
    let arm = builder.joint_at("arm", Some(base), Vec3::Y * 2.0);
    let tip = builder.joint_at("tip", Some(arm), Vec3::X);
    let skeleton = Arc::new(builder.build().expect("a skeleton"));
    let mut body = Body::new(skeleton.clone(), base).expect("a body");
    body.set_floating(false);
    let along = Slide { axis: Vec3::X, min: -10.0, max: 10.0, mobility: 1.0 };
    body.set_joint_limits(trolley, fixed(along)).expect("a joint");
    let turned = axis_angle(Vec3::Z, 0.5 * MOST) * Vec3::X + Vec3::Y * 2.0;
    for (joint, goal) in [(trolley, Vec3::X * 6.0), (tip, turned)] {
        body.add_task(Demand::new(Position::new(joint, goal))).expect("a task");
    }
    let mut settings = *body.settings();
    (settings.posture, settings.track_converge, settings.track_iterations) = (0.0, TrackConverge::Never, 1);
    (settings.track_solver, settings.max_step_rad, settings.max_speed) = (TrackSolver::Sdls, MOST, 0.0);
    body.set_settings(settings);
    let mut pose = Pose::rest(&skeleton);
    body.track(&mut pose, 1.0 / 60.0).expect("a pose");
    let at = matchers::forward_kinematics(&skeleton, pose.local());
    let way = at[trolley].position[0] - 1.0;
    let most = f64::from(MOST);
    assert!(way > 0.9 * most && way < 1.01 * most, "the trolley goes {way} m of at most {most}");
    let left = matchers::distance(at[tip].position, matchers::wide(turned));
    assert!(left < 0.05 * 0.5 * most, "the arm is {left} m from its goal");
}
