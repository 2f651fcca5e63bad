using System;
using Sinew.Interop;

namespace Sinew
{
    // The humanoid calls. All throw SinewException with ErrorNotHumanoid on an animator without
    // avatar. What is set stays until changed, cleared or reset. Getters give what was set since
    // the last solve, else what the pose buffer has.
    public sealed unsafe partial class NativeAnimator
    {
        /// <summary>Whether the animator has an avatar.</summary>
        public bool IsHuman
        {
            get
            {
                uint human;
                Done(NativeMethods.sinew_animator_get_is_human(Handle, &human));
                return human != 0;
            }
        }

        /// <summary>Height of the centre of mass above the soles in the T-pose, metres (rig's
        /// unit); 1 without avatar.</summary>
        public float HumanScale
        {
            get
            {
                float scale;
                Done(NativeMethods.sinew_animator_get_human_scale(Handle, &scale));
                return scale;
            }
        }

        /// <summary>Distance from the left ankle down to the sole in the T-pose; metres.</summary>
        public float LeftFeetBottomHeight
        {
            get
            {
                float height;
                Done(NativeMethods.sinew_animator_get_left_feet_bottom_height(Handle, &height));
                return height;
            }
        }

        /// <summary>Distance from the right ankle down to the sole in the T-pose; metres.</summary>
        public float RightFeetBottomHeight
        {
            get
            {
                float height;
                Done(NativeMethods.sinew_animator_get_right_feet_bottom_height(Handle, &height));
                return height;
            }
        }

        /// <summary>Joint index of a human bone, or -1 when the avatar has no such bone.</summary>
        public int GetBoneJoint(SinewHumanBone bone)
        {
            int joint;
            Done(NativeMethods.sinew_animator_get_bone_joint(Handle, bone, &joint));
            return joint;
        }

        /// <summary>Sets the goal position of a hand or foot (wrist or ankle joint); world space,
        /// metres.</summary>
        public void SetIKPosition(SinewIkGoal goal, SinewVec3 position)
        {
            Done(NativeMethods.sinew_animator_set_ik_position(Handle, goal, &position));
        }

        /// <summary>Goal position of a hand or foot: the one set since the last solve, else that of
        /// the animation; world space, metres.</summary>
        public SinewVec3 GetIKPosition(SinewIkGoal goal)
        {
            SinewVec3 position;
            Done(NativeMethods.sinew_animator_get_ik_position(Handle, goal, &position));
            return position;
        }

        /// <summary>
        /// Sets the goal rotation of a hand or foot: world space, in Unity's goal frame (X to the
        /// right of the hand or foot, Y out of the back of the hand or the top of the foot, Z along
        /// fingers or toes). </summary>
        public void SetIKRotation(SinewIkGoal goal, SinewQuat rotation)
        {
            Done(NativeMethods.sinew_animator_set_ik_rotation(Handle, goal, &rotation));
        }

        /// <summary>Goal rotation of a hand or foot: the one set since the last solve, else that of
        /// the animation; world space, Unity's goal frame.</summary>
        public SinewQuat GetIKRotation(SinewIkGoal goal)
        {
            SinewQuat rotation;
            Done(NativeMethods.sinew_animator_get_ik_rotation(Handle, goal, &rotation));
            return rotation;
        }

        /// <summary>Sets how far a hand or foot follows its goal position: 0 (animation, the
        /// default) to 1 (goal).</summary>
        public void SetIKPositionWeight(SinewIkGoal goal, float weight)
        {
            Done(NativeMethods.sinew_animator_set_ik_position_weight(Handle, goal, weight));
        }

        /// <summary>How far a hand or foot follows its goal position, 0 to 1.</summary>
        public float GetIKPositionWeight(SinewIkGoal goal)
        {
            float weight;
            Done(NativeMethods.sinew_animator_get_ik_position_weight(Handle, goal, &weight));
            return weight;
        }

        /// <summary>Sets how far a hand or foot follows its goal rotation: 0 (the default) to 1
        /// (goal).</summary>
        public void SetIKRotationWeight(SinewIkGoal goal, float weight)
        {
            Done(NativeMethods.sinew_animator_set_ik_rotation_weight(Handle, goal, weight));
        }

        /// <summary>How far a hand or foot follows its goal rotation, 0 to 1.</summary>
        public float GetIKRotationWeight(SinewIkGoal goal)
        {
            float weight;
            Done(NativeMethods.sinew_animator_get_ik_rotation_weight(Handle, goal, &weight));
            return weight;
        }

