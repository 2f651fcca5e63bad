/* Threads and callbacks: two users of one animator get SINEW_ERROR_BUSY, users of different
 * animators never notice each other. */
#include "calls.h"
#include "snapshot.h"

#include <pthread.h>
#include <sched.h>

enum { THREADS = 8 };

static Rig rig;
static SinewAnimator animator;
static volatile int stop;

static void fresh(void)
{
    SinewHumanoidInput input = full_input();
    rig_make(&rig, 0);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    stop = 0;
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

/* What a thread saw; read after it was joined. */
typedef struct Tally {
    SinewAnimator animator;
    SinewConstraint constraint;
    long wanted, ok, busy, invalid, other;
    int32_t odd;
} Tally;

static int count(Tally *tally, SinewResult result)
{
    tally->ok += result == SINEW_OK;
    tally->busy += result == SINEW_ERROR_BUSY;
    tally->invalid += result == SINEW_ERROR_INVALID_HANDLE;
    if (result != SINEW_OK && result != SINEW_ERROR_BUSY && result != SINEW_ERROR_INVALID_HANDLE) {
        ++tally->other;
        tally->odd = result;
    }
    return result == SINEW_OK;
}

/* Solves, sets and gets until every kind of call has often enough succeeded, making way for others
 * in between. */
static void *use_one(void *user)
{
    Tally *tally = user;
    SinewVec3 position = {0.3f, 1.2f, 0.3f}, mass;
    long tries;
    for (tries = 0; tally->ok < tally->wanted && tries < 20000000; ++tries) {
        int done = count(tally, sinew_animator_solve(tally->animator));
        done += count(tally, sinew_animator_set_ik_position(tally->animator, SINEW_IK_GOAL_RIGHT_HAND, &position));
        done += count(tally, sinew_animator_get_body_position(tally->animator, &mass));
        done += count(tally, sinew_animator_set_constraint_position(tally->animator, tally->constraint, 0, &position));
        if (done != 0) {
            sched_yield();
        }
    }
    return NULL;
}

static Tally run_threads(void *(*work)(void *), Tally *tallies)
{
    pthread_t threads[THREADS];
    Tally sum;
    int t, started = 0;
    memset(&sum, 0, sizeof sum);
    for (t = 0; t < THREADS; ++t) {
        started += pthread_create(&threads[t], NULL, work, &tallies[t]) == 0;
    }
    CHECK(started == THREADS, "only %d threads started", started);
    for (t = 0; t < started; ++t) {
        pthread_join(threads[t], NULL);
        sum.ok += tallies[t].ok;
        sum.busy += tallies[t].busy;
        sum.invalid += tallies[t].invalid;
        sum.other += tallies[t].other;
        sum.odd = tallies[t].odd != 0 ? tallies[t].odd : sum.odd;
    }
    return sum;
}

static void two_threads_on_one_animator_get_ok_or_busy(void)
{
    Tally tallies[THREADS], sum;
    int t;
    fresh();
    memset(tallies, 0, sizeof tallies);
    for (t = 0; t < THREADS; ++t) {
        tallies[t].animator = animator;
        tallies[t].constraint = rig_constraint(animator);
        tallies[t].wanted = check_rounds(1500, 60);
    }
    sum = run_threads(use_one, tallies);
    for (t = 0; t < THREADS; ++t) {
        CHECK(tallies[t].ok >= tallies[t].wanted, "thread %d was let in only %ld times", t, tallies[t].ok);
    }
    CHECK(sum.invalid == 0 && sum.other == 0, "ok %ld, invalid %ld, other %ld (%d)", sum.ok, sum.invalid,
          sum.other, sum.odd);
    printf("# %ld ok, %ld busy\n", sum.ok, sum.busy);
    done();
}

static void many_threads_on_different_animators_are_always_ok(void)
{
    Tally tallies[THREADS], sum;
    Snapshot first, other;
    SinewHumanoidInput input = full_input();
    int t;
    fresh();
    memset(tallies, 0, sizeof tallies);
    for (t = 0; t < THREADS; ++t) {
        tallies[t].animator = rig_animator(&rig);
        tallies[t].constraint = rig_constraint(tallies[t].animator);
        tallies[t].wanted = check_rounds(1500, 60);
        EXPECT_OK(sinew_animator_set_input(tallies[t].animator, &input));
    }
    sum = run_threads(use_one, tallies);
    CHECK(sum.busy == 0 && sum.invalid == 0 && sum.other == 0, "busy %ld, invalid %ld, other %ld (%d)", sum.busy,
          sum.invalid, sum.other, sum.odd);
    for (t = 0; t < THREADS; ++t) {
        EXPECT_OK(sinew_animator_reset_pose(tallies[t].animator));
        EXPECT_OK(sinew_animator_solve(tallies[t].animator));
        snapshot(tallies[t].animator, &other);
        if (t == 0) {
            first = other;
        }
        EXPECT_SAME(first, other, "animator %d came to another pose", t);
    }
    for (t = 0; t < THREADS; ++t) {
        EXPECT_OK(sinew_animator_destroy(tallies[t].animator));
    }
    done();
}

static void *make_and_destroy(void *user)
{
    Tally *tally = user;
    int k;
    for (k = 0; k < check_rounds(300, 20); ++k) {
        Rig own;
        SinewSkeletonDef skeleton_def;
        SinewAvatarDef avatar_def;
        SinewAnimatorDef animator_def;
        SinewAnimator one = {0};
        rig_fill(&own, k & 1);
        skeleton_def = rig_skeleton_def(&own);
        count(tally, sinew_skeleton_create(&skeleton_def, &own.skeleton));
        avatar_def = rig_avatar_def(&own);
        count(tally, sinew_avatar_create(&avatar_def, &own.avatar));
        animator_def = rig_animator_def(&own);
        count(tally, sinew_animator_create(&animator_def, &one));
        count(tally, sinew_skeleton_destroy(own.skeleton));
        count(tally, sinew_avatar_destroy(own.avatar));
        count(tally, sinew_animator_set_ik_position_weight(one, SINEW_IK_GOAL_LEFT_FOOT, 1.0f));
        count(tally, sinew_animator_solve(one));
        count(tally, sinew_animator_destroy(one));
    }
    return NULL;
}

static void many_threads_make_and_destroy_at_once(void)
{
    Tally tallies[THREADS], sum;
    fresh();
    memset(tallies, 0, sizeof tallies);
    sum = run_threads(make_and_destroy, tallies);
    CHECK(sum.busy == 0 && sum.invalid == 0 && sum.other == 0, "busy %ld, invalid %ld, other %ld (%d)", sum.busy,
          sum.invalid, sum.other, sum.odd);
    done();
}

/* Solves handle after handle, as long as they live. */
static void *solve_until_gone(void *user)
{
    Tally *tally = user;
    while (!stop) {
        SinewResult result = sinew_animator_solve(tally->animator);
        count(tally, result);
        if (result == SINEW_ERROR_INVALID_HANDLE) {
            break;
        }
        sched_yield(); /* where threads take turns, the turn would else always end within a solve */
    }
    return NULL;
}

static void destroying_while_another_thread_solves(void)
{
    int round;
    long refused = 0;
    fresh();
    for (round = 0; round < check_rounds(300, 20); ++round) {
        Tally tally;
        pthread_t thread;
        SinewResult result;
        long tries = 0;
        memset(&tally, 0, sizeof tally);
        tally.animator = rig_animator(&rig);
        REQUIRE(pthread_create(&thread, NULL, solve_until_gone, &tally) == 0, "no thread");
        do {
            result = sinew_animator_destroy(tally.animator);
            refused += result == SINEW_ERROR_BUSY;
            if (result == SINEW_ERROR_BUSY) {
                sched_yield();
            }
        } while (result == SINEW_ERROR_BUSY && ++tries < 10000000);
        CHECK(result == SINEW_OK, "destroy gave %d", (int)result);
        pthread_join(thread, NULL);
        CHECK(tally.other == 0, "the solving thread got %d", tally.odd);
        CHECK(tally.invalid == 1, "the solving thread did not learn of the end");
    }
    printf("# destroy was refused %ld times\n", refused);
    done();
}

/* --- callbacks ------------------------------------------------------------------------------- */

typedef struct Caller {
    SinewAnimator own, other;
    long lines;
    int32_t solve_own, get_own, destroy_own, solve_other, draw_other;
} Caller;

static void call_back(void *user, const SinewVec3 *from, const SinewVec3 *to, int32_t part)
{
    Caller *caller = user;
    SinewVec3 position;
    uint32_t valid = 0;
    if (caller->lines++ > 0) {
        return;
    }
    CHECK(from != NULL && to != NULL && part >= SINEW_DEBUG_PART_BONE && part <= SINEW_DEBUG_PART_BODY, "part %d", part);
    caller->solve_own = sinew_animator_solve(caller->own);
    caller->get_own = sinew_animator_get_body_position(caller->own, &position);
    caller->destroy_own = sinew_animator_destroy(caller->own);
    caller->solve_other = sinew_animator_solve(caller->other);
    caller->draw_other = sinew_animator_draw(caller->other, ignore_line, NULL);
    EXPECT_OK(sinew_animator_is_valid(caller->own, &valid));
    CHECK(valid == 1, "the animator is gone while it is drawn");
}

static void a_draw_callback_gets_busy_for_its_own_animator_only(void)
{
    Caller caller;
    uint32_t lines = 0;
    fresh();
    memset(&caller, 0xff, sizeof caller);
    caller.lines = 0;
    caller.own = animator;
    caller.other = rig_animator(&rig);
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_draw(animator, call_back, &caller));
    CHECK(caller.solve_own == SINEW_ERROR_BUSY && caller.get_own == SINEW_ERROR_BUSY, "own: solve %d, get %d",
          caller.solve_own, caller.get_own);
    CHECK(caller.destroy_own == SINEW_ERROR_BUSY, "own: destroy %d", caller.destroy_own);
    CHECK(caller.solve_other == SINEW_OK && caller.draw_other == SINEW_OK, "other: solve %d, draw %d", caller.solve_other,
          caller.draw_other);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_get_debug_lines(animator, NULL, 0, &lines));
    CHECK((long)lines == caller.lines, "%u lines polled, %ld drawn", lines, caller.lines);
    EXPECT_OK(sinew_animator_solve(animator)); /* and it is free again afterwards */
    EXPECT_OK(sinew_animator_destroy(caller.other));
    done();
}

