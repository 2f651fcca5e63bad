//! The points of a foot's ground memory four at a time, and sets of them as bits.

use crate::math::{F32x4, LaneMask, Mask4};

/// Points that are kept.
pub(super) const SAMPLES: usize = 20;

/// Numbers of all points, with room behind the last, so that four may begin at any of them.
pub(super) type Numbers = [f32; SAMPLES + 4];

/// Four numbers from place `i` on.
#[inline(always)]
pub(super) fn four<const N: usize>(numbers: &[f32; N], i: usize) -> F32x4 {
    F32x4([numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]])
}

/// The set of the points that `holds` is true of: it decides for four points from a place on.
#[inline(always)]
pub(super) fn set(holds: impl Fn(usize) -> Mask4) -> u32 {
    let mut set = 0;
    for i in (0..SAMPLES).step_by(4) {
        set |= u32::from(holds(i).bits()) << i;
    }
    set
}

/// The set of the first `count` points.
#[inline(always)]
pub(super) fn first(count: usize) -> u32 {
    !(u32::MAX << count)
}

/// The points of a set in their order.
#[inline(always)]
pub(super) fn points(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let point = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (point < u32::BITS).then_some(point as usize)
    })
}
