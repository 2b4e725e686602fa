import { readLinkTarget, readPath, readTime } from './header.ts'
import type { PaxValues } from './pax.ts'
import type { SkipReason } from './sink.ts'

/** Extended headers of one or all entries; long names and targets of links of GNU. */
export const extensionTypes: ReadonlySet<string> = new Set(['x', 'X', 'g', 'L', 'K'])

export const fileTypes: ReadonlySet<string> = new Set(['0', '7', 'S'])

/** The types without content, for which the size field means nothing (see reader.ts). */
export const contentless: Readonly<Record<string, SkipReason>> = {
  '2': 'symbolic link',
  '3': 'device',
  '4': 'device',
  '6': 'FIFO',
}

/** Long names of GNU, null without. */
export interface LongNames {
  path: string | null
  target: string | null
}

/** The entry's own extended headers win over global ones, and those over its header. */
export function valuesOf(
  block: Buffer,
  own: PaxValues | null,
  global: PaxValues,
  long: Readonly<LongNames>,
) {
  const time = own?.modifiedAt === undefined ? global.modifiedAt : own.modifiedAt
  return {
    path: own?.path ?? long.path ?? global.path ?? readPath(block),
    name: own?.name ?? null,
    size: own?.size ?? global.size,
    modifiedAt: time === undefined ? readTime(block) : time,
    linkTarget: own?.linkTarget ?? long.target ?? global.linkTarget ?? readLinkTarget(block),
    sparse: own?.sparse,
  }
}
