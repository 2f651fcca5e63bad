//! The solves of a call of a crowd: what members have lent, on any threads and within a budget.

use crate::crowd_threads::EngineThreads;
use crate::humanoid::Humanoid;
use sinew::animator::crowd::{self, Workspace};
use sinew::body::MOST_BESIDE;
use sinew::world::{BodyCrowd, PacedCall, PacedSolve, PacedTime, RowState, Runner, Serial, solve_crowd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

/// What a member lends to a call.
#[derive(Debug)]
pub enum Lent {
    /// A humanoid with pose, goals and settings.
    Humanoid(Box<Humanoid>),
}

/// How a call ended for a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Solved.
    Solved,
    /// Cut by the budget: its pose has the correction of its last solve.
    Cut,
    /// Its pose has a number that is not finite; nothing was changed.
    Failed,
    /// The solve panicked: what was lent is not to be used again.
    Panicked,
}

/// What a member has lent, in a call.
#[derive(Debug)]
pub struct Work {
    /// Place of the member.
    pub place: usize,
    /// The last call that solved it.
    pub solved_in: u64,
    /// What it has lent.
    pub lent: Lent,
    /// How it ended; `None` before, and when a solve panicked.
    pub ended: Option<Ended>,
}

impl Work {
    /// Work that is to be done.
    pub fn new(place: usize, solved_in: u64, lent: Lent) -> Self {
        Self { place, solved_in, lent, ended: None }
    }
    /// The same for members of one rig.
    pub fn rig(&self) -> usize {
        let Lent::Humanoid(humanoid) = &self.lent;
        Arc::as_ptr(&humanoid.rigged).addr()
    }
    /// Whether its solve is worth a look at the clock.
    fn is_slow(&self) -> bool {
        let Lent::Humanoid(humanoid) = &self.lent;
        humanoid.has_body_solver()
    }
    fn humanoid(&mut self) -> &mut Humanoid {
        let Lent::Humanoid(humanoid) = &mut self.lent;
        humanoid
    }
    fn cut(&mut self) {
        _ = self.begin(PacedTime::UsedUp);
    }
    fn begin(&mut self, time: PacedTime) -> Option<PacedSolve> {
        let humanoid = self.humanoid();
        match humanoid.paced.begin(&mut humanoid.attached.animator, time) {
            PacedCall::Solve(begun) => Some(begun),
            PacedCall::Ended(state) => {
                self.ended = Some(if state == RowState::Cut { Ended::Cut } else { Ended::Solved });
                None
            }
        }
    }
    fn end(&mut self, begun: PacedSolve, has_failed: bool) {
        let humanoid = self.humanoid();
        humanoid.paced.end(begun, &mut humanoid.attached.animator, has_failed);
        self.ended = Some(if has_failed { Ended::Failed } else { Ended::Solved });
    }
}

/// Solves, in this order. `budget_s`: seconds in which solves may begin; the first one always does.
pub fn solve(works: &mut [Work], budget_s: Option<f64>, uses_threads: bool, workspaces: &Mutex<Vec<Workspace>>) {
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    let jobs = works.iter_mut().map(|work| Mutex::new(Job { work, is_claimed: false })).collect();
    let jobs = Jobs { jobs, until: budget_s, clock: &clock, workspaces };
    let runner: &dyn Runner = if uses_threads { &EngineThreads } else { &Serial };
    solve_crowd(&jobs, runner, budget_s, &clock);
}

struct Job<'a> {
    work: &'a mut Work,
    is_claimed: bool,
}

/// The work of a call, for the threads that solve it.
struct Jobs<'a> {
    jobs: Vec<Mutex<Job<'a>>>,
    /// Time of the clock from which on members are cut.
    until: Option<f64>,
    clock: &'a (dyn Fn() -> f64 + Sync),
    workspaces: &'a Mutex<Vec<Workspace>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs<'_> {
    /// Solves some of one rig, or a single one.
    fn solve_together(&self, jobs: &mut [MutexGuard<'_, Job<'_>>], workspace: &mut Workspace) {
        let time = if self.until.is_some() { PacedTime::Left } else { PacedTime::Unlimited };
        let begun: Vec<_> = jobs.iter_mut().map(|job| job.work.begin(time)).collect();
        let mut failed = [false; MOST_BESIDE];
        let due = || begun.iter().enumerate().filter(|(_, begun)| begun.is_some()).map(|(place, _)| place);
        let places: Vec<usize> = due().collect();
        let of_due = jobs.iter_mut().zip(&begun).filter(|(_, begun)| begun.is_some());
        let mut animators: Vec<_> = of_due.map(|(job, _)| &mut job.work.humanoid().attached.animator).collect();
        crowd::solve(&mut animators, workspace, |place, _| failed[places[place]] = true);
        for ((job, begun), has_failed) in jobs.iter_mut().zip(begun).zip(failed) {
            if let Some(begun) = begun {
                job.work.end(begun, has_failed);
            }
        }
    }
}

impl BodyCrowd for Jobs<'_> {
    fn count(&self) -> u32 {
        self.jobs.len() as u32
    }
    fn claim(&self, number: u32) -> bool {
        let mut job = match self.jobs[number as usize].try_lock() {
            Ok(job) => job,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is solving it.
            Err(TryLockError::WouldBlock) => return false,
        };
        !std::mem::replace(&mut job.is_claimed, true)
    }
    fn solve(&self, numbers: &[u32]) {
        let mut workspace = lock(self.workspaces).pop().unwrap_or_default();
        let mut jobs: Vec<_> = numbers.iter().map(|number| lock(&self.jobs[*number as usize])).collect();
        let mut first = 0;
        // Slow ones are solved one by one, as long as there is time.
        for some in jobs.chunk_by_mut(|a, b| !a.work.is_slow() && !b.work.is_slow()) {
            let is_over = || self.until.is_some_and(|until| (self.clock)() >= until);
            // The first of the list is always solved, however small the budget.
            if first > 0 && some[0].work.is_slow() && is_over() {
                some[0].work.cut();
            } else {
                self.solve_together(some, &mut workspace);
            }
            first += some.len();
        }
        drop(jobs);
        lock(self.workspaces).push(workspace);
    }
    fn cut(&self, number: u32) {
        lock(&self.jobs[number as usize]).work.cut();
    }
}
