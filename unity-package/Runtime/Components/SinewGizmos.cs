using UnityEngine;

namespace Sinew
{
    /// <summary>Shapes that the gizmos of components are made of; all in world space. Sizes that
    /// are not given follow the rig's.</summary>
    internal static class SinewGizmos
    {
        private const int Segments = 32;

        /// <summary>Line from a joint through its parents, <paramref name="jointCount"/> joints in
        /// all (0: up to the animator).</summary> <returns>The last joint that was
        /// reached.</returns>
        internal static Transform Bones(Transform end, int jointCount, Transform stop)
        {
            Gizmos.color = SinewColors.Bone;
            Transform at = end;
            for (int i = 1; at != null && (jointCount <= 0 || i < jointCount); i++)
            {
                Transform above = at.parent;
                if (above == null || ReferenceEquals(above, stop)) break;
                Gizmos.DrawLine(at.position, above.position);
                at = above;
            }
            return at;
        }

        /// <summary>A goal: a cross at the target, and the distance that is left to it.</summary>
        internal static void Goal(Vector3 from, Transform target)
        {
            if (target == null) return;
            Cross(target.position, SinewColors.Goal);
            Line(from, target.position, SinewColors.Residual);
        }

        /// <summary>A pole or hint, and what it bends.</summary>
        internal static void Pole(Vector3 from, Transform pole)
        {
            if (pole == null) return;
            Cross(pole.position, SinewColors.Pole);
            Line(from, pole.position, SinewColors.Pole);
        }

        internal static void Line(Vector3 from, Vector3 to, Color color)
        {
            Gizmos.color = color;
            Gizmos.DrawLine(from, to);
        }

        internal static void Cross(Vector3 at, Color color, float size = 0.05f)
        {
            Gizmos.color = color;
            Gizmos.DrawLine(at - Vector3.right * size, at + Vector3.right * size);
            Gizmos.DrawLine(at - Vector3.up * size, at + Vector3.up * size);
            Gizmos.DrawLine(at - Vector3.forward * size, at + Vector3.forward * size);
        }

        internal static void Axes(Vector3 at, Quaternion rotation, float size = 0.08f)
        {
            Line(at, at + rotation * Vector3.right * size, Color.red);
            Line(at, at + rotation * Vector3.up * size, Color.green);
            Line(at, at + rotation * Vector3.forward * size, new Color(0.3f, 0.5f, 1f));
        }

        /// <summary>A circle about <paramref name="axis"/>.</summary>
        internal static void Circle(Vector3 center, Vector3 axis, float radius, Color color)
        {
            Gizmos.color = color;
            Vector3 side = Quaternion.FromToRotation(Vector3.up, axis) * Vector3.right * radius;
            Vector3 last = center + side;
            for (int i = 1; i <= Segments; i++)
            {
                Vector3 next = center + Quaternion.AngleAxis(360f * i / Segments, axis) * side;
                Gizmos.DrawLine(last, next);
                last = next;
            }
        }

        /// <summary>A cone with its tip at <paramref name="tip"/>: the rim, and four lines to
        /// it.</summary>
        internal static void Cone(Vector3 tip, Vector3 axis, float halfAngle, float length, Color color)
        {
            Vector3 along = axis.normalized;
            float radians = halfAngle * Mathf.Deg2Rad;
            Vector3 center = tip + along * (length * Mathf.Cos(radians));
            float radius = length * Mathf.Sin(radians);
            Circle(center, along, radius, color);
            Vector3 side = Quaternion.FromToRotation(Vector3.up, along) * Vector3.right * radius;
            for (int i = 0; i < 4; i++) Gizmos.DrawLine(tip, center + Quaternion.AngleAxis(90f * i, along) * side);
        }

        /// <summary>A curve through points, as <see cref="SinewSpline"/> follows it.</summary>
        internal static void Curve(Vector3[] points, SinewCurve kind, Color color)
        {
            Gizmos.color = color;
            int spans = kind == SinewCurve.Bezier ? (points.Length - 1) / 3 : points.Length - 1;
            for (int span = 0; span < spans; span++)
            {
                Vector3 last = Point(points, kind, span, 0f);
                for (int i = 1; i <= 12; i++)
                {
                    Vector3 next = Point(points, kind, span, i / 12f);
                    Gizmos.DrawLine(last, next);
                    last = next;
                }
            }
        }

        // Centripetal Catmull-Rom through all points (ends mirrored), or cubic Bezier.
        internal static Vector3 Point(Vector3[] p, SinewCurve kind, int span, float t)
        {
            if (kind == SinewCurve.Bezier)
            {
                int at = 3 * span;
                float s = 1f - t;
                return p[at] * (s * s * s) + p[at + 1] * (3f * s * s * t) + p[at + 2] * (3f * s * t * t) + p[at + 3] * (t * t * t);
            }
            Vector3 b = p[span], c = p[span + 1];
            Vector3 a = span > 0 ? p[span - 1] : b * 2f - c;
            Vector3 d = span + 2 < p.Length ? p[span + 2] : c * 2f - b;
            float ab = Knot(a, b), bc = Knot(b, c), cd = Knot(c, d);
            float u0 = 0f, u1 = ab, u2 = ab + bc, u3 = ab + bc + cd, u = u1 + bc * t;
            Vector3 a1 = Mix(a, b, u0, u1, u), a2 = Mix(b, c, u1, u2, u), a3 = Mix(c, d, u2, u3, u);
            Vector3 b1 = Mix(a1, a2, u0, u2, u), b2 = Mix(a2, a3, u1, u3, u);
            return Mix(b1, b2, u1, u2, u);
        }

        private static float Knot(Vector3 a, Vector3 b)
        {
            return Mathf.Max(1e-4f, Mathf.Sqrt((b - a).magnitude));
        }

        private static Vector3 Mix(Vector3 a, Vector3 b, float from, float to, float at)
        {
            return a * ((to - at) / (to - from)) + b * ((at - from) / (to - from));
        }
    }
}
