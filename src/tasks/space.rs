//! Tasks in other spaces, and tasks that hold what is there.
//!
//! A solve runs in model space. Hosts give goals in world space and move the character's root under
//! them; [`AnyTask::seen_from`] brings a task from the one to the other. [`AnyTask::held_at`] puts
//! a task's goal where its anchors are: a pin.

use super::{AnyTask, Axes, DistanceRule, MAX_ANCHORS, Placement, PlaneSide, SupportArea};
use crate::math::{Quat, Transform, Vec3};

/// A space inside another: rotation, place and an even scale.
struct Inner {
    place: Vec3,
    back: Quat,
    shrink: f32,
    keeps_axes: bool,
}

impl Inner {
    fn point(&self, p: Vec3) -> Vec3 {
        self.back * (p - self.place) * self.shrink
    }
    fn axes(&self, axes: Axes) -> Axes {
        // All three count the same in any frame.
        if self.keeps_axes || axes.turn_with_joint || axes.on == [true; 3] {
            return axes;
        }
        Axes { frame: (self.back * axes.frame).normalize(), ..axes }
    }
    fn area(&self, area: &SupportArea, up: Vec3) -> SupportArea {
        let mut points = [Vec3::ZERO; SupportArea::MAX_CORNERS];
        let corners = area.corners();
        for (to, corner) in points.iter_mut().zip(corners) {
            *to = self.point(*corner);
        }
        SupportArea::hull(&points[..corners.len()], up).unwrap_or(*area)
    }
}

impl AnyTask {
    /// The same task as seen from inside a space that `root` places: a task in world space, seen
    /// from a character's model space. The scale of `root` counts by its first number, which must
    /// not be 0. What is given in a joint's space stays; rows that the host computes go on to be
    /// computed in the outer space. The frame of masked axes stays with `keeps_axes`.
    pub fn seen_from(&self, root: &Transform, keeps_axes: bool) -> Self {
        let inner =
            Inner { place: root.position, back: root.rotation.conjugate(), shrink: 1.0 / root.scale.x, keeps_axes };
        let mut task = self.clone();
        match &mut task {
            Self::Position(t) => (t.goal, t.axes) = (inner.point(t.goal), inner.axes(t.axes)),
            Self::Orientation(t) => (t.goal, t.axes) = ((inner.back * t.goal).normalize(), inner.axes(t.axes)),
            Self::Axis(t) => t.direction = inner.back * t.direction,
            Self::Gaze(t) => t.target = inner.point(t.target),
            Self::PoleVector(t) => t.pole = inner.point(t.pole),
            Self::Distance(t) => {
                t.distance *= inner.shrink;
                if t.other.is_none() {
                    t.center = inner.point(t.center);
                }
            }
            Self::Plane(t) => {
                t.offset = (t.offset - t.normal.dot(inner.place)) * inner.shrink;
                t.normal = inner.back * t.normal;
            }
            Self::RelativePosition(t) => t.axes = inner.axes(t.axes),
            Self::RelativeOrientation(t) => t.axes = inner.axes(t.axes),
            Self::SpannedOrientation(t) => t.goal = (inner.back * t.goal).normalize(),
            Self::CenterOfMass(t) => (t.goal, t.axes) = (inner.point(t.goal), inner.axes(t.axes)),
            Self::Support(t) => {
                t.up = inner.back * t.up;
                (t.area, t.margin) = (inner.area(&t.area, t.up), t.margin * inner.shrink);
            }
            Self::HostTask(t) => {
                let o = t.outer;
                t.outer = Transform {
                    position: o.position + o.rotation * (root.position * o.scale.x),
                    rotation: (o.rotation * root.rotation).normalize(),
                    scale: Vec3::splat(o.scale.x * root.scale.x),
                };
            }
        }
        task
    }

    /// The same task with its goal where the anchors are. An area that carries the centre of mass
    /// and rows of the host stay as they are; a distance or a plane that counts on one side holds
    /// the border where the point is.
    pub fn held_at(&self, at: &[Placement; MAX_ANCHORS]) -> Self {
        let mut task = self.clone();
        match &mut task {
            Self::Position(t) => t.goal = at[0].point(t.point_js),
            Self::Orientation(t) => t.goal = at[0].rotation,
            Self::Axis(t) => t.direction = at[0].rotation * t.axis_js,
            Self::Gaze(t) => t.target = at[0].point(t.eye_js) + at[0].rotation * t.axis_js,
            Self::PoleVector(t) => t.pole = at[0].position,
            Self::Distance(t) => {
                let y = if t.other.is_some() { at[1].point(t.center) } else { t.center };
                t.distance = (at[0].point(t.point_js) - y).length();
                t.rule = DistanceRule::OnSurface;
            }
            Self::Plane(t) => {
                t.offset = t.normal.dot(at[0].point(t.point_js));
                t.side = PlaneSide::On;
            }
            Self::RelativePosition(t) => {
                let x = at[0].point(t.point_js);
                t.other_point_js = at[1].rotation.conjugate() * (x - at[1].position);
            }
            Self::RelativeOrientation(t) => {
                t.rotation = (at[1].rotation.conjugate() * at[0].rotation).normalize();
            }
            Self::SpannedOrientation(t) => t.goal = t.now(at).map_or(t.goal, |(now, ..)| now),
            Self::CenterOfMass(t) => t.goal = at[0].position,
            Self::Support(_) | Self::HostTask(_) => {}
        }
        task
    }
}
