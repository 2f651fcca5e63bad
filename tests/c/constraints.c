/* Constraints and joint limits on any rig, judged by this program's own forward kinematics; what
 * they refuse and in which words; and that this host leaves the bits of the others. */
#include "calls.h"
#include "tail.h"

static SinewAnimator animator; /* of the tail rig, without avatar */
static SinewSkeleton skeleton;
static SinewTransform rest[TAIL_JOINTS], *pose;
static const SinewTransform HOME = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

static SinewAnimator another(void)
{
    SinewAnimatorDef def;
    SinewAnimator made = {0};
    EXPECT_OK(sinew_animator_def_default(&def));
    def.skeleton = skeleton;
    EXPECT_OK(sinew_animator_create(&def, &made));
    return made;
}
static void fresh(void)
{
    SinewSkeletonDef def;
    EXPECT_OK(sinew_skeleton_def_default(&def));
    tail_rest(rest);
    def.joint_count = TAIL_JOINTS;
    def.parents = TAIL_PARENTS;
    def.rest = rest;
    EXPECT_OK(sinew_skeleton_create(&def, &skeleton));
    animator = another();
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
}

static SinewChainDef chain_def(SinewChainEnd *end)
{
    SinewChainDef def;
    EXPECT_OK(sinew_chain_def_default(&def));
    memset(end, 0, sizeof *end);
    end->joint = TAIL_TIP;
    end->tip.y = 0.125f;
    def.ends = end;
    def.end_count = 1;
    def.joint_count = 8;
    return def;
}
static SinewConstraint add_tail(SinewAnimator to)
{
    SinewChainEnd end;
    SinewChainDef def = chain_def(&end);
    SinewConstraint made = {0};
    EXPECT_OK(sinew_animator_add_chain(to, &def, &made));
    EXPECT_OK(sinew_animator_set_constraint_weight(to, made, 1.0f));
    return made;
}
static SinewConstraint add_limb(SinewAnimator to)
{
    SinewTwoBoneDef def;
    SinewConstraint made = {0};
    EXPECT_OK(sinew_two_bone_def_default(&def));
    def.end = TAIL_LIMB;
    EXPECT_OK(sinew_animator_add_two_bone(to, &def, &made));
    EXPECT_OK(sinew_animator_set_constraint_weight(to, made, 1.0f));
    return made;
}
/* A point of a joint in world space. */
static Vec3d point_of(int joint, Vec3d own)
{
    Affine world[TAIL_JOINTS];
    forward(TAIL_JOINTS, TAIL_PARENTS, pose, &HOME, world);
    return affine_point(&world[joint], own);
}
static Vec3d tip(void) { return point_of(TAIL_TIP, vec3d(0, 0.125, 0)); }
static SinewOutcome outcome_of(SinewConstraint constraint)
{
    SinewOutcome outcome = {-1, 0, -1, -1};
    EXPECT_OK(sinew_animator_get_constraint_outcome(animator, constraint, &outcome));
    return outcome;
}
static void expect_error_text(const char *function, const char *argument, const char *value)
{
    const char *text = "";
    EXPECT_OK(sinew_last_error(&text));
    CHECK(strstr(text, function) && strstr(text, argument) && strstr(text, value), "\"%s\" names not %s, %s, %s", text, function,
          argument, value);
}

/* --- handles --------------------------------------------------------------------------------- */

/* A tail that is bent already. */
static void bend_rest_pose(void)
{
    int j;
    for (j = 1; j <= TAIL_TIP; ++j) {
        pose[j].rotation = to_quat(quatd_about(vec3d(1, 0, 0), 0.2));
    }
}

static void a_constraint_belongs_to_one_animator_and_ends_with_it(void)
{
    SinewAnimator other;
    SinewConstraint mine, theirs, removed, bad[6];
    SinewVec3 at = {1, 1, 1};
    uint32_t ends = 9;
    int k;
    fresh();
    other = another();
    mine = add_tail(animator), theirs = add_tail(other), removed = add_tail(animator);
    CHECK(mine.bits != theirs.bits && mine.bits != 0 && mine.bits != animator.bits, "two share a handle");
    EXPECT_OK(sinew_animator_remove_constraint(animator, removed));
    bad[0].bits = 0;
    bad[1] = removed;
    bad[2] = theirs;
    bad[3].bits = animator.bits;
    bad[4].bits = 0x123456789abcdef0u;
    bad[5].bits = mine.bits & 0xffffffffffffffu; /* the right number without the kind */
    for (k = 0; k < 6; ++k) {
        EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_set_constraint_position(animator, bad[k], 0, &at));
        expect_error_text("sinew_animator_set_constraint_position", "constraint 0x", "");
        EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_get_constraint_end_count(animator, bad[k], &ends));
        EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_remove_constraint(animator, bad[k]));
    }
    CHECK(ends == 9, "an out-parameter was written");
    EXPECT_OK(sinew_animator_destroy(other));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_set_constraint_weight(other, theirs, 1.0f));
    EXPECT_OK(sinew_animator_get_constraint_end_count(animator, mine, &ends));
    CHECK(ends == 1, "%u ends", ends);
    for (k = 0; k < 1000; ++k) { /* a removed handle stays stale, however many come after it */
        SinewConstraint next = add_limb(animator);
        CHECK(next.bits != removed.bits && next.bits != mine.bits, "a handle was given out again");
        EXPECT_OK(sinew_animator_remove_constraint(animator, next));
    }
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_set_constraint_weight(animator, removed, 1.0f));
    done();
}

/* --- results --------------------------------------------------------------------------------- */

static void chains_reach_with_every_solver_on_a_rig_without_avatar(void)
{
    int solver, frame;
    fresh();
    for (solver = SINEW_CHAIN_SOLVER_DEFAULT; solver <= SINEW_CHAIN_SOLVER_SPRING; ++solver) {
        SinewChainEnd end;
        SinewChainDef def = chain_def(&end);
        SinewConstraint chain = {0};
        def.solver = solver;
        EXPECT_OK(sinew_animator_add_chain(animator, &def, &chain));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, chain, 1.0f));
        for (frame = 0; frame < TAIL_FRAMES; ++frame) {
            SinewVec3 at = tail_goal(frame);
            double off;
            EXPECT_OK(sinew_animator_reset_pose(animator));
            pose[2].rotation = tail_wag(frame);
            if (solver == SINEW_CHAIN_SOLVER_SPRING) { /* which opens and closes the bends there are */
                bend_rest_pose();
            }
            EXPECT_OK(sinew_animator_set_constraint_position(animator, chain, 0, &at));
            EXPECT_OK(sinew_animator_solve(animator));
            off = distance(tip(), from_vec3(at));
            CHECK(off < 2e-5, "solver %d, frame %d: %g m off", solver, frame, off);
            CHECK(outcome_of(chain).status == SINEW_STATUS_REACHED && fabs(outcome_of(chain).residual_m - off) < 2e-6,
                  "solver %d, frame %d: status %d, %g m; measured %g m", solver, frame, outcome_of(chain).status,
                  (double)outcome_of(chain).residual_m, off);
        }
        EXPECT_OK(sinew_animator_remove_constraint(animator, chain));
    }
    done();
}

