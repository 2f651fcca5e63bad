/* Everything of an animator that can be seen from outside, to show that a refused call changed
 * nothing. */
#ifndef SINEW_TEST_SNAPSHOT_H
#define SINEW_TEST_SNAPSHOT_H

#include "rig.h"

typedef struct Snapshot {
    SinewTransform pose[RIG_JOINTS];
    SinewTransform root;
    SinewHumanoidInput input;
    SinewQuat bones[SINEW_HUMAN_BONE_COUNT]; /* identity where the avatar has no such bone */
    SinewOutcome goals[4];
    SinewOutcome look_at;
    SinewHumanoidSettings settings;
    uint32_t switching[4];
    /* Of the constraint of the table of calls, as far as there is one. */
    SinewConstraintGoal constraint_goal;
    SinewPole constraint_pole;
    uint32_t has_pole;
    float constraint_weight;
    SinewOutcome constraint_outcome;
    SinewJointLimits limits[RIG_JOINTS];
    SinewBodySolverSettings body_solver;
    SinewBodyEffectorInput effectors[9];
    SinewGoalPriority goal_priorities[4];
    SinewGoalPriority effector_priorities[9];
    int32_t goal_spaces[4];
    SinewVec3 effector_points[4];
    /* Of the body of the table of calls on the rig, as far as there is one. */
    SinewBodySettings body_settings;
    SinewTransform body_root;
    SinewBodyTaskDef body_task;
    SinewJointLimits body_limits[RIG_JOINTS];
    float body_mass[RIG_JOINTS];
} Snapshot;

CHECK_UNUSED static void snapshot_body(const Rig *rig, Snapshot *out)
{
    SinewBody body = rig_body(rig);
    uint32_t joint;
    EXPECT_OK(sinew_body_get_settings(body, &out->body_settings));
    EXPECT_OK(sinew_body_get_root(body, &out->body_root));
    EXPECT_OK(sinew_body_get_task(body, rig_body_task(rig), &out->body_task));
    for (joint = 0; joint < RIG_JOINTS; ++joint) {
        EXPECT_OK(sinew_body_get_joint_limits(body, joint, &out->body_limits[joint]));
        EXPECT_OK(sinew_body_get_mass(body, joint, &out->body_mass[joint], NULL));
    }
}

CHECK_UNUSED static void snapshot(SinewAnimator animator, Snapshot *out)
{
    SinewConstraint constraint = rig_known_constraint(animator);
    int32_t bone;
    uint32_t joint;
    memset(out, 0, sizeof *out);
    EXPECT_OK(sinew_animator_get_pose(animator, out->pose, RIG_JOINTS));
    EXPECT_OK(sinew_animator_get_root(animator, &out->root));
    EXPECT_OK(sinew_animator_get_input(animator, &out->input));
    for (bone = 0; bone < (int32_t)SINEW_HUMAN_BONE_COUNT; ++bone) {
        (void)sinew_animator_get_bone_local_rotation(animator, bone, &out->bones[bone]);
    }
    for (bone = 0; bone < 4; ++bone) {
        EXPECT_OK(sinew_animator_get_ik_outcome(animator, bone, &out->goals[bone]));
        EXPECT_OK(sinew_animator_get_is_inertializing(animator, bone, &out->switching[bone]));
        EXPECT_OK(sinew_animator_get_ik_goal_space(animator, bone, &out->goal_spaces[bone]));
        EXPECT_OK(sinew_animator_get_ik_goal_priority(animator, bone, &out->goal_priorities[bone]));
        EXPECT_OK(sinew_animator_get_ik_effector_point(animator, bone, &out->effector_points[bone]));
    }
    EXPECT_OK(sinew_animator_get_settings(animator, &out->settings));
    EXPECT_OK(sinew_animator_get_body_solver(animator, &out->body_solver));
    for (bone = 0; bone < 9; ++bone) {
        EXPECT_OK(sinew_animator_get_body_effector(animator, bone, &out->effectors[bone]));
        EXPECT_OK(sinew_animator_get_body_effector_priority(animator, bone, &out->effector_priorities[bone]));
    }
    EXPECT_OK(sinew_animator_get_look_at_outcome(animator, &out->look_at));
    if (constraint.bits != 0) {
        EXPECT_OK(sinew_animator_get_constraint_goal(animator, constraint, 0, &out->constraint_goal));
        EXPECT_OK(sinew_animator_get_constraint_pole(animator, constraint, &out->constraint_pole, &out->has_pole));
        EXPECT_OK(sinew_animator_get_constraint_weight(animator, constraint, &out->constraint_weight));
        EXPECT_OK(sinew_animator_get_constraint_outcome(animator, constraint, &out->constraint_outcome));
    }
    for (joint = 0; joint < RIG_JOINTS; ++joint) {
        EXPECT_OK(sinew_animator_get_joint_limits(animator, joint, &out->limits[joint]));
    }
}

/* All members are floats and integers without gaps, so equal bytes are equal bits. */
#define EXPECT_SAME(before, after, ...) CHECK(memcmp(&(before), &(after), sizeof(before)) == 0, __VA_ARGS__)

#endif
