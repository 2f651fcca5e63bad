using System.Collections;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.TestTools;

namespace Sinew.Tests
{
    /// <summary>The SinewAnimator on a figure of GameObjects, in Play mode.</summary>
    public sealed class SinewAnimatorTests
    {
        private GameObject figure;
        private SinewAnimator animator;

        /// <summary>Builds the figure.</summary>
        [SetUp]
        public void Build()
        {
            figure = StickFigure.Build();
            animator = figure.AddComponent<SinewAnimator>();
        }

        /// <summary>Removes it.</summary>
        [TearDown]
        public void Remove()
        {
            Object.Destroy(figure);
        }

        /// <summary>Bones are known by their names.</summary>
        [Test]
        public void NamesMakeAHumanoid()
        {
            Assert.IsTrue(animator.isHuman, animator.rigDescription);
            Assert.AreEqual("RightHand", animator.GetBoneTransform(HumanBodyBones.RightHand).name);
        }

        /// <summary>A hand with weight 1 is at its goal after a frame.</summary>
        [UnityTest]
        public IEnumerator TheHandReachesItsGoal()
        {
            Vector3 goal = new Vector3(0.35f, 1.3f, 0.3f);
            animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            yield return null;
            yield return null;
            Vector3 hand = animator.GetBoneTransform(HumanBodyBones.RightHand).position;
            Assert.Less((goal - hand).magnitude, 0.001f);
            Assert.IsTrue(animator.GetIKOutcome(AvatarIKGoal.RightHand).IsReached);
        }

        /// <summary>With all weights 0 nothing is written.</summary>
        [UnityTest]
        public IEnumerator WeightZeroChangesNothing()
        {
            Transform arm = animator.GetBoneTransform(HumanBodyBones.RightUpperArm);
            Quaternion turned = Quaternion.Euler(3f, 5f, -60f);
            arm.localRotation = turned;
            turned = arm.localRotation;
            animator.SetIKPosition(AvatarIKGoal.RightHand, Vector3.zero);
            yield return null;
            yield return null;
            Assert.IsTrue(turned.Equals(arm.localRotation), "the arm was written");
        }

        /// <summary>OnAnimatorIK is sent once per frame without an Animator.</summary>
        [UnityTest]
        public IEnumerator TheCallbackComesOncePerFrame()
        {
            yield return null;
            CallbackCounter counter = figure.AddComponent<CallbackCounter>();
            yield return null;
            int first = counter.Count;
            yield return null;
            Assert.AreEqual(first + 1, counter.Count);
        }
    }
}
