//! A limb that its limits keep from its goal: how near its end can come.
//!
//! The unknowns are the rotation of the root joint, the flexion of the mid joint and, for an arm,
//! the rotation of the clavicle, which moves only here: where limits let the arm alone not reach.
//! Damped least squares on the distance of the end from the goal, at most [`STEPS`] steps, each
//! behind the borders as they are where it begins ([`super::border_step`]); it ends with the
//! projection onto the limits. All in the space of the clavicle's parent, in which the upper arm's
//! limits are fixed.
//!
//! A leg that is left far from its goal also starts from two other places ([`super::limb_starts`]).
//! What comes nearest is taken; where the distances differ by less than [`SHARED`], a mean of
//! rotations with smooth weights, so that one passes into the other.
//!
//! The damping falls with the distance left, so the last steps are Newton's where the goal can be
//! reached.
//!
//! Source of the damping: K. Levenberg, Quarterly of Applied Mathematics 2 (1944).

use super::border_step::{Border, Turning, step};
use super::limb_shape::LimbShape;
use super::limb_starts::LegStarts;
use super::root_limit::RootLimit;
use crate::limits::{JointBorders, JointLimit, Mobility, PreparedJoint, Range, limited_to, outer};
use crate::math::dispatch::{Level, Task};
use crate::math::rigid::{times, turn_vec3, unit_times};
use crate::math::{Quat, Vec3, axis_angle, float, plain_length, unit_quat};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Most steps.
const STEPS: usize = 5;
/// Damping by the distance left: so much that steps towards a goal out of reach stay even, and what
/// is near stays near.
const DAMPING: f32 = 0.3;
/// Greatest turn of a step, radians.
const STRIDE: f32 = 0.4;
/// Share of the motion that the clavicle takes, against 1 of the arm.
const CLAVICLE_SHARE: f32 = 0.3;
/// Step below which no other follows, radians.
const SETTLED_RAD: f32 = 1e-5;
/// Distance at which the goal is reached, as a part of the limb's length.
const REACHED: f32 = 1e-5;
/// By how much nearer another start must lead, and the difference over which a leg passes from what
/// one start leads to to what another one does; parts of its length. The first is the greater one,
/// so that a leg whose goal is at the border of what it can reach does not pass.
const ELSEWHERE: f32 = 0.04;
const SHARED: f32 = 0.02;
/// Borders of a root joint and a clavicle, and the ends of the range of the mid joint.
const MOST_BORDERS: usize = 2 * Mobility::MAX_WALLS + 2;

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
                let rotation = unit_quat(local.rotation);
                return Some(Self { limit, allowed_rad, rotation, offset, between, scale });
            }
            let rotation = unit_quat(local.rotation);
            offset = local.position + rotation * offset;
            between = unit_quat(rotation * between);
        }
        None
    }
}

/// The problem.
pub(super) struct Approach<'a> {
    pub shape: &'a LimbShape,
    /// What the limits of the root joint judge beside its rotation: [`LimbShape::plane`], or none.
    pub plane: Quat,
    pub root: &'a RootLimit,
    /// Range of the mid joint's angle.
    pub range: Range,
    pub clavicle: Option<Clavicle>,
    /// Goal of the end relative to the root joint, in the space of the root's parent.
    pub goal: Vec3,
    /// Where else to start from: a leg, which has no clavicle.
    pub starts: Option<&'a LegStarts>,
}

/// The answer: local rotations and the mid joint's angle.
pub(super) struct Approached {
    pub root: Quat,
    pub angle: f32,
    /// Where it has turned.
    pub clavicle: Option<Quat>,
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

/// What root joint and clavicle may do, worked out for several steps.
struct Joints {
    root: PreparedJoint,
    clavicle: Option<(Clavicle, PreparedJoint)>,
}

/// A step: angular velocities of the clavicle, the root and the mid joint.
struct Step {
    girdle: Vec3,
    arm: Vec3,
    angle: f32,
}

/// What does not change on the way.
struct Course<'a> {
    approach: &'a Approach<'a>,
    joints: Joints,
    /// In the space of the clavicle's parent: the goal, and what an arm's limits count from.
    goal: Vec3,
    carried: Quat,
}

/// A way, from a place on.
struct Approaching<'a>(&'a Course<'a>, Place);

