import { CodedError } from '../../lib/errors.ts'
import type { Content } from './content.ts'

/** The object that a transfer sends bytes of. */
export interface TransferSubject {
  /** Transfers that are aborted together: the id of a share, a delivery or a reverse share. */
  readonly abortKey: string
  /**
   * A change of it withdraws the subject. For a share, the version of its password, followed by the
   * id of a personal link.
   */
  readonly withdrawalVersion: string
}

/** A request that can be aborted. */
interface Abortable {
  /** @param reason answers the client, unless the head has been sent */
  abort(reason: CodedError): void
}

/** How much of its part of a content a transfer has sent. */
export interface Progress {
  sentBytes: number
  totalBytes: number
}

/** All running transfers of a subject. */
export interface RunningSubject extends Readonly<Progress> {
  readonly abortKey: string
  readonly transfers: number
}

interface Running {
  readonly subject: TransferSubject
  readonly segments: Content['segments']
  readonly progress: Readonly<Progress>
}

/** Running transfers, grouped by subject so that they can be aborted. */
export class RunningTransfers {
  readonly #byKey = new Map<string, Map<Abortable, Running>>()

  get count(): number {
    return [...this.#byKey.values()].reduce((sum, group) => sum + group.size, 0)
  }

  /**
   * Whether a transfer reads the bytes of a share, or names a segment in its plan. It opens a
   * segment only when it gets there, so all of them have to stay until it ends.
   * @param id of a subject or a segment
   */
  reads(id: string): boolean {
    if (this.#byKey.has(id)) return true
    for (const group of this.#byKey.values()) {
      for (const { segments } of group.values()) if (segments.has(id)) return true
    }
    return false
  }

  /** The containers of all contents. */
  containers(): string[] {
    const found = new Set<string>()
    for (const group of this.#byKey.values()) {
      for (const { segments } of group.values()) for (const id of segments.values()) found.add(id)
    }
    return [...found]
  }

  /** The subjects with most transfers, and their progress. */
  list(countMax: number): RunningSubject[] {
    return [...this.#byKey]
      .toSorted(([, one], [, other]) => other.size - one.size)
      .slice(0, countMax)
      .map(([abortKey, group]) => {
        const all = [...group.values()].map(({ progress }) => progress)
        const sentBytes = all.reduce((sum, one) => sum + one.sentBytes, 0)
        const totalBytes = all.reduce((sum, one) => sum + one.totalBytes, 0)
        return { abortKey, transfers: all.length, sentBytes, totalBytes }
      })
  }

  /**
   * @param segments of its whole content
   * @param progress changes while the transfer runs
   */
  add(
    transfer: Abortable,
    subject: TransferSubject,
    { segments }: Pick<Content, 'segments'>,
    progress: Readonly<Progress>,
  ): void {
    const group = this.#byKey.get(subject.abortKey) ?? new Map<Abortable, Running>()
    group.set(transfer, { subject, segments, progress })
    this.#byKey.set(subject.abortKey, group)
  }

  remove(transfer: Abortable, { abortKey }: TransferSubject): void {
    const group = this.#byKey.get(abortKey)
    group?.delete(transfer)
    if (group?.size === 0) this.#byKey.delete(abortKey)
  }

  /**
   * Aborts all transfers of a subject.
   * @param reason answers those without a head yet
   * @param version only those that began under it
   */
  abort(abortKey: string, reason: CodedError, version?: string): void {
    for (const [transfer, { subject }] of this.#byKey.get(abortKey) ?? []) {
      if (version === undefined || version === subject.withdrawalVersion) transfer.abort(reason)
    }
  }

  /**
   * Aborts transfers of a subject that is gone or has another version.
   * @param findVersions the valid versions of existing subjects, by key
   */
  async abortWithdrawn(
    findVersions: (keys: readonly string[]) => Promise<ReadonlyMap<string, ReadonlySet<string>>>,
  ): Promise<void> {
    // Transfers that begin during the query may have a newer version than its result.
    const asked = [...this.#byKey.values()].flatMap((group) => [...group])
    if (asked.length === 0) return
    const versions = await findVersions([
      ...new Set(asked.map(([, { subject }]) => subject.abortKey)),
    ])
    for (const [transfer, { subject }] of asked) {
      const { abortKey, withdrawalVersion } = subject
      const valid = versions.get(abortKey)
      if (valid?.has(withdrawalVersion)) continue
      transfer.abort(new CodedError(valid === undefined ? 'not_found' : 'unavailable'))
    }
  }
}

const rememberedMax = 4096

/**
 * Segments and containers that this process has removed lately. A removal waits for the transfers
 * that are known; one that planned with these bytes before, and is known only now, must plan again.
 */
export class RemovedBytes {
  /** Oldest first. */
  readonly #ids = new Set<string>()

  /** Call in the same tick in which no transfer reads them. */
  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size <= rememberedMax) return
    for (const oldest of this.#ids) return void this.#ids.delete(oldest)
  }

  /** @param segments each with its container */
  includesAnyOf(segments: ReadonlyMap<string, string>): boolean {
    if (this.#ids.size === 0) return false
    for (const [segmentId, containerId] of segments) {
      if (this.#ids.has(segmentId) || this.#ids.has(containerId)) return true
    }
    return false
  }
}
