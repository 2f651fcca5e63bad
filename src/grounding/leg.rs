//! One leg over time: contact, lock to the surface, swing, landing, and the turn of the foot to the
//! ground.
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

use super::foot::FootModel;
use super::landing::{self, Swing};
use super::motion::{SNAP, advance, cubic_start, decay};
use super::profile::{Memory, Sample};
use super::query::{Hit, Purpose, Quality, Query};
use super::settings::GrounderSettings;
use crate::math::{Quat, Vec3, float, normalize_or};
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
    /// Part of everything that is left in the air, 0 … 1.
    pub presence: f32,
    /// The feet step by themselves: a foot that lands is at rest.
    pub steps: bool,
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
    pub yaw: f32,
    /// Of the ground below.
    pub ground_velocity: Vec3,
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
    /// Horizontal way of the foot, unit.
    pub way: Vec3,
    /// Ball as put out last.
    pub ball: Vec3,
    pub shortage: f32,
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

/// Speed at which a swing's corrections may still be pulled to their goal, for residuals: m/s².
const PULL: f32 = 90.0;
/// How far before a swinging ball the ground below it is requested, metres: a riser is met a little
/// early.
const ONWARDS: f32 = 0.004;
/// Part of its level speed that a foot keeps when it is planted.
const KEPT_SPEED: f32 = 0.3;

/// Ground that is further below a planted ball than this is not what it stands on, metres.
const OVERHANG_HEIGHT: f32 = 0.03;

/// Half width of the soft floor under soles, metres.
pub(super) const SOFT: f32 = 0.004;

pub(super) fn flat(v: Vec3, up: Vec3) -> Vec3 {
    v - up * v.dot(up)
}

impl LegState {
    /// How far before the root this foot landed last, along `way`, and after how long a swing; if
    /// it did.
    pub fn habit(&self, rotation: Quat, way: Vec3) -> Option<(f32, f32)> {
        (self.has_place == 2).then(|| ((rotation * self.place).dot(way), self.swing_time))
    }

    pub fn new() -> Self {
        Self { align: Quat::IDENTITY, ..Self::default() }
    }

    fn query(&self, at: Vec3, purpose: Purpose, leg: u32, stage: &Stage, settings: &GrounderSettings) -> Query {
        let (up, level) = (stage.up, flat(at - stage.root, stage.up));
        let far = 0.8 * level.length();
        let top = stage.root + level + up * (settings.max_step_up + far);
        Query {
            origin_ws: top,
            direction_ws: -up,
            length: settings.max_step_up + settings.max_step_down + 2.0 * far,
            radius: settings.query_radius,
            leg,
            purpose,
        }
    }

    /// Animated ball's velocity over the ground this frame, the root's rise taken out.
    fn ball_velocity(&self, pose: &LegPose, stage: &Stage) -> Vec3 {
        if self.started == 0 || stage.dt <= 0.0 {
            return Vec3::ZERO;
        }
        let height = (pose.ball_ws - stage.root).dot(stage.up);
        let moved = flat(pose.ball_ws - self.last_ball - self.ground_velocity * stage.dt, stage.up);
        (moved + stage.up * (height - self.last_height)) / stage.dt
    }

