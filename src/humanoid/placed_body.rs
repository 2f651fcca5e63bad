//! Goals of hands and feet with a space or an effector point in the whole-body solver.
//!
//! A goal in the space of a joint is a task between the two joints: both move. A hint is taken from
//! the pose before the body's solve. Where the solver has no orientation of an end as a task (a
//! hand with a position, but no rotation: it is turned back after the solve), the target of the
//! joint is moved by the lever to the effector point; an end that another limb follows, and one
//! with a point in a space, has the orientation as a task.

use super::avatar::Avatar;
use super::body_step::{Kept, Wanted};
use super::goal_places::GoalPlaces;
use super::ik_goal::{IkGoal, IkHint};
use super::outcomes::Outcomes;
use super::pose_steps::{AnimatedGoal, PoseSteps};
use super::weighted_goals::PlacedEnd;
use super::whole_body::{EndTasks, WholeBody, root};
use crate::math::{Quat, Vec3};
use crate::outcome::Status;
use crate::tasks::{Axes, Orientation, Position, RelativeOrientation, RelativePosition};

/// Distance that the body's solve may leave, as a part of the human scale: beyond, the end has
/// missed its goal.
const LEFT_OVER: f32 = 5e-4;

impl PoseSteps<'_> {
    /// The tasks of a hand or foot that has a space or a point, or that another limb follows.
    #[cold]
    #[inline(never)]
    pub(super) fn put_placed_end(
        &mut self,
        places: &GoalPlaces,
        whole: &mut WholeBody,
        goal: IkGoal,
        animated: &AnimatedGoal,
    ) -> Wanted {
        let (given, end) = (&self.input.goals[goal.index()], self.avatar.limb(goal).joints.end());
        let holds = goal.is_foot() && whole.settings().holds_feet;
        let now = self.pose.model(end);
        let (from_ms, before_ms) =
            if holds { (animated.position_ms, animated.rotation_ms) } else { (now.position, now.rotation) };
        let is_position = holds || given.position_weight > 0.0;
        let has_point = places.point_js(goal) != Vec3::ZERO;
        let is_rotation = holds
            || given.rotation_weight > 0.0
            || is_position && (places.is_followed(goal) || has_point && places.space(goal).is_some());
        let end_ms = self.wanted_rotation(goal, animated, before_ms);
        let wanted_ms = from_ms.lerp(self.target_ms(goal, animated, before_ms), given.position_weight);
        let lever = if is_rotation { self.lever(places, goal) } else { Vec3::ZERO };
        let point_ms = wanted_ms + end_ms * lever;
        let (absolute, relative) = (whole.ends[goal.index()], whole.placed[goal.index()]);
        let mut tasks = absolute;
        let space = places.space(goal).zip(places.space_ms(self.skeleton, self.pose, goal)).zip(relative);
        match space.filter(|_| given.position_weight > 0.0) {
            Some(((other, space_ms), relative)) => {
                tasks.position = relative.position;
                let other_point_js = space_ms.rotation.conjugate() * (point_ms - space_ms.position);
                let task = RelativePosition { joint: end, point_js: lever, other, other_point_js, axes: Axes::ALL };
                whole.put(relative.position, task, 1.0);
                whole.remove(absolute.position);
            }
            None if is_position => {
                let task = Position { joint: end, point_js: lever, goal: point_ms, axes: Axes::ALL };
                whole.put(absolute.position, task, 1.0);
            }
            None => whole.remove(absolute.position),
        }
        match space.filter(|_| given.rotation_weight > 0.0) {
            Some(((other, space_ms), relative)) => {
                tasks.rotation = relative.rotation;
                let rotation = (space_ms.rotation.conjugate() * end_ms).normalize();
                whole.put(relative.rotation, RelativeOrientation { joint: end, other, rotation, axes: Axes::ALL }, 1.0);
                whole.remove(absolute.rotation);
            }
            None if is_rotation => whole.put(absolute.rotation, Orientation::new(end, end_ms), 1.0),
            None => whole.remove(absolute.rotation),
        }
        let kept = (is_position && !is_rotation)
            .then(|| Kept { rotation_ms: now.rotation, incoming: self.pose.local()[end].rotation });
        let placed = self
            .placed_end(goal, animated, before_ms, wanted_ms)
            .map(|placed| PlacedEnd { is_position: given.position_weight > 0.0, ..placed });
        Wanted {
            position_ms: is_position.then_some(wanted_ms),
            rotation_ms: is_rotation.then_some(end_ms),
            kept,
            tasks,
            placed,
        }
    }

    /// A hint that is given in the space of its goal.
    #[cold]
    #[inline(never)]
    pub(super) fn hint_of_body_ms(&self, places: &GoalPlaces, hint: IkHint, position: Vec3) -> Vec3 {
        match places.space_ms(self.skeleton, self.pose, hint.goal()) {
            Some(space_ms) => space_ms.point_out(position),
            None => self.point_in(position),
        }
    }

    /// The outcomes of goals with a space or a point, measured at the point, in the space as it is
    /// after the solve.
    #[cold]
    #[inline(never)]
    pub(super) fn measure_placed_ends(&self, wanted: &[Wanted; 4], outcomes: &mut Outcomes) {
        let Some(places) = self.places else { return };
        for (goal, wanted) in IkGoal::ALL.into_iter().zip(wanted) {
            let (i, Some(placed)) = (goal.index(), wanted.placed) else { continue };
            let outcome = &mut outcomes.goals[i];
            if outcome.status == Status::Inactive {
                continue;
            }
            let goal_now = placed.carried(places.space_ms(self.skeleton, self.pose, goal).as_ref());
            let end = places.at_point(goal, self.pose.model(self.avatar.limb(goal).joints.end()));
            let measured = goal_now.measure_again(&end, self.world, self.avatar.human_scale(), *outcome);
            (outcome.residual_m, outcome.residual_rad) = (measured.residual_m, measured.residual_rad);
            let off = goal_now.position_ms.map_or(0.0, |wanted| (end.position - wanted).length());
            if outcome.status == Status::Reached && off > LEFT_OVER * self.avatar.human_scale().abs() {
                outcome.status = Status::Unreachable;
            }
            if let Some(weighted) = &mut outcomes.weighted {
                weighted.placed[i] = Some(placed);
            }
        }
    }
}

