//! `SinewBodyIK`: any number of effectors on one skeleton, met in one solve.

use crate::argument;
use crate::avatar::{self, AvatarSource};
use crate::body_effector::SinewBodyEffector;
use crate::bones::{BoneTable, Subset};
use crate::calls::Rig;
use crate::constraint::{self, modifier_node};
use crate::convert::{vec3, vector3};
use crate::detail;
use crate::display::{Display, Drawing, display_node};
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{Setup, shared_revision};
use crate::whole_body::{BodyParts, BoneCoupling, EffectorOutcome, Settings, WholeBody};
use godot::builtin::{
    Array, GString, PackedFloat32Array, PackedStringArray, PackedVector3Array, StringName, Variant, Vector3,
};
use godot::classes::{BoneMap, ISkeletonModifier3D, Node, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::body::{BodyDetail, BodyMode, BodySettings, Demand, TrackConverge, TrackSolver};
use sinew::math::Vec3;
use sinew::optim::Work;
use sinew::outcome::{Outcome, Status};
use sinew::world::Level;

/// Pull of the root that keeps the hips of a person who stands above the feet.
const PERSON_ROOT_POSTURE: f32 = 30.0;

/// The whole body: any number of effectors on one skeleton, met in one solve, with joint limits,
/// priorities, pins, a posture to keep and a centre of mass over its support. On any rig.
///
/// Each entry of [member effectors] is a [SinewBodyEffector]. Goals out of reach or in conflict do
/// not make the body jump in track mode; in converge mode they seldom do.
/// What the effectors do not decide stays near the animation.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewBodyIK {
    /// What is requested of the body. Assign the array anew (or use [method add_effector]) to make
    /// a change of the list count while the game runs; changes of an entry count at once.
    #[export]
    pub effectors: Setup<Array<Option<Gd<SinewBodyEffector>>>>,
    /// The bone that carries the body, such as the hips; bones that are not below it stay. Empty:
    /// the first bone without a parent.
    #[export_group(name = "Root")]
    #[export]
    pub root_bone: Setup<GString>,
    /// Whether that bone moves and turns with the rest.
    #[export]
    #[init(val = true)]
    pub root_moves: bool,
    /// Readiness of the root to move, radians² of a bone's turn that cost as much as a metre², 0 or
    /// more. High values move the root first.
    #[export(range = (0.0, 10.0, 0.001, or_greater))]
    #[init(val = BodySettings::default().root_move_mobility)]
    pub root_move_mobility: f32,
    /// Readiness of the root to turn beside a bone's, 0 or more.
    #[export(range = (0.0, 10.0, 0.001, or_greater))]
    #[init(val = BodySettings::default().root_turn_mobility)]
    pub root_turn_mobility: f32,

    /// Gives the bones the masses of an average person, for the centre of mass. The skeleton must
    /// be a humanoid.
    #[export_group(name = "Masses and Limits")]
    #[export]
    pub human_masses: Setup<bool>,
    /// Keeps the bones to the ranges of a person, as far as [member limits] have nothing else. The
    /// skeleton must be a humanoid.
    #[export]
    pub human_ranges: Setup<bool>,
    /// Overrides the automatic bone map of a humanoid. Use a map with the profile
    /// [SkeletonProfileHumanoid].
    #[export]
    pub bone_map: Setup<Option<Gd<BoneMap>>>,
    /// Bones with a mass of their own, which counts in place of a human one.
    #[export]
    pub mass_bones: Setup<PackedStringArray>,
    /// Their masses, any unit, in the same order; missing entries are 1. The centre is half way to
    /// the bone's first child.
    #[export]
    pub masses: Setup<PackedFloat32Array>,
    /// Bones that follow other bones: twist bones, mimic joints. Each turns about its axis as its
    /// driver does about the driver's.
    #[export]
    pub coupled_bones: Setup<PackedStringArray>,
    /// The bones that they follow, in the same order; they must not follow others themselves.
    #[export]
    pub coupling_drivers: Setup<PackedStringArray>,
    /// Turn of the bone per turn of its driver, -100 to 100, in the same order; missing entries are
    /// 1.
    #[export]
    pub coupling_ratios: Setup<PackedFloat32Array>,
    /// The bones' axes in their own space, in the same order, any length but zero; missing entries
    /// are +Y.
    #[export]
    pub coupling_axes: Setup<PackedVector3Array>,
    /// The same of the drivers.
    #[export]
    pub coupling_driver_axes: Setup<PackedVector3Array>,
    /// Turns of the bones where their drivers have none, radians, −π to π, in the same order;
    /// missing entries are 0.
    #[export]
    pub coupling_offsets: Setup<PackedFloat32Array>,
    /// Limits of the joints; may be shared with other nodes and characters.
    #[export]
    pub limits: Setup<Option<Gd<SinewSkeletonLimits>>>,

    /// Converge: each result depends on the animation's pose and the goals alone. Track: follows
    /// the goals from the last result, with bounded work per update.
    #[export_group(name = "Solver")]
    #[export(enum = (Converge = 0, Track = 1))]
    pub mode: i32,
    /// Maximum number of iterations, 1 to 10000.
    #[export(range = (1.0, 1000.0, 1.0, or_greater))]
    #[init(val = BodySettings::default().max_iterations as i32)]
    pub max_iterations: i32,
    /// Maximum number of other start poses that are tried when the first descent stops short of
    /// goals that it can get near, 0 to 64.
    #[export(range = (0.0, 64.0, 1.0))]
    #[init(val = BodySettings::default().max_attempts as i32)]
    pub max_attempts: i32,
    /// Maximum number of iterations of each of them, 1 to 10000.
    #[export(range = (1.0, 1000.0, 1.0, or_greater))]
    #[init(val = BodySettings::default().attempt_iterations as i32)]
    pub attempt_iterations: i32,
    /// Converge: maximum number of steps of work of one update, 0 to 8000000. A step takes 10 to 80
    /// ns; when none are left, the update ends with the best pose so far, the same on every
    /// computer.
    #[export(range = (0.0, 8000000.0, 1.0))]
    #[init(val = Work::MOST as i32)]
    pub max_work: i32,
    /// A length is met within this distance, metres, above 0.
    #[export(range = (0.00001, 0.1, 0.00001, exp, suffix = "m"))]
    #[init(val = BodySettings::default().tolerance_m)]
    pub tolerance: f32,
    /// An angle is met within this, radians, above 0.
    #[export(range = (0.001, 5.0, 0.001, exp, radians_as_degrees))]
    #[init(val = BodySettings::default().tolerance_rad)]
    pub tolerance_angle: f32,
    /// Metres that count as much as a radian where distances and angles are in conflict: about half
    /// an arm.
    #[export(range = (0.001, 10.0, 0.001, or_greater, suffix = "m"))]
    #[init(val = BodySettings::default().rotation_length_m)]
    pub rotation_length: f32,
    /// Pull towards the animation's pose, metres² per radian² of every bone, 0 or more.
    #[export(range = (0.0, 1.0, 0.00001, exp, or_greater))]
    #[init(val = BodySettings::default().posture)]
    pub posture: f32,
    /// Converge: the pull is at most this times what the effectors lack, 0 or more.
    #[export(range = (0.0, 1.0, 0.00001, exp, or_greater))]
    #[init(val = BodySettings::default().posture_ease)]
    pub posture_ease: f32,
    /// Converge: what the pull falls to on the way to the answer, as a share, 0 to 1.
    #[export(range = (0.0, 1.0, 0.00001, exp))]
    #[init(val = BodySettings::default().posture_end)]
    pub posture_end: f32,
    /// Pull of the root beside a bone's; 0: the root follows the effectors alone; 30 keeps the hips
    /// of a person who stands above the feet. Negative: 30 on a humanoid, which has a
    /// [member bone_map], human masses or ranges, or bones named as in [SkeletonProfileHumanoid];
    /// else 0.
    #[export(range = (-1.0, 100.0, 0.01, or_greater))]
    #[init(val = -1.0)]
    pub root_posture: f32,
    /// Most iterations in which an answer settles at the pose nearest to the animation among those
    /// that meet the goals, or leave them as far off; 0 to 10000; 0: it stays where the search
    /// found it.
    #[export(range = (0.0, 200.0, 1.0, or_greater))]
    #[init(val = BodySettings::default().settle_iterations as i32)]
    pub settle_iterations: i32,
    /// A descent ends when three iterations leave more than this share of the objective, 0 to 2.
    #[export(range = (0.0, 2.0, 0.00001))]
    #[init(val = BodySettings::default().stall)]
    pub stall: f32,
    /// Objective of a priority level beside the one above it, 0.000001 to 1.
    #[export(range = (0.000001, 1.0, 0.000001, exp))]
    #[init(val = BodySettings::default().level_ratio)]
    pub level_ratio: f32,
    /// Highest priority level whose effectors count, 0 to 3; the others are absent. For level of
    /// detail.
    #[export(range = (0.0, 3.0, 1.0))]
    #[init(val = i32::from(BodySettings::default().max_level))]
    pub max_level: i32,
    /// Damping that a descent starts with, in units of the objective, above 0.
    #[export(range = (0.000001, 1.0, 0.000001, exp, or_greater))]
    #[init(val = BodySettings::default().damping)]
    pub damping: f32,
    /// Largest turn of a bone in one iteration, radians, above 0, at most π.
    #[export(range = (1.0, 180.0, 0.1, radians_as_degrees))]
    #[init(val = BodySettings::default().max_step_rad)]
    pub max_step_angle: f32,

    /// Iterations of each of the two rounds of a step, 1 to 10000.
    #[export_group(name = "Tracking", prefix = "track_")]
    #[export(range = (1.0, 100.0, 1.0, or_greater))]
    #[init(val = BodySettings::default().track_iterations as i32)]
    pub track_iterations: i32,
    /// Steps per update, 1 to 1000.
    #[export(range = (1.0, 100.0, 1.0, or_greater))]
    #[init(val = BodySettings::default().track_steps as i32)]
    pub track_steps: i32,
    /// Longest step, seconds: an update takes as many more steps as that needs; 0: `steps` alone
    /// counts.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
    pub track_step_time: f32,
    /// When an update is a whole solve of Converge: never, in the first update, or always (from the
    /// last answer; feedback and steps do not count then).
    #[export(enum = (Never = 0, First = 1, Always = 2))]
    #[init(val = BodySettings::default().track_converge as i32)]
    pub track_converge: i32,
    /// Rate at which effectors approach their goals, 1/s; 0: at once.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "1/s"))]
    #[init(val = BodySettings::default().feedback)]
    pub track_feedback: f32,
    /// How much of the goals' own motion effectors follow at once, beside the feedback, 0 to 1; at
    /// 0 they lag behind goals that move.
    #[export(range = (0.0, 1.0, 0.01))]
    pub track_goal_velocity: f32,
    /// Fastest turn of a bone, radians per second; 0: any. Of bones that slide or change length,
    /// metres count as radians of the rotation length.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "rad/s"))]
    #[init(val = BodySettings::default().max_speed)]
    pub track_max_speed: f32,
    /// Fastest change of a bone's speed, radians per second²; 0: any. Bones brake in time to stop
    /// where they go. Of a free root and of bones that slide or change length, metres count as
    /// radians of the rotation length.
    #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "rad/s²"))]
    pub track_max_acceleration: f32,

    /// How directions in which effectors hardly move are treated, near straight limbs and where
    /// goals conflict: by a damping that follows from what each step gains, by damped least squares
    /// or by selectively damped least squares, as Blender's iTaSC.
    #[export(enum = (Adaptive = 0, DLS = 1, SDLS = 2))]
    #[init(val = BodySettings::default().track_solver as i32)]
    pub track_solver: i32,
    /// DLS: damping of a direction in which effectors do not move, metres per radian.
    #[export(range = (0.0, 1.0, 0.001, or_greater))]
    #[init(val = BodySettings::default().damping_max)]
    pub track_damping_max: f32,
    /// DLS: singular value below which directions are damped more and more, metres per radian.
    #[export(range = (0.0, 1.0, 0.001, or_greater))]
    #[init(val = BodySettings::default().damping_epsilon)]
    pub track_damping_epsilon: f32,

    /// Level of detail, for characters that are far away or not in view. Fewer Iterations: part of
    /// the iterations and attempts. Every Nth: a solve in every n-th update, and in between the
    /// pose goes over from one result to the next, n updates late. Off: the animation, at no cost.
    /// A change makes no jump, but from and to Off.
    #[export_group(name = "Level of Detail", prefix = "detail_")]
    #[export(enum = (Full = 0, Fewer_Iterations = 1, Every_Nth = 2, Off = 3))]
    pub detail_level: i32,
    /// Fewer Iterations: part of the iterations, 0 to 1; one remains.
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = 0.5)]
    pub detail_iterations: f32,
    /// Every Nth: updates from one solve to the next, 1 to 1000.
    #[export(range = (1.0, 60.0, 1.0, or_greater))]
    #[init(val = 4)]
    pub detail_interval: i32,
    /// Distance of the skeleton from the viewport's camera up to which [member detail_level] is
    /// Full, metres; 0 (default): it counts at any distance. Not in the editor.
    #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "m"))]
    pub detail_distance: f32,
    /// Distance from which it is Off, metres; 0 (default): never. Not in the editor.
    #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "m"))]
    pub detail_off_distance: f32,

    /// Draws bones, goals, what is left of them, active limits, centre of mass and support in the
    /// 3D view, in the editor and in the game. While the node is selected the editor always does.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// How the last update ended; see the STATUS constants.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Largest distance in metres that the last update left to a goal.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,10,0.00001,or_greater,suffix:m")]
    pub residual: f32,
    /// Largest angle in radians that the last update left to a goal.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,180,0.0001,radians_as_degrees")]
    pub residual_angle: f32,
    /// Iterations of the last update.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub iterations: i32,

    pub(crate) whole: Option<Box<WholeBody>>,
    /// Track goes on from a snapshot, whatever the last update was.
    pub(crate) is_restored: bool,
    table: BoneTable,
    is_humanoid: bool,
    pub(crate) problem: String,
    skeleton_version: Option<u64>,
    revision: u64,
    display: Display,
    pub(crate) base: Base<SkeletonModifier3D>,
}

