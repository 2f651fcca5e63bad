//! Whole bodies: a person with human ranges who takes poses by the places and rotations of hands,
//! feet, head and hips. A unit is a solve, an iteration with all that is around it, or a frame.

use super::{Row, counted};
use sinew::body::{BodyMode, BodySettings, PlacedBody, TaskKind, TaskRequest, TrackSolver};
use sinew::humanoid::HumanBone::{self, *};
use sinew::limits::{JointModel, Slide};
use sinew::math::{Transform, Vec3, axis_angle};
use sinew::skeleton::{JointIndex, Pose, Skeleton, SkeletonBuilder};
use sinew::world::{BodyWork, Serial, solve_bodies};
use std::sync::{Arc, Mutex};
use testkit::person::{Person, PersonOptions, person};
use testkit::{Random, characters, human_pose::random_human_pose};

/// Poses of a row.
const POSES: u64 = 8;
/// How much of the human ranges a pose takes, and one a moment before.
const AMOUNT: f32 = 0.6;
const AMOUNT_BEFORE: f32 = 0.5;
/// Bones that are to be somewhere, turned in some way.
const ENDS: [HumanBone; 6] = [LeftHand, RightHand, LeftFoot, RightFoot, Head, Hips];
/// Bones that are to be somewhere, where there are more tasks.
const MIDDLES: [HumanBone; 4] = [LeftLowerArm, RightLowerArm, LeftLowerLeg, RightLowerLeg];

/// Where a descent starts.
#[derive(Clone, Copy)]
enum Start {
    /// The T-pose.
    Rest,
    /// A pose near the one that is to be taken.
    Near,
}

/// What a unit is.
#[derive(Clone, Copy)]
enum Per {
    Solve,
    Iteration,
}

/// A body with its tasks: joint, and whether it is about the rotation.
struct Subject {
    body: PlacedBody,
    tasks: Vec<(sinew::body::BodyTaskName, JointIndex, TaskKind)>,
}

impl Subject {
    fn new(body: PlacedBody, ends: &[JointIndex], middles: &[JointIndex]) -> Self {
        let mut subject = Self { body, tasks: Vec::new() };
        for joint in ends {
            subject.add(*joint, TaskKind::Position);
            subject.add(*joint, TaskKind::Orientation);
        }
        middles.iter().for_each(|joint| subject.add(*joint, TaskKind::Position));
        subject
    }
    fn of_person(person: &Person, ends: &[HumanBone], middles: &[HumanBone]) -> Self {
        let avatar = characters::avatar(person, 0.05);
        let mut body = PlacedBody::new(avatar.skeleton().clone(), person.joint(Hips)).expect("a body");
        body.set_limit_layer(Some(avatar.human_limits().layer().clone()));
        let joints = |bones: &[HumanBone]| bones.iter().map(|bone| person.joint(*bone)).collect::<Vec<_>>();
        Self::new(body, &joints(ends), &joints(middles))
    }
    fn add(&mut self, joint: JointIndex, kind: TaskKind) {
        let request = TaskRequest { kind, joint, ..TaskRequest::default() };
        let task = request.placed(self.body.skeleton()).expect("a sound task");
        self.tasks.push((self.body.add_task(task).expect("a sound task"), joint, kind));
    }
    /// Goals where a pose has the joints.
    fn aim(&mut self, skeleton: &Skeleton, locals: &[Transform]) {
        let mut pose = Pose::rest(skeleton);
        pose.local_mut().copy_from_slice(locals);
        pose.update(skeleton);
        for (name, joint, kind) in &self.tasks {
            let at = pose.model(*joint);
            let request = TaskRequest { kind: *kind, joint: *joint, goal: at.position, ..TaskRequest::default() };
            let request = TaskRequest { rotation: at.rotation, ..request };
            self.body.set_task(*name, request.placed(skeleton).expect("a sound task")).expect("a task");
        }
    }
}

