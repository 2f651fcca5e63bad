#!/bin/sh
# build.sh OUTDIR : compiles the demo host with mcs to OUTDIR/HoldCylinder.exe.
# Run it with: LD_LIBRARY_PATH=<folder of libsinew.so> mono OUTDIR/HoldCylinder.exe SCENE OUT
set -eu
out=${1:?usage: build.sh OUTDIR}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
mkdir -p "$out"
exec mcs -unsafe -langversion:latest -warnaserror -optimize+ -out:"$out/HoldCylinder.exe" \
    "$root"/unity-package/Runtime/Interop/*.cs "$root"/unity-package/Runtime/Core/*.cs \
    "$root"/unity-package/Runtime/Components/*.cs "$root"/tests/csharp/UnityEngineStandIn/*.cs "$here"/*.cs
