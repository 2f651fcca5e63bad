//! Solving a body allocates nothing, in either mode; nor does moving the goals of its tasks.

use sinew::body::{
    Body, BodyDetail, BodyMode, BodySettings, BodyTie, Demand, Drag, DragPin, Dragger, MeetRule, PlacedBody,
    PlacedDemand, TieEnd, TiedBody, TrackSolver, meet,
};
use sinew::debug::Line;
use sinew::math::{Transform, Vec3};
use sinew::skeleton::{Pose, SkeletonBuilder};
use sinew::tasks::{Axes, CenterOfMass, Position};
use sinew::world::{BodyWork, Serial, solve_bodies};
use std::sync::{Arc, Mutex};
use testkit::allocations::calls;

#[test]
fn no_solve_allocates() {
    let mut builder = SkeletonBuilder::new();
    let mut joint = builder.joint_at("0", None, Vec3::Y);
    let root = joint;
    for i in 1..12 {
        joint = builder.joint_at(&i.to_string(), Some(joint), Vec3::new(0.1, 0.02 * i as f32, 0.0));
    }
    let side = builder.joint_at("side", Some(root), Vec3::X);
    let skeleton = Arc::new(builder.build().expect("a skeleton"));
    let mut body = Body::new(skeleton.clone(), root).expect("a body");
    (0..=side).for_each(|j| body.set_mass(j, 1.0, Vec3::ZERO).expect("a mass"));
    let hold = body.add_task(Demand::new(Position::new(side, Vec3::new(1.0, 1.0, 0.0)))).expect("a task");
    let reach = body.add_task(Demand::new(Position::new(joint, Vec3::ONE))).expect("a task");
    let center = CenterOfMass { goal: Vec3::ZERO, axes: Axes { on: [true, false, true], ..Axes::ALL } };
    body.add_task(Demand { level: 1, ..Demand::new(center) }).expect("a task");
    let start = {
        let mut pose = Pose::rest(&skeleton);
        pose.update(&skeleton);
        pose
    };
    let mut pose = start.clone();
    for round in 0..5 {
        // Allocates once, then no more.
        let track_solver = [TrackSolver::Adaptive, TrackSolver::Dls, TrackSolver::Sdls][round % 3];
        body.set_settings(BodySettings { track_solver, ..BodySettings::default() });
        let before = calls();
        let mut iterations = 0;
        for i in 0..20 {
            // Near, far and out of reach: all ways through the solver.
            let goal = Vec3::new(0.2 * i as f32, 1.5, 0.1);
            body.set_task(reach, Demand::new(Position::new(joint, goal))).expect("a task");
            pose.clone_from(&start);
            pose.update(&skeleton);
            let counted = calls();
            iterations += body.solve(&mut pose).expect("a pose").iterations;
            iterations += body.track(&mut pose, 0.02).expect("a pose").iterations;
            body.task_outcome(hold).expect("a task");
            assert_eq!(calls(), counted, "round {round}, goal {i}");
        }
        assert!(iterations > 40 && calls() >= before);
    }
}

#[test]
fn no_frame_of_a_placed_body_allocates() {
    let mut builder = SkeletonBuilder::new();
    let mut joint = builder.joint_at("0", None, Vec3::Y);
    let root = joint;
    for i in 1..8 {
        joint = builder.joint_at(&i.to_string(), Some(joint), Vec3::new(0.1, 0.02 * i as f32, 0.0));
    }
    let side = builder.joint_at("side", Some(root), Vec3::X);
    let skeleton = Arc::new(builder.build().expect("a skeleton"));
    let mut body = PlacedBody::new(skeleton.clone(), root).expect("a body");
    let pin = PlacedDemand { pinned: true, ..Demand::new(Position::new(side, Vec3::ZERO)).into() };
    body.add_task(pin).expect("a task");
    let reach = body.add_task(Demand::new(Position::new(joint, Vec3::ONE)).into()).expect("a task");
    let mut bytes = vec![0; body.snapshot_size()];
    for mode in [BodyMode::Converge, BodyMode::Track] {
        body.set_mode(mode);
        for i in 0..20 {
            let mut pose = skeleton.rest_local().to_vec();
            let before = calls();
            let moved = Transform::at(Vec3::new(0.1 * i as f32, 0.0, 0.0));
            body.set_root(moved).expect("an even scale");
            let goal = Vec3::new(0.2 * i as f32, 1.5, 0.1);
            body.set_task(reach, Demand::new(Position::new(joint, goal)).into()).expect("a task");
            body.solve(&mut pose, 0.02).expect("a pose");
            body.task_outcome(reach).expect("a task");
            body.limited_joints(None, |_| {}).expect("all joints");
            body.draw(&mut |_: Line| {});
            assert!(body.snapshot_into(&mut bytes));
            body.restore(&bytes).expect("a snapshot");
            assert_eq!(calls(), before, "{mode:?}, goal {i}");
        }
    }
    let mut dragger = Dragger::default();
    let pins = [DragPin { joint: side, holds_rotation: true }];
    for i in 0..20 {
        let mut pose = skeleton.rest_local().to_vec();
        let before = calls();
        let goal_ws = Vec3::new(0.1 * i as f32, 1.3, 0.1);
        let drag = Drag { joint, point_js: Vec3::ZERO, goal_ws, rotation_ws: None, chain_length: 0, pins: &pins };
        dragger.drag(&body, &mut pose, &drag).expect("a drag");
        assert_eq!(calls() == before, i > 0, "drag {i}");
    }
    let mut others: Vec<_> = (0..4).map(|_| body.clone()).collect();
    let mut poses = vec![skeleton.rest_local().to_vec(); 4];
    let both = others.iter_mut().zip(&mut poses);
    let detail = BodyDetail { iteration_share: 0.5, max_level: 0 };
    let work = |(body, pose)| {
        let mut work = BodyWork::new(body, pose);
        work.detail = detail;
        Mutex::new(work)
    };
    let mut works: Vec<_> = both.map(|(body, pose): (_, &mut Vec<_>)| work((body, pose.as_mut_slice()))).collect();
    let before = calls();
    assert_eq!(solve_bodies(&mut works, 0.02, &Serial, None, &|| 0.0), None);
    assert_eq!(calls(), before, "a crowd");
}

