/* Worlds: many animators in one call, on whatever threads, from whatever memory; what is refused
 * and with which code. */
#include "calls.h"

#include <pthread.h>
#include <sched.h>

enum { COUNT = 70, THREADS = 4 };

static Rig rigs[2];
static SinewAnimator crowd[COUNT], alone[COUNT];
static SinewTransform poses[COUNT][RIG_JOINTS], wanted[COUNT][RIG_JOINTS];
static SinewTransform roots[COUNT];
static SinewHumanoidInput inputs[COUNT];
static SinewWorld world;

/* Another animation, root and input for everybody; what each solved alone comes to. */
static void new_frame(int frame)
{
    int k;
    for (k = 0; k < COUNT; ++k) {
        rig_bent_pose(&rigs[k % 2], 0.1 + 0.005 * k + 0.01 * frame, poses[k]);
        roots[k] = transform(vec3d(k, 0.1 * frame, -k), quatd_about(vec3d(0, 1, 0.1 * k), 0.3 * k), vec3d(1, 1, 1));
        inputs[k] = full_input();
        inputs[k].goals[k % 4].position.x += 0.3f * (float)(frame % 3) + (float)k;
        inputs[k].goals[k % 4].position.z -= (float)k;
        EXPECT_OK(sinew_animator_set_pose(alone[k], poses[k], RIG_JOINTS));
        EXPECT_OK(sinew_animator_set_root(alone[k], &roots[k]));
        EXPECT_OK(sinew_animator_set_input(alone[k], &inputs[k]));
        EXPECT_OK(sinew_animator_solve(alone[k]));
        EXPECT_OK(sinew_animator_get_pose(alone[k], wanted[k], RIG_JOINTS));
    }
}
static void fresh(void)
{
    int k;
    uint32_t row;
    rig_make(&rigs[0], 0);
    rig_make(&rigs[1], 1);
    EXPECT_OK(sinew_world_create(&world));
    for (k = 0; k < COUNT; ++k) {
        crowd[k] = rig_animator(&rigs[k % 2]);
        alone[k] = rig_animator(&rigs[k % 2]);
        EXPECT_OK(sinew_world_join(world, crowd[k], &row));
        CHECK((int)row == k, "row %u", row);
    }
    new_frame(0);
}
static void done(void)
{
    int k;
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < COUNT; ++k) {
        EXPECT_OK(sinew_animator_destroy(crowd[k]));
        EXPECT_OK(sinew_animator_destroy(alone[k]));
    }
    rig_free(&rigs[0]);
    rig_free(&rigs[1]);
}
static SinewWorldFrame inputs_only(void)
{
    SinewWorldFrame frame;
    EXPECT_OK(sinew_world_frame_default(&frame));
    frame.row_count = COUNT;
    frame.roots = roots;
    frame.roots_stride = sizeof roots[0];
    frame.inputs = inputs;
    frame.inputs_stride = sizeof inputs[0];
    return frame;
}
/* The frame with records; solved, they must be those of the animators solved alone. */
static SinewWorldFrame records(void)
{
    SinewWorldFrame frame = inputs_only();
    frame.layout = SINEW_POSE_LAYOUT_RECORDS;
    frame.records = poses[0];
    frame.records_stride = sizeof poses[0];
    return frame;
}
static void solve_records(SinewResult code, const char *how)
{
    static int frame_number;
    SinewWorldFrame frame = records();
    SinewWorldReport report = {0, 0, 0, 0, 0};
    new_frame(++frame_number);
    EXPECT(code, sinew_world_solve(world, &frame, &report));
    CHECK(report.solved == COUNT && report.failed == 0, "%s: %u solved", how, report.solved);
    CHECK(memcmp(poses, wanted, sizeof wanted) == 0, "%s: other bits than alone", how);
}

