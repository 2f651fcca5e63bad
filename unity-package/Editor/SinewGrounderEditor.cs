using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of the grounder: its fields in sections, and the legend of the Scene view.</summary>
    [CustomEditor(typeof(SinewGrounder))]
    [CanEditMultipleObjects]
    internal sealed class SinewGrounderEditor : SinewInspector
    {
        private static readonly Section[] sections =
        {
            new Section("Weights", "weight", "leftFootWeight", "rightFootWeight", "leftFootContact", "rightFootContact", "grounded"),
            new Section("Legs", "legs", "pelvis", "scale", "leftFootSize", "rightFootSize"),
            new Section("Ground", "groundLayers", "triggers", "quality", "queryRadius", "maxSlope", "maxStepUp", "maxStepDown"),
            new Section("Feet", "footTilt", "maxFootTilt", "footholdShift", "swingClearance", "plantSpeed", "releaseSpeed"),
            new Section("Body", "pelvisFollow", "pelvisRiseTime", "pelvisFallTime", "maxPelvisOffset", "airborneHeight"),
            new Section(
                "Stepping", "stepping", "gait", "triggerDistance", "triggerAngle", "triggerBalance", "stepLead", "stepTime", "stepHeight"),
            new Section("Details", "details"),
        };

        protected override Section[] Sections
        {
            get { return sections; }
        }

        private void OnSceneGUI()
        {
            SinewHandles.Legend();
        }
    }
}
