//! One step of the whole body: the damped least-squares problem, solved in the space of the rows.
//!
//! # Derivation
//!
//! With `e` the weighted rows, `J` their Jacobian, `dⱼ` the turn that brings joint `j` back to the
//! incoming pose, `λ` the damping and `μⱼ` the posture's weight, a step minimises
//!
//! ```text
//! |e − J ω|² + Σ λ ωⱼᵀ Wⱼ⁻¹ ωⱼ + μⱼ (|ωⱼ − dⱼ|² taken in the metric Wⱼ⁻¹ for its curvature)
//! ```
//!
//! under `n · ωⱼ = room` for the borders in the active set. Let `V = W/(λ + μ)` per joint and `b =
//! μ V d`, borders taken in ([`crate::optim::active_set`]). Then
//!
//! ```text
//! (J V Jᵀ + 1) y = e − J b,    ω = b + V Jᵀ y
//! ```
//!
//! has as many rows as the tasks, whatever the number of joints. `J V Jᵀ` comes block by block from
//! one pass down the tree ([`crate::optim::mobility_sum`]). Rows on the centre of mass
//! touch every joint: they keep their covector `tⱼ = Jⱼᵀ` per joint (by the subtree's mass and
//! moment), and the pass down carries `Σ S V t` beside `K`, which is their block with any other
//! row. The numbers are scaled by `s = λ + μ`, so that `V` stays near 1.
//!
//! Cost: `c₁·joints + c₂·rows² + rows³/6`.

use super::couplings::Coupled;
use super::plan::{Place, Plan};
use super::residual::Residual;
use super::slides::{Slide, Slides};
use super::springs::Springs;
use super::state::State;
use crate::limits::{JointBorders, Mobility, PreparedJoint};
use crate::math::rigid::turn_vec3;
use crate::math::{Mat3, Vec3, float};
use crate::optim::{Changed, Cholesky, JointStep, MobilitySum, Motion, RankOne, Spectrum, Wrench, WrenchRows};
use crate::tasks::MAX_ANCHORS;

/// Distance from a border within which a joint stands on it, radians.
pub(super) const ON_BORDER_RAD: f32 = 1e-5;
/// Passes of the active set.
const MAX_PASSES: u32 = 6;
/// Mobility below which a direction counts as none.
pub(super) const NO_MOBILITY: f32 = 1e-6;

/// How directions in which joints move far and effectors little are treated; see `step_filtered`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DirectionRule {
    /// As all others.
    Alike,
    /// Damped more and more below a singular value, at most by a square of `most`.
    Damped { most: f32, below: f32 },
    /// Each cut to a turn of its own, at most `most_rad`.
    Selective { most_rad: f32 },
}

/// Damping and posture of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRule {
    pub damping: f32,
    pub posture: f32,
    pub root_posture: f32,
    pub root_move: Vec3,
    pub root_turn: Vec3,
    pub max_turn: f32,
    /// Least damping of the root beside a joint's.
    pub root_hold: f32,
    /// Whether joints leave borders that their multipliers do not hold them on.
    pub releases: bool,
    /// Rows count whose pivot is above this share of their diagonal; 0: all.
    pub independent: f32,
    pub directions: DirectionRule,
    /// Whether borders' curvature counts; see `step_curved`.
    pub curves_borders: bool,
}

