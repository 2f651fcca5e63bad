using System;
using NUnit.Framework;
using Ports.Examples;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>
    /// The example of each IK member of the Animator (tests/csharp/ports/MemberExamples.cs), ported
    /// by one line, with IK Pass off and on, judged by where the body is.
    /// </summary>
    public sealed class MemberExampleTests
    {
        private TestRig rig;
        private Animator unity;

        private void Each(Action test)
        {
            foreach (bool ikPass in new[] { false, true })
            {
                rig = new TestRig();
                unity = rig.AddUnityAnimator(ikPass);
                rig.Start();
                unity.runtimeAnimatorController = new RuntimeAnimatorController();
                unity.write = rig.PoseIdle;
                test();
                Player.Clear();
            }
        }

        private static Transform At(float x, float y, float z)
        {
            Transform made = new GameObject("Point").transform;
            made.position = new Vector3(x, y, z);
            return made;
        }

        private static void Frames(int count)
        {
            for (int i = 0; i < count; i++) Player.Frame(0.02f);
        }

        // From the shoulder to the elbow, across the line to the hand: the side the elbow is on.
        private Vector3 ElbowSide()
        {
            Vector3 shoulder = rig["RightUpperArm"].position, line = (rig["RightHand"].position - shoulder).normalized;
            Vector3 elbow = rig["RightLowerArm"].position - shoulder;
            return elbow - line * Vector3.Dot(elbow, line);
        }

        [Test]
        public void SetIKPositionAndItsWeight()
        {
            Each(delegate
            {
                ReachCurve script = rig.Root.AddComponent<ReachCurve>();
                script.thing = At(0.3f, 1.2f, 0.3f);
                Frames(2);
                Vector3 idle = rig["RightHand"].position;
                unity.SetFloat("RightHandReach", 1f);
                Frames(2);
                TestRig.AssertNear(script.thing.position, rig["RightHand"].position, 1e-3f, "whole");
                unity.SetFloat("RightHandReach", 0.5f);
                Frames(2);
                TestRig.AssertNear((idle + script.thing.position) * 0.5f, rig["RightHand"].position, 1e-3f, "half");
            });
        }

        [Test]
        public void SetIKRotationAndItsWeight()
        {
            Each(delegate
            {
                PalmOnHandle script = rig.Root.AddComponent<PalmOnHandle>();
                script.handle = At(-0.3f, 1.2f, 0.3f);
                script.handle.rotation = Quaternion.Euler(10f, 40f, -30f);
                Frames(2);
                TestRig.AssertNear(script.handle.position, rig["LeftHand"].position, 1e-3f, "place");
                // The goal's frame: Z along the fingers.
                Vector3 fingers = rig["LeftMiddleProximal"].position - rig["LeftHand"].position;
                Assert.Less(Vector3.Angle(script.handle.forward, fingers), 0.5, "fingers along the handle");
                script.turn = 0f;
                Frames(2);
                fingers = rig["LeftMiddleProximal"].position - rig["LeftHand"].position;
                Assert.Greater(Vector3.Angle(script.handle.forward, fingers), 10.0, "weight 0");
            });
        }

        [Test]
        public void SetIKHintPositionAndItsWeight()
        {
            Each(delegate
            {
                ElbowHint script = rig.Root.AddComponent<ElbowHint>();
                script.grip = At(0.2f, 1.3f, 0.35f);
                script.elbow = At(1f, 1.3f, 0.1f);
                Frames(2);
                Assert.Greater(ElbowSide().normalized.x, 0.8, "outside");
                script.elbow.position = new Vector3(0.2f, 0.4f, 0.1f);
                Frames(2);
                Assert.Less(ElbowSide().normalized.y, -0.8, "below");
                TestRig.AssertNear(script.grip.position, rig["RightHand"].position, 1e-3f, "the hand stays");
            });
        }

        [Test]
        public void GettersTellTheAnimationAndWhatWasSet()
        {
            Each(delegate
            {
                ReadBack script = rig.Root.AddComponent<ReadBack>();
                Frames(2);
                TestRig.AssertNear(rig["LeftFoot"].position, script.foot, 1e-3f, "foot");
                TestRig.AssertNear(rig["LeftLowerLeg"].position, script.knee, 1e-3f, "knee");
                Assert.Less(Vector3.Angle(script.turn * Vector3.forward, Vector3.forward), 15.0, "toes forward");
                Assert.AreEqual(new Vector3(0.25f, 0.5f, 0.75f), script.weights);
            });
        }

        [Test]
        public void SetLookAtPositionAndWeight()
        {
            Each(delegate
            {
                Look script = rig.Root.AddComponent<Look>();
                script.sight = At(1f, 1.6f, 1.5f);
                Frames(3);
                Vector3 way = script.sight.position - rig["Head"].position;
                Assert.Less(Vector3.Angle(rig["Head"].forward, way), 6.0, "head");
                Assert.Less(Vector3.Angle(rig["Chest"].forward, Vector3.forward), 0.1, "chest with share 0");
                script.bodyShare = 0.5f;
                Frames(3);
                Assert.Greater(Vector3.Angle(rig["UpperChest"].forward, Vector3.forward), 5.0, "chest with share 0.5");
                way = script.sight.position - rig["Head"].position;
                Assert.Less(Vector3.Angle(rig["Head"].forward, way), 6.0, "head and chest");
            });
        }

        [Test]
        public void BodyPositionAndBodyRotation()
        {
            Each(delegate
            {
                Crouch script = rig.Root.AddComponent<Crouch>();
                Frames(2);
                Vector3 hips = rig["Hips"].position, left = rig["LeftFoot"].position;
                script.depth = 0.2f;
                Frames(2);
                Assert.AreEqual(hips.y - 0.2, rig["Hips"].position.y, 0.03, "lower");
                TestRig.AssertNear(left, rig["LeftFoot"].position, 1e-3f, "foot");
                script.lean = 20f;
                Frames(2);
                Assert.AreEqual(20.0, Vector3.Angle(rig["Hips"].forward, Vector3.forward), 0.5, "lean");
                TestRig.AssertNear(left, rig["LeftFoot"].position, 1e-3f, "foot again");
            });
        }

        [Test]
        public void FeetBottomHeights()
        {
            Each(delegate
            {
                unity.write = delegate { };
                SolePoints script = rig.Root.AddComponent<SolePoints>();
                Frames(2);
                // The figure stands on its soles, flat but for the thickness of its toes.
                Assert.AreEqual(0.0, script.left.y, 0.01, "left sole on the ground");
                Assert.AreEqual(0.0, script.right.y, 0.01, "right sole on the ground");
                float height = Vector3.Distance(script.left, rig["LeftFoot"].position);
                Assert.AreEqual(rig.Animator.leftFeetBottomHeight, height, 1e-4, "as far below the ankle as it says");
            });
        }

        [Test]
        public void SetBoneLocalRotation()
        {
            Each(delegate
            {
                Nod script = rig.Root.AddComponent<Nod>();
                Frames(2);
                TestRig.AssertNear(Quaternion.Euler(20f, 0f, 0f), rig["Head"].localRotation, 0.05f, "head");
                script.enabled = false;
                Frames(2);
                TestRig.AssertNear(Quaternion.identity, rig["Head"].localRotation, 0.05f, "it counts for one pass");
            });
        }

        [Test]
        public void GetBoneTransformIsHumanHumanScale()
        {
            Each(delegate
            {
                Hat script = rig.Root.AddComponent<Hat>();
                script.hat = At(0f, 0f, 0f);
                Frames(2);
                Assert.IsTrue(script.hat.parent == rig["Head"], "on the head");
                Assert.AreEqual(1.0, script.scale, 0.1, "a grown person");
            });
        }

        [Test]
        public void MatchTargetAndInterrupt()
        {
            foreach (bool falls in new[] { false, true })
            {
                bool interrupted = falls;
                Each(delegate
                {
                    unity.stateName = "Jump";
                    JumpToMark script = rig.Root.AddComponent<JumpToMark>();
                    script.mark = At(0.2f, 0.5f, 1.5f);
                    Vector3 before = rig["LeftFoot"].position;
                    for (int i = 0; i <= 40; i++)
                    {
                        unity.stateTime = i / 50f;
                        if (interrupted && i == 20)
                        {
                            script.enabled = false;
                            rig.Root.AddComponent<FallEndsMatch>().falls = true;
                        }
                        Frames(1);
                    }
                    float left = Vector3.Distance(script.mark.position, rig["LeftFoot"].position);
                    if (!interrupted) Assert.Less(left, 2e-3, "the foot meets the mark");
                    else Assert.Greater(left, 0.3, "the match ended half way");
                    Assert.Greater(Vector3.Distance(before, rig["LeftFoot"].position), 0.2, "it had begun");
                    Assert.IsFalse(interrupted && rig.Animator.isMatchingTarget);
                });
            }
        }

        [Test]
        public void SetTargetTargetPositionTargetRotation()
        {
            // Without an Animator the forecast is where the foot is now.
            rig = new TestRig();
            rig.Start();
            Player.Animation = rig.PoseIdle;
            WhereTheFootWillBe script = rig.Root.AddComponent<WhereTheFootWillBe>();
            Frames(3);
            TestRig.AssertNear(rig["RightFoot"].position, script.place, 0.12f, "foot");
            Assert.Less(Vector3.Angle(script.turn * Vector3.forward, Vector3.forward), 20.0, "toes forward");
            Debug.Lines.RemoveAll(delegate (string line) { return line.Contains("no Animator beside it"); });
        }

        [Test]
        public void RootAndPivotAreTheAnimators()
        {
            Each(delegate
            {
                RootByHand root = rig.Root.AddComponent<RootByHand>();
                Pivot pivot = rig.Root.AddComponent<Pivot>();
                rig.Root.transform.position = new Vector3(1f, 0f, 2f);
                Frames(2);
                root.Move();
                TestRig.AssertNear(new Vector3(1f, 0f, 2f), rig.Root.transform.position, 1e-4f, "root");
                Assert.IsTrue(rig.Animator.stabilizeFeet && unity.stabilizeFeet, "passed on");
                Assert.AreEqual(unity.pivotWeight, pivot.weight);
                TestRig.AssertNear(unity.pivotPosition, pivot.place, 1e-4f, "pivot");
            });
        }
    }
}
