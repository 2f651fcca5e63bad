/* A host may have switched the processor to flush denormals to zero, to treat them as zero, or to round up: the library
 * computes in the default mode all the same, and leaves the host's mode as it found it. x86 only; elsewhere it says so. */
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
    return check_report();
}
#else
int main(void)
{
    printf("skip the processor's mode: there is no MXCSR here\n");
    return 0;
}
#endif
