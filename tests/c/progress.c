/* No call waits for a thread that cannot run: not for one of lower priority on the same processor,
 * and not for one that a fork() has left behind in the parent. */
#define _GNU_SOURCE
#include "calls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#if defined(__linux__)
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static Rig rig;
static volatile int stop;

CHECK_UNUSED static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A body in track mode, which shares memory with others; null where one call failed. */
CHECK_UNUSED static SinewBody tracked_body(void)
{
    SinewBodySettings settings;
    SinewBodyTaskDef def = rig_task_def();
    SinewBodyTask task;
    SinewBody body = {0};
    if (sinew_body_settings_default(&settings) != SINEW_OK) {
        return body;
    }
    settings.mode = SINEW_BODY_MODE_TRACK;
    if (sinew_body_create(rig.skeleton, 0, &settings, &body) == SINEW_OK &&
        sinew_body_add_task(body, &def, &task) != SINEW_OK) {
        sinew_body_destroy(body);
        body.bits = 0;
    }
    return body;
}

/* Creates, uses and destroys objects of all kinds that share state. */
CHECK_UNUSED static void *churn(void *user)
{
    long *made = user;
    while (!stop) {
        SinewSkeletonDef def = rig_skeleton_def(&rig);
        SinewAnimator animator = rig_animator(&rig);
        SinewBody body = tracked_body();
        SinewSkeleton skeleton;
        sinew_animator_solve(animator);
        sinew_animator_destroy(animator);
        sinew_body_destroy(body);
        if (sinew_skeleton_create(&def, &skeleton) == SINEW_OK) {
            sinew_skeleton_destroy(skeleton);
            ++*made;
        }
    }
    return NULL;
}

/* In the child: what it has, something new, and an end. The exit code tells what failed. */
CHECK_UNUSED static int use_everything(SinewAnimator mine)
{
    SinewSkeletonDef def = rig_skeleton_def(&rig);
    SinewSkeleton skeleton;
    SinewBody body;
    uint32_t count;
    if (sinew_animator_solve(mine) != SINEW_OK) {
        return 2;
    }
    if (sinew_skeleton_get_joint_count(rig.skeleton, &count) != SINEW_OK || count != RIG_JOINTS) {
        return 3;
    }
    if (sinew_skeleton_create(&def, &skeleton) != SINEW_OK) {
        return 4;
    }
    if (sinew_skeleton_destroy(skeleton) != SINEW_OK) {
        return 5;
    }
    body = tracked_body();
    return body.bits != 0 && sinew_body_destroy(body) == SINEW_OK ? 0 : 6;
}

/* In the child: a world whose threads the parent has. */
CHECK_UNUSED static int use_world(SinewWorld world, const SinewAnimator *members, const SinewTransform *expected)
{
    int k;
    if (sinew_world_solve(world, NULL, NULL) != SINEW_OK) {
        return 2;
    }
    for (k = 0; k < 32; ++k) {
        SinewTransform pose[RIG_JOINTS];
        if (sinew_animator_get_pose(members[k], pose, RIG_JOINTS) != SINEW_OK || memcmp(pose, expected, sizeof pose) != 0) {
            return 3;
        }
    }
    if (sinew_world_set_threads(world, 3) != SINEW_OK) { /* threads of its own */
        return 4;
    }
    if (sinew_world_solve(world, NULL, NULL) != SINEW_OK) {
        return 5;
    }
    return sinew_world_destroy(world) == SINEW_OK ? 0 : 6;
}

CHECK_UNUSED static void a_child_of_fork_solves_worlds_without_the_parents_threads(void)
{
    SinewAnimator members[32];
    SinewTransform expected[RIG_JOINTS];
    SinewWorld world;
    pid_t child;
    int k, status = 0;
    rig_make(&rig, 1);
    EXPECT_OK(sinew_world_create(&world));
    if (sinew_world_set_threads(world, 2) == SINEW_ERROR_NOT_AVAILABLE) {
        EXPECT_OK(sinew_world_destroy(world));
        rig_free(&rig);
        return;
    }
    for (k = 0; k < 32; ++k) {
        uint32_t row;
        members[k] = rig_animator(&rig);
        EXPECT_OK(sinew_world_join(world, members[k], &row));
    }
    EXPECT_OK(sinew_world_solve(world, NULL, NULL));
    EXPECT_OK(sinew_animator_get_pose(members[0], expected, RIG_JOINTS));
    child = fork();
    REQUIRE(child >= 0, "fork failed: %d", errno);
    if (child == 0) {
        alarm(20); /* a child that hangs ends by a signal */
        _exit(use_world(world, members, expected));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    CHECK(WIFEXITED(status), "the child hung");
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) == 0, "the child failed at step %d", WEXITSTATUS(status));
    EXPECT_OK(sinew_world_solve(world, NULL, NULL));
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < 32; ++k) {
        EXPECT_OK(sinew_animator_destroy(members[k]));
    }
    rig_free(&rig);
}

