//! The structs, enums and callbacks of worlds.

use super::ids::SinewJob;
use super::types::{SinewHumanoidInput, SinewTransform};
use libc::c_void;
use safer_ffi::prelude::*;

/// How much of an animator's solve a world does.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewLod {
    /// Every call, with all iterations. The default.
    Full = 0,
    /// Every call, with a share of the iterations that its chain constraints may make; each gets at least one. Steps in closed form (limbs,
    /// looking, body) have no iterations and cost what they cost.
    Fewer = 1,
    /// A solve in every n-th call. Between solves, and in the call that solves, the pose gets a correction between those of the last two solves, so that it
    /// goes over from one to the next without a jump, n calls late.
    EveryNth = 2,
    /// Not at all: its pose is neither read nor written.
    Off = 3,
}
/// A [`SinewLod`] as it arrives, checked before use.
pub type SinewLodArg = i32;

/// What became of a row in a call.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewRowState {
    /// No animator is in this row.
    Empty = 0,
    /// Solved.
    Solved = 1,
    /// Not its turn (SINEW_LOD_EVERY_NTH): the pose got a correction between those of its last two solves.
    Between = 2,
    /// Time was up (sinew_world_set_budget): the pose got the correction of its last solve, or none when there was no solve yet.
    Cut = 3,
    /// Its level is SINEW_LOD_OFF; nothing was touched.
    Off = 4,
    /// Refused, with a code; nothing was changed.
    Failed = 5,
}

/// Where the poses of a call are.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewPoseLayout {
    /// In each animator's own pose buffer (sinew_animator_get_pose_buffer).
    Own = 0,
    /// In one array of the host's: row r's transforms, in joint order, begin `records_stride` bytes after those of row r − 1.
    Records = 1,
    /// In one array of the host's per row: `pointers[r]` leads to row r's transforms, in joint order.
    Pointers = 2,
    /// In separate arrays for position, rotation and scale.
    Strided = 3,
    /// In the world's own structures of arrays (sinew_world_set_arrays), solved in place.
    Soa = 4,
}
/// A [`SinewPoseLayout`] as it arrives, checked before use.
pub type SinewPoseLayoutArg = i32;

/// Which poses a world keeps itself.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewPoseArrays {
    /// None. The default.
    None = 0,
    /// Local transforms.
    Locals = 1,
    /// Also the frames of all joints in model space, which every solve from the arrays brings up to date.
    LocalsAndFrames = 2,
}
/// A [`SinewPoseArrays`] as it arrives, checked before use.
pub type SinewPoseArraysArg = i32;

/// Where an animator's pose lies in its world's own arrays, which eight animators of one avatar share. Seven rows of eight floats belong to each joint,
/// joint after joint: position x y z (metres), rotation x y z w; in each row one float of each of the eight. So number c of joint j is
/// `locals[(7 * j + c) * 8 + place]`, c from 0 (position x) to 6 (rotation w).
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewWorldArrays {
    /// Local transforms, to be written before a solve and read after it, aligned to 32 bytes. Rotations are rotations as in SinewTransform; scales are 1.
    pub locals: *mut f32,
    /// Frames of the joints in model space as of the last solve, in the same layout, read only; NULL with SINEW_POSE_ARRAYS_LOCALS. Their rotations are
    /// products of the local ones: of length 1 but for some 1e-7 per joint above. Of rows that are off or failed they mean nothing.
    pub frames: *const f32,
    /// Joints.
    pub joint_count: u32,
    /// The animator's place among the eight, 0 … 7.
    pub place: u32,
}

