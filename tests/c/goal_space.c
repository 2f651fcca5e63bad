/* Goals in the space of a joint and for a point of the hand, and goals of which the whole-body
 * solver cannot meet all: judged by forward kinematics of our own in the pose that the solve
 * leaves. */
#include "snapshot.h"
#include "space.h"

static const int32_t LEFT = SINEW_IK_GOAL_LEFT_HAND, RIGHT = SINEW_IK_GOAL_RIGHT_HAND;

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
static void fresh(int rolled)
{
    SinewTransform at = transform(vec3d(3, -1, 2), quatd_about(vec3d(1, 2, -1), 1.1), vec3d(-1.5, 1.5, 1.5));
    rig_make(&rig, rolled);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_set_root(animator, &at));
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    rig_bent_pose(&rig, 0.4, pose);
    look();
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}
static void give(int32_t goal, int32_t joint, Vec3d at)
{
    SinewVec3 p = to_vec3(at);
    EXPECT_OK(sinew_animator_set_ik_goal_space(animator, goal, joint));
    EXPECT_OK(sinew_animator_set_ik_position(animator, goal, &p));
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, goal, 1));
}
static void bow(void)
{
    SinewQuat turn = to_quat(quatd_mul(from_quat(pose[RIG_SPINE].rotation), quatd_about(vec3d(1, 0.3, 0.2), 0.5)));
    EXPECT_OK(sinew_animator_set_bone_local_rotation(animator, SINEW_HUMAN_BONE_SPINE, &turn));
}
static void expect_at(int32_t goal, Vec3d effector, Vec3d place)
{
    SinewOutcome outcome;
    double off;
    EXPECT_OK(sinew_animator_get_ik_outcome(animator, goal, &outcome));
    off = distance(effector, place);
    CHECK(off < 1e-4, "%g m off", off);
    CHECK(outcome.status == SINEW_STATUS_REACHED, "status %d, %g m", outcome.status, (double)outcome.residual_m);
    CHECK(fabs(outcome.residual_m - off) < 3e-5, "%g m, reported %g", off, (double)outcome.residual_m);
}

/* The strap is a point of the chest, which bows in the same frame; the other hand holds on to the
 * first. */
static void hands_are_at_their_places_in_the_final_pose(void)
{
    int rolled;
    for (rolled = 0; rolled < 2; ++rolled) {
        Vec3d strap, grip, wrong;
        Affine chest;
        int32_t joint = 9;
        fresh(rolled);
        bow();
        EXPECT_OK(sinew_animator_solve(animator));
        look();
        /* In front of the right shoulder, in the space of the chest as it will be. */
        strap = add(mul(world[RIG_RIGHT_UPPER_ARM].at, 0.6), mul(world[RIG_RIGHT_HAND].at, 0.4));
        chest = world[RIG_CHEST];
        strap = sub(strap, chest.at);
        strap = vec3d(dot(strap, chest.x) / dot(chest.x, chest.x), dot(strap, chest.y) / dot(chest.y, chest.y),
                      dot(strap, chest.z) / dot(chest.z, chest.z));
        rig_bent_pose(&rig, 0.4, pose);
        look();
        wrong = affine_point(&world[RIG_CHEST], strap);
        give(RIGHT, RIG_CHEST, strap);
        grip = vec3d(-0.1, 0.05, 0.05);
        give(LEFT, RIG_RIGHT_HAND_TIP, grip);
        EXPECT_OK(sinew_animator_get_ik_goal_space(animator, LEFT, &joint));
        CHECK(joint == RIG_RIGHT_HAND_TIP, "joint %d", joint);
        EXPECT_OK(sinew_animator_solve(animator));
        look();
        expect_at(RIGHT, world[RIG_RIGHT_HAND].at, affine_point(&world[RIG_CHEST], strap));
        CHECK(distance(world[RIG_RIGHT_HAND].at, wrong) > 0.05, "the chest did not move");
        expect_at(LEFT, world[RIG_LEFT_HAND].at, affine_point(&world[RIG_RIGHT_HAND_TIP], grip));
        done();
    }
}

