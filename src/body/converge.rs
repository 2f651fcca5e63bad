//! Converge mode: stateless, from the incoming pose alone.

use super::demand::Demand;
use super::descent::{Descent, DescentRule, Solve};
use super::plan::Place;
use super::settling;
use super::solver::{Body, BodyError, BodyOutcome};
use super::step::DirectionRule;
use crate::math::{Vec3, axis_angle, normalize_or};
use crate::optim::Noise;
use crate::outcome::Status;
use crate::skeleton::{JointIndex, Pose};
use crate::tasks::{AnyTask, Axes, Unit};

/// Steps solved for by all attempts together, after which no other is begun.
const MAX_WORK: u32 = 150;
/// Stall of a first descent that others may follow.
const HASTY_STALL: f32 = 0.99;
/// Turn that an answer which settles may have left.
const SETTLED_RAD: f32 = 2e-3;
/// Objective of the tasks from which on an answer settles: three centimetres.
const NEAR: f32 = 1e-3;
/// Damping of the first step that settles with curvature, half of the way: the multipliers that
/// give it are those of a step before, and the first has none.
const CURVED_DAMPING: f32 = settling::POSTURE;
/// Sine of the angle between bones below which they count as straight, and the most that they are
/// bent by.
const STRAIGHT: f32 = 0.05;
/// Share of a joint's turn that the first and the other start poses keep, and the most that a joint
/// is turned by beside that, radians.
const NEAR_REST: (f32, f32) = (0.2, 0.3);
const SCATTERED: (f32, f32) = (0.5, 1.0);
/// Slot: the first descent's answer.
pub(super) const FIRST: usize = 0;

impl Body {
    /// Solves a pose for all tasks, starting at the pose itself. `pose` is updated before and
    /// after.
    pub fn solve(&mut self, pose: &mut Pose) -> Result<BodyOutcome, BodyError> {
        self.check_pose(pose)?;
        self.begin(pose);
        if self.is_idle() {
            self.outcome = BodyOutcome::INACTIVE;
            return Ok(self.outcome);
        }
        self.converge(self.settings.max_attempts, true);
        self.write(pose);
        Ok(self.outcome)
    }

    pub(super) fn check_pose(&self, pose: &Pose) -> Result<(), BodyError> {
        let (given, count) = (pose.local().len(), self.skeleton.joint_count());
        if given == count { Ok(()) } else { Err(BodyError::WrongPose { given, count }) }
    }
    /// Whether no task is present.
    pub(super) fn is_idle(&self) -> bool {
        self.solve.plan.tasks.is_empty()
    }

    /// Whether [`Self::begin`] reads no other frame of a pose without scales than the root's.
    pub(super) fn needs_root_only(&self) -> bool {
        self.solve.plan.has_joints_only && self.solve.step.slides.all().is_empty()
    }
    /// Takes over a pose.
    pub(super) fn begin(&mut self, pose: &Pose) {
        self.arrange();
        self.solve.begin_work(&self.interrupts, self.max_work);
        let solve = &mut self.solve;
        solve.state.load(
            &solve.plan,
            &solve.models,
            (&solve.homes, &solve.rests),
            pose,
            &self.masses,
            self.keeps_violations,
        );
        solve.step.slides.begin(&solve.plan, pose, &mut solve.state);
        solve.reference.copy_from(&solve.state.at);
        for (task, fixed) in solve.plan.tasks.iter().zip(&mut solve.residual.fixed) {
            for (place, at) in task.places.iter().zip(fixed) {
                if let Place::Fixed(joint) = place {
                    let frame = pose.model(*joint);
                    *at = crate::tasks::Placement { position: frame.position, rotation: frame.rotation };
                }
            }
        }
        solve.residual.begin(&solve.plan, &self.demands, &self.settings, &mut solve.state);
    }

    pub(super) fn descend(&mut self, rule: &DescentRule) -> Descent {
        self.solve.descend(&self.demands, &self.settings, self.floating, rule)
    }

