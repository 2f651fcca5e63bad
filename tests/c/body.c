/* The whole body, judged by our own forward kinematics in double: every kind of task means what
 * the header says, under roots that are moved, turned and scaled; blend, pins, levels, limits,
 * memory, lines. */
#include "body_rig.h"

#include <math.h>

static const SinewBody NO_BODY = {0};
static const SinewBodyTask NO_TASK = {0};

static void fresh_with_masses(int k)
{
    fresh(k);
    EXPECT_OK(sinew_body_set_human_masses(body, rig.avatar));
}
static SinewBodyTask add_def(const SinewBodyTaskDef *def)
{
    SinewBodyTask made = {0};
    EXPECT_OK(sinew_body_add_task(body, def, &made));
    return made;
}
static SinewVec3 at(double x, double y, double z) { return to_vec3(in_world(x, y, z)); }
static Vec3d direction_of(int joint, Vec3d axis)
{
    return quatd_rotate(orientation(joint, rig.parents, pose, &root), axis);
}
static double scale(void) { return root.scale.x; }

static void positions_and_orientations_are_reached_under_any_root(void)
{
    int k, i;
    for (k = 0; k < 3; ++k) {
        static const uint32_t JOINTS[4] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT, RIG_LEFT_HAND, RIG_RIGHT_HAND};
        static const double PLACES[4][3] = {{-0.2, 0.1, 0.1}, {0.2, 0.12, -0.1}, {-0.3, 1.0, 0.4}, {0.3, 1.3, 0.35}};
        SinewBodyTaskDef def[4], turn;
        SinewBodyOutcome outcome;
        Quatd goal = quatd_about(vec3d(1, 2, 0.5), 0.7);
        fresh_with_masses(k);
        for (i = 0; i < 4; ++i) {
            def[i] = task(SINEW_BODY_TASK_KIND_POSITION, JOINTS[i]);
            def[i].goal = at(PLACES[i][0], PLACES[i][1], PLACES[i][2]);
            def[i].point = to_vec3(i < 2 ? vec3d(0, 0, 0) : vec3d(0.05, -0.02, 0.01));
            (void)add_def(&def[i]);
        }
        turn = task(SINEW_BODY_TASK_KIND_ORIENTATION, RIG_RIGHT_HAND);
        turn.rotation = to_quat(goal);
        (void)add_def(&turn);
        outcome = solve();
        CHECK(outcome.status == SINEW_STATUS_REACHED, "root %d: status %d, %g m, %g rad", k, outcome.status,
              (double)outcome.residual_m, (double)outcome.residual_rad);
        for (i = 0; i < 4; ++i) {
            double off = distance(affine_point(&world[JOINTS[i]], from_vec3(def[i].point)), from_vec3(def[i].goal));
            CHECK(off < 1e-3 * scale(), "root %d, goal %d: %g m off", k, i, off);
        }
        CHECK(quatd_angle(orientation(RIG_RIGHT_HAND, rig.parents, pose, &root), goal) < 0.01, "root %d: the hand is not turned", k);
        done();
    }
}

/* What a kind lacks, metres or radians, computed here. */
static double lacking(const SinewBodyTaskDef *def)
{
    const Affine *joint = &world[def->joint];
    Vec3d x = affine_point(joint, from_vec3(def->point)), goal = from_vec3(def->goal);
    Vec3d n = normalize(from_vec3(def->direction)), axis = normalize(from_vec3(def->axis));
    switch (def->kind) {
    case SINEW_BODY_TASK_KIND_AXIS: return angle(direction_of((int)def->joint, axis), n);
    case SINEW_BODY_TASK_KIND_GAZE: return angle(direction_of((int)def->joint, axis), sub(goal, x));
    case SINEW_BODY_TASK_KIND_POLE: {
        Vec3d a = world[def->other].at, line = sub(world[def->end].at, a);
        Vec3d elbow = cross3(line, sub(joint->at, a)), pole = cross3(line, sub(goal, a));
        return angle(elbow, pole);
    }
    case SINEW_BODY_TASK_KIND_DISTANCE: {
        Vec3d y = def->other >= 0 ? affine_point(&world[def->other], from_vec3(def->other_point)) : goal;
        double over = distance(x, y) - def->distance;
        return def->side == SINEW_BODY_SIDE_INSIDE ? fmax(over, 0) : def->side == SINEW_BODY_SIDE_OUTSIDE ? fmax(-over, 0) : fabs(over);
    }
    case SINEW_BODY_TASK_KIND_PLANE: {
        double above = dot(n, sub(x, goal));
        return def->side == SINEW_BODY_SIDE_INSIDE ? fmax(above, 0) : def->side == SINEW_BODY_SIDE_OUTSIDE ? fmax(-above, 0) : fabs(above);
    }
    case SINEW_BODY_TASK_KIND_RELATIVE_POSITION:
        return distance(x, affine_point(&world[def->other], from_vec3(def->other_point)));
    case SINEW_BODY_TASK_KIND_RELATIVE_ORIENTATION: {
        Quatd other = orientation(def->other, rig.parents, pose, &root);
        return quatd_angle(orientation((int)def->joint, rig.parents, pose, &root), quatd_mul(other, from_quat(def->rotation)));
    }
    case SINEW_BODY_TASK_KIND_JOINT_ROTATION: return quatd_angle(from_quat(pose[def->joint].rotation), from_quat(def->rotation));
    default: return 1e9;
    }
}

static void every_other_kind_means_what_the_header_says(void)
{
    int k, c;
    for (k = 0; k < 3; ++k) {
        for (c = 0; c < 12; ++c) {
            static const int32_t KINDS[12] = {
                SINEW_BODY_TASK_KIND_AXIS, SINEW_BODY_TASK_KIND_GAZE, SINEW_BODY_TASK_KIND_POLE, SINEW_BODY_TASK_KIND_DISTANCE,
                SINEW_BODY_TASK_KIND_DISTANCE, SINEW_BODY_TASK_KIND_DISTANCE, SINEW_BODY_TASK_KIND_PLANE, SINEW_BODY_TASK_KIND_PLANE,
                SINEW_BODY_TASK_KIND_PLANE, SINEW_BODY_TASK_KIND_RELATIVE_POSITION, SINEW_BODY_TASK_KIND_RELATIVE_ORIENTATION,
                SINEW_BODY_TASK_KIND_JOINT_ROTATION};
            SinewBodyTaskDef def;
            SinewBodyTaskOutcome outcome;
            SinewBodyTask made;
            double before, after;
            fresh_with_masses(k);
            def = task(KINDS[c], c == 2 ? RIG_LEFT_LOWER_ARM : RIG_RIGHT_HAND);
            def.goal = at(0.4, 1.9, 0.5);
            def.axis = to_vec3(vec3d(0.3, 1, 0.2));
            def.direction = to_vec3(vec3d(0.2, 1, 0.6));
            def.rotation = to_quat(quatd_about(vec3d(1, 0.3, 0.2), 0.5));
            def.point = to_vec3(vec3d(0.03, 0.02, 0));
            def.side = c == 4 ? SINEW_BODY_SIDE_INSIDE : c == 8 ? SINEW_BODY_SIDE_OUTSIDE : SINEW_BODY_SIDE_ON;
            def.distance = (float)((c == 5 ? 0.3 : 0.2) * scale());
            if (c == 2) {
                def.other = RIG_LEFT_UPPER_ARM;
                def.end = RIG_LEFT_HAND;
                def.goal = at(-0.4, 0.9, -0.8);
                memcpy(pose, start, sizeof pose); /* the elbow has to be bent for it to have a side */
                start[RIG_LEFT_LOWER_ARM].rotation =
                    to_quat(quatd_mul(from_quat(rig.rest[RIG_LEFT_LOWER_ARM].rotation), quatd_about(vec3d(0.2, 1, 0.4), 0.8)));
            }
            if (c == 5 || c == 9 || c == 10) {
                def.other = RIG_LEFT_HAND;
                def.other_point = to_vec3(vec3d(0.01, 0, 0.02));
            }
            if (c == 7) {
                def.side = SINEW_BODY_SIDE_INSIDE;
                def.goal = at(0, 1, 0);
            }
            memcpy(pose, start, sizeof pose);
            forward(RIG_JOINTS, rig.parents, pose, &root, world);
            before = lacking(&def);
            made = add_def(&def);
            (void)solve();
            after = lacking(&def);
            EXPECT_OK(sinew_body_get_task_outcome(body, made, &outcome));
            CHECK(before > 0.01 && after < (c == 2 ? 0.02 : 0.006 * fmax(scale(), 1)), "root %d, case %d: %g before, %g after", k, c, before, after);
            CHECK(outcome.status == SINEW_STATUS_REACHED && outcome.iterations > 0, "root %d, case %d: status %d", k, c, outcome.status);
            done();
        }
    }
}

