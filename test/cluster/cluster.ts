// PostgreSQL, PgBouncer, a small S3, three services and HAProxy, each a process that can be killed.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'
import { ownPort } from '../helpers/own-port.ts'
import { findPostgres, postgresAccount, startOwnPostgres } from './own-postgres.ts'
import { ServiceProcess } from '../helpers/service-process.ts'
import { stubKeys } from '../helpers/s3-stub.ts'
import { until } from '../helpers/until.ts'

export const admin = { email: 'admin@example.org', password: 'correct horse battery' }
const count = 3

/** Names of programs that this machine lacks. */
export function missingPrograms(): string[] {
  const has = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  const programs = ['haproxy', 'pgbouncer'].filter((name) => !has(name))
  return findPostgres() === null ? [...programs, 'postgresql'] : programs
}

export interface Cluster {
  /** Address of HAProxy. */
  readonly url: string
  readonly instances: ServiceProcess[]
  /** Kills an instance, and starts another in its place. */
  replace(place: number): Promise<void>
  /** Ends a connection of the database that an instance uses. */
  endBackend(): void
  restartDatabase(): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-cluster-'))
  chmodSync(folder, 0o755)
  const children: ChildProcess[] = []
  const run = (file: string, args: string[], options: object = {}) => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options })
    children.push(child)
    return child
  }
  const postgres = await startOwnPostgres(findPostgres()!)
  const direct = postgres.createDatabase('transfer')
  const pooled = startPgBouncer(folder, new URL(direct).port, run)
  const here = import.meta.dirname
  const store = run(process.execPath, [path.join(here, 's3-process.js')])
  const [line] = (await once(store.stdout!.setEncoding('utf8'), 'data')) as [string]
  const ports = Array.from({ length: count }, () => String(ownPort()))
  const url = `http://127.0.0.1:${ownPort()}`
  const env = {
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: direct,
    BLOBS_URL: `s3://bucket/files?endpoint=${line.trim()}`,
    AWS_ACCESS_KEY_ID: stubKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stubKeys.secretAccessKey,
    JWT_SECRET: 'a secret that all instances have, long enough',
    BASE_URL: url,
    TRUST_PROXY: '127.0.0.1',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...Object.fromEntries(
      ['LOGIN', 'UPLOAD', 'DOWNLOAD'].map((one) => [`RATE_LIMIT_${one}`, 'off']),
    ),
  }
  const start = (place: number) =>
    ServiceProcess.start({
      ...env,
      DATA_DIR: path.join(folder, `data-${place}`),
      PORT: ports[place]!,
    })
  // At once, as a first start may be.
  const instances = await Promise.all(ports.map((_, place) => start(place)))
  writeFileSync(path.join(folder, 'haproxy.cfg'), haproxyOf(url, ports))
  run('haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')])
  await until('HAProxy answers', async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    return answer?.status === 200
  })
  return {
    url,
    instances,
    async replace(place) {
      instances[place]!.child.kill('SIGKILL')
      await instances[place]!.ended()
      instances[place] = await start(place)
    },
    endBackend: () =>
      postgres.run(
        'transfer',
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'transfer' limit 1",
      ),
    restartDatabase: () => postgres.restart(),
    async stop() {
      for (const instance of instances) instance.child.kill('SIGKILL')
      for (const child of children) child.kill('SIGKILL')
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In transaction mode; it refuses to run as root. */
function startPgBouncer(
  folder: string,
  port: string,
  run: (file: string, args: string[], options: object) => unknown,
): string {
  const own = ownPort()
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
transfer = host=127.0.0.1 port=${port} dbname=transfer user=transfer
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
`,
  )
  const account = postgresAccount()
  if (account) chownSync(file, account.uid, account.gid)
  run('pgbouncer', ['-q', file], { ...account })
  return `postgres://transfer@127.0.0.1:${own}/transfer`
}

/** The example of docs/scale.md, with the addresses of this machine. */
function haproxyOf(url: string, ports: readonly string[]): string {
  const page = readFileSync(path.join(packageRoot, 'docs', 'scale.md'), 'utf8')
  const [, example = ''] = /```text\n(global\n[^`]*)```/.exec(page) ?? []
  let place = 0
  return example
    .replace('bind :80', `bind 127.0.0.1:${new URL(url).port}`)
    .replaceAll(/10\.0\.0\.1\d:8080/g, () => `127.0.0.1:${ports[place++]}`)
}
