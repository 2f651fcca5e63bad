//! A step of eight bodies of one plan side by side: [`Step`](super::step::Step) without what few
//! bodies have, with the same operations in the same order in each lane.

use super::eight_figure::{
    Eight, EightFigure, EightVec3, ROWS, is_zero, narrow, put_vec3, quat, turned, vec3, vec3_at, wide,
};
use super::plan::{Group, Plan, Run};
use crate::limits::{EightMobility, JointBorders};
use crate::math::eight_lane::EightLane;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, Mat3, Vec3};
use crate::optim::{EightSystems, JointStep, NO_TORQUE, Wrench};

/// A symmetric matrix by columns.
type EightMat3 = [EightVec3; 3];
type WideMat3<E> = [LaneVec3<E>; 3];

#[inline(always)]
fn mat3<E: EightLane>([x, y, z]: &EightMat3) -> WideMat3<E> {
    [vec3(x), vec3(y), vec3(z)]
}
#[inline(always)]
fn store<E: EightLane>([x, y, z]: WideMat3<E>) -> EightMat3 {
    [x.store(), y.store(), z.store()]
}
#[inline(always)]
fn times<E: EightLane>([x, y, z]: &WideMat3<E>, v: LaneVec3<E>) -> LaneVec3<E> {
    *x * v.x + *y * v.y + *z * v.z
}

#[inline(always)]
fn added<E: EightLane>(a: WideMat3<E>, b: WideMat3<E>) -> WideMat3<E> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
#[inline(always)]
fn diagonal<E: EightLane>(d: E) -> WideMat3<E> {
    let zero = E::splat(0.0);
    [LaneVec3::new(d, zero, zero), LaneVec3::new(zero, d, zero), LaneVec3::new(zero, zero, d)]
}
#[inline(always)]
fn pair<E: EightLane>([a, b]: &[EightVec3; 2]) -> [LaneVec3<E>; 2] {
    [vec3(a), vec3(b)]
}
#[inline(always)]
fn sums<E: EightLane>([a, b, c]: &[EightMat3; 3]) -> [WideMat3<E>; 3] {
    [mat3(a), mat3(b), mat3(c)]
}

/// A joint's part of a step, of eight bodies.
#[derive(Clone, Debug, Default)]
struct StepJoint {
    back: EightVec3,
    mobility: EightMat3,
    /// Where the mobility is a number times the unit matrix, that number; else 0.
    even: Eight,
    bias: EightVec3,
    /// Least angle to a border.
    room: Eight,
    /// Mobility of the path down to the joint: see [`crate::optim::MobilitySum`].
    sum: [EightMat3; 3],
    /// Angular and linear motion without torques.
    motion: [EightVec3; 2],
    /// Torque and force of the rows below.
    wrench: [EightVec3; 2],
    turn: EightVec3,
}

/// What is the same for all eight.
#[derive(Clone, Copy, Debug)]
pub(super) struct EightRule {
    pub posture: f32,
    pub root_posture: f32,
    pub root_way: f32,
    pub root_move: f32,
    pub root_turn: f32,
    pub root_hold: f32,
    pub max_turn: f32,
}

/// A step of eight bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct EightStep {
    joints: Vec<StepJoint>,
    groups: Vec<Group>,
    runs: Vec<Run>,
    systems: EightSystems,
    /// Multipliers of the rows.
    right: Vec<Eight>,
    root_mobility: Eight,
    root_bias: EightVec3,
    shift: EightVec3,
    pub foreseen: Eight,
}

