//! Chains as plain data: joints, effectors, pose, goals, settings, workspace, and the one entry to all solvers.
//!
//! A [`Chain`] is made once per rig and shared; a [`ChainPose`] is what a solve reads and writes; a [`ChainWorkspace`] is scratch.
//! A chain may branch: every joint names its parent, which comes before it, and there may be several effectors.
//!
//! Everything is in one *solve space* (model space, or the space of the first joint's parent), in host units:
//!
//! ```text
//! M[i] = M[parent] · rest[i] · q[i]                            (root joints: pose.root_rotation for M[parent])
//! p[i] = p[parent] + M[parent] · (stretch[parent] · offset[i])  (root joints: root_position + root_rotation · offset)
//! effector = p[j] + M[j] · (stretch[j] · offset)
//! ```

use super::blocks::Table;
use super::ccd::Ccd;
use super::fabrik::Fabrik;
use super::kind::Kind;
use super::workspace::{self, START};
use super::{ball, free, jacobian, prepare, solve as default_solver, spring, tree_sweeps};
use crate::goal::{Outcome, Status};
use crate::limits::JointModel;
use crate::math::{Quat, Vec3, length};

/// One joint of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainJoint {
    /// Joint it hangs from, lower than its own index; `None` for a root joint.
    pub parent: Option<usize>,
    /// Where it sits in its parent's space (root joints: in the root's space).
    pub offset: Vec3,
    /// Its rotation at rest in its parent's space; limits count from it.
    pub rest: Quat,
    /// What it may do.
    pub model: JointModel,
}

/// A point fixed in a joint that has a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effector {
    /// Joint it is fixed in.
    pub joint: usize,
    /// Where, in the joint's space.
    pub offset: Vec3,
}

/// Why a chain was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// No joints, or no effectors, or more than [`Chain::MOST_EFFECTORS`] effectors.
    #[error("a chain needs joints, 1 to {} effectors, and lists as long as its joints are many", Chain::MOST_EFFECTORS)]
    Counts,
    /// A joint's parent does not come before it, or an effector's joint does not exist.
    #[error("entry {index} names a joint that does not come before it")]
    BadIndex {
        /// Joint, or number of joints + effector.
        index: usize,
    },
    /// A number is not finite or out of range, or a rest rotation is zero.
    #[error("entry {index} has a number that is not finite or too large, or a rotation without length")]
    BadNumber {
        /// Joint, or number of joints + effector.
        index: usize,
    },
}

/// Joints and effectors; immutable, shared by all characters of a rig.
#[derive(Clone, Debug)]
pub struct Chain {
    pub(super) joints: Vec<ChainJoint>,
    pub(super) effectors: Vec<Effector>,
    /// Bit `e` of entry `j`: joint `j` moves effector `e`.
    pub(super) moves: Vec<u32>,
    /// Per joint: the first joint that hangs from it, and the next one that hangs from the same parent.
    pub(super) below: Vec<(Option<usize>, Option<usize>)>,
    pub(super) length: f32,
    pub(super) serial: bool,
    /// What the joints' models have in common.
    pub(super) kind: Kind,
    /// The joints of an unbranched chain once more, several at a time, without their models.
    pub(super) table: Table,
    /// Per joint; empty: all 1.
    pub(super) spring_bias: Vec<f32>,
}

impl Chain {
    /// Most effectors a chain may have.
    pub const MOST_EFFECTORS: usize = 16;

    /// Chains shorter than this, in host units, are points: solves leave them alone.
    pub const SHORTEST: f32 = 1e-9;
    /// Longest offset a joint or effector may have, and farthest place of the root, in host units.
    pub const LONGEST_BONE: f32 = 1e12;