static void rotation_axis_and_tree_goals_are_met(void)
{
    SinewChainEnd ends[2];
    SinewChainDef def;
    SinewConstraint tail, tree = {0};
    SinewVec3 at = {0.5f, 2.25f, 0.5f}, axis = {0, 3, 0}, direction = {2, 0, 0}, second = {1.0f, 1.25f, 0.25f};
    SinewQuat turned = to_quat(quatd_about(vec3d(1, 0, 1), 0.8));
    uint32_t count = 0;
    fresh();
    tail = add_tail(animator);
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &at));
    EXPECT_OK(sinew_animator_set_constraint_rotation(animator, tail, 0, &turned));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(distance(tip(), from_vec3(at)) < 2e-5, "%g m off", distance(tip(), from_vec3(at)));
    CHECK(quatd_angle(orientation(TAIL_TIP, TAIL_PARENTS, pose, &HOME), from_quat(turned)) < 1e-4, "not turned");
    EXPECT_OK(sinew_animator_clear_constraint_goal(animator, tail, 0));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &at));
    EXPECT_OK(sinew_animator_set_constraint_axis(animator, tail, 0, &axis, &direction));
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(distance(tip(), from_vec3(at)) < 2e-5, "%g m off", distance(tip(), from_vec3(at)));
    CHECK(angle(sub(tip(), point_of(TAIL_TIP, vec3d(0, 0, 0))), vec3d(1, 0, 0)) < 1e-4, "the axis points elsewhere");

    EXPECT_OK(sinew_animator_set_constraint_weight(animator, tail, 0.0f));
    memset(ends, 0, sizeof ends);
    ends[0].joint = TAIL_TIP, ends[1].joint = TAIL_LIMB;
    EXPECT_OK(sinew_chain_def_default(&def));
    def.ends = ends;
    def.end_count = 2;
    EXPECT_OK(sinew_animator_add_chain(animator, &def, &tree));
    EXPECT_OK(sinew_animator_get_constraint_end_count(animator, tree, &count));
    CHECK(count == 2, "%u ends", count);
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, tree, 1.0f));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tree, 0, &at));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tree, 1, &second));
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_animator_set_constraint_position(animator, tree, 2, &second));
    expect_error_text("sinew_animator_set_constraint_position", "end is 2", "has 2");
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(distance(point_of(TAIL_TIP, vec3d(0, 0, 0)), from_vec3(at)) < 2e-5, "the first end is off");
    CHECK(distance(point_of(TAIL_LIMB, vec3d(0, 0, 0)), from_vec3(second)) < 2e-5, "the second end is off");
    done();
}

static void a_chain_in_a_plane_stays_in_it(void)
{
    SinewChainEnd end;
    SinewChainDef def;
    SinewConstraint chain = {0};
    SinewVec3 at = {1.0f, 2.0f, 7.0f};
    fresh();
    def = chain_def(&end);
    def.flags |= SINEW_CHAIN_PLANE;
    def.plane_axis.z = 2;
    EXPECT_OK(sinew_animator_add_chain(animator, &def, &chain));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, chain, 1.0f));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, chain, 0, &at));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(fabs(tip().z) < 1e-5 && hypot(tip().x - 1, tip().y - 2) < 2e-5, "the tip is at %g %g %g", tip().x, tip().y, tip().z);
    done();
}

static void distances_are_kept(void)
{
    static const struct {
        int32_t mode;
        double least, most;
    } MODES[] = {{SINEW_DISTANCE_MODE_INSIDE, 0, 0.5}, {SINEW_DISTANCE_MODE_ON, 0.5, 0.5}, {SINEW_DISTANCE_MODE_OUTSIDE, 0.5, 9}};
    SinewVec3 centres[2] = {{0.75f, 2.5f, 0}, {0, 3.0f, 0.125f}}; /* the tip stands at 0 3.125 0: outside, inside */
    SinewConstraint tail;
    int m, c;
    fresh();
    tail = add_tail(animator);
    for (m = 0; m < 3; ++m) {
        for (c = 0; c < 2; ++c) {
            double away;
            EXPECT_OK(sinew_animator_reset_pose(animator));
            EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &centres[c]));
            EXPECT_OK(sinew_animator_set_constraint_distance(animator, tail, 0, MODES[m].mode, 0.5f));
            EXPECT_OK(sinew_animator_solve(animator));
            away = distance(tip(), from_vec3(centres[c]));
            CHECK(away > MODES[m].least - 2e-5 && away < MODES[m].most + 2e-5, "mode %d: %g m away", MODES[m].mode, away);
        }
    }
    EXPECT_OK(sinew_animator_set_constraint_distance(animator, tail, 0, SINEW_DISTANCE_MODE_NONE, -1.0f));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(distance(tip(), from_vec3(centres[1])) < 2e-5, "no sphere any more, yet not there");
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_distance(animator, tail, 0, 1, -0.5f));
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_animator_set_constraint_distance(animator, tail, 1, 1, 0.5f));
    done();
}

static void a_limb_bends_to_its_pole_and_a_pole_in_place_changes_nothing(void)
{
    SinewTransform plain[TAIL_JOINTS];
    SinewConstraint limb, tail;
    SinewVec3 at = {0.9f, 0.8f, 0.2f};
    SinewPole pole, read;
    Vec3d line, elbow, wanted;
    uint32_t set = 9;
    float in_place = 99;
    int j;
    fresh();
    limb = add_limb(animator);
    EXPECT_OK(sinew_animator_set_constraint_position(animator, limb, 0, &at));
    EXPECT_OK(sinew_animator_solve(animator));
    memcpy(plain, pose, sizeof plain);
    EXPECT_OK(sinew_animator_get_constraint_pole(animator, limb, &read, &set));
    CHECK(set == 0 && read.weight == 1.0f, "a pole that nobody set");
    EXPECT_OK(sinew_pole_default(&pole));
    pole.at.x = 0.5f, pole.at.y = 2.0f, pole.at.z = 1.0f;
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, limb, &pole));
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(distance(point_of(TAIL_LIMB, vec3d(0, 0, 0)), from_vec3(at)) < 1e-5, "a pole moved the end");
    line = normalize(sub(from_vec3(at), point_of(9, vec3d(0, 0, 0))));
    elbow = sub(point_of(10, vec3d(0, 0, 0)), point_of(9, vec3d(0, 0, 0)));
    wanted = sub(from_vec3(pole.at), point_of(9, vec3d(0, 0, 0)));
    elbow = sub(elbow, mul(line, dot(line, elbow)));
    wanted = sub(wanted, mul(line, dot(line, wanted)));
    CHECK(angle(elbow, wanted) < 1e-3, "the elbow is %g rad off the pole", angle(elbow, wanted));

    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_compute_pole_angle(animator, limb, &pole, &in_place));
    CHECK(fabs(in_place) > 0.1 && fabs(in_place) < 3.2, "in place at %g rad", (double)in_place);
    pole.angle_rad = in_place;
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, limb, &pole));
    EXPECT_OK(sinew_animator_get_constraint_pole(animator, limb, &read, &set));
    CHECK(set == 1 && memcmp(&read, &pole, sizeof pole) == 0, "the pole came back changed");
    EXPECT_OK(sinew_animator_solve(animator));
    for (j = 0; j < TAIL_JOINTS; ++j) {
        CHECK(quatd_angle(from_quat(plain[j].rotation), from_quat(pose[j].rotation)) < 1e-3, "joint %d moved", j);
    }
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, limb, NULL));
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(memcmp(plain, pose, sizeof plain) == 0, "without the pole it is not as before");

    /* A direction and a reference, on a chain: the reference side faces the direction. */
    tail = add_tail(animator);
    at.x = 0.5f, at.y = 2.0f, at.z = 0;
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &at));
    EXPECT_OK(sinew_pole_default(&pole));
    pole.flags = SINEW_POLE_DIRECTION | SINEW_POLE_REFERENCE;
    pole.at.z = 4;
    pole.reference.x = 1;
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, tail, &pole));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(distance(tip(), from_vec3(at)) < 2e-5, "%g m off", distance(tip(), from_vec3(at)));
    EXPECT_OK(sinew_animator_compute_pole_angle(animator, tail, &pole, &in_place));
    CHECK(isfinite(in_place), "%g", (double)in_place);
    pole.at.z = 0;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_pole(animator, tail, &pole));
    expect_error_text("sinew_animator_set_constraint_pole", "pole.at", "no length");
    pole.flags = 4;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_pole(animator, tail, &pole));
    done();
}

