//! Procedural stepping, for feet without animation: spiders, cranes, VR bodies.
//!
//! The host's legs are then *homes*: where each foot would stand if the body stood still where it
//! is. A foot stays where it stands until it is too far from its home, turned against it, out of
//! reach, or needed for balance; then it swings to where its home is going to be. What comes out is
//! an animation on the root's plane, with contact and landing known; the grounder does the rest:
//! heights, edges, locks on moving ground.
//!
//! # Method
//!
//! A foot's score is the greatest of distance, angle, reach and balance, each over its trigger; at
//! 1 a step is due. The gait decides who may start; neighbours around the body never swing at the
//! same time. Crossings of the trigger and landings are placed between frames by linear
//! interpolation, so the way does not depend on the frame rate while the body moves steadily. The
//! way is a quintic from rest to rest over the plane, its height `16 s²(1 − s)²`.

use super::foot::FootModel;
use super::leg::{Contact, LegPose, LegState, Stage, flat};
use super::limb::{self, ABREAST, Bend};
use super::motion::decay;
use super::settings::GrounderSettings;
use crate::math::{Quat, Vec3, axis_angle, float, length, normalize_or, slerp_short};
use bytemuck::{Pod, Zeroable};

/// Who may step when. In all of them neighbours around the body never swing at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Gait {
    /// Legs of one group at a time: a biped's walk, a trot, a tripod.
    #[default]
    Groups,
    /// One leg at a time, the one that needs it most.
    Wave,
    /// Any leg.
    Free,
}

/// How feet without animation step. Lengths are those of a person with legs of about 0.85 m, in
/// metres; the [`scale`](GrounderSettings::scale) of the grounder multiplies them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteppingSettings {
    /// Who may step when. Default groups.
    pub gait: Gait,
    /// Distance of a foot from its home at which it steps, metres, > 0; less while the body stands.
    /// Small values give many short steps. Default 0.18.
    pub trigger_distance: f32,
    /// Turn of a foot against its home at which it steps, radians, > 0; a leg without a sole steps
    /// for none. Default 0.6.
    pub trigger_angle: f32,
    /// How far the pelvis may be outside the area of the standing feet, metres, > 0. Default 0.12.
    pub trigger_balance: f32,
    /// How far beyond its home a foot lands while the body moves, as a part of `trigger_distance`,
    /// 0 … 1. Default 0.8.
    pub lead: f32,
    /// Seconds of a step, > 0; fast bodies step in less, down to two fifths of it. Default 0.3.
    pub step_time: f32,
    /// Height of a step over flat ground, metres, ≥ 0. Default 0.08.
    pub step_height: f32,
}

impl Default for SteppingSettings {
    fn default() -> Self {
        Self {
            gait: Gait::Groups,
            trigger_distance: 0.18,
            trigger_angle: 0.6,
            trigger_balance: 0.12,
            lead: 0.8,
            step_time: 0.3,
            step_height: 0.08,
        }
    }
}

/// Least part of `step_time` that a step takes.
const QUICKEST: f32 = 0.4;
/// Part of a swing after which its goal no longer moves.
const FROZEN: f32 = 0.75;
/// Half-life of the measured velocity of homes, seconds.
const SETTLES: f32 = 0.05;

/// What lasts of a leg: numbers only.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct StepState {
    pub started: u32,
    pub swings: u32,
    /// Place in the order around the body, and group.
    pub rank: u32,
    pub group: u32,
    /// Seconds of the present swing, and how long it takes.
    pub elapsed: f32,
    pub duration: f32,
    from: Vec3,
    from_turn: Quat,
    to: Vec3,
    to_turn: Quat,
    /// Contact point on the root's plane, world space, and rotation of the ankle joint.
    pub foot: Vec3,
    pub turn: Quat,
    /// How much a step is due, now and in the last frame: 1 and it is.
    pub score: f32,
    pub last_score: f32,
    /// What makes a step due, each over its trigger: distance and angle, reach, balance.
    pub need: [f32; 3],
    pub last_need: [f32; 3],
    /// It is the leg that helps balance most.
    pub balances: u32,
    /// Where the foot belongs, on the plane, and its velocity over the ground.
    pub home: Vec3,
    pub home_velocity: Vec3,
}

