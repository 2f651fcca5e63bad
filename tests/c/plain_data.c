/* What is read back from a mapping, an avatar and an animator, and what works on plain arrays:
 * judged by forward kinematics of our own in double. */
#include "rig.h"

static Rig rig;
static SinewAnimator animator;
static SinewTransform *pose;
static SinewTransform identity;

static void fresh(int rolled)
{
    rig_make(&rig, rolled);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    identity = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}
static int near3(SinewVec3 a, Vec3d b, double most) { return distance(from_vec3(a), b) <= most; }

/* --- mapping ------------------------------------------------------------------------------- */

static void a_mapping_reports_joints_evidence_and_axes(void)
{
    SinewMappedBone bones[SINEW_HUMAN_BONE_COUNT];
    SinewMappingReport report;
    uint32_t found = 0;
    int k;
    fresh(1);
    EXPECT_OK(sinew_skeleton_map_with_report(rig.skeleton, NULL, bones, SINEW_HUMAN_BONE_COUNT, &report));
    for (k = 0; k < (int)SINEW_HUMAN_BONE_COUNT; ++k) {
        const SinewMappedBone *bone = &bones[k];
        CHECK(bone->joint == rig.human[k], "bone %d is joint %d, not %d", k, (int)bone->joint, (int)rig.human[k]);
        if (bone->joint < 0) {
            CHECK(bone->evidence == SINEW_EVIDENCE_NONE && bone->confidence == 0, "bone %d has evidence", k);
        } else {
            CHECK(bone->evidence == SINEW_EVIDENCE_NAME, "bone %d: evidence %d", k, (int)bone->evidence);
            CHECK(bone->confidence > 0.5f && bone->confidence <= 1, "bone %d: confidence %g", k, (double)bone->confidence);
            ++found;
        }
    }
    CHECK(report.found_count == found && report.missing_count == 0, "%u found, %u missing", report.found_count,
          report.missing_count);
    CHECK(report.shape == SINEW_BODY_SHAPE_HUMANOID && report.sides == SINEW_SIDE_SOURCE_NAMES, "shape %d, sides %d",
          (int)report.shape, (int)report.sides);
    CHECK(report.flags == (SINEW_MAPPING_AXES | SINEW_MAPPING_LEFT_HANDED), "flags %u", report.flags);
    CHECK(near3(report.right, vec3d(1, 0, 0), 1e-6) && near3(report.up, vec3d(0, 1, 0), 1e-6)
              && near3(report.forward, vec3d(0, 0, 1), 1e-6), "the axes are others");
    done();
}

/* Without names the sides follow from the axes' handedness, which only the host knows. */
static void hints_decide_what_names_do_not(void)
{
    static const int LEFT = SINEW_HUMAN_BONE_LEFT_FOOT, RIGHT = SINEW_HUMAN_BONE_RIGHT_FOOT;
    SinewMappedBone bones[SINEW_HUMAN_BONE_COUNT];
    SinewMappingReport report;
    SinewMappingHints hints;
    SinewSkeletonDef def;
    SinewSkeleton nameless;
    int left_handed;
    fresh(0);
    def = rig_skeleton_def(&rig);
    def.names = NULL;
    EXPECT_OK(sinew_skeleton_create(&def, &nameless));
    for (left_handed = 0; left_handed < 2; ++left_handed) {
        EXPECT_OK(sinew_mapping_hints_default(&hints));
        hints.flags = left_handed ? SINEW_MAPPING_LEFT_HANDED : 0;
        EXPECT_OK(sinew_skeleton_map_with_report(nameless, &hints, bones, SINEW_HUMAN_BONE_COUNT, &report));
        CHECK(report.sides == SINEW_SIDE_SOURCE_FACING, "sides %d", (int)report.sides);
        /* Of the hands only one has a tip: without names the other one is not found. */
        CHECK(report.shape == SINEW_BODY_SHAPE_INCOMPLETE && report.missing_count == 1, "shape %d", (int)report.shape);
        CHECK(bones[LEFT].joint == (left_handed ? RIG_LEFT_FOOT : RIG_RIGHT_FOOT), "left foot is %d", (int)bones[LEFT].joint);
        CHECK(bones[RIGHT].joint == (left_handed ? RIG_RIGHT_FOOT : RIG_LEFT_FOOT), "right foot is %d", (int)bones[RIGHT].joint);
        CHECK(bones[LEFT].evidence == SINEW_EVIDENCE_GEOMETRY && bones[LEFT].confidence < 0.5f, "evidence %d, %g",
              (int)bones[LEFT].evidence, (double)bones[LEFT].confidence);
    }
    hints.flags = 8;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_skeleton_map_with_report(nameless, &hints, bones, SINEW_HUMAN_BONE_COUNT, NULL));
    EXPECT_OK(sinew_skeleton_destroy(nameless));
    done();
}

