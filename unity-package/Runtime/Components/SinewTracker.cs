using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
#if SINEW_XR
using UnityEngine.XR;
#endif

namespace Sinew
{
    /// <summary>Nodes of UnityEngine.XR that a tracker can be; the numbers are those of
    /// XRNode.</summary>
    public enum SinewTrackerNode
    {
        /// <summary>Another source.</summary>
        None = -1,

        /// <summary>Between the eyes.</summary>
        CenterEye = 2,

        /// <summary>The headset.</summary>
        Head = 3,

        /// <summary>Left controller or tracked hand.</summary>
        LeftHand = 4,

        /// <summary>The right one.</summary>
        RightHand = 5,

        /// <summary>A tracker that is worn; several are distinguished by their serial
        /// number.</summary>
        HardwareTracker = 8,
    }

    /// <summary>A tracker of a SinewTrackedBody: what it is worn on, and where its pose comes
    /// from.</summary>
    [Serializable]
    public sealed class SinewTracker : IListElement
    {
        /// <summary>What it is worn on.</summary>
        [Tooltip("What the tracker is worn on. Default Head.")]
        public SinewTrackerRole role;

        /// <summary>The Transform that follows the device; empty: <see cref="node"/>.</summary>
        [Tooltip("The Transform that follows the device. Empty: the XR node.")]
        public Transform source;

        /// <summary>The XR node, read without a Transform. Needs Unity's XR module.</summary>
        [Tooltip("The XR node, when there is no Transform. Default None.")]
        public SinewTrackerNode node = SinewTrackerNode.None;

        /// <summary>Serial number of a hardware tracker; empty: the first one.</summary>
        [Tooltip("Serial number of a hardware tracker. Empty: the first one.")]
        public string serialNumber = "";

        /// <summary>Whether its position counts; off for inertial trackers.</summary>
        [Tooltip("Whether the position counts; off for inertial trackers. Default on.")]
        public bool usePosition = true;

        /// <summary>Whether its rotation counts.</summary>
        [Tooltip("Whether the rotation counts. Default on.")]
        public bool useRotation = true;

        /// <summary>How much it is to be believed, 0 (lost) to 1; scripts may set it.</summary>
        [Tooltip("How much the tracker is to be believed. 0: lost. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float confidence = 1f;

        /// <summary>Whether its source reported in the last pass.</summary>
        public bool isReporting { get; internal set; }

        /// <summary>Part that it has in the body: 0 (lost) to 1.</summary>
        public float presence { get; internal set; }

        /// <summary>How near its bone came to it in the last pass.</summary>
        public SinewOutcome outcome { get; internal set; }

        bool IListElement.IsBlank
        {
            get { return source == null && node == 0 && confidence == 0f && !usePosition && !useRotation; }
        }

        internal Vector3 Position;
        internal Quaternion Rotation = Quaternion.identity;

        /// <summary>A tracker without a source.</summary>
        public SinewTracker()
        {
        }

        /// <summary>A tracker that a Transform follows.</summary>
        public SinewTracker(SinewTrackerRole role, Transform source)
        {
            this.role = role;
            this.source = source;
        }

        /// <summary>A tracker that is an XR node.</summary>
        public SinewTracker(SinewTrackerRole role, SinewTrackerNode node)
        {
            this.role = role;
            this.node = node;
        }

        /// <summary>Reads position and rotation, world space. <paramref name="origin"/> is where
        /// tracking space is. False: nothing reports. <paramref name="believed"/>: 0 where the
        /// device itself says that it has lost track.</summary>
        internal bool Read(Transform origin, out float believed)
        {
            isReporting = ReadSource(origin, out believed);
            if (float.IsNaN(believed)) believed = 0f;
            // Devices that lose track may give no numbers, or no rotation.
            sensesPlace = sensesPlace && IsPlace(Position);
            sensesTurn = sensesTurn && IsTurn(Rotation);
            isReporting = isReporting && (sensesPlace || sensesTurn);
            return isReporting;
        }

        /// <summary>Whether a position is one: its numbers are finite.</summary>
        internal static bool IsPlace(Vector3 at)
        {
            return at.x * 0f + at.y * 0f + at.z * 0f == 0f;
        }

        /// <summary>Whether a rotation is one: its numbers are finite and not all zero.</summary>
        internal static bool IsTurn(Quaternion turn)
        {
            float squared = turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w;
            return squared > 1e-12f && !float.IsInfinity(squared);
        }

        private bool ReadSource(Transform origin, out float believed)
        {
            believed = confidence;
            if (source != null)
            {
                Position = source.position;
                Rotation = source.rotation;
                sensesPlace = sensesTurn = true;
                return source.gameObject.activeInHierarchy;
            }
#if SINEW_XR
            if (node == SinewTrackerNode.None || !FindDevice()) return false;
            Vector3 at;
            Quaternion turned;
            bool isTracked;
            bool hasPlace = device.TryGetFeatureValue(CommonUsages.devicePosition, out at);
            bool hasTurn = device.TryGetFeatureValue(CommonUsages.deviceRotation, out turned);
            if (!hasPlace && !hasTurn) return false;
            if (device.TryGetFeatureValue(CommonUsages.isTracked, out isTracked) && !isTracked) believed = 0f;
            if (hasPlace) Position = origin.TransformPoint(at);
            if (hasTurn) Rotation = origin.rotation * turned;
            sensesPlace = hasPlace;
            sensesTurn = hasTurn;
            return true;
#else
            return false;
#endif
        }

        /// <summary>Whether the last reading has a position.</summary>
        internal bool HasPosition
        {
            get { return usePosition && sensesPlace; }
        }

        /// <summary>Whether the last reading has a rotation.</summary>
        internal bool HasRotation
        {
            get { return useRotation && sensesTurn; }
        }

        /// <summary>Whether its role is one.</summary>
        internal bool HasRole
        {
            get { return role >= 0 && role <= SinewTrackerRole.RightLittle; }
        }

        internal ProblemLog Problems;

        private bool sensesPlace;
        private bool sensesTurn;

#if SINEW_XR
        private static readonly List<InputDevice> devices = new List<InputDevice>();
        private InputDevice device;

        private bool FindDevice()
        {
            if (device.isValid) return true;
            if (node != SinewTrackerNode.HardwareTracker)
            {
                device = InputDevices.GetDeviceAtXRNode((XRNode)node);
                return device.isValid;
            }
            InputDevices.GetDevicesAtXRNode(XRNode.HardwareTracker, devices);
            for (int i = 0; i < devices.Count; i++)
            {
                if (!string.IsNullOrEmpty(serialNumber) && devices[i].serialNumber != serialNumber) continue;
                device = devices[i];
                return device.isValid;
            }
            return false;
        }

        /// <summary>Serial numbers and places of all hardware trackers that report, tracking
        /// space.</summary>
        internal static void HardwareTrackers(List<string> serials, List<Vector3> places)
        {
            InputDevices.GetDevicesAtXRNode(XRNode.HardwareTracker, devices);
            for (int i = 0; i < devices.Count; i++)
            {
                Vector3 at;
                if (!devices[i].TryGetFeatureValue(CommonUsages.devicePosition, out at)) continue;
                serials.Add(devices[i].serialNumber);
                places.Add(at);
            }
        }
#endif
    }
}
