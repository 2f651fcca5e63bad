//! Steps that settle an answer: from a pose near the goals to the nearest to the incoming pose
//! among those that meet the tasks.
//!
//! # Derivation
//!
//! Let `d` be the way back to the incoming pose, `e` the rows. A step that minimises `|d − ω|²`
//! under `J ω = e` is the step of `step` with a posture so weak that the tasks do not feel it, and
//! without damping: sequential quadratic programming with the posture's curvature alone. Its
//! multipliers `y`, `Jᵀ y = ω − d`, give the function whose minimum the answer is,
//!
//! ```text
//! L = |d|² + 2 y · e + ρ |e|²
//! ```
//!
//! the augmented Lagrangian. A step is taken when it lowers `L`: of a step along the poses that
//! meet the tasks that is exact to the second order, where a sum of squares alone would refuse what
//! the tasks' curvature costs, or allow the tasks to be left.
//!
//! What the step leaves out is the curvature of the tasks (but for that of bones that are
//! stretched, where no joint has limits: `step_curved`), so steps converge by a rate, and may
//! overshoot. The change of the step along the one before, `s` after `s₀` and a way `t`, gives that
//! curvature in one direction, and Newton's method there: `ω = s + a (t + s − s₀)`, `a = s · t /
//! (s₀ − s) · t`.
//!
//! Sources: J. Nocedal, S. Wright, "Numerical Optimization", 2nd ed. (2006), ch. 17 and 18; D.
//! Anderson, "Iterative procedures for nonlinear integral equations", J. ACM 12 (1965).

use super::residual::Residual;
use super::step::{Step, StepRule};
use crate::math::Vec3;

/// Posture of a step: so little that tasks are met to a few micrometres.
pub(super) const POSTURE: f32 = 1e-6;
/// `ρ`, 1/m²: a centimetre counts as a radian.
const TASKS: f32 = 1e4;
/// Longest turn of a step. Longer ones are fewer, but of goals that move a little some lead to
/// another minimum.
pub(super) const MAX_TURN_RAD: f32 = 0.12;
/// Steps below this are made exact along the step before.
const QUICKENED_RAD: f32 = 0.1;
/// The factors by which they change: at most, and at least.
const QUICKEN: (f32, f32) = (1.0, -0.7);
/// Least damping of the root beside a joint's: it has no posture of its own to return to.
pub(super) const ROOT_HOLD: f32 = 0.02;
/// Share of a row's diagonal that its pivot has at least where it counts: the posture adds less to
/// rows that others determine (several points of one bone, closed loops) than rounding does, so
/// their multipliers would be any number.
pub(super) const INDEPENDENT: f32 = 4e-6;
/// Turn above which a step's curvature is worth a correction.
pub(super) const CURVED_RAD: f32 = 0.02;
/// Share of the tolerance to which tasks are met, and the same of steps with curvature: at the edge
/// of reach, a limb is bent by the root of what it is too long by.
pub(super) const MET: f32 = 0.9;
pub(super) const CURVED_MET: f32 = 0.05;
/// Factor on the damping after a step that was taken, and the same of steps with curvature: only
/// the first of those has no multipliers yet and needs any.
pub(super) const EASE: f32 = 0.25;
pub(super) const CURVED_EASE: f32 = 0.01;
/// Rate that counts for the first step, and share of a rate that counts in the next, too.
const RATE: f32 = 0.5;
const RATE_KEPT: f32 = 0.6;

/// What a settling descent knows of the steps before.
#[derive(Clone, Debug, Default)]
pub(super) struct Settling {
    /// The step before, joints and then the root's shift: as it was solved for, and as taken.
    solved: Vec<Vec3>,
    taken: Vec<Vec3>,
    has_step: bool,
    multipliers: Vec<f32>,
    /// Length of the step, and of the one before; 0: none.
    length: f32,
    before: f32,
    /// Ratio of two lengths.
    rate: f32,
}

impl Settling {
    /// For so many joints and rows.
    pub fn new(joints: usize, rows: usize) -> Self {
        Self {
            solved: vec![Vec3::ZERO; joints + 1],
            taken: vec![Vec3::ZERO; joints + 1],
            multipliers: vec![0.0; rows],
            ..Self::default()
        }
    }
    /// Forgets the steps before, at a start and after a step that was not taken.
    pub fn begin(&mut self) {
        (self.has_step, self.before, self.rate) = (false, 0.0, 0.0);
    }
    /// Length of the step before it was quickened.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// Takes over a step that was solved for, and quickens it.
    #[inline(always)]
    pub fn quicken(&mut self, step: &mut Step) {
        self.length = step.longest();
        step.slides.active_mut().iter_mut().for_each(|slide| slide.taken = slide.change);
        let (now, rest) = self.multipliers.split_at_mut(step.multipliers().len());
        now.copy_from_slice(step.multipliers());
        rest.fill(0.0);
        if self.length >= QUICKENED_RAD {
            self.has_step = false;
            self.taken[..step.turn.len()].copy_from_slice(&step.turn);
            self.taken[step.turn.len()] = step.shift;
            return;
        }
        let mut factor = 0.0;
        if self.has_step {
            let (mut along, mut bend, mut size) = (0.0, 0.0, 0.0);
            for ((now, solved), taken) in step.turn.iter().zip(&self.solved).zip(&self.taken).skip(1) {
                along += now.dot(*taken);
                bend += (*solved - *now).dot(*taken);
                size += taken.length_squared();
            }
            let (most, least) = QUICKEN;
            if size > 0.0 {
                factor = (along / bend.max(size / (1.0 + most))).clamp(-most, -least);
            }
        }
        let mixed = |now: Vec3, solved: &mut Vec3, taken: &mut Vec3| {
            *taken = now + (*taken + now - *solved) * factor;
            *solved = now;
            *taken
        };
        let root = step.turn.len();
        for ((now, solved), taken) in step.turn.iter_mut().zip(&mut self.solved).zip(&mut self.taken) {
            *now = mixed(*now, solved, taken);
        }
        step.shift = mixed(step.shift, &mut self.solved[root], &mut self.taken[root]);
        self.has_step = true;
    }

    /// Replaces a step by a share of itself as it was taken.
    pub fn cut(&self, step: &mut Step, share: f32) {
        let root = step.turn.len();
        step.turn.iter_mut().zip(&self.taken).for_each(|(turn, taken)| *turn = *taken * share);
        step.shift = self.taken[root] * share;
        step.slides.active_mut().iter_mut().for_each(|slide| slide.change = slide.taken * share);
    }

    /// `L` with the multipliers of the step, by the sums of squares of tasks and posture.
    #[inline(always)]
    pub fn merit(&self, residual: &Residual, rule: &StepRule, tasks: f32, posture: f32) -> f32 {
        let pull = rule.posture / (rule.damping + rule.posture);
        let work: f32 = self.multipliers.iter().zip(&residual.value).map(|(y, e)| y * e).sum();
        posture + 2.0 / pull * work + TASKS * tasks
    }

    /// After a step that was taken: whether what is left of the way, by the rate of the steps, is
    /// below an angle.
    pub fn is_settled(&mut self, within_rad: f32) -> bool {
        let now = if self.before > 0.0 { (self.length / self.before).clamp(0.1, 0.9) } else { RATE };
        let rate = now.max(RATE_KEPT * self.rate);
        self.rate = if self.before > 0.0 { now } else { 0.0 };
        self.before = self.length;
        self.length * rate < within_rad * (1.0 - rate)
    }
}
