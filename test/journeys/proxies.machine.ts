// The service behind the proxies of docs/proxy.md, configured as that page prints it.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { ownPort } from '../helpers/own-port.ts'
import { Proxy } from '../helpers/proxy.ts'
import { startService } from '../helpers/service.ts'

interface Scene {
  folder: string
  token: string
}

/** The client's own address, told apart from the proxy's by both. */
const clientAddress = '127.0.0.2'
const forged = '203.0.113.9'
const lacks = (command: string) => spawnSync('which', [command]).status !== 0

const proxies = suite('journey: behind a proxy')

/** The output of curl, as a client with another address and a forged header. */
async function curl(scene: Scene, url: string, ...args: string[]): Promise<string> {
  const child = spawn(
    'curl',
    // prettier-ignore
    [
      '-sS', '--max-time', '60', '--interface', clientAddress,
      '-H', `X-Forwarded-For: ${forged}`, ...args, url,
    ],
    { cwd: scene.folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await endOf(child)
  return said
}

/** Uploads a file above every proxy's default limit, and downloads it whole and in parts. */
async function assertTransfers(scene: Scene, base: string): Promise<void> {
  const { folder, token } = scene
  const bytes = Buffer.alloc(12_345_678, 'frame ')
  writeFileSync(path.join(folder, 'film.mp4'), bytes)
  const bearer = ['-H', `Authorization: Bearer ${token}`]
  const json = ['-H', 'Content-Type: application/json', '-d']
  const begun = await curl(scene, `${base}/api/shares/init`, ...bearer, ...json, '{}')
  const { shareId } = JSON.parse(begun) as { shareId: string }
  const parts = ['chunk=@film.mp4', 'chunkIndex=0', 'fileId=a', 'fileName=a']
  const fields = parts.flatMap((part) => ['-F', part])
  const sent = await curl(scene, `${base}/api/shares/${shareId}/chunk`, ...bearer, ...fields)
  assert.is(sent, '{"success":true}')
  const files = [{ fileId: 'a', fileName: 'a', originalName: 'film.mp4', size: bytes.length }]
  const list = JSON.stringify({ files })
  const done = await curl(scene, `${base}/api/shares/${shareId}/finalize`, ...bearer, ...json, list)
  assert.match(done, `"shareUrl":"${base}/s/${shareId}"`)

  const seen = await curl(scene, `${base}/api/public/shares/${shareId}`)
  const fileId = (JSON.parse(seen) as { files: { id: number }[] }).files[0]!.id
  const address = `${base}/api/shares/${shareId}/files/${fileId}`
  await curl(scene, address, '-o', 'whole', '-D', 'headers')
  assert.ok(readFileSync(path.join(folder, 'whole')).equals(bytes))
  const headers = readFileSync(path.join(folder, 'headers'), 'utf8').toLowerCase()
  assert.match(headers, `content-length: ${bytes.length}`)
  assert.match(headers, 'accept-ranges: bytes')
  writeFileSync(path.join(folder, 'broken'), bytes.subarray(0, 5_000_000))
  const code = await curl(scene, address, '-C', '-', '-o', 'broken', '-w', '%{http_code}')
  assert.match(code, '206')
  assert.ok(readFileSync(path.join(folder, 'broken')).equals(bytes))
}

/** The audit log and the limits see the client: neither the proxy nor the forged address. */
async function assertAddresses(scene: Scene, base: string): Promise<void> {
  const json = ['-H', 'Content-Type: application/json', '-d']
  const wrong = '{"email":"admin@example.org","password":"guess"}'
  const login = await curl(scene, `${base}/api/auth/login`, ...json, wrong)
  assert.match(login, 'wrong_credentials')
  const bearer = ['-H', `Authorization: Bearer ${scene.token}`]
  const rows = await curl(scene, `${base}/api/audit?event=login.failed`, ...bearer)
  const addresses = (JSON.parse(rows) as { ip: string }[]).map((row) => row.ip)
  assert.equal(addresses, [clientAddress])
}

/** A sign-in through the proxy works from its own pages only. */
async function assertCookies(scene: Scene, base: string): Promise<void> {
  const json = ['-H', 'Content-Type: application/json', '-d']
  const right = '{"email":"admin@example.org","password":"correct horse battery"}'
  const said = await curl(scene, `${base}/api/auth/login`, '-i', ...json, right)
  const cookie = /transfer_session_[\w-]{8}=([^;]+)/.exec(said)![0]
  const start = (from: string) =>
    curl(scene, `${base}/api/shares/init`, '-b', cookie, '-H', `Origin: ${from}`, ...json, '{}')
  assert.match(await start('https://elsewhere.example'), 'cross_site')
  assert.not.match(await start(base), 'cross_site')
}

for (const name of ['nginx', 'caddy'] as const) {
  if (['curl', name].some(lacks)) {
    process.stdout.write(`\nskipped: the service behind ${name}, which this machine lacks\n`)
    continue
  }
  proxies(`should send and receive behind ${name}, and know its clients`, async () => {
    const port = ownPort()
    const base = `http://127.0.0.1:${port}`
    const service = await startService({ env: { BASE_URL: base, TRUST_PROXY: '127.0.0.1' } })
    const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-proxy-'))
    const proxy = await Proxy[name](port, service.url)
    try {
      const scene = { folder, token: (await service.admin()).token! }
      await assertTransfers(scene, base)
      await assertAddresses(scene, base)
      await assertCookies(scene, base)
    } finally {
      await proxy.stop()
      rmSync(folder, { recursive: true })
    }
  })
}
