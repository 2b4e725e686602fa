// Paths in the service's form: relative, NFC, `/` between folders.
import { withoutMarks } from '../lib/tree.ts'

/** Files that file managers create. */
export function isClutter(name: string): boolean {
  return name.startsWith('._') || name === '.DS_Store' || name === 'Thumbs.db'
}

/**
 * Replaces characters that other systems cannot store with `_`; refuses paths that leave the
 * folder, and names without a visible character. The service shortens long ones.
 * @returns null for a refused path
 */
export function cleanPath(path: string): string | null {
  const cleaned = path.normalize('NFC').replaceAll(/[\\\p{Cc}\p{Cs}]/gu, '_')
  const isRefused = cleaned
    .split('/')
    .some((segment) => ['', '.', '..'].includes(withoutMarks(segment).trim()))
  return isRefused ? null : cleaned
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
