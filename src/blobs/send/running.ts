import { CodedError } from '../../lib/errors.ts'

/** What a transfer sends bytes of. */
export interface TransferSubject {
  /** Group of transfers that are cut together: the id of a share, a delivery, a reverse share. */
  readonly abortKey: string
  /** Another one from now on means: withdrawn. Of a share, its password's hash. */
  readonly withdrawalVersion: string
}

/** What can be ended in the middle: an request. */
interface Abortable {
  /** @param reason what its client is answered, unless the answer has begun */
  abort(reason: CodedError): void
}

/** Transfers that run now, and how those of one subject are ended. */
export class RunningTransfers {
  readonly #byKey = new Map<string, Map<Abortable, TransferSubject>>()

  /** The number of transfers of all subjects. */
  get count(): number {
    return [...this.#byKey.values()].reduce((sum, group) => sum + group.size, 0)
  }

  /** Whether a transfer of the subject runs. */
  has(abortKey: string): boolean {
    return this.#byKey.has(abortKey)
  }

  add(transfer: Abortable, subject: TransferSubject): void {
    const group = this.#byKey.get(subject.abortKey) ?? new Map<Abortable, TransferSubject>()
    group.set(transfer, subject)
    this.#byKey.set(subject.abortKey, group)
  }

  remove(transfer: Abortable, { abortKey }: TransferSubject): void {
    const group = this.#byKey.get(abortKey)
    group?.delete(transfer)
    if (group?.size === 0) this.#byKey.delete(abortKey)
  }

  /**
   * Ends all transfers of a subject.
   * @param reason what those are answered whose answer has not begun
   */
  abort(abortKey: string, reason: CodedError): void {
    for (const transfer of this.#byKey.get(abortKey)?.keys() ?? []) transfer.abort(reason)
  }

  /**
   * Ends those whose subject is gone or has another version.
   * @param findVersions the versions of the subjects that are there, by key
   */
  async abortWithdrawn(
    findVersions: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<void> {
    // What begins while the answer comes may know better than the answer.
    const asked = [...this.#byKey.values()].flatMap((group) => [...group])
    if (asked.length === 0) return
    const versions = await findVersions([...new Set(asked.map(([, { abortKey }]) => abortKey))])
    for (const [transfer, { abortKey, withdrawalVersion }] of asked) {
      const version = versions.get(abortKey)
      if (version === withdrawalVersion) continue
      transfer.abort(new CodedError(version === undefined ? 'not_found' : 'unavailable'))
    }
  }
}
