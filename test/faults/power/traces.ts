// Checks of disk and process after a start and its jobs.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import * as assert from 'uvu/assert'
import type { Database, Sql } from '../../../src/database/connect.ts'
import { containerFolder } from '../../../src/bytes/segments/files-on-disk.ts'
import { assertInvariants } from '../../helpers/invariants.ts'
import { until } from '../../helpers/until.ts'

/** Longer than segments stay that nothing refers to. */
const graceMs = 6 * 60_000

export interface Place {
  readonly database: Database
  readonly storageDir: string
  readonly pid: number
  /** Wall clock of the service. */
  readonly now: () => Date
}

/** The length of each existing segment, by its path. */
export function segmentSizes(storageDir: string): Map<string, number> {
  const sizes = new Map<string, number>()
  if (!existsSync(storageDir)) return sizes
  for (const name of readdirSync(storageDir, { recursive: true }).map(String)) {
    const found = name.endsWith('.seg') && statSync(path.join(storageDir, name))
    if (found) sizes.set(name, found.size)
  }
  return sizes
}

/**
 * A start removes segments or leaves them alone: bytes after those of the rows may belong to a
 * newer database.
 */
export function assertNothingCut(before: Map<string, number>, storageDir: string): void {
  const cut = [...segmentSizes(storageDir)].filter(([name, size]) => size < (before.get(name) ?? 0))
  assert.equal(cut, [], 'segments that are shorter than before the start')
}

/** Waits until the jobs have done everything due, then compares rows with files. */
export async function assertQuiet(place: Place): Promise<void> {
  const { database, storageDir, pid, now } = place
  const { sql } = database
  let due: string[] = []
  const isQuiet = async () => {
    due = await listDue(sql, now())
    return due.length === 0
  }
  await until('nothing is due', isQuiet).catch((error: unknown) => {
    throw new Error(`the jobs have not done everything: ${due.join(', ')}`, { cause: error })
  })
  // The invariants hold while nothing runs, and jobs may: real faults persist.
  let failure: unknown = null
  const isFine = async () => {
    failure = await assertInvariants({ database, storageDir }).then(
      () => null,
      (error: unknown) => error,
    )
    return failure === null
  }
  await until('rows and files fit', isFine).catch(() => {
    throw failure
  })
  await until('no file that is gone is still open', () => openAndGone(pid, storageDir) === 0)
  await assertManifests(place)
}

/** The pending work of jobs, in words. */
async function listDue(sql: Sql, now: Date): Promise<string[]> {
  const graceOver = new Date(now.getTime() - graceMs)
  const rows = await sql<{ due: string }[]>`
    select 'remove container ' || container_id as due from tombstones
    union all
    select 'write manifest of share ' || id from shares
    where state = 'complete' and manifest_revision is distinct from revision
    union all
    select 'remove segment ' || segment_id from segment_tombstones
    where created_at < ${graceOver}`
  return rows.map((row) => row.due)
}

async function assertManifests({ database, storageDir }: Place): Promise<void> {
  const shares = await database.sql<{ containerId: string }[]>`
    select container_id from shares where state = 'complete'`
  for (const { containerId } of shares) {
    const name = path.join(containerFolder(storageDir, containerId), 'manifest.json')
    assert.type(JSON.parse(readFileSync(name, 'utf8')), 'object')
  }
}

function openAndGone(pid: number, folder: string): number {
  const descriptors = `/proc/${pid}/fd`
  const links = readdirSync(descriptors).map((name) => {
    try {
      return readlinkSync(path.join(descriptors, name))
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(folder) && link.endsWith(' (deleted)')).length
}
