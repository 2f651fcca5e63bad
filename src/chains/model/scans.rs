//! Forward kinematics of an unbranched chain and its inverse, several joints at a time: scans along
//! the runs of its blocks.

use super::blocks::{
    Block, Extent, JointBlock, Pass, Runs, before_runs, lane, lane_quat, largest, quats, set_lane, set_quat, shifted,
    total, unit,
};
use crate::math::eight_lane::Registers;
use crate::math::{Lane, LaneQuat, LaneVec3, Quat, Vec3};

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
    let whole = L::pass(Rotations { blocks, table, rotations });
    let before = before_runs(root, &whole);
    L::pass(Bones { blocks, table, stretch, before });
    if carried < L::WIDTH * m {
        set_lane(&mut blocks[carried % m].bone, carried / m, Vec3::ZERO);
    }
    let (tip, length, longest) = L::pass(Lengths { blocks });
    Extent { tip: total(&tip), length: (0..L::WIDTH).map(|s| length.get(s)).sum(), longest: largest(longest) }
}

/// Products of the rotations along each run, to `rotation`; returns those of whole runs.
struct Rotations<'a, L> {
    blocks: &'a mut [Block<L>],
    table: &'a [JointBlock<L>],
    rotations: &'a [Quat],
}

impl<L: Runs> Pass<L> for Rotations<'_, L> {
    type Output = LaneQuat<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> LaneQuat<L> {
        let m = self.table.len();
        let mut whole = LaneQuat::<R>::identity();
        for k in 0..m {
            let own = LaneQuat::load(quats::<L>(|s| self.rotations[s * m + k]));
            whole = unit(whole * (LaneQuat::load(self.table[k].rest) * own));
            self.blocks[k].rotation = whole.store();
        }
        whole.store()
    }
}

/// From the products along each run to those along the chain, and the bones.
struct Bones<'a, L> {
    blocks: &'a mut [Block<L>],
    table: &'a [JointBlock<L>],
    stretch: Option<&'a [f32]>,
    before: LaneQuat<L>,
}

impl<L: Runs> Pass<L> for Bones<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        let before = LaneQuat::<R>::load(self.before);
        for (k, (block, joint)) in self.blocks.iter_mut().zip(self.table).enumerate() {
            let rotation = before * LaneQuat::load(block.rotation);
            block.rotation = rotation.store();
            block.bone = rotation.rotate(bone(joint, self.stretch, k, self.table.len())).store();
            block.turned = LaneQuat::identity();
        }
    }
}

/// Bones of the block `k` of `m`, in their joints' spaces.
#[inline(always)]
fn bone<L: Runs, R: Registers<L>>(joint: &JointBlock<L>, stretch: Option<&[f32]>, k: usize, m: usize) -> LaneVec3<R> {
    let bone = LaneVec3::load(joint.bone);
    match stretch {
        Some(stretch) => bone * R::load(L::from_fn(|s| stretch[s * m + k])),
        None => bone,
    }
}

/// Lengths of the bones; returns per run their sums, of the bones and of the lengths, and the
/// longest.
struct Lengths<'a, L> {
    blocks: &'a mut [Block<L>],
}

impl<L: Runs> Pass<L> for Lengths<'_, L> {
    type Output = (LaneVec3<L>, L, L);
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> Self::Output {
        let (mut tip, mut length, mut longest) = (LaneVec3::<R>::zero(), R::splat(0.0), R::splat(0.0));
        for block in self.blocks.iter_mut() {
            let bone = LaneVec3::load(block.bone);
            let own: R = bone.length();
            block.length = own.store();
            tip = tip + bone;
            length = length + own;
            longest = longest.max(own);
        }
        (tip.store(), length.store(), longest.store())
    }
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
    L::pass(TurnToTried { blocks });
}

struct TurnToTried<'a, L> {
    blocks: &'a mut [Block<L>],
}

impl<L: Runs> Pass<L> for TurnToTried<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        for block in self.blocks {
            block.turned = arc::<R>(LaneVec3::load(block.bone), LaneVec3::load(block.tried)).store();
        }
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
    L::pass(TurnRotations { blocks });
    if let Some((joint, q)) = held {
        set_quat(&mut blocks[joint % m].rotation, joint / m, q);
    }
    let before = shifted(root, &blocks[m - 1].rotation);
    let (whole, end) = L::pass(OwnRotations { blocks, table, rotations, stretch, before });
    total(&before_runs(true_root, &whole).rotate(end))
}

/// Turns each joint as its bone.
struct TurnRotations<'a, L> {
    blocks: &'a mut [Block<L>],
}

impl<L: Runs> Pass<L> for TurnRotations<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        for block in self.blocks {
            block.rotation = (LaneQuat::<R>::load(block.turned) * LaneQuat::load(block.rotation)).store();
        }
    }
}

/// Rotations against the joint before; returns per run their product, and the place of its end.
struct OwnRotations<'a, L> {
    blocks: &'a [Block<L>],
    table: &'a [JointBlock<L>],
    rotations: &'a mut [Quat],
    stretch: Option<&'a [f32]>,
    before: LaneQuat<L>,
}

impl<L: Runs> Pass<L> for OwnRotations<'_, L> {
    type Output = (LaneQuat<L>, LaneVec3<L>);
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> Self::Output {
        let m = self.table.len();
        let mut before = LaneQuat::<R>::load(self.before);
        let (mut whole, mut end) = (LaneQuat::<R>::identity(), LaneVec3::<R>::zero());
        for (k, (block, joint)) in self.blocks.iter().zip(self.table).enumerate() {
            let rest = LaneQuat::<R>::load(joint.rest);
            let turned = LaneQuat::load(block.rotation);
            let q = (rest.conjugate() * (before.conjugate() * turned)).normalize();
            before = turned;
            let kept: LaneQuat<L> = q.store();
            for s in 0..L::WIDTH {
                self.rotations[s * m + k] = lane_quat(&kept, s);
            }
            whole = unit(whole * (rest * q));
            end = end + whole.rotate(bone(joint, self.stretch, k, m));
        }
        (whole.store(), end.store())
    }
}
