/* Numbers at the edge: NaN, infinities, zero quaternions, denormal floats, quaternions off unit
 * length. A refused call changes nothing. */
#include "calls.h"
#include "snapshot.h"

#include <float.h>

static Rig rig;
static Scratch scratch;
static SinewAnimator animator;
static Snapshot before, after;

static void remember(Snapshot *to)
{
    snapshot(animator, to);
    snapshot_body(&rig, to);
}
static void fresh(void)
{
    SinewHumanoidInput input = full_input();
    SinewTransform pose[RIG_JOINTS];
    SinewTransform root = transform(vec3d(0.1, 0, 0.2), quatd_about(vec3d(0, 1, 0), 0.2), vec3d(1, 1, 1));
    SinewQuat turned = to_quat(quatd_about(vec3d(1, 0, 1), 0.3));
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    rig_bent_pose(&rig, 0.3, pose);
    EXPECT_OK(sinew_animator_set_pose(animator, pose, RIG_JOINTS));
    EXPECT_OK(sinew_animator_set_root(animator, &root));
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_set_bone_local_rotation(animator, SINEW_HUMAN_BONE_NECK, &turned));
    CHECK(rig_constraint(animator).bits != 0, "no constraint");
    EXPECT_OK(sinew_animator_solve(animator));
    remember(&before);
}
static void done(void)
{
    remember(&after);
    EXPECT_SAME(before, after, "a refused call changed the animator");
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static float bad_number(int k) { return k == 0 ? (float)NAN : k == 1 ? (float)INFINITY : -(float)INFINITY; }

/* Where the floats of an input begin, and how many there are. */
static int floats_of(InKind in, float **first)
{
    SinewHumanoidInput *input = (void *)scratch.at[0].bytes;
    *first = (void *)scratch.at[0].bytes;
    switch (in) {
    case I_VEC3: return 3;
    case I_QUAT: return 4;
    case I_TRANSFORM: return 10;
    case I_POSE: return 10 * RIG_JOINTS;
    case I_INPUT: *first = &input->goals[0].position.x; return (int)(sizeof *input - 8) / 4;
    case I_CHAIN_DEF: *first = &((SinewChainDef *)(void *)scratch.at[0].bytes)->tolerance; return 2;
    case I_CHAIN_JOB: *first = &((SinewChainJob *)(void *)scratch.at[0].bytes)->def.tolerance; return 2;
    case I_MAPPING_HINTS: *first = &((SinewMappingHints *)(void *)scratch.at[0].bytes)->up.x; return 6;
    case I_TWO_BONE_JOB: *first = &((SinewTwoBoneJob *)(void *)scratch.at[0].bytes)->root_mid.x; return 22;
    case I_JOINT_LIMB_JOB: *first = &((SinewJointLimbJob *)(void *)scratch.at[0].bytes)->root.x; return 39;
    case I_AIM_JOB: *first = &((SinewAimJob *)(void *)scratch.at[0].bytes)->offset.x; return 12;
    case I_TWO_BONE_DEF: *first = &((SinewTwoBoneDef *)(void *)scratch.at[0].bytes)->bend_side.x; return 5;
    case I_COPY_ROTATION_DEF: *first = &((SinewCopyRotationDef *)(void *)scratch.at[0].bytes)->offset.x; return 9;
    case I_AIM_DEF: *first = &((SinewAimDef *)(void *)scratch.at[0].bytes)->axis.x; return 12;
    case I_SPLINE_DEF: *first = &((SinewSplineDef *)(void *)scratch.at[0].bytes)->tip.x; return 8;
    case I_AXIS: return 3;
    case I_CONSTRAINT_GOAL: *first = &((SinewConstraintGoal *)(void *)scratch.at[0].bytes)->position.x; return 15;
    case I_POLE: *first = &((SinewPole *)(void *)scratch.at[0].bytes)->at.x; return 8;
    case I_SETTINGS: *first = ((SinewHumanoidSettings *)(void *)scratch.at[0].bytes)->shoulder_weights; return 11;
    case I_MATCH_TARGET: *first = &((SinewMatchTarget *)(void *)scratch.at[0].bytes)->position.x; return 13;
    case I_LIMITS: *first = &((SinewJointLimits *)(void *)scratch.at[0].bytes)->frame.x; return 20;
    case I_BODY_SOLVER: *first = &((SinewBodySolverSettings *)(void *)scratch.at[0].bytes)->balance_weight; return 4;
    case I_BODY_EFFECTOR: *first = &((SinewBodyEffectorInput *)(void *)scratch.at[0].bytes)->position.x; return 9;
    case I_PRIORITY: *first = &((SinewGoalPriority *)(void *)scratch.at[0].bytes)->position_importance; return 2;
    case I_BODY_SETTINGS: *first = &((SinewBodySettings *)(void *)scratch.at[0].bytes)->tolerance_m; return 15;
    case I_BODY_TASK: *first = &((SinewBodyTaskDef *)(void *)scratch.at[0].bytes)->point.x; return 22;
    default: return 0;
    }
}

static void non_finite_members_are_refused_by_every_setter_and_nothing_changes(void)
{
    int k, m, b, setters = 0;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        float *first;
        Args args = good_args(call, &rig, animator, &scratch);
        int count = floats_of(call->in, &first);
        setters += count > 0;
        for (m = 0; m < count; ++m) {
            float good = first[m];
            for (b = 0; b < 3; ++b) {
                SinewResult result;
                first[m] = bad_number(b);
                result = call->run(&args);
                CHECK(result == SINEW_ERROR_NOT_FINITE, "%s: float %d = %g gave %d", call->name, m, (double)first[m],
                      (int)result);
            }
            first[m] = good;
        }
    }
    CHECK(setters == 54, "%d functions take numbers by pointer", setters);
    done();
}

