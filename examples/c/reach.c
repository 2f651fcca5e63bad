/* The shortest useful program: a humanoid in T-pose puts its right hand on a point.
 *
 *     cc -std=c99 -I include examples/c/reach.c -o reach -L LIBDIR -lsinew -lm && ./reach
 *
 * Joints are named as Unity names human bones, so the avatar needs no table of our own. Metres, Y
 * up, facing Z, right X. */
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

/* The fifteen bones every humanoid has: name, parent, offset from the parent. */
static const struct {
    const char *name;
    int32_t parent;
    float offset[3];
} JOINTS[] = {
    {"Hips", -1, {0, 0.95f, 0}},
    {"LeftUpperLeg", 0, {-0.09f, -0.02f, 0}},    {"LeftLowerLeg", 1, {0, -0.43f, 0.004f}},
    {"LeftFoot", 2, {0, -0.42f, -0.02f}},        {"RightUpperLeg", 0, {0.09f, -0.02f, 0}},
    {"RightLowerLeg", 4, {0, -0.43f, 0.004f}},   {"RightFoot", 5, {0, -0.42f, -0.02f}},
    {"Spine", 0, {0, 0.10f, 0}},                 {"Head", 7, {0, 0.53f, 0}},
    {"LeftUpperArm", 7, {-0.18f, 0.37f, 0}},     {"LeftLowerArm", 9, {-0.32f, 0, 0}},
    {"LeftHand", 10, {-0.26f, 0, 0}},            {"RightUpperArm", 7, {0.18f, 0.37f, 0}},
    {"RightLowerArm", 12, {0.32f, 0, 0}},        {"RightHand", 13, {0.26f, 0, 0}},
};
enum { COUNT = sizeof JOINTS / sizeof JOINTS[0] };

int main(void)
{
    const SinewVec3 cup = {0.25f, 1.15f, 0.35f}; /* world space, metres */
    int32_t parents[COUNT], human_joints[SINEW_HUMAN_BONE_COUNT];
    const char *names[COUNT];
    SinewTransform rest[COUNT];
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewSkeleton skeleton;
    SinewAvatar avatar;
    SinewAnimator animator;
    SinewOutcome outcome;
    SinewVec3 hand;
    uint32_t joint;

    for (joint = 0; joint < COUNT; ++joint) {
        const SinewTransform here = {{JOINTS[joint].offset[0], JOINTS[joint].offset[1], JOINTS[joint].offset[2]},
                                     {0, 0, 0, 1},
                                     {1, 1, 1}};
        names[joint] = JOINTS[joint].name;
        parents[joint] = JOINTS[joint].parent;
        rest[joint] = here;
    }

    /* Once per rig: the skeleton, and which of its joints are human bones. */
    MUST(sinew_skeleton_def_default(&skeleton_def));
    skeleton_def.joint_count = COUNT;
    skeleton_def.parents = parents;
    skeleton_def.rest = rest;
    skeleton_def.names = names;
    MUST(sinew_skeleton_create(&skeleton_def, &skeleton));
    MUST(sinew_skeleton_map_human_names(skeleton, human_joints, SINEW_HUMAN_BONE_COUNT, NULL));
    MUST(sinew_avatar_def_default(&avatar_def));
    avatar_def.skeleton = skeleton;
    avatar_def.human_joints = human_joints;
    MUST(sinew_avatar_create(&avatar_def, &avatar));

    /* Once per character. */
    MUST(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = skeleton;
    animator_def.avatar = avatar;
    MUST(sinew_animator_create(&animator_def, &animator));

    /* Once per frame: the pose buffer holds the rest pose; a game writes its animation there
     * first. */
    MUST(sinew_animator_set_ik_position(animator, SINEW_IK_GOAL_RIGHT_HAND, &cup));
    MUST(sinew_animator_set_ik_position_weight(animator, SINEW_IK_GOAL_RIGHT_HAND, 1.0f));
    MUST(sinew_animator_solve(animator));

    MUST(sinew_animator_get_ik_outcome(animator, SINEW_IK_GOAL_RIGHT_HAND, &outcome));
    MUST(sinew_animator_get_joint_world(animator, COUNT - 1, &hand, NULL));
    printf("hand at %.4f %.4f %.4f, %.1e m from the cup\n", hand.x, hand.y, hand.z, outcome.residual_m);

    MUST(sinew_animator_destroy(animator));
    MUST(sinew_avatar_destroy(avatar));
    MUST(sinew_skeleton_destroy(skeleton));
    return fabsf(hand.x - cup.x) + fabsf(hand.y - cup.y) + fabsf(hand.z - cup.z) < 1e-5f ? 0 : 1;
}
