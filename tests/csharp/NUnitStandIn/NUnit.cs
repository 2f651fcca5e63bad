// Test-only stand-in for the part of NUnit and of Unity's test framework that the tests here and in
// the package use.
using System;

namespace NUnit.Framework
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TestAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SetUpAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TearDownAttribute : Attribute { }

    public class AssertionException : Exception
    {
        public AssertionException(string message) : base(message) { }
    }

    public delegate void TestDelegate();

    public static class Assert
    {
        public static void Fail(string message)
        {
            throw new AssertionException(message);
        }

        public static void IsTrue(bool condition, string message = "is false") { if (!condition) Fail(message); }
        public static void IsFalse(bool condition, string message = "is true") { if (condition) Fail(message); }
        public static void IsNull(object o, string message = "is not null") { if (o != null) Fail(message + ": " + o); }
        public static void IsNotNull(object o, string message = "is null") { if (o == null) Fail(message); }

        public static void AreEqual(object expected, object actual, string message = "")
        {
            if (!Equals(expected, actual)) Fail(Join(message) + "expected " + expected + ", got " + actual);
        }

        public static void AreEqual(double expected, double actual, double delta, string message = "")
        {
            if (!(Math.Abs(expected - actual) <= delta))
                Fail(Join(message) + "expected " + expected + " within " + delta + ", got " + actual);
        }

        public static void Less(double smaller, double larger, string message = "")
        {
            if (!(smaller < larger)) Fail(Join(message) + smaller + " is not less than " + larger);
        }

        public static void Greater(double larger, double smaller, string message = "")
        {
            if (!(larger > smaller)) Fail(Join(message) + larger + " is not greater than " + smaller);
        }

        public static T Throws<T>(TestDelegate code) where T : Exception
        {
            try
            {
                code();
            }
            catch (T e)
            {
                return e;
            }
            Fail("nothing was thrown, expected " + typeof(T).Name);
            return null;
        }

        private static string Join(string message)
        {
            return message.Length == 0 ? "" : message + ": ";
        }
    }
}

namespace UnityEngine.TestTools
{
    /// A test that runs over frames: each `yield return null` is one.
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class UnityTestAttribute : Attribute { }
}
