//! Descent: steps that are only taken when they lower the true objective.
//!
//! The objective is the sum of squared weighted rows, and the posture's `μ Σ |dⱼ|²`. A step that
//! does not lower it is undone and tried again with more damping (Levenberg-Marquardt), so
//! conflicting and unreachable goals cannot throw the body about.

use super::demand::Demand;
use super::plan::Plan;
use super::residual::{BEYOND_SIDE, Residual};
use super::settings::BodySettings;
use super::settling::{self, Settling};
use super::state::{Coordinates, State, turned};
use super::step::{DirectionRule, Step, StepRule};
use super::step_curved::Forces;
use crate::limits::{JointModel, PreparedJoint};
use crate::math::dispatch::{Level, Task as Work};
use crate::math::rigid::{times, turn_vec3};
use crate::math::{Quat, Vec3, short_rotation_vector};
use crate::optim::{Damping, DampingRule, Stall};
use crate::outcome::Status;

/// Everything a descent reads and writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Solve {
    pub plan: Plan,
    pub state: State,
    pub residual: Residual,
    pub step: Step,
    /// The joints' models, by place.
    pub models: Vec<PreparedJoint>,
    /// Limit space at rest, in the parent joint's space.
    pub homes: Vec<Quat>,
    /// The same in the parent's limit space, where no violation is kept.
    pub rests: Vec<Quat>,
    /// Coordinates of the incoming pose.
    pub reference: Coordinates,
    before: Coordinates,
    pub(super) settling: Settling,
    /// Radians² that a metre² of the root's way counts as.
    root_way: f32,
    /// Steps that the solve may still take.
    pub work: crate::optim::Work,
    /// Steps of one pass of [`Step::solve`].
    pub(super) pass_steps: u32,
}

/// Settings of one descent.
#[derive(Clone, Copy, Debug)]
pub(super) struct DescentRule {
    pub max_iterations: u32,
    /// Largest and least weight of the posture.
    pub posture: f32,
    pub posture_end: f32,
    /// Between these, the weight per objective of the tasks.
    pub posture_ease: f32,
    /// The root's posture in units of the others'.
    pub root_posture: f32,
    /// Damping at the start.
    pub damping: f32,
    /// Stop as soon as all tasks are met to this share of their tolerance.
    pub stop_at: f32,
    /// Give up when three iterations leave more than this share of the objective.
    pub stall: f32,
    /// Whether bones may change length.
    pub stretches: bool,
    /// Whether steps count the curvature of what is left; see `step_curved`.
    pub curved: bool,
    /// Ends as soon as the objective of the tasks is below this.
    pub hand_over: f32,
    /// Above 0: the descent settles an answer (see `settling`), and ends when the way left is below
    /// this; 0: it does not.
    pub settle_rad: f32,
    /// Above 0: steps that the objective refuses are shortened and not damped, and the descent ends
    /// when one is below this; 0: they are damped.
    pub search_rad: f32,
    pub directions: DirectionRule,
}

impl DescentRule {
    /// Steps of least motion: nothing pulls to the incoming pose.
    pub const LEAST_MOTION: Self = Self {
        max_iterations: 1,
        posture: 0.0,
        posture_end: 0.0,
        posture_ease: 0.0,
        root_posture: 0.0,
        damping: 1e-5,
        stop_at: 0.1,
        stall: 0.9,
        stretches: false,
        curved: false,
        hand_over: 0.0,
        settle_rad: 0.0,
        search_rad: 0.0,
        directions: DirectionRule::Alike,
    };

    /// The same without damping and with a posture of this weight, to its own end: also where all
    /// tasks are met.
    pub fn with_posture(self, weight: f32) -> Self {
        Self { posture: weight, posture_end: weight, posture_ease: 0.0, damping: 0.0, stop_at: 0.0, ..self }
    }
}

/// What a descent left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent {
    pub status: Status,
    pub iterations: u32,
    /// Whether the objective of the tasks is below what it was to be handed over at.
    pub is_near: bool,
    /// Damping at the end, for a descent that continues from here.
    pub damping: f32,
    /// Damping of the last step that was taken.
    pub taken_with: f32,
}

pub(super) const DAMPING: DampingRule =
    DampingRule { least: 1e-7, ease: 0.4, ease_fast: 0.1, raise: 6.0, raise_from: 1e-6, most: 1e4 };
/// Rotation length at which a metre of the root's way counts as a radian.
const USUAL_ROTATION_LENGTH: f32 = 0.3;
/// Longest turn of a step that is shortened where it is refused.
const LONGEST_SEARCH_RAD: f32 = 0.3;
/// Share of an objective that it is rounded by.
const ROUNDED: f32 = 3e-7;
/// Steps tried from one pose.
const MAX_TRIES: u32 = 8;
/// Least damping of the root beside a joint's.
pub(super) const ROOT_HOLD: f32 = 0.25;