    /// Descends from the state, then from at most so many other start poses; what is found may
    /// settle.
    pub(super) fn converge(&mut self, max_attempts: u32, settles: bool) {
        let settings = self.settings;
        self.solve.project();
        let rule = DescentRule {
            max_iterations: settings.max_iterations,
            posture: settings.posture,
            posture_end: settings.posture * settings.posture_end,
            posture_ease: settings.posture_ease,
            root_posture: settings.root_posture,
            damping: settings.damping,
            stop_at: 0.9,
            stall: settings.stall,
            stretches: false,
            curved: false,
            hand_over: 0.0,
            settle_rad: 0.0,
            search_rad: 0.0,
            directions: DirectionRule::Alike,
        };
        if settles {
            self.bend_straight();
        }
        let settles = settles && settings.posture > 0.0 && settings.settle_iterations > 0;
        // Where another start pose may help, a slow end is not worth waiting for.
        let is_beyond_reach = self.is_beyond_reach();
        let hasty = DescentRule { stall: settings.stall.min(HASTY_STALL), ..rule };
        let beyond = DescentRule { curved: self.solve.may_curve(), ..rule };
        let first = if is_beyond_reach { &beyond } else { &hasty };
        // A lower level's little objective is far from its goals.
        let one_level = self.solve.residual.levels() <= 1;
        let hand_over = if settles && one_level { NEAR } else { 0.0 };
        let mut found = self.descend(&DescentRule { hand_over, ..*first });
        let mut iterations = found.iterations;
        let mut is_settled = found.status == Status::Reached && iterations == 0;
        if found.is_near && !is_settled {
            iterations += self.settle(&rule);
            is_settled = self.solve.residual.is_met(1.0);
            if is_settled {
                found.status = Status::Reached;
            } else {
                found = self.descend(first);
                iterations += found.iterations;
            }
        }
        if found.status != Status::Reached && !one_level && !is_beyond_reach {
            let (status, more) = self.reach_all_levels();
            iterations += more;
            if status == Status::Reached {
                found.status = status;
            }
        }
        let mut attempts = 1;
        if found.status != Status::Reached && !is_beyond_reach {
            let work = self.solve.step.passes;
            self.slots[FIRST].copy_from(&self.solve.state.at);
            for attempt in 0..max_attempts {
                if self.solve.step.passes - work > MAX_WORK || self.solve.work.is_out() {
                    break;
                }
                attempts += 1;
                self.solve.state.at.copy_from(&self.slots[FIRST]);
                self.scatter(attempt, one_level);
                if one_level && self.floating && settings.root_move_mobility.min(settings.root_turn_mobility) > 0.0 {
                    self.solve.align_root(&self.demands);
                }
                let tried = self.descend(&DescentRule {
                    max_iterations: settings.attempt_iterations,
                    stall: 0.9,
                    posture: 0.0,
                    posture_end: 0.0,
                    ..rule
                });
                iterations += tried.iterations;
                if tried.status == Status::Reached {
                    found = tried;
                    break;
                }
            }
            if found.status != Status::Reached {
                self.solve.state.at.copy_from(&self.slots[FIRST]);
                found = self.descend(&DescentRule { damping: 1e-2, ..rule });
                iterations += found.iterations;
            }
        }
        if settles && !is_settled && found.status == Status::Reached {
            iterations += self.settle(&rule);
        }
        // Lengths give way where joints alone do not suffice.
        let stretches = found.status != Status::Reached && !self.solve.step.slides.is_stiff();
        if stretches {
            found = self.lengthen(settings.max_iterations);
            iterations += found.iterations;
        }
        if found.status != Status::Reached {
            iterations += self.reach_the_rest(stretches);
            if settles && !stretches {
                iterations += self.settle_unmet(&rule);
            }
            iterations += self.restore_levels(4, stretches);
        }
        self.finish(found.status, iterations, attempts);
    }

    /// From a pose near the goals to the nearest to the incoming pose among those that meet all
    /// tasks; where that does not meet them, back to where it began. A descent ends at the first
    /// pose that meets them, which depends on every step on the way: on which were cut, refused or
    /// held by a border. Where it settles depends on the tasks alone.
    pub(super) fn settle(&mut self, rule: &DescentRule) -> u32 {
        self.slots[FIRST].copy_from(&self.solve.state.at);
        let curved = self.solve.may_curve();
        let settled = self.descend(&DescentRule {
            max_iterations: self.settings.settle_iterations,
            damping: if curved { CURVED_DAMPING } else { 0.0 },
            curved,
            settle_rad: SETTLED_RAD,
            ..rule.with_posture(settling::POSTURE)
        });
        let mut iterations = settled.iterations;
        if settled.status != Status::Reached {
            // What is left of the way.
            let met = self.least_motion(4, false, 0.9);
            iterations += met.iterations;
            if met.status != Status::Reached {
                self.go_back();
            }
        }
        iterations
    }

