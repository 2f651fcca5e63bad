// Test-only stand-in for UnityEngine's value types: written from Unity's public documentation, own
// code.
//
// Every operation is rounded to float at once ("(float)(a * b)"): a runtime may otherwise keep more
// digits between operations, and the demo's goals must be the same bits as the C and C++ hosts
// compute.
using System;
using System.Runtime.InteropServices;

namespace UnityEngine
{
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector3 : IEquatable<Vector3>
    {
        public float x;
        public float y;
        public float z;

        public float this[int index]
        {
            get { return index == 0 ? x : index == 1 ? y : z; }
            set { if (index == 0) x = value; else if (index == 1) y = value; else z = value; }
        }

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static Vector3 zero { get { return new Vector3(0f, 0f, 0f); } }
        public static Vector3 one { get { return new Vector3(1f, 1f, 1f); } }
        public static Vector3 up { get { return new Vector3(0f, 1f, 0f); } }
        public static Vector3 down { get { return new Vector3(0f, -1f, 0f); } }
        public static Vector3 right { get { return new Vector3(1f, 0f, 0f); } }
        public static Vector3 left { get { return new Vector3(-1f, 0f, 0f); } }
        public static Vector3 forward { get { return new Vector3(0f, 0f, 1f); } }
        public static Vector3 back { get { return new Vector3(0f, 0f, -1f); } }

        public float sqrMagnitude { get { return Dot(this, this); } }
        public float magnitude { get { return (float)Math.Sqrt(sqrMagnitude); } }

        public Vector3 normalized
        {
            get
            {
                float length = magnitude;
                return length > 1e-5f ? this / length : zero;
            }
        }

        public static Vector3 operator +(Vector3 a, Vector3 b)
        {
            return new Vector3((float)(a.x + b.x), (float)(a.y + b.y), (float)(a.z + b.z));
        }

        public static Vector3 operator -(Vector3 a, Vector3 b)
        {
            return new Vector3((float)(a.x - b.x), (float)(a.y - b.y), (float)(a.z - b.z));
        }

        public static Vector3 operator -(Vector3 a)
        {
            return new Vector3(-a.x, -a.y, -a.z);
        }

        public static Vector3 operator *(Vector3 a, float s)
        {
            return new Vector3((float)(a.x * s), (float)(a.y * s), (float)(a.z * s));
        }

        public static Vector3 operator *(float s, Vector3 a)
        {
            return a * s;
        }

        public static Vector3 operator /(Vector3 a, float s)
        {
            return new Vector3((float)(a.x / s), (float)(a.y / s), (float)(a.z / s));
        }

        public static Vector3 Scale(Vector3 a, Vector3 b)
        {
            return new Vector3((float)(a.x * b.x), (float)(a.y * b.y), (float)(a.z * b.z));
        }

        public static float Dot(Vector3 a, Vector3 b)
        {
            return (float)((float)((float)(a.x * b.x) + (float)(a.y * b.y)) + (float)(a.z * b.z));
        }

        public static Vector3 Cross(Vector3 a, Vector3 b)
        {
            return new Vector3(
                (float)((float)(a.y * b.z) - (float)(a.z * b.y)),
                (float)((float)(a.z * b.x) - (float)(a.x * b.z)),
                (float)((float)(a.x * b.y) - (float)(a.y * b.x)));
        }

        public static float Distance(Vector3 a, Vector3 b)
        {
            return (a - b).magnitude;
        }

        public static float Angle(Vector3 from, Vector3 to)
        {
            float lengths = (float)Math.Sqrt((double)from.sqrMagnitude * to.sqrMagnitude);
            if (lengths < 1e-15f) return 0f;
            double cosine = Math.Max(-1.0, Math.Min(1.0, Dot(from, to) / lengths));
            return (float)(Math.Acos(cosine) * Mathf.Rad2Deg);
        }

        public static Vector3 MoveTowards(Vector3 current, Vector3 target, float maxDistanceDelta)
        {
            Vector3 way = target - current;
            float length = way.magnitude;
            return length <= maxDistanceDelta || length == 0f ? target : current + way * (maxDistanceDelta / length);
        }

        public void Normalize() { this = normalized; }
        public static Vector3 Normalize(Vector3 value) { return value.normalized; }
        public static float Magnitude(Vector3 value) { return value.magnitude; }
        public static Vector3 Project(Vector3 vector, Vector3 onNormal) { return onNormal * (Dot(vector, onNormal) / Dot(onNormal, onNormal)); }
        public static Vector3 Max(Vector3 a, Vector3 b) { return new Vector3(Mathf.Max(a.x, b.x), Mathf.Max(a.y, b.y), Mathf.Max(a.z, b.z)); }
        public static Vector3 Min(Vector3 a, Vector3 b) { return new Vector3(Mathf.Min(a.x, b.x), Mathf.Min(a.y, b.y), Mathf.Min(a.z, b.z)); }

        public static Vector3 ClampMagnitude(Vector3 vector, float maxLength)
        {
            return vector.magnitude > maxLength ? vector.normalized * maxLength : vector;
        }

        public static float SignedAngle(Vector3 from, Vector3 to, Vector3 axis)
        {
            float angle = Angle(from, to);
            return Dot(axis, Cross(from, to)) < 0f ? -angle : angle;
        }

        public static Vector3 SmoothDamp(Vector3 current, Vector3 target, ref Vector3 velocity, float smoothTime)
        {
            return new Vector3(
                Mathf.SmoothDamp(current.x, target.x, ref velocity.x, smoothTime),
                Mathf.SmoothDamp(current.y, target.y, ref velocity.y, smoothTime),
                Mathf.SmoothDamp(current.z, target.z, ref velocity.z, smoothTime));
        }

        public static Vector3 ProjectOnPlane(Vector3 vector, Vector3 planeNormal)
        {
            return vector - planeNormal * (Dot(vector, planeNormal) / Dot(planeNormal, planeNormal));
        }

        public static Vector3 Lerp(Vector3 a, Vector3 b, float t)
        {
            return a + (b - a) * Mathf.Clamp01(t);
        }

        // As Unity: equal means nearly equal; Equals is exact.
        public static bool operator ==(Vector3 a, Vector3 b)
        {
            return (a - b).sqrMagnitude < 9.99999944e-11f;
        }

        public static bool operator !=(Vector3 a, Vector3 b)
        {
            return !(a == b);
        }

        public bool Equals(Vector3 other)
        {
            return x == other.x && y == other.y && z == other.z;
        }

        public override bool Equals(object other)
        {
            return other is Vector3 && Equals((Vector3)other);
        }

        public override int GetHashCode()
        {
            return x.GetHashCode() ^ (y.GetHashCode() << 2) ^ (z.GetHashCode() >> 2);
        }

        public override string ToString()
        {
            return "(" + x.ToString("R") + ", " + y.ToString("R") + ", " + z.ToString("R") + ")";
        }
    }

