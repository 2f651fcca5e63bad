//! Vectors and quaternions of lanes, as plain data.

/// A vector (or several side by side). Space and unit are those that the kernel documents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct LaneVec3<L> {
    /// First component.
    pub x: L,
    /// Second component.
    pub y: L,
    /// Third component.
    pub z: L,
}

/// A rotation quaternion (or several side by side), Hamilton product, `a * b` applies `b` first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct LaneQuat<L> {
    /// First component of the vector part.
    pub x: L,
    /// Second component of the vector part.
    pub y: L,
    /// Third component of the vector part.
    pub z: L,
    /// Scalar part.
    pub w: L,
}