/// Solves for poses of a person.
fn reach(name: &str, start: Start, ends: &'static [HumanBone], middles: &'static [HumanBone], per: Per) -> Row {
    let work = move || {
        let person = person(&PersonOptions::default());
        let mut subject = Subject::of_person(&person, ends, middles);
        let mut iterations = 0;
        for number in 0..POSES {
            let posed = |amount: f32| random_human_pose(person.view(), &mut Random::new(number + 1), amount);
            subject.aim(&person.skeleton, &posed(AMOUNT));
            let first = if matches!(start, Start::Rest) { person.t_pose.clone() } else { posed(AMOUNT_BEFORE) };
            let mut pose = first.clone();
            subject.body.solve(&mut pose, 0.0).expect("a sound pose");
            pose.copy_from_slice(&first);
            counted(&mut || {
                subject.body.solve(&mut pose, 0.0).expect("a sound pose");
            });
            iterations += u64::from(subject.body.outcome().iterations);
        }
        if matches!(per, Per::Solve) { POSES } else { iterations }
    };
    Row { name: name.to_string(), work: Box::new(work) }
}

/// Solves for the places of bones alone, to a millimetre: joints without limits, all turned by up
/// to 0.25 rad about each axis, and nothing that settles.
fn positions(ends: &'static [HumanBone]) -> Row {
    let work = move || {
        let person = person(&PersonOptions::default());
        let skeleton = characters::avatar(&person, 0.05).skeleton().clone();
        let mut body = PlacedBody::new(skeleton.clone(), person.joint(Hips)).expect("a body");
        let settings = BodySettings { tolerance_m: 1e-3, settle_iterations: 0, ..*body.settings() };
        body.set_settings(settings);
        let joints: Vec<_> = ends.iter().map(|bone| person.joint(*bone)).collect();
        let mut subject = Subject::new(body, &[], &joints);
        let mut random = Random::new(7);
        for _ in 0..POSES {
            let mut turned = person.t_pose.clone();
            for joint in &mut turned {
                let by = axis_angle(Vec3::X, random.between(-0.25, 0.25))
                    * axis_angle(Vec3::Y, random.between(-0.25, 0.25))
                    * axis_angle(Vec3::Z, random.between(-0.25, 0.25));
                joint.rotation = (joint.rotation * by).normalize();
            }
            subject.aim(&skeleton, &turned);
            let mut pose = person.t_pose.clone();
            counted(&mut || {
                subject.body.solve(&mut pose, 0.0).expect("a sound pose");
            });
            assert!(subject.body.outcome().residual_m < 1e-3, "a goal is missed");
        }
        POSES
    };
    Row { name: format!("body_positions/{}", ends.len()), work: Box::new(work) }
}

/// A person with planted feet and balance who reaches for the floor: an answer that settles with
/// rows that are met on one side.
fn balance() -> Row {
    let work = || {
        let person = person(&PersonOptions::default());
        let mut subject = Subject::of_person(&person, &[LeftFoot, RightFoot], &[RightHand]);
        for (joint, center, share) in characters::avatar(&person, 0.05).masses() {
            subject.body.set_mass(joint, share, center).expect("a mass");
        }
        let start = random_human_pose(person.view(), &mut Random::new(2), 0.2);
        subject.aim(&person.skeleton, &start);
        let mut pose = Pose::rest(&person.skeleton);
        pose.local_mut().copy_from_slice(&start);
        pose.update(&person.skeleton);
        let feet = [LeftFoot, RightFoot].map(|bone| pose.model(person.joint(bone)).position);
        let corners: Vec<Vec3> = feet
            .iter()
            .flat_map(|foot| [(-0.05, -0.06), (0.05, -0.06), (0.05, 0.16), (-0.05, 0.16)].map(|(x, z)| (foot, x, z)))
            .map(|(foot, x, z)| *foot + Vec3::new(x, 0.0, z))
            .collect();
        let support = TaskRequest { kind: TaskKind::Support, corners: &corners, ..TaskRequest::default() };
        subject.body.add_task(support.placed(&person.skeleton).expect("a sound task")).expect("a sound task");
        let (hand, joint, kind) = subject.tasks[subject.tasks.len() - 1];
        for number in 0..POSES {
            let goal = feet[1] + Vec3::new(0.02 * number as f32, 0.1, 0.25 + 0.03 * number as f32);
            let reach = TaskRequest { kind, joint, goal, ..TaskRequest::default() };
            subject.body.set_task(hand, reach.placed(&person.skeleton).expect("a sound task")).expect("a task");
            let mut local = start.clone();
            counted(&mut || {
                subject.body.solve(&mut local, 0.0).expect("a sound pose");
            });
        }
        POSES
    };
    Row { name: "body_balance/18_rows".to_string(), work: Box::new(work) }
}

