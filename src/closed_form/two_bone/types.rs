//! Input and result of the two-bone solve, as plain data.

use crate::math::{Lane, LaneQuat, LaneVec3, tiled};

/// A limb and its target, in the solve space, relative to the root joint. Lengths in metres (host
/// units).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
// In the order of the C interface's record, which is read as one of these.
#[repr(C)]
pub struct TwoBone<L> {
    /// Root joint to mid joint, before the solve.
    pub root_mid: LaneVec3<L>,
    /// Mid joint to end, before the solve.
    pub mid_end: LaneVec3<L>,
    /// Root joint to target.
    pub target: LaneVec3<L>,
    /// Root joint to pole, or the direction of the pole: only the part perpendicular to the target
    /// direction is used.
    pub pole: LaneVec3<L>,
    /// Axis about which the mid joint flexes by a positive turn (right-hand rule by the component
    /// formula); any length except zero. Determines the bend side of a straight limb only.
    pub hinge: LaneVec3<L>,
    /// Direction over which the bend side is carried, any length; zero: the limb's present
    /// direction.
    pub centre: LaneVec3<L>,
    /// Weight of the target: the end stays (0), or goes to the target (1).
    pub weight: L,
    /// Weight of the pole: the limb's own bend side (0), or the pole's (1). In between, the
    /// direction of their weighted sum, so that a pole moving round the limb never flips it, except
    /// at weight ½ with an exactly opposite pole.
    pub pole_weight: L,
    /// Softness σ of the derivation at full weight, 0 … 1; 0 is a hard limb.
    pub softness: L,
    /// Stretch t of the derivation at full weight, 0 … 1; 0 keeps the bone lengths.
    pub stretch: L,
}

/// The turns of the joints, in the solve space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct TwoBoneSolution<L> {
    /// Turn of the root joint: new rotation = `root · old`.
    pub root: LaneQuat<L>,
    /// Turn of the mid joint after the root's: new rotation = `mid · root · old`.
    pub mid: LaneQuat<L>,
    /// Factor on both bone lengths, 1 … 1 + stretch.
    pub stretch: L,
    /// Distance in metres by which the weighted target is out of reach, too far or too near; 0 when
    /// reached.
    pub beyond: L,
}

tiled!(TwoBone { root_mid, mid_end, hinge, centre, target, weight, pole, pole_weight, softness, stretch });
tiled!(TwoBoneSolution { root, mid, stretch, beyond });

impl<L: Lane> TwoBoneSolution<L> {
    /// `if_true` where `mask`, else `if_false`.
    #[inline(always)]
    pub(in crate::closed_form) fn select(mask: L::Mask, if_true: Self, if_false: Self) -> Self {
        Self {
            root: LaneQuat::select(mask, if_true.root, if_false.root),
            mid: LaneQuat::select(mask, if_true.mid, if_false.mid),
            stretch: L::select(mask, if_true.stretch, if_false.stretch),
            beyond: L::select(mask, if_true.beyond, if_false.beyond),
        }
    }
}
