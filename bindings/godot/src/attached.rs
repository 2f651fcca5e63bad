//! An animator on a `Skeleton3D`: poses in and out, and conversion between world and joint space.

use crate::bones::Subset;
use crate::calls::Rig;
use crate::convert;
use crate::display::Drawing;
use godot::builtin::Transform3D;
use sinew::animator::{Animator, AnimatorError};
use sinew::constraints::{ConstraintDefinition, ConstraintId};
use sinew::debug::{Line, Sink};
use sinew::ffi::mirror::RecordedAnimator;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanoidInput};
use sinew::math::{Mat3, Quat, Transform, Vec3, normalize_or};
use sinew::skeleton::JointIndex;
use sinew::world::{Paced, RowState};
use std::sync::Arc;

/// An animator and the bones it reads and writes.
///
/// The animator's model space is the space of the parent bone of its joints (see
/// [`Subset::below`]), or the skeleton's own.
#[derive(Debug)]
pub struct Attached {
    /// The core's animator; goals are converted by [`Self::place`].
    pub animator: Animator,
    /// Its placement in this update.
    pub place: Place,
    /// What recordings know of it.
    recorded: RecordedAnimator,
    bones: Box<[i32]>,
    above: Option<i32>,
    /// The joints that this update reads and may write.
    joints: Vec<JointIndex>,
    /// The pose read from Godot in this update.
    before: Box<[Transform]>,
    /// Bones that are disabled, at rest.
    disabled: Vec<(JointIndex, Transform)>,
    /// Place in `joints` of the one that was last looked at for that.
    looked: usize,
    /// Whether the animator's root could be set.
    is_placed: bool,
    /// Whether a root with an uneven scale counts as sheared.
    needs_even_scale: bool,
}

/// Placement of an animator, and conversion of goals.
#[derive(Debug)]
pub struct Place {
    /// The skeleton's global transform.
    skeleton_ws: Transform3D,
    /// Transform of the model space.
    model_ws: Transform3D,
    /// Set when the space is sheared, which position, rotation and scale cannot express: goals are
    /// then given in model space.
    sheared: Option<Sheared>,
}

