//! Two-bone IK as a plain function: vectors in, two turns out. No skeleton, no animator.

use super::guard::{Failure, guard, out_ref};
use super::read;
use super::result::SinewResult;
use super::rooms;
use super::types::{SinewTwoBoneJob, SinewTwoBoneResult, SinewVec3};
use crate::closed_form::batch::Workspace;
use crate::closed_form::two_bone::{self, TwoBone, TwoBoneSolution};
use crate::math::dispatch::{Level, Task};
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::{TILE, Tile};
use std::cell::RefCell;

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

    /// All numbers after the size.
    #[inline(always)]
    fn numbers(&self) -> &[f32; NUMBERS] {
        // SAFETY: a C struct of a `u32` and 22 `f32` after it.
        unsafe { &*(&raw const *self).cast::<f32>().add(1).cast() }
    }

    /// The same as the core's limb; the weights as they are.
    #[inline(always)]
    fn limb(&self) -> &TwoBone<f32> {
        // SAFETY: the same 22 numbers in the same order, see above.
        unsafe { &*(&raw const *self.numbers()).cast() }
    }

    /// Checks job number `index` of a batch.
    #[inline(always)]
    fn check(index: usize, job: &Self) -> Result<(), Failure> {
        // Before any of its numbers: a shorter job may end where memory ends.
        if job.struct_size as usize != size_of::<Self>() {
            let name = read::JobName(Some(index));
            read::struct_size(format_args!("{name}.struct_size"), job.struct_size, size_of::<Self>())?;
        }
        read::finite_job(read::JobName(Some(index)), job.numbers(), &MEMBERS)
    }
}

/// Apart from the checks, which would else have the limb's numbers in registers before they know.
#[inline(never)]
fn solve(limb: &TwoBone<f32>, out: &mut SinewTwoBoneResult) {
    Level::for_one().run(Solve { limb, out });
}

struct Solve<'a> {
    limb: &'a TwoBone<f32>,
    out: &'a mut SinewTwoBoneResult,
}

impl Task for Solve<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { limb, out } = self;
        if (0.0..=1.0).contains(&limb.softness)
            && let Some(solution) = two_bone::solve_fast(limb)
        {
            *out = solution.into();
        } else {
            solve_limited(limb, out);
        }
    }
}

/// With the weights limited.
#[inline(never)]
fn solve_limited(limb: &TwoBone<f32>, out: &mut SinewTwoBoneResult) {
    let limited = TwoBone {
        weight: limb.weight.clamp(0.0, 1.0),
        pole_weight: limb.pole_weight.clamp(0.0, 1.0),
        softness: limb.softness.clamp(0.0, 1.0),
        stretch: limb.stretch.clamp(0.0, 1.0),
        ..*limb
    };
    *out = two_bone::solve_full(&limited).into();
}

/// The members of a job after its size, with their numbers.
const MEMBERS: [(&str, usize); 10] = [
    ("root_mid", 3),
    ("mid_end", 3),
    ("target", 3),
    ("pole", 3),
    ("hinge", 3),
    ("centre", 3),
    ("weight", 1),
    ("pole_weight", 1),
    ("softness", 1),
    ("stretch", 1),
];

/// Numbers of a job, and of a result.
const NUMBERS: usize = (size_of::<SinewTwoBoneJob>() - size_of::<u32>()) / size_of::<f32>();
const RESULTS: usize = size_of::<SinewTwoBoneResult>() / size_of::<f32>();

