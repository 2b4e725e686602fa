// The PostgreSQL shared by test processes, as supervise.ts sees it: a separate process
// (databases.ts), started when the first test needs it.
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Databases, Found } from './messages.ts'

const program = fileURLToPath(new URL('databases.js', import.meta.url))
/** Less than the bound of a test. */
const answerMsMax = 50_000
const endMsMax = 30_000

export class SharedDatabases {
  #child: ChildProcess | null = null
  readonly #found = new Map<keyof Databases, Promise<Found<keyof Databases>>>()
  #isStopping = false
  #failure = ''

  /** How the process ended unexpectedly; empty when it did not. */
  get failure(): string {
    return this.#failure
  }

  /** Asks once, and waits for a bounded time. */
  async find(kind: keyof Databases): Promise<Found<keyof Databases>> {
    // Its earlier databases are gone as well.
    if (this.#failure !== '') return { kind, found: { failure: this.#failure } }
    const known = this.#found.get(kind) ?? this.#ask(kind)
    this.#found.set(kind, known)
    return known
  }

  /** Nothing of it is left afterwards. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#isStopping = true
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const timer = setTimeout(() => {
      process.stdout.write('the PostgreSQL of the tests did not end and is killed\n')
      // Its server ends with it: see endsWithUs.
      child.kill('SIGKILL')
    }, endMsMax)
    if (child.connected) child.disconnect()
    await ended
    clearTimeout(timer)
  }

  #ask(kind: keyof Databases): Promise<Found<keyof Databases>> {
    this.#child ??= this.#start()
    const child = this.#child
    return new Promise((resolve) => {
      const end = (answer: Found<keyof Databases>) => {
        clearTimeout(timer)
        child.off('message', hear).off('exit', exited)
        resolve(answer)
      }
      const fail = (how: string) =>
        end({ kind, found: { failure: `the PostgreSQL of the tests ${how}` } })
      const hear = (answer: Found<keyof Databases>) => {
        if (answer.kind === kind) end(answer)
      }
      const exited = () => end({ kind, found: { failure: this.#failure } })
      const timer = setTimeout(() => fail('does not start'), answerMsMax)
      child.on('message', hear).on('exit', exited)
      child.send(kind, (error) => {
        if (error) fail(error.message)
      })
    })
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, ['--enable-source-maps', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('error', () => {})
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return
      this.#failure = `the PostgreSQL of the tests has ended with ${signal ?? code}`
    })
    return child
  }
}
