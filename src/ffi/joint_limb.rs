//! A limb by its joints' local rotations as a plain function: three rotations in, three rotations
//! out. No skeleton, no animator.

use super::guard::{Failure, guard, out_ref};
use super::read;
use super::result::SinewResult;
use super::rooms;
use super::running;
use super::types::{SinewJointLimbJob, SinewJointLimbResult, SinewLimbPlaces, SinewQuat, SinewTransform, SinewVec3};
use crate::closed_form::batch::Workspace;
use crate::closed_form::joint_limb::{self, JointLimb, JointLimbSolution};
use crate::closed_form::records::LimbPlaces;
use crate::math::dispatch::{Level, Task};
use crate::math::rigid::OFF_UNIT;
use crate::math::{Quat, TILE, Tile, Tiled};
use std::cell::RefCell;
use wide::{CmpLt, f32x4};

/// Numbers of a job.
const NUMBERS: usize = (size_of::<SinewJointLimbJob>() - size_of::<u32>()) / size_of::<f32>();

/// The members of a job after its size, with their numbers.
const MEMBERS: [(&str, usize); 15] = [
    ("root", 4),
    ("mid", 4),
    ("end", 4),
    ("end_goal", 4),
    ("mid_at", 3),
    ("end_at", 3),
    ("target", 3),
    ("pole", 3),
    ("bend_side", 3),
    ("centre", 3),
    ("weight", 1),
    ("pole_weight", 1),
    ("softness", 1),
    ("stretch", 1),
    ("end_weight", 1),
];

// A job is read as the core's limb: the same numbers in the same order.
const _: () = {
    use core::mem::offset_of;
    type Limb = JointLimb<f32>;
    type Job = SinewJointLimbJob;
    const SIZE: usize = size_of::<u32>();
    assert!(NUMBERS == 39 && size_of::<Limb>() == NUMBERS * 4 && align_of::<Job>() == 4 && align_of::<Limb>() == 4);
    assert!(offset_of!(Job, root) == SIZE + offset_of!(Limb, root));
    assert!(offset_of!(Job, mid) == SIZE + offset_of!(Limb, mid));
    assert!(offset_of!(Job, end) == SIZE + offset_of!(Limb, end));
    assert!(offset_of!(Job, end_goal) == SIZE + offset_of!(Limb, end_goal));
    assert!(offset_of!(Job, mid_at) == SIZE + offset_of!(Limb, mid_at));
    assert!(offset_of!(Job, end_at) == SIZE + offset_of!(Limb, end_at));
    assert!(offset_of!(Job, target) == SIZE + offset_of!(Limb, target));
    assert!(offset_of!(Job, pole) == SIZE + offset_of!(Limb, pole));
    assert!(offset_of!(Job, bend_side) == SIZE + offset_of!(Limb, bend_side));
    assert!(offset_of!(Job, centre) == SIZE + offset_of!(Limb, centre));
    assert!(offset_of!(Job, weight) == SIZE + offset_of!(Limb, weight));
    assert!(offset_of!(Job, pole_weight) == SIZE + offset_of!(Limb, pole_weight));
    assert!(offset_of!(Job, softness) == SIZE + offset_of!(Limb, softness));
    assert!(offset_of!(Job, stretch) == SIZE + offset_of!(Limb, stretch));
    assert!(offset_of!(Job, end_weight) == SIZE + offset_of!(Limb, end_weight));
};

impl SinewJointLimbJob {
    const DEFAULT: Self = {
        let zero = SinewVec3 { x: 0.0, y: 0.0, z: 0.0 };
        let none = SinewQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        Self {
            struct_size: size_of::<Self>() as u32,
            root: none,
            mid: none,
            end: none,
            end_goal: none,
            mid_at: zero,
            end_at: zero,
            target: zero,
            pole: zero,
            bend_side: SinewVec3 { x: 1.0, y: 0.0, z: 0.0 },
            centre: zero,
            weight: 1.0,
            pole_weight: 0.0,
            softness: 0.0,
            stretch: 0.0,
            end_weight: 0.0,
        }
    };

    /// All numbers after the size.
    #[inline(always)]
    fn numbers(&self) -> &[f32; NUMBERS] {
        // SAFETY: a C struct of a `u32` and 39 `f32` after it.
        unsafe { &*(&raw const *self).cast::<f32>().add(1).cast() }
    }

    /// The same as the core's limb, as it is.
    #[inline(always)]
    fn limb(&self) -> &JointLimb<f32> {
        // SAFETY: the same numbers in the same order, see above.
        unsafe { &*(&raw const *self.numbers()).cast() }
    }

