//! The pose of one character: local transforms and, by forward kinematics, the frames in model
//! space.

use super::order::Pair;
use super::{JointIndex, Skeleton};
use crate::math::dispatch::Level;
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::rigid::{self, Placed, both, each};
use crate::math::{Frame, Quat, Shape, Transform, Vec3};
#[cfg(feature = "record")]
use crate::math::{LaneQuat, LaneVec3, Rigid};
use core::cell::Cell;
use wide::f32x4;
#[cfg(feature = "record")]
use wide::{CmpEq, CmpLe};

/// Why a pose was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// The number of transforms is not the number of joints.
    #[error("{given} transforms for {expected} joints")]
    Length {
        /// Joints of the skeleton.
        expected: usize,
        /// Transforms given.
        given: usize,
    },
    /// A transform has a number that is not finite.
    #[error("joint {joint}: {member} is {value}")]
    NotFinite {
        /// The joint.
        joint: JointIndex,
        /// The first such number of its transform, such as `position.x`.
        member: &'static str,
        /// The number.
        value: f32,
    },
    /// A rotation is (nearly) the zero quaternion.
    #[error("joint {joint}: the rotation is not a rotation (length {length})")]
    ZeroRotation {
        /// The joint.
        joint: JointIndex,
        /// Length of the quaternion given.
        length: f32,
    },
    /// There is no memory for the effects of scale, which the first pose with a scale takes.
    #[error("there is no memory for the effects of scale")]
    NoMemory,
}

/// The numbers of a transform.
const MEMBERS: [&str; 10] = [
    "position.x",
    "position.y",
    "position.z",
    "rotation.x",
    "rotation.y",
    "rotation.z",
    "rotation.w",
    "scale.x",
    "scale.y",
    "scale.z",
];

/// Local transforms of every joint, and their frames in model space.
///
/// The local transforms are kept bit for bit as given: a solve changes only the joints that it
/// moves. Rotations that are slightly off unit length are normalised when frames are computed, not
/// in place.
#[derive(Clone, Debug)]
pub struct Pose {
    local: Vec<Transform>,
    frames: Vec<Placed<f32x4>>,
    /// Whether `shapes` is in use: some joint has a scale.
    scaled: bool,
    /// One per joint once a joint has had a scale, else empty.
    shapes: Vec<Option<Shape>>,
    known: Known,
}

/// What is known about the current local transforms. Saves checks; does not change results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// Nothing: the transforms may have any values.
    Nothing,
    /// The transforms pass [`Pose::check`].
    Sound,
    /// In addition, every scale is 1 and every rotation is unit.
    Plain,
    /// In addition, no number of a frame is beyond 1e18 once it is updated.
    Near,
}

