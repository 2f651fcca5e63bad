//! The frame of one joint from the local transforms on its path to the root, without those of the
//! others.
//!
//! Two ways with the same bits: [`fast`] for paths without scale, eight joints at a time as far as
//! they do not depend on one another, and [`composed`] for all.

use super::{JointIndex, Skeleton};
#[cfg(feature = "record")]
use super::{Pose, PoseError};
use crate::math::dispatch::Level;
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::rigid::{self, Placed, each};
use crate::math::{Frame, LaneMask, Transform};
use wide::f32x4;

/// The joint's frame in model space, whatever the numbers are. Its position is only right with
/// `POSITION`, its rotation only with `ROTATION`.
#[inline(always)]
pub(crate) fn frame<const POSITION: bool, const ROTATION: bool>(
    skeleton: &Skeleton,
    locals: &[Transform],
    joint: JointIndex,
) -> Frame {
    fast::<POSITION, ROTATION>(skeleton, locals, joint).unwrap_or_else(|| composed(skeleton, locals, joint))
}

/// [`frame`] of transforms that have not been checked; those on the path are.
#[cfg(feature = "record")]
#[inline(always)]
pub(crate) fn checked_frame<const POSITION: bool, const ROTATION: bool>(
    skeleton: &Skeleton,
    locals: &[Transform],
    joint: JointIndex,
) -> Result<Frame, PoseError> {
    match fast::<POSITION, ROTATION>(skeleton, locals, joint) {
        Some(frame) => Ok(frame),
        None => check(skeleton, locals, joint).map(|()| composed(skeleton, locals, joint)),
    }
}

#[cold]
#[inline(never)]
fn composed(skeleton: &Skeleton, locals: &[Transform], joint: JointIndex) -> Frame {
    let unit = |joint: JointIndex| {
        let mut local = locals.get(joint).copied().unwrap_or_default();
        local.rotation = local.rotation.normalize();
        Frame::from_transform(&local)
    };
    skeleton.ancestors(joint).fold(unit(joint), |inner, above| unit(above).compose(&inner))
}

#[cfg(feature = "record")]
#[cold]
#[inline(never)]
fn check(skeleton: &Skeleton, locals: &[Transform], joint: JointIndex) -> Result<(), PoseError> {
    let mut path = core::iter::once(joint).chain(skeleton.ancestors(joint));
    path.try_for_each(|joint| Pose::check_joint(joint, &locals.get(joint).copied().unwrap_or_default()))
}

/// The frame where all numbers that it depends on are finite, no joint on the path has a scale, and
/// no rotation is far from unit.
#[inline(always)]
fn fast<const POSITION: bool, const ROTATION: bool>(
    skeleton: &Skeleton,
    locals: &[Transform],
    joint: JointIndex,
) -> Option<Frame> {
    let found = Level::for_one().run_eight(Walk::<POSITION, ROTATION> { skeleton, locals, joint })?;
    Some(Frame::new(found, None))
}

struct Walk<'a, const POSITION: bool, const ROTATION: bool> {
    skeleton: &'a Skeleton,
    locals: &'a [Transform],
    joint: JointIndex,
}

impl<const POSITION: bool, const ROTATION: bool> EightTask for Walk<'_, POSITION, ROTATION> {
    type Output = Option<Placed<f32x4>>;
    #[inline(always)]
    fn run<E: EightLane>(self) -> Self::Output {
        let links = self.skeleton.links();
        // So that one check of an index is enough for both.
        if self.locals.len() != links.len() {
            return None;
        }
        let mut next = Some(self.joint);
        let mut frame: Option<Placed<f32x4>> = None;
        while let Some(mut joint) = next {
            // The next joints towards the root; places that none takes are copies of the first.
            let mut rows = [record::<E>(self.locals.get(joint)?)?; 8];
            let mut count = 1;
            next = links.get(joint)?.parent();
            while let Some(above) = next
                && let Some(row) = rows.get_mut(count)
            {
                joint = above;
                *row = record(self.locals.get(joint)?)?;
                next = links.get(joint)?.parent();
                count += 1;
            }
            let frames = frames::<E, POSITION>(rows)?;
            for row in frames.iter().take(count) {
                let [rotation, position] = each(*row);
                frame = Some(match frame {
                    None => Placed { position, rotation },
                    Some(inner) => Placed {
                        position: if POSITION { position + rigid::turned(rotation, inner.position) } else { position },
                        rotation: match ROTATION {
                            true => rigid::normalize_in_order(rigid::product(rotation, inner.rotation)),
                            false => rotation,
                        },
                    },
                });
            }
        }
        // What was not finite on the way is not finite here.
        frame.filter(|frame| !POSITION || Frame::new(*frame, None).position.is_finite())
    }
}

/// A transform's numbers but the scale's last two; `None` where those are a scale.
#[inline(always)]
fn record<E: EightLane>(local: &Transform) -> Option<E> {
    /// Twice the bits of 1.0.
    const ONES: u64 = 0x3f80_0000_3f80_0000;
    let numbers: &[f32; 10] = bytemuck::cast_ref(local);
    let scale: u64 = bytemuck::cast([numbers[8], numbers[9]]);
    if scale == ONES { Some(E::of_numbers(*numbers.first_chunk::<8>()?)) } else { None }
}

