//! A whole body on a `Skeleton3D`: effectors as tasks, and the solve of one update.

use crate::attached::{Attached, Place};
use crate::avatar::DefinedAvatar;
use crate::body_effector::SinewBodyEffector;
use crate::body_rows::CallableRows;
use crate::bones::{BoneTable, Subset};
use crate::calls::{Mark, Rig};
use crate::constraint::bone;
use crate::convert::{is_rotation, quat, vec3};
use crate::detail::BodyPace;
use crate::display::Drawing;
use crate::limits::SinewSkeletonLimits;
use crate::property::{TargetPath, TargetPaths, placement_of, position_of};
use godot::classes::Node;
use godot::obj::Gd;
use sinew::body::{
    BodyDetail, BodyMode, BodySettings, BodyTaskName, BodyTie, Demand, Dragger, HostFunction, JointCoupling, MeetError,
    MeetOutcome, MeetRule, PlacedBody, PlacedDemand, TaskFrame, TaskKind, TaskRequest, TaskSide, TiedBodies, TiedBody,
    meet,
};
use sinew::ffi::mirror::RecordedBody;
use sinew::math::{Quat, Vec3, length, normalize_or};
use sinew::outcome::{Outcome, Status, weight01};
use sinew::skeleton::JointIndex;
use sinew::tasks::{AnyTask, HostResidual, SupportArea, Unit};
use std::sync::Arc;

/// What a body is made of.
#[derive(Debug)]
pub struct BodyParts<'a> {
    /// All bones of the skeleton.
    pub subset: Subset,
    /// An avatar of the subset's skeleton, for human masses and ranges.
    pub avatar: Option<DefinedAvatar>,
    /// The bone that carries the body; `None`: the first one without a parent.
    pub root: Option<i32>,
    /// Whether bones have the masses of a person.
    pub has_human_masses: bool,
    /// Whether bones keep to human ranges.
    pub has_human_ranges: bool,
    /// Masses given by name.
    pub masses: Vec<(String, f32)>,
    /// Bones that follow others.
    pub couplings: Vec<BoneCoupling>,
    /// Limits of joints.
    pub limits: Option<&'a Gd<SinewSkeletonLimits>>,
}

/// A bone that follows another, by name; see [`JointCoupling`].
#[derive(Clone, Debug)]
pub struct BoneCoupling {
    /// The bone.
    pub bone: String,
    /// The one that it follows.
    pub driver: String,
    /// Turn of the bone per turn of its driver.
    pub ratio: f32,
    /// The bone's axis, any length.
    pub axis: Vec3,
    /// The driver's axis, any length.
    pub driver_axis: Vec3,
    /// Turn of the bone where its driver has none, radians.
    pub offset_rad: f32,
}

/// One effector: its tasks, and where its goal comes from.
#[derive(Debug)]
struct Entry {
    effector: Gd<SinewBodyEffector>,
    /// Place in the node's list.
    number: usize,
    /// What does not change from update to update.
    shape: TaskRequest<'static>,
    /// What computes rows, and whether these are angles.
    compute: Option<(Arc<dyn HostResidual>, bool)>,
    /// The same, for its problems.
    rows: Option<Arc<CallableRows>>,
    target: TargetPath,
    corners: TargetPaths,
    task: Option<BodyTaskName>,
    /// The rotation of a position that has one.
    turn: Option<BodyTaskName>,
    /// Where it meets an effector of another body, in place of its own goal.
    meeting: Option<Meeting>,
}

/// A place where effectors meet, world space.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    position: Vec3,
    rotation: Quat,
    /// Whether a position is turned, too.
    turns: bool,
}

/// A body and its effectors.
#[derive(Debug)]
pub struct WholeBody {
    pub(crate) attached: Attached,
    pub(crate) body: PlacedBody,
    pub(crate) recorded: RecordedBody,
    pub(crate) dragger: Dragger,
    /// Its level of detail.
    pub pace: BodyPace,
    pub(crate) subset: Subset,
    entries: Vec<Entry>,
    /// What is wrong with effectors, one sentence each.
    pub problems: Vec<String>,
}

/// The result of one effector.
#[derive(Clone, Copy, Debug)]
pub struct EffectorOutcome {
    /// How it ended: the worse one of position and rotation.
    pub status: Status,
    /// What is left, metres.
    pub residual_m: f32,
    /// What is left, radians.
    pub residual_rad: f32,
}

