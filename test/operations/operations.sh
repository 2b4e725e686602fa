#!/usr/bin/env bash
# What operators do, done in a Debian 13 with systemd, and every console block of the documentation
# in one. Prints a line for each, and a total. Needs root, debootstrap, npm's registry and, for the
# first time, a mirror of Debian. What this machine cannot do is skipped with the reason.
#   test/operations/operations.sh [<regular expression>]
# The expression chooses scenes and pages: 'docs (backup|vps)', 'versions of Node'.
# PACKAGES=<folder> uses finished packages, DEBIAN_ROOT=<folder> keeps the Debian elsewhere.
# PATIENCE=<n> multiplies the bound of each step.
set -euo pipefail

only=${1:-}
scratch=$(mktemp -d /var/tmp/transfer-operations-XXXXXX)
passed=0 failed=0 skipped=0
here=$(cd "$(dirname "$0")" && pwd)
trap 'halt; rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 1' INT TERM HUP PIPE
# shellcheck source-path=SCRIPTDIR
. "$here/debian.sh"
# shellcheck source-path=SCRIPTDIR
. "$here/machine.sh"
# shellcheck source-path=SCRIPTDIR
. "$here/prepare.sh"

# try <name> <seconds> <command>…: its last line is the figure.
try() {
  local name=$1 patience=$(($2 * ${PATIENCE:-1})) log=$scratch/log status=0 begin=$SECONDS
  shift 2
  # In the background, so that a signal to this script does not wait for it.
  timeout --kill-after=5 "$patience" "$@" >"$log" 2>&1 </dev/null &
  wait $! || status=$?
  local took=$((SECONDS - begin))
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
    printf 'ok   %s: %s (%d s)\n' "$name" "$(tail -n 1 "$log")" "$took"
    return
  fi
  failed=$((failed + 1))
  [ "$status" != 124 ] || echo "not done in $patience s" >>"$log"
  printf 'FAIL %s (%d s)\n' "$name" "$took"
  tr '\r' '\n' <"$log" | grep -v '^(Reading database' | tail -n 25 | sed 's/^/     /'
  if [ -n "$machine_pid" ] && [ -n "$cgroup" ]; then
    enter journalctl --no-pager --output=cat --lines=25 --unit='transfer*' 2>&1 | sed 's/^/     | /'
  fi
}

skip() {
  skipped=$((skipped + 1))
  printf 'skip %s: %s\n' "$1" "$2"
}

is_wanted() { [[ $1 =~ $only ]]; }

# The command with which `timeout` enters the machine: functions are not known to it.
set_entry() {
  entry=(nsenter --target "$machine_pid" --mount --pid --uts --ipc --cgroup --net --root --wd
    env -i PATH=/root/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb
    LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive)
}

start_machine() {
  boot "$@" || return 1
  set_entry
}

# scene <name> <seconds> <function of scenes.sh> [<argument>…]: in the machine that runs.
scene() {
  local name=$1 patience=$2
  shift 2
  try "$name" "$patience" "${entry[@]}" bash -c \
    '. /opt/operations/inside.sh; . /opt/operations/scenes.sh; "$@"' bash "$@"
}

run_scenes() {
  if [ -n "$systemd_lack" ]; then
    skip 'scenes of systemd' "$systemd_lack"
    return
  fi
  if is_wanted 'scenes of systemd'; then
    start_machine first systemd tools installed
    scene 'start' 60 start_service
    scene 'exposure' 30 show_exposure
    scene 'send' 60 send_files
    scene 'restart under a loop of requests' 90 restart_under_requests
    scene 'a wrong option ends the service' 60 set_wrong_option
    scene 'a missing folder of credentials ends the service' 60 remove_credentials
    scene 'the watchdog kills a blocked loop' 240 block_loop
    scene 'purge' 60 purge_package
    scrap first
  fi
}

run_versions() {
  local major
  if ! is_wanted 'versions of Node'; then return; fi
  start_machine versions nothing tools
  for major in $node_versions; do scene "Node $major" 90 use_node "$major"; done
  scrap versions
}

run_blocks() {
  local place page on what count
  while read -r place page on what count; do
    is_wanted "docs $page" || continue
    if [ -n "$systemd_lack" ] && [ "$what" = systemd ]; then
      skip "docs: $count blocks of $page.md" "$systemd_lack"
      continue
    fi
    local -a layers=(tools)
    [ "$on" != installed ] || layers+=(installed)
    [ -n "$systemd_lack" ] || what=systemd
    start_machine page "$what" "${layers[@]}"
    {
      echo '. /opt/operations/inside.sh'
      node "$here/console-blocks.mjs" script "$place"
    } >"$scratch/script"
    enter sh -c 'cat >/root/script' <"$scratch/script"
    try "docs: $count blocks of $page.md" 240 "${entry[@]}" bash /root/script
    scrap page
  done <<<"$(node "$here/console-blocks.mjs" list)"
}

lack=$(find_lack)
if [ -n "$lack" ]; then
  printf 'skip operations: %s\n' "$lack"
  exit 0
fi
systemd_lack=$(find_systemd_lack)
printf 'Debian, packages, clients\n'
if ! said=$(make_debian); then
  printf 'skip operations: no Debian could be made: %s\n' "$(tail -n 1 <<<"$said")"
  exit 0
fi
prepare_tools
try 'every console block has a test or a reason' 30 node "$here/console-blocks.mjs" check
if [ -z "${PACKAGES:-}" ] && is_wanted 'packages'; then
  try 'the same packages from another folder' 240 bash -euc \
    "$(declare -f copy_clone package_clone compare_packages)
    repository=$repository scratch=$scratch
    compare_packages"
fi
if [ -z "$systemd_lack" ]; then
  boot installed systemd tools
  set_entry
  scene 'install' 180 install_package
  halt
fi
run_scenes
run_versions
run_blocks
printf 'operations: %d passed, %d failed, %d skipped in %d s\n' \
  "$passed" "$failed" "$skipped" "$SECONDS"
[ "$failed" = 0 ]
