//! In which order the frames of a whole skeleton are made: two joints at a time, neither below the other, parents first.
//!
//! A register of eight numbers takes two joints. Which two is settled once per skeleton: of the joints whose parents are done, those two with
//! the longest way down below them (T. C. Hu, "Parallel sequencing and assembly line problems", Operations Research 1961: with two machines no
//! order needs fewer steps). Each joint's numbers are its own, so the order does not show in them.

use super::JointIndex;
use crate::math::rigid::TIGHTENED_DEPTH;
use std::collections::BinaryHeap;

/// Stands for no joint.
const NONE: u32 = u32::MAX;

/// Two joints to be done in one step, with what they hang from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The second is [`NONE`], which is no index, where a joint has no partner.
    joints: [u32; 2],
    links: [Link; 2],
}

/// What a joint hangs from: its parent's index, with a mark where the joint's rotation is tightened, so that it is no index then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link(u32);

impl Link {
    const MARK: u32 = 1 << 31;

    /// The parent of a joint whose rotation is not tightened; else no index.
    #[inline(always)]
    pub fn plain(self) -> usize {
        self.0 as usize
    }
    /// The parent of a joint whose rotation is tightened, or of one whose is not; of a root no index.
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

/// Of each joint, what it hangs from.
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
    fn new(links: &[Link], a: JointIndex, b: Option<JointIndex>) -> Self {
        Self { joints: [a as u32, b.map_or(NONE, |b| b as u32)], links: [links[a], b.map_or(Link(NONE), |b| links[b])] }
    }
    /// Its joints, one or two.
    pub fn joints(&self) -> impl Iterator<Item = JointIndex> {
        self.joints.into_iter().filter(|j| *j != NONE).map(|j| j as usize)
    }
    /// Index of one of both joints, if it is there.
    #[inline(always)]
    pub fn joint(&self, i: usize) -> usize {
        self.joints[i] as usize
    }
    /// What it hangs from.
    #[inline(always)]
    pub fn link(&self, i: usize) -> Link {
        self.links[i]
    }
}

/// Every joint but the roots, in steps.
pub(super) fn pairs(links: &[Link]) -> Vec<Pair> {
    let count = links.len();
    // Of each joint the longest way down, and its children as a list: the first, and of each the next.
    let (mut height, mut first, mut next) = (vec![0u32; count], vec![NONE; count], vec![NONE; count]);
    for joint in (0..count).rev() {
        if let Some(parent) = links[joint].parent() {
            height[parent] = height[parent].max(height[joint] + 1);
            next[joint] = first[parent];
            first[parent] = joint as u32;
        }
    }
    let mut ready = BinaryHeap::new();
    let done = |joint: usize, ready: &mut BinaryHeap<_>| {
        let mut child = first[joint];
        while child != NONE {
            ready.push((height[child as usize], core::cmp::Reverse(child as usize)));
            child = next[child as usize];
        }
    };
    (0..count).filter(|j| links[*j].parent().is_none()).for_each(|root| done(root, &mut ready));
    let mut pairs = Vec::with_capacity(count / 2 + 1);
    while let Some((_, core::cmp::Reverse(a))) = ready.pop() {
        let b = ready.pop().map(|(_, core::cmp::Reverse(b))| b);
        pairs.push(Pair::new(links, a, b));
        done(a, &mut ready);
        b.inspect(|b| done(*b, &mut ready));
    }
    pairs
}
