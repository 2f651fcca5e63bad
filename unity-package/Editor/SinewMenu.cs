using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Menu items: SinewAnimators for the Animators in the selection.</summary>
    internal static class SinewMenu
    {
        /// <summary>
        /// Adds a SinewAnimator beside every Animator in the selection, and fills references of ported scripts on these
        /// objects that are empty because their type changed.
        /// </summary>
        [MenuItem("GameObject/Sinew/Add Sinew Animator Beside Animators", false, 20)]
        internal static void AddBesideAnimators()
        {
            List<string> done = new List<string>();
            foreach (GameObject selected in Selection.gameObjects)
                foreach (Animator unity in selected.GetComponentsInChildren<Animator>(true)) done.Add(Add(unity));
            EditorUtility.DisplayDialog(
                "Sinew", done.Count == 0 ? "There is no Animator in the selection." : string.Join("\n", done.ToArray()), "OK");
        }

        private static string Add(Animator unity)
        {
            SinewAnimator sinew;
            bool isNew = !unity.TryGetComponent(out sinew);
            if (isNew) sinew = Undo.AddComponent<SinewAnimator>(unity.gameObject);
            int filled = 0;
            foreach (MonoBehaviour script in unity.gameObject.GetComponentsInChildren<MonoBehaviour>(true))
            {
                if (script == null || ReferenceEquals(script, sinew)) continue;
                SerializedObject serialized = new SerializedObject(script);
                SerializedProperty property = serialized.GetIterator();
                while (property.NextVisible(true))
                {
                    if (property.propertyType != SerializedPropertyType.ObjectReference) continue;
                    if (property.type != "PPtr<$SinewAnimator>" || property.objectReferenceValue != null) continue;
                    property.objectReferenceValue = sinew;
                    filled++;
                }
                serialized.ApplyModifiedProperties();
            }
            return unity.name + ": " + (isNew ? "added" : "was there") + ", " + filled + " references filled";
        }
    }
}
