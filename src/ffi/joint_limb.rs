//! A limb by its joints' local rotations as a plain function: three rotations in, three rotations out. No skeleton, no animator.

use super::guard::{Failure, guard, out_ref};
use super::read;
use super::result::SinewResult;
use super::types::{SinewJointLimbJob, SinewJointLimbResult, SinewQuat, SinewVec3};
use crate::closed_form::joint_limb::{self, JointLimb, JointLimbSolution};
use crate::math::rigid::OFF_UNIT;
use wide::{CmpLt, f32x4};

/// Numbers of a job.
const NUMBERS: usize = (size_of::<SinewJointLimbJob>() - size_of::<u32>()) / size_of::<f32>();

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

    /// With unit rotations and limited weights.
    #[cold]
    #[inline(never)]
    fn made_plain(&self) -> Result<JointLimb<f32>, Failure> {
        use crate::math::LaneQuat;
        let unit = |name: &str, q: &SinewQuat| read::quat(format_args!("job.{name}"), q).map(LaneQuat::from_quat);
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
#[unsafe(no_mangle)]
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
#[unsafe(no_mangle)]
pub extern "C" fn sinew_joint_limb_solve(
    job: *const SinewJointLimbJob,
    out_result: Option<&mut SinewJointLimbResult>,
) -> SinewResult {
    guard("sinew_joint_limb_solve", || {
        let job = read::job(job)?;
        let out = out_ref(out_result, "out_result")?;
        read::finite_job(job, job.numbers())?;
        if job.is_plain() {
            solve(job.limb(), out);
        } else {
            solve(&job.made_plain()?, out);
        }
        Ok(())
    })
}

/// Apart from the checks, which would else have the limb's numbers in registers before they know.
#[inline(never)]
fn solve(limb: &JointLimb<f32>, out: &mut SinewJointLimbResult) {
    *out = joint_limb::solve(limb).into();
}
