#if UNITY_EDITOR
using System.Collections.Generic;
using UnityEngine;

namespace Sinew.Tests.Parity
{
    /// <summary>One of the twins: does what the scene says in its callback, and records what is
    /// seen.</summary>
    internal sealed class ParityDriver : MonoBehaviour
    {
        internal IKFace Face;
        internal ParityScene Scene;
        internal int Frame;

        /// <summary>What was recorded, in order: frame, name, and one to four numbers.</summary>
        internal readonly List<ParityRecord> Records = new List<ParityRecord>();

        /// <summary>The order in which messages came, with the frame they came in.</summary>
        internal readonly List<string> Events = new List<string>();

        internal void Record(string what, float value)
        {
            Records.Add(new ParityRecord { Frame = Frame, What = what, Kind = ParityKind.Number, Values = new[] { value } });
        }

        /// <summary>A point, as seen from the twin.</summary>
        internal void Record(string what, Vector3 point)
        {
            Vector3 own = transform.InverseTransformPoint(point);
            Records.Add(new ParityRecord { Frame = Frame, What = what, Kind = ParityKind.Point, Values = new[] { own.x, own.y, own.z } });
        }

        /// <summary>A rotation, as seen from the twin.</summary>
        internal void Record(string what, Quaternion rotation)
        {
            Quaternion own = Quaternion.Inverse(transform.rotation) * rotation;
            Records.Add(new ParityRecord { Frame = Frame, What = what, Kind = ParityKind.Rotation, Values = new[] { own.x, own.y, own.z, own.w } });
        }

        /// <summary>A place given from the twin's own point of view.</summary>
        internal Vector3 At(float x, float y, float z)
        {
            return transform.TransformPoint(new Vector3(x, y, z));
        }

        internal Transform Bone(string bone)
        {
            return Below(transform, bone);
        }

        private void Update()
        {
            Events.Add(Frame + " Update");
        }

        private void FixedUpdate()
        {
            if (Scene != null && Scene.Settings.IsStepped) Events.Add(Frame + " FixedUpdate");
        }

        private void OnAnimatorIK(int layerIndex)
        {
            Events.Add(Frame + " OnAnimatorIK " + layerIndex);
            if (Scene != null && Face != null) Scene.InCallback(this, Face, Frame, layerIndex);
        }

        private void LateUpdate()
        {
            Events.Add(Frame + " LateUpdate");
        }

        private static Transform Below(Transform at, string bone)
        {
            for (int i = 0; i < at.childCount; i++)
            {
                Transform child = at.GetChild(i);
                Transform found = child.name == bone ? child : Below(child, bone);
                if (found != null) return found;
            }
            return null;
        }
    }

    /// <summary>What a record's numbers are.</summary>
    internal enum ParityKind
    {
        Number,
        Point,
        Rotation,
    }

    /// <summary>One recorded value.</summary>
    internal sealed class ParityRecord
    {
        internal int Frame;
        internal string What;
        internal ParityKind Kind;
        internal float[] Values;
    }
}
#endif
