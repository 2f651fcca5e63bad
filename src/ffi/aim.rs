//! Aim as a plain function: a ray and a target in, a turn out. No skeleton, no animator.

use super::guard::{Failure, guard, out_ref};
use super::read::{self, JobName};
use super::result::SinewResult;
use super::rooms;
use super::types::{SinewAimJob, SinewAimResult, SinewVec3};
use crate::closed_form::aim_ray::{self, Aim};
use crate::closed_form::batch::{AimTurns, Workspace};
use crate::math::{LaneVec3, TILE, Tile, Tiled, Vec3, normalize_or};
use std::cell::RefCell;

/// Numbers of a job.
const NUMBERS: usize = (size_of::<SinewAimJob>() - size_of::<u32>()) / size_of::<f32>();

/// The members of a job after its size, with their numbers.
const MEMBERS: [(&str, usize); 4] = [("offset", 3), ("axis", 3), ("target", 3), ("behind", 3)];

impl SinewAimJob {
    /// All numbers after the size.
    fn numbers(&self) -> &[f32; NUMBERS] {
        // SAFETY: a C struct of a `u32` and 12 `f32` after it.
        unsafe { &*(&raw const *self).cast::<f32>().add(1).cast() }
    }

    /// The core's ray, checked.
    fn ray(&self, name: JobName) -> Result<Aim<f32>, Failure> {
        read::struct_size(format_args!("{name}.struct_size"), self.struct_size, size_of::<Self>())?;
        read::finite_job(name, self.numbers(), &MEMBERS)?;
        Ok(Aim {
            offset: LaneVec3::from_vec3(self.offset.into()),
            axis: LaneVec3::from_vec3(read::direction(format_args!("{name}.axis"), &self.axis)?),
            target: LaneVec3::from_vec3(self.target.into()),
            behind: LaneVec3::from_vec3(normalize_or(self.behind.into(), Vec3::ZERO)),
        })
    }
}

/// A block of rays on its way through a batch.
#[derive(Default)]
struct Block {
    workspace: Workspace,
    rays: Box<[Aim<Tile>; 1]>,
    turns: Box<[AimTurns; 1]>,
}

thread_local! {
    /// Created by a thread's first batch, kept for the next.
    static BLOCK: RefCell<Option<Block>> = const { RefCell::new(None) };
}

/// Fills a job with defaults.
///
/// @param out_job  the job.
pub extern "C" fn sinew_aim_job_default(out_job: Option<&mut SinewAimJob>) -> SinewResult {
    guard("sinew_aim_job_default", || {
        let (zero, ahead) = (SinewVec3::default(), SinewVec3 { x: 0.0, y: 0.0, z: 1.0 });
        *out_ref(out_job, "out_job")? = SinewAimJob {
            struct_size: size_of::<SinewAimJob>() as u32,
            offset: zero,
            axis: ahead,
            target: ahead,
            behind: zero,
        };
        Ok(())
    })
}

/// Solves one ray: the shortest turn of its joint after which it passes through the target.
///
/// @param job         see SinewAimJob.
/// @param out_result  the turn of the joint.
/// @return SINEW_ERROR_INVALID_ARGUMENT: an axis of length zero, or a number beyond 1e18.
pub unsafe extern "C" fn sinew_aim_solve(
    job: *const SinewAimJob,
    out_result: Option<&mut SinewAimResult>,
) -> SinewResult {
    guard("sinew_aim_solve", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let job = unsafe { read::job(job) }?;
        let out = out_ref(out_result, "out_result")?;
        let solution = aim_ray::solve(&job.ray(JobName(None))?);
        *out = SinewAimResult { turn: solution.turn.to_quat().into(), met: solution.met as u32 };
        Ok(())
    })
}

/// Solves many rays with the processor's vector registers; each gets the same bits as from
/// sinew_aim_solve. One refused job refuses the whole batch. The first call of a thread allocates.
///
/// @param jobs         one per ray; may be NULL when count is 0.
/// @param count        number of rays.
/// @param out_results  one per ray; must not overlap the jobs; may be NULL when count is 0.
/// @return SINEW_ERROR_INVALID_ARGUMENT: an axis of length zero, or a number beyond 1e18.
pub unsafe extern "C" fn sinew_aim_solve_batch(
    jobs: *const SinewAimJob,
    count: u32,
    out_results: *mut SinewAimResult,
) -> SinewResult {
    guard("sinew_aim_solve_batch", || {
        if count == 0 {
            return Ok(());
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let jobs = unsafe { read::array("jobs", jobs, count as usize) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let results = unsafe { read::array_mut("out_results", out_results, count as usize) }?;
        for (index, job) in jobs.iter().enumerate() {
            job.ray(JobName(Some(index)))?;
        }
        rooms::with_scratch(&BLOCK, |block| {
            for (jobs, results) in jobs.chunks(TILE).zip(results.chunks_mut(TILE)) {
                for (place, job) in jobs.iter().enumerate() {
                    block.rays[0].put(place, job.ray(JobName(Some(place)))?);
                }
                block.workspace.aim(&block.rays[..], &mut block.turns[..]);
                let turns = &block.turns[0];
                for (place, result) in results.iter_mut().enumerate() {
                    let turn = turns.turn.at(place).to_quat().into();
                    *result = SinewAimResult { turn, met: (turns.met.at(place) > 0.0) as u32 };
                }
            }
            Ok(())
        })
    })
}
