//! Residual rows of all tasks at a pose, weighted: metres, so that the objective is their sum of
//! squares.

use super::demand::Demand;
use super::plan::{Place, Plan, Planned};
use super::settings::BodySettings;
use super::state::State;
use crate::math::{Quat, float};
use crate::optim::Wrench;
use crate::tasks::{MAX_ANCHORS, MAX_ROWS, Placement, Rows, Task, Unit};

/// Most that a goal is shifted, by its unit.
const MAX_SHIFT_M: f32 = 0.007;
const MAX_SHIFT_RAD: f32 = 0.02;

/// A row that is held counts to so much below 0, metres or radians.
const HELD_WITHIN: f32 = 5e-3;
/// What a step may leave a row beyond 0 of a task that is met below 0, metres or radians.
pub(super) const BEYOND_SIDE: f32 = 5e-5;

/// Distance from a goal up to which squares of distances count, in rotation lengths: 3 m for a
/// person. Beyond it the distance itself does (P. Huber, "Robust estimation of a location
/// parameter", Ann. Math. Statist. 35 (1964)), so that a goal far out of reach pulls no harder than
/// one at this distance, and its curvature needs no more damping.
const FAR: f32 = 10.0;

/// Weight and tolerance of one task in a solve.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    /// Factor from the task's own unit to the weighted row.
    pub factor: f32,
    /// The same on the other footing: with all levels alike, or with the ratio of levels.
    other: f32,
    /// Number of present levels above the task's own.
    pub rank: u8,
    /// Distance from which on the distance itself counts; infinite for angles.
    pub far: f32,
    /// Tolerance in the task's unit.
    pub tolerance: f32,
    /// Whether rows below 0 count as met.
    pub one_sided: bool,
    /// Left out for now.
    pub muted: bool,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Residual {
    /// Weighted value of each row.
    pub value: Vec<f32>,
    /// What the blend leaves of the incoming pose's residual.
    blended: Vec<f32>,
    /// Taken off each row's own value: `blended`, and what goals are shifted or held by.
    pub offset: Vec<f32>,
    /// `offset` without what tasks are held by.
    kept: Vec<f32>,
    /// Added to each row's own value: what track mode has learnt that the posture keeps from the
    /// goal. By the rows of all tasks, present or not.
    pub shift: Vec<f32>,
    /// What was left of each row at the end of the last frame of track mode, in its own unit. By
    /// the rows of all tasks.
    pub left: Vec<f32>,
    /// Weighted wrenches about the root's position, [`MAX_ANCHORS`] a row.
    pub wrench: Vec<Wrench>,
    /// Where anchors outside of the body are.
    pub fixed: Vec<[Placement; MAX_ANCHORS]>,
    pub scale: Vec<Scale>,
    /// What each task lacks, in its unit.
    pub missing: Vec<f32>,
    /// What the objective is beside the sum of squares of the rows, for tasks that are far off.
    pub beyond: f32,
    /// Rows of tasks that are met below 0 which count below 0, too: those that a pose stands on.
    held: Vec<bool>,
    /// What a row that is not held may be beyond 0 and still count as met, in its task's unit.
    slack: f32,
    /// Rows that have ceased to be held in this step.
    released: Vec<bool>,
}

impl Residual {
    pub fn new(plan: &Plan) -> Self {
        let rows = vec![0.0; plan.all_rows];
        let mut residual = Self { shift: rows.clone(), left: rows, ..Self::default() };
        residual.arrange(plan);
        residual
    }
    /// Takes over the rows of the tasks that are present. Allocates only for more rows than ever
    /// before.
    pub fn arrange(&mut self, plan: &Plan) {
        let (tasks, rows) = (plan.tasks.len(), plan.rows);
        self.value.resize(rows, 0.0);
        self.blended.resize(rows, 0.0);
        self.offset.resize(rows, 0.0);
        self.kept.resize(rows, 0.0);
        self.wrench.resize(rows * MAX_ANCHORS, Wrench::default());
        self.fixed.resize(tasks, [Placement::IDENTITY; MAX_ANCHORS]);
        self.scale.resize(tasks, Scale::default());
        self.missing.resize(tasks, 0.0);
        self.held.resize(rows, false);
        self.released.resize(rows, false);
        // Anchors that a row does not have stay without wrench.
        self.wrench.fill(Wrench::default());
        self.missing.fill(0.0);
    }

