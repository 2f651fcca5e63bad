/* Grounders through the header: every function refuses what it must, and a character stands on a
 * step. */
#include "calls.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static Ground c;

static SinewVec3 at(double x, double y, double z)
{
    SinewVec3 v;
    v.x = (float)x, v.y = (float)y, v.z = (float)z;
    return v;
}

/* Everything made and a first frame begun. */
static void fresh(void)
{
    c.g.bits = 0;
    ground_fill(&c);
    EXPECT_OK(sinew_grounder_create(c.feet, LEGS, &c.settings, &c.g));
    EXPECT_OK(sinew_grounder_get_snapshot_size(c.g, &c.size));
    EXPECT_OK(sinew_grounder_begin(c.g, &c.frame, c.legs, LEGS, &c.count));
}

static void done(void)
{
    EXPECT_OK(sinew_grounder_destroy(c.g));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_grounder_destroy(c.g));
}

static SinewResult give_settings(void) { return sinew_grounder_set_settings(c.g, &c.settings); }
static SinewResult give_foot(void) { return sinew_grounder_set_foot(c.g, 1, &c.foot); }
static SinewResult give_frame(void) { return sinew_grounder_begin(c.g, &c.frame, c.legs, LEGS, NULL); }
static SinewResult give_hits(void) { return sinew_grounder_finish(c.g, c.hits, c.count); }

static void numbers_that_are_none_are_refused(void)
{
    struct {
        float *first;
        int count;
        SinewResult (*give)(void);
    } all[5];
    int a, m;
    all[0].first = &c.settings.query_radius, all[0].count = (int)(sizeof c.settings / 4) - 2, all[0].give = give_settings;
    all[1].first = &c.foot.ball_height, all[1].count = 4, all[1].give = give_foot;
    all[2].first = &c.frame.root.x, all[2].count = 14, all[2].give = give_frame;
    all[3].first = &c.legs[1].hip.x, all[3].count = 17, all[3].give = give_frame;
    all[4].first = &c.hits[1].point.x, all[4].count = 12, all[4].give = give_hits;
    fresh();
    for (a = 0; a < 5; ++a) {
        for (m = 0; m < all[a].count; ++m) {
            float good = all[a].first[m];
            SinewResult result;
            all[a].first[m] = (float)NAN;
            result = all[a].give();
            CHECK(result == SINEW_ERROR_NOT_FINITE, "kind %d: float %d gave %d", a, m, (int)result);
            all[a].first[m] = good;
        }
    }
    EXPECT_OK(sinew_grounder_finish(c.g, c.hits, c.count));
    done();
}

static void wrong_counts_orders_and_values_are_refused(void)
{
    SinewGrounder none = {0};
    fresh();
    EXPECT(SINEW_ERROR_INVALID_HANDLE,
           sinew_grounder_begin_batch(&none, 1, &c.frame, c.legs, LEGS, c.queries, GROUND_ROOM, c.first));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_grounder_finish_batch(&none, 1, c.hits, c.count, &c.body, c.results, LEGS));
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_grounder_begin(c.g, &c.frame, c.legs, 1, NULL));
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_grounder_finish(c.g, c.hits, c.count + 1));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_get_legs(c.g, c.results, LEGS));
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_grounder_get_queries(c.g, c.queries, 1, &c.count));
    EXPECT_OK(sinew_grounder_finish(c.g, c.hits, c.count));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_finish(c.g, c.hits, c.count));
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_grounder_get_foot(c.g, LEGS, &c.foot));
    c.settings.quality = 2;
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_grounder_set_settings(c.g, &c.settings));
    c.settings.quality = 3;
    c.settings.release_speed = 0.1f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_set_settings(c.g, &c.settings));
    c.settings.struct_size = 7;
    EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_grounder_set_settings(c.g, &c.settings));
    c.legs[0].contact = 9;
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_grounder_begin(c.g, &c.frame, c.legs, LEGS, NULL));
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_grounder_get_snapshot(c.g, c.bytes, c.size - 1));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_create(c.feet, 0, NULL, &c.made));
    done();
}

