using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Characters whose right hand reaches for a place, and silent consoles.</summary>
    internal static class Reaching
    {
        /// <summary>The place, in the space of the character.</summary>
        internal static readonly Vector3 Goal = new Vector3(0.3f, 1.2f, 0.3f);

        internal static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        internal static void Reach(SinewAnimator animator)
        {
            if (animator == null) return;
            animator.SetIKPosition(AvatarIKGoal.RightHand, animator.transform.TransformPoint(Goal));
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }

        internal static void AssertReaches(TestRig rig, string why)
        {
            TestRig.AssertNear(rig.Root.transform.TransformPoint(Goal), rig["RightHand"].position, 2e-3f, why);
        }

        internal static void AssertSilent(string why)
        {
            Assert.AreEqual(0, Debug.Lines.Count, why + ": " + string.Join(" | ", Debug.Lines.ToArray()));
        }
    }
}
