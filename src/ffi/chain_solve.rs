//! Chains and forward kinematics on plain arrays: no handles.
//!
//! A thread keeps the last chains it solved, each as an animator with one constraint, for the next
//! call with the same joints, limits and settings: only the first of such calls allocates, and each
//! setting means what it means for a constraint.

use super::constraint_goals::{goal_in, pole_in};
use super::constraints::{ChainArguments, default_chain};
use super::guard::{Failure, guard, optional_out, out_ref};
use super::joint_limits;
use super::read;
use super::result::SinewResult;
use super::rooms;
use super::running;
use super::types::{
    SINEW_MAX_WORK, SinewChainJob, SinewConstraintGoal, SinewJointLimits, SinewModelFrame, SinewOutcome, SinewPole,
    SinewTransform,
};
use crate::animator::Animator;
use crate::constraints::{ChainDefinition, ConstraintDefinition, ConstraintId};
use crate::math::{Frame, Vec3};
use crate::skeleton::{JointDefinition, Pose, Skeleton};
use std::cell::RefCell;
use std::sync::Arc;

/// Chains that a thread keeps; a further one replaces the least recently used.
const KEPT: usize = 8;

thread_local! {
    /// Most recently used first.
    #[expect(clippy::vec_box, reason = "a chain is large, and its place in the list changes often")]
    static CHAINS: RefCell<Vec<Box<PlainChain>>> = const { RefCell::new(Vec::new()) };
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// A chain that is set up, with the data of its set-up.
struct PlainChain {
    parents: Vec<i32>,
    rest: Vec<SinewTransform>,
    limits: Vec<SinewJointLimits>,
    definition: ChainDefinition,
    animator: Animator,
    constraint: ConstraintId,
}

/// What a job points to.
struct JobArrays<'a> {
    parents: &'a [i32],
    rest: &'a [SinewTransform],
    limits: &'a [SinewJointLimits],
    goals: &'a [SinewConstraintGoal],
    pole: Option<&'a SinewPole>,
    arguments: ChainArguments<'a>,
    max_work: u32,
}

impl JobArrays<'_> {
    /// Follows the pointers of `job`.
    unsafe fn new(job: &SinewChainJob) -> Result<Self, Failure> {
        let count = read::joint_count("job.joint_count", job.joint_count)?;
        // SAFETY (all): required of the caller of the C function; see `read`.
        unsafe {
            let arguments = ChainArguments::new(&job.def).map_err(|failure| failure.about("job"))?;
            if arguments.warm_start {
                return Err(Failure::argument(
                    "job.def.flags has SINEW_CHAIN_WARM_START: a job keeps no answer, it starts at its pose",
                ));
            }
            Ok(Self {
                parents: read::array("job.parents", job.parents, count)?,
                rest: read::array("job.rest", job.rest, count)?,
                limits: if job.limits.is_null() { &[] } else { read::array("job.limits", job.limits, count)? },
                goals: read::array("job.goals", job.goals, arguments.ends.len())?,
                pole: if job.pole.is_null() { None } else { read::array("job.pole", job.pole, 1)?.first() },
                arguments,
                max_work: job.max_work,
            })
        }
    }
}

impl PlainChain {
    fn new(job: &JobArrays) -> Result<Self, Failure> {
        let mut joints = Vec::with_capacity(job.parents.len());
        for (i, (parent, rest)) in job.parents.iter().zip(job.rest).enumerate() {
            joints.push(JointDefinition {
                name: String::new(),
                parent: read::parent("job.parents", i, *parent)?,
                rest: read::transform(format_args!("job.rest[{i}]"), rest)?,
            });
        }
        let definition = job.arguments.definition(joints.len())?;
        let mut animator = Animator::new(Arc::new(Skeleton::new(joints)?), None)?;
        for (joint, limits) in job.limits.iter().enumerate() {
            let model = joint_limits::model_of(limits).map_err(|failure| {
                Failure::new(failure.code, format_args!("job.limits[{joint}]: {}", failure.message()))
            })?;
            animator.set_joint_limits(joint, &model)?;
        }
        let constraint = animator.add_constraint(&ConstraintDefinition::Chain(definition.clone()))?;
        animator.constraint_mut(constraint)?.weight = 1.0;
        let (parents, rest, limits) = (job.parents.to_vec(), job.rest.to_vec(), job.limits.to_vec());
        Ok(Self { parents, rest, limits, definition, animator, constraint })
    }
    fn fits(&self, job: &JobArrays) -> bool {
        self.parents == job.parents
            && self.rest == job.rest
            && self.limits == job.limits
            && job.arguments.is_of(&self.definition)
    }
    fn solve(&mut self, job: &JobArrays, pose: &mut [SinewTransform]) -> Result<SinewOutcome, Failure> {
        let input = self.animator.constraint_mut(self.constraint)?;
        for (i, (goal, given)) in input.goals.iter_mut().zip(job.goals).enumerate() {
            *goal = goal_in(given)
                .map_err(|failure| Failure::new(failure.code, format_args!("job.goals[{i}]: {}", failure.message())))?;
        }
        input.pole_ws = job.pole.map(pole_in).transpose()?;
        self.animator.set_max_work(job.max_work);
        self.animator.pose_mut().load(read::as_transforms(pose).iter().copied())?;
        self.animator.solve()?;
        read::as_transforms_mut(pose).copy_from_slice(self.animator.pose().local());
        Ok(self.animator.constraint_outcome(self.constraint)?.into())
    }
}

