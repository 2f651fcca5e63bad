using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Saves work for characters nobody sees, and none for the one that matters.</summary>
    public class LookCulling : MonoBehaviour
    {
        public Transform target;
        public int calls;

        private Animator animator;

        private void Start()
        {
            animator = GetComponent<Animator>();
            animator.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
        }

        public void SetImportant(bool important)
        {
            animator.cullingMode = important ? AnimatorCullingMode.AlwaysAnimate : AnimatorCullingMode.CullUpdateTransforms;
        }

        private void OnAnimatorIK(int layerIndex)
        {
            calls++;
            animator.SetIKPosition(AvatarIKGoal.LeftHand, target.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
        }
    }
}
