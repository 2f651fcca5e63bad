//! Goals of eight characters in lockstep, one lane each, brought to model space together.

use super::active_goals::ActiveGoals;
use super::avatar::{Avatar, LimbRig};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::lane_steps::{self, StepInput};
use super::look_at::LookAtGoal;
use crate::closed_form::limb::RigidGoal;
use crate::math::{F32x8, Frame, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Rigid, Vec3};

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
        if let Some((position_ws, [body, head, eyes])) = lane_steps::looks(input) {
            let all = self.asked.look_at.get_or_insert_with(no_look);
            put_vector(&mut all.target_ms, lane, position_ws);
            (all.body.0[lane], all.head.0[lane], all.eyes.0[lane]) = (body, head, eyes);
            all.clamp.0[lane] = input.look_at_weight.clamp;
            self.looking |= 1 << lane;
        }
        for goal in active_goals.goals() {
            let all = self.asked.limbs[goal.index()].get_or_insert_with(|| no_goal(avatar.limb(goal)));
            let (wish, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
            if let Some(position) = wish.position {
                put_vector(&mut all.target_ms, lane, position);
                all.weight.0[lane] = wish.position_weight;
            }
            if let Some(rotation) = wish.rotation {
                put_rotation(&mut all.end_ms, lane, rotation);
                all.end_weight.0[lane] = wish.rotation_weight;
            }
            if let Some(position) = hint.position {
                put_vector(&mut all.pole_ms, lane, position);
                all.pole_weight.0[lane] = hint.weight;
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
        let (zero, world) = (F32x8::splat(0.0), self.world);
        if let Some(all) = &mut self.asked.look_at {
            all.target_ms = lane_steps::within_reach(avatar, lane_steps::rigid_point_in(&world, all.target_ms));
        }
        for (goal, all) in IkGoal::ALL.into_iter().zip(&mut self.asked.limbs) {
            let Some(all) = all else { continue };
            let inward = |weight: F32x8, point: LaneVec3<F32x8>| {
                LaneVec3::select(zero.lt(weight), lane_steps::rigid_point_in(&world, point), LaneVec3::zero())
            };
            all.target_ms = inward(all.weight, all.target_ms);
            if zero.lt(all.pole_weight).any() {
                all.pole_ms = inward(all.pole_weight, all.pole_ms);
            } else {
                all.pole_ms = LaneVec3::zero();
            }
            let bone = LaneQuat::splat(avatar.limb(goal).goal_from_bone).conjugate();
            let end = lane_steps::rigid_axes_in(&world, all.end_ms) * bone;
            all.end_ms = LaneQuat::select(zero.lt(all.end_weight), end, LaneQuat::identity());
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
                (&mut self.asked.look_at, lane_steps::look_at_goal::<f32>(input, world, avatar))
            {
                put_vector(&mut all.target_ms, lane, own.target_ms.to_vec3());
            }
            for goal in active_goals.goals() {
                if let Some(all) = &mut self.asked.limbs[goal.index()] {
                    let own = lane_steps::limb_goal::<f32>(input, world, avatar.limb(goal), goal);
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

fn no_goal(limb: &LimbRig) -> RigidGoal<F32x8> {
    let none = F32x8::splat(0.0);
    RigidGoal {
        target_ms: LaneVec3::zero(),
        weight: none,
        pole_ms: LaneVec3::zero(),
        pole_weight: none,
        bend_side_js: limb.bend_side_js,
        centre_ps: limb.centre_ps,
        softness: none,
        stretch: F32x8::splat(limb.stretch),
        end_ms: LaneQuat::identity(),
        end_weight: none,
    }
}

#[inline(always)]
fn put_vector(all: &mut LaneVec3<F32x8>, lane: usize, own: Vec3) {
    (all.x.0[lane], all.y.0[lane], all.z.0[lane]) = (own.x, own.y, own.z);
}
#[inline(always)]
fn put_rotation(all: &mut LaneQuat<F32x8>, lane: usize, own: Quat) {
    (all.x.0[lane], all.y.0[lane], all.z.0[lane], all.w.0[lane]) = (own.x, own.y, own.z, own.w);
}
