/* A stranger's program: it knows the installed header and nothing else. */
#include <sinew/sinew.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const int32_t parents[2] = {-1, 0};
    static const char *const names[2] = {"root", "tip"};
    SinewTransform rest[2];
    SinewVersion version;
    SinewSkeletonDef skeleton_def;
    SinewAnimatorDef animator_def;
    SinewSkeleton skeleton;
    SinewAnimator animator;
    SinewVec3 tip;
    uint32_t joint;

    if (sinew_version(&version) != SINEW_OK || version.abi != SINEW_ABI_VERSION) {
        fprintf(stderr, "the library does not fit its header\n");
        return 1;
    }
    memset(rest, 0, sizeof rest);
    rest[0].rotation.w = rest[1].rotation.w = 1.0f;
    rest[0].scale.x = rest[0].scale.y = rest[0].scale.z = 1.0f;
    rest[1].scale = rest[0].scale;
    rest[1].position.y = 2.0f;

    if (sinew_skeleton_def_default(&skeleton_def) != SINEW_OK) return 2;
    skeleton_def.joint_count = 2;
    skeleton_def.parents = parents;
    skeleton_def.rest = rest;
    skeleton_def.names = (const char *const *)names;
    if (sinew_skeleton_create(&skeleton_def, &skeleton) != SINEW_OK) return 3;
    if (sinew_skeleton_find_joint(skeleton, "tip", &joint) != SINEW_OK) return 4;
    if (sinew_animator_def_default(&animator_def) != SINEW_OK) return 5;
    animator_def.skeleton = skeleton;
    if (sinew_animator_create(&animator_def, &animator) != SINEW_OK) return 6;
    if (sinew_animator_solve(animator) != SINEW_OK) return 7;
    if (sinew_animator_get_joint_world(animator, joint, &tip, NULL) != SINEW_OK || tip.y != 2.0f) return 8;
    if (sinew_animator_destroy(animator) != SINEW_OK || sinew_skeleton_destroy(skeleton) != SINEW_OK) return 9;
    printf("ok consumer in C, Sinew %u.%u.%u\n", version.major, version.minor, version.patch);
    return 0;
}
