//! `SinewTrackedBody`: a whole body from a headset, controllers and whatever else is worn.

use crate::argument;
use crate::attached::Attached;
use crate::avatar::{self, AvatarSource, Rigged};
use crate::bones::BoneTable;
use crate::calls::Rig;
use crate::constraint;
use crate::convert::{self, vec3};
use crate::display::{Display, Drawing, display_node};
use crate::property::{Setup, TargetPath, shared_revision, target_node};
use crate::tracker::{self, SinewTracker};
use crate::xr_body::{InputBody, OutputBody};
use godot::builtin::{
    AnyArray, Array, GString, PackedByteArray, PackedInt32Array, PackedStringArray, StringName, Transform3D, Variant,
    Vector3,
};
use godot::classes::{BoneMap, Engine, ISkeletonModifier3D, Node, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::global::godot_warn;
use godot::obj::{Base, Gd, Singleton, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::debug::{Line, Part, Sink};
use sinew::ffi::mirror::RecordedTrackedBody;
use sinew::math::Vec3;
use sinew::outcome::{Outcome, Status};
use sinew::trackers::{
    CalibrationError, CalibrationPose, MAX_PACKET_BYTES, ScalePolicy, TrackedBody, TrackedBodySettings, TrackedPart,
    TrackerCalibration, TrackerRole, TrackerSample,
};
use std::sync::Arc;

/// A whole body from three to 25 trackers: headset, controllers, and whatever else is worn.
///
/// Each entry of [member trackers] is a [SinewTracker] with a node (an XRController3D, an
/// XRCamera3D or any Node3D) or a name of the XRServer; an XRBodyTracker is read as a whole. The
/// pose of the body is replaced, fingers that are not tracked and the face stay as animated, as do,
/// by their weights, legs, arms and the bob of the hips; nodes further down (grounder, humanoid IK)
/// come after it. Give the skeleton the place of the XROrigin3D: tracking space is the space of the
/// skeleton's node.
///
/// The player stands in a T-pose for [method calibrate], facing anywhere. What is not tracked is
/// assumed from the rest; a tracker that is lost fades out. In the editor the animation is shown.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewTrackedBody {
    /// The trackers. Assign the array anew to make a change of the list count.
    #[export]
    pub trackers: Setup<Array<Option<Gd<SinewTracker>>>>,
    /// Name of an XRBodyTracker of the XRServer that is read as trackers, such as
    /// `/user/body_tracker`. Empty: none.
    #[export]
    pub body_tracker: StringName,
    /// The XROrigin3D, for trackers that are read from the XRServer. Empty: the skeleton's node.
    #[export]
    pub origin: TargetPath,
    /// Name under which the solved body is added to the XRServer, as an XRBodyTracker, for
    /// XRBodyModifier3D and others. Empty: none.
    #[export]
    pub output_tracker: StringName,
    /// The body of a remote player: comes from [method receive_packet], not from trackers here.
    #[export]
    pub remote: bool,
    /// Overrides the automatic bone map. Use a map with the profile [SkeletonProfileHumanoid].
    #[export]
    pub bone_map: Setup<Option<Gd<BoneMap>>>,

    /// The pose in which the player calibrates: arms level, or 45 degrees below.
    #[export_group(name = "Calibration")]
    #[export(enum = (T_Pose = 0, A_Pose = 1))]
    pub calibration_pose: i32,
    /// What of the player the avatar's size follows.
    #[export(enum = (Height = 0, Arm_Span = 1, Hips_Height = 2, Keep = 3))]
    pub size_policy: i32,
    /// Height of the floor over the skeleton's node, in its units.
    #[export(range = (-2.0, 2.0, 0.001, or_greater, or_less, suffix = "m"))]
    pub floor_height: f32,

    /// Cut-off frequency of the noise filter at rest, Hz; 0: no filter. 1 to 4 suit camera
    /// tracking.
    #[export_group(name = "Filter")]
    #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "Hz"))]
    pub min_cutoff: f32,
    /// What speed adds to it, Hz per m/s or rad/s; more lags less.
    #[export(range = (0.0, 50.0, 0.01, or_greater))]
    #[init(val = TrackedBodySettings::default().speed_cutoff)]
    pub speed_cutoff: f32,
    /// How far a late sample is extrapolated, seconds.
    #[export(range = (0.0, 0.5, 0.001, or_greater, suffix = "s"))]
    #[init(val = TrackedBodySettings::default().max_extrapolation_s)]
    pub max_extrapolation: f32,
    /// Age of a sample from which its tracker counts as lost, seconds.
    #[export(range = (0.01, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = TrackedBodySettings::default().lost_after_s)]
    pub lost_after: f32,
    /// Seconds in which a tracker that is lost fades out, and one that is found or returns fades
    /// in.
    #[export(range = (0.01, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = TrackedBodySettings::default().fade_time_s)]
    pub fade_time: f32,

    /// How firmly the head stays at its tracker where trackers are farther apart than the avatar is
    /// long, 0 to 1.
    #[export_group(name = "Body")]
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub head_lock: f32,
    /// The same for the hips; 0: they give way. With both at 1 the spine stretches.
    #[export(range = (0.0, 1.0, 0.001))]
    pub hips_lock: f32,
    /// Part of the trained tables in what is not tracked, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub prior_weight: f32,
    /// Part of the procedural steps of untracked feet, 0 to 1; 0: they glide.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub step_weight: f32,
    /// Distance of an untracked foot from where it belongs at which it steps, metres for an avatar
    /// of 1.7 m.
    #[export(range = (0.01, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = TrackedBodySettings::default().step_distance)]
    pub step_distance: f32,
    /// Duration of a step, seconds.
    #[export(range = (0.05, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = TrackedBodySettings::default().step_time_s)]
    pub step_time: f32,
    /// Height of a step, metres for an avatar of 1.7 m.
    #[export(range = (0.0, 0.5, 0.001, or_greater, suffix = "m"))]
    #[init(val = TrackedBodySettings::default().step_height)]
    pub step_height: f32,

    /// The left leg, 0 to 1; 0: its foot is where the animation has it over the floor below the
    /// tracked body, such as a locomotion clip's.
    #[export_group(name = "Animated Parts")]
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub left_leg_weight: f32,
    /// The same of the right leg.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub right_leg_weight: f32,
    /// 0 to 1; 0: the animation's bob, sway and tilt of the hips are added to the tracked hips.
    /// Head and hands stay.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub pelvis_weight: f32,
    /// The left arm, 0 to 1; 0: it has the animation's rotations on the tracked ribs.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub left_arm_weight: f32,
    /// The same of the right arm.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub right_arm_weight: f32,
    /// Fingers of the left hand that have trackers, 0 to 1; 0: the animation.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub left_fingers_weight: f32,
    /// The same of the right hand.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub right_fingers_weight: f32,

    /// How far a tracker may move and still count as at rest in a packet.
    #[export_group(name = "Network")]
    #[export(range = (0.0, 0.1, 0.0001, or_greater, suffix = "m"))]
    #[init(val = TrackedBodySettings::default().rest_distance)]
    pub rest_distance: f32,
    /// The same of its rotation, radians.
    #[export(range = (0.0, 5.0, 0.01, radians_as_degrees))]
    #[init(val = TrackedBodySettings::default().rest_angle)]
    pub rest_angle: f32,
    /// Least delay with which a remote player is shown, seconds.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
    pub min_delay: f32,
    /// Largest delay, seconds.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
    #[init(val = TrackedBodySettings::default().max_delay_s)]
    pub max_delay: f32,

    /// Draws a line from each tracker to its bone, in the game.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,

    pub(crate) solver: Option<Box<Solver>>,
    calibration: Option<TrackerCalibration>,
    sources: Vec<TargetPath>,
    input: InputBody,
    pub(crate) clock_s: f64,
    countdown_s: Option<f64>,
    skeleton_version: Option<u64>,
    revision: u64,
    pub(crate) problem: String,
    in_editor: bool,
    display: Display,
    pub(crate) base: Base<SkeletonModifier3D>,
}

/// The body on its skeleton.
pub(crate) struct Solver {
    attached: Attached,
    rigged: Arc<Rigged>,
    pub(crate) body: TrackedBody,
    recorded: RecordedTrackedBody,
    output: Option<OutputBody>,
    /// Places of the trackers of this update, world space.
    seen: Vec<(TrackerRole, Vec3)>,
}

#[godot_api]
impl ISkeletonModifier3D for SinewTrackedBody {
    fn process_modification_with_delta(&mut self, delta: f64) {
        let Some(rig) = Rig::of(&self.base) else { return };
        // In the editor, too: its warnings name the bones that are missing.
        self.set_up(rig);
        if !self.in_editor {
            self.advance(if delta > 0.0 { delta } else { 0.0 });
            if !rig.is_without_influence(&self.base) {
                self.solve(rig);
            }
        }
        if self.display.needs_update(self.debug_lines) {
            self.show();
        }
    }
    fn skeleton_changed(&mut self, _old: Option<Gd<Skeleton3D>>, _new: Option<Gd<Skeleton3D>>) {
        self.skeleton_version = None;
    }
    fn validate_bone_names(&mut self) {
        self.skeleton_version = None;
    }
    fn enter_tree(&mut self) {
        self.skeleton_version = None;
        self.in_editor = Engine::singleton().is_editor_hint();
        self.display.enter();
    }
    fn exit_tree(&mut self) {
        self.display.clear();
        if let Some(solver) = &mut self.solver {
            solver.output = None;
        }
    }
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        argument::set_list(&mut self.trackers, ["SinewTrackedBody", "trackers"], &property, &value)
    }
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        constraint::arrange(property, self.base().get_skeleton(), |_| false);
    }
    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_warnings()
    }
}

