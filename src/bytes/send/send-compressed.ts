import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ByteWriter } from '../../http/answer.ts'
import { blockBytes } from '../segments/block-checksums.ts'
import type { ZipLayout } from '../archive/zip/layout.ts'
import type { ArchiveEntries } from './content.ts'
import { Filler, type SegmentSource } from './filler.ts'

/** yazl looks through its entries once for each of them. */
export const compressedEntriesMax = 10_000
/** A fifth more bytes than level 6, in less than half the time. */
const compressionLevel = 1
const regularFileReadableByAll = 0o100644
const folderOpenToAll = 0o040755

/** Memory of a deflater, and of the bytes before and behind it. */
const streamBytes = 768 * 1024
/** Memory of an entry in yazl until the end, beside its name. */
const entryBytes = 1536

/** Where a compressed archive goes, and its progress. */
interface Compressing {
  readonly writer: ByteWriter
  readonly segments: SegmentSource
  /** Called with uncompressed bytes of its entries. */
  onRead(bytes: number): void
  /** Called with bytes that the kernel has taken. */
  onSent(bytes: number): void
  /** Whether a write is waiting for the client. */
  onWaiting(isWaiting: boolean): void
}

/** Memory for sending an archive of this layout compressed. */
export function compressedMemoryBytes(layout: ZipLayout): number {
  return streamBytes + entryBytes * layout.count + layout.memoryBytes
}

/**
 * Sends an archive, deflating the entries that shrink. Entries are opened one after the other, and
 * read no faster than the client takes them.
 * @throws DamagedContent; errors of reading and writing
 */
export async function sendCompressed(
  entries: ArchiveEntries,
  { writer, segments, ...progress }: Compressing,
): Promise<void> {
  const { layout } = entries
  // Few services compress archives, and yazl takes 4 MB of memory.
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let source: Readable | null = null
  zip.on('error', (error: Error) => output.destroy(error))
  const open = (entry: number, size: number): Readable => {
    const filler = new Filler(entries.pieces(entry), segments)
    source = Readable.from(readWhole(filler, size, progress), { objectMode: false })
    // Not passed on by the pipes of yazl.
    return source.on('error', (error) => output.destroy(error))
  }
  for (let entry = 0; entry < layout.count; entry++) {
    const { name, size, modifiedAt, isFolder } = layout.entry(entry)
    const mtime = new Date(modifiedAt * 1000)
    if (isFolder) {
      zip.addEmptyDirectory(name, { mtime, mode: folderOpenToAll })
      continue
    }
    const level = entries.shrinks(entry) ? compressionLevel : 0
    // For a time before 1970, its extended field makes yazl throw where nothing catches it.
    const times = { mtime, forceDosTimestamp: modifiedAt < 0 }
    const options = { ...times, mode: regularFileReadableByAll, size, compressionLevel: level }
    zip.addReadStreamLazy(name, options, (callback) => callback(null, open(entry, size)))
  }
  zip.end()
  try {
    for await (const data of output) {
      progress.onWaiting(true)
      await writer.write(data)
      progress.onWaiting(false)
      progress.onSent(data.length)
    }
  } finally {
    await closed(source)
  }
}

/** The content of an entry, in buffers that are not reused: streams pass them on without copies. */
async function* readWhole(
  filler: Filler,
  size: number,
  { onRead }: Pick<Compressing, 'onRead'>,
): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const buffer = Buffer.allocUnsafe(Math.min(left, blockBytes))
    const filled = await filler.fill(buffer)
    if (filled === 0) return
    left -= filled
    onRead(filled)
    yield buffer.subarray(0, filled)
  }
}

/** Resolves once no read of the stream is running. */
async function closed(stream: Readable | null): Promise<void> {
  if (!stream) return
  stream.destroy()
  await finished(stream).catch(() => {})
}
