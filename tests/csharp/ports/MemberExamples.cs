using UnityEngine;
using Animator = SinewAnimator;

// One script per IK member of the Animator, each doing what the example on that member's page of
// Unity's scripting reference is for, in words of our own. Where the page has no example, the
// script does what the page says.
namespace Ports.Examples
{
    /// <summary>SetIKPosition, SetIKPositionWeight: a curve of the clip says how far the hand
    /// reaches.</summary>
    public class ReachCurve : MonoBehaviour
    {
        public Transform thing;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            float share = animator.GetFloat("RightHandReach");
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, share);
            animator.SetIKPosition(AvatarIKGoal.RightHand, thing.position);
        }
    }

    /// <summary>SetIKRotation, SetIKRotationWeight: a palm that lies along a handle.</summary>
    public class PalmOnHandle : MonoBehaviour
    {
        public Transform handle;
        [Range(0f, 1f)] public float turn = 1f;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            animator.SetIKPosition(AvatarIKGoal.LeftHand, handle.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            animator.SetIKRotation(AvatarIKGoal.LeftHand, handle.rotation);
            animator.SetIKRotationWeight(AvatarIKGoal.LeftHand, turn);
        }
    }

    /// <summary>SetIKHintPosition, SetIKHintPositionWeight: an elbow that points at a hint.</summary>
    public class ElbowHint : MonoBehaviour
    {
        public Transform grip;
        public Transform elbow;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            animator.SetIKPosition(AvatarIKGoal.RightHand, grip.position);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            animator.SetIKHintPosition(AvatarIKHint.RightElbow, elbow.position);
            animator.SetIKHintPositionWeight(AvatarIKHint.RightElbow, 1f);
        }
    }

    /// <summary>GetIKPosition, GetIKPositionWeight, GetIKRotation, GetIKRotationWeight,
    /// GetIKHintPosition, GetIKHintPositionWeight: what the animation has, and what was
    /// set.</summary>
    public class ReadBack : MonoBehaviour
    {
        public Vector3 foot;
        public Vector3 knee;
        public Quaternion turn;
        public Vector3 weights;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            foot = animator.GetIKPosition(AvatarIKGoal.LeftFoot);
            turn = animator.GetIKRotation(AvatarIKGoal.LeftFoot);
            knee = animator.GetIKHintPosition(AvatarIKHint.LeftKnee);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 0.25f);
            animator.SetIKRotationWeight(AvatarIKGoal.LeftHand, 0.5f);
            animator.SetIKHintPositionWeight(AvatarIKHint.LeftElbow, 0.75f);
            weights = new Vector3(animator.GetIKPositionWeight(AvatarIKGoal.LeftHand),
                animator.GetIKRotationWeight(AvatarIKGoal.LeftHand), animator.GetIKHintPositionWeight(AvatarIKHint.LeftElbow));
        }
    }

    /// <summary>SetLookAtPosition, SetLookAtWeight: head and body share a look.</summary>
    public class Look : MonoBehaviour
    {
        public Transform sight;
        public float headShare = 1f;
        public float bodyShare;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            animator.SetLookAtWeight(1f, bodyShare, headShare);
            animator.SetLookAtPosition(sight.position);
        }
    }

    /// <summary>bodyPosition, bodyRotation: the body goes down and leans; feet keep their
    /// place.</summary>
    public class Crouch : MonoBehaviour
    {
        public float depth;
        public float lean;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            animator.bodyPosition = animator.bodyPosition - new Vector3(0f, depth, 0f);
            animator.bodyRotation = Quaternion.AngleAxis(lean, transform.right) * animator.bodyRotation;
            foreach (AvatarIKGoal foot in new[] { AvatarIKGoal.LeftFoot, AvatarIKGoal.RightFoot })
            {
                animator.SetIKPosition(foot, animator.GetIKPosition(foot));
                animator.SetIKPositionWeight(foot, 1f);
            }
        }
    }

    /// <summary>leftFeetBottomHeight, rightFeetBottomHeight: the point of the sole below the foot's
    /// goal.</summary>
    public class SolePoints : MonoBehaviour
    {
        public Vector3 left;
        public Vector3 right;

        private void OnAnimatorIK(int layerIndex)
        {
            Animator animator = GetComponent<Animator>();
            left = animator.GetIKPosition(AvatarIKGoal.LeftFoot)
                + animator.GetIKRotation(AvatarIKGoal.LeftFoot) * new Vector3(0f, -animator.leftFeetBottomHeight, 0f);
            right = animator.GetIKPosition(AvatarIKGoal.RightFoot)
                + animator.GetIKRotation(AvatarIKGoal.RightFoot) * new Vector3(0f, -animator.rightFeetBottomHeight, 0f);
        }
    }

    /// <summary>SetBoneLocalRotation: a nod on top of the clip.</summary>
    public class Nod : MonoBehaviour
    {
        public float degrees = 20f;

        private void OnAnimatorIK(int layerIndex)
        {
            GetComponent<Animator>().SetBoneLocalRotation(HumanBodyBones.Head, Quaternion.Euler(degrees, 0f, 0f));
        }
    }

    /// <summary>GetBoneTransform, isHuman, humanScale: a hat for whoever has a head.</summary>
    public class Hat : MonoBehaviour
    {
        public Transform hat;
        public float scale;

        private void Start()
        {
            Animator animator = GetComponent<Animator>();
            if (!animator.isHuman) return;
            scale = animator.humanScale;
            hat.SetParent(animator.GetBoneTransform(HumanBodyBones.Head), false);
            hat.localPosition = new Vector3(0f, 0.2f * scale, 0f);
        }
    }

    /// <summary>MatchTarget, isMatchingTarget: in the jump a foot meets a mark.</summary>
    public class JumpToMark : MonoBehaviour
    {
        public Transform mark;

        private void Update()
        {
            Animator animator = GetComponent<Animator>();
            if (!animator.GetCurrentAnimatorStateInfo(0).IsName("Jump") || animator.isMatchingTarget) return;
            animator.MatchTarget(mark.position, mark.rotation, AvatarTarget.LeftFoot,
                new MatchTargetWeightMask(Vector3.one, 0f), 0.14f, 0.78f);
        }
    }

    /// <summary>InterruptMatchTarget: a fall ends the match where it is.</summary>
    public class FallEndsMatch : MonoBehaviour
    {
        public bool falls;

        private void Update()
        {
            if (falls) GetComponent<Animator>().InterruptMatchTarget(false);
        }
    }

    /// <summary>SetTarget, targetPosition, targetRotation: where a foot will be.</summary>
    public class WhereTheFootWillBe : MonoBehaviour
    {
        public Vector3 place;
        public Quaternion turn;

        private void Update()
        {
            Animator animator = GetComponent<Animator>();
            animator.SetTarget(AvatarTarget.RightFoot, 1f);
            place = animator.targetPosition;
            turn = animator.targetRotation;
        }
    }

    /// <summary>rootPosition, rootRotation, deltaPosition: root motion by hand.</summary>
    public class RootByHand : MonoBehaviour
    {
        private void OnAnimatorMove()
        {
            Move();
        }

        public void Move()
        {
            Animator animator = GetComponent<Animator>();
            transform.position = animator.rootPosition + animator.deltaPosition;
            transform.rotation = animator.rootRotation;
        }
    }

    /// <summary>pivotPosition, pivotWeight, feetPivotActive, stabilizeFeet: which foot carries the
    /// body.</summary>
    public class Pivot : MonoBehaviour
    {
        public Vector3 place;
        public float weight;

        private void Update()
        {
            Animator animator = GetComponent<Animator>();
            animator.feetPivotActive = 1f;
            animator.stabilizeFeet = true;
            place = animator.pivotPosition;
            weight = animator.pivotWeight;
        }
    }
}
