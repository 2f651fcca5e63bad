//! What follows from a rig and its tasks, settled when a task is added or removed: which joints
//! take part, in which order, and the lowest joint above each two anchors. Rows are given out again
//! when a blend becomes 0 or ceases to be: tasks that are absent have none.

use super::couplings::JointCoupling;
use super::demand::Demand;
use crate::math::Vec3;
use crate::skeleton::{JointIndex, Skeleton};
use crate::tasks::{Anchor, MAX_ANCHORS, Task};

/// Where an anchor is among the joints that take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// No anchor.
    None,
    /// One of the joints that take part.
    Joint(usize),
    /// A joint outside of the body: it does not move in the solve.
    Fixed(JointIndex),
    /// The centre of mass.
    CenterOfMass,
}

/// Rows one after the other whose first anchors have the same lowest joint in common with a task's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub start: usize,
    pub end: usize,
    pub common: usize,
}

/// Consecutive rows with the same joint as first anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub joint: usize,
    pub start: usize,
    pub end: usize,
    /// Rows from the group's first on, by what they have in common with it: first and last of
    /// [`Plan::runs`].
    pub runs: (usize, usize),
}

/// One task's rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Planned {
    /// Index of the demand.
    pub demand: usize,
    /// First row.
    pub row: usize,
    /// First row when all tasks are present.
    pub home: usize,
    /// Number of rows.
    pub rows: usize,
    /// Its anchors.
    pub places: [Place; MAX_ANCHORS],
}

impl Planned {
    /// The joint of the first anchor.
    pub fn joint(&self) -> Option<usize> {
        if let Place::Joint(joint) = self.places[0] { Some(joint) } else { None }
    }
    /// Whether it depends on more joints than the first.
    pub fn has_more_joints(&self) -> bool {
        self.places[1..].iter().any(|place| matches!(place, Place::Joint(_)))
    }
}

/// The plan of a solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Joints that take part, in skeleton order; the first is the root.
    pub joints: Vec<JointIndex>,
    /// Of each, the place of its parent among them (the root's own place for the root).
    pub parents: Vec<usize>,
    /// Whether a task that is present depends on it.
    pub needed: Vec<bool>,
    /// Whether joints follow others.
    couples: bool,
    /// Tasks that are present, higher priority first.
    pub tasks: Vec<Planned>,
    /// Number of their rows.
    pub rows: usize,
    /// All tasks, present or not, higher priority first; `row` is not set.
    pub all: Vec<Planned>,
    /// Number of rows of all tasks.
    pub all_rows: usize,
    /// Rows by joint, in order.
    pub groups: Vec<Group>,
    /// The groups' runs.
    pub runs: Vec<Run>,
    /// Rows in no group, from first to last.
    pub gaps: Vec<(usize, usize)>,
    /// Whether any task has more than one joint as anchor.
    pub has_more_joints: bool,
    /// Whether a task depends on the centre of mass.
    pub has_center_of_mass: bool,
    /// Whether all anchors, of absent tasks too, are joints that take part.
    pub has_joints_only: bool,
    /// Whether the joints that take part are those with a mass.
    pub moves_masses: bool,
    /// Of each joint of the skeleton, the nearest one that takes part at or above it (for masses);
    /// `usize::MAX` outside.
    pub carrier: Vec<usize>,
    /// Lowest place above both, by two places; joints in anchors only.
    common: Vec<u32>,
}

