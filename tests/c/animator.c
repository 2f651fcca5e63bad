/* What a host sees when all goes well, judged by forward kinematics of our own (space.h), never by
 * the library's own flags alone. Everything runs on a rig with plain and on one with arbitrary
 * joint orientations. */
#include "snapshot.h"
#include "space.h"

static Rig rig;
static SinewAnimator animator;
static SinewTransform *pose;
static SinewTransform root;
static Affine world[RIG_JOINTS];

static void fresh(int rolled, double bend)
{
    rig_make(&rig, rolled);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    EXPECT_OK(sinew_animator_get_root(animator, &root));
    rig_bent_pose(&rig, bend, pose);
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}
static void solve(void)
{
    EXPECT_OK(sinew_animator_solve(animator));
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
}
static void reach(int32_t goal, Vec3d position)
{
    SinewVec3 p = to_vec3(position);
    EXPECT_OK(sinew_animator_set_ik_position(animator, goal, &p));
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, goal, 1.0f));
}
static SinewOutcome outcome_of(int32_t goal)
{
    SinewOutcome outcome = {-1, 9, 9, 9};
    EXPECT_OK(sinew_animator_get_ik_outcome(animator, goal, &outcome));
    return outcome;
}

static const int ENDS[4] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT, RIG_LEFT_HAND, RIG_RIGHT_HAND};
static const int MIDS[4] = {RIG_LEFT_LOWER_LEG, RIG_RIGHT_LOWER_LEG, RIG_LEFT_LOWER_ARM, RIG_RIGHT_LOWER_ARM};
static const int ROOTS[4] = {RIG_LEFT_UPPER_LEG, RIG_RIGHT_UPPER_LEG, RIG_LEFT_UPPER_ARM, RIG_RIGHT_UPPER_ARM};

/* A point `share` of the limb's length away from its root, in a reproducible direction. */
static Vec3d reachable(int32_t goal, int k, double share)
{
    double limb = distance(world[ROOTS[goal]].at, world[MIDS[goal]].at) + distance(world[MIDS[goal]].at, world[ENDS[goal]].at);
    Vec3d to = normalize(vec3d(sin(k * 2.4), cos(k * 1.1 + 0.3), sin(k * 0.37 + 1)));
    return add(world[ROOTS[goal]].at, mul(to, share * limb));
}

static void hands_and_feet_reach_their_goals(void)
{
    int rolled, k, goal;
    double worst = 0;
    for (rolled = 0; rolled < 2; ++rolled) {
        fresh(rolled, 0);
        for (k = 0; k < 100; ++k) {
            for (goal = 0; goal < 4; ++goal) {
                Vec3d target;
                SinewOutcome outcome;
                double off;
                rig_bent_pose(&rig, 0.004 * k, pose);
                forward(RIG_JOINTS, rig.parents, pose, &root, world);
                target = reachable(goal, k, 0.3 + 0.006 * k);
                EXPECT_OK(sinew_animator_reset_ik(animator));
                reach(goal, target);
                solve();
                off = distance(world[ENDS[goal]].at, target);
                worst = off > worst ? off : worst;
                outcome = outcome_of(goal);
                CHECK(off < 1e-5, "rig %d, goal %d, case %d: %g m off", rolled, goal, k, off);
                CHECK(outcome.status == SINEW_STATUS_REACHED && outcome.residual_m < 1e-5f, "status %d, residual %g",
                      outcome.status, (double)outcome.residual_m);
            }
        }
        done();
    }
    printf("# worst %.2g m\n", worst);
}

static void goal_frames_are_those_of_unity(void)
{
    static const int SIGN[4] = {0, 0, -1, 1};
    int rolled, goal;
    for (rolled = 0; rolled < 2; ++rolled) {
        fresh(rolled, 0);
        for (goal = 0; goal < 4; ++goal) {
            SinewQuat q;
            Quatd r;
            Vec3d fingers = goal < 2 ? vec3d(0, 0, 1) : vec3d(SIGN[goal], 0, 0); /* T-pose: toes forward, fingers outward */
            EXPECT_OK(sinew_animator_get_ik_rotation(animator, goal, &q));
            r = from_quat(q);
            CHECK(angle(quatd_rotate(r, vec3d(0, 0, 1)), fingers) < 1e-3, "rig %d, goal %d: Z is not along the fingers", rolled,
                  goal);
            CHECK(angle(quatd_rotate(r, vec3d(0, 1, 0)), vec3d(0, 1, 0)) < 1e-3, "rig %d, goal %d: Y is not up", rolled, goal);
        }
        done();
    }
}

