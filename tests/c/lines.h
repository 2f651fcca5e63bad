/* Room for the debug lines of one call, and how many of a part there are. */
#ifndef SINEW_TEST_LINES_H
#define SINEW_TEST_LINES_H

#include <sinew/sinew.h>

enum { MOST_LINES = 1024 };

static SinewDebugLine lines[MOST_LINES];
static uint32_t line_count;

static int count_of(int part)
{
    int found = 0;
    uint32_t k;
    for (k = 0; k < line_count; ++k) {
        found += lines[k].part == part;
    }
    return found;
}

#endif
