//! Which legs step: how much a step is due, and who may start.

use super::foot::FootModel;
use super::leg::{LegPose, Stage, flat};
use super::stepping::{Gait, StepState, Stepper};
use crate::math::{Vec3, axis_angle, length, twist_angle};

/// Part of the trigger that counts while the body stands still.
const STANDING: f32 = 0.4;
/// Score from which a leg steps along with its group.
const ALONG: f32 = 0.35;
/// Score from which a step is due. A little below 1: legs on both sides of a body are due together
/// in a frame at which they are at 1 but for rounding, which would choose one of them.
const DUE: f32 = 1.0 - 1e-4;
/// Largest need of a step, in triggers: however small these are, a need can be kept in a snapshot.
const MOST_NEED: f32 = 1e6;
/// Scores that count as the same.
const ALIKE: f32 = 0.02;
/// Seconds apart at which steps count as due at the same time.
const SAME_TIME: f32 = 5e-4;
/// Part of a swing within which others of its group may still start.
const JOIN: f32 = 0.3;
/// Part of a leg's length at which it is out of reach.
const REACH: f32 = 0.97;
/// Directions in which balance is looked at.
const AROUND: usize = 16;

/// What is off beside what triggers a step.
fn need(off: f32, trigger: f32) -> f32 {
    (off / trigger.max(f32::MIN_POSITIVE)).min(MOST_NEED)
}

impl Stepper {
    /// Scores of the standing legs.
    pub(super) fn rate(&mut self, poses: &[LegPose], feet: &[FootModel], centre: Vec3, stage: &Stage) {
        let settings = self.settings;
        let legs = self.legs.iter_mut().zip(poses.iter().zip(feet));
        for (leg, (pose, foot)) in legs.filter(|(leg, _)| leg.swings == 0) {
            let speed = leg.home_velocity.length();
            let walks = (2.0 * speed * settings.step_time / settings.trigger_distance).min(1.0);
            let trigger = settings.trigger_distance * (STANDING + (1.0 - STANDING) * walks);
            let distance = need(flat(leg.foot - leg.home, stage.up).length(), trigger);
            let turned = (pose.foot_ws * leg.turn.conjugate()).normalize();
            // A point is turned by nothing.
            let angle = if foot.has_sole { twist_angle(turned, stage.up).abs() } else { 0.0 };
            let angle = need(angle, settings.trigger_angle);
            let whole = length(pose.knee_ws - pose.hip_ws) + length(pose.ankle_ws - pose.knee_ws);
            // A home that is out of reach itself makes no step.
            let at_home = length(pose.ankle_ws - pose.hip_ws);
            let now = length(leg.foot - leg.home + pose.ankle_ws - pose.hip_ws);
            let reach = need(now, (REACH * whole).max(at_home + 0.25 * settings.trigger_distance).max(1e-6));
            let now = [distance.max(angle), reach, 0.0];
            leg.last_need = leg.need;
            leg.balances = 0;
            leg.need = now;
            leg.last_score = leg.score;
            leg.score = distance.max(angle).max(if reach >= 1.0 { reach } else { 0.0 });
        }
        self.rate_balance(centre, stage);
    }

    /// The leg that helps most steps when the body's centre is outside the area of the standing
    /// feet.
    fn rate_balance(&mut self, centre: Vec3, stage: &Stage) {
        let start = crate::math::perpendicular(stage.up);
        let mut worst = (0.0, Vec3::ZERO);
        for k in 0..AROUND {
            let way = axis_angle(stage.up, core::f32::consts::TAU * k as f32 / AROUND as f32) * start;
            let standing = self.legs.iter().filter(|leg| leg.swings == 0);
            let edge = standing.map(|leg| leg.foot.dot(way)).fold(f32::MIN, f32::max);
            let out = centre.dot(way) - edge;
            if edge > f32::MIN && out > worst.0 {
                worst = (out, way);
            }
        }
        let need = need(worst.0, self.settings.trigger_balance);
        for leg in self.legs.iter_mut().filter(|leg| leg.swings == 0) {
            leg.need[2] = need;
        }
        if need < 1.0 {
            return;
        }
        let help = |leg: &StepState| (leg.home - leg.foot).dot(worst.1);
        let best = (0..self.legs.len())
            .filter(|i| self.legs[*i].swings == 0)
            .max_by(|a, b| help(&self.legs[*a]).total_cmp(&help(&self.legs[*b])));
        if let Some(leg) =
            best.map(|i| &mut self.legs[i]).filter(|leg| help(leg) > 0.1 * self.settings.trigger_distance)
        {
            leg.score = leg.score.max(need);
            leg.balances = 1;
        }
    }

