//! The pose before a solve, of the joints that the solve may move: what is put back when a result
//! is not finite.

use crate::humanoid::Avatar;
use crate::math::{Quat, Transform, Vec3, rigid};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Saved numbers. Solves change no scale.
#[derive(Clone, Debug)]
pub(super) struct Before {
    /// Positions and rotations of the joints that the humanoid steps move.
    moved: Box<[[f32; 7]]>,
    /// All transforms, where constraints, overrides of bones or the whole-body solver can move
    /// other joints; else empty.
    all: Vec<Transform>,
}

impl Before {
    pub fn new(avatar: &Avatar) -> Self {
        Self { moved: avatar.moved_joints.iter().map(|_| [0.0; 7]).collect(), all: Vec::new() }
    }
    /// From now on [`Self::save`] saves all joints. Allocates when it is new.
    pub fn keep_all(&mut self, skeleton: &Skeleton) {
        if self.all.is_empty() {
            self.all = vec![Transform::IDENTITY; skeleton.joint_count()];
        }
    }
    /// Saves what the steps that run on a view may change.
    #[inline(always)]
    pub fn save_moved(&mut self, avatar: &Avatar, pose: &Pose) {
        let local = pose.local();
        for (saved, &joint) in self.moved.iter_mut().zip(&avatar.moved_joints) {
            *saved = rigid::seven(&local[joint]);
        }
    }
    /// Puts back what [`Self::save_moved`] has saved: finite positions and rotations that were
    /// there, so what is known about the pose remains true.
    #[cold]
    pub fn put_back_moved(&self, avatar: &Avatar, pose: &mut Pose) {
        for (joint, position, rotation) in self.moved(avatar) {
            pose.put_position(joint, position);
            pose.put_rotation(joint, rotation);
        }
    }
    /// Position and rotation of a joint in what [`Self::save_moved`] has saved; `None` where it
    /// saved none.
    pub fn place(&self, avatar: &Avatar, joint: JointIndex) -> Option<(Vec3, Quat)> {
        Some(place_of(&self.moved[avatar.moved_place(joint)?]))
    }
    /// Saves all that a frame may change.
    pub fn save(&mut self, avatar: &Avatar, pose: &Pose) {
        self.save_moved(avatar, pose);
        if !self.all.is_empty() {
            self.all.copy_from_slice(pose.local());
        }
    }
    /// Puts back what [`Self::save`] has saved.
    #[cold]
    pub fn put_back(&self, avatar: &Avatar, pose: &mut Pose) {
        let local = pose.local_mut();
        if !self.all.is_empty() {
            return local.copy_from_slice(&self.all);
        }
        for (joint, position, rotation) in self.moved(avatar) {
            (local[joint].position, local[joint].rotation) = (position, rotation);
        }
    }
    /// The rotation of a joint in what [`Self::save`] has saved; `None` where it saved none.
    pub fn rotation(&self, avatar: &Avatar, joint: JointIndex) -> Option<Quat> {
        if let Some(local) = self.all.get(joint) {
            return Some(local.rotation);
        }
        self.place(avatar, joint).map(|(_, rotation)| rotation)
    }
    fn moved(&self, avatar: &Avatar) -> impl Iterator<Item = (JointIndex, Vec3, Quat)> {
        avatar.moved_joints.iter().zip(&self.moved).map(|(&joint, saved)| {
            let (position, rotation) = place_of(saved);
            (joint, position, rotation)
        })
    }
}

fn place_of(&[px, py, pz, x, y, z, w]: &[f32; 7]) -> (Vec3, Quat) {
    (Vec3::new(px, py, pz), Quat::from_xyzw(x, y, z, w))
}
