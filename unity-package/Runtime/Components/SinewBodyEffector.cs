using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>One task of a <see cref="SinewBody"/>: a joint, its goal, and how much that
    /// counts.</summary>
    [Serializable]
    public sealed class SinewBodyEffector : IListElement
    {
        /// <summary>Kind of the task. Each kind reads some of the fields below; see
        /// SinewBodyTaskKind.</summary>
        [Tooltip("Kind of the task. Each kind reads some of the fields below; see SinewBodyTaskKind. Default Position.")]
        public SinewBodyTaskKind kind = SinewBodyTaskKind.Position;

        /// <summary>The joint: a Transform below the body. Not read for the centre of mass.</summary>
        [Tooltip("The joint: a Transform below the body. Not read for the centre of mass.")]
        public Transform joint;

        /// <summary>Where the goal is and how it is turned; a plane passes through it with its up as the normal. None: nothing is done, unless it is a pin.</summary>
        [Tooltip("Where the goal is and how it is turned; a plane passes through it with its up as the normal. None: nothing is done, unless it is a pin.")]
        public Transform target;

        /// <summary>Whether the joint also turns as the target does; for positions.</summary>
        [Tooltip("Whether the joint also turns as the target does; for positions. Default off.")]
        public bool matchRotation;

        /// <summary>Another joint: of ties, of a distance; of a pole the first joint of the limb (None: the parent of the joint).</summary>
        [Tooltip("Another joint: of ties, of a distance; of a pole the first joint of the limb (None: the parent of the joint).")]
        public Transform other;

        /// <summary>The last joint of the limb, for a pole. None: the first child of the joint.</summary>
        [Tooltip("The last joint of the limb, for a pole. None: the first child of the joint.")]
        public Transform end;

        /// <summary>A point of the joint in its own space: a palm, a sole, the tip of a weapon.</summary>
        [Tooltip("A point of the joint in its own space: a palm, a sole, the tip of a weapon.")]
        public Vector3 point;

        /// <summary>A point of the other joint in its own space.</summary>
        [Tooltip("A point of the other joint in its own space.")]
        public Vector3 otherPoint;

        /// <summary>An axis of the joint in its own space, for directions and gaze; not zero.</summary>
        [Tooltip("An axis of the joint in its own space, for directions and gaze; not zero.")]
        public Vector3 axis = Vector3.forward;

        /// <summary>Local rotation of the joint, Euler angles in degrees, for joint rotations; rotation seen from the other joint, for ties.</summary>
        [Tooltip("Local rotation of the joint, Euler angles in degrees, for joint rotations; rotation seen from the other joint, for ties.")]
        public Vector3 rotation;

        /// <summary>Whether the X axis counts.</summary>
        [Tooltip("Whether the X axis counts. Default on.")]
        public bool x = true;

        /// <summary>Whether the Y axis counts.</summary>
        [Tooltip("Whether the Y axis counts. Default on.")]
        public bool y = true;

        /// <summary>Whether the Z axis counts.</summary>
        [Tooltip("Whether the Z axis counts. Default on.")]
        public bool z = true;

        /// <summary>In which frame these axes are.</summary>
        [Tooltip("In which frame these axes are. Default World.")]
        public SinewBodyFrame frame = SinewBodyFrame.World;

        /// <summary>Which side of a sphere or plane is allowed.</summary>
        [Tooltip("Which side of a sphere or plane is allowed. Default On.")]
        public SinewBodySide side = SinewBodySide.On;

        /// <summary>A distance in metres, 0 or more; how far inside the area of support the centre of mass is kept.</summary>
        [Tooltip("A distance in metres, at least 0; how far inside the area of support the centre of mass is kept. Default 0.")]
        public float distance;

        /// <summary>Corners of the area of support: Transforms such as the feet, 1 to 16.</summary>
        [Tooltip("Corners of the area of support: Transforms such as the feet, 1 to 16.")]
        public Transform[] corners;

        /// <summary>Whether the goal is where the animation has the joint.</summary>
        [Tooltip("Whether the goal is where the animation has the joint. Default off.")]
        public bool pin;

        /// <summary>How far the goal moves from the animated joint to the target: 0 is absent, bit for bit.</summary>
        [Tooltip("How far the goal moves from the animated joint to the target: 0 is absent, bit for bit. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float blend = 1f;

        /// <summary>Ratio in conflicts with others of the level, above 0. Not for fading.</summary>
        [Tooltip("Ratio in conflicts with other tasks of the level, above 0. Not for fading. Default 1.")]
        public float importance = 1f;

        /// <summary>Priority level: tasks give way to those of lower levels.</summary>
        [Tooltip("Index of the priority level: tasks give way to those of lower levels. Range 0 to 3. Default 0.")]
        [Range(0, 3)] public int level;

        /// <summary>Computes the rows of the kind Host, a residual of your own, from where joint, other and end are; it has as many rows as x, y and z are on. Set by a script; null: nothing is done.</summary>
        [NonSerialized] public BodyRows rows;

        /// <summary>Whether rows of the kind Host are angles, in radians; otherwise lengths, in metres.</summary>
        [Tooltip("Whether rows of the kind Host are angles, in radians; otherwise lengths, in metres. Default off.")]
        public bool rowsAreAngles;

        bool IListElement.IsBlank
        {
            get { return !x && !y && !z && blend == 0f && importance == 0f && axis == Vector3.zero; }
        }

        // The body that has its tasks, and the last frame of this body in which it was in the list.
        [NonSerialized] internal SinewBody Owner;
        [NonSerialized] internal int Round;
        [NonSerialized] internal ProblemLog Problems;
        [NonSerialized] internal bool IsFaulty;
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

        // The native body that had its tasks is gone, or has removed them.
        internal void Forget()
        {
            Owner = null;
            IsFaulty = false;
            Problems.Clear();
            Task = Turn = default(SinewBodyTask);
            AddedRows = null;
            outcome = default(SinewBodyTaskOutcome);
        }

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
