//! A member's part of a call: whether it is solved, with how many iterations, and what its pose
//! gets; and the level of detail of one animator outside of a world.

use super::correction::{Memory, Shown};
use super::level::Level;
use super::schedule::Schedule;
use super::world::RowState;
use crate::animator::{Animator, AnimatorError};

/// The call that a member takes part in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Its number.
    pub call: u64,
    /// Stamp of the member's settings.
    pub stamp: u32,
    /// Whether corrections are recorded.
    pub remembers: bool,
    /// Whether there is no time for a solve.
    pub cut: bool,
}

/// What begins for a member.
#[derive(Clone, Copy, Debug)]
pub(super) enum Begun {
    /// A solve; [`Solve::end`] must follow.
    Solve(Solve),
    /// None: the pose got the corrections of the last solves.
    Corrected(RowState),
    /// None, and there is no correction yet: the animation is unchanged.
    Cut,
}

/// A solve that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solve {
    remembers: bool,
    shown: Shown,
    /// The animator's own, without its level's.
    iteration_scale: f32,
}

/// Begins a member's part, with the animation in its animator's pose.
#[inline]
pub(super) fn begin(schedule: &Schedule, memory: &mut Memory, animator: &mut Animator, at: Moment) -> Begun {
    let known = memory.is_known(at.stamp);
    let is_due = schedule.is_due(at.call) || !known;
    if let Some(share) = schedule.fade_start(at.call) {
        memory.freeze(share);
    }
    if is_due && !at.cut {
        let iteration_scale = animator.iteration_scale();
        animator.set_iteration_scale(iteration_scale * schedule.level().iteration_scale());
        let shown = match schedule.is_gradual() {
            true if schedule.fades() => Shown::Fade(schedule.share(at.call)),
            true => Shown::Last,
            false => Shown::Solved,
        };
        if at.remembers {
            memory.before(animator, at.stamp, shown.holds());
        } else {
            memory.forget();
        }
        return Begun::Solve(Solve { remembers: at.remembers, shown, iteration_scale });
    }
    if !known {
        return Begun::Cut;
    }
    memory.apply(animator, schedule.share(at.call));
    Begun::Corrected(if is_due { RowState::Cut } else { RowState::Between })
}

impl Solve {
    /// Ends a solve, which may have failed.
    #[inline]
    pub fn end(self, memory: &mut Memory, animator: &mut Animator, has_failed: bool) {
        animator.set_iteration_scale(self.iteration_scale);
        match self.remembers {
            true if has_failed => memory.keep(self.shown),
            true => memory.after(animator, self.shown),
            false => {}
        }
    }
}

/// The level of detail of an animator that its host solves alone, outside of a [`super::World`]:
/// the same levels, with the same results. A clone continues as the original does.
#[derive(Clone, Debug)]
pub struct Paced {
    schedule: Schedule,
    memory: Memory,
    call: u64,
    stamp: u32,
    turn: u32,
}

impl Paced {
    /// [`Level::Full`]. Different turns spread the solves of several animators over the calls.
    pub fn new(turn: u32) -> Self {
        Self { schedule: Schedule::NEW, memory: Memory::default(), call: 0, stamp: 1, turn }
    }
    /// The level.
    pub fn level(&self) -> Level {
        self.schedule.level()
    }
    /// Sets the level, clamped to the valid range. A change makes no jump, but from and to
    /// [`Level::Off`].
    pub fn set_level(&mut self, level: Level) {
        let level = level.limited();
        if level != self.schedule.level() && !self.schedule.set_level(level, self.call, self.turn) {
            self.stamp = self.stamp.wrapping_add(1);
        }
    }
    /// Whether the pose is made of results of other calls, too: with [`Level::EveryNth`], and for
    /// some calls after it.
    pub fn is_gradual(&self) -> bool {
        self.schedule.is_gradual()
    }
    /// Whether results of earlier calls are still shown: then the calls must go on, also while the
    /// animator has no goals.
    pub fn shows_results(&self) -> bool {
        self.schedule.is_gradual() && self.memory.is_known(self.stamp) && self.memory.moves()
    }
    /// Forgets the last results: the next call solves and shows the result. After a teleport, a
    /// cut, and [`Animator::restore`].
    pub fn forget(&mut self) {
        self.memory.forget();
    }
    /// Whether the next call solves, where it has the time.
    pub fn is_due(&self) -> bool {
        let solves = self.schedule.is_due(self.call + 1) || !self.memory.is_known(self.stamp);
        self.schedule.level() != Level::Off && solves
    }
    /// One call, with the animation in the animator's pose: `solve` is called in it unless the
    /// level leaves the call out, and the pose gets what the level shows. Allocates in the first
    /// call with [`Level::EveryNth`]. With [`Level::Off`] nothing is done.
    ///
    /// # Errors
    /// That of `solve`; the pose is then what `solve` left.
    pub fn solve(
        &mut self,
        animator: &mut Animator,
        solve: impl FnOnce(&mut Animator) -> Result<(), AnimatorError>,
    ) -> Result<RowState, AnimatorError> {
        match self.begin(animator, PacedTime::Unlimited) {
            PacedCall::Ended(state) => Ok(state),
            PacedCall::Solve(begun) => {
                let solved = solve(animator);
                self.end(begun, animator, solved.is_err());
                solved.map(|()| RowState::Solved)
            }
        }
    }
    /// The first half of [`Self::solve`], for hosts that solve several animators together: with
    /// [`PacedCall::Solve`] the caller solves the animator, and [`Self::end`] must follow.
    /// Allocates in the first call with a budget, too.
    pub fn begin(&mut self, animator: &mut Animator, time: PacedTime) -> PacedCall {
        self.call += 1;
        let Self { schedule, memory, call, stamp, .. } = self;
        if schedule.level() == Level::Off {
            return PacedCall::Ended(RowState::Off);
        }
        let remembers = time != PacedTime::Unlimited || schedule.is_gradual();
        let at = Moment { call: *call, stamp: *stamp, remembers, cut: time == PacedTime::UsedUp };
        match begin(schedule, memory, animator, at) {
            Begun::Corrected(state) => PacedCall::Ended(state),
            Begun::Cut => PacedCall::Ended(RowState::Cut),
            Begun::Solve(begun) => PacedCall::Solve(PacedSolve(begun)),
        }
    }
    /// The second half: the animator's pose gets what the level shows. After a solve that failed it
    /// stays as it is.
    pub fn end(&mut self, begun: PacedSolve, animator: &mut Animator, has_failed: bool) {
        let Self { schedule, memory, call, turn, .. } = self;
        begun.0.end(memory, animator, has_failed);
        match has_failed {
            false => schedule.solved(*call, *turn),
            true => schedule.failed(*call, *turn),
        }
    }
}

/// What a host's budget leaves for a call of [`Paced::begin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacedTime {
    /// There is no budget.
    Unlimited,
    /// There is one, and time for a solve; its correction is recorded.
    Left,
    /// It is used up: the pose gets the correction of the last solve ([`RowState::Cut`]), or none
    /// when nothing was recorded yet.
    UsedUp,
}

/// What [`Paced::begin`] has begun.
#[derive(Debug)]
pub enum PacedCall {
    /// A solve is to be made; [`Paced::end`] must follow.
    Solve(PacedSolve),
    /// None is: the pose has what the level shows.
    Ended(RowState),
}

/// A solve between [`Paced::begin`] and [`Paced::end`].
#[derive(Debug)]
pub struct PacedSolve(Solve);
