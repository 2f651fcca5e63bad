//! Scratch memory of the chain solvers: the state of a solve, poses put aside, and one named struct
//! of arrays per method.

use super::state::ChainState;
use crate::chains::model::Chain;
use crate::chains::model::blocks::{self, Blocks};
use crate::limits::JointBorders;
use crate::math::{Mat3, Quat, Vec3};
use crate::optim::dual::RowTorque;
use crate::optim::{Cholesky, DualMatrix, JointStep, MobilitySum, Work, Wrench};

/// Scratch memory for one chain; made at set-up, no solve allocates. Keeps nothing from one solve
/// to the next.
#[derive(Clone, Debug)]
pub struct ChainWorkspace {
    pub(in crate::chains) state: ChainState,
    pub(in crate::chains) descent: DescentScratch,
    pub(in crate::chains) newton: NewtonScratch,
    pub(in crate::chains) lean: LeanScratch,
    pub(in crate::chains) bends: BendScratch,
    pub(in crate::chains) reach: ReachScratch,
    pub(in crate::chains) sweep: SweepScratch,
    pub(in crate::chains) lanes: LaneScratch,
    /// Steps that the solve may still take.
    pub(in crate::chains) work: Work,
    /// Steps of one pass of a Jacobian method over joints, goals and rows.
    pub(in crate::chains) pass_steps: u32,
    saved: [SavedPose; 7],
}

/// One step of the Jacobian methods.
#[derive(Clone, Debug)]
pub(in crate::chains) struct DescentScratch {
    /// Mobility and borders of each joint in the solve space.
    pub borders: Vec<JointBorders>,
    /// Mobility of each joint in the solve space, blocked walls taken out.
    pub matrix: Vec<Mat3>,
    /// The number that `matrix` is a multiple of the unit matrix by, where it is.
    pub even: Vec<Option<f32>>,
    /// Two bits per border: this side of it is taken out of `matrix`. The highest bit: the bone's
    /// length may not change.
    pub blocked: Vec<u16>,
    /// Effectors, as bits: joints that move any other stand still.
    pub among: u32,
    /// Angular velocity of each joint.
    pub turn: Vec<Vec3>,
    /// The part of it that borders set.
    pub bias: Vec<Vec3>,
    pub has_bias: bool,
    /// Turn of each joint back to another pose.
    pub back: Vec<Vec3>,
    /// Change of each stretch.
    pub stretch: Vec<f32>,
    /// The residual before the step, as measured.
    pub residual_before: Vec<f32>,
    /// What the step is to take of it.
    pub requested: Vec<f32>,
    /// What of this is left to joints without borders.
    pub set_apart: Vec<f32>,
    /// The dual vector: force and torque of each effector.
    pub force: Vec<f32>,
    /// The dual matrix.
    pub dual: DualMatrix,
    /// A product with it.
    pub product: Vec<f32>,
    /// Whether the dual matrix has to be built anew.
    pub is_stale: bool,
    /// Point of the moments of each group of joints, and the wrench on what it carries.
    pub origins: Vec<Vec3>,
    pub group_wrenches: Vec<Wrench>,
    /// Mobility of each group.
    pub sums: Vec<MobilitySum>,
    /// Wrenches of the rows that a group moves.
    pub wrenches: Vec<(usize, Wrench)>,
    /// Rows that move with a joint, and their torques about it.
    pub joint_rows: Vec<RowTorque>,
    /// Rows that move with a joint's bone, and how fast.
    pub bone_rows: Vec<(usize, f32)>,
}

/// One step of Newton's method; without room for chains that it does not pay for.
#[derive(Clone, Debug)]
pub(in crate::chains) struct NewtonScratch {
    /// Joint and axis of each unknown.
    pub axes: Vec<(usize, Vec3)>,
    /// Number of the first unknown of each joint, and after the last.
    pub first: Vec<usize>,
    /// Rows with a number per unknown, eight side by side, and blocks of each row.
    pub lists: Vec<[f32; 8]>,
    pub wide: usize,
    /// Hessian, in such rows, and the gradient.
    pub matrix: Vec<[f32; 8]>,
    pub right: Vec<f32>,
    /// The solution.
    pub x: Vec<f32>,
    pub cholesky: Cholesky,
    /// Torque on each joint, and how a turn of it changes that on the joints above.
    pub torque: Vec<Vec3>,
    pub curvature: Vec<Mat3>,
    /// Mobility and set turn of each joint; two bits per border that it is held on.
    pub joint: Vec<JointStep>,
    pub held: Vec<u16>,
    /// Curvature of the borders that it is held on, and which those were.
    pub bend: Vec<Mat3>,
    pub curved: Vec<u16>,
    /// Of turns that borders set: what those below a joint change of its torque, and the sum of
    /// those above.
    pub below: Vec<Vec3>,
    pub above: Vec<Vec3>,
}

impl NewtonScratch {
    /// Square of the unknowns per joint, of lines and of trees, above which a step costs more than
    /// those it saves: that of damped least squares costs so much per joint, and more in trees,
    /// which have more rows.
    const MOST: [usize; 2] = [48, 96];

