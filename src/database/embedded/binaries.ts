import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import { canRun } from './accounts.ts'
import { copyOnce, linkLibraries, removeUnused } from './copies.ts'
import { EmbeddedFailure } from './failure.ts'
import type { Machine } from './machine.ts'
import type { Place } from './place.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The version in PG_VERSION, which a cluster must match. */
  majorVersion: string
}

/**
 * Binaries that the server's user can run, with the library symlinks that npm packages cannot
 * contain: the package's own, or a copy if that is closed to the user or not writable.
 */
export function prepareBinaries(place: Place, machine: Machine, log: Log): Binaries {
  const { native, version } = machine.findPackage()
  const postgres = path.join(native, 'bin', 'postgres')
  if (!existsSync(postgres)) throw new EmbeddedFailure(`${postgres} is missing`)
  const isOpen = place.account === null || canRun(place.account, postgres)
  const folder = isOpen && linkLibraries(native) ? native : copyOnce(native, version, place, log)
  removeUnused(place, folder, log)
  return {
    initdb: path.join(folder, 'bin', 'initdb'),
    postgres: path.join(folder, 'bin', 'postgres'),
    majorVersion: version.split('.')[0] ?? '',
  }
}
