using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>One task of a <see cref="SinewBody"/>: a joint, its goal, and how much that
    /// counts.</summary>
    [Serializable]
    public sealed class SinewBodyEffector
    {
        /// <summary>Kind of the task. Each kind reads some of the fields below; see
        /// SinewBodyTaskKind.</summary>
        public SinewBodyTaskKind kind = SinewBodyTaskKind.Position;

        /// <summary>The joint: a Transform below the body. Not read for the centre of mass.</summary>
        public Transform joint;

        /// <summary>Where the goal is and how it is turned; a plane passes through it with its up as the normal. None: nothing is done, unless it is a pin.</summary>
        public Transform target;

        /// <summary>Whether the joint also turns as the target does; for positions.</summary>
        public bool matchRotation;

        /// <summary>Another joint: of ties, of a distance; of a pole the first joint of the limb (None: the parent of the joint).</summary>
        public Transform other;

        /// <summary>The last joint of the limb, for a pole. None: the first child of the joint.</summary>
        public Transform end;

        /// <summary>A point of the joint in its own space: a palm, a sole, the tip of a weapon.</summary>
        public Vector3 point;

        /// <summary>A point of the other joint in its own space.</summary>
        public Vector3 otherPoint;

        /// <summary>An axis of the joint in its own space, for directions and gaze; not zero.</summary>
        public Vector3 axis = Vector3.forward;

        /// <summary>Local rotation of the joint, Euler angles in degrees, for joint rotations; rotation seen from the other joint, for ties.</summary>
        public Vector3 rotation;

        /// <summary>Whether the X axis counts.</summary>
        public bool x = true;

        /// <summary>Whether the Y axis counts.</summary>
        public bool y = true;

        /// <summary>Whether the Z axis counts.</summary>
        public bool z = true;

        /// <summary>In which frame these axes are.</summary>
        public SinewBodyFrame frame = SinewBodyFrame.World;

        /// <summary>Which side of a sphere or plane is allowed.</summary>
        public SinewBodySide side = SinewBodySide.On;

        /// <summary>A distance in metres, 0 or more; how far inside the area of support the centre of mass is kept.</summary>
        public float distance;

        /// <summary>Corners of the area of support: Transforms such as the feet, 1 to 16.</summary>
        public Transform[] corners;

        /// <summary>Whether the goal is where the animation has the joint.</summary>
        public bool pin;

        /// <summary>How far the goal moves from the animated joint to the target: 0 is absent, bit for bit.</summary>
        [Range(0f, 1f)] public float blend = 1f;

        /// <summary>Ratio in conflicts with others of the level, above 0. Not for fading.</summary>
        public float importance = 1f;

        /// <summary>Priority level: tasks give way to those of lower levels.</summary>
        [Range(0, 3)] public int level;

        /// <summary>Computes the rows of the kind Host, a residual of your own, from where joint, other and end are; it has as many rows as x, y and z are on. Set by a script; null: nothing is done.</summary>
        [NonSerialized] public BodyRows rows;

        /// <summary>Whether rows of the kind Host are angles, in radians; otherwise lengths, in metres.</summary>
        public bool rowsAreAngles;

        [NonSerialized] internal BodyRows AddedRows;
        [NonSerialized] internal SinewBodyTask Task;
        [NonSerialized] internal SinewBodyTask Turn;
        // Set by SinewBodyTies for one solve: the goal is the meeting place.
        [NonSerialized] internal bool IsTied;
        // The rotation that goes with a position, too.
        [NonSerialized] internal bool TurnIsTied;
        [NonSerialized] private SinewVec3 meetingPlace;
        [NonSerialized] private SinewQuat meetingRotation = new SinewQuat { w = 1f };

        /// <summary>What the last solve left of it.</summary>
        [NonSerialized] public SinewBodyTaskOutcome outcome;

        internal void KeepMeeting(NativeBody body)
        {
            meetingPlace = body.Task(Task).goal;
            meetingRotation = body.Task(TurnIsTied ? Turn : Task).rotation;
        }

        internal void ReleaseTie()
        {
            IsTied = TurnIsTied = false;
        }

        internal void ToMeeting(ref SinewBodyTaskDef def)
        {
            def.goal = meetingPlace;
            if (kind == SinewBodyTaskKind.Orientation || TurnIsTied) def.rotation = meetingRotation;
        }
    }
}
