using System;
using System.Diagnostics;
using System.Reflection;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>
    /// A frame allocates no managed memory: the runtime's count of bytes allocated by this thread
    /// does not move (Mono 6.8 and CoreCLR 3.1 have it, found by name because .NET Framework has
    /// not). Without such a count, garbage collections are counted with a small nursery
    /// (MONO_GC_PARAMS=nursery-size=256k, set by build-and-run.sh), which one small object per
    /// frame fills within the frames measured. The control shows that the measure sees just that.
    /// </summary>
    public sealed class AllocationTests
    {
        private const int Frames = 20000;
        private object kept;

        [Test]
        public void AFrameAllocatesNothing()
        {
            TestRig[] rigs = { Busy(false), Busy(true) };
            foreach (TestRig rig in rigs) AddConstraints(rig);
            Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), Ground);
            foreach (TestRig rig in rigs) rig.Root.AddComponent<SinewGrounder>();
            TestRig listed = new TestRig().Start();
            SinewGrounder legs = listed.Root.AddComponent<SinewGrounder>();
            foreach (string side in new[] { "Left", "Right" })
                legs.legs.Add(new SinewGroundLeg(listed[side + "Foot"], listed[side + "Toes"]) { group = side == "Left" ? 0 : 1 });
            legs.stepping = true;
            SinewTrackedBody tracked = Tracked();
            for (int i = 0; i < 50; i++) Player.Frame(0.02f);
            Assert.AreEqual(0L, Allocated(delegate { Player.Frame(0.02f); }), "bytes or collections in " + Frames + " frames");
            Assert.AreEqual(1f, tracked.trackers[3].presence, "the tracked body was solved");
            foreach (TestRig rig in rigs)
                Assert.IsTrue(rig.Animator.GetIKOutcome(AvatarIKGoal.RightHand).IsReached, rig.Animator.GetIKOutcome(AvatarIKGoal.RightHand).ToString());
        }

        [Test]
        public void AFrameOfABodyAllocatesNothing()
        {
            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.mode = SinewBodyMode.Track;
            Transform target = new GameObject("Target").transform;
            target.position = new Vector3(0.3f, 1.2f, 0.3f);
            foreach (string joint in new[] { "RightHand", "LeftHand" })
                body.effectors.Add(new SinewBodyEffector { joint = rig[joint], target = target, matchRotation = true, blend = 0.5f });
            rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            rig.Root.SetActive(true);
            // CoreCLR compiles what ran often once more within this time, which allocates once.
            Stopwatch warm = Stopwatch.StartNew();
            while (warm.ElapsedMilliseconds < 1000) Player.Frame(0.02f);
            Assert.AreEqual(0L, Allocated(delegate { Player.Frame(0.02f); }), "bytes or collections in " + Frames + " frames");
            Assert.AreEqual(2, rig.Root.GetComponent<SinewBody>().effectors.Count);
        }

        /// <summary>A body of trackers, half of its weight, that packs nothing and calls nobody.</summary>
        private static SinewTrackedBody Tracked()
        {
            TestRig rig = new TestRig().Start();
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>();
            body.trackers.Clear();
            foreach (string bone in new[] { "Head", "LeftHand", "RightHand", "Hips" })
            {
                Transform tracker = new GameObject(bone).transform;
                tracker.position = rig[bone].position;
                body.trackers.Add(new SinewTracker((SinewTrackerRole)Enum.Parse(typeof(SinewTrackerRole), bone), tracker));
            }
            Player.Frame(0.02f);
            Assert.IsTrue(body.Calibrate());
            body.weight = 0.5f;
            return body;
        }

        private static float Ground(float x, float z)
        {
            return 0.05f;
        }

        // Characters of a pool come and go; enough of them for transform jobs.
        [Test]
        public void ACrowdThatChangesAllocatesNothing()
        {
            TestRig[] rigs = new TestRig[20];
            for (int i = 0; i < rigs.Length; i++)
            {
                rigs[i] = new TestRig().Start();
                rigs[i].Root.AddComponent<BareScript>();
            }
            int number = 0;
            Action change = delegate
            {
                GameObject root = rigs[number++ % 10].Root;
                root.SetActive(!root.activeSelf);
                Player.Frame(0.02f);
            };
            int runs = UnityEngine.Jobs.IJobParallelForTransformExtensions.Runs;
            for (int i = 0; i < 100; i++) change();
            Assert.Greater(UnityEngine.Jobs.IJobParallelForTransformExtensions.Runs, runs, "jobs");
            Assert.AreEqual(0L, Allocated(change, 2000), "bytes or collections in 2000 frames");
        }

        // Characters that are scaled away, culled, off and put off by the budget, by turns.
        [Test]
        public void CharactersThatAreAwayByTurnsAllocateNothing()
        {
            TestRig[] rigs = new TestRig[20];
            Renderer[] skins = new Renderer[rigs.Length];
            SinewConstraint[] tails = new SinewConstraint[rigs.Length];
            for (int i = 0; i < rigs.Length; i++)
            {
                TestRig rig = rigs[i] = new TestRig();
                rig.AddUnityAnimator(false).cullingMode = AnimatorCullingMode.CullUpdateTransforms;
                skins[i] = rig["Hips"].gameObject.AddComponent<Renderer>();
                skins[i].isVisible = true;
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], pin = true });
                body.maxWork = 100;
                rig.Start();
                rig.Root.AddComponent<BareScript>();
                if (i % 4 == 0) rig.Root.AddComponent<SinewTrackedBody>();
                tails[i] = rig.Animator.AddChain(rig["RightHand"], 3);
            }
            SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
            world.budgetMilliseconds = 1e-4f;
            world.Refresh();
            int number = 0;
            long cut = 0;
            Action change = delegate
            {
                int at = ++number % rigs.Length, turn = number / rigs.Length % 6;
                SinewAnimator animator = rigs[at].Animator;
                rigs[at].Root.transform.localScale = turn == 1 ? Vector3.zero : Vector3.one;
                skins[at].isVisible = turn != 3;
                animator.detailLevel = turn == 5 ? DetailLevel.Off : turn == 4 ? DetailLevel.EveryNth : DetailLevel.FewerIterations;
                animator.SetConstraintWeight(tails[at], 1f);
                animator.SetConstraintPosition(tails[at], new Vector3(0.3f, 1.2f, 0.3f));
                animator.SetConstraintRotation(tails[at], Quaternion.identity);
                animator.SetConstraintPole(tails[at], Vector3.forward);
                Player.Frame(0.02f);
                cut += world.report.cut;
            };
            for (int i = 0; i < 400; i++) change();
            Assert.AreEqual(0L, Allocated(change, 1000), "bytes or collections in 1000 frames");
            Assert.Greater(cut, 1000L, "put off");
        }

        [Test]
        public void OneCharacterThatComesAndGoesAllocatesNothing()
        {
            TestRig rig = new TestRig().Start();
            Action change = delegate
            {
                rig.Root.SetActive(!rig.Root.activeSelf);
                Player.Frame(0.02f);
            };
            for (int i = 0; i < 100; i++) change();
            Assert.AreEqual(0L, Allocated(change, 2000), "bytes or collections in 2000 frames");
        }

        [Test]
        public void TheMeasureSeesOneSmallObjectPerFrame()
        {
            TestRig rig = Busy(false);
            for (int i = 0; i < 50; i++) Player.Frame(0.02f);
            long seen = Allocated(delegate
            {
                Player.Frame(0.02f);
                kept = new object();
            });
            Assert.Greater(seen, 0, "bytes or collections with one object of 16 bytes per frame");
            Assert.IsTrue(kept != null && rig.Animator.isHuman);
        }

        // Bytes allocated in all frames if the runtime knows them, else garbage collections.
        private static long Allocated(Action frame, int frames = Frames)
        {
            MethodInfo counter = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", Type.EmptyTypes);
            Func<long> measure = Collections;
            if (counter != null) measure = (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), counter);
            measure();
            frame();
            GC.Collect();
            GC.WaitForPendingFinalizers();
            GC.Collect();
            long before = measure();
            for (int i = 0; i < frames; i++) frame();
            return measure() - before;
        }

        private static long Collections()
        {
            return GC.CollectionCount(0);
        }

        // One constraint of every kind, with limits, on the left side and the feet, which the goals
        // leave alone.
        private static void AddConstraints(TestRig rig)
        {
            Transform target = new GameObject("Target").transform;
            target.position = new Vector3(-0.3f, 1.2f, 0.3f);
            SinewJointLimits limits = rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.limitY = true;
            SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
            chain.target = chain.pole = target;
            chain.matchRotation = true;
            SinewTwoBone limb = rig["LeftFoot"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = limb.pole = target;
            limb.weight = 0.5f;
            SinewAim aim = rig["LeftEye"].gameObject.AddComponent<SinewAim>();
            aim.target = target;
            SinewCopyRotation copy = rig["LeftToes"].gameObject.AddComponent<SinewCopyRotation>();
            copy.source = target;
            SinewSpline spline = rig["LeftMiddleProximal"].gameObject.AddComponent<SinewSpline>();
            spline.enabled = false;
            spline.points = new[] { rig["LeftUpperArm"], target };
            spline.weight = 0.25f;
            spline.enabled = true;
            foreach (ConstraintBehaviour each in rig.Root.GetComponentsInChildren<ConstraintBehaviour>(false)) each.inertializationTime = 0.3f;
        }

        // Everything at once: goals, hints, look-at, body, bone rotations, getters, outcomes.
        private static TestRig Busy(bool withUnity)
        {
            TestRig rig = new TestRig();
            if (withUnity) rig.AddUnityAnimator(true).write = rig.PoseIdle;
            rig.Start();
            rig.PoseIdle();
            rig.Animator.leftHandInertializationTime = rig.Animator.rightFootInertializationTime = 0.2f;
            rig.Animator.spineWeight = rig.Animator.leftHandPullWeight = 0.5f;
            rig.Root.AddComponent<BareScript>();
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                for (int i = 0; i < 4; i++)
                {
                    AvatarIKGoal goal = (AvatarIKGoal)i;
                    AvatarIKHint hint = (AvatarIKHint)i;
                    animator.SetIKPosition(goal, animator.GetIKPosition(goal) + new Vector3(0.01f, 0.02f, 0.03f));
                    animator.SetIKRotation(goal, animator.GetIKRotation(goal));
                    animator.SetIKPositionWeight(goal, 1f);
                    animator.SetIKRotationWeight(goal, 1f);
                    animator.SetIKHintPosition(hint, animator.GetIKHintPosition(hint) + Vector3.forward);
                    animator.SetIKHintPositionWeight(hint, animator.GetIKPositionWeight(goal));
                    animator.GetIKOutcome(goal);
                }
                animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.3f, 1.2f, 0.3f));
                animator.SetLookAtPosition(new Vector3(0.5f, 1.5f, 1f));
                animator.SetLookAtWeight(1f, 0.3f, 0.8f, 0.5f, 0.4f);
                animator.bodyPosition = animator.bodyPosition + new Vector3(0f, -0.02f, 0f);
                animator.bodyRotation = animator.bodyRotation;
                animator.SetBoneLocalRotation(HumanBodyBones.Neck, Quaternion.Euler(5f, 0f, 0f));
                animator.GetLookAtOutcome();
                animator.spineWeight = 1f - animator.spineWeight;
                animator.SetIKRotationBone(AvatarIKGoal.LeftHand, animator.GetIKRotationBone(AvatarIKGoal.LeftHand));
                if (!animator.IsInertializing(AvatarIKGoal.LeftHand)) animator.Inertialize(AvatarIKGoal.LeftHand);
                animator.normalizedTime = (animator.normalizedTime + 0.01f) % 2f;
                MatchTargetWeightMask mask = new MatchTargetWeightMask(Vector3.one, 0f);
                animator.MatchTarget(Vector3.zero, Quaternion.identity, AvatarTarget.Body, mask, 0.1f, 0.9f);
                if (animator.isMatchingTarget) animator.SetTarget(AvatarTarget.LeftFoot, 1f);
                animator.rootPosition = Vector3.zero;
                animator.GetBoneTransform(HumanBodyBones.Head);
            };
            return rig;
        }
    }
}
