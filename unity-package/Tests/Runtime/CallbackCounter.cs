using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Counts OnAnimatorIK.</summary>
    public sealed class CallbackCounter : MonoBehaviour
    {
        /// <summary>Callbacks so far.</summary>
        public int Count { get; private set; }

        private void OnAnimatorIK(int layerIndex)
        {
            Count++;
        }
    }
}