static void a_copied_rotation_follows_goal_or_joint(void)
{
    SinewCopyRotationDef def;
    SinewConstraint copy = {0};
    Quatd wanted = quatd_about(vec3d(1, 2, 0), 1.0);
    SinewQuat turned = to_quat(wanted);
    fresh();
    EXPECT_OK(sinew_copy_rotation_def_default(&def));
    def.joint = TAIL_COPY;
    def.source = 2;
    EXPECT_OK(sinew_animator_add_copy_rotation(animator, &def, &copy));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, copy, 1.0f));
    pose[2].rotation = to_quat(quatd_about(vec3d(0, 1, 0), 0.6));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(quatd_angle(orientation(TAIL_COPY, TAIL_PARENTS, pose, &HOME), from_quat(pose[2].rotation)) < 1e-5, "not the source's");
    EXPECT_OK(sinew_animator_set_constraint_rotation(animator, copy, 0, &turned));
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(quatd_angle(orientation(TAIL_COPY, TAIL_PARENTS, pose, &HOME), wanted) < 1e-5, "not the goal's");
    done();
}

static void an_aim_points_at_its_target_and_its_pole_rolls_it(void)
{
    const float weights[3] = {0.25f, 0.25f, 0.5f};
    SinewAimDef def;
    SinewConstraint aim = {0};
    SinewVec3 at = {1, 4, 2};
    SinewPole pole;
    Vec3d along, up;
    SinewTransform plain[TAIL_JOINTS];
    float in_place = 99;
    int j;
    fresh();
    EXPECT_OK(sinew_aim_def_default(&def));
    def.end = TAIL_TIP;
    def.joint_count = 3;
    def.weights = weights;
    def.weight_count = 3;
    def.axis = to_vec3(vec3d(0, 2, 0));
    def.up = to_vec3(vec3d(0, 0, 1));
    EXPECT_OK(sinew_animator_add_aim(animator, &def, &aim));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, aim, 1.0f));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, aim, 0, &at));
    EXPECT_OK(sinew_animator_solve(animator));
    along = sub(point_of(TAIL_TIP, vec3d(0, 1, 0)), point_of(TAIL_TIP, vec3d(0, 0, 0)));
    CHECK(angle(along, sub(from_vec3(at), point_of(TAIL_TIP, vec3d(0, 0, 0)))) < 1e-4, "it points %g rad aside",
          angle(along, sub(from_vec3(at), point_of(TAIL_TIP, vec3d(0, 0, 0)))));
    CHECK(outcome_of(aim).status == SINEW_STATUS_REACHED && outcome_of(aim).residual_rad < 1e-4, "status %d", outcome_of(aim).status);
    CHECK(quatd_angle(from_quat(pose[6].rotation), quatd(0, 0, 0, 1)) > 0.05, "the first joint took no share");
    memcpy(plain, pose, sizeof plain);
    EXPECT_OK(sinew_pole_default(&pole));
    pole.at = to_vec3(vec3d(5, 1, -3));
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, aim, &pole));
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_solve(animator));
    along = normalize(sub(point_of(TAIL_TIP, vec3d(0, 1, 0)), point_of(TAIL_TIP, vec3d(0, 0, 0))));
    up = sub(point_of(TAIL_TIP, vec3d(0, 0, 1)), point_of(TAIL_TIP, vec3d(0, 0, 0)));
    {
        Vec3d wanted = sub(from_vec3(pole.at), point_of(TAIL_TIP, vec3d(0, 0, 0)));
        wanted = sub(wanted, mul(along, dot(along, wanted)));
        CHECK(angle(up, wanted) < 1e-3, "up is %g rad off the pole", angle(up, wanted));
    }
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_compute_pole_angle(animator, aim, &pole, &in_place));
    pole.angle_rad = in_place;
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, aim, &pole));
    EXPECT_OK(sinew_animator_solve(animator));
    for (j = 0; j < TAIL_JOINTS; ++j) {
        CHECK(quatd_angle(from_quat(plain[j].rotation), from_quat(pose[j].rotation)) < 1e-3, "joint %d moved", j);
    }
    done();
}

static void a_spline_puts_its_joints_on_the_curve(void)
{
    SinewSplineDef def;
    SinewConstraint spline = {0};
    SinewVec3 points[3] = {{0.25f, 1.25f, 0}, {0.75f, 2.0f, 0.25f}, {0.25f, 2.75f, 0.5f}};
    uint32_t ends = 0, k;
    int j;
    fresh();
    EXPECT_OK(sinew_spline_def_default(&def));
    def.end = TAIL_TIP;
    def.joint_count = 8;
    def.point_count = 3;
    EXPECT_OK(sinew_animator_add_spline(animator, &def, &spline));
    EXPECT_OK(sinew_animator_get_constraint_end_count(animator, spline, &ends));
    CHECK(ends == 3, "%u ends", ends);
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, spline, 1.0f));
    for (k = 0; k < 3; ++k) {
        EXPECT_OK(sinew_animator_set_constraint_position(animator, spline, k, &points[k]));
    }
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(outcome_of(spline).status == SINEW_STATUS_REACHED && outcome_of(spline).residual_m < 1e-4f, "status %d, %g m",
          outcome_of(spline).status, (double)outcome_of(spline).residual_m);
    CHECK(distance(point_of(1, vec3d(0, 0, 0)), from_vec3(points[0])) < 1e-5, "the chain does not begin at the first point");
    for (j = 2; j <= TAIL_TIP; ++j) { /* the curve bulges to +x between its ends, and no bone changes length */
        Vec3d at = point_of(j, vec3d(0, 0, 0));
        CHECK(fabs(distance(at, point_of(j - 1, vec3d(0, 0, 0))) - 0.25) < 1e-5, "bone %d changed its length", j);
        CHECK(at.x > 0.24 && at.x < 0.85 && at.z > -0.05 && at.z < 0.55, "joint %d is at %g %g %g", j, at.x, at.y, at.z);
    }
    done();
}

