import type { Child } from './child.ts'
import type { Uploaded, UploadPlan } from './target.ts'

/** The process of a target. */
export abstract class ChildTarget {
  readonly takesTars: boolean = false
  #child: Child
  #port: number

  constructor(child: Child, port: number) {
    this.#child = child
    this.#port = port
  }

  get port(): number {
    return this.#port
  }

  get child(): Child {
    return this.#child
  }

  databasePids(): readonly number[] {
    return []
  }

  uploadTar(_plan: UploadPlan): Promise<Uploaded> {
    return Promise.reject(new Error('takes no tar archives'))
  }

  async restart(): Promise<void> {
    this.#child = await this.#child.restart()
    this.#port = this.#child.port || this.#port
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }
}
