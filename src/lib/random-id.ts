import { createHash, randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** Each character of a public id holds 6 random bits. */
export const publicIdLengthMin = 22

/**
 * A public id, safe in a URL: knowing it is enough to open the link. None begins with a dash,
 * because commands would take it for an option, and people for punctuation. All satisfy
 * `isLikePublicId`, which leaves more than 131 bits of 22 characters.
 */
export function randomPublicId(length: number): string {
  for (;;) {
    const id = randomBytes(length).toString('base64url').slice(0, length)
    if (!id.startsWith('-') && isLikePublicId(id)) return id
  }
}

/**
 * Whether a word may be a public id: it is as long, with a digit between two letters. Custom links
 * must not, in any case of letters: whoever knows the id of a deleted link could get its visitors.
 */
export function isLikePublicId(word: string): boolean {
  return word.length >= publicIdLengthMin && /[a-z][0-9]+[a-z]/i.test(word)
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
