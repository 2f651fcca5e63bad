/* A host may have switched the processor to flush denormals to zero, to treat them as zero, or to
 * round up: the library computes in the default mode all the same, and leaves the host's mode as it
 * found it. x86 only; elsewhere it says so. */
#include "calls.h"
#include "snapshot.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <xmmintrin.h>

enum { MODES = 5 };
static const unsigned MODE[MODES] = {
    0x1f80,                            /* the default */
    0x1f80 | 0x8000,                   /* flush to zero */
    0x1f80 | 0x8000 | 0x0040,          /* and denormals are zero */
    0x1f80 | 0x4000,                   /* round up */
    0x1f80 | 0x8000 | 0x0040 | 0x6000, /* everything, rounding towards zero */
};
static const char *const MODE_NAME[MODES] = {"default", "flush to zero", "flush and denormals are zero", "round up",
                                             "flush, denormals are zero, towards zero"};
/* All but the six sticky flags, which any arithmetic may raise. */
static unsigned control(void) { return _mm_getcsr() & ~0x3fu; }

static Rig rig;

/* A pose and goals with denormal numbers in them, solved in a mode. */
static void solve_in(unsigned mode, const char *name, int nearly_still, Snapshot *out, SinewVec3 *mass)
{
    SinewAnimator animator = rig_animator(&rig);
    SinewHumanoidInput input = full_input();
    SinewTransform *pose, animation[RIG_JOINTS];
    SinewResult results[5];
    unsigned after[5];
    int k;
    rig_bent_pose(&rig, 0.2, animation);
    animation[RIG_SPINE].position.z = 1e-41f;
    animation[RIG_HEAD].rotation.x = -3e-42f;
    if (nearly_still) { /* weights and offsets whose products are denormal */
        for (k = 0; k < 4; ++k) {
            input.goals[k].position_weight = input.goals[k].rotation_weight = 1e-30f;
            input.goals[k].position.x *= 1e-9f;
            input.hints[k].weight = 2e-39f;
        }
        input.look_at_weight.weight = 1e-38f;
    }
    rig_must(sinew_animator_get_pose_buffer(animator, &pose, NULL), "pose buffer");
    memcpy(pose, animation, sizeof animation);
    _mm_setcsr(mode);
    results[0] = sinew_animator_set_input(animator, &input);
    after[0] = control();
    results[1] = sinew_animator_solve(animator);
    after[1] = control();
    results[2] = sinew_animator_get_body_position(animator, mass);
    after[2] = control();
    results[3] = sinew_animator_solve_batch(&animator, 1, NULL);
    after[3] = control();
    results[4] = sinew_animator_set_ik_position_weight(animator, 99, 0.5f); /* an error restores it, too */
    after[4] = control();
    _mm_setcsr(0x1f80);
    for (k = 0; k < 5; ++k) {
        CHECK(after[k] == mode, "%s: call %d left mode %#x, not %#x", name, k, after[k], mode);
        CHECK(results[k] == (k < 4 ? SINEW_OK : SINEW_ERROR_INVALID_ENUM), "%s: call %d gave %d", name, k, (int)results[k]);
    }
    snapshot(animator, out);
    EXPECT_OK(sinew_animator_destroy(animator));
}

static void results_do_not_depend_on_the_processors_mode_and_the_mode_is_restored(void)
{
    int mode, still;
    rig_make(&rig, 1);
    for (still = 0; still < 2; ++still) {
        Snapshot normal, other;
        SinewVec3 normal_mass, mass;
        solve_in(MODE[0], MODE_NAME[0], still, &normal, &normal_mass);
        for (mode = 1; mode < MODES; ++mode) {
            solve_in(MODE[mode], MODE_NAME[mode], still, &other, &mass);
            EXPECT_SAME(normal, other, "%s: another result", MODE_NAME[mode]);
            EXPECT_SAME(normal_mass, mass, "%s: another centre of mass", MODE_NAME[mode]);
        }
    }
    rig_free(&rig);
}

