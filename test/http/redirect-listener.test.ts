// The port for plain http: to https, and challenges of ACME clients.
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RedirectListener } from '../../src/http/redirect-listener.ts'
import { createLog } from '../../src/lib/log.ts'
import { FakeClock } from '../helpers/clock.ts'
import { RawConnection, type RawAnswer } from '../helpers/raw-connection.ts'

const redirect = suite('redirect listener')
let acmeDir: string
let folder: string
let listener: RedirectListener

redirect.before.each(async () => {
  acmeDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-acme-'))
  folder = path.join(acmeDir, '.well-known', 'acme-challenge')
  mkdirSync(folder, { recursive: true })
  const log = createLog({ level: 'info', write: () => {} })
  const target = 'https://files.example.org'
  listener = new RedirectListener({ target, acmeDir, clock: new FakeClock(), log })
  await listener.listen({ port: 0, host: '127.0.0.1' })
})
redirect.after.each(async () => {
  await listener.close()
  rmSync(acmeDir, { recursive: true })
})

async function send(line: string, more = ''): Promise<RawAnswer> {
  const { port } = listener.server.address() as AddressInfo
  const connection = await RawConnection.open(`http://127.0.0.1:${port}`)
  await connection.send(`${line} HTTP/1.1\r\nHost: evil.example\r\n${more}\r\n`)
  const answer = await connection.readAnswer({ isHead: line.startsWith('HEAD') })
  await connection.over()
  return answer
}

redirect('should redirect to the base URL, and not to the host that the client names', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await send(`${method} /s/abc?x=1`)
    assert.is(status, 308)
    assert.is(headers['location'], 'https://files.example.org/s/abc?x=1')
    assert.is(headers['connection'], 'close')
  }
  const { headers } = await send('GET //evil.example/')
  assert.is(new URL(headers['location']!).host, 'files.example.org')
  const odd = await send('GET /@evil.example/')
  assert.is(new URL(odd.headers['location']!).host, 'files.example.org')
})

redirect('should refuse everything else in one sentence', async () => {
  for (const line of ['POST /api/auth/login', 'PUT /', 'OPTIONS *', 'GET http://evil.example/']) {
    const { status, body } = await send(line)
    assert.is(status, 400, line)
    assert.match(body.toString(), /https/)
  }
  assert.is((await send('POST /', 'Content-Length: 5\r\nExpect: 100-continue\r\n')).status, 400)
})

redirect('should answer a challenge from its folder', async () => {
  writeFileSync(path.join(folder, 'tok-en_1'), 'tok-en_1.thumbprint')
  const { status, body } = await send('GET /.well-known/acme-challenge/tok-en_1')
  assert.is(status, 200)
  assert.is(body.toString(), 'tok-en_1.thumbprint')
})

redirect('should read no other files', async () => {
  writeFileSync(path.join(acmeDir, 'secret'), 'secret')
  writeFileSync(path.join(folder, 'large'), Buffer.alloc(4 * 1024 + 1))
  symlinkSync(path.join(acmeDir, 'secret'), path.join(folder, 'link'))
  linkSync(path.join(acmeDir, 'secret'), path.join(folder, 'hard'))
  mkdirSync(path.join(folder, 'folder'))
  const tokens = ['none', 'large', 'link', 'hard', 'folder', '', 'a'.repeat(129), 'a.b', 'a%2fb']
  for (const token of [...tokens, '../../secret', '..%2f..%2fsecret', 'folder/x']) {
    const { status, body } = await send(`GET /.well-known/acme-challenge/${token}`)
    assert.is(status, 404, token)
    assert.not.match(body.toString(), 'secret')
  }
})

redirect('should follow no symbolic link out of its folder', async () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'transfer-test-acme-'))
  writeFileSync(path.join(outside, 'token'), 'secret')
  rmSync(folder, { recursive: true })
  symlinkSync(outside, folder)
  assert.is((await send('GET /.well-known/acme-challenge/token')).status, 404)
  rmSync(outside, { recursive: true })
})

redirect.run()
