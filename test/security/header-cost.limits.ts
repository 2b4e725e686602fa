// Header values, cookies and fields at their largest, made of text that expressions repeat: each
// costs little CPU, with any contents (F3).
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operations } from '../../src/routes.ts'
import { fileIds } from '../bytes/send/scene.ts'
import type { Client } from '../helpers/client.ts'
import { sessionCookie } from '../helpers/cookies.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { startService, type Service } from '../helpers/service.ts'
import { makeLink } from '../requests/guest.ts'

const cpuMsMax = 20
/** A busy machine makes some expensive; the minimum is the real cost. */
const triesMax = 20
/** Node accepts 16 KiB of header fields. */
const headerCharacters = 15_000
const fieldCharacters = 60_000

/** The start of a value, so that it is parsed, and the repeated text. */
const beginnings: Record<string, readonly string[]> = {
  accept: ['text/markdown', ''],
  'accept-encoding': ['gzip', ''],
  'accept-language': ['a', 'de;q'],
  authorization: ['Bearer ', 'Basic '],
  connection: [''],
  'content-digest': ['sha-256=:', 'sha-256', ''],
  'content-encoding': ['gzip', ''],
  'content-type': ['multipart/form-data', 'application/json', 'multipart/form-data; boundary='],
  // Those of the session are added once its name is known.
  cookie: ['a=b;', ''],
  'if-match': ['"a"', '"', ''],
  'if-modified-since': ['Sun, 06 Nov 1994 08:49:37 GMT', ''],
  'if-none-match': ['"a"', 'W/"', '*', ''],
  'if-range': ['"a"', 'Sun, ', ''],
  'if-unmodified-since': ['Sun, 06 Nov 1994 08:49:37 GMT', ''],
  origin: ['http://', ''],
  range: ['bytes=0-', 'bytes=0-x', 'bytes', ''],
  'sec-fetch-dest': ['script', ''],
  'sec-fetch-mode': ['navigate', ''],
  'sec-fetch-site': ['same-origin', ''],
  'service-worker': ['script', ''],
  'user-agent': ['Mozilla', ''],
  'x-forwarded-for': ['192.0.2.1', ''],
  'x-request-id': ['a', ''],
  'x-share-password': ['secret', ''],
}
const repeated = [
  ...' \t0aZ,;:=-/*.%"()<>@{}[]_\\'.split(''),
  ' ,',
  ', ;',
  '0-0,',
  '"a",',
  'a=b; ',
  'de;q=0.5,',
  'é',
]
const endings = ['', 'x', '\t!']
/** Named in the code, but without a value to parse. */
const plain = ['host', 'content-length', 'transfer-encoding', 'expect']

/** Targets per value, in turn. */
const targetsEach = 6

const cost = suite('security: the cost of header fields')
let service: Service
let owner: Client
let targets: string[] = []
let shareId = ''

cost.before(async () => {
  service = await startService({
    env: {
      RATE_LIMIT_DOWNLOAD: 'off',
      RATE_LIMIT_LOGIN: 'off',
      RATE_LIMIT_RESET: 'off',
      RATE_LIMIT_UPLOAD: 'off',
      TRUST_PROXY: 'loopback',
    },
  })
  owner = await service.admin()
  beginnings['cookie'] = [sessionCookie(owner, ''), 'a=b;', '']
  shareId = await owner.share({ 'a.txt': 'hello' })
  const ids = await fileIds(service, shareId)
  targets = [
    `GET /api/shares/${shareId}/files/${ids['a.txt']}`,
    `GET /s/${shareId}`,
    'GET /openapi.json',
    'GET /api/account',
    'POST /api/auth/login',
    'POST /api/auth/logout',
    'POST /api/tar',
  ]
})
cost.after(async () => {
  await owner.close()
  await service.stop()
})

