import { toast } from '../ui/toast.tsx'
import { api, ApiError } from './api.ts'
import { addressOf } from './base-path.ts'
import { signal } from './signals.ts'

/** What is deleted after a time for undo. */
export interface Deletion {
  /** Requests to the API, sent one after the other: `DELETE` unless `method` says otherwise. */
  readonly paths: readonly string[]
  readonly method?: 'POST'
  /** Names of what disappears from lists; the paths by default. */
  readonly hides?: readonly string[]
  /** What the user is told. */
  readonly text: string
  /** Called with the last answer. */
  readonly onDone?: (answer: unknown) => void
  /** Called after an undo or a failure. */
  readonly onKept?: () => void
}

/** Names of deleted objects, and of those that can still be undone: lists hide both. */
const doomed = signal<ReadonlySet<string>>(new Set())
/** Pending deletions with functions that send them early. */
const waiting = new Map<Deletion, () => void>()
const sending = new Set<Promise<void>>()

/** Error of the last deletion; null after a success. */
export const deletionError = signal<unknown>(null)

export const isDoomed = (name: string) => doomed.value.has(name)

/** Hides objects, and deletes them after ten seconds without undo, or when the page is left. */
export function deleteLater(deletion: Deletion): void {
  const { text, onKept } = deletion
  const keep = () => {
    waiting.delete(deletion)
    show(deletion)
    onKept?.()
  }
  deletionError.value = null
  doomed.value = new Set([...doomed.value, ...namesOf(deletion)])
  const end = toast(text, {
    onUndo: keep,
    onGone: () => {
      if (!waiting.delete(deletion)) return
      const one = send(deletion, keep).finally(() => sending.delete(one))
      sending.add(one)
    },
  })
  waiting.set(deletion, end)
}

const isGone = new Set(['not_found', 'expired'])

async function send(deletion: Deletion, keep: () => void): Promise<void> {
  const { paths, method = 'DELETE', onDone } = deletion
  let answer: unknown
  for (const path of paths) {
    try {
      answer = await api(method, path, method === 'POST' ? { body: {} } : {})
    } catch (error) {
      // Otherwise it was deleted elsewhere, which is just as good.
      if (!(error instanceof ApiError && isGone.has(error.code))) {
        keep()
        deletionError.value = error
        return
      }
    }
  }
  onDone?.(answer)
}

/**
 * Deletes pending objects now, while the user is still signed in.
 * @throws ApiError of a failed deletion, after showing its object again
 */
export async function finishDeletions(): Promise<void> {
  deletionError.value = null
  for (const end of waiting.values()) end()
  await Promise.all(sending)
  if (deletionError.value !== null) throw deletionError.value
}

const namesOf = ({ hides, paths }: Deletion) => hides ?? paths

function show(deletion: Deletion): void {
  const left = new Set(doomed.value)
  for (const name of namesOf(deletion)) left.delete(name)
  doomed.value = left
}

let isStale = false

addEventListener('pagehide', () => {
  for (const { paths, method = 'DELETE' } of waiting.keys()) {
    for (const path of paths) void fetch(addressOf(path), { method, keepalive: true })
  }
  isStale ||= waiting.size > 0
  waiting.clear()
})
// A page from the back-forward cache would still offer to undo.
addEventListener('pageshow', () => isStale && location.reload())
