//! Debug lines of an animator: bones, goals, residuals, hints, gaze, centre of mass, effectors of
//! the body solver, goals and poles of constraints, limits.

use super::animator::Animator;
use super::limit_lines;
use crate::debug::{Line, Part, Sink};
use crate::humanoid::{BodyEffector, IkGoal, IkGoalInput, IkHint};
use crate::math::{Quat, Vec3, length};

/// Length of marks beside the size of the skeleton, on rigs that are not humanoid.
const MARK: f32 = 0.04;

/// A goal's place and frame, with the line that is left to it.
fn draw_goal(sink: &mut impl Sink, from_ws: Vec3, place_ws: Option<Vec3>, rotation_ws: Option<Quat>, size: f32) {
    if let Some(to_ws) = place_ws {
        sink.line(Line { from_ws, to_ws, part: Part::Residual });
    }
    let centre_ws = place_ws.unwrap_or(from_ws);
    match rotation_ws {
        Some(rotation) => Vec3::AXES.into_iter().for_each(|axis| {
            let to_ws = centre_ws + rotation * axis * size;
            sink.line(Line { from_ws: centre_ws, to_ws, part: Part::GoalAxis });
        }),
        None if place_ws.is_some() => sink.cross(centre_ws, size, Part::GoalAxis),
        None => {}
    }
}

/// A goal as far as it has weight.
fn draw_input(sink: &mut impl Sink, from_ws: Vec3, input: &IkGoalInput, size: f32) {
    let position = input.position.filter(|_| input.position_weight > 0.0);
    draw_goal(sink, from_ws, position, input.rotation.filter(|_| input.rotation_weight > 0.0), size);
}

impl Animator {
    /// Draws the current pose and the goals as set, of the humanoid and of constraints, and the
    /// limits that joints were given one by one; world space. Goals of weight 0 are not drawn.
    pub fn draw(&mut self, sink: &mut impl Sink) {
        self.pose.update(&self.skeleton);
        for joint in 0..self.skeleton.joint_count() {
            if let Some(parent) = self.skeleton.parent(joint) {
                let (from_ws, to_ws) = (self.place_ws(parent), self.place_ws(joint));
                sink.line(Line { from_ws, to_ws, part: Part::Bone });
            }
        }
        self.draw_humanoid(sink);
        let mark_m = self.mark_m();
        self.constraints.draw(&self.pose, &self.world_from_model, mark_m, sink);
        self.draw_limits(mark_m, sink);
    }

    /// Where a joint is; the frames are up to date.
    fn place_ws(&self, joint: usize) -> Vec3 {
        self.world_from_model.point_out(self.pose.model(joint).position)
    }
    /// Length of marks, metres.
    fn mark_m(&self) -> f32 {
        if let Some(humanoid) = &self.humanoid {
            // The human scale is in units of the rig.
            let scale: f32 = Vec3::AXES.iter().map(|axis| length(self.world_from_model.vector_out(*axis))).sum();
            return 0.08 * humanoid.avatar.human_scale() * (scale / 3.0);
        }
        let first = self.place_ws(0);
        let reach = (1..self.skeleton.joint_count()).map(|j| length(self.place_ws(j) - first)).fold(0.0, f32::max);
        if reach > 0.0 { MARK * reach } else { 0.1 }
    }

    fn draw_humanoid(&self, sink: &mut impl Sink) {
        let Some(humanoid) = self.humanoid.as_deref() else { return };
        let (avatar, input) = (&*humanoid.avatar, &humanoid.input);
        let size = self.mark_m();
        for (limb, given) in IkGoal::ALL.into_iter().zip(&input.goals) {
            let end = avatar.limb(limb).joints.end();
            match humanoid.places_of(limb) {
                Some(places) => {
                    let from_ms = places.at_point(limb, self.pose.model(end)).position;
                    let given = IkGoalInput {
                        position: given.position.map(|position| self.goal_point_ws(limb, position)),
                        rotation: given.rotation.map(|rotation| self.goal_rotation_ws(limb, rotation)),
                        ..*given
                    };
                    draw_input(sink, self.world_from_model.point_out(from_ms), &given, size);
                }
                None => draw_input(sink, self.place_ws(end), given, size),
            }
        }
        let centre_ws = self.world_from_model.point_out(avatar.body.measure(&self.pose).position);
        draw_goal(sink, centre_ws, input.body_position, input.body_rotation, size);
        for hint in IkHint::ALL {
            let given = &input.hints[hint.index()];
            if let (Some(to), true) = (given.position, given.weight > 0.0) {
                let to_ws = self.goal_point_ws(hint.goal(), to);
                let from_ws = self.place_ws(avatar.limb(hint.goal()).joints.mid());
                sink.line(Line { from_ws, to_ws, part: Part::Hint });
            }
        }
        if let (Some(to_ws), true) = (input.look_at_position, input.look_at_weight.weight > 0.0) {
            let (origin_ms, _) = avatar.look_at.gaze(&self.pose);
            let from_ws = self.world_from_model.point_out(origin_ms);
            sink.line(Line { from_ws, to_ws, part: Part::LookAt });
        }
        if humanoid.has_body_solver {
            for (effector, given) in BodyEffector::ALL.into_iter().zip(&humanoid.effectors) {
                if let Some(joint) = effector.bones().iter().find_map(|bone| avatar.joint(*bone)) {
                    draw_input(sink, self.place_ws(joint), given, size);
                }
            }
        }
        sink.cross(centre_ws, size, Part::Body);
    }

    /// The limits that were given to joints one by one; those of the avatar are as many as bones.
    fn draw_limits(&self, mark_m: f32, sink: &mut impl Sink) {
        for joint in 0..self.skeleton.joint_count() {
            let Some(limits) = self.limits.joint_override(joint) else { continue };
            let child = (joint + 1..self.skeleton.joint_count()).find(|j| self.skeleton.parent(*j) == Some(joint));
            let bone_m = child.map_or(0.0, |child| length(self.place_ws(child) - self.place_ws(joint)));
            let size_m = if bone_m > 0.0 { 0.5 * bone_m } else { mark_m };
            limit_lines::draw(&self.skeleton, &self.pose, &self.world_from_model, joint, limits, size_m, sink);
        }
    }
}
