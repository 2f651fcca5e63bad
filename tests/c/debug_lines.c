/* Debug lines of constraints, joint limits and effectors of the body solver: each line is where the
 * host's own arithmetic says that the goal, the pole or the border is. */
#include "lines.h"
#include "rig.h"
#include "space.h"

static Rig rig;
static SinewAnimator animator;
static SinewTransform *pose;
static SinewTransform root;
static Affine world[RIG_JOINTS];

static void fresh(void)
{
    rig_make(&rig, 0);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    memset(&root, 0, sizeof root);
    root.position.x = 2, root.position.z = -1;
    root.rotation.y = 0.6f, root.rotation.w = 0.8f;
    root.scale.x = root.scale.y = root.scale.z = 1.5f;
    EXPECT_OK(sinew_animator_set_root(animator, &root));
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}
static void draw(void)
{
    line_count = 0;
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    EXPECT_OK(sinew_animator_get_debug_lines(animator, lines, MOST_LINES, &line_count));
}
/* Whether there is a line of a part between two points. */
static int has_line(int part, Vec3d from, Vec3d to)
{
    uint32_t k;
    for (k = 0; k < line_count; ++k) {
        if (lines[k].part == part && distance(from_vec3(lines[k].from), from) < 1e-4
            && distance(from_vec3(lines[k].to), to) < 1e-4) {
            return 1;
        }
    }
    return 0;
}
static SinewConstraintGoal goal_at(Vec3d at)
{
    SinewConstraintGoal goal;
    EXPECT_OK(sinew_constraint_goal_default(&goal));
    goal.set = SINEW_CONSTRAINT_POSITION;
    goal.position = to_vec3(at);
    return goal;
}

static void a_chain_shows_what_is_left_its_goal_and_its_pole(void)
{
    SinewChainEnd end;
    SinewChainDef def;
    SinewConstraint chain;
    SinewConstraintGoal goal = goal_at(vec3d(2.15, 1.9, -0.7));
    SinewPole pole;
    int bare, k, around = 0;
    fresh();
    draw();
    bare = (int)line_count;
    def = rig_chain_def(&end);
    EXPECT_OK(sinew_animator_add_chain(animator, &def, &chain));
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, chain, 0, &goal));
    draw();
    CHECK((int)line_count == bare, "a constraint without weight is drawn");
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, chain, 1));
    EXPECT_OK(sinew_pole_default(&pole));
    pole.at.x = 3, pole.at.y = 1, pole.at.z = 0;
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, chain, &pole));
    draw();
    CHECK(has_line(SINEW_DEBUG_PART_RESIDUAL, world[RIG_RIGHT_HAND].at, from_vec3(goal.position)), "no line to the goal");
    CHECK(count_of(SINEW_DEBUG_PART_GOAL_AXIS) == 3, "%d lines at a goal without rotation",
          count_of(SINEW_DEBUG_PART_GOAL_AXIS));
    CHECK(has_line(SINEW_DEBUG_PART_HINT, world[RIG_RIGHT_LOWER_ARM].at, vec3d(3, 1, 0)), "no line to the pole");
    /* Solved, the line to the goal has no length. */
    EXPECT_OK(sinew_animator_solve(animator));
    draw();
    CHECK(has_line(SINEW_DEBUG_PART_RESIDUAL, from_vec3(goal.position), from_vec3(goal.position)), "the goal is not reached");
    /* A distance goal is a sphere of three circles. */
    goal.distance_mode = SINEW_DISTANCE_MODE_OUTSIDE;
    goal.radius = 0.25f;
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, chain, 0, &goal));
    draw();
    for (k = 0; k < (int)line_count; ++k) {
        if (lines[k].part == SINEW_DEBUG_PART_GOAL_AXIS
            && fabs(distance(from_vec3(lines[k].from), from_vec3(goal.position)) - 0.25) < 1e-4) {
            ++around;
        }
    }
    CHECK(around >= 3 * 16, "%d lines on the sphere", around);
    /* A rotation goal is a frame; a weight of 0 draws none. */
    goal = goal_at(from_vec3(goal.position));
    goal.set |= SINEW_CONSTRAINT_ROTATION;
    goal.position_weight = 0;
    draw();
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, chain, 0, &goal));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_RESIDUAL) == 0 && count_of(SINEW_DEBUG_PART_GOAL_AXIS) == 3, "rotation alone: %d, %d",
          count_of(SINEW_DEBUG_PART_RESIDUAL), count_of(SINEW_DEBUG_PART_GOAL_AXIS));
    done();
}

