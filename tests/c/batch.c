/* The kernels and their batches: judged by forward kinematics of our own in double, and against the
 * single calls bit for bit. */
#include "rig.h"

enum { COUNT = 200 };

static uint32_t state = 12345;
static double random_between(double low, double high)
{
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * (double)(state >> 8) / 16777216.0;
}
static Vec3d random_vector(double most)
{
    Vec3d v;
    v.x = random_between(-most, most);
    v.y = random_between(-most, most);
    v.z = random_between(-most, most);
    return v;
}
static Quatd random_rotation(void) { return quatd_about(random_vector(1), random_between(-3, 3)); }

static SinewJointLimbJob limb_job(void)
{
    SinewJointLimbJob job;
    rig_must(sinew_joint_limb_job_default(&job), "sinew_joint_limb_job_default");
    job.root = to_quat(random_rotation());
    job.mid = to_quat(random_rotation());
    job.end = to_quat(random_rotation());
    job.end_goal = to_quat(random_rotation());
    job.mid_at = to_vec3(vec3d(random_between(0.25, 0.35), 0.02, 0));
    job.end_at = to_vec3(vec3d(random_between(0.25, 0.35), 0, 0.01));
    job.target = to_vec3(random_vector(0.3));
    job.end_weight = 1;
    return job;
}
static void a_batch_of_limbs_has_the_bits_of_single_calls_and_reaches(void)
{
    static SinewJointLimbJob jobs[COUNT];
    static SinewJointLimbResult results[COUNT];
    int k, reached = 0;
    for (k = 0; k < COUNT; ++k) {
        jobs[k] = limb_job();
    }
    EXPECT_OK(sinew_joint_limb_solve_batch(jobs, COUNT, results));
    for (k = 0; k < COUNT; ++k) {
        SinewJointLimbResult alone;
        Quatd root = from_quat(results[k].root), mid = quatd_mul(root, from_quat(results[k].mid));
        Vec3d end = add(quatd_rotate(root, from_vec3(jobs[k].mid_at)), quatd_rotate(mid, from_vec3(jobs[k].end_at)));
        EXPECT_OK(sinew_joint_limb_solve(&jobs[k], &alone));
        CHECK(memcmp(&alone, &results[k], sizeof alone) == 0, "limb %d has other bits than alone", k);
        if (results[k].beyond == 0) {
            CHECK(distance(end, from_vec3(jobs[k].target)) < 2e-6, "limb %d is %g off", k, distance(end, from_vec3(jobs[k].target)));
            ++reached;
        }
    }
    CHECK(reached > COUNT / 2, "only %d limbs reached", reached);
}

static void limbs_in_records_are_solved_in_place_with_the_same_bits(void)
{
    static SinewTransform records[4 * COUNT], before[4 * COUNT];
    static SinewJointLimbJob jobs[COUNT];
    static SinewLimbPlaces places[COUNT];
    static float beyond[COUNT];
    int k;
    for (k = 0; k < COUNT; ++k) {
        SinewTransform *at = &records[4 * k];
        jobs[k] = limb_job();
        /* A record of another joint in between, and the limbs in reverse order. */
        at[0] = transform(random_vector(1), random_rotation(), vec3d(2, 2, 2));
        at[1].position = to_vec3(random_vector(1));
        at[1].rotation = jobs[k].root;
        at[2].position = jobs[k].mid_at;
        at[2].rotation = jobs[k].mid;
        at[3].position = jobs[k].end_at;
        at[3].rotation = jobs[k].end;
        at[1].scale = at[2].scale = at[3].scale = to_vec3(vec3d(1, 1, 1));
        jobs[k].stretch = k % 3 == 0 ? 0.1f : 0;
    }
    for (k = 0; k < COUNT; ++k) {
        const uint32_t first = (uint32_t)(4 * (COUNT - 1 - k));
        places[k].root = first + 1;
        places[k].mid = first + 2;
        places[k].end = first + 3;
    }
    for (k = 0; k < COUNT / 2; ++k) {
        SinewJointLimbJob swap = jobs[k];
        jobs[k] = jobs[COUNT - 1 - k];
        jobs[COUNT - 1 - k] = swap;
    }
    memcpy(before, records, sizeof before);
    EXPECT_OK(sinew_joint_limb_solve_records(records, 4 * COUNT, places, jobs, COUNT, beyond));
    for (k = 0; k < COUNT; ++k) {
        const SinewTransform *at = &records[places[k].root], *was = &before[places[k].root];
        SinewJointLimbResult alone;
        EXPECT_OK(sinew_joint_limb_solve(&jobs[k], &alone));
        CHECK(memcmp(&at[0].rotation, &alone.root, sizeof alone.root) == 0 &&
                  memcmp(&at[1].rotation, &alone.mid, sizeof alone.mid) == 0 &&
                  memcmp(&at[2].rotation, &alone.end, sizeof alone.end) == 0 && beyond[k] == alone.beyond,
              "limb %d has other bits than alone", k);
        CHECK(at[2].position.x == was[2].position.x * alone.stretch, "limb %d: stretched by another factor", k);
        CHECK(memcmp(&at[-1], &was[-1], sizeof *at) == 0 && memcmp(&at[0].position, &was[0].position, 12) == 0,
              "limb %d: a record that is none of its joints was written", k);
    }
}