#[test]
fn no_meeting_allocates() {
    let mut builder = SkeletonBuilder::new();
    let mut joint = builder.joint_at("0", None, Vec3::Y);
    for i in 1..6 {
        joint = builder.joint_at(&i.to_string(), Some(joint), Vec3::new(0.2, 0.01 * i as f32, 0.0));
    }
    let skeleton = Arc::new(builder.build().expect("a skeleton"));
    for mode in [BodyMode::Converge, BodyMode::Track] {
        let mut pair = [0.0, 1.9].map(|x| {
            let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
            body.set_mode(mode);
            body.set_floating(false);
            body.set_root(Transform::at(Vec3::X * x)).expect("an even scale");
            let task = body.add_task(Demand::new(Position::new(joint, Vec3::ZERO)).into()).expect("a task");
            (body, task)
        });
        for i in 0..10 {
            // Within reach, at its edge, and beyond.
            pair[1].0.set_root(Transform::at(Vec3::X * (1.5 + 0.07 * i as f32))).expect("an even scale");
            let pose = skeleton.rest_local();
            let before = calls();
            let [(one, first), (two, second)] = &mut pair;
            let ends = [TieEnd { body: 0, task: *first }, TieEnd { body: 1, task: *second }];
            let mut bodies = [one, two].map(|body| TiedBody { body, pose, detail: BodyDetail::FULL });
            let mut ties = [BodyTie::new(ends[0], ends[1])];
            let outcome = meet(&mut bodies[..], &mut ties, &MeetRule { dt_s: 0.02, max_rounds: 8 });
            assert!(outcome.expect("bodies").rounds > 0);
            assert_eq!(calls(), before, "{mode:?}, place {i}");
        }
    }
}

#[test]
fn no_frame_of_a_humanoid_allocates() {
    use sinew::humanoid::{BodyEffector, BodySolverMode, BodySolverSettings, HumanBone, IkGoal, IkGoalInput};
    use testkit::characters;
    let person = testkit::person(&testkit::PersonOptions::default());
    for mode in [BodySolverMode::Converge, BodySolverMode::Track] {
        let mut animator = characters::animator(&person, 0.0);
        animator.set_body_solver(&BodySolverSettings { mode, balance_weight: 1.0, ..Default::default() }).unwrap();
        let start = testkit::idle::idle_pose(&person, 0.4);
        // A space makes tasks when it is set, none later.
        animator.set_ik_goal_space(IkGoal::RightHand, Some(person.joint(HumanBone::Chest))).unwrap();
        animator.set_ik_effector_point(IkGoal::RightHand, Vec3::new(0.0, 0.03, 0.01)).unwrap();
        animator.set_ik_position(IkGoal::RightHand, Vec3::new(0.1, 0.1, 0.3)).unwrap();
        let before = calls();
        for i in 0..40 {
            animator.pose_mut().local_mut().copy_from_slice(&start);
            // Goals come and go.
            let on = |every: u32| if i % every == 0 { 0.0 } else { 1.0 };
            let place = Vec3::new(0.3, 1.0 + 0.02 * i as f32, 0.4);
            animator.set_ik_position(IkGoal::LeftHand, place).unwrap();
            animator.set_ik_position_weight(IkGoal::LeftHand, on(3)).unwrap();
            animator.set_ik_position_weight(IkGoal::RightHand, on(4)).unwrap();
            animator.set_ik_rotation_weight(IkGoal::RightHand, on(6)).unwrap();
            animator.set_body_position(Vec3::new(0.0, 0.8, 0.0)).unwrap();
            if i % 5 == 0 {
                animator.clear_body().unwrap();
            }
            let head = IkGoalInput { position_weight: on(4), rotation_weight: on(2), ..IkGoalInput::default() };
            animator.set_body_effector(BodyEffector::Head, &head).unwrap();
            animator.advance(1.0 / 60.0);
            animator.solve().unwrap();
        }
        assert_eq!(calls(), before, "{mode:?} calls the allocator");
        assert_ne!(animator.pose().local(), start);
    }
}
