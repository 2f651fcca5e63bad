// Test-only stand-in for the input devices of Unity's XR module: devices that tests make, with the
// features that they have.
using System.Collections.Generic;

namespace UnityEngine.XR
{
    public enum XRNode
    {
        LeftEye = 0,
        RightEye = 1,
        CenterEye = 2,
        Head = 3,
        LeftHand = 4,
        RightHand = 5,
        GameController = 6,
        TrackingReference = 7,
        HardwareTracker = 8,
    }

    public struct InputFeatureUsage<T>
    {
        public string name { get; set; }
    }

    public static class CommonUsages
    {
        public static InputFeatureUsage<Vector3> devicePosition = new InputFeatureUsage<Vector3> { name = "DevicePosition" };
        public static InputFeatureUsage<Quaternion> deviceRotation = new InputFeatureUsage<Quaternion> { name = "DeviceRotation" };
        public static InputFeatureUsage<bool> isTracked = new InputFeatureUsage<bool> { name = "IsTracked" };
    }

    /// A device behind the handles.
    public sealed class SimulatedDevice
    {
        public XRNode Node;
        public string Serial = "";
        public Vector3? Position;
        public Quaternion? Rotation;
        public bool? Tracked;
        public bool Connected = true;
    }

    public struct InputDevice
    {
        internal SimulatedDevice Simulated;

        public bool isValid { get { return Simulated != null && Simulated.Connected; } }
        public string serialNumber { get { return isValid ? Simulated.Serial : null; } }

        public bool TryGetFeatureValue(InputFeatureUsage<Vector3> usage, out Vector3 value)
        {
            bool has = isValid && usage.name == "DevicePosition" && Simulated.Position.HasValue;
            value = has ? Simulated.Position.Value : default(Vector3);
            return has;
        }

        public bool TryGetFeatureValue(InputFeatureUsage<Quaternion> usage, out Quaternion value)
        {
            bool has = isValid && usage.name == "DeviceRotation" && Simulated.Rotation.HasValue;
            value = has ? Simulated.Rotation.Value : default(Quaternion);
            return has;
        }

        public bool TryGetFeatureValue(InputFeatureUsage<bool> usage, out bool value)
        {
            bool has = isValid && usage.name == "IsTracked" && Simulated.Tracked.HasValue;
            value = has && Simulated.Tracked.Value;
            return has;
        }
    }

    public class InputDevices
    {
        /// Test switch: what is connected.
        public static readonly List<SimulatedDevice> Simulated = new List<SimulatedDevice>();

        public static InputDevice GetDeviceAtXRNode(XRNode node)
        {
            foreach (SimulatedDevice device in Simulated)
                if (device.Node == node && device.Connected) return new InputDevice { Simulated = device };
            return default(InputDevice);
        }

        public static void GetDevicesAtXRNode(XRNode node, List<InputDevice> inputDevices)
        {
            inputDevices.Clear();
            foreach (SimulatedDevice device in Simulated)
                if (device.Node == node && device.Connected) inputDevices.Add(new InputDevice { Simulated = device });
        }
    }
}
