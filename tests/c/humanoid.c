/* What goes beyond Unity's Animator: help from the body, twist, feet spacing, the bone's own frame,
 * matching, switches. Judged by forward kinematics of our own, on a rig with plain and on one with
 * arbitrary joint orientations. */
#include "snapshot.h"
#include "space.h"

#include <stddef.h>

static Rig rig;
static SinewAnimator animator;
static SinewTransform *pose;
static SinewTransform root;
static Affine world[RIG_JOINTS];

static void look(void)
{
    EXPECT_OK(sinew_animator_get_root(animator, &root));
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
}
static void fresh_with(int rolled, double bend, const SinewAvatarDef *like)
{
    SinewAvatarDef def;
    rig_make(&rig, rolled);
    if (like != NULL) {
        def = rig_avatar_def(&rig);
        memcpy(&def.up, &like->up, sizeof def - offsetof(SinewAvatarDef, up));
        EXPECT_OK(sinew_avatar_destroy(rig.avatar));
        EXPECT_OK(sinew_avatar_create(&def, &rig.avatar));
    }
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    rig_bent_pose(&rig, bend, pose);
    look();
}
static void fresh(int rolled, double bend) { fresh_with(rolled, bend, NULL); }
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}
static void solve(void)
{
    EXPECT_OK(sinew_animator_solve(animator));
    look();
}
static void reach(int32_t goal, Vec3d position)
{
    SinewVec3 p = to_vec3(position);
    EXPECT_OK(sinew_animator_set_ik_position(animator, goal, &p));
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, goal, 1.0f));
}
static SinewHumanoidSettings settings_of(void)
{
    SinewHumanoidSettings settings;
    EXPECT_OK(sinew_animator_get_settings(animator, &settings));
    return settings;
}
static uint32_t switching(int32_t goal)
{
    uint32_t is = 9;
    EXPECT_OK(sinew_animator_get_is_inertializing(animator, goal, &is));
    return is;
}
static void mirrored_root(void)
{
    SinewTransform at = transform(vec3d(3, -1, 2), quatd_about(vec3d(1, 2, -1), 1.1), vec3d(-1.5, 1.5, 1.5));
    EXPECT_OK(sinew_animator_set_root(animator, &at));
    look();
}

static const int ENDS[4] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT, RIG_LEFT_HAND, RIG_RIGHT_HAND};

static void settings_begin_off_stay_and_are_limited(void)
{
    SinewHumanoidSettings settings, got;
    int k;
    fresh(1, 0);
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    got = settings_of();
    EXPECT_SAME(settings, got, "a new animator has other settings than the defaults");
    for (k = 1; k < (int)(sizeof settings / 4); ++k) {
        CHECK(((float *)&settings)[k] == 0.0f, "number %d is not off by default", k);
    }
    settings.shoulder_weights[0] = -1.0f;
    settings.shoulder_weights[1] = 0.25f;
    settings.spine_weight = 7.0f;
    settings.pull_weights[2] = 1e30f;
    settings.inertialization_times_s[1] = -3.0f;
    settings.inertialization_times_s[3] = 0.5f;
    settings.bend_weight = 3.0f;
    settings.trunk_avoidance = 2.0f;
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    settings.limits_enabled = 2;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_settings(animator, &settings));
    settings.limits_enabled = 0;
    settings.bend_weight = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_settings(animator, &settings));
    settings.bend_weight = 0;
    settings.trunk_avoidance = (float)INFINITY;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_settings(animator, &settings));
    EXPECT_OK(sinew_animator_reset_ik(animator));
    EXPECT_OK(sinew_animator_solve(animator));
    got = settings_of();
    CHECK(got.shoulder_weights[0] == 0.0f && got.shoulder_weights[1] == 0.25f && got.spine_weight == 1.0f &&
              got.pull_weights[2] == 1.0f && got.inertialization_times_s[1] == 0.0f && got.inertialization_times_s[3] == 0.5f &&
              got.bend_weight == 1.0f && got.trunk_avoidance == 1.0f,
          "%g %g %g %g %g %g %g", (double)got.bend_weight, (double)got.shoulder_weights[0], (double)got.shoulder_weights[1], (double)got.spine_weight,
          (double)got.pull_weights[2], (double)got.inertialization_times_s[1], (double)got.inertialization_times_s[3]);
    done();
}

/* A hand goal 15 % beyond reach, forward and a little up: each helper brings the hand nearer, the
 * hips reach it in full. */
