// Test-only stand-in for Unity's object model: destroyed objects compare equal to null, components
// live on GameObjects, MonoBehaviours get their messages by name.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public sealed class MissingReferenceException : SystemException
    {
        public MissingReferenceException(string message) : base(message) { }
    }

    public class Object
    {
        internal bool destroyed;
        private static int lastId;
        internal readonly int Id = ++lastId;

        public string name { get; set; }

        [Obsolete("Unity 6000.5 has removed it", true)]
        public int GetInstanceID() { return Id; }

        public static bool operator ==(Object a, Object b) { return Same(a, b); }
        public static bool operator !=(Object a, Object b) { return !Same(a, b); }
        public static implicit operator bool(Object o) { return !Same(o, null); }

        private static bool Same(Object a, Object b)
        {
            bool aGone = ReferenceEquals(a, null) || a.destroyed;
            bool bGone = ReferenceEquals(b, null) || b.destroyed;
            return aGone || bGone ? aGone && bGone : ReferenceEquals(a, b);
        }

        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return Id; }

        /// A copy of an object with everything below it, as Unity serializes it.
        public static T Instantiate<T>(T original) where T : Object { return Instantiate(original, new Dictionary<object, object>()); }

        /// The same; `copies` gets the copy of each object.
        internal static T Instantiate<T>(T original, Dictionary<object, object> copies) where T : Object
        {
            Component part = original as Component;
            GameObject source = part != null ? part.gameObject : original as GameObject;
            GameObject copy = source.Copy(null, copies);
            foreach (KeyValuePair<object, object> pair in copies)
            {
                if (pair.Key is Animator) ((Animator)pair.Key).CopyTo((Animator)pair.Value);
                if (pair.Key is SkinnedMeshRenderer) ((SkinnedMeshRenderer)pair.Key).CopyTo((SkinnedMeshRenderer)pair.Value, copies);
                if (pair.Key is MonoBehaviour) Serialization.Copy(pair.Key, pair.Value, copies);
                if (pair.Key is Behaviour) ((Behaviour)pair.Value).enabled = ((Behaviour)pair.Key).enabled;
            }
            copy.SetActive(source.activeSelf);
            return (T)copies[original];
        }

        /// All objects of a type that scenes hold. Compiled for an editor, only what it has.
#if UNITY_6000_4_OR_NEWER
        public static T[] FindObjectsByType<T>() where T : Object { return Player.All<T>(); }
#else
        public static T[] FindObjectsOfType<T>() where T : Object { return Player.All<T>(); }
        public static T[] FindObjectsByType<T>(FindObjectsSortMode sortMode) where T : Object { return Player.All<T>(); }
#endif

        /// At the end of the running frame, as Unity.
        public static void Destroy(Object o) { Player.Doomed.Add(o); }

        public static void DestroyImmediate(Object o)
        {
            if (o == null) return;
            GameObject gameObject = o as GameObject;
            if (!ReferenceEquals(gameObject, null)) gameObject.Demolish();
            else ((Component)o).Demolish();
        }

        internal void RequireAlive()
        {
            if (Calls.IsInJob && !ReferenceEquals(Calls.Allowed, this))
                throw new InvalidOperationException("'" + name + "' can only be used on the main thread");
            if (destroyed) throw new MissingReferenceException("the object '" + name + "' has been destroyed");
        }
    }

#if !UNITY_6000_4_OR_NEWER
    public enum FindObjectsSortMode { None = 0, InstanceID = 1 }
