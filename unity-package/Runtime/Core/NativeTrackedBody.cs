using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// A whole body from three to 25 trackers, for one avatar: samples in, a pose out. A frame
    /// is <see cref="SetTracker"/> per tracker, <see cref="Update"/>, then <see cref="Apply"/> or
    /// <see cref="ApplyTo(NativeAnimator)"/>. Nothing of a frame allocates. One thread at a time per body.
    /// </summary>
    public sealed unsafe class NativeTrackedBody : NativeObject
    {
        /// <summary>Creates a tracked body.</summary>
        /// <param name="avatar">The avatar; it may be destroyed afterwards.</param>
        /// <param name="settings">Settings; <see cref="DefaultSettings"/> to start from.</param>
        /// <exception cref="SinewException">A setting out of its range.</exception>
        public NativeTrackedBody(SinewAvatarHandle avatar, SinewTrackedBodySettings settings)
        {
            SinewLibrary.CheckVersion();
            SinewTrackedBodyHandle made;
            SinewLibrary.Check(NativeMethods.sinew_tracked_body_create(avatar, &settings, &made));
            Own(made.bits);
        }

        /// <summary>Creates a tracked body with default settings.</summary>
        /// <param name="avatar">The avatar; it may be destroyed afterwards.</param>
        public NativeTrackedBody(SinewAvatarHandle avatar) : this(avatar, DefaultSettings())
        {
        }

        /// <summary>Creates a tracked body.</summary>
        /// <param name="avatar">The avatar; it may be disposed of afterwards.</param>
        /// <param name="settings">Settings; <see cref="DefaultSettings"/> to start from.</param>
        /// <exception cref="SinewException">A setting out of its range.</exception>
        public NativeTrackedBody(NativeAvatar avatar, SinewTrackedBodySettings settings) : this(avatar.Handle, settings)
        {
        }

        /// <summary>The handle, for <see cref="NativeMethods"/>.</summary>
        public SinewTrackedBodyHandle Handle
        {
            get { return new SinewTrackedBodyHandle(Bits); }
        }

        /// <summary>Settings in force. Setting them keeps what lasts between frames.</summary>
        /// <exception cref="SinewException">A setting out of its range; nothing
        /// changes.</exception>
        public SinewTrackedBodySettings Settings
        {
            get
            {
                SinewTrackedBodySettings settings;
                Done(NativeMethods.sinew_tracked_body_get_settings(Handle, &settings));
                return settings;
            }
            set { Done(NativeMethods.sinew_tracked_body_set_settings(Handle, &value)); }
        }

        /// <summary>Settings with defaults.</summary>
        public static SinewTrackedBodySettings DefaultSettings()
        {
            SinewLibrary.CheckVersion();
            SinewTrackedBodySettings settings;
            SinewLibrary.Check(NativeMethods.sinew_tracked_body_settings_default(&settings));
            return settings;
        }

        /// <summary>Everything that calibration found: plain numbers to save, edit and
        /// load.</summary>
        public SinewTrackerCalibration Calibration
        {
            get
            {
                SinewTrackerCalibration calibration;
                Done(NativeMethods.sinew_tracked_body_get_calibration(Handle, &calibration));
                return calibration;
            }
            set { Done(NativeMethods.sinew_tracked_body_set_calibration(Handle, &value)); }
        }

        /// <summary>Sets a sample of a tracker. One that is older than the newest of its role is
        /// dropped.</summary>
        /// <param name="role">What the tracker is worn on.</param>
        /// <param name="sample">Tracking space, metres.</param>
        public void SetTracker(SinewTrackerRole role, SinewTrackerSample sample)
        {
            Done(NativeMethods.sinew_tracked_body_set_tracker(Handle, role, &sample));
        }

        /// <summary>Clears a tracker at once, without fading.</summary>
        /// <param name="role">What the tracker is worn on.</param>
        public void ClearTracker(SinewTrackerRole role)
        {
            Done(NativeMethods.sinew_tracked_body_clear_tracker(Handle, role));
        }

        /// <summary>Which part a tracker has in the body, 0 (lost) to 1.</summary>
        /// <param name="role">What the tracker is worn on.</param>
        public float GetPresence(SinewTrackerRole role)
        {
            float presence;
            Done(NativeMethods.sinew_tracked_body_get_presence(Handle, role, &presence));
            return presence;
        }

        /// <summary>Sets where tracking space is in the world: untracked feet stand still
        /// there.</summary>
        /// <param name="position">Metres of the avatar.</param>
        /// <param name="rotation">Only its turn about up counts.</param>
        public void SetOrigin(SinewVec3 position, SinewQuat rotation)
        {
            Done(NativeMethods.sinew_tracked_body_set_origin(Handle, &position, &rotation));
        }

        /// <summary>Sets how much of a part is the tracked body's own answer; the rest is the
        /// animation's, which is the pose that Apply writes over.</summary>
        /// <param name="part">The part.</param>
        /// <param name="weight">0 (the animation) to 1 (the tracked body, the default);
        /// clamped.</param>
        public void SetPartWeight(SinewTrackedPart part, float weight)
        {
            Done(NativeMethods.sinew_tracked_body_set_part_weight(Handle, part, weight));
        }

        /// <summary>How much of a part is the tracked body's own answer, 0 to 1.</summary>
        /// <param name="part">The part.</param>
        public float GetPartWeight(SinewTrackedPart part)
        {
            float weight;
            Done(NativeMethods.sinew_tracked_body_get_part_weight(Handle, part, &weight));
            return weight;
        }

        /// <summary>Calibrates from the newest samples while the player stands in a pose, whichever
        /// way they face. Trackers that are lost do not count. Allocates native memory.</summary>
        /// <param name="pose">The pose.</param>
        /// <param name="scale">What of the player the avatar's size follows.</param>
        /// <param name="floor">Height of the floor in tracking space, metres.</param>
        /// <exception cref="SinewException">There is no head tracker with a position, or it is below
        /// the floor.</exception>
        public void Calibrate(SinewCalibrationPose pose, SinewTrackerScale scale, float floor)
        {
            Done(NativeMethods.sinew_tracked_body_calibrate(Handle, pose, scale, floor));
        }

        /// <summary>Finds what unlabelled trackers are worn on, while the player stands in the
        /// T-pose: a <see cref="SinewTrackerRole"/> each, or -1 for a stray. The head must have a
        /// sample. Allocates the array and native memory.</summary>
        /// <param name="places">1 to 64 places in tracking space, metres.</param>
        /// <param name="floor">Height of the floor in tracking space, metres.</param>
        public int[] AssignTrackers(SinewVec3[] places, float floor)
        {
            if (places == null) throw new ArgumentNullException("places");
            int[] roles = new int[places.Length];
            fixed (SinewVec3* from = places)
            fixed (int* to = roles)
            {
                Done(NativeMethods.sinew_tracked_body_assign_trackers(Handle, from, (uint)places.Length, floor, to));
            }
            return roles;
        }

        /// <summary>Solves the body for a time, on the clock of the samples.</summary>
        /// <param name="time">Seconds.</param>
        public void Update(double time)
        {
            Done(NativeMethods.sinew_tracked_body_update(Handle, time));
        }

        /// <summary>Writes the body into local transforms; other joints stay as
        /// they are.</summary>
        /// <param name="pose">One per joint of the skeleton.</param>
        public void Apply(SinewTransform[] pose)
        {
            if (pose == null) throw new ArgumentNullException("pose");
            fixed (SinewTransform* pointer = pose)
            {
                Done(NativeMethods.sinew_tracked_body_apply(Handle, pointer, (uint)pose.Length));
            }
        }

        /// <summary>The same into the pose buffer of an animator, before its solve.</summary>
        /// <param name="animator">An animator of the skeleton that the body's avatar was made
        /// for.</param>
        /// <exception cref="SinewException">The animator is of another skeleton, even if it has as
        /// many joints (ErrorWrongSkeleton).</exception>
        public void ApplyTo(SinewAnimatorHandle animator)
        {
            Done(NativeMethods.sinew_tracked_body_apply_to_animator(Handle, animator));
        }

        /// <summary>The same into the pose buffer of an animator, before its solve.</summary>
        /// <param name="animator">An animator of the skeleton that the body's avatar was made
        /// for.</param>
        /// <exception cref="SinewException">The animator is of another skeleton, even if it has as
        /// many joints (ErrorWrongSkeleton).</exception>
        public void ApplyTo(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            ApplyTo(animator.Handle);
        }

        /// <summary>How near a tracker's bone came to it in the last update.</summary>
        /// <param name="role">What the tracker is worn on.</param>
        public SinewOutcome GetOutcome(SinewTrackerRole role)
        {
            SinewOutcome outcome;
            Done(NativeMethods.sinew_tracked_body_get_outcome(Handle, role, &outcome));
            return outcome;
        }

        /// <summary>Resets all that lasts between frames but the newest samples: after a teleport or
        /// a cut.</summary>
        public void Reset()
        {
            Done(NativeMethods.sinew_tracked_body_reset(Handle));
        }

        /// <summary>All that lasts between frames. Allocates the array.</summary>
        public byte[] GetSnapshot()
        {
            uint size;
            Done(NativeMethods.sinew_tracked_body_get_snapshot_size(Handle, &size));
            byte[] bytes = new byte[size];
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_tracked_body_get_snapshot(Handle, pointer, size));
            }
            return bytes;
        }

        /// <summary>Sets all that lasts between frames; the frames that follow are the same
        /// bits.</summary>
        /// <param name="bytes">From <see cref="GetSnapshot"/> of a body with the same avatar and
        /// this version of the library.</param>
        public void SetSnapshot(byte[] bytes)
        {
            if (bytes == null) throw new ArgumentNullException("bytes");
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_tracked_body_set_snapshot(Handle, pointer, (uint)bytes.Length));
            }
        }

        /// <summary>The calibration as JSON, for a settings file. Reading it allocates native
        /// memory. Setting it takes what was saved or edited: missing parts have their
        /// defaults.</summary>
        /// <exception cref="SinewException">The text is no calibration; nothing
        /// changes.</exception>
        public string CalibrationJson
        {
            get
            {
                uint length;
                SinewResult result = NativeMethods.sinew_tracked_body_get_calibration_json(Handle, null, 0, &length);
                if (result != SinewResult.ErrorBufferTooSmall) Done(result);
                byte[] text = new byte[length];
                fixed (byte* pointer = text)
                {
                    Done(NativeMethods.sinew_tracked_body_get_calibration_json(Handle, pointer, length, &length));
                    return SinewLibrary.Utf8(pointer);
                }
            }
            set
            {
                if (value == null) throw new ArgumentNullException("value");
                byte[] text = System.Text.Encoding.UTF8.GetBytes(value + "\0");
                fixed (byte* pointer = text)
                {
                    Done(NativeMethods.sinew_tracked_body_set_calibration_json(Handle, pointer));
                }
            }
        }

        /// <summary>Room that a packet needs, bytes.</summary>
        public const int PacketSize = (int)SinewConstants.SINEW_TRACKER_PACKET_SIZE;

        /// <summary>Writes the trackers of the last update as a packet for the network; at most 64
        /// bytes while no more than four trackers move.</summary>
        /// <param name="packet">Room for <see cref="PacketSize"/> bytes.</param>
        /// <returns>Bytes of the packet.</returns>
        public int Pack(byte[] packet)
        {
            if (packet == null) throw new ArgumentNullException("packet");
            uint size;
            fixed (byte* pointer = packet)
            {
                Done(NativeMethods.sinew_tracked_body_pack(Handle, pointer, (uint)packet.Length, &size));
            }
            return (int)size;
        }

        /// <summary>Takes a packet of a remote player, in any order. False, with nothing changed, for
        /// bytes that are none. The first packet allocates native memory.</summary>
        /// <param name="packet">The bytes.</param>
        /// <param name="size">How many of them.</param>
        /// <param name="arrival">Seconds, on the clock of <see cref="UpdateRemote"/>.</param>
        public bool Receive(byte[] packet, int size, double arrival)
        {
            if (packet == null) throw new ArgumentNullException("packet");
            if (size <= 0 || size > packet.Length || size > PacketSize) return false;
            SinewResult result;
            fixed (byte* pointer = packet)
            {
                result = NativeMethods.sinew_tracked_body_receive(Handle, pointer, (uint)size, arrival);
            }
            if (result == SinewResult.ErrorInvalidArgument) return false;
            Done(result);
            return true;
        }

        /// <summary>Solves the body of a remote player from what was received, as much later as the
        /// network's jitter demands.</summary>
        /// <param name="now">Seconds, on the clock of the arrivals.</param>
        public void UpdateRemote(double now)
        {
            Done(NativeMethods.sinew_tracked_body_update_remote(Handle, now));
        }

        /// <summary>How much later than the network's fastest packet would allow a remote player is
        /// shown, seconds.</summary>
        public float NetworkDelay
        {
            get
            {
                float delay;
                Done(NativeMethods.sinew_tracked_body_get_network_delay(Handle, &delay));
                return delay;
            }
        }

        internal override SinewResult Destroy(ulong handle)
        {
            return NativeMethods.sinew_tracked_body_destroy(new SinewTrackedBodyHandle(handle));
        }
    }
}
