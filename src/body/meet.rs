//! Ties between bodies of different skeletons: a place that an effector of each can be brought to.
//!
//! A tie joins a task of one body with a task of another: two positions, whose points meet, or two
//! orientations. [`meet`] looks for the goals, which the bodies are then solved for as for any
//! other: hands that are held, a box that two carry.
//!
//! # Method
//!
//! With `a(p)` and `b(p)` the effectors of the two answers to the goal `p`, the place that is
//! looked for has the least `F(p) = |p − a(p)|² + |p − b(p)|²`: where both reach it that is 0,
//! where they cannot they are nearest to each other there. As `a(p)` is about the nearest point to
//! `p` of what the effector reaches, half the gradient of `|p − a(p)|²` is `d n = p − a(p)`, and
//! half its second derivative is `n nᵀ + μ (1 − n nᵀ)` with `μ = d/(d + R)`, where `R` is the
//! radius of the border of what is reached. The radius is taken to be an arm's length, then what
//! the turn of `n` over the last step makes it; the steps are Newton's with this. The first place
//! is between the effectors of the incoming poses. Each round solves every body from its incoming
//! pose, so the answer depends on the incoming poses and the tasks alone.
//!
//! Source: H. Bauschke, P. Combettes, "Convex Analysis and Monotone Operator Theory in Hilbert
//! Spaces" (2011), corollary 12.30, for the gradient.

use super::effector::Effector;
use super::placed::{BodyTaskName, PlacedBody, PlacedBodyError};
use super::settings::BodyDetail;
use crate::limits::outer;
use crate::math::{Mat3, Quat, Transform, Vec3};
use crate::outcome::Status;

/// Length of an arm, in rotation lengths of a body.
const ARM: f32 = 2.0;
/// Radius of the border of the orientations that a joint reaches, radians.
const TURN_RADIUS: f32 = 1.0;
/// Least curvature across the way to what is reached.
const FLAT: f32 = 1e-3;
/// Change of the objective below which nothing comes of moving a place, as a share.
const STALL: f32 = 5e-3;
/// Radii that are measured, in lengths of an arm.
const RADIUS: (f32, f32) = (0.1, 50.0);
/// Longest step of a place, in lengths of an arm.
const LONGEST: f32 = 4.0;

/// A body that takes part, with its incoming pose.
#[derive(Debug)]
pub struct TiedBody<'a> {
    /// The body.
    pub body: &'a mut PlacedBody,
    /// Local transforms, one per joint.
    pub pose: &'a [Transform],
    /// How much of the work its solves do.
    pub detail: BodyDetail,
}

/// Bodies that take part, by number.
pub trait TiedBodies {
    /// How many.
    fn count(&self) -> usize;
    /// One of them.
    fn body(&mut self, number: usize) -> TiedBody<'_>;
}

impl TiedBodies for [TiedBody<'_>] {
    fn count(&self) -> usize {
        self.len()
    }
    fn body(&mut self, number: usize) -> TiedBody<'_> {
        let TiedBody { body, pose, detail } = &mut self[number];
        TiedBody { body, pose, detail: *detail }
    }
}

/// One end of a tie: a task of one of the bodies, a position or an orientation, not a pin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieEnd {
    /// Number of the body.
    pub body: usize,
    /// Its task. Its goal does not count; blend, importance, level and axes do.
    pub task: BodyTaskName,
}

/// A tie of two bodies, with the memory of a call of [`meet`].
#[derive(Clone, Copy, Debug)]
pub struct BodyTie {
    ends: [TieEnd; 2],
    rotation: Quat,
    share: f32,
    at: Effector,
    seen: [Effector; 2],
    /// What counts as met, and the length of an arm.
    tolerance: f32,
    arm: f32,
    /// Radius of what each end reaches.
    radius: [f32; 2],
    /// Of each end the border found last: the way out of it, and how far beyond it the place is.
    border: [(Vec3, f32); 2],
    /// Whether it was found at the last place.
    is_fresh: [bool; 2],
    /// The next step, its share, and what the last place left.
    step: Vec3,
    step_share: f32,
    last: f32,
    /// Whether the place does not move any more, or nothing comes of it.
    rests: bool,
}

impl BodyTie {
    /// No tie: to fill a list with.
    pub const UNTIED: Self = {
        let nothing = TieEnd { body: 0, task: BodyTaskName(0) };
        Self::new(nothing, nothing)
    };

