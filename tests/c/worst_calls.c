/* What each call costs: every function of the header on a person with everything switched on, and
 * set-up calls and whole-pose calls on rigs of growing size. As a test it holds each call to a
 * bound on processor time, and growth with the rig's size to little more than proportional. Built
 * with SINEW_CALLGRIND and run under callgrind it marks each call, so that `cargo xtask worst`
 * reads the instructions (docs/bench/worst.md). */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"
#include "tracker_calls.h"

#include <time.h>

#ifdef SINEW_CALLGRIND
#include <valgrind/callgrind.h>
#define BEGIN CALLGRIND_ZERO_STATS
#define END(label) CALLGRIND_DUMP_STATS_AT(label)
#else
#define BEGIN (void)0
#define END(label) (void)(label)
#endif

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double begun, took;
static int asked, refused;
static char slowest[96];
static double slowest_ms;

/* Between these two lies one call. */
static void begin(void)
{
    begun = cpu_ms();
    BEGIN;
}
static void end(const char *label, SinewResult result)
{
    END(label);
    took = cpu_ms() - begun;
    ++asked;
    refused += result != SINEW_OK;
    if (took > slowest_ms) {
        slowest_ms = took;
        (void)snprintf(slowest, sizeof slowest, "%s", label);
    }
}
#define MEASURE(label, call)               \
    do {                                   \
        SinewResult measured_;             \
        begin();                           \
        measured_ = (call);                \
        end(label, measured_);             \
    } while (0)

static Rig rig;
static Scratch scratch;

static SinewAnimator busy_animator(void)
{
    SinewAnimator animator = rig_animator(&rig);
    SinewHumanoidInput input = full_input();
    SinewHumanoidSettings settings;
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    settings.limits_enabled = 1;
    settings.spine_weight = settings.shoulder_weights[0] = settings.shoulder_weights[1] = 0.5f;
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_solve(animator));
    return animator;
}

static void every_call_on_a_person(void)
{
    SinewAnimator animator;
    int k;
    rig_make(&rig, 0);
    animator = busy_animator();
    for (k = 0; k < CALL_COUNT; ++k) {
        const Call *call = &CALLS[k];
        Args args;
        int round;
        if (call->effect == E_DESTROYS) {
            continue;
        }
        for (round = 0; round < 2; ++round) { /* the second time everything is in place */
            args = good_args(call, &rig, animator, &scratch);
            if (round == 0) {
                (void)call->run(&args);
            } else {
                MEASURE(call->name, call->run(&args));
            }
        }
    }
    CHECK(asked > 200, "only %d calls", asked);
    CHECK(refused * 20 < asked, "%d of %d calls were refused", refused, asked);
    {
        SinewConstraint constraint = rig_constraint(animator);
        SinewWorld world = rig_world(animator);
        SinewBody body = rig_body(&rig);
        SinewBodyTask task = rig_body_task(&rig);
        MEASURE("sinew_animator_remove_constraint", sinew_animator_remove_constraint(animator, constraint));
        MEASURE("sinew_world_destroy", sinew_world_destroy(world));
        MEASURE("sinew_body_remove_task", sinew_body_remove_task(body, task));
        MEASURE("sinew_body_destroy", sinew_body_destroy(body));
        MEASURE("sinew_grounder_destroy", sinew_grounder_destroy(ground.g));
        MEASURE("sinew_animator_destroy", sinew_animator_destroy(animator));
        MEASURE("sinew_avatar_destroy", sinew_avatar_destroy(rig.avatar));
        MEASURE("sinew_skeleton_destroy", sinew_skeleton_destroy(rig.skeleton));
    }
}

/* A rig of `joints` joints: one line, or three joints of a hand below each joint of a line. */
typedef struct Large {
    SinewSkeleton skeleton;
    SinewAnimator animator;
    uint32_t joints;
} Large;

static char (*made_names)[32];
static const char **names;
static int32_t *parents;
static SinewTransform *rest;

