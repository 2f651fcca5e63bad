//! In which order the frames of a whole skeleton are made: two joints at a time, neither below the
//! other, parents first.
//!
//! A register of eight numbers takes two joints. Which two is settled once per skeleton: of the
//! joints whose parents are done, those two with the longest way down below them (T. C. Hu,
//! "Parallel sequencing and assembly line problems", Operations Research 1961: with two machines no
//! order needs fewer steps), but a child of each of the last two where both have one: their frames
//! are still in the register then, and on characters that needs no more steps. Each joint's numbers
//! are its own, so the order does not show in them.

use super::JointIndex;
use crate::math::rigid::TIGHTENED_DEPTH;
use std::collections::BinaryHeap;

/// Stands for no joint.
const NONE: u32 = u32::MAX;

/// Two joints to be done in one step, with what they hang from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Both are the same where a joint has no partner.
    joints: [u32; 2],
    links: [Link; 2],
    follows: bool,
}

/// What a joint hangs from: its parent's index, with a mark where the joint's rotation is
/// tightened, so that it is no index then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link(u32);

impl Link {
    const MARK: u32 = 1 << 31;

    /// The parent of a joint whose rotation is not tightened; else no index.
    #[inline(always)]
    pub fn plain(self) -> usize {
        self.0 as usize
    }
    /// The parent of a joint whose rotation is tightened, or of one whose is not; of a root no
    /// index.
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
    fn new(links: &[Link], joints: [JointIndex; 2], last: Option<&Self>) -> Self {
        let own = joints.map(|joint| links[joint]);
        let is_child = |i: usize| last.is_some_and(|last| own[i].0 == last.joints[i]);
        Self { joints: joints.map(|joint| joint as u32), links: own, follows: is_child(0) && is_child(1) }
    }
    /// Whether its joints, of which none is tightened, hang from those of the pair before it, each
    /// from the one in its place.
    #[inline(always)]
    pub fn follows(&self) -> bool {
        self.follows
    }
    /// Its joints, or one joint twice.
    pub fn joints(&self) -> [JointIndex; 2] {
        self.joints.map(|joint| joint as usize)
    }
    /// Index of one of both joints.
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
    // Of each joint the longest way down, and its children as a list: the first, and of each the
    // next.
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
