// Finds all methods with [Test] or [UnityTest] in this program and runs them; prints "ok NAME" or
// "not ok NAME: why" for each and "N passed, N failed" at the end. After every test the scene is
// cleared; what is then still alive natively, or was logged and not looked at, fails the test.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;
using Sinew;
using UnityEngine;
using UnityEngine.TestTools;

namespace Sinew.Tests
{
    public static class Program
    {
        private static int passed;
        private static int failed;

        public static int Main(string[] arguments)
        {
            if (arguments.Length > 0 && arguments[0] == "--probe") return Probe();
            string only = arguments.Length > 0 ? arguments[0] : "";
            try
            {
                SinewLibrary.CheckVersion();
            }
            catch (SinewLibraryException e)
            {
                Console.WriteLine("not ok Program: " + e.Message);
                Console.WriteLine("0 passed, 1 failed");
                return 1;
            }
            foreach (Type type in Assembly.GetExecutingAssembly().GetTypes())
            {
                // The probe of the package is played by ParityProbeTests, which reads its report
                // and its log.
                if (type == typeof(Parity.ParityTests)) continue;
                List<MethodInfo> tests = new List<MethodInfo>();
                foreach (MethodInfo method in type.GetMethods())
                    if (Has<TestAttribute>(method) || Has<UnityTestAttribute>(method)) tests.Add(method);
                foreach (MethodInfo test in tests)
                {
                    string name = type.Name + "." + test.Name;
                    if (name.Contains(only)) Run(type, test, name);
                }
            }
            Console.WriteLine("{0} passed, {1} failed", passed, failed);
            return failed == 0 && passed > 0 ? 0 : 1;
        }

        // For LibraryTests: says what happens when the library is used for the first time.
        private static int Probe()
        {
            try
            {
                SinewLibrary.CheckVersion();
                Console.WriteLine("loaded");
            }
            catch (SinewLibraryException e)
            {
                Console.WriteLine("refused: " + e.Message);
            }
            return 0;
        }

        private static void Run(Type type, MethodInfo test, string name)
        {
            string why = null;
            Debug.Lines.Clear();
            object fixture = Activator.CreateInstance(type);
            try
            {
                Send<SetUpAttribute>(type, fixture);
                object result = test.Invoke(fixture, null);
                IEnumerator frames = result as IEnumerator;
                while (frames != null && frames.MoveNext()) Player.Frame(1f / 60f);
            }
            catch (TargetInvocationException e)
            {
                why = Describe(e.InnerException);
            }
            catch (Exception e)
            {
                why = Describe(e);
            }
            try
            {
                Send<TearDownAttribute>(type, fixture);
                Player.Clear();
                if (why == null && SinewRuntime.RunningCount != 0) why = SinewRuntime.RunningCount + " SinewAnimators still run";
                if (why == null && SinewLibrary.LiveObjects != 0) why = SinewLibrary.LiveObjects + " native objects leaked";
                if (why == null && Debug.Lines.Count != 0) why = "unexpected in the log: " + Debug.Lines[0];
            }
            catch (Exception e)
            {
                why = why ?? "while tidying up: " + Describe(e.InnerException ?? e);
            }
            Collect();
            if (why == null) passed++;
            else failed++;
            Console.WriteLine(why == null ? "ok " + name : "not ok " + name + ": " + why.Replace("\n", " | "));
        }

        /// <summary>Runs the finalizers of everything that nobody refers to any more.</summary>
        internal static void Collect()
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        private static void Send<T>(Type type, object fixture) where T : Attribute
        {
            foreach (MethodInfo method in type.GetMethods())
                if (Has<T>(method)) method.Invoke(fixture, null);
        }

        private static bool Has<T>(MethodInfo method) where T : Attribute
        {
            return method.GetCustomAttributes(typeof(T), true).Length > 0;
        }

        private static string Describe(Exception e)
        {
            return e is AssertionException ? e.Message + Where(e) : e.ToString();
        }

        private static string Where(Exception e)
        {
            string[] lines = (e.StackTrace ?? "").Split('\n');
            foreach (string line in lines)
                if (!line.Contains("Framework.Assert") && line.Contains("  at ")) return " (" + line.Trim() + ")";
            return "";
        }
    }
}
