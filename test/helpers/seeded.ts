// Repeatable random numbers: the same seed returns the same sequence.

/** mulberry32: small, and good enough to choose what a test does next. */
export class Seeded {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0 and less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to pick from')
    return list[this.between(0, list.length - 1)] as T
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, order: this.next() }))
      .toSorted((left, right) => left.order - right.order)
      .map(({ value }) => value)
  }
}
