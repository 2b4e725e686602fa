# The scenes of operations.sh, inside a machine. Each fails by its exit status, and its last line is
# its figure.
# shellcheck shell=bash disable=SC2154

options=/etc/transfer-service/options
data=/var/lib/transfer-service

# systemd refuses the sixth start within ten seconds, so that a mistake does not keep it busy.
restart() {
  systemctl reset-failed transfer.service
  systemctl restart transfer
}

main_pid() { systemctl show --property MainPID --value transfer; }

install_package() {
  local begin
  begin=$(milliseconds)
  apt-get install -qq --yes --no-install-recommends /root/packages/transfer-service_1.0.0_*.deb
  within 30 curl -fsS "$url/readyz"
  local took=$(($(milliseconds) - begin))
  check_files
  # Many clients come from one address here.
  printf 'RATE_LIMIT_%s=off\n' LOGIN UPLOAD DOWNLOAD >>"$options"
  systemctl restart transfer
  add_share
  systemctl is-enabled --quiet transfer.service transfer.socket
  echo "answers after $took ms"
}

check_files() {
  local file mode page
  while read -r mode file; do
    [ "$(stat -c '%a:%U:%G' "$file")" = "$mode" ] || { echo "$file is not $mode"; return 1; }
  done <<END
640:root:transfer $options
750:root:transfer /etc/transfer-service
700:root:root /etc/transfer-service/credentials
755:root:root /usr/lib/transfer-service/dist/main.js
END
  ! dpkg --verify transfer-service | grep . || return 1
  systemd-analyze verify --man=no transfer.service
  [ "$(transfer --version)" = "transfer $(dpkg-query -W -f '${Version}' transfer-service)" ]
  for page in man1/transfer.1 man5/transfer-service.5; do
    ! man --warnings -E UTF-8 -l "/usr/share/man/$page.gz" 2>&1 >/dev/null | grep . || return 1
  done
  # PostgreSQL is not copied where its user can reach the package.
  ! ls -d "$data/database"/postgresql-* 2>/dev/null || return 1
}

start_service() {
  systemctl stop transfer.socket transfer
  local begin
  begin=$(milliseconds)
  systemctl start transfer
  curl -fsS "$url/readyz"
  # The length of the queue that the unit asks for.
  ss -Hltn 'sport = :8080' | awk '$3 != 4096 { exit 1 }'
  local took=$(($(milliseconds) - begin)) resident shared
  resident=$(awk '/^Rss:/ { print int($2 / 1024) }' "/proc/$(main_pid)/smaps_rollup")
  shared=$(for pid in $(pgrep -u transfer postgres); do cat "/proc/$pid/smaps_rollup"; done |
    awk '/^Pss:/ { sum += $2 } END { print int(sum / 1024) }')
  echo
  echo "$took ms until it answers; Node $resident MB RSS, PostgreSQL $shared MB PSS"
}

show_exposure() {
  systemd-analyze security --no-pager transfer | grep -q 'Overall exposure.* 1\.1 '
  systemd-analyze security --no-pager transfer | sed -n 's/.*Overall exposure.*: \([0-9.]*\).*/\1/p'
}

send_files() {
  traffic send "$url" "$list" 2 120
  compare_sent "$url"
}

restart_under_requests() {
  local loop times=8
  node /opt/operations/traffic.mjs loop "$url" "$list" >/tmp/loop &
  loop=$!
  within 10 curl -fsS "$url/readyz"
  for _ in $(seq "$times"); do restart; done
  kill -TERM "$loop"
  wait "$loop" || { cat /tmp/loop; return 1; }
  echo "$times restarts, $(cat /tmp/loop)"
}

set_wrong_option() {
  cp "$options" /tmp/options
  systemctl reset-failed transfer.service
  echo 'LOG_LEVEL=loud' >>"$options"
  local begin took
  begin=$(milliseconds)
  ! systemctl restart transfer || return 1
  took=$(($(milliseconds) - begin))
  journalctl --sync
  journalctl -u transfer -n 20 | grep LOG_LEVEL
  [ "$(systemctl show --property ExecMainStatus --value transfer)" = 78 ]
  [ "$(systemctl show --property NRestarts --value transfer)" = 0 ]
  cat /tmp/options >"$options"
  systemctl reset-failed transfer transfer.socket
  systemctl start transfer.socket transfer
  echo "exit 78 after $took ms, no second start"
}

