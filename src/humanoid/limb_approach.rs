//! A limb that its limits keep from its goal: how near its end can come.
//!
//! The unknowns are the rotation of the root joint, the flexion of the mid joint and, for an arm,
//! the rotation of the clavicle, which moves only here: where limits let the arm alone not reach.
//! Damped least squares on the distance of the end from the goal, at most [`STEPS`] steps, each
//! behind the borders as they are where it begins ([`super::border_step`]); it ends with the
//! projection onto the limits. All in the limit space of the root joint, as it is at first: an
//! upper arm's limits are fixed in the space of the clavicle's parent. So the root joint's borders
//! need no turn, and its rotation is the one that the limits judge.
//!
//! A leg that is left far from its goal also starts from two other places ([`super::limb_starts`]).
//! What comes nearest is taken; where the distances differ by less than [`SHARED`], a mean of
//! rotations with smooth weights, so that one passes into the other.
//!
//! The damping falls with the distance left, so the last steps are Newton's where the goal can be
//! reached.
//!
//! Source of the damping: K. Levenberg, Quarterly of Applied Mathematics 2 (1944).

use super::border_step::{Borders, Joints, Of, Turning, step};
use super::limb_shape::LimbShape;
use super::limb_starts::LegStarts;
use crate::closed_form::root_limit::RootLimit;
use crate::limits::{Freedom, HalfSpaces, JointBorders, JointLimit, PreparedJoint, Range, limited_to};
use crate::math::dispatch::{Level, Task};
use crate::math::rigid::{times, turn_vec3, unit_times};
use crate::math::{Mat3, Quat, Vec3, float, plain_length, unit_quat};
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

/// A clavicle that may help.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clavicle<'a> {
    limit: &'a PreparedJoint,
    /// What the limits count from.
    origin: Quat,
    allowed_rad: f32,
    rotation: Quat,
    /// From the clavicle's joint to the root of the limb, in the clavicle's space, in units of the
    /// root's parent.
    offset: Vec3,
    /// Orientation of the root's parent in the clavicle's space.
    between: Quat,
}

impl<'a> Clavicle<'a> {
    /// Measures it; `None` where a scale between is uneven. What another local rotation exceeds
    /// stays allowed.
    pub fn of(
        skeleton: &Skeleton,
        pose: &Pose,
        [joint, root]: [JointIndex; 2],
        (limit, prepared): &'a (JointLimit, PreparedJoint),
        other: Quat,
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
            let rotation = unit_quat(local.rotation);
            if above == joint {
                let origin = limit.origin_in(skeleton, pose, joint);
                let allowed_rad = prepared.violation_rad(unit_times(origin.conjugate(), unit_quat(other)));
                return Some(Self { limit: prepared, origin, allowed_rad, rotation, offset: offset / scale, between });
            }
            offset = local.position + turn_vec3(rotation, offset);
            between = unit_times(rotation, between);
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
    pub clavicle: Option<Clavicle<'a>>,
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

/// Where the limb is on its way.
#[derive(Clone, Copy)]
struct Place {
    /// The rotation of the clavicle in its limit space.
    girdle: Quat,
    /// That of the root joint in the limit space that it has at first.
    turn: Quat,
    /// The mid joint's angle.
    angle: f32,
}

/// What does not change on the way: directions and places in the root joint's limit space, as it is
/// at first, in units of the root's parent.
struct Course<'a> {
    approach: &'a Approach<'a>,
    root: RootJoint<'a>,
    girdle: Option<Girdle<'a>>,
    bones: Bones,
    /// The goal, from the joint of the clavicle or from the root joint.
    goal: Vec3,
}

/// What the root joint may do.
#[expect(clippy::large_enum_variant, reason = "on the stack of one solve: a box would allocate")]
enum RootJoint<'a> {
    /// No soft borders, and one stiffness: the usual limits of shoulder and hip.
    HalfSpaces(&'a HalfSpaces, f32),
    Other(PreparedJoint),
}

/// The clavicle on the way.
struct Girdle<'a> {
    clavicle: &'a Clavicle<'a>,
    /// Its limit space at first and its parent's space seen from the course.
    lead: Quat,
    /// [`Clavicle::offset`] in limit space.
    offset: Vec3,
    /// Where the root joint's limits turn with the clavicle: the root joint's limit space in the
    /// limit space of the clavicle.
    root: Option<Quat>,
}

