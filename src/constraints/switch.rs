//! Switches of a constraint to other weights and goals without a jump.
//!
//! The solution of a constraint is the pose after its solve, of the joints that it turns and moves;
//! at weight 0, or without a goal, that is the animation. The offset from it decays as that of a
//! limb does ([`crate::skeleton::joint_switch`]), and what is solved after the constraint sees the
//! pose with the offset.

use super::goal::ConstraintInput;
use super::kind::ConstraintKind;
use crate::closed_form::root_limit;
use crate::limits::LimitTable;
use crate::math::Quat;
use crate::math::decay::{Elapsed, ONE_PERCENT};
use crate::math::words;
use crate::outcome::weight01;
use crate::skeleton::joint_switch::{JointSwitch, Solved};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Weight of a goal that is not set: unlike one of weight 0 it holds nothing.
const NO_GOAL: f32 = -1.0;

/// The switch of a constraint with a switch time.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// Above 0.
    pub time_s: f32,
    elapsed: Elapsed,
    joints: JointSwitch,
    /// Length of the joints' bones at rest.
    size: f32,
    /// Weights of the last solve.
    weights: Box<[f32]>,
}

/// The weights of an input: of all, of the pole, of position, rotation and axis of each goal, and
/// which side of a sphere its position has to be on.
fn weights(input: &ConstraintInput) -> impl Iterator<Item = f32> + '_ {
    let of_goal = |is_set: bool, weight: f32| if is_set { weight01(weight) } else { NO_GOAL };
    let pole = input.pole_ws.map_or(0.0, |pole| weight01(pole.weight));
    let goals = input.goals.iter().flat_map(move |goal| {
        [
            of_goal(goal.position_ws.is_some(), goal.position_weight),
            of_goal(goal.rotation_ws.is_some(), goal.rotation_weight),
            of_goal(goal.axis_ws.is_some(), goal.rotation_weight),
            goal.distance.map_or(NO_GOAL, |distance| f32::from(distance.mode as u8)),
        ]
    });
    [weight01(input.weight), pole].into_iter().chain(goals)
}

impl Switch {
    /// Of the joints of a constraint that has this input. Allocates.
    pub fn new(skeleton: &Skeleton, kind: &dyn ConstraintKind, input: &ConstraintInput, time_s: f32) -> Self {
        let joints = kind.joints();
        let size = joints.iter().map(|joint| skeleton.rest_local()[*joint].position.length()).sum();
        let joints = JointSwitch::new(joints);
        Self {
            time_s,
            size,
            elapsed: Elapsed::default(),
            joints: if kind.settles() { joints.without_speeds() } else { joints },
            weights: weights(input).collect(),
        }
    }
    /// Lets time pass, seconds; negative and non-finite times count as 0.
    pub fn advance(&mut self, dt_s: f32) {
        self.elapsed.advance(dt_s);
    }
    /// Announces a switch.
    pub fn begin(&mut self) {
        self.joints.begin();
    }
    /// As if nothing had been solved.
    pub fn reset(&mut self) {
        self.elapsed = Elapsed::default();
        self.joints.reset();
    }
    /// Whether a switch is announced or under way.
    pub fn is_running(&self) -> bool {
        self.joints.is_running()
    }
    /// Whether the next [`Self::apply`] may change the pose.
    pub fn is_due(&self, input: &ConstraintInput) -> bool {
        self.is_running() || self.has_changed(input)
    }
    fn has_changed(&self, input: &ConstraintInput) -> bool {
        weights(input).zip(&self.weights).any(|(now, last)| now != *last)
    }

    /// Adds what is left of the offsets to the pose, which the constraint has just solved, where it
    /// had something to solve. Returns whether that has changed the pose. `animation`: local
    /// rotations before the solve; `None` of joints that it leaves alone.
    #[inline(never)]
    pub fn apply(
        &mut self,
        (skeleton, limits): (&Skeleton, &LimitTable),
        pose: &mut Pose,
        input: &ConstraintInput,
        animation: impl Fn(JointIndex) -> Option<Quat>,
    ) -> bool {
        let (has_changed, elapsed_s) = (self.has_changed(input), self.elapsed.take());
        self.weights.iter_mut().zip(weights(input)).for_each(|(last, now)| *last = now);
        let limited = |pose: &Pose, solved: &Solved, turned: Quat| {
            root_limit::kept_on_the_way((skeleton, limits), pose, solved, turned, &animation)
        };
        self.joints.apply(pose, has_changed, (ONE_PERCENT / self.time_s, elapsed_s), self.size, &limited)
    }

    /// Writes the whole state as 32-bit words.
    pub fn write(&self, put: &mut dyn FnMut(u32)) {
        put(self.joints.len() as u32);
        put(self.elapsed.to_bits());
        self.weights.iter().for_each(|weight| put(weight.to_bits()));
        self.joints.write(put);
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`.
    pub fn read(&mut self, next: &mut dyn FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        if words::word(next)? != self.joints.len() as u32 {
            return Err("a constraint with a switch time had other joints when it was made");
        }
        let elapsed = Elapsed::read(next)?;
        for weight in &mut self.weights {
            let read = words::number(next)?;
            if commit {
                *weight = read;
            }
        }
        if commit {
            self.elapsed = elapsed;
        }
        self.joints.read(next, commit)
    }
}
