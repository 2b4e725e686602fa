// The engine's requests in a browser. XMLHttpRequest, because fetch tells no progress of a body
// over HTTP/1.1.
import type { Transport, TransportReply, TransportRequest } from './types.ts'

export const xhrTransport: Transport = (request) =>
  new Promise((resolve) => {
    const { method, path, token, json, chunk, onProgress, signal } = request
    const xhr = new XMLHttpRequest()
    xhr.open(method, path)
    if (token !== null) xhr.setRequestHeader('Authorization', `Bearer ${token}`)
    if (json !== undefined) xhr.setRequestHeader('Content-Type', 'application/json')
    if (chunk) xhr.setRequestHeader('X-Chunk-Size', String(chunk.bytes.size))
    if (onProgress) xhr.upload.onprogress = ({ loaded }) => onProgress(loaded)
    const abort = () => xhr.abort()
    signal.addEventListener('abort', abort)
    // Comes after load, error and abort alike; Safari aborts on its own when it feels like it.
    xhr.onloadend = () => {
      signal.removeEventListener('abort', abort)
      resolve(replyOf(xhr))
    }
    xhr.send(bodyOf(request))
  })

/** Text fields first, so that a server can place the bytes while they come. */
function bodyOf({ json, chunk }: TransportRequest): FormData | string | null {
  if (!chunk) return json === undefined ? null : JSON.stringify(json)
  const form = new FormData()
  for (const [name, value] of Object.entries(chunk.fields)) form.append(name, value)
  form.append('chunk', chunk.bytes, 'chunk')
  return form
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
