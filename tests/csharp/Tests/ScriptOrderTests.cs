using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;
using static Sinew.Tests.Reaching;

namespace Sinew.Tests
{
    /// <summary>Components that scripts add, fill in, switch and exchange in any order.</summary>
    public sealed class ScriptOrderTests
    {
        private const float Step = 1f / 60f;

        [TearDown]
        public void JobsAsBefore()
        {
            SinewRuntime.JobThreshold = 8;
        }

        [Test]
        public void AComponentThatIsInstantiatedBelowAnInactiveParentWorksOnceItIsActive()
        {
            TestRig rig = new TestRig();
            rig.PoseIdle();
            SinewAnimator template = rig.Root.AddComponent<SinewAnimator>();
            rig.Root.AddComponent<SinewGrounder>();
            SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
            chain.target = At(new Vector3(-0.3f, 1.1f, 0.3f));
            rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            GameObject parent = new GameObject("Pool");
            parent.SetActive(false);
            parent.transform.position = new Vector3(4f, 0f, 1f);
            GameObject copy = UnityEngine.Object.Instantiate(rig.Root);
            copy.transform.SetParent(parent.transform, false);
            copy.SetActive(true);
            SinewAnimator animator = copy.GetComponent<SinewAnimator>();
            animator.SetIKPosition(AvatarIKGoal.RightHand, Goal);
            Assert.AreEqual(1, Debug.Lines.Count, "a call before it is active");
            Debug.Lines.Clear();
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            parent.SetActive(true);
            Reach(animator);
            Transform hand = animator.GetBoneTransform(HumanBodyBones.RightHand);
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            TestRig.AssertNear(copy.transform.TransformPoint(Goal), hand.position, 2e-3f, "the hand");
            // Twice in a frame, and the parent goes.
            parent.SetActive(false);
            parent.SetActive(true);
            Reach(animator);
            Player.Frame(Step);
            TestRig.AssertNear(copy.transform.TransformPoint(Goal), hand.position, 2e-3f, "the hand after the parent was off");
            AssertSilent("below an inactive parent");
            Assert.IsTrue(template != null);
        }

        [Test]
        public void ComponentsMayBeAddedInAnyOrderAndFilledInLater()
        {
            TestRig rig = new TestRig();
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
            SinewJointLimits limits = rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            Player.Frame(Step);
            Assert.AreEqual(1, Debug.Lines.Count, "no SinewAnimator yet: " + string.Join(" | ", Debug.Lines.ToArray()));
            Debug.Lines.Clear();
            SinewAnimator animator = rig.Root.AddComponent<SinewAnimator>();
            rig.Animator = animator;
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            Player.Frame(Step);
            chain.jointCount = 3;
            chain.target = At(new Vector3(-0.3f, 1.2f, 0.3f));
            chain.Refresh();
            goals.rightHand.target = At(Goal);
            body.effectors.Add(new SinewBodyEffector { joint = rig["Head"], target = At(new Vector3(0.05f, 1.55f, 0.05f)) });
            body.root = SinewBodyRoot.Fixed;
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            TestRig.AssertNear(body.effectors[0].target.position, rig["Head"].position, 3e-3f, "the body's head");
            body.enabled = false;
            Player.Frame(Step);
            AssertReaches(rig, "goals");
            TestRig.AssertNear(chain.target.position, rig["LeftHand"].position, 2e-3f, "the chain");
            Assert.IsTrue(limits != null && grounder != null);
            AssertSilent("added in any order");
        }

