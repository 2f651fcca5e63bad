//! Scratch of the chain solvers: forward kinematics, residuals, and the arrays of one iteration.

use crate::chains::model::blocks::{self, Blocks};
use crate::chains::model::{Chain, ChainGoal, ChainPose};
use crate::limits::Mobility;
use crate::math::{Mat3, Quat, Vec3, float, normalize_or, rotation_vector};

/// Scratch memory for one chain; made at set-up, no solve allocates. Holds nothing between solves.
#[derive(Clone, Debug)]
pub struct ChainWorkspace {
    /// Where each joint is, in the solve space.
    pub(in crate::chains) position: Vec<Vec3>,
    /// How each joint is turned.
    pub(in crate::chains) rotation: Vec<Quat>,
    /// How each joint would be turned at rest: `M[parent] · rest`.
    pub(in crate::chains) frame: Vec<Quat>,
    /// Mobility and walls of each joint in its rest frame.
    pub(in crate::chains) mobility: Vec<Mobility>,
    /// Mobility of each joint in the solve space, walls taken out.
    pub(in crate::chains) matrix: Vec<Mat3>,
    /// Bit per wall: taken out of `matrix`. Bit 7: the bone's length may not change.
    pub(in crate::chains) blocked: Vec<u8>,
    /// Angular velocity of each joint (a step).
    pub(in crate::chains) turn: Vec<Vec3>,
    /// Change of each stretch (a step).
    pub(in crate::chains) lengthen: Vec<f32>,
    /// Effectors: where they are.
    pub(in crate::chains) tip: Vec<Vec3>,
    /// Rows of the residual: position then rotation of each effector, weighted.
    pub(in crate::chains) residual: Vec<f32>,
    /// The rows before a step, as measured.
    pub(in crate::chains) residual_before: Vec<f32>,
    /// The dual vector: force and torque of each effector.
    pub(in crate::chains) force: Vec<f32>,
    /// The dual matrix, row by row.
    pub(in crate::chains) dual: Vec<f32>,
    /// Its factors.
    pub(in crate::chains) factor: Vec<f32>,
    /// First row of each effector's position and rotation.
    pub(in crate::chains) rows: Vec<(Option<usize>, Option<usize>)>,
    /// Number of rows.
    pub(in crate::chains) dimension: usize,
    /// Rotation that the last joint of an unbranched chain is held at in the solve space, whatever the others do.
    pub(in crate::chains) pinned: Option<Quat>,
    /// Scratch of free chains, several joints at a time.
    pub(in crate::chains) blocks: Blocks,
    /// Rotations and stretches of the pose in work, with neutral ones for the lanes past the end.
    pub(in crate::chains) lanes: (Vec<Quat>, Vec<f32>),
    /// Places of the joints and of the carried point: of a sweep half way, and of two whole ones.
    pub(in crate::chains) points: [Vec<Vec3>; 3],
    /// Poses put aside: before a step, best so far, at the start.
    pub(in crate::chains) saved: [(Vec<Quat>, Vec<f32>); 5],
}

/// Slot of [`ChainWorkspace::saved`]: before a step.
pub(in crate::chains) const BEFORE: usize = 0;
/// Slot: best so far.
pub(in crate::chains) const BEST: usize = 1;
/// Slot: as it was given.
pub(in crate::chains) const START: usize = 2;
/// Slot: where the default solver starts, limits taken in.
pub(in crate::chains) const ADMITTED: usize = 3;

/// Slot: the answer nearest to the start so far.
pub(in crate::chains) const NEAREST: usize = 4;

/// How far a pose is from its goals.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Miss {
    /// Sum of squared weighted residuals, metres².
    pub cost: f32,
    /// Largest distance of an effector from its goal, metres.
    pub metres: f32,
    /// Largest angle, radians.
    pub radians: f32,
}