static void hands_and_feet_turn_to_their_goals(void)
{
    int rolled, goal, k;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (goal = 0; goal < 4; ++goal) {
            SinewQuat q;
            Quatd goal_from_bone;
            fresh(rolled, 0);
            EXPECT_OK(sinew_animator_get_ik_rotation(animator, goal, &q));
            goal_from_bone =
                quatd_mul(quatd_conjugate(orientation(ENDS[goal], rig.parents, pose, &root)), from_quat(q)); /* constant */
            for (k = 0; k < 20; ++k) {
                Quatd wanted = quatd_about(vec3d(sin(k), cos(k * 2.2), sin(k * 0.7)), 0.15 * k), got;
                SinewOutcome outcome;
                rig_bent_pose(&rig, 0.3, pose);
                forward(RIG_JOINTS, rig.parents, pose, &root, world);
                q = to_quat(wanted);
                reach(goal, reachable(goal, k, 0.8));
                EXPECT_OK(sinew_animator_set_ik_rotation(animator, goal, &q));
                EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, goal, 1.0f));
                solve();
                got = quatd_mul(orientation(ENDS[goal], rig.parents, pose, &root), goal_from_bone);
                outcome = outcome_of(goal);
                CHECK(quatd_angle(got, wanted) < 1e-5, "rig %d, goal %d: %g rad off", rolled, goal, quatd_angle(got, wanted));
                CHECK(outcome.residual_rad < 1e-5f && outcome.residual_m < 1e-5f, "residual %g rad, %g m",
                      (double)outcome.residual_rad, (double)outcome.residual_m);
            }
            done();
        }
    }
}

/* The part of `v` that is at right angles to the line of the limb. */
static Vec3d across(int32_t goal, Vec3d point)
{
    Vec3d line = normalize(sub(world[ENDS[goal]].at, world[ROOTS[goal]].at));
    Vec3d v = sub(point, world[ROOTS[goal]].at);
    return sub(v, mul(line, dot(v, line)));
}

static void a_hint_only_swivels_the_limb(void)
{
    int rolled, goal, k;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (goal = 0; goal < 4; ++goal) {
            fresh(rolled, 0.2);
            for (k = 0; k < 12; ++k) {
                Vec3d target, hint, before;
                SinewVec3 h;
                double weight;
                rig_bent_pose(&rig, 0.2, pose);
                forward(RIG_JOINTS, rig.parents, pose, &root, world);
                target = reachable(goal, 3, 0.75);
                hint = add(world[MIDS[goal]].at, mul(vec3d(cos(k * 0.5), sin(k * 0.5), sin(k * 1.3)), 2));
                h = to_vec3(hint);
                reach(goal, target);
                EXPECT_OK(sinew_animator_set_ik_hint_position(animator, goal, &h)); /* hint k belongs to goal k */
                for (weight = 0; weight < 1.5; weight += 1) {
                    rig_bent_pose(&rig, 0.2, pose);
                    EXPECT_OK(sinew_animator_set_ik_hint_position_weight(animator, goal, (float)weight));
                    solve();
                    CHECK(distance(world[ENDS[goal]].at, target) < 1e-5, "rig %d, goal %d: the hint moved the end", rolled, goal);
                    if (weight == 0) {
                        before = world[MIDS[goal]].at;
                    }
                }
                CHECK(angle(across(goal, world[MIDS[goal]].at), across(goal, hint)) < 1e-3,
                      "rig %d, goal %d, case %d: the joint points %g rad beside its hint", rolled, goal, k,
                      angle(across(goal, world[MIDS[goal]].at), across(goal, hint)));
                CHECK(fabs(length(across(goal, before)) - length(across(goal, world[MIDS[goal]].at))) < 1e-5,
                      "rig %d, goal %d: the bend changed", rolled, goal);
            }
            done();
        }
    }
}

