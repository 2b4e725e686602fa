// Runs test files in separate processes, a few at the same time, and in another one when a test
// has blocked or ended its process: the rest of its file is lost, later files are not.
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { endOfFile, type Databases, type Found, type Message, type Order } from './messages.ts'
import { killAll, processesBelow } from './processes.ts'
import { SharedDatabases } from './shared-databases.ts'

export interface Took {
  readonly what: string
  readonly durationMs: number
}

export interface Totals {
  passed: number
  failed: number
  /** What failed, a line each. */
  readonly failures: string[]
  /** Lines that tests have written. */
  readonly skipped: string[]
  /** Tests left to `--all`. */
  readonly left: string[]
  readonly suites: Took[]
  readonly steps: Took[]
}

export interface Limits {
  /** Replaces the usual bound of a step; empty for that one. */
  readonly boundMs: string
  readonly allMs: number
  /** Whether slow tests are run too. */
  readonly isWhole: boolean
  /** Processes that run files at the same time. */
  readonly processesMax: number
}

const program = fileURLToPath(new URL('main.js', import.meta.url))
const root = path.join(path.dirname(program), '..', '..', '..')
/** Begins the line that says what failed, in a test process too. */
const failMark = '   FAIL  '
/** How much of an error the list of failures at the end shows. */
const saidLinesMax = 6
const saidCharactersMax = 200
/** The time beyond its bound in which the process itself reports a step. */
const graceOf = (boundMs: number) => Math.min(10_000, boundMs * 3)
/** Until the first message. */
const startMsMax = 60_000
/** From the last message until it ends by itself. */
const endMsMax = 20_000

export async function runFiles(files: readonly string[], limits: Limits): Promise<Totals> {
  const totals: Totals = {
    passed: 0,
    failed: 0,
    failures: [],
    skipped: [],
    left: [],
    suites: [],
    steps: [],
  }
  const deadlineMs = performance.now() + limits.allMs
  const queue = [...files]
  const databases = new SharedDatabases()
  const work = async () => {
    while (queue.length > 0) {
      await new TestProcess(queue, limits, deadlineMs, totals, databases).ended()
    }
  }
  const count = Math.min(limits.processesMax, files.length)
  await Promise.all(Array.from({ length: count }, work))
  await databases.stop()
  if (databases.failure !== '') {
    totals.failed += 1
    totals.failures.push(databases.failure)
    process.stdout.write(`\n${failMark}${databases.failure}\n`)
  }
  return totals
}

class TestProcess {
  readonly #child: ChildProcess
  readonly #totals: Totals
  readonly #databases: SharedDatabases
  readonly #overall: NodeJS.Timeout
  /** Files that no process has started, in order. */
  readonly #queue: string[]
  /** Written at once, as blocks of whole files where several processes run. */
  readonly #isAlone: boolean
  #written = ''
  #linesOfFailure = 0
  #step = 'its start'
  #hasBegun = false
  /** Tests of the running file without a result. */
  #untold = 0
  #isDone = false
  #timer: NodeJS.Timeout | undefined
  /** The received part of a line. */
  #line = ''

