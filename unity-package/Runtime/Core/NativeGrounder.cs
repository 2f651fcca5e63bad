using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// Puts the feet of one character on the ground: stairs, slopes, moving platforms; any number
    /// of legs, any up. It belongs to no animator: joints go in as world points, joints come out as
    /// world points. A frame is <see cref="Begin"/>, the host's own physics for the queries, <see
    /// cref="Finish"/>, <see cref="GetBody"/> and <see cref="GetLegs"/>. Nothing of a frame
    /// allocates. One thread at a time per grounder.
    /// </summary>
    public sealed unsafe partial class NativeGrounder : NativeObject
    {
        /// <summary>Creates a grounder.</summary>
        /// <param name="feet">One model per leg.</param>
        /// <param name="settings">Settings; <see cref="DefaultSettings"/> to start from.</param>
        /// <exception cref="SinewException">No legs, or a length or setting out of its
        /// range.</exception>
        public NativeGrounder(SinewFootModel[] feet, SinewGrounderSettings settings)
        {
            if (feet == null) throw new ArgumentNullException("feet");
            SinewLibrary.CheckVersion();
            LegCount = feet.Length;
            SinewGrounderHandle made;
            fixed (SinewFootModel* pointer = feet)
            {
                SinewLibrary.Check(NativeMethods.sinew_grounder_create(pointer, (uint)feet.Length, &settings, &made));
            }
            Own(made.bits);
        }

        /// <summary>Creates a grounder with default settings.</summary>
        /// <param name="feet">One model per leg.</param>
        public NativeGrounder(SinewFootModel[] feet) : this(feet, DefaultSettings())
        {
        }

        /// <summary>Number of legs.</summary>
        public int LegCount { get; private set; }

        /// <summary>The handle, for <see cref="NativeMethods"/> and batches.</summary>
        public SinewGrounderHandle Handle
        {
            get { return new SinewGrounderHandle(Bits); }
        }

        /// <summary>Settings in force. Setting them keeps locks and all else that lasts.</summary>
        /// <exception cref="SinewException">A setting out of its range; nothing
        /// changes.</exception>
        public SinewGrounderSettings Settings
        {
            get
            {
                SinewGrounderSettings settings;
                Done(NativeMethods.sinew_grounder_get_settings(Handle, &settings));
                return settings;
            }
            set { Done(NativeMethods.sinew_grounder_set_settings(Handle, &value)); }
        }

        /// <summary>Settings with defaults.</summary>
        public static SinewGrounderSettings DefaultSettings()
        {
            SinewLibrary.CheckVersion();
            SinewGrounderSettings settings;
            SinewLibrary.Check(NativeMethods.sinew_grounder_settings_default(&settings));
            return settings;
        }

        /// <summary>A foot model with defaults.</summary>
        public static SinewFootModel DefaultFoot()
        {
            SinewLibrary.CheckVersion();
            SinewFootModel foot;
            SinewLibrary.Check(NativeMethods.sinew_foot_model_default(&foot));
            return foot;
        }

        /// <summary>A frame with defaults: at the origin, up along Y.</summary>
        public static SinewGrounderFrame DefaultFrame()
        {
            SinewLibrary.CheckVersion();
            SinewGrounderFrame frame;
            SinewLibrary.Check(NativeMethods.sinew_grounder_frame_default(&frame));
            return frame;
        }

        /// <summary>A foot model from joints of a pose that stands on flat ground, any
        /// space.</summary>
        /// <param name="ankle">Ankle joint.</param>
        /// <param name="ball">Root of the toes; null: a leg without a foot.</param>
        /// <param name="toeTip">Tip of the toes, or null.</param>
        /// <param name="ground">Any point of the ground.</param>
        /// <param name="up">Normal of the ground, any length but zero.</param>
        public static SinewFootModel FootFromRest(SinewVec3 ankle, SinewVec3? ball, SinewVec3? toeTip, SinewVec3 ground, SinewVec3 up)
        {
            SinewLibrary.CheckVersion();
            SinewFootModel foot;
            SinewVec3 root = ball.GetValueOrDefault(), tip = toeTip.GetValueOrDefault();
            SinewLibrary.Check(NativeMethods.sinew_foot_model_from_rest(&ankle, ball.HasValue ? &root : null,
                toeTip.HasValue ? &tip : null, &ground, &up, &foot));
            return foot;
        }

        /// <summary>A foot model from the outline of its sole in a pose that stands on flat ground,
        /// any space.</summary>
        /// <param name="ankle">Ankle joint.</param>
        /// <param name="ball">Root of the toes.</param>
        /// <param name="outline">Points of the sole, the lowest of them on the ground.</param>
        /// <param name="up">Normal of the ground, any length but zero.</param>
        public static SinewFootModel FootFromOutline(SinewVec3 ankle, SinewVec3 ball, SinewVec3[] outline, SinewVec3 up)
        {
            if (outline == null) throw new ArgumentNullException("outline");
            SinewLibrary.CheckVersion();
            SinewFootModel foot;
            fixed (SinewVec3* points = outline)
            {
                SinewLibrary.Check(NativeMethods.sinew_foot_model_from_outline(&ankle, &ball, points,
                    (uint)outline.Length, &up, &foot));
            }
            return foot;
        }

        /// <summary>A contact rule with defaults.</summary>
        public static SinewContactRule DefaultContactRule()
        {
            SinewLibrary.CheckVersion();
            SinewContactRule rule;
            SinewLibrary.Check(NativeMethods.sinew_contact_rule_default(&rule));
            return rule;
        }

        /// <summary>In which frames of a clip on flat ground a foot stands. Allocates: once per
        /// clip, not per frame.</summary>
        /// <param name="track">Place of the contact point per frame, metres.</param>
        /// <param name="frameTime">Seconds per frame, above 0.</param>
        /// <param name="up">Normal of the ground, any length but zero.</param>
        /// <param name="rule">See <see cref="DefaultContactRule"/>.</param>
        /// <returns>Stances: the first frame, and the one after the last.</returns>
        public static SinewFrameRange[] ContactsFromClip(SinewVec3[] track, float frameTime, SinewVec3 up, SinewContactRule rule)
        {
            if (track == null) throw new ArgumentNullException("track");
            SinewLibrary.CheckVersion();
            // A stance and the gap after it are a frame each or more.
            SinewFrameRange[] found = new SinewFrameRange[track.Length / 2 + 1];
            uint count;
            fixed (SinewVec3* points = track)
            fixed (SinewFrameRange* ranges = found)
            {
                SinewLibrary.Check(NativeMethods.sinew_contacts_from_clip(points, (uint)track.Length, frameTime, &up,
                    &rule, ranges, (uint)found.Length, &count));
            }
            Array.Resize(ref found, (int)count);
            return found;
        }

        /// <summary>Stepping settings with defaults.</summary>
        public static SinewSteppingSettings DefaultStepping()
        {
            SinewLibrary.CheckVersion();
            SinewSteppingSettings settings;
            SinewLibrary.Check(NativeMethods.sinew_stepping_settings_default(&settings));
            return settings;
        }

        /// <summary>Makes the feet step by themselves, for feet without animation: the legs of each
        /// frame are then the homes of the feet, where they would stand if the body stood still.
        /// Called again with the same groups, only the settings change and steps go on; otherwise
        /// native memory is allocated, steps begin anew, and a frame under way is forgotten.
        /// Snapshots have another size than without.</summary>
        /// <param name="settings">See <see cref="DefaultStepping"/>.</param>
        /// <param name="groups">Group of each leg, of which one swings at a time; null: alternating
        /// around the body.</param>
        public void SetStepping(SinewSteppingSettings settings, uint[] groups)
        {
            fixed (uint* pointer = groups)
            {
                Done(NativeMethods.sinew_grounder_set_stepping(Handle, &settings, pointer,
                    groups == null ? 0 : (uint)groups.Length));
            }
        }

        /// <summary>Ends the stepping: the legs of each frame are an animation again.</summary>
        public void ClearStepping()
        {
            Done(NativeMethods.sinew_grounder_clear_stepping(Handle));
        }

        /// <summary>Foot model of a leg.</summary>
        /// <param name="leg">0 to <see cref="LegCount"/> - 1.</param>
        public SinewFootModel GetFoot(int leg)
        {
            SinewFootModel foot;
            Done(NativeMethods.sinew_grounder_get_foot(Handle, (uint)leg, &foot));
            return foot;
        }

        /// <summary>Sets the foot model of a leg: other shoes.</summary>
        /// <param name="leg">0 to <see cref="LegCount"/> - 1.</param>
        /// <param name="foot">See <see cref="DefaultFoot"/>.</param>
        public void SetFoot(int leg, SinewFootModel foot)
        {
            Done(NativeMethods.sinew_grounder_set_foot(Handle, (uint)leg, &foot));
        }

        /// <summary>Resets all that lasts between frames: after a teleport or a cut.</summary>
        public void Reset()
        {
            Done(NativeMethods.sinew_grounder_reset(Handle));
        }

        /// <summary>Starts a frame and writes its queries.</summary>
        /// <param name="frame">The character.</param>
        /// <param name="legs">The animated legs, <see cref="LegCount"/> of them.</param>
        /// <param name="queries">Room for quality times legs queries, 10 for two legs and default
        /// settings.</param>
        /// <returns>Number of queries.</returns>
        public int Begin(SinewGrounderFrame frame, SinewGrounderLeg[] legs, SinewGroundQuery[] queries)
        {
            if (legs == null) throw new ArgumentNullException("legs");
            if (queries == null) throw new ArgumentNullException("queries");
            uint count;
            fixed (SinewGrounderLeg* pointer = legs)
            fixed (SinewGroundQuery* room = queries)
            {
                Done(NativeMethods.sinew_grounder_begin(Handle, &frame, pointer, (uint)legs.Length, &count));
                Done(NativeMethods.sinew_grounder_get_queries(Handle, room, (uint)queries.Length, &count));
            }
            return (int)count;
        }

        /// <summary>Solves the frame under way.</summary>
        /// <param name="hits">One answer per query, in their order.</param>
        /// <param name="count">Number of queries.</param>
        public void Finish(SinewGroundHit[] hits, int count)
        {
            if (hits == null) throw new ArgumentNullException("hits");
            if (count < 0 || count > hits.Length) throw new ArgumentOutOfRangeException("count");
            fixed (SinewGroundHit* pointer = hits)
            {
                Done(NativeMethods.sinew_grounder_finish(Handle, pointer, (uint)count));
            }
        }

        /// <summary>What the last finished frame says about the body.</summary>
        public SinewGrounderBody GetBody()
        {
            SinewGrounderBody body;
            Done(NativeMethods.sinew_grounder_get_body(Handle, &body));
            return body;
        }

        /// <summary>Writes the legs of the last finished frame.</summary>
        /// <param name="legs">Room for <see cref="LegCount"/> legs, exactly.</param>
        public void GetLegs(SinewGrounderLegResult[] legs)
        {
            if (legs == null) throw new ArgumentNullException("legs");
            fixed (SinewGrounderLegResult* pointer = legs)
            {
                Done(NativeMethods.sinew_grounder_get_legs(Handle, pointer, (uint)legs.Length));
            }
        }

        /// <summary>Lines that show the last finished frame, world space: queries with their
        /// answers, contacts, landings, the displacement of the pelvis. Allocates the
        /// array.</summary>
        public SinewDebugLine[] DebugLines()
        {
            uint count;
            SinewResult result = NativeMethods.sinew_grounder_get_debug_lines(Handle, null, 0, &count);
            if (result != SinewResult.ErrorBufferTooSmall)
            {
                Done(result);
                return new SinewDebugLine[0];
            }
            SinewDebugLine[] lines = new SinewDebugLine[count];
            fixed (SinewDebugLine* pointer = lines)
            {
                Done(NativeMethods.sinew_grounder_get_debug_lines(Handle, pointer, count, &count));
            }
            return lines;
        }

        /// <summary>All that lasts between frames. Allocates the array.</summary>
        public byte[] GetSnapshot()
        {
            uint size;
            Done(NativeMethods.sinew_grounder_get_snapshot_size(Handle, &size));
            byte[] bytes = new byte[size];
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_grounder_get_snapshot(Handle, pointer, size));
            }
            return bytes;
        }

        /// <summary>Sets all that lasts between frames; the frames that follow are the same
        /// bits.</summary>
        /// <param name="bytes">From <see cref="GetSnapshot"/> of a grounder with as many legs and
        /// this version of the library.</param>
        public void SetSnapshot(byte[] bytes)
        {
            if (bytes == null) throw new ArgumentNullException("bytes");
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_grounder_set_snapshot(Handle, pointer, (uint)bytes.Length));
            }
        }

        internal override SinewResult Destroy(ulong handle)
        {
            return NativeMethods.sinew_grounder_destroy(new SinewGrounderHandle(handle));
        }
    }
}
