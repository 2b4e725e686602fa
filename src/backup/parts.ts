import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { countRows } from './copy-rows.ts'
import type { Written } from './format.ts'

// Rows of any number are kept in parts of a few megabytes: a tar archive names the size of a file
// before its bytes. `cat users.gz.* | gunzip` joins the parts of a table.

const partBytes = 4 * 1024 * 1024

export function partName(base: string, index: number): string {
  return `${base}.gz.${String(index).padStart(6, '0')}`
}

/** The base of a part's name, and its index; null for another name. */
export function parsePartName(name: string): { base: string; index: number } | null {
  const [, base, index] = /^(.+)\.gz\.(\d{6})$/.exec(name) ?? []
  return base === undefined ? null : { base, index: Number(index) }
}

/** Compresses the rows of a COPY stream, and hands out each part. */
export async function writeParts(
  source: AsyncIterable<Buffer>,
  base: string,
  put: (name: string, data: Buffer) => Promise<void>,
): Promise<Written> {
  const written = { rows: 0, parts: 0, bytes: 0 }
  const flush = async (pieces: readonly Buffer[]) => {
    const data = Buffer.concat(pieces)
    await put(partName(base, written.parts), data)
    written.parts += 1
    written.bytes += data.length
  }
  await pipeline(
    source,
    async function* count(data: AsyncIterable<Buffer>) {
      for await (const piece of data) {
        written.rows += countRows(piece)
        yield piece
      }
    },
    createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 }),
    async (compressed: AsyncIterable<Buffer>) => {
      let pieces: Buffer[] = []
      let bytes = 0
      for await (const piece of compressed) {
        pieces.push(piece)
        bytes += piece.length
        if (bytes < partBytes) continue
        await flush(pieces)
        pieces = []
        bytes = 0
      }
      if (bytes > 0) await flush(pieces)
    },
  )
  return written
}

/** The rows of parts that are read one after the other. @throws errors of zlib and of reading */
export async function* unzip(
  compressed: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, void> {
  const gunzip = createGunzip()
  const feeding = pipeline(compressed, gunzip)
  feeding.catch(() => {})
  try {
    for await (const data of gunzip) yield data as Buffer
    await feeding
  } finally {
    gunzip.destroy()
  }
}
