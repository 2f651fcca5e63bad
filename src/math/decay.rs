//! Decay of the offsets of switches (inertialization).
//!
//! An offset `x` and its speed `v` decay as a critically damped spring does, in closed form:
//!
//! ```text
//! x(t) = (x₀ + (v₀ + y·x₀)·t)·e^(−y·t),   v(t) = (v₀ − y·(v₀ + y·x₀)·t)·e^(−y·t),   y = 6.64 / T
//! ```
//!
//! with the switch time `T`, after which 1 % of a jump is left. Two steps of `t` are one step of
//! `2t` exactly, so the decay does not depend on the frame rate.

use super::{float, words};
use glam::Vec3;

/// `y·T`: the root of `(1 + a)·e^(−a) = 0.01`.
pub(crate) const ONE_PERCENT: f32 = 6.638_35;

/// An offset and its speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Decay {
    pub x: Vec3,
    pub v: Vec3,
}

impl Decay {
    /// Lets a time `t` pass.
    pub fn advance(&mut self, y: f32, t: f32) {
        let (fade, slope) = (float::exp(-y * t), self.v + self.x * y);
        self.x = (self.x + slope * t) * fade;
        self.v = (self.v - slope * (y * t)) * fade;
    }
    /// Reads six words of a snapshot: offset and speed.
    pub fn read(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<Self, &'static str> {
        Ok(Self { x: words::vector(get)?, v: words::vector(get)? })
    }
}

/// Time since the last solve, seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Elapsed {
    time_s: f32,
}

impl Elapsed {
    /// Lets time pass, seconds; negative and non-finite times count as 0.
    pub fn advance(&mut self, dt_s: f32) {
        if dt_s > 0.0 && dt_s.is_finite() {
            self.time_s = (self.time_s + dt_s).min(1e6);
        }
    }
    /// The time up to this solve.
    pub fn take(&mut self) -> f32 {
        core::mem::take(&mut self.time_s)
    }
    /// The word of a snapshot.
    pub fn to_bits(self) -> u32 {
        self.time_s.to_bits()
    }
    /// Reads what [`Self::to_bits`] returned.
    pub fn read(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<Self, &'static str> {
        let time_s = words::number(get)?;
        if time_s < 0.0 { Err(words::BAD_NUMBER) } else { Ok(Self { time_s }) }
    }
}
