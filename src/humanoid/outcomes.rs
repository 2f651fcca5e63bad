//! What the humanoid steps of a solve left: the outcome of each, and the limbs' rolls until they
//! are distributed.

use super::avatar::Avatar;
use super::ik_goal::IkGoal;
use super::lane_steps;
use super::look_at::WeightedGaze;
use super::settings::HumanoidSettings;
use super::twist::{self, TwistState};
use super::weighted_goals::{PlacedEnd, WeightedEnd};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{Pose, Skeleton};

/// What outcomes are measured from.
#[derive(Clone, Debug, Default)]
pub(crate) struct WeightedGoals {
    /// In [`IkGoal`] order.
    pub ends: [WeightedEnd; 4],
    /// In [`IkGoal`] order; counts in place of `ends` for goals that have a space or an effector
    /// point.
    pub placed: [Option<PlacedEnd>; 4],
    pub gaze: Option<WeightedGaze<f32>>,
}

/// Outcomes of the humanoid steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes {
    /// In [`IkGoal`] order.
    pub goals: [Outcome; 4],
    pub look_at: Outcome,
    /// There since the first constraint was added, which may move hands, feet or gaze later.
    pub weighted: Option<Box<WeightedGoals>>,
    /// Rolls of the solved limbs from before they were solved, where they are not distributed yet.
    twists: [Option<TwistState<f32>>; 4],
    /// Whether there are any.
    has_twists: bool,
}

impl Outcomes {
    /// No goal was active.
    pub fn clear(&mut self) {
        (self.goals, self.look_at) = ([Outcome::INACTIVE; 4], Outcome::INACTIVE);
        self.clear_twists();
    }
    /// Takes over the outcomes of look-at and limbs. Not `sound`: the pose was restored.
    #[inline(always)]
    pub fn set(&mut self, look_at: Outcome, goals: [Outcome; 4], sound: bool) {
        self.clear_twists();
        (self.look_at, self.goals) = (look_at, goals);
        let sizes = goals.map(|outcome| outcome.residual_m + outcome.residual_rad);
        let all = (sizes[0] + sizes[1]) + (sizes[2] + sizes[3]) + look_at.residual_rad;
        if !sound || !all.is_finite() {
            self.keep_finite(sound);
        }
    }
    #[inline(always)]
    fn clear_twists(&mut self) {
        if core::mem::take(&mut self.has_twists) {
            self.twists = [None; 4];
        }
    }
    /// Keeps the rolls of a limb for [`Self::share_twists`].
    pub fn keep_twist(&mut self, goal: IkGoal, twist: TwistState<f32>) {
        self.twists[goal.index()] = Some(twist);
        self.has_twists = true;
    }

    /// Replaces residuals that are not finite; not `sound`: the pose was restored.
    #[cold]
    pub fn keep_finite(&mut self, sound: bool) {
        if !sound {
            self.clear_twists();
        }
        for outcome in self.goals.iter_mut().chain([&mut self.look_at]) {
            if outcome.status != Status::Inactive {
                outcome.keep_finite(sound);
            }
        }
    }

    /// The limbs whose rolls are distributed in the twist step.
    pub fn twisted(&self) -> impl Iterator<Item = IkGoal> {
        IkGoal::ALL.into_iter().filter(|goal| self.has_twists && self.twists[goal.index()].is_some())
    }
    /// Distributes the rolls that the limbs' goals have added.
    pub fn share_twists(&self, skeleton: &Skeleton, avatar: &Avatar, settings: &HumanoidSettings, pose: &mut Pose) {
        if self.has_twists {
            share_twists(skeleton, avatar, settings, pose, &self.twists);
        }
    }
}

/// Distributes rolls that limbs' goals have added. `twists`: from before, of the limbs that count.
pub(super) fn share_twists(
    skeleton: &Skeleton,
    avatar: &Avatar,
    settings: &HumanoidSettings,
    pose: &mut Pose,
    twists: &[Option<TwistState<f32>>; 4],
) {
    let view = &mut ScaledPoseView { skeleton, pose };
    if settings.limits_enabled {
        let limbs = IkGoal::ALL.map(|goal| {
            let limb = avatar.limb(goal);
            Some((&limb.twist, &limb.joints, twists[goal.index()].as_ref()?))
        });
        return twist::share_limited(view, limbs);
    }
    lane_steps::share_twists(avatar, view, twists);
}
