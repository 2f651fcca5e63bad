/* A small but complete humanoid: 25 joints with toes, eyes and a head top, 1.75 m, in T-pose.
 * Left-handed axes, Y up, facing Z, right X (left limbs at negative x), in metres. `rolled` gives
 * every joint another orientation, as real rigs have. */
#ifndef SINEW_TEST_RIG_H
#define SINEW_TEST_RIG_H

#include "check.h"
#include "space.h"

#include <sinew/sinew.h>
#include <stdlib.h>

enum {
    RIG_HIPS, RIG_LEFT_UPPER_LEG, RIG_LEFT_LOWER_LEG, RIG_LEFT_FOOT, RIG_LEFT_TOES,
    RIG_RIGHT_UPPER_LEG, RIG_RIGHT_LOWER_LEG, RIG_RIGHT_FOOT, RIG_RIGHT_TOES,
    RIG_SPINE, RIG_CHEST, RIG_NECK, RIG_HEAD, RIG_HEAD_TOP, RIG_LEFT_EYE, RIG_RIGHT_EYE,
    RIG_LEFT_SHOULDER, RIG_LEFT_UPPER_ARM, RIG_LEFT_LOWER_ARM, RIG_LEFT_HAND,
    RIG_RIGHT_SHOULDER, RIG_RIGHT_UPPER_ARM, RIG_RIGHT_LOWER_ARM, RIG_RIGHT_HAND, RIG_RIGHT_HAND_TIP,
    RIG_JOINTS
};

typedef struct RigJoint {
    const char *name;
    int parent;
    int human; /* a SinewHumanBone, or -1 */
    double at[3]; /* model space */
} RigJoint;

static const RigJoint RIG_TABLE[RIG_JOINTS] = {
    {"Hips", -1, SINEW_HUMAN_BONE_HIPS, {0, 0.954, 0}},
    {"LeftUpperLeg", RIG_HIPS, SINEW_HUMAN_BONE_LEFT_UPPER_LEG, {-0.091, 0.928, 0}},
    {"LeftLowerLeg", RIG_LEFT_UPPER_LEG, SINEW_HUMAN_BONE_LEFT_LOWER_LEG, {-0.091, 0.499, 0.004}},
    {"LeftFoot", RIG_LEFT_LOWER_LEG, SINEW_HUMAN_BONE_LEFT_FOOT, {-0.091, 0.079, -0.021}},
    {"LeftToes", RIG_LEFT_FOOT, SINEW_HUMAN_BONE_LEFT_TOES, {-0.091, 0.021, 0.116}},
    {"RightUpperLeg", RIG_HIPS, SINEW_HUMAN_BONE_RIGHT_UPPER_LEG, {0.091, 0.928, 0}},
    {"RightLowerLeg", RIG_RIGHT_UPPER_LEG, SINEW_HUMAN_BONE_RIGHT_LOWER_LEG, {0.091, 0.499, 0.004}},
    {"RightFoot", RIG_RIGHT_LOWER_LEG, SINEW_HUMAN_BONE_RIGHT_FOOT, {0.091, 0.079, -0.021}},
    {"RightToes", RIG_RIGHT_FOOT, SINEW_HUMAN_BONE_RIGHT_TOES, {0.091, 0.021, 0.116}},
    {"Spine", RIG_HIPS, SINEW_HUMAN_BONE_SPINE, {0, 1.024, -0.007}},
    {"Chest", RIG_SPINE, SINEW_HUMAN_BONE_CHEST, {0, 1.200, -0.014}},
    {"Neck", RIG_CHEST, SINEW_HUMAN_BONE_NECK, {0, 1.479, -0.021}},
    {"Head", RIG_NECK, SINEW_HUMAN_BONE_HEAD, {0, 1.584, -0.004}},
    {"Head top", RIG_HEAD, -1, {0, 1.750, -0.004}},
    {"LeftEye", RIG_HEAD, SINEW_HUMAN_BONE_LEFT_EYE, {-0.032, 1.638, 0.081}},
    {"RightEye", RIG_HEAD, SINEW_HUMAN_BONE_RIGHT_EYE, {0.032, 1.638, 0.081}},
    {"LeftShoulder", RIG_CHEST, SINEW_HUMAN_BONE_LEFT_SHOULDER, {-0.025, 1.421, 0.007}},
    {"LeftUpperArm", RIG_LEFT_SHOULDER, SINEW_HUMAN_BONE_LEFT_UPPER_ARM, {-0.184, 1.421, -0.018}},
    {"LeftLowerArm", RIG_LEFT_UPPER_ARM, SINEW_HUMAN_BONE_LEFT_LOWER_ARM, {-0.509, 1.421, -0.018}},
    {"LeftHand", RIG_LEFT_LOWER_ARM, SINEW_HUMAN_BONE_LEFT_HAND, {-0.765, 1.421, -0.018}},
    {"RightShoulder", RIG_CHEST, SINEW_HUMAN_BONE_RIGHT_SHOULDER, {0.025, 1.421, 0.007}},
    {"RightUpperArm", RIG_RIGHT_SHOULDER, SINEW_HUMAN_BONE_RIGHT_UPPER_ARM, {0.184, 1.421, -0.018}},
    {"RightLowerArm", RIG_RIGHT_UPPER_ARM, SINEW_HUMAN_BONE_RIGHT_LOWER_ARM, {0.509, 1.421, -0.018}},
    {"RightHand", RIG_RIGHT_LOWER_ARM, SINEW_HUMAN_BONE_RIGHT_HAND, {0.765, 1.421, -0.018}},
    {"Right hand tip", RIG_RIGHT_HAND, -1, {0.860, 1.421, -0.018}},
};

