using System;
using System.IO;
using System.Threading;
using NUnit.Framework;
using Sinew.Interop;

namespace Sinew.Tests
{
    /// <summary>Ownership, errors and threads of the engine-free classes.</summary>
    public sealed class NativeTests
    {
        [Test]
        public void DisposingTwiceIsFine()
        {
            NativeAnimator animator = Natives.Animator();
            Assert.AreEqual(1, SinewLibrary.LiveObjects);
            animator.Dispose();
            animator.Dispose();
            Assert.IsTrue(animator.IsDisposed);
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
        }

        [Test]
        public void UseAfterDisposeThrows()
        {
            NativeSkeleton skeleton = Natives.Skeleton();
            NativeAvatar avatar = new NativeAvatar(skeleton, Natives.HumanJoints);
            NativeAnimator animator = new NativeAnimator(skeleton, avatar);
            animator.Dispose();
            avatar.Dispose();
            skeleton.Dispose();
            Assert.Throws<ObjectDisposedException>(delegate { animator.Solve(); });
            Assert.Throws<ObjectDisposedException>(delegate { animator.SetIKPositionWeight(SinewIkGoal.LeftFoot, 1f); });
            Assert.Throws<ObjectDisposedException>(delegate { TouchPose(animator); });
            Assert.Throws<ObjectDisposedException>(delegate { avatar.GetBoneJoint(SinewHumanBone.Hips); });
            Assert.Throws<ObjectDisposedException>(delegate { skeleton.FindJoint("Hips"); });
            Assert.Throws<ObjectDisposedException>(delegate { new NativeAvatar(skeleton, Natives.HumanJoints); });
            Assert.Throws<ObjectDisposedException>(delegate { new NativeAnimator(skeleton); });
        }

        [Test]
        public void FinalizersDestroyWhatWasForgotten()
        {
            // On a thread of its own: Mono takes whatever lies on a living stack for references.
            Thread thread = new Thread(delegate () { Forget(200); });
            thread.Start();
            thread.Join();
            for (int i = 0; i < 50 && SinewLibrary.LiveObjects > 0; i++)
            {
                Program.Collect();
                Thread.Sleep(5);
            }
            Assert.AreEqual(0, SinewLibrary.LiveObjects, "live objects of 600 that were forgotten");
        }

        [Test]
        public void ChildrenOutliveTheirParents()
        {
            NativeSkeleton skeleton = Natives.Skeleton();
            NativeAvatar avatar = new NativeAvatar(skeleton, Natives.HumanJoints);
            skeleton.Dispose();
            Assert.Greater(avatar.GetBoneJoint(SinewHumanBone.Head), 0);
            NativeAnimator animator = Natives.Animator();
            avatar.Dispose();
            animator.Solve();
            Assert.IsTrue(animator.IsHuman);
            animator.Dispose();
        }

        [Test]
        public void SkeletonKnowsItsJoints()
        {
            using (NativeSkeleton skeleton = Natives.Skeleton())
            {
                int head = skeleton.FindJoint("Head");
                Assert.AreEqual("Head", Natives.Names[head]);
                Assert.AreEqual(Natives.Parents[head], skeleton.GetParent(head));
                Assert.AreEqual(Natives.Rest[head].position.y, skeleton.GetRest(head).position.y);
                Assert.AreEqual(-1, skeleton.FindJoint("Tail"));
                int found;
                int[] map = skeleton.MapHumanNames(out found);
                Assert.AreEqual(Natives.Names.Length, found);
                Assert.AreEqual(head, map[(int)SinewHumanBone.Head]);
                Assert.AreEqual(55, skeleton.MapHumanBones(out found).Length);
                Assert.AreEqual(SinewHumanBone.LeftThumbDistal, NativeAvatar.FindHumanBone("left thumb distal"));
                Assert.IsNull(NativeAvatar.FindHumanBone("Tail"));
                Assert.AreEqual(SinewResult.ErrorOutOfRange, Assert.Throws<SinewException>(delegate { skeleton.GetRest(-1); }).Result);
                Assert.Throws<ArgumentException>(delegate { new NativeSkeleton(new int[3], new SinewTransform[2]); });
                Assert.Throws<ArgumentNullException>(delegate { new NativeSkeleton(null, null); });
            }
        }

        [Test]
        public void AvatarKnowsItsAxes()
        {
            using (NativeSkeleton skeleton = Natives.Skeleton())
            using (NativeAvatar avatar = new NativeAvatar(skeleton, Natives.HumanJoints))
            {
                SinewVec3 right, up, forward;
                avatar.GetAxes(out right, out up, out forward);
                Assert.AreEqual(1.0, right.x, 1e-3);
                Assert.AreEqual(1.0, up.y, 1e-3);
                Assert.AreEqual(1.0, forward.z, 1e-3);
            }
        }