impl Pose {
    /// The rest pose of a skeleton.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let model = skeleton.rest_model();
        let plain = skeleton.rest_local().iter().all(rigid::is_plain);
        let scaled = !model.iter().all(Frame::is_rigid);
        Self {
            known: if plain { Known::Plain } else { Known::Sound },
            local: skeleton.rest_local().to_vec(),
            frames: model.iter().map(Frame::placed).collect(),
            shapes: if scaled { model.iter().map(Frame::shape).collect() } else { Vec::new() },
            scaled,
        }
    }
    /// Local transforms, one per joint.
    pub fn local(&self) -> &[Transform] {
        &self.local
    }
    /// Mutable local transforms; the model frames are stale until [`Self::update`].
    pub fn local_mut(&mut self) -> &mut [Transform] {
        self.known = Known::Nothing;
        &mut self.local
    }
    /// Whether it is known that every scale is 1 and every rotation is unit.
    pub(crate) fn is_known_plain(&self) -> bool {
        self.known >= Known::Plain
    }
    /// Whether some joint has a scale, as of the last update.
    pub(crate) fn is_scaled(&self) -> bool {
        self.scaled
    }
    /// Whether a joint has had a scale in a pose that was checked.
    pub(crate) fn has_had_scale(&self) -> bool {
        self.shapes.capacity() > 0
    }
    /// Local transforms as records. The caller may write unit rotations and finite positions only,
    /// so what is known about the pose remains true.
    #[inline(always)]
    pub(crate) fn records(&mut self) -> &[Cell<Transform>] {
        self.known = self.known.min(Known::Plain);
        Cell::from_mut(&mut self.local[..]).as_slice_of_cells()
    }
    /// Sets a joint's local rotation, which must be unit or the one that was checked, so what is
    /// known about the pose remains true.
    #[inline(always)]
    pub(crate) fn put_rotation(&mut self, joint: JointIndex, unit: Quat) {
        self.local[joint].rotation = unit;
    }
    /// Sets a joint's local position, which must be finite.
    #[inline(always)]
    pub(crate) fn put_position(&mut self, joint: JointIndex, finite: Vec3) {
        self.known = self.known.min(Known::Plain);
        self.local[joint].position = finite;
    }
    /// The stored frame of a joint; the joint and its ancestors must have no scale.
    #[inline(always)]
    pub(crate) fn placed(&self, joint: JointIndex) -> Placed<f32x4> {
        self.frames[joint]
    }
    /// Stores the frame of a joint; the joint and its ancestors must have no scale. The next update
    /// overwrites it.
    #[inline(always)]
    pub(crate) fn put_placed(&mut self, joint: JointIndex, frame: Placed<f32x4>) {
        self.frames[joint] = frame;
        if self.scaled {
            self.shapes[joint] = None;
        }
    }
    /// Frame of a joint in model space, as of the last update of that joint.
    #[inline]
    pub fn model(&self, joint: JointIndex) -> Frame {
        let frame = Frame::new(self.frames[joint], if self.scaled { self.shapes[joint] } else { None });
        if frame.is_rigid() { frame.tightened() } else { frame }
    }
    /// Whether no number of a joint's position or linear part is beyond a size, or NaN; the frames
    /// must be up to date.
    #[cfg(feature = "record")]
    pub(crate) fn frames_are_within(&self, size: f32) -> bool {
        if self.known == Known::Near && size >= 1e18 {
            return true;
        }
        if self.scaled {
            return (0..self.frames.len()).all(|joint| self.model(joint).is_within(size));
        }
        let most = f32x4::splat(size);
        let within = |all: f32x4, frame: &Placed<f32x4>| all & frame.position.abs().cmp_le(most);
        self.frames.iter().fold(f32x4::ZERO.cmp_eq(f32x4::ZERO), within).move_mask() & 0b0111 == 0b0111
    }
    /// Writes position, rotation and the three axes of each joint's [`Self::model`], joint by
    /// joint. False, and nothing written, where a joint had a scale at the last update, where there
    /// are fewer than eight joints, or another number of rows.
    #[cfg(feature = "record")]
    pub(crate) fn write_rows(&self, out: &mut [[f32; 16]]) -> bool {
        !self.scaled && Level::for_one().run_eight(WriteRows { frames: &self.frames, out })
    }
    /// Frame in which a joint's local transform is given: its parent's, or model space itself.
    pub fn parent_frame(&self, skeleton: &Skeleton, joint: JointIndex) -> Frame {
        skeleton.parent(joint).map_or(Frame::IDENTITY, |p| self.model(p))
    }

    /// Checks that every number is finite and every rotation has a valid length.
    pub fn check(local: &[Transform]) -> Result<(), PoseError> {
        Self::survey(local).map(|_| ())
    }
    /// [`Self::check`]; what is known then, and whether a joint has a scale.
    fn survey(local: &[Transform]) -> Result<(Known, bool), PoseError> {
        if rigid::are_plain::<true>(local) {
            return Ok((Known::Near, false));
        }
        let (mut known, mut scaled) = (Known::Plain, false);
        for (joint, transform) in local.iter().enumerate() {
            if !Self::is_plain(joint, transform)? {
                (known, scaled) = (Known::Sound, scaled || rigid::is_scaled(transform));
            }
        }
        Ok((known, scaled))
    }
    /// [`Self::check`] of the transforms of this pose; early out when [`Self::load`] has checked
    /// them. Takes the memory for the effects of scale where a joint has one for the first time.
    pub fn check_local(&mut self) -> Result<(), PoseError> {
        if self.known == Known::Nothing {
            let (known, scaled) = Self::survey(&self.local)?;
            if scaled {
                self.make_room_for_shapes()?;
            }
            self.known = known;
        }
        Ok(())
    }
    /// Takes over local transforms, one per joint, that pass [`Self::check`]; changes nothing where
    /// they do not.
    pub(crate) fn load_checked(&mut self, local: &[Transform]) -> Result<(), PoseError> {
        let (known, scaled) = Self::survey(local)?;
        if scaled {
            self.make_room_for_shapes()?;
        }
        self.local.copy_from_slice(local);
        self.known = known;
        Ok(())
    }
    #[cold]
    fn make_room_for_shapes(&mut self) -> Result<(), PoseError> {
        if self.shapes.capacity() > 0 {
            return Ok(());
        }
        self.shapes.try_reserve_exact(self.local.len()).map_err(|_| PoseError::NoMemory)
    }
    /// Copies local transforms, one per joint from the first, each read once, and checks the copies
    /// like [`Self::check`]. On an error the pose holds the invalid transforms and must be loaded
    /// again before use.
    pub fn load(&mut self, transforms: impl Iterator<Item = Transform>) -> Result<(), PoseError> {
        self.known = Known::Nothing;
        self.local.iter_mut().zip(transforms).for_each(|(local, transform)| *local = transform);
        self.check_local()
    }
    /// [`Self::check_local`] where the host may have written to [`Self::local_address`] since the
    /// last check.
    pub(crate) fn check_again(&mut self) -> Result<(), PoseError> {
        self.known = Known::Nothing;
        self.check_local()
    }
    /// [`Self::check_again`] of some joints only; nothing is known about the others.
    #[cfg(feature = "record")]
    pub(crate) fn check_joints(&mut self, joints: &[JointIndex]) -> Result<(), PoseError> {
        self.known = Known::Nothing;
        for &joint in joints {
            let local = &self.local[joint];
            if !Self::is_plain(joint, local)? && rigid::is_scaled(local) {
                self.make_room_for_shapes()?;
            }
        }
        Ok(())
    }
    /// Address of the local transforms: constant until they are exchanged. A host may write to it
    /// between calls; [`Self::check_again`] is due then.
    #[cfg(feature = "record")]
    pub(crate) fn local_address(&mut self) -> *mut Transform {
        self.local.as_mut_ptr()
    }
    /// Exchanges the local transforms for as many others.
    pub(crate) fn exchange(&mut self, other: &mut Vec<Transform>) {
        other.resize(self.local.len(), Transform::IDENTITY);
        core::mem::swap(&mut self.local, other);
        self.known = Known::Nothing;
    }
    /// Checks one joint's transform; true when its scale is 1 and its rotation unit.
    #[inline(always)]
    fn is_plain(joint: JointIndex, transform: &Transform) -> Result<bool, PoseError> {
        if rigid::is_plain(transform) { Ok(true) } else { Self::check_joint(joint, transform).map(|()| false) }
    }
    /// Checks one joint's transform.
    pub fn check_joint(joint: JointIndex, transform: &Transform) -> Result<(), PoseError> {
        if !transform.is_finite() {
            let Transform { position, rotation, scale } = transform;
            let numbers = position.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
            let mut bad = MEMBERS.into_iter().zip(numbers).filter(|(_, number)| !number.is_finite());
            let (member, value) = bad.next().unwrap_or(("a number", f32::NAN));
            return Err(PoseError::NotFinite { joint, member, value });
        }
        let length = transform.rotation.length();
        // Also false for the infinite length of huge components.
        if !(length > Skeleton::MIN_QUATERNION_LENGTH && length < 1.0 / Skeleton::MIN_QUATERNION_LENGTH) {
            return Err(PoseError::ZeroRotation { joint, length });
        }
        Ok(())
    }

    /// Recomputes the frames of all joints (forward kinematics).
    pub fn update(&mut self, skeleton: &Skeleton) {
        self.scaled = false;
        for &root in skeleton.roots() {
            self.update_joint(skeleton, root);
        }
        let plain = self.is_known_plain() || rigid::are_plain::<false>(&self.local);
        let (mut pairs, mut last) = (skeleton.pairs().iter(), None);
        while !self.scaled {
            let (local, frames) = (&self.local, &mut self.frames);
            let stopped = Level::for_one().run_eight(StepPairs { local, frames, pairs: &mut pairs, last, plain });
            let Some(pair) = stopped else { return };
            pair.joints().into_iter().for_each(|joint| self.update_joint(skeleton, joint));
            last = Some(pair.joints());
        }
        pairs.flat_map(Pair::joints).for_each(|joint| self.update_joint(skeleton, joint));
    }
    /// Recomputes the frames of the joints up to `last`; those of the others are stale then. No
    /// joint of the pose may have a scale.
    pub(crate) fn update_first(&mut self, skeleton: &Skeleton, last: JointIndex) {
        self.scaled = false;
        self.update_range(skeleton, 0..last + 1);
    }
    /// Recomputes the frames of a joint and all its descendants.
    pub fn update_subtree(&mut self, skeleton: &Skeleton, joint: JointIndex) {
        self.update_range(skeleton, skeleton.subtree(joint));
    }
    /// Recomputes the frames of a range of joints, whose parents must be up to date or in it.
    pub(crate) fn update_range(&mut self, skeleton: &Skeleton, joints: core::ops::Range<JointIndex>) {
        joints.for_each(|joint| self.update_joint(skeleton, joint));
    }
    /// Recomputes the frames of the listed joints, which must be in joint order and have up-to-date
    /// parents.
    pub fn update_joints(&mut self, skeleton: &Skeleton, joints: &[JointIndex]) {
        for &joint in joints {
            self.update_joint(skeleton, joint);
        }
    }
    /// [`Self::update_joints`] without the joints before `first`, for when only `first` and its
    /// descendants are stale: a parent always precedes its children.
    pub fn update_joints_from(&mut self, skeleton: &Skeleton, joints: &[JointIndex], first: JointIndex) {
        self.update_joints(skeleton, &joints[joints.partition_point(|j| *j < first)..]);
    }
    #[inline(always)]
    fn update_joint(&mut self, skeleton: &Skeleton, joint: JointIndex) {
        let (local, link) = (&self.local[joint], skeleton.link(joint));
        if self.scaled || rigid::is_scaled(local) {
            return self.update_scaled(skeleton, joint);
        }
        let own = rigid::placed(local);
        let mut frame = link.parent().map_or(own, |parent| rigid::step(self.frames[parent], own));
        if link.is_tightened() {
            frame.rotation = rigid::tightened(frame.rotation);
        }
        self.frames[joint] = frame;
    }
    /// [`Self::update_joint`] where the joint or an ancestor may have a scale.
    #[inline(never)]
    fn update_scaled(&mut self, skeleton: &Skeleton, joint: JointIndex) {
        if !self.scaled {
            self.scaled = true;
            self.shapes.clear();
            self.shapes.resize(self.local.len(), None);
        }
        let link = skeleton.link(joint);
        let parent = link.parent().map(|parent| Frame::new(self.frames[parent], self.shapes[parent]));
        let frame = Frame::of_joint(parent, &self.local[joint], link.is_tightened());
        (self.frames[joint], self.shapes[joint]) = (frame.placed(), frame.shape());
    }

    /// Gives a joint the orientation `rotation_ms` in model space by changing its local rotation.
    /// The frames of the joint and its descendants are stale (dirty) until updated.
    pub fn set_rotation_ms(&mut self, skeleton: &Skeleton, joint: JointIndex, rotation_ms: Quat) {
        self.known = Known::Nothing;
        self.local[joint].rotation = self.parent_frame(skeleton, joint).rotation_in(rotation_ms);
    }
    /// Moves a joint to `position_ms` in model space by changing its local position. Does nothing
    /// when an ancestor's scale is zero. The frames of the joint and its descendants are stale
    /// until updated.
    pub fn set_position_ms(&mut self, skeleton: &Skeleton, joint: JointIndex, position_ms: Vec3) {
        if let Some(position) = self.parent_frame(skeleton, joint).point_in(position_ms) {
            self.known = Known::Nothing;
            self.local[joint].position = position;
        }
    }
}

