type Column = Float64Array | Uint32Array | Uint8Array

/** A growing list of numbers in one typed array, which doubles when it is full. */
export class GrowingColumn<Values extends Column> {
  #values: Values
  #length = 0
  readonly #make: (length: number) => Values

  constructor(make: (length: number) => Values) {
    this.#make = make
    this.#values = make(64)
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(this.#length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** A copy without the unused rest. */
  toArray(): Values {
    const exact = this.#make(this.#length)
    exact.set(this.#values.subarray(0, this.#length))
    return exact
  }
}
