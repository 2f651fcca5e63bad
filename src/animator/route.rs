//! Which view of the pose a frame runs on: one question per step, and the answer of the most
//! demanding step decides.

use super::frame::FrameStep;
use crate::humanoid::active_goals::ActiveGoals;
use crate::humanoid::{Avatar, HumanoidInput, HumanoidSettings};

/// The views a frame can run on, from the cheapest. A step that can run on one can run on all behind
/// it. All give the same bits where both can run, but for rounding between [`Self::Pose`] and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Route {
    /// Eight poses side by side in a tile; the animators' own poses are not used.
    Tile,
    /// Eight poses gathered from the animators and scattered back, for a step that goes on from
    /// each animator's own pose.
    Gathered,
    /// One pose without scale.
    Single,
    /// One pose with everything that can be set.
    Pose,
}

/// What settings and avatar make a step need; changes only when they do.
pub(super) fn needed_by_settings(step: FrameStep, settings: &HumanoidSettings, avatar: &Avatar) -> Route {
    let any = |weights: &[f32]| weights.iter().any(|w| *w > 0.0);
    let needs_pose = match step {
        FrameStep::Spine => settings.spine_weight > 0.0 || any(&settings.pull_weights),
        FrameStep::Limbs => settings.limits_enabled || avatar.feet_spacing() > 0.0 || any(&settings.shoulder_weights),
        _ => false,
    };
    if needs_pose { Route::Pose } else { Route::Tile }
}

/// What the input makes a step need.
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
        FrameStep::Body if input.body_position.is_some() || input.body_rotation.is_some() => Route::Pose,
        // A goal without a position or rotation of its own means the animation's.
        FrameStep::Limbs if !active_goals.all_specified() => Route::Pose,
        FrameStep::Switches if has_switches => Route::Gathered,
        _ => Route::Tile,
    }
}