static void an_avatar_does_not_depend_on_the_processors_mode(void)
{
    SinewVec3 axes[3], first[3];
    float scale[2], first_scale[2];
    int mode;
    for (mode = 0; mode < MODES; ++mode) {
        SinewAnimator animator;
        SinewSkeletonDef skeleton_def;
        SinewAvatarDef avatar_def;
        rig_fill(&rig, 1); /* our own tables in the default mode, … */
        skeleton_def = rig_skeleton_def(&rig);
        _mm_setcsr(MODE[mode]); /* … the library's work in the host's */
        EXPECT_OK(sinew_skeleton_create(&skeleton_def, &rig.skeleton));
        avatar_def = rig_avatar_def(&rig);
        EXPECT_OK(sinew_avatar_create(&avatar_def, &rig.avatar));
        animator = rig_animator(&rig);
        EXPECT_OK(sinew_avatar_get_axes(rig.avatar, &axes[0], &axes[1], &axes[2]));
        EXPECT_OK(sinew_animator_get_human_scale(animator, &scale[0]));
        EXPECT_OK(sinew_animator_get_left_feet_bottom_height(animator, &scale[1]));
        _mm_setcsr(0x1f80);
        if (mode == 0) {
            memcpy(first, axes, sizeof axes);
            memcpy(first_scale, scale, sizeof scale);
        }
        CHECK(memcmp(first, axes, sizeof axes) == 0 && memcmp(first_scale, scale, sizeof scale) == 0, "%s: another avatar",
              MODE_NAME[mode]);
        EXPECT_OK(sinew_animator_destroy(animator));
        rig_free(&rig);
    }
}

/* Callbacks of the host may return in any mode: neither results nor the mode after the call may
 * change by it. */
static unsigned evil;
static double clock_in_another_mode(void *user)
{
    (void)user;
    _mm_setcsr(evil);
    return 0.0;
}
typedef struct Lines {
    SinewVec3 ends[512][2];
    int count;
} Lines;
static void draw_in_another_mode(void *user, const SinewVec3 *from, const SinewVec3 *to, int32_t part)
{
    Lines *lines = (Lines *)user;
    (void)part;
    if (lines->count < 512) {
        lines->ends[lines->count][0] = *from;
        lines->ends[lines->count++][1] = *to;
    }
    _mm_setcsr(evil);
}

enum { CROWD = 40 };

static void a_clock_that_leaves_another_mode_changes_nothing(void)
{
    static SinewTransform solved[2][CROWD][RIG_JOINTS];
    int pass, k;
    rig_make(&rig, 1);
    for (pass = 0; pass < 2; ++pass) {
        SinewAnimator animators[CROWD];
        SinewWorld world;
        SinewWorldFrame frame;
        SinewWorldReport report;
        EXPECT_OK(sinew_world_create(&world));
        for (k = 0; k < CROWD; ++k) {
            SinewHumanoidInput input = full_input();
            SinewTransform animation[RIG_JOINTS];
            input.goals[0].position.x += 0.01f * (float)k;
            animators[k] = rig_animator(&rig);
            rig_bent_pose(&rig, 0.01 * k, animation);
            animation[RIG_SPINE].position.z = 1e-41f;
            EXPECT_OK(sinew_animator_set_pose(animators[k], animation, RIG_JOINTS));
            EXPECT_OK(sinew_animator_set_input(animators[k], &input));
            EXPECT_OK(sinew_world_join(world, animators[k], NULL));
        }
        EXPECT_OK(sinew_world_frame_default(&frame));
        frame.row_count = CROWD;
        evil = MODE[pass == 0 ? 0 : 4];
        EXPECT_OK(sinew_world_set_budget(world, 1e6f, clock_in_another_mode, NULL));
        EXPECT_OK(sinew_world_solve(world, &frame, &report));
        CHECK(control() == MODE[0], "the clock's mode %#x outlived the call", control());
        _mm_setcsr(MODE[0]);
        CHECK(report.solved == CROWD, "%u of %d solved", report.solved, CROWD);
        for (k = 0; k < CROWD; ++k) {
            EXPECT_OK(sinew_animator_get_pose(animators[k], solved[pass][k], RIG_JOINTS));
        }
        EXPECT_OK(sinew_world_destroy(world));
        for (k = 0; k < CROWD; ++k) {
            EXPECT_OK(sinew_animator_destroy(animators[k]));
        }
    }
    for (k = 0; k < CROWD; ++k) {
        CHECK(memcmp(solved[0][k], solved[1][k], sizeof solved[0][k]) == 0, "animator %d has other bits", k);
    }
    rig_free(&rig);
}

