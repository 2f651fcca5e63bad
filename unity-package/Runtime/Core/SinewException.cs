using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// A call into Sinew was refused: an argument was bad or an object could not be used. Nothing
    /// changed. That a goal is out of reach is no error; see <see cref="Outcome"/>.
    /// </summary>
    public sealed class SinewException : Exception
    {
        /// <summary>Creates an exception from a result code and its message.</summary>
        public SinewException(SinewResult result, string message)
            : base(message)
        {
            Result = result;
        }

        /// <summary>The same with the exception of a function of yours that native code has
        /// called.</summary>
        public SinewException(SinewResult result, string message, Exception inner)
            : base(message, inner)
        {
            Result = result;
        }

        /// <summary>The native code, for telling cases apart.</summary>
        public SinewResult Result { get; private set; }
    }

    /// <summary>The native library is missing, is built for another processor, or is another
    /// version than this C# code.</summary>
    public sealed class SinewLibraryException : Exception
    {
        /// <summary>Creates an exception with a message about the installation.</summary>
        public SinewLibraryException(string message, Exception inner)
            : base(message, inner)
        {
        }
    }
}
