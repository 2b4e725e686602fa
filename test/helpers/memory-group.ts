// Control groups that limit the memory of a process and its children. Needs root, and a kernel that
// limits memory: version 2 of control groups where it does, else version 1.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isSystemError } from '../../src/lib/errors.ts'

const groupsFolder = '/sys/fs/cgroup'
const removalMsMax = 10_000
const pollMs = 50
/** Joins the group before the program starts, so that all of its memory counts. */
const joinScript = 'echo $$ > "$0/cgroup.procs" && exec "$@"'

interface Files {
  readonly limit: string
  readonly peak: string
  /** Has a line `oom_kill <count>`. */
  readonly events: string
}

const filesOfVersion2: Files = { limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' }
const filesOfVersion1: Files = {
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
}

/** A group with a limit. Its processes must have ended before `remove`. */
export class MemoryGroup {
  readonly folder: string
  readonly #files: Files

  private constructor(folder: string, files: Files) {
    this.folder = folder
    this.#files = files
  }

  /** @throws Error that says why this machine cannot limit memory */
  static make(name: string, bytesMax: number): MemoryGroup {
    const problems: string[] = []
    for (const { parent, files } of possibleParents()) {
      const group = new MemoryGroup(path.join(parent, `${name}-${process.pid}`), files)
      try {
        mkdirSync(group.folder)
        try {
          // Not created if missing: on other file systems it is no control group.
          writeFileSync(group.#path('limit'), String(bytesMax), { flag: 'r+' })
          group.#forbidSwap()
          return group
        } catch (error) {
          rmdirSync(group.folder)
          throw error
        }
      } catch (error) {
        problems.push(String(error))
      }
    }
    throw new Error(`no control group can limit memory here: ${problems.join('; ')}`)
  }

  /** Put in front of a program and its arguments, to run it in the group. */
  get prefix(): readonly string[] {
    return ['/bin/sh', '-c', joinScript, this.folder]
  }

  /** The most memory that the group has used, with page cache. */
  get peakBytes(): number {
    return Number(readFileSync(this.#path('peak'), 'utf8'))
  }

  /** Processes that the kernel has killed because the group was full. */
  get killed(): number {
    const text = readFileSync(this.#path('events'), 'utf8')
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1])
  }

  /** Memory that the kernel cannot take back by writing or dropping pages of files, now. */
  get anonymousBytes(): number {
    const text = readFileSync(path.join(this.folder, 'memory.stat'), 'utf8')
    return Number(/^(?:anon|rss) (\d+)$/m.exec(text)?.[1])
  }

  async remove(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      try {
        return rmdirSync(this.folder)
      } catch (error) {
        if (!isSystemError(error, 'EBUSY') || waitedMs > removalMsMax) throw error
      }
      await setTimeout(pollMs)
    }
  }

  #path(file: keyof Files): string {
    return path.join(this.folder, this.#files[file])
  }

  /** Otherwise a machine with swap would be slow where others fail. */
  #forbidSwap(): void {
    try {
      writeFileSync(path.join(this.folder, 'memory.swap.max'), '0', { flag: 'r+' })
    } catch (error) {
      // Version 1, or a kernel without swap.
      if (!isSystemError(error, 'ENOENT')) throw error
    }
  }
}

/** Why memory cannot be limited here; null where it can. */
export function whyNoMemoryGroups(): string | null {
  try {
    const group = MemoryGroup.make('transfer-try', 64 * 1024 * 1024)
    rmdirSync(group.folder)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Below the own group, so that limits of this process hold for the new group too. In version 2 only
 * a group without processes may limit its children, so that it is the nearest one above.
 */
function possibleParents(): { parent: string; files: Files }[] {
  const places: { parent: string; files: Files }[] = []
  for (const line of readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')) {
    const [number, controllers = '', own = '/'] = line.split(':')
    if (number === '0') {
      for (let place = own; ; place = path.dirname(place)) {
        places.push({ parent: path.join(groupsFolder, place), files: filesOfVersion2 })
        if (place === '/') break
      }
    } else if (controllers.split(',').includes('memory')) {
      const parent = path.join(groupsFolder, 'memory', own)
      places.push({ parent, files: filesOfVersion1 })
    }
  }
  return places
}
