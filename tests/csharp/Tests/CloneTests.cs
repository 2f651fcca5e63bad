using System;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Clones of characters that run, made in the pose of the moment.</summary>
    public sealed class CloneTests
    {
        // A character in an IK pose with a turned hand, and a clone of it that gets the same pose.
        private static SinewAnimator CloneInPose(TestRig rig, Action between)
        {
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            SinewJointLimits limits = rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.lockX = limits.lockY = limits.lockZ = true;
            Transform target = new GameObject("Target").transform;
            target.position = new Vector3(-0.3f, 1.3f, 0.3f);
            body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], target = target });
            rig.Start();
            Action animation = delegate
            {
                foreach (Transform joint in rig.Joints) joint.localRotation = Quaternion.identity;
                rig.PoseIdle();
            };
            Player.Animation = animation;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.3f, 1.5f, 0.35f));
            rig.Animator.SetIKRotation(AvatarIKGoal.RightHand, Quaternion.Euler(0f, 0f, 90f));
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            rig.Animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            between();
            GameObject copy = UnityEngine.Object.Instantiate(rig.Root);
            Transform[] from = rig.Root.GetComponentsInChildren<Transform>(), to = copy.GetComponentsInChildren<Transform>();
            Player.Animation = delegate
            {
                animation();
                for (int i = 1; i < from.Length; i++)
                {
                    to[i].localPosition = from[i].localPosition;
                    to[i].localRotation = from[i].localRotation;
                }
            };
            return copy.GetComponent<SinewAnimator>();
        }

        [Test]
        public void ACloneOfARunningCharacterIsMeasuredAsItIs()
        {
            TestRig rig = new TestRig();
            SinewAnimator clone = CloneInPose(rig, delegate { });
            foreach (SinewAnimator each in new[] { rig.Animator, clone })
            {
                each.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.35f, 1.3f, 0.3f));
                each.SetIKRotation(AvatarIKGoal.RightHand, Quaternion.identity);
                each.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                each.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
            }
            Player.Frame(0.02f);
            Assert.AreEqual(rig.Animator.humanScale, clone.humanScale, "human scale");
            Assert.AreEqual(rig.Animator.leftFeetBottomHeight, clone.leftFeetBottomHeight, "height of the sole");
            TestRig.AssertNear(rig["RightHand"].rotation, clone.GetBoneTransform(HumanBodyBones.RightHand).rotation, 0.01f, "the hand");
            // Its own lists and joints, and limits that count from the first pose.
            SinewBody body = rig.Root.GetComponent<SinewBody>(), copy = clone.GetComponent<SinewBody>();
            Assert.IsTrue(copy.effectors[0].joint == clone.GetBoneTransform(HumanBodyBones.LeftHand), "the joint of its effector");
            Assert.IsTrue(!ReferenceEquals(copy.effectors[0], body.effectors[0]), "an effector of its own");
            Quaternion elbow = clone.GetBoneTransform(HumanBodyBones.LeftLowerArm).localRotation;
            TestRig.AssertNear(Quaternion.identity, elbow, 0.1f, "an elbow that is locked where it was first seen");
            copy.effectors.Clear();
            Assert.AreEqual(1, body.effectors.Count, "the list of the other one");
        }

        [Test]
        public void ARestPoseThatWasSavedWithAPrefabIsForgottenOutsideOfPlayMode()
        {
            TestRig rig = new TestRig();
            SinewAnimator clone = CloneInPose(rig, delegate
            {
                // What the Editor does with a prefab that was saved from a running character.
                Application.isPlaying = false;
                rig.Animator.Received("OnValidate");
                rig.Root.GetComponent<SinewBody>().Received("OnValidate");
                Application.isPlaying = true;
            });
            Player.Frame(0.02f);
            Assert.IsTrue(Math.Abs(rig.Animator.humanScale - clone.humanScale) > 1e-3f, "the pose of the prefab counts");
        }

        // As a scene of another version may have it.
        [Test]
        public void ARestPoseThatLacksAPartIsTakenAnew()
        {
            System.Reflection.BindingFlags own = System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic;
            foreach (string part in new[] { "positions", "rotations", "scales" })
            {
                TestRig rig = new TestRig().Start();
                object rest = typeof(SinewAnimator).GetField("restPose", own).GetValue(rig.Animator);
                System.Reflection.FieldInfo field = rest.GetType().GetField(part, own);
                field.SetValue(rest, Array.CreateInstance(field.FieldType.GetElementType(), 0));
                rig.Animator.RebuildRig();
                Assert.IsTrue(rig.Animator.isHuman, part + ": " + rig.Animator.rigDescription);
                Vector3 goal = new Vector3(0.35f, 1.3f, 0.3f);
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand, without " + part);
            }
        }
    }
}
