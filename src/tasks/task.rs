//! What a task is: its anchors, its rows, and the trait.

use crate::math::{Mat3, Quat, Vec3};
use crate::skeleton::JointIndex;

/// Most rows of a task.
pub const MAX_ROWS: usize = 3;
/// Most anchors of a task.
pub const MAX_ANCHORS: usize = 3;

/// What a row hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// A joint of the skeleton.
    Joint(JointIndex),
    /// The centre of mass of all joints with a mass; it has no rotation.
    CenterOfMass,
}

/// Where an anchor is, in the space of the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position of the joint, or of the centre of mass.
    pub position: Vec3,
    /// Rotation of the joint, unit.
    pub rotation: Quat,
}

impl Placement {
    /// At the origin.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// A point given in the joint's space.
    #[inline(always)]
    pub fn point(&self, point_js: Vec3) -> Vec3 {
        if point_js == Vec3::ZERO { self.position } else { self.position + self.rotation * point_js }
    }
}

/// One anchor's part of the Jacobian.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Term {
    /// Where the forces act, in the space of the solve; carried along by the anchor.
    pub point: Vec3,
    /// Force of each row.
    pub force: [Vec3; MAX_ROWS],
    /// Free torque of each row.
    pub torque: [Vec3; MAX_ROWS],
}

/// Rows of a task at a pose.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Rows {
    /// What is left.
    pub value: [f32; MAX_ROWS],
    /// The Jacobian, by anchor.
    pub terms: [Term; MAX_ANCHORS],
}

impl Rows {
    /// Sets a row that one anchor's point moves along an axis.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, value: f32, anchor: usize, force: Vec3, torque: Vec3) {
        self.value[row] = value;
        self.terms[anchor].force[row] = force;
        self.terms[anchor].torque[row] = torque;
    }
}

/// What the rows of a task are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Metres (host units).
    Length,
    /// Radians.
    Angle,
}

/// A residual with its Jacobian.
pub trait Task {
    /// What it hangs on; unused places are `None`.
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS];
    /// Number of rows, 1 to [`MAX_ROWS`], the same at every pose.
    fn row_count(&self) -> usize;
    /// Unit of the rows.
    fn unit(&self) -> Unit;
    /// Whether values below 0 count as met: the rows of an inequality.
    fn is_one_sided(&self) -> bool {
        false
    }
    /// The rows with the anchors placed so. `rows` comes zeroed.
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows);
}

/// Which axes of a frame a position or rotation counts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Axis X, Y, Z counts.
    pub on: [bool; 3],
    /// The frame in the space of the solve: the identity for its own axes, the goal's rotation for the goal's.
    pub frame: Quat,
}

impl Axes {
    /// All three.
    pub const ALL: Self = Self { on: [true; 3], frame: Quat::IDENTITY };

    /// Number of axes that count; with none the task has one row that is always met.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.on.iter().filter(|on| **on).count().max(1)
    }
    /// Calls `row(number, axis)` for each axis that counts, a unit vector in the space of the solve.
    #[inline(always)]
    pub(crate) fn each(&self, mut row: impl FnMut(usize, Vec3)) {
        let matrix = if self.frame == Quat::IDENTITY { Mat3::IDENTITY } else { Mat3::from_quat(self.frame) };
        let mut number = 0;
        for (on, axis) in self.on.into_iter().zip([matrix.x_axis, matrix.y_axis, matrix.z_axis]) {
            if on {
                row(number, axis);
                number += 1;
            }
        }
    }
}

/// One joint's anchors.
pub(crate) fn one(joint: JointIndex) -> [Option<Anchor>; MAX_ANCHORS] {
    [Some(Anchor::Joint(joint)), None, None]
}
