// A chunk above the limit is refused while it is still being sent, and ordinary clients can read
// the refusal: Node's fetch, Python's http.client and curl.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Agent, fetch } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { assertNoTraces, tracesNow, type TracesBefore } from '../helpers/traces.ts'

const mebibyte = 1024 * 1024
const chunkBytesMax = 100 * mebibyte

const large = suite('contract: large chunks')
let service: Service
let owner: Client
let shareId: string
let before: TracesBefore
let folder: string

large.before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-large-'))
  service = await startService()
  owner = await service.admin()
  shareId = await owner.init()
  await owner.chunk(shareId, 'kept', 0, Buffer.alloc(300_000, 'k'))
})
large.after(async () => {
  await owner.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
large.before.each(async () => {
  before = await tracesNow(service)
})

const head =
  '--XX\r\nContent-Disposition: form-data; name="chunk"; filename="blob"\r\n' +
  'Content-Type: application/octet-stream\r\n\r\n'
const tail =
  '\r\n--XX\r\nContent-Disposition: form-data; name="chunkIndex"\r\n\r\n0' +
  '\r\n--XX\r\nContent-Disposition: form-data; name="fileName"\r\n\r\nlarge' +
  '\r\n--XX\r\nContent-Disposition: form-data; name="fileId"\r\n\r\nlarge\r\n--XX--\r\n'

const chunkUrl = () => `${service.url}/api/shares/${shareId}/chunk`
const headers = () => ({
  authorization: `Bearer ${owner.token}`,
  'content-type': 'multipart/form-data; boundary=XX',
})

/** A multipart body whose chunk has this many bytes, in pieces, without a length. */
async function* bodyOf(bytes: number) {
  yield Buffer.from(head)
  const piece = Buffer.alloc(mebibyte)
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left)
  yield Buffer.from(tail)
}

function assertTooLarge(status: number, body: string): void {
  assert.is(status, 413, body)
  assert.is(JSON.parse(body).code, 'payload_too_large')
}

large('should be refused by their length, readable for fetch while it sends', async () => {
  const agent = new Agent()
  try {
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(chunkBytesMax + mebibyte),
      Buffer.from(tail),
    ])
    const answer = await fetch(chunkUrl(), {
      method: 'POST',
      headers: headers(),
      body,
      dispatcher: agent,
    })
    assertTooLarge(answer.status, await answer.text())
  } finally {
    await agent.destroy()
  }
  await assertNoTraces(service, before)
})

large('should be refused at the first byte too many when their length is unknown', async () => {
  const agent = new Agent()
  try {
    const body = bodyOf(chunkBytesMax + 1)
    const init = {
      method: 'POST',
      headers: headers(),
      body,
      duplex: 'half',
      dispatcher: agent,
    } as const
    const answer = await fetch(chunkUrl(), init)
    assertTooLarge(answer.status, await answer.text())
  } finally {
    await agent.destroy()
  }
  await assertNoTraces(service, before)
})

const python = `
import http.client, json, sys
host, path, token, head, tail, bytes_ = sys.argv[1:]
connection = http.client.HTTPConnection(host, timeout=60)
size = len(head) + int(bytes_) + len(tail)
connection.putrequest('POST', path)
connection.putheader('Authorization', 'Bearer ' + token)
connection.putheader('Content-Type', 'multipart/form-data; boundary=XX')
connection.putheader('Content-Length', str(size))
connection.endheaders()
connection.send(head.encode())
piece = bytes(1024 * 1024)
for _ in range(int(bytes_) // len(piece)):
    connection.send(piece)
connection.send(tail.encode())
answer = connection.getresponse()
print(json.dumps([answer.status, answer.read().decode()]))
# The same connection goes on.
connection.request('GET', '/livez')
print(json.dumps(connection.getresponse().status))
`

async function run(
  command: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  const { code } = await endOf(child)
  return { code, output }
}

function isMissing(command: string): boolean {
  if (spawnSync(command, ['--version']).status === 0) return false
  process.stdout.write(`\nskipped: a 413 read by ${command}, which this machine lacks\n`)
  return true
}

large("should be refused so that Python's http.client reads it after sending", async () => {
  if (isMissing('python3')) return
  const { host, pathname } = new URL(chunkUrl())
  const bytes = String(chunkBytesMax + mebibyte)
  const args = ['-c', python, host, pathname, owner.token ?? '', head, tail, bytes]
  const { code, output } = await run('python3', args)
  assert.is(code, 0)
  const [answer = '', next] = output.split('\n')
  const [status, body] = JSON.parse(answer)
  assertTooLarge(status, body)
  assert.is(next, '200')
  await assertNoTraces(service, before)
})

for (const [what, expect] of [
  ['with Expect: 100-continue', 'Expect: 100-continue'],
  ['without it', 'Expect:'],
] as const) {
  large(`should be refused so that curl reads it, ${what}`, async () => {
    if (isMissing('curl')) return
    const file = path.join(folder, 'large')
    writeFileSync(file, '')
    truncateSync(file, chunkBytesMax + mebibyte)
    const fields = ['chunkIndex=0', 'fileName=large', 'fileId=large', `chunk=@${file}`]
    const args = ['-sS', '-H', `Authorization: Bearer ${owner.token}`, '-H', expect]
    for (const field of fields) args.push('-F', field)
    const { code, output } = await run('curl', [...args, '-w', '\n%{http_code}', chunkUrl()])
    assert.is(code, 0)
    const [body = '', status] = output.split('\n')
    assertTooLarge(Number(status), body)
    await assertNoTraces(service, before)
  })
}

large('should be accepted at exactly the limit', async () => {
  const agent = new Agent()
  try {
    const init = { method: 'POST', headers: headers(), duplex: 'half', dispatcher: agent } as const
    const answer = await fetch(chunkUrl(), { ...init, body: bodyOf(chunkBytesMax) })
    assert.equal([answer.status, await answer.text()], [200, '{"success":true}'])
  } finally {
    await agent.destroy()
  }
})

large.run()
