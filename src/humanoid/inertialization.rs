//! Inertialization: switches of goals and weights without a jump.
//!
//! When a goal's weight changes, or user code announces a switch, the limb's joints do not go to
//! the new solution at once: their offset from it decays within the switch time
//! ([`crate::skeleton::joint_switch`]). The solution itself goes on underneath, so a moving goal is
//! met as the offset decays, without lag. With limits the joints of the pose with its offset keep
//! to them, as far as neither the animation nor either solution exceeds them. A weight that changes
//! in every frame is followed as by a critically damped spring.

use super::HumanBone;
use super::avatar::Avatar;
use super::ik_goal::{HumanoidInput, IkGoal};
use crate::math::Quat;
use crate::math::decay::{Elapsed, ONE_PERCENT};
use crate::math::words::{number, word};
use crate::skeleton::joint_switch::{JointSwitch, Solved};
use crate::skeleton::{JointIndex, Pose};

#[derive(Clone, Debug)]
struct Limb {
    joints: JointSwitch,
    /// Position, rotation and hint weight of the last solve.
    weights: [f32; 3],
}

/// The switches of a character's four goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inertialization {
    limbs: [Option<Box<Limb>>; 4],
    /// Whether there is one.
    is_any: bool,
    elapsed: Elapsed,
}

impl Inertialization {
    /// Makes room for the goals that have a switch time; forgets those that have none.
    pub fn prepare(&mut self, avatar: &Avatar, times_s: &[f32; 4]) {
        for goal in IkGoal::ALL {
            let slot = &mut self.limbs[goal.index()];
            if times_s[goal.index()] <= 0.0 {
                *slot = None;
            } else if slot.is_none() {
                *slot = Some(Box::new(Limb::new(avatar, goal)));
            }
        }
        self.is_any = self.limbs.iter().any(Option::is_some);
    }
    /// Lets time pass, seconds; negative and non-finite times count as 0.
    pub fn advance(&mut self, dt_s: f32) {
        self.elapsed.advance(dt_s);
    }
    /// Announces a switch: the next solution of this goal starts where the last one left the limb.
    pub fn begin(&mut self, goal: IkGoal) {
        if let Some(limb) = &mut self.limbs[goal.index()] {
            limb.joints.begin();
        }
    }
    /// As if no frame had been solved.
    pub fn reset(&mut self) {
        self.elapsed = Elapsed::default();
        for limb in self.limbs.iter_mut().flatten() {
            limb.joints.reset();
            limb.weights = [0.0; 3];
        }
    }
    /// Writes the whole state as 32-bit words.
    pub fn write(&self, put: &mut impl FnMut(u32)) {
        put(self.elapsed.to_bits());
        for limb in &self.limbs {
            put(limb.as_ref().map_or(0, |limb| limb.joints.len() as u32));
            if let Some(limb) = limb {
                limb.weights.into_iter().for_each(|weight| put(weight.to_bits()));
                limb.joints.write(put);
            }
        }
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`. Fails where it does not
    /// fit this state or holds a bad number; `commit` only what was read without a failure before.
    pub fn read(&mut self, get: &mut impl FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        let elapsed = Elapsed::read(get)?;
        for limb in &mut self.limbs {
            if word(get)? != limb.as_ref().map_or(0, |limb| limb.joints.len() as u32) {
                return Err("other goals had a switch time when it was made");
            }
            if let Some(limb) = limb {
                let weights = [number(get)?, number(get)?, number(get)?];
                limb.joints.read(get, commit)?;
                if commit {
                    limb.weights = weights;
                }
            }
        }
        if commit {
            self.elapsed = elapsed;
        }
        Ok(())
    }
    /// Whether no goal has a switch time.
    pub fn is_none(&self) -> bool {
        !self.is_any
    }
    /// Whether an offset is still there.
    pub fn is_running(&self, goal: IkGoal) -> bool {
        self.limbs[goal.index()].as_ref().is_some_and(|limb| limb.joints.is_running())
    }
    /// Adds what is left of the offsets to a solved pose, limb by limb in this order. `limited`
    /// returns the local rotation of a joint for the one with its offset; the joints above it
    /// already have theirs. `before` is called before each limb.
    #[inline]
    pub fn apply(
        &mut self,
        pose: &mut Pose,
        (input, order): (&HumanoidInput, [IkGoal; 4]),
        times_s: &[f32; 4],
        scale: f32,
        limited: impl Fn(&Pose, &Solved, Quat) -> Quat,
        before: impl Fn(&mut Pose, IkGoal),
    ) {
        let elapsed = self.elapsed.take();
        if !self.is_any {
            return;
        }
        for goal in order {
            let i = goal.index();
            before(pose, goal);
            if let Some(limb) = &mut self.limbs[i] {
                let weights = [input.goals[i].position_weight, input.goals[i].rotation_weight, input.hints[i].weight];
                let has_changed = core::mem::replace(&mut limb.weights, weights) != weights;
                limb.joints.apply(pose, has_changed, (ONE_PERCENT / times_s[i], elapsed), scale, &limited);
            }
        }
    }
}

impl Limb {
    fn new(avatar: &Avatar, goal: IkGoal) -> Self {
        let rig = avatar.limb(goal);
        let clavicle = match goal {
            IkGoal::LeftHand => avatar.joint(HumanBone::LeftShoulder),
            IkGoal::RightHand => avatar.joint(HumanBone::RightShoulder),
            _ => None,
        };
        let mut joints: Vec<JointIndex> = clavicle.into_iter().collect();
        joints.extend(rig.joints.path());
        if !rig.joints.is_attached() {
            joints.push(rig.joints.end());
        }
        joints.extend(rig.twist.leaves());
        Self { joints: JointSwitch::new(joints), weights: [0.0; 3] }
    }
}
