// Scripts of users with both namespaces in scope, outside and inside their own, and one whose
// namespace ends in "Sinew": no name of the package is ambiguous and none hides another. That this
// file compiles is most of the test.
using NUnit.Framework;
using Sinew;
using Sinew.Interop;
using UnityEngine;

namespace UsersOfBoth
{
    /// <summary>Both usings at the top of the file.</summary>
    public sealed class TailAndLimits : MonoBehaviour
    {
        internal SinewJointLimits Limits;
        internal SinewConstraint Tail;
        internal SinewAnimator Animator;

        private void Start()
        {
            Animator = transform.parent.parent.GetComponent<SinewAnimator>();
            Tail = Animator.AddChain(transform, 2);
            Limits = GetComponent<SinewJointLimits>();
        }
    }
}

namespace UsersOfBoth.Inside
{
    using Sinew;
    using Sinew.Interop;

    /// <summary>Usings inside the namespace.</summary>
    public sealed class TailInNamespace : MonoBehaviour
    {
        internal SinewConstraint Tail;
        internal SinewAnimator Animator;

        private void Start()
        {
            Animator = transform.parent.parent.GetComponent<SinewAnimator>();
            Tail = Animator.AddChain(transform, 2);
        }
    }
}

namespace MyGame.Sinew
{
    /// <summary>A namespace of the user's that is called Sinew too.</summary>
    public sealed class Collides : MonoBehaviour
    {
        internal SinewAnimator Animator;
    }
}

namespace Sinew.Tests
{
    /// <summary>Names, and joints that come or move at run time.</summary>
    public sealed class NameTests
    {
        [Test]
        public void ScriptsWithBothNamespacesWork()
        {
            TestRig rig = new TestRig().Start();
            GameObject holder = new GameObject("Holder");
            holder.transform.SetParent(rig.Root.transform, false);
            GameObject link = new GameObject("Link");
            link.transform.SetParent(holder.transform, false);
            link.transform.localPosition = Vector3.up;
            rig.Animator.RebuildRig();
            link.AddComponent<SinewJointLimits>();
            UsersOfBoth.TailAndLimits outside = link.AddComponent<UsersOfBoth.TailAndLimits>();
            UsersOfBoth.Inside.TailInNamespace inside = link.AddComponent<UsersOfBoth.Inside.TailInNamespace>();
            MyGame.Sinew.Collides collides = link.AddComponent<MyGame.Sinew.Collides>();
            Player.Frame(0.02f);
            Assert.IsFalse(outside.Tail.IsNull || inside.Tail.IsNull);
            Assert.IsTrue(outside.Limits != null && ReferenceEquals(outside.Animator, inside.Animator) && collides.Animator == null);
        }

        [Test]
        public void AJointThatCameLaterIsRefusedInWordsUntilTheRigIsRebuilt()
        {
            TestRig rig = new TestRig().Start();
            Transform weapon = new GameObject("Weapon").transform;
            weapon.SetParent(rig["RightHand"], false);
            weapon.localPosition = new Vector3(0.1f, 0f, 0f);
            Player.Frame(0.02f);
            Assert.AreEqual(-1, rig.Animator.IndexOf(weapon));
            SinewChain chain = weapon.gameObject.AddComponent<SinewChain>();
            chain.jointCount = 4;
            chain.target = new GameObject("Target").transform;
            chain.target.position = new Vector3(0.5f, 1.2f, 0.3f);
            Player.Frame(0.02f);
            Player.Frame(0.02f);
            Assert.AreEqual(1, Debug.Lines.Count, "said once");
            Assert.IsTrue(Debug.Lines[0].Contains("'Weapon' is no joint below 'Character'"), Debug.Lines[0]);
            Debug.Lines.Clear();
            rig.Animator.RebuildRig();
            chain.Refresh();
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, weapon.position, 1e-3f, "after RebuildRig");
        }

        [Test]
        public void AJointThatGetsAnotherParentKeepsItsPlaceThere()
        {
            TestRig rig = new TestRig();
            Transform sword = new GameObject("Sword").transform;
            sword.SetParent(rig["Hips"], false);
            sword.localPosition = new Vector3(0.2f, 0f, 0f);
            rig.Start();
            Player.Animation = rig.PoseIdle;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.3f, 1.2f, 0.3f));
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            sword.SetParent(rig["RightHand"], false);
            sword.localPosition = new Vector3(0f, 0.1f, 0f);
            Player.Frame(0.02f);
            Player.Frame(0.02f);
            TestRig.AssertNear(new Vector3(0f, 0.1f, 0f), sword.localPosition, 0f, "the sword in the hand");
            TestRig.AssertNear(new Vector3(0.3f, 1.2f, 0.3f), rig["RightHand"].position, 1e-3f, "the hand at its goal");
        }
    }
}