/// Computes pairs until one that this fast path cannot handle, which it returns. `last` is the pair
/// before the first.
struct StepPairs<'a, 'p> {
    local: &'a [Transform],
    frames: &'a mut [Placed<f32x4>],
    pairs: &'a mut core::slice::Iter<'p, Pair>,
    last: Option<[JointIndex; 2]>,
    /// All transforms have scale 1 and a unit rotation.
    plain: bool,
}

impl<'p> EightTask for StepPairs<'_, 'p> {
    type Output = Option<&'p Pair>;
    #[inline(always)]
    fn run<E: EightLane>(self) -> Option<&'p Pair> {
        let Self { local, frames, pairs, last, plain } = self;
        let last = last.and_then(|joints| pair_of::<E>(frames, joints));
        if plain {
            step_pairs::<E, true>(local, frames, pairs, last)
        } else {
            step_pairs::<E, false>(local, frames, pairs, last)
        }
    }
}

#[inline(always)]
fn step_pairs<'a, E: EightLane, const PLAIN: bool>(
    local: &[Transform],
    frames: &mut [Placed<f32x4>],
    pairs: &mut core::slice::Iter<'a, Pair>,
    last: Option<Placed<E>>,
) -> Option<&'a Pair> {
    let count = local.len().min(frames.len());
    let (local, frames) = (&local[..count], &mut frames[..count]);
    let zero = E::splat(0.0);
    let mut last = last.unwrap_or(Placed { position: zero, rotation: zero });
    // Not `find`: its closure would not be compiled for the level.
    for pair in pairs {
        let parents = if pair.follows() { Some(last) } else { pair_of(frames, [0, 1].map(|i| pair.link(i).plain())) };
        let now = match parents {
            Some(parents) => step_pair::<E, PLAIN, false>(local, frames, pair, parents),
            None => match pair_of(frames, [0, 1].map(|i| pair.link(i).any())) {
                Some(parents) => step_pair::<E, PLAIN, true>(local, frames, pair, parents),
                None => None,
            },
        };
        match now {
            Some(now) => last = now,
            None => return Some(pair),
        }
    }
    None
}