modifier_node!(SinewBodyIK, paths: [], list: effectors, solve: |node, rig, delta_s| { node.solve(rig, delta_s) }, outcome: |outcome| {
    residual: outcome.residual_m,
    residual_angle: outcome.residual_rad,
    iterations: outcome.iterations as i32
});

#[godot_api(secondary)]
impl SinewBodyIK {
    /// Each result depends on the animation's pose and the goals alone.
    #[constant]
    pub const MODE_CONVERGE: i64 = 0;
    /// Follows the goals from the last result.
    #[constant]
    pub const MODE_TRACK: i64 = 1;

    /// Everything, in every update.
    #[constant]
    pub const DETAIL_FULL: i64 = 0;
    /// Part of the iterations.
    #[constant]
    pub const DETAIL_FEWER_ITERATIONS: i64 = 1;
    /// A solve in every n-th update.
    #[constant]
    pub const DETAIL_EVERY_NTH: i64 = 2;
    /// The animation.
    #[constant]
    pub const DETAIL_OFF: i64 = 3;

    /// Appends an effector.
    #[func]
    fn add_effector(&mut self, effector: Option<Gd<SinewBodyEffector>>) {
        self.effectors.put(self.effectors.iter_shared().chain([effector]).collect());
    }
    /// How an effector ended in the last update, by its place in [member effectors]; see the STATUS
    /// constants. Inactive without a blend, without its node, and for entries that are wrong.
    #[func]
    fn get_effector_status(&self, number: i32) -> i32 {
        self.effector("SinewBodyIK.get_effector_status", number).status as i32
    }
    /// Distance in metres that the last update left to an effector's goal; 0 for angles.
    #[func]
    fn get_effector_residual(&self, number: i32) -> f32 {
        self.effector("SinewBodyIK.get_effector_residual", number).residual_m
    }
    /// Angle in radians that the last update left to an effector's goal; 0 for lengths.
    #[func]
    fn get_effector_residual_angle(&self, number: i32) -> f32 {
        self.effector("SinewBodyIK.get_effector_residual_angle", number).residual_rad
    }
    /// Names of the bones an effector depends on that stand on a border of their limits.
    #[func]
    fn get_effector_limited_bones(&self, number: i32) -> PackedStringArray {
        let number = self.effector_index("SinewBodyIK.get_effector_limited_bones", number);
        number.map_or_else(PackedStringArray::new, |number| self.limited(Some(number)))
    }
    /// Names of all bones that stand on a border of their limits.
    #[func]
    fn get_limited_bones(&self) -> PackedStringArray {
        self.limited(None)
    }
    /// The centre of mass in the last update's pose, world space; zero while no bone has a mass.
    #[func]
    fn get_center_of_mass(&self) -> Vector3 {
        let center = self.whole.as_ref().and_then(|whole| whole.center_of_mass());
        vector3(center.unwrap_or(Vec3::ZERO))
    }
    /// Forgets what Track remembers: after a teleport or a cut.
    #[func]
    fn reset_tracking(&mut self) {
        if let Some(whole) = &mut self.whole {
            whole.reset();
        }
    }
}

