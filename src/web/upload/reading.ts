// Reads chosen files, which may have changed or vanished, or may be on a disk that hangs.
import { within, type Clock } from '../lib/clock.ts'
import type { Part } from './queue.ts'

/** Null when the file is unreadable or has changed. */
export function sliceOf({ file, start, end }: Part): Blob | null {
  const source = file.source
  if (!source || source.size !== file.size || source.lastModified !== file.lastModified) return null
  try {
    return source.slice(start, end)
  } catch {
    return null
  }
}

/** The bytes of a part: all of them, or none. */
export async function readPart(part: Part, clock: Clock): Promise<ArrayBuffer | 'lost' | 'late'> {
  const slice = sliceOf(part)
  if (!slice) return 'lost'
  const bytes = await within(
    clock,
    slice.arrayBuffer().catch(() => 'lost' as const),
  )
  if (bytes === null) return 'late'
  // A browser that does not compare times gives less of a file that has become shorter.
  return bytes !== 'lost' && bytes.byteLength === part.end - part.start ? bytes : 'lost'
}
