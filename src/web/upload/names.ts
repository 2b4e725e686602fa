// Paths in the service's form: relative, NFC, `/` between folders.
import { withoutMarks } from '../lib/tree.ts'

const segmentBytesMax = 255
const pathLengthMax = 4096

/** Files that file managers create. */
export function isClutter(name: string): boolean {
  return name === '.DS_Store' || name === 'Thumbs.db'
}

/**
 * Replaces characters that other systems cannot store with `_`; refuses paths that leave the
 * folder.
 * @returns null for a refused path
 */
export function cleanPath(path: string): string | null {
  const cleaned = path.normalize('NFC').replaceAll(/[\\\p{Cc}\p{Cs}]/gu, '_')
  const isRefused = cleaned
    .split('/')
    .some(
      (segment) =>
        ['', '.', '..'].includes(withoutMarks(segment)) || bytesOf(segment) > segmentBytesMax,
    )
  return isRefused || cleaned.length > pathLengthMax ? null : cleaned
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
