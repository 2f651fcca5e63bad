using System;
using NUnit.Framework;
using Sinew.Interop;
using Sinew.Samples;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The sample's look-at with each form of SetLookAtWeight, the target walking round
    /// the character.</summary>
    public sealed class AimTests
    {
        private const float Step = 1f / 60f;

        [Test]
        public void EachFormFollowsATargetRoundTheCharacter()
        {
            for (int arguments = 1; arguments <= 5; arguments++)
            {
                AimIK script;
                TestRig rig = Character(arguments, out script);
                Gaze gaze = new Gaze(rig);
                Quaternion head = rig["Head"].rotation, eye = rig["LeftEye"].rotation, chest = rig["UpperChest"].rotation;
                double worst = 0.0, worstStep = 0.0, worstOutcome = 0.0, farthest = 0.0;
                const int frames = 720; // twelve seconds for one round
                for (int frame = 0; frame < frames; frame++)
                {
                    // From the front, to the right, behind, and back to the front on the left; up
                    // and down twice.
                    float bearing = 360f * frame / frames;
                    float height = 1.6f + 0.4f * Mathf.Sin(bearing * 2f * Mathf.Deg2Rad);
                    script.target.position = Quaternion.Euler(0f, bearing, 0f) * (Vector3.forward * 1.8f) + Vector3.up * height;
                    Player.Frame(Step);

                    float side = Mathf.Min(bearing, 360f - bearing);
                    double error = gaze.ErrorTo(script.target.position, arguments >= 4);
                    // Half a circle is allowed, and its last tenth is soft: 81° to either side.
                    if (side < 75f && arguments != 3) worst = Math.Max(worst, error);
                    // Of what the spine leaves (0.7) the head takes 0.8: a seventh of the way is
                    // missing, and no eyes.
                    if (side < 60f && side > 15f && arguments == 3)
                    {
                        double whole = Vector3.Angle(Vector3.forward, script.target.position - new Vector3(0f, 1.638f, 0.08f));
                        Assert.Less(Math.Abs(error / whole - 0.14), 0.03, "head weight 0.8, bearing " + bearing);
                    }
                    Outcome outcome = rig.Animator.GetLookAtOutcome();
                    if (side < 75f && arguments < 3)
                        Assert.IsTrue(outcome.IsReached, arguments + " arguments, bearing " + bearing + ": " + outcome);
                    if (side > 100f) Assert.AreEqual(SinewStatus.Unreachable, outcome.Status, arguments + " arguments, bearing " + bearing);
                    if (arguments < 3) worstOutcome = Math.Max(worstOutcome, Math.Abs(error - outcome.ResidualRadians * Mathf.Rad2Deg));
                    if (frame > 0)
                    {
                        worstStep = Math.Max(worstStep, Quaternion.Angle(head, rig["Head"].rotation));
                        worstStep = Math.Max(worstStep, Quaternion.Angle(eye, rig["LeftEye"].rotation));
                        worstStep = Math.Max(worstStep, Quaternion.Angle(chest, rig["UpperChest"].rotation));
                    }
                    head = rig["Head"].rotation;
                    eye = rig["LeftEye"].rotation;
                    chest = rig["UpperChest"].rotation;
                    farthest = Math.Max(farthest, gaze.HeadFromChest());
                }
                string form = arguments + " arguments: ";
                Console.WriteLine("# " + form + (arguments == 3 ? "" : "gaze off by " + worst.ToString("0.0000") + "°, ") + "largest step " + worstStep.ToString("0.00")
                    + "°, head at most " + farthest.ToString("0.0") + "° from the chest");
                Assert.Less(worst, 0.1, form + "degrees the gaze is off in front");
                Assert.Less(worstOutcome, 0.1, form + "degrees between the outcome and what is seen");
                // The target moves 0.5° a frame; the head turns back through what it turned,
                // behind, in a few dozen frames.
                Assert.Less(worstStep, 4.0, form + "degrees in one frame");
                Assert.Less(farthest, 90.5, form + "degrees of the head from the chest, clamp 0.5");
                Player.Clear();
            }
        }

        [Test]
        public void GivenWeightsCountAndMissingOnesAreUnitys()
        {
            Vector3 place = new Vector3(0.9f, 1.7f, 1.2f);
            float[] spine = new float[6], head = new float[6], eyes = new float[6];
            for (int arguments = 1; arguments <= 5; arguments++)
            {
                AimIK script;
                TestRig rig = Character(arguments, out script);
                script.target.position = place;
                Player.Frame(Step);
                Player.Frame(Step);
                spine[arguments] = Quaternion.Angle(Quaternion.identity, rig["UpperChest"].rotation);
                head[arguments] = Quaternion.Angle(rig["UpperChest"].rotation, rig["Head"].rotation);
                eyes[arguments] = Quaternion.Angle(rig["Head"].rotation, rig["LeftEye"].rotation);
                Player.Clear();
            }
            Assert.Less(spine[1], 1e-3, "one argument: no spine");
            for (int arguments = 2; arguments <= 5; arguments++)
            {
                Assert.Greater(spine[arguments], 5.0, arguments + " arguments: the spine");
                Assert.AreEqual(spine[2], spine[arguments], 0.5, arguments + " arguments: the same share for the spine");
            }
            Assert.Greater(head[1], head[2], "the spine takes from the head");
            Assert.Greater(head[2], head[3] + 1f, "a head weight below 1");
            for (int arguments = 1; arguments <= 3; arguments++) Assert.Less(eyes[arguments], 1e-3, arguments + " arguments: no eyes");
            for (int arguments = 4; arguments <= 5; arguments++) Assert.Greater(eyes[arguments], 2.0, arguments + " arguments: the eyes");
        }

        [Test]
        public void WithoutTargetTheAnimationStays()
        {
            AimIK script;
            TestRig rig = Character(5, out script);
            TransformData[] before = rig.Snapshot();
            script.target.position = new Vector3(1f, 1f, 1f);
            Player.Frame(Step);
            Assert.Greater(Quaternion.Angle(Quaternion.identity, rig["Head"].rotation), 10.0, "the head turned");
            UnityEngine.Object.DestroyImmediate(script.target.gameObject);
            Player.Frame(Step);
            rig.AssertPose(before, "the target is gone");
        }

        private static TestRig Character(int arguments, out AimIK script)
        {
            TestRig rig = new TestRig().Start();
            script = rig.Root.AddComponent<AimIK>();
            script.target = new GameObject("Target").transform;
            script.target.position = new Vector3(0f, 1.6f, 1.8f);
            script.arguments = arguments;
            return rig;
        }

        /// <summary>Where head and eyes look, from the Transforms: all joints of the rig look along
        /// +Z at rest.</summary>
        private sealed class Gaze
        {
            private readonly TestRig rig;

            internal Gaze(TestRig rig)
            {
                this.rig = rig;
            }

            internal double ErrorTo(Vector3 target, bool withEyes)
            {
                if (!withEyes)
                {
                    Vector3 between = (rig["LeftEye"].position + rig["RightEye"].position) * 0.5f;
                    return Vector3.Angle(rig["Head"].rotation * Vector3.forward, target - between);
                }
                double left = Vector3.Angle(rig["LeftEye"].rotation * Vector3.forward, target - rig["LeftEye"].position);
                double right = Vector3.Angle(rig["RightEye"].rotation * Vector3.forward, target - rig["RightEye"].position);
                return Math.Max(left, right);
            }

            internal double HeadFromChest()
            {
                return Vector3.Angle(rig["UpperChest"].rotation * Vector3.forward, rig["Head"].rotation * Vector3.forward);
            }
        }
    }
}
