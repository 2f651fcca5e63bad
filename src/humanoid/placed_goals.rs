//! Goals of hands and feet in model space as a limb's solve needs them: from world space or from
//! the space of a joint, for the joint of the hand or foot or for a point of it.
//!
//! **Space.** A position is mapped by the joint's whole frame, scale included, and a rotation by
//! its rotation and mirror signs: as from world space through the root. The frame is the one that
//! the local transforms of the pose give when the limb is solved.
//!
//! **Point.** The orientation that the end will have does not depend on where the limb puts it:
//! rotation weight 0 keeps the orientation from before the limb moved, 1 is the goal's
//! ([`PoseSteps::wanted_rotation`]). So the joint's target is the goal minus the lever from the
//! joint to the point in that orientation. At a partial position weight the joint is brought that
//! part of the way to its target.
//!
//! All of this is out of line: goals in world space for the joint itself do not come here.

use super::goal_places::GoalPlaces;
use super::ik_goal::IkGoal;
use super::pose_steps::{AnimatedGoal, PoseSteps};
use super::weighted_goals::PlacedEnd;
use crate::closed_form::limb::{self, LimbGoal};
use crate::math::{Quat, Vec3, length, slerp_short};
use crate::outcome::Outcome;
use crate::skeleton::JointIndex;

/// Rounds for a limb whose scales are uneven: there the lever depends on the limb's pose.
const POINT_ROUNDS: u32 = 6;

