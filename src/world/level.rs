//! Level of detail of a character's solve.

/// Level of detail of a member of a [`super::World`]. The default is [`Level::Full`].
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Level {
    /// Every call, with all iterations.
    #[default]
    Full,
    /// A solve in every call, with this share of the iterations of its chain constraints, above 0
    /// and at most 1 (1 is [`Level::Full`]); each constraint gets at least one. Steps in closed
    /// form (limbs, look-at, body) have no iterations and keep their cost.
    Fewer(f32),
    /// A solve in every n-th call, n ≥ 1 (1 is [`Level::Full`]). In every call the pose gets an
    /// interpolation of the corrections of the last two solves, so it changes from one to the next
    /// without a jump, n calls late.
    EveryNth(u32),
    /// No solve: the pose is neither read nor written.
    Off,
}

impl Level {
    /// Maximum number of calls per solve.
    pub const MAX_CALLS: u32 = 1000;

    /// The level with its number clamped to the valid range.
    pub fn limited(self) -> Self {
        match self {
            Self::Fewer(share) if share > 0.0 => Self::Fewer(share.min(1.0)),
            // Also NaN.
            Self::Fewer(_) => Self::Fewer(f32::MIN_POSITIVE),
            Self::EveryNth(n) => Self::EveryNth(n.clamp(1, Self::MAX_CALLS)),
            Self::Full | Self::Off => self,
        }
    }
    /// Share of the iterations of chain constraints.
    pub(super) fn iteration_scale(self) -> f32 {
        match self {
            Self::Fewer(share) => share,
            _ => 1.0,
        }
    }
    /// Position of a call between two solves, 0 in the call that solves: `(call + turn) mod n` of
    /// n. Different turns spread the solves of several characters over the calls.
    pub(super) fn phase(self, call: u64, turn: u32) -> Phase {
        match self {
            Self::EveryNth(n) if n > 1 => Phase { step: ((call + turn as u64) % n as u64) as u32, of: n },
            _ => Phase { step: 0, of: 1 },
        }
    }
}

/// A position between two solves: `step` calls after the last solve, with `of` calls from one solve
/// to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phase {
    pub step: u32,
    pub of: u32,
}

impl Phase {
    /// Whether the call solves.
    pub fn is_due(self) -> bool {
        self.step == 0
    }
    /// Interpolation weight from the last correction but one to the last, which was found in step
    /// `since`; the next is due in step `of`.
    pub fn fraction_since(self, since: u32) -> f32 {
        let (gone, all) = (self.step.saturating_sub(since), self.of.saturating_sub(since));
        if self.of == 1 || all == 0 { 1.0 } else { gone as f32 / all as f32 }
    }
}
