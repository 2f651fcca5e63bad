using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of SinewGoals, and handles for its targets and hints in the Scene
    /// view.</summary>
    [CustomEditor(typeof(SinewGoals))]
    [CanEditMultipleObjects]
    internal sealed class SinewGoalsEditor : SinewInspector
    {
        private static readonly AvatarIKGoal[] goals =
        {
            AvatarIKGoal.LeftFoot, AvatarIKGoal.RightFoot, AvatarIKGoal.LeftHand, AvatarIKGoal.RightHand,
        };

        private static readonly Section[] sections =
        {
            new Section("Hands and feet", "weight", "rotationSpace", "leftFoot", "rightFoot", "leftHand", "rightHand"),
            new Section("Look at", "lookAt", "lookAtWeight", "lookAtBody", "lookAtHead", "lookAtEyes", "lookAtClamp"),
            new Section("Body", "body", "bodyPositionWeight", "bodyRotationWeight", "effectors"),
        };

        protected override Section[] Sections
        {
            get { return sections; }
        }

        protected override void DrawBelow()
        {
            if (!Application.isPlaying)
            {
                ButtonForAll<SinewGoals>("Create Missing Limb Targets", CreateTargets);
                return;
            }
            SinewAnimator animator = ((SinewGoals)target).GetComponent<SinewAnimator>();
            if (targets.Length > 1 || animator == null || !animator.isActiveAndEnabled || !animator.isHuman) return;
            for (int i = 0; i < goals.Length; i++) EditorGUILayout.LabelField(goals[i].ToString(), InWords(animator.GetIKOutcome(goals[i])));
            EditorGUILayout.LabelField("Look at", InWords(animator.GetLookAtOutcome()));
        }

        // Targets and hints are dragged where they are; what is moved is the target's own
        // Transform.
        private void OnSceneGUI()
        {
            SinewGoals of = (SinewGoals)target;
            for (int i = 0; i < goals.Length; i++)
            {
                SinewHandles.Drag(of[goals[i]].target);
                SinewHandles.Drag(of[goals[i]].hint);
            }
            SinewHandles.Drag(of.lookAt);
            SinewHandles.Drag(of.body);
            for (int i = 0; of.effectors != null && i < of.effectors.Count; i++)
                if (of.effectors[i] != null) SinewHandles.Drag(of.effectors[i].target);
            SinewHandles.Legend();
        }

        internal static void CreateTargets(SinewGoals of)
        {
            SinewAnimator animator = of.GetComponent<SinewAnimator>();
            Create(of, animator, ref of.leftFoot, AvatarIKGoal.LeftFoot);
            Create(of, animator, ref of.rightFoot, AvatarIKGoal.RightFoot);
            Create(of, animator, ref of.leftHand, AvatarIKGoal.LeftHand);
            Create(of, animator, ref of.rightHand, AvatarIKGoal.RightHand);
        }

        private static void Create(SinewGoals of, SinewAnimator animator, ref SinewGoals.Limb limb, AvatarIKGoal goal)
        {
            if (limb.target != null) return;
            limb.target = SinewMenu.NewTarget(goal + " Goal", of.gameObject, of.transform, animator == null ? null : animator.FindBone(SinewGoals.EndOf(goal)));
        }
    }
}
