//! Switches of the look-at without a jump.
//!
//! When a look-at weight changes, or user code announces another target, the gaze does not go to it
//! at once: yaw and pitch of the direction, seen from the chest, and the weights keep an offset
//! that decays as those of limbs do ([`crate::math::decay`]). It is added to the input of the
//! look-at, not to its joints, so limits, clamp and fades hold at every moment of a switch, eyes
//! and head share the turn as ever, and arms are solved below the spine as it is.
//!
//! To another target yaw is not taken the short way round: from one behind the left shoulder to one
//! behind the right, the gaze passes the front, since the head does not go round behind. A target
//! that moves without a switch is followed without lag.

use super::ik_goal::{HumanoidInput, LookAtWeight};
use super::look_at_rig::LookAtRig;
use crate::math::decay::{Decay, Elapsed, ONE_PERCENT};
use crate::math::words::{flag, vector};
use crate::math::{Frame, Vec3, float, length};
use crate::outcome::weight01;
use crate::skeleton::Pose;
use core::f32::consts::PI;

/// Offsets below this have died away: radians and weights.
const NOTHING: f32 = 1e-6;

/// Speed of a direction above which it counts less and less as a motion, up to twice as much, where
/// it is a cut: heads turn by up to 9 radians per second.
const MOST_RAD_S: f32 = 10.0;
/// Change of that speed in a frame above which a target was exchanged.
const MOST_CHANGE_RAD_S: f32 = 4.0;

/// A speed as far as it is that of a motion.
fn believable(turning: Vec3) -> Vec3 {
    let speed = length(turning);
    if speed < 2.0 * MOST_RAD_S {
        turning * (1.0 - float::smooth_step(MOST_RAD_S, 2.0 * MOST_RAD_S, speed))
    } else {
        Vec3::ZERO
    }
}

/// Weights of a look-at: of all (0 without a target), body, head; eyes, clamp.
type Weights = [Vec3; 2];

/// The switch of a character's gaze: numbers only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GazeSwitch {
    elapsed: Elapsed,
    /// Whether there was a last solve.
    known: bool,
    begun: bool,
    running: bool,
    /// Of the last solve, without offsets.
    target_ws: Vec3,
    weights: Weights,
    /// Yaw and pitch of the target, radians, and their speeds.
    angles: Vec3,
    turning: Vec3,
    /// Speeds of the target that was switched off, until those of the new one are known.
    owed: Option<Vec3>,
    turn: Decay,
    shares: [Decay; 2],
}

/// What directions are seen from: the eyes, and right, up and forward of the chest, world space.
struct Seen {
    origin_ws: Vec3,
    axes_ws: [Vec3; 3],
}

impl Seen {
    fn new(rig: &LookAtRig, pose: &Pose, world: &Frame) -> Self {
        let (origin_ms, _) = rig.gaze(pose);
        let [up_ms, forward_ms] = rig.chest_directions(pose);
        let unit = |v: Vec3| world.vector_out(v).normalize_or_zero();
        let (up, forward) = (unit(up_ms), unit(forward_ms));
        let forward = (forward - up * up.dot(forward)).normalize_or_zero();
        Self { origin_ws: world.point_out(origin_ms), axes_ws: [up.cross(forward), up, forward] }
    }
    /// Yaw and pitch of a point; `None` where it has no direction.
    fn angles(&self, point_ws: Vec3) -> Option<Vec3> {
        let way = point_ws - self.origin_ws;
        let [x, y, z] = self.axes_ws.map(|axis| axis.dot(way));
        let flat = float::sqrt(x * x + z * z);
        let angles = Vec3::new(float::atan2(x, z), float::atan2(y, flat), 0.0);
        (flat + y.abs() > 0.0 && angles.is_finite()).then_some(angles)
    }
    /// The point in a direction, as far away as another one.
    fn point(&self, angles: Vec3, point_ws: Vec3) -> Vec3 {
        let (sin_yaw, cos_yaw) = float::sin_cos(angles.x);
        let (sin_pitch, cos_pitch) = float::sin_cos(angles.y);
        let [right, up, forward] = self.axes_ws;
        let direction = (right * sin_yaw + forward * cos_yaw) * cos_pitch + up * sin_pitch;
        self.origin_ws + direction * length(point_ws - self.origin_ws)
    }
}

/// An angle of a circle as −π … π.
fn wrapped(angle: f32) -> f32 {
    if angle > PI {
        angle - 2.0 * PI
    } else if angle < -PI {
        angle + 2.0 * PI
    } else {
        angle
    }
}

impl GazeSwitch {
    /// Lets time pass, seconds; negative and non-finite times count as 0.
    pub fn advance(&mut self, dt_s: f32) {
        self.elapsed.advance(dt_s);
    }
    /// Announces a switch: the next target replaces the last one within the switch time.
    pub fn begin(&mut self) {
        self.begun = true;
    }
    /// As if no frame had been solved.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
    /// Whether an offset is still there.
    pub fn is_running(&self) -> bool {
        self.running || self.begun
    }

