using UnityEngine;

namespace Ports
{
    /// <summary>Somebody else's code, not ported.</summary>
    public static class StateNames
    {
        public static bool IsBusy(Animator animator)
        {
            return animator != null && animator.GetCurrentAnimatorStateInfo(0).IsName("Busy");
        }
    }
}