/// The exact transform from world to model space.
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
            joints: (0..subset.bones.len()).collect(),
            animator,
            disabled: Vec::new(),
            looked: 0,
            recorded: RecordedAnimator::default(),
            bones: subset.bones.clone(),
            above: subset.above,
            place: Place { skeleton_ws: Transform3D::IDENTITY, model_ws: Transform3D::IDENTITY, sheared: None },
            is_placed: true,
            needs_even_scale: false,
        })
    }
    /// With what its avatar was made of, for recordings.
    pub fn defined_by(self, avatar: &Arc<AvatarDefinition>) -> Self {
        Self { recorded: RecordedAnimator::new(Some(avatar.clone())), ..self }
    }
    /// Adds a constraint.
    pub fn add_constraint(&mut self, definition: &ConstraintDefinition) -> Result<ConstraintId, String> {
        self.recorded.add_constraint(&mut self.animator, definition).map_err(|error| error.to_string())
    }
    /// Solves; while a recording runs, by functions that are logged.
    #[inline]
    pub fn solve(&mut self) -> Result<(), AnimatorError> {
        self.recorded.solve(&mut self.animator)
    }
    /// [`Self::solve`] at a level of detail.
    #[inline]
    pub fn solve_paced(&mut self, paced: &mut Paced) -> Result<RowState, AnimatorError> {
        let Self { animator, recorded, .. } = self;
        paced.solve(animator, |animator| recorded.solve(animator))
    }
    /// For solvers whose root has one scale: with another one goals are given in model space, as
    /// under shear.
    pub fn even(self) -> Self {
        Self { needs_even_scale: true, ..self }
    }

    /// Chooses the joints that updates read and may write; all of them unless called. The others
    /// keep the pose they had.
    pub fn restrict(&mut self, joints: impl Iterator<Item = JointIndex>) {
        self.joints.clear();
        self.joints.extend(joints.filter(|joint| *joint < self.bones.len()));
    }

    /// Loads the animation's pose and clears the input of the humanoid: for the lines of an update
    /// that has solved nothing.
    pub fn look(&mut self, rig: Rig) {
        _ = self.read(rig, None);
        _ = self.animator.set_input(&HumanoidInput::default());
    }
    /// Reads the skeleton's transform and the pose of its bones. `false` when the space has a zero
    /// scale: then nothing can be solved. `placed`: a joint of which only the position is read; its
    /// rotation counts as the identity.
    #[inline]
    pub fn read(&mut self, rig: Rig, placed: Option<JointIndex>) -> bool {
        self.read_at(rig, placed, rig.global_transform())
    }
    /// [`Self::read`] of a skeleton that is drawn at `skeleton_ws`.
    #[inline]
    pub fn read_at(&mut self, rig: Rig, placed: Option<JointIndex>, skeleton_ws: Transform3D) -> bool {
        let model_ws = match self.above {
            Some(bone) => skeleton_ws * rig.bone_global_pose(bone),
            None => skeleton_ws,
        };
        self.place.skeleton_ws = skeleton_ws;
        if model_ws != self.place.model_ws {
            self.is_placed = self.move_to(&model_ws);
        }
        if !self.is_placed {
            return false;
        }
        let local = self.animator.pose_mut().local_mut();
        for &joint in &self.joints {
            let bone = self.bones[joint];
            let now = local_pose(rig, bone, placed == Some(joint));
            (self.before[joint], local[joint]) = (now, now);
        }
        self.read_disabled(rig);
        true
    }

    /// Whether skeleton and pose are the ones that [`Self::read`] has found, bit for bit. Bones
    /// that were disabled then count as such.
    pub fn is_as_read(&self, rig: Rig) -> bool {
        let is_there = self.is_placed && self.above.is_none() && rig.global_transform() == self.place.skeleton_ws;
        let is_disabled = |joint| self.disabled.iter().any(|(disabled, _)| *disabled == joint);
        let is_same = |joint: JointIndex| same_bits(&local_pose(rig, self.bones[joint], false), &self.before[joint]);
        is_there && self.joints.iter().all(|joint| is_disabled(*joint) || is_same(*joint))
    }

    /// The engine shows a disabled bone at rest, whatever pose it has. Whether bones are enabled
    /// changes without a sign, so that some are looked at in every update.
    #[inline]
    fn read_disabled(&mut self, rig: Rig) {
        /// Bones looked at in an update.
        const LOOKED_AT: usize = 4;
        for _ in 0..LOOKED_AT.min(self.joints.len()) {
            self.looked = if self.looked + 1 < self.joints.len() { self.looked + 1 } else { 0 };
            let joint = self.joints[self.looked];
            let known = self.disabled.iter().any(|(disabled, _)| *disabled == joint);
            if rig.is_bone_enabled(self.bones[joint]) == known {
                self.look_for_disabled(rig);
                break;
            }
        }
        for &(joint, rest) in self.disabled.iter().filter(|(joint, _)| self.joints.contains(joint)) {
            (self.before[joint], self.animator.pose_mut().local_mut()[joint]) = (rest, rest);
        }
    }
    #[cold]
    fn look_for_disabled(&mut self, rig: Rig) {
        self.disabled.clear();
        let skeleton = rig.to_gd();
        for (joint, &bone) in self.bones.iter().enumerate() {
            if !rig.is_bone_enabled(bone) {
                self.disabled.push((joint, convert::transform_unsheared(&skeleton.get_bone_rest(bone))));
            }
        }
    }

    fn move_to(&mut self, model_ws: &Transform3D) -> bool {
        self.place.model_ws = *model_ws;
        self.place.sheared = None;
        let is_even =
            |scale: Vec3| scale.x > 0.0 && (scale - Vec3::splat(scale.x)).abs().max_element() <= 1e-3 * scale.x;
        match convert::transform(model_ws).filter(|root| !self.needs_even_scale || is_even(root.scale)) {
            Some(transform) => self.animator.set_root(transform).is_ok(),
            None => {
                let linear = convert::mat3(&model_ws.basis);
                if linear.determinant().abs() < 1e-30 || self.animator.set_root(Transform::IDENTITY).is_err() {
                    return false;
                }
                let rotation = convert::rotation(&model_ws.basis);
                let origin = convert::vec3(model_ws.origin);
                self.place.sheared = Some(Sheared { inverse: linear.inverse(), origin, rotation });
                true
            }
        }
    }

    /// Writes the bones that the solve turned or moved to Godot, those nearer to the root first:
    /// the engine then marks their descendants once.
    #[inline]
    pub fn write(&self, rig: Rig) {
        let local = self.animator.pose().local();
        for &joint in &self.joints {
            let (bone, before, after) = (self.bones[joint], &self.before[joint], &local[joint]);
            if after.rotation != before.rotation {
                rig.set_bone_rotation(bone, convert::quaternion(after.rotation));
            }
            if after.position != before.position {
                rig.set_bone_position(bone, convert::vector3(after.position));
            }
        }
    }

    /// Debug lines of a humanoid, world space.
    pub fn draw(&mut self, drawing: &mut Drawing) {
        self.animator.draw(&mut self.place.sink(drawing));
    }
}