    /// Weights of the tasks, and the blend: `e(q) − (1 − blend) e(q₀)` is zero where the goal is
    /// that share of the way from the incoming pose's effector to the goal, for positions (a
    /// straight line) and for rotations (the shortest turn) alike. `state`: the incoming pose; its
    /// joints are placed where a goal is blended.
    pub fn begin(&mut self, plan: &Plan, demands: &[Option<Demand>], settings: &BodySettings, state: &mut State) {
        let blends = |task: &Planned| demands[task.demand].as_ref().is_some_and(|demand| demand.blend < 1.0);
        if plan.tasks.iter().any(blends) {
            state.forward();
        }
        // Levels count in their order, not by their numbers: tasks come by level.
        let (mut rank, mut last) = (0, None);
        // Importances are ratios within a level: however large, none outweighs a level before.
        let (mut share, mut most) = (1.0, f32::INFINITY);
        for (number, task) in plan.tasks.iter().enumerate() {
            let Some(demand) = &demands[task.demand] else { continue };
            if last != Some(demand.level) {
                let later = plan.tasks[number..].iter().filter_map(|task| demands[task.demand].as_ref());
                let own = later.take_while(|other| other.level == demand.level).map(|other| other.importance);
                let largest = own.fold(0.0, f32::max);
                share = if largest > most { most / largest } else { 1.0 };
                most = largest * share;
                rank += u8::from(last.is_some());
            }
            last = Some(demand.level);
            let ratio = (0..rank).fold(share, |r, _| r * settings.level_ratio);
            let (unit, tolerance, far) = match demand.task.unit() {
                Unit::Length => (1.0, settings.tolerance_m, FAR * settings.rotation_length_m),
                Unit::Angle => (settings.rotation_length_m, settings.tolerance_rad, f32::INFINITY),
            };
            self.scale[number] = Scale {
                factor: unit * float::sqrt(demand.importance * ratio),
                other: unit * float::sqrt(demand.importance),
                rank,
                far,
                tolerance,
                one_sided: demand.task.is_one_sided(),
                muted: false,
            };
            let blended = &mut self.blended[task.row..task.row + task.rows];
            blended.fill(0.0);
            if demand.blend < 1.0 {
                let mut rows = Rows::default();
                demand.task.evaluate(&placements(&task.places, &self.fixed[number], state), &mut rows);
                for (to, value) in blended.iter_mut().zip(rows.value) {
                    let value = if self.scale[number].one_sided { value.max(0.0) } else { value };
                    *to = (1.0 - demand.blend) * value;
                }
            }
        }
        self.restart();
    }
    /// Goals where the blend has them: without what they were shifted or held by.
    pub fn restart(&mut self) {
        self.offset.copy_from_slice(&self.blended);
    }
    /// Holds every goal back by `share` of what is left at a state; of `velocity`, a share too, by
    /// what was left of the last frame's goals.
    pub fn hold_back(&mut self, plan: &Plan, demands: &[Option<Demand>], state: &State, share: f32, velocity: f32) {
        self.evaluate(plan, demands, state);
        for (number, task) in plan.tasks.iter().enumerate() {
            for (row, home) in (task.row..task.row + task.rows).zip(task.home..) {
                let now = self.own_value(number, row);
                self.offset[row] += share * (now + velocity * (self.left[home] - now));
            }
        }
    }
    /// Remembers what is left at a state, for the next frame.
    pub fn remember(&mut self, plan: &Plan, demands: &[Option<Demand>], state: &State) {
        self.evaluate(plan, demands, state);
        self.left.fill(0.0);
        for (number, task) in plan.tasks.iter().enumerate() {
            for (row, home) in (task.row..task.row + task.rows).zip(task.home..) {
                self.left[home] = self.own_value(number, row);
            }
        }
    }
    /// A row's value in its task's unit.
    fn own_value(&self, number: usize, row: usize) -> f32 {
        let scale = &self.scale[number];
        self.value[row] / (scale.factor * far_weight(self.missing[number], scale.far)).max(1e-20)
    }
    /// Number of levels that are present.
    pub fn levels(&self) -> u8 {
        self.scale.last().map_or(0, |scale| scale.rank + 1)
    }
    /// Lets all levels count alike, or by their ratio again.
    pub fn switch_levels(&mut self) {
        for scale in &mut self.scale {
            core::mem::swap(&mut scale.factor, &mut scale.other);
        }
    }
    /// Whether a task is met to its tolerance.
    pub fn is_task_met(&self, number: usize) -> bool {
        self.missing[number] <= self.scale[number].tolerance
    }
    /// Makes the goals of the chosen tasks where the last evaluation found their effectors.
    pub fn hold(&mut self, plan: &Plan, holds: impl Fn(&Self, usize) -> bool) {
        self.kept.copy_from_slice(&self.offset);
        for (number, task) in plan.tasks.iter().enumerate() {
            if holds(self, number) {
                for row in task.row..task.row + task.rows {
                    self.offset[row] += self.own_value(number, row);
                }
            }
        }
    }
    /// Takes that back.
    pub fn let_go(&mut self) {
        self.offset.copy_from_slice(&self.kept);
    }
    /// Remembers what another one does of the same tasks, which another plan has in another order.
    pub fn remember_as(&mut self, plan: &Plan, other: &Self, other_plan: &Plan) {
        for task in &plan.all {
            let Some(from) = other_plan.all.iter().find(|other| other.demand == task.demand) else { continue };
            for row in 0..task.rows {
                self.shift[task.home + row] = other.shift[from.home + row];
                self.left[task.home + row] = other.left[from.home + row];
            }
        }
    }
    /// Forgets what track mode has learnt.
    pub fn forget(&mut self) {
        self.shift.fill(0.0);
        self.left.fill(0.0);
    }
    /// Shifts the goals of tasks that have to be met exactly by what the posture keeps them from,
    /// up to a length or angle. At the minimum of `|e + s|² + μ |d|²` with the shift `s`, the rows
    /// that are left, `e + s`, are what the shift has to be for `e = 0`. `part`: of the way from
    /// the shift learnt before. `offset` follows.
    pub fn learn(&mut self, plan: &Plan, demands: &[Option<Demand>], part: f32) {
        for (number, task) in plan.tasks.iter().enumerate() {
            let one_sided = self.scale[number].one_sided;
            let Some(demand) = demands[task.demand].as_ref().filter(|_| !one_sided) else { continue };
            let most = most_shift(demand.task.unit());
            let rows = task.row..task.row + task.rows;
            let size = self.missing[number];
            let share = if size > most { most / size } else { 1.0 };
            for (row, home) in rows.zip(task.home..) {
                let next = self.shift[home] + (self.own_value(number, row) * share - self.shift[home]) * part;
                self.offset[row] += self.shift[home] - next;
                self.shift[home] = next;
            }
        }
    }
    /// Applies the shifts learnt before to fresh offsets, or takes them off again.
    pub fn apply_shift(&mut self, plan: &Plan, sign: f32) {
        for task in &plan.tasks {
            for (row, home) in (task.row..task.row + task.rows).zip(task.home..) {
                self.offset[row] -= sign * self.shift[home];
            }
        }
    }
    /// Leaves the tasks from number `first` on out, or takes them in again.
    pub fn mute(&mut self, first: usize, muted: bool) {
        self.scale[first..].iter_mut().for_each(|scale| scale.muted = muted);
    }
    /// Fills all rows, and with `JACOBIAN` the wrenches; returns the sum of squares.
    #[inline(always)]
    pub fn evaluate_here<const JACOBIAN: bool>(
        &mut self,
        plan: &Plan,
        demands: &[Option<Demand>],
        state: &State,
    ) -> f32 {
        let mut sum = 0.0;
        self.beyond = 0.0;
        let origin = state.at.root;
        // Tasks on the same joints come one after the other: what they share is found once.
        let (mut at, mut places) = ([Placement::IDENTITY; MAX_ANCHORS], [Place::None; MAX_ANCHORS]);
        for (number, task) in plan.tasks.iter().enumerate() {
            let scale = self.scale[number];
            let Some(demand) = demands[task.demand].as_ref().filter(|_| !scale.muted) else {
                self.value[task.row..task.row + task.rows].fill(0.0);
                self.wrench[task.row * MAX_ANCHORS..(task.row + task.rows) * MAX_ANCHORS].fill(Wrench::default());
                self.missing[number] = 0.0;
                continue;
            };
            if task.places != places {
                places = task.places;
                at = placements(&places, &self.fixed[number], state);
            }
            let mut rows = Rows::default();
            demand.task.evaluate(&at, &mut rows);
            let own = task.row..task.row + task.rows;
            let values = &mut self.value[own.clone()];
            let mut square = 0.0;
            let mut met = [false; MAX_ROWS];
            for ((to, value), offset) in values.iter_mut().zip(rows.value).zip(&self.offset[own.clone()]) {
                *to = value - offset;
            }
            if scale.one_sided {
                for ((value, met), held) in values.iter_mut().zip(&mut met).zip(&self.held[own.clone()]) {
                    let lacks = value.max(0.0);
                    square += lacks * lacks;
                    *met = *value <= self.slack && (!held || *value < -HELD_WITHIN);
                    *value = if *met { 0.0 } else { *value };
                }
            } else {
                square = values.iter().fold(square, |square, value| square + value * value);
            }
            let missing = float::sqrt(square);
            self.missing[number] = missing;
            let factor = if missing > scale.far {
                self.beyond += scale.far * (missing - scale.far) * scale.factor * scale.factor;
                scale.factor * far_weight(missing, scale.far)
            } else {
                scale.factor
            };
            for value in values {
                *value *= factor;
                sum += *value * *value;
            }
            if JACOBIAN {
                let (wrenches, _) = self.wrench.as_chunks_mut::<MAX_ANCHORS>();
                let wrenches = &mut wrenches[own];
                for (a, term) in rows.terms.iter().enumerate() {
                    if places[a] == Place::None {
                        break;
                    }
                    let point = term.point - origin;
                    let terms = term.force.iter().zip(&term.torque).zip(met);
                    for (wrench, ((force, torque), met)) in wrenches.iter_mut().zip(terms) {
                        let factor = if met { 0.0 } else { factor };
                        wrench[a] = Wrench::at(point, *force * factor, *torque * factor);
                    }
                }
            }
        }
        sum + self.beyond
    }
    /// [`Self::evaluate_here`] where time does not count.
    #[inline(never)]
    pub fn evaluate(&mut self, plan: &Plan, demands: &[Option<Demand>], state: &State) -> f32 {
        self.evaluate_here::<false>(plan, demands, state)
    }
    /// Whether a task is met below 0.
    pub fn has_sides(&self) -> bool {
        self.scale.iter().any(|scale| scale.one_sided)
    }
    /// From now on rows of such tasks may be held.
    pub fn begin_sides(&mut self, plan: &Plan) {
        self.slack = BEYOND_SIDE;
        self.hold_sides(plan);
    }
    /// No row of such tasks is held any more.
    pub fn end_sides(&mut self) {
        self.slack = 0.0;
        self.held.fill(false);
    }
    /// Rows of such tasks may be released again.
    pub fn begin_release(&mut self) {
        self.released.fill(false);
    }
    /// Holds rows of such tasks that lack something.
    pub fn hold_sides(&mut self, plan: &Plan) {
        for (row, factor) in sided_rows(plan, &self.scale) {
            self.held[row] |= self.value[row] > BEYOND_SIDE * factor;
        }
    }
    /// Releases rows that the multipliers of a step do not hold, each once a step; false where
    /// there is none.
    pub fn release_sides(&mut self, plan: &Plan, multipliers: &[f32]) -> bool {
        let mut is_new = false;
        for (row, factor) in sided_rows(plan, &self.scale) {
            let is_free = self.held[row]
                && multipliers[row] < 0.0
                && self.value[row] <= BEYOND_SIDE * factor
                && !self.released[row];
            self.held[row] &= !is_free;
            self.released[row] |= is_free;
            is_new |= is_free;
        }
        is_new
    }
    /// The most that a row which is not held lacks, in its task's unit.
    pub fn beyond_sides(&self, plan: &Plan) -> f32 {
        let rows = sided_rows(plan, &self.scale).filter(|(row, _)| !self.held[*row]);
        rows.map(|(row, factor)| self.value[row] / factor.max(1e-20)).fold(0.0, f32::max)
    }
    /// Whether every task is met to `share` of its tolerance.
    pub fn is_met(&self, share: f32) -> bool {
        self.missing.iter().zip(&self.scale).all(|(missing, scale)| *missing <= share * scale.tolerance)
    }
}

