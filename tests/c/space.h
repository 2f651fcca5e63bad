/* The tests' own arithmetic, in double: vectors, quaternions, and forward kinematics by matrices.
 * It shares nothing with the library, so that it can judge it. */
#ifndef SINEW_TEST_SPACE_H
#define SINEW_TEST_SPACE_H

#include "check.h"

#include <math.h>
#include <sinew/sinew.h>

typedef struct Vec3d {
    double x, y, z;
} Vec3d;
typedef struct Quatd {
    double x, y, z, w;
} Quatd;
/* Columns of a 3×3 matrix and a position: world from joint, with whatever scale and shear there
 * is. */
typedef struct Affine {
    Vec3d x, y, z, at;
} Affine;

CHECK_UNUSED static Vec3d vec3d(double x, double y, double z)
{
    Vec3d v;
    v.x = x, v.y = y, v.z = z;
    return v;
}
CHECK_UNUSED static Vec3d add(Vec3d a, Vec3d b) { return vec3d(a.x + b.x, a.y + b.y, a.z + b.z); }
CHECK_UNUSED static Vec3d sub(Vec3d a, Vec3d b) { return vec3d(a.x - b.x, a.y - b.y, a.z - b.z); }
CHECK_UNUSED static Vec3d mul(Vec3d a, double s) { return vec3d(a.x * s, a.y * s, a.z * s); }
CHECK_UNUSED static double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
CHECK_UNUSED static double length(Vec3d a) { return sqrt(dot(a, a)); }
CHECK_UNUSED static double distance(Vec3d a, Vec3d b) { return length(sub(a, b)); }
CHECK_UNUSED static Vec3d normalize(Vec3d a) { return mul(a, 1 / length(a)); }
CHECK_UNUSED static Vec3d cross3(Vec3d a, Vec3d b)
{
    return vec3d(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* Angle between two vectors, radians, exact also near 0 and π. */
CHECK_UNUSED static double angle(Vec3d a, Vec3d b) { return atan2(length(cross3(a, b)), dot(a, b)); }

CHECK_UNUSED static Quatd quatd(double x, double y, double z, double w)
{
    Quatd q;
    q.x = x, q.y = y, q.z = z, q.w = w;
    return q;
}
CHECK_UNUSED static Quatd quatd_about(Vec3d axis, double angle_rad)
{
    Vec3d u = mul(normalize(axis), sin(angle_rad / 2));
    return quatd(u.x, u.y, u.z, cos(angle_rad / 2));
}
CHECK_UNUSED static Quatd quatd_conjugate(Quatd q) { return quatd(-q.x, -q.y, -q.z, q.w); }
CHECK_UNUSED static Quatd quatd_mul(Quatd a, Quatd b)
{
    return quatd(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                 a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}
CHECK_UNUSED static Vec3d quatd_rotate(Quatd q, Vec3d v)
{
    Quatd r = quatd_mul(quatd_mul(q, quatd(v.x, v.y, v.z, 0)), quatd_conjugate(q));
    return vec3d(r.x, r.y, r.z);
}
/* Angle of the rotation from a to b, radians, 0 … π. */
CHECK_UNUSED static double quatd_angle(Quatd a, Quatd b)
{
    Quatd d = quatd_mul(quatd_conjugate(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

CHECK_UNUSED static SinewVec3 to_vec3(Vec3d v)
{
    SinewVec3 f;
    f.x = (float)v.x, f.y = (float)v.y, f.z = (float)v.z;
    return f;
}
CHECK_UNUSED static SinewQuat to_quat(Quatd q)
{
    SinewQuat f;
    f.x = (float)q.x, f.y = (float)q.y, f.z = (float)q.z, f.w = (float)q.w;
    return f;
}
CHECK_UNUSED static Vec3d from_vec3(SinewVec3 v) { return vec3d(v.x, v.y, v.z); }
CHECK_UNUSED static Quatd from_quat(SinewQuat f)
{
    Quatd q = quatd(f.x, f.y, f.z, f.w);
    double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return quatd(q.x / n, q.y / n, q.z / n, q.w / n);
}
CHECK_UNUSED static SinewTransform transform(Vec3d position, Quatd rotation, Vec3d scale)
{
    SinewTransform t;
    t.position = to_vec3(position);
    t.rotation = to_quat(rotation);
    t.scale = to_vec3(scale);
    return t;
}

CHECK_UNUSED static Vec3d affine_vector(const Affine *m, Vec3d v)
{
    return add(add(mul(m->x, v.x), mul(m->y, v.y)), mul(m->z, v.z));
}
CHECK_UNUSED static Vec3d affine_point(const Affine *m, Vec3d p) { return add(affine_vector(m, p), m->at); }
CHECK_UNUSED static Affine affine_from(const SinewTransform *t)
{
    Quatd q = from_quat(t->rotation);
    Affine m;
    m.x = mul(quatd_rotate(q, vec3d(1, 0, 0)), t->scale.x);
    m.y = mul(quatd_rotate(q, vec3d(0, 1, 0)), t->scale.y);
    m.z = mul(quatd_rotate(q, vec3d(0, 0, 1)), t->scale.z);
    m.at = from_vec3(t->position);
    return m;
}
CHECK_UNUSED static Affine affine_mul(const Affine *a, const Affine *b)
{
    Affine m;
    m.x = affine_vector(a, b->x);
    m.y = affine_vector(a, b->y);
    m.z = affine_vector(a, b->z);
    m.at = affine_point(a, b->at);
    return m;
}

/* World frames of all joints from local transforms, parents before children. */
CHECK_UNUSED static void forward(int count, const int32_t *parents, const SinewTransform *local, const SinewTransform *root,
                                 Affine *world)
{
    Affine world_from_model = affine_from(root);
    int j;
    for (j = 0; j < count; ++j) {
        Affine m = affine_from(&local[j]);
        world[j] = affine_mul(parents[j] < 0 ? &world_from_model : &world[parents[j]], &m);
    }
}
/* World orientation of a joint where no scale mirrors or shears: the product of the rotations. */
CHECK_UNUSED static Quatd orientation(int joint, const int32_t *parents, const SinewTransform *local,
                                      const SinewTransform *root)
{
    Quatd q = from_quat(local[joint].rotation);
    while ((joint = parents[joint]) >= 0) {
        q = quatd_mul(from_quat(local[joint].rotation), q);
    }
    return quatd_mul(from_quat(root->rotation), q);
}

#endif