CHECK_UNUSED static void a_child_of_fork_can_use_the_library(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    long made[THREADS] = {0}, rounds = check_rounds(1500, 10), k;
    SinewAnimator mine;
    rig_make(&rig, 1);
    mine = rig_animator(&rig);
    stop = 0;
    for (k = 0; k < THREADS; ++k) {
        REQUIRE(pthread_create(&threads[k], NULL, churn, &made[k]) == 0, "no thread");
    }
    for (k = 0; k < rounds; ++k) {
        double start = seconds();
        int status = 0, ended = 0;
        pid_t child = fork();
        REQUIRE(child >= 0, "fork failed: %d", errno);
        if (child == 0) {
            alarm(20); /* a child that hangs ends by a signal */
            _exit(use_everything(mine));
        }
        while ((ended = (int)waitpid(child, &status, 0)) < 0 && errno == EINTR) {
        }
        CHECK(ended == child && WIFEXITED(status), "child %ld hung for %.0f s", k, seconds() - start);
        CHECK(!WIFEXITED(status) || WEXITSTATUS(status) == 0, "child %ld failed at step %d", k, WEXITSTATUS(status));
    }
    stop = 1;
    for (k = 0; k < THREADS; ++k) {
        pthread_join(threads[k], NULL);
        CHECK(made[k] > 0, "thread %ld made nothing", k);
    }
    EXPECT_OK(sinew_animator_destroy(mine));
    rig_free(&rig);
}

static sem_t wanted;
static volatile long low_calls, high_calls;
static volatile int refused;

/* On the last processor, with a real-time priority. */
CHECK_UNUSED static int pin(int priority)
{
    struct sched_param param;
    cpu_set_t set;
    param.sched_priority = priority;
    CPU_ZERO(&set);
    CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0 &&
           pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}
CHECK_UNUSED static void *low(void *user)
{
    SinewSkeletonDef def = rig_skeleton_def(&rig);
    (void)user;
    if (!pin(10)) {
        refused = 1;
        return NULL;
    }
    while (!stop) {
        SinewSkeleton skeleton;
        uint32_t count;
        int k;
        for (k = 0; k < 200; ++k) {
            sinew_skeleton_get_joint_count(rig.skeleton, &count);
        }
        if (sinew_skeleton_create(&def, &skeleton) == SINEW_OK) {
            sinew_skeleton_destroy(skeleton);
        }
        low_calls = low_calls + 1;
        if (low_calls % 200 == 0) {
            usleep(500); /* real-time threads may not use up a processor */
        }
    }
    return NULL;
}
CHECK_UNUSED static void *high(void *user)
{
    SinewSkeletonDef def = rig_skeleton_def(&rig);
    (void)user;
    if (!pin(20)) {
        refused = 1;
        return NULL;
    }
    while (!stop) {
        SinewSkeleton skeleton;
        uint32_t count;
        sem_wait(&wanted);
        sinew_skeleton_get_joint_count(rig.skeleton, &count);
        if (sinew_skeleton_create(&def, &skeleton) == SINEW_OK) {
            sinew_skeleton_destroy(skeleton);
        }
        high_calls = high_calls + 1;
    }
    return NULL;
}

CHECK_UNUSED static void a_thread_of_high_priority_is_not_held_up(void)
{
    pthread_t threads[2];
    double start, moved;
    long last = -1;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        printf("skip a_thread_of_high_priority_is_not_held_up: it needs two processors\n");
        return;
    }
    rig_make(&rig, 1);
    sem_init(&wanted, 0, 0);
    stop = refused = 0;
    low_calls = high_calls = 0;
    pthread_create(&threads[0], NULL, high, NULL);
    pthread_create(&threads[1], NULL, low, NULL);
    start = moved = seconds();
    while (seconds() - start < 1.5 && !refused) {
        sem_post(&wanted);
        usleep(30);
        if (high_calls != last) {
            last = high_calls;
            moved = seconds();
        }
        if (seconds() - moved > 1.0) {
            printf("not ok %s no call of the high thread has ended for 1 s\n", check_test);
            exit(1); /* a thread that spins at this priority cannot be joined */
        }
    }
    stop = 1;
    sem_post(&wanted);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (refused) {
        printf("skip a_thread_of_high_priority_is_not_held_up: SCHED_FIFO is not allowed here\n");
    } else {
        CHECK(high_calls > 100 && low_calls > 10, "only %ld and %ld calls", high_calls, low_calls);
    }
    sem_destroy(&wanted);
    rig_free(&rig);
}

int main(void)
{
#if defined(__SANITIZE_ADDRESS__)
    printf("skip threads that cannot run: the sanitizer's own allocator has locks that spin\n");
#else
    if (getenv("SINEW_TEST_SLOW") == NULL) {
        RUN(a_child_of_fork_can_use_the_library);
        RUN(a_child_of_fork_solves_worlds_without_the_parents_threads);
        RUN(a_thread_of_high_priority_is_not_held_up);
    } else {
        printf("skip children of fork: what the parent's threads held is a leak here\n");
        printf("skip a_thread_of_high_priority_is_not_held_up: one processor is simulated here\n");
    }
#endif
    return check_report();
}
#else
int main(void)
{
    printf("skip threads that cannot run: Linux only\n");
    return 0;
}
#endif
