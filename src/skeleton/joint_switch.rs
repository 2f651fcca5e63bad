//! Joints that go over to another solution without a jump (inertialization).
//!
//! The difference between the old solution, extrapolated at its own speed to this frame, and the
//! new one — a rotation vector and a translation per joint — is added to an offset, which decays
//! ([`crate::math::decay`]). The difference of the speeds, known one frame later, is added to the
//! offset's speed; speeds beyond `y` radians, or sizes of the joints, a second count as that much.
//! The solution itself goes on underneath, so what it follows is met as the offset decays, without
//! lag.
//!
//! Source: D. Bollo, "Inertialization: High-Performance Animation Transitions in Gears of War" (GDC
//! 2018), for offsets in place of two blended poses; the decay is that of a critically damped
//! spring (textbook) in place of his quintic, because restarting it needs no memory of the start:
//! offsets add.

use super::{JointIndex, Pose};
use crate::math::decay::Decay;
use crate::math::{Quat, Vec3, from_rotation_vector, length, rotation_vector, words};

/// Offsets below this have died away: radians, and lengths as a part of the joints' size.
const NOTHING: f32 = 1e-6;

/// Most that a solution is extrapolated at the fastest speed that counts, radians or sizes: after a
/// long frame it is no longer there.
const FARTHEST: f32 = 2.0;

#[derive(Clone, Copy, Debug)]
struct JointState {
    joint: JointIndex,
    /// The last solution, before offsets, and its speed as far as it is known.
    rotation: Quat,
    position: Vec3,
    /// The rotation of the solution that was switched off.
    left: Quat,
    turning: Vec3,
    moving: Vec3,
    /// Speed of the solution that was switched off, until that of the new one is known.
    owed: Option<[Vec3; 2]>,
    rotation_offset: Decay,
    position_offset: Decay,
}

/// A joint and those above it that have offsets, as solved.
pub(crate) struct Solved<'a> {
    pub joint: JointIndex,
    pub rotation: Quat,
    /// That of the solution that was switched off.
    pub left: Quat,
    above: &'a [JointState],
}

impl Solved<'_> {
    /// The solved local rotation of a joint above; `None` of one that has no offset.
    pub fn above(&self, joint: JointIndex) -> Option<Quat> {
        self.above.iter().find(|state| state.joint == joint).map(|state| state.rotation)
    }
}

/// The joints of one limb or constraint, with their offsets.
#[derive(Clone, Debug)]
pub(crate) struct JointSwitch {
    joints: Box<[JointState]>,
    /// Whether the joints keep their speeds, too.
    keeps_speeds: bool,
    /// Whether `joints` hold a last solve.
    known: bool,
    begun: bool,
    running: bool,
}