impl ChainWorkspace {
    /// Scratch for this chain (and any other with as many joints and effectors).
    pub fn new(chain: &Chain) -> Self {
        let (joints, effectors) = (chain.joints.len(), chain.effectors.len());
        let rows = 6 * effectors;
        let lanes = blocks::lanes(joints);
        let pose = || (vec![Quat::IDENTITY; joints], vec![1.0; joints]);
        Self {
            position: vec![Vec3::ZERO; joints],
            rotation: vec![Quat::IDENTITY; joints],
            frame: vec![Quat::IDENTITY; joints],
            mobility: vec![Mobility::new(Mat3::IDENTITY); joints],
            matrix: vec![Mat3::IDENTITY; joints],
            blocked: vec![0; joints],
            turn: vec![Vec3::ZERO; joints],
            lengthen: vec![0.0; joints],
            tip: vec![Vec3::ZERO; effectors],
            residual: vec![0.0; rows],
            residual_before: vec![0.0; rows],
            force: vec![0.0; rows],
            dual: vec![0.0; rows * rows],
            factor: vec![0.0; rows * rows],
            rows: vec![(None, None); effectors],
            dimension: 0,
            pinned: None,
            blocks: Blocks::new(joints),
            lanes: (vec![Quat::IDENTITY; lanes], vec![1.0; lanes]),
            points: [0; 3].map(|_| vec![Vec3::ZERO; joints + 1]),
            saved: [pose(), pose(), pose(), pose(), pose()],
        }
    }
    pub(in crate::chains) fn fits(&self, chain: &Chain) -> bool {
        self.position.len() == chain.joints.len() && self.tip.len() == chain.effectors.len()
    }
    /// Takes a pose into `lanes`.
    pub(in crate::chains) fn load(&mut self, pose: &ChainPose) {
        let joints = pose.rotations.len();
        self.lanes.0[..joints].copy_from_slice(&pose.rotations);
        self.lanes.0[joints..].fill(Quat::IDENTITY);
        self.lanes.1[..joints].copy_from_slice(&pose.stretch);
    }
    /// Puts a pose aside.
    pub(in crate::chains) fn save(&mut self, slot: usize, pose: &ChainPose) {
        self.saved[slot].0.copy_from_slice(&pose.rotations);
        self.saved[slot].1.copy_from_slice(&pose.stretch);
    }
    /// Brings a pose back.
    pub(in crate::chains) fn restore(&self, slot: usize, pose: &mut ChainPose) {
        pose.rotations.copy_from_slice(&self.saved[slot].0);
        pose.stretch.copy_from_slice(&self.saved[slot].1);
    }
    /// Numbers the rows of the residual.
    pub(in crate::chains) fn number_rows(&mut self, goals: &[ChainGoal]) {
        self.dimension = 0;
        for (rows, goal) in self.rows.iter_mut().zip(goals) {
            let mut take = |asked: bool| {
                let first = self.dimension;
                self.dimension += if asked { 3 } else { 0 };
                asked.then_some(first)
            };
            let position = take(goal.position.is_some());
            let turned = (goal.rotation.is_some() || goal.axis.is_some()) && self.pinned.is_none();
            *rows = (position, take(turned));
        }
    }
    /// Forward kinematics of the whole chain.
    pub(in crate::chains) fn forward(&mut self, chain: &Chain, pose: &mut ChainPose) {
        let last = chain.joints.len() - 1;
        for (i, joint) in chain.joints.iter().enumerate() {
            let (outer, origin, factor) = match joint.parent {
                Some(p) => (self.rotation[p], self.position[p], pose.stretch[p]),
                None => (pose.root_rotation, pose.root_position, 1.0),
            };
            // What hangs on the result of the joint before is kept short: one product and a step towards unit length.
            let local = joint.rest * pose.rotations[i];
            self.frame[i] = unit(outer * joint.rest);
            self.position[i] = origin + outer * (joint.offset * factor);
            if i == last
                && let Some(held) = self.pinned
            {
                pose.rotations[i] = (self.frame[i].conjugate() * held).normalize();
                self.rotation[i] = held;
            } else {
                self.rotation[i] = unit(outer * local);
            }
        }
        for (tip, effector) in self.tip.iter_mut().zip(&chain.effectors) {
            let j = effector.joint;
            *tip = self.position[j] + self.rotation[j] * (effector.offset * pose.stretch[j]);
        }
    }
    /// The point that the turning joints of effector `e` carry about: the effector itself, or the last joint when that one is held.
    pub(in crate::chains) fn carried(&self, chain: &Chain, e: usize) -> Vec3 {
        if self.pinned.is_some() { self.position[chain.effectors[e].joint] } else { self.tip[e] }
    }
    /// Fills the residual rows for the pose of the last [`Self::forward`].
    pub(in crate::chains) fn measure(&mut self, chain: &Chain, goals: &[ChainGoal]) -> Miss {
        let mut miss = Miss { cost: 0.0, metres: 0.0, radians: 0.0 };
        for (e, goal) in goals.iter().enumerate() {
            let (position, turned) = self.rows[e];
            if let (Some(row), Some(target)) = (position, goal.position) {
                let left = target - self.tip[e];
                miss.metres = miss.metres.max(left.length());
                self.put(row, left * position_scale(goal));
            }
            if let Some(row) = turned {
                let left = self.rotation_left(chain, goal, e);
                miss.radians = miss.radians.max(left.length());
                self.put(row, left * rotation_scale(chain, goal));
            }
        }
        miss.cost = self.residual[..self.dimension].iter().map(|r| r * r).sum();
        miss
    }
    fn put(&mut self, row: usize, v: Vec3) {
        self.residual[row..row + 3].copy_from_slice(&v.to_array());
    }
    /// Rotation vector that is left to the effector's rotation or axis goal.
    fn rotation_left(&self, chain: &Chain, goal: &ChainGoal, e: usize) -> Vec3 {
        let now = self.rotation[chain.effectors[e].joint];
        if let Some(target) = goal.rotation {
            return rotation_vector(target.normalize() * now.conjugate());
        }
        let Some(axis) = goal.axis else { return Vec3::ZERO };
        let from = normalize_or(now * axis.axis, Vec3::Y);
        let to = normalize_or(axis.direction, Vec3::Y);
        let across = from.cross(to);
        let angle = float::atan2(across.length(), from.dot(to));
        normalize_or(across, if angle > 1.0 { crate::math::perpendicular(from) } else { Vec3::ZERO }) * angle
    }
}

