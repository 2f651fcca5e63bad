//! The joints of a two-bone limb.

use crate::skeleton::{JointIndex, Skeleton};

/// The three joints of a limb, each a descendant of the one before, and those between them.
#[derive(Clone, Debug, PartialEq)]
pub struct LimbJoints {
    /// Root … mid … end, with every joint between, in joint order; ends with mid when `end` is not
    /// a descendant of it.
    path: Box<[JointIndex]>,
    /// Index of the mid joint in `path`.
    mid_place: usize,
    end: JointIndex,
}

impl LimbJoints {
    /// A limb; `None` unless `mid` is a descendant of `root`, and `end` a descendant of `mid` or
    /// outside the limb.
    pub fn new(skeleton: &Skeleton, root: JointIndex, mid: JointIndex, end: JointIndex) -> Option<Self> {
        let below = |above, below| above != below && skeleton.is_self_or_ancestor(above, below);
        let attached = below(mid, end);
        if !below(root, mid) || (!attached && (skeleton.is_self_or_ancestor(root, end) || below(end, root))) {
            return None;
        }
        let last = if attached { end } else { mid };
        let mut path = vec![last];
        path.extend(skeleton.ancestors(last).take_while(|j| *j != root));
        path.push(root);
        path.reverse();
        let mid_place = path.iter().position(|j| *j == mid)?;
        Some(Self { path: path.into(), mid_place, end })
    }
    /// The first joint (shoulder, hip).
    pub fn root(&self) -> JointIndex {
        self.path[0]
    }
    /// The joint that bends (elbow, knee).
    pub fn mid(&self) -> JointIndex {
        self.path[self.mid_place]
    }
    /// The end joint, which has the goal (wrist, ankle).
    pub fn end(&self) -> JointIndex {
        self.end
    }
    /// Whether the end is a descendant of the mid joint.
    pub fn is_attached(&self) -> bool {
        self.path[self.path.len() - 1] == self.end
    }
    /// Root to end with every joint between; to the mid joint when the end is not a descendant of
    /// it.
    pub fn path(&self) -> &[JointIndex] {
        &self.path
    }
    /// Index of the mid joint in the path.
    #[inline(always)]
    pub(super) fn mid_place(&self) -> usize {
        self.mid_place
    }
    /// The joints below the root, to the mid joint.
    #[inline(always)]
    pub(super) fn upper_path(&self) -> &[JointIndex] {
        &self.path[1..self.mid_place + 1]
    }
    /// The joints below the mid joint, to the end.
    #[inline(always)]
    pub(super) fn lower_path(&self) -> &[JointIndex] {
        &self.path[self.mid_place + 1..]
    }
}
