//! Joints whose bones resist turning: a chain of springs on a tree.
//!
//! # Derivation
//!
//! With `Mⱼ` the mobility of a joint, `bⱼ` its bias and `tⱼ` a torque, the step of least energy is
//! that of a chain of springs:
//!
//! ```text
//! φⱼ = φ_parent + ωⱼ,    ωⱼ = bⱼ + Mⱼ (tⱼ − κⱼ),    κⱼ = Kⱼ φⱼ + Σ κ_child
//! ```
//!
//! From the leaves up `κⱼ = Aⱼ φ_parent + aⱼ`, with `P = K + Σ A_child`, `X = (1 + P M)⁻¹`,
//! `A = X P` and `a = X (P (b + M t) + Σ a_child)`; then from the root down `φ`. That is
//! `O(joints)`.
//!
//! Source: R. Featherstone, "Rigid Body Dynamics Algorithms" (2008), ch. 7 (articulated bodies), of
//! which this is the static case.

use crate::math::{Mat3, Vec3};
use crate::optim::JointStep;

/// The chain of springs.
#[derive(Clone, Debug, Default)]
pub(super) struct Springs {
    on: bool,
    /// `K` of the bones that a joint carries, in units of a step's scale.
    stiffness: Vec<Mat3>,
    chains: Vec<Chain>,
    /// `a` and then `κ`; `φ`.
    moment: Vec<Vec3>,
    turned: Vec<Vec3>,
}

/// `P`, `X` and `A` of a joint, and whether they are not 0, 1 and 0.
#[derive(Clone, Copy, Debug)]
struct Chain {
    sum: Mat3,
    solver: Mat3,
    seen: Mat3,
    bears: bool,
}

impl Chain {
    const NONE: Self = Self { sum: Mat3::ZERO, solver: Mat3::IDENTITY, seen: Mat3::ZERO, bears: false };
}

impl Springs {
    pub fn new(joints: usize) -> Self {
        Self {
            on: false,
            stiffness: vec![Mat3::ZERO; joints],
            chains: vec![Chain::NONE; joints],
            moment: vec![Vec3::ZERO; joints],
            turned: vec![Vec3::ZERO; joints],
        }
    }
    /// Whether steps have curvature.
    pub fn are_on(&self) -> bool {
        self.on
    }
    /// Steps have no curvature until bones are stiffened.
    pub fn switch_off(&mut self) {
        self.on = false;
    }
    /// Begins anew, without stiffness.
    pub fn begin(&mut self) {
        self.on = false;
        self.stiffness.fill(Mat3::ZERO);
    }
    /// Adds stiffness against the turn of the bone that a joint carries, in units of a step's
    /// scale.
    pub fn stiffen(&mut self, joint: usize, by: Mat3) {
        self.stiffness[joint] += by;
        self.on = true;
    }
    /// What depends on the joints' mobilities.
    pub fn load(&mut self, parents: &[usize], joints: &[JointStep]) {
        for (chain, stiffness) in self.chains.iter_mut().zip(&self.stiffness) {
            *chain = Chain { sum: *stiffness, bears: *stiffness != Mat3::ZERO, ..Chain::NONE };
        }
        for i in (0..joints.len()).rev() {
            let chain = &mut self.chains[i];
            if !chain.bears {
                continue;
            }
            chain.solver = solver(&chain.sum, &joints[i].mobility);
            let seen = chain.solver * chain.sum;
            chain.seen = (seen + seen.transpose()) * 0.5;
            let seen = chain.seen;
            if i > 0 {
                let above = &mut self.chains[parents[i]];
                above.sum += seen;
                above.bears = true;
            }
        }
    }
    /// Turns of all joints under torques, in whose place they come; with the joints' bias or
    /// without.
    #[inline(always)]
    pub fn turn<const BIASED: bool>(&mut self, parents: &[usize], joints: &[JointStep], turns: &mut [Vec3]) {
        self.moment.fill(Vec3::ZERO);
        let n = joints.len();
        let (chains, moments, turned) = (&self.chains[..n], &mut self.moment[..n], &mut self.turned[..n]);
        let (turns, parents) = (&mut turns[..n], &parents[..n]);
        for i in (0..n).rev() {
            let (chain, torque) = (&chains[i], turns[i]);
            if !chain.bears || !BIASED && torque == Vec3::ZERO && moments[i] == Vec3::ZERO {
                continue;
            }
            let alone = if BIASED { joints[i].under(torque) } else { joints[i].mobility * torque };
            let moment = chain.solver * (chain.sum * alone + moments[i]);
            moments[i] = moment;
            if i > 0 {
                moments[parents[i]] += moment;
            }
        }
        for i in 0..n {
            let above = if i > 0 { turned[parents[i]] } else { Vec3::ZERO };
            let torque = if chains[i].bears {
                moments[i] += chains[i].seen * above;
                turns[i] - moments[i]
            } else {
                turns[i]
            };
            if BIASED || torque != Vec3::ZERO {
                turns[i] = if BIASED { joints[i].under(torque) } else { joints[i].mobility * torque };
            }
            turned[i] = above + turns[i];
        }
    }
    /// What bones have turned against in the last step, in units of its scale.
    pub fn energy(&self) -> f32 {
        let turned = self.turned.iter().zip(&self.stiffness);
        if self.on { turned.map(|(turned, k)| turned.dot(*k * *turned)).sum() } else { 0.0 }
    }
}

