/* Every function of grounders in one table, as calls.h has the others: with good arguments each
 * works, with a null or foreign handle and with each pointer NULL it refuses. */
#ifndef SINEW_TEST_GROUNDER_CALLS_H
#define SINEW_TEST_GROUNDER_CALLS_H

#include "check.h"

#include <sinew/sinew.h>
#include <string.h>

enum { LEGS = 2, ROOM = LEGS * 5, SNAPSHOT_ROOM = 16384, LINE_ROOM = 64 };

/* Good arguments for all of them. */
typedef struct Ground {
    SinewGrounder g;
    SinewGrounder made;
    SinewFootModel feet[LEGS];
    SinewFootModel foot;
    SinewGrounderSettings settings;
    SinewGrounderFrame frame;
    SinewGrounderLeg legs[LEGS];
    SinewGroundQuery queries[ROOM];
    SinewGroundHit hits[ROOM];
    uint32_t first[2];
    uint32_t count;
    uint32_t size;
    SinewGrounderBody body;
    SinewGrounderLegResult results[LEGS];
    uint8_t bytes[SNAPSHOT_ROOM];
    SinewVec3 point;
    SinewVec3 up;
    SinewSteppingSettings stepping;
    SinewContactRule rule;
    SinewVec3 track[30];
    SinewFrameRange ranges[4];
    SinewDebugLine lines[LINE_ROOM];
    void *p[6]; /* the pointers of the call under test */
} Ground;

typedef struct GroundCall {
    const char *name;
    SinewResult (*run)(Ground *c);
    int takes_handle;
    int pointers;
    unsigned optional; /* bit k: p[k] may be NULL */
    void (*point)(Ground *c);
} GroundCall;

static void cast_flat(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    (void)user;
    out_hit->hit = query->origin.y >= 0;
    out_hit->point = query->origin;
    out_hit->point.y = 0;
    out_hit->normal.x = out_hit->normal.z = 0;
    out_hit->normal.y = 1;
}

#define CALL(name, args, handle, pointers, optional, ...)                     \
    static SinewResult ground_##name(Ground *c) { return sinew_##name args; } \
    static void point_##name(Ground *c)                                       \
    {                                                                         \
        void *const to[] = {__VA_ARGS__};                                     \
        memset(c->p, 0, sizeof c->p);                                         \
        memcpy(c->p, to, sizeof to);                                          \
    }
#define P(k) (c->p[k])

CALL(grounder_settings_default, (P(0)), 0, 1, 0, &c->settings)
CALL(foot_model_default, (P(0)), 0, 1, 0, &c->foot)
CALL(foot_model_from_rest, (P(0), P(1), P(2), P(3), P(4), P(5)), 0, 6, 6, &c->point, &c->point, &c->point, &c->point,
     &c->up, &c->foot)
CALL(grounder_is_valid, (c->g, P(0)), 0, 1, 0, &c->count)
CALL(grounder_get_leg_count, (c->g, P(0)), 1, 1, 0, &c->count)
CALL(grounder_set_settings, (c->g, P(0)), 1, 1, 0, &c->settings)
CALL(grounder_get_settings, (c->g, P(0)), 1, 1, 0, &c->settings)
CALL(grounder_set_foot, (c->g, 1, P(0)), 1, 1, 0, &c->foot)
CALL(grounder_get_foot, (c->g, 1, P(0)), 1, 1, 0, &c->foot)
CALL(grounder_reset, (c->g), 1, 0, 0, NULL)
CALL(grounder_get_snapshot_size, (c->g, P(0)), 1, 1, 0, &c->size)
CALL(grounder_get_snapshot, (c->g, P(0), c->size), 1, 1, 0, c->bytes)
CALL(grounder_set_snapshot, (c->g, P(0), c->size), 1, 1, 0, c->bytes)
CALL(stepping_settings_default, (P(0)), 0, 1, 0, &c->stepping)
CALL(grounder_set_stepping, (c->g, P(0), NULL, 0), 1, 1, 1, &c->stepping)
CALL(grounder_clear_stepping, (c->g), 1, 0, 0, NULL)
CALL(foot_model_from_outline, (P(0), P(1), P(2), 3, P(3), P(4)), 0, 5, 0, &c->point, &c->point, c->track, &c->up, &c->foot)
CALL(contact_rule_default, (P(0)), 0, 1, 0, &c->rule)
CALL(contacts_from_clip, (P(0), 30, 1.0f / 60, P(1), P(2), P(3), 4, P(4)), 0, 5, 4, c->track, &c->up, &c->rule, c->ranges,
     &c->count)
