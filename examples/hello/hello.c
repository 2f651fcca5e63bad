#include <sinew/sinew.h>
#include <stdio.h>

#define MUST(call)                                                               \
    do {                                                                         \
        const char *why = "";                                                    \
        if ((call) != SINEW_OK) return sinew_last_error(&why), puts(why), 1;     \
    } while (0)

/* rest: the pose in which the rig was bound, best a T-pose. human_joints: SINEW_HUMAN_BONE_COUNT
 * entries, the joint of each SINEW_HUMAN_BONE_... or -1. */
int hold(uint32_t joints, const int32_t *parents, const SinewTransform *rest, const int32_t *human_joints)
{
    SinewSkeletonDef rig;
    SinewAvatarDef human;
    SinewAnimatorDef character;
    SinewTransform *pose;
    SinewOutcome outcome;
    const SinewVec3 handle = { -0.3f, 1.2f, 0.4f };         /* world space, metres; here -X is right */
    SinewAnimator animator;
    int frame;

    MUST(sinew_skeleton_def_default(&rig));                 /* once per rig */
    rig.joint_count = joints;
    rig.parents = parents;                                  /* parent before child; -1: a root */
    rig.rest = rest;
    MUST(sinew_avatar_def_default(&human));
    MUST(sinew_skeleton_create(&rig, &human.skeleton));
    human.human_joints = human_joints;
    MUST(sinew_animator_def_default(&character));           /* once per character */
    character.skeleton = human.skeleton;
    MUST(sinew_avatar_create(&human, &character.avatar));
    MUST(sinew_animator_create(&character, &animator));
    MUST(sinew_animator_get_pose_buffer(animator, &pose, NULL)); /* the address never changes */
    MUST(sinew_animator_set_ik_position(animator, SINEW_IK_GOAL_RIGHT_HAND, &handle));
    MUST(sinew_animator_set_ik_position_weight(animator, SINEW_IK_GOAL_RIGHT_HAND, 1.0f));

    for (frame = 0; frame < 60; ++frame) {
        /* Rewrite every joint from your animation: pose[] still holds the last result. */
        MUST(sinew_animator_reset_pose(animator));          /* here: the rest pose, */
        pose[0].position.y += 0.001f * (float)frame;        /* slowly rising */
        MUST(sinew_animator_solve(animator));               /* then read pose[] */
    }
    MUST(sinew_animator_get_ik_outcome(animator, SINEW_IK_GOAL_RIGHT_HAND, &outcome));
    printf("the hand is %g m off\n", outcome.residual_m);
    MUST(sinew_animator_destroy(animator));
    MUST(sinew_avatar_destroy(character.avatar));
    return sinew_skeleton_destroy(human.skeleton) != SINEW_OK;
}
