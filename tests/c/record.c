/* A recording begins and ends in order, holds the calls in between, and changes none of them. */
#define _POSIX_C_SOURCE 200809L

#include <sinew/sinew.h>

#include "check.h"

#include <unistd.h>

typedef struct Log {
    unsigned char bytes[1 << 18];
    uint32_t size, calls;
    uint32_t refuse_after;
} Log;

static uint32_t collect(void *user, const uint8_t *bytes, uint32_t size)
{
    Log *log = user;
    if (++log->calls > log->refuse_after || size > sizeof log->bytes - log->size) {
        return 1;
    }
    memcpy(log->bytes + log->size, bytes, size);
    log->size += size;
    return 0;
}

/* A tail of three joints and a two-bone arm; the hash of its last frame. */
static uint64_t play(void)
{
    static const int32_t parents[] = {-1, 0, 1};
    static const SinewTransform rest[] = {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
        {{0, 0.5f, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 0.5f, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    static const char *const names[] = {"shoulder", "elbow", "wrist"};
    SinewSkeletonDef rig;
    SinewAnimatorDef def;
    SinewTwoBoneDef arm;
    SinewAnimator animator;
    SinewConstraint reach;
    SinewTransform *pose;
    SinewVec3 target = {0.3f, 0.6f, 0.2f};
    uint64_t hash = 0;
    int frame;
    EXPECT_OK(sinew_skeleton_def_default(&rig));
    rig.joint_count = 3;
    rig.parents = parents;
    rig.rest = rest;
    rig.names = names;
    EXPECT_OK(sinew_animator_def_default(&def));
    EXPECT_OK(sinew_skeleton_create(&rig, &def.skeleton));
    EXPECT_OK(sinew_animator_create(&def, &animator));
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    EXPECT_OK(sinew_two_bone_def_default(&arm));
    arm.end = 2;
    EXPECT_OK(sinew_animator_add_two_bone(animator, &arm, &reach));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, reach, 1));
    for (frame = 0; frame < 5; ++frame) {
        memcpy(pose, rest, sizeof rest);
        pose[1].rotation.x = 0.6f;
        pose[1].rotation.w = 0.8f;
        target.x += 0.01f;
        EXPECT_OK(sinew_animator_set_constraint_position(animator, reach, 0, &target));
        EXPECT_OK(sinew_animator_solve(animator));
    }
    EXPECT_OK(sinew_animator_hash(animator, &hash));
    EXPECT_OK(sinew_animator_destroy(animator));
    EXPECT_OK(sinew_skeleton_destroy(def.skeleton));
    return hash;
}

static Log one, two;

static int holds(const Log *log, const char *text)
{
    uint32_t at, length = (uint32_t)strlen(text);
    for (at = 0; at + length <= log->size; ++at) {
        if (memcmp(log->bytes + at, text, length) == 0) {
            return 1;
        }
    }
    return 0;
}

static void a_recording_holds_the_calls_and_changes_none(void)
{
    uint64_t without = play(), with;
    one.refuse_after = two.refuse_after = 1000;
    EXPECT_OK(sinew_record_begin_callback(collect, &one));
    with = play();
    EXPECT_OK(sinew_record_end());
    CHECK(with == without, "the recording changed the bits");
    CHECK(one.size > 1000 && memcmp(one.bytes, "SINEWLOG", 8) == 0, "%u bytes", one.size);
    CHECK(holds(&one, "sinew_animator_solve") && holds(&one, "elbow"), "a call or its data are missing");
    CHECK(!holds(&one, "sinew_version"), "a function that is not logged");
}

static void it_begins_and_ends_in_order(void)
{
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_record_end());
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_record_begin(NULL));
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_record_begin_callback(NULL, NULL));
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_record_begin("/no/such/folder/of/recordings/a.sinewlog"));
    EXPECT_OK(sinew_record_begin_callback(collect, &two));
    EXPECT(SINEW_ERROR_BUSY, sinew_record_begin_callback(collect, &one));
    EXPECT_OK(sinew_record_end());
}

static void a_sink_that_is_full_ends_the_recording_and_no_call(void)
{
    memset(&two, 0, sizeof two);
    EXPECT_OK(sinew_record_begin_callback(collect, &two));
    (void)play();
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_record_end());
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_record_end());
}

static uint32_t begin_and_end(void *user, const uint8_t *bytes, uint32_t size)
{
    int *calls = user;
    (void)bytes, (void)size;
    ++*calls;
    EXPECT(SINEW_ERROR_BUSY, sinew_record_begin_callback(begin_and_end, user));
    EXPECT(SINEW_ERROR_BUSY, sinew_record_begin("/no/such/folder/of/recordings/a.sinewlog"));
    EXPECT(SINEW_ERROR_BUSY, sinew_record_end());
    return 0;
}

static void a_sink_begins_and_ends_no_recording(void)
{
    int calls = 0;
    /* Ends the program, should a call wait for ever. */
    (void)alarm(60);
    EXPECT_OK(sinew_record_begin_callback(begin_and_end, &calls));
    (void)play();
    EXPECT_OK(sinew_record_end());
    (void)alarm(0);
    CHECK(calls > 0, "the sink was not called");
}

int main(void)
{
    RUN(a_recording_holds_the_calls_and_changes_none);
    RUN(it_begins_and_ends_in_order);
    RUN(a_sink_that_is_full_ends_the_recording_and_no_call);
    RUN(a_sink_begins_and_ends_no_recording);
    return check_report();
}
