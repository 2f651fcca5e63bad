using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Inspector of SinewAnimator: its fields, how the bones were found, and in Play mode what the last solve left at each
    /// goal, which switches and matches are under way, and which bones are beyond people's limits.
    /// </summary>
    [CustomEditor(typeof(SinewAnimator))]
    [CanEditMultipleObjects]
    internal sealed class SinewAnimatorEditor : UnityEditor.Editor
    {
        private static readonly AvatarIKGoal[] goals =
        {
            AvatarIKGoal.LeftFoot, AvatarIKGoal.RightFoot, AvatarIKGoal.LeftHand, AvatarIKGoal.RightHand,
        };

        private bool isMappingOpen;
        private bool isOutcomeOpen = true;
        private bool isLimitsOpen;

        /// <summary>Outcomes change every frame.</summary>
        public override bool RequiresConstantRepaint()
        {
            return Application.isPlaying;
        }

        /// <summary>Draws the Inspector.</summary>
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            SinewAnimator animator = (SinewAnimator)target;
            EditorGUILayout.Space();
            if (!Application.isPlaying)
            {
                if (targets.Length == 1) EditorGUILayout.HelpBox(Preview(animator), MessageType.Info);
                if (GUILayout.Button("Fill Table From Animator"))
                    for (int i = 0; i < targets.Length; i++) FillTable((SinewAnimator)targets[i]);
                return;
            }
            if (targets.Length > 1 || !animator.isActiveAndEnabled) return;

            bool isHuman = animator.isHuman;
            EditorGUILayout.HelpBox(animator.rigDescription, isHuman ? MessageType.Info : MessageType.Warning);
            if (!isHuman) return;
            DrawMapping(animator);
            DrawOutcomes(animator);
            DrawLimits(animator);
        }

        private static string Preview(SinewAnimator animator)
        {
            if (animator.humanBones != null && animator.humanBones.Length > 0)
                return "Bones come from the table above (" + animator.humanBones.Length + " lines).";
            Animator unity = animator.GetComponent<Animator>();
            if (unity != null && unity.isHuman) return "Bones come from the Animator's avatar.";
            return SinewRuntime.DescribeRig(animator.transform);
        }

        private static void FillTable(SinewAnimator animator)
        {
            Animator unity = animator.GetComponent<Animator>();
            if (unity == null || !unity.isHuman)
            {
                EditorUtility.DisplayDialog("Sinew Animator", "There is no Animator with a Humanoid avatar on this object.", "OK");
                return;
            }
            Undo.RecordObject(animator, "Fill Human Bone Table");
            var lines = new System.Collections.Generic.List<HumanBoneEntry>();
            for (int bone = 0; bone < (int)HumanBodyBones.LastBone; bone++)
            {
                Transform transform = unity.GetBoneTransform((HumanBodyBones)bone);
                if (transform != null) lines.Add(new HumanBoneEntry((HumanBodyBones)bone, transform));
            }
            animator.humanBones = lines.ToArray();
            PrefabUtility.RecordPrefabInstancePropertyModifications(animator);
        }

        private void DrawMapping(SinewAnimator animator)
        {
            isMappingOpen = EditorGUILayout.Foldout(isMappingOpen, "Bones", true);
            if (!isMappingOpen) return;
            EditorGUI.BeginDisabledGroup(true);
            for (int bone = 0; bone < (int)HumanBodyBones.LastBone; bone++)
            {
                Transform transform = animator.GetBoneTransform((HumanBodyBones)bone);
                if (transform == null) continue;
                EditorGUILayout.ObjectField(((HumanBodyBones)bone).ToString(), transform, typeof(Transform), true);
            }
            EditorGUI.EndDisabledGroup();
        }

        private void DrawOutcomes(SinewAnimator animator)
        {
            isOutcomeOpen = EditorGUILayout.Foldout(isOutcomeOpen, "Last solve", true);
            if (!isOutcomeOpen) return;
            for (int i = 0; i < goals.Length; i++)
            {
                string outcome = InWords(animator.GetIKOutcome(goals[i]));
                EditorGUILayout.LabelField(goals[i].ToString(), animator.IsInertializing(goals[i]) ? outcome + ", switching" : outcome);
            }
            EditorGUILayout.LabelField("Look at", InWords(animator.GetLookAtOutcome()));
            if (animator.isMatchingTarget) EditorGUILayout.LabelField("Target", "matching, at " + animator.normalizedTime.ToString("0.00"));
        }

        private void DrawLimits(SinewAnimator animator)
        {
            isLimitsOpen = EditorGUILayout.Foldout(isLimitsOpen, "Beyond people's limits", true);
            if (!isLimitsOpen) return;
            bool isAny = false;
            for (int bone = 0; bone < (int)HumanBodyBones.LastBone; bone++)
            {
                float degrees = animator.GetLimitViolation((HumanBodyBones)bone) * Mathf.Rad2Deg;
                if (degrees < 0.5f) continue;
                EditorGUILayout.LabelField(((HumanBodyBones)bone).ToString(), degrees.ToString("0.0") + "°");
                isAny = true;
            }
            if (!isAny) EditorGUILayout.LabelField("None", "");
        }

        private static string InWords(Outcome outcome)
        {
            if (!outcome.IsActive) return "not used";
            return outcome.Status + ", off by " + (outcome.ResidualMeters * 1000f).ToString("0.0") + " mm, "
                + (outcome.ResidualRadians * Mathf.Rad2Deg).ToString("0.0") + "°";
        }
    }
}
