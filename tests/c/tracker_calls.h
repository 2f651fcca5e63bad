/* Every function of tracked bodies in one table, as calls.h has the others. */
#ifndef SINEW_TEST_TRACKER_CALLS_H
#define SINEW_TEST_TRACKER_CALLS_H

#include "check.h"
#include "rig.h"

#include <sinew/sinew.h>
#include <string.h>

enum { TRACKER_SNAPSHOT_ROOM = 16384 };

/* Good arguments for all of them. */
typedef struct Tracked {
    Rig rig;
    SinewSkeleton s;
    SinewAvatar v;
    SinewAnimator a;
    SinewTrackedBody b;
    SinewTrackedBody made;
    SinewTrackedBodySettings settings;
    SinewTrackerCalibration calibration;
    SinewTrackerSample sample;
    SinewOutcome outcome;
    SinewVec3 places[2];
    SinewQuat turn;
    SinewTransform pose[RIG_JOINTS];
    int32_t roles[2];
    uint32_t count;
    uint32_t size;
    float number;
    uint8_t bytes[TRACKER_SNAPSHOT_ROOM];
    uint8_t packet[SINEW_TRACKER_PACKET_SIZE];
    uint32_t packet_size;
    char text[4096];
    char json[32];
    void *p[3]; /* the pointers of the call under test */
} Tracked;

typedef struct TrackerCall {
    const char *name;
    SinewResult (*run)(Tracked *c);
    int takes_handle;
    int pointers;
    unsigned optional; /* bit k: p[k] may be NULL */
    void (*point)(Tracked *c);
} TrackerCall;

#define TRACKER_CALL(name, args, ...)                                             \
    static SinewResult tracked_##name(Tracked *c) { return sinew_##name args; }   \
    static void point_##name(Tracked *c)                                          \
    {                                                                             \
        void *const to[] = {__VA_ARGS__};                                         \
        memset(c->p, 0, sizeof c->p);                                             \
        memcpy(c->p, to, sizeof to);                                              \
    }
#define P(k) (c->p[k])

TRACKER_CALL(tracked_body_settings_default, (P(0)), &c->settings)
TRACKER_CALL(tracked_body_is_valid, (c->b, P(0)), &c->count)
TRACKER_CALL(tracked_body_set_settings, (c->b, P(0)), &c->settings)
TRACKER_CALL(tracked_body_get_settings, (c->b, P(0)), &c->settings)
TRACKER_CALL(tracked_body_set_tracker, (c->b, SINEW_TRACKER_ROLE_HEAD, P(0)), &c->sample)
TRACKER_CALL(tracked_body_clear_tracker, (c->b, SINEW_TRACKER_ROLE_RIGHT_TOES), NULL)
TRACKER_CALL(tracked_body_get_presence, (c->b, SINEW_TRACKER_ROLE_HEAD, P(0)), &c->number)
TRACKER_CALL(tracked_body_set_origin, (c->b, P(0), P(1)), &c->places[0], &c->turn)
TRACKER_CALL(tracked_body_set_part_weight, (c->b, SINEW_TRACKED_PART_PELVIS, 1), NULL)
TRACKER_CALL(tracked_body_get_part_weight, (c->b, SINEW_TRACKED_PART_LEFT_ARM, P(0)), &c->number)
TRACKER_CALL(tracked_body_reset, (c->b), NULL)
TRACKER_CALL(tracked_body_update, (c->b, 0.5), NULL)
TRACKER_CALL(tracked_body_apply, (c->b, P(0), RIG_JOINTS), c->pose)
TRACKER_CALL(tracked_body_apply_to_animator, (c->b, c->a), NULL)
TRACKER_CALL(tracked_body_get_outcome, (c->b, SINEW_TRACKER_ROLE_HEAD, P(0)), &c->outcome)
TRACKER_CALL(tracked_body_get_snapshot_size, (c->b, P(0)), &c->size)
TRACKER_CALL(tracked_body_get_snapshot, (c->b, P(0), c->size), c->bytes)
TRACKER_CALL(tracked_body_set_snapshot, (c->b, P(0), c->size), c->bytes)
TRACKER_CALL(tracked_body_calibrate, (c->b, SINEW_CALIBRATION_POSE_T_POSE, SINEW_TRACKER_SCALE_HEIGHT, 0.0f), NULL)
TRACKER_CALL(tracked_body_set_calibration, (c->b, P(0)), &c->calibration)
TRACKER_CALL(tracked_body_get_calibration, (c->b, P(0)), &c->calibration)
TRACKER_CALL(tracked_body_get_calibration_json, (c->b, P(0), sizeof c->text, P(1)), c->text, &c->count)
TRACKER_CALL(tracked_body_set_calibration_json, (c->b, P(0)), c->json)
TRACKER_CALL(tracked_body_pack, (c->b, P(0), SINEW_TRACKER_PACKET_SIZE, P(1)), c->packet, &c->packet_size)
TRACKER_CALL(tracked_body_receive, (c->b, P(0), c->packet_size, 0.5), c->packet)
TRACKER_CALL(tracked_body_update_remote, (c->b, 0.5), NULL)
TRACKER_CALL(tracked_body_get_network_delay, (c->b, P(0)), &c->number)
TRACKER_CALL(tracked_body_assign_trackers, (c->b, P(0), 2, 0.0f, P(1)), c->places, c->roles)

