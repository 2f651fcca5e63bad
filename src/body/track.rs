//! Track mode: stateful, a warm start at the last answer, with bounded work per frame.
//!
//! Each frame starts at the last answer and takes a few iterations towards the goals, with the
//! posture pulling towards the incoming pose (never towards the last answer, which would drift).
//! The posture's weight is constant, so that the pose depends smoothly on the goals, also where
//! these leave the reach. What it keeps the effectors from their goals by is what a step leaves of
//! them; the goals are shifted by as much, at most 7 mm and 0.02 rad, so that goals that can be met
//! are (method of multipliers: M. Hestenes, "Multiplier and gradient methods", J. Optim. Theory
//! Appl. 4 (1969)). The multipliers of the step itself are an estimate of the same that does not
//! depend on the shift: a pose that follows such a shift, and the shift that follows the pose, can
//! go round in circles where the root's pull is strong.
//!
//! With a finite feedback the effectors approach their goals as `ẋ = feedback · (goal − x)`: over a
//! step of `h` seconds the share `1 − exp(−feedback h)` of the way, exactly, so it is stable at any
//! frame rate and does not depend on it. With the goals' velocity fed forward, `ẋ = ẋ_goal +
//! feedback · (goal − x)`: what counts is what was left of the goals of the last frame, so goals
//! that move do not leave the effectors behind. Caps of speed and acceleration: see `motion`.
//!
//! Source: R. Smits, T. De Laet, K. Claes, H. Bruyninckx, J. De Schutter, "iTaSC: a tool for
//! multi-sensor integration in robot manipulation", IEEE MFI (2008), for velocity control with
//! feedback.

use super::descent::{DescentRule, Solve};
use super::motion::{AccelerationCap, shorten, speed_share};
use super::settings::{BodySettings, TrackConverge, TrackSolver};
use super::solver::{Body, BodyError, BodyOutcome};
use super::step::DirectionRule;
use crate::math::float;
use crate::outcome::Status;
use crate::skeleton::Pose;

/// Slot: the last answer of track mode.
pub(super) const LAST: usize = 1;
/// Part of what the posture keeps goals from that a step learns, beside its share of the way.
const LEARNT: f32 = 0.25;
/// Most steps that learn at an answer of converge mode, and the turn of a step with which that
/// ends, radians.
const LEARNING_STEPS: u32 = 8;
const LEARNT_RAD: f32 = 2e-3;
/// Least damping of all directions, where some have their own.
const LEAST_DAMPING: f32 = 1e-7;

/// Whether the iterations of a frame have been taken beside those of other bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// They have not.
    Not,
    /// They have.
    Yes,
    /// They have, and no cap can shorten the way.
    Slowly,
}

impl Body {
    /// Forgets the last answer: the next [`Self::track`] starts at the incoming pose.
    pub fn reset(&mut self) {
        self.has_last = false;
    }

    /// Follows the goals for a frame of `dt` seconds: from the last answer, or the incoming pose
    /// where there is none. `pose` is updated before and after.
    pub fn track(&mut self, pose: &mut Pose, dt: f32) -> Result<BodyOutcome, BodyError> {
        if let Some(is_first) = self.begin_track(pose, dt)? {
            self.iterate(pose, dt, is_first);
        }
        Ok(self.outcome)
    }
    /// [`Self::track`] up to the iterations where they may be taken beside those of other bodies;
    /// else the whole frame, and false.
    pub(super) fn track_up_to_iterations(&mut self, pose: &mut Pose, dt: f32) -> Result<bool, BodyError> {
        match self.begin_track(pose, dt)? {
            Some(false) if self.may_join(dt) => {
                self.solve.residual.apply_shift(&self.solve.plan, 1.0);
                Ok(true)
            }
            Some(is_first) => {
                self.iterate(pose, dt, is_first);
                Ok(false)
            }
            None => Ok(false),
        }
    }
    /// The rest of a frame that [`Self::track_up_to_iterations`] has begun.
    pub(super) fn track_from_iterations(&mut self, pose: &mut Pose, dt: f32, taken: Taken) {
        let mut iterations = self.settings.track_iterations;
        if taken == Taken::Not {
            self.begin_step();
            iterations = self.approach(1.0);
        }
        if taken != Taken::Slowly {
            self.cap_motion(dt, 1.0);
        }
        self.end_track(pose, iterations);
    }

