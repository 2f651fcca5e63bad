using System.Collections.Generic;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>A rig that is first seen in the middle of a clip is measured in the bind pose of its
    /// skinned meshes.</summary>
    public sealed class BindPoseTests
    {
        // A mesh that is bound to joints where they are now; its renderer is where a test has it.
        private static SkinnedMeshRenderer Bind(Transform holder, params Transform[] bones)
        {
            SkinnedMeshRenderer made = holder.gameObject.AddComponent<SkinnedMeshRenderer>();
            made.bones = bones;
            made.sharedMesh = new Mesh { bindposes = Poses(holder, bones) };
            return made;
        }

        private static Matrix4x4[] Poses(Transform space, Transform[] bones)
        {
            Matrix4x4[] poses = new Matrix4x4[bones.Length];
            for (int i = 0; i < bones.Length; i++)
            {
                Transform bone = bones[i];
                if (bone == null) continue; // as in a mesh whose bone was removed
                Vector3 origin = bone.InverseTransformPoint(space.TransformPoint(Vector3.zero));
                poses[i] = new Matrix4x4(
                    bone.InverseTransformPoint(space.TransformPoint(Vector3.right)) - origin,
                    bone.InverseTransformPoint(space.TransformPoint(Vector3.up)) - origin,
                    bone.InverseTransformPoint(space.TransformPoint(Vector3.forward)) - origin, origin);
            }
            return poses;
        }

        private static Transform Child(Transform of, string name)
        {
            Transform made = new GameObject(name).transform;
            made.SetParent(of, false);
            return made;
        }

        // Everything that a clip writes: hips that lean, turn and move, limbs, a joint that slides.
        private static void PlayClip(TestRig rig)
        {
            rig.PoseIdle();
            rig["Hips"].localRotation = Quaternion.Euler(25f, 40f, -10f);
            rig["Hips"].localPosition = new Vector3(0.2f, 0.7f, 0.4f);
            rig["Spine"].localRotation = Quaternion.Euler(20f, 15f, 5f);
            rig["Neck"].localRotation = Quaternion.Euler(-10f, 30f, 0f);
            rig["RightUpperArm"].localRotation = Quaternion.Euler(30f, 50f, -80f);
            rig["RightLowerArm"].localRotation = Quaternion.Euler(0f, -90f, 20f);
            rig["RightHand"].localRotation = Quaternion.Euler(40f, 10f, -20f);
            rig["LeftFoot"].localRotation = Quaternion.Euler(-20f, 5f, 0f);
            rig["LeftShoulder"].localPosition += new Vector3(0.01f, 0.02f, 0f);
        }

        // T-pose, and what goals are counted in: in the same pose, of the same character.
        private static void AssertSameRig(TestRig one, TestRig other, string what)
        {
            Assert.IsTrue(one.Animator.isHuman && other.Animator.isHuman, what + ": " + other.Animator.rigDescription);
            SinewTransform[] a = Rest(one), b = Rest(other);
            for (int i = 0; i < a.Length; i++)
            {
                TestRig.AssertNear(InteropMath.From(a[i].position), InteropMath.From(b[i].position), 2e-5f, what + ", joint " + i);
                Assert.Less(Quaternion.Angle(InteropMath.From(a[i].rotation), InteropMath.From(b[i].rotation)), 0.05f, what + ", joint " + i);
            }
            Assert.AreEqual(one.Animator.humanScale, other.Animator.humanScale, 1e-5, what);
            foreach (SinewIkGoal goal in new[] { SinewIkGoal.LeftFoot, SinewIkGoal.RightFoot, SinewIkGoal.LeftHand, SinewIkGoal.RightHand })
            {
                Quaternion x = InteropMath.From(one.Animator.nativeAvatar.GetGoalFromBone(goal));
                Quaternion y = InteropMath.From(other.Animator.nativeAvatar.GetGoalFromBone(goal));
                Assert.Less(Quaternion.Angle(x, y), 0.05f, what + ", goal frame of " + goal);
            }
        }

        private static SinewTransform[] Rest(TestRig of)
        {
            SinewTransform[] rest = new SinewTransform[of.Animator.nativeAnimator.JointCount];
            of.Animator.nativeAvatar.GetTPose(rest);
            return rest;
        }

        private static TestRig AtRest()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            return rig;
        }

        [Test]
        public void InTheMiddleOfAClipEqualsAtRest()
        {
            TestRig rested = AtRest();
            TestRig[] late = { new TestRig(), new TestRig() };
            foreach (TestRig rig in late)
            {
                Bind(Child(rig.Root.transform, "Body"), rig.Joints);
                PlayClip(rig);
                rig.Root.transform.position = new Vector3(3f, 1f, -2f);
                rig.Root.transform.rotation = Quaternion.Euler(0f, 130f, 0f);
                rig.Root.SetActive(true);
                rig.Animator = rig.Root.AddComponent<SinewAnimator>();
                if (ReferenceEquals(rig, late[1])) rig.Animator.restFromMeshes = false; // counts before the first pass
                Player.Frame(0.02f);
            }
            Assert.IsNotNull(rested.Animator.nativeAvatar);
            AssertSame(rested, late[0]);
            Quaternion measured = InteropMath.From(late[1].Animator.nativeAvatar.GetGoalFromBone(SinewIkGoal.RightHand));
            Quaternion rest = InteropMath.From(rested.Animator.nativeAvatar.GetGoalFromBone(SinewIkGoal.RightHand));
            Assert.Greater(Quaternion.Angle(measured, rest), 5f, "switched off, the clip counts");
        }

        private static void AssertSame(TestRig one, TestRig other)
        {
            int meshes = other.Animator.nativeAnimator.JointCount - one.Animator.nativeAnimator.JointCount;
            Assert.AreEqual(1, meshes, "the mesh's own Transform comes last");
            AssertSameRig(one, other, "the clip");
        }

        [Test]
        public void LimitsCountFromTheBindPose()
        {
            TestRig rig = new TestRig("*");
            Bind(Child(rig.Root.transform, "Body"), rig.Joints);
            SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            PlayClip(rig);
            rig.Start();
            TestRig.AssertNear(Quaternion.identity, rig.Animator.RestRotationOf(rig["RightLowerArm"]), 0.01f, "the elbow");
            TestRig.AssertNear(Quaternion.identity, rig.Animator.RestRotationOf(rig["Hips"]), 0.01f, "the hips");
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            Player.Frame(0.02f);
            TestRig.AssertNear(Quaternion.identity, body.RestRotationOf(rig["RightLowerArm"]), 0.01f, "the elbow of a body");
            Assert.IsNotNull(limits);
        }

        // As importers make them: a turned and scaled node between, and the mesh below it.
        [Test]
        public void MeshesMayBeAnywhereAndOfAnyUnit()
        {
            foreach (bool isInModelSpace in new[] { false, true })
            {
                TestRig rested = Below(isInModelSpace, false);
                TestRig late = Below(isInModelSpace, true);
                AssertSameRig(rested, late, isInModelSpace ? "bound in the model's space" : "bound in the renderer's space");
            }
        }

        private static TestRig Below(bool isInModelSpace, bool isLate)
        {
            TestRig rig = new TestRig();
            Transform node = Child(rig.Root.transform, "Armature");
            rig["Hips"].SetParent(node, false);
            node.localRotation = Quaternion.Euler(-90f, 0f, 0f);
            node.localScale = new Vector3(0.01f, 0.01f, 0.01f);
            foreach (Transform joint in rig.Joints) joint.localPosition *= 100f;
            rig["Hips"].localRotation = Quaternion.Euler(90f, 0f, 0f);
            rig["Hips"].localPosition = Quaternion.Euler(90f, 0f, 0f) * rig["Hips"].localPosition;
            Transform holder = Child(node, "Body");
            holder.localPosition = new Vector3(10f, 20f, 30f);
            if (isInModelSpace)
            {
                SkinnedMeshRenderer made = Bind(holder, rig.Joints);
                made.sharedMesh.bindposes = Poses(rig.Root.transform, rig.Joints);
            }
            else Bind(holder, rig.Joints);
            if (isLate)
            {
                rig["Hips"].localRotation *= Quaternion.Euler(25f, 40f, -10f);
                rig["Hips"].localPosition += new Vector3(10f, 5f, -20f);
                rig["RightUpperArm"].localRotation = Quaternion.Euler(30f, 50f, -80f);
                rig["RightLowerArm"].localRotation = Quaternion.Euler(0f, -90f, 20f);
                rig["LeftLowerLeg"].localRotation = Quaternion.Euler(60f, 0f, 0f);
            }
            rig.Start();
            Player.Frame(0.02f);
            return rig;
        }

        [Test]
        public void JointsOfNoMeshAreAsTheyAreAndTheNearestMeshCounts()
        {
            TestRig rig = new TestRig("*");
            // A twist joint between two bones, that no mesh is bound to.
            Transform between = Child(rig["LeftUpperArm"], "Between");
            between.localPosition = new Vector3(-0.1f, 0f, 0f);
            rig["LeftLowerArm"].SetParent(between, true);
            List<Transform> bones = new List<Transform>(rig.Joints);
            bones.Remove(rig["RightHand"]);
            bones.Add(rig["Spine"]); // twice: the first one counts
            Transform first = Child(rig.Root.transform, "A Hat");
            Transform second = Child(rig.Root.transform, "Body");
            Transform third = Child(rig.Root.transform, "Late");
            Bind(second, bones.ToArray());
            // Contradicts: hips, and a head that is elsewhere, without what is between.
            Quaternion head = rig["Head"].localRotation;
            rig["Head"].localRotation = Quaternion.Euler(0f, 70f, 0f);
            Bind(first, rig["Hips"], rig["Head"], null);
            rig["Head"].localRotation = head;
            // The same bones as the body, elsewhere: the first one counts.
            rig["Chest"].localRotation = Quaternion.Euler(0f, 50f, 0f);
            SkinnedMeshRenderer contradicts = Bind(third, rig["Spine"], rig["Chest"]);
            contradicts.sharedMesh.bindposes = new[] { contradicts.sharedMesh.bindposes[0], contradicts.sharedMesh.bindposes[1], default(Matrix4x4) };
            Child(rig.Root.transform, "Without mesh").gameObject.AddComponent<SkinnedMeshRenderer>();

            PlayClip(rig);
            between.localRotation = Quaternion.Euler(0f, 0f, 12f);
            rig["LeftHand"].localScale = new Vector3(1.5f, 1.5f, 1.5f); // as somebody has set it up
            rig.Start();
            SinewAnimator animator = rig.Animator;
            Player.Frame(0.02f);
            TestRig.AssertNear(Quaternion.identity, animator.RestRotationOf(rig["Head"]), 0.01f, "the mesh with the neck counts");
            TestRig.AssertNear(Quaternion.identity, animator.RestRotationOf(rig["Chest"]), 0.01f, "the first of two counts");
            TestRig.AssertNear(Quaternion.Euler(0f, 0f, 12f), animator.RestRotationOf(between), 0.01f, "a joint of no mesh");
            TestRig.AssertNear(Quaternion.Euler(40f, 10f, -20f), animator.RestRotationOf(rig["RightHand"]), 0.01f, "another one");
            TestRig.AssertNear(Quaternion.Euler(0f, 0f, -12f), animator.RestRotationOf(rig["LeftLowerArm"]), 0.01f, "a bone below one");
            TestRig.AssertNear(Quaternion.identity, animator.RestRotationOf(rig["LeftHand"]), 0.01f, "a bone that is scaled");
        }

        [Test]
        public void AMirroredOrBrokenBindPoseIsLeftOut()
        {
            TestRig rig = new TestRig("*");
            SkinnedMeshRenderer mesh = Bind(Child(rig.Root.transform, "Body"), rig.Joints);
            Matrix4x4[] poses = mesh.sharedMesh.bindposes;
            int chest = System.Array.IndexOf(rig.Joints, rig["Chest"]), foot = System.Array.IndexOf(rig.Joints, rig["LeftFoot"]);
            poses[chest] = default(Matrix4x4);
            poses[foot].m03 = float.NaN;
            mesh.sharedMesh.bindposes = poses;
            PlayClip(rig);
            rig["Chest"].localRotation = Quaternion.Euler(0f, 20f, 0f);
            rig["RightFoot"].localScale = new Vector3(-1f, 1f, 1f);
            Quaternion mirrored = rig["RightFoot"].localRotation = Quaternion.Euler(5f, 0f, 0f);
            rig.Start();
            TestRig.AssertNear(Quaternion.Euler(0f, 20f, 0f), rig.Animator.RestRotationOf(rig["Chest"]), 0.01f, "all zero");
            TestRig.AssertNear(Quaternion.Euler(-20f, 5f, 0f), rig.Animator.RestRotationOf(rig["LeftFoot"]), 0.01f, "no number");
            TestRig.AssertNear(mirrored, rig.Animator.RestRotationOf(rig["RightFoot"]), 0.01f, "mirrored since");
            TestRig.AssertNear(Quaternion.identity, rig.Animator.RestRotationOf(rig["RightLowerLeg"]), 0.01f, "the others are measured");
        }

        // Of a clone that is made while it plays, and of one whose meshes are switched off.
        [Test]
        public void ClonesKeepItAndTheSwitchMeasuresAnew()
        {
            TestRig rig = new TestRig();
            Bind(Child(rig.Root.transform, "Body"), rig.Joints);
            PlayClip(rig);
            rig.Start();
            Player.Frame(0.02f);
            SinewAnimator clone = Object.Instantiate(rig.Root).GetComponent<SinewAnimator>();
            Player.Frame(0.02f);
            Transform hand = clone.GetBoneTransform(HumanBodyBones.RightHand);
            TestRig.AssertNear(Quaternion.identity, clone.RestRotationOf(hand), 0.01f, "the clone's");
            clone.restFromMeshes = false;
            clone.RebuildRig();
            TestRig.AssertNear(hand.localRotation, clone.RestRotationOf(hand), 0.01f, "switched off");
            Assert.Greater(Quaternion.Angle(Quaternion.identity, hand.localRotation), 20f, "the clip");
            clone.restFromMeshes = true;
            clone.enabled = false;
            clone.enabled = true;
            TestRig.AssertNear(Quaternion.identity, clone.RestRotationOf(hand), 0.01f, "on again");
        }

        // Borders of limits are drawn in Edit mode where they will be in Play mode.
        [Test]
        public void EditModeShowsLimitsFromTheBindPose()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig();
            List<Transform> bones = new List<Transform>(rig.Joints);
            bones.Remove(rig["LeftHand"]);
            Bind(Child(rig.Root.transform, "Body"), bones.ToArray());
            rig.Start();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            rig["RightLowerArm"].localRotation = rig["LeftHand"].localRotation = Quaternion.Euler(0f, -40f, 0f);
            TestRig.AssertNear(Quaternion.identity, rig.Animator.RestRotationOf(rig["RightLowerArm"]), 0.01f, "a bone");
            TestRig.AssertNear(Quaternion.Euler(0f, -40f, 0f), rig.Animator.RestRotationOf(rig["LeftHand"]), 0.01f, "a joint of no mesh");
            rig["LeftHand"].localRotation = Quaternion.identity;
            TestRig.AssertNear(Quaternion.identity, rig.Animator.RestRotationOf(rig["LeftHand"]), 0.01f, "as it is now");
            TestRig.AssertNear(Quaternion.identity, body.RestRotationOf(rig["RightLowerArm"]), 0.01f, "of a body");
            rig.Animator.restFromMeshes = body.restFromMeshes = false;
            TestRig.AssertNear(Quaternion.Euler(0f, -40f, 0f), rig.Animator.RestRotationOf(rig["RightLowerArm"]), 0.01f, "switched off");
            TestRig.AssertNear(Quaternion.Euler(0f, -40f, 0f), body.RestRotationOf(rig["RightLowerArm"]), 0.01f, "of a body");
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
        }
    }
}
