/* The contract of docs/c-abi.md, as far as it can be seen from C with good and slightly bad
 * arguments. Bad numbers are in numbers.c, abuse in misuse.c, threads in threads.c. Each test is
 * named after the line it checks. */
#include "calls.h"
#include "snapshot.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static Rig rig;
static Scratch scratch;
static SinewAnimator animator;

static void fresh(void)
{
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

/* --- handles --------------------------------------------------------------------------------- */

static void handles_are_one_field_structs_of_64_bits_and_never_zero(void)
{
    CHECK(sizeof(SinewSkeleton) == 8 && sizeof(SinewAvatar) == 8 && sizeof(SinewAnimator) == 8 &&
              sizeof(SinewConstraint) == 8,
          "a handle has not 8 bytes");
    fresh();
    CHECK(rig.skeleton.bits != 0 && rig.avatar.bits != 0 && animator.bits != 0, "a living handle is 0");
    CHECK(rig.skeleton.bits != rig.avatar.bits && rig.avatar.bits != animator.bits, "two kinds share a handle");
    done();
}

static void every_call_of_the_table_succeeds_with_good_arguments(void)
{
    int k;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        Args args = good_args(&CALLS[k], &rig, animator, &scratch);
        if (CALLS[k].effect != E_DESTROYS) {
            SinewResult result = CALLS[k].run(&args);
            const char *text = "";
            (void)sinew_last_error(&text);
            CHECK(result == SINEW_OK, "%s gave %d: %s", CALLS[k].name, (int)result, text);
        }
    }
    done();
}

/* Runs every call with one argument spoiled; the code must be `expected`, and no byte behind any
 * pointer may change. */
static void refused(const Call *call, const Args *args, SinewResult expected, const char *how)
{
    static Scratch before;
    SinewResult result;
    const char *text = "";
    before = scratch;
    result = call->run(args);
    (void)sinew_last_error(&text);
    CHECK(result == expected, "%s with %s gave %d, not %d", call->name, how, (int)result, (int)expected);
    CHECK(memcmp(&before, &scratch, sizeof scratch) == 0, "%s with %s wrote to an out-parameter", call->name, how);
    CHECK(strstr(text, call->name) != NULL, "%s with %s: last error does not name it: \"%s\"", call->name, how, text);
}

static void a_null_stale_foreign_or_made_up_handle_is_an_error_code(void)
{
    Rig stale;
    SinewAnimator stale_animator;
    SinewWorld stale_world;
    SinewBody stale_body;
    SinewBodyTask stale_task;
    SinewGrounder stale_grounder;
    uint64_t bad[7][4];
    static const char *const HOW[4] = {"a null handle", "a stale handle", "a handle of another kind", "a made-up handle"};
    int k, b;
    rig_make(&stale, 0);
    stale_animator = rig_animator(&stale);
    stale_task = rig_body_task(&stale);
    EXPECT_OK(sinew_body_remove_task(rig_body(&stale), stale_task));
    EXPECT_OK(sinew_body_create(stale.skeleton, 0, NULL, &stale_body));
    EXPECT_OK(sinew_body_destroy(stale_body));
    ground_refresh();
    EXPECT_OK(sinew_grounder_create(ground.feet, LEGS, NULL, &stale_grounder));
    EXPECT_OK(sinew_grounder_destroy(stale_grounder));
    EXPECT_OK(sinew_world_create(&stale_world));
    EXPECT_OK(sinew_world_destroy(stale_world));
    EXPECT_OK(sinew_animator_destroy(stale_animator));
    rig_free(&stale);
    fresh();
    for (k = 0; k < 7; ++k) {
        bad[k][0] = 0;
        bad[k][3] = 0x123456789abcdef0u;
    }
    bad[0][1] = stale.skeleton.bits, bad[0][2] = animator.bits;
    bad[1][1] = stale.avatar.bits, bad[1][2] = rig.skeleton.bits;
    bad[2][1] = stale_animator.bits, bad[2][2] = rig.avatar.bits;
    bad[3][1] = stale_world.bits, bad[3][2] = animator.bits;
    bad[4][1] = stale_body.bits, bad[4][2] = rig_body_task(&rig).bits;
    bad[6][1] = stale_grounder.bits, bad[6][2] = animator.bits;
    bad[5][1] = stale_task.bits, bad[5][2] = rig_body(&rig).bits;
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (b = 0; b < 4 && call->handle != H_NONE; ++b) {
            Args args = good_args(call, &rig, animator, &scratch);
            args.s.bits = bad[0][b];
            args.v.bits = bad[1][b];
            args.a.bits = call->handle == H_WORLD ? args.a.bits : bad[2][b];
            args.w.bits = call->handle == H_MEMBER && b % 2 == 0 ? args.w.bits : bad[3][b];
            args.b.bits = call->handle == H_BODY_TASK && b % 2 == 0 ? args.b.bits : bad[4][b];
            args.t.bits = call->handle == H_BODY_TASK && b % 2 != 0 ? args.t.bits : bad[5][b];
            args.g.bits = bad[6][b];
            refused(call, &args, SINEW_ERROR_INVALID_HANDLE, HOW[b]);
        }
    }
    done();
}