static void constraints_are_solved_in_the_order_they_were_added_after_the_humanoid_steps(void)
{
    Rig rig;
    SinewAnimator human;
    SinewConstraint first, second = {0};
    SinewChainEnd end;
    SinewChainDef def = rig_chain_def(&end);
    SinewVec3 goal = {0.3f, 1.2f, 0.4f}, one = {0.4f, 1.1f, 0.3f}, two = {0.35f, 1.3f, 0.35f}, at;
    rig_make(&rig, 1);
    human = rig_animator(&rig);
    first = rig_constraint(human);
    EXPECT_OK(sinew_animator_add_chain(human, &def, &second));
    EXPECT_OK(sinew_animator_set_ik_position(human, SINEW_IK_GOAL_RIGHT_HAND, &goal));
    EXPECT_OK(sinew_animator_set_ik_position_weight(human, SINEW_IK_GOAL_RIGHT_HAND, 1.0f));
    EXPECT_OK(sinew_animator_solve(human));
    EXPECT_OK(sinew_animator_get_joint_world(human, RIG_RIGHT_HAND, &at, NULL));
    CHECK(distance(from_vec3(at), from_vec3(goal)) < 1e-5, "without goals a constraint did something");
    EXPECT_OK(sinew_animator_set_constraint_position(human, first, 0, &one));
    EXPECT_OK(sinew_animator_set_constraint_position(human, second, 0, &two));
    EXPECT_OK(sinew_animator_reset_pose(human));
    EXPECT_OK(sinew_animator_solve(human));
    EXPECT_OK(sinew_animator_get_joint_world(human, RIG_RIGHT_HAND, &at, NULL));
    CHECK(distance(from_vec3(at), from_vec3(one)) < 1e-5, "the constraint is not solved after the hand's goal");
    EXPECT_OK(sinew_animator_set_constraint_weight(human, second, 1.0f));
    EXPECT_OK(sinew_animator_reset_pose(human));
    EXPECT_OK(sinew_animator_solve(human));
    EXPECT_OK(sinew_animator_get_joint_world(human, RIG_RIGHT_HAND, &at, NULL));
    CHECK(distance(from_vec3(at), from_vec3(two)) < 1e-5, "the constraint added last does not win");
    EXPECT_OK(sinew_animator_destroy(human));
    rig_free(&rig);
}

static void at_weight_0_constraints_leave_the_pose_bit_for_bit(void)
{
    SinewTransform before[TAIL_JOINTS];
    SinewConstraint tail, limb;
    SinewVec3 at = {0.5f, 2.0f, 0.25f};
    fresh();
    tail = add_tail(animator), limb = add_limb(animator);
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &at));
    EXPECT_OK(sinew_animator_set_constraint_position(animator, limb, 0, &at));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, tail, 0.0f));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, limb, 0.0f));
    pose[2].rotation = tail_wag(7);
    pose[5].rotation.x = -0.0f;
    memcpy(before, pose, sizeof before);
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(memcmp(before, pose, sizeof before) == 0, "the pose changed");
    CHECK(outcome_of(tail).status == SINEW_STATUS_INACTIVE, "status %d", outcome_of(tail).status);
    done();
}

/* --- goals ----------------------------------------------------------------------------------- */

static void a_whole_goal_equals_single_setters_and_what_is_read_can_be_set_again(void)
{
    SinewAnimator other;
    SinewConstraint mine, theirs;
    SinewConstraintGoal goal, read, empty;
    SinewTransform single[TAIL_JOINTS], whole[TAIL_JOINTS];
    float weight = 9;
    fresh();
    other = another();
    mine = add_tail(animator), theirs = add_tail(other);
    EXPECT_OK(sinew_constraint_goal_default(&goal));
    empty = goal;
    goal.set = SINEW_CONSTRAINT_POSITION | SINEW_CONSTRAINT_AXIS;
    goal.position = tail_goal(3);
    goal.axis.y = 1, goal.direction.x = 1;
    goal.position_weight = 0.75f, goal.rotation_weight = 0.5f;
    goal.position_importance = 0.25f, goal.rotation_importance = 0.125f;
    goal.distance_mode = SINEW_DISTANCE_MODE_ON, goal.radius = 0.25f;
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, mine, 0, &goal));
    EXPECT_OK(sinew_animator_set_constraint_position(other, theirs, 0, &goal.position));
    EXPECT_OK(sinew_animator_set_constraint_axis(other, theirs, 0, &goal.axis, &goal.direction));
    EXPECT_OK(sinew_animator_set_constraint_position_weight(other, theirs, 0, 0.75f));
    EXPECT_OK(sinew_animator_set_constraint_rotation_weight(other, theirs, 0, 0.5f));
    EXPECT_OK(sinew_animator_set_constraint_importance(other, theirs, 0, 0.25f, 0.125f));
    EXPECT_OK(sinew_animator_set_constraint_distance(other, theirs, 0, SINEW_DISTANCE_MODE_ON, 0.25f));
    EXPECT_OK(sinew_animator_get_constraint_goal(other, theirs, 0, &read));
    CHECK(memcmp(&read, &goal, sizeof goal) == 0, "single setters give another goal");
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_solve(other));
    EXPECT_OK(sinew_animator_get_pose(animator, whole, TAIL_JOINTS));
    EXPECT_OK(sinew_animator_get_pose(other, single, TAIL_JOINTS));
    CHECK(memcmp(single, whole, sizeof whole) == 0 && memcmp(whole, rest, sizeof whole) != 0, "other bits");
    EXPECT_OK(sinew_animator_clear_constraint_goal(animator, mine, 0));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, mine, 0, &read));
    CHECK(memcmp(&read, &empty, sizeof read) == 0, "clearing left something");
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, mine, 7.0f));
    EXPECT_OK(sinew_animator_get_constraint_weight(animator, mine, &weight));
    CHECK(weight == 1.0f, "7 became %g", (double)weight);
    goal.position_weight = -3, goal.rotation_weight = 1e30f;
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, mine, 0, &goal));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, mine, 0, &read));
    CHECK(read.position_weight == 0.0f && read.rotation_weight == 1.0f, "weights are not limited");
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_constraint_importance(animator, mine, 0, (float)NAN, 1.0f));
    EXPECT_OK(sinew_animator_set_constraint_importance(animator, mine, 0, -5.0f, 0.001f));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, mine, 0, &read));
    CHECK(read.position_importance == 0.01f && read.rotation_importance == 0.01f, "importances below 0.01");
    goal.position_importance = 0, goal.rotation_importance = 7;
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, mine, 0, &goal));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, mine, 0, &read));
    CHECK(read.position_importance == 0.01f && read.rotation_importance == 1.0f, "importances of a goal");
    /* What is not flagged does not matter. */
    goal.set = 0;
    goal.distance_mode = SINEW_DISTANCE_MODE_NONE;
    goal.position.x = goal.rotation.w = goal.axis.z = goal.radius = (float)NAN;
    goal.position_weight = goal.rotation_weight = goal.position_importance = goal.rotation_importance = 1;
    EXPECT_OK(sinew_animator_set_constraint_goal(animator, mine, 0, &goal));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, mine, 0, &read));
    CHECK(memcmp(&read, &empty, sizeof read) == 0, "it kept numbers that were not given");
    EXPECT_OK(sinew_animator_destroy(other));
    done();
}

static void bad_goals_are_refused_and_nothing_changes(void)
{
    SinewConstraint tail;
    SinewConstraintGoal goal, before, after;
    SinewVec3 zero = {0, 0, 0}, up = {0, 1, 0};
    fresh();
    tail = add_tail(animator);
    EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &up));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, tail, 0, &before));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_axis(animator, tail, 0, &zero, &up));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_axis(animator, tail, 0, &up, &zero));
    expect_error_text("sinew_animator_set_constraint_axis", "direction", "no length");
    up.y = (float)NAN;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_constraint_axis(animator, tail, 0, &up, &zero));
    EXPECT_OK(sinew_constraint_goal_default(&goal));
    goal.set = 8;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_goal(animator, tail, 0, &goal));
    expect_error_text("sinew_animator_set_constraint_goal", "goal.set", "0x8");
    goal.set = 0, goal.distance_mode = 4;
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_animator_set_constraint_goal(animator, tail, 0, &goal));
    goal.distance_mode = SINEW_DISTANCE_MODE_INSIDE, goal.radius = -1;
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_constraint_goal(animator, tail, 0, &goal));
    goal.radius = (float)INFINITY;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_constraint_goal(animator, tail, 0, &goal));
    goal.radius = 1, goal.struct_size = 4;
    EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_animator_set_constraint_goal(animator, tail, 0, &goal));
    EXPECT_OK(sinew_animator_get_constraint_goal(animator, tail, 0, &after));
    CHECK(memcmp(&before, &after, sizeof before) == 0, "a refused call changed the goal");
    done();
}

