/* Memory that runs out. The host's allocator refuses each allocation of each call in turn, once
 * with memory again afterwards, once without (as SQLite is tested). A call either gives
 * SINEW_ERROR_OUT_OF_MEMORY and has changed nothing, or it succeeds. */
#include "calls.h"
#include "failing.h"
#include "tracker_calls.h"

#include <pthread.h>

enum { SMALL_BYTES = 2048 };

static Rig rig;
static Scratch scratch;
static int shows; /* SINEW_TEST_ROOMS: print what each call needs */

static void the_allocator_is_set_before_anything_else(void)
{
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_set_allocator(failing_allocate, failing_free, NULL));
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_set_allocator(NULL, failing_free, NULL));
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_set_allocator(failing_allocate, NULL, NULL));
}

static void everything_comes_from_the_hosts_allocator_and_goes_back(void)
{
    long live;
    SinewAnimator animator;
    int round;
    for (round = 0, live = 0; round < 3; ++round) {
        failing_watch();
        rig_make(&rig, round & 1);
        animator = rig_animator(&rig);
        CHECK(failing.calls > 10, "only %ld allocations came by", failing.calls);
        EXPECT_OK(sinew_animator_solve(animator));
        EXPECT_OK(sinew_animator_destroy(animator));
        rig_free(&rig);
        CHECK(round == 0 || failing.live == live, "%ld blocks stay, %ld before", failing.live, live);
        live = failing.live;
    }
    CHECK(failing.bad == 0, "%ld blocks came back with another size", failing.bad);
}

static uint64_t state_of(SinewAnimator animator)
{
    uint64_t hash = 0;
    EXPECT_OK(sinew_animator_hash(animator, &hash));
    return hash;
}

/* Calls a row with the k-th allocation refused; 0 when it makes fewer. */
static int refuse_one(const Call *call, long k, int always, long counts[3])
{
    static Scratch before;
    SinewAnimator animator = rig_animator(&rig);
    Args args = good_args(call, &rig, animator, &scratch);
    const uint64_t state = state_of(animator);
    const long live = failing.live;
    /* The row of a task adds and removes one: when removing is refused, it stays. */
    const int is_task = call->in == I_BODY_TASK;
    const char *text = "";
    SinewResult result;
    long refused;
    before = scratch;
    failing_from(k, always);
    result = call->run(&args);
    refused = failing.refused;
    failing.refuse = -1;
    (void)sinew_last_error(&text);
    ++counts[refused == 0 ? 0 : result == SINEW_ERROR_OUT_OF_MEMORY ? 1 : 2];
    if (refused > 0) {
        CHECK(result == SINEW_OK || result == SINEW_ERROR_OUT_OF_MEMORY, "%s, allocation %ld: %d, %s", call->name, k,
              (int)result, text);
        if (result != SINEW_OK) {
            CHECK(strstr(text, "the call needs room for ") != NULL, "%s: the text is \"%s\"", call->name, text);
            CHECK(is_task || memcmp(&before, &scratch, sizeof scratch) == 0, "%s, allocation %ld: outputs are written",
                  call->name, k);
            CHECK(state_of(animator) == state, "%s, allocation %ld: the animator has changed", call->name, k);
            CHECK(failing.live == live || is_task, "%s, allocation %ld: %ld blocks stay", call->name, k, failing.live - live);
        } else if (k == 0 && always) {
            /* Without a room of its own a call may use crumbs only. */
            CHECK(failing.used <= SMALL_BYTES, "%s needs %lld bytes and was not refused", call->name, failing.used);
        }
    }
    EXPECT_OK(sinew_animator_destroy(animator));
    return refused > 0;
}

static void each_allocation_of_each_call_is_refused_in_turn(void)
{
    long counts[3] = {0, 0, 0}, live = 0, after;
    int row, always, round;
    for (round = 0; round < 2; ++round) {
        rig_make(&rig, 1);
        for (row = 0; row < CALL_COUNT; ++row) {
            for (always = 0; always < 2 && CALLS[row].effect != E_DESTROYS; ++always) {
                long k = 0, step = 1;
                /* Each of the first hundred; of calls that make thousands, ever fewer. */
                for (; refuse_one(&CALLS[row], k, always, counts); k += step) {
                    step = k < check_rounds(100, 8) ? 1 : k / 8;
                }
            }
        }
        rig_free(&rig);
        after = failing.live;
        /* The table keeps one object of some kinds, the body tasks whose removal was refused. */
        CHECK(round == 0 || after - live < 512, "%ld blocks stay after a round", after - live);
        live = after;
    }
    printf("# %ld calls refused, %ld done all the same, %ld not reached\n", counts[1], counts[2], counts[0]);
    CHECK(counts[1] > 50 && counts[2] > 50, "refused %ld, done %ld", counts[1], counts[2]);
    CHECK(failing.bad == 0, "%ld blocks came back with another size", failing.bad);
}

