//! Functions that choose who does a world's work.

use super::c_types::c_void;
use super::guard::{Failure, guard};
use super::ids::{SinewJob, SinewWorld};
use super::registry;
#[cfg(feature = "rayon")]
use super::reserve::Room;
use super::result::SinewResult;
use super::rooms;
use super::types::{SINEW_WORLD_MAX_THREADS, SinewEnqueue, SinewWait};
use super::workers::{Jobs, LENT, Workers};
use crate::store::{Id, LoanSlot};
use crate::world::RangeResult;
use std::sync::Arc;

/// Runs a part of a job on the calling thread. Call it from the host's tasks, from any number of
/// threads at once.
///
/// @param job    as passed to the enqueue callback.
/// @param begin  first part.
/// @param end    one beyond the last part, at most the count passed to the enqueue callback.
/// @return SINEW_ERROR_INVALID_HANDLE: the job is over; SINEW_ERROR_OUT_OF_RANGE: begin or end,
///         nothing was done; SINEW_ERROR_JOBS: a part had been run before and was skipped.
pub extern "C" fn sinew_job_run(job: SinewJob, begin: u32, end: u32) -> SinewResult {
    guard("sinew_job_run", || {
        let over = || {
            Failure::new(
                SinewResult::SinewErrorInvalidHandle,
                format_args!("job {:#018x}: over, or never created", job.bits),
            )
        };
        let slot = LENT.get(Id::from_bits(job.bits)).map_err(|_| over())?;
        match slot.with(job.bits, |work| work(begin..end)).ok_or_else(over)? {
            RangeResult::Done => Ok(()),
            RangeResult::Twice => Err(Failure::new(
                SinewResult::SinewErrorJobs,
                format_args!("some of {begin} to {end} has been run before, or is being run"),
            )),
            RangeResult::OutOfRange => Err(Failure::new(
                SinewResult::SinewErrorOutOfRange,
                format_args!("{begin} to {end} is no range of the job"),
            )),
        }
    })
}

/// Makes the host's job system solve a world, in place of the calling thread or a pool. Results
/// have the same bits with any number of threads. If the callbacks break their contract (a range
/// never run, run twice, or out of bounds; a wait that returns early), sinew_world_solve returns
/// SINEW_ERROR_JOBS; every animator is still solved exactly once. Allocates.
///
/// @param enqueue  see SinewEnqueue; NULL (with wait NULL): the calling thread.
/// @param wait     see SinewWait; NULL only with enqueue NULL.
/// @param user     passed to both; may be NULL. Must stay valid until other callbacks are set or
///                 the world is destroyed.
pub extern "C" fn sinew_world_set_jobs(
    world: SinewWorld,
    enqueue: Option<SinewEnqueue>,
    wait: Option<SinewWait>,
    user: *mut c_void,
) -> SinewResult {
    guard("sinew_world_set_jobs", || {
        let _room = rooms::SMALL.room(0)?;
        let workers = match (enqueue, wait) {
            (None, None) => Workers::Caller,
            (Some(enqueue), Some(wait)) => Workers::Host(Jobs { enqueue, wait, user }, Arc::new(LoanSlot::new())),
            (None, Some(_)) => return Err(Failure::null("enqueue")),
            (Some(_), None) => return Err(Failure::null("wait")),
        };
        registry::with_world(world, |world| {
            world.workers = workers;
            Ok(())
        })
    })
}

/// Makes a pool of threads solve a world, in place of the calling thread or the host's jobs.
/// Results have the same bits with any number of threads. Starts and ends threads, and waits for
/// those that end; they end with the world. Allocates.
///
/// @param count  number of threads, at most SINEW_WORLD_MAX_THREADS; 0 or 1: no pool, the calling
///               thread. The calling thread waits for the pool.
/// @return SINEW_ERROR_INVALID_ARGUMENT: count; SINEW_ERROR_NOT_AVAILABLE: the library was built
///         without the feature `rayon`, or the platform has no threads.
pub extern "C" fn sinew_world_set_threads(world: SinewWorld, count: u32) -> SinewResult {
    guard("sinew_world_set_threads", || {
        registry::with_world(world, |world| {
            super::read::within("count", count, 0, SINEW_WORLD_MAX_THREADS)?;
            let workers = if count > 1 { own_threads(count)? } else { Workers::Caller };
            world.workers = workers;
            Ok(())
        })
    })
}

#[cfg(feature = "rayon")]
fn own_threads(count: u32) -> Result<Workers, Failure> {
    let _room = Room::for_all_threads(rooms::THREADS.bytes(count as usize))?;
    let threads = crate::world::Threads::new(count as usize).ok_or_else(|| no_threads("this platform"))?;
    Ok(Workers::Pool(threads))
}
#[cfg(not(feature = "rayon"))]
fn own_threads(_: u32) -> Result<Workers, Failure> {
    Err(no_threads("this build (feature `rayon`)"))
}
fn no_threads(what: &str) -> Failure {
    Failure::new(SinewResult::SinewErrorNotAvailable, format_args!("{what} has no threads of its own"))
}
