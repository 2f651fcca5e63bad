//! A damped step of joints that stay behind their borders.
//!
//! # Derivation
//!
//! A joint that turns with `ω` moves the end by `ω × r`, `r` from the joint to the end. With the
//! joints' mobilities `M` on the diagonal, `J` of these products and damping `d`, the step to a
//! place `e` away minimises `|e − J ω|² + d ωᵀ M⁻¹ ω` under `n · ω ≤ room` for each border. Without
//! borders that is `ω = M Jᵀ A⁻¹ e`, `A = J M Jᵀ + d`, three rows whatever the number of joints.
//! With multipliers `λ ≥ 0`
//!
//! ```text
//! ω = M Jᵀ (A⁻¹ e + Σ λ A⁻¹ J M n) − Σ λ M n
//! ```
//!
//! and each `λ` in turn takes what its own border still lacks, cut at 0 (Hildreth's method). Every
//! pass is continuous in the numbers it starts from, so the step is: no border is held or let go
//! at once, as in a method that chooses a set of active borders.
//!
//! Source: C. Hildreth, "A quadratic programming procedure", Naval Research Logistics Quarterly 4
//! (1957).

use crate::math::{F32x4, LaneVec3, Mat3, Vec3};

/// Most passes over the borders.
const PASSES: usize = 4;
/// Change of a step across a border below which no other pass follows, radians.
const SETTLED_RAD: f32 = 1e-5;
/// Curvature below which a border's joint has no motion across it.
const NO_MOTION: f32 = 1e-9;

/// A joint in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    /// Its mobility: symmetric, positive semi-definite.
    pub mobility: Mat3,
    /// From the joint to the end.
    pub arm: Vec3,
}

impl Turning {
    /// A joint that does not turn.
    pub const NONE: Self = Self { mobility: Mat3::ZERO, arm: Vec3::ZERO };
}

/// `outward · ω ≤ room` of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub joint: usize,
    pub outward: Vec3,
    pub room_rad: f32,
    /// How strongly it holds.
    multiplier: f32,
    /// `M n`, `A⁻¹ J M n`, and how much less crosses the border per multiplier; 0 until it is
    /// needed.
    turned: Vec3,
    pulled: Vec3,
    curvature: f32,
}

impl Border {
    /// A border with this room; below 0 it counts as 0.
    pub fn new(joint: usize, outward: Vec3, room_rad: f32) -> Self {
        let none = Vec3::ZERO;
        let room_rad = room_rad.max(0.0);
        Self { joint, outward, room_rad, multiplier: 0.0, turned: none, pulled: none, curvature: 0.0 }
    }
}

/// Angular velocities of the joints for a step of the end by `left`. The borders have no
/// multipliers yet.
#[inline(always)]
pub(super) fn step<const JOINTS: usize>(
    joints: &[Turning; JOINTS],
    borders: &mut [Border],
    left: Vec3,
    damping: f32,
) -> [Vec3; JOINTS] {
    step_in(PASSES, joints, borders, left, damping)
}

#[inline(always)]
fn step_in<const JOINTS: usize>(
    passes: usize,
    joints: &[Turning; JOINTS],
    borders: &mut [Border],
    left: Vec3,
    damping: f32,
) -> [Vec3; JOINTS] {
    let side_by_side = SideBySide::of(joints);
    let column = |e: Vec3| {
        let moved = side_by_side.turns(e).cross(side_by_side.arm);
        (0..JOINTS).fold(e * damping, |sum, joint| sum + in_lane(&moved, joint))
    };
    let inverse = Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z)).inverse();
    let mut turns = side_by_side.turns(inverse * left);
    for _ in 0..passes {
        let mut largest = 0.0f32;
        for border in borders.iter_mut() {
            let over = border.outward.dot(in_lane(&turns, border.joint)) - border.room_rad;
            if over <= 0.0 && border.multiplier == 0.0 {
                continue;
            }
            if border.curvature == 0.0 {
                let joint = &joints[border.joint];
                border.turned = joint.mobility * border.outward;
                let moved = border.turned.cross(joint.arm);
                border.pulled = inverse * moved;
                border.curvature = border.outward.dot(border.turned) - moved.dot(border.pulled);
            }
            if border.curvature <= NO_MOTION {
                continue;
            }
            let next = (border.multiplier + over / border.curvature).max(0.0);
            let change = next - border.multiplier;
            border.multiplier = next;
            turns = turns + side_by_side.turns(border.pulled * change);
            let back = border.turned * change;
            turns.x.0[border.joint] -= back.x;
            turns.y.0[border.joint] -= back.y;
            turns.z.0[border.joint] -= back.z;
            largest = largest.max(change.abs() * border.curvature);
        }
        if largest < SETTLED_RAD {
            break;
        }
    }
    core::array::from_fn(|joint| in_lane(&turns, joint))
}

