//! Eight bodies of one plan side by side: where their joints are, and the rows of their tasks.
//!
//! Each lane has the operations of [`State`](super::state::State) and
//! [`Residual`](super::residual::Residual) for its body, in their order: so its bits are those of
//! the body alone. Only what most bodies of a crowd have is here: positions and orientations of
//! joints on all axes.

use super::descent::Solve;
use super::motion::turns_surely_less;
use super::state::Coordinates;
use crate::math::eight_lane::EightLane;
use crate::math::{F32x8, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Vec3, float};

pub(super) type Eight = F32x8;
pub(super) type EightVec3 = LaneVec3<F32x8>;
pub(super) type EightQuat = LaneQuat<F32x8>;

/// Numbers in registers, and back.
#[inline(always)]
pub(super) fn wide<E: EightLane>(kept: &Eight) -> E {
    E::of_numbers(kept.0)
}
#[inline(always)]
pub(super) fn narrow<E: EightLane>(number: E) -> Eight {
    F32x8(number.numbers())
}
#[inline(always)]
pub(super) fn vec3<E: EightLane>(kept: &EightVec3) -> LaneVec3<E> {
    LaneVec3::load(*kept)
}
#[inline(always)]
pub(super) fn quat<E: EightLane>(kept: &EightQuat) -> LaneQuat<E> {
    LaneQuat::load(*kept)
}
/// Two rotations of each body.
#[inline(always)]
fn quats<E: EightLane>(of_bodies: [[Quat; 2]; 8]) -> [EightQuat; 2] {
    let row = |[a, b]: [Quat; 2]| E::of_numbers([a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w]);
    let [ax, ay, az, aw, bx, by, bz, bw] = E::transpose(of_bodies.map(row));
    [LaneQuat::new(ax, ay, az, aw).store(), LaneQuat::new(bx, by, bz, bw).store()]
}
/// Where a vector is zero.
#[inline(always)]
pub(super) fn is_zero<E: EightLane>(v: LaneVec3<E>) -> E::Mask {
    let zero = E::splat(0.0);
    v.x.equals(zero).and(v.y.equals(zero)).and(v.z.equals(zero))
}
/// One body's.
#[inline(always)]
pub(super) fn vec3_at(kept: &EightVec3, lane: usize) -> Vec3 {
    Vec3::new(kept.x.0[lane], kept.y.0[lane], kept.z.0[lane])
}
#[inline(always)]
pub(super) fn quat_at(kept: &EightQuat, lane: usize) -> Quat {
    Quat::from_xyzw(kept.x.0[lane], kept.y.0[lane], kept.z.0[lane], kept.w.0[lane])
}
#[inline(always)]
pub(super) fn put_vec3(kept: &mut EightVec3, lane: usize, v: Vec3) {
    (kept.x.0[lane], kept.y.0[lane], kept.z.0[lane]) = (v.x, v.y, v.z);
}
#[inline(always)]
pub(super) fn put_quat(kept: &mut EightQuat, lane: usize, q: Quat) {
    (kept.x.0[lane], kept.y.0[lane], kept.z.0[lane], kept.w.0[lane]) = (q.x, q.y, q.z, q.w);
}

/// A joint of eight bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct EightJoint {
    pub parent: usize,
    /// From the parent joint, at the length that the bone has.
    offset: EightVec3,
    rest: EightQuat,
    /// The joint's own space in its limit space.
    own: EightQuat,
    /// Turn in the incoming pose, where the iterations begin, and now.
    reference: EightQuat,
    start: EightQuat,
    pub turn: EightQuat,
    pub position: EightVec3,
    pub rotation: EightQuat,
    pub frame: EightQuat,
    /// Place beside the root's.
    pub arm: EightVec3,
    /// Turn back to the incoming pose, limit space.
    pub back_ls: EightVec3,
    /// Weight of the posture.
    pub weight: Eight,
}

