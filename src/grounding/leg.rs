//! One leg over time: what comes in, what lasts between frames, what goes on to pelvis and limb.
//!
//! # Method
//!
//! A foot is a contact point (the ball) with an ankle on a lever behind it. Planted, the ball is
//! `anchor + residual`: the anchor is
//! a point of the surface and moves with it; the residual is what the ball still has to go, and
//! ends after a fixed time. Swinging,
//! the ball is `animation + offset`. Both residual and offset are 3-vectors with a velocity, driven
//! by time-to-go cubics
//! (motion.rs): every switch between the two keeps place and velocity (inertialisation: D. Bollo,
//! GDC 2018), and an offset whose
//! goal is none ends at exactly none.
//!
//! Along up, the offset's goal is the height of the ground where the foot is going to land
//! (landing.rs), reached when it lands, and the
//! way there keeps above the edges in between (profile.rs): each edge needs the least
//! acceleration that clears it when the
//! toes arrive, and the greatest wins. Heights are counted from the root's ground plane and
//! re-based as that moves, so a capsule that
//! is lifted up a stair does not lift a planted foot.

use super::memory::Memory;
use super::motion::{advance, cubic_start};
use super::past::Seen;
use super::query::Hit;
use crate::math::{Quat, Vec3, axis_angle, plain_length};
use bytemuck::{Pod, Zeroable};

/// What decides whether a foot is planted.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Contact {
    /// Height and speed of the animated foot, with hysteresis.
    #[default]
    Auto,
    /// The host decides: planted.
    Planted,
    /// The host decides: in the air.
    Swing,
}

impl Contact {
    pub(super) fn of(number: u32) -> Self {
        match number {
            1 => Self::Planted,
            2 => Self::Swing,
            _ => Self::Auto,
        }
    }
}

/// The animated leg in a frame, world space, before any correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegPose {
    /// First joint of the limb.
    pub hip_ws: Vec3,
    /// Joint that bends.
    pub knee_ws: Vec3,
    /// End joint.
    pub ankle_ws: Vec3,
    /// Root of the toes: the contact point. Same as the ankle for a leg without a foot.
    pub ball_ws: Vec3,
    /// Rotation of the ankle joint.
    pub foot_ws: Quat,
    /// Weight of this leg, 0 … 1.
    pub weight: f32,
    /// Who decides whether the foot is planted.
    pub contact: Contact,
    /// When and where the foot lands, if the host knows: seconds from now, and the animated ball's
    /// place relative to the root then, in the
    /// root's space.
    pub landing: Option<(f32, Vec3)>,
}

impl LegPose {
    /// Length of the straight limb.
    #[inline(always)]
    pub(super) fn length(&self) -> f32 {
        plain_length(self.knee_ws - self.hip_ws) + plain_length(self.ankle_ws - self.knee_ws)
    }
}

/// What all legs share in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub root: Vec3,
    pub rotation: Quat,
    pub up: Vec3,
    /// Root velocity in the world, smoothed, without vertical part, m/s.
    pub root_velocity: Vec3,
    /// How far the root's plane rose since the last frame, metres.
    pub rise: f32,
    /// Turn of the root about up since the last frame, radians.
    pub turn: f32,
    pub dt: f32,
    /// Seconds of the frame.
    pub frame_dt: f32,
    /// The ground is remembered: there are no queries.
    pub remembered: bool,
    /// The step is taken back.
    pub ahead: bool,
    /// There are queries along the way, too.
    pub looks: bool,
    /// Alternates from frame to frame without a clock.
    pub is_even: bool,
    /// Seconds from the middle of the last frame's time step to that of this one's.
    pub between: f32,
    /// Part of everything that is left in the air, 0 … 1.
    pub presence: f32,
    /// The body jumps or falls, with its root as high as this over where it comes down, metres.
    pub flies: bool,
    pub air: f32,
    /// The feet step by themselves: a foot that lands is at rest.
    pub steps: bool,
    /// Part of the way to the mean of a foot's slowing, and of its turn to the ground, that is gone
    /// in this frame.
    pub slowing_part: f32,
    pub tilt_part: f32,
    /// How far before the root, and after how long, other feet landed last.
    pub usual_reach: Option<f32>,
    pub usual_time: Option<f32>,
}