static void a_world_equals_single_solves_bit_for_bit_in_every_layout(void)
{
    static SinewTransform own[COUNT][RIG_JOINTS];
    static float positions[COUNT * RIG_JOINTS][4], rotations[RIG_JOINTS * COUNT][4], scales[RIG_JOINTS][3];
    SinewTransform *pointers[COUNT];
    SinewWorldFrame frame;
    int k, j, round;
    fresh();
    solve_records(SINEW_OK, "records");
    new_frame(1);
    frame = inputs_only();
    for (k = 0; k < COUNT; ++k) {
        EXPECT_OK(sinew_animator_set_pose(crowd[k], poses[k], RIG_JOINTS));
    }
    EXPECT_OK(sinew_world_solve(world, &frame, NULL));
    for (k = 0; k < COUNT; ++k) {
        EXPECT_OK(sinew_animator_get_pose(crowd[k], own[k], RIG_JOINTS));
        pointers[COUNT - 1 - k] = poses[COUNT - 1 - k];
    }
    CHECK(memcmp(own, wanted, sizeof own) == 0, "own buffers: other bits than alone");
    frame.layout = SINEW_POSE_LAYOUT_POINTERS;
    frame.pointers = pointers;
    EXPECT_OK(sinew_world_solve(world, &frame, NULL));
    CHECK(memcmp(poses, wanted, sizeof wanted) == 0, "pointers: other bits than alone");
    /* Rows one after the other with joints in fours, then joint after joint with all rows side by
     * side. */
    for (round = 0; round < 2; ++round) {
        uint32_t row_stride = round == 0 ? RIG_JOINTS * 16 : 16, joint_stride = round == 0 ? 16 : COUNT * 16;
        new_frame(2 + round);
        for (k = 0; k < COUNT; ++k) {
            for (j = 0; j < RIG_JOINTS; ++j) {
                size_t at = (size_t)k * row_stride / 16 + (size_t)j * joint_stride / 16;
                memcpy(positions[at], &poses[k][j].position, 12);
                memcpy(rotations[at], &poses[k][j].rotation, 16);
                memcpy(scales[j], &poses[k][j].scale, 12);
                positions[at][3] = 77;
            }
        }
        frame.layout = SINEW_POSE_LAYOUT_STRIDED;
        frame.positions = positions[0];
        frame.rotations = rotations[0];
        frame.scales = round == 0 ? scales[0] : NULL; /* one row for all; then the rest scales, which are the same */
        frame.positions_row_stride = frame.rotations_row_stride = row_stride;
        frame.positions_joint_stride = frame.rotations_joint_stride = joint_stride;
        frame.scales_row_stride = 0;
        frame.scales_joint_stride = 12;
        EXPECT_OK(sinew_world_solve(world, &frame, NULL));
        for (k = 0; k < COUNT; ++k) {
            for (j = 0; j < RIG_JOINTS; ++j) {
                size_t at = (size_t)k * row_stride / 16 + (size_t)j * joint_stride / 16;
                CHECK(memcmp(positions[at], &wanted[k][j].position, 12) == 0 &&
                          memcmp(rotations[at], &wanted[k][j].rotation, 16) == 0 && positions[at][3] == 77,
                      "strided %d: animator %d, joint %d differs", round, k, j);
            }
        }
    }
    done();
}

/* The float of a number of a joint in arrays of the world's own. */
static float *number_of(const SinewWorldArrays *arrays, float *first, int joint, int number)
{
    return &first[(7 * joint + number) * 8 + (int)arrays->place];
}
static void put_pose(const SinewWorldArrays *arrays, const SinewTransform *pose)
{
    int j, n;
    float numbers[7];
    for (j = 0; j < RIG_JOINTS; ++j) {
        memcpy(numbers, &pose[j], sizeof numbers);
        for (n = 0; n < 7; ++n) {
            *number_of(arrays, arrays->locals, j, n) = numbers[n];
        }
    }
}
static int is_pose(const SinewWorldArrays *arrays, const SinewTransform *pose)
{
    int j, n;
    float numbers[7];
    for (j = 0; j < RIG_JOINTS; ++j) {
        for (n = 0; n < 7; ++n) {
            numbers[n] = *number_of(arrays, arrays->locals, j, n);
        }
        if (memcmp(numbers, &pose[j], sizeof numbers) != 0) {
            return 0;
        }
    }
    return 1;
}

