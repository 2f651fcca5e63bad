/* Two hands on a rifle that is fixed to the chest, while spine and chest turn its barrel towards an
 * enemy who walks about.
 *
 *     cc -std=c99 -I include examples/rifle/rifle.c -o rifle -L LIBDIR -lsinew -lm && ./rifle
 *
 * The grips are points of the chest, and so are the goals: in the chest's space they are met where
 * the same solve has turned it. Goals of the world are where the grips were before the chest
 * turned; the outcome is REACHED and the hands are beside the rifle. Both ways are measured at the
 * joints.
 * Metres, Y up, facing Z, right X. */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) must((call), #call)
static void must(SinewResult result, const char *call)
{
    if (result != SINEW_OK) {
        const char *error = "";
        (void)sinew_last_error(&error);
        fprintf(stderr, "%s\n  %s\n", call, error);
        exit(1);
    }
}

enum { SPINE = 7, CHEST = 8, LEFT_HAND = 13, RIGHT_HAND = 16, COUNT = 17, FRAMES = 300 };

static const struct {
    const char *name;
    int32_t parent;
    SinewVec3 offset;
} JOINTS[COUNT] = {
    {"Hips", -1, {0, 0.95f, 0}},
    {"LeftUpperLeg", 0, {-0.09f, -0.02f, 0}},      {"LeftLowerLeg", 1, {0, -0.43f, 0.004f}},
    {"LeftFoot", 2, {0, -0.42f, -0.02f}},          {"RightUpperLeg", 0, {0.09f, -0.02f, 0}},
    {"RightLowerLeg", 4, {0, -0.43f, 0.004f}},     {"RightFoot", 5, {0, -0.42f, -0.02f}},
    {"Spine", 0, {0, 0.10f, 0}},                   {"Chest", SPINE, {0, 0.18f, 0}},
    {"Neck", CHEST, {0, 0.28f, 0}},                {"Head", 9, {0, 0.1f, 0.02f}},
    {"LeftUpperArm", CHEST, {-0.18f, 0.2f, 0}},    {"LeftLowerArm", 11, {-0.32f, 0, 0}},
    {"LeftHand", 12, {-0.26f, 0, 0}},              {"RightUpperArm", CHEST, {0.18f, 0.2f, 0}},
    {"RightLowerArm", 14, {0.32f, 0, 0}},          {"RightHand", 15, {0.26f, 0, 0}},
};

/* In the chest's space: the barrel, which points along Z, and the wrists at the grips. */
static const SinewVec3 BARREL = {0.08f, 0.2f, 0.35f}, GRIP_RIGHT = {0.1f, 0.1f, 0.22f}, GRIP_LEFT = {0.06f, 0.14f, 0.46f};
static const SinewIkGoal RIGHT = SINEW_IK_GOAL_RIGHT_HAND, LEFT = SINEW_IK_GOAL_LEFT_HAND;

static SinewVec3 turned(SinewQuat q, SinewVec3 v)
{
    const float x = 2 * (q.y * v.z - q.z * v.y), y = 2 * (q.z * v.x - q.x * v.z), z = 2 * (q.x * v.y - q.y * v.x);
    v.x += q.w * x + q.y * z - q.z * y;
    v.y += q.w * y + q.z * x - q.x * z;
    v.z += q.w * z + q.x * y - q.y * x;
    return v;
}

static float distance(SinewVec3 a, SinewVec3 b)
{
    a.x -= b.x, a.y -= b.y, a.z -= b.z;
    return sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* A point of a joint's space, in the world. */
static SinewVec3 point_of(SinewAnimator animator, uint32_t joint, SinewVec3 local)
{
    SinewVec3 at;
    SinewQuat turn;
    MUST(sinew_animator_get_joint_world(animator, joint, &at, &turn));
    local = turned(turn, local);
    at.x += local.x, at.y += local.y, at.z += local.z;
    return at;
}

static SinewAnimator animator_of(SinewSkeleton skeleton, SinewAvatar avatar)
{
    SinewAnimatorDef def;
    SinewAnimator animator;
    MUST(sinew_animator_def_default(&def));
    def.skeleton = skeleton;
    def.avatar = avatar;
    MUST(sinew_animator_create(&def, &animator));
    return animator;
}

/* Once: spine and chest turn the barrel before the limbs are solved. */
static SinewConstraint add_aim(SinewAnimator animator)
{
    SinewAimDef def;
    SinewConstraint aim;
    MUST(sinew_aim_def_default(&def));
    def.end = CHEST;
    def.joint_count = 2; /* chest and spine: not the hips, which carry the legs */
    def.offset = BARREL; /* the ray is the barrel; its default is the joint, along Z */
    MUST(sinew_animator_add_aim(animator, &def, &aim));
    MUST(sinew_animator_set_constraint_placement(animator, aim, SINEW_CONSTRAINT_PLACEMENT_BEFORE, SINEW_FRAME_STEP_LIMBS));
    MUST(sinew_animator_set_constraint_weight(animator, aim, 1));
    return aim;
}

static void set_hands(SinewAnimator animator, SinewVec3 right, SinewVec3 left)
{
    MUST(sinew_animator_set_ik_position(animator, RIGHT, &right));
    MUST(sinew_animator_set_ik_position(animator, LEFT, &left));
}

static void use_hands(SinewAnimator animator)
{
    MUST(sinew_animator_set_ik_position_weight(animator, RIGHT, 1));
    MUST(sinew_animator_set_ik_position_weight(animator, LEFT, 1));
}

/* What a game's animation does: here it breathes. */
static void animate(SinewTransform *pose, int frame)
{
    const float half = 0.02f * sinf(0.05f * (float)frame);
    pose[SPINE].rotation.x = sinf(half);
    pose[SPINE].rotation.w = cosf(half);
}

typedef struct Measured {
    float hand_m, barrel_rad, reported_m; /* the largest of all frames */
    int reached;                          /* frames in which both outcomes are REACHED */
} Measured;

static void measure(SinewAnimator animator, SinewVec3 enemy, Measured *m)
{
    SinewOutcome right, left;
    SinewVec3 muzzle = point_of(animator, CHEST, BARREL), none = {0, 0, 0}, along = BARREL;
    float way, off;
    MUST(sinew_animator_get_ik_outcome(animator, RIGHT, &right));
    MUST(sinew_animator_get_ik_outcome(animator, LEFT, &left));
    m->reached += right.status == SINEW_STATUS_REACHED && left.status == SINEW_STATUS_REACHED;
    m->reported_m = fmaxf(m->reported_m, fmaxf(right.residual_m, left.residual_m));
    off = distance(point_of(animator, RIGHT_HAND, none), point_of(animator, CHEST, GRIP_RIGHT));
    m->hand_m = fmaxf(m->hand_m, off);
    off = distance(point_of(animator, LEFT_HAND, none), point_of(animator, CHEST, GRIP_LEFT));
    m->hand_m = fmaxf(m->hand_m, off);
    way = distance(muzzle, enemy);
    along.z += way; /* as far along the barrel as the enemy is */
    m->barrel_rad = fmaxf(m->barrel_rad, distance(point_of(animator, CHEST, along), enemy) / way);
}

static void print(const char *name, Measured m)
{
    printf("%-16s %10.3f mm %11.4f rad %9d frames %12.1e m\n", name, (double)(1000 * m.hand_m), (double)m.barrel_rad,
           m.reached, (double)m.reported_m);
}

int main(void)
{
    int32_t parents[COUNT], human_joints[SINEW_HUMAN_BONE_COUNT];
    const char *names[COUNT];
    SinewTransform rest[COUNT], *pose, *late;
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewSkeleton skeleton;
    SinewAvatar avatar;
    SinewAnimator character, other;
    SinewConstraint aim, other_aim;
    Measured in_chest = {0, 0, 0, 0}, in_world = {0, 0, 0, 0};
    int frame, i, good;

    for (i = 0; i < COUNT; ++i) {
        const SinewTransform here = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        names[i] = JOINTS[i].name;
        parents[i] = JOINTS[i].parent;
        rest[i] = here;
        rest[i].position = JOINTS[i].offset;
    }
    MUST(sinew_skeleton_def_default(&skeleton_def));
    skeleton_def.joint_count = COUNT;
    skeleton_def.parents = parents;
    skeleton_def.rest = rest;
    skeleton_def.names = names;
    MUST(sinew_skeleton_create(&skeleton_def, &skeleton));
    MUST(sinew_skeleton_map_human_names(skeleton, human_joints, SINEW_HUMAN_BONE_COUNT, NULL));
    MUST(sinew_avatar_def_default(&avatar_def));
    avatar_def.skeleton = skeleton;
    avatar_def.human_joints = human_joints;
    MUST(sinew_avatar_create(&avatar_def, &avatar));

    character = animator_of(skeleton, avatar);
    aim = add_aim(character);
    use_hands(character);
    /* Once: the grips do not move on the chest. */
    MUST(sinew_animator_set_ik_goal_space(character, RIGHT, CHEST));
    MUST(sinew_animator_set_ik_goal_space(character, LEFT, CHEST));
    set_hands(character, GRIP_RIGHT, GRIP_LEFT);
    MUST(sinew_animator_get_pose_buffer(character, &pose, NULL));

    other = animator_of(skeleton, avatar); /* for comparison */
    other_aim = add_aim(other);
    use_hands(other);
    MUST(sinew_animator_get_pose_buffer(other, &late, NULL));

    for (frame = 0; frame < FRAMES; ++frame) {
        const float angle = 0.9f * sinf(0.021f * (float)frame);
        SinewVec3 enemy;
        enemy.x = 4 * sinf(angle), enemy.y = 1.2f + 0.6f * sinf(0.05f * (float)frame), enemy.z = 4 * cosf(angle);

        MUST(sinew_animator_reset_pose(character));
        animate(pose, frame);
        MUST(sinew_animator_set_constraint_position(character, aim, 0, &enemy));
        MUST(sinew_animator_solve(character));
        measure(character, enemy, &in_chest);

        /* The mistake: goals in the world, at the grips of the chest as it is animated. */
        MUST(sinew_animator_reset_pose(other));
        animate(late, frame);
        MUST(sinew_animator_set_constraint_position(other, other_aim, 0, &enemy));
        set_hands(other, point_of(other, CHEST, GRIP_RIGHT), point_of(other, CHEST, GRIP_LEFT));
        MUST(sinew_animator_solve(other));
        measure(other, enemy, &in_world);
    }
    puts("                  hands off grips   barrel off enemy   both REACHED   residual");
    print("in the chest", in_chest);
    print("in the world", in_world);
    MUST(sinew_animator_destroy(other));
    MUST(sinew_animator_destroy(character));
    MUST(sinew_avatar_destroy(avatar));
    MUST(sinew_skeleton_destroy(skeleton));
    good = in_chest.hand_m < 1e-5f && in_chest.barrel_rad < 1e-4f && in_chest.reached == FRAMES && in_world.hand_m > 0.1f;
    return good ? 0 : 1;
}
