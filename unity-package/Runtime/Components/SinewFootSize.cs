using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>Sizes of a foot that count in place of those measured on the rig: other shoes, hooves,
    /// a model whose toes' joint is not at the ball. Units of the SinewAnimator's object, so that
    /// they follow its scale; negative ones (default) are measured.</summary>
    [Serializable]
    public sealed class SinewFootSize
    {
        /// <summary>Height of the ball (root of the toes; of the last joint, for a leg without toes)
        /// over the ground when the foot stands flat.</summary>
        [Tooltip("Height of the ball over the ground when the foot stands flat, units of this object; at least 0, negative: measured. Default -1.")]
        public float ballHeight = -1f;

        /// <summary>Height of the ankle over the ground likewise.</summary>
        [Tooltip("Height of the ankle over the ground when the foot stands flat, units of this object; at least 0, negative: measured. Default -1.")]
        public float ankleHeight = -1f;

        /// <summary>How far the sole reaches beyond the ball. Not read for a leg without
        /// toes.</summary>
        [Tooltip("How far the sole reaches beyond the ball, units of this object; at least 0, negative: measured. Default -1.")]
        public float toeLength = -1f;

        /// <summary>How far the sole reaches behind the ankle. Not read for a leg without
        /// toes.</summary>
        [Tooltip("How far the sole reaches behind the ankle, units of this object; at least 0, negative: measured. Default -1.")]
        public float heelLength = -1f;

        internal void Apply(ref SinewFootModel to, float scale)
        {
            if (ballHeight >= 0f)
            {
                // The ankle goes with it, unless it has a height of its own.
                to.heel_height = Mathf.Max(0f, to.heel_height + ballHeight * scale - to.ball_height);
                to.ball_height = ballHeight * scale;
            }
            if (ankleHeight >= 0f) to.heel_height = ankleHeight * scale;
            if (to.has_sole == 0) return;
            if (toeLength >= 0f) to.toe_length = toeLength * scale;
            if (heelLength >= 0f) to.heel_length = heelLength * scale;
        }
    }
}
