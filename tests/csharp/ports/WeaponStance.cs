using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Each weapon brings an override controller; the hand goes to the weapon's grip once
    /// it is in place.</summary>
    public class WeaponStance : MonoBehaviour
    {
        public RuntimeAnimatorController[] stances = new RuntimeAnimatorController[0];
        public Transform[] grips = new Transform[0];
        public int current = -1;

        [SerializeField] private Animator anim;
        private RuntimeAnimatorController original;

        private void Reset()
        {
            anim = GetComponent<Animator>();
        }

        private void Start()
        {
            anim = anim ?? GetComponent<Animator>();
            if (!anim) anim = GetComponent<Animator>();
            original = anim.runtimeAnimatorController;
        }

        public void Equip(int weapon)
        {
            current = weapon;
            anim.runtimeAnimatorController = weapon < 0 ? original : stances[weapon];
            anim.SetLayerWeight(anim.GetLayerIndex("Layer 0"), 1f);
            anim.Rebind();
            anim.Update(0f);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            float weight = current >= 0 && current < grips.Length ? anim.GetLayerWeight(layerIndex) : 0f;
            anim.SetIKPositionWeight(AvatarIKGoal.LeftHand, weight);
            if (weight > 0f) anim.SetIKPosition(AvatarIKGoal.LeftHand, grips[current].position);
        }
    }
}