# Tidying up by hand, or a backup of /etc without empty folders.
remove_credentials() {
  systemctl reset-failed transfer.service
  rmdir /etc/transfer-service/credentials
  ! systemctl restart transfer || return 1
  [ "$(systemctl show --property ExecMainStatus --value transfer)" = 243 ]
  [ "$(systemctl show --property NRestarts --value transfer)" = 0 ]
  # As at each start of the machine.
  systemd-tmpfiles --create transfer-service.conf
  systemctl reset-failed transfer transfer.socket
  systemctl start transfer.socket transfer
  curl -fsS "$url/readyz"
  echo
  echo 'exit 243, no second start, and the folder is made again'
}

# A loop that never ends, by the debugger, as a fault of the program would be.
block_loop() {
  local seconds=15 pid begin
  mkdir -p /run/systemd/system/transfer.service.d
  printf '[Service]\nWatchdogSec=%s\n' "$seconds" >/run/systemd/system/transfer.service.d/test.conf
  systemctl daemon-reload
  restart
  pid=$(main_pid)
  # Repeated, because what is typed before the debugger is ready is lost.
  for _ in {1..30}; do sleep 1; echo 'exec("for (;;);")'; done |
    timeout 40 node inspect -p "$pid" >/dev/null &
  within 40 is_blocked
  begin=$(milliseconds)
  within 150 has_restarted "$pid"
  within 30 curl -fsS "$url/readyz"
  local took=$(($(milliseconds) - begin))
  journalctl --sync
  [ "$(journalctl -u transfer | grep -c 'Watchdog timeout')" = 1 ]
  [ "$(systemctl show --property NRestarts --value transfer)" = 1 ]
  compare_sent "$url"
  echo "killed once; answers $took ms after it was blocked, with WatchdogSec=$seconds"
}

is_blocked() { ! curl -s --max-time 1 -o /dev/null "$url/livez"; }

has_restarted() {
  local now
  now=$(main_pid)
  [ "$now" != "$1" ] && [ "$now" != 0 ]
}

purge_package() {
  apt-get remove -qq --yes transfer-service
  [ -d "$data/database" ]
  [ -f "$options" ]
  ! curl -s "$url/livez" || return 1
  # A disk in the folder of the data is not emptied.
  mkdir "$data/disk"
  mount -t tmpfs disk "$data/disk"
  echo kept >"$data/disk/file"
  apt-get purge -qq --yes transfer-service
  [ "$(cat "$data/disk/file")" = kept ]
  umount "$data/disk"
  rmdir "$data/disk" "$data"
  local left
  left=$(find / -xdev \( -path /proc -o -path /sys -o -path /opt -o -path /root -o -path /var/log \
    -o -path /var/cache \) -prune -o \( -name 'transfer*' -o -name '*transfer-service*' \) -print |
    grep -v '^/tmp/' || true)
  [ -z "$left" ] || { echo "left: $left"; return 1; }
  ! pgrep -lu transfer || return 1
  getent passwd transfer
  echo 'nothing is left but the user'
}

# use_node <major>: the npm package with another version of Node.
use_node() {
  local node=/opt/nodes/$1/node program begin pid rates zip
  program=$(find /opt/packed -path '*/transfer-service/dist/main.js')
  export DATA_DIR=/var/lib/node-$1 PORT=80${1%.*} DOCS_PORT=off
  export ADMIN_EMAIL=admin@example.org ADMIN_PASSWORD='correct horse battery'
  local base=http://localhost:$PORT
  # The first start makes the database; the second is measured.
  for _ in first second; do
    [ -z "${pid:-}" ] || { kill -TERM "$pid" && wait "$pid"; }
    begin=$(milliseconds)
    "$node" "$program" serve >/tmp/served 2>&1 </dev/null &
    pid=$!
    within 60 curl -fsS "$base/readyz" || { cat /tmp/served; return 1; }
  done
  local took=$(($(milliseconds) - begin)) resident
  resident=$(awk '/^Rss:/ { print int($2 / 1024) }' "/proc/$pid/smaps_rollup")
  rates=$(traffic speed "$base" 256)
  rm -f "$list"
  traffic send "$base" "$list" 2 30
  compare_sent "$base"
  zip=$(sed -n '1s/ .*//p' "$list")
  curl -fsS -o /tmp/all.zip "$base/api/shares/$zip/download"
  python3 -m zipfile -t /tmp/all.zip
  mkdir -p "/var/backups/node-$1"
  "$node" "$program" verify
  "$node" "$program" backup "/var/backups/node-$1"
  "$node" "$program" backup verify "/var/backups/node-$1"
  kill -TERM "$pid"
  wait "$pid"
  # shellcheck disable=SC2086
  set -- $rates
  echo "$("$node" --version), start $took ms, $resident MB RSS, upload $1, download $2, ZIP $3 MB/s"
}
