//! The swinging foot: its height over the edges ahead, its way to the foothold.

use super::ask::SOON;
use super::foot::FootModel;
use super::landing::{self, Kept, Span};
use super::leg::{FRAME, Ground, LegPose, LegState, SOFT, Stage, flat};
use super::masks;
use super::memory::Memory;
use super::motion::{SNAP, advance, cubic_start, least_time, pass_start, soft_floor};
use super::profile::{Needs, Profile};
use super::query::Quality;
use super::settings::GrounderSettings;
use crate::math::eight_lane::EightLane;
use crate::math::{Lane, LaneMask, Vec3, normalize_or, plain_length};

/// Seconds before the landing at which the foot is at the height of its ground.
const EARLY: f32 = 0.03;
/// Greatest acceleration towards the landing's height, m/s².
const MAX_PULL: f32 = 90.0;
/// Greatest acceleration with which a foot is lifted over an edge, m/s².
const MAX_LIFT: f32 = 100.0;
/// Greatest acceleration of the way to a foothold, m/s².
const MAX_ASIDE: f32 = 60.0;
/// Seconds before the landing from which changing over to another step costs ever more.
const COMMITTED: f32 = 0.12;
/// Seconds after which that is over for a foot that has not landed.
const HESITATES: f32 = 0.3;
/// Height over the foot's ground from which ground that it is soon over was not expected, metres.
const UNEXPECTED: f32 = 0.08;
/// Most that a foot is put up at once on ground that was not seen, metres.
const RECKONED: f32 = 0.02;
/// Depth in the ground from which a foot is held back before a riser rather than lifted, metres.
const DEEP: f32 = 0.03;

/// Least time in which a foot passes a point, seconds.
const LEAST_PASSAGE: f32 = 0.04;

/// When a swinging foot passes a point ahead: its way is taken as the cubic from its present speed
/// to rest at the landing.
struct Passage {
    way: [f32; 9],
    left: f32,
}

impl Passage {
    #[inline(always)]
    fn new(speed: f32, reach: f32, left: f32) -> Self {
        let mut way = [0.0; 9];
        let mut most = 0.0_f32;
        for (i, at) in way.iter_mut().enumerate() {
            let s = i as f32 / 8.0;
            let x = reach * s * s * (3.0 - 2.0 * s) + speed.max(0.0) * left * s * (1.0 - s) * (1.0 - s);
            most = most.max(x);
            *at = most;
        }
        Self { way, left }
    }

    /// Seconds until `ahead` metres are gone; the whole time for what is beyond.
    #[inline(always)]
    fn time<L: Lane>(&self, ahead: L) -> L {
        let way = self.way.map(L::splat);
        let (mut part, mut from, mut to) = (L::splat(8.0), way[7], way[8]);
        for i in (0..8).rev() {
            let is_before = ahead.lt(way[i + 1]);
            part = L::select(is_before, L::splat(i as f32), part);
            from = L::select(is_before, way[i], from);
            to = L::select(is_before, way[i + 1], to);
        }
        let (left, zero) = (L::splat(self.left), L::splat(0.0));
        let time = left * (part + ((ahead - from) / (to - from)).max(zero)) / L::splat(8.0);
        L::select(ahead.lt(way[8]), time, left)
    }
}

/// The animation's own height as far as it is going to last.
struct Lasting {
    height: f32,
    rate: f32,
    whole: f32,
}

impl Lasting {
    #[inline(always)]
    fn at<L: Lane>(&self, time: L) -> L {
        let [height, rate, whole] = [self.height, self.rate, self.whole].map(L::splat);
        (height + rate * time).min(height * (L::splat(1.0) - time / whole)).max(L::splat(0.0))
    }
}

/// How a swinging foot goes on along up: the acceleration and jerk from height `x` and rate `v` on.
struct Lift {
    x: f32,
    v: f32,
    a: f32,
    j: f32,
    /// Seconds from the step's begin to now.
    begun: f32,
    /// Height from which ground is overhead.
    most: f32,
}