/// Most that a goal is shifted.
pub(super) fn most_shift(unit: Unit) -> f32 {
    match unit {
        Unit::Length => MAX_SHIFT_M,
        Unit::Angle => MAX_SHIFT_RAD,
    }
}

/// Factor on the rows of a task that lacks so much: rows `√(f/d) e` in place of `e` have the
/// gradient of `2 f d − f²` for the distance `d`, in place of that of `d²`. What the objective is
/// beside the sum of their squares is [`Residual::beyond`].
#[inline(always)]
fn far_weight(missing: f32, far: f32) -> f32 {
    if missing > far { float::sqrt(far / missing) } else { 1.0 }
}

/// Rows of tasks that are met below 0, with their weights.
fn sided_rows(plan: &Plan, scale: &[Scale]) -> impl Iterator<Item = (usize, f32)> {
    let tasks = plan.tasks.iter().zip(scale).filter(|(_, scale)| scale.one_sided);
    tasks.flat_map(|(task, scale)| (task.row..task.row + task.rows).map(move |row| (row, scale.factor)))
}

#[inline(always)]
fn placements(
    places: &[Place; MAX_ANCHORS],
    fixed: &[Placement; MAX_ANCHORS],
    state: &State,
) -> [Placement; MAX_ANCHORS] {
    let mut at = [Placement::IDENTITY; MAX_ANCHORS];
    for ((to, place), fixed) in at.iter_mut().zip(places).zip(fixed) {
        *to = match place {
            Place::None => continue,
            Place::Joint(joint) => state.placement(*joint),
            Place::Fixed(_) => *fixed,
            Place::CenterOfMass => Placement { position: state.center_of_mass, rotation: Quat::IDENTITY },
        };
    }
    at
}