/// A person with planted feet whose hand has a goal in front, which it reaches, or out of reach all
/// round: the hips held as an animator holds them. With human ranges or without.
fn hand_goal(is_reached: bool, has_limits: bool) -> Row {
    let work = move || {
        let person = person(&PersonOptions::default());
        let mut subject = Subject::of_person(&person, &[LeftFoot, RightFoot], &[RightHand]);
        if !has_limits {
            subject.body.set_limit_layer(None);
        }
        let settings = BodySettings { root_posture: 30.0, ..*subject.body.settings() };
        subject.body.set_settings(settings);
        subject.aim(&person.skeleton, &person.t_pose);
        let (hand, joint, kind) = subject.tasks[subject.tasks.len() - 1];
        for number in 0..POSES {
            let (x, z) = match is_reached {
                true => [(0.0, 0.5), (-0.4, 0.4), (-0.2, 0.6), (-0.3, 0.3)][number as usize % 4],
                false => [(0.0, 2.5), (-2.5, 0.0), (-1.8, 1.8), (1.8, 1.8)][number as usize % 4],
            };
            let goal = Vec3::new(x, if is_reached { 1.2 } else { 1.2 + 0.1 * number as f32 }, z);
            let reach = TaskRequest { kind, joint, goal, ..TaskRequest::default() };
            subject.body.set_task(hand, reach.placed(&person.skeleton).expect("a sound task")).expect("a task");
            let mut local = person.t_pose.clone();
            counted(&mut || {
                subject.body.solve(&mut local, 0.0).expect("a sound pose");
            });
            assert_eq!(subject.body.outcome().residual_m < 0.1, is_reached, "where the goal is");
        }
        POSES
    };
    let kind = if is_reached { "body_hand" } else { "body_unreachable" };
    let limits = if has_limits { "" } else { "_free" };
    Row { name: format!("{kind}{limits}/15_rows"), work: Box::new(work) }
}

/// Frames of track mode, which follow a person who goes from one pose to another in a second.
fn tracked(name: &str, solver: TrackSolver, max_acceleration: f32) -> Row {
    const FRAMES: u64 = 60;
    let work = move || {
        let person = person(&PersonOptions::default());
        let mut subject = Subject::of_person(&person, &ENDS, &[]);
        let settings = *subject.body.settings();
        subject.body.set_settings(BodySettings { track_solver: solver, max_acceleration, ..settings });
        subject.body.set_mode(BodyMode::Track);
        for frame in 0..=FRAMES {
            let amount = 0.3 + 0.3 * frame as f32 / FRAMES as f32;
            subject.aim(&person.skeleton, &random_human_pose(person.view(), &mut Random::new(3), amount));
            let mut pose = person.t_pose.clone();
            let mut solve = || {
                subject.body.solve(&mut pose, 1.0 / 60.0).expect("a sound pose");
            };
            if frame == 0 { solve() } else { counted(&mut solve) }
        }
        FRAMES
    };
    Row { name: format!("body_tracked_frame{name}/36_rows"), work: Box::new(work) }
}

/// Frames of track mode of eight people in one call, each of whom goes from one pose to another in
/// a second. A unit is a frame of one of them.
fn crowd() -> Row {
    const FRAMES: u64 = 60;
    let work = || {
        let person = person(&PersonOptions::default());
        let mut subjects: Vec<Subject> = (0..POSES).map(|_| Subject::of_person(&person, &ENDS, &[])).collect();
        subjects.iter_mut().for_each(|subject| subject.body.set_mode(BodyMode::Track));
        for frame in 0..=FRAMES {
            let amount = 0.3 + 0.3 * frame as f32 / FRAMES as f32;
            let mut poses = vec![person.t_pose.clone(); POSES as usize];
            for (number, subject) in subjects.iter_mut().enumerate() {
                let mut random = Random::new(number as u64 + 3);
                subject.aim(&person.skeleton, &random_human_pose(person.view(), &mut random, amount));
            }
            let bodies = subjects.iter_mut().zip(&mut poses);
            let mut works: Vec<_> =
                bodies.map(|(subject, pose)| Mutex::new(BodyWork::new(&mut subject.body, pose))).collect();
            let mut solve = || {
                assert_eq!(solve_bodies(&mut works, 1.0 / 60.0, &Serial, None, &|| 0.0), None);
            };
            if frame == 0 { solve() } else { counted(&mut solve) }
        }
        FRAMES * POSES
    };
    Row { name: "body_crowd_frame/36_rows".to_string(), work: Box::new(work) }
}