impl Lift {
    /// The acceleration and jerk with which the foot is over a height in `time` seconds.
    #[inline(always)]
    fn needed<L: Lane>(&self, time: L, height: L) -> (L, L) {
        let height = height.min(L::splat(self.most));
        let time = time + L::splat(self.begun).max(L::splat(-0.5) * time);
        pass_start(L::splat(self.x), L::splat(self.v), height, time)
    }

    /// Takes what is needed where that is more.
    #[inline(always)]
    fn take(&mut self, (b, k): (f32, f32)) {
        if b > self.a {
            (self.a, self.j) = if b > MAX_LIFT { (MAX_LIFT, k * (MAX_LIFT / b)) } else { (b, k) };
        }
    }

    /// Lifts the foot over the ground up to `reach` ahead, but for edges: it is over each point
    /// when it passes that.
    #[inline(always)]
    fn climb<E: EightLane>(
        &mut self,
        profile: &Profile,
        memory: &Memory,
        way: Vec3,
        reach: f32,
        passage: &Passage,
        lasting: &Lasting,
    ) {
        let reach = E::splat(reach);
        for (i, set) in masks::eights(profile.points_ahead(reach)) {
            let (at, height) = profile.eight_points::<E>(i);
            self.climb_eight(at, height, set, passage, lasting);
        }
        let middles = profile.middles(reach);
        let slopes = profile.slopes(memory, way, middles);
        for (i, set) in masks::eights(middles) {
            let (at, height) = profile.eight_middles::<E>(&slopes, i);
            self.climb_eight(at, height, set, passage, lasting);
        }
    }

    /// Lifts the foot over eight points, of which those in the set count.
    #[inline(always)]
    fn climb_eight<E: EightLane>(&mut self, at: E, height: E, set: u32, passage: &Passage, lasting: &Lasting) {
        let time = passage.time(at).max(E::splat(LEAST_PASSAGE));
        let (b, k) = self.needed(time, height - lasting.at(time));
        let more = set & u32::from(E::splat(self.a).lt(b).bits());
        if more != 0 {
            let (b, k) = (b.numbers(), k.numbers());
            masks::points(more).for_each(|i| self.take((b[i], k[i])));
        }
    }

    /// Lifts the foot so that it is over a height in `time` seconds.
    #[inline(always)]
    fn clear(&mut self, time: f32, height: f32) {
        self.take(self.needed(time, height));
    }
}

