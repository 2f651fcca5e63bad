using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary> Poses the joints of a <see cref="SinewBody"/> by dragging one of them, in the
    /// editor or in a posing tool of a game: a chain of joints follows, pinned joints stay, limits
    /// hold. The component need not run, and its effectors do not count. Angles of
    /// SinewJointLimits count from the pose the rig has when this is created. </summary>
    public sealed unsafe class SinewAutoIK : IDisposable
    {
        private readonly SinewBody body;
        private readonly HumanRig rig;
        private readonly NativeBody native;
        private readonly SinewTransform[] start;
        private readonly SinewTransform[] pose;
        private SinewBodyPin[] held = new SinewBodyPin[0];

        /// <summary>Reads the joints below a body.</summary>
        /// <exception cref="SinewException">The joints are no skeleton.</exception>
        public SinewAutoIK(SinewBody body)
        {
            if (body == null) throw new ArgumentNullException("body");
            this.body = body;
            rig = new HumanRig(body.transform);
            start = new SinewTransform[rig.Joints.Length];
            pose = new SinewTransform[rig.Joints.Length];
            if (start.Length == 0) return;
            Begin();
            SinewBodySettings settings = NativeBody.DefaultSettings();
            settings.root = (int)body.root;
            try
            {
                native = body.BuildNative(rig, start, settings);
            }
            catch
            {
                rig.Dispose();
                throw;
            }
        }

        /// <summary>The joints that can be dragged.</summary>
        public IList<Transform> Joints
        {
            get { return rig.Joints; }
        }

        /// <summary>Begins a drag at the pose the joints have now: each <see cref="Drag"/> starts
        /// there, so the pose depends on the goal alone.</summary>
        public void Begin()
        {
            for (int i = 0; i < start.Length; i++) start[i] = SinewBody.Local(rig.Joints[i]);
        }

        /// <summary>Drags a joint to a point in world space and poses the joints.</summary>
        /// <param name="joint">One of <see cref="Joints"/>.</param>
        /// <param name="goal">World space.</param>
        /// <param name="chainLength">Number of joints above it that turn; 0: all up to the body's
        /// root, which moves where the body's root is free.</param>
        /// <param name="pins">Joints that stay; null: none.</param>
        /// <param name="pinsTurn">Whether they keep their rotation, too.</param>
        /// <returns>What is left; inactive, and nothing was moved, while the body is scaled to
        /// nothing.</returns>
        /// <exception cref="SinewException">A joint is not below the body, or its scale is uneven;
        /// nothing was moved.</exception>
        public SinewBodyOutcome Drag(Transform joint, Vector3 goal, int chainLength, IList<Transform> pins, bool pinsTurn)
        {
            if (native == null || body.IsScaledAway) return default(SinewBodyOutcome);
            SinewBodyDrag drag = NativeBody.DefaultDrag();
            drag.joint = body.JointOf(rig, joint);
            drag.goal = To(goal);
            drag.chain_length = (uint)Math.Max(0, chainLength);
            int count = pins == null ? 0 : pins.Count;
            if (held.Length != count) held = new SinewBodyPin[count];
            for (int i = 0; i < count; i++)
            {
                held[i].joint = body.JointOf(rig, pins[i]);
                held[i].flags = pinsTurn ? SinewConstants.SINEW_BODY_PIN_ROTATION : 0;
            }
            native.Root = body.Placed();
            Array.Copy(start, pose, pose.Length);
            SinewBodyOutcome outcome = native.Drag(pose, drag, held);
            for (int i = 0; i < pose.Length; i++)
            {
                SinewTransform to = pose[i];
                rig.Joints[i].localPosition = *(Vector3*)&to.position;
                rig.Joints[i].localRotation = *(Quaternion*)&to.rotation;
            }
            return outcome;
        }

        /// <summary>Frees the native body.</summary>
        public void Dispose()
        {
            if (native != null) native.Dispose();
            rig.Dispose();
        }
    }
}