static void non_finite_arguments_are_refused_by_every_setter_and_nothing_changes(void)
{
    int k, m, b, setters = 0;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (m = 0; m < call->floats; ++m) {
            for (b = 0; b < 3; ++b) {
                Args args = good_args(call, &rig, animator, &scratch);
                SinewResult result;
                args.f[m] = bad_number(b);
                result = call->run(&args);
                CHECK(result == SINEW_ERROR_NOT_FINITE, "%s: argument %d = %g gave %d", call->name, m, (double)args.f[m],
                      (int)result);
            }
        }
        setters += call->floats > 0;
    }
    CHECK(setters == 20, "%d functions take plain floats", setters);
    done();
}

static void non_finite_parts_that_are_not_given_do_not_matter(void)
{
    SinewHumanoidInput input, read;
    int k;
    fresh();
    EXPECT_OK(sinew_humanoid_input_default(&input));
    for (k = 0; k < 4; ++k) {
        input.goals[k].position.x = input.goals[k].rotation.w = input.hints[k].position.z = (float)NAN;
    }
    input.look_at_position.x = input.body_position.y = input.body_rotation.z = (float)INFINITY;
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_get_input(animator, &read));
    CHECK(read.set == 0 && read.goals[2].position.x == 0.0f && read.goals[2].rotation.w == 1.0f, "it kept the numbers");
    remember(&before);
    input.set = 1u << 16;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_input(animator, &input));
    input.set = 1u << 31;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_input(animator, &input));
    done();
}