typedef struct Rig {
    int32_t parents[RIG_JOINTS];
    const char *names[RIG_JOINTS];
    SinewTransform rest[RIG_JOINTS];
    int32_t human[SINEW_HUMAN_BONE_COUNT];
    SinewSkeleton skeleton;
    SinewAvatar avatar;
} Rig;

/* Fills the tables; makes nothing. */
static void rig_fill(Rig *rig, int rolled)
{
    Quatd model[RIG_JOINTS];
    int j;
    memset(rig, 0, sizeof *rig);
    for (j = 0; j < (int)SINEW_HUMAN_BONE_COUNT; ++j) {
        rig->human[j] = -1;
    }
    for (j = 0; j < RIG_JOINTS; ++j) {
        const RigJoint *joint = &RIG_TABLE[j];
        const double *at = joint->at;
        Vec3d offset = vec3d(at[0], at[1], at[2]);
        Quatd local;
        model[j] = quatd(0, 0, 0, 1);
        if (rolled) {
            model[j] = quatd_about(vec3d(sin(j * 1.7), cos(j * 2.3), sin(j * 0.9 + 1.0)), j * 0.8 + 0.3);
        }
        local = model[j];
        if (joint->parent >= 0) {
            const double *from = RIG_TABLE[joint->parent].at;
            Quatd back = quatd_conjugate(model[joint->parent]);
            offset = quatd_rotate(back, vec3d(at[0] - from[0], at[1] - from[1], at[2] - from[2]));
            local = quatd_mul(back, local);
        }
        rig->parents[j] = joint->parent;
        rig->names[j] = joint->name;
        rig->rest[j].position = to_vec3(offset);
        rig->rest[j].rotation = to_quat(local);
        rig->rest[j].scale = to_vec3(vec3d(1, 1, 1));
        if (joint->human >= 0) {
            rig->human[joint->human] = j;
        }
    }
}

static void rig_must(SinewResult result, const char *what)
{
    if (result != SINEW_OK) {
        const char *text = "";
        (void)sinew_last_error(&text);
        printf("not ok %s: %s gave %d: %s\n", check_test, what, (int)result, text);
        exit(1);
    }
}

static SinewSkeletonDef rig_skeleton_def(const Rig *rig)
{
    SinewSkeletonDef def;
    rig_must(sinew_skeleton_def_default(&def), "sinew_skeleton_def_default");
    def.joint_count = RIG_JOINTS;
    def.parents = rig->parents;
    def.rest = rig->rest;
    def.names = rig->names;
    return def;
}

static SinewAvatarDef rig_avatar_def(const Rig *rig)
{
    SinewAvatarDef def;
    rig_must(sinew_avatar_def_default(&def), "sinew_avatar_def_default");
    def.skeleton = rig->skeleton;
    def.human_joints = rig->human;
    return def;
}