    /// First phase: where ground must be known. At most `settings.quality` queries.
    pub fn ask(
        &mut self,
        leg: u32,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        out: &mut Vec<Query>,
    ) {
        let up = stage.up;
        let velocity = self.ball_velocity(pose, stage);
        let lever = pose.ankle_ws - pose.ball_ws;
        // Where the ball will be, as far as the way there does not depend on the answers.
        let ball = if self.planted != 0 {
            self.anchor + self.ground_velocity * stage.dt
        } else {
            let lag = if self.started != 0 { self.faded(stage.dt).0 } else { self.lag };
            let onwards = normalize_or(flat(velocity, up), Vec3::ZERO) * ONWARDS;
            pose.ball_ws + lag + self.aside + self.aside_rate * stage.dt + onwards
        };
        let heel = ball + self.align * lever;
        self.foresee(pose, foot, stage, settings, velocity);
        let target = if self.has_foothold != 0 { self.foothold } else { self.landing };
        let first = if settings.quality == Quality::One && self.planted == 0 { target } else { ball };
        let purpose =
            if settings.quality == Quality::One && self.planted == 0 { Purpose::Landing } else { Purpose::Ball };
        out.push(self.query(first, purpose, leg, stage, settings));
        if settings.quality == Quality::One {
            return;
        }
        out.push(self.query(heel, Purpose::Heel, leg, stage, settings));
        let reach = flat(self.landing - ball, up).dot(self.way).max(0.12 * flat(velocity, up).dot(self.way)).max(0.0);
        let to = reach + foot.toe_length + settings.foothold_shift;
        let from = -(flat(lever, up).length() + foot.heel_length);
        let profile = self.memory.profile(ball, self.way, up, stage.root, from, to);
        self.memory.choose_spares(&profile);
        let five = settings.quality == Quality::Five;
        let turn_of_landing = five || self.elapsed_is_even();
        if self.planted == 0 && turn_of_landing {
            out.push(self.query(target, Purpose::Landing, leg, stage, settings));
        }
        let mut last = f32::MAX;
        let paths = if five { 2 } else { usize::from(self.planted != 0 || !turn_of_landing) };
        for _ in 0..paths {
            let ahead = profile.next_question(from, to, last);
            if ahead == last {
                break;
            }
            out.push(self.query(ball + self.way * ahead, Purpose::Path, leg, stage, settings));
            last = ahead;
        }
    }

    /// Alternates from frame to frame without a clock.
    fn elapsed_is_even(&self) -> bool {
        self.started & 1 == 0
    }

    /// Way, time and place of the landing.
    fn foresee(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        velocity: Vec3,
    ) {
        let up = stage.up;
        let usual =
            if self.swing_time > 0.0 { self.swing_time } else { stage.usual_time.unwrap_or(settings.swing_time) };
        let root_velocity = stage.root_velocity - flat(self.ground_velocity, up);
        let height = (pose.ball_ws - stage.root).dot(up) - foot.ball_height;
        let speed = flat(velocity, up).length();
        if stage.dt > 0.0 {
            let slowing = if self.elapsed > 0.0 && self.planted == 0 { (self.speed - speed) / stage.dt } else { 0.0 };
            self.slowing += (slowing - self.slowing) * decay(0.025, stage.dt);
            self.speed = speed;
        }
        let swing = Swing {
            slowing: if self.whole_swing == 0 { self.slowing } else { 0.0 },
            // Before take-off: a whole swing is still to come.
            elapsed: if self.planted != 0 { 0.0 } else { self.elapsed },
            usual,
            root: stage.root,
            root_velocity,
            usual_place: if self.has_place != 0 {
                Some(flat(stage.rotation * self.place, up))
            } else {
                // Planted from the start: as far ahead as others land; in the air from the start:
                // nothing is known.
                stage.usual_reach.filter(|_| self.planted != 0).map(|reach| {
                    let way = normalize_or(stage.root_velocity, Vec3::ZERO);
                    let local = flat(pose.ball_ws - stage.root, up);
                    local + way * (reach - local.dot(way))
                })
            },
            ball: pose.ball_ws,
            ball_velocity: flat(velocity, up),
            height,
            height_rate: velocity.dot(up),
        };
        let (left, landing) = match pose.landing {
            Some((left, place)) => {
                let at = stage.root + stage.rotation * place + root_velocity * left;
                (left.max(0.0), at + up * (pose.ball_ws - at).dot(up))
            }
            None => landing::predict(&swing, up),
        };
        self.time_to_landing = left;
        self.landing = landing;
        let way = flat(landing - self.ball, up);
        if self.started == 0 {
            self.way = normalize_or(flat(stage.rotation * Vec3::Z, up), crate::math::perpendicular(up));
        }
        let going = flat(velocity, up);
        if self.planted == 0
            && left > 0.1
            && going.length() > 0.4
            && way.dot(going) < 0.5 * way.length() * going.length()
        {
            // It does not go to where it is expected: the ground along its own way counts.
            self.way = normalize_or(going, self.way);
        } else if way.length() > 0.12 {
            self.way = normalize_or(way, self.way);
        }
        self.way = normalize_or(flat(self.way, up), crate::math::perpendicular(up));
    }

