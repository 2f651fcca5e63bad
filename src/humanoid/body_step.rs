//! Step: the whole-body solver in place of body, spine, look-at and limbs.
//!
//! Body position and rotation first move the hips, and look-at turns spine, head and eyes by its
//! own law; what that leaves is the pose that the solver starts from and keeps to. Then all goals
//! are met at once: feet, hands, hints, effectors, body position as the centre of mass, body
//! rotation, and the gaze that look-at has found.

use super::body_input::{BodyEffector, BodySolverSettings};
use super::ik_goal::{IkGoal, IkGoalInput, IkHint};
use super::outcomes::Outcomes;
use super::pose_steps::{AnimatedGoal, PoseSteps};
use super::weighted_goals::PlacedEnd;
use super::whole_body::{EndTasks, WholeBody, pole, position};
use super::{HumanBone, body_input};
use crate::math::float::smooth_step;
use crate::math::{Quat, Vec3, length, rotation_angle, slerp_short};
use crate::outcome::{Outcome, Status};
use crate::skeleton::JointIndex;
use crate::skeleton::joint_view::ScaledPoseView;
use crate::tasks::{CenterOfMass, Gaze, Orientation, Support, SupportArea};

/// Input of all effectors, in [`BodyEffector`] order.
pub(crate) type EffectorInputs = [IkGoalInput; body_input::BodyEffector::COUNT];

/// Where a hand or foot is to be.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Of the joint.
    pub position_ms: Option<Vec3>,
    pub rotation_ms: Option<Quat>,
    pub kept: Option<Kept>,
    /// The tasks that have it.
    pub tasks: EndTasks,
    /// Of a goal with a space or an effector point.
    pub placed: Option<PlacedEnd>,
}

/// The orientation of a hand or foot that has a position, but no rotation: as limbs have it, it
/// stays. The wrist or ankle turns it back after the solve, as far as its limits allow. As a task
/// it would bend the whole arm where the wrist's range ends, and conflict with what has a goal.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub rotation_ms: Quat,
    /// Where the incoming pose has it: as far beyond the limits it may be.
    pub incoming: Quat,
}

/// How far beyond the range of a wrist or ankle its orientation may be to be kept as far as the
/// range allows, and from where on it turns with the limb: farther on, the nearest place of the
/// range changes from one side to the other. Radians.
const KEPT_BEYOND: [f32; 2] = [0.5, 1.4];
/// Half the width of a sole, and its length behind and before the ankle, in human scales.
const SOLE: [f32; 3] = [0.04, 0.05, 0.16];
/// Least distance of the centre of mass inside the soles, in human scales.
const BALANCE_MARGIN: f32 = 0.02;

