// Common tools for unpacking archives, as in Debian.
import { spawn } from 'node:child_process'
import { endOf } from './child.ts'

/** 4 GiB are read to their end. */
const unpackMsMax = 120_000
const extractInPython = 'import sys, zipfile as z; z.ZipFile(sys.argv[1]).extractall(sys.argv[2])'
const testInPython =
  'import sys, zipfile as z; a = z.ZipFile(sys.argv[1]); assert a.testzip() is None; ' +
  'print(len(a.namelist()), sum(i.file_size for i in a.infolist()))'

export interface Tool {
  readonly title: string
  /** `ARCHIVE` and `FOLDER` are replaced by their paths. */
  readonly extract: readonly string[]
  /** Reads the archive and writes nothing; all but bsdtar, which only lists, check every byte. */
  readonly test: readonly string[]
}

export const tools: readonly Tool[] = [
  {
    title: 'unzip',
    extract: ['unzip', '-q', 'ARCHIVE', '-d', 'FOLDER'],
    test: ['unzip', '-tq', 'ARCHIVE'],
  },
  {
    title: '7z',
    extract: ['7z', 'x', '-y', '-bd', 'ARCHIVE', '-oFOLDER'],
    test: ['7z', 't', '-bd', 'ARCHIVE'],
  },
  {
    title: 'bsdtar',
    extract: ['bsdtar', '-x', '-f', 'ARCHIVE', '-C', 'FOLDER'],
    test: ['bsdtar', '-t', '-f', 'ARCHIVE'],
  },
  {
    title: 'python3',
    extract: ['python3', '-c', extractInPython, 'ARCHIVE', 'FOLDER'],
    test: ['python3', '-c', testInPython, 'ARCHIVE'],
  },
]

export interface Ran {
  readonly code: number | null
  readonly output: string
}

/**
 * Runs a command without blocking the test's service; null when the machine does not have it,
 * which the test run then reports.
 */
export async function run(command: readonly string[], forWhat: string): Promise<Ran | null> {
  const [program = '', ...args] = command
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      // The end of the output shows the result; a line per file would be megabytes.
      output = (output + text).slice(-20_000)
    })
  }
  try {
    const { code } = await endOf(child, unpackMsMax)
    return { code, output }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    process.stdout.write(`\nskipped: ${forWhat}: ${program} is not installed\n`)
    return null
  }
}

/** A tool's command for this archive. */
export function fill(command: readonly string[], archive: string, folder: string): string[] {
  return command.map((word) => word.replace('ARCHIVE', archive).replace('FOLDER', folder))
}