    /// Whether the core can take it as it is: unit rotations, weights from 0 to 1.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let [.., weight, pole_weight, softness, stretch, end_weight] = *self.numbers();
        let rotations = self.numbers().as_chunks::<4>().0.first_chunk::<4>();
        let [x, y, z, w] = f32x4::transpose(rotations.map_or([f32x4::ZERO; 4], |rows| rows.map(f32x4::new)));
        let off = ((x * x + y * y) + (z * z + w * w) - f32x4::ONE).abs();
        (off.cmp_lt(f32x4::splat(OFF_UNIT)).move_mask() == 0xf)
            & read::are_fractions([weight, pole_weight, softness, stretch])
            & (0.0..=1.0).contains(&end_weight)
    }

    /// With unit rotations and clamped weights. `index`: the job's in a batch.
    #[cold]
    #[inline(never)]
    fn made_plain(&self, index: Option<usize>) -> Result<JointLimb<f32>, Failure> {
        use crate::math::LaneQuat;
        let unit = |name: &str, q: &SinewQuat| {
            read::quat(format_args!("{}.{name}", read::JobName(index)), q).map(LaneQuat::from_quat)
        };
        let limb = self.limb();
        let end_weight = limb.end_weight.clamp(0.0, 1.0);
        Ok(JointLimb {
            root: unit("root", &self.root)?,
            mid: unit("mid", &self.mid)?,
            end: unit("end", &self.end)?,
            end_goal: if end_weight > 0.0 { unit("end_goal", &self.end_goal)? } else { LaneQuat::identity() },
            weight: limb.weight.clamp(0.0, 1.0),
            pole_weight: limb.pole_weight.clamp(0.0, 1.0),
            softness: limb.softness.clamp(0.0, 1.0),
            stretch: limb.stretch.clamp(0.0, 1.0),
            end_weight,
            ..*limb
        })
    }
}

impl From<JointLimbSolution<f32>> for SinewJointLimbResult {
    fn from(s: JointLimbSolution<f32>) -> Self {
        let [root, mid, end] = [s.root, s.mid, s.end].map(|q| q.to_quat().into());
        Self { root, mid, end, stretch: s.stretch, beyond: s.beyond }
    }
}

/// Fills a job with defaults.
///
/// @param out_job  the job.
pub extern "C" fn sinew_joint_limb_job_default(out_job: Option<&mut SinewJointLimbJob>) -> SinewResult {
    guard("sinew_joint_limb_job_default", || {
        *out_ref(out_job, "out_job")? = SinewJointLimbJob::DEFAULT;
        Ok(())
    })
}

/// Solves one limb.
///
/// @param job         see SinewJointLimbJob.
/// @param out_result  the new rotations of its joints.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a number beyond 1e18.
pub unsafe extern "C" fn sinew_joint_limb_solve(
    job: *const SinewJointLimbJob,
    out_result: Option<&mut SinewJointLimbResult>,
) -> SinewResult {
    guard("sinew_joint_limb_solve", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let job = unsafe { read::job(job) }?;
        let out = out_ref(out_result, "out_result")?;
        read::finite_job(read::JobName(None), job.numbers(), &MEMBERS)?;
        if job.is_plain() {
            solve(job.limb(), out);
        } else {
            solve(&job.made_plain(None)?, out);
        }
        Ok(())
    })
}

/// Apart from the checks, which would else have the limb's numbers in registers before they know.
#[inline(never)]
fn solve(limb: &JointLimb<f32>, out: &mut SinewJointLimbResult) {
    Level::for_one().run(Solve { limb, out });
}

struct Solve<'a> {
    limb: &'a JointLimb<f32>,
    out: &'a mut SinewJointLimbResult,
}

impl Task for Solve<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        *self.out = joint_limb::solve(self.limb).into();
    }
}

/// A block of limbs on its way through a batch.
#[derive(Default)]
struct Block {
    workspace: Workspace,
    limbs: Box<[JointLimb<Tile>; 1]>,
    rotations: Box<[JointLimbSolution<Tile>; 1]>,
}

thread_local! {
    /// Created by a thread's first batch, kept for the next.
    static BLOCK: RefCell<Option<Block>> = const { RefCell::new(None) };
}

/// The core's limb of a job of a batch.
fn plain_limb(index: usize, job: &SinewJointLimbJob) -> Result<JointLimb<f32>, Failure> {
    if job.is_plain() { Ok(*job.limb()) } else { job.made_plain(Some(index)) }
}

/// Checks all jobs of a batch before any of them is solved.
fn check_all(jobs: &[SinewJointLimbJob]) -> Result<(), Failure> {
    for (index, job) in jobs.iter().enumerate() {
        let name = read::JobName(Some(index));
        read::struct_size(format_args!("{name}.struct_size"), job.struct_size, size_of::<SinewJointLimbJob>())?;
        read::finite_job(name, job.numbers(), &MEMBERS)?;
        plain_limb(index, job)?;
    }
    Ok(())
}

