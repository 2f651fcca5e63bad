//! Settings of a solve of a body.

use super::demand::Demand;

/// When track mode solves as converge mode does: iTaSC's reiteration. The numbers are those of the
/// C and Godot constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum TrackConverge {
    /// Never: the first frame travels from the incoming pose, too.
    Never = 0,
    /// In the first frame, and the first after a reset.
    #[default]
    First = 1,
    /// In every frame, from the last answer and without other start poses; feedback and steps do
    /// not count then, speed and acceleration caps do.
    Always = 2,
}

impl TrackConverge {
    /// All, by their numbers.
    pub const ALL: [Self; 3] = [Self::Never, Self::First, Self::Always];
}

/// How a step of track mode treats directions in which joints move far and effectors little, near
/// straight limbs and where goals conflict. The numbers are those of the C and Godot constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum TrackSolver {
    /// All directions are damped alike, by a damping that follows from what each step gains.
    #[default]
    Adaptive = 0,
    /// Damped least squares: directions below a singular value are damped by settings
    /// (S. Chiaverini, IEEE Trans. Robotics and Automation 13 (1997), eq. 18).
    Dls = 1,
    /// Selectively damped least squares: each direction has its own longest turn (S. Buss, J. Kim,
    /// J. Graphics Tools 10 (2005), §4).
    Sdls = 2,
}

impl TrackSolver {
    /// All, by their numbers.
    pub const ALL: [Self; 3] = [Self::Adaptive, Self::Dls, Self::Sdls];
}

/// Settings of a body. The defaults are those that the figures in docs/body.md are measured with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySettings {
    /// Most iterations of the first descent, 1 to 10,000. An iteration is one accepted step.
    pub max_iterations: u32,
    /// Most other start poses that are tried when the first descent stops short of goals that it
    /// can get near; 0 to 64. An answer found so is only taken when it meets all tasks, so
    /// unreachable goals never make the pose switch over.
    pub max_attempts: u32,
    /// Most iterations of each such attempt.
    pub attempt_iterations: u32,
    /// Most iterations in which an answer settles at the pose nearest to the incoming one among
    /// those that meet the tasks, or leave them as far off as the descent did, and of each stage
    /// of a search for such a pose where they cannot be met; 0 to 10,000; 0: it stays where the
    /// descent found it.
    pub settle_iterations: u32,
    /// A task in metres is met within this distance.
    pub tolerance_m: f32,
    /// A task in radians is met within this angle.
    pub tolerance_rad: f32,
    /// Metres that count as much as a radian, when distances and angles are in conflict: about half
    /// an arm. Sets the scale of rotations beside positions; 0.3 for a grown person.
    pub rotation_length_m: f32,
    /// Pull towards the incoming pose, metres² per radian² of every joint; 0: none. It decides
    /// between poses that meet the tasks equally well, and brings the pose back when goals come
    /// back. Set 0 in track mode to follow a recording closely without an animation to return to.
    pub posture: f32,
    /// Converge mode: the pull is at most this times the objective of the tasks.
    pub posture_ease: f32,
    /// Converge mode: what the pull falls to on the way to the answer, as a share: what it then
    /// costs the tasks where they cannot be met.
    pub posture_end: f32,
    /// The root's pull beside a joint's, 0: the root follows the tasks alone. A metre counts as a
    /// radian, at another rotation length than 0.3 in proportion. 30 keeps the hips of a person who
    /// stands above the feet.
    pub root_posture: f32,
    /// A descent ends when three iterations leave more than this share of the objective.
    pub stall: f32,
    /// Objective of a priority level beside the one above, 1e-6 to 1.
    pub level_ratio: f32,
    /// Damping that a descent starts with, in units of the objective.
    pub damping: f32,
    /// Largest turn of a joint in one step, radians. Long steps are fast; on a way of short ones,
    /// 0.1 to 0.2, goals that move a little move the body a little.
    pub max_step_rad: f32,
    /// Readiness of a floating root to move, radians² of joint turn that cost as much as a metre².
    pub root_move_mobility: f32,
    /// Track mode: iterations of each of its two rounds a step, 1 or more.
    pub track_iterations: u32,
    /// Track mode: steps a frame, 1 or more.
    pub track_steps: u32,
    /// Track mode: longest step, seconds; a frame has as many more steps as that takes, up to
    /// [`Self::MAX_TRACK_STEPS`]. 0: `track_steps` alone counts.
    pub track_step_s: f32,
    /// Track mode: when a frame is a whole converge solve.
    pub track_converge: TrackConverge,
    /// Track mode: rate at which effectors approach their goals, 1/s; 0: at once.
    pub feedback: f32,
    /// Track mode: how much of the goals' own motion effectors follow at once, beside the
    /// feedback, 0 … 1. At 1 an effector that is on its goal stays on it however it moves, and
    /// what it is off shrinks by the feedback alone; at 0 it lags by its speed over the feedback.
    pub goal_velocity: f32,
    /// Track mode: fastest turn of a joint, radians per second, about that of a person's fastest
    /// joint; 0: any. Of joints that slide and of bones that change length, metres count as
    /// radians of `rotation_length_m`.
    pub max_speed: f32,
    /// Track mode: fastest change of a joint's speed, radians per second²; 0: any. Joints brake in
    /// time to stop where they go. Of a floating root, of joints that slide and of bones that
    /// change length, metres count as radians of `rotation_length_m`.
    pub max_acceleration: f32,
    /// Readiness of a floating root to turn beside a joint's.
    pub root_turn_mobility: f32,
    /// Track mode: how directions in which effectors hardly move are treated. With more than
    /// [`Self::MAX_DIRECTIONS`] rows of tasks, as by the default: their directions would take
    /// longer to find than a call may take.
    pub track_solver: TrackSolver,
    /// [`TrackSolver::Dls`]: damping of a direction in which effectors do not move, metres per
    /// radian; 0: none.
    pub damping_max: f32,
    /// [`TrackSolver::Dls`]: singular value below which directions are damped, metres per radian.
    pub damping_epsilon: f32,
    /// Highest priority level whose tasks count; the others are absent, as at blend 0.
    pub max_level: u8,
}

