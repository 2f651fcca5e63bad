/* Rows that the host computes, judged by our own forward kinematics in double: they mean what the
 * header says under roots that are moved, turned and scaled, and whatever a function does, the
 * library's numbers stay right. */
#include "body_rig.h"

#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <xmmintrin.h>
#define SET_MODE(mode) _mm_setcsr(mode)
#define MODE_NOW (_mm_getcsr() & ~0x3fu)
#else /* no modes to set */
#define SET_MODE(mode) (void)(mode)
#define MODE_NOW 0x1f80u
#endif

/* A point of the first joint at a distance from a centre, or from a point of the second joint. */
typedef struct Sphere {
    Vec3d point, center;
    double distance;
    int is_joint, radians, sign;
    long calls;
    float spoil;
    SinewBody busy;
    SinewResult inside;
    unsigned mode;
} Sphere;

static Vec3d placed(const SinewTaskPlacement *p, Vec3d point)
{
    const Quatd q = quatd(p->rotation.x, p->rotation.y, p->rotation.z, p->rotation.w);
    return add(from_vec3(p->position), quatd_rotate(q, point));
}
static void compute_sphere(void *user, const SinewTaskPlacement *placements, SinewTaskRows *out_rows)
{
    Sphere *s = user;
    const Vec3d x = placed(&placements[0], s->point);
    const Vec3d y = s->is_joint ? placed(&placements[1], s->center) : s->center;
    const Vec3d way = sub(x, y);
    const double length = sqrt(dot(way, way));
    const Vec3d out = mul(way, s->sign / length);
    ++s->calls;
    out_rows->value[0] = (float)(s->distance - length) + s->spoil;
    out_rows->terms[0].point = to_vec3(x);
    out_rows->terms[0].force[0] = to_vec3(out);
    if (s->is_joint) {
        out_rows->terms[1].point = to_vec3(y);
        out_rows->terms[1].force[0] = to_vec3(mul(out, -1));
    }
    if (s->busy.bits != 0) {
        s->inside = sinew_body_reset(s->busy);
    }
    if (s->mode != 0) {
        SET_MODE(s->mode);
    }
}
/* A joint's axis Y straight up, as two rows in radians: the sines about X and Z. */
static void compute_upright(void *user, const SinewTaskPlacement *placements, SinewTaskRows *out_rows)
{
    const SinewQuat *r = &placements[0].rotation;
    const Vec3d y = quatd_rotate(quatd(r->x, r->y, r->z, r->w), vec3d(0, 1, 0));
    int row;
    (void)user;
    out_rows->terms[0].point = placements[0].position;
    /* d y = w x y: y.x changes by (w x y).x = w.(y x X), and the values are -y.x and -y.z. */
    for (row = 0; row < 2; ++row) {
        const Vec3d axis = row == 0 ? vec3d(1, 0, 0) : vec3d(0, 0, 1);
        out_rows->value[row] = (float)-dot(y, axis);
        out_rows->terms[0].torque[row] = to_vec3(cross3(y, axis));
    }
}

static SinewBodyTaskDef host_def(uint32_t joint, int32_t other, uint32_t axes)
{
    SinewBodyTaskDef def = task(SINEW_BODY_TASK_KIND_HOST, joint);
    def.other = other;
    def.axes = axes;
    return def;
}
static SinewBodyTask add_host(const SinewBodyTaskDef *def, SinewComputeRows compute, void *user)
{
    SinewBodyTask made = {0};
    EXPECT_OK(sinew_body_add_host_task(body, def, compute, user, &made));
    return made;
}
static Sphere sphere(void)
{
    Sphere s;
    memset(&s, 0, sizeof s);
    s.point = vec3d(0.05, -0.02, 0.01);
    s.center = in_world(-0.3, 1.2, 0.2);
    s.distance = 0.25 * root.scale.x;
    s.sign = 1;
    return s;
}

/* How far the right hand's point is from the centre in `pose`. */
static double away(const Sphere *s)
{
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    return distance(add(world[RIG_RIGHT_HAND].at,
                        quatd_rotate(orientation(RIG_RIGHT_HAND, rig.parents, pose, &root), s->point)),
                    s->center);
}

