using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Animations;
using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateBehaviour;

namespace Sinew.Tests.Parity
{
    /// <summary>A state behaviour as a ported one is: it notes what its messages bring.</summary>
    public sealed class StateProbe : StateMachineBehaviour
    {
        private readonly Dictionary<string, Object> brought = new Dictionary<string, Object>();

        /// <summary>What a message has brought; null before it came.</summary>
        public Object Brought(string message)
        {
            Object found;
            return brought.TryGetValue(message, out found) ? found : null;
        }

        /// <summary>Notes it.</summary>
        public override void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            brought["OnStateEnter"] = animator;
        }

        /// <summary>Notes it.</summary>
        public override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            brought["OnStateUpdate"] = animator;
        }

        /// <summary>Notes it.</summary>
        public override void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            brought["OnStateIK"] = animator;
        }

        /// <summary>Notes it.</summary>
        public override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
        {
            brought["OnStateUpdate with the playable"] = animator;
        }
    }
}