impl SinewBodyIK {
    fn forget(&mut self) {
        self.skeleton_version = None;
        if let Some(whole) = &mut self.whole {
            whole.forget_targets();
        }
    }
    fn look(&mut self, rig: Rig) {
        if let Some(whole) = &mut self.whole {
            whole.look(rig);
        }
    }
    fn solve(&mut self, rig: Rig, delta_s: f32) -> Outcome {
        self.set_up(rig);
        let level = self.level(rig);
        let (mut settings, from) = (self.settings(), self.to_gd().upcast::<Node>());
        if let Level::Fewer(iteration_share) = level {
            settings.numbers = BodyDetail { iteration_share, ..BodyDetail::FULL }.of(&settings.numbers);
        }
        let was_idle = self.status == Status::Inactive as i32 && !core::mem::take(&mut self.is_restored);
        let Some(whole) = &mut self.whole else { return Outcome::INACTIVE };
        if was_idle {
            // What Track remembers is of another time.
            whole.reset();
        }
        whole.pace.set_level(level);
        if level == Level::Off {
            return Outcome::INACTIVE;
        }
        whole.update(rig, &from, &settings, delta_s)
    }

    fn level(&self, rig: Rig) -> Level {
        detail::detail_of!(self).at(&self.base(), rig)
    }

