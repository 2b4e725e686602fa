import type { Clock } from '../lib/clock.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import type { Log } from '../lib/log.ts'
import {
  CertificateError,
  readPair,
  stateOf,
  type CertificateFiles,
  type CertificatePair,
} from './certificate-files.ts'

interface CertificateDeps {
  /** Name or address that clients use. */
  readonly host: string
  readonly clock: Clock
  readonly log: Log
}

/** Watching a folder misses changes behind bind mounts and symbolic links. */
const checkIntervalMs = minuteMs
/** Certificates of Let's Encrypt are renewed 30 days before they expire. */
const warnMsMax = 14 * dayMs

/**
 * The certificate of a listener. Reads its files again when they have changed, and keeps the last
 * good pair.
 */
export class Certificate {
  readonly #files: CertificateFiles
  readonly #host: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #listeners: ((pair: CertificatePair) => void)[] = []
  #pair: CertificatePair
  /** State of the files at the last successful read. */
  #state: string
  #problem: string | null = null
  #warnedAtMs = -Infinity
  #checking: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null

  private constructor(
    files: CertificateFiles,
    first: { readonly pair: CertificatePair; readonly state: string },
    { host, clock, log }: CertificateDeps,
  ) {
    this.#files = files
    this.#pair = first.pair
    this.#state = first.state
    this.#host = host
    this.#clock = clock
    this.#log = log
  }

  /**
   * Takes an expired certificate too: the service must run to answer the challenges of a renewal.
   * @throws CertificateError
   */
  static async open(files: CertificateFiles, deps: CertificateDeps): Promise<Certificate> {
    const state = await stateOf(files)
    const pair = await readPair(files, deps.host)
    return new Certificate(files, { pair, state }, deps)
  }

  get pair(): CertificatePair {
    return this.#pair
  }

  /** Until it expires; negative afterwards. */
  get secondsLeft(): number {
    return Math.floor((this.#pair.expiresAt.getTime() - this.#clock.now()) / 1000)
  }

  /** Also true once it has expired. */
  get expiresSoon(): boolean {
    return this.secondsLeft * 1000 < warnMsMax
  }

  onChange(listener: (pair: CertificatePair) => void): void {
    this.#listeners.push(listener)
  }

  /** Checks the files now and once a minute. */
  start(): void {
    this.#timer ??= setInterval(() => void this.check(), checkIntervalMs).unref()
    this.#sayDoubts()
    this.#warn()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Reads the files if they have changed. Never rejects. */
  async check(): Promise<void> {
    // A check that is running may have read the files before their last change.
    const before = this.#checking
    const check = (before ?? Promise.resolve()).then(() => this.#check())
    this.#checking = check
    await check
    if (this.#checking === check) this.#checking = null
  }

  async #check(): Promise<void> {
    try {
      const state = await stateOf(this.#files)
      if (state !== this.#state) {
        const pair = await readPair(this.#files, this.#host)
        this.#refuseExpired(pair)
        for (const listener of this.#listeners) listener(pair)
        this.#state = state
        const { serial, expiresAt } = pair
        const isNew = serial !== this.#pair.serial
        this.#pair = pair
        if (isNew) this.#warnedAtMs = -Infinity
        this.#log.info('uses the new certificate', { serial, expiresAt: expiresAt.toISOString() })
        this.#sayDoubts()
      }
      this.#problem = null
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      if (problem !== this.#problem) {
        this.#log.error('kept the certificate: its files are not valid', { problem })
      }
      this.#problem = problem
    }
    this.#warn()
  }

  /** @throws CertificateError when the present one lasts longer */
  #refuseExpired({ expiresAt }: CertificatePair): void {
    if (+expiresAt > this.#clock.now() || expiresAt >= this.#pair.expiresAt) return
    const at = expiresAt.toISOString()
    throw new CertificateError(`${this.#files.certificate} expired at ${at}: renew it.`)
  }

  #sayDoubts(): void {
    for (const problem of this.#pair.doubts) this.#log.warn('doubts the certificate', { problem })
  }

  /** Once a day. */
  #warn(): void {
    const now = this.#clock.monotonic()
    if (!this.expiresSoon || now - this.#warnedAtMs < dayMs) return
    this.#warnedAtMs = now
    const expiresAt = this.#pair.expiresAt.toISOString()
    if (this.secondsLeft < 0) this.#log.error('the certificate has expired', { expiresAt })
    else this.#log.warn('the certificate expires soon', { expiresAt })
  }
}
