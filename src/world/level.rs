//! Level of detail: how much of a character's solve a world does.

/// How much of a character's solve a [`super::World`] does. The default is [`Level::Full`].
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Level {
    /// Every call, with all iterations.
    #[default]
    Full,
    /// Every call, with this share of the iterations that its chain constraints may make, above 0 and at most 1 (1 is
    /// [`Level::Full`]); each gets at least one. Steps in closed form (limbs, looking, body) have no iterations and cost what they cost.
    Fewer(f32),
    /// A solve in every n-th call, 1 and more (1 is [`Level::Full`]). Between solves, and in the call that solves, the pose gets a correction
    /// between those of the last two solves, so that it goes over from one to the next without a jump, n calls late.
    EveryNth(u32),
    /// Not at all: its pose is neither read nor written.
    Off,
}

impl Level {
    /// The most calls that one solve may have to last.
    pub const MAX_CALLS: u32 = 1000;

    /// With numbers outside their range limited to it.
    pub fn limited(self) -> Self {
        match self {
            Self::Fewer(share) if share > 0.0 => Self::Fewer(share.min(1.0)),
            // Also what is no number.
            Self::Fewer(_) => Self::Fewer(f32::MIN_POSITIVE),
            Self::EveryNth(n) => Self::EveryNth(n.clamp(1, Self::MAX_CALLS)),
            Self::Full | Self::Off => self,
        }
    }
    /// Share of the iterations that chain constraints may make.
    pub(super) fn iteration_scale(self) -> f32 {
        match self {
            Self::Fewer(share) => share,
            _ => 1.0,
        }
    }
    /// How far a call lies between two solves, 0 in the call that solves: `(call + turn) mod n` of n. Characters with different turns take turns.
    pub(super) fn phase(self, call: u64, turn: u32) -> Phase {
        match self {
            Self::EveryNth(n) if n > 1 => Phase { step: ((call + turn as u64) % n as u64) as u32, of: n },
            _ => Phase { step: 0, of: 1 },
        }
    }
}

/// A place between two solves: `step` calls after the last, `of` calls apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phase {
    pub step: u32,
    pub of: u32,
}

impl Phase {
    /// Whether it is a call that solves.
    pub fn is_due(self) -> bool {
        self.step == 0
    }
    /// Share of the way from the last correction but one to the last.
    pub fn fraction(self) -> f32 {
        if self.of == 1 { 1.0 } else { self.step as f32 / self.of as f32 }
    }
}