static void a_grounder_that_is_in_a_batch_twice_is_refused(void)
{
    SinewGrounder both[2];
    SinewGrounderFrame frames[2];
    SinewGrounderLeg legs[2 * LEGS];
    SinewGrounderBody bodies[2];
    SinewGrounderLegResult results[2 * LEGS];
    SinewGroundHit hits[2 * GROUND_ROOM];
    uint32_t first[3] = {7, 7, 7}, k;
    const char *text = NULL;
    fresh();
    both[0] = both[1] = c.g;
    frames[0] = frames[1] = c.frame;
    for (k = 0; k < 2 * LEGS; ++k) {
        legs[k] = c.legs[k % LEGS];
    }
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT,
           sinew_grounder_begin_batch(both, 2, frames, legs, 2 * LEGS, c.queries, GROUND_ROOM, first));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "grounders[1]") != NULL && strstr(text, "twice") != NULL, "the text is \"%s\"", text);
    CHECK(first[0] == 7 && first[1] == 7, "first queries were written: %u, %u", first[0], first[1]);
    for (k = 0; k < 2 * c.count; ++k) {
        hits[k] = c.hits[k % c.count];
    }
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT,
           sinew_grounder_finish_batch(both, 2, hits, 2 * c.count, bodies, results, 2 * LEGS));
    EXPECT_OK(sinew_grounder_finish(c.g, c.hits, c.count));
    done();
}

/* Height of a step 0.1 m high on the right. */
static void cast_step(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    ++*(int *)user;
    cast_flat(NULL, query, out_hit);
    out_hit->point.y = query->origin.x > 0 ? 0.1f : 0.0f;
}

static void a_foot_stands_on_a_step_and_callback_and_queries_agree(void)
{
    SinewGrounder other;
    SinewGrounderLegResult results[LEGS];
    int frame, asked = 0;
    uint32_t k;
    fresh();
    EXPECT_OK(sinew_grounder_reset(c.g));
    EXPECT_OK(sinew_grounder_create(c.feet, LEGS, &c.settings, &other));
    for (frame = 0; frame < 120; ++frame) {
        int before = asked;
        EXPECT_OK(sinew_grounder_solve(c.g, &c.frame, c.legs, LEGS, cast_step, &asked));
        EXPECT_OK(sinew_grounder_begin(other, &c.frame, c.legs, LEGS, NULL));
        EXPECT_OK(sinew_grounder_get_queries(other, c.queries, GROUND_ROOM, &c.count));
        CHECK((uint32_t)(asked - before) == c.count && c.count <= GROUND_ROOM, "%d asked, %u queries", asked - before, c.count);
        for (k = 0; k < c.count; ++k) {
            int ignored = 0;
            memset(&c.hits[k], 0, sizeof c.hits[k]);
            cast_step(&ignored, &c.queries[k], &c.hits[k]);
        }
        EXPECT_OK(sinew_grounder_finish(other, c.hits, c.count));
    }
    EXPECT_OK(sinew_grounder_get_legs(c.g, c.results, LEGS));
    EXPECT_OK(sinew_grounder_get_legs(other, results, LEGS));
    CHECK(memcmp(results, c.results, sizeof results) == 0, "callback and queries give different legs");
    CHECK(fabs((double)c.results[1].ball.y - 0.13) < 1e-3, "right ball at %g", (double)c.results[1].ball.y);
    CHECK(fabs((double)c.results[0].ball.y - 0.03) < 1e-3, "left ball at %g", (double)c.results[0].ball.y);
    CHECK(c.results[0].planted && c.results[1].planted, "a foot is not planted");
    EXPECT_OK(sinew_grounder_destroy(other));
    done();
}

/* Lines of queries end on the ground; contacts have a cross each; the pelvis goes where it goes. */
static void lines_show_queries_contacts_and_pelvis(void)
{
    SinewVec3 pelvis;
    int frame, asked = 0, on_ground = 0, crosses = 0, moved = 0;
    uint32_t k, count = 0, again = 0;
    fresh();
    EXPECT_OK(sinew_grounder_reset(c.g));
    c.frame.pelvis = pelvis = at(0, 0.95, 0);
    for (frame = 0; frame < 120; ++frame) {
        asked = 0;
        EXPECT_OK(sinew_grounder_solve(c.g, &c.frame, c.legs, LEGS, cast_step, &asked));
    }
    EXPECT_OK(sinew_grounder_get_body(c.g, &c.body));
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_grounder_get_debug_lines(c.g, NULL, 0, &count));
    CHECK(count >= (uint32_t)asked && count <= GROUND_LINES, "%u lines of %d queries", count, asked);
    EXPECT_OK(sinew_grounder_get_debug_lines(c.g, c.lines, GROUND_LINES, &again));
    CHECK(again == count, "%u lines, then %u", count, again);
    for (k = 0; k < again; ++k) {
        const SinewDebugLine *line = &c.lines[k];
        double ground = line->to.x > 0 ? 0.1 : 0.0;
        if (line->part == SINEW_DEBUG_PART_GOAL_AXIS) {
            on_ground += fabs((double)line->to.y - ground) < 1e-5 && (double)line->from.y > ground + 0.1;
        }
        crosses += line->part == SINEW_DEBUG_PART_SUPPORT;
        if (line->part == SINEW_DEBUG_PART_BODY) {
            CHECK(fabs((double)line->from.y - (double)pelvis.y) < 1e-6, "the pelvis at %g", (double)line->from.y);
            CHECK(fabs((double)line->to.y - (double)line->from.y - (double)c.body.offset.y) < 1e-6, "its way is %g, not %g",
                  (double)line->to.y - (double)line->from.y, (double)c.body.offset.y);
            ++moved;
        }
    }
    CHECK(on_ground == asked, "%d queries end on the ground, of %d", on_ground, asked);
    CHECK(crosses == 3 * LEGS, "%d lines at planted feet", crosses);
    CHECK(moved == 1 || (double)c.body.offset.y == 0.0, "%d lines at the pelvis", moved);
    /* A frame under way has no answers yet. */
    EXPECT_OK(sinew_grounder_begin(c.g, &c.frame, c.legs, LEGS, NULL));
    EXPECT_OK(sinew_grounder_get_debug_lines(c.g, c.lines, GROUND_LINES, &again));
    CHECK(again < count, "%u lines without answers", again);
    done();
}

