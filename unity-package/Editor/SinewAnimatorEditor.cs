using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Inspector of SinewAnimator: its fields, how the bones were found, and in Play mode what the
    /// last solve left at each goal, which switches and matches are under way, and which bones are
    /// beyond people's limits. </summary>
    [CustomEditor(typeof(SinewAnimator))]
    [CanEditMultipleObjects]
    internal sealed class SinewAnimatorEditor : SinewInspector
    {
        private static readonly AvatarIKGoal[] goals =
        {
            AvatarIKGoal.LeftFoot, AvatarIKGoal.RightFoot, AvatarIKGoal.LeftHand, AvatarIKGoal.RightHand,
        };

        private bool isMappingOpen;
        private bool isOutcomeOpen = true;
        private bool isLimitsOpen;

        private static readonly Section[] sections =
        {
            new Section("When", "solveTime", "goalLifetime", "callbackLayers", "previewInEditMode"),
            new Section("Bones", "humanBones", "upHint", "forwardHint", "restFromMeshes"),
            new Section("Stretch, twist and feet", "armStretch", "legStretch", "upperArmTwist", "lowerArmTwist", "upperLegTwist",
                "lowerLegTwist", "feetSpacing"),
            new Section("Help from the body", "leftShoulderWeight", "rightShoulderWeight", "spineWeight", "leftFootPullWeight",
                "rightFootPullWeight", "leftHandPullWeight", "rightHandPullWeight"),
            new Section("Switches", "leftFootInertializationTime", "rightFootInertializationTime", "leftHandInertializationTime",
                "rightHandInertializationTime", "lookAtInertializationTime"),
            new Section("Elbows and knees", "bendWeight", "trunkAvoidance"),
            new Section("Joint limits", "limitsEnabled", "muscleRanges", "humanRanges"),
            new Section("Level of detail", "detailLevel", "detailIterations", "detailInterval", "maxWork"),
            new Section("Scene view", "drawGizmos"),
        };

        private string mapping;
        private string report;
        private bool showsReport;
        private Transform[] mapped;

        protected override Section[] Sections
        {
            get { return sections; }
        }

        protected override bool IsShown(string field)
        {
            DetailLevel level = ((SinewAnimator)target).detailLevel;
            if (field == "detailIterations") return level == DetailLevel.FewerIterations;
            if (field == "detailInterval") return level == DetailLevel.EveryNth;
            return true;
        }

        protected override void DrawBelow()
        {
            SinewAnimator animator = (SinewAnimator)target;
            if (!Application.isPlaying)
            {
                if (targets.Length == 1) DrawPreview(animator);
                ButtonForAll<SinewAnimator>("Fill Table From Animator", FillTable);
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

        private void OnSceneGUI()
        {
            SinewHandles.Legend();
        }

        // How the bones will be found, before Play: a sentence, and bone by bone.
        private void DrawPreview(SinewAnimator animator)
        {
            if (mapping == null || GUILayout.Button("Map Again"))
            {
                mapping = Preview(animator);
                report = null;
            }
            EditorGUILayout.HelpBox(mapping, mapping.StartsWith("Not") ? MessageType.Warning : MessageType.Info);
            DrawReport(animator);
            if (mapped != null) DrawBones(Mapped);
        }

        // Evidence and doubts of the mapping by names and shape.
        private void DrawReport(SinewAnimator animator)
        {
            showsReport = EditorGUILayout.Foldout(showsReport, "Mapping Report", true);
            if (!showsReport) return;
            if (report == null) report = animator.DescribeMapping();
            EditorGUILayout.HelpBox(report, MessageType.None);
        }

        private Transform Mapped(HumanBodyBones bone)
        {
            return mapped[(int)bone];
        }

        private string Preview(SinewAnimator animator)
        {
            mapped = null;
            if (animator.humanBones != null && animator.humanBones.Length > 0)
                return "Bones come from the table above (" + animator.humanBones.Length + " lines).";
            Animator unity = animator.GetComponent<Animator>();
            if (unity != null && unity.isHuman) return "Bones come from the Animator's avatar.";
            string sentence;
            mapped = SinewRuntime.MapRig(animator.transform, out sentence);
            return sentence;
        }

        private static void FillTable(SinewAnimator animator)
        {
            Animator unity = animator.GetComponent<Animator>();
            if (unity == null || !unity.isHuman)
            {
                EditorUtility.DisplayDialog("Sinew Animator", "There is no Animator with a Humanoid avatar on this object.", "OK");
                return;
            }
            var lines = new System.Collections.Generic.List<HumanBoneEntry>();
            for (int bone = 0; bone < (int)HumanBodyBones.LastBone; bone++)
            {
                Transform transform = unity.GetBoneTransform((HumanBodyBones)bone);
                if (transform != null) lines.Add(new HumanBoneEntry((HumanBodyBones)bone, transform));
            }
            animator.humanBones = lines.ToArray();
        }

        private void DrawMapping(SinewAnimator animator)
        {
            DrawBones(animator.GetBoneTransform);
        }

        private void DrawBones(System.Func<HumanBodyBones, Transform> boneOf)
        {
            isMappingOpen = EditorGUILayout.Foldout(isMappingOpen, "Bones", true);
            if (!isMappingOpen) return;
            EditorGUI.BeginDisabledGroup(true);
            for (int bone = 0; bone < (int)HumanBodyBones.LastBone; bone++)
            {
                Transform transform = boneOf((HumanBodyBones)bone);
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
    }
}
