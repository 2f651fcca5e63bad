//! The chain solvers on a case, as constraints of an animator: IK constraints that share bones are
//! one tree, trees are solved one after the other.

use super::format::{Case, Constraint, Dof};
use super::geometry::{Rotation, V3};
use super::goals::full_goal;
use super::kinematics::{BonePose, pole_side};
use super::rig::{Host, joint_limits};
use super::subjects::{FrameSolver, NotApplicable};
use crate::c_abi::{check, filled, quat, vec3};
use anyhow::{Context, Result};
use sinew::ffi::*;

/// All trees of a case.
pub struct Trees<'a> {
    case: &'a Case,
    host: Host,
    trees: Vec<Tree>,
    frame: usize,
}

/// Constraints of the file that share bones, and the library's constraint for them.
struct Tree {
    /// One end each.
    constraints: Vec<usize>,
    /// Bones of the joints, parents first.
    bones: Vec<usize>,
    handle: SinewConstraint,
}

impl<'a> Trees<'a> {
    /// Adds the constraints; refuses what the solver does not support.
    pub fn new(case: &'a Case, solver: SinewChainSolver) -> Result<Self, NotApplicable> {
        let host = Host::new(case).map_err(|error| format!("{error:#}"))?;
        let mut trees = Vec::new();
        for constraints in groups(case) {
            if solver == SinewChainSolver::Spring && constraints.len() > 1 {
                return Err("a tree".into());
            }
            trees.push(Tree::new(case, constraints));
        }
        // A tree below another tree's bones comes after it.
        trees.sort_by_key(|tree| tree.bones[0]);
        let added = trees.iter_mut().try_for_each(|tree| tree.add(case, &host, solver));
        added.map_err(|error| format!("refused: {error:#}"))?;
        Ok(Self { case, host, trees, frame: 0 })
    }
}

/// Constraints in sets that share bones, in file order.
pub fn groups(case: &Case) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, constraint) in case.constraints.iter().enumerate() {
        let shares = |other: &usize| case.constraints[*other].chain.iter().any(|bone| constraint.chain.contains(bone));
        let (touching, mut apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.iter().any(shares));
        let mut joined: Vec<usize> = touching.into_iter().flatten().collect();
        joined.push(index);
        apart.push(joined);
        groups = apart;
    }
    groups
}

impl Tree {
    fn new(case: &Case, constraints: Vec<usize>) -> Self {
        let of = |index: &usize| &case.constraints[*index];
        let moved = |bone: &usize| constraints.iter().any(|index| of(index).chain.contains(bone));
        let bones: Vec<usize> = (0..case.bone_count()).filter(moved).collect();
        Self { constraints, bones, handle: SinewConstraint { bits: 0 } }
    }

    /// Adds limits and constraint to the animator.
    fn add(&mut self, case: &Case, host: &Host, solver: SinewChainSolver) -> Result<()> {
        let of = |index: &usize| &case.constraints[*index];
        let use_stretch = self.constraints.iter().any(|index| of(index).use_stretch);
        for &bone in &self.bones {
            let limits = joint_limits(&case.dof(bone), use_stretch)?;
            let set = sinew_animator_set_joint_limits(host.animator, host.rig.joint(bone), Some(&limits));
            check(set, "sinew_animator_set_joint_limits")?;
        }
        let effectors = self.constraints.iter().map(|index| effector(case, of(index)));
        let mut ends = Vec::new();
        for (index, (bone, tip)) in self.constraints.iter().zip(effectors.clone()) {
            let (bone_joint, tip_joint) = (host.rig.joint(bone), host.rig.effector(of(index)));
            let is_longer = of(index).use_tail && use_stretch && case.may_stretch(bone);
            // A bone is as long as the joint below it is away, so this one needs such a joint; it
            // does not turn, where a rotation of the bone counts.
            if is_longer && self.constraints.iter().any(|index| of(index).use_rotation) {
                let set = sinew_animator_set_joint_limits(host.animator, tip_joint, Some(&fixed()?));
                check(set, "sinew_animator_set_joint_limits")?;
            }
            let (joint, tip) = if is_longer { (tip_joint, V3::ZERO) } else { (bone_joint, tip) };
            ends.push(SinewChainEnd { joint, tip: vec3(tip) });
        }
        let mut up = effectors.map(|(bone, _)| bone).next();
        let mut joint_count = if ends[0].joint == host.rig.joint(up.unwrap_or_default()) { 1 } else { 2 };
        while up != Some(self.bones[0]) {
            up = case.parent(up.context("an end outside of its tree")?);
            joint_count += 1;
        }
        // SAFETY: numbers and pointers.
        let mut def: SinewChainDef = unsafe { filled(|out| sinew_chain_def_default(out), "sinew_chain_def_default") }?;
        (def.ends, def.end_count) = (ends.as_ptr(), ends.len() as u32);
        (def.joint_count, def.solver) = (joint_count, solver as i32);
        def.flags = SINEW_CHAIN_FINISH | if use_stretch { SINEW_CHAIN_STRETCH } else { 0 };
        // SAFETY: the ends are there, and outlive the call.
        let added = unsafe { sinew_animator_add_chain(host.animator, Some(&def), Some(&mut self.handle)) };
        check(added, "sinew_animator_add_chain")
    }

