#!/bin/sh
# Builds and runs the C++ tests: run.sh LIBDIR OUTDIR CXX [STANDARDS, "17 20" by default]
#
# C++17 and C++20, with exceptions, without (-fno-exceptions), and with exceptions but
# SINEW_NO_EXCEPTIONS; the last two kinds and the first are also linked into one program. The
# headers are also read as C++23 and without run-time type information.
set -eu
[ $# -ge 3 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
libdir=$(cd "$1" && pwd) out=$2 cxx=$3 standards=${4:-17 20}
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
mkdir -p "$out"
out=$(cd "$out" && pwd)
# Once installed, the library goes by its soname; where cargo left it there is no file of that name.
soname=$(objdump -p "$libdir/libsinew.so" | awk '/SONAME/ { print $2 }')
ln -sf "$libdir/libsinew.so" "$out/${soname:-libsinew.so}"
flags="-Wall -Wextra -Wpedantic -Werror -Wshadow -O1 -g -I $root/include -I $root/bindings/cpp"
libs="$libdir/libsinew.so -Wl,-rpath,$out"
# The header itself is held to more than the C test helpers that are included beside it.
strict="-Wconversion -Wsign-conversion -Wold-style-cast -Wzero-as-null-pointer-constant -Wextra-semi"
headers="sinew.hpp sinew_constraints.hpp sinew_grounder.hpp sinew_body.hpp sinew_trackers.hpp"

# Every function of C has a counterpart: its name is in the code of a header.
# sinew_default_sized is behind the macros ..._default.
code() { sed 's@//.*@@; s@^ \*.*@@' "$@"; }
code "$root/include/sinew/sinew.h" | grep -oE '\bsinew_[a-z0-9_]+\(' | tr -d '(' | sort -u |
    grep -v '^sinew_default_sized$' >"$out/functions.txt"
code "$root"/bindings/cpp/*.hpp | grep -oE '\bsinew_[a-z0-9_]+' | sort -u >"$out/called.txt"
lacking=$(comm -23 "$out/functions.txt" "$out/called.txt")
[ -z "$lacking" ] || { echo "not ok functions without a counterpart in bindings/cpp:" "$lacking"; exit 1; }
echo "ok $(wc -l <"$out/functions.txt") functions of sinew.h have a counterpart"

run() { # name, flags, sources
    name=$1; shift
    echo "# $name ($cxx)"
    # shellcheck disable=SC2086
    "$cxx" $flags "$@" -o "$out/$name" $libs
    "$out/$name"
}
# Each header is the first to be included; the last time after X11, whose macros must still be there
# behind it.
read_headers() { # standard, flags
    std=$1; shift
    for header in $headers; do
        # shellcheck disable=SC2086
        echo "#include \"$header\"" | "$cxx" -std=c++$std $flags $strict "$@" -fsyntax-only -x c++ -
        # shellcheck disable=SC2086
        printf '#include "%s"\nStatus none() { return None; }\n' "$header" |
            "$cxx" -std=c++$std $flags $strict "$@" -DNone=0L -DStatus=long -Wno-missing-declarations -fsyntax-only -x c++ -
    done
}
read_headers 2b
read_headers 17 -fno-rtti
read_headers 17 -fno-exceptions -fno-rtti
if echo '#include "sinew.hpp"' | "$cxx" -std=c++14 $flags -fsyntax-only -x c++ - 2>"$out/c++14.txt" ||
    ! grep -q 'sinew.hpp needs C++17' "$out/c++14.txt"; then
    echo "not ok C++14 is not refused in words"
    exit 1
fi
# Success of a call that returns a bool must not be taken for the bool.
for expression in '*a.is_human()' 'a.is_human().value_or(false)' 'a.is_human()'; do
    refused=no
    # shellcheck disable=SC2086
    echo "#include \"sinew.hpp\"
bool f(const sinew::Animator& a) { if ($expression) return true; return false; }" |
        "$cxx" -std=c++17 $flags -fno-exceptions -fsyntax-only -x c++ - 2>"$out/bool.txt" || refused=yes
    [ "$refused" = "$([ "$expression" = 'a.is_human()' ] && echo yes || echo no)" ] ||
        { echo "not ok if ($expression): refused $refused"; cat "$out/bool.txt"; exit 1; }
done
for std in $standards; do
    read_headers $std
    run raii-$std -std=c++$std "$here/raii.cpp"
    run plain_data-$std -std=c++$std "$here/plain_data.cpp"
    run constraints-$std -std=c++$std "$here/constraints.cpp"
    run body-$std -std=c++$std "$here/body.cpp"
    run world-$std -std=c++$std -pthread "$here/world.cpp"
    run grounder-$std -std=c++$std "$here/grounder.cpp"
    run trackers-$std -std=c++$std "$here/trackers.cpp"
    run defaults-$std -std=c++$std "$here/defaults.cpp" -ldl
    run no-exceptions-$std -std=c++$std -fno-exceptions -DSINEW_TEST_DETECT "$here/no_exceptions.cpp"
    run opted-out-$std -std=c++$std "$here/no_exceptions.cpp"
done
run callbacks-17 -std=c++17 "$here/callbacks.cpp"
run memory-17 -std=c++17 "$here/memory.cpp"
# A shared library with hidden symbols, and a program that uses it.
# shellcheck disable=SC2086
"$cxx" -std=c++17 $flags -fPIC -shared -fvisibility=hidden -fvisibility-inlines-hidden "$here/shared_user.cpp" \
    -o "$out/libshared_user.so" $libs
run shared-17 -std=c++17 -fvisibility=hidden -fvisibility-inlines-hidden -pthread "$here/shared.cpp" "$out/libshared_user.so"
# The example with its own thread pool, with fewer characters than it has by default.
# shellcheck disable=SC2086
"$cxx" -std=c++17 $flags -pthread "$root/examples/crowd/crowd.cpp" -o "$out/crowd" $libs
"$out/crowd" 500 10 3 && echo "ok crowd"
# Both flavours in one program must not get into each other's way (-flto would report differing
# definitions).
"$cxx" -std=c++17 $flags -fno-exceptions -Dmain=main_without -c "$here/no_exceptions.cpp" -o "$out/without.o"
run both-flavours -std=c++17 "$here/raii.cpp" "$out/without.o"
# And an -O2 solve() must be the call itself and a branch: no allocation, no copy of the error path.
printf '%s\n' '#include "sinew.hpp"' 'void frame(sinew::Animator& a) { a.solve(); }' |
    "$cxx" -std=c++17 -O2 -I "$root/include" -I "$root/bindings/cpp" -x c++ -c - -o "$out/frame.o"
size=$(nm -S --defined-only "$out/frame.o" | awk '/ T _Z5frame/ { print $2 }')
echo "# frame() with one solve has $((0x$size)) bytes of code"
[ $((0x$size)) -le 64 ] || { echo "not ok solve() is not thin"; exit 1; }
echo "all C++ programs passed"
