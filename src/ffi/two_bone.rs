//! Two-bone IK as a plain function: vectors in, two turns out. No skeleton, no animator.

use super::guard::{Failure, guard, in_ref, out_ref};
use super::read;
use super::result::SinewResult;
use super::types::{SinewQuat, SinewVec3};
use crate::chains::batch::Workspace;
use crate::chains::two_bone::{self, TwoBone, TwoBoneSolution};
use crate::math::{LaneVec3, TILE, Tile, Tiled};
use safer_ffi::prelude::*;
use std::cell::RefCell;
use wide::{CmpEq, f32x8};

/// A limb of two bones and its target. All vectors in one space of the caller's choice, relative to the root joint, in metres (or
/// whatever unit: only proportions count). Fill with sinew_two_bone_job_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTwoBoneJob {
    /// Size of this struct in bytes, set by sinew_two_bone_job_default.
    pub struct_size: u32,
    /// Root joint to mid joint (shoulder to elbow), as the limb is now.
    pub root_mid: SinewVec3,
    /// Mid joint to end (elbow to wrist), as the limb is now.
    pub mid_end: SinewVec3,
    /// Root joint to target.
    pub target: SinewVec3,
    /// Root joint to a point the mid joint shall point at. Default zero.
    pub pole: SinewVec3,
    /// Axis about which the mid joint bends by a positive turn, any length: decides where a (nearly) straight limb bends to. Default X.
    pub hinge: SinewVec3,
    /// Direction over which the bend side is carried to the target, any length; zero, the default: the limb's present direction. The
    /// side turns over where the target is right opposite to it.
    pub centre: SinewVec3,
    /// How far the end goes from where it is (0) to the target (1). Default 1.
    pub weight: f32,
    /// How far the bend side turns from the limb's own (0) to the pole's (1). Default 0.
    pub pole_weight: f32,
    /// Part of the reach over which the limb slows down before it is straight, 0 to 1. Default 0.
    pub softness: f32,
    /// By what part both bones may lengthen to reach, 0 to 1. Default 0.
    pub stretch: f32,
}

/// What the joints have to do.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTwoBoneResult {
    /// Turn of the root joint, in the job's space: new rotation = root · old rotation.
    pub root: SinewQuat,
    /// Turn of the mid joint after the root's, in the job's space: new rotation = mid · root · old rotation.
    pub mid: SinewQuat,
    /// Factor on both bone lengths, 1 to 1 + stretch.
    pub stretch: f32,
    /// How far the weighted target lies beyond what the limb can do, too far or too near; 0 when reached.
    pub beyond: f32,
}

impl SinewTwoBoneJob {
    const DEFAULT: Self = {
        let zero = SinewVec3 { x: 0.0, y: 0.0, z: 0.0 };
        Self {
            struct_size: size_of::<Self>() as u32,
            root_mid: zero,
            mid_end: zero,
            target: zero,
            pole: zero,
            hinge: SinewVec3 { x: 1.0, y: 0.0, z: 0.0 },
            centre: zero,
            weight: 1.0,
            pole_weight: 0.0,
            softness: 0.0,
            stretch: 0.0,
        }
    };