static void refused_records_change_nothing(void)
{
    SinewTransform records[3], before[3];
    SinewLimbPlaces places = {0, 1, 2};
    SinewJointLimbJob job = limb_job();
    const char *text = "";
    int k;
    for (k = 0; k < 3; ++k) {
        records[k] = transform(vec3d(0.3, 0, 0), random_rotation(), vec3d(1, 1, 1));
    }
    memcpy(before, records, sizeof before);
    places.end = 3;
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_joint_limb_solve_records(records, 3, &places, &job, 1, NULL));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "places[0].end is 3") != NULL, "%s", text);
    places.end = 2;
    job.target.y = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_joint_limb_solve_records(records, 3, &places, &job, 1, NULL));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "jobs[0]") != NULL, "%s", text);
    job.target.y = 0;
    CHECK(memcmp(before, records, sizeof before) == 0, "records were written");
    records[1].rotation.w *= 2;
    records[1].rotation.x *= 2;
    records[1].rotation.y *= 2;
    records[1].rotation.z *= 2;
    EXPECT(SINEW_ERROR_INVALID_ROTATION, sinew_joint_limb_solve_records(records, 3, &places, &job, 1, NULL));
    records[1].rotation = before[1].rotation;
    EXPECT_OK(sinew_joint_limb_solve_records(records, 3, &places, &job, 1, NULL));
    EXPECT_OK(sinew_joint_limb_solve_records(NULL, 0, NULL, NULL, 0, NULL));
}

static void a_batch_of_rays_has_the_bits_of_single_calls_and_points_at_its_targets(void)
{
    static SinewAimJob jobs[COUNT];
    static SinewAimResult results[COUNT];
    int k, met = 0;
    for (k = 0; k < COUNT; ++k) {
        rig_must(sinew_aim_job_default(&jobs[k]), "sinew_aim_job_default");
        jobs[k].offset = to_vec3(random_vector(0.2));
        jobs[k].axis = to_vec3(random_vector(3));
        jobs[k].target = to_vec3(random_vector(2));
    }
    EXPECT_OK(sinew_aim_solve_batch(jobs, COUNT, results));
    for (k = 0; k < COUNT; ++k) {
        SinewAimResult alone;
        EXPECT_OK(sinew_aim_solve(&jobs[k], &alone));
        CHECK(memcmp(&alone, &results[k], sizeof alone) == 0, "ray %d has other bits than alone", k);
        if (results[k].met) {
            /* The distance of the target from the line of the turned ray. */
            Quatd turn = from_quat(results[k].turn);
            Vec3d from = quatd_rotate(turn, from_vec3(jobs[k].offset)), along = quatd_rotate(turn, from_vec3(jobs[k].axis));
            Vec3d to = sub(from_vec3(jobs[k].target), from);
            CHECK(angle(along, to) * length(to) < 1e-5, "ray %d passes its target %g off", k, angle(along, to) * length(to));
            ++met;
        }
    }
    CHECK(met > COUNT / 2, "only %d rays met", met);
    jobs[150].axis = to_vec3(vec3d(0, 0, 0));
    memset(results, 0xA5, sizeof results);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_aim_solve_batch(jobs, COUNT, results));
    CHECK(((unsigned char *)results)[0] == 0xA5, "a refused batch was written");
}

int main(void)
{
    RUN(a_batch_of_limbs_has_the_bits_of_single_calls_and_reaches);
    RUN(limbs_in_records_are_solved_in_place_with_the_same_bits);
    RUN(refused_records_change_nothing);
    RUN(a_batch_of_rays_has_the_bits_of_single_calls_and_points_at_its_targets);
    return check_report();
}
