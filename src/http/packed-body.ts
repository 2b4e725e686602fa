import { createGunzip } from 'node:zlib'
import { CodedError } from '../lib/errors.ts'
import { feedBody, tooLarge } from './body.ts'
import type { Exchange } from './exchange.ts'

/** Codings of a body that are taken apart (RFC 9110 section 8.4.1). */
type Coding = 'gzip' | 'identity'

/**
 * feedBody() for a body that may be packed. `bytesMax` holds for the bytes on the line and for what
 * they become; `write` gets pieces of at most 64 KiB.
 * @throws CodedError invalid_content_type, invalid_json, payload_too_large, incomplete_body, or
 *   what `write` threw
 */
export async function feedUnpacked(
  exchange: Exchange,
  bytesMax: number,
  write: (data: Buffer) => void,
): Promise<void> {
  if (readCoding(exchange) === 'identity') return feedBody(exchange, bytesMax, write)
  const gunzip = createGunzip()
  let bytes = 0
  const unpacked = new Promise<void>((resolve, reject) => {
    gunzip.on('data', (data: Buffer) => {
      bytes += data.length
      try {
        if (bytes > bytesMax) throw tooLarge(bytesMax)
        write(data)
      } catch (error) {
        gunzip.destroy(error as Error)
      }
    })
    gunzip.on('end', resolve).on('error', (error) => reject(ofClient(error)))
  })
  try {
    await feedBody(exchange, bytesMax, (data) => {
      // Its callback comes once all of the piece is unpacked: the socket waits for that.
      const taken = new Promise<void>((resolve) => gunzip.write(data, () => resolve()))
      return Promise.race([unpacked, taken])
    })
    gunzip.end()
    await unpacked
  } finally {
    unpacked.catch(() => {})
    gunzip.destroy()
  }
}

export function isPacked(exchange: Exchange): boolean {
  return readCoding(exchange) !== 'identity'
}

function readCoding(exchange: Exchange): Coding {
  const coding = (exchange.header('content-encoding') ?? 'identity').trim().toLowerCase()
  if (coding === 'gzip' || coding === 'identity') return coding
  throw new CodedError('invalid_content_type', {
    message: 'Send the body as it is, or packed as gzip.',
    // RFC 9110 section 12.5.3.
    headers: { 'Accept-Encoding': 'gzip' },
  })
}

/** What zlib says of bytes it cannot read, as the client's mistake that it is. */
function ofClient(error: Error): unknown {
  if (error instanceof CodedError) return error
  return new CodedError('invalid_json', {
    message: 'The body is not whole gzip, as its Content-Encoding says.',
    cause: error,
  })
}
