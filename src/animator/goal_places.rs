//! Where goals of hands and feet are given: the space of a joint in place of world space, and a
//! point of the hand or foot in place of its joint.

use super::animator::Animator;
use super::error::AnimatorError;
use super::goals::FrameOf;
use crate::constraints::point_in;
use crate::humanoid::IkGoal;
use crate::humanoid::goal_places::{GoalPlaces, is_of_limb, point_in_space};
use crate::math::{Quat, Vec3};
use crate::skeleton::JointIndex;

impl Animator {
    /// Sets the space in which position, rotation and hint of a hand or foot are given: that of a
    /// joint of the character, or world space with `None`, the default. Stays until changed, or
    /// cleared by [`Self::reset_ik`]; numbers that are set already are read in the new space.
    ///
    /// The joint counts as the frame has left it when the limb is solved: after bone overrides,
    /// body, spine and look-at and after constraints that are placed before
    /// [`super::FrameStep::Limbs`]. A joint of another limb counts after that limb was solved and
    /// its end has turned: limbs are solved in the order of their spaces. Positions are mapped by
    /// the joint's whole frame, scale included (Unity's `Transform.TransformPoint`), rotations by
    /// its rotation and mirror signs. A goal whose position, rotation or hint was never set is
    /// where the animation has it in that space. With the whole-body solver both ends move to meet
    /// such a goal, and the hint is taken from the pose before that solve.
    ///
    /// [`AnimatorError::NoSuchJoint`]; [`AnimatorError::SpaceOfOwnLimb`] for a joint on or below
    /// the goal's own limb, from upper arm or thigh on; [`AnimatorError::SpacesInCircle`] where
    /// limbs would follow one another in a circle. The first call allocates, and each that changes
    /// a space while the whole-body solver is on.
    pub fn set_ik_goal_space(&mut self, goal: IkGoal, space: Option<JointIndex>) -> Result<(), AnimatorError> {
        let Self { skeleton, humanoid, .. } = self;
        let humanoid = humanoid.as_deref_mut().ok_or(AnimatorError::NotHumanoid)?;
        if let Some(joint) = space {
            if joint >= skeleton.joint_count() {
                return Err(AnimatorError::NoSuchJoint(joint));
            }
            if is_of_limb(skeleton, humanoid.avatar.limb(goal), joint) {
                return Err(AnimatorError::SpaceOfOwnLimb { goal, joint });
            }
        }
        if humanoid.places_of(goal).and_then(|places| places.space(goal)) == space {
            return Ok(());
        }
        let changed = humanoid.change_place(goal, |places, avatar| places.set_space(avatar, goal, space).then_some(()));
        if let (None, Some(joint)) = (changed, space) {
            return Err(AnimatorError::SpacesInCircle { goal, joint });
        }
        self.take_goal_spaces();
        Ok(())
    }
    /// See [`Self::set_ik_goal_space`].
    pub fn ik_goal_space(&self, goal: IkGoal) -> Result<Option<JointIndex>, AnimatorError> {
        Ok(self.humanoid()?.places_of(goal).and_then(|places| places.space(goal)))
    }
    /// Sets the point of a hand or foot that its goal position is for: in the space of the hand or
    /// foot joint, metres of that space, along the bone's own axes. Default zero: the joint. Stays
    /// until changed, or cleared by [`Self::reset_ik`]. The hand or foot turns as without it.
    /// Allocates the first time.
    pub fn set_ik_effector_point(&mut self, goal: IkGoal, point_js: Vec3) -> Result<(), AnimatorError> {
        if point_js == self.ik_effector_point(goal)? {
            return Ok(());
        }
        let humanoid = self.humanoid_mut()?;
        humanoid.change_place(goal, |places, _| {
            places.set_point(goal, point_js);
            Some(())
        });
        Ok(())
    }
    /// See [`Self::set_ik_effector_point`].
    pub fn ik_effector_point(&self, goal: IkGoal) -> Result<Vec3, AnimatorError> {
        Ok(self.humanoid()?.places_of(goal).map_or(Vec3::ZERO, |places| places.point_js(goal)))
    }
    /// Whether the next change of a space or a point allocates.
    #[cfg(feature = "record")]
    pub(crate) fn needs_memory_for_places(&self) -> bool {
        self.humanoid.as_deref().is_some_and(|humanoid| humanoid.needs_memory_for_places())
    }
    /// Hands the spaces to the whole-body solver, after they have changed.
    pub(super) fn take_goal_spaces(&mut self) {
        if let (Some(humanoid), Some(whole_body)) = (self.humanoid.as_deref(), &mut self.state.whole_body) {
            whole_body.take_spaces(&humanoid.avatar, humanoid.places());
        }
    }

    /// A point of model space as a goal has it, by the frames of joints.
    #[cold]
    #[inline(never)]
    pub(super) fn point_of_goal(
        &self,
        places: &GoalPlaces,
        goal: IkGoal,
        point_ms: Vec3,
        frame: impl FrameOf,
    ) -> Result<Vec3, AnimatorError> {
        match places.space(goal) {
            Some(space) => Ok(point_in_space(&frame(space)?, point_ms)),
            None => Ok(self.world_from_model.point_out(point_ms)),
        }
    }
    /// Position and rotation of the goal of a limb that is as in the current pose.
    pub(super) fn goal_of_pose(&self, goal: IkGoal) -> Result<(Vec3, Quat), AnimatorError> {
        let (mut position_ms, rotation_ms) = self.goal_of_pose_ms(goal)?;
        let humanoid = self.humanoid()?;
        let Some(places) = humanoid.places_of(goal) else {
            return Ok((self.world_from_model.point_out(position_ms), self.world_from_model.axes_out(rotation_ms)));
        };
        position_ms = places.at_point(goal, self.joint_ms(humanoid.avatar.limb(goal).joints.end())).position;
        let position = self.point_of_goal(places, goal, position_ms, |joint| Ok(self.joint_ms(joint)))?;
        Ok(match places.space(goal) {
            Some(space) => (position, self.joint_ms(space).axes_in(rotation_ms)),
            None => (position, self.world_from_model.axes_out(rotation_ms)),
        })
    }
    /// A point of world space as a goal has it, in the current pose.
    pub(super) fn goal_point_of_ws(&self, goal: IkGoal, point_ws: Vec3) -> Result<Vec3, AnimatorError> {
        match self.ik_goal_space(goal)? {
            Some(space) => Ok(point_in_space(&self.joint_ms(space), point_in(&self.world_from_model, point_ws))),
            None => Ok(point_ws),
        }
    }
    /// A point as a goal has it, in world space.
    pub(super) fn goal_point_ws(&self, goal: IkGoal, point: Vec3) -> Vec3 {
        match self.ik_goal_space(goal) {
            Ok(Some(space)) => self.world_from_model.point_out(self.joint_ms(space).point_out(point)),
            _ => point,
        }
    }
    /// A rotation as a goal has it, in world space.
    pub(super) fn goal_rotation_ws(&self, goal: IkGoal, rotation: Quat) -> Quat {
        match self.ik_goal_space(goal) {
            Ok(Some(space)) => self.world_from_model.axes_out(self.joint_ms(space).axes_out(rotation)),
            _ => rotation,
        }
    }
}