    /// Second phase: contact, ball, ankle and turn of the foot from the answers to this leg's
    /// queries.
    pub fn place(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        asked: &[Query],
        hits: &[Hit],
    ) -> Placed {
        let (up, dt) = (stage.up, stage.dt);
        let find = |purpose: Purpose| asked.iter().position(|q| q.purpose == purpose).map(|i| &hits[i]);
        let ball_hit = find(Purpose::Ball);
        let behind = find(Purpose::Heel).and_then(|h| Ground::of(h, up));
        let ahead = find(Purpose::Landing).and_then(|h| Ground::of(h, up));
        // With a single query the ground at the landing place stands for the ground below.
        let below = ball_hit.map_or(ahead, |hit| Ground::of(hit, up));
        let velocity = self.ball_velocity(pose, stage);
        self.carry(stage, asked, hits);

        let height = (pose.ball_ws - stage.root).dot(up) - foot.ball_height;
        let carried = self.planted == 0 || self.is_carried(foot, up, below, behind);
        let stays = self.planted != 0 && carried && self.keeps(pose, settings, stage, height, velocity);
        let lands = self.planted == 0 && below.is_some() && self.lands(pose, settings, stage, height, velocity);
        if self.planted != 0 && !stays {
            self.take_off(pose, foot, stage, settings, velocity);
        } else if lands && let Some(ground) = below {
            let ground = self.heel_hold(pose, foot, stage, ground, behind);
            self.touch_down(pose, foot, stage, settings, &ground, velocity);
        } else if self.started == 0
            && self.planted == 0
            && let Some(ground) = below
        {
            // In the air at the start: at the height of the ground below.
            self.rise = (ground.below(pose.ball_ws, up) - stage.root).dot(up);
            // Or, with the heel low over a higher step, at that of the step.
            let over = |ground: &Ground| (ground.below(pose.ankle_ws, up) - stage.root).dot(up);
            let low = (pose.ankle_ws - stage.root).dot(up) - foot.heel_height < 0.04;
            if let Some(step) = behind.as_ref().map(over).filter(|h| foot.has_sole && low && *h > self.rise + 0.05) {
                self.rise = step;
            }
            if self.rise.abs() < SNAP {
                self.rise = 0.0;
            }
        }
        let ball = if self.planted != 0 {
            self.stand(foot, stage, below)
        } else {
            self.swing(pose, foot, stage, settings, velocity, below, ahead)
        };
        let ground = if self.planted != 0 { (self.anchor - stage.root).dot(up) } else { self.rise };
        let placed = self.turn_foot(pose, foot, stage, settings, ball, below, behind, ahead, height, ground);
        self.ball = placed.ball;
        self.last_ball = pose.ball_ws;
        if self.planted != 0 {
            self.last_ground = (self.anchor - stage.root).dot(up);
            self.held = 0;
        }
        self.last_height = (pose.ball_ws - stage.root).dot(up);
        self.elapsed += dt;
        self.started = if self.started == 1 { 2 } else { 1 };
        placed
    }

    /// Moves what is on the ground with it, and takes the new hits in.
    fn carry(&mut self, stage: &Stage, asked: &[Query], hits: &[Hit]) {
        let up = stage.up;
        self.memory.carry(stage.dt, |body| hits.iter().find(|h| h.hit && h.body == body).map(|h| h.velocity_ws));
        for (query, hit) in asked.iter().zip(hits) {
            if hit.hit && matches!(query.purpose, Purpose::Landing | Purpose::Path) {
                let normal = hit.normal_ws * (1.0 / hit.normal_ws.dot(up).max(0.2));
                let gradient = up - normal;
                let sample =
                    Sample { point: hit.point_ws, gradient, velocity: hit.velocity_ws, body: hit.body, used: 1 };
                self.memory.insert(sample, up);
            }
        }
        // The first query is the one below the foot, or stands for it.
        let Some(hit) = hits.first().filter(|hit| hit.hit) else { return };
        if self.started != 0 {
            let moved = hit.velocity_ws * stage.dt;
            let turned = hit.angular_velocity_ws.dot(up) * stage.dt;
            if self.planted != 0 {
                self.anchor += moved;
                if turned != 0.0 {
                    self.yaw += turned - stage.turn;
                }
            }
            // Heights count from the root's plane, which may move by itself.
            let rise = moved.dot(up) - stage.rise;
            if self.planted == 0 {
                self.rise += rise;
            }
            self.last_ground += rise;
            self.wall += rise;
            self.foothold += moved;
        }
        self.ground_velocity = hit.velocity_ws;
    }

