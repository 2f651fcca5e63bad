//! The skeleton as the mapping sees it: names read, children listed, rest positions.

use super::names::{Aside, NameInfo, Part, Side, read_names};
use crate::math::Vec3;
use crate::skeleton::{JointIndex, Skeleton};

pub(super) struct Body<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) names: Vec<NameInfo>,
    pub(super) children: Vec<Vec<JointIndex>>,
    /// Rest positions in model space.
    pub(super) position: Vec<Vec3>,
    /// Largest side of the box around all joints; never 0.
    pub(super) extent: f32,
    /// Length of the longest line of bones below each joint.
    pub(super) reach: Vec<f32>,
    /// First joint of that line.
    pub(super) main_child: Vec<Option<JointIndex>>,
}

impl<'a> Body<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let names = read_names(skeleton.names());
        let mut children = vec![Vec::new(); skeleton.joint_count()];
        for (joint, parent) in skeleton.parents().iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(joint);
            }
        }
        let position: Vec<Vec3> = skeleton.rest_model().iter().map(|f| f.position).collect();
        let (mut low, mut high) = (position[0], position[0]);
        for p in &position {
            low = low.min(*p);
            high = high.max(*p);
        }
        let extent = (high - low).max_element();
        let extent = if extent.is_finite() { extent.max(1e-12) } else { 1.0 };
        let mut reach = vec![0.0f32; names.len()];
        let mut main_child = vec![None; names.len()];
        for joint in (0..names.len()).rev() {
            for &child in children[joint].iter().filter(|c| matches!(names[**c].aside, Aside::No | Aside::Twist)) {
                let length = (position[child] - position[joint]).length() + reach[child];
                if main_child[joint].is_none() || length > reach[joint] {
                    reach[joint] = length;
                    main_child[joint] = Some(child);
                }
            }
        }
        Self { skeleton, names, children, position, extent, reach, main_child }
    }

    pub(super) fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.skeleton.parent(joint)
    }
    pub(super) fn part(&self, joint: JointIndex) -> Part {
        self.names[joint].part
    }
    pub(super) fn side(&self, joint: JointIndex) -> Option<Side> {
        self.names[joint].side
    }
    pub(super) fn is_bone(&self, joint: JointIndex) -> bool {
        self.names[joint].is_bone()
    }
    /// Whether the name is that of a central part of the trunk.
    pub(super) fn is_trunk(&self, joint: JointIndex) -> bool {
        self.is_bone(joint) && self.side(joint).is_none() && self.part(joint).is_trunk()
    }
    pub(super) fn distance(&self, a: JointIndex, b: JointIndex) -> f32 {
        (self.position[a] - self.position[b]).length()
    }
    /// Whether `ancestor` is above `joint` (not the joint itself).
    pub(super) fn is_above(&self, ancestor: JointIndex, joint: JointIndex) -> bool {
        ancestor != joint && self.skeleton.is_self_or_ancestor(ancestor, joint)
    }
    /// The joint and its ancestors, from the joint up.
    pub(super) fn up(&self, joint: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
        core::iter::once(joint).chain(self.skeleton.ancestors(joint))
    }
    /// Lowest common joint of both, each counting as its own ancestor.
    pub(super) fn common(&self, a: JointIndex, b: JointIndex) -> Option<JointIndex> {
        let (mut a, mut b) = (a, b);
        while a != b {
            // Parents have lower numbers, so the higher one cannot be above the other.
            if a > b { a = self.parent(a)? } else { b = self.parent(b)? }
        }
        Some(a)
    }
    /// The joint and the main line below it (the longest by path length), at most `limit` joints;
    /// leaf ends, controls and extras are left out.
    pub(super) fn line_down(&self, joint: JointIndex, limit: usize) -> Vec<JointIndex> {
        let mut line = vec![joint];
        while line.len() < limit
            && let Some(next) = self.main_child[line[line.len() - 1]]
        {
            line.push(next);
        }
        line
    }
    /// Whether a joint may be on a line of bones: bones and the twist joints between them.
    pub(super) fn is_line(&self, joint: JointIndex) -> bool {
        matches!(self.names[joint].aside, Aside::No | Aside::Twist)
    }
}
