//! Goals of a [`SinewHumanoidIK`] in the spaces of bones, and its effector points.

use crate::bones::BoneTable;
use crate::convert::vec3;
use crate::humanoid_ik::SinewHumanoidIK;
use sinew::humanoid::IkGoal;
use sinew::math::Vec3;

/// Names of the properties, in the order of goals.
const SPACES: [&str; 4] =
    ["left_foot_goal_space", "right_foot_goal_space", "left_hand_goal_space", "right_hand_goal_space"];

impl SinewHumanoidIK {
    /// The bone of each goal's space; empty: world space.
    pub(crate) fn goal_spaces(&self) -> [String; 4] {
        [
            &self.left_foot_goal_space,
            &self.right_foot_goal_space,
            &self.left_hand_goal_space,
            &self.right_hand_goal_space,
        ]
        .map(|name| name.to_string())
    }
    /// The point of each hand and foot that goes to its goal.
    pub(crate) fn effector_points(&self) -> [Vec3; 4] {
        [
            self.left_foot_effector_point,
            self.right_foot_effector_point,
            self.left_hand_effector_point,
            self.right_hand_effector_point,
        ]
        .map(|point| Some(vec3(point)).filter(|point| point.is_finite()).unwrap_or(Vec3::ZERO))
    }
    /// Whether a goal has a space or a point.
    pub(crate) fn has_places(&self) -> bool {
        self.space_joints.iter().any(Option::is_some) || self.effector_points().iter().any(|point| *point != Vec3::ZERO)
    }
    /// Whether a goal is in the space of a bone.
    pub(crate) fn is_in_space(&self, goal: usize) -> bool {
        self.space_joints[goal].is_some()
    }
    /// Whether a space was set to another bone since the last call.
    pub(crate) fn take_changed_spaces(&mut self) -> bool {
        self.left_foot_goal_space.take_changed()
            | self.right_foot_goal_space.take_changed()
            | self.left_hand_goal_space.take_changed()
            | self.right_hand_goal_space.take_changed()
    }
    /// Finds the joints of the spaces, in a humanoid that was just made.
    pub(crate) fn find_spaces(&mut self, table: &BoneTable) {
        self.space_problems.clear();
        self.space_joints = [None; 4];
        for (number, name) in self.goal_spaces().iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let bone = table.names.iter().position(|own| own == name);
            if bone.is_none() {
                self.space_problems.push(format!("{} is \"{name}\", which is no bone.", SPACES[number]));
            }
            let subset = self.humanoid.as_ref().map(|humanoid| &humanoid.rigged.subset);
            self.space_joints[number] = subset.zip(bone).and_then(|(subset, bone)| subset.joint(bone as i32));
        }
        let Some(humanoid) = &mut self.humanoid else { return };
        let animator = &mut humanoid.attached.animator;
        for goal in IkGoal::ALL {
            // A bone of the limb itself, or limbs that follow one another in a circle.
            if let Err(error) = animator.set_ik_goal_space(goal, self.space_joints[goal.index()]) {
                self.space_joints[goal.index()] = None;
                self.space_problems.push(format!("{}: {error}.", SPACES[goal.index()]));
            }
        }
    }
    /// Gives the animator the points, where they are other ones than before. It has the spaces
    /// since it was made.
    pub(crate) fn send_places(&mut self) -> Option<()> {
        let points = self.effector_points();
        let animator = &mut self.humanoid.as_mut()?.attached.animator;
        IkGoal::ALL.into_iter().try_for_each(|goal| animator.set_ik_effector_point(goal, points[goal.index()]).ok())
    }
}