        // The object is active, so OnEnable is over when AddComponent returns.
        [Test]
        public void FieldsThatAreSetAfterAddComponentCountFromTheFirstPassOn()
        {
            foreach (bool isAsked in new[] { false, true })
            {
                TestRig rig = new TestRig("*");
                rig.Root.SetActive(true);
                Player.Animation = rig.PoseIdle;
                SinewAnimator animator = rig.Root.AddComponent<SinewAnimator>();
                animator.humanBones = rig.Table();
                animator.armStretch = 0.3f;
                if (isAsked)
                {
                    Assert.IsTrue(animator.isHuman, "with the table");
                    Assert.IsTrue(ReferenceEquals(rig["Head"], animator.GetBoneTransform(HumanBodyBones.Head)), "a bone of the table");
                }
                // A Goal that is set in the same Start.
                animator.SetIKPosition(AvatarIKGoal.RightHand, Goal);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(Step);
                AssertReaches(rig, "the table counts, asked " + isAsked);
                Vector3 far = rig["RightUpperArm"].position + new Vector3(1.2f * TestRig.ArmLength, 0f, 0f);
                animator.SetIKPosition(AvatarIKGoal.RightHand, far);
                Player.Frame(Step);
                TestRig.AssertNear(far, rig["RightHand"].position, 2e-3f, "the stretch counts, asked " + isAsked);
                // From then on at the next enabling, as the manual has it.
                NativeAnimator native = animator.nativeAnimator;
                animator.armStretch = 0f;
                Player.Frame(Step);
                Assert.IsTrue(ReferenceEquals(native, animator.nativeAnimator), "one that runs");
                AssertSilent("a table, asked " + isAsked);
                Player.Clear();
            }
            TestRig puppet = new TestRig();
            puppet.Root.SetActive(true);
            Player.Animation = puppet.PoseIdle;
            SinewBody body = puppet.Root.AddComponent<SinewBody>();
            body.SetMass(puppet["Head"], 5f, Vector3.zero);
            body.rootJoint = puppet["Spine"];
            body.root = SinewBodyRoot.Fixed;
            body.couplings.Add(new SinewBodyCoupling { joint = puppet["LeftLowerArm"], driver = puppet["RightLowerArm"], axis = Vector3.up, driverAxis = Vector3.up, ratio = -0.5f });
            body.effectors.Add(new SinewBodyEffector { joint = puppet["RightHand"], target = At(Goal) });
            SinewBody twin = Twin(puppet);
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            Transform[] joints = twin.GetComponentsInChildren<Transform>();
            foreach (Transform joint in joints)
                if (joint != twin.transform) TestRig.AssertNear(joint.localRotation, puppet[joint.name].localRotation, 0.01f, joint.name);
            AssertSilent("a body");
        }

        // What a script has made of the rig is not lost to a field that it sets afterwards.
        [Test]
        public void WhatAScriptHasMadeOfTheRigStaysWhenItSetsAFieldAfterwards()
        {
            Action<TestRig>[] uses =
            {
                delegate (TestRig rig) { rig.Animator.AddChain(rig["LeftHand"], 3); },
                delegate (TestRig rig) { rig.Animator.SetJointLimits(rig["LeftLowerArm"], NativeAnimator.DefaultJointLimits()); },
                delegate (TestRig rig) { rig.Animator.SetBodyEffectorPosition(SinewHumanEffector.Head, Vector3.up, 1f); },
                delegate (TestRig rig) { rig.Animator.Inertialize(AvatarIKGoal.LeftHand); },
                delegate (TestRig rig) { rig.Animator.MatchTarget(Vector3.up, Quaternion.identity, AvatarTarget.LeftHand, new MatchTargetWeightMask(Vector3.one, 0f), 0.1f, 0.9f); },
                delegate (TestRig rig) { Assert.IsNotNull(rig.Animator.nativeAnimator); },
                delegate (TestRig rig) { Assert.IsNotNull(rig.Animator.nativeAvatar); },
            };
            for (int i = 0; i < uses.Length; i++)
            {
                TestRig rig = new TestRig();
                rig.Root.SetActive(true);
                rig.Animator = rig.Root.AddComponent<SinewAnimator>();
                uses[i](rig);
                NativeAnimator native = rig.Animator.Native;
                rig.Animator.armStretch = 0.3f;
                for (int frame = 0; frame < 2; frame++) Player.Frame(Step);
                Assert.IsTrue(ReferenceEquals(native, rig.Animator.nativeAnimator), "use " + i);
                AssertSilent("use " + i);
                Player.Clear();
            }
        }

