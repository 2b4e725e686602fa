import { createHash } from 'node:crypto'
import type { ArchiveFormat } from '../../bytes/send/content.ts'
import { selectionKey } from '../../bytes/send/content.ts'

/** What downloads of a share are listed as. */
export const targetKinds = ['archive', 'selection', 'file', 'preview'] as const

export type TargetKind = (typeof targetKinds)[number]

export interface WantedArchive {
  readonly format: ArchiveFormat
  /** Ids of files; null for all. */
  readonly selection: readonly number[] | null
}

/**
 * Formats differ in size, and are listed apart. Selections are hashed, because targets are indexed
 * and a key can have thousands of characters.
 */
export function archiveTarget({ format, selection }: WantedArchive): string {
  const whole = format === 'zip' ? 'archive' : format
  if (!selection) return whole
  return `${whole}:${createHash('sha256').update(selectionKey(selection)).digest('hex')}`
}

/**
 * What is behind a link, be it the only file or the archive: a client that resumes has begun what
 * it was then. The archive of a share with one file is another target.
 */
export const linkTarget = 'link'

export function fileTarget(fileId: number, isPreview: boolean): string {
  return `${isPreview ? 'preview' : 'file'}:${fileId}`
}

export function kindOfTarget(target: string): TargetKind {
  const [kind, rest] = target.split(':')
  if (kind === 'file' || kind === 'preview') return kind
  return rest === undefined ? 'archive' : 'selection'
}