static void a_rig_that_is_no_body_is_reported_as_such(void)
{
    static const int32_t PARENTS[3] = {-1, 0, 1};
    SinewMappedBone bones[SINEW_HUMAN_BONE_COUNT];
    SinewMappingReport report;
    SinewTransform rest[3];
    SinewSkeletonDef def;
    SinewSkeleton line;
    uint32_t length = 0;
    char text[4000];
    int k;
    for (k = 0; k < 3; ++k) {
        rest[k] = transform(vec3d(0, k, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
    }
    EXPECT_OK(sinew_skeleton_def_default(&def));
    def.joint_count = 3;
    def.parents = PARENTS;
    def.rest = rest;
    EXPECT_OK(sinew_skeleton_create(&def, &line));
    EXPECT_OK(sinew_skeleton_map_with_report(line, NULL, bones, SINEW_HUMAN_BONE_COUNT, &report));
    CHECK(report.shape == SINEW_BODY_SHAPE_UNKNOWN && report.found_count == 0, "shape %d, %u found", (int)report.shape,
          report.found_count);
    CHECK(report.missing_count == 15, "%u missing", report.missing_count);
    EXPECT_OK(sinew_skeleton_get_mapping_text(line, NULL, text, sizeof text, &length));
    CHECK(strstr(text, "missing: Hips") != NULL, "the text is %s", text);
    EXPECT_OK(sinew_skeleton_destroy(line));
}

static void the_text_of_a_mapping_has_a_line_per_bone(void)
{
    char text[8000], line[80];
    uint32_t length = 0, again = 0;
    int k;
    fresh(0);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_skeleton_get_mapping_text(rig.skeleton, NULL, NULL, 0, &length));
    REQUIRE(length > 500 && length < sizeof text, "%u bytes", length);
    memset(text, 'x', sizeof text);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_skeleton_get_mapping_text(rig.skeleton, NULL, text, length - 1, &again));
    CHECK(again == length && text[0] == 'x', "too small, yet it wrote");
    EXPECT_OK(sinew_skeleton_get_mapping_text(rig.skeleton, NULL, text, length, &again));
    CHECK(again == length && strlen(text) == length - 1, "%u bytes, not %u", (unsigned)strlen(text), length - 1);
    for (k = 0; k < RIG_JOINTS; ++k) {
        if (RIG_TABLE[k].human >= 0) {
            sprintf(line, "%s: joint %d \"%s\"", RIG_TABLE[k].name, k, RIG_TABLE[k].name);
            CHECK(strstr(text, line) != NULL, "no line \"%s\" in:\n%s", line, text);
        }
    }
    done();
}

/* --- avatar -------------------------------------------------------------------------------- */

