using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Rays in FixedUpdate, goals and a smoothed pelvis in the callback; rotation fields
    /// start unset.</summary>
    public class PelvisFollow : MonoBehaviour
    {
        public LayerMask ground = 1;

        private Animator anim;
        private Vector3 leftPoint, rightPoint;
        private Quaternion leftTurn, rightTurn;
        private float lastPelvis, lastLeft, lastRight;

        private void Start()
        {
            anim = GetComponent<Animator>();
        }

        private void FixedUpdate()
        {
            Find(HumanBodyBones.LeftFoot, ref leftPoint, ref leftTurn);
            Find(HumanBodyBones.RightFoot, ref rightPoint, ref rightTurn);
        }

        private void Find(HumanBodyBones bone, ref Vector3 point, ref Quaternion turn)
        {
            Vector3 above = anim.GetBoneTransform(bone).position;
            above.y = transform.position.y + 1f;
            RaycastHit hit;
            if (!Physics.Raycast(above, Vector3.down, out hit, 2f, ground))
            {
                point = Vector3.zero;
                return;
            }
            point = hit.point;
            turn = Quaternion.FromToRotation(Vector3.up, hit.normal) * transform.rotation;
        }

        private void OnAnimatorIK(int layerIndex)
        {
            Pelvis();
            Move(AvatarIKGoal.LeftFoot, leftPoint, leftTurn, ref lastLeft);
            Move(AvatarIKGoal.RightFoot, rightPoint, rightTurn, ref lastRight);
        }

        private void Move(AvatarIKGoal foot, Vector3 point, Quaternion turn, ref float last)
        {
            anim.SetIKPositionWeight(foot, 1f);
            anim.SetIKRotationWeight(foot, 1f);
            anim.SetIKRotation(foot, turn);
            Vector3 goal = anim.GetIKPosition(foot);
            if (point != Vector3.zero)
            {
                last = Mathf.Lerp(last, transform.InverseTransformPoint(point).y, 0.5f);
                goal.y += last;
            }
            anim.SetIKPosition(foot, goal);
        }

        private void Pelvis()
        {
            Vector3 body = anim.bodyPosition;
            if (lastPelvis == 0f) lastPelvis = body.y;
            float lowest = Mathf.Min(leftPoint.y, rightPoint.y) - transform.position.y;
            body.y = Mathf.Lerp(lastPelvis, body.y + Mathf.Min(0f, lowest), 0.3f);
            anim.bodyPosition = body;
            lastPelvis = anim.bodyPosition.y;
        }
    }
}
