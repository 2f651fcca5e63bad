/* What a snapshot may be, and what comes after it. */
#include "calls.h"

#include <math.h>

static Rig rig;

static void a_snapshot_is_of_a_body_with_the_same_tasks(void)
{
    static const uint32_t JOINTS[] = {RIG_LEFT_HAND, RIG_LEFT_FOOT};
    SinewBodySettings settings;
    SinewBodyTaskDef def;
    SinewBody of, same, other;
    SinewBodyTask task;
    SinewTransform pose[RIG_JOINTS];
    uint8_t bytes[1 << 15];
    uint32_t size = 0;
    int k, frame;
    rig_make(&rig, 0);
    EXPECT_OK(sinew_body_settings_default(&settings));
    settings.mode = SINEW_BODY_MODE_TRACK;
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, &settings, &of));
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, &settings, &same));
    EXPECT_OK(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &def));
    def.joint = RIG_RIGHT_HAND;
    def.goal.x = 0.3f, def.goal.y = 1.2f, def.goal.z = 0.4f;
    EXPECT_OK(sinew_body_add_task(of, &def, &task));
    EXPECT_OK(sinew_body_add_task(same, &def, &task));
    for (frame = 0; frame < 10; ++frame) {
        memcpy(pose, rig.rest, sizeof pose);
        EXPECT_OK(sinew_body_solve(of, pose, RIG_JOINTS, 0.02f, NULL));
    }
    EXPECT_OK(sinew_body_snapshot(of, bytes, sizeof bytes, &size));
    EXPECT_OK(sinew_body_restore(same, bytes, size));
    /* As many joints and rows, but others. */
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, &settings, &other));
        def.joint = JOINTS[k];
        EXPECT_OK(sinew_body_add_task(other, &def, &task));
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_restore(other, bytes, size));
        EXPECT_OK(sinew_body_destroy(other));
    }
    EXPECT_OK(sinew_body_destroy(of));
    EXPECT_OK(sinew_body_destroy(same));
    rig_free(&rig);
}

static void a_tracked_body_says_why_it_takes_no_zeros(void)
{
    SinewTrackedBody body;
    uint8_t *bytes;
    uint32_t size;
    const char *why = "";
    rig_make(&rig, 0);
    EXPECT_OK(sinew_tracked_body_create(rig.avatar, NULL, &body));
    EXPECT_OK(sinew_tracked_body_get_snapshot_size(body, &size));
    bytes = calloc(size, 1);
    REQUIRE(bytes != NULL, "no memory");
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_set_snapshot(body, bytes, size));
    EXPECT_OK(sinew_last_error(&why));
    CHECK(strstr(why, "rotation") != NULL, "%s", why);
    free(bytes);
    EXPECT_OK(sinew_tracked_body_destroy(body));
    rig_free(&rig);
}

/* Grounders. */
static SinewGrounder grounder;
static int is_bad;

static void cast(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    (void)user;
    is_bad |= !isfinite(query->origin.x) || !isfinite(query->origin.y) || !isfinite(query->origin.z)
        || !isfinite(query->length);
    out_hit->hit = out_hit->normal.y = 1;
}
static void frame(int number)
{
    static Ground c;
    SinewGrounderBody body;
    int k;
    ground_fill(&c);
    c.frame.dt_s = 1 / 60.0f;
    c.frame.root.z = c.frame.pelvis.z = 0.01f * (float)number;
    for (k = 0; k < LEGS; ++k) {
        SinewGrounderLeg *leg = &c.legs[k];
        leg->hip.z = leg->knee.z = leg->ankle.z = c.frame.root.z;
        leg->ball.z = c.frame.root.z + 0.13f;
    }
    EXPECT_OK(sinew_grounder_solve(grounder, &c.frame, c.legs, LEGS, cast, NULL));
    EXPECT_OK(sinew_grounder_get_body(grounder, &body));
    EXPECT_OK(sinew_grounder_get_legs(grounder, c.results, LEGS));
    is_bad |= !isfinite(body.offset.x) || !isfinite(body.offset.y) || !isfinite(body.turn.w);
    for (k = 0; k < LEGS; ++k) {
        is_bad |= !isfinite(c.results[k].ankle.x) || !isfinite(c.results[k].ankle.y) || !isfinite(c.results[k].hip.y);
    }
}

static void no_number_of_a_grounders_snapshot_makes_others_that_are_not_finite(void)
{
    static const float LARGE[] = {1e38f, -1e20f, 1e9f, -1e9f};
    static uint8_t bytes[SNAPSHOT_ROOM], changed[SNAPSHOT_ROOM];
    Ground c;
    uint32_t size, place;
    int k, number, taken[4] = {0, 0, 0, 0};
    memset(&c, 0, sizeof c);
    ground_fill(&c);
    EXPECT_OK(sinew_grounder_create(c.feet, LEGS, &c.settings, &grounder));
    for (number = 0; number < 30; ++number) {
        frame(number);
    }
    EXPECT_OK(sinew_grounder_get_snapshot_size(grounder, &size));
    EXPECT_OK(sinew_grounder_get_snapshot(grounder, bytes, size));
    for (k = 0; k < 4; ++k) {
        for (place = 0; place + 4 <= size; place += 4) {
            SinewResult result;
            memcpy(changed, bytes, size);
            memcpy(changed + place, &LARGE[k], 4);
            result = sinew_grounder_set_snapshot(grounder, changed, size);
            CHECK(result == SINEW_OK || result == SINEW_ERROR_NOT_FINITE, "gave %d", (int)result);
            taken[k] += result == SINEW_OK;
            is_bad = 0;
            for (number = 30; result == SINEW_OK && number < 60; ++number) {
                frame(number);
            }
            CHECK(!is_bad, "%g at byte %u", (double)LARGE[k], (unsigned)place);
        }
    }
    /* The host's numbers of bodies are any. */
    CHECK(taken[0] < 200 && taken[2] > 700, "%d and %d of %u numbers are taken", taken[0], taken[2], (unsigned)size / 4);
    EXPECT_OK(sinew_grounder_destroy(grounder));
}

