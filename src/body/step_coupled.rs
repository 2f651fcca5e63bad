//! The parts of a step that joints which follow others need; see `couplings` for the derivation.

use super::plan::{Place, Plan, Planned};
use super::residual::Residual;
use super::state::State;
use super::step::Step;
use crate::math::{Mat3, Vec3};
use crate::optim::JointStep;
use crate::tasks::MAX_ANCHORS;

impl Step {
    /// What depends on the pose alone.
    pub(super) fn load_couplings(&mut self, state: &State) {
        self.couplings.clone_from(&state.couplings);
        for coupled in &mut self.couplings {
            coupled.linearize(&state.at.turns, &state.frame);
        }
    }
    /// Takes the mobility of driven joints, which have none of their own.
    pub(super) fn hold_driven(&mut self) {
        for coupled in &self.couplings {
            let still = JointStep { mobility: Mat3::ZERO, bias: Vec3::ZERO };
            (self.joint[coupled.driven], self.even[coupled.driven]) = (still, 0.0);
        }
    }
    /// Torque on the driven joints of a driver, as it acts on the driver.
    pub(super) fn coupled_torque(&self, driver: usize, numbers: &[f32]) -> Vec3 {
        let mut torque = Vec3::ZERO;
        for coupled in self.couplings.iter().filter(|c| c.driver == driver) {
            torque += coupled.gradient * coupled.along.dot(self.own_torque(coupled.driven, numbers));
        }
        torque
    }
    /// Covectors of a row: on a driver, and what its driven joints add.
    pub(super) fn covectors(
        &self,
        plan: &Plan,
        state: &State,
        residual: &Residual,
        driver: usize,
        task: &Planned,
        row: usize,
    ) -> (Vec3, Vec3) {
        let torque = |joint: usize| {
            let mut torque = Vec3::ZERO;
            for (a, place) in task.places.iter().enumerate() {
                if let Place::Joint(at) = *place
                    && plan.common(joint, at) == joint
                {
                    let wrench = residual.wrench[row * MAX_ANCHORS + a];
                    torque += wrench.torque_about(state.position[joint] - state.at.root);
                }
            }
            if let Some(s) = self.spread.iter().position(|spread| *spread == row) {
                torque += self.covector[s * plan.joints.len() + joint];
            }
            torque
        };
        let mut added = Vec3::ZERO;
        for coupled in self.couplings.iter().filter(|c| c.driver == driver) {
            added += coupled.gradient * coupled.along.dot(torque(coupled.driven));
        }
        (torque(driver), added)
    }
    /// The dual's entries of joints that follow others, and what their drivers' bias does to rows.
    #[inline(never)]
    pub(super) fn add_couplings(&mut self, plan: &Plan, state: &State, residual: &Residual) {
        let mut rows = core::mem::take(&mut self.coupled_rows);
        self.coupled_bias.clear();
        self.coupled_bias.resize(plan.rows, 0.0);
        for number in 0..self.couplings.len() {
            let driver = self.couplings[number].driver;
            if self.couplings[..number].iter().any(|c| c.driver == driver) {
                continue;
            }
            rows.clear();
            for task in &plan.tasks {
                let of = task.row..task.row + task.rows;
                rows.extend(of.map(|row| self.covectors(plan, state, residual, driver, task, row)));
            }
            let step = self.joint[driver];
            for (r, (t, e)) in rows.iter().enumerate() {
                let (moved, moved_all) = (step.mobility * *t, step.mobility * (*t + *e));
                let to = self.cholesky.row_mut(r);
                for (value, (other, other_e)) in to[r..].iter_mut().zip(&rows[r..]) {
                    *value += moved_all.dot(*other + *other_e) - moved.dot(*other);
                }
                self.coupled_bias[r] += e.dot(step.bias);
            }
        }
        self.coupled_rows = rows;
    }
}
