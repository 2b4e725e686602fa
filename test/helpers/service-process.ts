// The service as a process of the built start file, in a clean environment.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterDirOf, homeOf } from '../../src/database/embedded/place.ts'
import { processesOf } from '../../src/database/embedded/processes.ts'
import { isSystemError } from '../../src/lib/errors.ts'
import { mainFile } from './main-file.ts'
import { noteLine } from './last-lines.ts'
import { patient } from './patience.ts'
import { until } from './until.ts'

/** Less than the bound of a file, so that the error names the condition. */
const patienceMs = patient(20_000)

/** How the service is run: the built start file, unless a test installs it elsewhere. */
const built: readonly string[] = [process.execPath, mainFile]

export type Environment = Readonly<Record<string, string>>

/** The output of a command and its end. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** An empty folder that root's database user can enter; removed by `removeDataDir`. */
export function makeDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-cli-'))
  chmodSync(folder, 0o711)
  return folder
}

/** An empty ballast is as good as a full one here, and saves every start from writing 64 MiB. */
export function makeBallast(dataDir: string): void {
  const home = path.join(dataDir, 'database')
  mkdirSync(home)
  chmodSync(home, 0o711)
  writeFileSync(path.join(home, 'ballast'), '')
}

/** Ends the rest of the cluster of this folder, and removes the folder. */
export async function removeDataDir(folder: string): Promise<void> {
  const left = databaseProcesses(folder)
  // Not SIGKILL, after which its shared memory would stay.
  for (const pid of left) tryToSignal(pid, 'SIGQUIT')
  if (left.length > 0) await until('it ends', () => databaseProcesses(folder).length === 0)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}

/** Signals a process that may have ended in the meantime. */
export function tryToSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isSystemError(error, 'ESRCH')) throw error
  }
}

/** Processes of PostgreSQL that run for this data directory. */
export function databaseProcesses(dataDir: string): number[] {
  if (!existsSync(dataDir)) return []
  return processesOf(clusterDirOf(homeOf(dataDir)))
}

/** Runs a command to its end; one that does not end soon is killed, as its signal shows. */
export async function runCommand(
  args: readonly string[],
  env: Environment = {},
  input = '',
  program = built,
): Promise<Ended> {
  const child = spawnCommand(args, env, program)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const said = listenTo(child)
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  return { code, signal, ...said }
}

export class ServiceProcess {
  readonly child: ChildProcess
  readonly #givenPort: string | null
  readonly #said: { stdout: string; stderr: string }
  readonly #closed: Promise<unknown>
  #ended: Ended | null = null

  private constructor(child: ChildProcess, givenPort: string | null) {
    this.child = child
    this.#givenPort = givenPort
    this.#said = listenTo(child)
    this.#closed = once(child, 'close').then(([code, signal]) => {
      this.#ended = { code, signal, ...this.#said }
    })
    child.stdin?.end()
  }

  /** Starts `transfer serve` on a free port of the loopback interface; waits until it listens. */
  static async start(env: Environment, program = built): Promise<ServiceProcess> {
    const service = ServiceProcess.launch(env, program)
    const isUp = () => /^listening on /m.test(service.stdout) || service.hasEnded
    await until('the service listens', isUp, patienceMs).catch(async (error: unknown) => {
      await service.clear()
      throw error
    })
    if (!service.hasEnded) return service
    throw new Error(`the service ended at its start:\n${service.stderr}`)
  }

  /** The same without waiting. */
  static launch(env: Environment, program = built): ServiceProcess {
    const whole = { HOST: '127.0.0.1', DOCS_PORT: 'off', PORT: '0', ...env }
    const child = spawnCommand(['serve'], whole, program)
    return new ServiceProcess(child, whole.PORT === '0' ? null : whole.PORT)
  }

  /** On the loopback interface, once it listens. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** That of its environment, or the one that it says it got. */
  get port(): string {
    if (this.#givenPort !== null) return this.#givenPort
    const [, base, extra] = /^listening on (\S+)(?: port (\d+))? docs /m.exec(this.stdout) ?? []
    if (base === undefined) throw new Error('the service does not listen yet')
    return extra ?? new URL(base).port
  }

  get hasEnded(): boolean {
    return this.#ended !== null
  }

  get stdout(): string {
    return this.#said.stdout
  }

  get stderr(): string {
    return this.#said.stderr
  }

  /** Waits for its end, which a signal must have requested. */
  async ended(): Promise<Ended> {
    await until('the service has ended', () => this.#ended !== null, patienceMs)
    return this.#ended!
  }

  /** Asks it to stop, like systemd, and waits. */
  async stop(): Promise<Ended> {
    this.child.kill('SIGTERM')
    return this.ended()
  }

  /** For clearing up: in any state, it is gone afterwards, with its database. */
  async clear(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGTERM'] as const) if (!this.#ended) this.child.kill(signal)
    await this.ended().catch(() => this.child.kill('SIGKILL'))
    await this.#closed
  }
}

/** Only the given environment: no HOME, no LANG. Under c8 it is measured too. */
export function spawnCommand(
  args: readonly string[],
  env: Environment,
  [file = '', ...first]: readonly string[] = built,
): ChildProcess {
  const { PATH = '', NODE_V8_COVERAGE } = process.env
  const base = { PATH, ...(NODE_V8_COVERAGE ? { NODE_V8_COVERAGE } : {}) }
  return spawn(file, [...first, ...args], { env: { ...base, ...env }, stdio: 'pipe' })
}

/** What a process has said so far. */
export function listenTo(child: ChildProcess): { stdout: string; stderr: string } {
  const said = { stdout: '', stderr: '' }
  const hear = (name: keyof typeof said) => (text: string) => {
    said[name] += text
    noteLine(text)
  }
  child.stdout?.setEncoding('utf8').on('data', hear('stdout'))
  child.stderr?.setEncoding('utf8').on('data', hear('stderr'))
  return said
}
