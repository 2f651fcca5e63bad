//! A grounder's frame: begin, queries, answers, results; one character or many in one call.

use super::c_types::c_void;
use super::grounder_read as checked;
use super::guard::{Failure, call_host, guard, in_ref, optional_out, out_ref};
use super::ids::SinewGrounder;
use super::registry::HostGrounder;
use super::result::SinewResult;
use super::types::{
    SinewCastGround, SinewGroundHit, SinewGroundQuery, SinewGrounderBody, SinewGrounderFrame, SinewGrounderLeg,
    SinewGrounderLegResult,
};
use super::{read, registry, running};
use crate::grounding::GrounderFrame;
use core::sync::atomic::{AtomicU64, Ordering};

/// Fills a frame with its size and defaults.
///
/// @param out_frame  the frame.
pub extern "C" fn sinew_grounder_frame_default(out_frame: Option<&mut SinewGrounderFrame>) -> SinewResult {
    guard("sinew_grounder_frame_default", || {
        *out_ref(out_frame, "out_frame")? = checked::frame_out(&GrounderFrame::default());
        Ok(())
    })
}

impl HostGrounder {
    /// Checks the legs and keeps them for [`Self::begin`].
    fn take_legs(&mut self, legs: &[SinewGrounderLeg], first: usize) -> Result<(), Failure> {
        self.poses.clear();
        for (i, leg) in legs.iter().enumerate() {
            self.poses.push(checked::leg(first + i, leg)?);
        }
        Ok(())
    }

    fn check_count(&self, given: usize) -> Result<(), Failure> {
        let legs = self.grounder.leg_count();
        if given == legs {
            return Ok(());
        }
        Err(Failure::new(
            SinewResult::SinewErrorLengthMismatch,
            format_args!("leg_count is {given}, the grounder has {legs} legs"),
        ))
    }

    fn take_hits(&mut self, hits: &[SinewGroundHit], first: usize) -> Result<(), Failure> {
        let mut are_plain = true;
        self.hits.clear();
        for four in hits.chunks(4) {
            self.hits.extend(four.iter().zip(checked::unit_normals(four)).map(|(given, normal_ws)| {
                let (hit, is_plain) = checked::plain_hit(given, normal_ws);
                are_plain &= is_plain;
                hit
            }));
        }
        if are_plain { Ok(()) } else { self.take_hits_by_parts(hits, first) }
    }

    /// Checks the answers one by one.
    #[cold]
    fn take_hits_by_parts(&mut self, hits: &[SinewGroundHit], first: usize) -> Result<(), Failure> {
        self.hits.clear();
        for (i, hit) in hits.iter().enumerate() {
            self.hits.push(checked::hit(first + i, hit)?);
        }
        Ok(())
    }

    /// Takes part in a call with many grounders, once.
    fn join_batch(&mut self, batch: u64) -> Result<(), Failure> {
        if self.batch == batch {
            return Err(Failure::argument("grounder: it is there twice"));
        }
        self.batch = batch;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        match self.grounder.finish(&self.hits) {
            Some(_) => Ok(()),
            None => Err(Failure::argument("grounder: no frame is under way, sinew_grounder_begin comes first")),
        }
    }
}

/// Number of a call with many grounders.
fn next_batch() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// A failure of one grounder of a batch, by its place in the array.
fn of_batch(index: usize, failure: Failure) -> Failure {
    if failure.message().starts_with("grounder") { failure.about(format_args!("grounders[{index}]")) } else { failure }
}

/// Starts a frame: takes the animation, and determines which ground must be known. At most the
/// quality (1, 3 or 5) times the number of legs queries. A frame that was begun and not finished
/// is forgotten.
///
/// @param frame            see SinewGrounderFrame.
/// @param legs             the animated legs, one per foot model.
/// @param leg_count        must be the grounder's.
/// @param out_query_count  number of queries; may be NULL.
/// @return SINEW_ERROR_LENGTH_MISMATCH: leg_count; SINEW_ERROR_INVALID_ARGUMENT: up, dt_s,
///         has_landing or landing_time_s; SINEW_ERROR_NOT_FINITE: also a coordinate or speed beyond
///         1e9, or a time beyond 1e6.
pub unsafe extern "C" fn sinew_grounder_begin(
    grounder: SinewGrounder,
    frame: Option<&SinewGrounderFrame>,
    legs: *const SinewGrounderLeg,
    leg_count: u32,
    out_query_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_grounder_begin", || {
        let out_query_count = optional_out(out_query_count, "out_query_count")?;
        let frame = checked::frame("frame", in_ref(frame, "frame")?)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::array("legs", legs, leg_count.max(1) as usize) }?;
        registry::with_grounder(grounder, |host| {
            host.check_count(leg_count as usize)?;
            host.take_legs(given, 0)?;
            let queries = host.grounder.begin(&frame, &host.poses).map_or(0, <[_]>::len);
            if let Some(out) = out_query_count {
                *out = queries as u32;
            }
            Ok(())
        })
    })
}

