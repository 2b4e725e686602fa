import { IncomingMessage } from 'node:http'

const smallBytesMax = 4 * 1024
const gatheredMax = 1000

/**
 * A request that delivers its body in few pieces. Node makes a buffer for every chunk of a chunked
 * body (RFC 9112 section 7.1), and a buffer of one byte takes two hundred: small ones that arrive
 * together are joined before anything keeps them.
 */
export class GatheredRequest extends IncomingMessage {
  #gathered: Buffer[] = []

  override push(data: Buffer | null): boolean {
    if (data === null || data.length > smallBytesMax) {
      this.#handOver()
      return super.push(data)
    }
    // An immediate runs once the present data of the socket is parsed.
    if (this.#gathered.length === 0) setImmediate(() => this.#flush())
    this.#gathered.push(data)
    return this.#gathered.length < gatheredMax || this.#handOver()
  }

  #flush(): void {
    // Like Node's reaction to `push`: pauses the socket until the body is read.
    if (!this.destroyed && !this.#handOver()) this.socket.pause()
  }

  #handOver(): boolean {
    if (this.#gathered.length === 0) return true
    const [first] = this.#gathered
    const data = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered)
    this.#gathered = []
    return super.push(data)
  }
}
