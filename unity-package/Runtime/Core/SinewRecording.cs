using Sinew.Interop;

namespace Sinew
{
    /// <summary>Recordings of all calls of the process, with their data, which `sinew-replay FILE`
    /// runs natively with the same bits. One at a time. Any thread.</summary>
    public static unsafe class SinewRecording
    {
        /// <summary>
        /// Begins a recording. Call it before the objects of interest are created: calls that use
        /// older ones cannot be replayed.
        /// </summary>
        /// <param name="path">A file; one that exists is overwritten.</param>
        /// <exception cref="SinewException">Busy: a recording is under way. NotAvailable: the file
        /// cannot be created.</exception>
        public static void Begin(string path)
        {
            SinewLibrary.CheckVersion();
            fixed (byte* text = SinewLibrary.ToUtf8(path)) SinewLibrary.Check(NativeMethods.sinew_record_begin(text));
        }

        /// <summary>Ends the recording.</summary>
        /// <exception cref="SinewException">NotAvailable: no recording is under way, or it could
        /// not be written to its end.</exception>
        public static void End()
        {
            SinewLibrary.Check(NativeMethods.sinew_record_end());
        }
    }
}
