/* A recording reads no memory that a call would not read: what is refused, or solved, without one
 * gives the same code while one runs. Addresses lead to a page that cannot be read. */
#define _DEFAULT_SOURCE

#include "calls.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static Rig rig;
static SinewBody body, destroyed;
static SinewTransform pose[RIG_JOINTS];
/* `gone` begins a page that cannot be read; the one before it can be. */
static char *gone;
static const SinewWorld NO_WORLD = {0};

static uint32_t drop(void *user, const uint8_t *bytes, uint32_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}

static void *odd(void)
{
    return gone + 1;
}
static SinewBodyWork work_of(SinewBody b, void *at, uint32_t joints)
{
    SinewBodyWork work;
    rig_must(sinew_body_work_default(&work), "sinew_body_work_default");
    work.body = b;
    work.pose = at;
    work.joint_count = joints;
    return work;
}
static SinewResult solve_works(SinewBodyWork *works, uint32_t count)
{
    return sinew_body_solve_batch(works, count, 0.02f, NO_WORLD, NULL);
}

/* Bodies. */
static SinewResult no_works(void) { return solve_works(NULL, 1); }
static SinewResult misaligned_works(void) { return solve_works(odd(), 2); }
static SinewResult unreadable_works_of_a_bad_time(void)
{
    return sinew_body_solve_batch((SinewBodyWork *)(void *)gone, 2, NAN, NO_WORLD, NULL);
}
static SinewResult a_work_with_too_many_joints(void)
{
    SinewBodyWork work = work_of(body, gone, 100000000);
    return solve_works(&work, 1);
}
static SinewResult a_work_with_too_few_joints(void)
{
    SinewBodyWork work = work_of(body, gone, 3);
    return solve_works(&work, 1);
}
static SinewResult a_work_of_a_destroyed_body(void)
{
    SinewBodyWork works[2];
    works[0] = work_of(body, pose, RIG_JOINTS);
    works[1] = work_of(destroyed, gone, RIG_JOINTS);
    return solve_works(works, 2);
}
static SinewResult a_work_of_something_else(void)
{
    SinewBodyWork work = work_of(destroyed, gone, RIG_JOINTS);
    work.body.bits = rig.skeleton.bits;
    return solve_works(&work, 1);
}
static SinewResult a_work_with_a_misaligned_pose(void)
{
    SinewBodyWork work = work_of(body, odd(), RIG_JOINTS);
    return solve_works(&work, 1);
}
static SinewResult a_work_with_no_pose(void)
{
    SinewBodyWork work = work_of(body, NULL, RIG_JOINTS);
    return solve_works(&work, 1);
}
static SinewResult a_work_with_a_bad_share(void)
{
    SinewBodyWork work = work_of(body, gone, RIG_JOINTS);
    work.iteration_share = NAN;
    return solve_works(&work, 1);
}
static SinewResult works_on_a_world_that_is_none(void)
{
    SinewBodyWork work = work_of(body, gone, RIG_JOINTS);
    SinewWorld none;
    none.bits = 77;
    return sinew_body_solve_batch(&work, 1, 0.02f, none, NULL);
}
static SinewResult a_body_twice(void)
{
    SinewBodyWork works[2];
    works[0] = work_of(body, gone, RIG_JOINTS);
    works[1] = work_of(body, gone, RIG_JOINTS);
    return solve_works(works, 2);
}
static SinewResult nobody_meets(void) { return sinew_body_meet(NULL, 2, NULL, 0, 0.02f, 4, NULL); }
static SinewResult too_many_meet(void)
{
    return sinew_body_meet((SinewBodyWork *)(void *)gone, 100000, NULL, 0, 0.02f, 4, NULL);
}
static SinewResult no_ties(void)
{
    SinewBodyWork work = work_of(body, gone, RIG_JOINTS);
    return sinew_body_meet(&work, 1, NULL, 1, 0.02f, 4, NULL);
}
static SinewResult a_meeting_with_too_few_joints(void)
{
    SinewBodyWork work = work_of(body, gone, 3);
    return sinew_body_meet(&work, 1, NULL, 0, 0.02f, 4, NULL);
}
static SinewResult a_meeting_of_a_destroyed_body(void)
{
    SinewBodyWork work = work_of(destroyed, gone, RIG_JOINTS);
    return sinew_body_meet(&work, 1, NULL, 0, 0.02f, 4, NULL);
}
static SinewResult a_bad_time(void) { return sinew_body_solve(body, (SinewTransform *)(void *)gone, RIG_JOINTS, NAN, NULL); }
static SinewResult a_misaligned_pose(void) { return sinew_body_solve(body, odd(), RIG_JOINTS, 0.02f, NULL); }
static SinewResult too_many_joints(void) { return sinew_body_solve(body, pose, 100000000, 0.02f, NULL); }
static SinewResult of_a_destroyed_body(void)
{
    return sinew_body_solve(destroyed, (SinewTransform *)(void *)gone, RIG_JOINTS, 0.02f, NULL);
}
static SinewResult drag(uint32_t pins, uint32_t count, void *at)
{
    SinewBodyDrag drag;
    rig_must(sinew_body_drag_default(&drag), "sinew_body_drag_default");
    drag.joint = RIG_LEFT_HAND;
    drag.pins = (SinewBodyPin *)(void *)gone;
    drag.pin_count = pins;
    return sinew_body_drag(body, &drag, at, count, NULL);
}
static SinewResult a_drag_with_too_many_pins(void) { return drag(4000000, RIG_JOINTS, pose); }
static SinewResult a_drag_with_too_many_joints(void) { return drag(0, 100000000, pose); }
static SinewResult a_drag_of_a_misaligned_pose(void) { return drag(0, RIG_JOINTS, odd()); }
static SinewResult a_drag_without_anything(void) { return sinew_body_drag(body, NULL, (SinewTransform *)(void *)gone, RIG_JOINTS, NULL); }
static SinewResult a_tracked_body_that_is_none(void)
{
    SinewTrackedBody none;
    none.bits = 5;
    return sinew_tracked_body_apply(none, (SinewTransform *)(void *)gone, RIG_JOINTS);
}