        [Test]
        public void MissingBonesAreNamed()
        {
            int[] joints = (int[])Natives.HumanJoints.Clone();
            joints[(int)SinewHumanBone.LeftHand] = -1;
            joints[(int)SinewHumanBone.Spine] = -1;
            using (NativeSkeleton skeleton = Natives.Skeleton())
            {
                SinewException e = Assert.Throws<SinewException>(delegate { new NativeAvatar(skeleton, joints); });
                Assert.AreEqual(SinewResult.ErrorMissingBone, e.Result);
                Assert.IsTrue(e.Message.Contains("LeftHand") && e.Message.Contains("Spine"), e.Message);
                Assert.AreEqual(SinewResult.ErrorLengthMismatch,
                    Assert.Throws<SinewException>(delegate { new NativeAvatar(skeleton, new int[54]); }).Result);
                Assert.Throws<ArgumentException>(delegate { new NativeAvatar(skeleton, joints, new SinewTransform[1]); });
            }
        }

        [Test]
        public unsafe void PoseGoesInAndOut()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                SinewTransform[] pose = (SinewTransform[])Natives.Rest.Clone();
                pose[3].position.x = 7f;
                animator.SetPose(pose);
                Assert.AreEqual(7f, animator.Pose[3].position.x);
                animator.Pose[3].position.x = 8f;
                animator.GetPose(pose);
                Assert.AreEqual(8f, pose[3].position.x);
                animator.ResetPose();
                Assert.AreEqual(Natives.Rest[3].position.x, animator.Pose[3].position.x);
                Assert.AreEqual(SinewResult.ErrorLengthMismatch,
                    Assert.Throws<SinewException>(delegate { animator.SetPose(new SinewTransform[1]); }).Result);
                pose[2].rotation.y = float.NaN;
                Assert.AreEqual(SinewResult.ErrorNotFinite,
                    Assert.Throws<SinewException>(delegate { animator.SetPose(pose); }).Result);
                pose[2].rotation = default(SinewQuat);
                Assert.AreEqual(SinewResult.ErrorInvalidRotation,
                    Assert.Throws<SinewException>(delegate { animator.SetPose(pose); }).Result);