#endif

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }

        public Transform transform
        {
            get
            {
                RequireAlive();
                return gameObject.transform;
            }
        }

        public T GetComponent<T>() { return gameObject.GetComponent<T>(); }
        public Component GetComponent(Type type) { return gameObject.GetComponent(type); }
        public void GetComponents<T>(List<T> results) { gameObject.GetComponents(results); }
        public bool TryGetComponent<T>(out T component) { return gameObject.TryGetComponent(out component); }
        public T GetComponentInParent<T>() where T : class { return gameObject.GetComponentInParent<T>(); }
        public T GetComponentInChildren<T>() where T : class { return gameObject.GetComponentInChildren<T>(); }
        public T[] GetComponentsInChildren<T>(bool includeInactive = false) { return gameObject.GetComponentsInChildren<T>(includeInactive); }
        public void GetComponentsInChildren<T>(bool includeInactive, List<T> result) { gameObject.GetComponentsInChildren(includeInactive, result); }

        internal virtual void Demolish()
        {
            gameObject.Components.Remove(this);
            destroyed = true;
        }
    }

    public class Behaviour : Component
    {
        private bool wanted = true;
        internal bool Awoken;
        internal bool Running;

        public bool enabled
        {
            get { return wanted; }
            set
            {
                wanted = value;
                RefreshState();
            }
        }

        /// As Unity's: not before the component's own OnEnable is due, so false in the Awake of
        /// scripts that wake up before it.
        public bool isActiveAndEnabled { get { return Running; } }

        // Brings Awake / OnEnable / OnDisable in line with what is wanted.
        internal void RefreshState()
        {
            if (destroyed) return;
            if (!Awoken && gameObject.activeInHierarchy)
            {
                Awoken = true;
                Received("Awake");
            }
            bool run = wanted && gameObject.activeInHierarchy;
            if (run == Running) return;
            Running = run;
            Received(run ? "OnEnable" : "OnDisable");
        }

        internal override void Demolish()
        {
            if (destroyed) return;
            if (Running)
            {
                Running = false;
                Received("OnDisable");
            }
            if (Awoken) Received("OnDestroy");
            base.Demolish();
        }

        internal virtual void Received(string message) { }
    }

    public partial class MonoBehaviour : Behaviour
    {
        internal Messages Messages;
        internal bool Started;

        internal override void Received(string message)
        {
            if (Application.isPlaying || Messages.RunsInEditMode || message == "Reset" || message == "OnValidate")
                Messages.Send(message, this);
        }

        internal override void Demolish()
        {
            base.Demolish();
            Player.Forget(this);
        }
    }

    public class Collider : Component
    {
        public bool isTrigger { get; set; }
        public Rigidbody attachedRigidbody { get { return gameObject.GetComponentInParent<Rigidbody>(); } }
    }

    public sealed class Camera : Behaviour
    {
        /// Test switch: the camera tagged MainCamera.
        public static Camera main { get; set; }
    }

    public class Renderer : Component
    {
        /// Test switch: whether a camera sees it.
        public bool isVisible { get; set; }
        public Material sharedMaterial { get; set; }
    }

    /// What a mesh keeps of its skeleton, whether it is readable or not.
    public sealed class Mesh : Object
    {
        private Matrix4x4[] poses = new Matrix4x4[0];

        /// A copy, as Unity's.
        public Matrix4x4[] bindposes { get { return (Matrix4x4[])poses.Clone(); } set { poses = (Matrix4x4[])value.Clone(); } }
        public bool isReadable { get { return false; } }
    }

    public sealed class SkinnedMeshRenderer : Renderer
    {
        private Transform[] joints = new Transform[0];
        public Transform[] bones { get { return (Transform[])joints.Clone(); } set { joints = value; } }
        public Transform rootBone { get; set; }
        public Mesh sharedMesh { get; set; }

        internal void CopyTo(SkinnedMeshRenderer clone, Dictionary<object, object> copies)
        {
            clone.sharedMesh = sharedMesh;
            clone.joints = (Transform[])joints.Clone();
            for (int i = 0; i < joints.Length; i++)
            {
                object copy;
                if (joints[i] != null && copies.TryGetValue(joints[i], out copy)) clone.joints[i] = (Transform)copy;
            }
        }
    }

    public class Material : Object { }

    public sealed class Rigidbody : Component
    {
        public Vector3 velocity { get; set; }
        public bool isKinematic { get; set; }
        public RigidbodyInterpolation interpolation { get; set; }

        /// Where physics has it: as the Transform, unless a test has set it.
        public Vector3 position { get { return own.HasValue ? own.Value : transform.position; } set { own = value; } }
        public Quaternion rotation { get { return turn.HasValue ? turn.Value : transform.rotation; } set { turn = value; } }

        private Vector3? own;
        private Quaternion? turn;
    }

    public enum RigidbodyInterpolation { None = 0, Interpolate = 1, Extrapolate = 2 }

    public enum PrimitiveType
    {
        Sphere = 0,
        Capsule = 1,
        Cylinder = 2,
        Cube = 3,
        Plane = 4,
        Quad = 5,
    }

    public sealed class GameObject : Object
    {
        internal readonly List<Component> Components = new List<Component>();
        private bool selfActive = true;
        private bool isLeaving;

        public GameObject() : this("New Game Object") { }

        public GameObject(string name)
        {
            this.name = name;
            Home = SceneManagement.SceneManager.Active;
            transform = new Transform { gameObject = this, name = name };
            Components.Add(transform);
        }

        /// The scene of an object at the top.
        internal SceneManagement.Scene Home;

        public Transform transform { get; private set; }
        public SceneManagement.Scene scene { get { return transform.root.gameObject.Home; } }
        public bool isStatic { get; set; }
        public bool activeSelf { get { return selfActive; } }

        public bool activeInHierarchy
        {
            get { return selfActive && !isLeaving && (transform.parent == null || transform.parent.gameObject.activeInHierarchy); }
        }

        public void SetActive(bool active)
        {
            selfActive = active;
            RefreshTree();
        }

        /// Without mesh: just the object and its collider.
        public static GameObject CreatePrimitive(PrimitiveType type)
        {
            GameObject made = new GameObject(type.ToString());
            made.AddComponent<Collider>();
            made.AddComponent<Renderer>();
            return made;
        }

        public T AddComponent<T>() where T : Component, new()
        {
            T component = new T();
            component.gameObject = this;
            component.name = name;
            Components.Add(component);
            MonoBehaviour script = component as MonoBehaviour;
            if (!ReferenceEquals(script, null))
            {
                script.Messages = Messages.Of(script.GetType());
                Player.Remember(script);
            }
            Behaviour behaviour = component as Behaviour;
            if (!ReferenceEquals(behaviour, null)) behaviour.RefreshState();
            // The Editor fills in a component that somebody adds, and validates what is edited.
            if (!Application.isPlaying && !ReferenceEquals(script, null))
            {
                script.Received("Reset");
                script.Received("OnValidate");
            }
            return component;
        }

        public T GetComponent<T>()
        {
            RequireAlive();
            Calls.Engine++;
            for (int i = 0; i < Components.Count; i++)
            {
                object component = Components[i];
                if (component is T) return (T)component;
            }
            return default(T);
        }

        public Component GetComponent(Type type)
        {
            RequireAlive();
            Calls.Engine++;
            return Components.Find(type.IsInstanceOfType);
        }

        public void GetComponents<T>(List<T> results)
        {
            RequireAlive();
            Calls.Engine++;
            results.Clear();
            for (int i = 0; i < Components.Count; i++)
            {
                object component = Components[i];
                if (component is T) results.Add((T)component);
            }
        }

        public bool TryGetComponent<T>(out T component)
        {
            RequireAlive();
            Calls.Engine++;
            for (int i = 0; i < Components.Count; i++)
            {
                object candidate = Components[i];
                if (!(candidate is T)) continue;
                component = (T)candidate;
                return true;
            }
            component = default(T);
            return false;
        }

        public T GetComponentInParent<T>() where T : class
        {
            for (Transform t = transform; t != null; t = t.parent)
            {
                T found = t.gameObject.GetComponent<T>();
                if (found != null) return found;
            }
            return null;
        }

        public T GetComponentInChildren<T>() where T : class
        {
            T[] all = GetComponentsInChildren<T>(false);
            return all.Length > 0 ? all[0] : null;
        }

        public T[] GetComponentsInChildren<T>(bool includeInactive = false)
        {
            List<T> found = new List<T>();
            Below(found, includeInactive);
            return found.ToArray();
        }

        public void GetComponentsInChildren<T>(bool includeInactive, List<T> results)
        {
            RequireAlive();
            Calls.Engine++;
            Calls.Searches++;
            results.Clear();
            Below(results, includeInactive);
        }

        internal void Below<T>(List<T> found, bool includeInactive)
        {
            if (!includeInactive && !activeInHierarchy) return;
            for (int i = 0; i < Components.Count; i++)
            {
                object component = Components[i];
                if (component is T) found.Add((T)component);
            }
            for (int i = 0; i < transform.childCount; i++) transform.GetChild(i).gameObject.Below(found, includeInactive);
        }

        internal GameObject Copy(Transform parent, Dictionary<object, object> copies)
        {
            GameObject copy = new GameObject(name);
            copy.SetActive(false);
            copy.transform.SetParent(parent, false);
            copy.transform.RawPosition = transform.RawPosition;
            copy.transform.RawRotation = transform.RawRotation;
            copy.transform.RawScale = transform.RawScale;
            copies[this] = copy;
            copies[transform] = copy.transform;
            for (int i = 1; i < Components.Count; i++)
            {
                System.Reflection.MethodInfo add = typeof(GameObject).GetMethod("AddComponent").MakeGenericMethod(Components[i].GetType());
                copies[Components[i]] = add.Invoke(copy, null);
            }
            for (int i = 0; i < transform.childCount; i++)
            {
                GameObject child = transform.GetChild(i).gameObject;
                child.Copy(copy.transform, copies).SetActive(child.activeSelf);
            }
            return copy;
        }

        internal void RefreshTree()
        {
            for (int i = 0; i < Components.Count; i++)
            {
                Behaviour behaviour = Components[i] as Behaviour;
                if (!ReferenceEquals(behaviour, null)) behaviour.RefreshState();
            }
            for (int i = 0; i < transform.childCount; i++) transform.GetChild(i).gameObject.RefreshTree();
        }

        /// To all scripts here and below, as Unity.
        internal void SendParentChanged()
        {
            for (int i = 0; i < Components.Count; i++)
            {
                MonoBehaviour script = Components[i] as MonoBehaviour;
                if (!ReferenceEquals(script, null) && script.Awoken) script.Received("OnTransformParentChanged");
            }
            for (int i = 0; i < transform.childCount; i++) transform.GetChild(i).gameObject.SendParentChanged();
        }

        // In Unity's order: everything is disabled first, then destroyed.
        internal void Demolish()
        {
            if (destroyed) return;
            isLeaving = true;
            RefreshTree();
            Tear();
        }

        private void Tear()
        {
            while (transform.childCount > 0) transform.GetChild(transform.childCount - 1).gameObject.Tear();
            for (int i = Components.Count - 1; i > 0; i--) Components[i].Demolish();
            Components.Clear();
            transform.SetParent(null, false);
            transform.destroyed = true;
            destroyed = true;
        }
    }
}