/* What was made while memory ran out works as always, and all of it comes back. */
static void what_was_made_in_need_works_and_comes_back(void)
{
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewChainEnd end;
    SinewChainDef chain_def = rig_chain_def(&end);
    SinewAnimator animator;
    SinewConstraint constraint;
    SinewVec3 goal = {0.3f, 1.3f, 0.4f};
    uint64_t usual = 0;
    long live, k;
    for (k = -1; k < 4; ++k) {
        const int hard = k >= 0;
        rig_fill(&rig, 1);
        skeleton_def = rig_skeleton_def(&rig);
        live = failing.live;
        /* The first allocation of each call is its room. */
        failing_from(hard ? 1 + k : -1, 1);
        EXPECT_OK(sinew_skeleton_create(&skeleton_def, &rig.skeleton));
        failing_watch();
        avatar_def = rig_avatar_def(&rig);
        failing_from(hard ? 1 + k : -1, 1);
        EXPECT_OK(sinew_avatar_create(&avatar_def, &rig.avatar));
        failing_watch();
        animator_def = rig_animator_def(&rig);
        failing_from(hard ? 1 + k : -1, 1);
        EXPECT_OK(sinew_animator_create(&animator_def, &animator));
        failing_from(hard ? 1 + k : -1, 1);
        EXPECT_OK(sinew_animator_add_chain(animator, &chain_def, &constraint));
        failing_from(hard ? 0 : -1, 1);
        EXPECT_OK(sinew_animator_set_constraint_position(animator, constraint, 0, &goal));
        EXPECT_OK(sinew_animator_set_constraint_position_weight(animator, constraint, 0, 1));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, constraint, 1));
        EXPECT_OK(sinew_animator_solve(animator));
        if (!hard) {
            usual = state_of(animator);
        }
        CHECK(state_of(animator) == usual, "with allocations refused from %ld on the answer is another", k);
        /* In another order than they were made. */
        EXPECT_OK(sinew_skeleton_destroy(rig.skeleton));
        EXPECT_OK(sinew_animator_destroy(animator));
        EXPECT_OK(sinew_avatar_destroy(rig.avatar));
        failing_watch();
        CHECK(failing.live == live, "refused from %ld on: %ld blocks stay", k, failing.live - live);
    }
}

/* Threads whose memory runs out in turn use and free what others have made. */
static void *one_of_many(void *user)
{
    const uintptr_t number = (uintptr_t)user;
    uintptr_t odd = 0;
    Rig own;
    int round;
    rig_fill(&own, 0);
    for (round = 0; round < 200; ++round) {
        SinewSkeletonDef def = rig_skeleton_def(&own);
        SinewSkeleton skeleton = {0};
        SinewResult result = sinew_skeleton_create(&def, &skeleton);
        __atomic_store_n(&failing.refuse, (long)((number * 7 + (uintptr_t)round) % 11 == 0 ? 0 : -1), __ATOMIC_RELAXED);
        odd += result != SINEW_OK && result != SINEW_ERROR_OUT_OF_MEMORY;
        odd += result == SINEW_OK && sinew_skeleton_destroy(skeleton) != SINEW_OK;
    }
    return (void *)odd;
}
static void many_threads_without_memory_get_codes(void)
{
    pthread_t threads[6];
    void *odd = NULL;
    uintptr_t k;
    const long live = failing.live;
    failing_from(-1, 1);
    for (k = 0; k < 6; ++k) {
        REQUIRE(pthread_create(&threads[k], NULL, one_of_many, (void *)k) == 0, "no thread");
    }
    for (k = 0; k < 6; ++k) {
        REQUIRE(pthread_join(threads[k], &odd) == 0, "no join");
        CHECK(odd == NULL, "%lu calls gave other codes", (unsigned long)(uintptr_t)odd);
    }
    failing_watch();
    CHECK(failing.live == live && failing.bad == 0, "%ld blocks stay, %ld are wrong", failing.live - live, failing.bad);
}

