/* A thousand arms without skeleton or animator: their joints are in one array of local transforms.
 *
 *     cc -std=c99 -I include examples/batch/batch.c -o batch -L LIBDIR -lsinew -lm && ./batch */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

enum { ARMS = 1000, JOINTS = 3 };

static SinewTransform poses[ARMS * JOINTS];
static SinewLimbPlaces places[ARMS];
static SinewJointLimbJob jobs[ARMS];
static float beyond[ARMS];

int main(void)
{
    SinewJointLimbJob job;
    const char *why = "";
    int arm, joint, reached = 0;

    if (sinew_joint_limb_job_default(&job) != SINEW_OK) {
        return 1;
    }
    job.bend_side.x = 0;
    job.bend_side.y = -1; /* elbows bend downwards when an arm is straight */
    for (arm = 0; arm < ARMS; ++arm) {
        for (joint = 0; joint < JOINTS; ++joint) {
            SinewTransform *t = &poses[arm * JOINTS + joint];
            t->position.x = joint == 0 ? 0 : 0.3f; /* along X: shoulder, elbow, wrist */
            t->rotation.w = 1;
            t->scale.x = t->scale.y = t->scale.z = 1;
        }
        places[arm].root = (uint32_t)(arm * JOINTS);
        places[arm].mid = places[arm].root + 1;
        places[arm].end = places[arm].root + 2;
        jobs[arm] = job;
        jobs[arm].target.x = 0.2f + 0.3f * (float)arm / ARMS; /* in the shoulder's parent */
        jobs[arm].target.y = 0.35f * sinf(0.1f * (float)arm);
        jobs[arm].target.z = 0.2f;
    }
    if (sinew_joint_limb_solve_records(poses, ARMS * JOINTS, places, jobs, ARMS, beyond) != SINEW_OK) {
        sinew_last_error(&why);
        puts(why);
        return 1;
    }
    for (arm = 0; arm < ARMS; ++arm) {
        reached += beyond[arm] == 0;
    }
    printf("%d of %d wrists reached their targets\n", reached, (int)ARMS);
    return reached == 0;
}
