import { toast } from '../ui/toast.tsx'
import { api, ignoreGone } from './api.ts'
import { addressOf } from './base-path.ts'
import { signal } from './signals.ts'

/** What is deleted after a time for undo. */
export interface Deletion {
  /** Requests to the API, sent one after the other: `DELETE` unless `method` says otherwise. */
  readonly paths: readonly string[]
  readonly method?: 'POST'
  /** Names of what disappears from lists, for each path; the paths by default. */
  readonly hides?: readonly (readonly string[])[]
  /** What the user is told. */
  readonly text: string
  /** Called with the last answer. */
  readonly onDone?: (answer: unknown) => void
  /** Called after an undo or a failure. */
  readonly onKept?: () => void
}

/** Names of deleted objects, and of those that can still be undone: lists hide both. */
const doomed = signal<ReadonlySet<string>>(new Set())
/** Deletions that are not over, with functions that end the time for undo. */
const pending = new Map<Deletion, () => void>()
const sending = new Set<Promise<void>>()

/** Error of the last deletion; null after a success. */
export const deletionError = signal<unknown>(null)

export const isDoomed = (name: string) => doomed.value.has(name)

/** Hides objects, and deletes them after ten seconds without undo, or when the page is left. */
export function deleteLater(deletion: Deletion): void {
  const { text, hides, paths, onKept } = deletion
  const names = hides ?? paths
  const keep = (from = 0) => {
    const left = new Set(names.slice(from).flat())
    doomed.value = new Set([...doomed.value].filter((name) => !left.has(name)))
    onKept?.()
  }
  deletionError.value = null
  doomed.value = new Set([...doomed.value, ...names.flat()])
  const end = toast(text, {
    onUndo: () => {
      pending.delete(deletion)
      keep()
    },
    onGone: () => {
      const one = send(deletion, keep).finally(() => {
        pending.delete(deletion)
        sending.delete(one)
      })
      sending.add(one)
    },
  })
  pending.set(deletion, end)
}

/** @param keep called after a failure, with the number of paths that are deleted */
async function send(deletion: Deletion, keep: (from: number) => void): Promise<void> {
  const { paths, method = 'DELETE', onDone } = deletion
  let answer: unknown
  for (const [place, path] of paths.entries()) {
    try {
      const options = method === 'POST' ? { body: {} } : {}
      answer = await api(method, path, options).catch(ignoreGone)
    } catch (error) {
      keep(place)
      deletionError.value = error
      return
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
  for (const end of pending.values()) end()
  await Promise.all(sending)
  if (deletionError.value !== null) throw deletionError.value
}

let isStale = false

// Also what is being sent: the browser may drop it with the page.
addEventListener('pagehide', () => {
  for (const { paths, method = 'DELETE' } of pending.keys()) {
    for (const path of paths) void fetch(addressOf(path), { method, keepalive: true })
  }
  isStale ||= pending.size > 0
  pending.clear()
})
// A page from the back-forward cache would still offer to undo.
addEventListener('pageshow', () => isStale && location.reload())