    /// Descends from the state with bones that change length, by steps of least motion. No posture:
    /// on limbs that are straight for a goal out of reach, its pull on joints that do not move the
    /// effector bends them, and steps are rejected for it.
    pub(super) fn lengthen(&mut self, max_iterations: u32) -> Descent {
        self.descend(&DescentRule {
            max_iterations,
            damping: 0.1 * self.settings.damping,
            stop_at: 0.9,
            stall: self.settings.stall,
            stretches: true,
            ..DescentRule::LEAST_MOTION
        })
    }

    /// Whether two position goals are farther apart than the joints between them can stretch (or
    /// one from a root that stays): then no other start pose helps.
    fn is_beyond_reach(&self) -> bool {
        let (solve, plan) = (&self.solve, &self.solve.plan);
        let goal = |number: usize| -> Option<(usize, Vec3, f32)> {
            let task = plan.tasks.get(number)?;
            match (&self.demands.get(task.demand)?.as_ref()?, task.places[0]) {
                (Demand { task: AnyTask::Position(position), blend: 1.0, .. }, Place::Joint(joint))
                    if position.axes == Axes::ALL =>
                {
                    Some((joint, position.goal, position.point_js.length()))
                }
                _ => None,
            }
        };
        // Length of the bones from a joint up to another.
        let up = |mut joint: usize, to: usize| {
            let mut length = 0.0;
            while joint != to {
                length += solve.step.slides.longest(joint, &solve.state);
                joint = plan.parents[joint];
            }
            length
        };
        let slack = 2.0 * self.settings.tolerance_m;
        for first in 0..plan.tasks.len() {
            let Some((a, goal_a, tip_a)) = goal(first) else { continue };
            if !self.floating && (goal_a - solve.state.at.root).length() > up(a, 0) + tip_a + slack {
                return true;
            }
            for second in first + 1..plan.tasks.len() {
                let Some((b, goal_b, tip_b)) = goal(second) else { continue };
                let common = plan.common(a, b);
                if (goal_a - goal_b).length() > up(a, common) + up(b, common) + tip_a + tip_b + slack {
                    return true;
                }
            }
        }
        false
    }

    /// Bends straight joints that prefer a side a little to it, where there is something to reach:
    /// to the linear model, bones in one line get no shorter by bending, to no side. A descent goes
    /// on to the side that it begins with.
    fn bend_straight(&mut self) {
        let Solve { plan, state, models, residual, .. } = &mut *self.solve;
        if models.iter().all(|model| model.preferred_bend() == Vec3::ZERO) {
            return;
        }
        state.forward();
        residual.evaluate(plan, &self.demands, state);
        if residual.is_met(1.0) {
            return;
        }
        for (at, model) in models.iter().enumerate().skip(1).filter(|(at, _)| plan.needed[*at]) {
            let axis = model.preferred_bend();
            let mut children = (at + 1..plan.parents.len()).filter(|place| plan.parents[*place] == at);
            let (true, Some(child), None) = (axis != Vec3::ZERO, children.next(), children.next()) else { continue };
            let (above, here) = (state.position[plan.parents[at]], state.position[at]);
            let bent = (here - above).cross(state.position[child] - here).length();
            let straight = 1.0 - bent / (STRAIGHT * (here - above).length() * (state.position[child] - here).length());
            if straight > 0.0 {
                let push = axis_angle(normalize_or(axis, Vec3::X), STRAIGHT * straight);
                state.at.turns[at] = model.project((push * state.at.turns[at]).normalize());
            }
        }
    }