/// What a goal is in an update; world space.
#[derive(Clone, Copy, Debug)]
struct Goal {
    position: Vec3,
    rotation: Quat,
    direction: Vec3,
}

impl WholeBody {
    /// A body with its masses and limits, and no effectors. `names` are all bones of the skeleton.
    pub fn new(parts: BodyParts<'_>, names: &[String]) -> Result<Self, String> {
        let BodyParts { subset, avatar, root, has_human_masses, has_human_ranges, masses, couplings, limits } = parts;
        let root = root.and_then(|root| subset.joint(root)).unwrap_or_default();
        let (avatar, definition) = avatar.unzip();
        let mut attached = Attached::new(&subset, avatar.clone())?.even();
        let mut body = PlacedBody::new(subset.skeleton.clone(), root).map_err(|error| error.to_string())?;
        let mut problems = SinewSkeletonLimits::apply(limits, &mut attached.animator, names);
        let mut table = attached.animator.limit_table().clone();
        table.enable_layer(has_human_ranges);
        body.set_limit_table(table);
        for (joint, center_js, share) in avatar.iter().filter(|_| has_human_masses).flat_map(|avatar| avatar.masses()) {
            body.set_mass(joint, share, center_js).map_err(|error| error.to_string())?;
        }
        for (name, mass) in masses {
            let Some(joint) = subset.skeleton.find_joint(&name) else {
                problems.push(format!("mass_bones: the skeleton has no bone \"{name}\"."));
                continue;
            };
            let child = subset.skeleton.children(joint).next();
            let center_js = child.map_or(Vec3::ZERO, |child| subset.skeleton.rest_local()[child].position * 0.5);
            if body.set_mass(joint, mass, center_js).is_err() {
                problems.push(format!("masses: that of \"{name}\" is {mass}, not 0 or more."));
            }
        }
        for BoneCoupling { bone, driver, ratio, axis, driver_axis, offset_rad } in couplings {
            let joint = |name: &str| subset.skeleton.find_joint(name);
            let (Some(joint), Some(driver)) = (joint(&bone), joint(&driver)) else {
                problems.push(format!("coupled_bones: the skeleton has no bone \"{bone}\", or no bone \"{driver}\"."));
                continue;
            };
            let (axis, driver_axis) = (normalize_or(axis, Vec3::Y), normalize_or(driver_axis, Vec3::Y));
            let coupling = JointCoupling { driver, driver_axis, axis, ratio, offset_rad };
            if let Err(error) = body.set_joint_coupling(joint, Some(coupling)) {
                problems.push(format!("coupled_bones: \"{bone}\": {error}."));
            }
        }
        let recorded = RecordedBody::new(definition);
        let (dragger, pace) = (Dragger::default(), BodyPace::new());
        Ok(Self { attached, body, recorded, dragger, pace, subset, entries: Vec::new(), problems })
    }

    /// Makes the tasks of the effectors anew at the next update.
    pub fn set_effectors(
        &mut self,
        table: &BoneTable,
        effectors: impl Iterator<Item = (usize, Gd<SinewBodyEffector>)>,
    ) {
        for entry in self.entries.drain(..) {
            for task in [entry.task, entry.turn].into_iter().flatten() {
                _ = self.body.remove_task(task);
                self.recorded.forget_task(task);
            }
        }
        self.problems.retain(|problem| !problem.starts_with("effectors"));
        for (number, effector) in effectors {
            match Entry::new(table, &self.subset, number, effector) {
                Ok(entry) => self.entries.push(entry),
                Err(problem) => self.problems.push(format!("effectors, entry {number}: {problem}")),
            }
        }
    }
    /// Looks for the effectors' nodes again.
    pub fn forget_targets(&mut self) {
        for entry in &mut self.entries {
            entry.target.forget();
            entry.corners.forget();
        }
    }
    /// Error texts for the effectors' targets.
    pub fn target_problems(&self, from: &Node) -> Vec<String> {
        let mut all = Vec::new();
        for Entry { number, target, corners, effector, meeting, rows, .. } in &self.entries {
            let problem = rows.as_ref().and_then(|rows| rows.problem());
            all.extend(problem.map(|problem| format!("effectors, entry {number}, compute: {problem}.")));
            if meeting.is_none() && effector.bind().lacks_goal() {
                all.push(format!(
                    "effectors, entry {number}: neither target nor goal_position is set: it has no effect \
                     (goal_at_origin makes the world's origin a goal)."
                ));
            }
            all.extend(target.problem(&format!("effectors, entry {number}, target"), None, from));
            for (corner, path) in corners.iter().enumerate() {
                let name = format!("effectors, entry {number}, corners, entry {corner},");
                all.extend(path.problem(&name, Some("take it out of the list"), from));
            }
        }
        all
    }

