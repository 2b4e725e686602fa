import { isUnreadable } from '../bytes/segments/segment-files.ts'
import { requireMounted } from '../bytes/storage-root.ts'
import type { StorageRoot } from '../bytes/store/store.ts'
import type { Pace } from '../bytes/upkeep/verify/pace.ts'
import type { Bulk } from '../database/bulk.ts'
import type { Database } from '../database/connect.ts'
import { listTablesInOrder, type DumpedTable } from '../database/dump.ts'
import { beginSnapshot, copyTableOut } from '../database/dump-sql.ts'
import { listApplied } from '../database/migrate.ts'
import { type Clock, minuteMs } from '../lib/clock.ts'
import { ByteCheck, type Damage } from './byte-check.ts'
import * as format from './format.ts'
import { unzip, writeParts } from './parts.ts'
import { SegmentList, type ListedSegment } from './segment-list.ts'
import { Spool } from './spool.ts'
import * as rows from './sql.ts'
import type { SegmentTarget, SnapshotTarget } from './target.ts'
import { randomRowId } from '../lib/random-id.ts'
import { BackupProblem } from './problem.ts'

const bufferBytes = 1024 * 1024

export interface BackupDeps {
  readonly database: Database
  readonly openBulk: () => Bulk
  readonly root: StorageRoot
  /** Null when the key is JWT_SECRET. */
  readonly keyFile: Buffer | null
  readonly keyFingerprint: string
  /** Id of the database: see identity-sql.ts. */
  readonly serviceId: string
  readonly version: string
  readonly clock: Clock
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Where a list of segments goes that may be too large for memory: DATA_DIR. */
  readonly spoolFolder: string
  /** For administrators: the folder, or `-`. */
  readonly place: string
  readonly createdAt: Date
  readonly onDamage: (damage: Damage) => void
  readonly onProgress: (copiedBytes: number, storedBytes: number) => void
}

/**
 * Copies the service of one moment while it goes on working. In this order:
 *
 * 1. removals are held, so that no byte leaves the disk that the snapshot refers to;
 * 2. all rows are read in one transaction, and with them the committed end of each segment: bytes
 * below it were written before the row, and are never written again;
 * 3. segments are copied up to these ends, for any length of time;
 * 4. the hold is checked once more, and only then is the snapshot completed.
 *
 * @throws BackupProblem; the signal's reason; errors of the target and of the database
 */
export async function makeBackup(
  deps: BackupDeps,
  target: SnapshotTarget,
): Promise<format.Complete> {
  const { database, clock } = deps
  // First, because it may fail: a hold that is not released lasts for minutes.
  const spool = await Spool.open(deps.spoolFolder)
  try {
    const hold = await RemovalHold.take(database, clock, deps.place)
    try {
      return await new Run(deps, target, hold, spool).make()
    } finally {
      await hold.release()
    }
  } finally {
    await spool.close()
  }
}

class Run {
  readonly #deps: BackupDeps
  readonly #target: SnapshotTarget
  readonly #hold: RemovalHold
  readonly #spool: Spool
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #copiedBytes = 0
  #storedBytes = 0
  #damaged = 0

  constructor(deps: BackupDeps, target: SnapshotTarget, hold: RemovalHold, spool: Spool) {
    this.#deps = deps
    this.#target = target
    this.#hold = hold
    this.#spool = spool
  }

  async make(): Promise<format.Complete> {
    const { database, clock } = this.#deps
    const copied = await this.#copyDatabase()
    const segmentCount = await this.#copySegments()
    await requireMounted(this.#deps.root)
    await this.#hold.require()
    const complete: format.Complete = {
      finishedAt: new Date(clock.now()).toISOString(),
      tables: copied.tables,
      segments: { ...copied.list, count: segmentCount },
      storedBytes: this.#storedBytes,
      copiedBytes: this.#copiedBytes,
      files: copied.files,
      damaged: this.#damaged,
    }
    await this.#target.put(format.completeName, format.toJson(complete))
    await this.#target.finish()
    await rows.finishRun(database.sql, this.#hold.id, {
      ...complete,
      bytes: complete.storedBytes,
    })
    return complete
  }

