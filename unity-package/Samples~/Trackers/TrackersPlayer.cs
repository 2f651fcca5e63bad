using Sinew;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>A player of another size than the figure: makes trackers, stands in a T-pose for the
    /// calibration, then sways, crouches and moves the hands. With a real headset, delete this
    /// script: SinewTrackedBody reads headset and controllers by itself.</summary>
    public sealed class TrackersPlayer : MonoBehaviour
    {
        /// <summary>3: head and hands; 4: hips too; 6: feet too.</summary>
        public int trackerCount = 3;

        /// <summary>Height of the player in heights of the figure.</summary>
        public float playerSize = 1.1f;

        /// <summary>Seconds of a round.</summary>
        public float period = 6f;

        private static readonly SinewTrackerRole[] roles =
        {
            SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand, SinewTrackerRole.Hips,
            SinewTrackerRole.LeftFoot, SinewTrackerRole.RightFoot,
        };

        private static readonly HumanBodyBones[] bones =
        {
            HumanBodyBones.Head, HumanBodyBones.LeftHand, HumanBodyBones.RightHand, HumanBodyBones.Hips,
            HumanBodyBones.LeftFoot, HumanBodyBones.RightFoot,
        };

        private readonly Transform[] made = new Transform[6];
        private readonly Vector3[] places = new Vector3[6];
        private SinewTrackedBody body;
        private float time;
        private int count;

        private void Start()
        {
            body = GetComponent<SinewTrackedBody>();
            SinewAnimator animator = GetComponent<SinewAnimator>();
            body.trackers.Clear();
            count = Mathf.Clamp(trackerCount, 3, 6);
            for (int i = 0; i < count; i++)
            {
                made[i] = new GameObject(roles[i] + " Tracker").transform;
                places[i] = transform.InverseTransformPoint(animator.GetBoneTransform(bones[i]).position) * playerSize;
                Put(i, places[i], Quaternion.identity);
                body.trackers.Add(new SinewTracker(roles[i], made[i]));
            }
            body.Calibrate();
        }

        private void Update()
        {
            time += Time.deltaTime;
            float round = time / period * 2f * Mathf.PI;
            Quaternion turn = Quaternion.Euler(0f, 35f * Mathf.Sin(round), 0f);
            Vector3 way = new Vector3(0.35f * Mathf.Sin(round), -0.12f * (1f - Mathf.Cos(2f * round)), 0.2f * Mathf.Sin(2f * round));
            Put(0, turn * places[0] + way, turn * Quaternion.Euler(12f * Mathf.Sin(3f * round), 0f, 0f));
            for (int side = 0; side < 2; side++)
            {
                float sign = side == 0 ? -1f : 1f;
                Vector3 hand = places[0] + playerSize * new Vector3(
                    sign * 0.28f, -0.38f + 0.25f * Mathf.Sin(2f * round + sign), 0.32f + 0.08f * Mathf.Cos(3f * round));
                Put(1 + side, turn * hand + way, turn * Quaternion.Euler(0f, -75f * sign * -1f, 0f));
            }
            if (count > 3) Put(3, turn * places[3] + way, turn);
            for (int i = 4; i < count; i++) Put(i, places[i], Quaternion.identity);
        }

        // Of a player whose tracking space is the figure's own place.
        private void Put(int i, Vector3 at, Quaternion turn)
        {
            made[i].position = transform.TransformPoint(at);
            made[i].rotation = transform.rotation * turn;
        }
    }
}