/// A task of eight bodies: the position or the orientation of a joint.
#[derive(Clone, Debug, Default)]
pub(super) struct EightTask {
    pub joint: usize,
    /// First of its three rows, and the same when all tasks are present.
    pub row: usize,
    pub home: usize,
    pub is_position: bool,
    /// A place (without `w`), or a rotation.
    pub goal: EightQuat,
    /// The point of a position, in the joint's space.
    pub point: EightVec3,
    pub has_point: bool,
    /// Weight, and the distance from which on the distance itself counts.
    pub factor: Eight,
    pub far: Eight,
    pub missing: Eight,
}

/// A row of eight bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct EightRow {
    pub torque: EightVec3,
    pub force: EightVec3,
    /// The task's own value, and the weighted one beside the offset.
    own: Eight,
    pub value: Eight,
    pub offset: Eight,
    pub shift: Eight,
}

/// Rows of a task, and what is left of it.
pub(super) const ROWS: usize = 3;

/// Eight bodies, their tasks and rows.
#[derive(Clone, Debug, Default)]
pub(super) struct EightFigure {
    pub joints: Vec<EightJoint>,
    pub tasks: Vec<EightTask>,
    pub rows: Vec<EightRow>,
    pub root: EightVec3,
    reference_root: EightVec3,
    /// Root's way back to the incoming pose, times what a metre² of it counts as.
    pub root_back: EightVec3,
}

impl EightFigure {
    /// Room for so many.
    pub fn with_room(joints: usize, tasks: usize, rows: usize) -> Self {
        let joints = Vec::with_capacity(joints);
        Self { joints, tasks: Vec::with_capacity(tasks), rows: Vec::with_capacity(rows), ..Self::default() }
    }
    /// Joints in these places.
    pub fn begin(&mut self, parents: &[usize]) {
        self.joints.clear();
        self.joints.extend(parents.iter().map(|parent| EightJoint { parent: *parent, ..EightJoint::default() }));
    }
    /// Takes over the bodies' joints.
    #[inline(always)]
    pub fn load<E: EightLane>(&mut self, solves: [&Solve; 8]) {
        for (lane, solve) in solves.iter().enumerate() {
            put_vec3(&mut self.root, lane, solve.state.at.root);
            put_vec3(&mut self.reference_root, lane, solve.reference.root);
        }
        for (i, joint) in self.joints.iter_mut().enumerate() {
            let links = solves.map(|solve| (&solve.state.links[i], solve.state.at.stretch[i], solve.step.weight[i]));
            let turns = solves.map(|solve| (solve.state.at.turns[i], solve.reference.turns[i]));
            [joint.rest, joint.own] = quats::<E>(links.map(|(link, ..)| [link.rest, link.joint_from_limit]));
            [joint.turn, joint.reference] = quats::<E>(turns.map(|(now, incoming)| [now, incoming]));
            let offsets = links.map(|(link, stretch, weight)| {
                let Vec3 { x, y, z } = link.offset * stretch;
                [Quat::from_xyzw(x, y, z, weight), Quat::IDENTITY]
            });
            let [LaneQuat { x, y, z, w }, _] = quats::<E>(offsets);
            (joint.offset, joint.weight) = (LaneVec3::new(x, y, z), w);
        }
    }
    /// Hands a body's coordinates back.
    pub fn store(&self, lane: usize, at: &mut Coordinates) {
        at.root = vec3_at(&self.root, lane);
        for (to, joint) in at.turns.iter_mut().zip(&self.joints) {
            *to = quat_at(&joint.turn, lane);
        }
    }
    /// The turns where the iterations began, of a body.
    pub fn store_start(&self, lane: usize, turns: &mut [Quat]) {
        for (to, joint) in turns.iter_mut().zip(&self.joints) {
            *to = quat_at(&joint.start, lane);
        }
    }
    /// Remembers where the iterations begin.
    pub fn begin_way(&mut self) {
        self.joints.iter_mut().for_each(|joint| joint.start = joint.turn);
    }
    /// Where no joint has turned as far as `most` from there, see `motion::speed_share`.
    #[inline(always)]
    pub fn turns_surely_less<E: EightLane>(&self, most: f32) -> E::Mask {
        let zero = E::splat(0.0);
        let mut are_less = zero.equals(zero);
        for joint in &self.joints {
            let way = quat::<E>(&joint.turn) * quat(&joint.start).conjugate();
            are_less = are_less.and(turns_surely_less(way, most));
        }
        are_less
    }

