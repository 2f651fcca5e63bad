//! Between the header's records and the core's.

use super::types::{SinewLookAtWeight, SinewOutcome, SinewQuat, SinewTransform, SinewVec3};
use crate::humanoid::LookAtWeight;
use crate::math::{Quat, Transform, Vec3};
use crate::outcome::Outcome;
use crate::skeleton::JointIndex;

// The pose buffer is handed out by address: both records must be the same ten floats.
const _: () = {
    assert!(size_of::<SinewTransform>() == 40 && align_of::<SinewTransform>() == 4);
    assert!(size_of::<Transform>() == 40 && align_of::<Transform>() == 4);
    assert!(core::mem::offset_of!(Transform, position) == core::mem::offset_of!(SinewTransform, position));
    assert!(core::mem::offset_of!(Transform, rotation) == core::mem::offset_of!(SinewTransform, rotation));
    assert!(core::mem::offset_of!(Transform, scale) == core::mem::offset_of!(SinewTransform, scale));
};

/// A joint as the header has it: -1 for none.
pub(super) fn joint_index(joint: Option<JointIndex>) -> i32 {
    joint.map_or(-1, |joint| joint as i32)
}

impl From<Vec3> for SinewVec3 {
    fn from(v: Vec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}
impl From<SinewVec3> for Vec3 {
    fn from(v: SinewVec3) -> Self {
        Vec3::new(v.x, v.y, v.z)
    }
}
impl From<Quat> for SinewQuat {
    fn from(q: Quat) -> Self {
        Self { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}
impl From<SinewQuat> for Quat {
    fn from(q: SinewQuat) -> Self {
        Quat::from_xyzw(q.x, q.y, q.z, q.w)
    }
}
impl From<Transform> for SinewTransform {
    fn from(t: Transform) -> Self {
        Self { position: t.position.into(), rotation: t.rotation.into(), scale: t.scale.into() }
    }
}
impl From<SinewTransform> for Transform {
    fn from(t: SinewTransform) -> Self {
        Self { position: t.position.into(), rotation: t.rotation.into(), scale: t.scale.into() }
    }
}
/// The core's record over the header's.
#[inline(always)]
pub(super) fn as_transform(record: &SinewTransform) -> &Transform {
    // SAFETY: size, alignment and field offsets are equal, checked at compile time; any bits are
    // valid floats.
    unsafe { &*(&raw const *record).cast() }
}
impl From<Outcome> for SinewOutcome {
    fn from(o: Outcome) -> Self {
        Self {
            status: o.status as i32,
            iterations: o.iterations,
            residual_m: o.residual_m,
            residual_rad: o.residual_rad,
        }
    }
}
impl From<LookAtWeight> for SinewLookAtWeight {
    fn from(w: LookAtWeight) -> Self {
        Self { weight: w.weight, body: w.body, head: w.head, eyes: w.eyes, clamp: w.clamp }
    }
}
