using System;
using UnityEngine;

namespace Sinew
{
    /// <summary>A leg of a <see cref="SinewGrounder"/>: hip, knee, ankle, and the root of the toes
    /// where there are any. A leg of a dog, a spider, a robot; further joints between these three
    /// keep their angles.</summary>
    [Serializable]
    public sealed class SinewGroundLeg : IListElement
    {
        /// <summary>The last joint of the limb: ankle, hock, tip.</summary>
        [Tooltip("The last joint of the limb: ankle, hock, tip.")]
        public Transform ankle;

        /// <summary>The joint that bends. None: the parent of the ankle.</summary>
        [Tooltip("The joint that bends. None: the parent of the ankle.")]
        public Transform knee;

        /// <summary>The first joint. None: the parent of the knee.</summary>
        [Tooltip("The first joint. None: the parent of the knee.")]
        public Transform hip;

        /// <summary>Root of the toes, which touches the ground. None: a leg without toes, whose last
        /// joint does.</summary>
        [Tooltip("Root of the toes, which touches the ground. None: a leg without toes, whose last joint does.")]
        public Transform ball;

        /// <summary>Share of the leg, 0 (the animation) to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of the leg in grounding. 0: the animation. Range 0 to 1. Default 1.")]
        public float weight = 1f;

        /// <summary>Who says whether the foot stands.</summary>
        [Tooltip("Who says whether the foot stands. Auto: its height and speed. Default Auto.")]
        public FootContact contact = FootContact.Auto;

        /// <summary>With stepping: legs of one group swing together, groups take turns. Counts when
        /// all legs have one, 0 or more; -1 (default): alternating around the body.</summary>
        [Tooltip("Stepping: number of the group. Legs of one group swing together; at least 0, when all legs have one. -1: alternating around the body. Default -1.")]
        public int group = -1;

        /// <summary>Sizes of the foot in place of measured ones.</summary>
        [Tooltip("Sizes of the foot in place of measured ones.")]
        public SinewFootSize size = new SinewFootSize();

        bool IListElement.IsBlank
        {
            get { return weight == 0f && group == 0 && ankle == null && knee == null && hip == null && ball == null; }
        }

        /// <summary>A leg with nothing set.</summary>
        public SinewGroundLeg()
        {
        }

        /// <summary>A leg by its last joint.</summary>
        public SinewGroundLeg(Transform ankle, Transform ball = null)
        {
            this.ankle = ankle;
            this.ball = ball;
        }
    }
}