static void is_valid_answers_for_any_handle(void)
{
    uint32_t valid = 7;
    SinewSkeleton not_a_skeleton;
    fresh();
    not_a_skeleton.bits = animator.bits;
    EXPECT_OK(sinew_animator_is_valid(animator, &valid));
    CHECK(valid == 1, "a living animator is not valid");
    EXPECT_OK(sinew_skeleton_is_valid(not_a_skeleton, &valid));
    CHECK(valid == 0, "an animator is a valid skeleton");
    done();
    EXPECT_OK(sinew_animator_is_valid(animator, &valid));
    CHECK(valid == 0, "a destroyed animator is valid");
    EXPECT_OK(sinew_avatar_is_valid(rig.avatar, &valid));
    CHECK(valid == 0, "a destroyed avatar is valid");
}

static void a_skeleton_or_avatar_may_be_destroyed_while_animators_use_it(void)
{
    fresh();
    rig_free(&rig);
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, SINEW_IK_GOAL_LEFT_HAND, 1.0f));
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_destroy(animator));
}

/* --- results and errors ---------------------------------------------------------------------- */

static const int32_t CODES[] = {
    SINEW_OK, SINEW_ERROR_NULL_POINTER, SINEW_ERROR_INVALID_HANDLE, SINEW_ERROR_INVALID_ARGUMENT, SINEW_ERROR_NOT_FINITE,
    SINEW_ERROR_OUT_OF_RANGE, SINEW_ERROR_STRUCT_SIZE, SINEW_ERROR_BUFFER_TOO_SMALL, SINEW_ERROR_LENGTH_MISMATCH,
    SINEW_ERROR_INVALID_ENUM, SINEW_ERROR_INVALID_ROTATION, SINEW_ERROR_INVALID_TEXT, SINEW_ERROR_BUSY, SINEW_ERROR_POISONED,
    SINEW_ERROR_TOO_MANY_OBJECTS, SINEW_ERROR_INVALID_PARENT, SINEW_ERROR_NOT_HUMANOID, SINEW_ERROR_MISSING_BONE,
    SINEW_ERROR_BONE_NOT_MAPPED, SINEW_ERROR_JOINT_NOT_FOUND, SINEW_ERROR_BONE_CONFLICT, SINEW_ERROR_WRONG_SKELETON,
    SINEW_ERROR_INVALID_CHAIN, SINEW_ERROR_ALREADY_MEMBER, SINEW_ERROR_NOT_MEMBER, SINEW_ERROR_JOBS,
    SINEW_ERROR_NOT_AVAILABLE, SINEW_ERROR_OUT_OF_MEMORY, SINEW_ERROR_PANIC,
};
enum { CODE_COUNT = (int)(sizeof CODES / sizeof CODES[0]) };

static void codes_come_in_blocks_and_each_has_a_text_of_its_own(void)
{
    const char *texts[CODE_COUNT];
    int32_t code;
    int k, l, known = 0;
    CHECK(sizeof(SinewResult) == 4 && SINEW_OK == 0, "SinewResult is no int32_t with SINEW_OK 0");
    for (k = 0; k < CODE_COUNT; ++k) {
        texts[k] = "";
        EXPECT_OK(sinew_result_text(CODES[k], &texts[k]));
        CHECK(strncmp(texts[k], "SINEW_", 6) == 0 && strlen(texts[k]) > 12, "text of %d: \"%s\"", (int)CODES[k], texts[k]);
        for (l = 0; l < k; ++l) {
            CHECK(strcmp(texts[k], texts[l]) != 0, "%d and %d share a text", (int)CODES[k], (int)CODES[l]);
        }
    }
    for (code = -1000; code < 2000; ++code) {
        const char *text = NULL;
        known += sinew_result_text(code, &text) == SINEW_OK;
    }
    CHECK(known == CODE_COUNT, "the library knows %d codes, the header %d", known, CODE_COUNT);
}

