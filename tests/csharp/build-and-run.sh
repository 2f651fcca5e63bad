#!/bin/sh
# build-and-run.sh LIBDIR OUTDIR [NAME]
#
# Compiles the C# of the Unity package, the stand-ins for UnityEngine, UnityEditor and NUnit, the
# demo host, the package's samples and tests, and the tests here into one program with mcs, and runs
# it on mono against LIBDIR/libsinew.so. Prints "ok NAME" or "not ok NAME: why" per test and "N
# passed, N failed" at the end; with NAME only tests whose name contains it. Leaves
# OUTDIR/SinewTests.exe and OUTDIR/HoldCylinder.exe. Needs mcs, mono and a C compiler.
set -eu
libdir=${1:?usage: build-and-run.sh LIBDIR OUTDIR [NAME]}
out=${2:?usage: build-and-run.sh LIBDIR OUTDIR [NAME]}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
package=$root/unity-package
mkdir -p "$out/fake"
out=$(cd "$out" && pwd)
libdir=$(cd "$libdir" && pwd)

# The engine-free part alone, with its XML documentation checked; then the package as Unity's
# assemblies see each other.
runtime="$package/Runtime"
options="-unsafe -langversion:latest -warnaserror"
mcs $options -target:library -doc:"$out/Sinew.Interop.xml" -out:"$out/Sinew.Interop.dll" \
    "$runtime"/Interop/*.cs "$runtime"/Core/*.cs
# For old and new editors: each with the members that its engine has, without Unity's XR module and
# with it. The last round is what the rest is compiled with.
for editor in UNITY_2021_3 \
    "UNITY_2022_1_OR_NEWER -d:UNITY_2022_2_OR_NEWER -d:UNITY_2022_3_OR_NEWER -d:UNITY_6000_0_OR_NEWER -d:UNITY_6000_4_OR_NEWER" \
    "UNITY_2022_3_OR_NEWER -d:SINEW_XR"; do
    mcs $options -d:$editor -target:library -out:"$out/UnityStandIn.dll" "$here"/UnityEngineStandIn/*.cs \
        "$here"/UnityEditorStandIn/*.cs "$here"/NUnitStandIn/*.cs
    mcs $options -d:$editor -target:library -doc:"$out/Sinew.Components.xml" -r:"$out/Sinew.Interop.dll" \
        -r:"$out/UnityStandIn.dll" -out:"$out/Sinew.Components.dll" "$runtime"/Components/*.cs
    references="-r:$out/Sinew.Interop.dll -r:$out/Sinew.Components.dll -r:$out/UnityStandIn.dll"
    mcs -langversion:latest -warnaserror -d:$editor -target:library $references -out:"$out/Sinew.Editor.dll" "$package"/Editor/*.cs
done
for sample in "$package"/Samples~/*; do
    mcs -langversion:latest -warnaserror -target:library $references -out:"$out/Sinew.Samples.dll" "$sample"/*.cs
done
mcs -langversion:latest -warnaserror -d:UNITY_EDITOR -target:library $references -out:"$out/Sinew.Tests.Runtime.dll" \
    "$package"/Tests/Runtime/*.cs "$package"/Tests/Runtime/*/*.cs
mcs -langversion:latest -warnaserror -target:library $references -out:"$out/Sinew.Tests.Editor.dll" \
    "$package"/Tests/Editor/*.cs
# Scripts of users: as they are written for Unity's Animator, without the line that ports them;
# then with it.
mkdir -p "$out/unported"
for script in "$here"/ports/*.cs; do
    grep -v '^using Animator = SinewAnimator;' "$script" > "$out/unported/$(basename "$script")"
done
mcs -langversion:latest -warnaserror -target:library -r:"$out/UnityStandIn.dll" -out:"$out/Unported.dll" "$out"/unported/*.cs
mcs -langversion:latest -warnaserror -target:library $references -out:"$out/Ported.dll" "$here"/ports/*.cs
"$root"/examples/hold_cylinder/csharp/build.sh "$out"
"$here/snippets.sh" "$out/Manual.cs"
mcs $options -target:library $references -out:"$out/Manual.dll" "$out/Manual.cs"

# Everything in one program, so that tests see internals.
mcs $options -d:UNITY_EDITOR -d:SINEW_XR -d:SINEW_FAULTS -optimize+ -debug -main:Sinew.Tests.Program -out:"$out/SinewTests.exe" \
    "$runtime"/Interop/*.cs "$runtime"/Core/*.cs "$runtime"/Components/*.cs "$package"/Editor/*.cs \
    "$package"/Samples~/*/*.cs "$package"/Tests/Runtime/*.cs "$package"/Tests/Runtime/*/*.cs "$package"/Tests/Editor/*.cs \
    "$root"/examples/hold_cylinder/csharp/*.cs "$here"/UnityEngineStandIn/*.cs "$here"/UnityEditorStandIn/*.cs \
    "$here"/NUnitStandIn/*.cs "$here"/Tests/*.cs "$here"/ports/*.cs "$root"/bindings/csharp/Example.cs

cc=${CC:-cc}
$cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$root/include" "$here/Tests/layout.c" -o "$out/layout"
"$out/layout" > "$out/layout.txt"
$cc -std=c99 -shared -fPIC "$here/Tests/fake_library.c" -o "$out/fake/libsinew.so"

# A small nursery, for AllocationTests on runtimes that do not count allocated bytes.
SINEW_C_LAYOUT="$out/layout.txt" SINEW_GOLDEN_HASHES="$root/tests/golden/hashes.txt" SINEW_FAKE_LIBRARY_DIR="$out/fake" MONO_GC_PARAMS=nursery-size=256k \
    LD_LIBRARY_PATH="$libdir" exec mono --debug "$out/SinewTests.exe" "${3:-}"
