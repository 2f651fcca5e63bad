using System.Collections.Generic;
using UnityEngine;

namespace Sinew
{
    /// <summary>Whether an object is left out because no camera sees it, as its Animator leaves it
    /// out.</summary>
    internal sealed class Visibility
    {
        private readonly List<Renderer> renderers = new List<Renderer>();
        private int renderersOf = -1; // size of the hierarchy they were looked for in

        /// <summary>Looks for the renderers again at the next question.</summary>
        internal void Forget()
        {
            renderersOf = -1;
        }

        /// <summary>With a culling mode other than AlwaysAnimate nothing is done for a character
        /// that has renderers, none of which is visible.</summary>
        internal bool IsCulled(Animator animator, Component of)
        {
            if (animator == null || animator.cullingMode == AnimatorCullingMode.AlwaysAnimate) return false;
            bool isWhole;
            if (IsSeen(out isWhole)) return false;
            // Clothes and models come and go: they are looked for again when the hierarchy has
            // another size, or one of them is gone.
            int size = of.transform.hierarchyCount;
            if (size == renderersOf && (isWhole || renderers.Count == 0)) return isWhole;
            renderersOf = size;
            of.GetComponentsInChildren(true, renderers);
            return !IsSeen(out isWhole) && isWhole;
        }

        private bool IsSeen(out bool isWhole)
        {
            isWhole = renderers.Count > 0;
            for (int i = 0; i < renderers.Count; i++)
            {
                if (renderers[i] == null) isWhole = false;
                else if (renderers[i].isVisible) return true;
            }
            return false;
        }
    }
}
