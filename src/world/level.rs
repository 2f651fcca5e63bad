//! Level of detail of a character's solve.

/// Level of detail of a member of a [`super::World`]. The default is [`Level::Full`].
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Level {
    /// Every call, with all iterations.
    #[default]
    Full,
    /// A solve in every call, with this share of the iterations of its chain constraints and of its
    /// whole-body solver, above 0 and at most 1 (1 is [`Level::Full`]); each gets at least one.
    /// Steps in closed form (limbs, look-at, body position) have no iterations and keep their cost.
    Fewer(f32),
    /// A solve in every n-th call, n ≥ 1 (1 is [`Level::Full`]). In every call the pose gets an
    /// interpolation of the corrections of the last two solves, so it changes from one to the next
    /// without a jump, n calls late. Another n, or a level that solves in every call, takes over
    /// without a jump, too, over at most as many calls as the pose was late (60 at most).
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
    /// Share of the iterations of chain constraints and of the whole-body solver.
    pub(super) fn iteration_scale(self) -> f32 {
        match self {
            Self::Fewer(share) => share,
            _ => 1.0,
        }
    }
    /// Calls from one solve to the next.
    pub(super) fn calls(self) -> u32 {
        match self {
            Self::EveryNth(n) => n,
            _ => 1,
        }
    }
    /// The next call that solves after a call. Different turns spread the solves of several
    /// characters over the calls.
    pub(super) fn next_solve(self, call: u64, turn: u32) -> u64 {
        let n = u64::from(self.calls());
        call + n - (call + u64::from(turn)) % n
    }
}