    /// Goes to where a frame starts; whether it is the first, and `None` where no task is present.
    fn begin_track(&mut self, pose: &Pose, dt: f32) -> Result<Option<bool>, BodyError> {
        self.check_pose(pose)?;
        if !(0.0..=1e3).contains(&dt) {
            return Err(BodyError::OutOfRange { name: "dt", value: dt });
        }
        self.begin(pose);
        if self.is_idle() {
            self.reset();
            self.outcome = BodyOutcome::INACTIVE;
            return Ok(None);
        }
        let is_first = !self.has_last;
        if is_first {
            let is_alike = self.directions(1.0) == DirectionRule::Alike;
            self.damping = if is_alike { self.settings.damping } else { LEAST_DAMPING };
            self.solve.residual.forget();
            self.velocities.stop();
        } else {
            self.solve.state.at.copy_from(&self.slots[LAST]);
        }
        Ok(Some(is_first))
    }
    fn iterate(&mut self, pose: &mut Pose, dt: f32, is_first: bool) {
        let settings = self.settings;
        let iterations = if settings.track_converge == TrackConverge::Always {
            self.converge_again(dt, is_first)
        } else {
            if is_first && settings.track_converge == TrackConverge::First {
                self.converge(settings.max_attempts, false);
                self.learn_at_answer();
            }
            self.take_steps(dt, is_first)
        };
        self.end_track(pose, iterations);
    }
    fn end_track(&mut self, pose: &mut Pose, iterations: u32) {
        self.slots[LAST].copy_from(&self.solve.state.at);
        self.has_last = true;
        let met = self.solve.residual.is_met(1.0);
        self.finish(if met { Status::Reached } else { Status::OutOfIterations }, iterations, 1);
        self.write(pose);
    }
    /// Begins a step where the last has ended.
    fn begin_step(&mut self) {
        self.solve.project();
        self.slots[LAST].copy_from(&self.solve.state.at);
    }

    /// From an answer of converge mode to where steps stay, with what they learn on the way: else
    /// the first frames would leave the goals.
    fn learn_at_answer(&mut self) {
        let length_m = self.settings.rotation_length_m;
        for _ in 0..LEARNING_STEPS {
            if self.solve.work.is_out() {
                break;
            }
            self.slots[LAST].copy_from(&self.solve.state.at);
            self.solve.residual.apply_shift(&self.solve.plan, 1.0);
            self.approach(1.0);
            let Solve { state, step, .. } = &*self.solve;
            if speed_share(&self.slots[LAST], state, &step.slides, LEARNT_RAD, length_m) >= 1.0 {
                break;
            }
        }
    }

    /// The steps of a frame.
    fn take_steps(&mut self, dt: f32, is_first: bool) -> u32 {
        let settings = self.settings;
        let steps = settings.steps(dt);
        let h = dt / steps as f32;
        let share = if settings.feedback > 0.0 { 1.0 - float::exp(-settings.feedback * h) } else { 1.0 };
        let follows = share < 1.0 && settings.goal_velocity > 0.0;
        let mut iterations = 0;
        for step in 0..steps {
            if step > 0 && self.solve.work.is_out() {
                break;
            }
            self.begin_step();
            self.solve.residual.restart();
            if share < 1.0 {
                self.solve.state.forward();
                // Goals moved since the last frame's last step, and stay while the frame lasts.
                let velocity = if step == 0 && !is_first { settings.goal_velocity } else { 0.0 };
                let Self { solve, demands, .. } = self;
                solve.residual.hold_back(&solve.plan, demands, &solve.state, 1.0 - share, velocity);
            }
            self.solve.residual.apply_shift(&self.solve.plan, 1.0);
            iterations += self.approach(share);
            self.cap_motion(h, share);
        }
        if follows {
            let Self { solve, demands, .. } = self;
            solve.residual.restart();
            solve.residual.remember(&solve.plan, demands, &solve.state);
        }
        iterations
    }

    /// A whole converge solve from the last answer.
    fn converge_again(&mut self, dt: f32, is_first: bool) -> u32 {
        self.solve.project();
        self.slots[LAST].copy_from(&self.solve.state.at);
        self.converge(if is_first { self.settings.max_attempts } else { 0 }, false);
        if !is_first {
            self.cap_motion(dt, 1.0);
        }
        self.outcome.iterations
    }

