//! Limbs that follow the offsets of switches: while a switch moves a limb, a goal in the space of
//! one of its joints moves with it.
//!
//! Offsets are added to the solved pose, so a limb that follows was solved for where its space is
//! without them. It is brought along by what the offsets have moved the space, as far as its
//! weights go, before its own offset is added. It keeps its bend; joint limits are not looked at
//! again.

use super::avatar::Avatar;
use super::goal_places::GoalPlaces;
use super::ik_goal::{HumanoidInput, IkGoal};
use crate::closed_form::limb::{self, LimbGoal};
use crate::math::{Frame, slerp_short};
use crate::skeleton::{Pose, Skeleton};

/// The spaces of goals in the solved pose.
pub(crate) type SolvedSpaces = [Option<Frame>; 4];

/// See [`SolvedSpaces`].
pub(crate) fn solved_spaces(places: &GoalPlaces, skeleton: &Skeleton, pose: &Pose) -> SolvedSpaces {
    IkGoal::ALL.map(|goal| places.space_ms(skeleton, pose, goal))
}

/// Brings a limb along with the space of its goal, which in the solved pose was as in `solved`.
#[cold]
#[inline(never)]
pub(crate) fn follow(
    (skeleton, avatar, input): (&Skeleton, &Avatar, &HumanoidInput),
    places: &GoalPlaces,
    pose: &mut Pose,
    goal: IkGoal,
    solved: &SolvedSpaces,
) {
    let (Some(then), Some(now)) = (solved[goal.index()], places.space_ms(skeleton, pose, goal)) else { return };
    let (given, limb) = (&input.goals[goal.index()], avatar.limb(goal));
    if then == now || given.position_weight <= 0.0 && given.rotation_weight <= 0.0 {
        return;
    }
    pose.update_joints(skeleton, &avatar.core_joints);
    let end = pose.model(limb.joints.end());
    let at = places.at_point(goal, end);
    let carried_ms = then.point_in(at.position).map_or(at.position, |point_js| now.point_out(point_js));
    let turned_ms = now.rotation_out(then.rotation_in(end.rotation));
    let rotation_ms = slerp_short(end.rotation, turned_ms, given.rotation_weight);
    let lever = end.rotation.conjugate() * (at.position - end.position);
    let point_ms = at.position.lerp(carried_ms, given.position_weight);
    if given.position_weight > 0.0 {
        let limb_goal = LimbGoal {
            centre_ps: limb.centre_ps,
            stretch: limb.stretch,
            ..LimbGoal::at(point_ms - rotation_ms * lever, limb.bend_side_js)
        };
        limb::solve(skeleton, pose, &limb.joints, &limb_goal);
    }
    pose.set_rotation_ms(skeleton, limb.joints.end(), rotation_ms);
}