static void an_avatar_returns_its_t_pose_and_ranges(void)
{
    SinewTransform given[RIG_JOINTS], got[RIG_JOINTS];
    SinewHumanRange own, range, people;
    SinewAvatarDef def;
    SinewAvatar avatar;
    int j;
    fresh(1);
    rig_bent_pose(&rig, 0.05, given);
    EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_LEFT_UPPER_LEG, &own));
    own.bend_max_rad = 1.25f;
    def = rig_avatar_def(&rig);
    def.t_pose = given;
    def.human_ranges = &own;
    def.human_range_count = 1;
    def.lower_arm_twist = 0.25f;
    EXPECT_OK(sinew_avatar_create(&def, &avatar));
    EXPECT_OK(sinew_avatar_get_t_pose(avatar, got, RIG_JOINTS));
    for (j = 0; j < RIG_JOINTS; ++j) {
        CHECK(near3(got[j].position, from_vec3(given[j].position), 0), "joint %d: another position", j);
        CHECK(quatd_angle(from_quat(got[j].rotation), from_quat(given[j].rotation)) < 1e-6, "joint %d: another rotation", j);
    }
    EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_avatar_get_t_pose(avatar, got, RIG_JOINTS - 1));
    EXPECT_OK(sinew_avatar_get_human_range(avatar, SINEW_HUMAN_BONE_LEFT_UPPER_LEG, &range));
    CHECK(memcmp(&range, &own, sizeof range) == 0, "bend up to %g", (double)range.bend_max_rad);
    EXPECT_OK(sinew_avatar_get_human_range(avatar, SINEW_HUMAN_BONE_RIGHT_UPPER_LEG, &range));
    EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_RIGHT_UPPER_LEG, &people));
    CHECK(memcmp(&range, &people, sizeof range) == 0, "the other leg has another range");
    EXPECT_OK(sinew_avatar_get_human_range(avatar, SINEW_HUMAN_BONE_LEFT_HAND, &range));
    EXPECT_OK(sinew_human_range_default(SINEW_HUMAN_BONE_LEFT_HAND, &people));
    CHECK(fabs(range.twist_max_rad - 0.25 * people.twist_max_rad) < 1e-6, "the wrist twists up to %g", (double)range.twist_max_rad);
    EXPECT(SINEW_ERROR_BONE_NOT_MAPPED, sinew_avatar_get_human_range(avatar, SINEW_HUMAN_BONE_JAW, &range));
    EXPECT_OK(sinew_avatar_destroy(avatar));
    done();
}

static void an_avatar_returns_the_constants_of_its_goals(void)
{
    static const int ENDS[4] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT, RIG_LEFT_HAND, RIG_RIGHT_HAND};
    static const double ALONG[4][3] = {{0, 0, 1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}};
    float height, scale, known;
    SinewQuat constant;
    int rolled, goal;
    for (rolled = 0; rolled < 2; ++rolled) {
        fresh(rolled);
        for (goal = 0; goal < 4; ++goal) {
            Quatd frame;
            EXPECT_OK(sinew_avatar_get_goal_constants(rig.avatar, goal, &constant, &height));
            /* The rig's rest pose is a T-pose: Z of a goal along toes or fingers, Y up. */
            frame = quatd_mul(orientation(ENDS[goal], rig.parents, rig.rest, &identity), from_quat(constant));
            CHECK(angle(quatd_rotate(frame, vec3d(0, 0, 1)), vec3d(ALONG[goal][0], ALONG[goal][1], ALONG[goal][2])) < 1e-3,
                  "goal %d: Z is not along the fingers", goal);
            CHECK(angle(quatd_rotate(frame, vec3d(0, 1, 0)), vec3d(0, 1, 0)) < 1e-3, "goal %d: Y is not up", goal);
            known = 0;
            if (goal < 2) {
                EXPECT_OK(goal == 0 ? sinew_animator_get_left_feet_bottom_height(animator, &known)
                                    : sinew_animator_get_right_feet_bottom_height(animator, &known));
                CHECK(known > 0.05f && known < 0.15f, "the sole is %g below the ankle", (double)known);
            }
            CHECK(height == known, "goal %d: %g, not %g", goal, (double)height, (double)known);
        }
        EXPECT_OK(sinew_avatar_get_human_scale(rig.avatar, &scale));
        EXPECT_OK(sinew_animator_get_human_scale(animator, &known));
        CHECK(scale == known && scale > 0.8f && scale < 1.2f, "human scale %g", (double)scale);
        done();
    }
}

/* --- animator ------------------------------------------------------------------------------ */

