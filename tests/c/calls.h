/* Every function of sinew.h in one table, so that "every function refuses a null handle" is a loop.
 * run.sh fails when a function of the header is missing here.
 *
 * A row says which handle the function takes, what its first pointer leads to if that is an input,
 * how many pointers there are and which may be NULL, which integer it takes, how many plain floats,
 * and what its length argument must be. */
#ifndef SINEW_TEST_CALLS_H
#define SINEW_TEST_CALLS_H

#include "rig.h"

/* H_CONSTRAINT: an animator and one of its constraints. H_MEMBER: a world and an animator in it.
 * H_BODY_TASK: a body and one of its tasks. */
typedef enum HandleKind {
    H_NONE, H_SKELETON, H_AVATAR, H_ANIMATOR, H_CONSTRAINT, H_WORLD, H_MEMBER, H_BODY, H_BODY_TASK, H_GROUNDER
} HandleKind;
typedef enum InKind {
    I_NONE, I_NAME, I_VEC3, I_QUAT, I_TRANSFORM, I_POSE, I_INPUT, I_HANDLES, I_SKELETON_DEF, I_AVATAR_DEF, I_ANIMATOR_DEF,
    I_CHAIN_DEF, I_TWO_BONE_DEF, I_COPY_ROTATION_DEF, I_AIM_DEF, I_SPLINE_DEF, I_AXIS, I_CONSTRAINT_GOAL, I_POLE, I_LIMITS,
    I_SETTINGS, I_MATCH_TARGET, I_WORLD_FRAME, I_TWO_BONE_JOB, I_JOINT_LIMB_JOB, I_SNAPSHOT, I_AIM_JOB, I_BODY_SETTINGS,
    I_BODY_TASK, I_BODY_SNAPSHOT, I_MAPPING_HINTS, I_CHAIN_JOB, I_BODY_SOLVER, I_BODY_EFFECTOR, I_PRIORITY,
    I_GROUND /* see grounder_calls.h */
} InKind;
typedef enum IndexKind { X_NONE, X_GOAL, X_HINT, X_BONE, X_JOINT, X_RESULT, X_END, X_MODE, X_TARGET, X_ARRAYS, X_TASK_KIND, X_EFFECTOR,
    X_LAYOUT } IndexKind;
typedef enum CountKind { C_NONE, C_JOINTS, C_BONES, C_LINES, C_BATCH, C_BYTES } CountKind;
/* E_SETS_UP: not a call of a frame; it may allocate. */
typedef enum Effect { E_NONE, E_DESTROYS, E_SETS_UP } Effect;

enum { SCRATCH_BYTES = 16384, LINE_ROOM = 400 };

/* What a function is called with; each takes what it needs. */
typedef struct Args {
    SinewSkeleton s;
    SinewAvatar v;
    SinewAnimator a;
    SinewConstraint k;
    SinewWorld w;
    SinewBody b;
    SinewBodyTask t;
    int32_t i;
    uint32_t n;
    float f[5];
    SinewGrounder g;
    void *p[6];
} Args;

typedef struct Call {
    const char *name;
    SinewResult (*run)(const Args *);
    HandleKind handle;
    InKind in;
    int pointers;
    unsigned optional; /* bit k: p[k] may be NULL */
    IndexKind index;
    int floats;
    CountKind count;
    Effect effect;
} Call;

#include "grounder_calls.h"

static void ignore_line(void *user, const SinewVec3 *from, const SinewVec3 *to, int32_t part)
{
    (void)user, (void)from, (void)to, (void)part;
}
/* What is made is destroyed at once. */
static SinewResult make_skeleton(const SinewSkeletonDef *def, SinewSkeleton *out)
{
    SinewResult result = sinew_skeleton_create(def, out);
    return result == SINEW_OK ? sinew_skeleton_destroy(*out) : result;
}
static SinewResult make_avatar(const SinewAvatarDef *def, SinewAvatar *out)
{
    SinewResult result = sinew_avatar_create(def, out);
    return result == SINEW_OK ? sinew_avatar_destroy(*out) : result;
}
static SinewResult make_animator(const SinewAnimatorDef *def, SinewAnimator *out)
{
    SinewResult result = sinew_animator_create(def, out);
    return result == SINEW_OK ? sinew_animator_destroy(*out) : result;
}
static SinewResult make_world(SinewWorld *out)
{
    SinewResult result = sinew_world_create(out);
    return result == SINEW_OK ? sinew_world_destroy(*out) : result;
}
/* Leave and join again; the row is the same when no other animator joins in between. */
static SinewResult join_again(SinewWorld world, SinewAnimator animator, uint32_t *out)
{
    SinewResult result = sinew_world_join(world, animator, out);
    if (result == SINEW_ERROR_ALREADY_MEMBER && sinew_world_leave(world, animator) == SINEW_OK) {
        result = sinew_world_join(world, animator, out);
    }
    return result;
}
static SinewResult leave_for_a_while(SinewWorld world, SinewAnimator animator)
{
    SinewResult result = sinew_world_leave(world, animator);
    return result == SINEW_OK ? sinew_world_join(world, animator, NULL) : result;
}
static void *enqueue_nothing(void *user, SinewJob job, uint32_t count, uint32_t grain)
{
    (void)user, (void)job, (void)count, (void)grain;
    return NULL;
}
static void wait_for_nothing(void *user, void *task) { (void)user, (void)task; }
static double no_time(void *user)
{
    (void)user;
    return 0;
}
/* A job that is over: what every job is once sinew_world_solve has returned. */
static SinewResult run_no_job(void)
{
    SinewJob over = {5};
    SinewResult result = sinew_job_run(over, 0, 1);
    return result == SINEW_ERROR_INVALID_HANDLE ? SINEW_OK : result == SINEW_OK ? SINEW_ERROR_PANIC : result;
}
static SinewResult make_chain(SinewAnimator animator, const SinewChainDef *def, SinewConstraint *out)
{
    SinewResult result = sinew_animator_add_chain(animator, def, out);
    return result == SINEW_OK ? sinew_animator_remove_constraint(animator, *out) : result;
}
static SinewResult make_two_bone(SinewAnimator animator, const SinewTwoBoneDef *def, SinewConstraint *out)
{
    SinewResult result = sinew_animator_add_two_bone(animator, def, out);
    return result == SINEW_OK ? sinew_animator_remove_constraint(animator, *out) : result;
}
static SinewResult make_copy_rotation(SinewAnimator animator, const SinewCopyRotationDef *def, SinewConstraint *out)
{
    SinewResult result = sinew_animator_add_copy_rotation(animator, def, out);
    return result == SINEW_OK ? sinew_animator_remove_constraint(animator, *out) : result;
}
static SinewResult make_aim(SinewAnimator animator, const SinewAimDef *def, SinewConstraint *out)
{
    SinewResult result = sinew_animator_add_aim(animator, def, out);
    return result == SINEW_OK ? sinew_animator_remove_constraint(animator, *out) : result;
}
static SinewResult make_spline(SinewAnimator animator, const SinewSplineDef *def, SinewConstraint *out)
{
    SinewResult result = sinew_animator_add_spline(animator, def, out);
    return result == SINEW_OK ? sinew_animator_remove_constraint(animator, *out) : result;
}

static SinewResult make_body(SinewSkeleton skeleton, const SinewBodySettings *settings, SinewBody *out)
{
    SinewResult result = sinew_body_create(skeleton, 0, settings, out);
    return result == SINEW_OK ? sinew_body_destroy(*out) : result;
}
static SinewResult make_task(SinewBody body, const SinewBodyTaskDef *def, SinewBodyTask *out)
{
    SinewResult result = sinew_body_add_task(body, def, out);
    return result == SINEW_OK ? sinew_body_remove_task(body, *out) : result;
}