impl PoseSteps<'_> {
    /// Solves all goals at once; see the head of the file.
    pub fn solve_body(
        &mut self,
        whole: &mut WholeBody,
        effectors: &EffectorInputs,
        animated: &[AnimatedGoal; 4],
        outcomes: &mut Outcomes,
    ) {
        let twists = IkGoal::ALL.map(|goal| {
            let view = ScaledPoseView { skeleton: self.skeleton, pose: &mut *self.pose };
            self.avatar.limb(goal).twist.read(&view)
        });
        self.place_body();
        outcomes.look_at = self.turn_gaze();
        self.update_frames();
        let wanted = IkGoal::ALL.map(|goal| self.put_end(whole, goal, &animated[goal.index()]));
        self.put_hints(whole);
        self.put_effectors(whole, effectors);
        let mass_off = self.put_kept_masses(whole, &wanted);
        self.put_body(whole, outcomes.look_at.status != Status::Inactive, mass_off);
        self.put_balance(whole, &wanted, mass_off);
        whole.solve(self.pose);
        self.update_frames();
        for ((goal, twist), wanted) in IkGoal::ALL.into_iter().zip(&twists).zip(&wanted) {
            if let Some(kept) = wanted.kept {
                self.keep_orientation(whole, self.avatar.limb(goal).joints.end(), kept);
            }
            let view = ScaledPoseView { skeleton: self.skeleton, pose: &mut *self.pose };
            outcomes.keep_twist(goal, twist.after_solve(&view, &self.avatar.limb(goal).joints));
            outcomes.goals[goal.index()] = self.end_outcome(whole, goal, wanted);
        }
        if let Some(places) = self.places {
            if places.has_space() {
                self.follow_twists(places, whole, &wanted, &twists, outcomes);
            }
            self.measure_placed_ends(&wanted, outcomes);
        }
    }

    /// The tasks of a hand or foot.
    fn put_end(&mut self, whole: &mut WholeBody, goal: IkGoal, animated: &AnimatedGoal) -> Wanted {
        if let Some(places) = self.places {
            whole.remove_placed(goal);
            if places.is_placed(goal) || places.is_followed(goal) {
                return self.put_placed_end(places, whole, goal, animated);
            }
        }
        let (given, limb) = (&self.input.goals[goal.index()], self.avatar.limb(goal));
        let (end, tasks) = (limb.joints.end(), whole.ends[goal.index()]);
        let holds = goal.is_foot() && whole.settings().holds_feet;
        let now = self.pose.model(end);
        let (mut position_ms, mut rotation_ms) = (None, None);
        let target_ms = given.position.map_or(animated.position_ms, |p| self.point_in(p));
        if holds {
            position_ms = Some(animated.position_ms.lerp(target_ms, given.position_weight));
        } else if given.position_weight > 0.0 {
            position_ms = Some(now.position.lerp(target_ms, given.position_weight));
        }
        let goal_ms = given.rotation.map_or(animated.rotation_ms, |rotation_ws| {
            (self.world.axes_in(rotation_ws) * limb.goal_from_bone.conjugate()).normalize()
        });
        if holds {
            rotation_ms = Some(slerp_short(animated.rotation_ms, goal_ms, given.rotation_weight));
        } else if given.rotation_weight > 0.0 {
            rotation_ms = Some(slerp_short(now.rotation, goal_ms, given.rotation_weight));
        }
        match position_ms {
            Some(goal_ms) => whole.put(tasks.position, position(end, goal_ms), 1.0),
            None => whole.remove(tasks.position),
        }
        match rotation_ms {
            Some(goal_ms) => whole.put(tasks.rotation, Orientation::new(end, goal_ms), 1.0),
            None => whole.remove(tasks.rotation),
        }
        let kept = (rotation_ms.is_none() && position_ms.is_some())
            .then(|| Kept { rotation_ms: now.rotation, incoming: self.pose.local()[end].rotation });
        Wanted { position_ms, rotation_ms, kept, tasks, placed: None }
    }

    /// Turns a hand or foot back after the solve; its children's frames are stale afterwards.
    pub(super) fn keep_orientation(&mut self, whole: &WholeBody, end: JointIndex, kept: Kept) {
        let solved = self.pose.local()[end].rotation;
        self.pose.set_rotation_ms(self.skeleton, end, kept.rotation_ms);
        let limit = whole.limits().limit_in(self.skeleton, self.pose, end);
        let back = self.pose.local()[end].rotation;
        let mut local = limit.limited_beside(back, kept.incoming);
        if local != back {
            let [all, none] = KEPT_BEYOND;
            let beyond = rotation_angle(local.conjugate() * back);
            local = slerp_short(solved, local, 1.0 - smooth_step(all, none, beyond));
        }
        self.pose.put_rotation(end, local);
        self.pose.update_joints(self.skeleton, &[end]);
    }

    /// The masses of hands and feet that keep their orientation turn with nothing: they count in
    /// the joint. Returns how far the centre of mass is from where that has it.
    fn put_kept_masses(&self, whole: &mut WholeBody, wanted: &[Wanted; 4]) -> Vec3 {
        let mut off = Vec3::ZERO;
        for (goal, wanted) in IkGoal::ALL.into_iter().zip(wanted) {
            let end = self.avatar.limb(goal).joints.end();
            let mass = whole.end_mass(goal);
            if wanted.kept.is_some() {
                let frame = self.pose.model(end);
                off += (frame.point_out(mass.center_js) - frame.position) * mass.share;
            }
            whole.put_end_mass(goal, end, wanted.kept.is_none());
        }
        off
    }

    fn put_hints(&mut self, whole: &mut WholeBody) {
        for hint in IkHint::ALL {
            let (given, task) = (&self.input.hints[hint.index()], whole.hints[hint.index()]);
            let position_ms = match (given.position.filter(|_| given.weight > 0.0), self.places) {
                (Some(position), Some(places)) => Some(self.hint_of_body_ms(places, hint, position)),
                (given, _) => given.map(|position_ws| self.point_in(position_ws)),
            };
            match position_ms {
                Some(position_ms) => whole.put(task, pole(self.avatar, hint, position_ms), given.weight),
                None => whole.remove(task),
            }
        }
    }

    fn put_effectors(&mut self, whole: &mut WholeBody, effectors: &EffectorInputs) {
        for (effector, given) in BodyEffector::ALL.into_iter().zip(effectors) {
            let Some((joint, [place, turn])) = whole.effectors[effector.index()] else { continue };
            let now = self.pose.model(joint);
            let mut goal_ms = given.position.map_or(now.position, |p| self.point_in(p));
            let mut weight = given.position_weight;
            if effector == BodyEffector::Hips && self.input.body_move.is_some() {
                // The hips are where the move has taken them.
                (goal_ms, weight) = (now.position.lerp(goal_ms, weight), 1.0);
            }
            whole.put(place, position(joint, goal_ms), weight);
            let goal_ms = given.rotation.map_or(now.rotation, |rotation_ws| self.world.axes_in(rotation_ws));
            whole.put(turn, Orientation::new(joint, goal_ms.normalize()), given.rotation_weight);
        }
    }

    /// Body position and rotation, and the gaze that look-at has found.
    fn put_body(&mut self, whole: &mut WholeBody, looks: bool, mass_off: Vec3) {
        let now = self.avatar.body.measure(self.pose);
        // With a move the hips have a place.
        let is_moved = self.input.body_move.is_some();
        match self.input.body_position.filter(|_| !is_moved) {
            Some(goal_ws) => {
                let goal = self.point_in(goal_ws) - mass_off;
                whole.put(whole.center_of_mass, CenterOfMass { goal, axes: crate::tasks::Axes::ALL }, 1.0);
            }
            None => whole.remove(whole.center_of_mass),
        }
        let rotation_ws = self.input.body_rotation.filter(|_| !is_moved);
        let goal = rotation_ws.map_or(now.rotation, |goal_ws| self.world.axes_in(goal_ws).normalize());
        let task = self.avatar.body.orientation_task(self.pose, goal);
        let is_turned = self.input.body_move.is_some_and(|moved| moved.turn_ws != Quat::IDENTITY);
        let blend = if rotation_ws.is_some() || is_turned { 1.0 } else { 0.0 };
        whole.put(whole.orientation, task, blend);
        match (self.avatar.joint(HumanBone::Head), self.input.look_at_position.filter(|_| looks)) {
            (Some(joint), Some(target_ws)) => {
                let (origin_ms, direction_ms) = self.avatar.look_at.gaze(self.pose);
                let head = self.pose.model(joint);
                let inward = head.rotation.conjugate();
                let size = self.avatar.human_scale().abs().max(1e-6);
                let distance = length(self.point_in(target_ws) - origin_ms).clamp(0.2 * size, 100.0 * size);
                let task = Gaze {
                    joint,
                    eye_js: inward * (origin_ms - head.position),
                    axis_js: inward * direction_ms,
                    target: origin_ms + direction_ms * distance,
                };
                whole.put(whole.gaze, task, 1.0);
            }
            _ => whole.remove(whole.gaze),
        }
    }

    /// The centre of mass above the soles of the feet that are held or have a goal.
    fn put_balance(&mut self, whole: &mut WholeBody, wanted: &[Wanted; 4], mass_off: Vec3) {
        let BodySolverSettings { balance_weight, .. } = *whole.settings();
        let size = self.avatar.human_scale().abs();
        let up = self.avatar.axes().up;
        let mut corners = [Vec3::ZERO; 8];
        let mut count = 0;
        for goal in [IkGoal::LeftFoot, IkGoal::RightFoot] {
            let (limb, wanted) = (self.avatar.limb(goal), &wanted[goal.index()]);
            let Some(ankle) = wanted.position_ms else { continue };
            let rotation = wanted.rotation_ms.unwrap_or(self.pose.model(limb.joints.end()).rotation);
            let sole = rotation * limb.goal_from_bone;
            let (side, ahead) = (sole * Vec3::X, sole * Vec3::Z);
            let [half, behind, before] = SOLE.map(|part| part * size);
            for (x, z) in [(-half, -behind), (half, -behind), (half, before), (-half, before)] {
                corners[count] = ankle - mass_off + side * x + ahead * z;
                count += 1;
            }
        }
        match SupportArea::hull(&corners[..count], up) {
            Some(area) if balance_weight > 0.0 => {
                let margin = BALANCE_MARGIN * size;
                whole.put(whole.balance, Support { area, up, margin }, balance_weight);
            }
            _ => whole.remove(whole.balance),
        }
    }

    fn end_outcome(&self, whole: &WholeBody, goal: IkGoal, wanted: &Wanted) -> Outcome {
        let (given, tasks) = (&self.input.goals[goal.index()], wanted.tasks);
        let end = self.pose.model(self.avatar.limb(goal).joints.end());
        let mut outcome = Outcome::INACTIVE;
        let mut take = |task, of: f32| {
            let (status, _) = whole.task_outcome(task);
            if of > 0.0 && (outcome.status == Status::Inactive || status != Status::Reached) {
                outcome.status = status;
            }
        };
        take(tasks.position, given.position_weight);
        take(tasks.rotation, given.rotation_weight);
        if outcome.status == Status::Inactive {
            return outcome;
        }
        outcome.iterations = whole.outcome().iterations;
        if let (Some(goal_ms), true) = (wanted.position_ms, given.position_weight > 0.0) {
            outcome.residual_m = length(self.world.vector_out(end.position - goal_ms));
        }
        if let (Some(goal_ms), true) = (wanted.rotation_ms, given.rotation_weight > 0.0) {
            outcome.residual_rad = rotation_angle(end.rotation * goal_ms.conjugate());
        }
        outcome
    }
}
