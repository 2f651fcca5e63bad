//! A constraint as lines: bones, goals, pole, and the borders of its joints' limits.

use crate::attached::Place;
use crate::bones::{BoneTable, Subset};
use crate::constraint::Constrained;
use crate::display::Drawing;
use sinew::chains::spline::{Curve, CurveKind};
use sinew::constraints::{ChainEnd, ConstraintDefinition, ConstraintGoal, DistanceGoal};
use sinew::debug::{Line, Part, Sink};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Frame, Quat, Vec3, axis_angle, length, normalize_or, perpendicular, swing_twist, twist_angle};
use sinew::skeleton::JointIndex;
use std::f32::consts::{PI, TAU};

/// Lines of a full circle.
const AROUND: usize = 32;

/// What a constraint draws beside its bones.
#[derive(Debug)]
pub struct Shown {
    /// The joints that go to the goals, with their tips.
    ends: Vec<ChainEnd>,
    goals: Goals,
    /// Where each joint's bone ends, in the joint's own space; zero: unknown.
    tails_js: Box<[Vec3]>,
}

/// Kind of goals.
#[derive(Debug)]
enum Goals {
    /// Points for the ends.
    Points,
    /// A point that the end looks at, along this axis of its own space.
    Sight(Vec3),
    /// Control points of a curve.
    Curve(CurveKind),
    /// Rotations for a joint, swing and twist about this axis of its own space.
    Turn(JointIndex, Vec3),
}

impl Shown {
    /// The debug lines of a constraint on some bones.
    pub fn new(table: &BoneTable, subset: &Subset, definition: &ConstraintDefinition) -> Self {
        let end = |joint, tip_js| vec![ChainEnd { joint, tip_js }];
        let (ends, goals) = match definition {
            ConstraintDefinition::Chain(chain) => (chain.ends.to_vec(), Goals::Points),
            ConstraintDefinition::TwoBone(limb) => (end(limb.end, Vec3::ZERO), Goals::Points),
            ConstraintDefinition::Aim(aim) => (end(aim.end, aim.offset_js), Goals::Sight(aim.axis_js)),
            ConstraintDefinition::Spline(spline) => (end(spline.end, spline.tip_js), Goals::Curve(spline.curve)),
            ConstraintDefinition::CopyRotation(copy) => (Vec::new(), Goals::Turn(copy.joint, copy.axis_js)),
        };
        let child_of = |parent: i32| table.parents.iter().position(|above| *above == parent);
        let joints = 0..subset.bones.len();
        let tails = joints.map(|joint| {
            let inside = (joint + 1..subset.bones.len()).find(|child| subset.skeleton.parent(*child) == Some(joint));
            let child = inside.map(|child| subset.bones[child] as usize).or_else(|| child_of(subset.bones[joint]));
            child.and_then(|child| table.rests.get(child)).map_or(Vec3::ZERO, |rest| rest.position)
        });
        Self { ends, goals, tails_js: tails.collect() }
    }
}

/// The frame of a joint's limits: at rest in its parent's current pose.
struct AtRest<'a> {
    place: &'a Place,
    frame: Frame,
    /// From the joint's current space to that at rest.
    to_rest: Quat,
    from_ws: Vec3,
    /// Length of its lines, metres in the world.
    size: f32,
    limits: JointModel,
}