/// Scratch of a step, and the step.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Mobility and borders of each joint, model space.
    pub(super) borders: Vec<JointBorders>,
    /// Of each joint, the least angle to a border, to either side; no number above 0 where one
    /// resists.
    pub(super) least_room: Vec<f32>,
    /// Turn back to the incoming pose: in limit space, and in model space.
    pub back_ls: Vec<Vec3>,
    pub(super) back: Vec<Vec3>,
    /// Root's way back to the incoming pose, times what a metre² of it counts as.
    pub root_back: Vec3,
    /// Radians² that a metre² of the root's way counts as.
    pub root_way: f32,
    pub(super) joint: Vec<JointStep>,
    /// Of joints whose mobility is a number times the unit matrix, that number; else 0.
    pub(super) even: Vec<f32>,
    pub(super) root: JointStep,
    /// Borders in the active set, two bits each: ahead and behind.
    pub(super) fixed: Vec<u16>,
    /// Borders that have left it in this step.
    pub(super) released: Vec<u16>,
    pub(super) sum: Vec<MobilitySum>,
    pub(super) motion: Vec<Motion>,
    pub(super) wrench: Vec<Wrench>,
    /// Each joint's place beside the root's.
    pub(super) arm: Vec<Vec3>,
    pub(super) cholesky: Cholesky,
    pub(super) rows: WrenchRows,
    /// What borders have changed since the dual was factored, and a column of that.
    pub(super) changes: RankOne,
    pub(super) column: Vec<f32>,
    pub(super) right: Vec<f32>,
    /// Directions of the dual, where a rule treats them one by one; else without room.
    pub spectrum: Spectrum,
    /// Covectors of rows, by row, then joint, for the same rules.
    pub(super) levers: Vec<Vec3>,
    /// Curvature of what is left.
    pub(super) springs: Springs,
    /// Mass below each joint, and its moment about the root's position.
    mass_below: Vec<(f32, Vec3)>,
    /// Covectors of rows on the centre of mass: by row, then joint; and motions carried down.
    pub(super) covector: Vec<Vec3>,
    pub(super) carried: Vec<Motion>,
    /// Rows on the centre of mass.
    pub(super) spread: Vec<usize>,
    /// Bones that change length.
    pub(super) slides: Slides,
    /// Joints that follow others; covectors of rows on a driver and on what follows it; and what
    /// the bias of drivers does to rows by what follows them.
    pub(super) couplings: Vec<Coupled>,
    pub(super) coupled_rows: Vec<(Vec3, Vec3)>,
    pub(super) coupled_bias: Vec<f32>,
    /// Weight of each joint's posture beside that of a joint of full mobility.
    pub weight: Vec<f32>,
    /// Turn of each joint, model space; the root's turn first.
    pub turn: Vec<Vec3>,
    /// Motion of the root.
    pub shift: Vec3,
    /// What the linear model foresees: the objective, or the rows where an answer settles.
    pub foreseen: f32,
    pub(super) foreseen_rows: Vec<f32>,
    pub passes: u32,
}

impl Step {
    pub fn new(plan: &Plan) -> Self {
        let (n, rows) = (plan.joints.len(), plan.rows);
        let mut step = Self {
            borders: vec![JointBorders::default(); n],
            least_room: vec![f32::INFINITY; n],
            back_ls: vec![Vec3::ZERO; n],
            back: vec![Vec3::ZERO; n],
            even: vec![1.0; n],
            joint: vec![JointStep { mobility: Mat3::IDENTITY, bias: Vec3::ZERO }; n],
            root: JointStep { mobility: Mat3::IDENTITY, bias: Vec3::ZERO },
            fixed: vec![0; n],
            released: vec![0; n],
            sum: vec![MobilitySum::ZERO; n],
            motion: vec![Motion::default(); n],
            wrench: vec![Wrench::default(); n],
            arm: vec![Vec3::ZERO; n],
            cholesky: Cholesky::new(rows),
            rows: WrenchRows::new(rows),
            changes: RankOne::new(rows),
            column: vec![0.0; rows + 8],
            right: vec![0.0; rows],
            mass_below: vec![(0.0, Vec3::ZERO); n],
            weight: vec![1.0; n],
            turn: vec![Vec3::ZERO; n],
            slides: Slides::new(n),
            springs: Springs::new(n),
            root_way: 1.0,
            ..Self::default()
        };
        step.arrange(plan);
        step
    }
    /// Takes over the rows of the tasks that are present. Allocates only for more rows than ever
    /// before.
    pub fn arrange(&mut self, plan: &Plan) {
        let n = plan.joints.len();
        self.spread.clear();
        for task in plan.tasks.iter().filter(|task| task.places.contains(&Place::CenterOfMass)) {
            self.spread.extend(task.row..task.row + task.rows);
        }
        let count = n * self.spread.len();
        self.covector.resize(count, Vec3::ZERO);
        self.carried.resize(count, Motion::default());
        self.right.resize(plan.rows, 0.0);
        self.foreseen_rows.resize(plan.rows, 0.0);
        self.rows.resize(plan.rows);
    }

