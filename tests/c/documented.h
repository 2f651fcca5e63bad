/* Which codes the text of a function in the header allows, and which were seen.
 *
 * A code is allowed when the function's comment names it, when the text of its section does, when
 * it is one of those that mean the same everywhere (top of the header), or when the comment says
 * "as for" another function that allows it. */
#ifndef SINEW_TEST_DOCUMENTED_H
#define SINEW_TEST_DOCUMENTED_H

#include "check.h"

#include <sinew/sinew.h>

/* Off in programs whose calls come from several threads. */
CHECK_UNUSED static int note_codes;
static char undocumented[256];
/* The first text that does not say which argument was refused. */
static char nameless[700];
static long noted_pairs;

static char *header_text(void)
{
    static char *text;
    char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    FILE *file;
    long size;
    if (text != NULL) {
        return text;
    }
    (void)snprintf(path, sizeof path, "%.*s/../../include/sinew/sinew.h", slash != NULL ? (int)(slash - __FILE__) : 1,
                   slash != NULL ? __FILE__ : ".");
    file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        printf("not ok the header cannot be read: %s\n", path);
        exit(1);
    }
    rewind(file);
    text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
        exit(1);
    }
    (void)fclose(file);
    return text;
}

/* Whether `word` stands between two places of the header. */
static int stands_between(const char *from, const char *to, const char *word)
{
    const char *at = from;
    const size_t length = strlen(word);
    while ((at = strstr(at, word)) != NULL && at < to) {
        const char after = at[length];
        if (!(after == '_' || (after >= 'A' && after <= 'Z'))) {
            return 1;
        }
        at += length;
    }
    return 0;
}

static int function_allows(const char *function, const char *code, int depth)
{
    static const char *const EVERYWHERE[] = {
        "SINEW_ERROR_NULL_POINTER", "SINEW_ERROR_INVALID_HANDLE",   "SINEW_ERROR_BUSY",         "SINEW_ERROR_POISONED",
        "SINEW_ERROR_NOT_FINITE",   "SINEW_ERROR_INVALID_ROTATION", "SINEW_ERROR_INVALID_ENUM", "SINEW_ERROR_STRUCT_SIZE",
        "SINEW_ERROR_TOO_MANY_OBJECTS", "SINEW_ERROR_OUT_OF_MEMORY"};
    char wanted[128];
    const char *declared, *comment, *next, *group, *reference;
    size_t k;
    for (k = 0; k < sizeof EVERYWHERE / sizeof EVERYWHERE[0]; ++k) {
        if (strcmp(EVERYWHERE[k], code) == 0) {
            return 1;
        }
    }
    (void)snprintf(wanted, sizeof wanted, "SINEW_API SinewResult %s(", function);
    declared = strstr(header_text(), wanted);
    if (declared == NULL) {
        return 0;
    }
    comment = group = header_text();
    for (next = comment; (next = strstr(next, "/**")) != NULL && next < declared; ++next) {
        comment = next;
    }
    for (next = group; (next = strstr(next, "@defgroup")) != NULL && next < declared; ++next) {
        group = next;
    }
    if (stands_between(comment, declared, code) || stands_between(comment, declared, "the code of the first") ||
        stands_between(group, strstr(group, "@{"), code)) {
        return 1;
    }
    /* "SINEW_ERROR_NOT_HUMANOID as above": of the section before. */
    if (strcmp(code, "SINEW_ERROR_NOT_HUMANOID") == 0 && stands_between(group, strstr(group, "@{"), "as above")) {
        return 1;
    }
    for (reference = comment; depth > 0 && (reference = strstr(reference, "as for")) != NULL && reference < declared; ++reference) {
        char name[96];
        const char *begin = strstr(reference, "sinew_");
        size_t length = begin != NULL ? strspn(begin, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
        if (begin != NULL && begin < declared && length < sizeof name) {
            memcpy(name, begin, length);
            name[length] = 0;
            if (function_allows(name, code, depth - 1)) {
                return 1;
            }
        }
    }
    return 0;
}

static int is_word_of(const char *text, const char *word, size_t length)
{
    const char *at;
    for (at = text; (at = strstr(at, word)) != NULL; ++at) {
        const int begins = at == text || !(at[-1] == '_' || (at[-1] >= 'a' && at[-1] <= 'z'));
        if (begins && !(at[length] == '_' || (at[length] >= 'a' && at[length] <= 'z'))) {
            return 1;
        }
    }
    return 0;
}

/* Whether the text of a refused call names an argument of the function, or the pose or the root
 * that its animator has: the words before the brackets, commas and the end of its declaration. */
static int names_an_argument(const char *function, const char *text)
{
    char wanted[128];
    const char *at, *end, *said = strstr(text, ": ");
    (void)snprintf(wanted, sizeof wanted, "SINEW_API SinewResult %s(", function);
    at = strstr(header_text(), wanted);
    if (at == NULL || said == NULL) {
        return 0;
    }
    if (is_word_of(said, "pose", 4) || is_word_of(said, "root", 4)) {
        return 1;
    }
    end = strchr(at, ';');
    for (at += strlen(wanted); at < end; ++at) {
        char word[64];
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (length > 0 && length < sizeof word && (at[length] == ',' || at[length] == ')')) {
            memcpy(word, at, length);
            word[length] = 0;
            if (is_word_of(said, word, length)) {
                return 1;
            }
        }
        at += length;
    }
    return 0;
}

/* Remembers a code that a function returned; the first that its text does not allow is kept. */
CHECK_UNUSED static SinewResult noted(const char *function, SinewResult result)
{
    enum { SEEN = 8192 };
    static struct Seen {
        const char *function;
        SinewResult result;
    } seen[SEEN];
    const char *text = NULL, *last = NULL;
    char code[64];
    size_t place, length;
    if (result == SINEW_OK || !note_codes) {
        return result;
    }
    place = ((size_t)function * 31 + (size_t)result * 2654435761u) % SEEN;
    while (seen[place].function != NULL) {
        if (seen[place].function == function && seen[place].result == result) {
            return result;
        }
        place = (place + 1) % SEEN;
    }
    /* An address that is not aligned means the same everywhere. */
    if (result == SINEW_ERROR_INVALID_ARGUMENT && sinew_last_error(&last) == SINEW_OK && strstr(last, "not aligned") != NULL) {
        return result;
    }
    seen[place].function = function;
    seen[place].result = result;
    ++noted_pairs;
    if (sinew_result_text(result, &text) != SINEW_OK) {
        return result;
    }
    if (sinew_last_error(&last) == SINEW_OK && !names_an_argument(function, last) && nameless[0] == 0) {
        (void)snprintf(nameless, sizeof nameless, "%s", last);
    }
    length = strcspn(text, ":");
    (void)snprintf(code, sizeof code, "%.*s", (int)length, text);
    if (!function_allows(function, code, 2) && undocumented[0] == 0) {
        (void)snprintf(undocumented, sizeof undocumented, "%s gave %s, which its text does not list", function, code);
    }
    return result;
}

CHECK_UNUSED static void every_code_is_listed_by_its_function(void)
{
    CHECK(noted_pairs > 50, "only %ld pairs of function and code were seen", noted_pairs);
    CHECK(undocumented[0] == 0, "%s", undocumented);
}

CHECK_UNUSED static void every_text_names_an_argument(void) { CHECK(nameless[0] == 0, "no argument in: %s", nameless); }

#endif
