using Sinew.Interop;

namespace Sinew
{
    /// <summary>What an avatar is made with besides its bones. Every fraction must be in 0 to
    /// 1.</summary>
    public sealed class AvatarOptions
    {
        /// <summary>Default stretch of arms and legs: 0.05, as Unity's.</summary>
        public const float DefaultStretch = 0.05f;

        /// <summary>Default twist of arms and legs: 0.5, as Unity's.</summary>
        public const float DefaultTwist = 0.5f;

        /// <summary>How much an arm may lengthen to reach a goal, as a fraction of its length;
        /// default 0.05.</summary>
        public float ArmStretch = DefaultStretch;

        /// <summary>The same for a leg; default 0.05.</summary>
        public float LegStretch = DefaultStretch;

        /// <summary>Part of an upper arm's roll that the elbow takes, 0 (all at the shoulder) to 1
        /// (all at the elbow); default 0.5.</summary>
        public float UpperArmTwist = DefaultTwist;

        /// <summary>Part of a hand's roll that the wrist takes, 0 (all at the elbow) to 1 (all at
        /// the wrist); default 0.5.</summary>
        public float LowerArmTwist = DefaultTwist;

        /// <summary>Part of a thigh's roll that the knee takes, 0 (all at the hip) to 1 (all at the
        /// knee); default 0.5.</summary>
        public float UpperLegTwist = DefaultTwist;

        /// <summary>Part of a foot's roll that the ankle takes, 0 (all at the knee) to 1 (all at
        /// the ankle); default 0.5.</summary>
        public float LowerLegTwist = DefaultTwist;

        /// <summary>Least distance of the ankles sideways, as a part of the human scale; default 0:
        /// none.</summary>
        public float FeetSpacing;

        /// <summary>Up axis of the character in model space; zero (default): derived from the
        /// joints.</summary>
        public SinewVec3 Up;

        /// <summary>Direction the chest faces in the T-pose, model space; zero (default): derived
        /// from the joints.</summary>
        public SinewVec3 Forward;

        /// <summary>Ranges that override the default human ranges, for the joint limits of the
        /// settings; of two entries for one bone the last counts. Null (default): none.</summary>
        public SinewHumanRange[] HumanRanges;

        /// <summary>Whether bones without an entry have the ranges of Unity's muscles; default:
        /// measured ranges of people's joints.</summary>
        public bool MuscleRanges;

        /// <summary>Whether both make the same avatar.</summary>
        public bool SameAs(AvatarOptions other)
        {
            return ArmStretch.Equals(other.ArmStretch) && LegStretch.Equals(other.LegStretch) && FeetSpacing.Equals(other.FeetSpacing)
                && UpperArmTwist.Equals(other.UpperArmTwist) && LowerArmTwist.Equals(other.LowerArmTwist)
                && UpperLegTwist.Equals(other.UpperLegTwist) && LowerLegTwist.Equals(other.LowerLegTwist)
                && Same(Up, other.Up) && Same(Forward, other.Forward) && SameRanges(HumanRanges, other.HumanRanges)
                && MuscleRanges == other.MuscleRanges;
        }

        // Equals of a struct without one of its own makes garbage.
        private static bool Same(SinewVec3 a, SinewVec3 b)
        {
            return a.x.Equals(b.x) && a.y.Equals(b.y) && a.z.Equals(b.z);
        }

        private static unsafe bool SameRanges(SinewHumanRange[] a, SinewHumanRange[] b)
        {
            int count = a == null ? 0 : a.Length;
            if (count != (b == null ? 0 : b.Length)) return false;
            fixed (SinewHumanRange* x = a)
            fixed (SinewHumanRange* y = b)
            {
                for (int i = 0; i < count * sizeof(SinewHumanRange) / sizeof(int); i++)
                    if (((int*)x)[i] != ((int*)y)[i]) return false;
            }
            return true;
        }

        internal unsafe void CopyTo(SinewAvatarDef* def)
        {
            def->up = Up;
            def->forward = Forward;
            def->arm_stretch = ArmStretch;
            def->leg_stretch = LegStretch;
            def->upper_arm_twist = UpperArmTwist;
            def->lower_arm_twist = LowerArmTwist;
            def->upper_leg_twist = UpperLegTwist;
            def->lower_leg_twist = LowerLegTwist;
            def->feet_spacing = FeetSpacing;
            def->human_range_set = MuscleRanges
                ? SinewConstants.SINEW_HUMAN_RANGES_MUSCLES
                : SinewConstants.SINEW_HUMAN_RANGES_MEASURED;
        }
    }
}
