// Selected files that the engine does not have: they wait for the draft, or are refused.
import type { Limits } from '../../lib/limits.ts'
import { signal } from '../../lib/signals.ts'
import { nameOf } from '../../lib/tree.ts'
import type { FileState, PickedFile } from '../../upload/types.ts'

export interface Pick {
  readonly row: FileState
  readonly picked: PickedFile
}

export const picks = signal<readonly Pick[]>([])
let lastPick = 0

export function addPicks(files: readonly PickedFile[]): void {
  const more = files.map((picked): Pick => {
    const { path, size, file: source } = picked
    const id = `pick ${(lastPick += 1)}`
    return { picked, row: { id, path, size, source, sent: 0, state: 'waiting', problem: null } }
  })
  picks.value = [...picks.value, ...more]
}

/** Marks files that the service would refuse. */
export function refusePicks({ maxFileSize, blockedExtensions }: Limits): void {
  picks.value = picks.value.map((pick) => {
    const { path, size } = pick.row
    const name = nameOf(path).toLowerCase()
    const isBlocked = blockedExtensions.some((extension) => name.endsWith(`.${extension}`))
    const isLarge = maxFileSize > 0 && size > maxFileSize
    if (!isBlocked && !isLarge) return pick
    const code = isBlocked ? 'blocked_extension' : 'file_too_large'
    return { ...pick, row: { ...pick.row, state: 'skipped', problem: { code, message: '' } } }
  })
}

export const waitingPicks = () => picks.value.filter(({ row }) => row.state === 'waiting')

export function dropPicks(dropped: readonly Pick[]): void {
  const gone = new Set(dropped)
  picks.value = picks.value.filter((pick) => !gone.has(pick))
}

/** Name of the only folder or the only file; empty for several. */
export function titleOf(files: readonly { readonly path: string }[]): string {
  const tops = new Set(files.map(({ path }) => path.split('/', 1)[0]!))
  const [top = ''] = tops
  if (tops.size > 1) return ''
  const isFolder = files[0]?.path.includes('/')
  const title = isFolder ? top : top.replace(/(.)\.[^.]*$/, '$1')
  // Without half of an emoji at the end.
  return title.slice(0, 200).replace(/\p{Cs}$/u, '')
}
