// Records every call of this process that changes a folder, or syncs it: once before the call
// and once after its success. A call without its second line was running
// when the process was killed.
import fs from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'

/** A call, with names relative to the folder. `file` is the number that an open returned. */
export type RecordedCall =
  | { readonly call: 'open'; readonly name: string; readonly flags: string; readonly file: number }
  | { readonly call: 'write'; readonly file: number; readonly position: number }
  | { readonly call: 'truncate'; readonly file: number; readonly length: number }
  | { readonly call: 'sync'; readonly file: number }
  | { readonly call: 'mkdir' | 'rmdir' | 'unlink' | 'remove'; readonly name: string }
  | { readonly call: 'syncFolder'; readonly name: string }
  | { readonly call: 'rename' | 'link'; readonly name: string; readonly to: string }

/** One line of the log; `bytes` of data follow it. */
export type LogLine =
  | { readonly begins: number; readonly call: RecordedCall }
  | { readonly ends: number; readonly bytes: number; readonly failed: boolean }

type Callback = (error: Error | null, ...results: never[]) => void
type Called = (...values: never[]) => unknown

export function recordCalls(folder: string, logFile: string): void {
  const log = new CallLog(folder, logFile)
  watchDescriptors(log)
  watchNames(log)
  watchHandles(log)
}

class CallLog {
  readonly #folder: string
  readonly #descriptor: number
  readonly #writev = fs.writevSync
  #calls = 0
  #files = 0

  constructor(folder: string, logFile: string) {
    this.#folder = folder
    this.#descriptor = fs.openSync(logFile, 'a')
  }

  /** Null when it is elsewhere. */
  nameOf(place: unknown): string | null {
    const name = path.relative(this.#folder, String(place))
    // The socket by which a service holds its storage ends with the process.
    const isSocket = name.startsWith('in-use.')
    return isSocket || name.startsWith('..') || path.isAbsolute(name) ? null : name
  }

  newFile(): number {
    this.#files += 1
    return this.#files
  }

  /** Returns the function to call when it has ended. */
  begin(call: RecordedCall): (failed: boolean, data?: readonly Buffer[]) => void {
    this.#calls += 1
    const id = this.#calls
    this.#write({ begins: id, call }, [])
    return (failed, data = []) => {
      const bytes = data.reduce((sum, part) => sum + part.length, 0)
      this.#write({ ends: id, bytes, failed }, data)
    }
  }

  async around<T>(call: RecordedCall, work: () => Promise<T>): Promise<T> {
    const end = this.begin(call)
    try {
      const result = await work()
      end(false)
      return result
    } catch (error) {
      end(true)
      throw error
    }
  }

  #write(line: LogLine, data: readonly Buffer[]): void {
    this.#writev(this.#descriptor, [Buffer.from(`${JSON.stringify(line)}\n`), ...data])
  }
}

/** The calls with a callback, which write segments. */
function watchDescriptors(log: CallLog): void {
  const files = new Map<number, number>()
  const watch = (
    name: 'open' | 'close' | 'writev' | 'ftruncate' | 'fdatasync' | 'fsync',
    wrap: (values: unknown[], callback: Callback) => Callback,
  ) => {
    const real = fs[name] as Called
    const watched = (...values: unknown[]) => {
      const callback = values.at(-1) as Callback
      values[values.length - 1] = wrap(values, callback)
      return real(...(values as never[]))
    }
    Object.assign(fs, { [name]: watched })
  }
  const watchUse = (
    name: 'writev' | 'ftruncate' | 'fdatasync' | 'fsync',
    describe: (file: number, values: unknown[]) => RecordedCall,
    dataOf: (values: unknown[], result: number) => Buffer[] = () => [],
  ) =>
    watch(name, (values, callback) => {
      const file = files.get(values[0] as number)
      if (file === undefined) return callback
      const end = log.begin(describe(file, values))
      return (error, ...results) => {
        end(error !== null, error ? [] : dataOf(values, results[0]!))
        callback(error, ...results)
      }
    })

  watch('open', (values, callback) => {
    const [place, flags] = values as [string, string]
    const name = log.nameOf(place)
    if (name === null || flags === 'r') return callback
    const file = log.newFile()
    const end = log.begin({ call: 'open', name, flags, file })
    return (error, ...results) => {
      if (!error) files.set(results[0]!, file)
      end(error !== null)
      callback(error, ...results)
    }
  })
  watch('close', (values, callback) => {
    files.delete(values[0] as number)
    return callback
  })
  watchUse(
    'writev',
    (file, values) => ({ call: 'write', file, position: values[2] as number }),
    (values, written) => [Buffer.concat(values[1] as Buffer[]).subarray(0, written)],
  )
  watchUse('ftruncate', (file, values) => ({ call: 'truncate', file, length: Number(values[1]) }))
  watchUse('fdatasync', (file) => ({ call: 'sync', file }))
  watchUse('fsync', (file) => ({ call: 'sync', file }))
}

/** The calls that change names. */
function watchNames(log: CallLog): void {
  const names = { mkdir: 'mkdir', rmdir: 'rmdir', unlink: 'unlink', rm: 'remove' } as const
  for (const [called, call] of Object.entries(names)) {
    const real = promises[called as keyof typeof names] as (...values: never[]) => Promise<unknown>
    const watched = (...values: unknown[]) => {
      const name = log.nameOf(values[0])
      const work = () => real(...(values as never[]))
      return name === null ? work() : log.around({ call, name }, work)
    }
    Object.assign(promises, { [called]: watched })
  }
  for (const call of ['rename', 'link'] as const) {
    const real = promises[call]
    promises[call] = ((from: string, target: string) => {
      const [name, to] = [log.nameOf(from), log.nameOf(target)]
      if (name === null || to === null) return real(from, target)
      return log.around({ call, name, to }, () => real(from, target))
    }) as typeof real
  }
}

/** File handles: of folders that are synced, and of small files that are written whole. */
function watchHandles(log: CallLog): void {
  const { open, writeFile } = promises
  const files = new WeakMap<object, number>()
  promises.open = async (place, flags = 'r', mode) => {
    const name = log.nameOf(place)
    if (name === null) return open(place, flags, mode)
    if (flags === 'r') {
      const handle = await open(place, flags, mode)
      watchSync(log, handle, { call: 'syncFolder', name })
      return handle
    }
    const file = log.newFile()
    const call = { call: 'open', name, flags: String(flags), file } as const
    const handle = await log.around(call, () => open(place, flags, mode))
    files.set(handle, file)
    watchSync(log, handle, { call: 'sync', file })
    return handle
  }
  promises.writeFile = (async (target: FileHandle, content: never, ...rest: never[]) => {
    const file = typeof target === 'object' ? files.get(target) : undefined
    if (file === undefined) return writeFile(target, content, ...rest)
    const whole = await gather(content)
    const end = log.begin({ call: 'write', file, position: 0 })
    await writeFile(target, whole)
    end(false, [whole])
  }) as typeof writeFile
}

function watchSync(log: CallLog, handle: FileHandle, call: RecordedCall): void {
  const sync = handle.sync.bind(handle)
  handle.sync = () => log.around(call, sync)
}

async function gather(content: string | Uint8Array | AsyncIterable<string>): Promise<Buffer> {
  if (typeof content === 'string' || content instanceof Uint8Array) return Buffer.from(content)
  const parts: Buffer[] = []
  for await (const part of content) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