static void the_worlds_own_arrays_are_solved_in_place_with_the_same_bits(void)
{
    static SinewTransform rest[COUNT][RIG_JOINTS];
    SinewWorldArrays at[COUNT], again;
    SinewWorldFrame frame;
    SinewWorldReport report;
    int32_t results[COUNT];
    int k, round;
    fresh();
    memset(&again, 0x55, sizeof again);
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_world_get_arrays(world, crowd[0], &again));
    frame = inputs_only();
    frame.layout = SINEW_POSE_LAYOUT_SOA;
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_world_solve(world, &frame, NULL));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_world_set_arrays(world, 3));
    EXPECT_OK(sinew_world_set_arrays(world, SINEW_POSE_ARRAYS_LOCALS_AND_FRAMES));
    for (k = 0; k < COUNT; ++k) {
        EXPECT_OK(sinew_world_get_arrays(world, crowd[k], &at[k]));
        EXPECT_OK(sinew_animator_get_pose(crowd[k], rest[k], RIG_JOINTS));
        CHECK(at[k].joint_count == RIG_JOINTS && at[k].place < 8 && at[k].frames != NULL, "animator %d", k);
        CHECK((uintptr_t)at[k].locals % 32 == 0, "animator %d: not aligned", k);
        CHECK(is_pose(&at[k], rest[k]), "animator %d: not the rest pose", k);
    }
    frame.out_results = results;
    for (round = 0; round < 3; ++round) {
        new_frame(40 + round);
        for (k = 0; k < COUNT; ++k) {
            put_pose(&at[k], poses[k]);
        }
        if (round == 1) {
            *number_of(&at[9], at[9].locals, 3, 1) = (float)NAN;
        }
        EXPECT(round == 1 ? SINEW_ERROR_NOT_FINITE : SINEW_OK, sinew_world_solve(world, &frame, &report));
        CHECK((int)report.solved == COUNT - (round == 1) && report.failed == (uint32_t)(round == 1), "report");
        for (k = 0; k < COUNT; ++k) {
            if (round != 1 || k != 9) {
                CHECK(results[k] == SINEW_OK && is_pose(&at[k], wanted[k]), "arrays: animator %d: other bits than alone", k);
            }
        }
        CHECK(results[9] == (round == 1 ? SINEW_ERROR_NOT_FINITE : SINEW_OK), "code %d", results[9]);
    }
    /* Frames: the root joint's is its local transform. */
    CHECK(*number_of(&at[4], (float *)(uintptr_t)at[4].frames, 0, 1) == *number_of(&at[4], at[4].locals, 0, 1), "frame");
    /* Who leaves loses its place; the others keep theirs. */
    EXPECT_OK(sinew_world_leave(world, crowd[2]));
    EXPECT(SINEW_ERROR_NOT_MEMBER, sinew_world_get_arrays(world, crowd[2], &again));
    EXPECT_OK(sinew_world_get_arrays(world, crowd[4], &again));
    CHECK(again.locals == at[4].locals && again.place == at[4].place, "an address changed");
    EXPECT_OK(sinew_world_join(world, crowd[2], NULL));
    EXPECT_OK(sinew_world_get_arrays(world, crowd[2], &again));
    CHECK(is_pose(&again, rest[2]), "who joins is not in the rest pose");
    done();
}

static void frames_that_cannot_be_are_refused_and_nothing_changes(void)
{
    static SinewTransform before[COUNT][RIG_JOINTS];
    SinewWorldFrame good, frame;
    SinewWorldReport report = {9, 9, 9, 9, 9};
    int32_t results[COUNT];
    float numbers[8] = {0};
    fresh();
    memset(results, 0x55, sizeof results);
    good = records();
    good.out_results = results;
    memcpy(before, poses, sizeof before);
#define REFUSED(code, change)                                         \
    do {                                                              \
        frame = good;                                                 \
        change;                                                       \
        EXPECT(code, sinew_world_solve(world, &frame, &report));      \
    } while (0)
    REFUSED(SINEW_ERROR_STRUCT_SIZE, frame.struct_size -= 4);
    REFUSED(SINEW_ERROR_LENGTH_MISMATCH, frame.row_count = COUNT - 1);
    REFUSED(SINEW_ERROR_INVALID_ENUM, frame.layout = 5);
    REFUSED(SINEW_ERROR_INVALID_ENUM, frame.layout = -1);
    REFUSED(SINEW_ERROR_NULL_POINTER, frame.records = NULL);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.records_stride = RIG_JOINTS * 40 - 4);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.records_stride = 0);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.records_stride += 2);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.roots_stride = 5);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.records = (SinewTransform *)(void *)((char *)poses + 1));
    REFUSED(SINEW_ERROR_NULL_POINTER, frame.layout = SINEW_POSE_LAYOUT_POINTERS);
    REFUSED(SINEW_ERROR_NULL_POINTER, frame.layout = SINEW_POSE_LAYOUT_STRIDED);
    good.layout = SINEW_POSE_LAYOUT_STRIDED;
    good.positions = good.rotations = numbers;
    good.positions_row_stride = RIG_JOINTS * 12, good.positions_joint_stride = 12;
    good.rotations_row_stride = 16, good.rotations_joint_stride = COUNT * 16;
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.positions_joint_stride = 16);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.positions_joint_stride = 8);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.rotations_row_stride = 12);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.rotations_joint_stride = COUNT * 16 - 4);
    REFUSED(SINEW_ERROR_INVALID_ARGUMENT, frame.rotations_row_stride = frame.rotations_joint_stride = 0);
#undef REFUSED
    CHECK(report.solved == 9 && results[0] == 0x55555555, "an out-parameter was written");
    CHECK(memcmp(before, poses, sizeof before) == 0, "a refused call changed poses");
    done();
}

