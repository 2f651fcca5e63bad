//! Layouts of matrices.

use safer_ffi::prelude::*;

/// How the numbers of a matrix are laid out. A matrix maps a point of the joint to the space it is
/// computed in: `p' = M p`, with the axes and the position of the joint as columns.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewMatrixLayout {
    /// 16 numbers, column after column (OpenGL, Vulkan with GLM, Unity, glTF).
    Columns4x4 = 0,
    /// 16 numbers, row after row.
    Rows4x4 = 1,
    /// 12 numbers: four columns of three.
    Columns3x4 = 2,
    /// 12 numbers: three rows of four, without the last row 0 0 0 1 (shaders, DirectX ray tracing).
    Rows3x4 = 3,
}
/// A [`SinewMatrixLayout`] as it arrives, checked before use.
pub type SinewMatrixLayoutArg = i32;
