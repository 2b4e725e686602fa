# What scripts in a machine can use: sourced there before a scene or the blocks of a page.
# shellcheck shell=bash
set -eu -o pipefail
ARCHITECTURE=$(dpkg --print-architecture)
export ARCHITECTURE npm_config_offline=true npm_config_cache=/root/npm-cache npm_config_audit=false
export npm_config_fund=false npm_config_update_notifier=false
list=/root/sent.list
url=http://localhost:8080

traffic() { node /opt/operations/traffic.mjs "$@"; }

compare_sent() { traffic compare "$1" "$list"; }

# within <seconds> <command>…: until it succeeds.
within() {
  local deadline=$((SECONDS + $1)) last=/tmp/within.$BASHPID
  shift
  until "$@" >"$last" 2>&1; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "in vain: $*"
      tail -n 5 "$last"
      return 1
    fi
    sleep 0.1
  done
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# The first administrator, by the command, and a share with a file.
add_share() {
  printf 'correct horse battery\n' | transfer users add admin@example.org --admin
  traffic send "$url" "$list" 1 3
}

sign_in() {
  curl -fsS "$1/api/auth/login" -H 'Content-Type: application/json' \
    -d "{\"email\":\"$2\",\"password\":\"$3\"}" >/dev/null
}

# A command that does not end by itself, until a condition is true.
foreground() {
  setsid bash -c "$1" >/tmp/foreground 2>&1 </dev/null &
  foreground_pid=$!
  within 120 bash -c ". /opt/operations/inside.sh; $2" || { tail -n 20 /tmp/foreground; return 1; }
}

# Ends the service alone. The shell or runuser before it ends with it; told to end as well, the shell
# would not wait for it, and runuser would kill it after two seconds.
end_foreground() {
  local pid
  for pid in $(pgrep --session "$foreground_pid"); do
    pgrep --session "$foreground_pid" --parent "$pid" >/dev/null || kill -TERM "$pid"
  done
  wait "$foreground_pid" || true
  ! pgrep --session "$foreground_pid" || { echo 'left running'; return 1; }
}
