//! Steps with the curvature of forces: of what is left of goals out of reach, or of the multipliers
//! of goals that are held while an answer settles.
//!
//! # Derivation
//!
//! The rows' Jacobian leaves out that turns move effectors along circles. A force `f` that stays at
//! an effector (what is left of its goal, or the multipliers of a goal that is held) does work by
//! that, too: a bone `l` that turns by `φ` in all, `φ` the sum of the turns of the joints above it,
//! takes its end to `φ × l + ½ φ × (φ × l)`. Of a bone that the forces below it stretch, `n` along
//! it, the second term is
//!
//! ```text
//! −f · ½ φ × (φ × l) = ½ φᵀ K φ,    K = (f · l) (1 − n nᵀ)
//! ```
//!
//! (of bones that they press the curvature is negative, and left out). Where a limb is straight for
//! a goal far away, this is all that keeps the limb from bending: without it steps of the posture
//! bend the limb, are refused for it, and the damping that follows from that keeps the turns about
//! the limb's own line from their way, too, which cost the goal nothing.
//!
//! *Borders.* A joint that is held on a border by a torque `m` along the border's normal `n` turns
//! along the border, whose normal turns with it by `G ω`. So the torque does the work
//! `½ m ωᵀ G ω`, which counts as the bones' curvature does, for the joint alone. `G` comes from the
//! normals of the rotations beside the joint's own.
//!
//! What a step of such joints is: see `springs`. The dual is built row by row there, `O(rows
//! (joints + rows))`, not in one pass down the tree.

use super::plan::{Place, Plan, Planned};
use super::residual::Residual;
use super::state::State;
use super::step::Step;
use crate::limits::{PreparedJoint, outer};
use crate::math::{Mat3, Vec3, float};
use crate::optim::{JointStep, Motion};
use crate::tasks::MAX_ANCHORS;

/// Curvature that is less than the posture's own, in units of a step's scale.
const SLIGHT: f32 = 1.0;

/// The part of a symmetric matrix in a plane, `[xx, xy, yy]` by two unit vectors, whose eigenvalues
/// are above 0.
fn outward_part(x: Vec3, y: Vec3, [xx, xy, yy]: [f32; 3]) -> Mat3 {
    let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
    let size = float::sqrt(half * half + xy * xy);
    // The eigenvector of the greater one, of the two forms that with the less cancellation.
    let (u, v) = if half >= 0.0 { (size + half, xy) } else { (xy, size - half) };
    let length = float::sqrt(u * u + v * v);
    let (u, v) = if length > 0.0 { (u / length, v / length) } else { (1.0, 0.0) };
    let (along, across) = (x * u + y * v, y * u - x * v);
    outer(along) * (mean + size).max(0.0) + outer(across) * (mean - size).max(0.0)
}

/// The forces whose curvature counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Forces {
    /// What is left of the rows.
    Left,
    /// The multipliers of the step before, and its scale; 0: there is none.
    Held { scale: f32 },
}

impl Step {
    /// Takes the curvature of forces, for a step of this scale.
    #[inline(never)]
    pub(super) fn stiffen(&mut self, plan: &Plan, residual: &Residual, forces: Forces, scale: f32) {
        let share = match forces {
            Forces::Left => {
                self.gather(plan, residual, &residual.value);
                1.0 / scale
            }
            Forces::Held { scale: before } => {
                let right = core::mem::take(&mut self.right);
                self.gather(plan, residual, &right);
                self.right = right;
                before / scale
            }
        };
        self.springs.begin();
        let mut most = 0.0_f32;
        for i in 1..self.joint.len() {
            let parent = plan.parents[i];
            let bone = self.arm[i] - self.arm[parent];
            let stretch = self.wrench[i].force.dot(bone) * share;
            let square = bone.length_squared();
            if stretch > 0.0 && square > 0.0 {
                most = most.max(stretch);
                let across = Mat3::IDENTITY - outer(bone) * (1.0 / square);
                self.springs.stiffen(parent, across * stretch);
            }
        }
        // Where no limb is nearly straight, steps without curvature settle as fast and cost half.
        if matches!(forces, Forces::Held { .. }) && most < SLIGHT {
            self.springs.switch_off();
        }
    }

    /// Counts the curvature of the borders that a joint is held on by a torque, in a step of this
    /// scale. Curvature below 0 is left out.
    #[inline(never)]
    pub(super) fn curve_borders(
        &mut self,
        i: usize,
        state: &State,
        model: &PreparedJoint,
        (torque, scale): (Vec3, f32),
    ) {
        let (frame, turn, held) = (state.frame[i], state.at.turns[i], self.fixed[i]);
        let borders = &self.borders[i];
        let mut sum = Mat3::ZERO;
        for bend in model.bends(turn, frame, borders, held) {
            let [first, second] = bend.along;
            sum += outward_part(first, second, bend.turns) * (bend.outward.dot(torque).abs() / scale);
        }
        let step = self.joint[i];
        let solver = (Mat3::IDENTITY + step.mobility * sum).inverse();
        let mobility = solver * step.mobility;
        let curved = JointStep { mobility: (mobility + mobility.transpose()) * 0.5, bias: solver * step.bias };
        if curved.mobility.is_finite() && curved.bias.is_finite() {
            self.joint[i] = curved;
        }
    }

