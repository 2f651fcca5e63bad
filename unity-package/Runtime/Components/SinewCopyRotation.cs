using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>
    /// A joint that turns as another Transform is turned: a foot that keeps its handle's rotation,
    /// a twist bone that follows a hand. A source among the character's own joints is read after
    /// the constraints before this one; any other one as it is in the scene.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Copy Rotation")]
    [ManualPage("sinew-copy-rotation.md")]
    [Icon(SinewHelp.Icons + "SinewCopyRotation.png")]
    public sealed class SinewCopyRotation : ConstraintBehaviour
    {
        /// <summary>The joint that turns. None: this Transform.</summary>
        [Tooltip("The joint that turns. None: this Transform.")]
        public Transform joint;

        /// <summary>What is copied. None: the constraint does nothing.</summary>
        [Tooltip("What is copied. None: nothing is done.")]
        public Transform source;

        /// <summary>Turn of the joint against what it copies, Euler angles in degrees.</summary>
        [Tooltip("Turn of the joint against what it copies, Euler angles in degrees.")]
        public Vector3 offset;

        /// <summary>The bone's axis in the joint's own space; it splits the turn into swing and
        /// twist.</summary>
        [Tooltip("The bone's axis in the joint's own space; it splits the turn into swing and twist.")]
        public Vector3 axis = Vector3.up;

        /// <summary>Share of the swing that is copied, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of the swing that is copied. Range 0 to 1. Default 1.")]
        public float swing = 1f;

        /// <summary>Share of the twist about the axis that is copied, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of the twist about the axis that is copied. Range 0 to 1. Default 1.")]
        public float twist = 1f;

        private bool isOwnJoint;
        private Transform added; // the source that it was added with

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewCopyRotationDef def = NativeAnimator.DefaultCopyRotation();
            def.joint = to.JointOf(joint != null ? joint : transform);
            added = source;
            int index = source == null ? -1 : to.IndexOf(source);
            isOwnJoint = index >= 0;
            if (isOwnJoint) to.JointOf(source);
            def.source = index;
            def.offset = To(Quaternion.Euler(offset.x, offset.y, offset.z));
            def.axis = To(axis);
            def.swing = swing;
            def.twist = twist;
            return native.AddCopyRotation(def);
        }

        internal override void Apply(NativeAnimator native)
        {
            // A joint of the character is copied as it is solved: known when it is added.
            if (!ReferenceEquals(source, added) && (isOwnJoint || Owner.IndexOf(source) >= 0)) Owner.Renew(this);
            Follow(native, 0, source);
            if (source != null && !isOwnJoint) native.SetConstraintRotation(Handle, 0, To(source.rotation));
            native.SetConstraintWeight(Handle, source == null ? 0f : weight);
        }

        // The axis of a new one is along the bone.
        private void Reset()
        {
            axis = BoneAxis(transform);
        }

        private void OnDrawGizmosSelected()
        {
            Transform of = joint != null ? joint : transform;
            SinewGizmos.Axes(of.position, of.rotation);
            SinewGizmos.Line(of.position, of.position + of.TransformDirection(axis).normalized * 0.1f, SinewColors.Twist);
            if (source == null) return;
            SinewGizmos.Axes(source.position, source.rotation);
            SinewGizmos.Line(of.position, source.position, SinewColors.Goal);
        }
    }
}
