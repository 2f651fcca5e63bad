//! How much memory the calls that allocate request before they begin.
//!
//! Upper bounds, found with `tests/c/out_of_memory.c`, which fails when a call has used more than
//! three quarters of its room on any of its rigs.

use super::guard::Failure;
use super::reserve::Room;
use std::cell::RefCell;
use std::thread::LocalKey;

/// Bytes of a call, and bytes per joint of the skeleton.
#[derive(Clone, Copy)]
pub(super) struct Need {
    bytes: usize,
    per_joint: usize,
}

const fn need(bytes: usize, per_joint: usize) -> Need {
    Need { bytes, per_joint }
}

/// Without the joints' names.
pub(super) const SKELETON: Need = need(4 << 10, 640);
pub(super) const AVATAR: Need = need(96 << 10, 1024);
pub(super) const MAPPING: Need = need(64 << 10, 2560);
pub(super) const ANIMATOR: Need = need(32 << 10, 640);
pub(super) const SETTINGS: Need = need(16 << 10, 256);
pub(super) const BODY_SOLVER: Need = need(1 << 20, 192 << 10);
pub(super) const CONSTRAINT: Need = need(16 << 10, 2560);
/// Of an animator whose whole-body solver is on, too.
pub(super) const JOINT_LIMITS: Need = need(4 << 10, 800);
pub(super) const BODY: Need = need(8 << 10, 640);
/// A chain of sinew_chain_solve with its skeleton and animator.
pub(super) const CHAIN: Need = need(32 << 10, 3072);
pub(super) const FRAMES: Need = need(4 << 10, 128);
/// And [`PER_TASK`] for each that the body has.
pub(super) const BODY_TASK: Need = need(64 << 10, 6144);
/// The same in track mode, to be solved beside others.
pub(super) const BESIDE: Need = need(8 << 10, 4608);
pub(super) const DRAG: Need = need(64 << 10, 6144);
pub(super) const TRACKED_BODY: Need = need(64 << 10, 1024);
/// Per joint, though only bones count.
pub(super) const CALIBRATION: Need = need(64 << 10, 256);
/// What is kept of a remote player's packets.
pub(super) const PACKETS: Need = need(64 << 10, 0);
/// Bytes per task of a body, and bytes per task and joint.
pub(super) const PER_TASK: Need = need(4 << 10, 1024);
/// Of a body, per pair of rows: the dual, and its directions for a solver that treats them one by
/// one.
pub(super) const BYTES_PER_ROW_SQUARED: usize = 12;
/// The same of eight bodies side by side.
pub(super) const BESIDE_PER_ROW_SQUARED: usize = 64;
/// Per leg.
pub(super) const GROUNDER: Need = need(8 << 10, 8912);
/// The same.
pub(super) const STEPPING: Need = need(4 << 10, 768);
/// Per point.
pub(super) const OUTLINE: Need = need(4 << 10, 24);
/// Per member.
pub(super) const WORLD: Need = need(16 << 10, 512);
/// Scratch of one thread.
pub(super) const WORKSPACE: Need = need(32 << 10, 1792);
/// Per joint and eight members.
pub(super) const ARRAYS: Need = need(32 << 10, 1280);
/// Per thread.
#[cfg(feature = "rayon")]
pub(super) const THREADS: Need = need(256 << 10, 16 << 10);
/// Buffers of a recording.
pub(super) const RECORDING: Need = need(768 << 10, 0);
/// Per point of a track.
pub(super) const TRACK: Need = need(16 << 10, 64);
pub(super) const SMALL: Need = need(4 << 10, 0);

/// Scratch memory that a thread's first batch makes.
const BATCH: Need = need(64 << 10, 0);

/// Calls `work` with scratch memory that the thread keeps.
pub(super) fn with_scratch<T: Default, R>(
    kept: &'static LocalKey<RefCell<Option<T>>>,
    work: impl FnOnce(&mut T) -> Result<R, Failure>,
) -> Result<R, Failure> {
    kept.with_borrow_mut(|kept| match kept {
        Some(scratch) => work(scratch),
        None => {
            let _room = BATCH.room(0)?;
            work(kept.insert(T::default()))
        }
    })
}

impl Need {
    /// Room for a skeleton with so many joints.
    pub fn room(self, joints: usize) -> Result<Room, Failure> {
        self.with(joints, 0)
    }
    /// The same and `extra` bytes.
    pub fn with(self, joints: usize, extra: usize) -> Result<Room, Failure> {
        Room::take(self.bytes(joints).saturating_add(extra))
    }
    pub fn bytes(self, joints: usize) -> usize {
        self.bytes.saturating_add(self.per_joint.saturating_mul(joints))
    }
}
