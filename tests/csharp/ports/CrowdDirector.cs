using System;
using System.Collections.Generic;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>What a manager does with animators that are not its own: arrays, dictionaries,
    /// events, comparisons, generic code; some of them are destroyed on the way.</summary>
    public class CrowdDirector : MonoBehaviour
    {
        public interface IActor
        {
            Animator Animator { get; }
        }

        private static readonly int waveHash = Animator.StringToHash("Wave");

        public Animator[] actors = new Animator[0];
        public Transform sight;
        public int skipped;

        public event Action<Animator, float> Waved;

        private readonly Dictionary<Animator, float> energy = new Dictionary<Animator, float>();
        private readonly List<Animator> gone = new List<Animator>();

        public Animator First
        {
            get { return actors.Length > 0 ? actors[0] : default(Animator); }
        }

        public void Gather(GameObject parent)
        {
            actors = parent.GetComponentsInChildren<Animator>(true);
            foreach (Animator actor in actors) energy[actor] = 1f;
            Waved += (animator, value) => animator.SetFloat(waveHash, value);
        }

        public static T Find<T>(GameObject on) where T : Behaviour
        {
            T found = on.GetComponent<T>();
            return found != null && found.enabled ? found : null;
        }

        // From outside of any callback.
        private void Update()
        {
            gone.Clear();
            foreach (KeyValuePair<Animator, float> pair in energy)
            {
                Animator animator = pair.Key;
                object boxed = animator;
                if (!animator || animator == null || !(boxed is Animator) || (boxed as Animator)?.gameObject == null)
                {
                    gone.Add(animator);
                    continue;
                }
                if (!animator.isActiveAndEnabled || !animator.isHuman)
                {
                    skipped++;
                    continue;
                }
                animator.SetLookAtPosition(sight.position);
                animator.SetLookAtWeight(pair.Value, 0f, 1f, 0f, 0f);
                Waved?.Invoke(animator, pair.Value);
            }
            foreach (Animator animator in gone) energy.Remove(animator);
        }

        public int Count
        {
            get { return energy.Count; }
        }

        public string Describe(Component component)
        {
            Animator animator = component as Animator;
            return animator != null ? typeof(Animator).Name + " of " + animator.name : nameof(Animator) + " missing";
        }
    }
}