static void limb_aim_spline_and_copy_are_drawn(void)
{
    SinewTwoBoneDef limb_def;
    SinewAimDef aim_def;
    SinewSplineDef spline_def;
    SinewCopyRotationDef copy_def;
    SinewConstraint k[4];
    SinewConstraintGoal goal = goal_at(vec3d(2.5, 1.2, 0.1));
    Vec3d eye, seen;
    int i, near_start = 0;
    fresh();
    EXPECT_OK(sinew_two_bone_def_default(&limb_def));
    limb_def.end = RIG_LEFT_FOOT;
    EXPECT_OK(sinew_animator_add_two_bone(animator, &limb_def, &k[0]));
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, k[0], 0, &goal));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, k[0], 0.5f));
    draw();
    CHECK(has_line(SINEW_DEBUG_PART_RESIDUAL, world[RIG_LEFT_FOOT].at, from_vec3(goal.position)), "no line of the limb");
    EXPECT_OK(sinew_animator_remove_constraint(animator, k[0]));

    EXPECT_OK(sinew_aim_def_default(&aim_def));
    aim_def.end = RIG_HEAD;
    EXPECT_OK(sinew_animator_add_aim(animator, &aim_def, &k[1]));
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, k[1], 0, &goal));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, k[1], 1));
    EXPECT_OK(sinew_animator_solve(animator));
    draw();
    eye = world[RIG_HEAD].at;
    seen = from_vec3(goal.position);
    CHECK(has_line(SINEW_DEBUG_PART_LOOK_AT, eye, seen), "the ray of the solved aim does not end at its target");
    EXPECT_OK(sinew_animator_remove_constraint(animator, k[1]));

    EXPECT_OK(sinew_spline_def_default(&spline_def));
    spline_def.end = RIG_RIGHT_HAND;
    spline_def.joint_count = 3;
    spline_def.point_count = 3;
    EXPECT_OK(sinew_animator_add_spline(animator, &spline_def, &k[2]));
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, k[2], 2, &goal));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, k[2], 1));
    draw();
    for (i = 0; i < (int)line_count; ++i) {
        near_start += lines[i].part == SINEW_DEBUG_PART_GOAL_AXIS
            && (distance(from_vec3(lines[i].from), world[RIG_RIGHT_UPPER_ARM].at) < 1e-4
                || distance(from_vec3(lines[i].to), from_vec3(goal.position)) < 1e-4);
    }
    CHECK(near_start >= 2, "the curve does not lead from the chain's root to its last point");
    EXPECT_OK(sinew_animator_remove_constraint(animator, k[2]));

    EXPECT_OK(sinew_copy_rotation_def_default(&copy_def));
    copy_def.joint = RIG_LEFT_HAND;
    copy_def.source = RIG_RIGHT_HAND;
    EXPECT_OK(sinew_animator_add_copy_rotation(animator, &copy_def, &k[3]));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, k[3], 1));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_GOAL_AXIS) == 3, "no frame of the copied rotation");
    CHECK(distance(from_vec3(lines[line_count - 1].from), world[RIG_LEFT_HAND].at) < 1e-4, "it is not at the joint");
    done();
}

/* The angle between the bone's rest direction and every line from the joint to the border is the
 * limit. */
static void a_cone_of_limits_is_as_wide_as_it_is(void)
{
    SinewJointLimits limits;
    Vec3d rest;
    uint32_t k;
    int border = 0;
    double least = 10, most = 0;
    fresh();
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Z;
    limits.min_rad.x = limits.min_rad.z = -0.5f;
    limits.max_rad.x = limits.max_rad.z = 0.5f;
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_RIGHT_LOWER_ARM, &limits));
    /* The pose is the rest pose; Y of the joint's space is the axis that leans. */
    draw();
    rest = world[RIG_RIGHT_LOWER_ARM].y;
    for (k = 0; k < line_count; ++k) {
        Vec3d from = sub(from_vec3(lines[k].from), world[RIG_RIGHT_LOWER_ARM].at);
        double angle;
        if (lines[k].part != SINEW_DEBUG_PART_LIMIT || length(from) < 1e-6) {
            continue;
        }
        angle = acos(dot(from, rest) / (length(from) * length(rest)));
        least = angle < least ? angle : least;
        most = angle > most ? angle : most;
        ++border;
    }
    CHECK(border >= 16 && least > 0.49 && most < 0.51, "%d lines, %g to %g rad", border, least, most);
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_RIGHT_LOWER_ARM, NULL));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_LIMIT) == 0, "cleared limits are drawn");
    /* Other kinds: a hinge, a twist, a fixed joint. */
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z | SINEW_LIMIT_RANGE_X;
    limits.max_rad.x = 2;
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_RIGHT_LOWER_ARM, &limits));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_LIMIT) >= 6, "%d lines of a hinge", count_of(SINEW_DEBUG_PART_LIMIT));
    limits.flags = SINEW_LIMIT_RANGE_Y;
    limits.min_rad.y = -1, limits.max_rad.y = 1;
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_RIGHT_LOWER_ARM, &limits));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_LIMIT) >= 6, "%d lines of a twist", count_of(SINEW_DEBUG_PART_LIMIT));
    limits.flags = SINEW_LIMIT_LOCK_X | SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z;
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_RIGHT_LOWER_ARM, &limits));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_LIMIT) == 1, "%d lines of a fixed joint", count_of(SINEW_DEBUG_PART_LIMIT));
    done();
}

static void effectors_of_the_body_solver_are_drawn_while_it_is_on(void)
{
    SinewBodySolverSettings settings;
    SinewBodyEffectorInput input;
    Vec3d place = {2.3, 1.7, -0.8};
    fresh();
    memset(&input, 0, sizeof input);
    input.set = SINEW_BODY_EFFECTOR_INPUT_POSITION;
    input.position = to_vec3(place);
    input.position_weight = 1;
    EXPECT_OK(sinew_animator_set_body_effector(animator, SINEW_HUMAN_EFFECTOR_CHEST, &input));
    draw();
    CHECK(count_of(SINEW_DEBUG_PART_RESIDUAL) == 0, "drawn while the solver is off");
    EXPECT_OK(sinew_body_solver_settings_default(&settings));
    settings.mode = SINEW_BODY_SOLVER_MODE_CONVERGE;
    EXPECT_OK(sinew_animator_set_body_solver(animator, &settings));
    draw();
    CHECK(has_line(SINEW_DEBUG_PART_RESIDUAL, world[RIG_CHEST].at, place), "no line from the chest to its goal");
    CHECK(count_of(SINEW_DEBUG_PART_GOAL_AXIS) == 3, "no cross at the goal");
    done();
}

int main(void)
{
    RUN(a_chain_shows_what_is_left_its_goal_and_its_pole);
    RUN(limb_aim_spline_and_copy_are_drawn);
    RUN(a_cone_of_limits_is_as_wide_as_it_is);
    RUN(effectors_of_the_body_solver_are_drawn_while_it_is_on);
    return check_report();
}
