/* A job that is shorter than this library's may end where memory ends: its size is looked at before
 * anything beyond it. Each job here lies just before a page that cannot be read. */
#define _DEFAULT_SOURCE
#include "calls.h"
#include <sys/mman.h>
#include <unistd.h>

/* `size` bytes before a page that cannot be read, the first four of which say `size`. */
static void *at_the_edge(uint32_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE) != 0) {
        printf("not ok no memory for this test\n");
        exit(1);
    }
    memcpy(two + page - size, &size, sizeof size);
    return two + page - size;
}

static const uint32_t SIZES[] = {4, 8, 16, 32};

static void a_short_job_is_refused_and_nothing_beyond_it_is_read(void)
{
    SinewTwoBoneResult two_bone;
    SinewJointLimbResult joint_limb;
    size_t i;
    for (i = 0; i < sizeof SIZES / sizeof SIZES[0]; ++i) {
        const void *job = at_the_edge(SIZES[i]);
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_two_bone_solve((const SinewTwoBoneJob *)job, &two_bone));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_two_bone_solve_batch((const SinewTwoBoneJob *)job, 1, &two_bone));
        EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_joint_limb_solve((const SinewJointLimbJob *)job, &joint_limb));
    }
}

static void a_whole_job_at_the_edge_is_solved(void)
{
    SinewTwoBoneJob *two_bone = at_the_edge((uint32_t)sizeof *two_bone);
    SinewJointLimbJob *joint_limb = at_the_edge((uint32_t)sizeof *joint_limb);
    SinewTwoBoneResult solved;
    SinewJointLimbResult turned;
    EXPECT_OK(sinew_two_bone_job_default(two_bone));
    EXPECT_OK(sinew_joint_limb_job_default(joint_limb));
    two_bone->root_mid.x = two_bone->mid_end.y = joint_limb->mid_at.x = joint_limb->end_at.y = 1;
    two_bone->target.x = joint_limb->target.x = 1.5f;
    EXPECT_OK(sinew_two_bone_solve(two_bone, &solved));
    EXPECT_OK(sinew_two_bone_solve_batch(two_bone, 1, &solved));
    EXPECT_OK(sinew_joint_limb_solve(joint_limb, &turned));
    CHECK(solved.beyond == 0 && turned.beyond == 0, "a target within reach is %g, %g beyond", (double)solved.beyond,
          (double)turned.beyond);
}

int main(void)
{
    RUN(a_short_job_is_refused_and_nothing_beyond_it_is_read);
    RUN(a_whole_job_at_the_edge_is_solved);
    return check_report();
}