                SinewTransform root = Natives.Identity;
                root.position.z = 3f;
                animator.Root = root;
                Assert.AreEqual(3f, animator.Root.position.z);
                SinewVec3 position;
                SinewQuat rotation;
                animator.GetJointWorld(0, out position, out rotation);
                Assert.AreEqual(3.0, position.z, 1e-6);
            }
        }

        [Test]
        public void BadNumbersAreRefused()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                Assert.AreEqual(SinewResult.ErrorInvalidEnum, Assert.Throws<SinewException>(
                    delegate { animator.SetIKPositionWeight((SinewIkGoal)4, 1f); }).Result);
                SinewException e = Assert.Throws<SinewException>(
                    delegate { animator.SetIKPosition(SinewIkGoal.LeftHand, Natives.Vec(0f, float.NaN, 0f)); });
                Assert.AreEqual(SinewResult.ErrorNotFinite, e.Result);
                Assert.IsTrue(e.Message.Contains("sinew_animator_set_ik_position") && e.Message.Contains("position.y"), e.Message);
                Assert.AreEqual(SinewResult.ErrorInvalidRotation, Assert.Throws<SinewException>(
                    delegate { animator.SetIKRotation(SinewIkGoal.LeftHand, default(SinewQuat)); }).Result);
            }
        }

        [Test]
        public void WholeInputGoesInAndOut()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                SinewHumanoidInput input = NativeAnimator.DefaultInput();
                Assert.AreEqual(1f, input.look_at_weight.head);
                input.goals3.position = Natives.Vec(0.4f, 1.2f, 0.3f);
                input.goals3.position_weight = 1f;
                input.set = SinewConstants.SINEW_INPUT_RIGHT_HAND_POSITION;
                animator.Input = input;
                Assert.AreEqual(0.4f, animator.GetIKPosition(SinewIkGoal.RightHand).x);
                animator.Solve();
                Assert.IsTrue(animator.GetIKOutcome(SinewIkGoal.RightHand).IsReached, animator.GetIKOutcome(SinewIkGoal.RightHand).ToString());
                SinewHumanoidInput again = animator.Input;
                Assert.AreEqual(input.set, again.set);
                Assert.AreEqual(1f, again.goals3.position_weight);
            }
        }

        [Test]
        public void DebugLinesAreCounted()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                animator.Solve();
                int count = animator.GetDebugLines(null);
                Assert.Greater(count, 10);
                SinewDebugLine[] lines = new SinewDebugLine[count];
                Assert.AreEqual(count, animator.GetDebugLines(lines));
                Assert.AreEqual(count, animator.GetDebugLines(new SinewDebugLine[1]));
                bool hasBone = false;
                foreach (SinewDebugLine line in lines) hasBone |= line.part == (int)SinewDebugPart.Bone;
                Assert.IsTrue(hasBone, "no bone among the lines");
            }
        }

        [Test]
        public void GenericAnimatorRefusesHumanoidCalls()
        {
            using (NativeSkeleton skeleton = Natives.Skeleton())
            using (NativeAnimator animator = new NativeAnimator(skeleton))
            {
                animator.Solve();
                Assert.IsFalse(animator.IsHuman);
                Assert.AreEqual(1f, animator.HumanScale);
                Assert.AreEqual(SinewResult.ErrorNotHumanoid, Assert.Throws<SinewException>(
                    delegate { animator.SetLookAtWeight(1f); }).Result);
            }
        }

        [Test]
        public unsafe void BatchesSolveAllAndSayWhichFailed()
        {
            NativeAnimator[] many = new NativeAnimator[150];
            for (int i = 0; i < many.Length; i++)
            {
                many[i] = Natives.Animator();
                many[i].SetIKPosition(SinewIkGoal.RightHand, Natives.Vec(0.3f, 1.2f, 0.3f));
                many[i].SetIKPositionWeight(SinewIkGoal.RightHand, 1f);
            }
            NativeAnimator.SolveBatch(many, many.Length);
            foreach (NativeAnimator animator in many) Assert.IsTrue(animator.GetIKOutcome(SinewIkGoal.RightHand).IsReached);

            many[70].Pose[0].position.x = float.NaN;
            SinewResult[] results = new SinewResult[many.Length];
            NativeAnimator.SolveBatch(many, many.Length, results);
            for (int i = 0; i < results.Length; i++)
                Assert.AreEqual(i == 70 ? SinewResult.ErrorNotFinite : SinewResult.Ok, results[i], "result " + i);
            Assert.AreEqual(SinewResult.ErrorNotFinite,
                Assert.Throws<SinewException>(delegate { NativeAnimator.SolveBatch(many, many.Length); }).Result);
            Assert.Throws<ArgumentOutOfRangeException>(delegate { NativeAnimator.SolveBatch(many, 151); });
            foreach (NativeAnimator animator in many) animator.Dispose();
        }

        [Test]
        public void TheReadmesExampleRuns()
        {
            TextWriter console = Console.Out;
            StringWriter said = new StringWriter();
            Console.SetOut(said);
            try
            {
                Example.Reach(Natives.Parents, Natives.Rest, Natives.Names);
            }
            finally
            {
                Console.SetOut(console);
            }
            Assert.AreEqual("reached", said.ToString().Trim());
        }

        [Test]
        public void ThreadsMayDestroyAndOneAnimatorHasOneUser()
        {
            NativeAnimator[] many = new NativeAnimator[64];
            for (int i = 0; i < many.Length; i++) many[i] = Natives.Animator();
            int[] wrong = new int[1];
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.Length; t++)
            {
                int first = t;
                threads[t] = new Thread(delegate ()
                {
                    try
                    {
                        for (int round = 0; round < 200; round++)
                        {
                            try
                            {
                                many[0].Solve();
                            }
                            catch (SinewException e)
                            {
                                if (e.Result != SinewResult.ErrorBusy) throw;
                            }
                            many[1 + first].Solve();
                        }
                        for (int i = 8 + first; i < many.Length; i += threads.Length) many[i].Dispose();
                    }
                    catch (Exception)
                    {
                        Interlocked.Increment(ref wrong[0]);
                    }
                });
            }
            foreach (Thread thread in threads) thread.Start();
            foreach (Thread thread in threads) thread.Join();
            for (int i = 0; i < many.Length; i++) many[i].Dispose();
            Assert.AreEqual(0, wrong[0], "threads with an unexpected exception");
        }

        private static void Forget(int count)
        {
            for (int i = 0; i < count; i++)
            {
                NativeSkeleton skeleton = Natives.Skeleton();
                new NativeAnimator(skeleton, new NativeAvatar(skeleton, Natives.HumanJoints)).Solve();
            }
        }

        private static unsafe void TouchPose(NativeAnimator animator)
        {
            animator.Pose[0].position.x = 1f;
        }
    }
}