static void looking_turns_the_head_to_the_target(void)
{
    int rolled, k;
    for (rolled = 0; rolled < 2; ++rolled) {
        fresh(rolled, 0);
        for (k = 0; k < 40; ++k) {
            Vec3d target = vec3d(1.5 * sin(k * 0.9), 1.6 + 0.8 * sin(k * 1.7), 1.2 + 0.5 * cos(k * 0.4)), eyes, gaze;
            SinewVec3 p = to_vec3(target);
            SinewOutcome outcome;
            Quatd turned;
            rig_bent_pose(&rig, 0.05, pose);
            EXPECT_OK(sinew_animator_set_look_at_position(animator, &p));
            EXPECT_OK(sinew_animator_set_look_at_weight(animator, 1.0f, 0.3f, 1.0f, 0.0f, 0.0f));
            solve();
            turned = quatd_mul(orientation(RIG_HEAD, rig.parents, pose, &root),
                               quatd_conjugate(orientation(RIG_HEAD, rig.parents, rig.rest, &root)));
            gaze = quatd_rotate(turned, vec3d(0, 0, 1));
            eyes = mul(add(world[RIG_LEFT_EYE].at, world[RIG_RIGHT_EYE].at), 0.5);
            CHECK(angle(gaze, sub(target, eyes)) < 1e-3, "rig %d, case %d: it looks %g rad past the target", rolled, k,
                  angle(gaze, sub(target, eyes)));
            EXPECT_OK(sinew_animator_get_look_at_outcome(animator, &outcome));
            CHECK(outcome.status == SINEW_STATUS_REACHED, "status %d", outcome.status);
            CHECK(fabs(outcome.residual_rad - angle(gaze, sub(target, eyes))) < 1e-3, "residual %g", (double)outcome.residual_rad);
        }
        done();
    }
}

static void the_clamp_stops_the_head_and_is_reported(void)
{
    SinewVec3 behind = {0.4f, 1.6f, -2.0f};
    SinewOutcome outcome;
    SinewTransform before[RIG_JOINTS];
    fresh(0, 0);
    memcpy(before, pose, sizeof before);
    EXPECT_OK(sinew_animator_set_look_at_position(animator, &behind));
    EXPECT_OK(sinew_animator_set_look_at_weight(animator, 1.0f, 0.0f, 1.0f, 0.0f, 0.5f));
    solve();
    EXPECT_OK(sinew_animator_get_look_at_outcome(animator, &outcome));
    CHECK(outcome.status == SINEW_STATUS_UNREACHABLE && outcome.residual_rad > 1.0f, "status %d, residual %g", outcome.status,
          (double)outcome.residual_rad);
    EXPECT_OK(sinew_animator_set_look_at_weight(animator, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f));
    memcpy(pose, before, sizeof before);
    solve();
    CHECK(quatd_angle(orientation(RIG_HEAD, rig.parents, pose, &root), orientation(RIG_HEAD, rig.parents, before, &root)) < 1e-3,
          "clamp 1 still turns the head");
    done();
}

static void the_body_position_moves_the_centre_of_mass(void)
{
    int rolled;
    for (rolled = 0; rolled < 2; ++rolled) {
        SinewVec3 mass, moved, after;
        Vec3d hips;
        fresh(rolled, 0.1);
        hips = world[RIG_HIPS].at;
        EXPECT_OK(sinew_animator_get_body_position(animator, &mass));
        CHECK(mass.y > 0.7f && mass.y < 1.2f && fabs(mass.x) < 0.2 && fabs(mass.z) < 0.2, "centre of mass %g %g %g",
              (double)mass.x, (double)mass.y, (double)mass.z);
        moved = to_vec3(add(from_vec3(mass), vec3d(0.1, -0.2, 0.3)));
        EXPECT_OK(sinew_animator_set_body_position(animator, &moved));
        solve();
        EXPECT_OK(sinew_animator_get_body_position(animator, &after)); /* measured on the result */
        CHECK(distance(from_vec3(after), from_vec3(moved)) < 1e-5, "%g m off", distance(from_vec3(after), from_vec3(moved)));
        CHECK(distance(world[RIG_HIPS].at, add(hips, vec3d(0.1, -0.2, 0.3))) < 1e-5, "the hips did not move along");
        done();
    }
}

