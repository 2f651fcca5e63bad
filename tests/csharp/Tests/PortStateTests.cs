using System.Collections.Generic;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    using Ports;

    /// <summary>
    /// Ported scripts that live on layers, states, transitions, coroutines, events, root motion and
    /// on what happens to characters: falling down, another model, a pool.
    /// </summary>
    public sealed class PortStateTests : PortScene
    {
        [Test]
        public void LayersAimTogether()
        {
            Each(false, delegate (string setup)
            {
                if (unity != null && unity.ikPass) unity.ikPassLayers.Add(1);
                else rig.Animator.callbackLayers = new[] { 0, 1 };
                LayeredAim script = rig.Root.AddComponent<LayeredAim>();
                script.grip = At(0.2f, 1.25f, 0.3f);
                script.barrel = At(0.05f, 1.25f, 0.42f);
                script.target = At(1.5f, 1.5f, 3f);
                Frames(4);
                TestRig.AssertNear(script.grip.position, rig["RightHand"].position, Millimetre, "right" + setup);
                TestRig.AssertNear(script.barrel.position, rig["LeftHand"].position, Millimetre, "left" + setup);
                Vector3 way = script.target.position - (rig["LeftEye"].position + rig["RightEye"].position) * 0.5f;
                Assert.Less(Vector3.Angle(rig["Head"].forward, way), 8.0, "gaze" + setup);
                Assert.Greater(rig["Hips"].forward.x, 0.05, "the body turns" + setup);
                Assert.AreEqual(4, script.baseCalls, "base layer" + setup);
                Assert.AreEqual(4, script.upperCalls, "upper layer" + setup);
                script.aimWeight = 0f;
                Frames(2);
                Assert.Less(rig["RightHand"].position.y, 1.1, "lowered" + setup);
                Assert.Less(Vector3.Angle(rig["Head"].forward, Vector3.forward), 0.5, "looks ahead" + setup);
            });
        }

        [Test]
        public void FeetLieAlongTheSlope()
        {
            foreach (float pitch in new[] { -0.2f, 0f, 0.2f })
            {
                Each(false, delegate (string setup)
                {
                    Vector3 normal = new Vector3(0f, 1f, pitch).normalized;
                    Physics.Lay(new Vector3(0f, -0.06f, 0f), normal);
                    FootSolver script = rig.Root.AddComponent<FootSolver>();
                    script.mask = LayerMask.GetMask("Default");
                    Frames(60);
                    foreach (string side in new[] { "Left", "Right" })
                    {
                        Transform foot = rig[side + "Foot"], toes = rig[side + "Toes"];
                        float height = Vector3.Dot(foot.position - new Vector3(0f, -0.06f, 0f), normal);
                        Assert.AreEqual(rig.Animator.leftFeetBottomHeight, height, 0.012, side + " ankle above " + pitch + setup);
                        Assert.Less(Mathf.Abs(Vector3.Dot((toes.position - foot.position).normalized, normal) + 0.39f), 0.06, side + " sole" + pitch + setup);
                    }
                });
            }
        }

        [Test]
        public void ACoroutineVaults()
        {
            Each(true, delegate (string setup)
            {
                VaultRoutine script = rig.Root.AddComponent<VaultRoutine>();
                script.wall = At(0.2f, 1.1f, 1f);
                script.landing = At(0f, 0.1f, 2f);
                Frames(1);
                script.Begin();
                unity.isInTransition = true;
                Frames(5);
                unity.isInTransition = false;
                bool isWallMet = false;
                for (int i = 0; i <= 50; i++)
                {
                    unity.stateTime = i / 50f;
                    Frames(1);
                    Vector3 hand = rig["RightHand"].position - script.wall.position;
                    isWallMet |= Mathf.Abs(hand.y) < 2 * Millimetre && Mathf.Abs(hand.z) < 2 * Millimetre;
                    if (i == 45) TestRig.AssertNear(script.landing.position, rig["LeftFoot"].position, 2 * Millimetre, "foot" + setup);
                }
                Assert.IsTrue(isWallMet, "the hand was at the wall" + setup);
                Assert.IsTrue(script.isControlled && !script.isVaulting, "control is back" + setup);
                Assert.AreEqual("Vault", unity.played[0]);
            });
        }

        [Test]
        public void RootMotionCarriesThePlantedFoot()
        {
            Each(true, delegate (string setup)
            {
                RootMotionMover script = rig.Root.AddComponent<RootMotionMover>();
                script.ground = 0.1f;
                unity.deltaPosition = new Vector3(0f, -0.01f, 0.02f);
                Frames(1);
                script.planted = rig["LeftFoot"].position;
                script.plantWeight = 1f;
                for (int i = 0; i < 10; i++)
                {
                    Frames(1);
                    TestRig.AssertNear(script.planted, rig["LeftFoot"].position, Millimetre, "planted" + setup);
                }
                TestRig.AssertNear(new Vector3(0f, 0.1f, 0.22f), rig.Root.transform.position, 1e-5f, "root" + setup);
            });
        }

        [Test]
        public void AStateEntersRaisesItsWeightAndLetsGo()
        {
            rig = new TestRig();
            unity = rig.AddUnityAnimator(true);
            unity.write = rig.PoseIdle;
            rig.Start();
            Transform magazine = At(-0.1f, 1.05f, 0.3f);
            magazine.gameObject.name = magazine.name = "Magazine";
            magazine.SetParent(rig.Root.transform, true);
            ReloadState state = new ReloadState();
            unity.behaviours.Add(state);
            float last = float.MaxValue;
            for (int i = 0; i < 20; i++)
            {
                unity.stateTime = i / 40f;
                Frames(1);
                float distance = Vector3.Distance(magazine.position, rig["LeftHand"].position);
                Assert.Less(distance, last + 1e-4f, "nearer in frame " + i);
                last = distance;
            }
            Assert.Less(last, Millimetre, "hand at the magazine");
            Assert.IsTrue(unity.GetBool("Reloading"));
            unity.behaviours.Clear();
            Frames(2);
            Assert.AreEqual(1, state.enters);
            Assert.AreEqual(1, state.exits);
            Assert.IsFalse(unity.GetBool("Reloading"));
            Assert.Greater(Vector3.Distance(magazine.position, rig["LeftHand"].position), 0.2, "the state is over");
        }

        [Test]
        public void AStateMovesTheRootAndTheHandGoesAlong()
        {
            rig = new TestRig();
            unity = rig.AddUnityAnimator(true);
            unity.write = rig.PoseIdle;
            rig.Start();
            DashState state = new DashState();
            unity.behaviours.Add(state);
            for (int i = 1; i <= 5; i++)
            {
                Frames(1);
                TestRig.AssertNear(new Vector3(0f, 0f, 0.06f * i), rig.Root.transform.position, 1e-5f, "root in frame " + i);
                TestRig.AssertNear(rig.Root.transform.TransformPoint(state.guard), rig["RightHand"].position, Millimetre, "hand in frame " + i);
            }
        }

        [Test]
        public void StatesThatAreLinkedToTheSceneTakeMessagesWithThePlayable()
        {
            rig = new TestRig();
            unity = rig.AddUnityAnimator(true);
            unity.write = rig.PoseIdle;
            rig.Start();
            LinkedShield shield = rig.Root.AddComponent<LinkedShield>();
            shield.shield = At(-0.15f, 1.2f, 0.3f);
            unity.behaviours.Add(new ShieldState());
            LinkedState<LinkedShield>.Link(rig.Animator, shield);
            Frames(5);
            TestRig.AssertNear(shield.shield.position, rig["LeftHand"].position, Millimetre, "hand at the shield");
            unity.behaviours.Clear();
            Frames(1);
            Assert.AreEqual(1, shield.raised);
            Assert.AreEqual(3, shield.held, "updates but the first");
            Assert.AreEqual(1, shield.lowered);

            // On an Animator without SinewAnimator.
            Animator alone = new GameObject("Alone").AddComponent<Animator>();
            alone.runtimeAnimatorController = new RuntimeAnimatorController();
            alone.behaviours.Add(new ShieldState());
            Frames(2);
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("no SinewAnimator beside the Animator on 'Alone'"), Debug.Lines[0]);
            Debug.Lines.Clear();
        }

        private sealed class GoalsInUpdate : SinewStateBehaviour
        {
            internal Vector3 Point;

            public override void OnStateUpdate(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex)
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, Point);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            }
        }

        [Test]
        public void GoalsOfOnStateUpdateCountForThePassWhoeverSendsTheCallback()
        {
            Each(true, delegate (string setup)
            {
                GoalsInUpdate state = new GoalsInUpdate { Point = new Vector3(0.3f, 1.2f, 0.3f) };
                unity.behaviours.Add(state);
                Script other = rig.Root.AddComponent<Script>();
                Frames(3);
                Assert.AreEqual(3, other.Calls, "callbacks" + setup);
                TestRig.AssertNear(state.Point, rig["RightHand"].position, Millimetre, "hand" + setup);
                unity.behaviours.Clear();
                Frames(1);
                Assert.Less(rig["RightHand"].position.y, 1.1, "the state is over" + setup);
            });
        }

        [Test]
        public void ARagdollGetsUpIntoTheHold()
        {
            Each(true, delegate (string setup)
            {
                RagdollBlend script = rig.Root.AddComponent<RagdollBlend>();
                script.holdTarget = At(0.3f, 1.2f, 0.3f);
                Frames(3);
                TestRig.AssertNear(script.holdTarget.position, rig["RightHand"].position, Millimetre, "holds" + setup);
                script.Ragdolled = true;
                Quaternion fallen = Quaternion.Euler(70f, 10f, 0f);
                for (int i = 0; i < 4; i++)
                {
                    rig["Spine"].localRotation = fallen;
                    Frames(1);
                    TestRig.AssertNear(fallen, rig["Spine"].localRotation, 1e-4f, "physics has it" + setup);
                }
                script.Ragdolled = false;
                float last = 0f;
                for (int i = 0; i < 25; i++)
                {
                    Frames(1);
                    float angle = Quaternion.Angle(fallen, rig["Spine"].localRotation);
                    Assert.Greater(angle, last - 0.05f, "gets up in frame " + i + setup);
                    Assert.Less(angle - last, 8.0, "no jump in frame " + i + setup);
                    last = angle;
                }
                TestRig.AssertNear(Quaternion.identity, rig["Spine"].localRotation, 0.1f, "stands" + setup);
                TestRig.AssertNear(script.holdTarget.position, rig["RightHand"].position, Millimetre, "holds again" + setup);
            });
        }

        [Test]
        public void CurvesRaiseTheHandsAndARollLowersThem()
        {
            Each(true, delegate (string setup)
            {
                CurveHands script = rig.Root.AddComponent<CurveHands>();
                script.left = At(-0.25f, 1.2f, 0.35f);
                script.right = At(0.25f, 1.2f, 0.35f);
                unity.SetFloat("LeftHandIK", 1f);
                Frames(15);
                TestRig.AssertNear(script.left.position, rig["LeftHand"].position, Millimetre, "left" + setup);
                Assert.Less(rig["RightHand"].position.y, 1.1, "the right curve is 0" + setup);
                Vector3 up = rig["LeftHand"].position;
                unity.isInTransition = true;
                unity.nextStateName = "Roll";
                Frames(5);
                Vector3 half = rig["LeftHand"].position;
                Frames(15);
                Assert.Less(half.y, up.y - 0.05, "on its way" + setup);
                Assert.Less(rig["LeftHand"].position.y, half.y - 0.05, "down" + setup);
                unity.isInTransition = false;
                Frames(15);
                TestRig.AssertNear(script.left.position, rig["LeftHand"].position, Millimetre, "up again" + setup);
            });
        }

        [Test]
        public void AnotherModelIsWornWithItsAvatar()
        {
            Each(true, delegate (string setup)
            {
                SkinSwap script = rig.Root.AddComponent<SkinSwap>();
                script.target = At(0.3f, 1.2f, 0.3f);
                Frames(2);
                TestRig.AssertNear(script.target.position, script.Hand.position, Millimetre, "first" + setup);
                // The other model: the same bones under other names, below an object of its own.
                TestRig other = new TestRig("other_");
                Animator donor = other.AddUnityAnimator(false);
                GameObject model = new GameObject("Model");
                other["Hips"].SetParent(model.transform, false);
                unity.write = other.PoseIdle;
                script.Wear(model, donor.avatar);
                Assert.IsTrue(script.Hand == other["RightHand"], "the new hand at once" + setup);
                Frames(2);
                TestRig.AssertNear(script.target.position, other["RightHand"].position, Millimetre, "second" + setup);
                Object.DestroyImmediate(other.Root);
            });
        }

        [Test]
        public void APooledGuardStartsFresh()
        {
            Each(true, delegate (string setup)
            {
                PooledGuard script = rig.Root.AddComponent<PooledGuard>();
                script.prey = At(0.35f, 1.25f, 0.3f);
                Frames(20);
                TestRig.AssertNear(script.prey.position, rig["RightHand"].position, Millimetre, "reaches" + setup);
                for (int life = 0; life < 3; life++)
                {
                    rig.Root.SetActive(false);
                    Frames(2);
                    rig.Root.SetActive(true);
                    Frames(1);
                    Assert.Less(rig["RightHand"].position.y, 1.1, "life " + life + " begins with nothing" + setup);
                    Assert.Less(Vector3.Angle(rig["Head"].forward, Vector3.forward), 0.5, "life " + life + " looks ahead" + setup);
                    script.prey = At(0.3f, 1.1f + 0.05f * life, 0.35f);
                    Frames(20);
                    TestRig.AssertNear(script.prey.position, rig["RightHand"].position, Millimetre, "life " + life + setup);
                }
            });
        }

        [Test]
        public void AParentReachesThroughARelay()
        {
            Each(false, delegate (string setup)
            {
                GameObject parent = new GameObject("Player");
                rig.Root.transform.SetParent(parent.transform, false);
                rig.Root.AddComponent<IKRelay>();
                ReachFromParent script = parent.AddComponent<ReachFromParent>();
                script.things = new[] { At(-3f, 1f, 0f), At(-0.35f, 1.2f, 0.3f) };
                script.range = 0.8f;
                Frames(3);
                TestRig.AssertNear(script.things[1].position, rig["LeftHand"].position, Millimetre, "hand" + setup);
                script.things[1].position = new Vector3(-2f, 1f, 0f);
                Frames(2);
                Assert.Less(rig["LeftHand"].position.y, 1.1, "too far" + setup);
            });
        }

        [Test]
        public void EventsOfAClipSwitchTheHand()
        {
            Each(true, delegate (string setup)
            {
                EventGrab script = rig.Root.AddComponent<EventGrab>();
                script.rope = At(-0.2f, 1.3f, 0.3f);
                Frames(2);
                unity.events.Add("GrabStart");
                Frames(3);
                TestRig.AssertNear(script.rope.position, rig["LeftHand"].position, Millimetre, "grabbed" + setup);
                unity.events.Add("GrabEnd");
                Frames(1);
                Assert.Less(rig["LeftHand"].position.y, 1.1, "let go" + setup);
            });
        }

        [Test]
        public void AnAnimatorOfUnportedCodeIsTheComponentBesideIt()
        {
            Each(true, delegate (string setup)
            {
                ForeignAnimator script = rig.Root.AddComponent<ForeignAnimator>();
                script.target = At(0.3f, 1.2f, 0.3f);
                Frames(2);
                Assert.IsTrue(script.isOwn, "back to unported code" + setup);
                TestRig.AssertNear(script.target.position, rig["RightHand"].position, Millimetre, "hand" + setup);
            });
            SinewAnimator none = (Animator)null;
            Assert.IsTrue(ReferenceEquals(none, null), "of null");
            none = new GameObject("Door").AddComponent<Animator>();
            Assert.IsTrue(none == null, "of an Animator that has none beside it");
            Animator gone = new GameObject("Gone").AddComponent<Animator>();
            Object.DestroyImmediate(gone.gameObject);
            none = gone;
            Assert.IsTrue(none == null, "of an Animator that is destroyed");
        }

        [Test]
        public void TheSpinePitchesAndTheHandStays()
        {
            Each(false, delegate (string setup)
            {
                SpineAim script = rig.Root.AddComponent<SpineAim>();
                script.pitch = 24f;
                script.support = At(-0.2f, 1.25f, 0.4f);
                for (int i = 0; i < 20; i++)
                {
                    Frames(1);
                    Assert.AreEqual(24.0, Vector3.Angle(Vector3.forward, rig["UpperChest"].forward), 0.1, "pitch in frame " + i + setup);
                    TestRig.AssertNear(script.support.position, rig["LeftHand"].position, Millimetre, "hand" + setup);
                }
            });
        }
    }
}
