import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const startMsMax = 60_000
const stopMsMax = 60_000
const pollMs = 20
/** First port for programs that cannot print theirs: below the kernel's ephemeral ports. */
export const fixedPort = 18_080

/** Limits a process and its children; returns what ends the limit. */
export type Limit = (pid: number) => () => void

export interface ChildOptions {
  /** A program, or a file for Node. */
  readonly file: string
  readonly args: readonly string[]
  readonly nodeArgs?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Receives its output. */
  readonly logFile: string
  /** Printed when it is ready. */
  readonly readyText: string
  readonly limit?: Limit | null
}

/** A server as a separate process with its own environment. */
export class Child {
  readonly pid: number
  readonly #process: ChildProcess
  readonly #options: ChildOptions

  private constructor(child: ChildProcess, options: ChildOptions) {
    this.#process = child
    this.#options = options
    this.pid = child.pid as number
    // No server may outlive the bench, however that ends.
    const end = () => void child.kill('SIGTERM')
    process.once('exit', end)
    const release = options.limit?.(this.pid)
    child.once('exit', () => {
      process.off('exit', end)
      release?.()
    })
  }

  /** @throws Error with the end of its output when it does not come up */
  static async start(options: ChildOptions): Promise<Child> {
    const { file, args, nodeArgs = [], env, logFile, readyText } = options
    // A file instead of a pipe: reading a pipe would cost the client.
    const log = openSync(logFile, 'w')
    const isScript = /\.m?js$/.test(file)
    const program = isScript ? process.execPath : file
    const child = spawn(program, isScript ? [...nodeArgs, file, ...args] : args, {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...env },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    await once(child, 'spawn')
    const started = new Child(child, options)
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const output = readFileSync(logFile, 'utf8')
      if (output.includes(readyText)) return started
      if (waitedMs > startMsMax || child.exitCode !== null) {
        await started.stop()
        throw new Error(`${file} did not start:\n${output.slice(-2000)}`)
      }
      await setTimeout(pollMs)
    }
  }

  /** The port that it says it got; 0 for builds of the service before PORT=0. */
  get port(): number {
    const output = readFileSync(this.#options.logFile, 'utf8')
    const [, base, extra] = /^listening on (\S+)(?: port (\d+))?/m.exec(output) ?? []
    return base === undefined ? 0 : Number(extra ?? new URL(base).port)
  }

  /** Stops it and starts the same program as a new process. */
  async restart(): Promise<Child> {
    await this.stop()
    return Child.start(this.#options)
  }

  /** Stops it like an operator, then by force. */
  async stop(): Promise<void> {
    const child = this.#process
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = globalThis.setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await ended
    clearTimeout(timer)
  }
}