static void last_error_gives_function_argument_and_value(void)
{
    const char *text = "";
    SinewVec3 position = to_vec3(vec3d(1, 2, 3));
    fresh();
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_set_ik_position(animator, 77, &position));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "sinew_animator_set_ik_position") && strstr(text, "goal") && strstr(text, "77"), "\"%s\"", text);
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "77") != NULL, "a call that succeeded changed the text: \"%s\"", text);
    position.y = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_ik_position(animator, SINEW_IK_GOAL_LEFT_HAND, &position));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "position.y") && (strstr(text, "NaN") || strstr(text, "nan")), "\"%s\"", text);
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_animator_get_pose(animator, (SinewTransform *)&scratch, 3));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "count") && strstr(text, "3") && strstr(text, "25"), "\"%s\"", text);
    done();
}

/* The sentence of a refused call, which must hold each of the words. */
static void says(const char *what, const char *const words[4])
{
    const char *text = "";
    int k;
    EXPECT_OK(sinew_last_error(&text));
    for (k = 0; k < 4 && words[k] != NULL; ++k) {
        CHECK(strstr(text, words[k]) != NULL, "%s: \"%s\" is not in \"%s\"", what, words[k], text);
    }
}

/* Row, job, animator, member and value, in the names that the caller knows. */
static void last_error_names_row_member_and_value(void)
{
    enum { JOBS = 64 };
    static SinewTwoBoneJob jobs[JOBS];
    static SinewTwoBoneResult results[JOBS];
    static SinewTransform poses[2][RIG_JOINTS], roots[2];
    SinewJointLimbJob limb;
    SinewJointLimbResult limb_result;
    SinewAimJob aim;
    SinewAimResult aim_result;
    SinewAnimator two[2];
    SinewTransform root, *pose;
    SinewTwoBoneDef two_bone;
    SinewChainEnd end;
    SinewChainDef chain;
    SinewConstraint constraint;
    SinewWorld world;
    SinewWorldFrame frame;
    int k;
    fresh();
    for (k = 0; k < JOBS; ++k) {
        EXPECT_OK(sinew_two_bone_job_default(&jobs[k]));
        jobs[k].root_mid.x = jobs[k].mid_end.y = jobs[k].target.z = 1;
    }
    jobs[37].stretch = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_two_bone_solve_batch(jobs, JOBS, results));
    says("a batch", (const char *const[4]){"sinew_two_bone_solve_batch", "jobs[37].stretch", "NaN"});
    jobs[0].hinge.y = (float)INFINITY;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_two_bone_solve(&jobs[0], results));
    says("a limb", (const char *const[4]){"job.hinge.y", "inf"});
    EXPECT_OK(sinew_joint_limb_job_default(&limb));
    limb.end_weight = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_joint_limb_solve(&limb, &limb_result));
    says("a limb of joints", (const char *const[4]){"job.end_weight", "NaN"});
    EXPECT_OK(sinew_aim_job_default(&aim));
    aim.target.z = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_aim_solve_batch(&aim, 1, &aim_result));
    says("an aim", (const char *const[4]){"jobs[0].target.z", "NaN"});

    EXPECT_OK(sinew_animator_get_root(animator, &root));
    root.scale.x = root.scale.y = root.scale.z = 1e15f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_root(animator, &root));
    says("a huge root", (const char *const[4]){"scale is [1000000000000000,", "1e15"});
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    pose[3].scale.x = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_solve(animator));
    says("a pose", (const char *const[4]){"joint 3", "scale.x", "NaN"});
    two[0] = rig_animator(&rig);
    two[1] = animator;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_solve_batch(two, 2, NULL));
    says("two animators", (const char *const[4]){"animators[1]", "joint 3", "scale.x", "NaN"});
    pose[3].scale.x = 1;

    EXPECT_OK(sinew_two_bone_def_default(&two_bone));
    two_bone.end = RIG_LEFT_FOOT;
    two_bone.bend_side.y = 1e30f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_add_two_bone(animator, &two_bone, &constraint));
    says("a bend side", (const char *const[4]){"def.bend_side:", "too large"});
    chain = rig_chain_def(&end);
    end.tip.x = 1e30f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_add_chain(animator, &chain, &constraint));
    says("a tip", (const char *const[4]){"def.ends[0].tip"});

    EXPECT_OK(sinew_world_create(&world));
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_world_join(world, two[k], NULL));
        EXPECT_OK(sinew_animator_get_pose(two[k], poses[k], RIG_JOINTS));
        EXPECT_OK(sinew_animator_get_root(two[k], &roots[k]));
    }
    EXPECT_OK(sinew_world_frame_default(&frame));
    frame.row_count = 2;
    frame.roots = roots;
    frame.roots_stride = sizeof roots[0];
    roots[1].position.y = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_world_solve(world, &frame, NULL));
    says("a root of a row", (const char *const[4]){"row 1", "frame.roots[1].position.y", "NaN"});
    frame.roots = NULL;
    frame.layout = SINEW_POSE_LAYOUT_RECORDS;
    frame.records = poses[0];
    frame.records_stride = sizeof poses[0];
    poses[1][7].rotation.w = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_world_solve(world, &frame, NULL));
    says("a pose of a row", (const char *const[4]){"row 1", "joint 7", "rotation.w", "NaN"});
    EXPECT_OK(sinew_world_destroy(world));
    EXPECT_OK(sinew_animator_destroy(two[0]));
    done();
}