  constructor(
    queue: string[],
    limits: Limits,
    deadlineMs: number,
    totals: Totals,
    databases: SharedDatabases,
  ) {
    this.#databases = databases
    this.#queue = queue
    this.#isAlone = limits.processesMax === 1
    this.#totals = totals
    const flags = ['--enable-source-maps', '--expose-gc']
    this.#child = spawn(process.execPath, [...flags, program], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        ...process.env,
        UV_THREADPOOL_SIZE: '16',
        NO_COLOR: '1',
        TEST_BOUND_MS: limits.boundMs,
        TEST_ALL: limits.isWhole ? '1' : '',
        TEST_SUPERVISED: String(process.pid),
      },
    })
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#child.on('message', (message: Message) => this.#hear(message))
    this.#overall = setTimeout(() => {
      this.#giveUp()
      this.#kill(`the tests did not end within ${limits.allMs / 60_000} minutes`)
    }, deadlineMs - performance.now())
    this.#expect(startMsMax, 'the test process does not start')
  }

  async ended(): Promise<void> {
    const disconnected = new Promise((resolve) => this.#child.once('disconnect', resolve))
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      this.#child.once('close', (...how) => resolve(how))
    })
    // Its last messages.
    if (this.#child.connected) await disconnected
    clearTimeout(this.#overall)
    clearTimeout(this.#timer)
    if (!this.#isDone || code !== 0) {
      const failure = `the test process ended with ${signal ?? code} at ${this.#step}`
      this.#totals.failures.push(failure)
      this.#write(`${failure}\n`)
      const lost = this.#isDone ? 0 : this.#untold - 1
      if (lost > 0) this.#write(`   NOT RUN  ${lost} tests after it\n`)
      this.#totals.failed += this.#isDone ? 1 : Math.max(this.#untold, 1)
      // The next one would not start either.
      if (!this.#hasBegun) this.#giveUp()
    }
    this.#flush()
  }

  #giveUp(): void {
    const left = this.#queue.splice(0)
    this.#totals.failed += left.length
    if (left.length > 0) this.#write(`\n   NOT RUN  ${left.length} files: ${left.join(', ')}\n`)
  }

  #write(text: string): void {
    this.#written += text
    if (this.#isAlone) this.#flush()
  }

  #flush(): void {
    process.stdout.write(this.#written)
    this.#written = ''
  }

  #read(text: string): void {
    const blocks = text.split(endOfFile)
    for (const block of blocks.slice(0, -1)) {
      this.#write(block)
      this.#flush()
    }
    this.#write(blocks.at(-1)!)
    const lines = (this.#line + text).replaceAll(endOfFile, '').split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('skipped: ')) this.#totals.skipped.push(line)
      this.#readFailure(line)
    }
  }

  /** A failure, with the first lines of its error: whole logs are cut in many places. */
  #readFailure(line: string): void {
    const { failures } = this.#totals
    if (line.startsWith(failMark)) {
      failures.push(line.slice(failMark.length))
      this.#linesOfFailure = saidLinesMax
    } else if (this.#linesOfFailure > 0 && line.trim() !== '') {
      failures.push(`${failures.pop()} | ${line.trim().slice(0, saidCharactersMax)}`)
      this.#linesOfFailure -= 1
    } else this.#linesOfFailure = 0
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case 'ready': {
        this.#hasBegun = true
        this.#untold = 0
        this.#order({ kind: 'file', name: this.#queue.shift() ?? '' })
        break
      }
      case 'cluster':
      case 'seed':
        void this.#databases.find(message.kind).then((found) => this.#order(found))
        break
      case 'planned':
        this.#untold = message.tests
        break
      case 'step':
        this.#step = message.what
        this.#expect(
          message.boundMs + graceOf(message.boundMs),
          `${message.what}  blocks the process`,
        )
        break
      case 'passed':
      case 'failed':
        this.#totals[message.kind] += message.count
        this.#untold -= message.count
        break
      case 'left':
        this.#totals.left.push(message.what)
        break
      case 'suite':
        this.#totals.suites.push(message)
        break
      case 'took':
        this.#totals.steps.push(message)
        break
      case 'done':
        this.#isDone = true
        this.#step = 'its end'
        this.#expect(endMsMax, 'the test process does not end: something was left open')
    }
  }

  #order(order: Order | Found<keyof Databases>): void {
    this.#child.send(order, () => {})
  }

  #expect(limitMs: number, failure: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#kill(failure), limitMs)
  }

  #kill(why: string): void {
    this.#totals.failures.push(why)
    this.#write(`\n${failMark}${why}\n`)
    const below = processesBelow(this.#child.pid!)
    this.#child.kill('SIGKILL')
    killAll(below)
  }
}
