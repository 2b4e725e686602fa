import type { Child } from './child.ts'

/** The process of a target. */
export abstract class ChildTarget {
  readonly port: number
  #child: Child

  constructor(child: Child, port: number) {
    this.#child = child
    this.port = port
  }

  get child(): Child {
    return this.#child
  }

  databasePids(): readonly number[] {
    return []
  }

  async restart(): Promise<void> {
    this.#child = await this.#child.restart()
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }
}
