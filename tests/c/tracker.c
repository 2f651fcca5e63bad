/* Tracked bodies through the header: every function refuses what it must, and a headset and two
 * controllers give a body whose head and hands are theirs. */
#include "tracker_calls.h"

#include <math.h>

static Tracked c;

static SinewVec3 at(double x, double y, double z)
{
    SinewVec3 v;
    v.x = (float)x, v.y = (float)y, v.z = (float)z;
    return v;
}

static void give(int32_t role, SinewVec3 place, double time_s)
{
    c.sample.time_s = time_s;
    c.sample.position = place;
    c.sample.rotation.x = c.sample.rotation.y = c.sample.rotation.z = 0;
    c.sample.rotation.w = 1;
    c.sample.set = SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION;
    c.sample.confidence = 1;
    EXPECT_OK(sinew_tracked_body_set_tracker(c.b, role, &c.sample));
}

/* A player in the T-pose of the rig. */
static void fresh(void)
{
    SinewSkeletonDef skeleton;
    SinewAvatarDef avatar;
    SinewAnimatorDef animator;
    memset(&c, 0, sizeof c);
    rig_fill(&c.rig, 1);
    EXPECT_OK(sinew_skeleton_def_default(&skeleton));
    skeleton.joint_count = RIG_JOINTS, skeleton.parents = c.rig.parents, skeleton.rest = c.rig.rest;
    skeleton.names = c.rig.names;
    EXPECT_OK(sinew_skeleton_create(&skeleton, &c.s));
    EXPECT_OK(sinew_avatar_def_default(&avatar));
    avatar.skeleton = c.s, avatar.human_joints = c.rig.human;
    EXPECT_OK(sinew_avatar_create(&avatar, &c.v));
    EXPECT_OK(sinew_animator_def_default(&animator));
    animator.skeleton = c.s, animator.avatar = c.v;
    EXPECT_OK(sinew_animator_create(&animator, &c.a));
    EXPECT_OK(sinew_tracked_body_settings_default(&c.settings));
    EXPECT_OK(sinew_tracked_body_create(c.v, &c.settings, &c.b));
    EXPECT_OK(sinew_tracked_body_get_calibration(c.b, &c.calibration));
    EXPECT_OK(sinew_tracked_body_get_snapshot_size(c.b, &c.size));
    CHECK(c.size <= TRACKER_SNAPSHOT_ROOM, "a snapshot has %u bytes", c.size);
    memcpy(c.pose, c.rig.rest, sizeof c.pose);
    c.turn.w = 1;
    c.packet_size = 9;
    strcpy(c.json, "{\"scale\": 1}");
    c.places[0] = at(-0.1, 0.1, 0.0), c.places[1] = at(0.1, 0.1, 0.0);
    give(SINEW_TRACKER_ROLE_LEFT_HAND, at(-0.765, 1.421, -0.018), 0);
    give(SINEW_TRACKER_ROLE_RIGHT_HAND, at(0.765, 1.421, -0.018), 0);
    give(SINEW_TRACKER_ROLE_HEAD, at(0, 1.584, -0.004), 0);
    EXPECT_OK(sinew_tracked_body_get_snapshot(c.b, c.bytes, c.size));
}

static void done(void)
{
    EXPECT_OK(sinew_tracked_body_destroy(c.b));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_tracked_body_destroy(c.b));
    EXPECT_OK(sinew_animator_destroy(c.a));
    EXPECT_OK(sinew_avatar_destroy(c.v));
    EXPECT_OK(sinew_skeleton_destroy(c.s));
}

static void every_function_works_in_order(void)
{
    int k;
    fresh();
    for (k = 0; k < TRACKER_CALL_COUNT; ++k) {
        SinewResult result;
        TRACKER_CALLS[k].point(&c);
        result = TRACKER_CALLS[k].run(&c);
        CHECK(result == SINEW_OK, "%s gave %d", TRACKER_CALLS[k].name, (int)result);
    }
    done();
}