    /// A tie of two bodies, in the middle, without a rotation between the joints.
    pub const fn new(first: TieEnd, second: TieEnd) -> Self {
        let at = Effector::Point(Vec3::ZERO);
        Self {
            ends: [first, second],
            rotation: Quat::IDENTITY,
            share: 0.5,
            at,
            seen: [at; 2],
            tolerance: 0.0,
            arm: 1.0,
            radius: [1.0; 2],
            border: [(Vec3::ZERO, 0.0); 2],
            is_fresh: [false; 2],
            step: Vec3::ZERO,
            step_share: 1.0,
            last: f32::INFINITY,
            rests: false,
        }
    }
    /// Of orientations: the rotation of the first joint seen from the second, unit.
    pub fn with_rotation(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }
    /// Where between the first effector and the second one the place is looked for first, 0 … 1: at
    /// 0 the second comes to where the first one is, at 1 the first to the second, as long as it
    /// gets there.
    pub fn with_share(self, share: f32) -> Self {
        Self { share, ..self }
    }
    /// What the last round left between the effectors: metres, or radians.
    pub fn gap(&self) -> f32 {
        self.seen[0].way(self.seen[1]).length()
    }
    /// Whether it is of orientations, after a call of [`meet`].
    pub fn is_turn(&self) -> bool {
        matches!(self.seen[0], Effector::Turn(_))
    }
    /// The goal of one end.
    fn goal(&self, end: usize) -> Effector {
        if end == 0 { self.at } else { self.at.after(self.rotation.conjugate()) }
    }
    /// Where the effector of an end is, as seen from the first joint.
    fn see(&mut self, end: usize, effector: Effector) {
        self.seen[end] = if end == 0 { effector } else { effector.after(self.rotation) };
    }
    /// Begins in the incoming poses.
    fn begin(&mut self, tolerance: f32, arm: f32) {
        (self.tolerance, self.arm, self.radius) = (tolerance, arm, [arm; 2]);
        (self.step, self.step_share, self.last) = (Vec3::ZERO, 1.0, f32::INFINITY);
        (self.border, self.is_fresh) = ([(Vec3::ZERO, 0.0); 2], [false; 2]);
        self.at = self.seen[0].between(self.seen[1], self.share);
    }
    /// The step from the place at which the effectors were seen.
    fn plan(&mut self) {
        let mut model = Quadratic { gradient: Vec3::ZERO, curvature: Mat3::ZERO };
        let mut left = 0.0;
        for (end, seen) in self.seen.into_iter().enumerate() {
            let way = seen.way(self.at);
            let distance = way.length();
            if distance > self.tolerance {
                let outward = way / distance;
                if self.is_fresh[end] {
                    self.measure_radius(end, outward, distance);
                }
                model.add(outward, distance, (distance / (distance + self.radius[end])).max(FLAT));
                left += distance * distance;
                (self.border[end], self.is_fresh[end]) = ((outward, distance), true);
            } else {
                (self.border[end].1, self.is_fresh[end]) = (self.border[end].1.min(0.0), false);
            }
        }
        let change = (left - self.last).abs();
        self.step_share = if left > self.last { 0.5 * self.step_share } else { (2.0 * self.step_share).min(1.0) };
        self.last = left;
        self.step = if left > 0.0 { model.step() } else { Vec3::ZERO };
        // Not across the border that the other effector was found to have, if that can be helped.
        for ((outward, beyond), is_fresh) in self.border.into_iter().zip(self.is_fresh) {
            if !is_fresh && beyond + outward.dot(self.step) > 0.0 {
                model.add(outward, beyond, 0.0);
                self.step = model.step();
            }
        }
        let longest = self.step.length() / (LONGEST * self.arm);
        if longest > 1.0 {
            self.step /= longest;
        }
        self.rests = self.step.length() <= self.tolerance || change <= STALL * left;
    }
    /// The radius of what an end reaches, by what the way out of it has turned over the last step.
    fn measure_radius(&mut self, end: usize, outward: Vec3, distance: f32) {
        let before = self.border[end].0;
        let across = self.step - before * before.dot(self.step);
        let turn = across.dot(outward - before);
        let square = across.length_squared();
        if square > self.tolerance * self.tolerance && turn > 1e-3 * square / self.arm {
            self.radius[end] = (square / turn - distance).clamp(RADIUS.0 * self.arm, RADIUS.1 * self.arm);
        }
    }
    /// Moves the place.
    fn advance(&mut self) {
        self.step *= self.step_share;
        let moved = self.at.moved(self.step);
        if !moved.is_finite() {
            return;
        }
        self.at = moved;
        for (outward, beyond) in &mut self.border {
            *beyond += outward.dot(self.step);
        }
    }
}

/// Gradient and second derivative of half of `F`, modelled at a place.
struct Quadratic {
    gradient: Vec3,
    curvature: Mat3,
}