impl JointSwitch {
    /// Of these joints, parents before children.
    pub fn new(joints: impl IntoIterator<Item = JointIndex>) -> Self {
        let joints = joints.into_iter().map(JointState::new).collect();
        Self { joints, keeps_speeds: true, known: false, begun: false, running: false }
    }
    /// For solutions that go on for some solves after what they are solved for has changed: their
    /// speed in the first frame is not that of the frames after it, so the joints keep their places
    /// only.
    pub fn without_speeds(self) -> Self {
        Self { keeps_speeds: false, ..self }
    }
    /// Announces a switch: the next solution starts where the last one left the joints.
    pub fn begin(&mut self) {
        self.begun = true;
    }
    /// As if nothing had been solved.
    pub fn reset(&mut self) {
        self.joints.iter_mut().for_each(|state| *state = JointState::new(state.joint));
        (self.known, self.begun, self.running) = (false, false, false);
    }
    /// Whether an offset is still there, or a switch announced.
    pub fn is_running(&self) -> bool {
        self.running || self.begun
    }
    /// Number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }
    /// Writes the whole state as 32-bit words.
    pub fn write(&self, put: &mut (impl FnMut(u32) + ?Sized)) {
        for flag in [self.known, self.begun, self.running] {
            put(u32::from(flag));
        }
        for state in &self.joints {
            let JointState { rotation, position, turning, moving, owed, rotation_offset, position_offset, .. } = state;
            let left = &state.left;
            put(u32::from(owed.is_some()));
            let [owed_turning, owed_moving] = owed.unwrap_or_default();
            let (turn, shift) = (rotation_offset, position_offset);
            let vectors = [*position, *turning, *moving, owed_turning, owed_moving, turn.x, turn.v, shift.x, shift.v];
            [rotation, left].into_iter().flat_map(|q| q.to_array()).for_each(|x| put(x.to_bits()));
            vectors.into_iter().flat_map(|v| v.to_array()).for_each(|x| put(x.to_bits()));
        }
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`.
    pub fn read(&mut self, get: &mut (impl FnMut() -> Option<u32> + ?Sized), commit: bool) -> Result<(), &'static str> {
        let flags = [words::flag(get)?, words::flag(get)?, words::flag(get)?];
        for state in &mut self.joints {
            let is_owed = words::flag(get)?;
            let read = JointState {
                joint: state.joint,
                rotation: words::rotation(get)?,
                left: words::rotation(get)?,
                position: words::vector(get)?,
                turning: words::vector(get)?,
                moving: words::vector(get)?,
                owed: Some([words::vector(get)?, words::vector(get)?]).filter(|_| is_owed),
                rotation_offset: Decay::read(get)?,
                position_offset: Decay::read(get)?,
            };
            if commit {
                *state = read;
            }
        }
        if commit {
            [self.known, self.begun, self.running] = flags;
        }
        Ok(())
    }

    /// Adds what is left of the offsets to a solved pose, `elapsed` seconds after the last one.
    /// `has_changed`: what is solved for is another thing than in the last solve. `size`: a length
    /// of the joints, as a measure of offsets. `limited` returns the local rotation of a joint for
    /// the one with its offset; the joints above it already have theirs. Returns whether it has
    /// changed the pose.
    pub fn apply(
        &mut self,
        pose: &mut Pose,
        has_changed: bool,
        (y, elapsed): (f32, f32),
        size: f32,
        limited: &impl Fn(&Pose, &Solved, Quat) -> Quat,
    ) -> bool {
        let begins = self.known && (self.begun || has_changed);
        self.running |= begins;
        let was_running = self.running;
        let mut left = false;
        for place in 0..self.joints.len() {
            let (above, rest) = self.joints.split_at_mut(place);
            let state = &mut rest[0];
            let local = pose.local()[state.joint];
            let (solved, place) = (local.rotation.normalize(), local.position);
            if self.known && !begins && elapsed > 0.0 {
                let turned = rotation_vector((solved * state.rotation.conjugate()).normalize());
                state.turning = slowed(turned / elapsed, y);
                state.moving = slowed((place - state.position) / elapsed, y * size);
                if let Some([turning, moving]) = state.owed.take() {
                    state.rotation_offset.v += turning - state.turning;
                    state.position_offset.v += moving - state.moving;
                }
            }
            if was_running {
                state.rotation_offset.advance(y, elapsed);
                state.position_offset.advance(y, elapsed);
                if begins {
                    state.switch_to(solved, place, elapsed.min(FARTHEST / y));
                    state.owed = state.owed.filter(|_| self.keeps_speeds);
                }
                let (turn, shift) = (state.rotation_offset, state.position_offset);
                let shifted = place + shift.x;
                if turn.x.is_finite() && shifted.is_finite() && turn.v.is_finite() && shift.v.is_finite() {
                    if turn.x != Vec3::ZERO {
                        let turned = (from_rotation_vector(turn.x) * solved).normalize();
                        let solved = Solved { joint: state.joint, rotation: solved, left: state.left, above };
                        let turned = limited(pose, &solved, turned);
                        pose.local_mut()[state.joint].rotation = turned;
                    }
                    pose.local_mut()[state.joint].position = shifted;
                    left |= state.owed.is_some()
                        || length(turn.x) + length(turn.v) / y > NOTHING
                        || length(shift.x) + length(shift.v) / y > NOTHING * size;
                }
            }
            (state.rotation, state.position) = (solved, place);
        }
        if !left {
            self.joints.iter_mut().for_each(|s| (s.rotation_offset, s.position_offset) = Default::default());
        }
        (self.running, self.known, self.begun) = (left, true, false);
        was_running
    }
}

/// A speed, or the part of it that counts where it is none: a solution that has jumped in one frame
/// does not go on like that. An offset of the fastest speed grows to e⁻¹ radians, or of the size.
fn slowed(speed: Vec3, fastest: f32) -> Vec3 {
    let size = length(speed);
    if size > fastest { speed * (fastest / size) } else { speed }
}

impl JointState {
    fn new(joint: JointIndex) -> Self {
        Self {
            joint,
            rotation: Quat::IDENTITY,
            position: Vec3::ZERO,
            left: Quat::IDENTITY,
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
        self.left = self.rotation;
        (self.turning, self.moving) = (Vec3::ZERO, Vec3::ZERO);
    }
}
