/* The longest single calls: rigs, goals and settings chosen to be slow. Prints the processor time
 * of each; fails when one takes more than the bound on work allows with room for slow machines. */
#define _POSIX_C_SOURCE 200809L
#include "rig.h"

#include <time.h>

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static uint64_t state = 7;
static float unit(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (float)(state >> 40) / 8388608.0f - 1.0f;
}

typedef struct Tree {
    SinewSkeleton skeleton;
    SinewAnimator animator;
    SinewConstraint chain;
    uint32_t joints;
} Tree;

/* `branches` lines of `length` joints below a trunk of as many; 1 branch: one line. */
static Tree tree(uint32_t branches, uint32_t length)
{
    Tree made;
    SinewSkeletonDef def;
    SinewAnimatorDef animator_def;
    uint32_t k, b;
    int32_t *parents;
    SinewTransform *rest;
    const uint32_t trunk = branches > 1 ? length : 0;
    made.joints = trunk + branches * length;
    made.chain.bits = 0;
    parents = calloc(made.joints, sizeof *parents);
    rest = calloc(made.joints, sizeof *rest);
    for (k = 0; k < made.joints; ++k) {
        const uint32_t place = k < trunk ? k : (k - trunk) % length;
        b = k < trunk ? 0 : (k - trunk) / length;
        parents[k] = k < trunk || place > 0 ? (int32_t)k - 1 : trunk > 0 ? (int32_t)trunk - 1 : -1;
        rest[k].rotation.w = 1;
        rest[k].scale = (SinewVec3){1, 1, 1};
        rest[k].position = (SinewVec3){place == 0 ? 0.03f * (float)b : 0.0f, 0.05f, 0.002f * (float)(k % 3)};
    }
    rig_must(sinew_skeleton_def_default(&def), "sinew_skeleton_def_default");
    def.joint_count = made.joints;
    def.parents = parents;
    def.rest = rest;
    rig_must(sinew_skeleton_create(&def, &made.skeleton), "sinew_skeleton_create");
    rig_must(sinew_animator_def_default(&animator_def), "sinew_animator_def_default");
    animator_def.skeleton = made.skeleton;
    rig_must(sinew_animator_create(&animator_def, &made.animator), "sinew_animator_create");
    free(parents);
    free(rest);
    return made;
}

static void limit_all(const Tree *t, float angle)
{
    SinewJointLimits limits;
    uint32_t k;
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
    limits.min_rad = (SinewVec3){-angle, -angle, -angle};
    limits.max_rad = (SinewVec3){angle, angle, angle};
    for (k = 0; k < t->joints; ++k) {
        EXPECT_OK(sinew_animator_set_joint_limits(t->animator, k, &limits));
    }
}

/* The slowest of some solves with goals about as far as the tree is long. */
static double slowest(Tree *t, uint32_t branches, uint32_t length, int32_t solver, int hostile, int rounds)
{
    SinewChainDef def;
    SinewChainEnd ends[16];
    double worst = 0;
    uint32_t k;
    int round;
    memset(ends, 0, sizeof ends);
    EXPECT_OK(sinew_chain_def_default(&def));
    def.solver = solver;
    def.ends = ends;
    def.end_count = branches;
    if (hostile) {
        def.max_iterations = 100000;
        def.max_attempts = 10000;
    }
    for (k = 0; k < branches; ++k) {
        ends[k].joint = t->joints - 1 - k * length;
    }
    EXPECT_OK(sinew_animator_add_chain(t->animator, &def, &t->chain));
    EXPECT_OK(sinew_animator_set_constraint_weight(t->animator, t->chain, 1.0f));
    for (round = 0; round < rounds; ++round) {
        double begun;
        for (k = 0; k < branches; ++k) {
            const float size = 0.06f * (float)length * (branches > 1 ? 2.0f : 1.0f);
            SinewVec3 goal = {size * unit(), size * unit(), size * unit()};
            SinewQuat turn = {unit(), unit(), unit(), 1.5f};
            EXPECT_OK(sinew_animator_set_constraint_position(t->animator, t->chain, k, &goal));
            EXPECT_OK(sinew_animator_set_constraint_position_weight(t->animator, t->chain, k, 1.0f));
            EXPECT_OK(sinew_animator_set_constraint_rotation(t->animator, t->chain, k, &turn));
            EXPECT_OK(sinew_animator_set_constraint_rotation_weight(t->animator, t->chain, k, 1.0f));
        }
        EXPECT_OK(sinew_animator_reset_pose(t->animator));
        begun = cpu_ms();
        EXPECT_OK(sinew_animator_solve(t->animator));
        begun = cpu_ms() - begun;
        worst = begun > worst ? begun : worst;
    }
    return worst;
}