#[godot_api]
impl SinewTrackedBody {
    /// Emitted when the countdown of [method calibrate_after] has ended; `found`: what [method
    /// calibrate] would have returned.
    #[signal]
    pub fn calibration_ended(found: bool);

    /// The headset.
    #[constant]
    pub const ROLE_HEAD: i64 = 0;
    /// Left controller or hand.
    #[constant]
    pub const ROLE_LEFT_HAND: i64 = 1;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_HAND: i64 = 2;
    /// Belt or pelvis.
    #[constant]
    pub const ROLE_HIPS: i64 = 3;
    /// Strap around the ribs.
    #[constant]
    pub const ROLE_CHEST: i64 = 4;
    /// Left shoe.
    #[constant]
    pub const ROLE_LEFT_FOOT: i64 = 5;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_FOOT: i64 = 6;
    /// Above or below the left elbow.
    #[constant]
    pub const ROLE_LEFT_ELBOW: i64 = 7;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_ELBOW: i64 = 8;
    /// Above or below the left knee.
    #[constant]
    pub const ROLE_LEFT_KNEE: i64 = 9;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_KNEE: i64 = 10;
    /// Left upper arm near the shoulder.
    #[constant]
    pub const ROLE_LEFT_SHOULDER: i64 = 11;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_SHOULDER: i64 = 12;
    /// Left toes.
    #[constant]
    pub const ROLE_LEFT_TOES: i64 = 13;
    /// The right ones.
    #[constant]
    pub const ROLE_RIGHT_TOES: i64 = 14;
    /// Left thumb: its last joint.
    #[constant]
    pub const ROLE_LEFT_THUMB: i64 = 15;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_THUMB: i64 = 16;
    /// Left index finger: its last joint.
    #[constant]
    pub const ROLE_LEFT_INDEX: i64 = 17;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_INDEX: i64 = 18;
    /// Left middle finger: its last joint.
    #[constant]
    pub const ROLE_LEFT_MIDDLE: i64 = 19;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_MIDDLE: i64 = 20;
    /// Left ring finger: its last joint.
    #[constant]
    pub const ROLE_LEFT_RING: i64 = 21;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_RING: i64 = 22;
    /// Left little finger: its last joint.
    #[constant]
    pub const ROLE_LEFT_LITTLE: i64 = 23;
    /// The right one.
    #[constant]
    pub const ROLE_RIGHT_LITTLE: i64 = 24;