static void every_function_refuses_null_pointers(void)
{
    int k, p;
    fresh();
    for (k = 0; k < TRACKER_CALL_COUNT; ++k) {
        for (p = 0; p < TRACKER_CALLS[k].pointers; ++p) {
            SinewResult result;
            if (TRACKER_CALLS[k].optional & 1u << p) {
                continue;
            }
            TRACKER_CALLS[k].point(&c);
            c.p[p] = NULL;
            result = TRACKER_CALLS[k].run(&c);
            CHECK(result == SINEW_ERROR_NULL_POINTER, "%s with p[%d] NULL gave %d", TRACKER_CALLS[k].name, p, (int)result);
        }
        TRACKER_CALLS[k].point(&c);
        CHECK(TRACKER_CALLS[k].run(&c) == SINEW_OK, "%s after it refused", TRACKER_CALLS[k].name);
    }
    done();
}

static void every_function_refuses_foreign_handles(void)
{
    SinewTrackedBody good, stale;
    SinewWorld other;
    int k, b;
    fresh();
    good = c.b;
    EXPECT_OK(sinew_tracked_body_create(c.v, NULL, &stale));
    EXPECT_OK(sinew_tracked_body_destroy(stale));
    EXPECT_OK(sinew_world_create(&other));
    for (k = 0; k < TRACKER_CALL_COUNT; ++k) {
        uint64_t bad[4];
        bad[0] = 0, bad[1] = stale.bits, bad[2] = other.bits, bad[3] = ~UINT64_C(0);
        for (b = 0; b < 4 && TRACKER_CALLS[k].takes_handle; ++b) {
            SinewResult result;
            TRACKER_CALLS[k].point(&c);
            c.b.bits = bad[b];
            result = TRACKER_CALLS[k].run(&c);
            CHECK(result == SINEW_ERROR_INVALID_HANDLE, "%s with %llx gave %d", TRACKER_CALLS[k].name,
                  (unsigned long long)bad[b], (int)result);
        }
        c.b = good;
    }
    EXPECT_OK(sinew_world_destroy(other));
    done();
}

static void numbers_that_are_none_are_refused(void)
{
    float *settings = &c.settings.min_cutoff_hz, *numbers = &c.sample.position.x;
    int m;
    fresh();
    for (m = 0; m < (int)(sizeof c.settings / 4) - 1; ++m) {
        float good = settings[m];
        settings[m] = (float)NAN;
        EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_set_settings(c.b, &c.settings));
        settings[m] = good;
    }
    for (m = 0; m < 7; ++m) {
        float good = numbers[m];
        numbers[m] = (float)NAN;
        EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_set_tracker(c.b, SINEW_TRACKER_ROLE_HEAD, &c.sample));
        numbers[m] = good;
    }
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_update(c.b, (double)NAN));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_calibrate(c.b, 0, 0, (float)NAN));
    c.calibration.scale = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_set_calibration(c.b, &c.calibration));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_tracked_body_set_tracker(c.b, SINEW_TRACKER_ROLE_COUNT, &c.sample));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_tracked_body_calibrate(c.b, 2, 0, 0));
    c.sample.set = 4;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_set_tracker(c.b, 0, &c.sample));
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_tracked_body_apply(c.b, c.pose, RIG_JOINTS - 1));
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_tracked_body_set_snapshot(c.b, c.bytes, c.size - 1));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_calibrate(c.b, 0, 0, 80));
    EXPECT_OK(sinew_tracked_body_clear_tracker(c.b, SINEW_TRACKER_ROLE_HEAD));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_calibrate(c.b, 0, 0, 0));
    done();
}

