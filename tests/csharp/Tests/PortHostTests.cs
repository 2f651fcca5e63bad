using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    using Ports;

    /// <summary>Ported scripts that live on what the engine does with objects: who wakes up first,
    /// Edit mode, controllers, evaluation by hand, platforms, culling, copies, destroyed
    /// objects.</summary>
    public sealed class PortHostTests : PortScene
    {
        // A script that stands before the SinewAnimator wakes up first, and then isActiveAndEnabled
        // of the SinewAnimator is still false.
        [Test]
        public void BonesAreKnownInTheAwakeOfScriptsThatWakeUpFirst()
        {
            foreach (bool hasAnimator in new[] { false, true })
            {
                rig = new TestRig();
                if (hasAnimator) rig.AddUnityAnimator(false).write = rig.PoseIdle;
                else Player.Animation = rig.PoseIdle;
                StairFeet feet = rig.Root.AddComponent<StairFeet>();
                Handshake shake = rig.Root.AddComponent<Handshake>();
                rig.Start();
                Assert.AreEqual(0, Debug.Lines.Count, Debug.Lines.Count > 0 ? Debug.Lines[0] : "");
                Assert.IsTrue(feet.feet[0].transform == rig["LeftFoot"], "the bone");
                Assert.IsTrue(shake.Animator == rig.Animator);
                Collider ground = new GameObject("Ground").AddComponent<Collider>();
                Physics.Lay(ground, delegate (float x, float z) { return -0.1f; });
                float before = rig["LeftFoot"].position.y;
                Frames(2);
                Assert.AreEqual(before - 0.1, rig["LeftFoot"].position.y, 0.02, "feet on the ground");
                Player.Clear();
            }
        }

        [Test]
        public void GoalsSetInOnEnableOfAScriptThatWakesUpFirstStay()
        {
            rig = new TestRig();
            Player.Animation = rig.PoseIdle;
            EarlyGoal early = rig.Root.AddComponent<EarlyGoal>();
            rig.Start();
            Frames(2);
            TestRig.AssertNear(early.goal, rig["RightHand"].position, Millimetre, "hand");
            rig.Root.SetActive(false);
            rig.Root.SetActive(true);
            Frames(1);
            TestRig.AssertNear(early.goal, rig["RightHand"].position, Millimetre, "hand after another OnEnable");
        }

        [Test]
        public void AModelThatAnAwakeAddsIsFoundAfterAnEarlierQuestion()
        {
            TestRig donor = new TestRig();
            GameObject player = new GameObject("Player");
            player.SetActive(false);
            StairFeet early = player.AddComponent<StairFeet>();
            player.AddComponent<ModelLoader>().model = donor["Hips"];
            SinewAnimator animator = player.AddComponent<SinewAnimator>();
            try
            {
                player.SetActive(true);
                Assert.IsTrue(Debug.Lines.Count == 1 && Debug.Lines[0].Contains("no humanoid"), "there was no bone yet");
                Debug.Lines.Clear();
                Object.DestroyImmediate(early);
                Assert.IsTrue(animator.GetBoneTransform(HumanBodyBones.Head) == donor["Head"], "the model that came");
            }
            finally
            {
                Object.DestroyImmediate(player);
                Object.DestroyImmediate(donor.Root);
            }
        }

        [Test]
        public void BonesOfAnAvatarThatWasExchangedAreKnownAtOnce()
        {
            rig = new TestRig("*");
            unity = rig.AddUnityAnimator(false);
            Avatar avatar = unity.avatar;
            unity.avatar = null;
            rig.Start();
            Frames(1);
            unity.avatar = avatar;
            Assert.IsTrue(rig.Animator.GetBoneTransform(HumanBodyBones.Head) == rig["Head"], "by code that is not ported");
            Assert.IsTrue(rig.Animator.rigDescription.Contains("avatar"), rig.Animator.rigDescription);
        }

        [Test]
        public void BonesAreMarkedInEditMode()
        {
            foreach (bool hasAnimator in new[] { false, true })
            {
                Application.isPlaying = false;
                rig = new TestRig();
                if (hasAnimator) rig.AddUnityAnimator(false);
                rig.Start();
                BoneGizmos script = rig.Root.AddComponent<BoneGizmos>();
                Assert.IsTrue(script.isComplete, "OnValidate");
                script.OnDrawGizmos();
                Assert.AreEqual(4, script.drawn);
                Assert.AreEqual(0, SinewLibrary.LiveObjects, "nothing native stays");
                rig.Root.SetActive(false);
                script.OnDrawGizmos();
                Assert.AreEqual(8, script.drawn, "an inactive prefab");
                Player.Clear();
            }
        }

        [Test]
        public void ADisabledCharacterKnowsItsBones()
        {
            rig = new TestRig();
            rig.Root.SetActive(false);
            rig.Animator = rig.Root.AddComponent<SinewAnimator>();
            rig.Animator.enabled = false;
            rig.Root.SetActive(true);
            Assert.IsTrue(rig.Animator.GetBoneTransform(HumanBodyBones.Hips) == rig["Hips"], "a ragdoll asks for its hips");
            Assert.IsTrue(rig.Animator.isHuman);
        }

        [Test]
        public void EachWeaponBringsItsController()
        {
            Each(true, delegate (string setup)
            {
                WeaponStance script = rig.Root.AddComponent<WeaponStance>();
                script.grips = new[] { At(-0.2f, 1.2f, 0.35f), At(-0.1f, 1.0f, 0.4f) };
                RuntimeAnimatorController plain = unity.runtimeAnimatorController;
                RuntimeAnimatorController other = new RuntimeAnimatorController();
                if (plain.IKPassLayers.Count == 0) other.IKPassLayers.Add(0);
                script.stances = new RuntimeAnimatorController[] { new AnimatorOverrideController(plain), other };
                Frames(2);
                for (int weapon = 0; weapon < 2; weapon++)
                {
                    script.Equip(weapon);
                    Frames(2);
                    Assert.IsTrue(unity.runtimeAnimatorController == script.stances[weapon]);
                    TestRig.AssertNear(script.grips[weapon].position, rig["LeftHand"].position, Millimetre, "weapon " + weapon + setup);
                }
                script.Equip(-1);
                Frames(2);
                Assert.IsTrue(unity.runtimeAnimatorController == plain);
                Assert.Less(rig["LeftHand"].position.y, 1.0, "unarmed" + setup);
            });
        }

        [Test]
        public void StopMotionIsSolvedWhenItIsEvaluated()
        {
            Each(true, delegate (string setup)
            {
                StepMotion script = rig.Root.AddComponent<StepMotion>();
                script.hold = At(0.25f, 1.2f, 0.35f);
                int frames = unity.evaluations;
                for (int i = 0; i < 30; i++)
                {
                    int before = script.steps;
                    script.hold.position = new Vector3(0.25f, 1.2f - 0.005f * i, 0.35f);
                    Vector3 held = rig["RightHand"].position;
                    Frames(1);
                    if (script.steps > before)
                        TestRig.AssertNear(script.hold.position, rig["RightHand"].position, Millimetre, "step " + script.steps + setup);
                    else
                        TestRig.AssertNear(held, rig["RightHand"].position, 1e-5f, "held in frame " + i + setup);
                }
                Assert.AreEqual(6, script.steps);
                Assert.Less(unity.evaluations - frames, script.steps + 1.0, "evaluated by hand only" + setup);
            });
        }

        [Test]
        public void ARiderStaysOnAScaledTurningPlatform()
        {
            Each(false, delegate (string setup)
            {
                Transform platform = At(0f, 0f, 0f);
                platform.localScale = new Vector3(1.5f, 1.5f, 1.5f);
                Frames(1);
                PlatformRider script = rig.Root.AddComponent<PlatformRider>();
                script.platform = platform;
                script.rail = At(-0.3f, 1.1f, 0.35f);
                script.rail.SetParent(platform, true);
                Frames(2);
                for (int i = 0; i < 20; i++)
                {
                    platform.position = new Vector3(0.02f * i, 0.03f * i, -0.01f * i);
                    platform.rotation = Quaternion.Euler(0f, 4f * i, 0f);
                    Frames(1);
                    TestRig.AssertNear(script.Spot(0), rig["LeftFoot"].position, Millimetre, "left foot in frame " + i + setup);
                    TestRig.AssertNear(script.Spot(1), rig["RightFoot"].position, Millimetre, "right foot in frame " + i + setup);
                    TestRig.AssertNear(script.rail.position, rig["LeftHand"].position, Millimetre, "hand in frame " + i + setup);
                }
                // Now the character itself is scaled, below the platform.
                rig.Root.transform.localScale = new Vector3(0.8f, 0.8f, 0.8f);
                script.rail.position = rig.Root.transform.TransformPoint(-0.3f, 1.1f, 0.3f);
                Frames(2);
                TestRig.AssertNear(script.rail.position, rig["LeftHand"].position, Millimetre, "hand of a small one" + setup);
                Object.DestroyImmediate(platform.gameObject);
            });
        }

        [Test]
        public void ADirectorKeepsTrackOfManyAnimators()
        {
            GameObject stage = new GameObject("Stage");
            TestRig[] cast = new TestRig[4];
            for (int i = 0; i < cast.Length; i++)
            {
                cast[i] = new TestRig();
                cast[i].AddUnityAnimator(i % 2 == 0).write = cast[i].PoseIdle;
                cast[i].Root.transform.SetParent(stage.transform, false);
                cast[i].Root.transform.position = new Vector3(i, 0f, 0f);
                cast[i].Start();
            }
            CrowdDirector script = stage.AddComponent<CrowdDirector>();
            script.sight = At(1f, 1.7f, 3f);
            script.Gather(stage);
            Assert.AreEqual(4, script.actors.Length);
            Assert.IsTrue(script.First == cast[0].Animator);
            Frames(3);
            for (int i = 0; i < cast.Length; i++)
            {
                Vector3 way = script.sight.position - (cast[i]["LeftEye"].position + cast[i]["RightEye"].position) * 0.5f;
                Assert.Less(Vector3.Angle(cast[i]["Head"].forward, way), 2.0, "gaze of " + i);
                Assert.AreEqual(1f, ((Animator)cast[i].Animator).GetFloat("Wave"), "parameter of " + i);
            }
            Object.Destroy(cast[1].Root);
            cast[2].Animator.enabled = false;
            Frames(2);
            Assert.AreEqual(3, script.Count, "the destroyed one is gone");
            Assert.Greater(script.skipped, 0, "the disabled one is left alone");
            Assert.IsTrue(CrowdDirector.Find<SinewAnimator>(cast[2].Root) == null);
            Assert.AreEqual("SinewAnimator of Character", script.Describe(cast[0].Animator));
            Assert.AreEqual("Animator missing", script.Describe(cast[0]["Hips"]).Replace("SinewAnimator", "Animator"));
            cast[2].Animator.enabled = true;
            Frames(2);
            Assert.Less(Vector3.Angle(cast[2]["Head"].forward, script.sight.position - cast[2]["LeftEye"].position), 3.0, "enabled again");
        }

        [Test]
        public void UnseenCharactersCostNothingUnlessImportant()
        {
            Each(true, delegate (string setup)
            {
                Renderer skin = rig["Hips"].gameObject.AddComponent<Renderer>();
                rig.Animator.RebuildRig();
                skin.isVisible = true;
                LookCulling script = rig.Root.AddComponent<LookCulling>();
                script.target = At(-0.25f, 1.2f, 0.3f);
                Frames(3);
                TestRig.AssertNear(script.target.position, rig["LeftHand"].position, Millimetre, "seen" + setup);
                skin.isVisible = false;
                Frames(1);
                int calls = script.calls;
                script.target.position = new Vector3(-0.3f, 1.1f, 0.35f);
                Frames(5);
                Assert.AreEqual(calls, script.calls, "no callback while unseen" + setup);
                script.SetImportant(true);
                Frames(2);
                TestRig.AssertNear(script.target.position, rig["LeftHand"].position, Millimetre, "important" + setup);
                script.SetImportant(false);
                skin.isVisible = true;
                script.target.position = new Vector3(-0.2f, 1.3f, 0.3f);
                Frames(1);
                TestRig.AssertNear(script.target.position, rig["LeftHand"].position, Millimetre, "seen again" + setup);
            });
        }

        [Test]
        public void CopiesComeOutOfAPoolEachFrame()
        {
            foreach (bool hasAnimator in new[] { false, true })
            {
                rig = new TestRig();
                if (hasAnimator) rig.AddUnityAnimator(false);
                // The prefab: inactive, never woken up.
                rig.Animator = rig.Root.AddComponent<SinewAnimator>();
                Spawner script = new GameObject("Spawner").AddComponent<Spawner>();
                script.prefab = rig.Animator;
                int made = 0;
                for (int i = 0; i < 12; i++)
                {
                    SinewAnimator taken = script.Take(new Vector3(i, 0f, 0f));
                    Transform hand = taken.GetBoneTransform(HumanBodyBones.LeftHand);
                    Assert.IsFalse(hand == rig["LeftHand"], "a bone of the copy, not of the prefab");
                    Vector3 goal = new Vector3(i - 0.3f, 1.2f, 0.3f);
                    taken.SetIKPosition(AvatarIKGoal.LeftHand, goal);
                    taken.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                    Frames(1);
                    TestRig.AssertNear(goal, hand.position, Millimetre, "hand of life " + i);
                    if (i == 0) made = SinewLibrary.LiveObjects;
                    Assert.AreEqual(made, SinewLibrary.LiveObjects, "native objects in life " + i);
                    script.Return(taken);
                    Frames(1);
                }
                Debug.Lines.RemoveAll(delegate (string line) { return line.Contains("keepAnimatorStateOnDisable"); });
                Player.Clear();
            }
        }
    }

    /// <summary>Hangs a model below itself when it wakes up.</summary>
    internal sealed class ModelLoader : MonoBehaviour
    {
        internal Transform model;

        private void Awake()
        {
            model.SetParent(transform, false);
        }
    }

    /// <summary>Sets a goal once, in OnEnable.</summary>
    internal sealed class EarlyGoal : MonoBehaviour
    {
        internal readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private void OnEnable()
        {
            SinewAnimator animator = GetComponent<SinewAnimator>();
            animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }
    }
}