static void one_that_fails_has_its_code_and_the_others_are_solved(void)
{
    SinewTransform bad[3][RIG_JOINTS], *pointers[COUNT];
    SinewWorldFrame frame;
    SinewWorldReport report;
    int32_t results[COUNT], states[COUNT];
    const char *text = "";
    int k;
    fresh();
    for (k = 0; k < COUNT; ++k) {
        pointers[k] = poses[k];
    }
    frame = inputs_only();
    frame.layout = SINEW_POSE_LAYOUT_POINTERS;
    frame.pointers = pointers;
    frame.out_results = results;
    frame.out_states = states;
    poses[5][3].position.y = (float)NAN;
    memset(&roots[9].rotation, 0, sizeof roots[9].rotation);
    inputs[20].set |= 1u << 20;
    memset(&roots[33].scale, 0, sizeof roots[33].scale);
    pointers[40] = NULL;
    memcpy(bad[0], poses[5], sizeof bad[0]), memcpy(bad[1], poses[9], sizeof bad[1]), memcpy(bad[2], poses[33], sizeof bad[2]);
    EXPECT_OK(sinew_world_set_lod_off(world, crowd[50]));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_world_solve(world, &frame, &report));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "sinew_world_solve") != NULL, "last error: %s", text);
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_world_solve(world, &frame, &report));
    CHECK(report.failed == 5 && report.solved == COUNT - 6 && report.off == 1, "%u failed, %u solved, %u off", report.failed,
          report.solved, report.off);
    for (k = 0; k < COUNT; ++k) {
        int32_t code = k == 5 ? SINEW_ERROR_NOT_FINITE : k == 9 ? SINEW_ERROR_INVALID_ROTATION
            : k == 20 || k == 33 ? SINEW_ERROR_INVALID_ARGUMENT : k == 40 ? SINEW_ERROR_NULL_POINTER : SINEW_OK;
        int32_t state = code != SINEW_OK ? SINEW_ROW_STATE_FAILED : k == 50 ? SINEW_ROW_STATE_OFF : SINEW_ROW_STATE_SOLVED;
        CHECK(results[k] == code && states[k] == state, "row %d: result %d, state %d", k, results[k], states[k]);
    }
    CHECK(memcmp(bad[0], poses[5], sizeof bad[0]) == 0 && memcmp(bad[1], poses[9], sizeof bad[1]) == 0 &&
              memcmp(bad[2], poses[33], sizeof bad[2]) == 0,
          "a failed row was changed");
    done();
}

static void an_animator_belongs_to_at_most_one_world(void)
{
    SinewWorld other;
    SinewAnimator found;
    uint32_t row = 7, count;
    fresh();
    EXPECT_OK(sinew_world_create(&other));
    EXPECT(SINEW_ERROR_ALREADY_MEMBER, sinew_world_join(world, crowd[3], &row));
    EXPECT(SINEW_ERROR_ALREADY_MEMBER, sinew_world_join(other, crowd[3], &row));
    EXPECT(SINEW_ERROR_NOT_MEMBER, sinew_world_leave(other, crowd[3]));
    EXPECT(SINEW_ERROR_NOT_MEMBER, sinew_world_get_row(other, crowd[3], &row));
    EXPECT(SINEW_ERROR_NOT_MEMBER, sinew_world_set_lod_off(other, crowd[3]));
    CHECK(row == 7, "an out-parameter was written");
    EXPECT_OK(sinew_world_leave(world, crowd[3]));
    EXPECT_OK(sinew_world_get_animator(world, 3, &found));
    CHECK(found.bits == 0, "row 3 is not free");
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_world_get_animator(world, COUNT, &found));
    EXPECT_OK(sinew_world_join(other, crowd[3], &row));
    EXPECT_OK(sinew_world_destroy(other));
    EXPECT_OK(sinew_world_join(world, crowd[3], &row));
    CHECK(row == 3, "row %u", row);
    /* One that is destroyed has left. */
    EXPECT_OK(sinew_animator_destroy(crowd[3]));
    EXPECT_OK(sinew_world_solve(world, NULL, NULL));
    EXPECT_OK(sinew_world_get_count(world, &count));
    CHECK(count == COUNT - 1, "%u members", count);
    crowd[3] = rig_animator(&rigs[1]);
    done();
}