/// Everything a call brings for all animators of a world, and what it leaves: arrays by row (see sinew_world_join). Poses are read and
/// written where they lie; nothing is kept after the call. Rows without an animator are not touched. No two rows may share memory. Fill it with
/// sinew_world_frame_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewWorldFrame {
    /// Set by sinew_world_frame_default.
    pub struct_size: u32,
    /// Rows that every array below has; at least sinew_world_get_row_count when any array is given.
    pub row_count: u32,
    /// A SinewPoseLayout; by default the animators' own buffers.
    pub layout: i32,
    /// Bytes from one row to the next in `records`: a multiple of 4, at least 40 times the most joints of an animator in the world.
    pub records_stride: u32,
    /// For SINEW_POSE_LAYOUT_RECORDS: local transforms, read and written.
    pub records: *mut SinewTransform,
    /// For SINEW_POSE_LAYOUT_POINTERS: per row the address of its local transforms, read and written; NULL only for rows without an animator.
    pub pointers: *const *mut SinewTransform,
    /// For SINEW_POSE_LAYOUT_STRIDED: local positions, three floats each, read and written. Joint j of row r lies r times `positions_row_stride` plus j times
    /// `positions_joint_stride` bytes after the address.
    pub positions: *mut f32,
    /// The same for local rotations, four floats each: x y z w.
    pub rotations: *mut f32,
    /// The same for scales, three floats each, read only; NULL: the scales of the rest pose.
    pub scales: *const f32,
    /// Bytes from row to row; a multiple of 4.
    pub positions_row_stride: u32,
    /// Bytes from joint to joint; a multiple of 4. Either rows lie one after the other or joints do: of the two strides one must be large
    /// enough to step over all that the other steps through.
    pub positions_joint_stride: u32,
    /// Bytes from row to row.
    pub rotations_row_stride: u32,
    /// Bytes from joint to joint.
    pub rotations_joint_stride: u32,
    /// Bytes from row to row.
    pub scales_row_stride: u32,
    /// Bytes from joint to joint.
    pub scales_joint_stride: u32,
    /// Root transforms, as for sinew_animator_set_root; NULL: those set before stay.
    pub roots: *const SinewTransform,
    /// Whole inputs, as for sinew_animator_set_input; NULL: what was set before stays. Animators without an avatar need none: theirs are not read.
    pub inputs: *const SinewHumanoidInput,
    /// Bytes from one row's root to the next; a multiple of 4.
    pub roots_stride: u32,
    /// Bytes from one row's input to the next; a multiple of 4.
    pub inputs_stride: u32,
    /// Written, when not NULL, whenever members were solved, also when some failed: per row the SinewResult of its solve; SINEW_OK for rows that are empty or were not to be solved.
    pub out_results: *mut i32,
    /// Written, when not NULL, in the same way: per row a SinewRowState.
    pub out_states: *mut i32,
}

/// What a call did, in numbers of animators.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewWorldReport {
    /// Solved.
    pub solved: u32,
    /// Between two solves; see SINEW_ROW_STATE_BETWEEN.
    pub between: u32,
    /// Cut by the budget; see SINEW_ROW_STATE_CUT.
    pub cut: u32,
    /// Off.
    pub off: u32,
    /// Refused; see SinewWorldFrame::out_results.
    pub failed: u32,
}

/// Hands work to the host's job system. The host has its threads call sinew_job_run(job, begin, end) for ranges that together are 0 … count, each part once, in
/// any order, from any threads, this one too, and returns something that is not NULL, with which the wait callback is called. NULL: what has not been run yet is
/// the caller's, and no wait follows. Called on the thread that called sinew_world_solve, before it returns. `grain` is a good number of parts for one range, at
/// least 1. Calls that concern the same world give SINEW_ERROR_BUSY.
pub type SinewEnqueue = extern "C" fn(user: *mut c_void, job: SinewJob, count: u32, grain: u32) -> *mut c_void;

/// Waits until all ranges of a job have been run and their sinew_job_run calls have returned. `task` is what the enqueue callback returned. Called on the
/// same thread; it may run other tasks meanwhile.
pub type SinewWait = extern "C" fn(user: *mut c_void, task: *mut c_void);

/// The time in seconds, from any start, never going back. Called from every thread that solves, about once per eight animators.
pub type SinewClock = extern "C" fn(user: *mut c_void) -> f64;
