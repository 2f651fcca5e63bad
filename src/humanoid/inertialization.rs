//! Inertialization: switches of goals and weights without a jump.
//!
//! When a goal's weight changes, or user code announces a switch, the limb's joints do not go to
//! the new solution at once. The difference between the old solution, extrapolated at its own speed
//! to this frame, and the new one — a rotation vector and a translation per joint — is added to an
//! offset `x`, which decays as a critically damped spring does, in closed form:
//!
//! ```text
//! x(t) = (x₀ + (v₀ + y·x₀)·t)·e^(−y·t),   v(t) = (v₀ − y·(v₀ + y·x₀)·t)·e^(−y·t),   y = 6.64 / T
//! ```
//!
//! with the switch time `T`, after which 1 % of a jump is left. Two steps of `t` are one step of
//! `2t` exactly, so the decay does not depend on the frame rate. The difference of the speeds,
//! known one frame later, is added to `v`. The solution itself goes on underneath, so a moving goal
//! is met as the offset decays, without lag. With limits the joints of the pose with its offset
//! keep to them, as far as neither the animation nor the solution exceeds them. A weight that
//! changes in every frame is followed as by a critically damped spring.
//!
//! Source: D. Bollo, "Inertialization: High-Performance Animation Transitions in Gears of War" (GDC
//! 2018), for offsets in place of two blended poses; the decay is that of a critically damped
//! spring (textbook) in place of his quintic, because restarting it needs no memory of the start:
//! offsets add.

use super::HumanBone;
use super::avatar::Avatar;
use super::ik_goal::{HumanoidInput, IkGoal};
use crate::math::{Quat, Vec3, float, from_rotation_vector, length, rotation_vector};
use crate::skeleton::{JointIndex, Pose};

/// `y·T`: the root of `(1 + a)·e^(−a) = 0.01`.
pub(super) const ONE_PERCENT: f32 = 6.638_35;
/// Offsets below this have died away: radians, and lengths as a part of the human scale.
const NOTHING: f32 = 1e-6;

/// An offset and its speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Decay {
    pub x: Vec3,
    pub v: Vec3,
}

impl Decay {
    pub fn advance(&mut self, y: f32, t: f32) {
        let (fade, slope) = (float::exp(-y * t), self.v + self.x * y);
        self.x = (self.x + slope * t) * fade;
        self.v = (self.v - slope * (y * t)) * fade;
    }
}

#[derive(Clone, Copy, Debug)]
struct JointState {
    joint: JointIndex,
    /// The last solution, before offsets, and its speed as far as it is known.
    rotation: Quat,
    position: Vec3,
    turning: Vec3,
    moving: Vec3,
    /// Speed of the solution that was switched off, until that of the new one is known.
    owed: Option<[Vec3; 2]>,
    rotation_offset: Decay,
    position_offset: Decay,
}

/// A joint and those above it in its limb, as solved.
pub(crate) struct Solved<'a> {
    pub joint: JointIndex,
    pub rotation: Quat,
    above: &'a [JointState],
}

impl Solved<'_> {
    /// The solved local rotation of a joint above; `None` of one that has no offset.
    pub fn above(&self, joint: JointIndex) -> Option<Quat> {
        self.above.iter().find(|state| state.joint == joint).map(|state| state.rotation)
    }
}

#[derive(Clone, Debug)]
struct Limb {
    joints: Box<[JointState]>,
    /// Position, rotation and hint weight of the last solve.
    weights: [f32; 3],
    /// Whether `joints` hold a last solve.
    known: bool,
    begun: bool,
    running: bool,
}

/// The switches of a character's four goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inertialization {
    limbs: [Option<Limb>; 4],
    /// Whether there is one.
    is_any: bool,
    /// Time since the last solve, seconds.
    elapsed_s: f32,
}

