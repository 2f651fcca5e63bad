#if UNITY_EDITOR
using System.Collections;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.TestTools;

namespace Sinew.Tests.Parity
{
    /// <summary>That Unity calls a state behaviour with the Animator where the class has each message
    /// twice, for the Animator and for the SinewAnimator.</summary>
    public sealed class StateBehaviourTests
    {
        /// <summary>All messages bring the SinewAnimator.</summary>
        [UnityTest]
        public IEnumerator MessagesOfAStateBringTheSinewAnimator()
        {
            GameObject root = ParityFigure.Build("Figure", Vector3.zero, new FigureSettings { HasStateProbe = true });
            SinewAnimator sinew = root.AddComponent<SinewAnimator>();
            root.SetActive(true);
            for (int i = 0; i < 4; i++) yield return null;
            StateProbe probe = root.GetComponent<Animator>().GetBehaviour<StateProbe>();
            foreach (string message in new[] { "OnStateEnter", "OnStateUpdate", "OnStateIK", "OnStateUpdate with the playable" })
                Assert.IsTrue(ReferenceEquals(sinew, probe.Brought(message)), message);
            Object.Destroy(root);
            yield return null;
        }
    }
}
#endif
