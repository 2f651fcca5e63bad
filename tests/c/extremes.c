/* Memory that is an argument twice, names at an odd address, and characters far away, tiny and
 * huge. */
#include "rig.h"

#include <float.h>

static Rig rig;

/* Two animators in the same bent pose with the same goal; `buffers` are their pose buffers. */
static void pair(SinewAnimator animators[2], SinewTransform *buffers[2])
{
    SinewVec3 goal = to_vec3(vec3d(-0.35, 1.2, 0.3));
    int k;
    for (k = 0; k < 2; ++k) {
        uint32_t count = 0;
        animators[k] = rig_animator(&rig);
        EXPECT_OK(sinew_animator_get_pose_buffer(animators[k], &buffers[k], &count));
        rig_bent_pose(&rig, 0.4f, buffers[k]);
        EXPECT_OK(sinew_animator_set_ik_position(animators[k], SINEW_IK_GOAL_LEFT_HAND, &goal));
        EXPECT_OK(sinew_animator_set_ik_position_weight(animators[k], SINEW_IK_GOAL_LEFT_HAND, 1.0f));
    }
}

static void the_pose_buffer_may_be_an_argument(void)
{
    SinewAnimator animators[2];
    SinewTransform *buffers[2], bent[RIG_JOINTS], *pointers[1];
    SinewWorldFrame frame;
    SinewWorld world;
    uint32_t row;
    int layout;
    rig_make(&rig, 1);
    pair(animators, buffers);
    memcpy(bent, buffers[0], sizeof bent);
    EXPECT_OK(sinew_animator_set_pose(animators[0], buffers[0], RIG_JOINTS));
    CHECK(memcmp(bent, buffers[0], sizeof bent) == 0, "set_pose of the own buffer changed it");
    EXPECT_OK(sinew_animator_get_pose(animators[0], buffers[0], RIG_JOINTS));
    CHECK(memcmp(bent, buffers[0], sizeof bent) == 0, "get_pose into the own buffer changed it");
    EXPECT_OK(sinew_animator_solve(animators[1]));
    CHECK(memcmp(bent, buffers[1], sizeof bent) != 0, "nothing was solved");
    EXPECT_OK(sinew_world_create(&world));
    EXPECT_OK(sinew_world_join(world, animators[0], &row));
    for (layout = 0; layout < 3; ++layout) {
        SinewTransform *own = buffers[0];
        memcpy(own, bent, sizeof bent);
        EXPECT_OK(sinew_world_frame_default(&frame));
        frame.row_count = 1;
        pointers[0] = own;
        if (layout == 0) {
            frame.layout = SINEW_POSE_LAYOUT_POINTERS;
            frame.pointers = pointers;
        } else if (layout == 1) {
            frame.layout = SINEW_POSE_LAYOUT_RECORDS;
            frame.records = own;
            frame.records_stride = sizeof bent;
        } else {
            frame.layout = SINEW_POSE_LAYOUT_STRIDED;
            frame.positions = &own->position.x;
            frame.rotations = &own->rotation.x;
            frame.scales = &own->scale.x;
            frame.positions_row_stride = frame.rotations_row_stride = frame.scales_row_stride = sizeof bent;
            frame.positions_joint_stride = frame.rotations_joint_stride = frame.scales_joint_stride = sizeof bent[0];
        }
        EXPECT_OK(sinew_world_solve(world, &frame, NULL));
        CHECK(memcmp(own, buffers[1], sizeof bent) == 0, "layout %d in the own buffer: other bits than alone", layout);
    }
    EXPECT_OK(sinew_world_destroy(world));
    EXPECT_OK(sinew_animator_destroy(animators[0]));
    EXPECT_OK(sinew_animator_destroy(animators[1]));
    rig_free(&rig);
}

static void one_address_for_two_results_holds_one_of_them(void)
{
    SinewVec3 both = {7, 7, 7};
    double size;
    rig_make(&rig, 1);
    EXPECT_OK(sinew_avatar_get_axes(rig.avatar, &both, &both, &both));
    size = length(vec3d(both.x, both.y, both.z));
    CHECK(fabs(size - 1) < 1e-5, "no axis, of length %g", size);
    rig_free(&rig);
}

static void names_at_an_odd_address_are_read(void)
{
    char room[sizeof rig.names + 1];
    SinewSkeletonDef def;
    SinewSkeleton skeleton;
    uint32_t joint = 0;
    rig_make(&rig, 1);
    def = rig_skeleton_def(&rig);
    memcpy(room + 1, rig.names, sizeof rig.names);
    def.names = (const char *const *)(const void *)(room + 1);
    EXPECT_OK(sinew_skeleton_create(&def, &skeleton));
    EXPECT_OK(sinew_skeleton_find_joint(skeleton, "RightHand", &joint));
    CHECK(joint == RIG_RIGHT_HAND, "joint %u", joint);
    EXPECT_OK(sinew_skeleton_destroy(skeleton));
    rig_free(&rig);
}

/* The largest distance of the left hand from goals within its reach, for a root at `origin` of this
 * scale and a rig of this size. */