        /// <summary>Sets the hint of a knee or elbow, the point it bends towards; world space,
        /// metres.</summary>
        public void SetIKHintPosition(SinewIkHint hint, SinewVec3 position)
        {
            Done(NativeMethods.sinew_animator_set_ik_hint_position(Handle, hint, &position));
        }

        /// <summary>Hint of a knee or elbow: the one set since the last solve, else the animated
        /// position of the joint; world space, metres.</summary>
        public SinewVec3 GetIKHintPosition(SinewIkHint hint)
        {
            SinewVec3 position;
            Done(NativeMethods.sinew_animator_get_ik_hint_position(Handle, hint, &position));
            return position;
        }

        /// <summary>Sets how far a knee or elbow follows its hint: 0 (animation, the default) to 1
        /// (points at the hint).</summary>
        public void SetIKHintPositionWeight(SinewIkHint hint, float weight)
        {
            Done(NativeMethods.sinew_animator_set_ik_hint_position_weight(Handle, hint, weight));
        }

        /// <summary>How far a knee or elbow follows its hint, 0 to 1.</summary>
        public float GetIKHintPositionWeight(SinewIkHint hint)
        {
            float weight;
            Done(NativeMethods.sinew_animator_get_ik_hint_position_weight(Handle, hint, &weight));
            return weight;
        }

        /// <summary> Sets the space in which position, rotation and hint of a hand or foot are
        /// given: that of a joint as the frame has left it when the limb is solved, or world space
        /// with -1, the default. A joint of another limb counts after that limb. Refused: a joint
        /// on or below the goal's own limb, and limbs that would follow one another in a circle.
        /// May allocate.
        /// </summary>
        public void SetIKGoalSpace(SinewIkGoal goal, int joint)
        {
            Done(NativeMethods.sinew_animator_set_ik_goal_space(Handle, goal, joint));
        }

        /// <summary>The joint in whose space a goal is given; -1: world space.</summary>
        public int GetIKGoalSpace(SinewIkGoal goal)
        {
            int joint;
            Done(NativeMethods.sinew_animator_get_ik_goal_space(Handle, goal, &joint));
            return joint;
        }

        /// <summary>Sets the point of a hand or foot that its goal position is for (palm, sole, tip
        /// of a weapon), in the space of the wrist or ankle joint, along the bone's own axes; zero,
        /// the default: the joint. May allocate.</summary>
        public void SetIKEffectorPoint(SinewIkGoal goal, SinewVec3 point)
        {
            Done(NativeMethods.sinew_animator_set_ik_effector_point(Handle, goal, &point));
        }

        /// <summary>The point that the goal position of a hand or foot is for.</summary>
        public SinewVec3 GetIKEffectorPoint(SinewIkGoal goal)
        {
            SinewVec3 point;
            Done(NativeMethods.sinew_animator_get_ik_effector_point(Handle, goal, &point));
            return point;
        }

        /// <summary>Sets the point to look at; world space, metres.</summary>
        public void SetLookAtPosition(SinewVec3 position)
        {
            Done(NativeMethods.sinew_animator_set_look_at_position(Handle, &position));
        }

        /// <summary>The point to look at, or one metre ahead of the pose's own gaze; world space,
        /// metres.</summary>
        public SinewVec3 GetLookAtPosition()
        {
            SinewVec3 position;
            Done(NativeMethods.sinew_animator_get_look_at_position(Handle, &position));
            return position;
        }

        /// <summary>The ray along which the character looks in the pose: from the middle of the
        /// eyes where the head faces.</summary> <param name="origin">Written: world space,
        /// metres.</param> <param name="direction">Written: world space, unit.</param>
        public void GetGaze(out SinewVec3 origin, out SinewVec3 direction)
        {
            SinewVec3 from, to;
            Done(NativeMethods.sinew_animator_get_gaze(Handle, &from, &to));
            origin = from;
            direction = to;
        }