static void the_palm_is_at_the_goal_whatever_the_rotation_weight(void)
{
    int rolled, i;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (i = 0; i <= 4; ++i) {
            Vec3d palm = vec3d(0.02, -0.03, 0.04), target;
            SinewVec3 point = to_vec3(palm), read, place;
            SinewQuat turn = to_quat(quatd_about(vec3d(1, 1, 0.2), 0.7));
            fresh(rolled);
            target = add(mul(world[RIG_RIGHT_UPPER_ARM].at, 0.3), mul(world[RIG_RIGHT_HAND].at, 0.7));
            EXPECT_OK(sinew_animator_set_ik_effector_point(animator, RIGHT, &point));
            EXPECT_OK(sinew_animator_get_ik_effector_point(animator, RIGHT, &read));
            CHECK(read.x == point.x && read.y == point.y && read.z == point.z, "%g %g %g", (double)read.x,
                  (double)read.y, (double)read.z);
            EXPECT_OK(sinew_animator_get_ik_position(animator, RIGHT, &place));
            CHECK(distance(from_vec3(place), affine_point(&world[RIG_RIGHT_HAND], palm)) < 1e-5, "not the palm");
            give(RIGHT, -1, target);
            EXPECT_OK(sinew_animator_set_ik_rotation(animator, RIGHT, &turn));
            EXPECT_OK(sinew_animator_set_ik_rotation_weight(animator, RIGHT, 0.25f * (float)i));
            EXPECT_OK(sinew_animator_solve(animator));
            look();
            expect_at(RIGHT, affine_point(&world[RIG_RIGHT_HAND], palm), target);
            done();
        }
    }
}

static void refuse(int32_t goal, int32_t joint, SinewResult code, const char *text)
{
    Snapshot before, after;
    const char *error = "";
    SinewResult result;
    snapshot(animator, &before);
    result = sinew_animator_set_ik_goal_space(animator, goal, joint);
    CHECK(result == code, "joint %d: %d", joint, result);
    EXPECT_OK(sinew_last_error(&error));
    CHECK(strstr(error, "sinew_animator_set_ik_goal_space: ") == error && strstr(error, text) != NULL, "%s", error);
    snapshot(animator, &after);
    CHECK(memcmp(&before, &after, sizeof before) == 0, "a refused call changed something");
}
static void own_joints_circles_and_wrong_numbers_are_refused(void)
{
    fresh(0);
    refuse(LEFT, RIG_LEFT_UPPER_ARM, SINEW_ERROR_INVALID_ARGUMENT, "the left hand");
    refuse(LEFT, RIG_LEFT_HAND, SINEW_ERROR_INVALID_ARGUMENT, "joint 19");
    refuse(LEFT, RIG_JOINTS, SINEW_ERROR_OUT_OF_RANGE, "joint is 25");
    refuse(LEFT, -2, SINEW_ERROR_OUT_OF_RANGE, "joint is -2");
    refuse(4, RIG_CHEST, SINEW_ERROR_INVALID_ENUM, "goal is 4");
    EXPECT_OK(sinew_animator_set_ik_goal_space(animator, LEFT, RIG_RIGHT_HAND));
    refuse(RIGHT, RIG_LEFT_LOWER_ARM, SINEW_ERROR_INVALID_ARGUMENT, "a circle");
    EXPECT_OK(sinew_animator_set_ik_goal_space(animator, RIGHT, RIG_LEFT_TOES));
    refuse(SINEW_IK_GOAL_LEFT_FOOT, RIG_LEFT_HAND, SINEW_ERROR_INVALID_ARGUMENT, "a circle");
    EXPECT_OK(sinew_animator_reset_ik(animator));
    EXPECT_OK(sinew_animator_set_ik_goal_space(animator, SINEW_IK_GOAL_LEFT_FOOT, RIG_LEFT_HAND));
    done();
}