/* A limb that is straight at rest has no defined bend side: the library reports it on request. */
static void a_straight_limb_without_bend_side_reports_an_arbitrary_bend(void)
{
    SinewConstraint bent, straight, sided, tail;
    SinewTwoBoneDef def;
    uint32_t is_arbitrary[4];
    fresh();
    bent = add_limb(animator);
    tail = add_tail(animator);
    EXPECT_OK(sinew_two_bone_def_default(&def));
    def.end = 3; /* of the tail, which is straight at rest */
    EXPECT_OK(sinew_animator_add_two_bone(animator, &def, &straight));
    def.bend_side.z = 1;
    EXPECT_OK(sinew_animator_add_two_bone(animator, &def, &sided));
    EXPECT_OK(sinew_animator_get_constraint_bend_is_arbitrary(animator, bent, &is_arbitrary[0]));
    EXPECT_OK(sinew_animator_get_constraint_bend_is_arbitrary(animator, straight, &is_arbitrary[1]));
    EXPECT_OK(sinew_animator_get_constraint_bend_is_arbitrary(animator, sided, &is_arbitrary[2]));
    EXPECT_OK(sinew_animator_get_constraint_bend_is_arbitrary(animator, tail, &is_arbitrary[3]));
    CHECK(!is_arbitrary[0] && is_arbitrary[1] && !is_arbitrary[2] && !is_arbitrary[3], "%u %u %u %u", is_arbitrary[0],
          is_arbitrary[1], is_arbitrary[2], is_arbitrary[3]);
    done();
}

static void bad_definitions_are_refused_with_a_message(void)
{
    SinewChainEnd end, many[17];
    SinewChainDef chain;
    SinewTwoBoneDef limb;
    SinewCopyRotationDef copy;
    SinewConstraint out = {77};
    int k;
    fresh();
#define REFUSED_CHAIN(code, change, word, value)                                \
    chain = chain_def(&end);                                                    \
    change;                                                                     \
    EXPECT(code, sinew_animator_add_chain(animator, &chain, &out));             \
    expect_error_text("sinew_animator_add_chain", word, value)
    REFUSED_CHAIN(SINEW_ERROR_STRUCT_SIZE, chain.struct_size += 4, "def.struct_size", "default function");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.end_count = 0, "def.end_count", "0");
    for (k = 0; k < 17; ++k) {
        memset(&many[k], 0, sizeof many[k]);
        many[k].joint = TAIL_TIP;
    }
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, (chain.end_count = 17, chain.ends = many), "def.end_count", "17");
    REFUSED_CHAIN(SINEW_ERROR_NULL_POINTER, chain.ends = NULL, "def.ends", "NULL");
    REFUSED_CHAIN(SINEW_ERROR_OUT_OF_RANGE, end.joint = TAIL_JOINTS, "def.ends[0].joint", "13");
    REFUSED_CHAIN(SINEW_ERROR_NOT_FINITE, end.tip.z = (float)NAN, "def.ends[0].tip.z", "");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, end.tip.z = 1e30f, "def", "too large");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_CHAIN, chain.joint_count = 10, "10 joints", "9");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_CHAIN, (many[1].joint = TAIL_LIMB, chain.end_count = 2, chain.ends = many), "joint 11",
                  "joint 1");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ENUM, chain.solver = 99, "def.solver", "99");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ENUM, chain.solver = -1, "def.solver", "-1");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.flags = 16, "def.flags", "0x10");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.tolerance = 0, "def.tolerance", "0");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.tolerance_rad = -1, "def.tolerance_rad", "-1");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.max_iterations = 0, "def.max_iterations", "0");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.max_attempts = 10001, "def.max_attempts", "10001");
    REFUSED_CHAIN(SINEW_ERROR_NOT_FINITE, chain.damping = (float)INFINITY, "def.damping", "inf");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.max_step_rad = 0, "def.max_step_rad", "0");
    REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.flags |= SINEW_CHAIN_PLANE, "def.plane_axis", "no length");
    REFUSED_CHAIN(SINEW_ERROR_NOT_FINITE, (chain.flags |= SINEW_CHAIN_PLANE, chain.plane_axis.x = (float)NAN), "def.plane_axis.x",
                  "");
#define REFUSED_LIMB(code, change, word, value)                                 \
    EXPECT_OK(sinew_two_bone_def_default(&limb));                               \
    limb.end = TAIL_LIMB;                                                       \
    change;                                                                     \
    EXPECT(code, sinew_animator_add_two_bone(animator, &limb, &out));           \
    expect_error_text("sinew_animator_add_two_bone", word, value)
    REFUSED_LIMB(SINEW_ERROR_STRUCT_SIZE, limb.struct_size = 0, "def.struct_size", "0");
    REFUSED_LIMB(SINEW_ERROR_OUT_OF_RANGE, limb.end = 13, "def.end", "13");
    REFUSED_LIMB(SINEW_ERROR_OUT_OF_RANGE, limb.mid = -2, "def.mid", "-2");
    REFUSED_LIMB(SINEW_ERROR_OUT_OF_RANGE, limb.root = 13, "def.root", "13");
    REFUSED_LIMB(SINEW_ERROR_INVALID_CHAIN, limb.end = 0, "def", "");
    REFUSED_LIMB(SINEW_ERROR_INVALID_CHAIN, (limb.mid = 10, limb.root = 11), "def", "");
    REFUSED_LIMB(SINEW_ERROR_INVALID_ARGUMENT, limb.softness = 1.5f, "def.softness", "1.5");
    REFUSED_LIMB(SINEW_ERROR_INVALID_ARGUMENT, limb.stretch = -0.5f, "def.stretch", "-0.5");
    REFUSED_LIMB(SINEW_ERROR_NOT_FINITE, limb.bend_side.x = (float)NAN, "def.bend_side.x", "");
