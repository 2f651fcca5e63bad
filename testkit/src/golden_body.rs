//! The golden scene of the whole body: a person with human ranges and masses, goals of every level
//! and of many kinds, in both modes, and a dragged joint.

use crate::characters;
use crate::human_pose::random_human_pose;
use crate::matchers::{HASH_START, hash_transforms};
use crate::person::{PersonOptions, person};
use crate::random::Random;
use sinew::body::{BodyMode, BodyTaskName, Drag, DragPin, Dragger, PlacedBody, TaskKind, TaskRequest, TaskSide};
use sinew::humanoid::HumanBone;
use sinew::math::{Transform, Vec3};

/// Frames of each mode.
const FRAMES: usize = 12;

/// Plays the scene.
///
/// # Panics
/// When the core refuses what is written here.
pub fn play() -> u64 {
    let person = person(&PersonOptions { with_fingers: false, ..PersonOptions::default() });
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(14);
    let mut body = PlacedBody::new(avatar.skeleton().clone(), person.joint(HumanBone::Hips)).expect("a body");
    body.set_limit_layer(Some(avatar.human_limits().layer().clone()));
    for (joint, center_js, share) in avatar.masses() {
        body.set_mass(joint, share, center_js).expect("a joint");
    }
    let joint = |bone| person.joint(bone);
    let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].map(joint);
    let hands = [HumanBone::LeftHand, HumanBone::RightHand].map(joint);
    let corners = [-0.15, 0.15].map(|x| [Vec3::new(x, 0.0, -0.1), Vec3::new(x, 0.0, 0.2)]).concat();
    let head = joint(HumanBone::Head);
    let pin = |kind, joint| TaskRequest { kind, joint, is_pinned: true, ..TaskRequest::default() };
    let mut requests = vec![
        pin(TaskKind::Position, feet[0]),
        pin(TaskKind::Orientation, feet[0]),
        pin(TaskKind::Position, feet[1]),
        TaskRequest { joint: hands[0], ..TaskRequest::default() },
        TaskRequest { joint: hands[1], level: 1, importance: 2.0, ..TaskRequest::default() },
        TaskRequest { kind: TaskKind::Support, corners: &corners, distance: 0.02, ..TaskRequest::default() },
        TaskRequest { kind: TaskKind::Gaze, joint: head, level: 2, blend: 0.7, ..TaskRequest::default() },
    ];
    let distance = TaskRequest { kind: TaskKind::Distance, joint: hands[0], other: Some(hands[1]), ..requests[3] };
    requests.push(TaskRequest { distance: 0.3, side: TaskSide::Outside, ..distance });
    let axes = [true, false, true];
    let knee = joint(HumanBone::LeftLowerLeg);
    requests.push(TaskRequest { kind: TaskKind::Plane, joint: knee, side: TaskSide::Outside, axes, ..requests[3] });
    let add = |body: &mut PlacedBody, request: &TaskRequest<'_>| -> BodyTaskName {
        body.add_task(request.placed(&person.skeleton).expect("a sound task")).expect("a sound task")
    };
    let names: Vec<BodyTaskName> = requests.iter().map(|request| add(&mut body, request)).collect();
    let mut dragger = Dragger::default();
    let mut hash = HASH_START;
    for (_, root) in characters::roots() {
        if body.set_root(root).is_err() {
            continue;
        }
        for mode in [BodyMode::Converge, BodyMode::Track] {
            body.set_mode(mode);
            for frame in 0..FRAMES {
                let pose = random_human_pose(person.view(), &mut random, 0.2);
                let out = |p: Vec3| root.position + root.rotation * (p * root.scale.x);
                for (name, request) in names.iter().zip(&requests) {
                    let far = if frame % 4 == 3 { 1.5 } else { 0.3 };
                    let side = if request.joint == hands[0] { -0.3 } else { 0.3 };
                    let goal = out(Vec3::new(side, 1.1, 0.3) + random.in_ball(far));
                    let moved = TaskRequest { goal, direction: root.rotation * Vec3::Y, ..*request };
                    if request.kind != TaskKind::Support {
                        body.set_task(*name, moved.placed(&person.skeleton).expect("sound")).expect("a task");
                    }
                }
                let mut solved = pose.clone();
                let outcome = body.solve(&mut solved, 1.0 / 60.0).expect("a sound pose");
                hash = hash_transforms(&solved, hash);
                let left = Vec3::new(outcome.residual_m, outcome.residual_rad, outcome.iterations as f32);
                hash = hash_transforms(&[Transform::at(left)], hash);
                let mut dragged = pose;
                let pins = feet.map(|joint| DragPin { joint, holds_rotation: frame % 2 == 0 });
                let drag = Drag {
                    joint: hands[frame % 2],
                    point_js: Vec3::new(0.05, 0.0, 0.01),
                    goal_ws: out(Vec3::new(0.2, 1.2, 0.4) + random.in_ball(0.4)),
                    rotation_ws: (frame % 3 == 0).then(|| random.rotation()),
                    chain_length: frame as u32 % 5,
                    pins: &pins,
                };
                dragger.drag(&body, &mut dragged, &drag).expect("a sound pose");
                hash = hash_transforms(&dragged, hash);
            }
        }
    }
    hash
}