    /// Checks and completes a chain. Rest rotations are normalised.
    pub fn new(mut joints: Vec<ChainJoint>, effectors: Vec<Effector>) -> Result<Self, ChainError> {
        if joints.is_empty() || effectors.is_empty() || effectors.len() > Self::MOST_EFFECTORS {
            return Err(ChainError::Counts);
        }
        for (index, joint) in joints.iter_mut().enumerate() {
            if joint.parent.is_some_and(|p| p >= index) {
                return Err(ChainError::BadIndex { index });
            }
            let length = joint.rest.length();
            let offset = joint.offset.length();
            if !offset.is_finite() || offset > Self::LONGEST_BONE || !length.is_finite() || length < 1e-3 {
                return Err(ChainError::BadNumber { index });
            }
            joint.rest = joint.rest.normalize();
        }
        let mut moves = vec![0u32; joints.len()];
        for (number, effector) in effectors.iter().enumerate() {
            if effector.joint >= joints.len() {
                return Err(ChainError::BadIndex { index: joints.len() + number });
            }
            let offset = effector.offset.length();
            if !offset.is_finite() || offset > Self::LONGEST_BONE {
                return Err(ChainError::BadNumber { index: joints.len() + number });
            }
            let mut joint = effector.joint;
            loop {
                moves[joint] |= 1 << number;
                let Some(parent) = joints[joint].parent else { break };
                joint = parent;
            }
        }
        let mut below = vec![(None, None); joints.len()];
        for (index, joint) in joints.iter().enumerate().rev() {
            if let Some(parent) = joint.parent {
                below[index].1 = below[parent].0;
                below[parent].0 = Some(index);
            }
        }
        let in_line = joints.iter().enumerate().all(|(i, j)| j.parent == i.checked_sub(1));
        let serial = in_line && effectors.len() == 1 && effectors[0].joint + 1 == joints.len();
        let kind = Kind::of(&joints);
        let table = if serial { Table::new(&joints, &effectors[0]) } else { Table::default() };
        let spring_bias = Vec::new();
        let mut chain = Self { joints, effectors, moves, below, length: 0.0, serial, kind, table, spring_bias };
        chain.measure_length();
        Ok(chain)
    }

    /// An unbranched chain: bone vectors (each in its joint's space, to the next joint; the last to the effector), rest rotations (each in
    /// the space of the joint before), and joint models. The three lists have one length.
    pub fn serial(bones: &[Vec3], rests: &[Quat], models: &[JointModel]) -> Result<Self, ChainError> {
        if bones.is_empty() || rests.len() != bones.len() || models.len() != bones.len() {
            return Err(ChainError::Counts);
        }
        let joints = (0..bones.len())
            .map(|i| ChainJoint {
                parent: i.checked_sub(1),
                offset: if i == 0 { Vec3::ZERO } else { bones[i - 1] },
                rest: rests[i],
                model: models[i],
            })
            .collect();
        Self::new(joints, vec![Effector { joint: bones.len() - 1, offset: bones[bones.len() - 1] }])
    }
    /// Gives the joints and effectors other places, in their order; a chain on a pose follows the pose's own bones. Offsets that are not
    /// finite or too long are left as they were.
    pub fn reshape(&mut self, joint_offsets: &[Vec3], effector_offsets: &[Vec3]) {
        let fits = |v: &Vec3| v.is_finite() && v.abs().max_element() <= Self::LONGEST_BONE;
        for (joint, offset) in self.joints.iter_mut().zip(joint_offsets).filter(|(_, o)| fits(o)) {
            joint.offset = *offset;
        }
        for (effector, offset) in self.effectors.iter_mut().zip(effector_offsets).filter(|(_, o)| fits(o)) {
            effector.offset = *offset;
        }
        self.table.refresh(&self.joints, &self.effectors[0]);
        self.measure_length();
    }
    /// Gives a joint another model.
    pub fn set_model(&mut self, joint: usize, model: &JointModel) {
        if joint < self.joints.len() {
            self.kind.change(&mut self.joints, joint, model);
        }
    }
    /// How readily each joint opens and closes under [`ChainSolver::Spring`], one number per joint, 0 or more: 1 is the usual, 2 twice as fast, 0
    /// keeps the bend it has at rest. The first joint's is not used, for it carries the chain. An empty list, the default, stands for all 1. Refused
    /// when the number of entries is another, or one is negative or not finite.
    pub fn set_spring_bias(&mut self, bias: &[f32]) -> Result<(), ChainError> {
        if !bias.is_empty() && bias.len() != self.joints.len() {
            return Err(ChainError::Counts);
        }
        if let Some(index) = bias.iter().position(|b| !(*b >= 0.0 && *b <= 1e6)) {
            return Err(ChainError::BadNumber { index });
        }
        self.spring_bias = bias.to_vec();
        Ok(())
    }
    /// The joints that hang from a joint.
    pub(super) fn children(&self, joint: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        core::iter::successors(self.below[joint].0, |child| self.below[*child].1)
    }
    fn measure_length(&mut self) {
        let mut longest = 0.0_f32;
        for effector in &self.effectors {
            let mut path = length(effector.offset);
            let mut joint = effector.joint;
            while let Some(parent) = self.joints[joint].parent {
                path += length(self.joints[joint].offset);
                joint = parent;
            }
            longest = longest.max(path);
        }
        self.length = longest;
    }
    /// Joints.
    pub fn joints(&self) -> &[ChainJoint] {
        &self.joints
    }
    /// Effectors.
    pub fn effectors(&self) -> &[Effector] {
        &self.effectors
    }
    /// Longest way from a root joint to an effector along the bones: the scale of tolerances.
    pub fn length(&self) -> f32 {
        self.length
    }
    /// Whether it does not branch and has one effector, at its last joint.
    pub fn is_serial(&self) -> bool {
        self.serial
    }
}