static void a_forgotten_frame_of_another_scale_leaves_no_trace(void)
{
    SinewGrounder both[2];
    SinewGrounderSettings large;
    Ground c;
    uint8_t before[SNAPSHOT_ROOM], after[SNAPSHOT_ROOM];
    uint32_t size;
    int k, number;
    memset(&c, 0, sizeof c);
    ground_fill(&c);
    large = c.settings;
    large.scale = 1.37f;
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_grounder_create(c.feet, LEGS, &c.settings, &both[k]));
    }
    EXPECT_OK(sinew_grounder_get_snapshot_size(both[0], &size));
    for (number = 0; number < 60; ++number) {
        /* One begins a frame of another scale, which is forgotten. */
        EXPECT_OK(sinew_grounder_get_snapshot(both[0], before, size));
        EXPECT_OK(sinew_grounder_set_settings(both[0], &large));
        EXPECT_OK(sinew_grounder_begin(both[0], &c.frame, c.legs, LEGS, NULL));
        EXPECT_OK(sinew_grounder_get_snapshot(both[0], after, size));
        CHECK(memcmp(before, after, size) == 0, "frame %d: a snapshot in a frame is not that of before it", number);
        EXPECT_OK(sinew_grounder_set_settings(both[0], &c.settings));
        for (k = 0; k < 2; ++k) {
            grounder = both[k];
            frame(number);
        }
        EXPECT_OK(sinew_grounder_get_snapshot(both[0], before, size));
        EXPECT_OK(sinew_grounder_get_snapshot(both[1], after, size));
        CHECK(memcmp(before, after, size) == 0, "frame %d: the forgotten frame has left a trace", number);
    }
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_grounder_destroy(both[k]));
    }
}

/* Worlds. */
static double count_calls(void *user)
{
    double *now = user;
    return *now += 1;
}

static void a_restored_animator_is_solved_before_others(void)
{
    enum { COUNT = 40 };
    SinewWorld world;
    SinewAnimator animators[COUNT];
    SinewWorldFrame call;
    SinewVec3 goal;
    uint8_t bytes[4096];
    int32_t states[COUNT];
    uint32_t size;
    double now = 0;
    int k, number, restored, missed = 0;
    rig_make(&rig, 0);
    goal.x = 0.3f, goal.y = 1.2f, goal.z = 0.4f;
    EXPECT_OK(sinew_world_create(&world));
    for (k = 0; k < COUNT; ++k) {
        animators[k] = rig_animator(&rig);
        EXPECT_OK(sinew_world_join(world, animators[k], NULL));
        EXPECT_OK(sinew_world_set_lod_interval(world, animators[k], 5));
        EXPECT_OK(sinew_animator_set_ik_position(animators[k], SINEW_IK_GOAL_RIGHT_HAND, &goal));
        EXPECT_OK(sinew_animator_set_ik_position_weight(animators[k], SINEW_IK_GOAL_RIGHT_HAND, 1));
    }
    EXPECT_OK(sinew_world_set_budget(world, 0.5f, count_calls, &now));
    EXPECT_OK(sinew_animator_snapshot(animators[0], bytes, sizeof bytes, &size));
    EXPECT_OK(sinew_world_frame_default(&call));
    call.out_states = states;
    call.row_count = COUNT;
    for (number = 0; number < 60; ++number) {
        restored = number > 10 ? number * 7 % COUNT : -1;
        if (restored >= 0) {
            EXPECT_OK(sinew_animator_restore(animators[restored], bytes, size));
        }
        EXPECT_OK(sinew_world_solve(world, &call, NULL));
        missed += restored >= 0 && states[restored] != SINEW_ROW_STATE_SOLVED;
    }
    CHECK(missed == 0, "%d of 49 that were restored were not solved in the next call", missed);
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < COUNT; ++k) {
        EXPECT_OK(sinew_animator_destroy(animators[k]));
    }
    rig_free(&rig);
}

int main(void)
{
    RUN(a_snapshot_is_of_a_body_with_the_same_tasks);
    RUN(a_tracked_body_says_why_it_takes_no_zeros);
    RUN(no_number_of_a_grounders_snapshot_makes_others_that_are_not_finite);
    RUN(a_forgotten_frame_of_another_scale_leaves_no_trace);
    RUN(a_restored_animator_is_solved_before_others);
    return check_report();
}
