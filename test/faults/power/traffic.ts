// Clients that use every operation on files, all at once, until told to stop. They keep the ledger:
// requests are recorded before they are sent, and their results afterwards.
import { setTimeout } from 'node:timers/promises'
import type { Answer } from '../../helpers/client.ts'
import type { Seeded } from '../../helpers/seeded.ts'
import { finalize, lookAround, remove, sendChunk, type Caller } from './calls.ts'
import {
  bytesOf,
  lengthMax,
  sizeOf,
  type Chunk,
  type Holder,
  type Ledger,
  type Question,
  type SentFile,
  type Version,
} from './ledger.ts'

const workersMax = 6
const sendersMax = 3
const holdersMax = 16
const pauseMs = 20
const mebibyte = 1024 * 1024

export interface TrafficOptions {
  readonly caller: Caller
  readonly ledger: Ledger
  readonly chance: Seeded
  readonly onAcknowledged: () => void
}

export class Traffic {
  readonly #options: TrafficOptions
  readonly #workers: Promise<void>[]
  #isStopped = false
  #failure: unknown = null

  constructor(options: TrafficOptions) {
    this.#options = options
    const fail = (error: unknown) => {
      this.#failure ??= error
      this.#isStopped = true
    }
    this.#workers = Array.from({ length: workersMax }, () => this.#work().catch(fail))
  }

  /** A worker has found a violation: `stop` throws it. */
  get hasFailed(): boolean {
    return this.#failure !== null
  }

