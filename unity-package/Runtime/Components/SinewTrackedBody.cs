using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>
    /// A whole body from three to 25 trackers: headset, controllers, and whatever else is
    /// worn. Sits beside a SinewAnimator; each tracker is a line with a Transform or an XR node. In
    /// every pass it replaces the animated pose of the body, before grounders, OnAnimatorIK and
    /// constraints, so hands can still take hold of things. Fingers that are not tracked and the
    /// face stay as they are; legs, arms, fingers and the bob of the hips each have a weight that
    /// fades them to the animation, such as a locomotion clip's legs.
    ///
    /// The player stands in a T-pose for <see cref="Calibrate"/>, facing anywhere. What is not
    /// tracked is assumed from the rest; a tracker that is lost fades out.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Tracked Body")]
    [ManualPage("sinew-tracked-body.md")]
    [Icon(SinewHelp.Icons + "SinewTrackedBody.png")]
    [RequireComponent(typeof(SinewAnimator))]
    [DisallowMultipleComponent]
    public sealed unsafe partial class SinewTrackedBody : MonoBehaviour, INativeOwner
    {
        /// <summary>0 (the animation) to 1 (the trackers).</summary>
        [Range(0f, 1f)]
        [Tooltip("How far the body follows. 0: the animation; 1: the trackers. Range 0 to 1. Default 1.")]
        public float weight = 1f;

        /// <summary>One line per tracker.</summary>
        [Tooltip("One line per tracker: what it is worn on, and a Transform or an XR node.")]
        public List<SinewTracker> trackers = new List<SinewTracker>
        {
            new SinewTracker(SinewTrackerRole.Head, SinewTrackerNode.Head),
            new SinewTracker(SinewTrackerRole.LeftHand, SinewTrackerNode.LeftHand),
            new SinewTracker(SinewTrackerRole.RightHand, SinewTrackerNode.RightHand),
        };

        /// <summary>Where tracking space is: the XR origin. The character is put there in every
        /// pass. Empty: where the character's own Transform is.</summary>
        [Tooltip("Where tracking space is: the XR origin, whose place the character takes. Empty: the character's own place.")]
        public Transform trackingOrigin;

        /// <summary>Whether the body comes from <see cref="Receive"/>, not from trackers
        /// here.</summary>
        [Tooltip("The body of a remote player: packets instead of trackers. Default off.")]
        public bool isRemote;

        /// <summary>The pose in which the player calibrates.</summary>
        [Tooltip("The pose in which the player calibrates. Default TPose.")]
        public SinewCalibrationPose calibrationPose = SinewCalibrationPose.TPose;

        /// <summary>What of the player the avatar's size follows.</summary>
        [Tooltip("What of the player the avatar's size follows. Default Height.")]
        public SinewTrackerScale sizePolicy = SinewTrackerScale.Height;

        /// <summary>Whether calibrating scales this object, so that the avatar is as large as the
        /// player and its hands are where the controllers are seen.</summary>
        [Tooltip("Calibrating scales this object, so that the avatar's hands are where the controllers are seen. Default off.")]
        public bool scaleAvatar;

        /// <summary>Height of the floor over the tracking origin, metres.</summary>
        [Tooltip("Height of the floor over the tracking origin, metres; any number. Default 0.")]
        public float floorHeight;

        /// <summary>Cut-off frequency of the noise filter at rest, hertz; 0: no filter. 1 to 4 suit
        /// camera tracking.</summary>
        [Tooltip("Cut-off frequency of the noise filter at rest, Hz. 0: no filter. 1 to 4 suit camera tracking. At least 0. Default 0.")]
        [Min(0f)] public float minCutoff;

        /// <summary>What speed adds to it, hertz per m/s or rad/s; more lags less.</summary>
        [Tooltip("What speed adds to the cut-off frequency, Hz per m/s or rad/s; more lags less. At least 0. Default 8.")]
        [Min(0f)] public float speedCutoff = 8f;

        /// <summary>How far a late sample is extrapolated, seconds.</summary>
        [Tooltip("How far a late sample is extrapolated, seconds. At least 0. Default 0.05.")]
        [Min(0f)] public float maxExtrapolation = 0.05f;

        /// <summary>Age of a sample from which its tracker counts as lost, seconds.</summary>
        [Tooltip("Age of a sample from which its tracker counts as lost, seconds. At least 0.01. Default 0.25.")]
        [Min(0.01f)] public float lostAfter = 0.25f;

        /// <summary>Seconds in which a tracker that is lost fades out, and one that is found or
        /// returns fades in.</summary>
        [Tooltip("Seconds in which a tracker that is lost fades out, and one that is found or returns fades in. At least 0.01. Default 0.3.")]
        [Min(0.01f)] public float fadeTime = 0.3f;

        /// <summary>How firmly the head stays at its tracker where trackers are farther apart than
        /// the avatar is long, 0 to 1.</summary>
        [Tooltip("How firmly the head stays at its tracker where trackers are farther apart than the avatar is long. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float headLock = 1f;

        /// <summary>The same for the hips; 0: they give way. With both at 1 the spine
        /// stretches.</summary>
        [Tooltip("How firmly the hips stay at their tracker; 0: they give way. With head and hips at 1 the spine stretches. Range 0 to 1. Default 0.")]
        [Range(0f, 1f)] public float hipsLock;

        /// <summary>Part of the trained tables in what is not tracked, 0 to 1.</summary>
        [Tooltip("Part of the trained tables in what is not tracked. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float priorWeight = 1f;

        /// <summary>Part of the procedural steps of untracked feet, 0 to 1; 0: they
        /// glide.</summary>
        [Tooltip("Part of the procedural steps of untracked feet; 0: they glide. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float stepWeight = 1f;

        /// <summary>Distance of an untracked foot from where it belongs at which it steps, metres
        /// for an avatar of 1.7 m.</summary>
        [Tooltip("Distance of an untracked foot from where it belongs at which it steps, metres for an avatar of 1.7 m. At least 0.01. Default 0.25.")]
        [Min(0.01f)] public float stepDistance = 0.25f;

        /// <summary>Seconds of a step.</summary>
        [Tooltip("Seconds of a step. At least 0.05. Default 0.3.")]
        [Min(0.05f)] public float stepTime = 0.3f;

        /// <summary>Height of a step, metres for an avatar of 1.7 m.</summary>
        [Tooltip("Height of a step, metres for an avatar of 1.7 m. At least 0. Default 0.1.")]
        [Min(0f)] public float stepHeight = 0.1f;

        /// <summary>0 (the animation) to 1 (the tracked body): the left leg. At 0 its foot is where
        /// the animation has it over the floor below the tracked body.</summary>
        [Tooltip("Left leg. 0: the foot is where the animation has it, below the tracked body; 1: tracked, or steps. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float leftLegWeight = 1f;

        /// <summary>The same of the right leg.</summary>
        [Tooltip("Right leg. 0: the foot is where the animation has it, below the tracked body; 1: tracked, or steps. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float rightLegWeight = 1f;

        /// <summary>At 0 the animation's bob, sway and tilt of the hips are added to the tracked
        /// hips; head and hands stay.</summary>
        [Tooltip("Pelvis. 0: the animation's bob, sway and tilt of the hips are added; head and hands stay. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float pelvisWeight = 1f;

        /// <summary>0 (the animation) to 1 (the tracked body): the left arm. At 0 it has the
        /// animation's rotations on the tracked ribs.</summary>
        [Tooltip("Left arm. 0: the animation's rotations on the tracked ribs; 1: tracked. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float leftArmWeight = 1f;

        /// <summary>The same of the right arm.</summary>
        [Tooltip("Right arm. 0: the animation's rotations on the tracked ribs; 1: tracked. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float rightArmWeight = 1f;

        /// <summary>0 (the animation) to 1 (their trackers): the fingers of the left
        /// hand.</summary>
        [Tooltip("Fingers of the left hand that have trackers. 0: the animation; 1: the trackers. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float leftFingersWeight = 1f;

        /// <summary>The same of the right hand.</summary>
        [Tooltip("Fingers of the right hand that have trackers. 0: the animation; 1: the trackers. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float rightFingersWeight = 1f;

        /// <summary>How far a tracker may move and still count as at rest in a packet, metres of
        /// the room.</summary>
        [Tooltip("How far a tracker may move and still count as at rest in a packet, metres of the room. At least 0. Default 0.001.")]
        [Min(0f)] public float restDistance = 0.001f;

        /// <summary>The same of its rotation, degrees.</summary>
        [Tooltip("How far a tracker may turn and still count as at rest in a packet, degrees. At least 0. Default 0.172.")]
        [Min(0f)] public float restAngle = 0.172f;

        /// <summary>Bounds of the delay with which a remote player is shown, seconds.</summary>
        [Tooltip("Least delay with which a remote player is shown, seconds. At least 0. Default 0.")]
        [Min(0f)] public float minDelay;

        /// <summary>The upper one.</summary>
        [Tooltip("Greatest delay with which a remote player is shown, seconds. At least 0. Default 0.4.")]
        [Min(0f)] public float maxDelay = 0.4f;

        /// <summary>Whether the selected character shows its trackers and their distance to the
        /// bones.</summary>
        [Tooltip("Whether the selected character shows its trackers and their distance to the bones. Default on.")]
        public bool drawGizmos = true;

        private SinewAnimator animator;
        private NativeTrackedBody native;
        private NativeAnimator knownRig;
        private SinewTrackedBodySettings settings;
        private SinewTransform[] before = new SinewTransform[0];
        private string kept;
        private double clock;
        private float countdown = -1f;
        private double lastTime = -1.0;
        private ProblemLog problems;
        private bool isSolved;
        private bool hasReceived;
        private uint neededFingers;
        private Vector3 lastScale = Vector3.one;

        /// <summary>How much later than the network would allow a remote player is shown,
        /// seconds.</summary>
        public float networkDelay
        {
            get { return native == null ? 0f : native.NetworkDelay; }
        }

        /// <summary>The native body; null before the first pass.</summary>
        public NativeTrackedBody nativeBody
        {
            get { return native; }
        }

        /// <summary>A sample of a tracker that no line reads, world space; call it in every
        /// frame. A position that is not finite and a rotation that is not finite or of zero length
        /// do not count.</summary>
        public void SetTracker(SinewTrackerRole role, Vector3 position, Quaternion rotation, float believed = 1f)
        {
            Give(role, position, rotation, true, true, believed);
        }

        /// <summary>Forgets steps and what lasts between frames: call it after a teleport or a
        /// cut.</summary>
        public void ResetTracking()
        {
            if (native != null) native.Reset();
        }

        /// <summary>Writes the trackers of the last pass as a packet for the network. <paramref
        /// name="packet"/> has room for <see cref="NativeTrackedBody.PacketSize"/> bytes. Returns
        /// its size; 0 before the first pass.</summary>
        public int Pack(byte[] packet)
        {
            return native == null || !isSolved ? 0 : native.Pack(packet);
        }

        /// <summary>Takes a packet of a remote player, in any order. False: it is none.</summary>
        public bool Receive(byte[] packet, int size)
        {
            if (!Build() || !native.Receive(packet, size, clock)) return false;
            hasReceived = true;
            return true;
        }

        /// <summary>One pass: reads the trackers and puts the body into the animator's pose. A
        /// mistake in it leaves the pose as animated. A character that is culled has a player, whom
        /// others may see, all the same: trackers and packets are read, the pose stays.</summary>
        internal void TryTrack(bool isCulled = false)
        {
            try
            {
                Track(isCulled);
                problems.Clear();
            }
            catch (Exception e)
            {
                isSolved = false;
                problems.Add(e, this, "The body stays as animated.");
            }
        }

        private void Track(bool isCulled)
        {
            isSolved = false;
            if (!isActiveAndEnabled || !Build()) return;
            // Trackers move in real time, however often the pass runs and whatever the game's time
            // scale is.
            double now = Time.unscaledTimeAsDouble;
            if (now != lastTime) Advance(lastTime < 0.0 || now < lastTime ? Time.unscaledDeltaTime : (float)(now - lastTime));
            lastTime = now;
            if (trackingOrigin != null && trackingOrigin != transform)
            {
                transform.position = trackingOrigin.position;
                transform.rotation = trackingOrigin.rotation;
            }
            FillSettings();
            if (isRemote)
            {
                if (!hasReceived) return;
                native.UpdateRemote(clock);
                for (SinewTrackerRole role = SinewTrackerRole.LeftThumb; role <= SinewTrackerRole.RightLittle; role++)
                    if (native.GetPresence(role) > 0f) NeedFinger(role);
            }
            else
            {
                ReadTrackers();
                Vector3 sides = Sides();
                native.SetOrigin(To(Vector3.Scale(transform.position, sides) * (1f / RootScale())), To(Mirrored(transform.rotation, sides)));
                native.Update(clock);
            }
            for (int i = 0; trackers != null && i < trackers.Count; i++)
            {
                if (trackers[i] == null || !trackers[i].HasRole) continue;
                trackers[i].presence = native.GetPresence(trackers[i].role);
                trackers[i].outcome = native.GetOutcome(trackers[i].role);
            }
            isSolved = true;
            if (!isCulled) Apply();
        }

        /// <summary>Puts the body of this pass into the animator's pose, over the
        /// animation.</summary>
        internal void Apply()
        {
            if (!isSolved || weight <= 0f || !ReferenceEquals(knownRig, animator.Native)) return; // for the rig before
            SinewTransform* pose = animator.PoseBuffer;
            int count = knownRig.JointCount;
            if (weight < 1f)
                for (int i = 0; i < count; i++) before[i] = pose[i];
            native.ApplyTo(knownRig);
            if (weight >= 1f) return;
            for (int i = 0; i < count; i++)
            {
                pose[i].position = To(Vector3.Lerp(From(before[i].position), From(pose[i].position), weight));
                pose[i].rotation = To(Quaternion.Slerp(From(before[i].rotation), From(pose[i].rotation), weight));
            }
        }

        private void OnEnable()
        {
            if (animator == null && !TryGetComponent(out animator)) return;
            lastTime = -1.0;
            animator.Tracked = this;
        }

        private void OnDisable()
        {
            isSolved = false;
            if (animator != null && ReferenceEquals(animator.Tracked, this)) animator.Tracked = null;
        }

        private void OnValidate()
        {
            ListElements.Fill(trackers);
        }

        private void OnDestroy()
        {
            Release();
        }

        // The calibration stays.
        private void Release()
        {
            if (native != null) native.Dispose();
            native = null;
            knownRig = null;
            isSolved = false;
            SinewRuntime.Remove(this);
        }

        void INativeOwner.Release()
        {
            Release();
        }

        private void Advance(float seconds)
        {
            clock += seconds;
            if (countdown < 0f) return;
            countdown -= seconds;
            if (countdown <= 0f) Calibrate();
        }

        private NativeTrackedBody Built()
        {
            if (!Build()) throw new InvalidOperationException("SinewTrackedBody on '" + name + "': there is no humanoid");
            return native;
        }

        // The rig may be exchanged; the calibration stays.
        private bool Build()
        {
            if (animator == null && !TryGetComponent(out animator)) return false;
            if (!animator.IsBuilt()) return false;
            if (native != null && ReferenceEquals(knownRig, animator.Native)) return true;
            if (native != null) native.Dispose();
            settings = NativeTrackedBody.DefaultSettings();
            native = new NativeTrackedBody(animator.nativeAvatar, settings);
            SinewRuntime.Add(this);
            hasReceived = false;
            neededFingers = 0;
            knownRig = animator.Native;
            if (before.Length != knownRig.JointCount) before = new SinewTransform[knownRig.JointCount];
            if (kept != null) native.CalibrationJson = kept;
            return true;
        }

        private Transform Origin()
        {
            return trackingOrigin != null ? trackingOrigin : transform;
        }

        // While it is scaled away, the one before that: trackers go on.
        private Vector3 Scale()
        {
            Vector3 now = transform.lossyScale;
            if (!IsFlat(now)) lastScale = now;
            return lastScale;
        }

        private float RootScale()
        {
            return Mathf.Max(1e-6f, Mathf.Abs(Scale().y));
        }

        private float OriginScale()
        {
            return trackingOrigin != null ? Mathf.Max(1e-6f, Mathf.Abs(trackingOrigin.lossyScale.y)) : 1f;
        }

        private void ReadTrackers()
        {
            Transform origin = Origin();
            for (int i = 0; trackers != null && i < trackers.Count; i++)
            {
                SinewTracker tracker = trackers[i];
                float believed;
                if (tracker == null || !HasRole(tracker, i)) continue;
                if (!tracker.Read(origin, out believed)) continue;
                Give(tracker.role, tracker.Position, tracker.Rotation, tracker.HasPosition, tracker.HasRotation, believed);
            }
        }

        // One without a role, such as one of a later version, stops no other.
        private bool HasRole(SinewTracker tracker, int number)
        {
            if (tracker.HasRole)
            {
                tracker.Problems.Clear();
                return true;
            }
            SinewException wrong = new SinewException(
                SinewResult.ErrorInvalidEnum, "trackers[" + number + "].role is " + (int)tracker.role + ", which is no role");
            tracker.Problems.Add(wrong, this, "This tracker does nothing until that is changed.");
            return false;
        }

        // Tracking space is the character's own space: units of its scale along each axis, mirrored
        // where it is.
        private SinewVec3 ToTracking(Vector3 position)
        {
            Transform origin = Origin();
            Vector3 local = Quaternion.Inverse(origin.rotation) * (position - origin.position), scale = Scale();
            return To(new Vector3(local.x / Length(scale.x), local.y / Length(scale.y), local.z / Length(scale.z)));
        }

        // A scale that is not too near to 0, with its sign.
        private static float Length(float scale)
        {
            return scale < 0f ? Mathf.Min(-1e-6f, scale) : Mathf.Max(1e-6f, scale);
        }

        // 1, or -1 along axes that the character's scale mirrors.
        private Vector3 Sides()
        {
            Vector3 scale = Scale();
            return new Vector3(scale.x < 0f ? -1f : 1f, scale.y < 0f ? -1f : 1f, scale.z < 0f ? -1f : 1f);
        }

        // A rotation as a mirrored space has it.
        private static Quaternion Mirrored(Quaternion turn, Vector3 sides)
        {
            float side = sides.x * sides.y * sides.z;
            return new Quaternion(side * sides.x * turn.x, side * sides.y * turn.y, side * sides.z * turn.z, turn.w);
        }

        private void Give(SinewTrackerRole role, Vector3 position, Quaternion rotation, bool hasPosition, bool hasRotation, float believed)
        {
            hasPosition = hasPosition && SinewTracker.IsPlace(position);
            hasRotation = hasRotation && SinewTracker.IsTurn(rotation);
            if (!Build() || !(hasPosition || hasRotation)) return;
            SinewTrackerSample sample = default(SinewTrackerSample);
            sample.time_s = clock;
            sample.position = hasPosition ? ToTracking(position) : default(SinewVec3);
            sample.rotation = To(hasRotation ? Mirrored(Quaternion.Inverse(Origin().rotation) * rotation, Sides()) : Quaternion.identity);
            sample.set = (hasPosition ? SinewConstants.SINEW_TRACKER_SAMPLE_POSITION : 0u)
                | (hasRotation ? SinewConstants.SINEW_TRACKER_SAMPLE_ROTATION : 0u);
            sample.confidence = believed > 0f ? Mathf.Min(1f, believed) : 0f; // NaN is lost
            native.SetTracker(role, sample);
            NeedFinger(role);
        }

        // Fingers take no part in a pass unless one is tracked.
        private void NeedFinger(SinewTrackerRole role)
        {
            if (role < SinewTrackerRole.LeftThumb || (neededFingers & 1u << (int)role) != 0) return;
            neededFingers |= 1u << (int)role;
            animator.Need(BoneOf(role));
        }

        private void FillSettings()
        {
            settings.min_cutoff_hz = Mathf.Max(0f, minCutoff);
            settings.speed_cutoff = Mathf.Max(0f, speedCutoff);
            settings.max_extrapolation_s = Mathf.Max(0f, maxExtrapolation);
            settings.lost_after_s = Mathf.Max(0.01f, lostAfter);
            settings.fade_time_s = Mathf.Max(0.01f, fadeTime);
            settings.head_lock = Mathf.Clamp01(headLock);
            settings.hips_lock = Mathf.Clamp01(hipsLock);
            settings.prior_weight = Mathf.Clamp01(priorWeight);
            settings.step_weight = Mathf.Clamp01(stepWeight);
            settings.step_distance = Mathf.Max(0.01f, stepDistance);
            settings.step_time_s = Mathf.Max(0.05f, stepTime);
            settings.step_height = Mathf.Max(0f, stepHeight);
            settings.rest_distance = Mathf.Max(0f, restDistance) / RootScale();
            settings.rest_angle = Mathf.Max(0f, restAngle) * Mathf.Deg2Rad;
            settings.min_delay_s = Mathf.Max(0f, minDelay);
            settings.max_delay_s = Mathf.Max(0f, maxDelay);
            native.Settings = settings;
            native.SetPartWeight(SinewTrackedPart.LeftArm, Mathf.Clamp01(leftArmWeight));
            native.SetPartWeight(SinewTrackedPart.RightArm, Mathf.Clamp01(rightArmWeight));
            native.SetPartWeight(SinewTrackedPart.LeftLeg, Mathf.Clamp01(leftLegWeight));
            native.SetPartWeight(SinewTrackedPart.RightLeg, Mathf.Clamp01(rightLegWeight));
            native.SetPartWeight(SinewTrackedPart.Pelvis, Mathf.Clamp01(pelvisWeight));
            native.SetPartWeight(SinewTrackedPart.LeftFingers, Mathf.Clamp01(leftFingersWeight));
            native.SetPartWeight(SinewTrackedPart.RightFingers, Mathf.Clamp01(rightFingersWeight));
        }

        private void OnDrawGizmosSelected()
        {
            if (!drawGizmos) return;
            if (animator == null && !TryGetComponent(out animator)) return;
            SinewGizmos.Axes(Origin().position, Origin().rotation, 0.2f);
            for (int i = 0; trackers != null && i < trackers.Count; i++)
            {
                SinewTracker tracker = trackers[i];
                float believed;
                if (tracker == null) continue;
                if (!Application.isPlaying && !tracker.Read(Origin(), out believed)) continue;
                if (Application.isPlaying && !tracker.isReporting) continue;
                SinewGizmos.Axes(tracker.Position, tracker.Rotation);
                Transform bone = BoneOf(tracker.role);
                if (bone == null) continue;
                SinewGizmos.Cross(bone.position, SinewColors.Goal, 0.03f);
                // The mount, and what the bone is off where the mount has it.
                SinewGizmos.Line(tracker.Position, bone.position, SinewColors.Pole);
                if (tracker.outcome.residual_m > 1e-3f)
                    SinewGizmos.Circle(bone.position, Vector3.up, tracker.outcome.residual_m * RootScale(), SinewColors.Residual);
            }
        }

        private Transform TopOfSpine()
        {
            Transform top = animator.FindBone(HumanBodyBones.UpperChest);
            if (top == null) top = animator.FindBone(HumanBodyBones.Chest);
            return top != null ? top : animator.FindBone(HumanBodyBones.Spine);
        }

        private Transform BoneOf(SinewTrackerRole role)
        {
            switch (role)
            {
                case SinewTrackerRole.Head: return animator.FindBone(HumanBodyBones.Head);
                case SinewTrackerRole.LeftHand: return animator.FindBone(HumanBodyBones.LeftHand);
                case SinewTrackerRole.RightHand: return animator.FindBone(HumanBodyBones.RightHand);
                case SinewTrackerRole.Hips: return animator.FindBone(HumanBodyBones.Hips);
                case SinewTrackerRole.LeftFoot: return animator.FindBone(HumanBodyBones.LeftFoot);
                case SinewTrackerRole.RightFoot: return animator.FindBone(HumanBodyBones.RightFoot);
                case SinewTrackerRole.LeftElbow: return animator.FindBone(HumanBodyBones.LeftLowerArm);
                case SinewTrackerRole.RightElbow: return animator.FindBone(HumanBodyBones.RightLowerArm);
                case SinewTrackerRole.LeftKnee: return animator.FindBone(HumanBodyBones.LeftLowerLeg);
                case SinewTrackerRole.RightKnee: return animator.FindBone(HumanBodyBones.RightLowerLeg);
                case SinewTrackerRole.LeftShoulder: return animator.FindBone(HumanBodyBones.LeftUpperArm);
                case SinewTrackerRole.RightShoulder: return animator.FindBone(HumanBodyBones.RightUpperArm);
                case SinewTrackerRole.LeftToes: return animator.FindBone(HumanBodyBones.LeftToes);
                case SinewTrackerRole.RightToes: return animator.FindBone(HumanBodyBones.RightToes);
                case SinewTrackerRole.LeftThumb: return animator.FindBone(HumanBodyBones.LeftThumbDistal);
                case SinewTrackerRole.RightThumb: return animator.FindBone(HumanBodyBones.RightThumbDistal);
                case SinewTrackerRole.LeftIndex: return animator.FindBone(HumanBodyBones.LeftIndexDistal);
                case SinewTrackerRole.RightIndex: return animator.FindBone(HumanBodyBones.RightIndexDistal);
                case SinewTrackerRole.LeftMiddle: return animator.FindBone(HumanBodyBones.LeftMiddleDistal);
                case SinewTrackerRole.RightMiddle: return animator.FindBone(HumanBodyBones.RightMiddleDistal);
                case SinewTrackerRole.LeftRing: return animator.FindBone(HumanBodyBones.LeftRingDistal);
                case SinewTrackerRole.RightRing: return animator.FindBone(HumanBodyBones.RightRingDistal);
                case SinewTrackerRole.LeftLittle: return animator.FindBone(HumanBodyBones.LeftLittleDistal);
                case SinewTrackerRole.RightLittle: return animator.FindBone(HumanBodyBones.RightLittleDistal);
                default: return TopOfSpine();
            }
        }
    }
}
