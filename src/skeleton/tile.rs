//! Eight poses of one skeleton side by side, with gather from and scatter to separate poses.
//!
//! A separate pose has the numbers of one joint side by side; a tile has one number of eight
//! characters side by side. Gather and scatter transpose eight joints of eight numbers in
//! registers, so that no number is moved singly.

use super::crowd;
use super::eight::{Eight, STEP, narrow, wide};
use super::{JointIndex, Pose, PoseError, Skeleton};
use crate::math::dispatch::Level;
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::rigid::{self, OFF_UNIT};
use crate::math::{LaneMask, LaneQuat, LaneVec3, Quat, Rigid, Transform, Vec3};
use core::cell::Cell;

/// Eight poses of one skeleton without scale as a structure of arrays: a number of all eight in
/// each row, seven rows per joint (position x y z and rotation x y z w), joint after joint.
#[derive(Clone, Debug, Default)]
pub struct PoseTile {
    local: Vec<Rigid<Eight>>,
    model: Vec<Rigid<Eight>>,
}

impl PoseTile {
    /// The rest pose, eight times; `None` for a skeleton whose rest pose has a scale.
    pub fn rest(skeleton: &Skeleton) -> Option<Self> {
        if skeleton.rest_local().iter().any(rigid::is_scaled) {
            return None;
        }
        let mut tile = Self::default();
        tile.grow(skeleton);
        tile.model.clone_from(&tile.local);
        (0..STEP).for_each(|lane| tile.put_pose(lane, skeleton.rest_local()));
        tile.update(Level::widest(), skeleton);
        Some(tile)
    }
    /// Allocates for the local transforms of a skeleton.
    pub(crate) fn grow(&mut self, skeleton: &Skeleton) {
        let mut none = Rigid::<Eight>::default();
        none.rotation.w = Eight([1.0; STEP]);
        if self.local.len() < skeleton.joint_count() {
            self.local.resize(skeleton.joint_count(), none);
        }
    }

    /// Local transforms by joint.
    pub fn local(&self) -> &[Rigid<Eight>] {
        &self.local
    }
    /// Mutable local transforms by joint. Rotations may be slightly off unit length, as in a
    /// [`Pose`].
    pub fn local_mut(&mut self) -> &mut [Rigid<Eight>] {
        &mut self.local
    }
    /// Frames in model space by joint, as of the last [`Self::update`]. Their rotations are the
    /// plain products, whose lengths are off by some 1e-7 per joint; [`Rigid::tightened`] turns
    /// them into the bits of [`Pose::model`].
    pub fn model(&self) -> &[Rigid<Eight>] {
        &self.model
    }
    /// Address of the local transforms: valid for the life of the tile, also after other calls on
    /// it.
    #[cfg(feature = "record")]
    pub(crate) fn local_address(&mut self) -> *mut Rigid<Eight> {
        self.local.as_mut_ptr()
    }
    /// Address of the frames: valid for the life of the tile.
    #[cfg(feature = "record")]
    pub(crate) fn model_address(&mut self) -> *mut Rigid<Eight> {
        self.model.as_mut_ptr()
    }
    /// Recomputes the frames of all joints. Each character gets the bits of its own
    /// [`Pose::update`].
    pub fn update(&mut self, level: Level, skeleton: &Skeleton) {
        self.update_known(level.run_eight(Examine(&self.local)), level, skeleton);
    }
    /// [`Self::update`] with `known` from before rotations were replaced by unit ones.
    pub(crate) fn update_known(&mut self, known: Known, level: Level, skeleton: &Skeleton) {
        if known.are_unit {
            crowd::update(level, skeleton, &self.local, &mut self.model);
        } else {
            crowd::update_loose(level, skeleton, &self.local, &mut self.model);
        }
    }
    /// Local transforms of character `lane`, with scale 1.
    pub fn pose(&self, lane: usize) -> impl Iterator<Item = Transform> {
        self.local.iter().map(move |joint| transform(&joint.at(lane)))
    }
    /// Writes the local transforms of character `lane`; scales are ignored.
    pub fn put_pose(&mut self, lane: usize, pose: &[Transform]) {
        for (joint, transform) in self.local.iter_mut().zip(pose) {
            joint.put(lane, Rigid::of_transform(transform));
        }
    }
    /// [`Pose::check`] of character `lane`.
    pub fn check(&self, lane: usize) -> Result<(), PoseError> {
        check(&self.local, lane)
    }
    /// Checks the local transforms of all characters together, from sums over the joints.
    pub(crate) fn examine(&self, level: Level) -> Known {
        let known = level.run_eight(Examine(&self.local));
        known.with_checked_lanes(&self.local)
    }

    /// Gathers eight poses and checks them. Poses that fail may have any numbers, or a scale. The
    /// tile must be allocated for the joints.
    pub(crate) fn gather(&mut self, level: Level, poses: [&[Cell<Transform>]; STEP]) -> Known {
        let count = poses.iter().fold(self.local.len(), |least, pose| least.min(pose.len()));
        let poses = poses.map(|pose| &pose[..count]);
        let mut scaled = 0;
        for (lane, pose) in poses.iter().enumerate() {
            let unscaled = pose.iter().fold(rigid::unscaled(), |known, record| rigid::add_scale(known, &record.get()));
            scaled |= u8::from(rigid::any_scaled(unscaled)) << lane;
        }
        let local = &mut self.local[..count];
        let known = level.run_eight(Gather { poses, local }).with_checked_lanes(local);
        Known { sound: known.sound & !scaled, ..known }
    }
}