impl AtRest<'_> {
    /// Where a direction of the joint's own space points to at rest: as far from the joint as the
    /// direction is long, in sizes.
    fn at(&self, direction_js: Vec3) -> Vec3 {
        let along = self.place.point_out(self.frame.position + self.frame.vector_out(self.to_rest * direction_js));
        self.from_ws + normalize_or(along - self.from_ws, Vec3::ZERO) * (self.size * length(direction_js))
    }
    /// The same for a direction of the limits' space.
    fn at_limit(&self, direction: Vec3) -> Vec3 {
        self.at(self.limits.frame * direction)
    }

    /// The border of the swing region, with four ribs on its inner side.
    fn swing(&self, swing: SwingRegion, drawing: &mut Drawing) {
        if swing.is_free() {
            return;
        }
        let model = JointModel { frame: Quat::IDENTITY, freedom: Freedom::Swing(swing), ..JointModel::FREE };
        let lean = |to: usize, angle: f32| {
            axis_angle(axis_angle(Vec3::Y, TAU * (to % AROUND) as f32 / AROUND as f32) * Vec3::X, angle)
        };
        // Regions hold the rest direction and every direction on the way to another one they hold.
        let farthest = |to: usize| {
            let (mut inside, mut outside) = (0.0, 0.999 * PI);
            for _ in 0..16 {
                let between = 0.5 * (inside + outside);
                if model.violation_rad(lean(to, between)) < 1e-3 { inside = between } else { outside = between }
            }
            inside
        };
        let angles: Vec<f32> = (0..=AROUND).map(|to| farthest(to % AROUND)).collect();
        let border = angles.iter().enumerate().map(|(to, angle)| self.at_limit(lean(to, *angle) * Vec3::Y));
        drawing.limit_path(border);
        for to in (0..AROUND).step_by(AROUND / 4) {
            let steps = 1 + (angles[to] / PI * 0.5 * AROUND as f32) as usize;
            let rib = (0..=steps).map(|step| lean(to, angles[to] * step as f32 / steps as f32) * Vec3::Y);
            drawing.limit_path(rib.map(|direction| self.at_limit(direction)));
            drawing.limit_path([self.from_ws, self.at_limit(lean(to, angles[to]) * Vec3::Y)].into_iter());
        }
    }

    /// The turns about an axis that a range holds, as a fan; both in the joint's own space.
    fn fan(&self, axis_js: Vec3, direction_js: Vec3, range: &Range, drawing: &mut Drawing) {
        let across = direction_js - axis_js * axis_js.dot(direction_js);
        let across = normalize_or(across, perpendicular(axis_js));
        let arc = arc_of(range).map(|angle| self.at(axis_angle(axis_js, angle) * across));
        let whole = range.is_free();
        let spoke = (!whole).then_some(self.from_ws);
        drawing.limit_path(spoke.into_iter().chain(arc).chain(spoke));
        drawing.limit_path([self.at(axis_js * -0.25), self.at(axis_js * 0.25)].into_iter());
    }

    /// The twist's range as a fan about the bone, half way along it, and a mark where the twist is.
    fn twist(&self, range: &Range, drawing: &mut Drawing) {
        if range.is_free() {
            return;
        }
        let turned = self.limits.frame.conjugate() * self.to_rest.conjugate() * self.limits.frame;
        let (swing, twist) = swing_twist(turned, Vec3::Y);
        let at = |angle: f32, radius: f32| {
            self.at_limit(swing * (Vec3::Y * 0.5 + axis_angle(Vec3::Y, angle) * Vec3::X * radius))
        };
        let centre = self.at_limit(swing * (Vec3::Y * 0.5));
        let arc = arc_of(range).map(|angle| at(angle, 0.4));
        drawing.limit_path(core::iter::once(centre).chain(arc).chain([centre]));
        let now = at(twist_angle(twist, Vec3::Y), 0.5);
        drawing.line(Line { from_ws: centre, to_ws: now, part: Part::Bone });
    }
}

/// Angles along a range, ends included.
fn arc_of(range: &Range) -> impl Iterator<Item = f32> {
    let (min, width) = (range.min, range.max - range.min);
    let steps = 1 + (width / TAU * AROUND as f32) as usize;
    (0..=steps).map(move |step| min + width * step as f32 / steps as f32)
}

