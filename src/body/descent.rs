//! Descent: steps that are only taken when they lower the true objective.
//!
//! The objective is the sum of squared weighted rows, and the posture's `μ Σ |dⱼ|²`. A step that
//! does not lower it is undone and tried again with more damping (Levenberg-Marquardt), so
//! conflicting and unreachable goals cannot throw the body about.

use super::demand::Demand;
use super::plan::Plan;
use super::residual::Residual;
use super::settings::BodySettings;
use super::state::{Coordinates, State};
use super::step::{Step, StepRule};
use crate::limits::{JointModel, PreparedJoint};
use crate::math::dispatch::{Level, Task as Work};
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
    /// The local rotations that they, and the joints' turns, count from.
    pub origins: Vec<Quat>,
    /// The incoming pose: its coordinates, and where everything is in it.
    pub reference: Coordinates,
    pub incoming: State,
    before: Coordinates,
    /// Radians² that a metre² of the root's way counts as.
    root_way: f32,
    level: Level,
    /// Steps that the solve may still take.
    pub work: crate::optim::Work,
    /// Steps of one pass of [`Step::solve`].
    pass_steps: u32,
}

/// What a descent is told.
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
    /// Above 0: steps are exact in what is not linear and in borders, and the descent ends when the
    /// longest turn of one is below this; 0: neither.
    pub settle_rad: f32,
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
        settle_rad: 0.0,
    };
}

/// What a descent left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent {
    pub status: Status,
    pub iterations: u32,
    /// Damping at the end, for a descent that continues from here.
    pub damping: f32,
}

const DAMPING: DampingRule =
    DampingRule { least: 1e-7, ease: 0.4, ease_fast: 0.1, raise: 6.0, raise_from: 1e-6, most: 1e4 };
/// Rotation length at which a metre of the root's way counts as a radian.
const USUAL_ROTATION_LENGTH: f32 = 0.3;
/// Steps tried from one pose.
const MAX_TRIES: u32 = 8;

