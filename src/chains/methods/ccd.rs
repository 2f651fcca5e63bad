//! Cyclic coordinate descent: one joint after the other turns so that the effector comes as near to
//! the target as it can.
//!
//! # Derivation
//!
//! From the last joint to the first, joint `i` at `p` sees the effector at `e` and the target at
//! `t`; the turn that brings `e` nearest to `t` is the shortest one from `e − p` to `t − p` for a
//! ball joint, and the angle between their parts across the axis for a hinge. Limits cut the turn
//! by projection. A turn of joint `i` moves nothing above it, so a sweep needs only the effector's
//! point: O(n). It is undone where limits turned it into a step away from the target.
//!
//! Source: L. Wang, C. Chen, "A Combined Optimization Method for Solving the Inverse Kinematics
//! Problem of Mechanical Manipulators", IEEE Trans. Robotics and Automation 7 (1991), §III.

use crate::chains::model::blocks::{self, Block, Pass, Runs, lane, set_lane, total};
use crate::chains::model::scans;
use crate::chains::model::{Chain, ChainSettings};
use crate::chains::start::{self, angle_about};
use crate::chains::unlimited::sweeps::{Progress, Span, Sweeps};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::Freedom;
use crate::math::eight_lane::Registers;
use crate::math::{LaneQuat, LaneVec3, Quat, Vec3, arc, axis_angle, fraction, normalize_or, rotation_angle};

/// One sweep towards where the carried point has to be. Forward kinematics must be up to date; they
/// are not, afterwards.
pub(in crate::chains) fn sweep(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3) {
    sweep_within(chain, ws, target, core::f32::consts::PI);
}

/// The same, no joint by more than `most` radians.
fn sweep_within(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3, most: f32) {
    let mut tip = ws.state.carried(chain, 0);
    let count = chain.joints.len() - usize::from(ws.state.held().is_some());
    for i in (0..count).rev() {
        let (from, to) = (tip - ws.state.position[i], target - ws.state.position[i]);
        if from.length() < 1e-7 * chain.length || to.length() < 1e-7 * chain.length {
            continue;
        }
        let inside = turned(chain, ws, ws.state.frame[i], i, from, to, most);
        let moved = ws.state.frame[i]
            * (inside * (ws.state.pose().rotations[i].conjugate() * (ws.state.frame[i].conjugate() * from)));
        if (moved - to).length_squared() <= (from - to).length_squared() {
            ws.state.set_rotation(i, inside);
            tip = ws.state.position[i] + moved;
        }
    }
}

/// From the first joint to the last, points every bone at the target, as far as its joint allows:
/// an unlimited chain becomes straight.
pub(in crate::chains) fn point(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3) {
    let count = chain.joints.len() - usize::from(ws.state.held().is_some());
    let (mut above, mut place) = (ws.state.pose().root_rotation, ws.state.position[0]);
    for i in 0..count {
        let frame = (above * chain.joints[i].rest).normalize();
        let bone = start::bone(chain, i) * ws.state.pose().stretch[i];
        let (from, to) = (frame * (ws.state.pose().rotations[i] * bone), target - place);
        if from.length() > 1e-7 * chain.length && to.length() > 1e-7 * chain.length {
            ws.state.set_rotation(i, turned(chain, ws, frame, i, from, to, core::f32::consts::PI));
        }
        above = (frame * ws.state.pose().rotations[i]).normalize();
        place += above * bone;
    }
}

/// The rotation of joint `i` that turns `from` towards `to` (both from the joint, in the solve
/// space), as far as it may, by at most `most` radians.
fn turned(chain: &Chain, ws: &ChainWorkspace, frame: Quat, i: usize, from: Vec3, to: Vec3, most: f32) -> Quat {
    let model = &chain.joints[i].model;
    let turn = match &model.freedom {
        Freedom::Fixed => return ws.state.pose().rotations[i],
        Freedom::Hinge { .. } => {
            let axis = frame * model.hinge_axis();
            axis_angle(axis, angle_about(axis, from, to))
        }
        _ => arc(normalize_or(from, Vec3::Y), normalize_or(to, Vec3::Y)),
    };
    let turn = at_most(turn, most);
    let after = (frame.conjugate() * turn * frame * ws.state.pose().rotations[i]).normalize();
    chain.prepared[i].project_in_joint(after)
}

/// The turn, cut to `most` radians.
pub(in crate::chains) fn at_most(turn: Quat, most: f32) -> Quat {
    // No need to measure where nothing is cut.
    let angle = if most < core::f32::consts::PI { rotation_angle(turn) } else { 0.0 };
    if angle > most { fraction(turn, most / angle) } else { turn }
}

/// The method, for `chains::unlimited::sweeps`.
pub(in crate::chains) enum Ccd {}