    #[inline(always)]
    fn check(&self) -> Result<(), Failure> {
        const COUNT: usize = (size_of::<SinewTwoBoneJob>() - size_of::<u32>()) / size_of::<f32>();
        const { assert!(COUNT == 22 && align_of::<SinewTwoBoneJob>() == align_of::<f32>()) };
        // SAFETY: a C struct of a `u32` and 22 `f32` after it.
        let numbers: &[f32; COUNT] = unsafe { &*(&raw const *self).cast::<f32>().add(1).cast() };
        // Read in whole rows, of which the last begins before the one before it ends.
        let row = |at: usize| numbers[at..].first_chunk::<8>().map_or(f32x8::ZERO, |row| f32x8::new(*row));
        // Zero times a number that is not finite is none.
        let zero = (row(0) * f32x8::ZERO + row(8) * f32x8::ZERO) + row(COUNT - 8) * f32x8::ZERO;
        let any = zero.cmp_eq(f32x8::ZERO).move_mask() != 0xff;
        if any | (self.struct_size as usize != size_of::<Self>()) { self.refuse() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn refuse(&self) -> Result<(), Failure> {
        read::struct_size("job.struct_size", self.struct_size, size_of::<Self>())?;
        Err(Failure::new(
            SinewResult::SinewErrorNotFinite,
            format_args!("job has a number that is not finite: {self:?}"),
        ))
    }

    /// The core's limb; weights limited.
    #[inline]
    fn limb(&self) -> TwoBone<f32> {
        let vector = |v: SinewVec3| LaneVec3 { x: v.x, y: v.y, z: v.z };
        TwoBone {
            root_mid: vector(self.root_mid),
            mid_end: vector(self.mid_end),
            hinge: vector(self.hinge),
            centre: vector(self.centre),
            target: vector(self.target),
            weight: self.weight.clamp(0.0, 1.0),
            pole: vector(self.pole),
            pole_weight: self.pole_weight.clamp(0.0, 1.0),
            softness: self.softness.clamp(0.0, 1.0),
            stretch: self.stretch.clamp(0.0, 1.0),
        }
    }
}

impl From<TwoBoneSolution<f32>> for SinewTwoBoneResult {
    fn from(s: TwoBoneSolution<f32>) -> Self {
        Self { root: s.root.to_quat().into(), mid: s.mid.to_quat().into(), stretch: s.stretch, beyond: s.beyond }
    }
}

/// Fills a job with its size and the defaults.
///
/// @param out_job  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_two_bone_job_default(out_job: Option<&mut SinewTwoBoneJob>) -> SinewResult {
    guard("sinew_two_bone_job_default", || {
        *out_ref(out_job, "out_job")? = SinewTwoBoneJob::DEFAULT;
        Ok(())
    })
}

/// Solves one limb.
///
/// @param job         see SinewTwoBoneJob; weights outside 0 to 1 are limited; not NULL.
/// @param out_result  written on success; not NULL.
/// @return SINEW_OK (also when the target is out of reach), SINEW_ERROR_NULL_POINTER, _STRUCT_SIZE, _NOT_FINITE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_two_bone_solve(
    job: Option<&SinewTwoBoneJob>,
    out_result: Option<&mut SinewTwoBoneResult>,
) -> SinewResult {
    guard("sinew_two_bone_solve", || {
        let job = in_ref(job, "job")?;
        let out = out_ref(out_result, "out_result")?;
        job.check()?;
        *out = two_bone::solve(&job.limb()).into();
        Ok(())
    })
}

/// A block on its way through the batch.
#[derive(Default)]
struct Desk {
    workspace: Workspace,
    limbs: Box<[TwoBone<Tile>; 1]>,
    turns: Box<[TwoBoneSolution<Tile>; 1]>,
}

thread_local! {
    /// Made at a thread's first batch, kept for the next.
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Solves many limbs, as wide as the processor allows; each gets the bits that sinew_two_bone_solve gives. Writes nothing when one
/// job is refused. A thread's first call allocates its working memory, later ones nothing.
///
/// @param jobs         one per limb; not NULL unless count is 0.
/// @param count        number of limbs.
/// @param out_results  written on success, one per limb; must not overlap the jobs; not NULL unless count is 0.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _STRUCT_SIZE, _NOT_FINITE, _INVALID_ARGUMENT (misaligned). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_two_bone_solve_batch(
    jobs: *const SinewTwoBoneJob,
    count: u32,
    out_results: *mut SinewTwoBoneResult,
) -> SinewResult {
    guard("sinew_two_bone_solve_batch", || {
        if count == 0 {
            return Ok(());
        }
        let jobs = read::array("jobs", jobs, count as usize)?;
        let results = read::array_mut("out_results", out_results, count as usize)?;
        jobs.iter().try_for_each(SinewTwoBoneJob::check)?;
        DESK.with_borrow_mut(|desk| {
            for (jobs, results) in jobs.chunks(TILE).zip(results.chunks_mut(TILE)) {
                // The places after the last limb keep what an earlier block left there.
                for (i, job) in jobs.iter().enumerate() {
                    desk.limbs[0].put(i, job.limb());
                }
                desk.workspace.two_bone(&desk.limbs[..], &mut desk.turns[..]);
                for (i, result) in results.iter_mut().enumerate() {
                    *result = desk.turns[0].at(i).into();
                }
            }
            Ok(())
        })
    })
}
