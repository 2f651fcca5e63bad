//! A limb that its limits keep from its goal: how near its end can come.
//!
//! The unknowns are the rotation of the root joint, the flexion of the mid joint and, for an arm,
//! the rotation of the clavicle, which moves only here: where limits let the arm alone not reach.
//! Damped least squares on the distance of the end from the goal, at most [`STEPS`] steps; the
//! borders on which a joint stands are an active set, and each step ends with the projection onto
//! the limits. All in the space of the clavicle's parent, in which the upper arm's limits are fixed.
//!
//! The damping falls with the distance left, so the last steps are Newton's where the goal can be
//! reached.
//!
//! Source: D. Bertsekas, "Projected Newton Methods for Optimization Problems with Simple
//! Constraints", SIAM J. Control Optim. 20 (1982), §2; damping: K. Levenberg (1944).

use super::limb_limits::{LimbShape, RootLimit};
use crate::limits::{JointLimit, Mobility, Range};
use crate::math::{Mat3, Quat, Vec3, axis_angle};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Most steps.
const STEPS: usize = 16;
/// Rooms below this are borders, radians.
const BORDER: f32 = 1e-4;
/// Greatest turn of a step, radians.
const STRIDE: f32 = 0.4;
/// Share of the motion that the clavicle takes, against 1 of the arm.
const CLAVICLE_SHARE: f32 = 0.3;
/// Distance at which the goal is reached, as a part of the limb's length.
const REACHED: f32 = 1e-5;

/// A clavicle that may help.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clavicle {
    limit: JointLimit,
    allowed_rad: f32,
    rotation: Quat,
    /// From the clavicle's joint to the root of the limb, in the clavicle's space.
    offset: Vec3,
    /// Orientation and scale of the root's parent in the clavicle's space.
    between: Quat,
    scale: f32,
}

impl Clavicle {
    /// Measures it; `None` where a scale between is uneven.
    pub fn of(
        skeleton: &Skeleton,
        pose: &Pose,
        joint: JointIndex,
        root: JointIndex,
        limit: JointLimit,
        allowed_rad: f32,
    ) -> Option<Self> {
        let (mut offset, mut between, mut scale) = (pose.local()[root].position, Quat::IDENTITY, 1.0);
        for above in skeleton.ancestors(root) {
            let local = &pose.local()[above];
            let s = local.scale;
            if s.min_element() <= 0.0 || s.max_element() - s.min_element() > 1e-6 * s.max_element() {
                return None;
            }
            offset *= s.x;
            scale *= s.x;
            if above == joint {
                let rotation = local.rotation.normalize();
                return Some(Self { limit, allowed_rad, rotation, offset, between, scale });
            }
            let rotation = local.rotation.normalize();
            offset = local.position + rotation * offset;
            between = (rotation * between).normalize();
        }
        None
    }
}

/// The problem.
pub(super) struct Approach<'a> {
    pub shape: &'a LimbShape,
    pub root: &'a RootLimit,
    /// Range of the flexion.
    pub flexion: Range,
    pub clavicle: Option<Clavicle>,
    /// Goal of the end relative to the root joint, in the space of the root's parent.
    pub goal: Vec3,
}

/// The answer: local rotations and the flexion.
pub(super) struct Approached {
    pub root: Quat,
    pub flexion: f32,
    /// Where it has turned.
    pub clavicle: Option<Quat>,
}

/// A joint's mobility at one place, with its borders as an active set.
struct Active {
    matrix: Mat3,
    mobility: Mobility,
    /// From the space of the borders.
    outward: Quat,
    allowed_rad: f32,
    taken: [bool; Mobility::MAX_WALLS],
}

impl Active {
    fn new(mobility: Mobility, outward: Quat, allowed_rad: f32, share: f32) -> Self {
        let matrix = Mobility::matrix_in(&mobility.matrix, outward) * share;
        Self { matrix, mobility, outward, allowed_rad, taken: [false; Mobility::MAX_WALLS] }
    }
    /// Takes the borders that a velocity leaves across into the set; whether there were any.
    fn take(&mut self, velocity: Vec3) -> bool {
        let mut any = false;
        for (wall, taken) in self.mobility.walls().iter().zip(&mut self.taken) {
            let outward = self.outward * wall.outward;
            if !*taken && wall.room_rad + self.allowed_rad <= BORDER && outward.dot(velocity) > 0.0 {
                Mobility::forbid(&mut self.matrix, outward, 1.0);
                (*taken, any) = (true, true);
            }
        }
        any
    }
}