static void the_body_compensates_reach_by_its_weights(void)
{
    int rolled, helper;
    for (rolled = 0; rolled < 2; ++rolled) {
        double off[4];
        for (helper = 0; helper < 4; ++helper) {
            SinewHumanoidSettings settings;
            Vec3d shoulder, goal, chest, clavicle;
            double arm;
            fresh(rolled, 0.02);
            shoulder = world[RIG_RIGHT_UPPER_ARM].at;
            arm = distance(shoulder, world[RIG_RIGHT_LOWER_ARM].at) +
                distance(world[RIG_RIGHT_LOWER_ARM].at, world[RIG_RIGHT_HAND].at);
            goal = add(shoulder, mul(normalize(vec3d(0.3, 0.3, 1)), 1.15 * arm));
            chest = world[RIG_CHEST].at;
            clavicle = world[RIG_RIGHT_UPPER_ARM].at;
            settings = settings_of();
            if (helper == 1) settings.shoulder_weights[1] = 1.0f;
            if (helper == 2) settings.spine_weight = 1.0f;
            if (helper == 3) settings.pull_weights[SINEW_IK_GOAL_RIGHT_HAND] = 1.0f;
            EXPECT_OK(sinew_animator_set_settings(animator, &settings));
            reach(SINEW_IK_GOAL_RIGHT_HAND, goal);
            solve();
            off[helper] = distance(world[RIG_RIGHT_HAND].at, goal);
            CHECK((distance(world[RIG_RIGHT_UPPER_ARM].at, clavicle) > 1e-3) == (helper != 0), "rig %d, helper %d: shoulder %g m",
                  rolled, helper, distance(world[RIG_RIGHT_UPPER_ARM].at, clavicle));
            CHECK((distance(world[RIG_CHEST].at, chest) > 1e-4) == (helper >= 2), "rig %d, helper %d: the chest moved %g m", rolled,
                  helper, distance(world[RIG_CHEST].at, chest));
            done();
        }
        CHECK(off[0] > 0.03, "rig %d: within reach without help, %g m off", rolled, off[0]);
        CHECK(off[1] < 0.9 * off[0], "rig %d: shoulder %g of %g m", rolled, off[1], off[0]);
        CHECK(off[2] < 0.01 && off[3] < 0.005, "rig %d: spine %g, hips %g m off", rolled, off[2], off[3]);
    }
}

/* How far out of the trunk the right elbow is: 1 on the surface (docs/animator.md). */
static double out_of_the_trunk(void)
{
    const Vec3d left = world[RIG_LEFT_UPPER_ARM].at, right = world[RIG_RIGHT_UPPER_ARM].at, hips = world[RIG_HIPS].at;
    const double half = 0.5 * distance(left, right);
    const Vec3d side = mul(sub(right, left), 0.5 / half), line = sub(mul(add(left, right), 0.5), hips);
    const Vec3d from = sub(world[RIG_RIGHT_LOWER_ARM].at, hips);
    const double along = fmin(fmax(dot(from, line) / dot(line, line), 0), 1);
    const Vec3d off = sub(from, mul(line, along));
    const double sideways = dot(off, side);
    const Vec3d rest = sub(off, mul(side, sideways));
    return sqrt(sideways * sideways / 0.81 + dot(rest, rest) / 0.49) / half;
}

/* Hands across the body: elbows swivel out of the trunk, hands stay where they are. */
static void elbows_leave_the_trunk(void)
{
    int rolled, x, y, inside = 0, still = 0;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (x = 0; x < 5; ++x) {
            for (y = 0; y < 5; ++y) {
                Vec3d hand[2];
                double out[2];
                int on;
                for (on = 0; on < 2; ++on) {
                    SinewHumanoidSettings settings;
                    fresh(rolled, 0.02);
                    settings = settings_of();
                    settings.trunk_avoidance = (float)on;
                    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
                    reach(SINEW_IK_GOAL_RIGHT_HAND,
                          add(world[RIG_RIGHT_UPPER_ARM].at, vec3d(0.02 - 0.06 * x, -0.35 + 0.1 * y, 0.2)));
                    solve();
                    out[on] = out_of_the_trunk();
                    hand[on] = world[RIG_RIGHT_HAND].at;
                    done();
                }
                CHECK(distance(hand[0], hand[1]) < 1e-5, "the hand moved by %g m", distance(hand[0], hand[1]));
                CHECK(out[0] < 1 || out[1] > 0.999, "an elbow goes in: %g -> %g", out[0], out[1]);
                inside += out[0] < 0.99;
                still += out[1] < 0.99;
            }
        }
    }
    CHECK(inside > 3 && 4 * still <= inside, "%d elbows were inside, %d are", inside, still);
}

/* The share of a hand's roll that stays at the wrist is the avatar's parameter. */
static void twist_is_shared_by_the_avatars_parameters(void)
{
    static const float SHARES[3] = {0.0f, 0.5f, 1.0f};
    const double roll = 0.8;
    int rolled, s;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (s = 0; s < 3; ++s) {
            SinewAvatarDef def;
            Vec3d axis;
            Quatd forearm, hand, turned;
            SinewQuat goal;
            double at_elbow, at_hand;
            EXPECT_OK(sinew_avatar_def_default(&def));
            def.lower_arm_twist = SHARES[s];
            fresh_with(rolled, 0.0, &def);
            axis = normalize(sub(world[RIG_LEFT_HAND].at, world[RIG_LEFT_LOWER_ARM].at));
            forearm = orientation(RIG_LEFT_LOWER_ARM, rig.parents, pose, &root);
            hand = orientation(RIG_LEFT_HAND, rig.parents, pose, &root);
            turned = quatd_mul(quatd_about(axis, roll), hand);
            goal = to_quat(turned);
            EXPECT_OK(sinew_animator_set_ik_rotation_bone(animator, SINEW_IK_GOAL_LEFT_HAND, &goal));
            EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, SINEW_IK_GOAL_LEFT_HAND, 1.0f));
            solve();
            at_elbow = quatd_angle(forearm, orientation(RIG_LEFT_LOWER_ARM, rig.parents, pose, &root));
            at_hand = quatd_angle(turned, orientation(RIG_LEFT_HAND, rig.parents, pose, &root));
            CHECK(fabs(at_elbow - (1 - (double)SHARES[s]) * roll) < 1e-4, "rig %d, parameter %g: the elbow rolls by %g", rolled,
                  (double)SHARES[s], at_elbow);
            CHECK(at_hand < 1e-4, "rig %d, parameter %g: the hand is %g rad off", rolled, (double)SHARES[s], at_hand);
            done();
        }
    }
}

