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
//! ω = M Jᵀ p − Σ λ M n,   p = A⁻¹ e + Σ λ A⁻¹ m,   m = J M n
//! ```
//!
//! and each `λ` in turn takes what its own border still lacks, cut at 0 (Hildreth's method). What
//! crosses a border is `n · ω = m · p − n · Σ λ M n`, so the passes need the pull `p` and a sum for
//! each joint, not the joints' turns. Every pass is continuous in the numbers it starts from, so
//! the step is: no border is held or let go at once, as in a method that chooses a set of active
//! borders.
//!
//! Source: C. Hildreth, "A quadratic programming procedure", Naval Research Logistics Quarterly 4
//! (1957).

use crate::limits::Mobility;
use crate::math::{Mat3, Vec3};

/// Most passes over the borders.
const PASSES: usize = 4;
/// Change of a step across a border below which no other pass follows, radians.
const SETTLED_RAD: f32 = 1e-5;
/// Curvature below which a border's joint has no motion across it.
const NO_MOTION: f32 = 1e-9;

/// A joint in a step that turns about any axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    /// Its mobility: symmetric, positive semi-definite.
    pub mobility: Mat3,
    /// The number that the mobility is a multiple of the unit matrix by, where it is.
    pub even: Option<f32>,
    /// From the joint to the end.
    pub arm: Vec3,
}

impl Turning {
    /// A joint that does not turn.
    pub const NONE: Self = Self { mobility: Mat3::ZERO, even: Some(0.0), arm: Vec3::ZERO };

    #[inline(always)]
    fn willing(&self, torque: Vec3) -> Vec3 {
        match self.even {
            Some(even) => torque * even,
            None => self.mobility * torque,
        }
    }
    /// How the joint turns for a pull at the end.
    #[inline(always)]
    fn turn(&self, pull: Vec3) -> Vec3 {
        self.willing(self.arm.cross(pull))
    }
    /// `J M Jᵀ`.
    #[inline(always)]
    fn motion(&self) -> Symmetric {
        let r = self.arm;
        if let Some(even) = self.even {
            let (x, y, z) = (even * r.x, even * r.y, even * r.z);
            return Symmetric {
                xx: y * r.y + z * r.z,
                yy: x * r.x + z * r.z,
                zz: x * r.x + y * r.y,
                xy: -(x * r.y),
                xz: -(x * r.z),
                yz: -(y * r.z),
            };
        }
        let m = &self.mobility;
        let (a, b, c) = (r.cross(m.x_axis), r.cross(m.y_axis), r.cross(m.z_axis));
        Symmetric {
            xx: r.y * c.x - r.z * b.x,
            xy: r.y * c.y - r.z * b.y,
            xz: r.y * c.z - r.z * b.z,
            yy: r.z * a.y - r.x * c.y,
            yz: r.z * a.z - r.x * c.z,
            zz: r.x * b.z - r.y * a.z,
        }
    }
}

/// The joints of a limb in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joints {
    pub root: Turning,
    pub girdle: Turning,
    /// The motion of the end by a turn of the mid joint, per radian.
    pub bend: Vec3,
}

/// Angular velocities of the joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    pub root: Vec3,
    pub girdle: Vec3,
    pub bend: f32,
}

/// Which joint a border is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Of {
    Root,
    Girdle,
    /// Along X of its borders: a turn about its axis.
    Bend,
}

/// `outward · ω ≤ room` of a joint.
#[derive(Clone, Copy, Debug)]
struct Border {
    joint: Of,
    outward: Vec3,
    room_rad: f32,
    /// How strongly it holds.
    multiplier: f32,
    /// `M n` and `J M n`.
    turned: Vec3,
    moved: Vec3,
    /// `A⁻¹ J M n`, and how much less crosses the border per multiplier; 0 until it is needed.
    pulled: Vec3,
    curvature: f32,
}

/// The borders of a step.
#[derive(Clone, Debug)]
pub(super) struct Borders {
    all: [Border; Self::MOST],
    count: usize,
}

impl Borders {
    /// Those of a root joint and a clavicle, and the ends of the range of the mid joint.
    const MOST: usize = 3 * Mobility::MAX_WALLS + 2;

    pub const fn new() -> Self {
        let none = Border {
            joint: Of::Root,
            outward: Vec3::ZERO,
            room_rad: 0.0,
            multiplier: 0.0,
            turned: Vec3::ZERO,
            moved: Vec3::ZERO,
            pulled: Vec3::ZERO,
            curvature: 0.0,
        };
        Self { all: [none; Self::MOST], count: 0 }
    }
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }
    /// Adds a border with this room; below 0 it counts as 0.
    #[inline(always)]
    pub fn add(&mut self, joint: Of, outward: Vec3, room_rad: f32) {
        if let Some(border) = self.all.get_mut(self.count) {
            border.joint = joint;
            border.outward = outward;
            border.room_rad = room_rad.max(0.0);
            (border.multiplier, border.curvature) = (0.0, 0.0);
            self.count += 1;
        }
    }
}

/// Angular velocities of the joints for a step of the end by `left`.
#[inline(always)]
pub(super) fn step(joints: &Joints, borders: &mut Borders, left: Vec3, damping: f32) -> Turns {
    step_in(PASSES, joints, borders, left, damping)
}

