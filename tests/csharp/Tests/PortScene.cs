using System;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The set-ups that each ported script is judged in, and helpers for them.</summary>
    public abstract class PortScene
    {
        protected const float Millimetre = 1e-3f;
        internal TestRig rig;
        protected Animator unity;

        private static readonly string[] setups =
        {
            ", no Animator", ", IK Pass off", ", IK Pass on", ", Animate Physics", ", transform jobs",
        };

        // One run per set-up; a character that needs parameters or states has an Animator.
        protected void Each(bool needsAnimator, Action<string> test)
        {
            int threshold = SinewRuntime.JobThreshold;
            for (int setup = needsAnimator ? 1 : 0; setup < setups.Length; setup++)
            {
                rig = new TestRig();
                unity = setup == 0 ? null : rig.AddUnityAnimator(false);
                rig.Start();
                if (unity != null)
                {
                    RuntimeAnimatorController controller = new RuntimeAnimatorController();
                    if (setup != 1) controller.IKPassLayers.Add(0);
                    unity.runtimeAnimatorController = controller;
                    unity.write = rig.PoseIdle;
                    unity.updateMode = setup == 3 ? AnimatorUpdateMode.Fixed : AnimatorUpdateMode.Normal;
                }
                else Player.Animation = rig.PoseIdle;
                SinewRuntime.JobThreshold = setup == 4 ? 1 : threshold;
                try
                {
                    test(setups[setup]);
                }
                finally
                {
                    SinewRuntime.JobThreshold = threshold;
                }
                Debug.Lines.RemoveAll(delegate (string line) { return line.Contains("no Animator beside it"); });
                Player.Clear();
            }
        }

        protected static Transform At(float x, float y, float z)
        {
            Transform made = new GameObject("Point").transform;
            made.position = new Vector3(x, y, z);
            return made;
        }

        protected static void Frames(int count)
        {
            for (int i = 0; i < count; i++)
            {
                Player.FixedStep();
                Player.Frame(0.02f);
            }
        }
    }
}