static double worst_miss(double origin, double root_scale, double size)
{
    SinewAnimator animator;
    SinewTransform root;
    double worst = 0;
    int k;
    rig_fill(&rig, 1);
    for (k = 0; k < RIG_JOINTS; ++k) {
        SinewVec3 at = rig.rest[k].position;
        rig.rest[k].position = to_vec3(mul(vec3d(at.x, at.y, at.z), size));
    }
    rig_create(&rig);
    animator = rig_animator(&rig);
    root.position = to_vec3(vec3d(origin, 0, origin));
    root.rotation = to_quat(quatd(0, 0, 0, 1));
    root.scale = to_vec3(vec3d(root_scale, root_scale, root_scale));
    EXPECT_OK(sinew_animator_set_root(animator, &root));
    EXPECT_OK(sinew_animator_set_ik_position_weight(animator, SINEW_IK_GOAL_LEFT_HAND, 1.0f));
    for (k = 0; k < 50; ++k) {
        double s = size * root_scale;
        SinewVec3 goal = to_vec3(vec3d(origin + s * (-0.35 - 0.002 * k), s * 1.3, origin + s * 0.3)), hand;
        SinewQuat rotation;
        EXPECT_OK(sinew_animator_reset_pose(animator));
        EXPECT_OK(sinew_animator_set_ik_position(animator, SINEW_IK_GOAL_LEFT_HAND, &goal));
        EXPECT_OK(sinew_animator_solve(animator));
        EXPECT_OK(sinew_animator_get_joint_world(animator, RIG_LEFT_HAND, &hand, &rotation));
        worst = fmax(worst, distance(vec3d(goal.x, goal.y, goal.z), vec3d(hand.x, hand.y, hand.z)));
    }
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
    return worst;
}

static void goals_far_from_the_origin_are_met_to_the_spacing_of_numbers(void)
{
    static const double FAR[] = {0, 1e3, 1e4, 1e5, 1e6, 1e7};
    size_t k;
    for (k = 0; k < sizeof FAR / sizeof FAR[0]; ++k) {
        double miss = worst_miss(FAR[k], 1, 1);
        CHECK(miss <= 2e-6 + 4e-7 * FAR[k], "%g m away: the hand is off by %g m", FAR[k], miss);
    }
}

static void rigs_and_roots_of_any_size_reach_as_well(void)
{
    static const double SIZES[] = {1e-8, 1e-6, 1e-4, 1e-2, 1, 1e3, 1e6, 1e9, 1e12};
    size_t k;
    for (k = 0; k < sizeof SIZES / sizeof SIZES[0]; ++k) {
        double miss = worst_miss(0, 1, SIZES[k]) / SIZES[k];
        CHECK(miss <= 4e-6, "a rig of size %g: the hand is off by %g of it", SIZES[k], miss);
        miss = worst_miss(0, SIZES[k], 1) / SIZES[k];
        CHECK(miss <= 4e-6, "a root of scale %g: the hand is off by %g of it", SIZES[k], miss);
    }
}

static void count_unsound(void *user, const SinewVec3 *from, const SinewVec3 *to, int32_t part)
{
    *(int *)user += !isfinite(from->x + from->y + from->z + to->x + to->y + to->z);
    (void)part;
}

/* A joint farther out than its children can be placed. */
static void results_that_would_not_be_finite_are_refused(void)
{
    SinewAnimator animator;
    SinewTransform *pose;
    SinewModelFrame frames[RIG_JOINTS];
    float matrices[RIG_JOINTS][16];
    SinewDebugLine lines[400];
    SinewAvatarDef def;
    SinewAvatar avatar = {5};
    uint32_t count = 0, k;
    int unsound = 0;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    pose[RIG_SPINE].position = to_vec3(vec3d(3e38, -3e38, 3e38));
    memset(frames, 0x5A, sizeof frames);
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_animator_get_model_frames(animator, frames, RIG_JOINTS));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_model_frames_compute(rig.parents, pose, RIG_JOINTS, frames));
    for (k = 0; k < 4; ++k) {
        EXPECT(SINEW_ERROR_NOT_FINITE,
               sinew_animator_get_model_matrices(animator, (SinewMatrixLayout)k, matrices[0], RIG_JOINTS));
        EXPECT(SINEW_ERROR_NOT_FINITE,
               sinew_animator_get_world_matrices(animator, (SinewMatrixLayout)k, matrices[0], RIG_JOINTS));
    }
    for (k = 0; k < sizeof frames; ++k) {
        CHECK(((unsigned char *)frames)[k] == 0x5A, "a refused call wrote frames");
    }
    /* Lines that cannot be placed are left out. */
    EXPECT_OK(sinew_animator_draw(animator, count_unsound, &unsound));
    EXPECT_OK(sinew_animator_get_debug_lines(animator, lines, 400, &count));
    for (k = 0; k < count; ++k) {
        count_unsound(&unsound, &lines[k].from, &lines[k].to, lines[k].part);
    }
    CHECK(unsound == 0 && count > 5, "%d of %u lines are not finite", unsound, count);
    def = rig_avatar_def(&rig);
    def.t_pose = pose;
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_avatar_create(&def, &avatar));
    CHECK(avatar.bits == 5, "an out-handle was written");
    /* What is large and can be placed is not refused. */
    EXPECT_OK(sinew_animator_reset_pose(animator));
    pose[RIG_SPINE].position = to_vec3(vec3d(1e19, -1e30, 1e30));
    EXPECT_OK(sinew_animator_get_model_frames(animator, frames, RIG_JOINTS));
    EXPECT_OK(sinew_animator_get_world_matrices(animator, SINEW_MATRIX_LAYOUT_ROWS3X4, matrices[0], RIG_JOINTS));
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static void a_foot_that_cannot_be_measured_is_refused(void)
{
    const SinewVec3 far = to_vec3(vec3d(-3.4e38, -1e38, 0)), ball = to_vec3(vec3d(0.9, 0.9, 0.7));
    const SinewVec3 up = to_vec3(vec3d(-0.1, 0.7, 0.3)), high = to_vec3(vec3d(-3.4e38, 3.4e38, 3.4e38));
    const SinewVec3 outline[2] = {to_vec3(vec3d(-0.6, 1.3, -0.9)), to_vec3(vec3d(0.3, 0.1, 0))};
    SinewFootModel foot;
    memset(&foot, 0x5A, sizeof foot);
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_foot_model_from_outline(&far, &ball, outline, 2, &up, &foot));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_foot_model_from_rest(&high, &ball, NULL, &ball, &up, &foot));
    CHECK(foot.has_sole == 0x5A5A5A5Au, "a foot was written");
}

