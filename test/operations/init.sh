#!/usr/bin/env bash
# The first process of a machine: a new root over a Debian that stays as it is, then systemd. Run
# by machine.sh in new namespaces, so that everything mounted here ends with it.
#   init.sh <folder of the machine> <folders below, with colons between> systemd|nothing
set -euo pipefail
machine=$1
below=$2
what=$3
root=$machine/root

mount --make-rprivate /
mount -t overlay machine -o "lowerdir=$below,upperdir=$machine/upper,workdir=$machine/work" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 run run
mount -t tmpfs -o mode=1777 tmp tmp
mount -t tmpfs -o mode=755 dev dev
mkdir -m 755 dev/pts
mkdir -m 1777 dev/shm
mount -t tmpfs -o mode=1777 shm dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for link in stdin:0 stdout:1 stderr:2; do
  ln -s "/proc/self/fd/${link#*:}" "dev/${link%:*}"
done
for node in null:3 zero:5 full:7 random:8 urandom:9; do
  mknod -m 666 "dev/${node%:*}" c 1 "${node#*:}"
done
mknod -m 666 dev/tty c 5 0
[ "$what" != systemd ] || mount -t cgroup2 cgroup2 sys/fs/cgroup
mkdir -p old
pivot_root . old
umount -l /old
rmdir /old
# As systemd leaves it on a machine: the mounts of credentials reach the services.
mount --make-rshared /
hash -r
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
ip link set lo up
hostname machine
mkdir -p /run/machine
: >/run/machine/up
if [ "$what" = systemd ]; then
  exec env -i container=unshare PATH="$PATH" /lib/systemd/systemd --system --log-target=journal
fi
# Takes the children of ended processes, which bash does as the first process.
trap 'exit 0' TERM
while :; do sleep 3600 & wait $!; done