CALL(grounder_frame_default, (P(0)), 0, 1, 0, &c->frame)
CALL(grounder_begin, (c->g, P(0), P(1), LEGS, P(2)), 1, 3, 4, &c->frame, c->legs, &c->count)
CALL(grounder_get_queries, (c->g, P(0), ROOM, P(1)), 1, 2, 0, c->queries, &c->count)
CALL(grounder_finish, (c->g, P(0), c->count), 1, 1, 0, c->hits)
CALL(grounder_get_body, (c->g, P(0)), 1, 1, 0, &c->body)
CALL(grounder_get_legs, (c->g, P(0), LEGS), 1, 1, 0, c->results)
CALL(grounder_solve, (c->g, P(0), P(1), LEGS, P(2) ? cast_flat : NULL, P(3)), 1, 4, 8, &c->frame, c->legs, c->bytes,
     c->bytes)
CALL(grounder_get_debug_lines, (c->g, P(0), LINE_ROOM, P(1)), 1, 2, 0, c->lines, &c->count)
CALL(grounder_begin_batch, (P(0), 1, P(1), P(2), LEGS, P(3), ROOM, P(4)), 1, 5, 0, &c->g, &c->frame, c->legs, c->queries,
     c->first)
CALL(grounder_finish_batch, (P(0), 1, P(1), c->first[1], P(2), P(3), LEGS), 1, 4, 0, &c->g, c->hits, &c->body, c->results)

static SinewResult ground_grounder_create(Ground *c)
{
    SinewResult result = sinew_grounder_create(P(0), LEGS, P(1), P(2));
    return result == SINEW_OK ? sinew_grounder_destroy(c->made) : result;
}
static void point_grounder_create(Ground *c)
{
    memset(c->p, 0, sizeof c->p);
    c->p[0] = c->feet;
    c->p[1] = &c->settings;
    c->p[2] = &c->made;
}

#define ROW(name, handle, pointers, optional) \
    {"sinew_" #name, ground_##name, handle, pointers, optional, point_##name}
/* In an order in which each finds what it needs. */
static const GroundCall GROUND_CALLS[] = {
    {"sinew_grounder_create", ground_grounder_create, 0, 3, 2, point_grounder_create},
    ROW(grounder_settings_default, 0, 1, 0),
    ROW(foot_model_default, 0, 1, 0),
    ROW(foot_model_from_rest, 0, 6, 6),
    ROW(grounder_is_valid, 0, 1, 0),
    ROW(grounder_get_leg_count, 1, 1, 0),
    ROW(grounder_set_settings, 1, 1, 0),
    ROW(grounder_get_settings, 1, 1, 0),
    ROW(grounder_set_foot, 1, 1, 0),
    ROW(grounder_get_foot, 1, 1, 0),
    ROW(grounder_reset, 1, 0, 0),
    ROW(grounder_get_snapshot_size, 1, 1, 0),
    ROW(grounder_get_snapshot, 1, 1, 0),
    ROW(grounder_set_snapshot, 1, 1, 0),
    ROW(stepping_settings_default, 0, 1, 0),
    ROW(foot_model_from_outline, 0, 5, 0),
    ROW(contact_rule_default, 0, 1, 0),
    ROW(contacts_from_clip, 0, 5, 4),
    ROW(grounder_set_stepping, 1, 1, 1),
    ROW(grounder_clear_stepping, 1, 0, 0),
    ROW(grounder_frame_default, 0, 1, 0),
    ROW(grounder_begin, 1, 3, 4),
    ROW(grounder_get_queries, 1, 2, 0),
    ROW(grounder_finish, 1, 1, 0),
    ROW(grounder_get_body, 1, 1, 0),
    ROW(grounder_get_legs, 1, 1, 0),
    ROW(grounder_solve, 1, 4, 8),
    ROW(grounder_get_debug_lines, 1, 2, 0),
    ROW(grounder_begin_batch, 1, 5, 0),
    ROW(grounder_finish_batch, 1, 4, 0),
    /* Makes nothing and ends the grounder: called by the test itself. {"sinew_grounder_destroy"} */
};
enum { GROUND_CALL_COUNT = (int)(sizeof GROUND_CALLS / sizeof GROUND_CALLS[0]) };

#endif
