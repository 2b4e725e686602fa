#!/usr/bin/env bash
# The API description in other programs: linted by Redocly, and turned into the types of a client
# that is compiled without a cast and uses a running service from sign-in to deletion. Then broken
# on purpose, to see that all of this can fail. The tools are installed from npm's registry into a
# temporary folder. Needs a build (`npm run build`), or TEST_BUILD.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../../.." && pwd)
redocly=@redocly/cli@2.77.0
tools=(openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3)
email=ada@example.org
password='a password of the check'
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
  local port
  port=$(node -e "
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
      console.log(server.address().port)
      server.close()
    })")
  url=http://127.0.0.1:$port
  env -i PATH="$PATH" DATA_DIR="$scratch/data" HOST=127.0.0.1 PORT="$port" DOCS_PORT=off \
    BASE_URL=https://files.example.org DOCS_URL=https://docs.example.org \
    ADMIN_EMAIL="$email" ADMIN_PASSWORD="$password" \
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
}

# Neither errors nor warnings of the recommended rules.
lint() {
  (cd "$scratch" && "$scratch/node_modules/.bin/redocly" lint "$1" --format=json) \
    >"$scratch/lint.json" 2>"$scratch/lint.log" || true
  node -e "
    const { totals, problems } = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
    const placeOf = ({ location }) => location?.[0]?.pointer ?? ''
    // A form that another app posts is answered by a redirect alone.
    const isRedirect = (one) =>
      one.ruleId === 'operation-2xx-response' && placeOf(one).includes('~1share-target/')
    const left = problems.filter((one) => !isRedirect(one))
    for (const one of left) console.log(one.severity, one.ruleId, one.message, placeOf(one))
    process.exit(left.length + totals.ignored === 0 ? 0 : 1)
  " "$scratch/lint.json"
}

# Generates the types of a description into a folder, and compiles the program against them.
compile() {
  local description=$1 folder=$scratch/$2
  mkdir "$folder"
  cp "$repository/test/site/description/generated-client.ts.txt" "$folder/client.ts"
  "$scratch/node_modules/.bin/openapi-typescript" "$description" -o "$folder/api.ts" \
    >"$folder/log" 2>&1 || return 1
  "$repository/node_modules/.bin/tsc" --ignoreConfig --strict --noEmit --skipLibCheck \
    --target es2023 --module esnext --moduleResolution bundler --allowImportingTsExtensions \
    --lib es2023,dom,dom.iterable --types node --typeRoots "$repository/node_modules/@types" \
    "$folder/client.ts"
}

# Changes the description by a line of JavaScript: `api` is the document.
break_description() {
  node -e "
    const fs = require('node:fs')
    const api = JSON.parse(fs.readFileSync(process.argv[1], 'utf8'))
    const before = JSON.stringify(api)
    new Function('api', process.argv[3])(api)
    const after = JSON.stringify(api)
    if (before === after) throw new Error('it is as it was')
    fs.writeFileSync(process.argv[2], after)
  " "$scratch/openapi.json" "$scratch/broken.json" "$1"
}

say 'the tools'
npm install --prefix "$scratch" --no-audit --no-fund --no-save --silent "$redocly" "${tools[@]}"

say 'a service'
start_service
curl --silent --show-error --fail "$url/openapi.json" >"$scratch/openapi.json"

say 'lint'
lint "$scratch/openapi.json" || fail 'the description has problems'

say 'a client'
program=$repository/test/site/description/generated-client.ts.txt
casts='\b(any|unknown|as)\b|[=(,:] *<\w+>|@ts-|[])[:alnum:]]!([^=]|$)'
if grep -nE "$casts" <(sed 's,^ *//.*,,; s,/\*.*\*/,,' "$program"); then
  fail 'the program helps itself with a cast'
fi
compile "$scratch/openapi.json" good || fail 'the client does not compile'
"$repository/node_modules/.bin/esbuild" "$scratch/good/client.ts" --bundle --platform=node \
  --format=esm --outfile="$scratch/good/client.mjs" --log-level=warning
node "$scratch/good/client.mjs" "$url" "$email" "$password"

say 'descriptions that are wrong'
shares="api.paths['/api/shares/{shareId}/finalize'].post"
while IFS='|' read -r name change; do
  break_description "$change"
  if compile "$scratch/broken.json" "$name" >"$scratch/$name.log"; then
    fail "a client compiles with $name"
  fi
  grep -q 'error TS' "$scratch/$name.log" || fail "no complaint of the compiler about $name"
done <<END
a-field-renamed|const { Share } = api.components.schemas; Share.properties.size = Share.properties.total_size; delete Share.properties.total_size; Share.required = Share.required.map((name) => name === 'total_size' ? 'size' : name)
a-field-of-another-type|api.components.schemas.ShareFile.properties.id = { type: 'string' }
a-field-that-may-be-missing|$shares.responses['200'].content['application/json'].schema = { type: 'object', properties: { shareUrl: { type: 'string' } } }
a-path-renamed|api.paths['/api/share'] = api.paths['/api/shares']; delete api.paths['/api/shares']
END
break_description "delete $shares.operationId; delete $shares.responses; $shares.parameters = []"
if lint "$scratch/broken.json" >/dev/null; then fail 'the linter takes anything'; fi

say 'all well'
