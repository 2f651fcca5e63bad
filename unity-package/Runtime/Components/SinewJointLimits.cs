using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// What the joint on this GameObject may do, for every constraint of the SinewAnimator above it. Angles count from the pose the rig had
    /// when it was first enabled, in limit space: the joint's own space turned by <see cref="frame"/>, with Y along the bone.
    /// Nothing locked: a ball joint (X and Z bend, Y twists); one of X, Z locked: a universal joint; two: a hinge; three: it stays.
    /// Takes effect at the next enabling, or when a value is changed in the Inspector.
    /// </summary>
    [AddComponentMenu("Animation/Sinew Joint Limits")]
    [DisallowMultipleComponent]
    public sealed class SinewJointLimits : MonoBehaviour
    {
        /// <summary>Limit space in the joint's own space, Euler angles in degrees: its Y is the twist axis.</summary>
        [Tooltip("Limit space in the joint's own space, Euler angles in degrees: its Y lies along the bone.")]
        public Vector3 frame;

        /// <summary>The joint may not turn about X.</summary>
        [Header("Locks")]
        [Tooltip("The joint may not turn about X.")]
        public bool lockX;

        /// <summary>The joint may not twist about Y.</summary>
        [Tooltip("The joint may not twist about Y.")]
        public bool lockY;

        /// <summary>The joint may not turn about Z.</summary>
        [Tooltip("The joint may not turn about Z.")]
        public bool lockZ;

        /// <summary>The turn about X is limited.</summary>
        [Header("Ranges")]
        [Tooltip("The turn about X is limited.")]
        public bool limitX;

        /// <summary>The twist about Y is limited.</summary>
        [Tooltip("The twist about Y is limited.")]
        public bool limitY;

        /// <summary>The turn about Z is limited.</summary>
        [Tooltip("The turn about Z is limited.")]
        public bool limitZ;

        /// <summary>Least angles about X, Y, Z, degrees, -180 to 180.</summary>
        [Tooltip("Least angles about X, Y, Z, degrees.")]
        public Vector3 min = new Vector3(-45f, -45f, -45f);

        /// <summary>Greatest angles about X, Y, Z, degrees, not below the least ones.</summary>
        [Tooltip("Greatest angles about X, Y, Z, degrees.")]
        public Vector3 max = new Vector3(45f, 45f, 45f);

        /// <summary>Zone before a border in which the joint resists, degrees.</summary>
        [Range(0f, 90f)]
        [Tooltip("Zone before a border in which the joint resists, degrees.")]
        public float softAngle;

        /// <summary>Reluctance to turn about X, Y, Z, each 0 to 1.</summary>
        [Header("Character")]
        [Tooltip("Reluctance to turn about X, Y, Z, each 0 to 1.")]
        public Vector3 stiffness;

        /// <summary>Axis about which a straight chain folds here; zero: none preferred.</summary>
        [Tooltip("Axis about which a straight chain folds here; zero: none preferred.")]
        public Vector3 preferredBend;

        /// <summary>Least length of the bones that hang from the joint, as a factor, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Least length of the bones that hang from the joint, as a factor.")]
        public float stretchMin = 1f;

        /// <summary>Greatest length of these bones as a factor, 1 or more.</summary>
        [Tooltip("Greatest length of these bones as a factor, 1 or more.")]
        public float stretchMax = 1f;

        /// <summary>Share of these bones in a change of length, 0 to 1; 0: none.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of these bones in a change of length; 0: none.")]
        public float stretchCompliance;

        [NonSerialized] private SinewAnimator owner;

        /// <summary>How far the joint is beyond its limits in the pose of the last pass, degrees.</summary>
        public float violation
        {
            get { return owner == null ? 0f : owner.GetJointViolation(transform); }
        }

        private void OnEnable()
        {
            owner = SinewAnimator.Above(transform);
            if (owner != null) owner.Attach(this);
            else if (GetComponentInParent<SinewBody>() == null) Debug.LogWarning("SinewJointLimits on '" + name + "' has no SinewAnimator or SinewBody above: it does nothing.", this);
        }

        private void OnDisable()
        {
            if (!ReferenceEquals(owner, null)) owner.Detach(this);
            owner = null;
        }

        private void OnValidate()
        {
            if (!ReferenceEquals(owner, null)) owner.Renew();
        }

        internal void Set(SinewAnimator to, NativeAnimator native)
        {
            native.SetJointLimits((int)to.JointOf(transform), Definition());
        }

        /// <summary>The limits as the native side takes them.</summary>
        internal SinewJointLimitsDef Definition()
        {
            SinewJointLimitsDef limits = NativeAnimator.DefaultJointLimits();
            uint flags = 0;
            if (lockX) flags |= SinewConstants.SINEW_LIMIT_LOCK_X;
            if (lockY) flags |= SinewConstants.SINEW_LIMIT_LOCK_Y;
            if (lockZ) flags |= SinewConstants.SINEW_LIMIT_LOCK_Z;
            if (limitX) flags |= SinewConstants.SINEW_LIMIT_RANGE_X;
            if (limitY) flags |= SinewConstants.SINEW_LIMIT_RANGE_Y;
            if (limitZ) flags |= SinewConstants.SINEW_LIMIT_RANGE_Z;
            limits.flags = flags;
            limits.frame = ConstraintBehaviour.To(Quaternion.Euler(frame.x, frame.y, frame.z));
            limits.min_rad = ConstraintBehaviour.To(min * Mathf.Deg2Rad);
            limits.max_rad = ConstraintBehaviour.To(max * Mathf.Deg2Rad);
            limits.stiffness = ConstraintBehaviour.To(stiffness);
            limits.soft_rad = softAngle * Mathf.Deg2Rad;
            limits.preferred_bend = ConstraintBehaviour.To(preferredBend);
            limits.stretch_min = stretchMin;
            limits.stretch_max = stretchMax;
            limits.stretch_compliance = stretchCompliance;
            return limits;
        }
    }
}