impl StepState {
    /// Converts lengths to another scale.
    pub fn rescale(&mut self, by: f32) {
        let Self {
            started: _,
            swings: _,
            rank: _,
            group: _,
            elapsed: _,
            duration: _,
            from,
            from_turn: _,
            to,
            to_turn: _,
            foot,
            turn: _,
            score: _,
            last_score: _,
            need: _,
            last_need: _,
            balances: _,
            home,
            home_velocity,
        } = self;
        [from, to, foot, home, home_velocity].into_iter().for_each(|vector| *vector *= by);
    }
}

/// Stepping of one character.
#[derive(Clone, Debug)]
pub(super) struct Stepper {
    pub settings: SteppingSettings,
    /// Group of each leg; empty: alternating around the body.
    pub groups: Vec<u32>,
    pub legs: Vec<StepState>,
    // Of the frame under way.
    /// The legs in their order around the body.
    pub ring: Vec<u32>,
    /// Seconds since a leg landed in this frame; below 0: it did not.
    pub landed: Vec<f32>,
}

/// The point of the root's plane above or below `at`.
pub(super) fn on_plane(at: Vec3, stage: &Stage) -> Vec3 {
    at - stage.up * (at - stage.root).dot(stage.up)
}

impl Stepper {
    pub fn new(settings: SteppingSettings, groups: &[u32], count: usize) -> Self {
        Self {
            settings,
            groups: groups.to_vec(),
            legs: vec![StepState::default(); count],
            ring: vec![0; count],
            landed: vec![-1.0; count],
        }
    }

    pub fn reset(&mut self) {
        self.legs.fill(StepState::default());
    }

    /// Turns homes into the animation of this frame.
    pub fn walk(
        &mut self,
        poses: &mut [LegPose],
        feet: &[FootModel],
        grounded: &[LegState],
        stage: &Stage,
        pelvis: Vec3,
        settings: &GrounderSettings,
    ) {
        // In the air feet stay below the body.
        if stage.presence <= 0.0 || self.legs.iter().any(|leg| leg.started == 0) {
            self.begin(poses, stage);
        }
        for (i, leg) in self.legs.iter().enumerate() {
            if let Some(slot) = self.ring.get_mut(leg.rank as usize) {
                *slot = i as u32;
            }
        }
        for (i, pose) in poses.iter().enumerate() {
            self.carry(i, pose, &grounded[i], stage);
        }
        self.rate(poses, feet, on_plane(pelvis, stage), stage);
        self.start(stage.dt);
        for (i, pose) in poses.iter_mut().enumerate() {
            self.pose(i, pose, &feet[i], &grounded[i], stage, settings);
        }
    }

    /// All feet at their homes; the order around the body, and groups from it.
    fn begin(&mut self, poses: &[LegPose], stage: &Stage) {
        let forward = normalize_or(flat(stage.rotation * Vec3::Z, stage.up), crate::math::perpendicular(stage.up));
        let side = stage.up.cross(forward);
        let angle = |pose: &LegPose| {
            let away = pose.ball_ws - stage.root;
            float::atan2(away.dot(side), away.dot(forward))
        };
        let count = poses.len();
        for (i, pose) in poses.iter().enumerate() {
            let own = angle(pose);
            let before = |(k, other): (usize, &LegPose)| angle(other) < own || (angle(other) == own && k < i);
            let rank = poses.iter().enumerate().filter(|other| before(*other)).count();
            let odd_one = count > 1 && count % 2 == 1 && rank + 1 == count;
            let group = if odd_one { 2 } else { rank as u32 % 2 };
            let home = on_plane(pose.ball_ws, stage);
            self.legs[i] = StepState {
                started: 1,
                rank: rank as u32,
                group: self.groups.get(i).copied().unwrap_or(group),
                foot: home,
                turn: pose.foot_ws,
                home,
                ..StepState::default()
            };
        }
    }