    /// Calibrates now: the player stands in [member calibration_pose], whichever way they face. May
    /// be called again at any time. `false`: there is no humanoid, no head tracker
    /// reports, or the head is below the floor.
    #[func]
    fn calibrate(&mut self) -> bool {
        self.countdown_s = None;
        let Some(rig) = Rig::of(&self.base) else { return false };
        self.set_up(rig);
        self.feed(rig);
        let pose = if self.calibration_pose == 1 { CalibrationPose::APose } else { CalibrationPose::TPose };
        let policy = match self.size_policy {
            1 => ScalePolicy::ArmSpan,
            2 => ScalePolicy::HipsHeight,
            3 => ScalePolicy::Keep,
            _ => ScalePolicy::Height,
        };
        let floor = self.floor();
        let Some(solver) = &mut self.solver else { return false };
        if let Err(error) = solver.body.calibrate(pose, policy, floor) {
            if error != CalibrationError::NoHead {
                godot_warn!("SinewTrackedBody.calibrate: floor {floor}: {error}");
            }
            return false;
        }
        self.calibration = Some(*solver.body.calibration());
        true
    }
    /// Calibrates in some seconds: time to take the pose after pressing a button. [signal
    /// calibration_ended] is emitted then.
    #[func]
    fn calibrate_after(&mut self, seconds: f64) {
        self.countdown_s = Some(if seconds > 0.0 { seconds } else { 0.0 });
    }
    /// Seconds until that calibration; -1: none.
    #[func]
    fn get_calibration_countdown(&self) -> f64 {
        self.countdown_s.unwrap_or(-1.0)
    }
    /// Whether a calibration was found or set.
    #[func]
    fn is_calibrated(&self) -> bool {
        self.calibration.is_some()
    }
    /// The calibration as JSON, to be saved or edited: scale, floor, the player's measures, and an
    /// offset per tracker.
    #[func]
    fn get_calibration_json(&self) -> GString {
        GString::from(&self.calibration.unwrap_or_default().to_json())
    }
    /// Sets a calibration from JSON. `false`, with nothing changed, for a text that is none.
    #[func]
    fn set_calibration_json(&mut self, text: GString) -> bool {
        let Ok(calibration) = TrackerCalibration::from_json(&text.to_string()) else { return false };
        self.calibration = Some(calibration);
        if let Some(solver) = &mut self.solver {
            solver.body.set_calibration(calibration);
        }
        true
    }
    /// Finds what unlabelled trackers are worn on, while the player stands in the T-pose: a ROLE
    /// for each position (world space), or -1 for a stray. Head and hands come from [member
    /// trackers].
    #[func]
    fn assign_trackers(&mut self, positions: AnyArray) -> PackedInt32Array {
        let Some(positions) = argument::entries::<Vector3>("SinewTrackedBody.assign_trackers", positions) else {
            return PackedInt32Array::new();
        };
        let mut out = vec![None; positions.len()];
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
            self.feed(rig);
            let back = rig.global_transform().affine_inverse();
            let places: Vec<Vec3> = positions.iter_shared().map(|p| vec3(back * p)).collect();
            let floor = self.floor();
            if let Some(solver) = self.solver.as_ref().filter(|_| places.iter().all(|p| p.is_finite())) {
                solver.body.assign(&places, floor, &mut out);
            }
        }
        out.into_iter().map(|role: Option<TrackerRole>| role.map_or(-1, |role| role as i32)).collect()
    }
    /// A sample of a tracker that is not in [member trackers], world space; call it in every frame.
    #[func]
    fn set_tracker(&mut self, role: i32, pose: Transform3D, confidence: f32) {
        let role = Self::role("SinewTrackedBody.set_tracker", role);
        let (Some(rig), Some(role)) = (Rig::of(&self.base), role) else { return };
        self.set_up(rig);
        let sample = tracker::sample(&pose, &rig.global_transform(), confidence);
        self.give(role, sample);
    }
    /// Part that a tracker has in the body, by its ROLE: 0 (lost) to 1.
    #[func]
    fn get_presence(&self, role: i32) -> f32 {
        let body = self.solver.as_ref().map(|solver| &solver.body);
        let role = Self::role("SinewTrackedBody.get_presence", role);
        role.zip(body).map_or(0.0, |(role, body)| body.presence(role))
    }
    /// How the last update ended for a tracker, by its ROLE: Inactive, Reached or Unreachable, with
    /// the numbers of the STATUS constants of other nodes.
    #[func]
    fn get_status(&self, role: i32) -> i32 {
        self.outcome("SinewTrackedBody.get_status", role).status as i32
    }
    /// Distance of a bone from where its tracker has it, metres.
    #[func]
    fn get_residual(&self, role: i32) -> f32 {
        self.outcome("SinewTrackedBody.get_residual", role).residual_m
    }
    /// Angle of a bone against its tracker, radians.
    #[func]
    fn get_residual_angle(&self, role: i32) -> f32 {
        self.outcome("SinewTrackedBody.get_residual_angle", role).residual_rad
    }
    /// Forgets steps and what lasts between frames: call it after a teleport or a cut.
    #[func]
    fn reset_tracking(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.body.reset();
        }
    }
    /// The trackers of the last update as a packet for the network: at most 200 bytes, at most 64
    /// while no more than four trackers move. The receiver needs the calibration, once.
    #[func]
    fn pack_trackers(&mut self) -> PackedByteArray {
        let mut bytes = [0; MAX_PACKET_BYTES];
        let size = self.solver.as_mut().map_or(0, |solver| solver.body.pack(&mut bytes));
        PackedByteArray::from(&bytes[..size])
    }
    /// Takes a packet of a remote player, in any order. `false`: it is none.
    #[func]
    fn receive_packet(&mut self, packet: PackedByteArray) -> bool {
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        let now = self.clock_s;
        self.solver.as_mut().is_some_and(|solver| solver.body.receive(packet.as_slice(), now))
    }
    /// How much later than the network would allow a remote player is shown, seconds.
    #[func]
    fn get_network_delay(&self) -> f32 {
        self.solver.as_ref().map_or(0.0, |solver| solver.body.network_delay_s())
    }
    /// What is missing for this node to work, one sentence each; the editor shows the same at the
    /// node.
    #[func]
    fn get_warnings(&self) -> PackedStringArray {
        self.warnings().into_iter().map(|w| GString::from(&w)).collect()
    }
    /// Repeats the set-up before the next update. Only needed after bones were moved at rest or
    /// given other parents by a script.
    #[func]
    fn refresh(&mut self) {
        self.skeleton_version = None;
    }
}

