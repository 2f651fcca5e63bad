using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// The kernels as plain functions, without skeleton or animator, for jobs over one's own pose data. Pointers may be those of
    /// NativeArrays. Any thread; the first batch of a thread allocates native memory, later ones nothing.
    /// </summary>
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

        /// <summary>Solves many limbs in place: their joints are records of one list of local transforms.</summary>
        /// <param name="records">Local transforms of scale 1.</param>
        /// <param name="recordCount">Number of records.</param>
        /// <param name="places">One per limb: its joints in the records. No two limbs may share a joint.</param>
        /// <param name="jobs">One per limb; rotations and positions are taken from the records.</param>
        /// <param name="count">Number of limbs.</param>
        /// <param name="beyond">One per limb: what is left of the distance to the target; may be null.</param>
        public static void SolveRecords(SinewTransform* records, int recordCount, SinewLimbPlaces* places, SinewJointLimbJob* jobs,
            int count, float* beyond)
        {
            SinewLibrary.Check(NativeMethods.sinew_joint_limb_solve_records(records, Length(recordCount), places, jobs,
                Length(count), beyond));
        }

        private static uint Length(int count)
        {
            if (count < 0) throw new ArgumentOutOfRangeException("count");
            return (uint)count;
        }
    }
}
