import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readFile, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { ignoreMissing, removeDurably, syncFolder, writeDurably } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'

const keyFileName = 'secret.key'
/** The key of a rotation, until the database has taken it. */
const nextFileName = 'secret.key.next'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A key file without its bytes; the message says what to do. */
export class KeyDamaged extends Error {
  override readonly name = 'KeyDamaged'
}

/** Keys derived from the one secret of this deployment, one for each purpose. */
export class Keys {
  readonly signing: Uint8Array
  /** Tells this secret from others, and nothing else about it. */
  readonly fingerprint: string
  readonly #sealing: Uint8Array
  readonly #marking: Uint8Array

  constructor(secret: Uint8Array | string) {
    this.signing = derive(secret, 'sign tokens')
    this.#sealing = derive(secret, 'seal secrets')
    this.#marking = derive(secret, 'mark texts')
    this.fingerprint = Buffer.from(derive(secret, 'identify the secret')).toString('hex')
  }

  /** Encrypts for the database: AES-256-GCM, nonce and tag first. */
  seal(plain: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce)
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** A keyed hash of a text (HMAC-SHA256), which only this deployment can make: 43 characters. */
  mark(purpose: string, text: string): string {
    const hash = createHmac('sha256', this.#marking).update(`${purpose}\0${text}`)
    return hash.digest('base64url')
  }

  /** @throws when the bytes were sealed with another secret or have changed since */
  unseal(bytes: Buffer): string {
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, nonce)
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const plain = decipher.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([plain, decipher.final()]).toString('utf8')
  }
}

/** The secret from the options, otherwise from a private key file, which the first start makes. */
export async function loadKeys(jwtSecret: string | null, dataDir: string): Promise<Keys> {
  if (jwtSecret !== null) return new Keys(jwtSecret)
  const secret = await readKeyFile(dataDir)
  return new Keys(secret ?? (await createKeyFile(path.join(dataDir, keyFileName))))
}

/** The secret in the key file of this folder; null without one. @throws KeyDamaged */
export function readKeyFile(dataDir: string): Promise<Buffer | null> {
  return readKey(path.join(dataDir, keyFileName))
}

/** Makes the key of a rotation, which `settleNextKey` puts into use. */
export async function makeNextKey(dataDir: string): Promise<Keys> {
  return new Keys(await createKeyFile(path.join(dataDir, nextFileName)))
}

/**
 * Ends a rotation, also a killed one: takes its key if the database has it, else removes it.
 * @param fingerprint of the secret that the database expects
 */
export async function settleNextKey(dataDir: string, fingerprint: string): Promise<void> {
  const next = path.join(dataDir, nextFileName)
  const secret = await readKey(next)
  if (secret === null) return
  if (new Keys(secret).fingerprint !== fingerprint) return removeDurably(next)
  // Another command may do it at the same time.
  await rename(next, path.join(dataDir, keyFileName)).catch(ignoreMissing)
  await syncFolder(dataDir)
}

/** The secrets that a file may hold: a key file, or the text of a former JWT_SECRET. */
export async function readFormerKeys(file: string): Promise<Keys[]> {
  const bytes = await readFile(file)
  const text = bytes.toString('utf8').replace(/\r?\n$/, '')
  return [...(bytes.length === keyBytes ? [new Keys(bytes)] : []), new Keys(text)]
}

async function readKey(name: string): Promise<Buffer | null> {
  try {
    const secret = await readFile(name)
    if (secret.length === keyBytes) return secret
    throw new KeyDamaged(
      `${name} is damaged: it must have ${keyBytes} bytes. Restore it from a backup. If the ` +
        'secret is lost, remove the file and run transfer secret rotate --lost.',
    )
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    return null
  }
}

/** Writes a key file from a backup. */
export async function restoreKeyFile(dataDir: string, secret: Buffer): Promise<void> {
  await writeDurably(path.join(dataDir, keyFileName), secret)
}

export async function removeKeyFile(dataDir: string): Promise<void> {
  await removeDurably(path.join(dataDir, keyFileName))
}

/** Whether this folder has a key file. */
export async function hasKey(dataDir: string): Promise<boolean> {
  return (await stat(path.join(dataDir, keyFileName)).catch(ignoreMissing)) !== undefined
}

/** Durable before it is used: a key lost to a power cut would end every session and seal. */
async function createKeyFile(name: string): Promise<Buffer> {
  const secret = randomBytes(keyBytes)
  await writeDurably(name, secret)
  return secret
}

function derive(secret: Uint8Array | string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'transfer-service', purpose, keyBytes))
}