/// Growth: arms of so many joints without limits, each with a place and rotation at its end. A unit
/// is one iteration of track mode, of four a frame, with all that is around it: later steps, at the
/// answer, may be refused. Joints may also slide.
fn growth(arms: usize, joints_each: usize, slides: bool) -> Row {
    const ITERATIONS: u32 = 4;
    let work = move || {
        let mut builder = SkeletonBuilder::new();
        let root = builder.joint_at("root", None, Vec3::ZERO);
        let mut ends = Vec::new();
        for arm in 0..arms {
            let mut last = root;
            for bone in 0..joints_each {
                let side = if bone % 2 == 0 { Vec3::new(0.05, 0.3, 0.0) } else { Vec3::new(-0.02, 0.3, 0.05) };
                let angle = arm as f32;
                last = builder.joint_at("bone", Some(last), side + Vec3::new(0.1 * angle, 0.0, 0.05 * angle));
            }
            ends.push(last);
        }
        let skeleton = Arc::new(builder.build().expect("a tree"));
        let mut subject = Subject::new(PlacedBody::new(skeleton.clone(), root).expect("a body"), &ends, &[]);
        let settings = *subject.body.settings();
        subject.body.set_settings(BodySettings { track_iterations: ITERATIONS, ..settings });
        subject.body.set_mode(BodyMode::Track);
        for joint in (1..skeleton.joint_count()).filter(|_| slides) {
            let slide = Slide { axis: Vec3::Y, min: -0.1, max: 0.1, mobility: 0.25 };
            subject.body.set_joint_limits(joint, JointModel { slide, ..JointModel::FREE }).expect("a joint");
        }
        let mut random = Random::new(5);
        let mut goals = skeleton.rest_local().to_vec();
        let mut iterations = 0;
        for frame in 0..4 {
            for goal in &mut goals {
                goal.rotation = (goal.rotation * random.rotation_within(0.05)).normalize();
            }
            subject.aim(&skeleton, &goals);
            let mut pose = skeleton.rest_local().to_vec();
            let mut solve = || {
                subject.body.solve(&mut pose, 1.0 / 60.0).expect("a sound pose");
            };
            if frame == 0 {
                solve();
                continue;
            }
            counted(&mut solve);
            iterations += u64::from(subject.body.outcome().iterations);
        }
        iterations
    };
    let name = if slides { "body_iteration_slides" } else { "body_iteration" };
    Row { name: format!("{name}/{}_joints_{}_rows", 1 + arms * joints_each, 6 * arms), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    const BIG: [HumanBone; 7] = [LeftHand, RightHand, LeftFoot, RightFoot, Head, Hips, Chest];
    vec![
        reach("body_reach_rest/36_rows", Start::Rest, &ENDS, &[], Per::Solve),
        reach("body_reach_step/36_rows", Start::Near, &ENDS, &[], Per::Solve),
        reach("body_reach_step/54_rows", Start::Near, &BIG, &MIDDLES, Per::Solve),
        reach("body_reach_iteration/36_rows", Start::Rest, &ENDS, &[], Per::Iteration),
        positions(&[LeftHand, RightHand, LeftFoot, RightFoot]),
        positions(&ENDS),
        balance(),
        hand_goal(true, true),
        hand_goal(true, false),
        hand_goal(false, true),
        hand_goal(false, false),
        tracked("", TrackSolver::Adaptive, 0.0),
        crowd(),
        tracked("_capped", TrackSolver::Adaptive, 40.0),
        tracked("_dls", TrackSolver::Dls, 0.0),
        tracked("_sdls", TrackSolver::Sdls, 0.0),
        growth(2, 6, false),
        growth(6, 4, false),
        growth(6, 8, false),
        growth(9, 4, false),
        growth(6, 4, true),
    ]
}