impl Solve {
    pub fn new(plan: Plan) -> Self {
        let n = plan.joints.len();
        Self {
            state: State::new(&plan),
            residual: Residual::new(&plan),
            step: Step::new(&plan),
            models: vec![PreparedJoint::new(&JointModel::FREE); n],
            homes: vec![Quat::IDENTITY; n],
            rests: vec![Quat::IDENTITY; n],
            reference: Coordinates::new(n),
            before: Coordinates::new(n),
            settling: Settling::new(n, plan.all_rows),
            root_way: 1.0,
            work: crate::optim::Work::default(),
            pass_steps: 0,
            plan,
        }
    }
    /// Whether steps may count the curvature of what is left while an answer settles: no joint that
    /// a task depends on has limits (with limits that gains nothing, and answers change from one
    /// border to another more often; measured in `tests/body/continuity.rs`), and none follows
    /// another.
    pub fn may_curve(&self) -> bool {
        let mut needed = self.models.iter().zip(&self.plan.needed).skip(1).filter(|(_, needed)| **needed);
        self.state.couplings.is_empty() && needed.all(|(model, _)| model.is_free())
    }
    /// Takes every joint that a task depends on into its limits.
    pub fn project(&mut self) {
        self.state.project(&self.models, &self.plan.needed);
        self.step.slides.project(&mut self.state.at);
    }
    /// Starts a solve with this many steps; a pass takes some per joint and task.
    pub fn begin_work(&mut self, interrupts: &crate::optim::Work, most: u32) {
        let (joints, tasks) = (self.plan.joints.len() as u32, self.plan.tasks.len() as u32);
        self.pass_steps = joints.saturating_mul(2 + tasks).saturating_add(tasks.saturating_mul(tasks));
        self.work.share_interrupts(interrupts);
        self.work.begin(most);
    }

    /// Sum of squares of the way back to the incoming pose, which the step keeps.
    #[inline(always)]
    fn posture_square(&mut self, rule: &DescentRule) -> f32 {
        if rule.posture <= 0.0 {
            return 0.0;
        }
        let mut sum = 0.0;
        let pairs = self.state.at.turns.iter().zip(&self.reference.turns);
        for (((now, before), to), weight) in pairs.zip(&mut self.step.back_ls).zip(&self.step.weight).skip(1) {
            // The product of a rotation and its own inverse leaves rounding, which is no way back.
            let back = if now == before { Vec3::ZERO } else { short_rotation_vector(times(*before, now.conjugate())) };
            *to = back;
            sum += back.length_squared() * weight;
        }
        let turn = short_rotation_vector(self.reference.turns[0] * self.state.at.turns[0].conjugate());
        let root_back = self.reference.root - self.state.at.root;
        (self.step.back_ls[0], self.step.root_back) = (turn, root_back * self.root_way);
        if rule.root_posture > 0.0 {
            sum += rule.root_posture * (turn.length_squared() + root_back.length_squared() * self.root_way);
        }
        sum + self.step.slides.posture_square(&self.state.at)
    }
    #[inline(always)]
    pub(super) fn measure(&mut self, demands: &[Option<Demand>], rule: &DescentRule) -> (f32, f32) {
        (self.residual.evaluate_here::<true>(&self.plan, demands, &self.state), self.posture_square(rule))
    }
    /// Undoes a step.
    #[inline(never)]
    pub(super) fn undo(&mut self, demands: &[Option<Demand>], rule: &DescentRule) {
        self.state.at.copy_from(&self.before);
        self.state.forward();
        self.measure(demands, rule);
    }