static void no_solve_is_longer_than_its_work(void)
{
    static const struct Case {
        const char *name;
        uint32_t branches, length;
        int32_t solver;
        int limits, hostile, rounds;
    } CASES[] = {
        {"6 joints, limits, default settings", 1, 6, SINEW_CHAIN_SOLVER_DEFAULT, 1, 0, 40},
        {"20 joints, limits, default settings", 1, 20, SINEW_CHAIN_SOLVER_DEFAULT, 1, 0, 20},
        {"tree of 4 x 8 joints, default settings", 4, 8, SINEW_CHAIN_SOLVER_DEFAULT, 0, 0, 10},
        {"tree of 4 x 8 joints, limits, default settings", 4, 8, SINEW_CHAIN_SOLVER_DEFAULT, 1, 0, 10},
        {"tree of 16 x 6 joints, limits, default settings", 16, 6, SINEW_CHAIN_SOLVER_DEFAULT, 1, 0, 2},
        {"tree of 16 x 60 joints, limits, default settings", 16, 60, SINEW_CHAIN_SOLVER_DEFAULT, 1, 0, 1},
        {"40 joints, limits, most settings", 1, 40, SINEW_CHAIN_SOLVER_DEFAULT, 1, 1, 3},
        {"tree of 4 x 8 joints, limits, most settings", 4, 8, SINEW_CHAIN_SOLVER_DEFAULT, 1, 1, 3},
        {"tree of 4 x 8 joints, selectively damped, most settings", 4, 8, SINEW_CHAIN_SOLVER_SELECTIVELY_DAMPED, 1, 1, 3},
        {"tree of 4 x 8 joints, FABRIK, most settings", 4, 8, SINEW_CHAIN_SOLVER_FABRIK, 1, 1, 3},
        {"line of 4000 joints, limits, default settings", 1, 4000, SINEW_CHAIN_SOLVER_DEFAULT, 1, 0, 1},
        {"line of 65,535 joints, coordinate descent, most settings", 1, 65535, SINEW_CHAIN_SOLVER_CCD, 0, 1, 1},
        {"line of 65,535 joints, FABRIK, most settings", 1, 65535, SINEW_CHAIN_SOLVER_FABRIK, 0, 1, 1},
    };
    const double most_ms = 2000; /* also of a build with little optimisation */
    size_t k;
    printf("# ms of processor time, the slowest of some solves; at most %u steps each\n", (unsigned)SINEW_MAX_WORK);
    for (k = 0; k < sizeof CASES / sizeof CASES[0]; ++k) {
        const struct Case *c = &CASES[k];
        Tree t = tree(c->branches, c->length);
        double worst;
        if (c->limits) {
            limit_all(&t, 0.5f);
        }
        worst = slowest(&t, c->branches, c->length, c->solver, c->hostile, c->rounds);
        printf("# %-58s %9.2f\n", c->name, worst);
        CHECK(worst < most_ms, "%s: %g ms", c->name, worst);
        EXPECT_OK(sinew_animator_destroy(t.animator));
        EXPECT_OK(sinew_skeleton_destroy(t.skeleton));
    }
}

static void set_up_of_the_largest_rig(void)
{
    double begun = cpu_ms(), took;
    SinewTransform *pose;
    SinewModelFrame *frames;
    int32_t map[SINEW_HUMAN_BONE_COUNT];
    uint32_t found = 0;
    Tree t = tree(1, 65535);
    printf("# %-58s %9.2f\n", "create skeleton and animator, 65,535 joints", cpu_ms() - begun);
    begun = cpu_ms();
    EXPECT_OK(sinew_skeleton_map_human_names(t.skeleton, map, SINEW_HUMAN_BONE_COUNT, &found));
    printf("# %-58s %9.2f\n", "map human names, 65,535 joints without names", cpu_ms() - begun);
    begun = cpu_ms();
    EXPECT_OK(sinew_skeleton_map_human_bones(t.skeleton, map, SINEW_HUMAN_BONE_COUNT, &found));
    printf("# %-58s %9.2f\n", "map human bones, 65,535 joints without names", cpu_ms() - begun);
    frames = calloc(t.joints, sizeof *frames);
    EXPECT_OK(sinew_animator_get_pose_buffer(t.animator, &pose, NULL));
    begun = cpu_ms();
    EXPECT_OK(sinew_animator_get_model_frames(t.animator, frames, t.joints));
    took = cpu_ms() - begun;
    printf("# %-58s %9.2f\n", "model frames, 65,535 joints", took);
    CHECK(took < 1000, "frames of a line take %g ms", took);
    free(frames);
    EXPECT_OK(sinew_animator_destroy(t.animator));
    EXPECT_OK(sinew_skeleton_destroy(t.skeleton));
}

int main(void)
{
    if (getenv("SINEW_TEST_SLOW") != NULL) {
        printf("skip the longest calls: times mean nothing here\n");
        return 0;
    }
    RUN(no_solve_is_longer_than_its_work);
    RUN(set_up_of_the_largest_rig);
    return check_report();
}
