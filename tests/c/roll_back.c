/* Roll-back, as net-code does it: a game predicts other players, learns better, goes back some
 * frames and plays them again. Every object whose state lasts between frames has a snapshot;
 * played again from one, with any wrong frames in between, on this object or on another one that
 * was set up alike, the frames must have the bits of a game that never went back. */
#include "calls.h"
#include "tracker_calls.h"

#include <math.h>

enum { FRAMES = 240, WINDOW = 12, BYTES = 1 << 16, MACHINES = 3 };

/* What a frame's input is drawn from: always the same for the same frame of the same game. */
static uint64_t state;
static double unit(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}
static void draw_from(uint32_t game, int frame, int wrong)
{
    state = 0x9E3779B97F4A7C15u * (uint64_t)(1 + game + 97 * (uint32_t)(frame + 1) + 7919 * (uint32_t)wrong);
    (void)unit(), (void)unit(), (void)unit();
}

typedef struct Output {
    unsigned char bytes[4096];
    size_t size;
} Output;

static void put(Output *out, const void *from, size_t size)
{
    REQUIRE(out->size + size <= sizeof out->bytes, "%u bytes of output", (unsigned)(out->size + size));
    memcpy(out->bytes + out->size, from, size);
    out->size += size;
}

/* One kind of object, on several machines. */
typedef struct Subject {
    const char *name;
    void (*make)(int machine);
    void (*end)(int machine);
    /* Sets what the host sets in a frame; not part of a snapshot. */
    void (*input)(int machine, uint32_t game, int frame, int wrong);
    void (*step)(int machine, uint32_t game, int frame, int wrong, Output *out);
    uint32_t (*save)(int machine, unsigned char *bytes);
    void (*load)(int machine, const unsigned char *bytes, uint32_t size);
} Subject;

static Rig rig;

/* --- an animator with everything that lasts between frames ----------------------------- */

static SinewAnimator animators[MACHINES];
static SinewConstraint springs[MACHINES];
/* A chain with limits that starts at its last answer. */
static SinewConstraint warm[MACHINES];