    /// See [`WholeBody::tied_kind`].
    pub fn tied_kind(&self, number: usize) -> Option<(bool, bool)> {
        self.whole.as_ref().and_then(|whole| whole.tied_kind(number))
    }
    /// Sets the body up where something has changed.
    pub fn prepare(&mut self) {
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
    }
    /// Takes the body out to meet others, with these effectors tied: [`Self::give_back`] must
    /// follow.
    /// `max_work` bounds each of its solves, where the node itself does not bound them more.
    pub fn lend(&mut self, tied: &[(usize, bool)], max_work: u32) -> Option<Box<WholeBody>> {
        let rig = Rig::of(&self.base)?;
        let (mut settings, from) = (self.settings(), self.to_gd().upcast::<Node>());
        settings.max_work = settings.max_work.min(max_work);
        self.whole.as_mut()?.prepare(rig, &from, &settings, tied).then(|| self.whole.take())?
    }
    /// Ends [`Self::lend`].
    pub fn give_back(&mut self, whole: Box<WholeBody>) {
        self.whole = Some(whole);
    }
    /// See [`WholeBody::release_ties`].
    pub fn release_ties(&mut self) {
        if let Some(whole) = &mut self.whole {
            whole.release_ties();
        }
    }

    /// The properties in the form of the core.
    pub(crate) fn settings(&self) -> Settings {
        let d = BodySettings::default();
        let count = |value: i32, low: u32, high: u32| u32::try_from(value).unwrap_or(0).clamp(low, high);
        let number =
            |value: f32, low: f32, high: f32, other: f32| if value.is_nan() { other } else { value.clamp(low, high) };
        let root_posture = match self.root_posture {
            automatic if automatic < 0.0 && self.is_humanoid => PERSON_ROOT_POSTURE,
            given => given,
        };
        let numbers = BodySettings {
            max_iterations: count(self.max_iterations, 1, 10_000),
            max_attempts: count(self.max_attempts, 0, 64),
            attempt_iterations: count(self.attempt_iterations, 1, 10_000),
            settle_iterations: count(self.settle_iterations, 0, 10_000),
            tolerance_m: number(self.tolerance, 1e-9, 1e6, d.tolerance_m),
            tolerance_rad: number(self.tolerance_angle, 1e-9, 1e6, d.tolerance_rad),
            rotation_length_m: number(self.rotation_length, 1e-6, 1e6, d.rotation_length_m),
            posture: number(self.posture, 0.0, 1e6, d.posture),
            posture_ease: number(self.posture_ease, 0.0, 1e6, d.posture_ease),
            posture_end: number(self.posture_end, 0.0, 1.0, d.posture_end),
            root_posture: number(root_posture, 0.0, 1e6, d.root_posture),
            stall: number(self.stall, 0.0, 2.0, d.stall),
            level_ratio: number(self.level_ratio, 1e-6, 1.0, d.level_ratio),
            max_level: count(self.max_level, 0, u32::from(Demand::MAX_LEVEL)) as u8,
            damping: number(self.damping, 1e-12, 1e6, d.damping),
            max_step_rad: number(self.max_step_angle, 1e-6, std::f32::consts::PI, d.max_step_rad),
            root_move_mobility: number(self.root_move_mobility, 0.0, 1e6, d.root_move_mobility),
            root_turn_mobility: number(self.root_turn_mobility, 0.0, 1e6, d.root_turn_mobility),
            track_iterations: count(self.track_iterations, 1, 10_000),
            track_steps: count(self.track_steps, 1, 1000),
            track_step_s: number(self.track_step_time, 0.0, 1e6, d.track_step_s),
            track_converge: TrackConverge::ALL[self.track_converge.clamp(0, 2) as usize],
            feedback: number(self.track_feedback, 0.0, 1e6, d.feedback),
            goal_velocity: number(self.track_goal_velocity, 0.0, 1.0, d.goal_velocity),
            max_speed: number(self.track_max_speed, 0.0, 1e6, d.max_speed),
            max_acceleration: number(self.track_max_acceleration, 0.0, 1e6, d.max_acceleration),
            track_solver: TrackSolver::ALL[self.track_solver.clamp(0, 2) as usize],
            damping_max: number(self.track_damping_max, 0.0, 1e6, d.damping_max),
            damping_epsilon: number(self.track_damping_epsilon, 0.0, 1e6, d.damping_epsilon),
        };
        let mode = if self.mode == 1 { BodyMode::Track } else { BodyMode::Converge };
        Settings { numbers, mode, floats: self.root_moves, max_work: constraint::work(self.max_work) }
    }