/// Up to four joints, each in a lane.
struct SideBySide {
    /// Columns of the mobilities.
    mobility: [LaneVec3<F32x4>; 3],
    arm: LaneVec3<F32x4>,
}

impl SideBySide {
    #[inline(always)]
    fn of<const JOINTS: usize>(joints: &[Turning; JOINTS]) -> Self {
        const { assert!(JOINTS <= 4) };
        let lanes = |of: fn(&Turning) -> Vec3| {
            let mut lanes = LaneVec3::<F32x4>::zero();
            for (i, joint) in joints.iter().enumerate() {
                let v = of(joint);
                (lanes.x.0[i], lanes.y.0[i], lanes.z.0[i]) = (v.x, v.y, v.z);
            }
            lanes
        };
        let mobility = [lanes(|j| j.mobility.x_axis), lanes(|j| j.mobility.y_axis), lanes(|j| j.mobility.z_axis)];
        Self { mobility, arm: lanes(|j| j.arm) }
    }
    /// How the joints turn for a pull at the end.
    #[inline(always)]
    fn turns(&self, pull: Vec3) -> LaneVec3<F32x4> {
        let [x, y, z] = self.mobility;
        let torque = self.arm.cross(LaneVec3::splat(pull));
        x * torque.x + y * torque.y + z * torque.z
    }
}

#[inline(always)]
fn in_lane(v: &LaneVec3<F32x4>, lane: usize) -> Vec3 {
    Vec3::new(v.x.0[lane], v.y.0[lane], v.z.0[lane])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::Noise;

    #[test]
    fn it_is_the_least_of_the_objective_behind_the_borders() {
        let mut noise = Noise::new(5);
        let (mut held, mut compared) = (0, 0);
        for case in 0..200 {
            let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
            let joints =
                [0, 1, 2].map(|_| Turning { mobility: Mat3::from_diagonal(v().abs() + Vec3::splat(0.2)), arm: v() });
            let given: Vec<Border> = (0..6).map(|i| Border::new(i % 3, v().normalize(), 0.2 * v().x.abs())).collect();
            let (left, damping) = (v(), 0.3);
            let objective = |turns: &[Vec3; 3]| {
                let moved = turns.iter().zip(&joints).fold(Vec3::ZERO, |sum, (w, j)| sum + w.cross(j.arm));
                let price = turns.iter().zip(&joints).map(|(w, j)| {
                    let m = j.mobility;
                    w.x * w.x / m.x_axis.x + w.y * w.y / m.y_axis.y + w.z * w.z / m.z_axis.z
                });
                (left - moved).length_squared() + damping * price.sum::<f32>()
            };
            let over = |turns: &[Vec3; 3]| {
                given.iter().map(|b| b.outward.dot(turns[b.joint]) - b.room_rad).fold(f32::MIN, f32::max)
            };
            // As many passes as a step takes leave little across a border, whatever their angles.
            let few = step(&joints, &mut given.clone(), left, damping);
            assert!(over(&few) < 0.15, "case {case}: {} across a border", over(&few));
            let mut borders = given.clone();
            let turns = step_in(400, &joints, &mut borders, left, damping);
            assert!(over(&turns) < 1e-3, "case {case}: {} across a border", over(&turns));
            held += usize::from(borders.iter().any(|b| b.multiplier > 0.0));
            // No admissible step near by is better.
            let best = objective(&turns);
            for _ in 0..100 {
                let other = turns.map(|w| w + v() * 0.05);
                if over(&other) <= 0.0 {
                    compared += 1;
                    assert!(objective(&other) > best - 1e-3, "case {case}: {} of {best}", objective(&other));
                }
            }
        }
        println!("{held} of 200 at a border, {compared} other steps compared");
        assert!(held > 100 && compared > 500, "{held} {compared}");
    }
}