static void the_gaze_starts_between_the_eyes_and_goes_where_the_head_faces(void)
{
    SinewVec3 origin, direction;
    Affine world[RIG_JOINTS];
    SinewTransform root;
    Quatd rest, head;
    int rolled, k;
    for (rolled = 0; rolled < 2; ++rolled) {
        fresh(rolled);
        root = transform(vec3d(1, 2, -3), quatd_about(vec3d(0.2, 1, 0.3), 0.8), vec3d(1, 1, 1));
        EXPECT_OK(sinew_animator_set_root(animator, &root));
        rest = orientation(RIG_HEAD, rig.parents, rig.rest, &identity);
        for (k = 0; k < 5; ++k) {
            rig_bent_pose(&rig, 0.1 * k, pose);
            pose[RIG_LEFT_EYE] = rig.rest[RIG_LEFT_EYE];
            pose[RIG_RIGHT_EYE] = rig.rest[RIG_RIGHT_EYE];
            forward(RIG_JOINTS, rig.parents, pose, &root, world);
            head = quatd_mul(orientation(RIG_HEAD, rig.parents, pose, &root), quatd_conjugate(rest));
            EXPECT_OK(sinew_animator_get_gaze(animator, &origin, &direction));
            CHECK(near3(origin, mul(add(world[RIG_LEFT_EYE].at, world[RIG_RIGHT_EYE].at), 0.5), 1e-5), "pose %d: another origin", k);
            CHECK(angle(from_vec3(direction), quatd_rotate(head, vec3d(0, 0, 1))) < 1e-5, "pose %d: another direction", k);
            CHECK(fabs(length(from_vec3(direction)) - 1) < 1e-6, "the direction is not unit");
        }
        done();
    }
}

static void model_frames_are_those_of_forward_kinematics(void)
{
    static SinewModelFrame frames[RIG_JOINTS], plain[RIG_JOINTS], before[RIG_JOINTS];
    Affine model[RIG_JOINTS];
    int32_t parents[RIG_JOINTS];
    int scaled, j;
    for (scaled = 0; scaled < 2; ++scaled) {
        fresh(1);
        rig_bent_pose(&rig, 0.6, pose);
        if (scaled) {
            pose[RIG_SPINE].scale = to_vec3(vec3d(1.5, 0.5, -1.25));
            pose[RIG_LEFT_UPPER_LEG].scale = to_vec3(vec3d(2, 2, 2));
        }
        forward(RIG_JOINTS, rig.parents, pose, &identity, model);
        EXPECT_OK(sinew_animator_get_model_frames(animator, frames, RIG_JOINTS));
        EXPECT_OK(sinew_model_frames_compute(rig.parents, pose, RIG_JOINTS, plain));
        for (j = 0; j < RIG_JOINTS; ++j) {
            const SinewModelFrame *both[2] = {&frames[j], &plain[j]};
            int k;
            for (k = 0; k < 2; ++k) {
                CHECK(near3(both[k]->position, model[j].at, 3e-6), "joint %d, way %d: another position", j, k);
                CHECK(near3(both[k]->x_axis, model[j].x, 3e-6) && near3(both[k]->y_axis, model[j].y, 3e-6)
                          && near3(both[k]->z_axis, model[j].z, 3e-6), "joint %d, way %d: other axes", j, k);
                if (!scaled) {
                    CHECK(quatd_angle(from_quat(both[k]->rotation), orientation(j, rig.parents, pose, &identity)) < 3e-6,
                          "joint %d, way %d: another rotation", j, k);
                }
            }
        }
        memset(before, 0x5A, sizeof before);
        memcpy(plain, before, sizeof plain);
        memcpy(parents, rig.parents, sizeof parents);
        parents[5] = 5;
        EXPECT(SINEW_ERROR_INVALID_PARENT, sinew_model_frames_compute(parents, pose, RIG_JOINTS, plain));
        EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_model_frames_compute(rig.parents, pose, 0, plain));
        CHECK(memcmp(plain, before, sizeof plain) == 0, "refused, yet it wrote");
        done();
    }
}

static SinewOutcome solve_slowly(SinewConstraint chain, SinewWorld world)
{
    SinewOutcome outcome = {-1, 0, 0, 0};
    SinewWorldFrame frame;
    memcpy(pose, rig.rest, sizeof rig.rest);
    if (world.bits == 0) {
        EXPECT_OK(sinew_animator_solve(animator));
    } else {
        EXPECT_OK(sinew_world_frame_default(&frame));
        EXPECT_OK(sinew_world_solve(world, &frame, NULL));
    }
    EXPECT_OK(sinew_animator_get_constraint_outcome(animator, chain, &outcome));
    return outcome;
}

