/* One body on the test person, and the pose that it leaves: what the tests of bodies share. */
#ifndef SINEW_TESTS_BODY_RIG_H
#define SINEW_TESTS_BODY_RIG_H

#include "rig.h"

static Rig rig;
static SinewBody body;
static SinewTransform start[RIG_JOINTS], pose[RIG_JOINTS], root;
static Affine world[RIG_JOINTS];

/* Arms and legs bent; a root at the origin (0), or one that is moved and turned (1), and scaled
 * (2), under a person whose joints are turned at rest. */
static void fresh(int k)
{
    static const double SCALE[3] = {1, 1, 2.5};
    Quatd turn = k == 0 ? quatd(0, 0, 0, 1) : quatd_about(vec3d(0.3, 1, -0.2), 1.1 * k);
    rig_make(&rig, k > 0);
    rig_bent_pose(&rig, 0.15, start);
    root = transform(k == 0 ? vec3d(0, 0, 0) : vec3d(3, -1, 2), turn,
                     vec3d(SCALE[k], SCALE[k], SCALE[k]));
    EXPECT_OK(sinew_body_create(rig.skeleton, RIG_HIPS, NULL, &body));
    EXPECT_OK(sinew_body_set_root(body, &root));
}
static void done(void)
{
    EXPECT_OK(sinew_body_destroy(body));
    rig_free(&rig);
}
static SinewBodyTaskDef task(int32_t kind, uint32_t joint)
{
    SinewBodyTaskDef def;
    EXPECT_OK(sinew_body_task_default(kind, &def));
    def.joint = joint;
    return def;
}
/* From `start` to `pose` and `world`. */
static SinewBodyOutcome solve(void)
{
    SinewBodyOutcome outcome;
    memset(&outcome, 0, sizeof outcome);
    memcpy(pose, start, sizeof pose);
    EXPECT_OK(sinew_body_solve(body, pose, RIG_JOINTS, 0.02f, &outcome));
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    return outcome;
}
/* World from model. */
CHECK_UNUSED static Vec3d in_world(double x, double y, double z)
{
    Affine m = affine_from(&root);
    return affine_point(&m, vec3d(x, y, z));
}

#endif