static long calls_made, calls_busy;

static void call_everything(void *user, const SinewVec3 *from, const SinewVec3 *to, int32_t part)
{
    static Scratch scratch, before;
    int k;
    (void)user, (void)from, (void)to, (void)part;
    for (k = 0; k < CALL_COUNT && calls_made < CALL_COUNT; ++k) {
        Args args = good_args(&CALLS[k], &rig, animator, &scratch);
        if (CALLS[k].handle != H_ANIMATOR && CALLS[k].handle != H_CONSTRAINT) {
            continue;
        }
        before = scratch;
        ++calls_made;
        calls_busy += CALLS[k].run(&args) == SINEW_ERROR_BUSY;
        CHECK(memcmp(&before, &scratch, sizeof scratch) == 0, "%s, busy, wrote to an out-parameter", CALLS[k].name);
    }
    calls_made = CALL_COUNT;
}

typedef struct Hopeless {
    SinewAnimator animator;
    SinewOutcome outcome;
    SinewConstraint chain;
    SinewResult result;
} Hopeless;

static void *solve_once(void *user)
{
    Hopeless *job = user;
    job->result = sinew_animator_solve(job->animator);
    return NULL;
}

/* A tree with limits, goals that these keep 4 cm out of reach (where more is left, the
 * search ends early), and a hundred times the usual effort. */
