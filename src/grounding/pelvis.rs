//! Height and tilt of the body from all legs.

use super::leg::Stage;
use super::motion::{Exponentials, SNAP, rate};
use super::settings::GrounderSettings;
use crate::math::{Vec3, plain_length};
use bytemuck::{Pod, Zeroable};

/// Part of the time to sink that it takes where a leg would not reach.
const NEEDED: f32 = 0.45;
/// Fastest growth of a need that the pelvis goes ahead of, m/s.
const MAX_TREND: f32 = 1.5;

/// Offset of the pelvis along up and tilt of the body as a rotation vector in the ground plane,
/// with their rates.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Pelvis {
    /// Part that follows the ground's mean height.
    pub follow: f32,
    follow_rate: f32,
    /// Part that keeps legs from over-extension: 0 or below.
    pub guard: f32,
    guard_rate: f32,
    /// Goals of the last frame: in between they go from one to the other in a straight line.
    last_mean: f32,
    last_limit: f32,
    last_led: f32,
    last_tilt: Vec3,
    trend: f32,
    pub tilt: Vec3,
    tilt_rate: Vec3,
}

impl Pelvis {
    /// Converts lengths to another scale.
    pub fn rescale(&mut self, by: f32) {
        let Self {
            follow,
            follow_rate,
            guard,
            guard_rate,
            last_mean,
            last_limit,
            last_led,
            last_tilt: _,
            trend,
            tilt: _,
            tilt_rate: _,
        } = self;
        for length in [follow, follow_rate, guard, guard_rate, last_mean, last_limit, last_led, trend] {
            *length *= by;
        }
    }

    /// Height offset along up, metres.
    pub fn offset(&self) -> f32 {
        self.follow + self.guard
    }

    /// Lowest goal of the guard, with which the offset keeps to `most`.
    fn least_guard(&self, most: f32) -> f32 {
        (-most - self.follow).min(0.0)
    }

    /// The part that follows the ground, `mean` the height of that under the feet over the root's
    /// plane. In the first frame it is at once where it is going to.
    #[inline(always)]
    pub fn follow(
        &mut self,
        mean: f32,
        settings: &GrounderSettings,
        stage: &Stage,
        is_first: bool,
        exponentials: &mut Exponentials,
    ) {
        let most = settings.max_pelvis_offset;
        let goal = (mean * settings.pelvis_follow).clamp(-most, most);
        if is_first {
            *self = Self { follow: goal, last_mean: goal, ..Self::default() };
            return;
        }
        let time = if goal < self.follow { settings.pelvis_fall_time } else { settings.pelvis_rise_time };
        (self.follow, self.follow_rate) = exponentials.pursue(
            Exponentials::FOLLOW,
            self.follow,
            self.follow_rate,
            self.last_mean,
            goal,
            rate(time),
            stage.dt,
        );
        self.last_mean = goal;
        snap(&mut self.follow, &mut self.follow_rate, goal);
    }

    /// The rest, after [`Self::follow`]: `limit` the highest offset from there at which every leg
    /// still reaches (positive: room), `tilt` the ground's tilt under the feet.
    #[inline(always)]
    pub fn guard(
        &mut self,
        limit: f32,
        tilt: Vec3,
        settings: &GrounderSettings,
        stage: &Stage,
        is_first: bool,
        exponentials: &mut Exponentials,
    ) {
        let dt = stage.dt;
        let most = settings.max_pelvis_offset;
        let least = self.least_guard(most);
        let goal = limit.clamp(least, 0.0);
        if is_first {
            (self.guard, self.last_limit, self.last_led) = (goal, goal, goal);
            self.tilt = limited(tilt * settings.body_tilt, settings.max_body_tilt);
            self.last_tilt = self.tilt;
            return;
        }
        let falls = goal < self.guard;
        // Feet that have left the ground need nothing of the pelvis.
        let omega =
            rate(if falls || stage.flies { settings.pelvis_fall_time * NEEDED } else { settings.pelvis_rise_time });
        // A spring is late by two time constants: while the need grows its input is what the need
        // will be.
        let trend = ((goal - self.last_limit) / dt).min(0.0);
        self.trend =
            (self.trend + (trend - self.trend) * exponentials.decay(Exponentials::TREND, 0.03, dt)).max(-MAX_TREND);
        self.last_limit = goal;
        let lead = if goal < 0.0 { self.trend * (2.0 / rate(settings.pelvis_fall_time * NEEDED)) } else { 0.0 };
        let led = (goal + lead).max(least);
        (self.guard, self.guard_rate) =
            exponentials.pursue(Exponentials::GUARD, self.guard, self.guard_rate, self.last_led, led, omega, dt);
        self.last_led = led;
        if self.guard > 0.0 {
            (self.guard, self.guard_rate) = (0.0, 0.0);
        }
        snap(&mut self.guard, &mut self.guard_rate, led);

        let goal = limited(tilt * settings.body_tilt, settings.max_body_tilt);
        if [goal, self.last_tilt, self.tilt, self.tilt_rate] != [Vec3::ZERO; 4] {
            self.turn(goal, rate(settings.pelvis_rise_time), dt, exponentials);
        }
    }

    /// The tilt, on its way to `goal`.
    #[inline(never)]
    fn turn(&mut self, goal: Vec3, omega: f32, dt: f32, exponentials: &mut Exponentials) {
        for i in 0..3 {
            (self.tilt[i], self.tilt_rate[i]) = exponentials.pursue(
                Exponentials::BODY_TILT,
                self.tilt[i],
                self.tilt_rate[i],
                self.last_tilt[i],
                goal[i],
                omega,
                dt,
            );
            snap(&mut self.tilt[i], &mut self.tilt_rate[i], goal[i]);
        }
        self.last_tilt = goal;
    }
}

fn limited(tilt: Vec3, most: f32) -> Vec3 {
    let size = plain_length(tilt);
    if size > most { tilt * (most / size) } else { tilt }
}

/// Ends the approach to nothing, so that flat ground leaves the pose as it is.
fn snap(x: &mut f32, v: &mut f32, goal: f32) {
    if goal == 0.0 && x.abs() < SNAP * 0.1 && v.abs() < SNAP {
        (*x, *v) = (0.0, 0.0);
    }
}
