/* A test framework of fifty lines.
 *
 *     static void a_thing_holds(void) { CHECK(1 + 1 == 2, "sum is %d", 1 + 1); }
 *     int main(void) { RUN(a_thing_holds); return check_report(); }
 *
 * prints "ok a_thing_holds" or "not ok a_thing_holds (file:line) what", and at the end "N passed, N
 * failed". CHECK goes on after a failure (only the first of a test is printed), REQUIRE leaves the
 * test. Call both on the main thread only. What cannot be tested here is told in a line "skip why".
 * */
#ifndef SINEW_TEST_CHECK_H
#define SINEW_TEST_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define CHECK_PRINTF(text, args) __attribute__((format(printf, text, args), unused))
#define CHECK_UNUSED __attribute__((unused))
#else
#define CHECK_PRINTF(text, args)
#define CHECK_UNUSED
#endif

static int check_passed_tests, check_failed_tests, check_failures;
static const char *check_test = "";

CHECK_PRINTF(3, 4) static void check_fail(const char *file, int line, const char *format, ...)
{
    const char *slash = strrchr(file, '/');
    va_list args;
    if (check_failures++ > 0) {
        return;
    }
    printf("not ok %s (%s:%d) ", check_test, slash != NULL ? slash + 1 : file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
}

CHECK_UNUSED static void check_run(const char *name, void (*test)(void))
{
    check_test = name;
    check_failures = 0;
    test();
    if (check_failures == 0) {
        printf("ok %s\n", name);
        ++check_passed_tests;
    } else {
        ++check_failed_tests;
    }
    fflush(stdout);
}

CHECK_UNUSED static int check_report(void)
{
    printf("%d passed, %d failed\n", check_passed_tests, check_failed_tests);
    return check_failed_tests == 0 ? 0 : 1;
}

/* How often to do what is done many times: less where the host is slow (SINEW_TEST_SLOW is set:
 * valgrind), and where another run does them all (SINEW_TEST_FEW_ROUNDS). */
CHECK_UNUSED static long check_rounds(long fast, long slow)
{
    return getenv("SINEW_TEST_SLOW") != NULL || getenv("SINEW_TEST_FEW_ROUNDS") != NULL ? slow : fast;
}

#define RUN(test) check_run(#test, test)
#define CHECK(condition, ...) ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, __VA_ARGS__))
#define REQUIRE(condition, ...)                        \
    do {                                               \
        if (!(condition)) {                            \
            check_fail(__FILE__, __LINE__, __VA_ARGS__); \
            return;                                    \
        }                                              \
    } while (0)

/* A call must give a code; otherwise the code it gave and the library's sentence are printed. */
#define EXPECT(code, call)                                                                                       \
    do {                                                                                                         \
        SinewResult expect_code_ = (code), expect_got_ = (call);                                                 \
        const char *expect_text_ = "";                                                                           \
        (void)sinew_last_error(&expect_text_);                                                                   \
        CHECK(expect_got_ == expect_code_, "%s gave %d, not %s; last error: %s", #call, (int)expect_got_, #code, \
              expect_text_);                                                                                     \
    } while (0)
#define EXPECT_OK(call) EXPECT(SINEW_OK, call)

#endif
