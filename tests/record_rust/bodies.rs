//! Whole bodies.

use crate::log::{alone, assert_near, record, replay};
use sinew::body::{
    BodyMode, BodySettings, BodyTaskName, Drag, DragPin, Dragger, HostFunction, JointCoupling, PlacedBody, TaskFrame,
    TaskKind, TaskRequest, TaskSide,
};
use sinew::ffi::mirror::{RecordedBody, take_left_out};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone};
use sinew::limits::{JointModel, LimitTable};
use sinew::math::{Quat, Transform, Vec3};
use sinew::tasks::{HostResidual, MAX_ANCHORS, Placement, Rows};
use std::sync::Arc;
use testkit::Random;
use testkit::person::{PersonOptions, person};

/// A joint at a point: three rows.
#[derive(Debug)]
struct At(Vec3);

impl HostResidual for At {
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        rows.value = (self.0 - at[0].position).to_array();
        rows.terms[0].point = at[0].position;
        rows.terms[0].force = [Vec3::X, Vec3::Y, Vec3::Z];
    }
}

/// A person with masses, human ranges, limits and a joint that follows another.
struct Actor {
    body: PlacedBody,
    recorded: RecordedBody,
    animation: Vec<Transform>,
    joints: [usize; 5],
    rows: Arc<dyn HostResidual>,
    tasks: Vec<BodyTaskName>,
}

impl Actor {
    fn new(mode: BodyMode) -> Self {
        let person = person(&PersonOptions::default());
        let skeleton = Arc::new(person.skeleton.clone());
        let mut definition = AvatarDefinition::default();
        HumanBone::ALL.into_iter().for_each(|bone| definition.map.set(bone, person.human[bone.index()]));
        let avatar = Avatar::new(skeleton.clone(), &definition).expect("a person");
        let mut body = PlacedBody::new(skeleton.clone(), person.joint(HumanBone::Hips)).expect("a body");
        let mut table = LimitTable::new(Some(avatar.human_limits().layer().clone()));
        table.enable_layer(true);
        body.set_limit_table(table);
        let knee = person.joint(HumanBone::LeftLowerLeg);
        body.set_joint_limits(knee, JointModel::FREE).expect("limits");
        for (joint, center_js, share) in avatar.masses() {
            body.set_mass(joint, share, center_js).expect("a mass");
        }
        let (neck, head) = (person.joint(HumanBone::Neck), person.joint(HumanBone::Head));
        let follows = JointCoupling { driver: head, driver_axis: Vec3::X, axis: Vec3::X, ratio: 0.5, offset_rad: 0.1 };
        body.set_joint_coupling(neck, Some(follows)).expect("a coupling");
        body.set_settings(BodySettings { max_speed: 5.0, ..BodySettings::default() });
        body.set_mode(mode);
        let joints =
            [HumanBone::LeftHand, HumanBone::RightHand, HumanBone::LeftFoot, HumanBone::RightFoot, HumanBone::Head];
        let rows: Arc<dyn HostResidual> = Arc::new(At(Vec3::new(0.1, 1.6, 0.2)));
        Self {
            body,
            recorded: RecordedBody::new(Some(Arc::new(definition))),
            animation: skeleton.rest_local().to_vec(),
            joints: joints.map(|bone| person.joint(bone)),
            rows,
            tasks: Vec::new(),
        }
    }

