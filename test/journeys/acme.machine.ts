// A real ACME client, lego, and a real certificate authority, Pebble: the service answers the
// challenges, and takes the certificate and its renewal without a restart.
import { spawn, spawnSync, execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Certificates } from '../helpers/certificates.ts'
import { endOf } from '../helpers/child.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { plantSeed } from '../helpers/seed.ts'
import { freePort, makeDataDir, removeDataDir, ServiceProcess } from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

const acme = suite('journey: certificates by ACME')
const run = promisify(execFile)
const programs = ['pebble', 'pebble-challtestsrv', 'lego']
const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0)
/** Every name leads to 127.0.0.1 for the authority. */
const host = 'files.transfer.test'

let dataDir: string
let certificates: Certificates
let service: ServiceProcess | null = null
let authority: Authority
const children: ChildProcess[] = []

interface Authority {
  readonly directory: string
  /** Signs its interface, not certificates. */
  readonly certificate: string
  /** PEM of its root. */
  readonly root: string
}

acme.before(async () => {
  dataDir = makeDataDir()
  certificates = new Certificates()
  const httpPort = await freePort()
  authority = await startAuthority(httpPort)
  const live = path.join(certificates.folder, 'live')
  const first = certificates.make('first')
  mkdirSync(live)
  mkdirSync(path.join(certificates.folder, 'webroot'))
  copyFileSync(first.certificate, path.join(live, 'fullchain.pem'))
  copyFileSync(first.key, path.join(live, 'privkey.pem'))
  plantSeed(dataDir)
  service = await ServiceProcess.start({
    DATA_DIR: dataDir,
    BASE_URL: `https://${host}`,
    TLS_CERT: path.join(live, 'fullchain.pem'),
    TLS_KEY: path.join(live, 'privkey.pem'),
    HTTP_PORT: String(httpPort),
    ACME_DIR: path.join(certificates.folder, 'webroot'),
  })
})
acme.after(async () => {
  await service?.clear()
  for (const child of children) {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await endOf(child)
  }
  await removeDataDir(dataDir)
  certificates.remove()
})

/** @param httpPort where the authority asks for challenges, in place of 80 */
async function startAuthority(httpPort: number): Promise<Authority> {
  const [dnsPort, port, managementPort] = await Promise.all([freePort(), freePort(), freePort()])
  const { certificate, key } = certificates.make('authority')
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-management', '']
  const dns = ['-dns01', `127.0.0.1:${dnsPort}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', '']
  children.push(spawn('pebble-challtestsrv', [...dns, ...none], { stdio: 'ignore' }))
  const config = path.join(certificates.folder, 'pebble.json')
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate,
    privateKey: key,
    httpPort,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  children.push(
    spawn('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${dnsPort}`], {
      env: { PATH: process.env['PATH'], PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
      stdio: 'ignore',
    }),
  )
  let root = ''
  await until('the authority answers', async () => {
    root = await fetchRoot(managementPort).catch(() => '')
    return root.includes('BEGIN CERTIFICATE')
  })
  return { directory: `https://localhost:${port}/dir`, certificate, root }
}

async function fetchRoot(port: number): Promise<string> {
  const request = get(`https://127.0.0.1:${port}/roots/0`, { rejectUnauthorized: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return text(answer)
}

/** As docs/tls.md has it, with a signal in place of `systemctl reload`. */
async function lego(...command: string[]): Promise<void> {
  const hook = path.join(certificates.folder, 'hook')
  const live = path.join(certificates.folder, 'live')
  const lines = [
    '#!/bin/sh -e',
    `cp "$LEGO_CERT_PATH" ${live}/fullchain.pem`,
    `cp "$LEGO_CERT_KEY_PATH" ${live}/privkey.pem`,
    `kill -HUP ${service!.child.pid}`,
  ]
  writeFileSync(hook, `${lines.join('\n')}\n`, { mode: 0o755 })
  const [name = '', ...options] = command
  const webroot = path.join(certificates.folder, 'webroot')
  const account = ['--accept-tos', '--email', 'admin@example.org', '--domains', host]
  const places = ['--path', path.join(certificates.folder, 'lego'), '--http']
  const all = ['--server', authority.directory, ...account, ...places, '--http.webroot', webroot]
  await run('lego', [...all, name, `--${name}-hook`, hook, ...options], {
    env: { PATH: process.env['PATH'], LEGO_CA_CERTIFICATES: authority.certificate },
    timeout: 50_000,
  })
}

/** A connection of a client that trusts the authority's root only. */
async function openTrusting(): Promise<TLSSocket> {
  const { port } = new URL(service!.url)
  const socket = connectSecure({
    port: Number(port),
    host: '127.0.0.1',
    servername: host,
    ca: authority.root,
  })
  await once(socket, 'secureConnect')
  return socket
}

const takes = (times: number) =>
  until('the service uses it', () => {
    return service!.stdout.split('uses the new certificate').length > times
  })

async function ask(connection: RawConnection): Promise<number> {
  await connection.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  return (await connection.readAnswer()).status
}

if (missing.length > 0) {
  process.stdout.write(`\nskipped: certificates by ACME, which need ${missing.join(', ')}\n`)
} else {
  acme('should be had, and renewed while connections go on', async () => {
    await lego('run')
    await takes(1)
    const former = await openTrusting()
    const { serialNumber: first, issuer } = former.getPeerCertificate()
    assert.match(String(issuer.CN), /^Pebble Intermediate CA/)
    const kept = new RawConnection(former)
    assert.is(await ask(kept), 200)
    await lego('renew', '--days', '9999', '--no-random-sleep')
    await takes(2)
    const later = await openTrusting()
    assert.is.not(later.getPeerCertificate().serialNumber, first)
    later.destroy()
    assert.is(await ask(kept), 200, 'connections keep the former certificate')
    former.destroy()
  })
  acme.run()
}
