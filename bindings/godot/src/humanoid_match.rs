//! Methods for scripts of a [`SinewHumanoidIK`] that start from the skeleton's present pose: goals
//! taken from it, and the root that brings a body part to a target.

use crate::argument;
use crate::calls::Rig;
use crate::convert::{self, quat, vec3, vector3};
use crate::humanoid::Humanoid;
use crate::humanoid_ik::SinewHumanoidIK;
use godot::builtin::{Basis, Quaternion, Transform3D, Vector3};
use godot::register::godot_api;
use sinew::animator::{AvatarTarget, MatchTarget};
use sinew::humanoid::{HumanoidInput, IkGoal};
use sinew::math::Quat;
use sinew::world::Level;

fn target(call: &str, part: i32) -> Option<AvatarTarget> {
    argument::one_of(call, "part", part, &AvatarTarget::ALL)
}

#[godot_api(secondary)]
impl SinewHumanoidIK {
    /// The skeleton's node itself.
    #[constant]
    pub const TARGET_ROOT: i64 = AvatarTarget::Root as i64;
    /// Centre of mass and body rotation.
    #[constant]
    pub const TARGET_BODY: i64 = AvatarTarget::Body as i64;
    /// Left ankle.
    #[constant]
    pub const TARGET_LEFT_FOOT: i64 = AvatarTarget::LeftFoot as i64;
    /// Right ankle.
    #[constant]
    pub const TARGET_RIGHT_FOOT: i64 = AvatarTarget::RightFoot as i64;
    /// Left wrist.
    #[constant]
    pub const TARGET_LEFT_HAND: i64 = AvatarTarget::LeftHand as i64;
    /// Right wrist.
    #[constant]
    pub const TARGET_RIGHT_HAND: i64 = AvatarTarget::RightHand as i64;