    /// Part of the way back to rest, and a turn of every joint at random, the same every time;
    /// limits hold. The first attempt may begin near rest, in the middle of the limits.
    fn scatter(&mut self, attempt: u32, may_rest: bool) {
        let mut noise = Noise::new(u64::from(attempt) + 1);
        let (kept, most_rad) = if may_rest && attempt == 0 { NEAR_REST } else { SCATTERED };
        let Solve { state, models, plan, .. } = &mut *self.solve;
        let needed = state.at.turns.iter_mut().zip(models).zip(&plan.needed).skip(1).filter(|(_, needed)| **needed);
        for ((turn, model), _) in needed {
            let axis = normalize_or(Vec3::new(noise.signed(), noise.signed(), noise.signed()), Vec3::X);
            let angle = most_rad * noise.signed();
            let part = crate::math::fraction(*turn, kept);
            *turn = model.project((axis_angle(axis, angle) * part).normalize());
        }
    }

    pub(super) fn finish(&mut self, status: Status, iterations: u32, attempts: u32) {
        let (mut residual_m, mut residual_rad) = (0.0_f32, 0.0_f32);
        self.ended.fill(None);
        let residual = &self.solve.residual;
        for (task, (missing, scale)) in self.solve.plan.tasks.iter().zip(residual.missing.iter().zip(&residual.scale)) {
            let missing = if missing.is_finite() { *missing } else { f32::MAX };
            self.ended[task.demand] = Some((missing, scale.tolerance));
            let Some(demand) = &self.demands[task.demand] else { continue };
            match crate::tasks::Task::unit(&demand.task) {
                Unit::Length => residual_m = residual_m.max(missing),
                Unit::Angle => residual_rad = residual_rad.max(missing),
            }
        }
        self.outcome = BodyOutcome { status, iterations, attempts, residual_m, residual_rad };
    }

    /// Brings the answer into the pose, which is updated. Joints that did not turn keep their bits.
    pub(super) fn write(&self, pose: &mut Pose) {
        if pose.is_scaled() {
            return self.write_scaled(pose);
        }
        let Solve { plan, state, homes, .. } = &*self.solve;
        self.write_root(pose);
        for (place, &joint) in plan.joints.iter().enumerate().skip(1) {
            self.write_position(pose, place, joint);
            if self.turns(place) {
                let rotation_ps = homes[place] * state.at.turns[place] * state.links[place].joint_from_limit;
                pose.local_mut()[joint].rotation = rotation_ps.normalize();
            }
        }
        pose.update(&self.skeleton);
    }
    /// [`Self::write`] where a joint has a scale: rotations follow from the frames of the joints
    /// above.
    #[inline(never)]
    fn write_scaled(&self, pose: &mut Pose) {
        self.write_root(pose);
        // Each joint once, after those above it.
        let mut stale = self.root;
        for (place, &joint) in self.solve.plan.joints.iter().enumerate().skip(1) {
            pose.update_range(&self.skeleton, stale..joint);
            stale = joint;
            self.write_position(pose, place, joint);
            if self.turns(place) {
                pose.set_rotation_ms(&self.skeleton, joint, self.solve.state.joint_rotation(place));
            }
        }
        pose.update_range(&self.skeleton, stale..self.skeleton.subtree(self.root).end);
    }
    /// Whether all that [`Self::write`] may have changed is finite.
    pub(super) fn answer_is_finite(&self, pose: &Pose) -> bool {
        self.solve.plan.joints.iter().all(|joint| pose.local()[*joint].is_finite())
    }
    /// Whether the joint at a place is turned otherwise than in the incoming pose.
    fn turns(&self, place: usize) -> bool {
        self.solve.state.at.turns[place] != self.solve.reference.turns[place]
    }
    fn write_root(&self, pose: &mut Pose) {
        let Solve { state, reference, .. } = &*self.solve;
        self.write_position(pose, 0, self.root);
        if self.floating && state.at.root != reference.root {
            pose.set_position_ms(&self.skeleton, self.root, state.at.root);
        }
        if self.floating && self.turns(0) {
            pose.set_rotation_ms(&self.skeleton, self.root, state.at.turns[0]);
        }
    }
    /// The position of a joint that slides, or whose bone has another length.
    fn write_position(&self, pose: &mut Pose, place: usize, joint: JointIndex) {
        if self.solve.step.slides.all().is_empty() {
            return;
        }
        let before_ps = pose.local()[joint].position;
        let position_ps = self.solve.step.slides.placed(place, &self.solve.state.at, before_ps);
        if position_ps != before_ps {
            pose.put_position(joint, position_ps);
        }
    }
}
