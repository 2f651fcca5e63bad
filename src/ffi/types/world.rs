//! The types of worlds.

use super::super::c_types::c_void;
use super::super::ids::SinewJob;
use super::humanoid::SinewHumanoidInput;
use super::math::SinewTransform;
use safer_ffi::prelude::*;

/// Level of detail of an animator in its world.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewLod {
    /// Solved in every call, with all iterations. The default.
    Full = 0,
    /// Solved in every call; chain constraints and the whole-body solver make only a fraction of
    /// their iterations, at least one. Closed-form steps (limbs, look-at, body position) cost the
    /// same as with SINEW_LOD_FULL.
    ReducedIterations = 1,
    /// Solved in every n-th call. In all calls the pose gets a correction that is interpolated
    /// between those of the last two solves: it moves without a jump, n calls late.
    EveryNth = 2,
    /// Not solved: the pose is neither read nor written.
    Off = 3,
}

/// What sinew_world_solve did with a row.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewRowState {
    /// The row has no animator.
    Empty = 0,
    /// Solved.
    Solved = 1,
    /// Not its turn (SINEW_LOD_EVERY_NTH): the pose got an interpolated correction.
    Between = 2,
    /// The budget was used up (sinew_world_set_budget): the pose got the correction of its last
    /// solve, or none when it was never solved.
    Cut = 3,
    /// SINEW_LOD_OFF; not touched.
    Off = 4,
    /// Refused with an error code; not changed.
    Failed = 5,
}

/// Where the poses of a sinew_world_solve call are.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewPoseLayout {
    /// In each animator's pose buffer (sinew_animator_get_pose_buffer).
    Own = 0,
    /// In one array of the host: row r's transforms, in joint order, start `records_stride` bytes
    /// after those of row r − 1.
    Records = 1,
    /// In one array of the host per row: `pointers[r]` is the address of row r's transforms, in
    /// joint order.
    Pointers = 2,
    /// In separate arrays of the host for positions, rotations and scales.
    Strided = 3,
    /// In the world's structure of arrays (sinew_world_set_arrays), solved in place.
    Soa = 4,
}
/// A [`SinewPoseLayout`] as it arrives, checked before use.
pub type SinewPoseLayoutArg = i32;

/// Which pose arrays a world keeps.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewPoseArrays {
    /// None. The default.
    None = 0,
    /// Local transforms.
    Locals = 1,
    /// Local transforms, and the model-space frames of all joints, updated by every solve from the
    /// arrays.
    LocalsAndFrames = 2,
}
/// A [`SinewPoseArrays`] as it arrives, checked before use.
pub type SinewPoseArraysArg = i32;

/// Where an animator's pose is in its world's structure of arrays.
///
/// Eight animators with one avatar share one block. Each joint has seven rows of eight floats,
/// joint after joint: position x y z (metres), rotation x y z w; each row has one float for each of
/// the eight animators. Number c of joint j is `locals[(7 * j + c) * 8 + place]`, with c from 0
/// (position x) to 6 (rotation w).
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewWorldArrays {
    /// Local transforms, aligned to 32 bytes: write them before a solve and read them after it.
    /// Rotations as in SinewTransform; all scales are 1.
    pub locals: *mut f32,
    /// Model-space frames as of the last solve, same layout, read only; NULL with
    /// SINEW_POSE_ARRAYS_LOCALS. Their rotations are products of the local ones, of length 1 up to
    /// about 1e-7 per parent. Undefined for rows that are off or failed.
    pub frames: *const f32,
    /// Number of joints.
    pub joint_count: u32,
    /// Place of the animator among the eight, 0 … 7.
    pub place: u32,
}

