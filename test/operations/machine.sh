# Machines: a Debian of debian.sh with its own processes, network, mounts and, if this machine
# allows it, systemd. Sourced by scripts that set `scratch`; one machine at a time.
# shellcheck shell=bash

machine_pid=
unshare_pid=
cgroup=

# What machines can do here: systemd, nothing (no control groups), or a reason why there are none.
find_lack() {
  [ "$(id -u)" = 0 ] || { echo 'it needs root'; return; }
  local tool
  for tool in debootstrap unshare nsenter findmnt dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "it needs $tool"; return; }
  done
  mkdir -p "$scratch/try"
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --net --uts --ipc --kill-child --propagation private sh -euc '
    cd "$1"
    mount -t tmpfs try .
    mkdir below upper work root
    mount -t overlay try -o lowerdir=below,upperdir=upper,workdir=work root
    mount -t proc proc root' sh "$scratch/try" 2>"$scratch/lack" ||
    echo "new namespaces or mounts are not allowed here: $(head -n 1 "$scratch/lack")"
}

find_systemd_lack() {
  local found
  found=$(findmnt -nro TARGET -t cgroup2 | head -n 1)
  [ -n "$found" ] || { echo 'systemd needs cgroup2, which is not mounted here'; return; }
  # systemd works below a group of its own and sees no other.
  if mkdir "$found/transfer-try.$$" 2>/dev/null; then rmdir "$found/transfer-try.$$"; return; fi
  echo "systemd needs cgroup2, and $found is read-only here"
}

# boot <name> systemd|nothing [<layer>…]: starts a machine; layers are names of stopped ones.
boot() {
  local machine=$scratch/$1 what=$2 below=$debian_base layer
  shift 2
  for layer in "$@"; do below=$scratch/$layer/upper:$below; done
  mkdir -p "$machine"/{upper,work,root}
  # Ends with this script, even if that is killed.
  local enter_group=:
  cgroup=
  if [ "$what" = systemd ]; then
    cgroup=$(findmnt -nro TARGET -t cgroup2 | head -n 1)/transfer-$$
    mkdir "$cgroup"
    enter_group="echo \$\$ >$cgroup/cgroup.procs"
  fi
  bash -c "$enter_group"'; exec setpriv --pdeathsig KILL unshare --fork --pid --mount --uts --ipc --net --cgroup \
    --kill-child --propagation private bash "$@"' bash \
    "$repository/test/operations/init.sh" "$machine" "$below" "$what" \
    >"$machine/console" 2>&1 </dev/null &
  unshare_pid=$!
  machine_pid=
  local begin=$SECONDS deadline=$((SECONDS + 30 * ${PATIENCE:-1}))
  until [ -n "$machine_pid" ] && [ -e "/proc/$machine_pid/root/run/machine/up" ]; do
    if ! kill -0 "$unshare_pid" 2>/dev/null || [ "$SECONDS" -ge "$deadline" ]; then
      printf 'FAIL %s did not start within %d s\n' "${machine##*/}" "$((SECONDS - begin))"
      tail -n 5 "$machine/console"
      halt
      return 1
    fi
    sleep 0.05
    machine_pid=$(tr -d ' ' <"/proc/$unshare_pid/task/$unshare_pid/children" || true)
  done
  [ "$what" != systemd ] || wait_for_systemd
}

# Units that need what a machine without hardware lacks may have failed.
wait_for_systemd() {
  local state= deadline=$((SECONDS + 60 * ${PATIENCE:-1}))
  until [ "$state" = running ] || [ "$state" = degraded ]; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      printf 'FAIL systemd did not start: %s\n' "${state:-not there}"
      return 1
    fi
    sleep 0.1
    state=$(enter systemctl is-system-running 2>/dev/null || true)
  done
}

# Runs a command in the machine as root, with nothing of this environment.
enter() {
  nsenter --target "$machine_pid" --mount --pid --uts --ipc --cgroup --net --root --wd \
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}

# Turns the machine off, at the latest after 30 seconds. Its files stay in its folder.
halt() {
  [ -n "$unshare_pid" ] || return 0
  local deadline=$((SECONDS + 30))
  if [ -n "$machine_pid" ]; then
    # The signal that asks systemd to power off; others end by the second.
    kill -s RTMIN+4 "$machine_pid" 2>/dev/null || true
    [ -n "$cgroup" ] || kill -TERM "$machine_pid" 2>/dev/null || true
    while kill -0 "$machine_pid" 2>/dev/null && [ "$SECONDS" -lt "$deadline" ]; do sleep 0.1; done
    kill -KILL "$machine_pid" 2>/dev/null || true
  fi
  kill -KILL "$unshare_pid" 2>/dev/null || true
  wait "$unshare_pid" 2>/dev/null || true
  unshare_pid=
  machine_pid=
  remove_cgroup
}

# A group can be removed once the kernel has freed the last process in it.
remove_cgroup() {
  [ -n "$cgroup" ] || return 0
  local deadline=$((SECONDS + 10))
  while [ -d "$cgroup" ] && [ "$SECONDS" -lt "$deadline" ]; do
    find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || sleep 0.1
  done
  cgroup=
}

# Turns the machine off and removes its files.
scrap() {
  halt
  rm -rf --one-file-system "${scratch:?}/$1"
}