static void foot_goals_keep_the_feet_while_the_body_sinks(void)
{
    int rolled, goal, explicit_goal;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (explicit_goal = 0; explicit_goal < 2; ++explicit_goal) {
            SinewVec3 mass, p;
            Vec3d feet[2], hips;
            fresh(rolled, 0.05);
            hips = world[RIG_HIPS].at;
            for (goal = 0; goal < 2; ++goal) {
                feet[goal] = world[ENDS[goal]].at;
                EXPECT_OK(sinew_animator_get_ik_position(animator, goal, &p));
                if (explicit_goal) { /* otherwise the goal is the animation's own */
                    EXPECT_OK(sinew_animator_set_ik_position(animator, goal, &p));
                }
                EXPECT_OK(sinew_animator_set_ik_position_weight(animator, goal, 1.0f));
            }
            EXPECT_OK(sinew_animator_get_body_position(animator, &mass));
            mass.y -= 0.25f;
            EXPECT_OK(sinew_animator_set_body_position(animator, &mass));
            solve();
            CHECK(fabs(world[RIG_HIPS].at.y - (hips.y - 0.25)) < 1e-4, "the hips are at %g", world[RIG_HIPS].at.y);
            for (goal = 0; goal < 2; ++goal) {
                CHECK(distance(world[ENDS[goal]].at, feet[goal]) < 1e-5, "foot %d moved %g m", goal,
                      distance(world[ENDS[goal]].at, feet[goal]));
                CHECK(world[MIDS[goal]].at.z > world[ENDS[goal]].at.z + 0.05, "knee %d bends backwards", goal);
            }
            done();
        }
    }
}

static void out_of_reach_the_limb_points_straight_at_the_goal(void)
{
    int rolled, goal, k;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (goal = 0; goal < 4; ++goal) {
            for (k = 0; k < 8; ++k) {
                Vec3d target, from;
                double before, after, off;
                SinewOutcome outcome;
                fresh(rolled, 0.1);
                target = reachable(goal, k, 1.5 + 0.3 * k);
                from = world[ROOTS[goal]].at;
                before = distance(from, world[MIDS[goal]].at) + distance(world[MIDS[goal]].at, world[ENDS[goal]].at);
                reach(goal, target);
                solve();
                outcome = outcome_of(goal);
                off = distance(world[ENDS[goal]].at, target);
                after = distance(from, world[MIDS[goal]].at) + distance(world[MIDS[goal]].at, world[ENDS[goal]].at);
                CHECK(outcome.status == SINEW_STATUS_UNREACHABLE, "rig %d, goal %d: status %d", rolled, goal, outcome.status);
                CHECK(fabs(outcome.residual_m - off) < 1e-4, "residual %g, really %g", (double)outcome.residual_m, off);
                CHECK(distance(world[ROOTS[goal]].at, from) < 1e-6, "the root of the limb moved");
                CHECK(angle(sub(world[ENDS[goal]].at, from), sub(target, from)) < 1e-3, "it does not point at the goal");
                CHECK(angle(sub(world[MIDS[goal]].at, from), sub(target, from)) < 0.01, "it is not straight");
                CHECK(after < before * 1.0501 && after > before * 0.999, "length %g, was %g", after, before);
                done();
            }
        }
    }
}

int main(void)
{
    RUN(hands_and_feet_reach_their_goals);
    RUN(goal_frames_are_those_of_unity);
    RUN(hands_and_feet_turn_to_their_goals);
    RUN(a_hint_only_swivels_the_limb);
    RUN(looking_turns_the_head_to_the_target);
    RUN(the_clamp_stops_the_head_and_is_reported);
    RUN(the_body_position_moves_the_centre_of_mass);
    RUN(foot_goals_keep_the_feet_while_the_body_sinks);
    RUN(out_of_reach_the_limb_points_straight_at_the_goal);
    return check_report();
}
