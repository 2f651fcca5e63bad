/* The functions of grounders as rows of the table in calls.h, which includes this file. Their
 * pointers lead to `ground`, one character with two legs on flat ground. */
#ifndef SINEW_TEST_GROUNDER_CALLS_H
#define SINEW_TEST_GROUNDER_CALLS_H

enum { LEGS = 2, GROUND_ROOM = LEGS * 5, SNAPSHOT_ROOM = 16384, GROUND_LINES = 64 };

/* Good arguments for all of them. */
typedef struct Ground {
    SinewGrounder g;
    SinewFootModel feet[LEGS];
    SinewFootModel foot;
    SinewGrounderSettings settings;
    SinewGrounderFrame frame;
    SinewGrounderLeg legs[LEGS];
    SinewGroundQuery queries[GROUND_ROOM];
    SinewGroundHit hits[GROUND_ROOM];
    uint32_t first[2];
    uint32_t count;
    uint32_t size;
    SinewGrounder made;
    SinewGrounderBody body;
    SinewGrounderLegResult results[LEGS];
    uint8_t bytes[SNAPSHOT_ROOM];
    SinewVec3 point;
    SinewVec3 up;
    SinewSteppingSettings stepping;
    SinewContactRule rule;
    SinewVec3 track[30];
    SinewFrameRange ranges[4];
    SinewDebugLine lines[GROUND_LINES];
} Ground;
static Ground ground;

CHECK_UNUSED static void cast_flat(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    (void)user;
    out_hit->hit = query->origin.y >= 0;
    out_hit->point = query->origin;
    out_hit->point.y = 0;
    out_hit->normal.x = out_hit->normal.z = 0;
    out_hit->normal.y = 1;
}
/* A standing leg, its foot `side` metres from the middle. */
CHECK_UNUSED static SinewGrounderLeg standing_leg(double side)
{
    SinewGrounderLeg leg;
    memset(&leg, 0, sizeof leg);
    leg.hip.x = leg.knee.x = leg.ankle.x = leg.ball.x = (float)side;
    leg.hip.y = 0.92f, leg.knee.y = 0.5f, leg.ankle.y = 0.09f, leg.ball.y = 0.03f;
    leg.knee.z = 0.04f, leg.ball.z = 0.13f;
    leg.foot.w = leg.weight = 1;
    return leg;
}
/* All arguments but the grounder itself. */
CHECK_UNUSED static void ground_fill(Ground *c)
{
    SinewGrounder g = c->g;
    int k;
    memset(c, 0, sizeof *c);
    c->g = g;
    for (k = 0; k < LEGS; ++k) {
        rig_must(sinew_foot_model_default(&c->feet[k]), "sinew_foot_model_default");
        c->legs[k] = standing_leg(k == 0 ? -0.1 : 0.1);
    }
    for (k = 0; k < GROUND_ROOM; ++k) {
        c->hits[k].hit = 1;
        c->hits[k].normal.y = 1;
    }
    c->foot = c->feet[0];
    c->up.y = 2;
    rig_must(sinew_grounder_settings_default(&c->settings), "sinew_grounder_settings_default");
    rig_must(sinew_grounder_frame_default(&c->frame), "sinew_grounder_frame_default");
    rig_must(sinew_stepping_settings_default(&c->stepping), "sinew_stepping_settings_default");
    rig_must(sinew_contact_rule_default(&c->rule), "sinew_contact_rule_default");
}
/* With a frame that is finished and one under way; the one grounder is made when it is first asked
 * for. Not for several threads. */
CHECK_UNUSED static void ground_refresh(void)
{
    Ground *c = &ground;
    ground_fill(c);
    if (c->g.bits == 0) {
        rig_must(sinew_grounder_create(c->feet, LEGS, &c->settings, &c->g), "sinew_grounder_create");
    }
    rig_must(sinew_grounder_clear_stepping(c->g), "sinew_grounder_clear_stepping");
    rig_must(sinew_grounder_set_settings(c->g, &c->settings), "sinew_grounder_set_settings");
    rig_must(sinew_grounder_reset(c->g), "sinew_grounder_reset");
    rig_must(sinew_grounder_begin(c->g, &c->frame, c->legs, LEGS, &c->count), "sinew_grounder_begin");
    rig_must(sinew_grounder_finish(c->g, c->hits, c->count), "sinew_grounder_finish");
    rig_must(sinew_grounder_get_snapshot_size(c->g, &c->size), "sinew_grounder_get_snapshot_size");
    CHECK(c->size <= SNAPSHOT_ROOM, "a snapshot has %u bytes", c->size);
    rig_must(sinew_grounder_get_snapshot(c->g, c->bytes, c->size), "sinew_grounder_get_snapshot");
    rig_must(sinew_grounder_begin(c->g, &c->frame, c->legs, LEGS, &c->count), "sinew_grounder_begin");
    c->first[1] = c->count;
}