    /// Sets the positions and rotations of all goals, the hints and [member look_at_position] from
    /// the skeleton's present pose, so that raising weights changes nothing, where no target nodes
    /// are set. Weights stay; rotations of [method set_bone_local_rotation] are cleared.
    /// [code]false[/code], with nothing changed: there is no humanoid, or its pose has a number
    /// that is not finite.
    #[func]
    fn match_goals_from_pose(&mut self) -> bool {
        self.goals_of_pose().is_some()
    }
    /// Solves, and keeps the result as the skeleton's pose: all weights become 0, those of [member
    /// effectors] too, rotations of [method set_bone_local_rotation] are cleared and transitions
    /// ended, so that the next update changes nothing. What animates the skeleton goes on from
    /// there, or replaces it. [member feet_spacing] and [member balance_weight] go on.
    /// [code]false[/code], with nothing changed: there is no humanoid, or its pose has a number
    /// that is not finite.
    #[func]
    fn match_pose_from_goals(&mut self) -> bool {
        let Some(rig) = Rig::of(&self.base) else { return false };
        let sound = |humanoid: &mut Humanoid| humanoid.attached.animator.pose().local().iter().all(|t| t.is_finite());
        if !self.posed().is_some_and(sound) {
            return false;
        }
        if let Some(humanoid) = &mut self.humanoid {
            humanoid.paced.forget();
        }
        // None of it: nothing had a weight.
        _ = self.solve_at(Level::Full, rig, 0.0).and_then(|_| self.show_result(rig));
        self.clear_weights();
        self.bone_overrides.clear();
        if let Some(humanoid) = &mut self.humanoid {
            // What is left of transitions is part of the pose now.
            humanoid.attached.animator.reset_state();
            humanoid.paced.forget();
        }
        true
    }
    /// Place and rotation of a body part (see the TARGET constants) in the skeleton's present pose,
    /// world space, as [method match_target] measures them; rotations of hands and feet in the goal
    /// frame (see [member rotation_frame]). The identity without a humanoid.
    #[func]
    fn get_target_pose(&mut self, part: i32) -> Transform3D {
        let part = target("SinewHumanoidIK.get_target_pose", part);
        let pose = part.zip(self.posed()).and_then(|(part, humanoid)| {
            let attached = &mut humanoid.attached;
            let (position, rotation) = attached.animator.target_pose(part).ok()?;
            Some((attached.place.point_out(position), attached.place.rotation_out(rotation)))
        });
        pose.map_or(Transform3D::IDENTITY, |(position, rotation)| {
            Transform3D::new(Basis::from_quaternion(convert::quaternion(rotation)), vector3(position))
        })
    }
    /// Unity's [code]Animator.MatchTarget[/code] as a function: where the skeleton's node is to be
    /// in this frame, in the world, so that a body part (see the TARGET constants) of the clip that
    /// plays is at [param position] and [param rotation], world space, at [param end_time]. Call it
    /// after each step of the animation and move the character to the result: a ledge is grabbed,
    /// a step is met.
    ///
    /// Times are the clip's, normalised, 0 to 1, more for further loops: matching begins at [param
    /// start_time]; this frame goes [param from_time] to [param to_time]. [param position_weight]:
    /// part of the distance that is made up, per axis of the world, 0 to 1; [param
    /// rotation_weight]: part of the turn. Outside of the times, without a humanoid, and under
    /// shear or an uneven scale the result is where the node is.
    #[func]
    #[allow(clippy::too_many_arguments)]
    fn match_target(
        &mut self,
        part: i32,
        position: Vector3,
        rotation: Quaternion,
        start_time: f32,
        end_time: f32,
        from_time: f32,
        to_time: f32,
        #[opt(default = Vector3::ONE)] position_weight: Vector3,
        #[opt(default = 0.0)] rotation_weight: f32,
    ) -> Transform3D {
        let part = target("SinewHumanoidIK.match_target", part);
        let Some(humanoid) = self.posed() else { return Transform3D::IDENTITY };
        let attached = &mut humanoid.attached;
        let now = *attached.place.skeleton_ws();
        let Some(part) = part.filter(|_| !attached.place.is_sheared()) else { return now };
        let target = MatchTarget {
            part,
            position_ws: vec3(position),
            rotation_ws: quat(rotation),
            position_weight: vec3(position_weight),
            rotation_weight,
            start_time,
            end_time,
        };
        let Ok(root) = attached.animator.match_target(&target, from_time, to_time) else { return now };
        let before = *attached.animator.root();
        if root == before {
            return now;
        }
        let turn = (root.rotation * before.rotation.conjugate()).normalize();
        Transform3D::new(Basis::from_quaternion(convert::quaternion(turn)) * now.basis, vector3(root.position))
    }
}

impl SinewHumanoidIK {
    fn goals_of_pose(&mut self) -> Option<()> {
        let of_bones = i64::from(self.rotation_frame) == Self::ROTATION_BONE;
        let humanoid = self.posed()?;
        let (animator, place) = (&mut humanoid.attached.animator, &humanoid.attached.place);
        animator.set_input(&HumanoidInput::default()).ok()?;
        animator.match_goals_from_pose().ok()?;
        let input = *animator.input().ok()?;
        let spaces = IkGoal::ALL.map(|goal| animator.ik_goal_space(goal).ok().flatten().is_some());
        let goals = IkGoal::ALL.map(|goal| {
            let (pose, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
            let to_bone =
                if of_bones { humanoid.rigged.avatar.goal_from_bone(goal).conjugate() } else { Quat::IDENTITY };
            let rotation = pose.rotation? * to_bone;
            if spaces[goal.index()] {
                return Some((pose.position?, rotation.normalize(), hint.position?));
            }
            let rotation = place.rotation_out(rotation).normalize();
            Some((place.point_out(pose.position?), rotation, place.point_out(hint.position?)))
        });
        let seen = place.point_out(input.look_at_position?);
        for (number, goal) in goals.into_iter().enumerate() {
            let (position, rotation, hint) = goal?;
            self.set_ik_position(number as i32, vector3(position));
            self.set_ik_rotation(number as i32, convert::quaternion(rotation));
            self.set_ik_hint_position(number as i32, vector3(hint));
        }
        self.look_at_position = vector3(seen);
        self.bone_overrides.clear();
        Some(())
    }
}