/// Where a way has ended.
#[derive(Clone, Copy)]
struct Near {
    at: Place,
    /// Distance of the end from the goal, as a part of the limb's length.
    left: f32,
}

impl Task for Approaching<'_> {
    type Output = Near;
    #[inline(always)]
    fn run(self) -> Near {
        let Self(Course { approach, joints, goal, carried }, mut at) = self;
        let whole = approach.shape.whole;
        let mut steps = 0;
        loop {
            let reach = turn_vec3(at.arm, approach.shape.end_at(at.angle));
            let left = *goal - (turn_vec3(at.girdle, approach.offset()) + reach);
            let distance = plain_length(left);
            let near = Near { at, left: distance / whole };
            if steps == STEPS || distance <= REACHED * whole {
                return near;
            }
            let step = approach.step(joints, &at, reach, left, approach.origin(&at, *carried));
            let largest = plain_length(step.arm).max(step.angle.abs()).max(plain_length(step.girdle));
            if largest.is_nan() || largest <= SETTLED_RAD {
                return near;
            }
            at = approach.moved(joints, &at, &step, (STRIDE / largest).min(1.0), *carried);
            steps += 1;
        }
    }
}

impl Course<'_> {
    fn walk(&self, from: Place) -> Near {
        Level::for_one().run(Approaching(self, from))
    }
    /// The nearest of where a leg has come to and of what its other starts lead to; between two
    /// that are about as near a leg between them.
    fn nearest(&self, near: Near, starts: &LegStarts) -> Place {
        let mut all = [near; 1 + LegStarts::COUNT];
        for (near, start) in all[1..].iter_mut().zip(&starts.all) {
            *near = self.walk(self.turned(start.turn, self.approach.range.clamp(start.angle)));
            near.left += ELSEWHERE;
        }
        let first = all.into_iter().reduce(|a, b| if b.left < a.left { b } else { a }).unwrap_or(near);
        // A mean of quaternions, each with the sign that it has beside the middle.
        let (mut arm, mut angle, mut sum) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 0.0, 0.0);
        for Near { at, left } in all {
            let weight = 1.0 - float::smooth_step(first.left, first.left + SHARED, left);
            let turn = self.turn(at.arm);
            arm += turn * if turn.dot(starts.middle) < 0.0 { -weight } else { weight };
            angle += weight * at.angle;
            sum += weight;
        }
        if sum > 1.0 { self.turned(unit_quat(arm), angle / sum) } else { first.at }
    }
    /// The turn that the limits of a leg judge.
    fn turn(&self, arm: Quat) -> Quat {
        unit_times(times(self.carried.conjugate(), arm), self.approach.plane)
    }
    /// An admissible place of a leg that depends continuously on a turn of its hip.
    fn turned(&self, turn: Quat, angle: f32) -> Place {
        let turn = self.approach.root.retract(turn).rotation;
        let arm = unit_times(times(self.carried, turn), self.approach.plane.conjugate());
        Place { girdle: Quat::IDENTITY, arm, angle }
    }
}

