//! Bodies side by side: the bits of each alone, whatever it is beside.

use sinew::body::{
    BodyBeside, BodyDetail, BodyMode, BodySettings, BodyTaskName, Demand, MOST_BESIDE, PlacedBody, PlacedDemand,
    TrackConverge, solve_beside,
};
use sinew::limits::{BendAxis, Freedom, HalfSpace, HalfSpaces, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Transform, Vec3};
use sinew::skeleton::{Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{AnyTask, Axes, Axis, Orientation, Position};
use std::sync::Arc;
use testkit::allocations::calls;
use testkit::matchers::assert_pose_bits_equal;
use testkit::random::Random;

fn rig(random: &mut Random) -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let mut joints = vec![builder.joint_at("root", None, Vec3::Y)];
    for number in 0..3 + random.below(20) {
        // Chains rather than stars.
        let last = joints.len() - 1;
        let above = if random.below(4) == 0 { joints[random.below(joints.len())] } else { joints[last] };
        let place = Vec3::new(0.0, 0.2, 0.0) + random.in_ball(0.15);
        joints.push(builder.joint_at(&format!("{number}"), Some(above), place));
    }
    Arc::new(builder.build().expect("a tree"))
}

fn limits(random: &mut Random) -> JointModel {
    let mut range = |most: f32| Range::new(-most * random.unit01(), most * random.unit01());
    let (x, y, z) = (range(1.2), range(1.0), range(1.2));
    let freedom = match random.below(9) {
        0 => Freedom::Ball { swing: SwingRegion::Ellipse { x, z }, twist: y },
        1 => Freedom::Ball { swing: SwingRegion::Free, twist: y },
        2 => Freedom::Universal { bend: BendAxis::X, bend_range: x, twist: y },
        3 => Freedom::Hinge { axis: HingeAxis::Z, range: z },
        4 => Freedom::Angles { x, z, y },
        5 => Freedom::Swing(SwingRegion::Ellipse { x, z }),
        6 => Freedom::HalfSpaces(HalfSpaces::new(
            HalfSpace { columns: [Vec3::X * 0.5, Vec3::new(0.1, 0.3, 0.0), Vec3::Z * 0.4], offset: 0.2 },
            &[(Vec3::NEG_Y, 0.4), (Vec3::new(0.6, 0.0, 0.8), 0.7)],
        )),
        7 => Freedom::Fixed,
        _ => return JointModel { stiffness: [0.1, 0.4, 0.2], soft_rad: 0.2, ..JointModel::FREE },
    };
    JointModel::limited(freedom)
}

fn settings(random: &mut Random) -> BodySettings {
    let usual = BodySettings::default();
    match random.below(8) {
        0 => BodySettings { root_posture: 30.0, ..usual },
        1 => BodySettings { track_iterations: 4, max_step_rad: 0.05, ..usual },
        2 => BodySettings { max_speed: 0.5, max_acceleration: 20.0, ..usual },
        3 => BodySettings { feedback: 20.0, goal_velocity: 1.0, ..usual },
        4 => BodySettings { track_converge: TrackConverge::Never, root_turn_mobility: 0.0, ..usual },
        _ => usual,
    }
}

/// A body with its tasks.
#[derive(Clone)]
struct Subject {
    body: PlacedBody,
    names: Vec<BodyTaskName>,
}

/// Bodies of a rig with the same tasks; a few have other limits, one task more, or another root.
fn crowd(random: &mut Random, skeleton: &Arc<Skeleton>, count: usize) -> Vec<Subject> {
    let joints = skeleton.joint_count();
    let models: Vec<_> = (1..joints).map(|joint| (joint, limits(random), random.below(3) > 0)).collect();
    let settings = settings(random);
    let ends: Vec<_> = (0..1 + random.below(6)).map(|_| (random.below(joints), random.below(3))).collect();
    let point = if random.below(2) == 0 { Vec3::ZERO } else { random.in_ball(0.1) };
    let importance = random.between(0.5, 2.0);
    let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
    body.set_mode(BodyMode::Track);
    body.set_settings(settings);
    body.set_floating(random.below(4) > 0);
    for (joint, model, _) in models.iter().filter(|(_, _, is_limited)| *is_limited) {
        body.set_joint_limits(*joint, *model).expect("a joint");
    }
    let mut names = Vec::new();
    let mut add = |body: &mut PlacedBody, task: AnyTask| {
        let demand = Demand { importance, ..Demand::new(task) };
        names.push(body.add_task(PlacedDemand::from(demand)).expect("a task"));
    };
    for (joint, kind) in ends {
        if kind != 1 {
            add(&mut body, Position { point_js: point, ..Position::new(joint, Vec3::ZERO) }.into());
        }
        if kind != 0 {
            add(&mut body, Orientation::new(joint, sinew::math::Quat::IDENTITY).into());
        }
    }
    let one = |number: usize| {
        let mut subject = Subject { body: body.clone(), names: names.clone() };
        match random.below(12) {
            0 => subject.body.set_joint_limits(1, limits(random)).expect("a joint"),
            1 => {
                let axis = Axis { joint: joints - 1, axis_js: Vec3::Y, direction: Vec3::X };
                _ = subject.body.add_task(PlacedDemand::from(Demand::new(axis))).expect("a task");
            }
            2 => subject.body.set_root(random.rigid(2.0)).expect("a root"),
            3 => subject.body.set_max_work(if number.is_multiple_of(2) { 300 } else { 2000 }),
            _ => {}
        }
        subject
    };
    (0..count).map(one).collect()
}