impl LegState {
    /// The ball of a swinging foot.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) fn swing<E: EightLane>(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        velocity: Vec3,
        below: Option<Ground>,
        ahead: Option<Ground>,
        soon: Option<Ground>,
        step: f32,
    ) -> Vec3 {
        let (up, dt) = (stage.up, stage.dt);
        if self.started != 0 {
            self.fade_lag(step);
        }
        // Times count from now, the laws of motion from the step's begin: a frame of 60 Hz is in
        // the times already.
        let begun = step - FRAME;
        let ball = pose.ball_ws + self.lag + self.aside + up * self.rise;
        let reach = flat(self.landing - ball, up).dot(self.way);
        let lever = plain_length(flat(pose.ankle_ws - pose.ball_ws, up));
        // The leading and the trailing part of the sole, whichever way it goes.
        let toes = flat(pose.ball_ws - pose.ankle_ws, up).dot(self.way);
        let turned = if lever > 1e-4 { toes / lever } else { 1.0 };
        let (front, back) = (foot.toe_length * turned, -(lever + foot.heel_length) * turned);
        let span = Span { toe: front.max(back).max(0.0), ankle: (-front).max(-back).max(0.0) };
        let mut profile = Profile::empty();
        let (from, to) = (-span.ankle - 0.1, reach + span.toe + settings.foothold_shift + 0.1);
        self.memory.fill_profile::<E>(&mut profile, ball, self.way, up, stage.root, from, to, Needs::Edges);

        // Foothold: on a step, not across its edge.
        let mut goal = Vec3::ZERO;
        if settings.foothold_shift > 0.0 && reach > -0.3 {
            // A foot that was about to land and hesitates stays with its step for a while.
            let late = 1.0 - (self.time_to_landing / COMMITTED).clamp(0.0, 1.0);
            self.late = late.max(self.late - dt / HESITATES);
            let kept = (self.has_step != 0).then_some(Kept { height: self.step, late: self.late });
            let shift = landing::foothold_shift(&profile, reach, span, settings.foothold_shift, kept);
            self.has_foothold = u32::from(shift != 0.0);
            goal = self.way * shift;
            self.foothold = self.landing + goal;
        }
        let reach = reach + goal.dot(self.way);

        // Height of the ground where it lands.
        let landing_height = match (self.has_foothold != 0).then(|| profile.height_at(reach)).flatten() {
            Some(height) => Some(height),
            None => ahead.map(|g| (g.below(self.landing, up) - stage.root).dot(up)),
        };
        let landing_height = match profile.overhang(reach, reach - landing::OVERHANG * lever * turned) {
            Some(height) if landing_height.is_none_or(|h| h < height) => Some(height),
            _ => landing_height,
        };
        let landing_height = landing_height
            .or_else(|| below.map(|g| (g.below(ball, up) - stage.root).dot(up)))
            .unwrap_or(0.0 - stage.air);
        (self.step, self.has_step) = (landing_height, 1);
        // In a jump the root comes down to the ground before the foot is there.
        let landing_height = (landing_height + stage.air) * stage.presence;
        let landing_height = if landing_height.abs() < SNAP { 0.0 } else { landing_height };

        // A little early: the animation's own height is the rest of the way.
        let left = (self.time_to_landing + begun - EARLY).max(landing::LEAST_TIME);
        // What a foot was held back by when the body jumped is made up for at once.
        let left = if stage.flies { left.min(settings.release_time.max(landing::LEAST_TIME)) } else { left };
        let (x, v) = (self.rise, self.rise_rate);
        let (a, j) = cubic_start(
            x,
            v,
            landing_height,
            left.max(least_time((landing_height - x).abs(), if landing_height < x { -v } else { v }, MAX_PULL)),
        );
        let speed = flat(velocity + self.lag_rate + self.aside_rate, up).dot(self.way);
        let passage = Passage::new(speed, reach, left - begun);
        // What is higher is overhead.
        let most = settings.max_step_up + self.known_rise + settings.swing_clearance;
        let mut lift = Lift { x, v, a, j, begun, most };
        if self.held != 0 {
            lift.clear(0.05, self.wall + settings.swing_clearance);
        }
        // The animation's own height counts as far as it is going to last.
        let own = (pose.ball_ws - stage.root).dot(up) - foot.ball_height;
        let own_rate = velocity.dot(up);
        let whole = self.time_to_landing.max(landing::LEAST_TIME);
        let lasting = Lasting { height: own, rate: own_rate.min(0.0), whole };
        lift.climb::<E>(&profile, &self.memory, self.way, reach, &passage, &lasting);
        let mut clear = |ahead: f32, height: f32| {
            let time = passage.time(ahead).max(LEAST_PASSAGE);
            lift.clear(time, height - lasting.at(time));
        };
        for edge in profile.edges() {
            if edge.after > edge.before {
                let at = edge.near - span.toe;
                if at > -0.02 && edge.near < reach + 0.02 {
                    clear(at.max(0.0), edge.after + settings.swing_clearance);
                }
            } else if edge.far + 0.25 * span.ankle > 0.0 && edge.near < reach {
                // Down a step toes first: the heel follows when the ball is past the edge.
                clear((edge.far + 0.25 * span.ankle).max(0.0), edge.before + settings.swing_clearance);
            }
        }
        // An edge that was not expected on the way.
        if let Some(height) = soon.map(|g| (g.point - stage.root).dot(up)).filter(|h| *h > x + UNEXPECTED) {
            lift.clear(SOON, height + settings.swing_clearance - lasting.at(SOON));
        }
        // Ground that is only reckoned with lifts a foot as an edge does.
        let seen = settings.quality != Quality::One;
        if let Some(height) = below.filter(|_| !seen).map(|g| (g.below(ball, up) - stage.root).dot(up)) {
            lift.clear(0.05, height - lasting.at(0.05));
        }
        if x == 0.0 && v == 0.0 && lift.a == 0.0 {
            // Flat ground: exactly nothing.
        } else {
            let (nx, nv) = advance(x, v, lift.a, lift.j, step);
            let (nx, nv) =
                if landing_height == 0.0 && nx.abs() < SNAP * 0.25 && nv.abs() < 5e-3 { (0.0, 0.0) } else { (nx, nv) };
            (self.rise, self.rise_rate) = (nx, nv);
        }

        // Level: to the foothold, or back.
        if plain_length(goal - self.aside) > SNAP && self.aside_left <= 0.0 {
            self.aside_left = (self.time_to_landing + begun).max(landing::LEAST_TIME);
        }
        if self.aside_left > step {
            // The landing may have come nearer since the way was begun.
            self.aside_left = self.aside_left.min(self.time_to_landing + begun).max(landing::LEAST_TIME * 0.7);
            let to_go = goal - self.aside;
            let along = self.aside_rate.dot(normalize_or(to_go, Vec3::ZERO));
            let across = plain_length(self.aside_rate - normalize_or(to_go, Vec3::ZERO) * along);
            let least = least_time(plain_length(to_go), along, MAX_ASIDE).max(4.0 * across / MAX_ASIDE);
            let left = self.aside_left.max(least);
            for i in 0..3 {
                let (a, j) = cubic_start(self.aside[i], self.aside_rate[i], goal[i], left);
                (self.aside[i], self.aside_rate[i]) = advance(self.aside[i], self.aside_rate[i], a, j, step);
            }
            self.aside_left -= step;
            if goal == Vec3::ZERO && plain_length(self.aside) < SNAP && plain_length(self.aside_rate) < 0.01 {
                self.aside_left = 0.0;
            }
        }
        if self.aside_left <= step && goal == Vec3::ZERO {
            (self.aside, self.aside_rate, self.aside_left) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        }

        let offset = self.lag + self.aside + up * self.rise;
        let ball = if offset == Vec3::ZERO { pose.ball_ws } else { pose.ball_ws + offset };
        // Held back before a riser that it is still too low for, where it was seen.
        let mut ball = ball;
        let mut below = below;
        let was_held = self.held != 0;
        self.held = 0;
        if stage.presence > 0.0
            && self.started != 0
            && seen
            && let Some(ground) = below
            && ground.normal.dot(up) > 0.9
            && ground.distance(ball) - foot.ball_height < -DEEP
        {
            let from = self.ball + self.ground_velocity * dt;
            let step = flat(ball - from, up);
            let top = (ground.below(ball, up) - stage.root).dot(up);
            let was = self.last_ground;
            if top - was > DEEP && (plain_length(step) > 1e-4 || (was_held && dt <= 0.0)) {
                ball -= step;
                self.aside -= step;
                self.aside_rate = -flat(velocity + self.lag_rate, up);
                self.aside_left = 0.12;
                self.held = 1;
                self.wall = top;
                below = Some(Ground { point: stage.root + up * was, normal: up });
            }
        }
        if self.held == 0
            && let Some(ground) = below
        {
            self.last_ground = (ground.below(ball, up) - stage.root).dot(up);
        }
        // Never through the ground.
        match below {
            Some(ground) if stage.presence > 0.0 => {
                let over = ground.distance(ball) - foot.ball_height;
                let lifted = soft_floor(over, SOFT);
                if lifted == over {
                    ball
                } else {
                    let most = if seen { f32::INFINITY } else { RECKONED };
                    let lift = ((lifted - over) / up.dot(ground.normal)).min(most);
                    ball + up * (lift * stage.presence)
                }
            }
            _ => ball,
        }
    }
}
