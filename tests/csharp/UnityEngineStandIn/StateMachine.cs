// Test-only stand-in for what a controller brings: parameters, states, layers, behaviours. Values
// are remembered; nothing plays by itself, tests set states by hand.
using System;
using System.Collections.Generic;

namespace UnityEngine.Playables
{
    public struct PlayableGraph { }
}

namespace UnityEngine.Animations
{
    public struct AnimatorControllerPlayable { }
}

namespace UnityEngine
{
    public class ScriptableObject : Object { }

    public abstract class StateMachineBehaviour : ScriptableObject
    {
        public virtual void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public virtual void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public virtual void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public virtual void OnStateMove(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public virtual void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public virtual void OnStateMachineEnter(Animator animator, int stateMachinePathHash) { }
        public virtual void OnStateMachineExit(Animator animator, int stateMachinePathHash) { }

        public virtual void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, Animations.AnimatorControllerPlayable controller) { }
        public virtual void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, Animations.AnimatorControllerPlayable controller) { }
        public virtual void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, Animations.AnimatorControllerPlayable controller) { }
        public virtual void OnStateMove(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, Animations.AnimatorControllerPlayable controller) { }
        public virtual void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, Animations.AnimatorControllerPlayable controller) { }
        public virtual void OnStateMachineEnter(Animator animator, int stateMachinePathHash, Animations.AnimatorControllerPlayable controller) { }
        public virtual void OnStateMachineExit(Animator animator, int stateMachinePathHash, Animations.AnimatorControllerPlayable controller) { }
    }

    public class RuntimeAnimatorController : Object
    {
        /// Layers with IK Pass, as the Editor has set them.
        internal readonly List<int> IKPassLayers = new List<int>();

        /// Behaviours of its states.
        internal readonly List<StateMachineBehaviour> Behaviours = new List<StateMachineBehaviour>();
    }

    public class AnimatorOverrideController : RuntimeAnimatorController
    {
        public AnimatorOverrideController(RuntimeAnimatorController controller)
        {
            runtimeAnimatorController = controller;
            if (!ReferenceEquals(controller, null)) IKPassLayers.AddRange(controller.IKPassLayers);
        }

        public RuntimeAnimatorController runtimeAnimatorController { get; private set; }
    }

    public enum AnimatorControllerParameterType { Float = 1, Int = 3, Bool = 4, Trigger = 9 }

    public class AnimatorControllerParameter
    {
        public string name { get; set; }
        public int nameHash { get { return Animator.StringToHash(name); } }
        public AnimatorControllerParameterType type { get; set; }
    }

    public class Motion : Object { }

    public enum WrapMode { Default = 0, Once = 1, Loop = 2 }

    public struct Keyframe
    {
        public float time, value;

        public Keyframe(float time, float value)
        {
            this.time = time;
            this.value = value;
        }
    }

    public class AnimationCurve
    {
        public AnimationCurve(params Keyframe[] keys) { this.keys = keys; }
        public Keyframe[] keys { get; set; }

        /// Straight between keys.
        public float Evaluate(float time)
        {
            if (keys.Length == 0) return 0f;
            int next = Array.FindIndex(keys, delegate (Keyframe key) { return key.time >= time; });
            if (next < 0) return keys[keys.Length - 1].value;
            if (next == 0) return keys[0].value;
            Keyframe a = keys[next - 1], b = keys[next];
            return Mathf.Lerp(a.value, b.value, (time - a.time) / (b.time - a.time));
        }
    }

    /// Curves are remembered; the stand-in Animator does not play muscles.
    public sealed class AnimationClip : Motion
    {
        public readonly List<string> Curves = new List<string>();
        public WrapMode wrapMode { get; set; }
        public void SetCurve(string relativePath, Type type, string propertyName, AnimationCurve curve) { Curves.Add(propertyName); }
    }

    public struct AnimatorClipInfo
    {
        public AnimationClip clip { get; set; }
        public float weight { get; set; }
    }

    public struct AnimatorTransitionInfo
    {
        public float normalizedTime { get; set; }
        public float duration { get; set; }
    }

    public struct AnimatorStateInfo
    {
        private readonly string name, tag;

        internal AnimatorStateInfo(float time, int hash, bool loop, string name = "", string tag = "")
        {
            this.loop = loop;
            this.name = name;
            this.tag = tag;
            normalizedTime = time;
            fullPathHash = hash;
        }

        public float normalizedTime { get; private set; }
        public int fullPathHash { get; private set; }
        public int shortNameHash { get { return Animator.StringToHash(name ?? ""); } }
        public int tagHash { get { return Animator.StringToHash(tag ?? ""); } }
        public float length { get { return 1f; } }
        public float speed { get { return 1f; } }
        public bool loop { get; private set; }
        public bool IsName(string other) { return (name ?? "") == other; }
        public bool IsTag(string other) { return (tag ?? "") == other; }
    }

    public sealed partial class Animator
    {
        /// Test switch: the normalised time of layer 0's state, and which state that is.
        public float stateTime;
        public int stateHash;
        public bool stateLoops;
        public string stateName = "", stateTag = "", nextStateName = "";
        public bool isInTransition;

        private readonly Dictionary<int, float> numbers = new Dictionary<int, float>();
        private readonly Dictionary<int, float> weights = new Dictionary<int, float>();

        public AnimatorStateInfo GetCurrentAnimatorStateInfo(int layerIndex) { return new AnimatorStateInfo(stateTime, stateHash, stateLoops, stateName, stateTag); }
        public AnimatorStateInfo GetNextAnimatorStateInfo(int layerIndex) { return isInTransition ? new AnimatorStateInfo(0f, 0, false, nextStateName) : default(AnimatorStateInfo); }
        public AnimatorTransitionInfo GetAnimatorTransitionInfo(int layerIndex) { return default(AnimatorTransitionInfo); }
        public bool IsInTransition(int layerIndex) { return isInTransition; }

        public static int StringToHash(string name)
        {
            uint hash = 2166136261;
            foreach (char c in name) hash = (hash ^ c) * 16777619;
            return (int)hash;
        }

        private float Number(int id)
        {
            float value;
            return numbers.TryGetValue(id, out value) ? value : 0f;
        }

        public float GetFloat(string name) { return Number(StringToHash(name)); }
        public float GetFloat(int id) { return Number(id); }
        public void SetFloat(string name, float value) { numbers[StringToHash(name)] = value; }
        public void SetFloat(int id, float value) { numbers[id] = value; }
        public void SetFloat(string name, float value, float dampTime, float deltaTime) { SetFloat(name, value); }
        public void SetFloat(int id, float value, float dampTime, float deltaTime) { SetFloat(id, value); }
        public bool GetBool(string name) { return Number(StringToHash(name)) != 0f; }
        public bool GetBool(int id) { return Number(id) != 0f; }
        public void SetBool(string name, bool value) { numbers[StringToHash(name)] = value ? 1f : 0f; }
        public void SetBool(int id, bool value) { numbers[id] = value ? 1f : 0f; }
        public int GetInteger(string name) { return (int)Number(StringToHash(name)); }
        public int GetInteger(int id) { return (int)Number(id); }
        public void SetInteger(string name, int value) { numbers[StringToHash(name)] = value; }
        public void SetInteger(int id, int value) { numbers[id] = value; }
        public void SetTrigger(string name) { numbers[StringToHash(name)] = 1f; }
        public void SetTrigger(int id) { numbers[id] = 1f; }
        public void ResetTrigger(string name) { numbers[StringToHash(name)] = 0f; }
        public void ResetTrigger(int id) { numbers[id] = 0f; }
        public bool IsParameterControlledByCurve(string name) { return false; }
        public bool IsParameterControlledByCurve(int id) { return false; }
        public AnimatorControllerParameter[] parameters { get { return new AnimatorControllerParameter[0]; } }
        public int parameterCount { get { return 0; } }
        public AnimatorControllerParameter GetParameter(int index) { throw new IndexOutOfRangeException("Index must be between 0 and 0"); }

        public int layerCount { get { return 1 + ikPassLayers.Count; } }
        public string GetLayerName(int layerIndex) { return "Layer " + layerIndex; }
        public int GetLayerIndex(string layerName) { return layerName == "Layer 0" ? 0 : -1; }
        public void SetLayerWeight(int layerIndex, float weight) { weights[layerIndex] = weight; }

        public float GetLayerWeight(int layerIndex)
        {
            float weight;
            return weights.TryGetValue(layerIndex, out weight) ? weight : layerIndex == 0 ? 1f : 0f;
        }

        /// What Play and CrossFade were asked for, oldest first.
        public readonly List<string> played = new List<string>();

        public void Play(string stateName) { played.Add(stateName); this.stateName = stateName; }
        public void Play(string stateName, int layer) { Play(stateName); }
        public void Play(string stateName, int layer, float normalizedTime) { Play(stateName); }
        public void Play(int stateNameHash) { played.Add("#" + stateNameHash); }
        public void Play(int stateNameHash, int layer) { Play(stateNameHash); }
        public void Play(int stateNameHash, int layer, float normalizedTime) { Play(stateNameHash); }
        public void PlayInFixedTime(string stateName) { Play(stateName); }
        public void PlayInFixedTime(string stateName, int layer) { Play(stateName); }
        public void PlayInFixedTime(string stateName, int layer, float fixedTime) { Play(stateName); }
        public void PlayInFixedTime(int stateNameHash) { Play(stateNameHash); }
        public void PlayInFixedTime(int stateNameHash, int layer) { Play(stateNameHash); }
        public void PlayInFixedTime(int stateNameHash, int layer, float fixedTime) { Play(stateNameHash); }
        public void CrossFade(string stateName, float duration) { Play(stateName); }
        public void CrossFade(string stateName, float duration, int layer) { Play(stateName); }
        public void CrossFade(string stateName, float duration, int layer, float offset) { Play(stateName); }
        public void CrossFade(string stateName, float duration, int layer, float offset, float transition) { Play(stateName); }
        public void CrossFade(int hash, float duration) { Play(hash); }
        public void CrossFade(int hash, float duration, int layer) { Play(hash); }
        public void CrossFade(int hash, float duration, int layer, float offset) { Play(hash); }
        public void CrossFade(int hash, float duration, int layer, float offset, float transition) { Play(hash); }
        public void CrossFadeInFixedTime(string stateName, float duration) { Play(stateName); }
        public void CrossFadeInFixedTime(string stateName, float duration, int layer) { Play(stateName); }
        public void CrossFadeInFixedTime(string stateName, float duration, int layer, float offset) { Play(stateName); }
        public void CrossFadeInFixedTime(string stateName, float duration, int layer, float offset, float transition) { Play(stateName); }
        public void CrossFadeInFixedTime(int hash, float duration) { Play(hash); }
        public void CrossFadeInFixedTime(int hash, float duration, int layer) { Play(hash); }
        public void CrossFadeInFixedTime(int hash, float duration, int layer, float offset) { Play(hash); }
        public void CrossFadeInFixedTime(int hash, float duration, int layer, float offset, float transition) { Play(hash); }
        public bool HasState(int layerIndex, int stateID) { return stateID == stateHash; }

        public T GetBehaviour<T>() where T : StateMachineBehaviour
        {
            foreach (StateMachineBehaviour behaviour in behaviours)
                if (behaviour is T) return (T)behaviour;
            return null;
        }

        public T[] GetBehaviours<T>() where T : StateMachineBehaviour
        {
            List<T> found = new List<T>();
            foreach (StateMachineBehaviour behaviour in behaviours)
                if (behaviour is T) found.Add((T)behaviour);
            return found.ToArray();
        }

        public StateMachineBehaviour[] GetBehaviours(int fullPathHash, int layerIndex) { return behaviours.ToArray(); }
        public AnimatorClipInfo[] GetCurrentAnimatorClipInfo(int layerIndex) { return new AnimatorClipInfo[0]; }
        public void GetCurrentAnimatorClipInfo(int layerIndex, List<AnimatorClipInfo> clips) { clips.Clear(); }
        public int GetCurrentAnimatorClipInfoCount(int layerIndex) { return 0; }
        public AnimatorClipInfo[] GetNextAnimatorClipInfo(int layerIndex) { return new AnimatorClipInfo[0]; }
        public void GetNextAnimatorClipInfo(int layerIndex, List<AnimatorClipInfo> clips) { clips.Clear(); }
        public int GetNextAnimatorClipInfoCount(int layerIndex) { return 0; }

        // Of root motion and playback: only remembered.
        public float feetPivotActive { get; set; }
        public bool stabilizeFeet { get; set; }
        public float pivotWeight { get { return 0.5f; } }
        public Vector3 pivotPosition { get { return transform.position; } }
        public AvatarTarget target;
        public float targetTime;

        public void SetTarget(AvatarTarget targetIndex, float targetNormalizedTime)
        {
            target = targetIndex;
            targetTime = targetNormalizedTime;
        }

        public Vector3 targetPosition { get { return new Vector3((int)target, targetTime, 0f); } }
        public Quaternion targetRotation { get { return Quaternion.identity; } }
        public Vector3 deltaPosition { get; internal set; }
        public Quaternion deltaRotation { get { return Quaternion.identity; } }
        public Vector3 velocity { get; internal set; }
        public Vector3 angularVelocity { get; internal set; }
        public float gravityWeight { get { return 1f; } }
        public bool hasBoundPlayables { get { return runtimeAnimatorController != null; } }
        public bool hasRootMotion { get { return false; } }
        public bool isInitialized { get { return true; } }
        public bool isOptimizable { get { return false; } }
        public UnityEngine.Playables.PlayableGraph playableGraph { get { return default(UnityEngine.Playables.PlayableGraph); } }
        public AnimatorRecorderMode recorderMode { get { return AnimatorRecorderMode.Offline; } }
        public Transform avatarRoot { get { return transform; } }
        public bool applyRootMotion { get; set; }
        public bool fireEvents { get; set; }
        public bool keepAnimatorStateOnDisable { get; set; }
        public bool layersAffectMassCenter { get; set; }
        public bool logWarnings { get; set; }
        public float playbackTime { get; set; }
        public float recorderStartTime { get; set; }
        public float recorderStopTime { get; set; }
        public float speed { get; set; }
        public bool writeDefaultValuesOnDisable { get; set; }
        public int rebinds;
        public void Rebind() { rebinds++; }
        public void ApplyBuiltinRootMotion() { }
        public void ResetControllerState(bool resetParameters = true) { numbers.Clear(); }
        public void StartPlayback() { }
        public void StartRecording(int frameCount) { }
        public void StopPlayback() { }
        public void StopRecording() { }
        public void WriteDefaultValues() { }

        [Obsolete("deprecated")]
        public bool animatePhysics { get { return (int)updateMode == 1; } set { updateMode = (AnimatorUpdateMode)(value ? 1 : 0); } }
        [Obsolete("deprecated")]
        public bool keepAnimatorControllerStateOnDisable { get { return keepAnimatorStateOnDisable; } set { keepAnimatorStateOnDisable = value; } }
        [Obsolete("deprecated")]
        public bool linearVelocityBlending { get; set; }
        [Obsolete("deprecated")]
        public void ForceStateNormalizedTime(float normalizedTime) { }
        [Obsolete("deprecated")]
        public Vector3 GetVector(string name) { return Vector3.zero; }
        [Obsolete("deprecated")]
        public Vector3 GetVector(int id) { return Vector3.zero; }
        [Obsolete("deprecated")]
        public void SetVector(string name, Vector3 value) { }
        [Obsolete("deprecated")]
        public void SetVector(int id, Vector3 value) { }
        [Obsolete("deprecated")]
        public Quaternion GetQuaternion(string name) { return Quaternion.identity; }
        [Obsolete("deprecated")]
        public Quaternion GetQuaternion(int id) { return Quaternion.identity; }
        [Obsolete("deprecated")]
        public void SetQuaternion(string name, Quaternion value) { }
        [Obsolete("deprecated")]
        public void SetQuaternion(int id, Quaternion value) { }
    }
}