/* Six legs without animation: the body moves, the feet step and stand still in between. */
static void feet_step_by_themselves(void)
{
    enum { SIX = 6 };
    SinewFootModel feet[SIX];
    SinewGrounderLeg homes[SIX];
    SinewGrounderLegResult now[SIX], was[SIX];
    SinewGrounder spider;
    SinewGrounderFrame frame;
    SinewSteppingSettings settings;
    const uint32_t groups[SIX] = {0, 1, 0, 1, 0, 1}, few[2] = {0, 1};
    int f, k, steps = 0;
    EXPECT_OK(sinew_grounder_frame_default(&frame));
    EXPECT_OK(sinew_stepping_settings_default(&settings));
    for (k = 0; k < SIX; ++k) {
        EXPECT_OK(sinew_foot_model_default(&feet[k]));
        feet[k].has_sole = 0;
        feet[k].ball_height = feet[k].heel_height = 0;
    }
    EXPECT_OK(sinew_grounder_create(feet, SIX, NULL, &spider));
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_grounder_set_stepping(spider, &settings, few, 2));
    settings.gait = 7;
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_grounder_set_stepping(spider, &settings, groups, SIX));
    settings.gait = SINEW_GAIT_GROUPS;
    EXPECT_OK(sinew_grounder_set_stepping(spider, &settings, groups, SIX));
    for (f = 0; f < 240; ++f) {
        double z = f * 0.5 / 60;
        int swinging = 0;
        frame.root = at(0, 0, z);
        frame.pelvis = at(0, 0.4, z);
        frame.grounded = SINEW_GROUNDED_YES;
        for (k = 0; k < SIX; ++k) {
            double angle = (k + 0.5) * 3.14159265 / 3;
            memset(&homes[k], 0, sizeof homes[k]);
            homes[k].hip = at(0.3 * sin(angle), 0.4, z + 0.3 * cos(angle));
            homes[k].knee = at(0.65 * sin(angle), 0.6, z + 0.65 * cos(angle));
            homes[k].ankle = homes[k].ball = at(0.75 * sin(angle), 0, z + 0.75 * cos(angle));
            homes[k].foot.w = 1;
            homes[k].weight = 1;
        }
        EXPECT_OK(sinew_grounder_solve(spider, &frame, homes, SIX, cast_flat, NULL));
        EXPECT_OK(sinew_grounder_get_legs(spider, now, SIX));
        for (k = 0; k < SIX; ++k) {
            swinging += !now[k].planted;
            CHECK(now[k].planted || now[(k + 1) % SIX].planted, "neighbours swing in frame %d", f);
            if (f > 2 && now[k].planted && was[k].planted) {
                double dx = (double)now[k].ball.x - (double)was[k].ball.x, dz = (double)now[k].ball.z - (double)was[k].ball.z;
                CHECK(dx * dx + dz * dz < 1e-6, "foot %d slides in frame %d", k, f);
            }
            steps += f > 2 && now[k].planted && !was[k].planted;
        }
        CHECK(swinging <= 3, "%d legs in the air", swinging);
        memcpy(was, now, sizeof was);
    }
    CHECK(steps >= 18, "%d steps", steps);
    EXPECT_OK(sinew_grounder_clear_stepping(spider));
    EXPECT_OK(sinew_grounder_destroy(spider));
}

