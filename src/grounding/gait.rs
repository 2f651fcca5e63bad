//! Which legs step: how much a step is due, and who may start.

use super::leg::{LegPose, Stage, flat};
use super::stepping::{Gait, StepState, Stepper};
use crate::math::{Vec3, axis_angle, length, twist_angle};

/// Part of the trigger that counts while the body stands still.
const STANDING: f32 = 0.4;
/// Score from which a leg steps along with its group.
const ALONG: f32 = 0.35;
/// Scores that count as the same.
const ALIKE: f32 = 0.02;
/// Part of a swing within which others of its group may still start.
const JOIN: f32 = 0.3;
/// Part of a leg's length at which it is out of reach.
const REACH: f32 = 0.97;
/// Directions in which balance is looked at.
const AROUND: usize = 16;

impl Stepper {
    /// Scores of the standing legs.
    pub(super) fn rate(&mut self, poses: &[LegPose], centre: Vec3, stage: &Stage) {
        let settings = self.settings;
        for (leg, pose) in self.legs.iter_mut().zip(poses).filter(|(leg, _)| leg.swings == 0) {
            let speed = leg.home_velocity.length();
            let walks = (2.0 * speed * settings.step_time / settings.trigger_distance).min(1.0);
            let trigger = settings.trigger_distance * (STANDING + (1.0 - STANDING) * walks);
            let distance = flat(leg.foot - leg.home, stage.up).length() / trigger;
            let turned = (pose.foot_ws * leg.turn.conjugate()).normalize();
            let angle = twist_angle(turned, stage.up).abs() / settings.trigger_angle;
            let whole = length(pose.knee_ws - pose.hip_ws) + length(pose.ankle_ws - pose.knee_ws);
            // A home that is out of reach itself makes no step.
            let at_home = length(pose.ankle_ws - pose.hip_ws);
            let now = length(leg.foot - leg.home + pose.ankle_ws - pose.hip_ws);
            let reach = now / (REACH * whole).max(at_home + 0.25 * settings.trigger_distance).max(1e-6);
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
        let need = worst.0 / self.settings.trigger_balance;
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
        }
    }

    /// Lifts the legs whose step is due, those that need it most first.
    pub(super) fn start(&mut self, dt: f32) {
        // When the last of the others landed in this frame, if one did.
        let free_since = self.landed.iter().copied().filter(|since| *since >= 0.0).fold(f32::MAX, f32::min);
        let mut led: Option<(u32, f32)> = None;
        loop {
            let least = |leg: &StepState| if led.is_some_and(|(group, _)| group == leg.group) { ALONG } else { 1.0 };
            let is_due = |i: &usize| {
                let leg = &self.legs[*i];
                leg.swings == 0 && leg.score >= least(leg) && self.may_start(*i)
            };
            let most = (0..self.legs.len()).filter(is_due).map(|i| self.legs[i].score).fold(0.0, f32::max);
            // Rounding does not choose among legs that need it alike.
            let due = (0..self.legs.len()).filter(is_due).find(|i| self.legs[*i].score >= most - ALIKE);
            let Some(i) = due else { return };
            let leg = &self.legs[i];
            let since = match led {
                Some((group, since)) if group == leg.group => since,
                _ => {
                    let crossed = if leg.last_score < 1.0 && leg.score > leg.last_score {
                        dt * (leg.score - 1.0).max(0.0) / (leg.score - leg.last_score)
                    } else {
                        dt
                    };
                    let waited = if leg.last_score >= 1.0 && free_since == f32::MAX { 0.0 } else { dt };
                    crossed.min(free_since).min(waited)
                }
            };
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
