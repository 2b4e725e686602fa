/** Folders with neither a file nor another folder beneath them, as far as these were named. */
export class EmptyFolders<Value> {
  readonly #values = new Map<string, Value>()
  /** Files mostly come folder by folder. */
  #lastParent = ''

  get size(): number {
    return this.#values.size
  }

  /** In the order in which they were added. */
  entries(): IterableIterator<[path: string, value: Value]> {
    return this.#values.entries()
  }

  /** @param path without a slash at its end */
  add(path: string, value: Value): void {
    this.#dropAbove(path)
    this.#values.set(path, value)
    this.#lastParent = ''
  }

  takeFile(name: string): void {
    const parent = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    if (parent === this.#lastParent) return
    this.#dropAbove(name)
    this.#lastParent = parent
  }

  clear(): void {
    this.#values.clear()
  }

  #dropAbove(path: string): void {
    if (this.#values.size === 0) return
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      this.#values.delete(path.slice(0, end))
    }
  }
}