    /// Whether there is ground under a planted foot, below its ball or its heel. Ground that is
    /// gone without having moved (a platform that was removed) carries no foot.
    fn is_carried(&self, foot: &FootModel, up: Vec3, below: Option<Ground>, behind: Option<Ground>) -> bool {
        let far = |ground: Ground| (self.anchor - ground.below(self.anchor, up)).dot(up) > OVERHANG_HEIGHT;
        match (below, behind) {
            (Some(below), _) if !foot.has_sole => !far(below),
            (Some(below), Some(behind)) => !(far(below) && far(behind)),
            _ => true,
        }
    }

    /// Whether a planted foot stays.
    fn keeps(
        &mut self,
        pose: &LegPose,
        settings: &GrounderSettings,
        stage: &Stage,
        height: f32,
        velocity: Vec3,
    ) -> bool {
        let away = flat(self.anchor - pose.ball_ws, stage.up).length();
        let broken = away > settings.release_distance
            || self.yaw.abs() > settings.release_twist
            || self.shortage > settings.release_stretch;
        let wanted = match pose.contact {
            Contact::Auto => velocity.length() < settings.release_speed && height < settings.release_height,
            Contact::Planted => true,
            Contact::Swing => false,
        };
        if broken {
            self.blocked = 1;
        }
        wanted && !broken && stage.presence > 0.0
    }

    /// Whether a swinging foot is planted.
    fn lands(
        &mut self,
        pose: &LegPose,
        settings: &GrounderSettings,
        stage: &Stage,
        height: f32,
        velocity: Vec3,
    ) -> bool {
        let wanted = match pose.contact {
            // Nothing is known of the speed in the first frame.
            Contact::Auto => {
                self.started != 0 && velocity.length() < settings.plant_speed && height < settings.plant_height
            }
            Contact::Planted => true,
            Contact::Swing => false,
        };
        // After a broken lock the foot first comes back to where it is animated.
        if self.blocked != 0 && (!wanted || flat(self.lag, stage.up).length() < 0.3 * settings.release_distance) {
            self.blocked = 0;
        }
        wanted && self.blocked == 0 && stage.presence >= 1.0
    }

    fn take_off(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        velocity: Vec3,
    ) {
        let ball = self.anchor + self.normal * foot.ball_height + self.lag;
        self.rise = (self.anchor - stage.root).dot(stage.up);
        if self.rise.abs() < SNAP {
            self.rise = 0.0;
        }
        self.rise_rate = 0.0;
        self.lag = ball - (pose.ball_ws + stage.up * self.rise);
        self.lag_rate -= velocity;
        self.lag_left = settings.release_time;
        (self.aside, self.aside_rate, self.aside_left) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        self.planted = 0;
        self.whole_swing = 1;
        self.elapsed = 0.0;
        self.has_foothold = 0;
        if self.has_place < 2 {
            // The first time: as far before the root as another foot lands, or else as this one is
            // behind now.
            let local = flat(pose.ball_ws - stage.root, stage.up);
            let way = normalize_or(stage.root_velocity, Vec3::ZERO);
            let behind = local.dot(way);
            let reach = stage.usual_reach.unwrap_or(-0.85 * behind);
            self.place = stage.rotation.conjugate() * (local + way * (reach - behind));
            self.has_place = 1;
        }
    }