/* Chains and limbs on plain arrays. */
static SinewResult chain(uint32_t ends, uint32_t biases, uint32_t joints, void *at)
{
    SinewChainJob job;
    SinewChainEnd end;
    SinewConstraintGoal goal;
    memset(&end, 0, sizeof end);
    end.joint = RIG_LEFT_HAND;
    rig_must(sinew_constraint_goal_default(&goal), "sinew_constraint_goal_default");
    rig_must(sinew_chain_job_default(&job), "sinew_chain_job_default");
    job.parents = rig.parents;
    job.rest = rig.rest;
    job.joint_count = joints;
    job.goals = &goal;
    job.def.ends = &end;
    job.def.end_count = ends;
    job.def.spring_bias = (float *)(void *)gone;
    job.def.spring_bias_count = biases;
    return sinew_chain_solve(&job, at, NULL);
}
static SinewResult a_chain_with_too_many_ends(void) { return chain(4000000, 0, RIG_JOINTS, pose); }
static SinewResult a_chain_with_too_many_biases(void) { return chain(1, 40000000, RIG_JOINTS, pose); }
static SinewResult a_chain_without_ends(void) { return chain(0, 0, RIG_JOINTS, gone); }
static SinewResult a_chain_with_too_many_joints(void) { return chain(1, 0, 70000, gone); }
static SinewResult a_chain_with_a_misaligned_pose(void) { return chain(1, 0, RIG_JOINTS, odd()); }
static SinewResult a_chain_without_a_job(void) { return sinew_chain_solve(NULL, (SinewTransform *)(void *)gone, NULL); }
static SinewResult a_chain_with_a_misaligned_job(void) { return sinew_chain_solve(odd(), pose, NULL); }
static SinewResult limbs(uint32_t count, uint32_t records, void *at)
{
    SinewLimbPlaces places;
    SinewJointLimbJob job;
    memset(&places, 0, sizeof places);
    places.mid = 1, places.end = 2;
    rig_must(sinew_joint_limb_job_default(&job), "sinew_joint_limb_job_default");
    return sinew_joint_limb_solve_records(at, records, &places, &job, count, NULL);
}
static SinewResult limbs_of_no_records(void) { return limbs(1, RIG_JOINTS, NULL); }
static SinewResult no_limbs(void) { return limbs(0, 1000, gone); }
static SinewResult limbs_of_misaligned_records(void) { return limbs(1, RIG_JOINTS, odd()); }
static SinewResult limbs_without_places(void)
{
    return sinew_joint_limb_solve_records((SinewTransform *)(void *)gone, 100, NULL, NULL, 1, NULL);
}