impl Quadratic {
    /// Adds a border: the way out of it, how far beyond it the place is, curvature across.
    fn add(&mut self, outward: Vec3, beyond: f32, across: f32) {
        self.gradient += outward * beyond;
        self.curvature += outer(outward) * (1.0 - across) + Mat3::from_diagonal(Vec3::splat(across));
    }
    /// To the least value.
    fn step(&self) -> Vec3 {
        -(self.curvature.inverse() * self.gradient)
    }
}

/// How bodies meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeetRule {
    /// Length of the frame, seconds, 0 … 1000, for bodies in track mode.
    pub dt_s: f32,
    /// Most rounds, 1 to 64; each solves every body once. One is enough where both effectors reach
    /// the place between them.
    pub max_rounds: u32,
}

impl MeetRule {
    /// Most rounds that are allowed.
    pub const MAX_ROUNDS: u32 = 64;
}

impl Default for MeetRule {
    fn default() -> Self {
        Self { dt_s: 0.0, max_rounds: 8 }
    }
}

/// How bodies met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeetOutcome {
    /// `Reached`: all tied tasks are met at their place. `Unreachable`: not all are, and moving the
    /// places gains nothing. `OutOfIterations`: it does. `Inactive`: there are no ties.
    pub status: Status,
    /// Rounds.
    pub rounds: u32,
    /// Largest distance between tied points, metres.
    pub gap_m: f32,
    /// Largest angle between tied joints, radians.
    pub gap_rad: f32,
}

/// Why bodies did not meet; nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeetError {
    /// A tie of a body that there is not.
    #[error("tie {tie} is of body {body}, there are {count}")]
    NoSuchBody {
        /// Number of the tie.
        tie: usize,
        /// Number of the body.
        body: usize,
        /// How many there are.
        count: usize,
    },
    /// Both ends are of one body.
    #[error("tie {tie} has both ends at body {body}: tasks between joints of one body are relative tasks")]
    OneBody {
        /// Number of the tie.
        tie: usize,
        /// Number of the body.
        body: usize,
    },
    /// The tasks are not two positions or two orientations.
    #[error("tie {tie} is not of two positions or two orientations without a pin")]
    Kinds {
        /// Number of the tie.
        tie: usize,
    },
    /// A task that the body does not have.
    #[error("tie {tie}: {error}")]
    Task {
        /// Number of the tie.
        tie: usize,
        /// Why.
        error: PlacedBodyError,
    },
    /// A number of a tie or of the rule outside its range.
    #[error("{name} is {value}")]
    OutOfRange {
        /// The number.
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// An effector is at a place that no f32 can hold.
    #[error("an effector of tie {tie} is at a place that no f32 can hold")]
    TooFar {
        /// Number of the tie.
        tie: usize,
    },
    /// A body could not be solved.
    #[error("body {body}: {error}")]
    Body {
        /// Number of the body.
        body: usize,
        /// Why.
        error: PlacedBodyError,
    },
}

/// Sets the goals of tied tasks to places that both effectors can be brought to, or where they are
/// nearest to each other. Poses stay as they are, and track mode remembers nothing of it: solve the
/// bodies next. Until then, outcomes and debug lines of the bodies are those of the last round.
/// Tied tasks keep these goals until they are set anew. Allocates nothing.
///
/// A task that is tied twice has the goal of its last tie.
pub fn meet<B: TiedBodies + ?Sized>(
    bodies: &mut B,
    ties: &mut [BodyTie],
    rule: &MeetRule,
) -> Result<MeetOutcome, MeetError> {
    check(bodies, ties, rule)?;
    let mut outcome = MeetOutcome { status: Status::Inactive, rounds: 0, gap_m: 0.0, gap_rad: 0.0 };
    if ties.is_empty() {
        return Ok(outcome);
    }
    for number in 0..bodies.count() {
        let TiedBody { body, pose, .. } = bodies.body(number);
        body.load(pose).map_err(|error| MeetError::Body { body: number, error })?;
    }
    see(bodies, ties)?;
    for tie in ties.iter_mut() {
        let (mut tolerance, mut arm) = (f32::INFINITY, f32::INFINITY);
        for TieEnd { body, .. } in tie.ends {
            let placed = bodies.body(body).body;
            let (settings, scale) = (placed.settings(), placed.root_size());
            let (least, around) = if tie.is_turn() {
                (settings.tolerance_rad, TURN_RADIUS)
            } else {
                (settings.tolerance_m * scale, ARM * settings.rotation_length_m * scale)
            };
            (tolerance, arm) = (tolerance.min(least), arm.min(around));
        }
        tie.begin(tolerance, arm);
    }
    for number in 0..bodies.count() {
        bodies.body(number).body.save_memory();
    }
    let met = rounds(bodies, ties, rule, &mut outcome);
    for number in 0..bodies.count() {
        let TiedBody { body, pose, .. } = bodies.body(number);
        if met.is_err() {
            _ = body.look(pose);
        }
        body.recall_memory();
    }
    for tie in ties.iter() {
        for (end, TieEnd { body, task }) in tie.ends.into_iter().enumerate() {
            let goal = met.is_ok().then(|| tie.goal(end));
            bodies.body(body).body.keep_goal(task, goal);
        }
    }
    met.map(|()| outcome)
}

