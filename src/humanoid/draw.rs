//! Debug lines of an animator: bones, goals, residuals, hints, gaze, centre of mass.

use super::animator::Animator;
use super::ik_goal::{IkGoal, IkHint};
use crate::debug::{Line, Part, Sink};
use crate::math::Vec3;

impl Animator {
    /// Draws the character as the pose is now and the goals as they are set; world space. Goals of weight 0 are left out.
    pub fn draw(&mut self, sink: &mut impl Sink) {
        let drawing = self.parts_for_drawing();
        let at = |joint| drawing.world.point_out(drawing.pose.model(joint).position);
        for joint in 0..drawing.skeleton.joint_count() {
            if let Some(parent) = drawing.skeleton.parent(joint) {
                sink.line(Line { from_ws: at(parent), to_ws: at(joint), part: Part::Bone });
            }
        }
        let Some((avatar, input)) = drawing.humanoid else {
            return;
        };
        let size = 0.08 * avatar.human_scale();
        for goal in IkGoal::ALL {
            let wish = &input.goals[goal.index()];
            let end_ws = at(avatar.limb(goal).joints.end());
            let goal_ws = wish.position.unwrap_or(end_ws);
            if wish.position_weight > 0.0 {
                sink.line(Line { from_ws: end_ws, to_ws: goal_ws, part: Part::Residual });
            }
            if let (Some(rotation), true) = (wish.rotation, wish.rotation_weight > 0.0) {
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let to_ws = goal_ws + rotation * axis * size;
                    sink.line(Line { from_ws: goal_ws, to_ws, part: Part::GoalAxis });
                }
            }
        }
        for hint in IkHint::ALL {
            let wish = &input.hints[hint.index()];
            if let (Some(position), true) = (wish.position, wish.weight > 0.0) {
                let from_ws = at(avatar.limb(hint.goal()).joints.mid());
                sink.line(Line { from_ws, to_ws: position, part: Part::Hint });
            }
        }
        if let (Some(to_ws), true) = (input.look_at_position, input.look_at_weight.weight > 0.0) {
            let (origin_ms, _) = avatar.look_at.gaze(drawing.pose);
            sink.line(Line { from_ws: drawing.world.point_out(origin_ms), to_ws, part: Part::LookAt });
        }
        let centre_ms = avatar.body.measure(drawing.pose).position;
        sink.cross(drawing.world.point_out(centre_ms), size, Part::Body);
    }
}
