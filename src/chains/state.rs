//! The state of a solve: pose, frames and residual of one chain as one object.
//!
//! The rotations and stretches are changed through methods that mark the frames as stale;
//! [`ChainState::update`] recomputes them when they are, so a caller calls it wherever it reads
//! frames and pays only after a change. A sweep that changes one joint after the other reads the
//! frame arrays as of the last update.

use crate::chains::model::{Chain, ChainGoal, ChainPose, ChainSettings};
use crate::math::{Quat, Vec3, float, normalize_or, rotation_vector, unit_correction};

/// Pose, frames and residual of a chain in a solve.
#[derive(Clone, Debug)]
pub(in crate::chains) struct ChainState {
    pose: ChainPose,
    /// Rotation that the last joint of an unbranched chain is held at in the solve space, whatever
    /// the others do.
    held: Option<Quat>,
    /// Whether the pose has changed since the last update.
    is_stale: bool,
    /// Position of each joint, in the solve space, as of the last update.
    pub position: Vec<Vec3>,
    /// Rotation of each joint.
    pub rotation: Vec<Quat>,
    /// Rotation that each joint would have at rest: `M[parent] · rest`.
    pub frame: Vec<Quat>,
    /// Positions of the effectors.
    pub tip: Vec<Vec3>,
    /// Rows of the residual: position, then rotation of each effector, weighted.
    pub residual: Vec<f32>,
    /// First row of each effector's position and rotation.
    pub rows: Vec<(Option<usize>, Option<usize>)>,
    /// Number of rows.
    pub dimension: usize,
}

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

impl Miss {
    /// Whether the goals are met to tolerance.
    pub fn is_reached(&self, chain: &Chain, settings: &ChainSettings) -> bool {
        self.metres <= settings.tolerance.max(0.0) * chain.length && self.radians <= settings.tolerance_rad.max(0.0)
    }
}

impl ChainState {
    pub fn new(chain: &Chain) -> Self {
        let (joints, effectors) = (chain.joints.len(), chain.effectors.len());
        Self {
            pose: ChainPose::rest(chain),
            held: None,
            is_stale: true,
            position: vec![Vec3::ZERO; joints],
            rotation: vec![Quat::IDENTITY; joints],
            frame: vec![Quat::IDENTITY; joints],
            tip: vec![Vec3::ZERO; effectors],
            residual: vec![0.0; 6 * effectors],
            rows: vec![(None, None); effectors],
            dimension: 0,
        }
    }
    pub fn fits(&self, chain: &Chain) -> bool {
        self.position.len() == chain.joints.len() && self.tip.len() == chain.effectors.len()
    }
    /// Starts a solve from this pose, of as many joints. No joint is held.
    pub fn load(&mut self, pose: &ChainPose) {
        (self.pose.root_position, self.pose.root_rotation) = (pose.root_position, pose.root_rotation);
        self.pose.rotations.copy_from_slice(&pose.rotations);
        self.pose.stretch.copy_from_slice(&pose.stretch);
        self.held = None;
        self.is_stale = true;
    }
    /// Copies rotations and stretches into a pose of as many joints.
    pub fn store(&self, pose: &mut ChainPose) {
        pose.rotations.copy_from_slice(&self.pose.rotations);
        pose.stretch.copy_from_slice(&self.pose.stretch);
    }
    pub fn pose(&self) -> &ChainPose {
        &self.pose
    }
    pub fn set_rotation(&mut self, joint: usize, rotation: Quat) {
        self.pose.rotations[joint] = rotation;
        self.is_stale = true;
    }
    pub fn rotations_mut(&mut self) -> &mut [Quat] {
        self.is_stale = true;
        &mut self.pose.rotations
    }
    pub fn set_stretch(&mut self, joint: usize, stretch: f32) {
        self.pose.stretch[joint] = stretch;
        self.is_stale = true;
    }
    pub fn stretch_mut(&mut self) -> &mut [f32] {
        self.is_stale = true;
        &mut self.pose.stretch
    }
    /// Holds the last joint at a rotation in the solve space, or lets it go.
    pub fn hold(&mut self, rotation: Option<Quat>) {
        self.held = rotation;
        self.is_stale = true;
    }
    pub fn held(&self) -> Option<Quat> {
        self.held
    }
    /// Forward kinematics of the whole chain, when the pose has changed. A held joint gets the
    /// rotation that holds it.
    pub fn update(&mut self, chain: &Chain) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        let last = chain.joints.len() - 1;
        for (i, joint) in chain.joints.iter().enumerate() {
            let (outer, origin, factor) = match joint.parent {
                Some(p) => (self.rotation[p], self.position[p], self.pose.stretch[p]),
                None => (self.pose.root_rotation, self.pose.root_position, 1.0),
            };
            // The chain of operations from joint to joint is kept short: one product and a step
            // towards unit length.
            let local = joint.rest * self.pose.rotations[i];
            self.frame[i] = unit(outer * joint.rest);
            self.position[i] = origin + outer * (joint.offset * factor);
            if i == last
                && let Some(held) = self.held
            {
                self.pose.rotations[i] = (self.frame[i].conjugate() * held).normalize();
                self.rotation[i] = held;
            } else {
                self.rotation[i] = unit(outer * local);
            }
        }
        for (tip, effector) in self.tip.iter_mut().zip(&chain.effectors) {
            let j = effector.joint;
            *tip = self.position[j] + self.rotation[j] * (effector.offset * self.pose.stretch[j]);
        }
    }
    /// The point that the turning joints of effector `e` carry about: the effector itself, or the
    /// last joint when that one is held. As of the last update.
    pub fn carried(&self, chain: &Chain, e: usize) -> Vec3 {
        if self.held.is_some() { self.position[chain.effectors[e].joint] } else { self.tip[e] }
    }
    /// Numbers the rows of the residual.
    pub fn number_rows(&mut self, goals: &[ChainGoal]) {
        self.dimension = 0;
        for (rows, goal) in self.rows.iter_mut().zip(goals) {
            let mut take = |asked: bool| {
                let first = self.dimension;
                self.dimension += if asked { 3 } else { 0 };
                asked.then_some(first)
            };
            let position = take(goal.position.is_some());
            let turned = (goal.rotation.is_some() || goal.axis.is_some()) && self.held.is_none();
            *rows = (position, take(turned));
        }
    }
    /// Updates frames and residual, and returns how far the pose is from its goals.
    pub fn measure(&mut self, chain: &Chain, goals: &[ChainGoal]) -> Miss {
        self.update(chain);
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

/// Makes the rotations of a pose unit; false, and nothing is changed, when a rotation or stretch is
/// not a sound number.
pub(in crate::chains) fn make_unit(pose: &mut ChainPose) -> bool {
    // Without early ends, and with a square root that is no call, these loops run several joints at
    // a time.
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

/// A nearly unit quaternion, brought closer to unit length.
pub(in crate::chains) fn unit(q: Quat) -> Quat {
    q * unit_correction(q.length_squared())
}

/// Rotation by a rotation vector, by the Cayley map: exact axis, angle `2 atan(|v|/2)`.
pub(in crate::chains) fn cayley(v: Vec3) -> Quat {
    Quat::from_xyzw(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 1.0).normalize()
}
