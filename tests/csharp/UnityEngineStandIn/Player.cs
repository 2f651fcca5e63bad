// Test-only stand-in for Unity's player loop: Start, Update, animation (OnAnimatorIK where the IK
// pass is on), LateUpdate.
using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    public static class Time
    {
        public static float deltaTime { get; internal set; }
        public static float unscaledDeltaTime { get; internal set; }
        public static float fixedDeltaTime { get { return 0.02f; } }
        public static float fixedTime { get { return (float)fixedTimeAsDouble; } }
        public static bool inFixedTimeStep { get; internal set; }
        public static float time { get { return (float)timeAsDouble; } }
        public static double unscaledTimeAsDouble { get { return inFixedTimeStep ? fixedUnscaledTimeAsDouble : UnscaledFrame; } }
        public static double fixedTimeAsDouble { get; internal set; }
        public static double fixedUnscaledTimeAsDouble { get; internal set; }
        public static float timeScale = 1f;

        /// In a physics step that of the step, as in the engine.
        public static double timeAsDouble { get { return inFixedTimeStep ? fixedTimeAsDouble : Frame; } }

        // Of the frame, whatever runs in it.
        internal static double Frame, UnscaledFrame;
        public static int frameCount { get; internal set; }
    }

    public enum RuntimePlatform { LinuxEditor = 16 }

    public static class Application
    {
        private static bool isEditing;

        public static string unityVersion { get { return "stand-in"; } }
        public static RuntimePlatform platform { get { return RuntimePlatform.LinuxEditor; } }
        public static string persistentDataPath { get { return System.IO.Path.GetTempPath(); } }

        /// Test switch: Edit mode when false.
        public static bool isPlaying { get { return !isEditing; } set { isEditing = !value; } }
    }

    /// The messages of one script type, found once; sending them allocates nothing.
    internal sealed class Messages
    {
        private static readonly Dictionary<Type, Messages> known = new Dictionary<Type, Messages>();
        private readonly Dictionary<string, Action<MonoBehaviour>> plain = new Dictionary<string, Action<MonoBehaviour>>();
        internal Action<MonoBehaviour> Start, Update, LateUpdate, FixedUpdate;
        internal bool RunsInEditMode;
        internal Action<MonoBehaviour, int> OnAnimatorIK;
        internal int Order;

        internal static Messages Of(Type type)
        {
            Messages messages;
            if (known.TryGetValue(type, out messages)) return messages;
            messages = new Messages();
            foreach (string name in new[] { "Awake", "OnEnable", "OnDisable", "OnDestroy", "Start", "Update", "LateUpdate", "FixedUpdate", "OnValidate", "Reset", "OnAnimatorMove", "OnTransformParentChanged" })
                messages.plain[name] = Plain(Find(type, name, Type.EmptyTypes));
            messages.Start = messages.plain["Start"];
            messages.Update = messages.plain["Update"];
            messages.LateUpdate = messages.plain["LateUpdate"];
            messages.FixedUpdate = messages.plain["FixedUpdate"];
            messages.RunsInEditMode = type.GetCustomAttributes(typeof(ExecuteAlways), true).Length > 0;
            MethodInfo withLayer = Find(type, "OnAnimatorIK", new[] { typeof(int) });
            Action<MonoBehaviour> bare = Plain(Find(type, "OnAnimatorIK", Type.EmptyTypes));
            if (withLayer != null) messages.OnAnimatorIK = (Action<MonoBehaviour, int>)Open(withLayer, "WithLayer");
            else if (bare != null) messages.OnAnimatorIK = delegate (MonoBehaviour script, int layer) { bare(script); };
            object[] orders = type.GetCustomAttributes(typeof(DefaultExecutionOrder), true);
            messages.Order = orders.Length == 0 ? 0 : ((DefaultExecutionOrder)orders[0]).order;
            known[type] = messages;
            return messages;
        }

        internal void Send(string name, MonoBehaviour script)
        {
            Action<MonoBehaviour> action;
            if (plain.TryGetValue(name, out action) && action != null) Player.Guarded(action, script);
        }

        private static MethodInfo Find(Type type, string name, Type[] parameters)
        {
            for (Type t = type; t != null && t != typeof(MonoBehaviour); t = t.BaseType)
            {
                MethodInfo method = t.GetMethod(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
                    | BindingFlags.DeclaredOnly, null, parameters, null);
                if (method != null) return method;
            }
            return null;
        }

        private static Action<MonoBehaviour> Plain(MethodInfo method)
        {
            return method == null ? null : (Action<MonoBehaviour>)Open(method, "WithoutArgument");
        }

        private static Delegate Open(MethodInfo method, string adapter)
        {
            MethodInfo generic = typeof(Messages).GetMethod(adapter, BindingFlags.Static | BindingFlags.NonPublic);
            return (Delegate)generic.MakeGenericMethod(method.DeclaringType).Invoke(null, new object[] { method });
        }

        private static Action<MonoBehaviour> WithoutArgument<T>(MethodInfo method) where T : MonoBehaviour
        {
            Action<T> call = (Action<T>)Delegate.CreateDelegate(typeof(Action<T>), method);
            return delegate (MonoBehaviour script) { call((T)script); };
        }

        private static Action<MonoBehaviour, int> WithLayer<T>(MethodInfo method) where T : MonoBehaviour
        {
            Action<T, int> call = (Action<T, int>)Delegate.CreateDelegate(typeof(Action<T, int>), method);
            return delegate (MonoBehaviour script, int layer) { call((T)script, layer); };
        }
    }

    public static class Resources
    {
        public static T[] FindObjectsOfTypeAll<T>() where T : Object { return Player.All<T>(true); }
    }

    public static class Player
    {
        private static readonly List<MonoBehaviour> scripts = new List<MonoBehaviour>();
        private static readonly List<Animator> animators = new List<Animator>();
        internal static readonly List<Object> Doomed = new List<Object>();

        /// Animation of objects that have no Animator: runs where the animation step is.
        public static Action Animation;

        /// Plays one frame of `deltaTime` seconds, which the time scale does not count in.
        public static void Frame(float deltaTime)
        {
            Time.frameCount++;
            Time.unscaledDeltaTime = deltaTime;
            Time.deltaTime = deltaTime * Time.timeScale;
            Time.UnscaledFrame += deltaTime;
            Time.Frame += Time.deltaTime;
            Run(LowLevel.PlayerLoop.Frame);
            for (int i = 0; i < Doomed.Count; i++) Object.DestroyImmediate(Doomed[i]);
            Doomed.Clear();
        }

        /// Plays one physics step: FixedUpdate, and the animators in that mode.
        public static void FixedStep()
        {
            Time.fixedTimeAsDouble += Time.fixedDeltaTime;
            Time.fixedUnscaledTimeAsDouble += Time.fixedDeltaTime / Time.timeScale;
            Time.inFixedTimeStep = true;
            float frameTime = Time.deltaTime, unscaledFrameTime = Time.unscaledDeltaTime;
            Time.deltaTime = Time.fixedDeltaTime;
            Time.unscaledDeltaTime = Time.fixedDeltaTime / Time.timeScale;
            Run(LowLevel.PlayerLoop.Step);
            Time.deltaTime = frameTime;
            Time.unscaledDeltaTime = unscaledFrameTime;
            Time.inFixedTimeStep = false;
        }

        /// Physics and its messages: runs where the simulation of a step is.
        public static Action Simulation;

        /// Timeline and others that evaluate late: runs where the deferred evaluation is.
        public static Action Deferred;

        // The systems of a frame in the order of the player loop, those of packages among them.
        private static void Run(LowLevel.PlayerLoopSystem[] systems)
        {
            for (int i = 0; i < systems.Length; i++)
            {
                Type type = systems[i].type;
                if (systems[i].updateDelegate != null) systems[i].updateDelegate();
                else if (type == typeof(PlayerLoop.FixedUpdate.ScriptRunBehaviourFixedUpdate))
                {
                    Send(0);
                    Send(3);
                }
                else if (type == typeof(PlayerLoop.FixedUpdate.DirectorFixedUpdate)) Evaluate(true, true, false);
                else if (type == typeof(PlayerLoop.FixedUpdate.PhysicsFixedUpdate))
                {
                    if (Simulation != null) Simulation();
                }
                else if (type == typeof(PlayerLoop.FixedUpdate.DirectorFixedUpdatePostPhysics)) Evaluate(true, false, true);
                else if (type == typeof(PlayerLoop.Update.ScriptRunBehaviourUpdate))
                {
                    Send(0);
                    Send(1);
                    for (int j = 0; j < scripts.Count; j++) scripts[j].AdvanceCoroutines();
                }
                else if (type == typeof(PlayerLoop.PreLateUpdate.DirectorUpdateAnimationBegin))
                {
                    if (Animation != null) Animation();
                }
                else if (type == typeof(PlayerLoop.PreLateUpdate.DirectorUpdateAnimationEnd)) Evaluate(false, true, true);
                else if (type == typeof(PlayerLoop.PreLateUpdate.DirectorDeferredEvaluate))
                {
                    if (Deferred != null) Deferred();
                }
                else if (type == typeof(PlayerLoop.PreLateUpdate.ScriptRunBehaviourLateUpdate)) Send(2);
            }
        }

        // In step with physics the two parts are on either side of the simulation.
        private static void Evaluate(bool isFixed, bool states, bool pose)
        {
            for (int i = 0; i < animators.Count; i++)
            {
                if ((animators[i].updateMode == AnimatorUpdateMode.Fixed) != isFixed) continue;
                if (states) animators[i].EvaluateStates();
                if (pose) animators[i].EvaluatePose();
            }
        }

        // Start, Update, LateUpdate or FixedUpdate, in execution order.
        private static void Send(int what)
        {
            for (int i = 0; i < scripts.Count; i++)
            {
                MonoBehaviour script = scripts[i];
                Action<MonoBehaviour> message = what == 0 ? script.Messages.Start : what == 1 ? script.Messages.Update
                    : what == 2 ? script.Messages.LateUpdate : script.Messages.FixedUpdate;
                if (what == 0 && script.Started) continue;
                if (!script.isActiveAndEnabled || !(Application.isPlaying || script.Messages.RunsInEditMode)) continue;
                if (what == 0) script.Started = true;
                if (message != null) Guarded(message, script);
            }
        }

        /// Destroys everything that was ever made and is still there.
        public static void Clear()
        {
            Animation = null;
            Deferred = null;
            Simulation = null;
            Application.isPlaying = true;
            Time.timeScale = 1f;
            Physics.Clear();
            Doomed.Clear();
            while (animators.Count > 0) Object.DestroyImmediate(animators[0].transform.Root().gameObject);
            while (scripts.Count > 0) Object.DestroyImmediate(scripts[0].transform.Root().gameObject);
        }

        private static Transform Root(this Transform transform)
        {
            while (transform.parent != null) transform = transform.parent;
            return transform;
        }

        internal static T[] All<T>(bool isInactiveToo = false) where T : Object
        {
            List<T> found = new List<T>();
            foreach (MonoBehaviour script in scripts)
            {
                T one = script as T;
                if (!ReferenceEquals(one, null) && (isInactiveToo || script.gameObject.activeInHierarchy)) found.Add(one);
            }
            return found.ToArray();
        }

        internal static void Remember(MonoBehaviour script)
        {
            int at = scripts.Count;
            while (at > 0 && scripts[at - 1].Messages.Order > script.Messages.Order) at--;
            scripts.Insert(at, script);
        }

        internal static void Forget(MonoBehaviour script) { scripts.Remove(script); }
        internal static void Remember(Animator animator) { animators.Add(animator); }
        internal static void Forget(Animator animator) { animators.Remove(animator); }

        // A script that throws is logged and does not stop the loop, as in Unity.
        internal static void Guarded(Action<MonoBehaviour> message, MonoBehaviour script)
        {
            try
            {
                message(script);
            }
            catch (Exception e)
            {
                Debug.LogException(e, script);
            }
        }

        internal static void SendAnimatorIK(GameObject gameObject, int layer)
        {
            for (int i = 0; i < gameObject.Components.Count; i++)
            {
                MonoBehaviour script = gameObject.Components[i] as MonoBehaviour;
                if (ReferenceEquals(script, null) || !script.isActiveAndEnabled || script.Messages.OnAnimatorIK == null) continue;
                try
                {
                    script.Messages.OnAnimatorIK(script, layer);
                }
                catch (Exception e)
                {
                    Debug.LogException(e, script);
                }
            }
        }
    }
}
