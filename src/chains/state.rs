//! The state of a solve: pose, frames and residual of one chain as one object.
//!
//! The rotations and stretches are changed through methods that mark the frames as stale;
//! [`ChainState::update`] recomputes them when they are, so a caller calls it wherever it reads
//! frames and pays only after a change. A sweep that changes one joint after the other reads the
//! frame arrays as of the last update.

use crate::chains::model::{Chain, ChainDistance, ChainGoal, ChainPose, ChainSettings};
use crate::math::{Quat, Vec3, float, rigid, unit_correction};
use crate::tasks::{Distance, MAX_ROWS, Placement, Position, Rows, Task, Turn, TurnGoal};

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
    /// The rows of each effector, as of the last measurement.
    pub rows: Vec<EffectorRows>,
    /// Number of rows.
    pub dimension: usize,
    before: Before,
}

/// What a step changes besides the pose, before it.
#[derive(Clone, Debug)]
struct Before {
    position: Vec<Vec3>,
    rotation: Vec<Quat>,
    frame: Vec<Quat>,
    tip: Vec<Vec3>,
    rows: Vec<EffectorRows>,
}

/// The rows of one effector: those of its position, then those of its rotation, each with its
/// Jacobian in the form of a task's ([`crate::tasks`]).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::chains) struct EffectorRows {
    /// Number of the first row.
    pub first: usize,
    /// Number of rows of the position: forces at the carried point.
    pub moving: usize,
    /// Number of rows of the rotation: torques.
    pub turning: usize,
    /// Force of each row of the position, weighted.
    pub force: [Vec3; MAX_ROWS],
    /// Torque of each row of the rotation, weighted.
    pub torque: [Vec3; MAX_ROWS],
}

impl EffectorRows {
    /// Whether a row depends on the pose.
    pub fn binds(&self) -> bool {
        let depends = |rows: &[Vec3]| rows.iter().any(|v| *v != Vec3::ZERO);
        depends(&self.force[..self.moving]) || depends(&self.torque[..self.turning])
    }
    /// The torque of each row about a joint, for the lever from the joint to the carried point.
    #[inline(always)]
    pub fn about_joint(&self, lever: Vec3) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        let moving = self.force[..self.moving].iter().map(move |force| lever.cross(*force));
        let turning = self.torque[..self.turning].iter().copied();
        moving.chain(turning).enumerate().map(|(row, torque)| (self.first + row, torque))
    }
    /// The force and the torque of dual numbers, one per row of the chain.
    #[inline(always)]
    pub fn wrench(&self, dual: &[f32]) -> (Vec3, Vec3) {
        let sum = |rows: &[Vec3], dual: &[f32]| rows.iter().zip(dual).fold(Vec3::ZERO, |sum, (v, f)| sum + *v * *f);
        let turning = self.first + self.moving;
        (sum(&self.force[..self.moving], &dual[self.first..]), sum(&self.torque[..self.turning], &dual[turning..]))
    }
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
            rows: vec![EffectorRows::default(); effectors],
            dimension: 0,
            before: Before {
                position: vec![Vec3::ZERO; joints],
                rotation: vec![Quat::IDENTITY; joints],
                frame: vec![Quat::IDENTITY; joints],
                tip: vec![Vec3::ZERO; effectors],
                rows: vec![EffectorRows::default(); effectors],
            },
        }
    }
    fn exchange(&mut self) {
        core::mem::swap(&mut self.position, &mut self.before.position);
        core::mem::swap(&mut self.rotation, &mut self.before.rotation);
        core::mem::swap(&mut self.frame, &mut self.before.frame);
        core::mem::swap(&mut self.tip, &mut self.before.tip);
    }
    /// Puts frames and rows aside after a change of the pose: they are those before it.
    pub fn keep(&mut self) {
        self.is_stale = true;
        self.exchange();
        self.before.rows.copy_from_slice(&self.rows);
    }
    /// Brings back what was kept. The pose has been brought back to what it was then, and the
    /// residual was this.
    pub fn back(&mut self, residual: &[f32]) {
        self.is_stale = false;
        self.exchange();
        self.rows.copy_from_slice(&self.before.rows);
        self.residual.copy_from_slice(residual);
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
        let root = (self.pose.root_rotation, self.pose.root_position, 1.0);
        for (i, joint) in chain.joints.iter().enumerate() {
            let (outer, origin, factor) = match joint.parent {
                Some(p) => (self.rotation[p], self.position[p], self.pose.stretch[p]),
                None => root,
            };
            let (outer, rest) = (rigid::of_quat(outer), rigid::of_quat(joint.rest));
            // The chain of operations from joint to joint is kept short: one product and a step
            // towards unit length.
            let local = rigid::product(rest, rigid::of_quat(self.pose.rotations[i]));
            let offset = rigid::turned(outer, rigid::of_vec3(joint.offset * factor));
            self.frame[i] = rigid::to_quat(rigid::product(outer, rest));
            self.position[i] = rigid::to_vec3(rigid::of_vec3(origin) + offset);
            if i == last
                && let Some(held) = self.held
            {
                self.pose.rotations[i] = (self.frame[i].conjugate() * held).normalize();
                self.rotation[i] = held;
            } else {
                self.rotation[i] = rigid::to_quat(rigid::tightened(rigid::product(outer, local)));
            }
        }
        self.set_current(chain);
    }
    /// Places the effectors where the frames of the joints, which are those of the pose, put them.
    pub fn set_current(&mut self, chain: &Chain) {
        self.is_stale = false;
        for (tip, effector) in self.tip.iter_mut().zip(&chain.effectors) {
            let j = effector.joint;
            let offset = rigid::of_vec3(effector.offset * self.pose.stretch[j]);
            *tip = self.position[j] + rigid::to_vec3(rigid::turned(rigid::of_quat(self.rotation[j]), offset));
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
            let turns = (goal.rotation.is_some() || goal.axis.is_some()) && self.held.is_none();
            rows.first = self.dimension;
            rows.moving = match (goal.position, goal.distance) {
                (None, _) => 0,
                (Some(_), None) => MAX_ROWS,
                (Some(_), Some(_)) => 1,
            };
            rows.turning = if turns { MAX_ROWS } else { 0 };
            self.dimension += rows.moving + rows.turning;
        }
    }
    /// Updates frames, residual and Jacobian, and returns how far the pose is from its goals.
    pub fn measure(&mut self, chain: &Chain, goals: &[ChainGoal]) -> Miss {
        self.update(chain);
        let mut miss = Miss { cost: 0.0, metres: 0.0, radians: 0.0 };
        for (e, goal) in goals.iter().enumerate() {
            let rows = &mut self.rows[e];
            let tip = Placement { position: self.tip[e], rotation: self.rotation[chain.effectors[e].joint] };
            let residual = &mut self.residual[rows.first..];
            if rows.moving > 0
                && let Some(target) = goal.position
            {
                let (left, force) = match &goal.distance {
                    None => {
                        let (left, force, _) = evaluate(&Position::new(0, target), &tip);
                        (left, force)
                    }
                    Some(distance) => evaluate_distance(distance, &tip),
                };
                miss.metres = miss.metres.max(left.length());
                let scale = position_scale(goal);
                rows.force = force.map(|f| f * scale);
                residual[..rows.moving].copy_from_slice(&(left * scale).to_array()[..rows.moving]);
            }
            if rows.turning > 0
                && let Some(goal_turn) = turn_goal(goal)
            {
                let (left, _, torque) = evaluate(&Turn { joint: 0, goal: goal_turn }, &tip);
                miss.radians = miss.radians.max(left.length());
                let scale = rotation_scale(chain, goal);
                rows.torque = torque.map(|t| t * scale);
                residual[rows.moving..rows.moving + 3].copy_from_slice(&(left * scale).to_array());
            }
        }
        miss.cost = self.residual[..self.dimension].iter().map(|r| r * r).sum();
        miss
    }
}

