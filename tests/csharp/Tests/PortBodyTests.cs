using System;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    using Ports;

    /// <summary>Ported scripts that read, change and write back what the body does: stairs, leaning,
    /// looking, fingers, hands of two characters.</summary>
    public sealed class PortBodyTests : PortScene
    {
        private static float Gaze(TestRig who, Vector3 point)
        {
            Vector3 eyes = (who["LeftEye"].position + who["RightEye"].position) * 0.5f;
            return Vector3.Angle(who["Head"].forward, point - eyes);
        }

        [Test]
        public void FeetStandOnDifferentSteps()
        {
            Each(false, delegate (string setup)
            {
                Collider stairs = new GameObject("Stairs").AddComponent<Collider>();
                Physics.Lay(stairs, delegate (float x, float z) { return x > 0f ? -0.06f : -0.2f; });
                Frames(1);
                StairFeet script = rig.Root.AddComponent<StairFeet>();
                Frames(4);
                foreach (string side in new[] { "Left", "Right" })
                {
                    float animated = AnimatedAnkle(side);
                    float step = side == "Left" ? -0.2f : -0.06f;
                    Assert.AreEqual(animated + step, rig[side + "Foot"].position.y, 1.5e-3, side + " ankle on its step" + setup);
                }
                Assert.AreEqual(-0.2f, script.feet[0].offset, 1e-4, "left step" + setup);
            });
        }

        // Height of an ankle in the idle pose over the character's own ground.
        private float AnimatedAnkle(string side)
        {
            TestRig other = new TestRig();
            other.Root.transform.position = rig.Root.transform.position;
            other.PoseIdle();
            float height = other[side + "Foot"].position.y;
            UnityEngine.Object.DestroyImmediate(other.Root);
            return height;
        }

        [Test]
        public void TwoCharactersShakeHands()
        {
            Each(false, delegate (string setup)
            {
                TestRig other = new TestRig();
                if (unity != null)
                {
                    Animator theirs = other.AddUnityAnimator(unity.ikPass);
                    theirs.updateMode = unity.updateMode;
                    theirs.write = other.PoseIdle;
                }
                else
                {
                    Player.Animation = delegate
                    {
                        rig.PoseIdle();
                        if (other.Root != null) other.PoseIdle();
                    };
                }
                other.Root.transform.position = new Vector3(0.2f, 0f, 0.75f);
                other.Root.transform.rotation = Quaternion.Euler(0f, 180f, 0f);
                Handshake hers = other.Root.AddComponent<Handshake>();
                other.Start();
                Handshake his = rig.Root.AddComponent<Handshake>();
                his.partner = hers;
                hers.partner = his;
                Frames(3);
                for (int i = 0; i < 10; i++)
                {
                    Frames(1);
                    TestRig.AssertNear(rig["RightHand"].position, other["RightHand"].position, Millimetre, "hands meet" + setup);
                }
                Assert.Less(Gaze(rig, other["Head"].position), 8.0, "eyes" + setup);
                Assert.Less(Gaze(other, rig["Head"].position), 8.0, "eyes back" + setup);
                other.Root.transform.position = new Vector3(0f, 0f, 3f);
                Frames(2);
                Assert.Less(rig["RightHand"].position.y, 1.0, "too far" + setup);
                // The partner disappears in the middle of it.
                other.Root.transform.position = new Vector3(0.2f, 0f, 0.75f);
                Frames(2);
                UnityEngine.Object.Destroy(other.Root);
                Frames(2);
                Assert.Less(rig["RightHand"].position.y, 1.0, "nobody there" + setup);
            });
        }

        [Test]
        public void EveryFormOfLookWeightRisesAndFalls()
        {
            for (int form = 1; form <= 5; form++)
            {
                int arguments = form;
                Each(false, delegate (string setup)
                {
                    string where = " with " + arguments + " arguments" + setup;
                    LookWeights script = rig.Root.AddComponent<LookWeights>();
                    script.arguments = arguments;
                    script.point = At(0.8f, 1.7f, 1f);
                    script.isInterested = true;
                    float last = 180f;
                    for (int i = 0; i < 15; i++)
                    {
                        Frames(1);
                        float now = Gaze(rig, script.point.position);
                        Assert.Less(now, last + 0.01, "nearer in frame " + i + where);
                        last = now;
                    }
                    Frames(30);
                    double rest = Gaze(rig, script.point.position);
                    float chest = Vector3.Angle(rig["UpperChest"].forward, Vector3.forward);
                    if (arguments == 5) Assert.Greater(rest, 20.0, "clamped" + where);
                    else if (arguments <= 2) Assert.Less(rest, 3.0, "gaze" + where);
                    else Assert.IsTrue(rest > 3.0 && rest < 30.0, "a part of the way: " + rest + where);
                    if (arguments == 1) Assert.Less(chest, 0.1f, "the chest stays" + where);
                    if (arguments == 2 || arguments == 3) Assert.Greater(chest, 2f, "the chest takes part" + where);
                    script.isInterested = false;
                    Frames(80);
                    Assert.AreEqual(0f, script.weight);
                    Assert.Less(Vector3.Angle(rig["Head"].forward, Vector3.forward), 0.01f, "ahead again" + where);
                });
            }
        }

        [Test]
        public void TheBodyLeansAndTheFeetStay()
        {
            Each(false, delegate (string setup)
            {
                BodyLean script = rig.Root.AddComponent<BodyLean>();
                script.lean = 0f;
                script.sink = 0f;
                Frames(2);
                Vector3 left = rig["LeftFoot"].position, right = rig["RightFoot"].position, hips = rig["Hips"].position;
                Quaternion sole = rig["LeftFoot"].rotation;
                for (float lean = -10f; lean <= 10f; lean += 2.5f)
                {
                    script.lean = lean;
                    script.sink = 0.05f;
                    Frames(1);
                    TestRig.AssertNear(left, rig["LeftFoot"].position, Millimetre, "left at " + lean + setup);
                    TestRig.AssertNear(right, rig["RightFoot"].position, Millimetre, "right at " + lean + setup);
                    TestRig.AssertNear(sole, rig["LeftFoot"].rotation, 0.1f, "sole at " + lean + setup);
                    Assert.AreEqual(lean, Vector3.SignedAngle(Vector3.up, rig["Hips"].up, Vector3.forward), 0.2, "lean" + setup);
                    TestRig.AssertNear(script.bodyBefore + Vector3.down * 0.05f, script.bodyAfter, 1e-5f, "read back" + setup);
                }
                script.lean = 0f;
                Frames(1);
                Assert.AreEqual(hips.y - 0.05, rig["Hips"].position.y, 2e-3, "sunk, not piled up" + setup);
            });
        }

        [Test]
        public void FingersCloseAndOpen()
        {
            Each(false, delegate (string setup)
            {
                Quaternion open = rig["RightMiddleProximal"].localRotation;
                FistGrip script = rig.Root.AddComponent<FistGrip>();
                script.handle = At(0.3f, 1.1f, 0.35f);
                foreach (float grip in new[] { 1f, 0.5f, 1f, 0f, 1f })
                {
                    script.grip = grip;
                    Frames(2);
                    Assert.AreEqual(60f * grip, Quaternion.Angle(open, rig["RightMiddleProximal"].localRotation), 0.1, "finger at " + grip + setup);
                    if (grip == 1f) TestRig.AssertNear(script.handle.position, rig["RightHand"].position, Millimetre, "hand" + setup);
                }
                UnityEngine.Object.Destroy(script);
                Frames(2);
                Assert.Less(Quaternion.Angle(open, rig["RightMiddleProximal"].localRotation), 0.1f, "open without the script" + setup);
            });
        }

        [Test]
        public void TheSwordLeadsTheOtherHand()
        {
            Each(false, delegate (string setup)
            {
                SwordFollow script = rig.Root.AddComponent<SwordFollow>();
                script.sword = At(0f, 0f, 0f);
                script.pommel = At(-0.12f, 0f, 0.02f);
                script.pommel.SetParent(script.sword, true);
                script.aim = At(0.15f, 1.2f, 0.35f);
                // The pommel is where the last frame left it, so one frame more.
                Frames(4);
                TestRig.AssertNear(script.aim.position, rig["RightHand"].position, Millimetre, "right" + setup);
                TestRig.AssertNear(script.sword.position, rig["RightHand"].position, 1e-6f, "LateUpdate sees the hand" + setup);
                TestRig.AssertNear(script.pommel.position, rig["LeftHand"].position, Millimetre, "left" + setup);
                script.Weight = 0f;
                Frames(2);
                Assert.Less(rig["LeftHand"].position.y, 1.0, "let go" + setup);
            });
        }

        [Test]
        public void AReachIsHeldWhileTheGameIsPaused()
        {
            Each(false, delegate (string setup)
            {
                PauseAndSlow script = rig.Root.AddComponent<PauseAndSlow>();
                script.cup = At(0.25f, 1.1f, 0.4f);
                Frames(1);
                float start = Vector3.Distance(script.cup.position, rig["RightHand"].position);
                script.Reach(true);
                Frames(12);
                float half = Vector3.Distance(script.cup.position, rig["RightHand"].position);
                Assert.IsTrue(half < 0.8f * start && half > 0.1f * start, "on its way: " + half + " of " + start + setup);
                Vector3 paused = rig["RightHand"].position;
                for (int i = 0; i < 20; i++)
                {
                    Player.Frame(0f);
                    TestRig.AssertNear(paused, rig["RightHand"].position, 1e-4f, "paused" + setup);
                }
                Frames(30);
                TestRig.AssertNear(script.cup.position, rig["RightHand"].position, Millimetre, "there" + setup);
                script.Reach(false);
                Frames(40);
                Assert.AreEqual(start, Vector3.Distance(script.cup.position, rig["RightHand"].position), 1e-4, "back" + setup);
            });
        }
    }
}
