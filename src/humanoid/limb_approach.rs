//! A limb that its limits keep from its goal: how near its end can come.
//!
//! The unknowns are the rotation of the root joint, the flexion of the mid joint and, for an arm,
//! the rotation of the clavicle, which moves only here: where limits let the arm alone not reach.
//! Damped least squares on the distance of the end from the goal, at most [`STEPS`] steps; the
//! borders near which a joint stands are an active set, and each step ends with the projection onto
//! the limits. All in the space of the clavicle's parent, in which the upper arm's limits are
//! fixed.
//!
//! The damping falls with the distance left, so the last steps are Newton's where the goal can be
//! reached.
//!
//! Source: D. Bertsekas, "Projected Newton Methods for Optimization Problems with Simple
//! Constraints", SIAM J. Control Optim. 20 (1982), §2; damping: K. Levenberg (1944).

use super::limb_shape::LimbShape;
use super::root_limit::RootLimit;
use crate::limits::{JointLimit, Mobility, Range};
use crate::math::{Mat3, Quat, Vec3, axis_angle};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Most steps.
const STEPS: usize = 12;
/// Damping by the distance left: so much that steps towards a goal out of reach stay even, and what
/// is near stays near.
const DAMPING: f32 = 1.0;
/// Rooms below this begin to be borders, radians.
const NEAR: f32 = 0.05;
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
    /// Range of the mid joint's angle.
    pub range: Range,
    pub clavicle: Option<Clavicle>,
    /// Goal of the end relative to the root joint, in the space of the root's parent.
    pub goal: Vec3,
}

/// The answer: local rotations and the mid joint's angle.
pub(super) struct Approached {
    pub root: Quat,
    pub angle: f32,
    /// Where it has turned.
    pub clavicle: Option<Quat>,
}

/// A joint's mobility at one place.
struct Mobile {
    matrix: Mat3,
    mobility: Mobility,
    /// From the space of the borders.
    outward: Quat,
    allowed_rad: f32,
    taken: [bool; Mobility::MAX_WALLS],
}

/// Part of the way across a border that is taken away, this far before it: continuous, so that the
/// steps are.
fn held(room_rad: f32) -> f32 {
    1.0 - (room_rad / NEAR).clamp(0.0, 1.0)
}

impl Mobile {
    fn new(mobility: Mobility, outward: Quat, allowed_rad: f32, share: f32) -> Self {
        let matrix = Mobility::matrix_in(&mobility.matrix, outward) * share;
        Self { matrix, mobility, outward, allowed_rad, taken: [false; Mobility::MAX_WALLS] }
    }
    /// Holds back what a velocity has across borders near by; whether there was any.
    fn hold(&mut self, velocity: Vec3) -> bool {
        let mut any = false;
        for (wall, taken) in self.mobility.walls().iter().zip(&mut self.taken) {
            let outward = self.outward * wall.outward;
            let share = held(wall.room_rad + self.allowed_rad);
            if !*taken && share > 0.0 && outward.dot(velocity) > 0.0 {
                Mobility::forbid(&mut self.matrix, outward, share);
                (*taken, any) = (true, true);
            }
        }
        any
    }
}

/// Where the limb is on its way, in units of the root's parent.
#[derive(Clone, Copy)]
struct Place {
    /// Orientations of the clavicle and of the root joint.
    girdle: Quat,
    arm: Quat,
    /// The mid joint's angle.
    angle: f32,
}

/// A step: angular velocities of the clavicle, the root and the mid joint.
struct Step {
    girdle: Vec3,
    arm: Vec3,
    angle: f32,
}