static void levels_and_budgets_are_reported(void)
{
    SinewWorldReport report;
    SinewWorldFrame frame = inputs_only();
    float fraction;
    uint32_t calls;
    int32_t lod, call, between = 0;
    fresh();
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_world_set_lod_iterations(world, crowd[0], 0));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_world_set_lod_iterations(world, crowd[0], 1.5f));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_world_set_lod_interval(world, crowd[0], 0));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_world_set_lod_interval(world, crowd[0], 1001));
    EXPECT_OK(sinew_world_get_lod(world, crowd[0], &lod, &fraction, &calls));
    CHECK(lod == SINEW_LOD_FULL && fraction == 1 && calls == 1, "lod %d, %g, %u", lod, (double)fraction, calls);
    EXPECT_OK(sinew_world_set_lod_off(world, crowd[0]));
    EXPECT_OK(sinew_world_set_lod_full(world, crowd[0]));
    EXPECT_OK(sinew_world_get_lod(world, crowd[0], &lod, NULL, NULL));
    CHECK(lod == SINEW_LOD_FULL, "lod %d", lod);
    EXPECT_OK(sinew_world_set_lod_interval(world, crowd[0], 3));
    EXPECT_OK(sinew_world_get_lod(world, crowd[0], &lod, &fraction, &calls));
    CHECK(lod == SINEW_LOD_EVERY_NTH && fraction == 1 && calls == 3, "lod %d, %g, %u", lod, (double)fraction, calls);
    EXPECT_OK(sinew_world_set_lod_off(world, crowd[1]));
    EXPECT_OK(sinew_world_get_lod(world, crowd[1], &lod, &fraction, &calls));
    CHECK(lod == SINEW_LOD_OFF && fraction == 0 && calls == 0, "lod %d, %g, %u", lod, (double)fraction, calls);
    EXPECT_OK(sinew_world_set_lod_iterations(world, crowd[2], 0.5f));
    EXPECT_OK(sinew_world_get_lod(world, crowd[2], &lod, &fraction, &calls));
    CHECK(lod == SINEW_LOD_REDUCED_ITERATIONS && fraction == 0.5f && calls == 1, "lod %d, %g, %u", lod, (double)fraction,
          calls);
    for (call = 0; call < 7; ++call) {
        EXPECT_OK(sinew_world_solve(world, &frame, &report));
        CHECK(report.solved + report.between == COUNT - 1 && report.off == 1 && report.cut == 0, "call %d", call);
        between += (int32_t)report.between;
    }
    CHECK(between == 4, "%d of 7 calls did not solve the one of every third", between);
    EXPECT_OK(sinew_world_set_budget(world, 0.0f, no_time, NULL));
    EXPECT_OK(sinew_world_solve(world, &frame, &report));
    CHECK(report.cut > COUNT / 2 && report.solved > 0, "%u cut, %u solved", report.cut, report.solved);
    EXPECT_OK(sinew_world_set_budget(world, 100.0f, NULL, NULL));
    EXPECT_OK(sinew_world_solve(world, &frame, &report));
    CHECK(report.cut == 0, "%u cut in a hundred seconds", report.cut);
    done();
}

/* --- jobs ------------------------------------------------------------------------------------ */

typedef enum Manner {
    GOOD, INLINE, DECLINE, NEVER, NOT_ALL, TWICE, TOO_FAR, LATE, EARLY
} Manner;

typedef struct Host {
    Manner manner;
    SinewJob job;
    uint32_t count, next;
    pthread_t threads[THREADS];
    pthread_mutex_t lock;
    int32_t codes[8];
    volatile int entered;
} Host;

static void *host_thread(void *user)
{
    Host *host = user;
    for (;;) {
        uint32_t begin, end;
        pthread_mutex_lock(&host->lock);
        begin = host->next;
        end = host->next = begin + 2 < host->count ? begin + 2 : host->count;
        pthread_mutex_unlock(&host->lock);
        if (begin == end) {
            return NULL;
        }
        if (sinew_job_run(host->job, begin, end) != SINEW_OK) {
            pthread_mutex_lock(&host->lock);
            ++host->codes[0];
            pthread_mutex_unlock(&host->lock);
        }
    }
}
static void *host_enqueue(void *user, SinewJob job, uint32_t count, uint32_t grain)
{
    Host *host = user;
    int k;
    host->job = job;
    host->count = count;
    host->next = 0;
    memset(host->codes, 0, sizeof host->codes);
    switch (host->manner) {
    case GOOD:
        for (k = 0; k < THREADS; ++k) {
            pthread_create(&host->threads[k], NULL, host_thread, host);
        }
        break;
    case INLINE: host->codes[0] = sinew_job_run(job, 0, count); return NULL;
    case DECLINE: return NULL;
    case NEVER: break;
    case NOT_ALL: host->codes[0] = sinew_job_run(job, 1, count); break;
    case TWICE:
        host->codes[0] = sinew_job_run(job, 0, count);
        host->codes[1] = sinew_job_run(job, count / 2, count);
        break;
    case TOO_FAR:
        host->codes[0] = sinew_job_run(job, 0, count + 1);
        host->codes[1] = sinew_job_run(job, 2, 1);
        host->codes[2] = sinew_job_run(job, 0xffffffffu, 0xffffffffu);
        host->codes[3] = sinew_job_run(job, 0, count);
        break;
    case LATE: break;
    case EARLY:
        for (k = 0; k < THREADS; ++k) {
            pthread_create(&host->threads[k], NULL, host_thread, host);
        }
        break;
    }
    CHECK(grain >= 1, "grain 0");
    return host;
}
static void host_wait(void *user, void *task)
{
    Host *host = user;
    int k;
    CHECK(task == user, "another task");
    for (k = 0; k < THREADS && host->manner == GOOD; ++k) {
        pthread_join(host->threads[k], NULL);
    }
}