display_node!(SinewTrackedBody);

impl SinewTrackedBody {
    fn role(call: &str, role: i32) -> Option<TrackerRole> {
        argument::one_of(call, "role", role, &TrackerRole::ALL)
    }
    fn outcome(&self, call: &str, role: i32) -> Outcome {
        let body = self.solver.as_ref().map(|solver| &solver.body);
        Self::role(call, role).zip(body).map_or(Outcome::INACTIVE, |(role, body)| body.outcome(role))
    }
    fn floor(&self) -> f32 {
        if self.floor_height.is_finite() { self.floor_height } else { 0.0 }
    }

    pub(crate) fn set_up(&mut self, rig: Rig) {
        let listed = self.trackers.take_changed();
        let revised = core::mem::replace(&mut self.revision, shared_revision()) != self.revision;
        if listed || revised {
            let path = |entry: Option<Gd<SinewTracker>>| {
                entry.map_or_else(TargetPath::default, |entry| TargetPath::of((*entry.bind().source).clone()))
            };
            self.sources = self.trackers.iter_shared().map(path).collect();
        }
        let version = Some(rig.version());
        if !self.bone_map.take_changed() && version == self.skeleton_version {
            return;
        }
        self.skeleton_version = version;
        avatar::watch(self.bone_map.as_ref(), &self.to_gd().upcast());
        let given = avatar::given_names(self.bone_map.as_ref());
        let source = AvatarSource { given, with_fingers: true, ..AvatarSource::of(BoneTable::read(&rig.to_gd())) };
        let made = avatar::rigged(&source).and_then(|rigged| {
            let attached = Attached::new(&rigged.subset, Some(rigged.avatar.clone()))?;
            let mut body = TrackedBody::new(rigged.avatar.clone(), TrackedBodySettings::default());
            if let Some(calibration) = self.calibration {
                body.set_calibration(calibration);
            }
            let recorded = RecordedTrackedBody::new(rigged.definition.clone());
            Ok(Box::new(Solver { attached, rigged, body, recorded, output: None, seen: Vec::with_capacity(32) }))
        });
        (self.solver, self.problem) = match made {
            Ok(solver) => (Some(solver), String::new()),
            Err(problem) => (None, problem),
        };
    }

