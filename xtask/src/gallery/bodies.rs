//! The whole body: people and a dog with several goals at once.
#![allow(clippy::disallowed_methods)] // paths of goals and pictures, not poses

use super::exhibit::{Exhibit, FRAMES, Frame, share, show, there_and_back};
use super::live;
use serde_json::{Value, json};
use sinew::body::{
    BodyDetail, BodySettings, BodyTaskName, BodyTie, MeetRule, PlacedBody, PlacedDemand, TaskKind, TaskRequest,
    TaskSide, TieEnd, TiedBody, meet,
};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::{JointIndex, Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::AnyTask;
use std::f32::consts::{PI, TAU};
use std::sync::Arc;
use testkit::person::{Handedness, PersonOptions, person};

pub const GROUP: &str = "The whole body: several goals in one solve";

/// The gallery's fourth part.
pub fn exhibits() -> Vec<Exhibit> {
    vec![picks(), tiptoes(), steers(), sits(), dog(), ball(), handshake(), hand_in_hand()]
}

/// The arm that has nothing to do.
const OTHER_ARM: [HumanBone; 2] = [HumanBone::LeftUpperArm, HumanBone::LeftLowerArm];

/// A rig with a body, and the pose that the tasks start from.
struct Actor {
    skeleton: Arc<Skeleton>,
    avatar: Option<Arc<Avatar>>,
    body: PlacedBody,
    animation: Vec<Transform>,
    pose: Vec<Transform>,
    /// Names of the tasks in their order, and the data of the page.
    names: Vec<BodyTaskName>,
    live: Value,
    /// Tasks that were set since the last solve.
    changes: Vec<Value>,
}

impl Actor {
    fn new(skeleton: Arc<Skeleton>, root: JointIndex) -> Self {
        let body = PlacedBody::new(skeleton.clone(), root).expect("a gallery rig is sound");
        let animation = skeleton.rest_local().to_vec();
        let live = json!({ "rig": live::skeleton(&skeleton), "root": root, "limits": [], "stiff": [], "tasks": [] });
        let (names, changes) = (Vec::new(), Vec::new());
        Self { pose: animation.clone(), animation, body, avatar: None, skeleton, names, live, changes }
    }
    /// A person who faces +Z with the arms hanging down, kept to human ranges.
    fn person(with_fingers: bool) -> Self {
        let made = person(&PersonOptions { handedness: Handedness::Right, with_fingers, ..PersonOptions::default() });
        let skeleton = Arc::new(made.skeleton);
        let definition = AvatarDefinition { map: HumanMap::from_array(made.human), ..AvatarDefinition::default() };
        let avatar = Avatar::new(skeleton.clone(), &definition).expect("a person");
        let mut actor = Self::new(skeleton, avatar.joint(HumanBone::Hips).expect("hips"));
        actor.body.set_limit_layer(Some(avatar.human_limits().layer().clone()));
        for (joint, center_js, share) in avatar.masses() {
            actor.body.set_mass(joint, share, center_js).expect("a joint");
        }
        actor.avatar = Some(Arc::new(avatar));
        // As an animator's body solver: short steps, arms before the trunk, hips that stay.
        let settings = BodySettings {
            max_attempts: 0,
            max_step_rad: 0.15,
            level_ratio: 0.03,
            root_posture: 30.0,
            root_turn_mobility: 0.5,
            ..*actor.body.settings()
        };
        actor.body.set_settings(settings);
        actor.live["settings"] = live::body_settings(&settings);
        let map = made.human.iter().map(|joint| joint.map_or(-1, |joint| joint as i64));
        actor.live["human"] = map.collect::<Vec<_>>().into();
        use HumanBone::{Chest, LeftShoulder, RightShoulder, Spine, UpperChest};
        for (bone, stiffness) in
            [(Spine, 0.7), (Chest, 0.7), (UpperChest, 0.7), (LeftShoulder, 0.7), (RightShoulder, 0.7)]
        {
            let joint = actor.joint(bone);
            let model = JointModel { stiffness: [stiffness; 3], ..*actor.body.joint_limits(joint).expect("a joint") };
            actor.body.set_joint_limits(joint, model).expect("a joint");
            actor.note("stiff", json!({ "joint": joint, "stiffness": stiffness }));
        }
        for (upper, lower, side) in [
            (HumanBone::LeftUpperArm, HumanBone::LeftLowerArm, 1.0),
            (HumanBone::RightUpperArm, HumanBone::RightLowerArm, -1.0),
        ] {
            actor.turn(upper, axis_angle(Vec3::Z, -1.25 * side));
            // About the axis of a person's elbow, which bends a little upwards.
            actor.turn(lower, axis_angle(Vec3::new(0.0, 0.956, -0.292).normalize(), -0.25 * side));
        }
        actor
    }
    /// Turns a bone of the animation about axes of the rest pose.
    fn turn(&mut self, bone: HumanBone, by: Quat) {
        let joint = self.joint(bone);
        self.animation[joint].rotation = by * self.animation[joint].rotation;
    }
    fn joint(&self, bone: HumanBone) -> JointIndex {
        self.avatar.as_ref().and_then(|avatar| avatar.joint(bone)).expect("a bone of the person")
    }
    /// World position of a joint in the animation.
    fn at(&self, joint: JointIndex) -> Vec3 {
        let mut pose = Pose::rest(&self.skeleton);
        pose.load(self.animation.iter().copied()).expect("a gallery pose is sound");
        pose.update(&self.skeleton);
        let root = self.body.root();
        root.position + root.rotation * pose.model(joint).position
    }
    fn bone_at(&self, bone: HumanBone) -> Vec3 {
        self.at(self.joint(bone))
    }
    fn placed(&self, request: &TaskRequest<'_>) -> PlacedDemand {
        request.placed(&self.skeleton).expect("a gallery task is sound")
    }
    fn add(&mut self, request: TaskRequest<'_>) -> BodyTaskName {
        let placed = self.placed(&request);
        self.note("tasks", live::task(&request));
        let name = self.body.add_task(placed).expect("a gallery task is sound");
        self.names.push(name);
        name
    }
    fn note(&mut self, list: &str, what: Value) {
        self.live[list].as_array_mut().expect("a list").push(what);
    }
    fn reach(&mut self, bone: HumanBone) -> BodyTaskName {
        let joint = self.joint(bone);
        self.add(TaskRequest { joint, ..TaskRequest::default() })
    }
    fn set(&mut self, name: BodyTaskName, request: TaskRequest<'_>) {
        let placed = self.placed(&request);
        self.body.set_task(name, placed).expect("a task of the body");
        let number = self.names.iter().position(|other| *other == name).expect("a task of the body");
        self.changes.push(json!([number, live::task(&request)]));
    }
    fn go(&mut self, name: BodyTaskName, bone: HumanBone, goal: Vec3) {
        let joint = self.joint(bone);
        self.set(name, TaskRequest { joint, goal, ..TaskRequest::default() });
    }
    fn pin(&mut self, bone: HumanBone, turns: bool) {
        let joint = self.joint(bone);
        self.add(TaskRequest { joint, is_pinned: true, ..TaskRequest::default() });
        if turns {
            self.add(TaskRequest { kind: TaskKind::Orientation, joint, is_pinned: true, ..TaskRequest::default() });
        }
    }
    fn plant_feet(&mut self) {
        self.pin(HumanBone::LeftFoot, true);
        self.pin(HumanBone::RightFoot, true);
    }
    /// The centre of mass over the feet.
    fn balance(&mut self) {
        let corners = [HumanBone::LeftFoot, HumanBone::RightFoot, HumanBone::LeftToes, HumanBone::RightToes];
        let corners = corners.map(|bone| self.bone_at(bone));
        let support = TaskRequest { kind: TaskKind::Support, corners: &corners, distance: 0.01, ..Default::default() };
        self.add(support);
    }
    /// Keeps the rotation of a bone in its parent as animated, where the goals leave it free.
    fn keep(&mut self, bones: &[HumanBone]) {
        for bone in bones {
            let (kind, joint) = (TaskKind::JointRotation, self.joint(*bone));
            self.add(TaskRequest { kind, joint, level: 2, is_pinned: true, ..TaskRequest::default() });
        }
    }
    /// A bone that hangs down, as an arm does that has nothing to do, where the goals let it.
    fn hang(&mut self, bones: &[(HumanBone, f32)]) {
        for (bone, side) in bones {
            let (kind, joint) = (TaskKind::Axis, self.joint(*bone));
            let (axis_js, direction) = (Vec3::X * *side, -Vec3::Y);
            self.add(TaskRequest { kind, joint, level: 1, axis_js, direction, ..TaskRequest::default() });
        }
    }
    /// An axis of a bone along a direction, where the goals let it.
    fn lean(&mut self, bone: HumanBone) -> BodyTaskName {
        let joint = self.joint(bone);
        self.add(TaskRequest { kind: TaskKind::Axis, joint, level: 1, axis_js: Vec3::Y, ..TaskRequest::default() })
    }
    fn leans(&mut self, name: BodyTaskName, bone: HumanBone, forward_rad: f32) {
        let joint = self.joint(bone);
        let direction = axis_angle(Vec3::X, forward_rad) * Vec3::Y;
        let (kind, axis_js) = (TaskKind::Axis, Vec3::Y);
        // A trunk that leans counts more than an arm that turns.
        let lean = TaskRequest { kind, joint, level: 1, importance: 10.0, axis_js, direction, ..Default::default() };
        self.set(name, lean);
    }
    /// The eyes on a point, as far as the rest lets them.
    fn watch(&mut self) -> BodyTaskName {
        let joint = self.joint(HumanBone::Head);
        self.add(TaskRequest { kind: TaskKind::Gaze, joint, level: 1, goal: Vec3::Z * 9.0, ..Default::default() })
    }
    fn watches(&mut self, name: BodyTaskName, goal: Vec3) {
        let (joint, kind) = (self.joint(HumanBone::Head), TaskKind::Gaze);
        let point_js = Vec3::new(0.0, 0.05, 0.08);
        self.set(name, TaskRequest { kind, joint, level: 1, point_js, goal, ..TaskRequest::default() });
    }
    /// The height of the hips, where the goals let them.
    fn lower(&mut self) -> BodyTaskName {
        let joint = self.joint(HumanBone::Hips);
        self.add(TaskRequest { joint, level: 1, axes: [false, true, false], ..TaskRequest::default() })
    }
    fn lowers(&mut self, name: BodyTaskName, goal: Vec3) {
        let joint = self.joint(HumanBone::Hips);
        self.set(name, TaskRequest { joint, level: 1, axes: [false, true, false], goal, ..TaskRequest::default() });
    }
    /// What is left of the goals, metres.
    fn solve(&mut self) -> f32 {
        self.pose.copy_from_slice(&self.animation);
        self.body.solve(&mut self.pose, 0.0).expect("a gallery pose is sound").residual_m
    }
}

/// Plays a scene: `each` sets the goals of a share of the loop, and returns what is drawn with it.
fn play(
    mut actors: Vec<Actor>,
    title: &str,
    note: &str,
    mut each: impl FnMut(&mut [Actor], f32) -> (Vec<Vec3>, Vec<Vec<Vec3>>),
) -> Exhibit {
    let mut parents = Vec::new();
    for actor in &actors {
        let first = parents.len();
        parents.extend(actor.skeleton.parents().iter().map(|parent| parent.map(|parent| first + parent)));
    }
    let told = |actor: &Actor| {
        let mut live = actor.live.clone();
        live["place"] = live::place(actor.body.root());
        live["animation"] = live::pose(&actor.animation);
        live
    };
    let mut live = json!({ "actors": actors.iter().map(told).collect::<Vec<_>>() });
    let (mut frames, mut script) = (Vec::new(), Vec::new());
    for number in 0..FRAMES {
        let (targets, lines) = each(&mut actors, share(number));
        let changes: Vec<_> = actors.iter_mut().map(|actor| std::mem::take(&mut actor.changes)).collect();
        script.push(json!(changes));
        let (mut joints, mut fins) = (Vec::new(), Vec::new());
        let mut residual = 0.0_f32;
        for actor in &mut actors {
            residual = residual.max(actor.solve());
            show(&actor.skeleton, actor.body.pose(), actor.body.root(), &mut joints, &mut fins);
        }
        frames.push(Frame {
            joints,
            fins,
            targets: targets.iter().map(|p| p.to_array()).collect(),
            pole: None,
            lines: lines.iter().map(|line| line.iter().map(|p| p.to_array()).collect()).collect(),
            residual,
        });
    }
    live["script"] = Value::Array(script);
    Exhibit { group: GROUP, title: title.to_string(), note: note.to_string(), parents, frames, live }
}

fn ring(centre: Vec3, x: Vec3, y: Vec3) -> Vec<Vec3> {
    (0..=32).map(|i| i as f32 / 32.0 * TAU).map(|a| centre + x * a.cos() + y * a.sin()).collect()
}
fn sphere(centre: Vec3, radius: f32) -> Vec<Vec<Vec3>> {
    let [x, y, z] = Vec3::AXES.map(|axis| axis * radius);
    vec![ring(centre, x, y), ring(centre, y, z), ring(centre, z, x)]
}
/// A rectangle, its middle and two half sides.
fn plate(centre: Vec3, a: Vec3, b: Vec3) -> Vec<Vec3> {
    vec![centre + a + b, centre + a - b, centre - a - b, centre - a + b, centre + a + b]
}

fn picks() -> Exhibit {
    let mut actor = Actor::person(false);
    actor.plant_feet();
    actor.balance();
    actor.hang(&[(HumanBone::LeftUpperArm, 1.0), (HumanBone::LeftLowerArm, 1.0)]);
    let (hand, eyes, hips) = (actor.reach(HumanBone::RightHand), actor.watch(), actor.lower());
    let (start, stand) = (actor.bone_at(HumanBone::RightHand), actor.bone_at(HumanBone::Hips));
    play(vec![actor], "picking something up", "feet stay, the weight stays over them, the eyes follow", |actors, t| {
        let thing = Vec3::new(-0.12, 0.12, 0.42);
        let goal = start.lerp(thing, there_and_back(t));
        actors[0].go(hand, HumanBone::RightHand, goal);
        actors[0].lowers(hips, stand - Vec3::Y * (0.45 * there_and_back(t)));
        actors[0].watches(eyes, thing);
        (vec![goal], vec![plate(Vec3::new(-0.12, 0.0, 0.45), Vec3::X * 0.08, Vec3::Z * 0.08)])
    })
}

fn tiptoes() -> Exhibit {
    let mut actor = Actor::person(false);
    for (foot, toes) in [(HumanBone::LeftFoot, HumanBone::LeftToes), (HumanBone::RightFoot, HumanBone::RightToes)] {
        actor.pin(toes, true);
        let (joint, goal) = (actor.joint(foot), actor.bone_at(foot));
        actor.add(TaskRequest { kind: TaskKind::Plane, joint, goal, side: TaskSide::Outside, ..Default::default() });
    }
    let toes = [HumanBone::LeftToes, HumanBone::RightToes].map(|bone| actor.bone_at(bone));
    let corners = [toes[0], toes[1], toes[0] + Vec3::Z * 0.08, toes[1] + Vec3::Z * 0.08];
    let foot = [HumanBone::LeftFoot, HumanBone::RightFoot].map(|bone| actor.bone_at(bone));
    let corners = [corners[0], corners[1], corners[2], corners[3], foot[0], foot[1]];
    actor.add(TaskRequest { kind: TaskKind::Support, corners: &corners, distance: 0.01, ..Default::default() });
    actor.keep(&OTHER_ARM);
    let (hand, eyes, hips) = (actor.reach(HumanBone::RightHand), actor.watch(), actor.lower());
    let chest = actor.lean(HumanBone::UpperChest);
    let (start, stand) = (actor.bone_at(HumanBone::RightHand), actor.bone_at(HumanBone::Hips));
    play(vec![actor], "reaching a shelf", "the toes stay, the heels come off the floor when they must", |actors, t| {
        let shelf = Vec3::new(-0.2, 2.16, 0.22);
        let s = there_and_back(t);
        // In an arc before the body.
        let goal = start.lerp(shelf, s) + Vec3::Z * (0.25 * (s * PI).sin());
        actors[0].go(hand, HumanBone::RightHand, goal);
        actors[0].watches(eyes, Vec3::new(0.0, 1.65 + 0.5 * s, 1.5));
        actors[0].lowers(hips, stand + Vec3::Y * (0.05 * s));
        actors[0].leans(chest, HumanBone::UpperChest, 0.0);
        (vec![goal], vec![plate(Vec3::new(-0.2, 2.14, 0.34), Vec3::X * 0.3, Vec3::Z * 0.1)])
    })
}

/// Hips, knees and ankles bent as on a chair.
fn seat(actor: &mut Actor) {
    for (upper, lower) in
        [(HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg), (HumanBone::RightUpperLeg, HumanBone::RightLowerLeg)]
    {
        actor.turn(upper, axis_angle(Vec3::X, -1.45));
        actor.turn(lower, axis_angle(Vec3::X, 1.2));
    }
    let hips = actor.joint(HumanBone::Hips);
    actor.animation[hips].position.y = 0.55;
}

fn steers() -> Exhibit {
    let mut actor = Actor::person(false);
    seat(&mut actor);
    actor.body.set_floating(false);
    // A SinewBodyRoot: fixed.
    actor.live["settings"]["root"] = json!(1);
    actor.plant_feet();
    let hands = [HumanBone::LeftHand, HumanBone::RightHand];
    let names = hands.map(|hand| actor.reach(hand));
    let turns = hands.map(|hand| {
        let joint = actor.joint(hand);
        actor.add(TaskRequest { kind: TaskKind::Axis, joint, level: 1, ..TaskRequest::default() })
    });
    let eyes = actor.watch();
    play(vec![actor], "steering", "both hands on a wheel that turns; the hips sit", |actors, t| {
        let actor = &mut actors[0];
        let (centre, radius) = (Vec3::new(0.0, 0.92, 0.46), 0.19);
        let (across, up) = (Vec3::X, Vec3::new(0.0, 0.9, 0.435_889_9));
        let turn = 0.7 * (t * TAU).sin();
        let mut goals = Vec::new();
        for (number, side) in [1.0, -1.0].into_iter().enumerate() {
            let angle = turn + if side > 0.0 { 0.2 } else { PI - 0.2 };
            let rim = centre + (across * angle.cos() + up * angle.sin()) * radius;
            let tangent = (up * angle.cos() - across * angle.sin()) * side;
            // The wrist is behind the rim and below it; fingers point over it.
            let wrist = rim - Vec3::Z * 0.07 - tangent * 0.03;
            actor.go(names[number], hands[number], wrist);
            let joint = actor.joint(hands[number]);
            let direction = (Vec3::Z + tangent * 0.4 - Vec3::X * (0.3 * side)).normalize();
            let axis_js = Vec3::X * side;
            let along = TaskRequest { kind: TaskKind::Axis, joint, level: 1, axis_js, direction, ..Default::default() };
            actor.set(turns[number], along);
            goals.push(wrist);
        }
        actor.watches(eyes, Vec3::new(0.4 * turn, 1.0, 4.0));
        let chair = plate(Vec3::new(0.0, 0.44, 0.05), Vec3::X * 0.22, Vec3::Z * 0.22);
        (goals, vec![ring(centre, across * radius, up * radius), chair])
    })
}

fn sits() -> Exhibit {
    let mut actor = Actor::person(false);
    actor.plant_feet();
    actor.balance();
    actor.hang(&[(HumanBone::LeftUpperArm, 1.0), (HumanBone::RightUpperArm, -1.0)]);
    actor.keep(&[HumanBone::LeftLowerArm, HumanBone::RightLowerArm]);
    let (hips, eyes, chest) = (actor.reach(HumanBone::Hips), actor.watch(), actor.lean(HumanBone::UpperChest));
    let start = actor.bone_at(HumanBone::Hips);
    let feet = [HumanBone::LeftFoot, HumanBone::RightFoot, HumanBone::LeftToes, HumanBone::RightToes];
    let feet = feet.map(|bone| actor.bone_at(bone));
    let support = actor.body.tasks().find(|(_, task)| task.demand.task.kind() == "Support").map(|(name, _)| name);
    play(vec![actor], "sitting down", "the body leans forward as long as the feet alone carry it", |actors, t| {
        let actor = &mut actors[0];
        let s = there_and_back(t);
        let seat = Vec3::new(0.0, 0.55, -0.32);
        let goal = Vec3::new(0.0, start.y + (seat.y - start.y) * s, seat.z * (s * PI * 0.5).sin());
        actor.go(hips, HumanBone::Hips, goal);
        // The lower, the more the chair carries behind the feet.
        let carried = ((s - 0.4) / 0.4).clamp(0.0, 1.0);
        let mut corners = feet;
        corners[..2].iter_mut().for_each(|heel| heel.z += (seat.z - heel.z) * carried);
        let request = TaskRequest { kind: TaskKind::Support, corners: &corners, distance: 0.01, ..Default::default() };
        actor.set(support.expect("added above"), request);
        actor.leans(chest, HumanBone::UpperChest, 0.75 * (s * PI).sin());
        actor.watches(eyes, Vec3::new(0.0, 1.6 - 0.4 * s, 4.0));
        (vec![goal], vec![plate(Vec3::new(0.0, 0.44, -0.34), Vec3::X * 0.22, Vec3::Z * 0.2)])
    })
}

/// A dog that faces +Z: spine, neck, head, tail, four legs of three bones with a paw.
fn dog() -> Exhibit {
    let mut b = SkeletonBuilder::new();
    let pelvis = b.joint_at("pelvis", None, Vec3::new(0.0, 0.52, -0.3));
    let loin = b.joint_at("loin", Some(pelvis), Vec3::new(0.0, 0.02, 0.16));
    let back = b.joint_at("back", Some(loin), Vec3::new(0.0, 0.0, 0.16));
    let withers = b.joint_at("withers", Some(back), Vec3::new(0.0, 0.02, 0.16));
    let neck = b.joint_at("neck", Some(withers), Vec3::new(0.0, 0.06, 0.1));
    let head = b.joint_at("head", Some(neck), Vec3::new(0.0, 0.14, 0.12));
    b.joint_at("nose", Some(head), Vec3::new(0.0, -0.03, 0.16));
    let tail = b.joint_at("tail", Some(pelvis), Vec3::new(0.0, 0.03, -0.08));
    b.joint_at("tip", Some(tail), Vec3::new(0.0, 0.1, -0.2));
    let mut limits = Vec::new();
    let mut paws = Vec::new();
    for (name, side) in [("left", 1.0), ("right", -1.0)] {
        let shoulder = b.joint_at(&format!("{name} shoulder"), Some(withers), Vec3::new(0.07 * side, -0.1, 0.03));
        let elbow = b.joint_at(&format!("{name} elbow"), Some(shoulder), Vec3::new(0.0, -0.17, -0.05));
        let wrist = b.joint_at(&format!("{name} wrist"), Some(elbow), Vec3::new(0.0, -0.18, 0.03));
        paws.push(b.joint_at(&format!("{name} fore paw"), Some(wrist), Vec3::new(0.0, -0.07, 0.02)));
        limits.extend([(shoulder, None), (elbow, Some((-1.5, 0.5))), (wrist, Some((-0.5, 0.9)))]);
        let hip = b.joint_at(&format!("{name} hip"), Some(pelvis), Vec3::new(0.07 * side, -0.03, 0.0));
        let knee = b.joint_at(&format!("{name} knee"), Some(hip), Vec3::new(0.0, -0.18, 0.08));
        let hock = b.joint_at(&format!("{name} hock"), Some(knee), Vec3::new(0.0, -0.17, -0.12));
        paws.push(b.joint_at(&format!("{name} hind paw"), Some(hock), Vec3::new(0.0, -0.12, 0.03)));
        limits.extend([(hip, None), (knee, Some((-0.6, 1.4))), (hock, Some((-1.2, 0.6)))]);
    }
    let mut actor = Actor::new(Arc::new(b.build().expect("a dog")), pelvis);
    for (joint, hinge) in limits {
        let model = match hinge {
            Some((min, max)) => Freedom::Hinge { axis: HingeAxis::X, range: Range::new(min, max) },
            None => Freedom::Ball { swing: SwingRegion::cone(0.9), twist: Range::new(-0.25, 0.25) },
        };
        let model = JointModel::limited(model);
        actor.body.set_joint_limits(joint, model).expect("a joint");
        actor.note("limits", json!({ "joint": joint, "limits": live::limits(&model) }));
    }
    for joint in [loin, back, withers] {
        let model = Freedom::Ball { swing: SwingRegion::cone(0.3), twist: Range::new(-0.15, 0.15) };
        let stiff = JointModel { stiffness: [0.5; 3], ..JointModel::limited(model) };
        actor.body.set_joint_limits(joint, stiff).expect("a joint");
        actor.note("limits", json!({ "joint": joint, "limits": live::limits(&stiff) }));
    }
    let standing: Vec<Vec3> = paws.iter().map(|paw| actor.at(*paw)).collect();
    let names: Vec<_> =
        paws.iter().map(|paw| actor.add(TaskRequest { joint: *paw, ..TaskRequest::default() })).collect();
    let gaze = TaskRequest { kind: TaskKind::Gaze, joint: head, level: 1, ..TaskRequest::default() };
    let gaze = TaskRequest { goal: Vec3::new(0.0, 0.5, 3.0), ..gaze };
    actor.add(gaze);
    play(vec![actor], "a dog on rocks", "four paws on rocks that rise and sink; any rig", |actors, t| {
        let mut goals = Vec::new();
        let mut rocks = Vec::new();
        for (number, (paw, stand)) in paws.iter().zip(&standing).enumerate() {
            let rise = 0.07 + 0.07 * (t * TAU + 2.4 * number as f32).sin();
            let goal = *stand + Vec3::Y * rise;
            actors[0].set(names[number], TaskRequest { joint: *paw, goal, ..TaskRequest::default() });
            rocks.push(plate(goal - Vec3::Y * 0.01, Vec3::X * 0.05, Vec3::Z * 0.06));
            goals.push(goal);
        }
        (goals, rocks)
    })
}

fn ball() -> Exhibit {
    let mut actor = Actor::person(true);
    actor.plant_feet();
    actor.balance();
    let (hand, side) = (HumanBone::RightHand, -1.0);
    let tips: Vec<JointIndex> = {
        let skeleton = &actor.skeleton;
        let leaf = |joint: &JointIndex| skeleton.children(*joint).next().is_none();
        skeleton.subtree(actor.joint(hand)).filter(leaf).collect()
    };
    let touch: Vec<_> = tips
        .iter()
        .map(|tip| {
            actor.add(TaskRequest { kind: TaskKind::Distance, joint: *tip, distance: 0.1, ..TaskRequest::default() })
        })
        .collect();
    let joint = actor.joint(hand);
    let palm = actor.add(TaskRequest { joint, ..TaskRequest::default() });
    let down = actor.add(TaskRequest { kind: TaskKind::Axis, joint, level: 1, ..TaskRequest::default() });
    let chest = actor.lean(HumanBone::UpperChest);
    actor.keep(&OTHER_ARM);
    let eyes = actor.watch();
    play(vec![actor], "a hand on a ball", "the palm lies on it, every fingertip touches it", |actors, t| {
        let actor = &mut actors[0];
        let radius = 0.11;
        let centre = Vec3::new(-0.14 + 0.1 * (t * TAU).sin(), 1.0 + 0.08 * (t * TAU).cos(), 0.36);
        // Above and on the hand's side, as far as a forearm turns with ease.
        let out = Vec3::new(0.7 * side, 0.7, -0.15).normalize();
        for (name, tip) in touch.iter().zip(&tips) {
            let kind = TaskKind::Distance;
            actor.set(*name, TaskRequest { kind, joint: *tip, goal: centre, distance: radius, ..Default::default() });
        }
        let point_js = Vec3::new(0.06 * side, -0.02, 0.0);
        let goal = centre + out * radius;
        actor.set(palm, TaskRequest { joint, point_js, goal, ..TaskRequest::default() });
        let kind = TaskKind::Axis;
        let flat = TaskRequest { kind, joint, axis_js: Vec3::Y, direction: out, level: 1, ..Default::default() };
        actor.set(down, flat);
        actor.leans(chest, HumanBone::UpperChest, 0.1);
        actor.watches(eyes, centre);
        (Vec::new(), sphere(centre, radius))
    })
}

fn handshake() -> Exhibit {
    let mut actors = vec![Actor::person(false), Actor::person(false)];
    let turned = Transform::new(Vec3::new(0.0, 0.0, 0.95), axis_angle(Vec3::Y, PI));
    actors[1].body.set_root(turned).expect("an even scale");
    let names: Vec<_> = actors
        .iter_mut()
        .map(|actor| {
            actor.plant_feet();
            actor.balance();
            actor.keep(&OTHER_ARM);
            let joint = actor.joint(HumanBone::RightHand);
            let hand = actor.reach(HumanBone::RightHand);
            let along = actor.add(TaskRequest { kind: TaskKind::Axis, joint, ..TaskRequest::default() });
            let upright = actor.add(TaskRequest { kind: TaskKind::Axis, joint, ..TaskRequest::default() });
            (hand, along, upright, actor.watch())
        })
        .collect();
    play(actors, "shaking hands", "two bodies, one place for both palms; thumbs up", |actors, t| {
        let middle = Vec3::new(0.0, 1.02 + 0.05 * (t * TAU * 2.0).sin(), 0.475);
        for (number, actor) in actors.iter_mut().enumerate() {
            let forward = actor.body.root().rotation * Vec3::Z;
            let (hand, along, upright, eyes) = names[number];
            let joint = actor.joint(HumanBone::RightHand);
            // Palm to palm, each a little to its owner's right of the other.
            let right = actor.body.root().rotation * -Vec3::X;
            let point_js = Vec3::new(-0.08, 0.0, 0.0);
            let goal = middle + right * 0.012;
            actor.set(hand, TaskRequest { joint, point_js, goal, ..TaskRequest::default() });
            let kind = TaskKind::Axis;
            let axis_js = -Vec3::X;
            let direction = (forward + right * -0.25).normalize();
            actor.set(along, TaskRequest { kind, joint, axis_js, direction, ..TaskRequest::default() });
            // The thumb's side of the hand.
            let axis_js = Vec3::Z;
            actor.set(upright, TaskRequest { kind, joint, axis_js, direction: Vec3::Y, ..TaskRequest::default() });
            actor.watches(eyes, actor.body.root().position + forward * 0.95 + Vec3::Y * 1.62);
        }
        (vec![middle], Vec::new())
    })
}

fn hand_in_hand() -> Exhibit {
    const HANDS: [(HumanBone, f32); 2] = [(HumanBone::RightHand, -0.08), (HumanBone::LeftHand, 0.08)];
    let mut actors = vec![Actor::person(false), Actor::person(false)];
    let turned = Transform::new(Vec3::new(0.0, 0.0, 1.0), axis_angle(Vec3::Y, PI));
    actors[1].body.set_root(turned).expect("an even scale");
    let names: Vec<_> = actors
        .iter_mut()
        .map(|actor| {
            actor.plant_feet();
            actor.balance();
            let (eyes, hips) = (actor.watch(), actor.lower());
            let hands = HANDS.map(|(hand, palm)| {
                let (joint, point_js) = (actor.joint(hand), Vec3::X * palm);
                actor.add(TaskRequest { joint, point_js, ..TaskRequest::default() })
            });
            (hands, eyes, hips)
        })
        .collect();
    let stand = actors[0].bone_at(HumanBone::Hips);
    play(
        actors,
        "hand in hand",
        "two ties: palms meet where both people reach, while each of them sinks",
        |actors, t| {
            for (number, actor) in actors.iter_mut().enumerate() {
                let (_, eyes, hips) = names[number];
                let sinks = there_and_back((t + 0.5 * number as f32).fract());
                actor.lowers(hips, stand - Vec3::Y * (0.4 * sinks));
                let forward = actor.body.root().rotation * Vec3::Z;
                actor.watches(eyes, actor.body.root().position + forward + Vec3::Y * 1.2);
            }
            // The right hand of each takes the other's left.
            let end = |body: usize, hand: usize| TieEnd { body, task: names[body].0[hand] };
            let mut ties = [BodyTie::new(end(0, 0), end(1, 1)), BodyTie::new(end(0, 1), end(1, 0))];
            let mut bodies: Vec<_> = actors
                .iter_mut()
                .map(|actor| TiedBody { body: &mut actor.body, pose: &actor.animation, detail: BodyDetail::FULL })
                .collect();
            meet(&mut bodies[..], &mut ties, &MeetRule::default()).expect("two bodies");
            drop(bodies);
            let mut places = Vec::new();
            for (number, actor) in actors.iter_mut().enumerate() {
                for ((hand, palm), name) in HANDS.into_iter().zip(names[number].0) {
                    let AnyTask::Position(found) = &actor.body.task(name).expect("a task").demand.task else {
                        continue;
                    };
                    let (joint, point_js, goal) = (actor.joint(hand), Vec3::X * palm, found.goal);
                    actor.set(name, TaskRequest { joint, point_js, goal, ..TaskRequest::default() });
                    places.push(goal);
                }
            }
            (places, Vec::new())
        },
    )
}