static SinewSkeletonDef large_def(uint32_t joints, int line)
{
    SinewSkeletonDef def;
    uint32_t k;
    made_names = realloc(made_names, joints * sizeof *made_names);
    names = realloc(names, joints * sizeof *names);
    parents = realloc(parents, joints * sizeof *parents);
    rest = realloc(rest, joints * sizeof *rest);
    for (k = 0; k < joints; ++k) {
        (void)snprintf(made_names[k], sizeof *made_names, "%s_%u", k % 2 ? "LeftArm" : "Spine", (unsigned)k);
        names[k] = made_names[k];
        parents[k] = k == 0 ? -1 : line || k < 4 ? (int32_t)k - 1 : (int32_t)(k / 4);
        rest[k] = transform(vec3d(0, 0.05, 0.002 * (k % 3)), quatd_about(vec3d(1, 0, 0), 0), vec3d(1, 1, 1));
    }
    EXPECT_OK(sinew_skeleton_def_default(&def));
    def.joint_count = joints;
    def.parents = parents;
    def.rest = rest;
    def.names = names;
    return def;
}

#ifdef SINEW_CALLGRIND
enum { SIZES = 3, LABELS = 16, TIMES = 1 };
#else
enum { SIZES = 3, LABELS = 16, TIMES = 3 };
#endif
static const uint32_t JOINTS[SIZES] = {1024, 8192, 65535};
static double times[LABELS][SIZES];
static const char *labels[LABELS];

#define SIZED(row, name, call)                                                          \
    do {                                                                                \
        char label_[96];                                                                \
        (void)snprintf(label_, sizeof label_, "%s, %s of %u joints", name, shape, (unsigned)large.joints); \
        labels[row] = name;                                                             \
        MEASURE(label_, call);                                                          \
        if (times[row][size] == 0 || took < times[row][size]) {                         \
            times[row][size] = took;                                                    \
        }                                                                               \
    } while (0)