static void non_finite_numbers_in_definitions_are_refused(void)
{
    SinewTransform rest[RIG_JOINTS];
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewSkeleton skeleton = {5};
    SinewAvatar avatar = {6};
    int m, b;
    fresh();
    skeleton_def = rig_skeleton_def(&rig);
    avatar_def = rig_avatar_def(&rig);
    skeleton_def.rest = avatar_def.t_pose = rest;
    for (m = 0; m < 10 * RIG_JOINTS; ++m) {
        for (b = 0; b < 3; ++b) {
            float bad = bad_number(b);
            memcpy(rest, rig.rest, sizeof rest);
            memcpy((char *)rest + 4 * m, &bad, 4);
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_skeleton_create(&skeleton_def, &skeleton));
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_avatar_create(&avatar_def, &avatar));
        }
    }
    avatar_def.t_pose = NULL;
    for (b = 0; b < 3; ++b) {
        for (m = 0; m < 13; ++m) {
            SinewAvatarDef bad_def = avatar_def;
            float *members = &bad_def.up.x; /* up, forward, stretch, twist, feet spacing: thirteen floats in a row */
            members[m] = bad_number(b);
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_avatar_create(&bad_def, &avatar));
        }
    }
    for (m = 6; m < 13; ++m) { /* fractions: 0 to 1 */
        for (b = 0; b < 2; ++b) {
            SinewAvatarDef bad_def = avatar_def;
            (&bad_def.up.x)[m] = b == 0 ? -0.01f : 1.01f;
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_avatar_create(&bad_def, &avatar));
        }
    }
    for (m = 0; m < 6; ++m) {
        for (b = 0; b < 3; ++b) {
            SinewHumanRange range;
            EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_LEFT_HAND, &range));
            (&range.bend_min_rad)[m] = bad_number(b);
            avatar_def.human_ranges = &range;
            avatar_def.human_range_count = 1;
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_avatar_create(&avatar_def, &avatar));
        }
    }
    CHECK(skeleton.bits == 5 && avatar.bits == 6, "an out-handle was written");
    done();
}

static void non_finite_numbers_in_the_pose_buffer_are_refused_by_solve(void)
{
    SinewTransform *pose, kept[RIG_JOINTS];
    SinewVec3 position = {5, 5, 5}, other;
    uint32_t lines = 3;
    int m, b;
    fresh();
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    memcpy(kept, pose, sizeof kept);
    /* Below, a joint's frame reads those up to it: they are the ones above it. */
    CHECK(RIG_LEFT_FOOT == 3 && RIG_TABLE[3].parent == 2 && RIG_TABLE[2].parent == 1 && RIG_TABLE[1].parent == 0,
          "the rig has changed");
    for (m = 0; m < 10 * RIG_JOINTS; m += (int)check_rounds(1, 7)) {
        for (b = 0; b < 3; ++b) {
            SinewTransform spoiled[RIG_JOINTS];
            float bad = bad_number(b);
            memcpy((char *)pose + 4 * m, &bad, 4);
            memcpy(spoiled, pose, sizeof spoiled);
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_solve(animator));
            if (m / 10 <= RIG_LEFT_FOOT) {
                EXPECT(SINEW_ERROR_NOT_FINITE,
                       sinew_animator_get_joint_world(animator, RIG_LEFT_FOOT, &position, NULL));
            } else {
                EXPECT_OK(sinew_animator_get_joint_world(animator, RIG_LEFT_FOOT, &other, NULL));
            }
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_draw(animator, ignore_line, NULL));
            EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_get_debug_lines(animator, NULL, 0, &lines));
            CHECK(memcmp(spoiled, pose, sizeof spoiled) == 0, "a refused solve wrote to the pose");
            memcpy(pose, kept, sizeof kept);
        }
    }
    CHECK(position.x == 5 && lines == 3, "an out-parameter was written");
    memset(&pose[RIG_NECK].rotation, 0, sizeof pose->rotation);
    EXPECT(SINEW_ERROR_INVALID_ROTATION, sinew_animator_solve(animator));
    EXPECT(SINEW_ERROR_INVALID_ROTATION, sinew_animator_get_joint_world(animator, RIG_HEAD, &position, NULL));
    EXPECT_OK(sinew_animator_get_joint_world(animator, RIG_LEFT_FOOT, &other, NULL));
    memcpy(pose, kept, sizeof kept);
    done();
}