impl Constrained {
    /// Bones from the constraint's pose, their limits, its goal and pole, as lines in the world.
    pub fn draw(&self, drawing: &mut Drawing) {
        let animator = &self.attached.animator;
        let skeleton = animator.skeleton();
        let place = &self.attached.place;
        let at = |joint| place.point_out(animator.joint_ws(joint).position);
        let mut size = 0.0_f32;
        for joint in 0..skeleton.joint_count() {
            if let Some(parent) = skeleton.parent(joint) {
                let (from_ws, to_ws) = (at(parent), at(joint));
                size = size.max((to_ws - from_ws).length());
                drawing.line(Line { from_ws, to_ws, part: Part::Bone });
            }
        }
        if size == 0.0 {
            size = self.length_of(0);
        }
        let size = if size > 0.0 { size } else { 0.1 };
        for joint in 0..skeleton.joint_count() {
            let own = self.length_of(joint);
            self.draw_limits(joint, 0.5 * if own > 0.0 { own } else { size }, drawing);
        }
        let Ok(input) = animator.constraint(self.id) else { return };
        let tip = |end: &ChainEnd| place.point_out(animator.joint_ws(end.joint).point_out(end.tip_js));
        for end in self.shown.ends.iter().filter(|end| end.tip_js != Vec3::ZERO) {
            drawing.line(Line { from_ws: at(end.joint), to_ws: tip(end), part: Part::Bone });
        }
        match &self.shown.goals {
            Goals::Turn(joint, axis_js) => self.draw_turn(*joint, *axis_js, 0.5 * size, drawing),
            Goals::Curve(kind) => draw_curve(*kind, &input.goals, place, drawing),
            Goals::Points | Goals::Sight(_) => {}
        }
        for (number, goal) in input.goals.iter().enumerate() {
            let Some(goal_ws) = goal.position_ws.map(|goal| place.point_out(goal)) else { continue };
            drawing.cross(goal_ws, 0.25 * size, Part::GoalAxis);
            let Some(end) = self.shown.ends.get(number) else { continue };
            let tip_ws = tip(end);
            let (from_ws, to_ws) = match self.shown.goals {
                Goals::Points => (tip_ws, draw_distance(goal.distance, tip_ws, goal_ws, drawing)),
                Goals::Sight(axis_js) => {
                    let frame = animator.joint_ws(end.joint);
                    let ahead = place.point_out(frame.point_out(end.tip_js) + frame.vector_out(axis_js)) - tip_ws;
                    let seen_ws = tip_ws + normalize_or(ahead, Vec3::ZERO) * length(goal_ws - tip_ws);
                    drawing.line(Line { from_ws: tip_ws, to_ws: seen_ws, part: Part::LookAt });
                    (seen_ws, goal_ws)
                }
                Goals::Curve(_) | Goals::Turn(..) => continue,
            };
            drawing.line(Line { from_ws, to_ws, part: Part::Residual });
        }
        if let Some(pole) = input.pole_ws {
            let from_ws = self.bend_ws();
            let to_ws = if pole.is_direction {
                let on = normalize_or(place.point_out(pole.at) - place.point_out(Vec3::ZERO), Vec3::ZERO);
                from_ws + on * size
            } else {
                place.point_out(pole.at)
            };
            drawing.line(Line { from_ws, to_ws, part: Part::Hint });
        }
    }

    /// Current length of a joint's bone, metres in the world; 0: unknown.
    fn length_of(&self, joint: JointIndex) -> f32 {
        let frame = self.attached.animator.joint_ws(joint);
        let tail = self.shown.tails_js.get(joint).copied().unwrap_or_default();
        let out = |point| self.attached.place.point_out(point);
        length(out(frame.point_out(tail)) - out(frame.position))
    }

    /// The joint that a pole affects: the one farthest from the line between the first end and its
    /// root; the middle one of a straight chain; the end itself for an aim.
    fn bend_ws(&self) -> Vec3 {
        let animator = &self.attached.animator;
        let at = |joint| self.attached.place.point_out(animator.joint_ws(joint).position);
        let Some(end) = self.shown.ends.first().map(|end| end.joint) else { return at(0) };
        if matches!(self.shown.goals, Goals::Sight(_)) {
            return at(end);
        }
        let lineage = core::iter::successors(Some(end), |joint| animator.skeleton().parent(*joint));
        let places: Vec<Vec3> = lineage.map(at).collect();
        let (end_ws, root_ws) = (places[0], places[places.len() - 1]);
        let line = normalize_or(end_ws - root_ws, Vec3::ZERO);
        let mut farthest = (1e-3 * length(end_ws - root_ws), places[places.len() / 2]);
        for place_ws in places {
            let from_root = place_ws - root_ws;
            let away = length(from_root - line * line.dot(from_root));
            if away > farthest.0 {
                farthest = (away, place_ws);
            }
        }
        farthest.1
    }

