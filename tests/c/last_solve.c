/* Debug lines of bodies and grounders are those of the last solve, whatever was set, begun and
 * forgotten since. */
#include "calls.h"
#include "lines.h"

static Rig rig;

/* How far the line of a part is from a point that is nearest to it. */
static double nearest_end(int part, Vec3d to)
{
    double least = 1e9;
    uint32_t k;
    for (k = 0; k < line_count; ++k) {
        if (lines[k].part == part && distance(from_vec3(lines[k].to), to) < least) {
            least = distance(from_vec3(lines[k].to), to);
        }
    }
    return least;
}

/* Bodies. */
static SinewBody body;
static SinewTransform pose[RIG_JOINTS], root;
static Affine world[RIG_JOINTS];

static void body_lines(void)
{
    EXPECT_OK(sinew_body_get_debug_lines(body, lines, MOST_LINES, &line_count));
}
static void body_fresh(void)
{
    rig_make(&rig, 1);
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &body));
    memset(&root, 0, sizeof root);
    root.position.x = 5;
    root.rotation.y = 0.6f, root.rotation.w = 0.8f;
    root.scale.x = root.scale.y = root.scale.z = 2;
    EXPECT_OK(sinew_body_set_root(body, &root));
    rig_bent_pose(&rig, 0.2, pose);
}
static void body_solve(void)
{
    EXPECT_OK(sinew_body_solve(body, pose, RIG_JOINTS, 0.02f, NULL));
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
}
static void body_done(void)
{
    EXPECT_OK(sinew_body_destroy(body));
    rig_free(&rig);
}

static void a_pin_has_no_goal_before_its_first_solve(void)
{
    SinewBodyTaskDef def;
    SinewBodyTask pin;
    body_fresh();
    EXPECT_OK(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &def));
    def.joint = RIG_LEFT_FOOT;
    def.flags = SINEW_BODY_TASK_PIN;
    EXPECT_OK(sinew_body_add_task(body, &def, &pin));
    body_lines();
    CHECK(count_of(SINEW_DEBUG_PART_RESIDUAL) == 0, "%d lines to the goal of a pin that holds nothing",
          count_of(SINEW_DEBUG_PART_RESIDUAL));
    body_solve();
    body_lines();
    CHECK(count_of(SINEW_DEBUG_PART_RESIDUAL) == 1
              && nearest_end(SINEW_DEBUG_PART_RESIDUAL, world[RIG_LEFT_FOOT].at) < 1e-3,
          "the pin is not where the foot is");
    EXPECT_OK(sinew_body_set_task(body, pin, &def));
    body_lines();
    CHECK(count_of(SINEW_DEBUG_PART_RESIDUAL) == 0, "a pin that was set anew holds nothing");
    body_done();
}

static void the_lines_stay_where_the_body_was_solved(void)
{
    SinewBodyTaskDef def;
    SinewBodyTask task, pin;
    SinewTransform later;
    Vec3d goal = vec3d(5.3, 2.4, 0.5);
    uint32_t k;
    int joint;
    body_fresh();
    EXPECT_OK(sinew_body_set_human_masses(body, rig.avatar));
    EXPECT_OK(sinew_body_task_default(SINEW_BODY_TASK_KIND_POSITION, &def));
    def.joint = RIG_RIGHT_HAND;
    def.goal = to_vec3(goal);
    EXPECT_OK(sinew_body_add_task(body, &def, &task));
    def.joint = RIG_LEFT_FOOT;
    def.flags = SINEW_BODY_TASK_PIN;
    EXPECT_OK(sinew_body_add_task(body, &def, &pin));
    body_solve();
    later = root;
    later.position.x = 50;
    later.rotation.y = -0.6f;
    later.scale.x = later.scale.y = later.scale.z = 0.5f;
    EXPECT_OK(sinew_body_set_root(body, &later));
    body_lines();
    for (k = 0, joint = 1; k < line_count && joint < RIG_JOINTS; ++k) {
        if (lines[k].part == SINEW_DEBUG_PART_BONE) {
            double off = distance(from_vec3(lines[k].to), world[joint].at);
            CHECK(off < 1e-3, "joint %d is drawn %g m from where it was solved", joint, off);
            ++joint;
        }
    }
    CHECK(nearest_end(SINEW_DEBUG_PART_RESIDUAL, goal) < 1e-3, "the goal is not where it is in the world");
    CHECK(nearest_end(SINEW_DEBUG_PART_RESIDUAL, world[RIG_LEFT_FOOT].at) < 1e-3, "the pin is not where it holds");
    for (k = 0; k < line_count; ++k) {
        CHECK(lines[k].from.x < 20 && lines[k].to.x < 20, "a line of part %d moved with the root", (int)lines[k].part);
    }
    body_done();
}