/// The end of the limb by the mid joint's angle, in limit space of the root joint at rest.
struct Bones {
    /// The angle that the limb has been measured at.
    angle: f32,
    still: Vec3,
    across: [Vec3; 2],
}

impl Bones {
    /// The end, and how it moves with the angle.
    #[inline(always)]
    fn at(&self, angle: f32) -> (Vec3, Vec3) {
        let ((sine, cosine), [along, aside]) = (float::sin_cos(angle - self.angle), self.across);
        (self.still + along * cosine + aside * sine, aside * cosine - along * sine)
    }
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
        let Self(course, mut at) = self;
        let whole = course.approach.shape.whole;
        let (mut borders, mut found) = (Borders::new(), JointBorders::default());
        let mut steps = 0;
        loop {
            let turn = Mat3::from_quat(at.turn);
            let (end, bend) = course.bones.at(at.angle);
            let (reach, bend) = (turn * end, turn * bend);
            let offset = course.girdle.as_ref().map_or(Vec3::ZERO, |girdle| girdle.offset(at.girdle));
            let left = course.goal - (offset + reach);
            let distance = plain_length(left);
            let near = Near { at, left: distance / whole };
            if steps == STEPS || distance <= REACHED * whole {
                return near;
            }
            borders.clear();
            let range = &course.approach.range;
            let root = course.root_borders(&at, &turn, reach, &mut found, &mut borders);
            // The arm keeps its direction while the clavicle turns.
            let girdle = course
                .girdle
                .as_ref()
                .map_or(Turning::NONE, |girdle| girdle.borders(at.girdle, offset, &mut found, &mut borders));
            borders.add(Of::Bend, Vec3::X, range.max - at.angle);
            borders.add(Of::Bend, Vec3::NEG_X, at.angle - range.min);
            let damping = DAMPING * distance * whole + 1e-4 * whole * whole;
            let turns = step(&Joints { root, girdle, bend }, &mut borders, left, damping);
            let largest = plain_length(turns.root).max(turns.bend.abs()).max(plain_length(turns.girdle));
            if largest.is_nan() || largest <= SETTLED_RAD {
                return near;
            }
            let part = (STRIDE / largest).min(1.0);
            if let Some(girdle) = &course.girdle {
                at.girdle = girdle.moved(at.girdle, turns.girdle * part);
            }
            at.angle = range.clamp(at.angle + turns.bend * part);
            at.turn = course.limited(turned(at.turn, turns.root * part), at.girdle);
            steps += 1;
        }
    }
}

/// A rotation turned by a rotation vector that is not long: to 1e-4 rad at [`STRIDE`].
#[inline(always)]
fn turned(q: Quat, by: Vec3) -> Quat {
    // The tangent of half the angle.
    let half = by * (0.5 + by.length_squared() * (1.0 / 24.0));
    unit_times(Quat::from_xyzw(half.x, half.y, half.z, 1.0), q)
}

impl Girdle<'_> {
    /// From the clavicle's joint to the root of the limb.
    #[inline(always)]
    fn offset(&self, at: Quat) -> Vec3 {
        turn_vec3(self.lead, turn_vec3(at, self.offset))
    }
    /// Adds its borders.
    #[inline(always)]
    fn borders(&self, at: Quat, arm: Vec3, found: &mut JointBorders, borders: &mut Borders) -> Turning {
        let Clavicle { limit, allowed_rad, .. } = self.clavicle;
        limit.borders(at, self.lead, found);
        add_borders(Of::Girdle, found, *allowed_rad, borders);
        let even = found.even.map(|even| even * CLAVICLE_SHARE);
        Turning { mobility: found.mobility * CLAVICLE_SHARE, even, arm }
    }
    #[inline(always)]
    fn moved(&self, at: Quat, by: Vec3) -> Quat {
        let turn = turned(at, turn_vec3(self.lead.conjugate(), by));
        let Clavicle { limit, allowed_rad, .. } = self.clavicle;
        limited_to(turn, limit.project(turn), || *allowed_rad)
    }
}

