/* A tail that is no humanoid's reaches for an apple: a chain of joints with limits and a new goal
 * each frame.
 *
 *     cc -std=c99 -I include examples/tail/tail.c -o tail -L LIBDIR -lsinew -lm && ./tail */
#include <sinew/sinew.h>

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

enum { COUNT = 10 }; /* joints along Y, 20 cm apart */

int main(void)
{
    int32_t parents[COUNT];
    SinewTransform rest[COUNT];
    SinewSkeletonDef skeleton_def;
    SinewAnimatorDef animator_def;
    SinewAnimator animator;
    SinewChainEnd tip = {COUNT - 1, {0, 0.1f, 0}}; /* the point of the last joint that shall be at the apple */
    SinewChainDef chain;
    SinewConstraint tail;
    SinewJointLimits limits;
    SinewOutcome outcome;
    uint32_t joint;
    int frame;

    for (joint = 0; joint < COUNT; ++joint) {
        const SinewTransform here = {{0, joint == 0 ? 1.0f : 0.2f, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        parents[joint] = (int32_t)joint - 1;
        rest[joint] = here;
    }
    MUST(sinew_skeleton_def_default(&skeleton_def));
    skeleton_def.joint_count = COUNT;
    skeleton_def.parents = parents;
    skeleton_def.rest = rest;
    MUST(sinew_animator_def_default(&animator_def)); /* no avatar: any rig will do */
    MUST(sinew_skeleton_create(&skeleton_def, &animator_def.skeleton));
    MUST(sinew_animator_create(&animator_def, &animator));

    /* Once: the chain, and what its joints may do. */
    MUST(sinew_chain_def_default(&chain));
    chain.ends = &tip;
    chain.end_count = 1;
    MUST(sinew_animator_add_chain(animator, &chain, &tail));
    MUST(sinew_animator_set_constraint_weight(animator, tail, 1.0f));
    MUST(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Z; /* a cone of 40 degrees about X and Z; twist is free */
    limits.min_rad.x = limits.min_rad.z = -0.7f;
    limits.max_rad.x = limits.max_rad.z = 0.7f;
    for (joint = 0; joint < COUNT; ++joint) {
        MUST(sinew_animator_set_joint_limits(animator, joint, &limits));
    }

    for (frame = 0; frame < 60; ++frame) {
        const SinewVec3 apple = {0.8f, 2.2f - 0.01f * (float)frame, 0.02f * (float)frame}; /* world space, metres */
        MUST(sinew_animator_reset_pose(animator)); /* a game writes its animation here */
        MUST(sinew_animator_set_constraint_position(animator, tail, 0, &apple));
        MUST(sinew_animator_solve(animator));
        MUST(sinew_animator_get_constraint_outcome(animator, tail, &outcome));
        if (outcome.status != SINEW_STATUS_REACHED) {
            printf("frame %d: %g m off\n", frame, outcome.residual_m);
            return 1;
        }
    }
    printf("the tail followed for %d frames, the last residual is %.1e m\n", frame, outcome.residual_m);
    MUST(sinew_animator_destroy(animator)); /* and with it the constraint */
    MUST(sinew_skeleton_destroy(animator_def.skeleton));
    return 0;
}
