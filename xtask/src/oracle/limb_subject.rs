//! The closed form for two bones on a case, where every constraint is a free two-bone limb of its
//! own.

use super::format::{Case, Constraint};
use super::geometry::{Rotation, V3};
use super::kinematics::{BonePose, pose_bones};
use super::rig::{Rig, vec3};
use super::subjects::{FrameSolver, NotApplicable};
use anyhow::Result;
use sinew::closed_form::limb::{self, LimbGoal, LimbJoints};
use sinew::math::Vec3;
use sinew::skeleton::Pose;

/// All limbs of a case.
pub struct Limbs<'a> {
    case: &'a Case,
    rig: Rig,
    limbs: Vec<(LimbJoints, LimbGoal)>,
    pose: Pose,
}

impl<'a> Limbs<'a> {
    /// Refuses everything but two free bones and a position.
    pub fn new(case: &'a Case) -> Result<Self, NotApplicable> {
        let rig = Rig::new(case).map_err(|error| format!("{error:#}"))?;
        let mut limbs = Vec::new();
        for constraint in &case.constraints {
            let &[mid, root] = constraint.chain.as_slice() else { return Err("not two bones".into()) };
            if !constraint.use_location || constraint.use_rotation {
                return Err("a rotation goal".into());
            }
            if !super::goals::is_free(case, constraint) {
                return Err("locks, limits or stretch".into());
            }
            let joints = LimbJoints::new(&rig.skeleton, root, mid, rig.effector(constraint)).ok_or("not a limb")?;
            limbs.push((joints, LimbGoal::at(Vec3::ZERO, Vec3::X)));
        }
        Ok(Self { case, pose: rig.before.clone(), rig, limbs })
    }
}

impl FrameSolver for Limbs<'_> {
    fn load(&mut self, frame: usize) {
        let frame = &self.case.frames[frame];
        self.pose = self.rig.before.clone();
        for (index, (constraint, (_, goal))) in self.case.constraints.iter().zip(&mut self.limbs).enumerate() {
            let angle = self.case.pole_angle(frame, index);
            let side = Vec3::new(angle.cos() as f32, 0.0, angle.sin() as f32);
            let target = frame.target(&constraint.target).position;
            *goal = LimbGoal::at(vec3(target), side);
            goal.weight = self.case.influence(frame, index) as f32;
            if let Some(name) = &constraint.pole {
                let pole = bend_pole(self.case, constraint, target, frame.target(name).position, angle);
                goal.pole_ms = vec3(pole);
                goal.pole_weight = goal.weight;
            }
        }
    }
    fn solve(&mut self) {
        self.pose.clone_from(&self.rig.before);
        for (joints, goal) in &self.limbs {
            limb::solve(&self.rig.skeleton, &mut self.pose, joints, goal);
        }
    }
    fn read(&self) -> Result<BonePose> {
        self.rig.read(self.case, self.pose.local())
    }
}

/// The reference turns a *direction of the root bone* towards the pole and keeps the limb's bend
/// where it lies relative to it; this solver turns the *bend* towards the pole. This is the pole
/// that makes the two the same: turned about root → target by the angle from reference direction to
/// bend in the pose before IK.
fn bend_pole(case: &Case, constraint: &Constraint, target: V3, pole: V3, pole_angle: f64) -> V3 {
    let before = pose_bones(case, &BonePose::rigid(case.fk_rotations()));
    let chain = &constraint.chain;
    let root = before.model[chain[chain.len() - 1]];
    let line = before.effector(case, constraint) - root.position;
    let reference = root.rotation.rotate(V3([pole_angle.cos(), 0.0, pole_angle.sin()])).across(line);
    let bend = (before.model[chain[0]].position - root.position).across(line);
    let axis = target - root.position;
    if bend.len() < 1e-4 * constraint.chain_length || reference.len() < 1e-6 || line.len() == 0.0 || axis.len() == 0.0 {
        return pole;
    }
    let turn = (line * (1.0 / line.len())).dot(reference.cross(bend)).atan2(reference.dot(bend));
    let (s, c) = (turn / 2.0).sin_cos();
    let [x, y, z] = (axis * (s / axis.len())).0;
    root.position + Rotation([x, y, z, c]).rotate(pole - root.position)
}
