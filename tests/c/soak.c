/* Worlds under load: threads that create, join, solve, leave and destroy animators of one pool, and
 * now and then end each other's solves early. Codes must be documented ones, memory must stay flat,
 * and the time of a call is shown as a histogram. A few seconds as a test; for an hour:
 *
 *     cargo xtask soak
 *
 * SINEW_SOAK_SECONDS, SINEW_SOAK_ANIMATORS and SINEW_SOAK_THREADS change what their names say. */
#define _POSIX_C_SOURCE 200809L
#include "rig.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64, MAX_ANIMATORS = 1 << 17, BINS = 32 };

static Rig rig;
static long seconds, animator_count, thread_count;
static uint64_t pool[MAX_ANIMATORS]; /* handles; written and read atomically */
static int stop;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long setting(const char *name, long usual, long most)
{
    const char *text = getenv(name);
    const long value = text != NULL ? atol(text) : usual;
    return value < 1 ? 1 : value > most ? most : value;
}

/* Resident memory in KiB; 0 where the system does not say. */
static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2) {
        resident = 0;
    }
    (void)fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

typedef struct Worker {
    uint64_t random;
    long calls, ok, busy, gone, member, other, odd;
    long solves[BINS], frames[BINS]; /* by the power of two of microseconds */
} Worker;

static uint32_t below(Worker *worker, uint32_t count)
{
    worker->random ^= worker->random << 13;
    worker->random ^= worker->random >> 7;
    worker->random ^= worker->random << 17;
    return (uint32_t)((worker->random >> 32) * count >> 32);
}

static void count_time(long *bins, double begun)
{
    double us = 1e6 * (now_s() - begun);
    int bin = 0;
    while (us >= 1 && bin < BINS - 1) {
        us /= 2;
        ++bin;
    }
    ++bins[bin];
}

static SinewResult tally(Worker *worker, SinewResult result)
{
    ++worker->calls;
    switch (result) {
    case SINEW_OK: ++worker->ok; break;
    case SINEW_ERROR_BUSY: ++worker->busy; break;
    case SINEW_ERROR_INVALID_HANDLE: ++worker->gone; break;
    case SINEW_ERROR_ALREADY_MEMBER:
    case SINEW_ERROR_NOT_MEMBER: ++worker->member; break;
    default: ++worker->other, worker->odd = result;
    }
    return result;
}

static SinewAnimator at(uint32_t place)
{
    SinewAnimator animator;
    animator.bits = __atomic_load_n(&pool[place], __ATOMIC_ACQUIRE);
    return animator;
}

static void replace(Worker *worker, uint32_t place)
{
    SinewAnimatorDef def = rig_animator_def(&rig);
    SinewAnimator old = at(place), made;
    SinewChainEnd end;
    SinewChainDef chain = rig_chain_def(&end);
    SinewConstraint constraint;
    SinewVec3 goal = {0.2f, 1.3f, 0.4f};
    if (tally(worker, sinew_animator_destroy(old)) != SINEW_OK || tally(worker, sinew_animator_create(&def, &made)) != SINEW_OK) {
        return;
    }
    (void)tally(worker, sinew_animator_add_chain(made, &chain, &constraint));
    (void)tally(worker, sinew_animator_set_constraint_position(made, constraint, 0, &goal));
    (void)tally(worker, sinew_animator_set_constraint_position_weight(made, constraint, 0, 1.0f));
    (void)tally(worker, sinew_animator_set_constraint_weight(made, constraint, 1.0f));
    (void)tally(worker, sinew_animator_set_max_work(made, 20000));
    __atomic_store_n(&pool[place], made.bits, __ATOMIC_RELEASE);
}

static void *work(void *user)
{
    Worker *worker = user;
    SinewWorld world = {0};
    SinewWorldReport report;
    (void)tally(worker, sinew_world_create(&world));
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        const uint32_t place = below(worker, (uint32_t)animator_count);
        const SinewAnimator animator = at(place);
        const uint32_t what = below(worker, 100);
        SinewVec3 goal;
        goal.x = 0.01f * (float)below(worker, 100);
        goal.y = 1.0f + 0.01f * (float)below(worker, 60);
        goal.z = 0.01f * (float)below(worker, 60);
        if (what < 30) {
            const double begun = now_s();
            (void)tally(worker, sinew_animator_reset_pose(animator));
            (void)tally(worker, sinew_animator_solve(animator));
            count_time(worker->solves, begun);
        } else if (what < 50) {
            (void)tally(worker, sinew_animator_set_ik_position(animator, (int32_t)(what & 3), &goal));
            (void)tally(worker, sinew_animator_set_ik_position_weight(animator, (int32_t)(what & 3), 0.8f));
        } else if (what < 72) {
            (void)tally(worker, sinew_world_join(world, animator, NULL));
        } else if (what < 92) {
            (void)tally(worker, sinew_world_leave(world, animator));
        } else if (what < 96) {
            replace(worker, place);
        } else if (what < 98) {
            (void)tally(worker, sinew_animator_set_cancelled(animator, below(worker, 2)));
        } else {
            const double begun = now_s();
            (void)tally(worker, sinew_world_solve(world, NULL, &report));
            count_time(worker->frames, begun);
        }
    }
    (void)tally(worker, sinew_world_destroy(world));
    return NULL;
}