    /// A bone that is turned, and the axis that its twist is about.
    fn draw_turn(&self, joint: JointIndex, axis_js: Vec3, size: f32, drawing: &mut Drawing) {
        let (frame, place) = (self.attached.animator.joint_ws(joint), &self.attached.place);
        let from_ws = place.point_out(frame.position);
        let tail = self.shown.tails_js.get(joint).copied().unwrap_or_default();
        drawing.line(Line { from_ws, to_ws: place.point_out(frame.point_out(tail)), part: Part::Bone });
        let along = place.point_out(frame.position + frame.vector_out(axis_js)) - from_ws;
        let to_ws = from_ws + normalize_or(along, Vec3::ZERO) * size;
        drawing.line(Line { from_ws, to_ws, part: Part::GoalAxis });
    }

    /// The range of a limited joint, as lines about its rest: the border of its swing, its hinge's
    /// or twist's range.
    fn draw_limits(&self, joint: JointIndex, size: f32, drawing: &mut Drawing) {
        let animator = &self.attached.animator;
        let Ok(Some(limits)) = animator.joint_limits(joint) else { return };
        if limits.is_unlimited() {
            return;
        }
        let (frame, now) = (animator.joint_ws(joint), animator.pose().local()[joint].rotation);
        let to_rest = now.conjugate() * animator.skeleton().rest_local()[joint].rotation;
        let place = &self.attached.place;
        let from_ws = place.point_out(frame.position);
        let rest = AtRest { place, frame, to_rest, from_ws, size, limits: *limits };
        let along = limits.frame * Vec3::Y;
        let bone_js = normalize_or(self.shown.tails_js.get(joint).copied().unwrap_or_default(), along);
        match limits.freedom {
            Freedom::Ball { swing, twist } => {
                rest.swing(swing, drawing);
                rest.twist(&twist, drawing);
            }
            Freedom::Swing(swing) => rest.swing(swing, drawing),
            Freedom::Universal { bend, bend_range, twist } => {
                let axis = match bend {
                    BendAxis::X => Vec3::X,
                    BendAxis::Z => Vec3::Z,
                };
                rest.fan(limits.frame * axis, along, &bend_range, drawing);
                rest.twist(&twist, drawing);
            }
            Freedom::Angles { x, z, y } => {
                rest.fan(limits.frame * Vec3::X, along, &x, drawing);
                rest.fan(limits.frame * Vec3::Z, along, &z, drawing);
                rest.twist(&y, drawing);
            }
            Freedom::Hinge { axis, range } => {
                let axis = match axis {
                    HingeAxis::X => Vec3::X,
                    HingeAxis::Y => Vec3::Y,
                    HingeAxis::Z => Vec3::Z,
                };
                rest.fan(limits.frame * axis, bone_js, &range, drawing);
            }
            // Overrides are made of ranges.
            Freedom::HalfSpaces(_) => {}
            Freedom::Fixed => drawing.limit_path([from_ws, rest.at(bone_js)].into_iter()),
        }
    }
}

/// The curve of these control points.
fn draw_curve(kind: CurveKind, goals: &[ConstraintGoal], place: &Place, drawing: &mut Drawing) {
    const STEPS: usize = 16;
    let points: Option<Vec<Vec3>> = goals.iter().map(|goal| Some(place.point_out(goal.position_ws?))).collect();
    let Some(points) = points else { return };
    let Some(mut curve) = Curve::new(kind, points.len()) else { return };
    curve.set_points(&points);
    let segments = if kind == CurveKind::Bezier { points.len() / 3 } else { points.len() - 1 };
    let mut from_ws = curve.start();
    for segment in 0..segments {
        for step in 1..=STEPS {
            let to_ws = curve.at(segment, step as f32 / STEPS as f32);
            drawing.line(Line { from_ws, to_ws, part: Part::GoalAxis });
            from_ws = to_ws;
        }
    }
}

/// The sphere at whose border a tip stays, as three circles; returns the goal point on it.
fn draw_distance(distance: Option<DistanceGoal>, tip_ws: Vec3, goal_ws: Vec3, drawing: &mut Drawing) -> Vec3 {
    let Some(distance) = distance else { return goal_ws };
    for (x, y) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
        let at = |step: usize| goal_ws + axis_angle(x, TAU * step as f32 / AROUND as f32) * y * distance.radius_m;
        for step in 0..AROUND {
            drawing.line(Line { from_ws: at(step), to_ws: at(step + 1), part: Part::GoalAxis });
        }
    }
    distance.nearest(goal_ws, tip_ws, Vec3::X).unwrap_or(tip_ws)
}
