// Helpers of the embedded server tests: a data directory, service processes, and waiting.
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { connect } from '../../../src/database/connect.ts'
import { thisMachine } from '../../../src/database/embedded/machine.ts'
import { processesOf } from '../../../src/database/embedded/processes.ts'
import { startEmbedded, type EmbeddedAddress } from '../../../src/database/embedded/start.ts'
import type { EmbeddedOptions, EmbeddedPostgres } from '../../../src/database/embedded/start.ts'
import { createLog, type Log } from '../../../src/lib/log.ts'
import { endOf } from '../../helpers/child.ts'
import { patient } from '../../helpers/patience.ts'
import { tryToSignal } from '../../helpers/service-process.ts'
import { until } from '../../helpers/until.ts'

export const isRoot = process.getuid?.() === 0

const patienceMs = patient(30_000)

export interface Said {
  pid: number
  socketDir: string
  failure: string
}

export interface Service {
  child: ChildProcess
  said: Said
}

export interface Scene {
  /** Removed at the end, with all servers in it. */
  root: string
  dataDir: string
  copyRoot: string
  logged: { level: string; message: string; [key: string]: unknown }[]
  log: Log
  servers: EmbeddedPostgres[]
  services: ChildProcess[]
}

export function setScene(scene: Scene): void {
  scene.root = mkdtempSync(path.join(tmpdir(), 'transfer-test-'))
  chmodSync(scene.root, 0o711)
  scene.dataDir = path.join(scene.root, 'data')
  scene.copyRoot = path.join(scene.root, 'fallback')
  scene.logged = []
  scene.servers = []
  scene.services = []
  const write = (line: string) => {
    scene.logged.push(JSON.parse(line) as Scene['logged'][number])
  }
  scene.log = createLog({ level: 'debug', write })
}

export async function clearScene(scene: Scene): Promise<void> {
  for (const server of scene.servers) await server.stop()
  for (const child of scene.services) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    await killHard(child)
  }
  for (const pid of processesOf(clusterOf(scene))) tryToSignal(pid, 'SIGKILL')
  await until(() => processesOf(clusterOf(scene)).length === 0)
  rmSync(scene.root, { recursive: true, force: true })
}

export async function startIn(
  scene: Scene,
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres> {
  const { dataDir, log, copyRoot } = scene
  const machine = { copyRoot, ...options.machine }
  const server = await startEmbedded({ dataDir, log, ballastBytes: 0, ...options, machine })
  scene.servers.push(server)
  return server
}

/** The message of a start that fails; one that succeeds fails the test. */
export async function startFailure(
  scene: Scene,
  options: Partial<EmbeddedOptions> = {},
): Promise<string> {
  try {
    await startIn(scene, options)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('the start should have failed')
}

/** Another process that starts the cluster of the same data directory. */
export async function startService(scene: Scene, prefix: readonly string[] = []): Promise<Service> {
  const program = fileURLToPath(new URL('service-process.js', import.meta.url))
  const [command, ...args] = [...prefix, process.execPath, program, scene.dataDir]
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(command, args, { stdio: [...stdio], env: {}, cwd: '/' })
  scene.services.push(child)
  return { child, said: await firstWords(child) }
}

async function firstWords(child: ChildProcess): Promise<Said> {
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  for await (const line of createInterface({ input: child.stdout! })) {
    clearTimeout(timer)
    return JSON.parse(line) as Said
  }
  throw new Error('the service process said nothing and ended')
}

export async function killHard(child: ChildProcess): Promise<void> {
  const end = endOf(child)
  child.kill('SIGKILL')
  await end
}

export async function ask(address: EmbeddedAddress, text: string): Promise<unknown> {
  const { socketDir, user, database } = address
  const options = { socketDir, user, database, connectionsMax: 1, applicationName: 'test' }
  const db = connect(options)
  try {
    const [row] = await db.sql.unsafe(text)
    return Object.values(row ?? {})[0]
  } finally {
    await db.close()
  }
}

/** A copy of the platform's binaries that a test may corrupt; without the libraries' symlinks. */
export function copyBinaries(scene: Scene): string {
  const copy = path.join(scene.root, 'native')
  const { native } = thisMachine.findPackage()
  const filter = (name: string) => !/\.a$|\.so(\.\d+)?$/.test(name) || isRealLibrary(name)
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true, filter })
  return copy
}

/** The libraries that the package ships as files: all that pg-symlinks.json does not name. */
function isRealLibrary(name: string): boolean {
  return !/lib(ecpg|ecpg_compat|icudata|icui18n|icuuc|pgtypes|pq)\.so(\.\d+)?$/.test(name)
}

export const wayOut = /; if you cannot fix this, set DATABASE_URL$/
export const version = thisMachine.findPackage().version
export const homeOf = (scene: Scene) => path.join(scene.dataDir, 'database')
export const clusterOf = (scene: Scene) => path.join(homeOf(scene), 'pg')

export function skip(why: string): void {
  process.stdout.write(`\nskipped: ${why}\n`)
}

export async function makeCluster(scene: Scene): Promise<void> {
  const server = await startIn(scene)
  await ask(server, 'create table kept as select 1')
  await server.stop()
}
