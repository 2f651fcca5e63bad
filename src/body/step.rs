//! One step of the whole body: the damped least-squares problem, solved in the space of the rows.
//!
//! # Derivation
//!
//! With `e` the weighted rows, `J` their Jacobian, `dⱼ` the turn that brings joint `j` back to the incoming pose, `λ` the damping and `μⱼ`
//! the posture's weight, a step minimises
//!
//! ```text
//! |e − J ω|² + Σ λ ωⱼᵀ Wⱼ⁻¹ ωⱼ + μⱼ (|ωⱼ − dⱼ|² taken in the metric Wⱼ⁻¹ for its curvature)
//! ```
//!
//! under `n · ωⱼ = room` for the borders in the active set. Let `V = W/(λ + μ)` per joint and `b = μ V d`, borders taken in
//! ([`crate::optim::active_set`]). Then
//!
//! ```text
//! (J V Jᵀ + 1) y = e − J b,    ω = b + V Jᵀ y
//! ```
//!
//! has as many rows as the tasks, whatever the number of joints. `J V Jᵀ` comes block by block from one pass down the tree
//! ([`crate::optim::mobility_sum`]). Rows that hang on the centre of mass touch every joint: they keep their covector `tⱼ = Jⱼᵀ` per joint
//! (by the subtree's mass and moment), and the pass down carries `Σ S V t` beside `K`, which is their block with any other row.
//! The numbers are scaled by `s = λ + μ`, so that `V` stays near 1.
//!
//! Cost: `c₁·joints + c₂·rows² + rows³/6`.

use super::plan::{Place, Plan};
use super::residual::Residual;
use super::state::State;
use crate::limits::{JointModel, Mobility};
use crate::math::{Mat3, Vec3, float, rotation_vector};
use crate::optim::{Cholesky, JointStep, MobilitySum, Motion, Wrench};
use crate::tasks::MAX_ANCHORS;

/// Distance from a border within which a joint stands on it, radians.
const ON_BORDER_RAD: f32 = 1e-5;
/// A step that crosses a border by less is cut by projection; solving again would cost more than it gains.
const CROSSED_RAD: f32 = 1e-3;
/// Passes of the active set.
const MAX_PASSES: u32 = 6;
/// Mobility below which a direction counts as none.
const NO_MOBILITY: f32 = 1e-6;

/// Damping and posture of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRule {
    pub damping: f32,
    pub posture: f32,
    pub root_posture: f32,
    pub root_move: Vec3,
    pub root_turn: Vec3,
    pub max_turn: f32,
}

/// Wrenches of all rows' first anchors, number by number, so that a loop over rows runs several at a time.
#[derive(Clone, Debug, Default)]
struct Columns([Vec<f32>; 6]);

impl Columns {
    fn load(&mut self, residual: &Residual) {
        for (row, wrench) in residual.wrench.iter().step_by(MAX_ANCHORS).enumerate() {
            let (t, f) = (wrench.torque, wrench.force);
            for (column, value) in self.0.iter_mut().zip([t.x, t.y, t.z, f.x, f.y, f.z]) {
                column[row] = value;
            }
        }
    }
    /// Adds the work of the rows from `start` on on a motion.
    #[inline(always)]
    fn add_work(&self, start: usize, motion: &Motion, out: &mut [f32]) {
        let (w, v) = (motion.angular, motion.linear);
        let count = out.len();
        let [a, b, c, d, e, f] = self.0.each_ref().map(|column| &column[start..start + count]);
        for (i, out) in out.iter_mut().enumerate() {
            *out += (a[i] * w.x + b[i] * w.y + c[i] * w.z) + (d[i] * v.x + e[i] * v.y + f[i] * v.z);
        }
    }
}

/// Scratch of a step, and the step.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Mobility and borders of each joint in its rest frame.
    mobility: Vec<Mobility>,
    /// Mobility in model space, soft borders taken in.
    base: Vec<Mat3>,
    /// Turn back to the incoming pose, model space.
    back: Vec<Vec3>,
    /// Root's way back to the incoming pose.
    root_back: Vec3,
    joint: Vec<JointStep>,
    root: JointStep,
    /// Bits of the borders in the active set: at the start of a step, and now.
    held: Vec<u16>,
    fixed: Vec<u16>,
    sum: Vec<MobilitySum>,
    motion: Vec<Motion>,
    wrench: Vec<Wrench>,
    cholesky: Cholesky,
    columns: Columns,
    right: Vec<f32>,
    /// Mass below each joint, and its moment about the root's position.
    mass_below: Vec<(f32, Vec3)>,
    /// Covectors of rows on the centre of mass: by row, then joint; and motions carried down.
    covector: Vec<Vec3>,
    carried: Vec<Motion>,
    /// Rows on the centre of mass.
    spread: Vec<usize>,
    /// Turn of each joint, model space; the root's turn first.
    pub turn: Vec<Vec3>,
    /// Motion of the root.
    pub shift: Vec3,
    pub passes: u32,
}

