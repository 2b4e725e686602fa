const capacityMin = 64

/**
 * A set of texts in about 16 bytes each: by a hash of 53 bits. "Not added" is certain. Two texts
 * share a hash about once in a million sets of 100,000, so check "added" where a mistake would
 * matter.
 */
export class TextSet {
  /** Open addressing with linear probing; 0 is a free slot. */
  #hashes = new Float64Array(capacityMin)
  #count = 0

  /** Returns whether it was new. */
  add(text: string): boolean {
    const hash = hashOf(text)
    const place = this.#placeOf(hash)
    if (this.#hashes[place] === hash) return false
    this.#hashes[place] = hash
    this.#count += 1
    if (this.#count * 2 > this.#hashes.length) this.#grow()
    return true
  }

  has(text: string): boolean {
    const hash = hashOf(text)
    return this.#hashes[this.#placeOf(hash)] === hash
  }

  /** The slot of the hash, or the free one for it. */
  #placeOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let place = (hash % 0x7fffffff) & mask
    for (;;) {
      const found = this.#hashes[place]
      if (found === 0 || found === hash) return place
      place = (place + 1) & mask
    }
  }

  #grow(): void {
    const old = this.#hashes
    this.#hashes = new Float64Array(old.length * 2)
    for (const hash of old) if (hash !== 0) this.#hashes[this.#placeOf(hash)] = hash
  }
}

/** Two multiplicative hashes over UTF-16 units, mixed to 53 bits; never 0. Not secret. */
function hashOf(text: string): number {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place)
    one = Math.imul(one ^ unit, 2654435761)
    two = Math.imul(two ^ unit, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & two) + (one >>> 0) || 1
}