static void rows_are_met_in_world_space_under_any_root(void)
{
    int k, between;
    for (k = 0; k < 3; ++k) {
        for (between = 0; between < 2; ++between) {
            SinewBodyTaskDef def;
            SinewBodyTaskOutcome outcome;
            SinewBodyTask made;
            Sphere s;
            Vec3d x, y;
            float error = -1;
            double off;
            fresh(k);
            s = sphere();
            if (between) {
                s.is_joint = 1;
                s.center = vec3d(0.02, 0, 0.03);
            }
            def = host_def(RIG_RIGHT_HAND, between ? (int32_t)RIG_LEFT_HAND : -1, SINEW_BODY_AXIS_X);
            made = add_host(&def, compute_sphere, &s);
            EXPECT_OK(sinew_body_check_host_task(body, made, &error));
            CHECK(error >= 0 && error < 0.01f, "root %d: the Jacobian is off by %g at rest", k, (double)error);
            CHECK(solve().status == SINEW_STATUS_REACHED, "root %d: not reached", k);
            EXPECT_OK(sinew_body_check_host_task(body, made, &error));
            CHECK(error >= 0 && error < 0.01f, "root %d: the Jacobian is off by %g", k, (double)error);
            x = add(world[RIG_RIGHT_HAND].at,
                    quatd_rotate(orientation(RIG_RIGHT_HAND, rig.parents, pose, &root), s.point));
            y = between ? add(world[RIG_LEFT_HAND].at,
                              quatd_rotate(orientation(RIG_LEFT_HAND, rig.parents, pose, &root), s.center))
                        : s.center;
            off = fabs(distance(x, y) - s.distance);
            CHECK(off < 1e-3 * root.scale.x, "root %d: %g m off", k, off);
            EXPECT_OK(sinew_body_get_task_outcome(body, made, &outcome));
            CHECK(outcome.residual_rad == 0 && fabs(outcome.residual_m - off) < 1e-4, "root %d: residual %g m, not %g", k,
                  (double)outcome.residual_m, off);
            s.sign = -1;
            EXPECT_OK(sinew_body_check_host_task(body, made, &error));
            CHECK(error >= 1, "a Jacobian with the wrong sign is off by %g only", (double)error);
            done();
        }
    }
}

static void rows_in_radians_and_rows_of_one_side(void)
{
    SinewBodyTaskDef def;
    SinewBodyTaskOutcome outcome;
    SinewBodyTask made;
    Sphere s;
    Vec3d up;
    fresh(1);
    def = host_def(RIG_HEAD, -1, SINEW_BODY_AXIS_X | SINEW_BODY_AXIS_Z);
    def.flags = SINEW_BODY_TASK_RADIANS;
    made = add_host(&def, compute_upright, NULL);
    CHECK(solve().status == SINEW_STATUS_REACHED, "upright");
    up = quatd_rotate(orientation(RIG_HEAD, rig.parents, pose, &root), vec3d(0, 1, 0));
    CHECK(fabs(up.x) < 0.01 && fabs(up.z) < 0.01, "the head's axis is (%g, %g, %g)", up.x, up.y, up.z);
    EXPECT_OK(sinew_body_get_task_outcome(body, made, &outcome));
    CHECK(outcome.residual_m == 0, "radians came as %g metres", (double)outcome.residual_m);
    EXPECT_OK(sinew_body_remove_task(body, made));
    /* value = distance - length: below 0 beyond the distance. */
    s = sphere();
    def = host_def(RIG_RIGHT_HAND, -1, SINEW_BODY_AXIS_X);
    def.side = SINEW_BODY_SIDE_INSIDE;
    made = add_host(&def, compute_sphere, &s);
    (void)solve();
    CHECK(memcmp(pose, start, sizeof pose) == 0, "a row below 0 changed the pose");
    s.distance = 0.8;
    CHECK(solve().status == SINEW_STATUS_REACHED, "pushed out");
    CHECK(distance(world[RIG_RIGHT_HAND].at, s.center) > 0.7, "it stayed inside");
    done();
}

static void a_task_keeps_its_function_until_it_is_of_another_kind(void)
{
    SinewBodyTaskDef def, read;
    SinewBodyTask made;
    Sphere s;
    long calls;
    double before;
    fresh(0);
    s = sphere();
    def = host_def(RIG_RIGHT_HAND, -1, SINEW_BODY_AXIS_X);
    made = add_host(&def, compute_sphere, &s);
    EXPECT_OK(sinew_body_get_task(body, made, &read));
    CHECK(memcmp(&read, &def, sizeof def) == 0, "another task came back");
    EXPECT_OK(sinew_body_set_task_blend(body, made, 0));
    calls = s.calls;
    (void)solve();
    CHECK(s.calls == calls && memcmp(pose, start, sizeof pose) == 0, "an absent task counted");
    EXPECT_OK(sinew_body_set_task_blend(body, made, 0.5f));
    memcpy(pose, start, sizeof pose);
    before = away(&s);
    (void)solve();
    CHECK(s.calls > calls, "the function is gone");
    CHECK(fabs(away(&s) - 0.5 * (before + s.distance)) < 1e-3, "half a blend went from %g to %g", before, away(&s));
    def.level = 1;
    def.joint = RIG_LEFT_HAND;
    EXPECT_OK(sinew_body_set_task(body, made, &def));
    calls = s.calls;
    (void)solve();
    CHECK(s.calls > calls, "the function is gone");
    EXPECT_OK(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &read));
    read.joint = RIG_LEFT_HAND;
    read.goal = to_vec3(in_world(-0.3, 1.2, 0.3));
    EXPECT_OK(sinew_body_set_task(body, made, &read));
    calls = s.calls;
    CHECK(solve().status == SINEW_STATUS_REACHED && s.calls == calls, "a position called the function");
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_task(body, made, &def));
    done();
}