static Hopeless hopeless(void)
{
    static const uint32_t ENDS[2] = {RIG_LEFT_HAND, RIG_RIGHT_HAND};
    Hopeless job;
    SinewChainDef def;
    SinewChainEnd ends[2];
    SinewJointLimits limits;
    SinewVec3 behind = {0.4f, 1.2f, -0.1f};
    uint32_t k;
    job.animator = animator;
    job.result = SINEW_ERROR_BUSY;
    EXPECT_OK(sinew_joint_limits_default(&limits));
    limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
    for (k = 0; k < 3; ++k) {
        (&limits.min_rad.x)[k] = -0.4f;
        (&limits.max_rad.x)[k] = 0.4f;
    }
    for (k = 0; k < RIG_JOINTS; ++k) {
        EXPECT_OK(sinew_animator_set_joint_limits(animator, k, &limits));
    }
    memset(ends, 0, sizeof ends);
    ends[0].joint = ENDS[0];
    ends[1].joint = ENDS[1];
    EXPECT_OK(sinew_chain_def_default(&def));
    def.ends = ends;
    def.end_count = 2;
    def.max_iterations = 20000;
    def.max_attempts = 10000;
    EXPECT_OK(sinew_animator_add_chain(animator, &def, &job.chain));
    for (k = 0; k < 2; ++k) {
        behind.x = -behind.x;
        EXPECT_OK(sinew_animator_set_constraint_position(animator, job.chain, k, &behind));
        EXPECT_OK(sinew_animator_set_constraint_position_weight(animator, job.chain, k, 1.0f));
    }
    EXPECT_OK(sinew_animator_set_constraint_weight(animator, job.chain, 1.0f));
    return job;
}

