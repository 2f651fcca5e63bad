using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>What the rotation of a hand's or foot's target means.</summary>
    public enum GoalRotation
    {
        /// <summary>The goal frame of SetIKRotation: Z along fingers or toes, Y out of the back of
        /// the hand or the top of the foot.</summary>
        GoalFrame = 0,

        /// <summary>The rotation of the bone's own Transform.</summary>
        Bone = 1,
    }

    /// <summary>The goal of a body part for the whole-body solver.</summary>
    [System.Serializable]
    public sealed class BodyEffectorGoal : IListElement
    {
        /// <summary>Hips, chest, head, a shoulder, elbow or knee.</summary>
        [Tooltip("Hips, chest, head, a shoulder, elbow or knee. Default Hips.")]
        public SinewHumanEffector part;

        /// <summary>Where the part's joint goes. None: no goal.</summary>
        [Tooltip("Where the part's joint goes. None: no goal.")]
        public Transform target;

        /// <summary>0 (free) to 1 (at the target).</summary>
        [Tooltip("0 (free) to 1 (at the target). Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float positionWeight = 1f;

        /// <summary>0 (free) to 1 (turned as the target).</summary>
        [Tooltip("0 (free) to 1 (turned as the target). Range 0 to 1. Default 0.")]
        [Range(0f, 1f)] public float rotationWeight;

        /// <summary>How much the goal counts where not all goals can be met.</summary>
        [Tooltip("How much the goal counts where not all goals can be met. Level default 1.")]
        public GoalPriority priority = new GoalPriority(1);

        [System.NonSerialized] internal ProblemLog Problems;

        bool IListElement.IsBlank
        {
            get { return part == 0 && target == null && positionWeight == 0f && rotationWeight == 0f; }
        }
    }

    /// <summary>
    /// Goals of a humanoid without code: targets for hands and feet, hints for elbows and knees, a
    /// point to look at, and a target for the body. Sits beside a SinewAnimator; targets that are
    /// None do nothing, and all of it ends when the component is disabled. Targets are read in
    /// OnAnimatorIK.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Goals")]
    [ManualPage("sinew-goals.md")]
    [Icon(SinewHelp.Icons + "SinewGoals.png")]
    [RequireComponent(typeof(SinewAnimator))]
    [DisallowMultipleComponent]
    public sealed class SinewGoals : MonoBehaviour
    {
        /// <summary>A hand's or foot's goal.</summary>
        [System.Serializable]
        public struct Limb
        {
            /// <summary>Where wrist or ankle goes. None: no goal.</summary>
            [Tooltip("Where wrist or ankle goes. None: no goal.")]
            public Transform target;

            /// <summary>0 (animation) to 1 (at the target).</summary>
            [Tooltip("How far wrist or ankle goes to the target. 0: animation; 1: at the target. Range 0 to 1. Default 1.")]
            [Range(0f, 1f)] public float positionWeight;

            /// <summary>0 (rotation of the animation) to 1 (that of the target).</summary>
            [Tooltip("How far hand or foot turns as the target. 0: animation; 1: as the target. Range 0 to 1. Default 0.")]
            [Range(0f, 1f)] public float rotationWeight;

            /// <summary>Point that elbow or knee bends towards. None: the bend of the
            /// animation.</summary>
            [Tooltip("Point that elbow or knee bends towards. None: the bend of the animation.")]
            public Transform hint;

            /// <summary>The joint of the character to which target and hint keep their place, as the
            /// solve leaves it. None: the world.</summary>
            [Tooltip("Joint of the character to which target and hint keep their place, such as the chest or the other hand. None: the world.")]
            public Transform space;

            /// <summary>The point of hand or foot that goes to the target, in the local space of its
            /// bone. Zero: wrist or ankle.</summary>
            [Tooltip("Point of hand or foot that goes to the target, in the local space of its bone: palm, sole. Zero: wrist or ankle.")]
            public Vector3 effectorPoint;

            /// <summary>0 (bend of the animation) to 1 (at the hint).</summary>
            [Tooltip("How far the bend follows the hint. 0: the bend of the animation; 1: at the hint. Range 0 to 1. Default 1.")]
            [Range(0f, 1f)] public float hintWeight;
        }

        /// <summary>Multiplies all weights, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Multiplies all weights of the component. Range 0 to 1. Default 1.")]
        public float weight = 1f;

        /// <summary>What the rotation of the limbs' targets means.</summary>
        [Tooltip("Goal Frame: Z along fingers or toes. Bone: the rotation of the bone's own Transform. Default Goal Frame.")]
        public GoalRotation rotationSpace = GoalRotation.GoalFrame;

        /// <summary>The left foot.</summary>
        [Tooltip("Goal of the left foot.")]
        public Limb leftFoot = new Limb { positionWeight = 1f, hintWeight = 1f };

        /// <summary>The right foot.</summary>
        [Tooltip("Goal of the right foot.")]
        public Limb rightFoot = new Limb { positionWeight = 1f, hintWeight = 1f };

        /// <summary>The left hand.</summary>
        [Tooltip("Goal of the left hand.")]
        public Limb leftHand = new Limb { positionWeight = 1f, hintWeight = 1f };

        /// <summary>The right hand.</summary>
        [Tooltip("Goal of the right hand.")]
        public Limb rightHand = new Limb { positionWeight = 1f, hintWeight = 1f };

        /// <summary>What the character looks at. None: nothing.</summary>
        [Header("Look at")]
        [Tooltip("What the character looks at. None: nothing.")]
        public Transform lookAt;

        /// <summary>Global weight of looking, 0 to 1.</summary>
        [Tooltip("How much the character looks at the target; multiplies the shares. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float lookAtWeight = 1f;

        /// <summary>Share of the spine, 0 to 1.</summary>
        [Tooltip("Share of the spine in looking. Range 0 to 1. Default 0.2.")]
        [Range(0f, 1f)] public float lookAtBody = 0.2f;

        /// <summary>Share of neck and head, 0 to 1.</summary>
        [Tooltip("Share of neck and head in looking. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float lookAtHead = 1f;

        /// <summary>Share of the eyes, 0 to 1.</summary>
        [Tooltip("Share of the eyes in looking. Range 0 to 1. Default 0.")]
        [Range(0f, 1f)] public float lookAtEyes;

        /// <summary>0 (free) to 1 (no turning).</summary>
        [Tooltip("How far looking is limited, as a weight. 0: free; 1: no turning. Range 0 to 1. Default 0.5.")]
        [Range(0f, 1f)] public float lookAtClamp = 0.5f;

        /// <summary>Where the centre of mass goes, and how the body is oriented. None: as
        /// animated.</summary>
        [Header("Body")]
        [Tooltip("Where the centre of mass goes, and how the body is oriented. None: as animated.")]
        public Transform body;

        /// <summary>0 (animation) to 1 (at the body's target), position.</summary>
        [Tooltip("How far the body's position goes to its target. 0: animation; 1: at the target. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float bodyPositionWeight = 1f;

        /// <summary>0 (animation) to 1 (as the body's target), rotation.</summary>
        [Tooltip("How far the body turns as its target. 0: animation; 1: as the target. Range 0 to 1. Default 0.")]
        [Range(0f, 1f)] public float bodyRotationWeight;

        /// <summary>Goals of further body parts. They count while the SinewAnimator's <see
        /// cref="SinewAnimator.bodySolver"/> is on.</summary>
        [Tooltip("Goals of hips, chest, head, shoulders, elbows and knees. They count while the SinewAnimator's Body Solver is on.")]
        public List<BodyEffectorGoal> effectors = new List<BodyEffectorGoal>();

        private SinewAnimator animator;
        private uint sentParts, sentSpaces, sentPoints;
        private int movedInPass = -1;

        // What stays in the animator until it is changed, because its goalLifetime says so: a bit
        // for each goal, hint and the look-at, from SentGoal, SentHint and SentLook on.
        private uint stays;
        private const int SentGoal = 0, SentHint = 4, SentLook = 8;

        // The targets of the last pass, in the same places.
        [System.NonSerialized] private readonly Transform[] followed = new Transform[SentLook + 1];

        private const SinewHumanEffector LastPart = SinewHumanEffector.RightKnee;
        private ProblemLog spaceProblems;

        /// <summary>The goal of a hand or foot.</summary>
        public Limb this[AvatarIKGoal goal]
        {
            get
            {
                switch (goal)
                {
                    case AvatarIKGoal.LeftFoot: return leftFoot;
                    case AvatarIKGoal.RightFoot: return rightFoot;
                    case AvatarIKGoal.LeftHand: return leftHand;
                    default: return rightHand;
                }
            }
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (animator == null && !TryGetComponent(out animator)) return;
            if (!animator.isHuman) return;
            SetBody();
            SetEffectors(effectors == null ? 0 : effectors.Count);
            SetPlaces(true);
            uint before = stays;
            stays = 0;
            SetLimb(AvatarIKGoal.LeftFoot, AvatarIKHint.LeftKnee, ref leftFoot);
            SetLimb(AvatarIKGoal.RightFoot, AvatarIKHint.RightKnee, ref rightFoot);
            SetLimb(AvatarIKGoal.LeftHand, AvatarIKHint.LeftElbow, ref leftHand);
            SetLimb(AvatarIKGoal.RightHand, AvatarIKHint.RightElbow, ref rightHand);
            if (lookAt != null)
            {
                if (IsOther(SentLook, lookAt)) animator.InertializeLookAt();
                animator.SetLookAtPosition(lookAt.position);
                animator.SetLookAtWeight(lookAtWeight * weight, lookAtBody, lookAtHead, lookAtEyes, lookAtClamp);
                Sent(SentLook);
            }
            LetGo(before & ~stays);
        }

        private void Sent(int what)
        {
            if (animator.goalLifetime == GoalLifetime.UntilChanged) stays |= 1u << what;
        }

        // Another target than in the last pass is a switch.
        private bool IsOther(int what, Transform target)
        {
            Transform before = followed[what];
            followed[what] = target;
            return before != null && before != target;
        }

        private void LetGo(uint gone)
        {
            for (int i = 0; i < 4; i++)
            {
                if ((gone >> (SentGoal + i) & 1u) != 0)
                {
                    animator.SetIKPositionWeight((AvatarIKGoal)i, 0f);
                    animator.SetIKRotationWeight((AvatarIKGoal)i, 0f);
                }
                if ((gone >> (SentHint + i) & 1u) != 0) animator.SetIKHintPositionWeight((AvatarIKHint)i, 0f);
            }
            if ((gone >> SentLook & 1u) != 0) animator.SetLookAtWeight(0f);
        }

        private void SetBody()
        {
            // A change of what is there: once in a pass, not once for each layer.
            int pass = animator.EnterPass();
            if (body == null || pass == movedInPass) return;
            movedInPass = pass;
            float position = bodyPositionWeight * weight, rotation = bodyRotationWeight * weight;
            if (position > 0f) animator.bodyPosition = Vector3.Lerp(animator.bodyPosition, body.position, position);
            if (rotation > 0f) animator.bodyRotation = Quaternion.Slerp(animator.bodyRotation, body.rotation, rotation);
        }

        // One without a part, such as one of a later version, stops no other.
        private bool IsPart(BodyEffectorGoal goal)
        {
            if (goal.part >= 0 && goal.part <= LastPart)
            {
                goal.Problems.Clear();
                return true;
            }
            SinewException wrong = new SinewException(SinewResult.ErrorInvalidEnum, "part " + (int)goal.part + " of an effector is none");
            goal.Problems.Add(wrong, this, "This effector does nothing until that is changed.");
            return false;
        }

        // A part whose goal is gone is let go: goals of effectors stay until changed.
        private void SetEffectors(int count)
        {
            uint now = 0;
            for (int i = 0; i < count; i++)
            {
                BodyEffectorGoal goal = effectors[i];
                if (goal == null || goal.target == null || !IsPart(goal)) continue;
                now |= 1u << (int)goal.part;
                animator.SetBodyEffectorPosition(goal.part, goal.target.position, goal.positionWeight * weight);
                animator.SetBodyEffectorRotation(goal.part, goal.target.rotation, goal.rotationWeight * weight);
                animator.SetBodyEffectorPriority(goal.part, goal.priority);
            }
            uint gone = sentParts & ~now;
            for (int part = 0; gone >> part != 0; part++)
            {
                if ((gone >> part & 1u) == 0) continue;
                animator.SetBodyEffectorPosition((SinewHumanEffector)part, Vector3.zero, 0f);
                animator.SetBodyEffectorRotation((SinewHumanEffector)part, Quaternion.identity, 0f);
                animator.SetBodyEffectorPriority((SinewHumanEffector)part, new GoalPriority(1));
            }
            sentParts = now;
        }

        // Spaces are taken back first: on the way from one order of limbs to another there may be a
        // circle.
        private void SetPlaces(bool isOn)
        {
            for (int i = 0; i < 4; i++)
            {
                Limb limb = this[(AvatarIKGoal)i];
                bool isGone = !isOn || limb.space == null || animator.GetIKGoalSpace((AvatarIKGoal)i) != limb.space;
                if (isGone && (sentSpaces >> i & 1u) != 0)
                {
                    animator.SetIKGoalSpace((AvatarIKGoal)i, null);
                    sentSpaces &= ~(1u << i);
                }
                Vector3 point = isOn ? limb.effectorPoint : Vector3.zero;
                if (point == Vector3.zero && (sentPoints >> i & 1u) == 0) continue;
                animator.SetIKEffectorPoint((AvatarIKGoal)i, point);
                sentPoints = sentPoints & ~(1u << i) | (point != Vector3.zero ? 1u << i : 0u);
            }
            bool isWrong = false;
            for (int i = 0; isOn && i < 4; i++)
            {
                Transform space = this[(AvatarIKGoal)i].space;
                if (space == null || (sentSpaces >> i & 1u) != 0) continue;
                try
                {
                    animator.SetIKGoalSpace((AvatarIKGoal)i, space);
                    sentSpaces |= 1u << i;
                }
                catch (SinewException wrong)
                {
                    isWrong = true;
                    spaceProblems.Add(wrong, this, "The goal " + (AvatarIKGoal)i + " is in world space until that is changed.");
                }
            }
            if (!isWrong) spaceProblems.Clear();
        }

        private void OnValidate()
        {
            ListElements.Fill(effectors);
        }

        private void OnDisable()
        {
            if ((sentParts | stays | sentSpaces | sentPoints) != 0 && animator != null && animator.IsBuiltHuman)
            {
                SetEffectors(0);
                SetPlaces(false);
                LetGo(stays);
            }
            sentParts = stays = sentSpaces = sentPoints = 0;
        }

        private void SetLimb(AvatarIKGoal goal, AvatarIKHint hint, ref Limb limb)
        {
            Transform space = (sentSpaces >> (int)goal & 1u) != 0 ? limb.space : null;
            if (limb.target != null)
            {
                if (IsOther(SentGoal + (int)goal, limb.target)) animator.Inertialize(goal);
                animator.SetIKPosition(goal, PlaceIn(space, limb.target.position));
                animator.SetIKPositionWeight(goal, limb.positionWeight * weight);
                if (limb.rotationWeight > 0f)
                {
                    Quaternion turn = space == null ? limb.target.rotation : Quaternion.Inverse(space.rotation) * limb.target.rotation;
                    if (rotationSpace == GoalRotation.Bone) animator.SetIKRotationBone(goal, turn);
                    else animator.SetIKRotation(goal, turn);
                }
                animator.SetIKRotationWeight(goal, limb.rotationWeight * weight);
                Sent(SentGoal + (int)goal);
            }
            if (limb.hint == null) return;
            animator.SetIKHintPosition(hint, PlaceIn(space, limb.hint.position));
            animator.SetIKHintPositionWeight(hint, limb.hintWeight * weight);
            Sent(SentHint + (int)hint);
        }

        private static Vector3 PlaceIn(Transform space, Vector3 place)
        {
            return space == null ? place : space.InverseTransformPoint(place);
        }

        // A new one takes children of its object that are named like goals: "RightHand Goal",
        // "LeftKnee Hint", "LookAt Goal".
        private void Reset()
        {
            leftFoot = Found(AvatarIKGoal.LeftFoot, AvatarIKHint.LeftKnee);
            rightFoot = Found(AvatarIKGoal.RightFoot, AvatarIKHint.RightKnee);
            leftHand = Found(AvatarIKGoal.LeftHand, AvatarIKHint.LeftElbow);
            rightHand = Found(AvatarIKGoal.RightHand, AvatarIKHint.RightElbow);
            lookAt = transform.Find("LookAt Goal");
            body = transform.Find("Body Goal");
        }

        private Limb Found(AvatarIKGoal goal, AvatarIKHint hint)
        {
            return new Limb
            {
                target = transform.Find(goal + " Goal"), hint = transform.Find(hint + " Hint"), positionWeight = 1f, hintWeight = 1f,
            };
        }

        private void OnDrawGizmosSelected()
        {
            if (animator == null && !TryGetComponent(out animator)) return;
            for (int i = 0; i < 4; i++)
            {
                AvatarIKGoal goal = (AvatarIKGoal)i;
                Limb limb = this[goal];
                Transform limbEnd = animator.FindBone(EndOf(goal)), middle = animator.FindBone(MiddleOf(goal));
                if (limb.target != null) SinewGizmos.Axes(limb.target.position, limb.target.rotation);
                SinewGizmos.Goal(limbEnd != null || limb.target == null ? Place(limbEnd) : limb.target.position, limb.target);
                if (middle != null) SinewGizmos.Pole(middle.position, limb.hint);
            }
            Transform head = animator.FindBone(HumanBodyBones.Head);
            if (lookAt != null && head != null)
            {
                SinewGizmos.Cross(lookAt.position, SinewColors.Gaze);
                SinewGizmos.Line(head.position, lookAt.position, SinewColors.Gaze);
            }
            if (body != null) SinewGizmos.Cross(body.position, SinewColors.Body, 0.1f);
            for (int i = 0; effectors != null && i < effectors.Count; i++)
                if (effectors[i] != null && effectors[i].target != null) SinewGizmos.Cross(effectors[i].target.position, SinewColors.Goal, 0.05f);
        }

        private static Vector3 Place(Transform bone)
        {
            return bone != null ? bone.position : Vector3.zero;
        }

        internal static HumanBodyBones EndOf(AvatarIKGoal goal)
        {
            switch (goal)
            {
                case AvatarIKGoal.LeftFoot: return HumanBodyBones.LeftFoot;
                case AvatarIKGoal.RightFoot: return HumanBodyBones.RightFoot;
                case AvatarIKGoal.LeftHand: return HumanBodyBones.LeftHand;
                default: return HumanBodyBones.RightHand;
            }
        }

        internal static HumanBodyBones MiddleOf(AvatarIKGoal goal)
        {
            switch (goal)
            {
                case AvatarIKGoal.LeftFoot: return HumanBodyBones.LeftLowerLeg;
                case AvatarIKGoal.RightFoot: return HumanBodyBones.RightLowerLeg;
                case AvatarIKGoal.LeftHand: return HumanBodyBones.LeftLowerArm;
                default: return HumanBodyBones.RightLowerArm;
            }
        }
    }
}
