//! Second phase of a leg: plant and release with hysteresis, and the foot lock: a planted foot
//! keeps to the surface.

use super::carry::part_of;
use super::foot::FootModel;
use super::landing;
use super::leg::{Contact, FRAME, Ground, LegPose, LegState, Placed, STEPS_BACK, Stage, TOO_SHORT, flat};
use super::motion::SNAP;
use super::past::Seen;
use super::profile::{EDGE_HEIGHT, Needs, Profile};
use super::query::{Hit, Quality, Query};
use super::settings::GrounderSettings;
use crate::math::eight_lane::EightLane;
use crate::math::{Vec3, float, normalize_or, plain_length, twist_angle, unit_quat};

/// Speed at which a swing's corrections may still be pulled to their goal, for residuals: m/s².
const PULL: f32 = 90.0;
/// Furthest that a foot is planted from where it came down, metres.
const MAX_PLANTED_SHIFT: f32 = 0.08;
/// Furthest that a foot is lifted onto ground that it comes down into, metres.
const MAX_LIFT: f32 = 0.05;
/// Part of its level speed that a foot keeps when it is planted.
const KEPT_SPEED: f32 = 0.3;
/// Level distances from a ground point up to which its plane is the ground, and from which it is
/// not, metres.
const NEAR: f32 = 0.1;
const FAR: f32 = 0.3;
/// Speeds are known this late, seconds: they are those of the middle of a frame of 60 Hz.
const LATE: f32 = 0.5 * FRAME;
/// Part of the time in which the pelvis sinks for which a new lock waits for it.
const YIELDS: f32 = 0.45;
/// How many times its stretch it bears meanwhile.
const NEW_STRETCH: f32 = 2.0;
/// How many times its twist a lock bears while another foot steps back.
const BOTH_TWIST: f32 = 2.0;
/// Distances from where it is animated at which a foot is planted again after a broken lock, as
/// parts of the distance that breaks one: one that steps back, and one whose leg was too short.
const BACK: f32 = 0.1;
const NEARLY_BACK: f32 = 0.3;
/// Height of a step back, as a part of its length, and its least time, seconds.
const STEP_BACK: f32 = 0.25;
const STEP_BACK_TIME: f32 = 0.25;
/// Distance from its lock at which a released foot is at once where it is animated, as a multiple
/// of the distance that breaks a lock.
const CARRIED_OFF: f32 = 4.0;
/// Height of a heel from which it is not where it stood, metres.
const HEEL_LIFTS: f32 = 0.008;
/// Way back from where a foot was released that is not gone yet, metres.
const ON_THE_WAY: f32 = 0.01;
/// Ground that is further below a planted ball than this is not what it stands on, metres.
const OVERHANG_HEIGHT: f32 = 0.03;

