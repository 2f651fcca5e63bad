//! The chain solvers on a case: constraints that share bones make one tree, trees are solved one
//! after the other.

use super::format::{Case, Constraint, Dof};
use super::geometry::V3;
use super::goals::full_goal;
use super::kinematics::{BonePose, pose_bones};
use super::rig::{quat, rotation, vec3};
use super::subjects::{FrameSolver, NotApplicable};
use anyhow::Result;
use sinew::chains::{
    Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector, Pole,
};
use sinew::limits::{AxisLimits, Freedom, JointModel, Range, Stretch};

/// All trees of a case.
pub struct Trees<'a> {
    case: &'a Case,
    solver: ChainSolver,
    trees: Vec<Tree>,
    pose: BonePose,
    frame: usize,
}

/// Constraints that share bones, as the library sees them.
struct Tree {
    /// Indices of constraints, one effector each.
    constraints: Vec<usize>,
    /// Bones of the joints, parents first.
    bones: Vec<usize>,
    chain: Chain,
    workspace: ChainWorkspace,
    settings: ChainSettings,
    before: ChainPose,
    pose: ChainPose,
    goals: Vec<ChainGoal>,
    is_asked: bool,
}

impl<'a> Trees<'a> {
    /// Builds the chains; refuses what the solver does not support.
    pub fn new(case: &'a Case, solver: ChainSolver) -> Result<Self, NotApplicable> {
        let mut trees = Vec::new();
        for constraints in groups(case) {
            let unbranched_only = matches!(solver, ChainSolver::Spring);
            if unbranched_only && constraints.len() > 1 {
                return Err("a tree".into());
            }
            trees.push(Tree::new(case, constraints)?);
        }
        // A tree below another tree's bones comes after it.
        trees.sort_by_key(|tree| tree.bones[0]);
        Ok(Self { case, solver, trees, pose: BonePose::rigid(case.fk_rotations()), frame: 0 })
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
    fn new(case: &Case, constraints: Vec<usize>) -> Result<Self, NotApplicable> {
        let of = |index: &usize| &case.constraints[*index];
        let moved = |bone: &usize| constraints.iter().any(|index| of(index).chain.contains(bone));
        let bones: Vec<usize> = (0..case.bone_count()).filter(moved).collect();
        let use_stretch = constraints.iter().any(|index| of(index).use_stretch);
        let place = |bone: usize| bones.iter().position(|b| *b == bone);
        let joints = bones.iter().map(|&bone| {
            let rest = case.rest_local(bone);
            ChainJoint {
                parent: case.parent(bone).and_then(place),
                offset: vec3(rest.position),
                rest: quat(rest.rotation),
                model: model(&case.dof(bone), use_stretch),
            }
        });
        let effectors = constraints.iter().map(of).map(|constraint| {
            let (bone, offset) = effector(case, constraint);
            Some(Effector { joint: place(bone)?, offset: vec3(offset) })
        });
        let effectors = effectors.collect::<Option<Vec<_>>>().ok_or("an effector outside its chain")?;
        let chain = Chain::new(joints.collect(), effectors).map_err(|error| format!("refused: {error}"))?;
        let before = ChainPose::rest(&chain);
        let asks_nothing = vec![ChainGoal::default(); constraints.len()];
        Ok(Self {
            workspace: ChainWorkspace::new(&chain),
            settings: ChainSettings { use_stretch, ..ChainSettings::default() },
            pose: before.clone(),
            before,
            goals: asks_nothing,
            is_asked: false,
            chain,
            bones,
            constraints,
        })
    }

    /// Sets pose and goals; `so_far` is the whole pose with the trees before this one solved.
    fn load(&mut self, case: &Case, frame: usize, so_far: &BonePose) {
        if let Some(parent) = case.parent(self.bones[0]) {
            let posed = pose_bones(case, so_far);
            self.before.root_position = vec3(posed.model[parent].position);
            self.before.root_rotation = quat(posed.model[parent].rotation);
        }
        for (place, bone) in self.bones.iter().enumerate() {
            self.before.rotations[place] = quat(so_far.rotation[*bone]);
        }
        self.is_asked = false;
        let frame = &case.frames[frame];
        for (goal, &index) in self.goals.iter_mut().zip(&self.constraints) {
            let constraint = &case.constraints[index];
            let wanted = full_goal(case, frame, index);
            self.is_asked |= case.influence(frame, index) > 0.0;
            *goal = ChainGoal {
                position: wanted.position.map(vec3),
                rotation: wanted.rotation.map(quat),
                position_weight: constraint.weight as f32,
                rotation_weight: constraint.orient_weight as f32,
                ..ChainGoal::default()
            };
            // Several constraints on one tree: the reference leaves poles out.
            if let (Some(name), 1) = (&constraint.pole, self.constraints.len()) {
                let angle = case.pole_angle(frame, index);
                goal.pole = Some(Pole {
                    reference: Some(vec3(V3([angle.cos(), 0.0, angle.sin()]))),
                    ..Pole::point(vec3(frame.target(name).position))
                });
            }
        }
    }

    fn solve(&mut self, solver: ChainSolver) {
        self.pose.clone_from(&self.before);
        if self.is_asked {
            sinew::chains::solve(solver, &self.chain, &mut self.pose, &self.goals, &self.settings, &mut self.workspace);
        }
    }

    /// Writes the result; with a pole, influence blends the joints, as the reference does.
    fn write(&self, case: &Case, frame: usize, whole: &mut BonePose) {
        let index = self.constraints[0];
        let influence = case.influence(&case.frames[frame], index);
        let blends = self.goals[0].pole.is_some() && influence < 1.0;
        for (place, &bone) in self.bones.iter().enumerate() {
            let solved = rotation(self.pose.rotations[place]);
            let before = whole.rotation[bone];
            whole.rotation[bone] = if blends { before.slerp(solved, influence) } else { solved };
            whole.scale[bone] = f64::from(self.pose.stretch[place]);
        }
    }
}

impl FrameSolver for Trees<'_> {
    fn load(&mut self, frame: usize) {
        self.frame = frame;
        self.pose = BonePose::rigid(self.case.fk_rotations());
        let single = self.trees.len() == 1;
        for tree in &mut self.trees {
            tree.load(self.case, frame, &self.pose);
            if !single {
                // Later trees may be below this one's bones.
                tree.solve(self.solver);
                tree.write(self.case, frame, &mut self.pose);
            }
        }
        self.pose = BonePose::rigid(self.case.fk_rotations());
    }
    fn solve(&mut self) {
        self.trees.iter_mut().for_each(|tree| tree.solve(self.solver));
    }
    fn read(&self) -> Result<BonePose> {
        let mut pose = self.pose.clone();
        self.trees.iter().for_each(|tree| tree.write(self.case, self.frame, &mut pose));
        Ok(pose)
    }
}

/// Bone and point in it that a constraint brings to its target.
pub fn effector(case: &Case, constraint: &Constraint) -> (usize, V3) {
    if constraint.use_tail {
        (constraint.bone, V3([0.0, case.bones.length[constraint.bone], 0.0]))
    } else {
        (constraint.chain[0], case.rest_local(constraint.bone).position)
    }
}

/// The library's joint. The reference bounds no stretch; factors of 0.02 … 50 stand for that.
pub fn model(dof: &Dof, use_stretch: bool) -> JointModel {
    let range = [0, 1, 2].map(|axis| dof.limit[axis].then(|| Range::new(dof.min[axis] as f32, dof.max[axis] as f32)));
    let stretch = Stretch { min: 0.02, max: 50.0, compliance: dof.stretch as f32 };
    JointModel {
        freedom: Freedom::from(AxisLimits { locked: dof.lock, range }),
        stiffness: dof.stiffness.map(|s| s as f32),
        stretch: if use_stretch && dof.stretch > 0.0 { stretch } else { Stretch::NONE },
        ..JointModel::FREE
    }
}
