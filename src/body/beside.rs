//! Bodies of a crowd in one call, up to eight side by side.

use super::eight::{Approached, EIGHT, EightBodies, Group, approach};
use super::eight_memory::{EightMemory, lock};
use super::placed::{BodyMode, PlacedBody, PlacedBodyError};
use super::settings::{BodyDetail, BodySettings};
use super::solver::BodyOutcome;
use super::track::Taken;
use crate::math::Transform;

/// A body that is solved beside others.
#[derive(Debug)]
pub struct BodyBeside<'a> {
    /// The body.
    pub body: &'a mut PlacedBody,
    /// Local transforms, one per joint, solved in place.
    pub pose: &'a mut [Transform],
    /// How much of the work is done.
    pub detail: BodyDetail,
    /// How it ended; `None` before the call.
    pub outcome: Option<Result<BodyOutcome, PlacedBodyError>>,
}

impl PlacedBody {
    /// Memory to be solved beside other bodies, in track mode.
    pub(super) fn make_room_beside(&mut self) {
        match (self.mode, &self.beside) {
            (BodyMode::Converge, _) => self.beside = None,
            (BodyMode::Track, None) if self.tasks().next().is_none() => {}
            (BodyMode::Track, Some(memory)) if memory.is_enough_for(&self.body) => {}
            (BodyMode::Track, _) => self.beside = Some(EightMemory::of(&self.body)),
        }
    }
    /// Solves up to the iterations where they may be taken beside those of other bodies; else
    /// whole, and false.
    fn solve_up_to_iterations(&mut self, local: &[Transform], dt_s: f32) -> Result<bool, PlacedBodyError> {
        if self.mode == BodyMode::Converge {
            self.attempt(local, dt_s)?;
            return Ok(false);
        }
        self.begin_attempt(local, dt_s)?;
        let waits = self.body.track_up_to_iterations(&mut self.pose, dt_s)?;
        if !waits {
            self.end_attempt(local)?;
        }
        Ok(waits)
    }
    /// The rest of such a solve.
    fn solve_from_iterations(&mut self, local: &[Transform], dt_s: f32, taken: Taken) -> Result<(), PlacedBodyError> {
        self.body.track_from_iterations(&mut self.pose, dt_s, taken);
        self.end_attempt(local)
    }
}

/// Most bodies of a call of [`solve_beside`].
pub const MOST_BESIDE: usize = EIGHT;

/// Solves bodies as [`PlacedBody::solve_detailed`] does each, with the same bits. The iterations of
/// bodies in track mode that are alike are taken side by side. Allocates as such a solve does.
pub fn solve_beside(bodies: &mut [Option<BodyBeside<'_>>; MOST_BESIDE], dt_s: f32) {
    let mut settings = [BodySettings::default(); EIGHT];
    let mut waiting = 0_u8;
    for (number, beside) in bodies.iter_mut().enumerate() {
        let Some(BodyBeside { body, pose, detail, outcome }) = beside else { continue };
        settings[number] = *body.settings();
        body.set_settings(detail.of(&settings[number]));
        match body.solve_up_to_iterations(pose, dt_s) {
            Ok(waits) => waiting |= u8::from(waits) << number,
            Err(error) => *outcome = Some(Err(error)),
        }
    }
    let done = approach_alike(bodies, waiting, dt_s);
    for (number, beside) in bodies.iter_mut().enumerate() {
        let Some(BodyBeside { body, pose, outcome, .. }) = beside else { continue };
        let mut ended = Ok(());
        if waiting & (1 << number) != 0 {
            ended = body.solve_from_iterations(pose, dt_s, done.of(number));
        }
        body.set_settings(settings[number]);
        if outcome.is_none() {
            *outcome = Some(ended.map(|()| {
                pose.copy_from_slice(body.pose().local());
                body.outcome()
            }));
        }
    }
}

impl Approached {
    /// Of the body of a number.
    fn of(&self, number: usize) -> Taken {
        let has = |bits: u8| bits & (1 << number) != 0;
        match (has(self.taken), has(self.slow)) {
            (false, _) => Taken::Not,
            (true, false) => Taken::Yes,
            (true, true) => Taken::Slowly,
        }
    }
}

/// Takes the iterations of those of these bits that are alike.
fn approach_alike(bodies: &mut [Option<BodyBeside<'_>>; EIGHT], waiting: u8, dt_s: f32) -> Approached {
    let (mut rest, mut done) = (waiting, Approached::default());
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let is_alike = |number: usize| match (&bodies[first], &bodies[number]) {
            (Some(a), Some(b)) => rest & (1 << number) != 0 && a.body.body.is_like(&b.body.body),
            _ => false,
        };
        let alike = (first..EIGHT).filter(|number| is_alike(*number)).fold(0_u8, |bits, number| bits | 1 << number);
        rest &= !alike;
        for number in (first..EIGHT).filter(|number| alike & (1 << number) != 0) {
            // Their own memory, which bodies on other threads may use.
            let memory =
                bodies[number].as_ref().and_then(|beside| beside.body.beside.as_ref()).map(EightMemory::shared);
            if let Some(mut eight) = memory.as_deref().and_then(lock) {
                let together = approach_together(&mut eight, bodies, alike, dt_s);
                (done.taken, done.slow) = (done.taken | together.taken, done.slow | together.slow);
                break;
            }
        }
    }
    done
}

/// The same of those of these bits, in this memory.
fn approach_together(
    eight: &mut EightBodies,
    bodies: &mut [Option<BodyBeside<'_>>; EIGHT],
    alike: u8,
    dt_s: f32,
) -> Approached {
    let mut group: Group<'_> = Default::default();
    let mut numbers = [0; EIGHT];
    let members = bodies.iter_mut().enumerate().filter(|(number, _)| alike & (1 << number) != 0);
    for (((number, beside), to), own) in members.zip(&mut group).zip(&mut numbers) {
        (*to, *own) = (beside.as_mut().map(|beside| &mut beside.body.body), number);
    }
    let solved = approach(eight, &mut group, dt_s);
    let by_number =
        |bits: u8| numbers.iter().enumerate().fold(0, |all, (lane, number)| all | (bits >> lane & 1) << number);
    Approached { taken: by_number(solved.taken), slow: by_number(solved.slow) }
}
