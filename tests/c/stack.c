/* No call needs more stack than the contract states: each function of the header, the heavy solves
 * and the set-up of a large rig run on a thread whose stack was filled with a pattern before. */
#define _GNU_SOURCE
#include "calls.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sys/mman.h>

enum { ROOM = 1 << 20, PATTERN = 0xA5, KIB = 1024 };

typedef struct Todo {
    void (*run)(void);
} Todo;
static void *run_todo(void *todo)
{
    ((const Todo *)todo)->run();
    return NULL;
}

/* Bytes of stack that a function touches, with what the thread itself needs. */
static long touched(void (*run)(void))
{
    Todo todo = {run};
    pthread_attr_t attributes;
    pthread_t thread;
    long used = 0;
    unsigned char *stack = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) {
        return -1;
    }
    memset(stack, PATTERN, ROOM);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, ROOM) == 0
        && pthread_create(&thread, &attributes, run_todo, &todo) == 0) {
        pthread_join(thread, NULL);
        while (used < ROOM && stack[used] == PATTERN) {
            ++used;
        }
        used = ROOM - used;
    } else {
        used = -1;
    }
    pthread_attr_destroy(&attributes);
    munmap(stack, ROOM);
    return used;
}

/* Bytes that a call may use: what the contract states for a release build. A build without full
 * optimisation needs more. */
static long allowed(void)
{
    const char *kib = getenv("SINEW_STACK_KIB");
    return (kib != NULL ? atol(kib) : 128) * KIB;
}

static Rig rig;
static Scratch scratch;
static long bare;

static void nothing(void) {}

static void holds(const char *name, void (*todo)(void))
{
    long used = touched(todo);
    CHECK(used >= 0, "%s: no thread", name);
    used -= bare;
    CHECK(used <= allowed(), "%s uses %ld bytes of stack", name, used);
    if (used > allowed() / 2) {
        printf("# %s: %.1f KiB\n", name, (double)used / KIB);
    }
}

static const Call *call;
static Args call_args;
static SinewResult call_result;
static void run_call(void) { call_result = call->run(&call_args); }

static void every_function_of_the_header_fits(void)
{
    SinewAnimator animator;
    int k;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    for (k = 0; k < CALL_COUNT; ++k) {
        if (CALLS[k].effect == E_DESTROYS) {
            continue; /* they would end what the next rows use; the heavy set-up below destroys */
        }
        call = &CALLS[k];
        call_args = good_args(call, &rig, animator, &scratch);
        holds(call->name, run_call);
        CHECK(call_result == SINEW_OK, "%s gave %d", call->name, (int)call_result);
    }
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static SinewAnimator person;
static void solve_person(void) { (void)sinew_animator_solve(person); }

static void a_person_with_everything_switched_on_fits(void)
{
    SinewHumanoidInput input = full_input();
    SinewHumanoidSettings settings;
    int k;
    rig_make(&rig, 1);
    person = rig_animator(&rig);
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    settings.limits_enabled = 1;
    settings.spine_weight = settings.shoulder_weights[0] = settings.shoulder_weights[1] = 1.0f;
    for (k = 0; k < 4; ++k) {
        settings.pull_weights[k] = 1.0f;
    }
    EXPECT_OK(sinew_animator_set_settings(person, &settings));
    EXPECT_OK(sinew_animator_set_input(person, &input));
    holds("sinew_animator_solve, everything on", solve_person);
    for (k = 0; k < 4; ++k) {
        input.goals[k].position.x += 10;
    }
    EXPECT_OK(sinew_animator_set_input(person, &input));
    holds("sinew_animator_solve, out of reach", solve_person);
    EXPECT_OK(sinew_animator_destroy(person));
    rig_free(&rig);
}

enum { CROWD = 16 };
static SinewWorld world;
/* Members come together in tiles once they have been solved. */
static void solve_world(void)
{
    int k;
    for (k = 0; k < 4; ++k) {
        (void)sinew_world_solve(world, NULL, NULL);
    }
}

/* A world of members with these inputs, each of which is solved in its own way: one by one, or
 * eight side by side. */
static void world_with(const char *name, uint32_t set, float gaze)
{
    SinewAnimator members[CROWD];
    SinewHumanoidInput input = full_input();
    int k;
    input.set = set;
    input.look_at_weight.weight = gaze;
    rig_make(&rig, 1);
    EXPECT_OK(sinew_world_create(&world));
    for (k = 0; k < CROWD; ++k) {
        members[k] = rig_animator(&rig);
        if (k == CROWD / 2) {
            input.look_at_weight.weight = 0;
        }
        EXPECT_OK(sinew_animator_set_input(members[k], &input));
        EXPECT_OK(sinew_world_join(world, members[k], NULL));
    }
    holds(name, solve_world);
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < CROWD; ++k) {
        EXPECT_OK(sinew_animator_destroy(members[k]));
    }
    rig_free(&rig);
}

static void a_world_fits(void)
{
    const uint32_t all = (1u << 15) - 1;
    const uint32_t body = SINEW_INPUT_BODY_POSITION | SINEW_INPUT_BODY_ROTATION;
    world_with("sinew_world_solve, everything", all, 0.9f);
    world_with("sinew_world_solve, goals and gaze", all & ~body, 0.9f);
    world_with("sinew_world_solve, goals", all & ~body, 0);
    world_with("sinew_world_solve, gaze", SINEW_INPUT_LOOK_AT_POSITION, 0.9f);
    world_with("sinew_world_solve, body", body, 0);
}

