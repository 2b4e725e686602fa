import type { Exchange } from '../http/exchange.ts'

/** Transfers that run now, in groups that are cut together: those of a share, of a delivery. */
export class RunningTransfers {
  readonly #byKey = new Map<string, Set<Exchange>>()

  /** Of all groups. */
  get count(): number {
    return [...this.#byKey.values()].reduce((sum, group) => sum + group.size, 0)
  }

  add(key: string, exchange: Exchange): void {
    const group = this.#byKey.get(key) ?? new Set()
    group.add(exchange)
    this.#byKey.set(key, group)
  }

  remove(key: string, exchange: Exchange): void {
    const group = this.#byKey.get(key)
    group?.delete(exchange)
    if (group?.size === 0) this.#byKey.delete(key)
  }

  cut(key: string): void {
    for (const exchange of this.#byKey.get(key) ?? []) {
      exchange.abort(new Error('the share was withdrawn'))
    }
  }
}