/// A bone's pose in its parent; `is_placed`: the rotation counts as the identity.
#[inline]
fn local_pose(rig: Rig, bone: i32, is_placed: bool) -> Transform {
    let position = convert::vec3(rig.bone_position(bone));
    if is_placed {
        return Transform::at(position);
    }
    Transform {
        position,
        rotation: convert::quat(rig.bone_rotation(bone)),
        scale: convert::without_rounding(convert::vec3(rig.bone_scale(bone))),
    }
}

fn same_bits(a: &Transform, b: &Transform) -> bool {
    let bits = |t: &Transform| {
        let (p, r, s) = (t.position, t.rotation, t.scale);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits)
    };
    bits(a) == bits(b)
}

impl Place {
    /// Whether goals are given in model space, as it is sheared or scaled unevenly.
    pub fn is_sheared(&self) -> bool {
        self.sheared.is_some()
    }
    /// The skeleton's global transform in this update.
    pub fn skeleton_ws(&self) -> &Transform3D {
        &self.skeleton_ws
    }
    /// A rotation of the animator's world in the world.
    pub fn rotation_out(&self, rotation: Quat) -> Quat {
        match &self.sheared {
            None => rotation,
            Some(sheared) => (sheared.rotation * rotation).normalize(),
        }
    }
    /// A world point in the animator's world space.
    #[inline]
    pub fn point(&self, point_ws: Vec3) -> Vec3 {
        match &self.sheared {
            None => point_ws,
            Some(sheared) => sheared.inverse * (point_ws - sheared.origin),
        }
    }
    /// A world rotation in the animator's world space.
    #[inline]
    pub fn rotation(&self, rotation_ws: Quat) -> Quat {
        match &self.sheared {
            None => rotation_ws,
            Some(sheared) => (sheared.rotation.conjugate() * rotation_ws).normalize(),
        }
    }
    /// A direction in skeleton space, in the animator's world space.
    pub fn direction_of_skeleton(&self, direction: Vec3) -> Vec3 {
        self.direction(convert::mat3(&self.skeleton_ws.basis) * direction)
    }
    /// A direction in the world, in the animator's world space; +Y for none.
    pub fn direction(&self, direction_ws: Vec3) -> Vec3 {
        normalize_or(
            match &self.sheared {
                None => direction_ws,
                Some(sheared) => sheared.inverse * direction_ws,
            },
            Vec3::Y,
        )
    }
    /// The normal of a plane in the world, in the animator's world space; +Y for none.
    pub fn normal(&self, normal_ws: Vec3) -> Vec3 {
        normalize_or(
            match &self.sheared {
                None => normal_ws,
                Some(_) => convert::mat3(&self.model_ws.basis).transpose() * normal_ws,
            },
            Vec3::Y,
        )
    }
    /// Takes lines of the animator's world, and draws them in the world.
    pub fn sink<'a>(&'a self, drawing: &'a mut Drawing) -> impl Sink + 'a {
        |line: Line| {
            drawing.line(Line { from_ws: self.point_out(line.from_ws), to_ws: self.point_out(line.to_ws), ..line });
        }
    }
    /// A point of the animator's world in the world.
    pub fn point_out(&self, point: Vec3) -> Vec3 {
        match &self.sheared {
            None => point,
            Some(_) => convert::mat3(&self.model_ws.basis) * point + convert::vec3(self.model_ws.origin),
        }
    }
}
