import type { RequestContext } from './request-context.ts'

const discardBytesMax = 256 * 1024 * 1024
const discardTimeMsMax = 60_000

/**
 * After an answer that was sent while the body was still arriving: reads and discards the rest, so
 * that the client can read the answer. Closing at once would reset the connection, and clients that
 * write before they read would see the reset instead of the 413.
 */
export function discardBody(context: RequestContext): void {
  const { request } = context
  if (request.complete || request.destroyed) {
    request.resume()
    return
  }
  let discarded = 0
  const close = () => request.socket.destroy()
  const timer = setTimeout(close, discardTimeMsMax)
  timer.unref()
  request.on('data', (data: Buffer) => {
    discarded += data.length
    context.bodyBytes += data.length
    if (discarded > discardBytesMax) close()
  })
  const done = () => clearTimeout(timer)
  request.once('end', done).once('close', done)
  context.paused = false
  request.resume()
}
