//! Debug lines of a joint's limits: the border of a swing, fans of a hinge or a twist.

use crate::debug::{Line, Part, Sink};
use crate::limits::{BendAxis, Freedom, JointModel, Range, SwingRegion};
use crate::math::{Frame, Quat, Vec3, axis_angle, float, normalize_or, perpendicular, swing_twist, twist_angle};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::f32::consts::{PI, TAU};

/// Lines of a full circle.
const AROUND: usize = 24;

/// The frame in which a joint's limits stand: the joint's parent as posed, the joint at rest.
struct AtRest<'a> {
    world: &'a Frame,
    frame: Frame,
    /// From the joint's current space to that at rest.
    to_rest: Quat,
    from_ws: Vec3,
    size_m: f32,
    limits: &'a JointModel,
    sink: &'a mut dyn Sink,
}

/// Draws the limits of a joint as lines `size_m` metres from it. Frames are up to date.
pub(super) fn draw(
    skeleton: &Skeleton,
    pose: &Pose,
    world: &Frame,
    joint: JointIndex,
    limits: &JointModel,
    size_m: f32,
    sink: &mut dyn Sink,
) {
    if limits.is_unlimited() {
        return;
    }
    let frame = pose.model(joint);
    let to_rest = pose.local()[joint].rotation.conjugate() * skeleton.rest_local()[joint].rotation;
    let from_ws = world.point_out(frame.position);
    let mut rest = AtRest { world, frame, to_rest, from_ws, size_m, limits, sink };
    let along = limits.frame * Vec3::Y;
    match &limits.freedom {
        Freedom::Ball { swing, twist } => {
            rest.swing(swing);
            rest.twist(twist);
        }
        Freedom::Swing(swing) => rest.swing(swing),
        Freedom::Universal { bend, bend_range, twist } => {
            let axis = if *bend == BendAxis::X { Vec3::X } else { Vec3::Z };
            rest.fan(limits.frame * axis, along, bend_range);
            rest.twist(twist);
        }
        Freedom::Angles { x, z, y } => {
            rest.fan(limits.frame * Vec3::X, along, x);
            rest.fan(limits.frame * Vec3::Z, along, z);
            rest.twist(y);
        }
        Freedom::Hinge { range, .. } => rest.fan(limits.hinge_axis(), along, range),
        Freedom::HalfSpaces(limits) => limits.caps().iter().for_each(|cap| rest.cap(*cap)),
        Freedom::Fixed => rest.path([Vec3::ZERO, along]),
    }
}

/// Angles along a range, ends included.
fn angles(range: &Range) -> impl Iterator<Item = f32> + use<> {
    let (min, width) = (range.min, range.max - range.min);
    let steps = 1 + (width / TAU * AROUND as f32) as usize;
    (0..=steps).map(move |step| min + width * step as f32 / steps as f32)
}

impl AtRest<'_> {
    /// Where a vector of the joint's own space at rest ends, in sizes.
    fn at(&self, vector_js: Vec3) -> Vec3 {
        let along = self.world.vector_out(self.frame.vector_out(self.to_rest * vector_js));
        self.from_ws + normalize_or(along, Vec3::ZERO) * (self.size_m * vector_js.length())
    }
    /// Lines through points of the joint's own space at rest.
    fn path(&mut self, points_js: impl IntoIterator<Item = Vec3>) {
        let mut before = None;
        for point in points_js {
            let to_ws = self.at(point);
            if let Some(from_ws) = before {
                self.sink.line(Line { from_ws, to_ws, part: Part::Limit });
            }
            before = Some(to_ws);
        }
    }

    /// The border of a swing region and four spokes to it.
    fn swing(&mut self, swing: &SwingRegion) {
        if swing.is_free() {
            return;
        }
        let model = JointModel { frame: Quat::IDENTITY, freedom: Freedom::Swing(*swing), ..JointModel::FREE };
        let lean = |to: usize, angle: f32| {
            axis_angle(axis_angle(Vec3::Y, TAU * (to % AROUND) as f32 / AROUND as f32) * Vec3::X, angle)
        };
        // Regions hold the rest direction and every direction on the way to another one they hold.
        let border = |to: usize| {
            let (mut inside, mut outside) = (0.0, 0.999 * PI);
            for _ in 0..12 {
                let between = 0.5 * (inside + outside);
                if model.violation_rad(lean(to, between)) < 1e-3 { inside = between } else { outside = between }
            }
            lean(to, inside) * Vec3::Y
        };
        let frame = self.limits.frame;
        self.path((0..=AROUND).map(|to| frame * border(to)));
        for to in (0..AROUND).step_by(AROUND / 4) {
            self.path([Vec3::ZERO, frame * border(to)]);
        }
    }

    /// The rim of a cap that the bone stays out of.
    fn cap(&mut self, (normal, cosine): (Vec3, f32)) {
        let frame = self.limits.frame;
        let across = perpendicular(normal) * float::sqrt((1.0 - cosine * cosine).max(0.0));
        let turned = |to: usize| axis_angle(normal, TAU * to as f32 / AROUND as f32) * across;
        self.path((0..=AROUND).map(|to| frame * (normal * cosine + turned(to))));
    }

    /// The turns about an axis that a range holds, as a fan from a direction.
    fn fan(&mut self, axis_js: Vec3, direction_js: Vec3, range: &Range) {
        let across = direction_js - axis_js * axis_js.dot(direction_js);
        let across = normalize_or(across, perpendicular(axis_js));
        let spoke = (!range.is_free()).then_some(Vec3::ZERO);
        let arc = angles(range).map(|angle| axis_angle(axis_js, angle) * across);
        self.path(spoke.into_iter().chain(arc).chain(spoke));
        self.path([axis_js * -0.25, axis_js * 0.25]);
    }

    /// The range of the twist as a fan about the bone, half way along it, with a line where the
    /// twist is now.
    fn twist(&mut self, range: &Range) {
        if range.is_free() {
            return;
        }
        let frame = self.limits.frame;
        let turned = frame.conjugate() * self.to_rest.conjugate() * frame;
        let (swing, twist) = swing_twist(turned, Vec3::Y);
        let at =
            |angle: f32, radius: f32| frame * (swing * (Vec3::Y * 0.5 + axis_angle(Vec3::Y, angle) * Vec3::X * radius));
        let centre = at(0.0, 0.0);
        self.path(core::iter::once(centre).chain(angles(range).map(|a| at(a, 0.4))).chain([centre]));
        self.path([centre, at(twist_angle(twist, Vec3::Y), 0.5)]);
    }
}
