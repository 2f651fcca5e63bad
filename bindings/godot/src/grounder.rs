//! `SinewGrounder`: feet on the ground that is really there.

use crate::argument;
use crate::calls::Rig;
use crate::constraint;
use crate::convert::{vec3, vector3};
use crate::display::{Display, Drawing, display_node};
use crate::ground_cast::{Filter, GroundCaster, own_bodies};
use crate::ground_rig::GroundRig;
use crate::ground_time::{FrameClock, FrameKind, Moment, RootTrack};
use crate::property::{Layers, Setup, TargetPath};
use godot::builtin::{
    GString, PackedFloat32Array, PackedInt32Array, PackedStringArray, PackedVector3Array, Transform3D, Vector3,
};
use godot::classes::skeleton_3d::ModifierCallbackModeProcess;
use godot::classes::{Engine, ISkeletonModifier3D, Node, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, Singleton, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::ffi::mirror::RecordedGrounder;
use sinew::grounding::{
    Contact, ContactRule, Grounded, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, LegResult, Query,
    contacts_from_clip,
};
use sinew::math::{Vec3, float, normalize_or};

/// Puts the feet of a character on the ground that is really there: stairs, slopes, rocks, moving
/// platforms; two legs or any number.
///
/// With a humanoid nothing has to be set up. The skeleton's own node is the plane that the
/// animation walks on: it stands where the character controller puts it, and its Y axis is up, so
/// walls and planets work too. Standing feet are locked to the surface, moving platforms included;
/// swinging feet clear the edges of steps; the pelvis sinks as far as the legs need. A foot in the
/// air over flat ground is the animation, bit for bit.
///
/// Queries go to the physics world's direct space state, at most [member quality] a foot. Collision
/// objects above the skeleton, and those below the topmost of these, are no ground; see [member
/// character_root]. Where physics runs on a thread of its own, set the skeleton's modifier callback
/// to Physics. In the editor the animation is shown as it is: no physics runs there.
///
/// Lengths and speeds are for a leg of 0.85 m from hip to ankle. All are multiplied by the
/// character's scale: the length of its longest leg at rest in the world over 0.85 m, times [member
/// character_scale].
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewGrounder {
    /// Whether the character stands on ground: found from the ground below its feet (Auto), yes, or
    /// no: it jumps, falls or swims, and everything fades out.
    #[export(enum = (Auto = 0, Yes = 1, No = 2))]
    pub grounded: i32,

    /// The last bone of each leg: ankle, hoof, tip. Empty: the legs of the humanoid.
    #[export_group(name = "Legs")]
    #[export]
    pub feet: Setup<PackedStringArray>,
    /// The root of the toes of each foot, in the order of [member feet]; empty texts, and none at
    /// all, for feet without toes. Humanoids have theirs.
    #[export]
    pub toes: Setup<PackedStringArray>,
    /// The bone that moves for all legs. Empty: the hips of the humanoid, or the nearest bone above
    /// all legs.
    #[export]
    pub pelvis_bone: Setup<GString>,
    /// Factor on all lengths and speeds, beside that for the length of the legs in the world.
    /// Skeletons that are scaled, other sizes and other units need none; legs that are long or
    /// short for the body may.
    #[export(range = (0.0001, 10.0, 0.0001, or_greater))]
    #[init(val = 1.0)]
    pub character_scale: f32,
    /// Height of the toes' joint (of the last bone, for feet without toes) over the ground when the
    /// foot stands flat, metres. Negative: from the rest pose.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = Setup::new(-1.0))]
    pub ball_height: Setup<f32>,
    /// Height of the ankle likewise.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = Setup::new(-1.0))]
    pub ankle_height: Setup<f32>,
    /// How far the sole reaches beyond the toes' joint, metres, 0 or more. Negative (default): 0.55
    /// of the way from ankle to toes at rest. Not read for feet without toes.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = Setup::new(-1.0))]
    pub toe_length: Setup<f32>,
    /// How far the sole reaches behind the ankle, metres, 0 or more. Negative (default): 0.3 of
    /// that way.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = Setup::new(-1.0))]
    pub heel_length: Setup<f32>,
    /// Weight of each leg, 0 to 1, in the order left, right, or of [member feet]. Missing ones
    /// count as 1.
    #[export]
    pub leg_weights: PackedFloat32Array,
    /// Whether each foot stands: 0, found from its height and speed; 1, planted; 2, in the air; an
    /// animation's track may set it. Missing ones count as 0.
    #[export]
    pub leg_contacts: PackedInt32Array,
    /// Seconds until each swinging foot lands, 0 or more, where the animation knows it; an
    /// animation's track may set it. Negative and missing ones are not known: then the landing is
    /// expected as the last ones were.
    #[export]
    pub leg_landing_times: PackedFloat32Array,
    /// With [member leg_landing_times]: the place of the animated toes (of the last bone, for feet
    /// without toes) when the foot lands, relative to the skeleton's node as it is then, in its
    /// space. Missing ones are not known.
    #[export]
    pub leg_landing_positions: PackedVector3Array,

    /// Physics layers that count as ground.
    #[export_group(name = "Ground")]
    #[export(flags_3d_physics)]
    #[init(val = Layers(1))]
    pub collision_mask: Layers,
    /// The node that is the character: collision objects at it and below it are no ground. Empty:
    /// the topmost collision object above the skeleton. Set it where a character is below a body
    /// that it walks on, such as a ship.
    #[export(node_path = ("Node3D"))]
    pub character_root: Setup<TargetPath>,
    /// Queries a foot and frame. One: smooth ground only. Three: the edges of steps are found late.
    /// Five: within a few frames.
    #[export(enum = (One = 1, Three = 3, Five = 5))]
    #[init(val = 5)]
    pub quality: i32,
    /// Radius of the swept sphere of each query, metres; 0: rays.
    #[export(range = (0.0, 0.2, 0.001, or_greater, suffix = "m"))]
    pub query_radius: f32,
    /// Steepest ground that a foot is put on, radians; a steeper hit is no ground.
    #[export(range = (0.0, 78.0, 0.1, radians_as_degrees))]
    #[init(val = 1.047)]
    pub max_slope: f32,
    /// Height above the character's own plane up to which ground is stepped on, metres.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.5)]
    pub max_step_up: f32,
    /// Depth below it likewise.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.6)]
    pub max_step_down: f32,

    /// How much the feet follow the slope, 0 to 1.
    #[export_group(name = "Feet")]
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub foot_tilt: f32,
    /// Most they do, radians.
    #[export(range = (0.0, 90.0, 0.1, radians_as_degrees))]
    #[init(val = 0.7)]
    pub max_foot_tilt: f32,
    /// Furthest a foot is moved off the edge of a step, metres; 0: never.
    #[export(range = (0.0, 0.5, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.12)]
    pub foothold_shift: f32,
    /// Height kept over edges, metres.
    #[export(range = (0.0, 0.2, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.02)]
    pub swing_clearance: f32,
    /// Speed below which a low foot is planted, metres per second.
    #[export(range = (0.01, 3.0, 0.01, or_greater, suffix = "m/s"))]
    #[init(val = 0.45)]
    pub plant_speed: f32,
    /// Speed above which a planted foot is released; not below [member plant_speed].
    #[export(range = (0.01, 3.0, 0.01, or_greater, suffix = "m/s"))]
    #[init(val = 0.75)]
    pub release_speed: f32,
    /// Height of the animated toes over their standing height below which a slow foot is planted,
    /// metres.
    #[export(range = (0.0, 0.5, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.055)]
    pub plant_height: f32,
    /// Height above which it is released, metres; not below [member plant_height].
    #[export(range = (0.0, 0.5, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.1)]
    pub release_height: f32,
    /// Level distance between a lock and the animated toes at which the lock is given up, metres.
    #[export(range = (0.001, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.25)]
    pub release_distance: f32,
    /// Turn of the surface against the character since the plant at which the lock is given up,
    /// radians.
    #[export(range = (1.0, 180.0, 0.1, radians_as_degrees))]
    #[init(val = 1.0)]
    pub release_twist: f32,
    /// How far a leg may be too short for its lock before the lock is given up, metres.
    #[export(range = (0.001, 0.5, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.07)]
    pub release_stretch: f32,
    /// Duration in which a foot comes to rest when planted, seconds.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
    #[init(val = 0.05)]
    pub plant_time: f32,
    /// Duration in which a released foot goes over into the animation's way, seconds.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
    #[init(val = 0.15)]
    pub release_time: f32,
    /// Duration that a swing is expected to take before one was seen, seconds.
    #[export(range = (0.01, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = 0.4)]
    pub swing_time: f32,
    /// Half-life of the feet's turn to the ground, seconds.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
    #[init(val = 0.05)]
    pub tilt_time: f32,
    /// Part of the leg's length at which straightening slows down, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.98)]
    pub soft_extension: f32,
    /// Part of the leg's length that is never exceeded, but where the animation does, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.995)]
    pub max_extension: f32,
    /// How much heels lift before the pelvis gives way, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.9)]
    pub heel_lift: f32,

    /// How much the pelvis follows the mean height of the ground under the feet, 0 to 1.
    #[export_group(name = "Body")]
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.5)]
    pub pelvis_follow: f32,
    /// Duration of nine tenths of a rise of the pelvis, seconds.
    #[export(range = (0.01, 3.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = 0.6)]
    pub pelvis_rise_time: f32,
    /// Duration of nine tenths of its fall, seconds.
    #[export(range = (0.01, 3.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = 0.35)]
    pub pelvis_fall_time: f32,
    /// Furthest the pelvis moves, metres.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.5)]
    pub max_pelvis_offset: f32,
    /// How much the body tilts with the ground under three feet or more, 0 to 1. Negative: 0 for
    /// two legs, 0.8 for more.
    #[export(range = (-1.0, 1.0, 0.001))]
    #[init(val = -1.0)]
    pub body_tilt: f32,
    /// Furthest the body tilts, radians.
    #[export(range = (0.0, 90.0, 0.1, radians_as_degrees))]
    #[init(val = 0.6)]
    pub max_body_tilt: f32,
    /// Height of the character over all ground that counts as being in the air, metres.
    #[export(range = (0.0, 2.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.35)]
    pub airborne_height: f32,
    /// Duration in which everything fades out in the air, and back in before landing, seconds.
    #[export(range = (0.01, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = 0.2)]
    pub airborne_time: f32,

    /// Feet step by themselves, for feet without animation: spiders, cranes, VR bodies. The pose is
    /// then where the feet belong: each stays where it stands until it is too far from its place in
    /// the pose, turned against it, out of reach, or needed for balance. Neighbours around the body
    /// never swing at the same time.
    #[export_group(name = "Stepping")]
    #[export]
    pub stepping: bool,
    /// Legs of one group at a time, alternating around the body (a biped's walk, a trot, a tripod);
    /// one leg at a time; or any leg.
    #[export(enum = (Groups = 0, Wave = 1, Free = 2))]
    pub gait: i32,
    /// Group of each leg, 0 or more, in the order of [member feet]: legs of one group swing
    /// together, groups take turns. Empty (default): alternating around the body. Another count
    /// than the legs' is refused with a warning. Changing it starts the steps anew.
    #[export]
    pub stepping_groups: Setup<PackedInt32Array>,
    /// Distance of a foot from its place in the pose at which it steps, metres; less while the body
    /// stands.
    #[export(range = (0.01, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.18)]
    pub trigger_distance: f32,
    /// Turn of a foot against its place in the pose at which it steps, radians.
    #[export(range = (1.0, 180.0, 0.1, radians_as_degrees))]
    #[init(val = 0.6)]
    pub trigger_angle: f32,
    /// How far the pelvis may be outside the area of the standing feet, metres.
    #[export(range = (0.01, 1.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.12)]
    pub trigger_balance: f32,
    /// How far beyond its place a foot lands while the body moves, as a part of [member
    /// trigger_distance], 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.8)]
    pub step_lead: f32,
    /// Duration of a step, seconds; fast bodies step in less.
    #[export(range = (0.05, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = 0.3)]
    pub step_time: f32,
    /// Height of a step over flat ground, metres.
    #[export(range = (0.0, 0.5, 0.001, or_greater, suffix = "m"))]
    #[init(val = 0.08)]
    pub step_height: f32,

    /// Draws queries (green where they met ground, red where not), contacts, landings and the
    /// displacement of the pelvis, in the game.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// Displacement of the pelvis in the last update, world space, metres. A controller's capsule
    /// may follow it.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub body_offset: Vector3,
    /// Unit normal of the ground under the feet, world space.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    #[init(val = Vector3::UP)]
    pub ground_normal: Vector3,
    /// Part of the correction in force: 1 on the ground, 0 in the air.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub presence: f32,
    /// Number of queries of the last update.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub query_count: i32,

    pub(crate) solver: Option<Box<Solver>>,
    skeleton_version: Option<u64>,
    revision: u64,
    pub(crate) problem: String,
    group_problem: String,
    size_problems: Vec<String>,
    clock: FrameClock,
    pub(crate) root: Option<RootTrack>,
    /// Process and physics frames at the last update, and the root then.
    pub(crate) last: Option<([u64; 2], Transform3D)>,
    in_editor: bool,
    display: Display,
    pub(crate) base: Base<SkeletonModifier3D>,
}

