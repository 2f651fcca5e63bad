//! The grounder of one character: settings, feet, state.

use super::foot::FootModel;
use super::leg::{LegPose, LegState, Placed, Stage};
use super::limb::LegResult;
use super::motion::Exponentials;
use super::past::{PastBody, PastLeg};
use super::pelvis::Pelvis;
use super::query::{Hit, Query};
use super::settings::GrounderSettings;
use super::stepping::{StepState, Stepper, SteppingSettings};
use crate::math::{Quat, Vec3};
use bytemuck::{Pod, Zeroable};

/// Whether the character stands on ground at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Grounded {
    /// From the ground below the feet (see [`GrounderSettings::airborne_height`]).
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It jumps, falls or swims.
    No,
}

/// The character in a frame, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrounderFrame {
    /// A point of the plane that the animation walks on: the character's root.
    pub root_ws: Vec3,
    /// Rotation of the root. Only its turn about up counts.
    pub rotation_ws: Quat,
    /// Unit normal of that plane: up, wherever that is.
    pub up_ws: Vec3,
    /// Pivot of the body: the pelvis. Body tilt turns about it.
    pub pelvis_ws: Vec3,
    /// Seconds since the last frame; 0 (and below 10 µs) pauses: the result of the last frame's
    /// state is given again, and nothing of it lasts.
    pub dt_s: f32,
    /// Whether the character stands on ground.
    pub grounded: Grounded,
}

/// At the origin, up along Y, a sixtieth of a second long.
impl Default for GrounderFrame {
    fn default() -> Self {
        Self {
            root_ws: Vec3::ZERO,
            rotation_ws: Quat::IDENTITY,
            up_ws: Vec3::Y,
            pelvis_ws: Vec3::ZERO,
            dt_s: 1.0 / 60.0,
            grounded: Grounded::Auto,
        }
    }
}

/// What is to be done with the body.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BodyResult {
    /// Displacement of the pelvis, world space, metres (or the host's unit, as all lengths outside
    /// of settings). A host's capsule may follow it.
    pub offset_ws: Vec3,
    /// Turn of the body about the pelvis, world space.
    pub turn_ws: Quat,
    /// Unit normal of the ground under the feet, world space: of the plane through three contacts
    /// or more, else the mean of the normals under planted feet, which it follows with the
    /// settings' `tilt_time`.
    pub ground_normal_ws: Vec3,
    /// Part of the correction that is in force: 1 on the ground, 0 in the air.
    pub presence: f32,
    /// Feet locked to the ground.
    pub planted: u32,
}

/// What lasts between frames, beside the legs.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BodyState {
    pub pelvis: Pelvis,
    pub root: Vec3,
    pub rotation: Quat,
    pub velocity: Vec3,
    pub last_dt: f32,
    pub presence: f32,
    /// Mean height of the ground under planted feet, kept while there are none.
    pub mean: f32,
    pub airborne: u32,
    /// It jumps or falls: the feet go with the body until it comes down.
    pub flies: u32,
    /// How high the root was over the highest ground below, and has gone up over it since, metres;
    /// and how that grows along its way: the ground's normal over its part along up, less up.
    pub over: f32,
    pub slope: Vec3,
    /// Mean normal of the ground under planted feet, less up.
    pub lean: Vec3,
    /// For how many seconds it has gone up over that, and how long it has gone neither up nor down.
    pub rising: f32,
    pub still: f32,
    pub started: u32,
    /// Seconds from the last whole step to the last frame.
    pub since: f32,
    /// There were queries along the way since then.
    pub looked: u32,
    /// How often there were, odd or even.
    pub turns: u32,
    pub past: PastBody,
    /// The settings' scale that all lengths which last are divided by.
    pub scale: f32,
}

impl BodyState {
    fn new(settings: &GrounderSettings) -> Self {
        let scale = settings.limited_scale();
        Self { presence: 1.0, rotation: Quat::IDENTITY, scale, ..Self::default() }
    }
}

/// What goes in and comes out, in the host's unit of length.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    pub feet: Vec<FootModel>,
    /// Of the frame under way, or the last one.
    pub poses: Vec<LegPose>,
    pub queries: Vec<Query>,
    /// Of the last finished frame.
    pub results: Vec<LegResult>,
    pub result: BodyResult,
    /// Its pelvis, for debug lines.
    pub pelvis_ws: Option<Vec3>,
}

/// All that lasts between frames as it was when the frame under way began, which leaves no trace
/// where it is not finished, or is a pause.
#[derive(Clone, Debug, Default)]
pub(super) struct Begun {
    pub body: BodyState,
    pub legs: Vec<LegState>,
    pub past: Vec<PastLeg>,
    /// Empty where feet do not step by themselves.
    pub steps: Vec<StepState>,
}

/// Grounds one character: see the [module](super).
#[derive(Clone, Debug)]
pub struct Grounder {
    pub(super) settings: GrounderSettings,
    pub(super) outside: Outside,
    // All lengths from here on are divided by the scale.
    pub(super) feet: Vec<FootModel>,
    /// The scale that these were divided by, 0 where one of them was changed since.
    pub(super) feet_scale: f32,
    pub(super) legs: Vec<LegState>,
    pub(super) past: Vec<PastLeg>,
    pub(super) body: BodyState,
    // Of the frame under way.
    pub(super) frame: Option<(GrounderFrame, Stage)>,
    pub(super) given: Vec<LegPose>,
    pub(super) poses: Vec<LegPose>,
    pub(super) queries: Vec<Query>,
    pub(super) answers: Vec<Hit>,
    pub(super) begun: Begun,
    /// What a step that is taken back started from.
    pub(super) kept: Vec<LegState>,
    pub(super) kept_body: BodyState,
    pub(super) first_query: Vec<usize>,
    pub(super) placed: Vec<Placed>,
    pub(super) results: Vec<LegResult>,
    pub(super) result: BodyResult,
    pub(super) stepper: Option<Box<Stepper>>,
    /// Of the last frame's time step: no state.
    pub(super) exponentials: Exponentials,
}

