//! Goals of eight characters in lockstep, one lane each, brought to model space together.

use super::active_goals::ActiveGoals;
use super::avatar::Avatar;
use super::goal_space::{self, GivenLimb, no_goal};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::lane_steps::StepInput;
use super::look_at::LookAtGoal;
use crate::closed_form::limb_kernel::RigidGoal;
use crate::math::eight_lane::{EightLane, Registers};
use crate::math::{F32x8, Frame, Lane, LaneQuat, LaneVec3, Quat, Rigid, Vec3};

/// Goals of characters in lockstep, added one by one.
#[derive(Clone, Debug)]
pub(crate) struct GoalBatch {
    /// In world space.
    requested: StepInput<F32x8>,
    world: Rigid<F32x8>,
    /// Bit per character: has a look-at goal.
    looking: u8,
    /// Bit per character: the root has a scale.
    scaled: u8,
}

impl Default for GoalBatch {
    fn default() -> Self {
        let world = Rigid { position: LaneVec3::zero(), rotation: LaneQuat::identity() };
        Self { requested: StepInput::default(), world, looking: 0, scaled: 0 }
    }
}

impl GoalBatch {
    /// No goals.
    pub fn clear(&mut self) {
        self.requested.look_at = None;
        self.requested.limbs.iter_mut().for_each(|limb| *limb = None);
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
            let all = self.requested.look_at.get_or_insert_with(no_look);
            put_vector(&mut all.target_ms, lane, position_ws);
            (all.body.0[lane], all.head.0[lane], all.eyes.0[lane]) = (body, head, eyes);
            all.clamp.0[lane] = input.look_at_weight.clamp;
            self.looking |= 1 << lane;
        }
        for goal in active_goals.goals() {
            let all = self.requested.limbs[goal.index()].get_or_insert_with(|| no_goal(avatar.limb(goal)));
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

    /// The goals in model space. `inputs` are those that were added, for worlds with a scale.
    #[inline(always)]
    pub fn bring_in<'a, E: EightLane>(
        &self,
        avatar: &Avatar,
        input: impl Fn(usize) -> Option<(&'a HumanoidInput, ActiveGoals, &'a Frame)>,
    ) -> StepInput<E> {
        let mut requested = StepInput {
            look_at: self.requested.look_at.as_ref().map(LookAtGoal::of_eight),
            limbs: self.requested.limbs.each_ref().map(|limb| limb.as_ref().map(RigidGoal::of_eight)),
        };
        let world =
            Rigid { position: LaneVec3::load(self.world.position), rotation: LaneQuat::load(self.world.rotation) };
        if let Some(all) = &mut requested.look_at {
            goal_space::bring_in_look_at(all, avatar, &world);
        }
        for (goal, all) in IkGoal::ALL.into_iter().zip(&mut requested.limbs) {
            if let Some(all) = all {
                goal_space::bring_in_limb(all, avatar.limb(goal), &world);
            }
        }
        if self.scaled != 0 {
            self.bring_in_scaled(&mut requested, avatar, input);
        }
        requested
    }

    #[cold]
    fn bring_in_scaled<'a, E: EightLane>(
        &self,
        requested: &mut StepInput<E>,
        avatar: &Avatar,
        input: impl Fn(usize) -> Option<(&'a HumanoidInput, ActiveGoals, &'a Frame)>,
    ) {
        for lane in (0..8).filter(|lane| self.scaled >> lane & 1 == 1) {
            let Some((input, active_goals, world)) = input(lane) else { continue };
            if let (Some(all), Some(own)) =
                (&mut requested.look_at, goal_space::look_at_goal::<f32>(input, world, avatar))
            {
                put_vector(&mut all.target_ms, lane, own.target_ms.to_vec3());
            }
            for goal in active_goals.goals() {
                if let Some(all) = &mut requested.limbs[goal.index()] {
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
fn put_vector<E: EightLane>(all: &mut LaneVec3<E>, lane: usize, own: Vec3) {
    for (all, own) in [&mut all.x, &mut all.y, &mut all.z].into_iter().zip(own.to_array()) {
        all.numbers_mut()[lane] = own;
    }
}
#[inline(always)]
fn put_rotation<E: EightLane>(all: &mut LaneQuat<E>, lane: usize, own: Quat) {
    for (all, own) in [&mut all.x, &mut all.y, &mut all.z, &mut all.w].into_iter().zip(own.to_array()) {
        all.numbers_mut()[lane] = own;
    }
}

impl<E: EightLane> LookAtGoal<E> {
    #[inline(always)]
    fn of_eight(goal: &LookAtGoal<F32x8>) -> Self {
        let LookAtGoal { target_ms, body, head, eyes, clamp } = *goal;
        Self {
            target_ms: LaneVec3::load(target_ms),
            body: E::load(body),
            head: E::load(head),
            eyes: E::load(eyes),
            clamp: E::load(clamp),
        }
    }
}

impl<E: EightLane> RigidGoal<E> {
    #[inline(always)]
    fn of_eight(goal: &RigidGoal<F32x8>) -> Self {
        Self {
            target_ms: LaneVec3::load(goal.target_ms),
            weight: E::load(goal.weight),
            pole_ms: LaneVec3::load(goal.pole_ms),
            pole_weight: E::load(goal.pole_weight),
            bend_side_js: goal.bend_side_js,
            centre_ps: goal.centre_ps,
            softness: E::load(goal.softness),
            stretch: E::load(goal.stretch),
            end_ms: LaneQuat::load(goal.end_ms),
            end_weight: E::load(goal.end_weight),
        }
    }
}
