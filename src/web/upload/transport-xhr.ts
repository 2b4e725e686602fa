// The engine's requests in a browser. Uses XMLHttpRequest, because fetch reports no upload progress
// over HTTP/1.1.
import { addressOf } from '../lib/base-path.ts'
import type { Transport, TransportReply, TransportRequest } from './types.ts'

/** In characters of a list. */
const packedFrom = 64 * 1024

export const xhrTransport: Transport = async (request) => {
  const { method, path, token, json, chunk, tar, jpeg, onProgress, signal } = request
  const body = chunk ? formOf(chunk) : (tar ?? jpeg ?? (await packed(json)))
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, addressOf(path))
    if (token !== null) xhr.setRequestHeader('Authorization', `Bearer ${token}`)
    if (tar) xhr.setRequestHeader('Content-Type', 'application/x-tar')
    if (jpeg) xhr.setRequestHeader('Content-Type', 'image/jpeg')
    if (json !== undefined) xhr.setRequestHeader('Content-Type', 'application/json')
    if (json !== undefined && body instanceof Blob) xhr.setRequestHeader('Content-Encoding', 'gzip')
    if (chunk) xhr.setRequestHeader('X-Chunk-Size', String(chunk.bytes.size))
    if (onProgress) xhr.upload.onprogress = ({ loaded }) => onProgress(loaded)
    const abort = () => xhr.abort()
    signal.addEventListener('abort', abort)
    // Follows load, error and abort alike; Safari may abort on its own.
    xhr.onloadend = () => {
      signal.removeEventListener('abort', abort)
      resolve(replyOf(xhr))
    }
    xhr.send(body)
    if (signal.aborted) abort()
  })
}

/** Text fields first, so that a server can place the bytes while they arrive. */
function formOf({ fields, bytes }: NonNullable<TransportRequest['chunk']>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('chunk', bytes, 'chunk')
  return form
}

/** Long lists of files as gzip: proxies may limit bodies to 1 MB, and only chunks are divided. */
async function packed(json: unknown): Promise<string | Blob | null> {
  const text = json === undefined ? null : JSON.stringify(json)
  if (text === null || text.length < packedFrom || !('CompressionStream' in globalThis)) return text
  const packing = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packing).blob()
}

function replyOf(xhr: XMLHttpRequest): TransportReply {
  const { status } = xhr
  const retryAfter = status === 0 ? null : xhr.getResponseHeader('Retry-After')
  let json: unknown
  try {
    json = JSON.parse(xhr.responseText)
  } catch {
    // A proxy's page, or no body: the engine uses the status.
  }
  return { status, retryAfter, json }
}
