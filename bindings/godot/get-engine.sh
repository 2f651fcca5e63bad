#!/bin/sh
# Puts Debian's Godot 4 and the libraries it needs into one folder: no root, nothing
# installed, the machine's own package lists untouched. The engine then starts as FOLDER/godot, with
# the loader and libraries of that folder.
#
#   sh get-engine.sh FOLDER            for headless runs (120 MB to download, 310 MB on disk)
#   sh get-engine.sh FOLDER drawing    with Mesa's software drivers, too, to take pictures
#                                      (50 MB and 210 MB more)
#
# Environment: SUITE (default forky: the first Debian with 4.6), MIRROR (default: the one apt uses
# here).
set -eu
[ $# -ge 1 ] || { echo "usage: get-engine.sh FOLDER [drawing]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
drawing=${2:-}
suite=${SUITE:-forky}
[ "$(uname -m)" = x86_64 ] || { echo "only for x86-64 machines" >&2; exit 3; }
for needed in apt-get dpkg-deb awk; do
    command -v "$needed" >/dev/null || { echo "needs $needed: not a Debian-like machine" >&2; exit 3; }
done
mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed -n 's|.*\(https\{0,1\}://[^ ]*/debian\)/\{0,1\}\( .*\)\{0,1\}$|\1|p' | grep -v security | head -n 1)}
[ -n "$mirror" ] || { echo "apt names no Debian mirror here: set MIRROR" >&2; exit 3; }
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keys" ] || { echo "needs $keys (package debian-archive-keyring)" >&2; exit 3; }

work=$out/apt
rm -rf "$work" "$out/root" "$out/godot"
mkdir -p "$work/etc/apt.conf.d" "$work/etc/preferences.d" "$work/etc/trusted.gpg.d" "$work/parts" \
    "$work/state" "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$out/root"
: >"$work/state/status"
cat >"$work/parts/engine.sources" <<END
Types: deb
URIs: $mirror
Suites: $suite
Components: main
Signed-By: $keys
END
cat >"$work/apt.conf" <<END
Dir::Etc "$work/etc";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/parts";
Dir::State "$work/state";
Dir::State::Lists "$work/lists";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
APT::Architecture "amd64";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Acquire::Retries "3";
Debug::NoLocking "true";
END
export APT_CONFIG="$work/apt.conf"
apt-get -qq update
# With no package known as installed, a dry run lists everything the engine needs, down to libc.
extra=
[ -z "$drawing" ] || extra="libgl1-mesa-dri libglx-mesa0 libegl-mesa0"
# shellcheck disable=SC2086
apt-get -s install godot $extra | awk '$1 == "Inst" { print $2 }' >"$work/all"
if [ -z "$drawing" ]; then
    grep -vE '^(libllvm|mesa-libgallium|libz3-)' "$work/all" >"$work/names"
else
    cp "$work/all" "$work/names"
fi
(cd "$work/debs" && xargs apt-get -qq download <"$work/names")
for package in "$work"/debs/*.deb; do
    dpkg-deb -x "$package" "$out/root"
done
rm -rf "$work" "$out/root/usr/share/doc" "$out/root/usr/share/locale" "$out/root/usr/share/man"
cat >"$out/godot" <<'END'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root
lib=$root/usr/lib/x86_64-linux-gnu
export FONTCONFIG_PATH="$root/etc/fonts" LIBGL_DRIVERS_PATH="$lib/dri" __EGL_VENDOR_LIBRARY_DIRS="$root/usr/share/glvnd/egl_vendor.d"
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib:$lib/pulseaudio" "$root/usr/bin/godot" "$@"
END
chmod +x "$out/godot"
"$out/godot" --headless --version