#define GROUND_CALL(name, args, ...)                                          \
    static SinewResult call_##name(const Args *c) { return sinew_##name args; } \
    static void point_##name(void *p[6])                                      \
    {                                                                         \
        Ground *c = &ground;                                                  \
        void *const to[] = {__VA_ARGS__};                                     \
        (void)c;                                                              \
        memcpy(p, to, sizeof to);                                             \
    }
#define P(k) (c->p[k])

GROUND_CALL(grounder_settings_default, (P(0)), &c->settings)
GROUND_CALL(foot_model_default, (P(0)), &c->foot)
GROUND_CALL(foot_model_from_rest, (P(0), P(1), P(2), P(3), P(4), P(5)), &c->point, &c->point, &c->point, &c->point, &c->up, &c->foot)
GROUND_CALL(grounder_is_valid, (c->g, P(0)), &c->count)
GROUND_CALL(grounder_get_leg_count, (c->g, P(0)), &c->count)
GROUND_CALL(grounder_set_settings, (c->g, P(0)), &c->settings)
GROUND_CALL(grounder_get_settings, (c->g, P(0)), &c->settings)
GROUND_CALL(grounder_set_foot, (c->g, 1, P(0)), &c->foot)
GROUND_CALL(grounder_get_foot, (c->g, 1, P(0)), &c->foot)
GROUND_CALL(grounder_reset, (c->g), NULL)
GROUND_CALL(grounder_get_snapshot_size, (c->g, P(0)), &c->size)
GROUND_CALL(grounder_get_snapshot, (c->g, P(0), ground.size), c->bytes)
GROUND_CALL(grounder_set_snapshot, (c->g, P(0), ground.size), c->bytes)
GROUND_CALL(stepping_settings_default, (P(0)), &c->stepping)
GROUND_CALL(foot_model_from_outline, (P(0), P(1), P(2), 3, P(3), P(4)), &c->point, &c->point, c->track, &c->up, &c->foot)
GROUND_CALL(contact_rule_default, (P(0)), &c->rule)
GROUND_CALL(contacts_from_clip, (P(0), 30, 1.0f / 60, P(1), P(2), P(3), 4, P(4)), c->track, &c->up, &c->rule, c->ranges, &c->count)
GROUND_CALL(grounder_set_stepping, (c->g, P(0), NULL, 0), &c->stepping)
GROUND_CALL(grounder_clear_stepping, (c->g), NULL)
GROUND_CALL(grounder_frame_default, (P(0)), &c->frame)
GROUND_CALL(grounder_begin, (c->g, P(0), P(1), LEGS, P(2)), &c->frame, c->legs, &c->count)
GROUND_CALL(grounder_get_queries, (c->g, P(0), GROUND_ROOM, P(1)), c->queries, &c->count)
GROUND_CALL(grounder_finish, (c->g, P(0), ground.count), c->hits)
GROUND_CALL(grounder_get_body, (c->g, P(0)), &c->body)
GROUND_CALL(grounder_get_legs, (c->g, P(0), LEGS), c->results)
GROUND_CALL(grounder_solve, (c->g, P(0), P(1), LEGS, P(2) ? cast_flat : NULL, P(3)), &c->frame, c->legs, c->bytes, c->bytes)
GROUND_CALL(grounder_get_debug_lines, (c->g, P(0), GROUND_LINES, P(1)), c->lines, &c->count)
GROUND_CALL(grounder_begin_batch, (P(0), 1, P(1), P(2), LEGS, P(3), GROUND_ROOM, P(4)), &c->g, &c->frame, c->legs, c->queries, c->first)
GROUND_CALL(grounder_finish_batch, (P(0), 1, P(1), ground.first[1], P(2), P(3), LEGS), &c->g, c->hits, &c->body, c->results)

GROUND_CALL(animator_get_foot_models, (c->a, P(0), LEGS), c->feet)
GROUND_CALL(animator_get_grounder_legs, (c->a, P(0), P(1), LEGS), &c->frame, c->legs)

/* The frame under way is finished first: only then there are results. */
static SinewResult call_animator_apply_grounder(const Args *c)
{
    (void)sinew_grounder_finish(c->g, ground.hits, ground.count);
    return sinew_animator_apply_grounder(c->a, c->g);
}
static void point_animator_apply_grounder(void *p[6]) { (void)p; }