    pub(crate) fn set_up(&mut self, rig: Rig) {
        let version = Some(rig.version());
        let parts_changed = self.root_bone.take_changed()
            | self.human_masses.take_changed()
            | self.human_ranges.take_changed()
            | self.bone_map.take_changed()
            | self.mass_bones.take_changed()
            | self.masses.take_changed()
            | self.coupled_bones.take_changed()
            | self.coupling_drivers.take_changed()
            | self.coupling_ratios.take_changed()
            | self.coupling_axes.take_changed()
            | self.coupling_driver_axes.take_changed()
            | self.coupling_offsets.take_changed()
            | self.limits.take_changed()
            | (version != self.skeleton_version);
        // A resource that changed may be the limits, or an effector.
        let revised = core::mem::replace(&mut self.revision, shared_revision()) != self.revision;
        let listed = self.effectors.take_changed();
        if parts_changed || (revised && self.limits.is_some()) {
            self.skeleton_version = version;
            self.table = BoneTable::read(&rig.to_gd());
            avatar::watch(self.bone_map.as_ref(), &self.to_gd().upcast());
            self.is_humanoid = *self.human_masses
                || *self.human_ranges
                || self.bone_map.is_some()
                || avatar::has_profile_names(&self.table);
            (self.whole, self.problem) = match self.make() {
                Ok(whole) => (Some(Box::new(whole)), String::new()),
                Err(problem) => (None, problem),
            };
        } else if !(revised || listed) {
            return;
        }
        let effectors = self.effectors.iter_shared().enumerate();
        let there = effectors.filter_map(|(number, effector)| Some((number, effector?)));
        if let Some(whole) = &mut self.whole {
            whole.set_effectors(&self.table, there);
        }
    }
    fn couplings(&self) -> Vec<BoneCoupling> {
        let axis = |axes: &PackedVector3Array, number: usize| axes.get(number).map_or(Vec3::Y, vec3);
        let bones = self.coupled_bones.as_slice().iter().enumerate();
        bones
            .map(|(number, bone)| BoneCoupling {
                bone: bone.to_string(),
                driver: self.coupling_drivers.get(number).unwrap_or_default().to_string(),
                ratio: self.coupling_ratios.get(number).unwrap_or(1.0),
                axis: axis(&self.coupling_axes, number),
                driver_axis: axis(&self.coupling_driver_axes, number),
                offset_rad: self.coupling_offsets.get(number).unwrap_or(0.0),
            })
            .collect()
    }
    fn make(&self) -> Result<WholeBody, String> {
        let names = &self.table.names;
        if names.is_empty() {
            return Err("The skeleton has no bones.".into());
        }
        let (subset, avatar) = if *self.human_masses || *self.human_ranges {
            let given = avatar::given_names(self.bone_map.as_ref());
            let made = avatar::whole(&AvatarSource { given, ..AvatarSource::of(self.table.clone()) })?;
            (made.0, Some(made.1))
        } else {
            (Subset::new(&self.table, 0..names.len() as i32)?, None)
        };
        let root = self.root_bone.to_string();
        let root = if root.is_empty() { None } else { Some(constraint::bone(&self.table, &root, "Root Bone")?) };
        let mass = |number: usize| self.masses.get(number).unwrap_or(1.0);
        let bones = self.mass_bones.as_slice().iter().enumerate();
        let parts = BodyParts {
            subset,
            avatar,
            root,
            has_human_masses: *self.human_masses,
            has_human_ranges: *self.human_ranges,
            masses: bones.map(|(number, name)| (name.to_string(), mass(number))).collect(),
            couplings: self.couplings(),
            limits: self.limits.as_ref(),
        };
        WholeBody::new(parts, names)
    }