impl EightStep {
    /// Room for so many.
    pub fn with_room(joints: usize, groups: usize, runs: usize, rows: usize) -> Self {
        Self {
            joints: Vec::with_capacity(joints),
            groups: Vec::with_capacity(groups),
            runs: Vec::with_capacity(runs),
            systems: EightSystems::new(rows),
            right: Vec::with_capacity(rows),
            ..Self::default()
        }
    }
    /// Takes over a plan.
    pub fn begin(&mut self, plan: &Plan) {
        self.joints.resize(plan.joints.len(), StepJoint::default());
        self.groups.clear();
        self.groups.extend_from_slice(&plan.groups);
        self.runs.clear();
        self.runs.extend_from_slice(&plan.runs);
        self.systems.begin(plan.rows);
        self.right.resize(plan.rows, Eight::default());
    }
    /// Takes over a body's mobility and borders of a joint.
    #[inline(always)]
    pub fn put_borders(&mut self, i: usize, lane: usize, borders: &JointBorders, room: f32) {
        let joint = &mut self.joints[i];
        put_mat3(&mut joint.mobility, lane, &borders.mobility);
        joint.even.0[lane] = borders.even.unwrap_or(0.0);
        joint.room.0[lane] = room;
    }
    /// Takes over the mobility of eight joints, and the rooms up to which they have no border.
    #[inline(always)]
    pub fn put_mobility<E: EightLane>(&mut self, i: usize, mobility: &EightMobility<E>, room: E) {
        let joint = &mut self.joints[i];
        joint.room = narrow(room);
        match mobility {
            EightMobility::Even(number) => {
                let number = E::splat(*number);
                (joint.mobility, joint.even) = (store(diagonal(number)), narrow(number));
            }
            EightMobility::Matrix(columns) => (joint.mobility, joint.even) = (store(*columns), Eight::default()),
        }
    }
    /// Takes over what a body's joint that a border holds or resists may do.
    pub fn put_held(&mut self, i: usize, lane: usize, step: &JointStep) {
        let joint = &mut self.joints[i];
        put_mat3(&mut joint.mobility, lane, &step.mobility);
        put_vec3(&mut joint.bias, lane, step.bias);
        joint.even.0[lane] = 0.0;
    }
    /// The way back of a body's joint, model space.
    pub fn back_at(&self, i: usize, lane: usize) -> Vec3 {
        vec3_at(&self.joints[i].back, lane)
    }
    /// Where a joint turns.
    #[inline(always)]
    pub fn turning<E: EightLane>(&self, i: usize) -> E::Mask {
        is_zero(vec3::<E>(&self.joints[i].turn)).not()
    }
    /// The turn of a body's joint.
    #[inline(always)]
    pub fn turn_at(&self, i: usize, lane: usize) -> Vec3 {
        vec3_at(&self.joints[i].turn, lane)
    }

    /// The turns back to the incoming pose in model space, and what joints do without torques where
    /// no border holds them.
    #[inline(always)]
    pub fn load<E: EightLane>(&mut self, figure: &EightFigure, rule: &EightRule, damping: E) {
        let scale = damping + E::splat(rule.posture);
        let pull = E::splat(rule.posture) / scale;
        let joints = self.joints.iter_mut().zip(&figure.joints);
        for (joint, at) in joints.skip(1) {
            let back = quat::<E>(&at.frame).turn(vec3(&at.back_ls));
            joint.back = back.store();
            let bias = times(&mat3(&joint.mobility), back) * (pull * wide(&at.weight));
            joint.bias = bias.store();
        }
        let first = &mut self.joints[0];
        first.back = figure.joints[0].back_ls;
        // The root has a posture of its own: see `Step::start_root`.
        let root_posture = E::splat(rule.root_posture);
        let share = scale / Lane::max(damping + root_posture, E::splat(rule.root_hold) * scale);
        let pull = root_posture / Lane::max(damping + root_posture, E::splat(1e-20));
        let (turn, moved) = (E::splat(rule.root_turn), E::splat(rule.root_move));
        let even = turn * share;
        first.mobility = store(diagonal(even));
        first.even = narrow(even);
        let biased = |v: LaneVec3<E>, by: E| LaneVec3::new(by * v.x, by * v.y, by * v.z) * pull;
        first.bias = biased(vec3(&first.back), turn).store();
        self.root_mobility = narrow(moved * share);
        self.root_bias = biased(vec3(&figure.root_back), moved).store();
    }

