/* No call that a frame makes allocates. This program brings its own malloc family, which the shared
 * library then uses as well, and counts. Needs glibc (elsewhere, and under a sanitizer or valgrind,
 * which bring their own, it says so). */
#include "calls.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static volatile long allocations, frees;

void *malloc(size_t size)
{
    ++allocations;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    ++allocations;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size)
{
    ++allocations;
    return __libc_realloc(memory, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    ++allocations;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size)
{
    ++allocations;
    *memory = __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : 12;
}
void free(void *memory)
{
    frees += memory != NULL;
    __libc_free(memory);
}

static Rig rig;
static Scratch scratch;

static int frame_call(const Call *call)
{
    return call->handle >= H_ANIMATOR ? call->effect == E_NONE : call->in == I_HANDLES || call->in == I_TWO_BONE_JOB
        || call->in == I_JOINT_LIMB_JOB || call->in == I_AIM_JOB || call->in == I_CHAIN_JOB || call->in == I_POSE;
}

static void no_per_frame_call_allocates_or_frees(void)
{
    SinewAnimator animator;
    int round, k, counted = 0;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    for (round = 0; round < 3; ++round) {
        for (k = 0; k < CALL_COUNT; ++k) {
            Args args = good_args(&CALLS[k], &rig, animator, &scratch);
            long before = allocations, freed = frees;
            SinewResult result;
            if (!frame_call(&CALLS[k])) {
                continue;
            }
            result = CALLS[k].run(&args);
            ++counted;
            CHECK(result == SINEW_OK, "%s gave %d", CALLS[k].name, (int)result);
            /* A thread's first batch, and a world's first frame, make the memory that later ones
             * work in. */
            if (round == 0 && (CALLS[k].in == I_TWO_BONE_JOB || CALLS[k].in == I_JOINT_LIMB_JOB || CALLS[k].in == I_AIM_JOB
                               || CALLS[k].in == I_CHAIN_JOB || CALLS[k].in == I_POSE
                               || CALLS[k].in == I_WORLD_FRAME)) {
                continue;
            }
            /* So does the first override of a bone of an animator. */
            if (round == 0 && strcmp(CALLS[k].name, "sinew_animator_set_bone_local_rotation") == 0) {
                CHECK(allocations > before, "the first override allocates nothing: take it out here");
                continue;
            }
            CHECK(allocations == before && frees == freed, "%s: %ld allocations, %ld frees", CALLS[k].name,
                  allocations - before, frees - freed);
            args.i = 99; /* failing costs nothing either */
            args.a.bits ^= 4;
            args.k.bits ^= 4;
            args.w.bits ^= 4;
            args.b.bits ^= 4;
            args.t.bits ^= 4;
            args.g.bits ^= 4;
            (void)CALLS[k].run(&args);
            CHECK(allocations == before && frees == freed, "%s, refused: %ld allocations, %ld frees", CALLS[k].name,
                  allocations - before, frees - freed);
        }
    }
    CHECK(counted > 100, "only %d calls were counted", counted);
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static void frames_do_not_allocate(void)
{
    SinewAnimator animator;
    SinewTransform *pose;
    long before, freed;
    int frame;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    before = allocations, freed = frees;
    for (frame = 0; frame < 1000; ++frame) {
        SinewHumanoidInput input = full_input();
        rig_bent_pose(&rig, 0.0005 * frame, pose);
        input.goals[frame % 4].position.x += 10.0f * (float)(frame % 3); /* sometimes out of reach */
        EXPECT_OK(sinew_animator_set_input(animator, &input));
        EXPECT_OK(sinew_animator_solve(animator));
    }
    CHECK(allocations == before && frees == freed, "%ld allocations, %ld frees", allocations - before, frees - freed);
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

/* Chains with limits, a tree, a limb, a copied rotation, each frame told anew, often out of
 * reach. */
static void frames_with_constraints_do_not_allocate(void)
{
    static const uint32_t JOINTS[2] = {RIG_LEFT_HAND, RIG_HEAD};
    SinewAnimator animator;
    SinewTransform *pose;
    SinewConstraint chain, tree, limb, copy;
    SinewChainEnd end, ends[2];
    SinewChainDef chain_def = rig_chain_def(&end);
    SinewTwoBoneDef limb_def;
    SinewCopyRotationDef copy_def;
    SinewJointLimits limits = rig_limits();
    SinewPole pole;
    long before, freed;
    int frame, k;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_add_chain(animator, &chain_def, &chain));
    for (k = 0; k < 2; ++k) {
        memset(&ends[k], 0, sizeof ends[k]);
        ends[k].joint = JOINTS[k];
    }
    chain_def.ends = ends;
    chain_def.end_count = 2;
    chain_def.joint_count = 0;
    EXPECT_OK(sinew_animator_add_chain(animator, &chain_def, &tree));
    EXPECT_OK(sinew_two_bone_def_default(&limb_def));
    limb_def.end = RIG_LEFT_FOOT;
    EXPECT_OK(sinew_animator_add_two_bone(animator, &limb_def, &limb));
    EXPECT_OK(sinew_copy_rotation_def_default(&copy_def));
    copy_def.joint = RIG_RIGHT_HAND_TIP;
    copy_def.source = RIG_HEAD;
    EXPECT_OK(sinew_animator_add_copy_rotation(animator, &copy_def, &copy));
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_RIGHT_LOWER_ARM, &limits));
    EXPECT_OK(sinew_animator_set_joint_limits(animator, RIG_CHEST, &limits));
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    EXPECT_OK(sinew_pole_default(&pole));
    before = allocations, freed = frees;
    for (frame = 0; frame < 300; ++frame) {
        SinewVec3 at = to_vec3(vec3d(0.3 + 2.0 * (frame % 3), 1.2, 0.01 * frame));
        SinewOutcome outcome;
        rig_bent_pose(&rig, 0.0005 * frame, pose);
        EXPECT_OK(sinew_animator_set_constraint_position(animator, chain, 0, &at));
        EXPECT_OK(sinew_animator_set_constraint_distance(animator, chain, 0, frame % 4, 0.25f));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, chain, 1.0f));
        EXPECT_OK(sinew_animator_set_constraint_position(animator, tree, frame & 1, &at));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, tree, 0.5f));
        EXPECT_OK(sinew_animator_set_constraint_position(animator, limb, 0, &at));
        EXPECT_OK(sinew_animator_set_constraint_pole(animator, limb, frame & 1 ? &pole : NULL));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, limb, 1.0f));
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, copy, 0.75f));
        EXPECT_OK(sinew_animator_solve(animator));
        EXPECT_OK(sinew_animator_get_constraint_outcome(animator, tree, &outcome));
        CHECK(outcome.status != SINEW_STATUS_INACTIVE, "the tree was not solved");
    }
    CHECK(allocations == before && frees == freed, "%ld allocations, %ld frees", allocations - before, frees - freed);
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static void frames_with_switches_and_matching_do_not_allocate(void)
{
    SinewAnimator animator;
    SinewHumanoidSettings settings;
    SinewMatchTarget target;
    SinewTransform *pose, root;
    long before, freed;
    int frame, k;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    for (k = 0; k < 4; ++k) {
        settings.pull_weights[k] = 1.0f;
        settings.inertialization_times_s[k] = 0.25f;
    }
    settings.shoulder_weights[0] = settings.shoulder_weights[1] = settings.spine_weight = 1.0f;
    EXPECT_OK(sinew_animator_set_settings(animator, &settings));
    EXPECT_OK(sinew_match_target_default(&target));
    target.part = SINEW_AVATAR_TARGET_RIGHT_FOOT;
    before = allocations, freed = frees;
    for (frame = 0; frame < 500; ++frame) {
        SinewHumanoidInput input = full_input();
        rig_bent_pose(&rig, 0.0005 * frame, pose);
        input.goals[frame % 4].position.x += 10.0f * (float)(frame % 3); /* sometimes out of reach */
        settings.spine_weight = (float)(frame % 7) / 7; /* switch times stay: only those take memory */
        EXPECT_OK(sinew_animator_set_settings(animator, &settings));
        EXPECT_OK(sinew_animator_match_target(animator, &target, 0.002f * (float)frame, 0.002f * (float)(frame + 1), &root));
        EXPECT_OK(sinew_animator_set_root(animator, &root));
        EXPECT_OK(sinew_animator_set_input(animator, &input));
        if (frame % 50 == 0) {
            EXPECT_OK(sinew_animator_inertialize(animator, frame / 50 % 4));
        }
        EXPECT_OK(sinew_animator_advance(animator, 0.016f));
        EXPECT_OK(sinew_animator_solve(animator));
    }
    CHECK(allocations == before && frees == freed, "%ld allocations, %ld frees", allocations - before, frees - freed);
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static int counts(void)
{
    Rig probe;
    long before = allocations;
    rig_make(&probe, 0);
    rig_free(&probe);
    return allocations > before;
}

/* A drag sets up what it needs; the next one of the same joint with the same pins has it. */
static void a_drag_like_the_last_does_not_allocate(void)
{
    const Call *call = CALLS;
    SinewAnimator animator;
    Args args;
    long before, freed;
    int round;
    rig_make(&rig, 1);
    animator = rig_animator(&rig);
    while (strcmp(call->name, "sinew_body_drag") != 0) {
        ++call;
    }
    args = good_args(call, &rig, animator, &scratch);
    EXPECT_OK(call->run(&args));
    before = allocations, freed = frees;
    for (round = 0; round < 5; ++round) {
        EXPECT_OK(call->run(&args));
    }
    CHECK(allocations == before && frees == freed, "%ld allocations, %ld frees", allocations - before, frees - freed);
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

static uint32_t refuse(void *user, const uint8_t *bytes, uint32_t size)
{
    (void)user, (void)bytes, (void)size;
    return 1;
}
static double tick(void *user)
{
    double *now = user;
    return *now += 1e-9;
}

/* Allocations and frees of solves of a world. */
static long of_solves(SinewWorld world, int count)
{
    long before = allocations + frees;
    int k;
    for (k = 0; k < count; ++k) {
        EXPECT_OK(sinew_world_solve(world, NULL, NULL));
    }
    return allocations + frees - before;
}

/* A recording that has stopped by itself keeps nothing any more, and does not wait for its end. */
static void a_recording_that_has_stopped_keeps_nothing(void)
{
    enum { COUNT = 16 };
    SinewAnimator animators[COUNT];
    SinewWorld world;
    double now = 0;
    long usual, after;
    int k;
    rig_make(&rig, 0);
    EXPECT_OK(sinew_world_create(&world));
    for (k = 0; k < COUNT; ++k) {
        animators[k] = rig_animator(&rig);
        EXPECT_OK(sinew_world_join(world, animators[k], NULL));
    }
    EXPECT_OK(sinew_world_set_budget(world, 1e6f, tick, &now));
    (void)of_solves(world, 10);
    usual = of_solves(world, 1000);
    EXPECT_OK(sinew_record_begin_callback(refuse, NULL));
    /* A block is full. */
    for (k = 0; k < 20000; ++k) {
        EXPECT_OK(sinew_animator_reset_pose(animators[0]));
    }
    (void)of_solves(world, 10);
    after = of_solves(world, 1000);
    CHECK(after == usual, "%ld allocations and frees, %ld without a recording", after, usual);
    EXPECT(SINEW_ERROR_NOT_AVAILABLE, sinew_record_end());
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < COUNT; ++k) {
        EXPECT_OK(sinew_animator_destroy(animators[k]));
    }
    rig_free(&rig);
}

int main(void)
{
    if (!counts()) {
        printf("skip counting allocations: the library's do not come by here\n");
        return 0;
    }
    RUN(no_per_frame_call_allocates_or_frees);
    RUN(frames_do_not_allocate);
    RUN(frames_with_switches_and_matching_do_not_allocate);
    RUN(frames_with_constraints_do_not_allocate);
    RUN(a_drag_like_the_last_does_not_allocate);
    RUN(a_recording_that_has_stopped_keeps_nothing);
    return check_report();
}
#else
int main(void)
{
    printf("skip counting allocations: a sanitizer has its own, or this is not glibc\n");
    return 0;
}
#endif