/* Lists. */
static SinewResult no_animators(void) { return sinew_animator_solve_batch(NULL, 5, NULL); }
static SinewResult misaligned_animators(void) { return sinew_animator_solve_batch(odd(), 5, NULL); }
static SinewResult animators_with_misaligned_results(void)
{
    return sinew_animator_solve_batch((SinewAnimator *)(void *)gone, 5, odd());
}
static SinewResult no_grounders(void)
{
    uint32_t first = 0;
    return sinew_grounder_begin_batch(NULL, 0, NULL, (SinewGrounderLeg *)(void *)gone, 5, NULL, 0, &first);
}
static SinewResult no_grounders_to_finish(void)
{
    return sinew_grounder_finish_batch(NULL, 0, (SinewGroundHit *)(void *)gone, 5, NULL,
        (SinewGrounderLegResult *)(void *)gone, 5);
}

/* Worlds, whose second animator is at SINEW_LOD_OFF or has no pose that can be read. */
static SinewWorld world;
static SinewAnimator members[2];

static SinewResult frame_of(void *second, uint32_t rows)
{
    SinewWorldFrame frame;
    SinewTransform *poses[2];
    poses[0] = pose;
    poses[1] = second;
    rig_must(sinew_world_frame_default(&frame), "sinew_world_frame_default");
    frame.layout = SINEW_POSE_LAYOUT_POINTERS;
    frame.pointers = poses;
    frame.row_count = rows;
    return sinew_world_solve(world, &frame, NULL);
}
static SinewResult off(SinewResult (*solve)(void))
{
    SinewResult result;
    EXPECT_OK(sinew_world_set_lod_off(world, members[1]));
    result = solve();
    EXPECT_OK(sinew_world_set_lod_full(world, members[1]));
    return result;
}
static SinewResult solve_unreadable(void) { return frame_of(gone, 2); }
static SinewResult an_unreadable_pose_that_is_off(void) { return off(solve_unreadable); }
static SinewResult solve_own_roots(void)
{
    SinewWorldFrame frame;
    SinewTransform *roots = (SinewTransform *)(void *)gone - 1;
    *roots = rig.rest[0];
    rig_must(sinew_world_frame_default(&frame), "sinew_world_frame_default");
    frame.roots = roots;
    frame.roots_stride = sizeof *roots;
    frame.row_count = 2;
    return sinew_world_solve(world, &frame, NULL);
}
static SinewResult an_unreadable_root_that_is_off(void) { return off(solve_own_roots); }
static SinewResult a_misaligned_row(void) { return frame_of(odd(), 2); }
static SinewResult a_row_that_is_null(void) { return frame_of(NULL, 2); }
static SinewResult too_few_rows(void) { return frame_of(gone, 1); }
static SinewResult a_misaligned_frame(void) { return sinew_world_solve(world, odd(), NULL); }
static SinewResult an_unreadable_frame_of_no_world(void)
{
    return sinew_world_solve(NO_WORLD, (SinewWorldFrame *)(void *)gone, NULL);
}
static SinewResult misaligned_results(void)
{
    SinewWorldFrame frame;
    rig_must(sinew_world_frame_default(&frame), "sinew_world_frame_default");
    frame.layout = SINEW_POSE_LAYOUT_RECORDS;
    frame.records = (SinewTransform *)(void *)gone;
    frame.records_stride = sizeof pose;
    frame.row_count = 2;
    frame.out_results = odd();
    return sinew_world_solve(world, &frame, NULL);
}