static void feet_keep_their_spacing(void)
{
    SinewAvatarDef def;
    float scale = 0;
    int rolled;
    EXPECT_OK(sinew_avatar_def_default(&def));
    def.feet_spacing = 0.4f;
    for (rolled = 0; rolled < 2; ++rolled) {
        double wanted;
        fresh_with(rolled, 0.0, &def);
        EXPECT_OK(sinew_animator_get_human_scale(animator, &scale));
        wanted = 0.4 * (double)scale;
        CHECK(world[RIG_RIGHT_FOOT].at.x - world[RIG_LEFT_FOOT].at.x < wanted - 0.05, "they are apart already");
        solve();
        CHECK(fabs(world[RIG_RIGHT_FOOT].at.x - world[RIG_LEFT_FOOT].at.x - wanted) < 1e-4, "rig %d: %g m apart, not %g", rolled,
              world[RIG_RIGHT_FOOT].at.x - world[RIG_LEFT_FOOT].at.x, wanted);
        done();
    }
}

static double violation(int32_t bone)
{
    float rad = -9;
    int32_t joint = -1;
    EXPECT_OK(sinew_animator_get_bone_joint(animator, bone, &joint));
    EXPECT_OK(sinew_animator_get_joint_violation(animator, (uint32_t)joint, &rad));
    return rad;
}
/* Turns a joint of the pose about an axis of the world (the root is the identity). */
static void turn(int joint, Vec3d axis, double angle_rad)
{
    Quatd parent = orientation(rig.parents[joint], rig.parents, pose, &root);
    Quatd about = quatd_mul(quatd_conjugate(parent), quatd_mul(quatd_about(axis, angle_rad), parent));
    pose[joint].rotation = to_quat(quatd_mul(about, from_quat(pose[joint].rotation)));
    look();
}

/* The hand of the T-pose bent up by 110°: 20° beyond people's 90, unless the avatar says
 * otherwise. */
static void a_pose_beyond_peoples_limits_is_reported(void)
{
    const double degree = acos(-1.0) / 180;
    int rolled, own;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (own = 0; own < 2; ++own) {
            SinewHumanRange ranges[2];
            SinewAvatarDef def;
            SinewJointLimits limits;
            EXPECT_OK(sinew_avatar_def_default(&def));
            EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_LEFT_HAND, &ranges[0]));
            CHECK(fabs((double)ranges[0].bend_max_rad - 90 * degree) < 1e-5 && ranges[0].bone == SINEW_HUMAN_BONE_LEFT_HAND, "range");
            ranges[1] = ranges[0];
            ranges[1].bend_max_rad = (float)(120 * degree); /* the last entry of a bone counts */
            def.human_ranges = ranges;
            def.human_range_count = own ? 2 : 1;
            fresh_with(rolled, 0.0, &def);
            CHECK(violation(SINEW_HUMAN_BONE_LEFT_HAND) < 1e-4 && violation(SINEW_HUMAN_BONE_HIPS) == 0.0, "the T-pose violates");
            turn(RIG_LEFT_HAND, cross3(vec3d(-1, 0, 0), vec3d(0, 1, 0)), 110 * degree);
            CHECK(fabs(violation(SINEW_HUMAN_BONE_LEFT_HAND) - (own ? 0 : 20 * degree)) < 1e-3, "rig %d, own range %d: %g rad", rolled,
                  own, violation(SINEW_HUMAN_BONE_LEFT_HAND));
            EXPECT_OK(sinew_joint_limits_default(&limits));
            EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_LEFT_HAND, &limits));
            CHECK(violation(SINEW_HUMAN_BONE_LEFT_HAND) == 0.0, "rig %d: an override does not free the hand", rolled);
            EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_LEFT_HAND, NULL));
            CHECK(fabs(violation(SINEW_HUMAN_BONE_LEFT_HAND) - (own ? 0 : 20 * degree)) < 1e-3, "rig %d: the range is not back", rolled);
            turn(RIG_LEFT_LOWER_LEG, vec3d(1, 0, 0), -10 * degree); /* a knee that bends forward */
            { /* counted from the straight knee, which the T-pose's is bent by a few degrees from */
                double knee = violation(SINEW_HUMAN_BONE_LEFT_LOWER_LEG);
                CHECK(knee > 5 * degree && knee < 10.5 * degree, "rig %d: the knee is %g rad beyond", rolled, knee);
            }
            done();
        }
    }
}

