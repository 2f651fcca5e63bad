//! Frames of track mode of up to eight bodies side by side: each lane has the bits of a body alone.
//!
//! Bodies of one plan and the same settings, whose tasks are positions and orientations of joints
//! on all axes, take the iterations of a frame together. Limits that all have in common are
//! evaluated in lanes, too (`limits::eight_limits`); near a border, and where they differ, the
//! functions for one body evaluate them. A body whose iteration is not the usual one (a step that
//! is refused, that crosses a border, or a goal farther off than its square counts) is left as it
//! was before the first, and solved alone.

use super::descent::{DAMPING, ROOT_HOLD, Solve, root_way};
use super::eight_figure::{EightFigure, EightRow, EightTask, ROWS, narrow, put_quat, put_vec3, quat, quat_at, wide};
use super::eight_step::{EightRule, EightStep};
use super::residual::most_shift;
use super::settings::{BodySettings, TrackConverge, TrackSolver};
use super::solver::Body;
use super::step::{DirectionRule, ON_BORDER_RAD, StepRule};
use super::track::LAST;
use crate::math::dispatch::Level;
use crate::math::eight_lane::{EightLane, EightTask as Work};
use crate::math::{Lane, LaneMask, LaneQuat, Quat, Vec3};
use crate::optim::Damping;
use crate::tasks::{AnyTask, Axes, Unit};

/// Most bodies side by side.
pub(super) const EIGHT: usize = 8;
/// Fewer cost as much alone.
const LEAST: usize = 2;
/// Least damping of a step: see `Body::approach`.
const LEAST_DAMPING: f32 = 1e-6;
/// A joint with less room to a border is looked at alone, radians: more than rounding.
const NEAR_RAD: f32 = 1e-4;

/// Eight bodies in work.
#[derive(Clone, Debug, Default)]
pub(super) struct EightBodies {
    figure: EightFigure,
    step: EightStep,
    /// The bodies whose limits of a joint are looked at one by one.
    alone: Vec<u8>,
    room: Room,
}

/// How much there is of everything in bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    joints: usize,
    tasks: usize,
    rows: usize,
    runs: usize,
}

impl Room {
    /// Room for a body with all its tasks.
    pub fn of(body: &Body) -> Self {
        let plan = &body.solve.plan;
        let tasks = plan.demands().count();
        Self { joints: plan.joints.len(), tasks, rows: plan.all_rows, runs: tasks * tasks }
    }
    /// Whether there is no less of anything than in another.
    pub fn holds(&self, other: &Self) -> bool {
        self.joints >= other.joints && self.tasks >= other.tasks && self.rows >= other.rows && self.runs >= other.runs
    }
    fn grown(&self, other: &Self) -> Self {
        Self {
            joints: self.joints.max(other.joints),
            tasks: self.tasks.max(other.tasks),
            rows: self.rows.max(other.rows),
            runs: self.runs.max(other.runs),
        }
    }
}

/// The bodies of a group, the first of them in front.
pub(super) type Group<'a> = [Option<&'a mut Body>; EIGHT];

/// The lanes of these bits.
fn lanes(bits: u8) -> impl Iterator<Item = usize> {
    (0..EIGHT).filter(move |lane| bits & (1 << lane) != 0)
}

