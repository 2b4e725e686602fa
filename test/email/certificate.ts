import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A self-signed certificate for 127.0.0.1. */
export interface Certificate {
  /** Options of a server. */
  readonly tls: { readonly key: Buffer; readonly cert: Buffer }
  remove(): void
}

/** Null, with a printed line, on a machine without openssl. */
export function makeCertificate(): Certificate | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-mail-'))
  const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const how = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
  const where = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile]
  try {
    execFileSync('openssl', ['req', '-x509', ...how, ...where], {
      stdio: 'ignore',
      timeout: 30_000,
    })
  } catch {
    process.stdout.write('\nskipped: certificates of mail servers need openssl, which is missing\n')
    remove()
    return null
  }
  return { tls: { key: readFileSync(keyFile), cert: readFileSync(certFile) }, remove }
}