/// Everything that lasts between frames: numbers only, so that it is copied as bytes.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LegState {
    pub planted: u32,
    pub started: u32,
    /// Seconds in the present state.
    pub elapsed: f32,
    pub last_ball: Vec3,
    pub last_height: f32,
    /// Animated ball's velocity over the ground, the root's rise taken out; its mean over the last
    /// frame, and whether there was one.
    pub velocity: Vec3,
    pub mean_velocity: Vec3,
    pub has_velocity: u32,
    /// Size of the velocity in the last frame.
    pub last_pace: f32,
    /// Planted: the surface point and normal.
    pub anchor: Vec3,
    pub normal: Vec3,
    /// What is left of the last switch between planted and swinging, with its rate and the seconds
    /// until it is none.
    pub lag: Vec3,
    pub lag_rate: Vec3,
    pub lag_left: f32,
    /// Swinging: height of the foot's ground over the root's plane, with its rate over the ground.
    pub rise: f32,
    pub rise_rate: f32,
    /// Swinging: level offset to the foothold, with its rate and the seconds until it is there.
    pub aside: Vec3,
    pub aside_rate: Vec3,
    pub aside_left: f32,
    /// Turn of foot to ground.
    pub align: Quat,
    /// Turn about up that a foot makes with its ground and its animation does not.
    pub yaw: f32,
    /// Planted: how far the animated foot, the root and the ground have turned about up since then.
    pub own_turn: f32,
    pub root_turn: f32,
    pub ground_turn: f32,
    /// Rotation of the animated foot in the last frame.
    pub last_foot: Quat,
    /// Of the ground below, and how many seconds ago it was that.
    pub ground_velocity: Vec3,
    pub ground_age: f32,
    /// Learned: place of the plant as seen from the root (root space), and how long swings last.
    pub place: Vec3,
    pub has_place: u32,
    pub swing_time: f32,
    /// The present swing was seen from its take-off.
    pub whole_swing: u32,
    pub time_to_landing: f32,
    pub landing: Vec3,
    pub foothold: Vec3,
    pub has_foothold: u32,
    /// Swinging: height of the step it is going to over the root's plane.
    pub step: f32,
    pub has_step: u32,
    /// Swinging: how late it is to change over to another step, 0 … 1.
    pub late: f32,
    /// Horizontal way of the foot, unit.
    pub way: Vec3,
    /// Ball as put out last.
    pub ball: Vec3,
    pub shortage: f32,
    /// A broken lock: 0 none, 1 where the leg is too short, 2 where the foot steps back to where it
    /// is animated.
    pub blocked: u32,
    /// Swinging: held back before a riser, whose top is at `wall` over the root's plane.
    /// Level speed of the animated ball over the ground, and how fast it falls, m/s².
    pub speed: f32,
    pub slowing: f32,
    pub held: u32,
    pub wall: f32,
    /// Height of the ground below over the root's plane in the last frame.
    pub last_ground: f32,
    pub memory: Memory,
    /// How far the highest ground that is known is over the root's plane, 0 or more.
    pub known_rise: f32,
    /// Ground below ball and heel as hit last.
    pub seen: [Seen; 2],
    /// Motion of the ground up to the last frame that was not taken in yet.
    pub owed: Vec3,
    pub owed_turn: f32,
    /// Seconds of the last step.
    pub step_s: f32,
}

/// A leg after its foot was placed, before pelvis and limb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub ball: Vec3,
    pub ankle: Vec3,
    /// Turn of the animated foot.
    pub turn: Quat,
    /// Height of the ground this leg stands on or goes to, over the root's plane, and its place.
    pub ground: f32,
    /// See [`limb::extension`](super::limb::extension).
    pub extension: (f32, f32),
    /// Nothing was moved: the animation as it is.
    pub untouched: bool,
}

/// Ground under a point: the plane of a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub point: Vec3,
    pub normal: Vec3,
}

impl Ground {
    pub fn of(hit: &Hit, up: Vec3) -> Option<Self> {
        // A wall is no ground.
        (hit.hit && hit.normal_ws.dot(up) > 0.2).then_some(Self { point: hit.point_ws, normal: hit.normal_ws })
    }
    /// The point of the plane above or below `at`.
    pub fn below(&self, at: Vec3, up: Vec3) -> Vec3 {
        at - up * ((at - self.point).dot(self.normal) / up.dot(self.normal))
    }
    /// Distance of `at` from the plane.
    pub fn distance(&self, at: Vec3) -> f32 {
        (at - self.point).dot(self.normal)
    }
}

/// Time step at which speeds and times are as they are tuned, seconds.
pub(super) const FRAME: f32 = 1.0 / 60.0;
/// Why a lock was broken, in [`LegState::blocked`].
pub(super) const TOO_SHORT: u32 = 1;
pub(super) const STEPS_BACK: u32 = 2;
/// How fast a foot is at most, in lengths of the leg per second: a sprinter's is 25.
const FASTEST: f32 = 30.0;
/// Half width of the soft floor under soles, metres.
pub(super) const SOFT: f32 = 0.004;