impl Step {
    pub fn new(plan: &Plan) -> Self {
        let (n, rows) = (plan.joints.len(), plan.rows);
        let spread: Vec<usize> = plan
            .tasks
            .iter()
            .filter(|t| t.places.contains(&Place::CenterOfMass))
            .flat_map(|t| t.row..t.row + t.rows)
            .collect();
        Self {
            mobility: vec![Mobility::new(Mat3::IDENTITY); n],
            base: vec![Mat3::IDENTITY; n],
            back: vec![Vec3::ZERO; n],
            joint: vec![JointStep { mobility: Mat3::IDENTITY, bias: Vec3::ZERO }; n],
            root: JointStep { mobility: Mat3::IDENTITY, bias: Vec3::ZERO },
            held: vec![0; n],
            fixed: vec![0; n],
            sum: vec![MobilitySum::ZERO; n],
            motion: vec![Motion::default(); n],
            wrench: vec![Wrench::default(); n],
            cholesky: Cholesky::new(rows),
            columns: Columns([0; 6].map(|_| vec![0.0; rows])),
            right: vec![0.0; rows],
            mass_below: vec![(0.0, Vec3::ZERO); n],
            covector: vec![Vec3::ZERO; n * spread.len()],
            carried: vec![Motion::default(); n * spread.len()],
            spread,
            turn: vec![Vec3::ZERO; n],
            ..Self::default()
        }
    }

    /// What depends on the pose alone: mobilities, borders, the way back, covectors.
    pub fn load(
        &mut self,
        plan: &Plan,
        state: &State,
        models: &[JointModel],
        reference: &super::state::Coordinates,
        residual: &Residual,
    ) {
        let n = plan.joints.len();
        self.columns.load(residual);
        for (i, model) in models.iter().enumerate().skip(1) {
            let turn = state.at.turns[i];
            self.back[i] = state.frame[i] * rotation_vector(reference.turns[i] * turn.conjugate());
            if model.is_isotropic() {
                self.mobility[i] = Mobility::new(Mat3::IDENTITY);
                self.base[i] = Mat3::IDENTITY * (1.0 - model.stiffness[0]).clamp(0.01, 1.0);
                continue;
            }
            let mut mobility = model.mobility(turn);
            self.base[i] = Mobility::matrix_in(&mobility.matrix, state.frame[i]);
            mobility.turn_walls(state.frame[i]);
            self.mobility[i] = mobility;
        }
        self.back[0] = rotation_vector(reference.turns[0] * state.at.turns[0].conjugate());
        self.root_back = reference.root - state.at.root;
        if self.spread.is_empty() {
            return;
        }
        for i in 0..n {
            let link = &state.links[i];
            let moment = (state.position[i] - state.at.root) * link.mass + state.rotation[i] * link.moment;
            self.mass_below[i] = (link.mass, moment);
        }
        for i in (1..n).rev() {
            let (mass, moment) = self.mass_below[i];
            let above = &mut self.mass_below[plan.parents[i]];
            above.0 += mass;
            above.1 += moment;
        }
        let share = if state.total_mass > 0.0 { 1.0 / state.total_mass } else { 0.0 };
        for (s, &row) in self.spread.iter().enumerate() {
            let force = residual.wrench[row * MAX_ANCHORS].force;
            for i in 0..n {
                let (mass, moment) = self.mass_below[i];
                let arm = moment - (state.position[i] - state.at.root) * mass;
                self.covector[s * n + i] = arm.cross(force) * share;
            }
        }
    }

    /// Solves for the step; `turn` and `shift` hold it.
    pub fn solve(&mut self, plan: &Plan, state: &State, residual: &Residual, rule: &StepRule) {
        let scale = rule.damping + rule.posture;
        // The active set starts with what the gradient pushes out of, where a joint stands on a border.
        self.gather(plan, residual, |row| residual.value[row]);
        for i in 1..plan.joints.len() {
            self.held[i] = 0;
            let torque = self.torque(state, i, &residual.value) + self.back[i] * rule.posture;
            for (number, wall) in self.mobility[i].walls().iter().enumerate() {
                if wall.room_rad <= ON_BORDER_RAD && wall.outward.dot(self.base[i] * torque) > 0.0 {
                    self.held[i] |= 1 << number;
                }
            }
        }
        self.fixed.copy_from_slice(&self.held);
        self.start(rule, scale);
        for pass in 1.. {
            self.passes += 1;
            self.build(plan, state, residual, scale);
            let largest = self.spread_out(plan, state, residual);
            let share = if largest > rule.max_turn { rule.max_turn / largest } else { 1.0 };
            if pass >= MAX_PASSES || !self.fix_crossed(share) {
                if share < 1.0 {
                    self.turn.iter_mut().for_each(|t| *t *= share);
                    self.shift *= share;
                }
                return;
            }
        }
    }