#define REFUSED_COPY(code, change, word, value)                                 \
    EXPECT_OK(sinew_copy_rotation_def_default(&copy));                          \
    copy.joint = TAIL_COPY;                                                     \
    change;                                                                     \
    EXPECT(code, sinew_animator_add_copy_rotation(animator, &copy, &out));      \
    expect_error_text("sinew_animator_add_copy_rotation", word, value)
    REFUSED_COPY(SINEW_ERROR_STRUCT_SIZE, copy.struct_size = 1, "def.struct_size", "1");
    REFUSED_COPY(SINEW_ERROR_OUT_OF_RANGE, copy.joint = 13, "def.joint", "13");
    REFUSED_COPY(SINEW_ERROR_OUT_OF_RANGE, copy.source = -7, "def.source", "-7");
    REFUSED_COPY(SINEW_ERROR_INVALID_ROTATION, copy.offset.w = 0, "def.offset", "0");
    REFUSED_COPY(SINEW_ERROR_INVALID_ARGUMENT, copy.axis.y = 0, "def.axis", "no length");
    REFUSED_COPY(SINEW_ERROR_INVALID_ARGUMENT, copy.twist = 2, "def.twist", "2");
    REFUSED_COPY(SINEW_ERROR_NOT_FINITE, copy.swing = (float)NAN, "def.swing", "");
    {
        const float bias[3] = {1, -2, 1};
        SinewAimDef aim;
        SinewSplineDef spline;
        REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, (chain.spring_bias = bias, chain.spring_bias_count = 3), "def.spring_bias[1]", "-2");
        REFUSED_CHAIN(SINEW_ERROR_LENGTH_MISMATCH, (chain.spring_bias = bias, chain.spring_bias_count = 1), "def", "one entry per joint");
        REFUSED_CHAIN(SINEW_ERROR_NULL_POINTER, chain.spring_bias_count = 8, "def.spring_bias", "NULL");
        REFUSED_CHAIN(SINEW_ERROR_INVALID_ARGUMENT, chain.sweep_step_rad = 0, "def.sweep_step_rad", "0");
#define REFUSED_AIM(code, change, word, value)                                  \
    EXPECT_OK(sinew_aim_def_default(&aim));                                     \
    aim.end = TAIL_TIP;                                                         \
    change;                                                                     \
    EXPECT(code, sinew_animator_add_aim(animator, &aim, &out));                 \
    expect_error_text("sinew_animator_add_aim", word, value)
        REFUSED_AIM(SINEW_ERROR_STRUCT_SIZE, aim.struct_size = 9, "def.struct_size", "9");
        REFUSED_AIM(SINEW_ERROR_OUT_OF_RANGE, aim.end = 13, "def.end", "13");
        REFUSED_AIM(SINEW_ERROR_INVALID_CHAIN, aim.joint_count = 10, "10 joints", "9");
        REFUSED_AIM(SINEW_ERROR_LENGTH_MISMATCH, (aim.weights = bias, aim.weight_count = 1, aim.joint_count = 2), "1 weights", "2");
        REFUSED_AIM(SINEW_ERROR_INVALID_ARGUMENT, (aim.weights = bias, aim.weight_count = 3, aim.joint_count = 3), "def.weights[1]",
                    "-2");
        REFUSED_AIM(SINEW_ERROR_INVALID_ARGUMENT, aim.up.y = 0, "def.up", "no length");
        REFUSED_AIM(SINEW_ERROR_INVALID_ARGUMENT, aim.clamp_rad = 4, "def.clamp_rad", "4");
        REFUSED_AIM(SINEW_ERROR_INVALID_ARGUMENT, aim.clamp_softness = 2, "def.clamp_softness", "2");
#define REFUSED_SPLINE(code, change, word, value)                               \
    EXPECT_OK(sinew_spline_def_default(&spline));                               \
    spline.end = TAIL_TIP;                                                      \
    change;                                                                     \
    EXPECT(code, sinew_animator_add_spline(animator, &spline, &out));           \
    expect_error_text("sinew_animator_add_spline", word, value)
        REFUSED_SPLINE(SINEW_ERROR_STRUCT_SIZE, spline.struct_size = 0, "def.struct_size", "0");
        REFUSED_SPLINE(SINEW_ERROR_OUT_OF_RANGE, spline.end = 99, "def.end", "99");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_CHAIN, spline.joint_count = 10, "10 joints", "9");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_ARGUMENT, spline.point_count = 257, "def.point_count", "257");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_ARGUMENT, (spline.curve = SINEW_CURVE_BEZIER, spline.point_count = 5), "5 control points", "");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_ENUM, spline.curve = 2, "def.curve", "2");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_ARGUMENT, spline.flags = 2, "def.flags", "0x2");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_ARGUMENT, spline.stretch_min = 1.5f, "def.stretch_min", "1.5");
        REFUSED_SPLINE(SINEW_ERROR_INVALID_ARGUMENT, spline.stretch_max = 0.5f, "def.stretch_max", "0.5");
    }
    CHECK(out.bits == 77, "an out-handle was written");
    done();
}

/* --- limits ---------------------------------------------------------------------------------- */

static void joint_limits_hold_for_every_constraint(void)
{
    SinewConstraint tail;
    SinewJointLimits limits;
    int frame, j;
    fresh();
    tail = add_tail(animator);
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
    limits.min_rad = to_vec3(vec3d(-0.3, -0.1, -0.3));
    limits.max_rad = to_vec3(vec3d(0.3, 0.1, 0.3));
    for (j = 1; j <= TAIL_TIP; ++j) {
        EXPECT_OK(sinew_animator_set_joint_limits(animator, (uint32_t)j, &limits));
    }
    for (frame = 0; frame < TAIL_FRAMES; ++frame) {
        SinewVec3 at = tail_goal(frame);
        EXPECT_OK(sinew_animator_reset_pose(animator));
        EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &at));
        EXPECT_OK(sinew_animator_solve(animator));
        for (j = 1; j <= TAIL_TIP; ++j) {
            Vec3d bone = quatd_rotate(from_quat(pose[j].rotation), vec3d(0, 1, 0));
            float violation = 9;
            CHECK(angle(bone, vec3d(0, 1, 0)) < 0.3 + 1e-3, "frame %d: joint %d swings by %g", frame, j, angle(bone, vec3d(0, 1, 0)));
            EXPECT_OK(sinew_animator_get_joint_violation(animator, (uint32_t)j, &violation));
            CHECK(violation < 1e-3, "frame %d: joint %d is %g rad beyond", frame, j, (double)violation);
        }
    }
    pose[4].rotation = to_quat(quatd_about(vec3d(1, 0, 0), 1.0));
    {
        float violation = 0;
        EXPECT_OK(sinew_animator_get_joint_violation(animator, 4, &violation));
        CHECK(fabs(violation - 0.7) < 1e-3, "%g rad beyond", (double)violation);
        EXPECT_OK(sinew_animator_set_joint_limits(animator, 4, NULL));
        EXPECT_OK(sinew_animator_get_joint_violation(animator, 4, &violation));
        CHECK(violation == 0, "a free joint is %g rad beyond", (double)violation);
    }
    done();
}

