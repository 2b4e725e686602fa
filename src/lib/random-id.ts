import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** A public id of 128 random bits, safe in a URL: knowing it is the right to open the link. */
export function randomPublicId(): string {
  return randomBytes(16).toString('base64url')
}

/** A secret of 256 random bits, for tokens whose hash is stored. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

export function randomRowId(): string {
  return randomUUID()
}

/** What is stored of a token: enough to recognise it, useless to who reads the database. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