/// Factor on an effector's position rows.
pub(in crate::chains) fn position_scale(goal: &ChainGoal) -> f32 {
    float::sqrt(weight(goal.position_weight))
}
/// Factor on an effector's rotation rows, metres per radian.
pub(in crate::chains) fn rotation_scale(chain: &Chain, goal: &ChainGoal) -> f32 {
    float::sqrt(weight(goal.rotation_weight)) * chain.length * (1.0 / 3.0)
}
fn weight(w: f32) -> f32 {
    if w > 0.01 { w.min(1.0) } else { 0.01 }
}

/// Makes the rotations of a pose unit; false, and nothing is changed, when a rotation or stretch is not a sound number.
pub(in crate::chains) fn make_unit(pose: &mut ChainPose) -> bool {
    // Without early ends, and with a square root that is no call, these loops run several joints at a time.
    let square = |q: &Quat| q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    let (mut sound, mut unit) = (true, true);
    for q in &pose.rotations {
        let s = square(q);
        sound &= (s > 1e-6) & (s < f32::INFINITY);
        unit &= (s - 1.0).abs() < 4e-7;
    }
    sound &= pose.stretch.iter().fold(true, |all, s| all & (s.abs() < 1e6));
    // What differs from unit by rounding only stays as it is.
    if sound && !unit {
        for q in &mut pose.rotations {
            let s = 1.0 / float::sqrt(square(q));
            *q = Quat::from_xyzw(q.x * s, q.y * s, q.z * s, q.w * s);
        }
    }
    sound
}

/// Whether a pose is made of numbers.
pub(in crate::chains) fn is_finite(pose: &ChainPose) -> bool {
    let size = |x: f32| x.to_bits() & 0x7fff_ffff;
    let largest =
        pose.rotations.iter().fold(0, |m: u32, q| m.max(size(q.x)).max(size(q.y)).max(size(q.z)).max(size(q.w)));
    pose.stretch.iter().fold(largest, |m, s| m.max(size(*s))) < f32::INFINITY.to_bits()
}

/// A nearly unit quaternion made unit by one step of Newton's method for 1/√: no root, no division.
fn unit(q: Quat) -> Quat {
    q * (1.5 - 0.5 * q.length_squared())
}

/// Rotation by a rotation vector, by the Cayley map: exact axis, angle `2 atan(|v|/2)`.
pub(in crate::chains) fn cayley(v: Vec3) -> Quat {
    Quat::from_xyzw(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 1.0).normalize()
}