/* A hand goal rolled inward by 110°: forearm and wrist together allow 68 from palms down. */
static void limits_hold_when_they_are_on_and_only_then(void)
{
    const double degree = acos(-1.0) / 180;
    int rolled, on;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (on = 0; on < 2; ++on) {
            SinewHumanoidSettings settings;
            SinewOutcome outcome;
            SinewQuat goal;
            Quatd hand, wanted;
            double left;
            fresh(rolled, 0.0);
            settings = settings_of();
            settings.limits_enabled = (uint32_t)on;
            EXPECT_OK(sinew_animator_set_settings(animator, &settings));
            hand = orientation(RIG_RIGHT_HAND, rig.parents, pose, &root);
            wanted = quatd_mul(quatd_about(vec3d(1, 0, 0), 110 * degree), hand);
            goal = to_quat(wanted);
            EXPECT_OK(sinew_animator_set_ik_rotation_bone(animator, SINEW_IK_GOAL_RIGHT_HAND, &goal));
            EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, SINEW_IK_GOAL_RIGHT_HAND, 1.0f));
            solve();
            left = quatd_angle(wanted, orientation(RIG_RIGHT_HAND, rig.parents, pose, &root));
            EXPECT_OK(sinew_animator_get_ik_outcome(animator, SINEW_IK_GOAL_RIGHT_HAND, &outcome));
            CHECK(fabs(left - (double)outcome.residual_rad) < 1e-4, "rig %d: the outcome says %g, it is %g", rolled,
                  (double)outcome.residual_rad, left);
            if (on) {
                CHECK(outcome.status == SINEW_STATUS_UNREACHABLE && fabs(left - 42 * degree) < 0.5 * degree, "rig %d: status %d, %g rad off", rolled,
                      outcome.status, left);
                CHECK(violation(SINEW_HUMAN_BONE_RIGHT_HAND) < 1e-3 && violation(SINEW_HUMAN_BONE_RIGHT_LOWER_ARM) < 1e-3,
                      "rig %d: beyond the limits", rolled);
            } else {
                CHECK(outcome.status == SINEW_STATUS_REACHED && left < 1e-4, "rig %d: status %d, %g rad off", rolled, outcome.status,
                      left);
                CHECK(violation(SINEW_HUMAN_BONE_RIGHT_HAND) > 0.1, "rig %d: nothing is beyond the limits", rolled);
            }
            done();
        }
    }
}

static void bad_ranges_are_refused_with_a_message(void)
{
    SinewHumanRange range;
    SinewAvatarDef def;
    SinewAvatar avatar = {6};
    const char *text = "";
    fresh(0, 0.0);
    def = rig_avatar_def(&rig);
    def.human_range_count = 1;
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_avatar_create(&def, &avatar));
    def.human_ranges = &range;
    EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_HEAD, &range));
    range.side_min_rad = 0.5f;
    range.side_max_rad = 0.25f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_avatar_create(&def, &avatar));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "human_ranges[0].side_min_rad") && strstr(text, "0.5"), "\"%s\"", text);
    range.side_min_rad = -40;
    range.side_max_rad = 40;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_avatar_create(&def, &avatar));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "human_ranges[0].side_min_rad is -40") && strstr(text, "radians?"), "\"%s\"", text);
    range.bone = 55;
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_avatar_create(&def, &avatar));
    CHECK(avatar.bits == 6, "an out-handle was written");
    EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_HIPS, &range));
    CHECK(range.bend_max_rad > 3.14f && range.twist_min_rad < -3.14f, "the hips are not free");
    done();
}

/* A goal given for the joint turns the joint there, also under a mirrored root; both views are one
 * goal. */
static void a_goal_in_the_bones_frame_is_the_joints_own_rotation(void)
{
    int rolled, goal, mirrored;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (mirrored = 0; mirrored < 2; ++mirrored) {
            fresh(rolled, 0.2);
            if (mirrored) {
                mirrored_root();
            }
            for (goal = 0; goal < 4; ++goal) {
                SinewQuat now, wanted, got, frame;
                SinewVec3 at;
                EXPECT_OK(sinew_animator_get_joint_world(animator, (uint32_t)ENDS[goal], &at, &now));
                EXPECT_OK(sinew_animator_get_ik_rotation_bone(animator, goal, &got));
                CHECK(quatd_angle(from_quat(now), from_quat(got)) < 1e-5, "goal %d: not the animation's before a set", goal);
                wanted = to_quat(quatd_mul(quatd_about(vec3d(1, goal, -2), 0.5), from_quat(now)));
                EXPECT_OK(sinew_animator_set_ik_rotation_bone(animator, goal, &wanted));
                EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, goal, 1.0f));
                EXPECT_OK(sinew_animator_get_ik_rotation_bone(animator, goal, &got));
                CHECK(quatd_angle(from_quat(wanted), from_quat(got)) < 1e-5, "goal %d: not what was set", goal);
                EXPECT_OK(sinew_animator_get_ik_rotation(animator, goal, &frame));
                EXPECT_OK(sinew_animator_set_ik_rotation(animator, goal, &frame));
                EXPECT_OK(sinew_animator_get_ik_rotation_bone(animator, goal, &got));
                CHECK(quatd_angle(from_quat(wanted), from_quat(got)) < 1e-5, "goal %d: two goals, not two views of one", goal);
                EXPECT_OK(sinew_animator_solve(animator));
                EXPECT_OK(sinew_animator_get_joint_world(animator, (uint32_t)ENDS[goal], &at, &got));
                CHECK(quatd_angle(from_quat(wanted), from_quat(got)) < 1e-4, "rig %d, mirrored %d, goal %d: %g rad off", rolled,
                      mirrored, goal, quatd_angle(from_quat(wanted), from_quat(got)));
            }
            done();
        }
    }
}