impl Approach<'_> {
    /// From an admissible local rotation of the root joint and a flexion.
    pub fn run(&self, root: Quat, mut flexion: f32) -> Approached {
        let Self { shape, root: limit, clavicle, .. } = self;
        let whole = shape.upper + shape.lower;
        let between = clavicle.map_or(Quat::IDENTITY, |c| c.between);
        let mut girdle = clavicle.map_or(Quat::IDENTITY, |c| c.rotation);
        let offset = clavicle.map_or(Vec3::ZERO, |c| c.offset / c.scale);
        let plane = shape.plane();
        // In units of the root's parent.
        let goal = girdle * offset + girdle * between * self.goal;
        let parent = |girdle: Quat| (girdle * between).normalize();
        let mut arm = (parent(girdle) * root).normalize();
        let carried = parent(girdle) * limit.limit.origin;
        for _ in 0..STEPS {
            let reach = arm * shape.end_at(flexion);
            let left = goal - (girdle * offset + reach);
            let distance = left.length();
            if distance <= REACHED * whole {
                break;
            }
            // The limits of an upper arm are fixed in the chest, others in the root's parent.
            let origin = if limit.limit.carrier.is_some() { carried } else { parent(girdle) * limit.limit.origin };
            let turn = (origin.conjugate() * arm * plane).normalize();
            let mut ball = Active::new(limit.limit.model.mobility(turn), origin, limit.allowed_rad(), 1.0);
            let mut collar = clavicle.map(|c| {
                let turn = c.limit.turn(girdle);
                Active::new(c.limit.model.mobility(turn), c.limit.origin, c.allowed_rad, CLAVICLE_SHARE)
            });
            let shoulder = girdle * offset;
            let hinge = arm * (shape.along.cross(shape.bend));
            let bend = hinge.cross(reach - arm * (shape.along * shape.upper));
            let mut bends = 1.0f32;
            let damping = 0.05 * distance * whole + 1e-4 * whole * whole;
            let (mut ball_step, mut collar_step, mut bend_step) = (Vec3::ZERO, Vec3::ZERO, 0.0f32);
            for _ in 0..4 {
                let column = |e: Vec3| {
                    let mut sum = (ball.matrix * reach.cross(e)).cross(reach) + bend * (bend.dot(e) * bends);
                    if let Some(collar) = &collar {
                        sum += (collar.matrix * shoulder.cross(e)).cross(shoulder);
                    }
                    sum + e * damping
                };
                let pull = Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z)).inverse() * left;
                ball_step = ball.matrix * reach.cross(pull);
                bend_step = bend.dot(pull) * bends;
                collar_step = collar.as_ref().map_or(Vec3::ZERO, |c| c.matrix * shoulder.cross(pull));
                let mut changed = ball.take(ball_step);
                if let Some(collar) = &mut collar {
                    changed |= collar.take(collar_step);
                }
                let at_end = (bend_step > 0.0 && flexion >= self.flexion.max - BORDER)
                    || (bend_step < 0.0 && flexion <= self.flexion.min + BORDER);
                if at_end && bends > 0.0 {
                    (bends, changed) = (0.0, true);
                }
                if !changed {
                    break;
                }
            }
            let largest = ball_step.length().max(bend_step.abs()).max(collar_step.length());
            if !(largest > 1e-7) {
                break;
            }
            let part = (STRIDE / largest).min(1.0);
            let by = |v: Vec3| {
                let angle = v.length();
                if angle > 1e-9 { axis_angle(v / angle, angle * part) } else { Quat::IDENTITY }
            };
            if let Some(c) = clavicle {
                let turned = (by(collar_step) * girdle).normalize();
                girdle = c.limit.limited(turned, c.allowed_rad).normalize();
            }
            flexion = (flexion + bend_step * part).clamp(self.flexion.min, self.flexion.max);
            let origin = if limit.limit.carrier.is_some() { carried } else { parent(girdle) * limit.limit.origin };
            let turned = (by(ball_step) * arm).normalize();
            let turn = limit.nearest((origin.conjugate() * turned * plane).normalize());
            arm = (origin * turn * plane.conjugate()).normalize();
        }
        let moved = clavicle.filter(|c| c.rotation != girdle).map(|_| girdle);
        Approached { root: (parent(girdle).conjugate() * arm).normalize(), flexion, clavicle: moved }
    }
}