impl Body {
    /// Whether the frame that has begun can be solved beside those of other bodies.
    pub(super) fn may_join(&self, dt: f32) -> bool {
        let (settings, solve) = (&self.settings, &*self.solve);
        let plan = &solve.plan;
        let has_usual_settings = settings.track_converge != TrackConverge::Always
            && settings.track_solver == TrackSolver::Adaptive
            && settings.feedback <= 0.0
            && settings.posture > 0.0
            && settings.steps(dt) == 1;
        let is_usual = solve.state.couplings.is_empty()
            && solve.step.slides.all().is_empty()
            && !plan.has_more_joints
            && !plan.has_center_of_mass
            && plan.gaps.is_empty();
        has_usual_settings
            && is_usual
            && solve.work.covers(self.most_steps())
            && plan.tasks.iter().all(|task| {
                let demand = self.demands[task.demand].as_ref();
                demand.is_some_and(|demand| is_usual_task(&demand.task) && demand.level == self.first_level())
            })
    }
    fn first_level(&self) -> u8 {
        let first = self.solve.plan.tasks.first();
        first.and_then(|task| self.demands[task.demand].as_ref()).map_or(0, |demand| demand.level)
    }
    /// Steps of the iterations of a frame.
    fn most_steps(&self) -> u32 {
        self.solve.pass_steps.saturating_mul(self.settings.track_iterations)
    }
    /// Whether a body that may join can do so beside this one.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let (plan, others) = (&self.solve.plan, &other.solve.plan);
        let same_kind = |task: &super::plan::Planned, other_task: &super::plan::Planned| {
            // Bodies that may join have tasks on one joint each.
            let rows = (task.row, task.home, task.rows, task.joint());
            let kinds = (&self.demands[task.demand], &other.demands[other_task.demand]);
            rows == (other_task.row, other_task.home, other_task.rows, other_task.joint())
                && matches!(kinds, (Some(a), Some(b)) if is_position(&a.task) == is_position(&b.task))
        };
        self.floating == other.floating
            && self.settings == other.settings
            && plan.parents == others.parents
            && plan.tasks.len() == others.tasks.len()
            && plan.tasks.iter().zip(&others.tasks).all(|(task, other)| same_kind(task, other))
    }
}

fn is_position(task: &AnyTask) -> bool {
    matches!(task, AnyTask::Position(_))
}

fn is_usual_task(task: &AnyTask) -> bool {
    match task {
        AnyTask::Position(task) => task.axes == Axes::ALL,
        AnyTask::Orientation(task) => task.axes == Axes::ALL,
        _ => false,
    }
}

/// Bits of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Approached {
    /// Those whose iterations were taken.
    pub taken: u8,
    /// Those of them whose way no cap can shorten.
    pub slow: u8,
}

/// Takes the iterations of a frame of `dt` seconds of bodies that are alike and may join. Those for
/// which that was not done are as they were. Allocates nothing.
pub(super) fn approach(eight: &mut EightBodies, bodies: &mut Group<'_>, dt: f32) -> Approached {
    let has_room = bodies.iter().flatten().all(|body| eight.room.holds(&Room::of(body)));
    if !has_room || bodies.iter().flatten().count() < LEAST {
        return Approached::default();
    }
    Level::for_one().run_eight(Approach { eight, bodies, dt })
}

struct Approach<'a, 'b> {
    eight: &'a mut EightBodies,
    bodies: &'a mut Group<'b>,
    dt: f32,
}

impl Work for Approach<'_, '_> {
    type Output = Approached;
    #[inline(always)]
    fn run<E: EightLane>(self) -> Approached {
        self.eight.approach::<E>(self.bodies, self.dt)
    }
}

