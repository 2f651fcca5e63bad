using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>A line of the bone table: bone and Transform side by side.</summary>
    [CustomPropertyDrawer(typeof(HumanBoneEntry))]
    internal sealed class HumanBoneDrawer : PropertyDrawer
    {
        /// <summary>Draws it.</summary>
        public override void OnGUI(Rect position, SerializedProperty property, GUIContent label)
        {
            EditorGUI.BeginProperty(position, label, property);
            float half = position.width * 0.5f;
            Rect left = new Rect(position.x, position.y, half - 2f, position.height);
            Rect right = new Rect(position.x + half, position.y, half, position.height);
            EditorGUI.PropertyField(left, property.FindPropertyRelative("bone"), GUIContent.none);
            EditorGUI.PropertyField(right, property.FindPropertyRelative("transform"), GUIContent.none);
            EditorGUI.EndProperty();
        }
    }

    /// <summary>Base of drawers that put each field on a line of its own below a foldout.</summary>
    internal abstract class LinesDrawer : PropertyDrawer
    {
        /// <summary>The fields that count at the moment.</summary>
        protected abstract string[] Fields(SerializedProperty property);

        /// <summary>What the foldout says.</summary>
        protected virtual GUIContent Title(SerializedProperty property, GUIContent label)
        {
            return label;
        }

        /// <summary>Draws it.</summary>
        public override void OnGUI(Rect position, SerializedProperty property, GUIContent label)
        {
            EditorGUI.BeginProperty(position, label, property);
            Rect at = new Rect(position.x, position.y, position.width, EditorGUIUtility.singleLineHeight);
            property.isExpanded = EditorGUI.Foldout(at, property.isExpanded, Title(property, label), true);
            if (property.isExpanded)
            {
                EditorGUI.indentLevel++;
                string[] fields = Fields(property);
                for (int i = 0; i < fields.Length; i++)
                {
                    at.y += at.height + EditorGUIUtility.standardVerticalSpacing;
                    SerializedProperty field = property.FindPropertyRelative(fields[i]);
                    at.height = EditorGUI.GetPropertyHeight(field, true); // a vector takes two lines in a narrow Inspector
                    EditorGUI.PropertyField(at, field, true);
                }
                EditorGUI.indentLevel--;
            }
            EditorGUI.EndProperty();
        }

        /// <summary>Height of the foldout and of the fields below it.</summary>
        public override float GetPropertyHeight(SerializedProperty property, GUIContent label)
        {
            float height = EditorGUIUtility.singleLineHeight;
            if (!property.isExpanded) return height;
            string[] fields = Fields(property);
            for (int i = 0; i < fields.Length; i++)
                height += EditorGUIUtility.standardVerticalSpacing + EditorGUI.GetPropertyHeight(property.FindPropertyRelative(fields[i]), true);
            return height;
        }
    }

    /// <summary>The goal of a hand or foot: weights only where there is something to
    /// weigh.</summary>
    [CustomPropertyDrawer(typeof(SinewGoals.Limb))]
    internal sealed class LimbDrawer : LinesDrawer
    {
        private static readonly string[] empty = { "target", "hint" };
        private static readonly string[] aimed = { "target", "positionWeight", "rotationWeight", "effectorPoint", "hint", "space" };
        private static readonly string[] hinted = { "target", "hint", "hintWeight", "space" };
        private static readonly string[] full =
        {
            "target", "positionWeight", "rotationWeight", "effectorPoint", "hint", "hintWeight", "space",
        };

        protected override string[] Fields(SerializedProperty property)
        {
            bool hasTarget = property.FindPropertyRelative("target").objectReferenceValue != null;
            bool hasHint = property.FindPropertyRelative("hint").objectReferenceValue != null;
            return hasTarget ? (hasHint ? full : aimed) : (hasHint ? hinted : empty);
        }
    }

    /// <summary>A band of a world's levels: one line of what it is, and the numbers its level
    /// has.</summary>
    [CustomPropertyDrawer(typeof(DetailBand))]
    internal sealed class DetailBandDrawer : LinesDrawer
    {
        private static readonly string[] plain = { "distance", "level" };
        private static readonly string[] fewer = { "distance", "level", "iterations" };
        private static readonly string[] nth = { "distance", "level", "interval" };

        protected override string[] Fields(SerializedProperty property)
        {
            DetailLevel level = (DetailLevel)property.FindPropertyRelative("level").intValue;
            return level == DetailLevel.FewerIterations ? fewer : level == DetailLevel.EveryNth ? nth : plain;
        }

        protected override GUIContent Title(SerializedProperty property, GUIContent label)
        {
            DetailLevel level = (DetailLevel)property.FindPropertyRelative("level").intValue;
            return new GUIContent("Up to " + property.FindPropertyRelative("distance").floatValue.ToString("0.#") + ": " + level);
        }
    }

    /// <summary>A branch of a chain: what its rotation and distance settings need, and no
    /// more.</summary>
    [CustomPropertyDrawer(typeof(ChainBranch))]
    internal sealed class ChainBranchDrawer : LinesDrawer
    {
        protected override string[] Fields(SerializedProperty property)
        {
            var fields = new System.Collections.Generic.List<string> { "joint", "tip", "target", "positionWeight", "positionImportance", "endRotation" };
            EndRotation rotation = (EndRotation)property.FindPropertyRelative("endRotation").intValue;
            if (rotation != EndRotation.Free) fields.Add("rotationWeight");
            if (rotation != EndRotation.Free) fields.Add("rotationImportance");
            if (rotation == EndRotation.AlignAxis) fields.Add("endAxis");
            if (rotation == EndRotation.AlignAxis) fields.Add("targetAxis");
            fields.Add("distanceMode");
            if (property.FindPropertyRelative("distanceMode").intValue != 0) fields.Add("radius");
            return fields.ToArray();
        }
    }

    /// <summary>A range of people's limits that is replaced: the bone as title, least and greatest
    /// angles below.</summary>
    [CustomPropertyDrawer(typeof(HumanRangeEntry))]
    internal sealed class HumanRangeDrawer : LinesDrawer
    {
        private static readonly string[] fields = { "bone", "bendMin", "bendMax", "sideMin", "sideMax", "twistMin", "twistMax" };

        protected override string[] Fields(SerializedProperty property)
        {
            return fields;
        }

        protected override GUIContent Title(SerializedProperty property, GUIContent label)
        {
            return new GUIContent(((HumanBodyBones)property.FindPropertyRelative("bone").intValue).ToString());
        }
    }
}
