//! Which angular velocities a joint admits where it stands, and how willingly.
//!
//! The *mobility* is a symmetric, positive semi-definite 3×3 matrix `W`: a torque `τ` on the joint
//! causes the angular velocity `W τ`. A free ball joint has the identity, a hinge about `a` has
//! `a aᵀ`, stiffness scales the eigenvalues. A wall is the gradient `g` (per radian of turn) of
//! leaving across a border the joint stands at: `g · ω > 0` leaves. Forbidding the direction is the
//! rank-one update
//!
//! ```text
//! W' = W − (W g)(W g)ᵀ / (gᵀ W g),   so that  g · W' τ = 0 for every τ
//! ```
//!
//! the projection to the wall in the metric of the mobility. This is what an active-set method
//! needs, and it costs the same for hinges, cones and polygons. Source: D. Bertsekas, "Projected
//! Newton Methods for Optimization Problems with Simple Constraints", SIAM J. Control Optim. 20
//! (1982), §2, for the active set by the sign of the gradient.

use crate::math::{Mat3, Quat, Vec3};

/// A border near which a joint stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Gradient of leaving, in the rest frame of the joint: `outward · ω > 0` goes towards or
    /// across the border. Unit.
    pub outward: Vec3,
    /// Angle left to the border, radians, to first order; 0 on it, negative beyond.
    pub room_rad: f32,
    /// Share of the outward motion that soft limits take away here, 0 … 1.
    pub resistance: f32,
}

/// Mobility of one joint and the borders near which it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// `W`, symmetric.
    pub matrix: Mat3,
    walls: [Wall; Self::MAX_WALLS],
    count: usize,
}

impl Mobility {
    /// Walls that are kept: those with the least room. A polygon of eight corners and a range of
    /// twist have ten.
    pub const MAX_WALLS: usize = 6;

    /// No walls, this willingness.
    pub fn new(matrix: Mat3) -> Self {
        let none = Wall { outward: Vec3::ZERO, room_rad: f32::INFINITY, resistance: 0.0 };
        Self { matrix, walls: [none; Self::MAX_WALLS], count: 0 }
    }
    /// Borders near by.
    pub fn walls(&self) -> &[Wall] {
        &self.walls[..self.count]
    }
    /// Adds a border.
    pub(super) fn push(&mut self, wall: Wall) {
        if self.count < Self::MAX_WALLS {
            self.walls[self.count] = wall;
            self.count += 1;
            return;
        }
        // A joint is stopped by the nearest borders first.
        let farther = |a: usize, b: usize| if self.walls[b].room_rad > self.walls[a].room_rad { b } else { a };
        let farthest = (1..Self::MAX_WALLS).fold(0, farther);
        if wall.room_rad < self.walls[farthest].room_rad {
            self.walls[farthest] = wall;
        }
    }
    /// Takes `share` 0 … 1 of the motion along `g` away from `W` (1: all of it). Directions that
    /// cannot move are left alone.
    pub fn forbid(matrix: &mut Mat3, g: Vec3, share: f32) {
        let wg = *matrix * g;
        let size = g.dot(wg);
        if size > 1e-12 {
            let v = wg * (share / size);
            matrix.x_axis -= wg * v.x;
            matrix.y_axis -= wg * v.y;
            matrix.z_axis -= wg * v.z;
        }
    }
    /// Removes from an angular velocity whatever leaves across a wall the joint stands on (room 0
    /// or less): the admissible part, in the rest frame.
    pub fn clip(&self, velocity: Vec3) -> Vec3 {
        let mut clipped = velocity;
        for _ in 0..2 {
            for wall in self.walls() {
                let out = wall.outward.dot(clipped);
                if wall.room_rad <= 0.0 && out > 0.0 {
                    clipped -= wall.outward * out;
                }
            }
        }
        clipped
    }
    /// Turns the walls by a rotation.
    pub fn turn_walls(&mut self, rotation: Quat) {
        for wall in &mut self.walls[..self.count] {
            wall.outward = rotation * wall.outward;
        }
    }
    /// The mobility seen from a space turned by `rotation`: `R W Rᵀ`. A multiple of the unit
    /// matrix, which most joints have, stays.
    pub fn matrix_in(matrix: &Mat3, rotation: Quat) -> Mat3 {
        if *matrix == Mat3::from_diagonal(Vec3::splat(matrix.x_axis.x)) {
            return *matrix;
        }
        let r = Mat3::from_quat(rotation);
        r * *matrix * r.transpose()
    }
}

/// The matrix `a aᵀ`.
pub(crate) fn outer(a: Vec3) -> Mat3 {
    Mat3::from_cols(a * a.x, a * a.y, a * a.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_more_walls_than_there_is_room_for_the_nearest_are_kept() {
        let wall = |room_rad: f32| Wall { outward: Vec3::X, room_rad, resistance: 0.0 };
        let rooms = [0.5, 0.9, 0.1, 0.7, 0.3, 1.0, 0.2, 0.8, 0.4, 0.6];
        for turned in 0..rooms.len() {
            let mut mobility = Mobility::new(Mat3::IDENTITY);
            for i in 0..rooms.len() {
                mobility.push(wall(rooms[(i + turned) % rooms.len()]));
            }
            let mut kept: Vec<f32> = mobility.walls().iter().map(|wall| wall.room_rad).collect();
            kept.sort_by(f32::total_cmp);
            assert_eq!(kept, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "from {turned}");
        }
    }
}
