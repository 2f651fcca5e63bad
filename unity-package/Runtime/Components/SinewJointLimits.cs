using System;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>
    /// What the joint on this GameObject may do, for every constraint of the SinewAnimator above it
    /// and for every SinewBody above it. Angles count from the pose the rig had when it was first
    /// enabled, in limit space: the joint's own space turned by <see cref="frame"/>, with Y along
    /// the bone. Nothing locked: a ball joint (X and Z bend, Y twists); one of X, Z locked: a
    /// universal joint; two: a hinge; three: it stays. Takes effect at the next enabling, when a
    /// value is changed in the Inspector, or with <see cref="Refresh"/>.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Joint Limits")]
    [ManualPage("sinew-joint-limits.md")]
    [Icon(SinewHelp.Icons + "SinewJointLimits.png")]
    [DisallowMultipleComponent]
    public sealed class SinewJointLimits : MonoBehaviour
    {
        /// <summary>Limit space in the joint's own space, Euler angles in degrees: its Y is the
        /// twist axis.</summary>
        [Tooltip("Limit space in the joint's own space, Euler angles in degrees: its Y lies along the bone.")]
        public Vector3 frame;

        /// <summary>The joint may not turn about X.</summary>
        [Header("Locks")]
        [Tooltip("The joint may not turn about X. Default off.")]
        public bool lockX;

        /// <summary>The joint may not twist about Y.</summary>
        [Tooltip("The joint may not twist about Y. Default off.")]
        public bool lockY;

        /// <summary>The joint may not turn about Z.</summary>
        [Tooltip("The joint may not turn about Z. Default off.")]
        public bool lockZ;

        /// <summary>The turn about X is limited.</summary>
        [Header("Ranges")]
        [Tooltip("The turn about X is limited. Default off.")]
        public bool limitX;

        /// <summary>The twist about Y is limited.</summary>
        [Tooltip("The twist about Y is limited. Default off.")]
        public bool limitY;

        /// <summary>The turn about Z is limited.</summary>
        [Tooltip("The turn about Z is limited. Default off.")]
        public bool limitZ;

        /// <summary>Least angles about X, Y, Z, degrees, -180 to 180.</summary>
        [Tooltip("Least angles about X, Y, Z, degrees.")]
        public Vector3 min = new Vector3(-45f, -45f, -45f);

        /// <summary>Greatest angles about X, Y, Z, degrees, not below the least ones.</summary>
        [Tooltip("Greatest angles about X, Y, Z, degrees.")]
        public Vector3 max = new Vector3(45f, 45f, 45f);

        /// <summary>
        /// Corners of a convex polygon that the bone's axis stays in, in place of ranges about X
        /// and Z: 3 to 8 directions in limit space, in order around +Y, which is inside. Empty
        /// (default): no polygon. X and Z must then be neither locked nor limited.
        /// </summary>
        [Tooltip("Polygon that the bone's axis stays in: 3 to 8 directions in limit space, in order around +Y. Empty: none.")]
        public Vector3[] corners = new Vector3[0];

        /// <summary>Zone before a border in which the joint resists, degrees.</summary>
        [Range(0f, 90f)]
        [Tooltip("Zone before a border in which the joint resists, degrees. Range 0 to 90. Default 0.")]
        public float softAngle;

        /// <summary>Reluctance to turn about X, Y, Z, each 0 to 1.</summary>
        [Header("Character")]
        [Tooltip("Reluctance to turn about X, Y, Z, each 0 to 1.")]
        public Vector3 stiffness;

        /// <summary>Axis about which a straight chain folds here; zero: none preferred.</summary>
        [Tooltip("Axis about which a straight chain folds here; zero: none preferred.")]
        public Vector3 preferredBend;

        /// <summary>Least length of the bones below the joint, as a factor, 0 to
        /// 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Least length of the bones below the joint, as a factor. Range 0 to 1. Default 1.")]
        public float stretchMin = 1f;

        /// <summary>Greatest length of these bones as a factor, 1 or more.</summary>
        [Tooltip("Greatest length of the bones below the joint, as a factor, at least 1. Default 1.")]
        public float stretchMax = 1f;

        /// <summary>Share of these bones in a change of length, 0 to 1; 0: none.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of these bones in a change of length; 0: none. Range 0 to 1. Default 0.")]
        public float stretchCompliance;

        /// <summary>Axis along which the joint itself slides, carried by its parent, in the joint's
        /// space at rest. For bodies alone.</summary>
        [Header("Slide")]
        [Tooltip("Axis along which the joint itself slides, carried by its parent. For bodies alone.")]
        public Vector3 slideAxis = Vector3.up;

        /// <summary>Least way along the axis from the rest position, in units of the parent.</summary>
        [Tooltip("Least way along the axis from the rest position, in units of the parent; any number. Default 0.")]
        public float slideMin;

        /// <summary>Greatest way, not below the least; the same: the joint does not slide.</summary>
        [Tooltip("Greatest way along the axis from the rest position, in units of the parent, at least the least one; equal: the joint does not slide. Default 0.")]
        public float slideMax;

        /// <summary>Readiness to slide beside turns of joints: square radians of turn that cost as much
        /// as a square metre.</summary>
        [Min(0f)]
        [Tooltip("Readiness to slide beside turns of joints: square radians that cost as much as a square metre. At least 0. Default 0.25.")]
        public float slideMobility = 0.25f;

        [NonSerialized] private SinewAnimator owner;
        [NonSerialized] private bool isStarted;

        /// <summary>How far the joint is beyond its limits in the pose of the last pass,
        /// degrees.</summary>
        public float violation
        {
            get { return owner == null ? 0f : owner.GetJointViolation(transform); }
        }

        private void OnEnable()
        {
            bool isOfBody = Hook();
            if (isStarted) WarnUnowned(isOfBody);
        }

        // What a script adds in one go is there by now.
        private void Start()
        {
            isStarted = true;
            WarnUnowned(Hook());
        }

        private void WarnUnowned(bool isOfBody)
        {
            if (owner == null && !isOfBody)
                Debug.LogWarning("SinewJointLimits on '" + name + "' has no SinewAnimator or SinewBody above: it does nothing.", this);
        }

        private void OnDisable()
        {
            Leave();
            RenewBodies();
        }

        // To this object or one above: another SinewAnimator or SinewBody may be above now.
        private void OnTransformParentChanged()
        {
            if (isActiveAndEnabled) Hook();
        }

        // Whether there is a body above.
        private bool Hook()
        {
            SinewAnimator above = SinewAnimator.Above(transform);
            if (!ReferenceEquals(owner, above)) Leave();
            if (owner == null && above != null) above.Attach(this);
            owner = above;
            return RenewBodies();
        }

        private void Leave()
        {
            if (!ReferenceEquals(owner, null)) owner.Detach(this);
            owner = null;
        }

        /// <summary>Its SinewAnimator is being destroyed.</summary>
        internal void OnOwnerDestroyed()
        {
            owner = null;
        }

        internal SinewAnimator Owner
        {
            get { return owner; }
        }

        // Bodies above take the limits of their joints anew. False when there is none.
        private bool RenewBodies()
        {
            bool isThere = false;
            for (Transform above = transform.parent; above != null; above = above.parent)
            {
                SinewBody body;
                if (!above.TryGetComponent(out body)) continue;
                body.RenewLimits();
                isThere = true;
            }
            return isThere;
        }

        private void OnValidate()
        {
            Refresh();
        }

        /// <summary>Takes over fields that a script changed after enabling.</summary>
        public void Refresh()
        {
            if (!ReferenceEquals(owner, null)) owner.Renew();
            RenewBodies();
        }

        /// <summary>Attaches to the animator that is above now; for one that came later, and for a
        /// preview.</summary>
        internal void Reattach()
        {
            Hook();
        }

        /// <summary>Ends what <see cref="Reattach"/> began.</summary>
        internal void Unhook()
        {
            OnDisable();
        }

        // Limit space of a new one has its Y along the bone.
        private void Reset()
        {
            frame = Quaternion.FromToRotation(Vector3.up, ConstraintBehaviour.BoneAxis(transform)).eulerAngles;
        }

        private unsafe void SetCorners(ref SinewJointLimitsDef limits)
        {
            int count = corners == null ? 0 : corners.Length;
            if (count > (int)SinewConstants.SINEW_LIMIT_MAX_CORNERS)
                throw new SinewException(SinewResult.ErrorInvalidArgument, "corners has " + count + " entries, at most 8 count");
            limits.corner_count = (uint)count;
            fixed (SinewVec3* first = &limits.corners0)
            {
                for (int i = 0; i < count; i++) first[i] = To(corners[i]);
            }
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
            limits.frame = To(Quaternion.Euler(frame.x, frame.y, frame.z));
            limits.min_rad = To(min * Mathf.Deg2Rad);
            limits.max_rad = To(max * Mathf.Deg2Rad);
            limits.stiffness = To(stiffness);
            limits.soft_rad = softAngle * Mathf.Deg2Rad;
            limits.preferred_bend = To(preferredBend);
            limits.stretch_min = stretchMin;
            limits.stretch_max = stretchMax;
            limits.stretch_compliance = stretchCompliance;
            limits.slide_axis = To(slideAxis);
            limits.slide_min = slideMin;
            limits.slide_max = slideMax;
            limits.slide_mobility = slideMobility;
            SetCorners(ref limits);
            return limits;
        }

        /// <summary>Limit space in the world: where the angles count from, turned by <see
        /// cref="frame"/>.</summary>
        internal Quaternion WorldLimitSpace()
        {
            SinewAnimator above = owner != null ? owner : SinewAnimator.Above(transform);
            SinewBody body = above == null ? GetComponentInParent<SinewBody>() : null;
            Quaternion rest = above != null ? above.RestRotationOf(transform)
                : body != null ? body.RestRotationOf(transform) : transform.localRotation;
            Quaternion parent = transform.parent != null ? transform.parent.rotation : Quaternion.identity;
            return parent * rest * Quaternion.Euler(frame.x, frame.y, frame.z);
        }

        /// <summary>Size of what is drawn: the length of the bone.</summary>
        internal float DrawnLength()
        {
            float length = transform.childCount > 0 ? Vector3.Distance(transform.position, transform.GetChild(0).position) : 0f;
            return length > 1e-4f ? length : 0.1f;
        }

        private void OnDrawGizmosSelected()
        {
            Quaternion space = WorldLimitSpace();
            Vector3 at = transform.position;
            float length = DrawnLength();
            SinewGizmos.Line(at, at + space * Vector3.up * length, SinewColors.Bone);
            Gizmos.color = SinewColors.Swing;
            if (corners != null && corners.Length >= 3)
            {
                for (int i = 0; i < corners.Length; i++)
                {
                    Vector3 corner = at + space * corners[i].normalized * length;
                    Gizmos.DrawLine(corner, at + space * corners[(i + 1) % corners.Length].normalized * length);
                    Gizmos.DrawLine(at, corner);
                }
            }
            else if (LimitShape.IsLimited(this, 0) || LimitShape.IsLimited(this, 2))
            {
                Vector3 last = at + space * LimitShape.Border(this, 0) * length;
                for (int i = 1; i <= LimitShape.Points; i++)
                {
                    Vector3 next = at + space * LimitShape.Border(this, i) * length;
                    Gizmos.DrawLine(last, next);
                    if (i % 6 == 0) Gizmos.DrawLine(at, next);
                    last = next;
                }
            }
            if (!LimitShape.IsLimited(this, 1)) return;
            Gizmos.color = SinewColors.Twist;
            Vector3 twisted = at + space * Quaternion.AngleAxis(min.y, Vector3.up) * Vector3.forward * (length * 0.5f);
            Gizmos.DrawLine(at, twisted);
            for (int i = 1; i <= 16; i++)
            {
                float angle = Mathf.Lerp(min.y, max.y, i / 16f);
                Vector3 next = at + space * Quaternion.AngleAxis(angle, Vector3.up) * Vector3.forward * (length * 0.5f);
                Gizmos.DrawLine(twisted, next);
                twisted = next;
            }
            Gizmos.DrawLine(at, twisted);
        }
    }
}