static void histogram(const char *what, const long *bins)
{
    long total = 0, seen = 0;
    int k;
    for (k = 0; k < BINS; ++k) {
        total += bins[k];
    }
    printf("# %s: %ld calls\n", what, total);
    for (k = 0; k < BINS; ++k) {
        seen += bins[k];
        if (bins[k] > 0) {
            printf("#   below %9.0f us %9ld %7.3f %%\n", (double)(1L << k), bins[k], 100.0 * (double)seen / (double)total);
        }
    }
}

static void worlds_under_load_keep_their_memory_and_their_codes(void)
{
    static Worker workers[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    Worker sum;
    SinewAnimatorDef def;
    double begun, quarter;
    long k, b, started = 0, settled_kib = 0, last_kib;
    rig_make(&rig, 0);
    def = rig_animator_def(&rig);
    for (k = 0; k < animator_count; ++k) {
        SinewAnimator made;
        REQUIRE(sinew_animator_create(&def, &made) == SINEW_OK, "animator %ld cannot be created", k);
        pool[k] = made.bits;
    }
    for (k = 0; k < thread_count; ++k) {
        workers[k].random = 0x9E3779B97F4A7C15u * (uint64_t)(k + 1);
        started += pthread_create(&threads[k], NULL, work, &workers[k]) == 0;
    }
    REQUIRE(started == thread_count, "only %ld threads started", started);
    begun = now_s();
    quarter = 0.5 * (double)seconds;
    while (now_s() - begun < (double)seconds) {
        const struct timespec pause = {0, 50000000};
        nanosleep(&pause, NULL);
        if (settled_kib == 0 && now_s() - begun > quarter) {
            settled_kib = resident_kib();
        }
    }
    last_kib = resident_kib();
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    memset(&sum, 0, sizeof sum);
    for (k = 0; k < thread_count; ++k) {
        pthread_join(threads[k], NULL);
        sum.calls += workers[k].calls, sum.ok += workers[k].ok, sum.busy += workers[k].busy;
        sum.gone += workers[k].gone, sum.member += workers[k].member, sum.other += workers[k].other;
        sum.odd = workers[k].odd != 0 ? workers[k].odd : sum.odd;
        for (b = 0; b < BINS; ++b) {
            sum.solves[b] += workers[k].solves[b];
            sum.frames[b] += workers[k].frames[b];
        }
    }
    printf("# %ld s, %ld animators, %ld threads: %ld calls, %ld ok, %ld busy, %ld gone, %ld (not) members\n", seconds,
           animator_count, thread_count, sum.calls, sum.ok, sum.busy, sum.gone, sum.member);
    printf("# resident memory after half the time %ld KiB, at the end %ld KiB\n", settled_kib, last_kib);
    histogram("one animator (reset and solve)", sum.solves);
    histogram("a world", sum.frames);
    CHECK(sum.other == 0, "%ld calls gave another code, such as %ld", sum.other, sum.odd);
    CHECK(sum.ok > sum.calls / 8, "only %ld of %ld calls succeeded", sum.ok, sum.calls);
    /* A sanitizer keeps what was freed; runs of seconds are still growing into their pools. */
#if !defined(__SANITIZE_ADDRESS__)
    CHECK(seconds < 60 || settled_kib == 0 || last_kib <= settled_kib + settled_kib / 20 + 4096,
          "memory grew from %ld to %ld KiB", settled_kib, last_kib);
#endif
    for (k = 0; k < animator_count; ++k) {
        EXPECT_OK(sinew_animator_destroy(at((uint32_t)k)));
    }
    rig_free(&rig);
}

int main(void)
{
    seconds = setting("SINEW_SOAK_SECONDS", 3, 1000000);
    animator_count = setting("SINEW_SOAK_ANIMATORS", 1000, MAX_ANIMATORS);
    thread_count = setting("SINEW_SOAK_THREADS", 8, MAX_THREADS);
    RUN(worlds_under_load_keep_their_memory_and_their_codes);
    return check_report();
}