/// Sets goals near where a pose has the joints; few are far off.
fn aim(subject: &mut Subject, skeleton: &Skeleton, random: &mut Random, amount: f32) {
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(&random.pose_near_rest(skeleton, amount));
    pose.update(skeleton);
    let far = if random.below(60) == 0 { 8.0 } else { 0.02 };
    for name in &subject.names {
        let mut placed = subject.body.task(*name).expect("a task").clone();
        match &mut placed.demand.task {
            AnyTask::Position(task) => task.goal = pose.model(task.joint).position + random.in_ball(far),
            AnyTask::Orientation(task) => {
                task.goal = (pose.model(task.joint).rotation * random.rotation_within(0.1)).normalize();
            }
            _ => {}
        }
        if random.below(40) == 0 {
            placed.demand.blend = random.unit01();
        }
        subject.body.set_task(*name, placed).expect("a task");
    }
}

fn beside(subjects: &mut [Subject], poses: &mut [Vec<Transform>], detail: BodyDetail) {
    let mut numbers = subjects.iter_mut().zip(poses);
    let mut bodies: [Option<BodyBeside<'_>>; MOST_BESIDE] = core::array::from_fn(|_| {
        let (subject, pose) = numbers.next()?;
        Some(BodyBeside { body: &mut subject.body, pose, detail, outcome: None })
    });
    solve_beside(&mut bodies, 1.0 / 60.0);
    for body in bodies.into_iter().flatten() {
        body.outcome.expect("it was solved").expect("a sound pose");
    }
}

fn snapshot(body: &PlacedBody) -> Vec<u8> {
    let mut bytes = vec![0; body.snapshot_size()];
    assert!(body.snapshot_into(&mut bytes));
    bytes
}

#[test]
fn each_has_the_bits_of_the_body_alone() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let skeleton = rig(&mut random);
        let count = 1 + random.below(MOST_BESIDE);
        let mut together = crowd(&mut random, &skeleton, count);
        let mut alone = together.clone();
        let amount = random.between(0.05, 0.6);
        for frame in 0..12 {
            let goals = random.bits();
            // Slow motion, at times a jump.
            let share = amount * if frame % 5 == 4 { 1.5 } else { 0.5 + 0.02 * frame as f32 };
            let animated = random.pose_near_rest(&skeleton, 0.1);
            let detail = BodyDetail { max_level: if frame == 7 { 0 } else { 3 }, ..BodyDetail::FULL };
            let (mut poses, mut others) = (vec![animated.clone(); count], vec![animated; count]);
            for (number, (a, b)) in together.iter_mut().zip(&mut alone).enumerate() {
                let seed = goals.wrapping_add(number as u64);
                aim(a, &skeleton, &mut Random::new(seed), share);
                aim(b, &skeleton, &mut Random::new(seed), share);
            }
            beside(&mut together, &mut poses, detail);
            for (number, (subject, pose)) in alone.iter_mut().zip(&mut others).enumerate() {
                subject.body.solve_detailed(pose, 1.0 / 60.0, &detail).expect("a sound pose");
                let other = &together[number].body;
                let same = std::panic::catch_unwind(|| assert_pose_bits_equal(pose, &poses[number]));
                assert!(same.is_ok(), "seed {seed}, frame {frame}, body {number} of {count}");
                assert_eq!(subject.body.outcome(), other.outcome(), "seed {seed}, frame {frame}, body {number}");
                for name in &subject.names {
                    assert_eq!(subject.body.task_outcome(*name), other.task_outcome(*name), "seed {seed}");
                }
                assert_eq!(snapshot(&subject.body), snapshot(other), "seed {seed}, frame {frame}, body {number}");
            }
        }
    }
}

#[test]
fn no_frame_allocates() {
    let mut random = Random::new(5);
    let skeleton = rig(&mut random);
    let mut subjects = crowd(&mut random, &skeleton, MOST_BESIDE);
    for frame in 0..8 {
        subjects.iter_mut().for_each(|subject| aim(subject, &skeleton, &mut random, 0.2));
        let mut poses = vec![skeleton.rest_local().to_vec(); MOST_BESIDE];
        let before = calls();
        beside(&mut subjects, &mut poses, BodyDetail::FULL);
        assert_eq!(calls(), before, "frame {frame}");
    }
}

#[test]
fn masked_axes_are_solved_alone() {
    let mut random = Random::new(8);
    let skeleton = rig(&mut random);
    let mut together = crowd(&mut random, &skeleton, 3);
    let joint = skeleton.joint_count() - 1;
    for subject in &mut together {
        let axes = Axes { on: [true, false, true], ..Axes::ALL };
        let task = Position { axes, ..Position::new(joint, Vec3::new(0.1, 0.9, 0.2)) };
        subject.body.add_task(PlacedDemand::from(Demand::new(task))).expect("a task");
    }
    let mut alone = together.clone();
    for _ in 0..3 {
        let mut poses = vec![skeleton.rest_local().to_vec(); 3];
        beside(&mut together, &mut poses, BodyDetail::FULL);
        for (subject, expected) in alone.iter_mut().zip(&poses) {
            let mut pose = skeleton.rest_local().to_vec();
            subject.body.solve(&mut pose, 1.0 / 60.0).expect("a sound pose");
            assert_pose_bits_equal(&pose, expected);
        }
    }
}