/// The legs of the skeleton with their grounder.
pub(crate) struct Solver {
    rig: GroundRig,
    pub(crate) grounder: Grounder,
    recorded: RecordedGrounder,
    pub(crate) caster: GroundCaster,
    poses: Vec<LegPose>,
    hits: Vec<Hit>,
    /// Whether each foot was planted in the last update.
    pub(crate) planted: Vec<bool>,
    /// Stepping group of each leg; empty: alternating around the body.
    pub(crate) groups: Vec<u32>,
}

impl Solver {
    /// Measures the feet.
    fn set_feet(&mut self) {
        for (leg, foot) in self.rig.feet().into_iter().enumerate() {
            self.grounder.set_foot(leg, foot);
        }
    }
}

#[godot_api]
impl ISkeletonModifier3D for SinewGrounder {
    fn process_modification_with_delta(&mut self, delta: f64) {
        let Some(rig) = Rig::of(&self.base) else { return };
        if self.in_editor || rig.is_without_influence(&self.base) {
            if self.in_editor {
                // Its warnings name the bones that are missing.
                self.set_up(rig);
            }
            self.rest();
        } else {
            self.set_up(rig);
            self.solve(rig, delta as f32);
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
        self.revision += 1;
        self.in_editor = Engine::singleton().is_editor_hint();
        self.display.enter();
    }
    fn exit_tree(&mut self) {
        self.display.clear();
    }
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        constraint::arrange(property, self.base().get_skeleton(), |_| false);
    }
    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_warnings()
    }
}