impl Inertialization {
    /// Makes room for the goals that have a switch time; forgets those that have none.
    pub fn prepare(&mut self, avatar: &Avatar, times_s: &[f32; 4]) {
        for goal in IkGoal::ALL {
            let slot = &mut self.limbs[goal.index()];
            if times_s[goal.index()] <= 0.0 {
                *slot = None;
            } else if slot.is_none() {
                *slot = Some(Limb::new(avatar, goal));
            }
        }
        self.is_any = self.limbs.iter().any(Option::is_some);
    }
    /// Lets time pass, seconds; negative and non-finite times count as 0.
    pub fn advance(&mut self, dt_s: f32) {
        if dt_s > 0.0 && dt_s.is_finite() {
            self.elapsed_s = (self.elapsed_s + dt_s).min(1e6);
        }
    }
    /// Announces a switch: the next solution of this goal starts where the last one left the limb.
    pub fn begin(&mut self, goal: IkGoal) {
        if let Some(limb) = &mut self.limbs[goal.index()] {
            limb.begun = true;
        }
    }
    /// As if no frame had been solved.
    pub fn reset(&mut self) {
        self.elapsed_s = 0.0;
        for limb in self.limbs.iter_mut().flatten() {
            limb.reset();
        }
    }
    /// Writes the whole state as 32-bit words.
    pub fn write(&self, put: &mut impl FnMut(u32)) {
        put(self.elapsed_s.to_bits());
        for limb in &self.limbs {
            put(limb.as_ref().map_or(0, |limb| limb.joints.len() as u32));
            if let Some(limb) = limb {
                limb.write(put);
            }
        }
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`. Fails where it does not
    /// fit this state or holds a bad number; `commit` only what was read without a failure before.
    pub fn read(&mut self, get: &mut impl FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        let elapsed_s = number(get)?;
        if elapsed_s < 0.0 {
            return Err(BAD_NUMBER);
        }
        for limb in &mut self.limbs {
            if word(get)? != limb.as_ref().map_or(0, |limb| limb.joints.len() as u32) {
                return Err("other goals had a switch time when it was made");
            }
            if let Some(limb) = limb {
                limb.read(get, commit)?;
            }
        }
        if commit {
            self.elapsed_s = elapsed_s;
        }
        Ok(())
    }
    /// Whether no goal has a switch time.
    pub fn is_none(&self) -> bool {
        !self.is_any
    }
    /// Whether an offset is still there.
    pub fn is_running(&self, goal: IkGoal) -> bool {
        self.limbs[goal.index()].as_ref().is_some_and(|limb| limb.running || limb.begun)
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
        let elapsed = core::mem::take(&mut self.elapsed_s);
        if !self.is_any {
            return;
        }
        for goal in order {
            let i = goal.index();
            before(pose, goal);
            if let Some(limb) = &mut self.limbs[i] {
                let weights = [input.goals[i].position_weight, input.goals[i].rotation_weight, input.hints[i].weight];
                limb.apply(pose, weights, (ONE_PERCENT / times_s[i], elapsed), scale, &limited);
            }
        }
    }
}

pub(super) const BAD_NUMBER: &str = "it holds a bad number";

fn word(get: &mut impl FnMut() -> Option<u32>) -> Result<u32, &'static str> {
    get().ok_or("it is too short")
}
pub(super) fn number(get: &mut impl FnMut() -> Option<u32>) -> Result<f32, &'static str> {
    Some(f32::from_bits(word(get)?)).filter(|x| x.is_finite()).ok_or(BAD_NUMBER)
}
pub(super) fn flag(get: &mut impl FnMut() -> Option<u32>) -> Result<bool, &'static str> {
    match word(get)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(BAD_NUMBER),
    }
}
pub(super) fn vector(get: &mut impl FnMut() -> Option<u32>) -> Result<Vec3, &'static str> {
    Ok(Vec3::new(number(get)?, number(get)?, number(get)?))
}
fn rotation(get: &mut impl FnMut() -> Option<u32>) -> Result<Quat, &'static str> {
    let q = Quat::from_xyzw(number(get)?, number(get)?, number(get)?, number(get)?);
    // Unit to rounding, or it would not be a rotation.
    if (q.length_squared() - 1.0).abs() < 1e-3 { Ok(q) } else { Err(BAD_NUMBER) }
}
pub(super) fn decay(get: &mut impl FnMut() -> Option<u32>) -> Result<Decay, &'static str> {
    Ok(Decay { x: vector(get)?, v: vector(get)? })
}

impl Limb {
    fn reset(&mut self) {
        self.joints.iter_mut().for_each(|state| *state = JointState::new(state.joint));
        (self.weights, self.known, self.begun, self.running) = ([0.0; 3], false, false, false);
    }
    fn write(&self, put: &mut impl FnMut(u32)) {
        for flag in [self.known, self.begun, self.running] {
            put(u32::from(flag));
        }
        self.weights.into_iter().for_each(|weight| put(weight.to_bits()));
        for state in &self.joints {
            let JointState { rotation, position, turning, moving, owed, rotation_offset, position_offset, .. } = state;
            put(u32::from(owed.is_some()));
            let [owed_turning, owed_moving] = owed.unwrap_or_default();
            let (turn, shift) = (rotation_offset, position_offset);
            let vectors = [*position, *turning, *moving, owed_turning, owed_moving, turn.x, turn.v, shift.x, shift.v];
            rotation.to_array().into_iter().for_each(|x| put(x.to_bits()));
            vectors.into_iter().flat_map(|v| v.to_array()).for_each(|x| put(x.to_bits()));
        }
    }
    fn read(&mut self, get: &mut impl FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        let flags = [flag(get)?, flag(get)?, flag(get)?];
        let weights = [number(get)?, number(get)?, number(get)?];
        for state in &mut self.joints {
            let is_owed = flag(get)?;
            let read = JointState {
                joint: state.joint,
                rotation: rotation(get)?,
                position: vector(get)?,
                turning: vector(get)?,
                moving: vector(get)?,
                owed: Some([vector(get)?, vector(get)?]).filter(|_| is_owed),
                rotation_offset: decay(get)?,
                position_offset: decay(get)?,
            };
            if commit {
                *state = read;
            }
        }
        if commit {
            [self.known, self.begun, self.running] = flags;
            self.weights = weights;
        }
        Ok(())
    }
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
        let joints = joints.into_iter().map(JointState::new).collect();
        Self { joints, weights: [0.0; 3], known: false, begun: false, running: false }
    }

    fn apply(
        &mut self,
        pose: &mut Pose,
        weights: [f32; 3],
        (y, elapsed): (f32, f32),
        scale: f32,
        limited: &impl Fn(&Pose, &Solved, Quat) -> Quat,
    ) {
        let begins = self.known && (self.begun || weights != self.weights);
        self.running |= begins;
        let mut left = false;
        for place in 0..self.joints.len() {
            let (above, rest) = self.joints.split_at_mut(place);
            let state = &mut rest[0];
            let local = pose.local_mut()[state.joint];
            let (solved, place) = (local.rotation.normalize(), local.position);
            if self.known && !begins && elapsed > 0.0 {
                state.turning = rotation_vector((solved * state.rotation.conjugate()).normalize()) / elapsed;
                state.moving = (place - state.position) / elapsed;
                if let Some([turning, moving]) = state.owed.take() {
                    state.rotation_offset.v += turning - state.turning;
                    state.position_offset.v += moving - state.moving;
                }
            }
            if self.running {
                state.rotation_offset.advance(y, elapsed);
                state.position_offset.advance(y, elapsed);
                if begins {
                    state.switch_to(solved, place, elapsed);
                }
                let (turn, shift) = (state.rotation_offset, state.position_offset);
                let shifted = place + shift.x;
                if turn.x.is_finite() && shifted.is_finite() && turn.v.is_finite() && shift.v.is_finite() {
                    if turn.x != Vec3::ZERO {
                        let turned = (from_rotation_vector(turn.x) * solved).normalize();
                        let turned = limited(pose, &Solved { joint: state.joint, rotation: solved, above }, turned);
                        pose.local_mut()[state.joint].rotation = turned;
                    }
                    pose.local_mut()[state.joint].position = shifted;
                    left |= state.owed.is_some()
                        || length(turn.x) + length(turn.v) / y > NOTHING
                        || length(shift.x) + length(shift.v) / y > NOTHING * scale;
                }
            }
            (state.rotation, state.position) = (solved, place);
        }
        if !left {
            self.joints.iter_mut().for_each(|s| (s.rotation_offset, s.position_offset) = Default::default());
        }
        (self.running, self.known, self.begun, self.weights) = (left, true, false, weights);
    }
}

impl JointState {
    fn new(joint: JointIndex) -> Self {
        Self {
            joint,
            rotation: Quat::IDENTITY,
            position: Vec3::ZERO,
            turning: Vec3::ZERO,
            moving: Vec3::ZERO,
            owed: None,
            rotation_offset: Decay::default(),
            position_offset: Decay::default(),
        }
    }
    /// Adds to the offsets the difference between the last solution, extrapolated, and the new
    /// one.
    fn switch_to(&mut self, solved: Quat, place: Vec3, elapsed: f32) {
        let carried_on = from_rotation_vector(self.turning * elapsed) * self.rotation;
        let before = (from_rotation_vector(self.rotation_offset.x) * carried_on).normalize();
        self.rotation_offset.x = rotation_vector((before * solved.conjugate()).normalize());
        self.position_offset.x += self.position + self.moving * elapsed - place;
        // The new solution's own speed shows in the next frame.
        self.owed = self.owed.or(Some([self.turning, self.moving]));
        (self.turning, self.moving) = (Vec3::ZERO, Vec3::ZERO);
    }
}
