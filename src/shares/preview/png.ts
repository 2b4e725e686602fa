import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { crc32 } from '../../lib/crc32.ts'
import type { Rgb } from '../../lib/colors.ts'

const deflateAsync = promisify(deflate)

/** An image of indexes into its palette. */
export interface IndexedImage {
  readonly width: number
  readonly height: number
  /** At most 256. */
  readonly palette: readonly Rgb[]
  /** Row by row. */
  readonly pixels: Uint8Array
}

/** Encodes an image as PNG (third edition). */
export async function encodePng({ width, height, palette, pixels }: IndexedImage): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8 // Bit depth.
  header[9] = 3 // Colour type: indexed.
  // Each row begins with its filter: none, which suits flat areas.
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row += 1) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', await deflateAsync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
