import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The certificate of the service first, then its chain. */
  readonly certificate: string
  readonly key: string
}

/** A certificate chain and its key that were checked together. */
export interface CertificatePair {
  readonly cert: Buffer
  readonly key: Buffer
  readonly serial: string
  readonly expiresAt: Date
  /** What clients may refuse, or others could read; the pair works nevertheless. */
  readonly doubts: readonly string[]
}

/** What is wrong with the files, and what to do. */
export class CertificateError extends Error {}

/** A chain has a few KiB. */
const fileBytesMax = 1024 * 1024
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** PKCS #8, and the older form with a header (RFC 1421, section 4.6.1.1). */
const encryptedKey = /^(?:-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m

/** Changes when a file is replaced, written, or allowed to be read; follows symbolic links. */
export async function stateOf({ certificate, key }: CertificateFiles): Promise<string> {
  const states = await Promise.all(
    [certificate, key].map(async (file) => {
      const { dev, ino, size, mtimeMs, ctimeMs } = await stat(file).catch((error: unknown) => {
        throw unreadable(file, error)
      })
      return [dev, ino, size, mtimeMs, ctimeMs].join(':')
    }),
  )
  return states.join(' ')
}

/**
 * @param host name or address that clients use
 * @throws CertificateError
 */
export async function readPair(files: CertificateFiles, host: string): Promise<CertificatePair> {
  const { pem: cert } = await readPem(files.certificate)
  const { pem: key, mode } = await readPem(files.key)
  const chain = parseChain(cert, files.certificate)
  const privateKey = parseKey(key, files.key)
  const own = chain[0]!
  if (!own.checkPrivateKey(privateKey)) throw new CertificateError(misfit(files, chain, privateKey))
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = (error as Error).message
    throw new CertificateError(`${files.certificate} cannot be used: ${reason}.`, { cause: error })
  }
  const expiresAt = new Date(own.validTo)
  const doubts = doubtsOf(files.certificate, chain, host)
  if ((mode & 0o007) !== 0) {
    doubts.push(`every user can read ${files.key}: run chmod o-rwx ${files.key}`)
  }
  return { cert, key, serial: own.serialNumber, expiresAt, doubts }
}

function misfit(
  { certificate, key }: CertificateFiles,
  chain: readonly X509Certificate[],
  privateKey: KeyObject,
): string {
  if (!chain.some((one) => one.checkPrivateKey(privateKey))) {
    return `${key} is not the key of ${certificate}.`
  }
  return `${certificate} is in the wrong order: put the certificate of the service first.`
}

function doubtsOf(file: string, chain: readonly X509Certificate[], host: string): string[] {
  const own = chain[0]!
  const doubts: string[] = []
  const isFitting = isIP(host) === 0 ? own.checkHost(host) : own.checkIP(host)
  if (isFitting === undefined) {
    doubts.push(`${file} is for ${own.subjectAltName ?? own.subject}, not for ${host} of BASE_URL`)
  }
  if (chain.length === 1 && own.issuer !== own.subject) {
    doubts.push(`${file} has no chain: clients that do not know its issuer refuse it`)
  }
  return doubts
}

function parseChain(pem: Buffer, file: string): X509Certificate[] {
  try {
    const blocks = pem.toString('latin1').match(pemBlock) ?? []
    return blocks.length === 0
      ? [new X509Certificate(pem)]
      : blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw new CertificateError(`${file} has no certificate in PEM form.`, { cause: error })
  }
}

function parseKey(pem: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    // The error of the library depends on the version of Node and on the form of the key.
    const isEncrypted = encryptedKey.test(pem.toString('latin1'))
    const problem = isEncrypted ? 'is encrypted: remove its passphrase' : 'has no key in PEM form'
    throw new CertificateError(`${file} ${problem}.`, { cause: error })
  }
}

async function readPem(file: string): Promise<{ pem: Buffer; mode: number }> {
  try {
    // A pipe would block until it is written to.
    const { size, mode } = await stat(file).then((found) => {
      if (!found.isFile()) throw new CertificateError(`${file} is not a file.`)
      return found
    })
    if (size > fileBytesMax) throw new CertificateError(`${file} is larger than 1 MiB.`)
    const handle = await open(file)
    try {
      const pem = Buffer.alloc(size)
      const { bytesRead } = await handle.read(pem, 0, size, 0)
      return { pem: pem.subarray(0, bytesRead), mode }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw error instanceof CertificateError ? error : unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): CertificateError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error)
  const way = code === 'EACCES' ? ": allow the service's user to read it" : ''
  return new CertificateError(`cannot read ${file}: ${code}${way}.`, { cause: error })
}
