//! The solve of a humanoid on a `Skeleton3D`: the input of one update, and the bones needed for
//! that.

use crate::attached::Attached;
use crate::avatar::{self, Rigged};
use crate::convert::{self, vec3};
use godot::classes::Skeleton3D;
use sinew::humanoid::{BodySolverMode, HumanoidInput, IkGoal, IkGoalInput};
use sinew::math::{Quat, Vec3, slerp_short};
use sinew::world::{Paced, PacedCall, PacedTime, RowState};
use std::sync::Arc;

/// The humanoid, once its bones are known.
#[derive(Debug)]
pub struct Humanoid {
    /// Its animator.
    pub attached: Attached,
    /// Its rig.
    pub rigged: Arc<Rigged>,
    /// Bits of the parts that updates read; see [`Rigged::parts`].
    pub reads: u8,
    /// Its level of detail.
    pub paced: Paced,
}

/// Bits of the parts that goals, hints and look-at need; see [`Rigged::parts`].
pub fn parts_needed(input: &HumanoidInput) -> u8 {
    let limbs = input.goals.iter().zip(&input.hints).enumerate().map(|(number, (goal, hint))| {
        u8::from(goal.position_weight > 0.0 || goal.rotation_weight > 0.0 || hint.weight > 0.0) << number
    });
    limbs.fold(if input.look_at_position.is_some() { avatar::LOOK_AT } else { 0 }, |all, limb| all | limb)
}

/// Goal position of the body; world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyWish {
    /// The centre of mass, metres.
    pub position: Vec3,
    /// Z forward, Y up.
    pub rotation: Quat,
    /// Position's and rotation's.
    pub weights: (f32, f32),
}

/// A goal; numbers that are not finite are left out and have no effect.
pub fn goal_input(position: Vec3, rotation: Quat, weights: (f32, f32)) -> IkGoalInput {
    IkGoalInput {
        position: Some(position).filter(|p| p.is_finite()),
        rotation: Some(rotation).filter(|rotation| convert::is_rotation(*rotation)),
        position_weight: weights.0,
        rotation_weight: weights.1,
    }
}

impl Humanoid {
    /// Restricts updates to the joints of these parts.
    #[inline]
    pub fn restrict(&mut self, reads: u8) {
        if reads != self.reads {
            self.reads = reads;
            let parts = self.rigged.parts.iter().enumerate();
            let wanted = |part: u8| reads == avatar::EVERYTHING || part & reads != 0;
            self.attached.restrict(parts.filter(|(_, part)| wanted(**part)).map(|(joint, _)| joint));
        }
    }
    /// Current position and goal frame of a limb's end, for ends that updates do not read.
    pub fn unread(&self, goal: IkGoal, skeleton: &Skeleton3D) -> Option<(Vec3, Quat)> {
        let (avatar, subset) = (&self.rigged.avatar, &self.rigged.subset);
        let joint = avatar.joint(goal.bones()[2]).filter(|_| self.reads & (1 << goal.index()) == 0)?;
        let global = skeleton.get_global_transform() * skeleton.get_bone_global_pose(subset.bones[joint]);
        let rotation = convert::rotation(&global.basis) * avatar.goal_from_bone(goal);
        Some((vec3(global.origin), rotation.normalize()))
    }
    /// Whether goals are met by the whole body.
    pub fn has_body_solver(&self) -> bool {
        self.attached.animator.body_solver().is_ok_and(|settings| settings.mode != BodySolverMode::Off)
    }
    /// Sets the animator's input, for the pose that it has. `None` when that has a number that is
    /// not finite.
    pub fn set_input(
        &mut self,
        mut input: HumanoidInput,
        body: Option<BodyWish>,
        rotations_of_bones: bool,
    ) -> Option<()> {
        let attached = &mut self.attached;
        for ((goal, wish), hint) in IkGoal::ALL.into_iter().zip(&mut input.goals).zip(&mut input.hints) {
            // In the space of a bone, lengths and axes are the bone's.
            if attached.animator.ik_goal_space(goal).ok()?.is_none() {
                wish.position = wish.position.map(|p| attached.place.point(p));
                wish.rotation = wish.rotation.map(|rotation| attached.place.rotation(rotation));
                hint.position = hint.position.map(|p| attached.place.point(p));
            }
        }
        input.look_at_position = input.look_at_position.map(|p| attached.place.point(p));
        if let Some(body) = body {
            attached.animator.clear_body().ok()?;
            if body.weights.0 > 0.0 && body.position.is_finite() {
                let now = attached.animator.body_position().ok()?;
                input.body_position = Some(now.lerp(attached.place.point(body.position), body.weights.0.min(1.0)));
            }
            if body.weights.1 > 0.0 && convert::is_rotation(body.rotation) {
                let now = attached.animator.body_rotation().ok()?;
                let goal = attached.place.rotation(body.rotation.normalize());
                input.body_rotation = Some(slerp_short(now, goal, body.weights.1));
            }
        }
        attached.animator.set_input(&input).ok()?;
        if rotations_of_bones {
            for (goal, wish) in IkGoal::ALL.into_iter().zip(&input.goals) {
                if let Some(rotation) = wish.rotation {
                    attached.animator.set_ik_rotation_bone(goal, rotation).ok()?;
                }
            }
        }
        Some(())
    }
    /// Solves, at the level of detail. `None` when the pose has a number that is not finite.
    pub fn solve(&mut self) -> Option<RowState> {
        self.attached.solve_paced(&mut self.paced).ok()
    }
    /// Gives the pose the correction of the last solve, in place of one.
    pub fn cut(&mut self) -> RowState {
        match self.paced.begin(&mut self.attached.animator, PacedTime::UsedUp) {
            PacedCall::Ended(state) => state,
            PacedCall::Solve(begun) => {
                self.paced.end(begun, &mut self.attached.animator, true);
                RowState::Cut
            }
        }
    }
}
