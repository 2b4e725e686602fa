// A client that reads an answer at the test's pace, and may disconnect in the middle of it.
import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { requireDescribed, serverOf } from './description.ts'

/** An answer whose headers have arrived; its body is read only on request. */
export class SlowReader {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly #request: ClientRequest
  readonly #response: IncomingMessage

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    this.#request = request
    this.#response = response
  }

  /** Sends a GET on a new connection. Rejects when it ends before an answer has started. */
  static open(url: string, headers: Record<string, string> = {}): Promise<SlowReader> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers }, (response) => {
        response.on('error', () => {})
        const { statusCode: status = 0, headers } = response
        const { origin, pathname } = new URL(url)
        try {
          requireDescribed({
            server: serverOf(origin),
            method: 'GET',
            path: pathname,
            status,
            headers,
            body: null,
          })
        } catch (error) {
          request.destroy()
          return reject(error)
        }
        resolve(new SlowReader(request, response))
      })
      request.on('error', reject)
    })
  }

  /** At least this many bytes of the body, or all that come before its end. */
  async read(bytesMin: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let count = 0
    while (count < bytesMin) {
      const data = this.#response.read() as Buffer | null
      if (data) {
        parts.push(data)
        count += data.length
      } else if (this.#response.readableEnded || this.#response.destroyed) {
        break
      } else {
        await this.#next()
      }
    }
    return Buffer.concat(parts)
  }

  /** The rest of the body, and whether it has the promised length. */
  async readRest(): Promise<{ body: Buffer; isComplete: boolean }> {
    const body = await this.read(Infinity)
    return { body, isComplete: this.#response.complete }
  }

  /** Disconnects. */
  abort(): void {
    this.#request.destroy()
  }

  async #next(): Promise<void> {
    const over = new AbortController()
    const { signal } = over
    const events = ['readable', 'end', 'close'].map((name) =>
      once(this.#response, name, { signal }).catch(() => {}),
    )
    await Promise.race(events)
    over.abort()
  }
}