static Vec3d center_of_mass(void)
{
    SinewVec3 center;
    Vec3d sum = vec3d(0, 0, 0);
    double total = 0;
    int j;
    for (j = 0; j < RIG_JOINTS; ++j) {
        float mass;
        EXPECT_OK(sinew_body_get_mass(body, (uint32_t)j, &mass, &center));
        sum = add(sum, mul(affine_point(&world[j], from_vec3(center)), mass));
        total += mass;
    }
    return mul(sum, 1 / total);
}

static void the_centre_of_mass_goes_over_the_goal_and_over_the_feet(void)
{
    int k, i;
    for (k = 0; k < 3; ++k) {
        static const uint32_t FEET[2] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT};
        SinewBodyTaskDef def;
        SinewBodyTask balance;
        Vec3d up, goal, left;
        SinewVec3 told;
        fresh_with_masses(k);
        for (i = 0; i < 2; ++i) {
            def = task(SINEW_BODY_TASK_KIND_POSITION, FEET[i]);
            def.flags = SINEW_BODY_TASK_PIN;
            (void)add_def(&def);
        }
        def = task(SINEW_BODY_TASK_KIND_CENTER_OF_MASS, 0);
        def.axes = SINEW_BODY_AXIS_X | SINEW_BODY_AXIS_Z;
        def.frame = SINEW_BODY_FRAME_MODEL;
        def.goal = at(-0.09, 0.3, 0.05);
        balance = add_def(&def);
        (void)solve();
        goal = from_vec3(def.goal);
        up = quatd_rotate(from_quat(root.rotation), vec3d(0, 1, 0));
        left = sub(goal, center_of_mass());
        left = sub(left, mul(up, dot(left, up)));
        CHECK(length(left) < 1e-3 * scale(), "root %d: the centre of mass is %g m beside the goal", k, length(left));
        EXPECT_OK(sinew_body_get_center_of_mass(body, &told));
        CHECK(distance(from_vec3(told), center_of_mass()) < 1e-4 * scale(), "root %d: it says it is elsewhere", k);
        /* Over an area to the right of both feet, and 2 cm inside of it. */
        def = task(SINEW_BODY_TASK_KIND_SUPPORT, 0);
        def.direction = to_vec3(up);
        def.corner_count = 4;
        def.corners[0] = at(0.05, 0, -0.1), def.corners[1] = at(0.15, 0.4, 0.1);
        def.corners[2] = at(0.15, 0, -0.1), def.corners[3] = at(0.05, 0.1, 0.1);
        def.distance = (float)(0.02 * scale());
        EXPECT_OK(sinew_body_set_task(body, balance, &def));
        (void)solve();
        {
            Affine m = affine_from(&root);
            Vec3d x = sub(center_of_mass(), m.at);
            double side = dot(x, m.x) / (scale() * scale());
            CHECK(side > 0.069 && side < 0.131, "root %d: the centre of mass is %g m to the side", k, side);
        }
        done();
    }
}

/* Rotation of a joint in world space. */
static Quatd turn_of(int joint)
{
    Quatd turn = quatd(0, 0, 0, 1);
    for (; joint >= 0; joint = rig.parents[joint]) {
        turn = quatd_mul(from_quat(pose[joint].rotation), turn);
    }
    return quatd_mul(from_quat(root.rotation), turn);
}

static void axes_count_alone_in_the_frame_that_is_named(void)
{
    int frame;
    for (frame = 0; frame < 4; ++frame) {
        SinewBodyTaskDef def;
        Quatd turn;
        Vec3d left;
        fresh_with_masses(1);
        def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
        def.goal = at(0.4, 1.7, 0.4);
        def.axes = SINEW_BODY_AXIS_Y;
        def.frame = frame;
        def.rotation = to_quat(quatd_about(vec3d(0.2, 0.1, 1), 0.9));
        turn = frame == SINEW_BODY_FRAME_WORLD ? quatd(0, 0, 0, 1)
            : frame == SINEW_BODY_FRAME_MODEL ? from_quat(root.rotation) : from_quat(def.rotation);
        (void)add_def(&def);
        (void)solve();
        if (frame == SINEW_BODY_FRAME_JOINT) {
            turn = turn_of(RIG_RIGHT_HAND);
        }
        left = quatd_rotate(quatd_conjugate(turn), sub(from_vec3(def.goal), world[RIG_RIGHT_HAND].at));
        CHECK(fabs(left.y) < 1e-3, "frame %d: %g m left", frame, left.y);
        CHECK(fabs(left.x) > 0.05 || fabs(left.z) > 0.05, "frame %d: the other axes were met as well", frame);
        done();
    }
}

static void blend_moves_the_goal_and_at_zero_keeps_every_bit(void)
{
    SinewBodyTaskDef def;
    SinewBodyTask made;
    SinewBodyTaskOutcome outcome;
    Vec3d from, goal;
    int step;
    fresh_with_masses(1);
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
    def.goal = at(0.4, 1.2, 0.5);
    made = add_def(&def);
    memcpy(pose, start, sizeof pose);
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    from = world[RIG_RIGHT_HAND].at;
    goal = from_vec3(def.goal);
    for (step = 0; step <= 4; ++step) {
        double share = 0.25 * step;
        Vec3d wanted = add(from, mul(sub(goal, from), share));
        EXPECT_OK(sinew_body_set_task_blend(body, made, (float)share));
        (void)solve();
        CHECK(distance(world[RIG_RIGHT_HAND].at, wanted) < 1e-3, "blend %g: %g m off", share,
              distance(world[RIG_RIGHT_HAND].at, wanted));
    }
    EXPECT_OK(sinew_body_set_task_blend(body, made, 0.0f));
    CHECK(solve().status == SINEW_STATUS_INACTIVE, "blend 0 is not inactive");
    CHECK(memcmp(pose, start, sizeof pose) == 0, "blend 0 changed the pose");
    EXPECT_OK(sinew_body_get_task_outcome(body, made, &outcome));
    CHECK(outcome.status == SINEW_STATUS_INACTIVE, "status %d", outcome.status);
    done();
}