/// `(1 + P M)⁻¹`, in numbers twice as long: the 1 beside a stiffness of thousands would lose too
/// many digits.
fn solver(sum: &Mat3, mobility: &Mat3) -> Mat3 {
    type Column = [f64; 3];
    let long = |m: &Mat3| m.to_cols_array_2d().map(|column| column.map(f64::from));
    let (p, m) = (long(sum), long(mobility));
    let mut a = [[0.0; 3]; 3];
    for (c, column) in a.iter_mut().enumerate() {
        for (r, number) in column.iter_mut().enumerate() {
            *number = p[0][r] * m[c][0] + p[1][r] * m[c][1] + p[2][r] * m[c][2];
        }
        column[c] += 1.0;
    }
    let cross =
        |a: Column, b: Column| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let rows = [cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])];
    let over = 1.0 / (a[0][0] * rows[0][0] + a[0][1] * rows[0][1] + a[0][2] * rows[0][2]);
    Mat3::from_cols_array_2d(&rows.map(|row| row.map(|number| (number * over) as f32))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::outer;
    use crate::optim::Noise;

    const PARENTS: [usize; 8] = [0, 0, 1, 2, 1, 4, 0, 6];
    /// Rounding of moments of up to a hundred.
    const LACK: f32 = 5e-4;

    fn joint(noise: &mut Noise, locked: bool) -> JointStep {
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        let (a, bias) = (v(), v());
        let mobility = if locked { Mat3::ZERO } else { Mat3::IDENTITY - outer(a.normalize()) * 0.9 };
        JointStep { mobility, bias }
    }

    /// What the equations of the chain are off by: each joint's turn under its torque, and what all
    /// bones below it resist with.
    fn lacks(springs: &Springs, joints: &[JointStep], torques: &[Vec3], turns: &[Vec3], biased: bool) -> f32 {
        let mut all = [Vec3::ZERO; 8];
        for i in 0..8 {
            all[i] = turns[i] + if i > 0 { all[PARENTS[i]] } else { Vec3::ZERO };
        }
        let mut moments: [Vec3; 8] = core::array::from_fn(|i| springs.stiffness[i] * all[i]);
        for i in (1..8).rev() {
            let moment = moments[i];
            moments[PARENTS[i]] += moment;
        }
        (0..8).fold(0.0, |most, i| {
            let bias = if biased { joints[i].bias } else { Vec3::ZERO };
            most.max((turns[i] - bias - joints[i].mobility * (torques[i] - moments[i])).length())
        })
    }

    #[test]
    fn turns_are_in_balance_with_what_bones_resist_with() {
        let mut noise = Noise::new(3);
        for round in 0..50 {
            let joints: Vec<JointStep> = (0..8).map(|i| joint(&mut noise, (i + round) % 7 == 0)).collect();
            let mut springs = Springs::new(8);
            springs.begin();
            for i in 0..8 {
                let n = Vec3::new(noise.signed(), noise.signed(), noise.signed()).normalize();
                if (i + round) % 3 != 0 {
                    springs.stiffen(i, (Mat3::IDENTITY - outer(n)) * (20.0 * (noise.signed() + 1.0)));
                }
            }
            springs.load(&PARENTS, &joints);
            let torques: Vec<Vec3> = (0..8)
                .map(|i| Vec3::new(noise.signed(), noise.signed(), noise.signed()) * f32::from(u8::from(i % 2 == 0)))
                .collect();
            let mut turns = torques.clone();
            springs.turn::<true>(&PARENTS, &joints, &mut turns);
            let lack = lacks(&springs, &joints, &torques, &turns, true);
            assert!(lack < LACK, "{round}: {lack}");
            let mut turns = torques.clone();
            springs.turn::<false>(&PARENTS, &joints, &mut turns);
            let lack = lacks(&springs, &joints, &torques, &turns, false);
            assert!(lack < LACK, "{round}: {lack}");
        }
    }
}
