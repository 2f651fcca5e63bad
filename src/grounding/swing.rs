//! The swinging foot: its height over the edges ahead, its way to the foothold.

use super::foot::FootModel;
use super::landing::{self, Span};
use super::leg::{Ground, LegPose, LegState, SOFT, Stage, flat};
use super::motion::{SNAP, advance, cubic_start, pass_start, soft_floor};
use super::settings::GrounderSettings;
use crate::math::Vec3;

/// Seconds before the landing at which the foot is at the height of its ground.
const EARLY: f32 = 0.03;
/// Greatest acceleration towards the landing's height, m/s².
const MAX_PULL: f32 = 60.0;
/// Greatest acceleration with which a foot is lifted over an edge, m/s².
const MAX_LIFT: f32 = 45.0;

/// When a swinging foot passes a point ahead: its way is taken as the cubic from its present speed
/// to rest at the landing.
struct Passage {
    way: [f32; 9],
    left: f32,
}

impl Passage {
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

    /// Seconds until `ahead` metres are gone; the whole time for what lies beyond.
    fn time(&self, ahead: f32) -> f32 {
        for i in 1..9 {
            let (a, b) = (self.way[i - 1], self.way[i]);
            if ahead < b {
                return self.left * (i as f32 - 1.0 + ((ahead - a) / (b - a)).max(0.0)) / 8.0;
            }
        }
        self.left
    }
}

impl LegState {
    /// The ball of a swinging foot.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn swing(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        velocity: Vec3,
        below: Option<Ground>,
        ahead: Option<Ground>,
    ) -> Vec3 {
        let (up, dt) = (stage.up, stage.dt);
        if self.started != 0 {
            self.fade_lag(dt);
        }
        let ball = pose.ball_ws + self.lag + self.aside + up * self.rise;
        let reach = flat(self.landing - ball, up).dot(self.way);
        let lever = flat(pose.ankle_ws - pose.ball_ws, up).length();
        let span = Span { toe: foot.toe_length, ankle: lever + foot.heel_length };
        let profile = self.memory.profile(
            ball,
            self.way,
            up,
            stage.root,
            -span.ankle - 0.1,
            reach + span.toe + settings.foothold_shift + 0.1,
        );

        // Foothold: on a step, not across its edge.
        let mut goal = Vec3::ZERO;
        if settings.foothold_shift > 0.0 && reach > -0.3 {
            let chosen = flat(self.foothold - ball, up).dot(self.way);
            let keep = self.has_foothold != 0
                && (chosen - reach).abs()
                    < settings.foothold_shift + if self.time_to_landing < 0.16 { 0.1 } else { 0.04 }
                && landing::stands_well(&profile, chosen, span);
            let shift = if keep {
                chosen - reach
            } else {
                landing::foothold_shift(&profile, reach, span, settings.foothold_shift)
            };
            if keep || shift != 0.0 {
                goal = self.way * shift;
                self.foothold = self.landing + goal;
                self.has_foothold = 1;
            } else {
                self.has_foothold = 0;
            }
        }
        let reach = reach + goal.dot(self.way);

        // Height of the ground where it lands.
        let landing_height = match (self.has_foothold != 0).then(|| profile.height_at(reach)).flatten() {
            Some(height) => Some(height),
            None => ahead.map(|g| (g.below(self.landing, up) - stage.root).dot(up)),
        };
        let landing_height =
            landing_height.or_else(|| below.map(|g| (g.below(ball, up) - stage.root).dot(up))).unwrap_or(0.0)
                * stage.presence;
        let landing_height = if landing_height.abs() < SNAP { 0.0 } else { landing_height };

        // A little early: the animation's own height is the rest of the way.
        let left = (self.time_to_landing - EARLY).max(landing::LEAST_TIME);
        let (x, v) = (self.rise, self.rise_rate);
        let (mut a, mut j) = cubic_start(x, v, landing_height, left);
        if a.abs() > MAX_PULL {
            (a, j) = (a * (MAX_PULL / a.abs()), j * (MAX_PULL / a.abs()));
        }
        let passage = Passage::new(flat(velocity + self.lag_rate, up).dot(self.way), reach, left);
        let mut clear = |ahead: f32, height: f32| {
            let (b, k) = pass_start(x, v, height, passage.time(ahead).max(0.04));
            if b > a {
                (a, j) = if b > MAX_LIFT { (MAX_LIFT, k * (MAX_LIFT / b)) } else { (b, k) };
            }
        };
        for (at, height) in profile.points().filter(|(at, _)| *at > 0.0 && *at < reach) {
            clear(at, height);
        }
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
        if x == 0.0 && v == 0.0 && a == 0.0 {
            // Flat ground: exactly nothing.
        } else {
            let (nx, nv) = advance(x, v, a, j, dt);
            let (nx, nv) =
                if landing_height == 0.0 && nx.abs() < SNAP * 0.25 && nv.abs() < 5e-3 { (0.0, 0.0) } else { (nx, nv) };
            (self.rise, self.rise_rate) = (nx, nv);
        }

        // Level: to the foothold, or back.
        if (goal - self.aside).length() > SNAP && self.aside_left <= 0.0 {
            self.aside_left = self.time_to_landing.max(landing::LEAST_TIME);
        }
        if self.aside_left > dt {
            self.aside_left = self.aside_left.max(landing::LEAST_TIME * 0.7);
            for i in 0..3 {
                let (a, j) = cubic_start(self.aside[i], self.aside_rate[i], goal[i], self.aside_left);
                (self.aside[i], self.aside_rate[i]) = advance(self.aside[i], self.aside_rate[i], a, j, dt);
            }
            self.aside_left -= dt;
            if goal == Vec3::ZERO && self.aside.length() < SNAP && self.aside_rate.length() < 0.01 {
                self.aside_left = 0.0;
            }
        }
        if self.aside_left <= dt && goal == Vec3::ZERO {
            (self.aside, self.aside_rate, self.aside_left) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        }

        let offset = self.lag + self.aside + up * self.rise;
        let ball = if offset == Vec3::ZERO { pose.ball_ws } else { pose.ball_ws + offset };
        // Never through the ground.
        match below {
            Some(ground) if stage.presence > 0.0 => {
                let over = ground.distance(ball) - foot.ball_height;
                let lifted = soft_floor(over, SOFT);
                if lifted == over {
                    ball
                } else {
                    ball + up * ((lifted - over) / up.dot(ground.normal) * stage.presence)
                }
            }
            _ => ball,
        }
    }
}
