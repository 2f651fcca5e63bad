//! Unbranched chains several joints at a time: forward kinematics and its inverse as scans.
//!
//! # Derivation
//!
//! A chain of `n` joints is cut into `w` runs of `m = ⌈n/w⌉` joints, one per lane, so block `k`
//! holds the joints `k, m + k, 2m + k …`; past the end is a joint without turn and bone.
//! A product or sum along the chain is then taken in three steps: along all runs in step, over
//! their results, and onto the runs again. Short chains have four runs, for what is done over the
//! results costs as much as a few blocks; long ones have eight. Every lane does plain arithmetic in
//! a fixed order, so the bits depend on the chain and not on the vectors a processor has.
//!
//! Source: the two-pass scan of G. Blelloch, "Prefix Sums and Their Applications" (1990), §1.4.

use super::joint::{ChainJoint, Effector};
use crate::math::{F32x4, F32x8, Lane, LaneQuat, LaneVec3, Quat, Vec3, unit_correction};

/// Most joints of a chain with four runs.
const SHORT: usize = 12;

/// A lane type with a run of a chain in each lane.
pub(in crate::chains) trait Runs: Lane {
    /// A number per run.
    fn from_fn(of: impl FnMut(usize) -> f32) -> Self;
    /// That of a run.
    fn get(&self, run: usize) -> f32;
    /// Sets it.
    fn set(&mut self, run: usize, value: f32);
    /// A chain's joints with this many runs.
    fn joints(table: &Table) -> &[JointBlock<Self>];
    /// A workspace's blocks with this many runs.
    fn blocks(blocks: &mut Blocks) -> &mut [Block<Self>];
}

macro_rules! runs {
    ($Lanes:ident, $list:ident) => {
        impl Runs for $Lanes {
            #[inline(always)]
            fn from_fn(of: impl FnMut(usize) -> f32) -> Self {
                Self(core::array::from_fn(of))
            }
            #[inline(always)]
            fn get(&self, run: usize) -> f32 {
                self.0[run]
            }
            #[inline(always)]
            fn set(&mut self, run: usize, value: f32) {
                self.0[run] = value;
            }
            #[inline(always)]
            fn joints(table: &Table) -> &[JointBlock<Self>] {
                &table.$list
            }
            #[inline(always)]
            fn blocks(blocks: &mut Blocks) -> &mut [Block<Self>] {
                &mut blocks.$list
            }
        }
    };
}
runs!(F32x4, four);
runs!(F32x8, eight);

/// What the joints of an unbranched chain are, in blocks of the one or the other width; empty for
/// others.
#[derive(Clone, Debug, Default)]
pub(in crate::chains) struct Table {
    four: Vec<JointBlock<F32x4>>,
    eight: Vec<JointBlock<F32x8>>,
}

/// State of the joints of such a chain, in as many blocks.
#[derive(Clone, Debug)]
pub(in crate::chains) struct Blocks {
    four: Vec<Block<F32x4>>,
    eight: Vec<Block<F32x8>>,
}

/// What the joints of a block are.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct JointBlock<L> {
    /// Rest rotation in the space of the joint before.
    rest: LaneQuat<L>,
    /// Bone to the next joint (the last: to the effector), in the joint's space.
    bone: LaneVec3<L>,
}

/// State of the joints of a block, and scratch of a step.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Block<L> {
    /// How the joint is turned in the solve space.
    pub rotation: LaneQuat<L>,
    /// Where its bone points, with its length.
    pub bone: LaneVec3<L>,
    /// That length.
    pub length: L,
    /// What the bone was turned by since.
    pub turned: LaneQuat<L>,
    /// Sum of the bones from here to the end of the run.
    pub lever: LaneVec3<L>,
    /// The bone after the step that is tried.
    pub tried: LaneVec3<L>,
    /// Turn of that step.
    pub step: LaneQuat<L>,
}