static void *other_thread(void *user)
{
    const char *text = NULL;
    int *good = user;
    good[0] = sinew_last_error(&text) == SINEW_OK && text != NULL && text[0] == '\0';
    (void)sinew_human_bone_from_name(NULL, NULL);
    good[1] = sinew_last_error(&text) == SINEW_OK && strstr(text, "sinew_human_bone_from_name") != NULL;
    return NULL;
}

static void last_error_belongs_to_the_calling_thread(void)
{
    pthread_t thread;
    int good[2] = {0, 0};
    const char *text = "";
    (void)sinew_skeleton_destroy((SinewSkeleton){0});
    REQUIRE(pthread_create(&thread, NULL, other_thread, good) == 0, "no thread");
    pthread_join(thread, NULL);
    CHECK(good[0], "a new thread does not begin with an empty text");
    CHECK(good[1], "another thread does not see its own text");
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "sinew_skeleton_destroy") != NULL, "another thread changed this thread's text: \"%s\"", text);
}

/* --- integers, sizes, versions --------------------------------------------------------------- */

static void enums_arrive_as_integers_and_are_checked(void)
{
    static const int32_t BAD[] = {-1, 4, 55, 255, 65536, INT_MAX, INT_MIN};
    int k;
    size_t b;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (b = 0; b < sizeof BAD / sizeof BAD[0] && call->index != X_NONE; ++b) {
            Args args = good_args(call, &rig, animator, &scratch);
            int bone_4 = BAD[b] == 4 && (call->index == X_BONE || call->index == X_JOINT || call->index == X_TARGET
                                         || call->index == X_TASK_KIND || call->index == X_EFFECTOR);
            args.i = BAD[b];
            if (!bone_4) {
                refused(call, &args, call->index == X_JOINT || call->index == X_END ? SINEW_ERROR_OUT_OF_RANGE : SINEW_ERROR_INVALID_ENUM,
                        "a bad integer");
            }
        }
    }
    done();
}