static void contacts_are_learned_from_a_clip(void)
{
    /* A third of a second on the ground, a third in the air. */
    SinewVec3 track[40], up;
    SinewFrameRange ranges[2];
    uint32_t count = 9;
    int f;
    up = at(0, 1, 0);
    for (f = 0; f < 40; ++f) {
        double s = f < 20 ? 0 : (f - 19) / 20.0;
        track[f] = at(0, 0.03 + 0.4 * s * (1 - s), 0.7 * s);
    }
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_contacts_from_clip(track, 40, 1.0f / 60, &up, NULL, NULL, 0, &count));
    CHECK(count == 1, "%u stances", count);
    EXPECT_OK(sinew_contacts_from_clip(track, 40, 1.0f / 60, &up, NULL, ranges, 2, &count));
    CHECK(count == 1 && ranges[0].start == 0 && ranges[0].end >= 18 && ranges[0].end <= 21, "frames %u to %u",
          ranges[0].start, ranges[0].end);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_contacts_from_clip(track, 40, 0, &up, NULL, ranges, 2, &count));
}

static void settings_of_an_older_size_have_scale_1(void)
{
    const size_t older = offsetof(SinewGrounderSettings, scale);
    SinewGrounderSettings now, *was = malloc(older);
    fresh();
    REQUIRE(was != NULL, "no memory");
    c.settings.scale = 5;
    EXPECT_OK(sinew_grounder_set_settings(c.g, &c.settings));
    EXPECT_OK(sinew_grounder_get_settings(c.g, &now));
    CHECK((double)now.scale == 5.0, "the scale is %g", (double)now.scale);
    memcpy(was, &c.settings, older);
    was->struct_size = (uint32_t)older;
    EXPECT_OK(sinew_grounder_set_settings(c.g, was));
    EXPECT_OK(sinew_grounder_get_settings(c.g, &now));
    CHECK((double)now.scale == 1.0, "the scale of older settings is %g", (double)now.scale);
    CHECK(now.struct_size == sizeof now, "the size is %u", now.struct_size);
    free(was);
    done();
}

static void a_scale_out_of_its_range_is_refused(void)
{
    const float bad[] = {0.0f, -1.0f, 0.00009f, 10001.0f}, good[] = {0.0001f, 1.5f, 10000.0f};
    const char *text = "";
    size_t k;
    fresh();
    for (k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        c.settings.scale = bad[k];
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_set_settings(c.g, &c.settings));
        (void)sinew_last_error(&text);
        CHECK(strstr(text, "settings.scale") != NULL, "the text is: %s", text);
    }
    for (k = 0; k < sizeof good / sizeof good[0]; ++k) {
        c.settings.scale = good[k];
        EXPECT_OK(sinew_grounder_set_settings(c.g, &c.settings));
    }
    done();
}

/* Times have an end; what triggers a step may be as small as a number can be. */
static void extreme_settings_leave_numbers_that_can_be_kept(void)
{
    const size_t times_at[] = {offsetof(SinewGrounderSettings, swing_time), offsetof(SinewGrounderSettings, pelvis_rise_time),
                               offsetof(SinewGrounderSettings, pelvis_fall_time), offsetof(SinewGrounderSettings, airborne_time)};
    SinewSteppingSettings steps;
    int frame, asked = 0;
    size_t k;
    fresh();
    for (k = 0; k < sizeof times_at / sizeof times_at[0]; ++k) {
        float *const time = (float *)(void *)((char *)&c.settings + times_at[k]);
        const float good = *time;
        *time = 1e6f;
        EXPECT_OK(sinew_grounder_set_settings(c.g, &c.settings));
        *time = 1000001.0f;
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_set_settings(c.g, &c.settings));
        *time = good;
    }
    EXPECT_OK(sinew_grounder_set_settings(c.g, &c.settings));
    EXPECT_OK(sinew_stepping_settings_default(&steps));
    steps.step_time = 1000001.0f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_set_stepping(c.g, &steps, NULL, 0));
    steps.step_time = 0.3f;
    steps.trigger_distance = steps.trigger_angle = steps.trigger_balance = 1e-45f;
    EXPECT_OK(sinew_grounder_set_stepping(c.g, &steps, NULL, 0));
    EXPECT_OK(sinew_grounder_get_snapshot_size(c.g, &c.size));
    for (frame = 0; frame < 60; ++frame) {
        for (k = 0; k < LEGS; ++k) {
            c.legs[k].hip.z = c.legs[k].knee.z += 0.02f;
            c.legs[k].ankle.z += 0.02f, c.legs[k].ball.z += 0.02f;
        }
        c.frame.root.z += 0.02f, c.frame.pelvis.z += 0.03f;
        EXPECT_OK(sinew_grounder_solve(c.g, &c.frame, c.legs, LEGS, cast_step, &asked));
        EXPECT_OK(sinew_grounder_get_snapshot(c.g, c.bytes, c.size));
        EXPECT_OK(sinew_grounder_set_snapshot(c.g, c.bytes, c.size));
    }
    done();
}