static void calls_on(int line, int size)
{
    const char *shape = line ? "a line" : "a tree";
    Large large = {{0}, {0}, JOINTS[size]};
    SinewSkeletonDef def = large_def(large.joints, line);
    SinewAnimatorDef animator_def;
    SinewModelFrame *frames = calloc(large.joints, sizeof *frames);
    float *matrices = calloc(16 * (size_t)large.joints, sizeof *matrices);
    SinewTransform *pose = calloc(large.joints, sizeof *pose);
    SinewMappedBone bones[SINEW_HUMAN_BONE_COUNT];
    SinewJointLimits limits;
    SinewConstraint chain;
    SinewChainDef chain_def;
    SinewChainEnd tip;
    SinewBodySettings body_settings;
    SinewBody body;
    int32_t map[SINEW_HUMAN_BONE_COUNT];
    uint64_t hash;
    SIZED(0, "sinew_skeleton_create", sinew_skeleton_create(&def, &large.skeleton));
    SIZED(1, "sinew_skeleton_map_human_names",
          sinew_skeleton_map_human_names(large.skeleton, map, SINEW_HUMAN_BONE_COUNT, NULL));
    SIZED(2, "sinew_skeleton_map_human_bones",
          sinew_skeleton_map_human_bones(large.skeleton, map, SINEW_HUMAN_BONE_COUNT, NULL));
    SIZED(3, "sinew_skeleton_map_with_report",
          sinew_skeleton_map_with_report(large.skeleton, NULL, bones, SINEW_HUMAN_BONE_COUNT, NULL));
    EXPECT_OK(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = large.skeleton;
    SIZED(4, "sinew_animator_create", sinew_animator_create(&animator_def, &large.animator));
    SIZED(5, "sinew_animator_get_model_frames", sinew_animator_get_model_frames(large.animator, frames, large.joints));
    SIZED(6, "sinew_animator_get_world_matrices",
          sinew_animator_get_world_matrices(large.animator, SINEW_MATRIX_LAYOUT_COLUMNS4X4, matrices, large.joints));
    SIZED(7, "sinew_animator_get_pose", sinew_animator_get_pose(large.animator, pose, large.joints));
    SIZED(8, "sinew_animator_set_pose", sinew_animator_set_pose(large.animator, pose, large.joints));
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_X;
    SIZED(9, "sinew_animator_set_joint_limits", sinew_animator_set_joint_limits(large.animator, 0, &limits));
    EXPECT_OK(sinew_chain_def_default(&chain_def));
    memset(&tip, 0, sizeof tip);
    tip.joint = large.joints - 1;
    chain_def.ends = &tip;
    chain_def.end_count = 1;
    SIZED(10, "sinew_animator_add_chain", sinew_animator_add_chain(large.animator, &chain_def, &chain));
    SIZED(11, "sinew_animator_solve without goals", sinew_animator_solve(large.animator));
    SIZED(12, "sinew_animator_hash", sinew_animator_hash(large.animator, &hash));
    EXPECT_OK(sinew_body_settings_default(&body_settings));
    SIZED(13, "sinew_body_create", sinew_body_create(large.skeleton, 0, &body_settings, &body));
    SIZED(14, "sinew_body_destroy", sinew_body_destroy(body));
    SIZED(15, "sinew_animator_destroy", sinew_animator_destroy(large.animator));
    EXPECT_OK(sinew_skeleton_destroy(large.skeleton));
    free(frames);
    free(matrices);
    free(pose);
}

/* Eight times the joints in at most 45 times the time: a call that is quadratic takes 64 times as
 * long, and one that is proportional up to 25 times, because the memory of the larger rig is new to
 * the process and to the caches. What takes less than half a millisecond is too short to tell. The
 * least of three times counts: other programs make single times many times as long. */
static void calls_grow_with_the_size_of_the_rig(void)
{
    int line, size, row, time;
    for (line = 0; line < 2; ++line) {
        memset(times, 0, sizeof times);
        for (time = 0; time < TIMES * SIZES; ++time) {
            size = time % SIZES;
            refused = 0;
            calls_on(line, size);
            CHECK(refused == 0, "%d calls of a rig of %u joints were refused", refused, (unsigned)JOINTS[size]);
        }
        for (row = 0; row < LABELS; ++row) {
            const double small = times[row][1] > 0.5 ? times[row][1] : 0.5;
            CHECK(times[row][2] < 45 * small, "%s, %s: %g ms for %u joints, %g ms for %u", labels[row],
                  line ? "a line" : "a tree", times[row][1], (unsigned)JOINTS[1], times[row][2], (unsigned)JOINTS[2]);
        }
    }
}

static Tracked c;

static void give(int32_t role, double x, double y)
{
    c.sample.position = to_vec3(vec3d(x, y, 0));
    c.sample.rotation.w = 1;
    c.sample.set = SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION;
    c.sample.confidence = 1;
    EXPECT_OK(sinew_tracked_body_set_tracker(c.b, role, &c.sample));
}

static void every_call_of_a_tracked_body(void)
{
    int k;
    rig_make(&c.rig, 1);
    c.s = c.rig.skeleton, c.v = c.rig.avatar, c.a = rig_animator(&c.rig);
    EXPECT_OK(sinew_tracked_body_settings_default(&c.settings));
    EXPECT_OK(sinew_tracked_body_create(c.v, &c.settings, &c.b));
    EXPECT_OK(sinew_tracked_body_get_calibration(c.b, &c.calibration));
    EXPECT_OK(sinew_tracked_body_get_snapshot_size(c.b, &c.size));
    memcpy(c.pose, c.rig.rest, sizeof c.pose);
    c.turn.w = 1;
    c.packet_size = 9;
    strcpy(c.json, "{\"scale\": 1}");
    c.places[0] = to_vec3(vec3d(-0.1, 0.1, 0)), c.places[1] = to_vec3(vec3d(0.1, 0.1, 0));
    give(SINEW_TRACKER_ROLE_LEFT_HAND, -0.765, 1.421);
    give(SINEW_TRACKER_ROLE_RIGHT_HAND, 0.765, 1.421);
    give(SINEW_TRACKER_ROLE_HEAD, 0, 1.584);
    EXPECT_OK(sinew_tracked_body_get_snapshot(c.b, c.bytes, c.size));
    for (k = 0; k < TRACKER_CALL_COUNT; ++k) {
        const TrackerCall *call = &TRACKER_CALLS[k];
        call->point(&c);
        (void)call->run(&c);
        call->point(&c);
        MEASURE(call->name, call->run(&c));
    }
    MEASURE("sinew_tracked_body_destroy", sinew_tracked_body_destroy(c.b));
}

static void no_call_takes_long(void)
{
    printf("# the slowest: %s, %.2f ms of processor time\n", slowest, slowest_ms);
    CHECK(slowest_ms < 3000, "%s takes %g ms", slowest, slowest_ms);
}

int main(void)
{
#ifndef SINEW_CALLGRIND
    if (getenv("SINEW_TEST_SLOW") != NULL) {
        printf("skip what calls cost: times mean nothing here\n");
        return 0;
    }
#endif
    RUN(every_call_on_a_person);
    RUN(calls_grow_with_the_size_of_the_rig);
    RUN(every_call_of_a_tracked_body);
    RUN(no_call_takes_long);
    return check_report();
}
