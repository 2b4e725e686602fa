import { createHash } from 'node:crypto'

/** Bytes that look random and are the same for the same seed. */
export function randomContent(length: number, seed: string | number): Buffer {
  if (length === 0) return Buffer.alloc(0)
  return createHash('shake256', { outputLength: length }).update(String(seed)).digest()
}