static void pins_hold_and_lower_levels_win(void)
{
    SinewBodyTaskDef def;
    SinewBodyTask pin, far, back;
    SinewBodyTaskDef told;
    Vec3d foot, hand;
    const char *text = "";
    fresh_with_masses(2);
    memcpy(pose, start, sizeof pose);
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    foot = world[RIG_LEFT_FOOT].at;
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_LEFT_FOOT);
    def.flags = SINEW_BODY_TASK_PIN;
    pin = add_def(&def);
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
    def.goal = at(3, 2, 1);
    def.level = 1;
    far = add_def(&def);
    CHECK(solve().status != SINEW_STATUS_REACHED, "a goal three metres away was reached");
    CHECK(distance(world[RIG_LEFT_FOOT].at, foot) < 1e-3 * scale(), "the pinned foot is %g m off", distance(world[RIG_LEFT_FOOT].at, foot));
    hand = world[RIG_RIGHT_HAND].at;
    CHECK(distance(hand, from_vec3(def.goal)) < distance(foot, from_vec3(def.goal)), "the hand does not reach out");
    EXPECT_OK(sinew_body_get_task(body, far, &told));
    CHECK(memcmp(&told, &def, sizeof def) == 0, "a task comes back changed");
    /* Goal, rotation and blend one by one are the same as all at once. */
    def.goal = at(0.3, 1.2, 0.4);
    EXPECT_OK(sinew_body_set_task_goal(body, far, &def.goal));
    EXPECT_OK(sinew_body_set_task_rotation(body, far, &def.rotation));
    EXPECT_OK(sinew_body_get_task(body, far, &told));
    CHECK(memcmp(&told, &def, sizeof def) == 0, "a goal comes back changed");
    told.goal.y = told.rotation.x = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_set_task_goal(body, far, &told.goal));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strcmp(text, "sinew_body_set_task_goal: goal.y is NaN") == 0, "the text is \"%s\"", text);
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_set_task_rotation(body, far, &told.rotation));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strcmp(text, "sinew_body_set_task_rotation: rotation.x is NaN") == 0, "the text is \"%s\"", text);
    CHECK(solve().status == SINEW_STATUS_REACHED, "not reached");
    EXPECT_OK(sinew_body_remove_task(body, pin));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_remove_task(body, pin));
    back = add_def(&def);
    CHECK(back.bits != pin.bits, "a task's handle was given out again");
    EXPECT_OK(sinew_body_remove_task(body, far));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_set_task_blend(body, far, 0.5f));
    EXPECT_OK(sinew_body_set_task_blend(body, back, 0.5f));
    done();
}

static void limits_hold_and_are_told(void)
{
    SinewJointLimits limits, told;
    SinewBodyTaskDef def;
    SinewBodyTask made;
    SinewBodyTaskOutcome outcome;
    uint32_t joints[RIG_JOINTS], count = 77, j;
    Quatd turn;
    double bend;
    fresh_with_masses(0);
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_LOCK_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_LOCK_Z;
    limits.min_rad.y = -0.3f;
    limits.max_rad.y = 0.3f;
    EXPECT_OK(sinew_body_set_joint_limits(body, RIG_RIGHT_LOWER_ARM, &limits));
    EXPECT_OK(sinew_body_get_joint_limits(body, RIG_RIGHT_LOWER_ARM, &told));
    CHECK(memcmp(&limits, &told, sizeof told) == 0, "the limits come back changed");
    def = task(SINEW_BODY_TASK_KIND_RELATIVE_POSITION, RIG_RIGHT_HAND);
    def.other = RIG_RIGHT_UPPER_ARM;
    made = add_def(&def); /* the hand to its shoulder: only the elbow could */
    (void)solve();
    turn = quatd_mul(quatd_conjugate(from_quat(rig.rest[RIG_RIGHT_LOWER_ARM].rotation)), from_quat(pose[RIG_RIGHT_LOWER_ARM].rotation));
    bend = 2 * atan2(turn.y, turn.w);
    CHECK(fabs(turn.x) < 1e-4 && fabs(turn.z) < 1e-4 && fabs(bend) < 0.3001, "the elbow turns by (%g %g %g), %g", turn.x, turn.y,
          turn.z, bend);
    CHECK(fabs(bend) > 0.29, "the elbow is not at its limit: %g", bend);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_body_get_limited_joints(body, NO_TASK, NULL, 0, &count));
    CHECK(count == 1, "%u joints at their limits", count);
    EXPECT_OK(sinew_body_get_limited_joints(body, made, joints, RIG_JOINTS, &count));
    CHECK(count == 1 && joints[0] == RIG_RIGHT_LOWER_ARM, "%u joints, the first is %u", count, joints[0]);
    EXPECT_OK(sinew_body_get_task_outcome(body, made, &outcome));
    CHECK(outcome.limited_joint_count == 1 && outcome.status != SINEW_STATUS_REACHED && outcome.residual_m > 0.1f &&
              outcome.residual_rad == 0.0f,
          "status %d, %g m", outcome.status, (double)outcome.residual_m);
    EXPECT_OK(sinew_body_set_joint_limits(body, RIG_RIGHT_LOWER_ARM, NULL));
    (void)solve();
    for (j = 0; j < RIG_JOINTS; ++j) {
        EXPECT_OK(sinew_body_get_joint_limits(body, j, &told));
        CHECK(told.flags == 0, "joint %u still has limits", j);
    }
    EXPECT_OK(sinew_body_get_limited_joints(body, NO_TASK, NULL, 0, &count));
    CHECK(count == 0, "%u joints at limits that are gone", count);
    done();
}