static void another_thread_ends_a_long_solve(void)
{
    Hopeless job;
    SinewOutcome cut, whole;
    SinewTransform pose[RIG_JOINTS];
    pthread_t thread;
    uint32_t steps = 0;
    fresh();
    job = hopeless();
    EXPECT_OK(sinew_animator_get_max_work(animator, &steps));
    CHECK(steps == SINEW_MAX_WORK, "max_work is %u", steps);
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_get_constraint_outcome(animator, job.chain, &whole));
    CHECK(whole.iterations > 1000, "only %u iterations: nothing to end early", whole.iterations);
    EXPECT_OK(sinew_animator_reset_pose(animator));
    CHECK(pthread_create(&thread, NULL, solve_once, &job) == 0, "no thread");
    /* Before or during the solve: never busy. */
    EXPECT_OK(sinew_animator_set_cancelled(animator, 1));
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_animator_set_cancelled(animator, 2));
    CHECK(pthread_join(thread, NULL) == 0, "no end");
    CHECK(job.result == SINEW_OK, "the solve gave %d", (int)job.result);
    EXPECT_OK(sinew_animator_get_constraint_outcome(animator, job.chain, &cut));
    CHECK(cut.iterations < whole.iterations, "%u of %u iterations", cut.iterations, whole.iterations);
    EXPECT_OK(sinew_animator_get_pose(animator, pose, RIG_JOINTS));
    EXPECT_OK(sinew_animator_set_pose(animator, pose, RIG_JOINTS));
    /* Cleared, it is the old animator; with less work, less is done. */
    EXPECT_OK(sinew_animator_set_cancelled(animator, 0));
    EXPECT_OK(sinew_animator_reset_pose(animator));
    EXPECT_OK(sinew_animator_set_max_work(animator, 20000));
    EXPECT_OK(sinew_animator_solve(animator));
    EXPECT_OK(sinew_animator_get_constraint_outcome(animator, job.chain, &cut));
    CHECK(cut.status == SINEW_STATUS_OUT_OF_ITERATIONS && cut.iterations < whole.iterations / 10,
          "status %d after %u of %u iterations", (int)cut.status, cut.iterations, whole.iterations);
    done();
    EXPECT(SINEW_ERROR_INVALID_HANDLE, sinew_animator_set_cancelled(animator, 1));
}

static void every_call_on_an_animator_in_use_gets_busy_and_changes_nothing(void)
{
    Snapshot before, after;
    int k, wanted = 0;
    fresh();
    CHECK(rig_constraint(animator).bits != 0, "no constraint");
    EXPECT_OK(sinew_animator_solve(animator));
    snapshot(animator, &before);
    for (k = 0; k < CALL_COUNT; ++k) {
        wanted += CALLS[k].handle == H_ANIMATOR || CALLS[k].handle == H_CONSTRAINT;
    }
    calls_made = calls_busy = 0;
    EXPECT_OK(sinew_animator_draw(animator, call_everything, NULL));
    snapshot(animator, &after);
    CHECK(calls_busy == wanted, "%ld of %d calls gave SINEW_ERROR_BUSY", calls_busy, wanted);
    EXPECT_SAME(before, after, "a busy call changed the animator");
    done();
}

int main(void)
{
    RUN(two_threads_on_one_animator_get_ok_or_busy);
    RUN(many_threads_on_different_animators_are_always_ok);
    RUN(many_threads_make_and_destroy_at_once);
    RUN(destroying_while_another_thread_solves);
    RUN(a_draw_callback_gets_busy_for_its_own_animator_only);
    RUN(another_thread_ends_a_long_solve);
    RUN(every_call_on_an_animator_in_use_gets_busy_and_changes_nothing);
    return check_report();
}
