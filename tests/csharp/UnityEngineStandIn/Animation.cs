// Test-only stand-in for Animator: an animated one. The animation's pose is the Animator's own, is
// known in OnAnimatorIK, and reaches the Transforms only afterwards; layers, culling, physics
// steps, state behaviours, avatar and controller swaps work. Numbers and names are Unity's public
// ones.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public sealed partial class Animator : Behaviour
    {
        private struct Local
        {
            internal Vector3 Position, Scale;
            internal Quaternion Rotation;
        }

        /// Test switch: "IK Pass" of layer 0.
        public bool ikPass;

        /// Test switch: indices of further layers with "IK Pass".
        public readonly List<int> ikPassLayers = new List<int>();

        /// Test hook: writes the animated pose into the transforms, which then hold the Animator's
        /// own pose. What it wrote is known in OnAnimatorIK and reaches the transforms after it, as
        /// in Unity.
        public Action write;

        /// Test hook: behaviours of the current state of layer 0.
        public readonly List<StateMachineBehaviour> behaviours = new List<StateMachineBehaviour>();

        /// Evaluations so far.
        public int evaluations;

        private static readonly List<Renderer> renderers = new List<Renderer>();
        private readonly List<Transform> all = new List<Transform>();
        private Local[] before = new Local[0], own = new Local[0];
        private int[] stamps = new int[0];
        private bool[] isWritten = new bool[0], isHumanBone = new bool[0];
        private int hierarchy = -1;
        private Avatar knownAvatar;
        private bool hasOwn, inPass, isDue;
        private readonly Vector3[] goalPositions = new Vector3[4], hintPositions = new Vector3[4];
        private readonly Quaternion[] goalRotations = new Quaternion[4];
        private Vector3 bodyAt;
        private Quaternion bodyTurn = Quaternion.identity;

        private static readonly HumanBodyBones[] ends =
        {
            HumanBodyBones.LeftFoot, HumanBodyBones.RightFoot, HumanBodyBones.LeftHand, HumanBodyBones.RightHand,
        };

        private static readonly HumanBodyBones[] middles =
        {
            HumanBodyBones.LeftLowerLeg, HumanBodyBones.RightLowerLeg, HumanBodyBones.LeftLowerArm, HumanBodyBones.RightLowerArm,
        };

        private readonly Transform[] endBones = new Transform[4], middleBones = new Transform[4];
        private readonly Quaternion[] goalFromEnd = new Quaternion[4];
        private Transform hips, chest;

        public Animator()
        {
            Player.Remember(this);
            logWarnings = true;
        }

        public Avatar avatar { get; set; }
        public AnimatorUpdateMode updateMode { get; set; }
        public bool isHuman { get { return avatar != null && avatar.isHuman; } }
        public bool hasTransformHierarchy { get { return true; } }
        public RuntimeAnimatorController runtimeAnimatorController
        {
            get { return controller; }
            set
            {
                controller = value;
                if (ReferenceEquals(value, null)) return;
                ikPass = value.IKPassLayers.Contains(0);
                behaviours.AddRange(value.Behaviours);
                ikPassLayers.Clear();
                foreach (int layer in value.IKPassLayers)
                    if (layer > 0) ikPassLayers.Add(layer);
            }
        }

        private RuntimeAnimatorController controller;
        public AnimatorCullingMode cullingMode { get; set; }

        public Transform GetBoneTransform(HumanBodyBones bone)
        {
            if (!isHuman) throw new InvalidOperationException("the avatar is not human");
            HumanBone[] table = avatar.humanDescription.human;
            for (int i = 0; i < table.Length; i++)
                if (table[i].humanName.Replace(" ", "") == bone.ToString()) return Below(transform, table[i].boneName);
            return null;
        }

        /// Evaluates by hand, also an Animator that is disabled.
        public void Update(float deltaTime)
        {
            if (!gameObject.activeInHierarchy) return;
            Advance();
            Pose();
        }

        /// The first part of an evaluation: states, events of clips, root motion.
        internal void EvaluateStates()
        {
            if (isActiveAndEnabled) Advance();
        }

        /// The second: the callbacks, then the pose.
        internal void EvaluatePose()
        {
            if (isActiveAndEnabled) Pose();
            isDue = false;
        }

        internal void CopyTo(Animator copy)
        {
            copy.avatar = avatar;
            copy.runtimeAnimatorController = runtimeAnimatorController;
            copy.updateMode = updateMode;
            copy.cullingMode = cullingMode;
        }

        private void Advance()
        {
            isDue = !IsCulled();
            if (!isDue) return;
            evaluations++;
            SendMessages();
        }

        private void Pose()
        {
            if (!isDue) return;
            if (write == null)
            {
                if (isHuman) Pass(false);
                return;
            }
            Collect();
            for (int i = 0; i < all.Count; i++)
            {
                before[i] = Of(all[i]);
                if (hasOwn && isHumanBone[i]) Set(all[i], own[i]);
                stamps[i] = all[i].Stamp;
            }
            write();
            for (int i = 0; i < all.Count; i++)
            {
                own[i] = Of(all[i]);
                isWritten[i] = isHumanBone[i] || all[i].Stamp != stamps[i];
            }
            hasOwn = true;
            if (isHuman) Answer();
            for (int i = 0; i < all.Count; i++) Set(all[i], before[i]);
            if (isHuman) Pass(true);
            for (int i = 0; i < all.Count; i++)
                if (isWritten[i] && all[i] != null) Set(all[i], own[i]);
        }

        // One call per layer with IK Pass, then the state's behaviours.
        private void Pass(bool isAnimated)
        {
            if (!ikPass && ikPassLayers.Count == 0) return;
            if (!isAnimated)
            {
                Collect();
                Answer();
            }
            inPass = true;
            if (ikPass)
            {
                Player.SendAnimatorIK(gameObject, 0);
                for (int i = 0; i < behaviours.Count; i++)
                {
                    behaviours[i].OnStateIK(this, GetCurrentAnimatorStateInfo(0), 0);
                    behaviours[i].OnStateIK(this, GetCurrentAnimatorStateInfo(0), 0, default(Animations.AnimatorControllerPlayable));
                }
            }
            for (int i = 0; i < ikPassLayers.Count; i++) Player.SendAnimatorIK(gameObject, ikPassLayers[i]);
            inPass = false;
        }

        private bool IsCulled()
        {
            if (cullingMode == AnimatorCullingMode.AlwaysAnimate) return false;
            renderers.Clear();
            gameObject.Below(renderers, true);
            for (int i = 0; i < renderers.Count; i++)
                if (renderers[i].isVisible) return false;
            return renderers.Count > 0;
        }

        private void Collect()
        {
            if (hierarchy == Transform.HierarchyVersion && ReferenceEquals(knownAvatar, avatar)) return;
            hierarchy = Transform.HierarchyVersion;
            knownAvatar = avatar;
            List<Transform> old = new List<Transform>(all);
            Local[] oldOwn = own;
            all.Clear();
            Below(transform);
            before = new Local[all.Count];
            own = new Local[all.Count];
            stamps = new int[all.Count];
            isWritten = new bool[all.Count];
            isHumanBone = new bool[all.Count];
            for (int i = 0; i < all.Count; i++)
            {
                int at = old.IndexOf(all[i]);
                own[i] = at >= 0 ? oldOwn[at] : Of(all[i]);
            }
            if (!isHuman) return;
            foreach (HumanBone bone in avatar.humanDescription.human)
                for (int i = 0; i < all.Count; i++) isHumanBone[i] |= all[i].name == bone.boneName;
            for (int i = 0; i < 4; i++)
            {
                endBones[i] = GetBoneTransform(ends[i]);
                middleBones[i] = GetBoneTransform(middles[i]);
                Quaternion frame = i < 2 ? Quaternion.identity
                    : Quaternion.LookRotation(i == 2 ? Vector3.left : Vector3.right, Vector3.up);
                goalFromEnd[i] = Quaternion.Inverse(TPoseRotation(endBones[i])) * frame;
            }
            hips = GetBoneTransform(HumanBodyBones.Hips);
            chest = GetBoneTransform(HumanBodyBones.Chest) ?? GetBoneTransform(HumanBodyBones.Spine);
        }

        // Rotation in the avatar's T-pose, as seen from the Animator.
        private Quaternion TPoseRotation(Transform bone)
        {
            Quaternion turn = Quaternion.identity;
            for (Transform t = bone; t != null && t != transform; t = t.parent)
            {
                Quaternion local = t.localRotation;
                foreach (SkeletonBone known in avatar.humanDescription.skeleton)
                    if (known.name == t.name) local = known.rotation;
                turn = local * turn;
            }
            return turn;
        }

        private void Answer()
        {
            for (int i = 0; i < 4; i++)
            {
                goalPositions[i] = endBones[i].position;
                goalRotations[i] = endBones[i].rotation * goalFromEnd[i];
                hintPositions[i] = middleBones[i].position;
            }
            // Not the centre of mass that Sinew computes, as Unity's is not either.
            bodyAt = (hips.position + chest.position) * 0.5f + new Vector3(0f, 0.03f, 0.01f);
            bodyTurn = hips.rotation;
        }

        private void CheckPass()
        {
            if (!inPass && logWarnings) Debug.LogWarning("IK members belong in OnAnimatorIK or OnStateIK");
        }

        public Vector3 bodyPosition { get { CheckPass(); return bodyAt; } set { CheckPass(); bodyAt = value; } }
        public Quaternion bodyRotation { get { CheckPass(); return bodyTurn; } set { CheckPass(); bodyTurn = value; } }
        public Vector3 GetIKPosition(AvatarIKGoal goal) { CheckPass(); return goalPositions[(int)goal]; }
        public Quaternion GetIKRotation(AvatarIKGoal goal) { CheckPass(); return goalRotations[(int)goal]; }
        public Vector3 GetIKHintPosition(AvatarIKHint hint) { CheckPass(); return hintPositions[(int)hint]; }
        public void SetIKPosition(AvatarIKGoal goal, Vector3 goalPosition) { CheckPass(); goalPositions[(int)goal] = goalPosition; }
        public void SetIKRotation(AvatarIKGoal goal, Quaternion goalRotation) { CheckPass(); goalRotations[(int)goal] = goalRotation; }

        public void SetIKHintPosition(AvatarIKHint hint, Vector3 hintPosition) { CheckPass(); hintPositions[(int)hint] = hintPosition; }

        // Weights and the look-at: remembered, nothing is solved with them.
        private readonly float[] weightsOf = new float[12];
        public float GetIKPositionWeight(AvatarIKGoal goal) { CheckPass(); return weightsOf[(int)goal]; }
        public void SetIKPositionWeight(AvatarIKGoal goal, float value) { CheckPass(); weightsOf[(int)goal] = value; }
        public float GetIKRotationWeight(AvatarIKGoal goal) { CheckPass(); return weightsOf[4 + (int)goal]; }
        public void SetIKRotationWeight(AvatarIKGoal goal, float value) { CheckPass(); weightsOf[4 + (int)goal] = value; }
        public float GetIKHintPositionWeight(AvatarIKHint hint) { CheckPass(); return weightsOf[8 + (int)hint]; }
        public void SetIKHintPositionWeight(AvatarIKHint hint, float value) { CheckPass(); weightsOf[8 + (int)hint] = value; }
        public void SetLookAtPosition(Vector3 lookAtPosition) { CheckPass(); }
        public void SetLookAtWeight(float weight) { CheckPass(); }
        public void SetLookAtWeight(float weight, float bodyWeight) { CheckPass(); }
        public void SetLookAtWeight(float weight, float bodyWeight, float headWeight) { CheckPass(); }
        public void SetLookAtWeight(float weight, float bodyWeight, float headWeight, float eyesWeight) { CheckPass(); }
        public void SetLookAtWeight(float weight, float bodyWeight, float headWeight, float eyesWeight, float clampWeight) { CheckPass(); }
        public void SetBoneLocalRotation(HumanBodyBones humanBoneId, Quaternion rotation) { CheckPass(); }
        public float humanScale { get { return 1f; } }
        public float leftFeetBottomHeight { get { return 0.08f; } }
        public float rightFeetBottomHeight { get { return 0.08f; } }
        public Vector3 rootPosition { get { return transform.position; } set { transform.position = value; } }
        public Quaternion rootRotation { get { return transform.rotation; } set { transform.rotation = value; } }
        public bool isMatchingTarget { get { return false; } }
        public void InterruptMatchTarget() { }
        public void InterruptMatchTarget(bool completeMatch) { }

        public void MatchTarget(
            Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, MatchTargetWeightMask weightMask,
            float startNormalizedTime)
        {
        }

        public void MatchTarget(
            Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, MatchTargetWeightMask weightMask,
            float startNormalizedTime, float targetNormalizedTime)
        {
        }

        public void MatchTarget(
            Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, MatchTargetWeightMask weightMask,
            float startNormalizedTime, float targetNormalizedTime, bool completeMatch)
        {
        }

        internal override void Demolish()
        {
            base.Demolish();
            Player.Forget(this);
        }

        private void Below(Transform parent)
        {
            for (int i = 0; i < parent.childCount; i++)
            {
                all.Add(parent.GetChild(i));
                Below(parent.GetChild(i));
            }
        }

        private static Local Of(Transform t)
        {
            return new Local { Position = t.RawPosition, Rotation = t.RawRotation, Scale = t.RawScale };
        }

        private static void Set(Transform t, Local local)
        {
            t.RawPosition = local.Position;
            t.RawRotation = local.Rotation;
            t.RawScale = local.Scale;
        }

        private static Transform Below(Transform transform, string name)
        {
            for (int i = 0; i < transform.childCount; i++)
            {
                Transform child = transform.GetChild(i);
                if (child.name == name) return child;
                Transform found = Below(child, name);
                if (!ReferenceEquals(found, null)) return found;
            }
            return null;
        }
    }
}
