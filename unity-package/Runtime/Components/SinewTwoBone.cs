using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// A limb of two bones that reaches for a target, in closed form: an animal's leg, a robot's arm, a piston. Once one of its joints has
    /// limits it is solved as a chain, which keeps them.
    /// </summary>
    [AddComponentMenu("Animation/Sinew Two Bone")]
    public sealed class SinewTwoBone : TargetConstraint
    {
        /// <summary>The joint to be placed. None: this Transform.</summary>
        [Header("Limb")]
        [Tooltip("The joint to be placed. None: this Transform.")]
        public Transform end;

        /// <summary>The joint that bends. None: the parent of the end.</summary>
        [Tooltip("The joint that bends. None: the parent of the end.")]
        public Transform mid;

        /// <summary>The joint the limb hangs from. None: the parent of the joint that bends.</summary>
        [Tooltip("The joint the limb hangs from. None: the parent of the joint that bends.")]
        public Transform root;

        /// <summary>Zone before full extension in which the limb slows down, as a share of its length, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Zone before full extension in which the limb slows down, as a share of its length.")]
        public float softness;

        /// <summary>How much longer than it is the limb may become, as a share of its length, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("How much longer the limb may become, as a share of its length.")]
        public float stretch;

        /// <summary>Whether the end turns as the target does; else the limb carries it along.</summary>
        [Header("Goal")]
        [Tooltip("Whether the end turns as the target does.")]
        public bool matchRotation;

        /// <summary>Share of the way from the animation's rotation to the target's, 0 to 1, with <see cref="matchRotation"/>.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of the way from the animation's rotation to the target's.")]
        public float rotationWeight = 1f;

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewTwoBoneDef def = NativeAnimator.DefaultTwoBone();
            def.end = to.JointOf(end != null ? end : transform);
            if (mid != null) def.mid = (int)to.JointOf(mid);
            if (root != null) def.root = (int)to.JointOf(root);
            def.softness = softness;
            def.stretch = stretch;
            return native.AddTwoBone(def);
        }

        internal override void Complete(ref SinewConstraintGoal goal)
        {
            if (!matchRotation) return;
            goal.set |= SinewConstants.SINEW_CONSTRAINT_ROTATION;
            goal.rotation = To(target.rotation);
            goal.rotation_weight = rotationWeight;
        }
    }
}
