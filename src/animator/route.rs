//! Selection of the view of the pose that a frame runs on (fast paths and their fallbacks): one
//! function answers for each step, and the most demanding step decides.

use super::frame::FrameStep;
use crate::humanoid::active_goals::ActiveGoals;
use crate::humanoid::{Avatar, HumanoidInput, HumanoidSettings};

/// The views that a frame can run on, the fastest first. A step that can run on one can run on all
/// later ones. All give the same bits where several can run, except for rounding between
/// [`Self::Pose`] and the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Route {
    /// Eight poses side by side in a tile; the animators' own poses are not used.
    Tile,
    /// Eight poses gathered from the animators and scattered back, for a step that continues on
    /// each animator's own pose.
    Gathered,
    /// One pose without scale. Where limits count, what is beyond them is solved again on
    /// [`Self::Pose`].
    Single,
    /// One pose, with every feature. The fallback.
    Pose,
}

/// The route that settings and avatar require for a step; changes only when they do.
pub(super) fn needed_by_settings(step: FrameStep, settings: &HumanoidSettings, avatar: &Avatar) -> Route {
    let any = |weights: &[f32]| weights.iter().any(|w| *w > 0.0);
    let needs_pose = match step {
        FrameStep::Spine => settings.spine_weight > 0.0 || any(&settings.pull_weights),
        FrameStep::Limbs => {
            let swivels = settings.bend_weight > 0.0 || settings.trunk_avoidance > 0.0;
            swivels || avatar.feet_spacing() > 0.0 || any(&settings.shoulder_weights)
        }
        _ => false,
    };
    match needs_pose {
        true => Route::Pose,
        false if settings.limits_enabled && matches!(step, FrameStep::LookAt | FrameStep::Limbs) => Route::Single,
        false => Route::Tile,
    }
}

/// The route that the input requires for a step.
#[inline(always)]
pub(super) fn needed_by_input(
    step: FrameStep,
    input: &HumanoidInput,
    active_goals: ActiveGoals,
    overrides_bones: bool,
    has_switches: bool,
) -> Route {
    match step {
        FrameStep::Overrides if overrides_bones => Route::Single,
        FrameStep::Body if input.places_body() => Route::Pose,
        // A goal without a position or rotation uses the animation's.
        FrameStep::Limbs if !active_goals.all_specified() => Route::Pose,
        FrameStep::Switches if has_switches => Route::Gathered,
        _ => Route::Tile,
    }
}
