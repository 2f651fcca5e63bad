//! Mobility of a path of joints: the motion of the last body under a wrench.
//!
//! # Derivation
//!
//! A joint at `p` (relative to the origin of all moments) that turns with `ω` gives every body
//! below it the motion `S ω`, `S = [1; [p]×]`: the angular velocity `ω`, and the velocity `p × ω`
//! of the body's point at the origin. A wrench `(τ, f)` on such a body is the torque
//! `Sᵀ (τ, f) = τ − p × f` on the joint. With the mobility `W` of each joint, the path's joints
//! give the body the motion `K (τ, f)`,
//!
//! ```text
//! K = Σ S W Sᵀ = Σ [ W         (p× W)ᵀ   ]
//!                  [ p× W    p× W (p×)ᵀ ]
//! ```
//!
//! a symmetric 6×6 matrix of 21 numbers, which one pass down a tree gives for every joint:
//! `K = K[parent] + S W Sᵀ`. The block of the dual matrix of two rows with wrenches `a` at joint
//! `i` and `b` at joint `k` is `aᵀ K b`, where `K` is that of the lowest joint above both: a joint
//! below it moves only one of the two rows. So no matrix over joints is built.
//!
//! `K` is the inverse operational-space inertia of a tree whose bodies have no mass but whose
//! joints have: R. Featherstone, "Rigid Body Dynamics Algorithms" (2008), ch. 8; K. Kreutz-Delgado,
//! A. Jain, G. Rodriguez, "Recursive formulation of operational space control", Int. J. Robotics
//! Research 11 (1992).

use crate::math::{Mat3, Vec3};

/// Square of the share of its two parts below which a torque is rounding.
pub(crate) const NO_TORQUE: f32 = 1e-12;

/// A force, and a moment about the common origin.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Wrench {
    /// Moment about the origin.
    pub torque: Vec3,
    /// Force.
    pub force: Vec3,
}

impl Wrench {
    /// A force at a point (relative to the origin) and a free torque.
    #[inline(always)]
    pub fn at(point: Vec3, force: Vec3, torque: Vec3) -> Self {
        Self { torque: torque + point.cross(force), force }
    }
    /// Torque about a joint at `p`: `τ − p × f`.
    #[inline(always)]
    pub fn torque_about(&self, p: Vec3) -> Vec3 {
        self.torque - p.cross(self.force)
    }
    /// The same without what is rounding beside the torque: forces through the joint must not turn
    /// it.
    #[inline(always)]
    pub fn clear_torque_about(&self, p: Vec3) -> Vec3 {
        let torque = self.torque_about(p);
        if torque.length_squared() < NO_TORQUE * self.torque.length_squared() { Vec3::ZERO } else { torque }
    }
    /// Work done on a motion.
    #[inline(always)]
    pub fn on(&self, motion: &Motion) -> f32 {
        self.torque.dot(motion.angular) + self.force.dot(motion.linear)
    }
    /// Adds another.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.torque += other.torque;
        self.force += other.force;
    }
    /// This wrench times a number.
    #[inline(always)]
    pub fn scaled(&self, by: f32) -> Self {
        Self { torque: self.torque * by, force: self.force * by }
    }
}

/// Velocity of a body: angular, and linear of its point at the common origin.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Motion {
    /// Angular velocity.
    pub angular: Vec3,
    /// Velocity of the point at the origin.
    pub linear: Vec3,
}

impl Motion {
    /// Motion of a body turned with `angular` by a joint at `p`.
    #[inline(always)]
    pub fn turn(p: Vec3, angular: Vec3) -> Self {
        Self { angular, linear: p.cross(angular) }
    }
    /// The sum of two.
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

/// The matrix `K` of the derivation above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MobilitySum {
    /// `Σ W`.
    turning: Mat3,
    /// `Σ p× W`: linear motion by torque.
    mixed: Mat3,
    /// `Σ p× W (p×)ᵀ`.
    moving: Mat3,
}

impl MobilitySum {
    /// No mobility.
    pub const ZERO: Self = Self { turning: Mat3::ZERO, mixed: Mat3::ZERO, moving: Mat3::ZERO };