    fn advance(&mut self, delta_s: f64) {
        self.clock_s += delta_s;
        if let Some(left) = self.countdown_s {
            self.countdown_s = Some(left - delta_s);
            if left <= delta_s {
                let found = self.calibrate();
                self.signals().calibration_ended().emit(found);
            }
        }
    }

    fn give(&mut self, role: TrackerRole, sample: TrackerSample) {
        let time_s = self.clock_s;
        if let Some(solver) = self.solver.as_mut().filter(|_| sample.position.is_some() || sample.rotation.is_some()) {
            solver.body.set_tracker(role, &TrackerSample { time_s, ..sample });
        }
    }

    /// Reads all trackers.
    fn feed(&mut self, rig: Rig) {
        let skeleton_ws = rig.global_transform();
        let origin_ws = match target_node!(self.origin) {
            Some(node) => node.global_transform(),
            None => skeleton_ws,
        };
        if let Some(solver) = &mut self.solver {
            solver.seen.clear();
        }
        let from = self.to_gd().upcast::<Node>();
        let mut sources = core::mem::take(&mut self.sources);
        for (entry, source) in self.trackers.iter_shared().zip(&mut sources).collect::<Vec<_>>() {
            let Some(entry) = entry else { continue };
            let entry = entry.bind();
            let Some((pose_ws, confidence)) = entry.read(source, &from, &origin_ws) else { continue };
            let sample = entry.counted(tracker::sample(&pose_ws, &skeleton_ws, confidence));
            let Some((role, sample)) = tracker::role(entry.role).zip(sample) else { continue };
            drop(entry);
            self.give(role, sample);
            if let Some(solver) = &mut self.solver {
                solver.seen.push((role, vec3(pose_ws.origin)));
            }
        }
        self.sources = sources;
        if !self.body_tracker.is_empty() {
            let (name, mut input) = (self.body_tracker.clone(), core::mem::take(&mut self.input));
            input.read(&name, &origin_ws, &skeleton_ws, |role, sample| self.give(role, sample));
            self.input = input;
        }
    }

