/* Joints of a body that follow others, judged in double from the local rotations. */
#include "body_rig.h"

#include <math.h>

static void fresh_at_rest(int rolled)
{
    fresh(rolled);
    memcpy(start, rig.rest, sizeof start);
}
static double twist(int joint, Vec3d axis, double *across)
{
    const SinewQuat r = rig.rest[joint].rotation, p = pose[joint].rotation;
    const Quatd q = quatd_mul(quatd(-(double)r.x, -(double)r.y, -(double)r.z, r.w), quatd(p.x, p.y, p.z, p.w));
    const Vec3d v = vec3d(q.x, q.y, q.z);
    const double along = dot(v, axis);
    const Vec3d rest = sub(v, mul(axis, along));
    double angle = 2 * atan2(along, q.w);
    if (angle > 3.14159265358979) {
        angle -= 2 * 3.14159265358979;
    } else if (angle < -3.14159265358979) {
        angle += 2 * 3.14159265358979;
    }
    *across = sqrt(dot(rest, rest));
    return angle;
}
static void turn_hand(double angle)
{
    SinewBodyTaskDef def = task(SINEW_BODY_TASK_KIND_JOINT_ROTATION, RIG_RIGHT_HAND);
    SinewBodyTask made;
    def.rotation = to_quat(quatd_mul(quatd(rig.rest[RIG_RIGHT_HAND].rotation.x, rig.rest[RIG_RIGHT_HAND].rotation.y,
                                           rig.rest[RIG_RIGHT_HAND].rotation.z, rig.rest[RIG_RIGHT_HAND].rotation.w),
                                     quatd_about(vec3d(0, 1, 0), angle)));
    EXPECT_OK(sinew_body_add_task(body, &def, &made));
}
static SinewJointCoupling follow(int32_t driver, double ratio, double offset)
{
    SinewJointCoupling coupling;
    EXPECT_OK(sinew_joint_coupling_default(&coupling));
    CHECK(coupling.driver == -1 && coupling.ratio == 1 && coupling.axis.y == 1 && coupling.offset_rad == 0, "defaults");
    coupling.driver = driver;
    coupling.driver_axis.y = 2; /* any length */
    coupling.ratio = (float)ratio;
    coupling.offset_rad = (float)offset;
    return coupling;
}

static void a_joint_turns_by_a_ratio_of_another_joints_turn(void)
{
    int rolled, k;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (k = 0; k < 4; ++k) {
            static const double ANGLES[4] = {0.9, -1.4, 0.3, 0};
            double across, driver, driven;
            SinewJointCoupling coupling, read;
            fresh_at_rest(rolled);
            coupling = follow(RIG_RIGHT_HAND, -0.6, 0.2);
            EXPECT_OK(sinew_body_set_joint_coupling(body, RIG_LEFT_HAND, &coupling));
            EXPECT_OK(sinew_body_get_joint_coupling(body, RIG_LEFT_HAND, &read));
            CHECK(read.driver == RIG_RIGHT_HAND && fabs(read.driver_axis.y - 1) < 1e-6 && read.ratio == coupling.ratio
                      && read.offset_rad == coupling.offset_rad && read.struct_size == sizeof read, "what was set");
            turn_hand(ANGLES[k]);
            CHECK(solve().status == SINEW_STATUS_REACHED, "not reached");
            driver = twist(RIG_RIGHT_HAND, vec3d(0, 1, 0), &across);
            CHECK(fabs(driver - ANGLES[k]) < 5e-3, "the driver turned by %g", driver);
            driven = twist(RIG_LEFT_HAND, vec3d(0, 1, 0), &across);
            CHECK(fabs(driven - (0.2 - 0.6 * driver)) < 1e-4, "rolled %d: %g beside %g", rolled, driven, driver);
            CHECK(across < 1e-4, "it bends by %g", across);
            EXPECT_OK(sinew_body_set_joint_coupling(body, RIG_LEFT_HAND, NULL));
            EXPECT_OK(sinew_body_get_joint_coupling(body, RIG_LEFT_HAND, &read));
            CHECK(read.driver == -1, "it still follows");
            (void)solve();
            CHECK(memcmp(&pose[RIG_LEFT_HAND], &start[RIG_LEFT_HAND], sizeof pose[0]) == 0, "a free joint moved");
            done();
        }
    }
}

static void limits_of_both_hold(void)
{
    SinewJointCoupling coupling;
    SinewJointLimits limits;
    double across, driver, driven;
    fresh_at_rest(0);
    coupling = follow(RIG_RIGHT_HAND, 2, 0);
    EXPECT_OK(sinew_body_set_joint_coupling(body, RIG_LEFT_HAND, &coupling));
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_Y;
    limits.min_rad.y = -0.5f;
    limits.max_rad.y = 0.4f;
    EXPECT_OK(sinew_body_set_joint_limits(body, RIG_LEFT_HAND, &limits));
    turn_hand(1.0);
    CHECK(solve().status != SINEW_STATUS_REACHED, "beyond the limits of what follows");
    driver = twist(RIG_RIGHT_HAND, vec3d(0, 1, 0), &across);
    driven = twist(RIG_LEFT_HAND, vec3d(0, 1, 0), &across);
    CHECK(driven < 0.4 + 1e-4 && driven > 0.4 - 5e-3, "it turned by %g", driven);
    CHECK(fabs(driver - 0.2) < 3e-3, "its driver turned by %g", driver);
    done();
}

static void what_cannot_follow_is_refused(void)
{
    SinewJointCoupling coupling;
    fresh_at_rest(0);
    coupling = follow(RIG_RIGHT_HAND, 0.5, 0);
    EXPECT_OK(sinew_body_set_joint_coupling(body, RIG_LEFT_HAND, &coupling));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_joint_coupling(body, RIG_RIGHT_HAND, &coupling));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_joint_coupling(body, RIG_HIPS, &coupling));
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_set_joint_coupling(body, RIG_JOINTS, &coupling));
    coupling.driver = RIG_LEFT_HAND;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_joint_coupling(body, RIG_HEAD, &coupling));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_joint_coupling(body, RIG_RIGHT_HAND, &coupling));
    coupling.driver = RIG_JOINTS;
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_set_joint_coupling(body, RIG_HEAD, &coupling));
    coupling.driver = RIG_RIGHT_FOOT;
    coupling.ratio = 101;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_joint_coupling(body, RIG_HEAD, &coupling));
    coupling.ratio = 1;
    coupling.offset_rad = 4;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_joint_coupling(body, RIG_HEAD, &coupling));
    coupling.offset_rad = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_set_joint_coupling(body, RIG_HEAD, &coupling));
    coupling.offset_rad = 0;
    coupling.struct_size = 3;
    EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_body_set_joint_coupling(body, RIG_HEAD, &coupling));
    done();
}

int main(void)
{
    RUN(a_joint_turns_by_a_ratio_of_another_joints_turn);
    RUN(limits_of_both_hold);
    RUN(what_cannot_follow_is_refused);
    return check_report();
}
