//! Definition of a task: anchors, rows, and the trait.

use super::space::InnerSpace;
use crate::debug::Part;
use crate::math::{Mat3, Quat, Vec3};
use crate::skeleton::JointIndex;

/// Maximum number of rows of a task.
pub const MAX_ROWS: usize = 3;
/// Maximum number of anchors of a task.
pub const MAX_ANCHORS: usize = 3;

/// A thing whose placement a row depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// A joint of the skeleton.
    Joint(JointIndex),
    /// The centre of mass of all joints with a mass; it has no rotation.
    CenterOfMass,
}

/// Placement of an anchor, in the space of the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position of the joint, or of the centre of mass.
    pub position: Vec3,
    /// Rotation of the joint, unit.
    pub rotation: Quat,
}

impl Placement {
    /// The origin, without rotation.
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
    /// Point at which the forces act, in the space of the solve; it moves with the anchor.
    pub point: Vec3,
    /// Force of each row.
    pub force: [Vec3; MAX_ROWS],
    /// Free torque of each row.
    pub torque: [Vec3; MAX_ROWS],
}

/// Rows of a task at a pose.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Rows {
    /// The residual.
    pub value: [f32; MAX_ROWS],
    /// The Jacobian, by anchor.
    pub terms: [Term; MAX_ANCHORS],
}

impl Rows {
    /// Sets the value of a row and the force and torque of one anchor.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, value: f32, anchor: usize, force: Vec3, torque: Vec3) {
        self.value[row] = value;
        self.terms[anchor].force[row] = force;
        self.terms[anchor].torque[row] = torque;
    }
}

/// Unit of the rows of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Metres (host units).
    Length,
    /// Radians.
    Angle,
}

/// A residual with its Jacobian.
pub trait Task {
    /// Anchors; unused places are `None`.
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS];
    /// Number of rows, 1 to [`MAX_ROWS`], the same at every pose.
    fn row_count(&self) -> usize;
    /// Unit of the rows.
    fn unit(&self) -> Unit;
    /// Whether values below 0 count as met: the rows of an inequality.
    fn is_one_sided(&self) -> bool {
        false
    }
    /// Computes the rows for these placements. `rows` is zero before the call.
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows);
    /// Brings what is given in an outer space into an inner one; what is given in a joint's space,
    /// and rows that the host computes, stay.
    fn enter(&mut self, _space: &InnerSpace) {}
    /// Moves the goal to where the anchors are: the task becomes a pin. A distance or a plane that
    /// counts on one side then holds the border where the point is; an area that carries the centre
    /// of mass and rows of the host stay as they are.
    fn hold(&mut self, _at: &[Placement; MAX_ANCHORS]) {}
    /// Points that are given in a joint's space, with the joint.
    fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
        [None; 2]
    }
    /// Changes the points of [`Self::points`]; others than those are not looked at.
    fn set_points(&mut self, _points: [Vec3; 2]) {}
    /// Draws the goal, and what is left of it, in the space of the solve.
    fn draw(&self, _at: &[Placement; MAX_ANCHORS], _lines: &mut dyn GoalSink) {}
}

/// Draws goals of tasks, in the space of the solve.
pub trait GoalSink {
    /// A line.
    fn line(&mut self, from: Vec3, to: Vec3, part: Part);
    /// A mark at a point.
    fn cross(&mut self, at: Vec3, part: Part);
    /// A convex area below the body.
    fn area(&mut self, corners: &[Vec3], up: Vec3);
    /// Length of marks.
    fn mark(&self) -> f32;
    /// What is left of the way to a goal, and the goal.
    fn goal(&mut self, from: Vec3, to: Vec3) {
        self.line(from, to, Part::Residual);
        self.cross(to, Part::GoalAxis);
    }
    /// The axes of a goal rotation.
    fn frame(&mut self, at: Vec3, rotation: Quat) {
        for axis in Vec3::AXES {
            self.line(at, at + rotation * axis * self.mark(), Part::GoalAxis);
        }
    }
}

/// Active axes of a position or rotation task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Whether axis X, Y, Z is active.
    pub on: [bool; 3],
    /// The frame in the space of the solve: the identity for the axes of that space, the goal's
    /// rotation for the goal's axes.
    pub frame: Quat,
    /// Whether `frame` is seen from the task's joint: the axes turn with the effector. Not for the
    /// centre of mass, which has no rotation.
    pub turn_with_joint: bool,
}

impl Axes {
    /// All three.
    pub const ALL: Self = Self { on: [true; 3], frame: Quat::IDENTITY, turn_with_joint: false };

    /// Number of active axes; with none the task has one row that is always met.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.on.iter().filter(|on| **on).count().max(1)
    }
    /// These axes of a joint with this rotation, in the space of the solve.
    #[inline(always)]
    pub(crate) fn of_joint(&self, rotation: Quat) -> Self {
        if self.turn_with_joint { Self { frame: rotation * self.frame, ..*self } } else { *self }
    }
    /// These axes seen from an inner space; all three count the same in any frame.
    pub(crate) fn enter(&mut self, space: &InnerSpace) {
        if !(space.keeps_axes || self.turn_with_joint || self.on == [true; 3]) {
            self.frame = space.rotation(self.frame);
        }
    }
    /// The part of a way that counts.
    pub(crate) fn along(&self, way: Vec3) -> Vec3 {
        let (axes, count) = self.active();
        axes[..count].iter().fold(Vec3::ZERO, |sum, axis| sum + *axis * way.dot(*axis))
    }
    /// Torque of a row `axis · left`, beside the force along the axis: none where the axis stays;
    /// `(ω × axis) · left = ω · (axis × left)` where it turns with the joint.
    #[inline(always)]
    pub(crate) fn turn_torque(&self, axis: Vec3, left: Vec3) -> Vec3 {
        if self.turn_with_joint { left.cross(axis) } else { Vec3::ZERO }
    }
    /// The active axes, unit vectors in the space of the solve, and how many these are. Not a
    /// function that calls a closure, which would not be compiled for the level of instructions.
    #[inline(always)]
    pub(crate) fn active(&self) -> ([Vec3; 3], usize) {
        let matrix = if self.frame == Quat::IDENTITY { Mat3::IDENTITY } else { Mat3::from_quat(self.frame) };
        let mut axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        if self.on == [true; 3] {
            return (axes, 3);
        }
        let mut count = 0;
        for (number, on) in self.on.iter().enumerate() {
            if *on {
                axes[count] = axes[number];
                count += 1;
            }
        }
        (axes, count)
    }
}

/// Anchors of a task on one joint.
pub(crate) fn one(joint: JointIndex) -> [Option<Anchor>; MAX_ANCHORS] {
    [Some(Anchor::Joint(joint)), None, None]
}
