import { createHash } from 'node:crypto'

/** Bytes that look random and are the same for the same seed. */
export function randomContent(length: number, seed: string | number): Buffer {
  if (length === 0) return Buffer.alloc(0)
  return createHash('shake256', { outputLength: length }).update(String(seed)).digest()
}

/** Four bytes which, after bytes with the CRC-32 `from`, make it `to`. */
export function crcPatch(from: number, to: number): Buffer {
  const table = crcTable()
  // Backwards: the table's entries differ in their top byte, so each step is reversible.
  const steps: number[] = []
  let back = ~to >>> 0
  for (let step = 0; step < 4; step += 1) {
    const index = table.findIndex((entry) => entry >>> 24 === back >>> 24)
    steps.unshift(index)
    back = ((back ^ (table[index] as number)) << 8) >>> 0
  }
  let state = ~from >>> 0
  const patch = steps.map((index) => {
    const byte = (state ^ index) & 0xff
    state = ((state >>> 8) ^ (table[index] as number)) >>> 0
    return byte
  })
  return Buffer.from(patch)
}

/** The table of CRC-32 (ISO/IEC 8802-3), reflected. */
function crcTable(): number[] {
  return Array.from({ length: 256 }, (_, byte) => {
    let entry = byte
    for (let bit = 0; bit < 8; bit += 1) {
      entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1
    }
    return entry >>> 0
  })
}