    /// Reads the pose, sets the goals, solves, and writes the pose.
    pub fn update(&mut self, rig: Rig, from: &Gd<Node>, settings: &Settings, delta_s: f32) -> Outcome {
        if !self.set(rig, from, settings) {
            return Outcome::INACTIVE;
        }
        let Self { attached, body, recorded, pace, .. } = self;
        let delta_s = if delta_s > 0.0 { delta_s.min(1e3) } else { 0.0 };
        let outcome = pace.update(&mut attached.animator, delta_s, |local, delta_s| {
            // A pose with a number that is not finite is not changed.
            let outcome = recorded.solve(body, local, delta_s).ok()?;
            let (residual_m, residual_rad) = (outcome.residual_m, outcome.residual_rad);
            Some(Outcome { status: outcome.status, iterations: outcome.iterations, residual_m, residual_rad })
        });
        let Some(outcome) = outcome else { return Outcome::INACTIVE };
        attached.write(rig);
        outcome
    }
    /// Reads the pose and sets settings and tasks. False where nothing can be solved.
    fn set(&mut self, rig: Rig, from: &Gd<Node>, settings: &Settings) -> bool {
        if !self.attached.read(rig, None) || self.body.set_root(*self.attached.animator.root()).is_err() {
            return false;
        }
        settings.apply(&mut self.body);
        let Self { attached, body, recorded, subset, entries, .. } = self;
        for entry in entries {
            entry.set((body, recorded), subset, &attached.place, from);
        }
        true
    }
    /// The body with the tasks of the node as it is now, for snapshots. `None` where nothing can be
    /// solved.
    pub fn ready(&mut self, rig: Rig, from: &Gd<Node>, settings: &Settings) -> Option<&mut PlacedBody> {
        self.set(rig, from, settings).then_some(&mut self.body)
    }
    /// Whether an effector of the node's list may be tied: whether it is an orientation, and
    /// whether it is a position that matches its goal's rotation.
    pub fn tied_kind(&self, number: usize) -> Option<(bool, bool)> {
        let entry = self.entries.iter().find(|entry| entry.number == number && !entry.shape.is_pinned)?;
        match entry.shape.kind {
            TaskKind::Position => Some((false, *entry.effector.bind().match_rotation)),
            TaskKind::Orientation => Some((true, false)),
            _ => None,
        }
    }
    /// Reads the pose and sets the tasks for [`meet_all`]; of the effectors that are tied, by
    /// number, whether they turn as well. False where that cannot be.
    pub fn prepare(&mut self, rig: Rig, from: &Gd<Node>, settings: &Settings, tied: &[(usize, bool)]) -> bool {
        let is_read = self.attached.read(rig, None) && !self.attached.place.is_sheared();
        if !is_read || self.body.set_root(*self.attached.animator.root()).is_err() {
            return false;
        }
        settings.apply(&mut self.body);
        let Self { attached, body, recorded, subset, entries, .. } = self;
        for entry in entries {
            let turns = tied.iter().filter(|(number, _)| *number == entry.number).map(|tied| tied.1).max();
            let place = |turns| Meeting { position: Vec3::ZERO, rotation: Quat::IDENTITY, turns };
            entry.meeting = turns.map(place);
            entry.set((body, recorded), subset, &attached.place, from);
        }
        true
    }
    /// The tasks of an effector that is tied.
    pub fn tied_tasks(&self, number: usize) -> Option<(BodyTaskName, Option<BodyTaskName>)> {
        let entry = self.entries.iter().find(|entry| entry.number == number)?;
        Some((entry.task?, entry.turn.filter(|_| entry.meeting.is_some_and(|meeting| meeting.turns))))
    }
    /// Distance in metres from the animated effector to the place where it meets another, once that
    /// was found; 0 for orientations.
    pub fn way_to_meeting(&self, number: usize) -> f32 {
        let entry = self.entries.iter().find(|entry| entry.number == number);
        let Some((entry, meeting)) = entry.and_then(|entry| Some((entry, entry.meeting?))) else { return 0.0 };
        if entry.shape.kind != TaskKind::Position {
            return 0.0;
        }
        let point = vec3(entry.effector.bind().point_offset);
        length(self.attached.animator.joint_ws(entry.shape.joint).point_out(point) - meeting.position)
    }
    /// Effectors reach for their own goals again.
    pub fn release_ties(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.meeting = None);
    }
    /// The places that were found count until they are released.
    fn keep_meetings(&mut self) {
        for Entry { meeting, task, turn, .. } in &mut self.entries {
            let Some(meeting) = meeting else { continue };
            for task in [*task, *turn].into_iter().flatten() {
                match self.body.task(task).map(|placed| &placed.demand.task) {
                    Ok(AnyTask::Position(task)) => meeting.position = task.goal,
                    Ok(AnyTask::Orientation(task)) => meeting.rotation = task.goal,
                    _ => {}
                }
            }
        }
    }

    /// Loads the animation's pose for the lines of an update that has solved nothing.
    pub fn look(&mut self, rig: Rig) {
        if self.attached.read(rig, None) && self.body.set_root(*self.attached.animator.root()).is_ok() {
            _ = self.body.look(self.attached.animator.pose().local());
        }
    }
    /// Forgets what track mode and the level of detail remember.
    pub fn reset(&mut self) {
        self.body.reset();
        self.pace.forget();
    }
    /// Debug lines, world space.
    pub fn draw(&self, drawing: &mut Drawing) {
        self.body.draw(&mut self.attached.place.sink(drawing));
    }

    /// How an effector of the node's list ended; `None` when it has no task.
    pub fn outcome(&self, number: usize) -> Option<EffectorOutcome> {
        let entry = self.entries.iter().find(|entry| entry.number == number)?;
        let mut all = EffectorOutcome { status: Status::Inactive, residual_m: 0.0, residual_rad: 0.0 };
        for task in [entry.task?].into_iter().chain(entry.turn) {
            let (outcome, unit) = self.body.task_outcome(task).ok()?;
            match unit {
                Unit::Length => all.residual_m = outcome.residual,
                Unit::Angle => all.residual_rad = outcome.residual,
            }
            if outcome.status as i32 > all.status as i32 {
                all.status = outcome.status;
            }
        }
        Some(all)
    }
    /// Godot's numbers of the bones that stand on a border of their limits: all, or those that an
    /// effector depends on.
    pub fn limited_bones(&self, number: Option<usize>) -> Vec<i32> {
        let entry = number.map(|number| self.entries.iter().find(|entry| entry.number == number));
        let name = match entry {
            None => None,
            Some(entry) => match entry.and_then(|entry| entry.task) {
                None => return Vec::new(),
                task => task,
            },
        };
        let mut bones = Vec::new();
        _ = self.body.limited_joints(name, |joint| bones.push(self.subset.bones[joint]));
        bones
    }
    /// The centre of mass in the last pose, world space.
    pub fn center_of_mass(&self) -> Option<Vec3> {
        self.body.center_of_mass_ws().map(|center| self.attached.place.point_out(center))
    }
}

