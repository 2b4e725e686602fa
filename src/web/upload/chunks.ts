// Requests with one chunk: reads and sends it, and applies the answer to its file.
import { within } from '../lib/clock.ts'
import { probe } from './comparing.ts'
import type { Flight, Flights } from './flights.ts'
import { modifiedAtOf } from './files.ts'
import { isSuccess, type Asked } from './line.ts'
import type { Part, QueuedFile } from './queue.ts'
import { sliceOf } from './reading.ts'
import type { Problem } from './types.ts'

/** How often a chunk that arrives damaged is sent again. */
const strikesMax = 3

export class ChunkRequests {
  readonly #flights: Flights

  constructor(flights: Flights) {
    this.#flights = flights
  }

  /** @returns what to do once the request is no longer in flight */
  async send(flight: Flight, part: Part): Promise<() => void> {
    const { file, index, key } = part
    file.set('sending')
    const bytes = sliceOf(part)
    if (bytes) await probe(file, index, this.#flights.deps)
    const asked = bytes && (await this.#ask(flight, part, bytes))
    const isUnreadable = !bytes || (asked && (await this.#isLost(bytes, asked)))
    return () => {
      if (file.key !== key) return
      if (asked?.verdict.kind === 'ok') return this.#flights.landed([part], part.end - part.start)
      file.refund(index)
      if (isUnreadable) this.#flights.unreadable(file)
      else if (asked && !asked.outcome.isAborted) this.#refused(part, asked)
    }
  }

  /** @returns null when it was not sent after all */
  async #ask(flight: Flight, part: Part, bytes: Blob): Promise<Asked | null> {
    const { line, path } = this.#flights.deps
    if (part.file.key !== part.key || !this.#flights.owner.maySend) return null
    const fields = fieldsOf(part)
    const onProgress = (sent: number) => {
      this.#flights.moved(part, sent)
      this.#flights.deps.changed()
    }
    const { sending, asked } = line.ask(
      { method: 'POST', path: `${path}/chunk`, chunk: { fields, bytes }, onProgress },
      isSuccess,
    )
    flight.sending = sending
    return asked
  }

  #refused(part: Part, asked: Asked): void {
    const { file } = part
    const { verdict, problem, outcome } = asked
    switch (verdict.kind) {
      case 'shrink':
        return this.#shrink(part, verdict.limit, problem)
      case 'resend':
        file.strikes += 1
        if (file.strikes > strikesMax) this.#flights.fail(file, problem)
        return
      case 'refused':
        return this.#flights.fail(file, problem)
      case 'again':
        if (outcome.sentAll && outcome.reply.status !== 429) this.#flights.owner.doubt()
        this.#suspect(part, asked)
        break
      case 'gone':
        // Then the 404 for an archive said the same, and nothing about archives.
        this.#flights.deps.tarSupport.isRefused = false
        break
      case 'relist':
        this.#flights.owner.doubt()
    }
    this.#flights.owner.trouble(asked)
  }

  #shrink(part: Part, limit: number | null, problem: Problem): void {
    const { sizes } = this.#flights.deps
    const bytes = part.end - part.start
    if (!sizes.shrink(bytes, limit, part.file.size)) return this.#flights.owner.tooLarge(problem)
    if (limit === null) this.#flights.deps.learned(sizes.max)
    this.#restart(part.file)
  }

  /**
   * A browser that reads no answer while it sends reports a refused size as a broken connection. If
   * the service answers small requests, and only chunks above the largest successful size are lost,
   * tries a smaller size. As this is a guess, it is not remembered, and no received chunk is given
   * up for it.
   */
  #suspect(part: Part, { outcome }: Asked): void {
    const { line, sizes } = this.#flights.deps
    const bytes = part.end - part.start
    if (outcome.reply.status !== 0 || outcome.isStalled || !line.backoff.isProbed) return
    if (bytes <= this.#flights.largestPassed || part.file.receivedBytes > 0) return
    if (this.#flights.suspect() && sizes.shrink(bytes, null, part.file.size))
      this.#restart(part.file)
  }

  /** The chunk size is fixed per file, so a file with too large chunks starts over. */
  #restart(refused: QueuedFile): void {
    this.#flights.abort((_sending, parts) => parts.some(({ file }) => file === refused))
    refused.restart()
  }

  /**
   * A changed or removed file fails like a broken connection; reading one byte tells which it was.
   */
  async #isLost(bytes: Blob, { outcome }: Asked): Promise<boolean> {
    if (outcome.reply.status !== 0 || outcome.isAborted || outcome.isStalled) return false
    const byte = bytes.slice(0, 1).arrayBuffer()
    const read = byte.then(() => 'read' as const).catch(() => 'lost')
    return (await within(this.#flights.deps.clock, read)) === 'lost'
  }
}

function fieldsOf({ file, key, index }: Part): Record<string, string> {
  return {
    chunkIndex: String(index),
    totalChunks: String(file.chunks),
    fileName: file.path,
    ...modifiedAtOf(file),
    fileId: key,
    totalFileSize: String(file.size),
  }
}