impl Solve {
    pub fn new(plan: Plan) -> Self {
        let n = plan.joints.len();
        Self {
            state: State::new(&plan),
            incoming: State::new(&plan),
            residual: Residual::new(&plan),
            step: Step::new(&plan),
            models: vec![PreparedJoint::new(&JointModel::FREE); n],
            origins: vec![Quat::IDENTITY; n],
            reference: Coordinates::new(n),
            before: Coordinates::new(n),
            root_way: 1.0,
            level: Level::widest(),
            work: crate::optim::Work::default(),
            pass_steps: 0,
            plan,
        }
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
            let back = short_rotation_vector(*before * now.conjugate());
            *to = back;
            sum += back.length_squared() * weight;
        }
        let turn = short_rotation_vector(self.reference.turns[0] * self.state.at.turns[0].conjugate());
        let root_back = self.reference.root - self.state.at.root;
        (self.step.back_ls[0], self.step.root_back) = (turn, root_back * self.root_way);
        if rule.root_posture > 0.0 {
            sum += rule.root_posture * (turn.length_squared() + root_back.length_squared() * self.root_way);
        }
        sum + self.step.slides.posture_square(&self.state.at.stretch)
    }
    #[inline(always)]
    fn measure(&mut self, demands: &[Option<Demand>], rule: &DescentRule) -> (f32, f32) {
        (self.residual.evaluate_here::<true>(&self.plan, demands, &self.state), self.posture_square(rule))
    }
    /// Undoes a step.
    #[inline(never)]
    fn undo(&mut self, demands: &[Option<Demand>], rule: &DescentRule) {
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
        self.level.run(Descending { solve: self, demands, settings, floating, rule })
    }
    #[inline(always)]
    fn descend_here(
        &mut self,
        demands: &[Option<Demand>],
        settings: &BodySettings,
        floating: bool,
        rule: &DescentRule,
    ) -> Descent {
        let mobility = |on: f32| if floating { Vec3::splat(on) } else { Vec3::ZERO };
        let mut step_rule = StepRule {
            damping: 0.0,
            posture: rule.posture,
            root_posture: 0.0,
            root_move: mobility(settings.root_move_mobility),
            root_turn: mobility(settings.root_turn_mobility),
            max_turn: settings.max_step_rad,
            releases: rule.settle_rad > 0.0,
        };
        let way = USUAL_ROTATION_LENGTH / settings.rotation_length_m;
        self.root_way = way * way;
        self.step.root_way = self.root_way;
        self.step.slides.switch(rule.stretches);
        self.state.forward();
        let (mut tasks, mut posture) = self.measure(demands, rule);
        let follow = |tasks: f32| (rule.posture_ease * tasks).clamp(rule.posture_end.min(rule.posture), rule.posture);
        step_rule.posture = follow(tasks);
        let start =
            if rule.posture_ease > 0.0 { rule.damping.min(rule.posture_ease * tasks).max(1e-7) } else { rule.damping };
        let mut damping = Damping::new(start, DAMPING);
        let mut stall = Stall::new(tasks, 3, rule.stall);
        let mut iterations = 0;
        let status = loop {
            if rule.stop_at > 0.0 && self.residual.is_met(rule.stop_at) {
                break Status::Reached;
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
            for _ in 0..MAX_TRIES {
                step_rule.damping = damping.value;
                let passes = self.step.passes;
                self.step.solve(&self.plan, &self.state, &self.residual, &step_rule);
                self.work.spend(self.pass_steps.saturating_mul(self.step.passes - passes));
                self.apply(floating);
                if rule.settle_rad > 0.0 {
                    settled = self.step.longest() < rule.settle_rad;
                    self.residual.evaluate_here::<false>(&self.plan, demands, &self.state);
                    self.step.correct(&self.plan, &self.residual);
                    self.apply(floating);
                }
                let next = self.measure(demands, rule);
                let next_objective = next.0 + step_rule.posture * next.1;
                if next_objective < objective {
                    let (gain, foreseen) = (objective - next_objective, objective - self.step.foreseen);
                    damping.accept(gain / objective, if foreseen > 0.0 { gain / foreseen } else { 1.0 });
                    (tasks, posture) = next;
                    step_rule.posture = follow(tasks);
                    accepted = true;
                    break;
                }
                self.undo(demands, rule);
                if !damping.reject() {
                    break;
                }
            }
            if !accepted {
                break Status::Stalled;
            }
            iterations += 1;
            if settled {
                break Status::Stalled;
            }
            if stall.is_stalled(tasks + step_rule.posture * posture) {
                break Status::Stalled;
            }
        };
        let status = if self.residual.is_met(1.0) { Status::Reached } else { status };
        Descent { status, iterations, damping: damping.value }
    }

    /// Takes the step: joints turn and stay inside their limits.
    #[inline(always)]
    fn apply(&mut self, floating: bool) {
        let turns = &mut self.state.at.turns;
        if floating {
            self.state.at.root += self.step.shift;
            turns[0] = (cayley(self.step.turn[0]) * turns[0]).normalize();
        }
        let steps = self.step.turn.iter().zip(&self.state.frame).zip(&self.models);
        for (now, ((turn, frame), model)) in turns.iter_mut().zip(steps).skip(1) {
            if *turn != Vec3::ZERO {
                let turned = cayley(frame.conjugate() * *turn) * *now;
                *now = model.project(turned.normalize());
            }
        }
        self.step.slides.apply(&mut self.state.at.stretch);
        self.state.forward();
    }
}

/// A descent, compiled for each level of vector instructions.
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

/// Rotation by a rotation vector, by the Cayley map: exact axis, angle `2 atan(|v|/2)`.
#[inline(always)]
fn cayley(v: Vec3) -> Quat {
    Quat::from_xyzw(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 1.0).normalize()
}