/// Returns the queries of the frame under way.
///
/// @param out_queries  room for `capacity` queries; may be NULL when capacity is 0.
/// @param capacity     number of queries there is room for.
/// @param out_count    written, also on SINEW_ERROR_BUFFER_TOO_SMALL: number of queries.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: nothing but out_count is written.
pub unsafe extern "C" fn sinew_grounder_get_queries(
    grounder: SinewGrounder,
    out_queries: *mut SinewGroundQuery,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_grounder_get_queries", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_grounder(grounder, |host| {
            let queries = host.grounder.queries();
            if queries.len() > capacity as usize {
                *out_count = queries.len() as u32;
                return Err(too_small(capacity, queries.len()));
            }
            if !queries.is_empty() {
                // SAFETY: required of the caller of the C function; see `read`.
                let out = unsafe { read::array_mut("out_queries", out_queries, queries.len()) }?;
                for (out, query) in out.iter_mut().zip(queries) {
                    *out = checked::query_out(query);
                }
            }
            *out_count = queries.len() as u32;
            Ok(())
        })
    })
}

fn too_small(capacity: u32, needed: usize) -> Failure {
    Failure::new(
        SinewResult::SinewErrorBufferTooSmall,
        format_args!("capacity is {capacity}, there may be {needed} queries"),
    )
}

/// Solves the frame under way with one answer per query, in their order.
///
/// @param hits       answers; may be NULL when there are no queries.
/// @param hit_count  must be the number of queries.
/// @return SINEW_ERROR_LENGTH_MISMATCH: hit_count; SINEW_ERROR_INVALID_ARGUMENT: no frame is
///         under way, hit, or a normal without length. On an error the frame stays under way.
pub unsafe extern "C" fn sinew_grounder_finish(
    grounder: SinewGrounder,
    hits: *const SinewGroundHit,
    hit_count: u32,
) -> SinewResult {
    guard("sinew_grounder_finish", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let given = if hit_count == 0 { &[] } else { unsafe { read::array("hits", hits, hit_count as usize) }? };
        registry::with_grounder(grounder, |host| {
            if !host.grounder.is_under_way() {
                return host.finish();
            }
            let queries = host.grounder.queries().len();
            if queries != given.len() {
                return Err(Failure::new(
                    SinewResult::SinewErrorLengthMismatch,
                    format_args!("hit_count is {hit_count}, there are {queries} queries"),
                ));
            }
            host.take_hits(given, 0)?;
            host.finish()
        })
    })
}

/// Solves a frame in one call, each query answered by a callback.
///
/// @param frame, legs, leg_count  as for sinew_grounder_begin.
/// @param cast                    called once per query, on this thread, before this function
///                                returns.
/// @param user                    handed to cast as it is.
/// @return SINEW_ERROR_LENGTH_MISMATCH and SINEW_ERROR_INVALID_ARGUMENT as sinew_grounder_begin
///         and sinew_grounder_finish. Where an answer is refused, the frame stays under way.
pub unsafe extern "C" fn sinew_grounder_solve(
    grounder: SinewGrounder,
    frame: Option<&SinewGrounderFrame>,
    legs: *const SinewGrounderLeg,
    leg_count: u32,
    cast: Option<SinewCastGround>,
    user: *mut c_void,
) -> SinewResult {
    guard("sinew_grounder_solve", || {
        let frame = checked::frame("frame", in_ref(frame, "frame")?)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::array("legs", legs, leg_count.max(1) as usize) }?;
        let cast = cast.ok_or_else(|| Failure::null("cast"))?;
        registry::with_grounder(grounder, |host| {
            host.check_count(leg_count as usize)?;
            host.take_legs(given, 0)?;
            host.hits.clear();
            let queries = host.grounder.begin(&frame, &host.poses).unwrap_or_default();
            // Where an answer is refused, the frame stays under way.
            running::begun();
            for (i, query) in queries.iter().enumerate() {
                let mut answer = checked::no_hit();
                call_host(|| cast(user, &checked::query_out(query), &mut answer));
                host.hits.push(checked::hit(i, &answer).map_err(|failure| failure.about("cast"))?);
            }
            host.finish()
        })
    })
}

