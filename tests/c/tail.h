/* A small rig that is no humanoid, with one constraint of each kind: the scene of
 * testkit/src/tail.rs, number by number. Every number is a sum of powers of two. Compiles as C++
 * too. */
#ifndef SINEW_TEST_TAIL_H
#define SINEW_TEST_TAIL_H

#include "check.h"

#include <sinew/sinew.h>

enum { TAIL_JOINTS = 13, TAIL_FRAMES = 32, TAIL_TIP = 8, TAIL_LIMB = 11, TAIL_COPY = 12 };

static const int32_t TAIL_PARENTS[TAIL_JOINTS] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11};
static const float TAIL_PLACES[TAIL_JOINTS][3] = {
    {0, 1, 0}, {0, 0.25f, 0}, {0, 0.25f, 0}, {0, 0.25f, 0}, {0, 0.25f, 0}, {0, 0.25f, 0}, {0, 0.25f, 0}, {0, 0.25f, 0},
    {0, 0.25f, 0}, {0.5f, 0, 0}, {0.375f, -0.0625f, 0.125f}, {0.375f, 0, -0.0625f}, {0.125f, 0, 0},
};

CHECK_UNUSED static void tail_rest(SinewTransform *rest)
{
    int j;
    for (j = 0; j < TAIL_JOINTS; ++j) {
        memset(&rest[j], 0, sizeof rest[j]);
        rest[j].position.x = TAIL_PLACES[j][0];
        rest[j].position.y = TAIL_PLACES[j][1];
        rest[j].position.z = TAIL_PLACES[j][2];
        rest[j].rotation.w = 1;
        rest[j].scale.x = rest[j].scale.y = rest[j].scale.z = 1;
    }
}
CHECK_UNUSED static SinewVec3 tail_goal(int frame)
{
    SinewVec3 v;
    v.x = 0.75f - (float)frame * 0.0625f;
    v.y = 1.75f + (float)(frame % 8) * 0.03125f;
    v.z = 0.5f - (float)frame * 0.03125f;
    return v;
}
CHECK_UNUSED static SinewVec3 tail_limb_goal(int frame)
{
    SinewVec3 v;
    v.x = 0.75f + (float)(frame % 4) * 0.0625f;
    v.y = 0.75f + (float)frame * 0.015625f;
    v.z = 0.25f;
    return v;
}
CHECK_UNUSED static SinewQuat tail_wag(int frame)
{
    SinewQuat q;
    q.x = (float)(frame % 4) * 0.0625f;
    q.y = 0;
    q.z = (float)frame * 0.0078125f;
    q.w = 1;
    return q;
}
CHECK_UNUSED static uint64_t tail_hash(uint64_t hash, const SinewTransform *pose)
{
    const unsigned char *bytes = (const unsigned char *)pose;
    size_t k;
    for (k = 0; k < TAIL_JOINTS * sizeof *pose; ++k) {
        hash = (hash ^ bytes[k]) * 0x100000001b3u;
    }
    return hash;
}
static const uint64_t TAIL_HASH_START = 0xcbf29ce484222325u;

/* The committed hash, from tests/golden/hashes.txt beside the folder of `file`; 0 when it cannot be
 * read. */
CHECK_UNUSED static uint64_t tail_golden(const char *file)
{
    char path[4096], name[64], hex[64];
    const char *slash = strrchr(file, '/');
    FILE *hashes;
    uint64_t found = 0;
    sprintf(path, "%.*s/../golden/hashes.txt", slash != NULL ? (int)(slash - file) : 1, slash != NULL ? file : ".");
    hashes = fopen(path, "r");
    while (hashes != NULL && fscanf(hashes, "%63s %63s", name, hex) == 2) {
        if (strcmp(name, "tail") == 0) {
            found = strtoull(hex, NULL, 16);
        }
    }
    if (hashes != NULL) {
        fclose(hashes);
    }
    return found;
}

#endif
