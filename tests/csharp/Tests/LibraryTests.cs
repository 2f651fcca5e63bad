using System;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Sinew.Interop;

namespace Sinew.Tests
{
    /// <summary>What the first use of the library says when it is right, missing, or another
    /// version.</summary>
    public sealed class LibraryTests
    {
        [Test]
        public void VersionIsKnown()
        {
            SinewLibrary.CheckVersion();
            Assert.AreEqual(1, SinewLibrary.AbiVersion);
            Assert.AreEqual("0.1.0", SinewLibrary.Version.ToString());
        }

        [Test]
        public void EveryImportIsInTheLibrary()
        {
            int count = 0;
            foreach (MethodInfo method in typeof(NativeMethods).GetMethods(BindingFlags.Static | BindingFlags.NonPublic))
            {
                if ((method.Attributes & MethodAttributes.PinvokeImpl) == 0) continue;
                Marshal.Prelink(method); // throws when the function is missing
                count++;
            }
            Assert.Greater(count, 50);
        }

        [Test]
        public void OtherAbiIsRefusedInWords()
        {
            SinewLibraryException e = Assert.Throws<SinewLibraryException>(delegate { SinewLibrary.CheckAbi(2, "0.9.0"); });
            Assert.IsTrue(e.Message.Contains("binary interface 2") && e.Message.Contains("0.9.0"), e.Message);
        }

        [Test]
        public void MissingLibraryIsSaidWithThePlaceToPutIt()
        {
            string said = Probe("/nonexistent");
            Assert.IsTrue(said.StartsWith("refused: The native library was not found."), said);
            Assert.IsTrue(said.Contains("Runtime/Plugins") && said.Contains("LD_LIBRARY_PATH"), said);
        }

        [Test]
        public void ForeignLibraryIsRefusedBeforeAnyUse()
        {
            string folder = Environment.GetEnvironmentVariable("SINEW_FAKE_LIBRARY_DIR");
            Assert.IsNotNull(folder, "SINEW_FAKE_LIBRARY_DIR is not set; run build-and-run.sh");
            string said = Probe(folder);
            Assert.IsTrue(said.StartsWith("refused:") && said.Contains("binary interface 999") && said.Contains("9.8.7"), said);
        }

        [Test]
        public void ErrorsSayFunctionArgumentAndValue()
        {
            SinewException e = Assert.Throws<SinewException>(delegate
            {
                new NativeSkeleton(new[] { 0 }, new[] { Natives.Identity }).Dispose();
            });
            Assert.AreEqual(SinewResult.ErrorInvalidParent, e.Result);
            Assert.IsTrue(e.Message.Contains("sinew_skeleton_create") && e.Message.Contains("parents[0]"), e.Message);
        }

        [Test]
        public unsafe void EveryCodeHasAText()
        {
            foreach (SinewResult result in Enum.GetValues(typeof(SinewResult)))
            {
                byte* text;
                Assert.AreEqual(SinewResult.Ok, NativeMethods.sinew_result_text((int)result, &text), result.ToString());
                Assert.Greater(SinewLibrary.Utf8(text).Length, 8, result.ToString());
            }
        }

        private static string Probe(string libraryPath)
        {
            // roslyn.sh names the host of CoreCLR; without a name it is mono.
            string host = Environment.GetEnvironmentVariable("SINEW_HOST");
            string program = "\"" + Assembly.GetExecutingAssembly().Location + "\" --probe";
            ProcessStartInfo start = new ProcessStartInfo(host ?? "mono", host == null ? program : "exec " + program);
            start.UseShellExecute = false;
            start.RedirectStandardOutput = true;
            start.EnvironmentVariables["LD_LIBRARY_PATH"] = libraryPath;
            using (Process process = Process.Start(start))
            {
                string said = process.StandardOutput.ReadToEnd().Trim();
                process.WaitForExit();
                return said;
            }
        }
    }
}