/// A vector turned; most feet stand flat.
#[inline(always)]
pub(super) fn turned(turn: Quat, v: Vec3) -> Vec3 {
    if turn == Quat::IDENTITY { v } else { turn * v }
}

#[inline(always)]
pub(super) fn flat(v: Vec3, up: Vec3) -> Vec3 {
    v - up * v.dot(up)
}

impl LegState {
    /// Whether it is known where this foot lands, and after how long a swing.
    pub fn has_habit(&self) -> bool {
        self.has_place == 2 && self.swing_time > 0.0
    }

    /// How far before the root this foot landed last, along `way`, and after how long a swing; if
    /// it did.
    pub fn habit(&self, rotation: Quat, way: Vec3) -> Option<(f32, f32)> {
        (self.has_place == 2).then(|| ((rotation * self.place).dot(way), self.swing_time))
    }

    pub fn new() -> Self {
        Self { align: Quat::IDENTITY, last_foot: Quat::IDENTITY, ..Self::default() }
    }

    /// The same without the host's numbers of bodies.
    pub(super) fn without_bodies(mut self) -> Self {
        self.memory.clear_bodies();
        self.seen.iter_mut().for_each(|seen| seen.body = 0);
        self
    }

    /// Whether the foot is on its way from a broken lock back to where it is animated.
    pub(super) fn steps_back(&self) -> bool {
        self.planted == 0 && self.blocked == STEPS_BACK
    }

    /// What is left of the last switch after `dt`, and its rate.
    #[inline(always)]
    pub(super) fn faded(&self, dt: f32) -> (Vec3, Vec3) {
        if self.lag_left <= dt {
            return (Vec3::ZERO, Vec3::ZERO);
        }
        let (mut lag, mut rate) = (self.lag, self.lag_rate);
        for i in 0..3 {
            let (a, j) = cubic_start(lag[i], rate[i], 0.0, self.lag_left);
            (lag[i], rate[i]) = advance(lag[i], rate[i], a, j, dt);
        }
        (lag, rate)
    }

    /// Takes the animated ball's motion in. The mean over a frame is the velocity at its middle; it
    /// is taken on, or back, to the middle of a frame of 60 Hz, so that the velocity is of the same
    /// moment at all frame rates.
    #[inline(always)]
    pub(super) fn measure(&mut self, pose: &LegPose, stage: &Stage) {
        if self.started == 0 {
            (self.velocity, self.has_velocity) = (Vec3::ZERO, 0);
            return;
        }
        // No time, no motion: it goes on as it went.
        if stage.dt <= 0.0 {
            return;
        }
        let height = (pose.ball_ws - stage.root).dot(stage.up);
        let moved = flat(
            pose.ball_ws - self.last_ball - self.ground_goes(self.last_ball, stage.up, stage.dt) * stage.dt,
            stage.up,
        );
        let mean = (moved + stage.up * (height - self.last_height)) / stage.dt;
        // A root that was corrected by a metre in a frame has a speed that leads out of the world.
        let fastest = FASTEST * pose.length();
        let mean = mean * (fastest / plain_length(mean).max(fastest).max(f32::MIN_POSITIVE));
        self.velocity = mean;
        let onwards = 0.5 * (stage.dt - FRAME);
        if self.has_velocity != 0 && onwards != 0.0 {
            self.velocity += (mean - self.mean_velocity) * (onwards / stage.between);
        }
        (self.mean_velocity, self.has_velocity) = (mean, 1);
    }

    /// Mean velocity of the ground at `at` over the coming `dt`: it goes on turning about up as it
    /// did.
    #[inline(always)]
    pub(super) fn ground_goes(&self, at: Vec3, up: Vec3, dt: f32) -> Vec3 {
        let spin = self.seen[0].angular_velocity.dot(up);
        if spin == 0.0 { self.ground_velocity } else { self.ground_turns(at, up, dt, spin) }
    }

    /// The same of ground that turns about up at `spin`, rad/s.
    #[cold]
    #[inline(never)]
    fn ground_turns(&self, at: Vec3, up: Vec3, dt: f32, spin: f32) -> Vec3 {
        let arm = axis_angle(up, 0.5 * spin * dt) * flat(at - self.seen[0].point, up);
        axis_angle(up, spin * (self.ground_age + 0.5 * dt)) * self.ground_velocity + up.cross(arm) * spin
    }

    /// Lets what is left of the last switch fade.
    #[inline(always)]
    pub(super) fn fade_lag(&mut self, dt: f32) {
        (self.lag, self.lag_rate) = self.faded(dt);
        self.lag_left = if self.lag_left > dt { self.lag_left - dt } else { 0.0 };
    }
}
