using UnityEngine;

namespace Ports
{
    /// <summary>Code that is not ported and knows nothing of Sinew: a library, a base class.</summary>
    public static class ForeignLibrary
    {
        public static Animator AnimatorOf(GameObject character)
        {
            return character == null ? null : character.GetComponent<Animator>();
        }

        public static bool IsOf(Animator animator, GameObject character)
        {
            return animator != null && animator.gameObject == character;
        }
    }
}