/// Returns the result of the last finished frame for the body; before the first one no
/// displacement, and a normal of zero.
///
/// @param out_body  the body.
pub extern "C" fn sinew_grounder_get_body(
    grounder: SinewGrounder,
    out_body: Option<&mut SinewGrounderBody>,
) -> SinewResult {
    guard("sinew_grounder_get_body", || {
        let out = out_ref(out_body, "out_body")?;
        registry::with_grounder(grounder, |host| {
            *out = checked::body_out(host.grounder.results().0);
            Ok(())
        })
    })
}

/// Returns the legs of the last finished frame.
///
/// @param out_legs   room for all legs.
/// @param leg_count  must be the grounder's.
/// @return SINEW_ERROR_LENGTH_MISMATCH: leg_count; SINEW_ERROR_INVALID_ARGUMENT: no frame was
///         finished yet.
pub unsafe extern "C" fn sinew_grounder_get_legs(
    grounder: SinewGrounder,
    out_legs: *mut SinewGrounderLegResult,
    leg_count: u32,
) -> SinewResult {
    guard("sinew_grounder_get_legs", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_legs", out_legs, leg_count.max(1) as usize) }?;
        registry::with_grounder(grounder, |host| {
            host.check_count(leg_count as usize)?;
            let legs = host.grounder.results().1;
            if legs.len() != out.len() {
                return Err(Failure::argument("grounder: no frame was finished yet"));
            }
            for (out, leg) in out.iter_mut().zip(legs) {
                *out = checked::leg_out(leg);
            }
            Ok(())
        })
    })
}

