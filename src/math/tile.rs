//! Tiles: many numbers side by side in memory, for loops that the compiler turns into vector code.
//!
//! A kernel over [`Lane`](super::Lane) is written once. One limb calls it with `f32`; a batch calls
//! the same function, with `f32`, in a loop over the numbers of tiles. Such a loop has no branch on
//! values, so the compiler makes it four, eight or sixteen numbers wide, as the enclosing function
//! allows (see `dispatch`), and each number still gets the scalar operations in the scalar order:
//! the same bits at every width. Long kernels are split into stages, one loop each, with the
//! intermediate results in tiles: short loops overlap in the processor, where one long dependency
//! chain would stall it.

use super::{LaneQuat, LaneVec3};

/// Numbers in a [`Tile`].
pub const TILE: usize = 64;

/// [`TILE`] numbers side by side, aligned for any vector unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Tile(pub [f32; TILE]);

impl Default for Tile {
    fn default() -> Self {
        Self([0.0; TILE])
    }
}

impl Tile {
    /// Whether any number is not +0. Compares bits, so that the compiler may choose the order.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.0.iter().fold(0, |bits, v| bits | v.to_bits()) != 0
    }
}

/// A structure of tiles, with one value of type [`Self::One`] at each place.
pub trait Tiled {
    /// The value at one place.
    type One;
    /// The value at place `i`, which must be less than [`TILE`].
    fn at(&self, i: usize) -> Self::One;
    /// Writes the value at place `i`.
    fn put(&mut self, i: usize, value: Self::One);
}

impl Tiled for Tile {
    type One = f32;
    #[inline(always)]
    fn at(&self, i: usize) -> f32 {
        self.0[i]
    }
    #[inline(always)]
    fn put(&mut self, i: usize, value: f32) {
        self.0[i] = value;
    }
}

/// Implements [`Tiled`] for `Name<Tile>`, field by field; each field must be tiled itself.
macro_rules! tiled {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::math::Tiled for $name<$crate::math::Tile> {
            type One = $name<f32>;
            #[inline(always)]
            fn at(&self, i: usize) -> $name<f32> {
                $name { $($field: $crate::math::Tiled::at(&self.$field, i)),+ }
            }
            #[inline(always)]
            fn put(&mut self, i: usize, value: $name<f32>) {
                $($crate::math::Tiled::put(&mut self.$field, i, value.$field);)+
            }
        }
    };
}

tiled!(LaneVec3 { x, y, z });
tiled!(LaneQuat { x, y, z, w });
pub(crate) use tiled;
