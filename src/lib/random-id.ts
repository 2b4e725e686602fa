import { createHash, randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/**
 * A public id, safe in a URL: knowing it is enough to open the link. None begins with a dash,
 * because commands would take it for an option, and people for punctuation.
 * @param length characters of 6 random bits; 22 hold 128
 */
export function randomPublicId(length: number): string {
  for (;;) {
    const id = randomBytes(length).toString('base64url').slice(0, length)
    if (!id.startsWith('-')) return id
  }
}

const requestIdBytes = 9
const pool = Buffer.alloc(512 * requestIdBytes)
let poolUsed = pool.length

/**
 * 72 random bits as 12 characters: enough to find one request in a log. Takes a twentieth of the
 * time of `randomPublicId`, because every request needs one.
 */
export function randomRequestId(): string {
  if (poolUsed === pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += requestIdBytes
  return pool.toString('base64url', poolUsed - requestIdBytes, poolUsed)
}

/** A secret of 256 random bits, for tokens that are stored as a hash. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

export function randomRowId(): string {
  return randomUUID()
}

/** The stored form of a token: enough to recognise it, useless to a reader of the database. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
