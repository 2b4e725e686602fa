import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeDurably } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'

const keyFileName = 'secret.key'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Keys derived from the one secret of this deployment, one for each purpose. */
export class Keys {
  readonly signing: Uint8Array
  readonly #sealing: Uint8Array

  constructor(secret: Uint8Array | string) {
    this.signing = derive(secret, 'sign tokens')
    this.#sealing = derive(secret, 'seal secrets')
  }

  /** Encrypts for the database: AES-256-GCM, nonce and tag first. */
  seal(plain: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce)
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
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
  const name = path.join(dataDir, keyFileName)
  try {
    const secret = await readFile(name)
    if (secret.length !== keyBytes)
      throw new Error(`${name} is damaged: it must hold ${keyBytes} bytes`)
    return new Keys(secret)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
  }
  return new Keys(await createKeyFile(name))
}

/** Whether this folder has a key file. */
export async function hasKey(dataDir: string): Promise<boolean> {
  try {
    await access(path.join(dataDir, keyFileName))
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
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