static void a_joint_slides_along_its_axis_and_not_beyond(void)
{
    /* The hand is pulled away from its elbow, which slides along its own X axis. */
    static const float ends[3] = {0.0f, 0.1f, 0.6f};
    int k;
    for (k = 0; k < 3; ++k) {
        SinewJointLimits limits, told;
        SinewBodySettings settings;
        SinewBodyTaskDef def;
        SinewBodyOutcome outcome;
        uint32_t joints[RIG_JOINTS], count = 0;
        Vec3d moved, axis, start;
        double along;
        fresh_with_masses(0);
        EXPECT_OK(sinew_body_get_settings(body, &settings));
        settings.root = SINEW_BODY_ROOT_FIXED;
        EXPECT_OK(sinew_body_set_settings(body, &settings));
        EXPECT_OK(sinew_joint_limits_default(&limits));
        CHECK(limits.slide_min == 0 && limits.slide_max == 0 && limits.slide_axis.y == 1 && limits.slide_mobility == 0.25f,
              "defaults %g %g %g %g", limits.slide_min, limits.slide_max, limits.slide_axis.y, limits.slide_mobility);
        limits.slide_axis = to_vec3(vec3d(1, 0, 0));
        limits.slide_max = ends[k];
        EXPECT_OK(sinew_body_set_joint_limits(body, RIG_RIGHT_LOWER_ARM, &limits));
        EXPECT_OK(sinew_body_get_joint_limits(body, RIG_RIGHT_LOWER_ARM, &told));
        CHECK(memcmp(&limits, &told, sizeof told) == 0, "the limits come back changed");
        axis = quatd_rotate(from_quat(rig.rest[RIG_RIGHT_LOWER_ARM].rotation), vec3d(1, 0, 0));
        def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
        (void)solve();
        start = world[RIG_RIGHT_UPPER_ARM].at;
        moved = direction_of(RIG_RIGHT_UPPER_ARM, axis);
        /* Out of reach: all that can help goes to its end. The slide turns with the shoulder. */
        def.goal = to_vec3(vec3d(start.x + 4 * moved.x, start.y + 4 * moved.y, start.z + 4 * moved.z));
        (void)add_def(&def);
        outcome = solve();
        moved = vec3d((double)pose[RIG_RIGHT_LOWER_ARM].position.x - (double)rig.rest[RIG_RIGHT_LOWER_ARM].position.x,
                      (double)pose[RIG_RIGHT_LOWER_ARM].position.y - (double)rig.rest[RIG_RIGHT_LOWER_ARM].position.y,
                      (double)pose[RIG_RIGHT_LOWER_ARM].position.z - (double)rig.rest[RIG_RIGHT_LOWER_ARM].position.z);
        along = moved.x * axis.x + moved.y * axis.y + moved.z * axis.z;
        CHECK(fabs(moved.x - along * axis.x) < 1e-5 && fabs(moved.y - along * axis.y) < 1e-5 &&
                  fabs(moved.z - along * axis.z) < 1e-5,
              "it leaves its axis: %g %g %g", moved.x, moved.y, moved.z);
        CHECK(fabs(along - (double)ends[k]) < 1e-4, "%g along an axis that ends at %g", along, (double)ends[k]);
        CHECK(outcome.status != SINEW_STATUS_REACHED, "status %d with an end at %g", outcome.status, (double)ends[k]);
        if (k > 0) {
            EXPECT_OK(sinew_body_get_limited_joints(body, NO_TASK, joints, RIG_JOINTS, &count));
            CHECK(count == 1 && joints[0] == RIG_RIGHT_LOWER_ARM, "%u joints at their limits", count);
        }
        done();
    }
}

static void caps_of_speed_and_acceleration_hold_for_a_slide(void)
{
    /* Only the elbow's slide is free: metres count as radians of 0.3 m. */
    static const double DT = 0.02, SPEED = 2 * 0.3, ACCELERATION = 10 * 0.3, END = 0.6;
    SinewJointLimits limits;
    SinewBodySettings settings;
    SinewBodyTaskDef def;
    Vec3d axis, away, shoulder;
    double way = 0, speed = 0, fastest = 0;
    uint32_t joint;
    int frame;
    fresh_with_masses(0);
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_LOCK_X | SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z;
    limits.slide_axis = to_vec3(vec3d(1, 0, 0));
    for (joint = 0; joint < RIG_JOINTS; ++joint) {
        limits.slide_max = joint == RIG_RIGHT_LOWER_ARM ? (float)END : 0.0f;
        if (joint != RIG_HIPS) {
            EXPECT_OK(sinew_body_set_joint_limits(body, joint, &limits));
        }
    }
    EXPECT_OK(sinew_body_get_settings(body, &settings));
    settings.root = SINEW_BODY_ROOT_FIXED;
    settings.mode = SINEW_BODY_MODE_TRACK;
    settings.track_converge = SINEW_TRACK_CONVERGE_NEVER;
    settings.posture = 0;
    settings.max_speed = 2;
    settings.max_acceleration = 10;
    settings.rotation_length_m = 0.3f;
    EXPECT_OK(sinew_body_set_settings(body, &settings));
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
    axis = quatd_rotate(from_quat(rig.rest[RIG_RIGHT_LOWER_ARM].rotation), vec3d(1, 0, 0));
    (void)solve();
    shoulder = world[RIG_RIGHT_UPPER_ARM].at;
    away = direction_of(RIG_RIGHT_UPPER_ARM, axis);
    def.goal = to_vec3(vec3d(shoulder.x + 4 * away.x, shoulder.y + 4 * away.y, shoulder.z + 4 * away.z));
    (void)add_def(&def);
    for (frame = 0; frame < 200; ++frame) {
        const SinewVec3 *now, *rest = &rig.rest[RIG_RIGHT_LOWER_ARM].position;
        double next, before = way;
        (void)solve();
        now = &pose[RIG_RIGHT_LOWER_ARM].position;
        way = ((double)now->x - (double)rest->x) * axis.x + ((double)now->y - (double)rest->y) * axis.y +
              ((double)now->z - (double)rest->z) * axis.z;
        next = (way - before) / DT;
        CHECK(fabs(next) < SPEED * 1.01, "frame %d: %g m/s", frame, next);
        CHECK(fabs(next - speed) < ACCELERATION * DT * 1.03, "frame %d: %g m/s after %g", frame, next, speed);
        CHECK(way < END + 2e-3, "frame %d: %g m along a way of %g", frame, way, END);
        fastest = next > fastest ? next : fastest;
        speed = next;
    }
    CHECK(fastest > 0.9 * SPEED, "%g m/s at most, the cap is %g", fastest, SPEED);
    CHECK(fabs(way - END) < 2e-3 && fabs(speed) < 1e-3, "%g of %g m, %g m/s", way, END, speed);
    done();
}

static void a_fixed_root_stays_and_track_mode_remembers(void)
{
    enum { ROOM = 4096 };
    static uint8_t bytes[ROOM];
    SinewTransform first[RIG_JOINTS];
    SinewBodySettings settings;
    SinewBodyTaskDef def;
    SinewBodyTask made;
    uint32_t size = 0, again = 0;
    int frame, round;
    fresh_with_masses(1);
    EXPECT_OK(sinew_body_get_settings(body, &settings));
    settings.mode = SINEW_BODY_MODE_TRACK;
    settings.root = SINEW_BODY_ROOT_FIXED;
    settings.feedback = 4.0f;
    EXPECT_OK(sinew_body_set_settings(body, &settings));
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
    def.goal = at(0.3, 1.3, 0.3);
    made = add_def(&def);
    for (frame = 0; frame < 5; ++frame) {
        (void)solve();
        CHECK(memcmp(&pose[RIG_HIPS], &start[RIG_HIPS], sizeof pose[0]) == 0, "frame %d: the fixed root moved", frame);
    }
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_body_snapshot(body, NULL, 0, &size));
    REQUIRE(size > 0 && size <= ROOM, "%u bytes", size);
    EXPECT_OK(sinew_body_snapshot(body, bytes, ROOM, &again));
    CHECK(size == again, "%u bytes, then %u", size, again);
    def.goal = at(0.5, 1.0, 0.5);
    for (round = 0; round < 2; ++round) {
        EXPECT_OK(sinew_body_set_task(body, made, &def));
        for (frame = 0; frame < 3; ++frame) {
            (void)solve();
        }
        if (round == 0) {
            memcpy(first, pose, sizeof first);
            EXPECT_OK(sinew_body_restore(body, bytes, size));
        }
    }
    CHECK(memcmp(first, pose, sizeof first) == 0, "a restored body goes on otherwise");
    EXPECT_OK(sinew_body_reset(body));
    (void)solve();
    CHECK(memcmp(first, pose, sizeof first) != 0, "a reset body goes on as before");
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_restore(body, bytes, size - 4));
    bytes[0] ^= 1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_restore(body, bytes, size));
    done();
}

