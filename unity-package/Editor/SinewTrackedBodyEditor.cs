using System.IO;
using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>A tracker: its role and source as title, and only the fields that its source
    /// needs.</summary>
    [CustomPropertyDrawer(typeof(SinewTracker))]
    internal sealed class SinewTrackerDrawer : LinesDrawer
    {
        private static readonly string[] followed = { "role", "source", "usePosition", "useRotation", "confidence" };
        private static readonly string[] node = { "role", "source", "node", "usePosition", "useRotation", "confidence" };
        private static readonly string[] worn =
            { "role", "source", "node", "serialNumber", "usePosition", "useRotation", "confidence" };

        protected override string[] Fields(SerializedProperty property)
        {
            if (property.FindPropertyRelative("source").objectReferenceValue != null) return followed;
            return Node(property) == SinewTrackerNode.HardwareTracker ? worn : node;
        }

        protected override GUIContent Title(SerializedProperty property, GUIContent label)
        {
            Object source = property.FindPropertyRelative("source").objectReferenceValue;
            string role = ((SinewTrackerRole)property.FindPropertyRelative("role").intValue).ToString();
            return new GUIContent(role + ": " + (source != null ? source.name : Node(property).ToString()));
        }

        // The enum's numbers are XRNode's, not 0, 1, 2.
        private static SinewTrackerNode Node(SerializedProperty property)
        {
            return (SinewTrackerNode)property.FindPropertyRelative("node").intValue;
        }
    }

    /// <summary>Inspector of the tracked body: its fields, a button to calibrate, and how near each
    /// bone came to its tracker.</summary>
    [CustomEditor(typeof(SinewTrackedBody))]
    [CanEditMultipleObjects]
    internal sealed class SinewTrackedBodyEditor : SinewInspector
    {
        private const float Delay = 5f;

        private static readonly Section[] sections =
        {
            new Section("Trackers", "weight", "trackers", "trackingOrigin", "isRemote"),
            new Section("Calibration", "calibrationPose", "sizePolicy", "scaleAvatar", "floorHeight"),
            new Section("Filter", "minCutoff", "speedCutoff", "maxExtrapolation", "lostAfter", "fadeTime"),
            new Section("Body", "headLock", "hipsLock", "priorWeight"),
            new Section("Steps", "stepWeight", "stepDistance", "stepTime", "stepHeight"),
            new Section("Animated Parts", "leftLegWeight", "rightLegWeight", "pelvisWeight", "leftArmWeight", "rightArmWeight",
                "leftFingersWeight", "rightFingersWeight"),
            new Section("Network", "restDistance", "restAngle", "minDelay", "maxDelay"),
        };

        protected override Section[] Sections
        {
            get { return sections; }
        }

        protected override void DrawBelow()
        {
            if (!Application.isPlaying) return;
            SinewTrackedBody of = (SinewTrackedBody)target;
            EditorGUILayout.LabelField("Calibration", InWords(of));
            if (GUILayout.Button("Calibrate Now")) ForAll(Calibrate);
            if (GUILayout.Button("Calibrate In 5 Seconds")) ForAll(CalibrateLater);
            if (of.isCalibrated && GUILayout.Button("Save Calibration")) ForAll(Save);
            if (File.Exists(PathOf(of)) && GUILayout.Button("Load Calibration")) ForAll(Load);
            for (int i = 0; of.trackers != null && i < of.trackers.Count; i++)
                if (of.trackers[i] != null) EditorGUILayout.LabelField(of.trackers[i].role.ToString(), InWords(of.trackers[i]));
            if (of.isRemote) EditorGUILayout.LabelField("Network delay", (of.networkDelay * 1000f).ToString("0") + " ms");
        }

        // Calibrations are no fields: nothing to undo.
        private void ForAll(System.Action<SinewTrackedBody> action)
        {
            for (int i = 0; i < targets.Length; i++) action((SinewTrackedBody)targets[i]);
        }

        private static void Calibrate(SinewTrackedBody of)
        {
            of.Calibrate();
        }

        private static void CalibrateLater(SinewTrackedBody of)
        {
            of.CalibrateAfter(Delay);
        }

        private static void Save(SinewTrackedBody of)
        {
            if (of.isCalibrated) of.SaveCalibration(PathOf(of));
        }

        private static void Load(SinewTrackedBody of)
        {
            if (File.Exists(PathOf(of))) of.LoadCalibration(PathOf(of));
        }

        /// <summary>Where the buttons save it: one file per character's name.</summary>
        internal static string PathOf(SinewTrackedBody of)
        {
            return Path.Combine(Application.persistentDataPath, "Sinew Calibration " + of.name + ".json");
        }

        private static string InWords(SinewTrackedBody of)
        {
            if (of.calibrationCountdown >= 0f) return "in " + of.calibrationCountdown.ToString("0.0") + " s";
            return of.isCalibrated ? "scale " + of.calibration.scale.ToString("0.###") : "none: stand in a T-pose and calibrate";
        }

        private static string InWords(SinewTracker tracker)
        {
            string source = tracker.isReporting ? "" : "no source, ";
            return source + "part " + tracker.presence.ToString("0.##") + ", " + (SinewStatus)tracker.outcome.status + ", "
                + tracker.outcome.residual_m.ToString("0.####") + " m, " + tracker.outcome.residual_rad.ToString("0.####") + " rad";
        }

        private void OnSceneGUI()
        {
            SinewHandles.Legend();
        }
    }
}