impl Sweeps for Ccd {
    /// The directions from the joints to the target are the same during a sweep, and so are the
    /// joints' places below the one that turns; only the effector's way up the chain is one joint
    /// after the other. What the bones are turned by is the product of the turns down the chain.
    fn run<L: Runs>(
        chain: &Chain,
        settings: &ChainSettings,
        ws: &mut ChainWorkspace,
        span: &Span,
        progress: &mut Progress,
    ) {
        let least = 1e-7 * chain.length;
        let (mut tip, target, blocks) = (span.tip, span.target, L::blocks(&mut ws.lanes.blocks));
        while progress.goes_on(chain, settings, &mut ws.work) {
            place(blocks, target, least);
            climb(blocks, span.count, tip, least);
            tip = turn_bones(blocks);
            // Almost never farther than before: every turn brings the effector nearer, except for
            // rounding.
            progress.add((target - tip).length());
        }
    }
    fn sweep(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3, most: f32) {
        sweep_within(chain, ws, target, most);
    }
}

/// Places of the joints, to `lever`, and directions to the target, to `step` (its scalar part 0:
/// too near to have one).
fn place<L: Runs>(blocks: &mut [Block<L>], target: Vec3, least: f32) {
    let end = L::pass(PlaceInRuns { blocks });
    let before = blocks::sums_before(Vec3::ZERO, &end);
    L::pass(Place { blocks, before, target, least });
}

/// Places from the first joint of each run, to `lever`; returns those of the runs' ends.
struct PlaceInRuns<'a, L> {
    blocks: &'a mut [Block<L>],
}

impl<L: Runs> Pass<L> for PlaceInRuns<'_, L> {
    type Output = LaneVec3<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> LaneVec3<L> {
        let mut end = LaneVec3::<R>::zero();
        for block in self.blocks {
            block.lever = end.store();
            end = end + LaneVec3::load(block.bone);
        }
        end.store()
    }
}

struct Place<'a, L> {
    blocks: &'a mut [Block<L>],
    before: LaneVec3<L>,
    target: Vec3,
    least: f32,
}

impl<L: Runs> Pass<L> for Place<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        let (before, target) = (LaneVec3::<R>::load(self.before), LaneVec3::splat(self.target));
        let (least, one) = (R::splat(self.least * self.least), R::splat(1.0));
        for block in self.blocks {
            let place = before + LaneVec3::load(block.lever);
            let to = target - place;
            let square = to.dot(to);
            let u = to * (one / square.max(least).sqrt());
            block.lever = place.store();
            block.step = LaneQuat::from_parts(u, R::select(square.lt(least), R::splat(0.0), one)).store();
        }
    }
}

/// From the last joint to the first: where the effector is before the joint's turn, from the joint,
/// to `tried` (zero: no turn).
fn climb<L: Runs>(blocks: &mut [Block<L>], count: usize, mut tip: Vec3, least: f32) {
    let m = blocks.len();
    for s in (0..L::WIDTH).rev() {
        for block in blocks[..m.min(count.saturating_sub(s * m))].iter_mut().rev() {
            let place = lane(&block.lever, s);
            let from = tip - place;
            let square = from.x * from.x + from.y * from.y + from.z * from.z;
            let turns = square >= least * least && block.step.w.get(s) != 0.0;
            if turns {
                let u = Vec3::new(block.step.x.get(s), block.step.y.get(s), block.step.z.get(s));
                tip = place + u * square.sqrt();
            }
            set_lane(&mut block.tried, s, if turns { from } else { Vec3::ZERO });
        }
    }
}

/// Turns the bones; returns where the carried point comes to, from the root.
fn turn_bones<L: Runs>(blocks: &mut [Block<L>]) -> Vec3 {
    let whole = L::pass(TurnsInRuns { blocks });
    let before = blocks::before_runs(Quat::IDENTITY, &whole);
    total(&L::pass(TurnBones { blocks, before }))
}

/// Products of the turns along each run, to `step`; returns those of whole runs.
struct TurnsInRuns<'a, L> {
    blocks: &'a mut [Block<L>],
}

impl<L: Runs> Pass<L> for TurnsInRuns<'_, L> {
    type Output = LaneQuat<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> LaneQuat<L> {
        let mut whole = LaneQuat::<R>::identity();
        for block in self.blocks {
            let to = LaneQuat::<R>::load(block.step).vector();
            whole = blocks::unit(whole * scans::arc(LaneVec3::load(block.tried), to));
            block.step = whole.store();
        }
        whole.store()
    }
}

struct TurnBones<'a, L> {
    blocks: &'a mut [Block<L>],
    before: LaneQuat<L>,
}

impl<L: Runs> Pass<L> for TurnBones<'_, L> {
    type Output = LaneVec3<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> LaneVec3<L> {
        let (before, mut end) = (LaneQuat::<R>::load(self.before), LaneVec3::zero());
        for block in self.blocks {
            let turn = before * LaneQuat::load(block.step);
            let bone = turn.rotate(LaneVec3::load(block.bone));
            block.turned = blocks::unit(turn * LaneQuat::load(block.turned)).store();
            block.bone = bone.store();
            end = end + bone;
        }
        end.store()
    }
}