/// The state a solve reads and writes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainPose {
    /// Where the root joints' parent stands in the solve space.
    pub root_position: Vec3,
    /// How it is turned.
    pub root_rotation: Quat,
    /// Rotation of each joint after its rest transform; the identity is rest. Solves start here.
    pub rotations: Vec<Quat>,
    /// Factor on the length of everything that hangs from the joint, 1: rest length.
    pub stretch: Vec<f32>,
}

impl ChainPose {
    /// The rest pose, its root at the origin.
    pub fn rest(chain: &Chain) -> Self {
        Self {
            root_position: Vec3::ZERO,
            root_rotation: Quat::IDENTITY,
            rotations: vec![Quat::IDENTITY; chain.joints.len()],
            stretch: vec![1.0; chain.joints.len()],
        }
    }
}

/// Which way the bend of a chain shall face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pole {
    /// The pole, in the solve space.
    pub at: Vec3,
    /// `at` is a direction, not a point.
    pub is_direction: bool,
    /// The side of the chain that faces the pole, fixed in the first joint's space (its own space, after its rotation). `None`: the
    /// side to which the chain bends in the pose the solve starts from, so that a pole on that side changes nothing.
    pub reference: Option<Vec3>,
    /// Turn of the reference about root → target before it faces the pole, radians; default 0.
    pub angle_rad: f32,
    /// How far the chain swivels to the pole, 0 … 1; default 1.
    pub weight: f32,
}

impl Pole {
    /// A point the chain bends towards.
    pub fn point(at: Vec3) -> Self {
        Self { at, is_direction: false, reference: None, angle_rad: 0.0, weight: 1.0 }
    }
    /// This pole with the angle at which adding it leaves the chain where it is: the swivel that `pose` and the goal's position give without a
    /// pole. To be asked once, at set-up; afterwards the chain follows the pole.
    pub fn in_place(self, chain: &Chain, pose: &ChainPose, goal: &ChainGoal, workspace: &mut ChainWorkspace) -> Self {
        let mut pose = pose.clone();
        let sound = workspace.fits(chain) && pose.rotations.len() == chain.joints.len() && goal.is_finite();
        let angle_rad = if sound { prepare::angle_in_place(chain, &mut pose, goal, &self, workspace) } else { 0.0 };
        Self { angle_rad, ..self }
    }
}

/// A single axis of the effector that shall point somewhere; the turn about it stays free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisGoal {
    /// Axis in the effector joint's space, unit.
    pub axis: Vec3,
    /// Where it shall point, in the solve space, unit.
    pub direction: Vec3,
}

/// What one effector shall do. The default asks nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainGoal {
    /// Where the effector shall be, in the solve space.
    pub position: Option<Vec3>,
    /// How the effector's joint shall be turned, in the solve space.
    pub rotation: Option<Quat>,
    /// One axis only, when `rotation` is `None`.
    pub axis: Option<AxisGoal>,
    /// Importance of the position where not everything can be met, 0.01 … 1; only ratios matter.
    pub position_weight: f32,
    /// Importance of rotation or axis, as above (a radian counts like a third of the chain's length).
    pub rotation_weight: f32,
    /// Pole, for unbranched chains.
    pub pole: Option<Pole>,
}

impl Default for ChainGoal {
    fn default() -> Self {
        Self { position: None, rotation: None, axis: None, position_weight: 1.0, rotation_weight: 1.0, pole: None }
    }
}

