using System.Collections.Generic;
using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>
    /// Builds the whole scene from primitives when Play is pressed: a figure of capsules in T-pose,
    /// a cylinder with a handle, the SinewAnimator, and the IK script. Add it to an empty
    /// GameObject.
    ///
    /// It is also the figure's "animation": each Update it lowers the arms and breathes, as a clip
    /// would.
    /// </summary>
    public sealed class HoldCylinderScene : MonoBehaviour
    {
        private struct Part
        {
            internal readonly string Name;
            internal readonly string Parent;
            internal readonly Vector3 Position; // metres, in T-pose, the figure facing +Z

            internal Part(string name, string parent, float x, float y, float z)
            {
                Name = name;
                Parent = parent;
                Position = new Vector3(x, y, z);
            }
        }

        // Named like Unity's human bones, so that the SinewAnimator finds them without avatar and
        // without table.
        private static readonly Part[] parts =
        {
            new Part("Hips", "", 0f, 0.95f, 0f),
            new Part("Spine", "Hips", 0f, 1.05f, 0f),
            new Part("Chest", "Spine", 0f, 1.2f, 0f),
            new Part("Neck", "Chest", 0f, 1.48f, 0f),
            new Part("Head", "Neck", 0f, 1.58f, 0f),
            new Part("LeftUpperLeg", "Hips", -0.09f, 0.93f, 0f),
            new Part("LeftLowerLeg", "LeftUpperLeg", -0.09f, 0.5f, 0.01f),
            new Part("LeftFoot", "LeftLowerLeg", -0.09f, 0.08f, -0.02f),
            new Part("LeftToes", "LeftFoot", -0.09f, 0.02f, 0.12f),
            new Part("RightUpperLeg", "Hips", 0.09f, 0.93f, 0f),
            new Part("RightLowerLeg", "RightUpperLeg", 0.09f, 0.5f, 0.01f),
            new Part("RightFoot", "RightLowerLeg", 0.09f, 0.08f, -0.02f),
            new Part("RightToes", "RightFoot", 0.09f, 0.02f, 0.12f),
            new Part("LeftShoulder", "Chest", -0.03f, 1.42f, 0f),
            new Part("LeftUpperArm", "LeftShoulder", -0.18f, 1.42f, 0f),
            new Part("LeftLowerArm", "LeftUpperArm", -0.5f, 1.42f, 0f),
            new Part("LeftHand", "LeftLowerArm", -0.76f, 1.42f, 0f),
            new Part("RightShoulder", "Chest", 0.03f, 1.42f, 0f),
            new Part("RightUpperArm", "RightShoulder", 0.18f, 1.42f, 0f),
            new Part("RightLowerArm", "RightUpperArm", 0.5f, 1.42f, 0f),
            new Part("RightHand", "RightLowerArm", 0.76f, 1.42f, 0f),
        };

        /// <summary>Seconds the cylinder takes to go around once.</summary>
        public float period = 6f;

        /// <summary>The figure that was built.</summary>
        public GameObject Figure { get; private set; }

        private readonly Dictionary<string, Transform> bones = new Dictionary<string, Transform>();
        private Transform cylinder;

        private void Awake()
        {
            cylinder = Primitive(PrimitiveType.Cylinder, transform, new Vector3(0.08f, 0.15f, 0.08f)).transform;
            Transform handle = new GameObject("Handle").transform;
            handle.SetParent(cylinder, false);
            // The palm lies against the cylinder from the right, the fingers point forward, the
            // back of the hand to the right.
            handle.localPosition = new Vector3(0.6f, 0f, -0.8f);
            handle.localRotation = Quaternion.Euler(0f, 0f, -90f);

            Figure = new GameObject("Figure");
            Figure.transform.SetParent(transform, false);
            BuildFigure();

            // Added while the figure stands in T-pose: that is the pose its bones are measured in.
            Figure.AddComponent<SinewAnimator>();
            HoldCylinderIK script = Figure.AddComponent<HoldCylinderIK>();
            script.rightHandObj = handle;
            script.lookObj = cylinder;
            Animate();
        }

        private void Update()
        {
            Animate();
        }

        private void Animate()
        {
            float breath = Mathf.Sin(Time.time * 1.5f);
            bones["LeftUpperArm"].localRotation = Quaternion.Euler(0f, 0f, 75f + breath);
            bones["RightUpperArm"].localRotation = Quaternion.Euler(0f, 0f, -75f - breath);
            bones["LeftLowerArm"].localRotation = Quaternion.Euler(0f, 15f, 0f);
            bones["RightLowerArm"].localRotation = Quaternion.Euler(0f, -15f, 0f);
            bones["Chest"].localRotation = Quaternion.Euler(breath, 0f, 0f);

            float angle = Time.time * 2f * Mathf.PI / period;
            cylinder.localPosition = new Vector3(0.25f + 0.1f * Mathf.Cos(angle), 1.2f + 0.15f * Mathf.Sin(angle), 0.4f);
        }

        private void BuildFigure()
        {
            for (int i = 0; i < parts.Length; i++)
            {
                Transform joint = new GameObject(parts[i].Name).transform;
                Transform parent = parts[i].Parent.Length == 0 ? Figure.transform : bones[parts[i].Parent];
                joint.SetParent(parent, false);
                joint.localPosition = parts[i].Position - PositionOf(parts[i].Parent);
                bones[parts[i].Name] = joint;
                if (parts[i].Parent.Length > 0) Shape(parent, joint.localPosition);
            }
            Transform skull = Primitive(PrimitiveType.Sphere, bones["Head"], new Vector3(0.18f, 0.24f, 0.2f)).transform;
            skull.localPosition = new Vector3(0f, 0.1f, 0.02f);
            Shape(bones["LeftHand"], new Vector3(-0.16f, 0f, 0f));
            Shape(bones["RightHand"], new Vector3(0.16f, 0f, 0f));
        }

        private static Vector3 PositionOf(string name)
        {
            for (int i = 0; i < parts.Length; i++)
                if (parts[i].Name == name) return parts[i].Position;
            return Vector3.zero;
        }

        // A capsule from the joint to where the next one is.
        private static void Shape(Transform joint, Vector3 toNext)
        {
            float length = toNext.magnitude;
            Transform capsule = Primitive(PrimitiveType.Capsule, joint, new Vector3(0.08f, length * 0.5f, 0.08f)).transform;
            capsule.localPosition = toNext * 0.5f;
            capsule.localRotation = Quaternion.FromToRotation(Vector3.up, toNext);
        }

        private static GameObject Primitive(PrimitiveType type, Transform parent, Vector3 scale)
        {
            GameObject made = GameObject.CreatePrimitive(type);
            Destroy(made.GetComponent<Collider>());
            made.transform.SetParent(parent, false);
            made.transform.localScale = scale;
            return made;
        }
    }
}