/* A chain that needs many sweeps makes as many as its scale allows, alone and in a world. */
static void the_iteration_scale_is_read_back_and_kept_by_worlds(void)
{
    const SinewWorld none = {0};
    SinewVec3 target = to_vec3(vec3d(0.2, 1.1, 0.5));
    SinewConstraint chain;
    SinewChainEnd end;
    SinewChainDef def;
    SinewWorld world;
    float scale = 7;
    uint32_t iterations;
    fresh(0);
    def = rig_chain_def(&end);
    def.joint_count = 4;
    def.solver = SINEW_CHAIN_SOLVER_CCD;
    def.flags = 0;
    def.max_iterations = 40;
    def.sweep_step_rad = 0.005f;
    EXPECT_OK(sinew_animator_add_chain(animator, &def, &chain));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, chain, 1));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, chain, 0, &target));
    EXPECT_OK(sinew_animator_get_iteration_scale(animator, &scale));
    CHECK(scale == 1, "the default is %g", (double)scale);
    iterations = solve_slowly(chain, none).iterations;
    CHECK(iterations == 40, "%u sweeps", iterations);
    EXPECT_OK(sinew_animator_set_iteration_scale(animator, 0.3f));
    EXPECT_OK(sinew_animator_get_iteration_scale(animator, &scale));
    CHECK(scale == 0.3f, "it is %g", (double)scale);
    iterations = solve_slowly(chain, none).iterations;
    CHECK(iterations == 12, "%u sweeps at 0.3", iterations);
    EXPECT_OK(sinew_world_create(&world));
    EXPECT_OK(sinew_world_join(world, animator, NULL));
    iterations = solve_slowly(chain, world).iterations;
    CHECK(iterations == 12, "%u sweeps in a world", iterations);
    EXPECT_OK(sinew_world_set_lod_iterations(world, animator, 0.5f));
    iterations = solve_slowly(chain, world).iterations;
    CHECK(iterations == 6, "%u sweeps at half the level", iterations);
    EXPECT_OK(sinew_animator_get_iteration_scale(animator, &scale));
    CHECK(scale == 0.3f, "the world left %g", (double)scale);
    EXPECT_OK(sinew_animator_set_iteration_scale(animator, 5));
    EXPECT_OK(sinew_animator_get_iteration_scale(animator, &scale));
    CHECK(scale == 1, "clamped to %g", (double)scale);
    EXPECT_OK(sinew_world_destroy(world));
    done();
}

/* --- chains as arrays ------------------------------------------------------------------------ */

enum { LINE = 6 };
typedef struct Line {
    int32_t parents[LINE];
    SinewTransform rest[LINE], pose[LINE];
    SinewJointLimits limits[LINE];
    SinewChainEnd end;
    SinewConstraintGoal goal;
    SinewChainJob job;
} Line;

/* Joints upwards, 0.25 m each, a little bent. */
static void line_make(Line *line, Vec3d goal)
{
    int j;
    memset(line, 0, sizeof *line);
    EXPECT_OK(sinew_chain_job_default(&line->job));
    EXPECT_OK(sinew_constraint_goal_default(&line->goal));
    for (j = 0; j < LINE; ++j) {
        line->parents[j] = j - 1;
        line->rest[j] = transform(vec3d(0, j == 0 ? 0.5 : 0.25, 0), quatd_about(vec3d(1, 0, 0.5), 0.1), vec3d(1, 1, 1));
        EXPECT_OK(sinew_joint_limits_default(&line->limits[j]));
    }
    memcpy(line->pose, line->rest, sizeof line->pose);
    line->end.joint = LINE - 1;
    line->goal.set = SINEW_CONSTRAINT_POSITION;
    line->goal.position = to_vec3(goal);
    line->job.joint_count = LINE;
    line->job.parents = line->parents;
    line->job.rest = line->rest;
    line->job.goals = &line->goal;
    line->job.def.ends = &line->end;
    line->job.def.end_count = 1;
}
static Vec3d line_tip(const Line *line)
{
    Affine model[LINE];
    forward(LINE, line->parents, line->pose, &identity, model);
    return model[LINE - 1].at;
}

