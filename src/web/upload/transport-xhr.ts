// The engine's requests in a browser. XMLHttpRequest, because fetch tells no progress of a body
// over HTTP/1.1.
import type { Transport, TransportReply, TransportRequest } from './types.ts'

/** Characters of a list. */
const packedFrom = 64 * 1024

export const xhrTransport: Transport = async (request) => {
  const { method, path, token, json, chunk, onProgress, signal } = request
  const body = chunk ? formOf(chunk) : await packed(json)
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, path)
    if (token !== null) xhr.setRequestHeader('Authorization', `Bearer ${token}`)
    if (json !== undefined) xhr.setRequestHeader('Content-Type', 'application/json')
    if (body instanceof Blob) xhr.setRequestHeader('Content-Encoding', 'gzip')
    if (chunk) xhr.setRequestHeader('X-Chunk-Size', String(chunk.bytes.size))
    if (onProgress) xhr.upload.onprogress = ({ loaded }) => onProgress(loaded)
    const abort = () => xhr.abort()
    signal.addEventListener('abort', abort)
    // Comes after load, error and abort alike; Safari aborts on its own when it feels like it.
    xhr.onloadend = () => {
      signal.removeEventListener('abort', abort)
      resolve(replyOf(xhr))
    }
    xhr.send(body)
    if (signal.aborted) abort()
  })
}

/** Text fields first, so that a server can place the bytes while they come. */
function formOf({ fields, bytes }: NonNullable<TransportRequest['chunk']>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('chunk', bytes, 'chunk')
  return form
}

/** Long lists of files as gzip: proxies may take no more than 1 MB, and chunks alone are cut up. */
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
    // The page of a proxy, or nothing: the engine goes by the status.
  }
  return { status, retryAfter, json }
}
