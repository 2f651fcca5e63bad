using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>
    /// A limb of two bones that reaches for a target, in closed form: an animal's leg, a robot's
    /// arm, a piston. Once one of its joints has limits it is solved as a chain, which keeps them.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Two Bone")]
    [ManualPage("sinew-two-bone.md")]
    [Icon(SinewHelp.Icons + "SinewTwoBone.png")]
    public sealed class SinewTwoBone : ReachConstraint
    {
        /// <summary>The joint to be placed. None: this Transform.</summary>
        [Header("Limb")]
        [Tooltip("The joint to be placed. None: this Transform.")]
        public Transform end;

        /// <summary>The joint that bends. None: the parent of the end.</summary>
        [Tooltip("The joint that bends. None: the parent of the end.")]
        public Transform mid;

        /// <summary>The joint above the limb. None: the parent of the joint that
        /// bends.</summary>
        [Tooltip("The joint above the limb. None: the parent of the joint that bends.")]
        public Transform root;

        /// <summary>Zone before full extension in which the limb slows down, as a share of its
        /// length, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Zone before full extension in which the limb slows down, as a share of its length. Range 0 to 1. Default 0.")]
        public float softness;

        /// <summary>How much longer than it is the limb may become, as a share of its length, 0 to
        /// 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("How much longer the limb may become, as a share of its length. Range 0 to 1. Default 0.")]
        public float stretch;

        /// <summary>
        /// Direction in which a straight limb bends, in the root joint's space; zero (default): as
        /// in the rest pose. See <see cref="isBendArbitrary"/>.
        /// </summary>
        [Tooltip("Direction in which a straight limb bends, in the root joint's space. Zero: as in the rest pose.")]
        public Vector3 bendSide;

        /// <summary>
        /// Whether the limb is straight at rest and has no bend side: without a pole it bends to an
        /// arbitrary fixed side.
        /// </summary>
        public bool isBendArbitrary
        {
            get { return Owner != null && Owner.IsBendArbitrary(this); }
        }

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewTwoBoneDef def = NativeAnimator.DefaultTwoBone();
            def.end = to.JointOf(end != null ? end : transform);
            if (mid != null) def.mid = (int)to.JointOf(mid);
            if (root != null) def.root = (int)to.JointOf(root);
            def.bend_side = To(bendSide);
            def.softness = softness;
            def.stretch = stretch;
            return native.AddTwoBone(def);
        }

        private void OnDrawGizmosSelected()
        {
            Transform last = end != null ? end : transform;
            Transform bend = mid != null ? mid : last.parent;
            Transform first = root != null ? root : bend != null ? bend.parent : null;
            if (first == null || bend == null) return;
            SinewGizmos.Line(last.position, bend.position, SinewColors.Bone);
            SinewGizmos.Line(bend.position, first.position, SinewColors.Bone);
            SinewGizmos.Goal(last.position, target);
            SinewGizmos.Pole(bend.position, pole);
            Sphere(target, distanceMode, radius);
            float reach = Vector3.Distance(last.position, bend.position) + Vector3.Distance(bend.position, first.position);
            if (target != null && Vector3.Distance(first.position, target.position) > reach)
                SinewGizmos.Circle(first.position, target.position - first.position, reach, SinewColors.Region);
            if (bendSide != Vector3.zero)
                SinewGizmos.Line(bend.position, bend.position + first.TransformDirection(bendSide).normalized * (reach * 0.2f), SinewColors.Pole);
        }
    }
}
