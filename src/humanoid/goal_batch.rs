//! Goals of eight characters in lockstep, one lane each, brought to model space together.

use super::active_goals::ActiveGoals;
use super::avatar::Avatar;
use super::goal_space::{self, GivenLimb, no_goal};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::lane_steps::StepInput;
use super::look_at::LookAtGoal;
use crate::math::{F32x8, Frame, Lane, LaneQuat, LaneVec3, Quat, Rigid, Vec3};

/// Goals of characters in lockstep, added one by one.
#[derive(Clone, Debug)]
pub(crate) struct GoalBatch {
    /// In world space until [`Self::bring_in`].
    asked: StepInput<F32x8>,
    world: Rigid<F32x8>,
    /// Bit per character: has a look-at goal.
    looking: u8,
    /// Bit per character: the root has a scale.
    scaled: u8,
}

impl Default for GoalBatch {
    fn default() -> Self {
        let world = Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() };
        Self { asked: StepInput::default(), world, looking: 0, scaled: 0 }
    }
}

impl GoalBatch {
    /// No goals.
    pub fn clear(&mut self) {
        self.asked.look_at = None;
        self.asked.limbs.iter_mut().for_each(|limb| *limb = None);
        (self.looking, self.scaled) = (0, 0);
    }
    /// Bit per character: has a look-at goal.
    pub fn looking(&self) -> u8 {
        self.looking
    }

    /// Bit per character: the root has a scale.
    pub fn scaled(&self) -> u8 {
        self.scaled
    }

    /// Adds the goals of one character.
    #[inline(always)]
    pub fn add(
        &mut self,
        lane: usize,
        avatar: &Avatar,
        input: &HumanoidInput,
        active_goals: ActiveGoals,
        world: &Frame,
    ) {
        self.scaled |= u8::from(!world.is_rigid()) << lane;
        put_vector(&mut self.world.position, lane, world.position);
        put_rotation(&mut self.world.rotation, lane, world.rotation);
        if let Some((position_ws, [body, head, eyes])) = goal_space::given_look_at(input) {
            let all = self.asked.look_at.get_or_insert_with(no_look);
            put_vector(&mut all.target_ms, lane, position_ws);
            (all.body.0[lane], all.head.0[lane], all.eyes.0[lane]) = (body, head, eyes);
            all.clamp.0[lane] = input.look_at_weight.clamp;
            self.looking |= 1 << lane;
        }
        for goal in active_goals.goals() {
            let all = self.asked.limbs[goal.index()].get_or_insert_with(|| no_goal(avatar.limb(goal)));
            let given = GivenLimb::of(input, goal);
            if let Some((position, weight)) = given.target {
                put_vector(&mut all.target_ms, lane, position);
                all.weight.0[lane] = weight;
            }
            if let Some((rotation, weight)) = given.end {
                put_rotation(&mut all.end_ms, lane, rotation);
                all.end_weight.0[lane] = weight;
            }
            if let Some((position, weight)) = given.pole {
                put_vector(&mut all.pole_ms, lane, position);
                all.pole_weight.0[lane] = weight;
            }
        }
    }

    /// Brings everything into model space. `inputs` are those that were added, for worlds with a
    /// scale.
    pub fn bring_in<'a>(
        &mut self,
        avatar: &Avatar,
        input: impl Fn(usize) -> Option<(&'a HumanoidInput, ActiveGoals, &'a Frame)>,
    ) -> &StepInput<F32x8> {
        if let Some(all) = &mut self.asked.look_at {
            goal_space::bring_in_look_at(all, avatar, &self.world);
        }
        for (goal, all) in IkGoal::ALL.into_iter().zip(&mut self.asked.limbs) {
            if let Some(all) = all {
                goal_space::bring_in_limb(all, avatar.limb(goal), &self.world);
            }
        }
        if self.scaled != 0 {
            self.bring_in_scaled(avatar, input);
        }
        &self.asked
    }

    #[cold]
    fn bring_in_scaled<'a>(
        &mut self,
        avatar: &Avatar,
        input: impl Fn(usize) -> Option<(&'a HumanoidInput, ActiveGoals, &'a Frame)>,
    ) {
        for lane in (0..8).filter(|lane| self.scaled >> lane & 1 == 1) {
            let Some((input, active_goals, world)) = input(lane) else { continue };
            if let (Some(all), Some(own)) =
                (&mut self.asked.look_at, goal_space::look_at_goal::<f32>(input, world, avatar))
            {
                put_vector(&mut all.target_ms, lane, own.target_ms.to_vec3());
            }
            for goal in active_goals.goals() {
                if let Some(all) = &mut self.asked.limbs[goal.index()] {
                    let own = goal_space::limb_goal::<f32>(input, world, avatar.limb(goal), goal);
                    put_vector(&mut all.target_ms, lane, own.target_ms.to_vec3());
                    put_vector(&mut all.pole_ms, lane, own.pole_ms.to_vec3());
                    put_rotation(&mut all.end_ms, lane, own.end_ms.to_quat());
                }
            }
        }
    }
}

fn no_look() -> LookAtGoal<F32x8> {
    let none = F32x8::splat(0.0);
    LookAtGoal { target_ms: LaneVec3::zero(), body: none, head: none, eyes: none, clamp: none }
}

#[inline(always)]
fn put_vector(all: &mut LaneVec3<F32x8>, lane: usize, own: Vec3) {
    (all.x.0[lane], all.y.0[lane], all.z.0[lane]) = (own.x, own.y, own.z);
}
#[inline(always)]
fn put_rotation(all: &mut LaneQuat<F32x8>, lane: usize, own: Quat) {
    (all.x.0[lane], all.y.0[lane], all.z.0[lane], all.w.0[lane]) = (own.x, own.y, own.z, own.w);
}