    /// Wrenches of rows times numbers, added up towards the root.
    #[inline(always)]
    fn gather<E: EightLane>(&mut self, figure: &EightFigure, number: impl Fn(&Self, usize) -> E) {
        for joint in &mut self.joints {
            joint.wrench = Default::default();
        }
        for task in &figure.tasks {
            let [mut torque, mut force] = pair(&self.joints[task.joint].wrench);
            for row in task.row..task.row + ROWS {
                let by = number(self, row);
                torque = torque + vec3::<E>(&figure.rows[row].torque) * by;
                force = force + vec3::<E>(&figure.rows[row].force) * by;
            }
            self.joints[task.joint].wrench = [torque.store(), force.store()];
        }
        for i in (1..self.joints.len()).rev() {
            let (above, rest) = self.joints.split_at_mut(i);
            let to = &mut above[figure.joints[i].parent].wrench;
            for (to, own) in to.iter_mut().zip(&rest[0].wrench) {
                *to = (vec3::<E>(to) + vec3(own)).store();
            }
        }
    }
    /// Gathers what is left of the rows: before [`Self::pull_at`].
    #[inline(always)]
    pub fn gather_values<E: EightLane>(&mut self, figure: &EightFigure) {
        self.gather::<E>(figure, |_, row| wide(&figure.rows[row].value));
    }
    /// The torque of what was gathered on a body's joint.
    pub fn pull_at(&self, figure: &EightFigure, i: usize, lane: usize) -> Vec3 {
        let [torque, force] = self.joints[i].wrench.each_ref().map(|v| vec3_at(v, lane));
        Wrench { torque, force }.clear_torque_about(vec3_at(&figure.joints[i].arm, lane))
    }

    /// Solves for the step of the bodies of these bits; the share of it that is to be taken.
    #[inline(always)]
    pub fn solve<E: EightLane>(&mut self, figure: &EightFigure, rule: &EightRule, damping: E, bodies: u8) -> E {
        self.build::<E>(figure, bodies);
        self.systems.factor(damping + E::splat(rule.posture), 1e-10);
        self.right.copy_from_slice(self.systems.solve::<E>());
        let largest = self.spread_out::<E>(figure);
        let most = E::splat(rule.max_turn);
        E::select(most.lt(largest), most / largest, E::splat(1.0))
    }
    /// The bodies whose joint a share of the step may take across a border.
    #[inline(always)]
    pub fn may_cross<E: EightLane>(&self, i: usize, share: E) -> u8 {
        let joint = &self.joints[i];
        let (room, turn) = (wide::<E>(&joint.room), vec3::<E>(&joint.turn));
        let beyond = (room * room).lt(turn.dot(turn) * share * share);
        E::splat(0.0).lt(room).not().or(beyond).bits()
    }

