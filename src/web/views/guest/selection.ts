import { browserClock } from '../../lib/clock.ts'
import { kindOf } from '../../lib/kinds.ts'
import { archivePath, fold } from '../../upload/archive-path.ts'
import { compareFiles } from '../../upload/comparing.ts'
import type { FileState, PickedFile, Problem } from '../../upload/types.ts'
import type { RequestData } from './request.ts'

/** A selected file, with the reason if it cannot be sent. */
export interface Chosen {
  readonly picked: PickedFile
  /** The name that it gets, which is unique. */
  readonly path: string
  readonly problem: Problem | null
}

type Rules = Pick<RequestData, 'maxFileSize' | 'blockedExtensions' | 'allowedExtensions'>

/**
 * Files that are not in the list yet. A different one with the path, size and time of another
 * counts as its copy, also within a selection.
 */
export async function newOnes(chosen: readonly Chosen[], files: readonly PickedFile[]) {
  const known = new Map(chosen.map(({ picked }) => [identify(picked), picked]))
  const found: PickedFile[] = []
  for (const file of files) {
    const next = { ...file, copy: 0 }
    const findTwin = () => known.get(identify(next))
    let twin = findTwin()
    while (twin && (await compareFiles(twin.file, next.file, reader)) !== 'same') {
      next.copy += 1
      twin = findTwin()
    }
    if (twin) continue
    known.set(identify(next), next)
    found.push(next)
  }
  return found
}

/** Adds new files; one with the same path as another gets a number. */
export function addTo(chosen: readonly Chosen[], files: readonly PickedFile[], rules: Rules) {
  const all = [...chosen]
  const paths = new Set(all.map(({ path }) => fold(path)))
  const numbers = new Map<string, number>()
  for (const picked of files) {
    const path = archivePath(picked.path, paths, numbers)
    paths.add(fold(path))
    all.push({ picked, path, problem: refusal(picked, rules) })
  }
  return all
}

const reader = { clock: browserClock }

const identify = ({ path, size, lastModified, copy = 0 }: PickedFile) =>
  `${copy}/${lastModified}/${size}/${path}`

/** Checks what the service would refuse only after receiving the bytes. */
function refusal({ path, size }: PickedFile, rules: Rules): Problem | null {
  const extension = kindOf(path)
  const { blockedExtensions: blocked, allowedExtensions: allowed } = rules
  const isAllowed = allowed.length === 0 || allowed.includes(extension)
  if (!isAllowed || blocked.includes(extension)) return problem('blocked_extension')
  return rules.maxFileSize > 0 && size > rules.maxFileSize ? problem('file_too_large') : null
}

function problem(code: string): Problem {
  return { code, message: code }
}

/** In the form of the list before sending. */
export function rowsOf(chosen: readonly Chosen[]): FileState[] {
  return chosen.map(({ picked: { size, file: source }, path, problem }) => ({
    id: path,
    path,
    size,
    source,
    sent: 0,
    state: problem ? 'skipped' : 'waiting',
    problem,
  }))
}

/** The files that can be sent. */
export function sendable(chosen: readonly Chosen[]): PickedFile[] {
  return chosen.filter(({ problem }) => problem === null).map(({ picked }) => picked)
}
