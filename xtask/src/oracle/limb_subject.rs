//! The closed form for two bones on a case, as constraints of an animator; every constraint of the
//! file is a free two-bone limb of its own.

use super::format::{Case, Constraint};
use super::geometry::{Rotation, V3};
use super::kinematics::{BonePose, pole_side, pose_bones};
use super::rig::Host;
use super::subjects::{FrameSolver, NotApplicable};
use crate::c_abi::{check, filled, vec3};
use anyhow::Result;
use sinew::ffi::*;

/// A limb, which bends to the side of a pole angle where it is straight.
struct Limb {
    handle: SinewConstraint,
    pole_angle: f64,
}

/// All limbs of a case.
pub struct Limbs<'a> {
    case: &'a Case,
    host: Host,
    /// By constraint of the file.
    limbs: Vec<Limb>,
}

impl<'a> Limbs<'a> {
    /// Refuses everything but two free bones and a position.
    pub fn new(case: &'a Case) -> Result<Self, NotApplicable> {
        for constraint in &case.constraints {
            if constraint.chain.len() != 2 {
                return Err("not two bones".into());
            }
            if !constraint.use_location || constraint.use_rotation {
                return Err("a rotation goal".into());
            }
            if !super::goals::is_free(case, constraint) {
                return Err("locks, limits or stretch".into());
            }
        }
        let host = Host::new(case).map_err(|error| format!("{error:#}"))?;
        let limbs = case.constraints.iter().map(|constraint| Limb::add(&host, constraint, constraint.pole_angle));
        let limbs = limbs.collect::<Result<_>>().map_err(|error| format!("refused: {error:#}"))?;
        Ok(Self { case, limbs, host })
    }
}

impl Limb {
    fn add(host: &Host, constraint: &Constraint, pole_angle: f64) -> Result<Self> {
        // SAFETY: numbers.
        let mut def: SinewTwoBoneDef =
            unsafe { filled(|out| sinew_two_bone_def_default(out), "sinew_two_bone_def_default") }?;
        def.end = host.rig.effector(constraint);
        [def.mid, def.root] = [constraint.chain[0], constraint.chain[1]].map(|bone| host.rig.joint(bone) as i32);
        def.bend_side = vec3(pole_side(pole_angle));
        let mut handle = SinewConstraint { bits: 0 };
        let added = sinew_animator_add_two_bone(host.animator, Some(&def), Some(&mut handle));
        check(added, "sinew_animator_add_two_bone")?;
        Ok(Self { handle, pole_angle })
    }
}

impl FrameSolver for Limbs<'_> {
    fn load(&mut self, frame: usize) -> Result<()> {
        let (frame, animator) = (&self.case.frames[frame], self.host.animator);
        for (index, (constraint, limb)) in self.case.constraints.iter().zip(&mut self.limbs).enumerate() {
            let angle = self.case.pole_angle(frame, index);
            if angle != limb.pole_angle {
                check(sinew_animator_remove_constraint(animator, limb.handle), "sinew_animator_remove_constraint")?;
                *limb = Limb::add(&self.host, constraint, angle)?;
            }
            let handle = limb.handle;
            let target = frame.target(&constraint.target).position;
            let set = sinew_animator_set_constraint_position(animator, handle, 0, Some(&vec3(target)));
            check(set, "sinew_animator_set_constraint_position")?;
            let influence = self.case.influence(frame, index) as f32;
            let set = sinew_animator_set_constraint_weight(animator, handle, influence);
            check(set, "sinew_animator_set_constraint_weight")?;
            if let Some(name) = &constraint.pole {
                // SAFETY: numbers.
                let mut pole: SinewPole = unsafe { filled(|out| sinew_pole_default(out), "sinew_pole_default") }?;
                pole.at = vec3(bend_pole(self.case, constraint, target, frame.target(name).position, angle));
                let set = sinew_animator_set_constraint_pole(animator, handle, Some(&pole));
                check(set, "sinew_animator_set_constraint_pole")?;
            }
        }
        Ok(())
    }
    fn solve(&mut self) -> Result<()> {
        self.host.solve()
    }
    fn read(&self) -> Result<BonePose> {
        self.host.read(self.case)
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
    let reference = root.rotation.rotate(pole_side(pole_angle)).across(line);
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
