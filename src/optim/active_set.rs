//! A joint's share of a step, with the borders that the step has reached as equality constraints.
//!
//! # Derivation
//!
//! The free step of a joint under a torque `τ` is `ω = b + W τ`, `W` its mobility and `b` its step
//! without torque. A border with the outward gradient `n` at the distance `room` is put into the
//! active set by the condition `n · ω = room` for every torque:
//!
//! ```text
//! v = W n,   s = n · v,   W' = W − v vᵀ/s,   b' = b + v (room − n · b)/s
//! ```
//!
//! so that `n · W' = 0` and `n · b' = room`; directions fixed before stay fixed, as their gradients
//! are in the null space of `W`. The metric is that of the mobility, as in
//! [`crate::limits::Mobility::forbid`].
//!
//! Source: P. Baerlocher, R. Boulic, "An inverse kinematics architecture enforcing an arbitrary
//! number of strict priority levels", The Visual Computer 20 (2004), §5 (limits by clamping loop).

use crate::math::{Mat3, Vec3};

/// Mobility and bias of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct JointStep {
    /// `W`, symmetric.
    pub mobility: Mat3,
    /// `b`.
    pub bias: Vec3,
}

impl JointStep {
    /// The joint's step under a torque.
    #[inline(always)]
    pub fn under(&self, torque: Vec3) -> Vec3 {
        self.bias + self.mobility * torque
    }
    /// Fixes the motion along the unit `outward` at `room`; false where the joint cannot move in
    /// that direction. `floor` is the mobility below which a direction counts as immobile.
    pub fn fix(&mut self, outward: Vec3, room: f32, floor: f32) -> bool {
        let v = self.mobility * outward;
        let s = outward.dot(v);
        if s <= floor {
            return false;
        }
        let u = v * (1.0 / s);
        self.bias += u * (room - outward.dot(self.bias));
        self.mobility.x_axis -= v * u.x;
        self.mobility.y_axis -= v * u.y;
        self.mobility.z_axis -= v * u.z;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Noise;
    use super::*;

    #[test]
    fn fixed_directions_stay_fixed() {
        let mut noise = Noise::new(5);
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        for _ in 0..100 {
            let mut step = JointStep { mobility: Mat3::IDENTITY, bias: v() };
            let walls = [(v().normalize(), 0.1), (v().normalize(), -0.2)];
            for (n, room) in walls {
                assert!(step.fix(n, room, 1e-6));
            }
            let omega = step.under(v());
            for (n, room) in walls {
                assert!((n.dot(omega) - room).abs() < 1e-3, "{n} {room} {omega}");
            }
            assert!(!step.fix(walls[0].0, 0.0, 1e-6), "already fixed");
        }
    }
}