    fn solve(&mut self, rig: Rig) {
        if self.solver.is_none() {
            return;
        }
        if !self.remote {
            self.feed(rig);
        }
        let settings = self.settings();
        let weights = self.part_weights();
        let (clock_s, remote) = (self.clock_s, self.remote);
        let output = self.output_tracker.clone();
        let Some(solver) = &mut self.solver else { return };
        if !solver.attached.read(rig, None) {
            return;
        }
        let (body, recorded) = (&mut solver.body, &mut solver.recorded);
        if *body.settings() != settings {
            body.set_settings(settings);
        }
        for (part, weight) in TrackedPart::ALL.into_iter().zip(weights) {
            body.set_part_weight(part, weight);
        }
        let skeleton_ws = rig.global_transform();
        if remote {
            if !recorded.update_remote(body, clock_s) {
                return;
            }
        } else {
            // Metres of the avatar: units of the skeleton.
            let size = sinew::math::length(vec3(skeleton_ws.basis.col_b())).max(1e-6);
            let rotation = convert::rotation(&skeleton_ws.basis);
            body.set_origin(vec3(skeleton_ws.origin) / size, rotation);
            recorded.update(body, clock_s);
        }
        if body.pose().iter().all(|t| t.is_finite())
            && recorded.apply(body, solver.attached.animator.pose_mut().local_mut())
        {
            solver.attached.write(rig);
        }
        if output.is_empty() {
            solver.output = None;
            return;
        }
        if solver.output.as_ref().is_none_or(|there| *there.name() != output) {
            solver.output = OutputBody::new(&output, &solver.rigged);
        }
        if let Some(there) = &mut solver.output {
            there.write(&solver.attached.animator, &skeleton_ws);
        }
    }

