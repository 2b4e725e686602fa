// What encryption costs: downloads and uploads by curl over plain http, with the service's own
// TLS, and with nginx in front, in turns. Prints medians; needs curl, openssl and nginx.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Certificates } from '../test/helpers/certificates.ts'
import { configureNginx } from '../test/helpers/nginx.ts'
import { mainFile } from '../test/helpers/main-file.ts'
import { Child, freePort } from './lib/child.ts'
import { isMain } from './lib/is-main.ts'
import { median } from './lib/measure.ts'
import { cpuSecondsOf, descendantsOf, forgetPeak, peakResidentBytes, sum } from './lib/processes.ts'
import { findNginx } from './lib/nginx.ts'
import { tarOf } from './lib/tar.ts'

const run = promisify(execFile)
const bytes = 512 * 1024 * 1024
const rounds = Number(process.argv[2] ?? 5)
const account = { email: 'bench@example.org', password: 'a password of the bench' }

interface Side {
  readonly name: string
  readonly url: string
  /** Parents of what is measured. */
  readonly children: readonly Child[]
  readonly token: string
  readonly filePath: string
}

/** Standard output of curl, which fails with the answer of a refused request. */
async function curl(...args: string[]): Promise<string> {
  const options = ['-sS', '--insecure', '--fail-with-body', '--max-time', '120']
  const { stdout } = await run('curl', [...options, ...args])
  return stdout
}

async function startService(folder: string, env: Record<string, string>): Promise<Child> {
  mkdirSync(folder, { mode: 0o711 })
  return Child.start({
    file: mainFile,
    args: ['serve'],
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DOCS_PORT: 'off',
      DATA_DIR: folder,
      ADMIN_EMAIL: account.email,
      ADMIN_PASSWORD: account.password,
      RATE_LIMIT_UPLOAD: 'off',
      RATE_LIMIT_DOWNLOAD: 'off',
      ...env,
    },
    logFile: `${folder}.log`,
    readyText: 'listening on',
  })
}

async function openSide(
  name: string,
  url: string,
  children: readonly Child[],
  tar: string,
): Promise<Side> {
  const json = ['-H', 'Content-Type: application/json', '-d', JSON.stringify(account)]
  const { token } = JSON.parse(await curl(...json, `${url}/api/auth/login`)) as { token: string }
  const side = { name, url, children, token, filePath: '' }
  const shareId = await upload(side, tar)
  const shown = JSON.parse(await curl(`${url}/api/public/shares/${shareId}`)) as {
    files: { id: number }[]
  }
  return { ...side, filePath: `/api/shares/${shareId}/files/${shown.files[0]!.id}` }
}

async function upload({ url, token }: Side, tar: string): Promise<string> {
  const headers = ['-H', `Authorization: Bearer ${token}`, '-H', 'Content-Type: application/x-tar']
  const answer = await curl(...headers, '-X', 'POST', '-T', tar, `${url}/api/tar?name=bench`)
  return (JSON.parse(answer) as { shareId: string }).shareId
}

interface Figures {
  readonly megabytesPerSecond: number
  readonly cpuSecondsPerGb: number
  readonly peakMegabytes: number
}

/** What the servers take, without the database. */
async function measure({ children }: Side, work: () => Promise<unknown>): Promise<Figures> {
  const pids = children.flatMap(({ pid }) => [pid, ...descendantsOf(pid)])
  const cpuSeconds = () => sum(pids.map((pid) => cpuSecondsOf(pid) ?? 0))
  for (const pid of pids) forgetPeak(pid)
  const before = cpuSeconds()
  const startedMs = performance.now()
  await work()
  return {
    megabytesPerSecond: bytes / 1000 / (performance.now() - startedMs),
    cpuSecondsPerGb: (cpuSeconds() - before) / (bytes / 1e9),
    peakMegabytes: peakResidentBytes(children[0]!.pid) / 1e6,
  }
}

async function measureAll(sides: readonly Side[], tar: string): Promise<void> {
  const works: Record<string, (side: Side) => Promise<unknown>> = {
    download: ({ url, filePath }) => curl('-o', '/dev/null', `${url}${filePath}`),
    upload: (side) => upload(side, tar),
  }
  for (const [work, start] of Object.entries(works)) {
    const all = new Map<Side, Figures[]>(sides.map((side) => [side, []]))
    for (let round = 0; round < rounds; round++) {
      for (const side of sides) all.get(side)!.push(await measure(side, () => start(side)))
    }
    for (const [{ name }, figures] of all) {
      const of = (key: keyof Figures) => median(figures.map((one) => one[key]))
      console.log(
        `${work}, ${name}: ${Math.round(of('megabytesPerSecond'))} MB/s, ` +
          `${of('cpuSecondsPerGb').toFixed(2)} CPU-s/GB, Node at most ` +
          `${Math.round(of('peakMegabytes'))} MB`,
      )
    }
  }
}

async function bench(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-bench-tls-'))
  // Under root the database server runs as another user, who must reach its cluster.
  chmodSync(folder, 0o711)
  const certificates = new Certificates()
  const children: Child[] = []
  const start = async (name: string, env: Record<string, string>) => {
    const child = await startService(path.join(folder, name), env)
    children.push(child)
    return child
  }
  try {
    const tar = path.join(folder, 'file.tar')
    writeFileSync(tar, Buffer.concat(tarOf(['file.bin'], [Buffer.alloc(bytes, 'a')])))
    const { certificate, key } = certificates.make('bench')
    const nginxPort = await freePort()
    const plain = await start('plain', { TRUST_PROXY: 'loopback' })
    const own = await start('own', { TLS_CERT: certificate, TLS_KEY: key })
    const servers = `server {
      listen 127.0.0.1:${nginxPort} ssl;
      ssl_certificate ${certificate};
      ssl_certificate_key ${key};
      client_max_body_size 0;
      location / {
        proxy_pass http://127.0.0.1:${plain.port};
        proxy_http_version 1.1;
        proxy_request_buffering off;
        proxy_buffering off;
      }
    }`
    const nginxFolder = path.join(folder, 'nginx')
    mkdirSync(nginxFolder)
    const nginx = await Child.start({
      file: findNginx().file,
      args: configureNginx(nginxFolder, servers, 'user root;\nerror_log stderr notice;\n'),
      env: {},
      logFile: `${nginxFolder}.log`,
      readyText: 'start worker process',
    })
    children.push(nginx)
    await measureAll(
      [
        await openSide('http', `http://127.0.0.1:${plain.port}`, [plain], tar),
        await openSide('own TLS', `https://127.0.0.1:${own.port}`, [own], tar),
        await openSide('TLS of nginx', `https://127.0.0.1:${nginxPort}`, [plain, nginx], tar),
      ],
      tar,
    )
  } finally {
    for (const child of children.toReversed()) await child.stop()
    certificates.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) await bench()
