//! Unbranched chains several joints at a time: how joints are placed in lanes, and what is done
//! over the lanes.
//!
//! A chain of `n` joints is cut into `w` runs of `m = ⌈n/w⌉` joints, one per lane, so block `k`
//! holds the joints `k, m + k, 2m + k …`; past the end is a joint without turn and bone.
//! A product or sum along the chain is then taken in three steps: along all runs in step, over
//! their results, and onto the runs again. Short chains have four runs, for what is done over the
//! results costs as much as a few blocks; long ones have eight. Every lane does plain arithmetic in
//! a fixed order, so the bits depend on the chain and not on the vectors a processor has. What is
//! done along the runs is a [`Pass`]: compiled for the registers of this processor. What is done
//! over the results is short, and compiled once.
//!
//! Source: the two-pass scan of G. Blelloch, "Prefix Sums and Their Applications" (1990), §1.4.

use super::joint::{ChainJoint, Effector};
use crate::math::dispatch::{Level, Task};
use crate::math::eight_lane::{EightLane, EightTask, Registers};
use crate::math::{F32x4, F32x8, Lane, LaneQuat, LaneVec3, Quat, Vec3, unit_correction};

/// Most joints of a chain with four runs.
const SHORT: usize = 12;

/// A lane type of numbers in memory, with a run of a chain in each lane.
pub(in crate::chains) trait Runs: Lane + Registers<Self> {
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
    /// Does what is done along all runs, in the registers that this processor has.
    fn pass<P: Pass<Self>>(pass: P) -> P::Output;
}

/// Work along all runs: a loop over blocks. `run`, and everything in it that has to run wide, must
/// be `#[inline(always)]`, or small; the rules are those of [`EightTask`].
pub(in crate::chains) trait Pass<L> {
    /// Result of the work.
    type Output;
    /// Does the work in registers of the type `R`.
    fn run<R: Registers<L>>(self) -> Self::Output;
}

/// A pass over four runs.
struct OfFour<P>(P);

impl<P: Pass<F32x4>> Task for OfFour<P> {
    type Output = P::Output;
    #[inline(always)]
    fn run(self) -> P::Output {
        self.0.run::<F32x4>()
    }
}

/// A pass over eight runs.
struct OfEight<P>(P);

impl<P: Pass<F32x8>> EightTask for OfEight<P> {
    type Output = P::Output;
    #[inline(always)]
    fn run<E: EightLane>(self) -> P::Output {
        self.0.run::<E>()
    }
}

macro_rules! runs {
    ($Lanes:ident, $list:ident, $pass:item) => {
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
            #[inline]
            $pass
        }
    };
}
runs!(
    F32x4,
    four,
    fn pass<P: Pass<Self>>(pass: P) -> P::Output {
        Self::run(OfFour(pass))
    }
);
runs!(
    F32x8,
    eight,
    fn pass<P: Pass<Self>>(pass: P) -> P::Output {
        Level::for_one().run_eight(OfEight(pass))
    }
);

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
    pub rest: LaneQuat<L>,
    /// Bone to the next joint (the last: to the effector), in the joint's space.
    pub bone: LaneVec3<L>,
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

/// Rotations side by side.
#[inline(always)]
pub(super) fn quats<L: Runs>(mut of: impl FnMut(usize) -> Quat) -> LaneQuat<L> {
    let mut out = LaneQuat::identity();
    for s in 0..L::WIDTH {
        set_quat(&mut out, s, of(s));
    }
    out
}

/// One lane of them.
#[inline(always)]
pub(super) fn lane_quat<L: Runs>(q: &LaneQuat<L>, s: usize) -> Quat {
    Quat::from_xyzw(q.x.get(s), q.y.get(s), q.z.get(s), q.w.get(s))
}

/// Sets one lane of them.
#[inline(always)]
pub(super) fn set_quat<L: Runs>(q: &mut LaneQuat<L>, s: usize, to: Quat) {
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
pub(super) fn shifted<L: Runs>(first: Quat, q: &LaneQuat<L>) -> LaneQuat<L> {
    moved(1, first, q)
}

/// The largest of numbers that are not negative.
pub(in crate::chains) fn largest<L: Runs>(of: L) -> f32 {
    (0..L::WIDTH).fold(0.0, |most: f32, s| most.max(of.get(s)))
}
