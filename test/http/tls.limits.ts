// The service behind TLS_CERT: what moves bytes, and what ends early.
import { once } from 'node:events'
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Certificate } from '../../src/http/certificate.ts'
import { createLog } from '../../src/lib/log.ts'
import { assertNothingLeft, fileIds, patterned } from '../blobs/send/scene.ts'
import { Certificates } from '../helpers/certificates.ts'
import { multipart, type Client } from '../helpers/client.ts'
import { FakeClock } from '../helpers/clock.ts'
import { countConnections, RawConnection } from '../helpers/raw-connection.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

const tls = suite('tls')
let certificates: Certificates
let files: ReturnType<Certificates['make']>
let certificate: Certificate
let service: Service
let owner: Client
let port: number

tls.before.each(async () => {
  certificates = new Certificates()
  files = certificates.make('live')
  const log = createLog({ level: 'info', write: () => {} })
  certificate = await Certificate.open(files, { host: 'localhost', clock: new FakeClock(), log })
  const env = { BASE_URL: 'https://transfer.test', RATE_LIMIT_DOWNLOAD: 'off' }
  service = await startService({ env, certificate })
  port = Number(new URL(service.url).port)
  owner = await service.admin()
})
tls.after.each(async () => {
  await owner.close()
  await service.stop()
  certificates.remove()
})

