import { segmentFile, OpenFile } from '../bytes/segments/files-on-disk.ts'
import type { Pace } from '../bytes/upkeep/verify/pace.ts'
import { ignoreMissing } from '../lib/durable-file.ts'
import { ByteCheck, type Damage } from './byte-check.ts'
import type { RestoreTarget } from './restored-segments.ts'
import type { ListedSegment } from './segment-list.ts'
import type { Snapshot } from './snapshot.ts'

const bufferBytes = 1024 * 1024

export interface ReadOptions {
  readonly onDamage: (damage: Damage) => void
  readonly onProgress: (readBytes: number) => void
  readonly pace: Pace
  readonly signal: AbortSignal
}

/** Reads all rows of a snapshot. @throws BackupProblem when some are damaged or missing */
export async function checkTables(snapshot: Snapshot): Promise<void> {
  for (const { name } of snapshot.head.tables) for await (const _ of snapshot.readTable(name));
}

/**
 * Reads and checks all segments of a snapshot, and copies them on the way. Damaged bytes are
 * reported and copied as they are: the service refuses their files by their checksums.
 * @param target null to check them alone
 * @returns the bytes read
 */
export async function readSegments(
  snapshot: Snapshot,
  storageFolder: string,
  target: RestoreTarget | null,
  options: ReadOptions,
): Promise<number> {
  const list = snapshot.openList()
  const check = new ByteCheck(list, options.onDamage)
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let read = 0
  const took = async (bytes: number) => {
    read += bytes
    options.onProgress(read)
    options.signal.throwIfAborted()
    await options.pace.took(bytes)
  }
  for await (const segment of list) {
    options.signal.throwIfAborted()
    const restored = await target?.open(segment)
    try {
      await check.begin(segment, 0)
      const name = segmentFile(storageFolder, segment.containerId, segment.segmentId)
      await readSegment(name, segment, buffer, async (data) => {
        await check.take(data)
        await restored?.write(data)
        await took(data.length)
      })
      await check.end()
    } finally {
      await restored?.close()
    }
  }
  return read
}

/** Reads the bytes up to the end of a segment, or as many as there are. */
async function readSegment(
  name: string,
  { end }: ListedSegment,
  buffer: Buffer,
  take: (data: Buffer) => Promise<void>,
): Promise<void> {
  const file = await OpenFile.open(name, 'r').catch(ignoreMissing)
  if (!file) return
  try {
    for (let position = 0; position < end;) {
      const wanted = Math.min(buffer.length, end - position)
      const count = await file.read(buffer, 0, wanted, position)
      if (count === 0) return
      await take(buffer.subarray(0, count))
      position += count
    }
  } finally {
    await file.close()
  }
}