impl ChainGoal {
    /// Only a position.
    pub fn at(position: Vec3) -> Self {
        Self { position: Some(position), ..Self::default() }
    }
    /// Position and rotation.
    pub fn pose(position: Vec3, rotation: Quat) -> Self {
        Self { rotation: Some(rotation), ..Self::at(position) }
    }
    pub(super) fn is_finite(&self) -> bool {
        self.position.is_none_or(|p| p.is_finite())
            && self.rotation.is_none_or(|r| r.is_finite() && r.length() > 1e-3)
            && self.axis.is_none_or(|a| a.axis.is_finite() && a.direction.is_finite())
            && self.pole.is_none_or(|p| p.at.is_finite() && p.reference.is_none_or(|r| r.is_finite()))
    }
}

/// Settings of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSettings {
    /// Distance at which a position is reached, as a share of the chain's length; default 1e-6. Below 3e-7 rounding decides.
    pub tolerance: f32,
    /// Angle at which a rotation is reached, radians; default 1e-5.
    pub tolerance_rad: f32,
    /// Most iterations (or sweeps) of one attempt; default 200. The default solver may make several attempts.
    pub max_iterations: u32,
    /// Attempts of the default solver from other poses when limits or folds stop it short of a target; default 40, 0: only the given pose.
    pub max_attempts: u32,
    /// Damping of the least-squares methods as a share of the mean eigenvalue, default 1e-3. Small values are quick and jumpy near
    /// singular poses, large ones slow and smooth. The default solver adapts it.
    pub damping: f32,
    /// Largest turn of a joint in one iteration of the Jacobian methods, radians; default 0.6.
    pub max_step_rad: f32,
    /// Largest turn of a joint in one sweep of FABRIK or CCD, radians; default π: no cap. Smaller ones spread a motion over more joints, and take
    /// more sweeps. The turn of the first joint that aims a chain before the sweeps is not capped.
    pub sweep_step_rad: f32,
    /// Whether a named method that stops short of its goals hands over to the default one; default true. With false the method is on its own.
    pub finish: bool,
    /// Whether bones may change length within their [`crate::limits::Stretch`]; default true.
    pub use_stretch: bool,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            tolerance_rad: 1e-5,
            max_iterations: 200,
            max_attempts: 40,
            damping: 1e-3,
            max_step_rad: 0.6,
            sweep_step_rad: core::f32::consts::PI,
            finish: true,
            use_stretch: true,
        }
    }
}

impl ChainSettings {
    /// With this share, 0 … 1, of the iterations and attempts; one iteration at least.
    pub fn with_effort(&self, share: f32) -> Self {
        if share >= 1.0 {
            return *self;
        }
        let part = |most: u32| (most as f32 * share) as u32;
        Self { max_iterations: part(self.max_iterations).max(1), max_attempts: part(self.max_attempts), ..*self }
    }
}

/// The methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ChainSolver {
    /// The one to use: aims, then damped least squares with adapted damping, other attempts when stopped short.
    #[default]
    Default,
    /// Damped least squares with fixed damping.
    DampedLeastSquares,
    /// Jacobian transpose with the optimal step.
    Transpose,
    /// Pseudo-inverse: least squares with hardly any damping.
    PseudoInverse,
    /// Selectively damped least squares.
    SelectivelyDamped,
    /// Forward and backward reaching, rotation goals by the effectors' own joints; trees meet in the middle of what their branches ask for. Unbranched
    /// chains are aimed first, as by the default solver, so that a target that moves on does not find the sweep on the other side.
    Fabrik,
    /// Cyclic coordinate descent, aimed first; in a tree a joint turns as is best for all effectors it carries.
    Ccd,
    /// All bends open and close together, in the proportions of the rest pose ([`Chain::set_spring_bias`]); positions of unbranched chains,
    /// rotation goals by the last joint.
    Spring,
}

/// Farthest goal that is told from one farther away, in chain lengths from the root.
const FAR: f32 = 1e6;

/// The vector, at most `most` long; any finite vector.
fn shortened(v: Vec3, most: f32) -> Vec3 {
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs()).min(f32::MAX);
    if largest <= 0.0 {
        return v;
    }
    let unit =
        Vec3::new(v.x.clamp(-f32::MAX, f32::MAX), v.y.clamp(-f32::MAX, f32::MAX), v.z.clamp(-f32::MAX, f32::MAX))
            / largest;
    let length = unit.length();
    if length * largest <= most { v } else { unit * (most / length) }
}

