/* Hold the cylinder: the right hand takes hold of a handle while the head looks at it.
 *
 *     hold_cylinder SCENE OUT
 *
 * reads a character, its animation and a moving cylinder from SCENE, solves every frame, writes the
 * poses to OUT and prints a hash of them. The two functions to read are `setup` (once per
 * character) and `on_animator_ik` (once per frame). Build with -ffp-contract=off, or the hash
 * differs where the compiler fuses multiplications into additions. */
#include "scene.h"

#include <inttypes.h>

/* Every function of Sinew returns a code; sinew_last_error gives function, argument
 * which value. */
static void must(SinewResult result)
{
    if (result != SINEW_OK) {
        const char *code = "", *error = "";
        (void)sinew_result_text(result, &code);
        (void)sinew_last_error(&error);
        fprintf(stderr, "hold_cylinder: %s\n  %s\n", error, code);
        exit(1);
    }
}

/* Once per character: what the joints are, which of them are human bones, and an animator to pose
 * them. */
static SinewAnimator setup(const Scene *scene)
{
    SinewSkeletonDef skeleton_def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewSkeleton skeleton;
    SinewAvatar avatar;
    SinewAnimator animator;

    must(sinew_skeleton_def_default(&skeleton_def));
    skeleton_def.joint_count = scene->joint_count;
    skeleton_def.parents = scene->parents;
    skeleton_def.rest = scene->rest;
    skeleton_def.names = scene->names;
    must(sinew_skeleton_create(&skeleton_def, &skeleton));

    must(sinew_avatar_def_default(&avatar_def)); /* T-pose and axes are found from the rest pose */
    avatar_def.skeleton = skeleton;
    avatar_def.human_joints = scene->human_joints;
    must(sinew_avatar_create(&avatar_def, &avatar));

    must(sinew_animator_def_default(&animator_def));
    animator_def.skeleton = skeleton;
    animator_def.avatar = avatar;
    must(sinew_animator_create(&animator_def, &animator));

    must(sinew_avatar_destroy(avatar)); /* the animator keeps what it needs */
    must(sinew_skeleton_destroy(skeleton));
    return animator;
}

/* Once per frame, before the solve: sets goals and weights. The names are those of Unity's
 * Animator. */
static void on_animator_ik(SinewAnimator animator, float weight, const SinewVec3 *look_at, const SinewTransform *handle)
{
    const SinewIkGoal hand = SINEW_IK_GOAL_RIGHT_HAND;
    must(sinew_animator_set_look_at_weight(animator, weight, 0.0f, 1.0f, 0.0f, 0.5f));
    must(sinew_animator_set_look_at_position(animator, look_at));
    must(sinew_animator_set_ik_position_weight(animator, hand, weight));
    must(sinew_animator_set_ik_rotation_weight(animator, hand, weight));
    must(sinew_animator_set_ik_position(animator, hand, &handle->position));
    must(sinew_animator_set_ik_rotation(animator, hand, &handle->rotation));
}

static SinewVec3 cross(SinewVec3 a, SinewVec3 b)
{
    SinewVec3 c;
    c.x = a.y * b.z - a.z * b.y;
    c.y = a.z * b.x - a.x * b.z;
    c.z = a.x * b.y - a.y * b.x;
    return c;
}

static SinewVec3 rotate(SinewQuat q, SinewVec3 v)
{
    SinewVec3 u, t, c, result;
    u.x = q.x;
    u.y = q.y;
    u.z = q.z;
    t = cross(u, v);
    t.x *= 2.0f;
    t.y *= 2.0f;
    t.z *= 2.0f;
    c = cross(u, t);
    result.x = (v.x + t.x * q.w) + c.x;
    result.y = (v.y + t.y * q.w) + c.y;
    result.z = (v.z + t.z * q.w) + c.z;
    return result;
}

static SinewQuat multiply(SinewQuat a, SinewQuat b)
{
    SinewQuat q;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return q;
}

/* Where a child stands in the world; no scale of its own. */
static SinewTransform to_world(const SinewTransform *parent, const SinewTransform *local)
{
    SinewTransform world = *local;
    SinewVec3 scaled, turned;
    scaled.x = local->position.x * parent->scale.x;
    scaled.y = local->position.y * parent->scale.y;
    scaled.z = local->position.z * parent->scale.z;
    turned = rotate(parent->rotation, scaled);
    world.position.x = parent->position.x + turned.x;
    world.position.y = parent->position.y + turned.y;
    world.position.z = parent->position.z + turned.z;
    world.rotation = multiply(parent->rotation, local->rotation);
    return world;
}

/* The weight eases in and out at 2.5 per second, so that the hand neither jumps to the handle nor
 * away from it. */
static float ease(float weight, int active, float delta_time_s)
{
    float step = delta_time_s * 2.5f;
    if (active) {
        float more = weight + step;
        return more < 1.0f ? more : 1.0f;
    } else {
        float less = weight - step;
        return less > 0.0f ? less : 0.0f;
    }
}

int main(int argc, char **argv)
{
    Scene scene;
    Writer writer;
    SinewAnimator animator;
    SinewTransform *pose = NULL;
    float weight = 0.0f;
    uint32_t frame_index;

    if (argc != 3) {
        fprintf(stderr, "usage: hold_cylinder SCENE OUT\n");
        return 2;
    }
    scene = scene_load(argv[1]);
    writer = writer_open(argv[2], &scene);
    animator = setup(&scene);
    must(sinew_animator_get_pose_buffer(animator, &pose, NULL)); /* stays where it is until the animator is destroyed */

    for (frame_index = 0; frame_index < scene.frame_count; ++frame_index) {
        const Frame *frame = &scene.frames[frame_index];
        const SinewTransform handle = to_world(&frame->cylinder, &scene.handle_local);
        SinewOutcome hand, look;
        weight = ease(weight, frame->ik_active != 0, scene.delta_time_s);

        memcpy(pose, frame->animation, scene.joint_count * sizeof *pose); /* 1. the animation and where the root is */
        must(sinew_animator_set_root(animator, &frame->root));
        on_animator_ik(animator, weight, &frame->cylinder.position, &handle); /* 2. what it shall do */
        must(sinew_animator_solve(animator));                               /* 3. solve: `pose` now holds the result */
        must(sinew_animator_get_ik_outcome(animator, SINEW_IK_GOAL_RIGHT_HAND, &hand)); /* 4. how well it went */
        must(sinew_animator_get_look_at_outcome(animator, &look));

        write_f32(&writer, weight);
        write_u32(&writer, (uint32_t)hand.status);
        write_f32(&writer, hand.residual_m);
        write_f32(&writer, hand.residual_rad);
        write_u32(&writer, (uint32_t)look.status);
        write_f32(&writer, look.residual_rad);
        write_pose(&writer, pose, scene.joint_count);
    }

    must(sinew_animator_destroy(animator));
    writer_close(&writer);
    scene_free(&scene);
    printf("hash %016" PRIx64 "\n", writer.hash);
    return 0;
}