/* Sets the quaternion in an input; how many an input has. */
static SinewQuat *quat_of(InKind in, int which)
{
    SinewHumanoidInput *input = (void *)scratch.at[0].bytes;
    SinewTransform *transforms = (void *)scratch.at[0].bytes;
    SinewJointLimbJob *limb = (void *)scratch.at[0].bytes;
    switch (in) {
    case I_QUAT: return which == 0 ? (SinewQuat *)(void *)scratch.at[0].bytes : NULL;
    case I_TRANSFORM: return which == 0 ? &transforms[0].rotation : NULL;
    case I_POSE: return which < RIG_JOINTS ? &transforms[which].rotation : NULL;
    case I_INPUT: return which < 4 ? &input->goals[which].rotation : which == 4 ? &input->body_rotation : NULL;
    case I_COPY_ROTATION_DEF: return which == 0 ? &((SinewCopyRotationDef *)(void *)scratch.at[0].bytes)->offset : NULL;
    case I_CONSTRAINT_GOAL: return which == 0 ? &((SinewConstraintGoal *)(void *)scratch.at[0].bytes)->rotation : NULL;
    case I_MATCH_TARGET: return which == 0 ? &((SinewMatchTarget *)(void *)scratch.at[0].bytes)->rotation : NULL;
    case I_JOINT_LIMB_JOB:
        return which == 0 ? &limb->root : which == 1 ? &limb->mid : which == 2 ? &limb->end
            : which == 3 ? &limb->end_goal : NULL;
    case I_LIMITS: return which == 0 ? &((SinewJointLimits *)(void *)scratch.at[0].bytes)->frame : NULL;
    case I_BODY_EFFECTOR:
        return which == 0 ? &((SinewBodyEffectorInput *)(void *)scratch.at[0].bytes)->rotation : NULL;
    case I_BODY_TASK: return which == 0 ? &((SinewBodyTaskDef *)(void *)scratch.at[0].bytes)->rotation : NULL;
    default: return NULL;
    }
}

static void zero_quaternions_are_refused_by_every_setter_and_nothing_changes(void)
{
    static const float SMALL[] = {0.0f, -0.0f, 1e-42f, 1e-20f, 1e-8f};
    int k, m, found = 0;
    size_t s;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (m = 0;; ++m) {
            Args args = good_args(call, &rig, animator, &scratch);
            SinewQuat *q = quat_of(call->in, m);
            if (q == NULL) {
                break;
            }
            ++found;
            for (s = 0; s < sizeof SMALL / sizeof SMALL[0]; ++s) {
                SinewResult result;
                q->x = q->y = q->z = q->w = SMALL[s];
                result = call->run(&args);
                CHECK(result == SINEW_ERROR_INVALID_ROTATION, "%s: quaternion %d of %gs gave %d", call->name, m,
                      (double)SMALL[s], (int)result);
            }
        }
    }
    CHECK(found == 5 + 1 + 2 * RIG_JOINTS + 5 + 4 + 3 * 4 + (RIG_JOINTS + 5) + 2, "%d quaternions", found);
    done();
}

static void zero_quaternions_in_definitions_are_refused(void)
{
    SinewTransform rest[RIG_JOINTS];
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewSkeleton skeleton = {5};
    SinewAvatar avatar = {6};
    int j;
    fresh();
    skeleton_def = rig_skeleton_def(&rig);
    avatar_def = rig_avatar_def(&rig);
    skeleton_def.rest = avatar_def.t_pose = rest;
    for (j = 0; j < RIG_JOINTS; ++j) {
        memcpy(rest, rig.rest, sizeof rest);
        memset(&rest[j].rotation, 0, sizeof rest[j].rotation);
        EXPECT(SINEW_ERROR_INVALID_ROTATION, sinew_skeleton_create(&skeleton_def, &skeleton));
        EXPECT(SINEW_ERROR_INVALID_ROTATION, sinew_avatar_create(&avatar_def, &avatar));
    }
    CHECK(skeleton.bits == 5 && avatar.bits == 6, "an out-handle was written");
    done();
}