#[inline(always)]
fn add_borders(joint: Of, found: &JointBorders, allowed_rad: f32, borders: &mut Borders) {
    for border in found.borders() {
        borders.add(joint, border.outward, border.room_rad + allowed_rad);
        if border.back_room_rad < f32::INFINITY {
            borders.add(joint, -border.outward, border.back_room_rad + allowed_rad);
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
        let frame = self.approach.root.limit.model.frame;
        let inside = |turn: Quat| unit_quat(frame.conjugate() * turn * frame);
        let mut all = [near; 1 + LegStarts::COUNT];
        for (near, start) in all[1..].iter_mut().zip(&starts.all) {
            *near = self.walk(self.retracted(inside(start.turn), self.approach.range.clamp(start.angle)));
            near.left += ELSEWHERE;
        }
        let first = all.into_iter().reduce(|a, b| if b.left < a.left { b } else { a }).unwrap_or(near);
        // A mean of quaternions, each with the sign that it has beside the middle.
        let middle = inside(starts.middle);
        let (mut turn, mut angle, mut sum) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 0.0, 0.0);
        for Near { at, left } in all {
            let weight = 1.0 - float::smooth_step(first.left, first.left + SHARED, left);
            turn += at.turn * if at.turn.dot(middle) < 0.0 { -weight } else { weight };
            angle += weight * at.angle;
            sum += weight;
        }
        if sum > 1.0 { self.retracted(unit_quat(turn), angle / sum) } else { first.at }
    }
    /// An admissible place of a leg that depends continuously on a turn of its hip.
    fn retracted(&self, turn: Quat, angle: f32) -> Place {
        Place { girdle: Quat::IDENTITY, turn: self.approach.root.retract_inside(turn).rotation, angle }
    }
    /// The root joint's limit space where the clavicle is, where that turns it.
    #[inline(always)]
    fn lead(&self, girdle: Quat) -> Option<Quat> {
        let Girdle { lead, root, .. } = self.girdle.as_ref()?;
        Some(unit_times(times(*lead, girdle), (*root)?))
    }
    /// Adds the root joint's borders.
    #[inline(always)]
    fn root_borders(
        &self,
        at: &Place,
        turn: &Mat3,
        arm: Vec3,
        found: &mut JointBorders,
        borders: &mut Borders,
    ) -> Turning {
        let (lead, allowed_rad) = (self.lead(at.girdle), self.approach.root.allowed_rad());
        match (&self.root, lead) {
            (RootJoint::HalfSpaces(limits, willing), None) => {
                limits.walls(turn, |room, gradient| {
                    let size = plain_length(gradient);
                    if size >= 1e-6 {
                        let over = 1.0 / size;
                        borders.add(Of::Root, gradient * over, room * over);
                    }
                });
                return Turning { mobility: Mat3::ZERO, even: Some(*willing), arm };
            }
            (RootJoint::HalfSpaces(limits, willing), Some(lead)) => {
                let inside = Mat3::from_quat(times(lead.conjugate(), at.turn));
                limits.walls(&inside, |room, gradient| {
                    let size = plain_length(gradient);
                    if size >= 1e-6 {
                        borders.add(Of::Root, turn_vec3(lead, gradient / size), room / size);
                    }
                });
                return Turning { mobility: Mat3::ZERO, even: Some(*willing), arm };
            }
            (RootJoint::Other(joint), None) => joint.borders(at.turn, Quat::IDENTITY, found),
            (RootJoint::Other(joint), Some(lead)) => joint.borders(times(lead.conjugate(), at.turn), lead, found),
        }
        add_borders(Of::Root, found, allowed_rad, borders);
        Turning { mobility: found.mobility, even: found.even, arm }
    }
    /// The root joint within its limits.
    #[inline(always)]
    fn limited(&self, turn: Quat, girdle: Quat) -> Quat {
        let Some(lead) = self.lead(girdle) else { return self.limited_inside(turn) };
        unit_times(lead, self.limited_inside(unit_times(lead.conjugate(), turn)))
    }
    #[inline(always)]
    fn limited_inside(&self, turn: Quat) -> Quat {
        let root = self.approach.root;
        match &self.root {
            // Where a range of rolls ends, small differences of ways must not grow.
            _ if self.approach.starts.is_some() => root.restore_inside(turn),
            RootJoint::HalfSpaces(limits, _) if limits.is_well_inside(turn) => turn,
            RootJoint::HalfSpaces(limits, _) => limited_to(turn, limits.project(turn), || 0.0),
            RootJoint::Other(joint) => limited_to(turn, joint.project(turn), || root.allowed_rad()),
        }
    }
}

