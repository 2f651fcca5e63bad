// Test-only stand-in for coroutines, and for what an evaluated Animator sends beside OnAnimatorIK:
// events of clips, OnAnimatorMove, messages of state behaviours.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    public abstract class CustomYieldInstruction
    {
        public abstract bool keepWaiting { get; }
    }

    public sealed class WaitWhile : CustomYieldInstruction
    {
        private readonly Func<bool> predicate;

        public WaitWhile(Func<bool> predicate) { this.predicate = predicate; }
        public override bool keepWaiting { get { return predicate(); } }
    }

    public sealed class WaitUntil : CustomYieldInstruction
    {
        private readonly Func<bool> predicate;

        public WaitUntil(Func<bool> predicate) { this.predicate = predicate; }
        public override bool keepWaiting { get { return !predicate(); } }
    }

    public sealed class WaitForSeconds
    {
        internal readonly float Seconds;

        public WaitForSeconds(float seconds) { Seconds = seconds; }
    }

    public sealed class Coroutine
    {
        private readonly IEnumerator steps;
        private object waitsFor;
        private float wakesAt;
        internal bool IsOver;

        internal Coroutine(IEnumerator steps)
        {
            this.steps = steps;
            Advance();
        }

        internal void Advance()
        {
            CustomYieldInstruction condition = waitsFor as CustomYieldInstruction;
            Coroutine other = waitsFor as Coroutine;
            if (IsOver || (condition != null && condition.keepWaiting) || (other != null && !other.IsOver)) return;
            if (waitsFor is WaitForSeconds && Time.time < wakesAt) return;
            IsOver = !steps.MoveNext();
            waitsFor = IsOver ? null : steps.Current;
            WaitForSeconds pause = waitsFor as WaitForSeconds;
            if (pause != null) wakesAt = Time.time + pause.Seconds;
        }
    }

    public partial class MonoBehaviour
    {
        private List<Coroutine> coroutines;

        /// Runs to the first yield now, then on after each Update.
        public Coroutine StartCoroutine(IEnumerator routine)
        {
            if (coroutines == null) coroutines = new List<Coroutine>();
            Coroutine started = new Coroutine(routine);
            coroutines.Add(started);
            return started;
        }

        public void StopAllCoroutines() { coroutines = null; }

        internal void AdvanceCoroutines()
        {
            if (coroutines == null) return;
            if (!gameObject.activeInHierarchy) coroutines = null;
            for (int i = 0; coroutines != null && i < coroutines.Count; i++) coroutines[i].Advance();
        }
    }

    public sealed partial class Animator
    {
        /// Test hook: methods that clips call in the next evaluation.
        public readonly List<string> events = new List<string>();

        private readonly List<StateMachineBehaviour> entered = new List<StateMachineBehaviour>();

        // In Unity's order: states, events of clips, root motion.
        private void SendMessages()
        {
            AnimatorStateInfo state = GetCurrentAnimatorStateInfo(0);
            Animations.AnimatorControllerPlayable playing = default(Animations.AnimatorControllerPlayable);
            for (int i = entered.Count - 1; i >= 0; i--)
            {
                StateMachineBehaviour left = entered[i];
                if (behaviours.Contains(left)) continue;
                entered.RemoveAt(i);
                left.OnStateExit(this, state, 0);
                left.OnStateExit(this, state, 0, playing);
            }
            for (int i = 0; i < behaviours.Count; i++)
            {
                if (entered.Contains(behaviours[i]))
                {
                    behaviours[i].OnStateUpdate(this, state, 0);
                    behaviours[i].OnStateUpdate(this, state, 0, playing);
                    continue;
                }
                entered.Add(behaviours[i]);
                behaviours[i].OnStateEnter(this, state, 0);
                behaviours[i].OnStateEnter(this, state, 0, playing);
            }
            for (int i = 0; i < events.Count; i++) Send(events[i]);
            events.Clear();
            for (int i = 0; i < behaviours.Count; i++)
            {
                behaviours[i].OnStateMove(this, state, 0);
                behaviours[i].OnStateMove(this, state, 0, playing);
            }
            for (int i = 0; i < gameObject.Components.Count; i++)
            {
                MonoBehaviour script = gameObject.Components[i] as MonoBehaviour;
                if (!ReferenceEquals(script, null) && script.isActiveAndEnabled) script.Messages.Send("OnAnimatorMove", script);
            }
        }

        private void Send(string method)
        {
            for (int i = 0; i < gameObject.Components.Count; i++)
            {
                object script = gameObject.Components[i];
                MethodInfo found = script.GetType().GetMethod(method, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
                if (script is MonoBehaviour && found != null) found.Invoke(script, null);
            }
        }
    }
}
