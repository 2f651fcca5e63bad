//! Forward kinematics of eight characters of one skeleton in step, for rigs without scale: a position and a quaternion per joint.
//!
//! `model = parent ∘ local`: `position = parent.position + parent.rotation · local.position`, `rotation = parent.rotation ·
//! local.rotation`, joint after joint, eight characters side by side in each number. Rotations are not normalised on the way:
//! they must come unit, and leave within some 1e-6 of it for the deepest joints.

use super::Skeleton;
use crate::math::dispatch::{Level, Task};
use crate::math::{LaneQuat, LaneVec3, Transform};

/// Characters in step.
pub const STEP: usize = 8;

/// One number of eight characters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Eight(pub [f32; STEP]);

/// Position and rotation of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rigid<T> {
    /// Where it is, metres (host units).
    pub position: LaneVec3<T>,
    /// How it is turned, unit.
    pub rotation: LaneQuat<T>,
}

impl Rigid<f32> {
    /// A transform without its scale.
    #[inline(always)]
    pub fn from_transform(t: &Transform) -> Self {
        Self { position: LaneVec3::from_vec3(t.position), rotation: LaneQuat::from_quat(t.rotation) }
    }
    /// The frame of a joint whose local transform in `self` is `local`.
    #[inline(always)]
    pub fn then(&self, local: &Self) -> Self {
        Self {
            position: self.position + self.rotation.rotate(local.position),
            rotation: self.rotation * local.rotation,
        }
    }
}

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

/// Model frames of eight characters from their local transforms, one entry per joint, with a given level's instructions; the results
/// are the same at each. Stops at the end of the shortest list.
pub fn update(level: Level, skeleton: &Skeleton, local: &[Rigid<Eight>], model: &mut [Rigid<Eight>]) {
    level.run(Update { skeleton, local, model });
}

struct Update<'a> {
    skeleton: &'a Skeleton,
    local: &'a [Rigid<Eight>],
    model: &'a mut [Rigid<Eight>],
}

impl Task for Update<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let parents = self.skeleton.parents();
        let count = parents.len().min(self.local.len()).min(self.model.len());
        let (parents, local, model) = (&parents[..count], &self.local[..count], &mut self.model[..count]);
        for joint in 0..count {
            let (before, rest) = model.split_at_mut(joint);
            match parents[joint].and_then(|p| before.get(p)) {
                Some(parent) => then(parent, &local[joint], &mut rest[0]),
                None => rest[0] = local[joint],
            }
        }
    }
}

#[inline(always)]
fn then(parent: &Rigid<Eight>, local: &Rigid<Eight>, out: &mut Rigid<Eight>) {
    for i in 0..STEP {
        out.put(i, parent.at(i).then(&local.at(i)));
    }
}
