/* A person walks up stairs and down again. The animation is a walk on flat ground; a grounder takes
 * its legs and the ground that the host's rays find, and the animator takes over the result: goals
 * for the feet, turns of the toes and a displacement of the pelvis.
 *
 *     cc -std=c99 -I include examples/stairs/stairs.c -o stairs -L LIBDIR -lsinew -lm && ./stairs
 *
 * What is printed is measured at the joints of the pose. Metres, Y up, facing Z, right X. The
 * functions to read are `setup` (once per character) and `put_feet_on_the_ground` (each frame). */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) must((call), #call)
static void must(SinewResult result, const char *call)
{
    if (result != SINEW_OK) {
        const char *error = "";
        (void)sinew_last_error(&error);
        fprintf(stderr, "%s\n  %s\n", call, error);
        exit(1);
    }
}

/* ---- The rig: the fifteen bones of every humanoid, and toes. ---- */

enum { HIPS, THIGH, SHIN, FOOT, TOES, RIGHT_LEG, SPINE = 9, COUNT = 17, LEG_JOINTS = RIGHT_LEG - THIGH };

static const struct {
    const char *name;
    int32_t parent;
    SinewVec3 offset;
} JOINTS[COUNT] = {
    {"Hips", -1, {0, 0.9f, 0}},
    {"LeftUpperLeg", HIPS, {-0.09f, -0.02f, 0}},        {"LeftLowerLeg", 1, {0, -0.43f, 0.004f}},
    {"LeftFoot", 2, {0, -0.37f, -0.004f}},              {"LeftToes", 3, {0, -0.05f, 0.13f}},
    {"RightUpperLeg", HIPS, {0.09f, -0.02f, 0}},        {"RightLowerLeg", 5, {0, -0.43f, 0.004f}},
    {"RightFoot", 6, {0, -0.37f, -0.004f}},             {"RightToes", 7, {0, -0.05f, 0.13f}},
    {"Spine", HIPS, {0, 0.1f, 0}},                      {"Head", SPINE, {0, 0.53f, 0}},
    {"LeftUpperArm", SPINE, {-0.18f, 0.37f, 0}},        {"LeftLowerArm", 11, {-0.32f, 0, 0}},
    {"LeftHand", 12, {-0.26f, 0, 0}},                   {"RightUpperArm", SPINE, {0.18f, 0.37f, 0}},
    {"RightLowerArm", 14, {0.32f, 0, 0}},               {"RightHand", 15, {0.26f, 0, 0}},
};

/* The sole: 8 cm below the ankle and 5 cm behind it, 3 cm below the ball and 7 cm before it. */
static const SinewVec3 HEEL = {0, -0.08f, -0.05f}, SOLE = {0, -0.03f, 0}, TIP = {0, -0.03f, 0.07f};

static uint32_t joint_of(int leg, int joint)
{
    return (uint32_t)(joint + LEG_JOINTS * leg);
}

/* ---- Quaternions. A host has its own. ---- */

static SinewQuat multiply(SinewQuat a, SinewQuat b)
{
    SinewQuat c;
    c.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    c.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    c.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    c.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return c;
}

static SinewQuat inverse(SinewQuat a)
{
    a.x = -a.x, a.y = -a.y, a.z = -a.z;
    return a;
}

static SinewQuat about_x(float angle)
{
    SinewQuat turn = {sinf(0.5f * angle), 0, 0, cosf(0.5f * angle)};
    return turn;
}

/* A point in a joint's space, in the world. */
static SinewVec3 point_of(SinewVec3 at, SinewQuat turn, SinewVec3 local)
{
    SinewQuat v = {0, 0, 0, 0};
    v.x = local.x, v.y = local.y, v.z = local.z;
    v = multiply(multiply(turn, v), inverse(turn));
    at.x += v.x, at.y += v.y, at.z += v.z;
    return at;
}

/* ---- The world: eight steps up, a landing, eight steps down, along Z. ---- */

static const float FIRST = 2, DEPTH = 0.3f, RISE = 0.15f, TOP = 2;
enum { STEPS = 8 };

static float ground(float z)
{
    float up = floorf((z - FIRST) / DEPTH) + 1;
    float down = floorf((FIRST + 2 * STEPS * DEPTH + TOP - z) / DEPTH) + 1;
    return RISE * fmaxf(0, fminf(fminf(up, down), STEPS));
}

/* What a point on a foot may stand on: at a riser that it touches within a centimetre, the lower
 * step. */
static float step_below(float z)
{
    return fminf(ground(z - 0.01f), ground(z + 0.01f));
}

/* The engine's ray cast: straight down here. One hit per query. */
static void cast_rays(const SinewGroundQuery *queries, SinewGroundHit *hits, uint32_t count)
{
    const SinewGroundHit none = {0};
    uint32_t i;
    for (i = 0; i < count; ++i) {
        float height = ground(queries[i].origin.z);
        float way = queries[i].origin.y - height;
        hits[i] = none;
        hits[i].hit = way >= 0 && way <= queries[i].length;
        hits[i].point = queries[i].origin;
        hits[i].point.y = height;
        hits[i].normal.y = 1;
    }
}

/* ---- The animation: a walk on the plane of the root. ---- */

static const float SPEED = 0.9f, STRIDE_S = 1.1f, STANCE = 0.6f;

static void animate(SinewTransform *pose, float time)
{
    const float hip = 0.85f;
    int leg;
    pose[HIPS].position.y = hip + 0.02f;
    for (leg = 0; leg < 2; ++leg) {
        const float whole = time / STRIDE_S + 0.5f * (float)leg, phase = whole - floorf(whole);
        const float half = 0.5f * STANCE * STRIDE_S * SPEED, thigh = 0.43f, shin = 0.37f;
        float z, height = 0.08f, down, length, lean, bend;
        if (phase < STANCE) {
            z = half - 2 * half * phase / STANCE; /* stands: back under the body */
        } else {
            const float t = (phase - STANCE) / (1 - STANCE), swing = (1 - STANCE) * STRIDE_S * SPEED;
            /* From -half to half; at both ends it moves as the ground does. */
            z = -half + 2 * half * t * t * (3 - 2 * t) - swing * t * (1 - t) * (1 - 2 * t);
            height += 0.1f * sinf(3.1415927f * t) * sinf(3.1415927f * t);
        }
        down = hip - height;
        length = sqrtf(z * z + down * down);
        lean = acosf(fminf(1, (thigh * thigh + length * length - shin * shin) / (2 * thigh * length)));
        bend = 3.1415927f - acosf(fmaxf(-1, (thigh * thigh + shin * shin - length * length) / (2 * thigh * shin)));
        lean += atan2f(z, down);
        pose[joint_of(leg, THIGH)].rotation = about_x(-lean);
        pose[joint_of(leg, SHIN)].rotation = about_x(bend);
        pose[joint_of(leg, FOOT)].rotation = about_x(lean - bend); /* the sole stays level */
    }
}

/* ---- Sinew. ---- */

typedef struct Character {
    SinewSkeleton skeleton;
    SinewAvatar avatar;
    SinewAnimator animator;
    SinewGrounder grounder;
    SinewTransform *pose;
} Character;

static Character setup(void)
{
    int32_t parents[COUNT], human_joints[SINEW_HUMAN_BONE_COUNT];
    const char *names[COUNT];
    SinewTransform rest[COUNT];
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewFootModel feet[2];
    Character c;
    int i;

    for (i = 0; i < COUNT; ++i) {
        const SinewTransform here = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        names[i] = JOINTS[i].name;
        parents[i] = JOINTS[i].parent;
        rest[i] = here;
        rest[i].position = JOINTS[i].offset;
    }
    MUST(sinew_skeleton_def_default(&skeleton_def));
    skeleton_def.joint_count = COUNT;
    skeleton_def.parents = parents;
    skeleton_def.rest = rest;
    skeleton_def.names = names;
    MUST(sinew_skeleton_create(&skeleton_def, &c.skeleton));
    MUST(sinew_skeleton_map_human_names(c.skeleton, human_joints, SINEW_HUMAN_BONE_COUNT, NULL));
    MUST(sinew_avatar_def_default(&avatar_def));
    avatar_def.skeleton = c.skeleton;
    avatar_def.human_joints = human_joints;
    MUST(sinew_avatar_create(&avatar_def, &c.avatar));
    MUST(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = c.skeleton;
    animator_def.avatar = c.avatar;
    MUST(sinew_animator_create(&animator_def, &c.animator));
    MUST(sinew_animator_get_pose_buffer(c.animator, &c.pose, NULL));

    MUST(sinew_animator_get_foot_models(c.animator, feet, 2));
    for (i = 0; i < 2; ++i) {
        /* What is known of the soles is better than what joints tell of them. */
        feet[i].heel_height = -HEEL.y;
        feet[i].heel_length = -HEEL.z;
        feet[i].ball_height = -TIP.y;
        feet[i].toe_length = TIP.z;
    }
    MUST(sinew_grounder_create(feet, 2, NULL, &c.grounder));
    return c;
}

static void put_feet_on_the_ground(const Character *c, float dt_s, SinewGrounderLegResult results[2])
{
    SinewGrounderFrame frame;
    SinewGrounderLeg legs[2];
    SinewGroundQuery queries[10];
    SinewGroundHit hits[10];
    uint32_t count;

    MUST(sinew_animator_get_grounder_legs(c->animator, &frame, legs, 2)); /* of the animation */
    frame.dt_s = dt_s;
    MUST(sinew_grounder_begin(c->grounder, &frame, legs, 2, NULL));
    MUST(sinew_grounder_get_queries(c->grounder, queries, 10, &count));
    cast_rays(queries, hits, count);
    MUST(sinew_grounder_finish(c->grounder, hits, count));
    MUST(sinew_animator_apply_grounder(c->animator, c->grounder));
    MUST(sinew_grounder_get_legs(c->grounder, results, 2)); /* only to be measured */
}

/* ---- What the pose is like. ---- */

/* Frames in which a foot that was put down comes to rest: the setting plant_time, 0.05 s. */
enum { REST = 3 };

typedef struct Measured {
    float deepest_m;        /* heel, ball and tip of the toes in a step, standing feet */
    float highest_m;        /* the lowest of the three over its step, from REST frames on */
    float slide_m;          /* a standing ball from where it first stood */
    float missed_m;         /* ankles from the grounder's */
    uint32_t stands;        /* times a foot was put down */
} Measured;

static void measure(const Character *c, const SinewGrounderLegResult results[2], SinewVec3 stood[2], int frames[2],
                    Measured *m)
{
    int i;
    for (i = 0; i < 2; ++i) {
        SinewVec3 ankle, ball, points[3];
        SinewQuat foot, toes;
        float gap = 1;
        int k;
        MUST(sinew_animator_get_joint_world(c->animator, joint_of(i, FOOT), &ankle, &foot));
        MUST(sinew_animator_get_joint_world(c->animator, joint_of(i, TOES), &ball, &toes));
        points[0] = point_of(ankle, foot, HEEL);
        points[1] = point_of(ball, toes, SOLE);
        points[2] = point_of(ball, toes, TIP);
        if (!results[i].planted) {
            frames[i] = 0;
        } else {
            if (frames[i]++ == 0) {
                stood[i] = ball;
                ++m->stands;
            }
            for (k = 0; k < 3; ++k) {
                const float over = points[k].y - step_below(points[k].z);
                m->deepest_m = fmaxf(m->deepest_m, -over);
                gap = fminf(gap, over);
            }
            if (frames[i] > REST) {
                m->highest_m = fmaxf(m->highest_m, gap);
            }
            m->slide_m = fmaxf(m->slide_m, hypotf(ball.x - stood[i].x, ball.z - stood[i].z));
        }
        m->missed_m = fmaxf(m->missed_m, fabsf(ankle.x - results[i].ankle.x) + fabsf(ankle.y - results[i].ankle.y) +
                                             fabsf(ankle.z - results[i].ankle.z));
    }
}

/* Walks once, on the ground or as animated. */
static Measured walk(const Character *c, int is_grounded, int prints)
{
    const float dt_s = 1.0f / 60;
    SinewTransform root = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    SinewGrounderLegResult results[2];
    SinewVec3 stood[2] = {{0, 0, 0}, {0, 0, 0}};
    int frames[2] = {0, 0}, frame;
    Measured m = {0, 0, 0, 0, 0};

    MUST(sinew_grounder_reset(c->grounder));
    for (frame = 0; root.position.z < 10; ++frame) {
        /* The root follows the ground, as a character controller makes it. */
        const float climb = 0.8f * dt_s, there = ground(root.position.z) - root.position.y;
        root.position.z = SPEED * dt_s * (float)frame;
        root.position.y += fmaxf(-climb, fminf(climb, there));
        MUST(sinew_animator_set_root(c->animator, &root));
        MUST(sinew_animator_reset_pose(c->animator)); /* rewrite the whole pose each frame */
        animate(c->pose, dt_s * (float)frame);
        put_feet_on_the_ground(c, dt_s, results);
        if (!is_grounded) {
            MUST(sinew_animator_reset_ik(c->animator));
        }
        MUST(sinew_animator_solve(c->animator));
        measure(c, results, stood, frames, &m);
        if (prints && frame % 60 == 0) {
            SinewVec3 hips, left, right;
            MUST(sinew_animator_get_joint_world(c->animator, HIPS, &hips, NULL));
            MUST(sinew_animator_get_joint_world(c->animator, joint_of(0, TOES), &left, NULL));
            MUST(sinew_animator_get_joint_world(c->animator, joint_of(1, TOES), &right, NULL));
            printf("%4.0f s  %5.2f  %6.2f  %6.2f  %6.2f %-6s  %6.2f %s\n", (double)(dt_s * (float)frame),
                   (double)root.position.z, (double)root.position.y, (double)hips.y, (double)left.y,
                   results[0].planted ? "stands" : "", (double)right.y, results[1].planted ? "stands" : "");
        }
    }
    return m;
}

static void print(const char *name, Measured m)
{
    printf("%-17s %9.1f %11.1f %9.1f\n", name, (double)(1000 * m.deepest_m), (double)(1000 * m.highest_m),
           (double)(1000 * m.slide_m));
}

int main(void)
{
    Character c = setup();
    Measured with, without;
    int good;

    puts("  time   along    root    hips    left ball      right ball (metres)");
    with = walk(&c, 1, 1);
    without = walk(&c, 0, 0);
    printf("\n%u times a foot was put down; worst of standing feet, millimetres:\n", with.stands);
    puts("                   in a step  over a step   slides");
    print("grounder", with);
    print("animation alone", without);
    MUST(sinew_grounder_destroy(c.grounder));
    MUST(sinew_animator_destroy(c.animator));
    MUST(sinew_avatar_destroy(c.avatar));
    MUST(sinew_skeleton_destroy(c.skeleton));
    printf("ankles are %.1e m from the grounder's\n", (double)with.missed_m);
    good = with.stands > 15 && with.deepest_m < 0.005f && with.highest_m < 0.01f && with.slide_m < 0.005f &&
           with.missed_m < 1e-4f && without.deepest_m > 0.1f;
    puts(good ? "the feet stand on the steps" : "the feet do NOT stand on the steps");
    return good ? 0 : 1;
}