    fn requests(&self, frame: u64) -> Vec<TaskRequest<'_>> {
        let mut random = Random::new(frame);
        let [left, right, left_foot, right_foot, head] = self.joints;
        let usual = TaskRequest::default();
        let goal = Vec3::new(0.0, 1.2, 0.2) + random.in_ball(0.4);
        const CORNERS: [Vec3; 3] = [Vec3::new(-0.3, 0.0, -0.2), Vec3::new(0.3, 0.0, -0.2), Vec3::new(0.0, 0.0, 0.4)];
        let residual = &self.rows;
        vec![
            TaskRequest { joint: left, goal, point_js: Vec3::new(0.05, 0.0, 0.0), ..usual },
            TaskRequest {
                kind: TaskKind::Orientation,
                joint: right,
                rotation: random.rotation(),
                frame: TaskFrame::Goal,
                axes: [true, false, true],
                blend: random.unit01(),
                level: 1,
                ..usual
            },
            TaskRequest { joint: left_foot, is_pinned: true, ..usual },
            TaskRequest { kind: TaskKind::Plane, joint: right_foot, side: TaskSide::Outside, importance: 3.0, ..usual },
            TaskRequest { kind: TaskKind::Support, corners: &CORNERS, distance: 0.02, ..usual },
            TaskRequest {
                kind: TaskKind::Host,
                joint: head,
                host: Some(HostFunction { residual, in_radians: false }),
                ..usual
            },
        ]
    }

    /// Frames with changing goals; all numbers of the poses.
    fn play(&mut self, frames: core::ops::Range<u64>) -> Vec<f32> {
        let mut poses = Vec::new();
        for frame in frames {
            let mut random = Random::new(frame);
            self.body.set_root(Transform::new(random.in_ball(0.1), Quat::IDENTITY)).expect("a root");
            self.set_tasks(frame);
            let mut pose = self.animation.clone();
            for joint in &mut pose {
                joint.rotation = (joint.rotation * random.rotation_within(0.1)).normalize();
            }
            self.recorded.solve(&mut self.body, &mut pose, 1.0 / 60.0).expect("a solve");
            for joint in &pose {
                poses.extend(joint.position.to_array());
                poses.extend(joint.rotation.to_array());
            }
        }
        poses
    }
    /// The left hand dragged, frame by frame from the same pose; all numbers of the poses.
    fn drag(&mut self, dragger: &mut Dragger, frames: core::ops::Range<u64>) -> Vec<f32> {
        let [left, right, ..] = self.joints;
        let mut poses = Vec::new();
        for frame in frames {
            let mut random = Random::new(frame);
            let pins = [DragPin { joint: right, holds_rotation: frame % 2 == 0 }];
            let drag = Drag {
                joint: left,
                point_js: Vec3::new(0.05, 0.0, 0.0),
                goal_ws: Vec3::new(-0.3, 1.2, 0.3) + random.in_ball(0.2),
                rotation_ws: (frame % 3 == 0).then(|| random.rotation_within(0.5)),
                chain_length: if frame < 3 { 0 } else { 4 },
                pins: &pins,
            };
            let mut pose = self.animation.clone();
            self.recorded.drag(dragger, &self.body, &mut pose, &drag).expect("a drag");
            poses.extend(pose.iter().flat_map(|joint| joint.rotation.to_array()));
        }
        poses
    }
    fn set_tasks(&mut self, frame: u64) {
        let skeleton = self.body.skeleton().clone();
        if frame == 4 {
            // The second one goes, and comes back behind the others.
            let gone = self.tasks.remove(1);
            self.body.remove_task(gone).expect("a task");
            self.recorded.forget_task(gone);
        }
        let (mut body, mut recorded, tasks) =
            (self.body.clone(), core::mem::take(&mut self.recorded), self.tasks.clone());
        let mut names = Vec::new();
        for (number, request) in self.requests(frame).iter().enumerate() {
            let placed = request.placed(&skeleton).expect("a task");
            let name = match tasks.get(number) {
                Some(name) => {
                    body.set_task(*name, placed).expect("the task");
                    *name
                }
                None => body.add_task(placed).expect("a task"),
            };
            recorded.note_task(name, request);
            names.push(name);
        }
        (self.body, self.recorded, self.tasks) = (body, recorded, names);
    }
}

#[test]
fn a_recording_has_every_solve_and_changes_no_pose() {
    let _alone = alone();
    for mode in [BodyMode::Converge, BodyMode::Track] {
        let usual = Actor::new(mode).play(0..8);
        let mut poses = Vec::new();
        let log = record(|| poses = Actor::new(mode).play(0..8));
        assert_eq!(take_left_out(), 0);
        assert_near(&usual, &poses);
        assert_eq!(replay(&log), 8);
    }
}

#[test]
fn one_begun_in_the_middle_goes_on_with_the_memory() {
    let _alone = alone();
    let (mut usual, mut actor) = (Actor::new(BodyMode::Track), Actor::new(BodyMode::Track));
    usual.play(0..6);
    actor.play(0..6);
    let mut poses = Vec::new();
    let log = record(|| poses = actor.play(6..10));
    assert_eq!(take_left_out(), 0);
    assert_near(&usual.play(6..10), &poses);
    assert_eq!(replay(&log), 4);
    assert_eq!(replay(&record(|| _ = actor.play(10..12))), 2);
}

#[test]
fn a_recording_has_every_drag_and_changes_no_pose() {
    let _alone = alone();
    let mut actor = Actor::new(BodyMode::Converge);
    let usual = actor.drag(&mut Dragger::default(), 0..6);
    let mut poses = Vec::new();
    let log = record(|| poses = actor.drag(&mut Dragger::default(), 0..6));
    assert_eq!(take_left_out(), 0);
    assert_near(&usual, &poses);
    assert_eq!(replay(&log), 6);
    // Beside solves with tasks.
    let log = record(|| {
        actor.drag(&mut Dragger::default(), 0..2);
        actor.play(0..2);
        actor.drag(&mut Dragger::default(), 2..4);
    });
    assert_eq!((take_left_out(), replay(&log)), (0, 6));
}

#[test]
fn tasks_that_were_not_noted_are_counted() {
    let _alone = alone();
    let mut actor = Actor::new(BodyMode::Converge);
    let skeleton = actor.body.skeleton().clone();
    let task = TaskRequest { joint: actor.joints[0], ..TaskRequest::default() };
    actor.body.add_task(task.placed(&skeleton).expect("a task")).expect("a task");
    let log = record(|| _ = actor.play(0..3));
    assert_eq!((take_left_out(), replay(&log)), (3, 0));
}
