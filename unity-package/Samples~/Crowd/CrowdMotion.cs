using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>Lets the ball fly over the crowd.</summary>
    public sealed class CrowdMotion : MonoBehaviour
    {
        /// <summary>Half the width and depth of its way, metres.</summary>
        public float size = 9f;

        private void Update()
        {
            float t = Time.time * 0.4f;
            transform.position = new Vector3(size + size * Mathf.Sin(t), 1.9f + 0.3f * Mathf.Sin(3f * t), size + size * Mathf.Sin(1.7f * t));
        }
    }
}
