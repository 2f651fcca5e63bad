//! Forward kinematics of the file format, in double precision, by the formulas of `docs/oracle.md`.

use super::format::{Case, Constraint};
use super::geometry::{Placement, Rotation, V3};

/// The pose of a case: what an animator would key.
#[derive(Clone, Debug, PartialEq)]
pub struct BonePose {
    /// Joint rotation of each bone; the identity at rest.
    pub rotation: Vec<Rotation>,
    /// Total uniform scale of each bone in model space; stretch.
    pub scale: Vec<f64>,
    /// How far each joint was pulled off its place, in the bone's rest frame; torn joints.
    pub offset: Vec<V3>,
}

impl BonePose {
    /// A pose that neither stretches nor tears.
    pub fn rigid(rotation: Vec<Rotation>) -> BonePose {
        let n = rotation.len();
        BonePose { rotation, scale: vec![1.0; n], offset: vec![V3::ZERO; n] }
    }
    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let rotations = self.rotation.iter().flat_map(|q| q.0);
        rotations.chain(self.scale.iter().copied()).chain(self.offset.iter().flat_map(|o| o.0)).all(f64::is_finite)
    }
}

/// Heads and orientations of all bones, and the scales their tails need.
pub struct ScaledPoseView {
    pub model: Vec<Placement>,
    scale: Vec<f64>,
}

/// Direction of a chain's root bone that faces the pole.
pub fn pole_side(pole_angle: f64) -> V3 {
    V3([pole_angle.cos(), 0.0, pole_angle.sin()])
}

/// Forward kinematics.
pub fn pose_bones(case: &Case, pose: &BonePose) -> ScaledPoseView {
    let mut model: Vec<Placement> = Vec::with_capacity(case.bone_count());
    for bone in 0..case.bone_count() {
        let rest = case.rest_local(bone);
        let here = rest.position + rest.rotation.rotate(pose.offset[bone]);
        let turned = rest.rotation * pose.rotation[bone];
        model.push(match case.parent(bone) {
            Some(p) => Placement {
                position: model[p].position + model[p].rotation.rotate(here) * pose.scale[p],
                rotation: model[p].rotation * turned,
            },
            None => Placement { position: here, rotation: turned },
        });
    }
    ScaledPoseView { model, scale: pose.scale.clone() }
}

impl ScaledPoseView {
    /// Tail of a bone.
    pub fn tail(&self, case: &Case, bone: usize) -> V3 {
        let Placement { position, rotation } = self.model[bone];
        position + rotation.rotate(V3([0.0, self.scale[bone] * case.bones.length[bone], 0.0]))
    }
    /// The point a constraint brings to its target.
    pub fn effector(&self, case: &Case, constraint: &Constraint) -> V3 {
        if constraint.use_tail { self.tail(case, constraint.bone) } else { self.model[constraint.bone].position }
    }
    /// Head of the first bone of a constraint's chain.
    pub fn root(&self, constraint: &Constraint) -> V3 {
        self.model[constraint.chain[constraint.chain.len() - 1]].position
    }
    /// Signed angle about root → effector from the reference direction of the root bone
    /// (`cos a · X + sin a · Z`) to the pole; `None` where either is on that line.
    pub fn pole_error(&self, case: &Case, constraint: &Constraint, pole: V3, pole_angle: f64) -> Option<f64> {
        let root = self.model[constraint.chain[constraint.chain.len() - 1]];
        let line = self.effector(case, constraint) - root.position;
        let reference = root.rotation.rotate(pole_side(pole_angle)).across(line);
        let wanted = (pole - root.position).across(line);
        let least = 1e-4 * constraint.chain_length;
        (line.len() > least && wanted.len() > least && reference.len() > 1e-4)
            .then(|| (line * (1.0 / line.len())).dot(reference.cross(wanted)).atan2(reference.dot(wanted)))
    }
}