impl Approach<'_> {
    /// From an admissible local rotation of the root joint and an angle.
    pub fn run(&self, root: Quat, angle: f32) -> Approached {
        let girdle = self.clavicle.map_or(Quat::IDENTITY, |c| c.rotation);
        let mut at = Place { girdle, arm: (self.parent(girdle) * root).normalize(), angle };
        // In the space of the clavicle's parent.
        let goal = girdle * self.offset() + self.parent(girdle) * self.goal;
        let carried = self.parent(girdle) * self.root.limit.origin;
        for _ in 0..STEPS {
            let reach = at.arm * self.shape.end_at(at.angle);
            let left = goal - (at.girdle * self.offset() + reach);
            if left.length() <= REACHED * self.shape.whole {
                break;
            }
            let step = self.step(&at, reach, left, self.origin(&at, carried));
            let largest = step.arm.length().max(step.angle.abs()).max(step.girdle.length());
            if largest.is_nan() || largest <= 1e-7 {
                break;
            }
            at = self.moved(&at, &step, (STRIDE / largest).min(1.0), carried);
        }
        let moved = self.clavicle.filter(|c| c.rotation != at.girdle).map(|_| at.girdle);
        let root = (self.parent(at.girdle).conjugate() * at.arm).normalize();
        Approached { root, angle: at.angle, clavicle: moved }
    }
    fn parent(&self, girdle: Quat) -> Quat {
        self.clavicle.map_or(girdle, |c| (girdle * c.between).normalize())
    }
    /// From the clavicle's joint to the root of the limb.
    fn offset(&self) -> Vec3 {
        self.clavicle.map_or(Vec3::ZERO, |c| c.offset / c.scale)
    }
    /// The limits of an upper arm are fixed in the chest, others in the root's parent.
    fn origin(&self, at: &Place, carried: Quat) -> Quat {
        match self.root.limit.carrier {
            Some(_) => carried,
            None => self.parent(at.girdle) * self.root.limit.origin,
        }
    }
    /// The damped step to what is left.
    fn step(&self, at: &Place, reach: Vec3, left: Vec3, origin: Quat) -> Step {
        let Self { shape, root: limit, .. } = self;
        let turn = (origin.conjugate() * at.arm * shape.plane()).normalize();
        let mut ball = Mobile::new(limit.limit.model.mobility(turn), origin, limit.allowed_rad(), 1.0);
        let mut collar = self.clavicle.map(|c| {
            let mobility = c.limit.model.mobility(c.limit.turn(at.girdle));
            Mobile::new(mobility, c.limit.origin, c.allowed_rad, CLAVICLE_SHARE)
        });
        let shoulder = at.girdle * self.offset();
        let bend = (at.arm * shape.axis).cross(reach - at.arm * shape.upper_bone);
        let (up, down) = (held(self.range.max - at.angle), held(at.angle - self.range.min));
        let mut bends = 1.0f32;
        let damping = DAMPING * left.length() * shape.whole + 1e-4 * shape.whole * shape.whole;
        let mut step = Step { girdle: Vec3::ZERO, arm: Vec3::ZERO, angle: 0.0 };
        for _ in 0..4 {
            let column = |e: Vec3| {
                let mut sum = (ball.matrix * reach.cross(e)).cross(reach) + bend * (bend.dot(e) * bends);
                if let Some(collar) = &collar {
                    sum += (collar.matrix * shoulder.cross(e)).cross(shoulder);
                }
                sum + e * damping
            };
            let pull = Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z)).inverse() * left;
            step = Step {
                girdle: collar.as_ref().map_or(Vec3::ZERO, |c| c.matrix * shoulder.cross(pull)),
                arm: ball.matrix * reach.cross(pull),
                angle: bend.dot(pull) * bends,
            };
            let mut changed = ball.hold(step.arm);
            if let Some(collar) = &mut collar {
                changed |= collar.hold(step.girdle);
            }
            let share = if step.angle > 0.0 { up } else { down };
            if share > 0.0 && step.angle != 0.0 && bends == 1.0 {
                (bends, changed) = (1.0 - share, true);
            }
            if !changed {
                break;
            }
        }
        step
    }
    fn moved(&self, at: &Place, step: &Step, part: f32, carried: Quat) -> Place {
        let by = |v: Vec3| {
            let angle = v.length();
            if angle > 1e-9 { axis_angle(v / angle, angle * part) } else { Quat::IDENTITY }
        };
        let mut to = *at;
        if let Some(c) = self.clavicle {
            to.girdle = c.limit.limited((by(step.girdle) * at.girdle).normalize(), c.allowed_rad).normalize();
        }
        to.angle = self.range.clamp(at.angle + step.angle * part);
        let plane = self.shape.plane();
        let origin = self.origin(&to, carried);
        let turned = (by(step.arm) * at.arm).normalize();
        let turn = self.root.nearest((origin.conjugate() * turned * plane).normalize());
        to.arm = (origin * turn * plane.conjugate()).normalize();
        to
    }
}
