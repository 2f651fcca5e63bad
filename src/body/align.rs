//! Other start poses of a body whose root floats: the root goes where it brings the effectors
//! nearest to their goals as they stand, in one rigid motion. A descent turns a root that looks the
//! other way little by little, and limbs get caught in their limits on the way.
//!
//! # Derivation
//!
//! With effectors `xᵢ` of weights `wᵢ` and goals `gᵢ`, the rotation `R` that minimises `Σ wᵢ |gᵢ −
//! (R xᵢ + t)|²` is that of the unit quaternion that maximises `qᵀ N q`, `N` a symmetric 4×4
//! matrix of the sums of products of both, counted from their centres. A rotation that is to be
//! met adds the three axes of its joint, as lengths of the rotation length: of a small angle `θ`
//! they are `2 θ²` away. The axes of the root itself count a little, so that goals in one line do
//! not spin it.
//!
//! Source: B. Horn, "Closed-form solution of absolute orientation using unit quaternions", J. Opt.
//! Soc. Am. A 4 (1987).

use super::demand::Demand;
use super::descent::Solve;
use super::plan::Place;
use crate::math::{Mat3, Quat, Vec3};
use crate::optim::eigen;
use crate::tasks::{AnyTask, Axes};

/// Weight of the root's own axes beside all that counts.
const KEPT: f32 = 1e-3;

/// Sums over pairs of a place and its goal.
#[derive(Default)]
struct Pairs {
    weight: f32,
    from: Vec3,
    to: Vec3,
    /// `Σ w x gᵀ`, by the components of `x`.
    products: [Vec3; 3],
    /// The same of directions, which have no centre.
    turned: [Vec3; 3],
    size: f32,
}

impl Pairs {
    fn add(&mut self, x: Vec3, g: Vec3, weight: f32) {
        self.weight += weight;
        self.from += x * weight;
        self.to += g * weight;
        for (sum, x) in self.products.iter_mut().zip(x.to_array()) {
            *sum += g * (x * weight);
        }
    }
    fn add_direction(&mut self, x: Vec3, g: Vec3, weight: f32) {
        self.size += weight;
        for (sum, x) in self.turned.iter_mut().zip(x.to_array()) {
            *sum += g * (x * weight);
        }
    }
    /// Centres of places and goals; both zero without a place.
    fn centers(&self) -> (Vec3, Vec3) {
        let over = if self.weight > 0.0 { 1.0 / self.weight } else { 0.0 };
        (self.from * over, self.to * over)
    }
    fn rotation(&self) -> Quat {
        let (from, to) = self.centers();
        let mut sums = self.turned;
        for ((sum, product), x) in sums.iter_mut().zip(self.products).zip(from.to_array()) {
            *sum += product - to * (x * self.weight);
        }
        let spread = sums.iter().fold(self.size, |size, sum| size + sum.abs().element_sum());
        let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = sums.map(|sum| sum.to_array());
        let keep = KEPT * spread;
        let mut n = [
            [xx + yy + zz + 3.0 * keep, yz - zy, zx - xz, xy - yx],
            [yz - zy, xx - yy - zz - keep, xy + yx, zx + xz],
            [zx - xz, xy + yx, yy - xx - zz - keep, yz + zy],
            [xy - yx, zx + xz, yz + zy, zz - xx - yy - keep],
        ];
        let mut vectors = [0.0; 16];
        eigen::eigenvectors(n.as_flattened_mut(), &mut vectors, 4);
        let best = (1..4).fold(0, |best, k| if n[k][k] > n[best][best] { k } else { best });
        let [w, x, y, z] = [0, 1, 2, 3].map(|i| vectors[best * 4 + i]);
        let q = Quat::from_xyzw(x, y, z, w);
        if q.is_finite() && q.length_squared() > 0.5 { q.normalize() } else { Quat::IDENTITY }
    }
}

impl Solve {
    /// Moves and turns the root, with all joints as they stand, to where the effectors of whole
    /// positions and rotations are nearest to their goals.
    pub fn align_root(&mut self, demands: &[Option<Demand>]) {
        self.state.forward();
        let mut pairs = Pairs::default();
        let root = self.state.at.root;
        for (task, scale) in self.plan.tasks.iter().zip(&self.residual.scale) {
            let (Place::Joint(joint), Some(demand)) = (task.places[0], &demands[task.demand]) else { continue };
            if demand.blend < 1.0 {
                continue;
            }
            let (at, weight) = (self.state.placement(joint), scale.factor * scale.factor);
            match &demand.task {
                AnyTask::Position(task) if task.axes == Axes::ALL => {
                    pairs.add(at.point(task.point_js) - root, task.goal - root, weight);
                }
                AnyTask::Orientation(task) if task.axes == Axes::ALL => {
                    let (now, goal) = (Mat3::from_quat(at.rotation), Mat3::from_quat(task.goal));
                    for (x, g) in
                        [now.x_axis, now.y_axis, now.z_axis].iter().zip([goal.x_axis, goal.y_axis, goal.z_axis])
                    {
                        pairs.add_direction(*x, g, 0.5 * weight);
                    }
                }
                _ => {}
            }
        }
        let (rotation, (from, to)) = (pairs.rotation(), pairs.centers());
        self.state.at.turns[0] = (rotation * self.state.at.turns[0]).normalize();
        self.state.at.root = root + to - rotation * from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{axis_angle, normalize_or, rotation_angle};
    use crate::optim::Noise;

    #[test]
    fn a_rigid_motion_is_found_again() {
        let mut noise = Noise::new(5);
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        for places in [1, 2, 3, 6] {
            for _ in 0..40 {
                let (turn, shift) = (axis_angle(normalize_or(v(), Vec3::X), 3.1 * v().x), v());
                let mut pairs = Pairs::default();
                for _ in 0..places {
                    let x = v();
                    pairs.add(x, turn * x + shift, 1.0 + v().x.abs());
                }
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    pairs.add_direction(axis, turn * axis, 0.5);
                }
                let (found, (from, to)) = (pairs.rotation(), pairs.centers());
                let off = rotation_angle(found.conjugate() * turn);
                assert!(off < 0.05, "{places} places: {off}");
                assert!((to - turn * from - shift).length() < 1e-4);
            }
        }
    }

    #[test]
    fn what_no_goal_tells_stays() {
        assert!(Pairs::default().rotation().is_near_identity());
        let mut line = Pairs::default();
        line.add(Vec3::X, Vec3::new(2.0, 1.0, 0.0), 1.0);
        line.add(-Vec3::X, Vec3::new(0.0, 1.0, 0.0), 1.0);
        assert!(rotation_angle(line.rotation()) < 1e-3, "nothing turns about the line of two goals");
    }
}