/// The frames of two joints; `None` when an index is invalid.
#[inline(always)]
fn pair_of<E: EightLane>(frames: &[Placed<f32x4>], joints: [usize; 2]) -> Option<Placed<E>> {
    let [a, b] = [frames.get(joints[0])?, frames.get(joints[1])?];
    Some(Placed { position: both([a.position, b.position]), rotation: both([a.rotation, b.rotation]) })
}

/// Two joints without scale and with unit rotations, which `PLAIN` guarantees; `None` when they are
/// not, or an index is invalid.
#[inline(always)]
fn step_pair<E: EightLane, const PLAIN: bool, const TIGHTENED: bool>(
    local: &[Transform],
    frames: &mut [Placed<f32x4>],
    pair: &Pair,
    parents: Placed<E>,
) -> Option<Placed<E>> {
    let own = [local.get(pair.joint(0))?, local.get(pair.joint(1))?];
    let own = if PLAIN { rigid::placed_pair(own) } else { rigid::placed_plain_pair(own)? };
    let mut now = rigid::step(parents, own);
    if TIGHTENED {
        let (mut rotations, tightened) = (each(now.rotation), each(rigid::tightened(now.rotation)));
        for i in 0..2 {
            rotations[i] = if pair.link(i).is_tightened() { tightened[i] } else { rotations[i] };
        }
        now.rotation = both(rotations);
    }
    let (positions, rotations) = (each(now.position), each(now.rotation));
    for i in 0..2 {
        *frames.get_mut(pair.joint(i))? = Placed { position: positions[i], rotation: rotations[i] };
    }
    Some(now)
}