static void check_unit(SinewQuat q, Quatd wanted, const char *what)
{
    double n = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    CHECK(fabs(n - 1) < 1e-6, "%s: length %.9g", what, n);
    CHECK(quatd_angle(from_quat(q), wanted) < 1e-6, "%s: %g rad off", what, quatd_angle(from_quat(q), wanted));
}

static void quaternions_off_unit_length_are_normalised(void)
{
    static const float FACTORS[] = {0.99f, 1.01f, 0.5f, 2.0f};
    Quatd wanted = quatd_about(vec3d(1, -2, 0.5), 0.9);
    SinewTransform rest[RIG_JOINTS], root, *pose;
    SinewSkeletonDef def;
    SinewSkeleton skeleton;
    SinewQuat q, got;
    size_t f;
    fresh();
    for (f = 0; f < sizeof FACTORS / sizeof FACTORS[0]; ++f) {
        q = to_quat(wanted);
        q.x *= FACTORS[f], q.y *= FACTORS[f], q.z *= FACTORS[f], q.w *= FACTORS[f];
        EXPECT_OK(sinew_animator_set_ik_rotation(animator, SINEW_IK_GOAL_LEFT_HAND, &q));
        EXPECT_OK(sinew_animator_get_ik_rotation(animator, SINEW_IK_GOAL_LEFT_HAND, &got));
        check_unit(got, wanted, "goal rotation");
        EXPECT_OK(sinew_animator_set_body_rotation(animator, &q));
        EXPECT_OK(sinew_animator_get_body_rotation(animator, &got));
        check_unit(got, wanted, "body rotation");
        EXPECT_OK(sinew_animator_set_bone_local_rotation(animator, SINEW_HUMAN_BONE_HEAD, &q));
        EXPECT_OK(sinew_animator_get_bone_local_rotation(animator, SINEW_HUMAN_BONE_HEAD, &got));
        check_unit(got, wanted, "bone rotation");
        root = transform(vec3d(1, 2, 3), wanted, vec3d(1, 1, 1));
        root.rotation = q;
        EXPECT_OK(sinew_animator_set_root(animator, &root));
        EXPECT_OK(sinew_animator_get_root(animator, &root));
        check_unit(root.rotation, wanted, "root rotation");
        EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
        pose[RIG_LEFT_UPPER_ARM].rotation = q;
        EXPECT_OK(sinew_animator_solve(animator));
        memcpy(rest, rig.rest, sizeof rest);
        rest[RIG_CHEST].rotation = q;
        def = rig_skeleton_def(&rig);
        def.rest = rest;
        EXPECT_OK(sinew_skeleton_create(&def, &skeleton));
        EXPECT_OK(sinew_skeleton_get_rest(skeleton, RIG_CHEST, &root));
        check_unit(root.rotation, wanted, "rest rotation");
        EXPECT_OK(sinew_skeleton_destroy(skeleton));
    }
    remember(&before);
    done();
}