static void settings_structs_carry_their_size(void)
{
    static const uint32_t SIZES[] = {0, 1, 4, 7, 65536, UINT_MAX};
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewHumanoidInput input;
    SinewHumanoidSettings settings;
    SinewMatchTarget target;
    SinewTransform root;
    SinewSkeleton skeleton = {5};
    SinewAvatar avatar = {6};
    SinewAnimator other = {7};
    size_t k;
    fresh();
    skeleton_def = rig_skeleton_def(&rig);
    avatar_def = rig_avatar_def(&rig);
    animator_def = rig_animator_def(&rig);
    input = full_input();
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    EXPECT_OK(sinew_match_target_default(&target));
    CHECK(skeleton_def.struct_size == sizeof skeleton_def && avatar_def.struct_size == sizeof avatar_def &&
              animator_def.struct_size == sizeof animator_def && input.struct_size == sizeof input &&
              settings.struct_size == sizeof settings && target.struct_size == sizeof target,
          "a default's struct_size is not sizeof");
    for (k = 0; k < 8; ++k) {
        int d = k < 6 ? 0 : k == 6 ? -4 : 4;
        uint32_t size = k < 6 ? SIZES[k] : 0;
        skeleton_def.struct_size = d != 0 ? (uint32_t)((int)sizeof skeleton_def + d) : size;
        avatar_def.struct_size = d != 0 ? (uint32_t)((int)sizeof avatar_def + d) : size;
        animator_def.struct_size = d != 0 ? (uint32_t)((int)sizeof animator_def + d) : size;
        input.struct_size = d != 0 ? (uint32_t)((int)sizeof input + d) : size;
        /* 4 and 8 bytes less are those of older headers. */
        settings.struct_size = d != 0 ? (uint32_t)((int)sizeof settings + 3 * d) : size;
        target.struct_size = d != 0 ? (uint32_t)((int)sizeof target + d) : size;
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_skeleton_create(&skeleton_def, &skeleton));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_avatar_create(&avatar_def, &avatar));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_animator_create(&animator_def, &other));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_animator_set_input(animator, &input));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_animator_set_settings(animator, &settings));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_animator_match_target(animator, &target, 0, 1, &root));
    }
    CHECK(skeleton.bits == 5 && avatar.bits == 6 && other.bits == 7, "an out-handle was written");
    done();
}

/* A program built against a header in which the definition ended earlier: it has no more memory
 * than that (AddressSanitizer and valgrind would tell of a byte read beyond), and gets the defaults
 * for what came later. */
static void definitions_of_an_older_size_are_taken_with_defaults(void)
{
    const size_t older = offsetof(SinewAvatarDef, upper_arm_twist);
    SinewAvatarDef now = {0}, *def = malloc(older);
    SinewAvatar same, other;
    SinewAnimatorDef animator_def;
    SinewHumanoidInput input = full_input();
    SinewTransform poses[3][RIG_JOINTS];
    int k;
    fresh();
    REQUIRE(def != NULL, "no memory");
    now = rig_avatar_def(&rig);
    memcpy(def, &now, older);
    def->struct_size = (uint32_t)older;
    EXPECT_OK(sinew_avatar_create(def, &same));
    free(def);
    now.lower_arm_twist = 0.0f; /* and what came later counts for those who know of it */
    EXPECT_OK(sinew_avatar_create(&now, &other));
    animator_def = rig_animator_def(&rig);
    for (k = 0; k < 3; ++k) {
        SinewAnimator user;
        animator_def.avatar = k == 0 ? rig.avatar : k == 1 ? same : other;
        EXPECT_OK(sinew_animator_create(&animator_def, &user));
        EXPECT_OK(sinew_animator_set_input(user, &input));
        EXPECT_OK(sinew_animator_solve(user));
        EXPECT_OK(sinew_animator_get_pose(user, poses[k], RIG_JOINTS));
        EXPECT_OK(sinew_animator_destroy(user));
    }
    CHECK(memcmp(poses[0], poses[1], sizeof poses[0]) == 0, "an older definition gives another avatar than the defaults");
    CHECK(memcmp(poses[0], poses[2], sizeof poses[0]) != 0, "the new member does nothing");
    EXPECT_OK(sinew_avatar_destroy(same));
    EXPECT_OK(sinew_avatar_destroy(other));
    done();
}

static void version_and_abi_number_are_those_of_the_header(void)
{
    SinewVersion version = {9, 9, 9, 9};
    EXPECT_OK(sinew_version(&version));
    CHECK(version.abi == SINEW_ABI_VERSION, "ABI %u, header %d", version.abi, SINEW_ABI_VERSION);
    CHECK(version.major < 9 && (version.major | version.minor | version.patch) != 0, "version %u.%u.%u", version.major,
          version.minor, version.patch);
}

/* --- the frame ------------------------------------------------------------------------------- */

