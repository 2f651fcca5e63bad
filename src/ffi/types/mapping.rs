//! The report of the automatic mapping.

use super::math::SinewVec3;
use safer_ffi::prelude::*;

/// Basis of the mapping of one bone.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewEvidence {
    /// The bone is not mapped.
    None = 0,
    /// The joint's name.
    Name = 1,
    /// Its place in the hierarchy, between joints found otherwise.
    Topology = 2,
    /// Positions in the rest pose: symmetry, heights, lengths.
    Geometry = 3,
}

/// Kind of body that a skeleton seems to be.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodyShape {
    /// All required bones are there and placed as in a human body.
    Humanoid = 0,
    /// Human bones were found, but required ones are missing.
    Incomplete = 1,
    /// The trunk extends across the legs: an animal. No bone is mapped.
    FourLegged = 2,
    /// Nothing that resembles a body. No bone is mapped.
    Unknown = 3,
}

/// Basis of left and right.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewSideSource {
    /// Names with a side.
    Names = 0,
    /// The direction that the character faces, and the handedness of model space.
    Facing = 1,
}

/// Flag of SinewMappingHints::flags and SinewMappingReport::flags: model space is left-handed, as
/// in Unity and Unreal. Off by default: right-handed, as in glTF, Blender and Godot.
pub const SINEW_MAPPING_LEFT_HANDED: u32 = 1;
/// Flag of SinewMappingReport::flags: `right`, `up` and `forward` are known.
pub const SINEW_MAPPING_AXES: u32 = 1 << 1;

/// What is known about a skeleton's axes before it is mapped.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewMappingHints {
    /// Set by sinew_mapping_hints_default.
    pub struct_size: u32,
    /// SINEW_MAPPING_LEFT_HANDED or 0 (default). Only counts for rigs whose names have no sides.
    pub flags: u32,
    /// Up axis in model space, any length; zero (default): computed from the joints.
    pub up: SinewVec3,
    /// Direction that the character faces, model space, any length; zero (default): computed from
    /// the feet.
    pub forward: SinewVec3,
}

/// How one human bone was mapped.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewMappedBone {
    /// Index of its joint, or -1.
    pub joint: i32,
    /// A SinewEvidence; SINEW_EVIDENCE_NONE without a joint.
    pub evidence: i32,
    /// 0 … 1; a bone below 0.5 should be checked by a person. 0 without a joint.
    pub confidence: f32,
}

/// How a skeleton was mapped.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewMappingReport {
    /// A SinewBodyShape.
    pub shape: i32,
    /// A SinewSideSource.
    pub sides: i32,
    /// Number of human bones that have a joint, 0 … SINEW_HUMAN_BONE_COUNT.
    pub found_count: u32,
    /// Number of required bones without a joint, 0 … 15.
    pub missing_count: u32,
    /// Number of doubts and contradictions; sinew_skeleton_get_mapping_text has them.
    pub note_count: u32,
    /// Bitwise OR of SINEW_MAPPING_AXES and SINEW_MAPPING_LEFT_HANDED.
    pub flags: u32,
    /// To the character's right, model space, unit; zero without SINEW_MAPPING_AXES.
    pub right: SinewVec3,
    /// From the feet to the head.
    pub up: SinewVec3,
    /// Where the chest faces.
    pub forward: SinewVec3,
}