    /// Forward kinematics.
    #[inline(always)]
    pub fn forward<E: EightLane>(&mut self) {
        let root = vec3::<E>(&self.root);
        for i in 0..self.joints.len() {
            let (done, rest) = self.joints.split_at_mut(i);
            let joint = &mut rest[0];
            let turn = quat::<E>(&joint.turn);
            let Some(above) = done.get(joint.parent) else {
                joint.position = self.root;
                joint.rotation = joint.turn;
                joint.frame = LaneQuat::<E>::identity().store();
                joint.arm = EightVec3::default();
                continue;
            };
            let outer = quat::<E>(&above.rotation);
            let position = vec3::<E>(&above.position) + outer.turn(vec3(&joint.offset));
            let frame = outer * quat(&joint.rest);
            let turned = frame * turn;
            let correction = E::splat(1.5) - E::splat(0.5) * square4(turned);
            joint.position = position.store();
            joint.arm = (position - root).store();
            joint.frame = frame.store();
            joint.rotation = (turned * correction).store();
        }
    }

    /// Sum of squares of the way back to the incoming pose.
    #[inline(always)]
    pub fn posture_square<E: EightLane>(&mut self, root_posture: f32, root_way: f32) -> E {
        let mut sum = E::splat(0.0);
        let (first, others) = self.joints.split_at_mut(1);
        for joint in others {
            let (now, before) = (quat::<E>(&joint.turn), quat::<E>(&joint.reference));
            let way = short_rotation_vector(before * now.conjugate());
            let same = now.x.equals(before.x).and(now.y.equals(before.y));
            let same = same.and(now.z.equals(before.z)).and(now.w.equals(before.w));
            let back = LaneVec3::select(same, LaneVec3::zero(), way);
            joint.back_ls = back.store();
            sum = sum + back.dot(back) * wide(&joint.weight);
        }
        let (root, way) = (&mut first[0], E::splat(root_way));
        let turn = short_rotation_vector(quat::<E>(&root.reference) * quat::<E>(&root.turn).conjugate());
        let back = vec3::<E>(&self.reference_root) - vec3(&self.root);
        root.back_ls = turn.store();
        self.root_back = (back * way).store();
        if root_posture > 0.0 {
            sum = sum + E::splat(root_posture) * (turn.dot(turn) + back.dot(back) * way);
        }
        sum
    }

