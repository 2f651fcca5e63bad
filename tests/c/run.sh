#!/bin/sh
# Builds and runs every test here: run.sh LIBDIR OUTDIR CC [plain|asan|valgrind]
#   LIBDIR  holds libsinew.so (plain, valgrind) and libsinew.a (asan)
#   OUTDIR  for the programs and their output
#   CC      gcc, clang, …
set -eu
[ $# -ge 3 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
libdir=$(cd "$1" && pwd) out=$2 cc=$3 mode=${4:-plain}
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Once installed, the library goes by its soname; where cargo left it there is no file of that name.
soname=$(objdump -p "$libdir/libsinew.so" | awk '/SONAME/ { print $2 }')
ln -sf "$libdir/libsinew.so" "$out/${soname:-libsinew.so}"

flags="-std=c99 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -O1 -g -pthread -I $include"
system="-lm -ldl -lrt"
case $mode in
plain | valgrind) libs="$libdir/libsinew.so -Wl,-rpath,$out $system" ;;
asan)
    flags="$flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
    libs="$libdir/libsinew.a $system"
    if ! echo 'int main(void) { return 0; }' | "$cc" -fsanitize=address,undefined -x c - -o "$out/probe" 2>/dev/null; then
        echo "skip $cc has no sanitizer runtime on this machine"
        exit 0
    fi
    ;;
*) echo "run.sh: unknown mode $mode" >&2; exit 2 ;;
esac

# The tables in calls.h, with the rows of grounder_calls.h, and in tracker_calls.h must have every
# function of the header, and the library must export those and nothing else.
header=$(sed -n 's/^SINEW_API SinewResult \(sinew_[a-z0-9_]*\)(.*/\1/p' "$include/sinew/sinew.h" | sort)
for function in $header; do
    grep -qw -e "X(${function#sinew_}," -e "ROW(${function#sinew_}," -e "\"$function\"" \
        "$here/calls.h" "$here/grounder_calls.h" "$here/tracker_calls.h" || {
        echo "not ok calls.h, grounder_calls.h and tracker_calls.h have no row for $function"; exit 1; }
done
echo "ok every function of the header has a row in calls.h"
if [ "$mode" != asan ]; then
    exported=$(nm -D --defined-only "$libdir/libsinew.so" | awk '{ print $3 }' | sort)
    if [ "$exported" != "$header" ]; then
        echo "not ok exported symbols are not those of the header:"
        printf '%s\n%s\n' "$exported" "$header" | sort | uniq -u
        exit 1
    fi
    echo "ok only the functions of the header are exported"
fi
# The header by itself, in both languages and their oldest dialects.
for dialect in c99 c11; do
    "$cc" -std=$dialect -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c "$include/sinew/sinew.h"
done
for dialect in c++11 c++17; do
    "$cc" -std=$dialect -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ "$include/sinew/sinew.h"
done
echo "ok the header is clean C99, C11, C++11 and C++17 by itself"

# The library is the same with all compilers: with gcc and no instrumentation all rounds of what is
# done many times are run, else few.
if [ "$mode" != plain ] || [ "$cc" != gcc ]; then
    export SINEW_TEST_FEW_ROUNDS=1
fi
failed=0
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    program=$out/$name-$mode
    # shellcheck disable=SC2086
    "$cc" $flags "$source" -o "$program" $libs
    case $mode in
    plain) ldd "$program" | grep -q "libsinew.so.* => /" || { echo "not ok $name is not linked with libsinew.so"; exit 1; } ;;
    asan)
        # gcc leaves the sanitizer in a shared library, clang links it in: either way its entry
        # point must be known.
        nm "$program" | grep -q '__asan_init' || { echo "not ok $name: the sanitizer is not linked"; exit 1; }
        ;;
    esac
    echo "# $name ($cc, $mode)"
    status=0
    case $mode in
    plain) "$program" || status=$? ;;
    asan) ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 "$program" || status=$? ;;
    valgrind)
        SINEW_TEST_SLOW=1 valgrind -q --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite,indirect \
            --fair-sched=yes "$program" || status=$?
        ;;
    esac
    if [ $status -ne 0 ]; then
        echo "not ok $name ended with $status"
        failed=$((failed + 1))
    fi
done
[ $failed -eq 0 ] && echo "all programs passed" || { echo "$failed programs failed"; exit 1; }