static void the_pose_buffer_stays_where_it_is(void)
{
    enum { OTHERS = 64 };
    const long solves = check_rounds(5000, 500);
    SinewAnimator others[OTHERS];
    SinewTransform *pose = NULL, *again = NULL, *stranger = NULL;
    uint32_t count = 0;
    int k, made = 0;
    fresh();
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, &count));
    CHECK(count == RIG_JOINTS, "count is %u", count);
    for (k = 0; k < RIG_JOINTS; ++k) {
        SinewTransform rest;
        EXPECT_OK(sinew_skeleton_get_rest(rig.skeleton, (uint32_t)k, &rest));
        CHECK(memcmp(&rest, &pose[k], sizeof rest) == 0, "the buffer does not begin as the rest pose");
    }
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, SINEW_IK_GOAL_RIGHT_HAND, 1.0f));
    for (k = 0; k < solves; ++k) {
        if (k % (solves / 100) == 0) {
            int slot = made % OTHERS;
            if (made++ >= OTHERS) {
                EXPECT_OK(sinew_animator_destroy(others[slot]));
            }
            others[slot] = rig_animator(&rig);
            EXPECT_OK(sinew_animator_get_pose_buffer(others[slot], &stranger, NULL));
            CHECK(stranger != pose, "two animators share a buffer");
        }
        EXPECT_OK(sinew_animator_solve(animator));
        EXPECT_OK(sinew_animator_get_pose_buffer(animator, &again, NULL));
        CHECK(again == pose, "the buffer moved after %d solves", k);
    }
    for (k = 0; k < OTHERS; ++k) {
        EXPECT_OK(sinew_animator_destroy(others[k]));
    }
    done();
}

static void a_pose_can_be_copied_in_and_out_and_reset(void)
{
    SinewTransform in[RIG_JOINTS], out[RIG_JOINTS], *pose = NULL;
    int j;
    fresh();
    rig_bent_pose(&rig, 0.4, in);
    EXPECT_OK(sinew_animator_set_pose(animator, in, RIG_JOINTS));
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    EXPECT_OK(sinew_animator_get_pose(animator, out, RIG_JOINTS));
    CHECK(memcmp(pose, out, sizeof out) == 0, "buffer and copy differ");
    for (j = 0; j < RIG_JOINTS; ++j) {
        CHECK(memcmp(&in[j].position, &out[j].position, 12) == 0, "position of joint %d changed on the way", j);
        CHECK(quatd_angle(from_quat(in[j].rotation), from_quat(out[j].rotation)) < 1e-6, "rotation of joint %d changed", j);
    }
    EXPECT_OK(sinew_animator_reset_pose(animator));
    for (j = 0; j < RIG_JOINTS; ++j) {
        SinewTransform rest;
        EXPECT_OK(sinew_skeleton_get_rest(rig.skeleton, (uint32_t)j, &rest));
        CHECK(memcmp(&rest, &pose[j], sizeof rest) == 0, "joint %d is not at rest after the reset", j);
    }
    done();
}

static void at_weight_0_the_pose_passes_through_bit_for_bit(void)
{
    SinewTransform before[RIG_JOINTS], *pose = NULL, root;
    SinewHumanoidInput input = full_input();
    int k;
    fresh();
    input.set &= (1u << 13) - 1; /* body position and rotation have no weight: leave them to the animation */
    input.look_at_weight.weight = 0.0f;
    for (k = 0; k < 4; ++k) {
        input.goals[k].position_weight = input.goals[k].rotation_weight = input.hints[k].weight = 0.0f;
    }
    root = transform(vec3d(3, 1, -2), quatd_about(vec3d(1, 1, 0), 0.8), vec3d(1.5, 0.5, -2));
    EXPECT_OK(sinew_animator_set_root(animator, &root));
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    rig_bent_pose(&rig, 0.6, before);
    before[RIG_CHEST].scale = to_vec3(vec3d(1.1, 0.9, 1));
    before[RIG_NECK].rotation.x = -0.0f; /* odd, but legal: minus zero, not quite unit length, denormal */
    before[RIG_HEAD].rotation.w *= 1.002f;
    before[RIG_LEFT_EYE].position.x = 1e-41f;
    memcpy(pose, before, sizeof before);
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(memcmp(pose, before, sizeof before) == 0, "the pose changed");
    for (k = 0; k < 4; ++k) {
        SinewOutcome outcome = {-1, 9, 9, 9};
        EXPECT_OK(sinew_animator_get_ik_outcome(animator, k, &outcome));
        CHECK(outcome.status == SINEW_STATUS_INACTIVE, "goal %d has status %d", k, outcome.status);
    }
    done();
}