/* How far the left and the right hand are off goals 0.6 units beyond where they are, apart. */
static void pull_apart(float importance, double off[2])
{
    static const int32_t GOALS[2] = {SINEW_IK_GOAL_LEFT_HAND, SINEW_IK_GOAL_RIGHT_HAND};
    static const int HANDS[2] = {RIG_LEFT_HAND, RIG_RIGHT_HAND};
    SinewBodySolverSettings settings;
    SinewGoalPriority priority;
    Vec3d target[2], way;
    int side;
    fresh(0);
    EXPECT_OK(sinew_body_solver_settings_default(&settings));
    settings.mode = SINEW_BODY_SOLVER_MODE_CONVERGE;
    EXPECT_OK(sinew_animator_set_body_solver(animator, &settings));
    EXPECT_OK(sinew_animator_get_ik_goal_priority(animator, LEFT, &priority));
    CHECK(priority.position_importance == 1 && priority.rotation_importance == 1 && priority.level == 1, "a default");
    priority.position_importance = importance;
    EXPECT_OK(sinew_animator_set_ik_goal_priority(animator, LEFT, &priority));
    way = sub(world[RIG_LEFT_HAND].at, world[RIG_RIGHT_HAND].at);
    for (side = 0; side < 2; ++side) {
        target[side] = add(world[HANDS[side]].at, mul(way, side == 0 ? 1.5 : -1.5));
        give(GOALS[side], -1, target[side]);
    }
    EXPECT_OK(sinew_animator_solve(animator));
    look();
    for (side = 0; side < 2; ++side) off[side] = distance(world[HANDS[side]].at, target[side]);
    done();
}

static void the_more_important_hand_ends_nearer(void)
{
    double even[2], first[2], second[2];
    pull_apart(1, even);
    pull_apart(10, first);
    pull_apart(0.1f, second);
    CHECK(first[0] < even[0] - 0.01 && first[1] > even[1] + 0.01, "10: %g %g, 1: %g %g", first[0], first[1], even[0],
          even[1]);
    CHECK(second[0] > even[0] + 0.01 && second[1] < even[1] - 0.01, "0.1: %g %g, 1: %g %g", second[0], second[1],
          even[0], even[1]);
}

static void priorities_out_of_range_are_refused(void)
{
    SinewGoalPriority priority, kept;
    fresh(0);
    EXPECT_OK(sinew_animator_get_body_effector_priority(animator, SINEW_HUMAN_EFFECTOR_HEAD, &kept));
    priority = kept;
    priority.level = SINEW_BODY_MAX_LEVEL + 1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT,
           sinew_animator_set_body_effector_priority(animator, SINEW_HUMAN_EFFECTOR_HEAD, &priority));
    priority = kept;
    priority.position_importance = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT,
           sinew_animator_set_body_effector_priority(animator, SINEW_HUMAN_EFFECTOR_HEAD, &priority));
    priority.position_importance = 2e6f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_ik_goal_priority(animator, LEFT, &priority));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_set_ik_goal_priority(animator, 4, &kept));
    EXPECT_OK(sinew_animator_get_body_effector_priority(animator, SINEW_HUMAN_EFFECTOR_HEAD, &priority));
    CHECK(memcmp(&priority, &kept, sizeof kept) == 0, "a refused priority changed something");
    priority.level = 3;
    EXPECT_OK(sinew_animator_set_body_effector_priority(animator, SINEW_HUMAN_EFFECTOR_HEAD, &priority));
    EXPECT_OK(sinew_animator_reset_ik(animator));
    EXPECT_OK(sinew_animator_get_body_effector_priority(animator, SINEW_HUMAN_EFFECTOR_HEAD, &priority));
    CHECK(memcmp(&priority, &kept, sizeof kept) == 0, "reset_ik leaves a priority");
    done();
}

int main(void)
{
    RUN(hands_are_at_their_places_in_the_final_pose);
    RUN(the_palm_is_at_the_goal_whatever_the_rotation_weight);
    RUN(own_joints_circles_and_wrong_numbers_are_refused);
    RUN(the_more_important_hand_ends_nearer);
    RUN(priorities_out_of_range_are_refused);
    return check_report();
}
