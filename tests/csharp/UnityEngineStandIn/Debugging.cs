// Test-only stand-in: the log and the gizmo painter remember what they were told, so that tests can
// look.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public static class Debug
    {
        /// Lines "log: …", "warning: …", "error: …", "exception: …", oldest first.
        public static readonly List<string> Lines = new List<string>();

        /// The object that the last line with a context was about.
        public static Object LastContext;

        public static void Log(object message) { Lines.Add("log: " + message); }
        public static void Log(object message, Object context) { LastContext = context; Lines.Add("log: " + message); }
        public static void LogWarning(object message) { Lines.Add("warning: " + message); }
        public static void LogWarning(object message, Object context) { LastContext = context; Lines.Add("warning: " + message); }
        public static void LogError(object message) { Lines.Add("error: " + message); }
        public static void LogError(object message, Object context) { LastContext = context; Lines.Add("error: " + message); }
        public static void DrawLine(Vector3 start, Vector3 end) { }
        public static void DrawLine(Vector3 start, Vector3 end, Color color) { }
        public static void DrawRay(Vector3 start, Vector3 dir) { }
        public static void DrawRay(Vector3 start, Vector3 dir, Color color) { }
        public static void LogException(Exception e) { Lines.Add("exception: " + e); }
        public static void LogException(Exception e, Object context) { LastContext = context; Lines.Add("exception: " + e); }
    }

    public static class Gizmos
    {
        /// Lines drawn since the program started.
        public static int Drawn;
        public static Color color { get; set; }

        public static void DrawLine(Vector3 from, Vector3 to) { Drawn++; }
        public static void DrawSphere(Vector3 center, float radius) { Drawn++; }
        public static void DrawWireSphere(Vector3 center, float radius) { Drawn++; }
        public static void DrawRay(Vector3 from, Vector3 direction) { Drawn++; }
    }
}
