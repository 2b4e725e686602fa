// Traces that a failed request must not leave behind.
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import * as assert from 'uvu/assert'
import type { Service } from './service.ts'
import { until } from './until.ts'

/** Bytes in files of a folder. */
export function bytesBelow(folder: string): number {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Those of earlier shares are written in the background.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('manifest.json'))
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
  )
}

/** Descriptors of this process that are open on files of a folder (Linux only). */
export function descriptorsBelow(folder: string): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(`${folder}/`)).length
}

export interface TracesBefore {
  readonly bytes: number
  readonly chunks: number
}

export async function tracesNow(service: Service): Promise<TracesBefore> {
  const { sql } = service.database
  const chunks = await sql<{ count: number }[]>`select count(*) from chunks`.oneValue()
  return { bytes: bytesBelow(service.storageDir), chunks }
}

/**
 * Waits until nothing runs any more, then asserts that no segment writer, permit, byte, row or
 * descriptor is left of the requests since `before`.
 */
export async function assertNoTraces(service: Service, before: TracesBefore): Promise<void> {
  const { app } = service
  const { writers } = app.storage
  await until('every context has ended', () => app.listener.watchdog.size === 0)
  await until('every writer is idle', () => writers.count === writers.idleCount)
  await until('every permit is released', () => app.services.uploads.budget.permits === 0)
  // Those of earlier shares are written in the background, with descriptors of their own.
  await app.services.manifests.idle()
  assert.equal(await tracesNow(service), before)
  service.clock.advance(61_000)
  await writers.closeIdle()
  assert.is(writers.count, 0, 'writers that are idle for a minute close')
  // What the minute has made due opens files, too: a manifest, the marker of the folder.
  const isClosed = () => descriptorsBelow(service.storageDir) === 0
  await until('no descriptor is open below the folder', isClosed)
}