        /// <summary>Sets how much the character looks at the point; each value 0 to 1.</summary>
        /// <param name="weight">Multiplies body, head and eyes.</param>
        /// <param name="body">Share the spine takes.</param>
        /// <param name="head">Share neck and head take of what is left.</param>
        /// <param name="eyes">Share the eyes take of what is left, within their range.</param>
        /// <param name="clamp">0: free; 1: no turning; the head may turn (1 - clamp) · 180° away
        /// from the chest's forward.</param>
        public void SetLookAtWeight(float weight, float body = 0f, float head = 1f, float eyes = 0f, float clamp = 0.5f)
        {
            Done(NativeMethods.sinew_animator_set_look_at_weight(Handle, weight, body, head, eyes, clamp));
        }

        /// <summary>The five look-at weights.</summary>
        public SinewLookAtWeight GetLookAtWeight()
        {
            SinewLookAtWeight weight;
            Done(NativeMethods.sinew_animator_get_look_at_weight(Handle, &weight));
            return weight;
        }

        /// <summary>Centre of mass of the body, world space, metres. Setting it moves the hips so
        /// that it is there.</summary>
        public SinewVec3 BodyPosition
        {
            get
            {
                SinewVec3 position;
                Done(NativeMethods.sinew_animator_get_body_position(Handle, &position));
                return position;
            }
            set
            {
                Done(NativeMethods.sinew_animator_set_body_position(Handle, &value));
            }
        }

        /// <summary>Orientation of the body, world space. Setting it turns the body about its
        /// centre of mass.</summary>
        public SinewQuat BodyRotation
        {
            get
            {
                SinewQuat rotation;
                Done(NativeMethods.sinew_animator_get_body_rotation(Handle, &rotation));
                return rotation;
            }
            set
            {
                Done(NativeMethods.sinew_animator_set_body_rotation(Handle, &value));
            }
        }

        /// <summary>Clears the goals of body position and body rotation.</summary>
        public void ClearBody()
        {
            Done(NativeMethods.sinew_animator_clear_body(Handle));
        }

        /// <summary>Replaces the rotation of a human bone in its parent joint before anything else
        /// is solved.</summary>
        public void SetBoneLocalRotation(SinewHumanBone bone, SinewQuat rotation)
        {
            Done(NativeMethods.sinew_animator_set_bone_local_rotation(Handle, bone, &rotation));
        }

        /// <summary>Rotation of a human bone in its parent joint: the replacement when one is set,
        /// else the pose's.</summary>
        public SinewQuat GetBoneLocalRotation(SinewHumanBone bone)
        {
            SinewQuat rotation;
            Done(NativeMethods.sinew_animator_get_bone_local_rotation(Handle, bone, &rotation));
            return rotation;
        }

        /// <summary>Clears all bone rotation overrides.</summary>
        public void ClearBoneLocalRotations()
        {
            Done(NativeMethods.sinew_animator_clear_bone_local_rotations(Handle));
        }

        /// <summary>Resets the humanoid input: goals, hints, look-at, body, bone rotation
        /// overrides; all weights 0.</summary>
        public void ResetIK()
        {
            Done(NativeMethods.sinew_animator_reset_ik(Handle));
        }

        /// <summary>Goals, hints, look-at and body in one piece, for setting them with one call
        /// instead of many.</summary>
        public SinewHumanoidInput Input
        {
            get
            {
                SinewHumanoidInput input;
                Done(NativeMethods.sinew_animator_get_input(Handle, &input));
                return input;
            }
            set
            {
                Done(NativeMethods.sinew_animator_set_input(Handle, &value));
            }
        }

        /// <summary>An input with nothing set and all weights 0, to fill in.</summary>
        public static SinewHumanoidInput DefaultInput()
        {
            SinewLibrary.CheckVersion();
            SinewHumanoidInput input;
            SinewLibrary.Check(NativeMethods.sinew_humanoid_input_default(&input));
            return input;
        }

        /// <summary>Models of the left and the right foot, from the avatar's T-pose and the root's
        /// scale, for a <see cref="NativeGrounder"/>.</summary>
        /// <param name="feet">Two, written.</param>
        public void GetFootModels(SinewFootModel[] feet)
        {
            if (feet == null) throw new ArgumentNullException("feet");
            fixed (SinewFootModel* pointer = feet)
            {
                Done(NativeMethods.sinew_animator_get_foot_models(Handle, pointer, (uint)feet.Length));
            }
        }