    public struct Ray
    {
        private Vector3 way;

        public Ray(Vector3 origin, Vector3 direction)
        {
            this.origin = origin;
            way = direction.normalized;
        }

        public Vector3 origin { get; set; }

        public Vector3 direction
        {
            get { return way; }
            set { way = value.normalized; }
        }

        public Vector3 GetPoint(float distance) { return origin + way * distance; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Quaternion : IEquatable<Quaternion>
    {
        public float x;
        public float y;
        public float z;
        public float w;

        public Quaternion(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static Quaternion identity { get { return new Quaternion(0f, 0f, 0f, 1f); } }

        public Quaternion normalized
        {
            get
            {
                float length = (float)Math.Sqrt(Dot(this, this));
                return new Quaternion((float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length));
            }
        }

        // The order of the terms is part of the demo's contract; see examples/hold_cylinder.
        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(
                (float)((float)((float)((float)(a.w * b.x) + (float)(a.x * b.w)) + (float)(a.y * b.z)) - (float)(a.z * b.y)),
                (float)((float)((float)((float)(a.w * b.y) - (float)(a.x * b.z)) + (float)(a.y * b.w)) + (float)(a.z * b.x)),
                (float)((float)((float)((float)(a.w * b.z) + (float)(a.x * b.y)) - (float)(a.y * b.x)) + (float)(a.z * b.w)),
                (float)((float)((float)((float)(a.w * b.w) - (float)(a.x * b.x)) - (float)(a.y * b.y)) - (float)(a.z * b.z)));
        }

        // v + w t + u x t with t = 2 (u x v).
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            Vector3 u = new Vector3(q.x, q.y, q.z);
            Vector3 t = Vector3.Cross(u, v) * 2f;
            return (v + t * q.w) + Vector3.Cross(u, t);
        }

        public void ToAngleAxis(out float angle, out Vector3 axis)
        {
            float size = Mathf.Sqrt(x * x + y * y + z * z);
            angle = 2f * (float)Math.Atan2(size, w) * Mathf.Rad2Deg;
            axis = size > 1e-7f ? new Vector3(x / size, y / size, z / size) : Vector3.right;
        }

        public static float Dot(Quaternion a, Quaternion b)
        {
            return (float)((float)((float)((float)(a.x * b.x) + (float)(a.y * b.y)) + (float)(a.z * b.z)) + (float)(a.w * b.w));
        }

        public static Quaternion Slerp(Quaternion a, Quaternion b, float t)
        {
            float dot = Dot(a, b);
            if (dot < 0f) b = new Quaternion(-b.x, -b.y, -b.z, -b.w);
            double angle = Math.Acos(Math.Min(1.0, Math.Abs((double)dot)));
            double sine = Math.Sin(angle);
            t = Mathf.Clamp01(t);
            double p = sine < 1e-6 ? 1.0 - t : Math.Sin((1.0 - t) * angle) / sine, q = sine < 1e-6 ? t : Math.Sin(t * angle) / sine;
            return new Quaternion((float)(p * a.x + q * b.x), (float)(p * a.y + q * b.y), (float)(p * a.z + q * b.z), (float)(p * a.w + q * b.w)).normalized;
        }

        public static Quaternion Lerp(Quaternion a, Quaternion b, float t) { return Slerp(a, b, t); }
        public static Quaternion Normalize(Quaternion q) { return q.normalized; }

        public static Quaternion RotateTowards(Quaternion from, Quaternion to, float maxDegreesDelta)
        {
            float angle = Angle(from, to);
            return angle == 0f ? to : Slerp(from, to, Math.Min(1f, maxDegreesDelta / angle));
        }

        public static Quaternion Euler(Vector3 euler) { return Euler(euler.x, euler.y, euler.z); }

        /// Degrees about Z, then X, then Y, each 0 to 360.
        public Vector3 eulerAngles
        {
            get
            {
                Quaternion q = normalized;
                double sine = 2.0 * (q.w * q.x - q.y * q.z);
                double ax = Math.Asin(Math.Max(-1.0, Math.Min(1.0, sine)));
                double ay = Math.Atan2(2.0 * (q.w * q.y + q.x * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
                double az = Math.Atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.x * q.x + q.z * q.z));
                return new Vector3(Turn(ax), Turn(ay), Turn(az));
            }
        }

        private static float Turn(double radians)
        {
            double degrees = radians * 180.0 / Math.PI;
            return (float)(degrees < 0.0 ? degrees + 360.0 : degrees);
        }

        public static Quaternion Inverse(Quaternion q)
        {
            return new Quaternion(-q.x, -q.y, -q.z, q.w);
        }

        public static float Angle(Quaternion a, Quaternion b)
        {
            Quaternion d = Inverse(a) * b;
            double sine = Math.Sqrt((double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z);
            return (float)(2.0 * Math.Atan2(sine, Math.Abs((double)d.w)) * Mathf.Rad2Deg);
        }

        public static Quaternion AngleAxis(float degrees, Vector3 axis)
        {
            Vector3 n = axis.normalized;
            double half = degrees * (Math.PI / 360.0);
            float s = (float)Math.Sin(half);
            return new Quaternion((float)(n.x * s), (float)(n.y * s), (float)(n.z * s), (float)Math.Cos(half));
        }

        // Z first, then X, then Y, as Unity.
        public static Quaternion Euler(float x, float y, float z)
        {
            return AngleAxis(y, Vector3.up) * AngleAxis(x, Vector3.right) * AngleAxis(z, Vector3.forward);
        }

        public static Quaternion FromToRotation(Vector3 from, Vector3 to)
        {
            Vector3 a = from.normalized, b = to.normalized;
            Vector3 axis = Vector3.Cross(a, b);
            float cosine = Vector3.Dot(a, b);
            if (cosine < -0.99999f)
                return AngleAxis(180f, Mathf.Abs(a.x) < 0.9f ? Vector3.Cross(a, Vector3.right) : Vector3.Cross(a, Vector3.up));
            return new Quaternion(axis.x, axis.y, axis.z, (float)(1f + cosine)).normalized;
        }

        public static Quaternion LookRotation(Vector3 forward)
        {
            return LookRotation(forward, Vector3.up);
        }

        public static Quaternion LookRotation(Vector3 forward, Vector3 upwards)
        {
            Vector3 f = forward.normalized;
            Vector3 r = Vector3.Cross(upwards, f).normalized;
            Vector3 u = Vector3.Cross(f, r);
            double trace = (double)r.x + u.y + f.z;
            double qx, qy, qz, qw;
            if (trace > 0.0)
            {
                double s = Math.Sqrt(trace + 1.0) * 2.0;
                qw = 0.25 * s; qx = (u.z - f.y) / s; qy = (f.x - r.z) / s; qz = (r.y - u.x) / s;
            }
            else if (r.x > u.y && r.x > f.z)
            {
                double s = Math.Sqrt(1.0 + r.x - u.y - f.z) * 2.0;
                qw = (u.z - f.y) / s; qx = 0.25 * s; qy = (u.x + r.y) / s; qz = (f.x + r.z) / s;
            }
            else if (u.y > f.z)
            {
                double s = Math.Sqrt(1.0 + u.y - r.x - f.z) * 2.0;
                qw = (f.x - r.z) / s; qx = (u.x + r.y) / s; qy = 0.25 * s; qz = (f.y + u.z) / s;
            }
            else
            {
                double s = Math.Sqrt(1.0 + f.z - r.x - u.y) * 2.0;
                qw = (r.y - u.x) / s; qx = (f.x + r.z) / s; qy = (f.y + u.z) / s; qz = 0.25 * s;
            }
            return new Quaternion((float)qx, (float)qy, (float)qz, (float)qw);
        }

        public static bool operator ==(Quaternion a, Quaternion b)
        {
            return Dot(a, b) > 0.999999f;
        }

        public static bool operator !=(Quaternion a, Quaternion b)
        {
            return !(a == b);
        }

        public bool Equals(Quaternion other)
        {
            return x == other.x && y == other.y && z == other.z && w == other.w;
        }

        public override bool Equals(object other)
        {
            return other is Quaternion && Equals((Quaternion)other);
        }

        public override int GetHashCode()
        {
            return x.GetHashCode() ^ (y.GetHashCode() << 2) ^ (z.GetHashCode() >> 2) ^ (w.GetHashCode() >> 1);
        }

        public override string ToString()
        {
            return "(" + x.ToString("R") + ", " + y.ToString("R") + ", " + z.ToString("R") + ", " + w.ToString("R") + ")";
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Vector2
    {
        public float x, y;

        public Vector2(float x, float y)
        {
            this.x = x;
            this.y = y;
        }

        public static Vector2 zero { get { return new Vector2(0f, 0f); } }
    }

    public struct Color
    {
        public float r;
        public float g;
        public float b;
        public float a;

        public Color(float r, float g, float b, float a = 1f)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }

        public static Color white { get { return new Color(1f, 1f, 1f); } }
        public static Color red { get { return new Color(1f, 0f, 0f); } }
        public static Color green { get { return new Color(0f, 1f, 0f); } }
        public static Color cyan { get { return new Color(0f, 1f, 1f); } }
        public static Color magenta { get { return new Color(1f, 0f, 1f); } }
        public static Color yellow { get { return new Color(1f, 0.92f, 0.016f); } }
    }

    public static class Mathf
    {
        public const float PI = (float)Math.PI;
        public const float Rad2Deg = (float)(180.0 / Math.PI);
        public const float Deg2Rad = (float)(Math.PI / 180.0);

        public static float Min(float a, float b) { return a < b ? a : b; }
        public static int Min(int a, int b) { return a < b ? a : b; }
        public static int Max(int a, int b) { return a > b ? a : b; }
        public static float Max(float a, float b) { return a > b ? a : b; }
        public static float Abs(float a) { return Math.Abs(a); }
        public static float Sin(float a) { return (float)Math.Sin(a); }
        public static float Cos(float a) { return (float)Math.Cos(a); }
        public static float Ceil(float a) { return (float)Math.Ceiling(a); }
        public static float Lerp(float a, float b, float t) { return a + (b - a) * Clamp01(t); }
        public static float Clamp(float value, float min, float max) { return value < min ? min : value > max ? max : value; }
        public const float Infinity = float.PositiveInfinity;
        public const float Epsilon = 1.401298E-45f;
        public static float Floor(float a) { return (float)Math.Floor(a); }
        public static float Round(float a) { return (float)Math.Round(a); }
        public static float Pow(float a, float b) { return (float)Math.Pow(a, b); }
        public static float Tan(float a) { return (float)Math.Tan(a); }
        public static float Acos(float a) { return (float)Math.Acos(a); }
        public static float Asin(float a) { return (float)Math.Asin(a); }
        public static float Atan2(float y, float x) { return (float)Math.Atan2(y, x); }
        public static float Sign(float a) { return a < 0f ? -1f : 1f; }
        public static int Clamp(int value, int min, int max) { return value < min ? min : value > max ? max : value; }
        public static bool Approximately(float a, float b) { return Math.Abs(a - b) < Math.Max(1e-6f * Math.Max(Math.Abs(a), Math.Abs(b)), 1e-38f); }
        public static float LerpUnclamped(float a, float b, float t) { return a + (b - a) * t; }
        public static float Exp(float power) { return (float)Math.Exp(power); }
        public static float LerpAngle(float a, float b, float t) { return a + DeltaAngle(a, b) * Clamp01(t); }

        /// A critically damped spring, stepped by the frame's time.
        public static float SmoothDamp(float current, float target, ref float velocity, float smoothTime)
        {
            double omega = 2.0 / Math.Max(1e-4, smoothTime), dt = Time.deltaTime, decay = Math.Exp(-omega * dt);
            double offset = current - target, drive = (velocity + omega * offset) * dt;
            velocity = (float)((velocity - omega * drive) * decay);
            return (float)(target + (offset + drive) * decay);
        }

        public static float InverseLerp(float a, float b, float value) { return a == b ? 0f : Clamp01((value - a) / (b - a)); }
        public static float SmoothStep(float from, float to, float t) { t = Clamp01(t); return from + (to - from) * t * t * (3f - 2f * t); }
        public static float Sqrt(float a) { return (float)Math.Sqrt(a); }
        public static float Repeat(float t, float length) { return t - (float)Math.Floor(t / length) * length; }
        public static float PingPong(float t, float length) { t = Repeat(t, length * 2f); return length - Math.Abs(t - length); }
        public static float DeltaAngle(float current, float target) { float d = Repeat(target - current, 360f); return d > 180f ? d - 360f : d; }
        public static float Clamp01(float a) { return a < 0f ? 0f : a > 1f ? 1f : a; }

        public static float MoveTowards(float current, float target, float maxDelta)
        {
            if (Abs(target - current) <= maxDelta) return target;
            return target > current ? current + maxDelta : current - maxDelta;
        }
    }

    /// Without what nobody here needs.
    public struct Matrix4x4
    {
        public float m00, m10, m20, m30, m01, m11, m21, m31, m02, m12, m22, m32, m03, m13, m23, m33;

        internal Matrix4x4(Vector3 x, Vector3 y, Vector3 z, Vector3 origin)
        {
            m00 = x.x; m10 = x.y; m20 = x.z; m30 = 0f;
            m01 = y.x; m11 = y.y; m21 = y.z; m31 = 0f;
            m02 = z.x; m12 = z.y; m22 = z.z; m32 = 0f;
            m03 = origin.x; m13 = origin.y; m23 = origin.z; m33 = 1f;
        }

        private Vector3 X { get { return new Vector3(m00, m10, m20); } }
        private Vector3 Y { get { return new Vector3(m01, m11, m21); } }
        private Vector3 Z { get { return new Vector3(m02, m12, m22); } }

        public Vector3 MultiplyVector(Vector3 vector) { return X * vector.x + Y * vector.y + Z * vector.z; }
    }
}
