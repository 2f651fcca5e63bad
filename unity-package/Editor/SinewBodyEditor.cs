using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of SinewBody: its fields, what the last solve left of each effector, and handles for the targets in the Scene view.</summary>
    [CustomEditor(typeof(SinewBody))]
    [CanEditMultipleObjects]
    internal sealed class SinewBodyEditor : UnityEditor.Editor
    {
        private static bool isPosing;
        private static bool pinsTurn = true;
        private static int chainLength;
        // Of those that are selected.
        private readonly Dictionary<SinewBody, SinewAutoIK> posed = new Dictionary<SinewBody, SinewAutoIK>();

        private void OnDisable()
        {
            StopPosing();
        }

        private void StopPosing()
        {
            foreach (SinewAutoIK autoIK in posed.Values) autoIK.Dispose();
            posed.Clear();
        }

        /// <summary>Outcomes change every frame.</summary>
        public override bool RequiresConstantRepaint()
        {
            return Application.isPlaying;
        }

        /// <summary>Draws the Inspector.</summary>
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            SinewBody of = (SinewBody)target;
            if (!Application.isPlaying)
            {
                if (GUILayout.Button("Create Missing Targets"))
                    for (int i = 0; i < targets.Length; i++) CreateTargets((SinewBody)targets[i]);
                PosingGUI();
                return;
            }
            EditorGUILayout.LabelField("Body", InWords(of.outcome));
            for (int i = 0; i < Count(of); i++)
            {
                SinewBodyEffector effector = of.effectors[i];
                if (effector == null) continue;
                string joint = effector.joint == null ? "centre of mass" : effector.joint.name;
                EditorGUILayout.LabelField(effector.kind + " " + joint, InWords(effector.outcome));
            }
        }

        // Targets are dragged where they are; what is moved is the target's own Transform.
        private void OnSceneGUI()
        {
            SinewBody of = (SinewBody)target;
            if (isPosing && !Application.isPlaying)
            {
                Pose(of);
                return;
            }
            for (int i = 0; i < Count(of); i++)
                if (of.effectors[i] != null) SinewHandles.Drag(of.effectors[i].target, "Move Sinew Effector");
        }

        private static int Count(SinewBody of)
        {
            return of.effectors == null ? 0 : of.effectors.Count;
        }

        // Auto IK: joints of the scene are posed by dragging.
        private void PosingGUI()
        {
            bool wasPosing = isPosing;
            isPosing = EditorGUILayout.Toggle(
                new GUIContent("Auto IK", "Drag joints in the Scene view. Joints of effectors with Pin stay where they are."), isPosing);
            if (!isPosing)
            {
                if (wasPosing) StopPosing();
                return;
            }
            chainLength = Mathf.Max(0, EditorGUILayout.IntField(
                new GUIContent("Chain Length", "Number of joints above the dragged one that turn; 0: the whole body."), chainLength));
            pinsTurn = EditorGUILayout.Toggle(new GUIContent("Pins Hold Rotation", "Whether pinned joints also keep their rotation."), pinsTurn);
        }

        // The pose at which the mouse went down is where each drag starts from.
        private void Pose(SinewBody of)
        {
            SinewAutoIK autoIK;
            if (!posed.TryGetValue(of, out autoIK) && !TryBegin(of, out autoIK)) return;
            if (Event.current.type == EventType.MouseDown) autoIK.Begin();
            for (int i = 0; i < autoIK.Joints.Count; i++)
            {
                Transform joint = autoIK.Joints[i];
                if (joint == null)
                {
                    StopPosing();
                    return;
                }
                Vector3 at = joint.position;
                float size = HandleUtility.GetHandleSize(at) * 0.06f;
                Handles.color = SinewColors.Goal;
                EditorGUI.BeginChangeCheck();
#if UNITY_2022_1_OR_NEWER
                Vector3 to = Handles.FreeMoveHandle(at, size, Vector3.zero, Handles.DotHandleCap);
#else
                Vector3 to = Handles.FreeMoveHandle(at, Quaternion.identity, size, Vector3.zero, Handles.DotHandleCap);
#endif
                if (!EditorGUI.EndChangeCheck()) continue;
                for (int j = 0; j < autoIK.Joints.Count; j++) Undo.RecordObject(autoIK.Joints[j], "Pose With Auto IK");
                if (!TryDrag(of, autoIK, joint, to)) return;
                for (int j = 0; j < autoIK.Joints.Count; j++) PrefabUtility.RecordPrefabInstancePropertyModifications(autoIK.Joints[j]);
            }
        }

        // A body with a mistake, such as a root joint of another object or an uneven scale, is
        // logged once; Auto IK is switched off, or each event of the Scene view would log it.
        private bool TryBegin(SinewBody of, out SinewAutoIK autoIK)
        {
            try
            {
                autoIK = new SinewAutoIK(of);
                posed.Add(of, autoIK);
                return true;
            }
            catch (SinewException e)
            {
                autoIK = null;
                return GiveUp(of, e);
            }
        }

        private bool TryDrag(SinewBody of, SinewAutoIK autoIK, Transform joint, Vector3 to)
        {
            try
            {
                autoIK.Drag(joint, to, chainLength, PinsOf(of, autoIK), pinsTurn);
                return true;
            }
            catch (SinewException e)
            {
                return GiveUp(of, e);
            }
        }

        private bool GiveUp(SinewBody of, SinewException e)
        {
            isPosing = false;
            StopPosing();
            Debug.LogError("SinewBody on '" + of.name + "': no Auto IK: " + e.Message + ".", of);
            return false;
        }

        private static List<Transform> PinsOf(SinewBody of, SinewAutoIK autoIK)
        {
            List<Transform> pins = new List<Transform>();
            for (int i = 0; i < Count(of); i++)
                if (of.effectors[i] != null && of.effectors[i].pin && autoIK.Joints.Contains(of.effectors[i].joint)) pins.Add(of.effectors[i].joint);
            return pins;
        }

        private static void CreateTargets(SinewBody of)
        {
            Undo.RecordObject(of, "Create Sinew Targets");
            for (int i = 0; i < Count(of); i++)
            {
                SinewBodyEffector effector = of.effectors[i];
                if (effector == null || effector.target != null || effector.joint == null || effector.pin) continue;
                effector.target = SinewMenu.NewTarget(effector.joint.name + " Target", of.gameObject, null, effector.joint);
            }
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        private static string InWords(SinewBodyOutcome outcome)
        {
            return (SinewStatus)outcome.status + ", " + outcome.iterations + " iterations, "
                + outcome.residual_m.ToString("0.####") + " m, " + outcome.residual_rad.ToString("0.####") + " rad";
        }

        private static string InWords(SinewBodyTaskOutcome outcome)
        {
            return (SinewStatus)outcome.status + ", " + outcome.residual_m.ToString("0.####") + " m, "
                + outcome.residual_rad.ToString("0.####") + " rad, " + outcome.limited_joint_count + " joints at limits";
        }
    }
}
