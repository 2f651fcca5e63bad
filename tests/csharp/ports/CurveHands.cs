using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Weights from animation curves; nothing during transitions into another state
    /// tag.</summary>
    public class CurveHands : MonoBehaviour
    {
        private static readonly int LeftCurve = Animator.StringToHash("LeftHandIK");
        private static readonly int RightCurve = Animator.StringToHash("RightHandIK");

        public Transform left, right;
        public string blockingState = "Roll";
        private Animator _animator;
        private bool _hasAnimator;
        private float _fade;

        private void Start()
        {
            _hasAnimator = TryGetComponent(out _animator);
        }

        private void Update()
        {
            _hasAnimator = TryGetComponent(out _animator);
            if (!_hasAnimator) return;
            bool isBlocked = _animator.GetCurrentAnimatorStateInfo(0).IsName(blockingState)
                || (_animator.IsInTransition(0) && _animator.GetNextAnimatorStateInfo(0).IsName(blockingState));
            _fade = Mathf.MoveTowards(_fade, isBlocked ? 0f : 1f, Time.deltaTime * 5f);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (!_hasAnimator) return;
            Hand(AvatarIKGoal.LeftHand, left, _animator.GetFloat(LeftCurve));
            Hand(AvatarIKGoal.RightHand, right, _animator.GetFloat(RightCurve));
        }

        private void Hand(AvatarIKGoal goal, Transform at, float curve)
        {
            _animator.SetIKPositionWeight(goal, curve * _fade);
            _animator.SetIKRotationWeight(goal, curve * _fade);
            if (at == null) return;
            _animator.SetIKPosition(goal, at.position);
            _animator.SetIKRotation(goal, at.rotation);
        }
    }
}
