//! Unbranched chains eight joints at a time: forward kinematics and its inverse as scans.
//!
//! # Derivation
//!
//! A chain of `n` joints is cut into eight runs of `m = ⌈n/8⌉` joints, one per lane, so block `k` holds the joints `k, m + k, … 7m + k`; what lies past the end is
//! a joint without turn and bone. A product or sum along the chain is then taken in three steps: along all eight runs in step, over
//! the eight results, and onto the runs again. Every lane does plain arithmetic in a fixed order, so the bits do not depend on the vectors a processor has.
//!
//! Source: the two-pass scan of G. Blelloch, "Prefix Sums and Their Applications" (1990), §1.4.

use super::chain::{ChainJoint, Effector};
use crate::math::{F32x8, Lane, LaneQuat, LaneVec3, Quat, Vec3};

/// Vectors in step.
pub(super) type Vec8 = LaneVec3<F32x8>;
/// Quaternions in step.
pub(super) type Quat8 = LaneQuat<F32x8>;

/// Number of runs.
pub(super) const LANES: usize = 8;

/// What eight joints are.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointBlock {
    /// Rest rotation in the space of the joint before.
    rest: Quat8,
    /// Bone to the next joint (the last: to the effector), in the joint's space.
    bone: Vec8,
}

/// How eight joints stand, and scratch of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// How the joint is turned in the solve space.
    pub rotation: Quat8,
    /// Where its bone points, with its length.
    pub bone: Vec8,
    /// That length.
    pub length: F32x8,
    /// What the bone was turned by since.
    pub turned: Quat8,
    /// Sum of the bones from here to the end of the run.
    pub lever: Vec8,
    /// The bone after the step that is tried.
    pub tried: Vec8,
    /// Turn of that step.
    pub step: Quat8,
}

/// What forward kinematics found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The carried point, from the root.
    pub tip: Vec3,
    /// Length of all bones up to it.
    pub length: f32,
    /// Length of the longest.
    pub longest: f32,
}

impl Block {
    /// Nothing in it.
    pub const NONE: Self = {
        const ZERO: F32x8 = F32x8([0.0; LANES]);
        let zero = LaneVec3 { x: ZERO, y: ZERO, z: ZERO };
        let identity = LaneQuat { x: ZERO, y: ZERO, z: ZERO, w: F32x8([1.0; LANES]) };
        Self {
            rotation: identity,
            bone: zero,
            length: ZERO,
            turned: identity,
            lever: zero,
            tried: zero,
            step: identity,
        }
    };
}

/// Number of blocks for this many joints.
pub(super) fn count(joints: usize) -> usize {
    joints.div_ceil(LANES)
}

/// The joints of an unbranched chain in blocks.
pub(super) fn table(joints: &[ChainJoint], effector: &Effector) -> Vec<JointBlock> {
    let none = JointBlock { rest: Quat8::identity(), bone: Vec8::zero() };
    let mut table = vec![none; count(joints.len())];
    refresh(&mut table, joints, effector);
    table
}

