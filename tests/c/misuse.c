/* Abuse that must end in a code: null pointers, dead and made-up handles, wrong counts, impossible
 * rigs. */
#include "calls.h"

#include <limits.h>

static Rig rig;
static Scratch scratch;
static SinewAnimator animator;

static void fresh(void)
{
    rig_make(&rig, 0);
    animator = rig_animator(&rig);
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

/* --- pointers and handles -------------------------------------------------------------------- */

static void null_for_each_pointer_of_every_function(void)
{
    int k, p, required = 0;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (p = 0; p < call->pointers; ++p) {
            Args args = good_args(call, &rig, animator, &scratch);
            SinewResult result, wanted = call->optional >> p & 1 ? SINEW_OK : SINEW_ERROR_NULL_POINTER;
            args.p[p] = NULL;
            result = call->run(&args);
            CHECK(result == wanted, "%s with pointer %d NULL gave %d, not %d", call->name, p, (int)result, (int)wanted);
            required += wanted != SINEW_OK;
        }
    }
    CHECK(required > 85, "only %d pointers were required", required);
    done();
}

/* Texts, bytes, what is handed back to callbacks, what a row copies, and an array that gets nothing
 * may be anywhere. */
static int is_bytes(const Call *call, int pointer)
{
    static const char *const NO_RECORDS[] = {"sinew_animator_draw", "sinew_world_set_jobs", "sinew_world_set_budget",
                                                 "sinew_body_get_limited_joints", "sinew_body_drag",
                                                 "sinew_body_set_joint_coupling"};
    size_t k;
    for (k = 0; k < sizeof NO_RECORDS / sizeof NO_RECORDS[0]; ++k)
        if (strcmp(call->name, NO_RECORDS[k]) == 0)
            return 1;
    if (strcmp(call->name, "sinew_grounder_solve") == 0 && pointer >= 2)
        return 1; /* whether there is a callback, and its user */
    const int begins = call->in == I_NAME || call->in == I_SNAPSHOT || call->in == I_BODY_SNAPSHOT;
    if (pointer == 0)
        return begins || strstr(call->name, "_snapshot") != NULL || strstr(call->name, "joint_name") != NULL;
    return pointer == 1 && strstr(call->name, "mapping_text") != NULL;
}

static void misaligned_for_each_pointer_of_every_function(void)
{
    int k, p, shift, refused = 0;
    fresh();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        for (p = 0; p < call->pointers; ++p) {
            for (shift = 1; shift < 4 && !is_bytes(call, p); ++shift) {
                Args args = good_args(call, &rig, animator, &scratch);
                SinewResult result;
                unsigned char before[64];
                args.p[p] = (char *)args.p[p] + shift;
                memcpy(before, args.p[p], sizeof before);
                result = call->run(&args);
                CHECK(result == SINEW_ERROR_INVALID_ARGUMENT, "%s with pointer %d off by %d gave %d", call->name, p, shift,
                      (int)result);
                CHECK(memcmp(before, args.p[p], sizeof before) == 0, "%s wrote to pointer %d off by %d", call->name, p, shift);
                ++refused;
            }
        }
    }
    CHECK(refused > 300, "only %d calls were tried", refused);
    done();
}

static void null_pointers_inside_definitions(void)
{
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewSkeleton skeleton = {5};
    SinewAvatar avatar = {6};
    const char *names[RIG_JOINTS];
    fresh();
    skeleton_def = rig_skeleton_def(&rig);
    skeleton_def.parents = NULL;
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_skeleton_create(&skeleton_def, &skeleton));
    skeleton_def = rig_skeleton_def(&rig);
    skeleton_def.rest = NULL;
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_skeleton_create(&skeleton_def, &skeleton));
    skeleton_def = rig_skeleton_def(&rig);
    memcpy(names, rig.names, sizeof names);
    names[7] = NULL;
    skeleton_def.names = names;
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_skeleton_create(&skeleton_def, &skeleton));
    avatar_def = rig_avatar_def(&rig);
    avatar_def.human_joints = NULL;
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_avatar_create(&avatar_def, &avatar));
    CHECK(skeleton.bits == 5 && avatar.bits == 6, "an out-handle was written");
    skeleton_def.names = NULL; /* no names at all is fine */
    EXPECT_OK(sinew_skeleton_create(&skeleton_def, &skeleton));
    EXPECT(SINEW_ERROR_JOINT_NOT_FOUND, sinew_skeleton_find_joint(skeleton, "Hips", &skeleton_def.joint_count));
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
    done();
}