    /// In the order of [`TrackedPart::ALL`].
    fn part_weights(&self) -> [f32; TrackedPart::COUNT] {
        [
            self.left_arm_weight,
            self.right_arm_weight,
            self.left_leg_weight,
            self.right_leg_weight,
            self.pelvis_weight,
            self.left_fingers_weight,
            self.right_fingers_weight,
        ]
    }
    fn settings(&self) -> TrackedBodySettings {
        let from_0 = |value: f32| if value > 0.0 { value.min(1e6) } else { 0.0 };
        let some = |value: f32| if value > 0.01 { value.min(1e6) } else { 0.01 };
        let part = |value: f32| from_0(value).min(1.0);
        TrackedBodySettings {
            min_cutoff_hz: from_0(self.min_cutoff),
            speed_cutoff: from_0(self.speed_cutoff),
            max_extrapolation_s: from_0(self.max_extrapolation),
            lost_after_s: some(self.lost_after),
            fade_time_s: some(self.fade_time),
            head_lock: part(self.head_lock),
            hips_lock: part(self.hips_lock),
            prior_weight: part(self.prior_weight),
            step_weight: part(self.step_weight),
            step_distance: some(self.step_distance),
            step_time_s: some(self.step_time),
            step_height: from_0(self.step_height),
            rest_distance: from_0(self.rest_distance),
            rest_angle: from_0(self.rest_angle),
            min_delay_s: from_0(self.min_delay),
            max_delay_s: from_0(self.max_delay),
        }
    }

    fn warnings(&self) -> Vec<String> {
        let mut all: Vec<String> = constraint::place_problem(self.base().get_skeleton()).into_iter().collect();
        if self.trackers.is_empty() && self.body_tracker.is_empty() && !self.remote {
            all.push("trackers is empty: nothing moves the body.".to_string());
        }
        if !self.problem.is_empty() {
            all.push(self.problem.clone());
        }
        let from: &Node3D = &self.base();
        for (number, source) in self.sources.iter().enumerate() {
            all.extend(source.problem(&format!("source of tracker {number}"), None, from));
        }
        all
    }

    /// From each tracker to its bone.
    fn draw(&mut self, drawing: &mut Drawing) {
        let Some(solver) = &self.solver else { return };
        for (role, from_ws) in &solver.seen {
            let Some(joint) = solver.rigged.avatar.joint(role.bone()) else { continue };
            let place = &solver.attached.place;
            let to_ws = place.point_out(solver.attached.animator.joint_ws(joint).position);
            let met = solver.body.outcome(*role).status == Status::Reached;
            drawing.line(Line { from_ws: *from_ws, to_ws, part: if met { Part::GoalAxis } else { Part::Residual } });
        }
    }
}