    /// Makes room for treating the directions of up to `rows` rows one by one.
    pub fn make_room_for_directions(&mut self, rows: usize) {
        self.spectrum.make_room(rows);
        self.levers.reserve(rows * self.joint.len());
    }

    /// The rows' multipliers of the last step.
    pub fn multipliers(&self) -> &[f32] {
        &self.right
    }
    /// What depends on the pose alone: mobilities, borders, the way back, covectors.
    #[inline(always)]
    pub fn load(
        &mut self,
        plan: &Plan,
        state: &State,
        models: &[PreparedJoint],
        residual: &Residual,
        has_posture: bool,
    ) {
        let n = plan.joints.len();
        for (arm, position) in self.arm.iter_mut().zip(&state.position) {
            *arm = *position - state.at.root;
        }
        self.load_couplings(state);
        self.rows.set(residual.wrench.as_chunks::<MAX_ANCHORS>().0.iter().map(|anchors| &anchors[0]));
        for ((((model, turn), frame), (out, room)), (to, back)) in models
            .iter()
            .zip(&state.at.turns)
            .zip(&state.frame)
            .zip(self.borders.iter_mut().zip(&mut self.least_room))
            .zip(self.back.iter_mut().zip(&self.back_ls))
            .skip(1)
        {
            model.borders(*turn, *frame, out);
            *room = out.least_room();
            if has_posture {
                *to = turn_vec3(*frame, *back);
            }
        }
        self.back[0] = self.back_ls[0];
        if self.spread.is_empty() {
            self.slides.load(state, &self.mass_below);
            return;
        }
        for i in 0..n {
            let link = &state.links[i];
            let moment = (state.position[i] - state.at.root) * link.mass + state.rotation[i] * link.moment;
            self.mass_below[i] = (link.mass, moment);
        }
        for i in (1..n).rev() {
            let (mass, moment) = self.mass_below[i];
            let above = &mut self.mass_below[plan.parents[i]];
            above.0 += mass;
            above.1 += moment;
        }
        self.slides.load(state, &self.mass_below);
        let share = if state.total_mass > 0.0 { 1.0 / state.total_mass } else { 0.0 };
        for (s, &row) in self.spread.iter().enumerate() {
            let force = residual.wrench[row * MAX_ANCHORS].force;
            for i in 0..n {
                let (mass, moment) = self.mass_below[i];
                let arm = moment - (state.position[i] - state.at.root) * mass;
                self.covector[s * n + i] = arm.cross(force) * share;
            }
        }
    }

    /// Solves for the step; `turn` and `shift` hold it.
    #[inline(always)]
    pub fn solve(
        &mut self,
        plan: &Plan,
        state: &State,
        models: &[PreparedJoint],
        residual: &Residual,
        rule: &StepRule,
    ) {
        let scale = rule.damping + rule.posture;
        self.released.fill(0);
        // The active set starts with what the gradient pushes out of, where a joint stands on a
        // border.
        let are_free = self.least_room.iter().skip(1).all(|room| *room > ON_BORDER_RAD);
        if !are_free || !self.slides.active().is_empty() {
            self.gather(plan, residual, &residual.value);
        }
        for (i, model) in models.iter().enumerate().skip(1) {
            let (mut torque, mut held, mut soft) = (Vec3::ZERO, 0, false);
            if self.least_room[i] <= ON_BORDER_RAD {
                torque = self.torque(i, &residual.value) + self.back[i] * (rule.posture * self.weight[i]);
                (held, soft) = self.held_by(i, torque);
            }
            self.start_joint(i, held, soft, rule, scale);
            if rule.curves_borders && held != 0 {
                self.curve_borders(i, state, model, (torque, scale));
            }
        }
        self.hold_driven();
        self.start_slides(residual, rule, scale);
        self.start_root(rule, scale);
        let is_alike = rule.directions == DirectionRule::Alike;
        if !is_alike {
            // Directions are found anew in each pass, from a dual that is not factored.
            self.changes.close();
        }
        let mut changed = Changed::Anew;
        for pass in 1.. {
            self.passes += 1;
            if changed == Changed::Anew {
                if self.springs.are_on() {
                    self.build_stiff(plan, residual);
                } else {
                    self.build(plan, state, residual, rule.posture > 0.0 || pass > 1);
                }
                if is_alike {
                    self.factor(plan, scale, rule.independent);
                }
            }
            if is_alike {
                self.right.copy_from_slice(&self.changes.solve(&mut self.cholesky, true)[..plan.rows]);
            } else {
                self.filter(plan, state, residual, rule, scale);
            }
            let largest = self.spread_out::<true>(plan, residual);
            let share = if largest > rule.max_turn { rule.max_turn / largest } else { 1.0 };
            changed = if pass < MAX_PASSES { self.fix_crossed(plan, residual, share) } else { Changed::Not };
            if changed == Changed::Not && pass < MAX_PASSES && rule.releases {
                changed = self.release(plan, residual, rule, scale);
            }
            if changed == Changed::Not {
                // Steps that settle are not judged by the objective, the others never corrected.
                if rule.releases {
                    self.foresee_rows(scale, share, residual);
                } else {
                    self.foresee(scale, rule, share, residual);
                }
                if share < 1.0 {
                    self.turn.iter_mut().for_each(|t| *t *= share);
                    self.shift *= share;
                    self.slides.active_mut().iter_mut().for_each(|slide| slide.change *= share);
                }
                return;
            }
        }
    }

