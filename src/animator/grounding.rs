//! Feet of a humanoid on the ground: its legs in the form that a
//! [`Grounder`](crate::grounding::Grounder) takes, and the grounder's results as goals.

use super::animator::Animator;
use super::error::AnimatorError;
use super::humanoid_part::HumanoidPart;
use crate::grounding::{Contact, FootModel, Grounder, GrounderFrame, LegPose, LegResult};
use crate::humanoid::{BodyMove, HumanBone, IkGoal};
use crate::math::{Frame, Quat, Vec3, length, normalize_or, rotation_angle};
use crate::skeleton::{JointIndex, path};

/// The legs of a person, in the order in which a grounder has them.
const LEGS: [(IkGoal, HumanBone); 2] =
    [(IkGoal::LeftFoot, HumanBone::LeftToes), (IkGoal::RightFoot, HumanBone::RightToes)];

/// Turns of feet up to this are rounding, radians.
const LEAST_TURN_RAD: f32 = 2e-6;

/// Cosine of half the angle, 0.16°, below which toes count as carried by the foot.
const CARRIED: f32 = 0.999_999;

impl Animator {
    /// Models of the left and the right foot, measured on the T-pose, in metres of the world: the
    /// root's scale along up counts. Soles are where [`Self::foot_bottom_height`] has them; toes
    /// reach 0.55 of the way from ankle to ball beyond the ball, the heel 0.3 of it behind the
    /// ankle. A foot without toe bone has a single contact point, the ankle.
    pub fn foot_models(&self) -> Result<[FootModel; 2], AnimatorError> {
        let avatar = &self.humanoid()?.avatar;
        let up = avatar.axes().up;
        let size = length(self.world_from_model.vector_out(up));
        let t_pose = avatar.t_pose();
        let place = |joint: JointIndex| path::frame::<true, false>(&self.skeleton, t_pose, joint).position * size;
        Ok(LEGS.map(|(goal, toes)| {
            let ankle = place(avatar.limb(goal).joints.end());
            let ground = ankle - up * (avatar.foot_bottom_height(goal) * size);
            FootModel::from_rest(ankle, avatar.joint(toes).map(place), None, ground, up)
        }))
    }

    /// Root, rotation, up and pelvis of a grounder's frame, from the root and the pose; time and
    /// ground contact are left as given.
    pub fn place_grounder_frame(&self, frame: &mut GrounderFrame) -> Result<(), AnimatorError> {
        let (avatar, world) = (&self.humanoid()?.avatar, &self.world_from_model);
        frame.root_ws = world.position;
        frame.rotation_ws = world.rotation;
        frame.up_ws = normalize_or(world.vector_out(avatar.axes().up), Vec3::Y);
        frame.pelvis_ws = self.hips_ws()?;
        Ok(())
    }

    /// The left and the right leg of the pose as it is, which before a solve is the animation's;
    /// weight 1, contacts found by the grounder.
    pub fn grounder_legs(&self) -> Result<[LegPose; 2], AnimatorError> {
        let avatar = &self.humanoid()?.avatar;
        Ok(LEGS.map(|(goal, toes)| {
            let joints = &avatar.limb(goal).joints;
            let ankle = self.joint_ws(joints.end());
            LegPose {
                hip_ws: self.joint_ws(joints.root()).position,
                knee_ws: self.joint_ws(joints.mid()).position,
                ankle_ws: ankle.position,
                ball_ws: avatar.joint(toes).map_or(ankle.position, |ball| self.joint_ws(ball).position),
                foot_ws: ankle.rotation,
                weight: 1.0,
                contact: Contact::Auto,
                landing: None,
            }
        }))
    }