/// What forward kinematics found.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Extent {
    /// The carried point, from the root.
    pub tip: Vec3,
    /// Length of all bones up to it.
    pub length: f32,
    /// Length of the longest.
    pub longest: f32,
}

/// Numbers of blocks with four and with eight runs.
fn counts(joints: usize) -> (usize, usize) {
    if joints <= SHORT { (joints.div_ceil(F32x4::WIDTH), 0) } else { (0, joints.div_ceil(F32x8::WIDTH)) }
}

/// Number of lanes of all blocks together.
pub(in crate::chains) fn lanes(joints: usize) -> usize {
    let (four, eight) = counts(joints);
    F32x4::WIDTH * four + F32x8::WIDTH * eight
}

impl Table {
    pub fn new(joints: &[ChainJoint], effector: &Effector) -> Self {
        fn none<L: Lane>() -> JointBlock<L> {
            JointBlock { rest: LaneQuat::identity(), bone: LaneVec3::zero() }
        }
        let (four, eight) = counts(joints.len());
        let mut table = Self { four: vec![none(); four], eight: vec![none(); eight] };
        table.refresh(joints, effector);
        table
    }
    /// Whether the chain is in blocks of four runs.
    pub fn is_short(&self) -> bool {
        self.eight.is_empty()
    }
    /// Takes the joints into their blocks again; an empty table stays so.
    pub fn refresh(&mut self, joints: &[ChainJoint], effector: &Effector) {
        refresh(&mut self.four, joints, effector);
        refresh(&mut self.eight, joints, effector);
    }
}

impl Blocks {
    pub fn new(joints: usize) -> Self {
        fn none<L: Lane>() -> Block<L> {
            let (none, zero) = (LaneQuat::identity(), LaneVec3::zero());
            let length = L::splat(0.0);
            Block { rotation: none, bone: zero, length, turned: none, lever: zero, tried: zero, step: none }
        }
        let (four, eight) = counts(joints);
        Self { four: vec![none(); four], eight: vec![none(); eight] }
    }
}

fn refresh<L: Runs>(table: &mut [JointBlock<L>], joints: &[ChainJoint], effector: &Effector) {
    let m = table.len();
    let rest = |i: usize| joints.get(i).map_or(Quat::IDENTITY, |j| j.rest);
    let bone = |i: usize| match joints.get(i + 1) {
        Some(next) => next.offset,
        None if i + 1 == joints.len() => effector.offset,
        None => Vec3::ZERO,
    };
    for (k, block) in table.iter_mut().enumerate() {
        *block = JointBlock { rest: quats(|s| rest(s * m + k)), bone: vectors(|s| bone(s * m + k)) };
    }
}

/// Sum over the lanes, first to last. Not inlined: taking registers apart in the same function as a
/// loop makes the compiler take them apart in the loop, too.
#[inline(never)]
pub(in crate::chains) fn total<L: Runs>(v: &LaneVec3<L>) -> Vec3 {
    (0..L::WIDTH).fold(Vec3::ZERO, |sum, s| sum + lane(v, s))
}

/// One lane.
#[inline(always)]
pub(in crate::chains) fn lane<L: Runs>(v: &LaneVec3<L>, s: usize) -> Vec3 {
    Vec3::new(v.x.get(s), v.y.get(s), v.z.get(s))
}

/// Sets one lane.
#[inline(always)]
pub(in crate::chains) fn set_lane<L: Runs>(v: &mut LaneVec3<L>, s: usize, to: Vec3) {
    v.x.set(s, to.x);
    v.y.set(s, to.y);
    v.z.set(s, to.z);
}

/// Vectors side by side.
#[inline(always)]
pub(in crate::chains) fn vectors<L: Runs>(mut of: impl FnMut(usize) -> Vec3) -> LaneVec3<L> {
    let mut out = LaneVec3::zero();
    for s in 0..L::WIDTH {
        set_lane(&mut out, s, of(s));
    }
    out
}

