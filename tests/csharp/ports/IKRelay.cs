using System;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Sits beside the animator and hands the callback on to whoever asks.</summary>
    public class IKRelay : MonoBehaviour
    {
        public event Action<Animator, int> AnimatorIK;
        private Animator animator;

        private void Awake() => animator = GetComponent<Animator>();

        private void OnAnimatorIK(int layerIndex) => AnimatorIK?.Invoke(animator, layerIndex);
    }

    /// <summary>On the parent of the model: reaches for the nearest thing.</summary>
    public class ReachFromParent : MonoBehaviour
    {
        public Transform[] things;
        public float range = 1.2f;

        private IKRelay relay;

        private void Start()
        {
            relay = GetComponentInChildren<IKRelay>();
            relay.AnimatorIK += Reach;
        }

        private void OnDestroy()
        {
            if (relay != null) relay.AnimatorIK -= Reach;
        }

        private void Reach(Animator animator, int layerIndex)
        {
            Transform nearest = null;
            float best = range;
            Vector3 shoulder = animator.GetBoneTransform(HumanBodyBones.LeftUpperArm).position;
            foreach (Transform thing in things)
            {
                float distance = Vector3.Distance(shoulder, thing.position);
                if (distance >= best) continue;
                best = distance;
                nearest = thing;
            }
            if (nearest == null) return;
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, nearest.position);
        }
    }
}
