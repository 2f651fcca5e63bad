using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>Leads the target around the figure, up and down, and lowers the figure's arms as a
    /// clip would.</summary>
    public sealed class AimMotion : MonoBehaviour
    {
        /// <summary>What is led around.</summary>
        public Transform target;

        /// <summary>Seconds for once around.</summary>
        public float period = 8f;

        private Transform leftArm, rightArm;

        private void Start()
        {
            Transform chest = transform.Find("Hips").Find("Spine").Find("Chest");
            leftArm = chest.Find("LeftShoulder").Find("LeftUpperArm");
            rightArm = chest.Find("RightShoulder").Find("RightUpperArm");
        }

        private void Update()
        {
            leftArm.localRotation = Quaternion.Euler(0f, 0f, 75f);
            rightArm.localRotation = Quaternion.Euler(0f, 0f, -75f);
            float angle = Time.time * 2f * Mathf.PI / period;
            target.position = transform.position
                + new Vector3(2f * Mathf.Sin(angle), 1.5f + 0.5f * Mathf.Sin(Time.time), 2f * Mathf.Cos(angle));
        }
    }
}
