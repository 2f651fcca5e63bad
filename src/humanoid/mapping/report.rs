//! The account of how a mapping was found.

use super::super::bone::HumanBone;
use super::super::t_pose::BodyAxes;
use super::human_map::HumanMap;
use crate::skeleton::JointIndex;

/// What a mapping of one bone rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The joint's name.
    Name,
    /// Its place in the hierarchy, between joints found otherwise.
    Topology,
    /// Positions in the rest pose: symmetry, heights, lengths.
    Geometry,
}

/// How one bone was mapped.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingEntry {
    /// The bone.
    pub bone: HumanBone,
    /// Its joint.
    pub joint: JointIndex,
    /// What the mapping rests on.
    pub evidence: Evidence,
    /// The same in a short sentence.
    pub why: String,
    /// 0 … 1; below 0.5 it is worth a look.
    pub confidence: f32,
}

/// What kind of body a skeleton seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyShape {
    /// All required bones are there, arranged as in a human body.
    Humanoid,
    /// Human bones were found, but some that are required are missing.
    Incomplete,
    /// The trunk is across the legs: an animal. No bone is mapped.
    FourLegged,
    /// Nothing that looks like a body.
    Unknown,
}

/// What the sides rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideSource {
    /// From left and right in the names.
    Names,
    /// Left is where it must be for the direction the character faces and the handedness of the
    /// axes.
    Facing,
}

/// Result of the automatic mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingReport {
    /// The bones found.
    pub map: HumanMap,
    /// One entry per bone found, in the order of the bones' numbers.
    pub entries: Vec<MappingEntry>,
    /// Required bones that were not found.
    pub missing_required: Vec<HumanBone>,
    /// What kind of body it is.
    pub shape: BodyShape,
    /// What left and right rest on.
    pub sides: SideSource,
    /// Guess of the body's axes in model space, when enough bones were found.
    pub axes: Option<BodyAxes>,
    /// Contradictions and doubts, one sentence each.
    pub notes: Vec<String>,
}

impl MappingReport {
    /// Whether the skeleton can be used as a humanoid: all required bones are there.
    pub fn is_humanoid(&self) -> bool {
        self.shape == BodyShape::Humanoid
    }
    /// How a bone was mapped.
    pub fn entry(&self, bone: HumanBone) -> Option<&MappingEntry> {
        self.entries.iter().find(|e| e.bone == bone)
    }
}
