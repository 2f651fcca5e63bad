//! Numbers of eight characters side by side in memory.

use crate::math::eight_lane::EightLane;
use crate::math::{LaneQuat, LaneVec3, Rigid};

/// Number of characters solved side by side.
pub const STEP: usize = 8;

/// One number of eight characters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Eight(pub [f32; STEP]);

impl Rigid<Eight> {
    /// Character `i`, which must be less than [`STEP`].
    #[inline(always)]
    pub fn at(&self, i: usize) -> Rigid<f32> {
        let (p, q) = (&self.position, &self.rotation);
        Rigid {
            position: LaneVec3 { x: p.x.0[i], y: p.y.0[i], z: p.z.0[i] },
            rotation: LaneQuat { x: q.x.0[i], y: q.y.0[i], z: q.z.0[i], w: q.w.0[i] },
        }
    }
    /// Writes character `i`.
    #[inline(always)]
    pub fn put(&mut self, i: usize, value: Rigid<f32>) {
        let (p, q) = (&mut self.position, &mut self.rotation);
        (p.x.0[i], p.y.0[i], p.z.0[i]) = (value.position.x, value.position.y, value.position.z);
        (q.x.0[i], q.y.0[i], q.z.0[i], q.w.0[i]) =
            (value.rotation.x, value.rotation.y, value.rotation.z, value.rotation.w);
    }
}

/// Loads a joint's frame into the lanes of the kernels.
#[inline(always)]
pub(crate) fn wide<E: EightLane>(joint: &Rigid<Eight>) -> Rigid<E> {
    let (p, q) = (&joint.position, &joint.rotation);
    let of = |eight: &Eight| E::of_numbers(eight.0);
    Rigid {
        position: LaneVec3::new(of(&p.x), of(&p.y), of(&p.z)),
        rotation: LaneQuat::new(of(&q.x), of(&q.y), of(&q.z), of(&q.w)),
    }
}
/// The reverse of [`wide`].
#[inline(always)]
pub(crate) fn narrow<E: EightLane>(joint: &Rigid<E>) -> Rigid<Eight> {
    let (p, q) = (&joint.position, &joint.rotation);
    let of = |eight: E| Eight(eight.numbers());
    Rigid {
        position: LaneVec3 { x: of(p.x), y: of(p.y), z: of(p.z) },
        rotation: LaneQuat { x: of(q.x), y: of(q.y), z: of(q.z), w: of(q.w) },
    }
}
