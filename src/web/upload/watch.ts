// One request with timeouts, the only way to detect a dead connection.
import type { Clock } from '../lib/clock.ts'
import type { Transport, TransportReply, TransportRequest } from './types.ts'

const progressMsMin = 20_000
const answerMs = 60_000
const gapsKept = 15
const stallsCounted = 3

/** How long to tolerate silence. Learns from the connection: a slow one is not dead. */
export class Patience {
  readonly #gaps: number[] = []
  #stalls = 0

  /** @param ms between two progress events of one request */
  saw(ms: number): void {
    this.#gaps.push(ms)
    if (this.#gaps.length > gapsKept) this.#gaps.shift()
  }

  stalled(): void {
    this.#stalls = Math.min(stallsCounted, this.#stalls + 1)
  }

  succeeded(): void {
    this.#stalls = 0
  }

  /** Time until the next progress event. */
  get progressMs(): number {
    const median = this.#gaps.toSorted((a, b) => a - b)[this.#gaps.length >> 1] ?? 0
    return this.#stretch(Math.max(progressMsMin, 4 * median))
  }

  /**
   * Time from the last byte to the answer; sent bytes may still be in the machine's own buffers.
   */
  get answerMs(): number {
    return this.#stretch(answerMs)
  }

  /** Longer after each consecutive stall, so that the same chunk is not aborted forever. */
  #stretch(ms: number): number {
    return ms * 2 ** this.#stalls
  }
}

export interface Outcome {
  readonly reply: TransportReply
  readonly isStalled: boolean
  /** Aborted by us, on purpose. */
  readonly isAborted: boolean
  /** Every byte was sent: the service may have it, regardless of the outcome. */
  readonly sentAll: boolean
}

export interface Sending {
  readonly outcome: Promise<Outcome>
  readonly sentAll: boolean
  /** Milliseconds since the last sign of progress. */
  silentMs(): number
  abort(): void
}

interface Watched extends Omit<TransportRequest, 'signal'> {
  readonly clock: Clock
  readonly patience: Patience
}

const noReply: TransportReply = { status: 0, retryAfter: null, json: undefined }

/** Settles once, even if the transport never does. */
export function sendWatched(transport: Transport, watched: Watched): Sending {
  const { clock, patience, onProgress, ...request } = watched
  const bytes = (request.chunk?.bytes ?? request.tar)?.size ?? 0
  const controller = new AbortController()
  let sent = 0
  let sentAll = bytes === 0
  let heardAt = clock.now()
  let disarm = () => {}
  let resolve: (outcome: Outcome) => void
  const outcome = new Promise<Outcome>((settle) => (resolve = settle))
  const end = (reply: TransportReply, why: { isStalled?: boolean; isAborted?: boolean } = {}) => {
    disarm()
    resolve({ reply, isStalled: false, isAborted: false, sentAll, ...why })
  }
  const cut = (why: { isStalled?: boolean; isAborted?: boolean }) => {
    end(noReply, why)
    controller.abort()
  }
  const arm = () => {
    disarm()
    const ms = sentAll ? patience.answerMs : patience.progressMs
    disarm = clock.setTimer(ms, () => cut({ isStalled: true }))
  }
  arm()
  const progressed = (bytesSent: number) => {
    if (controller.signal.aborted || bytesSent <= sent) return
    sent = bytesSent
    sentAll = sent >= bytes
    // Small requests say nothing about the others.
    if (bytes > 0) patience.saw(clock.now() - heardAt)
    heardAt = clock.now()
    arm()
    onProgress?.(Math.min(sent, bytes))
  }
  transport({ ...request, onProgress: progressed, signal: controller.signal }).then(
    (reply) => end(reply),
    () => end(noReply),
  )
  return {
    outcome,
    get sentAll() {
      return sentAll
    },
    silentMs: () => clock.now() - heardAt,
    abort: () => cut({ isAborted: true }),
  }
}
