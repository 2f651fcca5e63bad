using System;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// Where the joints of a rig were when its skinned meshes were bound to them. A mesh keeps that
    /// (<c>Mesh.bindposes</c>: the space of the mesh, seen from each bone), so a rig can be
    /// measured while a clip plays.
    /// </summary>
    /// <remarks>
    /// Each bone is placed from the nearest joint above it that the same mesh is bound to, so where
    /// the mesh itself is does not matter. Of several meshes the one with the nearest such joint
    /// counts, then the first. Joints that no mesh is bound to, and all scales, are as the
    /// Transforms have them. Computed in double precision, from local transforms alone: all
    /// instances of a model get the same bits.
    /// </remarks>
    internal sealed class BindPose
    {
        private const double MaxScaleError = 0.01; // of a topmost bone, as a part of its scale
        private const double SameTurn = 0.01;

        private readonly HumanRig rig;
        private readonly Vector3[] positions, scales;
        private readonly Quaternion[] rotations;
        private SkinnedMeshRenderer[] meshes;
        private Affine[][] fromMesh; // by mesh and bone: the mesh, seen from the bone
        private int[][] boneOf; // by mesh and joint: its bone, or -1

        private BindPose(HumanRig rig, Vector3[] positions, Quaternion[] rotations, Vector3[] scales)
        {
            this.rig = rig;
            this.positions = positions;
            this.rotations = rotations;
            this.scales = scales;
        }

        /// <summary>Replaces local positions and rotations of joints, in the rig's order, by those
        /// of the bind pose where there is one.</summary>
        /// <returns>Of which joints; null: of none.</returns>
        internal static bool[] Apply(HumanRig rig, Vector3[] positions, Quaternion[] rotations, Vector3[] scales)
        {
            BindPose pose = new BindPose(rig, positions, rotations, scales);
            if (!pose.Collect()) return null;
            bool[] isPlaced = new bool[positions.Length];
            for (int joint = 0; joint < positions.Length; joint++) isPlaced[joint] = pose.Place(joint);
            return isPlaced;
        }

        private bool Collect()
        {
            meshes = rig.Root.GetComponentsInChildren<SkinnedMeshRenderer>(true);
            fromMesh = new Affine[meshes.Length][];
            boneOf = new int[meshes.Length][];
            bool isAny = false;
            for (int m = 0; m < meshes.Length; m++)
            {
                boneOf[m] = new int[positions.Length];
                for (int joint = 0; joint < positions.Length; joint++) boneOf[m][joint] = -1;
                Mesh mesh = meshes[m].sharedMesh;
                if (mesh == null) continue;
                Matrix4x4[] poses = mesh.bindposes; // there also where the mesh is not readable
                Transform[] bones = meshes[m].bones;
                fromMesh[m] = new Affine[poses.Length];
                for (int bone = 0; bone < poses.Length && bone < bones.Length; bone++)
                {
                    int joint = bones[bone] == null ? -1 : rig.IndexOf(bones[bone]);
                    fromMesh[m][bone] = Affine.From(poses[bone]);
                    if (joint < 0 || boneOf[m][joint] >= 0 || !fromMesh[m][bone].IsUsable) continue;
                    boneOf[m][joint] = bone;
                    isAny = true;
                }
            }
            return isAny;
        }

        // Joints above have been placed.
        private bool Place(int joint)
        {
            int best = -1, above = -1, nearest = int.MaxValue, top = -1;
            for (int m = 0; m < meshes.Length; m++)
            {
                if (boneOf[m][joint] < 0) continue;
                int steps = 0, a = rig.Parents[joint];
                for (; a >= 0 && boneOf[m][a] < 0; a = rig.Parents[a]) steps++;
                if (a < 0 && top < 0) top = m;
                if (a < 0 || steps >= nearest) continue;
                best = m;
                above = a;
                nearest = steps;
            }
            if (best >= 0)
            {
                Affine fromAbove = fromMesh[best][boneOf[best][above]] * fromMesh[best][boneOf[best][joint]].Inverse();
                return Take(joint, SeenFrom(above, rig.Parents[joint]).Inverse() * fromAbove);
            }
            return top >= 0 && PlaceTop(joint, top);
        }

        // No joint above is a bone of the mesh. Its bind pose is in the space of the renderer, as
        // importers of most formats have it, or in that of the model, as those of glTF: the one
        // that turns the bone less is taken.
        private bool PlaceTop(int joint, int mesh)
        {
            Affine inMesh = fromMesh[mesh][boneOf[mesh][joint]].Inverse();
            Affine fromParent = SeenFrom(-1, rig.Parents[joint]).Inverse();
            Affine model = fromParent * inMesh, renderer = model;
            Transform holder = meshes[mesh].transform;
            int at = rig.IndexOf(holder);
            if (at >= 0) renderer = fromParent * (SeenFrom(-1, at) * inMesh);
            Affine now = Affine.From(positions[joint], rotations[joint], scales[joint]);
            bool isModel = Fits(model, joint), isRenderer = Fits(renderer, joint);
            if (isModel && isRenderer)
            {
                double difference = now.TurnTo(model) - now.TurnTo(renderer);
                bool isNearer = now.DistanceTo(model) < now.DistanceTo(renderer);
                isRenderer = difference > SameTurn || (difference >= -SameTurn && !isNearer);
            }
            return isRenderer ? Take(joint, renderer) : isModel && Take(joint, model);
        }

        // Whether a topmost bone has the scale that it has in the scene: the units are the same.
        private bool Fits(Affine local, int joint)
        {
            Vector3 scale = scales[joint];
            return Fits(local.X.Length, scale.x) && Fits(local.Y.Length, scale.y) && Fits(local.Z.Length, scale.z);
        }

        private static bool Fits(double length, float scale)
        {
            return Math.Abs(length - Math.Abs(scale)) <= MaxScaleError * Math.Abs(scale);
        }

        private bool Take(int joint, Affine local)
        {
            Vector3 position;
            Quaternion rotation;
            if (!local.TryGet(scales[joint], out position, out rotation)) return false;
            positions[joint] = position;
            rotations[joint] = rotation;
            return true;
        }

        // A joint, seen from one above it, or from the model (-1).
        private Affine SeenFrom(int above, int joint)
        {
            Affine seen = Affine.Identity;
            for (int j = joint; j != above; j = rig.Parents[j]) seen = Affine.From(positions[j], rotations[j], scales[j]) * seen;
            return seen;
        }

        private struct Triple
        {
            internal double X, Y, Z;

            internal Triple(double x, double y, double z)
            {
                X = x;
                Y = y;
                Z = z;
            }

            internal double Length
            {
                get { return Math.Sqrt(Dot(this)); }
            }

            internal double Dot(Triple b)
            {
                return X * b.X + Y * b.Y + Z * b.Z;
            }

            internal Triple Cross(Triple b)
            {
                return new Triple(Y * b.Z - Z * b.Y, Z * b.X - X * b.Z, X * b.Y - Y * b.X);
            }

            public static Triple operator +(Triple a, Triple b)
            {
                return new Triple(a.X + b.X, a.Y + b.Y, a.Z + b.Z);
            }

            public static Triple operator *(Triple a, double by)
            {
                return new Triple(a.X * by, a.Y * by, a.Z * by);
            }
        }

        // Three axes and an origin.
        private struct Affine
        {
            internal Triple X, Y, Z, Origin;

            internal static readonly Affine Identity = From(Vector3.zero, Quaternion.identity, Vector3.one);

            internal static Affine From(Matrix4x4 m)
            {
                return new Affine
                {
                    X = new Triple(m.m00, m.m10, m.m20), Y = new Triple(m.m01, m.m11, m.m21),
                    Z = new Triple(m.m02, m.m12, m.m22), Origin = new Triple(m.m03, m.m13, m.m23),
                };
            }

            internal static Affine From(Vector3 position, Quaternion q, Vector3 scale)
            {
                double x = q.x, y = q.y, z = q.z, w = q.w, squared = x * x + y * y + z * z + w * w, s = squared > 0.0 ? 2.0 / squared : 0.0;
                return new Affine
                {
                    X = new Triple(1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)) * scale.x,
                    Y = new Triple(s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)) * scale.y,
                    Z = new Triple(s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)) * scale.z,
                    Origin = new Triple(position.x, position.y, position.z),
                };
            }

            private double Volume
            {
                get { return X.Dot(Y.Cross(Z)); }
            }

            /// <summary>Whether all numbers are finite and it can be inverted.</summary>
            internal bool IsUsable
            {
                get
                {
                    double size = X.Length * Y.Length * Z.Length;
                    return Math.Abs(Volume) > 1e-9 * size && size * 0.0 == 0.0 && Origin.Length * 0.0 == 0.0;
                }
            }

            internal Affine Inverse()
            {
                double by = 1.0 / Volume;
                Triple a = Y.Cross(Z) * by, b = Z.Cross(X) * by, c = X.Cross(Y) * by;
                return new Affine
                {
                    X = new Triple(a.X, b.X, c.X), Y = new Triple(a.Y, b.Y, c.Y), Z = new Triple(a.Z, b.Z, c.Z),
                    Origin = new Triple(-a.Dot(Origin), -b.Dot(Origin), -c.Dot(Origin)),
                };
            }

            private Triple Turned(Triple v)
            {
                return X * v.X + Y * v.Y + Z * v.Z;
            }

            public static Affine operator *(Affine a, Affine b)
            {
                return new Affine { X = a.Turned(b.X), Y = a.Turned(b.Y), Z = a.Turned(b.Z), Origin = a.Turned(b.Origin) + a.Origin };
            }

            // 0 for axes of the same directions, 6 for opposite ones.
            internal double TurnTo(Affine other)
            {
                return 3.0 - X.Dot(other.X) / (X.Length * other.X.Length) - Y.Dot(other.Y) / (Y.Length * other.Y.Length)
                    - Z.Dot(other.Z) / (Z.Length * other.Z.Length);
            }

            internal double DistanceTo(Affine other)
            {
                return (Origin + other.Origin * -1.0).Length;
            }

            // Position and rotation of a Transform with this scale. False where there are none: it
            // mirrors and the scale does not, or the other way round, or numbers are not finite.
            internal bool TryGet(Vector3 scale, out Vector3 position, out Quaternion rotation)
            {
                position = new Vector3((float)Origin.X, (float)Origin.Y, (float)Origin.Z);
                rotation = Quaternion.identity;
                Triple x = X * (scale.x < 0f ? -1.0 : 1.0), y = Y * (scale.y < 0f ? -1.0 : 1.0), z = Z * (scale.z < 0f ? -1.0 : 1.0);
                if (!IsUsable || !(x.Dot(y.Cross(z)) > 0.0)) return false;
                // An uneven scale above may shear the axes: the first two count.
                x = x * (1.0 / x.Length);
                y = y + x * -x.Dot(y);
                y = y * (1.0 / y.Length);
                rotation = Rotation(x, y, x.Cross(y));
                return InteropMath.IsFinite(position);
            }

            // The rotation with these axes; from its largest number, so that nothing is lost.
            private static Quaternion Rotation(Triple x, Triple y, Triple z)
            {
                double w4 = 1.0 + x.X + y.Y + z.Z, x4 = 1.0 + x.X - y.Y - z.Z, y4 = 1.0 - x.X + y.Y - z.Z, z4 = 1.0 - x.X - y.Y + z.Z;
                double a = y.Z - z.Y, b = z.X - x.Z, c = x.Y - y.X, d = x.Y + y.X, e = z.X + x.Z, f = y.Z + z.Y;
                if (w4 >= x4 && w4 >= y4 && w4 >= z4) return Scaled(a, b, c, w4, w4);
                if (x4 >= y4 && x4 >= z4) return Scaled(x4, d, e, a, x4);
                return y4 >= z4 ? Scaled(d, y4, f, b, y4) : Scaled(e, f, z4, c, z4);
            }

            private static Quaternion Scaled(double x, double y, double z, double w, double largest)
            {
                double by = 0.5 / Math.Sqrt(largest);
                return new Quaternion((float)(x * by), (float)(y * by), (float)(z * by), (float)(w * by));
            }
        }
    }
}
