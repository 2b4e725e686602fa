#!/usr/bin/env bash
# The README's first command on a machine with Node only: as root in a directory that only root
# may enter, and as another user; with an empty environment. Needs root, and npm's registry. Clears
# up after itself.
set -euo pipefail

# shellcheck source=../operations/debian.sh
source "$(dirname "$0")/../operations/debian.sh"
user=transfer-fresh
# Where root's PostgreSQL is, if its user cannot reach the package.
copies=/var/lib/transfer-service-db
# mktemp makes it for root only.
scratch=$(mktemp -d /tmp/transfer-fresh-XXXXXX)

fail() {
  printf 'fresh machine: FAILED: %s\n' "$*"
  exit 1
}

clear_up() {
  userdel --remove "$user" >/dev/null 2>&1 || true
  rm -rf "$scratch" "$copies"
}

# journey <clone> [<command that becomes another user>…]
journey() {
  local clone=$1
  shift
  (cd "$clone" && "$@" env -i PATH="$PATH" sh -c 'npm ci && node test/journeys/first-start.mjs') \
    </dev/null || fail "in $clone"
}

[ "$(id -u)" = 0 ] || { echo 'fresh machine: skipped: it needs root'; exit 1; }
[ ! -e "$copies" ] || fail "$copies exists: this is no fresh machine"
trap clear_up EXIT

copy_clone "$scratch/clone"
journey "$scratch/clone"
# One copy, without a database.
[[ $(ls "$copies") =~ ^postgresql-[^[:space:]]+$ ]] || fail "$copies contains: $(ls "$copies")"

useradd --create-home --shell /bin/sh "$user"
home=$(getent passwd "$user" | cut -d: -f6)
copy_clone "$home/clone"
chown -R "$user": "$home/clone"
journey "$home/clone" \
  setpriv --reuid "$(id -u "$user")" --regid "$(id -g "$user")" --init-groups
echo 'fresh machine: all is well'
