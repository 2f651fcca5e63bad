//! A task with its weights and its priority.

use crate::tasks::{Anchor, AnyTask, Task};

/// A task of a body with its blend, importance and priority.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// The task.
    pub task: AnyTask,
    /// How far the goal moves from where the incoming pose has the effector to the goal, 0 … 1. At
    /// 0 the task is absent, bit for bit; this is what fades a task in and out. Above 0 the
    /// effector is held at the blended goal, as firmly as at 1, also against tasks that would
    /// carry it away.
    pub blend: f32,
    /// Ratio in conflicts with other tasks of the same level, above 0, default 1: squared distances
    /// count by it. Not for fading: where nothing opposes, the smallest importance is obeyed.
    pub importance: f32,
    /// Priority level, 0 first; tasks of a level give way to those of lower levels.
    pub level: u8,
}

impl Demand {
    /// Highest level there is.
    pub const MAX_LEVEL: u8 = 3;

    /// A task of level 0 with blend and importance 1.
    pub fn new(task: impl Into<AnyTask>) -> Self {
        Self { task: task.into(), blend: 1.0, importance: 1.0, level: 0 }
    }
    /// Whether the task is on the centre of mass.
    pub(super) fn is_of_mass(&self) -> bool {
        self.task.anchors().contains(&Some(Anchor::CenterOfMass))
    }
}
