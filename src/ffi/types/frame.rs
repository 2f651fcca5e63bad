//! The steps of a frame, and where constraints are placed among them.

use safer_ffi::prelude::*;

/// The steps of a frame, in the order in which sinew_animator_solve runs them.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewFrameStep {
    /// Bone rotation overrides.
    Overrides = 0,
    /// Reserved for trackers; nothing runs here.
    Trackers = 1,
    /// Body position and rotation; the whole-body solver while it is on.
    Body = 2,
    /// Reserved for grounding; nothing runs here.
    Grounding = 3,
    /// Spine and pelvis compensate for goals out of reach.
    Spine = 4,
    /// Look-at: spine, neck, head and eyes.
    LookAt = 5,
    /// The four limbs, with shoulders, hints and stretch.
    Limbs = 6,
    /// Rotations of hands and feet.
    EndRotations = 7,
    /// Constraints whose placement is SINEW_CONSTRAINT_PLACEMENT_STACK.
    Constraints = 8,
    /// Distribution of twist along the limbs.
    Twist = 9,
    /// Inertialization of switches.
    Switches = 10,
}
/// A [`SinewFrameStep`] as it arrives, checked before use.
pub type SinewFrameStepArg = i32;

/// Where in a frame a constraint is solved.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewConstraintPlacement {
    /// In the step SINEW_FRAME_STEP_CONSTRAINTS. The default.
    Stack = 0,
    /// Right before a step.
    Before = 1,
    /// Right after a step.
    After = 2,
}
/// A [`SinewConstraintPlacement`] as it arrives, checked before use.
pub type SinewConstraintPlacementArg = i32;