static void destroying_twice(void)
{
    fresh();
    EXPECT_OK(sinew_animator_destroy(animator));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_destroy(animator));
    EXPECT_OK(sinew_avatar_destroy(rig.avatar));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_avatar_destroy(rig.avatar));
    EXPECT_OK(sinew_skeleton_destroy(rig.skeleton));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_skeleton_destroy(rig.skeleton));
}

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void a_million_forged_handles(void)
{
    uint64_t state = 42;
    long k, hits = 0, wrong = 0, many = check_rounds(1L << 20, 1L << 15);
    fresh();
    for (k = 0; k < many; ++k) {
        SinewAnimator forged;
        SinewResult result;
        uint64_t bits = random_bits(&state);
        switch (k & 3) {
        case 0: break;                                                             /* anything */
        case 1: bits = animator.bits ^ ((uint64_t)1 << (bits & 63)); break;        /* one bit off a living one */
        case 2: bits = (animator.bits & ~(uint64_t)0xffff) | (bits & 0xffff); break; /* another low part … */
        default: bits = (animator.bits & 0xffffffffu) | bits << 32; break;         /* … or another high part */
        }
        forged.bits = bits;
        if (bits == animator.bits) {
            ++hits;
            continue;
        }
        result = sinew_animator_solve(forged);
        wrong += result != SINEW_ERROR_INVALID_HANDLE;
        result = sinew_animator_destroy(forged);
        wrong += result != SINEW_ERROR_INVALID_HANDLE;
        result = sinew_skeleton_destroy((SinewSkeleton){bits == rig.skeleton.bits ? 1 : bits});
        wrong += result != SINEW_ERROR_INVALID_HANDLE;
        result = sinew_avatar_destroy((SinewAvatar){bits == rig.avatar.bits ? 1 : bits});
        wrong += result != SINEW_ERROR_INVALID_HANDLE;
    }
    CHECK(wrong == 0, "%ld calls did not give SINEW_ERROR_INVALID_HANDLE", wrong);
    CHECK(hits < 200, "the forger found the handle %ld times", hits);
    done();
}

static void a_stale_handle_stays_stale_after_100000_reuses(void)
{
    SinewAnimatorDef def;
    SinewAnimator first, last, next = {0};
    uint32_t valid = 1;
    long k, alive = 0, many = check_rounds(100000, 5000);
    fresh();
    def = rig_animator_def(&rig);
    def.avatar.bits = 0;
    EXPECT_OK(sinew_animator_create(&def, &first));
    EXPECT_OK(sinew_animator_destroy(first));
    last = first;
    for (k = 0; k < many; ++k) {
        EXPECT_OK(sinew_animator_create(&def, &next));
        CHECK(next.bits != first.bits && next.bits != last.bits, "a handle was given out again after %ld", k);
        alive += sinew_animator_solve(last) != SINEW_ERROR_INVALID_HANDLE;
        EXPECT_OK(sinew_animator_destroy(next));
        last = next;
    }
    EXPECT_OK(sinew_animator_is_valid(first, &valid));
    CHECK(valid == 0 && alive == 0, "a stale handle works again");
    done();
}

/* --- counts and arrays ----------------------------------------------------------------------- */

static void wrong_and_huge_lengths(void)
{
    static const uint32_t BAD[] = {0, 1, RIG_JOINTS - 1, RIG_JOINTS + 1, 65536, 0x7fffffffu, UINT_MAX};
    SinewTransform pose[RIG_JOINTS];
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewSkeleton skeleton = {5};
    SinewAvatar avatar = {6};
    int32_t map[SINEW_HUMAN_BONE_COUNT];
    size_t k;
    fresh();
    rig_bent_pose(&rig, 0, pose);
    skeleton_def = rig_skeleton_def(&rig);
    avatar_def = rig_avatar_def(&rig);
    for (k = 0; k < sizeof BAD / sizeof BAD[0]; ++k) {
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_animator_set_pose(animator, pose, BAD[k]));
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_animator_get_pose(animator, pose, BAD[k]));
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_skeleton_map_human_names(rig.skeleton, map, BAD[k], NULL));
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_skeleton_map_human_bones(rig.skeleton, map, BAD[k], NULL));
        avatar_def.human_joint_count = BAD[k];
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_avatar_create(&avatar_def, &avatar));
        if (BAD[k] == 0 || BAD[k] >= 65536) {
            skeleton_def.joint_count = BAD[k];
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_skeleton_create(&skeleton_def, &skeleton));
        }
    }
    CHECK(skeleton.bits == 5 && avatar.bits == 6, "an out-handle was written");
    done();
}