static void an_effector_stays_on_a_goal_whose_velocity_counts(void)
{
    int follows;
    for (follows = 0; follows < 2; ++follows) {
        SinewBodySettings settings;
        SinewBodyTaskDef def;
        SinewBodyTask made;
        double left = 0;
        int frame;
        fresh_with_masses(0);
        EXPECT_OK(sinew_body_get_settings(body, &settings));
        settings.mode = SINEW_BODY_MODE_TRACK;
        settings.feedback = 10.0f;
        settings.goal_velocity = (float)follows;
        settings.track_converge = SINEW_TRACK_CONVERGE_FIRST;
        settings.track_step_s = 0.01f;
        EXPECT_OK(sinew_body_set_settings(body, &settings));
        def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
        def.goal = at(0.3f, 1.2f, 0.3f);
        made = add_def(&def);
        for (frame = 0; frame < 30; ++frame) {
            def.goal = at(0.3f + 0.004f * (float)frame, 1.2f, 0.3f);
            EXPECT_OK(sinew_body_set_task(body, made, &def));
            (void)solve();
            left = distance(world[RIG_RIGHT_HAND].at, from_vec3(def.goal));
        }
        if (follows) {
            CHECK(left < 2e-3, "%g m left of a goal whose velocity counts", left);
        } else {
            CHECK(left > 5e-3, "%g m left of a goal whose velocity does not count", left);
        }
        settings.track_converge = 3;
        EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_body_set_settings(body, &settings));
        settings.track_converge = SINEW_TRACK_CONVERGE_ALWAYS;
        settings.max_acceleration = -1.0f;
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_settings(body, &settings));
        settings.max_acceleration = 0;
        EXPECT_OK(sinew_body_set_settings(body, &settings));
        (void)solve();
        CHECK(distance(world[RIG_RIGHT_HAND].at, from_vec3(def.goal)) < 1e-3, "a whole solve does not arrive");
        done();
    }
}

static void each_solver_of_track_mode_arrives_and_damping_holds_back(void)
{
    /* Damped least squares twice: the last time with so much damping that nothing moves. */
    static const int32_t solvers[4] = {SINEW_TRACK_SOLVER_ADAPTIVE, SINEW_TRACK_SOLVER_SDLS, SINEW_TRACK_SOLVER_DLS,
                                       SINEW_TRACK_SOLVER_DLS};
    int number;
    for (number = 0; number < 4; ++number) {
        SinewBodySettings settings;
        SinewBodyTaskDef def;
        double left;
        int frame;
        fresh_with_masses(0);
        EXPECT_OK(sinew_body_get_settings(body, &settings));
        CHECK(settings.track_solver == SINEW_TRACK_SOLVER_ADAPTIVE && settings.damping_max == 0.5f &&
                  settings.damping_epsilon == 0.15f,
              "defaults %d %g %g", (int)settings.track_solver, settings.damping_max, settings.damping_epsilon);
        settings.mode = SINEW_BODY_MODE_TRACK;
        settings.track_converge = SINEW_TRACK_CONVERGE_NEVER;
        settings.track_solver = solvers[number];
        if (number == 3) {
            settings.damping_max = 100.0f;
            settings.damping_epsilon = 1000.0f;
        }
        EXPECT_OK(sinew_body_set_settings(body, &settings));
        def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
        def.goal = at(0.3f, 1.2f, 0.3f);
        (void)add_def(&def);
        for (frame = 0; frame < 60; ++frame) {
            (void)solve();
        }
        left = distance(world[RIG_RIGHT_HAND].at, from_vec3(def.goal));
        CHECK(number < 3 ? left < 2e-3 : left > 0.1, "%g m left by solver %d", left, number);
        settings.track_solver = 3;
        EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_body_set_settings(body, &settings));
        settings.track_solver = SINEW_TRACK_SOLVER_DLS;
        settings.damping_max = -1.0f;
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_settings(body, &settings));
        settings.damping_max = 0;
        settings.damping_epsilon = -1.0f;
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_settings(body, &settings));
        done();
    }
}

static void lines_show_bones_goals_limits_and_mass(void)
{
    static SinewDebugLine lines[400];
    uint32_t count = 0, again = 0, k;
    int parts[8] = {0};
    SinewBodyTaskDef def;
    fresh_with_masses(2);
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
    def.goal = at(2, 2, 2);
    (void)add_def(&def);
    (void)solve();
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_body_get_debug_lines(body, NULL, 0, &count));
    REQUIRE(count > RIG_JOINTS && count <= 400, "%u lines", count);
    EXPECT_OK(sinew_body_get_debug_lines(body, lines, count, &again));
    for (k = 0; k < count; ++k) {
        REQUIRE(lines[k].part >= 0 && lines[k].part < 8, "part %d", lines[k].part);
        ++parts[lines[k].part];
        if (lines[k].part == SINEW_DEBUG_PART_RESIDUAL) {
            CHECK(distance(from_vec3(lines[k].from), world[RIG_RIGHT_HAND].at) < 1e-3 * scale() &&
                      distance(from_vec3(lines[k].to), from_vec3(def.goal)) < 1e-3 * scale(),
                  "the residual is elsewhere");
        }
    }
    CHECK(again == count && parts[SINEW_DEBUG_PART_BONE] == RIG_JOINTS - 1 && parts[SINEW_DEBUG_PART_RESIDUAL] == 1 &&
              parts[SINEW_DEBUG_PART_BODY] == 3 && parts[SINEW_DEBUG_PART_GOAL_AXIS] == 3,
          "%d bones, %d residuals, %d body", parts[0], parts[1], parts[5]);
    done();
}

