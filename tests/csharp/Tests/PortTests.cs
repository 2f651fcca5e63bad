using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    using Ports;

    /// <summary>
    /// Scripts written for Unity's Animator, ported by one line (tests/csharp/ports), judged by
    /// where hands, feet and gaze are: without an Animator, with one whose IK Pass is off, and with
    /// IK Pass on.
    /// </summary>
    public sealed class PortTests : PortScene
    {
        [Test]
        public void CurveFootPlacementStandsOnASlope()
        {
            Each(true, delegate (string setup)
            {
                Vector3 normal = new Vector3(0f, 1f, -0.25f).normalized;
                Physics.Lay(Vector3.zero, normal);
                rig.Root.AddComponent<CurveFootPlacement>();
                unity.SetFloat("LeftFootPlant", 1f);
                unity.SetFloat("RightFootPlant", 1f);
                Frames(3);
                foreach (string side in new[] { "Left", "Right" })
                {
                    float height = Vector3.Dot(rig[side + "Foot"].position, normal);
                    Assert.AreEqual(rig.Animator.leftFeetBottomHeight, height, 2e-3, side + " ankle above the slope" + setup);
                }
                unity.SetBool("Moving", true);
                Frames(2);
                Assert.AreEqual(0f, rig.Animator.GetIKPositionWeight(AvatarIKGoal.LeftFoot), "let go while moving" + setup);
            });
        }

        [Test]
        public void SteeringWheelIsHeldWhileItTurns()
        {
            Each(true, delegate (string setup)
            {
                Transform wheel = At(0f, 1.2f, 0.35f);
                SteeringWheel script = rig.Root.AddComponent<SteeringWheel>();
                script.leftGrip = At(-0.18f, 1.2f, 0.35f);
                script.rightGrip = At(0.18f, 1.2f, 0.35f);
                script.leftGrip.SetParent(wheel, true);
                script.rightGrip.SetParent(wheel, true);
                script.leftElbow = At(-0.6f, 0.9f, 0.1f);
                script.rightElbow = At(0.6f, 0.9f, 0.1f);
                for (int i = 0; i < 10; i++)
                {
                    wheel.rotation = Quaternion.AngleAxis(5f * i, Vector3.forward);
                    Frames(1);
                    TestRig.AssertNear(script.leftGrip.position, rig["LeftHand"].position, Millimetre, "left" + setup);
                    TestRig.AssertNear(script.rightGrip.position, rig["RightHand"].position, Millimetre, "right" + setup);
                }
                Assert.Less(rig["LeftLowerArm"].position.x, -0.2, "left elbow outside" + setup);
            });
        }

        [Test]
        public void HeadLooksAndRefuses()
        {
            Each(true, delegate (string setup)
            {
                HeadLook script = rig.Root.AddComponent<HeadLook>();
                script.target = At(1f, 1.6f, 1.5f);
                Frames(30);
                Vector3 way = script.target.position - rig["LeftEye"].position;
                Assert.Less(Vector3.Angle(rig["Head"].forward, way), 6.0, "gaze" + setup);
                unity.stateTag = "NoLook";
                Frames(30);
                Assert.Less(Vector3.Angle(rig["Head"].forward, Vector3.forward), 0.5, "no gaze" + setup);
            });
        }

        [Test]
        public void RifleIsHeldWithBothHands()
        {
            Each(false, delegate (string setup)
            {
                TwoHandedRifle script = rig.Root.AddComponent<TwoHandedRifle>();
                script.rightHold = At(0.22f, 1.3f, 0.25f);
                script.rightHold.rotation = Quaternion.LookRotation(new Vector3(-0.4f, 0f, 1f), Vector3.up);
                script.leftGrip = At(0f, 0f, 0f);
                script.leftGrip.SetParent(rig["RightHand"], false);
                script.leftGrip.localPosition = new Vector3(0.1f, 0f, 0.05f);
                Frames(4);
                TestRig.AssertNear(script.rightHold.position, rig["RightHand"].position, Millimetre, "right" + setup);
                TestRig.AssertNear(script.leftGrip.position, rig["LeftHand"].position, Millimetre, "left" + setup);
                script.isArmed = false;
                Frames(2);
                Assert.Greater(Vector3.Distance(script.rightHold.position, rig["RightHand"].position), 0.2, "disarmed" + setup);
            });
        }

        [Test]
        public void LadderRungsAreHeldAndStoodOn()
        {
            Each(true, delegate (string setup)
            {
                LadderClimb script = rig.Root.AddComponent<LadderClimb>();
                script.ladder = At(0f, 0f, 0.38f);
                for (script.rung = 0; script.rung < 2; script.rung++)
                {
                    Frames(2);
                    TestRig.AssertNear(script.Place(AvatarIKGoal.LeftHand), rig["LeftHand"].position, Millimetre, "left hand" + setup);
                    TestRig.AssertNear(script.Place(AvatarIKGoal.RightHand), rig["RightHand"].position, Millimetre, "right hand" + setup);
                    TestRig.AssertNear(script.Place(AvatarIKGoal.LeftFoot), rig["LeftFoot"].position, Millimetre, "left foot" + setup);
                    TestRig.AssertNear(script.Place(AvatarIKGoal.RightFoot), rig["RightFoot"].position, Millimetre, "right foot" + setup);
                }
            });
        }

        [Test]
        public void DoorHandleIsTakenNearAndLeftBehind()
        {
            Each(true, delegate (string setup)
            {
                DoorHandle script = rig.Root.AddComponent<DoorHandle>();
                script.handle = At(0.25f, 1.05f, 0.45f);
                unity.SetFloat("HandReach", 1f);
                Frames(2);
                TestRig.AssertNear(script.handle.position, rig["RightHand"].position, Millimetre, "hand" + setup);
                Vector3 before = rig["RightHand"].position;
                rig.Root.transform.position = new Vector3(0f, 0f, -2f);
                Frames(2);
                TestRig.AssertNear(rig["RightUpperArm"].position, rig["RightHand"].position + new Vector3(0f, 0.55f, 0f), 0.3f, "arm hangs" + setup);
                Assert.Greater(Vector3.Distance(before, rig["RightHand"].position), 1.5, "let go" + setup);
            });
        }

        [Test]
        public void SittingLowersTheBodyAndKeepsTheFeet()
        {
            Each(false, delegate (string setup)
            {
                SitDown script = rig.Root.AddComponent<SitDown>();
                Frames(2);
                Vector3 foot = rig["LeftFoot"].position, hips = rig["Hips"].position;
                script.seated = 1f;
                Frames(2);
                TestRig.AssertNear(foot, rig["LeftFoot"].position, Millimetre, "foot" + setup);
                Assert.AreEqual(script.drop, hips.y - rig["Hips"].position.y, 0.03, "drop" + setup);
            });
        }

        [Test]
        public void PickedUpThingsGoAlongWithTheHand()
        {
            Each(true, delegate (string setup)
            {
                PickUp script = rig.Root.AddComponent<PickUp>();
                script.thing = At(0.3f, 1f, 0.4f);
                Frames(30);
                Assert.IsTrue(script.thing.parent == rig["RightHand"], "taken" + setup);
                Frames(5);
                Assert.Less(script.thing.position.y, 0.95, "the arm hangs with it" + setup);
            });
        }

        [Test]
        public void TrackedHandsFollowAndLetGo()
        {
            Each(false, delegate (string setup)
            {
                VRHands script = rig.Root.AddComponent<VRHands>();
                script.leftTracker = At(-0.2f, 1.3f, 0.4f);
                script.rightTracker = At(0.25f, 1.1f, 0.35f);
                script.headTracker = At(0f, 1.6f, 0f);
                script.headTracker.rotation = Quaternion.Euler(0f, 30f, 0f);
                Frames(3);
                TestRig.AssertNear(script.leftTracker.TransformPoint(script.palmOffset), rig["LeftHand"].position, Millimetre, "left" + setup);
                TestRig.AssertNear(script.rightTracker.TransformPoint(script.palmOffset), rig["RightHand"].position, Millimetre, "right" + setup);
                Assert.Less(Vector3.Angle(script.headTracker.forward, rig["Head"].forward), 3.0, "head" + setup);
                UnityEngine.Object.DestroyImmediate(script.leftTracker.gameObject);
                Frames(2);
                Assert.Less(rig["LeftHand"].position.y, 1.1, "a tracker that is gone lets go" + setup);
            });
        }

        [Test]
        public void VaultingMeetsTheEdge()
        {
            Each(true, delegate (string setup)
            {
                VaultMatchTarget script = rig.Root.AddComponent<VaultMatchTarget>();
                script.edge = At(0.4f, 1f, 2f);
                for (int i = 0; i <= 30; i++)
                {
                    unity.stateTime = i / 50f;
                    Frames(1);
                }
                TestRig.AssertNear(script.edge.position, rig["LeftHand"].position, 2 * Millimetre, "hand at the edge" + setup);
            });
        }

        [Test]
        public void AStateBehaviourHoldsTheHand()
        {
            rig = new TestRig();
            unity = rig.AddUnityAnimator(true);
            unity.write = rig.PoseIdle;
            GrabState state = new GrabState { point = new Vector3(0.3f, 1.2f, 0.3f) };
            unity.behaviours.Add(state);
            unity.stateTime = 0.8f;
            rig.Start();
            Frames(2);
            TestRig.AssertNear(state.point, rig["RightHand"].position, Millimetre, "hand");
            unity.behaviours.Clear();
            Frames(2);
            Assert.Greater(Vector3.Distance(state.point, rig["RightHand"].position), 0.2, "the state is over");
        }

        [Test]
        public void PelvisFollowsTheGround()
        {
            Each(false, delegate (string setup)
            {
                Physics.Lay(new Vector3(0f, -0.1f, 0f), Vector3.up);
                Vector3 hips = rig["Hips"].position;
                float ankle = rig["LeftFoot"].position.y;
                rig.Root.AddComponent<PelvisFollow>();
                Frames(80);
                Assert.AreEqual(hips.y - 0.1, rig["Hips"].position.y, 5e-3, "hips" + setup);
                Assert.AreEqual(ankle - 0.1, rig["LeftFoot"].position.y, 0.03, "foot" + setup);
                Debug.Lines.RemoveAll(delegate (string line) { return line.Contains("zero length"); });
            });
        }

        [Test]
        public void TheSpineTurnsAndTheHandStays()
        {
            Each(true, delegate (string setup)
            {
                TorsoTwist script = rig.Root.AddComponent<TorsoTwist>();
                script.hold = At(-0.25f, 1.2f, 0.35f);
                Frames(3);
                TestRig.AssertNear(Quaternion.AngleAxis(25f, Vector3.up), rig["Spine"].localRotation, 0.05f, "spine" + setup);
                TestRig.AssertNear(script.hold.position, rig["LeftHand"].position, Millimetre, "hand" + setup);
            });
        }

        [Test]
        public void KneesGoOutwards()
        {
            Each(false, delegate (string setup)
            {
                rig.Root.AddComponent<KneeHints>();
                Frames(3);
                Assert.Less(rig["LeftLowerLeg"].position.x, -0.16, "left" + setup);
                Assert.Greater(rig["RightLowerLeg"].position.x, 0.16, "right" + setup);
            });
        }

        [Test]
        public void CodeThatIsNotPortedTakesTheAnimator()
        {
            Each(true, delegate (string setup)
            {
                AimWithHelper script = rig.Root.AddComponent<AimWithHelper>();
                script.target = At(0.3f, 1.2f, 0.35f);
                Frames(2);
                TestRig.AssertNear(script.target.position, rig["RightHand"].position, Millimetre, "hand" + setup);
                unity.stateName = "Busy";
                Frames(2);
                Assert.Greater(Vector3.Distance(script.target.position, rig["RightHand"].position), 0.2, "busy" + setup);
                script.Ragdoll(true);
                Assert.IsFalse(unity.enabled || rig.Animator.isActiveAndEnabled, "both are off" + setup);
                int evaluations = unity.evaluations;
                rig["RightUpperArm"].localRotation = Quaternion.identity;
                Frames(2);
                Assert.AreEqual(evaluations, unity.evaluations, "nothing animates a ragdoll" + setup);
                TestRig.AssertNear(Quaternion.identity, rig["RightUpperArm"].localRotation, 0f, "the ragdoll is left alone" + setup);
                unity.stateName = "";
                script.Ragdoll(false);
                Frames(2);
                Assert.AreEqual(1, unity.rebinds);
                TestRig.AssertNear(script.target.position, rig["RightHand"].position, Millimetre, "hand again" + setup);
            });
        }

        [Test]
        public void EvaluationByHandSolves()
        {
            Each(true, delegate (string setup)
            {
                ReachByParameter script = rig.Root.AddComponent<ReachByParameter>();
                script.goal = At(-0.3f, 1.2f, 0.3f);
                rig.Animator.solveTime = SolveTime.Manual;
                Frames(1);
                script.goal.position = new Vector3(-0.25f, 1.1f, 0.35f);
                script.Tick(0.02f);
                TestRig.AssertNear(script.goal.position, rig["LeftHand"].position, Millimetre, "hand" + setup);
            });
        }

        [Test]
        public void EveryPublicMemberOfTheAnimatorIsThere()
        {
            HashSet<string> own = new HashSet<string>(Signatures(typeof(SinewAnimator)));
            own.UnionWith(Signatures(typeof(SinewAnimatorExtensions)));
            List<string> missing = new List<string>();
            foreach (string signature in Signatures(typeof(Animator)))
                if (!own.Contains(signature)) missing.Add(signature);
            Assert.AreEqual("", string.Join("; ", missing.ToArray()));
        }

        // Names with the types of parameters; test switches of the stand-in are fields and so not
        // among them.
        private static IEnumerable<string> Signatures(Type type)
        {
            foreach (PropertyInfo property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
                yield return property.Name + (property.CanWrite && property.GetSetMethod() != null ? " rw" : " r");
            foreach (MethodInfo method in type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly))
            {
                if (method.IsSpecialName) continue;
                List<string> parameters = new List<string>();
                foreach (ParameterInfo parameter in method.GetParameters())
                    if (parameter.ParameterType != typeof(SinewAnimator)) parameters.Add(parameter.ParameterType.Name);
                yield return method.Name + "(" + string.Join(", ", parameters.ToArray()) + ")";
            }
        }
    }
}