    fn effector_index(&self, call: &str, number: i32) -> Option<usize> {
        argument::index(call, "number", number, self.effectors.len())
    }
    fn effector(&self, call: &str, number: i32) -> EffectorOutcome {
        let number = self.effector_index(call, number);
        let found = number.and_then(|number| self.whole.as_ref()?.outcome(number));
        found.unwrap_or(EffectorOutcome { status: Status::Inactive, residual_m: 0.0, residual_rad: 0.0 })
    }
    fn limited(&self, number: Option<usize>) -> PackedStringArray {
        let bones = self.whole.as_ref().map_or(Vec::new(), |whole| whole.limited_bones(number));
        let name = |bone: i32| GString::from(self.table.names.get(bone as usize).map_or("", String::as_str));
        bones.into_iter().map(name).collect()
    }
    fn is_hidden(&self, property: &str) -> bool {
        match property {
            "bone_map" => !(*self.human_masses || *self.human_ranges),
            "root_move_mobility" | "root_turn_mobility" | "root_posture" => !self.root_moves,
            "posture_ease" | "posture_end" => self.mode == 1,
            _ => property.starts_with("track_") && self.mode != 1,
        }
    }
    fn warnings(&self) -> Vec<String> {
        let mut all: Vec<String> = constraint::place_problem(self.base().get_skeleton()).into_iter().collect();
        if self.effectors.is_empty() {
            all.push("effectors is empty: nothing is requested of the body.".to_string());
        }
        if !self.problem.is_empty() {
            all.push(self.problem.clone());
        }
        if let Some(whole) = &self.whole {
            all.extend(whole.problems.iter().cloned());
            all.extend(whole.target_problems(&self.base()));
        }
        all
    }
    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(whole) = &self.whole {
            whole.draw(drawing);
        }
    }
}