static SinewResult tracked_tracked_body_create(Tracked *c)
{
    SinewResult result = sinew_tracked_body_create(c->v, P(0), P(1));
    return result == SINEW_OK ? sinew_tracked_body_destroy(c->made) : result;
}
static void point_tracked_body_create(Tracked *c)
{
    memset(c->p, 0, sizeof c->p);
    c->p[0] = &c->settings;
    c->p[1] = &c->made;
}

#define ROW(name, handle, pointers, optional) \
    {"sinew_" #name, tracked_##name, handle, pointers, optional, point_##name}
/* In an order in which each finds what it needs. */
static const TrackerCall TRACKER_CALLS[] = {
    ROW(tracked_body_create, 0, 2, 1),
    ROW(tracked_body_settings_default, 0, 1, 0),
    ROW(tracked_body_is_valid, 0, 1, 0),
    ROW(tracked_body_set_settings, 1, 1, 0),
    ROW(tracked_body_get_settings, 1, 1, 0),
    ROW(tracked_body_set_tracker, 1, 1, 0),
    ROW(tracked_body_clear_tracker, 1, 0, 0),
    ROW(tracked_body_get_presence, 1, 1, 0),
    ROW(tracked_body_set_origin, 1, 2, 0),
    ROW(tracked_body_set_part_weight, 1, 0, 0),
    ROW(tracked_body_get_part_weight, 1, 1, 0),
    ROW(tracked_body_reset, 1, 0, 0),
    ROW(tracked_body_calibrate, 1, 0, 0),
    ROW(tracked_body_get_calibration, 1, 1, 0),
    ROW(tracked_body_set_calibration, 1, 1, 0),
    ROW(tracked_body_assign_trackers, 1, 2, 0),
    ROW(tracked_body_get_calibration_json, 1, 2, 0),
    ROW(tracked_body_set_calibration_json, 1, 1, 0),
    ROW(tracked_body_update, 1, 0, 0),
    ROW(tracked_body_pack, 1, 2, 0),
    ROW(tracked_body_receive, 1, 1, 0),
    ROW(tracked_body_update_remote, 1, 0, 0),
    ROW(tracked_body_get_network_delay, 1, 1, 0),
    ROW(tracked_body_apply, 1, 1, 0),
    ROW(tracked_body_apply_to_animator, 1, 0, 0),
    ROW(tracked_body_get_outcome, 1, 1, 0),
    ROW(tracked_body_get_snapshot_size, 1, 1, 0),
    ROW(tracked_body_get_snapshot, 1, 1, 0),
    ROW(tracked_body_set_snapshot, 1, 1, 0),
    /* Makes nothing and ends the body: called by the test itself. {"sinew_tracked_body_destroy"} */
};
enum { TRACKER_CALL_COUNT = (int)(sizeof TRACKER_CALLS / sizeof TRACKER_CALLS[0]) };

#endif
