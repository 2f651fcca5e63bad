//! The order of the steps of a frame, written once.
//!
//! Whatever runs a frame implements [`Frame`] — one character with all that is set
//! ([`super::solve`]), or the same steps over a view of one or eight poses ([`super::view_frame`]) —
//! and is taken through the steps by [`run`]. A new step is one line here, a file of its own in the
//! layer that knows it, and a method of [`super::solve::PoseFrame`] that calls it.

/// Lists the steps; makes the enum, its order, the trait and the walk from the list.
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

        /// What can be taken through the steps of a frame. A step that is not implemented does
        /// nothing.
        pub(super) trait Frame {
            /// Whether anything is placed between the steps.
            #[inline(always)]
            fn has_placed(&self) -> bool {
                false
            }
            /// Runs what is placed in a slot.
            #[inline(always)]
            fn place(&mut self, _slot: Slot) {}
            $(
                $(#[$doc])*
                #[inline(always)]
                fn $run(&mut self) {}
            )*
        }

        /// Takes a frame through all steps.
        #[inline(always)]
        pub(super) fn run(frame: &mut impl Frame) {
            if frame.has_placed() {
                return run_with_placed(frame);
            }
            $(frame.$run();)*
        }

        /// The same with what is placed between the steps.
        #[cold]
        #[inline(never)]
        fn run_with_placed(frame: &mut impl Frame) {
            $(
                frame.place(Slot::of(ConstraintPlacement::Before(FrameStep::$step)));
                frame.$run();
                frame.place(Slot::of(ConstraintPlacement::After(FrameStep::$step)));
            )*
        }

        /// The largest of all steps' answers to a question.
        #[inline(always)]
        pub(super) fn largest<T: Ord>(least: T, answer: impl Fn(FrameStep) -> T) -> T {
            $(let least = least.max(answer(FrameStep::$step));)*
            least
        }
    };
}

frame_steps! {
    /// Local rotations of bones that the host replaced.
    Overrides = 0, overrides;
    /// Place of trackers: nothing runs here yet.
    Trackers = 1, trackers;
    /// Body position and rotation.
    Body = 2, body;
    /// Place of grounding: nothing runs here yet.
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
    /// Rolls that goals added are distributed along the limbs.
    Twist = 9, twist;
    /// Inertialization: what is left of switches is added to the pose.
    Switches = 10, switches;
}

/// Where in a frame a constraint is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConstraintPlacement {
    /// In the step [`FrameStep::Constraints`]. The default.
    #[default]
    Stack,
    /// Right before a step; after what is placed after the step before it.
    Before(FrameStep),
    /// Right after a step.
    After(FrameStep),
}

/// A place in the order of a frame. A gap between two steps has two: after the one, before the other.
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
    /// The placement of a slot that [`Self::of`] gave.
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
