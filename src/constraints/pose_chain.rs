//! Joints of a skeleton as the plain data of [`crate::chains`]: which joints, and the way between a
//! pose and the solve space.
//!
//! The solve space is that of the first joint's parent, relative to the first joint. Bones are as
//! long as the pose's own local positions make them.

use super::error::ConstraintError;
use crate::chains::{Chain, ChainJoint, ChainPose, Effector};
use crate::limits::{Freedom, JointLimit, JointModel, Range, Stretch};
use crate::math::{Quat, Vec3, rigid, scaled_or_same};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use wide::{CmpEq, f32x4};

/// One end of a chain: a joint, and the point of it that has a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainEnd {
    /// The joint.
    pub joint: JointIndex,
    /// The point that goes to the goal, in the joint's own space (a weapon's tip); zero is the
    /// joint itself.
    pub tip_js: Vec3,
}

/// A chain or tree of a skeleton's joints, and their pose.
#[derive(Clone, Debug)]
pub(super) struct PoseChain {
    /// The chain's joints in joint order; the first is its root.
    pub path: Box<[JointIndex]>,
    pub ends: Box<[ChainEnd]>,
    /// Effectors' places in `path`.
    pub end_places: Box<[usize]>,
    pub chain: Chain,
    pub pose: ChainPose,
    /// The parent of each, by its place; the first one's is not used.
    parents: Box<[usize]>,
    /// The local rotation that each joint's rotation counts from: its rest rotation, or where its
    /// limits begin.
    origins: Box<[Quat]>,
    /// Size of each joint's space, its own scale counted: scratch of reading a pose.
    scales: Box<[f32]>,
    /// Whether none of them has a scale other than 1, but for a last one with no tip of its own:
    /// its scale moves nothing of the chain.
    pub is_unscaled: bool,
    /// How the last joint, an end, was turned when the pose was read.
    last_before: Quat,
    /// Bones as the chain has them.
    joint_offsets: Box<[Vec3]>,
    tip_offsets: Box<[Vec3]>,
}

fn quat(register: f32x4) -> Quat {
    Quat::from_array(register.to_array())
}

impl PoseChain {
    /// All joints from `joint_count` joints above the first end (0: from the skeleton's root) down
    /// to the ends.
    pub fn new(skeleton: &Skeleton, ends: &[ChainEnd], joint_count: usize) -> Result<Self, ConstraintError> {
        let ends: Box<[ChainEnd]> = ends.into();
        let Some(first) = ends.first() else { return Err(ConstraintError::EndCount(0)) };
        if ends.len() > Chain::MAX_EFFECTORS {
            return Err(ConstraintError::EndCount(ends.len()));
        }
        if let Some(end) = ends.iter().find(|e| e.joint >= skeleton.joint_count()) {
            return Err(ConstraintError::NoSuchJoint(end.joint));
        }
        let there = 1 + skeleton.ancestors(first.joint).count();
        let requested = if joint_count == 0 { there } else { joint_count };
        let lineage = |joint| core::iter::once(joint).chain(skeleton.ancestors(joint));
        let Some(root) = lineage(first.joint).nth(requested - 1) else {
            return Err(ConstraintError::TooLong { requested, there });
        };
        let mut path: Vec<JointIndex> = Vec::new();
        for end in &ends {
            if !skeleton.is_self_or_ancestor(root, end.joint) {
                return Err(ConstraintError::NotBelow { joint: end.joint, root });
            }
            path.extend(lineage(end.joint).take_while(|&j| j != root));
        }
        path.push(root);
        path.sort_unstable();
        path.dedup();
        let place = |joint: JointIndex| path.binary_search(&joint).unwrap_or(0);
        let joints = path.iter().enumerate().map(|(i, &joint)| ChainJoint {
            parent: if i == 0 { None } else { skeleton.parent(joint).map(place) },
            offset: if i == 0 { Vec3::ZERO } else { skeleton.rest_local()[joint].position },
            rest: skeleton.rest_local()[joint].rotation,
            model: JointModel::FREE,
        });
        let effectors = ends.iter().map(|end| Effector { joint: place(end.joint), offset: end.tip_js });
        let chain = Chain::new(joints.collect(), effectors.collect())?;
        Ok(Self {
            pose: ChainPose::rest(&chain),
            end_places: ends.iter().map(|end| place(end.joint)).collect(),
            parents: chain.joints().iter().map(|joint| joint.parent.unwrap_or(0)).collect(),
            origins: path.iter().map(|joint| skeleton.rest_local()[*joint].rotation).collect(),
            scales: vec![1.0; path.len()].into(),
            is_unscaled: true,
            last_before: Quat::IDENTITY,
            joint_offsets: chain.joints().iter().map(|joint| joint.offset).collect(),
            tip_offsets: ends.iter().map(|end| end.tip_js).collect(),
            chain,
            path: path.into(),
            ends,
        })
    }

    /// Gives a joint, by its place, limits and the origin that they and its rotations count from.
    pub fn set_limit(&mut self, place: usize, limit: &JointLimit) {
        // A tip is no joint whose position a stretch could be written to.
        let has_tip = self.ends.iter().zip(&self.end_places).any(|(end, at)| *at == place && end.tip_js != Vec3::ZERO);
        let stretch = if has_tip { Stretch::NONE } else { limit.model.stretch };
        self.chain.set_model(place, &JointModel { stretch, ..limit.model });
        if self.origins[place] != limit.origin {
            self.origins[place] = limit.origin;
            self.chain.set_rest(place, limit.origin);
        }
    }

