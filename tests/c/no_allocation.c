/* No call that a frame makes allocates. This program brings its own malloc family, which the shared library then uses as well,
 * and counts. Needs glibc (elsewhere, and under a sanitizer or valgrind, which bring their own, it says so). */
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
    return call->handle == H_ANIMATOR ? call->effect == E_NONE : call->in == I_HANDLES;
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
            CHECK(allocations == before && frees == freed, "%s: %ld allocations, %ld frees", CALLS[k].name,
                  allocations - before, frees - freed);
            args.i = 99; /* failing costs nothing either */
            args.a.bits ^= 4;
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

static int counts(void)
{
    Rig probe;
    long before = allocations;
    rig_make(&probe, 0);
    rig_free(&probe);
    return allocations > before;
}

int main(void)
{
    if (!counts()) {
        printf("skip counting allocations: the library's do not come by here\n");
        return 0;
    }
    RUN(no_per_frame_call_allocates_or_frees);
    RUN(frames_do_not_allocate);
    return check_report();
}
#else
int main(void)
{
    printf("skip counting allocations: a sanitizer has its own, or this is not glibc\n");
    return 0;
}
#endif
