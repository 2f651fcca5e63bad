using System;
using NUnit.Framework;
using Sinew.Samples;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The sample's foot placement on slopes, judged from the Transforms: soles on the
    /// ground, knees as knees are.</summary>
    public sealed class FootPlacementTests
    {
        private const float Step = 1f / 60f;

        [Test]
        public void FeetStandOnSlopesWhileWalking()
        {
            double worstSole = 0.0, worstTilt = 0.0, worstStep = 0.0;
            foreach (float slope in new[] { 0f, 10f, -10f, 22f, -22f })
            {
                foreach (float yaw in new[] { 0f, 90f, 200f })
                {
                    Walk walk = new Walk(Quaternion.Euler(slope, 0f, 0f) * Vector3.up, yaw);
                    FootPlacementIK script = walk.Rig.Root.AddComponent<FootPlacementIK>();
                    script.bodySpeed = 100f;
                    string where = "slope " + slope + ", yaw " + yaw;
                    Vector3[] before = new Vector3[2];
                    for (int frame = 0; frame < 150; frame++)
                    {
                        walk.Play(frame * Step);
                        for (int side = 0; side < 2; side++)
                        {
                            string at = where + ", frame " + frame + ", side " + side;
                            Transform foot = walk.Foot(side);
                            worstSole = Math.Max(worstSole, Math.Abs(walk.SoleAboveGround(side) - walk.Lift(side)));
                            worstTilt = Math.Max(worstTilt, Quaternion.Angle(walk.Flat, foot.rotation));
                            if (frame > 0) worstStep = Math.Max(worstStep, Vector3.Distance(before[side], foot.position));
                            before[side] = foot.position;
                            walk.AssertKnee(side, at);
                            Outcome outcome = walk.Rig.Animator.GetIKOutcome((AvatarIKGoal)side);
                            Assert.IsTrue(outcome.IsReached, at + ": " + outcome);
                        }
                    }
                    Player.Clear();
                }
            }
            Console.WriteLine("# soles off by " + (worstSole * 1000.0).ToString("0.000") + " mm and " + worstTilt.ToString("0.0000")
                + "°, largest step " + (worstStep * 1000.0).ToString("0") + " mm");
            Assert.Less(worstSole, 1e-3, "metres between the sole and where it should be above the ground");
            Assert.Less(worstTilt, 0.2, "degrees between the foot and the ground");
            Assert.Less(worstStep, 0.06, "metres a foot moves in a frame");
        }

        [Test]
        public void WithoutGroundOrWeightNothingMoves()
        {
            Walk walk = new Walk(Vector3.up, 0f);
            FootPlacementIK script = walk.Rig.Root.AddComponent<FootPlacementIK>();
            script.weight = 0f;
            Player.Frame(Step);
            walk.Play(0.4f);
            walk.Rig.AssertPose(walk.Animated, "weight 0");
            script.weight = 1f;
            script.ground = 0;
            walk.Play(0.5f);
            walk.Play(0.5f);
            walk.Rig.AssertPose(walk.Animated, "nothing is ground");
        }

        [Test]
        public void TheBodySinksOnlyAsFarAsTheLowerFootNeeds()
        {
            Walk walk = new Walk(Quaternion.Euler(0f, 0f, 15f) * Vector3.up, 0f); // one foot higher than the other
            walk.Rig.Root.AddComponent<FootPlacementIK>().bodySpeed = 0.5f;
            float still = 0f, last = 0f;
            for (int frame = 0; frame < 60; frame++)
            {
                walk.Play(0f);
                still = walk.Rig["Hips"].position.y;
                if (frame > 0) Assert.Less(Math.Abs(still - last), 0.5f * Step + 1e-4f, "the hips in frame " + frame);
                last = still;
            }
            // The ankles are 0.091 m to either side: the lower foot stands 0.091 tan 15° below the
            // character's own height.
            float sunk = walk.AnimatedHips - still;
            Assert.AreEqual(0.091 * Math.Tan(15.0 * Math.PI / 180.0), sunk, 8e-3, "metres the body sank");
        }

        /// <summary>A figure that walks on the spot, standing on a plane through its
        /// root.</summary>
        private sealed class Walk
        {
            internal readonly TestRig Rig;
            internal readonly Quaternion Flat;
            internal TransformData[] Animated;
            internal float AnimatedHips;
            private readonly Vector3 normal;
            private readonly float[] lifts = new float[2];
            private readonly TransformData[] rest;
            private float time;

            internal Walk(Vector3 normal, float yaw)
            {
                this.normal = normal;
                Rig = new TestRig().Start();
                rest = Rig.Snapshot();
                Quaternion facing = Quaternion.Euler(0f, yaw, 0f);
                Rig.Root.transform.position = new Vector3(2f, 0.7f, -1f);
                Rig.Root.transform.rotation = facing;
                Flat = Quaternion.FromToRotation(Vector3.up, normal) * facing;
                Physics.Lay(Rig.Root.transform.position, normal);
                Player.Animation = Animate;
            }

            internal void Play(float at)
            {
                time = at;
                Player.Frame(Step);
            }

            internal Transform Foot(int side)
            {
                return Rig[side == 0 ? "LeftFoot" : "RightFoot"];
            }

            internal float Lift(int side)
            {
                return lifts[side];
            }

            /// <summary>Straight down, as the animation's own lift is: the foot's sole is
            /// bottomHeight below the ankle along its Y.</summary>
            internal float SoleAboveGround(int side)
            {
                Vector3 sole = Foot(side).position - Foot(side).rotation * Vector3.up * Rig.Animator.leftFeetBottomHeight;
                return Vector3.Dot(sole - Rig.Root.transform.position, normal) / normal.y;
            }

            /// <summary>The knee lies in front of the line from hip to ankle, and bends by a
            /// possible angle.</summary>
            internal void AssertKnee(int side, string at)
            {
                string prefix = side == 0 ? "Left" : "Right";
                Vector3 hip = Rig[prefix + "UpperLeg"].position, knee = Rig[prefix + "LowerLeg"].position, ankle = Foot(side).position;
                Vector3 line = (ankle - hip).normalized;
                Vector3 off = knee - hip - line * Vector3.Dot(knee - hip, line);
                Vector3 forward = Rig.Root.transform.rotation * Vector3.forward;
                Assert.Greater(Vector3.Dot(off, forward), 0.0, at + ": the knee is behind the leg");
                Assert.Less(Math.Abs(Vector3.Dot(off, Rig.Root.transform.rotation * Vector3.right)), 0.05, at + ": the knee leaves the leg's plane");
                Assert.Less(Vector3.Angle(knee - hip, ankle - knee), 120.0, at + ": the knee bends too far");
            }

            private void Animate()
            {
                Rig.Apply(rest); // a leg that was stretched too
                Rig.PoseIdle();
                float stride = time * 2f * Mathf.PI * 0.8f;
                for (int side = 0; side < 2; side++)
                {
                    string prefix = side == 0 ? "Left" : "Right";
                    float phase = stride + side * Mathf.PI;
                    float thigh = -16f - 16f * Mathf.Sin(phase);
                    float knee = 26f + 14f * Mathf.Cos(phase);
                    Rig[prefix + "UpperLeg"].localRotation = Quaternion.Euler(thigh, 0f, 0f);
                    Rig[prefix + "LowerLeg"].localRotation = Quaternion.Euler(knee, 0f, 0f);
                    Rig[prefix + "Foot"].localRotation = Quaternion.Euler(-thigh - knee, 0f, 0f);
                }
                // The lower foot stands on the floor.
                float bottom = Rig.Animator.leftFeetBottomHeight;
                Rig["Hips"].localPosition = new Vector3(0f, 0.954f, 0f);
                float floor = Rig.Root.transform.position.y + bottom;
                float lowest = Mathf.Min(Foot(0).position.y, Foot(1).position.y) - floor;
                Rig["Hips"].localPosition = new Vector3(0f, 0.954f - lowest, 0f);
                for (int side = 0; side < 2; side++) lifts[side] = Mathf.Max(0f, Foot(side).position.y - floor);
                AnimatedHips = Rig["Hips"].position.y;
                Animated = Rig.Snapshot();
            }
        }
    }
}