static void a_headset_and_two_controllers_are_met(void)
{
    static const int32_t ROLES[3] = {SINEW_TRACKER_ROLE_HEAD, SINEW_TRACKER_ROLE_LEFT_HAND, SINEW_TRACKER_ROLE_RIGHT_HAND};
    SinewTransform solved[RIG_JOINTS];
    int f, k;
    fresh();
    EXPECT_OK(sinew_tracked_body_calibrate(c.b, SINEW_CALIBRATION_POSE_T_POSE, SINEW_TRACKER_SCALE_HEIGHT, 0));
    for (f = 1; f <= 60; ++f) {
        double t = f / 60.0;
        give(SINEW_TRACKER_ROLE_HEAD, at(0.1 * t, 1.584 - 0.3 * t, 0.2 * t), t);
        give(SINEW_TRACKER_ROLE_LEFT_HAND, at(-0.3, 1.1, 0.3), t);
        give(SINEW_TRACKER_ROLE_RIGHT_HAND, at(0.3, 1.2 - 0.2 * t, 0.35), t);
        EXPECT_OK(sinew_tracked_body_update(c.b, t));
        for (k = 0; k < 3; ++k) {
            EXPECT_OK(sinew_tracked_body_get_outcome(c.b, ROLES[k], &c.outcome));
            CHECK(c.outcome.residual_m < 1e-3 && c.outcome.residual_rad < 1e-2, "frame %d, tracker %d: %g m", f, k,
                  c.outcome.residual_m);
        }
    }
    EXPECT_OK(sinew_animator_set_pose(c.a, c.rig.rest, RIG_JOINTS));
    memcpy(c.pose, c.rig.rest, sizeof c.pose);
    EXPECT_OK(sinew_tracked_body_apply(c.b, c.pose, RIG_JOINTS));
    CHECK(memcmp(c.pose, c.rig.rest, sizeof c.pose) != 0, "nothing was applied");
    EXPECT_OK(sinew_tracked_body_apply_to_animator(c.b, c.a));
    EXPECT_OK(sinew_animator_solve(c.a));
    EXPECT_OK(sinew_animator_get_pose(c.a, solved, RIG_JOINTS));
    CHECK(memcmp(c.pose, solved, sizeof c.pose) == 0, "the animator solved another pose");
    {
        /* As many joints, but another skeleton. */
        SinewTransform before[RIG_JOINTS];
        SinewAnimator stranger;
        Rig other;
        rig_make(&other, 1);
        stranger = rig_animator(&other);
        EXPECT_OK(sinew_animator_get_pose(stranger, before, RIG_JOINTS));
        EXPECT(SINEW_ERROR_WRONG_SKELETON, sinew_tracked_body_apply_to_animator(c.b, stranger));
        EXPECT_OK(sinew_animator_get_pose(stranger, solved, RIG_JOINTS));
        CHECK(memcmp(before, solved, sizeof before) == 0, "a refused call wrote a pose");
        EXPECT_OK(sinew_animator_destroy(stranger));
        rig_free(&other);
    }
    done();
}

/* The rig with the three joints of a left index finger. */
static SinewAvatar with_a_finger(int32_t joints, SinewTransform *rest, SinewSkeleton *out_skeleton)
{
    int32_t parents[RIG_JOINTS + 3], human[SINEW_HUMAN_BONE_COUNT];
    const char *names[RIG_JOINTS + 3];
    SinewSkeletonDef skeleton;
    SinewAvatarDef avatar;
    SinewAvatar made;
    Rig rig;
    int k;
    rig_fill(&rig, 0);
    memcpy(parents, rig.parents, sizeof rig.parents);
    memcpy(names, rig.names, sizeof rig.names);
    memcpy(human, rig.human, sizeof human);
    memcpy(rest, rig.rest, sizeof rig.rest);
    for (k = 0; k < 3; ++k) {
        int j = RIG_JOINTS + k;
        parents[j] = k == 0 ? RIG_LEFT_HAND : j - 1;
        names[j] = k == 0 ? "finger" : k == 1 ? "middle" : "last";
        human[SINEW_HUMAN_BONE_LEFT_INDEX_PROXIMAL + k] = j;
        memset(&rest[j], 0, sizeof rest[j]);
        rest[j].position = at(k == 0 ? -0.09 : -0.03, 0, 0);
        rest[j].rotation.w = 1;
        rest[j].scale = at(1, 1, 1);
    }
    EXPECT_OK(sinew_skeleton_def_default(&skeleton));
    skeleton.joint_count = (uint32_t)joints, skeleton.parents = parents, skeleton.rest = rest, skeleton.names = names;
    EXPECT_OK(sinew_skeleton_create(&skeleton, out_skeleton));
    EXPECT_OK(sinew_avatar_def_default(&avatar));
    avatar.skeleton = *out_skeleton, avatar.human_joints = human;
    EXPECT_OK(sinew_avatar_create(&avatar, &made));
    return made;
}

