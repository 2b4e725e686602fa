// Certificates as an operator has them: PEM files, made by openssl.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CertificateFiles } from '../../src/http/certificate-files.ts'

/** A folder of certificates, each in its own folder. */
export class Certificates {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-tls-'))

  /** @param days until it expires */
  make(name: string, days = 90): CertificateFiles & { readonly serial: string } {
    const folder = path.join(this.folder, name)
    mkdirSync(folder)
    const [certificate, key] = ['fullchain.pem', 'privkey.pem'].map((one) => path.join(folder, one))
    const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' }).toString()
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const files = ['-keyout', key!, '-out', certificate!]
    run('req', '-x509', ...kind, ...files, ...names, '-days', String(days))
    const serial = run('x509', '-in', certificate!, '-noout', '-serial').trim().split('=')[1]!
    return { certificate: certificate!, key: key!, serial }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