static void matching_brings_each_part_to_its_target_in_time(void)
{
    static const double STEPS[3] = {1.0 / 24, 1.0 / 60, 0.37};
    int part, s;
    for (part = 0; part < 6; ++part) {
        for (s = 0; s < 3; ++s) {
            SinewMatchTarget target;
            SinewVec3 at, start;
            SinewQuat turned;
            double time;
            fresh(1, 0.2);
            mirrored_root();
            EXPECT_OK(sinew_match_target_default(&target));
            target.part = part;
            target.position = to_vec3(vec3d(5, 1, -2));
            target.rotation = to_quat(quatd_about(vec3d(0.2, 1, 0), 2.0));
            target.position_weight.y = 0.0f;
            target.start_time = 0.25f;
            target.end_time = 0.75f;
            EXPECT_OK(sinew_animator_get_target_pose(animator, part, &start, NULL));
            for (time = 0; time < 1; time += STEPS[s]) {
                SinewTransform next, before = root;
                EXPECT_OK(sinew_animator_match_target(animator, &target, (float)time, (float)(time + STEPS[s]), &next));
                if (time + STEPS[s] <= 0.25 || time >= 0.75) {
                    CHECK(memcmp(&before, &next, sizeof next) == 0, "the root moved outside the times");
                }
                CHECK(memcmp(&before.scale, &next.scale, sizeof next.scale) == 0, "the scale changed");
                EXPECT_OK(sinew_animator_set_root(animator, &next));
                look();
            }
            EXPECT_OK(sinew_animator_get_target_pose(animator, part, &at, &turned));
            CHECK(fabs((double)at.x - 5) < 1e-4 && fabs((double)at.z + 2) < 1e-4, "part %d, step %g: at %g, %g", part, STEPS[s],
                  (double)at.x, (double)at.z);
            CHECK(fabs((double)at.y - (double)start.y) < 1e-4, "part %d: weight 0 along y, yet it went from %g to %g", part,
                  (double)start.y, (double)at.y);
            CHECK(quatd_angle(from_quat(turned), from_quat(target.rotation)) < 1e-4, "part %d: %g rad off", part,
                  quatd_angle(from_quat(turned), from_quat(target.rotation)));
            if (part >= SINEW_AVATAR_TARGET_LEFT_FOOT) {
                CHECK(distance(from_vec3(at), world[ENDS[part - SINEW_AVATAR_TARGET_LEFT_FOOT]].at) < 1e-4,
                      "part %d is not its joint", part);
            }
            done();
        }
    }
}

static void matching_refuses_what_is_no_target(void)
{
    static const int32_t BAD[] = {-1, 6, 1000};
    SinewMatchTarget target;
    SinewTransform out, kept;
    size_t k;
    fresh(0, 0);
    memset(&out, 0x5A, sizeof out);
    kept = out;
    EXPECT_OK(sinew_match_target_default(&target));
    for (k = 0; k < 3; ++k) {
        target.part = BAD[k];
        EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_match_target(animator, &target, 0, 1, &out));
        EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_get_target_pose(animator, BAD[k], NULL, NULL));
    }
    target.part = SINEW_AVATAR_TARGET_LEFT_HAND;
    pose[RIG_NECK].position.x = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_match_target(animator, &target, 0, 1, &out));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_match_goals_from_pose(animator));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_match_pose_from_goals(animator));
    CHECK(memcmp(&out, &kept, sizeof out) == 0, "an out-parameter was written");
    done();
}

static void goals_matched_from_a_pose_leave_it_alone_at_full_weight(void)
{
    int rolled, goal, j;
    double worst = 0;
    for (rolled = 0; rolled < 2; ++rolled) {
        Vec3d before[RIG_JOINTS];
        fresh(rolled, 0.35);
        mirrored_root();
        EXPECT_OK(sinew_animator_match_goals_from_pose(animator));
        for (goal = 0; goal < 4; ++goal) {
            EXPECT_OK(sinew_animator_set_ik_position_weight(animator, goal, 1.0f));
            EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, goal, 1.0f));
            EXPECT_OK(sinew_animator_set_ik_hint_position_weight(animator, goal, 1.0f));
        }
        EXPECT_OK(sinew_animator_set_look_at_weight(animator, 1, 0.5f, 1, 0, 0));
        for (j = 0; j < RIG_JOINTS; ++j) {
            before[j] = world[j].at;
        }
        solve();
        for (j = 0; j < RIG_JOINTS; ++j) {
            double off = distance(before[j], world[j].at);
            worst = off > worst ? off : worst;
            CHECK(off < 2e-4, "rig %d: joint %d moved by %g m", rolled, j, off);
        }
        done();
    }
    printf("# worst %.2g m\n", worst);
}