#include "documented.h"

#define P0 (c->p[0])
#define P1 (c->p[1])
#define P2 (c->p[2])
#define JOINT ((uint32_t)c->i)

/* name, call, handle, in, pointers, optional, index, floats, count, effect */
#define SINEW_CALLS(X)                                                                                                   \
    X(version, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                                    \
    X(result_text, (c->i, P0), H_NONE, I_NONE, 1, 0, X_RESULT, 0, C_NONE, E_NONE)                                        \
    X(last_error, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                                 \
    X(skeleton_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(skeleton_destroy, (c->s), H_SKELETON, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)                                 \
    X(skeleton_get_joint_count, (c->s, P0), H_SKELETON, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                         \
    X(skeleton_find_joint, (c->s, P0, P1), H_SKELETON, I_NAME, 2, 0, X_NONE, 0, C_NONE, E_NONE)                          \
    X(skeleton_get_parent, (c->s, JOINT, P0), H_SKELETON, I_NONE, 1, 0, X_JOINT, 0, C_NONE, E_NONE)                      \
    X(skeleton_get_rest, (c->s, JOINT, P0), H_SKELETON, I_NONE, 1, 0, X_JOINT, 0, C_NONE, E_NONE)                        \
    X(skeleton_map_human_names, (c->s, P0, c->n, P1), H_SKELETON, I_NONE, 2, 2, X_NONE, 0, C_BONES, E_NONE)              \
    X(skeleton_map_human_bones, (c->s, P0, c->n, P1), H_SKELETON, I_NONE, 2, 2, X_NONE, 0, C_BONES, E_NONE)              \
    X(mapping_hints_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                      \
    X(skeleton_map_with_report, (c->s, P0, P1, c->n, P2), H_SKELETON, I_MAPPING_HINTS, 3, 5, X_NONE, 0, C_BONES, E_SETS_UP) \
    X(skeleton_get_mapping_text, (c->s, P0, P1, c->n, P2), H_SKELETON, I_MAPPING_HINTS, 3, 1, X_NONE, 0, C_BYTES, E_SETS_UP) \
    X(avatar_get_t_pose, (c->v, P0, c->n), H_AVATAR, I_NONE, 1, 0, X_NONE, 0, C_JOINTS, E_NONE)                          \
    X(avatar_get_human_range, (c->v, c->i, P0), H_AVATAR, I_NONE, 1, 0, X_BONE, 0, C_NONE, E_NONE)                       \
    X(avatar_get_goal_constants, (c->v, c->i, P0, P1), H_AVATAR, I_NONE, 2, 3, X_GOAL, 0, C_NONE, E_NONE)                \
    X(avatar_get_human_scale, (c->v, P0), H_AVATAR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                             \
    X(animator_get_model_frames, (c->a, P0, c->n), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_JOINTS, E_NONE)                \
    X(animator_get_gaze, (c->a, P0, P1), H_ANIMATOR, I_NONE, 2, 3, X_NONE, 0, C_NONE, E_NONE)                            \
    X(animator_set_iteration_scale, (c->a, c->f[0]), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE)                \
    X(animator_get_iteration_scale, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                     \
    X(animator_set_max_work, (c->a, c->n), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                          \
    X(animator_get_max_work, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                            \
    X(animator_get_model_matrices, (c->a, c->i, P0, c->n), H_ANIMATOR, I_NONE, 1, 0, X_LAYOUT, 0, C_JOINTS, E_NONE)      \
    X(animator_get_world_matrices, (c->a, c->i, P0, c->n), H_ANIMATOR, I_NONE, 1, 0, X_LAYOUT, 0, C_JOINTS, E_NONE)      \
    X(animator_hash, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                    \
    X(animator_get_constraints, (c->a, P0, c->n, P1), H_ANIMATOR, I_NONE, 2, 0, X_NONE, 0, C_LINES, E_NONE)              \
    X(world_hash, (c->w, P0), H_WORLD, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                          \
    X(skeleton_get_joint_name, (c->s, JOINT, P0, c->n, P1), H_SKELETON, I_NONE, 2, 0, X_JOINT, 0, C_BYTES, E_NONE)       \
    X(chain_job_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                          \
    X(avatar_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                         \
    X(avatar_destroy, (c->v), H_AVATAR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)                                     \
    X(avatar_get_bone_joint, (c->v, c->i, P0), H_AVATAR, I_NONE, 1, 0, X_BONE, 0, C_NONE, E_NONE)                        \
    X(avatar_get_axes, (c->v, P0, P1, P2), H_AVATAR, I_NONE, 3, 7, X_NONE, 0, C_NONE, E_NONE)                            \
    X(human_bone_from_name, (P0, P1), H_NONE, I_NAME, 2, 0, X_NONE, 0, C_NONE, E_NONE)                                   \
    X(humanoid_input_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                     \
    X(animator_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(animator_destroy, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)                                 \
    X(animator_get_pose_buffer, (c->a, P0, P1), H_ANIMATOR, I_NONE, 2, 2, X_NONE, 0, C_NONE, E_NONE)                     \
    X(animator_set_pose, (c->a, P0, c->n), H_ANIMATOR, I_POSE, 1, 0, X_NONE, 0, C_JOINTS, E_NONE)                        \
    X(animator_get_pose, (c->a, P0, c->n), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_JOINTS, E_NONE)                        \
    X(animator_reset_pose, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                  \
    X(animator_set_root, (c->a, P0), H_ANIMATOR, I_TRANSFORM, 1, 0, X_NONE, 0, C_NONE, E_NONE)                           \
    X(animator_get_root, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                \
    X(animator_solve, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(two_bone_job_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(two_bone_solve, (P0, P1), H_NONE, I_TWO_BONE_JOB, 2, 0, X_NONE, 0, C_NONE, E_NONE)                                 \
    X(two_bone_solve_batch, (P0, c->n, P1), H_NONE, I_TWO_BONE_JOB, 2, 0, X_NONE, 0, C_BATCH, E_NONE)                    \
    X(joint_limb_job_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                     \
    X(joint_limb_solve, (P0, P1), H_NONE, I_JOINT_LIMB_JOB, 2, 0, X_NONE, 0, C_NONE, E_NONE)                             \
    X(joint_limb_solve_batch, (P0, c->n, P1), H_NONE, I_JOINT_LIMB_JOB, 2, 0, X_NONE, 0, C_BATCH, E_NONE)                \
    X(aim_job_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                            \
    X(aim_solve, (P0, P1), H_NONE, I_AIM_JOB, 2, 0, X_NONE, 0, C_NONE, E_NONE)                                           \
    X(aim_solve_batch, (P0, c->n, P1), H_NONE, I_AIM_JOB, 2, 0, X_NONE, 0, C_BATCH, E_NONE)                              \
    X(animator_solve_batch, (P0, c->n, P1), H_NONE, I_HANDLES, 2, 2, X_NONE, 0, C_BATCH, E_NONE)                         \
    X(animator_get_ik_outcome, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                    \
    X(animator_get_look_at_outcome, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                     \
    X(animator_get_joint_world, (c->a, JOINT, P0, P1), H_ANIMATOR, I_NONE, 2, 3, X_JOINT, 0, C_NONE, E_NONE)             \
    X(animator_draw, (c->a, P0 ? ignore_line : NULL, P1), H_ANIMATOR, I_NONE, 2, 2, X_NONE, 0, C_NONE, E_NONE)           \
    X(animator_get_debug_lines, (c->a, P0, c->n, P1), H_ANIMATOR, I_NONE, 2, 0, X_NONE, 0, C_LINES, E_NONE)              \
    X(animator_set_ik_position, (c->a, c->i, P0), H_ANIMATOR, I_VEC3, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                   \
    X(animator_get_ik_position, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                   \
    X(animator_set_ik_rotation, (c->a, c->i, P0), H_ANIMATOR, I_QUAT, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                   \
    X(animator_get_ik_rotation, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                   \
    X(animator_set_ik_rotation_bone, (c->a, c->i, P0), H_ANIMATOR, I_QUAT, 1, 0, X_GOAL, 0, C_NONE, E_NONE)              \
    X(animator_get_ik_rotation_bone, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)              \
    X(animator_set_ik_position_weight, (c->a, c->i, c->f[0]), H_ANIMATOR, I_NONE, 0, 0, X_GOAL, 1, C_NONE, E_NONE)       \
    X(animator_get_ik_position_weight, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)            \
    X(animator_set_ik_rotation_weight, (c->a, c->i, c->f[0]), H_ANIMATOR, I_NONE, 0, 0, X_GOAL, 1, C_NONE, E_NONE)       \
    X(animator_get_ik_rotation_weight, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)            \
    X(animator_set_ik_hint_position, (c->a, c->i, P0), H_ANIMATOR, I_VEC3, 1, 0, X_HINT, 0, C_NONE, E_NONE)              \
    X(animator_get_ik_hint_position, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_HINT, 0, C_NONE, E_NONE)              \
    X(animator_set_ik_hint_position_weight, (c->a, c->i, c->f[0]), H_ANIMATOR, I_NONE, 0, 0, X_HINT, 1, C_NONE, E_NONE)  \
    X(animator_get_ik_hint_position_weight, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_HINT, 0, C_NONE, E_NONE)       \
    X(animator_set_ik_goal_space, (c->a, c->i, -1), H_ANIMATOR, I_NONE, 0, 0, X_GOAL, 0, C_NONE, E_SETS_UP)              \
    X(animator_get_ik_goal_space, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                 \
    X(animator_set_ik_effector_point, (c->a, c->i, P0), H_ANIMATOR, I_VEC3, 1, 0, X_GOAL, 0, C_NONE, E_SETS_UP)          \
    X(animator_get_ik_effector_point, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)             \
    X(animator_set_look_at_position, (c->a, P0), H_ANIMATOR, I_VEC3, 1, 0, X_NONE, 0, C_NONE, E_NONE)                    \
    X(animator_get_look_at_position, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                    \
    X(animator_set_look_at_weight, (c->a, c->f[0], c->f[1], c->f[2], c->f[3], c->f[4]), H_ANIMATOR, I_NONE, 0, 0,        \
      X_NONE, 5, C_NONE, E_NONE)                                                                                         \
    X(animator_get_look_at_weight, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                      \
    X(animator_set_body_position, (c->a, P0), H_ANIMATOR, I_VEC3, 1, 0, X_NONE, 0, C_NONE, E_NONE)                       \
    X(animator_get_body_position, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                       \
    X(animator_set_body_rotation, (c->a, P0), H_ANIMATOR, I_QUAT, 1, 0, X_NONE, 0, C_NONE, E_NONE)                       \
    X(animator_get_body_rotation, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                       \
    X(animator_clear_body, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                  \
    X(animator_set_bone_local_rotation, (c->a, c->i, P0), H_ANIMATOR, I_QUAT, 1, 0, X_BONE, 0, C_NONE, E_NONE)           \
    X(animator_get_bone_local_rotation, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_BONE, 0, C_NONE, E_NONE)           \
    X(animator_clear_bone_local_rotations, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                  \
    X(animator_reset_ik, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                    \
    X(animator_set_input, (c->a, P0), H_ANIMATOR, I_INPUT, 1, 0, X_NONE, 0, C_NONE, E_NONE)                              \
    X(animator_get_input, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                               \
    X(animator_get_is_human, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                            \
    X(animator_get_human_scale, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                         \
    X(animator_get_left_feet_bottom_height, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)             \
    X(animator_get_right_feet_bottom_height, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)            \
    X(animator_get_bone_joint, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_BONE, 0, C_NONE, E_NONE)                    \
    X(humanoid_settings_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                  \
    X(animator_set_settings, (c->a, P0), H_ANIMATOR, I_SETTINGS, 1, 0, X_NONE, 0, C_NONE, E_SETS_UP)                     \
    X(animator_get_settings, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                            \
    X(animator_advance, (c->a, c->f[0]), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE)                            \
    X(animator_inertialize, (c->a, c->i), H_ANIMATOR, I_NONE, 0, 0, X_GOAL, 0, C_NONE, E_NONE)                          \
    X(animator_get_is_inertializing, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)                  \
    X(animator_inertialize_look_at, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                             \
    X(animator_get_is_look_at_inertializing, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                \
    X(body_solver_settings_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                               \
    X(animator_set_body_solver, (c->a, P0), H_ANIMATOR, I_BODY_SOLVER, 1, 0, X_NONE, 0, C_NONE, E_SETS_UP)               \
    X(animator_get_body_solver, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                         \
    X(animator_set_body_effector, (c->a, c->i, P0), H_ANIMATOR, I_BODY_EFFECTOR, 1, 0, X_EFFECTOR, 0, C_NONE, E_NONE)    \
    X(animator_get_body_effector, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_EFFECTOR, 0, C_NONE, E_NONE)             \
    X(animator_set_ik_goal_priority, (c->a, c->i, P0), H_ANIMATOR, I_PRIORITY, 1, 0, X_GOAL, 0, C_NONE, E_SETS_UP)       \
    X(animator_get_ik_goal_priority, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_GOAL, 0, C_NONE, E_NONE)              \
    X(animator_set_body_effector_priority, (c->a, c->i, P0), H_ANIMATOR, I_PRIORITY, 1, 0, X_EFFECTOR, 0, C_NONE,        \
      E_SETS_UP)                                                                                                         \
    X(animator_get_body_effector_priority, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_EFFECTOR, 0, C_NONE, E_NONE)    \
    X(animator_get_body_outcome, (c->a, P0), H_ANIMATOR, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                        \
    X(animator_get_body_effector_outcome, (c->a, c->i, P0), H_ANIMATOR, I_NONE, 1, 0, X_EFFECTOR, 0, C_NONE, E_NONE)     \
    X(human_range_default, (c->i, P0), H_NONE, I_NONE, 1, 0, X_BONE, 0, C_NONE, E_NONE)                                  \
    X(match_target_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(animator_match_target, (c->a, P0, c->f[0], c->f[1], P1), H_ANIMATOR, I_MATCH_TARGET, 2, 0,                         \
      X_NONE, 2, C_NONE, E_NONE)                                                                                         \
    X(animator_get_target_pose, (c->a, c->i, P0, P1), H_ANIMATOR, I_NONE, 2, 3, X_TARGET, 0, C_NONE, E_NONE)             \
    X(animator_match_goals_from_pose, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                       \
    X(animator_match_pose_from_goals, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                       \
    X(chain_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                          \
    X(two_bone_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(copy_rotation_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                  \
    X(aim_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                            \
    X(spline_def_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                         \
    X(constraint_goal_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                    \
    X(pole_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                               \
    X(joint_limits_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                       \
    X(animator_remove_constraint, (c->a, c->k), H_CONSTRAINT, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)               \
    X(animator_set_constraint_weight, (c->a, c->k, c->f[0]), H_CONSTRAINT, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE)      \
    X(animator_get_constraint_weight, (c->a, c->k, P0), H_CONSTRAINT, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)           \
    X(animator_get_constraint_end_count, (c->a, c->k, P0), H_CONSTRAINT, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)        \
    X(animator_get_constraint_bend_is_arbitrary, (c->a, c->k, P0), H_CONSTRAINT, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE) \
    X(animator_set_constraint_position, (c->a, c->k, JOINT, P0), H_CONSTRAINT, I_VEC3, 1, 0, X_END, 0, C_NONE, E_NONE)   \
    X(animator_set_constraint_rotation, (c->a, c->k, JOINT, P0), H_CONSTRAINT, I_QUAT, 1, 0, X_END, 0, C_NONE, E_NONE)   \
    X(animator_set_constraint_axis, (c->a, c->k, JOINT, P0, P1), H_CONSTRAINT, I_AXIS, 2, 0, X_END, 0, C_NONE, E_NONE)   \
    X(animator_set_constraint_position_weight, (c->a, c->k, JOINT, c->f[0]), H_CONSTRAINT, I_NONE, 0, 0,                 \
      X_END, 1, C_NONE, E_NONE)                                                                                          \
    X(animator_set_constraint_rotation_weight, (c->a, c->k, JOINT, c->f[0]), H_CONSTRAINT, I_NONE, 0, 0,                 \
      X_END, 1, C_NONE, E_NONE)                                                                                          \
    X(animator_set_constraint_importance, (c->a, c->k, JOINT, c->f[0], c->f[1]), H_CONSTRAINT, I_NONE, 0, 0,             \
      X_END, 2, C_NONE, E_NONE)                                                                                          \
    X(animator_set_constraint_distance, (c->a, c->k, 0, c->i, c->f[0]), H_CONSTRAINT, I_NONE, 0, 0,                      \
      X_MODE, 1, C_NONE, E_NONE)                                                                                         \
    X(animator_clear_constraint_goal, (c->a, c->k, JOINT), H_CONSTRAINT, I_NONE, 0, 0, X_END, 0, C_NONE, E_NONE)         \
    X(animator_set_constraint_goal, (c->a, c->k, JOINT, P0), H_CONSTRAINT, I_CONSTRAINT_GOAL, 1, 0,                      \
      X_END, 0, C_NONE, E_NONE)                                                                                          \
    X(animator_get_constraint_goal, (c->a, c->k, JOINT, P0), H_CONSTRAINT, I_NONE, 1, 0, X_END, 0, C_NONE, E_NONE)       \
    X(animator_set_constraint_pole, (c->a, c->k, P0), H_CONSTRAINT, I_POLE, 1, 1, X_NONE, 0, C_NONE, E_NONE)             \
    X(animator_get_constraint_pole, (c->a, c->k, P0, P1), H_CONSTRAINT, I_NONE, 2, 2, X_NONE, 0, C_NONE, E_NONE)         \
    X(animator_compute_pole_angle, (c->a, c->k, P0, P1), H_CONSTRAINT, I_POLE, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP)        \
    X(animator_get_constraint_outcome, (c->a, c->k, P0), H_CONSTRAINT, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)          \
    X(animator_set_constraint_placement, (c->a, c->k, c->i, 6), H_CONSTRAINT, I_NONE, 0, 0, X_MODE, 0, C_NONE, E_NONE)   \
    X(animator_get_constraint_placement, (c->a, c->k, P0, P1), H_CONSTRAINT, I_NONE, 2, 0, X_NONE, 0, C_NONE, E_NONE)    \
    X(animator_set_constraint_inertialization_time, (c->a, c->k, c->f[0]), H_CONSTRAINT, I_NONE, 0, 0, X_NONE, 1,            \
      C_NONE, E_SETS_UP)                                                                                                 \
    X(animator_get_constraint_inertialization_time, (c->a, c->k, P0), H_CONSTRAINT, I_NONE, 1, 0, X_NONE, 0, C_NONE,     \
      E_NONE)                                                                                                            \
    X(animator_inertialize_constraint, (c->a, c->k), H_CONSTRAINT, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)              \
    X(animator_get_constraint_is_inertializing, (c->a, c->k, P0), H_CONSTRAINT, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE) \
    X(animator_reset_state, (c->a), H_ANIMATOR, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                 \
    X(animator_snapshot, (c->a, P0, c->n, P1), H_ANIMATOR, I_NONE, 2, 0, X_NONE, 0, C_BYTES, E_NONE)                     \
    X(animator_restore, (c->a, P0, c->n), H_ANIMATOR, I_SNAPSHOT, 1, 0, X_NONE, 0, C_BYTES, E_NONE)                      \
    X(animator_set_joint_limits, (c->a, JOINT, P0), H_ANIMATOR, I_LIMITS, 1, 1, X_JOINT, 0, C_NONE, E_SETS_UP)           \
    X(animator_get_joint_limits, (c->a, JOINT, P0), H_ANIMATOR, I_NONE, 1, 0, X_JOINT, 0, C_NONE, E_NONE)                \
    X(animator_get_joint_violation, (c->a, JOINT, P0), H_ANIMATOR, I_NONE, 1, 0, X_JOINT, 0, C_NONE, E_NONE)             \
    X(world_frame_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                        \
    X(world_destroy, (c->w), H_WORLD, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)                                       \
    X(world_get_count, (c->w, P0), H_WORLD, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                     \
    X(world_get_row_count, (c->w, P0), H_WORLD, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                 \
    X(world_get_row, (c->w, c->a, P0), H_MEMBER, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                \
    X(world_get_animator, (c->w, 0, P0), H_WORLD, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                               \
    X(world_set_lod_full, (c->w, c->a), H_MEMBER, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                               \
    X(world_set_lod_iterations, (c->w, c->a, c->f[0]), H_MEMBER, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE)                \
    X(world_set_lod_interval, (c->w, c->a, 2), H_MEMBER, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                        \
    X(world_set_lod_off, (c->w, c->a), H_MEMBER, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                \
    X(world_get_lod, (c->w, c->a, P0, P1, P2), H_MEMBER, I_NONE, 3, 6, X_NONE, 0, C_NONE, E_NONE)                        \
    X(world_set_arrays, (c->w, c->i), H_WORLD, I_NONE, 0, 0, X_ARRAYS, 0, C_NONE, E_SETS_UP)                             \
    X(world_get_arrays, (c->w, c->a, P0), H_MEMBER, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                             \
    X(world_solve, (c->w, P0, P1), H_WORLD, I_WORLD_FRAME, 2, 3, X_NONE, 0, C_NONE, E_NONE)                              \
    X(world_set_jobs, (c->w, P0 ? enqueue_nothing : NULL, P0 ? wait_for_nothing : NULL, P1), H_WORLD, I_NONE, 2, 3,      \
      X_NONE, 0, C_NONE, E_SETS_UP)                                                                                      \
    X(world_set_threads, (c->w, c->n), H_WORLD, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_SETS_UP)                              \
    X(world_set_budget, (c->w, c->f[0], P0 ? no_time : NULL, P1), H_WORLD, I_NONE, 2, 3, X_NONE, 1, C_NONE, E_SETS_UP) \
    X(body_settings_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                      \
    X(body_destroy, (c->b), H_BODY, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)                                         \
    X(body_set_settings, (c->b, P0), H_BODY, I_BODY_SETTINGS, 1, 0, X_NONE, 0, C_NONE, E_NONE)                           \
    X(body_get_settings, (c->b, P0), H_BODY, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                    \
    X(body_set_root, (c->b, P0), H_BODY, I_TRANSFORM, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                   \
    X(body_get_root, (c->b, P0), H_BODY, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                        \
    X(body_set_joint_limits, (c->b, JOINT, P0), H_BODY, I_LIMITS, 1, 1, X_JOINT, 0, C_NONE, E_SETS_UP)                   \
    X(body_get_joint_limits, (c->b, JOINT, P0), H_BODY, I_NONE, 1, 0, X_JOINT, 0, C_NONE, E_NONE)                        \
    X(body_set_mass, (c->b, JOINT, c->f[0], P0), H_BODY, I_VEC3, 1, 1, X_JOINT, 1, C_NONE, E_NONE)                       \
    X(joint_coupling_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                     \
    X(body_get_joint_coupling, (c->b, JOINT, P0), H_BODY, I_NONE, 1, 0, X_JOINT, 0, C_NONE, E_NONE)                      \
    X(body_get_mass, (c->b, JOINT, P0, P1), H_BODY, I_NONE, 2, 3, X_JOINT, 0, C_NONE, E_NONE)                            \
    X(body_set_max_work, (c->b, c->n), H_BODY, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                  \
    X(body_get_max_work, (c->b, P0), H_BODY, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                    \
    X(body_set_human_masses, (c->b, c->v), H_BODY, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                              \
    X(body_set_human_ranges, (c->b, c->v), H_BODY, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                              \
    X(body_drag_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                          \
    X(body_work_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                          \
    X(body_tie_default, (P0), H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                           \
    X(body_task_default, (c->i, P0), H_NONE, I_NONE, 1, 0, X_TASK_KIND, 0, C_NONE, E_NONE)                               \
    X(body_remove_task, (c->b, c->t), H_BODY_TASK, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_DESTROYS)                          \
    X(body_set_task, (c->b, c->t, P0), H_BODY_TASK, I_BODY_TASK, 1, 0, X_NONE, 0, C_NONE, E_NONE)                        \
    X(body_get_task, (c->b, c->t, P0), H_BODY_TASK, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                             \
    X(body_set_task_goal, (c->b, c->t, P0), H_BODY_TASK, I_VEC3, 1, 0, X_NONE, 0, C_NONE, E_NONE)                        \
    X(body_set_task_rotation, (c->b, c->t, P0), H_BODY_TASK, I_QUAT, 1, 0, X_NONE, 0, C_NONE, E_NONE)                    \
    X(body_set_task_blend, (c->b, c->t, c->f[0]), H_BODY_TASK, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE)                  \
    X(body_solve, (c->b, P0, c->n, c->f[0], P1), H_BODY, I_POSE, 2, 2, X_NONE, 1, C_JOINTS, E_NONE)                      \
    X(body_get_outcome, (c->b, P0), H_BODY, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                                     \
    X(body_get_task_outcome, (c->b, c->t, P0), H_BODY_TASK, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                     \
    X(body_get_limited_joints, (c->b, c->t, P0, c->n, P1), H_BODY, I_NONE, 2, 1, X_NONE, 0, C_LINES, E_NONE)             \
    X(body_get_center_of_mass, (c->b, P0), H_BODY, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE)                              \
    X(body_reset, (c->b), H_BODY, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE)                                               \
    X(body_snapshot, (c->b, P0, c->n, P1), H_BODY, I_NONE, 2, 0, X_NONE, 0, C_BYTES, E_NONE)                             \
    X(body_restore, (c->b, P0, c->n), H_BODY, I_BODY_SNAPSHOT, 1, 0, X_NONE, 0, C_BYTES, E_NONE)                         \
    X(body_get_debug_lines, (c->b, P0, c->n, P1), H_BODY, I_NONE, 2, 0, X_NONE, 0, C_LINES, E_NONE)

#define CALL_FUNCTION(name, args, h, in, pointers, optional, index, floats, count, effect) \
    static SinewResult call_##name(const Args *c)                                          \
    {                                                                                      \
        (void)c;                                                                           \
        return noted("sinew_" #name, sinew_##name args);                                   \
    }
#define CALL_ROW(name, args, h, in, pointers, optional, index, floats, count, effect) \
    {"sinew_" #name, call_##name, h, in, pointers, optional, index, floats, count, effect},
SINEW_CALLS(CALL_FUNCTION)

/* The makers (their result is destroyed again) and the askers (which take any handle and never
 * fail) need their own rows. */
static SinewResult call_skeleton_create(const Args *c) { return make_skeleton(P0, P1); }
static SinewResult call_avatar_create(const Args *c) { return make_avatar(P0, P1); }
static SinewResult call_animator_create(const Args *c) { return make_animator(P0, P1); }
static SinewResult call_add_chain(const Args *c) { return make_chain(c->a, P0, P1); }
static SinewResult call_add_two_bone(const Args *c) { return make_two_bone(c->a, P0, P1); }
static SinewResult call_add_copy_rotation(const Args *c) { return make_copy_rotation(c->a, P0, P1); }
static SinewResult call_add_aim(const Args *c) { return make_aim(c->a, P0, P1); }
static SinewResult call_add_spline(const Args *c) { return make_spline(c->a, P0, P1); }
static SinewResult call_world_create(const Args *c) { return make_world(P0); }
static SinewResult call_world_join(const Args *c) { return join_again(c->w, c->a, P0); }
static SinewResult call_world_leave(const Args *c) { return leave_for_a_while(c->w, c->a); }
static SinewResult call_world_is_valid(const Args *c) { return sinew_world_is_valid(c->w, P0); }
static SinewResult call_body_create(const Args *c) { return make_body(c->s, P0, P1); }
static SinewResult call_body_add_task(const Args *c) { return make_task(c->b, P0, P1); }
static void no_rows(void *user, const SinewTaskPlacement *placements, SinewTaskRows *out_rows)
{
    (void)user, (void)placements, (void)out_rows;
}
/* P0 is a task of another kind. */
static SinewResult call_body_add_host_task(const Args *c)
{
    SinewBodyTaskDef def;
    SinewBodyTask *out = P1;
    SinewResult result;
    int usable = P0 != NULL && (uintptr_t)P0 % 4 == 0;
    if (usable) {
        def = *(const SinewBodyTaskDef *)P0;
        def.kind = SINEW_BODY_TASK_KIND_HOST;
    }
    result = sinew_body_add_host_task(c->b, usable ? &def : P0, no_rows, NULL, out);
    return result == SINEW_OK ? sinew_body_remove_task(c->b, *out) : result;
}
/* The task of the table has no function: another body has one that has. */
static SinewResult call_body_check_host_task(const Args *c)
{
    SinewBodyTaskDef def;
    SinewBodyTask made;
    SinewBody other;
    SinewResult result = sinew_body_check_host_task(c->b, c->t, P0);
    if (result != SINEW_ERROR_INVALID_ARGUMENT || P0 == NULL || (uintptr_t)P0 % 4 != 0) {
        return result;
    }
    def = rig_task_def();
    result = sinew_body_create(c->s, 0, NULL, &other);
    if (result != SINEW_OK) {
        return result;
    }
    def.kind = SINEW_BODY_TASK_KIND_HOST;
    result = sinew_body_add_host_task(other, &def, no_rows, NULL, &made);
    if (result == SINEW_OK) {
        result = sinew_body_check_host_task(other, made, P0);
    }
    (void)sinew_body_destroy(other);
    return result;
}
static SinewResult call_body_is_valid(const Args *c) { return sinew_body_is_valid(c->b, P0); }
static void rest_records(SinewTransform pose[RIG_JOINTS])
{
    int k;
    for (k = 0; k < RIG_JOINTS; ++k) {
        pose[k] = transform(vec3d(0, k == 0 ? 1 : 0.1, 0), quatd_about(vec3d(1, 0, 0), 0.1), vec3d(1, 1, 1));
    }
}
/* To the place that P0 is; the pose and the pin are no memory of the table. */
static SinewResult call_body_drag(const Args *c)
{
    SinewTransform pose[RIG_JOINTS];
    SinewBodyPin pin = {RIG_LEFT_FOOT, SINEW_BODY_PIN_ROTATION};
    SinewBodyDrag drag;
    rest_records(pose);
    rig_must(sinew_body_drag_default(&drag), "sinew_body_drag_default");
    drag.joint = RIG_RIGHT_HAND;
    drag.pin_count = 1;
    drag.pins = &pin;
    if (P0 != NULL) {
        drag.goal = *(const SinewVec3 *)c->p[0];
    }
    return sinew_body_drag(c->b, P0 == NULL ? NULL : &drag, pose, RIG_JOINTS, P1);
}
/* P0 is the axis; a hand follows the other one's turn. */
static SinewResult call_body_set_joint_coupling(const Args *c)
{
    SinewJointCoupling coupling;
    rig_must(sinew_joint_coupling_default(&coupling), "sinew_joint_coupling_default");
    coupling.driver = RIG_RIGHT_HAND;
    if (P0 != NULL) {
        coupling.axis = *(const SinewVec3 *)c->p[0];
    }
    return sinew_body_set_joint_coupling(c->b, c->i == 0 ? RIG_LEFT_HAND : JOINT, P0 == NULL ? NULL : &coupling);
}
/* One body; what it lacks is in its record. The report is written when a body failed, too. */
static SinewResult call_body_solve_batch(const Args *c)
{
    SinewTransform pose[RIG_JOINTS];
    SinewBodyWork work;
    SinewBodyBatchReport report;
    SinewWorld none = {0};
    rest_records(pose);
    rig_must(sinew_body_work_default(&work), "sinew_body_work_default");
    work.body = c->b;
    work.pose = pose;
    work.joint_count = RIG_JOINTS;
    return sinew_body_solve_batch(&work, 1, c->f[0], none, &report);
}
/* One body without a partner: P0 is what came of it. */
static SinewResult call_body_meet(const Args *c)
{
    SinewTransform pose[RIG_JOINTS];
    SinewBodyWork work;
    rest_records(pose);
    rig_must(sinew_body_work_default(&work), "sinew_body_work_default");
    work.body = c->b;
    work.pose = pose;
    work.joint_count = RIG_JOINTS;
    return sinew_body_meet(&work, 1, NULL, 0, c->f[0], 8, P0);
}
static SinewResult call_job_run(const Args *c)
{
    (void)c;
    return run_no_job();
}
/* One limb in a list of three records: what a job lacks is in the records. */
static SinewResult call_joint_limb_solve_records(const Args *c)
{
    SinewTransform records[3];
    const SinewLimbPlaces places = {0, 1, 2};
    int k;
    for (k = 0; k < 3; ++k) {
        records[k] = transform(vec3d(k == 0 ? 0 : 0.3, 0, 0), quatd_about(vec3d(0, 0, 1), 0.4 * k), vec3d(1, 1, 1));
    }
    return sinew_joint_limb_solve_records(records, 3, &places, P0, 1, P1);
}
/* The pose is the rest pose; chains and frames are those of the rig's arrays. */
static SinewResult call_chain_solve(const Args *c)
{
    Rig rig;
    rig_fill(&rig, 0);
    return sinew_chain_solve(P0, rig.rest, P1);
}
static SinewResult call_model_frames_compute(const Args *c)
{
    Rig rig;
    rig_fill(&rig, 0);
    return sinew_model_frames_compute(rig.parents, P0, RIG_JOINTS, P1);
}
static SinewResult call_skeleton_is_valid(const Args *c) { return sinew_skeleton_is_valid(c->s, P0); }
static SinewResult call_avatar_is_valid(const Args *c) { return sinew_avatar_is_valid(c->v, P0); }
static SinewResult call_animator_set_cancelled(const Args *c) { return sinew_animator_set_cancelled(c->a, 0); }
static SinewResult call_animator_is_valid(const Args *c) { return sinew_animator_is_valid(c->a, P0); }

/* "sinew_set_allocator" is called once, before everything else: by out_of_memory.c.
 * "sinew_default_sized" takes structs of all kinds and sizes: old_client.c.
 * "sinew_record_begin", "sinew_record_begin_callback" and "sinew_record_end" log the others:
 * record.c. */
static const Call CALLS[] = {
    SINEW_CALLS(CALL_ROW)
    GROUND_ROWS(GROUND_ROW)
    {"sinew_skeleton_create", call_skeleton_create, H_NONE, I_SKELETON_DEF, 2, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_avatar_create", call_avatar_create, H_NONE, I_AVATAR_DEF, 2, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_animator_create", call_animator_create, H_NONE, I_ANIMATOR_DEF, 2, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_animator_add_chain", call_add_chain, H_ANIMATOR, I_CHAIN_DEF, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_animator_add_two_bone", call_add_two_bone, H_ANIMATOR, I_TWO_BONE_DEF, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_animator_add_copy_rotation", call_add_copy_rotation, H_ANIMATOR, I_COPY_ROTATION_DEF, 2, 0, X_NONE, 0, C_NONE,
     E_SETS_UP},
    {"sinew_animator_add_aim", call_add_aim, H_ANIMATOR, I_AIM_DEF, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_animator_add_spline", call_add_spline, H_ANIMATOR, I_SPLINE_DEF, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_world_create", call_world_create, H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_world_leave", call_world_leave, H_MEMBER, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_world_join", call_world_join, H_MEMBER, I_NONE, 1, 1, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_world_is_valid", call_world_is_valid, H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_body_create", call_body_create, H_SKELETON, I_BODY_SETTINGS, 2, 1, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_body_add_task", call_body_add_task, H_BODY, I_BODY_TASK, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_body_add_host_task", call_body_add_host_task, H_BODY, I_BODY_TASK, 2, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_body_check_host_task", call_body_check_host_task, H_BODY_TASK, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_body_set_joint_coupling", call_body_set_joint_coupling, H_BODY, I_VEC3, 1, 1, X_JOINT, 0, C_NONE, E_SETS_UP},
    {"sinew_body_is_valid", call_body_is_valid, H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_body_drag", call_body_drag, H_BODY, I_VEC3, 2, 2, X_NONE, 0, C_NONE, E_SETS_UP},
    {"sinew_body_solve_batch", call_body_solve_batch, H_BODY, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE},
    {"sinew_body_meet", call_body_meet, H_BODY, I_NONE, 0, 0, X_NONE, 1, C_NONE, E_NONE},
    {"sinew_job_run", call_job_run, H_NONE, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_joint_limb_solve_records", call_joint_limb_solve_records, H_NONE, I_JOINT_LIMB_JOB, 2, 2, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_chain_solve", call_chain_solve, H_NONE, I_CHAIN_JOB, 2, 2, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_model_frames_compute", call_model_frames_compute, H_NONE, I_POSE, 2, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_skeleton_is_valid", call_skeleton_is_valid, H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_avatar_is_valid", call_avatar_is_valid, H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE},
    {"sinew_animator_set_cancelled", call_animator_set_cancelled, H_NONE, I_NONE, 0, 0, X_NONE, 0, C_NONE, E_NONE}, /* never busy */
    {"sinew_animator_is_valid", call_animator_is_valid, H_NONE, I_NONE, 1, 0, X_NONE, 0, C_NONE, E_NONE},
};
enum { CALL_COUNT = (int)(sizeof CALLS / sizeof CALLS[0]) };

/* Memory the pointers of a call lead to, with what the inputs need behind them. */
typedef struct Scratch {
    union {
        uint64_t align;
        unsigned char bytes[SCRATCH_BYTES];
    } at[3];
} Scratch;

/* A whole input in which everything is given and reachable. */
CHECK_UNUSED static SinewHumanoidInput full_input(void)
{
    static const double GOALS[4][3] = {{-0.15, 0.2, 0.15}, {0.12, 0.15, -0.1}, {-0.4, 1.2, 0.35}, {0.35, 1.25, 0.4}};
    static const double HINTS[4][3] = {{-0.2, 0.6, 1}, {0.2, 0.5, 1}, {-0.6, 0.8, -0.4}, {0.7, 0.9, -0.5}};
    SinewHumanoidInput input;
    int i;
    rig_must(sinew_humanoid_input_default(&input), "sinew_humanoid_input_default");
    input.set = (1u << 15) - 1;
    for (i = 0; i < 4; ++i) {
        input.goals[i].position = to_vec3(vec3d(GOALS[i][0], GOALS[i][1], GOALS[i][2]));
        input.goals[i].rotation = to_quat(quatd_about(vec3d(1, i, 0.5), 0.3 + 0.2 * i));
        input.goals[i].position_weight = 1.0f - 0.1f * (float)i;
        input.goals[i].rotation_weight = 0.4f + 0.2f * (float)i;
        input.hints[i].position = to_vec3(vec3d(HINTS[i][0], HINTS[i][1], HINTS[i][2]));
        input.hints[i].weight = 0.25f * (float)(i + 1);
    }
    input.look_at_position = to_vec3(vec3d(0.6, 1.4, 1.5));
    input.look_at_weight.weight = 0.9f;
    input.look_at_weight.body = 0.2f;
    input.look_at_weight.head = 0.8f;
    input.look_at_weight.eyes = 0.5f;
    input.look_at_weight.clamp = 0.4f;
    input.body_position = to_vec3(vec3d(0.03, 0.9, 0.05));
    input.body_rotation = to_quat(quatd_about(vec3d(0.2, 1, 0.1), 0.15));
    return input;
}

/* A frame with poses, roots and inputs for the rows of a world, all of them the same input. */
enum { FRAME_ROWS = 1000 };
CHECK_UNUSED static SinewWorldFrame full_frame(const Rig *rig, SinewWorld world)
{
    static SinewTransform poses[FRAME_ROWS][RIG_JOINTS], root;
    static SinewHumanoidInput input;
    static int32_t results[FRAME_ROWS], states[FRAME_ROWS];
    SinewWorldFrame frame;
    uint32_t rows = 0;
    int r;
    (void)sinew_world_get_row_count(world, &rows);
    CHECK(rows <= FRAME_ROWS, "%u rows", rows);
    for (r = 0; r < (int)rows && r < FRAME_ROWS; ++r) {
        rig_bent_pose(rig, 0.2, poses[r]);
    }
    root = transform(vec3d(0.1, 0, 0.2), quatd_about(vec3d(0, 1, 0), 0.3), vec3d(1, 1, 1));
    input = full_input();
    rig_must(sinew_world_frame_default(&frame), "sinew_world_frame_default");
    frame.row_count = FRAME_ROWS;
    frame.layout = SINEW_POSE_LAYOUT_RECORDS;
    frame.records = poses[0];
    frame.records_stride = sizeof poses[0];
    frame.roots = &root;
    frame.inputs = &input;
    frame.out_results = results;
    frame.out_states = states;
    return frame;
}

/* Good arguments for a call; outputs are filled with 0xA5. */
CHECK_UNUSED static Args good_args(const Call *call, const Rig *rig, SinewAnimator animator, Scratch *scratch)
{
    Args c;
    unsigned char *in = scratch->at[0].bytes;
    int k;
    memset(&c, 0, sizeof c);
    memset(scratch, 0xA5, sizeof *scratch);
    c.s = rig->skeleton;
    c.v = rig->avatar;
    c.a = animator;
    if (call->handle == H_CONSTRAINT) {
        c.k = rig_constraint(animator);
    }
    if (call->handle == H_WORLD || call->handle == H_MEMBER) {
        c.w = rig_world(animator);
    }
    if (call->handle == H_BODY || call->handle == H_BODY_TASK) {
        c.b = rig_body(rig);
        c.t = call->handle == H_BODY_TASK ? rig_body_task(rig) : c.t;
    }
    c.i = call->index == X_BONE ? (int32_t)SINEW_HUMAN_BONE_HEAD
        : call->index == X_ARRAYS ? (int32_t)SINEW_POSE_ARRAYS_LOCALS_AND_FRAMES : 0;
    c.n = call->count == C_JOINTS ? RIG_JOINTS : call->count == C_BONES ? SINEW_HUMAN_BONE_COUNT
        : call->count == C_LINES ? LINE_ROOM : call->count == C_BYTES ? SCRATCH_BYTES : 1;
    for (k = 0; k < 5; ++k) {
        c.f[k] = 0.5f;
    }
    for (k = 0; k < call->pointers && call->in != I_GROUND; ++k) {
        c.p[k] = scratch->at[k].bytes;
    }
    switch (call->in) {
    case I_GROUND:
        ground_refresh();
        c.g = ground.g;
        ground_point(call->name, c.p);
        break;
    case I_NONE: break;
    case I_NAME: memcpy(in, "Head", 5); break;
    case I_VEC3: *(SinewVec3 *)c.p[0] = to_vec3(vec3d(0.3, 1.2, 0.4)); break;
    case I_QUAT: *(SinewQuat *)c.p[0] = to_quat(quatd_about(vec3d(1, 2, 3), 0.4)); break;
    case I_TRANSFORM:
        *(SinewTransform *)c.p[0] = transform(vec3d(1, 2, 3), quatd_about(vec3d(0, 1, 0), 0.7), vec3d(1, 1, 1));
        break;
    case I_POSE: rig_bent_pose(rig, 0.2, c.p[0]); break;
    case I_INPUT: *(SinewHumanoidInput *)c.p[0] = full_input(); break;
    case I_HANDLES: *(SinewAnimator *)c.p[0] = animator; break;
    case I_SKELETON_DEF: *(SinewSkeletonDef *)c.p[0] = rig_skeleton_def(rig); break;
    case I_AVATAR_DEF: *(SinewAvatarDef *)c.p[0] = rig_avatar_def(rig); break;
    case I_ANIMATOR_DEF: *(SinewAnimatorDef *)c.p[0] = rig_animator_def(rig); break;
    case I_CHAIN_DEF: /* the end lies behind the definition */
        *(SinewChainDef *)c.p[0] = rig_chain_def((SinewChainEnd *)(void *)(in + sizeof(SinewChainDef)));
        ((SinewChainDef *)c.p[0])->flags |= SINEW_CHAIN_PLANE;
        ((SinewChainDef *)c.p[0])->plane_axis = to_vec3(vec3d(0, 2, 1));
        break;
    case I_CHAIN_JOB: { /* the end and its goal are behind the job */
        SinewChainJob *job = c.p[0];
        SinewConstraintGoal *goal = (void *)(in + sizeof *job + sizeof(SinewChainEnd));
        rig_must(sinew_chain_job_default(job), "sinew_chain_job_default");
        rig_must(sinew_constraint_goal_default(goal), "sinew_constraint_goal_default");
        goal->set = SINEW_CONSTRAINT_POSITION;
        goal->position = to_vec3(vec3d(0.4, 1.2, 0.3));
        job->def = rig_chain_def((SinewChainEnd *)(void *)(in + sizeof *job));
        job->joint_count = RIG_JOINTS;
        job->parents = rig->parents;
        job->rest = rig->rest;
        job->goals = goal;
        break;
    }
    case I_MAPPING_HINTS: {
        SinewMappingHints *hints = c.p[0];
        rig_must(sinew_mapping_hints_default(hints), "sinew_mapping_hints_default");
        hints->flags = SINEW_MAPPING_LEFT_HANDED;
        hints->up = to_vec3(vec3d(0, 2, 0));
        hints->forward = to_vec3(vec3d(0, 0, 1));
        break;
    }
    case I_TWO_BONE_JOB: {
        SinewTwoBoneJob *job = c.p[0];
        rig_must(sinew_two_bone_job_default(job), "sinew_two_bone_job_default");
        job->root_mid = to_vec3(vec3d(0.3, 0, 0));
        job->mid_end = to_vec3(vec3d(0.2, 0.1, 0));
        job->target = to_vec3(vec3d(0.1, 0.3, 0.1));
        job->pole_weight = job->softness = 0.5f;
        break;
    }
    case I_JOINT_LIMB_JOB: {
        SinewJointLimbJob *job = c.p[0];
        rig_must(sinew_joint_limb_job_default(job), "sinew_joint_limb_job_default");
        job->mid = to_quat(quatd_about(vec3d(0, 0, 1), 0.5));
        job->mid_at = to_vec3(vec3d(0.3, 0, 0));
        job->end_at = to_vec3(vec3d(0.25, 0, 0));
        job->target = to_vec3(vec3d(0.1, 0.3, 0.1));
        job->bend_side = to_vec3(vec3d(0, 1, 0));
        job->pole_weight = job->softness = job->end_weight = 0.5f;
        break;
    }
    case I_AIM_JOB: {
        SinewAimJob *job = c.p[0];
        rig_must(sinew_aim_job_default(job), "sinew_aim_job_default");
        job->offset = to_vec3(vec3d(0.1, 0.05, 0));
        job->target = to_vec3(vec3d(0.7, 0.3, 1));
        job->behind = to_vec3(vec3d(0, 2, 0));
        break;
    }
    case I_TWO_BONE_DEF: {
        SinewTwoBoneDef *def = c.p[0];
        rig_must(sinew_two_bone_def_default(def), "sinew_two_bone_def_default");
        def->end = RIG_LEFT_FOOT;
        def->bend_side = to_vec3(vec3d(0.1, 0, 1));
        def->softness = def->stretch = 0.125f;
        break;
    }
    case I_COPY_ROTATION_DEF: {
        SinewCopyRotationDef *def = c.p[0];
        rig_must(sinew_copy_rotation_def_default(def), "sinew_copy_rotation_def_default");
        def->joint = RIG_HEAD_TOP;
        def->source = RIG_LEFT_HAND;
        def->offset = to_quat(quatd_about(vec3d(1, 2, 0), 0.5));
        break;
    }
    case I_AIM_DEF: {
        SinewAimDef *def = c.p[0];
        rig_must(sinew_aim_def_default(def), "sinew_aim_def_default");
        def->end = RIG_HEAD;
        def->joint_count = 2;
        def->clamp_rad = 1.5f;
        break;
    }
    case I_SPLINE_DEF: {
        SinewSplineDef *def = c.p[0];
        rig_must(sinew_spline_def_default(def), "sinew_spline_def_default");
        def->end = RIG_RIGHT_HAND_TIP;
        def->joint_count = 4;
        break;
    }
    case I_AXIS:
        *(SinewVec3 *)c.p[0] = to_vec3(vec3d(0.2, 1, 0));
        *(SinewVec3 *)c.p[1] = to_vec3(vec3d(1, 3, -2));
        break;
    case I_CONSTRAINT_GOAL: {
        SinewConstraintGoal *goal = c.p[0];
        rig_must(sinew_constraint_goal_default(goal), "sinew_constraint_goal_default");
        goal->set = SINEW_CONSTRAINT_POSITION | SINEW_CONSTRAINT_ROTATION | SINEW_CONSTRAINT_AXIS;
        goal->position = to_vec3(vec3d(0.4, 1.2, 0.3));
        goal->rotation = to_quat(quatd_about(vec3d(1, 2, 3), 0.5));
        goal->axis = to_vec3(vec3d(0, 1, 0));
        goal->direction = to_vec3(vec3d(1, 0, 0));
        break;
    }
    case I_POLE: {
        SinewPole *pole = c.p[0];
        rig_must(sinew_pole_default(pole), "sinew_pole_default");
        pole->flags = SINEW_POLE_REFERENCE;
        pole->at = to_vec3(vec3d(0.5, 0.5, -1));
        pole->reference = to_vec3(vec3d(0, 0, 1));
        pole->weight = 0.5f;
        break;
    }
    case I_LIMITS: *(SinewJointLimits *)c.p[0] = rig_limits(); break;
    case I_SNAPSHOT: /* nothing is written for a handle that is no animator: then the bytes are no snapshot */
        (void)sinew_animator_snapshot(animator, c.p[0], SCRATCH_BYTES, &c.n);
        break;
    case I_SETTINGS: {
        SinewHumanoidSettings *settings = c.p[0];
        rig_must(sinew_humanoid_settings_default(settings), "sinew_humanoid_settings_default");
        settings->shoulder_weights[0] = settings->spine_weight = 0.5f;
        settings->pull_weights[3] = 0.25f;
        settings->limits_enabled = 1;
        settings->bend_weight = 0.75f;
        settings->look_at_inertialization_time_s = 0.25f;
        settings->trunk_avoidance = 0.5f;
        settings->inertialization_times_s[0] = settings->inertialization_times_s[3] = 0.125f;
        break;
    }
    case I_BODY_SOLVER: {
        SinewBodySolverSettings *settings = c.p[0];
        rig_must(sinew_body_solver_settings_default(settings), "sinew_body_solver_settings_default");
        settings->mode = SINEW_BODY_SOLVER_MODE_CONVERGE;
        break;
    }
    case I_BODY_EFFECTOR: {
        SinewBodyEffectorInput *input = c.p[0];
        memset(input, 0, sizeof *input);
        input->set = SINEW_BODY_EFFECTOR_INPUT_POSITION | SINEW_BODY_EFFECTOR_INPUT_ROTATION;
        input->position = to_vec3(vec3d(0.25, 1, 0.125));
        input->rotation.w = 1;
        input->position_weight = 0.5f;
        input->rotation_weight = 0.25f;
        break;
    }
    case I_PRIORITY: {
        SinewGoalPriority *priority = c.p[0];
        priority->position_importance = 4;
        priority->rotation_importance = 0.25f;
        priority->level = 2;
        break;
    }
    case I_BODY_SETTINGS: rig_must(sinew_body_settings_default(c.p[0]), "sinew_body_settings_default"); break;
    case I_BODY_TASK: *(SinewBodyTaskDef *)c.p[0] = rig_task_def(); break;
    case I_BODY_SNAPSHOT: (void)sinew_body_snapshot(c.b, c.p[0], SCRATCH_BYTES, &c.n); break;
    case I_WORLD_FRAME: /* everything by row; the rig's world has few */
        *(SinewWorldFrame *)c.p[0] = full_frame(rig, c.w);
        break;
    case I_MATCH_TARGET: {
        SinewMatchTarget *target = c.p[0];
        rig_must(sinew_match_target_default(target), "sinew_match_target_default");
        target->part = SINEW_AVATAR_TARGET_LEFT_FOOT;
        target->position = to_vec3(vec3d(0.5, 0.25, 1));
        break;
    }
    }
    return c;
}

#endif
