using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// Sends OnAnimatorIK to the scripts of a GameObject, as Unity's Animator does. Reflection
    /// happens only when scripts were added or removed; sending allocates nothing.
    ///
    /// Unity finds the method by name, so code stripping keeps it; that is why finding it by name
    /// works here too.
    /// </summary>
    internal sealed class IKCallbacks
    {
        private struct Receiver
        {
            internal MonoBehaviour Script;
            internal Action<int> WithLayer;
            internal Action WithoutLayer;
            internal bool RunsInEditMode;
        }

        private readonly List<MonoBehaviour> scripts = new List<MonoBehaviour>();
        private readonly List<MonoBehaviour> known = new List<MonoBehaviour>();
        private Receiver[] receivers = new Receiver[0];

        /// <summary>Whether there is a script beside `owner` that has the callback.</summary>
        internal bool HasReceivers(MonoBehaviour owner)
        {
            owner.GetComponents(scripts);
            if (!IsKnown()) Find(owner);
            return receivers.Length > 0;
        }

        /// <summary>Sends the callback once to every enabled script beside `owner`, which itself
        /// gets none.</summary>
        internal void Send(MonoBehaviour owner, int layerIndex)
        {
            Receiver[] current = receivers;
            bool isPlaying = Application.isPlaying;
            for (int i = 0; i < current.Length; i++)
            {
                MonoBehaviour script = current[i].Script;
                if (script == null || !script.isActiveAndEnabled || !(isPlaying || current[i].RunsInEditMode)) continue;
                try
                {
                    if (current[i].WithLayer != null) current[i].WithLayer(layerIndex);
                    else current[i].WithoutLayer();
                }
                catch (Exception e)
                {
                    Debug.LogException(e, script);
                }
            }
        }

        private bool IsKnown()
        {
            if (scripts.Count != known.Count) return false;
            for (int i = 0; i < scripts.Count; i++)
                if (!ReferenceEquals(scripts[i], known[i])) return false;
            return true;
        }

        private void Find(MonoBehaviour owner)
        {
            known.Clear();
            known.AddRange(scripts);
            List<Receiver> found = new List<Receiver>();
            for (int i = 0; i < scripts.Count; i++)
            {
                MonoBehaviour script = scripts[i];
                if (script == null || ReferenceEquals(script, owner)) continue;
                Receiver receiver = new Receiver { Script = script, RunsInEditMode = RunsInEditMode(script) };
                MethodInfo withLayer = Method(script.GetType(), typeof(int));
                MethodInfo withoutLayer = withLayer == null ? Method(script.GetType()) : null;
                if (withLayer != null)
                    receiver.WithLayer = (Action<int>)Delegate.CreateDelegate(typeof(Action<int>), script, withLayer);
                else if (withoutLayer != null)
                    receiver.WithoutLayer = (Action)Delegate.CreateDelegate(typeof(Action), script, withoutLayer);
                else
                    continue;
                found.Add(receiver);
            }
            receivers = found.ToArray();
        }

        // In Edit mode, for previews: goals without code, and scripts that say so.
        private static bool RunsInEditMode(MonoBehaviour script)
        {
            Type type = script.GetType();
            return script is SinewGoals || Attribute.IsDefined(type, typeof(ExecuteAlways), true)
                || Attribute.IsDefined(type, typeof(ExecuteInEditMode), true);
        }

        // Private methods of base classes count too, as they do for Unity.
        private static MethodInfo Method(Type type, params Type[] parameters)
        {
            for (Type t = type; t != null && t != typeof(MonoBehaviour); t = t.BaseType)
            {
                MethodInfo method = t.GetMethod(
                    "OnAnimatorIK",
                    BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly,
                    null, parameters, null);
                if (method != null && method.ReturnType == typeof(void)) return method;
            }
            return null;
        }
    }
}
