# A new Debian 13 for tests, made once and kept. Sourced by scripts that set `scratch`.
# shellcheck shell=bash

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
debian_base=${DEBIAN_ROOT:-/var/cache/transfer-service-debian-13}

# Prints why it failed, and fails.
make_debian() {
  [ -d "$debian_base" ] && return
  local log=$scratch/debootstrap.log
  local -a included=(nodejs systemd systemd-sysv dbus libatomic1 curl ca-certificates man-db
    procps sudo iproute2 python3)
  rm -rf --one-file-system "$debian_base.new"
  # Machines that run without a network install these from the cache of apt.
  if debootstrap --variant=minbase --include="$(IFS=, && echo "${included[*]}")" \
    trixie "$debian_base.new" >"$log" 2>&1 &&
    in_chroot "$debian_base.new" apt-get update -qq >>"$log" 2>&1 &&
    in_chroot "$debian_base.new" apt-get install -qq --yes --download-only \
      --no-install-recommends caddy nginx postgresql >>"$log" 2>&1; then
    rm -f "$debian_base.new/usr/sbin/policy-rc.d"
    # Nothing here has to survive a power cut.
    echo force-unsafe-io >"$debian_base.new/etc/dpkg/dpkg.cfg.d/test-machine"
    mv "$debian_base.new" "$debian_base"
  else
    tail -n 5 "$log"
    return 1
  fi
}

in_chroot() {
  local root=$1
  shift
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

# The files of a clone, including uncommitted changes.
copy_clone() {
  mkdir -p "$1"
  git -c safe.directory='*' -C "$repository" ls-files -z --cached --others --exclude-standard |
    (cd "$repository" && tar --null --files-from=- --ignore-failed-read --create 2>/dev/null) |
    tar --extract --no-same-owner --directory "$1"
}