        /// <summary>The animation of a person for <see cref="NativeGrounder.Begin"/>, before the
        /// solve. Reads the pose buffer.</summary>
        /// <param name="frame">Root, up and pelvis; its <c>dt_s</c> is to be set after this
        /// call.</param>
        /// <param name="legs">Two, written: the left and the right leg.</param>
        public void GetGrounderLegs(out SinewGrounderFrame frame, SinewGrounderLeg[] legs)
        {
            if (legs == null) throw new ArgumentNullException("legs");
            SinewGrounderFrame found = default(SinewGrounderFrame);
            fixed (SinewGrounderLeg* pointer = legs)
            {
                Done(NativeMethods.sinew_animator_get_grounder_legs(Handle, &found, pointer, (uint)legs.Length));
            }
            frame = found;
        }

        /// <summary>Takes over what a grounder has found in its last finished frame: goals and
        /// weights of both feet, turns of the toes, place and turn of the body. Once per frame,
        /// before the solve.</summary>
        public void ApplyGrounder(NativeGrounder grounder)
        {
            if (grounder == null) throw new ArgumentNullException("grounder");
            Done(NativeMethods.sinew_animator_apply_grounder(Handle, grounder.Handle));
        }

        // For questions in every frame: zero or the identity, without an exception, where the pose
        // buffer holds a number that is none.

        /// <summary>As <see cref="GetIKPosition"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetIKPosition(SinewIkGoal goal, out SinewVec3 position)
        {
            SinewVec3 found;
            return TryGive(NativeMethods.sinew_animator_get_ik_position(Handle, goal, &found), &found, out position);
        }

        /// <summary>As <see cref="GetIKRotation"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetIKRotation(SinewIkGoal goal, out SinewQuat rotation)
        {
            SinewQuat found;
            return TryGive(NativeMethods.sinew_animator_get_ik_rotation(Handle, goal, &found), &found, out rotation);
        }

        /// <summary>As <see cref="GetIKRotationBone"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetIKRotationBone(SinewIkGoal goal, out SinewQuat rotation)
        {
            SinewQuat found;
            return TryGive(NativeMethods.sinew_animator_get_ik_rotation_bone(Handle, goal, &found), &found, out rotation);
        }

        /// <summary>As <see cref="GetIKHintPosition"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetIKHintPosition(SinewIkHint hint, out SinewVec3 position)
        {
            SinewVec3 found;
            return TryGive(NativeMethods.sinew_animator_get_ik_hint_position(Handle, hint, &found), &found, out position);
        }

        /// <summary>As <see cref="BodyPosition"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetBodyPosition(out SinewVec3 position)
        {
            SinewVec3 found;
            return TryGive(NativeMethods.sinew_animator_get_body_position(Handle, &found), &found, out position);
        }

        /// <summary>As <see cref="BodyRotation"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetBodyRotation(out SinewQuat rotation)
        {
            SinewQuat found;
            return TryGive(NativeMethods.sinew_animator_get_body_rotation(Handle, &found), &found, out rotation);
        }

        /// <summary>As <see cref="GetGaze"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetGaze(out SinewVec3 origin, out SinewVec3 direction)
        {
            SinewVec3 from, to;
            SinewResult result = NativeMethods.sinew_animator_get_gaze(Handle, &from, &to);
            return TryGive(result, &from, out origin) & TryGive(result, &to, out direction);
        }

        /// <summary>As <see cref="GetTargetPose"/>; false where the pose buffer holds a number
        /// that is none.</summary>
        public bool TryGetTargetPose(SinewAvatarTarget part, out SinewVec3 position, out SinewQuat rotation)
        {
            SinewVec3 place;
            SinewQuat turn;
            SinewResult result = NativeMethods.sinew_animator_get_target_pose(Handle, part, &place, &turn);
            return TryGive(result, &place, out position) & TryGive(result, &turn, out rotation);
        }

        private bool TryGive(SinewResult result, SinewVec3* found, out SinewVec3 given)
        {
            bool isKnown = IsAnswer(result);
            given = isKnown ? *found : default(SinewVec3);
            return isKnown;
        }

        private bool TryGive(SinewResult result, SinewQuat* found, out SinewQuat given)
        {
            bool isKnown = IsAnswer(result);
            given = isKnown ? *found : new SinewQuat { w = 1f };
            return isKnown;
        }

        private bool IsAnswer(SinewResult result)
        {
            if (result == SinewResult.ErrorNotFinite || result == SinewResult.ErrorInvalidRotation || result == SinewResult.ErrorInvalidArgument)
            {
                GC.KeepAlive(this);
                return false;
            }
            Done(result);
            return true;
        }
    }
}