impl Approach<'_> {
    /// From an admissible local rotation of the root joint and an angle.
    pub fn run(&self, root: Quat, angle: f32) -> Approached {
        let Self { shape, plane, root: limit, .. } = self;
        let model = &limit.limit.model;
        let first = self.clavicle.as_ref().map_or(Quat::IDENTITY, |c| unit_times(c.rotation, c.between));
        // From the course's space to that of the clavicle's parent, and from the root joint's at
        // rest to the root joint's own.
        let (outside, rest) =
            (unit_times(times(first, limit.limit.origin), model.frame), unit_times(*plane, model.frame));
        let inside = outside.conjugate();
        let girdle = self.clavicle.as_ref().map(|clavicle| {
            let frame = clavicle.limit.frame();
            let lead = unit_times(times(inside, clavicle.origin), frame);
            let within = |q: Quat| unit_times(times(frame.conjugate(), q), frame);
            let turns_root = limit.limit.carrier.is_none();
            let root = turns_root.then(|| {
                let origin = times(times(clavicle.between, limit.limit.origin), model.frame);
                unit_times(frame.conjugate(), origin)
            });
            let offset = turn_vec3(frame.conjugate(), clavicle.offset);
            let at = within(unit_times(clavicle.origin.conjugate(), clavicle.rotation));
            (Girdle { clavicle, lead, offset, root }, at)
        });
        let (girdle, at_first) = match girdle {
            Some((girdle, at)) => (Some(girdle), at),
            None => (None, Quat::IDENTITY),
        };
        let offset = girdle.as_ref().map_or(Vec3::ZERO, |girdle| girdle.offset(at_first));
        let goal = offset + turn_vec3(unit_times(inside, first), self.goal);
        let at_rest = |v: Vec3| turn_vec3(rest.conjugate(), v);
        let [still, along, aside] = shape.end_parts().map(at_rest);
        let bones = Bones { angle: shape.angle, still, across: [along, aside] };
        let is_plain = model.soft_rad <= 0.0 && model.stiffness.iter().all(|s| *s == model.stiffness[0]);
        let joint = match &model.freedom {
            Freedom::HalfSpaces(limits) if is_plain => {
                RootJoint::HalfSpaces(limits, (1.0 - model.stiffness[0]).clamp(0.01, 1.0))
            }
            _ => RootJoint::Other(PreparedJoint::new(model)),
        };
        let course = Course { approach: self, root: joint, girdle, bones, goal };
        let turn = unit_times(times(unit_times(inside, first), root), rest);
        let near = course.walk(Place { girdle: at_first, turn, angle });
        let at = match self.starts {
            Some(starts) if near.left > ELSEWHERE - SHARED => course.nearest(near, starts),
            _ => near.at,
        };
        let moved = self.clavicle.as_ref().filter(|_| at_first != at.girdle).map(|clavicle| {
            let frame = clavicle.limit.frame();
            unit_times(clavicle.origin, times(times(frame, at.girdle), frame.conjugate()))
        });
        let parent = match (&self.clavicle, moved) {
            (Some(clavicle), Some(moved)) => unit_times(moved, clavicle.between),
            _ => first,
        };
        let root = unit_times(times(times(parent.conjugate(), outside), at.turn), rest.conjugate());
        Approached { root, angle: at.angle, clavicle: moved }
    }
}