/// [`Pose::write_rows`]: eight joints at a time, transposed before and after. The last eight may
/// begin among those before them: eight that are there need no checks.
#[cfg(feature = "record")]
struct WriteRows<'a> {
    frames: &'a [Placed<f32x4>],
    out: &'a mut [[f32; 16]],
}

#[cfg(feature = "record")]
impl EightTask for WriteRows<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<E: EightLane>(self) -> bool {
        let count = self.frames.len();
        if count < 8 || self.out.len() != count {
            return false;
        }
        for first in (0..count).step_by(8).map(|first| first.min(count - 8)) {
            let (Some(frames), Some(out)) =
                (self.frames[first..].first_chunk::<8>(), self.out[first..].first_chunk_mut::<8>())
            else {
                return false;
            };
            let rows = core::array::from_fn(|i| both::<E>([frames[i].position, frames[i].rotation]));
            let [x, y, z, _, rx, ry, rz, rw] = E::transpose(rows);
            let rotation = LaneQuat::new(rx, ry, rz, rw);
            let Rigid { rotation: r, .. } = Rigid { position: LaneVec3::new(x, y, z), rotation }.tightened();
            let [ax, ay, az] = [
                r.rotate(LaneVec3::splat(Vec3::X)),
                r.rotate(LaneVec3::splat(Vec3::Y)),
                r.rotate(LaneVec3::splat(Vec3::Z)),
            ];
            let first = E::transpose([x, y, z, r.x, r.y, r.z, r.w, ax.x]);
            let last = E::transpose([ax.y, ax.z, ay.x, ay.y, ay.z, az.x, az.y, az.z]);
            for (out, (first, last)) in out.iter_mut().zip(first.into_iter().zip(last)) {
                let (front, back) = out.split_at_mut(8);
                front.copy_from_slice(&first.numbers());
                back.copy_from_slice(&last.numbers());
            }
        }
        true
    }
}

