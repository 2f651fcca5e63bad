using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Another model with another avatar below the same object, at run time; the script
    /// goes on with the bones it finds then.</summary>
    public class SkinSwap : MonoBehaviour
    {
        public Transform target;
        private Animator animator;
        private Transform hand;

        public Transform Hand
        {
            get { return hand; }
        }

        private void Awake()
        {
            animator = GetComponent<Animator>();
            hand = animator.GetBoneTransform(HumanBodyBones.RightHand);
        }

        public void Wear(GameObject model, Avatar avatar)
        {
            for (int i = transform.childCount - 1; i >= 0; i--) DestroyImmediate(transform.GetChild(i).gameObject);
            model.transform.SetParent(transform, false);
            animator.avatar = avatar;
            animator.Rebind();
            hand = animator.GetBoneTransform(HumanBodyBones.RightHand);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            animator.SetIKPosition(AvatarIKGoal.RightHand, target.position);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }
    }
}
