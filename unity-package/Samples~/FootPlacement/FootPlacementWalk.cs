using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>Walks the figure as a clip for flat ground would; the component beside it puts the
    /// feet where the ground is.</summary>
    public sealed class FootPlacementWalk : MonoBehaviour
    {
        /// <summary>Metres per second.</summary>
        public float speed = 0.8f;

        /// <summary>Length of the way, metres; at its end the figure starts again.</summary>
        public float length = 5f;

        /// <summary>How fast the root follows the ground's height, metres per second; 0: it keeps
        /// its own height.</summary>
        public float climb;

        private readonly Transform[] thighs = new Transform[2], shins = new Transform[2], feet = new Transform[2];
        private Transform hips, leftArm, rightArm;
        private Vector3 start;
        private float way, height;

        private void Start()
        {
            start = transform.position;
            hips = transform.Find("Hips");
            for (int side = 0; side < 2; side++)
            {
                string name = side == 0 ? "Left" : "Right";
                thighs[side] = hips.Find(name + "UpperLeg");
                shins[side] = thighs[side].Find(name + "LowerLeg");
                feet[side] = shins[side].Find(name + "Foot");
            }
            Transform chest = hips.Find("Spine").Find("Chest");
            leftArm = chest.Find("LeftShoulder").Find("LeftUpperArm");
            rightArm = chest.Find("RightShoulder").Find("RightUpperArm");
        }

        private void Update()
        {
            way += speed * Time.deltaTime;
            if (way > length)
            {
                way = height = 0f;
                SinewGrounder grounder;
                if (TryGetComponent(out grounder)) grounder.ResetGrounding();
            }
            Vector3 place = start + transform.forward * way;
            RaycastHit hit;
            if (climb > 0f && Physics.Raycast(place + Vector3.up * 1.5f, Vector3.down, out hit, 3f))
                height = Mathf.MoveTowards(height, hit.point.y - start.y, climb * Time.deltaTime);
            transform.position = place + Vector3.up * height;
            Pose(way / 0.6f * Mathf.PI);
        }

        private void Pose(float phase)
        {
            for (int side = 0; side < 2; side++)
            {
                float angle = phase + side * Mathf.PI;
                float thigh = -12f - 22f * Mathf.Sin(angle), knee = 24f + 20f * Mathf.Cos(angle);
                thighs[side].localRotation = Quaternion.Euler(thigh, 0f, 0f);
                shins[side].localRotation = Quaternion.Euler(knee, 0f, 0f);
                feet[side].localRotation = Quaternion.Euler(-thigh - knee, 0f, 0f);
            }
            leftArm.localRotation = Quaternion.Euler(15f * Mathf.Sin(phase), 0f, 75f);
            rightArm.localRotation = Quaternion.Euler(-15f * Mathf.Sin(phase), 0f, -75f);
            // The lower foot stands on the figure's own height, as in a clip.
            float lowest = Mathf.Min(feet[0].position.y, feet[1].position.y) - transform.position.y;
            hips.localPosition = new Vector3(0f, hips.localPosition.y + 0.08f - lowest, 0f);
        }
    }
}
