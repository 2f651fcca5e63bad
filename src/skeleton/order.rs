//! The order in which the frames of a whole skeleton are computed: two joints at a time, neither an
//! ancestor of the other, parents first.
//!
//! A register of eight numbers takes two joints. The pairs are chosen once per skeleton: of the
//! joints whose parents are done, the two with the longest paths to a leaf (T. C. Hu, "Parallel
//! sequencing and assembly line problems", Operations Research 1961: with two machines no order
//! needs fewer steps). Where both joints of the last pair have children, one child of each is
//! preferred: the parents' frames are then still in the register, and on characters this needs no
//! more steps. A joint's numbers depend only on its parent's, so the order does not change the
//! bits.

use super::JointIndex;
use crate::math::rigid::TIGHTENED_DEPTH;
use std::collections::BinaryHeap;

/// Marks the absence of a joint.
const NONE: u32 = u32::MAX;

/// Two joints that are computed in one step, with their links to their parents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Both are the same where a joint has no partner.
    joints: [u32; 2],
    links: [Link; 2],
    follows: bool,
}

/// Link to the parent: the parent's index, with a mark where the joint's rotation is tightened;
/// with the mark it is not a valid index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link(u32);

impl Link {
    const MARK: u32 = 1 << 31;

    /// The parent of a joint whose rotation is not tightened; else an invalid index.
    #[inline(always)]
    pub fn plain(self) -> usize {
        self.0 as usize
    }
    /// The parent, whether the joint's rotation is tightened or not; an invalid index for a root.
    #[inline(always)]
    pub fn any(self) -> usize {
        (self.0 & !Self::MARK) as usize
    }
    /// The parent, if any.
    #[inline(always)]
    pub fn parent(self) -> Option<usize> {
        (self.0 != NONE).then_some((self.0 & !Self::MARK) as usize)
    }
    /// Whether the joint's rotation is tightened.
    #[inline(always)]
    pub fn is_tightened(self) -> bool {
        self.0 != NONE && self.0 & Self::MARK != 0
    }
}

/// Links of all joints to their parents.
pub(super) fn links(parents: &[Option<JointIndex>]) -> Vec<Link> {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    let link = |parent: &Option<JointIndex>| {
        let depth = parent.map_or(0, |p| depths[p] + 1);
        depths.push(depth);
        let mark = if depth.is_multiple_of(TIGHTENED_DEPTH) { Link::MARK } else { 0 };
        Link(parent.map_or(NONE, |p| p as u32 | mark))
    };
    parents.iter().map(link).collect()
}

impl Pair {
    fn new(links: &[Link], joints: [JointIndex; 2], last: Option<&Self>) -> Self {
        let own = joints.map(|joint| links[joint]);
        let is_child = |i: usize| last.is_some_and(|last| own[i].0 == last.joints[i]);
        Self { joints: joints.map(|joint| joint as u32), links: own, follows: is_child(0) && is_child(1) }
    }
    /// Whether no joint of the pair is tightened and the parent of each is the joint at the same
    /// place of the pair before.
    #[inline(always)]
    pub fn follows(&self) -> bool {
        self.follows
    }
    /// The joints of the pair; one joint twice where it has no partner.
    pub fn joints(&self) -> [JointIndex; 2] {
        self.joints.map(|joint| joint as usize)
    }
    /// Index of joint `i` (0 or 1) of the pair.
    #[inline(always)]
    pub fn joint(&self, i: usize) -> usize {
        self.joints[i] as usize
    }
    /// Link of joint `i` (0 or 1) to its parent.
    #[inline(always)]
    pub fn link(&self, i: usize) -> Link {
        self.links[i]
    }
}

/// Every joint except the roots, in pairs.
pub(super) fn pairs(links: &[Link]) -> Vec<Pair> {
    let count = links.len();
    // Per joint: the longest path to a leaf, and the children as a linked list (first child, next
    // sibling).
    let (mut height, mut first, mut next) = (vec![0u32; count], vec![NONE; count], vec![NONE; count]);
    for joint in (0..count).rev() {
        if let Some(parent) = links[joint].parent() {
            height[parent] = height[parent].max(height[joint] + 1);
            next[joint] = first[parent];
            first[parent] = joint as u32;
        }
    }
    let mut ready = BinaryHeap::new();
    let mut is_done = vec![false; count];
    let children = |joint: usize| {
        let next = |child: &u32| Some(next[*child as usize]).filter(|next| *next != NONE);
        core::iter::successors(Some(first[joint]).filter(|child| *child != NONE), next).map(|child| child as usize)
    };
    let rank = |joint: usize| (height[joint], core::cmp::Reverse(joint));
    let release = |joint: usize, ready: &mut BinaryHeap<_>| children(joint).for_each(|child| ready.push(rank(child)));
    (0..count).filter(|j| links[*j].parent().is_none()).for_each(|root| release(root, &mut ready));
    let mut pairs: Vec<Pair> = Vec::with_capacity(count / 2 + 1);
    loop {
        let last = pairs.last();
        let following = last.and_then(|last| {
            let tallest = |i: usize| children(last.joints[i] as usize).max_by_key(|child| rank(*child));
            if last.joints[0] == last.joints[1] { None } else { Some([tallest(0)?, tallest(1)?]) }
        });
        let joints = following.or_else(|| {
            let mut pick = || {
                core::iter::from_fn(|| ready.pop()).map(|(_, core::cmp::Reverse(joint))| joint).find(|j| !is_done[*j])
            };
            let first = pick()?;
            Some([first, pick().unwrap_or(first)])
        });
        let Some(joints) = joints else { return pairs };
        let pair = Pair::new(links, joints, last);
        for joint in pair.joints() {
            if !core::mem::replace(&mut is_done[joint], true) {
                release(joint, &mut ready);
            }
        }
        pairs.push(pair);
    }
}