    /// Takes the foot along with its ground, and a swing on; a swing that is over has landed.
    fn carry(&mut self, i: usize, pose: &LegPose, grounded: &LegState, stage: &Stage) {
        let (leg, dt) = (&mut self.legs[i], stage.dt);
        let home = on_plane(pose.ball_ws, stage);
        if dt > 0.0 {
            let now = flat(home - leg.home - grounded.ground_goes(leg.home, stage.up, dt) * dt, stage.up) / dt;
            let part = if leg.started == 1 { 1.0 } else { decay(SETTLES, dt) };
            // The first frame has no velocity, the second has all of it.
            if leg.home != home || leg.started > 1 {
                leg.home_velocity += (now - leg.home_velocity) * part;
                leg.started = 2;
            }
        }
        leg.home = home;
        self.landed[i] = -1.0;
        let carried = |at: Vec3| on_plane(at + grounded.ground_goes(at, stage.up, dt) * dt, stage);
        let spin = grounded.seen[0].angular_velocity.dot(stage.up) * dt;
        let turned = |turn: Quat| if spin == 0.0 { turn } else { (axis_angle(stage.up, spin) * turn).normalize() };
        if leg.swings == 0 {
            // The lock is where the foot really stands.
            leg.foot = carried(if grounded.planted != 0 { grounded.anchor } else { leg.foot });
            leg.turn = turned(leg.turn);
            return;
        }
        (leg.from, leg.from_turn) = (carried(leg.from), turned(leg.from_turn));
        (leg.to, leg.to_turn) = (carried(leg.to), turned(leg.to_turn));
        leg.elapsed += dt;
        if leg.elapsed >= leg.duration {
            self.landed[i] = leg.elapsed - leg.duration;
            (leg.swings, leg.foot, leg.turn) = (0, leg.to, leg.to_turn);
            (leg.score, leg.last_score) = (0.0, 0.0);
            (leg.need, leg.last_need) = ([0.0; 3], [0.0; 3]);
        }
    }

    /// Begins the swing of a leg, `since` seconds ago.
    pub fn lift(&mut self, i: usize, since: f32) {
        let settings = self.settings;
        let leg = &mut self.legs[i];
        let speed = leg.home_velocity.length();
        let quick = 2.0 * settings.trigger_distance / speed.max(1e-6);
        leg.swings = 1;
        leg.elapsed = since;
        leg.duration = settings.step_time.min(quick).max(QUICKEST * settings.step_time);
        (leg.from, leg.from_turn) = (leg.foot, leg.turn);
        (leg.to, leg.to_turn) = (leg.foot, leg.turn);
    }

    /// The animation of a leg.
    fn pose(
        &mut self,
        i: usize,
        pose: &mut LegPose,
        foot: &FootModel,
        grounded: &LegState,
        stage: &Stage,
        settings: &GrounderSettings,
    ) {
        let (up, steps) = (stage.up, self.settings);
        let leg = &mut self.legs[i];
        let mut height = 0.0;
        if leg.swings != 0 {
            if leg.elapsed <= FROZEN * leg.duration {
                let lead = leg.home_velocity * leg.duration;
                let most = steps.lead * steps.trigger_distance;
                let lead = if lead.length() > most { lead * (most / lead.length()) } else { lead };
                leg.to = leg.home + leg.home_velocity * (leg.duration - leg.elapsed) + lead;
                leg.to_turn = pose.foot_ws;
            }
            let s = if leg.duration > 0.0 { (leg.elapsed / leg.duration).clamp(0.0, 1.0) } else { 1.0 };
            let eased = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
            leg.foot = leg.from.lerp(leg.to, eased);
            leg.turn = slerp_short(leg.from_turn, leg.to_turn, eased);
            height = 16.0 * s * s * (1.0 - s) * (1.0 - s) * steps.step_height;
        }
        let turn = (leg.turn * pose.foot_ws.conjugate()).normalize();
        let lever = turn * (pose.ankle_ws - pose.ball_ws);
        let ball = leg.foot + up * (foot.ball_height + height);
        // No longer than the leg is.
        let whole = length(pose.knee_ws - pose.hip_ws) + length(pose.ankle_ws - pose.knee_ws);
        let way = ball + lever - pose.hip_ws;
        let most = settings.max_extension * whole;
        let far = length(way);
        let ankle = if far > most { pose.hip_ws + way * (most / far) } else { ball + lever };
        let home = *pose;
        pose.ankle_ws = ankle;
        pose.ball_ws = if foot.has_sole { ankle - lever } else { ankle };
        pose.foot_ws = leg.turn;
        [pose.knee_ws, ..] = limb::knees([Bend { hip: home.hip_ws, ankle, pose: &home }; ABREAST], up);
        pose.contact = if leg.swings == 0 { Contact::Planted } else { Contact::Swing };
        let left = (leg.duration - leg.elapsed).max(0.0);
        let over_ground = stage.root_velocity - flat(grounded.ground_velocity, up);
        pose.landing = (leg.swings != 0).then(|| {
            let place = leg.to - stage.root - over_ground * left;
            (left, stage.rotation.conjugate() * place)
        });
    }
}
