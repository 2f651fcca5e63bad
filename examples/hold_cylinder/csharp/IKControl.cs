using UnityEngine;

// The script of Unity's inverse-kinematics tutorial, in its usual shape: the right hand takes hold
// of one object, the head looks at another. What was `Animator` in it is now `SinewAnimator`;
// nothing else had to change.
public class IKControl : MonoBehaviour
{
    public bool ikActive = false;
    public Transform rightHandObj = null;
    public Transform lookObj = null;

    // How far IK is switched on; moves from 0 to 1 and back in 0.4 s.
    public float weight = 0f;

    protected SinewAnimator animator;

    void Start()
    {
        animator = GetComponent<SinewAnimator>();
    }

    // Called once per frame, when the animated pose is there and before the goals are solved.
    void OnAnimatorIK()
    {
        // Rounded to float after each operation, so that the C and C++ hosts get the same bits.
        float step = (float)(Time.deltaTime * 2.5f);
        weight = ikActive ? Mathf.Min((float)(weight + step), 1f) : Mathf.Max((float)(weight - step), 0f);

        if (lookObj != null)
        {
            animator.SetLookAtWeight(weight);
            animator.SetLookAtPosition(lookObj.position);
        }

        if (rightHandObj != null)
        {
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, weight);
            animator.SetIKRotationWeight(AvatarIKGoal.RightHand, weight);
            animator.SetIKPosition(AvatarIKGoal.RightHand, rightHandObj.position);
            animator.SetIKRotation(AvatarIKGoal.RightHand, rightHandObj.rotation);
        }
    }
}