/// Starts a frame of many grounders: all queries in one array. Their `leg` counts within its
/// grounder; the queries of grounder `i` are those from `out_first_queries[i]` up to
/// `out_first_queries[i + 1]`.
///
/// @param grounders          handles, each at most once.
/// @param grounder_count     number of grounders.
/// @param frames             one per grounder.
/// @param legs               the legs of all grounders, one grounder after the other.
/// @param leg_count          must be the sum of the grounders' legs.
/// @param out_queries        room for `capacity` queries.
/// @param capacity           must be the sum over the grounders of quality times legs, or more.
/// @param out_first_queries  room for grounder_count + 1 numbers.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: capacity; SINEW_ERROR_INVALID_ARGUMENT: a grounder that is
///         there twice, and none has begun; otherwise as sinew_grounder_begin. When one grounder
///         fails, those before it have begun their frames, and their queries and first numbers are
///         written.
pub unsafe extern "C" fn sinew_grounder_begin_batch(
    grounders: *const SinewGrounder,
    grounder_count: u32,
    frames: *const SinewGrounderFrame,
    legs: *const SinewGrounderLeg,
    leg_count: u32,
    out_queries: *mut SinewGroundQuery,
    capacity: u32,
    out_first_queries: *mut u32,
) -> SinewResult {
    guard("sinew_grounder_begin_batch", || {
        let count = grounder_count as usize;
        // SAFETY: required of the caller of the C function; see `read`.
        let out_first = unsafe { read::array_mut("out_first_queries", out_first_queries, count + 1) }?;
        if count == 0 {
            out_first[0] = 0;
            return Ok(());
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let grounders = unsafe { read::array("grounders", grounders, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let frames = unsafe { read::array("frames", frames, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let legs = if leg_count == 0 { &[] } else { unsafe { read::array("legs", legs, leg_count as usize) }? };
        // SAFETY: required of the caller of the C function; see `read`.
        let out = if capacity == 0 {
            &mut []
        } else {
            unsafe { read::array_mut("out_queries", out_queries, capacity as usize) }?
        };
        let (mut total, mut needed) = (0, 0);
        let batch = next_batch();
        for (i, grounder) in grounders.iter().enumerate() {
            registry::with_grounder(*grounder, |host| {
                host.join_batch(batch)?;
                total += host.grounder.leg_count();
                needed += host.grounder.leg_count() * host.grounder.settings().quality as usize;
                Ok(())
            })
            .map_err(|failure| of_batch(i, failure))?;
        }
        if total != legs.len() {
            return Err(Failure::new(
                SinewResult::SinewErrorLengthMismatch,
                format_args!("leg_count is {leg_count}, the grounders have {total} legs"),
            ));
        }
        if needed > capacity as usize {
            return Err(too_small(capacity, needed));
        }
        // When one fails, those before it have begun.
        running::begun();
        let (mut leg, mut next) = (0, 0);
        for (i, grounder) in grounders.iter().enumerate() {
            let frame = checked::frame(format_args!("frames[{i}]"), &frames[i])?;
            registry::with_grounder(*grounder, |host| {
                let own = host.grounder.leg_count();
                let given = legs.get(leg..leg + own).ok_or_else(|| Failure::argument("grounders changed meanwhile"))?;
                host.take_legs(given, leg)?;
                out_first[i] = next as u32;
                let queries = host.grounder.begin(&frame, &host.poses).unwrap_or_default();
                for (out, query) in out[next..].iter_mut().zip(queries) {
                    *out = checked::query_out(query);
                }
                (leg, next) = (leg + own, next + queries.len());
                Ok(())
            })
            .map_err(|failure| of_batch(i, failure))?;
        }
        out_first[count] = next as u32;
        Ok(())
    })
}

/// Solves the frames under way of many grounders.
///
/// @param grounders       as for sinew_grounder_begin_batch.
/// @param grounder_count  number of grounders.
/// @param hits            answers in the order of the queries.
/// @param hit_count       must be the number of queries.
/// @param out_bodies      room for one per grounder.
/// @param out_legs        room for the legs of all grounders.
/// @param leg_count       must be the sum of the grounders' legs.
/// @return SINEW_ERROR_LENGTH_MISMATCH: leg_count or hit_count; SINEW_ERROR_INVALID_ARGUMENT: a
///         grounder that is there twice, and none is finished; otherwise as sinew_grounder_finish.
///         When one grounder fails, those before it are finished, and their bodies and legs are
///         written.
pub unsafe extern "C" fn sinew_grounder_finish_batch(
    grounders: *const SinewGrounder,
    grounder_count: u32,
    hits: *const SinewGroundHit,
    hit_count: u32,
    out_bodies: *mut SinewGrounderBody,
    out_legs: *mut SinewGrounderLegResult,
    leg_count: u32,
) -> SinewResult {
    guard("sinew_grounder_finish_batch", || {
        let count = grounder_count as usize;
        if count == 0 {
            return Ok(());
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let grounders = unsafe { read::array("grounders", grounders, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let hits = if hit_count == 0 { &[] } else { unsafe { read::array("hits", hits, hit_count as usize) }? };
        // SAFETY: required of the caller of the C function; see `read`.
        let bodies = unsafe { read::array_mut("out_bodies", out_bodies, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let legs = if leg_count == 0 {
            &mut []
        } else {
            unsafe { read::array_mut("out_legs", out_legs, leg_count as usize) }?
        };
        let (mut total, mut asked) = (0, 0);
        let batch = next_batch();
        for (i, grounder) in grounders.iter().enumerate() {
            registry::with_grounder(*grounder, |host| {
                host.join_batch(batch)?;
                total += host.grounder.leg_count();
                asked += host.grounder.queries().len();
                Ok(())
            })
            .map_err(|failure| of_batch(i, failure))?;
        }
        for (name, given, wanted) in [("leg_count", legs.len(), total), ("hit_count", hits.len(), asked)] {
            if given != wanted {
                return Err(Failure::new(
                    SinewResult::SinewErrorLengthMismatch,
                    format_args!("{name} is {given}, not {wanted}"),
                ));
            }
        }
        // When one fails, those before it are finished.
        running::begun();
        let (mut leg, mut next) = (0, 0);
        for (i, grounder) in grounders.iter().enumerate() {
            registry::with_grounder(*grounder, |host| {
                let asked = host.grounder.queries().len();
                let changed = || Failure::argument("grounders changed meanwhile");
                host.take_hits(hits.get(next..next + asked).ok_or_else(changed)?, next)?;
                host.finish()?;
                let (body, results) = host.grounder.results();
                bodies[i] = checked::body_out(body);
                let out = legs.get_mut(leg..leg + results.len()).ok_or_else(changed)?;
                for (out, result) in out.iter_mut().zip(results) {
                    *out = checked::leg_out(result);
                }
                (leg, next) = (leg + results.len(), next + asked);
                Ok(())
            })
            .map_err(|failure| of_batch(i, failure))?;
        }
        Ok(())
    })
}
