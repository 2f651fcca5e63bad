using System;
using UnityEngine;

namespace Sinew
{
    // Feet that were planted or released: a time for the sound of a step, dust, a footprint.
    public sealed unsafe partial class SinewGrounder
    {
        private bool[] planted = new bool[0];
        private bool[] changes = new bool[0];
        private bool isChanged;

        /// <summary>
        /// A foot was locked to the ground; the number is 0 left and 1 right of a humanoid, else
        /// the place in <see cref="legs"/>. Comes in the pass, before OnAnimatorIK: goals that a
        /// handler sets count for it. <see cref="GetFootPosition"/> is the place.
        /// </summary>
        public event Action<int> footPlanted;

        /// <summary>A foot was released, likewise.</summary>
        public event Action<int> footReleased;

        private void NoteContacts()
        {
            for (int i = 0; i < planted.Length; i++)
            {
                bool now = results[i].planted != 0;
                if (now == planted[i]) continue;
                planted[i] = now;
                changes[i] = !changes[i];
                isChanged = true;
            }
        }

        // The next pass starts anew: nothing stands, and no foot was released.
        private void ForgetContacts()
        {
            for (int i = 0; i < planted.Length; i++) planted[i] = changes[i] = false;
            isChanged = false;
        }

        /// <summary>Sends what the last pass has found. A handler that throws is logged; it stops no
        /// other leg.</summary>
        internal void SendEvents()
        {
            if (!isChanged) return;
            isChanged = false;
            for (int i = 0; i < changes.Length; i++)
            {
                if (!changes[i]) continue;
                changes[i] = false;
                Action<int> handlers = planted[i] ? footPlanted : footReleased;
                if (handlers == null) continue;
                try
                {
                    handlers(i);
                }
                catch (Exception e)
                {
                    Debug.LogException(e, this);
                }
            }
        }
    }
}
