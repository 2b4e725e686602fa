/**
 * A value that components show and anything may change, with `useStore`: what pages of strangers
 * have in common does without signals, which would cost them a fifth of what they load.
 */
export class Store<T> {
  readonly #watchers = new Set<(value: T) => void>()
  #value: T

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set value(next: T) {
    if (next === this.#value) return
    this.#value = next
    for (const watch of this.#watchers) watch(next)
  }

  /** Returns the way to end it. */
  watch(onChange: (value: T) => void): () => void {
    this.#watchers.add(onChange)
    return () => void this.#watchers.delete(onChange)
  }
}