static void a_draw_callback_that_leaves_another_mode_changes_nothing(void)
{
    static Lines lines[2];
    SinewAnimator animator;
    SinewHumanoidInput input = full_input();
    SinewTransform root;
    int pass;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_root(animator, &root));
    root.position.x = 0.1f, root.scale.x = root.scale.y = root.scale.z = 1.1f;
    EXPECT_OK(sinew_animator_set_root(animator, &root));
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_solve(animator));
    for (pass = 0; pass < 2; ++pass) {
        evil = MODE[pass == 0 ? 0 : 4];
        lines[pass].count = 0;
        EXPECT_OK(sinew_animator_draw(animator, draw_in_another_mode, &lines[pass]));
        CHECK(control() == MODE[0], "the callback's mode %#x outlived the call", control());
        _mm_setcsr(MODE[0]);
    }
    CHECK(lines[0].count > 20, "only %d lines", lines[0].count);
    CHECK(memcmp(&lines[0], &lines[1], sizeof lines[0]) == 0, "other lines");
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

/* A host that hunts a NaN reads the sticky flags after its frame: they tell of its own arithmetic
 * only. */
static void sticky_flags_are_the_hosts_own(void)
{
    static const unsigned RAISED[] = {0, 0x01, 0x24, 0x3f};
    SinewHumanoidInput input = full_input();
    SinewAnimator animator;
    SinewVec3 mass;
    size_t k;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    for (k = 0; k < sizeof RAISED / sizeof *RAISED; ++k) {
        unsigned after[2];
        SinewResult results[2];
        _mm_setcsr(MODE[0] | RAISED[k]);
        results[0] = sinew_animator_solve(animator);
        after[0] = _mm_getcsr();
        _mm_setcsr(MODE[3] | RAISED[k]);
        results[1] = sinew_animator_get_body_position(animator, &mass);
        after[1] = _mm_getcsr();
        _mm_setcsr(MODE[0]);
        CHECK(results[0] == SINEW_OK && results[1] == SINEW_OK, "%d, %d", (int)results[0], (int)results[1]);
        CHECK(after[0] == (MODE[0] | RAISED[k]), "a solve left %#x, not %#x", after[0], MODE[0] | RAISED[k]);
        CHECK(after[1] == (MODE[3] | RAISED[k]), "a query left %#x, not %#x", after[1], MODE[3] | RAISED[k]);
    }
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

int main(void)
{
    _mm_setcsr(MODE[2]);
    if (control() != MODE[2]) { /* valgrind's processor does not keep the mode */
        _mm_setcsr(MODE[0]);
        printf("skip the processor's mode: it cannot be set here\n");
        return 0;
    }
    _mm_setcsr(MODE[0]);
    RUN(results_do_not_depend_on_the_processors_mode_and_the_mode_is_restored);
    RUN(an_avatar_does_not_depend_on_the_processors_mode);
    RUN(a_clock_that_leaves_another_mode_changes_nothing);
    RUN(a_draw_callback_that_leaves_another_mode_changes_nothing);
    RUN(sticky_flags_are_the_hosts_own);
    return check_report();
}
#else
int main(void)
{
    printf("skip the processor's mode: there is no MXCSR here\n");
    return 0;
}
#endif