/// Solves a chain for its goals, one per effector, starting from the pose it is given. No allocation; the same inputs give the
/// same bits. Inputs that are not finite leave the pose untouched and report `Inactive`.
pub fn solve(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    workspace: &mut ChainWorkspace,
) -> Outcome {
    let joints = chain.joints.len();
    let fits = pose.rotations.len() == joints
        && pose.stretch.len() == joints
        && goals.len() == chain.effectors.len()
        && workspace.fits(chain);
    let finite = pose.root_position.is_finite()
        && pose.root_position.abs().max_element() < Chain::LONGEST_BONE
        && pose.root_rotation.is_finite()
        && pose.root_rotation.length_squared() > 1e-6
        && goals.iter().all(ChainGoal::is_finite);
    let asked = goals.iter().any(|g| g.position.is_some() || g.rotation.is_some() || g.axis.is_some());
    if !fits || !finite || !asked || chain.length < Chain::SHORTEST || !workspace::make_unit(pose) {
        return Outcome::INACTIVE;
    }
    pose.root_rotation = pose.root_rotation.normalize();
    // Goals beyond all measure are taken nearer, in their direction, so that squares stay numbers.
    let mut nearer;
    let far = FAR * chain.length.max(1e-3);
    let mut goals = goals;
    // A length that overflows is infinite, which is far too.
    if goals.iter().any(|g| g.position.is_some_and(|p| (p - pose.root_position).length() > far)) {
        nearer = [ChainGoal::default(); Chain::MOST_EFFECTORS];
        nearer[..goals.len()].copy_from_slice(goals);
        for position in nearer.iter_mut().filter_map(|g| g.position.as_mut()) {
            *position = pose.root_position + shortened(*position - pose.root_position, far);
        }
        goals = &nearer[..goals.len()];
    }
    if solver == ChainSolver::Default
        && let Some(outcome) = ball::solve(chain, pose, goals, settings, workspace)
    {
        return outcome;
    }
    workspace.save(START, pose);
    let mut outcome = match solver {
        ChainSolver::Default => default_solver::solve(chain, pose, goals, settings, workspace),
        ChainSolver::Fabrik if !chain.serial => tree_sweeps::fabrik(chain, pose, goals, settings, workspace),
        ChainSolver::Ccd if !chain.serial => tree_sweeps::ccd(chain, pose, goals, settings, workspace),
        ChainSolver::Spring => spring::solve(chain, pose, goals, settings, workspace),
        ChainSolver::Fabrik => free::solve::<Fabrik>(chain, pose, goals, settings, workspace),
        ChainSolver::Ccd => free::solve::<Ccd>(chain, pose, goals, settings, workspace),
        ChainSolver::DampedLeastSquares => {
            jacobian::solve(jacobian::Method::Damped, chain, pose, goals, settings, workspace)
        }
        ChainSolver::Transpose => jacobian::solve(jacobian::Method::Transpose, chain, pose, goals, settings, workspace),
        ChainSolver::PseudoInverse => {
            jacobian::solve(jacobian::Method::PseudoInverse, chain, pose, goals, settings, workspace)
        }
        ChainSolver::SelectivelyDamped => {
            jacobian::solve(jacobian::Method::Selective, chain, pose, goals, settings, workspace)
        }
    };
    let final_word = solver == ChainSolver::Spring && outcome.status == Status::Unreachable;
    if outcome.status != Status::Reached && solver != ChainSolver::Default && settings.finish && !final_word {
        let finished = match ball::solve(chain, pose, goals, settings, workspace) {
            Some(outcome) => outcome,
            None => default_solver::solve(chain, pose, goals, settings, workspace),
        };
        outcome = Outcome { iterations: outcome.iterations + finished.iterations, ..finished };
    }
    // Whatever overflowed on the way: a pose that is not made of numbers is never handed out.
    if !workspace::is_finite(pose) {
        workspace.restore(START, pose);
        for (q, joint) in pose.rotations.iter_mut().zip(&chain.joints) {
            *q = joint.model.project(*q);
        }
        return Outcome { status: Status::Stalled, ..Outcome::INACTIVE };
    }
    outcome
}

pub use super::workspace::ChainWorkspace;
