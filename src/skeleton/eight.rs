//! Numbers of eight characters side by side in memory.

use crate::math::{F32x8, LaneQuat, LaneVec3, Rigid};

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
pub(crate) fn wide(joint: &Rigid<Eight>) -> Rigid<F32x8> {
    let (p, q) = (&joint.position, &joint.rotation);
    Rigid {
        position: LaneVec3::new(F32x8(p.x.0), F32x8(p.y.0), F32x8(p.z.0)),
        rotation: LaneQuat::new(F32x8(q.x.0), F32x8(q.y.0), F32x8(q.z.0), F32x8(q.w.0)),
    }
}
/// The reverse of [`wide`].
#[inline(always)]
pub(crate) fn narrow(joint: &Rigid<F32x8>) -> Rigid<Eight> {
    let (p, q) = (&joint.position, &joint.rotation);
    Rigid {
        position: LaneVec3 { x: Eight(p.x.0), y: Eight(p.y.0), z: Eight(p.z.0) },
        rotation: LaneQuat { x: Eight(q.x.0), y: Eight(q.y.0), z: Eight(q.z.0), w: Eight(q.w.0) },
    }
}