    /// How steps that go this share of the way treat directions.
    fn directions(&self, share: f32) -> DirectionRule {
        let settings = &self.settings;
        match settings.track_solver {
            _ if self.solve.plan.rows > BodySettings::MAX_DIRECTIONS => DirectionRule::Alike,
            TrackSolver::Adaptive => DirectionRule::Alike,
            TrackSolver::Dls => DirectionRule::Damped { most: settings.damping_max, below: settings.damping_epsilon },
            TrackSolver::Sdls => DirectionRule::Selective { most_rad: share * settings.max_step_rad },
        }
    }

    /// A few iterations from the last answer. The posture has a constant weight, so that the pose
    /// depends smoothly on the goals; what it keeps the effectors from their goals by is learnt,
    /// and the goals are shifted by as much. `share`: of the way that these iterations go.
    fn approach(&mut self, share: f32) -> u32 {
        let settings = self.settings;
        let directions = self.directions(share);
        let least = if directions == DirectionRule::Alike { 1e-6 } else { LEAST_DAMPING };
        let levels = self.solve.residual.levels();
        // Steps that go a share of the way pull to the incoming pose as much less: else the pull
        // would count the more beside the goals, the shorter the frames are.
        let posture = (1..levels).fold(settings.posture * share, |weight, _| weight * settings.level_ratio);
        let mut iterations = 0;
        for round in 0..settings.track_iterations {
            if round > 0 && self.solve.work.is_out() {
                break;
            }
            let rule = DescentRule {
                max_iterations: 1,
                posture,
                posture_end: posture,
                posture_ease: 0.0,
                root_posture: settings.root_posture,
                damping: self.damping.max(least).min(settings.damping),
                stop_at: 0.0,
                stall: 2.0,
                stretches: true,
                curved: false,
                hand_over: 0.0,
                settle_rad: 0.0,
                search_rad: 0.0,
                directions,
            };
            let done = self.descend(&rule);
            self.damping = done.damping;
            iterations += done.iterations;
            if done.iterations == 0 {
                // Nothing has changed that the next would try.
                break;
            }
            // Where a step goes a share of the way only, what is learnt counts in full: in smaller
            // parts, or the two pass each other by.
            let part = if share < 1.0 { LEARNT * share } else { 1.0 };
            // What damping beyond the posture's weight has cut is no measure of the posture's pull.
            if done.taken_with <= posture {
                let solve = &mut self.solve;
                solve.residual.learn(&solve.plan, &self.demands, part);
            }
        }
        if !self.solve.step.slides.is_stiff() && !self.solve.residual.is_met(1.0) {
            iterations += self.lengthen(settings.track_iterations).iterations;
        }
        iterations += self.restore_levels(1, true);
        self.solve.residual.apply_shift(&self.solve.plan, -1.0);
        self.solve.residual.evaluate(&self.solve.plan, &self.demands, &self.solve.state);
        iterations
    }

    /// Applies the caps to the way from the last answer to the state, which took `h` seconds and
    /// goes a share of what is left.
    fn cap_motion(&mut self, h: f32, goes: f32) {
        let settings = self.settings;
        let length_m = settings.rotation_length_m;
        let (last, Solve { state, step, .. }) = (&self.slots[LAST], &mut *self.solve);
        let share = if settings.max_speed > 0.0 {
            speed_share(last, state, &step.slides, settings.max_speed * h, length_m)
        } else {
            1.0
        };
        let accelerates = settings.caps_acceleration(h);
        if accelerates {
            let (most, floats) = (settings.max_acceleration, self.floating);
            let cap = AccelerationCap { h, most, most_m: most * length_m, share, goes, floats };
            self.velocities.cap_acceleration(last, state, &step.slides, &cap);
        } else if share < 1.0 {
            shorten(last, &mut state.at, share);
        }
        let is_changed = accelerates || share < 1.0;
        if is_changed {
            // Between two admissible rotations may be others.
            self.solve.project();
            self.solve.state.forward();
            self.solve.residual.evaluate(&self.solve.plan, &self.demands, &self.solve.state);
        }
        if accelerates {
            self.velocities.remember(&self.slots[LAST], &self.solve.state.at, h);
        }
    }
}