    /// The dual matrices and their right sides.
    #[inline(always)]
    fn build<E: EightLane>(&mut self, figure: &EightFigure, bodies: u8) {
        let zero = E::splat(0.0);
        for i in 0..self.joints.len() {
            let (above, rest) = self.joints.split_at_mut(i);
            let joint = &mut rest[0];
            let p = vec3::<E>(&figure.joints[i].arm);
            let bias = vec3::<E>(&joint.bias);
            let (sum, motion) = match above.get(figure.joints[i].parent) {
                None => {
                    let none = [LaneVec3::zero(); 3];
                    ([none, none, diagonal(wide(&self.root_mobility))], [bias, vec3(&self.root_bias)])
                }
                Some(parent) => {
                    let [angular, linear] = pair(&parent.motion);
                    (sums(&parent.sum), [angular + bias, linear + p.cross(bias)])
                }
            };
            joint.motion = [motion[0].store(), motion[1].store()];
            let even = wide::<E>(&joint.even);
            let is_even = zero.lt(even);
            let bits = is_even.bits() & bodies;
            let sum = if bits == bodies {
                with_even_joint(sum, p, even)
            } else {
                let general = with_joint(sum, p, mat3(&joint.mobility));
                if bits == 0 { general } else { select(is_even, with_even_joint(sum, p, even), general) }
            };
            joint.sum = [store(sum[0]), store(sum[1]), store(sum[2])];
        }
        for group in &self.groups {
            let motion = pair(&self.joints[group.joint].motion);
            for row in group.start..group.end {
                let own = &figure.rows[row];
                let (torque, force) = (vec3::<E>(&own.torque), vec3::<E>(&own.force));
                let target = self.systems.row_mut(row);
                for run in &self.runs[group.runs.0..group.runs.1] {
                    let first = run.start.max(row);
                    if first >= run.end {
                        continue;
                    }
                    let motion = motion_under(sums(&self.joints[run.common].sum), torque, force);
                    let others = &figure.rows[first..run.end];
                    for (to, other) in target[first..run.end].iter_mut().zip(others) {
                        *to = narrow(work(vec3(&other.torque), vec3(&other.force), motion));
                    }
                }
                let left = wide::<E>(&own.value) - work(torque, force, motion);
                target[figure.rows.len()] = narrow(left);
            }
        }
    }
    /// See `Step::spread_out`.
    #[inline(always)]
    fn spread_out<E: EightLane>(&mut self, figure: &EightFigure) -> E {
        self.gather::<E>(figure, |step, row| wide(&step.right[row]));
        let zero = E::splat(0.0);
        let mut largest = zero;
        for (joint, at) in self.joints.iter_mut().zip(&figure.joints) {
            let [torque, force] = pair(&joint.wrench);
            let own = torque - vec3::<E>(&at.arm).cross(force);
            let is_none = own.dot(own).lt(E::splat(NO_TORQUE) * torque.dot(torque));
            let own = LaneVec3::select(is_none, LaneVec3::zero(), own);
            let even = wide::<E>(&joint.even);
            let moved = times(&mat3(&joint.mobility), own);
            let turn = vec3::<E>(&joint.bias) + LaneVec3::select(zero.lt(even), own * even, moved);
            joint.turn = turn.store();
            largest = Lane::max(largest, turn.dot(turn));
        }
        let moved = times(&diagonal(wide(&self.root_mobility)), vec3(&self.joints[0].wrench[1]));
        self.shift = (vec3::<E>(&self.root_bias) + moved).store();
        largest.sqrt()
    }
    /// What the linear model foresees, see `Step::foresee`; cuts the step to its share.
    #[inline(always)]
    pub fn cut<E: EightLane>(&mut self, figure: &EightFigure, rule: &EightRule, damping: E, share: E) {
        let scale = damping + E::splat(rule.posture);
        let (mut after, mut before) = (E::splat(0.0), E::splat(0.0));
        for (left, row) in self.right.iter().zip(&figure.rows) {
            let (left, value) = (wide::<E>(left), wide::<E>(&row.value));
            (after, before) = (after + left * left, before + value * value);
        }
        after = after * scale * scale;
        let posture = E::splat(rule.posture);
        for (joint, at) in self.joints.iter().zip(&figure.joints).skip(1) {
            let (back, turn, weight) = (vec3::<E>(&joint.back), vec3::<E>(&joint.turn), wide::<E>(&at.weight));
            let rest = back - turn;
            after = after + posture * rest.dot(rest) * weight;
            before = before + posture * back.dot(back) * weight;
        }
        let shift = vec3::<E>(&self.shift);
        if rule.root_posture > 0.0 {
            let (back, turn) = (vec3::<E>(&self.joints[0].back), vec3::<E>(&self.joints[0].turn));
            let (rest, way) = (back - turn, E::splat(rule.root_way));
            let root_back = vec3::<E>(&figure.root_back) * E::splat(1.0 / rule.root_way);
            let root = |turn: LaneVec3<E>, back: LaneVec3<E>| {
                E::splat(rule.root_posture) * (turn.dot(turn) + way * back.dot(back))
            };
            after = after + root(rest, root_back - shift);
            before = before + root(back, root_back);
        }
        self.foreseen = narrow(before - (before - after) * share * (E::splat(2.0) - share));
        // A share of 1 changes no bit.
        for joint in &mut self.joints {
            joint.turn = (vec3::<E>(&joint.turn) * share).store();
        }
        self.shift = (shift * share).store();
    }
    /// Takes the step; joints may be beyond their limits then.
    #[inline(always)]
    pub fn apply<E: EightLane>(&self, figure: &mut EightFigure, floating: bool) {
        if floating {
            figure.root = (vec3::<E>(&figure.root) + vec3(&self.shift)).store();
        }
        for (i, (joint, at)) in self.joints.iter().zip(&mut figure.joints).enumerate() {
            let (turn, now) = (vec3::<E>(&joint.turn), quat::<E>(&at.turn));
            if i == 0 {
                if floating {
                    at.turn = turned(now, turn).store();
                }
                continue;
            }
            let next = turned(now, quat::<E>(&at.frame).conjugate().turn(turn));
            at.turn = LaneQuat::select(is_zero(turn), now, next).store();
        }
    }
}

