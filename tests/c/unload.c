/* The library is loaded and unloaded again and again, as editors do with plug-ins, and its threads
 * have ended when it says so. */
#define _GNU_SOURCE
#include "rig.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <time.h>
#include <unistd.h>

/* A program that is linked with the library has it open all the time, so a copy under another name
 * is loaded. */
static char copy[64];

static int find(struct dl_phdr_info *info, size_t size, void *out)
{
    (void)size;
    if (strstr(info->dlpi_name, "libsinew") == NULL) {
        return 0;
    }
    *(const char **)out = info->dlpi_name;
    return 1;
}

static int copied(void)
{
    static char bytes[65536];
    const char *from = NULL;
    FILE *in, *out;
    size_t count;
    (void)dl_iterate_phdr(find, &from);
    if (from == NULL || (in = fopen(from, "rb")) == NULL) {
        return 0;
    }
    snprintf(copy, sizeof copy, "/tmp/sinew-unload-%ld.so", (long)getpid());
    if ((out = fopen(copy, "wb")) == NULL) {
        (void)fclose(in);
        return 0;
    }
    while ((count = fread(bytes, 1, sizeof bytes, in)) > 0) {
        (void)fwrite(bytes, 1, count, out);
    }
    (void)fclose(in);
    return fclose(out) == 0;
}

/* A function of the loaded copy; the linked function's type is the right one. */
#define OF(library, name) (*(__typeof__(&name) *)(void *)&(void *[]){dlsym((library), #name)}[0])

static int use(void *library)
{
    Rig rig;
    SinewSkeletonDef def;
    SinewAvatarDef avatar_def;
    SinewAnimatorDef animator_def;
    SinewAnimator animator;
    SinewWorld world;
    int wrong = 0;
    rig_fill(&rig, 1);
    wrong += OF(library, sinew_skeleton_def_default)(&def) != SINEW_OK;
    def.joint_count = RIG_JOINTS, def.parents = rig.parents, def.rest = rig.rest, def.names = rig.names;
    wrong += OF(library, sinew_skeleton_create)(&def, &rig.skeleton) != SINEW_OK;
    wrong += OF(library, sinew_avatar_def_default)(&avatar_def) != SINEW_OK;
    avatar_def.skeleton = rig.skeleton, avatar_def.human_joints = rig.human;
    wrong += OF(library, sinew_avatar_create)(&avatar_def, &rig.avatar) != SINEW_OK;
    wrong += OF(library, sinew_animator_def_default)(&animator_def) != SINEW_OK;
    animator_def.skeleton = rig.skeleton, animator_def.avatar = rig.avatar;
    wrong += OF(library, sinew_animator_create)(&animator_def, &animator) != SINEW_OK;
    wrong += OF(library, sinew_animator_solve)(animator) != SINEW_OK;
    wrong += OF(library, sinew_world_create)(&world) != SINEW_OK;
    wrong += OF(library, sinew_world_join)(world, animator, NULL) != SINEW_OK;
    wrong += OF(library, sinew_world_solve)(world, NULL, NULL) != SINEW_OK;
    wrong += OF(library, sinew_world_destroy)(world) != SINEW_OK;
    wrong += OF(library, sinew_animator_destroy)(animator) != SINEW_OK;
    wrong += OF(library, sinew_animator_destroy)(animator) != SINEW_ERROR_INVALID_HANDLE;
    wrong += OF(library, sinew_avatar_destroy)(rig.avatar) != SINEW_OK;
    wrong += OF(library, sinew_skeleton_destroy)(rig.skeleton) != SINEW_OK;
    return wrong;
}

static long long heap_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (long long)info.uordblks + (long long)info.hblkhd;
}

static void nothing_stays_after_unloading(void)
{
    /* The C library keeps some blocks for later, and makes its lists longer at times; what
     * the library leaves behind it leaves in every round. */
    const long part = check_rounds(2000, 10), rounds = 3 * part;
    long long bytes[3] = {0, 0, 0}, first, second;
    long round;
    for (round = 0; round < rounds; ++round) {
        void *library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library != NULL, "%s", dlerror());
        CHECK(use(library) == 0, "round %ld: a call failed", round);
        REQUIRE(dlclose(library) == 0, "%s", dlerror());
        REQUIRE(dlopen(copy, RTLD_NOW | RTLD_NOLOAD) == NULL, "it stays loaded");
        if (round % part == part - 1) {
            bytes[round / part] = heap_bytes();
        }
    }
    first = bytes[1] - bytes[0], second = bytes[2] - bytes[1];
    CHECK(part < 2000 || first < 4 * part || second < 4 * part, "%lld and %lld bytes stay after %ld rounds each", first,
          second, part);
}

static int threads_listed(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    struct dirent *entry;
    if (folder == NULL) {
        return 0;
    }
    while ((entry = readdir(folder)) != NULL) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(folder);
    return count;
}

/* A thread that has been joined runs no more, but the system may list it for a moment. */
static int threads_now(int expected)
{
    const struct timespec pause = {0, 1000000};
    int tries;
    for (tries = 0; tries < 200 && threads_listed() != expected; ++tries) {
        nanosleep(&pause, NULL);
    }
    return threads_listed();
}

static void threads_have_ended_when_the_call_returns(void)
{
    const int before = threads_listed();
    SinewWorld world;
    int round;
    EXPECT_OK(sinew_world_create(&world));
    if (before == 0 || sinew_world_set_threads(world, 2) == SINEW_ERROR_NOT_AVAILABLE) {
        printf("skip threads of a world's own: not in this build\n");
        EXPECT_OK(sinew_world_destroy(world));
        return;
    }
    for (round = 0; round < 40; ++round) {
        const uint32_t count = 2 + (uint32_t)round * 7 % 31;
        EXPECT_OK(sinew_world_set_threads(world, count));
        CHECK(threads_now(before + (int)count) == before + (int)count, "%d threads, not %u more than %d",
              threads_listed(), count, before);
    }
    EXPECT_OK(sinew_world_set_threads(world, 0));
    CHECK(threads_now(before) == before, "%d threads after set_threads, %d before", threads_listed(), before);
    EXPECT_OK(sinew_world_set_threads(world, 5));
    EXPECT_OK(sinew_world_destroy(world));
    CHECK(threads_now(before) == before, "%d threads after destroy, %d before", threads_listed(), before);
}

int main(void)
{
    if (!copied()) {
        printf("skip unloading: there is no shared library to load\n");
    } else {
        RUN(nothing_stays_after_unloading);
        (void)unlink(copy);
    }
    RUN(threads_have_ended_when_the_call_returns);
    return check_report();
}
#else
int main(void)
{
    printf("skip unloading: this is not glibc\n");
    return check_report();
}
#endif