    /// Descends from the state; `state` is up to date before and after.
    pub fn descend(
        &mut self,
        demands: &[Option<Demand>],
        settings: &BodySettings,
        floating: bool,
        rule: &DescentRule,
    ) -> Descent {
        Level::for_one().run(Descending { solve: self, demands, settings, floating, rule })
    }
    #[inline(always)]
    fn descend_here(
        &mut self,
        demands: &[Option<Demand>],
        settings: &BodySettings,
        floating: bool,
        rule: &DescentRule,
    ) -> Descent {
        let (settles, searches) = (rule.settle_rad > 0.0, rule.search_rad > 0.0);
        let met = if rule.curved { settling::CURVED_MET } else { settling::MET };
        let mobility = |on: f32| if floating { Vec3::splat(on) } else { Vec3::ZERO };
        let mut step_rule = StepRule {
            damping: 0.0,
            posture: rule.posture,
            root_posture: 0.0,
            root_move: mobility(settings.root_move_mobility),
            root_turn: mobility(settings.root_turn_mobility),
            max_turn: if settles { settling::MAX_TURN_RAD.min(settings.max_step_rad) } else { settings.max_step_rad },
            root_hold: if settles { settling::ROOT_HOLD } else { ROOT_HOLD },
            releases: settles,
            independent: if settles { settling::INDEPENDENT } else { 0.0 },
            directions: rule.directions,
            curves_borders: searches,
        };
        if searches {
            step_rule.max_turn = step_rule.max_turn.min(LONGEST_SEARCH_RAD);
        }
        if let DirectionRule::Selective { most_rad } = rule.directions {
            step_rule.max_turn = step_rule.max_turn.min(most_rad);
        }
        self.settling.begin();
        self.root_way = root_way(settings);
        self.step.root_way = self.root_way;
        self.step.slides.switch(rule.stretches);
        self.state.forward();
        let (mut tasks, mut posture) = self.measure(demands, rule);
        let follow = |tasks: f32| (rule.posture_ease * tasks).clamp(rule.posture_end.min(rule.posture), rule.posture);
        step_rule.posture = follow(tasks);
        let start =
            if rule.posture_ease > 0.0 { rule.damping.min(rule.posture_ease * tasks).max(1e-7) } else { rule.damping };
        let mut pass_steps = self.pass_steps;
        if rule.curved {
            // A dual with curvature takes as much again.
            pass_steps = pass_steps.saturating_mul(2);
        }
        if rule.directions != DirectionRule::Alike {
            // Directions take each pair of rows, row by row; each is measured at each joint.
            let (joints, rows) = (self.plan.joints.len() as u32, self.plan.rows as u32);
            pass_steps =
                pass_steps.saturating_add(rows.saturating_mul(rows).saturating_mul(rows.saturating_add(joints)));
        }
        let has_sides = settles && self.residual.has_sides();
        if has_sides {
            self.residual.begin_sides(&self.plan);
        }
        let mut damping = Damping::new(start, DAMPING);
        let mut stall = Stall::new(tasks + step_rule.posture * posture, 3, rule.stall);
        let mut iterations = 0;
        let mut last_scale = 0.0;
        let mut taken_with = f32::INFINITY;
        let status = loop {
            if rule.stop_at > 0.0 && self.residual.is_met(rule.stop_at) {
                break Status::Reached;
            }
            if tasks < rule.hand_over {
                break Status::OutOfIterations;
            }
            if iterations >= rule.max_iterations || self.work.is_out() {
                break Status::OutOfIterations;
            }
            self.step.load(&self.plan, &self.state, &self.models, &self.residual, rule.posture > 0.0);
            self.before.copy_from(&self.state.at);
            step_rule.root_posture = step_rule.posture * rule.root_posture;
            let objective = tasks + step_rule.posture * posture;
            let mut accepted = false;
            let mut settled = false;
            if has_sides {
                self.residual.begin_release();
            }
            for tried in 0..MAX_TRIES {
                step_rule.damping = damping.value;
                let scale = step_rule.damping + step_rule.posture;
                self.step.springs.switch_off();
                if rule.curved {
                    let forces = if settles { Forces::Held { scale: last_scale } } else { Forces::Left };
                    self.step.stiffen(&self.plan, &self.residual, forces, scale);
                    last_scale = scale;
                }
                let passes = self.step.passes;
                loop {
                    self.step.solve(&self.plan, &self.state, &self.models, &self.residual, &step_rule);
                    if !has_sides || !self.residual.release_sides(&self.plan, self.step.multipliers()) {
                        break;
                    }
                    (tasks, posture) = self.load_again(demands, rule);
                }
                self.work.spend(pass_steps.saturating_mul(self.step.passes - passes));
                let mut was = objective;
                if settles {
                    self.settling.quicken(&mut self.step);
                    was = self.settling.merit(&self.residual, &step_rule, tasks, posture);
                }
                self.apply(floating);
                if settles && self.settling.length() > settling::CURVED_RAD {
                    // Takes the step's curvature back where it counts.
                    self.residual.evaluate_here::<false>(&self.plan, demands, &self.state);
                    self.step.correct(&self.plan, &self.residual);
                    self.apply(floating);
                }
                let mut next = self.measure(demands, rule);
                if !settles {
                    let next_objective = next.0 + step_rule.posture * next.1;
                    let length = if searches { self.step.longest() } else { 0.0 };
                    let slack = if searches { ROUNDED * tasks } else { 0.0 };
                    settled = searches && length < rule.search_rad;
                    if next_objective < was + slack {
                        if searches {
                            step_rule.max_turn = (2.0 * step_rule.max_turn).min(LONGEST_SEARCH_RAD);
                        } else {
                            let (gain, foreseen) = (was - next_objective, was - self.step.foreseen);
                            taken_with = damping.value;
                            damping.accept(gain / was, if foreseen > 0.0 { gain / foreseen } else { 1.0 });
                        }
                        (tasks, posture) = next;
                        step_rule.posture = follow(tasks);
                        accepted = true;
                        break;
                    }
                    self.undo(demands, rule);
                    if searches {
                        step_rule.max_turn = 0.5 * length.min(step_rule.max_turn);
                    }
                    if settled || !searches && !damping.reject() {
                        break;
                    }
                    continue;
                }
                let is_cut = has_sides && self.residual.beyond_sides(&self.plan) > BEYOND_SIDE;
                if is_cut {
                    next = self.stop_at_sides(demands, floating, rule);
                }
                if self.settling.merit(&self.residual, &step_rule, next.0, next.1) < was {
                    settled = !is_cut && self.settling.is_settled(rule.settle_rad) && self.residual.is_met(met);
                    if is_cut {
                        self.settling.begin();
                        self.residual.hold_sides(&self.plan);
                    }
                    if tried == 0 {
                        damping.value *= if rule.curved { settling::CURVED_EASE } else { settling::EASE };
                    }
                    (tasks, posture) = next;
                    accepted = true;
                    break;
                }
                self.settling.begin();
                self.undo(demands, rule);
                damping.value = (4.0 * damping.value).max(step_rule.posture);
                if self.settling.length() < 2.0 * rule.settle_rad {
                    break;
                }
            }
            if !accepted {
                break Status::Stalled;
            }
            iterations += 1;
            if settled || !settles && !searches && stall.is_stalled(tasks + step_rule.posture * posture) {
                break Status::Stalled;
            }
        };
        if has_sides {
            self.residual.end_sides();
        }
        let status = if self.residual.is_met(1.0) { Status::Reached } else { status };
        Descent { status, iterations, is_near: tasks < rule.hand_over, damping: damping.value, taken_with }
    }

