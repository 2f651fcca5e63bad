//! Host task: rows that the host computes, for residuals that this layer does not have.

use super::{Anchor, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::skeleton::JointIndex;
use std::sync::Arc;

/// A residual computed by the host: fills rows, which are zero before, from the placements of its
/// anchors. The same placements must give the same rows.
pub trait HostResidual: Send + Sync + core::fmt::Debug {
    /// As [`Task::evaluate`].
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows);
}

/// Rows that the host computes.
#[derive(Clone, Debug)]
pub struct HostTask {
    /// Joints that the rows depend on, 1 to 3; unused places `None`.
    pub joints: [Option<JointIndex>; MAX_ANCHORS],
    /// Number of rows, 1 to 3.
    pub rows: usize,
    /// Unit of the rows.
    pub unit: Unit,
    /// Whether rows below 0 count as met.
    pub one_sided: bool,
    /// What fills the rows.
    pub residual: Arc<dyn HostResidual>,
}

impl PartialEq for HostTask {
    fn eq(&self, other: &Self) -> bool {
        (self.joints, self.rows, self.unit, self.one_sided) == (other.joints, other.rows, other.unit, other.one_sided)
            && Arc::ptr_eq(&self.residual, &other.residual)
    }
}

impl Task for HostTask {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        self.joints.map(|joint| joint.map(Anchor::Joint))
    }
    fn row_count(&self) -> usize {
        self.rows.clamp(1, super::MAX_ROWS)
    }
    fn unit(&self) -> Unit {
        self.unit
    }
    fn is_one_sided(&self) -> bool {
        self.one_sided
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        self.residual.evaluate(at, rows);
    }
}