static void a_function_may_do_what_it_likes(void)
{
    /* Round up, flush and round down, everything with rounding towards zero. */
    static const unsigned MODES[3] = {0x1f80 | 0x4000, 0x1f80 | 0x8000 | 0x2000, 0x1f80 | 0x8000 | 0x0040 | 0x6000};
    SinewBodyTaskDef def;
    SinewTransform answer[RIG_JOINTS];
    Sphere s;
    int k;
    fresh(1);
    s = sphere();
    def = host_def(RIG_RIGHT_HAND, -1, SINEW_BODY_AXIS_X);
    (void)add_host(&def, compute_sphere, &s);
    (void)solve();
    memcpy(answer, pose, sizeof answer);
    for (k = 0; k < 3; ++k) {
        SinewBodyOutcome outcome;
        s.mode = MODES[k];
        memcpy(pose, start, sizeof pose);
        EXPECT_OK(sinew_body_solve(body, pose, RIG_JOINTS, 0.02f, &outcome));
        CHECK(MODE_NOW == 0x1f80u, "mode %#x was left", MODE_NOW);
        CHECK(memcmp(pose, answer, sizeof pose) == 0, "mode %#x: another answer", MODES[k]);
    }
    s.mode = 0;
    s.busy = body;
    (void)solve();
    CHECK(s.inside == SINEW_ERROR_BUSY, "a call from the function gave %d", (int)s.inside);
    s.busy.bits = 0;
    /* Out of reach: bounded. */
    s.center = in_world(40, 0, 0);
    s.calls = 0;
    (void)solve();
    CHECK(s.calls < 50000, "%ld calls", s.calls);
    done();
}

static void numbers_that_are_not_finite_are_refused(void)
{
    SinewBodyTaskDef def;
    SinewBodyOutcome outcome;
    SinewBodyTask made;
    Sphere s;
    float error = 5;
    int k;
    fresh(0);
    s = sphere();
    def = host_def(RIG_RIGHT_HAND, -1, SINEW_BODY_AXIS_X);
    made = add_host(&def, compute_sphere, &s);
    for (k = 0; k < 4; ++k) {
        const Vec3d center = s.center;
        if (k == 0) {
            s.spoil = (float)NAN;
        } else if (k == 1) {
            s.spoil = (float)INFINITY;
        } else if (k == 2) {
            s.center.y = (double)NAN;
        } else {
            s.spoil = 3e38f; /* its square is infinite */
        }
        memset(&outcome, 0x5A, sizeof outcome);
        memcpy(pose, start, sizeof pose);
        EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_solve(body, pose, RIG_JOINTS, 0.02f, &outcome));
        CHECK(memcmp(pose, start, sizeof pose) == 0, "case %d: a refused solve changed the pose", k);
        CHECK(outcome.iterations == 0x5A5A5A5A, "case %d: an outcome was written", k);
        if (k < 3) {
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_check_host_task(body, made, &error));
        }
        s.spoil = 0;
        s.center = center;
    }
    CHECK(error == 5, "an error was written");
    CHECK(solve().status == SINEW_STATUS_REACHED, "it does not recover");
    done();
}

static void what_cannot_be_is_refused(void)
{
    SinewBodyTaskDef def, position;
    SinewBodyTask made = {77}, other;
    float error;
    Sphere s;
    fresh(0);
    s = sphere();
    def = host_def(RIG_RIGHT_HAND, -1, SINEW_BODY_AXIS_X);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_body_add_host_task(body, &def, NULL, &s, &made));
    def.flags = SINEW_BODY_TASK_PIN;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_host_task(body, &def, compute_sphere, &s, &made));
    def.flags = 0;
    def.side = SINEW_BODY_SIDE_OUTSIDE;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_host_task(body, &def, compute_sphere, &s, &made));
    def.side = SINEW_BODY_SIDE_ON;
    def.axes = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_host_task(body, &def, compute_sphere, &s, &made));
    def.axes = SINEW_BODY_AXIS_X;
    def.end = RIG_JOINTS;
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_add_host_task(body, &def, compute_sphere, &s, &made));
    EXPECT_OK(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &position));
    position.joint = RIG_HEAD;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_host_task(body, &position, compute_sphere, &s, &made));
    position.flags = SINEW_BODY_TASK_RADIANS;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &position, &made));
    position.flags = 0;
    CHECK(made.bits == 77, "an out-handle was written");
    EXPECT_OK(sinew_body_add_task(body, &position, &other));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_check_host_task(body, other, &error));
    def = host_def(RIG_HEAD, -1, SINEW_BODY_AXIS_X);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_task(body, other, &def));
    CHECK(s.calls == 0, "a refused function was called");
    done();
}

int main(void)
{
    RUN(rows_are_met_in_world_space_under_any_root);
    RUN(rows_in_radians_and_rows_of_one_side);
    RUN(a_task_keeps_its_function_until_it_is_of_another_kind);
    RUN(a_function_may_do_what_it_likes);
    RUN(numbers_that_are_not_finite_are_refused);
    RUN(what_cannot_be_is_refused);
    return check_report();
}
