//! Model frames of eight poses in step, from their own transforms to their own frames.
//!
//! A pose has a joint's numbers side by side; a step of eight has those of eight characters. Eight joints of eight numbers are turned
//! over in registers on the way in and on the way out, so that no number is moved alone.

use super::Skeleton;
use super::crowd::STEP;
use super::pose::Pose;
use crate::math::rigid::{Placed, each};
use crate::math::{F32x8, LaneQuat, LaneVec3, Rigid, Transform};
use wide::{f32x4, f32x8};

/// Room for the frames of eight poses; it grows with the largest skeleton.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    model: Vec<Rigid<F32x8>>,
}

impl Frames {
    /// [`Pose::update`] of each, with the same results bit for bit.
    pub fn update(&mut self, skeleton: &Skeleton, poses: &mut [&mut Pose; STEP]) {
        if !poses.iter().all(|pose| pose.is_known_plain()) {
            poses.iter_mut().for_each(|pose| pose.update(skeleton));
            return;
        }
        let count = skeleton.joint_count();
        let none = LaneVec3::new(F32x8([0.0; 8]), F32x8([0.0; 8]), F32x8([0.0; 8]));
        let none = Rigid { position: none, rotation: LaneQuat::from_parts(none, F32x8([1.0; 8])) };
        if self.model.len() < count {
            self.model.resize(count, none);
        }
        let model = &mut self.model[..count];
        let mut parts = poses.each_mut().map(|pose| pose.parts(count));
        for (joint, link) in skeleton.links().iter().enumerate() {
            let local = turned_in(parts.each_ref().map(|(local, _)| &local[joint]));
            let frame = match link.parent() {
                Some(parent) if link.is_tightened() => model[parent].then(&local).tightened(),
                Some(parent) => model[parent].then(&local),
                None => local,
            };
            model[joint] = frame;
            for ((_, frames), frame) in parts.iter_mut().zip(turned_out(&frame)) {
                frames[joint] = frame;
            }
        }
    }
}

/// Eight characters' transforms of a joint, by their first eight numbers.
#[inline(always)]
fn turned_in(local: [&Transform; STEP]) -> Rigid<F32x8> {
    let rows = local.map(|t| {
        let (p, r) = (t.position, t.rotation);
        f32x8::new([p.x, p.y, p.z, r.x, r.y, r.z, r.w, t.scale.x])
    });
    let [px, py, pz, x, y, z, w, _] = f32x8::transpose(rows).map(|row| F32x8(row.to_array()));
    Rigid { position: LaneVec3::new(px, py, pz), rotation: LaneQuat::new(x, y, z, w) }
}

/// A joint's frames of eight characters.
#[inline(always)]
fn turned_out(frame: &Rigid<F32x8>) -> [Placed<f32x4>; STEP] {
    let (p, r) = (&frame.position, &frame.rotation);
    let rows = [p.x, p.y, p.z, p.z, r.x, r.y, r.z, r.w].map(|row| f32x8::new(row.0));
    f32x8::transpose(rows).map(|row| {
        let [position, rotation] = each(row);
        Placed { position, rotation }
    })
}