static SinewBodyWork works[2];
static SinewBodyTie tie;
static SinewResult met;
static void meet(void) { met = sinew_body_meet(works, 2, &tie, 1, 0, 8, NULL); }

/* Two people whose hands meet, within reach and beyond it. */
static void a_meeting_fits(void)
{
    static SinewTransform pose[RIG_JOINTS];
    SinewBodyTask hands[2];
    double apart;
    int k;
    for (apart = 1; apart < 8; apart += 6) {
        rig_make(&rig, 1);
        rig_bent_pose(&rig, 0.15, pose);
        EXPECT_OK(sinew_body_tie_default(&tie));
        for (k = 0; k < 2; ++k) {
            SinewTransform root = transform(vec3d(apart * k, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
            SinewBodyTaskDef def;
            EXPECT_OK(sinew_body_work_default(&works[k]));
            EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &works[k].body));
            EXPECT_OK(sinew_body_set_root(works[k].body, &root));
            EXPECT_OK(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &def));
            def.joint = k == 0 ? RIG_RIGHT_HAND : RIG_LEFT_HAND;
            EXPECT_OK(sinew_body_add_task(works[k].body, &def, &hands[k]));
            def.joint = RIG_LEFT_FOOT;
            def.flags = SINEW_BODY_TASK_PIN;
            EXPECT_OK(sinew_body_add_task(works[k].body, &def, &tie.first_task));
            works[k].pose = pose;
            works[k].joint_count = RIG_JOINTS;
        }
        tie.first_task = hands[0];
        tie.second_task = hands[1];
        holds("sinew_body_meet", meet);
        CHECK(met == SINEW_OK, "gave %d", (int)met);
        for (k = 0; k < 2; ++k) {
            EXPECT_OK(sinew_body_destroy(works[k].body));
        }
        rig_free(&rig);
    }
}

enum { JOINTS = 40 };
static int32_t solver;
static SinewResult worst;
static void note(SinewResult result) { worst = worst == SINEW_OK ? result : worst; }

/* A chain of limited joints, set up, solved, and destroyed. */
static void limited_chain(void)
{
    static int32_t parents[JOINTS];
    static SinewTransform rest[JOINTS];
    SinewSkeletonDef def;
    SinewSkeleton skeleton;
    SinewAnimatorDef animator_def;
    SinewAnimator animator;
    SinewChainEnd end;
    SinewChainDef chain_def;
    SinewConstraint chain;
    SinewVec3 goal = {0.6f, 0.9f, 0.3f};
    SinewJointLimits limits = rig_limits();
    int32_t joint;
    for (joint = 0; joint < JOINTS; ++joint) {
        parents[joint] = joint - 1;
        rest[joint] = transform(vec3d(0, 0.05, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
    }
    note(sinew_skeleton_def_default(&def));
    def.joint_count = JOINTS;
    def.parents = parents;
    def.rest = rest;
    note(sinew_skeleton_create(&def, &skeleton));
    note(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = skeleton;
    note(sinew_animator_create(&animator_def, &animator));
    note(sinew_chain_def_default(&chain_def));
    memset(&end, 0, sizeof end);
    end.joint = JOINTS - 1;
    chain_def.ends = &end;
    chain_def.end_count = 1;
    chain_def.solver = solver;
    for (joint = 0; joint < JOINTS; ++joint) {
        note(sinew_animator_set_joint_limits(animator, (uint32_t)joint, &limits));
    }
    note(sinew_animator_add_chain(animator, &chain_def, &chain));
    note(sinew_animator_set_constraint_position(animator, chain, 0, &goal));
    note(sinew_animator_set_constraint_weight(animator, chain, 1.0f));
    note(sinew_animator_solve(animator));
    note(sinew_animator_destroy(animator));
    note(sinew_skeleton_destroy(skeleton));
}

static void every_chain_solver_fits(void)
{
    worst = SINEW_OK;
    for (solver = SINEW_CHAIN_SOLVER_DEFAULT; solver <= SINEW_CHAIN_SOLVER_SPRING; ++solver) {
        char name[32];
        snprintf(name, sizeof name, "chain solver %d", (int)solver);
        holds(name, limited_chain);
        CHECK(worst == SINEW_OK, "solver %d: %d", (int)solver, (int)worst);
    }
}

/* A rig with an avatar, from nothing to nothing. */
static void build(void)
{
    Rig other;
    rig_make(&other, 1);
    rig_free(&other);
}

static void a_set_up_fits(void) { holds("set-up of a rig", build); }

int main(void)
{
    if (getenv("SINEW_TEST_SLOW") != NULL) {
        printf("skip the stack: valgrind's own use cannot be told from the library's\n");
        return 0;
    }
    bare = touched(nothing);
    if (bare < 0) {
        printf("skip the stack: threads with a given stack cannot be made here\n");
        return 0;
    }
    RUN(every_function_of_the_header_fits);
    RUN(a_person_with_everything_switched_on_fits);
    RUN(a_world_fits);
    RUN(a_meeting_fits);
    RUN(every_chain_solver_fits);
    RUN(a_set_up_fits);
    return check_report();
}
#else
int main(void)
{
    printf("skip the stack: a sanitizer uses more, or this is not Linux\n");
    return 0;
}
#endif