static void a_tracked_finger_bends_at_all_three_joints(void)
{
    SinewTransform pose[RIG_JOINTS + 3], rest[RIG_JOINTS + 3];
    SinewTrackedBody own;
    SinewSkeleton skeleton;
    SinewAvatar avatar;
    double whole = 0;
    int k, f;
    fresh();
    own = c.b;
    avatar = with_a_finger(RIG_JOINTS + 3, rest, &skeleton);
    EXPECT_OK(sinew_tracked_body_create(avatar, NULL, &c.b));
    give(SINEW_TRACKER_ROLE_LEFT_HAND, at(-0.765, 1.421, -0.018), 0);
    give(SINEW_TRACKER_ROLE_RIGHT_HAND, at(0.765, 1.421, -0.018), 0);
    give(SINEW_TRACKER_ROLE_HEAD, at(0, 1.584, -0.004), 0);
    give(SINEW_TRACKER_ROLE_LEFT_INDEX, at(-0.915, 1.421, -0.018), 0);
    EXPECT_OK(sinew_tracked_body_calibrate(c.b, SINEW_CALIBRATION_POSE_T_POSE, SINEW_TRACKER_SCALE_HEIGHT, 0));
    for (f = 1; f <= 30; ++f) {
        double t = f / 30.0;
        give(SINEW_TRACKER_ROLE_LEFT_HAND, at(-0.765, 1.421, -0.018), t);
        give(SINEW_TRACKER_ROLE_RIGHT_HAND, at(0.765, 1.421, -0.018), t);
        give(SINEW_TRACKER_ROLE_HEAD, at(0, 1.584, -0.004), t);
        /* The last bone hangs: turned by a quarter, 3 cm below the end of the first. */
        c.sample.position = at(-0.885, 1.391, -0.018);
        c.sample.rotation.x = c.sample.rotation.y = 0;
        c.sample.rotation.z = c.sample.rotation.w = sqrtf(0.5f);
        EXPECT_OK(sinew_tracked_body_set_tracker(c.b, SINEW_TRACKER_ROLE_LEFT_INDEX, &c.sample));
        EXPECT_OK(sinew_tracked_body_update(c.b, t));
    }
    EXPECT_OK(sinew_tracked_body_get_outcome(c.b, SINEW_TRACKER_ROLE_LEFT_INDEX, &c.outcome));
    CHECK(c.outcome.status == SINEW_STATUS_REACHED && c.outcome.residual_m < 1e-3f, "status %d, %g m",
          (int)c.outcome.status, c.outcome.residual_m);
    memcpy(pose, rest, sizeof pose);
    EXPECT_OK(sinew_tracked_body_apply(c.b, pose, RIG_JOINTS + 3));
    for (k = 0; k < 3; ++k) {
        SinewQuat q = pose[RIG_JOINTS + k].rotation;
        double angle = 2 * atan2(sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z), fabs((double)q.w));
        whole += angle;
        CHECK(memcmp(&pose[RIG_JOINTS + k].position, &rest[RIG_JOINTS + k].position, sizeof rest[0].position) == 0,
              "a bone of the finger has another length");
    }
    CHECK(whole > 1.5 && whole < 1.9, "the finger bends by %g rad", whole);
    EXPECT_OK(sinew_tracked_body_destroy(c.b));
    EXPECT_OK(sinew_avatar_destroy(avatar));
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
    c.b = own;
    done();
}