static SinewVec3 times(SinewVec3 v, double by) { return at((double)v.x * by, (double)v.y * by, (double)v.z * by); }

/* A step 0.1 m high on the right, in centimetres. */
static void cast_step_in_centimetres(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    cast_step(user, query, out_hit);
    out_hit->point.y *= 100;
}

/* The same character in metres and in centimetres: points, the body, and debug lines. */
static void a_person_in_centimetres_stands_as_one_in_metres(void)
{
    SinewGrounder other;
    SinewGrounderLegResult results[LEGS];
    SinewGrounderBody body;
    SinewGrounderFrame frame;
    SinewGrounderLeg legs[LEGS];
    SinewFootModel feet[LEGS];
    SinewDebugLine lines[GROUND_LINES];
    uint32_t count = 0, again = 0, k;
    int f, asked = 0;
    fresh();
    EXPECT_OK(sinew_grounder_reset(c.g));
    for (k = 0; k < LEGS; ++k) {
        feet[k] = c.feet[k], legs[k] = c.legs[k];
        feet[k].ball_height *= 100, feet[k].heel_height *= 100, feet[k].toe_length *= 100, feet[k].heel_length *= 100;
        legs[k].hip = times(legs[k].hip, 100), legs[k].knee = times(legs[k].knee, 100);
        legs[k].ankle = times(legs[k].ankle, 100), legs[k].ball = times(legs[k].ball, 100);
    }
    c.settings.scale = 100;
    EXPECT_OK(sinew_grounder_create(feet, LEGS, &c.settings, &other));
    c.frame.pelvis = at(0, 0.95, 0);
    frame = c.frame;
    frame.pelvis = at(0, 95, 0);
    for (f = 0; f < 120; ++f) {
        EXPECT_OK(sinew_grounder_solve(c.g, &c.frame, c.legs, LEGS, cast_step, &asked));
        EXPECT_OK(sinew_grounder_solve(other, &frame, legs, LEGS, cast_step_in_centimetres, &asked));
    }
    EXPECT_OK(sinew_grounder_get_legs(c.g, c.results, LEGS));
    EXPECT_OK(sinew_grounder_get_legs(other, results, LEGS));
    for (k = 0; k < LEGS; ++k) {
        CHECK(results[k].planted && c.results[k].planted, "foot %u is not planted", k);
        CHECK(fabs((double)results[k].ball.y / 100 - (double)c.results[k].ball.y) < 1e-5, "ball %u at %g cm", k, (double)results[k].ball.y);
        CHECK(fabs((double)results[k].knee.z / 100 - (double)c.results[k].knee.z) < 1e-5, "knee %u at %g cm", k, (double)results[k].knee.z);
    }
    EXPECT_OK(sinew_grounder_get_body(c.g, &c.body));
    EXPECT_OK(sinew_grounder_get_body(other, &body));
    CHECK(fabs((double)body.offset.y / 100 - (double)c.body.offset.y) < 1e-5, "the body by %g cm", (double)body.offset.y);
    EXPECT_OK(sinew_grounder_get_debug_lines(c.g, c.lines, GROUND_LINES, &count));
    EXPECT_OK(sinew_grounder_get_debug_lines(other, lines, GROUND_LINES, &again));
    CHECK(count == again, "%u lines, and %u", count, again);
    for (k = 0; k < again && k < count; ++k) {
        CHECK(fabs((double)lines[k].to.y / 100 - (double)c.lines[k].to.y) < 1e-4, "line %u ends at %g cm", k, (double)lines[k].to.y);
    }
    EXPECT_OK(sinew_grounder_destroy(other));
    done();
}

int main(void)
{
    RUN(settings_of_an_older_size_have_scale_1);
    RUN(a_scale_out_of_its_range_is_refused);
    RUN(extreme_settings_leave_numbers_that_can_be_kept);
    RUN(a_person_in_centimetres_stands_as_one_in_metres);
    RUN(feet_step_by_themselves);
    RUN(contacts_are_learned_from_a_clip);
    RUN(numbers_that_are_none_are_refused);
    RUN(wrong_counts_orders_and_values_are_refused);
    RUN(a_grounder_that_is_in_a_batch_twice_is_refused);
    RUN(lines_show_queries_contacts_and_pelvis);
    RUN(a_foot_stands_on_a_step_and_callback_and_queries_agree);
    return check_report();
}