static void a_joint_is_dragged_by_its_chain_alone(void)
{
    int k, j;
    for (k = 0; k < 3; ++k) {
        SinewBodyPin pins[2] = {{RIG_LEFT_FOOT, SINEW_BODY_PIN_ROTATION}, {RIG_RIGHT_FOOT, 0}};
        SinewBodyDrag drag;
        SinewBodyOutcome outcome;
        Affine before[RIG_JOINTS];
        fresh_with_masses(k);
        EXPECT_OK(sinew_body_drag_default(&drag));
        drag.joint = RIG_RIGHT_HAND;
        drag.chain_length = 2;
        drag.goal = at(0.4, 1.3, 0.35);
        drag.point = to_vec3(vec3d(0.05, 0, 0.01));
        memcpy(pose, start, sizeof pose);
        EXPECT_OK(sinew_body_drag(body, &drag, pose, RIG_JOINTS, &outcome));
        forward(RIG_JOINTS, rig.parents, pose, &root, world);
        CHECK(outcome.status == SINEW_STATUS_REACHED, "status %d", outcome.status);
        CHECK(distance(affine_point(&world[RIG_RIGHT_HAND], from_vec3(drag.point)), from_vec3(drag.goal)) < 1e-3 * scale(),
              "root %d: the dragged palm", k);
        for (j = 0; j < RIG_JOINTS; ++j) {
            int moves = j == RIG_RIGHT_UPPER_ARM || j == RIG_RIGHT_LOWER_ARM || j == RIG_RIGHT_HAND;
            CHECK(moves || memcmp(&pose[j], &start[j], sizeof pose[j]) == 0, "root %d: joint %d moved", k, j);
        }
        /* The hips sink on pinned feet. */
        forward(RIG_JOINTS, rig.parents, start, &root, before);
        drag.joint = RIG_HIPS;
        drag.chain_length = 0;
        drag.point = to_vec3(vec3d(0, 0, 0));
        drag.goal = to_vec3(add(before[RIG_HIPS].at, sub(from_vec3(at(0, -0.2, 0.05)), from_vec3(at(0, 0, 0)))));
        drag.pin_count = 2;
        drag.pins = pins;
        memcpy(pose, start, sizeof pose);
        EXPECT_OK(sinew_body_drag(body, &drag, pose, RIG_JOINTS, &outcome));
        forward(RIG_JOINTS, rig.parents, pose, &root, world);
        CHECK(distance(world[RIG_HIPS].at, from_vec3(drag.goal)) < 1e-3 * scale(), "root %d: the dragged hips", k);
        CHECK(distance(world[RIG_LEFT_FOOT].at, before[RIG_LEFT_FOOT].at) < 1e-3 * scale() &&
                  distance(world[RIG_RIGHT_FOOT].at, before[RIG_RIGHT_FOOT].at) < 1e-3 * scale(),
              "root %d: a pinned foot", k);
        /* What cannot be leaves the pose alone. */
        memcpy(pose, start, sizeof pose);
        drag.joint = RIG_JOINTS;
        EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_drag(body, &drag, pose, RIG_JOINTS, NULL));
        drag.joint = RIG_HEAD;
        drag.pin_count = SINEW_BODY_MAX_PINS + 1;
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_drag(body, &drag, pose, RIG_JOINTS, NULL));
        drag.pin_count = 2;
        pins[1].joint = RIG_JOINTS;
        EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_drag(body, &drag, pose, RIG_JOINTS, NULL));
        pins[1].joint = RIG_HEAD;
        drag.flags = 2;
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_drag(body, &drag, pose, RIG_JOINTS, NULL));
        drag.flags = 0;
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_body_drag(body, &drag, pose, RIG_JOINTS - 1, NULL));
        CHECK(memcmp(pose, start, sizeof pose) == 0, "a refused drag moved joints");
        done();
    }
}

/* The whole sentence of the last failed call. */
static void expect_last_error(const char *expected)
{
    const char *text = "";
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strcmp(text, expected) == 0, "\"%s\", not \"%s\"", text, expected);
}

static double batch_time;
static double next_second(void *user)
{
    (void)user;
    return batch_time += 1;
}

static void many_bodies_are_solved_in_one_call(void)
{
    enum { COUNT = 6 };
    static SinewTransform poses[COUNT][RIG_JOINTS], alone[COUNT][RIG_JOINTS];
    SinewBodyWork works[COUNT];
    SinewBody bodies[COUNT];
    SinewBodyBatchReport report;
    SinewWorld none = {0}, crowd;
    SinewResult threads;
    char expected[160];
    int k, round;
    fresh_with_masses(1);
    for (k = 0; k < COUNT; ++k) {
        SinewBodyTaskDef def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
        SinewBodyTask made;
        EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &bodies[k]));
        EXPECT_OK(sinew_body_set_root(bodies[k], &root));
        def.goal = at(0.3 + 0.03 * k, 1.3, 0.3);
        EXPECT_OK(sinew_body_add_task(bodies[k], &def, &made));
        def.joint = RIG_LEFT_HAND;
        def.goal = at(-0.3, 1.2, 0.3);
        def.level = 1;
        EXPECT_OK(sinew_body_add_task(bodies[k], &def, &made));
        memcpy(alone[k], start, sizeof alone[k]);
        EXPECT_OK(sinew_body_solve(bodies[k], alone[k], RIG_JOINTS, 0.02f, NULL));
        EXPECT_OK(sinew_body_work_default(&works[k]));
        works[k].body = bodies[k];
        works[k].pose = poses[k];
        works[k].joint_count = RIG_JOINTS;
    }
    EXPECT_OK(sinew_world_create(&crowd));
    threads = sinew_world_set_threads(crowd, 3);
    CHECK(threads == SINEW_OK || threads == SINEW_ERROR_NOT_AVAILABLE, "threads: %d", threads);
    for (round = 0; round < 2; ++round) {
        for (k = 0; k < COUNT; ++k) {
            memcpy(poses[k], start, sizeof poses[k]);
        }
        EXPECT_OK(sinew_body_solve_batch(works, COUNT, 0.02f, round == 0 ? none : crowd, &report));
        CHECK(report.solved == COUNT && report.cut == 0 && report.failed == 0, "%u solved", report.solved);
        for (k = 0; k < COUNT; ++k) {
            CHECK(works[k].state == SINEW_BODY_WORK_STATE_SOLVED && works[k].outcome.status == SINEW_STATUS_REACHED,
                  "body %d: state %d, status %d", k, works[k].state, works[k].outcome.status);
            CHECK(memcmp(poses[k], alone[k], sizeof alone[k]) == 0, "body %d: other bits than alone", k);
        }
    }
    /* Level 1 is absent for one body: its left hand stays where the hips carry it. */
    works[2].max_level = 0;
    memcpy(poses[2], start, sizeof poses[2]);
    EXPECT_OK(sinew_body_solve_batch(&works[2], 1, 0.02f, none, NULL));
    CHECK(fabs((double)poses[2][RIG_LEFT_LOWER_ARM].rotation.x - (double)start[RIG_LEFT_LOWER_ARM].rotation.x) < 1e-6 &&
              fabs((double)poses[2][RIG_LEFT_LOWER_ARM].rotation.y - (double)start[RIG_LEFT_LOWER_ARM].rotation.y) < 1e-6 &&
              memcmp(&poses[2][RIG_LEFT_LOWER_ARM], &alone[2][RIG_LEFT_LOWER_ARM], sizeof start[0]) != 0,
          "a dropped task");
    works[2].max_level = SINEW_BODY_MAX_LEVEL;
    /* A budget of two and a half looks at the clock. */
    EXPECT_OK(sinew_world_set_threads(crowd, 0));
    EXPECT_OK(sinew_world_set_budget(crowd, 2.5f, next_second, NULL));
    for (k = 0; k < COUNT; ++k) {
        memcpy(poses[k], start, sizeof poses[k]);
    }
    EXPECT_OK(sinew_body_solve_batch(works, COUNT, 0.02f, crowd, &report));
    CHECK(report.solved == 3 && report.cut == 3, "%u solved, %u cut", report.solved, report.cut);
    CHECK(works[3].state == SINEW_BODY_WORK_STATE_CUT && memcmp(poses[3], start, sizeof start) == 0, "a cut body moved");
    /* One that fails keeps the others from nothing; one that is there twice is refused. */
    EXPECT_OK(sinew_body_destroy(bodies[1]));
    works[4].joint_count = RIG_JOINTS - 1;
    works[5].iteration_share = 1.5f;
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_solve_batch(works, COUNT, 0.02f, none, &report));
    CHECK(report.solved == 3 && report.failed == 3 && works[1].result == SINEW_ERROR_INVALID_HANDLE &&
              works[4].result == SINEW_ERROR_LENGTH_MISMATCH && works[5].result == SINEW_ERROR_INVALID_ARGUMENT,
          "%u solved, results %d, %d, %d", report.solved, works[1].result, works[4].result, works[5].result);
    /* The reason is that of the first one that failed, behind its place among the works. */
    (void)snprintf(expected, sizeof expected,
                   "sinew_body_solve_batch: works[1]: body 0x%016llx: null, destroyed, of another kind, or never created",
                   (unsigned long long)bodies[1].bits);
    expect_last_error(expected);
    EXPECT_OK(sinew_world_set_budget(crowd, -1, NULL, NULL));
    threads = sinew_world_set_threads(crowd, 3);
    CHECK(threads == SINEW_OK || threads == SINEW_ERROR_NOT_AVAILABLE, "threads: %d", threads);
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_body_solve_batch(&works[2], COUNT - 2, 0.02f, crowd, NULL));
    (void)snprintf(expected, sizeof expected,
                   "sinew_body_solve_batch: works[2]: joint_count is %d, the skeleton has %d joints", RIG_JOINTS - 1,
                   RIG_JOINTS);
    expect_last_error(expected);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_solve_batch(&works[5], 1, 0.02f, none, NULL));
    expect_last_error("sinew_body_solve_batch: works[0]: iteration_share is 1.5, not 0 to 1");
    works[3] = works[0];
    memcpy(poses[0], start, sizeof poses[0]);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_solve_batch(works, COUNT, 0.02f, none, NULL));
    CHECK(memcmp(poses[0], start, sizeof start) == 0, "a refused call solved something");
    EXPECT(SINEW_ERROR_NULL_POINTER, sinew_body_solve_batch(NULL, 1, 0.02f, none, NULL));
    EXPECT_OK(sinew_body_solve_batch(NULL, 0, 0.02f, none, &report));
    EXPECT_OK(sinew_world_destroy(crowd));
    for (k = 0; k < COUNT; ++k) {
        if (k != 1) {
            EXPECT_OK(sinew_body_destroy(bodies[k]));
        }
    }
    done();
}

