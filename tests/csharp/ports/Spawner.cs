using System.Collections.Generic;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Copies a character, and takes copies out of a pool and back in every frame.</summary>
    public class Spawner : MonoBehaviour
    {
        public Animator prefab;
        public readonly List<Animator> alive = new List<Animator>();

        private readonly Queue<Animator> pool = new Queue<Animator>();

        public Animator Take(Vector3 place)
        {
            Animator taken = pool.Count > 0 ? pool.Dequeue() : Instantiate(prefab);
            taken.transform.position = place;
            taken.gameObject.SetActive(true);
            // Bones are asked for at once, before the first frame.
            taken.GetBoneTransform(HumanBodyBones.Head).localScale = Vector3.one;
            taken.keepAnimatorStateOnDisable = false;
            alive.Add(taken);
            return taken;
        }

        public void Return(Animator animator)
        {
            if (!alive.Remove(animator)) return;
            animator.WriteDefaultValues();
            animator.gameObject.SetActive(false);
            pool.Enqueue(animator);
        }
    }
}
