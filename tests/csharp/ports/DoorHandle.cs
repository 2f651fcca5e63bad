using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Takes the handle when near, and simply returns when not.</summary>
    public class DoorHandle : MonoBehaviour
    {
        public Transform handle;
        public float range = 0.9f;

        private Animator m_Animator;

        private bool IsInRange()
        {
            Vector3 way = handle.position - transform.position;
            way.y = 0f;
            return way.magnitude < range;
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (!m_Animator) m_Animator = GetComponent<Animator>();
            if (!IsInRange()) return;
            float reach = m_Animator.GetFloat("HandReach");
            m_Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, reach);
            m_Animator.SetIKPosition(AvatarIKGoal.RightHand, handle.position);
        }
    }
}
