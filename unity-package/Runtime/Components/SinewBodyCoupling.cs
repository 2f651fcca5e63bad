using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>A joint of a <see cref="SinewBody"/> whose turn about an axis follows another joint's: a twist bone, a mimic joint.</summary>
    [Serializable]
    public sealed class SinewBodyCoupling : IListElement
    {
        /// <summary>The joint that follows.</summary>
        [Tooltip("The joint that follows.")]
        public Transform joint;

        /// <summary>The joint that is followed; it must not follow another itself.</summary>
        [Tooltip("The joint that is followed; it must not follow another itself.")]
        public Transform driver;

        /// <summary>The joint's axis in its own space, not zero.</summary>
        [Tooltip("The joint's axis in its own space, not zero.")]
        public Vector3 axis = Vector3.up;

        /// <summary>The driver's axis in its own space, not zero.</summary>
        [Tooltip("The driver's axis in its own space, not zero.")]
        public Vector3 driverAxis = Vector3.up;

        /// <summary>Turn of the joint per turn of the driver, -100 to 100.</summary>
        [Tooltip("Ratio: turn of the joint per turn of the driver, -100 to 100. Default 1.")]
        public float ratio = 1f;

        /// <summary>Turn of the joint where the driver has none, degrees.</summary>
        [Tooltip("Turn of the joint where the driver has none, degrees; any angle. Default 0.")]
        public float offset;

        bool IListElement.IsBlank
        {
            get { return ratio == 0f && axis == Vector3.zero && driverAxis == Vector3.zero; }
        }

        internal void Apply(SinewBody owner, HumanRig rig, NativeBody body)
        {
            if (joint == null || driver == null) return;
            SinewJointCoupling coupling = NativeBody.DefaultCoupling();
            coupling.driver = (int)owner.JointOf(rig, driver);
            coupling.axis = InteropMath.To(axis);
            coupling.driver_axis = InteropMath.To(driverAxis);
            coupling.ratio = ratio;
            coupling.offset_rad = offset * Mathf.Deg2Rad;
            body.SetJointCoupling((int)owner.JointOf(rig, joint), coupling);
        }
    }
}
