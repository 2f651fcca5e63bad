//! Goals in the spaces of forearms, thighs and shins after the whole-body solver: the rolls of
//! limbs are distributed after it, which turns these joints and takes the goals along.
//!
//! So the rolls of limbs that others follow are distributed at once, as by the separate steps, and
//! a hand or foot whose space has turned by that goes along: its limb alone brings it by the way
//! that the goal has gone, within limits.

use super::body_step::{Kept, Wanted};
use super::goal_places::GoalPlaces;
use super::ik_goal::IkGoal;
use super::outcomes::Outcomes;
use super::pose_steps::PoseSteps;
use super::twist::TwistState;
use super::whole_body::WholeBody;
use crate::closed_form::limb::{self, LimbGoal};
use crate::math::{Frame, Vec3};
use crate::skeleton::joint_view::ScaledPoseView;

/// Rounds of a limb that limits turn back from where it was brought.
const ROUNDS: u32 = 4;

impl PoseSteps<'_> {
    /// Distributes the rolls of limbs that others follow, and takes those along. `twists`: from
    /// before the solve.
    #[cold]
    #[inline(never)]
    pub(super) fn follow_twists(
        &mut self,
        places: &GoalPlaces,
        whole: &WholeBody,
        wanted: &[Wanted; 4],
        twists: &[TwistState<f32>; 4],
        outcomes: &mut Outcomes,
    ) {
        let solved = IkGoal::ALL.map(|goal| places.space_ms(self.skeleton, self.pose, goal));
        for goal in places.order() {
            let i = goal.index();
            if let Some(space) = &solved[i] {
                self.go_along(places, whole, goal, &wanted[i], space);
            }
            let view = ScaledPoseView { skeleton: self.skeleton, pose: &mut *self.pose };
            let mut twist = twists[i].after_solve(&view, &self.avatar.limb(goal).joints);
            if places.is_followed(goal) {
                twist = self.finish_followed(goal, &mut None, twist);
            }
            outcomes.keep_twist(goal, twist);
        }
    }

    /// Brings an end along with its space, which was at `solved` when the end was placed.
    fn go_along(&mut self, places: &GoalPlaces, whole: &WholeBody, goal: IkGoal, wanted: &Wanted, solved: &Frame) {
        let Some(placed) = wanted.placed else { return };
        let now = places.space_ms(self.skeleton, self.pose, goal);
        if now.as_ref() == Some(solved) {
            return;
        }
        let (limb, size) = (self.avatar.limb(goal), self.avatar.human_scale().abs());
        let [root, mid, end] = [limb.joints.root(), limb.joints.mid(), limb.joints.end()];
        limb::update_frames(self.skeleton, self.pose, &limb.joints);
        let (was, is) = (placed.carried(Some(solved)), placed.carried(now.as_ref()));
        let way_ms = was.position_ms.zip(is.position_ms).map_or(Vec3::ZERO, |(was, is)| is - was);
        let frame = self.pose.model(end);
        let mut rotation_ms = frame.rotation;
        if let (Some(was), Some(is)) = (was.rotation_ms, is.rotation_ms) {
            rotation_ms = (is * was.conjugate() * rotation_ms).normalize();
        }
        let incoming = self.pose.local()[end].rotation;
        if placed.is_position {
            let lever = self.lever(places, goal);
            let target_ms = frame.position + frame.rotation * lever + way_ms - rotation_ms * lever;
            let before = [root, mid].map(|joint| (joint, self.pose.local()[joint].rotation));
            let mut limb_goal = LimbGoal { centre_ps: limb.centre_ps, ..LimbGoal::at(target_ms, limb.bend_side_js) };
            for _ in 0..ROUNDS {
                limb::solve(self.skeleton, self.pose, &limb.joints, &limb_goal);
                for (joint, before) in before {
                    let limit = whole.limits().limit_in(self.skeleton, self.pose, joint);
                    let local = limit.limited_beside(self.pose.local()[joint].rotation, before);
                    self.pose.put_rotation(joint, local);
                    limb::update_frames(self.skeleton, self.pose, &limb.joints);
                }
                let off = target_ms - self.pose.model(end).position;
                if off.length() <= 1e-5 * size {
                    break;
                }
                limb_goal.target_ms += off;
            }
        }
        self.keep_orientation(whole, end, Kept { rotation_ms, incoming });
    }
}