static SinewAnimatorDef rig_animator_def(const Rig *rig)
{
    SinewAnimatorDef def;
    rig_must(sinew_animator_def_default(&def), "sinew_animator_def_default");
    def.skeleton = rig->skeleton;
    def.avatar = rig->avatar;
    return def;
}

/* Skeleton and avatar of the tables. */
CHECK_UNUSED static void rig_create(Rig *rig)
{
    SinewSkeletonDef skeleton_def = rig_skeleton_def(rig);
    SinewAvatarDef avatar_def;
    rig_must(sinew_skeleton_create(&skeleton_def, &rig->skeleton), "sinew_skeleton_create");
    avatar_def = rig_avatar_def(rig);
    rig_must(sinew_avatar_create(&avatar_def, &rig->avatar), "sinew_avatar_create");
}
/* Tables, skeleton and avatar. */
CHECK_UNUSED static void rig_make(Rig *rig, int rolled)
{
    rig_fill(rig, rolled);
    rig_create(rig);
}

CHECK_UNUSED static SinewAnimator rig_animator(const Rig *rig)
{
    SinewAnimatorDef def = rig_animator_def(rig);
    SinewAnimator animator = {0};
    rig_must(sinew_animator_create(&def, &animator), "sinew_animator_create");
    return animator;
}

CHECK_UNUSED static void rig_free(Rig *rig)
{
    rig_must(sinew_avatar_destroy(rig->avatar), "sinew_avatar_destroy");
    rig_must(sinew_skeleton_destroy(rig->skeleton), "sinew_skeleton_destroy");
}

/* The one constraint that the table of calls needs on each animator, a chain to the right hand,
 * added when it is first asked for; the null handle when the animator takes none. Not for several
 * threads. */
enum { RIG_REMEMBERED = 64 };
static struct RigConstraint {
    SinewAnimator animator;
    SinewConstraint constraint;
} rig_constraints[RIG_REMEMBERED];

CHECK_UNUSED static SinewConstraint rig_known_constraint(SinewAnimator animator)
{
    SinewConstraint none = {0};
    uint32_t ends = 0;
    int k;
    for (k = 0; k < RIG_REMEMBERED; ++k) {
        const struct RigConstraint *known = &rig_constraints[k];
        if (known->animator.bits == animator.bits &&
            sinew_animator_get_constraint_end_count(animator, known->constraint, &ends) == SINEW_OK) {
            return known->constraint;
        }
    }
    return none;
}
CHECK_UNUSED static void rig_remember(SinewAnimator animator, SinewConstraint constraint)
{
    static int next;
    int k;
    for (k = 0; k < RIG_REMEMBERED; ++k) {
        if (rig_constraints[k].animator.bits == animator.bits) {
            rig_constraints[k].constraint = constraint;
            return;
        }
    }
    rig_constraints[next].animator = animator;
    rig_constraints[next].constraint = constraint;
    next = (next + 1) % RIG_REMEMBERED;
}
static SinewChainDef rig_chain_def(SinewChainEnd *end)
{
    SinewChainDef def;
    rig_must(sinew_chain_def_default(&def), "sinew_chain_def_default");
    memset(end, 0, sizeof *end);
    end->joint = RIG_RIGHT_HAND;
    def.ends = end;
    def.end_count = 1;
    def.joint_count = 3;
    return def;
}
CHECK_UNUSED static SinewConstraint rig_constraint(SinewAnimator animator)
{
    SinewConstraint constraint = rig_known_constraint(animator);
    SinewChainEnd end;
    SinewChainDef def = rig_chain_def(&end);
    if (constraint.bits == 0 && sinew_animator_add_chain(animator, &def, &constraint) == SINEW_OK) {
        (void)sinew_animator_set_constraint_weight(animator, constraint, 1.0f);
        rig_remember(animator, constraint);
    }
    return constraint;
}
/* The one world that the table of calls needs, made when it is first asked for; the animator is
 * taken in. Not for several threads. */
