/**
 * An observable value for components, used with `useStore`. Code that public pages share does
 * without signals, which would make these pages a fifth larger.
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

  /** Returns a function that ends watching. */
  watch(onChange: (value: T) => void): () => void {
    this.#watchers.add(onChange)
    return () => void this.#watchers.delete(onChange)
  }
}