/* Two who face each other, and their right hands; bodies 0 and 1 of `works`. */
static SinewTransform partner_root(double apart)
{
    SinewTransform turned = root;
    turned.position = at(0, 0, apart);
    turned.rotation = to_quat(quatd_mul(from_quat(root.rotation), quatd_about(vec3d(0, 1, 0), 3.14159265358979)));
    return turned;
}
static Vec3d hand_of(const SinewTransform *of, const SinewTransform *where)
{
    Affine frames[RIG_JOINTS];
    forward(RIG_JOINTS, rig.parents, of, where, frames);
    return affine_point(&frames[RIG_RIGHT_HAND], vec3d(0.08, 0, 0));
}

static void hands_of_two_bodies_meet(void)
{
    static const double APART[3] = {0.9, 1.4, 7.0};
    int k, i, round;
    for (k = 0; k < 3; ++k) {
        for (i = 0; i < 3; ++i) {
            SinewTransform poses[2][RIG_JOINTS], roots[2];
            SinewBodyWork works[2];
            SinewBodyTie ties[2];
            SinewBodyTask hands[2], turns[2];
            SinewBodyMeeting meeting;
            SinewBody pair[2];
            Vec3d places[2];
            double gap;
            fresh_with_masses(k);
            roots[0] = root;
            roots[1] = partner_root(APART[i]);
            for (round = 0; round < 2; ++round) {
                SinewBodyTaskDef def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_RIGHT_HAND);
                SinewBodyTask made;
                EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &pair[round]));
                EXPECT_OK(sinew_body_set_root(pair[round], &roots[round]));
                def.point = to_vec3(vec3d(0.08, 0, 0));
                EXPECT_OK(sinew_body_add_task(pair[round], &def, &hands[round]));
                def = task(SINEW_BODY_TASK_KIND_ORIENTATION, RIG_RIGHT_HAND);
                EXPECT_OK(sinew_body_add_task(pair[round], &def, &turns[round]));
                def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_LEFT_FOOT);
                def.flags = SINEW_BODY_TASK_PIN;
                EXPECT_OK(sinew_body_add_task(pair[round], &def, &made));
                memcpy(poses[round], start, sizeof start);
                EXPECT_OK(sinew_body_work_default(&works[round]));
                works[round].body = pair[round];
                works[round].pose = poses[round];
                works[round].joint_count = RIG_JOINTS;
                EXPECT_OK(sinew_body_tie_default(&ties[round]));
            }
            ties[0].first_task = hands[0];
            ties[0].second_task = hands[1];
            ties[1].first_task = turns[1];
            ties[1].second_task = turns[0];
            ties[1].first_work = 1;
            ties[1].second_work = 0;
            EXPECT_OK(sinew_body_meet(works, 2, ties, 2, 0, 16, &meeting));
            CHECK(memcmp(poses[0], start, sizeof start) == 0 && memcmp(poses[1], start, sizeof start) == 0, "a pose moved");
            for (round = 0; round < 2; ++round) {
                SinewBodyTaskDef set;
                EXPECT_OK(sinew_body_get_task(pair[round], hands[round], &set));
                places[round] = from_vec3(set.goal);
                EXPECT_OK(sinew_body_solve(pair[round], poses[round], RIG_JOINTS, 0, NULL));
            }
            CHECK(distance(places[0], places[1]) < 1e-6 * scale(), "other goals for one place");
            gap = distance(hand_of(poses[0], &roots[0]), hand_of(poses[1], &roots[1]));
            CHECK(fabs(gap - (double)ties[0].gap) < 1e-4 * scale() && meeting.gap_m == ties[0].gap, "%g m, said %g", gap,
                  (double)ties[0].gap);
            if (APART[i] < 2) {
                CHECK(meeting.status == SINEW_STATUS_REACHED && gap < 1e-3 * scale(), "root %d, %g m apart: status %d, %g m",
                      k, APART[i], meeting.status, gap);
            } else {
                CHECK(meeting.status == SINEW_STATUS_UNREACHABLE && gap > 0.5 * scale(), "root %d: status %d, %g m", k,
                      meeting.status, gap);
            }
            /* What is refused changes nothing. */
            ties[0].second_work = 2;
            EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_meet(works, 2, ties, 2, 0, 8, NULL));
            ties[0].second_work = 0;
            EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_meet(works, 2, ties, 2, 0, 8, NULL));
            ties[0].second_task = turns[0];
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_meet(works, 2, ties, 2, 0, 8, NULL));
            ties[0].second_work = 1;
            ties[0].second_task = turns[1];
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_meet(works, 2, ties, 2, 0, 8, NULL));
            ties[0].second_task = hands[1];
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_meet(works, 2, ties, 2, 0, 0, NULL));
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_meet(works, SINEW_BODY_MAX_MEETING + 1, ties, 2, 0, 8, NULL));
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_meet(works, 2, ties, SINEW_BODY_MAX_TIES + 1, 0, 8, NULL));
            EXPECT(SINEW_ERROR_NULL_POINTER, sinew_body_meet(works, 2, NULL, 1, 0, 8, NULL));
            works[1].joint_count = 1;
            EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_body_meet(works, 2, ties, 2, 0, 8, NULL));
            works[1] = works[0];
            EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_meet(works, 2, ties, 2, 0, 8, NULL));
            EXPECT_OK(sinew_body_meet(NULL, 0, NULL, 0, 0, 8, &meeting));
            CHECK(meeting.status == SINEW_STATUS_INACTIVE && meeting.rounds == 0, "nothing to meet");
            EXPECT_OK(sinew_body_destroy(pair[0]));
            EXPECT_OK(sinew_body_destroy(pair[1]));
            done();
        }
    }
}