/// The rows of a task on one joint: values, forces and torques.
#[inline(always)]
fn evaluate(task: &impl Task, tip: &Placement) -> (Vec3, [Vec3; MAX_ROWS], [Vec3; MAX_ROWS]) {
    let mut rows = Rows::default();
    task.evaluate(&[*tip, Placement::IDENTITY, Placement::IDENTITY], &mut rows);
    (Vec3::from_array(rows.value), rows.terms[0].force, rows.terms[0].torque)
}

/// The row of a distance goal, in the first of the places. A distance that one side of the sphere
/// keeps is met there.
fn evaluate_distance(goal: &ChainDistance, tip: &Placement) -> (Vec3, [Vec3; MAX_ROWS]) {
    let task = Distance {
        joint: 0,
        point_js: Vec3::ZERO,
        other: None,
        center: goal.shape * goal.center,
        distance: goal.distance,
        rule: goal.rule,
    };
    let (left, force, _) = evaluate(&task, &Placement { position: goal.shape * tip.position, ..*tip });
    if task.is_one_sided() && left.x <= 0.0 {
        return (Vec3::ZERO, [Vec3::ZERO; MAX_ROWS]);
    }
    (left, force.map(|f| goal.shape.transpose() * f))
}

fn turn_goal(goal: &ChainGoal) -> Option<TurnGoal> {
    let axis = goal.axis.map(|axis| TurnGoal::Axis(axis.axis, axis.direction));
    goal.rotation.map(TurnGoal::Rotation).or(axis)
}

/// Factor on an effector's position rows.
pub(in crate::chains) fn position_scale(goal: &ChainGoal) -> f32 {
    float::sqrt(importance(goal.position_importance))
}
/// Factor on an effector's rotation rows, metres per radian.
pub(in crate::chains) fn rotation_scale(chain: &Chain, goal: &ChainGoal) -> f32 {
    float::sqrt(importance(goal.rotation_importance)) * chain.length * (1.0 / 3.0)
}
/// An importance as it counts: what solvers read of a goal.
pub(in crate::chains) fn importance(given: f32) -> f32 {
    crate::outcome::importance01(given)
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
