using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Inspector of every constraint: its fields in sections, what the last pass left, and the pole
    /// set where it changes nothing. In the Scene view targets, poles and points are dragged.
    /// </summary>
    [CustomEditor(typeof(ConstraintBehaviour), true)]
    [CanEditMultipleObjects]
    internal sealed class ConstraintEditor : SinewInspector
    {
        private static readonly Section goal = new Section("Goal",
            "target", "weight", "inertializationTime", "positionWeight", "positionImportance", "endRotation", "rotationWeight", "rotationImportance", "endAxis",
            "targetAxis", "distanceMode", "radius",
            "source", "offset", "swing", "twist", "points", "curve", "branches");

        private static readonly Section joints = new Section("Joints",
            "joint", "end", "mid", "root", "tip", "jointCount", "axis", "up", "weights");

        private static readonly Section pole = new Section("Pole and bend",
            "pole", "poleKind", "poleReference", "poleWeight", "poleAngle", "bendSide", "clampAngle", "clampSoftness", "behindAngle");

        private static readonly Section solver = new Section("Solver",
            "solver", "finish", "allowStretch", "inPlane", "planeAxis", "springBias", "tolerance", "toleranceAngle", "maxIterations",
            "maxAttempts", "warmStart", "damping", "maxStep", "sweepStep", "softness", "stretch", "stretchMin", "stretchMax", "startOnCurve",
            "rollStart", "rollEnd", "rollWithPoints");

        private static readonly Section when = new Section("Order", "animator", "order", "placement", "step");

        private Section[] present;

        protected override Section[] Sections
        {
            get { return present ?? (present = new[] { Of(goal), Of(joints), Of(pole), Of(solver), Of(when) }); }
        }

        // Without the fields that this kind of constraint has not.
        private Section Of(Section all)
        {
            var fields = new System.Collections.Generic.List<string>();
            for (int i = 0; i < all.Fields.Length; i++)
                if (serializedObject.FindProperty(all.Fields[i]) != null) fields.Add(all.Fields[i]);
            return new Section(all.Title, fields.ToArray());
        }

        protected override bool IsShown(string field)
        {
            ReachConstraint reach = target as ReachConstraint;
            ConstraintBehaviour any = (ConstraintBehaviour)target;
            SinewChain chain = target as SinewChain;
            switch (field)
            {
                case "rotationImportance":
                case "rotationWeight": return reach == null || reach.endRotation != EndRotation.Free;
                case "endAxis":
                case "targetAxis": return reach == null || reach.endRotation == EndRotation.AlignAxis;
                case "radius": return reach == null || reach.distanceMode != SinewDistanceMode.None;
                case "step": return any.placement != SinewConstraintPlacement.Stack;
                case "planeAxis": return chain == null || chain.inPlane;
                case "springBias": return chain == null || chain.solver == SinewChainSolver.Spring;
                default: return true;
            }
        }

        protected override void DrawBelow()
        {
            if (!Application.isPlaying)
            {
                ConstraintBehaviour of = (ConstraintBehaviour)target;
                if (of.animator == null && of.GetComponentInParent<SinewAnimator>() == null)
                    EditorGUILayout.HelpBox("There is no Sinew Animator on this object or above: it does nothing.", MessageType.Warning);
                return;
            }
            for (int i = 0; i < targets.Length; i++)
            {
                ConstraintBehaviour of = (ConstraintBehaviour)targets[i];
                if (of.problemDescription != null) EditorGUILayout.HelpBox(of.name + ": " + of.problemDescription + ".", MessageType.Warning);
                else EditorGUILayout.LabelField(of.name, InWords(of.outcome));
            }
            SinewTwoBone limb = target as SinewTwoBone;
            if (limb != null && limb.isBendArbitrary && limb.pole == null)
                EditorGUILayout.HelpBox("The limb is straight at rest: set Bend Side or a pole.", MessageType.Info);
            TargetConstraint posed = target as TargetConstraint;
            if (posed == null || posed.pole == null) return;
            ButtonForAll<TargetConstraint>("Pole In Place", PoleInPlace);
        }

        private static void PoleInPlace(TargetConstraint of)
        {
            of.PoleInPlace();
        }

        private void OnSceneGUI()
        {
            TargetConstraint posed = target as TargetConstraint;
            if (posed != null)
            {
                SinewHandles.Drag(posed.target, "Move Target");
                SinewHandles.Drag(posed.pole, "Move Pole");
            }
            SinewChain chain = target as SinewChain;
            for (int i = 0; chain != null && chain.branches != null && i < chain.branches.Length; i++)
                if (chain.branches[i] != null) SinewHandles.Drag(chain.branches[i].target, "Move Target");
            SinewSpline spline = target as SinewSpline;
            for (int i = 0; spline != null && spline.points != null && i < spline.points.Length; i++)
                SinewHandles.Drag(spline.points[i], "Move Point");
            SinewHandles.Legend();
        }
    }
}