    fn new(chain: &Chain) -> Self {
        let is_limited = chain.prepared.iter().any(|joint| !joint.is_free());
        let unknowns: usize = chain.joints.iter().map(|joint| joint.model.freedom.directions()).sum();
        let most = Self::MOST[usize::from(!chain.serial)] * chain.joints.len();
        let is_covered = is_limited && unknowns > 0 && unknowns.saturating_mul(unknowns) <= most;
        let (unknowns, joints) = if is_covered { (unknowns, chain.joints.len()) } else { (0, 0) };
        let wide = unknowns.div_ceil(8);
        let rows = 6 * chain.effectors.len() + 6;
        Self {
            axes: Vec::with_capacity(unknowns),
            first: Vec::with_capacity(joints + 1),
            lists: vec![[0.0; 8]; rows * wide],
            wide: 0,
            matrix: vec![[0.0; 8]; unknowns * wide],
            right: vec![0.0; unknowns],
            x: vec![0.0; unknowns],
            cholesky: Cholesky::new(unknowns),
            torque: vec![Vec3::ZERO; joints],
            curvature: vec![Mat3::ZERO; joints],
            joint: vec![JointStep::default(); joints],
            held: vec![0; joints],
            bend: vec![Mat3::ZERO; joints],
            curved: vec![0; joints],
            below: vec![Vec3::ZERO; joints],
            above: vec![Vec3::ZERO; joints],
        }
    }
}

/// Bones of a chain that is lengthened in closed form.
#[derive(Clone, Debug)]
pub(in crate::chains) struct LeanScratch {
    /// Unit direction of each bone.
    pub direction: Vec<Vec3>,
    /// Its length.
    pub length: Vec<f32>,
}

/// Bends of the proportional solver.
#[derive(Clone, Debug)]
pub(in crate::chains) struct BendScratch {
    /// Axis of each joint's bend, in its own space.
    pub axis: Vec<Vec3>,
    /// The bend at rest, radians; of a straight rest: its share.
    pub angle: Vec<f32>,
}

/// FABRIK and coordinate descent on trees: joints, then effectors.
#[derive(Clone, Debug)]
pub(in crate::chains) struct ReachScratch {
    /// Weighted sum of the requested positions, then the position.
    pub place: Vec<Vec3>,
    /// Sum of the weights; 0: no request.
    pub weight: Vec<f32>,
    /// From the joint that each is attached to, at the start.
    pub arm: Vec<Vec3>,
    /// Those with a request and the joint that each is attached to, in their order.
    pub links: Vec<Link>,
    /// Directions from a joint as they are and as they are requested, and weights.
    pub pairs: Vec<(Vec3, Vec3, f32)>,
    /// Turn of each joint since the start: of two sweeps.
    pub turns: [Vec<Quat>; 2],
}

impl ReachScratch {
    /// Room for this many nodes: none for unbranched chains, which have other scratch.
    fn new(nodes: usize) -> Self {
        Self {
            place: vec![Vec3::ZERO; nodes],
            weight: vec![0.0; nodes],
            arm: vec![Vec3::ZERO; nodes],
            links: Vec::with_capacity(nodes),
            pairs: Vec::with_capacity(nodes),
            turns: [0; 2].map(|_| vec![Quat::IDENTITY; nodes]),
        }
    }
}

/// A joint or effector and the joint that it is attached to.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Link {
    pub node: usize,
    pub joint: usize,
    /// The share of the node in the place of the joint.
    pub share: f32,
    pub length: f32,
    pub kind: LinkKind,
}

/// What else with a request is attached to the same joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chains) enum LinkKind {
    /// Nothing.
    Alone,
    /// Nodes after this one.
    First,
    /// Nodes before this one.
    Other,
}

/// Sweeps over points.
#[derive(Clone, Debug)]
pub(in crate::chains) struct SweepScratch {
    /// Lengths of the bones.
    pub lengths: Vec<f32>,
    /// Positions of the joints and of the carried point, or the effectors: of a sweep half way, and
    /// of two whole ones.
    pub points: [Vec<Vec3>; 3],
}

/// Unlimited chains, several joints at a time.
#[derive(Clone, Debug)]
pub(in crate::chains) struct LaneScratch {
    pub blocks: Blocks,
    /// Rotations of the pose, with neutral ones for the lanes past the end.
    pub rotations: Vec<Quat>,
    /// Stretches, likewise.
    pub stretch: Vec<f32>,
}

/// Rotations and stretches put aside.
#[derive(Clone, Debug)]
struct SavedPose {
    rotations: Vec<Quat>,
    stretch: Vec<f32>,
}

/// Which of the poses put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chains) enum Slot {
    /// Before a step.
    BeforeStep,
    /// The best so far.
    Best,
    /// As it was given.
    Start,
    /// Where the default solver starts, clamped to limits.
    Clamped,
    /// The answer nearest to the start so far.
    Nearest,
    /// The answer that the last one of a warm start leads to.
    FromLast,
    /// The pose that answers of a warm start are led back to.
    Home,
}