static void debug_lines_need_room(void)
{
    SinewDebugLine lines[LINE_ROOM];
    SinewAnimator dead = {0};
    uint32_t count = 0, again = 0;
    fresh();
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_get_debug_lines(animator, NULL, 0, &count));
    REQUIRE(count >= RIG_JOINTS - 1 && count <= LINE_ROOM, "%u lines", count);
    memset(lines, 0xA5, sizeof lines);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_get_debug_lines(animator, lines, count - 1, &again));
    CHECK(again == count && ((unsigned char *)lines)[0] == 0xA5, "too small, yet it wrote");
    EXPECT_OK(sinew_animator_get_debug_lines(animator, lines, count, &again));
    CHECK(again == count && lines[0].part == SINEW_DEBUG_PART_BONE, "%u lines, the first is part %d", again, lines[0].part);
    again = 77;
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_get_debug_lines(dead, lines, count, &again));
    CHECK(again == 77, "the count was written for a dead handle");
    done();
}

static void batches(void)
{
    SinewAnimator list[5], second;
    int32_t results[5] = {9, 9, 9, 9, 9};
    fresh();
    second = rig_animator(&rig);
    EXPECT_OK(sinew_animator_solve_batch(NULL, 0, NULL));
    EXPECT_OK(sinew_animator_solve_batch(list, 0, results));
    CHECK(results[0] == 9, "an empty batch wrote a result");
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_animator_solve_batch(NULL, 3, results));
    CHECK(results[0] == 9, "a refused batch wrote a result");
    list[0] = list[1] = list[4] = animator; /* the same one again and again is solved again and again */
    list[2].bits = 0;
    list[3] = second;
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_solve_batch(list, 5, results));
    CHECK(results[0] == SINEW_OK && results[1] == SINEW_OK && results[2] == SINEW_ERROR_INVALID_HANDLE &&
              results[3] == SINEW_OK && results[4] == SINEW_OK,
          "results %d %d %d %d %d", results[0], results[1], results[2], results[3], results[4]);
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_solve_batch(list, 5, NULL));
    EXPECT_OK(sinew_animator_solve_batch(list, 2, NULL));
    EXPECT_OK(sinew_animator_destroy(second));
    done();
}

static void texts_that_are_not_utf8(void)
{
    const char *names[RIG_JOINTS];
    SinewSkeletonDef def;
    SinewSkeleton skeleton = {5};
    uint32_t joint = 77;
    int32_t bone = 77;
    fresh();
    def = rig_skeleton_def(&rig);
    memcpy(names, rig.names, sizeof names);
    names[3] = "Fu\xdf"; /* Latin-1 */
    def.names = names;
    EXPECT(SINEW_ERROR_INVALID_TEXT, sinew_skeleton_create(&def, &skeleton));
    EXPECT(SINEW_ERROR_INVALID_TEXT, sinew_skeleton_find_joint(rig.skeleton, "\xc3", &joint));
    EXPECT(SINEW_ERROR_INVALID_TEXT, sinew_human_bone_from_name("\xff\xfe", &bone));
    CHECK(skeleton.bits == 5 && joint == 77 && bone == 77, "an out-parameter was written");
    EXPECT(SINEW_ERROR_JOINT_NOT_FOUND, sinew_skeleton_find_joint(rig.skeleton, "hips", &joint));
    EXPECT_OK(sinew_skeleton_find_joint(rig.skeleton, "Hips", &joint));
    CHECK(joint == RIG_HIPS, "Hips is joint %u", joint);
    EXPECT_OK(sinew_human_bone_from_name("no bone at all", &bone));
    CHECK(bone == -1, "an unknown name is bone %d", bone);
    EXPECT_OK(sinew_human_bone_from_name("left  UPPER leg", &bone));
    CHECK(bone == SINEW_HUMAN_BONE_LEFT_UPPER_LEG, "bone %d", bone);
    done();
}

/* --- rigs ------------------------------------------------------------------------------------ */

static void parents_after_children_or_in_circles(void)
{
    static const int32_t BAD[][3] = {{-1, 2, 0}, {-1, 1, 0}, {0, -1, 0}, {1, 2, 0}, {-1, 0, -2}, {-1, 0, 3}, {-1, 0, INT_MAX},
                                     {INT_MIN, 0, 1}};
    SinewSkeletonDef def;
    SinewSkeleton skeleton = {5};
    size_t k;
    fresh();
    def = rig_skeleton_def(&rig);
    def.joint_count = 3;
    for (k = 0; k < sizeof BAD / sizeof BAD[0]; ++k) {
        def.parents = BAD[k];
        EXPECT(SINEW_ERROR_INVALID_PARENT, sinew_skeleton_create(&def, &skeleton));
    }
    CHECK(skeleton.bits == 5, "an out-handle was written");
    done();
}

