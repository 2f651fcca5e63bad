using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>SinewGrounder as it is dropped in, judged from the Transforms; and the native grounder it uses.</summary>
    public sealed class GrounderTests
    {
        private const float Step = 1f / 60f;
        private const float Stride = 0.55f;

        [Test]
        public void AddedToACharacterItStandsOnAStepAndASlope()
        {
            Walker walker = new Walker(0f);
            Collider floor = Floor();
            // The left half of the world is 0.06 m higher and rises to the front.
            Physics.Lay(floor, delegate (float x, float z) { return x < 0f ? 0.06f + 0.2f * z : 0.2f * z; });
            for (int frame = 0; frame < 90; frame++) Player.Frame(Step);
            for (int side = 0; side < 2; side++)
            {
                Vector3 ball = walker.Toes(side).position;
                float ground = (side == 0 ? 0.06f : 0f) + 0.2f * ball.z;
                // Along the slope's normal.
                float over = (ball.y - ground) / Mathf.Sqrt(1f + 0.04f);
                Assert.AreEqual(walker.BallHeight, over, 4e-3, "metres between ball and ground, side " + side);
                float tilt = Vector3.Angle(walker.Foot(side).rotation * Vector3.up, Vector3.up);
                Assert.AreEqual(Math.Atan(0.2) * 180.0 / Math.PI, tilt, 1.5, "degrees the foot is tilted, side " + side);
                walker.AssertBones();
            }
            Assert.IsTrue(walker.Grounder.isLeftFootPlanted && walker.Grounder.isRightFootPlanted, "both feet stand");
            Assert.Greater(walker.Grounder.presence, 0.99f);
            Assert.Greater(walker.Grounder.groundNormal.y, 0.9f);
        }

        [Test]
        public void AScriptThatTurnsTheSpineOrMovesTheBodyMovesNoHipsAside()
        {
            Vector3[] hips = new Vector3[4];
            for (int kind = 0; kind < 4; kind++)
            {
                Walker walker = new Walker(0f);
                Physics.Lay(Floor(), delegate (float x, float z) { return x < 0f ? 0.06f : 0f; });
                SinewAnimator animator = walker.Rig.Animator;
                Script script = walker.Rig.Root.AddComponent<Script>();
                int now = kind;
                script.Do = delegate
                {
                    if ((now & 1) != 0) animator.SetBoneLocalRotation(HumanBodyBones.Spine, Quaternion.Euler(60f, 0f, 0f));
                    if ((now & 2) != 0) animator.bodyPosition += new Vector3(0f, 0f, 0.02f);
                };
                for (int frame = 0; frame < 90; frame++) Player.Frame(Step);
                hips[kind] = walker.Rig["Hips"].position;
                Player.Clear();
            }
            TestRig.AssertNear(hips[0], hips[1], 1e-3f, "hips with a turned spine");
            TestRig.AssertNear(hips[0] + new Vector3(0f, 0f, 0.02f), hips[2], 2e-3f, "hips with a body that is moved");
        }

        [Test]
        public void FeetWithoutAnimationStepByThemselves()
        {
            Walker walker = new Walker(0f);
            walker.Grounder.stepping = true;
            Physics.Lay(Floor(), delegate (float x, float z) { return 0f; });
            int steps = 0;
            bool[] stood = { true, true };
            for (int frame = 0; frame < 180; frame++)
            {
                walker.Grounder.transform.position += new Vector3(0f, 0f, 0.01f);
                Player.Frame(Step);
                bool left = walker.Grounder.isLeftFootPlanted, right = walker.Grounder.isRightFootPlanted;
                if (frame > 2) Assert.IsTrue(left || right, "both feet swing in frame " + frame);
                if (frame > 2 && left && !stood[0]) steps++;
                if (frame > 2 && right && !stood[1]) steps++;
                stood[0] = left;
                stood[1] = right;
            }
            Assert.Greater(steps, 3, "steps");
        }

        [Test]
        public void ContactsAreLearnedFromAClipAndAFootFromItsOutline()
        {
            SinewVec3[] track = new SinewVec3[30];
            for (int frame = 0; frame < 30; frame++) track[frame].y = frame < 20 ? 0.03f : 0.03f + 0.05f * (frame - 19);
            SinewVec3 up = new SinewVec3 { y = 1f };
            SinewFrameRange[] found = NativeGrounder.ContactsFromClip(track, Step, up, NativeGrounder.DefaultContactRule());
            Assert.AreEqual(1, found.Length);
            Assert.IsTrue(found[0].start == 0 && found[0].end >= 18 && found[0].end <= 20, "frames to " + found[0].end);
            SinewVec3[] sole = { new SinewVec3 { z = -0.05f }, new SinewVec3 { z = 0.22f } };
            SinewFootModel foot = NativeGrounder.FootFromOutline(new SinewVec3 { y = 0.08f },
                new SinewVec3 { y = 0.02f, z = 0.14f }, sole, up);
            Assert.AreEqual(0.08, foot.toe_length, 1e-5);
        }

        [Test]
        public void PlantedFeetHoldStillWhileItWalksUpStairs()
        {
            Walker walker = new Walker(1.1f);
            HeightField stairs = delegate (float x, float z) { return 0.15f * Mathf.Clamp(Mathf.Floor((z - 0.4f) / 0.3f) + 1f, 0f, 20f); };
            Physics.Lay(Floor(), stairs);
            walker.Height = delegate (float z) { return 0.15f * Mathf.Clamp((z - 0.4f) / 0.3f + 0.5f, 0f, 20f); };
            Vector3[] last = new Vector3[2];
            bool[] stood = new bool[2];
            float worstSlide = 0f, deepest = 0f, jump = 0f;
            int still = 0;
            for (int frame = 0; frame < 240; frame++)
            {
                Player.Frame(Step);
                for (int side = 0; side < 2; side++)
                {
                    bool stands = side == 0 ? walker.Grounder.isLeftFootPlanted : walker.Grounder.isRightFootPlanted;
                    Vector3 ball = walker.Toes(side).position;
                    if (frame > 0) jump = Mathf.Max(jump, Vector3.Distance(ball, last[side]));
                    if (stands && stood[side] && walker.StandsLong(side))
                    {
                        worstSlide = Mathf.Max(worstSlide, Vector3.Distance(ball, last[side]));
                        still++;
                    }
                    float deep = stairs(ball.x, ball.z) + walker.BallHeight - ball.y;
                    deepest = Mathf.Max(deepest, deep);
                    last[side] = ball;
                    stood[side] = stands;
                }
            }
            Assert.Greater(still, 60, "frames in which a foot stood");
            Assert.Less(worstSlide, 5e-3f, "metres a standing ball moved in a frame");
            Assert.Less(deepest, 0.07f, "metres a ball was in a step");
            Assert.Less(jump, 0.2f, "metres a ball moved in a frame");
            Assert.Greater(walker.Foot(0).position.y, 0.6f, "it is up the stairs");
        }

        [Test]
        public void AllCharactersShareOneBatchAndAskAtMostTenRays()
        {
            Physics.Lay(Floor(), delegate (float x, float z) { return 0f; });
            Walker[] walkers = { new Walker(1f), new Walker(1f), new Walker(1f) };
            for (int i = 0; i < walkers.Length; i++) walkers[i].Rig.Root.transform.position = new Vector3(i, 0f, 0f);
            walkers[1].Grounder.quality = GroundQuality.One;
            Player.Animation = delegate { foreach (Walker walker in walkers) walker.Animate(); };
            Player.Frame(Step);
            for (int frame = 0; frame < 40; frame++)
            {
                int batches = RaycastCommand.Batches, casts = RaycastCommand.Casts;
                Player.Frame(Step);
                Assert.AreEqual(1, RaycastCommand.Batches - batches, "batches in a frame");
                int asked = 0;
                for (int i = 0; i < walkers.Length; i++)
                {
                    Assert.Less(walkers[i].Grounder.queryCount, i == 1 ? 3 : 11);
                    asked += walkers[i].Grounder.queryCount;
                }
                Assert.AreEqual(asked, RaycastCommand.Casts - casts, "rays in a frame");
            }
            int spheres = SpherecastCommand.Batches;
            walkers[2].Grounder.queryRadius = 0.03f;
            Player.Frame(Step);
            Assert.AreEqual(1, SpherecastCommand.Batches - spheres, "spheres are a batch of their own");
            Assert.AreEqual(0, Unity.Collections.NativeArray<RaycastHit>.Live, "arrays that were not disposed");
        }

        [Test]
        public void WithoutWeightGroundOrComponentNothingMoves()
        {
            Walker walker = new Walker(1f);
            walker.Grounder.weight = 0f;
            Collider floor = Floor();
            Physics.Lay(floor, delegate (float x, float z) { return 0.1f; });
            for (int frame = 0; frame < 20; frame++) Player.Frame(Step);
            walker.Rig.AssertPose(walker.Animated, "weight 0");
            walker.Grounder.weight = 1f;
            walker.Grounder.groundLayers = 2;
            walker.Grounder.ResetGrounding();
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            walker.AssertFeetAsAnimated("nothing is on that layer");
            walker.Grounder.groundLayers = 1;
            floor.isTrigger = true;
            walker.Grounder.ResetGrounding();
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            walker.AssertFeetAsAnimated("triggers are no ground");
            walker.Grounder.triggers = QueryTriggerInteraction.Collide;
            walker.Grounder.ResetGrounding();
            walker.Still = true;
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Assert.Greater(walker.Toes(0).position.y, 0.1f, "triggers are asked for");
            floor.isTrigger = false;
            walker.Grounder.enabled = false;
            for (int frame = 0; frame < 3; frame++) Player.Frame(Step);
            walker.AssertFeetAsAnimated("disabled");
        }

        [Test]
        public void ItsOwnCollidersAreNoGround()
        {
            foreach (float radius in new[] { 0f, 0.05f })
            {
                Walker walker = new Walker(0f);
                walker.Grounder.queryRadius = radius;
                Collider floor = Floor();
                Physics.Lay(floor, delegate (float x, float z) { return 0f; });
                int rays = RaycastCommand.Casts;
                for (int frame = 0; frame < 30; frame++) Player.Frame(Step);
                if (radius > 0f) Assert.AreEqual(rays, RaycastCommand.Casts, "rays where every sphere finds the ground");
                Collider knee = walker.Rig["LeftLowerLeg"].gameObject.AddComponent<Collider>();
                Collider ankle = walker.Rig["LeftFoot"].gameObject.AddComponent<Collider>();
                Physics.Clear();
                Physics.Lay(floor, delegate (float x, float z) { return 0f; });
                Physics.Lay(knee, delegate (float x, float z) { return 0.3f; });
                Physics.Lay(ankle, delegate (float x, float z) { return 0.1f; });
                for (int frame = 0; frame < 30; frame++) Player.Frame(Step);
                Assert.AreEqual(walker.BallHeight, walker.Toes(0).position.y, 4e-3, "metres of the ball over the floor, radius " + radius);
                Assert.IsTrue(walker.Grounder.isLeftFootPlanted, "the left foot stands, radius " + radius);
                Assert.Greater(walker.Grounder.presence, 0.99f, "presence, radius " + radius);
                Player.Clear();
            }
        }

        [Test]
        public void AStandingFootGoesWithAPlatform()
        {
            Walker walker = new Walker(0f);
            Collider lift = Floor();
            Physics.Lay(lift, delegate (float x, float z) { return lift.transform.position.y; });
            float worst = 0f;
            Vector3 local = Vector3.zero;
            for (int frame = 0; frame < 120; frame++)
            {
                float t = frame * Step;
                lift.transform.position = new Vector3(0.6f * Mathf.Sin(t), 0.15f * Mathf.Sin(2f * t), 0f);
                walker.Rig.Root.transform.position = lift.transform.position;
                Player.Frame(Step);
                Vector3 now = walker.Toes(1).position - lift.transform.position;
                if (frame > 30) worst = Mathf.Max(worst, Vector3.Distance(now, local));
                local = now;
            }
            Assert.IsTrue(walker.Grounder.isRightFootPlanted, "it stands");
            Assert.Less(worst, 1e-3f, "metres a foot slid on the platform in a frame");
        }

        // A lift of rigid bodies whose Transform is shown between the places that physics has it
        // at, and one character in step with physics beside one in step with frames.
        [Test]
        public void FeetStandOnAnInterpolatedPlatformAsItIsShown()
        {
            foreach (int rate in new[] { 20, 60, 144 })
            {
                Vector3 speed = new Vector3(0.4f, 2f, 0f);
                Collider lift = Floor();
                Rigidbody physics = lift.gameObject.AddComponent<Rigidbody>();
                physics.interpolation = RigidbodyInterpolation.Interpolate;
                Physics.Lay(lift, delegate (float x, float z) { return physics.position.y; });
                TestRig[] rigs = { new TestRig(), new TestRig() };
                for (int i = 0; i < 2; i++)
                {
                    Animator unity = rigs[i].AddUnityAnimator(false);
                    unity.write = rigs[i].PoseIdle;
                    unity.updateMode = i == 0 ? AnimatorUpdateMode.Normal : AnimatorUpdateMode.Fixed;
                    rigs[i].Start();
                    rigs[i].Root.AddComponent<SinewGrounder>();
                }
                double start = Time.fixedTimeAsDouble, shown = start;
                float highest = -1f, lowest = 1f, slid = 0f;
                Vector3[] before = new Vector3[2];
                for (int frame = 0; frame < 3 * rate; frame++)
                {
                    shown += 1.0 / rate;
                    while (Time.fixedTimeAsDouble + 0.02 <= shown)
                    {
                        physics.position = speed * (float)(Time.fixedTimeAsDouble + 0.02 - start);
                        Ride(lift, rigs, physics.position);
                        Player.FixedStep();
                        Slide(rigs[1], 1, lift, frame > rate, before, ref slid);
                    }
                    Ride(lift, rigs, speed * (float)(shown - 0.02 - start));
                    Player.Frame(1f / rate);
                    Slide(rigs[0], 0, lift, frame > rate, before, ref slid);
                    if (frame < rate) continue;
                    float height = rigs[0]["LeftToes"].position.y - lift.transform.position.y - rigs[0].Animator.leftFeetBottomHeight + 0.058f;
                    highest = Mathf.Max(highest, height);
                    lowest = Mathf.Min(lowest, height);
                }
                Assert.Less(highest, 4e-3f, "metres a foot was over the platform, frames a second " + rate);
                Assert.Greater(lowest, -4e-3f, "metres a foot was over the platform, frames a second " + rate);
                Assert.Less(slid, 2e-3f, "metres a foot slid on the platform, frames a second " + rate);
                for (int i = 0; i < 2; i++) Assert.IsTrue(rigs[i].Root.GetComponent<SinewGrounder>().isLeftFootPlanted, "it stands, " + i);
                Player.Clear();
            }
        }

        private static void Ride(Collider lift, TestRig[] riders, Vector3 to)
        {
            lift.transform.position = to;
            foreach (TestRig rider in riders) rider.Root.transform.position = to;
        }

        private static void Slide(TestRig rig, int number, Collider on, bool counts, Vector3[] before, ref float most)
        {
            Vector3 now = rig["LeftToes"].position - on.transform.position;
            if (counts) most = Mathf.Max(most, Vector3.Distance(now, before[number]));
            before[number] = now;
        }

        // Scenes with physics of their own: rounds of a server, a prediction.
        [Test]
        public void TheGroundIsThatOfTheCharactersOwnScene()
        {
            foreach (float radius in new[] { 0f, 0.05f })
            {
                UnityEngine.SceneManagement.Scene other = UnityEngine.SceneManagement.SceneManager.MakeWithPhysics();
                Collider here = Floor(), there = Floor();
                UnityEngine.SceneManagement.SceneManager.MoveGameObjectToScene(there.gameObject, other);
                Physics.Lay(here, delegate (float x, float z) { return 0.05f; });
                Physics.Lay(there, delegate (float x, float z) { return 0.15f; });
                Walker[] walkers = { new Walker(0f), new Walker(0f) };
                UnityEngine.SceneManagement.SceneManager.MoveGameObjectToScene(walkers[1].Rig.Root, other);
                Player.Animation = delegate { foreach (Walker walker in walkers) walker.Animate(); };
                foreach (Walker walker in walkers) walker.Grounder.queryRadius = radius;
                for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
                for (int i = 0; i < 2; i++)
                    Assert.AreEqual(walkers[i].BallHeight + (i == 0 ? 0.05f : 0.15f), walkers[i].Toes(0).position.y, 5e-3,
                        "metres of the ball, scene " + i + ", radius " + radius);
                Player.Clear();
            }
        }

        [Test]
        public void TheNativeGrounderGoesOnFromASnapshot()
        {
            SinewFootModel[] feet = { NativeGrounder.DefaultFoot(), NativeGrounder.DefaultFoot() };
            using (NativeGrounder one = new NativeGrounder(feet))
            using (NativeGrounder other = new NativeGrounder(feet, NativeGrounder.DefaultSettings()))
            {
                Assert.AreEqual(2, one.LegCount);
                SinewGrounderLegResult[] a = new SinewGrounderLegResult[2], b = new SinewGrounderLegResult[2];
                for (int frame = 0; frame < 30; frame++) Play(one, frame, a);
                other.SetSnapshot(one.GetSnapshot());
                for (int frame = 30; frame < 60; frame++)
                {
                    Play(one, frame, a);
                    Play(other, frame, b);
                    Assert.AreEqual(a[1].ankle.x, b[1].ankle.x);
                    Assert.AreEqual(a[1].ankle.y, b[1].ankle.y);
                    Assert.AreEqual(a[1].ankle.z, b[1].ankle.z);
                }
                Assert.AreEqual(2, (int)one.GetBody().planted, "planted feet");
                Assert.AreEqual(0.07 + 0.03, a[0].ball.y, 2e-3, "metres of the ball over a floor at 0.07");
                SinewGrounderSettings settings = one.Settings;
                settings.weight = 0.5f;
                one.Settings = settings;
                Assert.AreEqual(0.5f, one.Settings.weight);
                settings.plant_speed = -1f;
                Assert.Throws<SinewException>(delegate { one.Settings = settings; });
                Assert.AreEqual(0.5f, one.Settings.weight, "a refused setting was taken");
                Assert.Throws<SinewException>(delegate { one.GetFoot(2); });
                Assert.Throws<SinewException>(delegate { one.GetLegs(new SinewGrounderLegResult[1]); });
                SinewFootModel foot = NativeGrounder.FootFromRest(new SinewVec3 { y = 0.1f }, new SinewVec3 { y = 0.04f, z = 0.15f }, null,
                    new SinewVec3(), new SinewVec3 { y = 2f });
                one.SetFoot(1, foot);
                Assert.AreEqual(0.04f, one.GetFoot(1).ball_height, 1e-6f);
                one.Reset();
            }
        }

        [Test]
        public void BatchesAndFunctionsOfTheNativeGrounderGiveTheSameBits()
        {
            SinewFootModel[] feet = { NativeGrounder.DefaultFoot(), NativeGrounder.DefaultFoot() };
            NativeGrounder[] batch = { new NativeGrounder(feet), new NativeGrounder(feet), new NativeGrounder(feet) };
            using (NativeGrounder one = new NativeGrounder(feet))
            using (NativeGrounder asked = new NativeGrounder(feet))
            {
                SinewGrounderLegResult[] a = new SinewGrounderLegResult[2], b = new SinewGrounderLegResult[2], all = new SinewGrounderLegResult[6];
                SinewGrounderBody[] bodies = new SinewGrounderBody[3];
                SinewGrounderLeg[] legs = new SinewGrounderLeg[6];
                SinewGroundQuery[] queries = new SinewGroundQuery[30];
                SinewGroundHit[] hits = new SinewGroundHit[30];
                SinewGrounderFrame[] frames = { Standing(), Standing(), Standing() };
                int[] first = new int[4];
                for (int frame = 0; frame < 30; frame++)
                {
                    Play(one, frame, a);
                    asked.Solve(Standing(), Legs(), Answer);
                    asked.GetLegs(b);
                    for (int i = 0; i < 3; i++) Legs().CopyTo(legs, 2 * i);
                    int count = NativeGrounder.BeginBatch(batch, frames, legs, queries, first);
                    Assert.AreEqual(count, first[3]);
                    for (int i = 0; i < count; i++) hits[i] = Answer(queries[i]);
                    NativeGrounder.FinishBatch(batch, hits, count, bodies, all);
                    for (int leg = 0; leg < 2; leg++)
                    {
                        Assert.IsTrue(a[leg].Equals(b[leg]), "a function, frame " + frame);
                        for (int i = 0; i < 3; i++) Assert.IsTrue(a[leg].Equals(all[2 * i + leg]), "batch, grounder " + i + ", frame " + frame);
                    }
                    Assert.IsTrue(one.GetBody().Equals(bodies[2]), "body, frame " + frame);
                }
                Assert.AreEqual(2, (int)bodies[0].planted, "planted feet");
                Assert.Throws<InvalidOperationException>(delegate { asked.Solve(Standing(), Legs(), delegate { throw new InvalidOperationException(); }); });
                asked.Solve(Standing(), Legs(), Answer);
                Assert.Throws<SinewException>(delegate { NativeGrounder.BeginBatch(new[] { one, one }, frames, new SinewGrounderLeg[4], queries, first); });
                Assert.Throws<ArgumentException>(delegate { NativeGrounder.BeginBatch(new[] { one, null }, frames, legs, queries, first); });
                Assert.Throws<ArgumentException>(delegate { NativeGrounder.BeginBatch(batch, frames, legs, queries, new int[3]); });
            }
            foreach (NativeGrounder grounder in batch) grounder.Dispose();
        }

        [Test]
        public void ANativeAnimatorGivesItsLegsAndTakesTheResult()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                SinewFootModel[] feet = new SinewFootModel[2];
                animator.GetFootModels(feet);
                SinewGrounderLeg[] legs = new SinewGrounderLeg[2];
                SinewGrounderLegResult[] results = new SinewGrounderLegResult[2];
                using (NativeGrounder grounder = new NativeGrounder(feet))
                {
                    Assert.AreEqual(SinewResult.ErrorLengthMismatch, Assert.Throws<SinewException>(
                        delegate { animator.ApplyGrounder(grounder); }).Result, "no frame was finished");
                    int ankle = Natives.HumanJoints[(int)SinewHumanBone.LeftFoot];
                    for (int frame = 0; frame < 60; frame++)
                    {
                        animator.ResetPose();
                        SinewGrounderFrame place;
                        animator.GetGrounderLegs(out place, legs);
                        place.dt_s = 0.02f;
                        grounder.Solve(place, legs, Answer);
                        animator.ApplyGrounder(grounder);
                        animator.Solve();
                    }
                    grounder.GetLegs(results);
                    SinewVec3 at;
                    SinewQuat turned;
                    animator.GetJointWorld(ankle, out at, out turned);
                    Assert.AreEqual(results[0].ankle.x, at.x, 1e-4, "x of the ankle");
                    Assert.AreEqual(results[0].ankle.y, at.y, 1e-4, "y of the ankle");
                    Assert.AreEqual(results[0].ankle.z, at.z, 1e-4, "z of the ankle");
                    Assert.Greater(Math.Abs(at.y - legs[0].ankle.y), 0.02, "the ground is not where the animation has it");
                    Assert.Throws<SinewException>(delegate { animator.GetFootModels(new SinewFootModel[1]); });
                    SinewGrounderFrame unused;
                    Assert.Throws<SinewException>(delegate { animator.GetGrounderLegs(out unused, new SinewGrounderLeg[3]); });
                    Assert.Throws<ArgumentNullException>(delegate { animator.ApplyGrounder(null); });
                }
            }
        }

        private static SinewGrounderFrame Standing()
        {
            SinewGrounderFrame frame = NativeGrounder.DefaultFrame();
            frame.pelvis.y = 0.95f;
            return frame;
        }

        private static SinewGrounderLeg[] Legs()
        {
            SinewGrounderLeg[] legs = new SinewGrounderLeg[2];
            for (int i = 0; i < 2; i++)
            {
                float x = i == 0 ? -0.1f : 0.1f;
                legs[i].hip = new SinewVec3 { x = x, y = 0.92f };
                legs[i].knee = new SinewVec3 { x = x, y = 0.5f, z = 0.05f };
                legs[i].ankle = new SinewVec3 { x = x, y = 0.09f };
                legs[i].ball = new SinewVec3 { x = x, y = 0.03f, z = 0.13f };
                legs[i].foot.w = 1f;
                legs[i].weight = 1f;
            }
            return legs;
        }

        private static SinewGroundHit Answer(SinewGroundQuery query)
        {
            SinewGroundHit hit = default(SinewGroundHit);
            hit.hit = 1;
            hit.point = query.origin;
            hit.point.y = 0.07f;
            hit.normal.y = 1f;
            return hit;
        }

        private static void Play(NativeGrounder grounder, int index, SinewGrounderLegResult[] results)
        {
            SinewGroundQuery[] queries = new SinewGroundQuery[10];
            int count = grounder.Begin(Standing(), Legs(), queries);
            SinewGroundHit[] hits = new SinewGroundHit[10];
            for (int i = 0; i < count; i++) hits[i] = Answer(queries[i]);
            grounder.Finish(hits, count);
            grounder.GetLegs(results);
        }

        private static Collider Floor()
        {
            return GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>();
        }

        /// <summary>A figure that walks along Z: feet stand half of the time.</summary>
        private sealed class Walker
        {
            internal readonly TestRig Rig;
            internal readonly SinewGrounder Grounder;
            internal TransformData[] Animated;
            internal Func<float, float> Height = delegate { return 0f; };
            internal bool Still;
            private readonly TransformData[] rest;
            private readonly float[] lengths = new float[4];
            private readonly Vector3[] animatedFeet = new Vector3[2];
            private readonly float speed;
            private float time;

            internal Walker(float speed)
            {
                this.speed = speed;
                Rig = new TestRig().Start();
                rest = Rig.Snapshot();
                for (int i = 0; i < 4; i++) lengths[i] = Bone(i);
                Grounder = Rig.Root.AddComponent<SinewGrounder>();
                Player.Animation = Animate;
            }

            /// <summary>Of the rig's toes over its soles, metres: they lie 0.058 below the ankles.</summary>
            internal float BallHeight
            {
                get { return Rig.Animator.leftFeetBottomHeight - 0.058f; }
            }

            internal Transform Foot(int side)
            {
                return Rig[side == 0 ? "LeftFoot" : "RightFoot"];
            }

            internal Transform Toes(int side)
            {
                return Rig[side == 0 ? "LeftToes" : "RightToes"];
            }

            internal bool StandsLong(int side)
            {
                float phase = Phase(side);
                return phase > 0.15f && phase < 0.45f;
            }

            internal void AssertBones()
            {
                for (int i = 0; i < 4; i++) Assert.AreEqual(lengths[i], Bone(i), 5e-3, "length of leg bone " + i);
            }

            internal void AssertFeetAsAnimated(string why)
            {
                for (int side = 0; side < 2; side++)
                    Assert.Less(Vector3.Distance(animatedFeet[side], Foot(side).position), 1e-3f, why + ", side " + side);
            }

            internal void Animate()
            {
                Rig.Apply(rest);
                Rig.PoseIdle();
                if (!Still) time += Step;
                Transform root = Rig.Root.transform;
                if (speed > 0f)
                {
                    Vector3 at = root.position;
                    float z = speed * time;
                    root.position = new Vector3(at.x, Height(z), z);
                }
                Rig["Hips"].localPosition = new Vector3(0f, 0.87f, 0f);
                for (int side = 0; side < 2; side++)
                {
                    float z = 0f, lift = 0f;
                    if (speed > 0f)
                    {
                        // Half a cycle on the ground, half a cycle in the air.
                        float phase = Phase(side), half = speed * Cycle * 0.25f;
                        float s = (phase - 0.5f) * 2f;
                        z = phase < 0.5f ? half - 4f * half * phase : -half + 2f * half * s * s * (3f - 2f * s);
                        lift = phase < 0.5f ? 0f : 0.12f * 16f * s * s * (1f - s) * (1f - s);
                    }
                    Reach(side, root.position + new Vector3(side == 0 ? -0.091f : 0.091f, Rig.Animator.leftFeetBottomHeight + lift, z - 0.021f));
                    animatedFeet[side] = Foot(side).position;
                }
                Animated = Rig.Snapshot();
            }

            private float Cycle
            {
                get { return 2f * Stride / Mathf.Max(speed, 0.1f); }
            }

            private float Phase(int side)
            {
                float phase = time / Cycle + 0.5f * side;
                return phase - Mathf.Floor(phase);
            }

            private float Bone(int i)
            {
                string side = i < 2 ? "Left" : "Right";
                Transform upper = Rig[side + "UpperLeg"], lower = Rig[side + "LowerLeg"], foot = Rig[side + "Foot"];
                return i % 2 == 0 ? Vector3.Distance(upper.position, lower.position) : Vector3.Distance(lower.position, foot.position);
            }

            // Two bones in the plane of walking, the foot level.
            private void Reach(int side, Vector3 ankle)
            {
                string name = side == 0 ? "Left" : "Right";
                Transform upper = Rig[name + "UpperLeg"], lower = Rig[name + "LowerLeg"], foot = Rig[name + "Foot"];
                float a = lengths[side * 2], b = lengths[side * 2 + 1];
                Vector3 way = ankle - upper.position;
                float d = Mathf.Min(way.magnitude, (a + b) * 0.999f);
                float back = (float)Math.Atan2(way.z, -way.y);
                float open = (float)Math.Acos((a * a + d * d - b * b) / (2f * a * d));
                float bend = Mathf.PI - (float)Math.Acos((a * a + b * b - d * d) / (2f * a * b));
                upper.rotation = Quaternion.Euler(-(back + open) * Mathf.Rad2Deg, 0f, 0f);
                lower.localRotation = Quaternion.Euler(bend * Mathf.Rad2Deg, 0f, 0f);
                foot.rotation = Quaternion.identity;
            }
        }
    }
}