static void human_ranges_hold_and_overrides_come_first(void)
{
    SinewBodyTaskDef def;
    SinewJointLimits fixed;
    SinewAvatar none = {0};
    uint32_t count = 0;
    fresh_with_masses(0);
    def = task(SINEW_BODY_TASK_KIND_JOINT_ROTATION, RIG_RIGHT_LOWER_ARM);
    def.rotation = to_quat(quatd_about(vec3d(1, 0.2, 0), 2.9));
    (void)add_def(&def);
    CHECK(solve().status == SINEW_STATUS_REACHED, "without ranges");
    EXPECT_OK(sinew_body_set_human_ranges(body, rig.avatar));
    CHECK(solve().status != SINEW_STATUS_REACHED, "an elbow turned by 166 degrees about its own axis");
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_body_get_limited_joints(body, NO_TASK, NULL, 0, &count));
    CHECK(count > 0, "no joint at its range");
    EXPECT_OK(sinew_joint_limits_default(&fixed));
    EXPECT_OK(sinew_body_set_joint_limits(body, RIG_RIGHT_LOWER_ARM, &fixed));
    CHECK(solve().status == SINEW_STATUS_REACHED, "an override that frees the joint");
    EXPECT_OK(sinew_body_set_joint_limits(body, RIG_RIGHT_LOWER_ARM, NULL));
    EXPECT_OK(sinew_body_set_human_ranges(body, none));
    CHECK(solve().status == SINEW_STATUS_REACHED, "without ranges again");
    {
        Rig other;
        rig_make(&other, 0);
        EXPECT(SINEW_ERROR_WRONG_SKELETON, sinew_body_set_human_ranges(body, other.avatar));
        rig_free(&other);
    }
    done();
}

static void what_cannot_be_is_refused(void)
{
    SinewBodyTaskDef def;
    SinewBodyTask made = {77};
    SinewBodySettings settings;
    SinewTransform uneven;
    SinewBody other = {77};
    uint32_t size;
    fresh_with_masses(0);
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_JOINTS);
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_add_task(body, &def, &made));
    def = task(SINEW_BODY_TASK_KIND_RELATIVE_POSITION, RIG_HEAD);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def = task(SINEW_BODY_TASK_KIND_POLE, RIG_LEFT_LOWER_ARM);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def = task(SINEW_BODY_TASK_KIND_JOINT_ROTATION, RIG_HIPS);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def = task(SINEW_BODY_TASK_KIND_SUPPORT, 0);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def.corner_count = 17;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_HEAD);
    def.axes = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def.axes = 8;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_HEAD);
    def.level = 4;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def.level = 0;
    def.blend = 1.5f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def.blend = 1.0f;
    def.importance = 0.0f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_add_task(body, &def, &made));
    def.importance = 1.0f;
    def.frame = 4;
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_body_add_task(body, &def, &made));
    def.frame = 0;
    for (size = 0; size < 3; ++size) {
        def.struct_size = size == 2 ? (uint32_t)sizeof def + 4 : size;
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_body_add_task(body, &def, &made));
    }
    CHECK(made.bits == 77, "an out-handle was written");
    EXPECT_OK(sinew_body_get_settings(body, &settings));
    settings.max_iterations = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_settings(body, &settings));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_create(rig.skeleton, 0, &settings, &other));
    settings.struct_size = 5;
    EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_body_set_settings(body, &settings));
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_body_create(rig.skeleton, RIG_JOINTS, NULL, &other));
    CHECK(other.bits == 77, "an out-handle was written");
    uneven = root;
    uneven.scale.y = 1.5f;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_root(body, &uneven));
    uneven.scale = to_vec3(vec3d(-1, -1, -1.5));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_set_root(body, &uneven));
    memcpy(pose, start, sizeof pose);
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_body_solve(body, pose, RIG_JOINTS - 1, 0, NULL));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_body_solve(body, pose, RIG_JOINTS, -0.5f, NULL));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_solve(NO_BODY, pose, RIG_JOINTS, 0, NULL));
    CHECK(memcmp(pose, start, sizeof pose) == 0, "a refused solve changed the pose");
    done();
}

static void a_task_belongs_to_its_body(void)
{
    SinewBodyTaskDef def;
    SinewBodyTask made;
    SinewBody other = {0};
    SinewVec3 center;
    fresh_with_masses(0);
    def = task(SINEW_BODY_TASK_KIND_POSITION, RIG_HEAD);
    made = add_def(&def);
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &other));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_set_task(other, made, &def));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_body_get_limited_joints(other, made, NULL, 0, &def.joint));
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_body_get_center_of_mass(other, &center));
    EXPECT_OK(sinew_body_destroy(other));
    done();
}

int main(void)
{
    RUN(positions_and_orientations_are_reached_under_any_root);
    RUN(every_other_kind_means_what_the_header_says);
    RUN(the_centre_of_mass_goes_over_the_goal_and_over_the_feet);
    RUN(axes_count_alone_in_the_frame_that_is_named);
    RUN(blend_moves_the_goal_and_at_zero_keeps_every_bit);
    RUN(pins_hold_and_lower_levels_win);
    RUN(limits_hold_and_are_told);
    RUN(a_joint_slides_along_its_axis_and_not_beyond);
    RUN(caps_of_speed_and_acceleration_hold_for_a_slide);
    RUN(a_fixed_root_stays_and_track_mode_remembers);
    RUN(an_effector_stays_on_a_goal_whose_velocity_counts);
    RUN(each_solver_of_track_mode_arrives_and_damping_holds_back);
    RUN(lines_show_bones_goals_limits_and_mass);
    RUN(a_joint_is_dragged_by_its_chain_alone);
    RUN(many_bodies_are_solved_in_one_call);
    RUN(hands_of_two_bodies_meet);
    RUN(human_ranges_hold_and_overrides_come_first);
    RUN(what_cannot_be_is_refused);
    RUN(a_task_belongs_to_its_body);
    return check_report();
}
