using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    // Effectors and settings: what the fields hold goes to the native body.
    public sealed unsafe partial class SinewBody
    {
        // Effectors that have tasks in the native body, also those that have left the list since.
        [NonSerialized] private readonly List<SinewBodyEffector> owners = new List<SinewBodyEffector>();
        [NonSerialized] private int round;

        private void ApplySettings()
        {
            SinewBodySettings now = settings;
            now.mode = (int)mode;
            now.root = (int)root;
            now.feedback = Mathf.Clamp(feedback, 0f, 1e6f);
            now.goal_velocity = Mathf.Clamp01(goalVelocity);
            now.track_converge = (int)trackConverge;
            now.track_solver = (int)trackSolver;
            now.track_step_s = Mathf.Clamp(longestStep, 0f, 1e6f);
            now.max_speed = Mathf.Clamp(maxSpeed * Mathf.Deg2Rad, 0f, 1e6f);
            now.max_acceleration = Mathf.Clamp(maxAcceleration * Mathf.Deg2Rad, 0f, 1e6f);
            details.Apply(ref now);
            bool same = true;
            fixed (SinewBodySettings* sent = &settings)
                for (int i = 0; i < sizeof(SinewBodySettings) / 4; i++) same &= ((int*)sent)[i] == ((int*)&now)[i];
            if (!same) TrySetSettings(now);
            else settingsProblems.Clear();
            if (sentWork == maxWork) return;
            sentWork = maxWork;
            native.MaxWork = Work(maxWork);
        }

        // Settings that are refused leave those of the frame before in force.
        private void TrySetSettings(SinewBodySettings now)
        {
            try
            {
                native.Settings = now;
                settings = now;
                settingsProblems.Clear();
            }
            catch (SinewException e)
            {
                settingsProblems.Add(e, this, "The settings before it count until that is changed.");
            }
        }

        private void ApplyEffectors()
        {
            round++;
            int count = effectors == null ? 0 : effectors.Count;
            for (int i = 0; i < count; i++)
                if (effectors[i] != null) effectors[i].Round = round;
            for (int i = owners.Count - 1; i >= 0; i--)
                if (owners[i].Round != round) RemoveTasks(owners[i]);
            for (int i = 0; i < count; i++)
                if (effectors[i] != null) TryApply(effectors[i], i);
        }

        // A mistake in an effector stops no other: this one does nothing until it is gone.
        private void TryApply(SinewBodyEffector effector, int number)
        {
            try
            {
                bool isWanted = Apply(effector);
                effector.IsFaulty = false;
                if (isWanted) effector.Problems.Clear();
            }
            catch (SinewException e)
            {
                effector.IsFaulty = true;
                effector.Problems.Add(e, this, "Effector " + number + " does nothing until that is changed.");
                if (!effector.Task.IsNull) native.SetTaskBlend(effector.Task, 0f);
                if (!effector.Turn.IsNull) native.SetTaskBlend(effector.Turn, 0f);
            }
        }

        private void KeepOutcomes()
        {
            for (int i = 0; i < owners.Count; i++)
                owners[i].outcome = owners[i].Task.IsNull ? default(SinewBodyTaskOutcome) : native.TaskOutcome(owners[i].Task);
        }

        private void ReleaseTies()
        {
            isTiedToSeen = false;
            for (int i = 0; i < owners.Count; i++) owners[i].ReleaseTie();
        }

        // Removes the tasks of an effector that has left the list.
        private void RemoveTasks(SinewBodyEffector effector)
        {
            if (!effector.Task.IsNull) native.RemoveTask(effector.Task);
            if (!effector.Turn.IsNull) native.RemoveTask(effector.Turn);
            effector.Forget();
            owners.Remove(effector);
        }

        private void ForgetEffectors()
        {
            ReleaseTies(); // of a meeting that no solve has reached for
            for (int i = 0; i < owners.Count; i++) owners[i].Forget();
            owners.Clear();
        }

        private bool Apply(SinewBodyEffector effector)
        {
            if (!ReferenceEquals(effector.Owner, this))
            {
                if (!ReferenceEquals(effector.Owner, null)) effector.Owner.RemoveTasks(effector);
                effector.Owner = this;
                owners.Add(effector);
            }
            SinewBodyTaskDef def;
            bool isWanted = Define(effector, out def);
            BodyRows rows = effector.kind == SinewBodyTaskKind.Host ? effector.rows : null;
            if (isWanted && rows != effector.AddedRows && !effector.Task.IsNull)
            {
                native.RemoveTask(effector.Task);
                effector.Task = default(SinewBodyTask);
            }
            if (isWanted) effector.AddedRows = rows;
            Set(ref effector.Task, isWanted, ref def, rows);
            bool hasRotation = effector.target != null || effector.pin || effector.TurnIsTied;
            bool turns = isWanted && effector.kind == SinewBodyTaskKind.Position && effector.matchRotation && hasRotation;
            if (turns) def.kind = (int)SinewBodyTaskKind.Orientation;
            Set(ref effector.Turn, turns, ref def, null);
            return isWanted;
        }

        // A task that is not active stays, with blend 0: adding and removing is not for every
        // frame.
        private void Set(ref SinewBodyTask task, bool isWanted, ref SinewBodyTaskDef def, BodyRows rows)
        {
            if (!isWanted)
            {
                if (!task.IsNull) native.SetTaskBlend(task, 0f);
                return;
            }
            if (task.IsNull) task = rows == null ? native.AddTask(def) : native.AddHostTask(def, rows);
            else native.SetTask(task, def);
        }

        private bool Define(SinewBodyEffector of, out SinewBodyTaskDef def)
        {
            def = NativeBody.DefaultTask(of.kind);
            bool isOfMass = of.kind == SinewBodyTaskKind.CenterOfMass || of.kind == SinewBodyTaskKind.Support;
            bool isOfHost = of.kind == SinewBodyTaskKind.Host;
            if (isOfHost && of.rows == null) return false;
            bool needsTarget = !of.pin && !of.IsTied && !isOfHost && of.kind != SinewBodyTaskKind.Support && of.kind != SinewBodyTaskKind.JointRotation
                && of.kind != SinewBodyTaskKind.RelativePosition && of.kind != SinewBodyTaskKind.RelativeOrientation
                && !(of.kind == SinewBodyTaskKind.Distance && of.other != null);
            if ((!isOfMass && of.joint == null) || (needsTarget && of.target == null)) return false;
            if (!isOfMass) def.joint = JointOf(of.joint);
            if (of.other != null) def.other = (int)JointOf(of.other);
            if (of.kind == SinewBodyTaskKind.Pole)
            {
                Transform end = of.end != null ? of.end : of.joint.childCount > 0 ? of.joint.GetChild(0) : null;
                if (end == null) return false;
                def.end = (int)JointOf(end);
            }
            if (isOfHost && of.end != null) def.end = (int)JointOf(of.end);
            def.axes = (of.x ? SinewConstants.SINEW_BODY_AXIS_X : 0) | (of.y ? SinewConstants.SINEW_BODY_AXIS_Y : 0)
                | (of.z ? SinewConstants.SINEW_BODY_AXIS_Z : 0);
            if (def.axes == 0) return false;
            def.frame = (int)of.frame;
            def.side = (int)of.side;
            def.flags = of.pin && !isOfHost ? SinewConstants.SINEW_BODY_TASK_PIN : 0;
            if (isOfHost && of.rowsAreAngles) def.flags |= SinewConstants.SINEW_BODY_TASK_RADIANS;
            def.level = (uint)Mathf.Clamp(of.level, 0, (int)SinewConstants.SINEW_BODY_MAX_LEVEL);
            def.point = To(of.point);
            def.other_point = To(of.otherPoint);
            def.axis = To(of.axis);
            def.distance = Mathf.Max(0f, of.distance);
            def.blend = Mathf.Clamp01(of.blend) * Mathf.Clamp01(weight);
            def.importance = Mathf.Clamp(of.importance, 1e-6f, 1e6f);
            if (of.target != null)
            {
                def.goal = To(of.target.position);
                def.rotation = To(of.target.rotation);
                bool isDirection = of.kind == SinewBodyTaskKind.Axis;
                def.direction = To(of.target.rotation * (isDirection ? Vector3.forward : Vector3.up));
            }
            if (of.IsTied) of.ToMeeting(ref def);
            if (of.kind == SinewBodyTaskKind.JointRotation || of.kind == SinewBodyTaskKind.RelativeOrientation)
                def.rotation = To(Quaternion.Euler(of.rotation.x, of.rotation.y, of.rotation.z));
            return of.kind != SinewBodyTaskKind.Support || Corners(of, ref def);
        }

        private bool Corners(SinewBodyEffector of, ref SinewBodyTaskDef def)
        {
            if (of.corners == null) return false;
            int count = 0;
            fixed (SinewVec3* to = &def.corners0)
            {
                for (int i = 0; i < of.corners.Length && count < (int)SinewConstants.SINEW_BODY_MAX_CORNERS; i++)
                    if (of.corners[i] != null) to[count++] = To(of.corners[i].position);
            }
            def.corner_count = (uint)count;
            def.direction = To(of.target != null ? of.target.up : Vector3.up);
            return count > 0;
        }
    }
}