    /// Takes over what a grounder of two legs, left and right, has found for the pose as it is:
    /// goals and weights of both feet and overrides of the toes are replaced, and the body is
    /// moved and turned about the pelvis. A foot whose goal has a space or an effector point is
    /// left to its goal. Body position and rotation that were set since the last solve are moved
    /// along; older ones are cleared, and the body is moved from where the pose has it, whatever
    /// overrides and constraints have turned by then ([`HumanoidInput::body_move`]). Where the
    /// grounder changes nothing (in the air over flat ground) the feet's weights are 0, and the
    /// pose stays as animated, bit for bit.
    ///
    /// Once per frame that the grounder has finished, before the solve. The first call that turns
    /// toes allocates. [`AnimatorError::LegCount`]: the grounder has other legs, or has finished no
    /// frame.
    ///
    /// [`HumanoidInput::body_move`]: crate::humanoid::HumanoidInput::body_move
    pub fn apply_grounder(&mut self, grounder: &Grounder) -> Result<(), AnimatorError> {
        let (body, legs) = grounder.results();
        let poses = self.grounder_legs()?;
        let results: &[LegResult; 2] = legs.try_into().map_err(|_| AnimatorError::LegCount(legs.len()))?;
        let balls = LEGS.map(|(_, toes)| self.toes_ws(toes));
        let moved = body.offset_ws != Vec3::ZERO || body.turn_ws != Quat::IDENTITY;
        self.move_body(moved.then_some(BodyMove { offset_ws: body.offset_ws, turn_ws: body.turn_ws }))?;
        for (leg, (goal, toes)) in LEGS.into_iter().enumerate() {
            let (ball, pose, result) = (&balls[leg], &poses[leg], &results[leg]);
            let humanoid = self.humanoid_mut()?;
            let last = humanoid.grounded_toes[leg].take();
            if humanoid.places_of(goal).is_some() {
                // Toes are left as well, once they are no longer as a grounder had them.
                if last.is_some() && last == humanoid.bone_rotations()[toes.index()] {
                    humanoid.clear_bone(toes);
                }
                continue;
            }
            // A host's rotations come back as unit ones: rounding turns no foot.
            let turned = (result.foot_ws * pose.foot_ws.conjugate()).normalize();
            let is_turned = result.foot_ws != pose.foot_ws && rotation_angle(turned) > LEAST_TURN_RAD;
            let is_changed = moved || result.ankle_ws != pose.ankle_ws || is_turned;
            if is_changed {
                self.set_ik_position(goal, result.ankle_ws)?;
                self.set_ik_rotation_bone(goal, result.foot_ws)?;
            }
            let weight = if is_changed { 1.0 } else { 0.0 };
            self.set_ik_position_weight(goal, weight)?;
            self.set_ik_rotation_weight(goal, weight)?;
            if let Some(ball) = ball {
                let turned = self.turned_toes(ball, pose, result).filter(|_| is_changed);
                let humanoid = self.humanoid_mut()?;
                humanoid.grounded_toes[leg] = turned;
                match turned {
                    Some(local) => humanoid.override_bone(toes, local),
                    None => humanoid.clear_bone(toes),
                }
            }
        }
        Ok(())
    }

    /// Moves the body by a grounder's result: a place that was set since the last solve, or else
    /// the pose, whatever overrides and constraints before the step make of it.
    fn move_body(&mut self, moved: Option<BodyMove>) -> Result<(), AnimatorError> {
        let hips_ws = self.hips_ws()?;
        let humanoid = self.humanoid_mut()?;
        let HumanoidPart { input, fresh, .. } = humanoid;
        input.body_position = input.body_position.filter(|_| fresh.body_position);
        input.body_rotation = input.body_rotation.filter(|_| fresh.body_rotation);
        input.body_move = None;
        let Some(moved) = moved else { return Ok(()) };
        if input.body_position.is_none() && input.body_rotation.is_none() {
            (input.body_move, fresh.body_move) = (Some(moved), true);
            return Ok(());
        }
        let center_ws = self.body_position()?;
        self.set_body_position(moved.moved(hips_ws, center_ws))?;
        if moved.turn_ws != Quat::IDENTITY {
            let rotation_ws = self.body_rotation()?;
            self.set_body_rotation(moved.turn_ws * rotation_ws)?;
        }
        Ok(())
    }

    /// Rotation of the toes in the world and frame of the joint above them, model space.
    fn toes_ws(&self, toes: HumanBone) -> Option<(Quat, Frame)> {
        let ball = self.humanoid().ok()?.avatar.joint(toes)?;
        let above = self.skeleton.parent(ball)?;
        Some((self.joint_ws(ball).rotation, self.joint_ms(above)))
    }

    /// Local rotation with which toes stay along the ground while the heel lifts; `None` where
    /// that is how the foot carries them.
    fn turned_toes(&self, ball: &(Quat, Frame), pose: &LegPose, result: &LegResult) -> Option<Quat> {
        let (toes_ws, above) = ball;
        let carry = result.foot_ws * pose.foot_ws.conjugate();
        let wanted_ws = (result.toes_turn * *toes_ws).normalize();
        if (carry * *toes_ws).dot(wanted_ws).abs() > CARRIED {
            return None;
        }
        let world = &self.world_from_model;
        let mut carried = *above;
        carried.rotation = world.rotation_in((carry * world.rotation_out(above.rotation)).normalize());
        Some(carried.rotation_in(world.rotation_in(wanted_ws)).normalize())
    }
}
