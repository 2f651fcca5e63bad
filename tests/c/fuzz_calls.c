/* Random calls with random handles and numbers: fuzz_calls [SEED [STEPS [LARGEST]]].
 *
 * Whatever is called, a documented code comes back (never a panic), and a successful solve of a
 * finite pose leaves a finite pose. A failure prints seed and step; the same arguments repeat it.
 * LARGEST bounds the size of the numbers, and 1 / LARGEST from below that of all but zero. */
#include "calls.h"

#include <float.h>
#include <stdlib.h>

enum { POOL = 8 };

static uint64_t state;
static float largest = FLT_MAX;
static long step, solves, made, accepted;
static Rig rigs[2];
static Scratch scratch;

static uint64_t random_bits(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static unsigned below(unsigned n) { return (unsigned)(random_bits() % n); }
static int one_in(unsigned n) { return below(n) == 0; }
static float unit(void) { return (float)(random_bits() >> 40) / (float)(1 << 24); }

/* Mostly sensible, sometimes as nasty as a float can be. */
static float number(void)
{
    static const float NASTY[] = {0.0f, -0.0f, 1e-45f, -1e-42f, FLT_MIN, 1e-20f, 1e-6f, 1e6f, 1e15f, 1e18f, 1e25f, FLT_MAX, -FLT_MAX};
    uint32_t bits = (uint32_t)random_bits();
    float value;
    switch (below(24)) {
    case 0: value = NASTY[below((unsigned)(sizeof NASTY / sizeof NASTY[0]))]; break;
    case 1: memcpy(&value, &bits, sizeof value); break; /* any bits, NaN among them */
    case 2: return one_in(3) ? (float)NAN : one_in(2) ? (float)INFINITY : -(float)INFINITY;
    case 3: value = 200.0f * unit() - 100.0f; break;
    default: value = 4.0f * unit() - 2.0f; break;
    }
    if (isfinite(value) && fabsf(value) > largest) {
        value = value > 0 ? largest : -largest;
    }
    if (value != 0 && fabsf(value) < 1 / largest) {
        value = value > 0 ? 1 / largest : -1 / largest;
    }
    return value;
}
static void numbers(float *to, int count)
{
    int k, calm = !one_in(4); /* most inputs are good as a whole */
    for (k = 0; k < count; ++k) {
        to[k] = calm ? 4.0f * unit() - 2.0f : number();
    }
}

static SinewSkeleton skeletons[POOL];
static SinewAvatar avatars[POOL];
static SinewAnimator animators[POOL];

static uint64_t any_bits(uint64_t usual)
{
    switch (below(40)) {
    case 0: return 0;
    case 1: return random_bits();
    case 2: return skeletons[below(POOL)].bits;
    case 3: return avatars[below(POOL)].bits;
    case 4: return animators[below(POOL)].bits;
    case 5: return usual ^ (uint64_t)1 << below(64);
    default: return usual;
    }
}

static int known(SinewResult code)
{
    return code == SINEW_OK || (code >= SINEW_ERROR_NULL_POINTER && code <= SINEW_ERROR_INVALID_TEXT) ||
           (code >= SINEW_ERROR_TOO_MANY_OBJECTS && code <= SINEW_ERROR_NOT_AVAILABLE && code != SINEW_ERROR_JOBS) ||
           (code >= SINEW_ERROR_INVALID_PARENT && code <= SINEW_ERROR_INVALID_CHAIN);
}
static void expect_known(SinewResult code, const char *name)
{
    const char *text = "";
    (void)sinew_last_error(&text);
    ++made;
    accepted += code == SINEW_OK;
    CHECK(known(code), "step %ld: %s gave %d: %s", step, name, (int)code, text);
}

static int finite_pose(const SinewTransform *pose, uint32_t count)
{
    uint32_t k;
    for (k = 0; k < 10 * count; ++k) {
        float value;
        memcpy(&value, (const char *)pose + 4 * (size_t)k, 4);
        if (!isfinite(value)) {
            return 0;
        }
    }
    return 1;
}

/* Solves and looks at the pose; the host's animation is put back now and then. */
static void check_solve(SinewAnimator animator)
{
    SinewTransform before[RIG_JOINTS], *pose = NULL;
    uint32_t count = 0;
    SinewResult result;
    if (sinew_animator_get_pose_buffer(animator, &pose, &count) != SINEW_OK || count != RIG_JOINTS) {
        return;
    }
    if (one_in(3)) {
        rig_bent_pose(&rigs[below(2)], unit(), pose);
    } else if (one_in(20)) {
        numbers(&pose[below(RIG_JOINTS)].position.x, 10);
    }
    memcpy(before, pose, sizeof before);
    result = sinew_animator_solve(animator);
    expect_known(result, "sinew_animator_solve");
    ++solves;
    if (result == SINEW_OK) {
        CHECK(finite_pose(pose, count), "step %ld: a solve made a pose that is not finite", step);
    } else {
        CHECK(memcmp(before, pose, sizeof before) == 0, "step %ld: a refused solve changed the pose", step);
    }
    if (!finite_pose(pose, count)) {
        EXPECT_OK(sinew_animator_reset_pose(animator));
    }
}

/* In place of the animator's constraint: any chain, limb or copy that the numbers happen to
 * describe. */
static void another_constraint(SinewAnimator animator)
{
    SinewConstraint old = rig_known_constraint(animator), made = {0};
    SinewResult result;
    if (one_in(4)) {
        SinewAimDef def;
        float weights[8];
        int k;
        EXPECT_OK(sinew_aim_def_default(&def));
        for (k = 0; k < 8; ++k) {
            weights[k] = unit();
        }
        def.end = below(RIG_JOINTS);
        def.joint_count = below(5);
        def.weights = one_in(2) ? NULL : weights;
        def.weight_count = def.weights == NULL ? 0 : def.joint_count;
        numbers(&def.axis.x, 9);
        def.clamp_rad = 3.14f * unit();
        def.behind_rad = unit();
        result = sinew_animator_add_aim(animator, &def, &made);
        expect_known(result, "sinew_animator_add_aim");
    } else if (one_in(4)) {
        SinewSplineDef def;
        EXPECT_OK(sinew_spline_def_default(&def));
        def.end = below(RIG_JOINTS);
        def.joint_count = below(6);
        def.point_count = 1 + below(7);
        def.curve = (int32_t)below(3);
        def.flags = below(2);
        numbers(&def.tip.x, 3);
        def.stretch = unit();
        numbers(&def.roll_start_rad, 2);
        result = sinew_animator_add_spline(animator, &def, &made);
        expect_known(result, "sinew_animator_add_spline");
    } else if (below(3) == 0) {
        SinewTwoBoneDef def;
        EXPECT_OK(sinew_two_bone_def_default(&def));
        def.end = below(RIG_JOINTS + 1);
        def.mid = one_in(2) ? -1 : (int32_t)below(RIG_JOINTS);
        def.root = one_in(2) ? -1 : (int32_t)below(RIG_JOINTS);
        numbers(&def.bend_side.x, 3);
        def.stretch = unit();
        result = sinew_animator_add_two_bone(animator, &def, &made);
        expect_known(result, "sinew_animator_add_two_bone");
    } else if (one_in(3)) {
        SinewCopyRotationDef def;
        EXPECT_OK(sinew_copy_rotation_def_default(&def));
        def.joint = below(RIG_JOINTS);
        def.source = (int32_t)below(RIG_JOINTS + 2) - 1;
        numbers(&def.offset.x, 7);
        result = sinew_animator_add_copy_rotation(animator, &def, &made);
        expect_known(result, "sinew_animator_add_copy_rotation");
    } else {
        SinewChainEnd ends[3];
        SinewChainDef def;
        int k;
        EXPECT_OK(sinew_chain_def_default(&def));
        for (k = 0; k < 3; ++k) {
            ends[k].joint = below(RIG_JOINTS);
            numbers(&ends[k].tip.x, 3);
        }
        def.ends = ends;
        def.end_count = one_in(2) ? 1 : 1 + below(3);
        def.joint_count = one_in(2) ? 0 : below(8);
        def.solver = (int32_t)below(10);
        def.flags = below(16);
        numbers(&def.plane_axis.x, 3);
        def.max_iterations = 1 + below(50);
        def.max_attempts = below(4);
        def.sweep_step_rad = 0.1f + unit();
        if (one_in(8)) {
            numbers(&def.tolerance, 2);
            numbers(&def.damping, 2);
        }
        result = sinew_animator_add_chain(animator, &def, &made);
        expect_known(result, "sinew_animator_add_chain");
    }
    if (result == SINEW_OK) {
        EXPECT_OK(sinew_animator_set_constraint_weight(animator, made, 1.0f));
        rig_remember(animator, made);
        if (old.bits != 0) {
            EXPECT_OK(sinew_animator_remove_constraint(animator, old));
        }
    }
}

static void make_and_destroy(void)
{
    unsigned slot = below(POOL);
    Rig *rig = &rigs[below(2)];
    switch (below(9)) {
    case 6:
    case 7:
    case 8: another_constraint(animators[slot]); break;
    case 0: {
        SinewSkeletonDef def = rig_skeleton_def(rig);
        if (one_in(3)) {
            SinewTransform rest[RIG_JOINTS];
            int32_t parents[RIG_JOINTS];
            int k;
            for (k = 0; k < RIG_JOINTS; ++k) {
                numbers(&rest[k].position.x, 10);
                parents[k] = (int32_t)below((unsigned)k + 2) - 1;
            }
            def.rest = rest;
            def.parents = parents;
            def.joint_count = below(RIG_JOINTS + 1);
            expect_known(sinew_skeleton_create(&def, &skeletons[slot]), "sinew_skeleton_create");
            break;
        }
        expect_known(sinew_skeleton_create(&def, &skeletons[slot]), "sinew_skeleton_create");
        break;
    }
    case 1: {
        SinewAvatarDef def = rig_avatar_def(rig);
        int32_t human[SINEW_HUMAN_BONE_COUNT];
        memcpy(human, rig->human, sizeof human);
        if (one_in(4)) {
            human[below(SINEW_HUMAN_BONE_COUNT)] = (int32_t)below(RIG_JOINTS + 3) - 2;
        }
        def.human_joints = human;
        def.skeleton.bits = any_bits(skeletons[slot].bits);
        if (one_in(4)) {
            numbers(&def.up.x, 8);
        }
        expect_known(sinew_avatar_create(&def, &avatars[slot]), "sinew_avatar_create");
        break;
    }
    case 2:
    case 3: {
        SinewAnimatorDef def = rig_animator_def(rig);
        if (one_in(3)) { /* the pools drift apart: often the wrong skeleton */
            def.skeleton.bits = any_bits(skeletons[slot].bits);
            def.avatar.bits = any_bits(avatars[slot].bits);
        }
        expect_known(sinew_animator_create(&def, &animators[below(POOL)]), "sinew_animator_create");
        break;
    }
    case 4: expect_known(sinew_animator_destroy(animators[slot]), "sinew_animator_destroy"); break;
    default:
        if (one_in(2)) {
            expect_known(sinew_skeleton_destroy(skeletons[slot]), "sinew_skeleton_destroy");
        } else {
            expect_known(sinew_avatar_destroy(avatars[slot]), "sinew_avatar_destroy");
        }
    }
}

static void call_something(void)
{
    const Call *call = &CALLS[below(CALL_COUNT)];
    unsigned slot = below(POOL);
    Args args = good_args(call, &rigs[below(2)], animators[slot], &scratch);
    SinewResult result;
    int k;
    if (call->effect == E_DESTROYS) {
        return; /* make_and_destroy does that */
    }
    args.s.bits = any_bits(skeletons[slot].bits);
    args.v.bits = any_bits(avatars[slot].bits);
    args.a.bits = any_bits(animators[slot].bits);
    args.k.bits = one_in(20) ? any_bits(args.k.bits) : args.k.bits;
    args.w.bits = one_in(20) ? any_bits(args.w.bits) : args.w.bits;
    args.b.bits = one_in(20) ? any_bits(args.b.bits) : args.b.bits;
    args.t.bits = one_in(20) ? any_bits(args.t.bits) : args.t.bits;
    args.g.bits = one_in(20) ? any_bits(args.g.bits) : args.g.bits;
    args.i = one_in(10) ? (int32_t)random_bits()
                        : (int32_t)below(call->index == X_BONE ? 56 : call->index == X_JOINT ? 26 : call->index == X_TARGET ? 6 : call->index == X_EFFECTOR ? 9 : 4);
    if (call->count == C_LINES) {
        args.n = below(LINE_ROOM);
    } else if (call->count != C_NONE && call->count != C_BATCH && one_in(10)) {
        args.n = below(args.n); /* never more than there is room for */
    }
    numbers(args.f, 5);
    for (k = 0; k < call->pointers; ++k) {
        if (one_in(50)) {
            args.p[k] = NULL;
        }
    }
    if (args.p[0] != NULL) {
        switch (call->in) {
        case I_VEC3: numbers(args.p[0], 3); break;
        case I_QUAT: numbers(args.p[0], 4); break;
        case I_TRANSFORM: numbers(args.p[0], 10); break;
        case I_POSE: numbers((float *)args.p[0] + 10 * below(RIG_JOINTS), 10); break;
        case I_INPUT: {
            SinewHumanoidInput *input = args.p[0];
            input->set = one_in(10) ? (uint32_t)random_bits() : below(1 << 16);
            numbers(&input->goals[0].position.x, (int)(sizeof *input - 8) / 4);
            break;
        }
        case I_SETTINGS: {
            SinewHumanoidSettings *settings = args.p[0];
            numbers(settings->shoulder_weights, 7);
            numbers(settings->inertialization_times_s, 4);
            numbers(&settings->bend_weight, 1);
            numbers(&settings->look_at_inertialization_time_s, 1);
            numbers(&settings->trunk_avoidance, 1);
            settings->limits_enabled = one_in(10) ? (uint32_t)random_bits() : below(2);
            break;
        }
        case I_WORLD_FRAME: {
            SinewWorldFrame *frame = args.p[0];
            numbers((float *)(void *)frame->records + 10 * below(RIG_JOINTS * POOL), 10);
            numbers(&((SinewTransform *)(void *)(uintptr_t)frame->roots)->position.x, one_in(4) ? 10 : 0);
            frame->layout = one_in(4) ? (int32_t)below(2) : frame->layout;
            frame->row_count = one_in(10) ? below(FRAME_ROWS) : frame->row_count;
            frame->records_stride = one_in(10) ? below((uint32_t)sizeof(SinewTransform) * RIG_JOINTS) : frame->records_stride;
            break;
        }
        case I_MATCH_TARGET: {
            SinewMatchTarget *target = args.p[0];
            target->part = one_in(10) ? (int32_t)random_bits() : (int32_t)below(6);
            numbers(&target->position.x, 13);
            break;
        }
        case I_AXIS: numbers(args.p[0], 3); break;
        case I_CONSTRAINT_GOAL: {
            SinewConstraintGoal *goal = args.p[0];
            goal->set = one_in(10) ? (uint32_t)random_bits() : below(8);
            numbers(&goal->position.x, 15);
            goal->distance_mode = (int32_t)below(5);
            numbers(&goal->radius, 1);
            break;
        }
        case I_POLE: {
            SinewPole *pole = args.p[0];
            pole->flags = one_in(10) ? (uint32_t)random_bits() : below(4);
            numbers(&pole->at.x, 8);
            break;
        }
        case I_LIMITS: {
            SinewJointLimits *limits = args.p[0];
            int axis;
            limits->flags = one_in(10) ? (uint32_t)random_bits() : below(64);
            if (one_in(4)) {
                numbers(&limits->frame.x, 20);
                break;
            }
            numbers(&limits->frame.x, 4);
            for (axis = 0; axis < 3; ++axis) {
                (&limits->min_rad.x)[axis] = -3.2f * unit();
                (&limits->max_rad.x)[axis] = 3.2f * unit();
                (&limits->stiffness.x)[axis] = unit();
            }
            limits->soft_rad = unit();
            if (one_in(3)) {
                limits->flags &= (2 | 16);
                limits->corner_count = below(10);
                for (axis = 0; axis < 8; ++axis) {
                    limits->corners[axis] = to_vec3(vec3d(cos(axis * 0.9), 0.2 + unit(), sin(axis * 0.9)));
                }
            }
            break;
        }
        case I_BODY_SOLVER: {
            SinewBodySolverSettings *settings = args.p[0];
            settings->mode = one_in(10) ? (int32_t)random_bits() : (int32_t)below(3);
            settings->holds_feet = one_in(10) ? (uint32_t)random_bits() : below(2);
            numbers(&settings->balance_weight, 4);
            break;
        }
        case I_BODY_EFFECTOR: {
            SinewBodyEffectorInput *input = args.p[0];
            input->set = one_in(10) ? (uint32_t)random_bits() : below(4);
            numbers(&input->position.x, 9);
            break;
        }
        case I_PRIORITY: {
            SinewGoalPriority *priority = args.p[0];
            numbers(&priority->position_importance, 2);
            priority->level = one_in(10) ? (uint32_t)random_bits() : below(4);
            break;
        }
        case I_BODY_SETTINGS: {
            SinewBodySettings *settings = args.p[0];
            settings->mode = (int32_t)below(2);
            settings->root = (int32_t)below(2);
            settings->track_steps = 1 + below(3);
            if (one_in(4)) {
                numbers(&settings->tolerance_m, 15);
            }
            break;
        }
        case I_BODY_TASK: {
            SinewBodyTaskDef *def = args.p[0];
            def->kind = one_in(20) ? (int32_t)random_bits() : (int32_t)below(13);
            def->joint = below(RIG_JOINTS);
            def->other = (int32_t)below(RIG_JOINTS + 1) - 1;
            def->end = (int32_t)below(RIG_JOINTS + 1) - 1;
            def->axes = 1 + below(7);
            def->frame = (int32_t)below(3);
            def->side = (int32_t)below(3);
            def->flags = one_in(4) && def->kind != (int32_t)SINEW_BODY_TASK_KIND_SUPPORT;
            def->level = below(4);
            numbers(&def->point.x, 19);
            def->distance = fabsf(number());
            def->blend = unit();
            def->importance = 0.1f + unit();
            def->corner_count = 1 + below(16);
            numbers(&def->corners[0].x, 48);
            break;
        }
        case I_HANDLES: *(SinewAnimator *)args.p[0] = args.a; break;
        case I_SKELETON_DEF: ((SinewSkeletonDef *)args.p[0])->joint_count = below(RIG_JOINTS + 1); break;
        case I_AVATAR_DEF: ((SinewAvatarDef *)args.p[0])->skeleton.bits = any_bits(skeletons[slot].bits); break;
        case I_ANIMATOR_DEF: ((SinewAnimatorDef *)args.p[0])->avatar.bits = any_bits(avatars[slot].bits); break;
        default: break;
        }
    }
    result = call->run(&args);
    expect_known(result, call->name);
    if (result == SINEW_OK && strcmp(call->name, "sinew_body_solve") == 0) {
        CHECK(finite_pose(args.p[0], RIG_JOINTS), "step %ld: a body made a pose that is not finite", step);
    }
}

static long steps;

static void random_calls_give_documented_codes_and_finite_poses(void)
{
    int k;
    rig_make(&rigs[0], 0);
    rig_make(&rigs[1], 1);
    for (k = 0; k < POOL; ++k) {
        animators[k] = rig_animator(&rigs[k & 1]);
        skeletons[k] = rigs[k & 1].skeleton;
        avatars[k] = rigs[k & 1].avatar;
    }
    for (step = 0; step < steps; ++step) {
        if (one_in(200)) {
            make_and_destroy();
        } else if (one_in(4)) {
            check_solve(animators[below(POOL)]);
        } else {
            call_something();
        }
        for (k = 0; k < 2; ++k) { /* the pools share the rigs' own handles: make them anew when they were destroyed */
            uint32_t valid = 0;
            if (sinew_skeleton_is_valid(rigs[k].skeleton, &valid) == SINEW_OK && valid == 0) {
                rig_make(&rigs[k], k);
            } else if (sinew_avatar_is_valid(rigs[k].avatar, &valid) == SINEW_OK && valid == 0) {
                SinewAvatarDef def = rig_avatar_def(&rigs[k]);
                EXPECT_OK(sinew_avatar_create(&def, &rigs[k].avatar));
            }
        }
    }
    printf("# %ld steps, %ld random calls, %ld accepted, %ld solves\n", step, made, accepted, solves);
    CHECK(accepted > steps / 4 && solves > steps / 10, "too little was accepted to mean anything");
}

static uint32_t drop_log(void *user, const uint8_t *bytes, uint32_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}

static void random_calls_of_a_recording(void)
{
    steps /= 10;
    EXPECT_OK(sinew_record_begin_callback(drop_log, NULL));
    random_calls_give_documented_codes_and_finite_poses();
    EXPECT_OK(sinew_record_end());
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    steps = argc > 2 ? strtol(argv[2], NULL, 0) : check_rounds(200000, 10000);
    largest = argc > 3 ? strtof(argv[3], NULL) : largest;
    printf("# seed %s\n", argc > 1 ? argv[1] : "1");
    note_codes = 1;
    RUN(random_calls_give_documented_codes_and_finite_poses);
    RUN(random_calls_of_a_recording);
    RUN(every_code_is_listed_by_its_function);
    RUN(every_text_names_an_argument);
    return check_report();
}