/* A crouch with the legs of the pose that is written over: they stand where that has them. */
static void an_animated_leg_has_the_foot_of_the_animation(void)
{
    static const int FEET[2] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT};
    SinewTransform before[RIG_JOINTS];
    SinewVec3 place;
    const char *error;
    char named[64];
    int f, k;
    fresh();
    c.settings.prior_weight = 0;
    EXPECT_OK(sinew_tracked_body_set_settings(c.b, &c.settings));
    EXPECT_OK(sinew_tracked_body_calibrate(c.b, SINEW_CALIBRATION_POSE_T_POSE, SINEW_TRACKER_SCALE_HEIGHT, 0));
    EXPECT_OK(sinew_tracked_body_set_part_weight(c.b, SINEW_TRACKED_PART_LEFT_LEG, 0));
    EXPECT_OK(sinew_tracked_body_set_part_weight(c.b, SINEW_TRACKED_PART_RIGHT_LEG, -7));
    EXPECT_OK(sinew_tracked_body_get_part_weight(c.b, SINEW_TRACKED_PART_RIGHT_LEG, &c.number));
    CHECK(c.number == 0, "a weight of -7 is %g", c.number);
    EXPECT_OK(sinew_tracked_body_get_part_weight(c.b, SINEW_TRACKED_PART_PELVIS, &c.number));
    CHECK(c.number == 1, "a weight at first is %g", c.number);
    for (f = 1; f <= 60; ++f) {
        double t = f / 60.0;
        give(SINEW_TRACKER_ROLE_HEAD, at(0, 1.584 - 0.2 * t, 0), t);
        give(SINEW_TRACKER_ROLE_LEFT_HAND, at(-0.3, 1.1, 0.3), t);
        give(SINEW_TRACKER_ROLE_RIGHT_HAND, at(0.3, 1.2, 0.35), t);
        EXPECT_OK(sinew_tracked_body_update(c.b, t));
        EXPECT_OK(sinew_animator_set_pose(c.a, c.rig.rest, RIG_JOINTS));
        EXPECT_OK(sinew_tracked_body_apply_to_animator(c.b, c.a));
        EXPECT_OK(sinew_animator_solve(c.a));
        for (k = 0; k < 2; ++k) {
            const double *rest = RIG_TABLE[FEET[k]].at;
            EXPECT_OK(sinew_animator_get_joint_world(c.a, (uint32_t)FEET[k], &place, &c.turn));
            CHECK(fabs(place.x - rest[0]) < 5e-3 && fabs(place.y - rest[1]) < 12e-3, "frame %d: foot %d at %g, %g", f, k,
                  place.x, place.y);
        }
    }
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_set_part_weight(c.b, SINEW_TRACKED_PART_PELVIS, (float)NAN));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_tracked_body_set_part_weight(c.b, SINEW_TRACKED_PART_RIGHT_FINGERS + 1, 1));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_tracked_body_get_part_weight(c.b, -1, &c.number));
    memcpy(c.pose, c.rig.rest, sizeof c.pose);
    c.pose[RIG_LEFT_FOOT].rotation.x = (float)NAN;
    memcpy(before, c.pose, sizeof before);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_apply(c.b, c.pose, RIG_JOINTS));
    CHECK(memcmp(before, c.pose, sizeof before) == 0, "a refused call wrote a pose");
    EXPECT_OK(sinew_last_error(&error));
    sprintf(named, "pose: joint %d: rotation.x is", RIG_LEFT_FOOT);
    CHECK(strstr(error, named) != NULL, "the message is \"%s\"", error);
    c.pose[RIG_LEFT_FOOT] = c.rig.rest[RIG_LEFT_FOOT];
    c.pose[RIG_LEFT_FOOT].position.y = 1e12f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_apply(c.b, c.pose, RIG_JOINTS));
    EXPECT_OK(sinew_last_error(&error));
    sprintf(named, "pose: joint %d: the place", RIG_LEFT_FOOT);
    CHECK(strstr(error, named) != NULL, "the message is \"%s\"", error);
    done();
}