typedef struct Case {
    const char *name;
    SinewResult (*call)(void);
} Case;
#define CASE(name) {#name, name}
static const Case CASES[] = {CASE(no_works), CASE(misaligned_works), CASE(unreadable_works_of_a_bad_time),
    CASE(a_work_with_too_many_joints), CASE(a_work_with_too_few_joints), CASE(a_work_of_a_destroyed_body),
    CASE(a_work_of_something_else), CASE(a_work_with_a_misaligned_pose), CASE(a_work_with_no_pose),
    CASE(a_work_with_a_bad_share), CASE(works_on_a_world_that_is_none), CASE(a_body_twice), CASE(nobody_meets),
    CASE(too_many_meet), CASE(no_ties), CASE(a_meeting_with_too_few_joints), CASE(a_meeting_of_a_destroyed_body),
    CASE(a_bad_time), CASE(a_misaligned_pose), CASE(too_many_joints), CASE(of_a_destroyed_body),
    CASE(a_drag_with_too_many_pins), CASE(a_drag_with_too_many_joints), CASE(a_drag_of_a_misaligned_pose),
    CASE(a_drag_without_anything), CASE(a_tracked_body_that_is_none), CASE(a_chain_with_too_many_ends),
    CASE(a_chain_with_too_many_biases), CASE(a_chain_without_ends), CASE(a_chain_with_too_many_joints),
    CASE(a_chain_with_a_misaligned_pose), CASE(a_chain_without_a_job), CASE(a_chain_with_a_misaligned_job),
    CASE(limbs_of_no_records), CASE(no_limbs), CASE(limbs_of_misaligned_records), CASE(limbs_without_places),
    CASE(no_animators), CASE(misaligned_animators), CASE(animators_with_misaligned_results), CASE(no_grounders),
    CASE(no_grounders_to_finish), CASE(an_unreadable_pose_that_is_off), CASE(an_unreadable_root_that_is_off),
    CASE(a_misaligned_row), CASE(a_row_that_is_null), CASE(too_few_rows), CASE(a_misaligned_frame),
    CASE(an_unreadable_frame_of_no_world), CASE(misaligned_results)};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static void a_recording_reads_what_the_call_reads(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SinewResult alone[CASE_COUNT], recorded;
    int k;
    REQUIRE(two != MAP_FAILED && mprotect(two + page, page, PROT_NONE) == 0, "no page");
    gone = two + page;
    rig_make(&rig, 0);
    memcpy(pose, rig.rest, sizeof pose);
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &body));
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &destroyed));
    EXPECT_OK(sinew_body_destroy(destroyed));
    EXPECT_OK(sinew_world_create(&world));
    for (k = 0; k < 2; ++k) {
        members[k] = rig_animator(&rig);
        EXPECT_OK(sinew_world_join(world, members[k], NULL));
    }
    for (k = 0; k < CASE_COUNT; ++k) {
        alone[k] = CASES[k].call();
    }
    for (k = 0; k < CASE_COUNT; ++k) {
        if (getenv("SINEW_TEST_NAMES") != NULL) {
            printf("# %s: %d\n", CASES[k].name, (int)alone[k]);
            fflush(stdout);
        }
        EXPECT_OK(sinew_record_begin_callback(drop, NULL));
        recorded = CASES[k].call();
        EXPECT_OK(sinew_record_end());
        CHECK(recorded == alone[k], "%s: %d, while a recording runs %d", CASES[k].name, (int)alone[k], (int)recorded);
    }
    EXPECT_OK(sinew_world_destroy(world));
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_animator_destroy(members[k]));
    }
    EXPECT_OK(sinew_body_destroy(body));
    rig_free(&rig);
    munmap(two, 2 * page);
}

int main(void)
{
    RUN(a_recording_reads_what_the_call_reads);
    return check_report();
}