    /// The borders that hold a joint which stands on some, two bits each, and whether one resists.
    pub(super) fn held_by(&self, i: usize, torque: Vec3) -> (u16, bool) {
        let borders = &self.borders[i];
        let (mut held, mut soft) = (0, false);
        for (number, border) in borders.borders().iter().enumerate() {
            let (ahead, behind) = (border.room_rad <= ON_BORDER_RAD, border.back_room_rad <= ON_BORDER_RAD);
            if ahead || behind || border.resistance > 0.0 {
                let out = border.outward.dot(borders.mobility * torque);
                if ahead && out > 0.0 {
                    held |= 1 << (2 * number);
                } else if behind && out < 0.0 {
                    held |= 2 << (2 * number);
                } else if border.resistance > 0.0 && out > 0.0 {
                    soft = true;
                }
            }
        }
        (held, soft)
    }
    /// Mobility and bias without the borders that a step crosses, but with those that are held and
    /// those that resist.
    #[inline(always)]
    pub(super) fn start_joint(&mut self, i: usize, held: u16, soft: bool, rule: &StepRule, scale: f32) {
        let borders = &self.borders[i];
        let mut mobility = borders.mobility;
        if soft {
            for border in borders.borders().iter().filter(|b| b.resistance > 0.0 && b.room_rad > ON_BORDER_RAD) {
                Mobility::forbid(&mut mobility, border.outward, border.resistance);
            }
        }
        self.even[i] = if soft || held != 0 { 0.0 } else { borders.even.unwrap_or(0.0) };
        let pull = rule.posture / scale * self.weight[i];
        let bias = if rule.posture > 0.0 { mobility * self.back[i] * pull } else { Vec3::ZERO };
        let mut step = JointStep { mobility, bias };
        if held != 0 {
            for (number, border) in borders.borders().iter().enumerate() {
                if held & (1 << (2 * number)) != 0 {
                    step.fix(border.outward, border.room_rad.min(0.0), NO_MOBILITY);
                } else if held & (2 << (2 * number)) != 0 {
                    step.fix(border.outward, -border.back_room_rad.min(0.0), NO_MOBILITY);
                }
            }
        }
        self.fixed[i] = held;
        self.joint[i] = step;
    }
    #[inline(always)]
    fn start_root(&mut self, rule: &StepRule, scale: f32) {
        // The root has a posture of its own: mobility over (λ + μ₀), times the scale.
        let share = scale / (rule.damping + rule.root_posture).max(rule.root_hold * scale);
        let pull = rule.root_posture / (rule.damping + rule.root_posture).max(1e-20);
        let diagonal = |v: Vec3| Mat3::from_diagonal(v * share);
        self.joint[0] = JointStep { mobility: diagonal(rule.root_turn), bias: rule.root_turn * self.back[0] * pull };
        self.even[0] = rule.root_turn.x * share;
        self.root = JointStep { mobility: diagonal(rule.root_move), bias: rule.root_move * self.root_back * pull };
    }