/// Steps of a pass that builds and factors the dual matrix: per joint the pairs of effectors that
/// it carries, and a share of the cube of the rows.
fn pass_steps(chain: &Chain) -> u32 {
    let pairs = chain.moves.iter().map(|moves| 2 + u64::from(moves.count_ones()).pow(2));
    let rows = 6 * chain.effectors.len() as u64;
    u32::try_from(pairs.sum::<u64>() + rows.pow(3) / 64).unwrap_or(u32::MAX)
}

impl ChainWorkspace {
    /// Scratch for this chain (and any other with as many joints and effectors, and as many groups
    /// of joints that move the same effectors).
    pub fn new(chain: &Chain) -> Self {
        let joints = chain.joints.len();
        let nodes = joints + chain.effectors.len();
        let rows = 6 * chain.effectors.len();
        let lanes = blocks::lanes(joints);
        let groups = chain.groups.effectors.len();
        let vectors = || vec![Vec3::ZERO; joints];
        let numbers = || vec![0.0; joints];
        let pose = || SavedPose { rotations: vec![Quat::IDENTITY; joints], stretch: vec![1.0; joints] };
        Self {
            state: ChainState::new(chain),
            descent: DescentScratch {
                borders: vec![JointBorders::default(); joints],
                matrix: vec![Mat3::IDENTITY; joints],
                even: vec![Some(1.0); joints],
                blocked: vec![0; joints],
                among: u32::MAX,
                turn: vectors(),
                bias: vectors(),
                has_bias: false,
                back: vectors(),
                stretch: numbers(),
                residual_before: vec![0.0; rows],
                requested: vec![0.0; rows],
                set_apart: vec![0.0; rows],
                force: vec![0.0; rows],
                dual: DualMatrix::new(rows),
                product: vec![0.0; rows],
                is_stale: false,
                origins: vec![Vec3::ZERO; groups],
                group_wrenches: vec![Wrench::default(); groups],
                sums: vec![MobilitySum::ZERO; groups],
                wrenches: Vec::with_capacity(rows),
                joint_rows: Vec::with_capacity(rows),
                bone_rows: Vec::with_capacity(rows),
            },
            newton: NewtonScratch::new(chain),
            lean: LeanScratch { direction: vectors(), length: numbers() },
            bends: BendScratch { axis: vectors(), angle: numbers() },
            reach: ReachScratch::new(if chain.serial { 0 } else { nodes }),
            sweep: SweepScratch { lengths: numbers(), points: [0; 3].map(|_| vec![Vec3::ZERO; nodes]) },
            lanes: LaneScratch {
                blocks: Blocks::new(joints),
                rotations: vec![Quat::IDENTITY; lanes],
                stretch: vec![1.0; lanes],
            },
            work: Work::default(),
            pass_steps: pass_steps(chain),
            saved: [pose(), pose(), pose(), pose(), pose(), pose(), pose()],
        }
    }
    /// The steps that a solve may take, to be exchanged for those of a caller that counts the
    /// steps of several solves; see [`solve_within`](super::solve_within).
    pub fn work_mut(&mut self) -> &mut Work {
        &mut self.work
    }
    pub(in crate::chains) fn fits(&self, chain: &Chain) -> bool {
        self.state.fits(chain) && self.descent.sums.len() == chain.groups.effectors.len()
    }
    /// Copies the pose into the lanes.
    pub(in crate::chains) fn load_lanes(&mut self) {
        let pose = self.state.pose();
        let joints = pose.rotations.len();
        self.lanes.rotations[..joints].copy_from_slice(&pose.rotations);
        self.lanes.rotations[joints..].fill(Quat::IDENTITY);
        self.lanes.stretch[..joints].copy_from_slice(&pose.stretch);
    }
    /// Puts the pose aside.
    pub(in crate::chains) fn save(&mut self, slot: Slot) {
        let saved = &mut self.saved[slot as usize];
        saved.rotations.copy_from_slice(&self.state.pose().rotations);
        saved.stretch.copy_from_slice(&self.state.pose().stretch);
    }
    /// Brings a pose back.
    pub(in crate::chains) fn restore(&mut self, slot: Slot) {
        let saved = &self.saved[slot as usize];
        self.state.rotations_mut().copy_from_slice(&saved.rotations);
        self.state.stretch_mut().copy_from_slice(&saved.stretch);
    }
    /// The rest rotations, with the stretches of a pose that was put aside.
    pub(in crate::chains) fn restore_at_rest(&mut self, slot: Slot) {
        self.state.rotations_mut().fill(Quat::IDENTITY);
        self.state.stretch_mut().copy_from_slice(&self.saved[slot as usize].stretch);
    }
    /// The stretches of a pose that was put aside.
    pub(in crate::chains) fn saved_stretch(&self, slot: Slot) -> &[f32] {
        &self.saved[slot as usize].stretch
    }
    /// Rotations of a pose that was put aside.
    pub(in crate::chains) fn saved_rotations(&self, slot: Slot) -> &[Quat] {
        &self.saved[slot as usize].rotations
    }
}
