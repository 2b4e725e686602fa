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
  const cleaned = path
    .normalize('NFC')
    .replaceAll(/[\\\p{Cc}\p{Cs}]/gu, '_')
    .replace(/^([A-Za-z]):/, '$1_')
  const isRefused = cleaned
    .split('/')
    .some(
      (segment) =>
        ['', '.', '..'].includes(withoutMarks(segment)) || bytesOf(segment) > segmentBytesMax,
    )
  return isRefused || cleaned.length > pathLengthMax ? null : cleaned
}

/** `notes.txt` → `notes (2).txt`, with the first free number. */
export function numberedPath(path: string, isTaken: (path: string) => boolean): string {
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') + 1 ? dot : path.length
  for (let number = 2; ; number++) {
    const candidate = `${path.slice(0, cut)} (${number})${path.slice(cut)}`
    if (!isTaken(candidate)) return candidate
  }
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