    /// How far the joints of the pose are beyond their limits, radians: the farthest one. Where the
    /// chain is kept in a plane, what turns them out of it is not counted: it is beyond no limit.
    pub fn excess_rad(&self, pose: &Pose, is_in_plane: bool) -> f32 {
        let joints = self.path.iter().zip(self.chain.joints());
        let excess = |(joint, limited): (&JointIndex, &ChainJoint)| {
            let model = &limited.model;
            let turn = (limited.rest.conjugate() * pose.local()[*joint].rotation.normalize()).normalize();
            match model.freedom {
                Freedom::Hinge { axis, .. } if is_in_plane => {
                    let freedom = Freedom::Hinge { axis, range: Range::FREE };
                    model.violation_rad(JointModel { freedom, ..*model }.project(turn))
                }
                _ => model.violation_rad(turn),
            }
        };
        joints.map(excess).fold(0.0, f32::max)
    }

    /// Brings the pose's joints into the chain: rotations counted from rest, bones as long as the
    /// local positions make them. Rotations that are off unit length stay so:
    /// [`crate::chains::solve`] looks for them itself.
    pub fn read(&mut self, pose: &Pose) {
        if !self.read_rotations(pose) {
            self.read_all(pose);
        }
        let last = self.path.len() - 1;
        // Its rotation does not affect the others, not even when it is off unit length.
        self.pose.rotations[last] = self.pose.rotations[last].normalize();
        self.last_before = self.pose.rotations[last];
        self.pose.stretch.fill(1.0);
    }

    /// Reads rotations; false when anything else differs from what was read last, or there is a
    /// scale: then that has to be read, too.
    fn read_rotations(&mut self, pose: &Pose) -> bool {
        if !self.is_unscaled {
            return false;
        }
        let local = pose.local();
        let (mut unscaled, mut same) = (rigid::unscaled(), f32x4::ZERO.cmp_eq(f32x4::ZERO));
        let joints = self.path.iter().zip(&self.origins).zip(&mut self.pose.rotations).zip(&self.joint_offsets);
        for (place, (((&joint, origin), rotation), offset)) in joints.enumerate() {
            let (own, rest) = (&local[joint], f32x4::new(origin.to_array()));
            *rotation = quat(rigid::product(rigid::conjugate(rest), rigid::four::<3>(own)));
            unscaled = rigid::add_scale(unscaled, own);
            if place > 0 {
                same &= rigid::four::<0>(own).cmp_eq(f32x4::new([offset.x, offset.y, offset.z, 0.0]));
            }
        }
        // Behind the position stands the rotation's first number.
        !rigid::any_scaled(unscaled) && same.move_mask() & 0b0111 == 0b0111
    }

    fn read_all(&mut self, pose: &Pose) {
        let (mut reshaped, mut is_unscaled) = (false, true);
        let last = self.path.len() - 1;
        let bare_last = if self.ends.iter().all(|end| end.tip_js == Vec3::ZERO) { last } else { usize::MAX };
        let mut put = |place: &mut Vec3, offset: Vec3| {
            reshaped |= *place != offset;
            *place = offset;
        };
        for (place, &joint) in self.path.iter().enumerate() {
            let local = &pose.local()[joint];
            let outer = if place == 0 { 1.0 } else { self.scales[self.parents[place]] };
            if place > 0 {
                put(&mut self.joint_offsets[place], local.position * outer);
            }
            let rest = self.origins[place];
            self.pose.rotations[place] = rest.conjugate() * local.rotation;
            is_unscaled &= local.scale == Vec3::ONE || place == bare_last;
            let s = local.scale.abs();
            self.scales[place] = if s == Vec3::ONE { outer } else { outer * (s.x + s.y + s.z) / 3.0 };
        }
        self.is_unscaled = is_unscaled;
        for (e, end) in self.ends.iter().enumerate() {
            let place = self.end_places[e];
            put(&mut self.tip_offsets[e], end.tip_js * self.scales[place]);
        }
        // Bones hardly ever change their lengths.
        if reshaped {
            self.chain.reshape(&self.joint_offsets, &self.tip_offsets);
        }
    }

    /// Brings the chain's rotations and stretches into the pose. A last joint that was only carried
    /// along keeps its bits. Frames of the chain's joints are stale until [`Self::update_frames`].
    pub fn write(&self, pose: &mut Pose) {
        let local = pose.local_mut();
        let last = self.path.len() - 1;
        let count = if self.pose.rotations[last] != self.last_before { last + 1 } else { last };
        for ((&joint, origin), rotation) in self.path[..count].iter().zip(&self.origins).zip(&self.pose.rotations) {
            let turned = rigid::product(f32x4::new(origin.to_array()), f32x4::new(rotation.to_array()));
            local[joint].rotation = quat(rigid::normalize(turned));
        }
        if self.pose.stretch.iter().any(|stretch| *stretch != 1.0) {
            for (&joint, parent) in self.path.iter().zip(&self.parents).skip(1) {
                local[joint].position = scaled_or_same(local[joint].position, self.pose.stretch[*parent]);
            }
        }
    }
    /// Makes the rotations of the chain unit.
    pub fn make_unit(&mut self) {
        self.pose.rotations.iter_mut().for_each(|q| *q = q.normalize());
    }
    /// Brings the frames of the chain's joints up to date.
    pub fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose) {
        pose.update_joints(skeleton, &self.path);
    }
}
