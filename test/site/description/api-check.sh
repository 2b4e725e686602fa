#!/usr/bin/env bash
# The API description of a running service, linted by Redocly, which is installed from npm's
# registry into a temporary folder. Needs a build (`npm run build`), or TEST_BUILD.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../../.." && pwd)
redocly=@redocly/cli@2.77.0
patience_seconds=120
main=$repository/${TEST_BUILD:+$TEST_BUILD/}dist/main.js
scratch=$(mktemp -d /tmp/transfer-api-check-XXXXXX)
service_pid=

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

say() { printf '%s\n' "api check: $*"; }

fail() {
  say "FAILED: $*"
  exit 1
}

clear_up() {
  if [ -n "$service_pid" ]; then
    kill -TERM "$service_pid" 2>/dev/null || true
    wait "$service_pid" 2>/dev/null || true
  fi
  rm -rf "$scratch"
}
trap clear_up EXIT

start_service() {
  mkdir "$scratch/data"
  # Root's PostgreSQL runs as another user, who needs access.
  chmod 711 "$scratch" "$scratch/data"
  env -i PATH="$PATH" DATA_DIR="$scratch/data" HOST=127.0.0.1 PORT=0 DOCS_PORT=off \
    BASE_URL=https://files.example.org DOCS_URL=https://docs.example.org \
    node "$main" serve >"$scratch/log" 2>&1 </dev/null &
  service_pid=$!
  local deadline=$((SECONDS + patience_seconds))
  until grep -q '^listening on ' "$scratch/log"; do
    if ! kill -0 "$service_pid" 2>/dev/null || [ "$SECONDS" -ge "$deadline" ]; then
      cat "$scratch/log"
      fail 'the service does not start'
    fi
    sleep 0.2
  done
  url=http://127.0.0.1:$(sed -nE 's/^listening on \S+ port ([0-9]+) .*/\1/p' "$scratch/log")
}

# Neither errors nor warnings of the recommended rules.
lint() {
  cd "$scratch"
  node_modules/.bin/redocly lint "$1" --format=json >lint.json 2>lint.log || true
  node -e "
    const read = (file) => JSON.parse(require('node:fs').readFileSync(file, 'utf8'))
    const { totals, problems } = read('lint.json')
    const description = read(process.argv[1])
    const placeOf = ({ location }) => location?.[0]?.pointer ?? ''
    const keysOf = (pointer) =>
      pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    // Some operations, such as the sign-in at a provider, answer with a redirect alone.
    const isRedirect = (one) =>
      one.ruleId === 'operation-2xx-response' &&
      Object.keys(keysOf(placeOf(one)).reduce((part, key) => part[key], description)).some(
        (status) => status.startsWith('30'),
      )
    const left = problems.filter((one) => !isRedirect(one))
    for (const one of left) console.log(one.severity, one.ruleId, one.message, placeOf(one))
    process.exit(left.length + totals.ignored === 0 ? 0 : 1)
  " "$1"
}

say 'the tool'
npm install --prefix "$scratch" --no-audit --no-fund --no-save --silent "$redocly"

say 'a service'
start_service
curl --silent --show-error --fail "$url/openapi.json" >"$scratch/openapi.json"

say 'lint'
lint openapi.json || fail 'the description has problems'

say 'all well'
