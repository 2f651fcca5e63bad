//! Debug lines of an animator: bones, goals, residuals, hints, gaze, centre of mass.

use super::animator::Animator;
use crate::debug::{Line, Part, Sink};
use crate::humanoid::{IkGoal, IkHint};
use crate::math::{Quat, Vec3};

impl Animator {
    /// Draws the current pose and the goals as set; world space. Goals of weight 0 are not drawn.
    pub fn draw(&mut self, sink: &mut impl Sink) {
        self.pose.update(&self.skeleton);
        let (skeleton, pose, world) = (&self.skeleton, &self.pose, &self.world_from_model);
        let at = |joint| world.point_out(pose.model(joint).position);
        for joint in 0..skeleton.joint_count() {
            if let Some(parent) = skeleton.parent(joint) {
                sink.line(Line { from_ws: at(parent), to_ws: at(joint), part: Part::Bone });
            }
        }
        let Some((avatar, input)) = self.humanoid.as_deref().map(|h| (&*h.avatar, &h.input)) else {
            return;
        };
        let size = 0.08 * avatar.human_scale();
        let mut goal = |from_ws, place_ws: Option<Vec3>, rotation_ws: Option<Quat>| {
            if let Some(to_ws) = place_ws {
                sink.line(Line { from_ws, to_ws, part: Part::Residual });
            }
            let centre_ws = place_ws.unwrap_or(from_ws);
            match rotation_ws {
                Some(rotation) => [Vec3::X, Vec3::Y, Vec3::Z].into_iter().for_each(|axis| {
                    let to_ws = centre_ws + rotation * axis * size;
                    sink.line(Line { from_ws: centre_ws, to_ws, part: Part::GoalAxis });
                }),
                None if place_ws.is_some() => sink.cross(centre_ws, size, Part::GoalAxis),
                None => {}
            }
        };
        for (limb, wish) in IkGoal::ALL.into_iter().zip(&input.goals) {
            let end_ws = at(avatar.limb(limb).joints.end());
            let position = wish.position.filter(|_| wish.position_weight > 0.0);
            goal(end_ws, position, wish.rotation.filter(|_| wish.rotation_weight > 0.0));
        }
        let centre_ws = world.point_out(avatar.body.measure(pose).position);
        goal(centre_ws, input.body_position, input.body_rotation);
        for hint in IkHint::ALL {
            let wish = &input.hints[hint.index()];
            if let (Some(position), true) = (wish.position, wish.weight > 0.0) {
                let from_ws = at(avatar.limb(hint.goal()).joints.mid());
                sink.line(Line { from_ws, to_ws: position, part: Part::Hint });
            }
        }
        if let (Some(to_ws), true) = (input.look_at_position, input.look_at_weight.weight > 0.0) {
            let (origin_ms, _) = avatar.look_at.gaze(pose);
            sink.line(Line { from_ws: world.point_out(origin_ms), to_ws, part: Part::LookAt });
        }
        sink.cross(centre_ws, size, Part::Body);
    }
}
