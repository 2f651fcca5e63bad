//! An animator at work on a `Skeleton3D`: poses in and out, world and skeleton space.

use crate::bones::Subset;
use crate::convert;
use godot::builtin::{Basis, Transform3D};
use godot::classes::Skeleton3D;
use sinew::debug::Line;
use sinew::humanoid::{Animator, Avatar};
use sinew::math::{Mat3, Quat, Transform, Vec3, normalize_or};
use std::sync::Arc;

/// An animator and the bones it reads and writes.
#[derive(Debug)]
pub struct Attached {
    /// The core's character; goals are given to it through [`Self::point`] and its like.
    pub animator: Animator,
    bones: Box<[i32]>,
    /// The pose as Godot gave it in this update.
    before: Box<[Transform]>,
    seen: Transform3D,
    /// Set when the node stands sheared, which no position, rotation and scale can say: goals then come in skeleton space.
    sheared: Option<Sheared>,
}

/// The way from world to skeleton space, exactly.
#[derive(Debug)]
struct Sheared {
    inverse: Mat3,
    origin: Vec3,
    rotation: Quat,
}

impl Attached {
    /// An animator for a subset, humanoid with an avatar made for the same skeleton.
    pub fn new(subset: &Subset, avatar: Option<Arc<Avatar>>) -> Result<Self, String> {
        let animator = Animator::new(subset.skeleton.clone(), avatar).map_err(|error| error.to_string())?;
        Ok(Self {
            before: animator.pose().local().into(),
            animator,
            bones: subset.bones.clone(),
            seen: Transform3D { basis: Basis::IDENTITY, origin: godot::builtin::Vector3::ZERO },
            sheared: None,
        })
    }

    /// Takes over where the skeleton stands and how its bones are posed. `false` when the skeleton is squashed flat: there is nothing to
    /// solve then.
    pub fn read(&mut self, skeleton: &Skeleton3D) -> bool {
        let global = skeleton.get_global_transform();
        if global != self.seen && !self.place(&global) {
            return false;
        }
        let local = self.animator.pose_mut().local_mut();
        for ((local, before), &bone) in local.iter_mut().zip(&mut self.before).zip(&self.bones) {
            *before = Transform {
                position: convert::vec3(skeleton.get_bone_pose_position(bone)),
                rotation: convert::quat(skeleton.get_bone_pose_rotation(bone)),
                scale: convert::vec3(skeleton.get_bone_pose_scale(bone)),
            };
            *local = *before;
        }
        true
    }

    fn place(&mut self, global: &Transform3D) -> bool {
        if convert::is_sheared(&global.basis) {
            let linear = convert::mat3(&global.basis);
            if linear.determinant().abs() < 1e-30 || self.animator.set_root(Transform::IDENTITY).is_err() {
                return false;
            }
            let rotation = convert::rotation(&global.basis);
            self.sheared = Some(Sheared { inverse: linear.inverse(), origin: convert::vec3(global.origin), rotation });
        } else {
            if self.animator.set_root(convert::transform(global)).is_err() {
                return false;
            }
            self.sheared = None;
        }
        self.seen = *global;
        true
    }

    /// Gives the bones that the solve turned or moved back to Godot.
    pub fn write(&self, skeleton: &mut Skeleton3D) {
        for ((after, before), &bone) in self.animator.pose().local().iter().zip(&self.before).zip(&self.bones) {
            if after.rotation != before.rotation {
                skeleton.set_bone_pose_rotation(bone, convert::quaternion(after.rotation));
            }
            if after.position != before.position {
                skeleton.set_bone_pose_position(bone, convert::vector3(after.position));
            }
        }
    }

    /// A world point as the animator wants it.
    #[inline]
    pub fn point(&self, point_ws: Vec3) -> Vec3 {
        match &self.sheared {
            None => point_ws,
            Some(sheared) => sheared.inverse * (point_ws - sheared.origin),
        }
    }
    /// A world rotation as the animator wants it.
    #[inline]
    pub fn rotation(&self, rotation_ws: Quat) -> Quat {
        match &self.sheared {
            None => rotation_ws,
            Some(sheared) => (sheared.rotation.conjugate() * rotation_ws).normalize(),
        }
    }
    /// A direction in skeleton space as the animator wants it.
    pub fn direction_of_skeleton(&self, direction_ms: Vec3) -> Vec3 {
        match &self.sheared {
            None => normalize_or(convert::mat3(&self.seen.basis) * direction_ms, Vec3::Y),
            Some(_) => direction_ms,
        }
    }
    /// A point of the animator's world in the world.
    pub fn point_out(&self, point: Vec3) -> Vec3 {
        match &self.sheared {
            None => point,
            Some(_) => convert::mat3(&self.seen.basis) * point + convert::vec3(self.seen.origin),
        }
    }
    /// What the animator draws of a humanoid, in the world.
    pub fn draw(&mut self, lines: &mut Vec<Line>) {
        let first = lines.len();
        self.animator.draw(&mut |line| lines.push(line));
        for line in &mut lines[first..] {
            (line.from_ws, line.to_ws) = (self.point_out(line.from_ws), self.point_out(line.to_ws));
        }
    }
}
