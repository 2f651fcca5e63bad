//! The order of the steps of a frame, written once.
//!
//! Two types implement [`Frame`]: one character with its whole input ([`super::solve`]), and the
//! same steps over a view of one or eight poses ([`super::view_frame`]). [`run`] calls their steps
//! in order, [`run_with_places`] the constraints between them, too. A new step is one line here, a
//! file in the layer that it belongs to, and a method of [`super::solve::PoseFrame`] that calls it.

use core::ops::RangeInclusive;

/// Lists the steps; generates the enum, its order, the trait and the loop from the list.
macro_rules! frame_steps {
    ($($(#[$doc:meta])* $step:ident = $number:literal, $run:ident;)*) => {
        /// A step of a frame. Steps run in the order of their numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum FrameStep {
            $($(#[$doc])* $step = $number,)*
        }

        impl FrameStep {
            /// All steps, in the order in which they run.
            pub const ALL: &'static [Self] = &[$(Self::$step,)*];
        }

        /// Implementation of the steps of a frame. A step that is not implemented does nothing.
        pub(super) trait Frame {
            $(
                $(#[$doc])*
                #[inline(always)]
                fn $run(&mut self) {}
            )*
        }

        /// Runs all steps of a frame.
        #[inline(always)]
        pub(super) fn run(frame: &mut impl Frame) {
            $(frame.$run();)*
        }

        /// Runs all steps and the constraints placed between them.
        #[cold]
        #[inline(never)]
        fn run_with_placed(frame: &mut impl FrameWithPlaces) {
            $(
                frame.place(Slot::of(ConstraintPlacement::Before(FrameStep::$step)));
                frame.$run();
                frame.place(Slot::of(ConstraintPlacement::After(FrameStep::$step)));
            )*
        }

        /// The largest value of `answer` over all steps.
        #[inline(always)]
        pub(super) fn largest<T: Ord>(least: T, answer: impl Fn(FrameStep) -> T) -> T {
            $(let least = least.max(answer(FrameStep::$step));)*
            least
        }
    };
}

frame_steps! {
    /// Overrides of local bone rotations.
    Overrides = 0, overrides;
    /// Reserved for trackers: nothing runs here yet.
    Trackers = 1, trackers;
    /// Body position and rotation.
    Body = 2, body;
    /// Reserved for grounding: nothing runs here yet.
    Grounding = 3, grounding;
    /// Spine and pelvis compensate for goals out of reach.
    Spine = 4, spine;
    /// Look-at: spine, neck, head and eyes.
    LookAt = 5, look_at;
    /// The four limbs, with shoulders, hints, stretch and joint limits.
    Limbs = 6, limbs;
    /// Rotations of hands and feet.
    EndRotations = 7, end_rotations;
    /// Constraints that are placed nowhere else, in the order in which they were added.
    Constraints = 8, constraints;
    /// Twist: rolls that goals added are distributed along the limbs.
    Twist = 9, twist;
    /// Inertialization: the remaining offsets of switches are added to the pose.
    Switches = 10, switches;
}

/// A frame that may have constraints between its steps.
pub(super) trait FrameWithPlaces: Frame {
    /// Whether any constraint is placed between the steps.
    fn has_placed(&self) -> bool;
    /// Runs the constraints that are placed in a slot.
    fn place(&mut self, slot: Slot);
}

/// Runs all steps of a frame and the constraints that are placed between them.
#[inline(always)]
pub(super) fn run_with_places(frame: &mut impl FrameWithPlaces) {
    if frame.has_placed() {
        return run_with_placed(frame);
    }
    run(frame);
}

/// Where in a frame a constraint is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConstraintPlacement {
    /// In the step [`FrameStep::Constraints`]. The default.
    #[default]
    Stack,
    /// Right before a step; after the constraints placed after the previous step.
    Before(FrameStep),
    /// Right after a step.
    After(FrameStep),
}

/// A place in the order of a frame. Between two steps there are two: after the first, and before
/// the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot(pub u8);

impl Slot {
    /// The step [`FrameStep::Constraints`].
    pub const STACK: Self = Self::of(ConstraintPlacement::Stack);

    /// The slot of a placement.
    pub const fn of(placement: ConstraintPlacement) -> Self {
        match placement {
            ConstraintPlacement::Before(step) => Self(3 * step as u8),
            ConstraintPlacement::Stack => Self(3 * FrameStep::Constraints as u8 + 1),
            ConstraintPlacement::After(step) => Self(3 * step as u8 + 2),
        }
    }
    /// The slots after a step; after the whole-body solver, where that has done the step's work.
    pub fn later(step: FrameStep, has_solved_body: bool) -> RangeInclusive<u8> {
        let step = if has_solved_body { FrameStep::Body } else { step };
        Self::of(ConstraintPlacement::After(step)).0..=u8::MAX
    }
    /// The placement for which [`Self::of`] returns this slot.
    pub fn placement(self) -> ConstraintPlacement {
        let step = FrameStep::ALL[usize::from(self.0 / 3)];
        match self.0 % 3 {
            0 => ConstraintPlacement::Before(step),
            1 => ConstraintPlacement::Stack,
            _ => ConstraintPlacement::After(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_steps_are_their_order() {
        for (place, step) in FrameStep::ALL.iter().enumerate() {
            assert_eq!(*step as usize, place);
        }
    }

    #[test]
    fn slots_rise_with_the_frame_and_give_their_placement_back() {
        let mut last = None;
        for step in FrameStep::ALL {
            for placement in [ConstraintPlacement::Before(*step), ConstraintPlacement::After(*step)] {
                let slot = Slot::of(placement);
                assert!(last < Some(slot));
                assert_eq!(slot.placement(), placement);
                last = Some(slot);
            }
        }
        assert_eq!(Slot::STACK.placement(), ConstraintPlacement::Stack);
        assert!(Slot::of(ConstraintPlacement::Before(FrameStep::Constraints)) < Slot::STACK);
        assert!(Slot::STACK < Slot::of(ConstraintPlacement::After(FrameStep::Constraints)));
    }
}
