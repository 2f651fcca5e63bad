/* Grounders under random calls and from several threads: no call crashes, and users of one grounder
 * get SINEW_ERROR_BUSY or their result. */
#include "calls.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

static Ground c;
static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t random_bits(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
static unsigned below(unsigned n) { return (unsigned)(random_bits() % n); }

/* Mostly ordinary, sometimes huge, tiny, negative or none. */
static float any_float(void)
{
    static const float ODD[] = {0, -0.0f, 1e-30f, -1e-3f, 1, 1e6f, -1e6f, 1e18f, 1e30f, 3e38f, -3e38f};
    float value;
    uint32_t bits;
    switch (below(12)) {
    case 0: return ODD[below((unsigned)(sizeof ODD / sizeof ODD[0]))];
    case 1:
        bits = (uint32_t)random_bits();
        memcpy(&value, &bits, sizeof value);
        return value;
    default: return (float)((double)(random_bits() % 4001) / 1000.0 - 2.0);
    }
}
static void spoil(float *first, int count, unsigned how_many)
{
    for (; how_many > 0; --how_many) {
        first[below((unsigned)count)] = any_float();
    }
}

static void fresh(void)
{
    c.g.bits = 0;
    ground_fill(&c);
    EXPECT_OK(sinew_grounder_create(c.feet, LEGS, &c.settings, &c.g));
    EXPECT_OK(sinew_grounder_get_snapshot_size(c.g, &c.size));
    CHECK(c.size <= SNAPSHOT_ROOM, "a snapshot has %u bytes", c.size);
}

/* Settings, feet, frames, legs, answers and snapshots with odd numbers in any order, and ordinary
 * ones in between. */
static void random_calls_neither_crash_nor_leave_it_broken(void)
{
    long frames = 0, refused = 0, round;
    fresh();
    for (round = 0; round < 20000; ++round) {
        SinewResult result;
        uint32_t k;
        switch (below(14)) {
        case 0:
            EXPECT_OK(sinew_grounder_settings_default(&c.settings));
            spoil(&c.settings.query_radius, (int)(sizeof c.settings / 4) - 2, 1 + below(3));
            c.settings.quality = (int32_t)below(7);
            refused += sinew_grounder_set_settings(c.g, &c.settings) != SINEW_OK;
            break;
        case 1:
            EXPECT_OK(sinew_foot_model_default(&c.foot));
            spoil(&c.foot.ball_height, 4, 1);
            c.foot.has_sole = below(3);
            refused += sinew_grounder_set_foot(c.g, below(LEGS + 1), &c.foot) != SINEW_OK;
            break;
        case 2: EXPECT_OK(sinew_grounder_reset(c.g)); break;
        case 3:
            EXPECT_OK(sinew_grounder_get_snapshot(c.g, c.bytes, c.size));
            if (below(3) == 0) {
                c.bytes[below(c.size)] = (uint8_t)random_bits();
            }
            refused += sinew_grounder_set_snapshot(c.g, c.bytes, c.size) != SINEW_OK;
            break;
        default: {
            int odd = below(6) == 0;
            EXPECT_OK(sinew_grounder_frame_default(&c.frame));
            c.frame.pelvis.y = 0.95f;
            c.legs[0] = standing_leg(-0.1), c.legs[1] = standing_leg(0.1);
            c.legs[below(LEGS)].contact = (int32_t)below(4);
            if (odd) {
                spoil(&c.frame.root.x, 14, 1 + below(2));
                spoil(&c.legs[below(LEGS)].hip.x, 17, 1 + below(2));
            }
            result = sinew_grounder_begin(c.g, &c.frame, c.legs, LEGS, &c.count);
            if (result != SINEW_OK) {
                ++refused;
                break;
            }
            CHECK(c.count <= GROUND_ROOM, "%u queries", c.count);
            EXPECT_OK(sinew_grounder_get_queries(c.g, c.queries, GROUND_ROOM, &c.count));
            for (k = 0; k < c.count; ++k) {
                memset(&c.hits[k], 0, sizeof c.hits[k]);
                c.hits[k].hit = below(5) != 0;
                c.hits[k].point = c.queries[k].origin;
                c.hits[k].point.y = (float)below(3) * 0.1f;
                c.hits[k].normal.y = 1;
                c.hits[k].body = below(3);
                if (below(40) == 0) {
                    spoil(&c.hits[k].point.x, 12, 1);
                }
            }
            result = sinew_grounder_finish(c.g, c.hits, c.count);
            if (result != SINEW_OK) {
                ++refused;
                break;
            }
            ++frames;
            EXPECT_OK(sinew_grounder_get_legs(c.g, c.results, LEGS));
            EXPECT_OK(sinew_grounder_get_body(c.g, &c.body));
        }
        }
    }
    CHECK(frames > 5000 && refused > 500, "%ld frames, %ld refusals", frames, refused);
    /* After all that an ordinary character is grounded as ever. */
    EXPECT_OK(sinew_grounder_settings_default(&c.settings));
    EXPECT_OK(sinew_grounder_set_settings(c.g, &c.settings));
    for (round = 0; round < LEGS; ++round) {
        EXPECT_OK(sinew_grounder_set_foot(c.g, (uint32_t)round, &c.feet[round]));
    }
    EXPECT_OK(sinew_grounder_reset(c.g));
    EXPECT_OK(sinew_grounder_frame_default(&c.frame));
    c.legs[0] = standing_leg(-0.1), c.legs[1] = standing_leg(0.1);
    for (round = 0; round < 60; ++round) {
        EXPECT_OK(sinew_grounder_solve(c.g, &c.frame, c.legs, LEGS, cast_flat, NULL));
    }
    EXPECT_OK(sinew_grounder_get_legs(c.g, c.results, LEGS));
    CHECK(c.results[0].planted && fabs((double)c.results[0].ball.y - 0.03) < 1e-3, "the ball is at %g",
          (double)c.results[0].ball.y);
    EXPECT_OK(sinew_grounder_destroy(c.g));
}

enum { THREADS = 4, CALLS_EACH = 4000 };
typedef struct User {
    SinewGrounder g;
    long ok, busy, other;
} User;

static void *use_one(void *user)
{
    User *u = user;
    SinewGrounderFrame frame;
    SinewGrounderLeg legs[LEGS];
    int k;
    legs[0] = standing_leg(-0.1), legs[1] = standing_leg(0.1);
    u->other += sinew_grounder_frame_default(&frame) != SINEW_OK;
    for (k = 0; k < CALLS_EACH; ++k) {
        SinewResult result = sinew_grounder_solve(u->g, &frame, legs, LEGS, cast_flat, NULL);
        u->ok += result == SINEW_OK;
        u->busy += result == SINEW_ERROR_BUSY;
        u->other += result != SINEW_OK && result != SINEW_ERROR_BUSY;
        if (k % 16 == 0) {
            sched_yield();
        }
    }
    return NULL;
}

static void run(User *users)
{
    pthread_t threads[THREADS];
    int k;
    for (k = 0; k < THREADS; ++k) {
        CHECK(pthread_create(&threads[k], NULL, use_one, &users[k]) == 0, "thread %d did not start", k);
    }
    for (k = 0; k < THREADS; ++k) {
        pthread_join(threads[k], NULL);
        CHECK(users[k].other == 0 && users[k].ok > 0, "thread %d: %ld ok, %ld busy, %ld other", k, users[k].ok,
              users[k].busy, users[k].other);
    }
}

static void threads_share_one_grounder_or_have_their_own(void)
{
    User users[THREADS];
    int k;
    fresh();
    memset(users, 0, sizeof users);
    for (k = 0; k < THREADS; ++k) {
        users[k].g = c.g;
    }
    run(users);
    memset(users, 0, sizeof users);
    for (k = 0; k < THREADS; ++k) {
        EXPECT_OK(sinew_grounder_create(c.feet, LEGS, NULL, &users[k].g));
    }
    run(users);
    for (k = 0; k < THREADS; ++k) {
        CHECK(users[k].busy == 0, "a grounder of its own was busy %ld times", users[k].busy);
        EXPECT_OK(sinew_grounder_destroy(users[k].g));
    }
    EXPECT_OK(sinew_grounder_destroy(c.g));
}

/* A callback that calls the grounder it is answering. */
static void cast_and_call(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    EXPECT(SINEW_ERROR_BUSY, sinew_grounder_reset(*(SinewGrounder *)user));
    EXPECT(SINEW_ERROR_BUSY, sinew_grounder_destroy(*(SinewGrounder *)user));
    cast_flat(NULL, query, out_hit);
}
static void a_callback_that_calls_back_is_refused(void)
{
    fresh();
    c.legs[0] = standing_leg(-0.1), c.legs[1] = standing_leg(0.1);
    EXPECT_OK(sinew_grounder_solve(c.g, &c.frame, c.legs, LEGS, cast_and_call, &c.g));
    EXPECT_OK(sinew_grounder_destroy(c.g));
}

int main(void)
{
    RUN(random_calls_neither_crash_nor_leave_it_broken);
    RUN(threads_share_one_grounder_or_have_their_own);
    RUN(a_callback_that_calls_back_is_refused);
    return check_report();
}
