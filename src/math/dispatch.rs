//! Which vector unit a batch runs on: picked at run time on x86, by the target elsewhere.
//!
//! With `eight_dispatch` and `avx_lane` the one place outside `ffi` with unsafe code: Rust lets a
//! function be compiled for AVX2 or AVX-512 in a build for any x86, but calling it is only sound
//! where the processor has them, which is checked here. A [`Task`] is inlined into one function per
//! level; its loops are the same source at each. No level fuses multiplication and addition or
//! changes the order of operations (loops over tiles have no sum across lanes), so the bits are the
//! same, too.

#![allow(unsafe_code)]

/// Work that is compiled for each level: `run`, and everything in it that has to run wide, must be
/// `#[inline(always)]`.
pub trait Task {
    /// Result of the work.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// A set of vector instructions that this processor has. A level that the processor lacks cannot be
/// constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Unit);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
enum Unit {
    /// The instructions that every processor of the build's target has: SSE2 on x86-64, NEON on
    /// arm64, SIMD128 on wasm when built with it.
    Baseline,
    /// Eight numbers at once.
    Avx2,
    /// Sixteen numbers at once.
    Avx512,
}

impl Unit {
    fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::widest()
    }
}

impl Level {
    /// The levels that this processor has, narrowest first: the baseline (SSE2, NEON, SIMD128),
    /// then on x86-64 AVX2 and AVX-512.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        [Unit::Baseline, Unit::Avx2, Unit::Avx512].into_iter().filter(|unit| unit.is_available()).map(Self)
    }

    /// The widest level that this processor has. The check takes a few dozen instructions; keep the
    /// result.
    pub fn widest() -> Self {
        Self::all().next_back().unwrap_or(Self(Unit::Baseline))
    }

    /// The level for one character or limb, which has work for registers of up to eight numbers.
    #[inline(always)]
    pub(crate) fn for_one() -> Self {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
        if Unit::Avx2.is_available() {
            return Self(Unit::Avx2);
        }
        Self(Unit::Baseline)
    }
    /// Whether this level has registers of eight numbers.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
    pub(super) fn has_avx(self) -> bool {
        self.0 != Unit::Baseline
    }
    /// Runs the task with this level's instructions.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a level is only constructed for a unit that the processor has.
            Unit::Avx2 => unsafe { avx2(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Unit::Avx512 => unsafe { avx512(task) },
            _ => task.run(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl")]
fn avx512<T: Task>(task: T) -> T::Output {
    task.run()
}