static void denormal_and_huge_finite_numbers_are_taken(void)
{
    static const float ODD[] = {1e-45f, -1e-42f, FLT_MIN, FLT_MAX, -FLT_MAX, 1e30f};
    int k, m;
    size_t o;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (o = 0; o < sizeof ODD / sizeof ODD[0] && call->in == I_VEC3; ++o) {
            for (m = 0; m < 3; ++m) {
                float *first;
                SinewTransform pose[RIG_JOINTS];
                SinewResult result;
                int j;
                Args args = good_args(call, &rig, animator, &scratch);
                (void)floats_of(call->in, &first);
                first[m] = ODD[o];
                EXPECT_OK(call->run(&args));
                result = sinew_animator_solve(animator);
                CHECK(result == SINEW_OK, "%s(%g): solve gave %d", call->name, (double)ODD[o], (int)result);
                EXPECT_OK(sinew_animator_get_pose(animator, pose, RIG_JOINTS));
                for (j = 0; j < 10 * RIG_JOINTS; ++j) {
                    float number;
                    memcpy(&number, (char *)pose + 4 * j, 4);
                    CHECK(isfinite(number), "%s(%g): the pose is not finite", call->name, (double)ODD[o]);
                }
                for (j = 0; j < 4; ++j) {
                    SinewOutcome outcome;
                    EXPECT_OK(sinew_animator_get_ik_outcome(animator, j, &outcome));
                    CHECK(isfinite(outcome.residual_m) && isfinite(outcome.residual_rad), "%s(%g): residuals %g m, %g rad",
                          call->name, (double)ODD[o], (double)outcome.residual_m, (double)outcome.residual_rad);
                }
                {
                    SinewOutcome outcome;
                    SinewConstraint constraint = rig_constraint(animator);
                    EXPECT_OK(sinew_animator_get_constraint_outcome(animator, constraint, &outcome));
                    CHECK(isfinite(outcome.residual_m) && isfinite(outcome.residual_rad), "%s(%g): a constraint left %g m, %g rad",
                          call->name, (double)ODD[o], (double)outcome.residual_m, (double)outcome.residual_rad);
                    EXPECT_OK(sinew_animator_clear_constraint_goal(animator, constraint, 0));
                }
                EXPECT_OK(sinew_animator_reset_pose(animator));
                EXPECT_OK(sinew_animator_reset_ik(animator));
                EXPECT_OK(sinew_animator_set_input(animator, &before.input));
            }
        }
    }
    remember(&before);
    done();
}

static void weights_outside_0_to_1_are_limited(void)
{
    float weight = 9;
    SinewLookAtWeight look = {9, 9, 9, 9, 9};
    fresh();
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, 0, -3.0f));
    EXPECT_OK(sinew_animator_get_ik_position_weight(animator, 0, &weight));
    CHECK(weight == 0.0f, "-3 became %g", (double)weight);
    EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, 1, 1e30f));
    EXPECT_OK(sinew_animator_get_ik_rotation_weight(animator, 1, &weight));
    CHECK(weight == 1.0f, "1e30 became %g", (double)weight);
    EXPECT_OK(sinew_animator_set_ik_hint_position_weight(animator, 2, 1.5f));
    EXPECT_OK(sinew_animator_get_ik_hint_position_weight(animator, 2, &weight));
    CHECK(weight == 1.0f, "1.5 became %g", (double)weight);
    EXPECT_OK(sinew_animator_set_look_at_weight(animator, 2.0f, -1.0f, 0.5f, 7.0f, -0.0f));
    EXPECT_OK(sinew_animator_get_look_at_weight(animator, &look));
    CHECK(look.weight == 1 && look.body == 0 && look.head == 0.5f && look.eyes == 1 && look.clamp == 0, "look-at weights");
    remember(&before);
    done();
}

int main(void)
{
    note_codes = 1;
    RUN(non_finite_members_are_refused_by_every_setter_and_nothing_changes);
    RUN(non_finite_arguments_are_refused_by_every_setter_and_nothing_changes);
    RUN(non_finite_parts_that_are_not_given_do_not_matter);
    RUN(non_finite_numbers_in_definitions_are_refused);
    RUN(non_finite_numbers_in_the_pose_buffer_are_refused_by_solve);
    RUN(zero_quaternions_are_refused_by_every_setter_and_nothing_changes);
    RUN(zero_quaternions_in_definitions_are_refused);
    RUN(quaternions_off_unit_length_are_normalised);
    RUN(denormal_and_huge_finite_numbers_are_taken);
    RUN(weights_outside_0_to_1_are_limited);
    RUN(every_code_is_listed_by_its_function);
    RUN(every_text_names_an_argument);
    return check_report();
}