static void chains_of_arrays_reach_with_every_solver(void)
{
    int solver, k;
    identity = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
    for (solver = 0; solver < 8; ++solver) {
        for (k = 0; k < 8; ++k) {
            Vec3d goal = add(vec3d(0, 0.5, 0), mul(normalize(vec3d(sin(k * 2.4), cos(k * 1.1), sin(k + 0.5))), 0.5 + 0.08 * k));
            SinewOutcome outcome = {-1, 0, 9, 9};
            Line line;
            line_make(&line, goal);
            line.job.def.solver = solver;
            EXPECT_OK(sinew_chain_solve(&line.job, line.pose, &outcome));
            CHECK(outcome.status == SINEW_STATUS_REACHED, "solver %d, goal %d: status %d", solver, k, (int)outcome.status);
            CHECK(distance(line_tip(&line), goal) < 1e-5, "solver %d, goal %d: %g m off", solver, k, distance(line_tip(&line), goal));
        }
    }
}

/* Same arrays, same bits: as a constraint on an animator, and after any other chains. */
static void chains_of_arrays_have_the_bits_of_constraints(void)
{
    Line line, again, other;
    SinewSkeletonDef skeleton_def;
    SinewAnimatorDef animator_def;
    SinewSkeleton skeleton;
    SinewAnimator alone;
    SinewConstraint chain;
    SinewOutcome outcome, constraint_outcome;
    SinewTransform *buffer;
    SinewPole pole;
    int k;
    line_make(&line, vec3d(0.5, 0.9, 0.2));
    for (k = 0; k < LINE; ++k) {
        line.limits[k].flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Z;
        line.limits[k].min_rad = to_vec3(vec3d(-0.7, 0, -0.7));
        line.limits[k].max_rad = to_vec3(vec3d(0.7, 0, 0.7));
    }
    line.job.limits = line.limits;
    EXPECT_OK(sinew_pole_default(&pole));
    pole.at = to_vec3(vec3d(0, 0.5, -3));
    line.job.pole = &pole;
    again = line;
    EXPECT_OK(sinew_skeleton_def_default(&skeleton_def));
    skeleton_def.joint_count = LINE;
    skeleton_def.parents = line.parents;
    skeleton_def.rest = line.rest;
    EXPECT_OK(sinew_skeleton_create(&skeleton_def, &skeleton));
    EXPECT_OK(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = skeleton;
    EXPECT_OK(sinew_animator_create(&animator_def, &alone));
    for (k = 0; k < LINE; ++k) {
        EXPECT_OK(sinew_animator_set_joint_limits(alone, (uint32_t)k, &line.limits[k]));
    }
    EXPECT_OK(sinew_animator_add_chain(alone, &line.job.def, &chain));
    EXPECT_OK(sinew_animator_set_constraint_weight(alone, chain, 1));
    EXPECT_OK(sinew_animator_set_constraint_goal(alone, chain, 0, &line.goal));
    EXPECT_OK(sinew_animator_set_constraint_pole(alone, chain, &pole));
    EXPECT_OK(sinew_animator_solve(alone));
    EXPECT_OK(sinew_animator_get_constraint_outcome(alone, chain, &constraint_outcome));
    EXPECT_OK(sinew_animator_get_pose_buffer(alone, &buffer, NULL));

    EXPECT_OK(sinew_chain_solve(&line.job, line.pose, &outcome));
    CHECK(memcmp(line.pose, buffer, sizeof line.pose) == 0, "other bits than the constraint");
    CHECK(memcmp(&outcome, &constraint_outcome, sizeof outcome) == 0, "another outcome than the constraint");
    CHECK(outcome.status == SINEW_STATUS_REACHED && distance(line_tip(&line), from_vec3(line.goal.position)) < 1e-5,
          "%g m off", distance(line_tip(&line), from_vec3(line.goal.position)));
    for (k = 0; k < 20; ++k) { /* more chains than a thread keeps */
        line_make(&other, vec3d(0.3, 0.8, 0.1));
        other.rest[2].position.y = 0.2f + 0.01f * (float)k;
        EXPECT_OK(sinew_chain_solve(&other.job, other.pose, NULL));
    }
    again.job.parents = again.parents;
    again.job.rest = again.rest;
    again.job.limits = again.limits;
    again.job.goals = &again.goal;
    again.job.def.ends = &again.end;
    EXPECT_OK(sinew_chain_solve(&again.job, again.pose, NULL));
    CHECK(memcmp(line.pose, again.pose, sizeof line.pose) == 0, "other bits the second time");
    EXPECT_OK(sinew_animator_destroy(alone));
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
}

static void bad_arrays_are_refused_and_the_pose_stays(void)
{
    static const Vec3d GOAL = {0.4, 0.9, 0.3};
    SinewTransform before[LINE];
    const char *text = "";
    Line line;
    line_make(&line, GOAL);
    memcpy(before, line.pose, sizeof before);
    line.parents[3] = 3;
    EXPECT(SINEW_ERROR_INVALID_PARENT, sinew_chain_solve(&line.job, line.pose, NULL));
    line.parents[3] = 2;
    line.end.joint = LINE;
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_chain_solve(&line.job, line.pose, NULL));
    line.end.joint = LINE - 1;
    line.job.def.flags |= SINEW_CHAIN_WARM_START;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_chain_solve(&line.job, line.pose, NULL));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "sinew_chain_solve") && strstr(text, "job.def.flags"), "the message is %s", text);
    line.job.def.flags &= ~SINEW_CHAIN_WARM_START;
    line.job.joint_count = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_chain_solve(&line.job, line.pose, NULL));
    line.job.joint_count = LINE;
    line.rest[1].rotation = to_quat(quatd(0, 0, 0, 0));
    EXPECT(SINEW_ERROR_INVALID_ROTATION, sinew_chain_solve(&line.job, line.pose, NULL));
    line.rest[1].rotation = before[1].rotation;
    line.limits[4].flags = SINEW_LIMIT_RANGE_X;
    line.limits[4].min_rad.x = 1;
    line.job.limits = line.limits;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_chain_solve(&line.job, line.pose, NULL));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "job.limits[4]") != NULL, "the message is %s", text);
    line.job.limits = NULL;
    line.goal.position.y = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_chain_solve(&line.job, line.pose, NULL));
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, "job.goals[0]") != NULL, "the message is %s", text);
    line.goal.position = to_vec3(GOAL);
    line.job.def.joint_count = LINE + 1;
    EXPECT(SINEW_ERROR_INVALID_CHAIN, sinew_chain_solve(&line.job, line.pose, NULL));
    line.job.def.joint_count = 0;
    line.job.struct_size -= 8;
    EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_chain_solve(&line.job, line.pose, NULL));
    line.job.struct_size += 8;
    CHECK(memcmp(before, line.pose, sizeof before) == 0, "refused, yet the pose changed");
    line.pose[2].position.z = (float)INFINITY;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_chain_solve(&line.job, line.pose, NULL));
    line.pose[2] = before[2];
    EXPECT_OK(sinew_chain_solve(&line.job, line.pose, NULL));
    CHECK(memcmp(before, line.pose, sizeof before) != 0, "the pose did not change");
}

int main(void)
{
    RUN(a_mapping_reports_joints_evidence_and_axes);
    RUN(hints_decide_what_names_do_not);
    RUN(a_rig_that_is_no_body_is_reported_as_such);
    RUN(the_text_of_a_mapping_has_a_line_per_bone);
    RUN(an_avatar_returns_its_t_pose_and_ranges);
    RUN(an_avatar_returns_the_constants_of_its_goals);
    RUN(the_gaze_starts_between_the_eyes_and_goes_where_the_head_faces);
    RUN(model_frames_are_those_of_forward_kinematics);
    RUN(the_iteration_scale_is_read_back_and_kept_by_worlds);
    RUN(chains_of_arrays_reach_with_every_solver);
    RUN(chains_of_arrays_have_the_bits_of_constraints);
    RUN(bad_arrays_are_refused_and_the_pose_stays);
    return check_report();
}
