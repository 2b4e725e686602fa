# The part of debian-package.sh that runs in the new Debian: after `port` and `send` are set.
# shellcheck shell=bash disable=SC2154
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "debian package: $*"; }

fail() {
  say "FAILED: $*"
  [ -f /tmp/log ] && tail -n 40 /tmp/log
  exit 1
}

# Everything that a purge must leave as it was: not the caches and logs of apt and dpkg.
list_files() {
  find / -xdev \( -path /tmp -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \
    -o -path /var/lib/dpkg -o -path /run/systemd \) -prune -o -print | sort
}

# `<mode> <user>:<group>` of a file.
expect() {
  local found
  found=$(stat -c '%a %U:%G' "$2")
  [ "$found" = "$1" ] || fail "$2 is $found, not $1"
}

install_package() {
  apt-get install -qq --yes --no-install-recommends --reinstall /tmp/transfer.deb \
    >/tmp/log 2>&1 </dev/null || fail 'apt install'
  if grep -Ei 'warning|error|fail' /tmp/log | grep -v '^debconf:' | grep -q .; then
    fail 'apt install printed a warning'
  fi
}

# As systemd would: the unit's user and folder, with the options of the file.
serve() {
  runuser -u transfer -- env -i PATH="$PATH" HOST=127.0.0.1 PORT="$port" DOCS_PORT=off \
    STATE_DIRECTORY=/var/lib/transfer-service ADMIN_EMAIL=admin@example.org \
    ADMIN_PASSWORD='correct horse battery' transfer serve >/tmp/log 2>&1 </dev/null &
  service_pid=$!
  local deadline=$((SECONDS + 60))
  until grep -q '^listening on ' /tmp/log; do
    kill -0 "$service_pid" 2>/dev/null || fail 'the service has ended at its start'
    [ "$SECONDS" -lt "$deadline" ] || fail 'the service does not listen'
    sleep 0.1
  done
}

stop() {
  # runuser passes the signal on.
  kill -TERM "$service_pid"
  wait "$service_pid" || true
  ! pgrep -u transfer >/dev/null || fail "left running: $(pgrep -lu transfer)"
}

say 'install'
list_files >/tmp/before
install_package
expect '640 root:transfer' /etc/transfer-service/options
expect '750 root:transfer' /etc/transfer-service
[ ! -e /var/lib/transfer-service ] || fail 'systemd makes the folder for data'
expect '700 root:root' /etc/transfer-service/credentials
expect '755 root:root' /usr/lib/transfer-service/dist/main.js
dpkg --verify transfer-service | grep -q . && fail 'dpkg --verify finds changes'
systemctl is-enabled --quiet transfer.service || fail 'the unit is not enabled'
systemd-analyze verify --man=no transfer.service || fail 'the unit has mistakes'
transfer --version | grep -qx "transfer $(dpkg-query -W -f '${Version}' transfer-service)" ||
  fail 'transfer --version'
for page in 1/transfer 5/transfer-service; do
  warnings=$(man --warnings -E UTF-8 -l "/usr/share/man/man${page%/*}/${page#*/}.${page%/*}.gz" \
    2>&1 >/dev/null)
  [ -z "$warnings" ] || fail "manual page: $warnings"
done
# shellcheck source=/dev/null
. /usr/share/bash-completion/completions/transfer
COMP_WORDS=(transfer users a) COMP_CWORD=2
_transfer
[ "${COMPREPLY[*]}" = add ] || fail "completion: ${COMPREPLY[*]}"

say 'serve'
install -d -o transfer -g transfer -m 700 /var/lib/transfer-service
serve
mkdir /tmp/work && cd /tmp/work
head -c 3000000 /dev/urandom >holiday.mp4
send >/dev/null || fail 'sending a file as the README says'
sent=$share
cd /
stop
[ ! -e /var/lib/transfer-service-db ] || fail 'PostgreSQL was copied'
ls -d /var/lib/transfer-service/database/postgresql-* 2>/dev/null && fail 'PostgreSQL was copied'

say 'install again'
echo 'BASE_URL=https://files.example.org' >>/etc/transfer-service/options
install_package
grep -qx 'BASE_URL=https://files.example.org' /etc/transfer-service/options ||
  fail 'the options are lost'
serve
curl -fsS -o /tmp/everything.zip "http://127.0.0.1:$port/api/shares/$sent/download" ||
  fail 'the file is lost'
stop

say 'remove'
apt-get remove -qq --yes transfer-service >/tmp/log 2>&1 </dev/null || fail 'apt remove'
[ ! -e /usr/bin/transfer ] || fail 'the command is left'
[ -d /var/lib/transfer-service/database ] || fail 'a removal has deleted the data'
[ -f /etc/transfer-service/options ] || fail 'a removal has deleted the options'

say 'install after a removal'
install_package
systemctl is-enabled --quiet transfer.service || fail 'the unit is not enabled'

say 'purge'
disk=/var/lib/transfer-service/disk
mkdir "$disk"
mount -t tmpfs disk "$disk"
echo kept >"$disk/file"
apt-get purge -qq --yes transfer-service >/tmp/log 2>&1 </dev/null || fail 'apt purge'
[ "$(cat "$disk/file")" = kept ] || fail 'the purge has emptied a disk'
umount "$disk"
rmdir "$disk" /var/lib/transfer-service
list_files >/tmp/after
diff /tmp/before /tmp/after || fail 'the purge has left or removed files'
getent passwd transfer >/dev/null || fail 'the user is gone'