/// Inputs and outputs of one sinew_world_solve: arrays indexed by row (see sinew_world_join).
///
/// Poses are read and written in place; no pointer is kept after the call. Rows without an animator
/// are not touched. Rows must not share memory.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewWorldFrame {
    /// Set by sinew_world_frame_default.
    pub struct_size: u32,
    /// Number of rows of every array below: sinew_world_get_row_count or more if any array is
    /// given.
    pub row_count: u32,
    /// A SinewPoseLayout. Default SINEW_POSE_LAYOUT_OWN.
    pub layout: i32,
    /// Bytes between rows of `records`: a multiple of 4, at least 40 times the largest joint count
    /// of an animator in the world. Default 0, as all strides below; a stride counts only where its
    /// array is given.
    pub records_stride: u32,
    /// SINEW_POSE_LAYOUT_RECORDS: local transforms, read and written. Default NULL, as all pointers
    /// below.
    pub records: *mut SinewTransform,
    /// SINEW_POSE_LAYOUT_POINTERS: for each row the address of its local transforms, read and
    /// written; may be NULL for rows without an animator.
    pub pointers: *const *mut SinewTransform,
    /// SINEW_POSE_LAYOUT_STRIDED: local positions, three floats each, read and written. Joint j of
    /// row r is at r · `positions_row_stride` + j · `positions_joint_stride` bytes.
    pub positions: *mut f32,
    /// The same for local rotations, four floats each: x y z w.
    pub rotations: *mut f32,
    /// The same for local scales, three floats each, read only; NULL: the scales of the rest pose.
    pub scales: *const f32,
    /// Bytes between rows; a multiple of 4.
    pub positions_row_stride: u32,
    /// Bytes between joints; a multiple of 4. Either row after row or joint after joint: the larger
    /// of the two strides must step over everything the smaller one covers.
    pub positions_joint_stride: u32,
    /// Bytes between rows.
    pub rotations_row_stride: u32,
    /// Bytes between joints.
    pub rotations_joint_stride: u32,
    /// Bytes between rows.
    pub scales_row_stride: u32,
    /// Bytes between joints.
    pub scales_joint_stride: u32,
    /// Root transforms, as for sinew_animator_set_root; NULL: those set before.
    pub roots: *const SinewTransform,
    /// Inputs, as for sinew_animator_set_input; NULL: those set before. Not read for rows whose
    /// animator has no avatar.
    pub inputs: *const SinewHumanoidInput,
    /// Bytes between rows of `roots`; a multiple of 4.
    pub roots_stride: u32,
    /// Bytes between rows of `inputs`; a multiple of 4.
    pub inputs_stride: u32,
    /// Out, may be NULL: the SinewResult of each row; SINEW_OK for rows that are empty or were not
    /// to be solved. Written whenever animators were solved, even if some failed.
    pub out_results: *mut i32,
    /// Out, may be NULL: the SinewRowState of each row. Written like out_results.
    pub out_states: *mut i32,
}

/// What a sinew_world_solve call did, in numbers of animators.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewWorldReport {
    /// SINEW_ROW_STATE_SOLVED.
    pub solved: u32,
    /// SINEW_ROW_STATE_BETWEEN.
    pub between: u32,
    /// SINEW_ROW_STATE_CUT.
    pub cut: u32,
    /// SINEW_ROW_STATE_OFF.
    pub off: u32,
    /// SINEW_ROW_STATE_FAILED; see SinewWorldFrame::out_results.
    pub failed: u32,
}

/// Maximum number of threads of a world's own pool.
pub const SINEW_WORLD_MAX_THREADS: u32 = 256;

/// Starts a job in the host's job system: the host's threads call sinew_job_run(job, begin, end)
/// for ranges that together cover 0 … count, each part once, in any order, on any threads (this one
/// too). Returns a task that is passed to the wait callback; NULL: the library runs what is left on
/// the calling thread, and does not wait. `grain` is a good number of parts per range, 1 or more.
///
/// Called on the thread that called sinew_world_solve, before that returns. Calls on the same world
/// return SINEW_ERROR_BUSY.
///
/// It must return normally. An exception that leaves it ends the process (abort); after a longjmp
/// out of it the world is in use for ever, and its animators may be: calls on them return
/// SINEW_ERROR_BUSY.
pub type SinewEnqueue = extern "C-unwind" fn(user: *mut c_void, job: SinewJob, count: u32, grain: u32) -> *mut c_void;

/// Waits until all ranges of a job have been run and their sinew_job_run calls have returned.
/// `task` is what the enqueue callback returned. Called on the same thread; it may run other tasks
/// meanwhile.
///
/// It must return normally. What follows an exception or a longjmp is as for SinewEnqueue.
pub type SinewWait = extern "C-unwind" fn(user: *mut c_void, task: *mut c_void);

/// Returns the time in seconds from any start; it never goes back. Called from every thread that
/// solves, about once per eight animators.
///
/// It must return normally. What follows an exception or a longjmp is as for SinewEnqueue.
pub type SinewClock = extern "C-unwind" fn(user: *mut c_void) -> f64;