static void the_hosts_threads_leave_the_same_bits_and_misbehaving_callbacks_give_a_code(void)
{
    static const struct {
        Manner manner;
        const char *name;
        SinewResult code;
        int32_t codes[4];
    } ROWS[] = {
        {GOOD, "good", SINEW_OK, {0, 0, 0, 0}},
        {INLINE, "inline", SINEW_OK, {0, 0, 0, 0}},
        {DECLINE, "declined", SINEW_OK, {0, 0, 0, 0}},
        {NEVER, "never run", SINEW_ERROR_JOBS, {0, 0, 0, 0}},
        {NOT_ALL, "not all run", SINEW_ERROR_JOBS, {0, 0, 0, 0}},
        {TWICE, "run twice", SINEW_ERROR_JOBS, {0, SINEW_ERROR_JOBS, 0, 0}},
        {TOO_FAR, "too far", SINEW_ERROR_JOBS,
         {SINEW_ERROR_OUT_OF_RANGE, SINEW_ERROR_OUT_OF_RANGE, SINEW_ERROR_OUT_OF_RANGE, 0}},
        {LATE, "late", SINEW_ERROR_JOBS, {0, 0, 0, 0}},
        {GOOD, "good again", SINEW_OK, {0, 0, 0, 0}},
    };
    Host host;
    size_t r;
    memset(&host, 0, sizeof host);
    pthread_mutex_init(&host.lock, NULL);
    fresh();
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_world_set_jobs(world, host_enqueue, NULL, &host));
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_world_set_jobs(world, NULL, host_wait, &host));
    EXPECT_OK(sinew_world_set_jobs(world, host_enqueue, host_wait, &host));
    for (r = 0; r < sizeof ROWS / sizeof ROWS[0]; ++r) {
        SinewJob job;
        host.manner = ROWS[r].manner;
        solve_records(ROWS[r].code, ROWS[r].name);
        CHECK(memcmp(host.codes, ROWS[r].codes, sizeof ROWS[r].codes) == 0, "%s: codes %d %d %d %d", ROWS[r].name,
              host.codes[0], host.codes[1], host.codes[2], host.codes[3]);
        /* After the wait the job is over, from any thread. */
        EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_job_run(host.job, 0, host.count));
        job.bits = host.job.bits ^ (uint64_t)1 << r;
        EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_job_run(job, 0, host.count));
        job.bits = world.bits;
        EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_job_run(job, 0, host.count));
    }
    EXPECT_OK(sinew_world_set_jobs(world, NULL, NULL, NULL));
    solve_records(SINEW_OK, "serial");
    pthread_mutex_destroy(&host.lock);
    done();
}

/* The wait returns at once while the host's threads are at work: the call waits for those that have
 * begun, does the rest itself, and the others come too late. */
static void a_wait_that_returns_too_early_is_no_race(void)
{
    Host host;
    long round, rounds = check_rounds(200, 20);
    memset(&host, 0, sizeof host);
    pthread_mutex_init(&host.lock, NULL);
    fresh();
    host.manner = EARLY;
    EXPECT_OK(sinew_world_set_jobs(world, host_enqueue, host_wait, &host));
    for (round = 0; round < rounds; ++round) {
        SinewWorldFrame frame = records();
        SinewWorldReport report = {0, 0, 0, 0, 0};
        SinewResult result;
        int k;
        new_frame(3);
        result = sinew_world_solve(world, &frame, &report);
        CHECK(result == SINEW_OK || result == SINEW_ERROR_JOBS, "gave %d", (int)result);
        CHECK(report.solved == COUNT && memcmp(poses, wanted, sizeof wanted) == 0, "other bits than alone");
        for (k = 0; k < THREADS; ++k) {
            pthread_join(host.threads[k], NULL);
        }
    }
    pthread_mutex_destroy(&host.lock);
    done();
}

