//! Matrices of all joints in one call: what skinning needs.

use super::guard::guard;
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewMatrixLayout, SinewMatrixLayoutArg};
use super::{read, registry};
use crate::animator::Animator;
use crate::math::{Frame, Vec3};

/// Numbers of a matrix.
fn size(layout: SinewMatrixLayout) -> usize {
    match layout {
        SinewMatrixLayout::Columns4x4 | SinewMatrixLayout::Rows4x4 => 16,
        SinewMatrixLayout::Columns3x4 | SinewMatrixLayout::Rows3x4 => 12,
    }
}

/// Writes the matrix of a frame: axes and position as columns.
fn write(frame: &Frame, layout: SinewMatrixLayout, out: &mut [f32]) {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| frame.vector_out(axis));
    let columns = [axes[0], axes[1], axes[2], frame.position].map(|column| column.to_array());
    let last = [0.0, 0.0, 0.0, 1.0];
    match layout {
        SinewMatrixLayout::Columns4x4 => {
            for (column, out) in out.chunks_exact_mut(4).enumerate() {
                out[..3].copy_from_slice(&columns[column]);
                out[3] = last[column];
            }
        }
        SinewMatrixLayout::Columns3x4 => {
            for (column, out) in out.chunks_exact_mut(3).enumerate() {
                out.copy_from_slice(&columns[column]);
            }
        }
        SinewMatrixLayout::Rows4x4 | SinewMatrixLayout::Rows3x4 => {
            for (row, out) in out.chunks_exact_mut(4).enumerate() {
                for (column, number) in out.iter_mut().enumerate() {
                    *number = if row < 3 { columns[column][row] } else { last[column] };
                }
            }
        }
    }
}

/// Writes the matrices of all joints, each frame as `place` maps it.
unsafe fn write_all(
    animator: SinewAnimator,
    layout: SinewMatrixLayoutArg,
    out_matrices: *mut f32,
    count: u32,
    place: impl Fn(&Frame, &Frame) -> Frame,
) -> Result<(), super::guard::Failure> {
    let layout = read::decode::<SinewMatrixLayout>("layout", layout)?;
    registry::with_animator(animator, |character| {
        read::length("count", count, character.buffer().len())?;
        let size = size(layout);
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_matrices", out_matrices, size * count as usize) }?;
        character.check_pose()?;
        let world = *Animator::world_frame(&character.animator);
        read::computed_frames("out_matrices", &mut character.animator, |frame| place(&world, frame))?;
        for (frame, out) in character.animator.updated_frames().zip(out.chunks_exact_mut(size)) {
            write(&place(&world, &frame), layout, out);
        }
        Ok(())
    })
}

/// Computes the matrices of all joints in model space (forward kinematics), scale and mirroring
/// included. Reads the pose buffer.
///
/// @param layout        a SinewMatrixLayout.
/// @param out_matrices  room for `count` matrices of 12 or 16 numbers, in joint order.
/// @param count         number of matrices: the joint count.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_animator_get_model_matrices(
    animator: SinewAnimator,
    layout: SinewMatrixLayoutArg,
    out_matrices: *mut f32,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_get_model_matrices", || {
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { write_all(animator, layout, out_matrices, count, |_, frame| *frame) }
    })
}

/// Computes the matrices of all joints in world space: those of model space with the root transform
/// applied. Reads the pose buffer.
///
/// @param layout        a SinewMatrixLayout.
/// @param out_matrices  room for `count` matrices of 12 or 16 numbers, in joint order.
/// @param count         number of matrices: the joint count.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_animator_get_world_matrices(
    animator: SinewAnimator,
    layout: SinewMatrixLayoutArg,
    out_matrices: *mut f32,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_get_world_matrices", || {
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { write_all(animator, layout, out_matrices, count, |world, frame| world.compose(frame)) }
    })
}