/// Bodies that have been prepared.
struct Prepared<'a>(&'a mut [Box<WholeBody>]);

impl TiedBodies for Prepared<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn body(&mut self, number: usize) -> TiedBody<'_> {
        let WholeBody { body, attached, .. } = &mut *self.0[number];
        TiedBody { body, pose: attached.animator.pose().local(), detail: BodyDetail::FULL }
    }
}

/// Looks for the places of ties; the effectors reach for them until these are released.
pub fn meet_all(
    bodies: &mut [Box<WholeBody>],
    ties: &mut [BodyTie],
    rule: &MeetRule,
) -> Result<MeetOutcome, MeetError> {
    let outcome = meet(&mut Prepared(bodies), ties, rule)?;
    bodies.iter_mut().for_each(|body| body.keep_meetings());
    Ok(outcome)
}

/// What the node's properties say about the solve.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Numbers of the solver.
    pub numbers: BodySettings,
    /// Stateless, or from the last answer.
    pub mode: BodyMode,
    /// Whether the root moves and turns.
    pub floats: bool,
    /// Steps of work of one solve.
    pub max_work: u32,
}

impl Settings {
    /// Gives them to the body.
    pub(crate) fn apply(&self, body: &mut PlacedBody) {
        if *body.settings() != self.numbers {
            body.set_settings(self.numbers);
        }
        body.set_mode(self.mode);
        body.set_floating(self.floats);
        body.set_max_work(self.max_work);
    }
}