fn check<B: TiedBodies + ?Sized>(bodies: &mut B, ties: &[BodyTie], rule: &MeetRule) -> Result<(), MeetError> {
    if !(0.0..=1e3).contains(&rule.dt_s) {
        return Err(MeetError::OutOfRange { name: "dt", value: rule.dt_s });
    }
    if !(1..=MeetRule::MAX_ROUNDS).contains(&rule.max_rounds) {
        return Err(MeetError::OutOfRange { name: "max_rounds", value: rule.max_rounds as f32 });
    }
    let count = bodies.count();
    for (number, tie) in ties.iter().enumerate() {
        let [first, second] = tie.ends;
        for TieEnd { body, .. } in tie.ends {
            if body >= count {
                return Err(MeetError::NoSuchBody { tie: number, body, count });
            }
        }
        if first.body == second.body {
            return Err(MeetError::OneBody { tie: number, body: first.body });
        }
        if !(0.0..=1.0).contains(&tie.share) {
            return Err(MeetError::OutOfRange { name: "share", value: tie.share });
        }
        let length = tie.rotation.length();
        if !(length - 1.0).abs().lt(&1e-3) {
            return Err(MeetError::OutOfRange { name: "length of the rotation", value: length });
        }
        let mut kinds = [false; 2];
        for (is_turn, TieEnd { body, task }) in kinds.iter_mut().zip(tie.ends) {
            let effector = bodies.body(body).body.effector(task);
            let effector = effector.map_err(|error| MeetError::Task { tie: number, error })?;
            *is_turn = matches!(effector.ok_or(MeetError::Kinds { tie: number })?, Effector::Turn(_));
        }
        if kinds[0] != kinds[1] {
            return Err(MeetError::Kinds { tie: number });
        }
    }
    Ok(())
}

/// Where the effectors are in the bodies' last poses.
fn see<B: TiedBodies + ?Sized>(bodies: &mut B, ties: &mut [BodyTie]) -> Result<(), MeetError> {
    for (number, tie) in ties.iter_mut().enumerate() {
        for (end, TieEnd { body, task }) in tie.ends.into_iter().enumerate() {
            let effector = bodies.body(body).body.effector(task);
            let effector = effector.map_err(|error| MeetError::Task { tie: number, error })?;
            let effector = effector.ok_or(MeetError::Kinds { tie: number })?;
            if !effector.is_finite() {
                return Err(MeetError::TooFar { tie: number });
            }
            tie.see(end, effector);
        }
    }
    Ok(())
}

fn rounds<B: TiedBodies + ?Sized>(
    bodies: &mut B,
    ties: &mut [BodyTie],
    rule: &MeetRule,
    outcome: &mut MeetOutcome,
) -> Result<(), MeetError> {
    for round in 1..=rule.max_rounds {
        for tie in ties.iter() {
            for (end, TieEnd { body, task }) in tie.ends.into_iter().enumerate() {
                let failed = |error| MeetError::Body { body, error };
                bodies.body(body).body.aim_at(task, tie.goal(end)).map_err(failed)?;
            }
        }
        for number in 0..bodies.count() {
            let TiedBody { body, pose, detail } = bodies.body(number);
            body.recall_memory();
            body.attempt_detailed(pose, rule.dt_s, &detail).map_err(|error| MeetError::Body { body: number, error })?;
        }
        see(bodies, ties)?;
        let (mut rests, mut is_met) = (true, true);
        (outcome.rounds, outcome.gap_m, outcome.gap_rad) = (round, 0.0, 0.0);
        for tie in ties.iter_mut() {
            tie.plan();
            let gap = if tie.is_turn() { &mut outcome.gap_rad } else { &mut outcome.gap_m };
            *gap = gap.max(tie.gap());
            rests &= tie.rests;
            for TieEnd { body, task } in tie.ends {
                let ended = bodies.body(body).body.task_outcome(task).map(|(outcome, _)| outcome.status);
                is_met &= matches!(ended, Ok(Status::Reached | Status::Inactive));
            }
        }
        outcome.status = match (rests, is_met) {
            (true, true) => Status::Reached,
            (true, false) => Status::Unreachable,
            (false, _) => Status::OutOfIterations,
        };
        if rests || round == rule.max_rounds {
            break;
        }
        ties.iter_mut().for_each(BodyTie::advance);
    }
    Ok(())
}