/// What is known about eight poses, one bit per pose from the lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Poses that pass [`Pose::check`]. Nothing is known about poses without the bit.
    pub sound: u8,
    /// Poses whose rotations are unit.
    unit: u8,
    /// Whether the rotations of all eight are unit.
    pub are_unit: bool,
}

impl Known {
    /// With `sound` cleared for poses that fail a check of each rotation, when not all are unit.
    #[inline(always)]
    fn with_checked_lanes(self, local: &[Rigid<Eight>]) -> Self {
        if self.are_unit { self } else { self.check_lanes(local) }
    }
    #[cold]
    fn check_lanes(self, local: &[Rigid<Eight>]) -> Self {
        let fails = |lane: &usize| self.unit >> lane & 1 == 0 && check(local, *lane).is_err();
        Self { sound: (0..STEP).filter(fails).fold(self.sound, |sound, lane| sound & !(1 << lane)), ..self }
    }
}

/// Copies eight poses side by side.
struct Gather<'a> {
    poses: [&'a [Cell<Transform>]; STEP],
    local: &'a mut [Rigid<Eight>],
}

impl EightTask for Gather<'_> {
    type Output = Known;
    #[inline(always)]
    fn run<E: EightLane>(self) -> Known {
        let mut known = Sums::<E>::none();
        for (joint, local) in self.local.iter_mut().enumerate() {
            let [px, py, pz, x, y, z, w, _] = rigid::columns(self.poses.map(|pose| pose[joint].get()).each_ref());
            let own = Rigid { position: LaneVec3::new(px, py, pz), rotation: LaneQuat::new(x, y, z, w) };
            known.add(&own);
            *local = narrow(&own);
        }
        known.known()
    }
}

/// Sums over the joints of eight poses.
struct Sums<E> {
    /// NaN in the lanes of poses with a number that is not finite.
    total: E,
    /// Largest deviation of a rotation's squared length from 1.
    off: E,
}

impl<E: EightLane> Sums<E> {
    #[inline(always)]
    fn none() -> Self {
        Self { total: E::splat(0.0), off: E::splat(0.0) }
    }
    #[inline(always)]
    fn add(&mut self, joint: &Rigid<E>) {
        let (p, size) = (joint.position, joint.rotation.dot(joint.rotation));
        self.total = self.total + ((p.x + p.y) + (p.z + size));
        self.off = (size - E::splat(1.0)).abs().max(self.off);
    }
    #[inline(always)]
    fn known(&self) -> Known {
        let unit = self.off.lt(E::splat(OFF_UNIT)).bits();
        let sound = (self.total * E::splat(0.0)).lt(E::splat(1.0)).bits();
        Known { sound, unit, are_unit: unit == u8::MAX }
    }
}

/// What is known about the rotations and numbers of local transforms, before each lane is checked.
struct Examine<'a>(&'a [Rigid<Eight>]);

impl EightTask for Examine<'_> {
    type Output = Known;
    #[inline(always)]
    fn run<E: EightLane>(self) -> Known {
        let mut sums = Sums::<E>::none();
        for joint in self.0 {
            sums.add(&wide(joint));
        }
        sums.known()
    }
}

fn check(local: &[Rigid<Eight>], lane: usize) -> Result<(), PoseError> {
    local.iter().enumerate().try_for_each(|(joint, own)| Pose::check_joint(joint, &transform(&own.at(lane))))
}

fn transform(own: &Rigid<f32>) -> Transform {
    let (p, q) = (own.position, own.rotation);
    Transform { position: Vec3::new(p.x, p.y, p.z), rotation: Quat::from_xyzw(q.x, q.y, q.z, q.w), scale: Vec3::ONE }
}

/// Scatters joints of the characters whose bits are set into their poses: position and rotation,
/// which must be unit. No pose may have a scale.
pub(crate) fn scatter(
    level: Level,
    joints: impl Iterator<Item = JointIndex>,
    local: &[Rigid<Eight>],
    lanes: u8,
    poses: &[&[Cell<Transform>]; STEP],
) {
    level.run_eight(Scatter { joints, local, lanes, poses });
}

struct Scatter<'a, J> {
    joints: J,
    local: &'a [Rigid<Eight>],
    lanes: u8,
    poses: &'a [&'a [Cell<Transform>]; STEP],
}

impl<J: Iterator<Item = JointIndex>> EightTask for Scatter<'_, J> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        let Self { joints, local, lanes, poses } = self;
        for joint in joints {
            let rows = rigid::records(&wide::<E>(&local[joint]));
            for (lane, (pose, row)) in poses.iter().zip(rows).enumerate() {
                if lanes >> lane & 1 == 1
                    && let Some(record) = pose.get(joint)
                {
                    let mut transform = record.get();
                    rigid::put_record(&mut transform, row);
                    record.set(transform);
                }
            }
        }
    }
}
