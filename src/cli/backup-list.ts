import path from 'node:path'
import { BackupFolder } from '../backup/backup-folder.ts'
import type { Complete } from '../backup/format.ts'
import { BackupProblem } from '../backup/problem.ts'
import { checkTables, readSegments } from '../backup/read-folder.ts'
import type { BackupCheck, Snapshot } from '../backup/snapshot.ts'
import { Pace } from '../bytes/upkeep/verify/pace.ts'
import { systemClock } from '../lib/clock.ts'
import { formatBytes } from '../lib/sizes.ts'
import { runAsOwnerOf } from './as-owner.ts'
import { backupPlace, readRate } from './backup-arguments.ts'
import { ByteProgress, Damages } from './byte-progress.ts'
import type { Call, Report } from './command.ts'
import { watchInterruption } from './interruption.ts'
import { day, formatTable, type Column } from './table.ts'

interface Row {
  readonly name: string
  /** False while it is being copied, and when a copy was interrupted. */
  readonly isComplete: boolean
  /** Also null when it is damaged, or of a newer version. */
  readonly snapshot: Snapshot | null
  readonly check: BackupCheck | null
}

const columns: Column<Row>[] = [
  { title: 'SNAPSHOT', text: ({ name }) => name },
  { title: 'FILES', text: totalText(({ files }) => String(files)) },
  { title: 'SIZE', text: totalText(({ storedBytes }) => formatBytes(storedBytes)) },
  { title: 'COPIED', text: totalText(({ copiedBytes }) => formatBytes(copiedBytes)) },
  { title: 'DAMAGED', text: totalText(({ damaged }) => String(damaged)) },
  { title: 'VERIFIED', text: describe },
]

function totalText(describeTotal: (complete: Complete) => string): (row: Row) => string {
  return ({ snapshot }) => (snapshot === null ? '' : describeTotal(snapshot.complete))
}

function describe({ isComplete, snapshot, check }: Row): string {
  if (snapshot === null) return isComplete ? 'cannot be read' : 'incomplete'
  const { at = null, damaged = 0 } = check ?? {}
  return damaged === 0 ? day(at) : `${day(at)}: ${damaged} damaged`
}

export async function listBackups(call: Call): Promise<Report> {
  const folder = await BackupFolder.look(path.resolve(backupPlace(call)))
  const rows: Row[] = []
  for (const name of await folder.listNames()) {
    const isComplete = await folder.isComplete(name)
    const snapshot = isComplete ? await folder.openSnapshot(name).catch(ignoreProblem) : null
    rows.push({ name, isComplete, snapshot, check: (await snapshot?.findCheck()) ?? null })
  }
  return { json: rows.map(present), text: formatTable(rows, columns) }
}

/** One snapshot that cannot be read does not hide the others. */
function ignoreProblem(error: unknown): null {
  if (error instanceof BackupProblem) return null
  throw error
}

/** Without a snapshot that can be read, all fields but the first three are null. */
function present({ name, isComplete, snapshot, check }: Row) {
  const { head = null, complete = null } = snapshot ?? {}
  return {
    snapshot: name,
    is_complete: isComplete,
    is_readable: snapshot !== null,
    created_at: head?.createdAt ?? null,
    finished_at: complete?.finishedAt ?? null,
    version: head?.version ?? null,
    files: complete?.files ?? null,
    stored_bytes: complete?.storedBytes ?? null,
    copied_bytes: complete?.copiedBytes ?? null,
    damaged: complete?.damaged ?? null,
    verified_at: check?.damaged === 0 ? check.at.toISOString() : null,
    found_damaged: check?.damaged ?? null,
  }
}

/**
 * Reads a snapshot as a restore does, and notes for lists what it finds: as the owner of the
 * folder, who may have put links into it, and whose next backup has to find its files.
 */
export async function verifyBackup(call: Call): Promise<Report | void> {
  const bytesPerSecond = readRate(call.text('rate'))
  const place = path.resolve(backupPlace(call))
  if (await runAsOwnerOf(place)) return
  const progress = new ByteProgress('checked', call.wantsJson)
  const damages = new Damages(progress)
  const interruption = watchInterruption()
  const { signal } = interruption
  const folder = await BackupFolder.openForReading(place)
  try {
    const snapshot = await folder.openSnapshot(call.text('snapshot'))
    await snapshot.readKey()
    await checkTables(snapshot)
    const total = snapshot.complete.storedBytes
    const bytes = await readSegments(snapshot, folder.storageFolder, null, {
      onDamage: damages.add,
      onProgress: (read) => progress.show(read, total),
      pace: new Pace({ bytesPerSecond, clock: systemClock, signal }),
      signal,
    })
    await snapshot.saveCheck({ at: new Date(systemClock.now()), damaged: damages.count })
    return reportCheck(snapshot, bytes, damages)
  } finally {
    progress.clear()
    await folder.close()
    interruption.forget()
  }
}

function reportCheck({ name }: Snapshot, bytes: number, damages: Damages): Report {
  const found = damages.listed.length
  const way = '. Make the next backup in another folder'
  const result = found === 0 ? 'no problems found' : `${found} files are damaged${way}`
  return {
    json: { snapshot: name, checked_bytes: bytes, damaged: damages.listed },
    text: `checked ${formatBytes(bytes)} of ${name}: ${result}`,
    isFailure: found > 0,
  }
}