impl WholeBody {
    /// Makes the tasks of a goal in the space of a joint absent.
    #[cold]
    #[inline(never)]
    pub(super) fn remove_placed(&mut self, goal: IkGoal) {
        if let Some(EndTasks { position, rotation }) = self.placed[goal.index()] {
            self.remove(position);
            self.remove(rotation);
        }
    }
    /// Makes tasks for goals in the spaces of joints, and removes those of spaces before.
    /// Allocates.
    pub fn take_spaces(&mut self, avatar: &Avatar, places: Option<&GoalPlaces>) {
        for goal in IkGoal::ALL {
            let space = places.and_then(|places| places.space(goal));
            // A joint that the body does not move is a fixed place.
            let other = space.filter(|joint| avatar.skeleton().is_self_or_ancestor(root(avatar), *joint));
            if self.placed_in[goal.index()] == other {
                continue;
            }
            self.placed_in[goal.index()] = other;
            if let Some(EndTasks { position, rotation }) = self.placed[goal.index()].take() {
                self.drop_task(position);
                self.drop_task(rotation);
            }
            let Some(other) = other else { continue };
            let (joint, zero) = (avatar.limb(goal).joints.end(), Vec3::ZERO);
            let place = RelativePosition { joint, point_js: zero, other, other_point_js: zero, axes: Axes::ALL };
            let turn = RelativeOrientation { joint, other, rotation: Quat::IDENTITY, axes: Axes::ALL };
            self.placed[goal.index()] = self.add_end_tasks(goal, place, turn);
        }
    }
}
