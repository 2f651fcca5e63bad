using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Mapping reports, what avatars and animators return, and solves on plain
    /// arrays.</summary>
    public sealed unsafe class ReadBackTests
    {
        [Test]
        public void AMappingComesWithEvidenceShapeAndText()
        {
            using (NativeSkeleton skeleton = Natives.Skeleton())
            {
                SinewMappingReport report;
                SinewMappedBone[] bones = skeleton.MapHumanBones(NativeSkeleton.DefaultMappingHints(), out report);
                int found = 0;
                for (int bone = 0; bone < bones.Length; bone++)
                {
                    Assert.AreEqual(Natives.HumanJoints[bone], bones[bone].joint, ((SinewHumanBone)bone).ToString());
                    if (bones[bone].joint < 0) continue;
                    Assert.AreEqual(SinewEvidence.Name, (SinewEvidence)bones[bone].evidence);
                    Assert.Greater(bones[bone].confidence, 0.5f);
                    found++;
                }
                Assert.AreEqual(SinewBodyShape.Humanoid, (SinewBodyShape)report.shape);
                Assert.AreEqual((uint)found, report.found_count);
                Assert.AreEqual(0u, report.missing_count);
                string text = skeleton.DescribeMapping(NativeSkeleton.DefaultMappingHints());
                Assert.IsTrue(text.Contains("LeftHand: joint " + Natives.HumanJoints[(int)SinewHumanBone.LeftHand]), text);
                SinewMappingHints wrong = NativeSkeleton.DefaultMappingHints();
                wrong.flags = 64;
                Assert.Throws<SinewException>(delegate { skeleton.MapHumanBones(wrong, out report); });
                Assert.Throws<SinewException>(delegate { skeleton.DescribeMapping(wrong); });
            }
        }

        [Test]
        public void ARigWithoutNamesHasItsSidesAsInUnity()
        {
            TestRig rig = new TestRig("*");
            SinewAnimator animator = rig.Start().Animator;
            Player.Frame(0.02f);
            Assert.IsTrue(animator.isHuman, animator.rigDescription);
            Assert.AreEqual(rig["LeftFoot"], animator.GetBoneTransform(HumanBodyBones.LeftFoot));
            Assert.IsTrue(animator.DescribeMapping().Contains("LeftHand: joint "), animator.DescribeMapping());
            Assert.IsTrue(SinewRuntime.DescribeMapping(rig.Root.transform).Contains("LeftHand: joint "), SinewRuntime.DescribeMapping(rig.Root.transform));
            Assert.IsNotNull(animator.nativeAvatar);
        }

        [Test]
        public void AnAvatarReturnsTPoseRangesAndGoalConstants()
        {
            SinewHumanRange own = NativeAvatar.DefaultHumanRange(SinewHumanBone.LeftUpperLeg);
            own.bend_max_rad = 1.25f;
            AvatarOptions options = new AvatarOptions { HumanRanges = new[] { own } };
            using (NativeSkeleton skeleton = Natives.Skeleton())
            using (NativeAvatar avatar = new NativeAvatar(skeleton, Natives.HumanJoints, Natives.Rest, options))
            using (NativeAnimator animator = new NativeAnimator(skeleton, avatar))
            {
                SinewTransform[] pose = new SinewTransform[skeleton.JointCount];
                avatar.GetTPose(pose);
                for (int i = 0; i < pose.Length; i++) Assert.AreEqual(Natives.Rest[i], pose[i]);
                Assert.Throws<SinewException>(delegate { avatar.GetTPose(new SinewTransform[1]); });
                Assert.AreEqual(own, avatar.GetHumanRange(SinewHumanBone.LeftUpperLeg));
                SinewHumanRange other = NativeAvatar.DefaultHumanRange(SinewHumanBone.RightUpperLeg);
                Assert.AreEqual(other, avatar.GetHumanRange(SinewHumanBone.RightUpperLeg));
                Assert.AreEqual(animator.HumanScale, avatar.HumanScale);
                Assert.AreEqual(animator.LeftFeetBottomHeight, avatar.GetBottomHeight(SinewIkGoal.LeftFoot));
                Assert.AreEqual(0f, avatar.GetBottomHeight(SinewIkGoal.RightHand));
                SinewQuat constant = avatar.GetGoalFromBone(SinewIkGoal.LeftHand);
                SinewQuat bone = animator.GetIKRotationBone(SinewIkGoal.LeftHand), goal = animator.GetIKRotation(SinewIkGoal.LeftHand);
                Quaternion made = *(Quaternion*)&bone * *(Quaternion*)&constant;
                Assert.Less(Quaternion.Angle(made, *(Quaternion*)&goal), 0.01f);
            }
        }

        [Test]
        public void AnAnimatorReturnsGazeEffortAndModelFrames()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                SinewVec3 origin, direction;
                animator.GetGaze(out origin, out direction);
                Assert.Greater(direction.z, 0.999f);
                Assert.Greater(origin.y, 1.3f);
                Assert.AreEqual(1f, animator.IterationScale);
                animator.IterationScale = 0.3f;
                Assert.AreEqual(0.3f, animator.IterationScale);
                SinewModelFrame[] frames = new SinewModelFrame[animator.JointCount];
                SinewModelFrame[] plain = new SinewModelFrame[animator.JointCount];
                animator.GetModelFrames(frames);
                fixed (int* parents = Natives.Parents)
                fixed (SinewModelFrame* written = plain)
                    NativeKernels.ComputeModelFrames(parents, animator.Pose, plain.Length, written);
                for (int i = 0; i < frames.Length; i++)
                {
                    // Rest rotations of the figure are identities: places add up.
                    double y = 0.0;
                    for (int joint = i; joint >= 0; joint = Natives.Parents[joint]) y += Natives.Rest[joint].position.y;
                    Assert.AreEqual(y, frames[i].position.y, 1e-5);
                    Assert.AreEqual(y, plain[i].position.y, 1e-5);
                    Assert.AreEqual(1.0, frames[i].x_axis.x, 1e-6);
                }
            }
        }

        [Test]
        public void AComponentReturnsGazeAndEffort()
        {
            TestRig rig = new TestRig();
            SinewAnimator animator = rig.Start().Animator;
            Player.Frame(0.02f);
            Transform head = rig["Head"];
            Ray ray = animator.gazeRay;
            Assert.Less(Vector3.Angle(head.forward, ray.direction), 0.1f);
            Assert.Less(Vector3.Distance(head.position, ray.origin), 0.25f);
            rig.Root.transform.rotation = Quaternion.Euler(0f, 90f, 0f);
            Player.Frame(0.02f);
            Assert.Less(Vector3.Angle(Vector3.right, animator.gazeRay.direction), 0.1f);
            Assert.AreEqual(1f, animator.iterationScale);
            animator.iterationScale = 0.25f;
            Assert.AreEqual(0.25f, animator.nativeAnimator.IterationScale);
            animator.RebuildRig();
            Assert.AreEqual(0.25f, animator.nativeAnimator.IterationScale, "it outlives the native animator");
        }

        [Test]
        public void AChainOfArraysReaches()
        {
            SinewChainJob job = NativeKernels.DefaultChainJob();
            SinewConstraintGoal goal = NativeAnimator.DefaultConstraintGoal();
            goal.set = SinewConstants.SINEW_CONSTRAINT_POSITION;
            goal.position = Natives.Vec(0.3f, 0.9f, 0.2f);
            int[] parents = { -1, 0, 1, 2, 3 };
            SinewTransform[] rest = new SinewTransform[parents.Length];
            for (int i = 0; i < rest.Length; i++)
            {
                rest[i] = Natives.Identity;
                rest[i].position = Natives.Vec(0f, i == 0 ? 0.5f : 0.25f, 0f);
            }
            SinewTransform[] pose = (SinewTransform[])rest.Clone();
            SinewChainEnd end = new SinewChainEnd { joint = 4 };
            Outcome outcome = NativeKernels.Solve(job, parents, rest, null, end, goal, pose);
            Assert.IsTrue(outcome.IsReached);
            SinewModelFrame[] frames = new SinewModelFrame[pose.Length];
            fixed (int* p = parents)
            fixed (SinewTransform* t = pose)
            fixed (SinewModelFrame* f = frames)
                NativeKernels.ComputeModelFrames(p, t, frames.Length, f);
            SinewVec3 tip = frames[4].position;
            Assert.Less(Vector3.Distance(new Vector3(tip.x, tip.y, tip.z), new Vector3(0.3f, 0.9f, 0.2f)), 1e-5f);
            SinewJointLimitsDef[] locked = new SinewJointLimitsDef[parents.Length];
            for (int i = 0; i < locked.Length; i++)
            {
                locked[i] = NativeAnimator.DefaultJointLimits();
                locked[i].flags = SinewConstants.SINEW_LIMIT_LOCK_X | SinewConstants.SINEW_LIMIT_LOCK_Y | SinewConstants.SINEW_LIMIT_LOCK_Z;
            }
            pose = (SinewTransform[])rest.Clone();
            outcome = NativeKernels.Solve(job, parents, rest, locked, end, goal, pose);
            Assert.IsFalse(outcome.IsReached);
            for (int i = 0; i < pose.Length; i++) Assert.AreEqual(rest[i].rotation, pose[i].rotation, "locked joint " + i);
            Assert.Throws<ArgumentException>(delegate { NativeKernels.Solve(job, parents, rest, null, end, goal, new SinewTransform[2]); });
            end.joint = 9;
            Assert.Throws<SinewException>(delegate { NativeKernels.Solve(job, parents, rest, null, end, goal, pose); });
        }
    }
}