impl Entry {
    fn new(table: &BoneTable, subset: &Subset, number: usize, effector: Gd<SinewBodyEffector>) -> Result<Self, String> {
        let of = effector.bind();
        let kind = of.task_kind();
        let joint = |name: &str, what: &str| -> Result<JointIndex, String> {
            Ok(subset.joint(bone(table, name, what)?).unwrap_or_default())
        };
        let optional = |name: String, what: &str| -> Result<Option<JointIndex>, String> {
            if name.is_empty() { Ok(None) } else { joint(&name, what).map(Some) }
        };
        let main = if kind.needs_joint() { joint(&of.bone.to_string(), "Bone")? } else { 0 };
        let end = match optional(of.end_bone.to_string(), "End Bone")? {
            None if kind == TaskKind::Pole => subset.skeleton.children(main).next(),
            end => end,
        };
        let shape = TaskRequest {
            kind,
            joint: main,
            other: optional(of.other_bone.to_string(), "Other Bone")?,
            end,
            axes: [1, 2, 4].map(|axis| *of.axes & axis != 0),
            frame: match *of.frame {
                1 => TaskFrame::Model,
                2 => TaskFrame::Goal,
                3 => TaskFrame::Joint,
                _ => TaskFrame::World,
            },
            side: match *of.side {
                1 => TaskSide::Inside,
                2 => TaskSide::Outside,
                _ => TaskSide::On,
            },
            is_pinned: *of.pin && !matches!(kind, TaskKind::Support | TaskKind::Host),
            level: (*of.level).clamp(0, i32::from(Demand::MAX_LEVEL)) as u8,
            corners: &[Vec3::ZERO],
            ..TaskRequest::default()
        };
        let is_computed = kind == TaskKind::Host && of.compute.is_valid();
        let rows = is_computed.then(|| Arc::new(CallableRows::new((*of.compute).clone())));
        let compute = rows.clone().map(|rows| (rows as Arc<dyn HostResidual>, *of.computes_angles));
        // What the rest of an update may find wrong is found now.
        TaskRequest { host: host_function(&compute), ..shape }
            .placed(&subset.skeleton)
            .map_err(|error| format!("{error}."))?;
        let (target, corners) = (TargetPath::of((*of.target).clone()), TargetPaths::of((*of.corners).clone()));
        drop(of);
        Ok(Self { effector, number, shape, compute, rows, target, corners, task: None, turn: None, meeting: None })
    }

    fn set(
        &mut self,
        (body, recorded): (&mut PlacedBody, &mut RecordedBody),
        subset: &Subset,
        place: &Place,
        from: &Gd<Node>,
    ) {
        let mut corners = [Vec3::ZERO; SupportArea::MAX_CORNERS];
        let (request, match_rotation) = match self.request(place, from, &mut corners) {
            Some((request, match_rotation)) => (Some(request), match_rotation),
            None => (None, false),
        };
        let compute = self.compute.clone();
        let request = request.map(|request| TaskRequest { host: host_function(&compute), ..request });
        let turn = request.filter(|_| match_rotation).map(|r| TaskRequest { kind: TaskKind::Orientation, ..r });
        put((body, recorded), subset, &mut self.task, request);
        put((body, recorded), subset, &mut self.turn, turn);
    }