    /// The ground that a foot comes down on: that below the ball, or a higher one behind, whose
    /// edge the ball is only a little beyond.
    fn heel_hold(
        &self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        below: Ground,
        behind: Option<Ground>,
    ) -> Ground {
        let up = stage.up;
        let heel = flat(pose.ankle_ws - pose.ball_ws, up).dot(self.way);
        let ball = pose.ball_ws + self.lag + self.aside;
        let profile = self.memory.profile(ball, self.way, up, stage.root, heel.min(0.0) - 0.1, heel.max(0.0) + 0.1);
        let now = (below.below(ball, up) - stage.root).dot(up);
        let sole = (ball - stage.root).dot(up) + self.rise - foot.ball_height;
        // What was there once counts only where it is still below the heel.
        let under_heel =
            behind.map(|ground| (ground.below(ball + pose.ankle_ws - pose.ball_ws, up) - stage.root).dot(up));
        let is_there = |height: f32| under_heel.is_none_or(|heel| (heel - height).abs() < OVERHANG_HEIGHT);
        match profile.overhang(0.0, landing::OVERHANG * heel) {
            Some(height) if height > now + 0.03 && height < sole + 0.05 && is_there(height) => {
                Ground { point: flat(ball - stage.root, up) + stage.root + up * height, normal: up }
            }
            _ => below,
        }
    }

    fn touch_down(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        ground: &Ground,
        velocity: Vec3,
    ) {
        let up = stage.up;
        let first = self.started == 0;
        let rate = self.lag_rate + self.aside_rate + up * self.rise_rate;
        let ball =
            if first { pose.ball_ws } else { pose.ball_ws + self.lag + self.aside + up * self.rise + rate * stage.dt };
        // The sole touches where the ball is foot.ball_height above, along the normal.
        let anchor = ground.below(ball - ground.normal * foot.ball_height, up);
        self.lag = ball - (anchor + ground.normal * foot.ball_height);
        self.lag_rate = rate + velocity;
        // What is left of its speed is mostly taken by the ground: a short jolt rather than a
        // slide.
        let sinking = self.lag_rate.dot(ground.normal).min(0.0);
        let kept = if stage.steps { 0.0 } else { KEPT_SPEED };
        self.lag_rate = (self.lag_rate - ground.normal * sinking) * kept
            + ground.normal * if self.lag.dot(ground.normal) > 0.01 { sinking } else { 0.0 };
        if first {
            (self.lag, self.lag_rate) = (Vec3::ZERO, Vec3::ZERO);
        }
        self.anchor = anchor;
        self.normal = ground.normal;
        let local = stage.rotation.conjugate() * flat(pose.ball_ws - stage.root, up);
        if !first && self.whole_swing != 0 && self.elapsed > 0.12 {
            self.place = if self.has_place == 2 { self.place.lerp(local, 0.5) } else { local };
            self.has_place = 2;
            self.swing_time = if self.swing_time > 0.0 {
                self.swing_time + (self.elapsed - self.swing_time) * 0.5
            } else {
                self.elapsed
            };
        }
        self.planted = 1;
        self.elapsed = 0.0;
        self.lag_left = settings.plant_time.max(float::sqrt(6.0 * self.lag.length() / PULL));
    }

    /// The ball of a planted foot.
    fn stand(&mut self, foot: &FootModel, stage: &Stage, below: Option<Ground>) -> Vec3 {
        if self.started != 0 {
            self.fade_lag(stage.dt);
        }
        if let Some(ground) = below {
            // The surface may rise under the foot; a foot that overhangs an edge keeps its height.
            let now = ground.below(self.anchor, stage.up);
            let step = (now - self.anchor).dot(stage.up);
            if step.abs() < OVERHANG_HEIGHT {
                self.anchor = now;
                self.normal = ground.normal;
            }
        }
        // Never into the ground.
        let sunk = (-self.lag.dot(self.normal)).max(0.0);
        self.anchor + self.normal * (foot.ball_height + sunk) + self.lag
    }

    /// What is left of the last switch after `dt`, and its rate.
    fn faded(&self, dt: f32) -> (Vec3, Vec3) {
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

    /// Lets what is left of the last switch fade.
    pub(super) fn fade_lag(&mut self, dt: f32) {
        (self.lag, self.lag_rate) = self.faded(dt);
        self.lag_left = if self.lag_left > dt { self.lag_left - dt } else { 0.0 };
    }
}
