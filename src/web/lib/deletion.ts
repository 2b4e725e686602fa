import { signal } from '@preact/signals'
import { toast } from '../ui/toast.tsx'
import { api, ApiError } from './api.ts'

/** Addresses of deleted objects, and of those that can still be undone: lists hide both. */
const doomed = signal<ReadonlySet<string>>(new Set())
/** Sends each pending deletion early. */
const waiting = new Map<string, () => void>()
const sending = new Set<Promise<void>>()

/** Error of the last deletion; null after a success. */
export const deletionError = signal<unknown>(null)

export const isDoomed = (path: string) => doomed.value.has(path)

/**
 * Hides an object, and deletes it after ten seconds without undo, or when the page is left.
 * @param path for DELETE in the API
 * @param onKept called after an undo or a failure
 */
export function deleteLater(
  path: string,
  text: string,
  onDone?: () => void,
  onKept?: () => void,
): void {
  const keep = () => {
    spare(path)
    onKept?.()
  }
  const send = async () => {
    try {
      await api('DELETE', path)
    } catch (error) {
      // Otherwise it was deleted elsewhere, which is just as good.
      if (!(error instanceof ApiError && error.code === 'not_found')) {
        keep()
        deletionError.value = error
        return
      }
    }
    onDone?.()
  }
  deletionError.value = null
  doomed.value = new Set(doomed.value).add(path)
  const end = toast(text, {
    onUndo: keep,
    onGone: () => {
      if (!waiting.delete(path)) return
      const one = send().finally(() => sending.delete(one))
      sending.add(one)
    },
  })
  waiting.set(path, end)
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

function spare(path: string): void {
  waiting.delete(path)
  const left = new Set(doomed.value)
  left.delete(path)
  doomed.value = left
}

let isStale = false

addEventListener('pagehide', () => {
  for (const path of waiting.keys()) void fetch(path, { method: 'DELETE', keepalive: true })
  isStale ||= waiting.size > 0
  waiting.clear()
})
// A page from the back-forward cache would still offer to undo.
addEventListener('pageshow', () => isStale && location.reload())