impl LegState {
    /// Second phase: contact, ball, ankle and turn of the foot from the answers to this leg's
    /// queries. `is_stepping_back`: another foot is on its way from a broken lock back to where it
    /// is animated.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub fn place<E: EightLane>(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        is_stepping_back: bool,
        settings: &GrounderSettings,
        asked: &[Query],
        hits: &[Hit],
    ) -> Placed {
        let (up, dt) = (stage.up, stage.dt);
        // The first answer for each purpose.
        let mut answers = [None; 4];
        for (query, hit) in asked.iter().zip(hits).rev() {
            answers[query.purpose as usize] = Some(hit);
        }
        let [ball_hit, heel_hit, landing_hit, path_hit] = answers;
        let behind = heel_hit.and_then(|h| Ground::of(h, up));
        let ahead = if stage.looks || settings.quality == Quality::One {
            landing_hit.and_then(|h| Ground::of(h, up))
        } else {
            let target = if self.has_foothold != 0 { self.foothold } else { self.landing };
            Ground::of(&self.recall(target, up, dt, 0.0), up).filter(|_| self.planted == 0)
        };
        let below = match ball_hit {
            Some(hit) => Ground::of(hit, up),
            None => ahead.map(|ahead| self.on_the_way(pose, stage, ahead)),
        };
        let velocity = self.velocity;
        let path = match path_hit {
            Some(hit) => Ground::of(hit, up),
            None if !stage.looks && self.settles() => Ground::of(&self.recall(self.anchor + self.lag, up, dt, 0.0), up),
            None => None,
        };
        let middle = path.filter(|_| self.started == 0);
        let soon = path.filter(|_| self.looks_soon(settings, flat(velocity, up)));
        let under = path.filter(|_| self.settles());
        let seen = self.seen[0];
        self.carry::<E>(stage, settings, asked, hits, heel_hit);
        self.root_turn += stage.turn;
        if self.planted != 0 && self.started != 0 && pose.foot_ws != self.last_foot {
            self.twist(twist_angle(unit_quat(pose.foot_ws * self.last_foot.conjugate()), up), 0.0);
        }
        self.last_foot = pose.foot_ws;

        let height = (pose.ball_ws - stage.root).dot(up) - foot.ball_height;
        let was = self.last_height - foot.ball_height;
        // Whether a foot stands is not decided while no time goes by.
        let decides = dt > 0.0 || self.started == 0;
        let released = if self.planted == 0 || !decides {
            None
        } else if self.is_carried(pose, foot, up, below, behind) {
            self.released(pose, settings, stage, is_stepping_back, was, height)
        } else {
            Some(dt)
        };
        let landed = if self.planted == 0 && decides && !self.is_beside(pose, stage, below, ahead) {
            self.landed(pose, settings, stage, was, height)
        } else {
            None
        };
        // Seconds of this frame in the state that it ends in.
        let mut step = dt;
        if let Some(since) = released {
            step = since;
            self.take_off(pose, foot, stage, settings, since);
        } else if let (Some(since), Some(ground)) = (landed, below) {
            let planned = self.planned_ground(pose, foot, stage, ground, ahead);
            let last = if planned.is_some() { None } else { self.last_place(pose, foot, stage, ground, &seen, behind) };
            let (ground, shift) =
                planned.unwrap_or_else(|| (self.heel_hold::<E>(pose, foot, stage, ground, behind), Vec3::ZERO));
            self.touch_down(pose, foot, stage, settings, &ground, shift, since);
            if let Some((anchor, normal)) = last {
                (self.anchor, self.normal) = (anchor, normal);
                self.lag = self.ball + self.ground_velocity * dt - (anchor + normal * foot.ball_height);
                self.lag_rate = Vec3::ZERO;
            }
            step = if pose.contact == Contact::Auto && dt > 0.0 { since + FRAME } else { dt };
        } else if self.started == 0
            && self.planted == 0
            && let Some(ground) = below
        {
            // In the air at the start: at the height of the ground below.
            self.rise = (ground.below(pose.ball_ws, up) - stage.root).dot(up);
            // Or at that of a higher step below the heel that most of the foot is over, or, where
            // that is not known, that its heel is low over.
            let is_over = match middle {
                Some(middle) => step_up(&ground, &middle, pose.ball_ws, middle.point, up) > EDGE_HEIGHT,
                None => (pose.ankle_ws - stage.root).dot(up) - foot.heel_height < 0.04,
            };
            if foot.has_sole
                && is_over
                && let Some(step) = behind
                && step_up(&ground, &step, pose.ball_ws, pose.ankle_ws, up) > EDGE_HEIGHT
            {
                // With its ball on it, which is over the ground below the edge.
                self.rise = (step.below(pose.ankle_ws, up) - stage.root).dot(up) + (-height).max(0.0);
            }
            if self.rise.abs() < SNAP {
                self.rise = 0.0;
            }
        }
        let ball = if self.planted != 0 {
            self.stand(pose, foot, stage, below, behind, under, step)
        } else {
            self.swing::<E>(pose, foot, stage, settings, velocity, below, ahead, soon, step)
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
        self.elapsed += step;
        self.last_pace = plain_length(velocity);
        self.started = 1;
        placed
    }

    /// The ground below a swinging ball where only that of its landing is known (a single query):
    /// near that place its plane, which holds for the surroundings of its point only. Elsewhere
    /// that height where it is the higher one, as an edge may be anywhere; or else the straight way
    /// down from where the foot stood.
    fn on_the_way(&self, pose: &LegPose, stage: &Stage, ahead: Ground) -> Ground {
        let up = stage.up;
        let ball = pose.ball_ws + self.lag + self.aside;
        let far = float::smooth_step(NEAR, FAR, plain_length(flat(ball - ahead.point, up)));
        if far == 0.0 {
            return ahead;
        }
        let over = |point: Vec3| (point - stage.root).dot(up);
        let way = flat(ahead.point - self.anchor, up);
        let down = if self.whole_swing != 0 { (over(self.anchor) - over(ahead.point)).max(0.0) } else { 0.0 };
        let gone = (ball - self.anchor).dot(way) / way.length_squared().max(FAR * FAR);
        let height = over(ahead.point) + down * (1.0 - gone.clamp(0.0, 1.0));
        let plane = over(ahead.below(ball, up));
        let point = stage.root + flat(ball - stage.root, up) + up * (plane + (height - plane) * far);
        Ground { point, normal: normalize_or(ahead.normal + (up - ahead.normal) * far, up) }
    }

    /// Whether there is ground under a planted foot, below its ball or its heel. Ground that is
    /// gone without having moved (a platform that was removed) carries no foot.
    #[inline(always)]
    fn is_carried(
        &self,
        pose: &LegPose,
        foot: &FootModel,
        up: Vec3,
        below: Option<Ground>,
        behind: Option<Ground>,
    ) -> bool {
        // A heel that lifts goes forwards, beyond the edge that the middle of the foot stands on.
        let lifted = (pose.ankle_ws - pose.ball_ws).dot(up) - (foot.heel_height - foot.ball_height);
        if foot.has_sole && lifted > HEEL_LIFTS {
            return true;
        }
        let far = |ground: Ground| (self.anchor - ground.below(self.anchor, up)).dot(up) > OVERHANG_HEIGHT;
        match (below, behind) {
            (Some(below), _) if !foot.has_sole => !far(below),
            (Some(below), Some(behind)) => !(far(below) && far(behind)),
            _ => true,
        }
    }

    /// For how many seconds a planted foot has been released at the end of the frame, if it is.
    #[inline(always)]
    fn released(
        &mut self,
        pose: &LegPose,
        settings: &GrounderSettings,
        stage: &Stage,
        is_stepping_back: bool,
        was: f32,
        height: f32,
    ) -> Option<f32> {
        let away = plain_length(flat(self.anchor - pose.ball_ws, stage.up));
        if stage.flies {
            return Some(stage.dt);
        }
        // A foot that its animation pivots on the ball stays; one that is turned with the root, on
        // ground that does not turn with that, is twisted.
        let carried = part_of(self.own_turn, self.root_turn);
        let twist = (carried - self.ground_turn).abs();
        // One foot after the other, while that can be.
        let most = settings.release_twist * if is_stepping_back { BOTH_TWIST } else { 1.0 };
        let steps_back = away > settings.release_distance || twist > most;
        // The pelvis needs its time to give way.
        let waits = self.elapsed < YIELDS * settings.pelvis_fall_time;
        let stretch = settings.release_stretch * if waits { NEW_STRETCH } else { 1.0 };
        let broken = steps_back || self.shortage > stretch;
        if broken {
            self.blocked = if steps_back { STEPS_BACK } else { TOO_SHORT };
        }
        if broken || stage.presence <= 0.0 {
            return Some(stage.dt);
        }
        match pose.contact {
            Contact::Auto => {
                // The first of the two.
                let fast = beyond(self.last_pace, plain_length(self.velocity), settings.release_speed);
                let high = beyond(was, height, settings.release_height);
                let part = fast.max(high);
                (part > 0.0).then_some(if stage.dt > 0.0 { part * stage.dt + LATE } else { 0.0 })
            }
            Contact::Planted => None,
            Contact::Swing => Some(stage.dt),
        }
    }

    /// Whether a foot on its way back from where it was released is over another step than the one
    /// that it comes down on.
    #[inline(always)]
    fn is_beside(&self, pose: &LegPose, stage: &Stage, below: Option<Ground>, ahead: Option<Ground>) -> bool {
        let up = stage.up;
        if self.started == 0 || flat(self.lag, up).length_squared() < ON_THE_WAY * ON_THE_WAY {
            return false;
        }
        let (Some(below), Some(ahead)) = (below, ahead) else { return false };
        let target = if self.has_foothold != 0 { self.foothold } else { self.landing };
        let ball = pose.ball_ws + self.lag + self.aside;
        step_up(&below, &ahead, ball, target, up).max(step_up(&ahead, &below, ball, target, up)) > EDGE_HEIGHT
    }

    /// For how many seconds a swinging foot has been planted at the end of the frame, if it is;
    /// below 0 where it is going to be. It goes on while its speed is not known yet.
    #[inline(always)]
    fn landed(
        &mut self,
        pose: &LegPose,
        settings: &GrounderSettings,
        stage: &Stage,
        was: f32,
        height: f32,
    ) -> Option<f32> {
        let part = match pose.contact {
            // Nothing is known of the speed in the first frame.
            Contact::Auto if self.started == 0 => 0.0,
            Contact::Auto => {
                // The last of the two.
                let slow = beyond(-self.last_pace, -plain_length(self.velocity), -settings.plant_speed);
                slow.min(beyond(-was, -height, -settings.plant_height))
            }
            Contact::Planted => 1.0,
            Contact::Swing => 0.0,
        };
        let wanted = part > 0.0;
        // After a broken lock the foot first comes back to where it is animated.
        let near = if self.blocked == STEPS_BACK { BACK } else { NEARLY_BACK };
        if self.blocked != 0 && (!wanted || plain_length(flat(self.lag, stage.up)) < near * settings.release_distance) {
            self.blocked = 0;
        }
        let crossed = pose.contact == Contact::Auto && part < 1.0 && stage.dt > 0.0;
        let since = if crossed { part * stage.dt - LATE } else { 0.0 };
        (wanted && self.blocked == 0 && stage.presence >= 1.0 && !stage.flies).then_some(since)
    }

    fn take_off(&mut self, pose: &LegPose, foot: &FootModel, stage: &Stage, settings: &GrounderSettings, since: f32) {
        // As it stood until then: what is left goes on from there.
        (self.lag, self.lag_rate) = self.faded((stage.dt - since).max(0.0));
        let velocity = self.velocity;
        let animated = pose.ball_ws - velocity * since;
        let ball = self.anchor + self.normal * foot.ball_height + self.lag;
        self.rise = (self.anchor - stage.root).dot(stage.up);
        if self.rise.abs() < SNAP {
            self.rise = 0.0;
        }
        self.rise_rate = 0.0;
        if stage.steps {
            // The animated foot starts from rest where this one stands.
            self.lag += (self.normal - stage.up) * foot.ball_height;
        } else {
            self.lag = ball - (animated + stage.up * self.rise);
            self.lag_rate -= velocity;
        }
        // A lock that is far away has been carried off, or the body was: the foot has nowhere to
        // come back from.
        if plain_length(self.lag) > CARRIED_OFF * settings.release_distance {
            (self.lag, self.lag_rate) = (Vec3::ZERO, Vec3::ZERO);
        }
        self.lag_left = settings.release_time;
        if self.blocked == STEPS_BACK {
            // A small step rather than a slide, where the animation has none: the cubic back from
            // this speed is highest after a third of the time, at 4/27 of speed by time.
            let arc = (STEP_BACK * plain_length(flat(self.lag, stage.up))).min(settings.plant_height);
            self.lag_left = self.lag_left.max(STEP_BACK_TIME);
            self.lag_rate += stage.up * (arc * 6.75 / self.lag_left);
        }
        (self.aside, self.aside_rate, self.aside_left) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        self.planted = 0;
        self.whole_swing = 1;
        self.elapsed = 0.0;
        self.has_foothold = 0;
        self.has_step = 0;
        self.late = 0.0;
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
    fn heel_hold<E: EightLane>(
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
        let mut profile = Profile::empty();
        let (from, to) = (heel.min(0.0) - 0.1, heel.max(0.0) + 0.1);
        self.memory.fill_profile::<E>(&mut profile, ball, self.way, up, stage.root, from, to, Needs::Edges);
        let now = (below.below(ball, up) - stage.root).dot(up);
        let sole = (ball - stage.root).dot(up) + self.rise - foot.ball_height;
        // What was there once counts only where it is still below the heel.
        let under_heel =
            behind.map(|ground| (ground.below(ball + pose.ankle_ws - pose.ball_ws, up) - stage.root).dot(up));
        let is_there = |height: f32| under_heel.is_none_or(|heel| (heel - height).abs() < OVERHANG_HEIGHT);
        let level = |height: f32| Ground { point: flat(ball - stage.root, up) + stage.root + up * height, normal: up };
        let is_known = |height: &f32| *height > now + 0.03 && *height < sole + 0.05 && is_there(*height);
        // Where the edge is not known yet, a foot near the height of the step is on it.
        let is_near = |height: &f32| *height > now + EDGE_HEIGHT && (height - sole).abs() < 0.5 * (sole - now);
        let edge = profile.overhang(0.0, landing::OVERHANG * heel).filter(is_known);
        edge.or(under_heel.filter(is_near).filter(|_| foot.has_sole)).map_or(below, level)
    }

    /// The ground of the planned foothold, and the way there, when the foot is nearer to it than to
    /// the ground below.
    fn planned_ground(
        &self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        below: Ground,
        ahead: Option<Ground>,
    ) -> Option<(Ground, Vec3)> {
        let up = stage.up;
        let planned = ahead.filter(|_| self.has_foothold != 0 && self.started != 0)?;
        let ball = pose.ball_ws + self.lag + self.aside + up * self.rise - up * foot.ball_height;
        let shift = flat(self.foothold - ball, up);
        let gap = |ground: Ground| (ball - ground.below(ball, up)).dot(up).abs();
        let is_there = plain_length(flat(planned.point - self.foothold, up)) < 0.5 * MAX_PLANTED_SHIFT;
        let is_nearer = plain_length(shift) < MAX_PLANTED_SHIFT && gap(planned) + plain_length(shift) < gap(below);
        (is_there && is_nearer).then_some((planned, shift))
    }

    /// Where the foot was over the ground in the last frame, and the normal there, when what is
    /// below it now is a step that it would come up through.
    fn last_place(
        &self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        below: Ground,
        seen: &Seen,
        behind: Option<Ground>,
    ) -> Option<(Vec3, Vec3)> {
        let up = stage.up;
        let before = Ground::of(&seen.answer(), up)?;
        let sole = pose.ball_ws + self.lag + self.aside + up * (self.rise - foot.ball_height);
        let lift = (below.below(sole, up) - sole).dot(up);
        let last = self.ball + self.ground_velocity * stage.dt - before.normal * foot.ball_height;
        let anchor = before.below(last, up);
        let is_over = (last - anchor).dot(up) > -OVERHANG_HEIGHT;
        let is_near = plain_length(flat(last - sole, up)) < MAX_PLANTED_SHIFT;
        // A heel over higher ground stands there.
        let heel = behind.map_or(0.0, |ground| (ground.below(pose.ankle_ws, up) - anchor).dot(up));
        (self.started != 0 && lift > MAX_LIFT && is_over && is_near && heel < OVERHANG_HEIGHT)
            .then_some((anchor, before.normal))
    }

    #[allow(clippy::too_many_arguments)]
    fn touch_down(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        ground: &Ground,
        shift: Vec3,
        since: f32,
    ) {
        let up = stage.up;
        let first = self.started == 0;
        let velocity = self.velocity;
        let animated = pose.ball_ws - velocity * since;
        let before = stage.dt - since;
        let rate = self.lag_rate + self.aside_rate + up * self.rise_rate;
        let ball = if first { pose.ball_ws } else { animated + self.lag + self.aside + up * self.rise + rate * before };
        // The sole touches where the ball is foot.ball_height above, along the normal.
        let anchor = ground.below(ball + shift - ground.normal * foot.ball_height, up);
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
        let root = stage.root - (stage.root_velocity - flat(self.ground_velocity, up)) * since;
        let local = stage.rotation.conjugate() * flat(animated - root, up);
        let swung = self.elapsed + before;
        if !first && self.whole_swing != 0 && swung > 0.12 {
            self.place = if self.has_place == 2 { self.place.lerp(local, 0.5) } else { local };
            self.has_place = 2;
            self.swing_time =
                if self.swing_time > 0.0 { self.swing_time + (swung - self.swing_time) * 0.5 } else { swung };
        }
        self.planted = 1;
        (self.own_turn, self.root_turn, self.ground_turn) = (0.0, 0.0, 0.0);
        self.elapsed = 0.0;
        self.lag_left = settings.plant_time.max(float::sqrt(6.0 * plain_length(self.lag) / PULL));
    }

    /// The ball of a planted foot. `under` is the ground where it still is, on its way to the
    /// anchor.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn stand(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        below: Option<Ground>,
        behind: Option<Ground>,
        under: Option<Ground>,
        step: f32,
    ) -> Vec3 {
        if self.started != 0 {
            self.fade_lag(step);
        }
        if let Some(ground) = below {
            // The surface may rise under the foot; a foot that overhangs an edge keeps its height.
            let now = ground.below(self.anchor, stage.up);
            let step = (now - self.anchor).dot(stage.up);
            // Ground that rose without a velocity: it is above all of the foot, which no edge is.
            let rose = step >= OVERHANG_HEIGHT
                && (!foot.has_sole
                    || behind.is_some_and(|ground| {
                        let heel = self.anchor + flat(pose.ankle_ws - pose.ball_ws, stage.up);
                        (ground.below(heel, stage.up) - heel).dot(stage.up) >= OVERHANG_HEIGHT
                    }));
            if step.abs() < OVERHANG_HEIGHT || rose {
                // On a rounded surface the point below the ball is not the one that its normal went
                // through before: the ball stays, the point gives way.
                let turned = flat((ground.normal - self.normal) * foot.ball_height, stage.up);
                self.anchor = if turned == Vec3::ZERO { now } else { ground.below(now - turned, stage.up) };
                self.normal = ground.normal;
            }
        }
        // Not through the edge of a higher step: level first, and then down.
        if let Some(under) = under {
            let at = self.anchor + self.lag;
            let deep = (under.below(at, stage.up) - at).dot(stage.up);
            if deep > 0.0 && (under.below(self.anchor, stage.up) - self.anchor).dot(stage.up) > OVERHANG_HEIGHT {
                self.lag += stage.up * deep;
                self.lag_rate -= stage.up * self.lag_rate.dot(stage.up).min(0.0);
                self.lag_left = self.lag_left.max(float::sqrt(6.0 * plain_length(self.lag) / PULL));
            }
        }
        // Never into the ground.
        let sunk = (-self.lag.dot(self.normal)).max(0.0);
        self.anchor + self.normal * (foot.ball_height + sunk) + self.lag
    }
}

/// Part of a frame for which a number has been beyond its limit, 0 where it is not. It is taken to
/// have gone there in a straight line.
fn beyond(was: f32, now: f32, limit: f32) -> f32 {
    if now <= limit {
        0.0
    } else if was >= limit {
        1.0
    } else {
        (now - limit) / (now - was)
    }
}

/// How much higher the ground behind is than the ground below, beyond what the slope of either
/// defines: the height of the step between `front` and `back`.
fn step_up(below: &Ground, behind: &Ground, front: Vec3, back: Vec3, up: Vec3) -> f32 {
    let over = |at: Vec3| (behind.below(at, up) - below.below(at, up)).dot(up);
    over(front).min(over(back))
}
