//! What a mirror was given last: only what has changed since then is given again.

use super::super::convert::joint_index;
use super::super::exports::*;
use super::super::guard::Failure;
use super::super::ids::{SinewAnimator, SinewConstraint};
use super::super::types::*;
use super::super::{animator_settings, body_solver, constraint_goals, input, joint_limits, registry};
use super::checked::checked;
use super::give::{give, give_at};
use crate::animator::{Animator, ConstraintPlacement, FrameStep};
use crate::constraints::ConstraintId;
use crate::humanoid::{BodyEffector, GoalPriority, HumanBone, IkGoal, IkGoalInput};
use crate::limits::JointModel;
use crate::math::{Quat, Vec3};

/// Values as they were given last.
#[derive(Debug, Default)]
pub struct Fed {
    root: Option<SinewTransform>,
    input: Option<SinewHumanoidInput>,
    settings: Option<SinewHumanoidSettings>,
    body_solver: Option<SinewBodySolverSettings>,
    effectors: Vec<SinewBodyEffectorInput>,
    goal_priorities: Vec<SinewGoalPriority>,
    effector_priorities: Vec<SinewGoalPriority>,
    bones: Vec<Option<Quat>>,
    spaces: [Option<usize>; 4],
    points: Vec<Vec3>,
    limits: Vec<Option<JointModel>>,
    iteration_scale: Option<f32>,
    max_work: Option<u32>,
    constraints: Vec<FedConstraint>,
}

#[derive(Debug, Default)]
struct FedConstraint {
    weight: Option<f32>,
    goals: Vec<SinewConstraintGoal>,
    pole: Option<Option<SinewPole>>,
    placement: Option<(i32, i32)>,
    switch_time_s: f32,
}

impl Fed {
    /// Everything but constraints and state.
    pub fn set_up(&mut self, to: SinewAnimator, from: &Animator) -> Result<(), Failure> {
        give(&mut self.root, (*from.root()).into(), |root| sinew_animator_set_root(to, Some(root)))?;
        give(&mut self.iteration_scale, from.iteration_scale(), |scale| {
            sinew_animator_set_iteration_scale(to, *scale)
        })?;
        give(&mut self.max_work, from.max_work(), |steps| sinew_animator_set_max_work(to, *steps))?;
        for joint in 0..from.skeleton().joint_count() {
            let model = from.joint_limits(joint)?.cloned();
            give_at(&mut self.limits, joint, &None, model, |model| {
                let limits = model.as_ref().map(joint_limits::limits_of);
                sinew_animator_set_joint_limits(to, joint as u32, limits.as_ref())
            })?;
        }
        if from.is_human() { self.humanoid(to, from) } else { Ok(()) }
    }

    fn humanoid(&mut self, to: SinewAnimator, from: &Animator) -> Result<(), Failure> {
        give(&mut self.settings, animator_settings::write(from.settings()?), |settings| {
            // SAFETY: one record.
            unsafe { sinew_animator_set_settings(to, settings) }
        })?;
        give(&mut self.body_solver, body_solver::settings_out(from.body_solver()?), |settings| {
            // SAFETY: one record.
            unsafe { sinew_animator_set_body_solver(to, settings) }
        })?;
        let none = body_solver::effector_out(&IkGoalInput::default());
        for (place, effector) in BodyEffector::ALL.into_iter().enumerate() {
            let goal = body_solver::effector_out(from.body_effector(effector)?);
            give_at(&mut self.effectors, place, &none, goal, |goal| {
                sinew_animator_set_body_effector(to, place as i32, Some(goal))
            })?;
        }
        self.priorities(to, from)?;
        self.bones(to, from)?;
        self.places(to, from)?;
        give(&mut self.input, input::write(from.input()?), |input| sinew_animator_set_input(to, Some(input)))
    }

    /// How much goals count beside one another.
    fn priorities(&mut self, to: SinewAnimator, from: &Animator) -> Result<(), Failure> {
        for goal in IkGoal::ALL {
            let none = body_solver::priority_out(&GoalPriority::of_goal(goal));
            let priority = body_solver::priority_out(&from.ik_goal_priority(goal)?);
            give_at(&mut self.goal_priorities, goal.index(), &none, priority, |priority| {
                sinew_animator_set_ik_goal_priority(to, goal.index() as i32, Some(priority))
            })?;
        }
        let none = body_solver::priority_out(&GoalPriority::EFFECTOR);
        for (place, effector) in BodyEffector::ALL.into_iter().enumerate() {
            let priority = body_solver::priority_out(&from.body_effector_priority(effector)?);
            give_at(&mut self.effector_priorities, place, &none, priority, |priority| {
                sinew_animator_set_body_effector_priority(to, place as i32, Some(priority))
            })?;
        }
        Ok(())
    }

