using System;
using System.Collections.Generic;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>SinewGrounder with listed legs on rigs without avatar, with foot sizes, landings,
    /// events and characters that change their size. Places are those of the Transforms.</summary>
    public sealed class GroundLegsTests
    {
        private const float Step = 1f / 60f;

        /// <summary>A body with legs of two bones straight down from knees that stick out: no
        /// humanoid.</summary>
        private sealed class Creature
        {
            internal readonly GameObject Root = new GameObject("Creature");
            internal readonly Transform Body;
            internal readonly List<Transform> Tips = new List<Transform>();
            internal readonly SinewAnimator Animator;
            internal readonly SinewGrounder Grounder;

            internal Creature(int count, Action<SinewGrounder> set = null, bool isListed = true)
            {
                Root.SetActive(false);
                Body = Joint("body", Root.transform, new Vector3(0f, 0.6f, 0f));
                Animator = Root.AddComponent<SinewAnimator>();
                Grounder = Root.AddComponent<SinewGrounder>();
                for (int leg = 0; leg < count; leg++)
                {
                    float side = leg % 2 == 0 ? -1f : 1f, along = 0.5f - (leg / 2) / Mathf.Max(1f, count / 2f - 1f);
                    Transform hip = Joint("hip" + leg, Body, new Vector3(0.2f * side, 0f, along));
                    Transform knee = Joint("knee" + leg, hip, new Vector3(0.3f * side, 0.2f, 0f));
                    Tips.Add(Joint("tip" + leg, knee, new Vector3(0.2f * side, -0.8f, 0f)));
                    if (isListed) Grounder.legs.Add(new SinewGroundLeg(Tips[leg]));
                }
                if (set != null) set(Grounder);
                Root.SetActive(true);
            }

            /// <summary>An animation that holds the rest pose.</summary>
            internal void Animate()
            {
                Transform[] all = Body.GetComponentsInChildren<Transform>();
                TransformData[] rest = new TransformData[all.Length];
                for (int i = 0; i < all.Length; i++) rest[i] = TransformData.Of(all[i]);
                Player.Animation = delegate
                {
                    for (int i = 0; i < all.Length; i++)
                        if (all[i] != null) rest[i].CopyTo(all[i]);
                };
            }

            private static Transform Joint(string name, Transform parent, Vector3 place)
            {
                Transform made = new GameObject(name).transform;
                made.SetParent(parent, false);
                made.localPosition = place;
                return made;
            }
        }

        private static Collider Lay(HeightField height)
        {
            Collider floor = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>();
            Physics.Lay(floor, height);
            return floor;
        }

        private static void Play(int frames)
        {
            for (int i = 0; i < frames; i++) Player.Frame(Step);
        }

        [Test]
        public void EightLegsWithoutAvatarStandOnASlope()
        {
            Lay(delegate (float x, float z) { return -0.2f * x; });
            Creature spider = new Creature(8, delegate (SinewGrounder grounder) { grounder.details.bodyTilt = 0.8f; });
            Play(240);
            Assert.IsFalse(spider.Animator.isHuman, "it is a humanoid");
            Assert.AreEqual(8, spider.Grounder.legCount);
            for (int leg = 0; leg < 8; leg++)
            {
                Vector3 tip = spider.Tips[leg].position;
                Assert.AreEqual(-0.2f * tip.x, tip.y, 5e-3, "metres, height of tip " + leg);
                Assert.IsTrue(spider.Grounder.IsPlanted(leg), "tip " + leg + " is planted");
                TestRig.AssertNear(tip, spider.Grounder.GetFootPosition(leg), 5e-3f, "tip " + leg + " as reported");
            }
            Assert.Less(spider.Body.rotation.z, -0.02f, "the body tilts");
        }

        [Test]
        public void AQuadrupedsPelvisSinksAndItsLegsKeepTheirBones()
        {
            Lay(delegate (float x, float z) { return x < 0f ? 0.15f : -0.1f; });
            Creature dog = new Creature(4);
            dog.Animate();
            float upper = Vector3.Distance(dog.Tips[0].parent.position, dog.Tips[0].parent.parent.position);
            Play(180);
            for (int leg = 0; leg < 4; leg++)
            {
                Assert.AreEqual(leg % 2 == 0 ? 0.15f : -0.1f, dog.Tips[leg].position.y, 5e-3, "metres, height of tip " + leg);
                Assert.AreEqual(upper, Vector3.Distance(dog.Tips[leg].parent.position, dog.Tips[leg].parent.parent.position), 1e-4, "bone of leg " + leg);
            }
            Assert.IsTrue(dog.Grounder.bodyOffset.magnitude > 1e-3f, "the body moves");
            TestRig.AssertNear(new Vector3(0f, 0.6f, 0f) + dog.Grounder.bodyOffset, dog.Body.position, 1e-3f, "the body");
            dog.Grounder.enabled = false;
            Play(2);
            TestRig.AssertNear(new Vector3(0f, 0.6f, 0f), dog.Body.position, 1e-5f, "the body as animated, grounder off");
            TestRig.AssertNear(new Vector3(-0.7f, 0f, dog.Tips[0].position.z), dog.Tips[0].position, 1e-5f, "a tip as animated, grounder off");
            dog.Grounder.enabled = true;
            Play(60);
            Assert.AreEqual(0.15f, dog.Tips[0].position.y, 5e-3, "metres, height of a tip, grounder on again");
        }

        [Test]
        public void StepsGoByTheGroupsOfTheLegs()
        {
            Lay(delegate { return 0f; });
            Creature insect = new Creature(6, delegate (SinewGrounder grounder)
            {
                grounder.stepping = true;
                // Front, middle and rear pairs: not the tripods that would be found by themselves.
                for (int i = 0; i < 6; i++) grounder.legs[i].group = i / 2;
            });
            int steps = 0;
            bool[] stood = new bool[6];
            for (int frame = 0; frame < 300; frame++)
            {
                insect.Root.transform.position = new Vector3(0f, 0f, 0.4f * frame * Step);
                Player.Frame(Step);
                int swinging = -1;
                for (int leg = 0; leg < 6; leg++)
                {
                    bool stands = insect.Grounder.IsPlanted(leg);
                    if (frame > 3 && !stands)
                    {
                        Assert.IsTrue(swinging < 0 || swinging == leg / 2, "groups " + swinging + " and " + leg / 2 + " swing together in frame " + frame);
                        swinging = leg / 2;
                    }
                    if (frame > 3 && stands && !stood[leg]) steps++;
                    stood[leg] = stands;
                }
            }
            Assert.Greater(steps, 10, "steps");
        }

        [Test]
        public void WhatIsMissingIsSaidOnceAndRefreshTakesTheRest()
        {
            Lay(delegate { return 0.1f; });
            Creature dog = new Creature(4, delegate (SinewGrounder grounder) { grounder.legs[2].ankle = null; });
            Play(5);
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("legs[2]"), Debug.Lines[0]);
            Assert.IsTrue(ReferenceEquals(dog.Grounder, Debug.LastContext), "context");
            Debug.Lines.Clear();
            dog.Animate();
            dog.Grounder.legs[2].ankle = dog.Tips[2];
            dog.Grounder.Refresh();
            Play(90);
            for (int leg = 0; leg < 4; leg++) Assert.AreEqual(0.1f, dog.Tips[leg].position.y, 5e-3, "metres, height of tip " + leg);
            dog.Grounder.legs.RemoveRange(2, 2);
            dog.Grounder.Refresh();
            Play(90);
            Assert.AreEqual(2, dog.Grounder.legCount);
            Assert.AreEqual(0.1f, dog.Tips[0].position.y, 5e-3, "metres, height of a tip that is still listed");
            dog.Grounder.legs.Clear();
            dog.Grounder.Refresh();
            Play(2);
            Assert.AreEqual(0f, dog.Tips[0].position.y, 1e-4, "metres, height of a tip without legs and humanoid");
        }

        [Test]
        public void LegsGoOnAfterTheRigWasSetUpAgainAndWithLessDetail()
        {
            Lay(delegate (float x, float z) { return x < 0f ? 0.1f : 0f; });
            Creature dog = new Creature(4);
            dog.Animate();
            Play(60);
            dog.Animator.RebuildRig();
            Play(60);
            for (int leg = 0; leg < 4; leg++) Assert.AreEqual(leg % 2 == 0 ? 0.1f : 0f, dog.Tips[leg].position.y, 5e-3, "metres, height of tip " + leg + ", set up again");
            dog.Animator.detailLevel = DetailLevel.EveryNth;
            dog.Animator.detailInterval = 3;
            Play(30);
            for (int frame = 0; frame < 6; frame++)
            {
                Play(1);
                for (int leg = 0; leg < 4; leg++)
                    Assert.AreEqual(leg % 2 == 0 ? 0.1f : 0f, dog.Tips[leg].position.y, 8e-3, "metres, height of tip " + leg + " in each third frame");
            }
            // Other constraints come after the legs.
            dog.Animator.detailLevel = DetailLevel.Full;
            SinewTwoBone kick = dog.Tips[1].gameObject.AddComponent<SinewTwoBone>();
            kick.target = new GameObject("Target").transform;
            kick.target.position = new Vector3(0.8f, 0.3f, 0.5f);
            Play(5);
            TestRig.AssertNear(kick.target.position, dog.Tips[1].position, 1e-3f, "a leg that a constraint moves");
            UnityEngine.Object.DestroyImmediate(dog.Tips[3].gameObject);
            Play(5);
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("legs[3]"), Debug.Lines[0]);
            Debug.Lines.Clear();
            TestRig.AssertNear(kick.target.position, dog.Tips[1].position, 1e-3f, "the constraint goes on without the grounder");
        }

        [Test]
        public void ACharacterThatIsResizedStandsOnTheGround()
        {
            // On a high step at the left, whatever its size.
            Lay(delegate (float x, float z) { return x < 0f ? 0.1f : 0f; });
            TestRig rig = new TestRig().Start();
            TransformData[] pose = rig.Snapshot();
            Player.Animation = delegate
            {
                rig.Apply(pose);
                rig.PoseIdle();
            };
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            Creature dog = new Creature(4);
            foreach (float size in new[] { 1f, 2f, 0.5f })
            {
                rig.Root.transform.localScale = dog.Root.transform.localScale = Vector3.one * size;
                Play(150);
                float high = rig["LeftToes"].position.y - 0.1f, low = rig["RightToes"].position.y;
                Assert.AreEqual(low, high, 4e-3 * size, "metres, the toes over their ground, size " + size);
                SinewGrounderSettings settings = grounder.nativeGrounder.Settings;
                Assert.AreEqual(size, settings.scale / (0.851f / 0.85f), 0.02 * size, "scale of lengths, size " + size);
                Assert.AreEqual(0.5f, settings.max_step_up, "a setting is that of a person");
                for (int leg = 0; leg < 4; leg++)
                    Assert.AreEqual(leg % 2 == 0 ? 0.1f : 0f, dog.Tips[leg].position.y, 6e-3 * size, "metres, height of tip " + leg + ", size " + size);
            }
        }

        [Test]
        public void TheFieldScaleIsAFactorOnTheSizeOfTheLegs()
        {
            Lay(delegate (float x, float z) { return x < 0f ? 0.01f : 0f; });
            TestRig rig = new TestRig().Start();
            TransformData[] pose = rig.Snapshot();
            Player.Animation = delegate
            {
                rig.Apply(pose);
                rig.PoseIdle();
            };
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            rig.Root.transform.localScale = Vector3.one * 0.1f;
            Play(150);
            // A figure of a tenth works as it is: its soles are on the ground.
            Assert.AreEqual(0.1f * 0.851f / 0.85f, grounder.nativeGrounder.Settings.scale, 0.002f, "scale by size");
            Assert.IsTrue(grounder.isLeftFootPlanted && grounder.isRightFootPlanted, "both feet stand");
            float high = rig["LeftToes"].position.y - 0.01f, low = rig["RightToes"].position.y;
            Assert.AreEqual(low, high, 4e-4f, "metres, the toes over their ground");
            grounder.scale = 1.5f;
            Play(2);
            Assert.AreEqual(0.15f * 0.851f / 0.85f, grounder.nativeGrounder.Settings.scale, 0.003f, "with the factor");
            Assert.IsTrue(grounder.isLeftFootPlanted && grounder.isRightFootPlanted, "both feet go on standing");
            // What nobody should enter does not stop the component.
            foreach (float bad in new[] { 0f, -1f, 1e9f })
            {
                grounder.scale = bad;
                Play(1);
                Assert.AreEqual(bad > 1f ? 1e4f : 1e-4f, grounder.nativeGrounder.Settings.scale, "scale " + bad);
            }
        }

        [Test]
        public void SizesOfFeetAreWhatIsSaid()
        {
            Lay(delegate { return 0f; });
            TestRig rig = new TestRig().Start();
            TransformData[] pose = rig.Snapshot();
            Player.Animation = delegate
            {
                rig.Apply(pose);
                rig.PoseIdle();
            };
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            grounder.leftFootSize.ballHeight = 0.06f;
            grounder.leftFootSize.toeLength = 0.11f;
            grounder.rightFootSize.heelLength = 0.07f;
            grounder.rightFootSize.ankleHeight = 0.12f;
            rig.Root.transform.localScale = Vector3.one * 2f;
            Play(90);
            SinewFootModel left = grounder.nativeGrounder.GetFoot(0), right = grounder.nativeGrounder.GetFoot(1);
            Assert.AreEqual(0.12f, left.ball_height, 1e-5, "ball");
            Assert.AreEqual(0.22f, left.toe_length, 1e-5, "toes");
            Assert.AreEqual(0.14f, right.heel_length, 1e-5, "heel");
            Assert.AreEqual(0.24f, right.heel_height, 1e-5, "ankle");
            Assert.AreEqual(0.12f, rig["LeftToes"].position.y, 4e-3, "metres of the ball over the floor");

            Creature crane = new Creature(4, delegate (SinewGrounder of)
            {
                foreach (SinewGroundLeg leg in of.legs) leg.size.ballHeight = 0.05f;
            });
            Play(90);
            for (int leg = 0; leg < 4; leg++) Assert.AreEqual(0.05f, crane.Tips[leg].position.y, 5e-3, "metres, height of tip " + leg);
        }

        [Test]
        public void EventsComeWhenFeetArePlantedAndReleased()
        {
            Lay(delegate { return 0f; });
            TestRig rig = new TestRig().Start();
            TransformData[] pose = rig.Snapshot();
            Player.Animation = delegate
            {
                rig.Apply(pose);
                rig.PoseIdle();
            };
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            List<string> told = new List<string>();
            Vector3 place = Vector3.zero;
            grounder.footPlanted += delegate (int leg)
            {
                told.Add("planted " + leg);
                place = grounder.GetFootPosition(leg);
            };
            grounder.footReleased += delegate (int leg) { told.Add("released " + leg); };
            Play(30);
            told.Sort();
            Assert.AreEqual("planted 0, planted 1", string.Join(", ", told.ToArray()));
            Assert.Less(place.y, 0.05f, "height of the place");
            told.Clear();
            grounder.rightFootContact = FootContact.Swing;
            Play(10);
            Assert.AreEqual("released 1", string.Join(", ", told.ToArray()));
            told.Clear();
            grounder.rightFootContact = FootContact.Planted;
            Play(10);
            Assert.AreEqual("planted 1", string.Join(", ", told.ToArray()));

            // A handler that throws, and one that disables the character.
            told.Clear();
            grounder.footReleased += delegate { throw new InvalidOperationException("a mistake in a handler"); };
            grounder.leftFootContact = grounder.rightFootContact = FootContact.Swing;
            Play(5);
            Assert.AreEqual("released 0, released 1", string.Join(", ", told.ToArray()));
            Assert.AreEqual(2, Debug.Lines.Count, "one line for each foot");
            Debug.Lines.Clear();
            grounder.footPlanted += delegate { rig.Root.SetActive(false); };
            grounder.leftFootContact = grounder.rightFootContact = FootContact.Planted;
            Play(5);
            Assert.IsFalse(rig.Root.activeSelf, "the handler ran");
        }

        [Test]
        public void ALandingThatIsKnownIsExpected()
        {
            Lay(delegate { return 0f; });
            foreach (bool isListed in new[] { false, true })
            {
                TestRig rig = new TestRig().Start();
                TransformData[] pose = rig.Snapshot();
                Player.Animation = delegate
                {
                    rig.Apply(pose);
                    rig.PoseIdle();
                };
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                if (isListed)
                    foreach (string side in new[] { "Left", "Right" })
                        grounder.legs.Add(new SinewGroundLeg(rig[side + "Foot"], rig[side + "Toes"]));
                Play(30);
                grounder.rightFootContact = FootContact.Swing;
                if (isListed) grounder.legs[1].contact = FootContact.Swing;
                Play(2);
                Vector3 place = new Vector3(0.09f, 0f, 0.5f);
                grounder.SetLanding(1, 0.5f, place);
                for (int frame = 0; frame < 20; frame++)
                {
                    Play(1);
                    Assert.AreEqual(0.5f - frame * Step, grounder.GetTimeToLanding(1), 2e-3, "seconds in frame " + frame + ", listed " + isListed);
                    Vector3 landing = grounder.GetLandingPosition(1);
                    Assert.AreEqual(place.z, landing.z, 2e-3, "metres ahead in frame " + frame);
                    Assert.AreEqual(place.x, landing.x, 2e-3, "metres aside in frame " + frame);
                }
                grounder.ClearLanding(1);
                Play(1);
                Assert.IsTrue(Mathf.Abs(grounder.GetLandingPosition(1).z - place.z) > 0.05f, "expected after it was taken back");
                Assert.Throws<ArgumentOutOfRangeException>(delegate { grounder.SetLanding(2, 0.1f, place); });
                Assert.Throws<ArgumentOutOfRangeException>(delegate { grounder.SetLanding(0, -1f, place); });
                Assert.Throws<ArgumentOutOfRangeException>(delegate { grounder.SetLanding(0, float.NaN, place); });
                Assert.Throws<ArgumentOutOfRangeException>(delegate { grounder.SetLanding(0, 0.1f, new Vector3(0f, float.NaN, 0f)); });
                Player.Clear();
                Lay(delegate { return 0f; });
            }
        }

        [Test]
        public void ListedLegsOfAHumanoidStandBesideItsOtherGoals()
        {
            Lay(delegate (float x, float z) { return x < 0f ? 0.1f : 0f; });
            TestRig rig = new TestRig().Start();
            TransformData[] pose = rig.Snapshot();
            Player.Animation = delegate
            {
                rig.Apply(pose);
                rig.PoseIdle();
            };
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            foreach (string side in new[] { "Left", "Right" })
                grounder.legs.Add(new SinewGroundLeg(rig[side + "Foot"], rig[side + "Toes"]));
            Vector3 goal = new Vector3(0.3f, 1.1f, 0.3f);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Play(120);
            Assert.AreEqual(rig["RightToes"].position.y, rig["LeftToes"].position.y - 0.1f, 4e-3, "metres, the toes over their ground");
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
        }

        [Test]
        public void GoalsThatAScriptKeepsForTheFeetComeBack()
        {
            foreach (bool isSentByUnity in new[] { false, true })
            {
                Lay(delegate { return 0.1f; });
                TestRig rig = new TestRig();
                TransformData[] pose = rig.Snapshot();
                Action idle = delegate
                {
                    rig.Apply(pose);
                    rig.PoseIdle();
                };
                if (isSentByUnity) rig.AddUnityAnimator(true).write = idle;
                else Player.Animation = idle;
                rig.Start();
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                Vector3 kick = new Vector3(0.1f, 0.5f, 0.5f);
                rig.Animator.SetIKPosition(AvatarIKGoal.RightFoot, kick);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightFoot, 1f);
                Play(60);
                Assert.Less(rig["RightFoot"].position.y, 0.3f, "height of the foot on the ground");
                grounder.enabled = false;
                Play(2);
                TestRig.AssertNear(kick, rig["RightFoot"].position, 1e-3f, "the foot at the script's goal, sent by Unity " + isSentByUnity);
                Player.Clear();
            }
        }
    }
}