// A job is read as the core's limb, and a limb of tiles as a list of them: the same numbers in the
// same order.
const _: () = {
    use core::mem::offset_of;
    type Limb = TwoBone<f32>;
    type Job = SinewTwoBoneJob;
    const SIZE: usize = size_of::<u32>();
    assert!(NUMBERS == 22 && size_of::<Limb>() == NUMBERS * 4 && align_of::<Job>() == 4 && align_of::<Limb>() == 4);
    assert!(size_of::<TwoBone<Tile>>() == NUMBERS * size_of::<Tile>());
    assert!(RESULTS == 10 && size_of::<TwoBoneSolution<Tile>>() == RESULTS * size_of::<Tile>());
    assert!(offset_of!(Job, root_mid) == SIZE + offset_of!(Limb, root_mid));
    assert!(offset_of!(Job, mid_end) == SIZE + offset_of!(Limb, mid_end));
    assert!(offset_of!(Job, target) == SIZE + offset_of!(Limb, target));
    assert!(offset_of!(Job, pole) == SIZE + offset_of!(Limb, pole));
    assert!(offset_of!(Job, hinge) == SIZE + offset_of!(Limb, hinge));
    assert!(offset_of!(Job, centre) == SIZE + offset_of!(Limb, centre));
    assert!(offset_of!(Job, weight) == SIZE + offset_of!(Limb, weight));
    assert!(offset_of!(Job, pole_weight) == SIZE + offset_of!(Limb, pole_weight));
    assert!(offset_of!(Job, softness) == SIZE + offset_of!(Limb, softness));
    assert!(offset_of!(Job, stretch) == SIZE + offset_of!(Limb, stretch));
};

impl From<TwoBoneSolution<f32>> for SinewTwoBoneResult {
    fn from(s: TwoBoneSolution<f32>) -> Self {
        Self { root: s.root.to_quat().into(), mid: s.mid.to_quat().into(), stretch: s.stretch, beyond: s.beyond }
    }
}

/// Fills a job with defaults.
///
/// @param out_job  the job.
pub extern "C" fn sinew_two_bone_job_default(out_job: Option<&mut SinewTwoBoneJob>) -> SinewResult {
    guard("sinew_two_bone_job_default", || {
        *out_ref(out_job, "out_job")? = SinewTwoBoneJob::DEFAULT;
        Ok(())
    })
}

/// Solves one limb.
///
/// @param job         see SinewTwoBoneJob.
/// @param out_result  the turns of its joints.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a number beyond 1e18.
pub unsafe extern "C" fn sinew_two_bone_solve(
    job: *const SinewTwoBoneJob,
    out_result: Option<&mut SinewTwoBoneResult>,
) -> SinewResult {
    guard("sinew_two_bone_solve", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let job = unsafe { read::job(job) }?;
        let out = out_ref(out_result, "out_result")?;
        read::finite_job(read::JobName(None), job.numbers(), &MEMBERS)?;
        solve(job.limb(), out);
        Ok(())
    })
}

/// A block on its way through the batch.
#[derive(Default)]
struct BatchBuffers {
    workspace: Workspace,
    limbs: Box<[TwoBone<Tile>; 1]>,
    turns: Box<[TwoBoneSolution<Tile>; 1]>,
}

/// Jobs that are turned from record order into that of tiles together.
const STEP: usize = 8;

impl BatchBuffers {
    /// At most [`TILE`] jobs, their weights limited. The places after the last step keep what an
    /// earlier block left there.
    fn take(&mut self, jobs: &[SinewTwoBoneJob]) {
        // SAFETY: as many tiles and nothing else, see above.
        let tiles: &mut [Tile; NUMBERS] = unsafe { &mut *(&raw mut self.limbs[0]).cast() };
        self.workspace.level().run_eight(Take { jobs, tiles });
        let limb = &mut self.limbs[0];
        for tile in [&mut limb.weight, &mut limb.pole_weight, &mut limb.softness, &mut limb.stretch] {
            tile.0.iter_mut().for_each(|weight| *weight = weight.clamp(0.0, 1.0));
        }
    }

    /// What [`Self::take`] took in, solved.
    fn give(&self, results: &mut [SinewTwoBoneResult]) {
        // SAFETY: as many tiles and nothing else, see above.
        let tiles: &[Tile; RESULTS] = unsafe { &*(&raw const self.turns[0]).cast() };
        self.workspace.level().run_eight(Give { results, tiles });
    }
}