    /// The task in this update, in the body's world space; `None` when it is absent.
    fn request<'a>(
        &mut self,
        place: &Place,
        from: &Gd<Node>,
        corners: &'a mut [Vec3; SupportArea::MAX_CORNERS],
    ) -> Option<(TaskRequest<'a>, bool)> {
        let of = self.effector.bind();
        let blend = weight01(of.blend);
        // One that is tied has a task: what it is tied to follows it.
        if (blend <= 0.0 || of.lacks_goal()) && self.meeting.is_none() {
            return None;
        }
        let node = if self.target.is_set() && !self.shape.is_pinned && self.meeting.is_none() {
            let found = self.target.kept_a_while().or_else(|| self.target.find_again(from));
            self.target.keep(found);
            Some(found?)
        } else {
            None
        };
        let goal = match node {
            Some(node) => node_goal(node, self.shape.kind),
            None if let Some(Meeting { position, rotation, .. }) = self.meeting => {
                Goal { position, rotation, direction: Vec3::Y }
            }
            None => Goal {
                position: vec3(of.goal_position),
                rotation: quat(of.goal_rotation),
                direction: vec3(of.direction),
            },
        };
        let (point, other_point, axis) = (vec3(of.point_offset), vec3(of.other_point_offset), vec3(of.axis));
        let usable = [goal.position, goal.direction, point, other_point, axis].iter().all(|v| v.is_finite())
            && is_rotation(goal.rotation);
        if !usable {
            return None;
        }
        let mut corner_count = 0;
        if self.shape.kind == TaskKind::Support {
            for number in 0..self.corners.len() {
                let Some(corner) = self.corners.node(number, from).map(position_of) else { continue };
                *corners.get_mut(corner_count)? = place.point(corner);
                corner_count += 1;
            }
            for corner in of.corner_positions.as_slice().iter().filter(|_| self.corners.len() == 0) {
                *corners.get_mut(corner_count)? = place.point(vec3(*corner));
                corner_count += 1;
            }
            if !corners[..corner_count].iter().all(|corner| corner.is_finite()) {
                return None;
            }
        }
        let is_relative = matches!(self.shape.kind, TaskKind::RelativeOrientation | TaskKind::JointRotation);
        let rotation = if is_relative { goal.rotation.normalize() } else { place.rotation(goal.rotation.normalize()) };
        let is_normal = matches!(self.shape.kind, TaskKind::Plane | TaskKind::Support);
        let direction = if is_normal { place.normal(goal.direction) } else { place.direction(goal.direction) };
        let importance = if of.importance > 0.0 { of.importance.clamp(1e-6, 1e6) } else { 1e-6 };
        let request = TaskRequest {
            point_js: point,
            axis_js: normalize_or(axis, Vec3::Y),
            goal: place.point(goal.position),
            rotation,
            direction,
            other_point_js: other_point,
            distance: if of.distance > 0.0 { of.distance.min(1e6) } else { 0.0 },
            corners: &corners[..corner_count],
            blend,
            importance,
            ..self.shape
        };
        let matches = self.shape.kind == TaskKind::Position && *of.match_rotation;
        Some((request, self.meeting.map_or(matches, |meeting| meeting.turns)))
    }
}

fn host_function(compute: &Option<(Arc<dyn HostResidual>, bool)>) -> Option<HostFunction<'_>> {
    compute.as_ref().map(|(residual, in_radians)| HostFunction { residual, in_radians: *in_radians })
}

/// Sets, adds, or makes absent. A task that is absent stays, with blend 0: adding and removing is
/// not for every update.
fn put(
    (body, recorded): (&mut PlacedBody, &mut RecordedBody),
    subset: &Subset,
    task: &mut Option<BodyTaskName>,
    request: Option<TaskRequest<'_>>,
) {
    let placed = request.as_ref().and_then(|request| request.placed(&subset.skeleton).ok());
    let request = request.filter(|_| placed.is_some());
    match (*task, placed) {
        (Some(name), Some(placed)) => _ = body.set_task(name, placed),
        (None, Some(placed)) => *task = body.add_task(placed).ok(),
        (Some(name), None) => {
            if let Ok(PlacedDemand { demand, axes_in_model, pinned }) = body.task(name).cloned() {
                let demand = Demand { blend: 0.0, ..demand };
                _ = body.set_task(name, PlacedDemand { demand, axes_in_model, pinned });
            }
        }
        (None, None) => {}
    }
    if let (Some(name), Some(request)) = (*task, &request) {
        recorded.note_task(name, request);
    }
}

fn node_goal(node: Mark, kind: TaskKind) -> Goal {
    let (position, rotation) = placement_of(node);
    let along = if kind == TaskKind::Axis { -Vec3::Z } else { Vec3::Y };
    Goal { position, rotation, direction: rotation * along }
}