static void a_pose_matched_from_goals_is_the_solve_and_stays_bit_for_bit(void)
{
    SinewTransform solved[RIG_JOINTS], start[RIG_JOINTS];
    float weight = 9;
    fresh(1, 0.3);
    memcpy(start, pose, sizeof start);
    reach(SINEW_IK_GOAL_RIGHT_HAND, vec3d(0.3, 1.2, 0.4));
    EXPECT_OK(sinew_animator_set_look_at_weight(animator, 1, 0.3f, 1, 0.5f, 0.5f));
    EXPECT_OK(sinew_animator_solve(animator));
    memcpy(solved, pose, sizeof solved);
    memcpy(pose, start, sizeof start);
    EXPECT_OK(sinew_animator_match_pose_from_goals(animator));
    CHECK(memcmp(solved, pose, sizeof solved) == 0, "it is not what a solve leaves");
    CHECK(memcmp(start, pose, sizeof start) != 0, "nothing was solved");
    EXPECT_OK(sinew_animator_get_ik_position_weight(animator, SINEW_IK_GOAL_RIGHT_HAND, &weight));
    CHECK(weight == 0.0f, "the weight is %g", (double)weight);
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(memcmp(solved, pose, sizeof solved) == 0, "the next solve changed the pose");
    done();
}

/* A weight that goes from 0 to 1: the hand stays where it is at first, is at the goal in the end,
 * and is on the same way at any frame rate. */
static void switches_take_their_time_at_any_frame_rate(void)
{
    static const int RATES[3] = {30, 60, 120};
    const Vec3d goal = vec3d(0.35, 1.25, 0.4);
    Vec3d halfway[3];
    int r, frame;
    for (r = 0; r < 3; ++r) {
        SinewTransform animation[RIG_JOINTS];
        SinewHumanoidSettings settings;
        Vec3d start;
        double largest = 0;
        fresh(1, 0.1);
        memcpy(animation, pose, sizeof animation);
        settings = settings_of();
        settings.inertialization_times_s[SINEW_IK_GOAL_RIGHT_HAND] = 0.5f;
        EXPECT_OK(sinew_animator_set_settings(animator, &settings));
        solve();
        start = world[RIG_RIGHT_HAND].at;
        CHECK(switching(SINEW_IK_GOAL_RIGHT_HAND) == 0, "it switches before anything changed");
        reach(SINEW_IK_GOAL_RIGHT_HAND, goal);
        for (frame = 0; frame <= RATES[r]; ++frame) {
            Vec3d before = world[RIG_RIGHT_HAND].at;
            memcpy(pose, animation, sizeof animation);
            EXPECT_OK(sinew_animator_advance(animator, 1.0f / (float)RATES[r]));
            solve();
            largest = fmax(largest, distance(before, world[RIG_RIGHT_HAND].at) * RATES[r]);
            if (frame == 0) {
                CHECK(distance(start, world[RIG_RIGHT_HAND].at) < 1e-4, "the hand jumped by %g m", distance(start, world[RIG_RIGHT_HAND].at));
                CHECK(switching(SINEW_IK_GOAL_RIGHT_HAND) == 1, "no switch is under way");
            }
            if (frame == RATES[r] / 6) {
                halfway[r] = world[RIG_RIGHT_HAND].at;
            }
            if (frame == RATES[r] / 2) {
                CHECK(distance(goal, world[RIG_RIGHT_HAND].at) < 0.02 * distance(goal, start), "%d Hz: %g of %g m are left", RATES[r],
                      distance(goal, world[RIG_RIGHT_HAND].at), distance(goal, start));
            }
        }
        CHECK(distance(goal, world[RIG_RIGHT_HAND].at) < 1e-3, "%d Hz: %g m off in the end", RATES[r],
              distance(goal, world[RIG_RIGHT_HAND].at));
        CHECK(largest < 8 * distance(goal, start), "%d Hz: up to %g m/s", RATES[r], largest);
        CHECK(distance(halfway[r], halfway[0]) < 1e-3, "%d Hz: %g m from the way at 30 Hz", RATES[r], distance(halfway[r], halfway[0]));
        done();
    }
}

