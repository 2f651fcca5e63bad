using System;
using System.Text;
using System.Threading;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>The native library: its version, and how its errors become exceptions. Any
    /// thread.</summary>
    public static unsafe class SinewLibrary
    {
        private static volatile bool isChecked;
        private static int liveObjects;

        /// <summary>Number of the binary interface this C# code was generated for.</summary>
        public const int AbiVersion = (int)SinewConstants.SINEW_ABI_VERSION;

        /// <summary>
        /// Native objects that C# holds at the moment: skeletons, avatars and animators not yet
        /// disposed. A number that only grows is a leak.
        /// </summary>
        public static int LiveObjects
        {
            get { return Volatile.Read(ref liveObjects); }
        }

        /// <summary>Version of the native library, "major.minor.patch".</summary>
        /// <exception cref="SinewLibraryException">The library cannot be used; the message says
        /// why.</exception>
        public static Version Version
        {
            get
            {
                SinewVersion version = Load();
                return new Version((int)version.major, (int)version.minor, (int)version.patch);
            }
        }

        /// <summary>
        /// Makes sure that the native library is there and speaks this code's binary interface.
        /// Every constructor calls it; calling it yourself gives the same exception earlier. After
        /// the first success it costs nothing. </summary>
        /// <exception cref="SinewLibraryException">The library cannot be used; the message says
        /// why.</exception>
        public static void CheckVersion()
        {
            if (isChecked) return;
            SinewVersion version = Load();
            CheckAbi(version.abi, version.major + "." + version.minor + "." + version.patch);
            isChecked = true;
        }

        internal static void CheckAbi(uint abi, string version)
        {
            if (abi == SinewConstants.SINEW_ABI_VERSION) return;
            throw new SinewLibraryException(
                "The native library '" + NativeMethods.Library + "' (version " + version + ") has binary interface " + abi
                + ", this C# code needs " + AbiVersion + ". Take both from the same release of Sinew. In the Unity Editor, "
                + "restart the Editor after updating the package: a loaded native library stays until then.", null);
        }

        private static SinewVersion Load()
        {
            try
            {
                SinewVersion version;
                Check(NativeMethods.sinew_version(&version));
                return version;
            }
            catch (DllNotFoundException e)
            {
                throw new SinewLibraryException("The native library was not found. " + Expected(), e);
            }
            catch (BadImageFormatException e)
            {
                throw new SinewLibraryException("The native library is for another processor. " + Expected(), e);
            }
            catch (EntryPointNotFoundException e)
            {
                throw new SinewLibraryException(
                    "A library called '" + NativeMethods.Library + "' was found, but it is not Sinew. " + Expected(), e);
            }
        }

        private static string Expected()
        {
            string name = NativeMethods.Library;
            if (name == "__Internal")
                return "On this platform it must be linked into the player: libsinew.a under Runtime/Plugins of the package "
                    + "com.sinew.ik, enabled for this platform.";
            return "Expected: '" + name + "' (Windows " + name + ".dll, Linux and Android lib" + name + ".so, macOS lib" + name
                + ".dylib) for this processor; in Unity under "
                + "Runtime/Plugins/<platform> of the package com.sinew.ik, elsewhere beside the program or on the library path "
                + "(PATH, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH).";
        }

        /// <summary>Turns a code into an exception; nothing happens, and nothing is allocated, when
        /// it is Ok.</summary>
        internal static void Check(SinewResult result)
        {
            if (result != SinewResult.Ok) throw Failure(result);
        }

        /// <summary>The exception for a code: the native sentence "function: argument, value", or
        /// else the code's own text.</summary>
        internal static SinewException Failure(SinewResult result)
        {
            byte* text;
            string sentence = NativeMethods.sinew_last_error(&text) == SinewResult.Ok ? Utf8(text) : "";
            if (sentence.Length == 0 && NativeMethods.sinew_result_text((int)result, &text) == SinewResult.Ok)
                sentence = Utf8(text);
            return new SinewException(result, sentence.Length == 0 ? result.ToString() : sentence);
        }

        /// <summary>Reads a zero-terminated UTF-8 text.</summary>
        internal static string Utf8(byte* text)
        {
            if (text == null) return "";
            int length = 0;
            while (text[length] != 0) length++;
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) bytes[i] = text[i];
            return Encoding.UTF8.GetString(bytes);
        }

        /// <summary>A zero-terminated UTF-8 text; a null reference gives an empty one.</summary>
        internal static byte[] ToUtf8(string text)
        {
            text = text ?? "";
            byte[] bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
            Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        internal static void Born()
        {
            Interlocked.Increment(ref liveObjects);
        }

        internal static void Died()
        {
            Interlocked.Decrement(ref liveObjects);
        }
    }
}
