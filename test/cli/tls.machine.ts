// TLS_CERT, TLS_KEY and HTTP_PORT of a running service.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect as connectSecure } from 'node:tls'
import { once } from 'node:events'
import { request } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Certificates } from '../helpers/certificates.ts'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  runCommand,
  ServiceProcess,
} from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

const tls = suite('cli: TLS_CERT')
let dataDir: string
let certificates: Certificates
let service: ServiceProcess | null

tls.before.each(() => {
  dataDir = makeDataDir()
  certificates = new Certificates()
  service = null
})
tls.after.each(async () => {
  await service?.clear()
  await removeDataDir(dataDir)
  certificates.remove()
})

async function serialOf(port: string): Promise<string> {
  const socket = connectSecure({ port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

/** Refused options, and the exit code. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, stderr } = await runCommand(['serve'], { DATA_DIR: dataDir, ...env })
  assert.is(code, 78, stderr)
  return stderr
}

tls('should name the passphrase of a key in every form', async () => {
  const { certificate, key } = certificates.make('1')
  const secret = path.join(certificates.folder, 'secret.pem')
  const rsa = path.join(certificates.folder, 'rsa.pem')
  const lock = ['-aes256', '-passout', 'pass:long enough', '-out', secret]
  run('openssl', ['genrsa', '-out', rsa, '2048'])
  for (const args of [
    ['ec', '-in', key, ...lock],
    ['rsa', '-in', rsa, '-traditional', ...lock],
    ['pkcs8', '-topk8', '-in', key, '-v2', 'aes256', ...lock.slice(1)],
    ['pkcs8', '-topk8', '-in', rsa, '-v2', 'aes256', ...lock.slice(1)],
  ]) {
    run('openssl', args)
    const said = await refusal({ TLS_CERT: certificate, TLS_KEY: secret })
    assert.match(said, `${secret} is encrypted: remove its passphrase.`)
  }
})

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  assert.is(status, 0, stderr)
}

tls('should serve https, redirect http, and take a renewal like that of certbot', async () => {
  plantSeed(dataDir)
  const [first, second] = [certificates.make('1'), certificates.make('2', 7)]
  const live = path.join(certificates.folder, 'live')
  symlinkSync(path.dirname(first.certificate), live)
  const httpPort = String(await freePort())
  service = await ServiceProcess.start({
    DATA_DIR: dataDir,
    TLS_CERT: path.join(live, 'fullchain.pem'),
    TLS_KEY: path.join(live, 'privkey.pem'),
    HTTP_PORT: httpPort,
  })
  const { port } = new URL(service.url)
  assert.match(service.stdout, `listening on https://localhost:${port} `)
  const client = new Client(`https://127.0.0.1:${port}`)
  assert.is((await client.get('/livez')).status, 200)
  await client.close()
  const moved = await request(`http://127.0.0.1:${httpPort}/s/x`)
  await moved.body.dump()
  assert.is(moved.statusCode, 308)
  assert.is(moved.headers['location'], `https://localhost:${port}/s/x`)
  assert.is(await serialOf(port), first.serial)

  symlinkSync(path.dirname(second.certificate), `${live}.new`)
  renameSync(`${live}.new`, live)
  service.child.kill('SIGHUP')
  await until('it is used', () => service!.stdout.includes('uses the new certificate'))
  assert.is(await serialOf(port), second.serial)
  assert.match(service.stdout, 'the certificate expires soon')

  writeFileSync(path.join(live, 'privkey.pem'), '')
  service.child.kill('SIGHUP')
  await until('it is refused', () => service!.stdout.includes('kept the certificate'))
  assert.is(await serialOf(port), second.serial)
  assert.is((await service.stop()).code, 0)
})

tls('should refuse files that cannot be used, with the file and the reason', async () => {
  const [one, other] = [certificates.make('1'), certificates.make('2')]
  const TLS_CERT = one.certificate
  assert.match(await refusal({ TLS_CERT }), 'TLS_CERT and TLS_KEY must be set together')
  const mismatch = await refusal({ TLS_CERT, TLS_KEY: other.key })
  assert.match(mismatch, `${other.key} is not the key of ${one.certificate}.`)
  const missing = await refusal({ TLS_CERT, TLS_KEY: '/nowhere/key.pem' })
  assert.match(missing, 'cannot read /nowhere/key.pem: ENOENT.')
  const noKey = await refusal({ TLS_CERT, TLS_KEY: one.certificate })
  assert.match(noKey, `${one.certificate} has no key in PEM form.`)
  const folder = await refusal({ TLS_CERT: certificates.folder, TLS_KEY: one.key })
  assert.match(folder, 'is not a file.')
})

tls('should show when the certificate expires, and refuse one before the start', async () => {
  const { certificate: TLS_CERT, key } = certificates.make('1')
  const { key: otherKey } = certificates.make('2')
  const BASE_URL = 'https://other.example.org'
  const shown = await runCommand(['config', 'show'], {
    DATA_DIR: dataDir,
    TLS_CERT,
    TLS_KEY: key,
    BASE_URL,
  })
  assert.match(shown.stdout, /^Certificate: expires 20\d\d-.*Z$/m)
  assert.match(shown.stdout, /^ {2}.*other\.example\.org/m)
  const env = { DATA_DIR: dataDir, TLS_CERT, TLS_KEY: otherKey }
  const { code, stderr } = await runCommand(['config', 'show'], env)
  assert.is(code, 78)
  assert.match(stderr, /^TLS_CERT, TLS_KEY: /)
})

tls('should refuse options that contradict TLS', async () => {
  const { certificate: TLS_CERT, key: TLS_KEY } = certificates.make('1')
  const plain = await refusal({ TLS_CERT, TLS_KEY, BASE_URL: 'http://files.example.org' })
  assert.match(plain, 'BASE_URL: must begin with https:// because TLS_CERT is set')
  assert.match(await refusal({ TLS_CERT, TLS_KEY, HOST: 'unix:/tmp/x' }), 'needs no TLS')
  assert.match(await refusal({ HTTP_PORT: '1' }), 'HTTP_PORT: redirects to https')
})

tls('should take the key from a credential', async () => {
  const { certificate, key } = certificates.make('1')
  const folder = path.join(certificates.folder, 'credentials')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'TLS_KEY'), readFileSync(key))
  const env = { DATA_DIR: dataDir, TLS_CERT: certificate, CREDENTIALS_DIRECTORY: folder }
  const { stdout } = await runCommand(['config', 'show'], env)
  assert.match(stdout, `TLS_KEY=${folder}/TLS_KEY  (${folder}/TLS_KEY)`)
  assert.match(stdout, /^BASE_URL=https:/m)
})

tls.run()
