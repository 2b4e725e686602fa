#!/usr/bin/env bash
# The README's first command on a machine with Node only: as root in a directory that only root
# may enter, and as another user; with an empty environment. Needs root, curl, and npm's registry.
# Clears up after itself.
#
#   npm ci && npm start starts, answers and accepts a file; a second start on the same data is
#   refused; SIGTERM stops it and its database; it restarts with its data.
set -euo pipefail

# shellcheck source=../operations/debian.sh
source "$(dirname "$0")/../operations/debian.sh"
patience_seconds=120
user=transfer-fresh
scratch=$(mktemp -d /tmp/transfer-fresh-XXXXXX)
made_user=
service_pid=

say() { printf '%s\n' "fresh machine: $*"; }

fail() {
  say "FAILED: $*"
  [ -f "$scratch/log" ] && tail -n 40 "$scratch/log"
  exit 1
}

clear_up() {
  if [ -n "$service_pid" ]; then kill -KILL "$service_pid" 2>/dev/null || true; fi
  for pid in $(processes_of "$data") $(processes_of "$clone"); do
    kill -KILL "$pid" 2>/dev/null || true
  done
  if [ -n "$made_user" ]; then userdel --remove "$user" >/dev/null 2>&1 || true; fi
  if [ -n "$own_data" ]; then rm -rf "$own_data"; fi
  if [ -n "$own_database" ]; then rm -rf "$own_database"; fi
  rm -rf "$scratch"
}

# Processes with a working directory in a folder or below it: npm and node work in the clone,
# PostgreSQL in its cluster.
processes_of() {
  [ -n "$1" ] || return 0
  local entry
  for entry in /proc/[0-9]*; do
    case "$(readlink "$entry/cwd" 2>/dev/null || true)/" in "$1"/*) echo "${entry#/proc/}" ;; esac
  done
}

# Waits until a command succeeds.
wait_for() {
  local what=$1 deadline=$((SECONDS + patience_seconds))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || fail "waited $patience_seconds s in vain until $what"
    sleep 0.1
  done
}

# Replaces the shell by a command in the clone, as its user, with only PATH and the given variables:
# call it in a subshell. In the background it is one, and then $! is the command itself.
in_clone() {
  local -a as=()
  if [ "$who" != root ]; then
    as=(setpriv --reuid "$(id -u "$user")" --regid "$(id -g "$user")" --init-groups)
  fi
  cd "$clone"
  exec "${as[@]}" env -i PATH="$PATH" "$@"
}

start() {
  : >"$scratch/log"
  # The part of the README's line after `npm ci &&`, with its assignments.
  in_clone PORT="$port" sh -c "exec env $start_line" >"$scratch/log" 2>&1 </dev/null &
  service_pid=$!
  wait_for 'the service listens' is_up_or_gone
  kill -0 "$service_pid" 2>/dev/null || fail 'the service has ended at its start'
}

is_up_or_gone() {
  grep -q '^listening on ' "$scratch/log" || ! kill -0 "$service_pid" 2>/dev/null
}

stop() {
  [ -n "$(processes_of "$data")" ] || fail 'its database is not found, and so its end would not be'
  kill -TERM "$service_pid"
  wait_for 'npm has ended' has_ended "$service_pid"
  wait "$service_pid" || true
  service_pid=
  [ -z "$(processes_of "$data")" ] || fail "left running: $(processes_of "$data")"
  [ -z "$(processes_of "$clone")" ] || fail "left running: $(processes_of "$clone")"
}

has_ended() { ! kill -0 "$1" 2>/dev/null; }

free_port() {
  node -e 'const s = require("net").createServer().listen(0, () => {
    console.log(s.address().port); s.close() })'
}

journey() {
  say "$who in $clone"
  port=$(free_port)
  base=http://localhost:$port
  (in_clone npm ci) >"$scratch/log" 2>&1 </dev/null || fail 'npm ci'
  start
  say "$(grep '^listening on ' "$scratch/log")"
  data=$(sed -n 's/^listening on .* data //p' "$scratch/log")
  [ "$(curl -s -o /dev/null -w '%{http_code}' "$base/readyz")" = 200 ] ||
    fail 'it does not answer'

  mkdir -p "$scratch/work"
  head -c 3000000 /dev/urandom >"$scratch/work/holiday.mp4"
  (cd "$scratch/work" && bash -eu -c "$(readme_block 1 "$base")
declare -p share >variables") >/dev/null || fail 'sending a file as the README says'

  local refusal
  if refusal=$(in_clone PORT="$(free_port)" npm start 2>&1 </dev/null); then
    fail 'a second start on the same data was not refused'
  fi
  grep -q "^DATA_DIR (.*) is in use by pid " <<<"$refusal" || fail "a second start said: $refusal"
  stop

  start
  (cd "$scratch/work" && bash -eu -c ". ./variables
base=$base
$(readme_block 2 "$base")") >/dev/null || fail 'downloading after a restart'
  python3 - "$scratch/work" <<'PYTHON' || fail 'the file has come back different'
import sys, zipfile
folder = sys.argv[1]
with zipfile.ZipFile(folder + '/everything.zip') as archive:
    sent = open(folder + '/holiday.mp4', 'rb').read()
    sys.exit(archive.testzip() is not None or archive.read('holiday.mp4') != sent)
PYTHON
  stop
  rm -rf "$scratch/work"
}

data= clone= own_data= own_database=
trap clear_up EXIT

[ "$(id -u)" = 0 ] || { say 'skipped: it needs root'; exit 1; }
line=$(grep -m1 'npm ci && .*npm start$' "$repository/README.md")
start_line=${line#npm ci && }

# --- root, in a directory that only root may enter
# Root's default data directory may be in use on this machine: then it is left alone.
who=root
if [ -e /var/lib/transfer-service ] || [ -e /var/lib/transfer-service-db ]; then
  fail '/var/lib/transfer-service or /var/lib/transfer-service-db exists: this is no fresh machine'
fi
own_data=/var/lib/transfer-service
own_database=/var/lib/transfer-service-db
# mktemp has created it for root only.
clone=$scratch/clone
copy_clone "$clone"
journey
# Its PostgreSQL is closed to every other user: one copy, without a database.
case $(ls "$own_database") in
  *$'\n'* | '') fail "$own_database contains: $(ls "$own_database")" ;;
  postgresql-*) ;;
  *) fail "$own_database contains: $(ls "$own_database")" ;;
esac

# --- another user, in their home
who=$user
useradd --create-home --shell /bin/sh "$user"
made_user=yes
clone=$(getent passwd "$user" | cut -d: -f6)/clone
data=
copy_clone "$clone"
chown -R "$user": "$clone"
journey

say 'all is well'
