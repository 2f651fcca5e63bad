// Test-only stand-in for controllers made by the Editor: layers with IK Pass and one state each.
// What is set here is what the stand-in Animator obeys.
using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor.Animations
{
    public sealed class AnimatorState : Object
    {
        public Motion motion { get; set; }
        public bool iKOnFeet { get; set; }
        internal readonly List<StateMachineBehaviour> Behaviours = new List<StateMachineBehaviour>();

        public T AddStateMachineBehaviour<T>() where T : StateMachineBehaviour
        {
            T made = (T)System.Activator.CreateInstance(typeof(T));
            Behaviours.Add(made);
            return made;
        }
    }

    public sealed class AnimatorStateMachine : Object
    {
        internal readonly List<AnimatorState> States = new List<AnimatorState>();

        public AnimatorState AddState(string name)
        {
            AnimatorState made = new AnimatorState { name = name };
            States.Add(made);
            return made;
        }
    }

    public class AnimatorControllerLayer
    {
        public string name { get; set; }
        public bool iKPass { get; set; }
        public float defaultWeight { get; set; }
        public AnimatorStateMachine stateMachine { get; set; }
    }

    public sealed class AnimatorController : RuntimeAnimatorController
    {
        private AnimatorControllerLayer[] all = new AnimatorControllerLayer[0];

        /// A copy; what is changed in it counts when it is set.
        public AnimatorControllerLayer[] layers
        {
            get
            {
                return System.Array.ConvertAll(all, delegate (AnimatorControllerLayer layer)
                {
                    return new AnimatorControllerLayer
                    {
                        name = layer.name, iKPass = layer.iKPass, defaultWeight = layer.defaultWeight, stateMachine = layer.stateMachine,
                    };
                });
            }
            set
            {
                all = value;
                IKPassLayers.Clear();
                Behaviours.Clear();
                for (int i = 0; i < value.Length; i++)
                {
                    if (value[i].iKPass) IKPassLayers.Add(i);
                    foreach (AnimatorState state in value[i].stateMachine.States) Behaviours.AddRange(state.Behaviours);
                }
            }
        }

        public void AddLayer(string name)
        {
            List<AnimatorControllerLayer> more = new List<AnimatorControllerLayer>(all);
            more.Add(new AnimatorControllerLayer { name = name, stateMachine = new AnimatorStateMachine() });
            all = more.ToArray();
        }
    }
}
