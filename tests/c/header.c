/* The header alone: it needs nothing before it, and the records have the layout the other languages
 * count on. */
#include <sinew/sinew.h>

#include <stddef.h>

#include "check.h"

#define AT(type, member, offset) \
    CHECK(offsetof(type, member) == (offset), #type "." #member " is at %u", (unsigned)offsetof(type, member))
#define SIZE(type, bytes) CHECK(sizeof(type) == (bytes), #type " has %u bytes", (unsigned)sizeof(type))

static void records_have_their_layout(void)
{
    const unsigned pointer = (unsigned)sizeof(void *);
    SIZE(SinewSkeleton, 8);
    SIZE(SinewAvatar, 8);
    SIZE(SinewAnimator, 8);
    SIZE(SinewResult, 4);
    SIZE(SinewIkGoal, 4);
    SIZE(SinewHumanBone, 4);
    SIZE(SinewVec3, 12);
    SIZE(SinewQuat, 16);
    AT(SinewQuat, w, 12);
    SIZE(SinewTransform, 40);
    AT(SinewTransform, position, 0);
    AT(SinewTransform, rotation, 12);
    AT(SinewTransform, scale, 28);
    SIZE(SinewOutcome, 16);
    AT(SinewOutcome, iterations, 4);
    AT(SinewOutcome, residual_m, 8);
    AT(SinewOutcome, residual_rad, 12);
    SIZE(SinewVersion, 16);
    AT(SinewVersion, abi, 12);
    AT(SinewSkeletonDef, parents, 8);
    AT(SinewSkeletonDef, rest, 8 + pointer);
    AT(SinewSkeletonDef, names, 8 + 2 * pointer);
    AT(SinewAvatarDef, skeleton, 8);
    AT(SinewAvatarDef, human_joints, 16);
    AT(SinewAvatarDef, up, 16 + 2 * pointer);
    AT(SinewAvatarDef, leg_stretch, 44 + 2 * pointer);
    SIZE(SinewAnimatorDef, 24);
    AT(SinewAnimatorDef, avatar, 16);
    SIZE(SinewIkGoalInput, 36);
    SIZE(SinewIkHintInput, 16);
    SIZE(SinewLookAtWeight, 20);
    SIZE(SinewHumanoidInput, 276);
    SIZE(SinewGoalPriority, 12);
    AT(SinewHumanoidInput, goals, 8);
    AT(SinewHumanoidInput, hints, 152);
    AT(SinewHumanoidInput, look_at_position, 216);
    AT(SinewHumanoidInput, look_at_weight, 228);
    AT(SinewHumanoidInput, body_position, 248);
    AT(SinewHumanoidInput, body_rotation, 260);
    AT(SinewAvatarDef, upper_arm_twist, 48 + 2 * pointer);
    AT(SinewAvatarDef, feet_spacing, 64 + 2 * pointer);
    AT(SinewAvatarDef, human_ranges, 72 + 2 * pointer);
    AT(SinewAvatarDef, human_range_set, 72 + 3 * pointer);
    SIZE(SinewAvatarDef, (76 + 3 * pointer + 7) / 8 * 8);
    SIZE(SinewHumanRange, 28);
    AT(SinewHumanRange, twist_max_rad, 24);
    SIZE(SinewHumanoidSettings, 64);
    AT(SinewHumanoidSettings, limits_enabled, 48);
    AT(SinewHumanoidSettings, bend_weight, 52);
    AT(SinewHumanoidSettings, look_at_inertialization_time_s, 56);
    AT(SinewHumanoidSettings, trunk_avoidance, 60);
    AT(SinewHumanoidSettings, spine_weight, 12);
    AT(SinewHumanoidSettings, inertialization_times_s, 32);
    SIZE(SinewAvatarTarget, 4);
    SIZE(SinewMatchTarget, 60);
    AT(SinewMatchTarget, rotation, 20);
    AT(SinewMatchTarget, rotation_weight, 48);
    SIZE(SinewConstraint, 8);
    SIZE(SinewChainSolver, 4);
    SIZE(SinewDistanceMode, 4);
    SIZE(SinewChainEnd, 16);
    AT(SinewChainEnd, tip, 4);
    AT(SinewChainDef, ends, 8);
    AT(SinewChainDef, spring_bias, 8 + pointer);
    AT(SinewChainDef, joint_count, 12 + 2 * pointer);
    AT(SinewChainDef, tolerance, 24 + 2 * pointer);
    AT(SinewChainDef, plane_axis, 52 + 2 * pointer);
    SIZE(SinewCurve, 4);
    AT(SinewAimDef, weights, 8);
    AT(SinewAimDef, axis, 16 + pointer);
    AT(SinewAimDef, behind_rad, 60 + pointer);
    SIZE(SinewSplineDef, 56);
    AT(SinewSplineDef, tip, 24);
    SIZE(SinewTwoBoneDef, 36);
    SIZE(SinewTwoBoneJob, 92);
    SIZE(SinewTwoBoneResult, 40);
    SIZE(SinewJointLimbJob, 160);
    AT(SinewJointLimbJob, mid_at, 68);
    AT(SinewJointLimbJob, weight, 140);
    SIZE(SinewJointLimbResult, 56);
    AT(SinewTwoBoneDef, bend_side, 16);
    SIZE(SinewCopyRotationDef, 48);
    AT(SinewCopyRotationDef, offset, 12);
    SIZE(SinewConstraintGoal, 84);
    AT(SinewConstraintGoal, rotation, 20);
    AT(SinewConstraintGoal, distance_mode, 76);
    SIZE(SinewPole, 40);
    AT(SinewPole, angle_rad, 32);
    SIZE(SinewJointLimits, 212);
    AT(SinewJointLimits, min_rad, 24);
    AT(SinewJointLimits, preferred_bend, 64);
    AT(SinewJointLimits, corner_count, 88);
    AT(SinewJointLimits, corners, 92);
    AT(SinewJointLimits, slide_axis, 188);
    AT(SinewJointLimits, slide_mobility, 208);
    SIZE(SinewWorld, 8);
    SIZE(SinewJob, 8);
    SIZE(SinewWorldReport, 20);
    SIZE(SinewWorldFrame, (48 + 9 * pointer + 7) / 8 * 8);
    AT(SinewWorldFrame, records, 16);
    AT(SinewWorldFrame, scales, 16 + 4 * pointer);
    AT(SinewWorldFrame, positions_row_stride, 16 + 5 * pointer);
    AT(SinewWorldFrame, roots, 40 + 5 * pointer);
    AT(SinewWorldFrame, roots_stride, 40 + 7 * pointer);
    AT(SinewWorldFrame, out_states, 48 + 8 * pointer);
    SIZE(SinewDebugLine, 28);
    AT(SinewDebugLine, part, 24);
}

static void numbers_are_those_of_unity(void)
{
    CHECK(SINEW_IK_GOAL_LEFT_FOOT == 0 && SINEW_IK_GOAL_RIGHT_FOOT == 1 && SINEW_IK_GOAL_LEFT_HAND == 2 &&
              SINEW_IK_GOAL_RIGHT_HAND == 3,
          "goals");
    CHECK(SINEW_IK_HINT_LEFT_KNEE == 0 && SINEW_IK_HINT_RIGHT_KNEE == 1 && SINEW_IK_HINT_LEFT_ELBOW == 2 &&
              SINEW_IK_HINT_RIGHT_ELBOW == 3,
          "hints");
    CHECK(SINEW_HUMAN_BONE_HIPS == 0 && SINEW_HUMAN_BONE_HEAD == 10 && SINEW_HUMAN_BONE_LEFT_HAND == 17 &&
              SINEW_HUMAN_BONE_JAW == 23 && SINEW_HUMAN_BONE_RIGHT_LITTLE_DISTAL == 53 && SINEW_HUMAN_BONE_UPPER_CHEST == 54 &&
              SINEW_HUMAN_BONE_COUNT == 55,
          "bones");
    CHECK(SINEW_AVATAR_TARGET_ROOT == 0 && SINEW_AVATAR_TARGET_BODY == 1 && SINEW_AVATAR_TARGET_LEFT_FOOT == 2 &&
              SINEW_AVATAR_TARGET_RIGHT_FOOT == 3 && SINEW_AVATAR_TARGET_LEFT_HAND == 4 && SINEW_AVATAR_TARGET_RIGHT_HAND == 5,
          "targets");
}

static void the_library_has_the_headers_abi(void)
{
    SinewVersion version = {0, 0, 0, 0};
    CHECK(sinew_version(&version) == SINEW_OK && version.abi == SINEW_ABI_VERSION, "ABI %u", version.abi);
}

int main(void)
{
    RUN(the_library_has_the_headers_abi);
    RUN(records_have_their_layout);
    RUN(numbers_are_those_of_unity);
    return check_report();
}