    /// The dual matrix and its right side.
    #[inline(always)]
    fn build(&mut self, plan: &Plan, state: &State, residual: &Residual, has_bias: bool) {
        let (n, origin) = (plan.joints.len(), state.at.root);
        let count = self.spread.len();
        let mut slides = self.slides.active();
        for i in 0..n {
            let p = state.position[i] - origin;
            // In place: a copy of what is above is many numbers, of which few change.
            if i == 0 {
                self.sum[0] = MobilitySum::floating(self.root.mobility);
            } else {
                let parent = plan.parents[i];
                self.sum.copy_within(parent..parent + 1, i);
            }
            let (step, sum) = (&self.joint[i], &mut self.sum[i]);
            let mut own_slides: &[Slide] = &[];
            if !slides.is_empty() {
                (own_slides, slides) = slides.split_at(slides.iter().take_while(|slide| slide.place == i).count());
            }
            for slide in own_slides {
                *sum = slide.added_to(sum);
            }
            let even = self.even[i];
            if even > 0.0 {
                sum.add_even_joint(p, even);
            } else {
                sum.add_joint(p, &step.mobility);
            }
            if has_bias {
                self.motion[i] = if i == 0 {
                    Motion { angular: step.bias, linear: self.root.bias }
                } else {
                    self.motion[plan.parents[i]].plus(&Motion::turn(p, step.bias))
                };
                for slide in own_slides {
                    self.motion[i].linear += slide.direction * slide.bias;
                }
            }
            for s in 0..count {
                let own = Motion::turn(p, step.mobility * self.covector[s * n + i]);
                self.carried[s * n + i] = if i == 0 {
                    let force = self.spread_force(residual, s);
                    own.plus(&Motion { angular: Vec3::ZERO, linear: self.root.mobility * force })
                } else {
                    self.carried[s * n + plan.parents[i]].plus(&own)
                };
                for slide in own_slides {
                    let pull = self.spread_force(residual, s).dot(slide.direction) * slide.mass_share;
                    self.carried[s * n + i].linear += slide.direction * (slide.mobility * pull);
                }
            }
        }
        self.cholesky.begin(plan.rows);
        for &(start, end) in &plan.gaps {
            (start..end).for_each(|row| self.cholesky.clear_row(row));
        }
        let mut motions = [[0.0; 8]; 6];
        for group in &plan.groups {
            // Counted by hand: a range in steps of eight begins with a division.
            let mut first = group.start;
            while first < group.end {
                let last = (first + 8).min(group.end);
                for run in &plan.runs[group.runs.0..group.runs.1] {
                    self.rows.motions(first, &self.sum[run.common], &mut motions);
                    let mut start = run.start.max(first);
                    while start < run.end {
                        self.rows.work_on_each(start, &motions, self.cholesky.rows_mut(first, last));
                        start += 8;
                    }
                }
                for &(start, end) in plan.gaps.iter().filter(|gap| gap.1 > group.start) {
                    for row in first..last {
                        self.cholesky.row_mut(row)[start..end].fill(0.0);
                    }
                }
                first += 8;
            }
        }
        if count > 0 || plan.has_more_joints {
            self.add_rest(plan, residual);
        }
        if !self.couplings.is_empty() {
            self.add_couplings(plan, state, residual);
        }
        self.set_right(plan, residual, has_bias);
    }

    /// Factors the dual.
    #[inline(always)]
    fn factor(&mut self, plan: &Plan, scale: f32, independent: f32) {
        self.cholesky.factor_above(scale, 1e-10, independent);
        self.changes.begin(plan.rows);
    }

    /// The right side: what is left after the motion without torques.
    #[inline(always)]
    fn set_right(&mut self, plan: &Plan, residual: &Residual, has_bias: bool) {
        let n = plan.joints.len();
        self.right.copy_from_slice(&residual.value);
        if has_bias {
            for group in &plan.groups {
                let Motion { angular: a, linear: l } = self.motion[group.joint];
                // Whole groups of eight are written: those after them come later.
                self.rows.work(group.start, group.end, [a.x, a.y, a.z, l.x, l.y, l.z], &mut self.column);
                let own = group.start..group.end;
                self.right[own.clone()].iter_mut().zip(&self.column[own]).for_each(|(to, work)| *to -= work);
            }
            if plan.has_more_joints {
                self.take_other_anchors(plan, residual);
            }
            for (s, &row) in self.spread.iter().enumerate() {
                let force = self.spread_force(residual, s);
                let mut sum = force.dot(self.root.bias);
                for i in 0..n {
                    sum += self.covector[s * n + i].dot(self.joint[i].bias);
                }
                for slide in self.slides.active() {
                    sum += force.dot(slide.direction) * slide.mass_share * slide.bias;
                }
                self.right[row] -= sum;
            }
        }
        if has_bias && !self.couplings.is_empty() {
            self.right.iter_mut().zip(&self.coupled_bias).for_each(|(value, bias)| *value -= bias);
        }
        self.cholesky.set_right(&self.right);
    }