static SinewResult call_grounder_create(const Args *c)
{
    SinewGrounder *made = P(2);
    SinewResult result = sinew_grounder_create(P(0), LEGS, P(1), made);
    return result == SINEW_OK ? sinew_grounder_destroy(*made) : result;
}
static void point_grounder_create(void *p[6])
{
    p[0] = ground.feet;
    p[1] = &ground.settings;
    p[2] = &ground.made;
}
/* Ends a grounder that the table never gave out; the rows need theirs. */
static SinewResult call_grounder_destroy(const Args *c) { return sinew_grounder_destroy(c->g); }
static void point_grounder_destroy(void *p[6]) { (void)p; }

/* name, handle, pointers, which of them may be NULL, effect */
#define GROUND_ROWS(X)                                              \
    X(grounder_create, H_NONE, 3, 2, E_SETS_UP)                     \
    X(grounder_destroy, H_GROUNDER, 0, 0, E_DESTROYS)               \
    X(grounder_settings_default, H_NONE, 1, 0, E_NONE)              \
    X(foot_model_default, H_NONE, 1, 0, E_NONE)                     \
    X(foot_model_from_rest, H_NONE, 6, 6, E_NONE)                   \
    X(grounder_is_valid, H_NONE, 1, 0, E_NONE)                      \
    X(grounder_get_leg_count, H_GROUNDER, 1, 0, E_NONE)             \
    X(grounder_set_settings, H_GROUNDER, 1, 0, E_NONE)              \
    X(grounder_get_settings, H_GROUNDER, 1, 0, E_NONE)              \
    X(grounder_set_foot, H_GROUNDER, 1, 0, E_NONE)                  \
    X(grounder_get_foot, H_GROUNDER, 1, 0, E_NONE)                  \
    X(grounder_reset, H_GROUNDER, 0, 0, E_NONE)                     \
    X(grounder_get_snapshot_size, H_GROUNDER, 1, 0, E_NONE)         \
    X(grounder_get_snapshot, H_GROUNDER, 1, 0, E_NONE)              \
    X(grounder_set_snapshot, H_GROUNDER, 1, 0, E_NONE)              \
    X(stepping_settings_default, H_NONE, 1, 0, E_NONE)              \
    X(foot_model_from_outline, H_NONE, 5, 0, E_NONE)                \
    X(contact_rule_default, H_NONE, 1, 0, E_NONE)                   \
    X(contacts_from_clip, H_NONE, 5, 4, E_NONE)                     \
    X(grounder_set_stepping, H_GROUNDER, 1, 1, E_SETS_UP)           \
    X(grounder_clear_stepping, H_GROUNDER, 0, 0, E_SETS_UP)         \
    X(grounder_frame_default, H_NONE, 1, 0, E_NONE)                 \
    X(grounder_begin, H_GROUNDER, 3, 4, E_NONE)                     \
    X(grounder_get_queries, H_GROUNDER, 2, 0, E_NONE)               \
    X(grounder_finish, H_GROUNDER, 1, 0, E_NONE)                    \
    X(grounder_get_body, H_GROUNDER, 1, 0, E_NONE)                  \
    X(grounder_get_legs, H_GROUNDER, 1, 0, E_NONE)                  \
    X(grounder_solve, H_GROUNDER, 4, 8, E_NONE)                     \
    X(grounder_get_debug_lines, H_GROUNDER, 2, 0, E_NONE)           \
    X(grounder_begin_batch, H_NONE,     5, 0, E_NONE)               \
    X(grounder_finish_batch, H_NONE,     4, 0, E_NONE)              \
    X(animator_get_foot_models, H_ANIMATOR, 1, 0, E_NONE)           \
    X(animator_get_grounder_legs, H_ANIMATOR, 2, 0, E_NONE)         \
    X(animator_apply_grounder, H_ANIMATOR, 0, 0, E_SETS_UP)

#define GROUND_ROW(name, handle, pointers, optional, effect) \
    {"sinew_" #name, call_##name, handle, I_GROUND, pointers, optional, X_NONE, 0, C_NONE, effect},
#define GROUND_POINTERS(name, handle, pointers, optional, effect) {"sinew_" #name, point_##name},
static const struct GroundPointers {
    const char *name;
    void (*point)(void *p[6]);
} GROUND_POINTER_TABLE[] = {GROUND_ROWS(GROUND_POINTERS)};

/* The pointers of a row. */
CHECK_UNUSED static void ground_point(const char *name, void *p[6])
{
    size_t k;
    for (k = 0; k < sizeof GROUND_POINTER_TABLE / sizeof GROUND_POINTER_TABLE[0]; ++k) {
        if (strcmp(GROUND_POINTER_TABLE[k].name, name) == 0) {
            GROUND_POINTER_TABLE[k].point(p);
        }
    }
}

#endif