/// Solves many limbs with the processor's vector registers; each gets the same bits as from
/// sinew_joint_limb_solve. One refused job refuses the whole batch. The first call of a thread
/// allocates.
///
/// @param jobs         one per limb; may be NULL when count is 0.
/// @param count        number of limbs.
/// @param out_results  one per limb; must not overlap the jobs; may be NULL when count is 0.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a number beyond 1e18.
pub unsafe extern "C" fn sinew_joint_limb_solve_batch(
    jobs: *const SinewJointLimbJob,
    count: u32,
    out_results: *mut SinewJointLimbResult,
) -> SinewResult {
    guard("sinew_joint_limb_solve_batch", || {
        if count == 0 {
            return Ok(());
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let jobs = unsafe { read::array("jobs", jobs, count as usize) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let results = unsafe { read::array_mut("out_results", out_results, count as usize) }?;
        check_all(jobs)?;
        rooms::with_scratch(&BLOCK, |block| {
            for (jobs, results) in jobs.chunks(TILE).zip(results.chunks_mut(TILE)) {
                for (place, job) in jobs.iter().enumerate() {
                    block.limbs[0].put(place, plain_limb(place, job)?);
                }
                block.workspace.joint_limbs(&block.limbs[..], &mut block.rotations[..]);
                for (place, result) in results.iter_mut().enumerate() {
                    *result = block.rotations[0].at(place).into();
                }
            }
            Ok(())
        })
    })
}

/// Solves many limbs in place: their joints are records of one list of local transforms, the poses
/// of any number of characters. Reads and writes the records of root, mid and end joint of each
/// limb; where a limb stretches, positions too. One refused job or record refuses the whole batch.
/// The first call of a thread allocates.
///
/// @param records       local transforms; those of limbs must have scale 1 (not checked) and unit
///                      quaternions.
/// @param record_count  number of records.
/// @param places        one per limb: its joints in `records`. No two limbs may share a joint.
/// @param jobs          one per limb; root, mid, end, mid_at and end_at are taken from the records.
/// @param count         number of limbs; 0: the pointers may be NULL.
/// @param out_beyond    one per limb, as SinewJointLimbResult::beyond; may be NULL.
/// @return SINEW_ERROR_OUT_OF_RANGE: a place; SINEW_ERROR_INVALID_ROTATION: a quaternion of the
///         records is not unit; SINEW_ERROR_INVALID_ARGUMENT: a number beyond 1e18.
pub unsafe extern "C" fn sinew_joint_limb_solve_records(
    records: *mut SinewTransform,
    record_count: u32,
    places: *const SinewLimbPlaces,
    jobs: *const SinewJointLimbJob,
    count: u32,
    out_beyond: *mut f32,
) -> SinewResult {
    guard("sinew_joint_limb_solve_records", || {
        if count == 0 {
            return Ok(());
        }
        let count = count as usize;
        // SAFETY: required of the caller of the C function; see `read`.
        let places = unsafe { read::array("places", places, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let jobs = unsafe { read::array("jobs", jobs, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let records = unsafe { read::array_mut("records", records, record_count as usize) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let mut out_beyond = unsafe { read::optional_array_mut("out_beyond", out_beyond, count) }?;
        check_all(jobs)?;
        for (index, places) in places.iter().enumerate() {
            check_places(index, places, records)?;
        }
        running::overwrites(0, records);
        let records = read::as_transforms_mut(records);
        rooms::with_scratch(&BLOCK, |block| {
            for (chunk, (jobs, places)) in jobs.chunks(TILE).zip(places.chunks(TILE)).enumerate() {
                let mut joints = [LimbPlaces::default(); TILE];
                for (place, (job, given)) in jobs.iter().zip(places).enumerate() {
                    block.limbs[0].put(place, plain_limb(place, job)?);
                    joints[place] = LimbPlaces { root: given.root, mid: given.mid, end: given.end };
                }
                let joints = &joints[..places.len()];
                let (limbs, rotations) = (&mut block.limbs[..], &mut block.rotations[..]);
                if !block.workspace.joint_limbs_in_records(records, joints, limbs, rotations) {
                    // Checked above.
                    return Err(Failure::argument("places: a joint is outside the records"));
                }
                if let Some(out) = &mut out_beyond {
                    for (place, out) in out[chunk * TILE..].iter_mut().take(places.len()).enumerate() {
                        *out = block.rotations[0].beyond.at(place);
                    }
                }
            }
            Ok(())
        })
    })
}

/// Checks the records of one limb.
fn check_places(index: usize, places: &SinewLimbPlaces, records: &[SinewTransform]) -> Result<(), Failure> {
    for (name, joint) in [("root", places.root), ("mid", places.mid), ("end", places.end)] {
        let Some(record) = records.get(joint as usize) else {
            return Err(Failure::new(
                SinewResult::SinewErrorOutOfRange,
                format_args!("places[{index}].{name} is {joint}, there are {} records", records.len()),
            ));
        };
        read::transform(format_args!("records[{joint}]"), record)?;
        for (axis, value) in [("x", record.position.x), ("y", record.position.y), ("z", record.position.z)] {
            read::moderate(format_args!("records[{joint}].position.{axis}"), value)?;
        }
        let length = Quat::from(record.rotation).length();
        if (length * length - 1.0).abs() > OFF_UNIT {
            return Err(Failure::new(
                SinewResult::SinewErrorInvalidRotation,
                format_args!("records[{joint}].rotation has length {length}, not 1"),
            ));
        }
    }
    Ok(())
}
