#!/usr/bin/env bash
# The packages of `npm run package`: the same bytes from two folders, and the Debian package in a
# new Debian, from installation to purge. Needs root, debootstrap, npm's registry and a mirror of Debian.
# Takes about five minutes.
#
#   apt installs it with its dependencies; files have the right owners; the command, the manual
#   pages and the completion are there; the service starts as its user and accepts a file; a
#   reinstallation keeps options and data; a purge removes everything but the user.
#
# DEBIAN_ROOT keeps the new Debian between runs (/var/cache/transfer-service-debian-13).
set -euo pipefail

scratch=$(mktemp -d /var/tmp/transfer-debian-XXXXXX)
root=$scratch/root
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../operations/debian.sh"

say() { printf '%s\n' "debian package: $*"; }

fail() {
  say "FAILED: $*"
  exit 1
}

clear_up() { rm -rf --one-file-system "$scratch"; }

# A clone, with the installed packages.
copy_sources() {
  copy_clone "$1"
  cp -a "$repository/node_modules" "$1/node_modules"
}

# Processes and mounts of the new Debian end with the command. It has devices of its own.
# shellcheck disable=SC2016
in_root() {
  unshare --mount --pid --fork --kill-child --propagation private sh -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755 dev "$root/dev"
    mkdir -m 1777 "$root/dev/shm"
    mknod -m 666 "$root/dev/null" c 1 3
    mknod -m 666 "$root/dev/zero" c 1 5
    mknod -m 666 "$root/dev/urandom" c 1 9
    ln -s /proc/self/fd "$root/dev/fd"
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' sh "$root" "$@"
}

trap clear_up EXIT
[ "$(id -u)" = 0 ] || fail 'it needs root'

say 'the same bytes from two folders, with different permissions'
epoch=$(git -c safe.directory='*' -C "$repository" log -1 --format=%ct)
copy_sources "$scratch/one"
(umask 077 && copy_sources "$scratch/two with a longer name")
chmod -R go= "$scratch/two with a longer name"
for folder in one 'two with a longer name'; do
  (cd "$scratch/$folder" && SOURCE_DATE_EPOCH=$epoch npm run --silent package) ||
    fail "npm run package in $folder"
done
packages=$scratch/one/packages
for file in "$packages"/*; do
  cmp "$file" "$scratch/two with a longer name/packages/$(basename "$file")" ||
    fail "$(basename "$file") differs"
done
bytes=$(stat -c %s "$packages"/*.tgz)
[ "$bytes" -le 2000000 ] || fail "the npm package has $bytes bytes, 2000000 at most"

make_debian || fail 'no Debian'
cp -a --reflink=auto "$debian_base" "$root"

port=$(node -e 'const s = require("net").createServer().listen(0, () => {
  console.log(s.address().port); s.close() })')
cp "$packages"/*.deb "$root/tmp/transfer.deb"
{
  printf 'port=%s\n' "$port"
  printf 'send() {\n%s\n}\n' "$(readme_block 1 "http://127.0.0.1:$port")"
  cat "$repository/test/journeys/debian-package-inside.sh"
} >"$root/tmp/inside.sh"
in_root bash /tmp/inside.sh || fail 'see above'
say 'all is well'