  async #copyDatabase(): Promise<{
    tables: Record<string, format.Written>
    list: format.Written
    files: number
  }> {
    const { signal } = this.#deps
    const bulk = this.#deps.openBulk()
    // A database that does not answer must not keep the command from ending.
    const close = () => void bulk.close().catch(() => {})
    signal.addEventListener('abort', close, { once: true })
    try {
      await beginSnapshot(bulk.sql)
      const tables = await listTablesInOrder(bulk)
      await this.#putHead(bulk, tables)
      const copied: Record<string, format.Written> = {}
      for (const table of tables) {
        const put = (name: string, data: Buffer) => this.#put(name, data)
        const source = await bulk.copyOut(copyTableOut(table))
        copied[table.name] = await writeParts(source, `database/${table.name}`, put)
      }
      const source = await bulk.copyOut(rows.copySegmentList)
      const list = await writeParts(source, format.listBase, async (name, data) => {
        await this.#spool.append(data)
        await this.#put(name, data)
      })
      const files = await rows.countFiles(bulk.sql)
      return { tables: copied, list, files }
    } finally {
      signal.removeEventListener('abort', close)
      await bulk.close()
    }
  }

  async #putHead(bulk: Bulk, tables: readonly DumpedTable[]): Promise<void> {
    const { root, version, serviceId, keyFile, keyFingerprint, createdAt } = this.#deps
    const head: format.Head = {
      format: format.formatVersion,
      version,
      createdAt: createdAt.toISOString(),
      service: serviceId,
      storageRoot: root.id,
      migrations: await listApplied(bulk.sql),
      tables: tables.map(({ name, columns, counters }) => {
        return { name, columns: [...columns], counters: [...counters] }
      }),
      key: { isContained: keyFile !== null, fingerprint: keyFingerprint },
    }
    await this.#target.put(format.headName, format.toJson(head))
    if (keyFile !== null) await this.#target.put(format.keyName, keyFile)
  }

  async #put(name: string, data: Buffer): Promise<void> {
    this.#deps.signal.throwIfAborted()
    await this.#target.put(name, data)
    this.#hold.moved()
  }

  /** Returns the number of segments. */
  async #copySegments(): Promise<number> {
    for await (const { end } of this.#openList()) this.#storedBytes += end
    const list = this.#openList()
    const check = new ByteCheck(list, (damage) => {
      this.#damaged += 1
      this.#deps.onDamage(damage)
    })
    let count = 0
    for await (const segment of list) {
      this.#deps.signal.throwIfAborted()
      await this.#copySegment(segment, check)
      count += 1
    }
    return count
  }

  #openList(): SegmentList {
    return new SegmentList(unzip(this.#spool.read()))
  }

  async #copySegment(segment: ListedSegment, check: ByteCheck): Promise<void> {
    const present = await this.#sizeOf(segment)
    const bytes = Math.min(segment.end, present ?? 0)
    const target = await this.#target.openSegment(segment, bytes)
    if (target === null) return this.#hold.moved()
    try {
      await check.begin(segment, target.from)
      await this.#copy(segment, target, bytes, check)
      await check.end()
    } finally {
      await target.close()
    }
  }

  async #copy(
    { containerId, segmentId }: ListedSegment,
    target: SegmentTarget,
    bytes: number,
    check: ByteCheck,
  ): Promise<void> {
    if (bytes <= target.from) return
    const { root, pace, signal, onProgress } = this.#deps
    const file = await root.open(containerId, segmentId)
    try {
      for (let position = target.from; position < bytes;) {
        signal.throwIfAborted()
        const wanted = Math.min(this.#buffer.length, bytes - position)
        const read = await file.read(this.#buffer, 0, wanted, position).catch(noneIfUnreadable)
        // The check reports what lies behind; other segments are fine.
        if (read === 0) return
        const data = this.#buffer.subarray(0, read)
        await check.take(data)
        await target.write(data, position)
        position += read
        this.#copiedBytes += read
        this.#hold.moved()
        onProgress(this.#copiedBytes, this.#storedBytes)
        await pace.took(read)
      }
    } finally {
      await file.close()
    }
  }

  /** Null when it is lost. A disk that is away must not look like lost files. */
  async #sizeOf({ containerId, segmentId }: ListedSegment): Promise<number | null> {
    const bytes = await this.#deps.root.sizeOf(containerId, segmentId)
    if (bytes === null) await requireMounted(this.#deps.root)
    return bytes
  }
}

/** A bad sector must not prevent the backup of everything else. */
function noneIfUnreadable(error: unknown): number {
  if (!isUnreadable(error)) throw error
  return 0
}

/** How long removals stay held without a sign of life: the bound of a killed backup. */
const holdSeconds = 5 * 60
const extendEveryMs = minuteMs / 2
/** A backup that moves no byte for this long counts as hung, and holds nothing any longer. */
const idleMsMax = 10 * minuteMs

/**
 * Keeps the bytes on disk that a snapshot of the database refers to. While it is held, neither
 * freeing nor unused-segments.ts removes a segment (bytes/upkeep/freeing-sql.ts). Only the
 * clock of the database counts.
 */
class RemovalHold {
  readonly id = randomRowId()
  readonly #database: Database
  readonly #clock: Clock
  #timer: NodeJS.Timeout | null = null
  #movedAtMs: number
  #isLost = false

  private constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
    this.#movedAtMs = clock.monotonic()
  }

  /** Take it before the snapshot. @param place for administrators */
  static async take(database: Database, clock: Clock, place: string): Promise<RemovalHold> {
    const hold = new RemovalHold(database, clock)
    await rows.insertRun(database.sql, { id: hold.id, place, holdSeconds })
    hold.#timer = setInterval(() => void hold.#extend(), extendEveryMs).unref()
    return hold
  }

  /** Call after each step of progress. @throws BackupProblem when the hold has ended */
  moved(): void {
    this.#movedAtMs = this.#clock.monotonic()
    if (this.#isLost) throw lost()
  }

  /** @throws BackupProblem when the hold has ended at any time since it was taken */
  async require(): Promise<void> {
    if (this.#isLost || !(await rows.extendHold(this.#database.sql, this.id, holdSeconds))) {
      throw lost()
    }
  }

  /** Lets removals go on. */
  async release(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    await rows.endHold(this.#database.sql, this.id)
    await rows.deleteOldRuns(this.#database.sql)
  }

  async #extend(): Promise<void> {
    if (this.#clock.monotonic() - this.#movedAtMs > idleMsMax) return
    try {
      if (await rows.extendHold(this.#database.sql, this.id, holdSeconds)) return
      this.#isLost = true
    } catch {
      // Without its database, nothing is removed either; the next attempt tells.
    }
  }
}

function lost(): BackupProblem {
  return new BackupProblem(
    'the backup stood still for minutes, so stored files may have been removed. Run it again.',
  )
}
