//! The points of a foot's ground memory four or eight at a time, and sets of them as bits.

use crate::math::eight_lane::EightLane;
use crate::math::{F32x4, Lane, LaneMask, Mask4};

/// Points that are kept.
pub(super) const SAMPLES: usize = 20;

/// Numbers of all points, with room behind the last, so that eight may begin at the one behind any
/// of [`EIGHTS`].
pub(super) type Numbers = [f32; ROOM];
pub(super) const ROOM: usize = 24;

/// No place.
pub(super) const NONE: usize = u32::BITS as usize;

/// Four numbers from place `i` on.
#[inline(always)]
pub(super) fn four<const N: usize>(numbers: &[f32; N], i: usize) -> F32x4 {
    F32x4([numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]])
}

/// Places from which on eight points at a time are all of them, some twice.
pub(super) const EIGHTS: [usize; 3] = [0, 8, SAMPLES - 8];

/// Eight numbers from place `i` on.
#[inline(always)]
pub(super) fn eight<E: EightLane, const N: usize>(numbers: &[f32; N], i: usize) -> E {
    let mut eight = [0.0; 8];
    eight.copy_from_slice(&numbers[i..i + 8]);
    E::of_numbers(eight)
}

/// Writes eight numbers to place `i` and on.
#[inline(always)]
pub(super) fn put<E: EightLane, const N: usize>(numbers: &mut [f32; N], i: usize, eight: E) {
    numbers[i..i + 8].copy_from_slice(&eight.numbers());
}

/// The set of the points that `holds` is true of: it decides for eight points from a place on.
#[inline(always)]
pub(super) fn set_by_eights<E: EightLane>(holds: impl Fn(usize) -> E::Mask) -> u32 {
    let mut set = 0;
    for i in EIGHTS {
        set |= u32::from(holds(i).bits()) << i;
    }
    set
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

/// The points of a set by eights that begin with a point of the set: its place, and the set from
/// there on.
#[inline(always)]
pub(super) fn eights(mut set: u32) -> impl Iterator<Item = (usize, u32)> {
    core::iter::from_fn(move || {
        let i = set.trailing_zeros();
        let eight = set & 0xff_u32.checked_shl(i)?;
        set ^= eight;
        Some((i as usize, eight >> i))
    })
}

/// Places of the `N` least of the first `count` numbers that are below `limit`, in the order of the
/// numbers, equal ones in that of their places; [`NONE`] where there are no more.
#[inline(always)]
pub(super) fn least<E: EightLane, const N: usize>(numbers: &Numbers, count: usize, limit: f32) -> [usize; N] {
    const PLACES: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let most = E::splat(limit);
    let mut left = [0, 8, 16].map(|i| {
        let is_in = E::of_numbers(PLACES).lt(E::splat(count as f32 - i as f32));
        E::select(is_in, eight(numbers, i), most)
    });
    let (mut found, mut set) = ([NONE; N], 0_u32);
    for found in &mut found {
        if set == 0 {
            let least = smallest(left[0].min(left[1]).min(left[2]));
            if least >= limit {
                break;
            }
            for (i, left) in left.iter_mut().enumerate() {
                let is_least = left.equals(E::splat(least));
                set |= u32::from(is_least.bits()) << (8 * i);
                *left = E::select(is_least, most, *left);
            }
        }
        *found = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
    }
    found
}

/// The smallest of eight numbers.
#[inline(always)]
pub(super) fn smallest<E: EightLane>(eight: E) -> f32 {
    let [a, b, c, d, e, f, g, h] = eight.numbers();
    let [a, b, c, d] = F32x4([a, b, c, d]).min(F32x4([e, f, g, h])).0;
    Lane::min(Lane::min(a, c), Lane::min(b, d))
}
