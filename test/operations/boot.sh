#!/usr/bin/env bash
# A Debian 13 with systemd and a network of its own, without a container or virtual machine, to try
# what an operator does: prints how to enter it, and turns it off at Ctrl-C. Needs root, debootstrap
# and, for the first time, a mirror of Debian. Leaves nothing but the Debian that it starts from.
#   test/operations/boot.sh [<package of the service>.deb]
set -euo pipefail
scratch=$(mktemp -d /var/tmp/transfer-machine-XXXXXX)
trap 'scrap machine; rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 0' INT TERM HUP PIPE
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/machine.sh"

lack=$(find_lack)
[ -n "$lack" ] || lack=$(find_systemd_lack)
if [ -n "$lack" ]; then
  printf 'no machine: %s\n' "$lack"
  exit 1
fi
make_debian
boot machine systemd
if [ "$#" -gt 0 ]; then
  enter sh -c 'cat >/root/package.deb' <"$1"
  enter apt-get install --yes --no-install-recommends /root/package.deb
fi
printf 'enter: nsenter -a -r -w -t %s env -i HOME=/root TERM=%s bash -l\n' "$machine_pid" \
  "${TERM:-dumb}"
printf 'Ctrl-C turns it off.\n'
while kill -0 "$machine_pid" 2>/dev/null; do sleep 1 & wait $!; done