/// Rotations and positions of eight joints as frames, from records without scale but in their first
/// number: the bits of [`Frame::from_transform`] of the transforms with rotations normalised.
/// `None` where one has a scale, or a rotation far from unit, or, unless the caller will see it in
/// the `POSITION`, a number that is not finite.
#[inline(always)]
fn frames<E: EightLane, const POSITION: bool>(records: [E; 8]) -> Option<[E; 8]> {
    let (zero, one) = (E::splat(0.0), E::splat(1.0));
    let [px, py, pz, x, y, z, w, scale] = E::transpose(records);
    // In the order of `normalize_in_order`.
    let squares = x * x + y * y + z * z + w * w;
    let factor = one / squares.root();
    let [x, y, z, w] = [x * factor, y * factor, z * factor, w * factor];
    // In the order of `normalize`.
    let length = |x: E, y: E, z: E, w: E| (x * x + y * y) + (z * z + w * w);
    let unit = (length(x, y, z, w) - one).abs().lt(E::splat(rigid::OFF_UNIT));
    let fair = E::splat(1e-5).lt(squares).and(squares.lt(E::splat(1e5)));
    let mut sound = unit.and(fair).and(scale.equals(one));
    if !POSITION {
        // Zero times what is not finite is NaN, which the sum keeps.
        sound = sound.and((px * zero + py * zero + pz * zero).equals(zero));
    }
    if sound.not().any() {
        return None;
    }
    // The product of the identity and the rotation, which changes signs of zeros.
    let [ox, oy, oz, ow] = [x * zero, y * zero, z * zero, w * zero];
    let [x, y, z, w] = [x + ow + oz - oy, y - oz + ow + ox, z + oy - ox + ow, w - ox - oy - oz];
    let factor = one / length(x, y, z, w).root();
    Some(E::transpose([x * factor, y * factor, z * factor, w * factor, zero + px, zero + py, zero + pz, zero]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, Vec3};
    use crate::skeleton::JointDefinition;

    /// Numbers from −1 to 1.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
        }
    }

    fn bits(frame: &Frame) -> ([u32; 3], [u32; 4]) {
        (frame.position.to_array().map(f32::to_bits), frame.rotation.to_array().map(f32::to_bits))
    }

    fn line(joints: usize) -> Skeleton {
        let joint = |parent: usize| JointDefinition {
            name: String::new(),
            parent: parent.checked_sub(1),
            rest: Transform::IDENTITY,
        };
        Skeleton::new((0..joints).map(joint).collect()).expect("a skeleton")
    }

    #[test]
    fn both_ways_give_the_same_bits() {
        let mut random = Random(1);
        for round in 0..500 {
            let skeleton = line(1 + round % 20);
            let mut locals = vec![Transform::IDENTITY; skeleton.joint_count()];
            for local in &mut locals {
                let mut numbers = [0.0f32; 7].map(|_| random.next());
                // Zeros of both signs, and rotations that are not unit.
                if round % 3 == 0 {
                    numbers = numbers.map(|n| if n.abs() < 0.5 { n * 0.0 } else { n });
                }
                let [x, y, z, a, b, c, d] = numbers;
                local.position = Vec3::new(x, y, z);
                local.rotation = Quat::from_xyzw(a, b, c, d);
                if local.rotation.length() < 0.1 {
                    local.rotation = Quat::from_xyzw(-0.0, 0.0, -0.0, -1.0);
                }
                if round % 2 == 0 {
                    local.rotation = local.rotation.normalize();
                }
            }
            for joint in 0..locals.len() {
                let slow = composed(&skeleton, &locals[..], joint);
                let fast_of = fast::<true, true>(&skeleton, &locals[..], joint).expect("no scale");
                assert_eq!(bits(&fast_of), bits(&slow), "{joint} of {locals:?}");
                let position = fast::<true, false>(&skeleton, &locals[..], joint).expect("no scale");
                let rotation = fast::<false, true>(&skeleton, &locals[..], joint).expect("no scale");
                assert_eq!((bits(&position).0, bits(&rotation).1), bits(&slow));
                // In registers of four, as a processor without AVX2 has them.
                let walk = Walk::<true, true> { skeleton: &skeleton, locals: &locals[..], joint };
                let narrow = walk.run::<crate::math::F32x8>().expect("no scale");
                assert_eq!(bits(&Frame::new(narrow, None)), bits(&slow));
            }
        }
    }

    #[cfg(feature = "record")]
    #[test]
    fn what_is_invalid_on_the_path_is_refused() {
        let skeleton = line(12);
        for joint in 0..12 {
            for number in 0..10 {
                for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
                    let mut numbers: [[f32; 10]; 12] = [bytemuck::cast(Transform::IDENTITY); 12];
                    numbers[joint][number] = bad;
                    let locals: [Transform; 12] = bytemuck::cast(numbers);
                    let refused = |last| {
                        [
                            checked_frame::<true, true>(&skeleton, &locals[..], last).is_err(),
                            checked_frame::<true, false>(&skeleton, &locals[..], last).is_err(),
                            checked_frame::<false, true>(&skeleton, &locals[..], last).is_err(),
                        ]
                    };
                    assert_eq!(refused(11), [true; 3], "{joint} {number} {bad}");
                    if joint > 0 {
                        assert_eq!(refused(joint - 1), [false; 3]);
                    }
                }
            }
        }
        for length in [1e-4, 1e4] {
            let mut locals = [Transform::IDENTITY; 12];
            locals[3].rotation = Quat::from_xyzw(0.0, length, 0.0, 0.0);
            assert!(checked_frame::<true, true>(&skeleton, &locals[..], 11).is_err());
            assert!(checked_frame::<true, true>(&skeleton, &locals[..], 2).is_ok());
        }
    }
}