#[godot_api]
impl SinewGrounder {
    /// Emitted when a foot is locked to the ground; a time for its sound.
    #[signal]
    pub fn foot_planted(leg: i32);
    /// Emitted when a foot is released.
    #[signal]
    pub fn foot_released(leg: i32);

    /// Legs of one group at a time.
    #[constant]
    pub const GAIT_GROUPS: i64 = 0;
    /// One leg at a time.
    #[constant]
    pub const GAIT_WAVE: i64 = 1;
    /// Any leg, but no neighbours together.
    #[constant]
    pub const GAIT_FREE: i64 = 2;
    /// Found from the ground below the feet.
    #[constant]
    pub const GROUNDED_AUTO: i64 = 0;
    /// The character stands on ground.
    #[constant]
    pub const GROUNDED_YES: i64 = 1;
    /// It jumps, falls or swims.
    #[constant]
    pub const GROUNDED_NO: i64 = 2;
    /// Contact found from the foot's height and speed.
    #[constant]
    pub const CONTACT_AUTO: i64 = 0;
    /// The foot stands.
    #[constant]
    pub const CONTACT_PLANTED: i64 = 1;
    /// The foot is in the air.
    #[constant]
    pub const CONTACT_SWING: i64 = 2;

    /// Number of legs; 0 before the first update.
    #[func]
    fn get_leg_count(&self) -> i32 {
        self.solver.as_ref().map_or(0, |solver| solver.rig.leg_count() as i32)
    }
    /// Whether a foot is locked to the ground.
    #[func]
    fn is_foot_planted(&self, leg: i32) -> bool {
        self.result("SinewGrounder.is_foot_planted", leg).is_some_and(|leg| leg.planted)
    }
    /// The contact point of a foot after the last update, world space: the toes' joint, or the last
    /// bone of feet without toes.
    #[func]
    fn get_foot_position(&self, leg: i32) -> Vector3 {
        self.result("SinewGrounder.get_foot_position", leg).map_or(Vector3::ZERO, |leg| vector3(leg.ball_ws))
    }
    /// Where a swinging foot is expected to land, world space, at the height of the animated foot.
    #[func]
    fn get_landing_position(&self, leg: i32) -> Vector3 {
        self.result("SinewGrounder.get_landing_position", leg).map_or(Vector3::ZERO, |leg| vector3(leg.landing_ws))
    }
    /// Seconds until a swinging foot lands, as far as is known; 0 for a planted one.
    #[func]
    fn get_time_to_landing(&self, leg: i32) -> f32 {
        self.result("SinewGrounder.get_time_to_landing", leg).map_or(0.0, |leg| leg.time_to_landing_s)
    }
    /// In which frames of a clip on flat ground a foot stands, from the track of its toes in the
    /// space of the clip: pairs of the first frame, and the one after the last. For a track that
    /// sets [member leg_contacts]. Once per clip, not per frame.
    ///
    /// [param frame_time]: seconds per frame, above 0. [param up]: normal of the ground. Standing
    /// is below [param speed], metres per second, and below [param height] over the track's own
    /// low, metres. Stances shorter than [param least_time] are dropped, and gaps up to [param
    /// closed_gap] closed, seconds. Empty for fewer than three frames.
    #[func]
    fn contacts_from_clip(
        track: PackedVector3Array,
        frame_time: f32,
        #[opt(default = Vector3::UP)] up: Vector3,
        #[opt(default = 0.35)] speed: f32,
        #[opt(default = 0.045)] height: f32,
        #[opt(default = 0.07)] least_time: f32,
        #[opt(default = 0.035)] closed_gap: f32,
    ) -> PackedInt32Array {
        let places: Vec<Vec3> = track.as_slice().iter().map(|place| vec3(*place)).collect();
        let rule = ContactRule { speed, height, least_time_s: least_time, closed_gap_s: closed_gap };
        let up = normalize_or(vec3(up), Vec3::Y);
        let found = contacts_from_clip(&places, frame_time, up, &rule);
        found.into_iter().flat_map(|stance| [stance.start as i32, stance.end as i32]).collect()
    }
    /// Forgets locks and the place of the pelvis: call it after a teleport or a cut.
    #[func]
    fn reset_grounding(&mut self) {
        self.rest();
    }
    /// What is missing for this node to work, one sentence each; the editor shows the same at the
    /// node.
    #[func]
    fn get_warnings(&self) -> PackedStringArray {
        self.warnings().into_iter().map(|w| GString::from(&w)).collect()
    }
    /// Repeats the set-up before the next update. Only needed after bones were moved at rest or
    /// given other parents, or after collision objects of the character were added, by a script.
    #[func]
    fn refresh(&mut self) {
        self.skeleton_version = None;
        self.revision += 1;
    }
}