    /// Takes the step: joints turn and stay inside their limits.
    #[inline(always)]
    pub(super) fn apply(&mut self, floating: bool) {
        let turns = &mut self.state.at.turns;
        if floating {
            self.state.at.root += self.step.shift;
            turns[0] = turned(turns[0], self.step.turn[0]);
        }
        let steps = self.step.turn.iter().zip(&self.state.frame).zip(&self.models);
        for (now, ((turn, frame), model)) in turns.iter_mut().zip(steps).skip(1) {
            if *turn != Vec3::ZERO {
                *now = model.project(turned(*now, turn_vec3(frame.conjugate(), *turn)));
            }
        }
        self.step.slides.apply(&mut self.state.at);
        self.state.forward();
    }
}

/// Radians² that a metre² of the root's way counts as.
#[inline(always)]
pub(super) fn root_way(settings: &BodySettings) -> f32 {
    let way = USUAL_ROTATION_LENGTH / settings.rotation_length_m;
    way * way
}

/// A descent, compiled for the levels of vector instructions that it gains by.
struct Descending<'a> {
    solve: &'a mut Solve,
    demands: &'a [Option<Demand>],
    settings: &'a BodySettings,
    floating: bool,
    rule: &'a DescentRule,
}

impl Work for Descending<'_> {
    type Output = Descent;
    #[inline(always)]
    fn run(self) -> Descent {
        self.solve.descend_here(self.demands, self.settings, self.floating, self.rule)
    }
}

#[cfg(test)]
mod tests {
    use super::super::solver::Body;
    use super::*;
    use crate::skeleton::{Pose, SkeletonBuilder};
    use crate::tasks::Position;

    /// A descent that begins where all tasks are met, but away from the incoming pose.
    #[test]
    fn the_posture_counts_in_what_a_stall_is_measured_by() {
        let mut builder = SkeletonBuilder::new();
        let mut last = builder.joint_at("base", None, Vec3::ZERO);
        for _ in 0..3 {
            last = builder.joint_at("bone", Some(last), Vec3::X);
        }
        let skeleton = std::sync::Arc::new(builder.build().unwrap());
        let mut body = Body::new(skeleton.clone(), 0).unwrap();
        body.set_floating(false);
        let mut bent = Pose::rest(&skeleton);
        for (joint, sine) in [(1, 0.5), (2, -0.6)] {
            bent.local_mut()[joint].rotation = Quat::from_xyzw(0.0, 0.0, sine, 0.8).normalize();
        }
        bent.update(&skeleton);
        body.add_task(Demand::new(Position::new(last, bent.model(last).position))).unwrap();
        body.begin(&Pose::rest(&skeleton));
        for joint in [1, 2] {
            body.solve.state.at.turns[joint] = bent.local()[joint].rotation;
        }
        let rule = DescentRule {
            max_iterations: 50,
            posture: 1e-2,
            posture_end: 1e-2,
            damping: 0.1,
            stop_at: 0.0,
            stall: 0.99,
            ..DescentRule::LEAST_MOTION
        };
        assert!(body.descend(&rule).iterations > 3);
    }
}
