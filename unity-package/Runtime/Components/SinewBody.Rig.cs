using System;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    // The native body of the joints, and their pose: read before a solve, written after it.
    public sealed unsafe partial class SinewBody
    {
        [NonSerialized] private bool[] isLost; // joints that were destroyed and carry nothing
        [NonSerialized] private int carrier;
        [NonSerialized] private bool areLimitsStale;
        [SerializeField, HideInInspector] private RestPose restPose = new RestPose();
        [NonSerialized] private int builtCount; // size of the hierarchy at the last attempt
        [NonSerialized] private Transform builtRoot;
        [NonSerialized] private int builtCouplings;
        [NonSerialized] private bool builtFromMeshes;
        [NonSerialized] private BoundRest boundRest;
        [NonSerialized] private bool isSettled; // a solve began: fields that it is made with stay
        [NonSerialized] private int uses; // calls under way in which functions of scripts are called
        [NonSerialized] private bool mustRelease; // once they are over
        [NonSerialized] private bool isNestingKnown;

        // Whether there is a native body for the joints as they are now.
        internal bool IsReady()
        {
            if (!isRunning) return false;
            bool isStale = native == null ? transform.hierarchyCount != builtCount : !IsWhole();
            if (isStale || (!isSettled && !IsBuiltAsSet())) Rebuild();
            return native != null;
        }

        // Whether it is made with the fields that a script may have set since it was enabled.
        private bool IsBuiltAsSet()
        {
            return ReferenceEquals(rootJoint, builtRoot) && builtFromMeshes == restFromMeshes && (couplings == null ? 0 : couplings.Count) == builtCouplings;
        }

        // A joint that was destroyed with all that is below it, such as a prop, stays in the native
        // body and moves nothing. False when one was destroyed that carries others.
        private bool IsWhole()
        {
            bool isNew = false;
            for (int i = 0; i < isLost.Length; i++)
            {
                if (isLost[i] || rig.Joints[i] != null) continue;
                isLost[i] = isNew = true;
            }
            if (!isNew) return true;
            for (int i = 0; i < isLost.Length; i++)
            {
                int parent = rig.Parents[i];
                if (!isLost[i] && parent >= 0 && isLost[parent]) return false;
            }
            return !isLost[carrier];
        }

        /// <summary>A native call begins in which functions of effectors are called; they may
        /// disable or destroy this component.</summary>
        internal void Enter()
        {
            uses++;
        }

        /// <summary>The call is over: what it held up is done.</summary>
        internal void Leave()
        {
            if (--uses > 0 || !mustRelease) return;
            mustRelease = false;
            Release();
            builtCount = -1; // in case it was enabled again meanwhile
        }

        private void SayNested()
        {
            if (isNestingKnown) return;
            isNestingKnown = true;
            Debug.LogWarning("SinewBody on '" + name + "': Solve() in a function of one of its effectors does nothing, because the "
                + "solve is under way. Further calls are not logged.", this);
        }

        private void Rebuild()
        {
            Release();
            if (uses > 0) return;
            builtCount = transform.hierarchyCount;
            builtRoot = rootJoint;
            builtFromMeshes = restFromMeshes;
            builtCouplings = couplings == null ? 0 : couplings.Count;
            try
            {
                Build();
            }
            catch (Exception e)
            {
                Release();
                problems.Add(e, this, "It does nothing until that is changed and it is enabled again.");
            }
        }

        private void Build()
        {
            FindAnimator();
            rig = new HumanRig(transform);
            if (rig.Joints.Length == 0)
            {
                Debug.LogWarning("SinewBody on '" + name + "' has no joint below it: it does nothing.", this);
                return;
            }
            pose = new SinewTransform[rig.Joints.Length];
            source = new SinewTransform[rig.Joints.Length];
            shown = new SinewTransform[rig.Joints.Length];
            isLost = new bool[rig.Joints.Length];
            Read();
            settings = NativeBody.DefaultSettings();
            sentWork = (int)SinewConstants.SINEW_MAX_WORK;
            native = BuildNative(rig, restPose.Of(rig, restFromMeshes), settings);
            areLimitsStale = false;
            carrier = rootJoint == null ? 0 : (int)JointOf(rootJoint);
            for (int i = 0; i < masses.Count; i++)
            {
                int joint = masses[i].Joint == null ? -1 : rig.IndexOf(masses[i].Joint);
                if (joint >= 0) native.SetMass(joint, masses[i].Kilograms, To(masses[i].Center));
            }
        }

        // The body of a rig with the root and the limits that the scene has; no effectors.
        internal NativeBody BuildNative(HumanRig of, SinewTransform[] rest, SinewBodySettings with)
        {
            int carrier = rootJoint == null ? 0 : (int)JointOf(of, rootJoint);
            NativeBody made = of.BuildBody(rest, GetComponent<Animator>(), carrier, with);
            try
            {
                SetLimits(of, made);
                for (int i = 0; couplings != null && i < couplings.Count; i++) couplings[i].Apply(this, of, made);
                return made;
            }
            catch
            {
                made.Dispose();
                throw;
            }
        }

        /// <summary>Limits of joints have come, gone or changed: the next frame takes
        /// them.</summary>
        internal void RenewLimits()
        {
            areLimitsStale = true;
        }

        /// <summary>The local rotation from which limits of a joint count.</summary>
        internal Quaternion RestRotationOf(Transform joint)
        {
            if (Application.isPlaying || !restFromMeshes) return restPose.RotationOf(joint);
            if (boundRest == null) boundRest = new BoundRest();
            return boundRest.RotationOf(transform, joint);
        }

        private static void SetLimits(HumanRig of, NativeBody to)
        {
            for (int i = 0; i < of.Joints.Length; i++)
            {
                SinewJointLimits limits = null;
                if (of.Joints[i] != null) of.Joints[i].TryGetComponent(out limits);
                if (limits == null || !limits.enabled || !TrySetLimits(to, i, limits)) to.ClearJointLimits(i);
            }
        }

        private static bool TrySetLimits(NativeBody to, int joint, SinewJointLimits limits)
        {
            try
            {
                to.SetJointLimits(joint, limits.Definition());
                return true;
            }
            catch (SinewException e)
            {
                Debug.LogError("SinewJointLimits on '" + limits.name + "': " + e.Message + ".", limits);
                return false;
            }
        }

        private void Release()
        {
            if (uses > 0)
            {
                mustRelease = true;
                return;
            }
            if (rig != null && native != null) TakeBack();
            isSolved = false;
            ForgetEffectors();
            if (native != null) native.Dispose();
            if (rig != null) rig.Dispose();
            native = null;
            rig = null;
            lastOutcome = default(SinewBodyOutcome);
        }

        private uint JointOf(Transform joint)
        {
            return JointOf(rig, joint);
        }

        internal uint JointOf(HumanRig of, Transform joint)
        {
            int index = joint == null ? -1 : of.IndexOf(joint);
            if (index >= 0) return (uint)index;
            throw new SinewException(
                SinewResult.ErrorJointNotFound,
                joint == null ? "a joint is None" : "'" + joint.name + "' is no joint below '" + name + "'");
        }

        private void ApplyRoot()
        {
            native.Root = Placed();
        }

        // Where model space is in the world.
        internal SinewTransform Placed()
        {
            SinewTransform root;
            root.position = To(transform.position);
            root.rotation = To(transform.rotation);
            root.scale = To(transform.lossyScale);
            return root;
        }

        // A Transform that still is as the last solve left it was not animated: it gets back
        // the pose it had before, or answers would pile up from frame to frame. Targets and corners
        // below the joints are then where the animation has them, too.
        private void Read()
        {
            for (int i = 0; i < pose.Length; i++)
            {
                if (isLost[i])
                {
                    pose[i] = source[i];
                    continue;
                }
                SinewTransform now = Local(rig.Joints[i]);
                if (!isSolved || !Same(now.position, shown[i].position)) source[i].position = now.position;
                if (!isSolved || !Same(now.rotation, shown[i].rotation)) source[i].rotation = now.rotation;
                source[i].scale = now.scale;
                shown[i] = now;
                Show(i, source[i]);
                pose[i] = source[i];
            }
        }

        private void Write()
        {
            // A function of an effector may have destroyed a joint: the next frame sees to it.
            for (int i = 0; i < pose.Length; i++)
                if (!isLost[i] && rig.Joints[i] != null) Show(i, pose[i]);
        }

        // The pose that the joints had before, where nothing else has moved them since.
        private void TakeBack()
        {
            for (int i = 0; i < pose.Length && isSolved; i++)
            {
                if (rig.Joints[i] == null) continue;
                SinewTransform now = Local(rig.Joints[i]), was = shown[i];
                bool isPlaceOurs = Same(now.position, was.position), isTurnOurs = Same(now.rotation, was.rotation);
                shown[i] = now;
                if (isPlaceOurs) now.position = source[i].position;
                if (isTurnOurs) now.rotation = source[i].rotation;
                Show(i, now);
                if (!isPlaceOurs) shown[i].position = was.position;
                if (!isTurnOurs) shown[i].rotation = was.rotation;
            }
        }

        /// <summary>Takes the last result back before the SinewAnimator above reads the joints,
        /// which would take it for the animation.</summary>
        internal void MakeWay()
        {
            if (native != null && uses == 0) TakeBack();
        }

        // The SinewAnimator whose joints these are, too.
        private void NoteAbove()
        {
            SinewAnimator above;
            for (Transform t = transform; t != null; t = t.parent)
            {
                if (!t.TryGetComponent(out above)) continue;
                above.NoteBody(this);
                return;
            }
        }

        internal static SinewTransform Local(Transform joint)
        {
            SinewTransform now;
            now.position = To(joint.localPosition);
            now.rotation = To(joint.localRotation);
            now.scale = To(joint.localScale);
            return now;
        }

        private void Show(int i, SinewTransform now)
        {
            if (!Same(now.position, shown[i].position)) rig.Joints[i].localPosition = *(Vector3*)&now.position;
            if (!Same(now.rotation, shown[i].rotation)) rig.Joints[i].localRotation = *(Quaternion*)&now.rotation;
            // As the engine keeps it, which may round.
            shown[i].position = To(rig.Joints[i].localPosition);
            shown[i].rotation = To(rig.Joints[i].localRotation);
        }

        private static bool Same(SinewVec3 a, SinewVec3 b)
        {
            return a.x == b.x && a.y == b.y && a.z == b.z;
        }

        private static bool Same(SinewQuat a, SinewQuat b)
        {
            return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
        }
    }
}