    /// Puts the look-at of this frame into the input in place of the one that is set. The frames of
    /// [`LookAtRig::gaze_joints`] are up to date.
    pub fn apply(&mut self, input: &mut HumanoidInput, rig: &LookAtRig, pose: &Pose, world: &Frame, time_s: f32) {
        let elapsed_s = self.elapsed.take();
        let (y, seen) = (ONE_PERCENT / time_s, Seen::new(rig, pose, world));
        let weights = self.weights_of(input);
        let target_ws = input.look_at_position.unwrap_or(self.target_ws);
        let angles = seen.angles(target_ws).unwrap_or(self.angles);
        let begins = self.known && (self.begun || weights != self.weights);
        let turned = angles - self.angles;
        let turned = Vec3::new(wrapped(turned.x), turned.y, 0.0);
        let turning = if elapsed_s > 0.0 { believable(turned / elapsed_s) } else { Vec3::ZERO };
        // Where only weights change, a target that goes on as it did is followed.
        let goes_on =
            turned == Vec3::ZERO || elapsed_s > 0.0 && length(turned / elapsed_s - self.turning) < MOST_CHANGE_RAD_S;
        let changes_target = begins && (self.begun || !goes_on);
        if self.known && !changes_target && elapsed_s > 0.0 {
            self.turning = turning;
            if let Some(owed) = self.owed.take() {
                self.turn.v += owed - self.turning;
            }
        }
        if self.running || begins {
            self.turn.advance(y, elapsed_s);
            self.shares.iter_mut().for_each(|share| share.advance(y, elapsed_s));
        }
        if begins {
            let was_seen = self.weights[0].x + self.shares[0].x.x > 1e-3;
            if !was_seen {
                // The gaze comes from the animation: weights alone bring it in.
                (self.turn, self.owed) = (Decay::default(), None);
            } else if changes_target {
                let mut way = self.angles + self.turning * elapsed_s - angles;
                if !self.begun {
                    // The same target, which may be going round behind.
                    way.x = wrapped(way.x);
                }
                self.turn.x += way;
                self.turn.x.x = self.turn.x.x.clamp(-2.0 * PI, 2.0 * PI);
                self.owed = self.owed.or(Some(self.turning));
                self.turning = Vec3::ZERO;
            }
            for ((share, before), now) in self.shares.iter_mut().zip(self.weights).zip(weights) {
                share.x += before - now;
            }
            self.running = true;
        }
        if self.running {
            let left = |decay: &Decay| length(decay.x) + length(decay.v) / y;
            let most = self.shares.iter().map(left).fold(left(&self.turn), f32::max);
            if most > NOTHING || self.owed.is_some() {
                self.put(input, &seen, target_ws, angles, weights);
            } else {
                (self.running, self.turn, self.shares) = (false, Decay::default(), Default::default());
            }
        }
        (self.known, self.begun) = (true, false);
        (self.target_ws, self.angles, self.weights) = (target_ws, angles, weights);
    }
    /// Weights of an input. Without a target, that of all is 0, and the others are what they were:
    /// a gaze that ends fades as one.
    fn weights_of(&self, input: &HumanoidInput) -> Weights {
        let LookAtWeight { weight, body, head, eyes, clamp } = input.look_at_weight;
        match input.look_at_position {
            Some(_) => [Vec3::new(weight, body, head), Vec3::new(eyes, clamp, 0.0)],
            None => [Vec3::new(0.0, self.weights[0].y, self.weights[0].z), self.weights[1]],
        }
    }
    /// The look-at with its offsets.
    fn put(&self, input: &mut HumanoidInput, seen: &Seen, target_ws: Vec3, angles: Vec3, weights: Weights) {
        let mut eased = angles + self.turn.x;
        eased.y = eased.y.clamp(-0.5 * PI, 0.5 * PI);
        let [first, second] = [0, 1].map(|i| (weights[i] + self.shares[i].x).to_array().map(weight01));
        let point_ws = if self.turn.x == Vec3::ZERO { target_ws } else { seen.point(eased, target_ws) };
        if point_ws.is_finite() {
            input.look_at_position = Some(point_ws);
            input.look_at_weight =
                LookAtWeight { weight: first[0], body: first[1], head: first[2], eyes: second[0], clamp: second[1] };
        }
    }

    /// Writes the whole state as 32-bit words.
    pub fn write(&self, put: &mut impl FnMut(u32)) {
        for flag in [self.known, self.begun, self.running, self.owed.is_some()] {
            put(u32::from(flag));
        }
        put(self.elapsed.to_bits());
        let [first, second] = self.shares;
        let vectors = [self.target_ws, self.weights[0], self.weights[1], self.angles, self.turning];
        let offsets = [self.owed.unwrap_or_default(), self.turn.x, self.turn.v, first.x, first.v, second.x, second.v];
        vectors.into_iter().chain(offsets).flat_map(|v| v.to_array()).for_each(|x| put(x.to_bits()));
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`.
    pub fn read(&mut self, get: &mut impl FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        let [known, begun, running, is_owed] = [flag(get)?, flag(get)?, flag(get)?, flag(get)?];
        let elapsed = Elapsed::read(get)?;
        let read = Self {
            elapsed,
            known,
            begun,
            running,
            target_ws: vector(get)?,
            weights: [vector(get)?, vector(get)?],
            angles: vector(get)?,
            turning: vector(get)?,
            owed: Some(vector(get)?).filter(|_| is_owed),
            turn: Decay::read(get)?,
            shares: [Decay::read(get)?, Decay::read(get)?],
        };
        if commit {
            *self = read;
        }
        Ok(())
    }
}