#[inline(always)]
fn step_in(passes: usize, joints: &Joints, borders: &mut Borders, left: Vec3, damping: f32) -> Turns {
    let Joints { root, girdle, bend } = joints;
    let inverse = root.motion().plus(&girdle.motion()).plus(&Symmetric::outer(*bend)).inverse_with(damping);
    let mut pull = inverse.times(left);
    let borders = &mut borders.all[..borders.count];
    for border in borders.iter_mut() {
        (border.turned, border.moved) = match border.joint {
            Of::Bend => (border.outward, *bend * border.outward.x),
            Of::Root => moved(root, border.outward),
            Of::Girdle => moved(girdle, border.outward),
        };
    }
    let mut held = [Vec3::ZERO; 3];
    for _ in 0..passes {
        let mut largest = 0.0f32;
        for border in borders.iter_mut() {
            let held = &mut held[border.joint as usize];
            let over = border.moved.dot(pull) - border.outward.dot(*held) - border.room_rad;
            if over <= 0.0 && border.multiplier == 0.0 {
                continue;
            }
            if border.curvature == 0.0 {
                border.pulled = inverse.times(border.moved);
                border.curvature = border.outward.dot(border.turned) - border.moved.dot(border.pulled);
            }
            if border.curvature <= NO_MOTION {
                continue;
            }
            let next = (border.multiplier + over / border.curvature).max(0.0);
            let change = next - border.multiplier;
            border.multiplier = next;
            pull += border.pulled * change;
            *held += border.turned * change;
            largest = largest.max(change.abs() * border.curvature);
        }
        if largest < SETTLED_RAD {
            break;
        }
    }
    let [of_root, of_girdle, of_bend] = held;
    Turns { root: root.turn(pull) - of_root, girdle: girdle.turn(pull) - of_girdle, bend: bend.dot(pull) - of_bend.x }
}

/// `M n` and `J M n`.
#[inline(always)]
fn moved(joint: &Turning, outward: Vec3) -> (Vec3, Vec3) {
    let turned = joint.willing(outward);
    (turned, turned.cross(joint.arm))
}

/// A symmetric matrix.
#[derive(Clone, Copy)]
struct Symmetric {
    xx: f32,
    yy: f32,
    zz: f32,
    xy: f32,
    xz: f32,
    yz: f32,
}

impl Symmetric {
    #[inline(always)]
    fn outer(v: Vec3) -> Self {
        Self { xx: v.x * v.x, yy: v.y * v.y, zz: v.z * v.z, xy: v.x * v.y, xz: v.x * v.z, yz: v.y * v.z }
    }
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            zz: self.zz + other.zz,
            xy: self.xy + other.xy,
            xz: self.xz + other.xz,
            yz: self.yz + other.yz,
        }
    }
    /// The inverse of the matrix with a number added on its diagonal.
    #[inline(always)]
    fn inverse_with(&self, added: f32) -> Self {
        let Self { xx, yy, zz, xy, xz, yz } = *self;
        let (xx, yy, zz) = (xx + added, yy + added, zz + added);
        let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
        let over = 1.0 / (xx * a + xy * b + xz * c);
        Self {
            xx: a * over,
            xy: b * over,
            xz: c * over,
            yy: (xx * zz - xz * xz) * over,
            yz: (xy * xz - xx * yz) * over,
            zz: (xx * yy - xy * xy) * over,
        }
    }
    #[inline(always)]
    fn times(&self, v: Vec3) -> Vec3 {
        Vec3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
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
            let mut ball =
                || Turning { mobility: Mat3::from_diagonal(v().abs() + Vec3::splat(0.2)), even: None, arm: v() };
            let (root, girdle) = (ball(), ball());
            let root = match case % 2 {
                0 => root,
                _ => Turning { mobility: Mat3::from_diagonal(Vec3::splat(0.7)), even: Some(0.7), ..root },
            };
            let joints = Joints { root, girdle, bend: v() };
            let mut given = Borders::new();
            for i in 0..6 {
                let room = 0.2 * v().x.abs();
                match i % 3 {
                    0 => given.add(Of::Root, v().normalize(), room),
                    1 => given.add(Of::Girdle, v().normalize(), room),
                    _ => given.add(Of::Bend, Vec3::X * if i < 3 { 1.0 } else { -1.0 }, room),
                }
            }
            let (left, damping) = (v(), 0.3);
            let objective = |turns: &Turns| {
                let moved = turns.root.cross(root.arm) + turns.girdle.cross(girdle.arm) + joints.bend * turns.bend;
                let price =
                    |w: Vec3, m: &Mat3| w.x * w.x / m.x_axis.x + w.y * w.y / m.y_axis.y + w.z * w.z / m.z_axis.z;
                let price = price(turns.root, &root.mobility) + price(turns.girdle, &girdle.mobility);
                (left - moved).length_squared() + damping * (price + turns.bend * turns.bend)
            };
            let over = |turns: &Turns| {
                let across = |b: &Border| match b.joint {
                    Of::Root => b.outward.dot(turns.root),
                    Of::Girdle => b.outward.dot(turns.girdle),
                    Of::Bend => b.outward.x * turns.bend,
                };
                given.all[..given.count].iter().map(|b| across(b) - b.room_rad).fold(f32::MIN, f32::max)
            };
            // As many passes as a step takes leave little across a border, whatever their angles.
            let few = step(&joints, &mut given.clone(), left, damping);
            assert!(over(&few) < 0.15, "case {case}: {} across a border", over(&few));
            let mut borders = given.clone();
            let turns = step_in(400, &joints, &mut borders, left, damping);
            assert!(over(&turns) < 1e-3, "case {case}: {} across a border", over(&turns));
            held += usize::from(borders.all[..borders.count].iter().any(|b| b.multiplier > 0.0));
            // No admissible step near by is better.
            let best = objective(&turns);
            for _ in 0..100 {
                let other = Turns {
                    root: turns.root + v() * 0.05,
                    girdle: turns.girdle + v() * 0.05,
                    bend: turns.bend + v().x * 0.05,
                };
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