  /** Resolves when no request runs any more. Throws a violation that a worker has found. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#workers)
    if (this.#failure !== null) throw this.#failure
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      const holder = this.#takeIdle()
      try {
        if (holder) await this.#goOnWith(holder)
        else await this.#begin()
      } finally {
        if (holder) holder.isBusy = false
      }
    }
  }

  /** Null: start another one. */
  #takeIdle(): Holder | null {
    const { ledger, chance } = this.#options
    const idle = ledger.holders.filter(
      ({ isBusy, question, removing, state }) =>
        !isBusy && question === null && removing === null && state !== 'gone',
    )
    const live = ledger.holders.filter(({ state }) => state !== 'gone')
    if (idle.length === 0 || (live.length < holdersMax && chance.chance(0.35))) return null
    const holder = chance.pick(idle)
    holder.isBusy = true
    return holder
  }

  async #begin(): Promise<void> {
    const { caller, ledger, chance } = this.#options
    if (chance.chance(0.3)) {
      const name = ledger.newName('delivery')
      const path = `/api/public/reverse/${caller.reverseId}/init`
      const input = { senderName: name, allowSharing: true }
      const answer = await this.#ask(() => caller.anonymous.post(path, input))
      caller.anonymous.cookies.clear()
      if (answer?.status !== 200) return
      const token = answer.json().uploadToken
      await this.#own(ledger.add({ kind: 'delivery', id: '', name, token, isBusy: true }))
      return
    }
    const name = ledger.newName('share')
    const answer = await this.#ask(() => caller.owner.post('/api/shares/init', { name }))
    if (answer?.status !== 200) return
    const id = answer.json().shareId
    await this.#own(ledger.add({ kind: 'share', id, name, isBusy: true }))
  }

  async #own(holder: Holder): Promise<void> {
    try {
      await this.#upload(holder)
    } finally {
      holder.isBusy = false
    }
  }

  async #goOnWith(holder: Holder): Promise<void> {
    const { chance, ledger } = this.#options
    const isCrowded = ledger.holders.length >= holdersMax
    if (chance.chance(isCrowded ? 0.5 : 0.08)) return this.#delete(holder)
    if (holder.state === 'draft' || holder.state === 'adding') {
      if (chance.chance(0.3)) await this.#rewrite(holder)
      return this.#upload(holder)
    }
    if (holder.kind === 'delivery') return this.#copy(holder)
    if (chance.chance(0.7) && holder.files.length > 0) return this.#removeFile(holder)
    return this.#startAdding(holder)
  }

  async #upload(holder: Holder): Promise<void> {
    const { chance } = this.#options
    if (holder.sending.length === 0) holder.sending = this.#newFiles()
    const missing = holder.sending.flatMap((file) =>
      file.chunks
        .map((chunk, index) => ({ file, chunk, index }))
        .filter(({ chunk }) => !chunk.isAcknowledged),
    )
    const queue = chance.shuffle(missing)
    const sender = async () => {
      for (let next = queue.pop(); next && !this.#isStopped; next = queue.pop()) {
        // Sent again it has the same bytes, as from any client.
        const version = next.chunk.tried.at(-1) ?? this.#newVersion(next.chunk.length)
        await this.#send(holder, next, version)
      }
    }
    await Promise.all(Array.from({ length: sendersMax }, sender))
    const isWhole = holder.sending.every(({ chunks }) =>
      chunks.every((each) => each.isAcknowledged),
    )
    if (isWhole && !this.#isStopped && chance.chance(0.8)) await this.#finalize(holder)
  }

  async #rewrite(holder: Holder): Promise<void> {
    const { chance } = this.#options
    const file = chance.pick(holder.sending.length > 0 ? holder.sending : [null])
    if (!file || this.#isStopped) return
    const index = chance.between(0, file.chunks.length - 1)
    const chunk = file.chunks[index]!
    await this.#send(holder, { file, chunk, index }, this.#newVersion(chunk.length))
  }

  async #send(
    holder: Holder,
    { file, chunk, index }: { file: SentFile; chunk: Chunk; index: number },
    version: Version,
  ): Promise<void> {
    const { caller, onAcknowledged } = this.#options
    chunk.tried.push(version)
    const answer = await this.#ask(() => sendChunk(caller, holder, file, index, bytesOf(version)))
    if (answer?.status !== 200) return
    chunk.tried = [version]
    chunk.isAcknowledged = true
    onAcknowledged()
  }

  async #finalize(holder: Holder): Promise<void> {
    const { caller } = this.#options
    if (await this.#settle(holder, 'finalize', () => finalize(caller, holder))) {
      noteFinalized(holder)
    }
  }

  async #delete(holder: Holder): Promise<void> {
    const { caller } = this.#options
    if (holder.kind === 'delivery' && !(await this.#findDelivery(holder))) return
    if (await this.#settle(holder, 'delete', () => remove(caller, holder))) holder.state = 'gone'
  }

  async #startAdding(holder: Holder): Promise<void> {
    const { caller } = this.#options
    const path = `/api/shares/${holder.id}/additions`
    if (!(await this.#settle(holder, 'start adding', () => caller.owner.post(path)))) return
    holder.state = 'adding'
    if (!this.#isStopped) await this.#upload(holder)
  }

  async #removeFile(holder: Holder): Promise<void> {
    const { caller, chance } = this.#options
    // Without its largest file a share may have segments that nothing refers to.
    const largest = holder.files.toSorted((left, right) => sizeOf(right) - sizeOf(left))[0]!
    const { name } = chance.chance(0.7) ? largest : chance.pick(holder.files)
    const shown = await this.#ask(() => caller.owner.get(`/api/public/shares/${holder.id}`))
    if (shown?.status !== 200 || this.#isStopped) return
    const { id } = shown.json().files.find((file: any) => file.original_name === name)
    holder.removing = name
    const path = `/api/shares/${holder.id}/files/${id}`
    const answer = await this.#ask(() => caller.owner.delete(path))
    if (answer?.status !== 200) return
    holder.files = holder.files.filter((file) => file.name !== name)
    holder.removing = null
  }

  /** A share of a delivery, by hard links. Without an answer it is later found by name. */
  async #copy(delivery: Holder): Promise<void> {
    const { caller, ledger } = this.#options
    if (!(await this.#findDelivery(delivery)) || this.#isStopped) return
    const name = ledger.newName('copy')
    ledger.copies.set(name, [...delivery.files])
    const path = `/api/reverse/${caller.reverseId}/deliveries/${delivery.id}/share`
    const answer = await this.#ask(() => caller.owner.post(path, { name }))
    if (answer?.status !== 200) return
    const id = answer.json().shareId
    ledger.add({ kind: 'share', id, name, state: 'complete', files: [...delivery.files] })
  }

  async #findDelivery(holder: Holder): Promise<boolean> {
    if (holder.id !== '') return true
    const { caller } = this.#options
    const seen = await lookAround(caller).catch(() => [])
    holder.id = seen.find(({ name }) => name === holder.name)?.id ?? ''
    return holder.id !== ''
  }

  /** Requests a change; without a clear answer the question stays open. */
  async #settle(holder: Holder, question: Question, call: () => Promise<Answer>): Promise<boolean> {
    holder.question = question
    const answer = await this.#ask(call)
    if (answer?.status !== 200) return false
    holder.question = null
    return true
  }

  /** Null when there was no answer, or an inconclusive one. */
  async #ask(call: () => Promise<Answer>): Promise<Answer | null> {
    const answer = await call().catch((error: unknown) => {
      // A broken connection has a code; an answer against the description has none.
      if (error instanceof Error && 'code' in error) return null
      throw error
    })
    if (answer === null || answer.status >= 500) {
      await setTimeout(pauseMs)
      return null
    }
    // One copy at a time: another worker makes one.
    const isTurnedAway = answer.status === 409 && answer.json().code === 'conflict'
    if (answer.status !== 200 && !isTurnedAway) {
      throw new Error(`unexpected answer: ${answer.status} ${answer.body.toString()}`)
    }
    return answer
  }

  #newFiles(): SentFile[] {
    const { chance, ledger } = this.#options
    return Array.from({ length: chance.between(1, 4) }, () => ({
      fileId: ledger.newName('file'),
      name: `${ledger.newName('folder')}/${ledger.newName('name')}`,
      chunks: Array.from({ length: chance.between(1, 4) }, () => ({
        length: this.#newLength(),
        tried: [],
        isAcknowledged: false,
      })),
    }))
  }

  /**
   * Most chunks are small and are committed in groups; some use a segment writer, a few several
   * syncs.
   */
  #newLength(): number {
    const { chance } = this.#options
    if (chance.chance(0.6)) return chance.between(1, 20_000)
    if (chance.chance(0.8)) return chance.between(200_000, 900_000)
    return chance.between(mebibyte, lengthMax)
  }

  #newVersion(length: number): Version {
    return { from: this.#options.chance.between(0, lengthMax), length }
  }
}

/** Its files are public now. */
export function noteFinalized(holder: Holder): void {
  holder.files.push(...holder.sending)
  holder.sending = []
  holder.state = 'complete'
}