display_node!(SinewGrounder);

impl SinewGrounder {
    /// Result of a leg. `None` before the first update, and, with an error, for a number that is
    /// none.
    fn result(&self, call: &str, leg: i32) -> Option<&LegResult> {
        let legs = self.solver.as_ref()?.grounder.results().1;
        legs.get(argument::index(call, "leg", leg, legs.len())?)
    }

    /// The animation as it is; the next update starts anew.
    fn rest(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.grounder.reset();
            solver.planted.fill(false);
        }
        (self.body_offset, self.presence, self.query_count) = (Vector3::ZERO, 0.0, 0);
        self.root = None;
        self.last = None;
    }

    /// The time that an update shows, the root that is drawn, and where it is at that time; all
    /// starts anew after updates were missed.
    fn moment(&mut self, solver: &mut Solver, rig: Rig, dt_s: f32) -> (Transform3D, Transform3D, Moment) {
        let engine = Engine::singleton();
        let now_ws = rig.global_transform();
        let frames = [engine.get_process_frames(), engine.get_physics_frames()];
        let callback = rig.to_gd().get_modifier_callback_mode_process();
        let kind = match callback {
            ModifierCallbackModeProcess::IDLE if !engine.is_in_physics_frame() => {
                if rig.is_interpolated() {
                    FrameKind::Interpolated
                } else {
                    FrameKind::Drawn
                }
            }
            _ => FrameKind::Ticked,
        };
        let is_manual = callback == ModifierCallbackModeProcess::MANUAL;
        let mut missed = false;
        if let Some((last, was_ws)) = self.last.filter(|_| !is_manual) {
            // An inactive modifier is not called, and its locks stay behind. In a pause nothing
            // moves.
            let in_ticks = usize::from(engine.is_in_physics_frame());
            let ahead = |at: &Transform3D| normalize_or(vec3(at.basis.col_c()), Vec3::Z);
            let is_afar = was_ws.origin.distance_to(now_ws.origin) > 0.15 * solver.rig.scale
                || ahead(&was_ws).dot(ahead(&now_ws)) < 0.95;
            missed = frames[in_ticks] > last[in_ticks] + 1 && is_afar;
        }
        if missed {
            solver.grounder.reset();
            solver.planted.fill(false);
            self.root = None;
        }
        self.last = Some((frames, now_ws));
        let moment = self.clock.advance(kind, frames[1], engine.get_physics_interpolation_fraction() as f32, dt_s);
        let drawn_ws = if kind == FrameKind::Interpolated { rig.interpolated_transform() } else { now_ws };
        if kind != FrameKind::Drawn {
            self.root = None;
            return (drawn_ws, drawn_ws, moment);
        }
        let root = self.root.get_or_insert_with(|| RootTrack::new(drawn_ws, moment.tick));
        (drawn_ws, root.advance(drawn_ws, &moment), moment)
    }

    pub(crate) fn set_up(&mut self, rig: Rig) {
        let changed = self.feet.take_changed()
            | self.toes.take_changed()
            | self.pelvis_bone.take_changed()
            | self.stepping_groups.take_changed();
        let resized = self.ball_height.take_changed()
            | self.ankle_height.take_changed()
            | self.toe_length.take_changed()
            | self.heel_length.take_changed();
        if self.character_root.take_changed() {
            self.revision += 1;
        }
        let version = Some(rig.version());
        if !changed && version == self.skeleton_version {
            if resized {
                let names;
                (names, self.size_problems) = self.leg_names();
                if let Some(solver) = &mut self.solver {
                    // The feet stand on: only their sizes are other ones.
                    solver.rig.set_names(names);
                    solver.set_feet();
                }
            }
            return;
        }
        self.skeleton_version = version;
        let names;
        (names, self.size_problems) = self.leg_names();
        let groups: Vec<u32> = self.stepping_groups.as_slice().iter().map(|group| (*group).max(0) as u32).collect();
        self.group_problem.clear();
        let made = GroundRig::new(rig, names).map(|mut made| {
            let legs = made.leg_count();
            let fits = groups.is_empty() || groups.len() == legs;
            if !fits {
                self.group_problem =
                    format!("Stepping Groups has {} entries for {legs} legs: it is not read.", groups.len());
            }
            made.read(rig);
            let feet = made.feet();
            Box::new(Solver {
                rig: made,
                grounder: Grounder::new(&feet, GrounderSettings::default()),
                recorded: RecordedGrounder::default(),
                caster: GroundCaster::default(),
                poses: Vec::with_capacity(feet.len()),
                hits: Vec::with_capacity(5 * feet.len()),
                planted: vec![false; feet.len()],
                groups: if fits { groups } else { Vec::new() },
            })
        });
        (self.solver, self.problem) = match made {
            Ok(solver) => (Some(solver), String::new()),
            Err(problem) => (None, problem),
        };
    }

    fn solve(&mut self, rig: Rig, dt_s: f32) {
        let Some(mut solver) = self.solver.take() else { return };
        let events = self.solve_with(&mut solver, rig, dt_s);
        self.solver = Some(solver);
        if events.is_none() {
            self.rest();
        }
        // Handlers may ask for results, so the solver is back by now.
        for (leg, planted) in events.into_iter().flatten() {
            if planted {
                self.signals().foot_planted().emit(leg);
            } else {
                self.signals().foot_released().emit(leg);
            }
        }
    }

    /// One frame; legs whose contact changed. `None` when nothing could be solved.
    fn solve_with(&mut self, solver: &mut Solver, rig: Rig, dt_s: f32) -> Option<Vec<(i32, bool)>> {
        let (drawn_ws, even_ws, moment) = self.moment(solver, rig, dt_s);
        if !solver.rig.read_between(rig, drawn_ws, &even_ws) {
            return None;
        }
        let mut space = self.base().get_world_3d()?.get_direct_space_state()?;
        if solver.rig.is_resized() {
            solver.set_feet();
        }
        let settings = self.settings(solver.rig.scale, solver.rig.leg_count());
        if *solver.grounder.settings() != settings {
            solver.grounder.set_settings(settings);
        }
        // With the same groups as before steps go on.
        solver.grounder.set_stepping(self.stepping.then(|| self.stepping_settings()), &solver.groups);
        let (root_ws, rotation_ws) = solver.rig.root();
        let up_ws = solver.rig.up_axis().1;
        let (weights, contacts) = (&self.leg_weights, &self.leg_contacts);
        let (times, places, size) = (&self.leg_landing_times, &self.leg_landing_positions, solver.rig.up_axis().0);
        solver.rig.poses(&mut solver.poses, |leg| {
            let weight = weights.get(leg).map_or(1.0, |weight| if weight > 0.0 { weight.min(1.0) } else { 0.0 });
            let contact = match contacts.get(leg) {
                Some(1) => Contact::Planted,
                Some(2) => Contact::Swing,
                _ => Contact::Auto,
            };
            let landing = match (times.get(leg), places.get(leg)) {
                (Some(time), Some(place)) if time >= 0.0 && time.is_finite() && place.is_finite() => {
                    Some((time, vec3(place) * size))
                }
                _ => None,
            };
            (weight, contact, landing)
        });
        let frame = GrounderFrame {
            root_ws,
            rotation_ws,
            up_ws,
            pelvis_ws: solver.rig.pelvis(),
            dt_s: if dt_s > 0.0 { dt_s } else { 0.0 },
            grounded: match self.grounded {
                1 => Grounded::Yes,
                2 => Grounded::No,
                _ => Grounded::Auto,
            },
        };
        let sound = |p: &LegPose| {
            p.hip_ws.is_finite() && p.knee_ws.is_finite() && p.ankle_ws.is_finite() && p.ball_ws.is_finite()
        };
        if !solver.poses.iter().all(sound) {
            return None;
        }
        let (mask, dt_s) = (self.collision_mask.0, frame.dt_s);
        let filter = Filter { mask, least_up: float::cos(self.max_slope), up: up_ws, dt_s, moment };
        let node = self.to_gd().upcast::<Node>();
        let root = || self.character_root.find(&node).map(|root| root.to_gd().upcast());
        solver.caster.begin(&filter, self.revision, || own_bodies(&node, root()));
        let Solver { grounder, recorded, caster, poses, hits, .. } = solver;
        let cast = |query: &Query| caster.cast(&mut space, &filter, query);
        let (body, results) = recorded.solve_with(grounder, &frame, poses, hits, cast)?;
        let below = |leg: usize| solver.caster.shift_below(leg, &moment);
        solver.rig.apply(rig, body, &solver.poses, results, below);
        self.body_offset = vector3(body.offset_ws);
        self.ground_normal = vector3(body.ground_normal_ws);
        self.presence = body.presence;
        self.query_count = solver.hits.len() as i32;
        let mut events = Vec::new();
        for (leg, (was, now)) in solver.planted.iter_mut().zip(results).enumerate() {
            if *was != now.planted {
                *was = now.planted;
                events.push((leg as i32, now.planted));
            }
        }
        Some(events)
    }

    fn warnings(&self) -> Vec<String> {
        let missing = constraint::place_problem(self.base().get_skeleton());
        let problems = [&self.problem, &self.group_problem].into_iter().filter(|problem| !problem.is_empty());
        let root = self.character_root.problem("character_root", None, &self.base());
        let all = missing.into_iter().chain(problems.cloned()).chain(self.size_problems.iter().cloned());
        all.chain(root).collect()
    }

    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(solver) = &self.solver {
            solver.grounder.draw(&solver.hits, drawing);
        }
    }
}
