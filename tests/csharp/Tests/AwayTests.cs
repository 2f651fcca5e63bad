using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Characters that are away for a while: scaled to nothing, or seen by no
    /// camera.</summary>
    public sealed class AwayTests
    {
        private const float Step = 1f / 60f;
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        [TearDown]
        public void JobsAsBefore()
        {
            SinewRuntime.JobThreshold = 8;
        }

        // An effect shrinks a character to nothing, or to a line, and lets it grow again.
        private static readonly Vector3[] nothings = { Vector3.zero, new Vector3(1f, 0f, 1f), Vector3.one * 1e-20f };

        private static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        private static void AssertSilent(string when)
        {
            Assert.AreEqual(0, Debug.Lines.Count, when + ": " + string.Join(" | ", Debug.Lines.ToArray()));
        }

        // A person with every kind of constraint, all of them within reach.
        private static void Constrain(TestRig rig)
        {
            SinewTwoBone limb = rig["RightHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = At(goal);
            SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
            chain.target = At(new Vector3(-0.3f, 1.2f, 0.3f));
            SinewAim aim = rig["Head"].gameObject.AddComponent<SinewAim>();
            aim.target = At(new Vector3(1f, 1.6f, 3f));
            SinewCopyRotation copy = rig["LeftUpperLeg"].gameObject.AddComponent<SinewCopyRotation>();
            copy.source = rig["RightUpperLeg"];
            SinewSpline spline = rig["UpperChest"].gameObject.AddComponent<SinewSpline>();
            spline.jointCount = 3;
            spline.points = new[] { At(new Vector3(0f, 1.02f, 0f)), At(new Vector3(0.02f, 1.15f, 0f)), At(new Vector3(0.03f, 1.2f, 0f)), At(new Vector3(0.05f, 1.27f, 0f)) };
            rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
        }

        [Test]
        public void ConstraintsAreSilentAtAScaleOfZeroAndComeBack()
        {
            foreach (int threshold in new[] { 8, 1 })
            foreach (bool isAnimated in new[] { true, false })
            foreach (Vector3 nothing in nothings)
            {
                SinewRuntime.JobThreshold = threshold;
                string when = "scale " + nothing + (isAnimated ? ", animated" : ", without animation") + ", threshold " + threshold;
                TestRig rig = new TestRig();
                rig.PoseIdle();
                TransformData[] idle = rig.Snapshot();
                if (isAnimated) Player.Animation = delegate { rig.Apply(idle); };
                rig.Start();
                Constrain(rig);
                // A bone that a callback turns is turned in the pass alone.
                rig.Root.AddComponent<Script>().Do = delegate { rig["RightUpperLeg"].localRotation *= Quaternion.Euler(0f, 0f, 5f); };
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                TransformData[] solved = rig.Snapshot();
                int forearm = System.Array.IndexOf(rig.HumanNames, "RightLowerArm");
                Assert.Greater(Quaternion.Angle(idle[forearm].Rotation, solved[forearm].Rotation), 1.0, "the limb, " + when);
                rig.Root.transform.localScale = nothing;
                for (int i = 0; i < 3; i++)
                {
                    Player.Frame(Step);
                    rig.AssertPose(idle, "as animated, " + when);
                }
                AssertSilent(when);
                rig.Root.transform.localScale = Vector3.one;
                Player.Frame(Step);
                rig.AssertPose(solved, "back again, " + when);
                AssertSilent("back again, " + when);
                Player.Clear();
            }
        }

        [Test]
        public void ABodyAtAScaleOfZeroIsSilentAndComesBack()
        {
            foreach (SinewBodyMode mode in new[] { SinewBodyMode.Converge, SinewBodyMode.Track })
            foreach (Vector3 nothing in nothings)
            {
                string when = mode + ", scale " + nothing;
                TestRig rig = new TestRig();
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.mode = mode;
                body.root = SinewBodyRoot.Fixed;
                body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal) });
                rig.Root.SetActive(true);
                Player.Animation = rig.PoseIdle;
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "before, " + when);
                rig.Root.transform.localScale = nothing;
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                AssertSilent(when);
                Assert.AreEqual((int)SinewStatus.Inactive, body.outcome.status, "outcome, " + when);
                Assert.AreEqual((int)SinewStatus.Inactive, body.effectors[0].outcome.status, "outcome of the effector, " + when);
                body.effectors[0].target.position = goal + new Vector3(0.1f, 0.1f, 0f);
                rig.Root.transform.localScale = Vector3.one;
                Player.Frame(Step);
                TestRig.AssertNear(body.effectors[0].target.position, rig["RightHand"].position, 2e-3f, "the first frame afterwards, " + when);
                AssertSilent("afterwards, " + when);
                Player.Clear();
            }
        }

        [Test]
        public void ABodyThatStartsAtAScaleOfZeroComesWithItsScale()
        {
            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal) });
            rig.Root.transform.localScale = Vector3.zero;
            Player.Animation = rig.PoseIdle;
            rig.Root.SetActive(true);
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            for (int i = 1; i <= 10; i++)
            {
                rig.Root.transform.localScale = Vector3.one * (0.1f * i);
                Player.Frame(Step);
            }
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the hand");
            AssertSilent("a body that grows");
        }

        [Test]
        public void ATieOfABodyAtAScaleOfZeroIsSilentAndComesBack()
        {
            Pair pair = new Pair();
            pair.AssertMeets(true, "before");
            pair.Second.Root.transform.localScale = Vector3.zero;
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            AssertSilent("one is scaled away");
            Assert.AreEqual(0f, pair.Ties.ties[0].gap, "gap of a tie that does nothing");
            pair.Second.Root.transform.localScale = Vector3.one;
            pair.AssertMeets(true, "afterwards");
            AssertSilent("afterwards");
        }

        // Two people who face each other and hold hands.
        private sealed class Pair
        {
            internal readonly TestRig First = new TestRig(), Second = new TestRig();
            internal readonly SinewBody One, Two;
            internal readonly SinewBodyTies Ties;

            internal Pair()
            {
                One = First.Root.AddComponent<SinewBody>();
                Two = Second.Root.AddComponent<SinewBody>();
                Second.Root.transform.position = new Vector3(0f, 0f, 0.8f);
                Second.Root.transform.rotation = Quaternion.Euler(0f, 180f, 0f);
                One.root = Two.root = SinewBodyRoot.Fixed;
                One.effectors.Add(new SinewBodyEffector { joint = First["RightHand"] });
                Two.effectors.Add(new SinewBodyEffector { joint = Second["LeftHand"] });
                Ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
                Ties.ties.Add(new SinewEffectorTie { first = One, second = Two });
                Player.Animation = delegate
                {
                    First.PoseIdle();
                    Second.PoseIdle();
                };
            }

            internal void AssertMeets(bool meets, string when)
            {
                First.Root.SetActive(true);
                Second.Root.SetActive(true);
                Player.Frame(Step);
                float apart = Vector3.Distance(First["RightHand"].position, Second["LeftHand"].position);
                Assert.AreEqual(meets, apart < 4e-3f, when + ": " + apart);
            }
        }

        private static Renderer Clothe(TestRig rig, out Animator unity)
        {
            unity = rig.AddUnityAnimator(false);
            unity.write = rig.PoseIdle;
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            Renderer skin = rig["Hips"].gameObject.AddComponent<Renderer>();
            skin.isVisible = true;
            return skin;
        }

        [Test]
        public void ACulledBodyIsNotSolvedAndComesBackOnItsGoals()
        {
            foreach (SinewBodyMode mode in new[] { SinewBodyMode.Converge, SinewBodyMode.Track })
            {
                TestRig rig = new TestRig();
                Animator unity;
                Renderer skin = Clothe(rig, out unity);
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.mode = mode;
                body.goalVelocity = 1f;
                body.root = SinewBodyRoot.Fixed;
                int solves = 0;
                body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = At(goal) });
                body.effectors.Add(new SinewBodyEffector { kind = SinewBodyTaskKind.Host, joint = rig["LeftHand"], y = false, z = false, rows = delegate { solves++; } });
                rig.Root.SetActive(true);
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "seen, " + mode);
                Assert.Greater(solves, 0, "solves");
                TransformData[] last = rig.Snapshot();

                skin.isVisible = false;
                solves = 0;
                Transform target = body.effectors[0].target;
                for (int i = 0; i < 30; i++)
                {
                    target.position = goal + new Vector3(0.005f, 0.005f, 0f) * i;
                    Player.Frame(Step);
                }
                Assert.AreEqual(0, solves, "solves that nobody sees, " + mode);
                rig.AssertPose(last, "nobody sees it, " + mode);
                Assert.AreEqual((int)SinewStatus.Inactive, body.outcome.status, "outcome that nobody sees, " + mode);

                skin.isVisible = true;
                for (int i = 0; i < 5; i++)
                {
                    Player.Frame(Step);
                    TestRig.AssertNear(target.position, rig["RightHand"].position, 2e-3f, "frame " + i + " after it is seen again, " + mode);
                }
                // As the Animator: with Always Animate nobody needs to see it.
                skin.isVisible = false;
                unity.cullingMode = AnimatorCullingMode.AlwaysAnimate;
                target.position = goal;
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "always animated, " + mode);
                Player.Clear();
            }
        }

        [Test]
        public void HandsThatAreHeldMeetAsLongAsOneOfTheTwoIsSeen()
        {
            Animator unity;
            Renderer[] skins = new Renderer[2];
            Pair pair = new Pair();
            skins[0] = Clothe(pair.First, out unity);
            skins[1] = Clothe(pair.Second, out unity);
            Player.Animation = null;
            pair.AssertMeets(true, "both are seen");
            Transform mover = pair.Second.Root.transform;
            skins[1].isVisible = false;
            mover.position += new Vector3(0.1f, 0.05f, 0f);
            pair.AssertMeets(true, "one is seen");
            skins[0].isVisible = false;
            mover.position += new Vector3(0.1f, 0.05f, 0f);
            pair.AssertMeets(false, "nobody is seen");
            skins[1].isVisible = true;
            pair.AssertMeets(true, "the other is seen");
            AssertSilent("hands that are held");
        }

        // While a figure is scaled away, its player goes on moving and the trackers report.
        [Test]
        public void ATrackedBodyAtAScaleOfZeroIsSilentAndComesBackAtOnce()
        {
            TestRig rig = new TestRig().Start();
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>();
            body.trackers.Clear();
            SinewTrackerRole[] roles = { SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand };
            foreach (SinewTrackerRole role in roles)
                body.trackers.Add(new SinewTracker(role, At(rig[role.ToString()].position)));
            Player.Animation = rig.PoseIdle;
            Player.Frame(Step);
            Assert.IsTrue(body.Calibrate());
            Transform hand = body.trackers[2].source;
            for (int frame = 0; frame < 180; frame++)
            {
                float t = frame * Step;
                bool isAway = frame >= 60 && frame < 120;
                rig.Root.transform.localScale = isAway ? Vector3.zero : Vector3.one;
                hand.position = new Vector3(0.35f + 0.1f * Mathf.Sin(2f * t), 1.2f + 0.1f * Mathf.Cos(2f * t), 0.3f);
                Player.Frame(Step);
                if (!isAway) TestRig.AssertNear(hand.position, rig["RightHand"].position, 0.015f, "the hand in frame " + frame);
            }
            AssertSilent("scaled away for a second");
        }

        // Players whom nobody looks at for a while.
        [Test]
        public void ATrackedBodyThatIsCulledIsOnItsTrackersWhenItIsSeen()
        {
            TestRig rig = new TestRig(), twin = new TestRig();
            Animator unity;
            Renderer skin = Clothe(rig, out unity), other = Clothe(twin, out unity);
            rig.Start();
            twin.Start();
            twin.Root.transform.position = new Vector3(5f, 0f, 0f);
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>(), remote = twin.Root.AddComponent<SinewTrackedBody>();
            body.trackers.Clear();
            remote.isRemote = true;
            SinewTrackerRole[] roles = { SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand };
            foreach (SinewTrackerRole role in roles)
                body.trackers.Add(new SinewTracker(role, At(rig[role.ToString()].position)));
            Player.Frame(Step);
            Assert.IsTrue(body.Calibrate());
            Transform hand = body.trackers[2].source;
            byte[] packet = new byte[NativeTrackedBody.PacketSize];
            for (int frame = 0; frame < 300; frame++)
            {
                float t = frame * Step;
                bool isAway = frame >= 60 && frame < 240;
                skin.isVisible = other.isVisible = !isAway;
                hand.position = new Vector3(0.35f + 0.1f * Mathf.Sin(2f * t), 1.2f + 0.1f * Mathf.Cos(2f * t), 0.3f);
                Player.Frame(Step);
                int size = body.Pack(packet);
                if (size > 0) remote.Receive(packet, size);
                if (isAway) continue;
TestRig.AssertNear(hand.position, rig["RightHand"].position, 0.015f, "the hand in frame " + frame);
                Vector3 there = hand.position + twin.Root.transform.position;
                if (frame > 20) TestRig.AssertNear(there, twin["RightHand"].position, 0.05f, "the remote hand in frame " + frame);
            }
            AssertSilent("culled");
        }

        [Test]
        public void AGrounderAtAScaleOfZeroIsSilentAndStandsWhereItComesBack()
        {
            foreach (bool isCulled in new[] { false, true })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                unity.write = rig.PoseIdle;
                unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
                Renderer skin = rig["Hips"].gameObject.AddComponent<Renderer>();
                skin.isVisible = true;
                rig.Start();
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), delegate (float x, float z) { return 0f; });
                for (int i = 0; i < 30; i++) Player.Frame(Step);
                Assert.IsTrue(grounder.isLeftFootPlanted && grounder.isRightFootPlanted, "it stands");
                Vector3 before = rig["LeftFoot"].position;
                if (isCulled) skin.isVisible = false;
                else rig.Root.transform.localScale = Vector3.zero;
                for (int i = 0; i < 10; i++) Player.Frame(Step);
                rig.Root.transform.position = new Vector3(7f, 0f, 3f);
                for (int i = 0; i < 10; i++) Player.Frame(Step);
                rig.Root.transform.localScale = Vector3.one;
                skin.isVisible = true;
                for (int i = 0; i < 30; i++)
                {
                    Player.Frame(Step);
                    TestRig.AssertNear(before + rig.Root.transform.position, rig["LeftFoot"].position, 0.02f, "the foot in frame " + i + " elsewhere, culled " + isCulled);
                }
                Assert.IsTrue(grounder.isLeftFootPlanted && grounder.isRightFootPlanted, "it stands elsewhere");
                AssertSilent("a grounder, culled " + isCulled);
                Player.Clear();
            }
        }

        // A first-person view hides the head by its scale.
        [Test]
        public void AHeadAtAScaleOfZeroStopsNothing()
        {
            TestRig rig = new TestRig();
            rig["Head"].localScale = Vector3.zero;
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], target = At(new Vector3(-0.3f, 1.2f, 0.3f)) });
            rig.Start();
            Player.Animation = rig.PoseIdle;
            SinewAim aim = rig["Head"].gameObject.AddComponent<SinewAim>();
            aim.target = At(new Vector3(1f, 1.6f, 3f));
            for (int i = 0; i < 3; i++)
            {
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                rig.Animator.SetLookAtPosition(new Vector3(1f, 1.6f, 3f));
                rig.Animator.SetLookAtWeight(1f, 0.2f, 1f, 1f, 0.5f);
                Player.Frame(Step);
                TestRig.AssertNear(new Vector3(-0.3f, 1.2f, 0.3f), rig["LeftHand"].position, 3e-3f, "the hand of the body");
            }
            body.enabled = false;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand of the animator");
            AssertSilent("a head at a scale of zero");
        }
    }
}