#[inline(always)]
fn quats<L: Runs>(mut of: impl FnMut(usize) -> Quat) -> LaneQuat<L> {
    let mut out = LaneQuat::identity();
    for s in 0..L::WIDTH {
        set_quat(&mut out, s, of(s));
    }
    out
}

#[inline(always)]
fn lane_quat<L: Runs>(q: &LaneQuat<L>, s: usize) -> Quat {
    Quat::from_xyzw(q.x.get(s), q.y.get(s), q.z.get(s), q.w.get(s))
}

#[inline(always)]
fn set_quat<L: Runs>(q: &mut LaneQuat<L>, s: usize, to: Quat) {
    q.x.set(s, to.x);
    q.y.set(s, to.y);
    q.z.set(s, to.z);
    q.w.set(s, to.w);
}

/// A nearly unit quaternion made unit by one step of Newton's method for 1/√.
#[inline(always)]
pub(in crate::chains) fn unit<L: Lane>(q: LaneQuat<L>) -> LaneQuat<L> {
    q * unit_correction(q.dot(q))
}

/// What comes before each run: `root`, then multiplied by one run after the other. In each round
/// each run is multiplied by the one, two, four … runs before it (W. Hillis, G. Steele, "Data
/// Parallel Algorithms", CACM 29 (1986)).
#[inline(never)]
pub(in crate::chains) fn before_runs<L: Runs>(root: Quat, whole: &LaneQuat<L>) -> LaneQuat<L> {
    let mut all = *whole;
    let mut by = 1;
    while by < L::WIDTH {
        all = unit(moved(by, Quat::IDENTITY, &all) * all);
        by *= 2;
    }
    quats::<L>(|_| root) * moved(1, Quat::IDENTITY, &all)
}

/// Every lane `by` further, `first` in front.
#[inline(always)]
fn moved<L: Runs>(by: usize, first: Quat, q: &LaneQuat<L>) -> LaneQuat<L> {
    let part = |v: L, first: f32| L::from_fn(|s| if s < by { first } else { v.get(s - by) });
    LaneQuat::new(part(q.x, first.x), part(q.y, first.y), part(q.z, first.z), part(q.w, first.w))
}

/// The sums of what comes before each run: `root`, then one run after the other added.
#[inline(never)]
pub(in crate::chains) fn sums_before<L: Runs>(root: Vec3, whole: &LaneVec3<L>) -> LaneVec3<L> {
    let mut before = root;
    vectors(|s| {
        let here = before;
        before += lane(whole, s);
        here
    })
}

/// Every lane one further, `first` in the first.
#[inline(never)]
fn shifted<L: Runs>(first: Quat, q: &LaneQuat<L>) -> LaneQuat<L> {
    moved(1, first, q)
}

/// Forward kinematics: fills `rotation`, `bone` and `length` and clears `turned`. The joints from
/// `carried` on carry nothing. The lists have an entry for every lane of every block.
pub(in crate::chains) fn forward<L: Runs>(
    blocks: &mut [Block<L>],
    table: &[JointBlock<L>],
    rotations: &[Quat],
    stretch: Option<&[f32]>,
    root: Quat,
    carried: usize,
) -> Extent {
    let m = table.len();
    let blocks = &mut blocks[..m];
    let rotations = &rotations[..L::WIDTH * m];
    let mut whole = LaneQuat::identity();
    for k in 0..m {
        whole = unit(whole * (table[k].rest * quats(|s| rotations[s * m + k])));
        blocks[k].rotation = whole;
    }
    let before = before_runs(root, &whole);
    for k in 0..m {
        let mut bone = table[k].bone;
        if let Some(stretch) = stretch {
            bone = bone * L::from_fn(|s| stretch[s * m + k]);
        }
        let block = &mut blocks[k];
        block.rotation = before * block.rotation;
        block.bone = block.rotation.rotate(bone);
        block.turned = LaneQuat::identity();
    }
    if carried < L::WIDTH * m {
        set_lane(&mut blocks[carried % m].bone, carried / m, Vec3::ZERO);
    }
    let (mut tip, mut length, mut longest) = (LaneVec3::zero(), L::splat(0.0), L::splat(0.0));
    for block in blocks.iter_mut() {
        block.length = block.bone.length();
        tip = tip + block.bone;
        length = length + block.length;
        longest = longest.max(block.length);
    }
    Extent { tip: total(&tip), length: (0..L::WIDTH).map(|s| length.get(s)).sum(), longest: largest(longest) }
}