impl Approach<'_> {
    /// From an admissible local rotation of the root joint and an angle.
    pub fn run(&self, root: Quat, angle: f32) -> Approached {
        let girdle = self.clavicle.map_or(Quat::IDENTITY, |c| c.rotation);
        let parent = self.parent(girdle);
        let course = Course {
            approach: self,
            goal: girdle * self.offset() + parent * self.goal,
            carried: parent * self.root.limit.origin,
            joints: Joints {
                root: PreparedJoint::new(&self.root.limit.model),
                clavicle: self.clavicle.map(|c| (c, PreparedJoint::new(&c.limit.model))),
            },
        };
        let near = course.walk(Place { girdle, arm: unit_times(parent, root), angle });
        let at = match self.starts {
            Some(starts) if near.left > ELSEWHERE - SHARED => course.nearest(near, starts),
            _ => near.at,
        };
        let moved = self.clavicle.filter(|c| c.rotation != at.girdle).map(|_| at.girdle);
        let root = unit_quat(self.parent(at.girdle).conjugate() * at.arm);
        Approached { root, angle: at.angle, clavicle: moved }
    }
    #[inline(always)]
    fn parent(&self, girdle: Quat) -> Quat {
        self.clavicle.map_or(girdle, |c| unit_times(girdle, c.between))
    }
    /// From the clavicle's joint to the root of the limb.
    #[inline(always)]
    fn offset(&self) -> Vec3 {
        self.clavicle.map_or(Vec3::ZERO, |c| c.offset / c.scale)
    }
    /// The limits of an upper arm are fixed in the chest, others in the root's parent.
    #[inline(always)]
    fn origin(&self, at: &Place, carried: Quat) -> Quat {
        match self.root.limit.carrier {
            Some(_) => carried,
            None => self.parent(at.girdle) * self.root.limit.origin,
        }
    }
    /// The damped step to what is left.
    #[inline(always)]
    fn step(&self, joints: &Joints, at: &Place, reach: Vec3, left: Vec3, origin: Quat) -> Step {
        const ROOT: usize = 0;
        const MID: usize = 1;
        const GIRDLE: usize = 2;
        let Self { shape, root: limit, .. } = self;
        let mut borders = [Border::new(ROOT, Vec3::ZERO, 0.0); MOST_BORDERS];
        let mut count = 0;
        let mut add = |border: Border| {
            borders[count] = border;
            count += 1;
        };
        let (frame, mut found) = (joints.root.frame(), JointBorders::default());
        let turn = times(unit_times(times(origin.conjugate(), at.arm), self.plane), frame);
        joints.root.borders(times(frame.conjugate(), turn), times(origin, frame), &mut found);
        for border in found.borders() {
            add(Border::new(ROOT, border.outward, border.room_rad + limit.allowed_rad()));
            if border.back_room_rad < f32::INFINITY {
                add(Border::new(ROOT, -border.outward, border.back_room_rad + limit.allowed_rad()));
            }
        }
        let root = Turning { mobility: found.mobility, arm: reach };
        // A clavicle that the animation has twisted is judged with its twist.
        let girdle = self.clavicle.map_or(Turning::NONE, |c| {
            let mobility = c.limit.model.mobility(c.limit.turn(at.girdle));
            for wall in mobility.walls() {
                add(Border::new(GIRDLE, turn_vec3(c.limit.origin, wall.outward), wall.room_rad + c.allowed_rad));
            }
            let matrix = Mobility::matrix_in(&mobility.matrix, c.limit.origin);
            Turning { mobility: matrix * CLAVICLE_SHARE, arm: turn_vec3(at.girdle, self.offset()) }
        });
        let axis = turn_vec3(at.arm, shape.axis);
        add(Border::new(MID, axis, self.range.max - at.angle));
        add(Border::new(MID, -axis, at.angle - self.range.min));
        let mid = Turning { mobility: outer(axis), arm: reach - turn_vec3(at.arm, shape.upper_bone) };
        let damping = DAMPING * plain_length(left) * shape.whole + 1e-4 * shape.whole * shape.whole;
        let [arm, bend, girdle] = step(&[root, mid, girdle], &mut borders[..count], left, damping);
        Step { girdle, arm, angle: bend.dot(axis) }
    }
    #[inline(always)]
    fn moved(&self, joints: &Joints, at: &Place, step: &Step, part: f32, carried: Quat) -> Place {
        let by = |v: Vec3| {
            let angle = plain_length(v);
            if angle > 1e-9 { axis_angle(v / angle, angle * part) } else { Quat::IDENTITY }
        };
        let mut to = *at;
        if let Some((c, limits)) = &joints.clavicle {
            to.girdle = unit_times(by(step.girdle), at.girdle);
            let turn = c.limit.turn(to.girdle);
            let within = limited_to(turn, limits.project_in_joint(turn), || c.allowed_rad);
            if within != turn {
                to.girdle = unit_times(c.limit.origin, within);
            }
        }
        to.angle = self.range.clamp(at.angle + step.angle * part);
        let plane = self.plane;
        let origin = self.origin(&to, carried);
        let turned = unit_times(by(step.arm), at.arm);
        let turn = unit_times(times(origin.conjugate(), turned), plane);
        let turn = match self.starts {
            // Where a range of rolls ends, small differences of ways must not grow.
            Some(_) => self.root.restore(turn),
            None => limited_to(turn, joints.root.project_in_joint(turn), || self.root.allowed_rad()),
        };
        to.arm = unit_times(times(origin, turn), plane.conjugate());
        to
    }
}