static void the_largest_skeleton_and_one_joint_more(void)
{
    enum { MAX = 65535 };
    int32_t *parents = calloc(MAX + 1, sizeof *parents);
    SinewTransform *rest = calloc(MAX + 1, sizeof *rest), *pose = NULL;
    SinewSkeletonDef def;
    SinewAnimatorDef animator_def;
    SinewSkeleton skeleton = {5};
    SinewAnimator chain;
    SinewVec3 tip;
    uint32_t j;
    REQUIRE(parents != NULL && rest != NULL, "no memory");
    for (j = 0; j <= MAX; ++j) {
        parents[j] = (int32_t)j - 1;
        rest[j].position.x = 1.0f;
        rest[j].rotation.w = 1.0f;
        rest[j].scale.x = rest[j].scale.y = rest[j].scale.z = 1.0f;
    }
    EXPECT_OK(sinew_skeleton_def_default(&def));
    def.parents = parents;
    def.rest = rest;
    def.joint_count = MAX + 1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_skeleton_create(&def, &skeleton));
    def.joint_count = MAX;
    EXPECT_OK(sinew_skeleton_create(&def, &skeleton));
    EXPECT_OK(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = skeleton;
    EXPECT_OK(sinew_animator_create(&animator_def, &chain));
    EXPECT_OK(sinew_animator_get_pose_buffer(chain, &pose, &j));
    CHECK(j == MAX, "%u joints", j);
    EXPECT_OK(sinew_animator_solve(chain));
    EXPECT_OK(sinew_animator_get_joint_world(chain, MAX - 1, &tip, NULL));
    CHECK(fabs(tip.x - MAX) < 1, "the tip is at %g", (double)tip.x);
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_animator_get_joint_world(chain, MAX, &tip, NULL));
    EXPECT(SINEW_ERROR_NOT_HUMANOID, sinew_animator_set_ik_position(chain, 0, &tip));
    EXPECT_OK(sinew_animator_destroy(chain));
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
    free(parents);
    free(rest);
}

static void avatars_that_cannot_be(void)
{
    static const int REQUIRED[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18};
    SinewAvatarDef def;
    SinewAnimatorDef animator_def;
    SinewAvatar avatar = {6};
    SinewAnimator other = {7};
    Rig stranger;
    int32_t human[SINEW_HUMAN_BONE_COUNT];
    const char *text = "";
    size_t k;
    fresh();
    def = rig_avatar_def(&rig);
    def.human_joints = human;
    for (k = 0; k < sizeof REQUIRED / sizeof REQUIRED[0]; ++k) {
        memcpy(human, rig.human, sizeof human);
        human[REQUIRED[k]] = -1;
        EXPECT(SINEW_ERROR_MISSING_BONE, sinew_avatar_create(&def, &avatar));
    }
    memset(human, 0xff, sizeof human);
    EXPECT(SINEW_ERROR_MISSING_BONE, sinew_avatar_create(&def, &avatar));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "Hips") && strstr(text, "RightHand") && strstr(text, "Head"), "not all are named: \"%s\"", text);
    memcpy(human, rig.human, sizeof human);
    human[SINEW_HUMAN_BONE_JAW] = RIG_HEAD;
    EXPECT(SINEW_ERROR_BONE_CONFLICT, sinew_avatar_create(&def, &avatar));
    memcpy(human, rig.human, sizeof human);
    human[SINEW_HUMAN_BONE_LEFT_LOWER_ARM] = RIG_RIGHT_HAND_TIP; /* an elbow that does not hang from its shoulder */
    EXPECT(SINEW_ERROR_BONE_CONFLICT, sinew_avatar_create(&def, &avatar));
    memcpy(human, rig.human, sizeof human);
    human[SINEW_HUMAN_BONE_JAW] = RIG_JOINTS;
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_avatar_create(&def, &avatar));
    human[SINEW_HUMAN_BONE_JAW] = -2;
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_avatar_create(&def, &avatar));
    CHECK(avatar.bits == 6, "an out-handle was written");

    rig_make(&stranger, 1);
    animator_def = rig_animator_def(&rig);
    animator_def.avatar = stranger.avatar;
    EXPECT(SINEW_ERROR_WRONG_SKELETON, sinew_animator_create(&animator_def, &other));
    animator_def = rig_animator_def(&rig);
    animator_def.flags = 1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_create(&animator_def, &other));
    CHECK(other.bits == 7, "an out-handle was written");
    rig_free(&stranger);
    done();
}