/// The largest of numbers that are not negative.
pub(in crate::chains) fn largest<L: Runs>(of: L) -> f32 {
    (0..L::WIDTH).fold(0.0, |most: f32, s| most.max(of.get(s)))
}

/// Places of the joints, the first at the origin, and of the carried point after them.
pub(in crate::chains) fn points<L: Runs>(blocks: &[Block<L>], points: &mut [Vec3]) {
    let m = blocks.len();
    let mut place = Vec3::ZERO;
    let last = points.len() - 1;
    for (i, point) in points[..last].iter_mut().enumerate() {
        *point = place;
        place += lane(&blocks[i % m].bone, i / m);
    }
    points[last] = place;
}

/// Turns every bone by the shortest turn to its place between two of the points; bones without
/// length stay.
pub(in crate::chains) fn turn_to<L: Runs>(blocks: &mut [Block<L>], points: &[Vec3]) {
    let m = blocks.len();
    for (i, pair) in points.windows(2).enumerate() {
        set_lane(&mut blocks[i % m].tried, i / m, pair[1] - pair[0]);
    }
    for block in blocks {
        block.turned = arc(block.bone, block.tried);
    }
}

/// Shortest turns from one direction to another, neither unit; no turn where one of them is too
/// short to have a direction.
#[inline(always)]
pub(in crate::chains) fn arc<L: Lane>(from: LaneVec3<L>, to: LaneVec3<L>) -> LaneQuat<L> {
    let least = L::splat(1e-36);
    let (a, b) = (from.dot(from), to.dot(to));
    let one = L::splat(1.0);
    let from = from * (one / a.max(least).sqrt());
    let to = to * (one / b.max(least).sqrt());
    let turn = LaneQuat::arc(from, to, from.any_perpendicular());
    LaneQuat::select(a.min(b).lt(least), LaneQuat::identity(), turn)
}

/// The joints' own rotations from what their bones were turned by, after the last joint (`held`:
/// its number and rotation) was put where it is held. `root` is the parent of the first joint,
/// seen from where `turned` counts (an aim is in it), `true_root` its real parent.
/// Returns the effector that these rotations give, from the root.
pub(in crate::chains) fn write_back<L: Runs>(
    blocks: &mut [Block<L>],
    table: &[JointBlock<L>],
    rotations: &mut [Quat],
    stretch: Option<&[f32]>,
    root: Quat,
    true_root: Quat,
    held: Option<(usize, Quat)>,
) -> Vec3 {
    let m = table.len();
    let blocks = &mut blocks[..m];
    for block in blocks.iter_mut() {
        block.rotation = block.turned * block.rotation;
    }
    if let Some((joint, q)) = held {
        set_quat(&mut blocks[joint % m].rotation, joint / m, q);
    }
    let mut before = shifted(root, &blocks[m - 1].rotation);
    let (mut whole, mut end) = (LaneQuat::identity(), LaneVec3::zero());
    for k in 0..m {
        let rest = table[k].rest;
        let turned = blocks[k].rotation;
        let q = (rest.conjugate() * (before.conjugate() * turned)).normalize();
        before = turned;
        for s in 0..L::WIDTH {
            rotations[s * m + k] = lane_quat(&q, s);
        }
        whole = unit(whole * (rest * q));
        let mut bone = table[k].bone;
        if let Some(stretch) = stretch {
            bone = bone * L::from_fn(|s| stretch[s * m + k]);
        }
        end = end + whole.rotate(bone);
    }
    total(&before_runs(true_root, &whole).rotate(end))
}