/* Grounders. */
static SinewGrounder grounder;
static Ground given;

static void at(float x)
{
    int k;
    ground_fill(&given);
    given.frame.dt_s = 1 / 60.0f;
    given.frame.root.x = given.frame.pelvis.x = x;
    given.frame.pelvis.y = 0.95f;
    for (k = 0; k < LEGS; ++k) {
        SinewGrounderLeg *leg = &given.legs[k];
        leg->hip.x += x, leg->knee.x += x, leg->ankle.x += x, leg->ball.x += x;
    }
}
static void solve_at(float x)
{
    at(x);
    EXPECT_OK(sinew_grounder_solve(grounder, &given.frame, given.legs, LEGS, cast_flat, NULL));
}
static void begin_at(float x)
{
    at(x);
    EXPECT_OK(sinew_grounder_begin(grounder, &given.frame, given.legs, LEGS, NULL));
}
static void cast_bad(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    int *calls = user;
    cast_flat(NULL, query, out_hit);
    if (++*calls == 3) {
        out_hit->normal.y = 0;
    }
}
static void no_line_is_far(const char *when)
{
    uint32_t k;
    EXPECT_OK(sinew_grounder_get_debug_lines(grounder, lines, MOST_LINES, &line_count));
    CHECK(line_count > 0, "%s: no lines", when);
    for (k = 0; k < line_count; ++k) {
        CHECK(lines[k].from.x < 50 && lines[k].to.x < 50, "%s: a line of part %d from %g to %g", when, (int)lines[k].part,
              (double)lines[k].from.x, (double)lines[k].to.x);
    }
}

static void a_forgotten_frame_of_a_grounder_has_no_lines(void)
{
    uint8_t bytes[SNAPSHOT_ROOM];
    SinewSteppingSettings stepping;
    uint32_t size;
    int calls = 0;
    rig_make(&rig, 0);
    memset(&given, 0, sizeof given);
    ground_fill(&given);
    EXPECT_OK(sinew_grounder_create(given.feet, LEGS, &given.settings, &grounder));
    solve_at(0);
    no_line_is_far("solved");
    CHECK(count_of(SINEW_DEBUG_PART_GOAL_AXIS) > 0, "no queries are drawn");
    EXPECT_OK(sinew_grounder_get_snapshot_size(grounder, &size));
    EXPECT_OK(sinew_grounder_get_snapshot(grounder, bytes, size));
    begin_at(100);
    no_line_is_far("under way");
    EXPECT_OK(sinew_grounder_set_snapshot(grounder, bytes, size));
    no_line_is_far("restored");
    solve_at(0);
    begin_at(100);
    EXPECT_OK(sinew_grounder_reset(grounder));
    no_line_is_far("reset");
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT, sinew_grounder_finish(grounder, given.hits, GROUND_ROOM));
    solve_at(0);
    at(100);
    EXPECT(SINEW_ERROR_INVALID_ARGUMENT,
           sinew_grounder_solve(grounder, &given.frame, given.legs, LEGS, cast_bad, &calls));
    no_line_is_far("refused");
    EXPECT_OK(sinew_grounder_reset(grounder));
    no_line_is_far("refused and reset");
    solve_at(0);
    begin_at(100);
    EXPECT_OK(sinew_stepping_settings_default(&stepping));
    EXPECT_OK(sinew_grounder_set_stepping(grounder, &stepping, NULL, 0));
    no_line_is_far("stepping");
    EXPECT_OK(sinew_grounder_destroy(grounder));
    rig_free(&rig);
}

int main(void)
{
    RUN(a_pin_has_no_goal_before_its_first_solve);
    RUN(the_lines_stay_where_the_body_was_solved);
    RUN(a_forgotten_frame_of_a_grounder_has_no_lines);
    return check_report();
}
