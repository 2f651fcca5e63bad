using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// The local transform of each joint of a rig at rest: what a rig without avatar is measured
    /// on, and where limits count from. The bind pose of its skinned meshes, for joints of none the
    /// pose in which the rig was first seen. Serialized, so that Unity keeps it when scripts are
    /// reloaded in Play mode, and gives it to the clone of a running character, whose Transforms
    /// hold some animated pose.
    /// </summary>
    /// <remarks>
    /// It is filled in Play mode only. A prefab or scene that is saved from a running character
    /// holds it, too. Its components clear it in OnValidate outside of Play mode, which Unity calls
    /// when the prefab is loaded there: before its joints can be edited, and before a player is
    /// built from it.
    /// </remarks>
    [Serializable]
    internal sealed class RestPose
    {
        [SerializeField, HideInInspector] private Transform[] joints = new Transform[0];
        [SerializeField, HideInInspector] private Vector3[] positions = new Vector3[0];
        [SerializeField, HideInInspector] private Quaternion[] rotations = new Quaternion[0];
        [SerializeField, HideInInspector] private Vector3[] scales = new Vector3[0];
        [SerializeField, HideInInspector] private bool isFromMeshes;

        /// <summary>The rest pose of a rig's joints. Those that are not known are measured now,
        /// once and for all: in the bind pose of the skinned meshes, or as they are.</summary>
        internal unsafe SinewTransform[] Of(HumanRig rig, bool fromMeshes)
        {
            if (isFromMeshes != fromMeshes) Clear(); // measured in another way
            isFromMeshes = fromMeshes;
            Transform[] of = rig.Joints;
            Vector3[] nowPositions = new Vector3[of.Length], nowScales = new Vector3[of.Length];
            Quaternion[] nowRotations = new Quaternion[of.Length];
            int[] known = new int[of.Length];
            bool isNew = false;
            for (int i = 0; i < of.Length; i++)
            {
                // Usually the same joints in the same order; a search only after a change of the
                // hierarchy.
                known[i] = i < joints.Length && ReferenceEquals(joints[i], of[i]) && IsWhole(i) ? i : IndexOf(of[i]);
                isNew |= known[i] < 0;
                nowPositions[i] = known[i] < 0 ? of[i].localPosition : positions[known[i]];
                nowRotations[i] = known[i] < 0 ? of[i].localRotation : rotations[known[i]];
                nowScales[i] = known[i] < 0 ? of[i].localScale : scales[known[i]];
            }
            if (isNew && fromMeshes) BindPose.Apply(rig, nowPositions, nowRotations, nowScales);
            SinewTransform[] rest = new SinewTransform[of.Length];
            for (int i = 0; i < of.Length; i++)
            {
                Vector3 position = nowPositions[i] = known[i] < 0 ? nowPositions[i] : positions[known[i]];
                Quaternion rotation = nowRotations[i] = known[i] < 0 ? nowRotations[i] : rotations[known[i]];
                Vector3 scale = nowScales[i];
                rest[i].position = *(SinewVec3*)&position;
                rest[i].rotation = *(SinewQuat*)&rotation;
                rest[i].scale = *(SinewVec3*)&scale;
            }
            Keep(of, nowPositions, nowRotations, nowScales);
            return rest;
        }

        /// <summary>Measures a rig in the bind pose of its skinned meshes, or in the pose of other
        /// Transforms, where <paramref name="restOf"/> gives one.</summary>
        internal void Fill(HumanRig rig, Func<Transform, Transform> restOf, bool fromMeshes)
        {
            isFromMeshes = fromMeshes;
            Transform[] of = rig.Joints;
            Vector3[] nowPositions = new Vector3[of.Length], nowScales = new Vector3[of.Length];
            Quaternion[] nowRotations = new Quaternion[of.Length];
            for (int i = 0; i < of.Length; i++)
            {
                Transform rest = restOf == null ? null : restOf(of[i]);
                if (rest == null) rest = of[i];
                nowPositions[i] = rest.localPosition;
                nowRotations[i] = rest.localRotation;
                nowScales[i] = rest.localScale;
            }
            if (fromMeshes) BindPose.Apply(rig, nowPositions, nowRotations, nowScales);
            Keep(of, nowPositions, nowRotations, nowScales);
        }

        /// <summary>Takes the joints that skinned meshes are bound to, in their bind pose, and no
        /// others.</summary>
        internal void FillBound(HumanRig rig)
        {
            Fill(rig, null, false);
            bool[] isBound = BindPose.Apply(rig, positions, rotations, scales);
            int count = 0;
            for (int i = 0; isBound != null && i < joints.Length; i++)
            {
                if (!isBound[i]) continue;
                if (count == 0) joints = (Transform[])joints.Clone(); // the rig's own
                joints[count] = joints[i];
                rotations[count++] = rotations[i];
            }
            Array.Resize(ref joints, count);
            Array.Resize(ref positions, count);
            Array.Resize(ref rotations, count);
            Array.Resize(ref scales, count);
        }

        /// <summary>The local rotation of a joint at rest; of one that is not known, the one it
        /// has.</summary>
        internal Quaternion RotationOf(Transform joint)
        {
            int known = IndexOf(joint);
            return known < 0 ? joint.localRotation : rotations[known];
        }

        /// <summary>Where a joint of the last <see cref="Of"/> is in model space.</summary>
        internal Vector3 PlaceOf(int joint, int[] parents)
        {
            Vector3 place = Vector3.zero;
            for (int j = joint; j >= 0; j = parents[j])
                place = positions[j] + rotations[j] * Vector3.Scale(scales[j], place);
            return place;
        }

        internal void Clear()
        {
            Keep(new Transform[0], new Vector3[0], new Quaternion[0], new Vector3[0]);
        }

        private int IndexOf(Transform joint)
        {
            int index = Array.IndexOf(joints, joint);
            return IsWhole(index) ? index : -1;
        }

        // Data of another version may lack a part.
        private bool IsWhole(int index)
        {
            return index < positions.Length && index < rotations.Length && index < scales.Length;
        }

        private void Keep(Transform[] of, Vector3[] nowPositions, Quaternion[] nowRotations, Vector3[] nowScales)
        {
            joints = of;
            positions = nowPositions;
            rotations = nowRotations;
            scales = nowScales;
        }
    }
}