static void animator_make(int machine)
{
    SinewHumanoidSettings settings;
    SinewBodySolverSettings solver;
    SinewChainEnd end = {0};
    SinewChainDef chain;
    SinewJointLimits limits = rig_limits();
    int k;
    animators[machine] = rig_animator(&rig);
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    for (k = 0; k < 4; ++k) {
        settings.inertialization_times_s[k] = 0.1f + 0.1f * (float)k;
        settings.shoulder_weights[k & 1] = 0.5f;
    }
    settings.look_at_inertialization_time_s = 0.3f;
    EXPECT_OK(sinew_animator_set_settings(animators[machine], &settings));
    EXPECT_OK(sinew_body_solver_settings_default(&solver));
    solver.mode = SINEW_BODY_SOLVER_MODE_TRACK;
    EXPECT_OK(sinew_animator_set_body_solver(animators[machine], &solver));
    EXPECT_OK(sinew_chain_def_default(&chain));
    end.joint = RIG_HEAD_TOP;
    chain.ends = &end, chain.end_count = 1, chain.joint_count = 3, chain.solver = SINEW_CHAIN_SOLVER_SPRING;
    EXPECT_OK(sinew_animator_add_chain(animators[machine], &chain, &springs[machine]));
    EXPECT_OK(sinew_animator_set_constraint_weight(animators[machine], springs[machine], 0.7f));
    end.joint = RIG_LEFT_HAND;
    chain.joint_count = 4, chain.solver = SINEW_CHAIN_SOLVER_DEFAULT, chain.flags |= SINEW_CHAIN_WARM_START;
    EXPECT_OK(sinew_animator_add_chain(animators[machine], &chain, &warm[machine]));
    EXPECT_OK(sinew_animator_set_joint_limits(animators[machine], RIG_LEFT_LOWER_ARM, &limits));
    EXPECT_OK(sinew_animator_set_constraint_weight(animators[machine], warm[machine], 1));
    EXPECT_OK(sinew_animator_set_constraint_inertialization_time(animators[machine], springs[machine], 0.3f));
    EXPECT_OK(sinew_animator_set_constraint_inertialization_time(animators[machine], warm[machine], 0.2f));
}
static void animator_end(int machine) { EXPECT_OK(sinew_animator_destroy(animators[machine])); }
static void animator_input(int machine, uint32_t game, int frame, int wrong)
{
    SinewHumanoidInput input = full_input();
    SinewTransform root;
    SinewVec3 goal;
    int k;
    draw_from(game, frame, wrong);
    for (k = 0; k < 4; ++k) {
        input.goals[k].position.x += (float)(0.2 * unit() - 0.1);
        input.goals[k].position.z += (float)(0.2 * unit() - 0.1);
        input.goals[k].position_weight = unit() < 0.5 ? 1.0f : (float)unit();
        input.hints[k].weight = (float)unit();
    }
    input.look_at_position.x = (float)(2 * unit() - 1);
    EXPECT_OK(sinew_animator_set_input(animators[machine], &input));
    root = transform(vec3d(0.02 * frame, 0, 0.1 * unit()), quatd_about(vec3d(0, 1, 0), 0.02 * frame), vec3d(1, 1, 1));
    EXPECT_OK(sinew_animator_set_root(animators[machine], &root));
    goal.x = (float)unit(), goal.y = 1.6f, goal.z = (float)unit();
    EXPECT_OK(sinew_animator_set_constraint_position(animators[machine], springs[machine], 0, &goal));
    EXPECT_OK(sinew_animator_set_constraint_position_weight(animators[machine], springs[machine], 0, (float)unit()));
    goal.x = (float)(0.6 * unit()), goal.y = (float)(0.9 + 0.5 * unit()), goal.z = (float)(0.5 * unit());
    EXPECT_OK(sinew_animator_set_constraint_position(animators[machine], warm[machine], 0, &goal));
}
static void animator_step(int machine, uint32_t game, int frame, int wrong, Output *out)
{
    SinewTransform pose[RIG_JOINTS];
    uint32_t blends = 0;
    uint64_t hash = 0;
    int k;
    draw_from(game, frame, wrong + 2);
    for (k = 0; k < 4; ++k) {
        if (unit() < 0.1) {
            EXPECT_OK(sinew_animator_inertialize(animators[machine], k));
        }
    }
    if (unit() < 0.1) {
        EXPECT_OK(sinew_animator_inertialize_look_at(animators[machine]));
    }
    if (unit() < 0.2) {
        EXPECT_OK(sinew_animator_inertialize_constraint(animators[machine], unit() < 0.5 ? springs[machine] : warm[machine]));
    }
    animator_input(machine, game, frame, wrong);
    draw_from(game, frame, wrong + 4);
    rig_bent_pose(&rig, 0.1 + 0.1 * sin(0.1 * frame) + 0.02 * unit(), pose);
    EXPECT_OK(sinew_animator_set_pose(animators[machine], pose, RIG_JOINTS));
    EXPECT_OK(sinew_animator_advance(animators[machine], (float)(0.008 + 0.016 * unit())));
    EXPECT_OK(sinew_animator_solve(animators[machine]));
    EXPECT_OK(sinew_animator_get_pose(animators[machine], pose, RIG_JOINTS));
    put(out, pose, sizeof pose);
    EXPECT_OK(sinew_animator_hash(animators[machine], &hash));
    put(out, &hash, sizeof hash);
    for (k = 0; k < 4; ++k) {
        EXPECT_OK(sinew_animator_get_is_inertializing(animators[machine], k, &blends));
        put(out, &blends, sizeof blends);
    }
}
static uint32_t animator_save(int machine, unsigned char *bytes)
{
    uint32_t size = 0;
    EXPECT_OK(sinew_animator_snapshot(animators[machine], bytes, BYTES, &size));
    return size;
}
static void animator_load(int machine, const unsigned char *bytes, uint32_t size)
{
    EXPECT_OK(sinew_animator_restore(animators[machine], bytes, size));
}

/* --- a body in track mode --------------------------------------------------------------- */

static SinewBody bodies[MACHINES];
static SinewBodyTask hands[MACHINES][2];