    /// Spaces and effector points of goals. What changes is cleared first: on the way from one
    /// order of limbs to another there may be a circle.
    fn places(&mut self, to: SinewAnimator, from: &Animator) -> Result<(), Failure> {
        for is_cleared in [true, false] {
            for goal in IkGoal::ALL {
                let (i, wanted) = (goal.index(), from.ik_goal_space(goal)?);
                let space = wanted.filter(|_| !is_cleared);
                if self.spaces[i] != wanted && self.spaces[i] != space {
                    checked(sinew_animator_set_ik_goal_space(to, i as i32, joint_index(space)))?;
                    self.spaces[i] = space;
                }
            }
        }
        for goal in IkGoal::ALL {
            give_at(&mut self.points, goal.index(), &Vec3::ZERO, from.ik_effector_point(goal)?, |point| {
                sinew_animator_set_ik_effector_point(to, goal.index() as i32, Some(&SinewVec3::from(*point)))
            })?;
        }
        Ok(())
    }

    /// Overrides of bones, which are set one by one and cleared together.
    fn bones(&mut self, to: SinewAnimator, from: &Animator) -> Result<(), Failure> {
        let wanted = |bone: HumanBone| from.bone_override(bone);
        let is_cleared = |(bone, last): (HumanBone, &Option<Quat>)| last.is_some() && wanted(bone).is_none();
        if HumanBone::ALL.into_iter().zip(&self.bones).any(is_cleared) {
            checked(sinew_animator_clear_bone_local_rotations(to))?;
            self.bones.clear();
        }
        for bone in HumanBone::ALL {
            give_at(&mut self.bones, bone.index(), &None, wanted(bone), |rotation| {
                let rotation = rotation.map(SinewQuat::from);
                sinew_animator_set_bone_local_rotation(to, bone.index() as i32, rotation.as_ref())
            })?;
        }
        Ok(())
    }

    /// The input of a constraint.
    pub fn constraint(
        &mut self,
        to: SinewAnimator,
        from: &Animator,
        number: usize,
        id: ConstraintId,
        constraint: SinewConstraint,
    ) -> Result<(), Failure> {
        if number >= self.constraints.len() {
            self.constraints.resize_with(number + 1, FedConstraint::default);
        }
        let last = &mut self.constraints[number];
        let (placement, step) = match from.constraint_placement(id)? {
            ConstraintPlacement::Stack => (SinewConstraintPlacement::Stack, FrameStep::Constraints),
            ConstraintPlacement::Before(step) => (SinewConstraintPlacement::Before, step),
            ConstraintPlacement::After(step) => (SinewConstraintPlacement::After, step),
        };
        give(&mut last.placement, (placement as i32, step as i32), |(placement, step)| {
            sinew_animator_set_constraint_placement(to, constraint, *placement, *step)
        })?;
        let time_s = from.constraint_inertialization_time(id)?;
        if last.switch_time_s != time_s {
            checked(sinew_animator_set_constraint_inertialization_time(to, constraint, time_s))?;
            last.switch_time_s = time_s;
        }
        let input = from.constraint(id)?;
        give(&mut last.weight, input.weight, |weight| sinew_animator_set_constraint_weight(to, constraint, *weight))?;
        let none = constraint_goals::goal_out(&Default::default());
        for (end, goal) in input.goals.iter().enumerate() {
            let goal = constraint_goals::goal_out(goal);
            give_at(&mut last.goals, end, &none, goal, |goal| {
                sinew_animator_set_constraint_goal(to, constraint, end as u32, Some(goal))
            })?;
        }
        give(&mut last.pole, input.pole_ws.as_ref().map(constraint_goals::pole_out), |pole| {
            sinew_animator_set_constraint_pole(to, constraint, pole.as_ref())
        })
    }

    /// What lasts between frames, where the two differ.
    pub fn state(&mut self, to: SinewAnimator, from: &Animator) -> Result<(), Failure> {
        let mut wanted = Vec::new();
        from.snapshot(&mut wanted);
        let is_same = registry::with_animator(to, |character| {
            let mut now = Vec::new();
            character.animator.snapshot(&mut now);
            Ok::<_, Failure>(now == wanted)
        })?;
        if is_same {
            return Ok(());
        }
        // SAFETY: as many bytes as stated.
        checked(unsafe { sinew_animator_restore(to, wanted.as_ptr(), wanted.len() as u32) })
    }
}