        // The same body with its fields set before it wakes up.
        private static SinewBody Twin(TestRig of)
        {
            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            SinewBody original = of.Root.GetComponent<SinewBody>();
            SinewBodyCoupling coupling = original.couplings[0];
            body.rootJoint = rig["Spine"];
            body.root = SinewBodyRoot.Fixed;
            body.couplings.Add(new SinewBodyCoupling { joint = rig["LeftLowerArm"], driver = rig["RightLowerArm"], axis = coupling.axis, driverAxis = coupling.driverAxis, ratio = coupling.ratio });
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(Goal + new Vector3(3f, 0f, 0f)) });
            rig.Root.transform.position = new Vector3(3f, 0f, 0f);
            rig.Root.SetActive(true);
            body.SetMass(rig["Head"], 5f, Vector3.zero);
            Action before = Player.Animation;
            Player.Animation = delegate
            {
                before();
                rig.PoseIdle();
            };
            return body;
        }

        [Test]
        public void ABodyTakesTheAnimatorThatComesLaterOrInPlaceOfAnother()
        {
            TestRig rig = new TestRig();
            rig.PoseIdle();
            Renderer skin = rig["Hips"].gameObject.AddComponent<Renderer>();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(Goal) });
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            Player.Frame(Step);
            AssertReaches(rig, "without an Animator");
            Player.Animation = null;
            Animator unity = rig.AddUnityAnimator(false);
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            body.effectors[0].target.position = Goal + new Vector3(0.1f, 0f, 0f);
            Player.Frame(Step);
            AssertReaches(rig, "nobody sees it: the pose before");
            UnityEngine.Object.DestroyImmediate(unity);
            Player.Frame(Step);
            TestRig.AssertNear(body.effectors[0].target.position, rig["RightHand"].position, 2e-3f, "without the Animator again");
            unity = rig.AddUnityAnimator(false);
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            body.effectors[0].target.position = Goal;
            Player.Frame(Step);
            TestRig.AssertNear(Goal + new Vector3(0.1f, 0f, 0f), rig["RightHand"].position, 2e-3f, "another Animator");
            skin.isVisible = true;
            Player.Frame(Step);
            AssertReaches(rig, "seen");
            AssertSilent("Animators");
        }

        // As targets and poles: a script that adds a constraint may fill it in later.
        [Test]
        public void ASourceThatIsSetLaterCountsWhateverItIs()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            SinewCopyRotation copy = rig["LeftUpperLeg"].gameObject.AddComponent<SinewCopyRotation>();
            TestRig twin = new TestRig();
            twin.Root.transform.position = new Vector3(3f, 0f, 0f);
            twin.Start();
            Player.Animation = delegate
            {
                rig.PoseIdle();
                twin.PoseIdle();
            };
            SinewCopyRotation known = twin["LeftUpperLeg"].gameObject.AddComponent<SinewCopyRotation>();
            // What is copied is what the solve makes of it, not the animation.
            rig.Root.AddComponent<Script>().Do = Reach;
            twin.Root.AddComponent<Script>().Do = Reach;
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            // A joint of the same character, an object, another joint, nothing.
            Transform outside = At(Vector3.zero);
            outside.rotation = Quaternion.Euler(0f, 25f, 10f);
            foreach (string what in new[] { "RightLowerArm", "", "RightUpperArm", "", "RightLowerArm", "none" })
            {
                copy.source = what == "none" ? null : what == "" ? outside : rig[what];
                known.source = what == "none" ? null : what == "" ? outside : twin[what];
                known.Refresh();
                for (int i = 0; i < 2; i++) Player.Frame(Step);
                TestRig.AssertNear(twin["LeftUpperLeg"].localRotation, rig["LeftUpperLeg"].localRotation, 0.01f, "source '" + what + "'");
            }
            AssertSilent("sources");
        }

        // Anything that a project may do to three characters with all components, in any order.
        [Test]
        public void AnyOrderOfChangesIsSilentAndLeavesNothingBehind()
        {
            for (int seed = 0; seed < 6; seed++)
            {
                System.Random random = new System.Random(seed);
                SinewRuntime.JobThreshold = seed % 2 == 0 ? 8 : 1;
                TestRig[] rigs = new TestRig[3];
                SinewBodyTies ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
                SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
                world.bands = new[] { new DetailBand { distance = 3f }, new DetailBand { distance = 6f, level = DetailLevel.EveryNth, interval = 3 } };
                Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), delegate (float x, float z) { return 0.02f * x; });
                for (int frame = 0; frame < 250; frame++)
                {
                    int at = random.Next(3);
                    if (rigs[at] == null) rigs[at] = Whole(at);
                    TestRig rig = rigs[at];
                    string what = Change(rig, random, world);
                    if (what == "destroy")
                    {
                        rigs[at] = null;
                        ties.ties.Clear();
                    }
                    else if (random.Next(20) == 0 && rigs[0] != null && rigs[1] != null)
                    {
                        ties.ties.Clear();
                        ties.ties.Add(new SinewEffectorTie { first = rigs[0].Root.GetComponent<SinewBody>(), second = rigs[1].Root.GetComponent<SinewBody>() });
                    }
                    if (random.Next(2) == 0 && Time.timeScale > 0f) Player.FixedStep();
                    Player.Frame(random.Next(5) == 0 ? 0f : 0.02f);
                    AssertSilent("seed " + seed + ", frame " + frame + ", " + what);
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; rigs[i] != null && j < rigs[i].Joints.Length; j++)
                        {
                            TransformData now = TransformData.Of(rigs[i].Joints[j]);
                            Assert.IsTrue(now.Position.x * 0f == 0f && now.Rotation.w * 0f == 0f, "numbers, seed " + seed + ", frame " + frame + ", " + what);
                        }
                }
                Player.Clear();
                Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects, seed " + seed);
            }
        }

        private static TestRig Whole(int at)
        {
            TestRig rig = new TestRig();
            rig.Root.transform.position = new Vector3(2f * at, 0f, 0f);
            Animator unity = rig.AddUnityAnimator(at == 1);
            unity.write = rig.PoseIdle;
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            rig["Hips"].gameObject.AddComponent<Renderer>().isVisible = true;
            rig.Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
            {
                if (animator.isActiveAndEnabled && animator.isHuman) Reach(animator);
            };
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.mode = at == 0 ? SinewBodyMode.Track : SinewBodyMode.Converge;
            body.maxWork = 20000;
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightLowerArm"] });
            body.effectors.Add(new SinewBodyEffector { joint = rig["Head"], pin = true });
            rig.Start();
            rig.Root.AddComponent<SinewGrounder>();
            SinewTrackedBody tracked = rig.Root.AddComponent<SinewTrackedBody>();
            tracked.trackers.Clear();
            tracked.trackers.Add(new SinewTracker(SinewTrackerRole.LeftHand, rig["RightUpperLeg"]));
            SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
            chain.target = rig["RightUpperArm"];
            rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            SinewCopyRotation copy = rig["LeftUpperLeg"].gameObject.AddComponent<SinewCopyRotation>();
            copy.source = rig["RightUpperLeg"];
            copy.weight = 0.2f;
            return rig;
        }

        private static string Change(TestRig rig, System.Random random, SinewWorld world)
        {
            MonoBehaviour[] parts = rig.Root.GetComponentsInChildren<MonoBehaviour>(true);
            switch (random.Next(16))
            {
                case 0:
                    rig.Root.SetActive(!rig.Root.activeSelf);
                    return "active";
                case 1:
                case 2:
                case 3:
                {
                    MonoBehaviour part = parts[random.Next(parts.Length)];
                    part.enabled = !part.enabled;
                    return part.GetType().Name + " " + part.enabled;
                }
                case 4:
                    rig.Root.transform.localScale = random.Next(2) == 0 ? Vector3.zero : Vector3.one * (0.5f + (float)random.NextDouble());
                    return "scale";
                case 5:
                    rig["Hips"].GetComponent<Renderer>().isVisible ^= true;
                    return "seen";
                case 6:
                    rig.Animator.solveTime = random.Next(2) == 0 ? SolveTime.AfterAnimation : SolveTime.LateUpdate;
                    return "solve time";
                case 7:
                    rig.Root.GetComponent<Animator>().updateMode = (AnimatorUpdateMode)random.Next(3);
                    return "update mode";
                case 8:
                    rig.Animator.detailLevel = (DetailLevel)random.Next(5);
                    return "level";
                case 9:
                    world.budgetMilliseconds = random.Next(2) == 0 ? 0f : 1e-4f;
                    world.Refresh();
                    return "budget";
                case 10:
                    rig.Animator.RebuildRig();
                    return "rebuild";
                case 11:
                    Time.timeScale = random.Next(3) * 0.5f;
                    return "time scale";
                case 12:
                    SinewRuntime.ReleaseAll();
                    return "release";
                case 13:
                    rig.Root.transform.position += new Vector3(random.Next(-3, 4), 0f, random.Next(-3, 4));
                    return "teleport";
                case 14:
                    if (random.Next(3) > 0) return "nothing";
                    UnityEngine.Object.DestroyImmediate(rig.Root);
                    return "destroy";
                default:
                    rig.Animator.goalLifetime = (GoalLifetime)random.Next(3);
                    return "lifetime";
            }
        }
    }
}