    /// The dual matrix and its right side, with the curvature.
    #[inline(never)]
    pub(super) fn build_stiff(&mut self, plan: &Plan, residual: &Residual) {
        let mut springs = core::mem::take(&mut self.springs);
        springs.load(&plan.parents, &self.joint);
        // The motion without torques.
        self.turn.fill(Vec3::ZERO);
        springs.turn::<true>(&plan.parents, &self.joint, &mut self.turn);
        self.slides.active_mut().iter_mut().for_each(|slide| slide.change = slide.bias);
        self.move_joints(plan, self.root.bias);
        for task in &plan.tasks {
            for row in task.row..task.row + task.rows {
                self.right[row] = residual.value[row] - self.work(residual, task, row, self.root.bias);
            }
        }
        // The motion that the multiplier of each row gives.
        self.cholesky.begin(plan.rows);
        for (number, task) in plan.tasks.iter().enumerate() {
            for row in task.row..task.row + task.rows {
                let pull = self.load_torques(plan, residual, task, row);
                springs.turn::<false>(&plan.parents, &self.joint, &mut self.turn);
                let shift = self.root.mobility * pull;
                self.move_joints(plan, shift);
                for other in &plan.tasks[number..] {
                    for column in other.row.max(row)..other.row + other.rows {
                        self.column[column] = self.work(residual, other, column, shift);
                    }
                }
                self.cholesky.row_mut(row)[row..plan.rows].copy_from_slice(&self.column[row..plan.rows]);
            }
        }
        self.cholesky.set_right(&self.right);
        self.springs = springs;
    }
    /// The torques of a row on all joints, and its forces on bones that slide, times their
    /// mobility; returns its force on the root.
    fn load_torques(&mut self, plan: &Plan, residual: &Residual, task: &Planned, row: usize) -> Vec3 {
        self.turn.fill(Vec3::ZERO);
        let mut pull = Vec3::ZERO;
        for (a, place) in task.places.iter().enumerate() {
            let Place::Joint(joint) = *place else { continue };
            let wrench = &residual.wrench[row * MAX_ANCHORS + a];
            pull += wrench.force;
            let mut i = joint;
            loop {
                self.turn[i] += wrench.torque_about(self.arm[i]);
                if i == 0 {
                    break;
                }
                i = plan.parents[i];
            }
        }
        if let Some(s) = self.spread.iter().position(|spread| *spread == row) {
            pull += self.spread_force(residual, s);
            let covectors = &self.covector[s * self.turn.len()..];
            self.turn.iter_mut().zip(covectors).for_each(|(turn, covector)| *turn += *covector);
        }
        let mut slides = core::mem::take(&mut self.slides);
        for slide in slides.active_mut() {
            slide.change = slide.mobility * self.slide_lever(plan, residual, slide, task, row);
        }
        self.slides = slides;
        pull
    }
    /// Motion of each joint's end by the turns and changes that there are.
    #[inline(always)]
    fn move_joints(&mut self, plan: &Plan, shift: Vec3) {
        let n = self.turn.len();
        let (motions, turns, arms) = (&mut self.motion[..n], &self.turn[..n], &self.arm[..n]);
        motions[0] = Motion { angular: turns[0], linear: shift };
        for i in 1..n {
            let above = motions[plan.parents[i]];
            motions[i] = if turns[i] == Vec3::ZERO { above } else { above.plus(&Motion::turn(arms[i], turns[i])) };
            for slide in self.slides.active().iter().filter(|slide| slide.place == i) {
                motions[i].linear += slide.direction * slide.change;
            }
        }
    }
    /// What a row falls by with that motion.
    #[inline(always)]
    fn work(&self, residual: &Residual, task: &Planned, row: usize, shift: Vec3) -> f32 {
        let mut work = 0.0;
        for (a, place) in task.places.iter().enumerate() {
            if let Place::Joint(joint) = *place {
                work += residual.wrench[row * MAX_ANCHORS + a].on(&self.motion[joint]);
            }
        }
        if let Some(s) = self.spread.iter().position(|spread| *spread == row) {
            let force = self.spread_force(residual, s);
            let covectors = &self.covector[s * self.turn.len()..];
            work += force.dot(shift);
            work += covectors.iter().zip(&self.turn).map(|(covector, turn)| covector.dot(*turn)).sum::<f32>();
            for slide in self.slides.active() {
                work += force.dot(slide.direction) * slide.mass_share * slide.change;
            }
        }
        work
    }

    /// Turns of all joints by their torques, which are in `turn`; returns the largest.
    #[inline(never)]
    pub(super) fn turn_stiff<const BIASED: bool>(&mut self, plan: &Plan) -> f32 {
        self.springs.turn::<BIASED>(&plan.parents, &self.joint, &mut self.turn);
        float::sqrt(self.turn.iter().fold(0.0, |most, turn| turn.length_squared().max(most)))
    }
}