    /// Mobilities and biases without the borders that a step crosses, but with those that are held.
    fn start(&mut self, rule: &StepRule, scale: f32) {
        let bias = rule.posture / scale;
        for i in 1..self.joint.len() {
            let mut step = JointStep { mobility: self.base[i], bias: self.base[i] * self.back[i] * bias };
            if self.held[i] != 0 {
                for (number, wall) in self.mobility[i].walls().iter().enumerate() {
                    if self.held[i] & (1 << number) != 0 {
                        step.fix(wall.outward, wall.room_rad.min(0.0), NO_MOBILITY);
                    }
                }
            }
            self.joint[i] = step;
        }
        // The root has a posture of its own: mobility over (λ + μ₀), times the scale.
        let share = scale / (rule.damping + rule.root_posture).max(0.25 * scale);
        let pull = rule.root_posture / (rule.damping + rule.root_posture).max(1e-20);
        let diagonal = |v: Vec3| Mat3::from_diagonal(v * share);
        self.joint[0] = JointStep { mobility: diagonal(rule.root_turn), bias: rule.root_turn * self.back[0] * pull };
        self.root = JointStep { mobility: diagonal(rule.root_move), bias: rule.root_move * self.root_back * pull };
    }

    /// The dual matrix and its right side, factored and solved into `right`.
    fn build(&mut self, plan: &Plan, state: &State, residual: &Residual, scale: f32) {
        let (n, origin) = (plan.joints.len(), state.at.root);
        let count = self.spread.len();
        for i in 0..n {
            let p = state.position[i] - origin;
            let step = &self.joint[i];
            let (sum, motion) = if i == 0 {
                let root = MobilitySum::floating(self.root.mobility);
                (root.with_joint(Vec3::ZERO, &step.mobility), Motion { angular: step.bias, linear: self.root.bias })
            } else {
                let parent = plan.parents[i];
                let sum = self.sum[parent].with_joint(p, &step.mobility);
                (sum, self.motion[parent].plus(&Motion::turn(p, step.bias)))
            };
            (self.sum[i], self.motion[i]) = (sum, motion);
            for s in 0..count {
                let own = Motion::turn(p, step.mobility * self.covector[s * n + i]);
                self.carried[s * n + i] = if i == 0 {
                    let force = self.spread_force(residual, s);
                    own.plus(&Motion { angular: Vec3::ZERO, linear: self.root.mobility * force })
                } else {
                    self.carried[s * n + plan.parents[i]].plus(&own)
                };
            }
        }
        self.cholesky.begin(plan.rows);
        for (first, task) in plan.tasks.iter().enumerate() {
            if let Some(joint) = task.joint() {
                for row in task.row..task.row + task.rows {
                    let wrench = residual.wrench[row * MAX_ANCHORS];
                    let target = self.cholesky.row_mut(row);
                    for run in &task.runs {
                        let motion = self.sum[run.common].motion(&wrench);
                        self.columns.add_work(run.start, &motion, &mut target[run.start..run.end]);
                    }
                    for (s, &spread) in self.spread.iter().enumerate() {
                        let value = wrench.on(&self.carried[s * n + joint]);
                        self.cholesky.row_mut(row.min(spread))[row.max(spread)] += value;
                    }
                }
            }
            for (number, other) in plan.tasks.iter().enumerate().skip(first) {
                if task.has_more_joints() || other.has_more_joints() {
                    self.add_other_anchors(plan, residual, first, number);
                }
            }
            if task.has_more_joints() {
                self.add_other_spread(plan, residual, first);
            }
        }
        for (s, &row) in self.spread.iter().enumerate() {
            for (r, &other) in self.spread.iter().enumerate().take(s + 1) {
                let (force, other_force) = (self.spread_force(residual, s), self.spread_force(residual, r));
                let mut sum = force.dot(self.root.mobility * other_force);
                for i in 0..n {
                    sum += self.covector[s * n + i].dot(self.joint[i].mobility * self.covector[r * n + i]);
                }
                self.cholesky.row_mut(row.min(other))[row.max(other)] += sum;
            }
        }
        self.right.copy_from_slice(&residual.value);
        for task in &plan.tasks {
            for (a, place) in task.places.iter().enumerate() {
                let Place::Joint(joint) = *place else { continue };
                for row in task.row..task.row + task.rows {
                    self.right[row] -= residual.wrench[row * MAX_ANCHORS + a].on(&self.motion[joint]);
                }
            }
        }
        for (s, &row) in self.spread.iter().enumerate() {
            let mut sum = self.spread_force(residual, s).dot(self.root.bias);
            for i in 0..n {
                sum += self.covector[s * n + i].dot(self.joint[i].bias);
            }
            self.right[row] -= sum;
        }
        self.cholesky.factor(scale, 1e-10);
        self.cholesky.solve(&mut self.right);
    }

