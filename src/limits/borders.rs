//! Borders of a joint where it stands: what the active set of a solver reads.

use super::mobility::Mobility;
use crate::math::{Mat3, Vec3};

/// A border: how far a joint may turn along a direction, and against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// Unit direction in model space.
    pub outward: Vec3,
    /// Angle left along it, radians, to first order; 0 or less on the border.
    pub room_rad: f32,
    /// Angle left against it; infinite where there is no border on that side.
    pub back_room_rad: f32,
    /// Share of the outward motion that a soft border takes away here, 0 … 1.
    pub resistance: f32,
}

impl Border {
    pub(super) const NONE: Self =
        Self { outward: Vec3::ZERO, room_rad: f32::INFINITY, back_room_rad: f32::INFINITY, resistance: 0.0 };
}

/// Mobility and borders of one joint where it stands, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct JointBorders {
    /// `W`.
    pub mobility: Mat3,
    /// The number that `W` is a multiple of the unit matrix by, where it is.
    pub even: Option<f32>,
    pub(super) borders: [Border; Mobility::MAX_WALLS],
    pub(super) count: usize,
}

impl Default for JointBorders {
    fn default() -> Self {
        Self { mobility: Mat3::IDENTITY, even: Some(1.0), borders: [Border::NONE; Mobility::MAX_WALLS], count: 0 }
    }
}

impl JointBorders {
    /// The borders near by.
    #[inline(always)]
    pub fn borders(&self) -> &[Border] {
        &self.borders[..self.count.min(Mobility::MAX_WALLS)]
    }
    /// All places for borders, of which the first are those near by.
    pub(super) fn all(&self) -> &[Border; Mobility::MAX_WALLS] {
        &self.borders
    }
    /// The least angle to any border, ahead or behind; no number above 0 where one resists.
    #[inline(always)]
    pub fn least_room(&self) -> f32 {
        self.borders().iter().fold(f32::INFINITY, |least, border| {
            let room = border.room_rad.min(border.back_room_rad).min(least);
            if border.resistance > 0.0 { room.min(0.0) } else { room }
        })
    }
    #[inline(always)]
    pub(super) fn even(&mut self, willing: f32) {
        (self.mobility, self.even, self.count) = (Mat3::from_diagonal(Vec3::splat(willing)), Some(willing), 0);
    }
    #[inline(always)]
    pub(super) fn push(&mut self, outward: Vec3, room_rad: f32, back_room_rad: f32) {
        if self.count < Mobility::MAX_WALLS {
            self.borders[self.count] = Border { outward, room_rad, back_room_rad, resistance: 0.0 };
            self.count += 1;
        }
    }
}