impl EightBodies {
    /// Makes room.
    pub fn reserve(&mut self, room: &Room) {
        if !self.room.holds(room) {
            self.room = self.room.grown(room);
            let Room { joints, tasks, rows, runs } = self.room;
            self.figure = EightFigure::with_room(joints, tasks, rows);
            self.step = EightStep::with_room(joints, tasks, runs, rows);
            self.alone = Vec::with_capacity(joints);
        }
    }
    /// Takes bodies over; lanes without one have the first again.
    #[inline(always)]
    fn load<E: EightLane>(&mut self, bodies: &Group<'_>) -> Option<(BodySettings, bool)> {
        let first = bodies[0].as_deref()?;
        let bodies: [&Body; EIGHT] = core::array::from_fn(|lane| bodies[lane].as_deref().unwrap_or(first));
        self.figure.begin(&first.solve.plan.parents);
        self.step.begin(&first.solve.plan);
        self.alone.clear();
        self.alone.resize(first.solve.plan.joints.len(), 0);
        let figure = &mut self.figure;
        figure.tasks.resize(first.solve.plan.tasks.len(), EightTask::default());
        figure.rows.resize(first.solve.plan.rows, EightRow::default());
        figure.tasks.iter_mut().for_each(|task| task.has_point = false);
        figure.load::<E>(bodies.map(|body| &*body.solve));
        for (lane, body) in bodies.iter().enumerate() {
            let Solve { plan, residual, .. } = &*body.solve;
            for (number, (planned, task)) in plan.tasks.iter().zip(&mut figure.tasks).enumerate() {
                let Some(demand) = &body.demands[planned.demand] else { continue };
                (task.joint, task.row, task.home) = (planned.joint()?, planned.row, planned.home);
                task.is_position = is_position(&demand.task);
                match &demand.task {
                    AnyTask::Position(position) => {
                        let Vec3 { x, y, z } = position.goal;
                        put_quat(&mut task.goal, lane, Quat::from_xyzw(x, y, z, 0.0));
                        put_vec3(&mut task.point, lane, position.point_js);
                        task.has_point |= position.point_js != Vec3::ZERO;
                    }
                    AnyTask::Orientation(orientation) => put_quat(&mut task.goal, lane, orientation.goal),
                    _ => return None,
                }
                let scale = &residual.scale[number];
                (task.factor.0[lane], task.far.0[lane]) = (scale.factor, scale.far);
                let rows = &mut figure.rows[planned.row..planned.row + ROWS];
                for (place, row) in rows.iter_mut().enumerate() {
                    row.offset.0[lane] = residual.offset[planned.row + place];
                    row.shift.0[lane] = residual.shift[planned.home + place];
                }
            }
        }
        Some((first.settings, first.floating))
    }

