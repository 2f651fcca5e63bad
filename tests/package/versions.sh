#!/bin/sh
# Which versions find_package(Sinew …) takes: versions.sh PREFIX OUTDIR, called by run.sh.
set -eu
prefix=$1 out=$2
version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$prefix/lib/cmake/Sinew/SinewConfigVersion.cmake")
major=${version%%.*} rest=${version#*.}
minor=${rest%%.*}
mkdir -p "$out"
printf '%s\n' 'cmake_minimum_required(VERSION 3.19)' 'project(Versions LANGUAGES NONE)' \
    'find_package(Sinew ${WANTED} REQUIRED)' >"$out/CMakeLists.txt"
takes() { # version or range, yes or no
    found=no
    if cmake -S "$out" -B "$out/build" "-DWANTED=$1" "-DCMAKE_PREFIX_PATH=$prefix" >"$out/log" 2>&1; then found=yes; fi
    [ "$found" = "$2" ] || { echo "not ok find_package(Sinew $1) finds $version: $found"; exit 1; }
}
takes "$major.$minor" yes
takes "$version" yes
takes "$major.$((minor + 1))" no
takes "$((major + 1)).0" no
takes "0.0...$major.$((minor + 1))" yes
takes "0.0...<$major.$minor" no
takes "$major.$((minor + 1))...$((major + 1))" no
echo "ok find_package takes the versions that it states"
