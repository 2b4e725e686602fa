import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { clusterDirOf, homeOf } from '../../src/database/embedded/place.ts'

/** Reads until we have ended; 20 s are more than PostgreSQL takes to end at once. */
const script = `cat >/dev/null
pid=$(head -n 1 "$1/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null; then
  tries=200
  while kill -0 "$pid" 2>/dev/null && [ $tries -gt 0 ]; do
    sleep 0.1
    tries=$((tries - 1))
  done
fi
rm -rf "$2"`

/**
 * Ends the server of a data directory and removes the directory when this process ends in any way,
 * even killed: the server itself does not notice. In a separate session, which Ctrl-C spares.
 * @returns the pid of the process that does it
 */
export function endsWithUs(dataDir: string): number {
  const watch = spawn('/bin/sh', ['-c', script, 'sh', clusterDirOf(homeOf(dataDir)), dataDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  ;(watch.stdin as Socket).unref()
  return watch.pid!
}
