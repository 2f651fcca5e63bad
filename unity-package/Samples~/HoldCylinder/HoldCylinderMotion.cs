using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>Moves the scene as clips would: lowers the figure's arms, lets it breathe, and
    /// leads the cylinder around.</summary>
    public sealed class HoldCylinderMotion : MonoBehaviour
    {
        /// <summary>What is led around.</summary>
        public Transform cylinder;

        /// <summary>Seconds the cylinder takes to go around once.</summary>
        public float period = 6f;

        private Transform leftArm, rightArm, leftForearm, rightForearm, chest;

        private void Start()
        {
            Transform spine = transform.Find("Hips").Find("Spine");
            chest = spine.Find("Chest");
            leftArm = chest.Find("LeftShoulder").Find("LeftUpperArm");
            rightArm = chest.Find("RightShoulder").Find("RightUpperArm");
            leftForearm = leftArm.Find("LeftLowerArm");
            rightForearm = rightArm.Find("RightLowerArm");
        }

        private void Update()
        {
            float breath = Mathf.Sin(Time.time * 1.5f);
            leftArm.localRotation = Quaternion.Euler(0f, 0f, 75f + breath);
            rightArm.localRotation = Quaternion.Euler(0f, 0f, -75f - breath);
            leftForearm.localRotation = Quaternion.Euler(0f, 15f, 0f);
            rightForearm.localRotation = Quaternion.Euler(0f, -15f, 0f);
            chest.localRotation = Quaternion.Euler(breath, 0f, 0f);
            float angle = Time.time * 2f * Mathf.PI / period;
            cylinder.localPosition = new Vector3(0.25f + 0.1f * Mathf.Cos(angle), 1.2f + 0.15f * Mathf.Sin(angle), 0.4f);
        }
    }
}