impl Plan {
    pub fn new(
        skeleton: &Skeleton,
        root: JointIndex,
        demands: &[Option<Demand>],
        couplings: &[(JointIndex, JointCoupling)],
        masses: &[(f32, Vec3)],
    ) -> Self {
        let count = skeleton.joint_count();
        let mut needed = vec![false; count];
        needed[root] = true;
        let inside = |joint: JointIndex| joint == root || skeleton.ancestors(joint).any(|j| j == root);
        let need = |needed: &mut [bool], joint: JointIndex| {
            let mut at = Some(joint);
            while let Some(j) = at.filter(|j| !needed[*j]) {
                needed[j] = true;
                at = skeleton.parent(j);
            }
        };
        let live = || demands.iter().enumerate().filter_map(|(i, d)| d.as_ref().map(|d| (i, d)));
        for (_, demand) in live() {
            for anchor in demand.task.anchors().into_iter().flatten() {
                match anchor {
                    Anchor::Joint(joint) if inside(joint) => need(&mut needed, joint),
                    Anchor::Joint(_) | Anchor::CenterOfMass => {}
                }
            }
        }
        // Where nothing else moves, tasks on the centre of mass move all that has a mass.
        let moves_masses = needed.iter().filter(|needed| **needed).count() == 1 && live().any(|(_, d)| d.is_of_mass());
        if moves_masses {
            let heavy = (0..count).filter(|joint| masses[*joint].0 > 0.0 && inside(*joint));
            heavy.for_each(|joint| need(&mut needed, joint));
        }
        // A joint that follows another, and the one that it follows, take part together.
        while let Some((a, b)) =
            couplings.iter().map(|(joint, c)| (*joint, c.driver)).find(|(a, b)| needed[*a] != needed[*b])
        {
            need(&mut needed, a);
            need(&mut needed, b);
        }
        let joints: Vec<JointIndex> = (0..count).filter(|j| needed[*j]).collect();
        let place = |joint: JointIndex| joints.binary_search(&joint).ok();
        let parents: Vec<usize> = joints
            .iter()
            .map(|j| if *j == root { 0 } else { skeleton.parent(*j).and_then(place).unwrap_or(0) })
            .collect();
        let mut carrier = vec![usize::MAX; count];
        for joint in 0..count {
            carrier[joint] = match place(joint) {
                Some(own) => own,
                None => skeleton.parent(joint).map_or(usize::MAX, |p| carrier[p]),
            };
        }
        let (needed, couples) = (vec![false; joints.len()], !couplings.is_empty());
        let mut plan = Self { joints, parents, needed, couples, carrier, moves_masses, ..Self::default() };
        // Neighbours in the tree are stored side by side, so that runs are long.
        let first_joint = |d: &Demand| match d.task.anchors()[0] {
            Some(Anchor::Joint(joint)) => joint,
            _ => usize::MAX,
        };
        let mut order: Vec<(u8, usize, usize)> = live().map(|(i, d)| (d.level, first_joint(d), i)).collect();
        order.sort_unstable();
        for (_, _, index) in order {
            let Some(demand) = &demands[index] else { continue };
            let places = demand.task.anchors().map(|anchor| match anchor {
                None => Place::None,
                Some(Anchor::CenterOfMass) => Place::CenterOfMass,
                Some(Anchor::Joint(joint)) if inside(joint) => {
                    plan.joints.binary_search(&joint).map_or(Place::Fixed(joint), Place::Joint)
                }
                Some(Anchor::Joint(joint)) => Place::Fixed(joint),
            });
            let rows = demand.task.row_count();
            plan.all.push(Planned { demand: index, row: 0, home: plan.all_rows, rows, places });
            plan.all_rows += rows;
        }
        let is_other = |place: &Place| matches!(place, Place::Fixed(_) | Place::CenterOfMass);
        plan.has_joints_only = !plan.all.iter().any(|task| task.places.iter().any(is_other));
        plan.number_common();
        // Room for all tasks: later arrangements are not larger.
        plan.arrange(|_| true);
        plan
    }

    /// The demands of all tasks, in the order of their rows.
    pub fn demands(&self) -> impl Iterator<Item = usize> {
        self.all.iter().map(|task| task.demand)
    }
    /// Whether the tasks that are present are those that `is_present` names by their demands.
    pub fn is_arranged(&self, is_present: impl Fn(usize) -> bool) -> bool {
        let present = self.all.iter().map(|task| task.demand).filter(|demand| is_present(*demand));
        self.tasks.iter().map(|task| task.demand).eq(present)
    }
    /// Gives rows to the tasks that are present and to no others. Does not allocate after the first
    /// time, which is with all tasks.
    pub fn arrange(&mut self, is_present: impl Fn(usize) -> bool) {
        let Self { all, tasks, .. } = self;
        tasks.clear();
        tasks.extend(all.iter().filter(|task| is_present(task.demand)));
        self.rows = 0;
        for task in &mut self.tasks {
            task.row = self.rows;
            self.rows += task.rows;
        }
        self.find_groups();
        self.has_center_of_mass = self.tasks.iter().any(|task| task.places.contains(&Place::CenterOfMass));
        self.find_needed();
    }

    fn find_needed(&mut self) {
        self.needed.fill(self.has_center_of_mass || self.couples);
        for place in self.tasks.iter().flat_map(|task| task.places) {
            let Place::Joint(mut joint) = place else { continue };
            while !self.needed[joint] {
                self.needed[joint] = true;
                joint = self.parents[joint];
            }
        }
    }

    fn find_groups(&mut self) {
        self.groups.clear();
        self.gaps.clear();
        self.runs.clear();
        for task in &self.tasks {
            let (start, end) = (task.row, task.row + task.rows);
            let Some(joint) = task.joint() else {
                match self.gaps.last_mut() {
                    Some(last) if last.1 == start => last.1 = end,
                    _ => self.gaps.push((start, end)),
                }
                continue;
            };
            match self.groups.last_mut() {
                Some(last) if last.joint == joint && last.end == start => last.end = end,
                _ => self.groups.push(Group { joint, start, end, runs: (0, 0) }),
            }
        }
        for number in 0..self.groups.len() {
            let (joint, first) = (self.groups[number].joint, self.runs.len());
            for place in number..self.groups.len() {
                let other = self.groups[place];
                let common = self.common(joint, other.joint);
                match self.runs[first..].last_mut() {
                    Some(last) if last.common == common && last.end == other.start => last.end = other.end,
                    _ => self.runs.push(Run { start: other.start, end: other.end, common }),
                }
            }
            self.groups[number].runs = (first, self.runs.len());
        }
        self.has_more_joints = self.tasks.iter().any(Planned::has_more_joints);
    }

    fn number_common(&mut self) {
        let n = self.joints.len();
        self.common = vec![0; n * n];
        for i in 0..n {
            for k in 0..n {
                let (mut a, mut b) = (i, k);
                while a != b {
                    if a > b { a = self.parents[a] } else { b = self.parents[b] }
                }
                self.common[i * n + k] = a as u32;
            }
        }
    }
    /// The lowest joint above both (or one of them).
    #[inline(always)]
    pub fn common(&self, a: usize, b: usize) -> usize {
        self.common[a * self.joints.len() + b] as usize
    }
}