static void set_single(SinewAnimator target, const SinewHumanoidInput *in)
{
    const SinewLookAtWeight *w = &in->look_at_weight;
    int k;
    for (k = 0; k < 4; ++k) {
        EXPECT_OK(sinew_animator_set_ik_position(target, k, &in->goals[k].position));
        EXPECT_OK(sinew_animator_set_ik_rotation(target, k, &in->goals[k].rotation));
        EXPECT_OK(sinew_animator_set_ik_position_weight(target, k, in->goals[k].position_weight));
        EXPECT_OK(sinew_animator_set_ik_rotation_weight(target, k, in->goals[k].rotation_weight));
        EXPECT_OK(sinew_animator_set_ik_hint_position(target, k, &in->hints[k].position));
        EXPECT_OK(sinew_animator_set_ik_hint_position_weight(target, k, in->hints[k].weight));
    }
    EXPECT_OK(sinew_animator_set_look_at_position(target, &in->look_at_position));
    EXPECT_OK(sinew_animator_set_look_at_weight(target, w->weight, w->body, w->head, w->eyes, w->clamp));
    EXPECT_OK(sinew_animator_set_body_position(target, &in->body_position));
    EXPECT_OK(sinew_animator_set_body_rotation(target, &in->body_rotation));
}

static void a_whole_input_equals_single_setters_bit_for_bit(void)
{
    SinewAnimator other;
    SinewHumanoidInput input = full_input(), read;
    SinewTransform animation[RIG_JOINTS];
    Snapshot single, whole;
    int frame;
    fresh();
    other = rig_animator(&rig);
    set_single(animator, &input);
    for (frame = 0; frame < 3; ++frame) {
        rig_bent_pose(&rig, 0.1 * frame, animation);
        EXPECT_OK(sinew_animator_set_pose(animator, animation, RIG_JOINTS));
        EXPECT_OK(sinew_animator_set_pose(other, animation, RIG_JOINTS));
        EXPECT_OK(sinew_animator_set_input(other, &input));
        EXPECT_OK(sinew_animator_solve(animator));
        EXPECT_OK(sinew_animator_solve(other));
        snapshot(animator, &single);
        snapshot(other, &whole);
        EXPECT_SAME(single, whole, "they differ in frame %d", frame);
    }
    EXPECT_OK(sinew_animator_get_input(animator, &read));
    EXPECT_OK(sinew_animator_reset_ik(other));
    EXPECT_OK(sinew_animator_set_input(other, &read));
    snapshot(other, &whole);
    EXPECT_SAME(read, whole.input, "what get_input gives is not what set_input takes");
    EXPECT_OK(sinew_animator_destroy(other));
    done();
}

static void goals_and_weights_stay_until_changed_and_solves_repeat_bit_for_bit(void)
{
    SinewHumanoidInput input = full_input();
    SinewTransform animation[RIG_JOINTS];
    Snapshot first, again;
    int frame;
    fresh();
    rig_bent_pose(&rig, 0.3, animation);
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    for (frame = 0; frame < 5; ++frame) {
        EXPECT_OK(sinew_animator_set_pose(animator, animation, RIG_JOINTS));
        EXPECT_OK(sinew_animator_solve(animator));
        snapshot(animator, frame == 0 ? &first : &again);
    }
    EXPECT_SAME(first, again, "the fifth frame is not the first");
    CHECK(memcmp(first.pose, animation, sizeof animation) != 0, "nothing was solved");
    done();
}

int main(void)
{
    note_codes = 1;
    RUN(handles_are_one_field_structs_of_64_bits_and_never_zero);
    RUN(every_call_of_the_table_succeeds_with_good_arguments);
    RUN(a_null_stale_foreign_or_made_up_handle_is_an_error_code);
    RUN(is_valid_answers_for_any_handle);
    RUN(a_skeleton_or_avatar_may_be_destroyed_while_animators_use_it);
    RUN(codes_come_in_blocks_and_each_has_a_text_of_its_own);
    RUN(last_error_gives_function_argument_and_value);
    RUN(last_error_names_row_member_and_value);
    RUN(last_error_belongs_to_the_calling_thread);
    RUN(enums_arrive_as_integers_and_are_checked);
    RUN(settings_structs_carry_their_size);
    RUN(definitions_of_an_older_size_are_taken_with_defaults);
    RUN(version_and_abi_number_are_those_of_the_header);
    RUN(the_pose_buffer_stays_where_it_is);
    RUN(a_pose_can_be_copied_in_and_out_and_reset);
    RUN(at_weight_0_the_pose_passes_through_bit_for_bit);
    RUN(a_whole_input_equals_single_setters_bit_for_bit);
    RUN(goals_and_weights_stay_until_changed_and_solves_repeat_bit_for_bit);
    RUN(every_code_is_listed_by_its_function);
    RUN(every_text_names_an_argument);
    return check_report();
}