    /// A body that moves without turning, with mobility `moving`.
    pub fn floating(moving: Mat3) -> Self {
        Self { moving, ..Self::ZERO }
    }
    /// Adds a joint at `p` of mobility `w` (symmetric).
    #[inline(always)]
    pub fn add_joint(&mut self, p: Vec3, w: &Mat3) {
        // p× applied to the columns, then to the rows.
        let m = Mat3::from_cols(p.cross(w.x_axis), p.cross(w.y_axis), p.cross(w.z_axis));
        let t = m.transpose();
        let c = Mat3::from_cols(p.cross(t.x_axis), p.cross(t.y_axis), p.cross(t.z_axis));
        self.turning += *w;
        self.mixed += m;
        self.moving += c;
    }
    /// Adds a joint at `p` of mobility `w` times the unit matrix: `p× (p×)ᵀ = |p|² − p pᵀ`.
    #[inline(always)]
    pub fn add_even_joint(&mut self, p: Vec3, w: f32) {
        let (q, d) = (p * w, w * p.length_squared());
        let sum = self;
        sum.turning.x_axis.x += w;
        sum.turning.y_axis.y += w;
        sum.turning.z_axis.z += w;
        sum.mixed.x_axis += Vec3::new(0.0, q.z, -q.y);
        sum.mixed.y_axis += Vec3::new(-q.z, 0.0, q.x);
        sum.mixed.z_axis += Vec3::new(q.y, -q.x, 0.0);
        sum.moving.x_axis += Vec3::new(d, 0.0, 0.0) - q * p.x;
        sum.moving.y_axis += Vec3::new(0.0, d, 0.0) - q * p.y;
        sum.moving.z_axis += Vec3::new(0.0, 0.0, d) - q * p.z;
    }
    /// The six rows of `K`, of motions (angular, then linear) by wrenches (torque, then force).
    #[inline(always)]
    pub fn rows(&self) -> [[f32; 6]; 6] {
        let (t, m, c) =
            (self.turning.to_cols_array_2d(), self.mixed.to_cols_array_2d(), self.moving.to_cols_array_2d());
        let angular = |i: usize| [t[0][i], t[1][i], t[2][i], m[i][0], m[i][1], m[i][2]];
        let linear = |i: usize| [m[0][i], m[1][i], m[2][i], c[0][i], c[1][i], c[2][i]];
        [angular(0), angular(1), angular(2), linear(0), linear(1), linear(2)]
    }
    /// With a sliding joint added: mobility `w` along the unit `direction`.
    pub fn with_slide(&self, direction: Vec3, w: f32) -> Self {
        let d = direction * w;
        let c = Mat3::from_cols(direction * d.x, direction * d.y, direction * d.z);
        Self { moving: self.moving + c, ..*self }
    }
    /// The motion under a wrench.
    #[inline(always)]
    pub fn motion(&self, wrench: &Wrench) -> Motion {
        let (t, f) = (wrench.torque, wrench.force);
        let turned = Vec3::new(self.mixed.x_axis.dot(f), self.mixed.y_axis.dot(f), self.mixed.z_axis.dot(f));
        Motion { angular: self.turning * t + turned, linear: self.mixed * t + self.moving * f }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Noise;
    use super::*;

    #[test]
    fn it_is_the_sum_over_joints() {
        let mut noise = Noise::new(3);
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        let (mut sum, mut joints) = (MobilitySum::ZERO, Vec::new());
        for i in 0..8 {
            let (p, a, b) = (v(), v(), v());
            let outer = |a: Vec3| Mat3::from_cols(a * a.x, a * a.y, a * a.z);
            let w = if i % 2 == 0 { outer(a) + outer(b) } else { Mat3::IDENTITY * a.x.abs() };
            if i % 2 == 0 {
                sum.add_joint(p, &w);
            } else {
                sum.add_even_joint(p, a.x.abs());
            }
            joints.push((p, w));
        }
        let wrench = Wrench::at(v(), v(), v());
        let direct = joints
            .iter()
            .fold(Motion::default(), |sum, (p, w)| sum.plus(&Motion::turn(*p, *w * wrench.torque_about(*p))));
        let got = sum.motion(&wrench);
        assert!((got.angular - direct.angular).length() < 1e-5, "{got:?} {direct:?}");
        assert!((got.linear - direct.linear).length() < 1e-5, "{got:?} {direct:?}");
        let w = [wrench.torque.to_array(), wrench.force.to_array()].concat();
        let by_rows = sum.rows().map(|row| row.iter().zip(&w).map(|(k, w)| k * w).sum::<f32>());
        let got = [got.angular.to_array(), got.linear.to_array()].concat();
        assert!(got.iter().zip(by_rows).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} {by_rows:?}");
    }
}
