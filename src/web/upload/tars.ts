// Requests with an archive of small files: reads and sends them, and applies the answer to each.
import type { Flight, Flights } from './flights.ts'
import { isSuccess, type Asked } from './line.ts'
import type { Part } from './queue.ts'
import { readParts, type Tar } from './tar-files.ts'

export class TarRequests {
  readonly #flights: Flights

  constructor(flights: Flights) {
    this.#flights = flights
  }

  /** @returns what to do once the request is no longer in flight */
  async send(flight: Flight): Promise<() => void> {
    const isWanted = () => this.#flights.owner.maySend
    const { tar, lost } = await readParts(flight.parts, this.#flights.deps.clock, isWanted)
    const asked = tar.parts.length > 0 && isWanted() ? await this.#ask(flight, tar) : null
    return () => {
      const isStored = asked !== null && meaningOf(asked, tar) === 'stored'
      if (isStored) this.#flights.landed(tar.parts.filter(isCurrent), tar.blob.size)
      for (const { file, index } of flight.parts.filter(isCurrent)) file.refund(index)
      for (const { file } of lost.filter(isCurrent)) this.#flights.unreadable(file)
      if (asked && !isStored) this.#refused(tar, asked)
    }
  }

  #ask(flight: Flight, tar: Tar): Promise<Asked> {
    const { line, path, changed } = this.#flights.deps
    const onProgress = (sent: number) => {
      tar.progress(sent, (part, bytes) => {
        if (isCurrent(part)) part.file.set('sending')
        this.#flights.moved(part, bytes)
      })
      changed()
    }
    const { sending, asked } = line.ask(
      { method: 'POST', path: `${path}/tar`, tar: tar.blob, onProgress },
      isSuccess,
    )
    flight.sending = sending
    return asked
  }

  #refused(tar: Tar, asked: Asked): void {
    const { verdict, outcome } = asked
    // Files that came whole before a break stay at the service.
    if (outcome.isAborted) return this.#flights.owner.doubt()
    switch (meaningOf(asked, tar)) {
      case 'unsupported':
        this.#flights.deps.tarSupport.isRefused = true
        return
      case 'apart':
        return separate(tar)
    }
    if (verdict.kind === 'shrink') return this.#shrink(tar, verdict.limit)
    if (verdict.kind === 'relist') this.#flights.owner.doubt()
    if (verdict.kind === 'again' && outcome.reply.status !== 429) {
      this.#flights.owner.doubt()
      this.#suspect(tar, asked)
    }
    this.#flights.owner.trouble(asked)
  }

  #shrink(tar: Tar, limit: number | null): void {
    const { sizes, learned } = this.#flights.deps
    if (!sizes.shrink(tar.blob.size, limit)) separate(tar)
    else if (limit === null) learned(sizes.max)
  }

  /**
   * Something between may let no archives through, or none of this size, and give no answer that
   * says so. If the service answers small requests meanwhile, tries it otherwise.
   */
  #suspect({ blob, parts }: Tar, { outcome }: Asked): void {
    const { line, sizes } = this.#flights.deps
    const { status } = outcome.reply
    if (!line.backoff.isProbed || status === 503 || !this.#flights.suspect()) return
    const isForSize = status === 0 && !outcome.isStalled && blob.size > this.#flights.largestPassed
    if (!isForSize || !sizes.shrink(blob.size, null)) separate({ parts })
  }
}

/** Whether the part still belongs to the content of its file. */
function isCurrent({ file, key }: Part): boolean {
  return file.key === key
}

/** As chunks, each file gets its own answer. */
function separate({ parts }: Pick<Tar, 'parts'>): void {
  for (const { file } of parts) file.isAlone = true
}

/** Statuses of a service, or of a proxy, that takes no archives. */
const unsupported = [404, 405, 415, 501]

function meaningOf({ verdict, outcome }: Asked, { parts }: Tar) {
  const { status, json } = outcome.reply
  const { code, files } = (json ?? {}) as { code?: unknown; files?: unknown }
  if (verdict.kind === 'ok') return files === parts.length ? 'stored' : 'apart'
  // Firewalls of web applications refuse types that they do not know.
  const isFirewall = status === 403 && typeof code !== 'string'
  if (isFirewall || unsupported.includes(status)) return 'unsupported'
  if (verdict.kind === 'shrink') return 'other'
  const isRefused = ['refused', 'resend'].includes(verdict.kind)
  return isRefused || status === 400 || status === 413 ? 'apart' : 'other'
}