/// Fills a chain job with defaults: no joints, free joints, no pole, and the settings of
/// sinew_chain_def_default. Set `joint_count`, `parents`, `rest`, `goals`, `def.ends` and
/// `def.end_count`.
///
/// @param out_job  the job.
pub extern "C" fn sinew_chain_job_default(out_job: Option<&mut SinewChainJob>) -> SinewResult {
    guard("sinew_chain_job_default", || {
        *out_ref(out_job, "out_job")? = SinewChainJob {
            struct_size: size_of::<SinewChainJob>() as u32,
            joint_count: 0,
            parents: core::ptr::null(),
            rest: core::ptr::null(),
            limits: core::ptr::null(),
            goals: core::ptr::null(),
            pole: core::ptr::null(),
            def: default_chain(),
            max_work: SINEW_MAX_WORK,
        };
        Ok(())
    })
}

/// Solves a chain or tree given as arrays: the result is that of a chain constraint with weight 1
/// on an animator with identity root, without SINEW_CHAIN_WARM_START (for a warm start give it the
/// last answer as the pose). Each thread keeps the eight chains it solved last: a call
/// allocates only where joints, limits and `def` are those of none of them.
///
/// @param job          see SinewChainJob.
/// @param pose         `job.joint_count` local transforms in joint order: the animation, which the
///                     result replaces.
/// @param out_outcome  the outcome of the worst end; may be NULL.
/// @return SINEW_ERROR_INVALID_ARGUMENT: joint_count, end_count, flags, or a setting outside its
///         range; SINEW_ERROR_INVALID_PARENT; SINEW_ERROR_OUT_OF_RANGE: a joint;
///         SINEW_ERROR_LENGTH_MISMATCH: spring_bias_count; SINEW_ERROR_INVALID_CHAIN: the ends are
///         not below the chain's root.
pub unsafe extern "C" fn sinew_chain_solve(
    job: *const SinewChainJob,
    pose: *mut SinewTransform,
    out_outcome: Option<&mut SinewOutcome>,
) -> SinewResult {
    guard("sinew_chain_solve", || {
        let out_outcome = optional_out(out_outcome, "out_outcome")?;
        // SAFETY: required of the caller of the C function; see `read`.
        let job = unsafe { JobArrays::new(read::job(job)?) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let pose = unsafe { read::array_mut("pose", pose, job.parents.len()) }?;
        running::overwrites(1, pose);
        let in_job = |failure: Failure| {
            let has_place = ["job", "pose"].iter().any(|argument| failure.message().starts_with(argument));
            if has_place { failure } else { failure.about("job") }
        };
        CHAINS.with_borrow_mut(|chains| {
            let known = chains.iter().position(|chain| chain.fits(&job));
            // Until the chain is in the list and has solved once.
            let _room;
            // Taken out of the list for the solve: a panic drops it.
            let mut chain = match known {
                Some(place) => chains.remove(place),
                None => {
                    _room = rooms::CHAIN.room(job.parents.len())?;
                    Box::new(PlainChain::new(&job).map_err(in_job)?)
                }
            };
            let solved = chain.solve(&job, pose).map_err(in_job);
            chains.truncate(KEPT - 1);
            chains.insert(0, chain);
            let outcome = solved?;
            if let Some(out_outcome) = out_outcome {
                *out_outcome = outcome;
            }
            Ok(())
        })
    })
}

/// Computes the model frames of a pose given as arrays (forward kinematics). A thread allocates
/// when it first gets as many joints.
///
/// @param parents      index of each joint's parent, lower than its own; -1 for none.
/// @param pose         local transforms in joint order, metres.
/// @param joint_count  length of parents, pose and out_frames, 1 … 65535.
/// @param out_frames   one per joint; must not overlap the pose.
/// @return SINEW_ERROR_INVALID_ARGUMENT: joint_count; SINEW_ERROR_INVALID_PARENT.
pub unsafe extern "C" fn sinew_model_frames_compute(
    parents: *const i32,
    pose: *const SinewTransform,
    joint_count: u32,
    out_frames: *mut SinewModelFrame,
) -> SinewResult {
    guard("sinew_model_frames_compute", || {
        let count = read::joint_count("joint_count", joint_count)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let parents = unsafe { read::array("parents", parents, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let pose = read::as_transforms(unsafe { read::array("pose", pose, count) }?);
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_frames", out_frames, count) }?;
        Pose::check(pose)?;
        FRAMES.with_borrow_mut(|frames| {
            frames.clear();
            if frames.capacity() < count {
                let _room = rooms::FRAMES.room(count)?;
                frames.reserve_exact(count);
            }
            for (i, local) in pose.iter().enumerate() {
                let parent = read::parent("parents", i, parents[i])?;
                frames.push(parent.map_or(Frame::IDENTITY, |parent| frames[parent]).then(local));
            }
            read::computed("out_frames", frames.as_slice())?;
            write_frames(frames.iter().copied(), out);
            Ok(())
        })
    })
}

/// Writes one frame per joint.
pub(super) fn write_frames(frames: impl Iterator<Item = Frame>, out: &mut [SinewModelFrame]) {
    for (out, frame) in out.iter_mut().zip(frames) {
        *out = SinewModelFrame {
            position: frame.position.into(),
            rotation: frame.rotation.into(),
            x_axis: frame.vector_out(Vec3::X).into(),
            y_axis: frame.vector_out(Vec3::Y).into(),
            z_axis: frame.vector_out(Vec3::Z).into(),
        };
    }
}