    /// Sets the goals of a frame.
    fn load(&self, case: &Case, frame: usize, animator: SinewAnimator) -> Result<()> {
        let frame = &case.frames[frame];
        let mut is_asked = false;
        for (end, &index) in self.constraints.iter().enumerate() {
            let constraint = &case.constraints[index];
            let wanted = full_goal(case, frame, index);
            is_asked |= case.influence(frame, index) > 0.0;
            // SAFETY: numbers.
            let mut goal: SinewConstraintGoal =
                unsafe { filled(|out| sinew_constraint_goal_default(out), "sinew_constraint_goal_default") }?;
            goal.position_importance = constraint.weight as f32;
            goal.rotation_importance = constraint.orient_weight as f32;
            if let Some(position) = wanted.position {
                goal.set |= SINEW_CONSTRAINT_POSITION;
                goal.position = vec3(position);
            }
            if let Some(rotation) = wanted.rotation {
                goal.set |= SINEW_CONSTRAINT_ROTATION;
                goal.rotation = quat(rotation);
            }
            let set = sinew_animator_set_constraint_goal(animator, self.handle, end as u32, Some(&goal));
            check(set, "sinew_animator_set_constraint_goal")?;
            // Several constraints on one tree: the reference leaves poles out.
            if let (Some(name), 1) = (&constraint.pole, self.constraints.len()) {
                let angle = case.pole_angle(frame, index);
                // SAFETY: numbers.
                let mut pole: SinewPole = unsafe { filled(|out| sinew_pole_default(out), "sinew_pole_default") }?;
                pole.flags = SINEW_POLE_REFERENCE;
                pole.at = vec3(frame.target(name).position);
                pole.reference = vec3(pole_side(angle));
                let set = sinew_animator_set_constraint_pole(animator, self.handle, Some(&pole));
                check(set, "sinew_animator_set_constraint_pole")?;
            }
        }
        let weight = f32::from(u8::from(is_asked));
        check(sinew_animator_set_constraint_weight(animator, self.handle, weight), "set_constraint_weight")
    }

    /// With a pole, influence blends the joints, as the reference does.
    fn blend(&self, case: &Case, frame: usize, before: &[Rotation], solved: &mut BonePose) {
        let index = self.constraints[0];
        let influence = case.influence(&case.frames[frame], index);
        if case.constraints[index].pole.is_some() && self.constraints.len() == 1 && influence < 1.0 {
            for &bone in &self.bones {
                solved.rotation[bone] = before[bone].slerp(solved.rotation[bone], influence);
            }
        }
    }
}

impl FrameSolver for Trees<'_> {
    fn load(&mut self, frame: usize) -> Result<()> {
        self.frame = frame;
        self.trees.iter().try_for_each(|tree| tree.load(self.case, frame, self.host.animator))
    }
    fn solve(&mut self) -> Result<()> {
        self.host.solve()
    }
    fn read(&self) -> Result<BonePose> {
        let mut pose = self.host.read(self.case)?;
        let before = self.case.fk_rotations();
        self.trees.iter().for_each(|tree| tree.blend(self.case, self.frame, &before, &mut pose));
        Ok(pose)
    }
}

/// Limits of a joint that does not turn.
fn fixed() -> Result<SinewJointLimits> {
    joint_limits(&Dof { lock: [true; 3], ..Dof::default() }, false)
}

/// Bone and point in it that a constraint brings to its target.
pub fn effector(case: &Case, constraint: &Constraint) -> (usize, V3) {
    if constraint.use_tail {
        (constraint.bone, V3([0.0, case.bones.length[constraint.bone], 0.0]))
    } else {
        (constraint.chain[0], case.rest_local(constraint.bone).position)
    }
}