static void body_make(int machine)
{
    SinewBodySettings settings;
    SinewBodyTaskDef def = rig_task_def();
    SinewJointLimits limits = rig_limits();
    EXPECT_OK(sinew_body_settings_default(&settings));
    settings.mode = SINEW_BODY_MODE_TRACK;
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, &settings, &bodies[machine]));
    EXPECT_OK(sinew_body_set_human_masses(bodies[machine], rig.avatar));
    EXPECT_OK(sinew_body_set_joint_limits(bodies[machine], RIG_RIGHT_LOWER_ARM, &limits));
    EXPECT_OK(sinew_body_add_task(bodies[machine], &def, &hands[machine][0]));
    def.joint = RIG_LEFT_HAND;
    EXPECT_OK(sinew_body_add_task(bodies[machine], &def, &hands[machine][1]));
}
static void body_end(int machine) { EXPECT_OK(sinew_body_destroy(bodies[machine])); }
static void body_input(int machine, uint32_t game, int frame, int wrong)
{
    SinewVec3 goal;
    int k;
    draw_from(game, frame, wrong);
    for (k = 0; k < 2; ++k) {
        goal.x = (float)((k == 0 ? 0.3 : -0.3) + 0.2 * sin(0.07 * frame) + 0.05 * unit());
        goal.y = (float)(1.2 + 0.2 * cos(0.05 * frame) + 0.05 * unit());
        goal.z = (float)(0.3 + 0.2 * unit());
        EXPECT_OK(sinew_body_set_task_goal(bodies[machine], hands[machine][k], &goal));
        EXPECT_OK(sinew_body_set_task_blend(bodies[machine], hands[machine][k], (float)unit()));
    }
}
static void body_step(int machine, uint32_t game, int frame, int wrong, Output *out)
{
    SinewTransform pose[RIG_JOINTS];
    SinewBodyOutcome outcome;
    memset(&outcome, 0, sizeof outcome);
    body_input(machine, game, frame, wrong);
    draw_from(game, frame, wrong + 4);
    rig_bent_pose(&rig, 0.1 + 0.05 * sin(0.1 * frame), pose);
    EXPECT_OK(sinew_body_solve(bodies[machine], pose, RIG_JOINTS, (float)(0.008 + 0.016 * unit()), &outcome));
    put(out, pose, sizeof pose);
    put(out, &outcome, sizeof outcome);
}
static uint32_t body_save(int machine, unsigned char *bytes)
{
    uint32_t size = 0;
    EXPECT_OK(sinew_body_snapshot(bodies[machine], bytes, BYTES, &size));
    return size;
}
static void body_load(int machine, const unsigned char *bytes, uint32_t size)
{
    EXPECT_OK(sinew_body_restore(bodies[machine], bytes, size));
}

/* --- a grounder on stairs --------------------------------------------------------------- */

static SinewGrounder grounders[MACHINES];

static void cast_stairs(void *user, const SinewGroundQuery *query, SinewGroundHit *out_hit)
{
    (void)user;
    memset(out_hit, 0, sizeof *out_hit);
    out_hit->hit = 1;
    out_hit->point = query->origin;
    out_hit->point.y = (float)(0.15 * floor((double)query->origin.z / 0.4));
    out_hit->normal.y = 1;
}
static void grounder_make(int machine)
{
    Ground c;
    memset(&c, 0, sizeof c);
    ground_fill(&c);
    EXPECT_OK(sinew_grounder_create(c.feet, LEGS, &c.settings, &grounders[machine]));
}
static void grounder_end(int machine) { EXPECT_OK(sinew_grounder_destroy(grounders[machine])); }
static void nothing(int machine, uint32_t game, int frame, int wrong) { (void)machine, (void)game, (void)frame, (void)wrong; }
static void grounder_step(int machine, uint32_t game, int frame, int wrong, Output *out)
{
    Ground c;
    int k;
    const double way = 0.02 * frame;
    memset(&c, 0, sizeof c);
    ground_fill(&c);
    draw_from(game, frame, wrong);
    c.frame.dt_s = (float)(0.008 + 0.016 * unit());
    c.frame.root.z = (float)(way + 0.01 * unit());
    c.frame.pelvis.z = c.frame.root.z;
    for (k = 0; k < LEGS; ++k) {
        const double phase = 0.25 * frame + 3.14159 * k, swing = 0.25 * sin(phase), lift = 0.12 * fmax(0.0, cos(phase));
        SinewGrounderLeg *leg = &c.legs[k];
        leg->hip.z = c.frame.root.z, leg->knee.z = (float)(way + 0.5 * swing + 0.05);
        leg->ankle.z = (float)(way + swing), leg->ball.z = (float)(way + swing + 0.13);
        leg->ankle.y += (float)lift, leg->ball.y += (float)lift, leg->knee.y += (float)(0.5 * lift);
    }
    EXPECT_OK(sinew_grounder_solve(grounders[machine], &c.frame, c.legs, LEGS, cast_stairs, NULL));
    memset(&c.body, 0, sizeof c.body);
    EXPECT_OK(sinew_grounder_get_body(grounders[machine], &c.body));
    EXPECT_OK(sinew_grounder_get_legs(grounders[machine], c.results, LEGS));
    put(out, &c.body, sizeof c.body);
    put(out, c.results, sizeof c.results);
}
static uint32_t grounder_save(int machine, unsigned char *bytes)
{
    uint32_t size = 0;
    EXPECT_OK(sinew_grounder_get_snapshot_size(grounders[machine], &size));
    EXPECT_OK(sinew_grounder_get_snapshot(grounders[machine], bytes, size));
    return size;
}
static void grounder_load(int machine, const unsigned char *bytes, uint32_t size)
{
    EXPECT_OK(sinew_grounder_set_snapshot(grounders[machine], bytes, size));
}

