using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of SinewGoals, and handles for its targets and hints in the Scene view.</summary>
    [CustomEditor(typeof(SinewGoals))]
    [CanEditMultipleObjects]
    internal sealed class SinewGoalsEditor : UnityEditor.Editor
    {
        private static readonly AvatarIKGoal[] goals =
        {
            AvatarIKGoal.LeftFoot, AvatarIKGoal.RightFoot, AvatarIKGoal.LeftHand, AvatarIKGoal.RightHand,
        };

        /// <summary>Draws the Inspector.</summary>
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (Application.isPlaying) return;
            if (GUILayout.Button("Create Missing Limb Targets"))
                for (int i = 0; i < targets.Length; i++) CreateTargets((SinewGoals)targets[i]);
        }

        // Targets and hints are dragged where they are; what is moved is the target's own Transform.
        private void OnSceneGUI()
        {
            SinewGoals of = (SinewGoals)target;
            for (int i = 0; i < goals.Length; i++)
            {
                Drag(of[goals[i]].target);
                Drag(of[goals[i]].hint);
            }
            Drag(of.lookAt);
            Drag(of.body);
        }

        private static void Drag(Transform handle)
        {
            if (handle == null) return;
            EditorGUI.BeginChangeCheck();
            Vector3 position = Handles.PositionHandle(handle.position, handle.rotation);
            if (!EditorGUI.EndChangeCheck()) return;
            Undo.RecordObject(handle, "Move Sinew Goal");
            handle.position = position;
            PrefabUtility.RecordPrefabInstancePropertyModifications(handle);
        }

        private static void CreateTargets(SinewGoals of)
        {
            Undo.RecordObject(of, "Create Sinew Goals");
            Create(of, ref of.leftFoot, AvatarIKGoal.LeftFoot, HumanBodyBones.LeftFoot);
            Create(of, ref of.rightFoot, AvatarIKGoal.RightFoot, HumanBodyBones.RightFoot);
            Create(of, ref of.leftHand, AvatarIKGoal.LeftHand, HumanBodyBones.LeftHand);
            Create(of, ref of.rightHand, AvatarIKGoal.RightHand, HumanBodyBones.RightHand);
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        private static void Create(SinewGoals of, ref SinewGoals.Limb limb, AvatarIKGoal goal, HumanBodyBones bone)
        {
            if (limb.target != null) return;
            GameObject made = new GameObject(goal + " Goal");
            Undo.RegisterCreatedObjectUndo(made, "Create Sinew Goals");
            made.transform.SetParent(of.transform, false);
            Animator unity = of.GetComponent<Animator>();
            Transform at = unity != null && unity.isHuman ? unity.GetBoneTransform(bone) : null;
            if (at != null) made.transform.position = at.position;
            limb.target = made.transform;
        }
    }
}