impl PoseSteps<'_> {
    /// The places of goals, of one that has such.
    #[inline(always)]
    pub(super) fn places_of(&self, goal: IkGoal) -> Option<&GoalPlaces> {
        self.places.filter(|places| places.is_placed(goal))
    }
    /// The target of a limb's end joint at full weight. `before_ms`: the orientation of the end
    /// before the limb moves.
    #[inline(always)]
    pub(super) fn target_ms(&self, goal: IkGoal, animated: &AnimatedGoal, before_ms: Quat) -> Vec3 {
        if let Some(places) = self.places_of(goal) {
            return self.placed_target_ms(places, goal, animated, before_ms);
        }
        self.input.goals[goal.index()].position.map_or(animated.position_ms, |p| self.point_in(p))
    }
    /// The point that a limb bends towards.
    #[inline(always)]
    pub(super) fn hint_ms(&self, goal: IkGoal, animated: &AnimatedGoal) -> Vec3 {
        if let Some(places) = self.places_of(goal) {
            return self.placed_hint_ms(places, goal, animated);
        }
        self.input.hints[goal.index()].position.map_or(animated.hint_ms, |p| self.point_in(p))
    }
    /// The orientation of a limb's end joint at full weight.
    #[inline(always)]
    pub(super) fn goal_rotation_ms(&self, goal: IkGoal, animated: &AnimatedGoal) -> Quat {
        if let Some(places) = self.places_of(goal) {
            return self.placed_rotation_ms(places, goal, animated);
        }
        match self.input.goals[goal.index()].rotation {
            Some(rotation_ws) => self.world.axes_in(rotation_ws) * self.avatar.limb(goal).goal_from_bone.conjugate(),
            None => animated.rotation_ms,
        }
    }

    #[cold]
    #[inline(never)]
    fn placed_target_ms(&self, places: &GoalPlaces, goal: IkGoal, animated: &AnimatedGoal, before_ms: Quat) -> Vec3 {
        let given = self.input.goals[goal.index()].position;
        let lever = self.lever(places, goal);
        let point_ms = match (places.space_ms(self.skeleton, self.pose, goal), given) {
            (Some(space_ms), Some(point_js)) => space_ms.point_out(point_js),
            (Some(space_ms), None) => space_ms.point_out(places.animated(goal).point_js),
            (None, Some(point_ws)) => self.point_in(point_ws),
            (None, None) => animated.position_ms + animated.rotation_ms * lever,
        };
        point_ms - self.wanted_rotation(goal, animated, before_ms) * lever
    }
    #[cold]
    #[inline(never)]
    fn placed_hint_ms(&self, places: &GoalPlaces, goal: IkGoal, animated: &AnimatedGoal) -> Vec3 {
        match (places.space_ms(self.skeleton, self.pose, goal), self.input.hints[goal.index()].position) {
            (Some(space_ms), Some(point_js)) => space_ms.point_out(point_js),
            (Some(space_ms), None) => space_ms.point_out(places.animated(goal).hint_js),
            (None, Some(point_ws)) => self.point_in(point_ws),
            (None, None) => animated.hint_ms,
        }
    }
    #[cold]
    #[inline(never)]
    fn placed_rotation_ms(&self, places: &GoalPlaces, goal: IkGoal, animated: &AnimatedGoal) -> Quat {
        let bone_from_goal = self.avatar.limb(goal).goal_from_bone.conjugate();
        match (places.space_ms(self.skeleton, self.pose, goal), self.input.goals[goal.index()].rotation) {
            (Some(space_ms), Some(rotation_js)) => space_ms.axes_out(rotation_js) * bone_from_goal,
            (Some(space_ms), None) => space_ms.rotation_out(places.animated(goal).rotation_js),
            (None, Some(rotation_ws)) => self.world.axes_in(rotation_ws) * bone_from_goal,
            (None, None) => animated.rotation_ms,
        }
    }

    /// From a limb's end joint to its effector point, as a vector that turns with the joint. Exact
    /// unless a scale above the joint is uneven.
    pub(super) fn lever(&self, places: &GoalPlaces, goal: IkGoal) -> Vec3 {
        let (point_js, end) = (places.point_js(goal), self.pose.model(self.avatar.limb(goal).joints.end()));
        if end.is_rigid() { point_js } else { end.rotation.conjugate() * end.vector_out(point_js) }
    }

    /// What the outcome of a limb is measured from once all are solved: `wanted_ms` is where its
    /// end joint is to be. On the pose that [`Self::target_ms`] was computed on.
    #[cold]
    #[inline(never)]
    pub(super) fn placed_end(
        &self,
        goal: IkGoal,
        animated: &AnimatedGoal,
        before_ms: Quat,
        wanted_ms: Vec3,
    ) -> Option<PlacedEnd> {
        let places = self.places_of(goal)?;
        let rotation_ms = self.wanted_rotation(goal, animated, before_ms);
        Some(PlacedEnd {
            point_ms: wanted_ms + rotation_ms * self.lever(places, goal),
            rotation_ms,
            space_ms: places.space_ms(self.skeleton, self.pose, goal),
            is_position: true,
            is_rotation: self.input.goals[goal.index()].rotation_weight > 0.0,
        })
    }

    /// Brings the effector point of a limb that was just solved where it is to be once the end has
    /// turned, where uneven scales have changed the lever.
    #[cold]
    #[inline(never)]
    pub(super) fn fit_point(
        &mut self,
        goal: IkGoal,
        wanted_ms: Vec3,
        placed: &PlacedEnd,
        limb_goal: &LimbGoal,
        outcome: &mut Outcome,
    ) {
        let Some(places) = self.places_of(goal) else { return };
        let (point_js, joints) = (places.point_js(goal), &self.avatar.limb(goal).joints);
        if point_js == Vec3::ZERO || self.pose.model(joints.end()).is_rigid() {
            return;
        }
        let mut goal = LimbGoal { target_ms: wanted_ms, weight: 1.0, ..*limb_goal };
        for _ in 0..POINT_ROUNDS {
            let parent = self.pose.parent_frame(self.skeleton, joints.end());
            let mut local = self.pose.local()[joints.end()];
            local.rotation = parent.rotation_in(placed.rotation_ms);
            let off = parent.then(&local).point_out(point_js) - placed.point_ms;
            if length(off) <= 1e-6 * self.avatar.human_scale().abs() {
                return;
            }
            goal.target_ms -= off;
            *outcome = limb::solve(self.skeleton, self.pose, joints, &goal);
            // It is as long as it is now.
            goal.stretch = 0.0;
        }
    }

    /// The part of its way by which the goal of a limb stays where it is when a joint of the trunk
    /// moves or turns: 0 where the joint takes it along, 1 where it does not. In the space of
    /// another limb's end, as much as that one stays on its own goal.
    pub(super) fn staying(&self, joint: JointIndex, goal: IkGoal) -> f32 {
        let Some((places, space)) = self.places.and_then(|places| Some((places, places.space(goal)?))) else {
            return 1.0;
        };
        let own = if self.skeleton.is_self_or_ancestor(joint, space) { 0.0 } else { 1.0 };
        match places.carrier(self.skeleton, self.avatar, goal) {
            Some(carrier) => {
                let weight = self.input.goals[carrier.index()].position_weight;
                let with_carrier = if weight > 0.0 { self.staying(joint, carrier) } else { own };
                own * (1.0 - weight) + with_carrier * weight
            }
            None => own,
        }
    }
    /// [`Self::target_ms`] before any limb is solved: in the space of another limb's end, where
    /// that is to go.
    pub(super) fn expected_target_ms(&self, goal: IkGoal, animated: &[AnimatedGoal; 4]) -> Vec3 {
        let end = |goal: IkGoal| self.pose.model(self.avatar.limb(goal).joints.end());
        let target_ms = self.target_ms(goal, &animated[goal.index()], end(goal).rotation);
        let carrier = self.places.and_then(|places| places.carrier(self.skeleton, self.avatar, goal));
        let is_moved = |goal: &IkGoal| {
            let given = &self.input.goals[goal.index()];
            given.position_weight > 0.0 || given.rotation_weight > 0.0
        };
        let Some(carrier) = carrier.filter(is_moved) else { return target_ms };
        let (i, from) = (carrier.index(), end(carrier));
        let to_ms = from.position.lerp(self.expected_target_ms(carrier, animated), self.input.goals[i].position_weight);
        let turn = self.wanted_rotation(carrier, &animated[i], from.rotation) * from.rotation.conjugate();
        to_ms + turn * (target_ms - from.position)
    }

    /// The orientation that an end is to have, model space: rotation weight 0 keeps the one from
    /// before the limb moved, 1 is the goal's.
    pub(super) fn wanted_rotation(&self, goal: IkGoal, animated: &AnimatedGoal, before_ms: Quat) -> Quat {
        let goal_ms = self.goal_rotation_ms(goal, animated);
        slerp_short(before_ms, goal_ms.normalize(), self.input.goals[goal.index()].rotation_weight)
    }
}