static void own_threads_leave_the_same_bits(void)
{
    static const uint32_t MANY[] = {2, 3, 8, 1, 5, 0};
    SinewResult result;
    int k, frame;
    fresh();
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_world_set_threads(world, SINEW_WORLD_MAX_THREADS + 1));
    result = sinew_world_set_threads(world, 2);
    CHECK(result == SINEW_OK || result == SINEW_ERROR_NOT_AVAILABLE, "gave %d", (int)result);
    /* A library that was built without a pool says so, whatever the number, and solves as it did
     * before. */
    for (k = 0; k < 6; ++k) {
        EXPECT(result == SINEW_OK || MANY[k] <= 1 ? SINEW_OK : SINEW_ERROR_NOT_AVAILABLE,
               sinew_world_set_threads(world, MANY[k]));
        for (frame = 0; frame < 3; ++frame) {
            solve_records(SINEW_OK, "own threads");
        }
    }
    done();
}

/* --- busy ------------------------------------------------------------------------------------ */

static int busy, tried;
static SinewAnimator outsider;

static void *call_from_inside(void *user, SinewJob job, uint32_t count, uint32_t grain)
{
    static Scratch scratch;
    int k;
    (void)user, (void)job, (void)count, (void)grain;
    for (k = 0; k < CALL_COUNT; ++k) {
        Args args;
        if (CALLS[k].handle != H_WORLD && CALLS[k].handle != H_MEMBER) {
            continue;
        }
        args = good_args(&CALLS[k], &rigs[0], outsider, &scratch);
        args.w = world;
        ++tried;
        busy += CALLS[k].run(&args) == SINEW_ERROR_BUSY;
    }
    ++tried;
    busy += sinew_world_leave(world, crowd[1]) == SINEW_ERROR_BUSY;
    return NULL;
}

static void joining_and_leaving_during_a_solve_are_refused(void)
{
    uint32_t count;
    fresh();
    outsider = rig_animator(&rigs[0]);
    EXPECT_OK(sinew_world_set_jobs(world, call_from_inside, wait_for_nothing, NULL));
    busy = tried = 0;
    solve_records(SINEW_OK, "with a callback that calls everything");
    CHECK(tried > 10 && busy == tried, "%d of %d calls gave SINEW_ERROR_BUSY", busy, tried);
    EXPECT_OK(sinew_world_get_count(world, &count));
    CHECK(count == COUNT, "%u members", count);
    EXPECT_OK(sinew_animator_destroy(outsider));
    done();
}

static void solve_inside(void *user, const SinewVec3 *from, const SinewVec3 *to, int32_t part)
{
    SinewWorldReport report;
    SinewWorldFrame frame;
    int32_t results[COUNT];
    (void)from, (void)to, (void)part;
    if (*(int *)user != 0) {
        return;
    }
    *(int *)user = 1;
    EXPECT_OK(sinew_world_frame_default(&frame));
    frame.row_count = COUNT;
    frame.out_results = results;
    EXPECT(SINEW_ERROR_BUSY, sinew_world_solve(world, &frame, &report));
    CHECK(report.failed == 1 && report.solved == COUNT - 1 && results[4] == SINEW_ERROR_BUSY, "%u failed, %u solved",
          report.failed, report.solved);
    EXPECT(SINEW_ERROR_BUSY, sinew_world_leave(world, crowd[4]));
}

static void an_animator_in_use_is_busy_and_the_others_are_solved(void)
{
    int drawn = 0;
    fresh();
    EXPECT_OK(sinew_animator_draw(crowd[4], solve_inside, &drawn));
    CHECK(drawn == 1, "nothing was drawn");
    EXPECT_OK(sinew_world_solve(world, NULL, NULL));
    done();
}

/* --- stress ---------------------------------------------------------------------------------- */

typedef struct Stress {
    uint64_t state;
    long steps, ok, refused, odd;
} Stress;

enum { POOL = 12, WORLDS = 2 };
static SinewWorld worlds[WORLDS];
static SinewAnimator pool[POOL];
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t below(Stress *s, uint32_t count)
{
    s->state = s->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->state >> 33) % count;
}
/* Handles are read under a lock, because another thread may just be replacing them; used
 * without. */