impl BodySettings {
    /// Most rows of tasks whose directions are treated one by one.
    pub const MAX_DIRECTIONS: usize = 128;
    /// Most steps of a frame.
    pub const MAX_TRACK_STEPS: u32 = 1000;

    /// Whether a step of `h` seconds has a cap of acceleration.
    pub(super) fn caps_acceleration(&self, h: f32) -> bool {
        self.max_acceleration > 0.0 && h > 0.0
    }
    /// Steps of a frame of `dt` seconds.
    pub(super) fn steps(&self, dt: f32) -> u32 {
        let most = Self::MAX_TRACK_STEPS;
        let mut least = 1;
        if self.track_step_s > 0.0 {
            // A frame that is longer by rounding alone needs no other step.
            least = ((dt / self.track_step_s + 0.999) as u32).min(most);
        }
        self.track_steps.max(least).clamp(1, most)
    }
}

impl Default for BodySettings {
    fn default() -> Self {
        Self {
            max_iterations: 120,
            max_attempts: 12,
            attempt_iterations: 20,
            settle_iterations: 40,
            tolerance_m: 5e-4,
            tolerance_rad: 4e-3,
            rotation_length_m: 0.3,
            posture: 1e-3,
            posture_end: 1e-4,
            posture_ease: 4e-4,
            stall: 0.99999,
            root_posture: 0.0,
            level_ratio: 1e-3,
            damping: 1e-3,
            max_step_rad: 0.8,
            root_move_mobility: 0.25,
            root_turn_mobility: 1.0,
            track_iterations: 2,
            track_steps: 1,
            track_step_s: 0.0,
            track_converge: TrackConverge::First,
            feedback: 0.0,
            goal_velocity: 0.0,
            max_speed: 20.0,
            max_acceleration: 0.0,
            track_solver: TrackSolver::Adaptive,
            damping_max: 0.5,
            damping_epsilon: 0.15,
            max_level: Demand::MAX_LEVEL,
        }
    }
}

/// How much of the work a solve does: level of detail for crowds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyDetail {
    /// Share of the iterations and attempts of the settings, 0 to 1; one iteration stays.
    pub iteration_share: f32,
    /// Highest priority level whose tasks count, where the settings have no lower one.
    pub max_level: u8,
}

impl BodyDetail {
    /// All that the settings allow.
    pub const FULL: Self = Self { iteration_share: 1.0, max_level: Demand::MAX_LEVEL };

    /// The settings with as much less.
    pub fn of(&self, settings: &BodySettings) -> BodySettings {
        let share = |count: u32| (count as f32 * crate::outcome::weight01(self.iteration_share)) as u32;
        BodySettings {
            max_iterations: share(settings.max_iterations).max(1),
            max_attempts: share(settings.max_attempts),
            attempt_iterations: share(settings.attempt_iterations).max(1),
            settle_iterations: share(settings.settle_iterations),
            track_iterations: share(settings.track_iterations).max(1),
            max_level: settings.max_level.min(self.max_level),
            ..*settings
        }
    }
}