    /// Lifts the legs whose step is due, those that need it most first.
    pub(super) fn start(&mut self, dt: f32) {
        // When the last of the others landed in this frame, if one did.
        let free_since = self.landed.iter().copied().filter(|since| *since >= 0.0).fold(f32::MAX, f32::min);
        let mut led: Option<(u32, f32)> = None;
        loop {
            let along = |leg: &StepState| led.filter(|(group, _)| *group == leg.group).map(|(_, since)| since);
            // How long ago a leg could start.
            let since = |leg: &StepState| along(leg).unwrap_or_else(|| leg.due_since(dt, free_since));
            let part = |since: f32| if dt > 0.0 { (since / dt).clamp(0.0, 1.0) } else { 0.0 };
            let is_due = |i: &usize| {
                let leg = &self.legs[*i];
                let due = match along(leg) {
                    Some(since) => leg.score_before(part(since)) >= ALONG,
                    None => leg.score >= DUE,
                };
                leg.swings == 0 && due && self.may_start(*i)
            };
            // The first to be due goes first; among several the one that needs it most. Rounding
            // does not choose among legs that need it alike.
            let first = (0..self.legs.len()).filter(is_due).map(|i| since(&self.legs[i])).fold(-1.0, f32::max);
            let is_first = |i: &usize| is_due(i) && since(&self.legs[*i]) >= first - SAME_TIME;
            let score = |i: usize| self.legs[i].score_before(part(first));
            let most = (0..self.legs.len()).filter(is_first).map(score).fold(0.0, f32::max);
            let Some(i) = (0..self.legs.len()).filter(is_first).find(|i| score(*i) >= most - ALIKE) else { return };
            let (leg, since) = (&self.legs[i], since(&self.legs[i]));
            if self.settings.gait == Gait::Groups {
                led = Some((leg.group, since));
            }
            self.lift(i, since);
        }
    }

    /// Whether the gait and the legs in the air let a leg start.
    fn may_start(&self, i: usize) -> bool {
        let (leg, count) = (&self.legs[i], self.ring.len());
        let rank = leg.rank as usize % count;
        let beside = [rank + 1, rank + count - 1].map(|rank| self.ring[rank % count] as usize);
        if beside.iter().any(|other| *other != i && self.legs[*other].swings != 0) {
            return false;
        }
        let mut swinging = self.legs.iter().filter(|other| other.swings != 0);
        match self.settings.gait {
            // A neighbour that needs it more goes first: no leg waits for ever.
            Gait::Free => beside.iter().all(|other| {
                let other = &self.legs[*other];
                other.score < 1.0 || other.score <= leg.score + ALIKE
            }),
            Gait::Wave => swinging.next().is_none(),
            Gait::Groups => swinging.all(|other| other.group == leg.group && other.elapsed <= JOIN * other.duration),
        }
    }
}

impl StepState {
    /// The score a part of this frame ago.
    fn score_before(&self, past: f32) -> f32 {
        let then = |i: usize| self.need[i] - (self.need[i] - self.last_need[i]) * past;
        let urgent = |need: f32| if need >= 1.0 { need } else { 0.0 };
        let own = then(0).max(urgent(then(1)));
        if self.balances != 0 { own.max(urgent(then(2))) } else { own }
    }

    /// How long ago in this frame the leg could start: since its step is due, and since the last of
    /// the others landed, where one did.
    fn due_since(&self, dt: f32, free_since: f32) -> f32 {
        let waits = self.last_score >= 1.0;
        if waits && free_since == f32::MAX {
            return 0.0;
        }
        let crossed = |(now, was): (f32, f32)| {
            if now < 1.0 {
                0.0
            } else if was < 1.0 {
                dt * (now - 1.0) / (now - was)
            } else {
                dt
            }
        };
        let due = self.need.into_iter().zip(self.last_need).map(crossed).fold(0.0, f32::max);
        due.min(free_since).min(dt)
    }
}