    pub(super) fn spread_force(&self, residual: &Residual, s: usize) -> Vec3 {
        residual.wrench[self.spread[s] * MAX_ANCHORS].force
    }

    /// Wrenches of rows times numbers, added up towards the root.
    #[inline(always)]
    pub(super) fn gather(&mut self, plan: &Plan, residual: &Residual, numbers: &[f32]) {
        self.wrench.fill(Wrench::default());
        let (wrenches, _) = residual.wrench.as_chunks::<MAX_ANCHORS>();
        for task in &plan.tasks {
            for (a, place) in task.places.iter().enumerate() {
                let Place::Joint(joint) = *place else { continue };
                let own = task.row..task.row + task.rows;
                let mut sum = self.wrench[joint];
                for (anchors, number) in wrenches[own.clone()].iter().zip(&numbers[own]) {
                    sum.add(&anchors[a].scaled(*number));
                }
                self.wrench[joint] = sum;
            }
        }
        for i in (1..self.wrench.len()).rev() {
            let wrench = self.wrench[i];
            self.wrench[plan.parents[i]].add(&wrench);
        }
    }
    /// Torque on a joint of the gathered wrenches, and of rows on the centre of mass times numbers.
    #[inline(always)]
    pub(super) fn torque(&self, i: usize, numbers: &[f32]) -> Vec3 {
        let torque = self.own_torque(i, numbers);
        if self.couplings.is_empty() { torque } else { torque + self.coupled_torque(i, numbers) }
    }
    /// The same without what joints that follow it add.
    #[inline(always)]
    pub(super) fn own_torque(&self, i: usize, numbers: &[f32]) -> Vec3 {
        let n = self.joint.len();
        let mut torque = self.wrench[i].clear_torque_about(self.arm[i]);
        for (s, &row) in self.spread.iter().enumerate() {
            torque += self.covector[s * n + i] * numbers[row];
        }
        torque
    }
    /// `ω = b + V Jᵀ y`, `b` only where `BIASED`; returns the largest turn.
    #[inline(always)]
    pub(super) fn spread_out<const BIASED: bool>(&mut self, plan: &Plan, residual: &Residual) -> f32 {
        let right = core::mem::take(&mut self.right);
        self.gather(plan, residual, &right);
        let mut largest = 0.0_f32;
        for i in 0..self.joint.len() {
            let (torque, step) = (self.torque(i, &right), &self.joint[i]);
            if self.springs.are_on() {
                self.turn[i] = torque;
                continue;
            }
            let even = self.even[i];
            let moved = if even > 0.0 { torque * even } else { step.mobility * torque };
            self.turn[i] = if BIASED { step.bias + moved } else { moved };
            largest = largest.max(self.turn[i].length_squared());
        }
        if self.springs.are_on() {
            let turned = self.turn_stiff::<BIASED>(plan);
            largest = turned * turned;
        }
        let mut slides = core::mem::take(&mut self.slides);
        for slide in slides.active_mut() {
            let moved = slide.mobility * self.force_along(residual, slide, &right);
            slide.change = if BIASED { slide.bias + moved } else { moved };
            largest = largest.max(slide.change * slide.change);
        }
        self.slides = slides;
        let mut force = self.wrench[0].force;
        for (s, &row) in self.spread.iter().enumerate() {
            force += self.spread_force(residual, s) * right[row];
        }
        let moved = self.root.mobility * force;
        self.shift = if BIASED { self.root.bias + moved } else { moved };
        self.right = right;
        float::sqrt(largest)
    }
}