    #[inline(always)]
    fn approach<E: EightLane>(&mut self, bodies: &mut Group<'_>, dt: f32) -> Approached {
        let Some((settings, floating)) = self.load::<E>(bodies) else { return Approached::default() };
        let on = |mobility: f32| if floating { mobility } else { 0.0 };
        let root_posture = settings.posture * settings.root_posture;
        let rule = EightRule {
            posture: settings.posture,
            root_posture,
            root_way: root_way(&settings),
            root_move: on(settings.root_move_mobility),
            root_turn: on(settings.root_turn_mobility),
            root_hold: ROOT_HOLD,
            max_turn: settings.max_step_rad,
        };
        let (mut left, mut dampings) = (0_u8, [Damping::new(settings.damping, DAMPING); EIGHT]);
        for (lane, body) in bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            left |= 1 << lane;
            dampings[lane].value = body.damping;
        }
        let (first, others) = bodies.split_first_mut().unzip();
        let first = first.and_then(|first| first.as_deref());
        let mut others = others.into_iter().flatten().flatten();
        let shares_limits = first.is_some_and(|first| others.all(|body| body.shares_limits(first)));
        self.project::<E>(bodies, left, shares_limits, true);
        self.figure.begin_way();
        self.figure.forward::<E>();
        let mut posture = self.figure.posture_square::<E>(settings.root_posture, rule.root_way);
        let (mut tasks, mut are_far) = self.figure.evaluate::<E>();
        for _ in 0..settings.track_iterations {
            left &= !are_far.bits();
            if left == 0 {
                return Approached::default();
            }
            let objective = tasks + E::splat(rule.posture) * posture;
            for damping in &mut dampings {
                damping.value = damping.value.max(LEAST_DAMPING).min(settings.damping);
            }
            let values = dampings.map(|damping| damping.value);
            let damping = E::of_numbers(values);
            let standing = self.load_borders::<E>(bodies, left, shares_limits);
            self.step.load(&self.figure, &rule, damping);
            if standing != 0 {
                self.step.gather_values::<E>(&self.figure);
                self.hold(bodies, standing, &rule, values);
            }
            let share = self.step.solve(&self.figure, &rule, damping, left);
            left &= !self.crossing(bodies, left, share);
            self.step.cut(&self.figure, &rule, damping, share);
            self.step.apply::<E>(&mut self.figure, floating);
            self.project::<E>(bodies, left, shares_limits, false);
            self.figure.forward::<E>();
            (tasks, are_far) = self.figure.evaluate::<E>();
            posture = self.figure.posture_square::<E>(settings.root_posture, rule.root_way);
            let next = tasks + E::splat(rule.posture) * posture;
            left &= next.lt(objective).bits() & !are_far.bits();
            let (was, next) = (objective.numbers(), next.numbers());
            let mut learns = [0.0; EIGHT];
            for lane in lanes(left) {
                let (gain, foreseen) = (was[lane] - next[lane], was[lane] - self.step.foreseen.0[lane]);
                dampings[lane].accept(gain / was[lane], if foreseen > 0.0 { gain / foreseen } else { 1.0 });
                learns[lane] = if values[lane] <= rule.posture { 1.0 } else { 0.0 };
            }
            self.learn(E::of_numbers(learns));
            (tasks, are_far) = self.figure.weigh::<E>();
        }
        for row in &mut self.figure.rows {
            row.offset = narrow(wide::<E>(&row.offset) + wide(&row.shift));
        }
        self.figure.weigh::<E>();
        let slow = if settings.caps_acceleration(dt) {
            0
        } else if settings.max_speed > 0.0 {
            self.figure.turns_surely_less::<E>(settings.max_speed * dt).bits() & left
        } else {
            left
        };
        self.store(bodies, left, slow, &dampings);
        Approached { taken: left, slow }
    }

    /// Looks at the limits of all joints, side by side where they are shared; the bodies of which a
    /// joint stands on a border.
    #[inline(always)]
    fn load_borders<E: EightLane>(&mut self, bodies: &mut Group<'_>, left: u8, shares_limits: bool) -> u8 {
        let mut standing = 0;
        for i in 1..self.figure.joints.len() {
            let mut alone = left;
            if let Some(first) = bodies[0].as_deref().filter(|_| shares_limits) {
                let at = &self.figure.joints[i];
                if let Some((mobility, room)) =
                    first.solve.models[i].mobility_of_eight::<E>(quat(&at.turn), quat(&at.frame))
                {
                    let (room, near) = (room - E::splat(NEAR_RAD), E::splat(0.0));
                    self.step.put_mobility(i, &mobility, room);
                    alone &= near.lt(room).not().bits();
                }
            }
            self.alone[i] = alone;
            for lane in lanes(alone) {
                let Some(body) = bodies[lane].as_deref_mut() else { continue };
                self.load_borders_of(body, i, lane);
                let (step, room) = (&body.solve.step, body.solve.step.least_room[i]);
                self.step.put_borders(i, lane, &step.borders[i], room);
                standing |= u8::from(room <= ON_BORDER_RAD) << lane;
            }
        }
        standing
    }
    /// Looks at the limits of a joint of one body.
    fn load_borders_of(&self, body: &mut Body, i: usize, lane: usize) {
        let at = &self.figure.joints[i];
        let Solve { models, step, .. } = &mut *body.solve;
        models[i].borders(quat_at(&at.turn, lane), quat_at(&at.frame, lane), &mut step.borders[i]);
        (step.least_room[i], step.fixed[i]) = (step.borders[i].least_room(), 0);
    }
    /// The borders that hold joints of these bodies, or resist them.
    fn hold(&mut self, bodies: &mut Group<'_>, standing: u8, rule: &EightRule, dampings: [f32; EIGHT]) {
        for lane in lanes(standing) {
            let Some(body) = bodies[lane].as_deref_mut() else { continue };
            let step = &mut body.solve.step;
            for i in 1..step.least_room.len() {
                if self.alone[i] & (1 << lane) == 0 || step.least_room[i] > ON_BORDER_RAD {
                    continue;
                }
                step.back[i] = self.step.back_at(i, lane);
                let pull = step.back[i] * (rule.posture * step.weight[i]);
                let (held, soft) = step.held_by(i, self.step.pull_at(&self.figure, i, lane) + pull);
                if held == 0 && !soft {
                    continue;
                }
                let own = StepRule {
                    damping: dampings[lane],
                    posture: rule.posture,
                    root_posture: rule.root_posture,
                    root_move: Vec3::splat(rule.root_move),
                    root_turn: Vec3::splat(rule.root_turn),
                    max_turn: rule.max_turn,
                    root_hold: rule.root_hold,
                    releases: false,
                    independent: 0.0,
                    directions: DirectionRule::Alike,
                    curves_borders: false,
                };
                step.start_joint(i, held, soft, &own, own.damping + own.posture);
                self.step.put_held(i, lane, &step.joint[i]);
            }
        }
    }
    /// The bodies that a share of the step takes across a border.
    #[inline(always)]
    fn crossing<E: EightLane>(&self, bodies: &mut Group<'_>, left: u8, share: E) -> u8 {
        let mut crossing = 0;
        let shares = share.numbers();
        for i in 1..self.figure.joints.len() {
            for lane in lanes(self.step.may_cross(i, share) & left & !crossing) {
                let Some(body) = bodies[lane].as_deref_mut() else { continue };
                if self.alone[i] & (1 << lane) == 0 {
                    self.load_borders_of(body, i, lane);
                }
                let crosses = body.solve.step.crosses(i, self.step.turn_at(i, lane), shares[lane]);
                crossing |= u8::from(crosses) << lane;
            }
        }
        crossing
    }
    /// Takes joints into their limits: those that have turned, or all that a task depends on.
    #[inline(always)]
    fn project<E: EightLane>(&mut self, bodies: &Group<'_>, left: u8, shares_limits: bool, all: bool) {
        let (zero, Some(first)) = (E::splat(0.0), bodies[0].as_deref()) else { return };
        for (i, at) in self.figure.joints.iter_mut().enumerate().skip(1) {
            if all && !first.solve.plan.needed[i] {
                continue;
            }
            let turns = if all { zero.equals(zero) } else { self.step.turning::<E>(i) };
            let mut alone = left & turns.bits();
            if shares_limits {
                let now = quat::<E>(&at.turn);
                if let Some((projected, others)) = first.solve.models[i].project_eight(now) {
                    // What is projected alone begins at what it is.
                    let here = at.turn;
                    at.turn = LaneQuat::select(turns, projected, now).store();
                    for lane in lanes(others) {
                        put_quat(&mut at.turn, lane, quat_at(&here, lane));
                    }
                    alone &= others;
                }
            }
            for lane in lanes(alone) {
                let Some(body) = bodies[lane].as_deref() else { continue };
                let turn = body.solve.models[i].project(quat_at(&at.turn, lane));
                put_quat(&mut at.turn, lane, turn);
            }
        }
    }
    /// See `Residual::learn`; where `learns` is 0 nothing is.
    #[inline(always)]
    fn learn<E: EightLane>(&mut self, learns: E) {
        let learns = E::splat(0.0).lt(learns);
        for task in &self.figure.tasks {
            let unit = if task.is_position { Unit::Length } else { Unit::Angle };
            let (size, most) = (wide::<E>(&task.missing), E::splat(most_shift(unit)));
            let share = E::select(most.lt(size), most / size, E::splat(1.0));
            let weight = Lane::max(wide::<E>(&task.factor), E::splat(1e-20));
            for row in &mut self.figure.rows[task.row..task.row + ROWS] {
                let (value, shift, offset) = (wide::<E>(&row.value), wide::<E>(&row.shift), wide::<E>(&row.offset));
                let next = shift + (value / weight * share - shift);
                row.offset = narrow(E::select(learns, offset + (shift - next), offset));
                row.shift = narrow(E::select(learns, next, shift));
            }
        }
    }

    /// Hands back the bodies of these bits; of those that are `slow`, not where they began.
    fn store(&self, bodies: &mut Group<'_>, left: u8, slow: u8, dampings: &[Damping; EIGHT]) {
        for lane in lanes(left) {
            let Some(body) = bodies[lane].as_deref_mut() else { continue };
            body.damping = dampings[lane].value;
            let steps = body.most_steps();
            let Solve { state, residual, step, work, .. } = &mut *body.solve;
            work.spend(steps);
            step.passes += body.settings.track_iterations;
            self.figure.store(lane, &mut state.at);
            if slow & (1 << lane) == 0 {
                self.figure.store_start(lane, &mut body.slots[LAST].turns);
            }
            residual.beyond = 0.0;
            for (number, task) in self.figure.tasks.iter().enumerate() {
                residual.missing[number] = task.missing.0[lane];
                for place in 0..ROWS {
                    let row = &self.figure.rows[task.row + place];
                    residual.value[task.row + place] = row.value.0[lane];
                    residual.offset[task.row + place] = row.offset.0[lane];
                    residual.shift[task.home + place] = row.shift.0[lane];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Demand;
    use crate::limits::{Freedom, HingeAxis, JointModel, Range};
    use crate::skeleton::{Pose, Skeleton, SkeletonBuilder};
    use crate::tasks::Position;
    use std::sync::Arc;

    const END: usize = 3;
    const GOAL: Vec3 = Vec3::new(1.2, 1.6, 0.3);

    fn skeleton() -> Arc<Skeleton> {
        let mut builder = SkeletonBuilder::new();
        let mut last = builder.joint_at("base", None, Vec3::Y);
        for place in [Vec3::new(0.5, 0.1, 0.0), Vec3::new(0.6, 0.0, 0.1), Vec3::new(0.5, 0.2, 0.0)] {
            last = builder.joint_at("bone", Some(last), place);
        }
        Arc::new(builder.build().expect("a tree"))
    }
    /// Which of eight bodies are solved side by side in a frame with these goals.
    fn beside(goal: impl Fn(usize) -> Vec3, prepare: impl Fn(usize, &mut Body)) -> u8 {
        let skeleton = skeleton();
        let mut bodies: Vec<_> = (0..EIGHT).map(|_| Body::new(skeleton.clone(), 0).expect("a body")).collect();
        let mut pose = Pose::rest(&skeleton);
        pose.update(&skeleton);
        for (number, body) in bodies.iter_mut().enumerate() {
            body.set_floating(false);
            prepare(number, body);
            let task = body.add_task(Demand::new(Position::new(END, GOAL))).expect("a task");
            body.track(&mut pose.clone(), 0.02).expect("a pose");
            body.set_task(task, Demand::new(Position::new(END, goal(number)))).expect("a task");
            assert!(body.track_up_to_iterations(&mut pose.clone(), 0.02).expect("a pose"));
        }
        let mut group: Group<'_> = Default::default();
        group.iter_mut().zip(&mut bodies).for_each(|(to, body)| *to = Some(body));
        let mut eight = EightBodies::default();
        group.iter().flatten().for_each(|body| eight.reserve(&Room::of(body)));
        approach(&mut eight, &mut group, 0.02).taken
    }

    #[test]
    fn what_is_usual_is_solved_side_by_side_and_else_alone() {
        let near = |number: usize| GOAL + Vec3::new(0.01, -0.02, 0.003 * number as f32);
        assert_eq!(beside(near, |_, _| ()), 0xff);
        let far = |number: usize| if number == 2 { GOAL * 5.0 } else { near(number) };
        assert_eq!(beside(far, |_, _| ()), !(1 << 2));
        let narrow = |number: usize, body: &mut Body| {
            let freedom = Freedom::Hinge { axis: HingeAxis::Z, range: Range::new(-1.0, 1.0) };
            body.set_joint_limits(2, JointModel::limited(freedom)).expect("a joint");
            // A goal that is reached by a turn across a border.
            if number == 5 {
                let freedom = Freedom::Hinge { axis: HingeAxis::Z, range: Range::new(-0.02, 0.02) };
                body.set_joint_limits(1, JointModel::limited(freedom)).expect("a joint");
            }
        };
        let across = |number: usize| if number == 5 { Vec3::new(0.2, 2.4, 0.0) } else { near(number) };
        assert_eq!(beside(across, narrow), !(1 << 5));
    }
}