CHECK_UNUSED static SinewWorld rig_world(SinewAnimator animator)
{
    static SinewWorld world;
    if (world.bits == 0) {
        rig_must(sinew_world_create(&world), "sinew_world_create");
        rig_must(sinew_world_set_arrays(world, SINEW_POSE_ARRAYS_LOCALS_AND_FRAMES), "sinew_world_set_arrays");
    }
    (void)sinew_world_join(world, animator, NULL);
    return world;
}
/* The one body that the table of calls needs on each skeleton, with a task for the right hand and
 * one for the centre of mass, made when it is first used; the null handle when the skeleton is
 * gone. Not for several threads. */
static struct RigBody {
    SinewSkeleton skeleton;
    SinewBody body;
    SinewBodyTask task;
} rig_bodies[RIG_REMEMBERED];

CHECK_UNUSED static SinewBodyTaskDef rig_task_def(void)
{
    SinewBodyTaskDef def;
    rig_must(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &def), "sinew_body_task_default");
    def.joint = RIG_RIGHT_HAND;
    def.point = to_vec3(vec3d(0.05, 0.01, 0));
    def.goal = to_vec3(vec3d(0.3, 1.2, 0.4));
    def.distance = 0.25f;
    return def;
}
CHECK_UNUSED static struct RigBody rig_known_body(const Rig *rig)
{
    static int next;
    struct RigBody made = {{0}, {0}, {0}};
    SinewBodyTaskDef def = rig_task_def();
    SinewBodyTask other;
    int k;
    for (k = 0; k < RIG_REMEMBERED; ++k) {
        if (rig_bodies[k].body.bits != 0 && rig_bodies[k].skeleton.bits == rig->skeleton.bits) {
            return rig_bodies[k];
        }
    }
    made.skeleton = rig->skeleton;
    if (sinew_body_create(rig->skeleton, RIG_HIPS, NULL, &made.body) != SINEW_OK) {
        return made;
    }
    (void)sinew_body_set_human_masses(made.body, rig->avatar);
    rig_must(sinew_body_add_task(made.body, &def, &made.task), "sinew_body_add_task");
    rig_must(sinew_body_task_default(SINEW_BODY_TASK_KIND_CENTER_OF_MASS, &def), "sinew_body_task_default");
    def.goal = to_vec3(vec3d(0.05, 0, 0));
    def.axes = SINEW_BODY_AXIS_X | SINEW_BODY_AXIS_Z;
    def.level = 1;
    rig_must(sinew_body_add_task(made.body, &def, &other), "sinew_body_add_task");
    if (rig_bodies[next].body.bits != 0) {
        rig_must(sinew_body_destroy(rig_bodies[next].body), "sinew_body_destroy");
    }
    rig_bodies[next] = made;
    next = (next + 1) % RIG_REMEMBERED;
    return made;
}
CHECK_UNUSED static SinewBody rig_body(const Rig *rig) { return rig_known_body(rig).body; }
CHECK_UNUSED static SinewBodyTask rig_body_task(const Rig *rig) { return rig_known_body(rig).task; }
/* Limits with everything given. */
CHECK_UNUSED static SinewJointLimits rig_limits(void)
{
    SinewJointLimits limits;
    rig_must(sinew_joint_limits_default(&limits), "sinew_joint_limits_default");
    limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
    limits.frame = to_quat(quatd_about(vec3d(1, 0.2, -0.4), 0.6));
    limits.min_rad = to_vec3(vec3d(-1.5, -1, -2));
    limits.max_rad = to_vec3(vec3d(1, 1.25, 1.5));
    limits.stiffness = to_vec3(vec3d(0.25, 0, 0.5));
    limits.soft_rad = 0.125f;
    limits.preferred_bend = to_vec3(vec3d(1, 0, 0));
    limits.stretch_min = 0.75f;
    limits.stretch_max = 1.25f;
    limits.stretch_compliance = 0.5f;
    return limits;
}

/* A pose that is not the rest pose: every limb a little bent, reproducible. */
CHECK_UNUSED static void rig_bent_pose(const Rig *rig, double amount, SinewTransform *pose)
{
    int j;
    for (j = 0; j < RIG_JOINTS; ++j) {
        Quatd turn = quatd_about(vec3d(cos(j * 1.3), sin(j * 0.7), cos(j * 2.1 + 0.5)), amount * sin(j * 1.9 + 0.4));
        pose[j] = rig->rest[j];
        pose[j].rotation = to_quat(quatd_mul(from_quat(rig->rest[j].rotation), turn));
    }
}

#endif
