//! Joints of a body that follow others: set up.

use super::couplings::{Coupled, JointCoupling};
use super::descent::Solve;
use super::solver::{Body, BodyError};
use crate::math::Vec3;
use crate::skeleton::JointIndex;
use core::f32::consts::PI;

impl Body {
    /// Makes a joint's turn about an axis follow another joint's, or with `None` turn freely again.
    /// Both must be below the root; a joint that follows cannot be followed. Allocates.
    pub fn set_joint_coupling(&mut self, joint: JointIndex, coupling: Option<JointCoupling>) -> Result<(), BodyError> {
        self.check_joint(joint)?;
        if let Some(coupling) = coupling {
            let JointCoupling { driver, driver_axis, axis, ratio, offset_rad } = coupling;
            self.check_joint(driver)?;
            let is_below = |j: JointIndex| j != self.root && self.skeleton.is_self_or_ancestor(self.root, j);
            let follows = |j: JointIndex| self.couplings.iter().any(|(driven, _)| *driven == j);
            let why = if joint == driver {
                Some("it is the joint itself")
            } else if !is_below(joint) || !is_below(driver) {
                Some("both must be below the root")
            } else if follows(driver) {
                Some("that joint follows another")
            } else if self.couplings.iter().any(|(_, c)| c.driver == joint) {
                Some("another joint follows it")
            } else {
                None
            };
            if let Some(why) = why {
                return Err(BodyError::BadCoupling { joint, driver, why });
            }
            let is_unit = |v: Vec3| (v.length_squared() - 1.0).abs() < 1e-3;
            let numbers = [
                ("ratio", ratio, ratio.abs() <= 100.0),
                ("offset", offset_rad, offset_rad.abs() <= PI),
                ("axis", axis.length(), is_unit(axis)),
                ("driver axis", driver_axis.length(), is_unit(driver_axis)),
            ];
            if let Some((name, value, _)) = numbers.into_iter().find(|(.., is_good)| !is_good) {
                return Err(BodyError::OutOfRange { name, value });
            }
        }
        self.couplings.retain(|(driven, _)| *driven != joint);
        if let Some(coupling) = coupling {
            let at = self.couplings.partition_point(|(driven, _)| *driven < joint);
            self.couplings.insert(at, (joint, coupling));
        }
        self.replan();
        Ok(())
    }
    /// How a joint follows another; `None` where it does not.
    pub fn joint_coupling(&self, joint: JointIndex) -> Result<Option<&JointCoupling>, BodyError> {
        self.check_joint(joint)?;
        Ok(self.couplings.iter().find(|(driven, _)| *driven == joint).map(|(_, coupling)| coupling))
    }
    /// The couplings of the joints that take part.
    pub(super) fn load_couplings(&mut self) {
        let Solve { plan, state, step, models, .. } = &mut *self.solve;
        let place = |joint: JointIndex| plan.joints.binary_search(&joint).ok();
        state.couplings.clear();
        for (joint, coupling) in &self.couplings {
            if let (Some(driven), Some(driver)) = (place(*joint), place(coupling.driver)) {
                state.couplings.push(Coupled::new(driven, driver, coupling, models));
                // Its posture is its driver's.
                step.weight[driven] = 0.0;
            }
        }
        step.couplings.clone_from(&state.couplings);
        if !state.couplings.is_empty() {
            step.coupled_rows.reserve(plan.all_rows);
            step.coupled_bias.reserve(plan.all_rows);
        }
    }
}
