import type { Sql } from './connect.ts'
import { insertSignal, type Signal } from './instances-sql.ts'

/** What the instances of a service tell each other: see instances.ts. */
export class Signals {
  readonly instanceId: string
  /** Containers with bytes that this process is sending. */
  reading: () => readonly string[] = () => []
  readonly #hearers = new Map<string, (about: string) => Promise<void> | void>()

  constructor(instanceId: string) {
    this.instanceId = instanceId
  }

  /** Tells all other instances, once the transaction has committed. */
  async tell(sql: Sql, topic: string, about = ''): Promise<void> {
    await insertSignal(sql, this.instanceId, { topic, about })
  }

  /** @param hear called for what others tell, perhaps twice */
  on(topic: string, hear: (about: string) => Promise<void> | void): void {
    this.#hearers.set(topic, hear)
  }

  async hear({ topic, about }: Signal): Promise<void> {
    await this.#hearers.get(topic)?.(about)
  }
}