#[inline(always)]
fn put_mat3(kept: &mut EightMat3, lane: usize, matrix: &Mat3) {
    for (kept, column) in kept.iter_mut().zip([matrix.x_axis, matrix.y_axis, matrix.z_axis]) {
        put_vec3(kept, lane, column);
    }
}

/// [`crate::optim::MobilitySum::add_joint`] of eight.
#[inline(always)]
fn with_joint<E: EightLane>(sum: [WideMat3<E>; 3], p: LaneVec3<E>, w: WideMat3<E>) -> [WideMat3<E>; 3] {
    let m = [p.cross(w[0]), p.cross(w[1]), p.cross(w[2])];
    let [x, y, z] = m;
    let t = [LaneVec3::new(x.x, y.x, z.x), LaneVec3::new(x.y, y.y, z.y), LaneVec3::new(x.z, y.z, z.z)];
    let c = [p.cross(t[0]), p.cross(t[1]), p.cross(t[2])];
    let [turning, mixed, moving] = sum;
    [added(turning, w), added(mixed, m), added(moving, c)]
}

/// [`crate::optim::MobilitySum::add_even_joint`] of eight. What is not added is 0 there, too.
#[inline(always)]
fn with_even_joint<E: EightLane>(mut sum: [WideMat3<E>; 3], p: LaneVec3<E>, w: E) -> [WideMat3<E>; 3] {
    let (q, d) = (p * w, w * p.dot(p));
    let [turning, mixed, moving] = &mut sum;
    turning[0].x = turning[0].x + w;
    turning[1].y = turning[1].y + w;
    turning[2].z = turning[2].z + w;
    (mixed[0].y, mixed[0].z) = (mixed[0].y + q.z, mixed[0].z - q.y);
    (mixed[1].x, mixed[1].z) = (mixed[1].x - q.z, mixed[1].z + q.x);
    (mixed[2].x, mixed[2].y) = (mixed[2].x + q.y, mixed[2].y - q.x);
    let zero = E::splat(0.0);
    moving[0] = moving[0] + (LaneVec3::new(d, zero, zero) - q * p.x);
    moving[1] = moving[1] + (LaneVec3::new(zero, d, zero) - q * p.y);
    moving[2] = moving[2] + (LaneVec3::new(zero, zero, d) - q * p.z);
    sum
}

#[inline(always)]
fn select<E: EightLane>(mask: E::Mask, a: [WideMat3<E>; 3], b: [WideMat3<E>; 3]) -> [WideMat3<E>; 3] {
    let mut chosen = b;
    for (to, from) in chosen.iter_mut().zip(a) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = LaneVec3::select(mask, from, *to);
        }
    }
    chosen
}

/// The motion under a wrench, with the operations of [`crate::optim::WrenchRows::motions`].
#[inline(always)]
fn motion_under<E: EightLane>(
    [t, m, c]: [WideMat3<E>; 3],
    torque: LaneVec3<E>,
    force: LaneVec3<E>,
) -> [LaneVec3<E>; 2] {
    let turned = LaneVec3::new(m[0].dot(force), m[1].dot(force), m[2].dot(force));
    [times(&t, torque) + turned, times(&m, torque) + times(&c, force)]
}

/// The work of a wrench on a motion.
#[inline(always)]
fn work<E: EightLane>(torque: LaneVec3<E>, force: LaneVec3<E>, [angular, linear]: [LaneVec3<E>; 2]) -> E {
    torque.dot(angular) + force.dot(linear)
}