impl Grounder {
    /// For a character with one leg per foot model. Allocates; nothing after this does.
    pub fn new(feet: &[FootModel], settings: GrounderSettings) -> Self {
        let count = feet.len();
        let result = BodyResult { turn_ws: Quat::IDENTITY, presence: 1.0, ..BodyResult::default() };
        Self {
            settings,
            outside: Outside {
                feet: feet.to_vec(),
                poses: Vec::with_capacity(count),
                queries: Vec::with_capacity(count * 5),
                results: Vec::with_capacity(count),
                result,
                pelvis_ws: None,
            },
            feet: feet.to_vec(),
            feet_scale: 0.0,
            legs: vec![LegState::new(); count],
            past: vec![PastLeg::default(); count],
            body: BodyState::new(&settings),
            frame: None,
            given: Vec::with_capacity(count),
            poses: Vec::with_capacity(count),
            queries: Vec::with_capacity(count * 5),
            answers: Vec::with_capacity(count * 5),
            begun: Begun {
                legs: Vec::with_capacity(count),
                past: Vec::with_capacity(count),
                steps: Vec::with_capacity(count),
                ..Begun::default()
            },
            kept: Vec::with_capacity(count),
            kept_body: BodyState::default(),
            first_query: Vec::with_capacity(count + 1),
            placed: Vec::with_capacity(count),
            results: Vec::with_capacity(count),
            result,
            stepper: None,
            exponentials: Exponentials::new(),
        }
    }

    /// Number of legs.
    pub fn leg_count(&self) -> usize {
        self.feet.len()
    }

    /// Settings in force.
    pub fn settings(&self) -> &GrounderSettings {
        &self.settings
    }

    /// Changes the settings; the state stays. Another scale counts from the next frame that begins.
    pub fn set_settings(&mut self, settings: GrounderSettings) {
        self.settings = settings;
    }

    /// Foot model of a leg.
    pub fn foot(&self, leg: usize) -> Option<&FootModel> {
        self.outside.feet.get(leg)
    }

    /// Changes a foot model (other shoes). `false` when there is no such leg.
    pub fn set_foot(&mut self, leg: usize, foot: FootModel) -> bool {
        let Some(own) = self.outside.feet.get_mut(leg) else { return false };
        *own = foot;
        self.take_foot(leg);
        self.feet_scale = 0.0;
        true
    }

    /// Makes the feet step by themselves: the legs of each frame are then the homes of the feet,
    /// where they would stand if the body stood still there. `groups` has the group of each leg,
    /// of which one swings at a time; empty: alternating around the body (a biped's walk, a trot,
    /// a tripod). `None` ends it. With groups as before only the settings change, and steps go on;
    /// otherwise it allocates, and steps start anew. `false` when the number of groups is neither
    /// none nor that of the legs.
    pub fn set_stepping(&mut self, stepping: Option<SteppingSettings>, groups: &[u32]) -> bool {
        let count = self.feet.len();
        if !groups.is_empty() && groups.len() != count {
            return false;
        }
        if let (Some(stepper), Some(settings)) = (&mut self.stepper, stepping)
            && stepper.groups == groups
        {
            stepper.settings = settings;
            return true;
        }
        self.forget();
        self.stepper = stepping.map(|settings| Box::new(Stepper::new(settings, groups, count)));
        true
    }

    /// How the feet step by themselves, if they do.
    pub fn stepping(&self) -> Option<&SteppingSettings> {
        self.stepper.as_ref().map(|stepper| &stepper.settings)
    }

    /// The groups that were given with them; empty: alternating around the body.
    pub fn stepping_groups(&self) -> &[u32] {
        self.stepper.as_ref().map_or(&[], |stepper| &stepper.groups)
    }

    /// Forgets everything: after a teleport or a cut. The next frame starts as the first.
    pub fn reset(&mut self) {
        self.legs.fill(LegState::new());
        self.past.fill(PastLeg::default());
        if let Some(stepper) = &mut self.stepper {
            stepper.reset();
        }
        self.body = BodyState::new(&self.settings);
        self.drop_frame();
    }

    /// Ends the frame under way, if there is one; with its queries, as those of the last finished
    /// frame, which its answers belong to, are gone.
    pub(super) fn drop_frame(&mut self) -> bool {
        let was_under_way = self.frame.take().is_some();
        if was_under_way {
            self.outside.queries.clear();
        }
        was_under_way
    }

    /// Whether a frame has begun and is not finished.
    pub fn is_under_way(&self) -> bool {
        self.frame.is_some()
    }

    /// Queries of the frame under way; without one, of the last finished frame, or none where a
    /// frame was forgotten since.
    pub fn queries(&self) -> &[Query] {
        &self.outside.queries
    }

    /// Both phases, each query answered by a callback.
    pub fn solve_with(
        &mut self,
        frame: &GrounderFrame,
        poses: &[LegPose],
        hits: &mut Vec<Hit>,
        mut cast: impl FnMut(&Query) -> Hit,
    ) -> Option<(&BodyResult, &[LegResult])> {
        self.begin(frame, poses)?;
        hits.clear();
        hits.extend(self.outside.queries.iter().map(&mut cast));
        self.finish(hits)
    }

    pub(super) fn pelvis_ws(&self) -> Option<Vec3> {
        self.outside.pelvis_ws
    }

    /// Results of the last finished frame.
    pub fn results(&self) -> (&BodyResult, &[LegResult]) {
        (&self.outside.result, &self.outside.results)
    }
}