/* --- a tracked body whose trackers come and go -------------------------------------------- */

static SinewTrackedBody tracked[MACHINES];

static void tracked_make(int machine) { EXPECT_OK(sinew_tracked_body_create(rig.avatar, NULL, &tracked[machine])); }
static void tracked_end(int machine) { EXPECT_OK(sinew_tracked_body_destroy(tracked[machine])); }
static void tracked_step(int machine, uint32_t game, int frame, int wrong, Output *out)
{
    static const double PLACES[3][3] = {{0, 1.58, 0}, {-0.4, 1.2, 0.3}, {0.4, 1.2, 0.3}};
    static const int32_t ROLES[3] = {SINEW_TRACKER_ROLE_HEAD, SINEW_TRACKER_ROLE_LEFT_HAND, SINEW_TRACKER_ROLE_RIGHT_HAND};
    SinewTransform pose[RIG_JOINTS];
    SinewTrackerSample sample;
    const double time_s = frame / 90.0;
    int k;
    draw_from(game, frame, wrong);
    for (k = 0; k < 3; ++k) {
        memset(&sample, 0, sizeof sample);
        sample.time_s = time_s - 0.004 * unit();
        sample.position = to_vec3(vec3d(PLACES[k][0] + 0.3 * sin(0.05 * frame), PLACES[k][1] + 0.05 * unit(),
                                        PLACES[k][2] + 0.02 * frame));
        sample.rotation = to_quat(quatd_about(vec3d(0, 1, 0.1), 0.3 * sin(0.04 * frame + k)));
        sample.set = SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION;
        sample.confidence = (float)(unit() < 0.8 ? 1 : unit());
        if (unit() < 0.9) {
            EXPECT_OK(sinew_tracked_body_set_tracker(tracked[machine], ROLES[k], &sample));
        } else if (unit() < 0.3 && k > 0) {
            EXPECT_OK(sinew_tracked_body_clear_tracker(tracked[machine], ROLES[k]));
        }
    }
    /* Legs fade between the tracked body's and the rest pose's; the weights are in the snapshot. */
    if (unit() < 0.2) {
        EXPECT_OK(sinew_tracked_body_set_part_weight(tracked[machine], SINEW_TRACKED_PART_LEFT_LEG, (float)(1.5 * unit() - 0.3)));
        EXPECT_OK(sinew_tracked_body_set_part_weight(tracked[machine], SINEW_TRACKED_PART_LEFT_ARM, (float)(3 * unit())));
    }
    EXPECT_OK(sinew_tracked_body_update(tracked[machine], time_s));
    memcpy(pose, rig.rest, sizeof pose);
    EXPECT_OK(sinew_tracked_body_apply(tracked[machine], pose, RIG_JOINTS));
    put(out, pose, sizeof pose);
}
static uint32_t tracked_save(int machine, unsigned char *bytes)
{
    uint32_t size = 0;
    EXPECT_OK(sinew_tracked_body_get_snapshot_size(tracked[machine], &size));
    CHECK(size <= BYTES, "a snapshot has %u bytes", size);
    size = size <= BYTES ? size : 0;
    EXPECT_OK(sinew_tracked_body_get_snapshot(tracked[machine], bytes, size));
    return size;
}
static void tracked_load(int machine, const unsigned char *bytes, uint32_t size)
{
    EXPECT_OK(sinew_tracked_body_set_snapshot(tracked[machine], bytes, size));
}

