//! How much of each part of the body is the tracked body's own: a weight per part.

/// A part of the body whose answer can be faded to the animation: the pose that
/// [`TrackedBody::apply`](super::TrackedBody::apply) writes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum TrackedPart {
    /// Clavicle, upper arm, forearm and hand. At 0 they have the animation's rotations on the ribs
    /// of the tracked body.
    LeftArm = 0,
    /// The same of the right arm.
    RightArm = 1,
    /// Thigh, shin, foot and toes. At 0 the foot is where the animation has it over the floor below
    /// the tracked body, and the knee points where the animation has it.
    LeftLeg = 2,
    /// The same of the right leg.
    RightLeg = 3,
    /// At 0 the animation's bob, sway and tilt of the hips are added to the tracked hips; the head
    /// and the hands stay where they are.
    Pelvis = 4,
    /// Fingers with trackers.
    LeftFingers = 5,
    /// Fingers with trackers.
    RightFingers = 6,
}

impl TrackedPart {
    /// Number of parts.
    pub const COUNT: usize = 7;
    /// All parts, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::LeftArm,
        Self::RightArm,
        Self::LeftLeg,
        Self::RightLeg,
        Self::Pelvis,
        Self::LeftFingers,
        Self::RightFingers,
    ];
    /// Its number.
    pub fn index(self) -> usize {
        self as usize
    }
}