/// From jobs into tiles.
struct Take<'a> {
    jobs: &'a [SinewTwoBoneJob],
    tiles: &'a mut [Tile; NUMBERS],
}

impl EightTask for Take<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        let Self { jobs, tiles } = self;
        for (jobs, at) in jobs.chunks(STEP).zip((0..TILE).step_by(STEP)) {
            let numbers = core::array::from_fn(|i| jobs.get(i).unwrap_or(&jobs[0]).numbers());
            // In whole rows, of which the last begins before the one before it ends.
            take_rows::<E, 0>(numbers, tiles, at);
            take_rows::<E, STEP>(numbers, tiles, at);
            take_rows::<E, { NUMBERS - STEP }>(numbers, tiles, at);
        }
    }
}

/// From tiles into results.
struct Give<'a> {
    results: &'a mut [SinewTwoBoneResult],
    tiles: &'a [Tile; RESULTS],
}

impl EightTask for Give<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        let Self { results, tiles } = self;
        for (results, at) in results.chunks_mut(STEP).zip((0..TILE).step_by(STEP)) {
            let column = |i: usize| E::of_numbers(tiles[i].0.as_chunks().0[at / STEP % (TILE / STEP)]);
            let rows = E::transpose(core::array::from_fn(column));
            for (i, (result, row)) in results.iter_mut().zip(rows).enumerate() {
                // SAFETY: a C struct of ten `f32`.
                let result: &mut [f32; RESULTS] = unsafe { &mut *(&raw mut *result).cast() };
                result[..STEP].copy_from_slice(&row.numbers());
                (result[STEP], result[STEP + 1]) = (tiles[STEP].0[at + i], tiles[STEP + 1].0[at + i]);
            }
        }
    }
}

/// Eight numbers of each job from `START`, into as many tiles from place `at`.
#[inline(always)]
fn take_rows<E: EightLane, const START: usize>(
    numbers: [&[f32; NUMBERS]; STEP],
    tiles: &mut [Tile; NUMBERS],
    at: usize,
) {
    let row = |numbers: &[f32; NUMBERS]| numbers[START..].first_chunk().map_or(E::splat(0.0), |n| E::of_numbers(*n));
    let columns = E::transpose(numbers.map(row));
    for (tile, column) in tiles[START..START + STEP].iter_mut().zip(columns) {
        tile.0.as_chunks_mut().0[at / STEP % (TILE / STEP)] = column.numbers();
    }
}

thread_local! {
    /// Made at a thread's first batch, kept for the next.
    static BUFFERS: RefCell<Option<BatchBuffers>> = const { RefCell::new(None) };
}

/// Solves many limbs with the processor's vector registers; each gets the same bits as from
/// sinew_two_bone_solve. One refused job refuses the whole batch. The first call of a thread
/// allocates.
///
/// @param jobs         one per limb; may be NULL when count is 0.
/// @param count        number of limbs.
/// @param out_results  one per limb; must not overlap the jobs; may be NULL when count is 0.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a number beyond 1e18.
pub unsafe extern "C" fn sinew_two_bone_solve_batch(
    jobs: *const SinewTwoBoneJob,
    count: u32,
    out_results: *mut SinewTwoBoneResult,
) -> SinewResult {
    guard("sinew_two_bone_solve_batch", || {
        if count == 0 {
            return Ok(());
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let jobs = unsafe { read::array("jobs", jobs, count as usize) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let results = unsafe { read::array_mut("out_results", out_results, count as usize) }?;
        jobs.iter().enumerate().try_for_each(|(index, job)| SinewTwoBoneJob::check(index, job))?;
        rooms::with_scratch(&BUFFERS, |buffers| {
            for (jobs, results) in jobs.chunks(TILE).zip(results.chunks_mut(TILE)) {
                buffers.take(jobs);
                buffers.workspace.two_bone(&buffers.limbs[..], &mut buffers.turns[..]);
                buffers.give(results);
            }
            Ok(())
        })
    })
}
