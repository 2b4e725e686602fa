// PostgreSQL, PgBouncer, an S3, three services and HAProxy, each a process that can be killed.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StoreClient } from '../../src/bytes/store/s3/client.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { makeFolder } from '../helpers/folder.ts'
import { ownPort } from '../helpers/own-port.ts'
import { cephPrograms, startCeph, type Ceph, type CephSize } from './ceph.ts'
import { findPostgres, postgresAccount, startOwnPostgres } from './own-postgres.ts'
import { ServiceProcess } from '../helpers/service-process.ts'
import { S3Stub, stubKeys } from '../helpers/s3-stub.ts'
import { until } from '../helpers/until.ts'

export const admin = { email: 'admin@example.org', password: 'correct horse battery' }
const count = 3

/** Names of programs that this machine lacks. */
export function missingPrograms(): string[] {
  const programs = ['haproxy', 'pgbouncer'].filter(isMissing)
  return findPostgres() === null ? [...programs, 'postgresql'] : programs
}

/** What Ceph needs; with CLUSTER_STORE=stub it is not wanted. */
export function missingCeph(): string[] {
  if (process.env['CLUSTER_STORE'] === 'stub') return ['wish for Ceph']
  return process.getuid?.() === 0 ? cephPrograms.filter(isMissing) : ['root for Ceph']
}

function isMissing(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0
}

/** A command and its first arguments. */
export type Program = readonly string[]

export interface Cluster {
  /** Address of HAProxy. */
  readonly url: string
  readonly instances: ServiceProcess[]
  /** Null where a stub takes its place. */
  readonly ceph: Ceph | null
  readonly bucket: Bucket
  /** Ends an instance, and starts another in its place, of this build or of another one. */
  replace(place: number, signal: 'SIGKILL' | 'SIGTERM', program?: Program): Promise<void>
  /** Ends a connection of the database that an instance uses. */
  endBackend(): void
  restartDatabase(): Promise<void>
  stop(): Promise<void>
}

/** An empty bucket named "bucket". */
export type Bucket = Pick<Ceph, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>

/** @param program the build that it starts with; else this one */
export async function startCluster(program?: Program, size?: CephSize): Promise<Cluster> {
  const folder = makeFolder()
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
  const ceph = missingCeph().length === 0 ? await startCeph(folder, size) : null
  const stub = ceph ? null : await S3Stub.start()
  const store = ceph ?? { endpoint: stub!.endpoint, ...stubKeys }
  if (ceph) await makeBucket(ceph)
  const ports = Array.from({ length: count }, () => String(ownPort()))
  const url = `http://127.0.0.1:${ownPort()}`
  const env = {
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: direct,
    BLOBS_URL: `s3://bucket/files?endpoint=${store.endpoint}`,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    JWT_SECRET: 'a secret that all instances have, long enough',
    BASE_URL: url,
    TRUST_PROXY: '127.0.0.1',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...Object.fromEntries(
      ['LOGIN', 'UPLOAD', 'DOWNLOAD'].map((one) => [`RATE_LIMIT_${one}`, 'off']),
    ),
  }
  const start = (place: number, started = program) => {
    const own = { DATA_DIR: path.join(folder, `data-${place}`), PORT: ports[place]! }
    return ServiceProcess.start({ ...env, ...own }, started)
  }
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
    ceph,
    bucket: store,
    async replace(place, signal, other) {
      instances[place]!.child.kill(signal)
      await instances[place]!.ended()
      instances[place] = await start(place, other)
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
      await ceph?.stop()
      await stub?.stop()
      await postgres.stop()
    },
  }
}

export async function makeBucket({ endpoint, accessKeyId, secretAccessKey }: Bucket) {
  const bucket = { endpoint, region: 'us-east-1', bucket: 'bucket', prefix: '' }
  const keys = { accessKeyId, secretAccessKey, sessionToken: null }
  const client = await StoreClient.open(bucket, keys, systemClock)
  await client.attempt({ method: 'PUT', key: null }, [200])
  await client.close()
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
