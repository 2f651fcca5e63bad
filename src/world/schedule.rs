//! When a member of a world is solved, and which share of its last correction its pose gets.
//!
//! The pose gets a mix of the corrections of the last two solves. The share of the last one grows
//! from one solve to the next, so with [`Level::EveryNth`] the pose is as many calls late as there
//! are between solves. A change of level leaves the share where it is and lets it grow at another
//! rate. Where the new level solves in every call, what was shown fades out over as many calls as
//! the pose was late. A pose that is late so catches up at about twice the speed of its motion.

use super::level::Level;

/// Calls of the longest way from one correction to the next that a change of level leaves.
const MOST_CALLS: u64 = 60;

/// The schedule of one member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    level: Level,
    /// The call from which the share grows: that of the last solve, or of a change of level.
    since: u64,
    /// The share in that call.
    share: f32,
    /// The call of the next solve, or in which a fade ends; 0: at once.
    due: u64,
    /// Solved in every call, and what was shown in call `since` fades out.
    fades: bool,
    /// The calls of the solves that the earlier and the last correction are from.
    made_in: [u64; 2],
}

impl Schedule {
    /// [`Level::Full`], not yet solved.
    pub const NEW: Self = Self { level: Level::Full, since: 0, share: 1.0, due: 0, fades: false, made_in: [0; 2] };

    pub fn level(&self) -> Level {
        self.level
    }
    /// Whether a call solves.
    pub fn is_due(&self, call: u64) -> bool {
        self.level != Level::Off && (self.fades || call >= self.due)
    }
    /// Whether the pose gets a mix of corrections.
    pub fn is_gradual(&self) -> bool {
        self.level.calls() > 1 || self.fades
    }
    /// Whether what was shown fades out.
    pub fn fades(&self) -> bool {
        self.fades
    }
    /// In the first call of a fade: the share of the last correction in what was shown.
    pub fn fade_start(&self, call: u64) -> Option<f32> {
        (self.fades && call == self.since + 1).then_some(self.share)
    }
    /// Share of the last correction in a call; in a fade, from what was shown to the last.
    pub fn share(&self, call: u64) -> f32 {
        if call >= self.due {
            return 1.0;
        }
        // A fade starts from what is frozen in its first call.
        let from = if self.fades && call > self.since { 0.0 } else { self.share };
        from + (1.0 - from) * (call.saturating_sub(self.since) as f32 / (self.due - self.since) as f32)
    }
    /// Calls from one correction to the other.
    fn apart(&self) -> u64 {
        self.made_in[1] - self.made_in[0]
    }
    /// Changes the level after a call. `turn` spreads the solves of several members over the calls.
    /// False where corrections from before are invalid.
    pub fn set_level(&mut self, level: Level, call: u64, turn: u32) -> bool {
        if self.level == Level::Off || level == Level::Off {
            *self = Self { level, ..Self::NEW };
            return false;
        }
        let (was_gradual, is_overdue) = (self.is_gradual(), !self.fades && self.due <= call);
        let share = self.share(call);
        self.level = level;
        // Of the motion between the corrections, in calls.
        let left = ((1.0 - share) * self.apart() as f32 + 0.999) as u64;
        if level.calls() > 1 {
            let due = if is_overdue { self.due } else { self.next_solve(call, turn, left) };
            *self = Self { share, since: call, due, fades: false, ..*self };
        } else if was_gradual && !self.fades {
            let late = (call.saturating_sub(self.made_in[1]) + left).clamp(1, MOST_CALLS);
            *self = Self { share, since: call, due: call + late, fades: true, ..*self };
        }
        true
    }
    /// The next call that solves, where the pose has to make up for motion of so many calls.
    fn next_solve(&self, call: u64, turn: u32, motion: u64) -> u64 {
        let least = motion.div_ceil(2).min(MOST_CALLS).saturating_sub(1);
        self.level.next_solve(call + least, turn)
    }
    /// After a call that solved.
    pub fn solved(&mut self, call: u64, turn: u32) {
        if self.fades && call < self.due {
            self.made_in[1] = call;
            return;
        }
        let is_late = self.level.calls() > 1 && self.due > 0;
        self.made_in = [if is_late { self.made_in[1] } else { call }, call];
        let due = self.next_solve(call, turn, self.apart());
        *self = Self { since: call, share: if is_late { 0.0 } else { 1.0 }, due, fades: false, ..*self };
    }
    /// After a call in which the solve failed: the pose keeps the last correction until the next.
    pub fn failed(&mut self, call: u64, turn: u32) {
        *self = Self { since: call, share: 1.0, due: self.level.next_solve(call, turn), fades: false, ..*self };
    }
}
