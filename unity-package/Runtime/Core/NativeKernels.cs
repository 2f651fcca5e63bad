using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// The kernels as plain functions, without skeleton or animator, for jobs over one's own pose
    /// data. Pointers may be those of NativeArrays. Any thread; the first batch of a thread
    /// allocates native memory, later ones nothing. </summary>
    public static unsafe class NativeKernels
    {
        /// <summary>A job with defaults.</summary>
        public static SinewTwoBoneJob DefaultTwoBoneJob()
        {
            SinewLibrary.CheckVersion();
            SinewTwoBoneJob job;
            SinewLibrary.Check(NativeMethods.sinew_two_bone_job_default(&job));
            return job;
        }

        /// <summary>A job with defaults.</summary>
        public static SinewJointLimbJob DefaultJointLimbJob()
        {
            SinewLibrary.CheckVersion();
            SinewJointLimbJob job;
            SinewLibrary.Check(NativeMethods.sinew_joint_limb_job_default(&job));
            return job;
        }

        /// <summary>A job with defaults.</summary>
        public static SinewAimJob DefaultAimJob()
        {
            SinewLibrary.CheckVersion();
            SinewAimJob job;
            SinewLibrary.Check(NativeMethods.sinew_aim_job_default(&job));
            return job;
        }

        /// <summary>Solves a limb by vectors.</summary>
        public static SinewTwoBoneResult Solve(SinewTwoBoneJob job)
        {
            SinewTwoBoneResult result;
            SinewLibrary.Check(NativeMethods.sinew_two_bone_solve(&job, &result));
            return result;
        }

        /// <summary>Solves a limb by local transforms.</summary>
        public static SinewJointLimbResult Solve(SinewJointLimbJob job)
        {
            SinewJointLimbResult result;
            SinewLibrary.Check(NativeMethods.sinew_joint_limb_solve(&job, &result));
            return result;
        }

        /// <summary>Solves a ray.</summary>
        public static SinewAimResult Solve(SinewAimJob job)
        {
            SinewAimResult result;
            SinewLibrary.Check(NativeMethods.sinew_aim_solve(&job, &result));
            return result;
        }

        /// <summary>Solves many limbs by vectors; one result per job.</summary>
        public static void Solve(SinewTwoBoneJob* jobs, int count, SinewTwoBoneResult* results)
        {
            SinewLibrary.Check(NativeMethods.sinew_two_bone_solve_batch(jobs, Length(count), results));
        }

        /// <summary>Solves many limbs by local transforms; one result per job.</summary>
        public static void Solve(SinewJointLimbJob* jobs, int count, SinewJointLimbResult* results)
        {
            SinewLibrary.Check(NativeMethods.sinew_joint_limb_solve_batch(jobs, Length(count), results));
        }

        /// <summary>Solves many rays; one result per job.</summary>
        public static void Solve(SinewAimJob* jobs, int count, SinewAimResult* results)
        {
            SinewLibrary.Check(NativeMethods.sinew_aim_solve_batch(jobs, Length(count), results));
        }

        /// <summary>Solves many limbs in place: their joints are records of one list of local
        /// transforms.</summary> <param name="records">Local transforms of scale 1.</param>
        /// <param name="recordCount">Number of records.</param>
        /// <param name="places">One per limb: its joints in the records. No two limbs may share a
        /// joint.</param> <param name="jobs">One per limb; rotations and positions are taken from
        /// the records.</param> <param name="count">Number of limbs.</param>
        /// <param name="beyond">One per limb: what is left of the distance to the target; may be
        /// null.</param>
        public static void SolveRecords(SinewTransform* records, int recordCount, SinewLimbPlaces* places, SinewJointLimbJob* jobs,
            int count, float* beyond)
        {
            SinewLibrary.Check(NativeMethods.sinew_joint_limb_solve_records(records, Length(recordCount), places, jobs,
                Length(count), beyond));
        }

        /// <summary>A chain with default settings: set its arrays, <c>def.ends</c> and
        /// <c>def.end_count</c>.</summary>
        public static SinewChainJob DefaultChainJob()
        {
            SinewLibrary.CheckVersion();
            SinewChainJob job;
            SinewLibrary.Check(NativeMethods.sinew_chain_job_default(&job));
            return job;
        }

        /// <summary>
        /// Solves a chain or tree of joints given as arrays, as a chain constraint with weight 1
        /// does. A thread keeps its last eight chains: another one allocates native memory.
        /// </summary>
        /// <param name="job">From <see cref="DefaultChainJob"/>.</param>
        /// <param name="pose">Local transforms, as many as the job has joints; the result replaces
        /// them.</param>
        public static Outcome Solve(SinewChainJob* job, SinewTransform* pose)
        {
            SinewOutcome outcome;
            SinewLibrary.Check(NativeMethods.sinew_chain_solve(job, pose, &outcome));
            return new Outcome(outcome);
        }

        /// <summary>Solves a chain of a single end, from managed arrays.</summary>
        /// <param name="job">Settings; its arrays are replaced by the ones below.</param>
        /// <param name="parents">Index of each joint's parent, lower than its own; -1 for
        /// none.</param> <param name="rest">Rest transforms, from which limits count.</param>
        /// <param name="limits">Limits of each joint; null: all are free.</param>
        /// <param name="end">The end.</param>
        /// <param name="goal">Its goal, model space.</param>
        /// <param name="pose">Local transforms; the result replaces them.</param>
        public static Outcome Solve(
            SinewChainJob job, int[] parents, SinewTransform[] rest, SinewJointLimitsDef[] limits, SinewChainEnd end,
            SinewConstraintGoal goal, SinewTransform[] pose)
        {
            if (parents == null) throw new ArgumentNullException("parents");
            if (rest == null) throw new ArgumentNullException("rest");
            if (pose == null) throw new ArgumentNullException("pose");
            if (rest.Length != parents.Length || pose.Length != parents.Length)
                throw new ArgumentException("rest has " + rest.Length + " entries, pose " + pose.Length + ", parents " + parents.Length);
            if (limits != null && limits.Length != parents.Length)
                throw new ArgumentException("limits has " + limits.Length + " entries, parents " + parents.Length, "limits");
            fixed (int* parentsPointer = parents)
            fixed (SinewTransform* restPointer = rest)
            fixed (SinewTransform* posePointer = pose)
            fixed (SinewJointLimitsDef* limitsPointer = limits)
            {
                job.joint_count = (uint)parents.Length;
                job.parents = parentsPointer;
                job.rest = restPointer;
                job.limits = limitsPointer;
                job.goals = &goal;
                job.def.ends = &end;
                job.def.end_count = 1;
                return Solve(&job, posePointer);
            }
        }

        /// <summary>Computes the model frames of a pose given as arrays (forward
        /// kinematics).</summary> <param name="parents">Index of each joint's parent, lower than
        /// its own; -1 for none.</param> <param name="pose">Local transforms.</param>
        /// <param name="count">Number of joints.</param>
        /// <param name="frames">Written: one per joint.</param>
        public static void ComputeModelFrames(int* parents, SinewTransform* pose, int count, SinewModelFrame* frames)
        {
            SinewLibrary.Check(NativeMethods.sinew_model_frames_compute(parents, pose, Length(count), frames));
        }

        private static uint Length(int count)
        {
            if (count < 0) throw new ArgumentOutOfRangeException("count");
            return (uint)count;
        }
    }
}