static void threads_are_started_and_ended_without_memory(void)
{
    SinewWorld world;
    const long live = failing.live;
    SinewResult result;
    long k, refused = 0;
    EXPECT_OK(sinew_world_create(&world));
    if (sinew_world_set_threads(world, 3) == SINEW_ERROR_NOT_AVAILABLE) {
        printf("skip threads of a world's own: not in this build\n");
        EXPECT_OK(sinew_world_destroy(world));
        return;
    }
    for (k = 0; k < 40; k += k < 4 ? 1 : 5) {
        failing_from(k, 1);
        result = sinew_world_set_threads(world, 2 + (uint32_t)k % 3);
        refused += result == SINEW_ERROR_OUT_OF_MEMORY;
        CHECK(result == SINEW_OK || result == SINEW_ERROR_OUT_OF_MEMORY, "allocation %ld: %d", k, (int)result);
        failing_watch();
        EXPECT_OK(sinew_world_solve(world, NULL, NULL));
    }
    CHECK(refused > 0, "threads were always started");
    EXPECT_OK(sinew_world_destroy(world));
    CHECK(failing.bad == 0, "%ld blocks came back with another size", failing.bad);
    /* The pool's queues keep some memory of their own for later pools. */
    CHECK(failing.live - live < 64, "%ld blocks stay", failing.live - live);
}

/* --- how much room ---------------------------------------------------------------------------- */

static void room_is_enough(const char *what, uint32_t joints, SinewResult result)
{
    const long long rooms = failing.rooms, used = failing.used;
    if (shows) {
        printf("# %-44s %6u joints: uses %11lld of %11lld\n", what, joints, used, rooms);
    }
    CHECK(result == SINEW_OK, "%s with %u joints gave %d", what, joints, (int)result);
    CHECK(used * 4 <= rooms * 3 || used <= SMALL_BYTES, "%s with %u joints uses %lld bytes of a room of %lld", what, joints,
          used, rooms);
    failing_watch();
}
#define ROOM(what, joints, call) (failing_watch(), room_is_enough(what, joints, call))