static void limits_that_are_read_can_be_set_again(void)
{
    SinewJointLimits limits, read;
    unsigned flags;
    int k;
    fresh();
    EXPECT_OK(sinew_joint_limits_default(&limits));
    EXPECT_OK(sinew_animator_get_joint_limits(animator, 3, &read));
    CHECK(memcmp(&read, &limits, sizeof read) == 0, "a joint begins with limits");
    for (flags = 0; flags < 64; ++flags) { /* every mixture of locks and ranges; locked axes have no range */
        SinewJointLimits given = rig_limits(), wanted;
        given.flags = flags;
        EXPECT_OK(sinew_animator_set_joint_limits(animator, 3, &given));
        EXPECT_OK(sinew_animator_get_joint_limits(animator, 3, &read));
        wanted = given;
        wanted.flags &= ~((wanted.flags & 7) << 3);
        for (k = 0; k < 3; ++k) {
            if (!(wanted.flags & SINEW_LIMIT_RANGE_X << k)) {
                (&wanted.min_rad.x)[k] = (&wanted.max_rad.x)[k] = 0;
            }
        }
        wanted.frame = read.frame;
        CHECK(quatd_angle(from_quat(read.frame), from_quat(given.frame)) < 1e-6, "the frame changed");
        CHECK(memcmp(&read, &wanted, sizeof read) == 0, "flags %#x came back as %#x", flags, read.flags);
        EXPECT_OK(sinew_animator_set_joint_limits(animator, 4, &read));
        EXPECT_OK(sinew_animator_get_joint_limits(animator, 4, &wanted));
        CHECK(memcmp(&read, &wanted, sizeof read) == 0, "flags %#x: setting what was read changed it", flags);
    }
    for (k = 0; k < 1000; ++k) { /* what was read is unit, and keeps its bits */
        SinewJointLimits again;
        int corner;
        EXPECT_OK(sinew_joint_limits_default(&limits));
        limits.slide_axis = to_vec3(vec3d(sin(1.1 * k), cos(0.3 * k), sin(0.6 * k + 2)));
        limits.corner_count = 5;
        for (corner = 0; corner < 5; ++corner) {
            limits.corners[corner] = to_vec3(vec3d(cos(1.2566 * corner), 0.4 + 0.001 * k, -sin(1.2566 * corner)));
        }
        limits.frame.x = (float)sin(0.7 * k);
        limits.frame.y = (float)cos(1.3 * k);
        limits.frame.z = (float)sin(2.1 * k + 1);
        limits.frame.w = (float)cos(0.4 * k + 2);
        EXPECT_OK(sinew_animator_set_joint_limits(animator, 3, &limits));
        EXPECT_OK(sinew_animator_get_joint_limits(animator, 3, &read));
        EXPECT_OK(sinew_animator_set_joint_limits(animator, 4, &read));
        EXPECT_OK(sinew_animator_get_joint_limits(animator, 4, &again));
        CHECK(memcmp(&read, &again, sizeof read) == 0, "round %d: setting what was read changed it", k);
    }
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_LOCK_Y;
    limits.corner_count = 4;
    for (k = 0; k < 4; ++k) {
        limits.corners[k] = to_vec3(vec3d(k == 0 ? 2 : k == 2 ? -2 : 0, 2, k == 1 ? 2 : k == 3 ? -2 : 0));
    }
    EXPECT_OK(sinew_animator_set_joint_limits(animator, 3, &limits));
    EXPECT_OK(sinew_animator_get_joint_limits(animator, 3, &read));
    CHECK(read.corner_count == 4 && read.flags == limits.flags, "%u corners, flags %#x", read.corner_count, read.flags);
    for (k = 0; k < 4; ++k) {
        CHECK(fabs(length(from_vec3(read.corners[k])) - 1) < 1e-6, "corner %d is no unit vector", k);
    }
    done();
}

static void bad_limits_are_refused_with_a_message_and_nothing_changes(void)
{
    SinewJointLimits limits, before, after;
    fresh();
    limits = rig_limits();
    EXPECT_OK(sinew_animator_set_joint_limits(animator, 3, &limits));
    EXPECT_OK(sinew_animator_get_joint_limits(animator, 3, &before));
#define REFUSED_LIMITS(code, change, word, value)                               \
    limits = rig_limits();                                                      \
    change;                                                                     \
    EXPECT(code, sinew_animator_set_joint_limits(animator, 3, &limits));        \
    expect_error_text("sinew_animator_set_joint_limits", word, value)
    REFUSED_LIMITS(SINEW_ERROR_STRUCT_SIZE, limits.struct_size = 3, "limits.struct_size", "3");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.flags = 128, "limits.flags", "0x80");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.min_rad.y = 2, "limits.min_rad.y", "2");
    REFUSED_LIMITS(SINEW_ERROR_NOT_FINITE, limits.max_rad.z = (float)NAN, "limits.max_rad.z", "");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ROTATION, (limits.frame.x = limits.frame.y = limits.frame.z = limits.frame.w = 0),
                   "limits.frame", "0");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.stiffness.x = 1.5f, "limits.stiffness.x", "1.5");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.soft_rad = -0.1f, "limits.soft_rad", "-0.1");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.soft_rad = 4, "limits.soft_rad", "4");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, (limits.min_rad.x = -45, limits.max_rad.x = 45), "radians?", "-45");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.max_rad.z = 9, "radians?", "9");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.soft_rad = 10, "radians?", "10");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.stretch_min = 1.5f, "limits.stretch_min", "1.5");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.stretch_max = 0.5f, "limits.stretch_max", "0.5");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.stretch_compliance = 2, "limits.stretch_compliance", "2");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, (limits.slide_min = 2, limits.slide_max = 1), "limits.slide_min", "2");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.slide_axis = to_vec3(vec3d(0, 0, 0)), "limits.slide_axis", "no length");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.slide_mobility = -1, "limits.slide_mobility", "-1");
    REFUSED_LIMITS(SINEW_ERROR_NOT_FINITE, limits.slide_max = (float)INFINITY, "limits.slide_max", "inf");
    REFUSED_LIMITS(SINEW_ERROR_NOT_FINITE, limits.preferred_bend.y = (float)INFINITY, "limits.preferred_bend.y", "inf");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT,
                   (limits.flags = SINEW_LIMIT_ANGLES | SINEW_LIMIT_RANGE_Z, limits.min_rad.z = -1, limits.max_rad.z = 2.5f),
                   "limits.max_rad.z", "2.5");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, (limits.flags = SINEW_LIMIT_ANGLES | SINEW_LIMIT_RANGE_Z, limits.min_rad.z = -1.6f),
                   "limits.min_rad.z", "-1.6");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.corner_count = 2, "limits.corner_count", "2");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, limits.corner_count = 9, "limits.corner_count", "9");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT, (limits.flags = 0, limits.corner_count = 3), "limits.corners[0]", "no length");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT,
                   (limits.flags = 0, limits.corner_count = 3, limits.corners[0].x = limits.corners[1].y = limits.corners[2].x = 1),
                   "limits.corners", "convex");
    REFUSED_LIMITS(SINEW_ERROR_INVALID_ARGUMENT,
                   (limits.flags = SINEW_LIMIT_LOCK_X, limits.corner_count = 3, limits.corners[0] = to_vec3(vec3d(1, 1, 0)),
                    limits.corners[1] = to_vec3(vec3d(-1, 1, 1)), limits.corners[2] = to_vec3(vec3d(-1, 1, -1))),
                   "limits.corners", "locked");
    limits = rig_limits();
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_animator_set_joint_limits(animator, 13, &limits));
    expect_error_text("sinew_animator_set_joint_limits", "joint is 13", "13 joints");
    EXPECT_OK(sinew_animator_get_joint_limits(animator, 3, &after));
    CHECK(memcmp(&before, &after, sizeof before) == 0, "a refused call changed the limits");
    done();
}

/* --- the same bits --------------------------------------------------------------------------- */