    /// The dual's entries of two tasks for all pairs of anchors but the first of both.
    fn add_other_anchors(&mut self, plan: &Plan, residual: &Residual, first: usize, second: usize) {
        let (task, other) = (&plan.tasks[first], &plan.tasks[second]);
        for (a, place) in task.places.iter().enumerate() {
            let Place::Joint(joint) = *place else { continue };
            for (b, other_place) in other.places.iter().enumerate() {
                let Place::Joint(other_joint) = *other_place else { continue };
                if a == 0 && b == 0 {
                    continue;
                }
                let sum = self.sum[plan.common(joint, other_joint)];
                for row in task.row..task.row + task.rows {
                    let motion = sum.motion(&residual.wrench[row * MAX_ANCHORS + a]);
                    let target = self.cholesky.row_mut(row);
                    let wrenches = residual.wrench[other.row * MAX_ANCHORS..].iter().skip(b).step_by(MAX_ANCHORS);
                    for (value, wrench) in target[other.row..other.row + other.rows].iter_mut().zip(wrenches) {
                        *value += wrench.on(&motion);
                    }
                }
            }
        }
    }
    /// The same with rows on the centre of mass.
    fn add_other_spread(&mut self, plan: &Plan, residual: &Residual, number: usize) {
        let (task, n) = (&plan.tasks[number], plan.joints.len());
        for (a, place) in task.places.iter().enumerate().skip(1) {
            let Place::Joint(joint) = *place else { continue };
            for row in task.row..task.row + task.rows {
                for (s, &spread) in self.spread.iter().enumerate() {
                    let value = residual.wrench[row * MAX_ANCHORS + a].on(&self.carried[s * n + joint]);
                    self.cholesky.row_mut(row.min(spread))[row.max(spread)] += value;
                }
            }
        }
    }

    fn spread_force(&self, residual: &Residual, s: usize) -> Vec3 {
        residual.wrench[self.spread[s] * MAX_ANCHORS].force
    }

    /// Wrenches of rows times numbers, added up towards the root.
    fn gather(&mut self, plan: &Plan, residual: &Residual, of: impl Fn(usize) -> f32) {
        self.wrench.fill(Wrench::default());
        for task in &plan.tasks {
            for (a, place) in task.places.iter().enumerate() {
                let Place::Joint(joint) = *place else { continue };
                for row in task.row..task.row + task.rows {
                    self.wrench[joint].add(&residual.wrench[row * MAX_ANCHORS + a].scaled(of(row)));
                }
            }
        }
        for i in (1..self.wrench.len()).rev() {
            let wrench = self.wrench[i];
            self.wrench[plan.parents[i]].add(&wrench);
        }
    }
    /// Torque on a joint of the gathered wrenches, and of rows on the centre of mass times numbers.
    fn torque(&self, state: &State, i: usize, numbers: &[f32]) -> Vec3 {
        let n = self.joint.len();
        let mut torque = self.wrench[i].torque_about(state.position[i] - state.at.root);
        for (s, &row) in self.spread.iter().enumerate() {
            torque += self.covector[s * n + i] * numbers[row];
        }
        torque
    }
    /// `ω = b + V Jᵀ y`; returns the largest turn.
    fn spread_out(&mut self, plan: &Plan, state: &State, residual: &Residual) -> f32 {
        let right = core::mem::take(&mut self.right);
        self.gather(plan, residual, |row| right[row]);
        let mut largest = 0.0_f32;
        for i in 0..self.joint.len() {
            self.turn[i] = self.joint[i].under(self.torque(state, i, &right));
            largest = largest.max(self.turn[i].length_squared());
        }
        let mut force = self.wrench[0].force;
        for (s, &row) in self.spread.iter().enumerate() {
            force += self.spread_force(residual, s) * right[row];
        }
        self.shift = self.root.under(force);
        self.right = right;
        float::sqrt(largest)
    }
    /// Takes the borders that the step crosses into the active set; false when there are none.
    fn fix_crossed(&mut self, share: f32) -> bool {
        let mut changed = false;
        for i in 1..self.joint.len() {
            for (number, wall) in self.mobility[i].walls().iter().enumerate() {
                let bit = 1 << number;
                if self.fixed[i] & bit != 0 {
                    continue;
                }
                if wall.outward.dot(self.turn[i]) * share > wall.room_rad.max(0.0) + CROSSED_RAD {
                    self.fixed[i] |= bit;
                    changed |= self.joint[i].fix(wall.outward, wall.room_rad, NO_MOBILITY);
                }
            }
        }
        changed
    }
}
