/* The program at the top of sinew.h: `cargo xtask codegen` copies the marked part there. */
#include <sinew/sinew.h>

#include <math.h>

#include "check.h"

/* What a host brings: the rest pose of its rig, and an animation that writes every joint. */
static int32_t parents[] = {-1, 0, 1};
static SinewTransform rest[] = {
    {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 0.5f, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 0.5f, 0}, {0, 0, 0, 1}, {1, 1, 1}}
};
static void play_animation(SinewTransform *pose)
{
    memcpy(pose, rest, sizeof rest);
    pose[1].rotation.x = 0.6f;
    pose[1].rotation.w = 0.8f;
}

static void turn(const SinewQuat *q, const SinewVec3 *v, double out[3])
{
    const double tx = 2 * ((double)q->y * v->z - (double)q->z * v->y), ty = 2 * ((double)q->z * v->x - (double)q->x * v->z),
                 tz = 2 * ((double)q->x * v->y - (double)q->y * v->x);
    out[0] = v->x + q->w * tx + q->y * tz - q->z * ty;
    out[1] = v->y + q->w * ty + q->z * tx - q->x * tz;
    out[2] = v->z + q->w * tz + q->x * ty - q->y * tx;
}
/* The wrist in the root's space, by forward kinematics of our own. */
static void wrist(const SinewTransform *pose, double out[3])
{
    double at[3];
    SinewVec3 below;
    turn(&pose[1].rotation, &pose[2].position, at);
    below.x = (float)(pose[1].position.x + at[0]);
    below.y = (float)(pose[1].position.y + at[1]);
    below.z = (float)(pose[1].position.z + at[2]);
    turn(&pose[0].rotation, &below, out);
}

static void the_program_in_the_header_reaches_its_target(void)
{
    double at[3];
    /* header: begin */
    SinewSkeletonDef rig;
    SinewAnimatorDef def;
    SinewTwoBoneDef arm;
    SinewAnimator animator;
    SinewConstraint reach;
    SinewTransform *pose;
    SinewVec3 target = {0.3f, 0.6f, 0.2f};                 /* world space, metres */

    sinew_skeleton_def_default(&rig);                      /* once: skeleton, animator, constraint */
    rig.joint_count = 3;
    rig.parents = parents;                                 /* {-1, 0, 1}: shoulder, elbow, wrist */
    rig.rest = rest;                                       /* local transforms of the rest pose */
    sinew_animator_def_default(&def);
    sinew_skeleton_create(&rig, &def.skeleton);
    sinew_animator_create(&def, &animator);
    sinew_animator_get_pose_buffer(animator, &pose, NULL);
    sinew_two_bone_def_default(&arm);
    arm.end = 2;                                           /* the wrist */
    sinew_animator_add_two_bone(animator, &arm, &reach);
    sinew_animator_set_constraint_weight(animator, reach, 1);

    play_animation(pose);                                  /* each frame: write every joint, */
    sinew_animator_set_constraint_position(animator, reach, 0, &target);
    sinew_animator_solve(animator);                        /* solve, read pose[] */
    /* header: end */
    wrist(pose, at);
    CHECK(fabs(at[0] - target.x) < 1e-6 && fabs(at[1] - target.y) < 1e-6 && fabs(at[2] - target.z) < 1e-6,
          "the wrist is at %g %g %g", at[0], at[1], at[2]);
    EXPECT_OK(sinew_animator_destroy(animator));
    EXPECT_OK(sinew_skeleton_destroy(def.skeleton));
}

int main(void)
{
    RUN(the_program_in_the_header_reaches_its_target);
    return check_report();
}