static uint32_t end_of(int32_t *parents, SinewTransform *rest, uint32_t joints, int shape)
{
    uint32_t j;
    for (j = 0; j < joints; ++j) {
        /* A line, a star, a tree of two branches each, a comb. */
        parents[j] = j == 0 ? -1 : shape == 0 ? (int32_t)j - 1 : shape == 1 ? 0 : shape == 2 ? (int32_t)(j - 1) / 2
            : j % 2 == 0 ? (int32_t)j - 2 : (int32_t)j - 1;
        rest[j] = transform(vec3d(0.01 * (j % 3), 0.1, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
    }
    return joints - 1;
}

static void room_of_a_rig(uint32_t joints, int shape, const char *name)
{
    int32_t *parents = malloc(joints * sizeof *parents), human[SINEW_HUMAN_BONE_COUNT];
    SinewTransform *rest = malloc(joints * sizeof *rest);
    SinewModelFrame *frames = malloc(joints * sizeof *frames);
    const char **names = malloc(joints * sizeof *names);
    const uint32_t last = end_of(parents, rest, joints, shape);
    SinewSkeletonDef def;
    SinewSkeleton skeleton;
    SinewAnimatorDef animator_def;
    SinewAnimator animator, others[9];
    SinewConstraint constraint = {0};
    SinewWorld world;
    SinewWorldFrame world_frame;
    SinewBody body;
    SinewBodySettings body_settings;
    SinewBodyTask task;
    SinewJointLimits limits = rig_limits();
    SinewChainEnd ends[4];
    SinewChainDef chain;
    SinewChainJob job;
    SinewConstraintGoal goal;
    SinewMappedBone *bones = malloc(SINEW_HUMAN_BONE_COUNT * sizeof *bones);
    char *text = malloc(1 << 20);
    uint32_t length = 0, k;
    for (k = 0; k < joints; ++k) {
        names[k] = name;
    }
    EXPECT_OK(sinew_skeleton_def_default(&def));
    def.joint_count = joints, def.parents = parents, def.rest = rest, def.names = names;
    ROOM("skeleton_create", joints, sinew_skeleton_create(&def, &skeleton));
    ROOM("map_human_names", joints, sinew_skeleton_map_human_names(skeleton, human, SINEW_HUMAN_BONE_COUNT, NULL));
    ROOM("map_human_bones", joints, sinew_skeleton_map_human_bones(skeleton, human, SINEW_HUMAN_BONE_COUNT, NULL));
    ROOM("map_with_report", joints, sinew_skeleton_map_with_report(skeleton, NULL, bones, SINEW_HUMAN_BONE_COUNT, NULL));
    ROOM("get_mapping_text", joints, sinew_skeleton_get_mapping_text(skeleton, NULL, text, 1 << 20, &length));
    EXPECT_OK(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = skeleton;
    ROOM("animator_create", joints, sinew_animator_create(&animator_def, &animator));
    if (joints > 5000) { /* the rest takes minutes */
        EXPECT_OK(sinew_animator_destroy(animator));
        EXPECT_OK(sinew_skeleton_destroy(skeleton));
        free(parents), free(rest), free(frames), free(names), free(bones), free(text);
        return;
    }
    ROOM("set_joint_limits", joints, sinew_animator_set_joint_limits(animator, last, &limits));
    ROOM("set_joint_limits, second", joints, sinew_animator_set_joint_limits(animator, 0, &limits));
    memset(ends, 0, sizeof ends);
    EXPECT_OK(sinew_chain_def_default(&chain));
    chain.ends = ends;
    for (k = 0; k < 4 && (shape != 0 || k < 1) && joints > 20; ++k) {
        ends[k].joint = last - k;
    }
    ends[0].joint = last;
    chain.end_count = shape == 1 && joints > 20 ? 4 : 1;
    for (k = 0; k < 9; ++k) {
        ROOM("add_chain", joints, sinew_animator_add_chain(animator, &chain, &constraint));
    }
    if (joints > 3) {
        SinewAimDef aim;
        SinewCopyRotationDef copy;
        SinewSplineDef spline;
        SinewPole pole;
        float angle;
        EXPECT_OK(sinew_pole_default(&pole));
        pole.at.z = 5;
        ROOM("compute_pole_angle", joints, sinew_animator_compute_pole_angle(animator, constraint, &pole, &angle));
        EXPECT_OK(sinew_aim_def_default(&aim));
        aim.end = last;
        ROOM("add_aim", joints, sinew_animator_add_aim(animator, &aim, &constraint));
        EXPECT_OK(sinew_copy_rotation_def_default(&copy));
        copy.joint = last;
        ROOM("add_copy_rotation", joints, sinew_animator_add_copy_rotation(animator, &copy, &constraint));
        EXPECT_OK(sinew_spline_def_default(&spline));
        spline.end = last;
        ROOM("add_spline", joints, sinew_animator_add_spline(animator, &spline, &constraint));
    }
    EXPECT_OK(sinew_chain_job_default(&job));
    EXPECT_OK(sinew_constraint_goal_default(&goal));
    job.joint_count = joints, job.parents = parents, job.rest = rest, job.goals = &goal;
    job.def.ends = ends, job.def.end_count = 1;
    ROOM("chain_solve", joints, sinew_chain_solve(&job, rest, NULL));
    ROOM("model_frames_compute", joints, sinew_model_frames_compute(parents, rest, joints, frames));
    ROOM("world_create", joints, sinew_world_create(&world));
    for (k = 0; k < 9; ++k) {
        EXPECT_OK(sinew_animator_create(&animator_def, &others[k]));
        ROOM("world_join", joints, sinew_world_join(world, others[k], NULL));
    }
    ROOM("world_set_arrays", joints, sinew_world_set_arrays(world, SINEW_POSE_ARRAYS_LOCALS_AND_FRAMES));
    ROOM("world_join, arrays", joints, sinew_world_join(world, animator, NULL));
    ROOM("world_solve, first", joints, sinew_world_solve(world, NULL, NULL));
    EXPECT_OK(sinew_world_frame_default(&world_frame));
    world_frame.layout = SINEW_POSE_LAYOUT_SOA;
    ROOM("world_solve, arrays", joints, sinew_world_solve(world, &world_frame, NULL));
    ROOM("world_set_budget", joints, sinew_world_set_budget(world, 1, NULL, NULL));
    ROOM("body_create", joints, sinew_body_create(skeleton, 0, NULL, &body));
    ROOM("body_set_joint_limits", joints, sinew_body_set_joint_limits(body, last, &limits));
    for (k = 0; k < 40; ++k) {
        SinewBodyTaskDef task_def;
        if (sinew_body_task_default((int32_t)(k % 12), &task_def) == SINEW_OK) {
            task_def.joint = last;
            failing_watch();
            if (sinew_body_add_task(body, &task_def, &task) == SINEW_OK) {
                room_is_enough("body_add_task", joints, SINEW_OK);
            }
        }
    }
    /* The solvers that treat directions one by one have memory of their own. */
    EXPECT_OK(sinew_body_get_settings(body, &body_settings));
    body_settings.track_solver = SINEW_TRACK_SOLVER_SDLS;
    ROOM("body_set_settings", joints, sinew_body_set_settings(body, &body_settings));
    EXPECT_OK(sinew_body_destroy(body));
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < 9; ++k) {
        EXPECT_OK(sinew_animator_destroy(others[k]));
    }
    EXPECT_OK(sinew_animator_destroy(animator));
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
    free(parents), free(rest), free(frames), free(names), free(bones), free(text);
}

static void rooms_are_large_enough_for_every_rig(void)
{
    static const uint32_t COUNTS[] = {1, 2, 7, 60, 400, 65535};
    static const char *const NAMES[] = {"LeftUpperLeg", "mixamorig:LeftHandThumb4_end", ""};
    unsigned size;
    int shape;
    for (size = 0; size < sizeof COUNTS / sizeof COUNTS[0]; ++size) {
        for (shape = 0; shape < 4; ++shape) {
            if (COUNTS[size] < check_rounds(1000000, 100)) {
                room_of_a_rig(COUNTS[size], shape, NAMES[shape % 3]);
            }
        }
    }
}

static void rooms_of_trackers(SinewTrackedBody tracked)
{
    SinewTrackerSample sample;
    SinewVec3 places[64];
    int32_t roles[64];
    uint8_t packet[SINEW_TRACKER_PACKET_SIZE];
    char text[4096];
    uint32_t size = 0, k;
    memset(&sample, 0, sizeof sample);
    sample.position.y = 1.58f;
    sample.rotation.w = 1;
    sample.set = SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION;
    sample.confidence = 1;
    EXPECT_OK(sinew_tracked_body_set_tracker(tracked, SINEW_TRACKER_ROLE_HEAD, &sample));
    for (k = 0; k < 64; ++k) {
        places[k].x = 0.02f * (float)k - 0.64f;
        places[k].y = 0.02f * (float)k;
        places[k].z = 0.01f * (float)(k % 5);
    }
    ROOM("tracked_body_calibrate", RIG_JOINTS, sinew_tracked_body_calibrate(tracked, 0, 0, 0));
    ROOM("tracked_body_assign", RIG_JOINTS, sinew_tracked_body_assign_trackers(tracked, places, 64, 0, roles));
    ROOM("get_calibration_json", RIG_JOINTS,
         sinew_tracked_body_get_calibration_json(tracked, text, sizeof text, &size));
    ROOM("set_calibration_json", RIG_JOINTS, sinew_tracked_body_set_calibration_json(tracked, text));
    EXPECT_OK(sinew_tracked_body_update(tracked, 0.1));
    EXPECT_OK(sinew_tracked_body_pack(tracked, packet, sizeof packet, &size));
    ROOM("tracked_body_receive", RIG_JOINTS, sinew_tracked_body_receive(tracked, packet, size, 0.1));
}

/* A call whose memory is refused answers so, with nothing changed. */
static void calls_outside_of_the_table_are_refused(void)
{
    static SinewVec3 outline[5000];
    SinewVec3 up = {0, 1, 0};
    SinewFootModel foot, feet[2];
    SinewGrounder grounder;
    SinewTrackedBody tracked;
    int32_t role;
    uint32_t size = 0;
    char text[4096];
    rig_make(&rig, 1);
    EXPECT_OK(sinew_foot_model_default(&foot));
    feet[0] = feet[1] = foot;
    EXPECT_OK(sinew_grounder_create(feet, 2, NULL, &grounder));
    EXPECT_OK(sinew_tracked_body_create(rig.avatar, NULL, &tracked));
    ROOM("foot_model_from_outline", 5000, sinew_foot_model_from_outline(&up, &up, outline, 5000, &up, &foot));
    failing_from(0, 1);
    EXPECT(SINEW_ERROR_OUT_OF_MEMORY, sinew_foot_model_from_outline(&up, &up, outline, 5000, &up, &foot));
    EXPECT(SINEW_ERROR_OUT_OF_MEMORY, sinew_grounder_set_stepping(grounder, NULL, NULL, 0));
    EXPECT(SINEW_ERROR_OUT_OF_MEMORY, sinew_tracked_body_calibrate(tracked, 0, 0, 0));
    EXPECT(SINEW_ERROR_OUT_OF_MEMORY, sinew_tracked_body_assign_trackers(tracked, &up, 1, 0, &role));
    EXPECT(SINEW_ERROR_OUT_OF_MEMORY, sinew_tracked_body_get_calibration_json(tracked, text, sizeof text, &size));
    failing_watch();
    EXPECT_OK(sinew_grounder_destroy(grounder));
    EXPECT_OK(sinew_tracked_body_destroy(tracked));
    rig_free(&rig);
}

static void rooms_are_large_enough_for_humanoids(void)
{
    SinewAnimator animator;
    SinewHumanoidSettings settings;
    SinewBodySolverSettings solver;
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewTrackedBody tracked;
    SinewBody body;
    SinewGrounder grounder;
    SinewJointLimits limits = rig_limits();
    static SinewFootModel feet[1000];
    static const uint32_t LEGS_OF[] = {1, 2, 60, 1000};
    int k;
    rig_fill(&rig, 1);
    skeleton_def = rig_skeleton_def(&rig);
    ROOM("skeleton_create", RIG_JOINTS, sinew_skeleton_create(&skeleton_def, &rig.skeleton));
    avatar_def = rig_avatar_def(&rig);
    ROOM("avatar_create", RIG_JOINTS, sinew_avatar_create(&avatar_def, &rig.avatar));
    animator_def = rig_animator_def(&rig);
    ROOM("animator_create", RIG_JOINTS, sinew_animator_create(&animator_def, &animator));
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    for (k = 0; k < 4; ++k) {
        settings.inertialization_times_s[k] = 0.3f;
    }
    ROOM("set_settings", RIG_JOINTS, sinew_animator_set_settings(animator, &settings));
    EXPECT_OK(sinew_body_solver_settings_default(&solver));
    for (k = 1; k <= (int)SINEW_BODY_SOLVER_MODE_TRACK; ++k) {
        solver.mode = k;
        ROOM("set_body_solver", RIG_JOINTS, sinew_animator_set_body_solver(animator, &solver));
    }
    /* The whole-body solver is on: it takes the human range again. */
    ROOM("set_joint_limits, solver", RIG_JOINTS, sinew_animator_set_joint_limits(animator, RIG_JOINTS - 1, &limits));
    ROOM("set_joint_limits, NULL", RIG_JOINTS, sinew_animator_set_joint_limits(animator, RIG_JOINTS - 1, NULL));
    ROOM("tracked_body_create", RIG_JOINTS, sinew_tracked_body_create(rig.avatar, NULL, &tracked));
    rooms_of_trackers(tracked);
    ROOM("body_create", RIG_JOINTS, sinew_body_create(rig.skeleton, 0, NULL, &body));
    ROOM("body_set_human_masses", RIG_JOINTS, sinew_body_set_human_masses(body, rig.avatar));
    ROOM("body_set_human_ranges", RIG_JOINTS, sinew_body_set_human_ranges(body, rig.avatar));
    EXPECT_OK(sinew_tracked_body_destroy(tracked));
    EXPECT_OK(sinew_body_destroy(body));
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
    for (k = 0; k < 1000; ++k) {
        EXPECT_OK(sinew_foot_model_default(&feet[k]));
    }
    for (k = 0; k < 4; ++k) {
        ROOM("grounder_create, legs", LEGS_OF[k], sinew_grounder_create(feet, LEGS_OF[k], NULL, &grounder));
        ROOM("grounder_set_stepping, legs", LEGS_OF[k], sinew_grounder_set_stepping(grounder, NULL, NULL, 0));
        EXPECT_OK(sinew_grounder_destroy(grounder));
    }
}

int main(void)
{
    const SinewResult set = sinew_set_allocator(failing_allocate, failing_free, NULL);
    shows = getenv("SINEW_TEST_ROOMS") != NULL;
    if (set == SINEW_ERROR_NOT_AVAILABLE) {
        printf("skip memory that runs out: the library was built without the feature host-allocator\n");
        return 0;
    }
    RUN(the_allocator_is_set_before_anything_else);
    RUN(everything_comes_from_the_hosts_allocator_and_goes_back);
    RUN(rooms_are_large_enough_for_humanoids);
    RUN(rooms_are_large_enough_for_every_rig);
    RUN(calls_outside_of_the_table_are_refused);
    RUN(what_was_made_in_need_works_and_comes_back);
    RUN(each_allocation_of_each_call_is_refused_in_turn);
    RUN(many_threads_without_memory_get_codes);
    RUN(threads_are_started_and_ended_without_memory);
    return check_report();
}