static void this_host_leaves_the_committed_bits(void)
{
    SinewJointLimits ball, hinge;
    SinewTwoBoneDef limb_def;
    SinewCopyRotationDef copy_def;
    SinewConstraint tail, limb = {0}, copy = {0};
    SinewPole pole;
    uint64_t hash = TAIL_HASH_START, golden = tail_golden(__FILE__);
    int frame;
    fresh();
    EXPECT_OK(sinew_joint_limits_default(&ball));
    hinge = ball;
    ball.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
    ball.max_rad.x = 0.5f, ball.max_rad.y = 0.125f, ball.max_rad.z = 0.25f;
    ball.min_rad.x = -0.5f, ball.min_rad.y = -0.125f, ball.min_rad.z = -0.25f;
    ball.soft_rad = 0.0625f;
    EXPECT_OK(sinew_animator_set_joint_limits(animator, 3, &ball));
    hinge.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z;
    hinge.min_rad.x = -1, hinge.max_rad.x = 0.25f;
    hinge.stiffness.x = hinge.stiffness.y = hinge.stiffness.z = 0.5f;
    hinge.stretch_max = 1.125f, hinge.stretch_compliance = 1;
    EXPECT_OK(sinew_animator_set_joint_limits(animator, 5, &hinge));
    tail = add_tail(animator);
    EXPECT_OK(sinew_two_bone_def_default(&limb_def));
    limb_def.end = TAIL_LIMB, limb_def.softness = 0.0625f;
    EXPECT_OK(sinew_animator_add_two_bone(animator, &limb_def, &limb));
    EXPECT_OK(sinew_copy_rotation_def_default(&copy_def));
    copy_def.joint = TAIL_COPY, copy_def.source = TAIL_TIP, copy_def.swing = 0.75f, copy_def.twist = 0.5f;
    EXPECT_OK(sinew_animator_add_copy_rotation(animator, &copy_def, &copy));
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, copy, 1.0f));
    EXPECT_OK(sinew_pole_default(&pole));
    pole.at.x = 1, pole.at.y = 2, pole.at.z = 1, pole.weight = 0.5f;
    EXPECT_OK(sinew_animator_set_constraint_pole(animator, limb, &pole));
    for (frame = 0; frame < TAIL_FRAMES; ++frame) {
        SinewVec3 at = tail_goal(frame), limb_at = tail_limb_goal(frame);
        EXPECT_OK(sinew_animator_reset_pose(animator));
        pose[2].rotation = tail_wag(frame);
        EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &at));
        EXPECT_OK(sinew_animator_set_constraint_position(animator, limb, 0, &limb_at));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, limb, (float)frame * 0.03125f));
        EXPECT_OK(sinew_animator_solve(animator));
        hash = tail_hash(hash, pose);
    }
    CHECK(golden != 0 && hash == golden, "hash %016llx, tests/golden/hashes.txt has %016llx", (unsigned long long)hash,
          (unsigned long long)golden);
    done();
}

/* From one goal to another, and off. */
static void a_switch_takes_its_time_and_moves_nothing_at_once(void)
{
    const float time_s = 0.5f;
    SinewConstraint tail, limb;
    SinewVec3 first, second;
    uint32_t is = 9, size = 0, timed = 0;
    float read = -1;
    int change, frame;
    fresh();
    tail = add_tail(animator);
    limb = add_limb(animator);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_snapshot(animator, NULL, 0, &size));
    EXPECT_OK(sinew_animator_get_constraint_inertialization_time(animator, tail, &read));
    CHECK(read == 0, "a time of %g by default", (double)read);
    EXPECT_OK(sinew_animator_set_constraint_inertialization_time(animator, tail, time_s));
    EXPECT_OK(sinew_animator_get_constraint_inertialization_time(animator, tail, &read));
    CHECK(read == time_s, "%g in place of %g", (double)read, (double)time_s);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_snapshot(animator, NULL, 0, &timed));
    CHECK(timed > size, "%u bytes with a time, %u without", (unsigned)timed, (unsigned)size);
    EXPECT_OK(sinew_animator_set_constraint_inertialization_time(animator, limb, -1));
    EXPECT_OK(sinew_animator_get_constraint_inertialization_time(animator, limb, &read));
    CHECK(read == 0, "a negative time counts as %g", (double)read);
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_set_constraint_inertialization_time(animator, tail, (float)NAN));
    first = tail_goal(0), second = tail_goal(TAIL_FRAMES / 2);
    for (change = 0; change < 2; ++change) {
        Vec3d before, now, last;
        double largest = 0, jump;
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, tail, 1));
        EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &first));
        for (frame = 0; frame < 400; ++frame) {
            memcpy(pose, rest, sizeof rest);
            EXPECT_OK(sinew_animator_advance(animator, 0.01f));
            EXPECT_OK(sinew_animator_solve(animator));
        }
        EXPECT_OK(sinew_animator_get_constraint_is_inertializing(animator, tail, &is));
        CHECK(is == 0, "it switches before anything changed");
        before = last = point_of(TAIL_TIP, vec3d(0, 0.125, 0));
        if (change == 0) {
            EXPECT_OK(sinew_animator_inertialize_constraint(animator, tail));
            EXPECT_OK(sinew_animator_set_constraint_position(animator, tail, 0, &second));
        } else {
            EXPECT_OK(sinew_animator_set_constraint_weight(animator, tail, 0));
        }
        for (frame = 0; frame <= 60; ++frame) {
            memcpy(pose, rest, sizeof rest);
            EXPECT_OK(sinew_animator_advance(animator, frame == 0 ? 0 : time_s / 60));
            EXPECT_OK(sinew_animator_solve(animator));
            now = point_of(TAIL_TIP, vec3d(0, 0.125, 0));
            largest = fmax(largest, distance(now, last));
            last = now;
            if (frame == 0) {
                CHECK(distance(now, before) < 1e-4, "%d: a jump of %g m", change, distance(now, before));
                EXPECT_OK(sinew_animator_get_constraint_is_inertializing(animator, tail, &is));
                CHECK(is == 1, "%d: no switch is under way", change);
            }
        }
        jump = distance(last, before);
        CHECK(jump > 0.05 && largest < 0.1 * jump + 0.01, "%d: %g m in one frame of %g", change, largest, jump);
        if (change == 0) {
            CHECK(distance(last, vec3d(second.x, second.y, second.z)) < 0.03 * jump, "%g m off the second goal",
                  distance(last, vec3d(second.x, second.y, second.z)));
        }
    }
    EXPECT_OK(sinew_animator_remove_constraint(animator, tail));
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_inertialize_constraint(animator, tail));
    done();
}

int main(void)
{
    RUN(a_constraint_belongs_to_one_animator_and_ends_with_it);
    RUN(chains_reach_with_every_solver_on_a_rig_without_avatar);
    RUN(rotation_axis_and_tree_goals_are_met);
    RUN(a_chain_in_a_plane_stays_in_it);
    RUN(distances_are_kept);
    RUN(a_limb_bends_to_its_pole_and_a_pole_in_place_changes_nothing);
    RUN(a_copied_rotation_follows_goal_or_joint);
    RUN(an_aim_points_at_its_target_and_its_pole_rolls_it);
    RUN(a_spline_puts_its_joints_on_the_curve);
    RUN(constraints_are_solved_in_the_order_they_were_added_after_the_humanoid_steps);
    RUN(at_weight_0_constraints_leave_the_pose_bit_for_bit);
    RUN(a_whole_goal_equals_single_setters_and_what_is_read_can_be_set_again);
    RUN(bad_goals_are_refused_and_nothing_changes);
    RUN(a_straight_limb_without_bend_side_reports_an_arbitrary_bend);
    RUN(bad_definitions_are_refused_with_a_message);
    RUN(joint_limits_hold_for_every_constraint);
    RUN(limits_that_are_read_can_be_set_again);
    RUN(bad_limits_are_refused_with_a_message_and_nothing_changes);
    RUN(a_switch_takes_its_time_and_moves_nothing_at_once);
    RUN(this_host_leaves_the_committed_bits);
    return check_report();
}