/** A new connection after its handshake. */
async function openSecure(): Promise<TLSSocket> {
  const socket = connectSecure({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

async function openPlain(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** An answer whose body has not been read. */
async function startGet(path: string): Promise<IncomingMessage> {
  const options = { agent: false, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    get(`${service.url}${path}`, options, resolve).on('error', reject)
  })
}

tls('should carry files, ranges and archives byte for byte', async () => {
  const content = patterned(5_000_000)
  const shareId = await owner.share({ 'a.bin': content, 'b.txt': 'short' })
  const ids = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}/files/${ids['a.bin']}`
  const whole = await owner.get(path)
  assert.is(whole.status, 200)
  assert.ok(whole.body.equals(content))
  assert.match(String(whole.headers['strict-transport-security']), 'max-age=')
  const part = await owner.call('GET', path, { headers: { range: 'bytes=1000000-1999999' } })
  assert.is(part.status, 206)
  assert.ok(part.body.equals(content.subarray(1_000_000, 2_000_000)))
  const archive = await owner.get(`/api/shares/${shareId}/download`)
  assert.is(archive.body.length, Number(archive.headers['content-length']))
  assert.ok(archive.body.includes(content))
  await assertNothingLeft(service)
})

tls('should answer a refused upload before its body has ended', async () => {
  const socket = await openSecure()
  const connection = new RawConnection(socket)
  const { body, contentType } = multipart({ chunkIndex: '0', fileId: 'x' }, patterned(1e6), false)
  const path = '/api/shares/unknown/chunk'
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, 1000))
  assert.is((await connection.readAnswer()).status, 401)
  socket.write(body.subarray(1000))
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.is((await connection.readAnswer()).status, 200, 'the connection goes on')
  connection.destroy()
})

tls('should release a download that is aborted, or read slowly', async () => {
  const shareId = await owner.share({ 'a.bin': patterned(60_000_000) })
  const ids = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}/files/${ids['a.bin']}`
  const aborted = await startGet(path)
  aborted.destroy()
  const slow = await startGet(path)
  slow.on('error', () => {})
  const { watchdog } = service.app.listener
  await until('the aborted one has ended', () => watchdog.size === 1)
  const before = service.app.services.downloads.budget.heldBytes
  assert.ok(before <= 4 * 1024 * 1024, `${before} bytes for a client that reads nothing`)
  await until('the slow one is ended', () => {
    service.clock.advance(60_000)
    watchdog.check()
    return watchdog.size === 0
  })
  await assertNothingLeft(service)
  slow.destroy()
})

tls('should leave nothing of an aborted upload', async () => {
  const shareId = await owner.init()
  const { body, contentType } = multipart({ chunkIndex: '0', fileId: 'x' }, patterned(4e6), true)
  const socket = await openSecure()
  socket.write(
    `POST /api/shares/${shareId}/chunk HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\n` +
      `Authorization: Bearer ${owner.token}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, 3_000_000))
  const { uploads } = service.app.services
  await until('it is received', () => uploads.budget.permits === 1)
  socket.destroy()
  await until('it is released', () => uploads.budget.permits === 0)
  await assertNothingLeft(service)
})

tls('should answer a client that shuts down its side after the request', async () => {
  const socket = await openSecure()
  const connection = new RawConnection(socket)
  socket.end('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.is((await connection.readAnswer()).status, 200)
  await connection.over()
})

tls('should use a renewed certificate for new connections only', async () => {
  const content = patterned(60_000_000)
  const shareId = await owner.share({ 'a.bin': content })
  const ids = await fileIds(service, shareId)
  const running = await startGet(`/api/shares/${shareId}/files/${ids['a.bin']}`)
  const { serialNumber } = (running.socket as TLSSocket).getPeerCertificate()
  assert.is(serialNumber, files.serial)
  const next = certificates.make('next')
  renameSync(next.key, files.key)
  renameSync(next.certificate, files.certificate)
  await certificate.check()
  const socket = await openSecure()
  assert.is(socket.getPeerCertificate().serialNumber, next.serial)
  socket.destroy()
  const parts: Buffer[] = []
  for await (const data of running) parts.push(data as Buffer)
  assert.ok(Buffer.concat(parts).equals(content))
})

tls('should keep its certificate while the files do not fit together', async () => {
  const next = certificates.make('next')
  renameSync(next.certificate, files.certificate)
  await certificate.check()
  const serialOf = async () => {
    const socket = await openSecure()
    const { serialNumber } = socket.getPeerCertificate()
    socket.destroy()
    return serialNumber
  }
  assert.is(await serialOf(), files.serial)
  writeFileSync(files.key, '-----BEGIN PRIVATE KEY-----\nMIGH')
  await certificate.check()
  assert.is(await serialOf(), files.serial)
  renameSync(next.key, files.key)
  await certificate.check()
  assert.is(await serialOf(), next.serial)
})

tls('should close connections that do not speak TLS, and bound unfinished handshakes', async () => {
  const plain = await openPlain()
  plain.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await new RawConnection(plain).over()
  const silent = await Promise.all(Array.from({ length: 64 }, () => openPlain()))
  const firstEnds = once(silent[0]!, 'close')
  const further = await openPlain()
  silent[0]!.resume()
  await firstEnds
  assert.ok(silent.slice(1).every((socket) => !socket.destroyed))
  const socket = await openSecure()
  socket.destroy()
  for (const one of [...silent, further]) one.destroy()
  await owner.close()
  const { server } = service.app.listener
  await until('no connection is left', async () => (await countConnections(server)) === 0)
})

/** Another reader of the files, and what it logs above info. */
async function openLogged(host: string, clock = new FakeClock()) {
  const lines: string[] = []
  const log = createLog({ level: 'warn', write: (line) => lines.push(line) })
  return { lines, opened: await Certificate.open(files, { host, clock, log }) }
}

tls('should start with an expired certificate, but not replace a valid one by it', async () => {
  const clock = new FakeClock()
  clock.advance(91 * 24 * 60 * 60_000)
  const { lines, opened } = await openLogged('localhost', clock)
  opened.start()
  opened.stop()
  assert.match(lines.join(''), 'the certificate has expired')
  const long = certificates.make('long', 365)
  renameSync(long.key, files.key)
  renameSync(long.certificate, files.certificate)
  await opened.check()
  assert.is(opened.pair.serial, long.serial)
  const short = certificates.make('short', 30)
  renameSync(short.key, files.key)
  renameSync(short.certificate, files.certificate)
  await opened.check()
  assert.is(opened.pair.serial, long.serial)
  assert.match(lines.join(''), `${files.certificate} expired at`)
})

tls('should say what clients will refuse, and who can read the key', async () => {
  const quiet = await openLogged('localhost')
  quiet.opened.start()
  quiet.opened.stop()
  assert.equal(quiet.lines, [])
  chmodSync(files.key, 0o644)
  const { lines, opened } = await openLogged('files.example.org')
  opened.start()
  opened.stop()
  assert.match(lines.join(''), 'is for DNS:localhost, not for files.example.org of BASE_URL')
  assert.match(lines.join(''), `run chmod o-rwx ${files.key}`)
})

tls('should name a chain in the wrong order', async () => {
  const other = certificates.make('other')
  const own = readFileSync(files.certificate)
  writeFileSync(files.certificate, Buffer.concat([readFileSync(other.certificate), own]))
  const refused = await openLogged('localhost').then(
    () => '',
    (error: Error) => error.message,
  )
  assert.match(refused, 'put the certificate of the service first')
})

tls('should refuse old versions of TLS and offer no HTTP/2', async () => {
  const old = connectSecure({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  await once(old, 'error')
  const socket = connectSecure({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
  })
  await once(socket, 'secureConnect')
  assert.is(socket.alpnProtocol, 'http/1.1')
  socket.destroy()
})

tls('should close at a stop in spite of an unfinished handshake', async () => {
  const silent = await openPlain()
  const ended = once(silent, 'close')
  silent.resume()
  const closing = service.app.listener.close(30_000)
  const result = await Promise.race([closing.then(() => 'closed'), delay(8_000, 'late')])
  assert.is(result, 'closed')
  await ended
})

tls.run()