/** Milliseconds of CPU of this process, client and service, for a call: the minimum of several. */
async function cpuMsOf(call: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < triesMax && least > cpuMsMax; tries += 1) {
    const before = process.cpuUsage()
    await call()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

cost('should cover every header field that is read', () => {
  const folder = path.resolve(import.meta.dirname, '../../src')
  const names = new Set<string>()
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    // The check-up reads the answers of our own service.
    if (!name.endsWith('.js') || /^(?:web|admin\/doctor)\//.test(name)) continue
    const code = readFileSync(path.join(folder, name), 'utf8')
    const reads = /(?:\.header\(|headers\[)"([a-z-]+)"|request\.headers\.([a-z]+)/g
    for (const [, one, other] of code.matchAll(reads)) names.add((one ?? other)!)
  }
  const listed = [...Object.keys(beginnings), ...plain]
  assert.ok(names.size > 10, `${names.size} were found`)
  assert.equal(
    [...names].filter((name) => !listed.includes(name)),
    [],
  )
})

for (const header of Object.keys(beginnings)) {
  cost(`should take little CPU for ${header}`, async () => {
    const connection = await RawConnection.open(service.url)
    try {
      for (const start of beginnings[header]!) {
        for (const [turn, repeat] of repeated.entries()) {
          const count = Math.floor(headerCharacters / Buffer.byteLength(repeat))
          for (let step = 0; step < targetsEach; step += 1) {
            const place = (turn * targetsEach + step) % targets.length
            const target = targets[place]!
            const value = start + repeat.repeat(count) + endings[place % endings.length]!
            const text =
              `${target} HTTP/1.1\r\nHost: x\r\n${header}: ${value}\r\n` +
              `${target.startsWith('POST') ? 'Content-Length: 2\r\n' : ''}\r\n` +
              `${target.startsWith('POST') ? '{}' : ''}`
            const ms = await cpuMsOf(async () => {
              await connection.send(Buffer.from(text, 'utf8'))
              await connection.readAnswer()
            })
            const what = `${target}, ${header}: ${start}${repeat}…`
            assert.ok(ms <= cpuMsMax, `${what} took ${ms.toFixed(1)} ms`)
          }
        }
      }
    } finally {
      connection.destroy()
    }
  })
}

cost('should take little CPU for the text fields of every body', async () => {
  const params: Record<string, string> = { shareId, reverseId: await makeLink(owner), userId: '1' }
  for (const { id, method, path: pattern, body } of operations) {
    if (body?.kind !== 'json') continue
    const names = Object.keys((body.schema as any).entries ?? { appName: '', smtpFrom: '' })
    const target = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '1')
    for (const repeat of [' ', '\t', '0', 'a', 'a.', 'a@', '<', '>', '-', ',', '"', '\u{1f600}']) {
      const text = repeat.repeat(fieldCharacters / 12 / repeat.length) + '!'
      const value = Object.fromEntries(names.map((name) => [name, text]))
      const ms = await cpuMsOf(() => owner.call(method as 'POST', target, { json: value }))
      assert.ok(ms <= 2 * cpuMsMax, `${id} with ${JSON.stringify(repeat)} took ${ms.toFixed(1)} ms`)
    }
  }
})

cost('should take little CPU for the parameters and fields of a multipart body', async () => {
  const draft = await owner.init()
  const authorization = `Bearer ${owner.token}`
  const connection = await RawConnection.open(service.url)
  try {
    for (const repeat of repeated) {
      const long = repeat.repeat(4000 / Buffer.byteLength(repeat))
      const parts = [
        `form-data; name="chunkIndex"\r\n\r\n${long}`,
        `form-data; name="fileId"\r\n\r\n${long}`,
        `form-data; name="fileName"\r\n\r\n${long}`,
        `form-data; name="chunkHash"\r\n\r\n${long}`,
        `form-data; name="chunk"; filename="${long}"\r\nContent-Type: a/${long}\r\n\r\nx`,
        `form-data; name=${long}; filename*=utf-8''${long}\r\n\r\nx`,
      ]
      for (const part of parts) {
        const body = `--b\r\nContent-Disposition: ${part}\r\n--b--\r\n`
        const text =
          `POST /api/shares/${draft}/chunk HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
          `Content-Type: multipart/form-data; boundary=b\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
        const ms = await cpuMsOf(async () => {
          await connection.send(Buffer.from(text, 'utf8'))
          assert.is((await connection.readAnswer()).status, 400)
        })
        assert.ok(ms <= cpuMsMax, `${part.slice(0, 60)} took ${ms.toFixed(1)} ms`)
      }
    }
  } finally {
    connection.destroy()
  }
})

cost.run()
