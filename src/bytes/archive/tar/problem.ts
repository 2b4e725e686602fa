import { CodedError } from '../../../lib/errors.ts'

const shownPathLengthMax = 200

/** First bytes of files that people take for tar archives, as Latin-1. */
const otherFormats: ReadonlyArray<readonly [start: string, name: string]> = [
  ['\x1f\x8b', 'gzip'],
  ['BZh', 'bzip2'],
  ['\xfd7zXZ', 'xz'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
  ['PK\x03\x04', 'ZIP'],
]

/** What is wrong with an entry; the reader adds which entry it is. */
export class TarProblem extends Error {
  /** @param path null before it is known */
  at(entry: number, path: string | null): CodedError {
    const shown = path === null ? '' : ` (${shorten(path)})`
    return new CodedError('invalid_tar', { message: `Entry ${entry}${shown}: ${this.message}` })
  }
}

function shorten(path: string): string {
  const line = path.replaceAll(/[\r\n]+/g, ' ')
  if (line.length <= shownPathLengthMax) return line
  return `${line.slice(0, shownPathLengthMax).toWellFormed()}…`
}

/** @param start the first bytes of what was sent; empty for an archive without a header */
export function notAnArchive(start: Buffer): CodedError {
  const text = start.toString('latin1', 0, 8)
  const format = otherFormats.find(([magic]) => text.startsWith(magic))?.[1]
  if (format) {
    return new CodedError('invalid_tar', {
      message: `This is ${format} data. Send an uncompressed tar archive.`,
    })
  }
  const problem = start.length === 0 ? 'The archive has no entries.' : 'This is not a tar archive.'
  return new CodedError('invalid_tar', { message: problem })
}