/// Takes the joints into their blocks again; an empty table, that of a chain that branches, stays so.
pub(super) fn refresh(table: &mut [JointBlock], joints: &[ChainJoint], effector: &Effector) {
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

/// Sum over the lanes, first to last. Not inlined: taking registers apart in the same function as a loop makes the compiler take them
/// apart in the loop, too.
#[inline(never)]
pub(super) fn total(v: &Vec8) -> Vec3 {
    (0..LANES).fold(Vec3::ZERO, |sum, s| sum + lane(v, s))
}

/// One lane.
#[inline(always)]
pub(super) fn lane(v: &Vec8, s: usize) -> Vec3 {
    Vec3::new(v.x.0[s], v.y.0[s], v.z.0[s])
}

/// Eight vectors side by side.
#[inline(always)]
pub(super) fn vectors(mut of: impl FnMut(usize) -> Vec3) -> Vec8 {
    let mut out = Vec8::zero();
    for s in 0..LANES {
        let v = of(s);
        (out.x.0[s], out.y.0[s], out.z.0[s]) = (v.x, v.y, v.z);
    }
    out
}

#[inline(always)]
fn quats(mut of: impl FnMut(usize) -> Quat) -> Quat8 {
    let mut out = Quat8::identity();
    for s in 0..LANES {
        let q = of(s);
        (out.x.0[s], out.y.0[s], out.z.0[s], out.w.0[s]) = (q.x, q.y, q.z, q.w);
    }
    out
}

#[inline(always)]
fn lane_quat(q: &Quat8, s: usize) -> Quat {
    Quat::from_xyzw(q.x.0[s], q.y.0[s], q.z.0[s], q.w.0[s])
}

#[inline(always)]
fn conjugate(q: Quat8) -> Quat8 {
    Quat8::new(-q.x, -q.y, -q.z, q.w)
}

/// A nearly unit quaternion made unit by one step of Newton's method for 1/√.
#[inline(always)]
pub(super) fn unit(q: Quat8) -> Quat8 {
    let s = F32x8::splat(1.5) - q.dot(q) * F32x8::splat(0.5);
    Quat8::new(q.x * s, q.y * s, q.z * s, q.w * s)
}

/// What comes before each run: `root`, then multiplied by one run after the other. In three rounds each run is multiplied by the one, two and four runs
/// before it (W. Hillis, G. Steele, "Data Parallel Algorithms", CACM 29 (1986)).
#[inline(never)]
pub(super) fn before_runs(root: Quat, whole: &Quat8) -> Quat8 {
    let one = unit(moved::<1>(Quat::IDENTITY, whole) * *whole);
    let two = unit(moved::<2>(Quat::IDENTITY, &one) * one);
    let four = unit(moved::<4>(Quat::IDENTITY, &two) * two);
    let root8 = Quat8::new(F32x8::splat(root.x), F32x8::splat(root.y), F32x8::splat(root.z), F32x8::splat(root.w));
    root8 * moved::<1>(Quat::IDENTITY, &four)
}

/// Every lane `BY` further, `first` in front.
#[inline(always)]
fn moved<const BY: usize>(first: Quat, q: &Quat8) -> Quat8 {
    let part = |v: F32x8, first: f32| F32x8(core::array::from_fn(|s| if s < BY { first } else { v.0[s - BY] }));
    Quat8::new(part(q.x, first.x), part(q.y, first.y), part(q.z, first.z), part(q.w, first.w))
}

/// The sums of what comes before each run: `root`, then one run after the other added.
#[inline(never)]
pub(super) fn sums_before(root: Vec3, whole: &Vec8) -> Vec8 {
    let mut before = root;
    vectors(|s| {
        let here = before;
        before += lane(whole, s);
        here
    })
}

/// Every lane one further, `first` in the first.
#[inline(never)]
fn shifted(first: Quat, q: &Quat8) -> Quat8 {
    moved::<1>(first, q)
}

/// The eight runs of a list of `LANES * m` entries.
fn runs<T>(list: &[T], m: usize) -> [&[T]; LANES] {
    core::array::from_fn(|s| &list[s * m..(s + 1) * m])
}

/// Forward kinematics: fills `rotation`, `bone` and `length` and clears `turned`. The joints from `carried` on carry nothing. The lists have an entry for every
/// lane of every block.
pub(super) fn forward(
    blocks: &mut [Block],
    table: &[JointBlock],
    rotations: &[Quat],
    stretch: Option<&[f32]>,
    root: Quat,
    carried: usize,
) -> Extent {
    let m = table.len();
    let blocks = &mut blocks[..m];
    let rotations = runs(rotations, m);
    let mut whole = Quat8::identity();
    for k in 0..m {
        whole = unit(whole * (table[k].rest * quats(|s| rotations[s][k])));
        blocks[k].rotation = whole;
    }
    let before = before_runs(root, &whole);
    let stretch = stretch.map(|list| runs(list, m));
    for k in 0..m {
        let mut bone = table[k].bone;
        if let Some(stretch) = &stretch {
            bone = bone * F32x8(core::array::from_fn(|s| stretch[s][k]));
        }
        let block = &mut blocks[k];
        block.rotation = before * block.rotation;
        block.bone = block.rotation.rotate(bone);
        block.turned = Quat8::identity();
    }
    if carried < LANES * m {
        let (s, k) = (carried / m, carried % m);
        let bone = &mut blocks[k].bone;
        (bone.x.0[s], bone.y.0[s], bone.z.0[s]) = (0.0, 0.0, 0.0);
    }
    let (mut tip, mut length, mut longest) = (Vec8::zero(), F32x8::splat(0.0), F32x8::splat(0.0));
    for block in blocks.iter_mut() {
        block.length = block.bone.length();
        tip = tip + block.bone;
        length = length + block.length;
        longest = longest.max(block.length);
    }
    Extent {
        tip: total(&tip),
        length: length.0.iter().sum(),
        longest: longest.0.iter().fold(0.0, |a: f32, b| a.max(*b)),
    }
}

/// Places of the joints, the first at the origin, and of the carried point after them.
pub(super) fn points(blocks: &[Block], points: &mut [Vec3]) {
    let m = blocks.len();
    let mut place = Vec3::ZERO;
    let last = points.len() - 1;
    for (i, point) in points[..last].iter_mut().enumerate() {
        *point = place;
        place += lane(&blocks[i % m].bone, i / m);
    }
    points[last] = place;
}

/// Turns every bone by the shortest turn to where it lies between two of the points; bones without length stay.
pub(super) fn turn_to(blocks: &mut [Block], points: &[Vec3]) {
    let m = blocks.len();
    for (i, pair) in points.windows(2).enumerate() {
        let (bone, tried) = (pair[1] - pair[0], &mut blocks[i % m].tried);
        let s = i / m;
        (tried.x.0[s], tried.y.0[s], tried.z.0[s]) = (bone.x, bone.y, bone.z);
    }
    for block in blocks {
        block.turned = arc(block.bone, block.tried);
    }
}

/// Shortest turns from one direction to another, neither unit; no turn where one of them is too short to have a direction.
#[inline(always)]
pub(super) fn arc(from: Vec8, to: Vec8) -> Quat8 {
    let least = F32x8::splat(1e-36);
    let (a, b) = (from.dot(from), to.dot(to));
    let one = F32x8::splat(1.0);
    let from = from * (one / a.max(least).sqrt());
    let to = to * (one / b.max(least).sqrt());
    let turn = Quat8::arc(from, to, from.any_perpendicular());
    Quat8::select(a.min(b).lt(least), Quat8::identity(), turn)
}

/// The joints' own rotations from what their bones were turned by, after the last joint (`held`: its number and rotation) was put where it is held.
/// `root` is what the first joint hangs from, seen from where `turned` counts (an aim is in it), `true_root` what it really hangs from. Returns the effector
/// that these rotations give, from the root.
pub(super) fn write_back(
    blocks: &mut [Block],
    table: &[JointBlock],
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
        let (s, r) = (joint / m, &mut blocks[joint % m].rotation);
        (r.x.0[s], r.y.0[s], r.z.0[s], r.w.0[s]) = (q.x, q.y, q.z, q.w);
    }
    let mut before = shifted(root, &blocks[m - 1].rotation);
    let stretch = stretch.map(|list| runs(list, m));
    let (mut whole, mut end) = (Quat8::identity(), Vec8::zero());
    for k in 0..m {
        let rest = table[k].rest;
        let turned = blocks[k].rotation;
        let q = (conjugate(rest) * (conjugate(before) * turned)).normalize();
        before = turned;
        for s in 0..LANES {
            rotations[s * m + k] = lane_quat(&q, s);
        }
        whole = unit(whole * (rest * q));
        let mut bone = table[k].bone;
        if let Some(stretch) = &stretch {
            bone = bone * F32x8(core::array::from_fn(|s| stretch[s][k]));
        }
        end = end + whole.rotate(bone);
    }
    total(&before_runs(true_root, &whole).rotate(end))
}