/* A centre of mass so far out, and a mass so small, that the mean would not be finite. */
static void a_bodys_numbers_are_finite(void)
{
    const SinewVec3 far = to_vec3(vec3d(-3e38, 3e38, 0)), near = to_vec3(vec3d(0, 0, 0));
    SinewTransform pose[RIG_JOINTS];
    SinewBodyOutcome outcome;
    SinewBodyTaskOutcome ended;
    SinewDebugLine lines[400];
    SinewVec3 center = {5, 5, 5};
    SinewBodyTaskDef def;
    SinewBodyTask task;
    SinewBody body;
    uint32_t count = 0, k;
    int unsound = 0;
    rig_make(&rig, 1);
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &body));
    EXPECT_OK(sinew_body_set_mass(body, RIG_CHEST, 1e-45f, &near));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_get_center_of_mass(body, &center));
    EXPECT_OK(sinew_body_set_mass(body, RIG_CHEST, 4.0f, &far));
    EXPECT(SINEW_ERROR_NOT_FINITE, sinew_body_get_center_of_mass(body, &center));
    CHECK((double)center.x == 5, "a centre was written");
    def = rig_task_def();
    def.goal = far;
    EXPECT_OK(sinew_body_add_task(body, &def, &task));
    rig_bent_pose(&rig, 0.3, pose);
    EXPECT_OK(sinew_body_solve(body, pose, RIG_JOINTS, 0.02f, &outcome));
    CHECK(isfinite(outcome.residual_m) && isfinite(outcome.residual_rad), "a residual is %g", (double)outcome.residual_m);
    EXPECT_OK(sinew_body_get_task_outcome(body, task, &ended));
    CHECK(isfinite(ended.residual_m), "a task's residual is %g", (double)ended.residual_m);
    EXPECT_OK(sinew_body_get_debug_lines(body, lines, 400, &count));
    for (k = 0; k < count; ++k) {
        count_unsound(&unsound, &lines[k].from, &lines[k].to, lines[k].part);
    }
    CHECK(unsound == 0 && count > 5, "%d of %u lines are not finite", unsound, count);
    EXPECT_OK(sinew_body_destroy(body));
    rig_free(&rig);
}

static void the_residual_of_a_body_goal_far_out_is_finite(void)
{
    SinewBodySolverSettings settings;
    SinewAnimator animator;
    SinewBodyOutcome outcome;
    const SinewVec3 far = to_vec3(vec3d(-3e38, 3e38, 3e38));
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_body_solver_settings_default(&settings));
    settings.mode = SINEW_BODY_SOLVER_MODE_CONVERGE;
    EXPECT_OK(sinew_animator_set_body_solver(animator, &settings));
    EXPECT_OK(sinew_animator_set_body_position(animator, &far));
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_get_body_outcome(animator, &outcome));
    CHECK(isfinite(outcome.residual_m) && outcome.residual_m > 0, "the residual is %g", (double)outcome.residual_m);
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

int main(void)
{
    RUN(results_that_would_not_be_finite_are_refused);
    RUN(a_foot_that_cannot_be_measured_is_refused);
    RUN(a_bodys_numbers_are_finite);
    RUN(the_residual_of_a_body_goal_far_out_is_finite);
    RUN(the_pose_buffer_may_be_an_argument);
    RUN(one_address_for_two_results_holds_one_of_them);
    RUN(names_at_an_odd_address_are_read);
    RUN(goals_far_from_the_origin_are_met_to_the_spacing_of_numbers);
    RUN(rigs_and_roots_of_any_size_reach_as_well);
    return check_report();
}