/* Angle between where the head faces, along its Z on this rig, and a point. */
static double off_the_target(Vec3d target)
{
    return angle(affine_vector(&world[RIG_HEAD], vec3d(0, 0, 1)), sub(target, world[RIG_HEAD].at));
}
static void the_gaze_goes_over_to_another_target_in_its_time(void)
{
    const SinewVec3 first = {1.5f, 1.6f, 2.0f}, second = {-1.5f, 1.6f, 2.0f};
    SinewHumanoidSettings settings;
    SinewTransform animation[RIG_JOINTS];
    uint32_t is = 9;
    double before, after, largest = 0, last;
    int frame;
    fresh(0, 0.0);
    memcpy(animation, pose, sizeof animation);
    settings = settings_of();
    settings.look_at_inertialization_time_s = 0.5f;
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    EXPECT_OK(sinew_animator_set_look_at_weight(animator, 1, 0, 1, 0, 0.5f));
    EXPECT_OK(sinew_animator_set_look_at_position(animator, &first));
    solve();
    memcpy(pose, animation, sizeof animation);
    solve();
    before = off_the_target(vec3d(first.x, first.y, first.z));
    EXPECT_OK(sinew_animator_get_is_look_at_inertializing(animator, &is));
    CHECK(is == 0, "it switches before anything changed");
    EXPECT_OK(sinew_animator_inertialize_look_at(animator));
    EXPECT_OK(sinew_animator_set_look_at_position(animator, &second));
    last = before;
    for (frame = 0; frame < 60; ++frame) {
        memcpy(pose, animation, sizeof animation);
        EXPECT_OK(sinew_animator_advance(animator, frame == 0 ? 0 : 1.0f / 60));
        solve();
        after = off_the_target(vec3d(first.x, first.y, first.z));
        largest = fmax(largest, fabs(after - last));
        last = after;
        if (frame == 0) {
            CHECK(fabs(after - before) < 1e-3, "the gaze jumped by %g rad", fabs(after - before));
            EXPECT_OK(sinew_animator_get_is_look_at_inertializing(animator, &is));
            CHECK(is == 1, "no switch is under way");
        }
    }
    CHECK(last > before + 1.0 && largest < 0.12, "%g rad away from the first target, %g rad in a frame", last, largest);
    after = off_the_target(vec3d(second.x, second.y, second.z));
    CHECK(after < before + 0.02, "%g rad off the second target, %g off the first before", after, before);
    settings.look_at_inertialization_time_s = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_settings(animator, &settings));
    done();
}

static void inertialize_announces_another_goal(void)
{
    const Vec3d first = vec3d(0.35, 1.25, 0.4), second = vec3d(0.45, 1.0, 0.3);
    SinewHumanoidSettings settings;
    SinewTransform animation[RIG_JOINTS];
    int frame;
    fresh(1, 0.1);
    memcpy(animation, pose, sizeof animation);
    settings = settings_of();
    settings.inertialization_times_s[SINEW_IK_GOAL_RIGHT_HAND] = 0.25f;
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    reach(SINEW_IK_GOAL_RIGHT_HAND, first);
    solve();
    EXPECT_OK(sinew_animator_inertialize(animator, SINEW_IK_GOAL_RIGHT_HAND));
    reach(SINEW_IK_GOAL_RIGHT_HAND, second);
    for (frame = 0; frame < 60; ++frame) {
        memcpy(pose, animation, sizeof animation);
        EXPECT_OK(sinew_animator_advance(animator, 1.0f / 60));
        solve();
        if (frame == 0) {
            CHECK(distance(world[RIG_RIGHT_HAND].at, first) < 1e-4, "it jumped by %g m", distance(world[RIG_RIGHT_HAND].at, first));
            CHECK(switching(SINEW_IK_GOAL_RIGHT_HAND) == 1 && switching(SINEW_IK_GOAL_LEFT_HAND) == 0, "the wrong goal switches");
        }
    }
    CHECK(distance(world[RIG_RIGHT_HAND].at, second) < 1e-4, "%g m off", distance(world[RIG_RIGHT_HAND].at, second));
    settings.inertialization_times_s[SINEW_IK_GOAL_RIGHT_HAND] = 0.0f; /* without a time: at once */
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    EXPECT_OK(sinew_animator_inertialize(animator, SINEW_IK_GOAL_RIGHT_HAND));
    reach(SINEW_IK_GOAL_RIGHT_HAND, first);
    memcpy(pose, animation, sizeof animation);
    solve();
    CHECK(distance(world[RIG_RIGHT_HAND].at, first) < 1e-5 && switching(SINEW_IK_GOAL_RIGHT_HAND) == 0, "not at once");
    done();
}

/* A turn of the spine carries a hand away from its goal where it comes last, and not where it comes
 * before the limbs. */
