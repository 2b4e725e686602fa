import { kindOf } from '../../lib/kinds.ts'
import { numberedPath } from '../../upload/names.ts'
import type { FileState, PickedFile, Problem } from '../../upload/types.ts'
import type { RequestData } from './request.ts'

/** A selected file, with the reason if it cannot be sent. */
export interface Chosen {
  readonly picked: PickedFile
  readonly problem: Problem | null
}

type Rules = Pick<RequestData, 'maxFileSize' | 'blockedExtensions' | 'allowedExtensions'>

/** Adds new files; a different file with the same path gets a number. */
export function addTo(
  chosen: readonly Chosen[],
  files: readonly PickedFile[],
  rules: Rules,
): Chosen[] {
  const all = [...chosen]
  const byPath = new Map(all.map(({ picked }) => [picked.path, picked]))
  for (const file of files) {
    const known = byPath.get(file.path)
    if (known && known.size === file.size && known.lastModified === file.lastModified) continue
    const path = known ? numberedPath(file.path, (other) => byPath.has(other)) : file.path
    const picked = { ...file, path }
    byPath.set(path, picked)
    all.push({ picked, problem: refusal(picked, rules) })
  }
  return all
}

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
  return chosen.map(({ picked: { path, size, file: source }, problem }) => ({
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
