// What the service does with little memory: it runs with its database in a control group with a
// limit, and clients outside of it ask for everything at once. Needs root. Ends with 1 when
// something fails; where memory cannot be limited, it says why and measures nothing.
//   node dist-test/bench/small-machine.js --mib 192,256 --rounds 3 --mb 64 --files 50000
import { parseArgs } from 'node:util'
import { whyNoMemoryGroups } from '../test/helpers/memory-group.ts'
import { mainFile } from '../test/helpers/main-file.ts'
import { SmallMachine } from '../test/helpers/small-machine.ts'
import { descendantsOf, proportionalBytes } from './lib/processes.ts'

const mebibyte = 1024 * 1024
const sampleMs = 100
const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '192,256' },
    rounds: { type: 'string', default: '3' },
    /** Size of a film. */
    mb: { type: 'string', default: '64' },
    files: { type: 'string', default: '50000' },
    uploads: { type: 'string', default: '16' },
    /** Start file of another build. */
    service: { type: 'string', default: mainFile },
    /** Only the uploads and downloads. */
    transfers: { type: 'boolean', default: false },
  },
})

/** The most memory since the start, shared pages once. */
class Peaks {
  readonly #machine: SmallMachine
  readonly #timer: NodeJS.Timeout
  #anonymous = 0
  #node = 0
  #database = 0

  constructor(machine: SmallMachine) {
    this.#machine = machine
    this.#timer = setInterval(() => this.#look(), sampleMs)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  toString(): string {
    const { peakBytes } = this.#machine.group
    const inMebibytes = (bytes: number) => Math.round(bytes / mebibyte)
    const [node, database, anonymous, all] = [
      this.#node,
      this.#database,
      this.#anonymous,
      peakBytes,
    ].map(inMebibytes)
    const parts = `Node ${node}, PostgreSQL ${database}, anonymous ${anonymous}`
    return `${parts}, with page cache ${all} MiB`
  }

  #look(): void {
    this.#anonymous = Math.max(this.#anonymous, this.#machine.group.anonymousBytes)
    const { pid } = this.#machine.service.child
    try {
      this.#node = Math.max(this.#node, proportionalBytes([pid!]))
      this.#database = Math.max(this.#database, proportionalBytes(descendantsOf(pid!)))
    } catch {
      // A process of the database has ended meanwhile.
    }
  }
}

/** @returns whether all went well */
async function measure(mib: number): Promise<boolean> {
  const machine = await SmallMachine.start(mib * mebibyte, [process.execPath, values.service])
  const peaks = new Peaks(machine)
  let isFine = true
  try {
    for (const [name, work] of stepsOf(machine)) {
      const startMs = performance.now()
      const problem = await work().then(
        () => null,
        (error: unknown) => String(error),
      )
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      console.log(`${mib} MiB, ${name}: ${problem ?? `${seconds} s`}; peak: ${String(peaks)}`)
      isFine &&= problem === null
      if (machine.service.hasEnded) break
    }
    const { killed } = machine.group
    console.log(
      `${mib} MiB: killed by the kernel: ${killed}; told to wait: ${machine.crowd.refused}`,
    )
    return isFine && killed === 0
  } finally {
    peaks.close()
    await machine.stop()
  }
}

function stepsOf(machine: SmallMachine): [name: string, work: () => Promise<void>][] {
  const bytes = Number(values.mb) * 1e6
  const files = Number(values.files)
  const uploads = Number(values.uploads)
  const transfers = Array.from(
    { length: Number(values.rounds) },
    (): [string, () => Promise<void>] => [
      `${uploads} uploads, 8 downloads`,
      () => machine.uploadAndDownload(uploads, 8, bytes),
    ],
  )
  const rest: [string, () => Promise<void>][] = [
    [`an archive of ${files} files`, () => machine.uploadFolder(files)],
    [`their list, 4 times at once`, () => machine.listFolder(4, files)],
    [`a ZIP of them, 4 times at once`, () => machine.downloadFolder(4, files)],
    ['200 thumbnails', () => machine.sendThumbnails(200, files)],
    ['20 sign-ins', () => machine.signInOften(20)],
    ['a backup', () => machine.backUp()],
  ]
  return [
    ['sign in', () => machine.signIn()],
    ['one upload', () => machine.uploadFilm(bytes)],
    ...transfers,
    ...(values.transfers ? [] : rest),
  ]
}

const reason = whyNoMemoryGroups()
if (reason !== null) console.log(`measured nothing: ${reason}`)
else {
  for (const mib of values.mib.split(',')) {
    if (!(await measure(Number(mib)))) process.exitCode = 1
  }
}
