using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>Settings of a <see cref="SinewBody"/> that are seldom changed: bounds of the search,
    /// tolerances, the pull towards the animation, mobility of the root.</summary>
    [Serializable]
    public sealed class SinewBodyDetails
    {
        internal const float PersonRootPosture = 30f;

        /// <summary>Iterations of the first descent.</summary>
        [Tooltip("Number of iterations of the first descent, at most. Range 1 to 10000. Default 120.")]
        [Range(1, 10000)] public int maxIterations = 120;

        /// <summary>Other start poses that are tried when the first descent stops short of goals that
        /// it can get near; 0: none.</summary>
        [Tooltip("Number of other start poses that are tried when the first descent stops short; 0: none. Range 0 to 64. Default 12.")]
        [Range(0, 64)] public int maxAttempts = 12;

        /// <summary>Iterations of each of them.</summary>
        [Tooltip("Number of iterations of each other start pose, at most. Range 1 to 10000. Default 20.")]
        [Range(1, 10000)] public int attemptIterations = 20;

        /// <summary>Iterations in which an answer settles at the pose nearest to the animation among
        /// those that meet the effectors, or leave them as far off; 0: it stays where the search
        /// found it.</summary>
        [Tooltip("Number of iterations in which an answer settles at the pose nearest to the animation; 0: none. Range 0 to 10000. Default 40.")]
        [Range(0, 10000)] public int settleIterations = 40;

        /// <summary>Track mode: iterations of each of the two rounds of a step.</summary>
        [Tooltip("Track mode: number of iterations of each of the two rounds of a step. Range 1 to 10000. Default 2.")]
        [Range(1, 10000)] public int trackIterations = 2;

        /// <summary>Track mode: steps per frame.</summary>
        [Tooltip("Track mode: number of steps per frame. Range 1 to 1000. Default 1.")]
        [Range(1, 1000)] public int trackSteps = 1;

        /// <summary>An effector in metres is met within this distance, in the units of this
        /// object.</summary>
        [Tooltip("An effector is met within this distance, units of this object (metres). At least 0.000001. Default 0.0005.")]
        [Min(1e-6f)] public float tolerance = 0.0005f;

        /// <summary>An effector in degrees is met within this angle.</summary>
        [Tooltip("An effector is met within this angle, degrees. At least 0.0001. Default 0.2292.")]
        [Min(1e-4f)] public float angleTolerance = 0.229183f;

        /// <summary>Metres that count as much as a radian where distances and angles are in conflict:
        /// about half an arm.</summary>
        [Tooltip("Metres that count as much as a radian where distances and angles are in conflict: about half an arm. At least 0.000001. Default 0.3.")]
        [Min(1e-6f)] public float rotationLength = 0.3f;

        /// <summary>Pull towards the animation, metres² per radian² of every joint.</summary>
        [Tooltip("Pull towards the animation, square metres per square radian of every joint. At least 0. Default 0.001.")]
        [Min(0f)] public float posture = 0.001f;

        /// <summary>The pull is at most this times what the effectors lack.</summary>
        [Tooltip("The pull towards the animation is at most this factor times what the effectors lack. At least 0. Default 0.0004.")]
        [Min(0f)] public float postureEase = 0.0004f;

        /// <summary>What the pull falls to on the way to the answer, as a share.</summary>
        [Tooltip("What the pull falls to on the way to the answer, as a share. Range 0 to 1. Default 0.0001.")]
        [Range(0f, 1f)] public float postureEnd = 0.0001f;

        /// <summary>Pull of the root beside a joint's; 0: it follows the effectors alone; 30 keeps the
        /// hips of a person who stands above the feet, and is filled in where the Editor adds the
        /// component to a humanoid.</summary>
        [Tooltip("Pull of the root towards the animation as a factor on a joint's; 0: it follows the effectors alone; 30, filled in on humanoids, keeps the hips of a person who stands above the feet. At least 0. Default 0.")]
        [Min(0f)] public float rootPosture;

        /// <summary>A descent ends when three iterations leave more than this share of the
        /// objective.</summary>
        [Tooltip("A descent ends when three iterations leave more than this share of the objective. Range 0 to 2. Default 0.99999.")]
        [Range(0f, 2f)] public float stall = 0.99999f;

        /// <summary>Objective of a level beside the one above it.</summary>
        [Tooltip("Objective of a level as a fraction of the level above it. Range 0.000001 to 1. Default 0.001.")]
        [Range(1e-6f, 1f)] public float levelRatio = 0.001f;

        /// <summary>Damping that a descent starts with.</summary>
        [Tooltip("Damping that a descent starts with, square metres per square radian. At least 0. Default 0.001.")]
        [Min(1e-12f)] public float damping = 0.001f;

        /// <summary>Track mode with Dls: damping of a direction in which effectors do not move, metres
        /// per radian.</summary>
        [Tooltip("Track mode with Dls: damping of a direction in which effectors do not move, metres per radian. At least 0. Default 0.5.")]
        [Min(0f)] public float dampingMax = 0.5f;

        /// <summary>Track mode with Dls: singular value below which directions are damped, metres per
        /// radian.</summary>
        [Tooltip("Track mode with Dls: singular value below which directions are damped, metres per radian. At least 0. Default 0.15.")]
        [Min(0f)] public float dampingEpsilon = 0.15f;

        /// <summary>Largest turn of a joint in one iteration, degrees.</summary>
        [Tooltip("Largest turn of a joint in one iteration, degrees. Range 0.01 to 180. Default 45.84.")]
        [Range(0.01f, 180f)] public float maxStep = 45.8366f;

        /// <summary>Readiness of a free root to move; high values move it first.</summary>
        [Tooltip("Readiness of a free root to move, as a factor on a joint's; high values move it first. At least 0. Default 0.25.")]
        [Min(0f)] public float rootMove = 0.25f;

        /// <summary>Readiness of a free root to turn beside a joint's.</summary>
        [Tooltip("Readiness of a free root to turn, as a factor on a joint's. At least 0. Default 1.")]
        [Min(0f)] public float rootTurn = 1f;

        /// <summary>Highest level whose effectors count; lower it to save work far away.</summary>
        [Tooltip("Index of the highest level whose effectors count; lower it to save work far away. Range 0 to 3. Default 3.")]
        [Range(0, 3)] public int maxLevel = 3;

        internal void Apply(ref SinewBodySettings to)
        {
            to.max_iterations = (uint)Mathf.Clamp(maxIterations, 1, 10000);
            to.max_attempts = (uint)Mathf.Clamp(maxAttempts, 0, 64);
            to.attempt_iterations = (uint)Mathf.Clamp(attemptIterations, 1, 10000);
            to.settle_iterations = (uint)Mathf.Clamp(settleIterations, 0, 10000);
            to.track_iterations = (uint)Mathf.Clamp(trackIterations, 1, 10000);
            to.track_steps = (uint)Mathf.Clamp(trackSteps, 1, 1000);
            to.tolerance_m = Mathf.Max(1e-6f, tolerance);
            to.tolerance_rad = Mathf.Max(1e-4f, angleTolerance) * Mathf.Deg2Rad;
            to.rotation_length_m = Mathf.Clamp(rotationLength, 1e-6f, 1e6f);
            to.posture = Mathf.Clamp(posture, 0f, 1e6f);
            to.posture_ease = Mathf.Clamp(postureEase, 0f, 1e6f);
            to.posture_end = Mathf.Clamp01(postureEnd);
            to.root_posture = Mathf.Clamp(rootPosture, 0f, 1e6f);
            to.stall = Mathf.Clamp(stall, 0f, 2f);
            to.level_ratio = Mathf.Clamp(levelRatio, 1e-6f, 1f);
            to.damping = Mathf.Clamp(damping, 1e-12f, 1e6f);
            to.damping_max = Mathf.Clamp(dampingMax, 0f, 1e6f);
            to.damping_epsilon = Mathf.Clamp(dampingEpsilon, 0f, 1e6f);
            to.max_step_rad = Mathf.Min(Mathf.PI, Mathf.Max(0.01f, maxStep) * Mathf.Deg2Rad);
            to.root_move_mobility = Mathf.Clamp(rootMove, 0f, 1e6f);
            to.root_turn_mobility = Mathf.Clamp(rootTurn, 0f, 1e6f);
            to.max_level = (uint)Mathf.Clamp(maxLevel, 0, (int)SinewConstants.SINEW_BODY_MAX_LEVEL);
        }
    }
}