static SinewAnimator pick(Stress *s)
{
    SinewAnimator animator;
    uint32_t k = below(s, POOL);
    pthread_mutex_lock(&pool_lock);
    animator = pool[k];
    pthread_mutex_unlock(&pool_lock);
    return animator;
}
static void take(Stress *s, SinewResult result)
{
    s->ok += result == SINEW_OK;
    if (result == SINEW_ERROR_BUSY || result == SINEW_ERROR_INVALID_HANDLE || result == SINEW_ERROR_NOT_MEMBER ||
        result == SINEW_ERROR_ALREADY_MEMBER) {
        ++s->refused;
    } else if (result != SINEW_OK) {
        s->odd = result;
    }
}
static void *stress(void *user)
{
    Stress *s = user;
    SinewHumanoidInput input = full_input();
    long step;
    for (step = 0; step < s->steps; ++step) {
        SinewWorld in = worlds[below(s, WORLDS)];
        SinewAnimator animator = pick(s);
        switch (below(s, 8)) {
        case 0:
        case 1: take(s, sinew_world_join(in, animator, NULL)); break;
        case 2: take(s, sinew_world_leave(in, animator)); break;
        case 3: take(s, sinew_world_solve(in, NULL, NULL)); break;
        case 4: take(s, sinew_animator_solve(animator)); break;
        case 5: take(s, sinew_animator_set_input(animator, &input)); break;
        case 6: take(s, sinew_world_set_lod_interval(in, animator, 1 + (uint32_t)below(s, 3))); break;
        default:
            if (below(s, 4) == 0) {
                SinewAnimatorDef def = rig_animator_def(&rigs[0]);
                uint32_t k = below(s, POOL);
                pthread_mutex_lock(&pool_lock);
                if (sinew_animator_destroy(pool[k]) == SINEW_OK) {
                    SinewResult made = sinew_animator_create(&def, &pool[k]);
                    pthread_mutex_unlock(&pool_lock);
                    take(s, made);
                } else {
                    pthread_mutex_unlock(&pool_lock);
                }
            } else {
                take(s, sinew_world_set_budget(in, (float)below(s, 2) - 0.5f, no_time, NULL));
            }
        }
        if (below(s, 8) == 0) {
            sched_yield();
        }
    }
    return NULL;
}

static void random_joins_leaves_solves_and_destroys_from_several_threads(void)
{
    pthread_t threads[THREADS];
    Stress all[THREADS];
    Host host;
    long ok = 0, refused = 0;
    int k;
    rig_make(&rigs[0], 1);
    memset(&host, 0, sizeof host);
    pthread_mutex_init(&host.lock, NULL);
    host.manner = GOOD;
    for (k = 0; k < POOL; ++k) {
        pool[k] = rig_animator(&rigs[0]);
    }
    for (k = 0; k < WORLDS; ++k) {
        EXPECT_OK(sinew_world_create(&worlds[k]));
    }
    EXPECT_OK(sinew_world_set_jobs(worlds[0], host_enqueue, host_wait, &host));
    for (k = 0; k < THREADS; ++k) {
        memset(&all[k], 0, sizeof all[k]);
        all[k].state = (uint64_t)k + 1;
        all[k].steps = check_rounds(20000, 1500);
        pthread_create(&threads[k], NULL, stress, &all[k]);
    }
    for (k = 0; k < THREADS; ++k) {
        pthread_join(threads[k], NULL);
        ok += all[k].ok;
        refused += all[k].refused;
        CHECK(all[k].odd == 0, "a call gave %ld", all[k].odd);
    }
    printf("# %ld ok, %ld refused\n", ok, refused);
    CHECK(ok > refused / 10, "hardly anything was done");
    for (k = 0; k < WORLDS; ++k) {
        EXPECT_OK(sinew_world_solve(worlds[k], NULL, NULL));
        EXPECT_OK(sinew_world_destroy(worlds[k]));
    }
    for (k = 0; k < POOL; ++k) {
        EXPECT_OK(sinew_animator_solve(pool[k]));
        EXPECT_OK(sinew_animator_destroy(pool[k]));
    }
    rig_free(&rigs[0]);
    pthread_mutex_destroy(&host.lock);
}

int main(void)
{
    RUN(a_world_equals_single_solves_bit_for_bit_in_every_layout);
    RUN(the_worlds_own_arrays_are_solved_in_place_with_the_same_bits);
    RUN(frames_that_cannot_be_are_refused_and_nothing_changes);
    RUN(one_that_fails_has_its_code_and_the_others_are_solved);
    RUN(an_animator_belongs_to_at_most_one_world);
    RUN(levels_and_budgets_are_reported);
    RUN(the_hosts_threads_leave_the_same_bits_and_misbehaving_callbacks_give_a_code);
    RUN(a_wait_that_returns_too_early_is_no_race);
    RUN(own_threads_leave_the_same_bits);
    RUN(joining_and_leaving_during_a_solve_are_refused);
    RUN(an_animator_in_use_is_busy_and_the_others_are_solved);
    RUN(random_joins_leaves_solves_and_destroys_from_several_threads);
    return check_report();
}
