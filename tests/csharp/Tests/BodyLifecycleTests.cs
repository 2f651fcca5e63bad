using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>A SinewBody whose effectors, joints and limits come, go and are wrong for a
    /// while.</summary>
    public sealed class BodyLifecycleTests
    {
        private const float Step = 1f / 60f;
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private static TestRig Person(out SinewBody body)
        {
            TestRig rig = new TestRig();
            body = rig.Root.AddComponent<SinewBody>();
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            return rig;
        }

        private static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        [Test]
        public void AnEffectorThatIsRemovedLetsGo()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            TransformData[] animated = rig.Snapshot();
            SinewBodyEffector hand = new SinewBodyEffector { joint = rig["RightHand"], target = At(goal), matchRotation = true };
            body.effectors.Add(hand);
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the hand");
            body.effectors.Clear();
            Player.Frame(Step);
            rig.AssertPose(animated, "an effector that was removed");
            Assert.AreEqual((int)SinewStatus.Inactive, hand.outcome.status, "outcome of an effector that was removed");
            // Another one in its place counts alone.
            Transform other = At(goal + new Vector3(-0.1f, 0.2f, 0.1f));
            body.effectors.Add(hand);
            Player.Frame(Step);
            body.effectors[0] = new SinewBodyEffector { joint = rig["RightHand"], target = other };
            Player.Frame(Step);
            TestRig.AssertNear(other.position, rig["RightHand"].position, 2e-3f, "the one in its place");
            // And it may go over to another body.
            SinewBody second;
            TestRig rig2 = Person(out second);
            Player.Animation = delegate
            {
                rig.PoseIdle();
                rig2.PoseIdle();
            };
            body.effectors.Clear();
            body.effectors.Add(hand);
            Player.Frame(Step);
            body.effectors.Clear();
            hand.joint = rig2["RightHand"];
            second.effectors.Add(hand);
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig2["RightHand"].position, 2e-3f, "the hand of the other body");
            rig.AssertPose(animated, "the body that it has left");
        }

        [Test]
        public void FortyGrabsAreAsGoodAsTheFirst()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            for (int i = 0; i < 40; i++)
            {
                Transform target = At(goal + new Vector3(0.01f * i, 0f, 0f));
                SinewBodyEffector hand = new SinewBodyEffector { joint = rig["RightHand"], target = target };
                body.effectors.Add(hand);
                Player.Frame(Step);
                TestRig.AssertNear(target.position, rig["RightHand"].position, 2e-3f, "grab " + i);
                body.effectors.Remove(hand);
                Player.Frame(Step);
            }
        }

        private static void AssertLogged(int count, string part, string when)
        {
            Assert.AreEqual(count, Debug.Lines.Count, when + ": " + string.Join(" | ", Debug.Lines.ToArray()));
            for (int i = 0; i < count; i++) Assert.IsTrue(Debug.Lines[i].Contains(part), when + ": " + Debug.Lines[i]);
            Debug.Lines.Clear();
        }

        // Frames with a mistake, of which a part is logged so many times, and frames without it.
        private static void AssertGoesOn(TestRig rig, Action wrong, Action right, int count, string part, bool moves)
        {
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "before " + part);
            wrong();
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            if (moves) TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "during " + part);
            AssertLogged(count, part, "three frames");
            right();
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "after " + part);
            AssertLogged(0, "", "after " + part);
        }

        [Test]
        public void AMistakeOfAFewFramesEndsWithIt()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            SinewBodyEffector hand = new SinewBodyEffector { joint = rig["RightHand"], target = At(goal) };
            SinewBodyEffector left = new SinewBodyEffector { joint = rig["LeftHand"], target = At(new Vector3(-0.3f, 1.2f, 0.3f)) };
            body.effectors.Add(left);
            body.effectors.Add(hand);
            // Beyond a range counts as its end, as in other components.
            AssertGoesOn(rig, delegate { body.weight = 1.01f; }, delegate { body.weight = 1f; }, 0, "weight 1.01", true);
            AssertGoesOn(rig, delegate { body.weight = -0.01f; }, delegate { body.weight = 1f; }, 0, "weight -0.01", false);
            AssertGoesOn(rig, delegate { hand.blend = 1.01f; }, delegate { hand.blend = 1f; }, 0, "blend 1.01", true);
            AssertGoesOn(rig, delegate { hand.importance = 0f; }, delegate { hand.importance = 1f; }, 0, "importance 0", false);
            AssertGoesOn(rig, delegate { left.level = 9; }, delegate { left.level = 0; }, 0, "level 9", true);
            AssertGoesOn(rig, delegate { left.distance = -1f; }, delegate { left.distance = 0f; }, 0, "distance -1", true);
            body.mode = SinewBodyMode.Track;
            AssertGoesOn(rig, delegate { body.feedback = -1f; }, delegate { body.feedback = 0f; }, 0, "feedback -1", true);
            AssertGoesOn(rig, delegate { body.goalVelocity = 2f; }, delegate { body.goalVelocity = 0f; }, 0, "goalVelocity 2", true);
            AssertGoesOn(rig, delegate { body.maxSpeed = -3f; }, delegate { body.maxSpeed = 0f; }, 0, "maxSpeed -3", true);
            AssertGoesOn(rig, delegate { body.longestStep = -1f; }, delegate { body.longestStep = 0f; }, 0, "longestStep -1", true);
            AssertGoesOn(rig, delegate { body.maxAcceleration = -1f; }, delegate { body.maxAcceleration = 0f; }, 0, "maxAcceleration -1", true);
            body.mode = SinewBodyMode.Converge;
            // What is no number is reported once; the settings before it count on.
            AssertGoesOn(rig, delegate { body.weight = float.NaN; }, delegate { body.weight = 1f; }, 1, "weight", false);
            AssertGoesOn(rig, delegate { body.feedback = float.NaN; }, delegate { body.feedback = 0f; }, 1, "feedback", true);
            // A mistake in one effector stops no other.
            Transform joint = left.joint, stranger = At(Vector3.zero);
            AssertGoesOn(rig, delegate { left.joint = stranger; }, delegate { left.joint = joint; }, 1, "'Target' is no joint below 'Character'", true);
            AssertGoesOn(rig, delegate { left.blend = float.NaN; }, delegate { left.blend = 1f; }, 1, "blend", true);
            AssertGoesOn(rig, delegate { body.effectors.Insert(0, null); }, delegate { body.effectors.RemoveAt(0); }, 0, "null", true);
            // The one with the mistake does nothing meanwhile, and works again afterwards.
            left.blend = float.NaN;
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Inactive, left.outcome.status, "outcome of the effector with a mistake");
            Debug.Lines.Clear();
            left.blend = 1f;
            Player.Frame(Step);
            TestRig.AssertNear(left.target.position, rig["LeftHand"].position, 2e-3f, "the left hand");
            // Without an animation that overwrites the last answer, its own pose comes back, also
            // when the object cannot be solved at all.
            body.enabled = false;
            TransformData[] animated = rig.Snapshot();
            body.enabled = true;
            Player.Animation = null;
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "without an animation");
            rig.Root.transform.localScale = Vector3.zero;
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            AssertLogged(0, "", "a scale of zero");
            rig.AssertPose(animated, "a scale of zero");
            rig.Root.transform.localScale = new Vector3(1f, 2f, 1f);
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            AssertLogged(1, "root's scale", "a scale of different sizes");
            rig.AssertPose(animated, "a scale of different sizes");
            rig.Root.transform.localScale = Vector3.one;
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the scale is back");
        }

        [Test]
        public void TiesGoOnAfterAMistake()
        {
            SinewBody one, two;
            TestRig first = Person(out one), second = Person(out two);
            second.Root.transform.position = new Vector3(0f, 0f, 0.8f);
            second.Root.transform.rotation = Quaternion.Euler(0f, 180f, 0f);
            Player.Animation = delegate
            {
                first.PoseIdle();
                second.PoseIdle();
            };
            one.root = two.root = SinewBodyRoot.Fixed;
            foreach (string joint in new[] { "RightHand", "LeftHand" })
            {
                one.effectors.Add(new SinewBodyEffector { joint = first[joint] });
                two.effectors.Add(new SinewBodyEffector { joint = second[joint] });
            }
            SinewBodyTies ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
            SinewEffectorTie bad = new SinewEffectorTie { first = one, second = two, secondEffector = 1 };
            ties.ties.Add(bad);
            ties.ties.Add(new SinewEffectorTie { first = one, firstEffector = 1, second = two });
            Action<string, bool, bool> meet = delegate (string when, bool meets, bool otherMeets)
            {
                for (int i = 0; i < 2; i++) Player.Frame(Step);
                float apart = Vector3.Distance(first["RightHand"].position, second["LeftHand"].position);
                float otherApart = Vector3.Distance(first["LeftHand"].position, second["RightHand"].position);
                Assert.AreEqual(meets, apart < 4e-3f, when + ": " + apart);
                Assert.AreEqual(otherMeets, otherApart < 4e-3f, when + ", the other tie: " + otherApart);
            };
            meet("in order", true, true);
            AssertLogged(0, "", "in order");
            bad.secondEffector = 7;
            meet("no such effector", false, true);
            AssertLogged(1, "has no effector 7", "no such effector");
            bad.secondEffector = 1;
            meet("put right", true, true);
            two.effectors[1].joint = At(Vector3.zero);
            meet("a joint of no body", false, true);
            AssertLogged(1, "is no joint below", "a joint of no body");
            two.effectors[1].joint = second["LeftHand"];
            meet("put right again", true, true);
            SinewBodyEffector left = one.effectors[0];
            one.effectors[0] = null;
            meet("an effector that is null", false, true);
            AssertLogged(1, "has no effector 0", "an effector that is null");
            one.effectors[0] = left;
            ties.ties.Insert(0, null);
            meet("a tie that is null", true, true);
            one.weight = float.NaN;
            meet("a body that cannot be solved", false, false);
            one.weight = 1f;
            Debug.Lines.Clear();
            meet("at the end", true, true);
            AssertLogged(0, "", "at the end");
        }

        // Two pairs in one component: what is wrong with one does not part the other.
        [Test]
        public void AMistakeInATieOrABodyStopsNoOtherTie()
        {
            TestRig[] rigs = new TestRig[4];
            SinewBody[] bodies = new SinewBody[4];
            for (int i = 0; i < rigs.Length; i++)
            {
                rigs[i] = Person(out bodies[i]);
                rigs[i].Root.transform.position = Vector3.right * i;
                bodies[i].effectors.Add(new SinewBodyEffector { joint = rigs[i][i % 2 == 0 ? "RightHand" : "LeftHand"] });
            }
            Player.Animation = delegate { for (int i = 0; i < rigs.Length; i++) rigs[i].PoseIdle(); };
            SinewBodyTies ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
            SinewEffectorTie bad = new SinewEffectorTie { first = bodies[2], second = bodies[3] };
            ties.ties.Add(bad);
            ties.ties.Add(new SinewEffectorTie { first = bodies[0], second = bodies[1] });
            Action<string, bool> meet = delegate (string when, bool meets)
            {
                for (int i = 0; i < 2; i++) Player.Frame(Step);
                float apart = Vector3.Distance(rigs[0]["RightHand"].position, rigs[1]["LeftHand"].position);
                float badApart = Vector3.Distance(rigs[2]["RightHand"].position, rigs[3]["LeftHand"].position);
                Assert.Less(apart, 4e-3f, when);
                Assert.AreEqual(meets, badApart < 4e-3f, when + ", the other tie: " + badApart);
            };
            meet("in order", true);
            AssertLogged(0, "", "in order");
            bad.second = bad.first;
            meet("one body", false);
            AssertLogged(1, "both effectors are of one body", "one body");
            bad.second = bodies[3];
            bad.share = float.NaN;
            meet("no share", false);
            AssertLogged(1, "share is NaN", "no share");
            bad.share = 0.5f;
            bad.rotation = new Vector3(0f, float.PositiveInfinity, 0f);
            meet("no rotation", false);
            AssertLogged(1, "rotation is not finite", "no rotation");
            bad.rotation = Vector3.zero;
            bodies[2].weight = float.NaN;
            meet("a body without weight", false);
            AssertLogged(1, "weight is NaN", "a body without weight");
            bodies[2].weight = 1f;
            rigs[2].Root.transform.localScale = new Vector3(1f, 2f, 1f);
            meet("an uneven scale", false);
            AssertLogged(1, "scale", "an uneven scale");
            rigs[2].Root.transform.localScale = Vector3.one;
            meet("put right", true);
            AssertLogged(0, "", "put right");
        }

        [Test]
        public void AMeetingThatABodyNeverReachedForIsForgotten()
        {
            SinewBody one, two;
            TestRig first = Person(out one), second = Person(out two);
            second.Root.transform.position = new Vector3(0f, 0f, 0.8f);
            Player.Animation = delegate
            {
                first.PoseIdle();
                second.PoseIdle();
            };
            one.effectors.Add(new SinewBodyEffector { joint = first["RightHand"] });
            two.effectors.Add(new SinewBodyEffector { joint = second["RightHand"] });
            Player.Frame(Step);
            TransformData[] animated = first.Snapshot();
            SinewBodyTies ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
            ties.ties.Add(new SinewEffectorTie { first = one, second = two });
            ties.Meet(Step);
            one.enabled = false; // before its solve
            ties.enabled = false;
            Player.Frame(Step);
            one.enabled = true;
            Player.Frame(Step);
            first.AssertPose(animated, "enabled again, without the tie");
        }

        [Test]
        public void DestroyedJointsStopNothingElse()
        {
            TestRig rig = new TestRig();
            Transform sword = new GameObject("Sword").transform, tip = new GameObject("Tip").transform;
            sword.SetParent(rig["LeftHand"], false);
            tip.SetParent(sword, false);
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            SinewBodyEffector hand = new SinewBodyEffector { joint = rig["RightHand"], target = At(goal) };
            SinewBodyEffector point = new SinewBodyEffector { joint = tip, target = At(new Vector3(-0.3f, 1.2f, 0.3f)) };
            body.effectors.Add(hand);
            body.effectors.Add(point);
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            body.SetMass(rig["Head"], 50f, Vector3.zero);
            Player.Frame(Step);
            TestRig.AssertNear(point.target.position, tip.position, 2e-3f, "the tip of the sword");
            NativeBody before = body.Native;
            UnityEngine.Object.Destroy(sword.gameObject);
            Player.Frame(Step);
            hand.target.position = goal + new Vector3(0f, 0.1f, 0f);
            Player.Frame(Step);
            TestRig.AssertNear(hand.target.position, rig["RightHand"].position, 2e-3f, "the hand without the sword");
            Assert.AreEqual((int)SinewStatus.Inactive, point.outcome.status, "an effector whose joint is gone");
            Assert.IsTrue(ReferenceEquals(before, body.Native), "a prop is no reason to build the body anew");
            // A joint gets another parent and the old one is destroyed: built anew, masses stay.
            Vector3 center, centerBefore;
            body.TryGetCenterOfMass(out centerBefore);
            rig["LeftHand"].SetParent(rig["UpperChest"], true);
            UnityEngine.Object.DestroyImmediate(rig["LeftUpperArm"].gameObject);
            Player.Animation = delegate { rig["RightUpperArm"].localRotation = Quaternion.Euler(0f, 0f, -70f); };
            point.joint = rig["LeftHand"];
            point.target.position = rig["LeftHand"].position + new Vector3(0f, 0.05f, 0.05f);
            Player.Frame(Step);
            TestRig.AssertNear(point.target.position, rig["LeftHand"].position, 2e-3f, "the hand below the chest");
            Assert.IsTrue(body.TryGetCenterOfMass(out center) && center.y > 1.3f, "the heavy head");
            // No model for a while, then another one.
            UnityEngine.Object.DestroyImmediate(rig["Hips"].gameObject);
            Player.Animation = null;
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Inactive, body.outcome.status, "without joints");
            Assert.AreEqual((int)SinewStatus.Inactive, hand.outcome.status, "an effector without joints");
            AssertLogged(1, "has no joint below it", "without joints");
            TestRig other = new TestRig();
            other["Hips"].SetParent(rig.Root.transform, false);
            hand.joint = other["RightHand"];
            body.effectors.Remove(point);
            Player.Frame(Step);
            TestRig.AssertNear(hand.target.position, other["RightHand"].position, 2e-3f, "the other model");
            body.enabled = false;
            body.Solve(Step);
            Assert.IsTrue(body.Native == null, "Solve of a component that is off");
        }

        private static float Elbow(TestRig rig)
        {
            return Quaternion.Angle(Quaternion.identity, rig["RightLowerArm"].localRotation);
        }

        [Test]
        public void LimitsCountFromTheFirstPoseWheneverTheBodyIsEnabled()
        {
            TestRig rig = new TestRig();
            SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.limitX = limits.limitY = limits.limitZ = true;
            limits.min = Vector3.one * -10f;
            limits.max = Vector3.one * 10f;
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            Transform target = At(rig["RightUpperArm"].position + new Vector3(0.1f, -0.1f, 0.25f));
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = target });
            rig.Root.SetActive(true);
            Action bent = delegate { rig["RightLowerArm"].localRotation = Quaternion.Euler(0f, -80f, 0f); };
            Player.Animation = bent;
            Player.Frame(Step);
            float first = Elbow(rig);
            Assert.Less(first, 17.4f, "degrees from rest with 10 per axis");
            bent();
            rig.Root.SetActive(false);
            bent();
            rig.Root.SetActive(true);
            Player.Frame(Step);
            Assert.Less(Elbow(rig), 17.4f, "degrees from rest after an enabling in another pose");
            Quaternion space = Quaternion.Inverse(rig["RightUpperArm"].rotation) * limits.WorldLimitSpace();
            TestRig.AssertNear(Quaternion.identity, space, 0.1f, "where the gizmo shows the limits");
        }

        [Test]
        public void LimitsOfABodyAreChangedWhileItRuns()
        {
            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(new Vector3(0.3f, 1.3f, 0.3f)) });
            SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            rig.Root.SetActive(true);
            Player.Animation = delegate { rig["RightLowerArm"].localRotation = Quaternion.identity; };
            Player.Frame(Step);
            Assert.Greater(Elbow(rig), 8f, "degrees of a free elbow");
            limits.lockX = limits.lockY = limits.lockZ = true;
            limits.Refresh();
            Player.Frame(Step);
            Assert.Less(Elbow(rig), 0.1f, "degrees of an elbow that Refresh() has locked");
            limits.enabled = false;
            Player.Frame(Step);
            Assert.Greater(Elbow(rig), 8f, "degrees with limits that are off");
            limits.enabled = true;
            Player.Frame(Step);
            Assert.Less(Elbow(rig), 0.1f, "degrees with limits that are on");
            // A mistake in the limits of a joint is reported with them and stops nothing.
            limits.lockX = limits.lockY = limits.lockZ = false;
            limits.limitX = true;
            limits.min.x = 50f;
            limits.max.x = -50f;
            limits.Refresh();
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            AssertLogged(1, "SinewJointLimits on 'RightLowerArm'", "a greatest angle below the least");
            Assert.IsTrue(ReferenceEquals(limits, Debug.LastContext), "the object it is about");
            Assert.Greater(Elbow(rig), 8f, "degrees with limits that are refused");
            UnityEngine.Object.DestroyImmediate(limits);
            limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.lockX = limits.lockY = limits.lockZ = true;
            limits.Refresh();
            Player.Frame(Step);
            Assert.Less(Elbow(rig), 0.1f, "degrees with limits that a script has added");
        }

        [Test]
        public void ABodyRunsAfterASinewAnimatorWhateverItsSolveTime()
        {
            foreach (SolveTime time in new[] { SolveTime.AfterAnimation, SolveTime.LateUpdate })
            {
                TestRig rig = new TestRig();
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                Transform target = At(goal);
                body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = target });
                // The left hand is where the SinewAnimator has put it.
                body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], pin = true });
                rig.Start();
                rig.Animator.solveTime = time;
                TransformData[] rest = rig.Snapshot();
                Player.Animation = delegate
                {
                    rig.Apply(rest);
                    rig.PoseIdle();
                };
                Vector3 left = new Vector3(-0.3f, 1.3f, 0.3f);
                foreach (AvatarIKGoal hand in new[] { AvatarIKGoal.LeftHand, AvatarIKGoal.RightHand })
                {
                    rig.Animator.SetIKPosition(hand, left);
                    rig.Animator.SetIKPositionWeight(hand, hand == AvatarIKGoal.LeftHand ? 1f : 0.5f);
                }
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, time + ": the body's goal");
                TestRig.AssertNear(left, rig["LeftHand"].position, 2e-3f, time + ": the hand that the body holds");
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
        }

        // A body whose function does something with its component in the middle of the solve.
        private static unsafe TestRig Meddling(System.Action<TestRig, SinewBody> does, out SinewBody body)
        {
            SinewBody made;
            TestRig rig = Person(out made);
            made.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal) });
            SinewBodyEffector own = new SinewBodyEffector { kind = SinewBodyTaskKind.Host, joint = rig["LeftHand"], y = false, z = false };
            bool isDone = false;
            own.rows = delegate
            {
                if (!isDone) does(rig, made);
                isDone = true;
            };
            made.effectors.Add(own);
            body = made;
            return rig;
        }

        [Test]
        public void AFunctionOfAnEffectorMayDisableAndDestroyTheBody()
        {
            SinewBody body;
            TestRig rig = Meddling(delegate (TestRig of, SinewBody one) { one.enabled = false; }, out body);
            TransformData[] animated = rig.Snapshot();
            Player.Animation = delegate { rig.Apply(animated); };
            Player.Frame(Step);
            Assert.IsNull(body.Native, "disabled, the native body");
            rig.AssertPose(animated, "disabled");
            body.enabled = true;
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "enabled again, the hand");
            UnityEngine.Object.DestroyImmediate(rig.Root);

            rig = Meddling(delegate (TestRig of, SinewBody one) { one.enabled = false; one.enabled = true; }, out body);
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "disabled and enabled, the hand");
            UnityEngine.Object.DestroyImmediate(rig.Root);

            Meddling(delegate (TestRig of, SinewBody one) { UnityEngine.Object.DestroyImmediate(of.Root); }, out body);
            Player.Animation = null;
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            Assert.AreEqual(0, SinewLibrary.LiveObjects, "destroyed, native objects");
        }

        [Test]
        public void AFunctionOfAnEffectorMayDestroyAJoint()
        {
            SinewBody body;
            TestRig rig = Meddling(delegate (TestRig of, SinewBody one) { UnityEngine.Object.DestroyImmediate(of["RightEye"].gameObject); }, out body);
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightEye"], target = At(new Vector3(0f, 1.7f, 0.3f)), matchRotation = true });
            for (int i = 0; i < 2; i++) Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the hand");
        }

        [Test]
        public void SolveInAFunctionOfAnEffectorDoesNothing()
        {
            SinewBody body;
            TestRig rig = Meddling(delegate (TestRig of, SinewBody one) { one.Solve(Step); one.Solve(Step); }, out body);
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the hand");
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("the solve is under way"), Debug.Lines[0]);
            Debug.Lines.Clear();
        }

        // Twenty frames with a hand's goal at a fifth of its weight; the first pose stays.
        private static void AssertNothingAddsUp(TestRig rig, string when)
        {
            TransformData[] first = null;
            for (int i = 0; i < 20; i++)
            {
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0.2f);
                Player.Frame(Step);
                first = first ?? rig.Snapshot();
            }
            rig.AssertPose(first, "frame 20" + when);
        }

        // Without animation each of the two finds what the other has left.
        [Test]
        public void WeightsDoNotAddUpBesideASinewAnimator()
        {
            foreach (SolveTime time in new[] { SolveTime.AfterAnimation, SolveTime.LateUpdate })
            {
                SinewBody body;
                TestRig rig = Person(out body);
                Player.Animation = null;
                rig.PoseIdle();
                rig.Start();
                rig.Animator.solveTime = time;
                body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal + Vector3.up * 0.3f), blend = 0.2f });
                body.effectors.Add(new SinewBodyEffector { joint = rig["Head"], target = At(new Vector3(0.2f, 1.4f, 0.1f)), blend = 0.5f });
                AssertNothingAddsUp(rig, ", " + time);
                body.enabled = false;
                Player.Frame(Step);
                TransformData[] alone = rig.Snapshot();
                Player.Frame(Step);
                rig.AssertPose(alone, "without the body, " + time);
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
        }

        [Test]
        public void SeveralBodiesBesideASinewAnimatorGiveWayInTurn()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Animation = null;
            rig.PoseIdle();
            rig.Start();
            SinewBody arm = rig["Spine"].gameObject.AddComponent<SinewBody>();
            body.root = arm.root = SinewBodyRoot.Fixed;
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal + Vector3.up * 0.2f), blend = 0.2f });
            arm.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal - Vector3.up * 0.2f), blend = 0.2f });
            AssertNothingAddsUp(rig, "");
        }
    }
}
