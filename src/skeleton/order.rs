//! In which order the frames of a whole skeleton are made: two joints at a time, neither below the other, parents first.
//!
//! A register of eight numbers takes two joints. Which two is settled once per skeleton: of the joints whose parents are done, those two with
//! the longest way down below them (T. C. Hu, "Parallel sequencing and assembly line problems", Operations Research 1961: with two machines no
//! order needs fewer steps). Each joint's numbers are its own, so the order does not show in them.

use super::JointIndex;
use crate::math::rigid::NORMALIZED_DEPTH;
use std::collections::BinaryHeap;

/// Stands for no joint.
const NONE: u32 = u32::MAX;

/// Two joints to be done in one step, with what they hang from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The second is [`NONE`], which is no index, where a joint has no partner.
    joints: [u32; 2],
    parents: [u32; 2],
}

/// A joint below another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    parent: u32,
    /// Whether its rotation is normalised.
    pub normalized: bool,
}

impl Link {
    /// Of a root.
    const ROOT: Self = Self { parent: NONE, normalized: false };
    /// The parent, if any.
    #[inline(always)]
    pub fn parent(self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}

/// Of each joint, what it hangs from.
pub(super) fn links(parents: &[Option<JointIndex>]) -> Vec<Link> {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    let link = |parent: &Option<JointIndex>| {
        let depth = parent.map_or(0, |p| depths[p] + 1);
        depths.push(depth);
        parent.map_or(Link::ROOT, |p| Link { parent: p as u32, normalized: depth % NORMALIZED_DEPTH == 0 })
    };
    parents.iter().map(link).collect()
}

impl Pair {
    /// Added to a parent where the joint's rotation is normalised: so it is no index, and the pair not taken for a plain one.
    const MARK: u32 = 1 << 31;

    fn new(links: &[Link], a: JointIndex, b: Option<JointIndex>) -> Self {
        let parent = |joint: usize| links[joint].parent | if links[joint].normalized { Self::MARK } else { 0 };
        Self { joints: [a as u32, b.map_or(NONE, |b| b as u32)], parents: [parent(a), b.map_or(NONE, parent)] }
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
    /// Index of what it hangs from; with `NORMALIZED` false, none where the joint's rotation is normalised.
    #[inline(always)]
    pub fn parent<const NORMALIZED: bool>(&self, i: usize) -> usize {
        (if NORMALIZED { self.parents[i] & !Self::MARK } else { self.parents[i] }) as usize
    }
    /// Whether the joint's rotation is normalised.
    #[inline(always)]
    pub fn is_normalized(&self, i: usize) -> bool {
        self.parents[i] & Self::MARK != 0
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