static const Subject SUBJECTS[] = {
    {"animator", animator_make, animator_end, animator_input, animator_step, animator_save, animator_load},
    {"body", body_make, body_end, body_input, body_step, body_save, body_load},
    {"grounder", grounder_make, grounder_end, nothing, grounder_step, grounder_save, grounder_load},
    {"tracked body", tracked_make, tracked_end, nothing, tracked_step, tracked_save, tracked_load},
};

/* Goes back to `from` on a machine and plays up to `to` again. */
static void play_again(const Subject *s, int machine, uint32_t game, int from, int to, const unsigned char *bytes,
                       uint32_t size, const Output *truth)
{
    static Output out;
    int frame;
    s->input(machine, game, from - 1, 0); /* the host's part */
    s->load(machine, bytes, size);
    for (frame = from; frame <= to; ++frame) {
        out.size = 0;
        s->step(machine, game, frame, 0, &out);
        CHECK(out.size == truth[frame].size && memcmp(out.bytes, truth[frame].bytes, out.size) == 0,
              "%s, game %u: frame %d after going back from %d to %d differs", s->name, game, frame, to, from);
    }
}

static void frames_played_again_have_the_same_bits(void)
{
    static Output truth[FRAMES], wrong;
    static unsigned char bytes[WINDOW][BYTES];
    uint32_t sizes[WINDOW], subject, game;
    long went_back = 0, differed = 0;
    const uint32_t games = (uint32_t)check_rounds(3, 1);
    const int frames = (int)check_rounds(FRAMES, FRAMES / 3);
    int frame, k, machine;
    rig_make(&rig, 1);
    for (subject = 0; subject < sizeof SUBJECTS / sizeof SUBJECTS[0]; ++subject) {
        const Subject *s = &SUBJECTS[subject];
        for (game = 0; game < games; ++game) {
            for (machine = 0; machine < MACHINES; ++machine) {
                s->make(machine);
            }
            for (frame = 0; frame < frames; ++frame) {
                truth[frame].size = 0;
                s->step(1, game, frame, 0, &truth[frame]);
            }
            for (frame = 0; frame < frames; ++frame) {
                uint64_t kept;
                sizes[frame % WINDOW] = s->save(0, bytes[frame % WINDOW]);
                wrong.size = 0;
                s->step(0, game, frame, 1, &wrong); /* a wrong prediction */
                differed += memcmp(wrong.bytes, truth[frame].bytes, wrong.size) != 0;
                kept = state;
                state = 0x1234567u * (uint64_t)(frame + 1) + game;
                (void)unit(), (void)unit();
                k = (int)(unit() * WINDOW);
                k = k > frame ? frame : k;
                state = kept;
                play_again(s, 0, game, frame - k, frame, bytes[(frame - k) % WINDOW], sizes[(frame - k) % WINDOW], truth);
                ++went_back;
                if (frame % 16 == 5) { /* another machine joins in */
                    play_again(s, 2, game, frame - k, frame, bytes[(frame - k) % WINDOW], sizes[(frame - k) % WINDOW], truth);
                }
            }
            for (machine = 0; machine < MACHINES; ++machine) {
                s->end(machine);
            }
        }
    }
    rig_free(&rig);
    printf("# went back %ld times; %ld wrong frames differed\n", went_back, differed);
    CHECK(differed * 4 > went_back * 3, "only %ld of %ld wrong frames differed", differed, went_back);
}

int main(void)
{
    RUN(frames_played_again_have_the_same_bits);
    return check_report();
}