    /// Fills all rows; the sum of squares, and where a task is so far off that its distance itself
    /// would count.
    #[inline(always)]
    pub fn evaluate<E: EightLane>(&mut self) -> (E, E::Mask) {
        let (mut last, mut rotation) = (usize::MAX, LaneQuat::<E>::identity());
        let origin = vec3::<E>(&self.root);
        for task in &mut self.tasks {
            let joint = &self.joints[task.joint];
            if last != task.joint {
                last = task.joint;
                rotation = quat::<E>(&joint.rotation) * quat(&joint.own);
            }
            let position = vec3::<E>(&joint.position);
            let factor = wide::<E>(&task.factor);
            let mut values = [E::splat(0.0); ROWS];
            let (point, force, mut torques);
            if task.is_position {
                let mut x = position;
                if task.has_point {
                    let own = vec3::<E>(&task.point);
                    x = LaneVec3::select(is_zero(own), position, position + rotation.turn(own));
                }
                let left = quat::<E>(&task.goal).vector() - x;
                for (value, axis) in values.iter_mut().zip(AXES) {
                    *value = left.dot(LaneVec3::splat(axis));
                }
                (point, force, torques) = (x, E::splat(1.0), [LaneVec3::zero(); ROWS]);
            } else {
                let (r, c) = log_with_factor(quat::<E>(&task.goal) * rotation.conjugate());
                (point, force, torques) = (position, E::splat(0.0), [LaneVec3::zero(); ROWS]);
                for ((value, torque), axis) in values.iter_mut().zip(&mut torques).zip(AXES) {
                    let axis = LaneVec3::splat(axis);
                    *value = r.dot(axis);
                    let across = r.cross(axis);
                    *torque = axis - across * E::splat(0.5) + r.cross(across) * c;
                }
            }
            let arm = point - origin;
            let own = &mut self.rows[task.row..task.row + ROWS];
            for (((row, value), torque), axis) in own.iter_mut().zip(values).zip(torques).zip(AXES) {
                row.own = narrow(value);
                let force = LaneVec3::splat(axis) * force * factor;
                row.force = force.store();
                row.torque = (torque * factor + arm.cross(force)).store();
            }
        }
        self.weigh()
    }
    /// [`Self::evaluate`] where only offsets have changed.
    #[inline(always)]
    pub fn weigh<E: EightLane>(&mut self) -> (E, E::Mask) {
        let mut sum = E::splat(0.0);
        let mut are_far = sum.lt(sum);
        for task in &mut self.tasks {
            let own = &mut self.rows[task.row..task.row + ROWS];
            let (mut values, mut square) = ([E::splat(0.0); ROWS], E::splat(0.0));
            for (value, row) in values.iter_mut().zip(own.iter()) {
                *value = wide::<E>(&row.own) - wide(&row.offset);
                square = square + *value * *value;
            }
            let missing = square.sqrt();
            task.missing = narrow(missing);
            are_far = are_far.or(wide::<E>(&task.far).lt(missing));
            for (row, value) in own.iter_mut().zip(values) {
                let value = value * wide(&task.factor);
                row.value = narrow(value);
                sum = sum + value * value;
            }
        }
        (sum, are_far)
    }
}

const AXES: [Vec3; ROWS] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Squared length, the squares added in order.
#[inline(always)]
fn square4<E: EightLane>(q: LaneQuat<E>) -> E {
    q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w
}

/// [`turned`](super::state::turned) of eight.
#[inline(always)]
pub(super) fn turned<E: EightLane>(now: LaneQuat<E>, v: LaneVec3<E>) -> LaneQuat<E> {
    let by = LaneQuat::from_parts(v * E::splat(0.5), E::splat(1.0)).normalize_in_order();
    (by * now).normalize_in_order()
}

/// [`crate::math::short_rotation_vector`] of eight.
#[inline(always)]
fn short_rotation_vector<E: EightLane>(q: LaneQuat<E>) -> LaneVec3<E> {
    let one = E::splat(1.0);
    let sign = E::select(q.w.lt(E::splat(0.0)), -one, one);
    let t = one - Lane::min(q.w * sign, one);
    q.vector() * (crate::math::rotation_factor(t) * sign)
}

/// [`crate::tasks::log_with_factor`] of eight.
#[inline(always)]
fn log_with_factor<E: EightLane>(q: LaneQuat<E>) -> (LaneVec3<E>, E) {
    let q = LaneQuat::select(q.w.lt(E::splat(0.0)), LaneQuat::new(-q.x, -q.y, -q.z, -q.w), q);
    let v = q.vector();
    let s2 = v.dot(v);
    let two = E::splat(2.0);
    let is_small = s2.lt(E::splat(1e-4));
    let (near, near_c) = (two + s2 * E::splat(1.0 / 3.0), E::splat(1.0 / 12.0));
    if !is_small.not().any() {
        return (v * near, near_c);
    }
    let s = s2.sqrt();
    let half = float::atan2(s, q.w);
    let c = (E::splat(1.0) - half * q.w / s) / (E::splat(4.0) * half * half);
    (v * E::select(is_small, near, two * half / s), E::select(is_small, near_c, c))
}