namespace UnityEngine.Rendering
{
    public class RenderPipelineAsset : Object
    {
        public virtual Material defaultMaterial { get; set; }
    }

    public class GraphicsSettings : Object
    {
        /// Null: the built-in one. Tests choose.
        public static RenderPipelineAsset currentRenderPipeline { get; set; }
    }
}

namespace UnityEngine.SceneManagement
{
    public struct Scene
    {
        internal int Handle;

        public bool IsValid() { return Handle != 0; }
        public static bool operator ==(Scene a, Scene b) { return a.Handle == b.Handle; }
        public static bool operator !=(Scene a, Scene b) { return a.Handle != b.Handle; }
        public override bool Equals(object other) { return other is Scene && ((Scene)other).Handle == Handle; }
        public override int GetHashCode() { return Handle; }
    }

    public class SceneManager
    {
        private static int count;
        private static readonly HashSet<int> own = new HashSet<int>();

        /// Test switch: the scene that new objects come into.
        public static Scene Active;

        /// Test hook: another scene.
        public static Scene Make() { return new Scene { Handle = ++count }; }

        /// The same with physics of its own (LocalPhysicsMode.Physics3D).
        public static Scene MakeWithPhysics()
        {
            own.Add(count + 1);
            return Make();
        }

        internal static bool HasOwnPhysics(Scene scene) { return own.Contains(scene.Handle); }

        public static void MoveGameObjectToScene(GameObject go, Scene scene)
        {
            if (!scene.IsValid()) throw new System.ArgumentException("the scene is not valid");
            if (go.transform.parent != null) throw new System.ArgumentException("'" + go.name + "' is not at the top of its scene");
            go.Home = scene;
        }
    }
}