static void steps_start_from_what_a_constraint_before_them_left(void)
{
    const Vec3d goal = vec3d(0.3, 1.2, 0.35);
    SinewTransform animation[RIG_JOINTS];
    SinewCopyRotationDef def;
    SinewConstraint spine = {0};
    SinewQuat turned;
    SinewVec3 at;
    int32_t step, placement = -1, read_step = -1, joint = -1;
    fresh(1, 0.1);
    memcpy(animation, pose, sizeof animation);
    reach(SINEW_IK_GOAL_RIGHT_HAND, goal);
    EXPECT_OK(sinew_animator_get_bone_joint(animator, SINEW_HUMAN_BONE_SPINE, &joint));
    EXPECT_OK(sinew_copy_rotation_def_default(&def));
    def.joint = (uint32_t)joint;
    EXPECT_OK(sinew_animator_get_joint_world(animator, def.joint, &at, &turned));
    turned = to_quat(quatd_mul(quatd_about(vec3d(0, 1, 0), 0.2), from_quat(turned)));
    EXPECT_OK(sinew_animator_add_copy_rotation(animator, &def, &spine));
    EXPECT_OK(sinew_animator_set_constraint_rotation(animator, spine, 0, &turned));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, spine, 1.0f));
    EXPECT_OK(sinew_animator_get_constraint_placement(animator, spine, &placement, &read_step));
    CHECK(placement == SINEW_CONSTRAINT_PLACEMENT_STACK && read_step == SINEW_FRAME_STEP_CONSTRAINTS, "%d %d", placement, read_step);
    for (step = SINEW_FRAME_STEP_OVERRIDES; step <= SINEW_FRAME_STEP_SWITCHES; ++step) {
        int after;
        for (after = 0; after < 2; ++after) {
            const int32_t place = after ? SINEW_CONSTRAINT_PLACEMENT_AFTER : SINEW_CONSTRAINT_PLACEMENT_BEFORE;
            const int first = step < SINEW_FRAME_STEP_LIMBS || (step == SINEW_FRAME_STEP_LIMBS && !after);
            double off;
            EXPECT_OK(sinew_animator_set_constraint_placement(animator, spine, place, step));
            EXPECT_OK(sinew_animator_get_constraint_placement(animator, spine, &placement, &read_step));
            CHECK(placement == place && read_step == step, "%d %d in place of %d %d", placement, read_step, place, step);
            memcpy(pose, animation, sizeof animation);
            solve();
            off = distance(goal, world[RIG_RIGHT_HAND].at);
            CHECK(first ? off < 1e-4 : off > 1e-3, "%d %d: %g m off", place, step, off);
        }
    }
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_set_constraint_placement(animator, spine, 3, 0));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_set_constraint_placement(animator, spine, SINEW_CONSTRAINT_PLACEMENT_STACK, 11));
    done();
}

static void a_restored_snapshot_goes_on_with_the_same_bits(void)
{
    SinewTransform animation[RIG_JOINTS], expected[RIG_JOINTS];
    SinewHumanoidSettings settings;
    unsigned char bytes[8192], again[8192];
    uint32_t size = 0, again_size = 0;
    int frame;
    fresh(1, 0.1);
    memcpy(animation, pose, sizeof animation);
    settings = settings_of();
    settings.inertialization_times_s[SINEW_IK_GOAL_RIGHT_HAND] = 0.5f;
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    solve();
    reach(SINEW_IK_GOAL_RIGHT_HAND, vec3d(0.35, 1.25, 0.4));
    for (frame = 0; frame < 3; ++frame) {
        memcpy(pose, animation, sizeof animation);
        EXPECT_OK(sinew_animator_advance(animator, 1.0f / 60));
        solve();
    }
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_snapshot(animator, NULL, 0, &size));
    CHECK(size > 28 && size <= sizeof bytes, "%u bytes", size);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_snapshot(animator, bytes, size - 1, &size));
    EXPECT_OK(sinew_animator_snapshot(animator, bytes, sizeof bytes, &size));
    memcpy(pose, animation, sizeof animation);
    EXPECT_OK(sinew_animator_advance(animator, 1.0f / 60));
    solve();
    memcpy(expected, pose, sizeof expected);
    EXPECT_OK(sinew_animator_reset_state(animator));
    CHECK(switching(SINEW_IK_GOAL_RIGHT_HAND) == 0, "a switch is left");
    memcpy(pose, animation, sizeof animation);
    solve();
    CHECK(memcmp(expected, pose, sizeof expected) != 0, "the reset changed nothing");
    EXPECT_OK(sinew_animator_restore(animator, bytes, size));
    CHECK(switching(SINEW_IK_GOAL_RIGHT_HAND) == 1, "the switch is not back");
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_restore(animator, bytes, size - 4));
    bytes[0] ^= 1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_restore(animator, bytes, size));
    bytes[0] ^= 1;
    EXPECT_OK(sinew_animator_snapshot(animator, again, sizeof again, &again_size));
    CHECK(again_size == size && memcmp(bytes, again, size) == 0, "what was restored is not what was saved");
    memcpy(pose, animation, sizeof animation);
    EXPECT_OK(sinew_animator_advance(animator, 1.0f / 60));
    solve();
    CHECK(memcmp(expected, pose, sizeof expected) == 0, "other bits after restoring");
    done();
}

int main(void)
{
    RUN(settings_begin_off_stay_and_are_limited);
    RUN(the_body_compensates_reach_by_its_weights);
    RUN(elbows_leave_the_trunk);
    RUN(twist_is_shared_by_the_avatars_parameters);
    RUN(feet_keep_their_spacing);
    RUN(a_pose_beyond_peoples_limits_is_reported);
    RUN(limits_hold_when_they_are_on_and_only_then);
    RUN(bad_ranges_are_refused_with_a_message);
    RUN(a_goal_in_the_bones_frame_is_the_joints_own_rotation);
    RUN(matching_brings_each_part_to_its_target_in_time);
    RUN(matching_refuses_what_is_no_target);
    RUN(goals_matched_from_a_pose_leave_it_alone_at_full_weight);
    RUN(a_pose_matched_from_goals_is_the_solve_and_stays_bit_for_bit);
    RUN(switches_take_their_time_at_any_frame_rate);
    RUN(inertialize_announces_another_goal);
    RUN(the_gaze_goes_over_to_another_target_in_its_time);
    RUN(steps_start_from_what_a_constraint_before_them_left);
    RUN(a_restored_snapshot_goes_on_with_the_same_bits);
    return check_report();
}
