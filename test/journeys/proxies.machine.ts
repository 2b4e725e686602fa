// The service behind the proxies of docs/proxy.md, configured as that page prints it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { blocksUnder, replaceAll } from '../helpers/docs.ts'
import { configureNginx } from '../helpers/nginx.ts'
import { ownPort } from '../helpers/own-port.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

interface Scene {
  folder: string
  service: Service
  token: string
  proxy: ChildProcess | null
}

/** The client's own address, told apart from the proxy's by both. */
const clientAddress = '127.0.0.2'
const forged = '203.0.113.9'
const lacks = (command: string) => spawnSync('which', [command]).status !== 0

const proxies = suite<Scene>('journey: behind a proxy')

proxies.before.each(async (scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-proxy-'))
  scene.service = await startService({
    env: { BASE_URL: 'https://files.example.org', TRUST_PROXY: '127.0.0.1' },
  })
  scene.token = (await scene.service.admin()).token!
  scene.proxy = null
})
proxies.after.each(async (scene) => {
  const { proxy } = scene
  if (proxy && proxy.exitCode === null) {
    const closed = endOf(proxy)
    proxy.kill('SIGTERM')
    await closed
  }
  await scene.service.stop()
  rmSync(scene.folder, { recursive: true, force: true })
})

async function startNginx(scene: Scene): Promise<string> {
  const { folder, service } = scene
  const port = ownPort()
  const key = path.join(folder, 'key.pem')
  const certificate = path.join(folder, 'certificate.pem')
  const made = spawnSync(
    'openssl',
    // prettier-ignore
    [
      'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
      '-days', '2', '-subj', '/CN=files.example.org', '-keyout', key, '-out', certificate,
    ],
    { encoding: 'utf8', timeout: 30_000 },
  )
  assert.is(made.status, 0, made.stderr)
  const server = replaceAll(blocksUnder('proxy', 'nginx')[0]!.text, {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/letsencrypt/live/files.example.org/fullchain.pem': certificate,
    '/etc/letsencrypt/live/files.example.org/privkey.pem': key,
    'http://127.0.0.1:8080': service.url,
  })
  scene.proxy = spawn('nginx', configureNginx(folder, server), { stdio: 'ignore' })
  return `https://files.example.org:${port}`
}

async function startCaddy(scene: Scene): Promise<string> {
  const { folder, service } = scene
  const port = ownPort()
  // Without its certificate, which it would have to get from outside.
  const site = replaceAll(blocksUnder('proxy', 'Caddy')[0]!.text, {
    'files.example.org {': `http://files.example.org:${port} {\n bind 127.0.0.1`,
    '127.0.0.1:8080': new URL(service.url).host,
  })
  const file = path.join(folder, 'Caddyfile')
  writeFileSync(file, `{\n admin off\n}\n${site}`)
  mkdirSync(path.join(folder, 'home'))
  const home = path.join(folder, 'home')
  scene.proxy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  })
  return `http://files.example.org:${port}`
}

/** The output of curl, as a client with another address and a forged header. */
async function curl(scene: Scene, url: string, ...args: string[]): Promise<string> {
  const child = spawn(
    'curl',
    // prettier-ignore
    [
      '-sSk', '--max-time', '60', '--interface', clientAddress,
      '--connect-to', `files.example.org::127.0.0.1:${new URL(url).port}`,
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
  await until('the proxy answers', async () => {
    return (await curl(scene, `${base}/readyz`)).includes('"status":"ok"')
  })
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
  assert.match(done, `"shareUrl":"https://files.example.org/s/${shareId}"`)

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

/** A sign-in through the proxy gets the cookie of https, and works from its own pages only. */
async function assertCookies(scene: Scene, base: string): Promise<void> {
  const json = ['-H', 'Content-Type: application/json', '-d']
  const right = '{"email":"admin@example.org","password":"correct horse battery"}'
  const said = await curl(scene, `${base}/api/auth/login`, '-i', ...json, right)
  assert.match(said, /set-cookie: __Host-transfer_session_[\w-]{8}=[^\n]*Secure/i)
  const cookie = /__Host-transfer_session_[\w-]{8}=([^;]+)/.exec(said)![0]
  const { origin } = new URL(base)
  const start = (from: string) =>
    curl(scene, `${base}/api/shares/init`, '-b', cookie, '-H', `Origin: ${from}`, ...json, '{}')
  assert.match(await start('https://elsewhere.example'), 'cross_site')
  assert.not.match(await start(origin), 'cross_site')
}

const tried = { nginx: startNginx, caddy: startCaddy } as const
for (const [name, startProxy] of Object.entries(tried)) {
  if (['curl', 'openssl', name].some(lacks)) {
    process.stdout.write(`\nskipped: the service behind ${name}, which this machine lacks\n`)
    continue
  }
  proxies(`should send and receive behind ${name}, and know its clients`, async (scene) => {
    const base = await startProxy(scene)
    await assertTransfers(scene, base)
    await assertAddresses(scene, base)
    await assertCookies(scene, base)
  })
}