#[cfg(test)]
#[cfg(feature = "record")]
mod tests {
    use super::*;
    use crate::skeleton::JointDefinition;

    #[test]
    fn rows_are_the_frames() {
        for joints in [1, 7, 8, 9, 16, 67] {
            let joint = |i: usize| {
                let turn = Quat::from_xyzw(0.1 * i as f32, -0.3, 0.02 * i as f32, 1.0).normalize();
                let rest = Transform::new(Vec3::new(0.1, -0.02 * i as f32, 0.3), turn);
                JointDefinition { name: String::new(), parent: i.checked_sub(1 + i % 3), rest }
            };
            let skeleton = Skeleton::new((0..joints).map(joint).collect()).expect("a skeleton");
            let mut pose = Pose::rest(&skeleton);
            pose.update(&skeleton);
            let mut rows = vec![[0.0; 16]; joints];
            if !pose.write_rows(&mut rows) {
                assert!(joints < 8 && rows.iter().flatten().all(|number| *number == 0.0));
                continue;
            }
            for (joint, row) in rows.iter().enumerate() {
                let frame = pose.model(joint);
                let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| frame.vector_out(axis).to_array());
                let [x, y, z] = axes;
                let parts = [&frame.position.to_array()[..], &frame.rotation.to_array()[..], &x, &y, &z];
                assert_eq!(
                    row.map(f32::to_bits).to_vec(),
                    parts.concat().into_iter().map(f32::to_bits).collect::<Vec<_>>()
                );
            }
        }
    }
}
