//! A constraint as lines: bones, goals, pole, and the borders of its joints' limits.

use crate::constraint::Constrained;
use crate::display::Drawing;
use sinew::debug::{Line, Part, Sink};
use sinew::limits::JointModel;
use sinew::math::{Vec3, axis_angle, normalize_or};
use sinew::skeleton::JointIndex;
use std::f32::consts::{PI, TAU};

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
        for joint in 0..skeleton.joint_count() {
            self.draw_limits(joint, 0.3 * size.max(0.05), drawing);
        }
        let Ok(input) = animator.constraint(self.id) else { return };
        let end = at(self.ends.first().copied().unwrap_or_default());
        for (goal, end) in input.goals.iter().zip(self.ends.iter().map(Some).chain(core::iter::repeat(None))) {
            let Some(goal) = goal.position_ws.map(|goal| place.point_out(goal)) else { continue };
            if let Some(end) = end {
                drawing.line(Line { from_ws: at(*end), to_ws: goal, part: self.line_to_goal });
            }
            drawing.cross(goal, 0.25 * size.max(0.05), Part::GoalAxis);
        }
        if let Some(pole) = input.pole_ws {
            let to_ws = if pole.is_direction {
                // As long as a bone, from the end.
                let on = normalize_or(place.point_out(pole.at) - place.point_out(Vec3::ZERO), Vec3::ZERO);
                end + on * size.max(0.05)
            } else {
                place.point_out(pole.at)
            };
            drawing.line(Line { from_ws: end, to_ws, part: Part::Hint });
        }
    }

    /// Where a limited joint's bone may point to: lines along the border, and the border.
    fn draw_limits(&self, joint: JointIndex, size: f32, drawing: &mut Drawing) {
        const AROUND: usize = 24;
        let animator = &self.attached.animator;
        let Ok(limits) = animator.joint_limits(joint) else { return };
        if *limits == JointModel::FREE {
            return;
        }
        let (frame, now) = (animator.joint_ws(joint), animator.pose().local()[joint].rotation);
        let to_rest = now.conjugate() * animator.skeleton().rest_local()[joint].rotation;
        let out = |point: Vec3| self.attached.place.point_out(point);
        let (from, from_ws) = (frame.position, out(frame.position));
        let mut before = None;
        for step in 0..=AROUND {
            let angle = TAU * (step % AROUND) as f32 / AROUND as f32;
            // What is nearest to a bone that points the other way, leant to each side in turn, is the border.
            let lean = axis_angle(axis_angle(Vec3::Y, angle) * Vec3::X, 0.99 * PI);
            let bone_js = limits.project(limits.frame * lean * limits.frame.conjugate()) * (limits.frame * Vec3::Y);
            let along = out(from + frame.vector_out(to_rest * bone_js)) - from_ws;
            let border_ws = from_ws + normalize_or(along, Vec3::ZERO) * size;
            if step % 4 == 0 {
                drawing.limit(from_ws, border_ws);
            }
            if let Some(before_ws) = before.replace(border_ws) {
                drawing.limit(before_ws, border_ws);
            }
        }
    }
}
