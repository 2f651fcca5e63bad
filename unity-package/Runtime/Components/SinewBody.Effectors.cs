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
            now.feedback = feedback;
            now.goal_velocity = goalVelocity;
            now.track_converge = (int)trackConverge;
            now.track_solver = (int)trackSolver;
            now.track_step_s = longestStep;
            now.max_speed = maxSpeed * Mathf.Deg2Rad;
            now.max_acceleration = maxAcceleration * Mathf.Deg2Rad;
            details.Apply(ref now);
            bool same = true;
            fixed (SinewBodySettings* sent = &settings)
                for (int i = 0; i < sizeof(SinewBodySettings) / 4; i++) same &= ((int*)sent)[i] == ((int*)&now)[i];
            if (!same) native.Settings = now;
            settings = now;
            if (sentWork == maxWork) return;
            sentWork = maxWork;
            native.MaxWork = (uint)Mathf.Max(0, maxWork);
        }

        private void ApplyEffectors()
        {
            round++;
            for (int i = 0; i < effectors.Count; i++)
                if (effectors[i] != null) effectors[i].Round = round;
            for (int i = owners.Count - 1; i >= 0; i--)
                if (owners[i].Round != round) Disown(owners[i]);
            for (int i = 0; i < effectors.Count; i++) Apply(effectors[i]);
        }

        // Removes the tasks of an effector that has left the list.
        private void Disown(SinewBodyEffector effector)
        {
            if (!effector.Task.IsNull) native.RemoveTask(effector.Task);
            if (!effector.Turn.IsNull) native.RemoveTask(effector.Turn);
            effector.Forget();
            owners.Remove(effector);
        }

        private void ForgetEffectors()
        {
            for (int i = 0; i < owners.Count; i++) owners[i].Forget();
            owners.Clear();
        }

        private void Apply(SinewBodyEffector effector)
        {
            if (!ReferenceEquals(effector.Owner, this))
            {
                if (!ReferenceEquals(effector.Owner, null)) effector.Owner.Disown(effector);
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
            def.level = (uint)of.level;
            def.point = To(of.point);
            def.other_point = To(of.otherPoint);
            def.axis = To(of.axis);
            def.distance = of.distance;
            def.blend = of.blend * weight;
            def.importance = of.importance;
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
