#!/bin/sh
# Uses the installed package from outside: run.sh PREFIX OUTDIR
#
# PREFIX is the folder of `cargo xtask install --prefix PREFIX`. CMake and pkg-config, C and C++,
# shared and static.
set -eu
[ $# -eq 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
prefix=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

cmake -S "$here" -B "$out/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$out/cmake.log" ||
    { cat "$out/cmake.log"; exit 1; }
cmake --build "$out/cmake" >>"$out/cmake.log" || { cat "$out/cmake.log"; exit 1; }
(cd "$out/cmake" && ctest --output-on-failure)
# Ranges of versions came with CMake 3.19.
case "$(cmake --version | head -1)" in
*" 3."?.* | *" 3.1"[0-8].*) echo "skip find_package with ranges: CMake is older than 3.19" ;;
*) sh "$here/versions.sh" "$prefix" "$out/versions" ;;
esac
if ldd "$out"/cmake/consumer_*_sinew_static | grep libsinew; then
    echo "not ok a static program wants libsinew.so"
    exit 1
fi

# What a program records about the library is its name: with a path in it, the program would run on
# the machine that built it only.
if command -v readelf >/dev/null; then
    for program in "$out"/cmake/consumer_*_sinew; do
        needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*sinew.*\)\]/\1/p')
        case "$needed" in
        libsinew.so.[0-9]*) ;;
        *)
            echo "not ok $program needs \"$needed\", not libsinew.so.N"
            exit 1
            ;;
        esac
    done
fi

# make splits words at spaces: give it a link without any.
ln -sfn "$prefix" "$out/prefix"
make -C "$here" check BUILD="$out/make" PKG_CONFIG_PATH="$out/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$out/prefix/lib" \
    PKG_CONFIG="env PKG_CONFIG_PATH=$out/prefix/lib/pkgconfig pkg-config"
echo "ok the package works with CMake and with pkg-config"

# The package's library is the release build: its calls need no more stack than the contract states.
# shellcheck disable=SC2046
gcc -std=c99 -O1 -pthread "$here/../c/stack.c" -o "$out/stack" \
    $(PKG_CONFIG_PATH="$out/prefix/lib/pkgconfig" pkg-config --cflags --libs sinew) -Wl,-rpath,"$out/prefix/lib" -lm
SINEW_STACK_KIB=32 "$out/stack"