static void zero_scale(void)
{
    SinewTransform root = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 0)), *pose;
    SinewHumanoidInput input = full_input();
    int j, m;
    fresh();
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_root(animator, &root));
    root.scale = to_vec3(vec3d(0, 0, 0));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_root(animator, &root));
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    for (j = 0; j < RIG_JOINTS; ++j) { /* a joint of scale zero hides a limb: no error, and no NaN */
        EXPECT_OK(sinew_animator_reset_pose(animator));
        pose[j].scale = to_vec3(vec3d(0, 0, 0));
        EXPECT_OK(sinew_animator_solve(animator));
        for (m = 0; m < 10 * RIG_JOINTS; ++m) {
            float number;
            memcpy(&number, (char *)pose + 4 * m, 4);
            CHECK(isfinite(number), "scale of joint %d zero: number %d of joint %d is %g", j, m % 10, m / 10, (double)number);
        }
    }
    done();
}

static void a_bone_the_avatar_does_not_have(void)
{
    SinewQuat q = {0, 0, 0, 1};
    int32_t joint = 77;
    fresh();
    EXPECT(SINEW_ERROR_BONE_NOT_MAPPED, sinew_animator_set_bone_local_rotation(animator, SINEW_HUMAN_BONE_JAW, &q));
    EXPECT(SINEW_ERROR_BONE_NOT_MAPPED, sinew_animator_get_bone_local_rotation(animator, SINEW_HUMAN_BONE_JAW, &q));
    EXPECT_OK(sinew_animator_get_bone_joint(animator, SINEW_HUMAN_BONE_JAW, &joint));
    CHECK(joint == -1, "the jaw is joint %d", joint);
    done();
}

static void humanoid_calls_without_an_avatar(void)
{
    SinewAnimatorDef def;
    SinewAnimator plain;
    float scale = 0;
    int k, refused = 0;
    fresh();
    def = rig_animator_def(&rig);
    def.avatar.bits = 0;
    EXPECT_OK(sinew_animator_create(&def, &plain));
    for (k = 0; k < CALL_COUNT; ++k) {
        Args args = good_args(&CALLS[k], &rig, plain, &scratch);
        SinewResult result;
        if ((CALLS[k].handle != H_ANIMATOR && CALLS[k].handle != H_CONSTRAINT) || CALLS[k].effect == E_DESTROYS) {
            continue;
        }
        result = CALLS[k].run(&args);
        refused += result == SINEW_ERROR_NOT_HUMANOID;
        CHECK(result == SINEW_OK || result == SINEW_ERROR_NOT_HUMANOID, "%s gave %d", CALLS[k].name, (int)result);
    }
    CHECK(refused == 62, "%d calls gave SINEW_ERROR_NOT_HUMANOID", refused);
    EXPECT_OK(sinew_animator_get_human_scale(plain, &scale));
    CHECK(scale == 1.0f, "scale is %g", (double)scale);
    EXPECT_OK(sinew_animator_destroy(plain));
    done();
}

static uint32_t drop_log(void *user, const uint8_t *bytes, uint32_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}
#define RUN_RECORDED(test) check_run("while a recording runs: " #test, test)

int main(void)
{
    note_codes = 1;
    RUN(null_for_each_pointer_of_every_function);
    RUN(misaligned_for_each_pointer_of_every_function);
    RUN(null_pointers_inside_definitions);
    RUN(destroying_twice);
    RUN(a_million_forged_handles);
    RUN(a_stale_handle_stays_stale_after_100000_reuses);
    RUN(wrong_and_huge_lengths);
    RUN(debug_lines_need_room);
    RUN(batches);
    RUN(texts_that_are_not_utf8);
    RUN(parents_after_children_or_in_circles);
    RUN(avatars_that_cannot_be);
    RUN(zero_scale);
    RUN(a_bone_the_avatar_does_not_have);
    RUN(humanoid_calls_without_an_avatar);
    RUN(the_largest_skeleton_and_one_joint_more);
    rig_must(sinew_record_begin_callback(drop_log, NULL), "sinew_record_begin_callback");
    RUN_RECORDED(null_for_each_pointer_of_every_function);
    RUN_RECORDED(misaligned_for_each_pointer_of_every_function);
    RUN_RECORDED(null_pointers_inside_definitions);
    RUN_RECORDED(wrong_and_huge_lengths);
    RUN_RECORDED(batches);
    RUN_RECORDED(parents_after_children_or_in_circles);
    RUN_RECORDED(avatars_that_cannot_be);
    rig_must(sinew_record_end(), "sinew_record_end");
    RUN(every_code_is_listed_by_its_function);
    RUN(every_text_names_an_argument);
    return check_report();
}
