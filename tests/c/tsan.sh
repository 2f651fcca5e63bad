#!/bin/sh
# ThreadSanitizer over the library's own code and the tests with threads: tsan.sh OUTDIR
#
# Needs a nightly toolchain. The library is instrumented; the standard library is so only where
# rust-src is installed. Without it the pool of own threads (feature `rayon`) is left out: it waits
# by the standard library's locks, which the sanitizer then does not see, and calls that a race.
set -eu
out=${1:?usage: tsan.sh OUTDIR}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
target=x86_64-unknown-linux-gnu
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skip ThreadSanitizer: only on x86-64 Linux"; exit 0; }
sysroot=$(rustc +nightly --print sysroot 2>/dev/null) || { echo "skip ThreadSanitizer: there is no nightly toolchain"; exit 0; }
runtime=$(ls "$sysroot/lib/rustlib/$target/lib/"*_rt.tsan.a 2>/dev/null) || { echo "skip ThreadSanitizer: no runtime in $sysroot"; exit 0; }
if [ -d "$sysroot/lib/rustlib/src/rust/library" ]; then std="-Zbuild-std --features rayon"; else std=""; fi
# shellcheck disable=SC2086
RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" CARGO_TARGET_DIR="$out/target" CARGO_PROFILE_DEV_DEBUG=0 \
    cargo +nightly build --quiet --lib --manifest-path "$root/Cargo.toml" --target $target $std
failed=0
for name in threads world; do
    gcc -std=c99 -O1 -g -pthread -fsanitize=thread -I "$root/include" -c "$here/$name.c" -o "$out/$name.o"
    # The toolchain's own runtime, not gcc's.
    gcc -pthread "$out/$name.o" -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive "$out/target/$target/debug/libsinew.a" \
        -rdynamic -lm -ldl -lrt -lstdc++ -o "$out/$name"
    nm "$out/$name" | grep -q __tsan_init || { echo "not ok $name: the sanitizer is not linked"; exit 1; }
    echo "# $name (ThreadSanitizer)"
    # Without a fixed layout of memory the sanitizer does not start on some kernels.
    SINEW_TEST_SLOW=1 TSAN_OPTIONS="halt_on_error=0 exitcode=66" setarch -R "$out/$name" || failed=$((failed + 1))
done
[ $failed -eq 0 ] && echo "ok no race" || { echo "not ok $failed programs failed"; exit 1; }