/* Packets give the same body to everybody, and text brings a calibration back. */
static void a_body_is_seen_elsewhere(void)
{
    SinewTrackedBody far[2];
    SinewTransform poses[2][RIG_JOINTS];
    uint32_t size;
    int f, k, largest = 0;
    fresh();
    EXPECT_OK(sinew_tracked_body_calibrate(c.b, SINEW_CALIBRATION_POSE_T_POSE, SINEW_TRACKER_SCALE_HEIGHT, 0));
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_tracked_body_get_calibration_json(c.b, c.text, 10, &size));
    CHECK(size > 100 && size <= sizeof c.text, "the text needs %u bytes", size);
    EXPECT_OK(sinew_tracked_body_get_calibration_json(c.b, c.text, sizeof c.text, &c.count));
    CHECK(c.count == size && strlen(c.text) + 1 == size, "%u bytes", c.count);
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_tracked_body_create(c.v, NULL, &far[k]));
        EXPECT(SINEW_ERROR_INVALID_TEXT, sinew_tracked_body_set_calibration_json(far[k], "{\"scale\": 1"));
        EXPECT_OK(sinew_tracked_body_set_calibration_json(far[k], c.text));
        memcpy(poses[k], c.rig.rest, sizeof poses[k]);
    }
    for (f = 1; f <= 60; ++f) {
        double t = f / 60.0;
        give(SINEW_TRACKER_ROLE_HEAD, at(0.1 * t, 1.584 - 0.3 * t, 0.2 * t), t);
        give(SINEW_TRACKER_ROLE_LEFT_HAND, at(-0.3, 1.1, 0.3), t);
        give(SINEW_TRACKER_ROLE_RIGHT_HAND, at(0.3, 1.2 - 0.2 * t, 0.35), t);
        EXPECT_OK(sinew_tracked_body_update(c.b, t));
        EXPECT_OK(sinew_tracked_body_pack(c.b, c.packet, SINEW_TRACKER_PACKET_SIZE, &c.packet_size));
        largest = (int)c.packet_size > largest ? (int)c.packet_size : largest;
        for (k = 0; k < 2; ++k) {
            EXPECT_OK(sinew_tracked_body_receive(far[k], c.packet, c.packet_size, t + 7));
            EXPECT_OK(sinew_tracked_body_update_remote(far[k], t + 7));
        }
    }
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_tracked_body_apply(far[k], poses[k], RIG_JOINTS));
        EXPECT_OK(sinew_tracked_body_get_network_delay(far[k], &c.number));
        CHECK(c.number > 0 && c.number < 0.1f, "a delay of %g s", c.number);
    }
    CHECK(memcmp(poses[0], poses[1], sizeof poses[0]) == 0, "two receivers differ");
    CHECK(memcmp(poses[0], c.rig.rest, sizeof poses[0]) != 0, "nothing was received");
    CHECK(largest <= 64, "%d bytes for three trackers", largest);
    c.packet[0] ^= 1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_receive(far[0], c.packet, c.packet_size, 9));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_tracked_body_receive(far[0], c.packet, 201, 9));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_receive(far[0], c.packet, c.packet_size, (double)NAN));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_tracked_body_update_remote(far[0], (double)NAN));
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_tracked_body_pack(c.b, c.packet, 199, &size));
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_tracked_body_destroy(far[k]));
    }
    done();
}

int main(void)
{
    RUN(every_function_works_in_order);
    RUN(every_function_refuses_null_pointers);
    RUN(every_function_refuses_foreign_handles);
    RUN(numbers_that_are_none_are_refused);
    RUN(a_headset_and_two_controllers_are_met);
    RUN(a_tracked_finger_bends_at_all_three_joints);
    RUN(an_animated_leg_has_the_foot_of_the_animation);
    RUN(a_body_is_seen_elsewhere);
    return check_report();
}
