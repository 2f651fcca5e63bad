/* A host's allocator that counts, and that has no more memory when a test says so. */
#ifndef SINEW_TEST_FAILING_H
#define SINEW_TEST_FAILING_H

#include "check.h"

#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

/* What stands before each block: the memory begins FAILING_HEAD bytes after it. */
typedef struct FailingBlock {
    void *from;
    size_t size, alignment;
    uint64_t mark;
} FailingBlock;
enum { FAILING_HEAD = 64 };
static const uint64_t FAILING_MARK = 0x5AFE5AFE5AFE5AFEu;

/* Written by any thread; read when the others are at rest. */
static struct Failing {
    long calls, refused, live, bad;
    long long live_bytes;
    /* Since failing_watch: bytes of rooms (see src/ffi/reserve.rs), and of everything else. */
    long long rooms, used;
    /* Of the calls from now on, this one is refused, and with `always` all after it; -1: none. */
    long refuse;
    int always;
} failing = {0, 0, 0, 0, 0, 0, 0, -1, 0};

static int is_room(size_t size, size_t alignment)
{
    return alignment == 128 && size >= 4096 && (size & (size - 1)) == 0;
}

static void *failing_allocate(void *user, size_t size, size_t alignment)
{
    unsigned char *from;
    uintptr_t at;
    FailingBlock *block;
    const long refuse = __atomic_load_n(&failing.refuse, __ATOMIC_RELAXED);
    long call;
    (void)user;
    call = __atomic_fetch_add(&failing.calls, 1, __ATOMIC_RELAXED);
    if (refuse >= 0 && (call == refuse || (failing.always && call > refuse))) {
        __atomic_fetch_add(&failing.refused, 1, __ATOMIC_RELAXED);
        if (!is_room(size, alignment)) {
            __atomic_fetch_add(&failing.used, (long long)(size + alignment - 1), __ATOMIC_RELAXED);
        }
        return NULL;
    }
    from = malloc(size + alignment + FAILING_HEAD);
    if (from == NULL) {
        return NULL;
    }
    at = ((uintptr_t)from + FAILING_HEAD + alignment - 1) & ~(uintptr_t)(alignment - 1);
    block = (FailingBlock *)(void *)(from + (at - (uintptr_t)from) - FAILING_HEAD);
    /* Only copied: the address need not be one for the struct. */
    {
        const FailingBlock filled = {from, size, alignment, FAILING_MARK};
        memcpy(block, &filled, sizeof filled);
    }
    __atomic_fetch_add(&failing.live, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&failing.live_bytes, (long long)size, __ATOMIC_RELAXED);
    if (is_room(size, alignment)) {
        __atomic_fetch_add(&failing.rooms, (long long)size, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_add(&failing.used, (long long)(size + alignment - 1), __ATOMIC_RELAXED);
    }
    return from + (at - (uintptr_t)from);
}

static void failing_free(void *user, void *memory, size_t size, size_t alignment)
{
    FailingBlock block;
    (void)user;
    memcpy(&block, (unsigned char *)memory - FAILING_HEAD, sizeof block);
    if (block.mark != FAILING_MARK || block.size != size || block.alignment != alignment) {
        __atomic_fetch_add(&failing.bad, 1, __ATOMIC_RELAXED);
        return;
    }
    memset((unsigned char *)memory - FAILING_HEAD, 0, sizeof block);
    memset(memory, 0xDD, size); /* what still reads it reads nonsense */
    __atomic_fetch_add(&failing.live, -1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&failing.live_bytes, -(long long)size, __ATOMIC_RELAXED);
    free(block.from);
}

/* Counts anew. */
CHECK_UNUSED static void failing_watch(void)
{
    failing.refuse = -1;
    failing.calls = failing.refused = 0;
    failing.rooms = failing.used = 0;
}
/* The call number `k` from now on has no memory, and with `always` no later one. */
CHECK_UNUSED static void failing_from(long k, int always)
{
    failing_watch();
    failing.always = always;
    failing.refuse = k;
}

#endif
